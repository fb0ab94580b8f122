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
#include "rocprof_record.h"

#include <stdlib.h>

struct rocprof {
	const struct format *form;
	void *state;
};

static bool rocprof_probe(struct str head)
{
	return rocprof_json.probe(head) || rocprof_csv.probe(head);
}

static void rocprof_open(void *state, struct reader *r)
{
	struct rocprof *p = state;

	/* JSON begins with a brace. */
	p->form = str_starts(str_trim((struct str){r->src->p, r->src->n}), STR("\"")) ? &rocprof_csv : &rocprof_json;
	p->state = mem_zero(1, p->form->state_size);
}

static int rocprof_next(void *state, struct reader *r, struct event *e)
{
	struct rocprof *p = state;

	return p->form->next(p->state, r, e);
}

static void rocprof_close(void *state, struct reader *r)
{
	struct rocprof *p = state;

	p->form->close(p->state, r);
	free(p->state);
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
    .open = rocprof_open,
    .next = rocprof_next,
    .close = rocprof_close,
};
