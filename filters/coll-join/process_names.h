/*
 * process_names: the processes of a job whose records have no rank: the logs of NCCL Inspector. The host's name and the
 * pid identify such a process. In the job it has a negative number in place of its rank. The map of the names is
 * zero-initialised.
 */
#ifndef PROCESS_NAMES_H
#define PROCESS_NAMES_H

#include "base/map.h"
#include "base/mem.h"

static inline bool process_names_is(int64_t rank) /* whether the number is that of a process */
{
	return rank < 0;
}

/* Returns the number of a process; adds it when it is new. `host` is decoded text; *room is overwritten. */
int64_t process_names_put(struct map *names, struct buf *room, struct str host, int64_t pid);

/* Returns the host of a process, a view that is valid as long as the map, and sets *pid. */
struct str process_names_get(const struct map *names, int64_t process, int64_t *pid);

/* Appends "rank 3", or the name of the process: "node01:4001". */
void process_names_write(const struct map *names, int64_t rank, struct buf *to);

/*
 * Sorts the processes by host and pid, so that their numbers do not depend on the order of the input. After that,
 * process_names_moved(to, old number) returns the new number of a process; the caller frees `to`.
 */
int64_t *process_names_sort(struct map *names);
int64_t process_names_moved(const int64_t *to, int64_t process);

#endif
