#define _GNU_SOURCE /* O_TMPFILE */
#include "io/temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static const char *temp_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

static bool fail(struct fault *f, const char *what, int error)
{
	*f = (struct fault){.what = what, .error = error, .at.file = temp_folder()};
	return false;
}

/* Sets *path to a template for mkstemp(): a path in the temporary folder, followed by a NUL. */
static void spell(struct buf *path)
{
	path->n = 0;
	buf_add(path, temp_folder(), strlen(temp_folder()));
	buf_lit(path, "/tracefilters-XXXXXX");
	buf_char(path, '\0');
}

/* For file systems without O_TMPFILE: opens a temporary file and removes its name, while signals are blocked. */
static int open_named(void)
{
	struct buf path = {0};
	sigset_t all, before;
	int fd, error;

	spell(&path);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	fd = mkostemp(path.p, O_CLOEXEC);
	error = errno;
	if (fd >= 0)
		unlink(path.p);
	sigprocmask(SIG_SETMASK, &before, NULL);
	buf_free(&path);
	errno = error;
	return fd;
}

int temp_file_open(struct fault *f)
{
	int fd = -1;

#ifdef O_TMPFILE
	fd = open(temp_folder(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#endif
	if (fd < 0)
		fd = open_named();
	if (fd < 0)
		fail(f, "cannot create a temporary file", errno);
	return fd;
}

bool temp_file_make_folder(struct buf *path, struct fault *f)
{
	spell(path);
	path->n--;
	if (mkdtemp(path->p))
		return true;
	return fail(f, "cannot create a temporary folder", errno);
}

void temp_file_remove_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name, 0);
	closedir(folder);
	rmdir(path);
}

bool temp_file_write(int fd, const void *p, size_t n, uint64_t at, struct fault *f)
{
	const char *from = p;
	ssize_t r;

	while (n) {
		r = pwrite(fd, from, n, (off_t)at);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return fail(f, "cannot write a temporary file", errno);
		from += r;
		at += (uint64_t)r;
		n -= (size_t)r;
	}
	return true;
}

bool temp_file_read(int fd, void *p, size_t n, uint64_t at, struct fault *f)
{
	char *to = p;
	ssize_t r;

	while (n) {
		r = pread(fd, to, n, (off_t)at);
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return fail(f, "cannot read a temporary file", r < 0 ? errno : EIO);
		to += r;
		at += (uint64_t)r;
		n -= (size_t)r;
	}
	return true;
}
