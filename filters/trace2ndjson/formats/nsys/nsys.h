/* nsys: the functions and types that the files of the Nsight Systems reader share. */
#ifndef NSYS_H
#define NSYS_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"

#include <stdio.h>

/* --- nsys_probe.c --- */

/* Whether a file that begins with `head` is of this format; struct format has the contract. */
bool nsys_probe(struct str head);

/* --- nsys_names.c: the string table --- */

/*
 * Texts by id. The key is the digits of the id. A text is JSON with its quotes, in the same form for every way of
 * escaping in the source, and is stored once even when several ids have it. Zero-initialise.
 */
struct nsys_names {
	struct map ids, texts;
	size_t *text_of; /* by the id's number in `ids`: a number in `texts`, or MAP_NONE */
	size_t cap;
	size_t awaited; /* number of ids that were requested and have no text yet */
};

void nsys_names_put(struct nsys_names *names, struct str id, struct str text);

/*
 * Returns the text, valid until nsys_names_free(); p is NULL when it has not been read yet: the id then counts as
 * awaited.
 */
struct str nsys_names_get(struct nsys_names *names, struct str id);

void nsys_names_free(struct nsys_names *names);

/*
 * Returns a JSON string in the form that all texts get: the source has two writers, one escapes '/', the other '<' and
 * '>'. Returns the text itself when it has no escapes; otherwise appends the new form to *to and returns a view of it.
 */
struct str nsys_plain(struct buf *to, struct str text);

/* --- nsys_spool.c: stores lines for later --- */

/* A line of the source. */
struct nsys_line {
	struct str text;
	uint64_t line, offset;
	bool clean; /* as struct line: brackets and commas inside nested values were not checked */
};

/* Lines in a temporary file, in order. Zero-initialise. */
struct nsys_spool {
	FILE *file;       /* unlinked; NULL until the first line */
	uint64_t n, read; /* number of lines in the file, and number of lines read back */
	struct buf text;
};

/* Each returns false with *f when the file cannot be created, written or read. */
bool nsys_spool_add(struct nsys_spool *spool, const struct nsys_line *line, struct fault *f);
/* Called once between the last nsys_spool_add() and the first nsys_spool_next(). */
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
	NSYS_TABLE, /* of a table row */
	NSYS_DATA,  /* the array of a line that holds all strings, or all thread names */
	NSYS_TYPE,  /* of the line, Type, a number */
	NSYS_ID,    /* of a string, and its value */
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
	NSYS_DEMANGLED, /* ids of a kernel's names */
	NSYS_SHORT,
	NSYS_MANGLED,
	NSYS_BYTES,
	NSYS_COPY,
	NSYS_SYNC,
	NSYS_RESULT, /* the result of a call */
	NSYS_N
};

struct nsys_row {
	struct str v[NSYS_N]; /* unchanged; p == NULL when absent */
	struct str event;     /* the event object's name, with quotes: "CudaEvent" */
	struct str object;    /* the name of the object inside a CudaEvent, with quotes: "kernel" */
	struct buf args;      /* ,"name":value of everything that v[] does not represent completely */
};

enum nsys_walked { NSYS_BROKEN = -1, NSYS_SKIPPED, NSYS_WALKED };

/*
 * Splits a line into *row: views of the line, except row->args, which is made when `args` is set. Returns NSYS_SKIPPED
 * for an event that cannot be of a kind in `kinds`, before most of it is read; NSYS_BROKEN when the line is not a JSON
 * object.
 */
enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct nsys_line *line, uint32_t kinds, bool args);

/*
 * Returns the digits of a whole number, quoted or not, with its minus sign; p is NULL when the value is not a whole
 * number.
 */
struct str nsys_whole(struct str value);

/*
 * Returns the number in the global id of a thread or process: the process is in bits 24 to 47, the thread in the lower
 * bits, a machine in the higher ones. 0 when the value is absent or not a whole number.
 */
uint64_t nsys_global_id(struct str value);

/* Returns the process of a row, from the global id of its thread, or else of its process. */
static inline uint64_t nsys_row_process(const struct nsys_row *row)
{
	return nsys_global_id(row->v[row->v[NSYS_THREAD].p ? NSYS_THREAD : NSYS_PROCESS]) >> 24 & 0xffffff;
}

/* --- nsys_kind.c: finds the kind of a row --- */

struct nsys_is {
	enum event_kind kind;
	struct str name, copy; /* JSON: fixed name of the kind, direction of a copy; p == NULL when absent */
	struct str lib;        /* JSON: the library of a call that is not of CUDA itself */
	struct str style;      /* JSON: for an NVTX range, the vendor's word: "PushPop" or "StartEnd" */
};

/* Return the possible kinds of an event object of that name (with quotes), and of an object in it. */
uint32_t nsys_event_kinds(struct str name);
uint32_t nsys_object_kinds(struct str name);

void nsys_row_is(struct nsys_is *is, const struct nsys_row *row);

/* The relation of an NVTX event to its domain. */
enum nsys_domain {
	NSYS_DOMAIN_NONE,    /* not an NVTX event */
	NSYS_DOMAIN_USED,    /* the event is in that domain */
	NSYS_DOMAIN_CREATED, /* the event creates the domain; its text is the domain's name */
	NSYS_DOMAIN_DESTROYED,
};
enum nsys_domain nsys_row_domain(const struct nsys_row *row);

/*
 * Corrects the kind of a range once its domain and name are known (JSON; p == NULL where unknown): nsys records calls
 * of MPI as ranges "MPI_..." of a domain "MPI". Its own reports count them as calls, and its tables store them
 * separately.
 */
void nsys_range_is(struct nsys_is *is, struct str domain, struct str name);

#endif
