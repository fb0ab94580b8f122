/* step_mark: the number of tokens of a step, from the range that vLLM, SGLang or ATOM writes around the step. */
#ifndef STEP_MARK_H
#define STEP_MARK_H

#include "base/str.h"

/*
 * Returns whether the name of a range is that of a step. Sets *tokens to its number of new tokens, or to 0 if the name
 * does not say it. Sources: vLLM (execute_...), SGLang (step[...]) and ATOM (prefill[...], decode[...]), 2025 and 2026.
 */
bool step_mark_read(struct str name, int64_t *tokens);

#endif
