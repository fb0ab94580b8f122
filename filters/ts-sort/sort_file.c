#include "sort_runs_private.h"

#include "base/heap.h"
#include "io/temp_file.h"

#include <stdlib.h>
#include <unistd.h>

enum {
	BUFFER = 256 * 1024,   /* size of the write buffer */
	READ_GOOD = 64 * 1024, /* preferred size of the read buffer of each run */
	READ_MOST = 1 << 20,
	FAN_LEAST = 4,
	FAN_MOST = 512, /* maximum number of runs in one merge */
};

struct sort_file_run {
	uint64_t at, end;
};

/* A run during a merge. */
struct sort_file_reader {
	struct sort_file_run left; /* the part of the run that has not been read yet */
	char *p;                   /* a buffer of `cap` bytes; the bytes from offset `from` up to `to` are filled */
	size_t cap, from, to;
	struct sort_runs_record record; /* the record whose line comes next */
};

/* --- writing --- */

static bool flush(struct sort_file *file, struct fault *f)
{
	if (!temp_file_write(file->fd, file->buffer.p, file->buffer.n, file->end, f))
		return false;
	file->end += file->buffer.n;
	file->buffer.n = 0;
	return true;
}

bool sort_file_add(struct sort_file *file, const void *p, size_t n, struct fault *f)
{
	if (file->buffer.n + n > BUFFER && !flush(file, f))
		return false;
	if (n > BUFFER) {
		if (!temp_file_write(file->fd, p, n, file->end, f))
			return false;
		file->end += n;
		return true;
	}
	buf_add(&file->buffer, p, n);
	return true;
}

static void add_run(struct sort_file *file)
{
	file->list = mem_grow(file->list, &file->cap, file->n + 1, sizeof *file->list);
	file->list[file->n++].at = file->end + file->buffer.n;
}

bool sort_file_begin(struct sort_file *file, const struct sort_runs_key *first, struct fault *f)
{
	if (!file->open && (file->fd = temp_file_open(f)) < 0)
		return false;
	file->open = true;
	if (!file->n || sort_runs_key_before(first, &file->last))
		add_run(file);
	return true;
}

bool sort_file_end(struct sort_file *file, const struct sort_runs_key *last, struct fault *f)
{
	file->last = *last;
	file->list[file->n - 1].end = file->end + file->buffer.n;
	return flush(file, f);
}

void sort_file_close(struct sort_file *file)
{
	if (file->open)
		close(file->fd);
	free(file->list);
	buf_free(&file->buffer);
	*file = (struct sort_file){0};
}

/* --- merging --- */

/* Reads more bytes of the run into the buffer, after the unread bytes. */
static bool refill(int fd, struct sort_file_reader *in, struct fault *f)
{
	uint64_t more = in->left.end - in->left.at;

	memmove(in->p, in->p + in->from, in->to - in->from);
	in->to -= in->from;
	in->from = 0;
	if (more > in->cap - in->to)
		more = in->cap - in->to;
	if (!temp_file_read(fd, in->p + in->to, (size_t)more, in->left.at, f))
		return false;
	in->left.at += more;
	in->to += (size_t)more;
	return true;
}

/* Reads the head of the next record. Returns 1, 0 at the end of the run, -1 and sets *f on an error. */
static int next_record(int fd, struct sort_file_reader *in, struct fault *f)
{
	if (in->to - in->from < sizeof in->record && in->left.at < in->left.end && !refill(fd, in, f))
		return -1;
	if (in->to == in->from)
		return 0;
	memcpy(&in->record, in->p + in->from, sizeof in->record);
	in->from += sizeof in->record;
	return 1;
}

/* A merge of runs in the file `from`: writes lines to `out`, or records to the file `to` when `out` is NULL. */
struct run_merge {
	struct sort_file *from, *to;
	struct out *out;
	char *room;
	size_t size;
	struct sort_file_reader *in;
	struct sort_runs_key *next; /* a heap with the next key of each run */
	size_t n;
};

static bool put(struct run_merge *m, const char *p, size_t n, struct fault *f)
{
	if (!m->out)
		return sort_file_add(m->to, p, n, f);
	out_add(m->out, p, n);
	return true;
}

/* The line passes through the buffer in pieces, so that its length is not limited. */
static bool put_record(struct run_merge *m, struct sort_file_reader *in, struct fault *f)
{
	uint64_t left = in->record.n;
	size_t n;

	if (!m->out && !sort_file_add(m->to, &in->record, sizeof in->record, f))
		return false;
	while (left) {
		n = in->to - in->from < left ? in->to - in->from : (size_t)left;
		if (!put(m, in->p + in->from, n, f))
			return false;
		in->from += n;
		left -= n;
		if (left && !refill(m->from->fd, in, f))
			return false;
	}
	return true;
}

static bool merge_loop(struct run_merge *m, struct fault *f)
{
	struct sort_file_reader *in;
	int more;

	while (m->n && !(m->out && m->out->error)) {
		in = &m->in[m->next[0].source];
		if (!put_record(m, in, f) || (more = next_record(m->from->fd, in, f)) < 0)
			return false;
		if (more)
			m->next[0] = (struct sort_runs_key){in->record.ts, in->record.dur, m->next[0].source};
		else
			m->next[0] = m->next[--m->n];
		heap_sift_down(m->next, m->n, sizeof *m->next, sort_runs_key_before);
	}
	return true;
}

static bool merge_runs(struct run_merge *m, const struct sort_file_run *list, size_t n, struct fault *f)
{
	size_t i, cap = m->size / n / 4096 * 4096;
	bool good = true;

	cap = cap > READ_MOST ? READ_MOST : cap;
	m->in = mem_zero(n, sizeof *m->in);
	m->next = mem_zero(n, sizeof *m->next);
	for (i = 0; good && i < n; i++) {
		m->in[i] = (struct sort_file_reader){.left = list[i], .p = m->room + i * cap, .cap = cap};
		good = next_record(m->from->fd, &m->in[i], f) > 0;
		m->next[i] = (struct sort_runs_key){m->in[i].record.ts, m->in[i].record.dur, i};
		heap_sift_up(m->next, i + 1, sizeof *m->next, sort_runs_key_before);
	}
	m->n = n;
	good = good && merge_loop(m, f);
	free(m->in);
	free(m->next);
	return good;
}

/* Merges adjacent runs, `fan` at a time, into another file, which replaces `from`. */
static bool merge_pass(struct run_merge *m, size_t fan, struct fault *f)
{
	struct sort_file *from = m->from, to = {.fd = temp_file_open(f)};
	size_t i, n;
	bool good = to.open = to.fd >= 0;

	m->to = &to;
	for (i = 0; good && i < from->n; i += n) {
		n = from->n - i < fan ? from->n - i : fan;
		add_run(&to);
		good = merge_runs(m, from->list + i, n, f);
		to.list[to.n - 1].end = to.end + to.buffer.n;
	}
	good = good && flush(&to, f);
	sort_file_close(from);
	*from = to;
	m->to = NULL;
	return good;
}

bool sort_file_merge(struct sort_file *file, char *room, size_t size, struct out *o, struct fault *f)
{
	struct run_merge m = {.from = file, .room = room, .size = size};
	size_t fan = size / READ_GOOD;

	fan = fan < FAN_LEAST ? FAN_LEAST : fan > FAN_MOST ? FAN_MOST : fan;
	while (file->n > fan) {
		if (!merge_pass(&m, fan, f))
			return false;
	}
	m.out = o;
	return merge_runs(&m, file->list, file->n, f);
}
