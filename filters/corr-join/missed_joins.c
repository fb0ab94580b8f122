#include "missed_joins.h"

#include "base/err.h"
#include "base/num_format.h"
#include "program/shell_words.h"

#include <inttypes.h>
#include <stdlib.h>

struct missed_joins {
	uint64_t horizon;
	uint64_t count;                  /* number of records whose call came later */
	uint64_t lead;                   /* the maximum time by which one of these records preceded its call, ns */
	struct pending_records *records; /* the records of the last `horizon` ns that were not counted, without texts */
	int64_t call_ts;                 /* during missed_joins_add_call(): the ts of the call */
};

struct missed_joins *missed_joins_new(uint64_t horizon)
{
	struct missed_joins *m = mem_alloc(sizeof *m);

	*m = (struct missed_joins){.horizon = horizon, .records = pending_records_new(0, true)};
	return m;
}

void missed_joins_free(struct missed_joins *m)
{
	pending_records_free(m->records);
	free(m);
}

static void drop(void *arg, const struct pending_record *w, struct str text)
{
	(void)arg;
	(void)w;
	(void)text;
}

static void age(struct missed_joins *m, int64_t ts)
{
	const struct pending_record *oldest;
	struct fault f;

	while ((oldest = pending_records_oldest(m->records)) && (uint64_t)ts - (uint64_t)oldest->ts > m->horizon)
		pending_records_out(m->records, drop, NULL, &f);
}

void missed_joins_add_record(struct missed_joins *m, const struct pending_record *w)
{
	struct pending_record record = *w;
	struct fault f;

	age(m, w->ts);
	record.device = true;
	pending_records_add(m->records, &record, STR(""), &f);
}

static enum pending_records_verdict count(void *arg, struct pending_record *w)
{
	struct missed_joins *m = arg;
	const uint64_t lead = (uint64_t)m->call_ts - (uint64_t)w->ts;

	m->lead = lead > m->lead ? lead : m->lead;
	m->count++;
	return PENDING_RECORDS_OUT;
}

void missed_joins_add_call(struct missed_joins *m, const struct pending_record *call)
{
	struct fault f;

	age(m, call->ts);
	m->call_ts = call->ts;
	pending_records_match(m->records, call, true, count, drop, m, &f);
}

void missed_joins_report(const struct missed_joins *m, struct input *in, char *const *argv, char *const *operands)
{
	/*
	 * If a script runs this program, the operands of the script are unknown here, and the message has ... instead.
	 * The script passes --lead on to this program.
	 */
	static const struct {
		uint64_t most, ns;
		const char *name;
	} units[] = {{10000, 1, "ns"}, {10000000, 1000, "us"}, {UINT64_MAX, 1000000, "ms"}}, *u = units;
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
	/* the time rounded up to a few digits */
	while (m->lead > u->most)
		u++;
	buf_lit(&line, " --lead ");
	line.n = (size_t)(num_put_u64(buf_room(&line, NUM_ROOM), (m->lead + u->ns - 1) / u->ns) - line.p);
	buf_add(&line, u->name, strlen(u->name));
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
