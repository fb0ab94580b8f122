#include "merge_inputs.h"

#include "base/heap.h"
#include "program/filter.h"
#include "clock_shift.h"
#include "json/scan.h"
#include "sort_runs.h"

#include <inttypes.h>
#include <sys/resource.h>

enum { OTHER_FILES = 16 }; /* open files that are not inputs: standard streams, temporary files and a few more */

struct merge_input {
	struct input in;
	struct event e; /* the next record */
	struct sort_runs_key key;
	struct sort_runs_key shifted; /* the key on the clock of the reference */
	struct clock_shift shift;
	struct buf early; /* with clocks: the lines that precede the first record with a rank */
	char *operand[2];
	enum merge_next { END, WITHOUT_TS, NEXT, WRONG } next; /* what `e` is */
};

/* Reads the next record of the input. All records without ts must precede those with ts. */
static void read_next(struct merge_input *s)
{
	const struct sort_runs_key before = s->key;
	const bool timed = s->next == NEXT;
	const char *wrong = NULL;

	if (!input_next(&s->in, &s->e)) {
		s->next = END;
		return;
	}
	if (s->shift.clocks)
		wrong = clock_shift_find(&s->shift, &s->e);
	s->next = record_key(&s->e, &s->key) ? NEXT : WITHOUT_TS;
	if (!wrong && timed && (s->next != NEXT || sort_runs_key_before(&s->key, &before)))
		wrong = "not in the order of ts-sort; run ts-sort without --merge";
	if (wrong) {
		warn("%s:%" PRIu64 ": %s", s->in.file, s->in.line, wrong);
		s->in.failed = true;
		s->next = WRONG;
	}
	s->shifted = s->key;
	if (s->shift.clocks)
		s->shifted.ts = clock_shift_time(&s->shift, s->key.ts);
}

/* Returns the line of the next record as it is written. */
static struct str line_of(struct merge_input *s)
{
	return s->shift.clocks ? clock_shift_line(&s->shift, &s->e) : s->e.raw;
}

/*
 * Opens an input and reads its first record. With clocks, this is the first record with a rank or a ts; the records
 * that precede it are stored.
 */
static void open_input(struct merge_input *s, const struct merge_inputs *m, char *operand)
{
	s->in = *m->given;
	s->in.report = filter_report;
	input_uses_members(&s->in, UINT32_MAX, m->clocks ? (uint32_t)INPUT_MEMBERS : (uint32_t)RECORD_KEY_MEMBERS);
	s->shift.clocks = m->clocks;
	s->shift.force = m->force;
	s->operand[0] = operand;
	input_open(&s->in, s->operand, m->out);
	read_next(s);
	while (s->next == WITHOUT_TS && m->clocks && !s->shift.rank.n) {
		buf_add(&s->early, s->e.raw.p, s->e.raw.n);
		buf_char(&s->early, '\n');
		read_next(s);
	}
}

/* Returns the next stored line; false after the last one. `at`: the offset in s->early, 0 before the first line. */
static bool next_early(struct merge_input *s, size_t *at, struct str *line)
{
	struct str rest;
	struct event e;

	scan_pad(&s->early);
	rest = str_from(buf_str(&s->early), *at);
	if (!rest.n)
		return false;
	*line = str_head(rest, str_find(rest, STR("\n")));
	*at += line->n + 1;
	if (!event_parse(&e, *line))
		*line = clock_shift_line(&s->shift, &e);
	return true;
}

static int close_input(struct merge_input *s)
{
	clock_shift_free(&s->shift);
	buf_free(&s->early);
	return filter_close_input(&s->in);
}

/* --- with all inputs open --- */

/*
 * Writes the records without ts, one input after the other, and then the others in the order of a heap that has the key
 * of the next record of each input. Ends at an input that is wrong.
 */
static void merge(struct merge_input *list, size_t n_list, struct sort_runs_key *keys, struct out *out)
{
	struct merge_input *s;
	struct str line;
	size_t i, at, n = 0;

	for (i = 0; i < n_list; i++) {
		s = &list[i];
		for (at = 0; next_early(s, &at, &line);)
			out_line(out, line);
		for (; s->next == WITHOUT_TS; read_next(s))
			out_line(out, line_of(s));
		if (s->next == WRONG)
			return;
		if (s->next != NEXT)
			continue;
		keys[n] = s->shifted;
		keys[n++].source = i;
		heap_sift_up(keys, n, sizeof *keys, sort_runs_key_before);
	}
	while (n && !out->error) {
		i = keys[0].source;
		s = &list[i];
		out_line(out, line_of(s));
		read_next(s);
		if (s->next == WRONG)
			return;
		s->shifted.source = i;
		keys[0] = s->next == NEXT ? s->shifted : keys[--n];
		heap_sift_down(keys, n, sizeof *keys, sort_runs_key_before);
	}
}

static int merge_open(const struct merge_inputs *m, char **operands, size_t n)
{
	struct merge_input *list = mem_zero(n, sizeof *list);
	struct sort_runs_key *keys = mem_zero(n, sizeof *keys);
	int status = STATUS_OK, one;
	bool wrong = false;
	size_t i;

	for (i = 0; i < n; i++) {
		open_input(&list[i], m, operands[i]);
		wrong |= list[i].next == WRONG;
	}
	if (!wrong)
		merge(list, n, keys, m->out);
	for (i = 0; i < n; i++) {
		one = close_input(&list[i]);
		status = one > status ? one : status;
	}
	mem_free(keys, list);
	return status;
}

/* --- with one input open at a time --- */

/* Adds the records of an input. The keys of records without ts are the first ones. */
static bool add_records(struct merge_input *s, struct sort_runs *runs, struct fault *f)
{
	struct str line;
	size_t at = 0;

	while (next_early(s, &at, &line)) {
		if (!sort_runs_add(runs, INT64_MIN, INT64_MAX, line, f))
			return false;
	}
	for (; s->next == WITHOUT_TS || s->next == NEXT; read_next(s)) {
		if (s->next == WITHOUT_TS)
			s->shifted = (struct sort_runs_key){INT64_MIN, INT64_MAX, 0};
		if (!sort_runs_add(runs, s->shifted.ts, s->shifted.dur, line_of(s), f))
			return false;
	}
	return true;
}

static int merge_sorting(const struct merge_inputs *m, char **operands, size_t n)
{
	struct sort_runs *runs = sort_runs_new(m->memory);
	int status = STATUS_OK, one;
	bool good = true, wrong = false;
	struct fault f;
	size_t i;

	for (i = 0; i < n && good && !wrong; i++) {
		struct merge_input s = {.next = END};

		open_input(&s, m, operands[i]);
		good = add_records(&s, runs, &f);
		wrong = s.next == WRONG;
		one = close_input(&s);
		status = one > status ? one : status;
	}
	good = good && (wrong || sort_runs_write(runs, m->out, &f));
	sort_runs_free(runs);
	if (!good)
		warn_fault(&f);
	return good ? status : STATUS_FAIL;
}

int merge_inputs(const struct merge_inputs *m, char **operands)
{
	static char dash[] = "-", *standard[] = {dash, NULL};
	struct rlimit limit;
	rlim_t need = OTHER_FILES;
	size_t n = 0;

	operands = operands[0] ? operands : standard;
	while (operands[n])
		n++;
	need += n;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
		limit.rlim_cur = need;
		if (limit.rlim_max < need || setrlimit(RLIMIT_NOFILE, &limit) != 0)
			return merge_sorting(m, operands, n);
	}
	return merge_open(m, operands, n);
}
