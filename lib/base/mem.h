/* mem: memory that is there or the program is not: running out ends it with STATUS_FAIL. */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>
#include <string.h>

/* Ends the program: for libraries that allocate by themselves. `what` says what for. */
_Noreturn void mem_exhausted(const char *what);

void *mem_alloc(size_t n);         /* not cleared; mem_alloc(0) is not NULL */
void *mem_zero(size_t n, size_t size); /* cleared; n * size is checked */
void *mem_resize(void *p, size_t n, size_t size);

/*
 * The one way arrays grow: returns p, moved if it had fewer than `need` elements of `size` bytes,
 * with *cap updated. Doubles, so that appending is linear.
 */
void *mem_grow(void *p, size_t *cap, size_t need, size_t size);

/* A byte string that grows. Zero-initialise it; buf_free() or keep it. p is NULL until something was added. */
struct buf {
	char *p;
	size_t n;
	/* private */
	size_t cap;
};

char *buf_more(struct buf *b, size_t n); /* buf_room() where the memory must grow */
void buf_free(struct buf *b);

/* Room for n more bytes at the returned place; b->n is unchanged. */
static inline char *buf_room(struct buf *b, size_t n)
{
	return n < b->cap - b->n ? b->p + b->n : buf_more(b, n);
}

static inline void buf_add(struct buf *b, const void *p, size_t n)
{
	if (!n)
		return;
	memcpy(buf_room(b, n), p, n);
	b->n += n;
}

static inline void buf_char(struct buf *b, char c)
{
	*buf_room(b, 1) = c;
	b->n++;
}

void buf_hex(struct buf *b, const void *p, size_t n); /* appends two hexadecimal digits (0-9 a-f) for each of n bytes */

/* Appends a string literal. */
#define buf_lit(b, s) buf_add((b), "" s, sizeof(s) - 1)

#endif
