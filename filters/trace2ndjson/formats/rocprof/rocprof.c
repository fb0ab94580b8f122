/*
 * rocprof: reads the outputs of rocprofv3, the profiler of AMD's ROCm: JSON (rocprof_json.c) and CSV (rocprof_csv.c).
 * rocpd.c reads its databases.
 *
 *   {"rocprofiler-sdk-tool":[{"metadata":{...},"agents":[...],"strings":{...},"kernel_symbols":[...],
 *     "callback_records":{...},"buffer_records":{"kernel_dispatch":[{"kind":9,"operation":2,...},...],...}}]}
 *
 *   "Kind","Agent_Id","Queue_Id","Stream_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"
 *   "KERNEL_DISPATCH","Agent 4",1,1,"add(float*)",1,1550151853029637,1550151853042437
 */
#include "rocprof_csv.h"
#include "rocprof_json.h"

#include "base/char_class.h"

struct rocprof {
	bool begun, csv;
	struct rocprof_json json;
	struct rocprof_csv table;
};

static bool is_json(struct str head)
{
	head = str_trim(head);
	if (!str_starts(head, STR("{")))
		return false;
	return str_starts(str_trim(str_from(head, 1)), STR("\"rocprofiler-sdk-tool\""));
}

static bool rocprof_probe(struct str head)
{
	return is_json(head) || rocprof_header_probe(head);
}

/* Returns whether the first byte of the content that is not white space is a quote: JSON begins with a brace. */
static bool begins_with_quote(struct source *s)
{
	size_t i = 0;

	for (;;) {
		for (; i < s->n; i++) {
			if (!is_json_space(s->p[i]))
				return s->p[i] == '"';
		}
		if (source_more(s) <= 0)
			return false;
	}
}

static int rocprof_next(void *state, struct reader *r, struct event *e)
{
	struct rocprof *p = state;

	if (!p->begun)
		p->csv = begins_with_quote(r->src);
	p->begun = true;
	return p->csv ? rocprof_csv_next(&p->table, r, e) : rocprof_json_next(&p->json, r, e);
}

static void rocprof_close(void *state, struct reader *r)
{
	struct rocprof *p = state;

	(void)r;
	rocprof_json_free(&p->json);
	rocprof_csv_free(&p->table);
}

/* The tables of agents say which devices the agents of all other CSV files are. */
static bool rocprof_early(struct str path)
{
	return str_ends(path, STR("agent_info.csv")) || str_ends(path, STR("agent_info.csv.gz")) ||
	       str_ends(path, STR("agent_info.csv.zst"));
}

const struct format format_rocprof = {
    .name = "rocprof",
    .help = "rocprofv3 of ROCm: JSON (1234_results.json) and CSV (1234_kernel_trace.csv ...)",
    .example = "trace2ndjson 1234_*.csv",
    .probe = rocprof_probe,
    .early = rocprof_early,
    .run_size = sizeof(struct rocprof_run),
    .state_size = sizeof(struct rocprof),
    .next = rocprof_next,
    .close = rocprof_close,
};
