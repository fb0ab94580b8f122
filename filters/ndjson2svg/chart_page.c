/* chart_page: the title of a picture in words, the page, and the legend. */
#include "chart.h"
#include "label_cut.h"

#include "base/num_format.h"

#include <math.h>

/* --- words --- */

struct word {
	const char *name, *words;
};

static const char *find_word(const struct word *list, size_t n, struct str name)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (str_eq(name, str_of(list[i].name)))
			return list[i].words;
	}
	return NULL;
}

static void put(struct buf *to, const char *text)
{
	buf_add(to, text, strlen(text));
}

/* Returns the only kind of the records that are shown, or KIND_N. */
static enum event_kind only_kind(const struct chart *c)
{
	size_t kind;

	for (kind = 0; kind < KIND_N; kind++) {
		if (c->kinds == (uint64_t)1 << kind)
			return (enum event_kind)kind;
	}
	return KIND_N;
}

/* Returns whether all records that are shown are of these kinds: bits 1 << kind. */
static bool only(const struct chart *c, uint64_t kinds)
{
	return c->kinds && !(c->kinds & ~kinds);
}

#define BIT(kind) ((uint64_t)1 << KIND_##kind)

static const char *time_words(const struct chart *c)
{
	if (only(c, BIT(KERNEL) | BIT(MEMCPY) | BIT(MEMSET) | BIT(SYNC)))
		return "GPU time";
	if (only(c, BIT(API) | BIT(OP) | BIT(PYTHON) | BIT(RANGE) | BIT(PRIMITIVE)))
		return "host time";
	return "time";
}

void chart_value_words(const struct chart *c, struct buf *to)
{
	static const struct word aggregates[] = {{"mean", "mean "}, {"max", "maximum "}, {"min", "minimum "},
	    {"median", "median "}, {"std", "deviation of "}, {"sum", ""}, {"share", "share of "}};
	static const struct word fields[] = {{"bytes", "bytes"}, {"delay", "launch delay"},
	    {"queue", "time in the queue"}, {"self", "own time"}, {"busy", "busy time"}, {"idle", "idle time"},
	    {"kernel_time", "kernel time"}, {"count", "number of records"}, {"busy_share", "share of busy time"}};
	const struct column_type type = column_type(str_of(c->options.values.list[c->chosen ? c->chosen - 1 : 0].spec),
	    &c->units.source, &c->options.table.units);
	struct str name = str_of(c->options.values.list[c->chosen ? c->chosen - 1 : 0].spec), field, end;
	const char *words = NULL;
	size_t n;

	field = name;
	if (type.field_n < name.n) {
		field = str_head(name, type.field_n);
	}
	for (n = name.n; n > 0 && name.p[n - 1] != '_'; n--)
		;
	end = str_from(name, n);
	if (n > 1 && (words = find_word(aggregates, sizeof aggregates / sizeof *aggregates, end))) {
		put(to, words);
		if (field.n == name.n)
			field = str_head(name, n - 1);
	}
	if (str_eq(field, STR("dur"))) {
		put(to, time_words(c));
		return;
	}
	words = find_word(fields, sizeof fields / sizeof *fields, field);
	if (words)
		put(to, words);
	else
		buf_add(to, field.p, field.n);
}

void chart_key_words(const struct chart *c, const struct opt_fields *keys, size_t i, struct buf *to)
{
	static const struct word kinds[] = {{"kernel", "kernel"}, {"memcpy", "copy"}, {"memset", "set"},
	    {"api", "API call"}, {"op", "operator"}, {"range", "range"}, {"primitive", "primitive"},
	    {"python", "function"}, {"sample", "function"}};
	static const struct word fields[] = {
	    {"dev", "device"}, {"ts", "time"}, {"op", "operator"}, {"pid", "process"}, {"tid", "thread"}};
	const struct str name = keys->list[i].name;
	const char *words;

	if (str_eq(name, STR("name")) || str_eq(name, STR("short"))) {
		const enum event_kind kind = only_kind(c);

		words = kind < KIND_N ? find_word(kinds, sizeof kinds / sizeof *kinds, str_of(event_kind_names[kind]))
				      : NULL;
		put(to, words ? words : "name");
		return;
	}
	words = find_word(fields, sizeof fields / sizeof *fields, name);
	if (words)
		put(to, words);
	else
		buf_add(to, name.p, name.n);
}

void chart_title(const struct chart *c, const char *between, struct buf *to)
{
	const struct opt_fields *keys = &c->options.keys;
	size_t i;

	chart_value_words(c, to);
	for (i = 0; i < keys->n; i++) {
		put(to, i ? " and " : between);
		chart_key_words(c, keys, i, to);
	}
	if (to->n && to->p[0] >= 'a' && to->p[0] <= 'z')
		to->p[0] = (char)(to->p[0] - 'a' + 'A');
}

void chart_others(struct buf *to, size_t n)
{
	char *p;

	buf_char(to, '(');
	p = buf_room(to, NUM_ROOM);
	to->n += (size_t)(num_put_u64(p, n) - p);
	put(to, n == 1 ? " other)" : " others)");
}

/* --- the page --- */

static bool has_title(const struct chart *c)
{
	return !c->options.title || *c->options.title;
}

double chart_top(const struct chart *c)
{
	return !has_title(c) ? c->canvas->margin : c->canvas->cells ? 2 : 40;
}

double chart_row(const struct chart *c, size_t n, double height, double rest)
{
	const double room = c->options.height - rest;

	if (c->canvas->cells || !c->options.height || !n)
		return height;
	return room / (double)n < 4 ? 4 : room / (double)n;
}

void chart_begin(struct chart *c, double height, struct str title)
{
	struct buf text = {0};

	if (c->options.title)
		title = str_of(c->options.title);
	if (c->options.height > height)
		height = c->options.height;
	c->canvas->ops->begin(c->canvas, c->canvas->cells ? height : ceil(height), title);
	if (!has_title(c))
		return;
	label_cut(c->canvas, &text, title, (c->canvas->width - 2 * c->canvas->margin) / (c->canvas->cells ? 1 : 1.4));
	canvas_text(c->canvas, c->canvas->margin, c->canvas->cells ? 0.5 : 22, CANVAS_START, CANVAS_TITLE,
	    (struct str){text.p, text.n});
	buf_free(&text);
}

void chart_nothing(struct chart *c)
{
	const bool cells = c->canvas->cells;
	struct buf text = {0};

	if (c->options.marks)
		return;
	if (c->records && c->valueless == c->records) {
		put(&text, "no record has a number in ");
		chart_value_fields(c, &text);
	} else {
		put(&text, "no records");
	}
	chart_begin(c, cells ? 3 : 120, str_of(c->kind->help));
	canvas_text(c->canvas, c->canvas->width / 2, cells ? 2.5 : 70, CANVAS_MIDDLE, CANVAS_SOFT,
	    (struct str){text.p, text.n});
	c->canvas->ops->end(c->canvas);
	buf_free(&text);
}

/* --- the legend --- */

/* Returns the width of an entry, with the distance to the next one. */
static double entry_width(const struct chart *c, const struct label *label)
{
	return canvas_width(c->canvas, label->shown, CANVAS_PLAIN) + (c->canvas->cells ? 5 : 40);
}

static void draw_swatch(struct canvas *canvas, const struct chart_legend *l, size_t i, double x, double y)
{
	const double middle = y + canvas->line / 2;

	if (!l->curves) {
		canvas->ops->box(canvas,
		    canvas->cells ? (struct canvas_box){x, y, 2, 1} : (struct canvas_box){x, middle - 6, 12, 12},
		    l->colours[i], (struct str){NULL, 0});
		return;
	}
	canvas->ops->curve(canvas, l->colours[i], (struct str){NULL, 0});
	canvas->ops->point(canvas, x, middle);
	canvas->ops->point(canvas, x + (canvas->cells ? 1 : 12), middle);
	canvas->ops->curve_end(canvas);
}

/* Draws the entries, or only counts their lines if `y` is negative. Returns the number of lines. */
static size_t lay_out(const struct chart *c, const struct chart_legend *l, double y)
{
	struct canvas *canvas = c->canvas;
	const double left = canvas->margin, right = canvas->width - canvas->margin, mark = canvas->cells ? 2 : 12;
	double x = left, width;
	size_t lines = 1, i;

	for (i = 0; i < l->n; i++) {
		width = entry_width(c, &l->labels[i]);
		if (x > left && x + width > right) {
			x = left;
			lines++;
		}
		if (y >= 0) {
			const double line = y + (double)(lines - 1) * canvas->line;
			const double middle = line + canvas->line / 2;

			draw_swatch(canvas, l, i, x, line);
			canvas_text(
			    canvas, x + mark + canvas->space, middle, CANVAS_START, CANVAS_PLAIN, l->labels[i].shown);
		}
		x += width;
	}
	return lines;
}

double chart_legend_height(const struct chart *c, const struct chart_legend *legend)
{
	return (double)lay_out(c, legend, -1) * c->canvas->line + c->canvas->margin;
}

void chart_legend_draw(struct chart *c, const struct chart_legend *legend, double y)
{
	lay_out(c, legend, y + c->canvas->margin / (c->canvas->cells ? 1 : 2));
}
