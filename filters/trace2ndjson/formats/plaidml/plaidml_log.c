#include "plaidml.h"

#include "io/temp_file.h"

#include <errno.h>
#include <unistd.h>

enum { BLOCK = 256 * 1024 };

static struct str window(const struct plaidml_log *log)
{
	if (log->src)
		return (struct str){log->src->p, log->src->n};
	if (!log->window.p)
		return STR("");
	return (struct str){log->window.p + log->used, log->window.n - log->used};
}

static void skip(struct plaidml_log *log, size_t n)
{
	if (log->src)
		source_skip(log->src, n);
	else
		log->used += n;
	log->offset += n;
}

/* Reads more bytes at the end of the window; false when there are no more. */
static bool more(struct plaidml_log *log)
{
	uint64_t n = log->size - log->at;

	if (log->src)
		return source_more(log->src) > 0;
	if (n > BLOCK)
		n = BLOCK;
	if (log->used) {
		log->window.n -= log->used;
		memmove(log->window.p, log->window.p + log->used, log->window.n);
		log->used = 0;
	}
	if (!n || log->failure.what ||
	    !temp_file_read(log->copy, buf_room(&log->window, (size_t)n), (size_t)n, log->at, &log->failure))
		return false;
	log->window.n += (size_t)n;
	log->at += n;
	return true;
}

/* Skips a record of n bytes; false when the log ends inside it. */
static bool skip_record(struct plaidml_log *log, uint64_t n)
{
	struct str w;

	for (;;) {
		w = window(log);
		if (w.n >= n) {
			skip(log, (size_t)n);
			return true;
		}
		skip(log, w.n);
		n -= w.n;
		if (!more(log))
			return false;
	}
}

static int lost(struct plaidml_log *log, const char *what, uint64_t at, bool ended, struct fault *f)
{
	log->ended = ended;
	*f = (struct fault){.what = what, .at.byte = at};
	return -1;
}

int plaidml_log_next(struct plaidml_log *log, size_t max, struct str *record, struct fault *f)
{
	const uint64_t at = log->offset;
	uint64_t n;
	int took;

	if (log->ended)
		return 0;
	while ((took = wire_varint(window(log), &n)) == 0) {
		if (more(log))
			continue;
		log->ended = true;
		return window(log).n ? lost(log, "log ends inside the length of a record", at, true, f) : 0;
	}
	if (took < 0)
		return lost(log, "length of a record has more than 10 bytes or 64 bits; reading stopped", at, true, f);
	skip(log, (size_t)took);
	if (n > max) {
		if (!skip_record(log, n))
			return lost(log, "record is longer than the rest of the log; skipped", at, true, f);
		return lost(log, "record larger than --max-record; skipped", at, false, f);
	}
	while (window(log).n < n) {
		if (!more(log))
			return lost(log, "record is longer than the rest of the log; skipped", at, true, f);
	}
	*record = str_head(window(log), (size_t)n);
	skip(log, (size_t)n);
	return 1;
}

int plaidml_log_copy(struct source *src, uint64_t *size, struct fault *f)
{
	int fd = temp_file_open(f);

	*size = 0;
	if (fd < 0)
		return -1;
	do {
		if (!temp_file_write(fd, src->p, src->n, *size, f)) {
			close(fd);
			return -1;
		}
		*size += src->n;
		source_skip(src, src->n);
	} while (source_more(src) > 0);
	return fd;
}
