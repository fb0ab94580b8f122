/*
 * measure: measures the cost of a command, for the benchmark and the memory test.
 *
 *	measure RESULT COMMAND [ARG...]
 *
 * writes `{"wall": s, "cpu": s, "rss": KiB}` to the file RESULT and exits with the status of COMMAND. cpu is the user
 * and system time of COMMAND and of all processes that it waited for (sh -c 'a | b' waits for both); rss is the peak of
 * the largest of these processes. This is a small program in C because a process inherits the peak of its parent: if
 * Python started COMMAND, COMMAND would seem to need at least 10 MiB.
 */
#define _DEFAULT_SOURCE /* wait4() */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct timespec begin, end;
	struct rusage use;
	FILE *result;
	pid_t pid;
	int status;

	if (argc < 3) {
		fputs("usage: measure RESULT COMMAND [ARG...]\n", stderr);
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &use) != pid) {
		perror("measure");
		return 2;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	result = fopen(argv[1], "w");
	if (!result) {
		perror(argv[1]);
		return 2;
	}
	fprintf(result, "{\"wall\": %.6f, \"cpu\": %.6f, \"rss\": %ld}\n",
	    (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
	    seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_maxrss);
	if (fclose(result) != 0) {
		perror(argv[1]);
		return 2;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
