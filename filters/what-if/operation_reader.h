/*
 * operation_reader: reads the operations of the selected steps of a training job, and the names of their threads, from
 * records.
 */
#ifndef OPERATION_READER_H
#define OPERATION_READER_H

#include "record/input.h"
#include "record/name_match.h"
#include "training_job.h"

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

/* The members that describe an operation, of the record itself or of its args. */
#define OPERATION_MEMBERS(X)                                                                                           \
	X(STEP, "step")                                                                                                \
	X(DP, "dp")                                                                                                    \
	X(STAGE, "stage")                                                                                              \
	X(CHUNK, "model_chunk")                                                                                        \
	X(SEQ, "seq_id")

#define OPERATION_MEMBER_ENUM(id, name) OPERATION_MEMBER_##id,
enum { OPERATION_MEMBERS(OPERATION_MEMBER_ENUM) OPERATION_MEMBER_N };

/* Zero-initialise, and set the first three members. */
struct operation_reader {
	struct training_job *job;
	struct step_list *steps;
	struct input *in;
	struct name_match names; /* of --map: the type of a name that matches names[i] is types[i] */
	enum operation_type *types;
	/* private */
	size_t types_cap;
	enum operation_type type; /* of the record that is being added; OPERATION_TYPE_N for the name of a thread */
	struct str value[OPERATION_MEMBER_N];
	struct buf text;
};

/* For label_file_read(): adds the type of the last expression that was added to r->names; arg is the reader. */
const char *operation_reader_map(void *arg, struct str type);

/* Adds a record of r->in to the job. */
void operation_reader_add(struct operation_reader *r, struct event *e);

void operation_reader_free(struct operation_reader *r);

#endif
