/*
 * plaidml: reads event logs of PlaidML and the Tile server (eventlog.gz): protobuf records, each preceded by its
 * length.
 *
 *   {"ts":1505427980,"dur":4788370,"kind":"kernel","name":"kernel_c4_sdk_2","cat":"tile::hal::opencl::Executing",
 *    "corr":7,"id":"2c..","parent":"a8..","args":{"kernel":"d1..","domain":"3f..","seq":412}}
 *
 * An activity's start, metadata and end are separate events; its record is made after the last of them. Devices have
 * their own clocks, whose offsets to the host's clock are known only when the whole log has been read. So a log is read
 * twice: a file is opened a second time, and the data of a pipe is copied to a temporary file.
 */
#include "plaidml.h"

#include "io/temp_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the length-prefixed records of a log, from a source or from its copy in a temporary file --- */

enum { BLOCK = 256 * 1024 };

static struct str log_window(const struct plaidml_log *log)
{
	if (log->src)
		return (struct str){log->src->p, log->src->n};
	if (!log->window.p)
		return STR("");
	return (struct str){log->window.p + log->used, log->window.n - log->used};
}

static void skip_bytes(struct plaidml_log *log, size_t n)
{
	if (log->src)
		source_skip(log->src, n);
	else
		log->used += n;
	log->offset += n;
}

/* Reads more bytes at the end of the window; false when there are no more. */
static bool read_more(struct plaidml_log *log)
{
	uint64_t n = log->size - log->at;

	if (log->src)
		return source_more(log->src) > 0;
	if (n > BLOCK)
		n = BLOCK;
	if (log->used) {
		log->window.n -= log->used;
		memmove(log->window.p, log->window.p + log->used, log->window.n);
		log->used = 0;
	}
	if (!n || log->failure.what ||
	    !temp_file_read(log->copy, buf_room(&log->window, (size_t)n), (size_t)n, log->at, &log->failure))
		return false;
	log->window.n += (size_t)n;
	log->at += n;
	return true;
}

/* Skips a record of n bytes; false when the log ends inside it. */
static bool skip_record(struct plaidml_log *log, uint64_t n)
{
	struct str w;

	for (;;) {
		w = log_window(log);
		if (w.n >= n) {
			skip_bytes(log, (size_t)n);
			return true;
		}
		skip_bytes(log, w.n);
		n -= w.n;
		if (!read_more(log))
			return false;
	}
}

static int lost_record(struct plaidml_log *log, const char *what, uint64_t at, bool ended, struct fault *f)
{
	log->ended = ended;
	*f = (struct fault){.what = what, .at.byte = at};
	return -1;
}

/*
 * Reads the next record; *record is valid until the next call. Returns 1; 0 at the end; -1 when a record was lost. In
 * that case *f holds the reason and the byte offset, and the next call reads the following record. `max`: maximum size
 * of a record in bytes.
 */
static int log_next(struct plaidml_log *log, size_t max, struct str *record, struct fault *f)
{
	const uint64_t at = log->offset;
	uint64_t n;
	int took;

	if (log->ended)
		return 0;
	while ((took = wire_varint(log_window(log), &n)) == 0) {
		if (read_more(log))
			continue;
		log->ended = true;
		return log_window(log).n ? lost_record(log, "log ends inside the length of a record", at, true, f) : 0;
	}
	if (took < 0)
		return lost_record(
		    log, "length of a record has more than 10 bytes or 64 bits; reading stopped", at, true, f);
	skip_bytes(log, (size_t)took);
	if (n > max) {
		if (!skip_record(log, n))
			return lost_record(log, "record is longer than the rest of the log; skipped", at, true, f);
		return lost_record(log, "record larger than --max-record; skipped", at, false, f);
	}
	while (log_window(log).n < n) {
		if (!read_more(log))
			return lost_record(log, "record is longer than the rest of the log; skipped", at, true, f);
	}
	*record = str_head(log_window(log), (size_t)n);
	skip_bytes(log, (size_t)n);
	return 1;
}

/*
 * Copies the rest of the source to a temporary file. Returns its descriptor and sets *size to its size in bytes;
 * returns -1 and sets *f on failure.
 */
static int log_copy(struct source *src, uint64_t *size, struct fault *f)
{
	int fd = temp_file_open(f);

	*size = 0;
	if (fd < 0)
		return -1;
	do {
		if (!temp_file_write(fd, src->p, src->n, *size, f)) {
			close(fd);
			return -1;
		}
		*size += src->n;
		source_skip(src, src->n);
	} while (source_more(src) > 0);
	return fd;
}

/* --- records of the log --- */

#define MAGIC 0x4C747645u

/* Checks the magic number in the first record: true when it is absent or correct. */
static bool is_ours(struct str magic)
{
	struct wire_field f;

	return !wire_find(magic, 1, WIRE_VARINT, &f) || f.v == MAGIC;
}

/*
 * Reads all events of a record, before any of them is used. When that fails, returns false and sets *f to the reason.
 */
static bool read_events(struct plaidml *p, struct fault *f)
{
	struct wire w = wire_of(p->record);
	struct wire_field field;
	bool magic = false;

	p->n = p->at = 0;
	while (wire_next(&w, &field) > 0) {
		if (field.no == 1 && field.type == WIRE_LEN) {
			magic = true;
			if (is_ours(field.bytes))
				continue;
			p->log.ended = true;
			return fault_refuse(
			    f, "not a PlaidML event log: its magic number is not 0x4C747645 (\"EvtL\")", p->record_at);
		}
		if (field.no != 2 || field.type != WIRE_LEN)
			continue;
		p->events = mem_grow(p->events, &p->cap, p->n + 1, sizeof *p->events);
		if (!plaidml_event_read(&p->events[p->n], field.bytes, &p->own, &w))
			break;
		p->n++;
	}
	if (w.fault) {
		p->n = 0;
		return fault_refuse(f, w.fault, p->record_at + (uint64_t)(w.p - p->record.p));
	}
	return p->n || magic || fault_refuse(f, "record without an event; skipped", p->record_at);
}

/* Reads the next record that has events; false at the end. If `r` is not NULL, reports lost records. */
static bool next_record(struct plaidml *p, struct reader *r, size_t max_record)
{
	struct fault f;
	int got;

	while ((got = log_next(&p->log, max_record, &p->record, &f)) != 0) {
		p->record_at = p->log.offset - p->record.n;
		if (got > 0 && read_events(p, &f)) {
			if (p->n)
				return true;
			continue;
		}
		if (r)
			reader_lost(r, f.what, 0, f.at.byte);
	}
	return false;
}

/* --- the first pass: ids, times, clocks --- */

static void find_clocks(struct plaidml *p, size_t max_record)
{
	size_t i;

	while (next_record(p, NULL, max_record)) {
		for (i = 0; i < p->n; i++)
			plaidml_tree_add(&p->tree, &p->events[i]);
	}
	plaidml_tree_align(&p->tree);
	plaidml_tree_reset(&p->tree);
	p->own.known = false;
	p->n = p->at = 0;
}

static bool is_file(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void read_file_twice(struct plaidml *p, struct reader *r)
{
	struct fault f = {0};

	p->log.src = source_open(r->path, &f);
	if (p->log.src) {
		find_clocks(p, r->max_record);
		source_close(p->log.src);
	} else {
		r->src->fault = f;
		p->failed = true;
	}
	p->log = (struct plaidml_log){.src = r->src, .copy = -1};
}

static void read_copy_twice(struct plaidml *p, struct reader *r)
{
	struct fault f = {0};
	uint64_t size;
	int copy = log_copy(r->src, &size, &f);

	if (copy < 0) {
		r->src->fault = f;
		p->failed = true;
		return;
	}
	p->log = (struct plaidml_log){.copy = copy, .size = size};
	find_clocks(p, r->max_record);
	p->log.at = p->log.offset = 0;
	p->log.used = p->log.window.n = 0;
	p->log.ended = false;
}

#define TO(member) OPT_TO(struct plaidml_run, member)
static const struct opt options[] = {
    {0, "raw-clock", OPT_FLAG, TO(raw_clock), "plaidml: do not convert device times to the host's clock"},
    {0},
};

static void open_plaidml(void *state, struct reader *r)
{
	const struct plaidml_run *run = r->run;
	struct plaidml *p = state;

	p->log = (struct plaidml_log){.src = r->src, .copy = -1};
	if (run->raw_clock || !(reader_wants(r, KIND_ACTIVITY) || reader_wants(r, KIND_KERNEL)))
		return;
	if (is_file(r->path))
		read_file_twice(p, r);
	else
		read_copy_twice(p, r);
}

/* --- the second pass --- */

static void begin_event(struct plaidml *p, struct reader *r)
{
	const struct plaidml_event *ev = &p->events[p->at];

	p->activity = plaidml_tree_add(&p->tree, ev);
	p->metadata = wire_of(ev->has_metadata ? ev->whole : (struct str){ev->whole.p, 0});
	p->telling = true;
	if (p->tree.activities[p->activity].written && (ev->has_start || ev->has_end))
		reader_lost(r, "event of an activity that has already ended; ignored", 0,
		    p->record_at + (uint64_t)(ev->whole.p - p->record.p));
}

/* Makes the next record from the current event; false when no more are left. */
static bool next_of_event(struct plaidml *p, struct reader *r, struct event *e)
{
	const struct plaidml_activity *a;
	struct wire_field f;

	while (wire_next(&p->metadata, &f) > 0) {
		if (f.no == 7 && f.type == WIRE_LEN && plaidml_metadata_record(p, r, f.bytes, e))
			return true;
	}
	p->telling = false;
	p->at++;
	a = &p->tree.activities[p->activity]; /* set only here, because reading metadata may move the array */
	return a->has_start && a->has_end && a->verb && !a->written && plaidml_activity_record(p, r, p->activity, e);
}

/* Makes the records of activities whose start or end is missing in the log, in the order of their first events. */
static bool next_of_rest(struct plaidml *p, struct reader *r, struct event *e)
{
	const struct plaidml_activity *a;

	while (p->rest < p->tree.ids.n) {
		a = &p->tree.activities[p->rest++];
		if (!a->seq || a->written)
			continue;
		if (plaidml_activity_record(p, r, (uint32_t)(p->rest - 1), e))
			return true;
	}
	return false;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct plaidml *p = state;

	if (p->failed)
		return 0;
	while (!p->finished) {
		if (p->telling) {
			if (next_of_event(p, r, e))
				return 1;
		} else if (p->at < p->n) {
			begin_event(p, r);
		} else if (!next_record(p, r, r->max_record)) {
			p->finished = true;
			if (p->log.failure.what)
				r->src->fault = p->log.failure;
		}
	}
	return next_of_rest(p, r, e);
}

static void close_plaidml(void *state, struct reader *r)
{
	struct plaidml *p = state;

	(void)r;
	if (p->log.copy >= 0)
		close(p->log.copy);
	plaidml_tree_free(&p->tree);
	free(p->events);
	buf_free(&p->log.window);
	buf_free(&p->name);
	buf_free(&p->id);
	buf_free(&p->parent);
	buf_free(&p->clock);
	buf_free(&p->args);
}

/* --- recognition --- */

/*
 * Whether the first record has the magic number (correct or not), or begins with an event whose first field is its own
 * id or its parent's id.
 */
static bool is_event_log(struct str head)
{
	uint64_t n, event, id;
	int took = wire_varint(head, &n), more;

	if (took <= 0)
		return false;
	head = str_head(str_from(head, (size_t)took), (size_t)(n < head.n ? n : head.n));
	if (str_starts(head, STR("\x0a\x06\x08")) && n == 8)
		return true;
	if (!str_starts(head, STR("\x12")) || (more = wire_varint(str_from(head, 1), &event)) <= 0 ||
	    event + 1 + (uint64_t)more > n)
		return false;
	head = str_from(head, 1 + (size_t)more);
	return head.n > 1 && (head.p[0] == 0x0a || head.p[0] == 0x12) && wire_varint(str_from(head, 1), &id) == 1 &&
	       id + 2 <= event && id <= 29 && (event > id + 2 || head.p[0] == 0x12);
}

const struct format format_plaidml = {
    .name = "plaidml",
    .help = "event logs of PlaidML and the Tile server (eventlog.gz)",
    .example = "trace2ndjson eventlog.gz",
    .probe = is_event_log,
    .binary = true,
    .run_size = sizeof(struct plaidml_run),
    .options = options,
    .state_size = sizeof(struct plaidml),
    .open = open_plaidml,
    .next = next,
    .close = close_plaidml,
};
