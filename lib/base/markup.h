/* markup: text in HTML and XML. */
#ifndef MARKUP_H
#define MARKUP_H

/*
 * Returns the reference that replaces a character which has a meaning in HTML and XML, such as "&lt;"; NULL for all
 * other characters.
 */
const char *markup_reference(char c);

#endif
