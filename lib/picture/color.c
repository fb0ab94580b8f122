#include "picture/color.h"

#include "base/num_parse.h"
#include "base/char_class.h"
#include "device/kernel_names.h"

static const struct color_row {
	const char *name, *light, *dark;
	uint8_t of_16, of_256;
} rows[] = {
#define COLORS_ROW(id, name, light, dark, of_16, of_256) {name, light, dark, of_16, of_256},
    COLORS(COLORS_ROW)};

const char *color_name(enum color c)
{
	return rows[c].name;
}

const char *color_meaning(enum color c)
{
	static const char *const names[COLOR_MEANINGS] = {
	    "none", "computing", "communication", "copies", "host", "pause", "annotation", "operator", "waiting"};

	return names[c];
}

enum color color_heat(double share)
{
	const int step = share >= 1 ? COLORS_HEAT - 1 : share > 0 ? 1 + (int)(share * (COLORS_HEAT - 1)) : 0;

	return (enum color)(COLOR_HEAT_0 + (step < COLORS_HEAT ? step : COLORS_HEAT - 1));
}

enum color color_of_kind(enum event_kind kind)
{
	static const enum color colors[KIND_N] = {[KIND_KERNEL] = COLOR_COMPUTING,
	    [KIND_MEMCPY] = COLOR_COPY,
	    [KIND_MEMSET] = COLOR_COPY,
	    [KIND_API] = COLOR_HOST,
	    [KIND_RANGE] = COLOR_ANNOTATION,
	    [KIND_OP] = COLOR_OPERATOR,
	    [KIND_PRIMITIVE] = COLOR_OPERATOR};

	return kind < KIND_N && colors[kind] ? colors[kind] : COLOR_SERIES_0;
}

/*
 * Names that have a meaning: beginnings of names in lower case, separated by '|'; a '$' at the end stands for the end
 * of the name.
 */
static const struct meaning {
	enum color color;
	const char *names;
} meanings[] = {
    {COLOR_COMMUNICATION, "communication|comm_time"},
    {COLOR_COPY, "memcpy|memset|hipmemcpy|hipmemset|[cuda mem|memory$|memory_time"},
    {COLOR_COMPUTING, "kernel$|computation|compute_time"},
    {COLOR_HOST, "api$|host_wait"},
    {COLOR_ANNOTATION, "range$"},
    {COLOR_OPERATOR, "op$|primitive$"},
    {COLOR_PAUSE, "idle|kernel_wait|other_wait"},
    {COLOR_NONE, "(none)$|others$"},
};

/* Returns whether a name begins with one of the names in a list. */
static bool begins(struct str name, const char *list)
{
	struct str rest = str_of(list), word;

	while (str_split(&rest, '|', &word)) {
		const bool whole = str_ends(word, STR("$"));

		word.n -= whole;
		if (str_eq_any_case(whole ? name : str_head(name, word.n), word))
			return true;
	}
	return false;
}

enum color color_of_name(struct str name, enum color otherwise)
{
	size_t i;

	if (str_find(name, STR(" + ")) < name.n)
		return otherwise; /* a set of kernels */
	for (i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		if (begins(name, meanings[i].names))
			return meanings[i].color;
	}
	return kernel_names_find_text(name)->class == KERNEL_COMM ? COLOR_COMMUNICATION : otherwise;
}

enum color color_of_part(struct color_use *use, struct str name)
{
	const enum color c = color_of_name(name, COLOR_N);
	const bool shades = c == COLOR_COPY || c == COLOR_COMMUNICATION;
	size_t times;

	if (c == COLOR_NONE)
		return c;
	times = c < COLOR_N ? use->used[c]++ : SIZE_MAX;
	if (!times)
		return c;
	if (shades && times < 3)
		return (enum color)((c == COLOR_COPY ? COLOR_COPY_2 : COLOR_COMMUNICATION_2) + times - 1);
	return color_series(use->series++);
}

int color_of_terminal(enum color c, int colors)
{
	return colors == 256 ? rows[c].of_256 : rows[c].of_16;
}

static void write_rules(struct out *o, bool dark)
{
	const char *value[COLOR_N];
	int part[3], light, k;
	size_t i;

	for (i = 0; i < COLOR_N; i++) {
		value[i] = dark ? rows[i].dark : rows[i].light;
		for (k = 0; k < 3; k++)
			part[k] = hex_value(value[i][1 + 2 * k]) * 16 + hex_value(value[i][2 + 2 * k]);
		/* the relative luminance times 2550000 (weights of ITU-R BT.709, without gamma) */
		light = part[0] * 2126 + part[1] * 7152 + part[2] * 722;
		out_all(o, (const char *const[]){".tf .", rows[i].name, "{fill:", value[i], "}.tf .on-", rows[i].name,
			       "{fill:", light > 1250000 ? "#10131a" : "#ffffff", "}\n", NULL});
	}
	for (i = COLOR_NONE; i < COLOR_HEAT_0; i++)
		out_all(
		    o, (const char *const[]){".tf path.l-", rows[i].name, "{fill:none;stroke:", value[i], "}\n", NULL});
	out_all(o, (const char *const[]){".tf path.m,.tf .cut{stroke:", value[COLOR_BACK],
		       "}.tf .rule{stroke:", value[COLOR_SOFT], "}.tf .faint{stroke:", value[COLOR_GRID], "}\n", NULL});
}

void color_write_style(struct out *o)
{
	out_lit(o, "<style>.tf text{font:12px \"DejaVu Sans\",Verdana,\"Segoe UI\",Arial,sans-serif}\n"
		   ".tf .title{font-size:15px;font-weight:600}.tf text{pointer-events:none}\n"
		   ".tf .rule,.tf .faint{stroke-width:1}.tf path{stroke-width:1.5;stroke-linejoin:round}\n"
		   ".tf text.click{pointer-events:auto;cursor:pointer}.tf .off{display:none}.tf .m.dim{opacity:.25}\n"
		   ".tf [class^=h]{shape-rendering:crispEdges}.tf .m:hover{opacity:.75}.tf path.m{stroke-width:1}\n");
	write_rules(o, false);
	out_lit(o, "@media (prefers-color-scheme:dark){\n");
	write_rules(o, true);
	out_lit(o, "}</style>\n");
}
