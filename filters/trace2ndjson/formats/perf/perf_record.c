/* perf_record: makes records from values that perf printed; stores the frames of a sample until its end. */
#include "perf.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

/* --- values --- */

void perf_begin(struct perf *p, struct event *e)
{
	event_clear(e);
	p->more.n = p->args.n = p->name.n = 0;
	json_write_begin(&p->args, NULL, '{');
}

void perf_name(struct perf *p, struct event *e, struct str name)
{
	p->name.n = 0;
	json_quote(&p->name, name);
	event_set(e, EVENT_NAME, json_write_str(&p->name));
}

void perf_end(struct perf *p, struct event *e)
{
	if (p->more.n)
		e->more = json_write_str(&p->more);
	if (p->args.n > 1) {
		json_write_end(&p->args, '}');
		event_set(e, EVENT_ARGS, json_write_str(&p->args));
	}
}

void perf_integer(struct event *e, enum event_member m, struct str text)
{
	int64_t v;

	if (text.n && num_int(text, &v) == NUM_OK)
		event_set(e, m, text);
}

void perf_value(struct buf *b, const char *key, struct str text)
{
	if (text.n)
		json_write_number(b, key, text);
}

struct str perf_plain(struct buf *b, struct str json)
{
	if (json.n < 2 || json.p[0] != '"')
		return json;
	b->n = 0;
	json_unescape(b, json_inner(json));
	return json_write_str(b);
}

struct str perf_digits(struct str text)
{
	while (text.n > 1 && text.p[0] == '0' && text.p[1] != '.')
		text = str_from(text, 1);
	return text;
}

bool perf_seconds(struct str text, int64_t *ns)
{
	return num_fixed(perf_digits(text), 9, ns) == NUM_OK;
}

/* --- samples: their frames, and the names of these --- */

void perf_sample_clear(struct perf_sample *s)
{
	struct perf_frame *frames = s->frames;
	size_t cap = s->cap;
	struct buf text = s->text, head = s->head;

	text.n = head.n = 0;
	*s = (struct perf_sample){.frames = frames, .cap = cap, .text = text, .head = head};
}

void perf_sample_free(struct perf_sample *s)
{
	free(s->frames);
	buf_free(&s->text);
	buf_free(&s->head);
}

/* --- frames --- */

static struct perf_slice add_slice(struct perf_sample *s, struct str text)
{
	struct perf_slice slice = {(uint32_t)s->text.n, (uint32_t)text.n};

	buf_add(&s->text, text.p, text.n);
	return slice;
}

static struct str frame_text(const struct perf_sample *s, struct perf_slice slice)
{
	return str_head(str_from((struct str){s->text.p, s->text.n}, slice.at), slice.n);
}

/* Returns the object's name without its folders, as perf report prints it. */
static struct str base_name(struct str path)
{
	size_t n = path.n;

	if (n && path.p[0] == '/' && path.p[n - 1] != '/') { /* a name such as "[JIT] tid 7" has no folders */
		while (path.p[n - 1] != '/')
			n--;
		return str_from(path, n);
	}
	return path;
}

/* "/path/libx.so (deleted)" is the same object as libx.so. */
static struct str without_deleted(struct str dso)
{
	return str_ends(dso, STR(" (deleted)")) ? str_head(dso, dso.n - 10) : dso;
}

/* Whether the object is "/tmp/perf-123.map", the file to which JIT compilers write names. */
static bool is_jit_map(struct str dso)
{
	struct str name = base_name(dso);

	if (!str_starts(name, STR("perf-")) || !str_ends(name, STR(".map")))
		return false;
	return str_all((struct str){name.p + 5, name.n - 9}, is_digit);
}

/*
 * Returns the mark of a frame. It is the same as in stackcollapse-perf.pl (FlameGraph), with two exceptions: perf's own
 * [JIT] and jitted-*.so are JIT code, and modules named by their files (.ko) are kernel code.
 */
static char mark_of(struct str dso)
{
	static const char *const modules[] = {".ko", ".ko.gz", ".ko.xz", ".ko.zst"};
	size_t i;

	if (!dso.n)
		return '.';
	if (str_eq(dso, STR("inlined")))
		return 'i';
	if (dso.p[0] == '[') {
		if (str_starts(dso, STR("[JIT")))
			return 'j';
		return str_find(dso, STR("unknown")) == dso.n ? 'k' : '.';
	}
	if (str_ends(dso, STR("vmlinux")))
		return 'k';
	if (is_jit_map(dso) || str_starts(base_name(dso), STR("jitted-")))
		return 'j';
	for (i = 0; i < sizeof modules / sizeof *modules; i++) {
		if (str_ends(dso, str_of(modules[i])))
			return 'k';
	}
	return '.';
}

/*
 * Returns the offset of the "->" in "caller->inlined", a form that occurs in maps of JIT code; s.n when not found.
 * Skips the "->" of C++ in operator-> and "auto (int) -> int", and every "->" inside brackets.
 */
static size_t find_arrow(struct str s)
{
	size_t i;
	int depth = 0;

	if (!s.n || !memchr(s.p, '>', s.n))
		return s.n;
	for (i = 0; i + 1 < s.n; i++) {
		if (s.p[i] == '-' && s.p[i + 1] == '>') {
			if (!depth && i && i + 2 < s.n && s.p[i - 1] != ' ' &&
			    !str_ends(str_head(s, i), STR("operator")))
				return i;
			i++;
		} else if (s.p[i] == '(' || s.p[i] == '<') {
			depth++;
		} else if ((s.p[i] == ')' || s.p[i] == '>') && depth) {
			depth--;
		}
	}
	return s.n;
}

static void add_frame(struct perf_sample *s, const struct perf_frame *like, struct str symbol, char mark)
{
	struct perf_frame *f;
	struct str dso;

	s->frames = mem_grow(s->frames, &s->cap, s->n + 1, sizeof *s->frames);
	f = &s->frames[s->n++];
	*f = *like;
	f->mark = mark;
	if (symbol.n && !str_eq(symbol, STR("[unknown]"))) {
		f->name = add_slice(s, symbol);
		return;
	}
	/* An unknown function gets the name of its object, as in FlameGraph: [libgomp.so.1.0.0], [[vdso]]. */
	if (!like->dso.n || str_eq(frame_text(s, like->dso), STR("[unknown]"))) {
		f->name = add_slice(s, STR("[unknown]"));
		return;
	}
	/* `dso` is a view of the buffer, so make sure that the next appends do not move the buffer. */
	buf_room(&s->text, like->dso.n + 2);
	dso = base_name(without_deleted(frame_text(s, like->dso)));
	f->name = (struct perf_slice){(uint32_t)s->text.n, 0};
	buf_char(&s->text, '[');
	buf_add(&s->text, dso.p, dso.n);
	buf_char(&s->text, ']');
	f->name.n = (uint32_t)s->text.n - f->name.at;
}

/*
 * Adds a frame for each part of `symbol` between its arrows, beginning with the last part, which is nearest the leaf.
 */
static void add_pieces(struct perf_sample *s, const struct perf_frame *like, struct str symbol)
{
	size_t first = s->n, i, j, at;
	char mark = mark_of(frame_text(s, like->dso));
	struct perf_frame swap;

	for (; (at = find_arrow(symbol)) < symbol.n; symbol = str_from(symbol, at + 2)) {
		add_frame(s, like, str_head(symbol, at), mark);
		mark = 'i';
	}
	add_frame(s, like, symbol, mark);
	for (i = first, j = s->n - 1; i < j; i++, j--) {
		swap = s->frames[i];
		s->frames[i] = s->frames[j];
		s->frames[j] = swap;
	}
}

void perf_frame_add(struct perf_sample *s, struct str ip, struct str symbol, struct str offset, struct str dso)
{
	struct perf_frame like = {.mark = '.'};

	/*
	 * Slices have 32-bit sizes. --max-record normally keeps samples far below this size. In a larger sample, all
	 * further frames are dropped.
	 */
	if (s->text.n > UINT32_MAX / 2)
		return;
	like.ip = add_slice(s, ip);
	like.offset = add_slice(s, offset);
	like.dso = add_slice(s, dso);
	s->ips |= ip.n > 0;
	s->offsets |= offset.n > 0;
	s->dsos |= dso.n > 0;
	add_pieces(s, &like, symbol);
}

void perf_frame_line(struct perf_sample *s, struct str line)
{
	if (!s->n || s->text.n > UINT32_MAX / 2)
		return;
	s->frames[s->n - 1].line = add_slice(s, line);
	s->lines = true;
}

/* --- the record --- */

/* Writes an array with one text of each frame, root first. Writes `prefix` before each text that is not empty. */
static void put_frames(struct buf *b, const char *key, const struct perf_sample *s, size_t which, struct str prefix)
{
	const struct perf_slice *slice;
	struct str text;
	size_t i;
	char *p;

	json_write_begin(b, key, '[');
	for (i = s->n; i-- > 0;) {
		slice = (const struct perf_slice *)(const void *)((const char *)&s->frames[i] + which);
		text = frame_text(s, *slice);
		/* Make room for the whole text at once, because most of the time is spent in this loop. */
		p = buf_room(b, text.n + prefix.n + 4);
		if (i + 1 < s->n) {
			*p++ = ',';
			b->n++;
		}
		if (json_plain(text) < text.n) {
			json_quote(b, text);
			continue;
		}
		*p++ = '"';
		if (text.n)
			memcpy(p, prefix.p, prefix.n);
		p += text.n ? prefix.n : 0;
		memcpy(p, text.p, text.n);
		p += text.n;
		*p++ = '"';
		b->n = (size_t)(p - b->p);
	}
	json_write_end(b, ']');
}

/*
 * For an inlined frame, perf prints "inlined" in place of an object. Sets the object of such a frame to the object of
 * the function that contains the inlined code.
 */
static void resolve_inlined(struct perf_sample *s)
{
	struct perf_slice dso = {0, 0};
	size_t i;

	for (i = s->n; i-- > 0;) {
		if (s->frames[i].mark != 'i')
			dso = s->frames[i].dso;
		else if (str_eq(frame_text(s, s->frames[i].dso), STR("inlined")))
			s->frames[i].dso = dso;
	}
}

static void put_marks(struct buf *b, const struct perf_sample *s)
{
	size_t i;

	for (i = 0; i < s->n && s->frames[i].mark == '.'; i++)
		;
	if (i == s->n)
		return;
	json_write_key(b, "marks");
	buf_char(b, '"');
	for (i = s->n; i-- > 0;)
		buf_char(b, s->frames[i].mark);
	buf_char(b, '"');
}

/* Whether the period of the event is a time, as for cpu-clock and task-clock. */
static bool is_clock(struct str event)
{
	const char *colon = event.p ? memchr(event.p, ':', event.n) : NULL;

	event = colon ? str_head(event, (size_t)(colon - event.p)) : event;
	return str_eq(event, STR("cpu-clock")) || str_eq(event, STR("task-clock"));
}

static void put_head(struct perf *p, const struct perf_sample *s, struct event *e)
{
	int64_t v;

	if (s->has_ts)
		event_set_ts(e, s->ts);
	perf_integer(e, EVENT_PID, s->pid);
	perf_integer(e, EVENT_TID, s->tid);
	if (s->comm.p)
		json_write_text(&p->more, "comm", s->comm);
	if (s->cpu.p)
		perf_value(&p->more, "cpu", perf_digits(s->cpu));
	if (s->event.p)
		json_write_text(&p->more, "event", s->event);
	if (s->period.p && num_int(s->period, &v) == NUM_OK) {
		json_write_int(&p->more, "period", v);
		if (is_clock(s->event))
			event_set_dur(e, v);
	}
}

void perf_sample_end(struct perf *p, struct perf_sample *s, bool args, struct str others, struct event *e)
{
	struct str dso;

	s->open = false;
	perf_begin(p, e);
	event_set_kind(e, KIND_SAMPLE);
	put_head(p, s, e);
	resolve_inlined(s);
	if (s->n) {
		perf_name(p, e, frame_text(s, s->frames[0].name));
		dso = base_name(without_deleted(frame_text(s, s->frames[0].dso)));
		if (dso.n)
			json_write_text(&p->more, "dso", dso);
		put_frames(&p->more, "stack", s, offsetof(struct perf_frame, name), STR(""));
		put_marks(&p->more, s);
	}
	if (args) {
		if (s->ips)
			put_frames(&p->args, "ip", s, offsetof(struct perf_frame, ip), STR("0x"));
		if (s->offsets)
			put_frames(&p->args, "offset", s, offsetof(struct perf_frame, offset), STR(""));
		if (s->dsos)
			put_frames(&p->args, "dso", s, offsetof(struct perf_frame, dso), STR(""));
		if (s->lines)
			put_frames(&p->args, "srcline", s, offsetof(struct perf_frame, line), STR(""));
		if (s->flags.p)
			json_write_text(&p->args, "misc", s->flags);
		if (s->note.p)
			json_write_text(&p->args, "text", s->note);
		if (others.n) { /* the members, without a comma before the first one */
			json_write_key(&p->args, NULL);
			buf_add(&p->args, others.p, others.n);
		}
	}
	perf_end(p, e);
}
