/* label_cut: texts that are cut in their middle to fit in a width. */
#ifndef LABEL_CUT_H
#define LABEL_CUT_H

#include "canvas.h"

/* In bytes: a text of more than twice this length is always cut, without computing its width. */
enum { LABEL_CUT_LOOK = 1024 };

/* Appends a text, cut in its middle to at most `most`; appends nothing if not even one character fits. */
void label_cut(const struct canvas *c, struct buf *to, struct str text, double most);

/* The same for a text in a mark: a text of which only a few letters would be left is not written. */
void label_cut_inside(const struct canvas *c, struct buf *to, struct str text, double most);

#endif
