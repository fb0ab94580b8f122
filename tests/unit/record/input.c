/* input: the loop over files: missing files, damage, repairs, limits, and the messages about these. */
#include "test.h"

#include "base/mem.h"
#include "program/filter.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	CHECK(f && fputs(text, f) >= 0);
	CHECK(f && fclose(f) == 0);
}

static char *read_file(const char *path)
{
	static char room[1 << 16];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(room, 1, sizeof room - 1, f) : 0;

	room[n] = '\0';
	if (f)
		fclose(f);
	return room;
}

/* The parts of records that the filter of run() uses: registered parts; args, which it checks itself. */
static uint32_t kinds, members;
static const char *field_used;
static bool checks_args;

static void register_uses(struct input *in, struct field *f)
{
	struct fault fault;

	if (kinds)
		input_uses_members(in, kinds, members);
	if (field_used && field_compile(f, str_of(field_used), &fault))
		input_uses(in, f);
}

/*
 * Runs a filter in a separate process. For each record, the filter writes the name of the input file, the line number
 * and the ts to `out_path`. Its messages go to the file input.err. Returns the exit status.
 */
static int run(const char *operands, const char *read_size, size_t max_record, bool lenient, const char *out_path)
{
	struct input in = {.options = {.max_record = max_record, .lenient = lenient}};
	char *words[10] = {NULL};
	int status, fd, n = 0;
	struct event e;
	struct out out;
	char *list;
	struct field field;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		list = str_dup(str_of(operands));
		for (list = strtok(list, " "); list; list = strtok(NULL, " "))
			words[n++] = list;
		fd = open(out_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fd, STDOUT_FILENO);
		fd = open("input.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fd, STDERR_FILENO);
		fd = open("input.stdin", O_RDONLY);
		dup2(fd, STDIN_FILENO);
		if (read_size)
			setenv("TRACEFILTERS_READ", read_size, 1);
		err_init("prog");
		register_uses(&in, &field);
		filter_open(&in, words, &out);
		while (input_next(&in, &e) > 0) {
			if (checks_args)
				event_check(&e, event_get(&e, EVENT_ARGS));
			if (!input_valid(&in, &e))
				continue;
			out_z(&out, in.file);
			out_char(&out, ':');
			out_i64(&out, (int64_t)in.line);
			out_char(&out, ' ');
			out_i64(&out, event_get(&e, EVENT_TS).p ? e.ts : -1);
			if (event_get(&e, EVENT_NAME).p && str_eq(event_get(&e, EVENT_NAME), STR("\"lose\"")))
				input_lost(&in, "not wanted, skipped");
			out_char(&out, '\n');
		}
		_exit(filter_close(&in));
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define EXPECT(operands, max, lenient, status, out, err) expect(operands, max, lenient, status, out, err, __LINE__)

static void expect(
    const char *operands, size_t max, bool lenient, int status, const char *out, const char *err, int line)
{
	static const char *const sizes[] = {NULL, "1", "13"};
	size_t i;

	for (i = 0; i < 3; i++) {
		int got = run(operands, sizes[i], max, lenient, "input.out");
		const char *got_out = read_file("input.out"), *got_err;

		CHECK_SHOW(got == status && strcmp(got_out, out) == 0, "line %d, TRACEFILTERS_READ=%s: status %d, '%s'",
		    line, sizes[i] ? sizes[i] : "", got, got_out);
		got_err = read_file("input.err");
		CHECK_SHOW(strcmp(got_err, err) == 0, "line %d, TRACEFILTERS_READ=%s: '%s', expected '%s'", line,
		    sizes[i] ? sizes[i] : "", got_err, err);
	}
}

static void test_files(void)
{
	write_file("a", "{\"ts\":1,\"kind\":\"op\",\"name\":\"x\"}\n\n{\"name\":\"x\",\"ts\":2}\r\n");
	write_file("b", "{\"ts\":3,\"kind\":\"op\",\"name\":\"x\"}");
	write_file("empty", "");
	write_file("input.stdin", "{\"ts\":9}\n");
	EXPECT("a b", 0, false, 0, "a:1 1\na:3 2\nb:1 3\n", "");
	EXPECT("", 0, false, 0, "stdin:1 9\n", "");
	EXPECT("b - a", 0, false, 0, "b:1 3\nstdin:1 9\na:1 1\na:3 2\n", "");
	EXPECT("empty b empty", 0, false, 0, "b:1 3\n", "");
	EXPECT("no b . b", 0, false, 2, "b:1 3\nb:1 3\n",
	    "prog: no: cannot open: No such file or directory\nprog: .: cannot read: Is a directory\n");
	EXPECT("no", 0, true, 2, "", "prog: no: cannot open: No such file or directory\n");
}

static void test_damage(void)
{
	write_file(
	    "c", "{\"ts\":1}\n{\"ts\":2\n{\"ts\":3}\nrubbish\n\n{\"ts\":4}\n{\"ts\":99999999999999999999}\n{\"ts\":5");
	write_file(
	    "r", "{\"ts\":1,}\n{\"ts\":2,\"a\":NaN}\n{\"ts\":3,}\n{\"ts\":4,\"ts\":5}\n{\"ts\":6,\"name\":\"a\tb\"}\n");
	write_file("l", "{\"ts\":1}\n{\"ts\":2,\"name\":\"lose\"}\n{\"ts\":3,\"kind\":\"op\",\"name\":\"lose\"}\n");
	write_file(
	    "two", "{\"ts\":1,\"kind\":\"op\",\"name\":\"x\"}{\"ts\":2,\"kind\":\"op\",\"name\":\"y\"}\n{\"ts\":3}\n");
	write_file("m",
	    "{\"ts\":1}\n{\"ts\":2,\"n\":\"0123456789\"}\n{\"ts\":3}\n{\"ts\":4,\"n\":\"0123456789\"}\n{\"ts\":5}\n");
	EXPECT("c", 0, false, 1, "c:1 1\nc:3 3\nc:6 4\n",
	    "prog: c:2: not a JSON record; skipped (and 1 more)\nprog: c:7: ts does not fit in 64 bits; record "
	    "skipped\n"
	    "prog: c:8: record cut short; skipped\n");
	EXPECT("c", 0, true, 0, "c:1 1\nc:3 3\nc:6 4\n",
	    "prog: c:2: not a JSON record; skipped (and 1 more)\nprog: c:7: ts does not fit in 64 bits; record "
	    "skipped\n"
	    "prog: c:8: record cut short; skipped\n");
	EXPECT("r", 0, false, 0, "r:1 1\nr:2 2\nr:3 3\nr:4 5\nr:5 6\n",
	    "prog: r:1: trailing comma; removed (and 1 more)\nprog: r:2: NaN, Infinity or N/A; replaced by null\n"
	    "prog: r:4: duplicate member; only the last one counts\nprog: r:5: unescaped control character in a "
	    "string; escaped\n");
	EXPECT("l l", 0, false, 1, "l:1 1\nl:2 2\nl:3 3\nl:1 1\nl:2 2\nl:3 3\n",
	    "prog: l:2: not wanted, skipped (and 1 more)\nprog: l:2: not wanted, skipped (and 1 more)\n");
	EXPECT("two", 0, false, 1, "two:2 3\n", "prog: two:1: not a JSON record; skipped\n");
	EXPECT("m", 12, false, 1, "m:1 1\nm:3 3\nm:5 5\n",
	    "prog: m:2: record larger than --max-record; skipped (and 1 more)\n");
	EXPECT("m", 25, false, 0, "m:1 1\nm:2 2\nm:3 3\nm:4 4\nm:5 5\n", "");
	EXPECT("c no m", 12, false, 2, "c:1 1\nc:3 3\nc:6 4\nm:1 1\nm:3 3\nm:5 5\n",
	    "prog: no: cannot open: No such file or directory\n"
	    "prog: c:2: not a JSON record; skipped (and 1 more)\nprog: c:8: record cut short; skipped\n"
	    "prog: c:7: record larger than --max-record; skipped\nprog: m:2: record larger than --max-record; skipped "
	    "(and 1 more)\n");
}

/* Only the parts that the filter uses are checked. */
static void test_uses(void)
{
	static const char all[] = "u:1 1\nu:2 2\nu:3 3\nu:4 4\n";

	write_file("u", "{\"ts\":1,\"kind\":\"op\",\"name\":\"x\",\"args\":{\"a\":1,}}\n"
			"{\"ts\":2,\"kind\":\"api\",\"name\":\"x\",\"args\":{\"a\":1 2}}\n"
			"{\"ts\":3,\"kind\":\"op\",\"name\":\"x\",\"src\":{\"a\":1 2}}\n"
			"{\"ts\":4,\"kind\":\"op\",\"name\":\"x\",\"b\":{\"a\":1 2}}\n");
	EXPECT("u", 0, false, 1, "u:1 1\n",
	    "prog: u:1: trailing comma; removed\nprog: u:2: not a JSON record; skipped (and 2 more)\n");
	kinds = UINT32_MAX;
	members = 1u << EVENT_TS | 1u << EVENT_KIND;
	EXPECT("u", 0, false, 0, all, "");
	checks_args = true; /* a record is returned again when its args have been repaired */
	EXPECT("u", 0, false, 1, "u:1 1\nu:3 3\n",
	    "prog: u:1: trailing comma; removed\nprog: u:2: not a JSON record; skipped (and 1 more)\n");
	checks_args = false;
	members = INPUT_MEMBERS;
	EXPECT("u", 0, false, 1, "u:1 1\nu:2 2\nu:3 3\n", "prog: u:4: not a JSON record; skipped\n");
	kinds = 1u << KIND_API;
	EXPECT("u", 0, false, 0, all, "");
	members = 1u << EVENT_ARGS;
	EXPECT("u", 0, false, 1, "u:1 1\nu:3 3\nu:4 4\n", "prog: u:2: not a JSON record; skipped\n");
	kinds = 1u << KIND_OP;
	EXPECT("u", 0, false, 1, "u:1 1\nu:2 2\nu:3 3\n",
	    "prog: u:1: trailing comma; removed\nprog: u:4: not a JSON record; skipped\n");
	members = 1u << EVENT_TS;
	field_used = "args.a";
	EXPECT("u", 0, false, 1, "u:1 1\nu:3 3\nu:4 4\n",
	    "prog: u:1: trailing comma; removed\nprog: u:2: not a JSON record; skipped\n");
	field_used = "ts";
	kinds = 0;
	EXPECT("u", 0, false, 0, all, "");
	field_used = NULL;
}

/* A write error ends the reading, so the last line of the file, which is not a record, is never read. */
static void test_full(void)
{
	FILE *f = fopen("many", "wb");
	size_t i;

	for (i = 0; f && i < 200000; i++)
		fputs("{\"ts\":1,\"kind\":\"op\",\"name\":\"x\"}\n", f);
	CHECK(f && fputs("rubbish\n", f) >= 0);
	CHECK(f && fclose(f) == 0);
	CHECK_INT(run("many", NULL, 0, false, "/dev/full"), 2);
	CHECK_STR(str_of(read_file("input.err")), "prog: write error: No space left on device\n");
	CHECK_INT(run("b", NULL, 0, true, "/dev/full"), 2);
	CHECK_STR(str_of(read_file("input.err")), "prog: write error: No space left on device\n");
}

static bool no_more(void *arg)
{
	(*(int *)arg)++;
	return false;
}

/* The wake callback may end the input, both before the first data has arrived and later. */
static void test_wake(void)
{
	int fd[2], wakes = 0, i, saved = dup(STDIN_FILENO);
	char *operands[] = {NULL};

	for (i = 0; i < 2; i++) {
		struct input in = {.wake = no_more, .wake_arg = &wakes};
		struct out out = {.p = mem_alloc(OUT_SIZE), .cap = OUT_SIZE};
		struct event e;

		wakes = 0;
		CHECK(pipe(fd) == 0);
		CHECK(write(fd[1], "{\"ts\":1}\n", 9) == 9 || !i);
		if (!i)
			CHECK(read(fd[0], (char[9]){0}, 9) == 9);
		dup2(fd[0], STDIN_FILENO);
		input_open(&in, operands, &out);
		if (i)
			CHECK_INT(input_next(&in, &e), 1);
		CHECK_INT(input_next(&in, &e), 0);
		CHECK_INT(wakes, 1);
		source_close(in.src ? in.src : source_open("/dev/null", &(struct fault){0}));
		free(out.p);
		close(fd[0]);
		close(fd[1]);
	}
	dup2(saved, STDIN_FILENO);
}

void unit_test(void)
{
	alarm(200);
	test_files();
	test_damage();
	test_uses();
	test_full();
	test_wake();
}
