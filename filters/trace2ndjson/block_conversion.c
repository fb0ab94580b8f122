#define _GNU_SOURCE /* sched_getaffinity */
#include "block_conversion.h"

#include "base/num_parse.h"
#include "content_blocks.h"
#include "conversion.h"
#include "progress.h"
#include "trace2ndjson/formats/format.h"

#include <sched.h>
#include <stdlib.h>

/* The size of a block, and the largest number of threads. */
enum { SIZE = 2 << 20, MOST_THREADS = 256 };

/* The records of several events that follow each other, and the event after them if it must be read in order. */
struct stretch {
	uint64_t end, next; /* offsets of the end of the stretch, and of the end of that event; the same without one */
	size_t written;     /* length of the output up to the end of the stretch */
	uint64_t records;
	struct diagnostics *diagnostics; /* NULL if nothing was counted */
};

/* The result of a block: its stretches, from its first byte on. The last one ends where the thread stopped. */
struct block_result {
	struct out out;
	struct stretch *list;
	size_t n, cap;
};

/* The reader and the writer of a thread that converts blocks. */
struct part_reader {
	struct conversion_file file;
	struct source *src;
	struct record_writer writer;
	struct diagnostics diagnostics; /* of the events after the last place */
	uint64_t records;               /* number of records after the last place */
	size_t most;                    /* a block is left when its output has this many bytes */
};

struct block_conversion {
	struct conversion *conversion;
	struct conversion_file file;
	const struct format_parts *parts;
	struct source *src; /* the source of file.reader: its content is that of the blocks */
	struct content_blocks blocks;
	struct content_job job;
	struct part_reader **workers;
	bool begun; /* the conversion of blocks has begun, with the rank in `rank` */
	struct buf rank;
	uint64_t fed;  /* offset up to which src has got the content */
	uint64_t next; /* offset at which a block may begin or end */
};

/* --- on each thread --- */

static void clear(struct block_result *b)
{
	struct stretch *s;

	for (s = b->list; s < b->list + b->n; s++) {
		if (s->diagnostics)
			diagnostics_free(s->diagnostics);
		free(s->diagnostics);
	}
	b->n = b->out.n = 0;
}

static struct stretch *add_stretch(struct block_result *b, uint64_t at)
{
	b->list = mem_grow(b->list, &b->cap, b->n + 1, sizeof *b->list);
	b->list[b->n] = (struct stretch){.end = at, .next = at, .written = b->out.n};
	return &b->list[b->n++];
}

/* Adds the events up to a place to the stretch. */
static void extend(struct part_reader *p, struct stretch *s, uint64_t place, size_t written)
{
	s->end = s->next = place;
	s->written = written;
	s->records += p->records;
	p->records = 0;
	if (!p->diagnostics.n)
		return;
	if (!s->diagnostics)
		s->diagnostics = mem_zero(1, sizeof *s->diagnostics);
	diagnostics_merge(s->diagnostics, &p->diagnostics);
	diagnostics_free(&p->diagnostics);
}

/* Reads the part of a block up to its end, or up to an event that may need the text after it. */
static void read_part(struct part_reader *p, const struct content_block *k, struct block_result *b)
{
	const struct format_parts *parts = p->file.format->parts;
	struct stretch *s = add_stretch(b, k->offset);
	bool at_place = true;
	size_t steps = 0;
	struct event e;
	uint64_t place;
	int made;

	p->records = 0;
	/* If many events must be read in order, the reader of the file is faster without this thread. */
	while (!k->dropped && b->out.n < p->most && b->n <= 64 + steps++ / 8 &&
	       (made = parts->step(p->file.state, &p->file.reader, &e)) >= 0) {
		if (made == FORMAT_ORDERED && !at_place)
			break;
		if (made == 1) {
			p->records++;
			record_writer_put(&p->writer, &p->file.reader, &e);
		}
		at_place = parts->place(p->file.state, &p->file.reader, &place);
		if (made == FORMAT_ORDERED) {
			if (!at_place)
				break;
			s->next = place;
			diagnostics_free(&p->diagnostics);
			s = add_stretch(b, place);
		} else if (at_place) {
			extend(p, s, place, b->out.n);
		}
	}
}

static void convert(void *worker, struct content_block *k)
{
	struct part_reader *p = worker;
	struct block_result *b = k->result;

	if (!b) {
		k->result = b = mem_zero(1, sizeof *b);
		b->out.held = true;
	}
	clear(b);
	p->writer.out = &b->out;
	source_lend(p->src, k->text, k->offset);
	p->file.format->parts->open(p->file.state, &p->file.reader);
	read_part(p, k, b);
	diagnostics_free(&p->diagnostics);
}

static void free_result(void *result)
{
	struct block_result *b = result;

	clear(b);
	mem_free(b->list, b->out.p, b);
}

static struct part_reader *open_worker(const struct block_conversion *b)
{
	struct part_reader *p = mem_zero(1, sizeof *p);

	p->file.format = b->file.format;
	p->file.state = mem_zero(1, p->file.format->state_size);
	p->file.reader.draft = mem_zero(1, sizeof *p->file.reader.draft);
	p->src = source_new(b->src->file, (struct source_feed){NULL, NULL});
	p->most = 2 * b->job.size;
	p->writer = (struct record_writer){.conversion = b->conversion, .diagnostics = &p->diagnostics};
	return p;
}

/* Lets a worker, which must not be running, read like the reader of the file. */
static void adapt_worker(const struct block_conversion *b, struct part_reader *p)
{
	const struct relative *relative = &b->conversion->writer.relative;
	struct reader *r = &p->file.reader;
	const struct reader own = *r;

	*r = b->file.reader;
	r->src = p->src;
	r->diagnostics = &p->diagnostics;
	r->draft = own.draft;
	r->names = own.names;
	r->repaired = own.repaired;
	if (r->rank.p)
		r->rank = buf_str(&b->rank);
	p->writer.relative.on = relative->on;
	p->writer.relative.known = relative->known;
	p->writer.relative.origin = relative->origin;
}

static void close_worker(struct part_reader *p)
{
	conversion_close(&p->file);
	diagnostics_free(&p->diagnostics);
	record_writer_free(&p->writer);
	source_close(p->src);
	free(p);
}

/* --- on the caller's thread --- */

static uint64_t end_of(const struct content_block *k)
{
	return k->offset + k->text.n;
}

/* The function of b->src that gives the content which follows its window. Releases blocks of which it has given all. */
static ssize_t feed(void *arg, char *p, size_t n, struct fault *fault, struct fault *note)
{
	enum { MOST = 64 * 1024 }; /* most calls need only the end of one event */
	struct block_conversion *b = arg;
	struct content_block *k;
	struct str rest;

	while ((k = content_blocks_first(&b->blocks, fault, note)) && end_of(k) <= b->fed)
		content_blocks_release(&b->blocks);
	if (!k)
		return fault->what ? -1 : 0;
	rest = str_head(str_from(k->text, (size_t)(b->fed - k->offset)), n < MOST ? n : MOST);
	memcpy(p, rest.p, rest.n);
	b->fed += rest.n;
	return (ssize_t)rest.n;
}

/* Makes part of a block, from `from` on, the window of b->src. */
static void lend(struct block_conversion *b, const struct content_block *k, uint64_t from, uint64_t to)
{
	const struct str rest = str_from(k->text, (size_t)(from - k->offset));

	source_lend(b->src, str_head(rest, (size_t)(to - from)), from);
	b->fed = to;
}

/* Reads the event from s->end to s->next. Returns false if the reader is not at a place after it. */
static bool read_ordered(struct block_conversion *b, const struct content_block *k, const struct stretch *s)
{
	struct conversion_file *f = &b->file;
	struct event e;
	uint64_t place;

	lend(b, k, s->end, s->next);
	lines_restart(&f->reader.lines, s->end);
	if (b->parts->step(f->state, &f->reader, &e) > 0)
		conversion_put(b->conversion, f, &e);
	if (b->parts->place(f->state, &f->reader, &place) && place == s->next)
		return true;
	if (b->fed == s->next) /* continue in the rest of the block */
		lend(b, k, b->src->offset, end_of(k));
	return false;
}

/* Writes the result of a converted block, and continues after it. */
static void take_result(struct block_conversion *b, const struct content_block *k)
{
	const struct block_result *result = k->result;
	struct conversion *c = b->conversion;
	const struct stretch *s, *last = result->list + result->n - 1;
	size_t from = 0;

	for (s = result->list; s <= last && !c->out.error; from = s++->written) {
		out_add(&c->out, result->out.p + from, s->written - from);
		if (s->diagnostics)
			diagnostics_merge(&c->diagnostics, s->diagnostics);
		progress_events(&c->progress, s->records, b->file.at, b->file.reader.file);
		if (s->next > s->end && !read_ordered(b, k, s))
			return;
	}
	lend(b, k, last->next, end_of(k));
	lines_restart(&b->file.reader.lines, last->next);
}

/* Begins the conversion of blocks, or begins it again if the rank has changed. */
static bool begin(struct block_conversion *b)
{
	const struct relative *relative = &b->conversion->writer.relative;
	const struct str rank = b->file.reader.rank;
	size_t i;

	if (relative->on && !relative->known)
		return false;
	if (b->begun && str_eq(rank, buf_str(&b->rank)))
		return true;
	content_blocks_stop(&b->blocks);
	b->rank.n = 0;
	buf_add(&b->rank, rank.p, rank.n);
	for (i = 0; i < b->job.threads; i++)
		adapt_worker(b, b->workers[i]);
	content_blocks_convert(&b->blocks);
	return b->begun = true;
}

/*
 * To be called when the reader is at a place. If a block begins there, writes its records. Returns false if the reader
 * must read on.
 */
static bool take_block(struct block_conversion *b, uint64_t place)
{
	struct content_block *k;
	bool taken;

	if (!begin(b))
		return false;
	while ((k = content_blocks_first(&b->blocks, &b->src->fault, &b->src->note)) && end_of(k) <= place) {
		lines_restart(&b->file.reader.lines, place); /* the window does not reach into the block any more */
		content_blocks_release(&b->blocks);
	}
	b->next = !k ? UINT64_MAX : k->offset > place ? k->offset : end_of(k);
	if (!k || k->offset > place)
		return false;
	taken = k->offset == place && content_blocks_await(&b->blocks);
	if (taken)
		take_result(b, k);
	/* If the conversion stopped before the end of the block, the reader reads the rest. */
	content_blocks_drop(&b->blocks);
	return taken;
}

static void read_file(struct block_conversion *b)
{
	struct conversion_file *f = &b->file;
	struct event e;
	uint64_t place;
	int made = 0;

	while (made >= 0 && !b->conversion->out.error) {
		if (b->parts->place(f->state, &f->reader, &place) && place >= b->next && take_block(b, place))
			continue;
		made = b->parts->step(f->state, &f->reader, &e);
		if (made > 0)
			conversion_put(b->conversion, f, &e);
	}
}

/* Returns the size of a block. TRACEFILTERS_BLOCK sets it for tests. */
static size_t block_size(void)
{
	const char *set = getenv("TRACEFILTERS_BLOCK");
	int64_t size;

	return set && num_int(str_of(set), &size) == NUM_OK && size > 0 && size <= 1 << 30 ? (size_t)size : SIZE;
}

/* Returns the number of threads that are useful for a file; 0 if it cannot be read in blocks. */
static size_t thread_count(
    const struct conversion *c, const struct source *src, const struct format *format, size_t size)
{
	/* Compressed content may be this many times larger. */
	const uint64_t blocks = (source_descriptor(src) < 0 ? 30 : 1) * src->size / size;
	uint64_t n = (uint64_t)c->threads;
	cpu_set_t cores;

	if (!n)
		n = sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint64_t)CPU_COUNT(&cores) : 1;
	if (n > MOST_THREADS)
		n = MOST_THREADS;
	/* src->size is 0 for pipes: their records are written without delay. */
	return !format->parts || n < 2 || !blocks ? 0 : n < blocks ? (size_t)n : (size_t)blocks;
}

void block_conversion_read(struct conversion *c, struct source *src, const char *path, enum recognise_format number)
{
	struct block_conversion b = {.conversion = c, .parts = recognise_formats[number]->parts, .fed = src->offset};
	bool started;
	size_t i;

	b.job = (struct content_job){
	    .size = block_size(), .cut = b.parts ? b.parts->cut : NULL, .convert = convert, .free_result = free_result};
	b.job.threads = thread_count(c, src, recognise_formats[number], b.job.size);
	if (!b.job.threads) {
		conversion_read(c, src, path, number);
		return;
	}
	event_prepare();
	b.src = source_new(src->file, (struct source_feed){feed, &b});
	b.src->offset = src->offset;
	conversion_open(c, &b.file, b.src, path, number);
	b.file.at = src;
	b.workers = mem_zero(b.job.threads, sizeof *b.workers);
	for (i = 0; i < b.job.threads; i++)
		b.workers[i] = open_worker(&b);
	b.job.workers = (void *const *)b.workers;
	source_on_idle(src, NULL, NULL);
	started = content_blocks_open(&b.blocks, src, &b.job);
	if (started)
		read_file(&b);
	conversion_close(&b.file);
	if (started) {
		content_blocks_close(&b.blocks);
		src->fault = b.src->fault;
		src->note = b.src->note;
	}
	for (i = 0; i < b.job.threads; i++)
		close_worker(b.workers[i]);
	free(b.workers);
	source_close(b.src);
	buf_free(&b.rank);
	if (!started)
		conversion_read(c, src, path, number);
}
