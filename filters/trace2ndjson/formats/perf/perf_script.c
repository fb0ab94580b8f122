#include "perf_script.h"

#include "json/write.h"

static inline struct str trim_left(struct str s)
{
	return str_from(s, str_first(s, is_blank).n);
}

static inline struct str trim_right(struct str s)
{
	return str_head(s, s.n - str_last(s, is_blank).n);
}

/* Whether c can be part of an address: perf prints addresses in lower case. */
static inline bool is_of_address(char c)
{
	return is_hex_digit(c) && !is_upper(c);
}

/* Whether s is a whole number. perf prints -1 for an unknown thread. */
static inline bool is_id(struct str s)
{
	return str_all(s.n && s.p[0] == '-' ? str_from(s, 1) : s, is_digit);
}

static inline bool is_of_word(char c)
{
	return !is_blank(c);
}

/* Returns s without the word at its end and the space before it. */
static inline struct str drop_last(struct str s, struct str word)
{
	return trim_right(str_head(s, s.n - word.n));
}

/* Returns the text of s that follows a part of it. */
static inline struct str after(struct str s, struct str part)
{
	return str_from(s, (size_t)(part.p + part.n - s.p));
}

/*
 * --- the header of a sample ---
 *
 * The user selects the fields of the header (-F), and names may contain spaces and digits. So the reader first finds a
 * field that has an unambiguous form: the time or, if that is missing, the event.
 */

/* Finds the first word of the form "SEC.USEC:" or "SEC.NSEC:". */
static bool find_time(struct str line, struct str *time)
{
	const char *colon = line.p;
	size_t end, dot, start;

	for (; (colon = memchr(colon, ':', line.n - (size_t)(colon - line.p))); colon++) {
		end = (size_t)(colon - line.p);
		for (dot = end; dot && is_digit(line.p[dot - 1]);)
			dot--;
		if ((end - dot != 6 && end - dot != 9) || !dot || line.p[dot - 1] != '.')
			continue;
		for (start = dot - 1; start && is_digit(line.p[start - 1]);)
			start--;
		*time = (struct str){line.p + start, end - start};
		if (start < dot - 1 && (!start || is_blank(line.p[start - 1])) &&
		    (end + 1 == line.n || is_blank(line.p[end + 1])))
			return true;
	}
	return false;
}

/* Removes "[003]" from the end of *s; returns its digits, or p == NULL. */
static struct str read_cpu(struct str *s)
{
	struct str word = str_last(*s, is_of_word), cpu = {NULL, 0};

	if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']' ||
	    !str_all(str_head(str_from(word, 1), word.n - 2), is_digit))
		return cpu;
	*s = drop_last(*s, word);
	return str_head(str_from(word, 1), word.n - 2);
}

/* Removes "TID" or "PID/TID" from the end of *s, and sets the ids in *h. */
static void read_ids(struct str *s, struct perf_header *h)
{
	struct str word = str_last(*s, is_of_word), pid = {NULL, 0}, tid = word;

	if (str_find(word, STR("/")) < word.n)
		str_split(&tid, '/', &pid);
	if ((pid.p && !is_id(pid)) || !is_id(tid))
		return;
	h->pid = pid;
	h->tid = tid;
	*s = drop_last(*s, word);
}

/* Reads the fields before the time: COMM, TID or PID/TID, [CPU], flags. Each may be absent. */
static void read_front(struct str s, struct perf_header *h)
{
	struct str word = str_last(s, is_of_word), rest = drop_last(s, word);

	/* Flags such as "K" follow a number or [CPU]. */
	if (str_all(word, is_upper) && rest.n && (is_digit(rest.p[rest.n - 1]) || rest.p[rest.n - 1] == ']')) {
		h->flags = word;
		s = rest;
	}
	h->cpu = read_cpu(&s);
	read_ids(&s, h);
	s = trim_left(s);
	if (s.n)
		h->comm = s;
}

/* Whether the text after "EVENT:" begins with an address: addresses are right-aligned in 16 columns. */
static bool has_address(struct str text)
{
	const struct str word = str_first(trim_left(text), is_of_word);

	return str_all(word, is_of_address) && (size_t)(word.p + word.n - text.p) >= 17;
}

/* Reads the fields after the time: PERIOD, EVENT:, and the only frame or the text of a tracepoint. */
static void read_back(struct str s, struct perf_header *h)
{
	struct str word, next;

	s = trim_right(s);
	word = str_first(trim_left(s), is_of_word);
	if (str_all(word, is_digit) && !has_address(s)) {
		next = str_first(trim_left(after(s, word)), is_of_word);
		if (!next.n || next.p[next.n - 1] == ':' || str_all(next, is_of_address)) {
			h->period = word;
			s = after(s, word);
			word = next;
		}
	}
	if (word.n > 1 && word.p[word.n - 1] == ':' && perf_event_is(word)) {
		h->event = str_head(word, word.n - 1);
		s = after(s, word);
	}
	if (trim_left(s).n)
		h->rest = s; /* includes the padding before an address */
}

/* Reads a header without a time. It is recognised by an "EVENT:" that follows a number or [CPU]. */
static bool read_timeless(struct str line, struct perf_header *h)
{
	struct str word, front, before, id, rest = trim_left(line), period = {NULL, 0};

	for (; rest.n; rest = trim_left(after(rest, word))) {
		word = str_first(rest, is_of_word);
		if (word.n < 2 || word.p[word.n - 1] != ':' || word.p == trim_left(line).p || !perf_event_is(word))
			continue;
		front = trim_right(str_head(line, (size_t)(word.p - line.p)));
		/* If two numbers precede the event, the second is the period. */
		if (str_all(str_last(front, is_of_word), is_digit)) {
			before = drop_last(front, str_last(front, is_of_word));
			id = str_last(before, is_of_word);
			if (is_id(id) || read_cpu(&(struct str){before.p, before.n}).p ||
			    str_find(id, STR("/")) < id.n) {
				period = str_last(front, is_of_word);
				front = before;
			}
		}
		*h = (struct perf_header){.period = period};
		read_front(front, h);
		if (!h->tid.p)
			continue;
		h->event = str_head(word, word.n - 1);
		h->rest = after(line, word);
		if (!trim_left(h->rest).n)
			h->rest.p = NULL;
		/* A log line such as "step 5 loss: 0.25" is not a header. */
		return !h->rest.p || has_address(h->rest) || str_find(h->event, STR(":")) < h->event.n;
	}
	return false;
}

/* Splits "COMM PID/TID [CPU] SEC.USEC: PERIOD EVENT:", where most may be absent. False for any other line. */
static bool header_read(struct str line, struct perf_header *h)
{
	struct str time;

	*h = (struct perf_header){0};
	line = trim_right(line);
	if (!find_time(line, &time))
		return read_timeless(line, h);
	h->time = time;
	read_front(trim_right(str_head(line, (size_t)(time.p - line.p))), h);
	read_back(str_from(after(line, time), 1), h);
	return h->event.p || h->rest.p || h->period.p || h->tid.p || h->comm.p;
}

/* --- frames --- */

struct frame {
	struct str ip, symbol, offset, dso;
};

/* Removes "(DSO)" from the end of *s, and sets *dso. The name may contain brackets: "(/memfd:x (deleted))". */
static bool read_dso(struct str *s, struct str *dso)
{
	size_t i, last = 0;
	int depth = 0;

	if (!s->n || s->p[s->n - 1] != ')')
		return false;
	for (i = s->n; i-- > 0;) {
		depth += s->p[i] == ')';
		depth -= s->p[i] == '(';
		if (s->p[i] == '(' && !last && i && is_blank(s->p[i - 1]))
			last = i;
		if (!depth)
			break;
	}
	if (depth) /* the brackets are unbalanced: begin at the last "(" after white space */
		i = last;
	if (!i || !is_blank(s->p[i - 1]))
		return false;
	*dso = (struct str){s->p + i + 1, s->n - i - 2};
	*s = trim_right(str_head(*s, i));
	return true;
}

/* Reads "HEX SYMBOL+0xOFFSET (DSO)". Each part may be missing, but the address or the object must be there. */
static bool read_frame(struct str s, struct frame *f)
{
	struct str word;
	bool has_dso;
	size_t at;

	*f = (struct frame){0};
	s = trim_left(trim_right(s));
	has_dso = read_dso(&s, &f->dso);
	word = str_first(s, is_of_word);
	if (str_all(word, is_of_address)) {
		f->ip = word;
		s = trim_left(after(s, word));
	} else if (!has_dso) {
		return false;
	}
	/* "+0x41" */
	at = s.n - str_last(s, is_of_address).n;
	if (at >= 4 && at < s.n && memcmp(s.p + at - 3, "+0x", 3) == 0) {
		f->offset = str_from(s, at - 2);
		s.n = at - 3;
	}
	f->symbol = s;
	return true;
}

/* --- samples --- */

/* Returns the text of an event such as PERF_RECORD_COMM, which --show-task-events and similar options print. */
static struct str task_text(const struct perf_header *h)
{
	return h->event.p ? h->event : trim_left(h->rest);
}

static bool is_of_record(char c)
{
	return is_upper(c) || c == '_' || is_digit(c);
}

static int task_event(struct reader *r, const struct line *line, struct perf_header *h, struct event *e)
{
	struct str rest = trim_right(line->text), word;
	enum event_kind kind;

	rest = str_from(rest, (size_t)(task_text(h).p - rest.p));
	word = str_first(rest, is_of_record);
	kind = str_eq(word, STR("PERF_RECORD_COMM")) ? KIND_META : KIND_OTHER;
	if (str_starts(word, STR("PERF_RECORD_LOST")))
		reader_warning(r, "perf reports that it lost events here", line->line, line->offset);
	draft_begin(r, e, kind);
	draft_name(r->draft, word);
	h->has_ts = h->time.p && perf_seconds(h->time, &h->ts);
	perf_header_put(h, r->draft, e);
	rest = trim_left(after(rest, word));
	if (str_starts(rest, STR(":")))
		rest = trim_left(str_from(rest, 1));
	json_write_text(&r->draft->args, "text", rest);
	return draft_end(r, e);
}

/* Begins a sample. Its texts are views of a copy of the line, because they must stay valid after it. */
static void read_sample_header(struct perf_script *p, struct reader *r, const struct line *line)
{
	struct perf_sample *s = &p->sample;
	struct str *rest = &s->at.rest;
	struct frame f;

	perf_sample_begin(s, line->line, line->offset);
	s->size = line->text.n;
	buf_add(&s->head, line->text.p, line->text.n);
	header_read(buf_str(&s->head), &s->at);
	s->at.has_ts = s->at.time.p && perf_seconds(s->at.time, &s->at.ts);
	if (!s->at.has_ts && s->at.time.p) {
		reader_lost(r, "ts does not fit in 64 bits; sample skipped", s->line, s->offset);
		s->open = false;
	}
	if (!rest->p)
		return;
	if (has_address(*rest) && read_frame(*rest, &f)) {
		perf_frame_add(s, f.ip, f.symbol, f.offset, f.dso);
		rest->p = NULL;
	} else {
		*rest = str_trim(*rest);
	}
}

/* Whether the sample with n more bytes fits in --max-record; otherwise it is skipped like a line that is too long. */
static bool fits(struct perf_sample *s, struct reader *r, size_t n)
{
	s->size += n;
	if (s->size <= r->max_record)
		return true;
	reader_lost(r, "sample larger than --max-record; skipped", s->line, s->offset);
	s->open = false;
	return false;
}

/* Reads a line that is not a header. When no sample has a header (-F ip,sym), the first frame begins a sample. */
static void inner_line(struct perf_script *p, struct reader *r, const struct line *line)
{
	struct perf_sample *s = &p->sample;
	const bool indented = is_blank(line->text.p[0]);
	struct frame f;

	if (read_frame(line->text, &f)) {
		if (!s->open && !p->any_header && indented && f.ip.p && f.dso.p)
			perf_sample_begin(s, line->line, line->offset);
		if (!s->open)
			reader_lost(r, "stack frame without a sample header; skipped", line->line, line->offset);
		else if (fits(s, r, line->text.n))
			perf_frame_add(s, f.ip, f.symbol, f.offset, f.dso);
	} else if (s->open && s->n && indented) {
		if (fits(s, r, line->text.n))
			perf_frame_line(s, str_trim(line->text));
	} else {
		reader_lost(r, "not a line of perf output; skipped", line->line, line->offset);
	}
}

int perf_script_end(struct perf_script *p, struct reader *r, struct event *e)
{
	return p->sample.open && perf_sample_end(&p->sample, r, STR(""), e);
}

int perf_script_line(struct perf_script *p, struct reader *r, const struct line *line, struct event *e)
{
	struct perf_header h;
	const bool begins = line->text.p[0] != '\t' && header_read(line->text, &h);

	p->again = p->sample.open && (begins || line->line != p->last_line + 1);
	if (p->again)
		return perf_script_end(p, r, e);
	p->last_line = line->line;
	if (begins && str_starts(task_text(&h), STR("PERF_RECORD_")))
		return task_event(r, line, &h, e);
	p->any_header |= begins;
	if (begins)
		read_sample_header(p, r, line);
	else
		inner_line(p, r, line);
	return 0;
}

/*
 * Whether the line after a header is certainly a frame. perf indents frames. Without indentation, the address must be
 * long, and the object must be a path or in brackets, because a log line may look like a frame.
 */
static bool is_clear_frame(struct str line)
{
	struct frame f;

	if (!line.n || !read_frame(line, &f) || !f.dso.p || !f.ip.p)
		return false;
	return is_blank(line.p[0]) || (f.ip.n >= 5 && f.dso.n && (f.dso.p[0] == '/' || f.dso.p[0] == '['));
}

bool perf_script_is(struct str line, struct str next)
{
	struct perf_header h;
	struct frame f;

	if (!line.n || line.p[0] == '\t' || !header_read(line, &h))
		return false;
	if (h.time.p && (h.event.p || str_starts(task_text(&h), STR("PERF_RECORD_"))))
		return h.tid.p || h.comm.p || str_find(h.event, STR(":")) < h.event.n || read_frame(next, &f);
	/* A less certain header is accepted only if a frame follows, on the same line or on the next one. */
	if (h.rest.p && has_address(h.rest))
		return read_frame(h.rest, &f) && f.dso.p;
	return is_clear_frame(next);
}
