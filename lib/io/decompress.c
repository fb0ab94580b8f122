#define _GNU_SOURCE /* pipe2 */
#include "io/decompress.h"

#include "io/decompress_format.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	CHUNK = DECOMPRESS_HEAD, /* size of the buffer for compressed input, and of each slot of the ring */
	SLOTS = 4,
	/* wait() is called every 200 ms, because signals do not wake a caller that waits for the thread */
	WAKE_MS = 200,
};

/*
 * Decompression takes longer than the rest of the work, so it has its own thread. The thread fills slots, and the
 * caller empties them. `filled` and `emptied` only increase; slot i is ring[i % SLOTS].
 */
struct decompress {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct slot {
		unsigned char *p;
		size_t n;
	} ring[SLOTS];
	size_t filled, emptied;
	size_t taken; /* number of bytes already copied out of the current slot */
	bool done, closed;
	int wake[2]; /* a pipe: closing its write end wakes a thread that waits for input */
	struct decompress_input input;
	const struct decompress_format *format;
	struct fault fault, note;
	/* used by the thread only */
	void *decoder;
	struct decompress_data data;
	unsigned char *in; /* buffer of CHUNK bytes; data.in points into it */
	uint64_t read;     /* total number of bytes read into the buffer */
	bool between;      /* a member has ended, and the bytes after it have not been checked yet */
};

/* --- formats --- */

static const struct decompress_format *const formats[] = {&decompress_gzip, &decompress_zstd};

static int begins(const struct decompress_format *format, const unsigned char *p, size_t n)
{
	const struct decompress_magic *m;
	int r = 0;

	if (!n)
		return -1;
	for (m = format->magics; m < format->magics + 2; m++) {
		if (!m->n || (p[0] & m->mask) != (unsigned char)m->p[0] ||
		    memcmp(p + 1, m->p + 1, (n < m->n ? n : m->n) - 1) != 0)
			continue;
		if (n >= m->n)
			return 1;
		r = -1;
	}
	return r;
}

int decompress_begins(const char *head, size_t n)
{
	int r = 0, one;
	size_t i;

	for (i = 0; i < sizeof formats / sizeof *formats && r <= 0; i++) {
		one = begins(formats[i], (const unsigned char *)head, n);
		r = one ? one : r;
	}
	return r;
}

/* --- functions of the thread */

/* Returns whether input can be read within `timeout` (as in poll()). Returns false after decompress_close(). */
static bool can_read(struct decompress *u, int timeout)
{
	struct pollfd p[2] = {{.fd = u->input.fd, .events = POLLIN}, {.fd = u->wake[0], .events = POLLIN}};
	int r;

	if (u->input.fd < 0)
		return true;
	while ((r = poll(p, 2, timeout)) < 0 && errno == EINTR)
		;
	return r && !p[1].revents;
}

static void set_fault(struct decompress *u, struct fault f)
{
	u->fault = f;
	u->fault.at.byte = u->read - u->data.n;
}

/* Reads more compressed input. Returns 1, or 0 at the end. On failure, sets the fault and returns -1. */
static int refill(struct decompress *u)
{
	struct decompress_data *d = &u->data;
	ssize_t r;

	memmove(u->in, d->in, d->n);
	d->in = u->in;
	r = can_read(u, -1) ? u->input.read(u->input.arg, u->in + d->n, CHUNK - d->n) : 0;
	if (r < 0) {
		set_fault(u, (struct fault){.what = "read error", .error = errno});
		return -1;
	}
	d->n += (size_t)r;
	u->read += (uint64_t)r;
	return r > 0;
}

/* Returns whether more input is needed to decide what follows a member. */
static bool unsure(const struct decompress *u)
{
	return begins(u->format, u->data.in, u->data.n) < 0;
}

/* At the end of a member, returns whether another member follows. Zeros and other garbage are reported. */
static bool next_member(struct decompress *u)
{
	struct decompress_data *d = &u->data;

	while (unsure(u)) {
		if (refill(u) <= 0)
			break;
	}
	if (u->fault.what)
		return false;
	if (begins(u->format, d->in, d->n) > 0) {
		u->format->reset(u->decoder);
		d->full = d->last = false;
		return true;
	}
	if (d->n && u->format->padded)
		u->note = (struct fault){.what = u->format->garbage, .at.byte = u->read - d->n};
	else if (d->n && unsure(u))
		set_fault(u, (struct fault){.what = u->format->cut, .cut = true});
	else if (d->n)
		set_fault(u, (struct fault){.what = u->format->garbage});
	return false;
}

/* Writes at most data.room bytes to data.out. Returns false at the end, or after a failure, which sets u->fault. */
static bool decode(struct decompress *u)
{
	struct decompress_data *d = &u->data;
	enum decompress_step step;
	struct fault f;

	if (u->between && !next_member(u))
		return false;
	u->between = false;
	if (!d->n && !d->full)
		d->last = refill(u) <= 0;
	step = u->format->decode(u->decoder, d, &f);
	d->full = !d->room;
	u->between = step == DECOMPRESS_END;
	/* After a read error, the fault is set already. */
	if (step == DECOMPRESS_FAILED && !u->fault.what)
		set_fault(u, f);
	else if (step == DECOMPRESS_MORE && d->last && !d->full && !u->fault.what)
		set_fault(u, (struct fault){.what = u->format->cut, .cut = true});
	return step == DECOMPRESS_END || (step == DECOMPRESS_MORE && (!d->last || d->full));
}

/* Fills a slot; returns false when it is the last one. */
static bool fill(struct decompress *u, struct slot *slot)
{
	struct decompress_data *d = &u->data;
	bool more = true;

	d->out = slot->p;
	d->room = CHUNK;
	while (d->room && more) {
		/* Before waiting for input, pass on the output that is ready. */
		if (d->room < CHUNK && (u->between ? unsure(u) : !d->n) && !can_read(u, 0))
			break;
		more = decode(u);
	}
	slot->n = CHUNK - d->room;
	return more;
}

static void *run(void *arg)
{
	struct decompress *u = arg;
	struct slot *slot;
	bool more;

	pthread_mutex_lock(&u->lock);
	while (!u->done) {
		slot = &u->ring[u->filled % SLOTS];
		/* When all slots are full, waits until half of them are empty, so that threads change less often. */
		if (u->filled - u->emptied == SLOTS) {
			while (u->filled - u->emptied > SLOTS / 2 && !u->closed)
				pthread_cond_wait(&u->changed, &u->lock);
		}
		if (u->closed)
			break;
		pthread_mutex_unlock(&u->lock);
		more = fill(u, slot);
		pthread_mutex_lock(&u->lock);
		u->filled += slot->n > 0;
		u->done = !more;
		pthread_cond_broadcast(&u->changed);
	}
	pthread_mutex_unlock(&u->lock);
	return NULL;
}

/* --- functions of the caller */

static void end(struct decompress *u, bool started)
{
	size_t i;

	if (started) {
		pthread_mutex_lock(&u->lock);
		u->closed = true;
		pthread_cond_broadcast(&u->changed);
		pthread_mutex_unlock(&u->lock);
	}
	close(u->wake[1]);
	if (started)
		pthread_join(u->thread, NULL);
	close(u->wake[0]);
	u->format->free(u->decoder);
	for (i = 0; i < SLOTS; i++)
		free(u->ring[i].p);
	free(u->in);
	pthread_cond_destroy(&u->changed);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

struct decompress *decompress_open(
    const char *head, size_t n, const struct decompress_input *input, struct fault *fault)
{
	const struct decompress_format *format;
	struct decompress *u;
	sigset_t all, before;
	size_t i = 0;
	int error;

	while (i + 1 < sizeof formats / sizeof *formats && begins(formats[i], (const unsigned char *)head, n) <= 0)
		i++;
	format = formats[i];
	if (!format->new) {
		*fault = (struct fault){.what = format->lacking, .error = FAULT_REFUSED};
		return NULL;
	}
	u = mem_zero(1, sizeof *u);
	u->format = format;
	u->input = *input;
	u->wake[0] = u->wake[1] = -1;
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->changed, NULL);
	for (i = 0; i < SLOTS; i++)
		u->ring[i].p = mem_alloc(CHUNK);
	u->in = mem_alloc(CHUNK);
	memcpy(u->in, head, n);
	u->data.in = u->in;
	u->data.n = n;
	u->read = n;
	u->decoder = u->format->new (format->bits);
	/* Signals are blocked in the new thread, so that they interrupt the reads of the main thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pipe2(u->wake, O_CLOEXEC) != 0 ? errno : pthread_create(&u->thread, NULL, run, u);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		*fault = (struct fault){.what = "cannot start a thread", .error = error};
		end(u, false);
		return NULL;
	}
	return u;
}

/* Waits for a filled slot. Returns 1, or 0 when no more slots will be filled, or -1 when wait() returned false. */
static int await_slot(struct decompress *u)
{
	bool ready, first = true;
	struct timespec until;

	pthread_mutex_lock(&u->lock);
	while (!(ready = u->filled != u->emptied) && !u->done) {
		pthread_mutex_unlock(&u->lock);
		if (!u->input.wait(u->input.arg))
			return -1;
		pthread_mutex_lock(&u->lock);
		if (first) {
			first = false;
			continue;
		}
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += WAKE_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		pthread_cond_timedwait(&u->changed, &u->lock, &until);
	}
	pthread_mutex_unlock(&u->lock);
	return ready;
}

ssize_t decompress_take(struct decompress *u, char *p, size_t n, struct fault *fault, struct fault *note)
{
	int ready = await_slot(u);
	struct slot *slot;

	if (ready < 0)
		return 0;
	if (!ready) {
		*note = u->note;
		*fault = u->fault;
		return u->fault.what ? -1 : 0;
	}
	slot = &u->ring[u->emptied % SLOTS];
	if (n > slot->n - u->taken)
		n = slot->n - u->taken;
	memcpy(p, slot->p + u->taken, n);
	u->taken += n;
	if (u->taken == slot->n) {
		u->taken = 0;
		pthread_mutex_lock(&u->lock);
		u->emptied++;
		if (u->filled - u->emptied == SLOTS / 2)
			pthread_cond_broadcast(&u->changed);
		pthread_mutex_unlock(&u->lock);
	}
	return (ssize_t)n;
}

void decompress_close(struct decompress *u)
{
	end(u, true);
}

/* --- data that is completely in memory --- */

enum { PIECE = 64 * 1024 };

bool decompress_block(enum decompress_block kind, struct str in, size_t max, struct buf *out, struct fault *f)
{
	static const struct decompress_format *const kinds[] = {
	    [DECOMPRESS_BLOCK_ZLIB] = &decompress_zlib,
	    [DECOMPRESS_BLOCK_DEFLATE] = &decompress_deflate,
	    [DECOMPRESS_BLOCK_ZSTD] = &decompress_zstd,
	};
	const struct decompress_format *format = kinds[kind];
	const size_t begin = out->n;
	struct decompress_data d = {0};
	enum decompress_step step = DECOMPRESS_MORE;
	const char *what = NULL;
	size_t n, left;
	void *state;

	if (!format->new) {
		*f = (struct fault){.what = "this build cannot read zstd data (no libzstd)"};
		return false;
	}
	state = format->new (format->bits);
	while (step == DECOMPRESS_MORE && !what) {
		n = in.n < PIECE ? in.n : PIECE;
		d.last = !n;
		left = max - (out->n - begin);
		d.in = (unsigned char *)in.p;
		d.n = n;
		/* The byte after the last allowed one shows that the content is larger. */
		d.room = left < PIECE ? left + 1 : PIECE;
		d.out = (unsigned char *)buf_room(out, d.room);
		step = format->decode(state, &d, f);
		out->n = (size_t)((char *)d.out - out->p);
		in = str_from(in, n - d.n);
		d.full = !d.room;
		if (out->n - begin > max) {
			out->n = begin + max;
			what = "content of compressed data is larger than --max-record";
		} else if (step == DECOMPRESS_MORE && d.last && !d.full) {
			what = "compressed data is cut short";
		}
	}
	format->free(state);
	if (!what && step == DECOMPRESS_FAILED)
		what = "compressed data is damaged";
	if (what)
		*f = (struct fault){.what = what};
	return !what;
}
