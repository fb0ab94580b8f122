#include "passed.h"

#include "base/hash.h"
#include "base/num_format.h"
#include "cli/shell_words.h"

#include <inttypes.h>
#include <stdlib.h>

struct passed_record {
	int64_t ts, corr;
	uint32_t rank, process;
	uint32_t before; /* the record before it in its bucket: the low bits of its number */
	bool blind;
};

enum { FIRST = 256 };

static struct passed_record *get(const struct passed *p, uint64_t number)
{
	return &p->records[number & p->mask];
}

static uint32_t *bucket_of(const struct passed *p, uint32_t rank, uint32_t process, bool blind, int64_t corr)
{
	uint64_t who = (uint64_t)rank << 32 | (blind ? UINT32_MAX : process);

	return &p->buckets[(size_t)hash_pair((uint64_t)corr, who) & p->mask];
}

/* The number of the record before `at` that has these low bits; false when it aged out, or there is none. */
static bool follow(const struct passed *p, uint64_t at, uint32_t low, uint64_t *number)
{
	uint32_t back = (uint32_t)at - low;

	if (back == 0 || back > at - p->first)
		return false;
	*number = at - back;
	return true;
}

static void link_in(struct passed *p, uint64_t number)
{
	struct passed_record *r = get(p, number);
	uint32_t *bucket = bucket_of(p, r->rank, r->process, r->blind, r->corr);

	r->before = *bucket;
	*bucket = (uint32_t)number;
}

/*
 * A ring twice as large. Records that were counted come into their buckets again, but no call finds them twice: they
 * are marked by an id that no record has.
 */
static void grow(struct passed *p)
{
	size_t n = p->records ? (p->mask + 1) * 2 : FIRST, i;
	struct passed_record *records = mem_alloc(n * sizeof *records);
	uint64_t number;

	for (number = p->first; number < p->end; number++)
		records[number & (n - 1)] = *get(p, number);
	free(p->records);
	free(p->buckets);
	p->records = records;
	p->mask = n - 1;
	p->buckets = mem_alloc(n * sizeof *p->buckets);
	/* No link: `first` - 1 is the number of no record that is there. */
	for (i = 0; i < n; i++)
		p->buckets[i] = (uint32_t)p->first - 1;
	for (number = p->first; number < p->end; number++) {
		if (get(p, number)->corr != -1)
			link_in(p, number);
	}
}

static void age(struct passed *p, int64_t ts)
{
	while (p->first < p->end && (uint64_t)ts - (uint64_t)get(p, p->first)->ts > p->horizon)
		p->first++;
}

void passed_add(struct passed *p, const struct waiting *w)
{
	age(p, w->ts);
	if (!p->records || p->end - p->first > p->mask)
		grow(p);
	*get(p, p->end) = (struct passed_record){
	    .ts = w->ts, .corr = w->corr, .rank = w->rank, .process = w->process, .blind = w->blind};
	link_in(p, p->end++);
}

/* Counts the records of that id and process, or blind ones, and takes them out of their bucket. */
static void count(struct passed *p, const struct waiting *call, bool blind)
{
	uint32_t *link = bucket_of(p, call->rank, call->process, blind, call->corr);
	uint64_t at = p->end, lead;
	struct passed_record *r;

	while (follow(p, at, *link, &at)) {
		r = get(p, at);
		if (r->corr != call->corr || r->rank != call->rank || r->blind != blind ||
		    (!blind && r->process != call->process)) {
			link = &r->before;
			continue;
		}
		lead = (uint64_t)call->ts - (uint64_t)r->ts;
		p->lead = lead > p->lead ? lead : p->lead;
		p->count++;
		r->corr = -1;
		*link = r->before;
	}
}

void passed_call(struct passed *p, const struct waiting *call)
{
	age(p, call->ts);
	if (p->first == p->end)
		return;
	count(p, call, false);
	count(p, call, true);
}

/* A time that is not below `ns`, with its unit and few digits, as options take it. */
static void add_time(struct buf *b, uint64_t ns)
{
	static const struct {
		uint64_t most, ns;
		const char *name;
	} units[] = {{10000, 1, "ns"}, {10000000, 1000, "us"}, {UINT64_MAX, 1000000, "ms"}}, *u = units;
	char digits[NUM_ROOM];

	while (ns > u->most)
		u++;
	buf_add(b, digits, (size_t)(num_put_u64(digits, (ns + u->ns - 1) / u->ns) - digits));
	buf_add(b, u->name, strlen(u->name));
}

void passed_tell(const struct passed *p, struct input *in, char *const *argv, char *const *operands)
{
	const char *before = *operands ? "" : "... | ";
	char *const *word, *const *end = operands;
	struct buf line = {0};

	if (!p->count)
		return;
	for (word = argv + 1; word < operands && strcmp(*word, "--") != 0; word++) {
		if (strcmp(*word, "--lead") == 0)
			word++;
		else if (strncmp(*word, "--lead=", 7) != 0)
			shell_words_add(&line, word, word + 1);
	}
	buf_lit(&line, " --lead ");
	add_time(&line, p->lead);
	while (*end)
		end++;
	shell_words_add(&line, word, end);
	warn("%" PRIu64 " device records start before their calls, by up to %" PRIu64 " ns, and were not joined; run: "
	     "%s%s%.*s",
	    p->count, p->lead, before, err_prog(), (int)line.n, line.p);
	buf_free(&line);
	in->tally.lost = true;
}

void passed_free(struct passed *p)
{
	free(p->records);
	free(p->buckets);
	*p = (struct passed){0};
}
