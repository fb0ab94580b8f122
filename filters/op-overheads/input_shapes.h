/* input_shapes: assigns numbers to the shapes of operators' inputs, which are in args. */
#ifndef INPUT_SHAPES_H
#define INPUT_SHAPES_H

#include "record/value_ids.h"

/* Zero-initialise; free with input_shapes_free(), or keep it until the program exits. */
struct input_shapes {
	struct value_ids ids;
	struct buf text; /* scratch */
};

#define INPUT_SHAPES_NONE UINT32_MAX

/* Returns the number of the shape in an operator's args ("Input Dims"); INPUT_SHAPES_NONE when args have no shape. */
uint32_t input_shapes_put(struct input_shapes *s, struct str args);

/* Returns a shape as JSON, without spaces or empty arrays: [[2,3],[[4]]]. */
static inline struct str input_shapes_text(const struct input_shapes *s, size_t shape)
{
	return value_ids_text(&s->ids, shape);
}

void input_shapes_free(struct input_shapes *s);

#endif
