#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "io/source.h"

#include "base/num_parse.h"
#include "io/decompress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	WINDOW = 256 * 1024 + PAGE, /* size of the buffer; it grows only when a record needs more */
	/* make_room() moves the window if fewer bytes are free; it enlarges it if fewer than CHUNK / 2 are free */
	CHUNK = 128 * 1024,
	PIPE_SIZE = 1 << 20,
};

static bool go_on(void *arg)
{
	struct source *s = arg;

	return !s->idle || s->idle(s->idle_arg);
}

/* The same as read(2), but repeats a call that fails with EINTR. */
static ssize_t read_some(struct source *s, void *p, size_t n, bool may_idle)
{
	ssize_t r;

	if (n > s->read_most)
		n = s->read_most;
	if (n > s->end - s->read)
		n = (size_t)(s->end - s->read);
	if (may_idle && !s->regular && poll(&(struct pollfd){.fd = s->fd, .events = POLLIN}, 1, 0) == 0 && !go_on(s))
		return 0; /* it would have waited */
	while ((r = read(s->fd, p, n)) < 0 && errno == EINTR) {
		if (may_idle && !go_on(s))
			return 0;
	}
	if (r > 0)
		s->read += (uint64_t)r;
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
	return decompress_take(s->unpack, p, n < s->read_most ? n : s->read_most, &s->fault, &s->note);
}

/* --- the window --- */

struct source *source_open(const char *path, struct fault *fault)
{
	struct source *s = mem_zero(1, sizeof *s);
	const char *limit = getenv("TRACEFILTERS_READ"); /* tests set it to test every buffer boundary */
	bool good, is_stdin = strcmp(path, "-") == 0;
	int64_t most;
	struct stat st;

	s->file = is_stdin ? "stdin" : path;
	s->read_most = limit && num_int(str_of(limit), &most) == NUM_OK && most > 0 ? (size_t)most : SIZE_MAX;
	s->end = UINT64_MAX;
	s->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	good = s->fd >= 0 && fstat(s->fd, &st) == 0;
	if (!good)
		*fault = (struct fault){.what = "cannot open", .error = errno, .at.file = s->file};
	else if (S_ISDIR(st.st_mode))
		*fault = (struct fault){.what = "cannot read", .error = EISDIR, .at.file = s->file};
	if (!good || S_ISDIR(st.st_mode)) {
		source_close(s);
		return NULL;
	}
	s->regular = S_ISREG(st.st_mode);
	s->size = s->regular ? (uint64_t)st.st_size : 0;
#ifdef F_SETPIPE_SZ
	if (S_ISFIFO(st.st_mode))
		(void)fcntl(s->fd, F_SETPIPE_SZ, PIPE_SIZE);
#endif
	s->cap = WINDOW;
	s->buf = mem_alloc(s->cap + SOURCE_PAD);
	memset(s->buf, 0, SOURCE_PAD);
	s->p = s->buf;
	return s;
}

/* The same as read_some(), for the first read: the first bytes show whether the input is compressed. */
static ssize_t read_first(struct source *s, char *p, size_t room)
{
	struct decompress_input input = {read_packed, go_on, s, s->regular ? -1 : s->fd};
	size_t n = 0;
	ssize_t r = 1;

	s->begun = true;
	/* A single byte is never enough to decide. */
	while ((n < 2 || decompress_begins(p, n) < 0) && (r = read_some(s, p + n, DECOMPRESS_HEAD - n, true)) > 0)
		n += (size_t)r;
	if (decompress_begins(p, n) > 0) {
		s->unpack = decompress_open(p, n, &input, &s->fault);
		return s->unpack ? read_unpacked(s, p, room) : -1;
	}
	s->ended = r == 0;
	return n ? (ssize_t)n : r;
}

struct source *source_new(const char *file, struct source_feed feed)
{
	struct source *s = mem_zero(1, sizeof *s);

	s->file = file;
	s->feed = feed;
	s->fd = -1;
	s->read_most = SIZE_MAX;
	s->begun = true;
	s->ended = !feed.read;
	return s;
}

void source_lend(struct source *s, struct str text, uint64_t offset)
{
	s->p = text.p;
	s->n = text.n;
	s->offset = offset;
	s->lent = true;
}

/* Copies a lent window to the buffer. */
static void keep_window(struct source *s)
{
	if (s->cap < s->n + CHUNK) {
		s->cap = s->n + WINDOW;
		s->buf = mem_resize(s->buf, s->cap + SOURCE_PAD, 1);
	}
	memcpy(s->buf, s->p, s->n);
	s->p = s->buf;
	s->lent = false;
}

/*
 * Moves the window to the front of the buffer, so that it ends at a page boundary: some processors copy at a quarter of
 * their speed if the kernel reads into a page from its byte 16 on, since the bytes come from the beginning of a page.
 */
static void move_to_front(struct source *s)
{
	const size_t past = ((uintptr_t)s->buf + s->n) % PAGE, front = past ? PAGE - past : 0;

	memmove(s->buf + front, s->p, s->n);
	s->p = s->buf + front;
}

/* Makes room after the window (moves it to the front, or enlarges the buffer) and returns the free space. */
static size_t make_room(struct source *s)
{
	size_t at;

	if (s->lent)
		keep_window(s);
	at = s->buf ? (size_t)(s->p - s->buf) : 0;
	if (s->buf && (s->n <= PAGE || (at > PAGE && s->cap - at - s->n < CHUNK))) {
		move_to_front(s);
		at = (size_t)(s->p - s->buf);
	}
	if (s->cap - at - s->n < CHUNK / 2) {
		s->cap = s->cap ? 2 * s->cap : WINDOW;
		s->buf = mem_resize(s->buf, s->cap + SOURCE_PAD, 1);
		s->p = s->buf + at;
	}
	return s->cap - at - s->n;
}

/* Reads content that follows the window. Returns the number of bytes, or 0 or -1 as source_more() does. */
static ssize_t read_content(struct source *s, char *p, size_t room)
{
	ssize_t r;

	if (s->feed.read)
		r = s->feed.read(s->feed.arg, p, room, &s->fault, &s->note);
	else
		r = !s->begun   ? read_first(s, p, room)
		    : s->unpack ? read_unpacked(s, p, room)
				: read_some(s, p, room, true);
	if (r > 0)
		return r;
	s->ended = true;
	if (r < 0 && !s->fault.what)
		s->fault = (struct fault){.what = "read error", .error = errno, .at.byte = s->read};
	return r;
}

int source_more(struct source *s)
{
	size_t room;
	ssize_t r;
	char *p;

	if (s->fault.what)
		return -1;
	if (s->ended)
		return 0;
	room = make_room(s);
	p = s->buf + (s->p - s->buf) + s->n;
	r = read_content(s, p, room);
	if (r > 0) {
		s->n += (size_t)r;
		memset(p + r, 0, SOURCE_PAD);
		return 1;
	}
	return r < 0 ? -1 : 0;
}

ssize_t source_take(struct source *s, char *p, size_t n)
{
	ssize_t r;

	if (s->n) {
		n = n < s->n ? n : s->n;
		memcpy(p, s->p, n);
		source_skip(s, n);
		return (ssize_t)n;
	}
	if (s->fault.what)
		return -1;
	if (s->ended)
		return 0;
	r = read_content(s, p, n);
	s->offset += r > 0 ? (size_t)r : 0;
	return r;
}

void source_on_idle(struct source *s, bool (*idle)(void *arg), void *arg)
{
	s->idle = idle;
	s->idle_arg = arg;
}

int source_descriptor(const struct source *s)
{
	/* Standard input may have been at another offset than 0 when the program started. */
	if (!s->regular || !s->begun || s->unpack || lseek(s->fd, 0, SEEK_CUR) != (off_t)s->read)
		return -1;
	return s->fd;
}

bool source_judge(struct source *s, struct diagnostics *t)
{
	s->fault.at.file = s->note.at.file = s->file;
	if (s->fault.what && !s->fault.error)
		diagnostics_add(t, s->fault.cut ? DIAGNOSTICS_CUT : DIAGNOSTICS_LOST, s->fault.what, s->fault.at);
	if (s->note.what)
		diagnostics_add(t, DIAGNOSTICS_REPAIRED, s->note.what, s->note.at);
	return !s->fault.error;
}

void source_close(struct source *s)
{
	if (s->unpack)
		decompress_close(s->unpack);
	if (s->fd >= 0)
		close(s->fd);
	free(s->buf);
	free(s);
}

/* --- a piece of a file --- */

/* The same as pread(2), but repeats a call that fails with EINTR, and uses the free buffer. */
static ssize_t read_at(struct source *s, off_t at)
{
	ssize_t r;

	while ((r = pread(s->fd, s->buf, DECOMPRESS_HEAD, at)) < 0 && errno == EINTR)
		;
	return r;
}

/*
 * Sets *line to the offset of the first line that begins at the offset *line or later; offsets are counted from the
 * offset `base` of the file. Returns false with errno set when the file cannot be read.
 */
static bool find_line(struct source *s, off_t base, uint64_t *line)
{
	uint64_t at = *line;
	const char *newline;
	ssize_t r;

	if (!at--) /* the line begins after a newline, which may be the byte before */
		return true;
	while ((r = read_at(s, base + (off_t)at)) > 0) {
		newline = memchr(s->buf, '\n', (size_t)r);
		if (newline) {
			*line = at + (uint64_t)(newline + 1 - s->buf);
			return true;
		}
		at += (uint64_t)r;
	}
	*line = at;
	return r == 0;
}

bool source_set_piece(struct source *s, struct source_piece piece, struct fault *f)
{
	const off_t base = s->regular ? lseek(s->fd, 0, SEEK_CUR) : 0; /* it may not be 0 for standard input */
	uint64_t n = s->size > (uint64_t)base ? s->size - (uint64_t)base : 0, begin, end;
	ssize_t r;

	*f = (struct fault){
	    .what = "cannot be read in pieces: not a regular file", .error = FAULT_REFUSED, .at.file = s->file};
	if (!s->regular)
		return false;
	r = read_at(s, base);
	f->what = "cannot be read in pieces: compressed; decompress it first";
	if (r > 0 && decompress_begins(s->buf, (size_t)r) > 0)
		return false;
	begin = (uint64_t)((uint128)n * (piece.number - 1) / piece.of);
	end = (uint64_t)((uint128)n * piece.number / piece.of);
	if (r < 0 || !find_line(s, base, &begin) || !find_line(s, base, &end) ||
	    lseek(s->fd, base + (off_t)begin, SEEK_SET) < 0) {
		*f = (struct fault){.what = "read error", .error = errno, .at.file = s->file};
		return false;
	}
	s->offset = begin;
	s->read = begin;
	s->end = piece.number < piece.of ? end : UINT64_MAX;
	s->begun = true; /* it is known to be not compressed */
	return true;
}
