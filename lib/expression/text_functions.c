#include "expression/text_functions.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "device/kernel_names.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "record/name_match.h"
#include "expression/running_sums.h"

/* Maximum bytes of a text that expressions make. A build for fuzzing has a low limit, so that every run is fast. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { TEXT_MOST = 64 << 10 };
#else
enum { TEXT_MOST = 64 << 20 };
#endif
enum { DECIMALS_MOST = 15, GROUPS = 10 };

/* Returns the text that was made in a room, or FAILED when it is too long. */
static struct result text_in(const struct buf *room)
{
	if (room->n > TEXT_MOST)
		return result_failed(FAILURE_TEXT);
	return result_text((struct str){room->p ? room->p : "", room->n});
}

/*
 * Returns whether the regular expression matches `text`. If it does, sets at[0] to the position of the match, and at[1]
 * to at[n - 1] to the positions of its groups. They are offsets in `room`, which gets a copy of the text with a NUL at
 * its end.
 */
static bool match(const regex_t *regex, struct str text, struct buf *room, regmatch_t *at, size_t n)
{
	buf_set(room, text);
	buf_char(room, '\0');
	return name_match_search(regex, (struct str){room->p, text.n}, at, n);
}

struct result text_capture(struct operands *o)
{
	regmatch_t at[2];

	if (!match(o->regex, result_as_text(o->a, &o->room[1]), &o->room[0], at, 2) || at[1].rm_so < 0)
		return result_absent();
	return result_text((struct str){o->room[0].p + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so)});
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

struct result text_substitute(struct operands *o)
{
	const struct str text = result_as_text(o->a, &o->room[0]);
	regmatch_t at[GROUPS];

	if (!match(o->regex, text, &o->room[1], at, GROUPS))
		return result_text(text);
	buf_set(&o->room[0], str_head(buf_str(&o->room[1]), (size_t)at[0].rm_so));
	add_replacement(&o->room[0], result_as_text(o->b, &o->room[2]), o->room[1].p, at);
	buf_add(&o->room[0], o->room[1].p + at[0].rm_eo, o->room[1].n - 1 - (size_t)at[0].rm_eo);
	return text_in(&o->room[0]);
}

struct result text_fixed(struct operands *o)
{
	struct result x = result_as_number(o->a);
	struct str number;
	int64_t decimals;
	char *end;

	if (x.type == RESULT_FAILED)
		return x;
	if (!result_integer(o->b, &decimals) || decimals < 0 || decimals > DECIMALS_MOST)
		return result_failed(FAILURE_FIXED);
	x.json.p = NULL; /* the text in the record may have more digits than the number */
	number = result_as_text(&x, &o->room[1]);
	o->room[0].n = 0;
	end = num_put_scaled(buf_room(&o->room[0], NUM_ROOM), number, 0, (int)decimals);
	return end ? result_json((struct str){o->room[0].p, (size_t)(end - o->room[0].p)})
		   : result_failed(FAILURE_FIXED);
}

struct result text_item(struct operands *o)
{
	struct str value;
	struct iter w;
	int64_t i, n = 0;

	if (!iter_array(&w, o->a->json))
		return result_failed(FAILURE_ARRAY);
	if (!result_integer(o->b, &i))
		return result_failed(FAILURE_ORDINAL);
	if (i < 0) {
		while (iter_element(&w, &value))
			n++;
		i += n;
		iter_array(&w, o->a->json);
	}
	for (n = 0; i >= 0 && iter_element(&w, &value); n++) {
		if (n == i)
			return result_json(value);
	}
	return result_absent();
}

struct result text_join(struct operands *o)
{
	const struct str between = result_as_text(o->b, &o->room[2]);
	struct str value, text;
	struct iter w;
	bool first = true;

	if (!iter_array(&w, o->a->json))
		return result_failed(FAILURE_ARRAY);
	o->room[0].n = 0;
	for (; iter_element(&w, &value) && o->room[0].n <= TEXT_MOST; first = false) {
		const struct result element = result_json(value);

		text = element.type == RESULT_ABSENT ? value : result_as_text(&element, &o->room[1]);
		if (!first)
			buf_add(&o->room[0], between.p, between.n);
		buf_add(&o->room[0], text.p, text.n);
	}
	return text_in(&o->room[0]);
}

struct result text_concatenate(struct operands *o)
{
	const struct str head = result_characters(o->a, &o->room[1]), tail = result_characters(o->b, &o->room[2]);

	buf_set(&o->room[0], head);
	buf_add(&o->room[0], tail.p, tail.n);
	return text_in(&o->room[0]);
}

static size_t count_characters(struct str text)
{
	size_t n = 0, i;

	for (i = 0; i < text.n; i++)
		n += ((unsigned char)text.p[i] & 0xc0) != 0x80;
	return n;
}

struct result text_pad(struct operands *o)
{
	const struct str text = result_as_text(o->a, &o->room[1]);
	int64_t n;

	if (!result_integer(o->b, &n))
		return result_failed(FAILURE_ORDINAL);
	n -= n < 0 ? n : (int64_t)count_characters(text);
	if (n > TEXT_MOST - (int64_t)text.n)
		return result_failed(FAILURE_TEXT);
	o->room[0].n = 0;
	for (; n > 0; n--)
		buf_char(&o->room[0], ' ');
	buf_add(&o->room[0], text.p, text.n);
	return text_in(&o->room[0]);
}

struct result text_repeat(struct operands *o)
{
	const struct str text = result_as_text(o->a, &o->room[1]);
	int64_t n;

	if (!result_integer(o->b, &n))
		return result_failed(FAILURE_ORDINAL);
	if (n > 0 && text.n > (size_t)(TEXT_MOST / n))
		return result_failed(FAILURE_TEXT);
	o->room[0].n = 0;
	for (; n > 0 && text.n; n--)
		buf_add(&o->room[0], text.p, text.n);
	return text_in(&o->room[0]);
}

struct result text_length(struct operands *o)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;

	if (o->a->type == RESULT_TEXT)
		return result_int((int128)count_characters(result_characters(o->a, &o->room[0])));
	if (o->a->type != RESULT_OTHER || (o->a->json.p[0] != '[' && o->a->json.p[0] != '{'))
		return result_failed(FAILURE_LENGTH);
	for (iter_init(&w, o->a->json); iter_next(&w, &key, &value) > 0;)
		n++;
	return result_int((int128)n);
}

struct result text_of(struct operands *o)
{
	return o->a->type == RESULT_TEXT ? *o->a : result_text(result_as_text(o->a, &o->room[0]));
}

/* Appends an array, except white space between its elements, and elements that are empty arrays, at any level. */
static void add_compact(struct buf *b, struct str array)
{
	struct str value, inner;
	struct iter w, w2;
	bool first = true, nested;

	buf_char(b, '[');
	for (iter_array(&w, array); iter_element(&w, &value);) {
		nested = iter_array(&w2, value);
		if (nested && !iter_element(&w2, &inner))
			continue;
		if (!first)
			buf_char(b, ',');
		first = false;
		if (nested)
			add_compact(b, value);
		else
			buf_add(b, value.p, value.n);
	}
	buf_char(b, ']');
}

struct result text_compact(struct operands *o)
{
	struct iter w;

	if (!iter_array(&w, o->a->json))
		return *o->a;
	o->room[0].n = 0;
	add_compact(&o->room[0], o->a->json);
	scan_pad(&o->room[0]); /* iterators may read past the end of the text */
	return (struct result){.type = RESULT_OTHER, .json = buf_str(&o->room[0])};
}

struct result text_parse_json(struct operands *o)
{
	struct fault f;
	struct str text;
	bool escaped;

	if (o->a->type != RESULT_TEXT)
		return *o->a;
	text = result_as_text(o->a, &o->room[1]);
	buf_set(&o->room[0], text);
	scan_pad(&o->room[0]);
	text = str_trim(buf_str(&o->room[0]));
	if (!text.n || !json_check_keys(text, &escaped, &f))
		return result_absent();
	if (!escaped)
		return result_json(text);
	o->room[1].n = 0;
	json_plain_keys(&o->room[1], text);
	scan_pad(&o->room[1]);
	return result_json(buf_str(&o->room[1]));
}

struct result text_sum(struct operands *o)
{
	struct result total = result_absent();
	struct running_sum running = {0};
	struct str value;
	struct iter w;

	if (!iter_array(&w, o->a->json))
		return result_failed(FAILURE_ARRAY);
	while (iter_element(&w, &value) && total.type != RESULT_FAILED) {
		const struct result element = result_json(value);

		if (element.type != RESULT_ABSENT)
			total = running_sum_add(&running, &element);
	}
	if (total.type != RESULT_FAILED)
		total = running_sum_get(&running);
	running_sum_free(&running);
	return total;
}

static const struct kernel_rule *kernel_rule(struct operands *o)
{
	return o->a->json.p ? kernel_names_find(o->a->json) : kernel_names_find_text(result_as_text(o->a, &o->room[0]));
}

struct result text_kernel_class(struct operands *o)
{
	return result_text(str_of(kernel_class_names[kernel_rule(o)->class]));
}

struct result text_kernel_operation(struct operands *o)
{
	const struct str name = kernel_rule(o)->operation;

	return name.n ? result_text(name) : result_absent();
}

struct result text_kernel_matrix(struct operands *o)
{
	return result_text(str_of(kernel_rule(o)->matrix));
}

struct result text_kernel_rule(struct operands *o)
{
	const struct str line = kernel_rule(o)->line;

	return line.n ? result_text(line) : result_absent();
}
