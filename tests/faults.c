/*
 * faults.c: simulates failures of the system; faults.t builds and preloads it.
 *
 *	FAULT_EIO=N       read() fails with EIO after N bytes
 *	FAULT_SHORT=1     read() and write() take 1 to 7 bytes
 *	FAULT_EINTR=1     every other read() and write() is interrupted
 *	FAULT_NOSPACE=N   write() to standard output fails with ENOSPC after N bytes
 *	FAULT_MEMORY=N    the N-th allocation and all later ones fail
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);

static atomic_long reads, writes, got, put, allocations;

/* Returns the number in the environment variable; -1 if it is not set. */
static long fault(const char *name)
{
	const char *z = getenv(name);

	return z ? strtol(z, NULL, 10) : -1;
}

static size_t shorter(size_t n, long call)
{
	size_t most = 1 + (size_t)call % 7;

	return fault("FAULT_SHORT") > 0 && n > most ? most : n;
}

ssize_t read(int fd, void *p, size_t n)
{
	static ssize_t (*next)(int, void *, size_t);
	long limit = fault("FAULT_EIO"), call = reads++;
	ssize_t r;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "read");
	if (fault("FAULT_EINTR") > 0 && call % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (limit >= 0 && got >= limit) {
		errno = EIO;
		return -1;
	}
	n = shorter(n, call);
	r = next(fd, p, limit >= 0 && (long)n > limit - got ? (size_t)(limit - got) : n);
	if (r > 0)
		got += r;
	return r;
}

/* The compiler calls this instead of read() if it knows the size of the buffer. */
ssize_t __read_chk(int fd, void *p, size_t n, size_t room)
{
	return read(fd, p, n < room ? n : room);
}

ssize_t write(int fd, const void *p, size_t n)
{
	static ssize_t (*next)(int, const void *, size_t);
	long limit = fault("FAULT_NOSPACE"), call = writes++;
	ssize_t r;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "write");
	if (fd != STDOUT_FILENO)
		return next(fd, p, n);
	if (fault("FAULT_EINTR") > 0 && call % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	if (limit >= 0 && put >= limit) {
		errno = ENOSPC;
		return -1;
	}
	n = shorter(n, call);
	r = next(fd, p, limit >= 0 && (long)n > limit - put ? (size_t)(limit - put) : n);
	if (r > 0)
		put += r;
	return r;
}

/*
 * When an allocation fails, glibc's regcomp() frees some blocks twice, and its regexec() finds no match. Allocations of
 * these two functions therefore never fail here.
 */
static _Thread_local int matching;

int regcomp(regex_t *re, const char *text, int flags)
{
	static int (*next)(regex_t *, const char *, int);
	int error;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "regcomp");
	matching = 1;
	error = next(re, text, flags);
	matching = 0;
	return error;
}

int regexec(const regex_t *re, const char *text, size_t n, regmatch_t at[n], int flags)
{
	static int (*next)(const regex_t *, const char *, size_t, regmatch_t *, int);
	int error;

	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "regexec");
	matching = 1;
	error = next(re, text, n, at, flags);
	matching = 0;
	return error;
}

static int is_out_of_memory(void)
{
	long limit = fault("FAULT_MEMORY");

	if (limit < 0 || matching || ++allocations < limit)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n)
{
	return is_out_of_memory() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return is_out_of_memory() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return is_out_of_memory() ? NULL : __libc_realloc(p, n);
}
