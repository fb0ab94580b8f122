#include "dvdt_layers.h"

#include "base/char_class.h"
#include "base/int_math.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

enum { DVDT_LAYERS_WAIT = 1 << 20 };

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

static bool is_of_word(char c)
{
	return !is_blank(c);
}

/* Splits "conv1\tforward: 75.8103 ms." into name, direction and time. */
static bool split_layer(struct str text, struct str *name, struct str *direction, struct str *ms)
{
	size_t at;
	double v;

	if (!str_ends(text, STR(" ms.")))
		return false;
	text.n -= 4;
	at = str_after_last(text, ' ');
	*ms = str_from(text, at);
	text = str_trim(str_head(text, at));
	if (!str_ends(text, STR(":")))
		return false;
	text.n--;
	*direction = str_last(text, is_of_word);
	*name = str_trim(str_head(text, text.n - direction->n));
	return name->n && (str_eq(*direction, STR("forward")) || str_eq(*direction, STR("backward"))) &&
	       num_double(*ms, &v);
}

/* Removes the white space from an object, and adds the object to the waiting layers. */
static void add_layer(struct dvdt_layers *l, struct str object, struct fault_location at)
{
	if (!l->waiting.n)
		l->first_waiting = at;
	scan_append(&l->waiting, object);
	buf_char(&l->waiting, '\n');
	l->go |= l->waiting.n > DVDT_LAYERS_WAIT;
}

bool dvdt_layers_line(struct dvdt_layers *l, struct str line, struct fault_location at)
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
	/* the label, such as "03: conv1" */
	l->args.n = 0;
	if (index < 10)
		buf_char(&l->args, '0');
	num_add_i64(&l->args, index);
	buf_lit(&l->args, ": ");
	buf_add(&l->args, name.p, name.n);
	buf_set(b, STR("{"));
	json_write_text(b, "direction", direction);
	json_write_int(b, "index", index);
	json_write_text(b, "label", buf_str(&l->args));
	json_write_json(b, "time_ms", ms);
	end = num_put_scaled(seconds, ms, 3, -1);
	if (end)
		json_write_json(b, "time_s", (struct str){seconds, (size_t)(end - seconds)});
	json_write_text(b, "timestamp", stamp);
	json_write_end(b, '}');
	scan_pad(b);
	add_layer(l, buf_str(b), at);
	return true;
}

bool dvdt_layers_add(struct dvdt_layers *l, struct str object, struct fault_location at)
{
	if (!json_is_string(iter_find(object, STR("label"))))
		return false;
	add_layer(l, object, at);
	return true;
}

/* --- output --- */

/* Sets *ts to the start of the first call in this file or else in a preceding file; false when not found. */
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

/* Finds the end of the layer, in ns; false when its time or its year is missing. */
static bool find_end(struct dvdt_layers *l, struct reader *r, struct str stamp, int64_t *end)
{
	const struct dvdt_run *run = r->run;
	int64_t year = run->year, first;
	int month;

	if (stamp.n < 2)
		return false;
	stamp = json_inner(stamp);
	if (!year && first_call(l, &first) && first) /* 0 is not a real time: see dvdt_call() */
		year = dvdt_year(int_add(first, run->tz_offset));
	else if (!year)
		return reader_note(r, "layer without ts: the dates of the log have no year; set it with --year",
		    l->first_waiting.line, l->first_waiting.byte);
	if (!dvdt_log_time(stamp, year + l->years, end, &month))
		return reader_lost(r, "layer has an invalid timestamp; written without ts", l->first_waiting.line,
		    l->first_waiting.byte);
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
		reader_note(r, "layer ends before the first call; check --tz-offset", l->first_waiting.line,
		    l->first_waiting.byte);
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
	rest = str_from(buf_str(&l->waiting), l->at);
	object = str_head(rest, str_find(rest, STR("\n")));
	buf_set(&l->args, object);
	scan_pad(&l->args);
	l->at += object.n + 1;
	if (l->at == l->waiting.n)
		l->at = l->waiting.n = 0;
	object = buf_str(&l->args);
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
	bufs_free(&l->waiting, &l->text, &l->args);
}
