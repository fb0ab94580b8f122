/* rocprof_csv: reads the CSV files of all versions of rocprofv3, and those of `rocpd convert`. */
#include "rocprof_csv.h"

#include "base/char_class.h"
#include "json/string.h"
#include "json/write.h"

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
	const struct str s = *line;
	size_t end = s.n, begin = end;

	cell->quoted = s.n > 1 && s.p[s.n - 1] == '"';
	if (cell->quoted) {
		end = begin = s.n - 1;
		while (begin && s.p[begin - 1] != '"')
			begin--;
		if (begin < 2 || s.p[begin - 2] != ',')
			return false;
		*line = str_head(s, begin - 2);
	} else {
		while (begin && s.p[begin - 1] != ',')
			begin--;
		if (!begin)
			return false;
		*line = str_head(s, begin - 1);
	}
	cell->text = (struct str){s.p + begin, end - begin};
	return true;
}

/*
 * Splits a line into its cells. Returns the number of cells; 0 when a quoted cell contains a quote, when text follows
 * its closing quote, or when there are more than ROCPROF_COLUMNS_MAX cells.
 */
static size_t cells_split(struct str line, struct rocprof_cell *cell)
{
	size_t n = 0;

	while (line.p) {
		if (n == ROCPROF_COLUMNS_MAX || !split_first(&line, &cell[n]))
			return 0;
		n++;
	}
	return n;
}

/*
 * Splits a line into n cells, of which the cell number `text` is quoted and may contain quotes and commas, which
 * rocprofv3 does not escape. The other cells must not contain them. Returns false when
 * the line cannot be split in this way.
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

static bool is_header(const struct rocprof_cell *cell, size_t n)
{
	static const struct str signs[] = {
	    ROCPROF_TEXT("Kind"),
	    ROCPROF_TEXT("Domain"),
	    ROCPROF_TEXT("Agent_Id"),
	    ROCPROF_TEXT("Start_Timestamp"),
	    ROCPROF_TEXT("Sample_Timestamp"),
	    ROCPROF_TEXT("Correlation_Id"),
	    ROCPROF_TEXT("TotalDurationNs"),
	    ROCPROF_TEXT("Calls"),
	    ROCPROF_TEXT("Node_Id"),
	    ROCPROF_TEXT("Agent_Type"),
	};
	size_t i, k, found = 0;

	for (i = 0; i < n; i++) {
		if (!cell[i].quoted || !cell[i].text.n)
			return false;
		for (k = 0; k < sizeof signs / sizeof *signs; k++)
			found += str_eq_any_case(signs[k], cell[i].text);
	}
	return found >= 2;
}

bool rocprof_header_probe(struct str head)
{
	struct rocprof_cell cell[ROCPROF_COLUMNS_MAX] = {0};
	struct str line;

	return head_line(&head, &line) && str_starts(line, STR("\"")) && is_header(cell, cells_split(line, cell));
}

/* Returns the number of the column with this name, ignoring case, or h->n. */
static size_t header_find(const struct rocprof_header *h, const char *name)
{
	size_t i;

	for (i = 0; i < h->n && !str_eq_any_case(h->name[i], str_of(name)); i++)
		;
	return i;
}

static enum rocprof_table header_table(const struct rocprof_header *h)
{
	static const struct {
		const char *column;
		enum rocprof_table table;
	} signs[] = {
	    {"Node_Id", ROCPROF_AGENTS},
	    {"Calls", ROCPROF_STATS},
	    {"Sample_Timestamp", ROCPROF_SAMPLES},
	    {"Counter_Name", ROCPROF_COUNTERS},
	    {"Kernel_Name", ROCPROF_KERNELS},
	    {"Direction", ROCPROF_COPIES},
	    {"Operation", ROCPROF_MEMORY},
	};
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (header_find(h, signs[i].column) < h->n)
			return signs[i].table;
	}
	return ROCPROF_CALLS;
}

/* Stores the names of the columns in lower case. */
static void name_columns(struct rocprof_header *h, const struct rocprof_cell *cell, struct str line)
{
	size_t i;

	h->names.n = 0;
	buf_add(&h->names, line.p, line.n);
	for (i = 0; i < h->names.n; i++)
		h->names.p[i] = to_lower(h->names.p[i]);
	for (i = 0; i < h->n; i++)
		h->name[i] = (struct str){h->names.p + (cell[i].text.p - line.p), cell[i].text.n};
}

/* Returns whether a line is a header; if so, sets *h, which must be zero-initialised or set by an earlier call. */
static bool header_read(struct rocprof_header *h, struct str line)
{
	struct rocprof_cell cell[ROCPROF_COLUMNS_MAX];
	size_t i, n;

	if (!str_starts(line, STR("\"")))
		return false;
	n = cells_split(line, cell);
	if (!is_header(cell, n))
		return false;
	h->n = n;
	h->text = SIZE_MAX;
	name_columns(h, cell, line);
	h->table = header_table(h);
	for (i = 0; i < n; i++) {
		h->field[i] = rocprof_find_field(ROCPROF_CSV, h->name[i]);
		if (h->table == ROCPROF_COUNTERS && str_eq(h->name[i], STR("kernel_name")))
			h->field[i] = ROCPROF_KERNEL;
		if (h->text == SIZE_MAX && (h->field[i] == ROCPROF_NAME || h->field[i] == ROCPROF_KERNEL))
			h->text = i;
	}
	if (h->table == ROCPROF_STATS) /* the names of sums are the tool's own words */
		memcpy(h->names.p, line.p, line.n);
	return true;
}

/* Returns how the values of a column are written. A column without a field may have any text. */
static enum rocprof_type column_type(const struct rocprof_header *h, size_t i)
{
	return h->field[i] < ROCPROF_N ? rocprof_columns[h->field[i]].type : ROCPROF_STRING;
}

static bool is_absent(const struct rocprof_cell *cell)
{
	return !cell->text.n || str_eq(cell->text, STR("-"));
}

/* Returns whether the cells can be values of their columns. A cell that is empty or "-" has no value. */
static bool cells_fit(const struct rocprof_header *h, const struct rocprof_cell *cell)
{
	double ignored;
	size_t i;

	for (i = 0; i < h->n; i++) {
		if (column_type(h, i) <= ROCPROF_REAL && !is_absent(&cell[i]) && !num_double(cell[i].text, &ignored))
			return false;
	}
	return true;
}

/* Splits a line into the cells of the columns; false when it does not fit them: see rocprof_csv_next(). */
static bool header_split(const struct rocprof_header *h, struct str line, struct rocprof_cell *cell)
{
	if (cells_split(line, cell) == h->n && cells_fit(h, cell))
		return true;
	return h->text != SIZE_MAX && cells_split_around(line, h->n, h->text, cell) && cells_fit(h, cell);
}

/* Maximum number of lines of a row, and maximum size in bytes of a row of several lines. */
enum { ROW_LINES = 16, ROW_BYTES = 64 * 1024 };

/* --- the values of a row --- */

static bool is_json_number(const struct rocprof_cell *cell)
{
	double ignored;

	return !cell->quoted && num_double(cell->text, &ignored);
}

/* Appends the value of a column without a field. */
static void put_extra(struct buf *extra, struct str name, const struct rocprof_cell *cell)
{
	json_write_name(extra, name);
	if (is_json_number(cell))
		buf_add(extra, cell->text.p, cell->text.n);
	else
		json_quote(extra, cell->text);
}

static void store_label(struct rocprof_row *row, enum rocprof_field field, struct rocprof_agent_ref place)
{
	*(field == ROCPROF_AGENT ? &row->agent : field == ROCPROF_SRC ? &row->source : &row->to) = place;
}

static void store_cell(struct rocprof_csv *c, struct reader *r, size_t i, const struct rocprof_agents *agents)
{
	const struct rocprof_cell *cell = &c->cell[i];
	const enum rocprof_field field = c->header.field[i];
	struct rocprof_row *row = &c->row;
	double real = 0;

	switch (column_type(&c->header, i)) {
	case ROCPROF_NUMBER:
		row->v[field] = cell->text;
		return;
	case ROCPROF_REAL: /* with the digits that it has in the other outputs: 64.000000 is 64 */
		num_double(cell->text, &real);
		row->v[field] = rocprof_real(&row->made[field], real);
		return;
	case ROCPROF_LABEL:
		store_label(row, field, rocprof_agents_by_label(agents, cell->text));
		return;
	case ROCPROF_STRING:
		reader_check_text(r, cell->text, c->line, 0);
		if (field < ROCPROF_N)
			row->v[field] = rocprof_quote(&row->made[field], cell->text);
		else
			put_extra(&row->extra, c->header.name[i], cell);
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
	const struct rocprof_run *run = r->run;
	size_t i;

	rocprof_row_clear(&c->row);
	c->row.table = c->header.table;
	for (i = 0; i < c->header.n; i++) {
		if (!is_absent(&c->cell[i]))
			store_cell(c, r, i, &run->agents);
	}
	if (!c->row.v[ROCPROF_CAT].p)
		c->row.v[ROCPROF_CAT] = cats[c->row.table];
}

/* --- agents --- */

/* Returns the value of a column as JSON, which may be in *made; p is NULL when it has none. */
static struct str column_value(struct rocprof_csv *c, const char *column, struct buf *made)
{
	const size_t i = header_find(&c->header, column);

	if (i == c->header.n || is_absent(&c->cell[i]))
		return (struct str){NULL, 0};
	return is_json_number(&c->cell[i]) ? c->cell[i].text : rocprof_quote(made, c->cell[i].text);
}

static int agent_record(struct rocprof_csv *c, struct reader *r, struct event *e)
{
	struct rocprof_run *run = r->run;
	struct str v[ROCPROF_AGENT_N];
	struct rocprof_agent agent;
	const char *column;
	size_t i;

	for (i = 0; i < ROCPROF_AGENT_N; i++) {
		column = rocprof_agent_columns[i].names[ROCPROF_CSV];
		v[i] = column ? column_value(c, column, &c->row.made[i]) : (struct str){NULL, 0};
	}
	if (!v[ROCPROF_AGENT_NODE].p)
		v[ROCPROF_AGENT_NODE] = STR("0");
	agent = rocprof_agents_add(&run->agents, v);
	return rocprof_record_make_agent(&c->draft, r, &agent, v, e);
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
		    header_split(&c->header, line_at(r, from, end), c->cell))
			return false;
		if (header_split(&c->header, line_at(r, 0, end), c->cell)) {
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
	bool fits;

	c->used = end + !cut;
	c->lines = 1;
	fits = header_split(&c->header, line_at(r, 0, end), c->cell);
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
	if (c->header.table == ROCPROF_AGENTS)
		return agent_record(c, r, e);
	store_cells(c, r);
	return rocprof_record_make(&c->draft, r, &c->row, (struct rocprof_at){c->line, 0}, e);
}

static int read_line(struct rocprof_csv *c, struct reader *r, size_t end, bool cut, struct event *e)
{
	const struct str line = line_at(r, 0, end);
	struct rocprof_run *run = r->run;

	c->line++;
	if (str_trim(line).n && !header_read(&c->header, line)) {
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
	rocprof_row_free(&c->row);
	draft_free(&c->draft);
}
