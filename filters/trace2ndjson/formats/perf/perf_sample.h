/* perf_sample: a sample of perf, with its stack, and the values that perf prints. */
#ifndef PERF_SAMPLE_H
#define PERF_SAMPLE_H

#include "base/char_class.h"
#include "trace2ndjson/formats/draft.h"

/* --- values --- */

/* Sets an integer member when the text is an integer: "-12", "7". */
void perf_integer(struct event *e, enum event_member m, struct str text);
/* Appends a member to a buffer: a number when the text is a number, otherwise a string. */
void perf_value(struct buf *b, const char *key, struct str text);
/* Returns the text of a JSON string, unescaped into *b; the text of any other value unchanged. */
struct str perf_plain(struct buf *b, struct str json);
/* Converts seconds such as "12.345678" to ns. False when the text is not a time. */
bool perf_seconds(struct str text, int64_t *ns);
/* Whether a text can be the name of an event: not empty, and without quotes or control characters. */
bool perf_event_is(struct str name);

/* --- samples --- */

/* The texts of a frame of a callchain; n == 0 for a text that was not printed. */
enum perf_text { PERF_NAME, PERF_DSO, PERF_IP, PERF_OFFSET, PERF_LINE, PERF_TEXTS };

struct perf_frame {
	struct perf_slice { /* a slice of struct perf_sample.text */
		size_t at, n;
	} text[PERF_TEXTS];
	/* 'k' kernel code, 'j' JIT code, 'i' inlined into the next frame towards the root, '.' any other code */
	char mark;
};

/* The place of a sample; p == NULL for a text that was not printed. */
struct perf_header {
	struct str comm, pid, tid, cpu, flags, time, period, event;
	/* the text after the event: the text of a tracepoint, or the only frame with its padding */
	struct str rest;
	bool has_ts;
	int64_t ts;
};

/*
 * A sample while it is being read. The first frame is the leaf, as in perf's output. The texts are views of `text` or
 * `head`, or of memory that is valid until the record of the sample is made. Zero-initialise; perf_sample_free().
 */
struct perf_sample {
	bool open; /* a sample is being read */
	struct perf_header at;
	uint64_t line, offset; /* where the sample begins */
	size_t size;           /* number of bytes read for this sample */
	struct perf_frame *frames;
	size_t n, cap;
	bool has[PERF_TEXTS]; /* some frame has this text */
	struct buf text, head;
};

/* Begins a sample at this line and offset. */
void perf_sample_begin(struct perf_sample *s, uint64_t line, uint64_t offset);
/* Adds a frame, or two for a symbol "a->b". `ip` has no 0x, and `symbol` has no addresses. */
void perf_frame_add(struct perf_sample *s, struct str ip, struct str symbol, struct str offset, struct str dso);
/* Sets the source line of the last frame. */
void perf_frame_line(struct perf_sample *s, struct str line);
/* Sets the members of a record that come from ts, pid, tid, comm and cpu. */
void perf_header_put(const struct perf_header *h, struct draft *d, struct event *e);
/* Makes *e the record of the sample, with `others` in args, and closes it. Returns whether samples are selected. */
bool perf_sample_end(struct perf_sample *s, struct reader *r, struct str others, struct event *e);
void perf_sample_free(struct perf_sample *s);

#endif
