#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "src.h"

#include "mem.h"
#include "num.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum {
	WINDOW = 256 * 1024, /* grows only when one record needs it */
	CHUNK = 128 * 1024,  /* of compressed input, and of each slot of the ring */
	SLOTS = 4,
	PIPE_SIZE = 1 << 20,
	WAKE_MS = 200, /* how often a wait for the inflating thread looks up: a signal does not end it */
};

/*
 * Inflating takes longer than all that follows, so it has a thread: it fills slots, the reader empties
 * them. `filled` and `emptied` only grow; slot i is ring[i % SLOTS].
 */
struct inflater {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct slot {
		unsigned char *p;
		size_t n;
	} ring[SLOTS];
	size_t filled, emptied;
	size_t taken; /* bytes of the slot being emptied that were copied out */
	bool done, closed;
	int wake[2]; /* a pipe: closing its end wakes a thread that waits for input */
	struct fault fault, note;
	/* the thread's own */
	bool between; /* a member has ended, and what comes next was not looked at */
	z_stream z;
	unsigned char *in;
};

struct src_private {
	int fd;
	char *buf; /* the window lies in it: cap bytes and SRC_PAD behind them */
	size_t cap, read_most;
	bool regular, begun, ended, stopped;
	struct inflater *inflater;
	atomic_uint_fast64_t read;
	uint64_t size;
	bool (*idle)(void *arg);
	void *idle_arg;
};

/* Tests set it to sweep every buffer boundary. */
static size_t read_limit(void)
{
	const char *env = getenv("TRACEFILTERS_READ");
	int64_t v;

	return env && num_int(str_of(env), &v) == NUM_OK && v > 0 ? (size_t)v : SIZE_MAX;
}

static bool would_wait(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) == 0;
}

static bool go_on(struct src_private *in)
{
	if (!in->idle || in->idle(in->idle_arg))
		return true;
	in->stopped = true;
	return false;
}

/* read(2) that survives EINTR: bytes read, 0 at the end, -1 with errno. */
static ssize_t read_some(struct src_private *in, void *p, size_t n, bool may_idle)
{
	ssize_t r;

	if (n > in->read_most)
		n = in->read_most;
	if (may_idle && !in->regular && would_wait(in->fd) && !go_on(in))
		return 0;
	while ((r = read(in->fd, p, n)) < 0 && errno == EINTR) {
		if (may_idle && !go_on(in))
			return 0;
	}
	if (r > 0)
		in->read += (uint64_t)r;
	return r;
}

/* --- the inflating thread --- */

static struct slot *free_slot(struct inflater *f)
{
	struct slot *slot = NULL;

	pthread_mutex_lock(&f->lock);
	while (f->filled - f->emptied == SLOTS && !f->closed)
		pthread_cond_wait(&f->changed, &f->lock);
	if (!f->closed)
		slot = &f->ring[f->filled % SLOTS];
	pthread_mutex_unlock(&f->lock);
	return slot;
}

static void publish(struct inflater *f, bool done)
{
	pthread_mutex_lock(&f->lock);
	if (f->ring[f->filled % SLOTS].n && f->filled - f->emptied < SLOTS)
		f->filled++;
	f->done = done;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

/* Offset in the compressed file of the next byte that inflate would take. */
static uint64_t position(struct src *s)
{
	return s->in->read - s->in->inflater->z.avail_in;
}

/* Waits until there is something to read; false when src_close() does not want it any more. */
static bool await_input(struct src_private *in)
{
	struct pollfd p[2] = {{.fd = in->fd, .events = POLLIN}, {.fd = in->inflater->wake[0], .events = POLLIN}};

	if (in->regular)
		return true;
	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	return !p[1].revents;
}

/* More compressed input behind what is left of it: 1, 0 at the end, -1 with the fault set. */
static int refill(struct src *s)
{
	struct inflater *f = s->in->inflater;
	ssize_t r;

	memmove(f->in, f->z.next_in, f->z.avail_in);
	f->z.next_in = f->in;
	r = await_input(s->in) ? read_some(s->in, f->in + f->z.avail_in, CHUNK - f->z.avail_in, false) : 0;
	if (r < 0)
		f->fault = (struct fault){.what = "read error", .error = errno, .byte = position(s)};
	else
		f->z.avail_in += (unsigned)r;
	return r < 0 ? -1 : r > 0;
}

/* After the end of a member: whether another one follows. Zeros or other garbage are told and ignored. */
static bool next_member(struct src *s)
{
	struct inflater *f = s->in->inflater;

	while (f->z.avail_in < 2) {
		if (refill(s) <= 0)
			break;
	}
	if (f->fault.what)
		return false;
	if (f->z.avail_in >= 2 && f->z.next_in[0] == 0x1f && f->z.next_in[1] == 0x8b)
		return inflateReset(&f->z) == Z_OK;
	if (f->z.avail_in)
		f->note = (struct fault){.what = "garbage after the gzip data, ignored", .byte = position(s)};
	return false;
}

/* Fills the slot; false at the end, or with f->fault set. */
static bool fill(struct src *s, struct slot *slot)
{
	struct inflater *f = s->in->inflater;
	int r;

	f->z.next_out = slot->p;
	f->z.avail_out = CHUNK;
	while (f->z.avail_out) {
		/* What is ready is handed on before a wait. */
		if (f->z.avail_in < (f->between ? 2 : 1) && f->z.avail_out < CHUNK && !s->in->regular &&
		    would_wait(s->in->fd))
			break;
		if (f->between) {
			if (!next_member(s)) {
				slot->n = CHUNK - f->z.avail_out;
				return false;
			}
			f->between = false;
		}
		if (!f->z.avail_in) {
			r = refill(s);
			if (r == 0)
				f->fault = (struct fault){.what = "gzip data is cut short, all before was used",
				    .byte = position(s)};
			if (r <= 0)
				break;
		}
		r = inflate(&f->z, Z_NO_FLUSH);
		if (r == Z_STREAM_END) {
			f->between = true;
		} else if (r == Z_MEM_ERROR) {
			f->fault = (struct fault){.what = "inflate", .error = ENOMEM, .byte = position(s)};
			break;
		} else if (r != Z_OK && r != Z_BUF_ERROR) {
			f->fault = (struct fault){.what = "gzip data is damaged (bad CRC or code), all before was used",
			    .byte = position(s)};
			break;
		}
	}
	slot->n = CHUNK - f->z.avail_out;
	return !f->fault.what;
}

static void *inflate_thread(void *arg)
{
	struct src *s = arg;
	struct inflater *f = s->in->inflater;
	struct slot *slot;
	bool more = true;

	while (more && (slot = free_slot(f))) {
		more = fill(s, slot);
		publish(f, !more);
	}
	return NULL;
}

static void stop_inflater(struct inflater *f, bool started)
{
	size_t i;

	if (started) {
		pthread_mutex_lock(&f->lock);
		f->closed = true;
		pthread_cond_broadcast(&f->changed);
		pthread_mutex_unlock(&f->lock);
	}
	close(f->wake[1]);
	if (started)
		pthread_join(f->thread, NULL);
	close(f->wake[0]);
	inflateEnd(&f->z);
	for (i = 0; i < SLOTS; i++)
		free(f->ring[i].p);
	free(f->in);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

/* head[0..n) is what was read to look at the magic. False, with s->fault, when there is no thread to be had. */
static bool start_inflater(struct src *s, const char *head, size_t n)
{
	struct inflater *f = mem_zero(1, sizeof *f);
	sigset_t all, before;
	size_t i;
	int error;

	s->in->inflater = f;
	f->wake[0] = f->wake[1] = -1;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	for (i = 0; i < SLOTS; i++)
		f->ring[i].p = mem_alloc(CHUNK);
	f->in = mem_alloc(CHUNK);
	memcpy(f->in, head, n);
	f->z.next_in = f->in;
	f->z.avail_in = (unsigned)n;
	if (inflateInit2(&f->z, 15 + 16) != Z_OK)
		die("out of memory: inflate");
	/* Signals are for the main thread, whose reads they interrupt. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pipe2(f->wake, O_CLOEXEC) != 0 ? errno : pthread_create(&f->thread, NULL, inflate_thread, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		s->fault = (struct fault){.what = "cannot start a thread", .error = error};
		stop_inflater(f, false);
		s->in->inflater = NULL;
	}
	return !error;
}

/* Waits for a filled slot; false when there will be none. */
static bool await_slot(struct src_private *in)
{
	struct inflater *f = in->inflater;
	bool ready, first = true;
	struct timespec until;

	pthread_mutex_lock(&f->lock);
	while (!(ready = f->filled != f->emptied) && !f->done) {
		pthread_mutex_unlock(&f->lock);
		if (!go_on(in))
			return false;
		pthread_mutex_lock(&f->lock);
		if (first) {
			first = false;
			continue;
		}
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += WAKE_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		pthread_cond_timedwait(&f->changed, &f->lock, &until);
	}
	pthread_mutex_unlock(&f->lock);
	return ready;
}

/* As read_some(), from the ring. */
static ssize_t take_inflated(struct src *s, char *p, size_t n)
{
	struct inflater *f = s->in->inflater;
	struct slot *slot;

	if (!await_slot(s->in)) {
		if (s->in->stopped)
			return 0;
		s->note = f->note;
		s->fault = f->fault;
		return f->fault.what ? -1 : 0;
	}
	slot = &f->ring[f->emptied % SLOTS];
	if (n > slot->n - f->taken)
		n = slot->n - f->taken;
	if (n > s->in->read_most)
		n = s->in->read_most;
	memcpy(p, slot->p + f->taken, n);
	f->taken += n;
	if (f->taken == slot->n) {
		f->taken = 0;
		pthread_mutex_lock(&f->lock);
		f->emptied++;
		pthread_cond_broadcast(&f->changed);
		pthread_mutex_unlock(&f->lock);
	}
	return (ssize_t)n;
}

/* --- the window --- */

struct src *src_open(const char *path, struct fault *fault)
{
	struct src *s = mem_zero(1, sizeof *s);
	struct src_private *in = mem_zero(1, sizeof *in);
	struct stat st;

	s->in = in;
	in->read_most = read_limit();
	in->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0 || fstat(in->fd, &st) != 0) {
		*fault = (struct fault){.what = "cannot open", .error = errno};
		goto fail;
	}
	if (S_ISDIR(st.st_mode)) {
		*fault = (struct fault){.what = "cannot read", .error = EISDIR};
		goto fail;
	}
	in->regular = S_ISREG(st.st_mode);
	in->size = in->regular ? (uint64_t)st.st_size : 0;
#ifdef F_SETPIPE_SZ
	if (S_ISFIFO(st.st_mode))
		(void)fcntl(in->fd, F_SETPIPE_SZ, PIPE_SIZE);
#endif
	in->cap = WINDOW;
	in->buf = mem_alloc(in->cap + SRC_PAD);
	memset(in->buf, 0, SRC_PAD);
	s->p = in->buf;
	return s;
fail:
	if (in->fd >= 0)
		close(in->fd);
	free(in->buf);
	free(in);
	free(s);
	return NULL;
}

/* As read_some(), the first time: two bytes tell gzip from all else. */
static ssize_t read_first(struct src *s, char *p, size_t room)
{
	struct src_private *in = s->in;
	size_t n = 0;
	ssize_t r = 1;

	in->begun = true;
	while (n < 2 && (r = read_some(in, p + n, CHUNK - n, true)) > 0)
		n += (size_t)r;
	if (n >= 2 && p[0] == '\x1f' && p[1] == '\x8b')
		return start_inflater(s, p, n) ? take_inflated(s, p, room) : -1;
	in->ended = r == 0;
	return n ? (ssize_t)n : r;
}

/* Free space behind the window: moves it to the front of the buffer, or makes the buffer larger. */
static size_t make_room(struct src *s)
{
	struct src_private *in = s->in;
	size_t at = (size_t)(s->p - in->buf);

	if (at && (!s->n || in->cap - at - s->n < CHUNK)) {
		memmove(in->buf, s->p, s->n);
		at = 0;
	}
	if (in->cap - at - s->n < CHUNK / 2) {
		in->cap *= 2;
		in->buf = mem_resize(in->buf, in->cap + SRC_PAD, 1);
	}
	s->p = in->buf + at;
	return in->cap - at - s->n;
}

int src_more(struct src *s)
{
	struct src_private *in = s->in;
	size_t room;
	ssize_t r;
	char *p;

	if (s->fault.what)
		return -1;
	if (in->ended)
		return 0;
	room = make_room(s);
	p = in->buf + (s->p - in->buf) + s->n;
	r = !in->begun ? read_first(s, p, room) : in->inflater ? take_inflated(s, p, room) : read_some(in, p, room, true);
	if (r > 0) {
		s->n += (size_t)r;
		memset(p + r, 0, SRC_PAD);
		return 1;
	}
	in->ended = true;
	if (r < 0 && !s->fault.what)
		s->fault = (struct fault){.what = "read error", .error = errno, .byte = in->read};
	return r < 0 ? -1 : 0;
}

void src_on_idle(struct src *s, bool (*idle)(void *arg), void *arg)
{
	s->in->idle = idle;
	s->in->idle_arg = arg;
}

void src_progress(const struct src *s, uint64_t *done, uint64_t *all)
{
	*done = s->in->read;
	*all = s->in->size;
}

void src_close(struct src *s)
{
	if (s->in->inflater)
		stop_inflater(s->in->inflater, true);
	close(s->in->fd);
	free(s->in->buf);
	free(s->in);
	free(s);
}
