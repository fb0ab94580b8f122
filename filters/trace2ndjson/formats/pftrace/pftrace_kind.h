/*
 * pftrace_kind: finds the kind of a slice from its categories and args, as PyTorch and rocprofv3 write them, and sets
 * the members that depend on the kind.
 */
#ifndef PFTRACE_KIND_H
#define PFTRACE_KIND_H

#include "pftrace.h"

/* Adds the members of args that the file does not contain: lib, track. `cat`: the categories as JSON. */
void pftrace_kind_add_args(struct pftrace *p, struct str cat, uint32_t track);

/* Sets the members of a slice or an instant; its args are in p->text, and its other members in *e. */
void pftrace_kind_set(struct pftrace *p, struct event *e, const struct pftrace_entry *entry);

/* The same for GPU work and the counters of GPUs. */
void pftrace_kind_set_gpu(struct pftrace *p, struct event *e, const struct pftrace_entry *entry);

#endif
