/*
 * coll-join: matches the kernels of collective communications across ranks.
 *
 * in:  {"ts":1000,"dur":100,"kind":"kernel","name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)","rank":0,"dev":0,
 *      "stream":20,"corr":11,"args":{"Collective name":"allreduce","In msg nelems":8,"Out msg nelems":8,
 *      "dtype":"Float","Process Group Name":"1","Process Group Ranks":"[0, 1]","Seq":5}}
 *      {"ts":1010,"dur":90,"kind":"kernel", ... ,"rank":1, ... ,"Seq":5}}
 * out, with --clocks raw:
 *      {"ts":1000,"dur":100,"kind":"collective","name":"all_reduce","id":0,"bytes":32,"group":"1","gid":0,
 *      "ranks":[0,1],"match":"seq","seq":5,"aligned":true,"n":2,"size":2,"dtype":"Float","skew_start":10,
 *      "skew_end":0,"first":0,"last":1,"late":10,"latency":90,"transfer":90, ... ,
 *      "members":[{"rank":0,"ts":1000,"dur":100,"wait":10, ... }]}
 */
#include "collective_match.h"
#include "program/clocks_option.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/kernel_names_option.h"
#include "collective_writer.h"
#include "member_reader.h"
#include "member_writer.h"
#include "rank_clocks.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

/* Blocks of at least this size are mapped, so that their memory is returned when they are freed. */
enum { MAPPED = 128 << 10 };

enum coll_join_write { WRITE_COLLECTIVES, WRITE_CLOCKS, WRITE_MEMBERS, WRITE_KERNELS };
static const char *const write_names[] = {"collectives", "clocks", "members", "kernels", NULL};

struct coll_join {
	struct input in;
	struct out out;
	struct job job;
	struct member_reader *reader;
	struct spool members; /* with --write members: their records */
	struct clock_file file;
	struct collectives collectives;
	struct rank_clocks clocks;
	const char *clocks_path; /* of --clocks FILE: with RANK_CLOCKS_FILE */
	int64_t block;
	enum coll_join_write what;
};

enum { OPERATION = 256 }; /* an option without a letter */

#define TO(member) OPT_TO(struct coll_join, member)
static const struct opt options[] = {
    {0, "clocks", OPT_TEXT("align|raw|free|FILE"), OPT_TAKE,
	"align: estimate the clock offsets of the ranks from the collectives\n"
	"(default); raw: treat all clocks as one; free: compare no times of\n"
	"different ranks; FILE: use the clocks that --write clocks wrote to FILE"},
    {OPERATION, "op", OPT_TEXT("REGEX=OP[:BYTES]"), OPT_TAKE,
	"count kernels with matching names as the operation OP, such as\n"
	"all_reduce, on BYTES of data, such as 4MiB (default: size unknown)"},
    {0, "block", OPT_COUNT("N", 1), TO(block),
	"put each N consecutive ranks (0 to N-1, N to 2N-1, ...) into one group,\n"
	"for kernels without metadata (default: one group of all ranks)"},
    {0, "write", OPT_CHOICE("collectives|clocks|members|kernels", write_names), TO(what),
	"write one record for each collective (default), for the clock of each\n"
	"rank, or for each kernel: with its collective (members), or with its\n"
	"complete metadata, as input of a later coll-join (kernels)"},
    {'e', "custom", OPT_RENAMED("op"), OPT_TAKE, NULL}, /* versions before 0.3.0 */
    {0},
};

static const struct opt_program program = {
    "Matches the kernels of collective communications across ranks.",
    "[--clocks align|raw|free|FILE] [--op REGEX=OP[:BYTES]]... [--kernel-names FILE] [--block N] "
    "[--write collectives|clocks|members|kernels] [FILE...]",
    "coll-join rank*.ndjson | groupby -g name,bytes,size -f busbw -o table",
    .reads = "records (kernel)",
    .writes = "records (collective, clock, kernel)",
    .needs = "several ranks",
};

static void set_option(void *arg, const struct opt_value *v)
{
	static const char *const modes[RANK_CLOCKS_FILE] = {"align", "raw", "free"};
	struct coll_join *c = arg;

	if (v->opt->letter == OPERATION) {
		member_reader_add_custom(c->reader, v);
		return;
	}
	c->clocks.mode = RANK_CLOCKS_ALIGN;
	while (c->clocks.mode < RANK_CLOCKS_FILE && strcmp(v->text, modes[c->clocks.mode]) != 0)
		c->clocks.mode++;
	c->clocks_path = v->text;
}

static void read_file(struct coll_join *c, char *path)
{
	char *operands[] = {path, NULL};
	const char *wrong;
	bool is_member, has_records;
	struct event e;
	struct fault f;

	c->in.file = NULL;
	input_open(&c->in, operands, &c->out);
	while (input_next(&c->in, &e)) {
		wrong = member_reader_add(c->reader, &e, &is_member);
		if (wrong)
			die("%s:%" PRIu64 ": %s", c->in.file, c->in.line, wrong);
		if (is_member && c->what == WRITE_MEMBERS && !collective_writer_store(&c->members, e.raw, &f))
			die_fault(&f);
		if (c->what == WRITE_KERNELS && member_writer_is_rank(&e))
			event_copy(&c->out, &e);
	}
	wrong = member_reader_end_file(c->reader, &has_records);
	if (wrong)
		die("%s: %s", c->in.file, wrong);
	if (c->in.file && !c->in.failed && !has_records) {
		warn("%s: no records", c->in.file);
		c->in.diagnostics.lost = true;
	}
}

/* Reports the reasons why kernels are not matched. Returns whether there is such a kernel. */
static bool report_unmatched(const struct coll_join *c)
{
	uint64_t counts[COLLECTIVE_WHYS] = {0};
	bool any = false;
	size_t i;

	for (i = 0; i < c->job.n; i++)
		counts[c->job.kernels[i].why]++;
	for (i = COLLECTIVE_MATCHED + 1; i < COLLECTIVE_WHYS; i++) {
		if (!counts[i])
			continue;
		warn("member kernels that cannot be matched: %" PRIu64 ", because: %s", counts[i],
		    collective_why_names[i]);
		any = true;
	}
	return any;
}

/* Reports the first rank for which `is` returns true, and how many more there are; returns whether there is one. */
static bool report_ranks(
    const struct coll_join *c, bool (*is)(const struct coll_join *c, size_t rank), const char *what)
{
	struct buf first = {0};
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < c->job.n_ranks; i++) {
		if (is(c, i) && n++ == 0)
			job_write_rank(&c->job, c->job.ranks[i].rank, &first);
	}
	if (n > 1)
		warn("%.*s: %s (and %" PRIu64 " more)", (int)first.n, first.p, what, n - 1);
	else if (n)
		warn("%.*s: %s", (int)first.n, first.p, what);
	buf_free(&first);
	return n > 0;
}

static bool is_empty(const struct coll_join *c, size_t rank)
{
	return !c->job.ranks[rank].kernels;
}

static bool is_apart(const struct coll_join *c, size_t rank)
{
	return !c->clocks.list[rank].ok && c->clocks.list[rank].count == 0 && !is_empty(c, rank) &&
	       !job_is_process(c->job.ranks[rank].rank);
}

static bool is_contradictory(const struct coll_join *c, size_t rank)
{
	return !c->clocks.list[rank].ok && c->clocks.list[rank].count > 0;
}

/* Reports collectives for which ranks name different operations. Returns whether there is one. */
static bool report_mixed(const struct coll_join *c)
{
	struct buf first = {0};
	const size_t n = collectives_mixed(&c->collectives, &first);

	if (n)
		warn("collectives for which ranks name different operations: %zu; the first one: %.*s", n, (int)first.n,
		    first.p);
	buf_free(&first);
	return n > 0;
}

/* Reports kernels of which only the name is known, such as those of DeepEP. */
static void report_unsized(const struct coll_join *c)
{
	struct job_description d;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < c->job.n; i++) {
		d = job_description(&c->job, c->job.kernels[i].description);
		n += d.custom && d.bytes < 0 && d.operation != COLL_BARRIER;
	}
	if (n)
		note("member kernels without metadata: %" PRIu64 "; their sizes and bandwidths are unknown", n);
}

/* Returns whether a kernel is not matched, ranks contradict each other, or a rank has no member kernels or no clock. */
static bool report_losses(const struct coll_join *c)
{
	bool lost;

	if (c->job.doubles)
		note("member kernels that are in the input twice: %" PRIu64 "; one of each is used", c->job.doubles);
	if (c->collectives.by_stream && !c->block && c->job.n_ranks > 1)
		note("no member kernel has a process group: all %zu ranks count as one group; see --block",
		    c->job.n_ranks);
	report_unsized(c);
	lost = report_ranks(c, is_empty, "no member kernels; see --op");
	lost |= report_unmatched(c);
	lost |= report_mixed(c);
	lost |= report_ranks(c, is_apart,
	    c->clocks.mode == RANK_CLOCKS_FILE
		? "no clock in the file of --clocks; its collectives are not aligned"
		: "no chain of common collectives to the lowest rank; its clock is unknown");
	lost |= report_ranks(c, is_contradictory, "its collectives contradict each other; its clock is unknown");
	return lost;
}

static void match_and_write(struct coll_join *c)
{
	struct fault f;

	job_sort(&c->job);
	if (c->what == WRITE_KERNELS) {
		member_writer_write(&c->job, &c->out);
		return;
	}
	rank_clocks_init(&c->clocks, &c->job, &c->file);
	collectives_match(&c->collectives, &c->job, c->block, c->clocks.list,
	    c->clocks.mode == RANK_CLOCKS_RAW || c->clocks.mode == RANK_CLOCKS_FILE);
	rank_clocks_find(&c->clocks, &c->collectives);
	c->in.diagnostics.lost |= report_losses(c);
	if (c->what == WRITE_CLOCKS)
		rank_clocks_write(&c->clocks, &c->job, &c->out);
	else if (c->what == WRITE_COLLECTIVES)
		collective_writer_write(&c->collectives, &c->clocks, &c->out);
	else if (!collective_writer_write_members(&c->collectives, &c->clocks, &c->members, &c->out, &f))
		die_fault(&f);
}

int main(int argc, char **argv)
{
	struct coll_join c = {.in.times = INPUT_TIMED, .in.only = MEMBER_READER_KINDS, .in.report = filter_report};
	const struct opt_table tables[] = {{options, &c, set_option}, KERNEL_NAMES_OPTION, INPUT_OPTIONS(&c.in), {0}};
	static char dash[] = "-";
	char **operands;
	int status;

	err_init(argv[0]);
	mallopt(M_MMAP_THRESHOLD, MAPPED);
	job_init(&c.job);
	spool_init(&c.members);
	c.reader = member_reader_new(&c.job, &c.in);
	operands = opt_read(&program, argc, argv, tables);
	kernel_names_option_read();
	if (c.clocks.mode == RANK_CLOCKS_FREE && c.what == WRITE_CLOCKS)
		opt_excluded("--clocks free", "--write clocks");
	input_uses_members(&c.in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open_output(&c.out);
	input_stop_on_signal();
	if (c.clocks.mode == RANK_CLOCKS_FILE)
		clocks_option_read(&c.file, c.clocks_path, &c.in.options, &c.out);
	do {
		read_file(&c, *operands ? *operands : dash);
	} while (*operands && *++operands);
	match_and_write(&c);
	status = filter_close(&c.in);
	spool_free(&c.members);
	collectives_free(&c.collectives);
	rank_clocks_free(&c.clocks);
	clock_file_free(&c.file);
	member_reader_free(c.reader);
	job_free(&c.job);
	return status;
}
