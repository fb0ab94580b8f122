/* xml_text: writes texts into XML. All texts of a picture that are not constant are written by this function. */
#ifndef XML_TEXT_H
#define XML_TEXT_H

#include "base/str.h"
#include "io/out.h"

/*
 * Writes a text, with references in place of the five characters that have a meaning in XML. U+FFFD replaces bytes that
 * are not UTF-8 and characters that XML does not allow. The result is valid in elements and in quoted attributes.
 */
void xml_text(struct out *o, struct str text);

#endif
