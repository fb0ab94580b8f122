/* path_log: stores the records of a window for the search of the critical path: calls, operators and device work. */
#ifndef PATH_LOG_H
#define PATH_LOG_H

#include "record/input.h"
#include "record/name_match.h"
#include "record/places.h"

enum path_flags {
	PATH_NODE = 1,       /* has two points in the graph: its start and its end */
	PATH_DEVICE = 2,     /* work of a device */
	PATH_API = 4,        /* an API call */
	PATH_LOCK = 8,       /* a call that takes the lock of the runtime */
	PATH_BLOCKING = 16,  /* a call that waits for the device: its last piece has no weight */
	PATH_LAUNCH = 32,    /* device work whose call puts it at the end of the stream's queue */
	PATH_QUEUED = 64,    /* device work: the next work of the stream was launched before it started */
	PATH_WAITS = 128,    /* a call that waits until the device is idle */
	PATH_FUNCTION = 256, /* a function of Python */
};

#define PATH_NONE UINT32_MAX

/* A record. Times are in ns. */
struct path_event {
	int64_t ts, end;
	int64_t call;        /* device work: the start of its call */
	uint32_t name;       /* number of the name in `names` */
	uint32_t place;      /* number of the thread or of the stream */
	uint32_t thread;     /* device work: the thread of its call */
	uint32_t call_name;  /* device work: the name of its call, PATH_NONE if no call has this name */
	uint32_t waited_for; /* device work: the event for whose end it waited, PATH_NONE if there is none */
	uint32_t flags;
};

enum path_sync_type { PATH_SYNC_STREAM, PATH_SYNC_CONTEXT, PATH_SYNC_EVENT, PATH_SYNC_WAIT };

/* A synchronisation record. */
struct path_sync {
	enum path_sync_type type;
	uint32_t stream;  /* the stream that was waited for */
	uint32_t waiting; /* PATH_SYNC_WAIT: the stream that waited */
	uint32_t thread, call_name;
	int64_t call, end;    /* start of the call; end of the record, at most that of the call */
	int64_t record_event; /* correlation id of the call that recorded the event */
};

/* A call that recorded an event. */
struct path_record_call {
	int64_t corr, ts;
};

/* Zero-initialise and set the members of the first part. path_log_free(). */
struct path_log {
	struct name_match *marker;    /* the window begins and ends with ranges that match; NULL: all records */
	int64_t first, last;          /* numbers of these ranges, from 0, in ts order */
	struct name_match *data_load; /* ranges and functions with these names are points too */
	/* for the caller to read */
	struct path_event *events; /* in ts order */
	size_t n;
	struct path_sync *syncs;
	size_t n_syncs;
	struct path_record_call *record_calls;
	size_t n_record_calls;
	struct map names; /* as JSON */
	struct places threads, streams, ranks;
	bool *foreign;      /* threads with operators that name a stream (Triton): they have no edges */
	bool any_sync;      /* the trace has synchronisation records */
	uint64_t uncalled;  /* device records without a call in the window */
	int64_t found;      /* number of ranges that match `marker` */
	int64_t begin, end; /* the window, closed */
	/* private */
	uint32_t merged, merged_into; /* all records of the first thread became those of the second */
	size_t cap, syncs_cap, record_calls_cap, foreign_cap, past_cap;
	bool *past; /* streams whose first work after the window is stored */
};

/* Adds a record. Records are in ts order. */
void path_log_add(struct path_log *l, struct event *e);

/* To be called after the last record: removes those outside the window. Returns false if the window was not found. */
bool path_log_end(struct path_log *l);

/* Returns the call with this start, thread and name, or PATH_NONE. */
uint32_t path_log_call(const struct path_log *l, int64_t ts, uint32_t thread, uint32_t name);

void path_log_free(struct path_log *l);

#endif
