/*
 * torch_table: splits the lines of a profiler's table. A line of dashes shows the positions of the columns, in
 * characters. The headers of the columns are separated by two or more spaces, and are not always above their dashes:
 *
 *   -------  ------------  ------------
 *      Name    Self CPU %    # of Calls
 *   -------  ------------  ------------
 *
 * When the dashes have been shortened by hand, rows are split like the header.
 */
#include "torch_table.h"

#include "base/char_class.h"
#include "base/int_math.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/check.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

/* --- headers --- */

static const struct {
	struct str header;
	enum torch_role role;
	const char *member;
} known[] = {
    {{"Name", 4}, TORCH_NAME, NULL},
    {{"# of Calls", 10}, TORCH_COUNT, "count"},
    {{"Number of Calls", 15}, TORCH_COUNT, "count"},
    {{"Calls", 5}, TORCH_COUNT, "count"},
    {{"Input Shapes", 12}, TORCH_SHAPES, NULL},
    {{"Source Location", 15}, TORCH_LOCATION, NULL},
    {{"Overload Name", 13}, TORCH_OTHER, NULL},
    {{"Full Name", 9}, TORCH_OTHER, NULL},
    {{"Node ID", 7}, TORCH_OTHER, NULL},
};

/* Whether the header is "Total GFLOPs" or similar. If so, its unit is 10 to the power of *digits. */
static bool is_flops(struct str header, int *digits)
{
	static const char prefixes[] = "KMGTP";
	const char *at;

	if (!str_starts(header, STR("Total ")) || !str_ends(header, STR("FLOPs")) || header.n > 12)
		return false;
	*digits = 0;
	if (header.n == 11)
		return true;
	at = strchr(prefixes, header.p[6]);
	*digits = at ? 3 * (int)(at - prefixes + 1) : 0;
	return at != NULL;
}

/*
 * Reads the device's name from "Self DEVICE[ total]", "DEVICE total" or "DEVICE time[ avg]"; in the header of a share,
 * a % follows. Sets *self if the time is the row's own time, and *sum if it includes everything that the row called. p
 * is NULL when the column does not contain times.
 */
static struct str device_of(struct str header, bool *self, bool *sum)
{
	struct str rest = header;

	*self = str_starts(rest, STR("Self "));
	*sum = false;
	if (*self)
		rest = str_from(rest, 5);
	if (str_ends(rest, STR(" %")))
		rest.n -= 2;
	if (str_ends(rest, STR(" total"))) {
		*sum = !*self;
		rest.n -= 6;
	} else if (!*self && str_ends(rest, STR(" time avg"))) {
		rest.n -= 9;
	} else if (!*self && str_ends(rest, STR(" time"))) {
		rest.n -= 5;
	} else if (!*self) {
		return (struct str){0};
	}
	if (!rest.n || memchr(rest.p, ' ', rest.n))
		return (struct str){0};
	return rest;
}

/* Sets *c from the text of its header, and *device to the name of the device, if the column is about a device. */
static void classify(struct torch_column *c, struct str header, struct str *device)
{
	struct str who;
	bool self, sum;
	size_t i;

	c->member = NULL;
	c->role = TORCH_OTHER;
	*device = (struct str){0};
	for (i = 0; i < sizeof known / sizeof *known; i++) {
		if (str_eq(header, known[i].header)) {
			c->role = known[i].role;
			c->member = known[i].member;
			return;
		}
	}
	if (is_flops(header, &c->digits)) {
		c->role = TORCH_FLOPS;
		return;
	}
	if (str_ends(header, STR(" Mem"))) {
		c->role = TORCH_SIZE;
		return;
	}
	who = device_of(header, &self, &sum);
	if (!who.p)
		return;
	c->role = str_ends(header, STR("%")) ? TORCH_PERCENT : TORCH_TIME;
	if (!str_eq(who, STR("CPU")))
		*device = who;
	if (c->role == TORCH_TIME && (self || sum))
		c->member = device->n ? (self ? "dev_self" : "dev_total") : self ? "self" : "total";
}

static struct str without_lead(struct str line)
{
	while (line.n && memchr("# \t>*/|", line.p[0], 7))
		line = str_from(line, 1);
	return line;
}

size_t torch_pieces(struct str line, struct str *piece, size_t most)
{
	size_t n = 0, i, from;

	line = str_trim(line);
	for (i = 0; i < line.n; n++) {
		for (from = i; i < line.n; i++) {
			if (line.p[i] == '\t' || (line.p[i] == ' ' && i + 1 < line.n && line.p[i + 1] == ' '))
				break;
		}
		if (n < most)
			piece[n] = (struct str){line.p + from, i - from};
		while (i < line.n && is_blank(line.p[i]))
			i++;
	}
	return n;
}

bool torch_is_header(struct str line)
{
	struct str piece[TORCH_COLUMNS], device;
	struct torch_column c;
	size_t n, i, named = 0, others = 0;

	if (str_find(line, STR("Name")) == line.n)
		return false;
	n = torch_pieces(without_lead(line), piece, TORCH_COLUMNS);
	if (n < 2 || n > TORCH_COLUMNS)
		return false;
	for (i = 0; i < n; i++) {
		classify(&c, piece[i], &device);
		named += c.role == TORCH_NAME;
		others += c.role != TORCH_OTHER && c.role != TORCH_NAME;
	}
	return named == 1 && others > 0;
}

/* FLOPs are written as a number of single operations, whatever the unit in the header is. */
static void set_key(struct torch_table *t, struct torch_column *c, struct str header)
{
	if (c->role == TORCH_FLOPS)
		header = STR("Total FLOPs");
	c->key = t->keys.n;
	c->key_n = header.n;
	buf_add(&t->keys, header.p, header.n);
}

bool torch_header(struct torch_table *t, struct str line)
{
	struct str piece[TORCH_COLUMNS], device;
	size_t i;

	if (!torch_is_header(line))
		return false;
	t->keys.n = t->device.n = 0;
	t->has_location = false;
	t->n = torch_pieces(without_lead(line), piece, TORCH_COLUMNS);
	for (i = 0; i < t->n; i++) {
		classify(&t->column[i], piece[i], &device);
		set_key(t, &t->column[i], piece[i]);
		t->has_location |= t->column[i].role == TORCH_LOCATION;
		if (device.n && !t->device.n)
			buf_add(&t->device, device.p, device.n);
	}
	return true;
}

/* --- rules --- */

/* Returns the width of s in characters, without the white space at its end. */
static size_t width_of(struct str s)
{
	struct str trimmed = str_trim(s);
	size_t n = 0, i;

	s.n = (size_t)(trimmed.p - s.p) + trimmed.n;
	for (i = 0; i < s.n; i++)
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return n;
}

bool torch_rule(struct torch_table *t, struct str line)
{
	struct str body = without_lead(line);
	size_t i, from, n = 0;

	if (!str_starts(body, STR("---")))
		return false;
	for (i = 0; i < body.n; i++) {
		if (body.p[i] != '-' && !is_blank(body.p[i]))
			return false;
	}
	t->prefix.n = 0;
	buf_add(&t->prefix, line.p, line.n - body.n);
	for (i = 0; i < body.n; n++) {
		for (from = i; i < body.n && body.p[i] == '-'; i++)
			;
		if (n < TORCH_COLUMNS) {
			t->column[n].start = from;
			t->column[n].end = i;
		}
		while (i < body.n && body.p[i] != '-')
			i++;
	}
	t->rules = n;
	return true;
}

struct str torch_body(const struct torch_table *t, struct str line)
{
	struct str prefix = {t->prefix.p, t->prefix.n};

	return str_starts(line, prefix) ? str_from(line, prefix.n) : line;
}

void torch_settle(struct torch_table *t, struct str header)
{
	size_t width = width_of(torch_body(t, header)), end;

	t->fits = t->rules == t->n;
	t->right = false;
	if (!t->fits)
		return;
	/* A header that is wider than its dashes moves the following headers to the right. */
	end = t->column[t->n - 1].end;
	t->fits = width <= end + 2 * t->n;
	t->right = t->fits && width >= end;
}

/* --- rows --- */

/*
 * Moves forward in s to the character with index `to`, or to the end of s. *at is the byte offset and *character the
 * index of the current character.
 */
static void advance_to(struct str s, size_t *at, size_t *character, size_t to)
{
	while (*at < s.n && *character < to) {
		do
			++*at;
		while (*at < s.n && ((unsigned char)s.p[*at] & 0xc0) == 0x80);
		++*character;
	}
}

/*
 * Splits a row at the positions of the dashes. False when there is text between two columns. The last cell extends to
 * the end of the line.
 */
static bool cut_by_rule(const struct torch_table *t, struct str body, struct torch_cells *cells)
{
	size_t at = 0, character = 0, i, from;

	for (i = 0; i < t->n; i++) {
		from = at;
		advance_to(body, &at, &character, t->column[i].start);
		if (str_trim((struct str){body.p + from, at - from}).n)
			return false;
		from = at;
		advance_to(body, &at, &character, i + 1 < t->n ? t->column[i].end : SIZE_MAX);
		cells->cell[i] = str_trim((struct str){body.p + from, at - from});
	}
	return true;
}

bool torch_cut(const struct torch_table *t, struct str line, struct torch_cells *cells)
{
	struct str body = torch_body(t, line);
	size_t i;

	cells->n = t->n;
	if (t->fits && cut_by_rule(t, body, cells))
		return true;
	if (torch_pieces(body, cells->cell, TORCH_COLUMNS) == t->n)
		return true;
	if (!t->has_location || torch_pieces(body, cells->cell, 1) != 1)
		return false;
	/* The row is only a location. Such a row is accepted only if the dashes do not show the columns. */
	for (i = t->n; i-- > 0;)
		cells->cell[i] = t->column[i].role == TORCH_LOCATION ? cells->cell[0] : (struct str){0};
	return !t->fits;
}

bool torch_is_short(const struct torch_table *t, struct str line)
{
	return t->right && width_of(torch_body(t, line)) < t->column[t->n - 1].end;
}

bool torch_continues(const struct torch_table *t, const struct torch_cells *cells)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if ((cells->cell[i].n > 0) != (t->column[i].role == TORCH_LOCATION))
			return false;
	}
	return t->has_location;
}

/* --- cells: times (to ns), sizes (to bytes), FLOPs, percentages and shapes --- */

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
static bool read_size(struct str text, int64_t *bytes)
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
static void put_member(const struct torch_table *t, const struct torch_column *c, struct buf *args, struct str json)
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
		put_member(t, c, args, num_str_i64(text, v));
}

static bool put_percent(const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *args)
{
	if (!str_ends(text, STR("%")))
		return false;
	text = str_trim(str_head(text, text.n - 1));
	if (is_nan(text))
		put_member(t, c, args, STR("null"));
	else if (is_number(text))
		put_member(t, c, args, text);
	else
		return false;
	return true;
}

static void put_quoted(const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *args)
{
	put_member(t, c, args, (struct str){0});
	json_quote(args, text);
}

/*
 * Writes a list of numbers, which Python prints as valid JSON. A list that was cut, or contains tuples, is written as
 * text.
 */
static void put_shapes(const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *args)
{
	struct fault f;

	if (text.p[0] != '[' || !json_check(text, &f)) {
		put_quoted(t, c, text, args);
		return;
	}
	put_member(t, c, args, (struct str){0});
	args->n += scan_squeeze(buf_room(args, text.n + SCAN_PAD), text).n;
}

static void put_other(
    const struct torch_table *t, const struct torch_column *c, struct str text, struct buf *more, struct buf *args)
{
	int64_t v;

	if (torch_time(text, &v) || read_size(text, &v))
		put_integer(t, c, more, args, v);
	else if (is_number(text))
		put_member(t, c, args, text);
	else if (!put_percent(t, c, text, args))
		put_quoted(t, c, text, args);
}

/* Converts one non-empty cell. */
static bool put_cell(
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
		return put_percent(t, c, text, args);
	case TORCH_SIZE:
		if (!read_size(text, &v))
			return false;
		put_integer(t, c, more, args, v);
		break;
	case TORCH_FLOPS:
		if (num_fixed(text, c->digits, &v) != NUM_OK)
			return false;
		put_integer(t, c, more, args, v);
		break;
	case TORCH_SHAPES:
		put_shapes(t, c, text, args);
		break;
	case TORCH_LOCATION: /* the caller collects the locations */
		break;
	case TORCH_OTHER:
		put_other(t, c, text, more, args);
	}
	return true;
}

bool torch_row(const struct torch_table *t, const struct torch_cells *cells, struct buf *more, struct buf *args)
{
	const struct torch_column *c;
	size_t i;

	for (i = 0; i < t->n; i++) {
		c = &t->column[i];
		if (cells->cell[i].n ? !put_cell(t, c, cells->cell[i], more, args) : c->role <= TORCH_PERCENT)
			return false;
	}
	return true;
}
