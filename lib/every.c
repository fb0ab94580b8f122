#include "every.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t tick;
static bool running;

static void on_tick(int signal_number)
{
	(void)signal_number;
	tick = 1;
}

void every_start(int64_t ns)
{
	/* No SA_RESTART: a read that waits returns, and lib/input asks its filter what to do. */
	struct sigaction act = {.sa_handler = on_tick};
	int64_t us = ns < 1000 ? 1 : ns / 1000;
	struct timeval t = {.tv_sec = us / 1000000, .tv_usec = us % 1000000};
	struct itimerval timer = {t, t};

	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	running = true;
}

bool every_due(void)
{
	if (!tick)
		return false;
	tick = 0;
	return true;
}

bool every_clears(void)
{
	return running && isatty(STDOUT_FILENO);
}

void every_clear(struct out *o)
{
	if (every_clears())
		out_lit(o, "\033[H\033[J"); /* home, and all below it is erased */
}
