/*
 * op_rules: the floating point operations and bytes of an operator, by the rule of its name.
 *
 * A multiplication and an addition are two operations. Bytes are what must at least move between memory and the device:
 * each input and output once. A bias, half of the products of causal attention, and the outputs that a backward
 * operator was asked for count as they are computed. Definitions: PyTorch torch/utils/flop_counter.py, and TraceLens
 * perf_model.py where that has none.
 */
#ifndef OP_RULES_H
#define OP_RULES_H

#include "op_call.h"
#include "step_sums.h"

enum op_family {
	FAMILY_GEMM,
	FAMILY_CONV,
	FAMILY_ATTENTION,
	FAMILY_MOE,
	FAMILY_NORM,
	FAMILY_ELEMENTWISE,
	FAMILY_REDUCE,
	FAMILY_ROPE,
	FAMILY_COPY,
	FAMILY_TRITON,
};

/* The user's facts about the experts of a model (--moe); 0 if a fact is not known. */
struct moe_facts {
	int64_t topk;  /* number of experts for each token */
	int64_t inter; /* size of the layer between the two projections */
	bool gated;
	double weight; /* bytes of a weight with its scale */
};

/* Floating point operations and bytes; -1 if they are not known. */
struct op_work {
	int64_t flops, bytes;
};

struct op_cost {
	struct op_work all;
	const char *peak; /* the peak that bounds it: vector, or a type of matrix products; NULL if none is known */
	/* Attention of requests whose lengths the arguments do not have: see op_cost_of_step(). */
	bool by_step;
	int64_t per_pair, per_query, per_key;
	/* The two projections of experts, which several kernels compute; flops is -1 if they are not known. */
	struct op_work up, down;
};

struct op_rule {
	const char *name; /* of the operator; a prefix if it ends with '*' */
	enum op_family family;
	/*
	 * Sets `cost`, which was set to unknown. Returns false if the arguments are not those of the operator. NULL:
	 * op_cost_of_moe() computes the cost.
	 */
	bool (*compute)(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost);
	int at;      /* the first argument that the rule uses */
	int where;   /* the position of a flag or list that the rule needs */
	bool nested; /* other operators compute the result: it counts only if none of them counts */
};

const char *op_family_name(enum op_family family);

/* Returns the rule of an operator, or NULL. A suffix _N of names sglang_profiler:: does not matter. */
const struct op_rule *op_rules_find(struct str name);

/* Computes the cost of a call. Returns false if it is not known; `c` are its arguments. */
bool op_rules_compute(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost);

/* Sets cost->all of attention from the sums of a step. */
void op_cost_of_step(struct op_cost *cost, const struct step_sums *s);

/* Takes an item of --moe, such as topk=4. Returns false if it is invalid. */
bool moe_facts_read(struct moe_facts *facts, struct str item);

/* Returns whether the rule is that of vllm::moe_forward, and computes the cost from what is known about the experts. */
bool op_rule_is_moe(const struct op_rule *rule);
bool op_cost_of_moe(struct op_cost *cost, const struct op_call *c, const struct moe_facts *facts);

/* All rules. */
extern const struct op_rule op_rules[];
extern const size_t n_op_rules;

#endif
