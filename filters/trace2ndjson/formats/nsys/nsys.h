/* nsys: what the files of the Nsight Systems reader share. */
#ifndef NSYS_H
#define NSYS_H

#include "trace2ndjson/formats/format.h"
#include "base/map.h"

#include <stdio.h>

/* --- nsys_probe.c --- */

/* Whether a file that begins so is one of ours; struct format has the contract. */
bool nsys_probe(struct str head);

/* --- nsys_names.c: the string table --- */

/*
 * Texts by id. An id is known by its digits; a text is JSON with its quotes, in one form however the
 * source escaped it, stored once however many ids have it. Zero-initialise.
 */
struct nsys_names {
	struct map ids, texts;
	size_t *text_of;    /* by the id's number in `ids`: a number in `texts`, or MAP_NONE */
	size_t cap;
	size_t awaited;     /* ids that were asked for and have no text yet */
};

void nsys_names_put(struct nsys_names *names, struct str id, struct str text);

/* The text, which stays; p is NULL when it has not come, and the id counts as awaited until it does. */
struct str nsys_names_get(struct nsys_names *names, struct str id);

void nsys_names_free(struct nsys_names *names);

/*
 * A JSON string in the form that all texts get: the source has two writers, one escapes '/', the other
 * '<' and '>'. The text itself when it has no escapes, else made in *to (added to what is there).
 */
struct str nsys_plain(struct buf *to, struct str text);

/* --- nsys_spool.c: lines set aside --- */

/* A line of the source. */
struct nsys_line {
	struct str text;
	uint64_t line, offset;
	bool clean; /* as struct line: brackets and commas inside nested values were not checked */
};

/* Lines in a temporary file, in order. Zero-initialise. */
struct nsys_spool {
	FILE *file;       /* unlinked; NULL until the first line */
	uint64_t n, read; /* how many lines are in it, and how many of them were given back */
	struct buf text;
};

/* Each false with *f when the file cannot be made, written or read. */
bool nsys_spool_add(struct nsys_spool *spool, const struct nsys_line *line, struct fault *f);
/* After the last nsys_spool_add(), before the first nsys_spool_next(). */
bool nsys_spool_rewind(struct nsys_spool *spool, struct fault *f);
/* The next line of those left (spool->read < spool->n); its text lives until the next call. */
bool nsys_spool_next(struct nsys_spool *spool, struct nsys_line *line, struct fault *f);
/* Empty again, for more. */
bool nsys_spool_reset(struct nsys_spool *spool, struct fault *f);
void nsys_spool_free(struct nsys_spool *spool);

/* --- nsys_row.c: a line taken apart --- */

/* What of a line is looked at; all else of it goes to args as it stands. */
enum nsys_field {
	NSYS_LINE,      /* "type" of a line that is no event: String, Stream, ThreadName */
	NSYS_TABLE,     /* of a table row */
	NSYS_DATA,      /* the array of a line that holds all strings, or all thread names */
	NSYS_TYPE,      /* of the line, Type, a number */
	NSYS_ID,        /* of a string, and its value */
	NSYS_VALUE,
	NSYS_START,
	NSYS_END,
	NSYS_CORR,
	NSYS_DEV,
	NSYS_STREAM,
	NSYS_THREAD,    /* globalTid */
	NSYS_PROCESS,   /* globalPid */
	NSYS_CLASS,     /* eventClass of a call */
	NSYS_NVTX,      /* type of an NVTX event */
	NSYS_DOMAIN,
	NSYS_NAME,      /* name as text */
	NSYS_NAME_ID,
	NSYS_DEMANGLED, /* ids of a kernel's names */
	NSYS_SHORT,
	NSYS_MANGLED,
	NSYS_BYTES,
	NSYS_COPY,
	NSYS_SYNC,
	NSYS_RESULT,    /* what a call returned */
	NSYS_N
};

struct nsys_row {
	struct str v[NSYS_N]; /* as they stand, p == NULL when absent */
	struct str event;     /* the event object's name, with quotes: "CudaEvent" */
	struct str object;    /* the name of the object inside a CudaEvent, with quotes: "kernel" */
	struct buf args;      /* ,"name":value of everything that v[] does not say completely */
};

enum nsys_walked { NSYS_BROKEN = -1, NSYS_SKIPPED, NSYS_WALKED };

/*
 * Takes a line apart into *row: views of the line, but for row->args, which is made when `args` is set.
 * Skipped: it is an event, and none of the kinds that it may be is in `kinds`, which shows before most
 * of it was looked at. Broken: it is no JSON object.
 */
enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct nsys_line *line, uint32_t kinds, bool args);

/* The digits of a whole number, quoted or not, with its minus sign; p is NULL when it is none. */
struct str nsys_whole(struct str value);

/*
 * The number in the global id of a thread or process: the process is in bits 24 to 47, the thread in the lower bits, a
 * machine in the higher ones. 0 when the value is absent or not a whole number.
 */
uint64_t nsys_global_id(struct str value);

/* The process of a row, from the global id of its thread, or else of its process. */
static inline uint64_t nsys_row_process(const struct nsys_row *row)
{
	return nsys_global_id(row->v[row->v[NSYS_THREAD].p ? NSYS_THREAD : NSYS_PROCESS]) >> 24 & 0xffffff;
}

/* --- nsys_kind.c: what a row is --- */

struct nsys_is {
	enum event_kind kind;
	struct str name, copy; /* JSON: fixed name of the kind, direction of a copy; p == NULL when none */
	struct str lib;        /* JSON: whose call it is, where that is not CUDA itself */
	struct str style;      /* JSON: of an NVTX range, the vendor's word: "PushPop" or "StartEnd" */
};

/* The kinds that an event object of that name (with quotes), or an object in it, may be. */
uint32_t nsys_event_kinds(struct str name);
uint32_t nsys_object_kinds(struct str name);

void nsys_row_is(struct nsys_is *is, const struct nsys_row *row);

/* What an NVTX event says of its domain. */
enum nsys_domain {
	NSYS_DOMAIN_NONE,      /* no NVTX event */
	NSYS_DOMAIN_USED,      /* it lies in that domain */
	NSYS_DOMAIN_CREATED,   /* its text is the domain's name */
	NSYS_DOMAIN_DESTROYED,
};
enum nsys_domain nsys_row_domain(const struct nsys_row *row);

/*
 * What a range is once its domain and name are known (JSON; p == NULL where they are not): nsys traces calls of MPI
 * as ranges "MPI_..." of a domain "MPI". Its own reports count them as calls, and its tables hold them apart.
 */
void nsys_range_is(struct nsys_is *is, struct str domain, struct str name);

#endif
