#define _GNU_SOURCE /* environ, pipe2 */
#include "answers.h"

#include "base/err.h"
#include "io/temp_file.h"
#include "section_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The shells of the pipelines that run, each the first of its group of processes; for the handler of signals. */
static volatile sig_atomic_t shells[ANSWERS_AT_ONCE];
static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { ANSWERS_SOURCES = 4, PROGRESS_AFTER = 2000 /* ms */ };

struct answer *answers_find(const struct answers *a, struct str id)
{
	size_t i;

	for (i = 0; i < a->n && !str_eq(str_of(a->list[i]->id), id); i++)
		;
	return i < a->n ? a->list[i] : NULL;
}

struct answer *answers_add(struct answers *a, struct answer with)
{
	struct answer *answer = mem_zero(1, sizeof *answer);
	struct str rest = with.from, id;
	struct fault f;

	while ((id = section_word(&rest)).n) {
		if (!answers_find(a, id))
			die("%s reads %.*s, which no preceding block asks", with.id, STR_FMT(id));
	}
	*answer = with;
	answer->fd = temp_file_open(&f);
	if (answer->fd < 0) {
		warn_fault(&f);
		quit(STATUS_FAIL);
	}
	snprintf(answer->path, sizeof answer->path, "/proc/%ld/fd/%d", (long)getpid(), answer->fd);
	a->list = mem_grow(a->list, &a->cap, a->n + 1, sizeof *a->list);
	a->list[a->n++] = answer;
	return answer;
}

off_t answers_size(const struct answer *answer)
{
	struct stat st;

	return fstat(answer->fd, &st) == 0 ? st.st_size : 0;
}

/* --- the start and the end of pipelines --- */

/*
 * The exit status of the shell is the largest of the pipeline. A program that SIGPIPE killed does not count: its reader
 * has all that it needs, or has failed itself.
 */
static const char begin_command[] = "m=0; ";
static const char end_command[] =
    "\nfor s in \"${PIPESTATUS[@]}\"; do [ $s = 141 ] || [ $s -le $m ] || m=$s; done; exit $m";

/* Sets argv[] to the command line of a shell; returns a descriptor for its standard input, or -1. */
static int make_command(const struct answers *a, const struct answer *answer, struct buf *text, const char *argv[])
{
	struct str rest = answer->from, id;
	int input = answer->from.n ? -1 : dup(STDIN_FILENO);
	size_t n = 4;

	buf_add(text, begin_command, strlen(begin_command));
	buf_add(text, answer->command, strlen(answer->command));
	buf_add(text, end_command, sizeof end_command); /* with the NUL */
	argv[0] = "bash";
	argv[1] = "-c";
	argv[2] = text->p;
	argv[3] = err_command();
	while ((id = section_word(&rest)).n) {
		const char *path = answers_find(a, id)->path;

		if (input < 0)
			input = open(path, O_RDONLY | O_CLOEXEC);
		else
			argv[n++] = path;
	}
	argv[n] = NULL;
	return input;
}

/* Starts a program, in a new group of processes; returns 0 or an errno value. */
static int spawn(pid_t *pid, const char *const *argv, const int descriptors[3])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int error, i;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	for (i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

/* Starts a pipeline in a free place. Signals wait until its shell is known to their handler. */
static void start(struct answers *a, size_t place, struct answer *answer)
{
	const char *argv[ANSWERS_SOURCES + 5];
	sigset_t blocked, before;
	struct buf text = {0};
	int ends[2], input;
	pid_t pid;

	input = make_command(a, answer, &text, argv);
	if (input < 0 || pipe2(ends, O_CLOEXEC) != 0)
		die("cannot start a program:");
	sigfillset(&blocked);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	errno = spawn(&pid, argv, (int[]){input, answer->fd, ends[1]});
	if (errno)
		die("cannot run bash:");
	shells[place] = pid;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	close(input);
	buf_free(&text);
	answer->errors = ends[0];
	answer->state = ANSWER_RUNS;
	a->running[place] = answer;
}

/* Ends all programs. A group whose first process has ended may still have others. */
static void end_programs(int signal_number)
{
	size_t i;

	for (i = 0; i < ANSWERS_AT_ONCE; i++) {
		if (shells[i])
			kill(-(pid_t)shells[i], SIGTERM);
	}
	if (signal_number) {
		signal(signal_number, SIG_DFL);
		raise(signal_number);
	}
}

/* --- messages --- */

static void hide_progress(struct answers *a)
{
	if (a->shown)
		fputs("\r\33[K", stderr);
	a->shown = false;
}

/* Returns the reason in a message that a program could not write its output; p is NULL for any other message. */
static struct str space_reason(struct str line)
{
	static const char *const reasons[] = {"No space left on device", "Disk quota exceeded", "File too large", NULL};
	while (str_find(line, STR(": ")) < line.n)
		line = str_from(line, str_find(line, STR(": ")) + 2);
	return str_in(line, reasons) ? line : (struct str){NULL, 0};
}

/* Prints the messages of a pipeline that have not been printed yet; after a failure, only the first one. */
static void print_messages(struct answers *a, const struct answer *answer, bool failed)
{
	struct str rest = buf_str(&answer->messages), line;

	hide_progress(a);
	while (str_split(&rest, '\n', &line)) {
		if (!line.n || map_find(&a->printed, line) != MAP_NONE)
			continue;
		map_put(&a->printed, line);
		if (write(STDERR_FILENO, line.p, line.n + 1) < 0 || failed)
			return;
	}
}

static struct str first_message(const struct answer *answer)
{
	const struct str messages = buf_str(&answer->messages);

	return str_head(messages, str_find(messages, STR("\n")));
}

/* Ends all programs after the failure of one, prints its message, and exits. */
_Noreturn static void fail(struct answers *a, struct answer *answer, int status)
{
	const struct str first = first_message(answer);
	size_t i;

	hide_progress(a);
	end_programs(0);
	for (i = 0; i < ANSWERS_AT_ONCE; i++) {
		if (shells[i])
			waitpid(shells[i], NULL, 0);
	}
	if (space_reason(first).p)
		die("cannot write temporary files (TMPDIR): %.*s", STR_FMT(space_reason(first)));
	if (status > 128 || !first.n)
		die("a program was killed by a signal");
	/* Each program of a pipeline after the one that failed may have printed a message about missing input. */
	print_messages(a, answer, strchr(answer->command, '|') != NULL);
	quit(STATUS_FAIL);
}

/* Waits for a pipeline whose messages have ended: all of its programs have ended. */
static void end(struct answers *a, size_t place)
{
	struct answer *answer = a->running[place];
	int status = 0;

	while (waitpid(shells[place], &status, 0) < 0 && errno == EINTR)
		;
	shells[place] = 0;
	a->running[place] = NULL;
	close(answer->errors);
	answer->state = ANSWER_DONE;
	answer->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	/* The printf of a shell that cannot write exits 1. */
	if (answer->status > STATUS_LOST || (answer->status && space_reason(first_message(answer)).p))
		fail(a, answer, answer->status);
	if (answer->lenient)
		return;
	a->lost |= answer->status == STATUS_LOST;
	print_messages(a, answer, false);
}

/* --- running --- */

static bool is_ready(const struct answers *a, const struct answer *answer)
{
	struct str rest = answer->from, id;

	while ((id = section_word(&rest)).n) {
		if (answers_find(a, id)->state != ANSWER_DONE)
			return false;
	}
	return answer->state == ANSWER_WAITS;
}

/* Starts pipelines in the free places; returns the number of those that run. */
static size_t start_ready(struct answers *a)
{
	size_t next = 0, n = 0, place;

	for (place = 0; place < ANSWERS_AT_ONCE; place++) {
		while (!a->running[place] && next < a->n) {
			if (is_ready(a, a->list[next]))
				start(a, place, a->list[next]);
			next++;
		}
		n += a->running[place] != NULL;
	}
	return n;
}

/* Prints one of the pipelines that run, and the size of its output. */
static void show_progress(struct answers *a)
{
	const struct answer *answer = a->running[0] ? a->running[0] : a->running[1];

	if (!a->progress)
		return;
	a->shown = true;
	fprintf(stderr, "\r%s: %s: %" PRIu64 " MB\33[K", err_command(), answer->id,
	    (uint64_t)answers_size(answer) / 1000000);
}

/* Reads messages; returns false at their end. */
static bool read_messages(struct answer *answer)
{
	const ssize_t n = read(answer->errors, buf_room(&answer->messages, 4096), 4096);

	if (n > 0)
		answer->messages.n += (size_t)n;
	return n > 0 || (n < 0 && errno == EINTR);
}

void answers_run(struct answers *a)
{
	struct pollfd wait[ANSWERS_AT_ONCE + 1];
	size_t i;

	for (i = 0; i < sizeof ending / sizeof *ending; i++) {
		if (signal(ending[i], end_programs) == SIG_IGN)
			signal(ending[i], SIG_IGN);
	}
	while (start_ready(a)) {
		for (i = 0; i < ANSWERS_AT_ONCE; i++)
			wait[i] = (struct pollfd){.fd = a->running[i] ? a->running[i]->errors : -1, .events = POLLIN};
		wait[i] = (struct pollfd){.fd = STDOUT_FILENO};
		if (poll(wait, i + 1, PROGRESS_AFTER) == 0)
			show_progress(a);
		if (wait[i].revents & POLLERR)
			end_programs(SIGPIPE); /* nobody reads the report */
		for (i = 0; i < ANSWERS_AT_ONCE; i++) {
			if (wait[i].revents && !read_messages(a->running[i]))
				end(a, i);
		}
	}
	hide_progress(a);
}

void answers_free(struct answers *a)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		close(a->list[i]->fd);
		buf_free(&a->list[i]->messages);
		mem_free(a->list[i]->id, a->list[i]->command, a->list[i]->shown, a->list[i]);
	}
	free(a->list);
	map_free(&a->printed);
}
