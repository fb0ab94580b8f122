/* op_call: the arguments of an operator as PyTorch's profiler records them with record_shapes=True. */
#ifndef OP_CALL_H
#define OP_CALL_H

#include "base/str.h"

enum { OP_CALL_ARGS = 64, OP_CALL_DIMS = 8 };

/* A type of elements. Its size is in bytes, 0 if the type is unknown. */
struct op_type {
	const char *name; /* in lower case, without c10:: */
	int64_t size;
	const char *math; /* the name of its peak, NULL if matrix products do not have this type */
	int number;       /* c10::ScalarType, -1 if it has no number here */
	bool paired;      /* an element holds two values */
};

/* An argument that is not a tensor, or has no dimensions, has n == 0 and count 1; see op_call_has(). */
struct op_tensor {
	size_t n;                  /* number of dimensions */
	int64_t dim[OP_CALL_DIMS]; /* the first dimensions */
	int64_t count;             /* number of elements; -1 if unknown: beyond int64, or a list of tensors */
	const struct op_type *type;
	bool typed; /* the argument is a tensor, also if it has no dimensions */
};

struct op_call {
	struct op_tensor arg[OP_CALL_ARGS];
	struct str concrete[OP_CALL_ARGS]; /* values of arguments that are not tensors, empty for others */
	size_t n;                          /* number of arguments */
	size_t n_concrete;
};

/*
 * Reads the member args of an operator. Returns false if it has no shapes, or more than OP_CALL_ARGS arguments. The
 * texts in `concrete` are views of `args`.
 */
bool op_call_read(struct op_call *c, struct str args);

/* Sets *v to an integer argument; returns false if it is absent or not an integer. */
bool op_call_integer(const struct op_call *c, size_t i, int64_t *v);

/* Returns whether an argument is True. */
bool op_call_is_true(const struct op_call *c, size_t i);

/*
 * Reads a list of at most `max` integers ("[3, 3]", or "3"), or of True and False as 1 and 0. Returns the number of its
 * elements: 0 if it is absent, not such a list, or longer.
 */
size_t op_call_list(const struct op_call *c, size_t i, int64_t *list, size_t max);

/* Returns whether the argument is a tensor with at least one dimension. */
static inline bool op_call_has(const struct op_call *c, size_t i)
{
	return i < c->n && c->arg[i].n > 0;
}

/* Returns the type with this c10::ScalarType number, of size 0 if it is unknown. */
const struct op_type *op_type_number(int64_t number);

/*
 * Products and sums of numbers of elements, where -1 stands for an unknown number: the result is unknown if a number is
 * or if it is beyond int64.
 */
static inline int64_t op_times(int64_t a, int64_t b)
{
	int64_t v;

	return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &v) ? -1 : v;
}

static inline int64_t op_plus(int64_t a, int64_t b)
{
	int64_t v;

	return a < 0 || b < 0 || __builtin_add_overflow(a, b, &v) ? -1 : v;
}

/* Returns the bytes of n elements. */
static inline int64_t op_type_bytes(const struct op_type *t, int64_t n)
{
	return t->size ? op_times(n, t->size) : -1;
}

#endif
