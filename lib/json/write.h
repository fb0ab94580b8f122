/* write: writes the members of JSON objects, one after the other, to a buf. */
#ifndef WRITE_H
#define WRITE_H

#include "base/str.h"

/*
 * Each call appends a member, preceded by a comma unless it directly follows an opening bracket. So a comma also
 * precedes the first member in an empty buf, as in attachments (record/event_attach). `key` is the member's name as
 * written between quotes, or NULL for an element of an array.
 */
/* The value is valid JSON, which is copied verbatim; the key is a view, {NULL, 0} for an element of an array. */
void json_write_member(struct buf *b, struct str key, struct str json);
/* The same, but appends nothing if the value is absent: its p is NULL. */
static inline void json_write_json(struct buf *b, const char *key, struct str json)
{
	if (json.p)
		json_write_member(b, key ? str_of(key) : (struct str){NULL, 0}, json);
}
/* The same for a value that may be an object or array with white space, which is removed. SCAN_PAD bytes follow it. */
void json_write_squeezed(struct buf *b, struct str key, struct str json);
void json_write_key(struct buf *b, const char *key);  /* writes only the key; the caller appends the value */
void json_write_name(struct buf *b, struct str name); /* quotes `name`, which may be any text */
void json_write_text(struct buf *b, const char *key, struct str text); /* writes any bytes as a string */
void json_write_int(struct buf *b, const char *key, int64_t v);
void json_write_double(struct buf *b, const char *key, double v);
void json_write_bool(struct buf *b, const char *key, bool v);
/* Writes the text as a number if it is a JSON number in the range of a double, otherwise as a string. */
void json_write_number(struct buf *b, const char *key, struct str text);

/* Appends only a value: a number or, as JSON has no infinite numbers, the text "Infinity", "-Infinity" or "NaN". */
void json_put_double(struct buf *b, double v);

/*
 * Begins an object or array as a member (or, if key is NULL, as an element or as the outermost value). End it with
 * json_write_end() and the matching closing bracket.
 */
void json_write_begin(struct buf *b, const char *key, char bracket);
void json_write_end(struct buf *b, char bracket);

#endif
