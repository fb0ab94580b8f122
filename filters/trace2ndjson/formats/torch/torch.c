/*
 * torch: reads PyTorch's profiler tables (autograd profiler, Kineto's key_averages().table()), the reports of
 * torch.utils.bottleneck that contain them, and cProfile's tables, from any program's output:
 *
 *   --------  ------------  ------------
 *       Name      Self CPU    # of Calls
 *   --------  ------------  ------------
 *   aten::mm       1.500ms             3
 *   --------  ------------  ------------
 *   Self CPU time total: 1.500ms
 */
#include "torch_table.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/check.h"
#include "json/string.h"
#include "json/write.h"

enum torch_state {
	TORCH_OUTSIDE,
	TORCH_HEAD,  /* after dashes: a header may follow */
	TORCH_UNDER, /* after a header: dashes must follow */
	TORCH_ROWS,
	TORCH_CPROFILE,    /* rows of pstats, up to a blank line */
	TORCH_ENVIRONMENT, /* environment section of a bottleneck report */
};

struct torch {
	struct lines lines;
	struct line line;
	bool again; /* the line must be read again */
	enum torch_state in;
	bool titled; /* the dashes below the title of a section come next */
	/* the section of a bottleneck report, which is the cat of its records; NULL outside of a report */
	const char *section;
	struct torch_table table;
	struct buf header; /* the line of the header, until the dashes below it are read */
	/* tables: number of tables so far; top: maximum number of rows of the next table, 0 when unknown */
	int64_t tables, top;
	struct buf sorted_by; /* the key by which the next table is sorted */
	uint64_t row_line;    /* line number of the last row */
	/* name, more, args and stack hold a row that has not been returned yet; more of its locations may follow */
	bool held;
	struct buf name, more, args, stack;
};

/* --- records --- */

/* Begins a record with a name, and opens its args. The caller adds members to t->more and t->args. */
static void torch_begin(struct torch *t, struct str name)
{
	t->name.n = t->more.n = t->args.n = t->stack.n = 0;
	json_quote(&t->name, name);
	json_write_begin(&t->args, NULL, '{');
}

/* Fills *e with the record. Returns 1, or 0 if the kind of the record is not selected. */
static int make_record(struct torch *t, const struct reader *r, enum event_kind kind, struct event *e)
{
	if (!reader_wants(r, kind))
		return 0;
	event_clear(e);
	event_set_kind(e, kind);
	event_set(e, EVENT_NAME, json_write_str(&t->name));
	if (t->section)
		event_set(e, EVENT_CAT, str_of(t->section));
	e->more = json_write_str(&t->more);
	if (r->args && t->args.n > 1) {
		json_write_end(&t->args, '}');
		event_set(e, EVENT_ARGS, json_write_str(&t->args));
	}
	return 1;
}

static int held_record(struct torch *t, const struct reader *r, struct event *e)
{
	t->held = false;
	if (t->stack.n) {
		json_write_key(&t->args, "Source Location");
		buf_char(&t->args, '[');
		buf_add(&t->args, t->stack.p, t->stack.n);
		buf_char(&t->args, ']');
	}
	return make_record(t, r, KIND_ROW, e);
}

/* Reports data of the current line as lost; returns 0. */
static int torch_lost(const struct torch *t, struct reader *r, const char *what)
{
	reader_lost(r, what, t->line.line, t->line.offset);
	return 0;
}

/*
 * --- cProfile's output, as pstats prints it ---
 *
 *          29500532 function calls (29499752 primitive calls) in 95.143 seconds
 *
 *    ncalls  tottime  percall  cumtime  percall filename:lineno(function)
 *     42/21    0.054    0.001    0.098    0.005 train.py:7(step)
 */

/* Returns the next word, and moves *rest to the text after it; p is NULL at the end. */
static struct str next_word(struct str *rest)
{
	struct str s = str_trim(*rest);
	size_t n = 0;

	while (n < s.n && !is_blank(s.p[n]))
		n++;
	*rest = str_from(s, n);
	return n ? str_head(s, n) : (struct str){0};
}

static bool is_cprofile_header(struct str line)
{
	static const char *const words[] = {
	    "ncalls", "tottime", "percall", "cumtime", "percall", "filename:lineno(function)"};
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++) {
		if (!str_eq(next_word(&line), str_of(words[i])))
			return false;
	}
	return !str_trim(line).n;
}

/*
 * Reads the number of calls: "42/21" means 42 calls, of which 21 were not recursive; "42" means that no call was
 * recursive.
 */
static bool read_calls(struct str text, int64_t *all, int64_t *primitive)
{
	size_t slash = str_find(text, STR("/"));

	if (num_int(str_head(text, slash), all) != NUM_OK)
		return false;
	*primitive = *all;
	return slash == text.n || num_int(str_from(text, slash + 1), primitive) == NUM_OK;
}

/* Reads a row of the table of pstats. */
static bool torch_cprofile_row(struct str line, struct str *name, struct buf *more, struct buf *args)
{
	int64_t all, primitive, ns[4];
	size_t i;

	if (!read_calls(next_word(&line), &all, &primitive))
		return false;
	for (i = 0; i < 4; i++) {
		if (num_fixed(next_word(&line), 9, &ns[i]) != NUM_OK)
			return false;
	}
	*name = str_trim(line);
	if (!name->n)
		return false;
	json_write_int(more, "count", all);
	json_write_int(more, "self", ns[0]);
	json_write_int(more, "total", ns[2]);
	json_write_int(args, "primitive", primitive);
	json_write_int(args, "tottime percall", ns[1]);
	json_write_int(args, "cumtime percall", ns[3]);
	return true;
}

/* Reads "N function calls (M primitive calls) in T seconds". */
static bool cprofile_total(struct str line, struct buf *more, struct buf *args)
{
	struct str first = next_word(&line), next;
	int64_t all, primitive, ns;

	if (num_int(first, &all) != NUM_OK)
		return false;
	if (!str_eq(next_word(&line), STR("function")) || !str_eq(next_word(&line), STR("calls")))
		return false;
	next = next_word(&line);
	primitive = all;
	if (str_starts(next, STR("("))) {
		if (num_int(str_from(next, 1), &primitive) != NUM_OK || !str_eq(next_word(&line), STR("primitive")) ||
		    !str_eq(next_word(&line), STR("calls)")))
			return false;
		next = next_word(&line);
	}
	if (!str_eq(next, STR("in")) || num_fixed(next_word(&line), 9, &ns) != NUM_OK)
		return false;
	next = next_word(&line);
	if (!str_eq(next, STR("seconds")) && !str_eq(next, STR("CPU")))
		return false;
	json_write_int(more, "count", all);
	json_write_int(more, "self", ns);
	json_write_int(args, "primitive", primitive);
	return true;
}

/* --- the text around tables: totals, and the sections of a bottleneck report --- */

/* Reads "Self CPU time total: 1.098s". Returns 1 or 0 as make_record() does; -1 for any other line. */
static int torch_total(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	struct str s = torch_body(&t->table, line), name, device, value;
	const struct str what = STR(" time total:");
	size_t at;
	int64_t ns;
	bool self;

	s = str_trim(s);
	at = str_find(s, what);
	self = str_starts(s, STR("Self "));
	device = str_from(str_head(s, at), self ? 5 : 0);
	if (at == s.n || !device.n || memchr(device.p, ' ', device.n)) {
		if (t->line.cut && t->tables && s.n && (self || str_starts(STR("Self "), s)))
			return torch_lost(t, r, "total cut short; skipped");
		return -1;
	}
	t->in = TORCH_OUTSIDE;
	name = str_head(s, at + what.n - 1);
	value = str_trim(str_from(s, at + what.n));
	if (!torch_time(value, &ns))
		return torch_lost(t, r, t->line.cut ? "total cut short; skipped" : "total is not a time; skipped");
	torch_begin(t, name);
	if (str_eq(device, STR("CPU"))) {
		json_write_int(&t->more, self ? "self" : "total", ns);
	} else {
		json_write_int(&t->more, self ? "dev_self" : "dev_total", ns);
		json_write_text(&t->args, "device", device);
	}
	json_write_int(&t->args, "table", t->tables);
	return make_record(t, r, KIND_TOTAL, e);
}

/*
 * Reads the current line as the total that pstats prints above its table. Returns 1 or 0 as make_record() does; -1 for
 * any other line.
 */
static int torch_calls(struct torch *t, const struct reader *r, struct event *e)
{
	torch_begin(t, STR("function calls"));
	json_write_int(&t->args, "table", t->tables + 1); /* the line precedes its table, which is not counted yet */
	if (!cprofile_total(t->line.text, &t->more, &t->args))
		return -1;
	return make_record(t, r, KIND_TOTAL, e);
}

/* Whether the line is the title of a section of a bottleneck report. If so, begins that section. */
static bool torch_title(struct torch *t, struct str line)
{
	static const struct {
		struct str text;
		const char *section;
	} titles[] = {
	    {{"Environment Summary", 19}, "\"environment\""},
	    {{"cProfile output", 15}, "\"cprofile\""},
	    {{"autograd profiler output (CPU mode)", 35}, "\"autograd_cpu\""},
	    {{"autograd profiler output (CUDA mode)", 36}, "\"autograd_cuda\""},
	};
	size_t i;

	line = str_trim(line);
	for (i = 0; i < sizeof titles / sizeof *titles; i++) {
		if (!str_eq(line, titles[i].text))
			continue;
		t->section = titles[i].section;
		t->top = 0;
		t->sorted_by.n = 0;
		t->titled = true;
		t->in = i == 0 ? TORCH_ENVIRONMENT : TORCH_OUTSIDE;
		return true;
	}
	return false;
}

static void set_sorted_by(struct torch *t, struct str what)
{
	t->sorted_by.n = 0;
	buf_add(&t->sorted_by, what.p, what.n);
}

/*
 * Whether the line describes the following table; if so, its values are stored for the rows of that table. Examples:
 * "top 15 events sorted by cpu_time_total", "Ordered by: internal time", "List reduced from 7290 to 15 due to
 * restriction <15>".
 */
static bool torch_about(struct torch *t, struct str line)
{
	const struct str sorted = STR(" events sorted by "), ordered = STR("Ordered by: ");
	struct str s = str_trim(line), word;
	size_t at = str_find(s, sorted);
	int64_t n;

	if (str_starts(s, STR("top ")) && at < s.n && num_int(str_from(str_head(s, at), 4), &n) == NUM_OK) {
		t->top = n;
		set_sorted_by(t, str_from(s, at + sorted.n));
		return true;
	}
	if (str_starts(s, ordered)) {
		set_sorted_by(t, str_trim(str_from(s, ordered.n)));
		return true;
	}
	at = str_find(s, STR(" to "));
	if (!str_starts(s, STR("List reduced from ")) || at == s.n)
		return false;
	word = str_from(s, at + 4);
	word = str_head(word, str_find(word, STR(" ")));
	if (num_int(word, &n) == NUM_OK)
		t->top = n;
	return true;
}

/* Reads a line of the section about the environment. */
static int torch_environment(struct torch *t, const struct reader *r, struct str line, struct event *e)
{
	torch_begin(t, str_trim(line));
	return make_record(t, r, KIND_META, e);
}

/* --- the rows and lines of tables --- */

/* Handles a line that is not part of a table or report. */
static int text_line(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	const struct format_log *log = r->run;

	if (!log->keep_text) {
		reader_note(r, "line outside of a table; skipped", t->line.line, t->line.offset);
		return 0;
	}
	torch_begin(t, line);
	json_write_text(&t->args, "class", STR("text"));
	return make_record(t, r, KIND_OTHER, e);
}

/* Writes the members of args that all rows of a table have. */
static void put_table(struct torch *t)
{
	json_write_int(&t->args, "table", t->tables);
	if (t->top)
		json_write_int(&t->args, "top", t->top);
	if (t->sorted_by.n)
		json_write_text(&t->args, "sorted_by", json_write_str(&t->sorted_by));
}

static struct str name_cell(const struct torch_table *table, const struct torch_cells *cells)
{
	size_t i;

	for (i = 0; table->column[i].role != TORCH_NAME; i++)
		;
	return cells->cell[i];
}

static void add_location(struct torch *t, struct torch_cells *cells)
{
	size_t i;

	for (i = 0; i < t->table.n; i++) {
		if (t->table.column[i].role != TORCH_LOCATION || !cells->cell[i].n)
			continue;
		if (t->stack.n)
			buf_char(&t->stack, ',');
		json_quote(&t->stack, cells->cell[i]);
	}
}

/* For a line in which the file ends: whether the row may be incomplete. */
static bool is_cut(const struct torch_table *table, const struct torch_cells *cells, struct str line)
{
	struct str last = cells->cell[table->n - 1];
	struct fault f;

	if (!last.n || torch_is_short(table, line))
		return true;
	return table->column[table->n - 1].role == TORCH_SHAPES && !table->right && !json_check(last, &f);
}

static int read_row(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	struct torch_cells cells;
	struct str name, piece;
	bool good;

	good = torch_cut(&t->table, line, &cells);
	if (good) {
		name = name_cell(&t->table, &cells);
		torch_begin(t, name);
		put_table(t);
		if (t->table.device.n)
			json_write_text(&t->args, "device", json_write_str(&t->table.device));
		if (str_ends(name, STR("...")))
			json_write_bool(&t->args, "cut", true);
		good = name.n && torch_row(&t->table, &cells, &t->more, &t->args);
	}
	if (t->line.cut && (!good || is_cut(&t->table, &cells, line)))
		return torch_lost(t, r, "row cut short; skipped");
	if (!good && torch_pieces(line, &piece, 1) == 1)
		return text_line(t, r, line, e);
	if (!good)
		return torch_lost(t, r, "row does not match the columns of its table; skipped");
	if (!t->table.has_location)
		return make_record(t, r, KIND_ROW, e);
	add_location(t, &cells);
	t->held = true;
	return 0;
}

static int cprofile_row(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	struct str name = {NULL, 0};
	bool good;

	torch_begin(t, STR(""));
	put_table(t);
	good = torch_cprofile_row(line, &name, &t->more, &t->args);
	t->name.n = 0;
	json_quote(&t->name, name);
	t->row_line = t->line.line;
	if (t->line.cut && (!good || !(str_ends(name, STR(")")) || str_ends(name, STR("}")))))
		return torch_lost(t, r, "row cut short; skipped");
	return good ? make_record(t, r, KIND_ROW, e)
		    : torch_lost(t, r, "row does not match the columns of its table; skipped");
}

static void read_rule(struct torch *t)
{
	if (t->titled) {
		t->titled = false;
	} else if (t->in == TORCH_UNDER) {
		torch_settle(&t->table, json_write_str(&t->header));
		t->tables++;
		t->in = TORCH_ROWS;
	} else {
		t->in = TORCH_HEAD;
	}
}

/* Handles a line that is not a rule. */
static int other_line(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	int given;

	if (t->in == TORCH_UNDER) {
		reader_note(r, "table header without rows; skipped", t->line.line, t->line.offset);
		t->in = TORCH_OUTSIDE;
	}
	if (torch_header(&t->table, line)) {
		t->header.n = 0;
		buf_add(&t->header, line.p, line.n);
		t->in = TORCH_UNDER;
		return 0;
	}
	if (is_cprofile_header(line)) {
		t->in = TORCH_CPROFILE;
		t->section = "\"cprofile\"";
		t->row_line = t->line.line;
		t->tables++;
		return 0;
	}
	if (t->in == TORCH_CPROFILE && t->line.line == t->row_line + 1)
		return cprofile_row(t, r, line, e);
	given = torch_total(t, r, line, e);
	if (given >= 0)
		return given;
	if (t->in == TORCH_ROWS)
		return torch_title(t, line) ? 0 : read_row(t, r, line, e);
	if (torch_title(t, line) || torch_about(t, line))
		return 0;
	if (t->in == TORCH_ENVIRONMENT)
		return torch_environment(t, r, line, e);
	t->in = TORCH_OUTSIDE;
	given = torch_calls(t, r, e);
	return given >= 0 ? given : text_line(t, r, line, e);
}

/*
 * Handles the line in t->line. Returns 1 and sets t->again when the record of a preceding row had to be returned first.
 */
static int read_line(struct torch *t, struct reader *r, struct event *e)
{
	struct str line = t->line.text;
	struct torch_cells cells;

	if (t->held) {
		if (t->in == TORCH_ROWS && torch_cut(&t->table, line, &cells) && torch_continues(&t->table, &cells)) {
			if (t->stack.n + line.n > r->max_record) {
				t->held = false;
				return torch_lost(t, r, "record larger than --max-record; skipped");
			}
			add_location(t, &cells);
			return 0;
		}
		t->again = true;
		return held_record(t, r, e);
	}
	if (torch_rule(&t->table, line)) {
		read_rule(t);
		return 0;
	}
	return other_line(t, r, line, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct torch *t = state;

	for (;;) {
		if (!t->again) {
			if (lines_next(&t->lines, &t->line) <= 0)
				break;
			reader_check_text(r, t->line.text, t->line.line, t->line.offset);
		}
		t->again = false;
		if (read_line(t, r, e))
			return 1;
	}
	reader_over(r, &t->lines, "record larger than --max-record; skipped");
	return t->held ? held_record(t, r, e) : 0;
}

static void open_torch(void *state, struct reader *r)
{
	struct torch *t = state;

	lines_begin(&t->lines, r->src, SCAN_LINES, r->max_record);
}

static void close_torch(void *state, struct reader *r)
{
	struct torch *t = state;

	(void)r;
	buf_free(&t->table.keys);
	buf_free(&t->table.device);
	buf_free(&t->table.prefix);
	buf_free(&t->header);
	buf_free(&t->sorted_by);
	buf_free(&t->name);
	buf_free(&t->more);
	buf_free(&t->args);
	buf_free(&t->stack);
}

/*
 * Whether head contains (1) the header of a table, with dashes above or below it, (2) the header of pstats, or (3) a
 * title in a bottleneck report.
 */
static bool is_profiler_table(struct str head)
{
	struct torch_table table = {0};
	struct torch titles = {0};
	struct str line;
	bool dashes, was_dashes = false, was_header = false, ours = false;

	while (!ours && head_line(&head, &line)) {
		dashes = torch_rule(&table, line);
		ours = (was_header && dashes) || is_cprofile_header(line) || (was_dashes && torch_title(&titles, line));
		was_header = !dashes && torch_is_header(line);
		ours |= was_dashes && was_header;
		was_dashes = dashes;
	}
	buf_free(&table.prefix);
	return ours;
}

const struct format format_torch = {
    .name = "torch",
    .help = "text tables of the PyTorch profiler and cProfile; torch.utils.bottleneck reports",
    .example = "python -m torch.utils.bottleneck train.py | trace2ndjson",
    .probe = is_profiler_table,
    .run_size = sizeof(struct format_log),
    .options = format_log_options,
    .state_size = sizeof(struct torch),
    .open = open_torch,
    .next = next,
    .close = close_torch,
};
