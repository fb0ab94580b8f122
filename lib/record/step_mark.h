/*
 * step_mark: the ranges that servers of language models write around their steps, and the requests and tokens that
 * their names contain. A step runs the model once; a request in prefill (context) brings many new tokens, one in decode
 * (generation) mostly one. Sources: vLLM (gpu_worker.py), SGLang (profile_utils.py), TensorRT-LLM (py_executor.py),
 * xDiT, and for ATOM annotation_utils.py of TraceLens; 2025 and 2026.
 */
#ifndef STEP_MARK_H
#define STEP_MARK_H

#include "base/str.h"

/* The numbers of a mark, in the order of step_mark_count_names. A length is the sum of all tokens attended to. */
enum step_mark_count {
	STEP_CONTEXT, /* requests */
	STEP_GENERATION,
	STEP_CONTEXT_TOKENS, /* new tokens */
	STEP_GENERATION_TOKENS,
	STEP_CONTEXT_LENGTH,
	STEP_GENERATION_LENGTH,
	STEP_COUNTS
};
extern const char *const step_mark_count_names[]; /* "context", "generation", ...; NULL-terminated */

/* Sums over the requests of a step: of the squares of new tokens, and of new tokens multiplied by their length. */
enum step_mark_product {
	STEP_CONTEXT_SQUARES,
	STEP_GENERATION_SQUARES,
	STEP_CONTEXT_KEYS,
	STEP_GENERATION_KEYS,
	STEP_PRODUCTS
};

enum { STEP_MARK_WRITERS = 8, STEP_MARK_DETAILS = 3 };

struct step_mark {
	const char *family; /* static text: vllm, sglang, atom, trtllm, xdit */
	/*
	 * The code that writes such marks, < STEP_MARK_WRITERS; it writes one for each step. 0 is for marks of the
	 * user. detail < STEP_MARK_DETAILS: how much a mark says; 0 is most.
	 */
	unsigned writer, detail;
	bool phaseless;                  /* the counts do not tell prefill from decode */
	bool differs;                    /* the sum of tokens in the name is not that of its parts */
	int64_t counts[STEP_COUNTS];     /* -1: unknown */
	int64_t products[STEP_PRODUCTS]; /* -1: unknown */
};

enum step_mark_found {
	STEP_MARK_NONE,  /* not a mark */
	STEP_MARK_FOUND, /* *m is set */
	STEP_MARK_LARGE, /* a mark with a number beyond int64, which cannot be used */
};

/* Reads the name of a range, as decoded text. The whole name must be a mark. */
enum step_mark_found step_mark_read(struct str name, struct step_mark *m);

/* Reads digits at the start of *s, and removes them. Returns false without digits. *large is set beyond int64. */
bool step_mark_number(struct str *s, int64_t *v, bool *large);

#endif
