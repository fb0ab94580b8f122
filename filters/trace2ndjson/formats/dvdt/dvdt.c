/*
 * dvdt: reads OpenCL calls that dvdt-prof recorded, from the output of the traced program:
 *
 *   checksum 5.8                                      the program's own output
 *   [dv/dt] <<                                        a block: at the end of each process
 *   [{"call":"clEnqueueNDRangeKernel","name":"XgemmDirectTN",...,"timestamp":{"start":"2026-11-21T04:37:46.998067",
 *     "end":...},"profiling":{"queued":2769277963057,"submit":...,"start":...,"end":...},"errcode":0},...]
 *   [dv/dt] >>
 *
 * Calls may also be printed as lines while the program runs (dvdt_lines.c). Bare arrays of calls are read too, and so
 * are experiment points of CK that contain calls (dvdt_point.c). Each call becomes an api record; each enqueue that did
 * work on the device is followed by a kernel or memcpy record. The layers that a network's program logs (dvdt_layers.c)
 * become ranges. This file recognises the form of the input.
 */
#include "dvdt_elements.h"
#include "dvdt_layers.h"
#include "dvdt_lines.h"
#include "dvdt_point.h"
#include "json/iter.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"

/* --- options --- */

#define TO(member) OPT_TO(struct dvdt_run, member)
static const struct opt dvdt_options[] = {
    {0, "drop-source", OPT_FLAG, TO(drop_source), "dvdt: leave out the source text of programs"},
    {0, "tz-offset", OPT_TEXT("[+-]H[:MM]"), OPT_TAKE, "dvdt: offset of the log's local time from UTC (default 0)"},
    {0, "year", OPT_COUNT("YEAR", 1), TO(year), "dvdt: year of the log's dates (default: the year of the calls)"},
    {0},
};

/* Reads up to two digits at *p, and moves *p to the byte after them; -1 when there are no digits. */
static int64_t two_digits(const char **p)
{
	int64_t v = -1;
	int i;

	for (i = 0; i < 2 && **p >= '0' && **p <= '9'; i++, (*p)++)
		v = (v < 0 ? 0 : v * 10) + (**p - '0');
	return v;
}

/* Takes the value of --tz-offset: "+2", "-5:30", or "+0530" (as date +%z prints it). */
static void take_zone(void *run, const struct opt_value *v)
{
	struct dvdt_run *d = run;
	const bool west = v->text[0] == '-';
	const char *p = v->text + (west || v->text[0] == '+');
	int64_t hours = two_digits(&p), minutes = 0;

	if (*p) {
		p += *p == ':';
		minutes = two_digits(&p);
	}
	if (*p || hours < 0 || hours > 24 || minutes < 0 || minutes > 59)
		opt_invalid(v->option, str_of(v->text), "an offset such as +2 or -5:30");
	d->tz_offset = (west ? -1 : 1) * (hours * 60 + minutes) * 60 * 1000000000;
}

/* --- recognition --- */

/* Whether an object or an array of objects begins at s. A program's own output rarely contains one. */
static bool is_json(struct str s)
{
	bool array;

	s = str_trim(s);
	if (!s.n || (s.p[0] != '[' && s.p[0] != '{'))
		return false;
	array = s.p[0] == '[';
	s = str_trim(str_from(s, 1));
	if (array && s.n && s.p[0] == '{')
		s = str_trim(str_from(s, 1));
	return s.n && (s.p[0] == '"' || s.p[0] == (array ? ']' : '}'));
}

/* Whether the first object of an array is a call or a layer. The text may end anywhere inside it. */
static bool is_element(struct str s)
{
	bool direction = false, label = false;
	struct str key, value;
	struct iter w;

	iter_init(&w, str_from(s, 1));
	if (w.close != '}')
		return false;
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("ph"))) /* an event of the Chrome trace format */
			return false;
		if (str_eq(key, STR("call")))
			return str_starts(value, STR("\"cl"));
		direction |= str_eq(key, STR("direction"));
		label |= str_eq(key, STR("label"));
	}
	return direction && label;
}

/* Whether the object has the list of an experiment's points as a member. The text may end inside the object. */
static bool is_point(struct str s)
{
	struct str key, value;
	struct iter w;

	iter_init(&w, s);
	while (iter_key(&w, &key) > 0) {
		if (str_eq(key, STR("characteristics_list")))
			return true;
		if (str_eq(key, STR("traceEvents")) || !iter_value(&w, &value))
			return false;
	}
	return false;
}

/* Whether the text is a program's output with lines that dvdt-prof printed or lines that log a layer. */
static bool is_output(struct str s)
{
	struct dvdt_layers layers = {0};
	struct str line;
	bool ours = false;
	size_t at;

	while (!ours && head_line(&s, &line)) {
		line = str_trim(line);
		at = str_find(line, DVDT_MARK);
		ours = str_ends(line, DVDT_OPEN) ||
		       (at < line.n && str_starts(str_from(line, at + DVDT_MARK.n), STR("cl"))) ||
		       dvdt_layers_line(&layers, line, (struct fault_location){NULL, 0, 0});
	}
	dvdt_layers_free(&layers);
	return ours;
}

/* Whether a file that begins with `head` is of this format: see `probe` in struct format. */
static bool dvdt_probe(struct str head)
{
	const struct str s = str_trim(head);

	if (s.n && s.p[0] == '{')
		return is_point(s);
	return (s.n && s.p[0] == '[' && is_element(s)) || is_output(s);
}

/* --- reading --- */

enum dvdt_state {
	START,  /* before a document or before program output */
	OUTPUT, /* in program output, at the beginning of a line */
	BLOCK,  /* after the line that opened a block */
	ARRAY,  /* in an array of calls or layers */
	POINT,  /* in an experiment point */
	METAS,  /* after the point, when the records of its repetitions are returned */
	END,
	DONE,
};

struct dvdt {
	enum dvdt_state state, after_array; /* after_array: the state that follows ARRAY */
	bool layers_array;                  /* the array has layers (per_layer_info), not calls */
	bool awaits_close;                  /* the next line must be the one that closes a block */
	bool any_document, any_call, any_layer, any_capture, any_point;
	uint64_t index;    /* index of the next call in the trace or in the repetition */
	uint64_t n_layers; /* number of layers of the repetition so far */
	struct dvdt_elements elements;
	struct dvdt_lines lines;
	struct dvdt_layers layers;
	struct dvdt_call call;
	struct dvdt_point point;
	struct buf attachments; /* ,"repetition":N */
};

static void open_dvdt(void *state, struct reader *r)
{
	const struct dvdt_run *run = r->run;
	struct dvdt *d = state;

	d->layers.has_earlier = run->any_call;
	d->layers.earlier = run->first_call;
}

/* --- records --- */

/* Makes the record of a call, and passes its start to the layers. False if it has no record or is not selected. */
static bool call_record(struct dvdt *d, struct reader *r, struct str object, struct fault_location at, struct event *e)
{
	struct dvdt_run *run = r->run;
	bool is_call;

	d->index += d->elements.lost + d->lines.lost; /* lost calls are numbered too */
	d->elements.lost = d->lines.lost = 0;
	d->call.index = (int64_t)d->index++;
	is_call = dvdt_call(&d->call, r, object, at, e);
	d->any_call |= is_call;
	if (is_call && event_has(e, EVENT_TS)) {
		if (!d->layers.any_call)
			run->first_call = e->ts;
		run->any_call = true;
		dvdt_layers_call(&d->layers, e->ts);
	}
	return is_call && reader_wants(r, KIND_API);
}

/* --- program output --- */

static void add_output_line(struct dvdt *d, struct str line, struct fault_location at)
{
	d->any_layer |= dvdt_layers_line(&d->layers, str_head(line, line.n - str_ends(line, STR("\r"))), at);
}

/* Reads a line of program output. Returns 1 when it completed a call, whose record is then *e. */
static int read_output(struct dvdt *d, struct reader *r, struct event *e)
{
	struct fault_location at = {r->file, d->elements.line + 1, r->src->offset};
	struct str line, text;
	bool cut, over;
	size_t mark;

	if (!document_line(r, &line, &cut, &over)) {
		if (d->awaits_close && !r->src->fault.what)
			reader_lost(r, "block of calls without its closing line ([dv/dt] >>)", at.line, at.byte);
		d->state = END;
		return 0;
	}
	d->elements.line++;
	d->lines.over |= over; /* if a line is over the limit, its call is over the limit too */
	text = str_head(line, line.n - str_ends(line, STR("\r")));
	if (str_starts(text, DVDT_CLOSE) && !d->lines.in_source.n) {
		if (!d->awaits_close)
			reader_lost(
			    r, "closing line of a block ([dv/dt] >>) without an opening line", at.line, at.byte);
		d->awaits_close = false;
		return 0;
	}
	if (d->awaits_close && text.n) {
		reader_lost(r, "block of calls without its closing line ([dv/dt] >>)", at.line, at.byte);
		d->awaits_close = false;
	}
	if (!d->lines.in_source.n) {
		if (str_ends(text, DVDT_OPEN)) {
			add_output_line(d, str_head(text, text.n - DVDT_OPEN.n), at);
			d->any_capture = true;
			d->state = BLOCK;
			return 0;
		}
		/* A call can follow text of the program that had no newline yet. */
		mark = str_find(line, DVDT_MARK);
		if (mark && mark < line.n) {
			add_output_line(d, str_head(line, mark), at);
			line = str_from(line, mark);
		}
	}
	switch (dvdt_lines_add(&d->lines, r, line, cut, at)) {
	case DVDT_WHOLE:
		d->any_capture = true;
		return call_record(d, r, buf_str(&d->lines.record), d->lines.at, e);
	case DVDT_TAKEN:
		d->any_capture = true;
		break;
	case DVDT_OTHER:
		add_output_line(d, line, at);
	}
	return 0;
}

static void open_array(struct dvdt *d, struct reader *r, bool layers)
{
	d->layers_array = layers;
	d->after_array = d->state == BLOCK ? OUTPUT : d->state;
	d->elements.block = d->state == BLOCK;
	dvdt_elements_begin(&d->elements, r);
	d->state = ARRAY;
}

/* --- documents --- */

/* Begins the next part of the input: an array, a point, or text. */
static void open_first(struct dvdt *d, struct reader *r)
{
	/* ENOUGH bytes after the white space show what begins here. LOOK limits the white space that is stored. */
	enum { ENOUGH = 1024, LOOK = 1 << 20 };
	struct source *s = r->src;
	struct str text;

	do
		text = str_trim((struct str){s->p, s->n});
	while (text.n < ENOUGH && s->n < LOOK && source_more(s) > 0);
	text = str_trim((struct str){s->p, s->n});
	if (!is_json(text)) {
		if (d->any_document && text.n)
			reader_lost(
			    r, "text after the array of calls; skipped", 0, s->offset + (uint64_t)(text.p - s->p));
		d->state = text.n ? OUTPUT : END;
		return;
	}
	source_skip(s, (size_t)(text.p - s->p) + 1);
	d->any_document = true;
	if (text.p[0] == '[') {
		d->any_capture = true;
		open_array(d, r, false);
	} else {
		d->any_point = true;
		dvdt_point_begin(&d->point);
		d->state = POINT;
	}
}

static int read_element(struct dvdt *d, struct reader *r, struct event *e)
{
	struct str text;

	switch (dvdt_elements_next(&d->elements, r, &text)) {
	case DVDT_ELEMENT:
		/* An array outside of a point may contain layers too: a per_layer_info may be a file of its own. */
		if (!d->layers_array && (d->after_array != START || d->any_call || iter_find(text, STR("call")).p ||
					    !iter_find(text, STR("label")).p))
			return call_record(d, r, text, d->elements.at, e);
		if (!dvdt_layers_add(&d->layers, text, d->elements.at)) {
			reader_lost(
			    r, "array element is not a layer; skipped", d->elements.at.line, d->elements.at.byte);
			break;
		}
		d->any_layer = true;
		d->n_layers++;
		break;
	case DVDT_CLOSED:
		d->awaits_close = d->after_array == OUTPUT;
		d->state = d->after_array;
		break;
	case DVDT_BROKEN:
		d->awaits_close = str_starts((struct str){r->src->p, r->src->n}, DVDT_CLOSE);
		d->state = d->after_array;
		break;
	case DVDT_ENDED:
		d->state = d->after_array == POINT ? METAS : END;
		break;
	case DVDT_NONE:
		break;
	}
	return 0;
}

static int read_point(struct dvdt *d, struct reader *r, struct event *e)
{
	switch (dvdt_point_step(&d->point, r, e)) {
	case DVDT_RECORD:
		d->attachments.n = 0; /* the record gets no "repetition": the member describes all repetitions */
		return 1;
	case DVDT_CALLS:
		open_array(d, r, false);
		break;
	case DVDT_LAYERS:
		open_array(d, r, true);
		break;
	case DVDT_OPENED: /* each repetition is a separate trace */
		d->index = d->n_layers = 0;
		dvdt_layers_reset(&d->layers);
		d->attachments.n = 0;
		json_write_int(&d->attachments, "repetition", (int64_t)d->point.repetition);
		break;
	case DVDT_RAN:
		dvdt_point_counts(&d->point, d->index, d->n_layers);
		d->layers.go = true;
		break;
	case DVDT_END:
		d->state = METAS;
		break;
	case DVDT_ON:
		break;
	}
	return 0;
}

static int read_metas(struct dvdt *d, struct reader *r, struct event *e)
{
	struct str repetition;

	d->attachments.n = 0;
	if (!dvdt_point_next(&d->point, r, e, &repetition)) {
		d->state = START;
		return 0;
	}
	json_write_json(&d->attachments, "repetition", repetition);
	return reader_wants(r, KIND_META);
}

/* --- the end --- */

static int read_end(struct dvdt *d, struct reader *r, struct event *e)
{
	const bool nothing = !d->any_capture && !d->any_layer;

	d->state = DONE;
	d->layers.go = true;
	if (dvdt_lines_end(&d->lines, r))
		return call_record(d, r, buf_str(&d->lines.record), d->lines.at, e);
	if (d->any_point ? !d->point.any_profiling : nothing)
		reader_lost(r,
		    d->any_point
			? "experiment point without OpenCL calls (no member dvdt_prof)"
			: "no OpenCL calls: neither a dvdt-prof block nor a dvdt-prof line; did the program crash?",
		    0, 0);
	else if (!d->any_call && !d->any_layer)
		reader_note(r, "the capture is empty: no OpenCL calls", 0, 0);
	return 0;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct dvdt *d = state;
	int made = 0;

	while (!made) {
		if (d->call.has_device) {
			*e = d->call.device;
			d->call.has_device = false;
			break;
		}
		if (dvdt_layers_next(&d->layers, r, e)) {
			made = reader_wants(r, KIND_RANGE);
			continue;
		}
		switch (d->state) {
		case START:
			open_first(d, r);
			break;
		case OUTPUT:
			made = read_output(d, r, e);
			break;
		case BLOCK:
			if (document_take(r, '[')) {
				open_array(d, r, false);
				break;
			}
			reader_lost(
			    r, "block of calls is not a JSON array; skipped", d->elements.line + 1, r->src->offset);
			d->awaits_close = r->src->n > 0;
			d->state = OUTPUT;
			break;
		case ARRAY:
			made = read_element(d, r, e);
			break;
		case POINT:
			made = read_point(d, r, e);
			break;
		case METAS:
			made = read_metas(d, r, e);
			break;
		case END:
			made = read_end(d, r, e);
			break;
		case DONE:
			return 0;
		}
	}
	e->attachments = buf_str(&d->attachments);
	return 1;
}

static void close_dvdt(void *state, struct reader *r)
{
	struct dvdt *d = state;

	(void)r;
	buf_free(&d->attachments);
	dvdt_lines_free(&d->lines);
	dvdt_layers_free(&d->layers);
	dvdt_call_free(&d->call);
	dvdt_point_free(&d->point);
}

const struct format format_dvdt = {
    .name = "dvdt",
    .help = "OpenCL calls of dvdt-prof: program output, arrays, CK experiment points; layers of Caffe",
    .example = "dvdt-prof ./program 2>&1 | trace2ndjson",
    .probe = dvdt_probe,
    .run_size = sizeof(struct dvdt_run),
    .options = dvdt_options,
    .take = take_zone,
    .state_size = sizeof(struct dvdt),
    .open = open_dvdt,
    .next = next,
    .close = close_dvdt,
};
