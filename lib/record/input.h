/* input: the loop over operands and their records, used by every filter that reads NDJSON. */
#ifndef INPUT_H
#define INPUT_H

#include "json/repair.h"
#include "json/lines.h"
#include "record/field.h"

enum { INPUT_MAX_RECORD = 64 << 20 };

/* Options that users set; see lib/program/input_options.h. */
struct input_options {
	size_t max_record;         /* longer records are skipped; 0 means INPUT_MAX_RECORD */
	bool lenient;              /* exit 0 even if records were lost */
	struct source_piece piece; /* of each file; if not set, whole files are read */
	bool check;                /* check whole records, even parts that the filter does not use */
};

struct input {
	/* set by the filter, before input_open() */
	struct input_options options;
	/*
	 * Called before each wait for input, and when a signal interrupts the wait. If it returns false, the input
	 * ends. It is NULL if the filter does not need it.
	 */
	bool (*wake)(void *arg);
	void *wake_arg;
	enum input_times {
		INPUT_TIMELESS,
		/* ts and dur are used, and all records pass: one that is not an integer is noted */
		INPUT_SORTED,
		/* the result depends on ts and dur: a record where one is not an integer is lost */
		INPUT_TIMED,
	} times;
	uint32_t only; /* 1u << kind for each selected kind, 0 for all; input_next() may skip other kinds */
	/*
	 * Reports a file that cannot be opened or read. It is called at once, not at the end of all input, because a
	 * stream may be read for hours. f->error is 0 when the file has lines, but no records. filter_open() sets this
	 * function.
	 */
	void (*report)(const struct fault *f);
	/* for the filter to read */
	const char *file;               /* file of the record that input_next() returned, for messages */
	uint64_t line;                  /* its line number; in a piece of a file, counted from the start of the piece */
	uint64_t offset;                /* offset of its first byte in the file */
	bool failed;                    /* a file could not be opened or read */
	bool timed, unordered;          /* timed: input_in_order() was called; unordered: it returned false */
	int64_t last_ts;                /* the largest ts that was passed to input_in_order() */
	struct diagnostics diagnostics; /* the lost and repaired records; filter_close() prints them */
	struct out *out;
	/* private */
	struct input_use *uses; /* the parts of records that the filter registered */
	size_t n_uses, uses_cap;
	uint32_t enough; /* bits 1u << member: a record with these members in its canonical prefix needs no reading */
	bool again;      /* input_next() has to repair the current record */
	char **operands; /* the remaining operands, NULL-terminated */
	struct source *src; /* the file being read, NULL between files */
	uint64_t begin;     /* offset at which reading of the file began */
	struct lines lines;
	struct line current; /* the line of the current record */
	/* any: a line of the file was a record; strange: a complete line was not; csv: such a line was CSV */
	bool any, strange, csv;
	struct buf repaired; /* the repaired line */
	struct buf plain;    /* a copy of the line, without the needless escapes in its keys */
};

/* For input_uses_members(): all members, except the contents of args and src, which EVENT_ARGS and EVENT_SRC select. */
enum { INPUT_MEMBERS = (1u << EVENT_ARGS) - 1 };

/*
 * A filter registers the parts of records that it uses, before it calls input_next(). A record is damaged, and repaired
 * or counted as lost, only if one of these parts is not JSON. The other parts of a record are passed on unchecked. If a
 * filter registers nothing, whole records are checked.
 *
 * input_uses() registers the values of a field. input_uses_members() registers standard members, as bits 1u << member,
 * of records whose kind is one of `kinds`, as bits 1u << kind; UINT32_MAX: of all records.
 */
void input_uses(struct input *in, struct field *f);
void input_uses_members(struct input *in, uint32_t kinds, uint32_t members);

/*
 * For a filter that decides for each record which parts it uses. It reads them with event_get(), event_walk(),
 * field_get() and similar functions, and then calls this function, before it counts, stores or writes anything. If the
 * result is false, one of the parts is not JSON; then the filter calls input_next(), which returns the repaired record,
 * or counts it as lost.
 */
static inline bool input_valid(struct input *in, const struct event *e)
{
	in->again = e->check == EVENT_BROKEN;
	return !in->again;
}

/*
 * `operands` is NULL-terminated; if it is empty, standard input is read. `out` is flushed when reading would block, and
 * a write error in `out` ends the input. The caller must zero *in before it reads the options.
 */
void input_open(struct input *in, char **operands, struct out *out);

/* Makes the first SIGINT end the input, unless SIGINT is ignored. For programs that print their result at the end. */
void input_stop_on_signal(void);

/*
 * Reads the next record of the operands; returns 1, or 0 at the end. Some of the records whose kind is not in `only`
 * are skipped; the filter must check the kind of all others. Damaged records are repaired, or skipped and counted, so
 * that the filter never reads damaged data. A record is damaged if brackets or strings are not closed, or if a part
 * that the filter uses is not JSON. If a line does not begin in canonical form, all its parts are checked. Needless
 * escapes in keys are removed. If a file cannot be read, this is reported and the next file is opened. Views in *e are
 * valid until the next call.
 */
int input_next(struct input *in, struct event *e);

/*
 * Reads the next line of the operands as text, for filters whose input is not NDJSON; returns 1, or 0 at the end. Do
 * not mix it with input_next(). The view is valid until the next call.
 */
int input_next_line(struct input *in, struct str *text);

/*
 * For filters that need ts order: returns false when ts is less than that of the preceding record. After that,
 * input_next() returns 0, and filter_in_order() of program/filter reports the error.
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

/*
 * Returns the location of the current record, which input_next() returned last: its line; or its offset, in a piece
 * that does not begin at the beginning of the file, because line numbers are not known there.
 */
struct fault_location input_location(const struct input *in);

/* Returns whether the text begins with the names of at least two columns, separated by commas. */
bool input_is_csv(struct str text);

/* Counts the current record, which input_next() returned last, as lost. For `what`, see diagnostics_add(). */
void input_lost(struct input *in, const char *what);

/* Warns that the result may be wrong or incomplete because of the current record, although nothing was lost. */
void input_warning(struct input *in, const char *what);

/* Closes the open file, and frees all members except in->diagnostics. */
void input_close(struct input *in);

#endif
