/* database_private: the state of an open database, which the files database*.c share. */
#ifndef DATABASE_PRIVATE_H
#define DATABASE_PRIVATE_H

#include "database.h"

struct sqlite3;

struct database {
	struct sqlite3 *db;
	struct database_tables tables;
	size_t cap;
	int copy;      /* descriptor of a temporary copy, or -1 */
	uint64_t size; /* of the file, without a last page that is cut short */
	bool cut;      /* the file is shorter than its header says */
};

/* Sets r->src->fault. Returns false. */
bool database_fail(struct reader *r, const char *what, int error);

/* --- database_file.c --- */

/*
 * Returns a descriptor of the content of r->src, which the source or *d owns. Copies the content to a temporary file if
 * the source is not a plain file. Returns -1, with r->src->fault set, when the copy fails.
 */
int database_descriptor(struct database *d, struct reader *r);

/* Sets d->size and d->cut from the size of the file and its header. Counts the missing bytes as lost. */
void database_check_size(struct database *d, struct reader *r, int fd);

/* Returns the size of the file PATH with the suffix; 0 when there is no such file. */
uint64_t database_size_beside(const char *path, const char *suffix);

/* --- database_wal.c --- */

/* Counts as lost the changes in the -wal file that SQLite does not read because the file is damaged before them. */
void database_check_wal(struct reader *r);

/* --- database_memory.c --- */

/* Replaces the two functions by functions that end the program if the memory is exhausted. */
void database_memory_check(void *(**allocate)(int n), void *(**resize)(void *p, int n));

/* --- database_tables.c --- */

void database_list_tables(struct database *d);
void database_free_tables(struct database *d);

#endif
