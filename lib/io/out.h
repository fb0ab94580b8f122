/*
 * out: standard output and copies of it, written in large pieces, with all errors checked. Nothing else writes to
 * standard output.
 */
#ifndef OUT_H
#define OUT_H

#include "base/fault.h"
#include "base/str.h"

/*
 * After a write fails, all later output is dropped. Callers test `error` in their loop (record/input does), and the
 * result of out_close() at the end.
 */
struct out {
	int error;          /* errno of the first failure, 0 if there was none */
	const char *failed; /* the copy that could not be written, NULL for standard output */
	bool held;          /* the output stays in the buffer, which grows: out_flush() does nothing */
	/* private, except in tests, and unless `held` is set; then free() frees the buffer */
	char *p; /* the buffer; bytes p[0..n) are not written yet */
	size_t n, cap;
	struct out_copy {
		const char *path;
		int fd;
	} * copies;
	size_t n_copies, copies_cap;
};

enum { OUT_SIZE = 128 * 1024 };

/* Opens standard output; if it is a pipe, increases its buffer to 1 MiB where the system allows it. */
void out_open(struct out *o);

/*
 * From now on, all output is also written to a file, which can be a named pipe. The path must remain valid. Returns
 * false, with *f set, if the file cannot be opened. An error of the copy ends all output.
 */
bool out_tee(struct out *o, const char *path, struct fault *f);

/* Returns a pointer to room for n bytes; after writing there, call out_used() with the end of the text. */
char *out_more(struct out *o, size_t n); /* used by out_room() */
static inline char *out_room(struct out *o, size_t n)
{
	return o->cap - o->n < n ? out_more(o, n) : o->p + o->n;
}
static inline void out_used(struct out *o, const char *end)
{
	o->n = (size_t)(end - o->p);
}

void out_add(struct out *o, const char *p, size_t n);
void out_str(struct out *o, struct str s);
void out_line(struct out *o, struct str s); /* with a newline */
void out_char(struct out *o, char c);
void out_z(struct out *o, const char *z);             /* writes a C string, for constant text */
void out_all(struct out *o, const char *const *list); /* writes C strings; NULL follows the last one */
void out_i64(struct out *o, int64_t v);
#define out_lit(o, s) out_add((o), "" s, sizeof(s) - 1)

/* Writes the buffer; returns false when this or an earlier write has failed. */
bool out_flush(struct out *o);

/* Flushes and closes; returns false, with *f set, when something could not be written. */
bool out_close(struct out *o, struct fault *f);

#endif
