/*
 * fuzz target: what-if with any records. Either the operations are refused with a message, or each operation follows
 * those for which it waits, all times are finite, and the output is JSON. The first byte selects the output and --dsp
 * (fuzz.h describes how to run it).
 */
#include "fuzz.h"
#include "record_mutator.h"
#include "records.h"

#include "samples.h"
#include "what-if/operation_reader.h"
#include "what-if/slowdowns.h"

#include <math.h>

enum { ROOM = 4 << 20 };

static char room[ROOM + SCAN_PAD];

/* Each operation with a group is in one group, and follows the operations for which it waits. */
static void check_model(const struct step_model *m)
{
	bool *ended = mem_zero(m->n + 1, sizeof *ended);
	size_t i;
	uint32_t k, d;

	for (i = 0; i < m->n_groups; i++) {
		for (k = m->groups[i].first; k != STEP_MODEL_NONE; k = m->next[k]) {
			for (d = m->waits[k]; d != STEP_MODEL_NONE; d = m->edges[d].next_of_to)
				HOLD(ended[m->edges[d].from]);
		}
		for (k = m->groups[i].first; k != STEP_MODEL_NONE; k = m->next[k]) {
			HOLD(!ended[k]);
			ended[k] = true;
		}
	}
	free(ended);
}

static void simulate(const struct training_job *j, uint8_t options)
{
	struct step_model m = {.n = 0};
	struct slowdowns f = {.time = 0};
	struct out o = {.p = room, .cap = ROOM};
	struct buf why = {0};
	size_t i;

	if (step_model_make(&m, j->ops, j->per_dp, j->n_stages, j->n_dps > 1 || options & 4, &why)) {
		check_model(&m);
		slowdowns_compute(&f, j, &m);
		HOLD(isfinite(f.time) && isfinite(f.ideal_time));
		for (i = 0; i < j->n_steps; i++)
			HOLD(isfinite(f.step_times[i]));
		slowdowns_write(&f, options & 3, &o);
		check_lines(&o);
	} else {
		HOLD(why.n > 0);
	}
	slowdowns_free(&f);
	step_model_free(&m);
	buf_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, line;
	struct out o = {.p = room, .cap = ROOM};
	struct input in = {.out = &o};
	struct training_job j = {.n = 0};
	struct step_list all = {.n = 0};
	struct operation_reader r = {.job = &j, .steps = &all, .in = &in};
	struct buf why = {0};
	struct event e;

	if (!size)
		return 0;
	rest = str_from(rest, 1);
	while (str_split(&rest, '\n', &line)) {
		const struct str copy = padded_copy(line);

		if (read_record(&e, copy)) {
			operation_reader_add(&r, &e);
			HOLD(e.check != EVENT_BROKEN);
		}
		free((char *)(uintptr_t)copy.p);
	}
	if (j.n && training_job_arrange(&j, &why)) {
		training_job_select_steps(&j);
		if (j.n_steps)
			simulate(&j, data[0]);
	} else {
		HOLD(!j.n || why.n > 0);
	}
	operation_reader_free(&r);
	training_job_free(&j);
	buf_free(&why);
	diagnostics_free(&in.diagnostics);
	return 0;
}
