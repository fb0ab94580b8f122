/*
 * wire: reads protobuf's wire format in place, for all formats that use protobuf. It reads the fields of a message one
 * by one, and never beyond the end of the message. It also writes values of messages as JSON.
 */
#ifndef WIRE_H
#define WIRE_H

#include "base/num_format.h"
#include "trace2ndjson/formats/format.h"

enum wire_type { WIRE_VARINT, WIRE_FIXED64, WIRE_LEN, WIRE_FIXED32 = 5 };

struct wire_field {
	uint32_t no;
	enum wire_type type;
	uint64_t v;       /* the value of a number */
	struct str bytes; /* for WIRE_LEN: a view of the message */
};

/* A message that is being read. After a fault, p points to the start of the invalid field. */
struct wire {
	const char *p, *end;
	const char *fault; /* the reason, static text; NULL when there is no fault */
};

static inline struct wire wire_of(struct str message)
{
	return (struct wire){message.p, message.p + message.n, NULL};
}

/* Reads the next field. Returns 1; 0 at the end; -1 when the field cannot be read (w->fault). */
int wire_next(struct wire *w, struct wire_field *field);

/* The maximum number of bytes of a field without the content of WIRE_LEN. */
enum { WIRE_HEAD_MAX = 20 };

/*
 * Reads the beginning of a field that may be longer than the memory: `head` is its first WIRE_HEAD_MAX bytes, or all
 * bytes that are left. Sets field->no, ->type and, for WIRE_LEN, field->bytes.n to the size of the content, otherwise
 * field->v; *size is the number of bytes read. Returns 1; 0 when `head` ends inside; -1 when the field is damaged;
 * *fault is the reason.
 */
int wire_head(struct str head, struct wire_field *field, size_t *size, const char **fault);

/* Reads up to the next field of type WIRE_LEN with this number; false at the end and at a fault. */
bool wire_next_message(struct wire *w, uint32_t no, struct str *message);

/* Returns the size of the number in bytes; 0 when the text ends inside it; -1 when it is not one of 64 bits. */
int wire_varint(struct str text, uint64_t *v);

/*
 * Finds the last field with this number and type. If a field that is not declared as repeated occurs several times,
 * protobuf uses the last occurrence. False when there is no such field. wire_sound() must have accepted the message.
 */
bool wire_find(struct str message, uint32_t no, enum wire_type type, struct wire_field *field);

/* Returns the number in such a field, or 0; its bytes, or an empty text. */
uint64_t wire_find_number(struct str message, uint32_t no);
struct str wire_find_bytes(struct str message, uint32_t no);

/* Whether all fields can be read. If not, sets w->fault to the reason and w->p to the place. */
bool wire_sound(struct str message, struct wire *w);

/* A field that a reader needs. */
struct wire_want {
	uint32_t no;
	enum wire_type type;
};

/*
 * Reads a whole message: values[i] becomes the last field with the number and type of wants[i], and is all zeros if the
 * message has no such field. {0} follows the last row of `wants`. Returns false as wire_sound() does.
 */
bool wire_read(struct str message, const struct wire_want *wants, struct wire_field *values, struct wire *w);

/* Sets *v to the next number of a repeated field; *rest is first wire_numbers(field). False after the last one. */
bool wire_number(const struct wire_field *field, struct str *rest, uint64_t *v);

static inline struct str wire_numbers(const struct wire_field *field)
{
	return field->type == WIRE_LEN ? field->bytes : (struct str){NULL, field->type == WIRE_VARINT};
}

/* Sets the fault of a message and its place; returns false. */
static inline bool wire_refuse(struct wire *w, const char *why, const char *at)
{
	w->fault = why;
	w->p = at;
	return false;
}

/*
 * Whether `inner`, a message inside that of w, was read without a fault; otherwise sets w->p to its place and w->fault
 * to `what`, or to the fault of `inner` if `what` is NULL.
 */
static inline bool wire_passed(const struct wire *inner, struct wire *w, const char *what)
{
	return !inner->fault || wire_refuse(w, what ? what : inner->fault, inner->p);
}

/* Reads the next number of a packed field, initially from all its bytes. Return value: see wire_next(). */
int wire_packed(struct str *rest, uint64_t *v);

/* Returns the double in the value of a field of type WIRE_FIXED64. */
static inline double wire_double(uint64_t v)
{
	double d;

	memcpy(&d, &v, sizeof d);
	return d;
}

/* --- values as JSON --- */

/* A text of the file; `at` is the offset at which bytes that are not UTF-8 are reported. */
void wire_put_text(struct reader *r, uint64_t at, struct buf *b, struct str text);

/* Begins a member of an open object: a comma if it is not the first one, the name like wire_put_text(), a colon. */
void wire_put_name(struct reader *r, uint64_t at, struct buf *b, struct str name);

/* Writes a name for what has none in the file, "#12" or "category 3", to room[], and returns a view of it. */
enum { WIRE_NUMBERED = NUM_ROOM + 16 };
struct str wire_numbered(char room[WIRE_NUMBERED], const char *prefix, uint64_t number);

#endif
