/* pending_records: records added and removed in any order, compared with an array; in memory and in a file. */
#include "corr-join/pending_records.h"

#include "samples.h"
#include "test.h"

enum { N = 4000 };

/* The expected records, in order; records that were removed have no text. */
static struct model {
	struct pending_record w;
	char text[200];
	size_t n;
} model[N];
static size_t n_model, wrong, taken;
static const struct pending_record *wanted; /* NULL, or the key that a record must match to be taken */
static bool wanted_blind;

static bool fits(const struct pending_record *w)
{
	return !wanted || (w->device && w->corr == wanted->corr && w->rank == wanted->rank &&
			      (w->blind ? wanted_blind : w->process == wanted->process));
}

static void take(void *arg, const struct pending_record *w, struct str text)
{
	size_t *at = arg;

	while (*at < n_model && (!model[*at].n || !fits(&model[*at].w)))
		++*at;
	wrong +=
	    *at == n_model || w->ts != model[*at].w.ts || !str_eq(text, (struct str){model[*at].text, model[*at].n});
	taken++;
	if (*at < n_model)
		model[*at].n = 0;
}

static struct str last;

static void compare(void *arg, const struct pending_record *w, struct str text)
{
	(void)arg;
	(void)w;
	wrong = !str_eq(text, last);
}

static enum pending_records_verdict judge(void *arg, struct pending_record *w)
{
	(void)arg;
	(void)w;
	return PENDING_RECORDS_OUT;
}

static bool drain(struct pending_records *p, pending_records_take *take_out, void *arg, struct fault *f)
{
	bool good = true;

	while (good && pending_records_oldest(p))
		good = pending_records_out(p, take_out, arg, f);
	return good;
}

static void run(size_t memory, unsigned ids)
{
	struct pending_records *p = pending_records_new(memory, true);
	struct pending_record key;
	struct fault f;
	size_t at, i;

	n_model = wrong = taken = 0;
	for (i = 0; i < N; i++) {
		struct model *m = &model[n_model++];

		m->w = (struct pending_record){.device = i % 5 != 0,
		    .blind = i % 3 == 0,
		    .rank = (uint32_t)i % 2,
		    .process = (uint32_t)(i / 2 % 2),
		    .corr = (int64_t)(i * i % ids),
		    .ts = (int64_t)i};
		m->n = 1 + i * 7919 % sizeof m->text;
		memset(m->text, 'a' + (int)(i % 26), m->n);
		CHECK(pending_records_add(p, &m->w, (struct str){m->text, m->n}, &f));
		if (i % 4 == 3) {
			key = model[i * 31 % n_model].w;
			wanted = &key;
			wanted_blind = i % 8 == 3;
			at = 0;
			CHECK(pending_records_match(p, &key, wanted_blind, judge, take, &at, &f));
			for (at = 0; at < n_model; at++)
				wrong += model[at].n && fits(&model[at].w);
		}
		if (i == N / 2) {
			wanted = NULL;
			at = 0;
			CHECK(drain(p, take, &at, &f));
			CHECK(!pending_records_oldest(p));
		}
	}
	wanted = NULL;
	at = 0;
	CHECK(drain(p, take, &at, &f));
	CHECK_INT(wrong, 0);
	CHECK_INT(taken, N);
	CHECK(pending_records_add(p, &key, STR("left"), &f));
	pending_records_free(p);
}

/* Several times all texts are removed from the file; each time, the next text is at the same offset. */
static void test_episodes(void)
{
	enum { EPISODES = 3, LONG = 200000 };
	struct pending_records *p = pending_records_new(0, true);
	static char text[LONG];
	struct fault f;
	int i;

	for (i = 0; i < EPISODES; i++) {
		memset(text, 'a' + i, LONG);
		last = (struct str){text, LONG};
		wrong = 1;
		CHECK(pending_records_add(p, &(struct pending_record){.device = true}, last, &f));
		CHECK(drain(p, compare, NULL, &f));
		CHECK_INT(wrong, 0);
	}
	pending_records_free(p);
}

void unit_test(void)
{
	static const size_t memories[] = {SIZE_MAX, 100000, 3000, 0};
	size_t i;

	for (i = 0; i < sizeof memories / sizeof *memories; i++) {
		run(memories[i], 3);
		run(memories[i], 5000);
	}
	test_episodes();
}
