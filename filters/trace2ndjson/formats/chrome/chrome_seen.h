/*
 * chrome_seen: recognises events that are not selected, so that they can be skipped without being parsed. The reader
 * skips only events that are known to be valid: a damaged event may contain the text of further events. A trace has
 * millions of events, but they have only a few layouts. So an event is known to be valid when it agrees with an earlier
 * event that was parsed and checked: (1) both begin with the same bytes, up to the end of the member that shows the
 * kind, and (2) the rest of both has the same shape (see scan_shape()).
 */
#ifndef CHROME_SEEN_H
#define CHROME_SEEN_H

#include "base/map.h"
#include "json/scan.h"
#include "trace2ndjson/name_begins.h"

enum { CHROME_HEADS = 16, CHROME_HEAD = 120, CHROME_LENGTHS = 64 };

/* Zero-initialise. */
struct chrome_seen {
	struct chrome_head {
		/* length of text[], the beginning of an event up to the end of the string that shows its kind, or */
		size_t n;
		enum event_kind
		    named; /* up to its name if that shows that it is not selected; then its kind, else KIND_N */
		/* last[length % CHROME_LENGTHS]: index of the last shape of this length that matched */
		uint16_t last[CHROME_LENGTHS];
		char text[CHROME_HEAD];
	} heads[CHROME_HEADS];
	size_t n;
	/* each key is a byte with the index of a head, followed by the shape of the text after that head */
	struct map shapes;
	struct buf shape;
};

/*
 * Whether the text of a clean line has the layout of an event that was added. If so, the text is valid JSON, the event
 * is not selected, and its times fit in 64 bits. The names of the members after the kind are not compared, so a second
 * ph or cat in place of another member is not noticed. `begins`: see struct reader.
 */
bool chrome_seen(struct chrome_seen *s, struct str text, const struct name_begins *begins);

/*
 * Adds the layout of a clean line's text. The text must be valid JSON in which no member occurs twice, and its first n
 * bytes must show that the event is not selected; or they show the kind `named`, and a name that is not selected
 * follows. When the maximum number of layouts is reached, adds nothing.
 */
void chrome_seen_add(struct chrome_seen *s, struct str text, size_t n, enum event_kind named);
void chrome_seen_free(struct chrome_seen *s);

#endif
