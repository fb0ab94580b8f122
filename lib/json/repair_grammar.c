/* repair_grammar: reads everything from one string value to the next: brackets, keys, commas and other values. */
#include "json/repair_private.h"

#include "base/char_class.h"

static inline void skip_blank(struct repair *r, struct repair_spot *at)
{
	for (; at->p < r->end; at->p++) {
		if (!*at->p)
			repair_note(r, REPAIR_NUL);
		else if (!is_json_space(*at->p))
			break;
	}
}

static inline bool at_close(const struct repair *r, const struct repair_spot *at)
{
	return at->depth && at->p < r->end && *at->p == (repair_in_object(at) ? '}' : ']');
}

static bool open_bracket(struct repair *r, struct repair_spot *at)
{
	uint64_t bit = (uint64_t)1 << at->depth % 64, *word = &at->objects[at->depth / 64];

	if (at->depth == JSON_DEPTH)
		return false;
	*word = *at->p == '{' ? *word | bit : *word & ~bit;
	at->depth++;
	repair_put(r, at->p++, 1);
	skip_blank(r, at);
	at->after = at_close(r, at);
	return true;
}

/* Reads a key and its colon. */
static bool read_key(struct repair *r, struct repair_spot *at)
{
	const char *key = at->p + 1, *q;
	size_t from = r->to ? r->to->n : 0;

	if (at->p == r->end || *at->p != '"')
		return false;
	q = repair_first_end(key, r->end);
	if (!q)
		return false;
	repair_put_string(r, (struct str){key, (size_t)(q - key)});
	if (r->to && at->depth == 1) {
		r->members = mem_grow(r->members, &r->cap_members, r->n_members + 1, sizeof *r->members);
		r->members[r->n_members++] = (struct repair_member){from, r->to->n - from - 2, false};
	}
	at->p = q + 1;
	skip_blank(r, at);
	if (at->p == r->end || *at->p != ':')
		return false;
	repair_put(r, at->p++, 1);
	skip_blank(r, at);
	return true;
}

/*
 * Returns the length of the list at at->p if it was shortened with an ellipsis: [0, 1, ...]. Returns 0 for other lists,
 * and for lists that contain strings or brackets.
 */
static size_t cut_list(const struct repair *r, const struct repair_spot *at)
{
	const char *p = at->p + 1, *from = p;
	bool cut = false;

	for (; p < r->end; p++) {
		switch (*p) {
		case ',':
		case ']':
			cut |= str_eq(str_trim((struct str){from, (size_t)(p - from)}), STR("..."));
			from = p + 1;
			if (*p == ']')
				return cut ? (size_t)(p + 1 - at->p) : 0;
			break;
		case '"':
		case '[':
		case '{':
		case '}':
			return 0;
		default:
			break;
		}
	}
	return 0;
}

/* Handles a member without a value, whose key was already read. */
static void take_empty(struct repair *r, struct repair_spot *at)
{
	repair_note(r, REPAIR_EMPTY);
	repair_put(r, "null", 4);
	if (r->to && at->depth == 1)
		r->members[r->n_members - 1].empty = true;
	at->after = true;
}

enum repair_reading repair_read_on(struct repair *r, struct repair_spot *at)
{
	size_t cut;

	for (;;) {
		skip_blank(r, at);
		if (at->after && !at->depth)
			return at->p == r->end ? REPAIR_AT_END : REPAIR_BROKEN;
		if (at->p == r->end)
			return REPAIR_BROKEN;
		if (at->after && at_close(r, at)) {
			repair_put(r, at->p++, 1);
			at->depth--;
			continue;
		}
		if (at->after) {
			if (*at->p++ != ',')
				return REPAIR_BROKEN;
			skip_blank(r, at);
			if (at_close(r, at)) {
				repair_note(r, REPAIR_COMMA);
				continue;
			}
			repair_put(r, ",", 1);
			at->after = false;
		}
		if (repair_in_object(at) && !read_key(r, at))
			return REPAIR_BROKEN;
		if (at->p == r->end || (!at->depth && *at->p != '{'))
			return REPAIR_BROKEN;
		if (repair_in_object(at) && (*at->p == ',' || *at->p == '}')) {
			take_empty(r, at);
			continue;
		}
		cut = *at->p == '[' ? cut_list(r, at) : 0;
		if (cut) {
			repair_note(r, REPAIR_CUT);
			repair_put_string(r, (struct str){at->p, cut});
			at->p += cut;
			at->after = true;
			continue;
		}
		if (*at->p == '{' || *at->p == '[') {
			if (!open_bracket(r, at))
				return REPAIR_BROKEN;
			continue;
		}
		at->after = true;
		if (*at->p == '"')
			return REPAIR_AT_STRING;
		if (!repair_scalar(r, at))
			return REPAIR_BROKEN;
	}
}
