#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include "io/out.h"

#include "base/num_format.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20 };

/*
 * A larger pipe buffer causes fewer switches between the programs of a pipeline. The call fails for files, and if the
 * size is over the system's limit.
 */
static void enlarge_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	(void)fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
	(void)fd;
#endif
}

void out_open(struct out *o)
{
	*o = (struct out){.p = mem_alloc(OUT_SIZE), .cap = OUT_SIZE};
	enlarge_pipe(STDOUT_FILENO);
}

bool out_tee(struct out *o, const char *path, struct fault *f)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0) {
		*f = (struct fault){.what = "cannot open", .error = errno, .at.file = path};
		return false;
	}
	enlarge_pipe(fd);
	o->copies = mem_grow(o->copies, &o->copies_cap, o->n_copies + 1, sizeof *o->copies);
	o->copies[o->n_copies++] = (struct out_copy){path, fd};
	return true;
}

/* Records the first failure; `path` is that of a copy, or NULL. */
static void fail(struct out *o, const char *path)
{
	if (o->error)
		return;
	o->error = errno;
	o->failed = path;
}

static void write_to(struct out *o, int fd, const char *path, const char *p, size_t n)
{
	ssize_t r;

	while (n && !o->error) {
		r = write(fd, p, n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0) {
			fail(o, path);
			return;
		}
		p += r;
		n -= (size_t)r;
	}
}

static void write_all(struct out *o, const char *p, size_t n)
{
	size_t i;

	write_to(o, STDOUT_FILENO, NULL, p, n);
	for (i = 0; i < o->n_copies; i++)
		write_to(o, o->copies[i].fd, o->copies[i].path, p, n);
}

bool out_flush(struct out *o)
{
	if (o->held)
		return true;
	write_all(o, o->p, o->n);
	o->n = 0;
	return !o->error;
}

char *out_more(struct out *o, size_t n)
{
	out_flush(o);
	o->p = mem_grow(o->p, &o->cap, o->n + n, 1);
	return o->p + o->n;
}

void out_add(struct out *o, const char *p, size_t n)
{
	if (n > OUT_SIZE / 2 && !o->held) {
		/* Large pieces are written directly, so that the buffer does not grow with the size of a record. */
		out_flush(o);
		write_all(o, p, n);
		return;
	}
	if (n) {
		memcpy(out_room(o, n), p, n);
		o->n += n;
	}
}

void out_str(struct out *o, struct str s)
{
	out_add(o, s.p, s.n);
}

void out_line(struct out *o, struct str s)
{
	char *p;

	if (s.n > OUT_SIZE / 2) {
		out_add(o, s.p, s.n);
		out_char(o, '\n');
		return;
	}
	p = str_copy(out_room(o, s.n + 1), s);
	*p++ = '\n';
	out_used(o, p);
}

void out_char(struct out *o, char c)
{
	*out_room(o, 1) = c;
	o->n++;
}

void out_z(struct out *o, const char *z)
{
	out_add(o, z, strlen(z));
}

void out_all(struct out *o, const char *const *list)
{
	for (; *list; list++)
		out_z(o, *list);
}

void out_i64(struct out *o, int64_t v)
{
	out_used(o, num_put_i64(out_room(o, NUM_ROOM), v));
}

bool out_close(struct out *o, struct fault *f)
{
	size_t i;

	out_flush(o);
	if (close(STDOUT_FILENO) != 0)
		fail(o, NULL);
	for (i = 0; i < o->n_copies; i++) {
		if (close(o->copies[i].fd) != 0)
			fail(o, o->copies[i].path);
	}
	mem_free(o->p, o->copies);
	o->p = NULL;
	o->copies = NULL;
	o->cap = o->n_copies = o->copies_cap = 0;
	*f = (struct fault){.what = "write error", .error = o->error, .at.file = o->failed};
	return !o->error;
}
