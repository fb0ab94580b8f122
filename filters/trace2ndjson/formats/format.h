/* format: the interface of an input format of trace2ndjson. Each format has a row in formats.def. */
#ifndef FORMAT_H
#define FORMAT_H

#include "program/opt_value.h"
#include "trace2ndjson/kept_args.h"
#include "trace2ndjson/name_begins.h"
#include "record/event.h"
#include "json/repair.h"
#include "io/source.h"
#include "base/diagnostics.h"
#include "json/lines.h"
#include "base/num_format.h"

/* The texts of the record that a reader is making: see draft.h. They are valid until the next record begins. */
struct draft {
	struct buf name;        /* JSON; if it is empty, the reader may set the name itself */
	struct buf attachments; /* the attachments */
	struct buf args;        /* an open object */
	struct {
		char text[NUM_ROOM];
	} numbers[EVENT_N]; /* texts of members that are numbers */
};

/* The input of a format's reader, and the diagnostics about this input. Each input file has its own struct reader. */
struct reader {
	struct source *src;
	const char *path; /* the path operand; "-" for standard input */
	const char *file; /* the file name for messages */
	void *run;        /* memory that the format keeps for all files: see struct format */
	/* one bit, 1u << kind, for each selected kind; a reader may skip records of other kinds when this is cheap */
	uint32_t kinds;
	const struct name_begins *begins; /* the names of selected records, for which the same holds; NULL: all names */
	bool args;                        /* args and src are selected; otherwise a reader need not make them */
	const struct kept_args *kept;     /* the members of args that records without args keep */
	uint32_t bare;                    /* the kinds of these records, as bits; 0 if no members are kept */
	size_t max_record;
	struct diagnostics *diagnostics;
	struct draft *draft;        /* set by format_open() */
	struct lines lines;         /* of a format that consists of lines, or of values: see lines in struct format */
	struct buf names, repaired; /* memory of reader_names(), reader_repair() and reader_sound() */
	/* Set by the reader if the trace has a rank: JSON in its memory, which is added to the following records. */
	struct str rank;
	/* The place of the record that next() returned, if the format sets it: its line number, or else its offset. */
	uint64_t line, offset;
	/* Set by a reader that copies args anyway: args of the record has only members that `kept` selects. */
	bool cut;
};

/* The result of format_parts.step() for an event that only the reader of the whole file can convert. */
enum { FORMAT_ORDERED = 2 };

/*
 * The functions of a format whose files can be read in parts, by several threads, at the same time. A place is an
 * offset between two records of a list, at which a reader needs nothing from the text before to read on, except what
 * the other members of struct reader say. The format reads r->lines: lines_restart() continues at a place.
 */
struct format_parts {
	/*
	 * Returns the offset of a probable place in a part of the content, near its end; 0 if it finds no place. A
	 * wrong guess costs time. SCAN_PAD bytes after the text must be readable.
	 */
	size_t (*cut)(struct str text);
	/*
	 * Reads on by one record, or less. Returns 1 if *e is a record, 0 if no record is ready, and -1 at the end.
	 * After open(), it returns -1 where the part ends, or where text after it may be needed, or FORMAT_ORDERED.
	 */
	int (*step)(void *state, struct reader *r, struct event *e);
	/* Whether the reader is at a place; sets *offset to it. */
	bool (*place)(const void *state, const struct reader *r, uint64_t *offset);
	/* Begins to read the source's window as a part that begins at a place; closed like the reader of a file. */
	void (*open)(void *state, struct reader *r);
};

struct format {
	const char *name, *help;
	const char *example; /* a command that reads such a file, for --formats */
	/*
	 * Whether the first bytes of a file (up to 64 KiB, or the whole file when it is shorter) are of this format.
	 * trace2ndjson calls the probes in the order of formats.def, and uses the first format whose probe returns
	 * true. For a pipe, it calls them when the first complete line has arrived, and again with more bytes until one
	 * returns true. So a format must return false as long as the bytes may belong to another format. A byte order
	 * mark is already removed.
	 */
	bool (*probe)(struct str head);
	/* Whether a file with this path must be read before the other operands, or NULL. */
	bool (*early)(struct str path);
	/*
	 * *run is memory that the format keeps for all files; it is zeroed at first. It holds the values of the
	 * format's options, and data of one file that later files need. `options` are the options that only this format
	 * reads, or NULL; they set members of *run. For take() see struct opt_table.
	 */
	size_t run_size;
	const struct opt *options;
	void (*take)(void *run, const struct opt_value *v);
	bool binary; /* the format is not text: bytes that look like a byte order mark are content */
	bool lines;  /* reads r->lines in the mode SCAN_LINES, from the first byte on; another reader may begin them */
	size_t state_size;                           /* size of *state, which is zeroed before open() */
	void (*open)(void *state, struct reader *r); /* or NULL */
	/*
	 * Reads the next record. Returns 1 with *e set (views are valid until the next call); 0 at the end of the
	 * input, and also when reading stopped early: the caller checks r->src->fault. The reader skips or repairs
	 * damaged input and counts it with reader_...().
	 */
	int (*next)(void *state, struct reader *r, struct event *e);
	/* frees the state; may report records that are incomplete at the end; or NULL */
	void (*close)(void *state, struct reader *r);
	const struct format_parts *parts; /* NULL if files cannot be read in parts */
	const char *over; /* the message for lines of r->lines larger than --max-record; NULL: that of records */
};

/* Begins to read a file: *r is set, except what the readers set, and *state is zeroed. And ends reading it. */
void format_open(const struct format *format, void *state, struct reader *r);
void format_close(const struct format *format, void *state, struct reader *r);

static inline bool reader_wants(const struct reader *r, enum event_kind k)
{
	return r->kinds >> k & 1;
}

/*
 * Each function reports a problem at a line or, when `line` is 0, at a byte offset of the decompressed input. _lost:
 * data is lost; _cut: the same, and the input ends too early; _note: information for the user; _warning: nothing is
 * lost, but the result may be wrong; _repaired: the input was damaged and is repaired. The first four return false.
 */
bool reader_lost(struct reader *r, const char *what, uint64_t line, uint64_t byte);
bool reader_cut(struct reader *r, const char *what, uint64_t line, uint64_t byte);
bool reader_note(struct reader *r, const char *what, uint64_t line, uint64_t byte);
bool reader_warning(struct reader *r, const char *what, uint64_t line, uint64_t byte);
void reader_repaired(struct reader *r, uint32_t repairs, uint64_t line, uint64_t byte);
void reader_repaired_as(struct reader *r, const char *what, uint64_t line, uint64_t byte);

/* Makes a text for them, of at most 199 bytes, as printf() does. */
const char *reader_text(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Returns the text of an object with the escapes of all member names decoded: "n\u0061me" becomes "name". json_check()
 * must have accepted `text`, and SCAN_PAD bytes after it must be readable. Returns the text itself when no name has an
 * escape; otherwise a view that is valid until the next call.
 */
struct str reader_names(struct reader *r, struct str text);

/* Makes *text valid JSON, valid until the next repair, and counts the repairs. False when it cannot be repaired. */
bool reader_repair(struct reader *r, struct str *text, uint64_t line, uint64_t byte);

/*
 * Returns a record's text as valid JSON, with its names decoded as by reader_names(). The result is the text itself
 * when json_check() accepts it; otherwise the text is repaired as by reader_repair(). If the text cannot be repaired,
 * the record is counted as lost, and p is NULL.
 */
struct str reader_sound(struct reader *r, const struct line *line, struct str text);

/* For probes: takes the next line of *head that is not blank, without CR at its end; false after the last one. */
bool head_line(struct str *head, struct str *line);

/* The memory of formats with the option --keep-text: lines that do not belong to the format become records. */
struct format_log {
	bool keep_text;
};
extern const struct opt format_log_options[];

/* Counts a line's NUL bytes and invalid UTF-8 as repairs: json_quote() repairs them. */
void reader_check_text(struct reader *r, struct str text, uint64_t line, uint64_t byte);

#define FORMAT(id) extern const struct format format_##id;
#include "formats.def"
#undef FORMAT

#endif
