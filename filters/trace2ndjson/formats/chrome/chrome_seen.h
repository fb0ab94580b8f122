/*
 * chrome_seen: the layouts of events known to be valid and not selected, so that others like them are skipped quickly.
 */
#ifndef CHROME_SEEN_H
#define CHROME_SEEN_H

#include "base/map.h"
#include "json/scan.h"

enum { CHROME_HEADS = 16, CHROME_HEAD = 120, CHROME_LENGTHS = 64 };

/* Zero-initialise. */
struct chrome_seen {
	struct chrome_head {
		size_t n; /* bytes of text: the event up to the end of the member that shows its kind, a string */
		/* the number of the shape that was found last, by the length of the shape */
		uint16_t last[CHROME_LENGTHS];
		char text[CHROME_HEAD];
	} heads[CHROME_HEADS];
	size_t n;
	struct map shapes; /* the text after a head, as shapes; the head's number comes first */
	struct buf shape;
};

/*
 * Whether the text of a clean line is an event that is not selected and has the layout of one that was added: valid
 * JSON, with no number that is beyond 64 bits as a time. The function does not compare the names of the members after
 * the kind: it does not notice a second ph or cat in place of another member.
 */
bool chrome_seen(struct chrome_seen *s, struct str text);

/*
 * Adds the layout of a clean line's text. The text must be valid JSON, an event that is not selected, as its first n
 * bytes show, with each member once. The number of layouts is limited: others are not added.
 */
void chrome_seen_add(struct chrome_seen *s, struct str text, size_t n);
void chrome_seen_free(struct chrome_seen *s);

#endif
