/*
 * derive: adds computed members to records.
 *
 * in:  {"ts":100,"dur":40,"kind":"kernel","name":"gemm","args":{"flops":8000}}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","args":{"flops":9000}}
 * out, with --prev before=end rate=flops/dur gap=ts-before:
 *      {"ts":100,"dur":40,"kind":"kernel","name":"gemm","rate":200,"args":{"flops":8000}}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","before":140,"rate":100,"gap":20,"args":{"flops":9000}}
 */
#include "assignments.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/kernel_names_option.h"
#include "program/opt_fields.h"

enum { KIND = 256 }; /* an option that adds an assignment has the number KIND + its kind */

/* An assignment of the command line. */
struct derive_item {
	enum assignment_kind kind;
	char option[32]; /* "" if the assignment is an operand */
	const char *text;
	size_t place; /* index of the command-line word that contains the assignment */
};

struct derive {
	struct assignments assignments;
	struct derive_item *items;
	size_t n_items, items_cap;
	char **words; /* the command line in its original order: opt_read() moves operands to the end */
	size_t n_words;
	const char *keep, *drop; /* the lists of --keep and --drop, or NULL */
	struct conditions where;
};

static const struct opt options[] = {
    {KIND + ASSIGNMENT_ELEMENT, "explode", OPT_TEXT("NAME=FIELD"), OPT_TAKE,
	"write each record once for each element of the array FIELD, with NAME\nset to the element"},
    {KIND + ASSIGNMENT_PREVIOUS, "prev", OPT_TEXT("NAME=FIELD"), OPT_TAKE,
	"add NAME: the value of FIELD in the preceding record"},
    {KIND + ASSIGNMENT_FIRST, "first", OPT_TEXT("NAME=FIELD"), OPT_TAKE,
	"add NAME: the value of FIELD in the first record that has it"},
    {KIND + ASSIGNMENT_LATEST, "latest", OPT_TEXT("NAME=FIELD"), OPT_TAKE,
	"add NAME: the value of FIELD in the latest record that has it"},
    {KIND + ASSIGNMENT_SUM, "cumulate", OPT_TEXT("NAME=EXPR"), OPT_TAKE,
	"add NAME: the sum of EXPR over all records up to this one"},
    {0, "keep", OPT_TEXT("NAME,..."), OPT_TO(struct derive, keep),
	"write only these members and those that are assigned"},
    {0, "drop", OPT_TEXT("NAME,..."), OPT_TO(struct derive, drop), "do not write these members"},
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE,
	"group records by these fields for --prev, --first, --latest and\n--cumulate"},
    {'w', "where", OPT_TEXT("COND"), OPT_TAKE,
	"change only records that have FIELD, do not have it (!FIELD), or satisfy\n"
	"FIELD OP VALUE; OP is one of == != < <= > >= =~ !~"},
    {0},
};

static const struct opt_program program = {
    "Adds computed members to records.",
    "[--explode NAME=FIELD] [--prev NAME=FIELD]... [--first NAME=FIELD]... "
    "[--latest NAME=FIELD]... [--cumulate NAME=EXPR]... [--keep NAME,...] [--drop NAME,...] [-g KEY,...] [-w COND]... "
    "[--kernel-names FILE] [NAME=EXPR]... [FILE...]",
    "trace2ndjson run.json.gz | derive 'rate=bytes/dur' 'long=dur>10us' | groupby -g long -f rate",
    .reads = "records, table",
    .writes = "records, table",
};

/* --- options --- */

/* Assignments are evaluated by ascending rank; assignments of equal rank, in the order of the command line. */
static int rank_of(enum assignment_kind kind)
{
	return kind == ASSIGNMENT_ELEMENT ? 0 : kind < ASSIGNMENT_EXPRESSION ? 1 : 2;
}

static void add_item(struct derive *d, enum assignment_kind kind, const char *option, const char *text)
{
	struct derive_item item = {.kind = kind, .text = text};
	size_t at;

	while (
	    item.place < d->n_words && (uintptr_t)text - (uintptr_t)d->words[item.place] > strlen(d->words[item.place]))
		item.place++;
	memcpy(item.option, option, strlen(option) + 1);
	d->items = mem_grow(d->items, &d->items_cap, d->n_items + 1, sizeof *d->items);
	for (at = d->n_items++; at > 0; at--) {
		const struct derive_item *before = &d->items[at - 1];
		const int order = rank_of(before->kind) - rank_of(kind);

		if (order < 0 || (order == 0 && before->place < item.place))
			break;
		d->items[at] = *before;
	}
	d->items[at] = item;
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct derive *d = arg;
	struct groups *groups = &d->assignments.groups;
	const struct str text = str_of(v->text);
	enum assignment_kind kind;
	size_t i;

	if (v->opt->letter == 'g') {
		opt_group_keys(groups, v->option, v->text);
		for (i = 0; i < groups->n_keys; i++) {
			if (groups_key_field(groups, i)->each)
				opt_invalid(v->option, groups_key_field(groups, i)->asked,
				    "a field with one value, without []");
		}
		return;
	}
	if (v->opt->letter == 'w') {
		opt_condition(&d->where, v->option, v->text);
		return;
	}
	kind = (enum assignment_kind)(v->opt->letter - KIND);
	if (field_span(text, "=") == text.n)
		opt_invalid(v->option, text, kind == ASSIGNMENT_SUM ? "NAME=EXPR" : "NAME=FIELD");
	add_item(d, kind, v->option, v->text);
}

/* Adds the members of --keep or --drop. */
static void add_list(struct derive *d, const char *option, const char *list, bool drop)
{
	struct buf text = {0};
	struct fault fault;
	struct str item;

	while (list && opt_item(&list, &text, &item)) {
		if (!assignments_list(&d->assignments, item, drop, &fault))
			die("%s: '%.*s': %s", option, STR_FMT(item), fault.what);
	}
	buf_free(&text);
}

/* Returns the operands that are files. */
static char **read_options(struct derive *d, struct input *in, int argc, char **argv)
{
	const struct opt_table tables[] = {{options, d, take_option}, KERNEL_NAMES_OPTION, INPUT_OPTIONS(in), {0}};
	bool stateful = false;
	char **operands;
	struct fault f;
	size_t i;

	d->n_words = (size_t)argc;
	d->words = mem_alloc(d->n_words * sizeof *d->words);
	memcpy(d->words, argv, d->n_words * sizeof *d->words);
	for (operands = opt_read(&program, argc, argv, tables); *operands && assignments_is_one(*operands); operands++)
		add_item(d, ASSIGNMENT_EXPRESSION, "", *operands);
	opt_need_input(&program, operands);
	kernel_names_option_read();
	for (i = 0; i < d->n_items; i++)
		stateful |= d->items[i].kind != ASSIGNMENT_EXPRESSION && d->items[i].kind != ASSIGNMENT_ELEMENT;
	if (d->assignments.groups.n_keys && !stateful)
		opt_needs("-g", "--prev, --first, --latest or --cumulate");
	for (i = 0; i < d->n_items; i++) {
		const struct derive_item *item = &d->items[i];

		if (!assignments_add(&d->assignments, item->kind, item->text, &f))
			die("%s%s'%.*s': invalid assignment at byte %llu: %s", item->option,
			    item->option[0] ? ": " : "", STR_FMT(str_of(item->text)), (unsigned long long)f.at.byte + 1,
			    f.what);
	}
	add_list(d, "--keep", d->keep, false);
	add_list(d, "--drop", d->drop, true);
	mem_free(d->items, d->words);
	return operands;
}

/* Prints hints about fields that no record has, except fields that expressions do not always need. */
static void hint_fields(const struct derive *d)
{
	const struct assignments *a = &d->assignments;
	const bool all = !d->where.n;
	struct str name;
	size_t i, at = 0;

	while ((name = assignments_absent(a, &at)).p)
		hint("no record has the member '%.*s'", STR_FMT(name));
	filter_hint_conditions(&d->where, true);
	for (i = 0; i < a->scope.n_fields; i++) {
		if (a->scope.fields[i].needed)
			filter_hint_field(&a->scope.fields[i].field, all);
	}
	for (i = 0; i < a->n; i++) {
		if (!a->list[i].expression)
			filter_hint_field(&a->list[i].field, all);
	}
	for (i = 0; i < a->groups.n_keys; i++)
		filter_hint_field(groups_key_field(&a->groups, i), all);
}

int main(int argc, char **argv)
{
	struct derive d = {.n_items = 0};
	struct input in = {0};
	struct event e;
	struct out out;
	char **files;
	bool selected;
	int status;

	err_init(argv[0]);
	files = read_options(&d, &in, argc, argv);
	input_uses_members(&in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&in, files, &out);
	while (input_next(&in, &e)) {
		selected = conditions_hold(&d.where, &e);
		if (selected)
			assignments_read(&d.assignments, &e);
		if (!input_valid(&in, &e))
			continue;
		if (selected)
			assignments_write(&d.assignments, &in, &e);
		else
			event_copy(&out, &e);
	}
	hint_fields(&d);
	status = filter_close(&in);
	assignments_free(&d.assignments);
	conditions_free(&d.where);
	return status;
}
