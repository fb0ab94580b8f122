/* nsys: the functions and types that the files of the Nsight Systems reader share. */
#ifndef NSYS_H
#define NSYS_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"

#include <stdio.h>

/* --- nsys_probe.c --- */

/* Whether a file that begins with `head` is of this format: see `probe` in struct format. */
bool nsys_probe(struct str head);

/* --- nsys_names.c: the string table --- */

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

/* --- nsys_spool.c: stores lines for later --- */

/* A line of the source. */
struct nsys_line {
	struct str text;
	uint64_t line, offset;
	bool clean; /* as in struct line; brackets and commas inside nested values were not checked */
};

/* Lines in a temporary file, in order. Zero-initialise. */
struct nsys_spool {
	FILE *file;       /* already unlinked; NULL before the first line is added */
	uint64_t n, read; /* n: number of lines in the file; read: number of lines that were read back */
	struct buf text;
};

/* Each returns false and sets *f to the reason when the file cannot be created, written or read. */
bool nsys_spool_add(struct nsys_spool *spool, const struct nsys_line *line, struct fault *f);
/* Call this exactly once, between the last nsys_spool_add() and the first nsys_spool_next(). */
bool nsys_spool_rewind(struct nsys_spool *spool, struct fault *f);
/* Reads the next line, while spool->read < spool->n; its text is valid until the next call. */
bool nsys_spool_next(struct nsys_spool *spool, struct nsys_line *line, struct fault *f);
/* Empties the spool, so that lines can be added again. */
bool nsys_spool_reset(struct nsys_spool *spool, struct fault *f);
void nsys_spool_free(struct nsys_spool *spool);

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

struct nsys_row {
	struct str v[NSYS_N]; /* the values, unchanged; p == NULL for an absent field */
	struct str event;     /* the event object's name, with quotes: "CudaEvent" */
	struct str object;    /* the name of the object inside a CudaEvent, with quotes: "kernel" */
	struct buf args;      /* ,"name":value of every member that v[] does not represent completely */
};

enum nsys_walked { NSYS_BROKEN = -1, NSYS_SKIPPED, NSYS_WALKED };

/*
 * Splits a line into *row, whose members are views of the line. Makes row->args only when `args` is set. Returns
 * NSYS_SKIPPED, without reading most of the line, for an event whose kind cannot be one of `kinds`; NSYS_BROKEN when
 * the line is not a JSON object.
 */
enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct nsys_line *line, uint32_t kinds, bool args);

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

/* Returns the process of a row, from the global id of its thread or, if that is absent, of its process. */
static inline uint64_t nsys_row_process(const struct nsys_row *row)
{
	return nsys_global_id(row->v[row->v[NSYS_THREAD].p ? NSYS_THREAD : NSYS_PROCESS]) >> 24 & 0xffffff;
}

/* --- nsys_kind.c: finds the kind of a row --- */

struct nsys_is {
	enum event_kind kind;
	/* name: the name of all records of this kind; copy: copy direction. Both are JSON; p == NULL when absent. */
	struct str name, copy;
	struct str lib;   /* JSON: the library of a call, if it is not CUDA itself */
	struct str style; /* JSON: for an NVTX range, "PushPop" or "StartEnd" (the vendor's words) */
};

/*
 * Each function returns one bit for each kind that an object with this name may have. nsys_event_kinds() takes the name
 * of an event object, nsys_object_kinds() the name of an object inside an event object. The name has its quotes.
 */
uint32_t nsys_event_kinds(struct str name);
uint32_t nsys_object_kinds(struct str name);

void nsys_row_is(struct nsys_is *is, const struct nsys_row *row);

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

#endif
