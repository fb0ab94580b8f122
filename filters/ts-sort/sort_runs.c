#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "sort_runs.h"

#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"
#include "io/temp_file.h"
#include "radix_sort.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The head of a record in memory and in the file. The n bytes of the line and its newline follow it. */
struct sort_runs_record {
	int64_t ts, dur;
	uint64_t n;
};

/* A file of consecutive runs, each with its records in order. Zero-initialise. */
struct sort_file {
	bool open;
	int fd;
	struct sort_file_run *list;
	size_t n, cap;
	struct sort_runs_key last; /* the last key of the last run */
	uint64_t end;
	struct buf buffer; /* bytes to write to the file at `end` */
};

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

/* --- the temporary file --- */

static bool flush_buffer(struct sort_file *file, struct fault *f)
{
	if (!temp_file_write(file->fd, file->buffer.p, file->buffer.n, file->end, f))
		return false;
	file->end += file->buffer.n;
	file->buffer.n = 0;
	return true;
}

static bool file_add(struct sort_file *file, const void *p, size_t n, struct fault *f)
{
	if (file->buffer.n + n > BUFFER && !flush_buffer(file, f))
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

/*
 * Write a run: the records that are added between begin and end, in order. If `first`, the key of its first record,
 * does not come before the last key of the previous run, the new run is appended to that run.
 */
static bool file_begin_run(struct sort_file *file, const struct sort_runs_key *first, struct fault *f)
{
	if (!file->open && (file->fd = temp_file_open(f)) < 0)
		return false;
	file->open = true;
	if (!file->n || sort_runs_key_before(first, &file->last))
		add_run(file);
	return true;
}

static bool file_end_run(struct sort_file *file, const struct sort_runs_key *last, struct fault *f)
{
	file->last = *last;
	file->list[file->n - 1].end = file->end + file->buffer.n;
	return flush_buffer(file, f);
}

static void file_close(struct sort_file *file)
{
	if (file->open)
		close(file->fd);
	free(file->list);
	buf_free(&file->buffer);
	*file = (struct sort_file){0};
}

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
};

/* The line passes through the buffer in pieces, so that its length is not limited. */
static bool write_record(struct run_merge *m, struct sort_file_reader *in, struct fault *f)
{
	uint64_t left = in->record.n;
	size_t n;

	if (!m->out && !file_add(m->to, &in->record, sizeof in->record, f))
		return false;
	while (left) {
		n = in->to - in->from < left ? in->to - in->from : (size_t)left;
		if (m->out)
			out_add(m->out, in->p + in->from, n);
		else if (!file_add(m->to, in->p + in->from, n, f))
			return false;
		in->from += n;
		left -= n;
		if (left && !refill(m->from->fd, in, f))
			return false;
	}
	return true;
}

static bool merge_runs(struct run_merge *m, const struct sort_file_run *list, size_t n, struct fault *f)
{
	size_t i, cap = m->size / n / 4096 * 4096;
	struct sort_file_reader *in;
	bool good = true;
	int more;

	cap = cap > READ_MOST ? READ_MOST : cap;
	m->in = mem_zero(n, sizeof *m->in);
	m->next = mem_zero(n, sizeof *m->next);
	for (i = 0; good && i < n; i++) {
		m->in[i] = (struct sort_file_reader){.left = list[i], .p = m->room + i * cap, .cap = cap};
		good = next_record(m->from->fd, &m->in[i], f) > 0;
		m->next[i] = (struct sort_runs_key){m->in[i].record.ts, m->in[i].record.dur, i};
		heap_sift_up(m->next, i + 1, sizeof *m->next, sort_runs_key_before);
	}
	while (good && n && !(m->out && m->out->error)) {
		in = &m->in[m->next[0].source];
		good = write_record(m, in, f) && (more = next_record(m->from->fd, in, f)) >= 0;
		if (!good)
			break;
		if (more)
			m->next[0] = (struct sort_runs_key){in->record.ts, in->record.dur, m->next[0].source};
		else
			m->next[0] = m->next[--n];
		heap_sift_down(m->next, n, sizeof *m->next, sort_runs_key_before);
	}
	mem_free(m->in, m->next);
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
	good = good && flush_buffer(&to, f);
	file_close(from);
	*from = to;
	m->to = NULL;
	return good;
}

/* --- the block of records in memory --- */

enum {
	HUGE_PAGE = 2 << 20,
	AHEAD = 6, /* distance in records from the record that is copied to the one that is prefetched */
};

/*
 * Records are stored at the start of the block, in input order. The block ends with an array of items, one for each
 * record. This array grows downwards, so the item of the first record is the last one in memory. The free space between
 * the records and the items is always at least as large as the items, because sorting uses it as scratch space. A full
 * block is sorted and becomes a run in the file. The runs are merged at the end, and the block is then used as the read
 * buffer.
 */
struct sort_runs {
	char *block;
	size_t size, used, n;
	bool in_order; /* the records of the block are in order */
	struct sort_runs_key last;
	struct sort_file file;
};

struct sort_runs *sort_runs_new(size_t memory)
{
	struct sort_runs *r = mem_zero(1, sizeof *r);

	r->size = (memory < SORT_RUNS_LEAST ? SORT_RUNS_LEAST : memory) / sizeof(struct radix_sort_item) *
		  sizeof(struct radix_sort_item);
	/* Unused pages take no memory; huge pages are faster. */
	r->block = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (r->block == MAP_FAILED)
		die("out of memory: cannot allocate %zu bytes; use a smaller -S", r->size);
#ifdef MADV_HUGEPAGE
	if (r->size >= 8 * (size_t)HUGE_PAGE)
		madvise(r->block, r->size, MADV_HUGEPAGE);
#endif
	r->in_order = true;
	return r;
}

void sort_runs_free(struct sort_runs *r)
{
	munmap(r->block, r->size);
	file_close(&r->file);
	free(r);
}

static struct radix_sort_item *items(const struct sort_runs *r)
{
	return (struct radix_sort_item *)(void *)(r->block + r->size) - r->n;
}

static struct sort_runs_key head_at(const struct sort_runs *r, const struct radix_sort_item *item)
{
	struct sort_runs_record record;

	memcpy(&record, r->block + item->at, sizeof record);
	return (struct sort_runs_key){record.ts, record.dur, 0};
}

/* Sorts items of equal ts, and thus equal keys, by descending dur. To do this, replaces the keys of these items. */
static void order_ties(struct sort_runs *r, struct radix_sort_item *item, struct radix_sort_item *scratch)
{
	size_t i, j, k;

	for (i = 0; i < r->n; i = j) {
		for (j = i + 1; j < r->n && item[j].key == item[i].key; j++)
			;
		if (j == i + 1)
			continue;
		for (k = i; k < j; k++)
			item[k].key = ~radix_sort_key(head_at(r, &item[k]).dur);
		radix_sort(item + i, scratch, j - i);
	}
}

/* Returns the items in the order of their records. */
static struct radix_sort_item *order_block(struct sort_runs *r)
{
	struct radix_sort_item *item = items(r), *scratch = item - r->n, swap;
	size_t i;

	for (i = 0; i < r->n / 2; i++) {
		swap = item[i];
		item[i] = item[r->n - 1 - i];
		item[r->n - 1 - i] = swap;
	}
	if (!r->in_order) {
		radix_sort(item, scratch, r->n);
		order_ties(r, item, scratch);
	}
	return item;
}

/* Returns the record (head and line) of an item, and prefetches the record that comes AHEAD items later. */
static struct str record_at(const struct sort_runs *r, const struct radix_sort_item *item, size_t i)
{
	const char *p = r->block + item[i].at;
	struct sort_runs_record record;

	if (i + AHEAD < r->n) {
		__builtin_prefetch(r->block + item[i + AHEAD].at);
		__builtin_prefetch(r->block + item[i + AHEAD].at + 64);
		__builtin_prefetch(r->block + item[i + AHEAD].at + 128);
	}
	memcpy(&record, p, sizeof record);
	return (struct str){p, sizeof record + (size_t)record.n};
}

static void empty_block(struct sort_runs *r)
{
	r->used = r->n = 0;
	r->in_order = true;
}

/* Writes the block to the file as a run. */
static bool spill(struct sort_runs *r, struct fault *f)
{
	struct radix_sort_item *item = order_block(r);
	struct sort_runs_key first = head_at(r, &item[0]), last = head_at(r, &item[r->n - 1]);
	bool good = file_begin_run(&r->file, &first, f);
	struct str record;
	size_t i;

	if (good && r->in_order)
		good = file_add(&r->file, r->block, r->used, f);
	for (i = 0; good && !r->in_order && i < r->n; i++) {
		record = record_at(r, item, i);
		good = file_add(&r->file, record.p, record.n, f);
	}
	empty_block(r);
	return good && file_end_run(&r->file, &last, f);
}

bool sort_runs_add(struct sort_runs *r, int64_t ts, int64_t dur, struct str line, struct fault *f)
{
	const struct sort_runs_record record = {ts, dur, line.n + 1};
	const struct sort_runs_key head = {ts, dur, 0};
	size_t need = sizeof record + line.n + 1;
	char *p;

	if (need > r->size || r->used + need + (r->n + 1) * 2 * sizeof(struct radix_sort_item) > r->size) {
		if (r->n && !spill(r, f))
			return false;
		if (need + 2 * sizeof(struct radix_sort_item) > r->size) /* the record is a separate run */
			return file_begin_run(&r->file, &head, f) && file_add(&r->file, &record, sizeof record, f) &&
			       file_add(&r->file, line.p, line.n, f) && file_add(&r->file, "\n", 1, f) &&
			       file_end_run(&r->file, &head, f);
	}
	r->in_order &= !r->n || !sort_runs_key_before(&head, &r->last);
	r->last = head;
	p = r->block + r->used;
	memcpy(p, &record, sizeof record);
	memcpy(p + sizeof record, line.p, line.n);
	p[need - 1] = '\n';
	r->n++;
	*items(r) = (struct radix_sort_item){radix_sort_key(ts), r->used};
	r->used += need;
	return true;
}

bool sort_runs_write(struct sort_runs *r, struct out *o, struct fault *f)
{
	struct run_merge m = {.from = &r->file, .room = r->block, .size = r->size};
	struct radix_sort_item *item;
	struct str record;
	size_t fan = r->size / READ_GOOD, i;

	if (r->file.n) {
		fan = fan < FAN_LEAST ? FAN_LEAST : fan > FAN_MOST ? FAN_MOST : fan;
		if (r->n && !spill(r, f))
			return false;
		while (r->file.n > fan) {
			if (!merge_pass(&m, fan, f))
				return false;
		}
		m.out = o;
		return merge_runs(&m, r->file.list, r->file.n, f);
	}
	item = order_block(r);
	for (i = 0; i < r->n && !o->error; i++) {
		record = str_from(record_at(r, item, i), sizeof(struct sort_runs_record));
		out_str(o, record);
	}
	empty_block(r);
	return true;
}
