/* pftrace_event: reads the events of packets into the spool. */
#ifndef PFTRACE_EVENT_H
#define PFTRACE_EVENT_H

#include "pftrace_entries.h"

/* A sequence: a writer, whose packets refer to what it sent before. */
struct pftrace_sequence {
	uint32_t id;
	bool valid;            /* its state was sent completely */
	uint64_t clock, track; /* the defaults */
	bool has_clock, has_track;
	struct buf extra; /* the default tracks of extra counters: uint64_t[] */
	struct pftrace_names names;
	struct buf gpu_counters; /* the last descriptor of GPU counters outside interned data */
	struct pftrace_own_clock {
		uint64_t unit, sum;
		bool set, incremental;
	} clocks[64]; /* ids 64 to 127 */
};

/* Each function reads an event of a sequence; returns false when it is damaged: w->fault. */
bool pftrace_event_read(struct pftrace_entries *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);
bool pftrace_gpu_stage_read(struct pftrace_entries *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);
bool pftrace_gpu_counter_read(struct pftrace_entries *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);

#endif
