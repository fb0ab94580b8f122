#include "program/partial.h"

#include "base/err.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "program/filter.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/state_text.h"

#include <stdlib.h>

/* The version of the lines; increase it when partial results of older versions cannot be merged any more. */
#define PARTIAL_VERSION 2

/* --- writing --- */

/* Appends the first line. */
static void write_question(const struct partial *p, struct buf *line)
{
	json_write_begin(line, NULL, '{');
	json_write_int(line, "partial", PARTIAL_VERSION);
	json_write_text(line, "of", str_of(p->of));
	if (p->state->write_question)
		p->state->write_question(p, line);
	json_write_end(line, '}');
}

static int compare_parts(const void *list, size_t a, size_t b)
{
	const struct partial_part *parts = list;

	return (parts[a].number > parts[b].number) - (parts[a].number < parts[b].number);
}

static void write_end(const struct partial *p, uint64_t count, struct buf *line)
{
	const struct diagnostics *d = &p->in->diagnostics;
	const struct partial_part self = {p->part, NULL};
	const struct partial_part *parts = p->number ? p->parts : &self;
	const size_t n = p->number ? p->n_parts : 1;
	size_t *order = order_sort(n, compare_parts, parts), i;
	uint64_t lost = 0;

	for (i = 0; i < d->n; i++)
		lost += d->rows[i].kind >= DIAGNOSTICS_LOST ? d->rows[i].count : 0;
	json_write_begin(line, NULL, '{');
	json_write_int(line, "end", 1);
	json_write_int(line, p->state->count, (int64_t)count);
	json_write_int(line, "records", (int64_t)p->records);
	json_write_int(line, "lost", (int64_t)lost);
	if (p->state->is_ordered(p)) {
		json_write_begin(line, "parts", '[');
		for (i = 0; i < n; i++)
			json_write_int(line, NULL, (int64_t)parts[order[i]].number);
		json_write_end(line, ']');
	}
	free(order);
	if (p->state->write_end)
		p->state->write_end(p, line);
	json_write_end(line, '}');
}

void partial_write(struct partial *p, struct out *out)
{
	struct buf line = {0};
	uint64_t count;

	input_close(p->in); /* now all losses are counted */
	write_question(p, &line);
	out_line(out, buf_str(&line));
	count = p->state->write(p, out);
	if (!p->in->failed) {
		line.n = 0;
		write_end(p, count, &line);
		out_line(out, buf_str(&line));
	}
	buf_free(&line);
}

/* --- reading: the files may contain anything --- */

/* Returns the message `what` NAME `more`, valid as long as the diagnostics of the input. */
static const char *message_with(struct partial *p, const char *what, const char *name, const char *more)
{
	struct buf b = {0};
	const char *text;

	buf_add(&b, what, strlen(what));
	buf_add(&b, name, strlen(name));
	buf_add(&b, more, strlen(more));
	text = diagnostics_text(&p->in->diagnostics, buf_str(&b));
	buf_free(&b);
	return text;
}

/* Returns the name of the file that is being read, valid as long as the diagnostics. */
static const char *file_name(struct partial *p)
{
	return diagnostics_text(&p->in->diagnostics, str_of(p->in->file));
}

static const char *read_question(struct partial *p, struct str line)
{
	const struct str of = iter_find(line, STR("of"));
	const char *why;
	int64_t version;

	if (p->open)
		return "the partial result before this line has no end";
	p->open = true;
	p->number++;
	if (num_int(iter_find(line, STR("partial")), &version) != NUM_OK || version != PARTIAL_VERSION)
		return "a partial result of another version";
	if (!json_is_string(of))
		return "the program is absent";
	if (!str_eq(json_inner(of), str_of(p->of)))
		return message_with(p, "a partial result of ", diagnostics_text(&p->in->diagnostics, json_inner(of)),
		    message_with(p, ", not of ", p->of, ""));
	if (p->first) {
		if (str_eq(line, buf_str(&p->question)))
			return NULL;
		return message_with(p, "the keys, fields or aggregates are not those of ", p->first, "");
	}
	why = p->state->read_question ? p->state->read_question(p, line) : NULL;
	p->first = file_name(p);
	if (why)
		return why;
	/* The question was not understood if it is not written in the same way. */
	write_question(p, &p->question);
	if (!str_eq(buf_str(&p->question), line))
		return "the first line is not that of a partial result";
	if (p->state->begin)
		p->state->begin(p);
	return NULL;
}

static const char *read_parts(struct partial *p, struct str array)
{
	struct str json;
	struct iter w;
	uint64_t number;
	size_t i;

	if (!iter_array(&w, array))
		return "the numbers of the parts are absent";
	while (iter_element(&w, &json)) {
		if (!num_count(json, &number))
			return "the number of a part is not an integer >= 0";
		i = map_put(&p->part_numbers, (struct str){(const char *)&number, sizeof number});
		if (i < p->n_parts)
			return message_with(p, "a part of this number is also in ", p->parts[i].file,
			    "; number the parts: --partial=N");
		p->parts = mem_grow(p->parts, &p->parts_cap, p->n_parts + 1, sizeof *p->parts);
		p->parts[p->n_parts++] = (struct partial_part){number, file_name(p)};
	}
	return NULL;
}

static const char *read_end(struct partial *p, struct str line)
{
	uint64_t count, records, lost;
	const char *why;

	if (!num_count(iter_find(line, str_of(p->state->count)), &count) ||
	    !num_count(iter_find(line, STR("records")), &records) || !num_count(iter_find(line, STR("lost")), &lost))
		return STATE_REFUSED_COUNT;
	if (records > INT64_MAX - p->records || lost > INT64_MAX - p->lost)
		return STATE_REFUSED_RECORDS;
	p->records += records;
	if (lost && !p->lost)
		p->lost_at = (struct fault_location){file_name(p), p->in->line, 0};
	p->lost += lost;
	p->open = false;
	why = p->state->read_end(p, line, count, records);
	return why || !p->state->is_ordered(p) ? why : read_parts(p, iter_find(line, STR("parts")));
}

const char *partial_merge_line(struct partial *p, struct str line)
{
	struct str name, value;
	struct fault fault;
	struct iter w;

	while (line.n && memchr(" \t\r", line.p[line.n - 1], 3))
		line.n--; /* some engines append a tab to each line */
	if (!json_check_deep(line, &fault))
		return STATE_REFUSED_LINE;
	iter_init(&w, line);
	if (w.close != '}' || iter_next(&w, &name, &value) <= 0)
		return STATE_REFUSED_LINE;
	if (str_eq(name, STR("partial")))
		return read_question(p, line);
	if (!p->open && !p->number)
		return "not a partial result; make it with --partial";
	if (!p->open)
		return "not a partial result: a line after the end";
	return str_eq(name, STR("end")) ? read_end(p, line) : p->state->read(p, name, line);
}

void partial_merge_end(struct partial *p)
{
	if (p->lost)
		diagnostics_add_many(&p->in->diagnostics, DIAGNOSTICS_LOST,
		    "record lost when the partial result was made", p->lost_at, p->lost);
}

static void read_file(struct partial *p, char *file)
{
	char *operands[] = {file, NULL};
	const uint64_t before = p->number;
	const char *why = NULL;
	struct fault fault;
	struct str line;

	input_open(p->in, operands, p->in->out);
	while (!why && input_next_line(p->in, &line))
		why = partial_merge_line(p, line);
	if (!why && !p->in->failed && !p->in->out->error && !p->open && p->number > before)
		return;
	why = why ? str_dup(str_of(why)) : NULL; /* it may be in the diagnostics, which are freed */
	fault = (struct fault){.what = why, .error = FAULT_REFUSED, .at = {p->in->file, p->in->line, 0}};
	filter_close_input(p->in); /* prints the damage that may be the reason */
	if (why)
		warn_fault(&fault);
	else if (!p->in->failed && !p->in->out->error)
		warn("%s: %s", fault.at.file, p->open ? "the partial result has no end" : "no partial result");
	quit(STATUS_FAIL);
}

void partial_merge(struct partial *p, char **operands)
{
	static char dash[] = "-";

	if (!*operands)
		read_file(p, dash);
	for (; *operands; operands++)
		read_file(p, *operands);
	partial_merge_end(p);
}

void partial_free(struct partial *p)
{
	buf_free(&p->question);
	map_free(&p->part_numbers);
	free(p->parts);
}
