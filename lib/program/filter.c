#include "program/filter.h"

#include "program/shell_words.h"
#include "json/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void filter_report(const struct fault *f)
{
	const char *file = f->at.file;

	if (f->error)
		warn_fault(f);
	else
		warn("%s: %s; convert the trace first: trace2ndjson %s | %s", file, f->what,
		    strcmp(file, "stdin") == 0 ? "FILE" : file, err_command());
}

void filter_open_output(struct out *out)
{
	if (!scan_choose())
		die("TRACEFILTERS_SIMD: '%s': expected scalar, avx2 or avx512, and this machine must support it",
		    getenv("TRACEFILTERS_SIMD"));
	out_open(out);
}

void filter_open(struct input *in, char **operands, struct out *out)
{
	filter_open_output(out);
	in->report = filter_report;
	input_open(in, operands, out);
}

void filter_open_child(struct child_pipe *child, char *const *argv, const char *option)
{
	if (!child_pipe_open(child, argv))
		die("%s: cannot run %s:", option, child->name);
}

void filter_hold(struct event_queue *queue, const struct event *e, const void *note)
{
	if (!event_queue_push(queue, e, note))
		die("record too large to store: at most 4 GiB; see --max-record");
}

/* Writes the line or the offset of a location, as messages print it after the name of the file. */
static const char *location_text(char text[48], const struct fault_location *at)
{
	text[0] = '\0';
	if (at->line)
		snprintf(text, 48, ":%" PRIu64, at->line);
	else if (at->byte != FAULT_WHOLE_FILE)
		snprintf(text, 48, ": byte %" PRIu64, at->byte);
	return text;
}

bool filter_in_order(struct input *in, char *const *argv, char *const *operands)
{
	const struct fault_location at = input_location(in);
	struct buf files = {0}, options = {0};
	char *const *end = operands;
	char location[48];

	if (!in->unordered)
		return true;
	while (*end)
		end++;
	shell_words_add(&files, operands, end);
	shell_words_add(&options, argv + 1, operands);
	location_text(location, &at);
	if (in->options.piece.of)
		warn("%s%s: not in ts order; run: ts-sort%.*s >sorted.ndjson, and read the pieces of sorted.ndjson",
		    in->file, location, *operands ? (int)files.n : 5, *operands ? files.p : " FILE");
	else
		warn("%s%s: not in ts order; run: %sts-sort%.*s | %s%.*s", in->file, location,
		    *operands ? "" : "... | ", (int)files.n, files.p, err_prog(), (int)options.n, options.p);
	bufs_free(&files, &options);
	in->failed = true;
	return false;
}

/* Prints a hint about a field that no record has. */
static void hint_absent(const struct field *f, bool all)
{
	static const struct str computed[] = {{"end", 3}, {"short", 5}};
	/* Only a join or a tree adds these members, so the user does not mean another field. */
	static const char *const joined[] = {"api", "delay", "queue", "range", "ranges", "op", "ops", "coll", "kargs",
	    "self", "depth", "node", "parent_node", "parent_name", "children", "launches", NULL};
	struct str_near near = {f->asked, {NULL, 0}, 0};
	const char *none = all ? "no record has the field" : "no record that was read has the field";
	const size_t dot = str_find(f->name, STR(".")), bracket = str_find(f->name, STR("["));
	const size_t first = dot < bracket ? dot : bracket; /* length of the member's name */
	size_t i;

	if (f->null) {
		hint("field '%.*s' is null in all records that have it", STR_FMT(f->asked));
		return;
	}
	if (!f->quoted && bracket + 1 < f->name.n && f->name.p[bracket + 1] != ']') {
		hint("%s '%.*s'; write '%.*s[]' for every element of an array", none, STR_FMT(f->name), (int)bracket,
		    f->name.p);
		return;
	}
	for (i = 0; i < f->near.n; i++)
		str_near(&near, map_key(&f->near, i));
	for (i = 0; i < sizeof computed / sizeof *computed; i++) {
		if (!str_eq(f->name, computed[i]))
			str_near(&near, computed[i]);
	}
	if (!f->quoted && str_find(f->name, STR(" ")) < f->name.n)
		hint("%s '%.*s'; fields are separated by commas, and the operators of conditions are == != < <= > >= "
		     "=~ !~",
		    none, STR_FMT(f->asked));
	else if (near.best.p && !str_in(str_head(f->name, first), joined))
		hint("%s '%.*s'; did you mean '%.*s'?", none, STR_FMT(f->asked), STR_FMT(near.best));
	else
		hint("%s '%.*s'", none, STR_FMT(f->asked));
}

void filter_hint_field(const struct field *f, bool all)
{
	if (f->records && !f->found)
		hint_absent(f, all);
	else if (f->numeric && f->found && !f->numbers)
		hint("field '%.*s' has no numeric values", STR_FMT(f->asked));
}

void filter_hint_conditions(const struct conditions *c, bool all)
{
	const struct field *needed;
	size_t i;

	for (i = 0; i < c->n; i++) {
		needed = conditions_field(c, i);
		if (needed) /* for !FIELD, it is normal that no record has the field */
			filter_hint_field(needed, all);
	}
}

void filter_hint_kinds(const struct input *in, uint32_t kinds, bool found)
{
	struct buf names = {0};
	size_t i;

	if (found || !in->line)
		return;
	for (i = 0; i < KIND_N; i++) {
		if (!(kinds >> i & 1))
			continue;
		if (names.n)
			buf_lit(&names, ", ");
		buf_add(&names, event_kind_names[i], strlen(event_kind_names[i]));
	}
	hint("no records of these kinds in the input: %.*s; were they filtered out before?", (int)names.n, names.p);
	buf_free(&names);
}

/*
 * Appends a repair to the file that TRACEFILTERS_REPAIRS names, for a script that reads several traces and prints one
 * message for each class. Returns whether it was written.
 */
static bool append_repair(const struct diagnostics_row *row, const char *location)
{
	const char *path = getenv("TRACEFILTERS_REPAIRS");
	FILE *to = row->kind == DIAGNOSTICS_REPAIRED && path && *path ? fopen(path, "a") : NULL;

	if (!to)
		return false;
	fprintf(to, "%" PRIu64 "\t%s\t%s%s\n", row->count, row->what, row->first.file, location);
	return fclose(to) == 0;
}

/*
 * Appends the number of losses to the file that TRACEFILTERS_LOST names, for scripts that print the number, and whether
 * the input is cut, so that the number is only a minimum.
 */
static void append_loss(const struct diagnostics_row *row)
{
	const char *path = getenv("TRACEFILTERS_LOST");
	FILE *to = row->kind >= DIAGNOSTICS_LOST && path && *path ? fopen(path, "a") : NULL;

	if (!to)
		return;
	fprintf(to, "{\"lost\":%" PRIu64 "%s}\n", row->count, row->kind == DIAGNOSTICS_CUT ? ",\"cut\":1" : "");
	if (fclose(to) != 0)
		warn("%s:", path);
}

int filter_summary(struct diagnostics *t, bool failed, bool lenient)
{
	const struct diagnostics_row *row;
	const bool lost = t->lost;
	char location[48], more[48];
	size_t i;

	for (i = 0; i < t->n; i++) { /* t->rows is NULL if t->n is 0 */
		row = &t->rows[i];
		location_text(location, &row->first);
		if (append_repair(row, location))
			continue;
		append_loss(row);
		more[0] = '\0';
		if (row->count > 1)
			snprintf(more, sizeof more, " (and %" PRIu64 " more)", row->count - 1);
		(row->kind == DIAGNOSTICS_NOTE ? note : warn)("%s%s: %s%s", row->first.file, location, row->what, more);
	}
	diagnostics_free(t);
	return failed ? STATUS_FAIL : lost && !lenient ? STATUS_LOST : STATUS_OK;
}

int filter_close_input(struct input *in)
{
	input_close(in);
	return filter_summary(&in->diagnostics, in->failed, in->options.lenient);
}

int filter_close_output(struct out *out, const struct child_pipe *child)
{
	struct fault fault;
	int status = STATUS_OK;
	const bool written = child ? child_pipe_close(child, out, &status, &fault) : out_close(out, &fault);

	if (!written)
		warn_fault(&fault);
	if (status < 0)
		warn("%s was killed by signal %d", child->name, -status);
	return (!written && status < STATUS_FAIL) || status < 0 ? STATUS_FAIL : status;
}

void filter_hint_empty(const struct input *in)
{
	if (!in->line && !in->failed && !in->options.piece.of && in->file && !str_eq(str_of(in->file), STR("stdin")) &&
	    !str_eq(str_of(in->file), STR("/dev/null")))
		hint("%s: the file is empty", in->file);
}

int filter_close(struct input *in)
{
	const int status = filter_close_input(in), written = filter_close_output(in->out, NULL);

	filter_hint_empty(in);
	return written > status ? written : status;
}
