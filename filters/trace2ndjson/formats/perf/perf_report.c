/*
 * perf_report: reads perf report --stdio, and the frames of perf top --stdio. Both are tables. The column names of perf
 * report are in comments, and its columns are at fixed positions or, with -t, between separators. perf top prints no
 * column names: its columns are percentage, object and symbol.
 */
#include "perf.h"

#include "json/string.h"
#include "base/num_parse.h"
#include "json/write.h"

#define CLEAR "\x1b[H\x1b[2J" /* each frame of perf top begins with this text */

/* --- column names --- */

static void add_column(struct perf *p, struct str name, size_t start)
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
		add_column(p,
		    str_trim(end < dots.n ? str_head(str_from(all, start), end - start) : str_from(all, start)), start);
	}
	buf_free(&heads);
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
			add_column(p, str_trim(name), 0);
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

bool perf_report_heads(struct str comment)
{
	return (str_starts(comment, STR("Overhead")) || str_starts(comment, STR("Children"))) &&
	       (str_find(comment, STR("Symbol")) < comment.n || str_find(comment, STR("Command")) < comment.n ||
		   str_find(comment, STR("Shared Object")) < comment.n);
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
