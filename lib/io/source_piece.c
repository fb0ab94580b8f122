/* source_piece: pieces of a file that begin and end between lines. */
#include "base/int_math.h"
#include "io/source_private.h"

#include <errno.h>
#include <unistd.h>

/* The same as pread(2), but repeats a call that fails with EINTR, and uses the free buffer. */
static ssize_t look(struct source_private *in, off_t at)
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
	while ((r = look(in, base + (off_t)at)) > 0) {
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
	r = look(in, base);
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
