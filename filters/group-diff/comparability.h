/* comparability: finds what differs between two runs besides the times that are compared. */
#ifndef COMPARABILITY_H
#define COMPARABILITY_H

#include "compared_run.h"
#include "record/event.h"

/* The values of subjects, such as the version of a driver, or the Input Dims of an operator. */
struct run_values {
	struct map all; /* of each, the subject, a newline, and the value */
	struct map subjects;
	size_t size; /* of `all`, in bytes */
};

/* What the records of a run say about where it ran. Zero-initialise. */
struct run_facts {
	bool shapes;                     /* set by the user: get also the Input Dims of operators, which takes time */
	struct value_ids devices, ranks; /* of device records */
	bool events, device_work;        /* it has records of events, and of devices */
	/* private */
	struct buf place; /* the members of the last device record up to dev, which most records share */
	struct run_values inputs, properties; /* of operators; from the metadata of the file: versions, the device */
	struct buf key;                       /* scratch space */
};

/* Takes the facts from a record. To be called after the fields of the record were read. */
void run_facts_take(struct run_facts *f, struct event *e);
void run_facts_free(struct run_facts *f);

/*
 * Prints what differs between the runs as notes: devices, ranks, versions, the sizes of inputs of operators, the number
 * of steps, calls that all changed by one factor, names of which only one run has. Returns false if the sums must not
 * be compared: if only one of the runs has device work, if they have different numbers of devices or ranks, or if less
 * than half of the time of `a` is in items that `b` has.
 */
bool comparability_note(const struct run_facts *facts_a, const struct run_facts *facts_b, const struct compared_run *a,
    const struct compared_run *b, size_t n_items);

#endif
