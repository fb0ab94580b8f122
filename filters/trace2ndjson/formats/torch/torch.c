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
#include "json/write.h"

enum torch_state {
	TORCH_OUTSIDE,
	TORCH_UNDER, /* after a header: dashes must follow */
	TORCH_ROWS,
	TORCH_CPROFILE,    /* rows of pstats, up to a blank line */
	TORCH_ENVIRONMENT, /* environment section of a bottleneck report */
};

struct torch {
	struct line line;
	bool again; /* the line must be read again */
	enum torch_state in;
	bool titled;        /* the dashes below the title of a section come next */
	struct str section; /* of a bottleneck report: the cat of its records, JSON; p is NULL outside of a report */
	struct torch_table table;
	/* tables: number of tables so far; top: maximum number of rows of the next table, 0 when unknown */
	int64_t tables, top;
	struct buf sorted_by; /* the key by which the next table is sorted */
	uint64_t row_line;    /* line number of the last row */
	bool held; /* r->draft and stack hold a row that has not been returned yet; more of its locations may follow */
	struct buf stack; /* the source locations of a row: an open array */
};

/* --- records --- */

static void begin_record(
    struct torch *t, const struct reader *r, struct event *e, enum event_kind kind, struct str name)
{
	draft_begin(r, e, kind);
	draft_name(r->draft, name);
	t->stack.n = 0;
	json_write_begin(&t->stack, NULL, '[');
}

/* Ends a record. Returns 1, or 0 if the kind of the record is not selected. */
static int end_record(struct torch *t, const struct reader *r, struct event *e)
{
	event_set(e, EVENT_CAT, t->section);
	return draft_end(r, e);
}

static int held_record(struct torch *t, const struct reader *r, struct event *e)
{
	t->held = false;
	event_clear(e);
	event_set_kind(e, KIND_ROW);
	if (t->stack.n > 1) {
		json_write_end(&t->stack, ']');
		json_write_json(&r->draft->args, "Source Location", buf_str(&t->stack));
	}
	return end_record(t, r, e);
}

/* Reports data of the current line, in which the file may end, as lost; returns 0. */
static int lose_line(const struct torch *t, struct reader *r, const char *what)
{
	return (t->line.cut ? reader_cut : reader_lost)(r, what, t->line.line, t->line.offset);
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

/* Reads these words, which are separated by one space; false when the next words are others. */
static bool read_words(struct str *rest, struct str words)
{
	struct str word;

	while (str_split(&words, ' ', &word)) {
		if (!str_eq(next_word(rest), word))
			return false;
	}
	return true;
}

static bool is_cprofile_header(struct str line)
{
	return read_words(&line, STR("ncalls tottime percall cumtime percall filename:lineno(function)")) &&
	       !str_trim(line).n;
}

/*
 * Reads a row of the table of pstats. *name is a view of the line; it is empty when the row has no name. "42/21" are 42
 * calls, of which 21 were not recursive; of "42" calls, none was recursive.
 */
static bool put_cprofile_row(struct draft *d, struct str line, struct str *name)
{
	struct str primitive = next_word(&line), all = primitive;
	int64_t n[2], ns[4];
	size_t i;

	*name = STR("");
	str_split(&primitive, '/', &all);
	if (num_int(all, &n[0]) != NUM_OK || num_int(primitive.p ? primitive : all, &n[1]) != NUM_OK)
		return false;
	for (i = 0; i < 4; i++) {
		if (num_fixed(next_word(&line), 9, &ns[i]) != NUM_OK)
			return false;
	}
	*name = str_trim(line);
	json_write_int(&d->attachments, "count", n[0]);
	json_write_int(&d->attachments, "self", ns[0]);
	json_write_int(&d->attachments, "total", ns[2]);
	json_write_int(&d->args, "primitive", n[1]);
	json_write_int(&d->args, "tottime percall", ns[1]);
	json_write_int(&d->args, "cumtime percall", ns[3]);
	return name->n;
}

/* Reads "N function calls [(M primitive calls)] in T seconds". */
static bool put_cprofile_total(struct draft *d, struct str line)
{
	int64_t all, primitive, ns;
	struct str rest;

	if (num_int(next_word(&line), &all) != NUM_OK || !read_words(&line, STR("function calls")))
		return false;
	primitive = all;
	rest = str_trim(line);
	if (str_starts(rest, STR("("))) {
		rest = str_from(rest, 1);
		if (num_int(next_word(&rest), &primitive) != NUM_OK || !read_words(&rest, STR("primitive calls)")))
			return false;
		line = rest;
	}
	if (!read_words(&line, STR("in")) || num_fixed(next_word(&line), 9, &ns) != NUM_OK)
		return false;
	rest = next_word(&line);
	if (!str_eq(rest, STR("seconds")) && !str_eq(rest, STR("CPU")))
		return false;
	json_write_int(&d->attachments, "count", all);
	json_write_int(&d->attachments, "self", ns);
	json_write_int(&d->args, "primitive", primitive);
	return true;
}

/* --- the text around tables: totals, and the sections of a bottleneck report --- */

/* Reads "Self CPU time total: 1.098s". Returns 1 or 0 as end_record() does; -1 for any other line. */
static int total_record(struct torch *t, struct reader *r, struct str line, struct event *e)
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
			return lose_line(t, r, "total cut short; skipped");
		return -1;
	}
	t->in = TORCH_OUTSIDE;
	name = str_head(s, at + what.n - 1);
	value = str_trim(str_from(s, at + what.n));
	if (!torch_time(value, &ns))
		return lose_line(t, r, t->line.cut ? "total cut short; skipped" : "total is not a time; skipped");
	begin_record(t, r, e, KIND_TOTAL, name);
	if (str_eq(device, STR("CPU"))) {
		json_write_int(&r->draft->attachments, self ? "self" : "total", ns);
	} else {
		json_write_int(&r->draft->attachments, self ? "dev_self" : "dev_total", ns);
		json_write_text(&r->draft->args, "device", device);
	}
	json_write_int(&r->draft->args, "table", t->tables);
	return end_record(t, r, e);
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
		t->section = str_of(titles[i].section);
		t->top = 0;
		t->sorted_by.n = 0;
		t->titled = true;
		t->in = i == 0 ? TORCH_ENVIRONMENT : TORCH_OUTSIDE;
		return true;
	}
	return false;
}

/*
 * Whether the line describes the following table; if so, its values are stored for the rows of that table. Examples:
 * "top 15 events sorted by cpu_time_total", "Ordered by: internal time", "List reduced from 7290 to 15 due to
 * restriction <15>".
 */
static bool torch_about(struct torch *t, struct str line)
{
	const struct str sorted = STR(" events sorted by "), ordered = STR("Ordered by: ");
	struct str s = str_trim(line), key = {NULL, 0}, word;
	size_t at = str_find(s, sorted);
	int64_t n;

	if (str_starts(s, STR("top ")) && at < s.n && num_int(str_from(str_head(s, at), 4), &n) == NUM_OK) {
		t->top = n;
		key = str_from(s, at + sorted.n);
	} else if (str_starts(s, ordered)) {
		key = str_trim(str_from(s, ordered.n));
	}
	if (key.p) {
		buf_set(&t->sorted_by, key);
		return true;
	}
	at = str_find(s, STR(" to "));
	if (!str_starts(s, STR("List reduced from ")) || at == s.n)
		return false;
	s = str_from(s, at + 4);
	str_split(&s, ' ', &word);
	if (num_int(word, &n) == NUM_OK)
		t->top = n;
	return true;
}

/* --- the rows and lines of tables --- */

/* Handles a line that is not part of a table or report. */
static int text_record(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	if (!draft_text(r, &t->line, line, "line outside of a table; skipped", e))
		return 0;
	event_set(e, EVENT_CAT, t->section);
	return 1;
}

/* Writes the members of args that all rows of a table have. */
static void put_table(const struct torch *t, const struct reader *r)
{
	json_write_int(&r->draft->args, "table", t->tables);
	if (t->top)
		json_write_int(&r->draft->args, "top", t->top);
	if (t->sorted_by.n)
		json_write_text(&r->draft->args, "sorted_by", buf_str(&t->sorted_by));
}

static void add_location(struct torch *t, const struct str *cell)
{
	size_t i;

	for (i = 0; i < t->table.n; i++) {
		if (t->table.column[i].role == TORCH_LOCATION && cell[i].n)
			json_write_text(&t->stack, NULL, cell[i]);
	}
}

/* For a line in which the file ends: whether the row may be incomplete. */
static bool is_cut(const struct torch_table *table, const struct str *cell, struct str line)
{
	const size_t last = table->n - 1;

	return !cell[last].n || torch_is_short(table, line) ||
	       (table->column[last].role == TORCH_SHAPES && !table->right && !json_check(cell[last], NULL));
}

static int read_row(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	struct str cell[TORCH_COLUMNS], name, piece;
	bool good = torch_cut(&t->table, line, cell);

	if (good) {
		name = cell[t->table.name];
		begin_record(t, r, e, KIND_ROW, name);
		put_table(t, r);
		if (t->table.device.n)
			json_write_text(&r->draft->args, "device", t->table.device);
		if (str_ends(name, STR("...")))
			json_write_bool(&r->draft->args, "cut", true);
		good = name.n && torch_row(&t->table, cell, r->draft);
	}
	if (t->line.cut && (!good || is_cut(&t->table, cell, line)))
		return lose_line(t, r, "row cut short; skipped");
	if (!good && torch_pieces(line, &piece, 1) == 1)
		return text_record(t, r, line, e);
	if (!good)
		return lose_line(t, r, "row does not match the columns of its table; skipped");
	if (!t->table.has_location)
		return end_record(t, r, e);
	add_location(t, cell);
	t->held = true;
	return 0;
}

static int cprofile_row(struct torch *t, struct reader *r, struct event *e)
{
	struct str name;
	bool good;

	begin_record(t, r, e, KIND_ROW, STR(""));
	put_table(t, r);
	good = put_cprofile_row(r->draft, t->line.text, &name);
	draft_name(r->draft, name);
	t->row_line = t->line.line;
	if (t->line.cut && (!good || !(str_ends(name, STR(")")) || str_ends(name, STR("}")))))
		return lose_line(t, r, "row cut short; skipped");
	return good ? end_record(t, r, e) : lose_line(t, r, "row does not match the columns of its table; skipped");
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
		t->in = TORCH_UNDER;
		return 0;
	}
	if (is_cprofile_header(line)) {
		t->in = TORCH_CPROFILE;
		t->section = STR("\"cprofile\"");
		t->row_line = t->line.line;
		t->tables++;
		return 0;
	}
	if (t->in == TORCH_CPROFILE && t->line.line == t->row_line + 1)
		return cprofile_row(t, r, e);
	given = total_record(t, r, line, e);
	if (given >= 0)
		return given;
	if (t->in == TORCH_ROWS)
		return torch_title(t, line) ? 0 : read_row(t, r, line, e);
	if (torch_title(t, line) || torch_about(t, line))
		return 0;
	if (t->in == TORCH_ENVIRONMENT) {
		begin_record(t, r, e, KIND_META, str_trim(line));
		return end_record(t, r, e);
	}
	t->in = TORCH_OUTSIDE;
	begin_record(t, r, e, KIND_TOTAL, STR("function calls"));
	/* this line of pstats precedes its table, which is not counted yet */
	json_write_int(&r->draft->args, "table", t->tables + 1);
	return put_cprofile_total(r->draft, line) ? end_record(t, r, e) : text_record(t, r, line, e);
}

/* Handles the line. When the record of a preceding row must be returned first, sets t->again. */
static int read_line(struct torch *t, struct reader *r, struct event *e)
{
	struct str line = t->line.text;
	struct str cell[TORCH_COLUMNS];

	if (t->held) {
		if (t->in == TORCH_ROWS && torch_cut(&t->table, line, cell) && torch_continues(&t->table, cell)) {
			if (t->stack.n + line.n > r->max_record) {
				t->held = false;
				return lose_line(t, r, "record larger than --max-record; skipped");
			}
			add_location(t, cell);
			return 0;
		}
		t->again = true;
		return held_record(t, r, e);
	}
	if (!torch_rule(&t->table, line))
		return other_line(t, r, line, e);
	if (t->titled) {
		t->titled = false;
	} else if (t->in == TORCH_UNDER) {
		torch_end_header(&t->table);
		t->tables++;
		t->in = TORCH_ROWS;
	} else {
		t->in = TORCH_OUTSIDE;
	}
	return 0;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct torch *t = state;

	for (;;) {
		if (!t->again) {
			if (lines_next(&r->lines, &t->line) <= 0)
				break;
			reader_check_text(r, t->line.text, t->line.line, t->line.offset);
		}
		t->again = false;
		if (read_line(t, r, e))
			return 1;
	}
	return t->held ? held_record(t, r, e) : 0;
}

static void close_torch(void *state, struct reader *r)
{
	struct torch *t = state;

	(void)r;
	torch_table_free(&t->table);
	bufs_free(&t->sorted_by, &t->stack);
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
		was_header = !dashes && torch_header(&table, line);
		ours |= was_dashes && was_header;
		was_dashes = dashes;
	}
	torch_table_free(&table);
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
    .lines = true,
    .next = next,
    .close = close_torch,
};
