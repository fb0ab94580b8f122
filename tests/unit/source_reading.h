/* source_reading: creates input files for tests; reads a source to its end and stores the bytes and the fault. */
#ifndef SOURCE_READING_H
#define SOURCE_READING_H

#include "test.h"

#include "base/mem.h"
#include "io/source.h"
#include "samples.h"

/* The result of reading a source to its end. */
struct got {
	struct buf b;
	int r;
	struct fault fault, note;
};

static inline void take(struct got *g, struct source *s, size_t n)
{
	buf_add(&g->b, s->p, n);
	source_skip(s, n);
}

/*
 * Reads a source to its end and closes it. After each read, it consumes all available bytes if `all` is set, otherwise
 * only some of them.
 */
static inline struct got read_source(struct source *s, bool all)
{
	struct got g = {.r = 1};
	size_t i;
	int r;

	while ((r = source_more(s)) > 0) {
		CHECK(s->n > 0);
		for (i = 0; i < SOURCE_PAD; i++)
			g.r &= s->p[s->n + i] == 0;
		take(&g, s, all || s->n < 3 ? s->n : random_below(s->n));
		if (s->offset != g.b.n)
			CHECK_INT(s->offset, g.b.n);
	}
	CHECK_INT(g.r, 1); /* after each read, the SOURCE_PAD bytes after the window were 0 */
	CHECK_INT(source_more(s), r);
	take(&g, s, s->n);
	g.r = r;
	g.fault = s->fault;
	g.note = s->note;
	CHECK_INT(r < 0, g.fault.what != NULL);
	source_close(s);
	return g;
}

static inline struct got read_file(const char *path)
{
	struct fault f = {0};
	struct source *s = source_open(path, &f);
	struct got g = {.r = -2, .fault = f};

	return s ? read_source(s, random_below(2)) : g;
}

static inline void write_file(const char *path, struct str s)
{
	FILE *f = fopen(path, "wb");

	CHECK(f && (!s.n || fwrite(s.p, 1, s.n, f) == s.n)); /* s.p may be NULL if s.n is 0 */
	CHECK(f && fclose(f) == 0);
}

static inline struct got read_bytes(struct str s)
{
	write_file("src.tmp", s);
	return read_file("src.tmp");
}

static inline void free_got(struct got *g)
{
	buf_free(&g->b);
}

#define TEXT                                                                                                           \
	"{\"ts\":1,\"dur\":2,\"kind\":\"kernel\",\"name\":\"void f<int>(int)\"}\n"                                     \
	"{\"ts\":2,\"dur\":2,\"kind\":\"kernel\",\"name\":\"void g<int>(float, float)\"}\n"

static const struct str text = {TEXT, sizeof TEXT - 1};

#endif
