/* member_edit: changes random records, and compares the results with those of a slow, simple search for members. */
#include "record/member_edit.h"

#include "json/check.h"
#include "samples.h"
#include "test.h"

static const char *const names[] = {"ts", "dur", "name", "tid", "bytes", "args", "src", "a", "b", "a\"b", "kind"};
enum { NAMES = sizeof names / sizeof *names, ROUNDS = 20000 };

/* Makes a record of random members, canonical or not. */
static struct str random_record(struct buf *b)
{
	static const char *const keys[] = {"\"ts\"", "\"dur\"", "\"kind\"", "\"name\"", "\"tid\"", "\"bytes\"", "\"a\"",
	    "\"b\"", "\"a\\\"b\"", "\"other\"", "\"args\"", "\"src\""};
	static const char *const values[] = {
	    "5", "7", "\"op\"", "\"n\"", "9", "1", "{\"b\":1}", "[]", "2", "3", "{\"a\":1}", "{}"};
	const bool canonical = random_below(2);
	const size_t n = canonical ? 12 : random_below(12);
	const char *space = "";
	size_t i;

	b->n = 0;
	buf_char(b, '{');
	if (!canonical && random_below(2)) /* a canonical prefix, which any members follow */
		buf_lit(b, "\"kind\":\"op\"");
	for (i = 0; i < n; i++) {
		const size_t at = canonical ? i : random_below(12);

		if (!random_below(3))
			continue;
		space = canonical || random_below(2) ? "" : " ";
		if (b->n > 1)
			buf_add(b, ", ", *space ? 2 : 1);
		buf_add(b, keys[at], strlen(keys[at]));
		buf_add(b, ": ", *space ? 2 : 1);
		buf_add(b, values[at], strlen(values[at]));
	}
	buf_add(b, space, strlen(space));
	buf_char(b, '}');
	scan_pad(b);
	return (struct str){b->p, b->n};
}

static struct str find(struct str record, const char *name)
{
	return iter_find(record, strcmp(name, "a\"b") == 0 ? STR("a\\\"b") : str_of(name));
}

/* Returns how often a record has a member. */
static size_t count(struct str record, const char *name)
{
	const struct str wanted = strcmp(name, "a\"b") == 0 ? STR("a\\\"b") : str_of(name);
	struct str key, value;
	struct iter w;
	size_t n = 0;

	iter_init(&w, record);
	while (iter_next(&w, &key, &value) > 0)
		n += str_eq(key, wanted);
	return n;
}

/* Checks one member of the result. */
static void check_member(const struct member_edit *edit, struct str before, struct str after, const char *name)
{
	const struct str want = edit ? edit->with : find(before, name), got = find(after, name);

	CHECK_SHOW(
	    want.n == got.n && (want.p != NULL) == (got.p != NULL) && (!want.n || memcmp(want.p, got.p, want.n) == 0),
	    "%s: %.*s -> %.*s", name, STR_FMT(before), STR_FMT(after));
	CHECK_SHOW(!edit || count(after, name) == (edit->with.p != NULL), "%s: %.*s -> %.*s", name, STR_FMT(before),
	    STR_FMT(after));
}

static void check_round(struct member_edits *m, const size_t *number, struct str line)
{
	char room[4096];
	struct out o = {.p = room, .cap = sizeof room};
	struct event e;
	struct fault f;
	struct str after;
	size_t i;

	if (event_canonical(&e, line, 0) != EVENT_CANONICAL)
		CHECK(!event_parse(&e, line));
	if (random_below(2))
		event_walk(&e);
	member_edits_find(m, &e);
	CHECK(e.check != EVENT_BROKEN);
	for (i = 0; i < m->n; i++)
		m->list[i].with = random_below(3) ? STR("[88]") : (struct str){NULL, 0};
	member_edits_write(m, &o, &e);
	after = (struct str){room, o.n - 1};
	CHECK(room[o.n - 1] == '\n');
	memset(room + o.n, 0, SCAN_PAD);
	CHECK_SHOW(json_check(after, &f), "%.*s -> %.*s", STR_FMT(line), STR_FMT(after));
	for (i = 0; i < NAMES; i++)
		check_member(number[i] == SIZE_MAX ? NULL : &m->list[number[i]], line, after, names[i]);
	check_member(NULL, line, after, "other");
}

void unit_test(void)
{
	struct buf line = {0};
	size_t number[NAMES], i, n;

	for (n = 0; n < ROUNDS; n++) {
		struct member_edits m = {.n = 0};

		for (i = 0; i < NAMES; i++)
			number[i] = random_below(4) ? SIZE_MAX : member_edits_add(&m, str_of(names[i]));
		check_round(&m, number, random_record(&line));
		member_edits_free(&m);
	}
	buf_free(&line);
}
