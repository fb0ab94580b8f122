#include "name_begins.h"

#include "base/mem.h"
#include "json/scan.h"
#include "json/string.h"
#include "program/opt.h"

#include <stdlib.h>
#include <string.h>

/* Returns the first 8 bytes of a text; those after its end are 0. */
static uint64_t head_of(struct str text)
{
	return text.n ? word_table_head(text.p, text.n) : 0;
}

void name_begins_add(struct name_begins *b, const char *option, const char *given)
{
	const uint64_t ones = UINT64_MAX;
	const struct str all = {(const char *)&ones, sizeof ones};
	struct str text = str_of(given), word;
	enum event_kind kind;
	bool out;

	str_split(&text, '=', &word);
	if (!text.n)
		opt_invalid(option, str_of(given), "KIND=TEXT or KIND!=TEXT");
	out = str_ends(word, STR("!"));
	word.n -= out;
	kind = event_kind(word);
	if (kind == KIND_N)
		opt_unknown(option, word, event_kind_names);
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n++] = (struct name_begin){kind, text, out, head_of(text), head_of(str_head(all, text.n))};
	b->kinds |= 1u << kind;
}

void name_begins_free(struct name_begins *b)
{
	free(b->list);
}

enum answer { NO, YES, UNKNOWN };

/* Returns whether a name is selected. With `escapes`, it is JSON: a quote ends it, a backslash is any character. */
static enum answer select_name(const struct name_begins *b, enum event_kind kind, struct str name, bool escapes)
{
	const bool plain = !escapes || !memchr(name.p, '\\', name.n < sizeof(uint64_t) ? name.n : sizeof(uint64_t));
	const uint64_t head = head_of(name);
	const struct name_begin *begin;
	bool required = false, found = false;
	size_t at;

	for (begin = b->list; begin < b->list + b->n; begin++) {
		if (begin->kind != kind)
			continue;
		required |= !begin->out;
		if (plain && (head & begin->mask) != begin->head)
			continue;
		for (at = 0; at < begin->text.n && at < name.n && begin->text.p[at] == name.p[at]; at++) {
			if (escapes && name.p[at] == '"')
				break;
		}
		if (at < begin->text.n && at < name.n && name.p[at] == '\\' && escapes)
			return UNKNOWN;
		if (begin->out && at == begin->text.n)
			return NO;
		found |= at == begin->text.n;
	}
	return found || !required ? YES : NO;
}

bool name_begins_has(const struct name_begins *b, enum event_kind kind, struct str name)
{
	struct buf room = {0};
	bool found;

	name = json_is_string(name) ? json_inner(name) : name;
	if (name.p && memchr(name.p, '\\', name.n)) { /* it has escapes */
		json_unescape(&room, name);
		name = buf_str(&room);
	}
	found = select_name(b, kind, name, false) == YES;
	buf_free(&room);
	return found;
}

bool name_begins_may_have(const struct name_begins *b, enum event_kind kind, struct str text)
{
	return select_name(b, kind, str_from(text, 1), true) != NO;
}
