#include "expression/text_functions.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "record/name_match.h"
#include "expression/running_sums.h"

enum { DECIMALS_MOST = 15, GROUPS = 10 };

static struct result text_in(const struct buf *room)
{
	return result_text((struct str){room->p ? room->p : "", room->n});
}

/*
 * Returns whether the regular expression matches `text`. If it does, sets at[0] to the position of the match, and at[1]
 * to at[n - 1] to the positions of its groups. They are offsets in `room`, which gets a copy of the text with a NUL at
 * its end.
 */
static bool match(const regex_t *regex, struct str text, struct buf *room, regmatch_t *at, size_t n)
{
	room->n = 0;
	buf_add(room, text.p, text.n);
	buf_char(room, '\0');
	return name_match_search(regex, (struct str){room->p, text.n}, at, n);
}

struct result text_capture(const regex_t *regex, const struct result *a, struct buf *room)
{
	regmatch_t at[2];

	if (!match(regex, result_as_text(a, &room[1]), &room[0], at, 2) || at[1].rm_so < 0)
		return (struct result){.type = RESULT_ABSENT};
	return result_text((struct str){room[0].p + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so)});
}

/*
 * Appends the replacement `with`. In place of \0 to \9, appends the parts of `text` whose positions are in `at`. Stops
 * when the result is too long.
 */
static void add_replacement(struct buf *b, struct str with, const char *text, const regmatch_t *at)
{
	size_t i;

	for (i = 0; i < with.n && b->n <= TEXT_MOST; i++) {
		const bool escape = with.p[i] == '\\' && i + 1 < with.n;

		if (escape && is_digit(with.p[i + 1])) {
			const regmatch_t *group = &at[with.p[++i] - '0'];

			if (group->rm_so >= 0)
				buf_add(b, text + group->rm_so, (size_t)(group->rm_eo - group->rm_so));
		} else {
			i += escape && with.p[i + 1] == '\\';
			buf_char(b, with.p[i]);
		}
	}
}

struct result text_substitute(const regex_t *regex, const struct result *a, const struct result *with, struct buf *room)
{
	const struct str text = result_as_text(a, &room[0]);
	regmatch_t at[GROUPS];

	if (!match(regex, text, &room[1], at, GROUPS))
		return result_text(text);
	room[0].n = 0;
	buf_add(&room[0], room[1].p, (size_t)at[0].rm_so);
	add_replacement(&room[0], result_as_text(with, &room[2]), room[1].p, at);
	buf_add(&room[0], room[1].p + at[0].rm_eo, room[1].n - 1 - (size_t)at[0].rm_eo);
	return room[0].n > TEXT_MOST ? result_failed(FAILURE_TEXT) : text_in(&room[0]);
}

struct result text_fixed(const struct result *a, const struct result *n, struct buf *room)
{
	struct result x = result_as_number(a);
	struct str number;
	int64_t decimals;
	char *end;

	if (x.type == RESULT_FAILED)
		return x;
	if (!result_integer(n, &decimals) || decimals < 0 || decimals > DECIMALS_MOST)
		return result_failed(FAILURE_FIXED);
	x.json.p = NULL; /* the text in the record may have more digits than the number */
	number = result_as_text(&x, &room[1]);
	room[0].n = 0;
	end = num_put_scaled(buf_room(&room[0], NUM_ROOM), number, 0, (int)decimals);
	return end ? result_json((struct str){room[0].p, (size_t)(end - room[0].p)}) : result_failed(FAILURE_FIXED);
}

/* Starts to iterate over an array; returns false when the value is not an array. */
static bool begin_array(struct iter *w, const struct result *a)
{
	if (a->type != RESULT_OTHER || a->json.p[0] != '[')
		return false;
	iter_init(w, a->json);
	return true;
}

struct result text_item(const struct result *a, const struct result *index)
{
	struct str key, value;
	struct iter w;
	int64_t i, n = 0;

	if (!begin_array(&w, a))
		return result_failed(FAILURE_ARRAY);
	if (!result_integer(index, &i))
		return result_failed(FAILURE_ORDINAL);
	if (i < 0) {
		while (iter_next(&w, &key, &value) > 0)
			n++;
		i += n;
		iter_init(&w, a->json);
	}
	for (n = 0; i >= 0 && iter_next(&w, &key, &value) > 0; n++) {
		if (n == i)
			return result_json(value);
	}
	return (struct result){.type = RESULT_ABSENT};
}

struct result text_join(const struct result *a, const struct result *separator, struct buf *room)
{
	struct buf decoded = {0};
	const struct str between = result_as_text(separator, &decoded);
	struct str key, value, text;
	struct iter w;
	bool first = true;

	if (!begin_array(&w, a)) {
		buf_free(&decoded);
		return result_failed(FAILURE_ARRAY);
	}
	room[0].n = 0;
	for (; iter_next(&w, &key, &value) > 0 && room[0].n <= TEXT_MOST; first = false) {
		const struct result element = result_json(value);

		text = element.type == RESULT_ABSENT ? value : result_as_text(&element, &room[1]);
		if (!first)
			buf_add(&room[0], between.p, between.n);
		buf_add(&room[0], text.p, text.n);
	}
	buf_free(&decoded);
	return room[0].n > TEXT_MOST ? result_failed(FAILURE_TEXT) : text_in(&room[0]);
}

struct result text_pad(const struct result *a, const struct result *width, struct buf *room)
{
	const struct str text = result_as_text(a, &room[1]);
	int64_t n;

	if (!result_integer(width, &n))
		return result_failed(FAILURE_ORDINAL);
	n -= n < 0 ? n : (int64_t)result_count_characters(text);
	if (n > TEXT_MOST - (int64_t)text.n)
		return result_failed(FAILURE_TEXT);
	room[0].n = 0;
	for (; n > 0; n--)
		buf_char(&room[0], ' ');
	buf_add(&room[0], text.p, text.n);
	return text_in(&room[0]);
}

struct result text_repeat(const struct result *a, const struct result *times, struct buf *room)
{
	const struct str text = result_as_text(a, &room[1]);
	int64_t n;

	if (!result_integer(times, &n))
		return result_failed(FAILURE_ORDINAL);
	if (n > 0 && text.n > (size_t)(TEXT_MOST / n))
		return result_failed(FAILURE_TEXT);
	room[0].n = 0;
	for (; n > 0 && text.n; n--)
		buf_add(&room[0], text.p, text.n);
	return text_in(&room[0]);
}

/* Appends an array, except white space between its elements, and elements that are empty arrays, at any level. */
static void add_compact(struct buf *b, struct str array)
{
	struct str key, value, inner_key, inner;
	struct iter w, w2;
	bool first = true;

	buf_char(b, '[');
	for (iter_init(&w, array); iter_next(&w, &key, &value) > 0;) {
		if (value.p[0] == '[') {
			iter_init(&w2, value);
			if (iter_next(&w2, &inner_key, &inner) <= 0)
				continue;
		}
		if (!first)
			buf_char(b, ',');
		first = false;
		if (value.p[0] == '[')
			add_compact(b, value);
		else
			buf_add(b, value.p, value.n);
	}
	buf_char(b, ']');
}

struct result text_compact(const struct result *a, struct buf *room)
{
	if (a->type != RESULT_OTHER || a->json.p[0] != '[')
		return *a;
	room[0].n = 0;
	add_compact(&room[0], a->json);
	scan_pad(&room[0]); /* iterators may read past the end of the text */
	return (struct result){.type = RESULT_OTHER, .json = {room[0].p, room[0].n}};
}

struct result text_parse_json(const struct result *a, struct buf *room)
{
	struct fault f;
	struct str text;
	bool escaped;

	if (a->type != RESULT_TEXT)
		return *a;
	text = result_as_text(a, &room[1]);
	room[0].n = 0;
	buf_add(&room[0], text.p, text.n);
	scan_pad(&room[0]);
	text = str_trim((struct str){room[0].p, room[0].n});
	if (!text.n || !json_check_keys(text, &escaped, &f))
		return (struct result){.type = RESULT_ABSENT};
	if (!escaped)
		return result_json(text);
	room[1].n = 0;
	json_plain_keys(&room[1], text);
	scan_pad(&room[1]);
	return result_json((struct str){room[1].p, room[1].n});
}

struct result text_sum(const struct result *a)
{
	struct result total = {.type = RESULT_ABSENT};
	struct running_sum running = {0};
	struct str key, value;
	struct iter w;

	if (!begin_array(&w, a))
		return result_failed(FAILURE_ARRAY);
	while (iter_next(&w, &key, &value) > 0 && total.type != RESULT_FAILED) {
		const struct result element = result_json(value);

		if (element.type != RESULT_ABSENT)
			total = running_sum_add(&running, &element);
	}
	if (total.type != RESULT_FAILED)
		total = running_sum_get(&running);
	running_sum_free(&running);
	return total;
}
