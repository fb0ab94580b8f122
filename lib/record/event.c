#include "record/event.h"

#include "base/num_format.h"
#include "json/check.h"
#include "json/iter_inline.h"
#include "json/string.h"

/* A member's key as it is written after a comma; padded so that it can be copied and compared in one instruction. */
struct event_key {
	char text[16];
	unsigned n;
};

extern const struct event_key event_keys[EVENT_N];

#define KEY(id, name) {",\"" #name "\":", sizeof(",\"" #name "\":") - 1},
const struct event_key event_keys[EVENT_N] = {EVENT_MEMBERS(KEY)};

#define NAME(id, name) {#name, sizeof(#name) - 1},
static const struct str names[EVENT_N] = {EVENT_MEMBERS(NAME)};
static struct word_table members = {.list = names, .n = EVENT_N};

void event_prepare(void)
{
	word_table_prepare(&members);
	word_table_prepare(&event_kind_words);
}

const char *event_member_name(size_t i)
{
	return i < EVENT_N ? names[i].p : NULL;
}

/* Returns the kind that a JSON string names; the bytes after the string must be readable. */
static inline enum event_kind kind_of(struct str json)
{
	return event_kind_padded(json_inner(json));
}

/* Whether the text at p begins with the literal `key`; 16 bytes at p must be readable. */
#define AT(p, key) (memcmp(p, key, sizeof(key) - 1) == 0)

/*
 * Reads the time that follows the key at p, and moves p to the next member; `key` is the length of the key. Returns
 * false when the time is not in the form that our own programs write.
 */
static inline bool read_time(const char **p, size_t key, struct str *text)
{
	const char *first = *p + key, *end = iter_whole_end(first);

	if (!end || *end != ',')
		return false;
	*text = (struct str){first, (size_t)(end - first)};
	*p = end + 1;
	return true;
}

/*
 * Reads the canonical prefix {"ts":N,"dur":N,"kind":"...","name":"..."; ts, dur and name are optional, but a name
 * cannot come later. Returns EVENT_FOREIGN for a line that is not in the form that our own programs write; such a line
 * must be read by event_parse(). If the kind is not selected, returns EVENT_UNWANTED before the times and the name are
 * read.
 */
static inline enum event_form read_prefix(struct event *e, struct str line, uint32_t only)
{
	const char *p = line.p + 1, *end = line.p + line.n, *q;
	struct str ts = {NULL, 0}, dur = {NULL, 0}, kind;
	uint32_t has = 1u << EVENT_KIND;

	if (AT(p, "\"ts\":") && !read_time(&p, 5, &ts))
		return EVENT_FOREIGN;
	if (AT(p, "\"dur\":") && !read_time(&p, 6, &dur))
		return EVENT_FOREIGN;
	if (!AT(p, "\"kind\":\""))
		return EVENT_FOREIGN;
	q = iter_word_end(p + 8, end);
	if (!q || q[1] != ',')
		return EVENT_FOREIGN;
	kind = (struct str){p + 7, (size_t)(q + 1 - p - 7)};
	if (only) {
		e->kind = kind_of(kind);
		if (!(only >> e->kind & 1))
			return EVENT_UNWANTED;
	}
	if (AT(q + 2, "\"name\":\"")) {
		p = q + 2;
		q = iter_plain_end(p + 8, end);
		if (!q || (q[1] != ',' && (q[1] != '}' || q + 2 != end)))
			return EVENT_FOREIGN;
		e->m[EVENT_NAME] = (struct str){p + 7, (size_t)(q + 1 - p - 7)};
		has |= 1u << EVENT_NAME;
	} else if (iter_may_find((struct str){q, (size_t)(end - q)}, "nam")) {
		return EVENT_FOREIGN;
	}
	e->m[EVENT_KIND] = kind;
	e->m[EVENT_TS] = ts;
	e->m[EVENT_DUR] = dur;
	if (ts.p) {
		e->ts = iter_whole(ts.p, ts.p + ts.n);
		has |= 1u << EVENT_TS;
	}
	if (dur.p) {
		e->dur = iter_whole(dur.p, dur.p + dur.n);
		has |= 1u << EVENT_DUR;
	}
	e->has = has;
	e->prefix = (size_t)(q + 1 + (q[1] == ',') - line.p);
	return EVENT_CANONICAL;
}

enum event_member event_member(struct str key)
{
	return key.n ? (enum event_member)word_table_find(&members, key, word_table_head(key.p, key.n)) : EVENT_N;
}

static inline bool has_brackets(struct str value)
{
	return value.p[0] == '{' || value.p[0] == '[';
}

/*
 * Returns whether an object of a line, which is clean or valid JSON, has only strings, numbers and words: in a clean
 * line, an iteration checks all of it, in a fraction of the time of json_check(). Most calls in `api` are such objects.
 */
static bool is_flat_object(struct str value)
{
	struct str key, item;
	struct iter w;
	int more;

	iter_init(&w, value);
	while ((more = iter_quick(&w, &key, &item)) > 0 && key.p && !has_brackets(item))
		;
	return more == 0 && w.close == '}';
}

/* args and src are the largest members, and most programs pass them on unread, so they are not checked here. */
static inline bool is_checked(enum event_member m, struct str value)
{
	return !has_brackets(value) || m == EVENT_ARGS || m == EVENT_SRC || is_flat_object(value) ||
	       json_check(value, NULL);
}

/* first_with[c]: the first member whose name begins with the byte c; next_with[m]: the next one after the member m. */
static unsigned char first_with[256], next_with[EVENT_N];

__attribute__((constructor)) static void list_members(void)
{
	unsigned m;

	memset(first_with, EVENT_N, sizeof first_with);
	for (m = EVENT_N; m-- > 0;) {
		next_with[m] = first_with[(unsigned char)names[m].p[0]];
		first_with[(unsigned char)names[m].p[0]] = (unsigned char)m;
	}
}

/* Returns the member whose key is at p, if the key has the form that our own programs write; otherwise EVENT_N. */
static inline enum event_member key_at(const char *p)
{
	unsigned m = first_with[(unsigned char)p[2]];
#ifdef __SSE2__
	const __m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
	unsigned same, all;

	for (; m < EVENT_N; m = next_with[m]) {
		same = (unsigned)_mm_movemask_epi8(
		    _mm_cmpeq_epi8(text, _mm_loadu_si128((const __m128i *)(const void *)event_keys[m].text)));
		all = (1u << event_keys[m].n) - 1;
		if ((same & all) == all)
			break;
	}
#else
	while (m < EVENT_N && memcmp(p, event_keys[m].text, event_keys[m].n) != 0)
		m = next_with[m];
#endif
	return (enum event_member)m;
}

/* The same as event_next(); inlined, so that a walk keeps its state in registers. */
__attribute__((always_inline)) static inline int next_member(
    struct iter *w, enum event_member *m, struct str *key, struct str *value)
{
	enum event_member found;
	const char *p, *start = w->p;
	int r;

	if (*w->p == '}' && w->p + 1 == w->end && w->close == '}')
		return 0;
	found = w->first ? EVENT_N : key_at(w->p);
	if (found < EVENT_N && event_keys[found].n < w->end - w->p) {
		p = w->p + event_keys[found].n;
		*key = (struct str){w->p + 2, event_keys[found].n - 4};
		*m = found;
		if (!(found >= EVENT_ARGS) && iter_short(w, p, value))
			return 1;
		if ((unsigned char)*p > ' ') {
			w->p = p;
			return iter_value(w, value) && is_checked(found, *value) ? 1 : -1;
		}
	}
	r = iter_quick(w, key, value);
	if (r <= 0)
		return r;
	/* key_at() found that this is not a standard member, if the key is written without white space. */
	if (*start == ',' && key->p == start + 2 && key->p[key->n + 1] == ':' && found == EVENT_N)
		*m = EVENT_N;
	else
		*m = (enum event_member)word_table_find(&members, *key, word_table_head_padded(key->p, key->n));
	return is_checked(*m, *value) ? 1 : -1;
}

int event_next(struct iter *w, enum event_member *m, struct str *key, struct str *value)
{
	return next_member(w, m, key, value);
}

/* Sets ts or dur, and its bit in `has` if it is an integer. Returns NULL, or the reason why the record is skipped. */
static const char *set_time(struct event *e, enum event_member m, struct str text)
{
	int64_t *v = m == EVENT_TS ? &e->ts : &e->dur;
	enum num_result r = num_whole(text, v);

	e->has &= ~(1u << m);
	e->m[m] = str_eq(text, STR("null")) ? (struct str){NULL, 0} : text;
	if (r == NUM_OK)
		e->has |= 1u << m;
	if (r == NUM_RANGE)
		return m == EVENT_TS ? "ts does not fit in 64 bits; record skipped"
				     : "dur does not fit in 64 bits; record skipped";
	return NULL;
}

/* Reads the members that remain in *w; `last` is the last one read, and e->has has the bits of all that were read. */
static const char *walk_from(struct event *e, struct iter *w, enum event_member last)
{
	enum event_member m = last;
	struct str key, value;
	const char *why[] = {[EVENT_TS] = NULL, [EVENT_DUR] = NULL}; /* of a repeated time, the last one counts */
	uint32_t seen = e->has;
	bool twice = false, plain = true;
	size_t n = 0;
	int r;

	while ((r = next_member(w, &m, &key, &value)) > 0) {
		event_list_add(e, n++, m, key, value);
		twice |= m < EVENT_N && (seen >> m & 1);
		seen |= m < EVENT_N ? 1u << m : 0;
		if (m == EVENT_TS || m == EVENT_DUR) {
			why[m] = set_time(e, m, value);
			plain &= event_has(e, m);
		} else if (m == EVENT_N) {
			plain = false;
		} else if (str_eq(value, STR("null"))) {
			e->has &= ~(1u << m); /* null means unknown: the member is treated as absent */
			plain = false;
		} else {
			event_set(e, m, value);
		}
	}
	event_list_end(e, n);
	e->reading = twice ? EVENT_TWICE : plain && r == 0 ? EVENT_PLAIN : EVENT_WALKED;
	event_broken_if(e, r < 0);
	if (twice)
		e->kind = KIND_UNREAD;
	return r < 0 ? "not a JSON record; skipped" : why[EVENT_TS] ? why[EVENT_TS] : why[EVENT_DUR];
}

static void reset(struct event *e, struct str line)
{
	e->has = 0;
	e->reading = EVENT_PREFIX;
	e->check = EVENT_UNCHECKED;
	e->kind = KIND_UNREAD;
	e->n_listed = 0;
	e->m[EVENT_TS].p = e->m[EVENT_DUR].p = NULL;
	e->raw = line;
	e->prefix = 0;
}

enum event_form event_canonical(struct event *e, struct str line, uint32_t only)
{
	if (line.n < 2 || line.p[0] != '{' || line.p[line.n - 1] != '}')
		return EVENT_FOREIGN;
	e->kind = KIND_UNREAD;
	e->reading = EVENT_PREFIX;
	e->check = EVENT_UNCHECKED;
	e->n_listed = 0;
	e->raw = line;
	return read_prefix(e, line, only);
}

const char *event_parse(struct event *e, struct str line)
{
	struct iter w;

	line = str_trim(line);
	reset(e, line);
	if (!line.n || line.p[0] != '{')
		return "not a JSON record; skipped";
	iter_init(&w, line);
	return walk_from(e, &w, EVENT_N);
}

void event_iter_init(struct iter *w, const struct event *e)
{
	iter_init(w, e->raw);
	if (e->prefix) { /* begins at the comma after the prefix */
		w->p = e->raw.p + e->prefix;
		w->p -= w->p[-1] == ',';
		w->first = false;
	}
}

void event_walk(struct event *e)
{
	struct iter w;

	if (event_walked(e))
		return;
	event_iter_init(&w, e);
	event_broken_if(e, walk_from(e, &w, EVENT_NAME) != NULL);
}

void event_check_brackets(struct event *e, struct str value)
{
	event_broken_if(e, e->check != EVENT_SOUND && !json_check(value, NULL));
}

struct str event_find(struct event *e, enum event_member m)
{
	/*
	 * Our own programs never write a dur after the prefix of a canonical line. If the line cannot have one, there
	 * is no need to walk it: half of the records of some traces are instants and flows, which have no dur.
	 */
	if (m == EVENT_DUR && e->reading == EVENT_PREFIX && e->prefix &&
	    !iter_may_find(str_from(e->raw, e->prefix), "dur"))
		e->reading = EVENT_DURLESS;
	if (m != EVENT_DUR || e->reading != EVENT_DURLESS)
		event_walk(e);
	return event_has(e, m) ? e->m[m] : (struct str){NULL, 0};
}

/* Not inlined, so that the common case of event_find_kind() needs no stack frame. */
__attribute__((noinline)) static enum event_kind find_kind_anywhere(struct event *e)
{
	struct str text = event_get(e, EVENT_KIND);
	struct buf plain = {0};
	enum event_kind k;

	if (!json_is_string(text))
		return KIND_N;
	k = event_kind(json_decoded(&plain, json_inner(text)));
	buf_free(&plain);
	return k;
}

enum event_kind event_find_kind(struct event *e)
{
	if (event_walked(e) || !e->prefix)
		return find_kind_anywhere(e);
	return e->kind = kind_of(e->m[EVENT_KIND]);
}

#define KIND_TEXT(id, text) {"\"" text "\"", sizeof(text) + 1},
static const struct str kinds[KIND_N] = {EVENT_KINDS(KIND_TEXT)};

void event_clear(struct event *e)
{
	e->has = 0;
	e->reading = EVENT_WALKED;
	e->kind = KIND_UNREAD;
	e->n_listed = 0;
	e->attachments = (struct str){NULL, 0};
}

void event_set_kind(struct event *e, enum event_kind k)
{
	event_set(e, EVENT_KIND, kinds[k]);
	e->kind = k;
}

static inline char *put_key(char *p, enum event_member m)
{
	memcpy(p, event_keys[m].text, 16);
	return p + event_keys[m].n;
}

void event_write(struct out *o, const struct event *e)
{
	size_t need = e->attachments.n + 128;
	uint32_t left;
	char *p, *start;

	for (left = e->has & ~3u; left; left &= left - 1)
		need += e->m[__builtin_ctz(left)].n + 48;
	start = p = out_room(o, need);
	if (event_has(e, EVENT_TS))
		p = num_put_i64(put_key(p, EVENT_TS), e->ts);
	if (event_has(e, EVENT_DUR))
		p = num_put_i64(put_key(p, EVENT_DUR), e->dur);
	for (left = e->has & ~3u & ((1u << EVENT_ARGS) - 1); left; left &= left - 1) {
		enum event_member m = (enum event_member)__builtin_ctz(left);

		p = str_copy_short(put_key(p, m), e->m[m]);
	}
	p = str_copy_short(p, e->attachments);
	if (event_has(e, EVENT_ARGS))
		p = str_copy_short(put_key(p, EVENT_ARGS), e->m[EVENT_ARGS]);
	if (event_has(e, EVENT_SRC))
		p = str_copy_short(put_key(p, EVENT_SRC), e->m[EVENT_SRC]);
	if (p == start)
		*p++ = ',';
	*start = '{'; /* overwrites the first comma */
	*p++ = '}';
	*p++ = '\n';
	out_used(o, p);
}

void event_write_attached(struct out *o, struct event *e, struct buf *attachments)
{
	e->attachments = buf_str(attachments);
	event_write(o, e);
	attachments->n = 0;
}

void event_copy(struct out *o, const struct event *e)
{
	out_line(o, e->raw);
}
