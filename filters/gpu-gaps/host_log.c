#include "host_log.h"

#include "io/temp_file.h"

#include <stdlib.h>
#include <unistd.h>

/*
 * A block is full when it has BLOCK bytes. The room for one more interval makes it 8 KiB, the size that a buffer gets
 * when it grows.
 */
enum { BLOCK = 7 * 1024, ROOM = 1000 };

/*
 * A part of the log. It begins with copies of all earlier intervals that last beyond its start, so that a reader that
 * starts at or after `start` needs no earlier block.
 */
struct host_log_block {
	int64_t start;    /* start of the first interval that is not a copy */
	size_t copies;    /* size of the copies in bytes */
	struct buf bytes; /* the intervals; empty when they are in the file */
	uint64_t at;      /* offset in the file */
	size_t n;         /* size of the block in bytes */
};

/* An interval in a block is this head and the name. */
struct host_log_head {
	int64_t start, end;
	uint32_t scope, name;
};

struct host_log {
	size_t memory;
	struct host_log_block *blocks; /* blocks[first..n) are in use, blocks[first..spilt) are in the file */
	size_t first, spilt, n, cap;
	size_t used; /* bytes of the blocks in memory, except the last block */
	int fd;      /* the file, or -1 before the first write */
	uint64_t written;
	struct buf window; /* the block of the file that was read last */
	size_t window_of;  /* the number of this block, or SIZE_MAX */
};

struct host_log *host_log_new(size_t memory)
{
	struct host_log *l = mem_alloc(sizeof *l);

	*l = (struct host_log){.memory = memory, .fd = -1, .window_of = SIZE_MAX};
	return l;
}

void host_log_free(struct host_log *l)
{
	size_t i;

	for (i = l->first; i < l->n; i++)
		buf_free(&l->blocks[i].bytes);
	free(l->blocks);
	if (l->fd >= 0)
		close(l->fd);
	buf_free(&l->window);
	free(l);
}

/* Gets the interval at the offset *at of a block, and moves *at to the next one. */
static struct host_interval interval_at(const char *bytes, size_t *at)
{
	struct host_log_head head;
	const char *name = bytes + *at + sizeof head;

	memcpy(&head, bytes + *at, sizeof head);
	*at += sizeof head + head.name;
	return (struct host_interval){head.start, head.end, head.scope, {name, head.name}};
}

static void put_interval(struct buf *b, const struct host_interval *v)
{
	const size_t name = v->name.n < UINT32_MAX ? v->name.n : UINT32_MAX;
	const struct host_log_head head = {v->start, v->end, v->scope, (uint32_t)name};

	buf_add(b, &head, sizeof head);
	buf_add(b, v->name.p, name);
}

/* --- adding --- */

/* Moves the oldest blocks, except the last one, to the file until the others fit into the memory. */
static bool spill(struct host_log *l, struct fault *f)
{
	while (l->used > l->memory && l->spilt + 1 < l->n) {
		struct host_log_block *block = &l->blocks[l->spilt];

		if (l->fd < 0 && (l->fd = temp_file_open(f)) < 0)
			return false;
		if (l->spilt == l->first) /* the file holds nothing that is still needed */
			l->written = 0;
		if (!temp_file_write(l->fd, block->bytes.p, block->n, l->written, f))
			return false;
		block->at = l->written;
		l->written += block->n;
		l->used -= block->n;
		buf_free(&block->bytes);
		l->spilt++;
	}
	return true;
}

/* Adds a block that begins at `start`, with copies of the intervals of the last block that end later. */
static void add_block(struct host_log *l, int64_t start)
{
	struct host_log_block block = {.start = start};
	const struct host_log_block *last = l->n > l->first ? &l->blocks[l->n - 1] : NULL;
	size_t at = 0;

	buf_room(&block.bytes, BLOCK + ROOM);
	while (last && at < last->n) {
		const struct host_interval v = interval_at(last->bytes.p, &at);

		if (v.end > start)
			put_interval(&block.bytes, &v);
	}
	block.copies = block.n = block.bytes.n;
	if (last)
		l->used += last->n;
	l->blocks = mem_grow(l->blocks, &l->cap, l->n + 1, sizeof *l->blocks);
	l->blocks[l->n++] = block;
}

bool host_log_add(struct host_log *l, const struct host_interval *interval, struct fault *f)
{
	struct host_log_block *last = l->n > l->first ? &l->blocks[l->n - 1] : NULL;

	/* A block with many copies is larger, so that most of its bytes are other intervals. */
	if (!last || (last->n >= BLOCK && last->n / 4 >= last->copies))
		add_block(l, interval->start);
	last = &l->blocks[l->n - 1];
	put_interval(&last->bytes, interval);
	last->n = last->bytes.n;
	return spill(l, f);
}

void host_log_forget(struct host_log *l, int64_t before)
{
	while (l->n - l->first > 1 && l->blocks[l->first + 1].start <= before) {
		struct host_log_block *block = &l->blocks[l->first++];

		if (l->spilt < l->first) {
			l->spilt = l->first;
			l->used -= block->n;
		}
		buf_free(&block->bytes);
	}
	if (!l->first || l->first < l->n - l->first)
		return;
	/* The blocks in use move to the beginning of the array when half of it is not in use any more. */
	memmove(l->blocks, l->blocks + l->first, (l->n - l->first) * sizeof *l->blocks);
	l->n -= l->first;
	l->spilt -= l->first;
	l->first = 0;
	l->window_of = SIZE_MAX;
}

/* --- reading --- */

void host_log_seek(const struct host_log *l, struct host_log_cursor *c, int64_t from)
{
	size_t low = l->first, high = l->n, middle;

	/* finds the last block that starts at or before `from`, or else the first block */
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (l->blocks[middle].start <= from)
			low = middle;
		else
			high = middle;
	}
	*c = (struct host_log_cursor){.from = from, .block = low, .at = 0};
}

/* Returns the bytes of a block; reads them from the file if necessary. Returns NULL, with *f set, on an error. */
static const char *bytes_of(struct host_log *l, size_t i, struct fault *f)
{
	const struct host_log_block *block = &l->blocks[i];

	if (i >= l->spilt)
		return block->bytes.p;
	if (l->window_of != i) {
		l->window.n = 0;
		l->window_of = SIZE_MAX;
		if (!temp_file_read(l->fd, buf_room(&l->window, block->n), block->n, block->at, f))
			return NULL;
		l->window_of = i;
	}
	return l->window.p;
}

int host_log_next(struct host_log *l, struct host_log_cursor *c, struct host_interval *interval, struct fault *f)
{
	const char *bytes;

	while (c->block < l->n) {
		if (c->at >= l->blocks[c->block].n) {
			c->block++;
			c->at = c->block < l->n ? l->blocks[c->block].copies : 0;
			continue;
		}
		bytes = bytes_of(l, c->block, f);
		if (!bytes)
			return -1;
		*interval = interval_at(bytes, &c->at);
		if (interval->end > c->from)
			return 1;
	}
	return 0;
}
