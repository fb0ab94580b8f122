/*
 * fuzz target: a program with any options and records, in a process of its own. The first line of the input has the
 * options, separated by blanks; the other lines are standard input, up to a line `-`; the lines after it are the
 * content of the file f, which an operand, or an option such as --clocks f or --label x=f, names.
 *
 * The program ends with a status from 0 to 3, and with a message if it is 2. With --check, or if all lines are valid,
 * output that begins with a record is NDJSON, one record a line, and a whole trace for viewers is JSON. If all lines
 * are valid, the output does not depend on whether they begin in canonical form, on the blanks between their members,
 * or on whether they are checked.
 * The target is linked with each program (`make fuzz T=filter-groupby`); fuzz.h describes how to run it.
 */
#define _GNU_SOURCE

#include "fuzz.h"
#include "record_mutator.h"
#include "records.h"
#include "samples.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MOST = 24, SECONDS = 20, FILE_AT = 9, OUTPUT_MOST = 4 << 20 };

int filter_main(int argc, char **argv); /* main() of the program */

/* clang's counters of the code that ran. The counters of the child are copied to the parent, for libFuzzer. */
static uint8_t *counters, *shared;
static size_t n_counters;

#ifdef LIBFUZZER

void __real___sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *end);
void __wrap___sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *end);
void __wrap___sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *end)
{
	counters = first;
	n_counters = (size_t)(end - first);
	__real___sanitizer_cov_8bit_counters_init(first, end);
}

#endif

/* Replaces exit() in the program: nothing that libFuzzer or a sanitizer does at an exit is done. */
_Noreturn void __wrap_exit(int status);
void __wrap_exit(int status)
{
	fflush(stdout);
	if (n_counters)
		memcpy(shared, counters, n_counters);
	_exit(status);
}

/* Errors end the child with a status that no program uses. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=0:max_allocation_size_mb=1024:allocator_may_return_null=1";
}

struct outcome {
	int status; /* -1 if the program did not exit */
	struct buf out, err;
};

static int file_of(struct str content)
{
	const int fd = memfd_create("input", 0);

	HOLD(fd >= 0 && write(fd, content.p, content.n) == (ssize_t)content.n && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void read_file(int fd, struct buf *to)
{
	ssize_t n;

	to->n = 0;
	HOLD(lseek(fd, 0, SEEK_SET) == 0);
	while ((n = read(fd, buf_room(to, 1 << 16), 1 << 16)) > 0)
		to->n += (size_t)n;
	close(fd);
}

/* Runs the program. In an empty folder in which nothing can be created, names of files mean nothing. */
static void run(struct outcome *r, char **argv, int argc, struct str input, struct str file)
{
	const struct rlimit most = {OUTPUT_MOST, OUTPUT_MOST}, seconds = {SECONDS, SECONDS};
	const int in = file_of(input), extra = file_of(file);
	const int out = memfd_create("out", 0), err = memfd_create("err", 0);
	int status, i;
	size_t k;
	pid_t child;

	if (!shared && n_counters) {
		shared = mmap(NULL, n_counters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		HOLD(shared != MAP_FAILED);
	}
	child = fork();
	HOLD(child >= 0);
	if (!child) {
		for (i = 0; i < 3; i++)
			dup2(i == 0 ? in : i == 1 ? out : err, i);
		dup2(extra, FILE_AT);
		setrlimit(RLIMIT_CPU, &seconds); /* of CPU time, which does not depend on the load */
		signal(SIGXFSZ, SIG_IGN);        /* too much output is a write error */
		setrlimit(RLIMIT_FSIZE, &most);
		if (chdir("/proc/self/fdinfo") != 0 || setenv("PATH", "/proc/self/fdinfo", 1) != 0)
			_exit(98); /* no other program is found */
		exit(filter_main(argc, argv));
	}
	while (waitpid(child, &status, 0) != child)
		HOLD(errno == EINTR);
	for (k = 0; k < n_counters; k++)
		counters[k] |= shared[k];
	read_file(out, &r->out);
	read_file(err, &r->err);
	close(in);
	close(extra);
	r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (r->status < 0 || r->status > 3)
		fwrite(r->err.p, 1, r->err.n, stderr);
	HOLD(r->status >= 0 && r->status <= 3); /* 3 is an answer of group-diff --comparable */
	HOLD(r->status != 2 || r->err.n);
}

/* Returns whether an option or operand contains this text; argv[0] is the name of the program. */
static bool has_text(char **argv, const char *text)
{
	do
		argv++;
	while (*argv && !strstr(*argv, text));
	return *argv != NULL;
}

/* Returns whether output that begins with a bracket has records. In other formats, a name can begin with one. */
static bool writes_records(char **argv)
{
	if (strncmp(PROGRAM, "ndjson2", strlen("ndjson2")) == 0 && strcmp(PROGRAM, "ndjson2table") != 0)
		return false;
	return !has_text(argv, "raw") && (strcmp(PROGRAM, "ndjson2table") != 0 || has_text(argv, "ndjson"));
}

static void check_output(const struct outcome *r, char **argv)
{
	struct str rest = buf_str(&r->out), line;
	struct fault f;

	if (!rest.n || rest.p[0] != '{' || r->status == 2)
		return;
	if (strcmp(PROGRAM, "ndjson2trace") == 0) { /* a document of several lines */
		HOLD(json_check_deep(rest, &f));
		return;
	}
	if (!writes_records(argv))
		return;
	while (str_split(&rest, '\n', &line) && rest.p)
		HOLD(json_check_deep(line, &f));
	HOLD(!line.n);
}

/* Returns whether a program must not find anything to repair in these lines. */
static bool is_valid(struct str text)
{
	struct str line;
	struct event e;
	struct fault f;
	struct str copy;
	bool escaped, good = true;

	if (text.n && text.p[text.n - 1] != '\n')
		return false;
	while (good && str_split(&text, '\n', &line) && text.p) {
		copy = padded_copy(line);
		good = line.n && line.p[0] == '{' && !memchr(line.p, '\r', line.n) &&
		       json_check_keys(copy, &escaped, &f) && !escaped && !event_parse(&e, copy) &&
		       e.reading != EVENT_TWICE;
		free((char *)(uintptr_t)copy.p);
	}
	return good;
}

/*
 * Writes a line with a blank next to each character that separates the members of a record; its values are unchanged.
 * Without `blank`, removes all blanks outside texts, also inside values.
 */
static void set_line_blanks(struct buf *to, struct str line, bool blank)
{
	bool text = false;
	size_t i, depth = 0;

	for (i = 0; i < line.n; i++) {
		const char c = line.p[i];
		const bool escaped = text && c == '\\' && i + 1 < line.n;

		text ^= c == '"';
		depth -= !text && depth && (c == '}' || c == ']');
		if (blank && !text && c == '}' && !depth)
			buf_char(to, '\t');
		if (text || blank || (c != ' ' && c != '\t'))
			buf_char(to, c);
		if (escaped)
			buf_char(to, line.p[++i]);
		depth += !text && (c == '{' || c == '[');
		if (blank && !text && depth == 1 && (c == ',' || c == ':' || (c == '{' && !i)))
			buf_char(to, ' ');
	}
}

/* Writes the records of a text in another form: see set_line_blanks(). */
static void set_blanks(struct buf *to, struct str text, bool blank)
{
	struct str line;

	to->n = 0;
	while (str_split(&text, '\n', &line)) {
		if (line.n && line.p[0] == '{')
			set_line_blanks(to, line, blank);
		else
			buf_add(to, line.p, line.n);
		if (text.p)
			buf_char(to, '\n');
	}
}

static void compare(const struct outcome *a, const struct outcome *b)
{
	static struct buf want, got;

	set_blanks(&want, buf_str(&a->out), false);
	set_blanks(&got, buf_str(&b->out), false);
	if (a->status != b->status || !str_eq(buf_str(&got), buf_str(&want)))
		fprintf(stderr, "status %d instead of %d\n--- output:\n%.*s--- expected:\n%.*s%.*s", b->status,
		    a->status, (int)got.n, got.p, (int)want.n, want.p, (int)b->err.n, b->err.p);
	HOLD(a->status == b->status);
	HOLD(str_eq(buf_str(&got), buf_str(&want)));
}

/*
 * Splits the words of a line, which is changed. Returns their number; 0 if there are too many, or if one names a
 * device: an operand such as /dev/full has no end.
 */
static int split_words(struct buf *line, char **argv)
{
	static char name[] = PROGRAM;
	static struct buf with_file[WORDS_MOST];
	char *p = line->p, *word;
	int n = 0;

	argv[n++] = name;
	while ((word = strtok(p, " "))) {
		p = NULL;
		if (n == WORDS_MOST || strncmp(word, "/dev/", strlen("/dev/")) == 0)
			return 0;
		argv[n] = word;
		if (str_ends(str_of(word), STR("=f")) || strcmp(word, "f") == 0) {
			with_file[n].n = 0;
			buf_add(&with_file[n], word, strlen(word) - 1);
			buf_lit(&with_file[n], "/proc/self/fd/9");
			buf_char(&with_file[n], '\0');
			argv[n] = with_file[n].p;
		}
		n++;
	}
	argv[n] = NULL;
	return n;
}

static const char *const words[] = {"1", "0", "-1", "2", "1e400", "9223372036854775808", "10us", "0.5", "1GiB", "name",
    "dur", "ts", "ts/10us", "args.x", "ranges[]", "\"a.b\"", "name,dur", "kernel", "op,api", "dur>5", "name==a",
    "a|step", "^(.*)$", "x=([0-9]+)", "a=dur*2", "x=name", "x=args.x", "f", "-", "count,p50,max:ts", "list,first,std",
    "csv", "md", "ndjson", "thread", "any", "own", "end", "raw", "free", "dev", "stream", "all", "(", "a,,b", "bar"};

/* Changes the line of options, which is the first line: a word is lost, added, or another one. */
static bool change_options(struct buf *to, struct str line)
{
	static struct outcome help;
	static char name[] = PROGRAM, option[] = "-h";
	char *argv[] = {name, option, NULL};
	struct str rest = line, word, found = {NULL, 0}, row;
	size_t n = 0, chosen;

	if (to->n)
		return false;
	if (!help.out.n)
		run(&help, argv, 2, (struct str){NULL, 0}, (struct str){NULL, 0});
	while (str_split(&rest, ' ', &word))
		n++;
	chosen = mutator_below(n + 1);
	for (rest = line, n = 0; str_split(&rest, ' ', &word); n++) {
		if (n != chosen || mutator_below(3)) {
			buf_add(to, word.p, word.n);
			buf_char(to, ' ');
		}
	}
	if (mutator_below(2)) { /* an option of the help: the first word of a line that begins with a hyphen */
		for (n = 1, rest = buf_str(&help.out); str_split(&rest, '\n', &row);) {
			row = str_trim(row);
			if (row.n > 1 && row.p[0] == '-' && mutator_below(n++) == 0)
				str_split(&row, ' ', &found);
		}
		n = found.n;
		while (found.n && (found.p[found.n - 1] == ',' || found.p[found.n - 1] == ']'))
			found.n--;
		if (str_find(found, STR("=")) < found.n)
			found.n = str_find(found, STR("=")) + 1;
		buf_add(to, found.p, found.n);
		if (!found.n || found.p[found.n - 1] != '=')
			buf_char(to, ' ');
	}
	if (mutator_below(4))
		mutator_put(to, MUTATOR_PICK(words));
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct outcome plain, other;
	static struct buf options, foreign, foreign_file;
	struct str rest = {(const char *)data, size}, line, input, file;
	char *argv[WORDS_MOST + 3], check[] = "--check";
	const bool has_check = strcmp(PROGRAM, "trace2ndjson") != 0; /* it checks everything */
	size_t split;
	bool valid;
	int argc;

	record_mutator.other = change_options;
	if (!size || !str_split(&rest, '\n', &line) || !rest.p || memchr(line.p, '\0', line.n))
		return 0;
	split = str_find(rest, STR("\n-\n"));
	input = (struct str){rest.p, split < rest.n ? split + 1 : rest.n};
	file = split < rest.n ? str_from(rest, split + 3) : STR("");
	options.n = 0;
	buf_add(&options, line.p, line.n);
	buf_char(&options, '\0');
	argc = split_words(&options, argv);
	if (!argc)
		return 0;
	run(&plain, argv, argc, input, file);
	valid = is_valid(input) && (is_valid(file) || !memchr(file.p, '{', file.n));
	if (plain.status == 2)
		return 0;
	if (valid && (size % 2 || !has_check)) {
		set_blanks(&foreign, input, true);
		set_blanks(&foreign_file, file, true);
		run(&other, argv, argc, buf_str(&foreign), buf_str(&foreign_file));
	} else if (!has_check) {
		check_output(&plain, argv);
		return 0;
	} else {
		memmove(&argv[2], &argv[1], (size_t)argc * sizeof *argv);
		argv[1] = check;
		run(&other, argv, argc + 1, input, file);
	}
	check_output(&other, argv);
	if (valid)
		compare(&plain, &other);
	return 0;
}
