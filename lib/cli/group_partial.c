/* group_partial: writes the states of groups, and reads them. */
#include "cli/group_report_private.h"

#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/state_text.h"

#include <stdlib.h>

static struct group_report *report_of(const struct partial *p)
{
	return ((const struct group_partial *)p->arg)->report;
}

/* --- the question: keys, fields and aggregates --- */

static void write_question(const struct partial *p, struct buf *line)
{
	const struct group_report *r = report_of(p);

	groups_write_question(&r->groups, line);
	aggregate_write_question(&r->aggs, !r->chosen_aggregates, line);
	json_write_bool(line, "exact", r->exact);
}

static const char *read_question(struct partial *p, struct str line)
{
	struct group_report *r = report_of(p);
	const struct str keys = iter_find(line, STR("keys")), subtotals = iter_find(line, STR("subtotals"));
	const struct str fields = iter_find(line, STR("fields"));
	const struct str aggregates = r->chosen_aggregates ? STR("[]") : iter_find(line, STR("aggregates"));

	r->exact = str_eq(iter_find(line, STR("exact")), STR("true"));
	if (!groups_read_question(&r->groups, keys, subtotals) ||
	    !aggregate_read_question(&r->aggs, fields, aggregates) || (r->chosen_aggregates && !r->aggs.n_fields))
		return "the keys, fields or aggregates are not valid";
	return NULL;
}

static void begin(struct partial *p)
{
	struct group_report *r = report_of(p);

	group_report_all_fields(r);
	group_report_begin(r);
}

static bool is_ordered(const struct partial *p)
{
	return aggregate_is_ordered(&report_of(p)->aggs);
}

/* --- writing --- */

static uint64_t write_groups(struct partial *p, struct out *out)
{
	struct group_report *r = report_of(p);
	size_t *order = groups_sort_keys(&r->groups), i;
	struct buf line = {0};

	for (i = 0; i < r->groups.n; i++) {
		line.n = 0;
		json_write_begin(&line, NULL, '{');
		groups_key_write(&r->groups, order[i], &line);
		aggregate_write_state(&r->aggs, order[i], &line, out);
		json_write_end(&line, '}');
		out_line(out, json_write_str(&line));
	}
	buf_free(&line);
	free(order);
	return r->groups.n;
}

static void write_source(const struct partial *p, struct buf *line)
{
	const struct group_partial *g = p->arg;

	json_write_begin(line, "source", '[');
	json_write_int(line, NULL, (int64_t)(g->source_known ? g->source_part : p->part));
	buf_char(line, ',');
	report_source_write(&g->report->source, line);
	json_write_end(line, ']');
}

/* --- reading --- */

static const char *const other_fields = "the fields are not those of the first line";
static const char *const missing_lines = "the counts are not those of the groups; lines are missing";

/* Reads members of the state of a field. */
static const char *read_field(struct group_partial *g, uint64_t field, struct str object)
{
	struct str name, value;
	struct iter w;

	iter_init(&w, object);
	if (w.close != '}' || field >= g->report->aggs.n_fields)
		return other_fields;
	while (iter_next(&w, &name, &value) > 0) {
		if (!str_eq(name, STR("field")) && !aggregate_read_member(&g->report->aggs, (size_t)field, name, value))
			return "an unknown member, or an impossible value";
	}
	return NULL;
}

static const char *read_fields(struct group_partial *g, struct str array)
{
	const char *why = NULL;
	struct str object;
	struct iter w;
	uint64_t n = 0;

	if (!iter_array(&w, array))
		return other_fields;
	while (!why && iter_element(&w, &object))
		why = read_field(g, n++, object);
	return why || n == g->report->aggs.n_fields ? why : other_fields;
}

/* Returns false when this partial result has had the group already. */
static bool note_group(struct group_partial *g, size_t group, uint64_t number)
{
	const size_t before = g->seen_cap;

	g->groups = mem_grow(g->groups, &g->groups_cap, g->n_groups + 1, sizeof *g->groups);
	g->groups[g->n_groups++] = group;
	g->seen = mem_grow(g->seen, &g->seen_cap, group + 1, sizeof *g->seen);
	memset(g->seen + before, 0, (g->seen_cap - before) * sizeof *g->seen);
	if (g->seen[group] == number)
		return false;
	g->seen[group] = number;
	return true;
}

static const char *read_group(struct group_partial *g, uint64_t number, struct str line)
{
	const struct str written = iter_find(line, STR("lines"));
	uint64_t count, lines = 0;
	const char *why;
	size_t group;

	if (!num_count(iter_find(line, STR("count")), &count) || (written.p && !num_count(written, &lines)))
		return STATE_REFUSED_COUNT;
	if (lines != g->lines)
		return missing_lines;
	g->lines = 0;
	group = groups_key_read(&g->report->groups, iter_find(line, STR("key")));
	if (group == GROUPS_NONE)
		return "the keys are not those of the first line";
	if (!note_group(g, group, number))
		return "the group occurs twice";
	why = read_fields(g, iter_find(line, STR("fields")));
	if (!why)
		why = aggregate_merge_state(&g->report->aggs, group, count);
	g->records += count;
	return why;
}

static const char *read(struct partial *p, struct str name, struct str line)
{
	struct group_partial *g = p->arg;
	uint64_t field;

	if (str_eq(name, STR("key")))
		return read_group(g, p->number, line);
	if (!str_eq(name, STR("field")))
		return STATE_REFUSED_LINE;
	g->lines++;
	return num_count(iter_find(line, name), &field) ? read_field(g, field, line) : STATE_REFUSED_COUNT;
}

/* Compares the names of sources alphabetically. */
static int compare_names(const struct report_source *a, const struct report_source *b)
{
	struct buf left = {0}, right = {0};
	int c;

	report_source_write(a, &left);
	report_source_write(b, &right);
	c = str_cmp(json_write_str(&left), json_write_str(&right));
	buf_free(&left);
	buf_free(&right);
	return c;
}

/*
 * Returns whether the kind of the records is taken from a part instead of the parts before. It is taken from the part
 * whose kind is most specific; if several are equally specific, from the part with the lowest number. Parts with the
 * same number may have different kinds: then the first one in alphabetical order is taken.
 */
static bool is_better(const struct group_partial *g, const struct report_source *source, uint64_t part)
{
	const int order = report_source_compare(source, &g->report->source);

	if (!g->source_known || order)
		return !g->source_known || order > 0;
	if (part != g->source_part)
		return part < g->source_part;
	return compare_names(source, &g->report->source) < 0;
}

static bool read_source(struct group_partial *g, struct str array)
{
	struct report_source source = {0};
	struct str number, text;
	struct iter w;
	uint64_t part;

	if (!iter_array(&w, array) || !iter_element(&w, &number) || !iter_element(&w, &text) ||
	    !num_count(number, &part) || !json_is_string(text) || !report_source_read(&source, json_inner(text)))
		return false;
	if (is_better(g, &source, part)) {
		g->report->source = source;
		g->source_part = part;
		g->source_known = true;
	}
	return true;
}

/* Returns whether this partial result has the subtotal of each of its groups. */
static bool has_subtotals(const struct group_partial *g, uint64_t number)
{
	size_t i, parent;

	for (i = 0; i < g->n_groups; i++) {
		if (!groups_parent(&g->report->groups, g->groups[i], &parent))
			return false;
		if (parent != GROUPS_NONE && g->seen[parent] != number)
			return false;
	}
	return true;
}

static const char *read_end(struct partial *p, struct str line, uint64_t count, uint64_t records)
{
	struct group_partial *g = p->arg;
	const struct groups *groups = &g->report->groups;
	const bool once = !groups->each && !groups->n_subtotals; /* each record is in one group */

	if (count != g->n_groups || g->lines || (once && records != g->records))
		return missing_lines;
	if (!has_subtotals(g, p->number))
		return "the subtotal of a group is missing";
	g->n_groups = g->records = 0;
	return read_source(g, iter_find(line, STR("source"))) ? NULL : "the kind of the records is unknown";
}

const struct partial_state group_partial_state = {
    .count = "groups",
    .write_question = write_question,
    .read_question = read_question,
    .begin = begin,
    .is_ordered = is_ordered,
    .write = write_groups,
    .write_end = write_source,
    .read = read,
    .read_end = read_end,
};

void group_partial_free(struct group_partial *g)
{
	free(g->groups);
	free(g->seen);
}
