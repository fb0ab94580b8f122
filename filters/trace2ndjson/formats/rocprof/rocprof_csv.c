#include "rocprof_csv.h"

#include "json/check.h"
#include "json/string.h"
#include "json/write.h"

/* Maximum number of lines of a row, and maximum size in bytes of a row of several lines. */
enum { ROW_LINES = 16, ROW_BYTES = 64 * 1024 };

/* --- the values of a row --- */

static bool is_absent(const struct rocprof_cell *cell)
{
	return !cell->text.n || str_eq(cell->text, STR("-"));
}

/* Returns a text as JSON in c->texts, which must have room for it. */
static struct str quoted(struct rocprof_csv *c, struct str text)
{
	const size_t from = c->texts.n;

	json_quote(&c->texts, text);
	return (struct str){c->texts.p + from, c->texts.n - from};
}

/* Returns the value of a counter with the digits that it has in the other outputs: 64.000000 is 64. */
static struct str short_number(struct rocprof_csv *c, struct str text)
{
	const size_t from = c->texts.n;
	char *p = buf_room(&c->texts, NUM_ROOM);
	double v;

	if (!num_double(text, &v))
		return text;
	c->texts.n = (size_t)(num_put_double(p, v) - c->texts.p);
	return (struct str){c->texts.p + from, c->texts.n - from};
}

static bool is_json_number(const struct rocprof_cell *cell)
{
	double ignored;

	return !cell->quoted && num_double(cell->text, &ignored);
}

static void take_cell(struct rocprof_csv *c, struct reader *r, size_t i, const struct rocprof_agents *agents)
{
	const struct rocprof_cell *cell = &c->cell[i];
	const enum rocprof_field field = c->header.field[i];
	struct rocprof_row *row = &c->row;

	switch (field) {
	case ROCPROF_AGENT:
		row->agent = rocprof_agents_by_label(agents, cell->text);
		break;
	case ROCPROF_SRC:
		row->source = rocprof_agents_by_label(agents, cell->text);
		break;
	case ROCPROF_DST:
		row->to = rocprof_agents_by_label(agents, cell->text);
		break;
	case ROCPROF_CAT:
	case ROCPROF_NAME:
	case ROCPROF_KERNEL:
	case ROCPROF_ADDRESS:
		reader_check_text(r, cell->text, c->line, 0);
		row->v[field] = quoted(c, cell->text);
		break;
	case ROCPROF_VALUE:
		row->v[field] = short_number(c, cell->text);
		break;
	case ROCPROF_N:
		reader_check_text(r, cell->text, c->line, 0);
		json_write_name(&row->extra, c->header.name[i]);
		if (is_json_number(cell))
			buf_add(&row->extra, cell->text.p, cell->text.n);
		else
			json_quote(&row->extra, cell->text);
		break;
	default:
		row->v[field] = cell->text;
	}
}

/* Sets c->row from c->cell[]. */
static void take_cells(struct rocprof_csv *c, struct reader *r, struct str text)
{
	static const struct str cats[] = {
	    [ROCPROF_COUNTERS] = ROCPROF_TEXT("\"COUNTER_COLLECTION\""),
	    [ROCPROF_SAMPLES] = ROCPROF_TEXT("\"PC_SAMPLING\""),
	    [ROCPROF_STATS] = ROCPROF_TEXT("\"stats\""),
	    [ROCPROF_AGENTS] = {NULL, 0},
	};
	const struct rocprof_run *run = r->run;
	size_t i;

	c->texts.n = 0;
	/* The JSON text of a character has at most 6 bytes; thus the views of c->texts remain valid. */
	buf_room(&c->texts, 6 * text.n + 2 * c->header.n + 4 * NUM_ROOM);
	rocprof_row_clear(&c->row);
	c->row.table = c->header.table;
	for (i = 0; i < c->header.n; i++) {
		if (!is_absent(&c->cell[i]))
			take_cell(c, r, i, &run->agents);
	}
	if (!c->row.v[ROCPROF_CAT].p)
		c->row.v[ROCPROF_CAT] = cats[c->row.table];
}

/* --- agents --- */

/* Returns the value of a column as JSON; p is NULL when it has none. */
static struct str value_of(struct rocprof_csv *c, const char *column)
{
	const size_t i = rocprof_header_find(&c->header, column);

	if (i == c->header.n || is_absent(&c->cell[i]))
		return (struct str){NULL, 0};
	return is_json_number(&c->cell[i]) ? c->cell[i].text : quoted(c, c->cell[i].text);
}

static int64_t number_of(struct rocprof_csv *c, const char *column, int64_t absent)
{
	int64_t v;

	return rocprof_whole(value_of(c, column), &v) ? v : absent;
}

static int take_agent(struct rocprof_csv *c, struct reader *r, struct str text, struct event *e)
{
	struct rocprof_run *run = r->run;
	struct rocprof_agent_text is;
	struct rocprof_agent agent = {.handle = -1};

	c->texts.n = 0;
	buf_room(&c->texts, 6 * text.n + 2 * c->header.n);
	is.type = value_of(c, "Agent_Type");
	is.name = value_of(c, "Name");
	is.vendor = value_of(c, "Vendor_Name");
	is.product = value_of(c, "Product_Name");
	is.cu_count = value_of(c, "Cu_Count");
	agent.node = number_of(c, "Node_Id", 0);
	agent.logical = number_of(c, "Logical_Node_Id", agent.node);
	agent.gpu = str_eq(is.type, STR("\"GPU\""));
	agent.index = number_of(c, "Logical_Node_Type_Id", rocprof_agents_count(&run->agents, agent.gpu, agent.node));
	rocprof_agents_put(&run->agents, agent);
	return rocprof_make_agent(&c->maker, r, &agent, &is, e);
}

/* --- lines --- */

/*
 * Finds the end of the line that begins at `from` in the window. Sets *end to the offset of its newline, or to the end
 * of the input when it has none (*cut). False when the line is longer than --max-record, or when no line begins there.
 */
static bool find_end(struct reader *r, size_t from, size_t *end, bool *cut)
{
	struct source *s = r->src;
	const char *newline;
	size_t seen = from;

	while (!(newline = s->n > seen ? memchr(s->p + seen, '\n', s->n - seen) : NULL)) {
		if (s->n > from && s->n - from > r->max_record)
			return false;
		seen = s->n > from ? s->n : from;
		if (source_more(s) <= 0)
			break;
	}
	*cut = !newline;
	*end = newline ? (size_t)(newline - s->p) : s->n;
	return (newline || s->n > from) && *end - from <= r->max_record;
}

static struct str line_at(const struct reader *r, size_t from, size_t end)
{
	const struct str line = {r->src->p + from, end - from};

	return str_ends(line, STR("\r")) ? str_head(line, line.n - 1) : line;
}

/*
 * Reports that the last line of a file, which fits the header, has no newline, if its last value may be cut short.
 * Returns false when it certainly is: when the line ends with a comma, or with an end time that has fewer digits than
 * the start time.
 */
static bool accept_last(const struct rocprof_csv *c, struct reader *r)
{
	const struct rocprof_header *h = &c->header;
	const struct rocprof_cell *last = &c->cell[h->n - 1];
	size_t i;

	for (i = 0; i < h->n && h->field[i] != ROCPROF_START; i++)
		;
	if (h->field[h->n - 1] == ROCPROF_END && i < h->n)
		return last->text.n >= c->cell[i].text.n;
	if (!last->quoted && last->text.n)
		reader_warning(r, "last line has no newline; its last value may be cut short", c->line, 0);
	return last->quoted || last->text.n;
}

/*
 * Joins the line that ends at `end` and the following lines to a row that fits the header. Sets c->used and c->lines,
 * and returns true, when there is one; sets *cut when its last line has no newline. A line that fits by itself does not
 * belong to a row that began before it.
 */
static bool join_lines(struct rocprof_csv *c, struct reader *r, size_t end, bool *cut)
{
	size_t from, lines;
	bool last = false;

	for (lines = 2; lines <= ROW_LINES && !last; lines++) {
		from = end + 1;
		if (!find_end(r, from, &end, &last) || end > ROW_BYTES ||
		    rocprof_header_split(&c->header, line_at(r, from, end), c->cell))
			return false;
		if (rocprof_header_split(&c->header, line_at(r, 0, end), c->cell)) {
			c->used = end + !last;
			c->lines = lines;
			*cut = last;
			return true;
		}
	}
	return false;
}

/* Skips a line that is too long. */
static void skip_long(struct rocprof_csv *c, struct reader *r)
{
	struct source *s = r->src;
	const char *newline;

	reader_lost(r, "line larger than --max-record; skipped", c->line + 1, 0);
	while (!(newline = memchr(s->p, '\n', s->n))) {
		source_skip(s, s->n);
		if (source_more(s) <= 0)
			return;
	}
	source_skip(s, (size_t)(newline - s->p) + 1);
	c->line++;
}

/* Reads a row of the table, which begins with the line that ends at `end`. */
static int read_row(struct rocprof_csv *c, struct reader *r, size_t end, bool cut, struct event *e)
{
	struct str text;
	bool fits;

	c->used = end + !cut;
	c->lines = 1;
	fits = rocprof_header_split(&c->header, line_at(r, 0, end), c->cell);
	fits = fits || (!cut && join_lines(c, r, end, &cut));
	fits = fits && (!cut || accept_last(c, r));
	if (!fits && cut && r->src->fault.what) /* the caller reports the fault that ended the input */
		return 0;
	if (!fits) {
		reader_lost(r,
		    cut ? "file is cut short: the last line is incomplete" : "line does not fit the header; skipped",
		    c->line, 0);
		return 0;
	}
	r->line = c->line;
	text = (struct str){r->src->p, c->used};
	if (c->header.table == ROCPROF_AGENTS)
		return take_agent(c, r, text, e);
	take_cells(c, r, text);
	return rocprof_make(&c->maker, r, &c->row, (struct rocprof_at){c->line, 0}, e);
}

static int read_line(struct rocprof_csv *c, struct reader *r, size_t end, bool cut, struct event *e)
{
	const struct str line = line_at(r, 0, end);
	struct rocprof_run *run = r->run;

	c->line++;
	if (str_trim(line).n && !rocprof_header_read(&c->header, line)) {
		if (c->header.n)
			return read_row(c, r, end, cut, e);
		reader_lost(r, "line before the header; skipped", c->line, 0);
	} else if (str_trim(line).n && c->header.table == ROCPROF_AGENTS) {
		run->agents.n = 0; /* these agents replace those of an earlier file */
	}
	c->used = end + !cut;
	c->lines = 1;
	return 0;
}

int rocprof_csv_next(struct rocprof_csv *c, struct reader *r, struct event *e)
{
	size_t end;
	bool cut;
	int made = 0;

	while (!made) {
		if (c->used) {
			source_skip(r->src, c->used);
			c->line += c->lines - 1;
			c->used = 0;
		}
		if (find_end(r, 0, &end, &cut))
			made = read_line(c, r, end, cut, e);
		else if (r->src->n)
			skip_long(c, r);
		else
			return 0;
	}
	return 1;
}

void rocprof_csv_free(struct rocprof_csv *c)
{
	buf_free(&c->header.names);
	buf_free(&c->row.extra);
	buf_free(&c->texts);
	rocprof_maker_free(&c->maker);
}
