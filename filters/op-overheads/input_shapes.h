/* input_shapes: the shapes of operators' inputs, from their args, as numbers. */
#ifndef INPUT_SHAPES_H
#define INPUT_SHAPES_H

#include "record/value_ids.h"

/* Zero-initialise; input_shapes_free() or keep it. */
struct input_shapes {
	struct value_ids ids;
	struct buf text; /* scratch */
};

#define INPUT_SHAPES_NONE UINT32_MAX

/* The number of the shape that an operator's args give ("Input Dims"); INPUT_SHAPES_NONE where they give none. */
uint32_t input_shapes_put(struct input_shapes *s, struct str args);

/* A shape as JSON, without spaces and empty arrays: [[2,3],[[4]]]. */
static inline struct str input_shapes_text(const struct input_shapes *s, size_t shape)
{
	return value_ids_text(&s->ids, shape);
}

void input_shapes_free(struct input_shapes *s);

#endif
