/* source: reads from pipes: interrupted reads, input that stays open, closing at any time. */
#include "packed.h"
#include "source_reading.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- input in pieces */

static int hold_fd = -1; /* the child waits until this end of a pipe is closed, or until this process ends */

/*
 * Starts a child that writes s to our standard input in `pieces`, with a pause after each. If `stay` is set, it then
 * keeps the input open until end_feed() is called.
 */
static pid_t feed(struct str s, size_t pieces, long pause_ms, bool stay)
{
	struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000};
	size_t i, n;
	int fd[2], hold[2];
	char end;
	pid_t pid;

	CHECK(pipe(fd) == 0 && pipe(hold) == 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(fd[0]);
		close(hold[1]);
		for (i = 0; i < pieces; i++) {
			n = i + 1 == pieces ? s.n : s.n / (pieces - i);
			if (write(fd[1], s.p, n) < 0)
				_exit(1);
			s = str_from(s, n);
			nanosleep(&pause, NULL);
		}
		_exit(stay && read(hold[0], &end, 1) != 0);
	}
	close(fd[1]);
	close(hold[0]);
	hold_fd = hold[1];
	dup2(fd[0], STDIN_FILENO);
	close(fd[0]);
	return pid;
}

static void end_feed(pid_t pid)
{
	int status;

	close(hold_fd);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
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
		/* without SA_RESTART, so that signals interrupt calls of read() */
		sigaction(SIGALRM, &act, &before);
		pid = feed(s[i % 2], i < 2 ? 40 : 1, 2, false);
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

/* --- input that stays open */

static unsigned idles;

static bool count_idle(void *arg)
{
	idles++;
	return idles < *(unsigned *)arg;
}

enum { HEAD = 10 }; /* size of a gzip header: two further bytes are needed to decode the first byte of the text */

/* Data that has arrived is returned while the rest is awaited; the source can be closed at any time. */
static void test_live(const struct packer *packer)
{
	struct buf packed = {0}, flushed = {0};
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
	/*
	 * plain text; a member; a member and a part of the next; a member and the first byte of the next; a header; one
	 * byte; nothing
	 */
	for (i = 0; i < 7; i++) {
		struct str head[] = {text, {packed.p, packed.n}, {flushed.p, packed.n + 6}, {flushed.p, packed.n + 1},
		    {packed.p, HEAD}, {packed.p, 1}, {packed.p, 0}};

		pid = feed(head[i], 1, 0, true);
		s = source_open("-", &f);
		CHECK(s != NULL);
		if (i < 4) {
			CHECK_INT(source_more(s), 1);
			CHECK_INT(s->n, text.n);
		}
		/* no data arrives: count_idle() is called once or twice, and then stops the reading */
		idles = 0;
		most = 1 + (unsigned)i % 2;
		source_on_idle(s, count_idle, &most);
		if (i == 0 || i >= 5)
			most = 1; /* after one call of count_idle(), a plain read waits until a signal arrives */
		if (i != 5)       /* a single byte may be returned as the whole input */
			CHECK_INT(source_more(s), 0);
		else
			CHECK(source_more(s) >= 0);
		CHECK_INT(source_more(s), 0);
		CHECK_INT(idles, most);
		source_close(s);
		end_feed(pid);
	}
	/* the source is closed before anything was read, or while the thread waits */
	for (i = 0; i < 20; i++) {
		pid = feed((struct str){flushed.p, packed.n + i}, 1, 0, true);
		s = source_open("-", &f);
		CHECK(s != NULL);
		if (i % 4)
			CHECK_INT(source_more(s), 1);
		source_close(s);
		end_feed(pid);
	}
	/* the source is closed while the thread is busy, and while it waits for a free slot */
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

void unit_test(void)
{
	size_t i;

	for (i = 0; i < PACKERS; i++) {
		alarm(300); /* if the test waits forever because the input stays open, the signal ends it */
		test_pipes(&packers[i]);
		alarm(300);
		test_live(&packers[i]);
	}
	remove("src.tmp");
}
