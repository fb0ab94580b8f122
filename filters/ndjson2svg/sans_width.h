/*
 * sans_width: the width of a text in a sans-serif font. The widths are those of DejaVu Sans, which is wider than most
 * other fonts, so that a text fits in its place whichever font the reader has.
 */
#ifndef SANS_WIDTH_H
#define SANS_WIDTH_H

#include "base/str.h"

/* Returns the width of a text in thousandths of the font's size. */
size_t sans_width(struct str text);

#endif
