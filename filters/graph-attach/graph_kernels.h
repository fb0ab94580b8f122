/* graph_kernels: writes the records of a stream, and adds to the kernels of graphs what their capture says. */
#ifndef GRAPH_KERNELS_H
#define GRAPH_KERNELS_H

#include "captures.h"
#include "launches.h"
#include "base/err.h"
#include "waiting_records.h"

enum { GRAPH_KERNELS_MEMBERS = 32 };

/* The members of a device record that graph-attach uses. */
struct device_record {
	struct str place[4]; /* rank, dev, stream, pid */
	struct str api, args;
	uint32_t has;     /* bit i: the record has member i of those that graph-attach adds */
	bool other_clock; /* its ts is not on the trace's clock */
	bool odd;         /* a member is null or not in its canonical place */
	size_t at;        /* offset for new members, if the record is not odd */
	/* the text from the prefix to the end of api, and that from `at` on: it is that of the remembered kernel */
	bool shares, tail;
};

/* Zero-initialise, and set launches.horizon. */
struct graph_kernels {
	struct captures captures;
	struct launches launches;
	/* private */
	struct carried_fields take;
	struct buf taken; /* the arguments of --take */
	struct input *in;
	struct out *out;
	struct waiting_records waiting;
	/* the names of the members that kernels get: captures.n_values values, capture, node, match */
	struct str members[GRAPH_KERNELS_MEMBERS];
	size_t n_members;
	uint64_t count[MATCH_RULES];
	uint64_t dur[MATCH_RULES];
	uint64_t agreed; /* number of ambiguous kernels with an operator */
	/* the last kernel of a graph, its text from the prefix to the end of api, and that from the args on */
	struct device_record known;
	struct buf known_text, known_tail;
	uint32_t known_annotation;
	bool takes_times; /* --take sets delay or queue */
	struct buf text;  /* the members of the record that is being written */
};

/* Takes the option --take. Ends the program if it is wrong. */
void graph_kernels_take(struct graph_kernels *g, const char *option, const char *list);

/* To be called after the options, and before the captures are read. */
void graph_kernels_init(struct graph_kernels *g, struct input *in, struct out *out);

/* Takes the next record: writes it, or stores it until its launch and those before it are decided. */
void graph_kernels_add(struct graph_kernels *g, struct event *e);

/* Writes all records, at the end of the input. */
void graph_kernels_end(struct graph_kernels *g);

/*
 * Prints how many kernels were matched by which rule. Returns STATUS_LOST if captures are there and no kernel was
 * matched, or if a part of the captures was lost. `graphs`: --graphs is given.
 */
enum status graph_kernels_report(const struct graph_kernels *g, bool graphs);

void graph_kernels_free(struct graph_kernels *g);

#endif
