/* step_list: the steps that the user selects, such as 16,21-30. */
#ifndef STEP_LIST_H
#define STEP_LIST_H

#include "base/mem.h"
#include "base/str.h"

/* Zero-initialise. An empty list selects all steps. */
struct step_list {
	struct step_range {
		int64_t from, to; /* both included */
		bool found;       /* the input has such a step */
	} * ranges;
	size_t n;
	/* private */
	size_t cap;
};

/* Adds a list of numbers and ranges, separated by commas. Returns false when the text is not such a list. */
bool step_list_add(struct step_list *l, struct str text);

/* Returns whether the step is selected, and notes that the input has it. */
bool step_list_has(struct step_list *l, int64_t step);

void step_list_free(struct step_list *l);

#endif
