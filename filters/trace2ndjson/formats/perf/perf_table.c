#include "perf_table.h"

#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

/*
 * --- perf report and perf top ---
 *
 * The column names of perf report are in comments, and its columns are at fixed positions or, with -t, between
 * separators. perf top prints no column names: its columns are percentage, object and symbol.
 */

/* --- column names --- */

/* Adds a column; `name` is a view of the header. */
static void add_table_column(struct perf_report *p, struct str name, size_t start)
{
	p->columns = mem_grow(p->columns, &p->cap, p->n + 1, sizeof *p->columns);
	p->columns[p->n++] = (struct perf_column){str_trim(name), start};
}

bool perf_report_heads(struct str comment)
{
	return (str_starts(comment, STR("Overhead")) || str_starts(comment, STR("Children"))) &&
	       (str_find(comment, STR("Symbol")) < comment.n || str_find(comment, STR("Command")) < comment.n ||
		   str_find(comment, STR("Shared Object")) < comment.n);
}

bool perf_report_comment(struct perf_report *p, struct str text)
{
	struct str name;
	size_t start, end;

	if (str_starts(text, STR("Samples: "))) { /* of event 'cpu-clock' */
		text = str_from(text, str_find(text, STR("'")) + 1);
		p->event.n = 0;
		buf_add(&p->event, text.p, str_find(text, STR("'")));
		return false;
	}
	if (perf_report_heads(text)) {
		p->n = p->header.n = 0;
		buf_add(&p->header, text.p, text.n);
		text = buf_str(&p->header);
		/* The character after the first name, as in "Overhead,Command,Symbol". */
		p->separator = text.p[8] == ' ' ? 0 : text.p[8];
		while (p->separator && str_split(&text, p->separator, &name))
			add_table_column(p, name, 0);
		return true;
	}
	if (!str_starts(text, STR("...")) || !p->header.n)
		return false;
	/* "........  ......." shows the positions of the columns, whose names are in the line before it. */
	for (p->n = start = 0; start < text.n; start = end) {
		while (start < text.n && text.p[start] == ' ')
			start++;
		for (end = start; end < text.n && text.p[end] == '.';)
			end++;
		if (end == start)
			break;
		/* Both the name and the cells of the last column extend to the end of the line. */
		add_table_column(
		    p, str_head(str_from(buf_str(&p->header), start), end < text.n ? end - start : SIZE_MAX), start);
	}
	return true;
}

/* --- rows --- */

/* Returns the number in a cell such as " 22.09%"; p == NULL when the cell is not a percentage. */
static struct str percentage(struct str cell)
{
	double v;

	cell = str_trim(cell);
	if (cell.n < 2 || cell.p[cell.n - 1] != '%' || !num_double(str_head(cell, cell.n - 1), &v))
		return (struct str){NULL, 0};
	return str_head(cell, cell.n - 1);
}

/* Sets the name from "[.] name"; the letter in [.], [k] ... goes to args. */
static void put_symbol(struct draft *d, struct str cell)
{
	if (cell.n > 4 && cell.p[0] == '[' && cell.p[2] == ']' && cell.p[3] == ' ') {
		json_write_text(&d->args, "mode", (struct str){cell.p + 1, 1});
		cell = str_trim(str_from(cell, 4));
	}
	draft_name(d, cell);
}

/* Writes a cell to the attachment of its column, or to args. */
static void put_cell(struct draft *d, struct event *e, struct str name, struct str cell)
{
	static const struct {
		const char *name, *member;
		void (*put)(struct buf *b, const char *key, struct str text);
	} known[] = {{"Command", "comm", json_write_text}, {"Shared Object", "dso", json_write_text},
	    {"Overhead", "overhead", json_write_number}, {"Self", "overhead", json_write_number},
	    {"Children", "children", json_write_number}, {"Samples", "samples", json_write_number},
	    {"Period", "period", json_write_number}};
	struct str share = percentage(cell), pid;
	double number;
	size_t i;

	cell = str_trim(cell);
	if (!cell.n)
		return;
	for (i = 0; i < sizeof known / sizeof *known; i++) {
		if (str_eq(name, str_of(known[i].name))) {
			known[i].put(&d->attachments, known[i].member, share.p && i > 1 && i < 5 ? share : cell);
			return;
		}
	}
	if (str_eq(name, STR("Symbol"))) {
		put_symbol(d, cell);
	} else if (str_eq(name, STR("Pid:Command")) && str_find(cell, STR(":")) < cell.n) {
		str_split(&cell, ':', &pid);
		perf_integer(e, EVENT_PID, pid);
		json_write_text(&d->attachments, "comm", cell);
	} else {
		cell = share.p ? share : cell;
		json_write_name(&d->args, name);
		if (num_double(cell, &number))
			buf_add(&d->args, cell.p, cell.n);
		else
			json_quote(&d->args, cell);
	}
}

/* Returns the cell of column i: up to the next separator, the next column, or the end of the line. */
static struct str take_cell(const struct perf_report *p, struct str line, struct str *rest, size_t i)
{
	const bool last = i + 1 == p->n;
	struct str cell;
	size_t start, end;

	if (p->separator)
		return last ? *rest : str_split(rest, p->separator, &cell) ? cell : STR("");
	/* The positions are counted from the text after the comment's "# ", so 2 is added. */
	start = i || last ? p->columns[i].start + 2 : 0;
	end = last ? line.n : p->columns[i + 1].start + 2;
	return str_from(str_head(line, end), start);
}

/* A row of perf top such as "    10.67%  [JIT] tid 19950       [.] jit_brgemm_kernel_t". */
struct perf_top_row {
	struct str share, object, symbol;
};

static bool split_top(struct str line, struct perf_top_row *row)
{
	struct str rest = str_trim(line);
	size_t i;

	row->share = percentage(str_head(rest, str_find(rest, STR("%")) + 1));
	if (!row->share.p)
		return false;
	rest = str_from(rest, row->share.n + 1);
	for (i = 1; i + 4 < rest.n; i++) {
		if (rest.p[i - 1] == ' ' && rest.p[i] == '[' && rest.p[i + 2] == ']' && rest.p[i + 3] == ' ')
			break;
	}
	row->object = str_trim(str_head(rest, i));
	row->symbol = str_from(rest, i);
	return i + 4 < rest.n;
}

static bool put_top_row(const struct perf_report *p, struct draft *d, struct str line)
{
	struct perf_top_row row;

	if (!split_top(line, &row))
		return false;
	json_write_number(&d->attachments, "overhead", row.share);
	if (row.object.n)
		json_write_text(&d->attachments, "dso", row.object);
	if (p->frame)
		json_write_int(&d->attachments, "frame", p->frame);
	put_symbol(d, row.symbol);
	return true;
}

static bool put_table_row(const struct perf_report *p, struct draft *d, struct str line, struct event *e)
{
	struct str rest = line, cell;
	size_t i;

	for (i = 0; i < p->n; i++) {
		cell = take_cell(p, line, &rest, i);
		if (!i && !percentage(cell).p)
			return false;
		put_cell(d, e, p->columns[i].name, cell);
	}
	if (p->event.n)
		json_write_text(&d->attachments, "event", buf_str(&p->event));
	return true;
}

static bool is_rule(char c)
{
	return c == '-';
}

/* Removes the text with which each frame of perf top begins. */
static struct str without_clear(struct str line)
{
	const struct str clear = STR("\x1b[H\x1b[2J");

	while (str_starts(line, clear))
		line = str_from(line, clear.n);
	return line;
}

int perf_report_line(struct perf_report *p, struct reader *r, const struct line *line, struct event *e)
{
	struct draft *d = r->draft;
	const struct str full = without_clear(line->text), text = str_trim(full);

	/* "   PerfTop:    8084 irqs/sec  kernel:13.0% ...": a frame of perf top */
	if (str_starts(text, STR("PerfTop:"))) {
		draft_begin(r, e, KIND_META);
		draft_name(d, STR("PerfTop"));
		json_write_int(&d->attachments, "frame", ++p->frame);
		json_write_text(&d->args, "value", str_trim(str_from(text, 8)));
		return draft_end(r, e);
	}
	/* Texts around the rows of perf top. */
	if (!text.n || str_all(text, is_rule) || str_eq(text, STR("exiting.")))
		return 0;
	draft_begin(r, e, KIND_ROW);
	if (p->n ? put_table_row(p, d, full, e) : put_top_row(p, d, full))
		return draft_end(r, e);
	if (p->n)
		reader_note(
		    r, "line of a call graph; skipped (perf script prints the stacks)", line->line, line->offset);
	else
		reader_lost(r, "not a line of perf output; skipped", line->line, line->offset);
	return 0;
}

void perf_report_free(struct perf_report *p)
{
	free(p->columns);
	bufs_free(&p->header, &p->event);
}

bool perf_report_is(struct str line, struct str next)
{
	struct perf_top_row row;

	/* The first frames that perf top prints are empty. */
	line = without_clear(line);
	if (!str_trim(line).n)
		line = next;
	return str_starts(str_trim(line), STR("PerfTop:")) || split_top(line, &row);
}

/* --- perf stat: each line becomes a record of kind counter --- */

enum { FIELDS = 24 };

/* --- -x --- */

/* The fields of a line. Their order depends on perf's options, so they are recognised by their forms. */
struct csv {
	struct str field[FIELDS];
	size_t n, value, run; /* n: number of fields; value, run: the indexes of the value and the run time */
};

static bool is_number(struct str s)
{
	int64_t v;

	return s.n && num_fixed(s, 0, &v) != NUM_BAD;
}

static bool is_state(struct str s) /* perf prints "<not counted>" or "<not supported>" instead of a value */
{
	return str_starts(s, STR("<not "));
}

/* Whether s looks like "     0.111814462": only the interval has nine decimals. */
static bool is_interval(struct str s)
{
	s = str_trim(s);
	return s.n > 10 && s.p[s.n - 10] == '.' && is_number(s);
}

/*
 * Splits a line: [INTERVAL] [CPU0 | S0-D0-C0, COUNT | COMM-TID] VALUE, UNIT, EVENT, [CGROUP] [7.97%] RUN_TIME, PERCENT
 * [METRIC, METRIC_UNIT]...
 */
static bool csv_split(struct csv *c, struct str line, char separator)
{
	struct str *f = c->field, share;
	size_t at;

	for (c->n = 0; c->n < FIELDS && str_split(&line, separator, &f[c->n]); c->n++)
		;
	if (c->n < 5)
		return false;
	c->value = is_interval(f[0]);
	if (!is_number(str_trim(f[c->value])) && !is_state(f[c->value]) && f[c->value].n)
		c->value +=
		    (is_number(f[c->value + 2]) || is_state(f[c->value + 2])) && is_number(f[c->value + 1]) ? 2 : 1;
	if (c->n < c->value + 5 || !(is_number(f[c->value]) || is_state(f[c->value])))
		return false;
	if (is_number(f[c->value + 1]) || is_number(f[c->value + 2]) || !perf_event_is(f[c->value + 2]))
		return false;
	/* Other tables have no run time, a whole number, followed by a share of the time with two decimals. */
	at = c->value + 3;
	at += at < c->n && f[at].n && !is_number(f[at]) && !str_ends(f[at], STR("%"));
	at += at < c->n && str_ends(f[at], STR("%"));
	if (at + 1 >= c->n)
		return false;
	c->run = at;
	share = f[at + 1];
	return is_number(f[at]) && str_find(f[at], STR(".")) == f[at].n && share.n >= 4 &&
	       share.p[share.n - 3] == '.' && is_number(share);
}

static bool csv_read(struct csv *c, struct str line)
{
	static const char separators[] = ",;\t|";
	size_t i;

	for (i = 0; separators[i]; i++) {
		if (memchr(line.p, separators[i], line.n) && csv_split(c, line, separators[i]))
			return true;
	}
	return false;
}

bool perf_csv_is(struct str line)
{
	struct csv c;

	return line.n && csv_read(&c, line);
}

/* Writes the place of a measurement: "CPU3" is a number, "S0-D0-C1" a part of the machine, "bash-2387" a thread. */
static void put_place(struct draft *d, struct event *e, struct str place)
{
	const size_t dash = str_after_last(place, '-');

	if (str_starts(place, STR("CPU")) && is_number(str_from(place, 3))) {
		json_write_number(&d->attachments, "cpu", str_from(place, 3));
		return;
	}
	if (dash > 1 && is_number(str_from(place, dash)) && place.p[0] != 'S') {
		json_write_text(&d->attachments, "comm", str_head(place, dash - 1));
		perf_integer(e, EVENT_TID, str_from(place, dash));
		return;
	}
	json_write_text(&d->args, "place", place);
}

/* Writes the value, or its state: "not supported", "not counted". */
static void put_measured(struct draft *d, struct str value)
{
	value = str_trim(value);
	if (is_state(value))
		json_write_text(&d->args, "state",
		    str_trim((struct str){value.p + 1, value.n - 1 - (value.p[value.n - 1] == '>')}));
	else
		perf_value(&d->attachments, "value", value);
}

/* Writes the fields after the event. */
static void csv_rest(struct buf *args, const struct csv *c)
{
	const struct str *f = c->field;
	size_t at;

	for (at = c->value + 3; at < c->run; at++) {
		if (str_ends(f[at], STR("%")))
			perf_value(args, "variance", str_head(f[at], f[at].n - 1));
		else
			json_write_text(args, "cgroup", f[at]);
	}
	perf_value(args, "run_time", f[at]);
	perf_value(args, "pct", f[at + 1]);
	if (at + 3 < c->n && f[at + 2].n) {
		perf_value(args, "metric", f[at + 2]);
		json_write_text(args, "metric_unit", f[at + 3]);
	}
}

/* Reads a line with one more metric of the preceding event: its last two fields are value and name. */
static bool further_metric(struct str line, struct str *name, struct str *value)
{
	struct str rest = line, f[2] = {{0}}, piece;
	size_t n, full = 0, commas = 0;

	for (n = 0; str_split(&rest, ',', &piece); n++) {
		commas += n && !f[1].n && !piece.n;
		full += str_trim(piece).n > 0 && !(n == 0 && is_interval(piece));
		f[0] = f[1];
		f[1] = piece;
	}
	*name = f[1];
	*value = f[0];
	return commas >= 3 && full == 2 && is_number(f[0]) && f[1].n;
}

int perf_csv_line(struct reader *r, const struct line *line, struct event *e)
{
	struct draft *d = r->draft;
	struct str name, value;
	size_t v, first;
	struct csv c;
	int64_t ts;

	draft_begin(r, e, KIND_COUNTER);
	if (!csv_read(&c, line->text)) {
		if (further_metric(line->text, &name, &value)) {
			draft_name(d, name);
			perf_value(&d->attachments, "value", value);
			return draft_end(r, e);
		}
		reader_lost(r, "not a line of perf stat output; skipped", line->line, line->offset);
		return 0;
	}
	v = c.value;
	first = is_interval(c.field[0]);
	draft_name(d, c.field[v + 2]);
	if (first && perf_seconds(str_trim(c.field[0]), &ts))
		event_set_ts(e, ts);
	if (v > first)
		put_place(d, e, c.field[first]);
	if (v > first + 1)
		perf_value(&d->args, "aggregated", c.field[first + 1]);
	put_measured(d, c.field[v]);
	if (c.field[v + 1].n)
		json_write_text(&d->attachments, "unit", c.field[v + 1]);
	csv_rest(&d->args, &c);
	return draft_end(r, e);
}

/* --- -j --- */

bool perf_jsonl_is(struct str line)
{
	line = str_trim(line);
	return line.n && line.p[0] == '{' &&
	       (str_find(line, STR("\"counter-value\"")) < line.n || str_find(line, STR("\"metric-value\"")) < line.n);
}

int perf_jsonl_line(struct reader *r, struct buf *room, struct str text, struct event *e)
{
	struct draft *d = r->draft;
	static const struct {
		const char *from, *to;
	} renamed[] = {{"event-runtime", "run_time"}, {"pcnt-running", "pct"}, {"metric-value", "metric"},
	    {"metric-unit", "metric_unit"}, {"aggregate-number", "aggregated"}, {"socket", "place"}, {"core", "place"},
	    {"die", "place"}, {"node", "place"}};
	struct str key, value, said, name = {NULL, 0}, measured = {NULL, 0}, unit = {NULL, 0};
	struct iter w;
	int64_t ts;
	size_t i;

	draft_begin(r, e, KIND_COUNTER);
	iter_init(&w, text);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(value, STR("null")))
			continue;
		said = perf_plain(room, value);
		if (str_eq(key, STR("event"))) {
			name = value;
		} else if (str_eq(key, STR("counter-value"))) {
			measured = value;
		} else if (str_eq(key, STR("unit"))) {
			unit = value;
		} else if (str_eq(key, STR("interval"))) {
			if (num_fixed(said, 9, &ts) == NUM_OK)
				event_set_ts(e, ts);
		} else if (str_eq(key, STR("cpu"))) {
			perf_value(&d->attachments, "cpu", said);
		} else if (str_eq(key, STR("thread"))) {
			put_place(d, e, said);
		} else {
			for (i = 0; i < sizeof renamed / sizeof *renamed && !str_eq(key, str_of(renamed[i].from)); i++)
				;
			json_write_member(
			    &d->args, i < sizeof renamed / sizeof *renamed ? str_of(renamed[i].to) : key, value);
		}
	}
	put_measured(d, perf_plain(room, measured));
	said = perf_plain(room, unit);
	if (said.n)
		json_write_text(&d->attachments, "unit", said);
	if (name.p)
		draft_name(d, perf_plain(room, name));
	return draft_end(r, e);
}
