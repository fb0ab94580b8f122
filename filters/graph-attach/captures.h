/* captures: captured graphs. The calls of a capture are the nodes of its graph, each with its operator. */
#ifndef CAPTURES_H
#define CAPTURES_H

#include "base/map.h"
#include "program/carried_fields.h"
#include "record/value_ids.h"

/* The first names; a node whose name the trace does not say is CAPTURES_UNKNOWN: a kernel of any name. */
enum { CAPTURES_COPY, CAPTURES_SET, CAPTURES_UNKNOWN, CAPTURES_NAMES };

/* The values that every node has. The fields of --take follow them. */
enum { CAPTURES_OP, CAPTURES_OPS, CAPTURES_MODULE, CAPTURES_MODULES, CAPTURES_FILE, CAPTURES_HASH, CAPTURES_VALUES };

#define CAPTURES_NONE UINT32_MAX

struct capture {
	int64_t begin, end; /* of the calls; nodes are between them */
	size_t first;       /* the index of its first node in the lists of all nodes */
	uint32_t n;         /* number of nodes */
	uint32_t rank;      /* number of its rank in `ranks`; 0 if it has none */
	uint32_t group;     /* number of its group: the captures of one range capture_SIZE_MODE, or of one file */
	uint32_t place;     /* its place in the group */
	uint32_t list;      /* number of its list of names; captures with the same list are equal */
	uint32_t next;      /* the next capture with this list, or CAPTURES_NONE */
	int64_t size;       /* the SIZE of its range, or 0 */
	bool unknown;       /* some names are unknown */
};

/* A list of names, which one or more captures have. */
struct capture_list {
	uint32_t first, last; /* captures */
	struct buf sorted;    /* the names in ascending order, as uint32_t */
};

/* The captures of a range, or of a file; a member of struct captures. */
struct capture_group {
	uint32_t *captures;
	size_t n, cap;
};

/* Zero-initialise, set `take`, and call captures_init(). */
struct captures {
	struct carried_fields *take;
	const char *taken;      /* the arguments of --take, separated by commas; empty if none */
	struct map names;       /* the names of kernels, as JSON */
	struct map values;      /* the values of nodes, as JSON */
	struct value_ids ranks; /* rank i has the number i + 1 */
	struct capture *list;
	size_t n;
	struct map lists_by_name; /* the numbers of lists: their key is the list as uint32_t */
	struct capture_list *lists;
	struct capture_group *groups;
	size_t n_groups;
	uint32_t *names_of;  /* for each node, its name */
	uint32_t *values_of; /* for each node, n_values numbers in `values`, or CAPTURES_NONE */
	size_t n_values;
	uint64_t endless; /* number of captures that begin and do not end */
	/*
	 * The annotations: nodes that kernels name, and the values that they give, n_values for each. The keys are
	 * "RANK ID" of a file of annotations, where RANK is empty if the file names no rank, "RANK/PID ID" of nsys, and
	 * "*ARGS" of kernels that were annotated before.
	 */
	struct map annotated;
	uint32_t *annotations;
	uint64_t nodes_read; /* number of annotations in files */
	bool lost;           /* part of a file was lost */
	/* private */
	bool *known; /* for each annotation: false if only its id is known */
	size_t cap, cap_lists, cap_groups, cap_names, cap_values, cap_annotations, cap_known, n_nodes;
	uint32_t *same; /* for each name, CAPTURES_COPY or CAPTURES_SET if a kernel of that name is one, else itself */
	size_t cap_same;
	struct buf key; /* scratch */
};

void captures_init(struct captures *c);

/*
 * Reads the captures of a file, or of all files of a folder in the order of their names. A file is any trace that
 * trace2ndjson reads, its output, or annotations (kernel_annotations_rankR_*.json). Ends the program if it cannot be
 * read.
 */
void captures_read(struct captures *c, const char *path);

/* Returns the number of a kernel's name, which is JSON text; kernels that copy or set memory have the first numbers. */
uint32_t captures_name(struct captures *c, struct str name);

/* Returns the number of a rank, as JSON text, or 0 if no capture has it. */
uint32_t captures_rank(struct captures *c, struct str rank);

/*
 * Returns whether launches of a rank can run the graph of a capture: it has the same rank; or no capture has the rank
 * of the launch, and this capture is of rank 0 or has no rank.
 */
bool captures_serve(const struct capture *capture, uint32_t rank);

/*
 * Returns the number of the annotation of a kernel, or CAPTURES_NONE: the kernel names no node of a graph, or its node
 * is not known. `args` are those of the kernel, and may themselves be an annotation; rank and pid are JSON texts.
 */
uint32_t captures_annotation(struct captures *c, struct str rank, struct str pid, struct str args);

static inline const uint32_t *captures_names(const struct captures *c, uint32_t capture)
{
	return c->names_of + c->list[capture].first;
}

void captures_free(struct captures *c);

#endif
