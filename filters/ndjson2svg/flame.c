/*
 * flame: a flame graph of folded stacks, the root at the top. Each line is a stack: frames separated by `;`, a space
 * and a weight, as ndjson2folded and the stackcollapse programs write it. With --diff, colors show which frames
 * became larger or smaller. In a terminal, the largest frames are bars, with the names of callees below their callers.
 */
#include "picture/bars.h"
#include "chart.h"
#include "flame_tree.h"
#include "base/embedded_text.h"
#include "base/escape.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "json/write.h"

#include <math.h>
#include <stdlib.h>

enum { ROW = 18, MOST_ROWS = 1000, MOST_BARS = 40 };

static const double least_width = 0.4; /* narrower frames are not drawn, in pixels */
static const double least_share = 0.8; /* --marks: of a column */

struct flame {
	struct chart *chart;
	struct flame_tree tree;
	struct display_unit unit;
	double scale;     /* width of a unit of weight */
	double least;     /* narrower frames are not drawn */
	double before;    /* factor for the weights of --diff: both inputs then have equal sums */
	size_t rows;      /* number of rows that are drawn */
	bool *shown;      /* in a terminal: whether a node is among the largest */
	struct bar *bars; /* in a terminal: the frames that are shown, callers before callees */
	size_t n_bars;
	struct map texts; /* of the bars */
	struct buf text, name;
};

/*
 * Adds a stack with its weight: "main;train step;gemm 120". Names may contain spaces, so the weight
 * follows the last one. Returns false if the line has another form. A weight that is not above 0 is
 * valid but makes no frame.
 */
static bool add_line(void *state, struct str line, bool before)
{
	struct flame *f = state;
	double weight;
	size_t n;

	line = str_trim(line);
	for (n = line.n; n > 0 && line.p[n - 1] != ' '; n--)
		;
	if (n < 2 || !num_double(str_from(line, n), &weight))
		return false;
	f->chart->records += !before;
	if (weight > 0)
		flame_tree_add(&f->tree, str_head(line, n - 1), weight, before);
	return true;
}

/* --- colors and tips --- */

/*
 * Returns the color of a frame: with --diff that of the change, otherwise that of its meaning. A
 * change is measured in shares of the whole graph, so that a tiny frame is not marked because it
 * doubled.
 */
static enum color color_of(const struct flame *f, const struct flame_node *node, struct str name)
{
	const double now = node->total, before = node->before * f->before;
	const double change = f->tree.nodes[0].total > 0 ? (now - before) / f->tree.nodes[0].total : 0;

	if (f->chart->options.diff)
		return change > 0.05     ? COLOR_MORE
		       : change > 0.002  ? COLOR_MORE_2
		       : change < -0.05  ? COLOR_LESS
		       : change < -0.002 ? COLOR_LESS_2
					 : COLOR_NONE;
	return color_of_name(name, node->child == FLAME_NONE ? COLOR_COMPUTING
				   : node->depth % 2         ? COLOR_OPERATOR
							     : COLOR_OPERATOR_2);
}

static void put_tip(struct flame *f, const struct flame_node *node, struct str name)
{
	const double all = f->tree.nodes[0].total;

	f->text.n = 0;
	display_put(&f->text, "%s\n%e, %p", name, &f->unit, (long double)node->total, node->total, all);
	if (f->chart->options.diff)
		display_put(&f->text, ", before %p", node->before * f->before, all);
}

/* --- drawing --- */

static double width_of(const struct flame *f, const struct flame_node *node)
{
	return node->total * f->scale;
}

/* Returns the visible name of a node, which is valid until the next call. */
static struct str visible_name(struct flame *f, size_t i)
{
	f->name.n = 0;
	escape_text(&f->name, ESCAPE_PLAIN, i ? flame_tree_name(&f->tree, i) : STR("all"));
	if (!f->name.n)
		buf_lit(&f->name, "(empty)");
	return buf_str(&f->name);
}

static void draw_frame(struct flame *f, size_t i, double x)
{
	const struct flame_node *node = &f->tree.nodes[i];
	struct canvas *canvas = f->chart->canvas;
	const double y = page_top(canvas) + ROW * node->depth, w = width_of(f, node);
	const struct str name = visible_name(f, i);
	const enum color color = color_of(f, node, name);

	put_tip(f, node, name);
	canvas->ops->box(canvas, (struct canvas_box){x, y, w > 1 ? w - 0.5 : w, ROW - 1}, color, buf_str(&f->text));
	if (w < 12)
		return;
	f->text.n = 0;
	label_cut_inside(canvas, &f->text, name, w - 6);
	if (f->text.n)
		canvas->ops->text(canvas, (struct canvas_point){x + 3, y + (ROW - 1) / 2.0, CANVAS_START},
		    CANVAS_INSIDE, color, buf_str(&f->text));
}

/* In a terminal: adds the bar of a frame. */
static void add_bar(struct flame *f, size_t i)
{
	const struct flame_node *node = &f->tree.nodes[i];
	const struct str name = visible_name(f, i);
	struct bar *bar = &f->bars[f->n_bars++];

	*bar = (struct bar){.level = node->depth + 1, .value = node->total, .color = color_of(f, node, name)};
	f->text.n = 0;
	buf_add(&f->text, name.p, name.n);
	bar->label = label_of(labels_store(&f->texts, &f->text));
	display_put(&f->text, "%v, %p", &f->unit, node->total, node->total, f->tree.nodes[0].total);
	bar->note = labels_store(&f->texts, &f->text);
}

static void add_number(struct buf *line, const char *key, double v)
{
	json_write_double(line, key, isfinite(v) ? v : 0); /* a sum can be beyond the range of a double */
}

/*
 * --marks: writes a frame that begins at x, in the unit of the weights. The member "self" is the
 * weight that no callee has. The root also has the number of frames that are too narrow or too deep
 * to be written, so that a reader can say that they are missing.
 */
static void write_mark(struct flame *f, size_t i, double x)
{
	const struct flame_node *nodes = f->tree.nodes;
	double self = nodes[i].total;
	uint64_t hidden = 0;
	uint32_t child;
	size_t k;

	for (k = 0; !i && k < f->tree.n; k++)
		hidden += nodes[k].total > 0 && (width_of(f, &nodes[k]) < f->least || nodes[k].depth >= f->rows);
	for (child = nodes[i].child; child != FLAME_NONE; child = nodes[child].sibling)
		self -= nodes[child].total;
	chart_mark_begin(&f->text);
	json_write_int(&f->text, "depth", nodes[i].depth);
	add_number(&f->text, "at", x);
	add_number(&f->text, "dur", nodes[i].total);
	add_number(&f->text, "self", self);
	if (!i)
		json_write_int(&f->text, "hidden", (int64_t)hidden);
	json_write_text(&f->text, "name", i ? flame_tree_name(&f->tree, i) : STR("all"));
	chart_mark_end(&f->text, &f->chart->out);
}

/*
 * Draws all frames that are wide enough or, in a terminal, large enough, callers before callees.
 * The tree is walked without recursion, because the recorded stacks can be arbitrarily deep. The
 * callees of a frame that is not visible are not visited: none of them is larger.
 */
static void draw_frames(struct flame *f)
{
	const struct flame_node *nodes = f->tree.nodes;
	const bool marks = f->chart->options.marks;
	double *x = mem_zero(f->tree.depth + 2, sizeof *x); /* for each depth, the left edge of its next frame */
	size_t node = 0;

	x[0] = marks ? 0 : f->chart->canvas->margin;
	for (;;) {
		const bool wide = width_of(f, &nodes[node]) >= f->least && nodes[node].depth < f->rows;
		const bool visible = f->shown ? f->shown[node] : wide;

		if (visible && marks)
			write_mark(f, node, x[nodes[node].depth]);
		else if (visible && f->shown)
			add_bar(f, node);
		else if (visible)
			draw_frame(f, node, x[nodes[node].depth]);
		x[nodes[node].depth + 1] = x[nodes[node].depth];
		if (visible && nodes[node].child != FLAME_NONE) {
			node = nodes[node].child;
			continue;
		}
		while (node && nodes[node].sibling == FLAME_NONE)
			node = nodes[node].parent;
		if (!node)
			break;
		x[nodes[node].depth] += width_of(f, &nodes[node]);
		node = nodes[node].sibling;
	}
	free(x);
}

/* Returns the number of rows with frames that are wide enough. */
static size_t visible_rows(const struct flame *f)
{
	const size_t most = f->chart->options.top ? (size_t)f->chart->options.top : MOST_ROWS;
	size_t rows = 1, i;

	for (i = 1; i < f->tree.n; i++) {
		if (width_of(f, &f->tree.nodes[i]) >= f->least && f->tree.nodes[i].depth >= rows)
			rows = f->tree.nodes[i].depth + 1;
	}
	return rows < most ? rows : most;
}

/*
 * --marks: returns the number of rows, at most `rows`, that have at most CHART_MARKS_MOST frames
 * together. A row is written as a whole or not at all, so that no caller seems to have fewer
 * callees than another.
 */
static size_t rows_of_marks(const struct flame *f, size_t rows)
{
	size_t *frames = mem_zero(f->tree.depth + 1, sizeof *frames), i, sum = 0;

	for (i = 0; i < f->tree.n; i++)
		frames[f->tree.nodes[i].depth] += width_of(f, &f->tree.nodes[i]) >= f->least;
	for (i = 0; i < rows && sum + frames[i] <= CHART_MARKS_MOST; i++)
		sum += frames[i];
	free(frames);
	return i;
}

static int compare_frames(const void *arg, size_t a, size_t b)
{
	const struct flame *f = arg;
	const double x = f->tree.nodes[a].total, y = f->tree.nodes[b].total;

	return x > y ? -1 : x < y ? 1 : a < b ? -1 : a > b;
}

/* Draws the largest frames as bars. Their callers are among them, because a caller is larger or was read first. */
static void draw_bars(struct flame *f)
{
	size_t *order = order_sort(f->tree.n, compare_frames, f), i, n = 0, all = 0;
	struct buf title = {0};

	f->shown = mem_zero(f->tree.n, sizeof *f->shown);
	f->bars = mem_alloc(MOST_BARS * sizeof *f->bars);
	for (i = 0; i < f->tree.n; i++) {
		const bool drawn = f->tree.nodes[order[i]].total > 0 && f->tree.nodes[order[i]].depth < f->rows;

		all += drawn;
		n += f->shown[order[i]] = drawn && n < MOST_BARS;
	}
	draw_frames(f);
	display_put(
	    &title, n < all ? "Flame graph: the largest %i of %i frames" : "Flame graph", (double)n, (double)all);
	bars_draw(f->chart->canvas, f->bars, n, &f->unit, buf_str(&title), STR("with all callees"));
	buf_free(&title);
	free(order);
}

/*
 * Writes the script. A click makes a frame as wide as the picture; a click on the first line resets. A click on
 * `search` asks for a regular expression, and marks the frames whose names match. The script reads and changes only its
 * own picture.
 */
static void put_script(struct canvas *canvas)
{
	const char *const *line;

	canvas->ops->raw(canvas, STR("<script><![CDATA["));
	for (line = flame_js.lines; *line; line++)
		canvas->ops->raw(canvas, line[1] ? str_of(*line) : str_trim(str_of(*line)));
	canvas->ops->raw(canvas, STR("]]></script>\n"));
}

static bool draw_flame(void *state)
{
	struct flame *f = state;
	struct chart *c = f->chart;
	struct canvas *canvas = c->canvas;
	const struct flame_node *root;
	bool time;

	flame_tree_link(&f->tree);
	root = &f->tree.nodes[0];
	if (root->total <= 0)
		return false;
	if (c->options.marks) {
		f->scale = 1;
		f->least = root->total * least_share / CHART_MARKS_COLUMNS;
		f->rows = rows_of_marks(f, visible_rows(f));
		draw_frames(f);
		return true;
	}
	time = c->options.table.time || map_find(&c->options.table.units.times, STR("weight")) != MAP_NONE;
	f->unit = display_unit_of(time ? COLUMN_TIME : COLUMN_ANY, &c->options.table, root->total);
	f->scale = (canvas->width - 2 * canvas->margin) / root->total;
	f->least = canvas->cells ? 0 : least_width;
	f->before = root->before > 0 ? root->total / root->before : 0;
	f->rows = visible_rows(f);
	if (canvas->cells) {
		draw_bars(f);
		return true;
	}
	page_begin(canvas, page_top(canvas) + ROW * (double)f->rows + canvas->margin / 2,
	    c->options.diff ? STR("Flame graph: more and less than before") : STR("Flame graph"));
	draw_frames(f);
	put_script(canvas);
	canvas->ops->end(canvas);
	return true;
}

static void close_flame(void *state)
{
	struct flame *f = state;

	flame_tree_free(&f->tree);
	mem_free(f->shown, f->bars);
	map_free(&f->texts);
	bufs_free(&f->text, &f->name);
}

const struct chart_kind chart_flame = {
    .name = "flame",
    .options = "top diff marks",
    .size = sizeof(struct flame),
    .line = add_line,
    .draw = draw_flame,
    .close = close_flame,
};
