/* rocprof_csv: reads the CSV files of all versions of rocprofv3, and those of `rocpd convert`. */
#ifndef ROCPROF_CSV_H
#define ROCPROF_CSV_H

#include "rocprof_record.h"

/* The state that the reader stores from one file to the next. */
struct rocprof_run {
	struct rocprof_agents agents; /* from the last agent_info.csv */
};

struct rocprof_csv;

/* Returns whether the first bytes of a file begin with a header. */
bool rocprof_csv_probe(struct str head);

struct rocprof_csv *rocprof_csv_new(void);

/*
 * Reads the next record; see `next` in struct format. A row is one line, or several when a text contains newlines. A
 * line that does not fit the header, alone or together with the following lines, is lost.
 */
int rocprof_csv_next(struct rocprof_csv *c, struct reader *r, struct event *e);
void rocprof_csv_free(struct rocprof_csv *c);

#endif
