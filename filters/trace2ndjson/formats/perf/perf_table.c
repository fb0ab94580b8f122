/*
 * perf_table: reads the outputs of perf that are tables: perf report --stdio, the frames of perf top --stdio, and perf
 * stat, as lines of fields (-x) or as one object per line (-j).
 */
#include "perf.h"

#include "base/num_parse.h"
#include "json/iter.h"
#include "json/write.h"

/*
 * --- perf report and perf top ---
 *
 * The column names of perf report are in comments, and its columns are at fixed positions or, with -t, between
 * separators. perf top prints no column names: its columns are percentage, object and symbol.
 */

#define CLEAR "\x1b[H\x1b[2J" /* each frame of perf top begins with this text */
/* --- column names --- */

static void add_table_column(struct perf *p, struct str name, size_t start)
{
	struct perf_slice slice = {(uint32_t)p->report.header.n, (uint32_t)name.n};

	buf_add(&p->report.header, name.p, name.n);
	p->report.columns = mem_grow(p->report.columns, &p->report.cap, p->report.n + 1, sizeof *p->report.columns);
	p->report.columns[p->report.n++] = (struct perf_column){slice, start};
}

static struct str column_name(const struct perf *p, size_t i)
{
	return (struct str){p->report.header.p + p->report.columns[i].name.at, p->report.columns[i].name.n};
}

/*
 * Returns the separator, which is the character after the first name, as in "Overhead,Command,Symbol". Returns 0 when
 * the columns are at fixed positions.
 */
static char separator_of(struct str head)
{
	size_t n = str_starts(head, STR("Overhead")) || str_starts(head, STR("Children")) ? 8 : head.n;

	return n < head.n && head.p[n] != ' ' ? head.p[n] : 0;
}

/*
 * Sets the columns from a line "........  .......", which shows their positions. Their names are in the line before it,
 * p->report.header.
 */
static void take_dots(struct perf *p, struct str dots)
{
	struct buf heads = p->report.header;
	struct str all = {heads.p, heads.n};
	size_t start, end;

	p->report.header = (struct buf){0};
	p->report.n = 0;
	for (start = 0; start < dots.n; start = end) {
		while (start < dots.n && dots.p[start] == ' ')
			start++;
		for (end = start; end < dots.n && dots.p[end] == '.';)
			end++;
		if (end == start)
			break;
		/* Both the name and the cells of the last column extend to the end of the line. */
		add_table_column(p,
		    str_trim(end < dots.n ? str_head(str_from(all, start), end - start) : str_from(all, start)), start);
	}
	buf_free(&heads);
}

bool perf_report_heads(struct str comment)
{
	return (str_starts(comment, STR("Overhead")) || str_starts(comment, STR("Children"))) &&
	       (str_find(comment, STR("Symbol")) < comment.n || str_find(comment, STR("Command")) < comment.n ||
		   str_find(comment, STR("Shared Object")) < comment.n);
}

bool perf_report_comment(struct perf *p, struct str text)
{
	struct str name;
	size_t quote;

	if (str_starts(text, STR("Samples: "))) { /* of event 'cpu-clock' */
		quote = str_find(text, STR("'"));
		text = str_from(text, quote + 1);
		p->report.event.n = 0;
		buf_add(&p->report.event, text.p, str_find(text, STR("'")));
		return false;
	}
	if (perf_report_heads(text)) {
		p->report.n = p->report.header.n = 0;
		p->report.separator = separator_of(text);
		if (!p->report.separator) {
			buf_add(&p->report.header, text.p, text.n);
			return true;
		}
		while (str_split(&text, p->report.separator, &name))
			add_table_column(p, str_trim(name), 0);
		return true;
	}
	if (str_starts(text, STR("...")) && p->report.header.n) {
		take_dots(p, text);
		return true;
	}
	return false;
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
static void put_symbol(struct perf *p, struct event *e, struct str cell)
{
	if (cell.n > 4 && cell.p[0] == '[' && cell.p[2] == ']' && cell.p[3] == ' ') {
		json_write_text(&p->args, "mode", (struct str){cell.p + 1, 1});
		cell = str_trim(str_from(cell, 4));
	}
	perf_name(p, e, cell);
}

static void put_cell(struct perf *p, struct event *e, struct str name, struct str cell)
{
	struct str share = percentage(cell), pid;

	cell = str_trim(cell);
	if (!cell.n)
		return;
	if (str_eq(name, STR("Symbol"))) {
		put_symbol(p, e, cell);
	} else if (str_eq(name, STR("Command"))) {
		json_write_text(&p->more, "comm", cell);
	} else if (str_eq(name, STR("Shared Object"))) {
		json_write_text(&p->more, "dso", cell);
	} else if (str_eq(name, STR("Overhead")) || str_eq(name, STR("Self"))) {
		json_write_number(&p->more, "overhead", share.p ? share : cell);
	} else if (str_eq(name, STR("Children"))) {
		json_write_number(&p->more, "children", share.p ? share : cell);
	} else if (str_eq(name, STR("Samples"))) {
		json_write_number(&p->more, "samples", cell);
	} else if (str_eq(name, STR("Period"))) {
		json_write_number(&p->more, "period", cell);
	} else if (str_eq(name, STR("Pid:Command")) && str_find(cell, STR(":")) < cell.n) {
		str_split(&cell, ':', &pid);
		perf_integer(e, EVENT_PID, pid);
		json_write_text(&p->more, "comm", cell);
	} else {
		json_write_name(&p->args, name);
		p->scratch.n = 0;
		buf_char(&p->scratch, '{');
		json_write_number(&p->scratch, "", share.p ? share : cell);
		buf_add(&p->args, p->scratch.p + 4, p->scratch.n - 4); /* after {"": */
	}
}

/*
 * Returns the cell of column i: the text up to the next separator, or up to the position of the next column. The last
 * cell is the rest of the line.
 */
static struct str take_cell(const struct perf *p, struct str line, struct str *rest, size_t i)
{
	const struct perf_column *c = &p->report.columns[i];
	struct str cell;

	if (i + 1 == p->report.n)
		return p->report.separator ? *rest : str_from(line, c->start + 2);
	if (p->report.separator) {
		if (!str_split(rest, p->report.separator, &cell))
			cell = STR("");
		return cell;
	}
	/* The positions are counted from the text after the comment's "# ", so 2 is added. */
	return str_head(str_from(line, i ? c->start + 2 : 0), c[1].start + 2 - (i ? c->start + 2 : 0));
}

/* Splits a row of perf top such as "    10.67%  [JIT] tid 19950       [.] jit_brgemm_kernel_t". */
static bool split_top(struct str line, struct str *share, struct str *object, struct str *symbol)
{
	struct str rest = str_trim(line);
	size_t i;

	*share = percentage(str_head(rest, str_find(rest, STR("%")) + 1));
	if (!share->p)
		return false;
	rest = str_from(rest, share->n + 1);
	for (i = 1; i + 4 < rest.n; i++) {
		if (rest.p[i - 1] == ' ' && rest.p[i] == '[' && rest.p[i + 2] == ']' && rest.p[i + 3] == ' ')
			break;
	}
	*object = str_trim(str_head(rest, i));
	*symbol = str_from(rest, i);
	return i + 4 < rest.n;
}

static bool top_row(struct perf *p, struct event *e, struct str line)
{
	struct str share, object, symbol;

	if (!split_top(line, &share, &object, &symbol))
		return false;
	json_write_number(&p->more, "overhead", share);
	if (object.n)
		json_write_text(&p->more, "dso", object);
	if (p->report.frame)
		json_write_int(&p->more, "frame", p->report.frame);
	put_symbol(p, e, symbol);
	return true;
}

static bool table_row(struct perf *p, struct event *e, struct str line)
{
	struct str rest = line;
	size_t i;

	for (i = 0; i < p->report.n; i++) {
		struct str cell = take_cell(p, line, &rest, i);

		if (!i && !percentage(cell).p)
			return false;
		put_cell(p, e, column_name(p, i), cell);
	}
	if (p->report.event.n)
		json_write_text(&p->more, "event", json_write_str(&p->report.event));
	return true;
}

/* Begins a frame of perf top at its first line, "   PerfTop:    8084 irqs/sec  kernel:13.0% ...". */
static int top_head(struct perf *p, struct reader *r, struct str text, struct event *e)
{
	p->report.frame++;
	if (!reader_wants(r, KIND_META))
		return 0;
	perf_begin(p, e);
	event_set_kind(e, KIND_META);
	perf_name(p, e, STR("PerfTop"));
	json_write_int(&p->more, "frame", p->report.frame);
	json_write_text(&p->args, "value", str_trim(str_from(text, 8)));
	perf_end(p, e);
	return 1;
}

/* Whether the line is one that perf top prints around its rows: a rule, or "exiting.". */
static bool is_frill(struct str text)
{
	if (str_eq(text, STR("exiting.")))
		return true;
	while (text.n && text.p[0] == '-')
		text = str_from(text, 1);
	return !text.n;
}

int perf_report_line(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct str text;

	while (str_starts(line, STR(CLEAR)))
		line = str_from(line, sizeof CLEAR - 1);
	text = str_trim(line);
	p->layout = PERF_REPORT;
	if (str_starts(text, STR("PerfTop:")))
		return top_head(p, r, text, e);
	if (is_frill(text))
		return 0;
	perf_begin(p, e);
	event_set_kind(e, KIND_ROW);
	if (p->report.n ? table_row(p, e, line) : top_row(p, e, line)) {
		perf_end(p, e);
		return reader_wants(r, KIND_ROW);
	}
	if (p->report.n)
		reader_note(
		    r, "line of a call graph; skipped (perf script prints the stacks)", p->line.line, p->line.offset);
	else
		reader_lost(r, "not a line of perf output; skipped", p->line.line, p->line.offset);
	return 0;
}

bool perf_report_is(struct str line, struct str next)
{
	struct str share, object, symbol;

	/* The first frames that perf top prints are empty. */
	while (str_starts(line, STR(CLEAR)))
		line = str_from(line, sizeof CLEAR - 1);
	if (!str_trim(line).n)
		line = next;
	return str_starts(str_trim(line), STR("PerfTop:")) || split_top(line, &share, &object, &symbol);
}

/* --- perf stat: each line becomes a record of kind counter --- */

enum { FIELDS = 24 };

/* --- -x --- */

/* The fields of a line. Their order depends on perf's options, so they are recognised by their forms. */
struct csv {
	struct str field[FIELDS];
	size_t n, value; /* n: number of fields; value: index of the field that is the value */
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

/* Whether s looks like "100.00", the share of the time in which the counter ran. perf always prints two decimals. */
static bool is_percentage(struct str s)
{
	return s.n >= 4 && s.p[s.n - 3] == '.' && is_number(s);
}

/*
 * Splits a line: [INTERVAL] [CPU0 | S0-D0-C0, COUNT | COMM-TID] VALUE, UNIT, EVENT, [CGROUP] [7.97%] RUN_TIME, PERCENT
 * [METRIC, METRIC_UNIT]...
 */
static bool csv_split(struct csv *c, struct str line, char separator)
{
	struct str *f = c->field, run;
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
	/* The run time, a whole number, and the percentage after it distinguish these lines from other tables. */
	at = c->value + 3;
	at += at < c->n && f[at].n && !is_number(f[at]) && !str_ends(f[at], STR("%"));
	at += at < c->n && str_ends(f[at], STR("%"));
	if (at + 1 >= c->n)
		return false;
	run = f[at];
	return is_number(run) && str_find(run, STR(".")) == run.n && is_percentage(f[at + 1]);
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
static void put_place(struct perf *p, struct event *e, struct str place)
{
	size_t dash = place.n;

	if (str_starts(place, STR("CPU")) && is_number(str_from(place, 3))) {
		json_write_number(&p->more, "cpu", str_from(place, 3));
		return;
	}
	while (dash && place.p[dash - 1] != '-')
		dash--;
	if (dash > 1 && is_number(str_from(place, dash)) && place.p[0] != 'S') {
		json_write_text(&p->more, "comm", str_head(place, dash - 1));
		perf_integer(e, EVENT_TID, str_from(place, dash));
		return;
	}
	json_write_text(&p->args, "place", place);
}

/* Writes the value, or its state: "not supported", "not counted". */
static void put_measured(struct perf *p, struct str value, struct str unit)
{
	value = str_trim(value);
	if (is_state(value))
		json_write_text(&p->args, "state",
		    str_trim((struct str){value.p + 1, value.n - 1 - (value.p[value.n - 1] == '>')}));
	else
		perf_value(&p->more, "value", value);
	if (unit.n)
		json_write_text(&p->more, "unit", unit);
}

static void csv_rest(struct perf *p, const struct csv *c, size_t at)
{
	const struct str *f = c->field;

	if (at < c->n && f[at].n && !is_number(f[at]) && !str_ends(f[at], STR("%")))
		json_write_text(&p->args, "cgroup", f[at++]);
	if (at < c->n && str_ends(f[at], STR("%"))) {
		perf_value(&p->args, "variance", str_head(f[at], f[at].n - 1));
		at++;
	}
	if (at + 1 < c->n) {
		perf_value(&p->args, "run_time", f[at]);
		perf_value(&p->args, "pct", f[at + 1]);
	}
	if (at + 3 < c->n && f[at + 2].n) {
		perf_value(&p->args, "metric", f[at + 2]);
		json_write_text(&p->args, "metric_unit", f[at + 3]);
	}
}

/*
 * Reads a line with one more metric of the preceding event. The value and the name of the metric are the last two
 * fields.
 */
static bool further_metric(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct str rest = line, f[2] = {{0}}, piece;
	size_t n, full = 0, commas = 0;

	for (n = 0; str_split(&rest, ',', &piece); n++) {
		commas += n && !f[1].n && !piece.n;
		full += str_trim(piece).n > 0 && !(n == 0 && is_interval(piece));
		f[0] = f[1];
		f[1] = piece;
	}
	if (commas < 3 || full != 2 || !is_number(f[0]) || !f[1].n)
		return false;
	if (!reader_wants(r, KIND_COUNTER))
		return true;
	perf_begin(p, e);
	event_set_kind(e, KIND_COUNTER);
	perf_name(p, e, f[1]);
	perf_value(&p->more, "value", f[0]);
	perf_end(p, e);
	return true;
}

int perf_csv_line(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct csv c;
	int64_t ts;
	size_t v, first;

	if (!csv_read(&c, line)) {
		if (further_metric(p, r, line, e))
			return reader_wants(r, KIND_COUNTER);
		reader_lost(r, "not a line of perf stat output; skipped", p->line.line, p->line.offset);
		return 0;
	}
	if (!reader_wants(r, KIND_COUNTER))
		return 0;
	v = c.value;
	first = is_interval(c.field[0]);
	perf_begin(p, e);
	event_set_kind(e, KIND_COUNTER);
	perf_name(p, e, c.field[v + 2]);
	if (first && perf_seconds(str_trim(c.field[0]), &ts))
		event_set_ts(e, ts);
	if (v > first)
		put_place(p, e, c.field[first]);
	if (v > first + 1)
		perf_value(&p->args, "aggregated", c.field[first + 1]);
	put_measured(p, c.field[v], c.field[v + 1]);
	csv_rest(p, &c, v + 3);
	perf_end(p, e);
	return 1;
}

/* --- -j --- */

bool perf_jsonl_is(struct str line)
{
	line = str_trim(line);
	return line.n && line.p[0] == '{' &&
	       (str_find(line, STR("\"counter-value\"")) < line.n || str_find(line, STR("\"metric-value\"")) < line.n);
}

int perf_jsonl_line(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	static const struct {
		const char *from, *to;
	} renamed[] = {{"event-runtime", "run_time"}, {"pcnt-running", "pct"}, {"metric-value", "metric"},
	    {"metric-unit", "metric_unit"}, {"aggregate-number", "aggregated"}, {"socket", "place"}, {"core", "place"},
	    {"die", "place"}, {"node", "place"}};
	struct str text, key, value, said, name = {NULL, 0}, measured = {NULL, 0}, unit = {NULL, 0};
	struct iter w;
	int64_t ts;
	size_t i;

	text = reader_sound(r, &p->line, line, &p->repaired);
	if (!text.p || !reader_wants(r, KIND_COUNTER))
		return 0;
	perf_begin(p, e);
	event_set_kind(e, KIND_COUNTER);
	iter_init(&w, text);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(value, STR("null")))
			continue;
		said = perf_plain(&p->scratch, value);
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
			perf_value(&p->more, "cpu", said);
		} else if (str_eq(key, STR("thread"))) {
			put_place(p, e, said);
		} else {
			for (i = 0; i < sizeof renamed / sizeof *renamed && !str_eq(key, str_of(renamed[i].from)); i++)
				;
			if (i < sizeof renamed / sizeof *renamed)
				json_write_json(&p->args, renamed[i].to, value);
			else
				json_write_member(&p->args, key, value);
		}
	}
	put_measured(p, perf_plain(&p->scratch, measured), perf_plain(&p->other, unit));
	if (name.p)
		perf_name(p, e, perf_plain(&p->scratch, name));
	perf_end(p, e);
	return 1;
}
