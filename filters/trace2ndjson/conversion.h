/* conversion: reads the records of the files of a run, applies the options of trace2ndjson to them, and writes them. */
#ifndef CONVERSION_H
#define CONVERSION_H

#include "io/out.h"
#include "kept_args.h"
#include "name_begins.h"
#include "progress.h"
#include "recognise.h"
#include "relative.h"
#include "scrub.h"
#include "tags.h"

#define CONVERSION_ALL_KINDS ((1u << KIND_N) - 1)

/* Writes records with the options of a conversion. Each thread has its own; record_writer_free(). */
struct record_writer {
	const struct conversion *conversion; /* it must not change while records are written */
	struct out *out;
	struct diagnostics *diagnostics;
	struct relative relative;
	/* private */
	struct kept_args_memory kept;
	struct tags_memory tags;
	struct scrub scrub;
};

/* Zero-initialise it and call conversion_init(); then the options, progress_init() and out_open() set the members. */
struct conversion {
	struct out out;
	struct diagnostics diagnostics; /* lost and repaired data of all files */
	struct record_writer writer;    /* writes to these */
	struct progress progress;
	void *runs[RECOGNISE_N];   /* by format: its memory for all files, with the values of its options */
	size_t max_record;         /* of struct reader, in bytes */
	int64_t threads;           /* number of threads that convert a file; 0: as many as there are cores */
	enum scrub_level scrub;    /* what is removed from the records */
	uint32_t kinds;            /* the kinds of records that are written, as bits */
	uint32_t bare;             /* the kinds of records that are written without args and src, as bits */
	struct kept_args kept;     /* the members of args that records of these kinds keep */
	struct name_begins begins; /* the names of records that are written */
	struct tags tags;
	/* private */
	struct fault_location waiting_at; /* place of the last record that waited for the origin */
};

/* Allocates `runs`, and sets `writer`. */
void conversion_init(struct conversion *c);
void conversion_free(struct conversion *c);

/* Call it before the first file: writes the record that holds the origin, if the origin is given. */
void conversion_begin(struct conversion *c);

/*
 * Writes the records of a file until its end, or until the output fails. The caller reports faults in src->fault.
 * conversion_read() does it all. A caller that calls the reader itself calls conversion_open(), conversion_put() for
 * each record, and conversion_close().
 */
void conversion_read(struct conversion *c, struct source *src, const char *path, enum recognise_format number);

/* A file that is being converted. */
struct conversion_file {
	struct reader reader;
	const struct format *format;
	void *state;             /* of the format */
	const struct source *at; /* shows how much of the file has been read */
};

void conversion_open(struct conversion *c, struct conversion_file *f, struct source *src, const char *path,
    enum recognise_format number);
void conversion_put(struct conversion *c, struct conversion_file *f, struct event *e);
void conversion_close(struct conversion_file *f);

/*
 * Writes a record that a reader made, if its kind is selected. The times are relative to the origin, which must be
 * known, if the option is given.
 */
void record_writer_put(struct record_writer *w, const struct reader *r, struct event *e);
void record_writer_free(struct record_writer *w);

/* Call it after the last file: writes the records that still wait for the origin. */
void conversion_end(struct conversion *c);

#endif
