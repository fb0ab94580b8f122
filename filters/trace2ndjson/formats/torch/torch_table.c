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

/* Returns the power of 1000 or 1024 of a prefix: 1 for K, 2 for M ...; 0 for any other character. */
static int power_of(char prefix)
{
	static const char prefixes[] = "KMGTP";
	const char *at = memchr(prefixes, prefix, sizeof prefixes - 1);

	return at ? (int)(at - prefixes) + 1 : 0;
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

/* Sets *c from the text of its header. */
static void classify(struct torch_column *c, struct str header)
{
	bool self, sum;
	struct str who;
	size_t i;

	*c = (struct torch_column){.role = TORCH_OTHER, .key = header};
	for (i = 0; i < sizeof known / sizeof *known; i++) {
		if (str_eq(header, known[i].header)) {
			c->role = known[i].role;
			c->member = known[i].member;
			return;
		}
	}
	/* "Total FLOPs", "Total GFLOPs" ... */
	c->digits = header.n == 12 ? 3 * power_of(header.p[6]) : 0;
	if (str_starts(header, STR("Total ")) && str_ends(header, STR("FLOPs")) && (header.n == 11 || c->digits)) {
		c->role = TORCH_FLOPS;
		c->key = STR("Total FLOPs"); /* they are written as a number of single operations */
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
		c->device = who;
	if (c->role == TORCH_TIME && (self || sum))
		c->member = c->device.n ? (self ? "dev_self" : "dev_total") : self ? "self" : "total";
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

/* Reads a header. Returns the number of columns; 0 when the line is not a header. */
static size_t read_header(struct str line, struct torch_column *column)
{
	struct str piece[TORCH_COLUMNS];
	size_t n, i, named = 0, others = 0;

	if (str_find(line, STR("Name")) == line.n)
		return 0;
	n = torch_pieces(without_lead(line), piece, TORCH_COLUMNS);
	if (n < 2 || n > TORCH_COLUMNS)
		return 0;
	for (i = 0; i < n; i++) {
		classify(&column[i], piece[i]);
		named += column[i].role == TORCH_NAME;
		others += column[i].role != TORCH_OTHER && column[i].role != TORCH_NAME;
	}
	return named == 1 && others ? n : 0;
}

bool torch_header(struct torch_table *t, struct str line)
{
	struct torch_column column[TORCH_COLUMNS];
	size_t i;

	if (!read_header(line, column))
		return false;
	buf_set(&t->header, line);
	t->n = read_header(buf_str(&t->header), t->column);
	t->has_location = false;
	t->device = STR("");
	for (i = 0; i < t->n; i++) {
		t->has_location |= t->column[i].role == TORCH_LOCATION;
		if (t->column[i].role == TORCH_NAME)
			t->name = i;
		if (!t->device.n)
			t->device = t->column[i].device;
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
	buf_set(&t->prefix, str_head(line, line.n - body.n));
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
	return str_starts(line, buf_str(&t->prefix)) ? str_from(line, t->prefix.n) : line;
}

void torch_end_header(struct torch_table *t)
{
	size_t width = width_of(torch_body(t, buf_str(&t->header))), end;

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

/* Moves on in s to character `to`, or to the end. *at is the current offset in bytes, *character in characters. */
static void advance_to(struct str s, size_t *at, size_t *character, size_t to)
{
	while (*at < s.n && *character < to) {
		do
			++*at;
		while (*at < s.n && utf8_continues(s.p[*at]));
		++*character;
	}
}

/* Splits a row at the dashes; false when text is between two columns. The last cell extends to the end of the line. */
static bool cut_by_rule(const struct torch_table *t, struct str body, struct str *cell)
{
	size_t at = 0, character = 0, i, from;

	for (i = 0; i < t->n; i++) {
		from = at;
		advance_to(body, &at, &character, t->column[i].start);
		if (str_trim((struct str){body.p + from, at - from}).n)
			return false;
		from = at;
		advance_to(body, &at, &character, i + 1 < t->n ? t->column[i].end : SIZE_MAX);
		cell[i] = str_trim((struct str){body.p + from, at - from});
	}
	return true;
}

bool torch_cut(const struct torch_table *t, struct str line, struct str cell[TORCH_COLUMNS])
{
	struct str body = torch_body(t, line);
	size_t i;

	if (t->fits && cut_by_rule(t, body, cell))
		return true;
	if (torch_pieces(body, cell, TORCH_COLUMNS) == t->n)
		return true;
	if (!t->has_location || torch_pieces(body, cell, 1) != 1)
		return false;
	/* The row is only a location. Such a row is accepted only if the dashes do not show the columns. */
	for (i = t->n; i-- > 0;)
		cell[i] = t->column[i].role == TORCH_LOCATION ? cell[0] : (struct str){0};
	return !t->fits;
}

bool torch_is_short(const struct torch_table *t, struct str line)
{
	return t->right && width_of(torch_body(t, line)) < t->column[t->n - 1].end;
}

bool torch_continues(const struct torch_table *t, const struct str *cell)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if ((cell[i].n > 0) != (t->column[i].role == TORCH_LOCATION))
			return false;
	}
	return t->has_location;
}

/* --- cells: times (to ns), sizes (to bytes), FLOPs, percentages and shapes --- */

/* Removes a unit, and the white space before it, from the end of *text. */
static bool take_unit(struct str *text, struct str unit)
{
	if (!str_ends(*text, unit))
		return false;
	*text = str_trim(str_head(*text, text->n - unit.n));
	return true;
}

bool torch_time(struct str text, int64_t *ns)
{
	static const struct str units[] = {{"ns", 2}, {"us", 2}, {"ms", 2}, {"s", 1}};
	int i;

	for (i = 0; i < 4; i++) {
		if (take_unit(&text, units[i]))
			return num_fixed(text, 3 * i, ns) == NUM_OK;
	}
	return false;
}

/*
 * Converts a size such as "1.50 Kb" to bytes: the units are powers of 1024, and B or b depends on the version. The
 * number is read exactly, in millionths, and multiplied by its unit. The result is rounded to the nearest byte; halves
 * are rounded away from zero.
 */
static bool read_size(struct str text, int64_t *bytes)
{
	const int128 one = 1000000;
	int64_t millionths;
	int128 v;
	int power;

	if (!take_unit(&text, STR("b")) && !take_unit(&text, STR("B")))
		return false;
	power = text.n ? power_of(text.p[text.n - 1]) : 0;
	if (power > 4 || num_fixed(str_trim(str_head(text, text.n - (power > 0))), 6, &millionths) != NUM_OK)
		return false;
	v = (int128)millionths * ((int64_t)1 << 10 * power);
	v = (v + (v < 0 ? -one / 2 : one / 2)) / one;
	*bytes = (int64_t)v;
	return v == *bytes;
}

/* Reads a cell of a column of integers. */
static bool read_integer(const struct torch_column *c, struct str text, int64_t *v)
{
	switch (c->role) {
	case TORCH_COUNT:
		return num_int(text, v) == NUM_OK;
	case TORCH_TIME:
		return torch_time(text, v);
	case TORCH_SIZE:
		return read_size(text, v);
	case TORCH_FLOPS:
		return num_fixed(text, c->digits, v) == NUM_OK;
	default:
		return torch_time(text, v) || read_size(text, v);
	}
}

/* Whether the text is nan or inf, in the spellings of C and Python. JSON cannot represent these values. */
static bool is_nan(struct str text)
{
	static const char *const names[] = {"nan", "NaN", "inf", "-nan", "-NaN", "-inf", NULL};

	return str_in(text, names);
}

static void put_json(const struct torch_column *c, struct draft *d, struct str json)
{
	json_write_name(&d->args, c->key);
	scan_append(&d->args, json);
}

static bool put_integer(const struct torch_column *c, struct str text, struct draft *d)
{
	char digits[NUM_ROOM];
	int64_t v;

	if (!read_integer(c, text, &v))
		return false;
	if (c->member)
		json_write_int(&d->attachments, c->member, v);
	else
		put_json(c, d, num_str_i64(digits, v));
	return true;
}

static bool put_finite(const struct torch_column *c, struct str text, struct draft *d)
{
	double v;
	const bool finite = num_double(text, &v);

	if (finite)
		put_json(c, d, text);
	return finite;
}

static bool put_percent(const struct torch_column *c, struct str text, struct draft *d)
{
	if (!take_unit(&text, STR("%")))
		return false;
	if (put_finite(c, text, d))
		return true;
	if (is_nan(text))
		put_json(c, d, STR("null"));
	return is_nan(text);
}

static void put_quoted(const struct torch_column *c, struct str text, struct draft *d)
{
	json_write_name(&d->args, c->key);
	json_quote(&d->args, text);
}

/* Converts one non-empty cell. */
static bool put_cell(const struct torch_column *c, struct str text, struct draft *d)
{
	if (str_eq(text, STR("--")))
		return true;
	switch (c->role) {
	case TORCH_NAME:
	case TORCH_LOCATION: /* the caller collects the locations */
		return true;
	case TORCH_PERCENT:
		return put_percent(c, text, d);
	case TORCH_SHAPES:
		/* Python prints lists of numbers as valid JSON. A list that is cut or has tuples is written as text. */
		if (text.p[0] == '[' && json_check(text, NULL))
			put_json(c, d, text);
		else
			put_quoted(c, text, d);
		return true;
	case TORCH_OTHER:
		if (!put_integer(c, text, d) && !put_finite(c, text, d) && !put_percent(c, text, d))
			put_quoted(c, text, d);
		return true;
	default:
		return put_integer(c, text, d) || (c->role == TORCH_TIME && is_nan(text));
	}
}

bool torch_row(const struct torch_table *t, const struct str *cell, struct draft *d)
{
	const struct torch_column *c;
	size_t i;

	for (i = 0; i < t->n; i++) {
		c = &t->column[i];
		if (cell[i].n ? !put_cell(c, cell[i], d) : c->role <= TORCH_PERCENT)
			return false;
	}
	return true;
}

void torch_table_free(struct torch_table *t)
{
	bufs_free(&t->header, &t->prefix);
}
