/* write: the members of JSON objects, written one behind the other into a buf. */
#ifndef WRITE_H
#define WRITE_H

#include "base/mem.h"
#include "base/str.h"

/*
 * Each call appends a member, with a comma before it unless it is the first behind an open bracket: so an
 * empty buf begins with a comma, as attachments do (record/event_attach). `key` is the member's name as it stands
 * between quotes; for an element of an array it is NULL.
 */
void json_write_json(struct buf *b, const char *key, struct str json); /* valid JSON, as it stands */
/* The same for a key that is a view: one that was read, or {NULL, 0} for an element of an array. */
void json_write_member(struct buf *b, struct str key, struct str json);
void json_write_key(struct buf *b, const char *key);  /* the caller appends the value */
void json_write_name(struct buf *b, struct str name); /* a key that is any text and gets quoted; likewise */
void json_write_text(struct buf *b, const char *key, struct str text); /* any bytes, as a string */
void json_write_int(struct buf *b, const char *key, int64_t v);
void json_write_double(struct buf *b, const char *key, double v); /* finite */
void json_write_bool(struct buf *b, const char *key, bool v);
/* A number when the text is one by JSON's grammar that a reader can hold, else a string. */
void json_write_number(struct buf *b, const char *key, struct str text);

/* An object or array as a member (key NULL: an element, or the outermost); close with the same bracket's end. */
void json_write_begin(struct buf *b, const char *key, char bracket);
void json_write_end(struct buf *b, char bracket);

static inline struct str json_write_str(const struct buf *b) /* what was written; until the next append */
{
	return (struct str){b->p, b->n};
}

#endif
