/*
 * nsys_record: the rows of an export of Nsight Systems, and the records made from them. A reader, of JSON or of a
 * database, stores the members or columns of a row as fields, and then makes the record with nsys_record_begin() and
 * nsys_record_make().
 */
#ifndef NSYS_RECORD_H
#define NSYS_RECORD_H

#include "base/num_format.h"
#include "trace2ndjson/formats/columns.h"
#include "trace2ndjson/formats/format.h"
#include "trace2ndjson/formats/id_texts.h"

/* The state that the readers store from one file to the next: the option --strings. */
struct nsys_run {
	bool strings; /* each string becomes a record */
};
extern const struct opt nsys_options[];

/* --- rows --- */

/*
 * The fields that the reader uses, and their columns: in the object of a line, in an object inside it, and in a
 * database, whose other columns are those of a line. Names that begin with a capital letter are those of old exports.
 * All other members of a row go to args unchanged.
 */
#define NSYS_FIELDS(X)                                                                                                 \
	X(LINE, TEXT, "type", NULL, NULL) /* of a line that is not an event: String, Stream, ThreadName */             \
	X(TABLE, TEXT, "table", NULL, NULL)                                                                            \
	X(DATA, ARRAY, "data", NULL, NULL) /* all strings, or all thread names */                                      \
	X(TYPE, WHOLE, "Type", NULL, NULL)                                                                             \
	X(ID, KEPT, "id", NULL, NULL) /* of a string; its text is VALUE */                                             \
	X(VALUE, KEPT, "value", NULL, NULL)                                                                            \
	X(START, TIME, "start timestamp", "start startNs Timestamp", "start timestamp rawTimestamp")                   \
	X(END, TIME, "end", "end endNs EndTimestamp", "end")                                                           \
	X(CORR, WHOLE, "correlationId", "correlationId", NULL)                                                         \
	X(DEV, WHOLE, "deviceId", "deviceId", NULL)                                                                    \
	X(STREAM, WHOLE, "streamId", "streamId", NULL)                                                                 \
	X(THREAD, KEPT, "globalTid", "globalTid GlobalTid", NULL)                                                      \
	X(PROCESS, KEPT, "globalPid", "globalPid GlobalPid GlobalProcess", NULL)                                       \
	X(CLASS, KEPT, "eventClass", "eventClass", NULL) /* of a call */                                               \
	X(NVTX, KEPT, "eventType", "Type", NULL)         /* type of an NVTX event */                                   \
	X(DOMAIN, KEPT, "domainId", "domainId DomainId", NULL)                                                         \
	X(NAME, TEXT, "name text filename", "Text", NULL)                                                              \
	X(NAME_ID, KEPT, "nameId textId nameIdx filenameId", "name nameId TextId textId", NULL)                        \
	X(DEMANGLED, KEPT, "demangledName", "demangledName", NULL) /* ids of a kernel's three names */                 \
	X(SHORT, WHOLE, "shortName", "shortName", NULL)                                                                \
	X(MANGLED, KEPT, "mangledName", "mangledName", NULL)                                                           \
	X(BYTES, WHOLE, "bytes", "bytes sizebytes", NULL)                                                              \
	X(COPY, KEPT, "copyKind", "copyKind", NULL)                                                                    \
	X(SYNC, KEPT, "syncType", "syncType", NULL)                                                                    \
	X(RESULT, WHOLE, "returnValue", "returnValue", NULL) /* of a call */

#define NSYS_ENUM(field, keep, top, event, database) NSYS_##field,
enum nsys_field { NSYS_FIELDS(NSYS_ENUM) NSYS_N };

/* The facts that the name of an event object or table tells. */
struct nsys_shape;

struct nsys_row {
	const struct nsys_shape *shape; /* see nsys_row_shape() */
	struct str v[NSYS_N];           /* the values, unchanged; p == NULL for an absent field */
	/* Times as integers, from a reader that has no text for v[NSYS_START] and v[NSYS_END]. */
	bool has_start, has_end;
	int64_t start, end;
	struct str event;  /* the event object's name, with quotes: "CudaEvent" */
	struct str object; /* the name of the object inside a CudaEvent, with quotes: "kernel" */
	struct buf args;   /* ,"name":value of every member that v[] does not represent completely */
};

/* The names of fields: members of a line, members of an event object or of an object in it, columns of a table. */
enum nsys_name_set { NSYS_TOP, NSYS_EVENT, NSYS_DATABASE };

extern const struct columns_row nsys_columns[NSYS_N];

/* Returns the field of a member or a column; NSYS_N for an unknown one, whose value belongs in args. */
enum nsys_field nsys_row_field(enum nsys_name_set set, struct str name);

/*
 * Stores a value (JSON) in v[]; nsys_row_take_int(), which is faster, stores the digits of an integer. Both return
 * whether v[] now represents the value completely; otherwise it belongs in args, too.
 */
bool nsys_row_take(struct nsys_row *row, enum nsys_field field, struct str value);
bool nsys_row_take_int(struct nsys_row *row, enum nsys_field field, struct str digits);

/* Returns the digits of a whole number with its sign, without quotes; p is NULL for any other value. */
struct str nsys_whole(struct str value);

/* Returns one bit for each kind that the event object or the rows of the table of this name, in quotes, may have. */
uint32_t nsys_event_kinds(struct str name);

/* Returns the kind of the object of this name, in quotes, that a CudaEvent contains. */
enum event_kind nsys_object_kind(struct str name);

/*
 * Returns the shape of a row; NULL if it is unknown. It depends only on row->event or row->v[NSYS_TABLE]. row->shape
 * may be that of the preceding row, or NULL.
 */
const struct nsys_shape *nsys_row_shape(const struct nsys_row *row);

/* --- records --- */

/*
 * Returns a JSON string, escaped in the same way as all stored texts. The writers of the source differ: one escapes
 * '/', another '<' and '>'. Returns the text itself when it has no escapes; otherwise a view of *to, which is
 * overwritten.
 */
struct str nsys_plain(struct buf *to, struct str text);

/* The row that becomes a record, and the memory of the record. Zero-initialise. */
struct nsys_record {
	/*
	 * Set by the reader: returns the text of an id (digits), as JSON; p is NULL when the text is not known, or not
	 * yet known. The text may be stored in *to, which is empty.
	 */
	struct str (*text_of)(void *arg, struct str id, struct buf *to);
	void *arg;
	struct nsys_row row;
	struct str given_name;   /* set by the reader: the name, if the row itself has none; otherwise p is NULL */
	struct str attachments;  /* set by the reader: the attachments, as in struct event */
	struct id_texts domains; /* the names of domains; the ids are texts "PID:DOMAIN" */
	/* Set by nsys_record_begin(). */
	bool named; /* the texts of both names are known; that of the domain may be unknown */
	/* private */
	enum event_kind kind;
	struct str copy;                       /* the direction of a copy. This text and the next ones are JSON. */
	struct str lib;                        /* the library of a call, if it is not CUDA itself */
	struct str style;                      /* for an NVTX range, "PushPop" or "StartEnd" (the vendor's words) */
	struct str title;                      /* the name of all records of this kind */
	struct str id, short_id;               /* ids of the names; p == NULL for an absent id */
	struct str name, short_name, domain;   /* domain: of an NVTX event */
	struct buf name_text, short_text, src; /* memory of these texts */
	/* The global id of the last record, and the pid and tid in it as JSON: most records have the same one. */
	char global_id[NUM_ROOM], pid_text[NUM_ROOM], tid_text[NUM_ROOM];
	size_t global_id_length;
	bool of_thread; /* the id is that of a thread */
	struct str pid, tid;
};

/*
 * Finds the kind and the names of record->row, whose shape is set. Returns false when the row does not become a record
 * of a selected kind, whatever its name.
 */
bool nsys_record_begin(struct nsys_record *record, struct reader *r);

/* Makes the record. Returns false when it is not selected, or was counted as lost: `line` is its place. */
bool nsys_record_make(struct nsys_record *record, struct reader *r, const struct line *line, struct event *e);

/*
 * Returns the name of the domain of record->row; p is NULL when the creation of the domain was not read. If created.p
 * is not NULL, stores `created` as that name first. Each process has its own domain ids.
 */
struct str nsys_record_domain(struct nsys_record *record, struct str created);

/* Makes the record of a string, for the option --strings. `text` is JSON. */
void nsys_record_string(struct event *e, struct str id, struct str text);

/* The tables of counters, and the tables that have the names of their metrics, by two ids. */
struct nsys_metric {
	const char *rows, *names, *ids[2], *name;
	bool gpu; /* the device is in the lower bits of the first id */
};

/* Returns the row for a table of counters, or for a table of names if `names` is set; NULL for another table. */
const struct nsys_metric *nsys_metric_of(struct str table, bool names);

void nsys_record_free(struct nsys_record *record);

#endif
