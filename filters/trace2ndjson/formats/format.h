/* format: what a reader behind trace2ndjson is: one file, one row in formats.def. */
#ifndef FORMAT_H
#define FORMAT_H

#include "cli/opt_value.h"
#include "record/event.h"
#include "json/repair.h"
#include "io/source.h"
#include "base/diagnostics.h"
#include "json/lines.h"

/* What a reader is given, and where it tells of trouble. One for each input file. */
struct reader {
	struct source *src;
	const char *path;     /* the operand, "-" for standard input */
	const char *file;     /* for places in messages */
	void *run;            /* of the format, see struct format */
	uint32_t kinds;       /* 1u << kind of those wanted: a reader may drop others where that is cheap */
	bool args;            /* args and src are wanted; without, a reader need not make them */
	size_t max_record;
	struct diagnostics *diagnostics;
	struct buf names;     /* reader_names()' */
	struct str rank;      /* set by the reader when the trace says it: JSON text, the reader's memory;
	                         trace2ndjson puts it on the records that follow */
};

struct format {
	const char *name, *help;
	/*
	 * Whether the first bytes of a file (up to 64 KiB, all of a shorter one) are of this format. The
	 * formats are asked in the order of formats.def, and the first yes counts. Of a pipe they are asked
	 * once a line has come, and again with more when none said yes: so what may still become another one's
	 * is a no. A byte order mark was taken off.
	 */
	bool (*probe)(struct str head);
	/*
	 * *run is zeroed memory of the format for all files: for what its options ask, and for what a file leaves to those
	 * that are read after it. `options` are those that only this format reads, or NULL; they set members of *run, and
	 * take() is as in struct opt_table.
	 */
	size_t run_size;
	const struct opt *options;
	void (*take)(void *run, const struct opt_value *v);
	bool binary;       /* no text: three bytes at its start that look like a byte order mark are none */
	size_t state_size; /* of *state, which is zeroed before open() */
	void (*open)(void *state, struct reader *r);
	/*
	 * The next record: 1 with *e set (views live until the next call); 0 at the end of the input,
	 * also when reading stopped early: the caller looks at r->src->fault. Damage is skipped or
	 * repaired, and counted with reader_...().
	 */
	int (*next)(void *state, struct reader *r, struct event *e);
	void (*close)(void *state, struct reader *r); /* frees; may tell of what never came */
};

static inline bool reader_wants(const struct reader *r, enum event_kind k)
{
	return r->kinds >> k & 1;
}

/*
 * Trouble at an offset of the content (line 0) or at a line: something is lost; it is worth a line; the answer may be
 * wrong by it although nothing was lost.
 */
void reader_lost(struct reader *r, const char *what, uint64_t line, uint64_t byte);
void reader_note(struct reader *r, const char *what, uint64_t line, uint64_t byte);
void reader_warning(struct reader *r, const char *what, uint64_t line, uint64_t byte);
void reader_repaired(struct reader *r, uint32_t repairs, uint64_t line, uint64_t byte);
void reader_repaired_as(struct reader *r, const char *what, uint64_t line, uint64_t byte);

/*
 * The text of an object that json_check() passes, with SCAN_PAD readable bytes behind it, with all member names as they
 * are spelled: "n\u0061me" is "name". The text itself when no name has an escape; else it lives until the next call.
 */
struct str reader_names(struct reader *r, struct str text);

/*
 * A record's text as valid JSON, its names as reader_names() has them: the text itself when json_check() passes it, else
 * repaired into *repaired and counted; p == NULL when it was lost, which is counted too.
 */
struct str reader_sound(struct reader *r, const struct line *line, struct str text, struct buf *repaired);

/* Counts the lines over --max-record that were passed over, and forgets them: "event over --max-record, skipped". */
void reader_over(struct reader *r, struct lines *lines, const char *what);

/* For probes: the next line of *head that is not blank, without CR at its end; false when there is none. */
bool head_line(struct str *head, struct str *line);

/* --keep-text, and the memory of formats that have it: lines that are not of the format become records too. */
struct format_log {
	bool keep_text;
};
extern const struct opt format_log_options[];

/* Counts a line's NUL bytes, and that it has bytes that are no UTF-8: json_quote() mends them. */
void reader_check_text(struct reader *r, struct str text, uint64_t line, uint64_t byte);

#define FORMAT(id) extern const struct format format_##id;
#include "formats.def"
#undef FORMAT

#endif
