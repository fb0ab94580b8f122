/* What the parts of the reader of perf's output share. */
#ifndef PERF_H
#define PERF_H

#include "trace2ndjson/formats/format.h"
#include "json/tree.h"

/* A frame of a callchain; the texts lie in struct perf_sample.text. */
struct perf_slice {
	uint32_t at, n;
};

struct perf_frame {
	struct perf_slice name, dso, ip, offset, line; /* what was not printed has n == 0 */
	char mark; /* '.', 'k' of the kernel, 'j' JIT code, 'i' inlined into the frame on its root's side */
};

/*
 * A sample while it is read. The frames come leaf first, as perf prints them. Views in it are of `text`,
 * `head`, or live until the sample is made.
 */
struct perf_sample {
	bool open;               /* there is one */
	/* p == NULL when not printed; `note` is the text of a tracepoint */
	struct str comm, pid, tid, cpu, flags, event, period, note;
	bool has_ts;
	int64_t ts;
	uint64_t line, offset;   /* where it begins */
	size_t size;             /* bytes of its input so far */
	struct perf_frame *frames;
	size_t n, cap;
	bool offsets, lines, dsos, ips;
	struct buf text, head;
};

struct perf_column {
	struct perf_slice name;
	size_t start; /* in the line */
};

struct perf {
	enum perf_layout {
		PERF_NONE, /* only comments so far */
		PERF_SCRIPT,
		PERF_CSV,
		PERF_JSONL,
		PERF_REPORT,
		PERF_CONVERT,
	} layout;
	bool opened, again;
	struct lines lines;
	struct line line;        /* the line at hand; `again`: it is still to be used */
	uint64_t last_line;      /* that of the line before */
	struct perf_sample sample;
	struct buf more, args, name, comm, numbers, repaired, scratch, other;

	bool any_header;         /* script: a sample with a header was there */

	struct {                 /* report */
		char separator;  /* 0: columns by their places */
		struct perf_column *columns;
		size_t n, cap;
		struct buf header;
		struct buf event;
		int64_t frame;   /* of perf top */
	} report;

	struct {                 /* convert: the file's headers as they wait to become records */
		bool opened, samples; /* the document; we are inside its array of samples */
		struct json_tree headers;
		size_t at; /* for json_tree_next() */
	} convert;
};

/* --- perf.c --- */

/* A record to be filled in: buffers empty, *e cleared. */
void perf_begin(struct perf *p, struct event *e);
/* The record's name, any bytes. */
void perf_name(struct perf *p, struct event *e, struct str name);
/* What was put into p->more and p->args goes onto the record; p->args was opened with json_write_begin(, NULL, '{'). */
void perf_end(struct perf *p, struct event *e);
/* "-12", "7": sets an integer member when the text is one. */
void perf_integer(struct event *e, enum event_member m, struct str text);
/* A number, or text that is none, into a buffer. */
void perf_value(struct buf *b, const char *key, struct str text);
/* What a JSON string says, in *b, or another value's text as it is. */
struct str perf_plain(struct buf *b, struct str json);
/* "003" without the zeros before the number. */
struct str perf_digits(struct str text);
/* "12.345678" seconds as ns: false when it is no time. */
bool perf_seconds(struct str text, int64_t *ns);

/* --- perf_sample.c --- */

void perf_sample_clear(struct perf_sample *s);
/* A frame as it was printed, without addresses; "a->b" are two. `ip` without 0x. */
void perf_frame_add(struct perf_sample *s, struct str ip, struct str symbol, struct str offset, struct str dso);
/* The source line of the last frame. */
void perf_frame_line(struct perf_sample *s, struct str line);
/* The sample as a record, with `others` as members of args; it is not open any more. */
void perf_sample_end(struct perf *p, struct perf_sample *s, bool args, struct str others, struct event *e);
void perf_sample_free(struct perf_sample *s);

/* --- perf_header.c --- */

/* The parts of a header line; p == NULL for those that it has not. Views of the line. */
struct perf_header {
	struct str comm, pid, tid, cpu, flags, time, period, event;
	struct str rest; /* what follows: the only frame, with the padding before it, or a tracepoint's text */
};

/* "COMM PID/TID [CPU] SEC.USEC: PERIOD EVENT:" with or without most of these; false when the line is no header. */
bool perf_header_read(struct str line, struct perf_header *h);

/* Whether a text can be the name of an event: not empty, without quotes and control characters. */
bool perf_event_is(struct str name);

/* Whether a word of `text`, which begins behind "EVENT:", is an address: at the right of 16 columns. */
bool perf_is_address(struct str text, struct str word);

/* --- the layouts: what a line is; 1 when *e is a record --- */

int perf_script_line(struct perf *p, struct reader *r, struct str line, struct event *e);
/* At the end of the input. */
int perf_script_end(struct perf *p, struct reader *r, struct event *e);
int perf_csv_line(struct perf *p, struct reader *r, struct str line, struct event *e);
int perf_jsonl_line(struct perf *p, struct reader *r, struct str line, struct event *e);
int perf_report_line(struct perf *p, struct reader *r, struct str line, struct event *e);
/* A line of comment that heads columns of a report, or names its event; false when it is no such line. */
bool perf_report_comment(struct perf *p, struct str text);
int perf_convert_next(struct perf *p, struct reader *r, struct event *e);

/* Whether a first line that is no comment is of the layout; `next` is the line after it, "" when there is none. */
bool perf_script_is(struct str line, struct str next);
bool perf_csv_is(struct str line);
bool perf_jsonl_is(struct str line);
bool perf_report_heads(struct str comment); /* the heads of its columns */
bool perf_report_is(struct str line, struct str next);
bool perf_convert_is(struct str head);

#endif
