/* group_merge: reads partial results and merges them. The files may contain anything. */
#include "cli/group_merge.h"

#include "base/num_parse.h"
#include "cli/filter.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "stats/aggregate_state.h"
#include "stats/groups_state.h"

#include <stdlib.h>

static bool read_count(struct str line, struct str name, uint64_t *count)
{
	int64_t n;

	if (num_int(iter_find(line, name), &n) != NUM_OK || n < 0)
		return false;
	*count = (uint64_t)n;
	return true;
}

static const char *const no_count = "a count is absent or not an integer >= 0";

/* Returns the message `what` NAME `more`, valid as long as the diagnostics. */
static const char *message(const struct group_merge *m, const char *what, const char *name, const char *more)
{
	struct buf b = {0};
	const char *text;

	buf_add(&b, what, strlen(what));
	buf_add(&b, name, strlen(name));
	buf_add(&b, more, strlen(more));
	text = diagnostics_text(&m->report->in.diagnostics, (struct str){b.p, b.n});
	buf_free(&b);
	return text;
}

/* Returns the name of the file that is being read, valid as long as the diagnostics. */
static const char *file_name(const struct group_merge *m)
{
	return diagnostics_text(&m->report->in.diagnostics, str_of(m->report->in.file));
}

/* --- the first line --- */

static const char *read_first(struct group_merge *m, struct str line)
{
	const char *why = group_question_read(m->report, line);

	if (why)
		return why;
	buf_add(&m->question, line.p, line.n);
	m->first = file_name(m);
	group_report_begin(m->report);
	aggregate_reader_begin(&m->reader, &m->report->aggs);
	return NULL;
}

static const char *read_question(struct group_merge *m, struct str line)
{
	if (m->open)
		return "the partial result before this line has no end";
	m->open = true;
	m->number++;
	m->groups = m->records = 0;
	if (!m->first)
		return read_first(m, line);
	if (str_eq(line, (struct str){m->question.p, m->question.n}))
		return NULL;
	if (!str_eq(iter_find(line, STR("partial")), STR("1")))
		return "a partial result of another version";
	return message(m, "the keys, fields or aggregates are not those of ", m->first, "");
}

/* --- groups --- */

static const char *const other_fields = "the fields are not those of the first line";

/* Reads members of the state of a field. */
static const char *read_field(struct group_merge *m, uint64_t field, struct str object)
{
	struct str name, value;
	struct iter w;

	iter_init(&w, object);
	if (w.close != '}' || field >= m->report->aggs.n_fields)
		return other_fields;
	while (iter_next(&w, &name, &value) > 0) {
		if (!str_eq(name, STR("field")) && !aggregate_reader_member(&m->reader, (size_t)field, name, value))
			return "an unknown member, or an impossible value";
	}
	return NULL;
}

static const char *read_fields(struct group_merge *m, struct str array)
{
	const char *why = NULL;
	struct str name, object;
	struct iter w;
	uint64_t n = 0;

	if (!array.p)
		return other_fields;
	iter_init(&w, array);
	while (!why && w.close == ']' && iter_next(&w, &name, &object) > 0)
		why = read_field(m, n++, object);
	return why || n == m->report->aggs.n_fields ? why : other_fields;
}

/* Returns false when the partial result has the group already. */
static bool note_group(struct group_merge *m, size_t group)
{
	const size_t before = m->seen_cap;

	m->seen = mem_grow(m->seen, &m->seen_cap, group + 1, sizeof *m->seen);
	memset(m->seen + before, 0, (m->seen_cap - before) * sizeof *m->seen);
	if (m->seen[group] == m->number)
		return false;
	m->seen[group] = m->number;
	return true;
}

static const char *read_group(struct group_merge *m, struct str line)
{
	const struct str key = iter_find(line, STR("key"));
	uint64_t count;
	const char *why;
	size_t group;

	if (!read_count(line, STR("count"), &count))
		return no_count;
	group = groups_key_read(&m->report->groups, key);
	if (group == GROUPS_NONE)
		return "the keys are not those of the first line";
	if (!note_group(m, group))
		return "the group occurs twice";
	why = read_fields(m, iter_find(line, STR("fields")));
	if (!why)
		why = aggregate_reader_merge(&m->reader, group, count);
	m->groups++;
	m->records += count;
	return why;
}

/* --- the last line --- */

static const char *add_part(struct group_merge *m, uint64_t number)
{
	struct group_parts *parts = m->report->parts;
	const size_t i = map_put(&parts->numbers, (struct str){(const char *)&number, sizeof number});

	if (i < parts->n)
		return message(
		    m, "a part of this number is also in ", parts->list[i].file, "; number the parts: --partial=N");
	parts->list = mem_grow(parts->list, &parts->cap, parts->n + 1, sizeof *parts->list);
	parts->list[parts->n++] = (struct group_part){number, file_name(m)};
	return NULL;
}

static const char *read_parts(struct group_merge *m, struct str array)
{
	const char *why = NULL;
	struct str name, json;
	struct iter w;
	int64_t number;

	iter_init(&w, array);
	if (!array.p || w.close != ']')
		return "the numbers of the parts are absent";
	while (!why && iter_next(&w, &name, &json) > 0) {
		if (num_int(json, &number) != NUM_OK || number < 0)
			return "the number of a part is not an integer >= 0";
		why = add_part(m, (uint64_t)number);
	}
	return why;
}

/*
 * The records have the kind of the part that says most about it; of several such parts, of that with the least number.
 */
static bool read_source(struct group_merge *m, struct str array)
{
	struct group_report *r = m->report;
	struct str name, number, text;
	struct report_source source = {0};
	struct iter w;
	int64_t part;
	int order;

	iter_init(&w, array);
	if (!array.p || w.close != ']' || iter_next(&w, &name, &number) <= 0 || iter_next(&w, &name, &text) <= 0 ||
	    num_int(number, &part) != NUM_OK || part < 0 || !json_is_string(text) ||
	    !report_source_read(&source, json_inner(text)))
		return false;
	order = report_source_compare(&source, &r->source);
	if (order > 0 || m->number == 1 || (order == 0 && (uint64_t)part < r->parts->source_part)) {
		r->source = source;
		r->parts->source_part = (uint64_t)part;
	}
	return true;
}

static const char *read_end(struct group_merge *m, struct str line)
{
	struct group_report *r = m->report;
	const bool once = !r->groups.each && !r->groups.n_subtotals; /* each record is in one group */
	uint64_t groups, records, lost;
	const char *why = NULL;

	if (!read_count(line, STR("groups"), &groups) || !read_count(line, STR("records"), &records) ||
	    !read_count(line, STR("lost"), &lost))
		return no_count;
	if (groups != m->groups || (once && records != m->records))
		return "the counts are not those of the groups; lines are missing";
	if (records > INT64_MAX - r->parts->records || lost > INT64_MAX - r->parts->lost)
		return "the sum of the counts of records is too large";
	r->parts->records += records;
	if (lost && !r->parts->lost)
		m->lost = (struct fault_place){file_name(m), r->in.line, 0};
	r->parts->lost += lost;
	if (aggregate_is_ordered(&r->aggs))
		why = read_parts(m, iter_find(line, STR("parts")));
	if (!why && !read_source(m, iter_find(line, STR("source"))))
		why = "the kind of the records is unknown";
	m->open = false;
	return why;
}

/* --- lines and files --- */

void group_merge_begin(struct group_merge *m, struct group_report *r)
{
	*m = (struct group_merge){.report = r};
	r->parts = mem_zero(1, sizeof *r->parts);
}

const char *group_merge_line(struct group_merge *m, struct str line)
{
	static const char *const other = "not a line of a partial result";
	struct str name, value;
	struct fault fault;
	struct iter w;
	uint64_t field;

	while (line.n && memchr(" \t\r", line.p[line.n - 1], 3))
		line.n--; /* some engines append a tab to each line */
	if (!json_check(line, &fault))
		return other;
	iter_init(&w, line);
	if (w.close != '}' || iter_next(&w, &name, &value) <= 0)
		return other;
	if (str_eq(name, STR("partial")))
		return read_question(m, line);
	if (!m->open && !m->number)
		return "not a partial result; make it with --partial";
	if (!m->open)
		return "not a partial result: a line after the end";
	if (str_eq(name, STR("field")))
		return read_count(line, name, &field) ? read_field(m, field, line) : no_count;
	if (str_eq(name, STR("key")))
		return read_group(m, line);
	return str_eq(name, STR("end")) ? read_end(m, line) : other;
}

void group_merge_end(struct group_merge *m)
{
	const struct group_parts *parts = m->report->parts;

	if (parts->lost)
		diagnostics_add_many(&m->report->in.diagnostics, DIAGNOSTICS_LOST,
		    "record lost when the partial result was made", m->lost, parts->lost);
	if (m->first)
		aggregate_reader_end(&m->reader);
	buf_free(&m->question);
	free(m->seen);
}

static void read_file(struct group_merge *m, char *file)
{
	struct input *in = &m->report->in;
	char *operands[] = {file, NULL};
	const uint64_t before = m->number;
	const char *why = NULL;
	struct str line;

	input_open(in, operands, in->out);
	while (!why && input_next_line(in, &line))
		why = group_merge_line(m, line);
	if (why)
		warn_fault(&(struct fault){why, FAULT_REFUSED, {in->file, in->line, 0}});
	else if (!in->failed && !in->out->error && (m->open || m->number == before))
		warn("%s: %s", in->file, m->open ? "the partial result has no end" : "no partial result");
	else if (!in->failed && !in->out->error)
		return;
	quit(STATUS_FAIL);
}

void group_merge(struct group_report *r)
{
	static char dash[] = "-";
	struct group_merge m;
	char **operand;

	group_merge_begin(&m, r);
	if (!*r->operands)
		read_file(&m, dash);
	for (operand = r->operands; *operand; operand++)
		read_file(&m, *operand);
	group_merge_end(&m);
}
