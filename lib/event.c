#include "event.h"

#include "num.h"
#include "opt.h"
#include "walk_quick.h"

/* A member's key as it is written, after a comma; padded so that it is copied at one go. */
struct key {
	char text[16];
	unsigned n;
};

#define KEY(id, name) {",\"" #name "\":", sizeof(",\"" #name "\":") - 1},
static const struct key keys[EVENT_N] = {EVENT_MEMBERS(KEY)};

#define NAME(id, name) #name,
static const char *const names[EVENT_N] = {EVENT_MEMBERS(NAME)};

#define KIND_TEXT(id, text) {"\"" text "\"", sizeof(text) + 1},
static const struct str kinds[KIND_N] = {EVENT_KINDS(KIND_TEXT)};

#define KIND_NAME(id, text) text,
static const char *const kind_names[KIND_N] = {EVENT_KINDS(KIND_NAME)};

const char *event_member_name(size_t i)
{
	return i < EVENT_N ? names[i] : NULL;
}

const char *event_kind_name(size_t i)
{
	return i < KIND_N ? kind_names[i] : NULL;
}

enum event_kind event_kind(struct str name)
{
	enum event_kind k;

	for (k = 0; k < KIND_N; k++) {
		if (name.n == kinds[k].n - 2 && str_same(name.p, kind_names[k], name.n))
			break;
	}
	return k;
}

uint32_t event_kind_set(const char *option, const char *arg)
{
	struct str rest = str_of(arg), one;
	uint32_t set = 0;
	enum event_kind k;

	while (str_split(&rest, ',', &one)) {
		k = event_kind(one);
		if (k == KIND_N)
			opt_unknown(option, "kind", one, event_kind_name);
		set |= 1u << k;
	}
	return set;
}

/* --- reading --- */

/* The end of the digits at p: at most 32 are looked at, and 32 bytes are readable. */
static const char *digits_end(const char *p)
{
#ifdef __SSE2__
	const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
	unsigned mask;
	int half;

	for (half = 0; half < 32; half += 16) {
		__m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + half)), zero);

		mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, nine), v)) ^ 0xffffu;
		if (mask)
			return p + half + __builtin_ctz(mask);
	}
	return p + 32;
#else
	int i;

	for (i = 0; i < 32 && (unsigned char)(p[i] - '0') < 10; i++)
		;
	return p + i;
#endif
}

/* A whole number of at most 19 digits within int64 at p: its end, or NULL when it is something else. */
static inline const char *quick_int(const char *p, int64_t *v)
{
	bool minus = *p == '-';
	const char *first = p + minus, *end = digits_end(first), *at = first;
	uint64_t n = 0, eight;

	/* A zero comes first only when it is alone; longer numbers take the slow way. */
	if (end == first || end - first > 19 || (*first == '0' && end - first > 1))
		return NULL;
	for (; end - at >= 8 && num_eight(at, &eight); at += 8)
		n = n * 100000000 + eight;
	for (; at < end; at++)
		n = n * 10 + (uint64_t)(*at - '0');
	if (n > INT64_MAX)
		return NULL;
	*v = minus ? -(int64_t)n : (int64_t)n;
	return end;
}

/* "KEY": at p, which has 16 readable bytes. */
static inline bool at_key(const char *p, const char *key, size_t n)
{
	return memcmp(p, key, n) == 0;
}
#define AT(p, key) at_key(p, key, sizeof(key) - 1)

/*
 * The canonical prefix {"ts":N,"dur":N,"kind":"...","name":"..." as far as it goes, each member or none.
 * False when what is there is not in the form that our own programs write; the walker takes it then.
 */
static bool read_prefix(struct event *e, struct str line)
{
	const char *p = line.p + 1, *end = line.p + line.n, *q;

	if (AT(p, "\"ts\":")) {
		q = quick_int(p + 5, &e->ts);
		if (!q || (*q != ',' && *q != '}'))
			return false;
		event_set(e, EVENT_TS, (struct str){p + 5, (size_t)(q - p - 5)});
		p = q + (*q == ',');
	}
	if (AT(p, "\"dur\":")) {
		q = quick_int(p + 6, &e->dur);
		if (!q || (*q != ',' && *q != '}'))
			return false;
		event_set(e, EVENT_DUR, (struct str){p + 6, (size_t)(q - p - 6)});
		p = q + (*q == ',');
	}
	if (AT(p, "\"kind\":\"")) {
		q = walk_string_end(p + 8, end);
		if (!q || q[1] != ',')
			return false;
		event_set(e, EVENT_KIND, (struct str){p + 7, (size_t)(q + 1 - p - 7)});
		p = q + 2;
		if (AT(p, "\"name\":\"")) {
			q = walk_string_end(p + 8, end);
			if (!q || (q[1] != ',' && (q[1] != '}' || q + 2 != end)))
				return false;
			event_set(e, EVENT_NAME, (struct str){p + 7, (size_t)(q + 1 - p - 7)});
			p = q + 1 + (q[1] == ',');
			e->prefix = (size_t)(p - line.p);
			return p <= end;
		}
	}
	return false;
}

enum event_member event_member(struct str key, enum event_member guess)
{
	unsigned i, m;

	for (i = 0; i < EVENT_N; i++) {
		m = guess + i < EVENT_N ? guess + i : guess + i - EVENT_N;
		if (key.n == keys[m].n - 4 && str_same(key.p, names[m], key.n))
			return (enum event_member)m;
	}
	return EVENT_N;
}

/* ts or dur: its bit is set when it is a whole number. Why it cannot be used, or NULL. */
static const char *take_time(struct event *e, enum event_member m, struct str text)
{
	int64_t *v = m == EVENT_TS ? &e->ts : &e->dur;
	enum num_result r = num_whole(text, v);

	e->has &= ~(1u << m);
	e->m[m] = str_eq(text, STR("null")) ? (struct str){NULL, 0} : text;
	if (r == NUM_OK)
		e->has |= 1u << m;
	if (r == NUM_RANGE)
		return m == EVENT_TS ? "ts is beyond 64 bits, record skipped" : "dur is beyond 64 bits, record skipped";
	return NULL;
}

/* What is left of *w; members that were read before it are in e->has. `next` is the likely first one. */
static const char *walk_from(struct event *e, struct walk *w, enum event_member next)
{
	enum event_member m;
	struct str key, value;
	const char *why = NULL, *trouble;
	uint32_t seen = e->has;
	int r;

	e->plain = true;
	while ((r = walk_quick(w, &key, &value)) > 0) {
		m = event_member(key, next);
		next = m == EVENT_N ? EVENT_ARGS : m + 1;
		e->twice |= m < EVENT_N && (seen >> m & 1);
		seen |= m < EVENT_N ? 1u << m : 0;
		if (m == EVENT_TS || m == EVENT_DUR) {
			trouble = take_time(e, m, value);
			why = why ? why : trouble;
		} else if (m == EVENT_N) {
			e->plain = false;
		} else if (str_eq(value, STR("null"))) {
			e->has &= ~(1u << m); /* absent is how our records say unknown */
			e->plain = false;
		} else {
			event_set(e, m, value);
		}
	}
	e->walked = true;
	e->plain = e->plain && r == 0 && !e->twice;
	return r < 0 ? "not a JSON record, skipped" : why;
}

static void begin(struct event *e, struct str line)
{
	e->has = 0;
	e->walked = e->twice = e->plain = false;
	e->m[EVENT_TS].p = e->m[EVENT_DUR].p = NULL;
	e->raw = line;
	e->prefix = 0;
}

bool event_canonical(struct event *e, struct str line)
{
	begin(e, line);
	return line.n > 1 && line.p[0] == '{' && line.p[line.n - 1] == '}' && read_prefix(e, line);
}

const char *event_parse(struct event *e, struct str line)
{
	struct walk w;

	line = str_trim(line);
	begin(e, line);
	if (!line.n || line.p[0] != '{')
		return "not a JSON record, skipped";
	walk_open(&w, line);
	return walk_from(e, &w, EVENT_TS);
}

void event_walk(struct event *e)
{
	struct walk w;

	if (e->walked)
		return;
	walk_open(&w, e->raw);
	if (e->prefix) { /* what stands before it was read; the comma is of the rest */
		w.p = e->raw.p + e->prefix;
		w.p -= w.p[-1] == ',';
		w.first = false;
	}
	walk_from(e, &w, EVENT_CAT);
}

/*
 * Whether a canonical line may have a dur behind its prefix, where our own programs do not write it: only a
 * line with its key in it needs the walk. Instants and flows have none, and are half of some traces.
 */
static bool may_have_dur(const struct event *e)
{
	return walk_may_find(str_from(e->raw, e->prefix), "dur");
}

struct str event_get(struct event *e, enum event_member m)
{
	if (!event_has(e, m) && !e->walked && (m != EVENT_DUR || !e->prefix || may_have_dur(e)))
		event_walk(e);
	return event_has(e, m) ? e->m[m] : (struct str){NULL, 0};
}

/* --- writing --- */

void event_clear(struct event *e)
{
	e->has = 0;
	e->walked = true;
	e->plain = false;
	e->more = (struct str){NULL, 0};
}

enum event_kind event_get_kind(struct event *e)
{
	struct str text = event_get(e, EVENT_KIND);

	return text.n > 2 ? event_kind((struct str){text.p + 1, text.n - 2}) : KIND_N;
}

void event_set_kind(struct event *e, enum event_kind k)
{
	event_set(e, EVENT_KIND, kinds[k]);
}

static inline char *put_key(char *p, enum event_member m)
{
	memcpy(p, keys[m].text, 16);
	return p + keys[m].n;
}

/* Most texts are short: two copies that overlap do what a call for any length would. */
static inline char *put_text(char *p, struct str s)
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

/* A record that is larger than the buffer goes out in pieces. */
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
		out_add(o, keys[m].text + 1, keys[m].n - 1);
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
		p = num_put_i64(put_key(p, EVENT_TS), e->ts);
	if (event_has(e, EVENT_DUR))
		p = num_put_i64(put_key(p, EVENT_DUR), e->dur);
	for (left = e->has & ~3u & ((1u << EVENT_ARGS) - 1); left; left &= left - 1) {
		enum event_member m = (enum event_member)__builtin_ctz(left);

		p = put_text(put_key(p, m), e->m[m]);
	}
	p = put_text(p, e->more);
	if (event_has(e, EVENT_ARGS))
		p = put_text(put_key(p, EVENT_ARGS), e->m[EVENT_ARGS]);
	if (event_has(e, EVENT_SRC))
		p = put_text(put_key(p, EVENT_SRC), e->m[EVENT_SRC]);
	if (p == start)
		*p++ = ',';
	*start = '{'; /* in place of the first comma */
	*p++ = '}';
	*p++ = '\n';
	out_used(o, p);
}

void event_copy(struct out *o, const struct event *e)
{
	out_line(o, e->raw);
}
