#include "perf_sample.h"

#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

/* --- values --- */

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
	return buf_str(b);
}

/* Returns a number without leading zeros, which JSON does not allow: "3" for "003". */
static struct str without_zeros(struct str text)
{
	while (text.n > 1 && text.p[0] == '0' && text.p[1] != '.')
		text = str_from(text, 1);
	return text;
}

bool perf_seconds(struct str text, int64_t *ns)
{
	return num_fixed(without_zeros(text), 9, ns) == NUM_OK;
}

bool perf_event_is(struct str name)
{
	size_t i;

	for (i = 0; i < name.n; i++) {
		if (is_control(name.p[i]) || name.p[i] == '"')
			return false;
	}
	return name.n > 0;
}

/* --- samples: their frames, and the names of these --- */

void perf_sample_begin(struct perf_sample *s, uint64_t line, uint64_t offset)
{
	s->open = true;
	s->line = line;
	s->offset = offset;
	s->at = (struct perf_header){0};
	s->n = s->text.n = s->head.n = s->size = 0;
	memset(s->has, 0, sizeof s->has);
}

void perf_sample_free(struct perf_sample *s)
{
	free(s->frames);
	bufs_free(&s->text, &s->head);
}

/* --- frames --- */

static struct perf_slice add_slice(struct perf_sample *s, struct str text)
{
	const struct perf_slice slice = {s->text.n, text.n};

	buf_add(&s->text, text.p, text.n);
	return slice;
}

static struct str frame_text(const struct perf_sample *s, struct perf_slice slice)
{
	return str_head(str_from(buf_str(&s->text), slice.at), slice.n);
}

/* Returns the object's name without its folders and without " (deleted)", as perf report prints it. */
static struct str base_name(struct str dso)
{
	if (str_ends(dso, STR(" (deleted)")))
		dso.n -= 10;
	/* A name such as "[JIT] tid 7" has no folders. */
	return str_starts(dso, STR("/")) && !str_ends(dso, STR("/")) ? str_from(dso, str_after_last(dso, '/')) : dso;
}

/*
 * Returns the mark of a frame. It is the same as in stackcollapse-perf.pl (FlameGraph), with two exceptions: perf's own
 * [JIT] and jitted-*.so are JIT code, and modules named by their files (.ko) are kernel code.
 */
static char mark_of(struct str dso)
{
	static const char *const kernel[] = {"vmlinux", ".ko", ".ko.gz", ".ko.xz", ".ko.zst", NULL};
	struct str name;

	if (str_eq(dso, STR("inlined")))
		return 'i';
	if (str_starts(dso, STR("[JIT")))
		return 'j';
	if (str_starts(dso, STR("[")))
		return str_find(dso, STR("unknown")) == dso.n ? 'k' : '.';
	if (str_ends_in(dso, kernel))
		return 'k';
	name = str_from(dso, dso.n && dso.p[0] == '/' ? str_after_last(dso, '/') : 0);
	/* "/tmp/perf-123.map" is the file to which JIT compilers write names. */
	if (str_starts(name, STR("jitted-")) ||
	    (str_starts(name, STR("perf-")) && str_ends(name, STR(".map")) && name.n > 9 &&
		str_all(str_head(str_from(name, 5), name.n - 9), is_digit)))
		return 'j';
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

/* Adds a frame with the texts of `like` and a name. */
static void add_frame(struct perf_sample *s, const struct perf_frame *like, struct str symbol, char mark)
{
	const struct str unknown = STR("[unknown]");
	struct perf_frame *f;
	struct str dso;

	s->frames = mem_grow(s->frames, &s->cap, s->n + 1, sizeof *s->frames);
	f = &s->frames[s->n++];
	*f = *like;
	f->mark = mark;
	if (!symbol.n)
		symbol = unknown;
	/* An unknown function gets the name of its object, as in FlameGraph: [libgomp.so.1.0.0], [[vdso]]. */
	buf_room(&s->text, like->text[PERF_DSO].n + 2); /* `dso` is a view of the buffer, which must not move */
	dso = base_name(frame_text(s, like->text[PERF_DSO]));
	if (!dso.n || str_eq(dso, unknown) || !str_eq(symbol, unknown)) {
		f->text[PERF_NAME] = add_slice(s, symbol);
		return;
	}
	f->text[PERF_NAME] = (struct perf_slice){s->text.n, dso.n + 2};
	buf_char(&s->text, '[');
	buf_add(&s->text, dso.p, dso.n);
	buf_char(&s->text, ']');
}

/* Adds a frame for each part of `symbol` between its arrows, from the last one, nearest the leaf, to the first. */
static void add_pieces(struct perf_sample *s, const struct perf_frame *like, struct str symbol)
{
	size_t first = s->n, i, j, at;
	char mark = mark_of(frame_text(s, like->text[PERF_DSO]));
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
	const struct str texts[] = {[PERF_DSO] = dso, [PERF_IP] = ip, [PERF_OFFSET] = offset};
	struct perf_frame like = {.mark = '.'};
	enum perf_text i;

	for (i = PERF_DSO; i <= PERF_OFFSET; i++) {
		like.text[i] = add_slice(s, texts[i]);
		s->has[i] |= texts[i].n > 0;
	}
	add_pieces(s, &like, symbol);
}

void perf_frame_line(struct perf_sample *s, struct str line)
{
	if (!s->n)
		return;
	s->frames[s->n - 1].text[PERF_LINE] = add_slice(s, line);
	s->has[PERF_LINE] = true;
}

/* --- the record --- */

/* Writes an array with one text of each frame, root first. Writes `prefix` before each text that is not empty. */
static void put_frames(
    struct buf *b, const char *key, const struct perf_sample *s, enum perf_text which, struct str prefix)
{
	struct str text;
	size_t i;
	char *p;

	json_write_begin(b, key, '[');
	for (i = s->n; i-- > 0;) {
		text = frame_text(s, s->frames[i].text[which]);
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
			p = str_copy(str_copy(p, prefix), text);
		*p++ = '"';
		b->n = (size_t)(p - b->p);
	}
	json_write_end(b, ']');
}

/* Replaces "inlined", which perf prints as the object of inlined code, by the object of the function around it. */
static void resolve_inlined(struct perf_sample *s)
{
	struct perf_slice dso = {0, 0};
	size_t i;

	for (i = s->n; i-- > 0;) {
		if (s->frames[i].mark != 'i')
			dso = s->frames[i].text[PERF_DSO];
		else if (str_eq(frame_text(s, s->frames[i].text[PERF_DSO]), STR("inlined")))
			s->frames[i].text[PERF_DSO] = dso;
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

void perf_header_put(const struct perf_header *h, struct draft *d, struct event *e)
{
	if (h->has_ts)
		event_set_ts(e, h->ts);
	perf_integer(e, EVENT_PID, h->pid);
	perf_integer(e, EVENT_TID, h->tid);
	if (h->comm.p)
		json_write_text(&d->attachments, "comm", h->comm);
	if (h->cpu.p)
		perf_value(&d->attachments, "cpu", without_zeros(h->cpu));
}

bool perf_sample_end(struct perf_sample *s, struct reader *r, struct str others, struct event *e)
{
	struct draft *d = r->draft;
	static const struct {
		const char *key;
		enum perf_text which;
		struct str prefix;
	} lists[] = {{"ip", PERF_IP, {"0x", 2}}, {"offset", PERF_OFFSET, {"", 0}}, {"dso", PERF_DSO, {"", 0}},
	    {"srcline", PERF_LINE, {"", 0}}};
	struct str dso, event;
	int64_t period;
	size_t i;

	s->open = false;
	if (!reader_wants(r, KIND_SAMPLE))
		return false;
	draft_begin(r, e, KIND_SAMPLE);
	perf_header_put(&s->at, d, e);
	if (s->at.event.p)
		json_write_text(&d->attachments, "event", s->at.event);
	if (s->at.period.p && num_int(s->at.period, &period) == NUM_OK) {
		json_write_int(&d->attachments, "period", period);
		/* The period of these events is a time. */
		event = str_head(s->at.event, str_find(s->at.event, STR(":")));
		if (str_eq(event, STR("cpu-clock")) || str_eq(event, STR("task-clock")))
			event_set_dur(e, period);
	}
	resolve_inlined(s);
	if (s->n) {
		draft_name(d, frame_text(s, s->frames[0].text[PERF_NAME]));
		dso = base_name(frame_text(s, s->frames[0].text[PERF_DSO]));
		if (dso.n)
			json_write_text(&d->attachments, "dso", dso);
		put_frames(&d->attachments, "stack", s, PERF_NAME, STR(""));
		put_marks(&d->attachments, s);
	}
	for (i = 0; r->args && i < sizeof lists / sizeof *lists; i++) {
		if (s->has[lists[i].which])
			put_frames(&d->args, lists[i].key, s, lists[i].which, lists[i].prefix);
	}
	if (r->args && s->at.flags.p)
		json_write_text(&d->args, "misc", s->at.flags);
	if (r->args && s->at.rest.p)
		json_write_text(&d->args, "text", s->at.rest);
	if (r->args && others.n)
		json_write_member(&d->args, (struct str){NULL, 0}, others);
	return draft_end(r, e);
}
