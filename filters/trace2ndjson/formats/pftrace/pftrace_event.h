/* pftrace_event: reads the events of packets into the spool. */
#ifndef PFTRACE_EVENT_H
#define PFTRACE_EVENT_H

#include "pftrace_entries.h"

/* Each function reads an event of p->sequence; returns false when it is damaged: p->damage. */
bool pftrace_event_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry);
bool pftrace_gpu_stage_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry);
bool pftrace_gpu_counter_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry);

#endif
