/* event_private: the keys of the standard members, for reading and writing records. */
#ifndef EVENT_PRIVATE_H
#define EVENT_PRIVATE_H

#include "record/event.h"

/* A member's key as it is written after a comma; padded so that it can be copied and compared in one instruction. */
struct event_key {
	char text[16];
	unsigned n;
};

extern const struct event_key event_keys[EVENT_N];

#endif
