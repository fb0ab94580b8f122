#include "what-if/step_model.h"
#include "test.h"

#include <stdlib.h>

/* The operations of a step in the order of training_job: by stage, type and number. */
static struct operation op(uint32_t stage, int type, int64_t seq, int64_t ts, int64_t dur)
{
	struct operation o = {.ts = ts, .dur = dur, .seq = seq, .worker = stage, .chunk = -1};

	o.type = (uint8_t)type;
	return o;
}

/* Returns whether a group with operation `first` precedes the group with operation `second`. */
static bool precedes(const struct step_model *m, uint32_t first, uint32_t second)
{
	size_t i, at[2] = {SIZE_MAX, SIZE_MAX};
	uint32_t k;

	for (i = 0; i < m->n_groups; i++) {
		for (k = m->groups[i].first; k != STEP_MODEL_NONE; k = m->next[k]) {
			if (k == first)
				at[0] = i;
			if (k == second)
				at[1] = i;
		}
	}
	return at[0] < at[1];
}

static bool waits(const struct step_model *m, uint32_t node, uint32_t for_node)
{
	uint32_t i;

	for (i = m->waits[node]; i != STEP_MODEL_NONE; i = m->edges[i].next_of_to) {
		if (m->edges[i].from == for_node)
			return true;
	}
	return false;
}

/* Two stages: forward 0, send 1 on stage 0; receive 3, forward 2 on stage 1. And an all-gather on both. */
static void try_pipeline(void)
{
	const struct operation ops[] = {op(0, OPERATION_FORWARD_COMPUTE, 0, 100, 50),
	    op(0, OPERATION_FORWARD_SEND, 0, 150, 5), op(0, OPERATION_PARAMS_GATHER, 0, 0, 30),
	    op(1, OPERATION_FORWARD_COMPUTE, 0, 200, 70), op(1, OPERATION_FORWARD_RECV, 0, 150, 6),
	    op(1, OPERATION_PARAMS_GATHER, 0, 0, 40)};
	struct step_model m = {.n = 0}, alone = {.n = 0};
	struct step_simulation s = {.model = &m};
	const bool workers[] = {true, true}, none[] = {false, false};
	const uint32_t dps[] = {0};
	struct scenario what = {.workers = workers, .dps = dps, .n_dps = 1};
	struct buf why = {0};

	CHECK(step_model_make(&m, ops, 6, 2, true, &why) && !why.n);
	CHECK(step_model_count(&m, 0, OPERATION_FORWARD_SEND) == 1 &&
	      step_model_count(&m, 1, OPERATION_FORWARD_SEND) == 0);
	CHECK(waits(&m, 0, 2) && waits(&m, 3, 5) && waits(&m, 1, 0) && waits(&m, 3, 4) && !waits(&m, 4, 0));
	CHECK(precedes(&m, 0, 1) && precedes(&m, 0, 4) && precedes(&m, 4, 3) && precedes(&m, 2, 0));
	CHECK_INT(m.n_groups, 5); /* the send and the receive are one group */
	memset(what.types, true, sizeof what.types);
	CHECK_DOUBLE(step_simulation_run(&s, ops, &what), 30 + 50 + 6 + 70);
	what.workers = none;
	s.ideal[OPERATION_FORWARD_COMPUTE] = 1.5;
	CHECK_DOUBLE(step_simulation_run(&s, ops, &what), 3);

	/* Without collectives of parameters, these are in no group. */
	CHECK(step_model_make(&alone, ops, 6, 2, false, &why));
	CHECK_INT(alone.n_groups, 3);
	CHECK(!waits(&alone, 0, 2));
	step_simulation_free(&s);
	step_model_free(&m);
	step_model_free(&alone);
	buf_free(&why);
}

/* Collectives of all DP ranks begin when the last DP rank is ready. */
static void try_dps(void)
{
	const struct operation ops[] = {op(0, OPERATION_FORWARD_COMPUTE, 0, 0, 50),
	    op(0, OPERATION_GRADS_SCATTER, 0, 50, 5), op(1, OPERATION_FORWARD_COMPUTE, 0, 0, 80),
	    op(1, OPERATION_GRADS_SCATTER, 0, 80, 4)};
	struct step_model m = {.n = 0};
	struct step_simulation s = {.model = &m};
	bool workers[] = {true, true};
	const uint32_t dps[] = {0, 1};
	struct scenario what = {.workers = workers, .dps = dps, .n_dps = 2};
	struct buf why = {0};

	CHECK(step_model_make(&m, ops, 2, 1, true, &why));
	memset(what.types, true, sizeof what.types);
	CHECK_DOUBLE(step_simulation_run(&s, ops, &what), 85);
	workers[1] = false;
	s.ideal[OPERATION_FORWARD_COMPUTE] = 60;
	s.ideal[OPERATION_GRADS_SCATTER] = 9;
	CHECK_DOUBLE(step_simulation_run(&s, ops, &what), 69);
	step_simulation_free(&s);
	step_model_free(&m);
}

static void try_wrong(void)
{
	/* The computations of a stage are in an order in which both stages wait for each other. */
	const struct operation cycle[] = {op(0, OPERATION_FORWARD_COMPUTE, 0, 100, 10),
	    op(0, OPERATION_BACKWARD_COMPUTE, 0, 0, 10), op(0, OPERATION_FORWARD_SEND, 0, 110, 10),
	    op(0, OPERATION_BACKWARD_RECV, 0, 0, 10), op(1, OPERATION_FORWARD_COMPUTE, 0, 0, 10),
	    op(1, OPERATION_BACKWARD_COMPUTE, 0, 100, 10), op(1, OPERATION_FORWARD_RECV, 0, 0, 10),
	    op(1, OPERATION_BACKWARD_SEND, 0, 110, 10)};
	struct step_model m = {.n = 0}, lonely = {.n = 0}, empty = {.n = 0};
	struct buf why = {0};

	CHECK(!step_model_make(&m, cycle, 8, 2, true, &why));
	CHECK(str_find((struct str){why.p, why.n}, STR("cycle")) < why.n);
	why.n = 0;
	CHECK(!step_model_make(&lonely, cycle, 4, 2, true, &why));
	CHECK(str_find((struct str){why.p, why.n}, STR("stage 1 has 0 operations forward-recv")) < why.n);
	CHECK(step_model_make(&empty, cycle, 0, 1, true, &why));
	step_model_free(&m);
	step_model_free(&lonely);
	step_model_free(&empty);
	buf_free(&why);
}

void unit_test(void)
{
	try_pipeline();
	try_dps();
	try_wrong();
}
