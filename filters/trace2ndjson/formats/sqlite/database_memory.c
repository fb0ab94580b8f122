/*
 * database_memory: makes SQLite end the program when memory is exhausted. SQLite also reports SQLITE_NOMEM for some
 * damaged databases, so its result does not show whether memory was exhausted.
 */
#include "database_private.h"

#ifdef HAVE_SQLITE
#include "base/mem.h"

static void *(*usual_malloc)(int n), *(*usual_realloc)(void *p, int n);

static void *checked_malloc(int n)
{
	void *p = usual_malloc(n);

	if (!p)
		mem_exhausted("SQLite");
	return p;
}

static void *checked_realloc(void *old, int n)
{
	void *p = usual_realloc(old, n);

	if (!p)
		mem_exhausted("SQLite");
	return p;
}

void database_memory_check(void *(**allocate)(int n), void *(**resize)(void *p, int n))
{
	usual_malloc = *allocate;
	usual_realloc = *resize;
	*allocate = checked_malloc;
	*resize = checked_realloc;
}
#endif
