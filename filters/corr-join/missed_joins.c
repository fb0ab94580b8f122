#include "missed_joins.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/num_format.h"
#include "back_link.h"
#include "program/shell_words.h"

#include <inttypes.h>
#include <stdlib.h>

struct missed_joins_record {
	int64_t ts, corr;
	uint32_t rank, process;
	uint32_t before; /* the low 32 bits of the number of the previous record in its bucket */
	bool blind;
};

struct missed_joins {
	uint64_t horizon;
	uint64_t count;                      /* number of records whose call came later */
	uint64_t lead;                       /* the maximum time by which one of these records preceded its call, ns */
	struct missed_joins_record *records; /* a ring; records are numbered in input order */
	uint64_t first, end;                 /* the numbers of the records in the ring: first .. end - 1 */
	size_t mask;                         /* the ring has mask + 1 slots; there are as many buckets */
	uint32_t *buckets;                   /* for each bucket, the low 32 bits of the number of its last record */
};

enum { FIRST = 256 };

struct missed_joins *missed_joins_new(uint64_t horizon)
{
	struct missed_joins *m = mem_zero(1, sizeof *m);

	m->horizon = horizon;
	return m;
}

void missed_joins_free(struct missed_joins *m)
{
	free(m->records);
	free(m->buckets);
	free(m);
}

static struct missed_joins_record *get(const struct missed_joins *m, uint64_t number)
{
	return &m->records[number & m->mask];
}

static uint32_t *bucket_of(const struct missed_joins *m, uint32_t rank, uint32_t process, bool blind, int64_t corr)
{
	uint64_t who = (uint64_t)rank << 32 | (blind ? UINT32_MAX : process);

	return &m->buckets[(size_t)hash_pair((uint64_t)corr, who) & m->mask];
}

static void link_in(struct missed_joins *m, uint64_t number)
{
	struct missed_joins_record *r = get(m, number);
	uint32_t *bucket = bucket_of(m, r->rank, r->process, r->blind, r->corr);

	r->before = *bucket;
	*bucket = (uint32_t)number;
}

/*
 * Doubles the ring and the buckets. Records that were counted have corr == -1, which is not a valid id. They are not
 * put into a bucket again, so that no call counts them a second time.
 */
static void grow(struct missed_joins *m)
{
	size_t n = m->records ? (m->mask + 1) * 2 : FIRST, i;
	struct missed_joins_record *records = mem_alloc(n * sizeof *records);
	uint64_t number;

	for (number = m->first; number < m->end; number++)
		records[number & (n - 1)] = *get(m, number);
	free(m->records);
	free(m->buckets);
	m->records = records;
	m->mask = n - 1;
	m->buckets = mem_alloc(n * sizeof *m->buckets);
	/* `first` - 1 means that there is no link, since no stored record has that number. */
	for (i = 0; i < n; i++)
		m->buckets[i] = (uint32_t)m->first - 1;
	for (number = m->first; number < m->end; number++) {
		if (get(m, number)->corr != -1)
			link_in(m, number);
	}
}

static void age(struct missed_joins *m, int64_t ts)
{
	while (m->first < m->end && (uint64_t)ts - (uint64_t)get(m, m->first)->ts > m->horizon)
		m->first++;
}

void missed_joins_add_record(struct missed_joins *m, const struct pending_record *w)
{
	age(m, w->ts);
	if (!m->records || m->end - m->first > m->mask)
		grow(m);
	*get(m, m->end) = (struct missed_joins_record){
	    .ts = w->ts, .corr = w->corr, .rank = w->rank, .process = w->process, .blind = w->blind};
	link_in(m, m->end++);
}

/*
 * If `blind`, counts the records that have the id and rank of the call and no pid. Otherwise, counts the records that
 * have the id, rank and process of the call. Removes the counted records from their bucket.
 */
static void count(struct missed_joins *m, const struct pending_record *call, bool blind)
{
	uint32_t *link = bucket_of(m, call->rank, call->process, blind, call->corr);
	uint64_t at = m->end, lead;
	struct missed_joins_record *r;

	while (back_link_follow(m->first, at, *link, &at)) {
		r = get(m, at);
		if (r->corr != call->corr || r->rank != call->rank || r->blind != blind ||
		    (!blind && r->process != call->process)) {
			link = &r->before;
			continue;
		}
		lead = (uint64_t)call->ts - (uint64_t)r->ts;
		m->lead = lead > m->lead ? lead : m->lead;
		m->count++;
		r->corr = -1;
		*link = r->before;
	}
}

void missed_joins_add_call(struct missed_joins *m, const struct pending_record *call)
{
	age(m, call->ts);
	if (m->first == m->end)
		return;
	count(m, call, false);
	count(m, call, true);
}

/* Appends `ns` with a unit, rounded up to a few digits, in the form that options accept. */
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

void missed_joins_report(const struct missed_joins *m, struct input *in, char *const *argv, char *const *operands)
{
	/*
	 * If a script runs this program, the operands of the script are unknown here, and the message has ... instead.
	 * The script passes --lead on to this program.
	 */
	const bool script = strcmp(err_command(), err_prog()) != 0;
	const char *before = script || *operands ? "" : "... | ";
	char *const *word, *const *end = operands;
	struct buf line = {0};

	if (!m->count)
		return;
	for (word = argv + 1; !script && word < operands && strcmp(*word, "--") != 0; word++) {
		if (strcmp(*word, "--lead") == 0)
			word++;
		else if (strncmp(*word, "--lead=", 7) != 0)
			shell_words_add(&line, word, word + 1);
	}
	buf_lit(&line, " --lead ");
	add_time(&line, m->lead);
	while (*end)
		end++;
	if (script)
		buf_lit(&line, " ...");
	else
		shell_words_add(&line, word, end);
	warn("%" PRIu64 " device records start up to %" PRIu64 " ns before their calls and were not joined; run: "
	     "%s%s%.*s",
	    m->count, m->lead, before, err_command(), (int)line.n, line.p);
	buf_free(&line);
	in->diagnostics.lost = true;
}
