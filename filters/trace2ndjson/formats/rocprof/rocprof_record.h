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

/* The places of columns: a file of CSV, an event in the JSON output, a database ("TABLE.COLUMN": see rocpd.c). */
enum rocprof_output { ROCPROF_CSV, ROCPROF_JSON, ROCPROF_DATABASE };

/* --- the agents, which are the CPUs and GPUs of a system --- */

/* The columns of a table of agents. */
enum rocprof_agent_field {
	ROCPROF_AGENT_HANDLE,  /* the id by which events refer to the agent; -1 when unknown */
	ROCPROF_AGENT_NODE,    /* the number of the agent among all agents of the machine, CPUs first */
	ROCPROF_AGENT_LOGICAL, /* its number among the agents that the process can use */
	ROCPROF_AGENT_INDEX,   /* its number among the agents of its type: the user's number of a GPU */
	ROCPROF_AGENT_TYPE,    /* "CPU", "GPU" or "UNK" */
	ROCPROF_AGENT_NAME,
	ROCPROF_AGENT_VENDOR,
	ROCPROF_AGENT_PRODUCT,
	ROCPROF_AGENT_UNITS, /* number of compute units */
	ROCPROF_AGENT_N
};
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

/* JSON: the paths of members. ROCPROF_AGENT_UNITS of a database is a member of a JSON text in the column. */
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

enum rocprof_field {
	/* The fields up to ROCPROF_DATABASE_N are the columns of the query for a table of a database. */
	ROCPROF_START,
	ROCPROF_END,
	ROCPROF_AGENT, /* labels or ids of agents; struct rocprof_row has their places */
	ROCPROF_SRC,
	ROCPROF_DST,
	ROCPROF_NAME_ID, /* databases only: id of a string */
	ROCPROF_CATEGORY_ID,
	ROCPROF_EVENT,       /* id of the event: counters and arguments refer to it */
	ROCPROF_EVENT_FOUND, /* the same id, NULL if the event is missing */
	ROCPROF_TYPE,        /* of an allocation: "ALLOC", "FREE" ... */
	ROCPROF_LEVEL,       /* of an allocation: "REAL", "VIRTUAL" or "SCRATCH" */
	ROCPROF_EXTDATA,     /* JSON with the text of a marker */
	ROCPROF_PID,
	ROCPROF_TID,
	ROCPROF_STREAM,
	ROCPROF_QUEUE,
	ROCPROF_CORR,
	ROCPROF_BYTES,
	ROCPROF_KERNEL_ID,
	ROCPROF_PRIVATE, /* the fields from here on to ROCPROF_DATABASE_N are only members of args */
	ROCPROF_GROUP,
	ROCPROF_DISPATCH,
	ROCPROF_ADDRESS,
	ROCPROF_EXTERNAL,
	ROCPROF_ANCESTOR,
	ROCPROF_WORKGROUP_X, /* the six sizes are adjacent, in this order */
	ROCPROF_WORKGROUP_Y,
	ROCPROF_WORKGROUP_Z,
	ROCPROF_GRID_X,
	ROCPROF_GRID_Y,
	ROCPROF_GRID_Z,
	ROCPROF_DATABASE_N,
	ROCPROF_CAT = ROCPROF_DATABASE_N, /* KERNEL_DISPATCH, HIP_RUNTIME_API_EXT ... */
	ROCPROF_NAME,     /* name of the kernel, function, operation, counter or instruction, or the text of a marker */
	ROCPROF_FUNCTION, /* function that made the marker whose text is ROCPROF_NAME */
	ROCPROF_RETVAL,
	ROCPROF_VALUE, /* of a counter */
	ROCPROF_KERNEL,
	ROCPROF_CALL_ARGS,
	ROCPROF_KIND, /* JSON only: index of the category */
	ROCPROF_OPERATION,
	ROCPROF_INSTRUCTION,
	ROCPROF_N
};

/* How a CSV file has the values of a field. */
enum rocprof_type { ROCPROF_NUMBER, ROCPROF_REAL, ROCPROF_STRING, ROCPROF_LABEL };

/* The columns of all outputs that become fields. */
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
int rocprof_record_make(
    struct draft *d, struct reader *r, const struct rocprof_row *row, uint64_t byte, struct event *e);

/*
 * Stores the agent that the values describe, JSON texts; it replaces the agent with the same node. Makes the record of
 * the agent.
 */
int rocprof_record_make_agent(struct draft *d, const struct reader *r, struct rocprof_agents *a,
    const struct str v[ROCPROF_AGENT_N], struct event *e);

/* Makes the record of a process, whose values are JSON texts; p is NULL for an absent one. */
enum rocprof_process_field {
	ROCPROF_PROCESS_HOST,
	ROCPROF_PROCESS_PID,
	ROCPROF_PROCESS_COMMAND,
	ROCPROF_PROCESS_INIT,
	ROCPROF_PROCESS_FINI,
	ROCPROF_PROCESS_N
};
int rocprof_record_make_process(
    struct draft *d, const struct reader *r, const struct str v[ROCPROF_PROCESS_N], struct event *e);

#endif
