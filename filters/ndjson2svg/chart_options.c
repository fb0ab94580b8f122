#include "chart_options.h"

#include "base/num_parse.h"

enum { ERR = 300, AS_READ, FACET, ROWS, LABEL, COLOR, BINS, PAGE, BARS, ZOOM, LOG, DIFF, MARKS };

static const char *const rows_words[] = {"stream", "thread", "depth", "each", "rank", NULL};

#define TO(member) OPT_TO(struct chart_options, member)
const struct opt chart_option_rows[] = {
    {'f', "field", OPT_TEXT("FIELD,..."), OPT_TAKE,
	"draw the values of this field; of several fields, of the first one that\n"
	"a record has (default dur_sum,dur_mean,dur; hist: dur)"},
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE,
	"name bars and parts by these fields (default name); line, steps: use\n"
	"this field for the x axis (default ts)"},
    {'t', "top", OPT_COUNT("N", 1), OPT_TAKE,
	"draw at most N bars (default 40), parts (8; stacked: 8 to 16), rows\n"
	"(1000; heat: 200) or levels of frames (flame: 1000); draw the sum of all\n"
	"other bars or parts as one, in grey"},
    {BARS, "bars", OPT_COUNT("N", 1), OPT_TAKE,
	"stacked: draw at most N bars in each panel (default 20), and one for the\n"
	"rest"},
    {ERR, "err", OPT_TEXT("FIELD"), OPT_TAKE, "bar: draw error bars of plus or minus this field, such as dur_std"},
    {AS_READ, "as-read", OPT_FLAG, OPT_TAKE, "bar: draw the first records in input order, not the largest"},
    {FACET, "facet", OPT_TEXT("FIELD"), OPT_TAKE, "stacked: draw a panel for each value of this field"},
    {ROWS, "rows", OPT_CHOICE("ROWS", rows_words), OPT_TAKE,
	"gantt, heat: draw one row for each stream (default), thread, depth or\n"
	"rank; gantt also: for each record (each)"},
    {LABEL, "label", OPT_TEXT("FIELD,..."), OPT_TAKE, "gantt: write these fields in the boxes (default name)"},
    {COLOR, "color", OPT_TEXT("FIELD"), OPT_TAKE,
	"line, steps: draw one line for each value of this field; gantt: color\n"
	"the boxes by this field (default name; with --rows each: kind)"},
    {ZOOM, "zoom", OPT_FLAG, OPT_TAKE, "line, steps: begin the y axis at the minimum, not at 0"},
    {BINS, "bins", OPT_TEXT("BINS"), OPT_TAKE,
	"hist: use this number of bins, or bins between these edges, such as\n"
	"0,10us,1ms"},
    {LOG, "log", OPT_FLAG, OPT_TAKE, "hist: use bins of increasing widths, such as 1 2 5 10 20 50"},
    {DIFF, "diff", OPT_TEXT("FILE"), OPT_TAKE, "flame: compare with the folded stacks in FILE, from an earlier run"},
    {MARKS, "marks", OPT_FLAG, OPT_TAKE, "gantt, flame: write the boxes as records, for a report, and no picture"},
    {0, "title", OPT_TEXT("TEXT"), TO(title), "write this title (default: a description of the picture; '' for none)"},
    {PAGE, "page", OPT_TEXT("WxH"), OPT_TAKE,
	"set the size in pixels, or with -T in columns and lines; the height 0\n"
	"fits the contents (default 900x0; -T: width of the terminal)"},
    {'T', "terminal", OPT_FLAG, TO(text), "draw with Unicode blocks, or with ASCII if the locale is not UTF-8"},
    {0, "colour", OPT_RENAMED("--color"), OPT_TAKE, NULL},
    {0},
};

static void read_page(struct chart_options *o, const struct opt_value *v)
{
	struct str rest = str_of(v->text), width;
	int64_t w, h;

	if (!str_split(&rest, 'x', &width) || !rest.p || num_int(width, &w) != NUM_OK || num_int(rest, &h) != NUM_OK ||
	    w < 1 || w > 20000 || h < 0 || h > 100000)
		opt_invalid(v->option, str_of(v->text), "WxH, such as 900x400");
	o->width = (int)w;
	o->height = (int)h;
}

static void add_fields(struct chart_options *o, const struct opt_value *v)
{
	struct opt_fields *to = NULL;

	switch (v->opt->letter) {
	case 'f':
		to = &o->values;
		break;
	case 'g':
		to = &o->keys;
		break;
	case ERR:
		to = &o->error;
		break;
	case FACET:
		to = &o->facet;
		break;
	case LABEL:
		to = &o->labels;
		break;
	case COLOR:
		to = &o->color;
		break;
	}
	opt_fields_add(to, v->option, v->text);
	if (to->n > 1 && (to == &o->error || to == &o->facet || to == &o->color))
		opt_invalid(v->option, str_of(v->text), "one field");
}

void chart_options_take(void *options, const struct opt_value *v)
{
	struct chart_options *o = options;

	if (v->opt->letter == PAGE) {
		read_page(o, v);
		return;
	}
	o->given |= 1u << (v->opt - chart_option_rows);
	switch (v->opt->letter) {
	case 't':
		o->top = (uint64_t)v->number;
		break;
	case BARS:
		o->bars = (uint64_t)v->number;
		break;
	case DIFF:
		o->diff = v->text;
		break;
	case ROWS:
		o->rows = (enum chart_rows)v->number;
		break;
	case AS_READ:
		o->as_read = true;
		break;
	case ZOOM:
		o->zoom = true;
		break;
	case BINS:
		histogram_options_read(&o->bins, v->option, v->text);
		break;
	case MARKS:
		o->marks = true;
		break;
	case LOG:
		o->bins.log = true;
		break;
	default:
		add_fields(o, v);
	}
}

static bool is_allowed(const char *name, const char *allowed)
{
	struct str rest = str_of(allowed), word;

	while (str_split(&rest, ' ', &word)) {
		if (str_eq(word, str_of(name)))
			return true;
	}
	return false;
}

void chart_options_check(const struct chart_options *o, const char *kind, const char *allowed)
{
	const struct opt *row;
	char option[40];

	for (row = chart_option_rows; row->name; row++) {
		if (!(o->given >> (row - chart_option_rows) & 1) || is_allowed(row->name, allowed))
			continue;
		if (opt_has_letter(row))
			opt_excluded((char[]){'-', (char)row->letter, '\0'}, kind);
		memcpy(option, "--", 2);
		memcpy(option + 2, row->name, strlen(row->name) + 1);
		opt_excluded(option, kind);
	}
}
