/* mem: allocation that never returns NULL: if there is not enough memory, the program exits with STATUS_FAIL. */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>
#include <string.h>

/* Exits with a message that there was not enough memory for `what`. To be called when another library reports this. */
_Noreturn void mem_exhausted(const char *what);

void *mem_alloc(size_t n);             /* does not clear the memory; mem_alloc(0) does not return NULL */
void *mem_zero(size_t n, size_t size); /* clears the memory; checks n * size for overflow */
void *mem_resize(void *p, size_t n, size_t size);

/*
 * The same as mem_alloc(), for memory that is used soon and completely. It begins with a line of the processor's cache.
 * If n >= MEM_LARGE, the system is asked for large pages, because getting memory page by page takes longer than filling
 * it. To be freed with free().
 */
enum { MEM_LINE = 64, MEM_LARGE = 2 << 20 };
void *mem_table(size_t n);

/* Frees several blocks, which may be NULL: mem_free(x->list, x->names). */
#define mem_free(...) mem_free_all((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
void mem_free_all(void *const *list, size_t n);

/*
 * Grows an array to at least `need` elements of `size` bytes, and updates its capacity, *cap. All growing arrays use
 * this function. Returns the array, which may have moved. The capacity doubles, so that appending takes linear time.
 */
void *mem_grow(void *p, size_t *cap, size_t need, size_t size);
void *mem_grow_zero(void *p, size_t *cap, size_t need, size_t size); /* also clears the new elements */

/*
 * A byte string that grows. Zero-initialise it. Call buf_free() at the end, or keep it until the program exits. p
 * is NULL until something was added.
 */
struct buf {
	char *p;
	size_t n;
	/* private */
	size_t cap;
};

char *buf_more(struct buf *b, size_t n); /* the part of buf_room() that grows the memory */
void buf_free(struct buf *b);

/* Frees several buffers: bufs_free(&x->name, &x->args). */
#define bufs_free(...) bufs_free_all((struct buf *const[]){__VA_ARGS__, NULL})
void bufs_free_all(struct buf *const *list); /* NULL follows the last one */

/* Returns a pointer to room for n more bytes at the end; b->n is unchanged. */
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

/* buf_lit() appends a string literal, buf_text() any C string. */
#define buf_lit(b, s) buf_add((b), "" s, sizeof(s) - 1)
static inline void buf_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

#endif
