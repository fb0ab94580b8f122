/* group_merge: reads partial results and merges them. The files may contain anything. */
#include "cli/group_report_private.h"

#include "base/num_parse.h"
#include "cli/filter.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "stats/aggregate_state.h"
#include "stats/groups_state.h"

#include <inttypes.h>
#include <stdlib.h>

struct group_merge {
	struct group_report *report;
	struct group_parts *parts;
	struct buf question; /* the first line of all partial results */
	const char *first;   /* the file of the first one */
	struct aggregate_reader reader;
	bool open; /* the last line of a partial result is still to come */
	/* of the partial result that is being read */
	uint64_t number, groups, records;
	uint64_t *seen; /* for each group: `number` of the last partial result that has it */
	size_t seen_cap;
	struct fault_place lost; /* the first partial result that lost records */
};

static struct fault_place place(const struct group_merge *m)
{
	return (struct fault_place){m->report->in.file, m->report->in.line, 0};
}

_Noreturn static void refuse(const struct group_merge *m, const char *what)
{
	warn_fault(&(struct fault){what, FAULT_REFUSED, place(m)});
	quit(STATUS_FAIL);
}

static uint64_t read_count(const struct group_merge *m, struct str line, struct str name)
{
	int64_t n;

	if (num_int(iter_find(line, name), &n) != NUM_OK || n < 0)
		refuse(m, "a count is absent or not an integer >= 0");
	return (uint64_t)n;
}

/* --- the first line --- */

static void read_first(struct group_merge *m, struct str line)
{
	const char *why;

	why = group_question_read(m->report, line);
	if (why)
		refuse(m, why);
	buf_add(&m->question, line.p, line.n);
	m->first = diagnostics_text(&m->report->in.diagnostics, str_of(m->report->in.file));
	group_report_begin(m->report);
	aggregate_reader_begin(&m->reader, &m->report->aggs);
}

static void read_question(struct group_merge *m, struct str line)
{
	if (m->open)
		refuse(m, "the partial result before this line has no end");
	m->open = true;
	m->number++;
	m->groups = m->records = 0;
	if (!m->first) {
		read_first(m, line);
		return;
	}
	if (str_eq(line, (struct str){m->question.p, m->question.n}))
		return;
	if (!str_eq(iter_find(line, STR("partial")), STR("1")))
		refuse(m, "a partial result of another version");
	warn("%s:%" PRIu64 ": the keys, fields or aggregates are not those of %s", m->report->in.file,
	    m->report->in.line, m->first);
	quit(STATUS_FAIL);
}

/* --- groups --- */

/* Reads members of the state of a field. */
static void read_field(struct group_merge *m, size_t field, struct str object)
{
	struct str name, value;
	struct iter w;

	iter_init(&w, object);
	if (w.close != '}' || field >= m->report->aggs.n_fields)
		refuse(m, "the fields are not those of the first line");
	while (iter_next(&w, &name, &value) > 0) {
		if (!str_eq(name, STR("field")) && !aggregate_reader_member(&m->reader, field, name, value))
			refuse(m, "an unknown member, or an impossible value");
	}
}

static void read_fields(struct group_merge *m, struct str array)
{
	struct str name, object;
	struct iter w;
	size_t n = 0;

	iter_init(&w, array);
	while (w.close == ']' && iter_next(&w, &name, &object) > 0)
		read_field(m, n++, object);
	if (n != m->report->aggs.n_fields)
		refuse(m, "the fields are not those of the first line");
}

static void read_group(struct group_merge *m, struct str line)
{
	const uint64_t count = read_count(m, line, STR("count"));
	const size_t group = groups_key_read(&m->report->groups, iter_find(line, STR("key")));
	const size_t before = m->seen_cap;
	const char *why;

	if (group == GROUPS_NONE)
		refuse(m, "the keys are not those of the first line");
	m->seen = mem_grow(m->seen, &m->seen_cap, group + 1, sizeof *m->seen);
	memset(m->seen + before, 0, (m->seen_cap - before) * sizeof *m->seen);
	if (m->seen[group] == m->number)
		refuse(m, "the group occurs twice");
	m->seen[group] = m->number;
	read_fields(m, iter_find(line, STR("fields")));
	why = aggregate_reader_merge(&m->reader, group, count);
	if (why)
		refuse(m, why);
	m->groups++;
	m->records += count;
}

/* --- the last line --- */

static void add_part(struct group_merge *m, uint64_t number)
{
	struct group_parts *parts = m->parts;
	const size_t i = map_put(&parts->numbers, (struct str){(const char *)&number, sizeof number});

	if (i < parts->n) {
		warn("%s: part %" PRIu64 " is also in %s; number the parts in their order: --partial=N",
		    m->report->in.file, number, parts->list[i].file);
		quit(STATUS_FAIL);
	}
	parts->list = mem_grow(parts->list, &parts->cap, parts->n + 1, sizeof *parts->list);
	parts->list[parts->n++] =
	    (struct group_part){number, diagnostics_text(&m->report->in.diagnostics, str_of(m->report->in.file))};
}

static void read_parts(struct group_merge *m, struct str array)
{
	struct str name, json;
	struct iter w;
	int64_t number;

	iter_init(&w, array);
	if (w.close != ']')
		refuse(m, "no list of parts");
	while (iter_next(&w, &name, &json) > 0) {
		if (num_int(json, &number) != NUM_OK || number < 0)
			refuse(m, "the number of a part is not an integer >= 0");
		add_part(m, (uint64_t)number);
	}
}

/* The records have the kind of the part that says most about it; of several such parts, of that with the least number. */
static void read_source(struct group_merge *m, struct str array)
{
	struct group_report *r = m->report;
	struct str name, number, text;
	struct report_source source = {0};
	struct iter w;
	int64_t part;
	int order;

	iter_init(&w, array);
	if (w.close != ']' || iter_next(&w, &name, &number) <= 0 || iter_next(&w, &name, &text) <= 0 ||
	    num_int(number, &part) != NUM_OK || part < 0 || !json_is_string(text) ||
	    !report_source_read(&source, json_inner(text)))
		refuse(m, "the kind of the records is unknown");
	order = report_source_compare(&source, &r->source);
	if (order < 0 || (order == 0 && m->number > 1 && (uint64_t)part >= m->parts->source_part))
		return;
	r->source = source;
	m->parts->source_part = (uint64_t)part;
}

static void read_end(struct group_merge *m, struct str line)
{
	struct group_report *r = m->report;
	const uint64_t records = read_count(m, line, STR("records")), lost = read_count(m, line, STR("lost"));
	const bool once = !r->groups.each && !r->groups.n_subtotals; /* each record is in one group */

	if (read_count(m, line, STR("groups")) != m->groups || (once && records != m->records))
		refuse(m, "the counts are not those of the groups; lines are missing");
	if (records > INT64_MAX - m->parts->records || lost > INT64_MAX - m->parts->lost)
		refuse(m, "the sum of the counts of records is too large");
	m->parts->records += records;
	if (lost && !m->parts->lost)
		m->lost = (struct fault_place){diagnostics_text(&r->in.diagnostics, str_of(r->in.file)), r->in.line, 0};
	m->parts->lost += lost;
	if (aggregate_is_ordered(&r->aggs))
		read_parts(m, iter_find(line, STR("parts")));
	read_source(m, iter_find(line, STR("source")));
	m->open = false;
}

/* --- lines and files --- */

static void read_line(struct group_merge *m, struct str line)
{
	struct str name = {NULL, 0}, value = {NULL, 0};
	struct fault fault;
	struct iter w;

	if (!json_check(line, &fault))
		refuse(m, "not a line of a partial result");
	iter_init(&w, line);
	if (w.close != '}' || iter_next(&w, &name, &value) <= 0)
		refuse(m, "not a line of a partial result");
	if (str_eq(name, STR("partial"))) {
		read_question(m, line);
		return;
	}
	if (!m->open)
		refuse(m, m->number ? "not a partial result: a line after the end"
				    : "not a partial result; make it with --partial");
	if (str_eq(name, STR("field"))) {
		const uint64_t field = read_count(m, line, name);

		read_field(m, field < SIZE_MAX ? (size_t)field : SIZE_MAX, line);
	} else if (str_eq(name, STR("key"))) {
		read_group(m, line);
	} else if (str_eq(name, STR("end"))) {
		read_end(m, line);
	} else {
		refuse(m, "not a line of a partial result");
	}
}

static void read_file(struct group_merge *m, char *file)
{
	struct input *in = &m->report->in;
	char *operands[] = {file, NULL};
	const uint64_t before = m->number;
	struct str line;

	input_open(in, operands, in->out);
	while (input_next_line(in, &line))
		read_line(m, line);
	if (in->failed || in->out->error)
		quit(STATUS_FAIL);
	if (m->open || m->number == before) {
		warn("%s: %s", in->file, m->open ? "the partial result has no end" : "no partial result");
		quit(STATUS_FAIL);
	}
}

void group_merge(struct group_report *r)
{
	static char dash[] = "-";
	struct group_merge m = {.report = r, .parts = mem_zero(1, sizeof *m.parts)};
	char **operand;

	r->parts = m.parts;
	if (!*r->operands)
		read_file(&m, dash);
	for (operand = r->operands; *operand; operand++)
		read_file(&m, *operand);
	if (m.parts->lost)
		diagnostics_add_many(&r->in.diagnostics, DIAGNOSTICS_LOST,
		    "record lost when the partial result was made", m.lost, m.parts->lost);
	aggregate_reader_end(&m.reader);
	buf_free(&m.question);
	free(m.seen);
}
