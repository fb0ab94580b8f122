#include "dvdt_lines.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

enum as { TEXT, NUMBER, NUMBERS, TEXTS, STAMPS };

/* Returns the form of a field's value; most values are a single string. */
static enum as field_as(struct str field)
{
	static const struct {
		struct str name;
		enum as as;
	} fields[] = {{{"flags", 5}, NUMBER}, {{"size", 4}, NUMBER}, {{"offset", 6}, NUMBER}, {{"blocking", 8}, NUMBER},
	    {{"count", 5}, NUMBER}, {{"num_kernels", 11}, NUMBER}, {{"num_kernels_ret", 15}, NUMBER},
	    {{"properties", 10}, NUMBER}, {{"arg_index", 9}, NUMBER}, {{"arg_size", 8}, NUMBER},
	    {{"errcode", 7}, NUMBER}, {{"gwo", 3}, NUMBERS}, {{"gws", 3}, NUMBERS}, {{"lws", 3}, NUMBERS},
	    {{"device_list", 11}, TEXTS}, {{"event_wait_list", 15}, TEXTS}, {{"profiling", 9}, STAMPS}};
	size_t i;

	for (i = 0; i < sizeof fields / sizeof *fields; i++) {
		if (str_eq(field, fields[i].name))
			return fields[i].as;
	}
	return TEXT;
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

/* Ends the member with the sources, if it is open. */
static void end_sources(struct dvdt_lines *l)
{
	if (l->open_sources)
		json_write_end(&l->before, '}');
	l->open_sources = false;
}

static void drop_call(struct dvdt_lines *l)
{
	l->lost++;
	l->name.n = l->in_source.n = 0;
}

static void cut_call(struct dvdt_lines *l, struct reader *r)
{
	reader_cut(r, "record cut short; skipped", l->at.line, l->at.byte);
	drop_call(l);
}

static bool is_whole(const struct dvdt_lines *l)
{
	const struct str name = buf_str(&l->name);

	return name.n && !l->in_source.n && l->has_errcode &&
	       (l->has_object || !str_starts(name, STR("clCreate")) || str_eq(name, STR("clCreateKernelsInProgram")));
}

static bool make_record(struct dvdt_lines *l, struct reader *r)
{
	struct buf *b = &l->record;

	if (l->over) {
		reader_lost(r, "record larger than --max-record; skipped", l->at.line, l->at.byte);
		drop_call(l);
		return false;
	}
	end_sources(l);
	buf_set(b, STR("{"));
	json_write_text(b, "call", buf_str(&l->name));
	buf_add(b, l->before.p, l->before.n);
	if (l->start.n) {
		json_write_begin(b, "timestamp", '{');
		json_write_text(b, "start", buf_str(&l->start));
		if (l->end.n)
			json_write_text(b, "end", buf_str(&l->end));
		json_write_end(b, '}');
	}
	buf_add(b, l->after.p, l->after.n);
	json_write_end(b, '}');
	scan_pad(b);
	l->name.n = 0;
	return true;
}

bool dvdt_lines_end(struct dvdt_lines *l, struct reader *r)
{
	if (is_whole(l))
		return make_record(l, r);
	if (l->name.n)
		cut_call(l, r);
	return false;
}

/* --- one line --- */

static void add_field(struct dvdt_lines *l, struct str field, struct str value)
{
	static const char *const stamps[] = {"queued", "submit", "start", "end"};
	struct buf *b = l->start.n ? &l->after : &l->before;
	enum as as = field_as(field);
	struct str element;
	double number;
	size_t i;

	end_sources(l);
	if (str_eq(field, STR("start")) || str_eq(field, STR("end"))) {
		buf_set(field.p[0] == 's' ? &l->start : &l->end, value);
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
		buf_char(b, '[');
		while (value.n) {
			element = next_word(&value);
			if (element.n)
				(as == NUMBERS ? json_write_number : json_write_text)(b, NULL, element);
		}
		buf_char(b, ']');
		break;
	case STAMPS:
		buf_char(b, '{');
		for (i = 0; i < 4 && value.n; i++)
			json_write_number(b, stamps[i], next_word(&value));
		buf_char(b, '}');
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
	l->over |= l->before.n + l->after.n + l->source.n + n > r->max_record;
	return !l->over;
}

static void close_source(struct dvdt_lines *l, const struct reader *r)
{
	const struct dvdt_run *run = r->run;

	if (!run->drop_source) {
		if (!l->open_sources)
			json_write_begin(&l->before, "source", '{');
		l->open_sources = true;
		json_write_name(&l->before, buf_str(&l->in_source));
		json_quote(&l->before, str_head(buf_str(&l->source), l->source.n - (l->source.n > 0)));
	}
	l->in_source.n = l->source.n = 0;
}

/* Reads the part of a line that follows the call's name. */
static void read_field(struct dvdt_lines *l, struct reader *r, struct str rest)
{
	struct str field = next_word(&rest), number;

	if (is_source(field, &number) && !l->in_source.n && str_eq(rest, STR("<<"))) {
		buf_set(&l->in_source, number);
		l->source.n = 0;
	} else if (is_source(field, &number) && str_eq(number, buf_str(&l->in_source)) && str_eq(rest, STR(">>"))) {
		close_source(l, r);
	} else if (l->in_source.n) {
		cut_call(l, r);
	} else {
		l->has_object |= l->has_errcode;
		l->has_errcode |= str_eq(field, STR("errcode"));
		if (has_room(l, r, field.n + rest.n))
			add_field(l, field, rest);
	}
}

enum dvdt_line dvdt_lines_add(
    struct dvdt_lines *l, struct reader *r, struct str line, bool cut, struct fault_location at)
{
	const struct dvdt_run *run = r->run;
	struct str rest = line, name;
	bool whole;

	rest.n -= str_ends(rest, STR("\r"));
	if (l->in_source.n && !str_starts(rest, DVDT_MARK)) {
		reader_check_text(r, line, at.line, at.byte);
		if (!run->drop_source && has_room(l, r, line.n + 1)) {
			buf_add(&l->source, line.p, line.n);
			buf_char(&l->source, '\n');
		}
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
		cut_call(l, r);
		return DVDT_TAKEN;
	}
	if (name.n == rest.n && str_starts(name, STR("cl")) && str_all(str_from(name, 2), is_alphanumeric)) {
		whole = dvdt_lines_end(l, r);
		buf_set(&l->name, name);
		l->before.n = l->after.n = l->start.n = l->end.n = l->source.n = l->in_source.n = 0;
		l->open_sources = l->over = l->has_errcode = l->has_object = false;
		l->at = at;
		return whole ? DVDT_WHOLE : DVDT_TAKEN;
	}
	if (!l->name.n || !str_eq(name, buf_str(&l->name))) {
		reader_lost(
		    r, "line continues a call, but the first line of that call is missing; skipped", at.line, at.byte);
		return DVDT_TAKEN;
	}
	reader_check_text(r, line, at.line, at.byte);
	read_field(l, r, str_from(rest, name.n + 1));
	return DVDT_TAKEN;
}

void dvdt_lines_free(struct dvdt_lines *l)
{
	bufs_free(&l->name, &l->before, &l->after, &l->start, &l->end, &l->source, &l->record, &l->in_source);
}
