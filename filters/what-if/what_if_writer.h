/* what_if_writer: writes the figures of a job as records. */
#ifndef WHAT_IF_WRITER_H
#define WHAT_IF_WRITER_H

#include "io/out.h"
#include "what_if_figures.h"

enum what_if_write { WHAT_IF_SUMMARY, WHAT_IF_TYPES, WHAT_IF_WORKERS, WHAT_IF_STEPS };

struct what_if_source {
	const struct training_job *job;
	const struct training_steps *steps;
	const struct what_if_figures *figures;
};

void what_if_write(const struct what_if_source *s, enum what_if_write what, struct out *out);

#endif
