#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "sort_runs_private.h"

#include "base/err.h"

#include "radix_sort.h"

#include <stdlib.h>
#include <sys/mman.h>

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
	sort_file_close(&r->file);
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
	bool good = sort_file_begin(&r->file, &first, f);
	struct str record;
	size_t i;

	if (good && r->in_order)
		good = sort_file_add(&r->file, r->block, r->used, f);
	for (i = 0; good && !r->in_order && i < r->n; i++) {
		record = record_at(r, item, i);
		good = sort_file_add(&r->file, record.p, record.n, f);
	}
	empty_block(r);
	return good && sort_file_end(&r->file, &last, f);
}

/* Writes a record that is larger than the block as a separate run. */
static bool spill_one(struct sort_runs *r, const struct sort_runs_record *record, struct str line, struct fault *f)
{
	struct sort_runs_key head = {record->ts, record->dur, 0};

	return sort_file_begin(&r->file, &head, f) && sort_file_add(&r->file, record, sizeof *record, f) &&
	       sort_file_add(&r->file, line.p, line.n, f) && sort_file_add(&r->file, "\n", 1, f) &&
	       sort_file_end(&r->file, &head, f);
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
		if (need + 2 * sizeof(struct radix_sort_item) > r->size)
			return spill_one(r, &record, line, f);
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
	struct radix_sort_item *item;
	struct str record;
	size_t i;

	if (r->file.n)
		return (!r->n || spill(r, f)) && sort_file_merge(&r->file, r->block, r->size, o, f);
	item = order_block(r);
	for (i = 0; i < r->n && !o->error; i++) {
		record = str_from(record_at(r, item, i), sizeof(struct sort_runs_record));
		out_str(o, record);
	}
	empty_block(r);
	return true;
}
