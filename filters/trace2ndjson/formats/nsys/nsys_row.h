/* nsys_row: splits a line into fields, and finds the kind of a row. */
#ifndef NSYS_ROW_H
#define NSYS_ROW_H

#include "json/lines.h"
#include "record/event.h"
#include "trace2ndjson/formats/columns.h"

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
enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct line *line, uint32_t kinds, bool args);

/*
 * Where a member may be: in the object of the line or in an object inside it. The columns of a database are those of
 * NSYS_TOP, but NSYS_DATABASE has the columns of its times.
 */
enum nsys_place { NSYS_TOP, NSYS_EVENT, NSYS_DATABASE };

/* The members and columns that become fields. */
extern const struct columns_row nsys_columns[NSYS_N];

/* Returns the field of a member or a column; NSYS_N for an unknown one, whose value belongs in args. */
enum nsys_field nsys_row_field(enum nsys_place place, struct str name);

/*
 * Stores a value (JSON) in v[]; nsys_row_take_int(), which is faster, stores the digits of an integer. Both return
 * whether v[] now represents the value completely; otherwise it belongs in args, too.
 */
bool nsys_row_take(struct nsys_row *row, enum nsys_field field, struct str value);
bool nsys_row_take_int(struct nsys_row *row, enum nsys_field field, struct str digits);

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

/* --- the kind of a row --- */

struct nsys_row_kind {
	enum event_kind kind;
	/* name: the name of all records of this kind; copy: copy direction. Both are JSON; p == NULL when absent. */
	struct str name, copy;
	struct str lib;   /* JSON: the library of a call, if it is not CUDA itself */
	struct str style; /* JSON: for an NVTX range, "PushPop" or "StartEnd" (the vendor's words) */
};

/* Returns one bit for each kind that the event object or the rows of the table of this name, in quotes, may have. */
uint32_t nsys_event_kinds(struct str name);

/*
 * Returns what is known of the event object or the table of a row; NULL if it is unknown. The result depends only on
 * its name: row->event or row->v[NSYS_TABLE]. row->shape may be that of the preceding row, or NULL.
 */
const struct nsys_shape *nsys_row_shape(const struct nsys_row *row);

/* Finds the kind of a row whose shape is set. Returns false for rows that are not records: constants of the export. */
bool nsys_row_find_kind(struct nsys_row_kind *is, const struct nsys_row *row);

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
void nsys_range_find_kind(struct nsys_row_kind *is, struct str domain, struct str name);

#endif
