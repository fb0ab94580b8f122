/*
 * perf_script: reads the output of perf script. Each sample has a header line, the frames from the leaf to the root,
 * and a blank line. Without callchains, the only frame is on the header line, and no blank line follows.
 */
#include "perf.h"

#include "perf_words.h"
#include "json/write.h"

/* --- frames --- */

struct frame {
	struct str ip, symbol, offset, dso;
};

/* Removes "(DSO)" from the end of *s, and sets *dso. The name may contain brackets: "(/memfd:x (deleted))". */
static bool take_dso(struct str *s, struct str *dso)
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

/* Removes "+0x41" from the end of *s, and sets *offset. */
static void take_offset(struct str *s, struct str *offset)
{
	size_t i = s->n;

	while (i && is_of_address(s->p[i - 1]))
		i--;
	if (i < 4 || i == s->n || memcmp(s->p + i - 3, "+0x", 3) != 0)
		return;
	*offset = str_from(*s, i - 2);
	s->n = i - 3;
}

/* Reads "HEX SYMBOL+0xOFFSET (DSO)". Each part may be missing, but the address or the object must be there. */
static bool read_frame(struct str s, struct frame *f)
{
	struct str word;
	bool has_dso;

	*f = (struct frame){0};
	s = trim_left(trim_right(s));
	has_dso = take_dso(&s, &f->dso);
	word = first_word(s);
	if (str_all(word, is_of_address)) {
		f->ip = word;
		s = drop_first(s, word);
	} else if (!has_dso) {
		return false;
	}
	take_offset(&s, &f->offset);
	f->symbol = s;
	return true;
}

/* --- samples --- */

/*
 * Reads a line with PERF_RECORD_COMM, PERF_RECORD_FORK or another such type. The option --show-task-events and similar
 * options print such lines.
 */
static int task_event(struct perf *p, struct reader *r, struct str line, const struct perf_header *h, struct event *e)
{
	struct str rest = str_from(line, (size_t)((h->event.p ? h->event.p : trim_left(h->rest).p) - line.p));
	struct str word = {rest.p, 0};
	enum event_kind kind;
	int64_t ts;

	while (word.n < rest.n && (is_upper(word.p[word.n]) || word.p[word.n] == '_' || is_digit(word.p[word.n])))
		word.n++;
	kind = str_eq(word, STR("PERF_RECORD_COMM")) ? KIND_META : KIND_OTHER;
	if (str_starts(word, STR("PERF_RECORD_LOST")))
		reader_warning(r, "perf reports that it lost events here", p->line.line, p->line.offset);
	if (!reader_wants(r, kind))
		return 0;
	perf_begin(p, e);
	event_set_kind(e, kind);
	perf_name(p, e, word);
	if (h->time.p && perf_seconds(h->time, &ts))
		event_set_ts(e, ts);
	perf_integer(e, EVENT_PID, h->pid);
	perf_integer(e, EVENT_TID, h->tid);
	if (h->comm.p)
		json_write_text(&p->more, "comm", h->comm);
	if (h->cpu.p)
		perf_value(&p->more, "cpu", perf_digits(h->cpu));
	rest = trim_left(str_from(rest, word.n));
	if (str_starts(rest, STR(":")))
		rest = trim_left(str_from(rest, 1));
	json_write_text(&p->args, "text", rest);
	perf_end(p, e);
	return 1;
}

static bool is_task_event(const struct perf_header *h)
{
	return str_starts(h->event.p ? h->event : trim_left(h->rest), STR("PERF_RECORD_"));
}

/*
 * Begins a sample. Copies the line: the texts of the header are views of the copy, and must stay valid after the next
 * line has been read.
 */
static void begin_sample(struct perf *p, struct reader *r, const struct str line)
{
	struct perf_sample *s = &p->sample;
	struct perf_header h;
	struct frame f;

	perf_sample_clear(s);
	buf_add(&s->head, line.p, line.n);
	perf_header_read((struct str){s->head.p, s->head.n}, &h);
	*s = (struct perf_sample){.open = true,
	    .comm = h.comm,
	    .pid = h.pid,
	    .tid = h.tid,
	    .cpu = h.cpu,
	    .flags = h.flags,
	    .event = h.event,
	    .period = h.period,
	    .line = p->line.line,
	    .offset = p->line.offset,
	    .size = line.n,
	    .frames = s->frames,
	    .cap = s->cap,
	    .text = s->text,
	    .head = s->head};
	if (h.time.p) {
		s->has_ts = perf_seconds(h.time, &s->ts);
		if (!s->has_ts)
			reader_lost(r, "ts does not fit in 64 bits; sample skipped", s->line, s->offset);
		s->open = s->has_ts;
	}
	if (!h.rest.p)
		return;
	if (perf_is_address(h.rest, first_word(trim_left(h.rest))) && read_frame(h.rest, &f))
		perf_frame_add(s, f.ip, f.symbol, f.offset, f.dso);
	else
		s->note = str_trim(h.rest);
}

/*
 * Whether the sample with n more bytes fits in --max-record. If not, the sample is skipped, like a line that is too
 * long.
 */
static bool fits(struct perf *p, struct reader *r, size_t n)
{
	p->sample.size += n;
	if (p->sample.size <= r->max_record)
		return true;
	reader_lost(r, "sample larger than --max-record; skipped", p->sample.line, p->sample.offset);
	p->sample.open = false;
	return false;
}

/* Reads a line that is not a header. When no sample has a header (-F ip,sym), the first frame begins a sample. */
static void inner_line(struct perf *p, struct reader *r, struct str line)
{
	struct perf_sample *s = &p->sample;
	struct frame f;

	if (read_frame(line, &f)) {
		if (!s->open && !p->any_header && is_blank(line.p[0]) && f.ip.p && f.dso.p) {
			perf_sample_clear(s);
			s->open = true;
			s->line = p->line.line;
			s->offset = p->line.offset;
		}
		if (!s->open)
			reader_lost(r, "stack frame without a sample header; skipped", p->line.line, p->line.offset);
		else if (fits(p, r, line.n))
			perf_frame_add(s, f.ip, f.symbol, f.offset, f.dso);
	} else if (s->open && s->n && is_blank(line.p[0])) {
		if (fits(p, r, line.n))
			perf_frame_line(s, str_trim(line));
	} else {
		reader_lost(r, "not a line of perf output; skipped", p->line.line, p->line.offset);
	}
}

int perf_script_end(struct perf *p, struct reader *r, struct event *e)
{
	p->sample.open = false;
	if (!reader_wants(r, KIND_SAMPLE))
		return 0;
	perf_sample_end(p, &p->sample, r->args, (struct str){NULL, 0}, e);
	return 1;
}

/*
 * Whether the bytes that have been read show that the next line is blank. In that case the sample ends, and its record
 * can be made at once.
 */
static bool is_last(const struct perf *p)
{
	const struct lines *u = &p->lines;
	struct str next = {u->src->p + u->start, u->src->n - u->start};

	return str_starts(next, STR("\n")) || str_starts(next, STR("\r\n"));
}

int perf_script_line(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct perf_header h;
	const bool apart = p->line.line != p->last_line + 1;
	const bool begins = line.p[0] != '\t' && perf_header_read(line, &h);

	if (p->sample.open && (apart || begins)) {
		p->again = true;
		return perf_script_end(p, r, e);
	}
	if (begins && is_task_event(&h))
		return task_event(p, r, trim_right(line), &h, e);
	if (begins) {
		p->layout = PERF_SCRIPT;
		p->any_header = true;
		begin_sample(p, r, line);
	} else {
		inner_line(p, r, line);
	}
	return p->sample.open && is_last(p) && perf_script_end(p, r, e);
}

/*
 * Whether the line after a header is certainly a frame with an address and an object. perf indents frames. If another
 * program removed the indentation, a log line may look like a frame. So the address must be long, and the object must
 * be a path or in brackets.
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

	if (!line.n || line.p[0] == '\t' || !perf_header_read(line, &h))
		return false;
	if (h.time.p && (is_task_event(&h) || h.event.p))
		return h.tid.p || h.comm.p || str_find(h.event, STR(":")) < h.event.n || read_frame(next, &f);
	/* A less certain header is accepted only if a frame follows, on the same line or on the next one. */
	if (h.rest.p && perf_is_address(h.rest, first_word(trim_left(h.rest))))
		return read_frame(h.rest, &f) && f.dso.p;
	return is_clear_frame(next);
}
