/*
 * content_blocks: the content of a file in blocks. One thread reads them, several threads convert them, and the caller
 * takes them in order. The number of blocks in memory is fixed.
 */
#ifndef CONTENT_BLOCKS_H
#define CONTENT_BLOCKS_H

#include "io/source.h"

#include <pthread.h>

struct content_block {
	struct str text; /* SOURCE_PAD bytes after it are readable */
	uint64_t offset; /* of the text in the content */
	void *result;    /* memory of convert() in this slot of the ring, NULL at first */
	/* Set when the result will not be used: convert() should return soon. */
	atomic_bool dropped;
	/* private */
	bool begins; /* the text begins at a place that cut() found */
	enum content_block_state { BLOCK_FREE, BLOCK_READ, BLOCK_CONVERTING, BLOCK_CONVERTED } state;
	struct buf buf; /* the text, and text of the next block */
};

struct content_job {
	size_t size;    /* of a block in bytes; a block is larger when cut() finds no place */
	size_t threads; /* number of threads that convert */
	/* Returns the offset where the next block can begin, before the end of the text, or 0 if no place is found */
	size_t (*cut)(struct str text);
	/* Converts a block whose beginning was found by cut(); `worker` is different for each thread. */
	void (*convert)(void *worker, struct content_block *k);
	void *const *workers;
	void (*free_result)(void *result);
};

struct content_blocks {
	/* private */
	struct source *from;
	const struct content_job *job;
	pthread_t *threads; /* the last one reads */
	size_t n_threads;
	size_t workers; /* number of workers that have a thread */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct content_block *ring;
	size_t slots, first, read; /* block i is ring[i % slots]; the blocks first .. read - 1 are in memory */
	bool running, ended, closed;
	struct fault fault, note;
	/* For the thread that reads: the text after the place that cut() found in the last block, in its buffer. */
	struct str rest;
};

/*
 * Starts threads that read the content of a source; content_blocks_convert() starts the conversion. Until
 * content_blocks_close(), nothing else may use the source, except its `read` and `size`. Returns false when the threads
 * cannot be started; then nothing has been read.
 */
bool content_blocks_open(struct content_blocks *b, struct source *from, const struct content_job *job);

/*
 * Waits for the first block that is not released. Returns NULL after the last one, and sets *fault and *note as
 * source_more() sets those of a source.
 */
struct content_block *content_blocks_first(struct content_blocks *b, struct fault *fault, struct fault *note);

/* Waits until the first block is converted. Returns false if it is not converted. */
bool content_blocks_await(struct content_blocks *b);

/* Sets `dropped` of the first block. */
void content_blocks_drop(struct content_blocks *b);

/* Gives the first block back. */
void content_blocks_release(struct content_blocks *b);

/*
 * content_blocks_stop() stops the conversion and drops the results of all blocks in memory. After it, the caller may
 * change what convert() uses. content_blocks_convert() starts the conversion of the following blocks.
 */
void content_blocks_stop(struct content_blocks *b);
void content_blocks_convert(struct content_blocks *b);

/* Stops the threads. */
void content_blocks_close(struct content_blocks *b);

#endif
