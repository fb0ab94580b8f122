#include "expression/result.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/string.h"

#include <math.h>

#define RESULT_FAILURE_TEXT(id, text) text,
static const char *const failures[FAILURE_N] = {RESULT_FAILURES(RESULT_FAILURE_TEXT)};

const char *result_failure_text(enum result_failure f)
{
	return failures[f];
}

struct result result_real(double d)
{
	return isfinite(d) ? (struct result){.type = RESULT_REAL, .d = d} : result_failed(FAILURE_RANGE);
}

struct result result_of(const struct value *v)
{
	int128 wide;
	int64_t whole;

	switch (v->type) {
	case VALUE_INT:
		return (struct result){.type = RESULT_INT, .i = v->i, .json = v->text};
	case VALUE_REAL:
		if (num_int128(v->text, &wide))
			return (struct result){.type = RESULT_INT, .i = wide, .json = v->text};
		if (num_whole(v->text, &whole) == NUM_OK)
			return (struct result){.type = RESULT_INT, .i = whole, .json = v->text};
		return (struct result){.type = RESULT_REAL, .d = v->d, .json = v->text};
	case VALUE_STRING:
		return (struct result){.type = RESULT_TEXT, .json = v->text};
	case VALUE_NONE:
		return result_absent();
	default:
		return (struct result){.type = v->text.p[0] == 'n' ? RESULT_ABSENT : RESULT_OTHER, .json = v->text};
	}
}

struct result result_json(struct str json)
{
	struct value v;

	value_of(&v, json);
	return result_of(&v);
}

struct result result_as_number(const struct result *r)
{
	if (result_is_number(r) || r->type == RESULT_FAILED)
		return *r;
	if (r->type == RESULT_OTHER && (r->json.p[0] == 't' || r->json.p[0] == 'f'))
		return result_int(r->json.p[0] == 't');
	return result_failed(r->type == RESULT_OTHER && (r->json.p[0] == '-' || is_digit(r->json.p[0]))
				 ? FAILURE_RANGE
				 : FAILURE_NUMBER);
}

bool result_integer(const struct result *r, int64_t *i)
{
	if (r->type == RESULT_INT) {
		*i = (int64_t)r->i;
		return *i == r->i;
	}
	if (r->type != RESULT_REAL || r->d < -0x1p63 || r->d >= 0x1p63)
		return false;
	*i = (int64_t)r->d;
	return !((double)*i < r->d || (double)*i > r->d);
}

struct result result_of_member(enum event_member m, const struct result *r)
{
	enum {
		TEXTS = 1u << EVENT_KIND | 1u << EVENT_NAME | 1u << EVENT_CAT | 1u << EVENT_CLOCK | 1u << EVENT_COPY,
		IDS = 1u << EVENT_PID | 1u << EVENT_TID | 1u << EVENT_ID | 1u << EVENT_PARENT,
		OBJECTS = 1u << EVENT_ARGS | 1u << EVENT_SRC,
	};
	const bool text = r->type == RESULT_TEXT, object = r->type == RESULT_OTHER && r->json.p[0] == '{';
	int64_t i;

	if (m == EVENT_N || r->type == RESULT_ABSENT || r->type == RESULT_FAILED)
		return *r;
	if (TEXTS >> m & 1)
		return text ? *r : result_failed(FAILURE_MEMBER_TEXT);
	if (OBJECTS >> m & 1)
		return object ? *r : result_failed(FAILURE_MEMBER_OBJECT);
	if ((IDS >> m & 1) && text)
		return *r;
	if (result_integer(r, &i))
		return result_int(i);
	return result_failed(IDS >> m & 1 ? FAILURE_MEMBER_ID : FAILURE_MEMBER_INT);
}

struct str result_characters(const struct result *r, struct buf *room)
{
	return r->json.p ? json_decoded(room, json_inner(r->json)) : r->text;
}

struct str result_as_text(const struct result *r, struct buf *room)
{
	if (r->type == RESULT_TEXT)
		return result_characters(r, room);
	if (r->json.p)
		return r->json;
	room->n = 0;
	result_write(room, r);
	return (struct str){room->p, room->n};
}

void result_write(struct buf *b, const struct result *r)
{
	if (r->json.p) {
		buf_add(b, r->json.p, r->json.n);
	} else if (r->type == RESULT_TEXT) {
		json_quote(b, r->text);
	} else {
		char *p = buf_room(b, NUM_ROOM);

		b->n += (size_t)((r->type == RESULT_INT ? num_put_i128(p, r->i) : num_put_double(p, r->d)) - p);
	}
}
