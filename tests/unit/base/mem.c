/* mem: tests the growth of arrays, and the exit of a program that requests more memory than is available. */
#include "test.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void ask_product(void)
{
	free(mem_zero(SIZE_MAX / 2, 3));
}

static void ask_room(void)
{
	struct buf b = {.n = 10};

	buf_room(&b, SIZE_MAX - 5);
}

static void ask_growth(void)
{
	size_t cap = 0;

	mem_grow(NULL, &cap, SIZE_MAX - 1, 1);
}

/* Returns the exit status of a process that calls allocate(). */
static int status_of(void (*allocate)(void))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(STDERR_FILENO);
		allocate();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void unit_test(void)
{
	struct buf b = {0};
	size_t cap = 0, i, moves = 0;
	char *p = NULL, *q;
	int *zeros = mem_zero(1000, sizeof *zeros);

	for (i = 0; i < 1000; i++)
		CHECK_INT(zeros[i], 0);
	free(zeros);
	q = mem_alloc(0);
	CHECK(q != NULL);
	free(q);
	for (i = 1; i < 100000; i++) {
		size_t before = cap;

		p = mem_grow(p, &cap, i, 1);
		moves += cap != before;
		if (cap < i)
			CHECK(cap >= i);
		p[i - 1] = 'x';
	}
	CHECK(moves < 20);
	free(p);
	for (p = NULL, cap = 0, i = 1; i < 3000; i++) {
		p = mem_grow_zero(p, &cap, i, 1);
		CHECK_INT(p[cap - 1], 0);
		p[i - 1] = 'x';
		CHECK(i == cap || !p[i]);
	}
	free(p);
	buf_add(&b, NULL, 0);
	CHECK(!b.p && !b.n);
	buf_lit(&b, "ab");
	buf_char(&b, 'c');
	memcpy(buf_room(&b, 1000), "d", 1);
	CHECK_STR(((struct str){b.p, b.n}), "abc");
	CHECK_STR(((struct str){b.p, b.n + 1}), "abcd");
	buf_free(&b);
	CHECK(!b.p && !b.n && !b.cap);
	CHECK_INT(status_of(ask_product), 2);
	CHECK_INT(status_of(ask_room), 2);
	CHECK_INT(status_of(ask_growth), 2);
	buf_hex(&b, "\x00\x1f\xa9\xff", 4);
	CHECK_STR(((struct str){b.p, b.n}), "001fa9ff");
	buf_free(&b);
}
