#include "inspector_args.h"

#include "json/iter.h"
#include "json/write.h"

bool inspector_is_object(struct str json)
{
	return json.n && json.p[0] == '{';
}

struct str inspector_find(struct str object, const char *key)
{
	const struct str value = inspector_is_object(object) ? iter_find(object, str_of(key)) : (struct str){NULL, 0};

	return str_eq(value, STR("null")) ? (struct str){NULL, 0} : value;
}

/* A text of the logs and the text that takes its place in the record. */
struct words {
	const char *theirs, *ours;
};

/* The operations, in the words of PyTorch's metadata of communication. */
static const struct words operations[] = {
    {"\"AllReduce\"", "\"all_reduce\""},
    {"\"AllGather\"", "\"all_gather\""},
    {"\"ReduceScatter\"", "\"reduce_scatter\""},
    {"\"Broadcast\"", "\"broadcast\""},
    {"\"Reduce\"", "\"reduce\""},
    {"\"All2All\"", "\"all_to_all\""},
    {"\"Send\"", "\"send\""},
    {"\"Recv\"", "\"recv\""},
    {NULL, NULL},
};

/* The members of the header, in the order of args. */
static const struct words group[] = {
    {"id", "Process Group Name"},
    {"comm_name", "Process Group Description"},
    {"n_ranks", "Group size"},
    {"rank", "Rank"},
    {"nnodes", "nnodes"},
    {NULL, NULL},
};

/* Members that have another place in the record, or none. */
static const char *const metadata_elsewhere[] = {
    "inspector_output_format_version", "git_rev", "rec_mechanism", "dump_timestamp_us", "hostname", "pid", NULL};
static const char *const perf_elsewhere[] = {"coll", "p2p", "event_trace_sn", "event_trace_ts", NULL};

static const struct words *find_words(const struct words *list, struct str theirs)
{
	for (; list->theirs; list++) {
		if (str_eq(str_of(list->theirs), theirs))
			return list;
	}
	return NULL;
}

/* Appends a member unless it is absent. */
static void put(struct buf *args, const char *key, struct str value)
{
	if (value.p)
		json_write_json(args, key, value);
}

/* Appends the members of an object, except the named ones. */
static void put_others(struct buf *args, struct str object, const char *const *except)
{
	struct str key, value;
	struct iter at;

	iter_init(&at, object);
	while (iter_next(&at, &key, &value) > 0) {
		if (!str_in(key, except))
			json_write_member(args, key, value);
	}
}

static void put_group(struct buf *args, const struct inspector_line *line)
{
	const struct words *w;
	struct str key, value;
	struct iter at;

	for (w = group; w->theirs; w++) {
		value = inspector_find(line->header, w->theirs);
		if (!str_eq(value, STR("\"unknown\"")))
			put(args, w->ours, value);
	}
	iter_init(&at, line->header);
	while (iter_next(&at, &key, &value) > 0) {
		if (!find_words(group, key))
			json_write_member(args, key, value);
	}
	put(args, "hostname", inspector_find(line->metadata, "hostname"));
	put_others(args, line->metadata, metadata_elsewhere);
}

void inspector_put_perf(struct buf *args, const struct inspector_line *line, struct str name)
{
	const struct words *operation = find_words(operations, name);

	put(args, "Collective name", operation ? str_of(operation->ours) : name);
	put_group(args, line);
	put(args, "Seq", inspector_find(line->perf, "coll_sn"));
	put_others(args, line->perf, perf_elsewhere);
	put(args, "dump_timestamp_us", inspector_find(line->metadata, "dump_timestamp_us"));
	if (str_eq(name, STR("\"Send\"")))
		put(args, "Dst Rank", inspector_find(line->perf, "p2p_peer"));
	if (str_eq(name, STR("\"Recv\"")))
		put(args, "Src Rank", inspector_find(line->perf, "p2p_peer"));
	put(args, "event_trace_ts", inspector_find(line->perf, "event_trace_ts"));
}

void inspector_put_other(struct buf *args, const struct inspector_line *line)
{
	static const char *const none[] = {NULL};

	put_group(args, line);
	if (inspector_is_object(line->perf))
		put_others(args, line->perf, none);
	put(args, "dump_timestamp_us", inspector_find(line->metadata, "dump_timestamp_us"));
}
