/*
 * nsys_metrics: data of a jsonlines export that are in the rows of other tables: the names of metrics, which become the
 * names of counters, and the rank of the process.
 */
#include "nsys_private.h"

#include "base/num_parse.h"
#include "json/string.h"

/* The tables of counters, and the tables that have the names of their metrics, by two ids. */
static const struct {
	const char *rows, *names, *ids[2], *name;
	bool gpu; /* the device is in the lower bits of the first id */
} metrics[] = {
    {"\"GPU_METRICS\"", "\"TARGET_INFO_GPU_METRICS\"", {"typeId", "metricId"}, "metricName", true},
    {"\"NET_NIC_METRIC\"", "\"TARGET_INFO_NETWORK_METRICS\"", {"metricsListId", "metricsIdx"}, "name", false},
    {"\"NET_IB_SWITCH_METRIC\"", "\"TARGET_INFO_NETWORK_METRICS\"", {"metricsListId", "metricsIdx"}, "name", false},
};
enum { METRICS = sizeof metrics / sizeof *metrics };

/* Returns the id of the metric of a row in s->names, such as "metricId 257 2", or p == NULL. */
static struct str id_of(struct nsys *s, const struct nsys_line *line, size_t i, int64_t ids[2])
{
	char digits[NUM_ROOM], *end;
	struct str value;
	size_t k;

	s->text.n = 0;
	buf_add(&s->text, metrics[i].ids[1], strlen(metrics[i].ids[1]));
	for (k = 0; k < 2; k++) {
		value = iter_find(line->text, str_of(metrics[i].ids[k]));
		if (!value.p || num_int(value, &ids[k]) != NUM_OK)
			return (struct str){NULL, 0};
		end = num_put_i64(digits, ids[k]);
		buf_char(&s->text, ' ');
		buf_add(&s->text, digits, (size_t)(end - digits));
	}
	return (struct str){s->text.p, s->text.n};
}

void nsys_take_metadata(struct nsys *s, struct reader *r, const struct nsys_line *line)
{
	const struct str table = s->record.row.v[NSYS_TABLE];
	struct str id, value;
	int64_t ids[2];
	size_t i;

	if (str_eq(table, STR("\"MPI_RANKS\""))) {
		value = iter_find(line->text, STR("rank"));
		if (!value.p || num_int(value, &ids[0]) != NUM_OK)
			return;
		/* With several ranks, no record has one. */
		if (s->ranks++ && ids[0] != s->rank)
			r->rank = (struct str){NULL, 0};
		else
			r->rank =
			    (struct str){s->rank_text, (size_t)(num_put_i64(s->rank_text, ids[0]) - s->rank_text)};
		s->rank = s->ranks == 1 ? ids[0] : s->rank;
		return;
	}
	for (i = 0; i < METRICS && !str_eq(table, str_of(metrics[i].names)); i++)
		;
	if (i == METRICS)
		return;
	id = id_of(s, line, i, ids);
	value = iter_find(line->text, str_of(metrics[i].name));
	if (id.p && json_is_string(value))
		nsys_names_put(&s->names, id, value);
}

void nsys_name_metric(struct nsys *s, const struct nsys_line *line)
{
	struct nsys_record *record = &s->record;
	struct str id;
	int64_t ids[2];
	size_t i;

	for (i = 0; i < METRICS && !str_eq(record->row.v[NSYS_TABLE], str_of(metrics[i].rows)); i++)
		;
	if (i == METRICS)
		return;
	id = id_of(s, line, i, ids);
	if (!id.p)
		return;
	record->name = nsys_names_get(&s->names, id);
	record->named.all &= record->name.p != NULL;
	if (metrics[i].gpu)
		record->row.v[NSYS_DEV] = (struct str){s->dev, (size_t)(num_put_i64(s->dev, ids[0] & 0xff) - s->dev)};
}
