#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "io/source.h"

#include "base/int_math.h"
#include "base/mem.h"
#include "base/num_parse.h"
#include "io/decompress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct source_private {
	int fd;
	char *buf; /* the buffer of the window: cap bytes, followed by SOURCE_PAD bytes */
	size_t cap, read_most;
	bool regular, begun, ended;
	struct decompress *unpack; /* NULL when the input is not compressed */
	atomic_uint_fast64_t read;
	uint64_t size;
	uint64_t end; /* reading ends when `read` is this; UINT64_MAX: at the end of the file */
	bool (*idle)(void *arg);
	void *idle_arg;
};

enum {
	WINDOW = 256 * 1024, /* size of the buffer; it grows only when a record needs more */
	/*
	 * make_room() moves the window if fewer bytes are free; it enlarges the buffer if fewer than CHUNK / 2 are free
	 */
	CHUNK = 128 * 1024,
	PIPE_SIZE = 1 << 20,
};

/* Returns the maximum size of a read. Tests set TRACEFILTERS_READ to test every buffer boundary. */
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

static bool go_on(void *arg)
{
	struct source_private *in = arg;

	return !in->idle || in->idle(in->idle_arg);
}

/*
 * The same as read(2), but repeats a call that fails with EINTR: returns the number of bytes read, 0 at the end, -1
 * with errno set.
 */
static ssize_t read_some(struct source_private *in, void *p, size_t n, bool may_idle)
{
	ssize_t r;

	if (n > in->read_most)
		n = in->read_most;
	if (n > in->end - in->read)
		n = (size_t)(in->end - in->read);
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

/* --- compressed input --- */

/* The function that the decompression thread calls to read its input. */
static ssize_t read_packed(void *arg, void *p, size_t n)
{
	return read_some(arg, p, n, false);
}

/* The same as read_some(), for the content of compressed input. */
static ssize_t read_unpacked(struct source *s, char *p, size_t n)
{
	return decompress_take(s->in->unpack, p, n < s->in->read_most ? n : s->in->read_most, &s->fault, &s->note);
}

/* --- the window --- */

struct source *source_open(const char *path, struct fault *fault)
{
	struct source *s = mem_zero(1, sizeof *s);
	struct source_private *in = mem_zero(1, sizeof *in);
	struct stat st;

	s->in = in;
	s->file = strcmp(path, "-") == 0 ? "stdin" : path;
	in->read_most = read_limit();
	in->end = UINT64_MAX;
	in->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0 || fstat(in->fd, &st) != 0) {
		*fault = (struct fault){.what = "cannot open", .error = errno, .at.file = s->file};
		goto fail;
	}
	if (S_ISDIR(st.st_mode)) {
		*fault = (struct fault){.what = "cannot read", .error = EISDIR, .at.file = s->file};
		goto fail;
	}
	in->regular = S_ISREG(st.st_mode);
	in->size = in->regular ? (uint64_t)st.st_size : 0;
#ifdef F_SETPIPE_SZ
	if (S_ISFIFO(st.st_mode))
		(void)fcntl(in->fd, F_SETPIPE_SZ, PIPE_SIZE);
#endif
	in->cap = WINDOW;
	in->buf = mem_alloc(in->cap + SOURCE_PAD);
	memset(in->buf, 0, SOURCE_PAD);
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

/*
 * Returns whether more bytes than p[0..n) are needed to decide if a file is compressed; a single byte is never enough.
 */
static bool may_be_compressed(const char *p, size_t n)
{
	return n < 2 || decompress_begins(p, n) < 0;
}

/* The same as read_some(), for the first read: the first bytes show whether the input is compressed. */
static ssize_t read_first(struct source *s, char *p, size_t room)
{
	struct source_private *in = s->in;
	struct decompress_input input = {read_packed, go_on, in, in->regular ? -1 : in->fd};
	size_t n = 0;
	ssize_t r = 1;

	in->begun = true;
	while (may_be_compressed(p, n) && (r = read_some(in, p + n, DECOMPRESS_HEAD - n, true)) > 0)
		n += (size_t)r;
	if (decompress_begins(p, n) > 0) {
		in->unpack = decompress_open(p, n, &input, &s->fault);
		return in->unpack ? read_unpacked(s, p, room) : -1;
	}
	in->ended = r == 0;
	return n ? (ssize_t)n : r;
}

/*
 * Makes room after the window (moves it to the front of the buffer, or enlarges the buffer) and returns the free space.
 */
static size_t make_room(struct source *s)
{
	struct source_private *in = s->in;
	size_t at = (size_t)(s->p - in->buf);

	if (at && (!s->n || in->cap - at - s->n < CHUNK)) {
		memmove(in->buf, s->p, s->n);
		at = 0;
	}
	if (in->cap - at - s->n < CHUNK / 2) {
		in->cap *= 2;
		in->buf = mem_resize(in->buf, in->cap + SOURCE_PAD, 1);
	}
	s->p = in->buf + at;
	return in->cap - at - s->n;
}

int source_more(struct source *s)
{
	struct source_private *in = s->in;
	size_t room;
	ssize_t r;
	char *p;

	if (s->fault.what)
		return -1;
	if (in->ended)
		return 0;
	room = make_room(s);
	p = in->buf + (s->p - in->buf) + s->n;
	r = !in->begun ? read_first(s, p, room) : in->unpack ? read_unpacked(s, p, room) : read_some(in, p, room, true);
	if (r > 0) {
		s->n += (size_t)r;
		memset(p + r, 0, SOURCE_PAD);
		return 1;
	}
	in->ended = true;
	if (r < 0 && !s->fault.what)
		s->fault = (struct fault){.what = "read error", .error = errno, .at.byte = in->read};
	return r < 0 ? -1 : 0;
}

void source_on_idle(struct source *s, bool (*idle)(void *arg), void *arg)
{
	s->in->idle = idle;
	s->in->idle_arg = arg;
}

void source_progress(const struct source *s, uint64_t *done, uint64_t *all)
{
	*done = s->in->read;
	*all = s->in->size;
}

int source_descriptor(const struct source *s)
{
	const struct source_private *in = s->in;

	/* Standard input may have been at another offset than 0 when the program started. */
	if (!in->regular || !in->begun || in->unpack || lseek(in->fd, 0, SEEK_CUR) != (off_t)in->read)
		return -1;
	return in->fd;
}

void source_set_progress(struct source *s, uint64_t done)
{
	s->in->read = done;
}

bool source_judge(struct source *s, struct diagnostics *t)
{
	s->fault.at.file = s->note.at.file = s->file;
	if (s->fault.what && !s->fault.error)
		diagnostics_add(t, DIAGNOSTICS_LOST, s->fault.what, s->fault.at);
	if (s->note.what)
		diagnostics_add(t, DIAGNOSTICS_REPAIRED, s->note.what, s->note.at);
	return !s->fault.error;
}

void source_close(struct source *s)
{
	if (s->in->unpack)
		decompress_close(s->in->unpack);
	close(s->in->fd);
	free(s->in->buf);
	free(s->in);
	free(s);
}

/* --- a piece of a file --- */

/* The same as pread(2), but repeats a call that fails with EINTR, and uses the free buffer. */
static ssize_t read_at(struct source_private *in, off_t at)
{
	ssize_t r;

	while ((r = pread(in->fd, in->buf, DECOMPRESS_HEAD, at)) < 0 && errno == EINTR)
		;
	return r;
}

/*
 * Sets *line to the offset of the first line that begins at the offset *line or later; offsets are counted from the
 * offset `base` of the file. Returns false with errno set when the file cannot be read.
 */
static bool find_line(struct source_private *in, off_t base, uint64_t *line)
{
	uint64_t at = *line;
	const char *newline;
	ssize_t r;

	if (!at--) /* the line begins after a newline, which may be the byte before */
		return true;
	while ((r = read_at(in, base + (off_t)at)) > 0) {
		newline = memchr(in->buf, '\n', (size_t)r);
		if (newline) {
			*line = at + (uint64_t)(newline + 1 - in->buf);
			return true;
		}
		at += (uint64_t)r;
	}
	*line = at;
	return r == 0;
}

bool source_set_piece(struct source *s, struct source_piece piece, struct fault *f)
{
	struct source_private *in = s->in;
	const off_t base = in->regular ? lseek(in->fd, 0, SEEK_CUR) : 0; /* it may not be 0 for standard input */
	uint64_t n = in->size > (uint64_t)base ? in->size - (uint64_t)base : 0, begin, end;
	ssize_t r;

	*f = (struct fault){
	    .what = "cannot be read in pieces: not a regular file", .error = FAULT_REFUSED, .at.file = s->file};
	if (!in->regular)
		return false;
	r = read_at(in, base);
	f->what = "cannot be read in pieces: compressed; decompress it first";
	if (r > 0 && decompress_begins(in->buf, (size_t)r) > 0)
		return false;
	begin = (uint64_t)((uint128)n * (piece.number - 1) / piece.of);
	end = (uint64_t)((uint128)n * piece.number / piece.of);
	if (r < 0 || !find_line(in, base, &begin) || !find_line(in, base, &end) ||
	    lseek(in->fd, base + (off_t)begin, SEEK_SET) < 0) {
		*f = (struct fault){.what = "read error", .error = errno, .at.file = s->file};
		return false;
	}
	s->offset = begin;
	in->read = begin;
	in->end = piece.number < piece.of ? end : UINT64_MAX;
	in->begun = true; /* it is known to be not compressed */
	return true;
}
