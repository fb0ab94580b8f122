/* rocpd_process: the processes of a rocpd database: their names, agents and metadata. */
#ifndef ROCPD_PROCESS_H
#define ROCPD_PROCESS_H

#include "rocpd_table.h"

struct rocpd_processes {
	struct rocpd_process *list;
	size_t n;
};

/* Finds the processes by the suffixes of the tables' names. */
void rocpd_processes_find(struct rocpd_processes *p, const struct database *db);
void rocpd_processes_free(struct rocpd_processes *p);

/* Reads the agents of a process, and prepares its lookups. */
void rocpd_process_open(struct rocpd_process *p, struct database *db, struct reader *r);

/* Reads the records of kind meta: each process, followed by its agents. Zero-initialise. */
struct rocpd_meta {
	struct rocprof_maker maker;
	/* private */
	size_t process; /* index of the process that is being read */
	bool agents;    /* its agents are being read */
	struct query *rows;
	struct value_text texts[8];
	struct buf extdata;
};

/* Returns 1 with *e set, valid until the next call; 0 when all are read. */
int rocpd_meta_next(
    struct rocpd_meta *m, struct database *db, struct rocpd_processes *p, struct reader *r, struct event *e);
void rocpd_meta_free(struct rocpd_meta *m);

#endif
