/* devices: where device work runs, its rank, device and stream, as small numbers and back. */
#ifndef DEVICES_H
#define DEVICES_H

#include "record/event.h"
#include "base/map.h"

/* How much of it counts. */
enum devices_level { DEVICES_ALL, DEVICES_DEV, DEVICES_STREAM };

/* Zero-initialise with `level` set; devices_free() it. */
struct devices {
	enum devices_level level;
	enum event_member third; /* what counts as the stream does: EVENT_STREAM, or EVENT_NAME for what has its name */
	struct map keys;         /* keys.n: how many there are */
	struct buf key;
};

/* The number of a record's place, added when it is new. `third` is the JSON text of the third member. */
size_t devices_put(struct devices *d, struct event *e, struct str third);

/* Sets the members of a place on a record that is made. */
void devices_set(const struct devices *d, size_t place, struct event *e);

void devices_free(struct devices *d);

#endif
