#include "range_names.h"

#include "base/err.h"
#include "program/opt_value.h"
#include "program/opt_fields.h"
#include "json/string.h"

#include <stdlib.h>

struct range_names_capture {
	struct member_capture *capture;
	struct buf key; /* ,"iter": */
};

enum { FEWEST = 4096 }; /* unused names are removed only when there are more names than this */

struct range_names {
	struct buf one, many; /* keys of the members, with the text around them: ,"range": and ,"ranges":[ */
	struct range_names_capture *captures; /* for the options --capture */
	size_t n_captures, cap;
	struct map texts; /* the names, as JSON; with --take, each followed by NUL and the members that it gives */
	struct map kept;  /* during range_names_expire(): the names that are still used */
	/* For each name and capture, the member: ,"iter":2 (a comma alone: no match; empty: not computed yet). */
	struct buf *captured;
	size_t n_captured, cap_captured, limit;
	struct buf plain;
	struct carried_fields take; /* --take */
	struct buf members;         /* the members that the range being added gives */
	struct buf range;           /* its key in `texts` */
	uint32_t *lengths;          /* with --take: for each text, the length of the name */
	size_t cap_lengths;
};

struct range_names *range_names_new(void)
{
	return mem_zero(1, sizeof(struct range_names));
}

/* --- options --- */

static void add_key(struct buf *to, struct str name, const char *tail, const char *opening)
{
	to->n = 0;
	buf_lit(to, ",\"");
	buf_add(to, name.p, name.n);
	buf_add(to, tail, strlen(tail));
	buf_lit(to, "\":");
	buf_add(to, opening, strlen(opening));
}

/* Returns the name between the quotes of a key. */
static struct str key_name(const struct buf *key)
{
	const struct str name = str_from(buf_str(key), 2);

	return str_head(name, str_find(name, STR("\"")));
}

bool range_names_reserved(struct str name)
{
	/* The ranges of a device record are searched by its member api, so no pass may replace this member. */
	return event_member(name) != EVENT_N || str_eq(name, STR("api"));
}

static void check_name(const char *option, struct str name)
{
	if (opt_member(option, name) != EVENT_N)
		opt_reserved(option, name);
	if (range_names_reserved(name))
		die("%s: 'api' is the member with the call of a device record; choose another name", option);
}

void range_names_as(struct range_names *n, const char *option, const char *name)
{
	add_key(&n->one, str_of(name), "", "");
	add_key(&n->many, str_of(name), "s", "[");
	check_name(option, str_of(name));
	check_name(option, key_name(&n->many));
}

void range_names_capture(struct range_names *n, const char *option, const char *arg)
{
	struct member_capture *capture = opt_member_capture(option, arg);
	struct range_names_capture *c;

	check_name(option, member_capture_name(capture));
	n->captures = mem_grow(n->captures, &n->cap, n->n_captures + 1, sizeof *n->captures);
	c = &n->captures[n->n_captures++];
	*c = (struct range_names_capture){.capture = capture};
	add_key(&c->key, member_capture_name(capture), "", "");
}

/* Adds the name of a member; ends the program when it is there. The names 0 and 1 are those of --as or its default. */
static void add_member(struct map *members, const char *option, struct str name, bool also)
{
	const size_t known = map_find(members, name);

	if (known < 2 && also)
		die("--also: '%.*s' is already the name of a member; choose another name with --as", STR_FMT(name));
	if (known != MAP_NONE)
		die("%s: '%.*s' is already the name of a member; choose another name", also ? "--also" : option,
		    STR_FMT(name));
	map_put(members, name);
}

struct str range_names_check(struct range_names *n, struct map *members)
{
	const bool also = members->n > 0;
	size_t i;

	if (!n->one.n)
		range_names_as(n, "--as", "range");
	n->limit = FEWEST;
	add_member(members, "--as", key_name(&n->one), also);
	add_member(members, "--as", key_name(&n->many), also);
	for (i = 0; i < n->n_captures; i++)
		add_member(members, "--capture", key_name(&n->captures[i].key), also);
	for (i = 0; i < n->take.n; i++) {
		check_name("--take", str_of(n->take.list[i].name));
		add_member(members, "--take", str_of(n->take.list[i].name), false);
	}
	return key_name(&n->one);
}

/* --- names --- */

struct carried_fields *range_names_take(struct range_names *n)
{
	return &n->take;
}

void range_names_carry(struct range_names *n, struct event *e)
{
	n->members.n = 0;
	carried_fields_put(&n->take, &n->members, e);
}

uint32_t range_names_put(struct range_names *n, struct str json)
{
	size_t number;

	if (!json.p)
		json = STR("\"\"");
	if (!n->take.n)
		return (uint32_t)map_put(&n->texts, json);
	n->range.n = 0;
	buf_add(&n->range, json.p, json.n);
	buf_char(&n->range, '\0');
	buf_add(&n->range, n->members.p, n->members.n);
	number = map_put(&n->texts, buf_str(&n->range));
	n->lengths = mem_grow(n->lengths, &n->cap_lengths, number + 1, sizeof *n->lengths);
	n->lengths[number] = (uint32_t)json.n;
	return (uint32_t)number;
}

/* Returns the name with a number. */
static struct str name_of(const struct range_names *n, uint32_t number)
{
	struct str text = map_key(&n->texts, number);

	return n->take.n ? str_head(text, n->lengths[number]) : text;
}

bool range_names_is(const struct range_names *n, uint32_t number, struct str json)
{
	return str_eq(name_of(n, number), json.p ? json : STR("\"\""));
}

static uint32_t keep_name(void *arg, uint32_t name)
{
	struct range_names *n = arg;

	return (uint32_t)map_put(&n->kept, map_key(&n->texts, name));
}

static void forget_captured(struct range_names *n)
{
	while (n->n_captured)
		buf_free(&n->captured[--n->n_captured]);
}

void range_names_expire(struct range_names *n, struct interval_index *spans, int64_t before)
{
	struct str text;
	size_t i;

	if (n->texts.n < n->limit) {
		interval_index_expire(spans, before, NULL, NULL);
		return;
	}
	interval_index_expire(spans, before, keep_name, n);
	map_free(&n->texts);
	n->texts = n->kept;
	for (i = 0; n->take.n && i < n->texts.n; i++) { /* NUL is in no JSON text */
		text = map_key(&n->texts, i);
		n->lengths[i] = (uint32_t)((const char *)memchr(text.p, '\0', text.n) - text.p);
	}
	n->kept = (struct map){0};
	n->limit = n->texts.n + n->texts.n / 2 + FEWEST;
	forget_captured(n);
}

/* --- the members that a record gets --- */

/* Returns the member that a capture gets from a name, empty if the capture does not match. It is computed only once. */
static struct str captured(struct range_names *n, uint32_t name, size_t capture)
{
	size_t at = name * n->n_captures + capture;
	const struct range_names_capture *c = &n->captures[capture];
	struct str json = name_of(n, name);
	struct buf *to;

	n->captured = mem_grow(n->captured, &n->cap_captured, at + 1, sizeof *n->captured);
	while (n->n_captured <= at)
		n->captured[n->n_captured++] = (struct buf){0};
	to = &n->captured[at];
	if (!to->n) {
		n->plain.n = 0;
		if (json_is_string(json))
			json_unescape(&n->plain, json_inner(json));
		else
			buf_add(&n->plain, json.p, json.n);
		buf_char(&n->plain, '\0');
		buf_add(to, c->key.p, c->key.n);
		if (!member_capture_match(c->capture, str_head(buf_str(&n->plain), n->plain.n - 1), to))
			to->n = 1;
	}
	return str_head(buf_str(to), to->n > 1 ? to->n : 0);
}

/* Makes room for all names at once: this is faster, and most records have ranges. */
void range_names_add(struct range_names *n, struct buf *text, const struct interval_index_entry *ranges, size_t count)
{
	const struct str innermost = map_key(&n->texts, ranges[count - 1].name);
	struct str name = name_of(n, ranges[count - 1].name), found = {NULL, 0};
	size_t need = n->one.n + name.n + n->many.n + 1, i, c;
	char *p;

	for (i = 0; i < count; i++)
		need += map_key(&n->texts, ranges[i].name).n + 1; /* at least the length of the name */
	p = buf_room(text, need);
	p = str_copy(p, buf_str(&n->one));
	p = str_copy(p, name);
	p = str_copy(p, buf_str(&n->many));
	for (i = 0; i < count; i++) {
		name = name_of(n, ranges[i].name);
		p = str_copy(p, name);
		*p++ = ',';
	}
	p[-1] = ']';
	if (n->take.n)
		p = str_copy(p, str_from(innermost, name.n + 1));
	text->n = (size_t)(p - text->p);
	for (c = 0; c < n->n_captures; c++) {
		for (i = count, found.n = 0; i > 0 && !found.n; i--)
			found = captured(n, ranges[i - 1].name, c);
		buf_add(text, found.p, found.n);
	}
}

void range_names_free(struct range_names *n)
{
	forget_captured(n);
	while (n->n_captures) {
		struct range_names_capture *c = &n->captures[--n->n_captures];

		member_capture_free(c->capture);
		buf_free(&c->key);
	}
	free(n->captures);
	free(n->captured);
	free(n->lengths);
	map_free(&n->texts);
	carried_fields_free(&n->take);
	bufs_free(&n->one, &n->many, &n->plain, &n->members, &n->range);
	free(n);
}
