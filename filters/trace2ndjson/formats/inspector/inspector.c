/*
 * inspector: reads the logs of the inspector plugins of NCCL and RCCL. A line is an object with the time that one
 * process spent in a collective, a send or a receive:
 *
 *   {"header":{"id":"0x7f","rank":0,"n_ranks":4,"nnodes":1},
 *    "metadata":{"inspector_output_format_version":"v4.0","dump_timestamp_us":9,"hostname":"node01","pid":4001},
 *    "coll_perf":{"coll":"AllReduce","coll_sn":1,"coll_msg_size_bytes":8192,"coll_exec_time_us":61,...}}
 *
 * becomes
 *
 *   {"dur":61000,"kind":"kernel","name":"AllReduce","cat":"nccl_inspector","pid":4001,"args":{"Collective name":
 *    "all_reduce","Process Group Name":"0x7f","Group size":4,"Rank":0,"nnodes":1,"hostname":"node01","Seq":1,...}}
 */
#include "base/map.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"
#include "trace2ndjson/formats/draft.h"

#include <inttypes.h>
#include <stdlib.h>

/* The parts of a line: JSON texts, p is NULL for absent ones. `perf`, with the name `key`, follows the first two. */
struct inspector_line {
	struct str header, metadata, key, perf;
};

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
	while (list->theirs && !str_eq(str_of(list->theirs), theirs))
		list++;
	return list->theirs ? list : NULL;
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
		value = document_member(line->header, w->theirs);
		if (value.p && !str_eq(value, STR("\"unknown\"")))
			json_write_json(args, w->ours, value);
	}
	iter_init(&at, line->header);
	while (iter_next(&at, &key, &value) > 0) {
		if (!find_words(group, key))
			json_write_member(args, key, value);
	}
	json_write_json(args, "hostname", document_member(line->metadata, "hostname"));
	put_others(args, line->metadata, metadata_elsewhere);
}

/* Appends the members of args for a communication. `name` is its operation, a JSON string. */
static void put_perf(struct buf *args, const struct inspector_line *line, struct str name)
{
	const struct words *operation = find_words(operations, name);

	json_write_json(args, "Collective name", operation ? str_of(operation->ours) : name);
	put_group(args, line);
	json_write_json(args, "Seq", document_member(line->perf, "coll_sn"));
	put_others(args, line->perf, perf_elsewhere);
	json_write_json(args, "dump_timestamp_us", document_member(line->metadata, "dump_timestamp_us"));
	if (str_eq(name, STR("\"Send\"")))
		json_write_json(args, "Dst Rank", document_member(line->perf, "p2p_peer"));
	if (str_eq(name, STR("\"Recv\"")))
		json_write_json(args, "Src Rank", document_member(line->perf, "p2p_peer"));
	json_write_json(args, "event_trace_ts", document_member(line->perf, "event_trace_ts"));
}

/* The numbers of the collectives of a communicator that the file has. */
struct communicator {
	int64_t first, last; /* the least and the greatest number */
	uint64_t n;          /* how many numbers, not counting a repeated one */
};

struct inspector {
	struct buf line;
	struct map ids; /* of communicators */
	struct communicator *communicators;
	size_t cap;
};

/* --- communicators --- */

/* Counts the number of a collective. */
static void count_collective(struct inspector *s, struct str id, struct str text)
{
	const size_t known = s->ids.n;
	struct communicator *c;
	int64_t number;

	if (!id.p || num_int(text, &number) != NUM_OK || number < 0)
		return;
	s->communicators = mem_grow(s->communicators, &s->cap, known + 1, sizeof *s->communicators);
	c = &s->communicators[map_put(&s->ids, id)];
	if (s->ids.n > known)
		*c = (struct communicator){number, number, 0};
	c->n += !c->n || number != c->last;
	c->first = number < c->first ? number : c->first;
	c->last = number > c->last ? number : c->last;
}

/* Reports how many collectives the log lacks. */
static void report_missing(struct inspector *s, struct reader *r)
{
	uint64_t missing = 0, all = 0, span;
	size_t i;

	for (i = 0; i < s->ids.n; i++) {
		span = (uint64_t)s->communicators[i].last - (uint64_t)s->communicators[i].first + 1;
		missing += span > s->communicators[i].n ? span - s->communicators[i].n : 0;
		all += span;
	}
	if (missing)
		reader_note(r,
		    reader_text(r,
			"%" PRIu64 " of %" PRIu64
			" collectives are missing in the log; perhaps the plugin's buffer overflowed",
			missing, all),
		    0, 0);
}

/* --- records --- */

/* Sets ts, from the start of the first channel's kernel, and dur. Returns false when a time does not fit in 64 bits. */
static bool set_collective_times(const struct inspector_line *line, bool pair, struct event *e)
{
	const struct str time = document_member(line->perf, pair ? "p2p_exec_time_us" : "coll_exec_time_us"),
			 channels = document_member(document_member(line->perf, "event_trace_ts"), "kernel_events");
	const enum num_result result = num_fixed(time, 3, &e->dur);
	int64_t start = INT64_MAX, us, ns;
	struct str channel;
	struct iter at;
	bool found = false;

	if (result == NUM_RANGE)
		return false;
	if (result == NUM_OK)
		event_set_dur(e, e->dur);
	if (!iter_array(&at, channels))
		return true;
	while (iter_element(&at, &channel)) {
		if (num_int(document_member(channel, "kernel_start_ts"), &us) == NUM_OK && us <= start) {
			start = us;
			found = true;
		}
	}
	if (!found)
		return true;
	if (__builtin_mul_overflow(start, 1000, &ns))
		return false;
	event_set_ts(e, ns);
	return true;
}

/* Makes the record of a line. Returns false when it is not selected or lost. */
static bool convert(
    struct inspector *s, struct reader *r, const struct inspector_line *line, const struct line *at, struct event *e)
{
	const bool pair = str_eq(line->key, STR("p2p_perf")), perf = pair || str_eq(line->key, STR("coll_perf"));
	const struct str name = document_member(line->perf, pair ? "p2p" : "coll"),
			 id = document_member(line->header, "id");
	const bool whole = perf && json_is_string(name) && id.p && document_member(line->header, "rank").p;
	const enum event_kind kind = whole ? KIND_KERNEL : perf || !line->key.p ? KIND_OTHER : KIND_META;
	static const char *const none[] = {NULL};
	struct buf *const args = &r->draft->args;

	draft_begin(r, e, kind);
	if (kind == KIND_OTHER)
		reader_lost(r, "line without an operation, a communicator or a rank; written as kind other", at->line,
		    at->offset);
	if (!pair && whole)
		count_collective(s, id, document_member(line->perf, "coll_sn"));
	if (whole && !set_collective_times(line, pair, e))
		return reader_lost(r, "time beyond 64 bits of ns; record skipped", at->line, at->offset);
	if (whole)
		event_set(e, EVENT_NAME, name);
	else if (line->key.p)
		event_set(e, EVENT_NAME, (struct str){line->key.p - 1, line->key.n + 2}); /* with its quotes */
	event_set(e, EVENT_CAT, STR("\"nccl_inspector\""));
	event_set(e, EVENT_PID, document_member(line->metadata, "pid"));
	if (whole) {
		put_perf(args, line, name);
	} else {
		put_group(args, line);
		if (json_is_object(line->perf))
			put_others(args, line->perf, none);
		json_write_json(args, "dump_timestamp_us", document_member(line->metadata, "dump_timestamp_us"));
	}
	return draft_end(r, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct inspector *s = state;
	struct line line;
	struct inspector_line parts;
	struct str text, key, value;
	struct iter at;

	while (lines_next(&r->lines, &line) > 0) {
		text = reader_sound(r, &line, line.text);
		if (!text.p)
			continue;
		s->line.n = 0;
		scan_append(&s->line, text);
		parts = (struct inspector_line){.key = {NULL, 0}};
		iter_init(&at, buf_str(&s->line));
		while (iter_next(&at, &key, &value) > 0) {
			if (str_eq(key, STR("header"))) {
				parts.header = value;
			} else if (str_eq(key, STR("metadata"))) {
				parts.metadata = value;
			} else {
				parts.key = key;
				parts.perf = value;
			}
		}
		if (!json_is_object(parts.header) || !json_is_object(parts.metadata)) {
			reader_lost(r, "not a line of NCCL Inspector; skipped", line.line, line.offset);
			continue;
		}
		r->line = line.line;
		if (convert(s, r, &parts, &line, e))
			return 1;
	}
	return 0;
}

static void close_inspector(void *state, struct reader *r)
{
	struct inspector *s = state;

	report_missing(s, r);
	buf_free(&s->line);
	map_free(&s->ids);
	free(s->communicators);
}

/* Whether the first line begins as the lines of the inspector do. */
static bool is_inspector_log(struct str head)
{
	enum { LOOK = 1024 };
	struct str line;

	if (!head_line(&head, &line) || !str_starts(line, STR("{\"header\":{\"id\":\"")))
		return false;
	line = str_head(line, LOOK);
	return str_find(line, STR("\"metadata\"")) < line.n &&
	       str_find(line, STR("\"inspector_output_format_version\"")) < line.n;
}

const struct format format_inspector = {
    .name = "inspector",
    .help = "NCCL Inspector and RCCL Inspector: node01-pid4001.log",
    .example = "trace2ndjson node01-pid4001.log",
    .probe = is_inspector_log,
    .state_size = sizeof(struct inspector),
    .lines = true,
    .next = next,
    .close = close_inspector,
};
