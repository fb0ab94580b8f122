/* rocprof_csv: reads the CSV files of all versions of rocprofv3, and those of `rocpd convert`. */
#include "base/char_class.h"
#include "json/string.h"
#include "json/write.h"
#include "rocprof_record.h"
#include "trace2ndjson/formats/document.h"

enum { COLUMNS_MAX = 256 };

struct rocprof_cell {
	struct str text; /* without its quotes; a view of the line */
	bool quoted;
};

struct rocprof_csv {
	/* The columns of the last header; n is 0 before the first one. */
	size_t n;
	enum rocprof_table table;
	size_t text; /* number of the column that may contain quotes and commas, or SIZE_MAX */
	enum rocprof_field field[COLUMNS_MAX];
	struct str name[COLUMNS_MAX]; /* names as members of args; views of `names` */
	struct buf names;
	/* The current row. */
	struct rocprof_row row;
	struct rocprof_cell cell[COLUMNS_MAX];
	uint64_t line;  /* number of the line at the window */
	size_t used;    /* bytes of the lines whose record was given */
	uint64_t lines; /* their number */
};

/* --- splits lines into cells --- */

/* Takes the cell at the beginning of *line, and the comma after it; false when the cell is not closed properly. */
static bool split_first(struct str *line, struct rocprof_cell *cell)
{
	struct str rest = *line;
	size_t n;

	cell->quoted = str_starts(rest, STR("\""));
	if (cell->quoted)
		rest = str_from(rest, 1);
	n = str_find(rest, cell->quoted ? STR("\"") : STR(","));
	if (cell->quoted && n == rest.n)
		return false;
	cell->text = str_head(rest, n);
	rest = str_from(rest, n + cell->quoted);
	if (rest.n && rest.p[0] != ',')
		return false;
	*line = rest.n ? str_from(rest, 1) : (struct str){NULL, 0};
	return true;
}

/* Takes the cell at the end of *line, and the comma before it; false when there is no such comma. */
static bool split_last(struct str *line, struct rocprof_cell *cell)
{
	struct str s = *line;
	size_t begin;

	cell->quoted = s.n > 1 && s.p[s.n - 1] == '"';
	s.n -= cell->quoted;
	begin = str_after_last(s, cell->quoted ? '"' : ',');
	cell->text = str_from(s, begin);
	begin -= cell->quoted && begin;
	if (!begin || s.p[begin - 1] != ',')
		return false;
	*line = str_head(s, begin - 1);
	return true;
}

/*
 * Splits a line into its cells. Returns the number of cells; 0 when a quoted cell contains a quote, when text follows
 * its closing quote, or when there are more than COLUMNS_MAX cells.
 */
static size_t cells_split(struct str line, struct rocprof_cell *cell)
{
	size_t n = 0;

	while (line.p) {
		if (n == COLUMNS_MAX || !split_first(&line, &cell[n]))
			return 0;
		n++;
	}
	return n;
}

/*
 * Splits a line into n cells, of which the cell number `text` is quoted and may contain quotes and commas, which
 * rocprofv3 does not escape. The other cells must not contain them. Returns false when the line has another form.
 */
static bool cells_split_around(struct str line, size_t n, size_t text, struct rocprof_cell *cell)
{
	size_t i;

	for (i = 0; i < text; i++) {
		if (!split_first(&line, &cell[i]) || !line.p)
			return false;
	}
	for (i = n; i-- > text + 1;) {
		if (!split_last(&line, &cell[i]))
			return false;
	}
	if (line.n < 2 || line.p[0] != '"' || line.p[line.n - 1] != '"')
		return false;
	cell[text] = (struct rocprof_cell){str_head(str_from(line, 1), line.n - 2), true};
	return true;
}

/* --- the columns of a file --- */

/*
 * Splits a line into cells, and returns their number; 0 when the line is not a header. The columns
 * differ between the versions of the tool, but each of its files has at least two of these. An
 * ordinary CSV file may have one of them by chance.
 */
static size_t split_header(struct str line, struct rocprof_cell *cell)
{
	static const char *const signs[] = {"Kind", "Domain", "Agent_Id", "Start_Timestamp", "Sample_Timestamp",
	    "Correlation_Id", "TotalDurationNs", "Calls", "Node_Id", "Agent_Type", NULL};
	const size_t n = cells_split(line, cell);
	size_t i, k, found = 0;

	for (i = 0; i < n; i++) {
		if (!cell[i].quoted || !cell[i].text.n)
			return 0;
		for (k = 0; signs[k]; k++)
			found += str_eq_any_case(str_of(signs[k]), cell[i].text);
	}
	return found >= 2 ? n : 0;
}

static bool begins_with_header(struct str head)
{
	struct rocprof_cell cell[COLUMNS_MAX];
	struct str line;

	return head_line(&head, &line) && split_header(line, cell);
}

/* Returns the number of the column with this name, or c->n. */
static size_t find_column(const struct rocprof_csv *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n && !str_eq(c->name[i], str_of(name)); i++)
		;
	return i;
}

/*
 * Finds the table by its columns. The first match counts, because a table can have columns of a
 * later one: that of counters also has the names of kernels.
 */
static enum rocprof_table find_table(const struct rocprof_csv *c)
{
	static const struct {
		const char *column;
		enum rocprof_table table;
	} signs[] = {
	    {"node_id", ROCPROF_AGENTS},
	    {"calls", ROCPROF_STATS},
	    {"sample_timestamp", ROCPROF_SAMPLES},
	    {"counter_name", ROCPROF_COUNTERS},
	    {"kernel_name", ROCPROF_KERNELS},
	    {"direction", ROCPROF_COPIES},
	    {"operation", ROCPROF_MEMORY},
	};
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (find_column(c, signs[i].column) < c->n)
			return signs[i].table;
	}
	return ROCPROF_CALLS;
}

/* Returns whether a line is a header; if so, sets the columns. */
static bool read_header(struct rocprof_csv *c, struct str line)
{
	struct rocprof_cell cell[COLUMNS_MAX];
	const size_t n = split_header(line, cell);
	size_t i;

	if (!n)
		return false;
	c->names.n = 0;
	for (i = 0; i < line.n; i++)
		buf_char(&c->names, to_lower(line.p[i]));
	c->n = n;
	for (i = 0; i < n; i++)
		c->name[i] = (struct str){c->names.p + (cell[i].text.p - line.p), cell[i].text.n};
	c->table = find_table(c);
	c->text = SIZE_MAX;
	for (i = 0; i < n; i++) {
		c->field[i] = rocprof_find_field(ROCPROF_CSV, c->name[i]);
		if (c->table == ROCPROF_COUNTERS && str_eq(c->name[i], STR("kernel_name")))
			c->field[i] = ROCPROF_KERNEL;
		if (c->text == SIZE_MAX && (c->field[i] == ROCPROF_NAME || c->field[i] == ROCPROF_KERNEL))
			c->text = i;
	}
	if (c->table == ROCPROF_STATS) /* the names of sums are the tool's own words */
		memcpy(c->names.p, line.p, line.n);
	return true;
}

/* Returns how the values of a column are written. A column without a field may have any text. */
static enum rocprof_type type_of_column(const struct rocprof_csv *c, size_t i)
{
	return c->field[i] < ROCPROF_N ? rocprof_columns[c->field[i]].type : ROCPROF_STRING;
}

static bool is_absent(const struct rocprof_cell *cell)
{
	return !cell->text.n || str_eq(cell->text, STR("-"));
}

/* Returns whether the cells can be values of their columns. A cell that is empty or "-" has no value. */
static bool cells_fit(const struct rocprof_csv *c)
{
	double ignored;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (type_of_column(c, i) <= ROCPROF_REAL && !num_double(c->cell[i].text, &ignored) &&
		    !is_absent(&c->cell[i]))
			return false;
	}
	return true;
}

/*
 * Splits a line into the cells of the columns; false when it does not fit them. Nearly all lines
 * can be split at their quotes and commas. The other way is for texts that contain quotes, such as
 * names of ranges that the program chose.
 */
static bool split_row(struct rocprof_csv *c, struct str line)
{
	if (cells_split(line, c->cell) == c->n && cells_fit(c))
		return true;
	return c->text != SIZE_MAX && cells_split_around(line, c->n, c->text, c->cell) && cells_fit(c);
}

/* --- the values of a row --- */

static bool is_json_number(const struct rocprof_cell *cell)
{
	double ignored;

	return !cell->quoted && num_double(cell->text, &ignored);
}

static void store_cell(struct rocprof_csv *c, struct reader *r, size_t i)
{
	const struct rocprof_run *run = r->run;
	const struct rocprof_cell *cell = &c->cell[i];
	const enum rocprof_field field = c->field[i];
	struct rocprof_row *row = &c->row;
	struct rocprof_agent_ref *agent;
	double real = 0;

	switch (type_of_column(c, i)) {
	case ROCPROF_NUMBER:
		row->v[field] = cell->text;
		return;
	case ROCPROF_REAL: /* with the digits that it has in the other outputs: 64.000000 is 64 */
		num_double(cell->text, &real);
		row->v[field] = rocprof_real(&row->made[field], real);
		return;
	case ROCPROF_LABEL:
		agent = field == ROCPROF_AGENT ? &row->agent : field == ROCPROF_SRC ? &row->source : &row->to;
		*agent = rocprof_agents_by_label(&run->agents, cell->text);
		return;
	case ROCPROF_STRING:
		reader_check_text(r, cell->text, c->line, 0);
		if (field < ROCPROF_N) {
			row->v[field] = rocprof_quote(&row->made[field], cell->text);
			return;
		}
		json_write_name(&row->extra, c->name[i]);
		if (is_json_number(cell))
			buf_add(&row->extra, cell->text.p, cell->text.n);
		else
			json_quote(&row->extra, cell->text);
	}
}

/* Sets c->row from c->cell[]. */
static void store_cells(struct rocprof_csv *c, struct reader *r)
{
	static const struct str cats[] = {
	    [ROCPROF_COUNTERS] = ROCPROF_TEXT("\"COUNTER_COLLECTION\""),
	    [ROCPROF_SAMPLES] = ROCPROF_TEXT("\"PC_SAMPLING\""),
	    [ROCPROF_STATS] = ROCPROF_TEXT("\"stats\""),
	    [ROCPROF_AGENTS] = {NULL, 0},
	};
	size_t i;

	rocprof_row_clear(&c->row);
	c->row.table = c->table;
	for (i = 0; i < c->n; i++) {
		if (!is_absent(&c->cell[i]))
			store_cell(c, r, i);
	}
	if (!c->row.v[ROCPROF_CAT].p)
		c->row.v[ROCPROF_CAT] = cats[c->row.table];
}

static int agent_record(struct rocprof_csv *c, struct reader *r, struct event *e)
{
	struct rocprof_run *run = r->run;
	struct str v[ROCPROF_AGENT_N] = {{NULL, 0}};
	const struct rocprof_cell *cell;
	const char *name;
	size_t i, column;

	v[ROCPROF_AGENT_NODE] = STR("0");
	for (i = 0; i < ROCPROF_AGENT_N; i++) {
		name = rocprof_agent_columns[i].names[ROCPROF_CSV];
		column = name ? find_column(c, name) : c->n;
		cell = &c->cell[column];
		if (column < c->n && !is_absent(cell))
			v[i] = is_json_number(cell) ? cell->text : rocprof_quote(&c->row.made[i], cell->text);
	}
	return rocprof_record_make_agent(r, &run->agents, v, e);
}

/* --- lines --- */

/*
 * Maximum number of lines of a row, and maximum size in bytes of a row of several lines. A text may
 * contain newlines. The limits bound the work for a damaged line, which is joined with each number
 * of following lines.
 */
enum { ROW_LINES = 16, ROW_BYTES = 64 * 1024 };

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
	const struct rocprof_cell *last = &c->cell[c->n - 1];
	size_t i;

	for (i = 0; i < c->n && c->field[i] != ROCPROF_START; i++)
		;
	if (c->field[c->n - 1] == ROCPROF_END && i < c->n)
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
		if (!find_end(r, from, &end, &last) || end > ROW_BYTES || split_row(c, line_at(r, from, end)))
			return false;
		if (split_row(c, line_at(r, 0, end))) {
			c->used = end + !last;
			c->lines = lines;
			*cut = last;
			return true;
		}
	}
	return false;
}

/* Reads the line that ends at `end`, with the following lines of its row. */
static int read_line(struct rocprof_csv *c, struct reader *r, size_t end, bool cut, struct event *e)
{
	const struct str line = line_at(r, 0, end);
	struct rocprof_run *run = r->run;
	bool fits;

	c->line++;
	c->used = end + !cut;
	c->lines = 1;
	if (!str_trim(line).n)
		return 0;
	if (read_header(c, line)) {
		if (c->table == ROCPROF_AGENTS)
			run->agents.n = 0; /* these agents replace those of an earlier file */
		return 0;
	}
	if (!c->n) {
		reader_lost(r, "line before the header; skipped", c->line, 0);
		return 0;
	}
	fits = split_row(c, line) || (!cut && join_lines(c, r, end, &cut));
	fits = fits && (!cut || accept_last(c, r));
	if (!fits && cut && r->src->fault.what) /* the caller reports the fault that ended the input */
		return 0;
	if (!fits) {
		if (cut)
			reader_cut(r, "file is cut short: the last line is incomplete", c->line, 0);
		else
			reader_lost(r, "line does not fit the header; skipped", c->line, 0);
		return 0;
	}
	r->line = c->line;
	if (c->table == ROCPROF_AGENTS)
		return agent_record(c, r, e);
	store_cells(c, r);
	return rocprof_record_make(r, &c->row, 0, e);
}

/*
 * Reads the next record. A row is one line, or several when a text contains newlines. A line that does not fit the
 * header, alone or together with the following lines, is lost.
 */
static int next(void *state, struct reader *r, struct event *e)
{
	struct rocprof_csv *c = state;
	size_t end;
	bool cut;
	int made = 0;

	while (!made) {
		if (c->used) {
			source_skip(r->src, c->used);
			c->line += c->lines - 1;
			c->used = 0;
		}
		if (find_end(r, 0, &end, &cut)) {
			made = read_line(c, r, end, cut, e);
			continue;
		}
		if (!r->src->n)
			return 0;
		reader_lost(r, "line larger than --max-record; skipped", c->line + 1, 0);
		if (!document_find(r->src, STR("\n")))
			return 0;
		source_skip(r->src, 1);
		c->line++;
	}
	return 1;
}

static void close_csv(void *state, struct reader *r)
{
	struct rocprof_csv *c = state;

	(void)r;
	buf_free(&c->names);
	rocprof_row_free(&c->row);
}

const struct format rocprof_csv = {
    .probe = begins_with_header, .state_size = sizeof(struct rocprof_csv), .next = next, .close = close_csv};
