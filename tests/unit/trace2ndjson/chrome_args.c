/* chrome_args: the copy in one pass must be the same as the one that scan_squeeze() makes, and must be JSON. */
#include "trace2ndjson/formats/chrome/chrome_args.h"

#include "json/check.h"
#include "samples.h"
#include "test.h"

/* Appends args with the members and values that profilers write, and some others. */
static void put_args(struct buf *b)
{
	static const char *const keys[] = {"External id", "stream", "correlation", "bytes", "Python id", "grid",
	    "a key that is too long to be stored in a gap: 0123456789 0123456789 0123456789", "x"};
	static const char *const values[] = {"0", "7", "-1", "12345678901234567890", "0.012500", "-0.5", "1e5",
	    "1.5E-3", "true", "null", "\"\"", "\"float\"", "\"a text of more than thirty-two bytes with {brackets]\"",
	    "[64, 1, 1]", "[64,1,1]", "[0, 1]", "[]", "[ ]", "[[1024,8,96],[ 2 ]]", "[\"float\", \"Scalar\"]",
	    "[7,[\"}\"]]", "{}", "{\"a\": [1, 2]}", "[{}]", "[1234567890123456, 2]", "[7 , 8 ]"};
	static const char *const spaces[] = {"", "", " ", "\n      "};
	const char *space = spaces[random_below(4)], *colon = random_below(2) ? ": " : ":", *z;
	size_t i, n = random_below(9), simple = random_below(3) ? 20 : sizeof values / sizeof *values;

#define PUT(s) (z = (s), buf_add(b, z, strlen(z)))
	b->n = 0;
	PUT("{");
	for (i = 0; i < n; i++) {
		PUT(i ? "," : "");
		PUT(space);
		PUT("\"");
		PUT(keys[random_below(random_below(20) ? 6 : 8)]);
		PUT("\"");
		PUT(colon);
		PUT(values[random_below(simple)]);
	}
	PUT(space);
	PUT("}");
#undef PUT
}

/* Whether scan_run() finds that the text is one clean unit. */
static bool is_clean(struct str text)
{
	struct scan_unit units[SCAN_UNITS_LEAST];
	struct scan s;

	scan_init(&s, SCAN_VALUES);
	return scan_run(&s, text.p, text.n, units, SCAN_UNITS_LEAST) == 1 && units[0].end == text.n && units[0].clean;
}

/* The copy of only some members must be the same as what kept_args_apply() leaves of a whole copy. */
static void check_cut(struct str text, struct str whole, const struct chrome_args *of_whole)
{
	static struct chrome_args a;
	static struct kept_args kept;
	static struct kept_args_memory memory;
	static struct buf copy;
	struct event e = {.has = 0};
	size_t n, m;

	if (!kept.names.n)
		kept_args_add(&kept, "", "stream,x,grid");
	n = chrome_args_copy(&a, &copy, text, true, &kept, true);
	CHECK_INT(n, text.n);
	if (!a.cut || !of_whole->sound)
		return;
	event_set(&e, EVENT_ARGS, whole);
	kept_args_apply(&kept, &memory, false, &e);
	CHECK(str_eq(buf_str(&copy), event_has(&e, EVENT_ARGS) ? e.m[EVENT_ARGS] : STR("{}")));
	for (m = 0; m < ARG_N; m++)
		CHECK(a.m[m].p ? of_whole->m[m].p && a.m[m].p[0] == of_whole->m[m].p[0] : !of_whole->m[m].p);
}

void unit_test(void)
{
	static struct chrome_args quick, slow;
	static const struct kept_args none;
	struct buf b = {0}, changed = {0}, quick_copy = {0}, slow_copy = {0};
	size_t i, m, sound = 0, quicker = 0, n;
	struct str text;

	for (i = 0; i < 30000; i++) {
		put_args(&b);
		mutate(&changed, (struct str){b.p, b.n}, 2);
		text = padded_copy(random_below(2) ? (struct str){b.p, b.n} : (struct str){changed.p, changed.n});
		if (!text.n || text.p[0] != '{' || !is_clean(text)) {
			free((char *)text.p);
			continue;
		}
		n = chrome_args_copy(&quick, &quick_copy, text, true, &none, false);
		CHECK_INT(chrome_args_copy(&slow, &slow_copy, text, false, &none, false), n);
		CHECK(str_eq(buf_str(&quick_copy), buf_str(&slow_copy)));
		CHECK_INT(quick.sound && !json_check(text, NULL), false);
		CHECK_INT(slow.sound && !quick.sound, false);
		sound += quick.sound;
		quicker += quick.sound && !slow.sound;
		for (m = 0; m < ARG_N; m++)
			CHECK(!quick.sound || str_eq(quick.m[m], slow.m[m]));
		check_cut(text, buf_str(&quick_copy), &quick);
		free((char *)text.p);
	}
	CHECK(sound > 5000 && quicker > 200);
	bufs_free(&b, &changed, &quick_copy, &slow_copy);
}
