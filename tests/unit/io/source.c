/* source: returns every byte preceding a fault and none after it, for all files and all ways of reading. */
#include "test.h"

#include "base/mem.h"
#include "packed.h"
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The result of reading a source to its end. */
struct got {
	struct buf b;
	int r;
	struct fault fault, note;
};

static void take(struct got *g, struct source *s, size_t n)
{
	buf_add(&g->b, s->p, n);
	source_skip(s, n);
}

/* Reads all of a source, taking all available bytes or fewer, and closes it. */
static struct got read_source(struct source *s, bool all)
{
	struct got g = {.r = 1};
	size_t i;
	int r;

	while ((r = source_more(s)) > 0) {
		CHECK(s->n > 0);
		for (i = 0; i < SOURCE_PAD; i++)
			g.r &= s->p[s->n + i] == 0;
		take(&g, s, all || s->n < 3 ? s->n : random_below(s->n));
		if (s->offset != g.b.n)
			CHECK_INT(s->offset, g.b.n);
	}
	CHECK_INT(g.r, 1); /* only zeros after the window */
	CHECK_INT(source_more(s), r);
	take(&g, s, s->n);
	g.r = r;
	g.fault = s->fault;
	g.note = s->note;
	CHECK_INT(r < 0, g.fault.what != NULL);
	source_close(s);
	return g;
}

static struct got read_file(const char *path)
{
	struct fault f = {0};
	struct source *s = source_open(path, &f);
	struct got g = {.r = -2, .fault = f};

	return s ? read_source(s, random_below(2)) : g;
}

static void write_file(const char *path, struct str s)
{
	FILE *f = fopen(path, "wb");

	CHECK(f && fwrite(s.p, 1, s.n, f) == s.n);
	CHECK(f && fclose(f) == 0);
}

static struct got read_bytes(struct str s)
{
	write_file("src.tmp", s);
	return read_file("src.tmp");
}

static void free_got(struct got *g)
{
	buf_free(&g->b);
}

/* --- gzip and zstd */

static void compare(const struct packer *packer, struct str s)
{
	static const char *const told[] = {[-PACKED_CUT] = "cut short", [-PACKED_DAMAGED] = "damaged",
	    [-PACKED_REFUSED] = "read it", [-PACKED_GARBAGE] = "garbage"};
	struct buf want = {0};
	struct got g = read_bytes(s);
	int end = packer->slow(s, &want);

	CHECK_INT(g.r, end < 0 ? -1 : 0);
	CHECK(str_starts((struct str){want.p, want.n}, (struct str){g.b.p, g.b.n}));
	CHECK(g.b.n + (end == PACKED_DAMAGED ? packer->loose : 0) >= want.n);
	CHECK_INT(g.note.what != NULL, end == PACKED_PADDED);
	CHECK_INT(g.fault.error, end == PACKED_REFUSED ? FAULT_REFUSED : 0);
	CHECK(end >= 0 || (g.fault.what && strstr(g.fault.what, packer->name) && strstr(g.fault.what, told[-end])));
	CHECK(g.fault.at.byte <= s.n && g.note.at.byte <= s.n);
	if (end == PACKED_CUT && g.fault.at.byte != s.n) /* or at the magic of an incomplete frame */
		CHECK(g.fault.at.byte + packer->magic > s.n);
	free_got(&g);
	buf_free(&want);
}

#define TEXT                                                                                                           \
	"{\"ts\":1,\"dur\":2,\"kind\":\"kernel\",\"name\":\"void f<int>(int)\"}\n"                                     \
	"{\"ts\":2,\"dur\":2,\"kind\":\"kernel\",\"name\":\"void g<int>(float, float)\"}\n"

static const struct str text = {TEXT, sizeof TEXT - 1};

static void make_members(const struct packer *packer, struct buf *to)
{
	to->n = 0;
	packer->add(to, text);
	packer->add(to, STR(""));
	packer->add(to, STR("second member\n"));
}

static void test_packed(const struct packer *packer)
{
	struct buf packed = {0}, big = {0}, all = {0};
	struct got g;
	size_t i;

	make_members(packer, &packed);
	/* cut at every byte; without the magic it is not packed data yet */
	for (i = packer->magic; i <= packed.n; i++)
		compare(packer, (struct str){packed.p, i});
	/* each byte wrong: header, codes, checksum, length, the following members */
	for (i = packer->magic; i < packed.n; i++) {
		char bit = (char)(1 << random_below(8));

		packed.p[i] ^= bit;
		compare(packer, (struct str){packed.p, packed.n});
		packed.p[i] ^= bit;
	}
	/* other bytes and zeros after it */
	for (i = 1; i < 40; i += 6) {
		buf_add(&packed, "\0\0\0\0\0\0", i == 1 ? 1 : 6);
		compare(packer, (struct str){packed.p, packed.n});
	}
	buf_add(&packed, "download failed", 15);
	compare(packer, (struct str){packed.p, packed.n});
	packed.n = 0;
	packer->add(&packed, STR(""));
	compare(packer, (struct str){packed.p, packed.n});
	/* larger than every buffer, in many members */
	for (i = 0; i < 60; i++) {
		big.n = 0;
		while (big.n < 20000 + i * 3000)
			buf_add(&big, text.p + random_below(40), random_below(text.n - 40));
		packer->add(&all, (struct str){big.p, big.n});
	}
	compare(packer, (struct str){all.p, all.n});
	for (i = 0; i < 30; i++) {
		compare(packer, (struct str){all.p, random_below(all.n)});
		all.p[10 + random_below(all.n - 10)] ^= 0x40;
		compare(packer, (struct str){all.p, all.n});
	}
	for (i = 1; i < packer->magic; i++) {
		g = read_bytes((struct str){all.p, i});
		CHECK(g.r == 0 && str_eq((struct str){g.b.p, g.b.n}, (struct str){all.p, i}));
		free_got(&g);
	}
	buf_free(&packed);
	buf_free(&big);
	buf_free(&all);
}

static void test_files(void)
{
	struct buf b = {0};
	struct got g;
	size_t i;

	g = read_file("no/such/file");
	CHECK(g.r == -2 && g.fault.error == ENOENT && g.fault.what);
	g = read_file(".");
	CHECK(g.r == -2 && g.fault.error == EISDIR);
	g = read_bytes(STR(""));
	CHECK(g.r == 0 && g.b.n == 0);
	g = read_bytes(STR("x"));
	CHECK(g.r == 0 && g.b.n == 1);
	free_got(&g);
	/* sizes around the window's and all its parts */
	for (i = 0; i < 1000000; i++)
		buf_char(&b, random_byte());
	for (i = 0; i < 40; i++) {
		static const size_t sizes[] = {2, 65536, 131072, 262144, 524288, 1000000};
		size_t n = i < 6 ? sizes[i] : random_below(b.n);

		g = read_bytes((struct str){b.p, n});
		CHECK(g.r == 0 && g.b.n == n && memcmp(g.b.p, b.p, n) == 0);
		free_got(&g);
	}
	buf_free(&b);
}

/* --- pipes */

/* Starts a child that writes s to our standard input in `pieces`, with a pause after each; then it waits `rest_ms`. */
static pid_t feed(struct str s, size_t pieces, long pause_ms, long rest_ms)
{
	struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000},
			rest = {rest_ms / 1000, rest_ms % 1000 * 1000000};
	size_t i, n;
	int fd[2];
	pid_t pid;

	CHECK(pipe(fd) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		for (i = 0; i < pieces; i++) {
			n = i + 1 == pieces ? s.n : s.n / (pieces - i);
			if (write(fd[1], s.p, n) < 0)
				_exit(1);
			s = str_from(s, n);
			nanosleep(&pause, NULL);
		}
		nanosleep(&rest, NULL);
		_exit(0);
	}
	close(fd[1]);
	dup2(fd[0], STDIN_FILENO);
	close(fd[0]);
	return pid;
}

static void end_feed(pid_t pid)
{
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(freopen("/dev/null", "r", stdin) != NULL);
}

static void on_alarm(int signal_number)
{
	(void)signal_number;
}

static void test_pipes(const struct packer *packer)
{
	struct itimerval often = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
	struct sigaction act = {.sa_handler = on_alarm}, before;
	struct buf packed = {0};
	struct str s[2];
	struct got g;
	size_t i;
	pid_t pid;

	packer->add(&packed, text);
	packer->add(&packed, text);
	s[0] = text;
	s[1] = (struct str){packed.p, packed.n};
	for (i = 0; i < 4; i++) {
		/* signals that do not restart interrupted calls */
		sigaction(SIGALRM, &act, &before);
		pid = feed(s[i % 2], i < 2 ? 40 : 1, 2, 0);
		setitimer(ITIMER_REAL, &often, NULL);
		g = read_file("-");
		setitimer(ITIMER_REAL, &never, NULL);
		sigaction(SIGALRM, &before, NULL);
		end_feed(pid);
		CHECK_INT(g.r, 0);
		CHECK_INT(g.b.n, (i % 2 + 1) * (text.n));
		CHECK(g.b.n >= text.n && memcmp(g.b.p, text.p, text.n) == 0);
		free_got(&g);
	}
	/* one byte at a time */
	setenv("TRACEFILTERS_READ", "1", 1);
	for (i = 0; i < 2; i++) {
		g = read_bytes(s[i]);
		CHECK_INT(g.r, 0);
		CHECK_INT(g.b.n, (i + 1) * (text.n));
		free_got(&g);
	}
	unsetenv("TRACEFILTERS_READ");
	buf_free(&packed);
}

static long elapsed_ms(const struct timespec *since)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / 1000000;
}

static unsigned idles;

static bool count_idle(void *arg)
{
	idles++;
	return idles < *(unsigned *)arg;
}

/* Data that has arrived is returned while the rest is awaited; the source can be closed at any time. */
static void test_live(const struct packer *packer)
{
	struct buf packed = {0}, flushed = {0};
	struct timespec begin;
	struct fault f;
	struct source *s;
	struct got g;
	unsigned most = 1;
	size_t i;
	pid_t pid;

	packer->add(&packed, text);
	flushed.n = 0;
	buf_add(&flushed, packed.p, packed.n);
	packer->add(&flushed, STR("more"));
	/* plain, a whole member, one and part of another, one and the first byte of another, its header, one byte */
	for (i = 0; i < 7; i++) {
		struct str head[] = {text, {packed.p, packed.n}, {flushed.p, packed.n + 6}, {flushed.p, packed.n + 1},
		    {packed.p, 12}, {packed.p, 1}, {packed.p, 0}};

		clock_gettime(CLOCK_MONOTONIC, &begin);
		pid = feed(head[i], 1, 0, 30000);
		s = source_open("-", &f);
		CHECK(s != NULL);
		if (i < 4) {
			CHECK_INT(source_more(s), 1);
			CHECK_INT(s->n, text.n);
		}
		/* no data arrives: reported once, then again, then the reading stops */
		idles = 0;
		most = 1 + (unsigned)i % 2;
		source_on_idle(s, count_idle, &most);
		if (i == 0 || i >= 5)
			most = 1; /* a plain read waits in the system until a signal arrives */
		if (i != 5) /* one byte may be the whole input */
			CHECK_INT(source_more(s), 0);
		else
			CHECK(source_more(s) >= 0);
		CHECK_INT(source_more(s), 0);
		CHECK_INT(idles, most);
		source_close(s);
		CHECK(elapsed_ms(&begin) < 10000);
		end_feed(pid);
	}
	/* closed without having been read, or while the thread waits */
	for (i = 0; i < 20; i++) {
		pid = feed((struct str){flushed.p, packed.n + i}, 1, 0, 30000);
		s = source_open("-", &f);
		CHECK(s != NULL);
		if (i % 4)
			CHECK_INT(source_more(s), 1);
		source_close(s);
		end_feed(pid);
	}
	/* closed while the thread is busy, and while it waits for a free slot */
	packed.n = flushed.n = 0;
	for (i = 0; i < 4000000; i++)
		buf_char(&flushed, (char)('a' + random_below(20)));
	packer->add(&packed, (struct str){flushed.p, flushed.n});
	write_file("src.tmp", (struct str){packed.p, packed.n});
	for (i = 0; i < 60; i++) {
		s = source_open("src.tmp", &f);
		CHECK(s && source_more(s) == 1);
		nanosleep(&(struct timespec){0, (long)random_below(3000000)}, NULL);
		source_close(s);
	}
	g = read_file("src.tmp");
	CHECK(g.r == 0 && g.b.n == flushed.n && memcmp(g.b.p, flushed.p, g.b.n) == 0);
	free_got(&g);
	buf_free(&packed);
	buf_free(&flushed);
}

/* A window that is never consumed grows and stores all of the input. */
static void test_window(void)
{
	struct buf b = {0};
	uint64_t done, all;
	struct fault f;
	struct source *s;
	int r;

	while (b.n < 3000000)
		buf_char(&b, random_byte());
	write_file("src.tmp", (struct str){b.p, b.n});
	s = source_open("src.tmp", &f);
	while ((r = source_more(s)) > 0)
		CHECK(s->offset == 0);
	CHECK_INT(r, 0);
	CHECK(s->n == b.n && memcmp(s->p, b.p, b.n) == 0);
	source_progress(s, &done, &all);
	CHECK_INT(done, b.n);
	CHECK_INT(all, b.n);
	source_skip(s, 1000);
	CHECK_INT(s->offset, 1000);
	CHECK_INT(source_more(s), 0);
	CHECK_INT(s->n, b.n - 1000);
	source_close(s);
	buf_free(&b);
}

int main(void)
{
	size_t i;

	alarm(300); /* a test that hangs fails */
	test_files();
	for (i = 0; i < PACKERS; i++) {
		alarm(300);
		test_packed(&packers[i]);
		alarm(300);
		test_pipes(&packers[i]);
		alarm(300);
		test_live(&packers[i]);
	}
	test_window();
	remove("src.tmp");
	return test_end();
}
