/*
 * repair: reads a record by JSON's grammar, except that it accepts this damage, and reports each repair by its class:
 *
 * COMMA      one comma before a closing bracket is removed.
 * CONSTANT   nan, inf, infinity in any letter case with any sign, N/A, and the forms that Microsoft's printf
 *            writes for them become null.
 * LITERAL    Python's True, False, None become true, false, null.
 * NUMBER     a number in another notation (01, +5, .5, 5., 0x1F) becomes text: "01".
 * CONTROL    raw control characters in strings become escapes.
 * BACKSLASH  if any backslash in a string does not begin an escape, the program that wrote the string escapes
 *            nothing, so all its backslashes are literal (C:\new\dir has no newline). The exception is a backslash
 *            before a quote: the two must mean a quote, because otherwise the string would have ended there.
 * SURROGATE  an unpaired surrogate becomes U+FFFD.
 * UTF8       invalid UTF-8 becomes U+FFFD.
 * NUL        a NUL byte is removed between tokens, and becomes \u0000 in strings.
 * BOM        a byte order mark at the beginning is removed.
 * DUPLICATE  if several members of the outermost object have the same key, only the last one remains.
 * EMPTY      a member without a value becomes null; in the outermost object it is removed.
 * CUT        a list without strings that has an ellipsis as an element becomes text: "[0, 1, ...]".
 * QUOTE      quotes in strings were not escaped. If the text can be read with each string ending at its first
 *            quote, it is read in this way. Otherwise other ends of values are tried (keys always end at their first
 *            quote). The best reading has both the fewest strings with bare quotes and the fewest bare quotes in
 *            them. The record is ambiguous, and is not repaired, in three cases: (1) no reading has the minimum of
 *            both, as in {"name":"f({"a": "x", "b": "y"})"}; (2) two readings are equally good; (3) other damage in
 *            one place would explain the same text, because a string would contain text that looks like a member or
 *            an element with a missing or doubled comma, quote or bracket.
 */
#include "json/repair_private.h"

#include "base/map.h"
#include "json/check.h"
#include "json/scan.h"

#include <stdlib.h>

const char *repair_text(enum repair_class c)
{
#define REPAIR_TEXT(name, text) text,
	static const char *const texts[] = {REPAIR_CLASSES(REPAIR_TEXT)};

	return texts[c];
}

/* Removes members without a value. If several members have the same key, removes all of them except the last. */
static void drop_members(struct repair *r)
{
	struct map keys = {0};
	struct buf *b = r->to;
	size_t i, *last, end, n, to = 1, empty = 0;

	last = mem_zero(r->n_members + 1, sizeof *last);
	for (i = 0; i < r->n_members; i++) {
		if (r->members[i].empty)
			empty++;
		else
			last[map_put(&keys, (struct str){b->p + r->members[i].at + 1, r->members[i].key})] = i;
	}
	if (keys.n + empty < r->n_members)
		repair_note(r, REPAIR_DUPLICATE);
	if (keys.n < r->n_members) {
		for (i = 0; i < r->n_members; i++) {
			const struct repair_member *m = &r->members[i];

			end = (i + 1 < r->n_members ? m[1].at : b->n) - 1; /* the comma or brace after the member */
			if (m->empty || last[map_find(&keys, (struct str){b->p + m->at + 1, m->key})] != i)
				continue;
			if (to > 1)
				b->p[to++] = ',';
			n = end - m->at;
			memmove(b->p + to, b->p + m->at, n);
			to += n;
		}
		b->p[to++] = '}';
		b->n = to;
	}
	free(last);
	map_free(&keys);
}

/* Writes one reading of the text: its strings end at ends[], or at their first quotes if `ends` is NULL. */
static bool write_reading(struct repair *r, struct str text, const char *const *ends)
{
	struct repair_spot at = repair_start_of(text);
	enum repair_reading what;
	const char *q;

	r->to->n = 0;
	r->repairs = 0;
	r->n_members = 0;
	while ((what = repair_read_on(r, &at)) == REPAIR_AT_STRING) {
		q = ends ? *ends++ : repair_first_end(at.p + 1, r->end);
		if (!q)
			return false;
		repair_put_string(r, (struct str){at.p + 1, (size_t)(q - at.p - 1)});
		at.p = q + 1;
	}
	return what == REPAIR_AT_END;
}

static bool find_reading(struct repair *r, struct str text)
{
	const char *ends[REPAIR_MOST_STRINGS];

	return repair_find_ends(r, text, ends) && write_reading(r, text, ends);
}

bool repair_object(struct str text, struct buf *to, uint32_t *repairs)
{
	struct repair r = {.end = text.p + text.n, .to = to};
	struct fault ignored;
	bool bom, done;

	bom = str_starts(text, STR("\xef\xbb\xbf"));
	text = str_from(text, bom ? 3 : 0);
	done = write_reading(&r, text, NULL) || find_reading(&r, text);
	if (done) {
		drop_members(&r);
		if (bom)
			repair_note(&r, REPAIR_BOM);
	}
	free(r.members);
	*repairs = r.repairs;
	scan_pad(to);
	return done && json_check((struct str){to->p, to->n}, &ignored);
}
