/* input: the one loop over operands and their records, for every filter that reads NDJSON. */
#ifndef INPUT_H
#define INPUT_H

#include "record/event.h"
#include "json/repair.h"
#include "base/diagnostics.h"
#include "json/lines.h"

enum { INPUT_MAX_RECORD = 64 << 20 };

/* What users set; see lib/cli/input_options.h. */
struct input_options {
	size_t max_record; /* longer records are skipped; 0: INPUT_MAX_RECORD */
	bool lenient;      /* exit 0 even when records were lost */
	bool check;        /* whole records are checked, whatever is read of them */
};

struct input {
	/* set by the filter, before input_open() */
	struct input_options options;
	bool (*wake)(void *arg); /* if set: called before a wait for input and when a signal interrupted it; */
	void *wake_arg;          /* false ends the input */
	/*
	 * Reads ahead all that the filter will look at in a record, before input_next() gives it: event_get() and
	 * event_walk() for standard members, field_ahead() for fields, event_check() for objects and arrays that the
	 * filter looks into or writes elsewhere. It changes nothing that the output depends on. Where it finds that
	 * something is not JSON (e->broken), the record is repaired and read again, or lost. NULL: whole records
	 * are checked.
	 */
	void (*reads)(void *arg, struct event *e);
	void *reads_arg;
	/* 1u << member: a line whose canonical prefix has all of these need not be read ahead; 0: each must be. */
	uint32_t enough;
	enum input_times {
		INPUT_TIMELESS,
		INPUT_SORTED,    /* the filter uses ts and dur and passes all on: one that is not an integer is noted */
		INPUT_TIMED,     /* its answer comes of them: there it counts as lost */
	} times;
	uint32_t only;           /* 1u << kind of those the filter looks at, 0 for all: others need not be given */
	/*
	 * Reports a file that cannot be opened or read, at once: a stream may be read for hours. f->error is 0 when no
	 * line of the file was a record. filter_open() sets it.
	 */
	void (*report)(const struct fault *f);
	/* for reading */
	const char *file;        /* of the record that input_next() gave, for messages */
	uint64_t line;           /* its line */
	bool failed;             /* a file could not be opened or read */
	bool timed, unordered;   /* input_in_order() was asked, and said no */
	int64_t last_ts;         /* the largest ts that it was asked about */
	struct diagnostics diagnostics; /* what was lost or repaired; filter_close() prints it */
	struct out *out;
	/* private */
	char **operands;         /* what is left of them, NULL-terminated */
	struct source *src;      /* the one being read, NULL between them */
	struct lines lines;
	bool any, strange;       /* of the file being read: a line was a record; one was none, though whole */
	struct buf repaired;     /* the repaired line */
	struct buf plain;        /* the line whose keys are without needless escapes */
};

/* For input.reads: all standard members and attachments, but not what is in args and src. */
void input_members(void *arg, struct event *e);

/*
 * operands: NULL after the last; none is standard input. `out` is flushed when input would block, and a write
 * error in it ends the input. *in is zeroed before the options are read.
 */
void input_open(struct input *in, char **operands, struct out *out);

/* SIGINT, the first time and unless it was ignored, is the end of input: for programs that answer at the end. */
void input_stop_on_signal(void);

/*
 * The next record of any operand: 1, or 0 at the end. Those of a kind not in `only` may be passed over: that
 * is done where it is cheap, and the filter still has to ask. A record is repaired, or skipped and counted, when
 * its brackets or strings do not close, when what `reads` reads of it is not JSON, or, in a line that does not
 * begin in canonical form, when any of it is not; so the filter never meets damage in what it reads. Keys that
 * spell names with escapes come without them. A file that cannot be read is reported and the next one is taken.
 * Views in *e live until the next call.
 */
int input_next(struct input *in, struct event *e);

/*
 * For filters that need ts order: whether ts is not less than one before it. After a false one input_next() returns 0,
 * and filter_in_order() of cli/filter reports it.
 */
static inline bool input_in_order(struct input *in, int64_t ts)
{
	if (in->timed && ts < in->last_ts) {
		in->unordered = true;
		return false;
	}
	in->timed = true;
	in->last_ts = ts;
	return true;
}

/* One more record was lost, the one that input_next() gave: `what` as for diagnostics_add(). */
void input_lost(struct input *in, const char *what);

/* By that record the answer may be wrong or incomplete, but nothing was lost. */
void input_warning(struct input *in, const char *what);

/* Closes what is open and frees all except in->diagnostics. */
void input_close(struct input *in);

#endif
