#include "program/input_options.h"

#include "base/num_parse.h"

#define TO(member) OPT_TO(struct input_options, member)
#define TRACE_ROWS                                                                                                     \
	{0, "lenient", OPT_FLAG, TO(lenient), "exit 0 even when records were lost"},                                   \
	    {0, "max-record", OPT_SIZE("SIZE", 1), TO(max_record), "skip records larger than SIZE (default 64MiB)"},   \
	    {0, "quiet", OPT_FLAG, OPT_TAKE, "do not print hints or notes on standard error"},                         \
	{                                                                                                              \
		0                                                                                                      \
	}

const struct opt trace_option_rows[] = {TRACE_ROWS};

const struct opt record_option_rows[] = {
    {0, "check", OPT_FLAG, TO(check), "check the JSON of whole records, including parts that are not used"},
    TRACE_ROWS,
};

const struct opt piece_option_rows[] = {
    {0, "piece", OPT_TEXT("K/N"), OPT_TAKE,
	"read only piece K, counted from 1, of N pieces of each file, cut between\n"
	"records; not of compressed files"},
    {0},
};

void input_options_take_piece(void *options, const struct opt_value *v)
{
	struct source_piece *piece = &((struct input_options *)options)->piece;
	const struct str text = str_of(v->text);
	const size_t slash = str_find(text, STR("/"));

	if (slash == text.n || !num_count(str_head(text, slash), &piece->number) ||
	    !num_count(str_from(text, slash + 1), &piece->of) || !piece->number || piece->number > piece->of)
		opt_invalid(v->option, text, "K/N, such as 1/4 for the first of 4 pieces");
}

/* --quiet */
void input_options_take(void *options, const struct opt_value *v)
{
	(void)options;
	(void)v;
	err_set_quiet();
}
