/* rocpd: reads the SQLite databases that rocprofv3 writes (1234_results.db). */
#ifndef ROCPD_H
#define ROCPD_H

#include "trace2ndjson/formats/sqlite/database.h"

/* Returns whether a database has tables of rocprofv3. */
bool rocpd_is(const struct database *db);

/* Starts to read the tables of the selected kinds. Memory does not grow with the number of rows. */
void *rocpd_open(struct database *db, struct reader *r);

/* The function `next` of a format. Sets r->file to the file and the table of the record, and r->line to its row. */
int rocpd_next(void *state, struct reader *r, struct event *e);

void rocpd_close(void *state);

#endif
