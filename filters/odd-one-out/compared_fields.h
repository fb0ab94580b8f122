/*
 * compared_fields: the fields that are compared, and their values in a record. The records of a catalogue of traces
 * have fields with known rules; some of them are computed, such as compute_step: compute_time divided by steps.
 */
#ifndef COMPARED_FIELDS_H
#define COMPARED_FIELDS_H

#include "program/opt_fields.h"
#include "record/input.h"
#include "unit_scores.h"

/* Zero-initialise; compared_fields_free(). */
struct compared_fields {
	struct opt_fields list;  /* of -f; if it is empty, compared_fields_begin() adds the fields of a catalogue */
	bool defaults;           /* list was empty */
	bool catalogue;          /* the records are of a catalogue */
	struct unit_rule *rules; /* for each field */
	double *values;          /* of the current record; NAN: absent, or not a number */
	double step;             /* time of a step of the current record of a catalogue; NAN: unknown */
	/* private */
	struct opt_fields parts;
	const char **floors;
	size_t n_floors, floors_cap;
	struct map health; /* of the records that are left out */
	uint64_t *unfit;   /* how many have this health */
	size_t unfit_cap;
};

/* Takes the argument of --floor, FIELD=VALUE, which must remain valid. */
void compared_fields_floor(struct compared_fields *c, const char *arg);

/* To be called after all options, before filter_open(). Exits if an argument of --floor is wrong. */
void compared_fields_begin(struct compared_fields *c, struct input *in);

/* Sets the rules for the records of a catalogue. */
void compared_fields_catalogue(struct compared_fields *c);

/* Returns false, and counts the record, if it is in a catalogue and its trace is not healthy: then it is left out. */
bool compared_fields_fit(struct compared_fields *c, struct event *e);

/* Sets the values to those of a record. */
void compared_fields_read(struct compared_fields *c, struct event *e);

/* Prints notes about records left out and fields that no record has. */
void compared_fields_report(const struct compared_fields *c);

void compared_fields_free(struct compared_fields *c);

#endif
