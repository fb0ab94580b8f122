/*
 * group_question: writes and reads the first line of a partial result: the groups and aggregates that were requested.
 */
#include "cli/group_report_private.h"

#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/aggregate_state.h"
#include "stats/groups_state.h"

enum { VERSION = 1 }; /* increase it when partial results of older versions cannot be merged any more */

void group_question_write(const struct group_report *r, struct buf *line)
{
	json_write_begin(line, NULL, '{');
	json_write_int(line, "partial", VERSION);
	json_write_text(line, "of", str_of(err_prog()));
	groups_ask_write(&r->groups, line);
	aggregate_ask_write(&r->aggs, !r->chosen_aggregates, line);
	json_write_bool(line, "exact", r->exact);
	json_write_end(line, '}');
}

/* Sets r->fields to all fields of the set. */
static void set_fields(struct group_report *r)
{
	size_t i;

	r->fields = mem_grow(r->fields, &r->fields_cap, r->aggs.n_fields + 1, sizeof *r->fields);
	for (i = 0; i < r->aggs.n_fields; i++)
		r->fields[i] = i;
	r->n_fields = i;
}

static bool read_members(struct group_report *r, struct str line)
{
	const struct str keys = iter_find(line, STR("keys")), subtotals = iter_find(line, STR("subtotals"));
	const struct str fields = iter_find(line, STR("fields"));
	const struct str aggregates = r->chosen_aggregates ? STR("[]") : iter_find(line, STR("aggregates"));

	if (!keys.p || !subtotals.p || !fields.p || !aggregates.p)
		return false;
	r->exact = str_eq(iter_find(line, STR("exact")), STR("true"));
	return groups_ask_read(&r->groups, keys, subtotals) && aggregate_ask_read(&r->aggs, fields, aggregates);
}

const char *group_question_read(struct group_report *r, struct str line)
{
	const struct str version = iter_find(line, STR("partial")), of = iter_find(line, STR("of"));
	struct buf again = {0};
	bool same = false;

	if (!str_eq(version, STR("1")))
		return "a partial result of another version";
	if (!json_is_string(of) || !str_eq(json_inner(of), str_of(err_prog())))
		return "a partial result of another program";
	if (read_members(r, line) && (!r->chosen_aggregates || r->aggs.n_fields)) {
		group_question_write(r, &again);
		same = str_eq(json_write_str(&again), line);
	}
	buf_free(&again);
	set_fields(r);
	return same ? NULL : "the first line is not that of a partial result";
}
