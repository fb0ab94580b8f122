/* run_reader: reads the records of runs, and adds them to the sums of their items and steps. */
#ifndef RUN_READER_H
#define RUN_READER_H

#include "comparability.h"
#include "difference_rows.h"
#include "record/input.h"

/* The fields of records: the one that is summed up, its step and its parent; and those of groups and of the launch. */
enum run_field { RUN_VALUE, RUN_STEP, RUN_PARENT, RUN_SUM, RUN_COUNT, RUN_LAUNCH, RUN_FIELDS };

/* Zero-initialise, and set the members of the user; then call run_reader_init(). */
struct run_reader {
	/* set by the user */
	struct groups items;               /* the keys */
	const char *names[RUN_PARENT + 1]; /* of the fields; NULL: the field is not used */
	bool launched;                     /* leave out device records without their launch */
	uint32_t prefer;           /* the kinds of records that are compared if there are any, as bits; 0: all */
	struct verdict_runs *runs; /* all runs; `wall` is set if a host record is compared */
	struct input_options options;
	/* for the user to read */
	struct field fields[RUN_FIELDS];
	struct source_kind source;
	struct difference_origin *origins; /* of each item, if records have a parent */
	struct value_ids parents;
	struct run_facts facts[2]; /* of the first run of both sides */
	/* private */
	size_t origins_cap;
	bool source_known;
	bool preferred; /* records of the preferred kinds were found, and all others are ignored */
};

/* Compiles the fields. */
void run_reader_init(struct run_reader *r);

/*
 * Reads all records of a run, one of r->runs, from its files. When the first record of a preferred kind is found, the
 * sums of all other records are forgotten, in all runs. Returns the exit status.
 */
int run_reader_read(struct run_reader *r, struct compared_run *run, char **operands, struct out *out);

void run_reader_free(struct run_reader *r);

#endif
