/* plaidml_wire: protobuf's wire format read in place: the fields of a message, one by one, none beyond its end. */
#ifndef PLAIDML_WIRE_H
#define PLAIDML_WIRE_H

#include "base/str.h"

enum wire_type { WIRE_VARINT, WIRE_FIXED64, WIRE_LEN, WIRE_FIXED32 = 5 };

struct wire_field {
	uint32_t no;
	enum wire_type type;
	uint64_t v;       /* of a number */
	struct str bytes; /* of WIRE_LEN: a view of the message */
};

/* A message that is being read. Of one that ended in a fault, p is where the field begins that is wrong. */
struct wire {
	const char *p, *end;
	const char *fault; /* why, static text; NULL while all is well */
};

static inline struct wire wire_of(struct str message)
{
	return (struct wire){message.p, message.p + message.n, NULL};
}

/* The next field: 1; 0 at the end; -1 when there is none that can be read (w->fault). */
int wire_next(struct wire *w, struct wire_field *field);

/*
 * A number of at most 10 bytes: how many it took; 0 when the text ends inside it; -1 when it goes on
 * beyond 10 bytes or 64 bits.
 */
int wire_varint(struct str text, uint64_t *v);

/*
 * The last field of that number and type, which is the one that counts where a field is there once.
 * False when there is none. Of a message that wire_sound() passed.
 */
bool wire_find(struct str message, uint32_t no, enum wire_type type, struct wire_field *field);

/* Whether all fields can be read; when not, *fault and *at (an offset into the message) say what and where. */
bool wire_sound(struct str message, const char **fault, size_t *at);

/* The next number of a packed field (`rest` begins as its bytes): as wire_next(). */
int wire_packed(struct str *rest, uint64_t *v);

#endif
