/* nsys: the functions and types that the files of the Nsight Systems reader share. */
#ifndef NSYS_H
#define NSYS_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"
#include "base/num_format.h"

/* The state that the readers store from one file to the next, and the option --strings. */
struct nsys_run {
	bool strings; /* --strings: each string becomes a record */
};
extern const struct opt nsys_options[];

/* --- nsys_record.c: the string table --- */

/*
 * Maps ids to texts. An id is the text of a whole number. A text is a JSON string with its quotes. It is always escaped
 * in the same way, however the source escapes it, and is stored only once even when several ids have it.
 * Zero-initialise.
 */
struct nsys_names {
	struct map ids, texts;
	/* maps the index of an id in `ids` to the index of its text in `texts`, or to MAP_NONE */
	size_t *text_of;
	size_t cap;
	size_t awaited; /* number of ids that were requested and have no text yet */
};

void nsys_names_put(struct nsys_names *names, struct str id, struct str text);

/*
 * Returns the text of an id, valid until nsys_names_free(). p is NULL when the text has not been read yet; the id is
 * then added to the awaited ids.
 */
struct str nsys_names_get(struct nsys_names *names, struct str id);

void nsys_names_free(struct nsys_names *names);

/*
 * Returns a JSON string, escaped in the same way as all stored texts. The writers of the source differ: one escapes
 * '/', another '<' and '>'. Returns the text itself when it has no escapes; otherwise appends the new form to *to and
 * returns a view of it.
 */
struct str nsys_plain(struct buf *to, struct str text);

/* A line of the source. */
struct nsys_line {
	struct str text;
	uint64_t line, offset;
	bool clean; /* as in struct line; brackets and commas inside nested values were not checked */
};

/* --- nsys_row.c: splits a line into fields --- */

/* The fields that the reader uses; all other members of a line go to args unchanged. */
enum nsys_field {
	NSYS_LINE,  /* "type" of a line that is not an event: String, Stream, ThreadName */
	NSYS_TABLE, /* "table" of a table's row */
	NSYS_DATA,  /* array of all strings, or of all thread names */
	NSYS_TYPE,  /* "Type" of a line, a number */
	NSYS_ID,    /* id of a string; its text is NSYS_VALUE */
	NSYS_VALUE,
	NSYS_START,
	NSYS_END,
	NSYS_CORR,
	NSYS_DEV,
	NSYS_STREAM,
	NSYS_THREAD,  /* globalTid */
	NSYS_PROCESS, /* globalPid */
	NSYS_CLASS,   /* eventClass of a call */
	NSYS_NVTX,    /* type of an NVTX event */
	NSYS_DOMAIN,
	NSYS_NAME, /* name as text */
	NSYS_NAME_ID,
	NSYS_DEMANGLED, /* ids of a kernel's three names */
	NSYS_SHORT,
	NSYS_MANGLED,
	NSYS_BYTES,
	NSYS_COPY,
	NSYS_SYNC,
	NSYS_RESULT, /* the result of a call */
	NSYS_N
};

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

enum nsys_walked { NSYS_BROKEN = -1, NSYS_SKIPPED, NSYS_WALKED };

/*
 * Splits a line into *row, whose members are views of the line. Makes row->args only when `args` is set. Returns
 * NSYS_SKIPPED, without reading most of the line, for an event whose kind cannot be one of `kinds`; NSYS_BROKEN when
 * the line is not a JSON object.
 */
enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct nsys_line *line, uint32_t kinds, bool args);

/* A known member of a line, or column of a table. Returns NULL for an unknown one, whose value belongs in args. */
struct nsys_member;
const struct nsys_member *nsys_row_column(struct str name);
enum nsys_field nsys_member_field(const struct nsys_member *k);

/*
 * Stores a value (JSON) in v[]; nsys_row_take_int(), which is faster, stores the digits of an integer. Both return
 * whether v[] now represents the value completely; otherwise it belongs in args, too.
 */
bool nsys_row_take(struct nsys_row *row, const struct nsys_member *k, struct str value);
bool nsys_row_take_int(struct nsys_row *row, const struct nsys_member *k, struct str digits);

/*
 * Returns the digits of a whole number and its minus sign, without quotes; p is NULL when the value is not a whole
 * number.
 */
struct str nsys_whole(struct str value);

/*
 * Returns the global id of a thread or process as a number. Bits 24 to 47 of this number are the process, the lower
 * bits the thread, the higher bits the machine. Returns 0 when the value is absent or not a whole number.
 */
uint64_t nsys_global_id(struct str value);

/* --- nsys_row.c: finds the kind of a row --- */

struct nsys_is {
	enum event_kind kind;
	/* name: the name of all records of this kind; copy: copy direction. Both are JSON; p == NULL when absent. */
	struct str name, copy;
	struct str lib;   /* JSON: the library of a call, if it is not CUDA itself */
	struct str style; /* JSON: for an NVTX range, "PushPop" or "StartEnd" (the vendor's words) */
};

/*
 * Each function returns one bit for each kind that an object with this name may have. nsys_event_kinds() takes the name
 * of an event object or a table, nsys_object_kinds() the name of an object inside an event object. The
 * name has its quotes.
 */
uint32_t nsys_event_kinds(struct str name);

/*
 * Returns what is known of the event object or the table of a row; NULL if it is unknown. The result depends only on
 * its name: row->event or row->v[NSYS_TABLE]. row->shape may be that of the preceding row, or NULL.
 */
const struct nsys_shape *nsys_row_shape(const struct nsys_row *row);

/* Finds the kind of a row whose shape is set. Returns false for rows that are not records: constants of the export. */
bool nsys_row_is(struct nsys_is *is, const struct nsys_row *row);

/* The relation of an NVTX event to its domain. */
enum nsys_domain {
	NSYS_DOMAIN_NONE,    /* not an NVTX event */
	NSYS_DOMAIN_USED,    /* the event is in the domain */
	NSYS_DOMAIN_CREATED, /* the event creates the domain; its text is the domain's name */
	NSYS_DOMAIN_DESTROYED,
};
enum nsys_domain nsys_row_domain(const struct nsys_row *row);

/*
 * Corrects the kind of a range once its domain and name are known. Both are JSON; p is NULL when the domain or the name
 * is unknown. nsys records calls of MPI as ranges "MPI_..." in the domain "MPI", but its own reports treat them as
 * calls, and its tables store them separately.
 */
void nsys_range_is(struct nsys_is *is, struct str domain, struct str name);

/* --- nsys_record.c: makes the record of a row, for the readers of JSON and of databases --- */

struct nsys_named {
	struct str id, short_id; /* ids of the names; p == NULL for an absent id */
	struct str name, short_name;
	struct str domain; /* the domain of an NVTX event */
	bool all;          /* the texts of both names are known; that of the domain may be unknown */
};

/* The row that becomes a record, and the memory of the record. Zero-initialise. */
struct nsys_record {
	/*
	 * Set by the reader: sets *text to the text of an id (digits), as JSON. The text may be stored in *to, which is
	 * empty. Returns false and sets text->p to NULL when the text is not known, or not yet known.
	 */
	bool (*text_of)(void *arg, struct str id, struct buf *to, struct str *text);
	void *arg;
	struct nsys_row row;
	struct str name;           /* set by the reader: the name, if the row itself has none; otherwise p is NULL */
	struct str more;           /* set by the reader: the attachments, as in struct event */
	struct nsys_names domains; /* the names of domains; the ids are texts "PID:DOMAIN" */
	/* Set by nsys_record_begin(). */
	struct nsys_is is;
	struct nsys_named named;
	/* private */
	struct buf name_text, short_text, src;
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

/*
 * Makes the record, after nsys_record_begin(). Returns false when it is not selected, or was counted as lost: `line` is
 * its place.
 */
bool nsys_record_make(struct nsys_record *record, struct reader *r, const struct nsys_line *line, struct event *e);

/*
 * Returns the name of the domain of record->row; p is NULL when the creation of the domain was not read. If created.p
 * is not NULL, stores `created` as that name first. Each process has its own domain ids.
 */
struct str nsys_record_domain(struct nsys_record *record, struct str created);

void nsys_record_free(struct nsys_record *record);

#endif
