/*
 * answers: runs pipelines with a shell, two at a time, and stores their output in temporary files without names. A
 * pipeline reads standard input, or the stored output of another one.
 */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "base/map.h"

#include <stdbool.h>
#include <sys/types.h>

enum { ANSWERS_AT_ONCE = 2 };

struct answer {
	char *id, *command;
	char *shown;     /* for the caller: a command that prints the same records, */
	const char *as;  /* and what is added to it to print a table */
	struct str from; /* the ids of the answers that it reads, separated by blanks; empty: standard input */
	bool lenient;    /* status 1 is as good as 0, and then messages are dropped */
	char path[40];   /* under which this process and its programs can open the output */
	int status;      /* the exit status of the pipeline: 0 or 1 */
	/* private */
	int fd;
	enum answer_state { ANSWER_WAITS, ANSWER_RUNS, ANSWER_DONE } state;
	int errors; /* the pipe from which this process reads its messages */
	struct buf messages;
};

/* Zero-initialise; answers_free(). */
struct answers {
	bool lost;     /* a program exited with status 1 */
	bool progress; /* print on standard error what runs */
	/* private */
	struct answer **list;
	size_t n, cap;
	struct answer *running[ANSWERS_AT_ONCE];
	struct map printed; /* messages */
	bool shown;         /* progress was printed */
};

/*
 * Adds a pipeline, which answers_run() will run. Exits when it reads an unknown answer. `id`, `command` and `shown` are
 * freed at the end. In the command, $1 is the path of the second answer that it reads, $2 that of the third one.
 */
struct answer *answers_add(struct answers *a, struct answer with);

/* Returns the answer with this id, or NULL. */
struct answer *answers_find(const struct answers *a, struct str id);

/*
 * Runs all pipelines that wait, and prints their messages, each only once. When a program fails or is killed, ends the
 * other programs, prints one message, and exits with STATUS_FAIL. A signal that ends this process ends its programs
 * too.
 */
void answers_run(struct answers *a);

off_t answers_size(const struct answer *answer); /* the number of bytes of its output */
void answers_free(struct answers *a);

#endif
