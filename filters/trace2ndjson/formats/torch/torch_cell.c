/*
 * torch_cell: converts the cells of a profiler's table: times (to ns), sizes (to bytes), FLOPs, percentages and shapes.
 */
#include "torch.h"

#include "json/check.h"
#include "json/string.h"
#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/write.h"
#include "json/scan.h"

struct suffix {
	struct str text;
	int64_t factor;
};

/*
 * If a suffix ends with a shorter suffix, its row precedes the row of the shorter one ("KB" before "B"). torch uses
 * powers of 1024; the suffixes depend on its version.
 */
static const struct suffix sizes[] = {
    {{"Kb", 2}, (int64_t)1 << 10},
    {{"KB", 2}, (int64_t)1 << 10},
    {{"Mb", 2}, (int64_t)1 << 20},
    {{"MB", 2}, (int64_t)1 << 20},
    {{"Gb", 2}, (int64_t)1 << 30},
    {{"GB", 2}, (int64_t)1 << 30},
    {{"Tb", 2}, (int64_t)1 << 40},
    {{"TB", 2}, (int64_t)1 << 40},
    {{"b", 1}, 1},
    {{"B", 1}, 1},
};

bool torch_time(struct str text, int64_t *ns)
{
	static const struct {
		struct str text;
		int digits;
	} units[] = {{{"ns", 2}, 0}, {{"us", 2}, 3}, {{"ms", 2}, 6}, {{"s", 1}, 9}};
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++) {
		if (!str_ends(text, units[i].text))
			continue;
		text = str_trim(str_head(text, text.n - units[i].text.n));
		return num_fixed(text, units[i].digits, ns) == NUM_OK;
	}
	return false;
}

/*
 * Converts a size to bytes. The number is read exactly, in millionths, and multiplied by its unit. The result is
 * rounded to the nearest byte; halves are rounded away from zero.
 */
static bool size(struct str text, int64_t *bytes)
{
	const int128 one = 1000000;
	int64_t millionths;
	int128 v;
	size_t i;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (str_ends(text, sizes[i].text))
			break;
	}
	if (i == sizeof sizes / sizeof *sizes)
		return false;
	text = str_trim(str_head(text, text.n - sizes[i].text.n));
	if (num_fixed(text, 6, &millionths) != NUM_OK)
		return false;
	v = (int128)millionths * sizes[i].factor;
	v = (v + (v < 0 ? -one / 2 : one / 2)) / one;
	*bytes = (int64_t)v;
	return v == *bytes;
}

static bool is_number(struct str text)
{
	double v;

	return num_double(text, &v);
}

static bool is_none(struct str text)
{
	return str_eq(text, STR("--"));
}

/* Whether the text is nan or inf, in the spellings of C and Python. JSON cannot represent these values. */
static bool is_nan(struct str text)
{
	if (text.n && text.p[0] == '-')
		text = str_from(text, 1);
	return str_eq(text, STR("nan")) || str_eq(text, STR("NaN")) || str_eq(text, STR("inf"));
}

/* Writes a member with the column's key. When `json` is empty, the caller appends the value. */
static void put(const struct torch_table *t, const struct torch_column *c, struct buf *args, struct str json)
{
	json_write_name(args, (struct str){t->keys.p + c->key, c->key_n});
	buf_add(args, json.p, json.n);
}

static void put_integer(
    const struct torch_table *t, const struct torch_column *c, struct buf *more, struct buf *args, int64_t v)
{
	char text[NUM_ROOM];

	if (c->member)
		json_write_int(more, c->member, v);
	else
		put(t, c, args, (struct str){text, (size_t)(num_put_i64(text, v) - text)});
}

static bool percent(const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *args)
{
	if (!str_ends(text, STR("%")))
		return false;
	text = str_trim(str_head(text, text.n - 1));
	if (is_nan(text))
		put(t, c, args, STR("null"));
	else if (is_number(text))
		put(t, c, args, text);
	else
		return false;
	return true;
}

static void quoted(const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *args)
{
	put(t, c, args, (struct str){0});
	json_quote(args, text);
}

/*
 * Writes a list of numbers, which Python prints as valid JSON. A list that was cut, or contains tuples, is written as
 * text.
 */
static void shapes(const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *args)
{
	struct fault f;

	if (text.p[0] != '[' || !json_check(text, &f)) {
		quoted(t, c, text, args);
		return;
	}
	put(t, c, args, (struct str){0});
	args->n += scan_squeeze(buf_room(args, text.n + SCAN_PAD), text).n;
}

static void other(
    const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *more, struct buf *args)
{
	int64_t v;

	if (torch_time(text, &v) || size(text, &v))
		put_integer(t, c, more, args, v);
	else if (is_number(text))
		put(t, c, args, text);
	else if (!percent(t, c, text, args))
		quoted(t, c, text, args);
}

/* Converts one non-empty cell. */
static bool cell(
    const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *more, struct buf *args)
{
	int64_t v;

	if (is_none(text))
		return true;
	switch (c->role) {
	case TORCH_NAME:
		break;
	case TORCH_COUNT:
		if (num_int(text, &v) != NUM_OK)
			return false;
		put_integer(t, c, more, args, v);
		break;
	case TORCH_TIME:
		if (is_nan(text))
			break;
		if (!torch_time(text, &v))
			return false;
		put_integer(t, c, more, args, v);
		break;
	case TORCH_PERCENT:
		return percent(t, c, text, args);
	case TORCH_SIZE:
		if (!size(text, &v))
			return false;
		put_integer(t, c, more, args, v);
		break;
	case TORCH_FLOPS:
		if (num_fixed(text, c->digits, &v) != NUM_OK)
			return false;
		put_integer(t, c, more, args, v);
		break;
	case TORCH_SHAPES:
		shapes(t, c, text, args);
		break;
	case TORCH_LOCATION: /* the caller collects the locations */
		break;
	case TORCH_OTHER:
		other(t, c, text, more, args);
	}
	return true;
}

bool torch_row(const struct torch_table *t, const struct torch_cells *cells, struct buf *more, struct buf *args)
{
	const struct torch_column *c;
	size_t i;

	for (i = 0; i < t->n; i++) {
		c = &t->column[i];
		if (cells->cell[i].n ? !cell(t, c, cells->cell[i], more, args) : c->role <= TORCH_PERCENT)
			return false;
	}
	return true;
}
