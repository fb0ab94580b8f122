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
#include "torch.h"

#include "json/check.h"
#include "json/string.h"
#include "json/write.h"

/* --- records --- */

void torch_begin(struct torch *t, struct str name)
{
	t->name.n = t->more.n = t->args.n = t->stack.n = 0;
	json_quote(&t->name, name);
	json_write_begin(&t->args, NULL, '{');
}

int torch_give(struct torch *t, const struct reader *r, enum event_kind kind, struct event *e)
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

int torch_lost(const struct torch *t, struct reader *r, const char *what)
{
	reader_lost(r, what, t->line.line, t->line.offset);
	return 0;
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

/* Handles a line that is not part of a table or report. */
static int text(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	const struct format_log *log = r->run;

	if (!log->keep_text) {
		reader_note(r, "line outside of a table; skipped", t->line.line, t->line.offset);
		return 0;
	}
	torch_begin(t, line);
	json_write_text(&t->args, "class", STR("text"));
	return torch_give(t, r, KIND_OTHER, e);
}

/* --- rows --- */

static int give_held(struct torch *t, const struct reader *r, struct event *e)
{
	t->held = false;
	if (t->stack.n) {
		json_write_key(&t->args, "Source Location");
		buf_char(&t->args, '[');
		buf_add(&t->args, t->stack.p, t->stack.n);
		buf_char(&t->args, ']');
	}
	return torch_give(t, r, KIND_ROW, e);
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

static struct str name_cell(const struct torch_table *table, const struct torch_cells *cells)
{
	size_t i;

	for (i = 0; table->column[i].role != TORCH_NAME; i++)
		;
	return cells->cell[i];
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

static int row(struct torch *t, struct reader *r, struct str line, struct event *e)
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
		return text(t, r, line, e);
	if (!good)
		return torch_lost(t, r, "row does not match the columns of its table; skipped");
	if (!t->table.has_location)
		return torch_give(t, r, KIND_ROW, e);
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
	return good ? torch_give(t, r, KIND_ROW, e)
		    : torch_lost(t, r, "row does not match the columns of its table; skipped");
}

/* --- lines --- */

static void rule(struct torch *t)
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
	if (torch_is_cprofile_header(line)) {
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
		return torch_title(t, line) ? 0 : row(t, r, line, e);
	if (torch_title(t, line) || torch_about(t, line))
		return 0;
	if (t->in == TORCH_ENVIRONMENT)
		return torch_environment(t, r, line, e);
	t->in = TORCH_OUTSIDE;
	given = torch_calls(t, r, e);
	return given >= 0 ? given : text(t, r, line, e);
}

/*
 * Handles the line in t->line. Returns 1 and sets t->again when the record of a preceding row had to be returned first.
 */
static int take(struct torch *t, struct reader *r, struct event *e)
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
		return give_held(t, r, e);
	}
	if (torch_rule(&t->table, line)) {
		rule(t);
		return 0;
	}
	return other_line(t, r, line, e);
}

static void open_torch(void *state, struct reader *r)
{
	struct torch *t = state;

	lines_begin(&t->lines, r->src, SCAN_LINES, r->max_record);
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
		if (take(t, r, e))
			return 1;
	}
	reader_over(r, &t->lines, "record larger than --max-record; skipped");
	return t->held ? give_held(t, r, e) : 0;
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
static bool probe(struct str head)
{
	struct torch_table table = {0};
	struct torch titles = {0};
	struct str line;
	bool dashes, was_dashes = false, was_header = false, ours = false;

	while (!ours && head_line(&head, &line)) {
		dashes = torch_rule(&table, line);
		ours = (was_header && dashes) || torch_is_cprofile_header(line) ||
		       (was_dashes && torch_title(&titles, line));
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
    .probe = probe,
    .run_size = sizeof(struct format_log),
    .options = format_log_options,
    .state_size = sizeof(struct torch),
    .open = open_torch,
    .next = next,
    .close = close_torch,
};
