/* event_write: makes records and writes them in canonical form. */
#include "record/event_private.h"

#include "base/num_format.h"

#define KIND_TEXT(id, text) {"\"" text "\"", sizeof(text) + 1},
static const struct str kinds[KIND_N] = {EVENT_KINDS(KIND_TEXT)};

void event_clear(struct event *e)
{
	e->has = 0;
	e->walked = true;
	e->has_kind = e->plain = false;
	e->n_listed = 0;
	e->more = (struct str){NULL, 0};
}

void event_set_kind(struct event *e, enum event_kind k)
{
	event_set(e, EVENT_KIND, kinds[k]);
	e->kind = k;
	e->has_kind = true;
}

static inline char *json_write_key(char *p, enum event_member m)
{
	memcpy(p, event_keys[m].text, 16);
	return p + event_keys[m].n;
}

/* Most texts are short: for these, two overlapping copies of a fixed size are faster than a call to memcpy(). */
static inline char *json_write_text(char *p, struct str s)
{
	if (s.n > 32) {
		memcpy(p, s.p, s.n);
	} else if (s.n >= 16) {
		memcpy(p, s.p, 16);
		memcpy(p + s.n - 16, s.p + s.n - 16, 16);
	} else if (s.n >= 8) {
		memcpy(p, s.p, 8);
		memcpy(p + s.n - 8, s.p + s.n - 8, 8);
	} else if (s.n >= 4) {
		memcpy(p, s.p, 4);
		memcpy(p + s.n - 4, s.p + s.n - 4, 4);
	} else if (s.n) {
		p[0] = s.p[0];
		p[s.n / 2] = s.p[s.n / 2];
		p[s.n - 1] = s.p[s.n - 1];
	}
	return p + s.n;
}

/* Writes a record in pieces, because it is too large for the buffer. */
static void write_large(struct out *o, const struct event *e)
{
	enum event_member m;
	char comma = '{';

	for (m = 0; m < EVENT_N; m++) {
		if (m == EVENT_ARGS && e->more.n) {
			out_char(o, comma);
			out_str(o, str_from(e->more, 1));
			comma = ',';
		}
		if (!event_has(e, m))
			continue;
		out_char(o, comma);
		out_add(o, event_keys[m].text + 1, event_keys[m].n - 1);
		if (m == EVENT_TS || m == EVENT_DUR)
			out_i64(o, m == EVENT_TS ? e->ts : e->dur);
		else
			out_str(o, e->m[m]);
		comma = ',';
	}
	out_lit(o, "}\n");
}

void event_write(struct out *o, const struct event *e)
{
	size_t need = e->more.n + 128;
	uint32_t left;
	char *p, *start;

	for (left = e->has & ~3u; left; left &= left - 1)
		need += e->m[__builtin_ctz(left)].n + 48;
	if (need > OUT_SIZE / 2) {
		write_large(o, e);
		return;
	}
	start = p = out_room(o, need);
	if (event_has(e, EVENT_TS))
		p = num_put_i64(json_write_key(p, EVENT_TS), e->ts);
	if (event_has(e, EVENT_DUR))
		p = num_put_i64(json_write_key(p, EVENT_DUR), e->dur);
	for (left = e->has & ~3u & ((1u << EVENT_ARGS) - 1); left; left &= left - 1) {
		enum event_member m = (enum event_member)__builtin_ctz(left);

		p = json_write_text(json_write_key(p, m), e->m[m]);
	}
	p = json_write_text(p, e->more);
	if (event_has(e, EVENT_ARGS))
		p = json_write_text(json_write_key(p, EVENT_ARGS), e->m[EVENT_ARGS]);
	if (event_has(e, EVENT_SRC))
		p = json_write_text(json_write_key(p, EVENT_SRC), e->m[EVENT_SRC]);
	if (p == start)
		*p++ = ',';
	*start = '{'; /* overwrites the first comma */
	*p++ = '}';
	*p++ = '\n';
	out_used(o, p);
}

void event_copy(struct out *o, const struct event *e)
{
	out_line(o, e->raw);
}
