/*
 * key-join: adds members of the records of a file to records with the same keys.
 *
 * FILE: {"name":"gemm","class":"matrix product","flops":8000}
 * in:   {"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0}
 *       {"ts":160,"dur":90,"kind":"kernel","name":"relu","dev":0}
 * out, with -g name:
 *       {"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"class":"matrix product","flops":8000}
 */
#include "join_queue.h"
#include "joined_members.h"
#include "program/carried_fields.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"
#include "record/value_ids.h"
#include "row_table.h"

#include <inttypes.h>

enum { TAKE = 256 };

struct key_join {
	struct input in, file; /* file: FILE */
	struct out out;
	struct opt_fields keys;     /* -g */
	struct carried_fields take; /* --take */
	bool last;
	struct row_table rows; /* of FILE */
	struct joined_members members;
	struct join_queue queue;
	struct buf key, canonical, room;
};

#define TO(member) OPT_TO(struct key_join, member)
static const struct opt options[] = {
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE, "join records that have the same values of these fields"},
    CARRIED_FIELDS_OPTION(TAKE, "FILE's record (default: add all\nmembers that the record does not have)"),
    {0, "left", OPT_FLAG, TO(queue.left), "also write records that have no match, unchanged"},
    {0, "last", OPT_FLAG, TO(last), "use the last record of FILE with these keys, not the first one"},
    {0},
};

static const struct opt_program program = {
    "Adds members of the records of FILE to the records of INPUT with the same keys.",
    "-g KEY,... [--take NAME=FIELD,...] [--left] [--last] FILE [INPUT...]",
    "trace2ndjson run.json.gz | key-join -g name classes.ndjson | groupby -g class",
    .reads = "records, table",
    .writes = "records, table",
};

/* --- options --- */

static void take_option(void *arg, const struct opt_value *v)
{
	struct key_join *k = arg;
	struct field *key;

	if (v->opt->letter == TAKE) {
		carried_fields_add(&k->take, v->option, v->text);
		return;
	}
	opt_fields_add(&k->keys, v->option, v->text);
	for (key = k->keys.list; k->keys.n && key < k->keys.list + k->keys.n; key++) {
		if (key->each)
			opt_invalid(v->option, str_of(v->text), "fields with one value, without []");
		if (event_member(str_of(key->spec)) != EVENT_N)
			k->members.skip |= 1u << event_member(str_of(key->spec));
	}
}

/* Returns the operands; the first one is FILE. */
static char **read_options(struct key_join *k, int argc, char **argv)
{
	const struct opt_table tables[] = {{options, k, take_option}, INPUT_OPTIONS(&k->in), {0}};
	char **operands = opt_read(&program, argc, argv, tables), **input;
	size_t i;

	for (i = 0; i < k->take.n; i++)
		joined_members_take(&k->members, str_of(k->take.list[i].name), &k->take.list[i].field);
	if (!k->keys.n)
		die("no key; add -g KEY,..., such as -g name");
	if (!*operands)
		die("no FILE to join with; usage: %s %s", err_prog(), program.synopsis);
	opt_need_input(&program, operands + 1);
	for (input = operands + 1; *input && strcmp(*input, "-") != 0; input++)
		;
	if (strcmp(*operands, "-") == 0 && (*input || input == operands + 1))
		die("FILE and the input cannot both be standard input");
	return operands;
}

/* --- FILE --- */

/*
 * Returns the text of a record's key: the canonical forms of its values, each followed by NUL if there are several
 * fields. p is NULL if a field is absent. The view is valid until the next call.
 */
static struct str key_of(struct key_join *k, struct event *e)
{
	struct str text;
	size_t i;

	k->key.n = 0;
	for (i = 0; i < k->keys.n; i++) {
		if (!field_get_text(&k->keys.list[i], e, 0, &text))
			return (struct str){NULL, 0};
		if (!e->prefix || text.p[0] != '"') /* the strings of a canonical line have no escapes */
			text = value_ids_canonical(text, &k->canonical, &k->room);
		if (k->keys.n == 1)
			return text;
		buf_add(&k->key, text.p, text.n);
		buf_char(&k->key, '\0');
	}
	return buf_str(&k->key);
}

/* Prints a hint if no record of FILE has the field; then the field is ready for the input. */
static void hint_absent(const char *path, struct field *f)
{
	if (f->records && !f->found)
		hint("%s: no record has the field '%.*s'", path, STR_FMT(f->asked));
	f->records = f->found = 0;
	map_free(&f->near);
}

/* Stores the records of FILE. Returns the exit status. */
static int read_file(struct key_join *k, char *path)
{
	char *operands[] = {path, NULL};
	struct event e;
	struct str key;
	uint64_t unfit;
	size_t i;

	k->file = (struct input){.options = k->in.options, .report = filter_report};
	input_open(&k->file, operands, &k->out);
	while (input_next(&k->file, &e)) {
		key = key_of(k, &e);
		unfit = k->members.unfit;
		if (key.p && !row_table_put(&k->rows, key, joined_members_row(&k->members, &e), k->last))
			die("%s: too large: more than 32 GiB of members", path);
		if (k->members.unfit > unfit)
			input_lost(&k->file, "a value does not fit its standard member (--take); not taken");
	}
	for (i = 0; i < k->keys.n; i++)
		hint_absent(path, &k->keys.list[i]);
	for (i = 0; i < k->members.n_takes; i++)
		hint_absent(path, k->members.takes[i].field);
	return filter_close_input(&k->file);
}

/* --- input --- */

/* For input.wake: writes all records before the program waits for input. */
static bool flush(void *arg)
{
	struct key_join *k = arg;

	join_queue_flush(&k->queue);
	return out_flush(&k->out);
}

int main(int argc, char **argv)
{
	struct key_join k = {.queue = {.rows = &k.rows, .members = &k.members, .out = &k.out}};
	struct event e;
	char **operands;
	struct str key;
	int file, status;
	size_t i;

	err_init(argv[0]);
	operands = read_options(&k, argc, argv);
	filter_open_output(&k.out);
	file = read_file(&k, *operands);
	if (file == STATUS_FAIL)
		quit(STATUS_FAIL);
	join_queue_init(&k.queue);
	input_uses_members(&k.in, UINT32_MAX, 1u << EVENT_KIND);
	k.in.wake = flush;
	k.in.wake_arg = &k;
	k.in.report = filter_report;
	input_open(&k.in, operands + 1, &k.out);
	while (input_next(&k.in, &e)) {
		join_queue_read(&k.queue, &e);
		key = key_of(&k, &e);
		if (input_valid(&k.in, &e))
			join_queue_add(&k.queue, &e, key);
	}
	join_queue_flush(&k.queue);
	for (i = 0; i < k.keys.n; i++)
		filter_hint_field(&k.keys.list[i], true);
	if (k.queue.alone && !k.queue.left)
		note("%" PRIu64 " records left out: no record of FILE has their keys; --left writes them",
		    k.queue.alone);
	join_queue_free(&k.queue);
	row_table_free(&k.rows);
	bufs_free(&k.key, &k.canonical, &k.room);
	joined_members_free(&k.members);
	carried_fields_free(&k.take);
	opt_fields_free(&k.keys);
	status = filter_close(&k.in);
	return file > status ? file : status;
}
