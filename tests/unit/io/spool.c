/*
 * spool: data that is appended in pieces and read back through windows is the data in memory, whatever its size;
 * changes are visible after they end; failures of the temporary file have a reason.
 */
#include "io/spool.h"

#include "test.h"

#include "samples.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

enum { WINDOWS = 3 };

static struct buf model; /* the content that the spool should have */

/* Appends random bytes, n in total, in pieces of random lengths. */
static void add_random(struct spool *spool, size_t n)
{
	struct fault f;
	size_t begin = model.n, piece, i;

	for (i = 0; i < n; i++)
		buf_char(&model, (char)random_below(256));
	for (i = begin; i < model.n; i += piece) {
		piece = random_below(2) ? random_below(100) : random_below(100000);
		piece = piece < model.n - i ? piece : model.n - i;
		CHECK(spool_add(spool, model.p + i, piece, &f));
	}
	CHECK(spool->size == model.n);
}

/*
 * Compares a part with the model. The bytes after it, which a scanner may load, must be readable: valgrind and ASan see
 * it.
 */
static void check_part(struct spool *spool, struct spool_window *w, uint64_t at, size_t n)
{
	volatile char pad;
	struct fault f;
	const char *p = spool_read(spool, w, at, n, &f);

	CHECK_SHOW(p && memcmp(p, model.p + at, n) == 0, "%zu bytes at %zu of %zu", n, (size_t)at, model.n);
	if (p)
		pad = p[n + SOURCE_PAD - 1];
	(void)pad;
}

/* Reads parts of all lengths at random places, each in one of several windows. */
static void check_reads(struct spool *spool, struct spool_window *windows, size_t times)
{
	size_t at, n;

	check_part(spool, &windows[0], 0, model.n);
	check_part(spool, &windows[1], 0, 1);
	check_part(spool, &windows[2], model.n - 1, 1);
	while (times--) {
		at = random_below(model.n);
		n = 1 + random_below(random_below(2) ? 100 : model.n - at);
		check_part(spool, &windows[random_below(WINDOWS)], at, n < model.n - at ? n : model.n - at);
	}
}

/* Replaces random parts; each change is visible to all windows that load their part after it. */
static void check_writes(struct spool *spool, size_t times)
{
	struct spool_window writer = {0}, reader;
	char bytes[500];
	struct fault f;
	size_t at, n, i;

	while (times--) {
		at = random_below(model.n);
		n = 1 + random_below(sizeof bytes);
		n = n < model.n - at ? n : model.n - at;
		for (i = 0; i < n; i++)
			bytes[i] = (char)random_below(256);
		CHECK(spool_write(spool, &writer, at, bytes, n, &f));
		memcpy(model.p + at, bytes, n);
		check_part(spool, &writer, at, n);
		if (random_below(4))
			continue;
		CHECK(spool_write_end(spool, &writer, &f));
		reader = (struct spool_window){0};
		check_part(spool, &reader, 0, model.n);
		spool_window_free(&reader);
	}
	CHECK(spool_write_end(spool, &writer, &f));
	spool_window_free(&writer);
}

static void free_all(struct spool *spool, struct spool_window *windows)
{
	size_t i;

	for (i = 0; i < WINDOWS; i++)
		spool_window_free(&windows[i]);
	spool_free(spool);
	model.n = 0;
}

/* Sizes around those at which the content moves to a file, and at which a window is full. */
static void check_sizes(void)
{
	static const size_t sizes[] = {1, 65536, 65537, SPOOL_MEMORY - 1, SPOOL_MEMORY, SPOOL_MEMORY + 1,
	    2 * SPOOL_MEMORY - 1, 2 * SPOOL_MEMORY, 2000000};
	struct spool_window windows[WINDOWS];
	struct spool spool;
	size_t i;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		memset(windows, 0, sizeof windows);
		spool_init(&spool);
		add_random(&spool, sizes[i]);
		check_reads(&spool, windows, 300);
		check_writes(&spool, 100);
		free_all(&spool, windows);
	}
}

/* Data that fits in memory needs no file. Without a folder for files, or on a full disk, adding more fails. */
static void check_failures(void)
{
	const struct rlimit small = {100000, RLIM_INFINITY};
	struct spool_window windows[WINDOWS] = {{0}};
	struct rlimit usual;
	struct spool spool;
	struct fault f = {0};
	char byte = 0;

	setenv("TMPDIR", "/nonexistent", 1);
	spool_init(&spool);
	add_random(&spool, SPOOL_MEMORY - 1);
	check_reads(&spool, windows, 10);
	CHECK(!spool_add(&spool, &byte, 1, &f));
	CHECK_STR(str_of(f.what), "cannot create a temporary file (TMPDIR)");
	CHECK(f.error != 0);
	free_all(&spool, windows);

	unsetenv("TMPDIR");
	signal(SIGXFSZ, SIG_IGN);
	CHECK(getrlimit(RLIMIT_FSIZE, &usual) == 0 && setrlimit(RLIMIT_FSIZE, &small) == 0);
	spool_init(&spool);
	add_random(&spool, SPOOL_MEMORY - 1);
	CHECK(!spool_add(&spool, &byte, 1, &f));
	CHECK_STR(str_of(f.what), "cannot write a temporary file (TMPDIR)");
	CHECK(setrlimit(RLIMIT_FSIZE, &usual) == 0);
	memset(windows, 0, sizeof windows);
	free_all(&spool, windows);
}

/* Reads a source through a spool, and compares the content. Returns whether the spool reads the file of the source. */
static bool check_source(const char *path)
{
	struct spool_window windows[WINDOWS] = {{0}};
	struct fault f;
	struct source *src = source_open(path, &f);
	struct spool spool;
	bool borrowed;

	CHECK(src && source_more(src) > 0);
	CHECK(spool_source(&spool, src, &f));
	CHECK(spool.size == model.n);
	check_reads(&spool, windows, 50);
	borrowed = spool.borrowed;
	for (size_t i = 0; i < WINDOWS; i++)
		spool_window_free(&windows[i]);
	spool_free(&spool);
	source_close(src);
	return borrowed;
}

/* A regular file is read in place; a compressed file and a pipe are copied. */
static void check_sources(void)
{
	FILE *file = fopen("content", "wb"), *cat;
	gzFile packed = gzopen("content.gz", "wb1");
	char path[32];
	size_t i;

	for (i = 0; i < 700000; i++)
		buf_char(&model, (char)random_below(256));
	CHECK(file && fwrite(model.p, 1, model.n, file) == model.n && fclose(file) == 0);
	CHECK(packed && gzwrite(packed, model.p, (unsigned)model.n) == (int)model.n && gzclose(packed) == Z_OK);
	CHECK(check_source("content"));
	CHECK(!check_source("content.gz"));
	cat = popen("cat content", "r");
	CHECK(cat != NULL);
	snprintf(path, sizeof path, "/dev/fd/%d", fileno(cat));
	CHECK(!check_source(path));
	pclose(cat);
	model.n = 0;
}

void unit_test(void)
{
	check_sizes();
	check_failures();
	check_sources();
	buf_free(&model);
}
