#include "range_names.h"

#include "base/err.h"
#include "base/hash.h"
#include "program/opt_value.h"
#include "program/opt_fields.h"
#include "json/string.h"

#include <stdlib.h>

struct range_names_capture {
	struct member_capture *capture;
	struct buf key; /* ,"iter": */
};

enum { FEWEST = 4096 }; /* unused names are removed only when there are more names than this */

/*
 * With --take, each range has an entry, as its members mostly differ from those of the other ranges of its name: this
 * head and their text. The number of an entry is its offset in units of ALIGN. Ranges that give the same members often
 * follow each other, so an entry that is among the last RECENT ones by its hash is used again. The hash is stored with
 * the number, because older entries are no longer in the caches of the processor.
 */
struct range_entry {
	uint32_t name, n; /* name: its number in `names`; n: length of the text */
};

enum { ALIGN = 4, RECENT = 256 };

struct range_entries {
	struct buf bytes;
	struct recent_entry {
		uint32_t number, hash;
	} recent[RECENT];
};

struct range_names {
	struct buf one, many; /* keys of the members, with the text around them: ,"range": and ,"ranges":[ */
	struct range_names_capture *captures; /* for the options --capture */
	size_t n_captures, cap;
	struct map names; /* as JSON */
	struct map kept;  /* during range_names_expire(): the names that are still used */
	/* For each name and capture, the member: ,"iter":2 (a comma alone: no match; empty: not computed yet). */
	struct buf *captured;
	size_t n_captured, limit;
	struct buf plain;
	struct carried_fields take; /* --take */
	struct buf members;         /* the members that the range being added gives */
	struct range_entries entries;
	size_t gone;    /* number of ranges that were removed since the entries were copied */
	struct buf old; /* during range_names_expire(): the entries before it */
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

/* Returns the head of an entry, and sets *text to its text. */
static struct range_entry entry_at(const struct buf *entries, uint32_t number, struct str *text)
{
	const char *p = entries->p + (size_t)number * ALIGN;
	struct range_entry entry;

	memcpy(&entry, p, sizeof entry);
	*text = (struct str){p + sizeof entry, entry.n};
	return entry;
}

/* Returns the number of an entry with this name and text. */
static uint32_t put_entry(struct range_entries *entries, uint32_t name, struct str text)
{
	const uint32_t hash = (uint32_t)hash_str(text) ^ name;
	struct recent_entry *recent = &entries->recent[hash % RECENT];
	const struct range_entry entry = {name, (uint32_t)text.n};
	const size_t size = (sizeof entry + text.n + ALIGN - 1) / ALIGN * ALIGN, number = entries->bytes.n / ALIGN;
	struct str stored;
	char *p;

	if (recent->hash == hash && recent->number < number &&
	    entry_at(&entries->bytes, recent->number, &stored).name == name && str_eq(stored, text))
		return recent->number;
	if (number > UINT32_MAX || text.n > UINT32_MAX)
		die("--take: the ranges within --horizon give more than 16 GiB of members");
	p = buf_room(&entries->bytes, size);
	memcpy(p, &entry, sizeof entry);
	str_copy_short(p + sizeof entry, text);
	entries->bytes.n += size;
	*recent = (struct recent_entry){(uint32_t)number, hash};
	return recent->number;
}

uint32_t range_names_put(struct range_names *n, struct str json)
{
	const uint32_t name = (uint32_t)map_put(&n->names, json.p ? json : STR("\"\""));

	return n->take.n ? put_entry(&n->entries, name, buf_str(&n->members)) : name;
}

/* Returns the number of the name of a range. */
static uint32_t name_in(const struct range_names *n, uint32_t number)
{
	struct str members;

	return n->take.n ? entry_at(&n->entries.bytes, number, &members).name : number;
}

static struct str name_of(const struct range_names *n, uint32_t number)
{
	return map_key(&n->names, name_in(n, number));
}

bool range_names_is(const struct range_names *n, uint32_t number, struct str json)
{
	return str_eq(name_of(n, number), json.p ? json : STR("\"\""));
}

static bool many_names(const struct range_names *n)
{
	return n->names.n >= n->limit;
}

static uint32_t keep_name(struct range_names *n, uint32_t name)
{
	return many_names(n) ? (uint32_t)map_put(&n->kept, map_key(&n->names, name)) : name;
}

static uint32_t keep_range(void *arg, uint32_t number)
{
	struct range_names *n = arg;
	struct range_entry entry;
	struct str members;

	if (!n->take.n)
		return keep_name(n, number);
	entry = entry_at(&n->old, number, &members);
	return put_entry(&n->entries, keep_name(n, entry.name), members);
}

static void forget_captured(struct range_names *n)
{
	size_t i;

	for (i = 0; i < n->n_captured; i++)
		buf_free(&n->captured[i]);
}

/* With --take, entries are copied when more ranges have gone than remain: otherwise this would free little memory. */
void range_names_expire(struct range_names *n, struct interval_index *spans, int64_t before)
{
	const size_t stored = spans->n;

	interval_index_expire(spans, before, NULL, NULL);
	n->gone += stored - spans->n;
	if (n->take.n ? n->gone <= spans->n : !many_names(n))
		return;
	n->gone = 0;
	n->old = n->entries.bytes;
	n->entries = (struct range_entries){.bytes = {0}};
	interval_index_expire(spans, before, keep_range, n);
	buf_free(&n->old);
	if (!many_names(n))
		return;
	map_free(&n->names);
	n->names = n->kept;
	n->kept = (struct map){0};
	n->limit = n->names.n + n->names.n / 2 + FEWEST;
	forget_captured(n);
}

/* --- the members that a record gets --- */

/*
 * Returns the member that a capture gets from the name with this number in `names`, empty if the capture does not
 * match. It is computed only once.
 */
static struct str captured(struct range_names *n, uint32_t name, size_t capture)
{
	size_t at = name * n->n_captures + capture;
	const struct range_names_capture *c = &n->captures[capture];
	struct str json = map_key(&n->names, name);
	struct buf *to;

	n->captured = mem_grow_zero(n->captured, &n->n_captured, at + 1, sizeof *n->captured);
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
	struct str name = name_of(n, ranges[count - 1].name), members = {NULL, 0}, found = {NULL, 0};
	size_t need, i, c;
	char *p;

	if (n->take.n)
		entry_at(&n->entries.bytes, ranges[count - 1].name, &members);
	need = n->one.n + name.n + n->many.n + members.n + 1;
	for (i = 0; i < count; i++)
		need += name_of(n, ranges[i].name).n + 1;
	p = buf_room(text, need);
	p = str_copy(p, buf_str(&n->one));
	p = str_copy(p, name);
	p = str_copy(p, buf_str(&n->many));
	for (i = 0; i < count; i++) {
		p = str_copy(p, name_of(n, ranges[i].name));
		*p++ = ',';
	}
	p[-1] = ']';
	text->n = (size_t)(str_copy(p, members) - text->p);
	for (c = 0; c < n->n_captures; c++) {
		for (i = count, found.n = 0; i > 0 && !found.n; i--)
			found = captured(n, name_in(n, ranges[i - 1].name), c);
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
	mem_free(n->captures, n->captured);
	map_free(&n->names);
	carried_fields_free(&n->take);
	bufs_free(&n->one, &n->many, &n->plain, &n->members, &n->entries.bytes);
	free(n);
}
