/*
 * fuzz target: coll-join with any records. Each member kernel is in one collective, the output is JSON, and clocks that
 * were written can be read again and give the same times. The first byte selects the clocks; a line `-` separates the
 * clock records of --clocks FILE from the other records (fuzz.h describes how to run it).
 */
#include "fuzz.h"
#include "record_mutator.h"
#include "records.h"

#include "coll-join/collective_writer.h"
#include "coll-join/member_reader.h"
#include "samples.h"

enum { ROOM = 16 << 20, DIGITS_MOST = 4 };

static char room[ROOM + SCAN_PAD];

/* Returns whether a number after `size` is so large that the lists of ranks would take too long. */
static bool is_large(struct str text)
{
	size_t at, i;

	for (; (at = str_find(text, STR("size"))) < text.n; text = str_from(text, at + 4)) {
		for (i = at + 4; i < text.n && !(text.p[i] >= '1' && text.p[i] <= '9') && i < at + 12; i++)
			;
		for (at = i; i < text.n && (text.p[i] >= '0' && text.p[i] <= '9'); i++)
			;
		if (i - at > DIGITS_MOST || (i < text.n && (text.p[i] | 0x20) == 'e'))
			return true;
		at = 0;
	}
	return false;
}

/* Clocks that were written are read without change. */
static void check_clocks(const struct out *o, const struct rank_clocks *clocks, const struct job *j)
{
	struct clock_file file = {.cap = 0};
	struct rank_clocks again = {.mode = RANK_CLOCKS_FILE};
	struct str rest = {o->p, o->n}, line;
	struct event e;
	size_t i;

	while (str_split(&rest, '\n', &line) && rest.p) {
		const struct str copy = padded_copy(line);

		HOLD(read_record(&e, copy) && !clock_file_add(&file, &e));
		free((char *)(uintptr_t)copy.p);
	}
	HOLD(clock_file_is_empty(&file) == (j->n_ranks == 0));
	rank_clocks_init(&again, j, &file);
	for (i = 0; i < j->n_ranks; i++) {
		HOLD(again.list[i].ok == clocks->list[i].ok);
		HOLD(!again.list[i].ok ||
		     rank_clock_time(&again.list[i], 123) == rank_clock_time(&clocks->list[i], 123));
	}
	clock_file_free(&file);
	rank_clocks_free(&again);
}

static void join(
    struct job *j, struct rank_clocks *clocks, const struct clock_file *file, struct spool *members, int64_t block)
{
	struct collectives all = {.n = 0};
	struct fault f;
	struct out o = {.p = room, .cap = ROOM};
	const size_t kernels = j->n;
	size_t n_members = 0, i;

	job_sort(j);
	rank_clocks_init(clocks, j, file);
	collectives_match(&all, j, block, clocks->list, clocks->mode == RANK_CLOCKS_RAW);
	rank_clocks_find(clocks, &all);
	for (i = 0; i < all.n; i++)
		n_members += all.list[i].n;
	HOLD(n_members + j->doubles == kernels);
	rank_clocks_write(clocks, j, &o);
	check_lines(&o);
	check_clocks(&o, clocks, j);
	o.n = 0;
	collective_writer_write(&all, clocks, &o);
	check_lines(&o);
	o.n = 0;
	HOLD(collective_writer_write_members(&all, clocks, members, &o, &f));
	check_lines(&o);
	collectives_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, line;
	struct out o = {.p = room, .cap = ROOM};
	struct input in = {.out = &o};
	struct job j = {.n = 0};
	struct member_reader *r;
	struct clock_file file = {.cap = 0};
	struct spool members;
	struct fault f;
	struct rank_clocks clocks = {.mode = RANK_CLOCKS_ALIGN};
	bool after = size && data[0] % 4 != RANK_CLOCKS_FILE, is_member, has_records;
	struct event e;

	if (!size || is_large(rest))
		return 0;
	clocks.mode = data[0] % 4;
	job_init(&j);
	spool_init(&members);
	r = member_reader_new(&j, &in);
	rest = str_from(rest, 1);
	while (str_split(&rest, '\n', &line)) {
		const struct str copy = padded_copy(line);

		after |= str_eq(line, STR("-"));
		if (read_record(&e, copy) && !after)
			clock_file_add(&file, &e);
		if (read_record(&e, copy) && after) {
			member_reader_add(r, &e, &is_member);
			HOLD(e.check != EVENT_BROKEN);
			HOLD(!is_member || collective_writer_store(&members, e.raw, &f));
		}
		free((char *)(uintptr_t)copy.p);
	}
	member_reader_end_file(r, &has_records);
	join(&j, &clocks, &file, &members, data[0] / 4 % 4);
	spool_free(&members);
	rank_clocks_free(&clocks);
	clock_file_free(&file);
	member_reader_free(r);
	job_free(&j);
	diagnostics_free(&in.diagnostics);
	return 0;
}
