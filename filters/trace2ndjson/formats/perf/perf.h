/* perf: the functions and types that the files of the perf reader share. */
#ifndef PERF_H
#define PERF_H

#include "base/str.h"
#include "base/char_class.h"
#include "trace2ndjson/formats/format.h"
#include "json/tree.h"

/* A text that belongs to a frame of a callchain: a slice of struct perf_sample.text. */
struct perf_slice {
	uint32_t at, n;
};

struct perf_frame {
	struct perf_slice name, dso, ip, offset, line; /* n == 0 for a text that was not printed */
	/* 'k' kernel code, 'j' JIT code, 'i' inlined into the next frame towards the root, '.' any other code */
	char mark;
};

/*
 * A sample while it is being read. The first frame is the leaf, as in perf's output. The texts are views of `text` or
 * `head`, or of memory that is valid until the record of the sample is made.
 */
struct perf_sample {
	bool open; /* a sample is being read */
	/* p == NULL for a text that was not printed; `note` is the text of a tracepoint */
	struct str comm, pid, tid, cpu, flags, event, period, note;
	bool has_ts;
	int64_t ts;
	uint64_t line, offset; /* where the sample begins */
	size_t size;           /* number of bytes read for this sample */
	struct perf_frame *frames;
	size_t n, cap;
	bool offsets, lines, dsos, ips;
	struct buf text, head;
};

struct perf_column {
	struct perf_slice name;
	size_t start; /* offset of the column in the comment line, counted after "# " */
};

struct perf {
	enum perf_layout {
		PERF_NONE, /* only comments have been read so far */
		PERF_SCRIPT,
		PERF_CSV,
		PERF_JSONL,
		PERF_REPORT,
		PERF_CONVERT,
	} layout;
	bool opened, again;
	struct lines lines;
	struct line line;   /* the current line; `again` is set when it must be read again */
	uint64_t last_line; /* the line number of the preceding line */
	struct perf_sample sample;
	struct buf more, args, name, comm, numbers, repaired, scratch, other;

	bool any_header; /* script layout: at least one sample with a header was read */

	struct {                /* the state of the report layout */
		char separator; /* 0 when the columns are at fixed positions */
		struct perf_column *columns;
		size_t n, cap;
		struct buf header;
		struct buf event;
		int64_t frame; /* number of frames of perf top so far */
	} report;

	struct { /* convert: the headers of the file, until they are converted to records */
		/* opened: the document has begun; samples: its array of samples is being read */
		bool opened, samples;
		struct json_tree headers;
		size_t at; /* the position for json_tree_next() */
	} convert;
};

/* --- perf_record.c: records, and the values in them --- */

/* Begins a record: empties the buffers and clears *e. */
void perf_begin(struct perf *p, struct event *e);
/* Sets the record's name, which may contain any bytes. */
void perf_name(struct perf *p, struct event *e, struct str name);
/* Adds p->more and p->args to the record. p->args must have been opened with json_write_begin(&p->args, NULL, '{'). */
void perf_end(struct perf *p, struct event *e);
/* Sets an integer member when the text is an integer: "-12", "7". */
void perf_integer(struct event *e, enum event_member m, struct str text);
/* Appends a member to a buffer: a number when the text is a number, otherwise a string. */
void perf_value(struct buf *b, const char *key, struct str text);
/* Returns the text of a JSON string, unescaped into *b; the text of any other value unchanged. */
struct str perf_plain(struct buf *b, struct str json);
/* Returns a number without leading zeros: "3" for "003". */
struct str perf_digits(struct str text);
/* Converts seconds such as "12.345678" to ns. False when the text is not a time. */
bool perf_seconds(struct str text, int64_t *ns);

/* --- perf_record.c: samples --- */

void perf_sample_clear(struct perf_sample *s);
/*
 * Adds a frame with the texts that perf printed. `ip` has no 0x, and `symbol` has no addresses. A symbol "a->b" makes
 * two frames.
 */
void perf_frame_add(struct perf_sample *s, struct str ip, struct str symbol, struct str offset, struct str dso);
/* Sets the source line of the last frame. */
void perf_frame_line(struct perf_sample *s, struct str line);
/* Makes *e the record of the sample, and closes the sample. `others` are further members of args. */
void perf_sample_end(struct perf *p, struct perf_sample *s, bool args, struct str others, struct event *e);
void perf_sample_free(struct perf_sample *s);

/* Whether a text can be the name of an event: not empty, and without quotes or control characters. */
bool perf_event_is(struct str name);

/* --- the layouts: each function reads a line, and returns 1 when *e is a record --- */

int perf_script_line(struct perf *p, struct reader *r, struct str line, struct event *e);
/* Called at the end of the input. */
int perf_script_end(struct perf *p, struct reader *r, struct event *e);
int perf_csv_line(struct perf *p, struct reader *r, struct str line, struct event *e);
int perf_jsonl_line(struct perf *p, struct reader *r, struct str line, struct event *e);
int perf_report_line(struct perf *p, struct reader *r, struct str line, struct event *e);
/*
 * Reads a report's comment that contains the column names, their positions, or the name of the event. Returns true for
 * a comment with the column names or their positions; such a comment does not become a record.
 */
bool perf_report_comment(struct perf *p, struct str text);

/*
 * Each function returns whether `line`, the first line that is not a comment, shows that the file has this layout.
 * `next` is the following line; it is empty at the end of the file.
 */
bool perf_script_is(struct str line, struct str next);
bool perf_csv_is(struct str line);
bool perf_jsonl_is(struct str line);
bool perf_report_heads(struct str comment); /* whether a comment has the names of the columns */
bool perf_report_is(struct str line, struct str next);

#endif
