#include "io/spool.h"

#include "io/temp_file.h"

#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 64 * 1024 };

void spool_init(struct spool *spool)
{
	*spool = (struct spool){.fd = -1};
}

/* Writes the tail to the file. */
static bool flush(struct spool *spool, struct fault *f)
{
	if (spool->fd < 0 && (spool->fd = temp_file_open(f)) < 0) {
		f->what = "cannot create a temporary file (TMPDIR)";
		return false;
	}
	if (!temp_file_write(spool->fd, spool->tail.p, spool->tail.n, spool->size - spool->tail.n, f)) {
		f->what = "cannot write a temporary file (TMPDIR)";
		return false;
	}
	spool->tail.n = 0;
	return true;
}

/* The room for padding is cleared here and in load(), so that reading it is defined. */
bool spool_add(struct spool *spool, const void *p, size_t n, struct fault *f)
{
	buf_add(&spool->tail, p, n);
	memset(buf_room(&spool->tail, SOURCE_PAD), 0, SOURCE_PAD);
	spool->size += n;
	return spool->tail.n < SPOOL_MEMORY || flush(spool, f);
}

bool spool_source(struct spool *spool, struct source *src, struct fault *f)
{
	struct stat st;
	int fd = source_descriptor(src);

	spool_init(spool);
	if (fd >= 0 && fstat(fd, &st) == 0) {
		spool->fd = fd;
		spool->borrowed = true;
		spool->size = (uint64_t)st.st_size;
		return true;
	}
	do {
		if (!spool_add(spool, src->p, src->n, f))
			return false;
		source_skip(src, src->n);
	} while (source_more(src) > 0);
	return true;
}

/* Loads n bytes at the offset into the window, and more if the file has more. */
static bool load(struct spool *spool, struct spool_window *w, uint64_t at, size_t n, struct fault *f)
{
	uint64_t most;

	if (!spool_write_end(spool, w, f) || (spool->size - spool->tail.n < at + n && !flush(spool, f)))
		return false;
	most = spool->size - spool->tail.n - at;
	w->at = at;
	w->bytes.n = 0;
	if (n < BLOCK)
		n = BLOCK;
	if (n > most)
		n = (size_t)most;
	memset(buf_room(&w->bytes, n + SOURCE_PAD) + n, 0, SOURCE_PAD);
	if (!temp_file_read(spool->fd, w->bytes.p, n, at, f))
		return false;
	w->bytes.n = n;
	return true;
}

const char *spool_read(struct spool *spool, struct spool_window *w, uint64_t at, size_t n, struct fault *f)
{
	if (at >= spool->size - spool->tail.n)
		return spool->tail.p + (at - (spool->size - spool->tail.n));
	if ((at < w->at || at + n > w->at + w->bytes.n) && !load(spool, w, at, n, f))
		return NULL;
	return w->bytes.p + (at - w->at);
}

bool spool_write(
    struct spool *spool, struct spool_window *window, uint64_t at, const void *p, size_t n, struct fault *f)
{
	char *to = (char *)spool_read(spool, window, at, n, f);

	if (!to)
		return false;
	memcpy(to, p, n);
	window->changed = true;
	return true;
}

bool spool_write_end(struct spool *spool, struct spool_window *window, struct fault *f)
{
	bool changed = window->changed;

	window->changed = false;
	return !changed || spool->fd < 0 || temp_file_write(spool->fd, window->bytes.p, window->bytes.n, window->at, f);
}

void spool_clear(struct spool *spool, struct spool_window *window)
{
	spool->size = spool->tail.n = window->bytes.n = 0;
}

void spool_window_free(struct spool_window *window)
{
	buf_free(&window->bytes);
}

void spool_free(struct spool *spool)
{
	if (spool->fd >= 0 && !spool->borrowed)
		close(spool->fd);
	buf_free(&spool->tail);
}
