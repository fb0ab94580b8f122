/* dvdt_lines: reads what a program logs line by line: its calls, and the layers of a network. */
#include "dvdt.h"

#include "base/char_class.h"
#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

enum { DVDT_LAYERS_WAIT = 1 << 20 };

/*
 * --- layers ---
 *
 * The program that runs a network logs a line at the end of each layer:
 *
 *   I1121 04:40:43.020357 12794 caffe.cpp:403]      conv1	forward: 75.8103 ms.
 *
 * The reader also accepts the objects that an experiment point contains in place of such lines:
 *
 *   {"direction":"forward","index":0,"label":"00: conv1","time_ms":75.8103,"time_s":0.0758103,
 *    "timestamp":"1121 04:40:43.020357"}
 *
 * Lines of a log are converted to such objects. Each `forward` line begins the next layer; a `backward` line gets the
 * index of the last `forward` line.
 */

enum { MS_DIGITS = 6 }; /* 1 ms is 10^MS_DIGITS ns */

/* --- input --- */

/* Splits "I1121 04:40:43.020357 12794 caffe.cpp:403] TEXT" into the time stamp and the text. */
static bool split_log(struct str line, struct str *stamp, struct str *text)
{
	enum { STAMP = 20 };
	size_t bracket;
	int64_t ns;
	int month;

	if (line.n < STAMP + 2 || !memchr("IWEF", line.p[0], 4) || line.p[STAMP + 1] != ' ')
		return false;
	*stamp = str_head(str_from(line, 1), STAMP);
	bracket = str_find(line, STR("] "));
	*text = str_trim(str_from(line, bracket + 2));
	return bracket < line.n && dvdt_log_time(*stamp, 2000, &ns, &month);
}

/* Splits "conv1\tforward: 75.8103 ms." into name, direction and time. */
static bool split_layer(struct str text, struct str *name, struct str *direction, struct str *ms)
{
	static const struct str directions[] = {{"forward", 7}, {"backward", 8}};
	struct str rest;
	double v;
	size_t i;

	if (!str_ends(text, STR(" ms.")))
		return false;
	text.n -= 4;
	for (*ms = str_head(text, 0); text.n && text.p[text.n - 1] != ' '; text.n--)
		*ms = (struct str){text.p + text.n - 1, ms->n + 1};
	rest = str_trim(text);
	for (i = 0; i < 2; i++) {
		*direction = directions[i];
		if (!str_ends(rest, STR(":")) || !str_ends(str_head(rest, rest.n - 1), *direction))
			continue;
		*name = str_head(rest, rest.n - 1 - direction->n);
		if (name->n && is_blank(name->p[name->n - 1])) {
			*name = str_trim(*name);
			return name->n && num_double(*ms, &v);
		}
	}
	return false;
}

static void put_label(struct buf *b, int64_t index, struct str name)
{
	char digits[NUM_ROOM];
	struct buf label = {0};
	char *end = num_put_i64(digits, index);

	if (index < 10)
		buf_char(&label, '0');
	buf_add(&label, digits, (size_t)(end - digits));
	buf_lit(&label, ": ");
	buf_add(&label, name.p, name.n);
	json_write_text(b, "label", json_write_str(&label));
	buf_free(&label);
}

/* Removes the white space from an object, and adds the object to the waiting layers. */
static void add_layer(struct dvdt_layers *l, struct str object, struct fault_place at)
{
	if (!l->waiting.n)
		l->place = at;
	buf_room(&l->waiting, object.n + 2 * SCAN_PAD);
	l->waiting.n += scan_squeeze(l->waiting.p + l->waiting.n, object).n;
	buf_char(&l->waiting, '\n');
	l->go |= l->waiting.n > DVDT_LAYERS_WAIT;
}

bool dvdt_layers_line(struct dvdt_layers *l, struct str line, struct fault_place at)
{
	struct str stamp, text, name, direction, ms;
	char seconds[NUM_ROOM], *end;
	struct buf *b = &l->text;
	int64_t index;

	if (!split_log(line, &stamp, &text) || !split_layer(text, &name, &direction, &ms))
		return false;
	if (direction.p[0] == 'f')
		l->index++;
	index = l->index - (l->index > 0);
	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_text(b, "direction", direction);
	json_write_int(b, "index", index);
	put_label(b, index, name);
	json_write_json(b, "time_ms", ms);
	end = num_put_scaled(seconds, ms, 3, -1);
	if (end)
		json_write_json(b, "time_s", (struct str){seconds, (size_t)(end - seconds)});
	json_write_text(b, "timestamp", stamp);
	json_write_end(b, '}');
	memset(buf_room(b, SCAN_PAD), 0, SCAN_PAD);
	add_layer(l, json_write_str(b), at);
	return true;
}

bool dvdt_layers_add(struct dvdt_layers *l, struct str object, struct fault_place at)
{
	struct str label = iter_find(object, STR("label"));

	if (!label.p || label.p[0] != '"')
		return false;
	add_layer(l, object, at);
	return true;
}

/* --- output --- */

/*
 * Sets *ts to the start of the first call in this file or, if it has no calls, in a preceding file. False when not
 * found.
 */
static bool first_call(const struct dvdt_layers *l, int64_t *ts)
{
	*ts = l->any_call ? l->first_call : l->earlier;
	return l->any_call || l->has_earlier;
}

void dvdt_layers_call(struct dvdt_layers *l, int64_t ts)
{
	l->go = true;
	if (!l->any_call)
		l->first_call = ts;
	l->any_call = true;
}

/* Finds the year of the log's dates; false when it is unknown. */
static bool find_year(const struct dvdt_layers *l, const struct reader *r, int64_t *year)
{
	const struct dvdt_run *run = r->run;
	int64_t first;

	if (run->year)
		*year = run->year;
	else if (first_call(l, &first) && first) /* 0 is not a real time: see read_times() */
		*year = dvdt_year(int_add(first, run->tz_offset));
	else
		return false;
	return true;
}

/* Finds the end of the layer, in ns; false when its time or its year is missing. */
static bool find_end(struct dvdt_layers *l, struct reader *r, struct str stamp, int64_t *end)
{
	const struct dvdt_run *run = r->run;
	int64_t year;
	int month;

	if (!stamp.p || stamp.n < 2)
		return false;
	stamp = (struct str){stamp.p + 1, stamp.n - 2};
	if (!find_year(l, r, &year)) {
		reader_note(r, "layer without ts: the dates of the log have no year; set it with --year", l->place.line,
		    l->place.byte);
		return false;
	}
	if (!dvdt_log_time(stamp, year + l->years, end, &month)) {
		reader_lost(r, "layer has an invalid timestamp; written without ts", l->place.line, l->place.byte);
		return false;
	}
	/* The log goes from December to January: the next year begins. */
	if (l->any && l->month == 12 && month == 1) {
		l->years++;
		dvdt_log_time(stamp, year + l->years, end, &month);
	}
	l->month = month;
	*end = int_sub(*end, run->tz_offset);
	return true;
}

/*
 * Sets ts and dur. A layer begins where the preceding one ended, or where the first call began, and ends at its logged
 * time. If its beginning or its end is unknown, its logged duration is used.
 */
static void set_call_times(struct dvdt_layers *l, struct reader *r, struct event *e, struct str stamp, struct str ms)
{
	int64_t end, start, dur;
	bool has_dur = ms.p && num_fixed(ms, MS_DIGITS, &dur) == NUM_OK, has_start;

	if (!find_end(l, r, stamp, &end)) {
		if (has_dur)
			event_set_dur(e, dur);
		return;
	}
	has_start = first_call(l, &start) || l->any;
	if (l->any)
		start = l->last;
	if (has_start && !l->any && start > end)
		reader_note(r, "layer ends before the first call; check --tz-offset", l->place.line, l->place.byte);
	if (!has_start || start > end)
		start = has_dur ? int_sub(end, dur) : end;
	l->any = true;
	l->last = end;
	event_set_ts(e, start);
	event_set_dur(e, int_sub(end, start));
}

bool dvdt_layers_next(struct dvdt_layers *l, struct reader *r, struct event *e)
{
	struct str rest, object;

	if (!l->go || l->at == l->waiting.n)
		return false;
	rest = str_from(json_write_str(&l->waiting), l->at);
	object = str_head(rest, str_find(rest, STR("\n")));
	l->args.n = 0;
	buf_add(&l->args, object.p, object.n);
	memset(buf_room(&l->args, SCAN_PAD), 0, SCAN_PAD);
	l->at += object.n + 1;
	if (l->at == l->waiting.n)
		l->at = l->waiting.n = 0;
	object = json_write_str(&l->args);
	event_clear(e);
	set_call_times(l, r, e, iter_find(object, STR("timestamp")), iter_find(object, STR("time_ms")));
	event_set_kind(e, KIND_RANGE);
	event_set(e, EVENT_NAME, iter_find(object, STR("label")));
	if (r->args)
		event_set(e, EVENT_ARGS, object);
	return true;
}

void dvdt_layers_reset(struct dvdt_layers *l)
{
	l->waiting.n = l->at = 0;
	l->go = l->any_call = l->any = false;
	l->years = l->index = 0;
}

void dvdt_layers_free(struct dvdt_layers *l)
{
	buf_free(&l->waiting);
	buf_free(&l->text);
	buf_free(&l->args);
}

/*
 * --- calls that are printed as lines ---
 *
 * Each line names the call:
 *
 *   [dv/dt] clBuildProgram                          begins the call
 *   [dv/dt] clBuildProgram program 0x55ab           a field, as in the JSON form
 *   [dv/dt] clBuildProgram start 2026-11-21T04:37:46.122970
 *   [dv/dt] clBuildProgram end 2026-11-21T04:37:46.168298
 *   [dv/dt] clBuildProgram errcode 0                the last field, except for an object
 *
 * Functions that create an object print that object after errcode. A blank line ends the call. A program's source text
 * is printed unchanged, between two lines of the call, and is followed by a newline. The result is the call in its JSON
 * form.
 */

enum as { TEXT, NUMBER, NUMBERS, TEXTS, STAMPS };

/* The fields whose value is not a single string. */
static const struct {
	struct str name;
	enum as as;
} fields[] = {
    {{"flags", 5}, NUMBER},
    {{"size", 4}, NUMBER},
    {{"offset", 6}, NUMBER},
    {{"blocking", 8}, NUMBER},
    {{"count", 5}, NUMBER},
    {{"num_kernels", 11}, NUMBER},
    {{"num_kernels_ret", 15}, NUMBER},
    {{"properties", 10}, NUMBER},
    {{"arg_index", 9}, NUMBER},
    {{"arg_size", 8}, NUMBER},
    {{"errcode", 7}, NUMBER},
    {{"gwo", 3}, NUMBERS},
    {{"gws", 3}, NUMBERS},
    {{"lws", 3}, NUMBERS},
    {{"device_list", 11}, TEXTS},
    {{"event_wait_list", 15}, TEXTS},
    {{"profiling", 9}, STAMPS},
};

static enum as field_as(struct str field)
{
	size_t i;

	for (i = 0; i < sizeof fields / sizeof *fields; i++) {
		if (str_eq(field, fields[i].name))
			return fields[i].as;
	}
	return TEXT;
}

static void set_line_text(struct buf *b, struct str text)
{
	b->n = 0;
	buf_add(b, text.p, text.n);
}

/* Returns the first word of *s, and moves *s past this word and the space after it. */
static struct str next_word(struct str *s)
{
	size_t n = str_find(*s, STR(" "));
	struct str w = str_head(*s, n);

	*s = str_from(*s, n + 1);
	return w;
}

/* --- the lines of a call --- */

/* Writes the sources read so far as one member. */
static void flush_sources(struct dvdt_lines *l)
{
	if (!l->sources.n)
		return;
	json_write_begin(&l->before, "source", '{');
	buf_add(&l->before, l->sources.p + 1, l->sources.n - 1); /* without the first comma */
	json_write_end(&l->before, '}');
	l->sources.n = 0;
}

static void begin_call(struct dvdt_lines *l, struct str name, struct fault_place at)
{
	set_line_text(&l->name, name);
	l->before.n = l->after.n = l->start.n = l->end.n = l->source.n = l->sources.n = 0;
	l->in_source = (struct str){NULL, 0};
	l->over = l->has_errcode = l->has_object = false;
	l->at = at;
}

static void drop_call(struct dvdt_lines *l, struct reader *r, const char *what)
{
	reader_lost(r, what, l->at.line, l->at.byte);
	l->lost++;
	l->name.n = 0;
	l->in_source = (struct str){NULL, 0};
}

static bool is_whole(const struct dvdt_lines *l)
{
	struct str name = json_write_str(&l->name);

	if (!l->name.n || l->in_source.p || !l->has_errcode)
		return false;
	return l->has_object || !str_starts(name, STR("clCreate")) || str_eq(name, STR("clCreateKernelsInProgram"));
}

static bool make_record(struct dvdt_lines *l, struct reader *r)
{
	struct buf *b = &l->record;

	if (l->over) {
		drop_call(l, r, "record larger than --max-record; skipped");
		return false;
	}
	flush_sources(l);
	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_text(b, "call", json_write_str(&l->name));
	buf_add(b, l->before.p, l->before.n);
	if (l->start.n) {
		json_write_begin(b, "timestamp", '{');
		json_write_text(b, "start", json_write_str(&l->start));
		if (l->end.n)
			json_write_text(b, "end", json_write_str(&l->end));
		json_write_end(b, '}');
	}
	buf_add(b, l->after.p, l->after.n);
	json_write_end(b, '}');
	memset(buf_room(b, SCAN_PAD), 0, SCAN_PAD);
	l->name.n = 0;
	return true;
}

/* Ends the current record, if there is one. True when it was complete. */
static bool end_call(struct dvdt_lines *l, struct reader *r)
{
	if (is_whole(l))
		return make_record(l, r);
	if (l->name.n)
		drop_call(l, r, "record cut short; skipped");
	return false;
}

/* --- one line --- */

static void put_stamps(struct buf *b, struct str value)
{
	static const char *const keys[] = {"queued", "submit", "start", "end"};
	size_t i;

	buf_char(b, '{');
	for (i = 0; i < 4 && value.n; i++)
		json_write_number(b, keys[i], next_word(&value));
	buf_char(b, '}');
}

static void put_list(struct buf *b, struct str value, enum as as)
{
	struct str element;

	buf_char(b, '[');
	while (value.n) {
		element = next_word(&value);
		if (element.n)
			(as == NUMBERS ? json_write_number : json_write_text)(b, NULL, element);
	}
	buf_char(b, ']');
}

static void add_field(struct dvdt_lines *l, struct str field, struct str value)
{
	struct buf *b = l->start.n ? &l->after : &l->before;
	enum as as = field_as(field);
	double number;

	flush_sources(l);
	if (str_eq(field, STR("start"))) {
		set_line_text(&l->start, value);
		return;
	}
	if (str_eq(field, STR("end"))) {
		set_line_text(&l->end, value);
		return;
	}
	if (str_eq(field, STR("output")) && str_starts(value, STR("profiling info error: "))) {
		json_write_number(b, "output profiling_error", str_from(value, 22));
		return;
	}
	json_write_name(b, field);
	switch (as) {
	case NUMBERS:
	case TEXTS:
		put_list(b, value, as);
		break;
	case STAMPS:
		put_stamps(b, value);
		break;
	case NUMBER:
		if (num_double(value, &number)) {
			buf_add(b, value.p, value.n);
			break;
		}
		/* fall through */
	case TEXT:
		json_quote(b, value);
	}
}

/* Whether the field is "sources[N]", which begins (<<) or ends (>>) a source. */
static bool is_source(struct str field, struct str *number)
{
	if (!str_starts(field, STR("sources[")) || !str_ends(field, STR("]")))
		return false;
	*number = str_from(str_head(field, field.n - 1), 8);
	return number->n && number->n < NUM_ROOM;
}

/* Whether n more bytes of the call may be stored. The lines of a call over the limit are read, but not stored. */
static bool has_room(struct dvdt_lines *l, const struct reader *r, size_t n)
{
	l->over |= l->before.n + l->after.n + l->sources.n + l->source.n + n > r->max_record;
	return !l->over;
}

static void open_source(struct dvdt_lines *l, struct str number)
{
	memcpy(l->number, number.p, number.n);
	l->in_source = (struct str){l->number, number.n};
	l->source.n = 0;
}

static void close_source(struct dvdt_lines *l, const struct reader *r)
{
	const struct dvdt_run *run = r->run;
	struct str text = json_write_str(&l->source);

	if (!run->drop_source) {
		json_write_name(&l->sources, l->in_source);
		json_quote(&l->sources, str_head(text, text.n - (text.n > 0)));
	}
	l->in_source = (struct str){NULL, 0};
	l->source.n = 0;
}

/* Adds a line to the text of the current source. */
static void add_source(struct dvdt_lines *l, const struct reader *r, struct str line)
{
	const struct dvdt_run *run = r->run;

	if (run->drop_source || !has_room(l, r, line.n + 1))
		return;
	buf_add(&l->source, line.p, line.n);
	buf_char(&l->source, '\n');
}

/* Reads the part of a line that follows the call's name. */
static void read_field(struct dvdt_lines *l, struct reader *r, struct str rest)
{
	struct str field = next_word(&rest), number;

	if (is_source(field, &number) && !l->in_source.p && str_eq(rest, STR("<<"))) {
		open_source(l, number);
	} else if (is_source(field, &number) && str_eq(number, l->in_source) && str_eq(rest, STR(">>"))) {
		close_source(l, r);
	} else if (l->in_source.p) {
		drop_call(l, r, "record cut short; skipped");
	} else {
		l->has_object |= l->has_errcode;
		l->has_errcode |= str_eq(field, STR("errcode"));
		if (has_room(l, r, field.n + rest.n))
			add_field(l, field, rest);
	}
}

static bool is_call(struct str name)
{
	return str_starts(name, STR("cl")) && str_all(str_from(name, 2), is_alphanumeric);
}

enum dvdt_line dvdt_lines_add(struct dvdt_lines *l, struct reader *r, struct str line, bool cut, struct fault_place at)
{
	struct str rest = line, name;
	bool whole;

	if (rest.n && rest.p[rest.n - 1] == '\r')
		rest.n--;
	if (l->in_source.p && !str_starts(rest, DVDT_MARK)) {
		reader_check_text(r, line, at.line, at.byte);
		add_source(l, r, line);
		return DVDT_TAKEN;
	}
	if (!rest.n)
		return !is_whole(l) ? DVDT_OTHER : make_record(l, r) ? DVDT_WHOLE : DVDT_TAKEN;
	if (!str_starts(rest, DVDT_MARK))
		return DVDT_OTHER;
	rest = str_from(rest, DVDT_MARK.n);
	name = str_head(rest, str_find(rest, STR(" ")));
	if (cut) {
		if (!l->name.n)
			l->at = at;
		drop_call(l, r, "record cut short; skipped");
		return DVDT_TAKEN;
	}
	if (name.n == rest.n && is_call(name)) {
		whole = end_call(l, r);
		begin_call(l, name, at);
		return whole ? DVDT_WHOLE : DVDT_TAKEN;
	}
	if (!l->name.n || !str_eq(name, json_write_str(&l->name))) {
		reader_lost(
		    r, "line continues a call, but the first line of that call is missing; skipped", at.line, at.byte);
		return DVDT_TAKEN;
	}
	reader_check_text(r, line, at.line, at.byte);
	read_field(l, r, str_from(rest, name.n + 1));
	return DVDT_TAKEN;
}

bool dvdt_lines_end(struct dvdt_lines *l, struct reader *r)
{
	return end_call(l, r);
}

void dvdt_lines_free(struct dvdt_lines *l)
{
	buf_free(&l->name);
	buf_free(&l->before);
	buf_free(&l->after);
	buf_free(&l->start);
	buf_free(&l->end);
	buf_free(&l->source);
	buf_free(&l->sources);
	buf_free(&l->record);
}
