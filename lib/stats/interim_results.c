#include "stats/interim_results.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t tick;
static bool running;
static int64_t interval, shown_from; /* ns */

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void on_tick(int signal_number)
{
	(void)signal_number;
	tick = 1;
}

/*
 * Sets the timer so that it ticks once, `ns` nanoseconds from now. The timer does not repeat, so ticks cannot
 * accumulate while a result is printed.
 */
static void tick_after(int64_t ns)
{
	const int64_t us = ns / 1000;
	const struct itimerval timer = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

void interim_results_begin(int64_t ns)
{
	/* Without SA_RESTART, the signal makes a read return, and record/input calls the filter's function `wake`. */
	struct sigaction act = {.sa_handler = on_tick};

	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, NULL);
	interval = ns;
	running = true;
	tick_after(ns);
}

bool interim_results_due(void)
{
	if (!tick)
		return false;
	tick = 0;
	shown_from = now();
	return true;
}

void interim_results_shown(void)
{
	const int64_t took = now() - shown_from;

	tick_after(took > interval ? took : interval);
}

bool interim_results_clears(void)
{
	return running && isatty(STDOUT_FILENO);
}

void interim_results_clear(struct out *o)
{
	if (interim_results_clears())
		out_lit(o, "\033[H\033[J"); /* moves the cursor to the top left and erases the screen */
}
