#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "base/mem.h"

#include "base/err.h"

#include <stdlib.h>
#include <sys/mman.h>

void mem_exhausted(const char *what)
{
	die("out of memory: %s", what);
}

static void check_product(size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		die("out of memory: %zu elements of %zu bytes", n, size);
}

void *mem_resize(void *p, size_t n, size_t size)
{
	check_product(n, size);
	n *= size;
	p = realloc(p, n > 0 ? n : 1);
	if (!p)
		die("out of memory: %zu bytes", n);
	return p;
}

void *mem_alloc(size_t n)
{
	return mem_resize(NULL, n, 1);
}

void mem_free_all(void *const *list, size_t n)
{
	while (n--)
		free(*list++);
}

void *mem_table(size_t n)
{
	void *p = NULL;

	if (posix_memalign(&p, n < MEM_LARGE ? MEM_LINE : MEM_LARGE, n))
		die("out of memory: %zu bytes", n);
#ifdef MADV_HUGEPAGE
	if (n >= MEM_LARGE)
		(void)madvise(p, n, MADV_HUGEPAGE); /* fails if the system has no large pages */
#endif
	return p;
}

void *mem_zero(size_t n, size_t size)
{
	void *p;

	check_product(n, size);
	p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		die("out of memory: %zu bytes", n * size);
	return p;
}

void *mem_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t to = *cap < 8 ? 8 : *cap;

	if (need <= *cap)
		return p;
	while (to < need) {
		if (to > SIZE_MAX / 2)
			die("out of memory: %zu elements of %zu bytes", need, size);
		to *= 2;
	}
	p = mem_resize(p, to, size);
	*cap = to;
	return p;
}

void *mem_grow_zero(void *p, size_t *cap, size_t need, size_t size)
{
	const size_t before = *cap;

	p = mem_grow(p, cap, need, size);
	if (*cap > before)
		memset((char *)p + before * size, 0, (*cap - before) * size);
	return p;
}

char *buf_more(struct buf *b, size_t n)
{
	if (n > SIZE_MAX - b->n)
		die("out of memory: %zu bytes", n);
	b->p = mem_grow(b->p, &b->cap, b->n + n, 1);
	return b->p + b->n;
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){0};
}

void bufs_free_all(struct buf *const *list)
{
	while (*list)
		buf_free(*list++);
}

void buf_hex(struct buf *b, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *byte = p, *end = byte + n;

	for (; byte < end; byte++) {
		buf_char(b, digits[*byte >> 4]);
		buf_char(b, digits[*byte & 15]);
	}
}
