/* source_feed: sources without a file; windows that are lent; bytes that are taken; output that stays in memory. */
#include "test.h"

#include "io/out.h"
#include "io/source.h"
#include "samples.h"

#include <unistd.h>

/* A content, of which read() gives a few bytes at a time, and then a fault. */
struct content {
	struct str rest;
	const char *fault;
};

static ssize_t feed(void *arg, char *p, size_t n, struct fault *fault, struct fault *note)
{
	struct content *c = arg;
	const struct str some = str_head(c->rest, n < 7 ? n : 1 + random_below(7));

	if (!some.n) {
		*fault = (struct fault){.what = c->fault};
		note->what = "note";
		return c->fault ? -1 : 0;
	}
	memcpy(p, some.p, some.n);
	c->rest = str_from(c->rest, some.n);
	return (ssize_t)some.n;
}

/* A lent window is followed by what feed() gives, in one piece; then another text is lent. */
static void test_lent(const char *fault)
{
	struct content c = {STR("defghijklmnopqrstuvwxyz"), fault};
	struct source *s = source_new("name", (struct source_feed){feed, &c});
	char lent[3 + SOURCE_PAD] = "abc", other[3 + SOURCE_PAD] = "xyz";
	struct diagnostics d = {0};

	source_lend(s, (struct str){lent, 3}, 10);
	CHECK(s->p == lent);
	CHECK_STR(((struct str){s->p, s->n}), "abc");
	source_skip(s, 1);
	CHECK_INT(s->offset, 11);
	CHECK_INT(source_more(s), 1);
	lent[1] = 'x'; /* it is not used any more */
	while (source_more(s) > 0)
		;
	CHECK_STR(((struct str){s->p, s->n}), "bcdefghijklmnopqrstuvwxyz");
	CHECK_INT(source_more(s), fault ? -1 : 0);
	CHECK(s->fault.what == fault);
	CHECK(source_judge(s, &d));
	CHECK_INT(d.n, fault ? 2 : 1);
	source_lend(s, (struct str){other, 3}, 33);
	CHECK_STR(((struct str){s->p, s->n}), "xyz");
	CHECK_INT(s->offset, 33);
	diagnostics_free(&d);
	source_close(s);
}

static void test_take(void)
{
	static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	FILE *f = fopen("feed.tmp", "wb");
	char got[sizeof text];
	struct source *s;
	struct fault fault;
	size_t n = 0;
	ssize_t r;

	CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
	setenv("TRACEFILTERS_READ", "10", 1);
	s = source_open("feed.tmp", &fault);
	unsetenv("TRACEFILTERS_READ");
	CHECK_INT(source_more(s), 1);
	source_skip(s, 2);
	while ((r = source_take(s, got + n, 3)) > 0) {
		n += (size_t)r;
		CHECK_INT(s->offset, n + 2);
	}
	CHECK_INT(r, 0);
	CHECK_STR(((struct str){got, n}), text + 2);
	CHECK_INT(source_take(s, got, 3), 0);
	source_close(s);
	remove("feed.tmp");
}

static void test_held(void)
{
	struct out o = {.held = true};
	struct buf want = {0}, big = {0};
	size_t i;

	memset(buf_room(&big, OUT_SIZE), 'x', OUT_SIZE);
	big.n = OUT_SIZE;
	for (i = 0; i < 3; i++) {
		out_i64(&o, 12);
		out_str(&o, buf_str(&big));
		out_lit(&o, "end\n");
		CHECK(out_flush(&o));
		buf_lit(&want, "12");
		buf_add(&want, big.p, big.n);
		buf_lit(&want, "end\n");
	}
	CHECK(str_eq((struct str){o.p, o.n}, buf_str(&want)));
	free(o.p);
	buf_free(&want);
	buf_free(&big);
}

void unit_test(void)
{
	test_lent(NULL);
	test_lent("damage");
	test_take();
	test_held();
}
