#include "content_blocks.h"

#include "base/mem.h"

#include <signal.h>
#include <stdlib.h>

/* While cut() finds no place, a block grows by up to this many bytes. */
enum { GROWTH = 1 << 20 };

static struct content_block *block_of(struct content_blocks *b, size_t i)
{
	return &b->ring[i % b->slots];
}

/* --- the thread that reads --- */

/* Reads until the block has n bytes. Returns false at the end of the content, or after a fault. */
static bool read_up_to(struct content_blocks *b, struct content_block *k, size_t n)
{
	ssize_t r = 1;

	buf_room(&k->buf, n + SOURCE_PAD - (k->buf.n < n ? k->buf.n : n));
	while (r > 0 && k->buf.n < n) {
		r = source_take(b->from, k->buf.p + k->buf.n, n - k->buf.n);
		k->buf.n += r > 0 ? (size_t)r : 0;
	}
	memset(buf_room(&k->buf, SOURCE_PAD), 0, SOURCE_PAD);
	k->text = buf_str(&k->buf);
	return r > 0;
}

/* Fills a free block, and cuts it where the next one can begin. Returns false when it is the last one. */
static bool fill_block(struct content_blocks *b, struct content_block *k)
{
	const size_t size = b->job->size;
	size_t place;
	bool more;

	k->offset = b->from->offset - b->rest.n;
	k->begins = b->rest.n > 0;
	k->dropped = false;
	k->buf.n = 0;
	buf_add(&k->buf, b->rest.p, b->rest.n);
	more = read_up_to(b, k, size);
	while (more && !(place = b->job->cut(k->text)) && k->text.n < size + GROWTH)
		more = read_up_to(b, k, 2 * k->text.n < size + GROWTH ? 2 * k->text.n : size + GROWTH);
	b->rest = more && place ? str_from(k->text, place) : (struct str){NULL, 0};
	k->text.n -= b->rest.n;
	return more;
}

static void *read_blocks(void *arg)
{
	struct content_blocks *b = arg;
	struct content_block *k;
	bool more = true;

	pthread_mutex_lock(&b->lock);
	while (more) {
		while (b->read - b->first == b->slots && !b->closed)
			pthread_cond_wait(&b->changed, &b->lock);
		if (b->closed)
			break;
		k = block_of(b, b->read);
		pthread_mutex_unlock(&b->lock);
		more = fill_block(b, k);
		pthread_mutex_lock(&b->lock);
		k->state = BLOCK_READ;
		b->read += k->text.n > 0;
		pthread_cond_broadcast(&b->changed);
	}
	/* The caller gets the fault after the last block. */
	b->fault = b->from->fault;
	b->note = b->from->note;
	b->ended = true;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* --- the threads that convert --- */

/* Whether the block waits for its conversion, or is being converted. */
static bool is_pending(const struct content_blocks *b, const struct content_block *k)
{
	return k->state == BLOCK_CONVERTING || (b->running && k->state == BLOCK_READ && k->begins && !k->dropped);
}

/* Waits for a block that can be converted; returns NULL at the end. */
static struct content_block *await_work(struct content_blocks *b)
{
	struct content_block *k;
	size_t i;

	while (!b->closed) {
		for (i = b->first; i < b->read; i++) {
			k = block_of(b, i);
			if (k->state == BLOCK_READ && is_pending(b, k))
				return k;
		}
		pthread_cond_wait(&b->changed, &b->lock);
	}
	return NULL;
}

static void *convert_blocks(void *arg)
{
	struct content_blocks *b = arg;
	struct content_block *k;
	void *worker;

	pthread_mutex_lock(&b->lock);
	worker = b->job->workers[b->workers++];
	while ((k = await_work(b))) {
		k->state = BLOCK_CONVERTING;
		pthread_mutex_unlock(&b->lock);
		b->job->convert(worker, k);
		pthread_mutex_lock(&b->lock);
		k->state = BLOCK_CONVERTED;
		pthread_cond_broadcast(&b->changed);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* --- functions of the caller --- */

/* Starts a thread, with signals blocked, so that they interrupt the caller. */
static bool start_thread(struct content_blocks *b, void *(*run)(void *b))
{
	sigset_t all, before;
	int error;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&b->threads[b->n_threads], NULL, run, b);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	b->n_threads += !error;
	return !error;
}

bool content_blocks_open(struct content_blocks *b, struct source *from, const struct content_job *job)
{
	*b = (struct content_blocks){.from = from, .job = job, .slots = 2 * job->threads + 2};
	b->ring = mem_zero(b->slots, sizeof *b->ring);
	b->threads = mem_zero(job->threads + 1, sizeof *b->threads);
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	while (b->n_threads < job->threads && start_thread(b, convert_blocks))
		;
	if (b->n_threads && start_thread(b, read_blocks))
		return true;
	content_blocks_close(b);
	return false;
}

struct content_block *content_blocks_first(struct content_blocks *b, struct fault *fault, struct fault *note)
{
	struct content_block *k = NULL;

	pthread_mutex_lock(&b->lock);
	while (b->first == b->read && !b->ended)
		pthread_cond_wait(&b->changed, &b->lock);
	if (b->first < b->read) {
		k = block_of(b, b->first);
	} else {
		*fault = b->fault;
		*note = b->note;
	}
	pthread_mutex_unlock(&b->lock);
	return k;
}

bool content_blocks_await(struct content_blocks *b)
{
	struct content_block *k;
	bool converted;

	pthread_mutex_lock(&b->lock);
	k = block_of(b, b->first);
	while (is_pending(b, k))
		pthread_cond_wait(&b->changed, &b->lock);
	converted = k->state == BLOCK_CONVERTED && !k->dropped;
	pthread_mutex_unlock(&b->lock);
	return converted;
}

/* Drops a block and waits until no thread converts it. */
static void abandon(struct content_blocks *b, struct content_block *k)
{
	k->dropped = true;
	while (k->state == BLOCK_CONVERTING)
		pthread_cond_wait(&b->changed, &b->lock);
}

void content_blocks_drop(struct content_blocks *b)
{
	block_of(b, b->first)->dropped = true;
}

void content_blocks_release(struct content_blocks *b)
{
	struct content_block *k = block_of(b, b->first);

	pthread_mutex_lock(&b->lock);
	abandon(b, k);
	k->state = BLOCK_FREE;
	b->first++;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

void content_blocks_stop(struct content_blocks *b)
{
	size_t i;

	pthread_mutex_lock(&b->lock);
	b->running = false;
	for (i = b->first; i < b->read; i++) {
		abandon(b, block_of(b, i));
		block_of(b, i)->state = BLOCK_READ;
		block_of(b, i)->dropped = false;
	}
	pthread_mutex_unlock(&b->lock);
}

void content_blocks_convert(struct content_blocks *b)
{
	pthread_mutex_lock(&b->lock);
	b->running = true;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
}

void content_blocks_close(struct content_blocks *b)
{
	size_t i;

	pthread_mutex_lock(&b->lock);
	b->closed = true;
	for (i = b->first; i < b->read; i++)
		block_of(b, i)->dropped = true;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	for (i = 0; i < b->n_threads; i++)
		pthread_join(b->threads[i], NULL);
	for (i = 0; i < b->slots; i++) {
		if (b->ring[i].result)
			b->job->free_result(b->ring[i].result);
		buf_free(&b->ring[i].buf);
	}
	mem_free(b->ring, b->threads);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
}
