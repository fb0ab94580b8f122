/* chrome_seen: the layouts of unwanted events that were read in full and are valid, so that others are passed over. */
#ifndef CHROME_SEEN_H
#define CHROME_SEEN_H

#include "base/map.h"
#include "json/scan.h"

enum { CHROME_HEADS = 16, CHROME_HEAD = 120, CHROME_LENGTHS = 64 };

/* Zero-initialise. */
struct chrome_seen {
	struct chrome_head {
		size_t n; /* bytes of text: an event up to the end of the member that says its kind, a string */
		/* the number of the shape that was seen last, by its length */
		uint16_t last[CHROME_LENGTHS];
		char text[CHROME_HEAD];
	} heads[CHROME_HEADS];
	size_t n;
	struct map shapes; /* of what follows a head, the head's number first */
	struct buf shape;
};

/*
 * Whether the text of a clean line is an unwanted event like one that was added: valid JSON, and no number in it beyond
 * 64 bits as a time. The names of the members after its kind are taken to be those of the event that was added: a
 * second ph or cat in the place of another member is not noticed.
 */
bool chrome_seen(struct chrome_seen *s, struct str text);

/*
 * Adds the layout of a clean line's text: valid JSON, an unwanted event with each member once, whose first n bytes
 * say so. Not every layout is taken: the number is limited.
 */
void chrome_seen_add(struct chrome_seen *s, struct str text, size_t n);
void chrome_seen_free(struct chrome_seen *s);

#endif
