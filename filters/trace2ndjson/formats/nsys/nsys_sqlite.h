/* nsys_sqlite: reads the SQLite databases that `nsys export -t sqlite` and `nsys stats` write. */
#ifndef NSYS_SQLITE_H
#define NSYS_SQLITE_H

#include "trace2ndjson/formats/sqlite/database.h"

/* Returns whether a database has tables of nsys. */
bool nsys_sqlite_is(const struct database *db);

/*
 * Starts to read the tables whose records may be of the selected kinds. Sets r->rank if the database has one MPI rank.
 * r->run is a struct nsys_run. Memory does not grow with the number of rows or strings.
 */
void *nsys_sqlite_open(struct database *db, struct reader *r);

/* The function `next` of a format. Sets r->file to the file and the table of the record, and r->line to its row. */
int nsys_sqlite_next(void *state, struct reader *r, struct event *e);

void nsys_sqlite_close(void *state);

#endif
