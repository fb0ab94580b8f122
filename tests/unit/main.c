/*
 * main: runs the unit tests of one folder. The Makefile links this file with all tests of the folder:
 *
 *	build/unit/base              all modules
 *	build/unit/base map heap     these modules
 *
 * Each module runs in a process of its own, so that a crash ends only one module and is reported with its name.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct test_counts *test_total;
const char *test_program;

/* MODULES is MODULE(name) for each test of the folder. */
#define MODULE(name) void unit_test_##name(void);
MODULES
#undef MODULE

static const struct module {
	const char *name;
	void (*run)(void);
} modules[] = {
#define MODULE(name) {#name, unit_test_##name},
    MODULES
#undef MODULE
};

enum { MODULES_N = sizeof modules / sizeof *modules };

static const struct module *find(const char *name)
{
	size_t i;

	for (i = 0; i < MODULES_N; i++) {
		if (strcmp(modules[i].name, name) == 0)
			return &modules[i];
	}
	fprintf(stderr, "%s: no unit test '%s'\n", test_program, name);
	exit(2);
}

/* Runs a module. If its process ends before unit_test() returns, that is a failed case. */
static void run(const struct module *m)
{
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		m->run();
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror(test_program);
		exit(2);
	}
	if (status == 0)
		return;
	test_total->failed++;
	printf("FAIL %s: stopped by %s %d\n", m->name, WIFSIGNALED(status) ? "signal" : "exit status",
	    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	int i;

	test_program = argv[0];
	test_total = mmap(NULL, sizeof *test_total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (test_total == MAP_FAILED) {
		perror(test_program);
		return 2;
	}
	for (i = 1; i < argc; i++)
		run(find(argv[i]));
	for (i = 0; argc == 1 && i < MODULES_N; i++)
		run(&modules[i]);
	printf("%lu passed, %lu failed\n", test_total->passed, test_total->failed);
	return test_total->failed > 0;
}
