/* step_bars: the picture of kind steps for the records of inference-steps --each: an upright bar for each step. */
#include "picture/bars.h"
#include "chart.h"
#include "base/err.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	MOST_BARS = 2048, /* if there are more steps, a bar shows the longest of several */
	CELLS_BARS = 40,  /* in a terminal, where bars are horizontal */
};

enum step_field { WALL, BUSY, PHASE, STEP, REQUESTS, TOKENS, PER_TOKEN, RANK, STEP_FIELDS };
static const char field_names[] = "wall,wall_busy,phase,step,requests,tokens,gpu_per_token,rank";

/* The phases in the order of the legend. */
static const struct {
	const char *name;
	enum color color;
} phases[] = {{"prefill", COLOR_SERIES_3}, {"decode", COLOR_SERIES_5}, {"mixed", COLOR_SERIES_6}, {"idle", COLOR_PAUSE},
    {"unknown", COLOR_OPERATOR_2}};
enum { PHASES = sizeof phases / sizeof *phases };

/* Numbers that a record does not have are NAN. */
struct step_bar {
	double values[STEP_FIELDS];
	size_t phase;
};

struct step_bars {
	struct chart *chart;
	struct opt_fields fields; /* indexed by enum step_field */
	struct step_bar *list;
	size_t n, cap;
	uint64_t steps, per; /* steps read, and steps for each bar; the last bar has in_last of them */
	uint64_t in_last;
	bool shown[PHASES];
};

static void open_step_bars(void *state)
{
	struct step_bars *b = state;

	b->per = 1;
	opt_fields_add(&b->fields, "-f", field_names);
}

static bool is_longer(const struct step_bar *a, const struct step_bar *b)
{
	return a->values[WALL] > b->values[WALL] || isnan(b->values[WALL]);
}

/* Makes each pair of bars one. */
static void halve(struct step_bars *b)
{
	size_t i;

	for (i = 0; i < b->n; i += 2)
		b->list[i / 2] = i + 1 < b->n && is_longer(&b->list[i + 1], &b->list[i]) ? b->list[i + 1] : b->list[i];
	b->in_last += b->n % 2 ? 0 : b->per;
	b->n = (b->n + 1) / 2;
	b->per *= 2;
}

static void add_step(void *state, struct event *e)
{
	struct step_bars *b = state;
	struct step_bar bar = {.phase = PHASES - 1};
	struct value v;
	size_t i;

	if (event_get_kind(e) == KIND_META)
		return;
	if (!field_get(&b->fields.list[STEP], e, 0, &v))
		die("a record is not a step, but a phase; run: inference-steps --each");
	b->chart->records++;
	for (i = 0; i < STEP_FIELDS; i++) {
		bar.values[i] = field_get(&b->fields.list[i], e, 0, &v) && value_is_number(&v) ? v.d : NAN;
		if (i != PHASE || v.type != VALUE_STRING)
			continue;
		for (bar.phase = 0; bar.phase < PHASES - 1; bar.phase++) {
			if (str_eq((struct str){v.text.p + 1, v.text.n - 2}, str_of(phases[bar.phase].name)))
				break;
		}
	}
	b->steps++;
	if (b->n && b->in_last < b->per) {
		b->in_last++;
		if (is_longer(&bar, &b->list[b->n - 1]))
			b->list[b->n - 1] = bar;
		return;
	}
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n++] = bar;
	b->in_last = 1;
	if (b->n > MOST_BARS)
		halve(b);
}

/* --- drawing --- */

static void put_count(struct buf *to, const char *before, double v, const char *after)
{
	if (isnan(v))
		return;
	display_put(to, "%t%i%t", before, v, after);
	if (v == 1 && after[0] && to->p[to->n - 1] == 's')
		to->n--;
}

/* Appends the tip of a bar: "step 3, decode", its time, its requests and tokens. */
static void put_step_tip(const struct step_bars *b, const struct step_bar *bar, struct buf *tip)
{
	const double *v = bar->values;
	const struct table_options *o = &b->chart->options.table;
	struct display_unit m = display_unit_of(COLUMN_TIME, o, v[WALL]);

	tip->n = 0;
	put_count(tip, "step ", v[STEP], "");
	put_count(tip, " of rank ", v[RANK], "");
	display_put(tip, ", %t\n%v, the GPU works for %p", phases[bar->phase].name, &m, v[WALL], v[BUSY],
	    v[WALL] > 0 ? v[WALL] : 1);
	put_count(tip, "\n", v[REQUESTS], " requests");
	put_count(tip, ", ", v[TOKENS], " tokens");
	if (isnan(v[PER_TOKEN]))
		return;
	m = display_unit_of(COLUMN_TIME, o, v[PER_TOKEN]);
	display_put(tip, "\nGPU time per token: %v", &m, v[PER_TOKEN]);
}

/* Draws a bar with the height of the wall time; the part in which the GPU did not work is empty. */
static void draw_bar(const struct step_bars *b, const struct axis *up, size_t i, double left, double width)
{
	struct canvas *canvas = b->chart->canvas;
	const struct step_bar *bar = &b->list[i];
	const double gap = width >= 4 ? width * 0.1 : 0, top = axis_at(up, bar->values[WALL]);
	const double middle = axis_at(up, isnan(bar->values[BUSY]) ? 0 : bar->values[BUSY]);
	const double frame = width >= 4 ? 1 : 0;
	const struct canvas_box all = {left + width * (double)i + gap, top, width - 2 * gap, up->from - top};
	const struct canvas_box idle = {
	    all.x + frame, top + fmax(frame, 0.5), all.w - 2 * frame, middle - top - fmax(frame, 0.5)};
	struct buf tip = {0};

	put_step_tip(b, bar, &tip);
	canvas->ops->box(canvas, all, phases[bar->phase].color, buf_str(&tip));
	if (idle.h > 0)
		canvas->ops->box(canvas, idle, frame > 0 ? COLOR_BACK : COLOR_GRID, buf_str(&tip));
	buf_free(&tip);
}

static size_t make_legend(const struct step_bars *b, struct label *labels, enum color *colors)
{
	size_t i, n = 0;

	for (i = 0; i < PHASES; i++) {
		if (!b->shown[i])
			continue;
		labels[n].shown = str_of(phases[i].name);
		colors[n++] = phases[i].color;
	}
	return n;
}

static void draw_upright(struct step_bars *b, double most, struct str title)
{
	struct canvas *canvas = b->chart->canvas;
	struct label labels[PHASES];
	enum color colors[PHASES];
	const struct page_legend legend = {labels, colors, make_legend(b, labels, colors), false};
	const double bars = (double)b->n, steps = bars * (double)b->per;
	const struct display_unit time = display_unit_of(COLUMN_TIME, &b->chart->options.table, most);
	const struct display_unit count = display_unit_of(COLUMN_ANY, NULL, (double)b->steps);
	struct page_plot plot = page_plot_of(canvas, &legend, 370);
	size_t i;

	page_plot_axes(canvas, &plot, &count, (double[]){0, steps}, &time, (double[]){0, most * 1.06}, false);
	page_plot_begin(
	    canvas, &plot, &legend, title, STR("steps"), STR("time between the ends of steps; filled: the GPU works"));
	for (i = 0; i < b->n; i++) {
		if (b->list[i].values[WALL] > 0)
			draw_bar(b, &plot.y, i, plot.left, (plot.right - plot.left) / bars);
	}
	canvas->ops->end(canvas);
}

static void draw_across(struct step_bars *b, double most, struct str title)
{
	const struct display_unit time = display_unit_of(COLUMN_TIME, &b->chart->options.table, most);
	struct bar bars[CELLS_BARS];
	struct map texts = {0};
	struct buf text = {0};
	size_t i, n = 0;

	for (i = 0; i < b->n && n < CELLS_BARS; i++) {
		const struct step_bar *s = &b->list[i];

		if (!(s->values[WALL] > 0))
			continue;
		bars[n] = (struct bar){.value = s->values[WALL], .color = phases[s->phase].color};
		put_count(&text, "", s->values[STEP], " ");
		display_put(&text, "%t", phases[s->phase].name);
		bars[n].label = label_of(labels_store(&texts, &text));
		display_put(&text, "%v, GPU %p", &time, s->values[WALL], s->values[BUSY], s->values[WALL]);
		bars[n++].note = labels_store(&texts, &text);
	}
	if (n < b->n)
		note("the first %zu of %" PRIu64 " steps are drawn", n, b->steps);
	bars_draw(b->chart->canvas, bars, n, &time, title, STR("time between the ends of steps"));
	map_free(&texts);
	buf_free(&text);
}

static bool draw_step_bars(void *state)
{
	struct step_bars *b = state;
	double most = 0;
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (!(b->list[i].values[WALL] > 0))
			continue;
		most = fmax(most, b->list[i].values[WALL]);
		b->shown[b->list[i].phase] = true;
	}
	if (!(most > 0))
		return false;
	if (b->per > 1)
		note("each bar is the longest of %" PRIu64 " steps", b->per);
	if (b->chart->canvas->cells)
		draw_across(b, most, STR("Steps of inference"));
	else
		draw_upright(b, most, STR("Steps of inference"));
	return true;
}

static void close_step_bars(void *state)
{
	struct step_bars *b = state;

	opt_fields_free(&b->fields);
	free(b->list);
}

const struct chart_kind chart_step_bars = {
    .name = "steps",
    .size = sizeof(struct step_bars),
    .open = open_step_bars,
    .add = add_step,
    .draw = draw_step_bars,
    .close = close_step_bars,
};
