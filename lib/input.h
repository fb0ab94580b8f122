/* input: the one loop over operands and their records, for every filter that reads NDJSON. */
#ifndef INPUT_H
#define INPUT_H

#include "event.h"
#include "repair.h"
#include "tally.h"
#include "unit.h"

enum { INPUT_MAX_RECORD = 64 << 20 };

/* Options that every filter has; rows for its table, and input_option() takes them. */
enum { INPUT_LENIENT = 256, INPUT_MAX, INPUT_OPTION_END };
#define INPUT_OPTIONS                                                                                                  \
	{INPUT_LENIENT, "lenient", NULL, "exit 0 even when records were lost"},                                        \
	{INPUT_MAX, "max-record", "SIZE", "skip records over SIZE (64MiB)"}

struct input {
	char **operands;         /* NULL-terminated; what is left of them */
	struct out *out;         /* flushed when input would block; its error ends the input */
	struct src *src;         /* the one being read, NULL between them */
	const char *file;        /* its name for messages: "-" is "stdin" */
	struct units units;
	size_t max_record;
	bool lenient, failed;
	struct tally tally;      /* what was lost or repaired, told at the end */
	struct buf mended;               /* the repaired line */
	uint64_t line;                   /* of the record that input_next() gave */
};

/* True when `letter` was one of INPUT_OPTIONS and is taken. */
bool input_option(struct input *in, int letter, const char *arg);

/* operands: argv + optind; none is standard input. `in` is zeroed before the options. */
void input_open(struct input *in, char **operands, struct out *out);

/* SIGINT, the first time, is the end of input: for programs that answer at the end. */
void input_stop_on_signal(struct input *in);

/*
 * The next record of any operand: 1, or 0 at the end. What is damaged is repaired, or skipped and
 * counted; a file that cannot be read is told and the next one is taken. Views in *e live until the
 * next call.
 */
int input_next(struct input *in, struct event *e);

/* Tells what was lost or repaired, closes `out`, and returns the exit status: the one place it is decided. */
int input_finish(struct input *in);

#endif
