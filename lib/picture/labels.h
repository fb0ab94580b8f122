/* labels: names that fit in a width. Names that differ still differ after they are shortened. */
#ifndef LABELS_H
#define LABELS_H

#include "picture/canvas.h"
#include "base/map.h"

/* Appends a text, cut in its middle to at most `most`; appends nothing if not even one character fits. */
void label_cut(const struct canvas *c, struct buf *to, struct str text, double most);

/* The same for a text in a mark: a text of which only a few letters would be left is not written. */
void label_cut_inside(const struct canvas *c, struct buf *to, struct str text, double most);

/* A name. The caller owns the first two texts. */
struct label {
	struct str brief; /* the name as it is shown if there is room */
	struct str whole; /* the whole name, in which names with equal `brief` differ */
	struct str shown; /* set by labels_fit() */
};

/* Returns the label of a name without a short form. */
static inline struct label label_of(struct str name)
{
	return (struct label){.brief = name, .whole = name};
}

/*
 * Sets `shown` of n labels to texts of at most `most` units of the canvas, which are stored in *texts, as by
 * labels_store(). A name that is too long is cut in its middle. Where different names would look the same, their
 * differences are shown.
 */
void labels_fit(const struct canvas *c, struct label *list, size_t n, double most, struct map *texts);

/*
 * Stores a copy of a text and empties *text; returns the copy, which is valid as long as *texts. Equal texts are stored
 * once.
 */
struct str labels_store(struct map *texts, struct buf *text);

/* Returns the width of the widest shown label, or of the widest brief if labels_fit() was not called. */
double labels_widest(const struct canvas *c, const struct label *list, size_t n);

#endif
