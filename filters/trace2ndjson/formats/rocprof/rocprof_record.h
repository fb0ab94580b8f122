/*
 * rocprof_record: makes records of the events in the outputs of rocprofv3. The reader of an output fills a row with the
 * values of one event; rocprof_record_make() makes the record from it, in the same way for all outputs.
 */
#ifndef ROCPROF_RECORD_H
#define ROCPROF_RECORD_H

#include "trace2ndjson/formats/columns.h"
#include "trace2ndjson/formats/draft.h"
#include "base/num_parse.h"
#include "json/string.h"

/* Initialises a struct str of a static table; STR() is not a constant. */
#define ROCPROF_TEXT(text)                                                                                             \
	{                                                                                                              \
		"" text, sizeof(text) - 1                                                                              \
	}

/* The sets of names of columns: CSV, an event in the JSON output, a database ("TABLE.COLUMN": see rocpd.c). */
enum rocprof_output { ROCPROF_CSV, ROCPROF_JSON, ROCPROF_DATABASE };

/* --- the agents, which are the CPUs and GPUs of a system --- */

/* The fields of an agent, and their columns. JSON: the paths of members. */
#define ROCPROF_AGENT_FIELDS(X)                                                                                        \
	X(HANDLE, NUMBER, NULL, "id.handle", "x.id") /* the id by which events refer to the agent; -1 when unknown */  \
	X(NODE, NUMBER, "node_id", "node_id", "x.absolute_index") /* its number among all agents, CPUs first */        \
	X(LOGICAL, NUMBER, "logical_node_id", "logical_node_id", "x.logical_index") /* among those of the process */   \
	X(INDEX, NUMBER, "logical_node_type_id", "logical_node_type_id", "x.type_index") /* among those of the type */ \
	X(TYPE, STRING, "agent_type", "type", "x.type")                                  /* "CPU", "GPU" or "UNK" */   \
	X(NAME, STRING, "name", "name", "x.name")                                                                      \
	X(VENDOR, STRING, "vendor_name", "vendor_name", "x.vendor_name")                                               \
	X(PRODUCT, STRING, "product_name", "product_name", "x.product_name")                                           \
	X(UNITS, NUMBER, "cu_count", "cu_count", "x.extdata") /* number of compute units; extdata is JSON with it */

#define ROCPROF_AGENT_ENUM(field, type, csv, json, database) ROCPROF_AGENT_##field,
enum rocprof_agent_field { ROCPROF_AGENT_FIELDS(ROCPROF_AGENT_ENUM) ROCPROF_AGENT_N };
enum { ROCPROF_AGENTS_MAX = 256 };

struct rocprof_agent {
	int64_t number[ROCPROF_AGENT_TYPE]; /* indexed by ROCPROF_AGENT_HANDLE ... */
	bool gpu;
};

/* Zero-initialise. */
struct rocprof_agents {
	size_t n; /* further agents are not stored */
	struct rocprof_agent agent[ROCPROF_AGENTS_MAX];
};

extern const struct columns_row rocprof_agent_columns[ROCPROF_AGENT_N];

/* The agent of an event; all zeros if it has none. */
struct rocprof_agent_ref {
	bool known;    /* the agent is in the table of agents */
	bool has_node; /* `node` is set */
	bool has_dev;  /* `dev` is set: the agent is a GPU, or its type is unknown */
	int64_t node, dev;
};

struct rocprof_agent_ref rocprof_agents_by_handle(const struct rocprof_agents *a, int64_t handle);

/*
 * Finds the agent that a table calls "Agent 4", "4", "GPU 0" or "CPU 1". The number of an agent that is not in the
 * table is its node and its device, because nothing else is known about it.
 */
struct rocprof_agent_ref rocprof_agents_by_label(const struct rocprof_agents *a, struct str label);

/* --- the values of an event, and the columns that hold them --- */

enum rocprof_table {
	ROCPROF_KERNELS,
	ROCPROF_COPIES,
	ROCPROF_MEMORY, /* allocations of memory, also of scratch memory */
	ROCPROF_COUNTERS,
	ROCPROF_SAMPLES, /* program counter samples */
	ROCPROF_CALLS,   /* calls, ranges and marks */
	ROCPROF_STATS,   /* sums by name */
	ROCPROF_AGENTS,
};

/* The fields of an event, and the columns and members that have their values. */
#define ROCPROF_FIELDS(X)                                                                                              \
	X(START, NUMBER, "start_timestamp sample_timestamp", "start_timestamp timestamp",                              \
	    "x.start a.value x.timestamp i.value")                                                                     \
	X(END, NUMBER, "end_timestamp", "end_timestamp", "x.end b.value x.timestamp i.value")                          \
	X(AGENT, LABEL, "agent_id", "agent_id", "x.agent_id k.agent_id") /* labels or ids of agents */                 \
	X(SRC, LABEL, "source_agent_id", "src_agent_id", "x.src_agent_id k.src_agent_id")                              \
	X(DST, LABEL, "destination_agent_id", "dst_agent_id", "x.dst_agent_id k.dst_agent_id")                         \
	X(NAME_ID, NUMBER, NULL, NULL, "x.name_id") /* id of a string */                                               \
	X(CATEGORY_ID, NUMBER, NULL, NULL, "e.category_id")                                                            \
	X(EVENT, NUMBER, NULL, NULL, "x.event_id k.event_id") /* counters and arguments refer to it */                 \
	X(EVENT_FOUND, NUMBER, NULL, NULL, "e.id")            /* the same id, NULL if the event is missing */          \
	X(TYPE, STRING, NULL, NULL, "x.type k.type")          /* of an allocation: "ALLOC", "FREE" ... */              \
	X(LEVEL, STRING, NULL, NULL, "x.level k.level")       /* of an allocation: "REAL", "VIRTUAL" or "SCRATCH" */   \
	X(EXTDATA, STRING, NULL, NULL, "e.extdata")           /* JSON with the text of a marker */                     \
	X(PID, NUMBER, "process_id", NULL, "p.pid x.pid k.pid")                                                        \
	X(TID, NUMBER, "thread_id", "thread_id", "t.tid x.tid k.tid")                                                  \
	X(STREAM, NUMBER, "stream_id", "stream_id", "x.stream_id k.stream_id")                                         \
	X(QUEUE, NUMBER, "queue_id", "queue_id", "x.queue_id k.queue_id")                                              \
	X(CORR, NUMBER, "correlation_id", "internal", "e.stack_id")                                                    \
	X(BYTES, NUMBER, "allocation_size", "allocation_size bytes", "x.size k.size")                                  \
	X(KERNEL_ID, NUMBER, "kernel_id", "kernel_id", "x.kernel_id k.kernel_id")                                      \
	/* The fields from here on to GRID_Z are only members of args. */                                              \
	X(PRIVATE, NUMBER, "private_segment_size", "private_segment_size", "x.private_segment_size")                   \
	X(GROUP, NUMBER, "group_segment_size", "group_segment_size", "x.group_segment_size")                           \
	X(DISPATCH, NUMBER, "dispatch_id", "dispatch_id", "x.dispatch_id k.dispatch_id")                               \
	X(ADDRESS, STRING, "address", "address", "x.address")                                                          \
	X(EXTERNAL, NUMBER, NULL, "external", "e.correlation_id")                                                      \
	X(ANCESTOR, NUMBER, NULL, "ancestor", "e.parent_stack_id")                                                     \
	X(WORKGROUP_X, NUMBER, "workgroup_size_x", NULL, "x.workgroup_size_x") /* the six sizes are adjacent */        \
	X(WORKGROUP_Y, NUMBER, "workgroup_size_y", NULL, "x.workgroup_size_y")                                         \
	X(WORKGROUP_Z, NUMBER, "workgroup_size_z", NULL, "x.workgroup_size_z")                                         \
	X(GRID_X, NUMBER, "grid_size_x", NULL, "x.grid_size_x")                                                        \
	X(GRID_Y, NUMBER, "grid_size_y", NULL, "x.grid_size_y")                                                        \
	X(GRID_Z, NUMBER, "grid_size_z", NULL, "x.grid_size_z")                                                        \
	X(CAT, STRING, "kind domain", NULL, NULL) /* KERNEL_DISPATCH, HIP_RUNTIME_API_EXT ... */                       \
	X(NAME, STRING, "kernel_name function operation direction counter_name instruction name", NULL, NULL)          \
	X(FUNCTION, STRING, NULL, NULL, NULL) /* function that made the marker whose text is the name */               \
	X(RETVAL, STRING, NULL, NULL, NULL)                                                                            \
	X(VALUE, REAL, "counter_value", NULL, NULL) /* of a counter */                                                 \
	X(KERNEL, STRING, NULL, NULL, NULL)                                                                            \
	X(CALL_ARGS, STRING, NULL, NULL, NULL)                                                                         \
	X(KIND, NUMBER, NULL, "kind", NULL) /* index of the category */                                                \
	X(OPERATION, NUMBER, NULL, "operation", NULL)                                                                  \
	X(INSTRUCTION, NUMBER, NULL, "inst_index", NULL)

#define ROCPROF_ENUM(field, type, csv, json, database) ROCPROF_##field,
enum rocprof_field {
	ROCPROF_FIELDS(ROCPROF_ENUM) ROCPROF_N,
	ROCPROF_DATABASE_N = ROCPROF_GRID_Z + 1 /* the fields before it are the columns of a query of a database */
};

/* How a CSV file has the values of a field. */
enum rocprof_type { ROCPROF_NUMBER, ROCPROF_REAL, ROCPROF_STRING, ROCPROF_LABEL };

extern const struct columns_row rocprof_columns[ROCPROF_N];

/* Returns the field of a column or member, or ROCPROF_N. The names of CSV columns are passed in lower case. */
enum rocprof_field rocprof_find_field(enum rocprof_output output, struct str column);

struct rocprof_row {
	enum rocprof_table table;
	struct str v[ROCPROF_N];                    /* JSON texts; p is NULL for an absent value */
	struct rocprof_agent_ref agent, source, to; /* the agents of the event; of a copy: `source` and `to` */
	struct buf extra;                           /* ,"name":value of each value without a field; members of args */
	struct buf made[ROCPROF_N];                 /* memory of the values that the reader makes */
};

void rocprof_row_clear(struct rocprof_row *row);
void rocprof_row_free(struct rocprof_row *row);

/* Makes the values of the fields from `first` to `last` absent. */
static inline void rocprof_row_forget(struct rocprof_row *row, enum rocprof_field first, enum rocprof_field last)
{
	memset(&row->v[first], 0, (size_t)(last - first + 1) * sizeof *row->v);
}

/* Makes the row of a kernel, with its name, the row of the kernel's counters. */
void rocprof_row_count(struct rocprof_row *row);

/* A marker has the text that the program gave as its name, if it is a string, and the function by which it did so. */
void rocprof_row_set_message(struct rocprof_row *row, struct str message);

/* Both set *to to a value as JSON, and return it; for a number that is not finite, p is NULL. */
static inline struct str rocprof_quote(struct buf *to, struct str text)
{
	to->n = 0;
	json_quote(to, text);
	return buf_str(to);
}

struct str rocprof_real(struct buf *to, double v);

/* --- records --- */

/*
 * Makes the record of a row, whose place for messages is r->line or, if that is 0, the offset `byte`. Returns 1 with *e
 * set; its views are valid until the next call and as long as the values of the row. Returns 0 when its kind is not
 * selected, or when it is lost, which is reported. The next two functions return the same.
 */
int rocprof_record_make(struct reader *r, const struct rocprof_row *row, uint64_t byte, struct event *e);

/*
 * Stores the agent that the values describe, JSON texts; it replaces the agent with the same node. Makes the record of
 * the agent.
 */
int rocprof_record_make_agent(
    const struct reader *r, struct rocprof_agents *a, const struct str v[ROCPROF_AGENT_N], struct event *e);

/* Makes the record of a process, whose values are JSON texts; p is NULL for an absent one. */
enum rocprof_process_field {
	ROCPROF_PROCESS_HOST,
	ROCPROF_PROCESS_PID,
	ROCPROF_PROCESS_COMMAND,
	ROCPROF_PROCESS_INIT,
	ROCPROF_PROCESS_FINI,
	ROCPROF_PROCESS_N
};
int rocprof_record_make_process(const struct reader *r, const struct str v[ROCPROF_PROCESS_N], struct event *e);

/* The readers of the two forms of files, which are one format for the user. */
extern const struct format rocprof_csv, rocprof_json;

/* The state that the reader of CSV stores from one file to the next. */
struct rocprof_run {
	struct rocprof_agents agents; /* from the last agent_info.csv */
};

#endif
