/*
 * step_sums: the marks that vLLM, SGLang and ATOM write around a step of inference, with the sums from which the work
 * of attention is computed. Other marks, and marks without sums, are ignored.
 */
#ifndef STEP_SUMS_H
#define STEP_SUMS_H

#include "base/str.h"

/*
 * The sums over the requests of a step, of those in prefill and of those in generation: sq is the number of new tokens,
 * sk the number of keys that they attend to, sqsq and sqsk the sums of sq * sq and sq * sk.
 */
struct step_sums {
	int64_t ts;
	struct step_sums_part {
		int64_t sq, sk, sqsq, sqsk;
	} prefill, generation;
};

/* The marks of the last time, in ts order. Zero-initialise. */
struct step_marks {
	/* private */
	struct step_sums *list;
	size_t n, cap;
};

/* Takes a range. */
void step_marks_add(struct step_marks *m, struct str name, int64_t ts);

/* Returns the latest mark that starts at or before ts, or NULL. The result is valid until the next call. */
const struct step_sums *step_marks_find(const struct step_marks *m, int64_t ts);

void step_marks_free(struct step_marks *m);

#endif
