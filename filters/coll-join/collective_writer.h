/* collective_writer: writes the records of collectives, and the member kernels with their collective. */
#ifndef COLLECTIVE_WRITER_H
#define COLLECTIVE_WRITER_H

#include "figures.h"
#include "missing_ranks.h"
#include "io/out.h"

/* Zero-initialise it, set `source`, and call collective_writer_init(). */
struct collective_writer {
	struct figures_source source;
	/* private */
	struct figures figures;
	size_t *order;    /* the collectives in the order of ts */
	uint32_t *gids;   /* by group: its gid + 1, 0 if it has none yet */
	struct map names; /* of groups that have a gid */
	struct missing_ranks missing;
	struct buf text, name;
};

/* Sorts the collectives by ts. */
void collective_writer_init(struct collective_writer *w);

/* Writes one record for each collective. */
void collective_writer_write(struct collective_writer *w, struct out *out);

/* The collective of a member kernel, for --write members. */
struct collective_writer_note {
	uint32_t id, gid, n;
	bool has_gid, last;
	int64_t wait, late; /* only if n > 1; late only if `last` */
};

/*
 * Computes the notes on all kernels. They are stored in the kernels, instead of members that are no longer needed, so
 * after this call nothing else can be written.
 */
void collective_writer_take_notes(struct collective_writer *w);
struct collective_writer_note collective_writer_note(struct collective_writer *w, size_t kernel);

void collective_writer_free(struct collective_writer *w);

#endif
