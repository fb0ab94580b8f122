#include "op_rules.h"

#include "base/char_class.h"
#include "base/map.h"
#include "base/num_parse.h"

#include <math.h>

/* --- types and sizes --- */

/* Returns the bytes of an argument; 0 if it is absent. */
static int64_t bytes_of(const struct op_call *c, size_t i)
{
	if (i >= c->n || (!c->arg[i].n && !c->arg[i].typed))
		return 0;
	return op_type_bytes(c->arg[i].type, c->arg[i].count);
}

/* The same, but an argument without dimensions is a number or is absent. */
static int64_t dims_bytes(const struct op_call *c, size_t i)
{
	return op_call_has(c, i) ? bytes_of(c, i) : 0;
}

/* Returns the argument i if it has n dimensions (0: any number of them), else NULL. */
static const struct op_tensor *tensor(const struct op_call *c, size_t i, size_t n)
{
	if (!op_call_has(c, i) || c->arg[i].n > OP_CALL_DIMS || (n && c->arg[i].n != n))
		return NULL;
	return &c->arg[i];
}

static int64_t last_dim(const struct op_tensor *t)
{
	return t->dim[t->n - 1];
}

/*
 * Returns the peak of a product of two types: their common one; of weights that are narrower than activations, that of
 * the activations, because the weights are widened first.
 */
static const char *product_peak(const struct op_type *a, const struct op_type *b)
{
	if (!a->math || !b->math)
		return NULL;
	return a->size > b->size || (a->size == b->size && !a->paired) ? a->math : b->math;
}

/* Returns the type of the output: that of a number of c10::ScalarType in Concrete Inputs, else `otherwise`. */
static const struct op_type *output_type(const struct op_call *c, size_t i, const struct op_type *otherwise)
{
	int64_t number;

	return op_call_integer(c, i, &number) ? op_type_number(number) : otherwise;
}

/* --- matrix products --- */

/*
 * Sets the operations of `batch` products of matrices m x k and k x n. A multiplication with its
 * addition counts as two operations, as in the peaks that vendors state.
 */
static void set_product(struct op_cost *cost, int64_t batch, int64_t m, int64_t n, int64_t k)
{
	cost->all.flops = op_times(op_times(2, batch), op_times(op_times(m, n), k));
}

/*
 * A[m, k] and B[k, n], or with a batch as the first dimension of both. If another matrix is added,
 * it is read once and costs one operation for each element of the result.
 */
static bool mm(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const size_t at = (size_t)rule->at; /* 1: the first argument is added to the product */
	const struct op_tensor *a = tensor(c, at, 0), *b = tensor(c, at + 1, 0);
	const size_t batched = (size_t)rule->where; /* 1: with a batch dimension */
	int64_t batch, out;

	if (!a || !b || a->n != 2 + batched || b->n != a->n || a->dim[a->n - 1] != b->dim[b->n - 2])
		return false;
	batch = batched ? a->dim[0] : 1;
	out = op_times(batch, op_times(a->dim[batched], last_dim(b)));
	set_product(cost, batch, a->dim[batched], last_dim(b), last_dim(a));
	cost->all.bytes = op_plus(op_plus(bytes_of(c, at), bytes_of(c, at + 1)), op_type_bytes(a->type, out));
	if (at) {
		cost->all.flops = op_plus(cost->all.flops, out);
		cost->all.bytes = op_plus(cost->all.bytes, bytes_of(c, 0));
	}
	cost->peak = product_peak(a->type, b->type);
	return true;
}

/* X[.., K], W[N, K], bias; `where`: the type of the output, if there is such an argument. */
static bool linear(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x = tensor(c, 0, 0), *w = tensor(c, 1, 2);
	int64_t rows, out;

	if (!x || !w || last_dim(x) != w->dim[1])
		return false;
	rows = w->dim[1] ? x->count / w->dim[1] : 0;
	out = op_times(rows, w->dim[0]);
	set_product(cost, 1, rows, w->dim[0], w->dim[1]);
	if (op_call_has(c, 2))
		cost->all.flops = op_plus(cost->all.flops, out);
	cost->all.bytes = op_plus(op_plus(bytes_of(c, 0), bytes_of(c, 1)),
	    op_plus(dims_bytes(c, 2),
		op_type_bytes(rule->where ? output_type(c, (size_t)rule->where, x->type) : x->type, out)));
	cost->peak = product_peak(x->type, w->type);
	return true;
}

/*
 * Returns the number of elements of the broadcast of dimensions a[0..na) and b[0..nb), -1 if they
 * do not fit. The rules are those of NumPy: dimensions are compared from the last one on, and a
 * dimension that is missing or 1 fits any other one.
 */
static int64_t broadcast(const int64_t *a, size_t na, const int64_t *b, size_t nb)
{
	int64_t n = 1, x, y;
	size_t i;

	for (i = 1; i <= na || i <= nb; i++) {
		x = i <= na ? a[na - i] : 1;
		y = i <= nb ? b[nb - i] : 1;
		if (x != y && x != 1 && y != 1)
			return -1;
		n = op_times(n, x == 1 ? y : x);
	}
	return n;
}

/* A vector is a matrix of one row, or of one column if it is the second operand. */
static bool matmul(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *a = tensor(c, 0, 0), *b = tensor(c, 1, 0);
	int64_t m, n, batch;

	(void)rule;
	if (!a || !b || last_dim(a) != (b->n == 1 ? b->dim[0] : b->dim[b->n - 2]))
		return false;
	m = a->n == 1 ? 1 : a->dim[a->n - 2];
	n = b->n == 1 ? 1 : last_dim(b);
	batch = broadcast(a->dim, a->n < 2 ? 0 : a->n - 2, b->dim, b->n < 2 ? 0 : b->n - 2);
	set_product(cost, batch, m, n, last_dim(a));
	cost->all.bytes =
	    op_plus(op_plus(bytes_of(c, 0), bytes_of(c, 1)), op_type_bytes(a->type, op_times(batch, op_times(m, n))));
	cost->peak = product_peak(a->type, b->type);
	return batch >= 0;
}

/*
 * A[M, K], B[K, N], scale of A, scale of B, bias, scale of the result, type of the output. An
 * element of a paired type holds two values, so K is twice the recorded dimension.
 */
static bool scaled_mm(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *a = tensor(c, 0, 2), *b = tensor(c, 1, 2);
	int64_t out;
	size_t i;

	if (!a || !b || a->dim[1] != b->dim[0])
		return false;
	out = op_times(a->dim[0], b->dim[1]);
	set_product(cost, a->type->paired ? 2 : 1, a->dim[0], b->dim[1], a->dim[1]);
	if (op_call_has(c, 4))
		cost->all.flops = op_plus(cost->all.flops, out);
	cost->all.bytes = op_plus(dims_bytes(c, 4), op_type_bytes(output_type(c, (size_t)rule->where, a->type), out));
	for (i = 0; i < 4; i++)
		cost->all.bytes = op_plus(cost->all.bytes, bytes_of(c, i));
	cost->peak = product_peak(a->type, b->type);
	return true;
}

/*
 * Products of groups of rows, columns or elements of K. `at`: the argument with the ends of the groups, whose values
 * are not recorded: rows after the last end are not computed, so the result is an upper bound. `where`: the type of
 * the output.
 */
static bool grouped_mm(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *a = tensor(c, 0, 0), *b = tensor(c, 1, 0);
	const struct op_tensor *ends = tensor(c, (size_t)rule->at, 1);
	int64_t batch = 1, out;

	if (!a || !b || a->n < 2 || a->n > 3 || b->n < 2 || b->n > 3 || last_dim(a) != b->dim[b->n - 2])
		return false;
	if (a->n == 3 && b->n == 3)
		batch = a->dim[0];
	if ((a->n == 3 && b->n == 3 && b->dim[0] != batch) || (a->n == 2 && b->n == 2 && !ends))
		return false;
	out = op_times(batch, op_times(a->dim[a->n - 2], last_dim(b)));
	set_product(cost, a->type->paired ? op_times(2, batch) : batch, a->dim[a->n - 2], last_dim(b), last_dim(a));
	if (a->n == 2 && b->n == 2)
		out = op_times(out, ends->dim[0]);
	cost->all.bytes = op_plus(
	    op_plus(bytes_of(c, 0), bytes_of(c, 1)), op_type_bytes(output_type(c, (size_t)rule->where, a->type), out));
	cost->peak = product_peak(a->type, b->type);
	return true;
}

/* --- convolutions --- */

/* The arguments of a convolution: lists with a number for each dimension, or with one for all of them. */
struct conv_shape {
	const struct op_tensor *x, *w;
	int64_t stride[OP_CALL_DIMS], padding[OP_CALL_DIMS], dilation[OP_CALL_DIMS], more[OP_CALL_DIMS], groups;
	bool transposed;
};

static bool read_sizes(const struct op_call *c, size_t i, int64_t *list, size_t n)
{
	size_t found = op_call_list(c, i, list, OP_CALL_DIMS);

	if (found == 1) {
		for (; found < n; found++)
			list[found] = list[0];
	}
	return found == n;
}

/* Reads stride, padding, dilation, transposed, output_padding and groups; `at` is the position of stride. */
static bool read_conv(struct conv_shape *s, const struct op_call *c, size_t at)
{
	const size_t n = s->x ? s->x->n - 2 : 0;

	if (!s->x || !s->w || s->x->n < 3 || s->w->n != s->x->n)
		return false;
	s->transposed = op_call_is_true(c, at + 3);
	return read_sizes(c, at, s->stride, n) && read_sizes(c, at + 1, s->padding, n) &&
	       read_sizes(c, at + 2, s->dilation, n) && (!s->transposed || read_sizes(c, at + 4, s->more, n)) &&
	       op_call_integer(c, at + 5, &s->groups);
}

/*
 * Returns the number of elements of the output; *channels is set to the number of its channels. The
 * sizes are those in the documentation of torch.nn.Conv2d and, if transposed,
 * torch.nn.ConvTranspose2d. The result is -1 if a number is impossible or too large.
 */
static int64_t conv_output(const struct conv_shape *s, int64_t *channels)
{
	int64_t out, size, window;
	size_t i;

	*channels = s->transposed ? op_times(s->w->dim[1], s->groups) : s->w->dim[0];
	out = op_times(s->x->dim[0], *channels);
	for (i = 0; i + 2 < s->x->n; i++) {
		const int64_t x = s->x->dim[i + 2], k = s->w->dim[i + 2];

		if (x > INT32_MAX || k > INT32_MAX || s->padding[i] < 0 || s->padding[i] > INT32_MAX ||
		    s->dilation[i] < 1 || s->dilation[i] > INT32_MAX || s->stride[i] < 1 || s->stride[i] > INT32_MAX)
			return -1;
		window = s->dilation[i] * (k - 1) + 1;
		if (s->transposed)
			size = (x - 1) * s->stride[i] - 2 * s->padding[i] + window + s->more[i];
		else
			size = x + 2 * s->padding[i] < window ? 0 : (x + 2 * s->padding[i] - window) / s->stride[i] + 1;
		out = op_times(out, size);
	}
	return out;
}

/*
 * Returns the operations without those of the bias. Each element of the output is a sum over a
 * window of the input. A transposed convolution adds each element of the input to a window of the
 * output instead.
 */
static int64_t conv_flops(const struct conv_shape *s, int64_t out)
{
	const int64_t window = s->w->dim[0] ? s->w->count / s->w->dim[0] : 0;

	return op_times(op_times(2, window), s->transposed ? s->x->count : out);
}

static bool convolution(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	struct conv_shape s = {.x = tensor(c, 0, 0), .w = tensor(c, 1, 0)};
	int64_t out, channels, moved;

	(void)rule;
	if (!read_conv(&s, c, 3))
		return false;
	out = conv_output(&s, &channels);
	cost->all.flops = conv_flops(&s, out);
	moved = op_plus(op_plus(s.x->count, s.w->count), out);
	if (op_call_has(c, 2)) {
		cost->all.flops = op_plus(cost->all.flops, out);
		moved = op_plus(moved, channels);
	}
	cost->all.bytes = op_type_bytes(s.x->type, moved);
	cost->peak = product_peak(s.x->type, s.w->type);
	return true;
}

/* gradient of the output, x, w, sizes of the bias, stride ... groups, output_mask */
static bool convolution_backward(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *out = tensor(c, 0, 0);
	struct conv_shape s = {.x = tensor(c, 1, 0), .w = tensor(c, 2, 0)};
	int64_t mask[3], flops = 0, moved = 0, each;
	size_t i;

	(void)rule;
	if (!out || !read_conv(&s, c, 4) || out->n != s.x->n || op_call_list(c, 10, mask, 3) != 3)
		return false;
	each = op_plus(op_plus(out->count, s.w->count), s.x->count);
	for (i = 0; i < 2; i++) { /* the gradients of x and of w */
		if (mask[i]) {
			flops = op_plus(flops, conv_flops(&s, out->count));
			moved = op_plus(moved, each);
		}
	}
	if (mask[2]) {
		flops = op_plus(flops, out->count);
		moved = op_plus(moved, op_plus(out->count, out->dim[1]));
	}
	cost->all.flops = flops;
	cost->all.bytes = op_type_bytes(s.x->type, moved);
	cost->peak = product_peak(s.x->type, s.w->type);
	return true;
}

/* --- attention --- */

/* q, k and v: batch, heads, rows of q and of k, sizes of a head of q and of v. */
struct attention_shape {
	const struct op_tensor *q, *k, *v;
	int64_t batch, heads, rows, keys, d, dv;
};

/*
 * Returns twice the number of pairs of a row and a key that are computed: of causal attention,
 * about half of them. It is twice the number because the half of an odd number is not an integer.
 * In causal attention, the row i has the keys 0 to i. If there are as many rows as keys, exactly
 * the half is counted, as the benchmarks of FlashAttention do.
 */
static int64_t twice_pairs(const struct attention_shape *s, bool causal)
{
	const int64_t rows = s->rows, keys = s->keys;

	if (!causal)
		return op_times(2, op_times(rows, keys));
	if (rows == keys)
		return op_times(rows, keys);
	if (rows < keys)
		return op_times(rows, op_plus(rows, 1));
	return op_plus(op_times(keys, op_plus(keys, 1)), op_times(op_times(2, rows - keys), keys));
}

/* Sets the cost. A backward pass computes the products of scores again, and moves q, k, v and the output twice. */
static void set_attention(struct op_cost *cost, const struct attention_shape *s, bool causal, bool backward)
{
	/* multiplications for each pair */
	const int64_t size = backward ? op_plus(op_times(3, s->d), op_times(2, s->dv)) : op_plus(s->d, s->dv);
	const int64_t out = op_times(op_times(s->batch, s->heads), op_times(s->rows, s->dv));
	const int64_t inputs = op_plus(op_type_bytes(s->q->type, s->q->count),
	    op_plus(op_type_bytes(s->k->type, s->k->count), op_type_bytes(s->v->type, s->v->count)));

	cost->all.flops = op_times(op_times(op_times(s->batch, s->heads), twice_pairs(s, causal)), size);
	cost->all.bytes = op_times(backward ? 2 : 1, op_plus(inputs, op_type_bytes(s->q->type, out)));
	cost->peak = product_peak(s->q->type, s->k->type);
}

/*
 * q, k and v from the argument `at` on, in a backward pass after the gradient of the output. `heads_last`: [B, S, H, d]
 * instead of [B, H, S, d].
 */
static bool dense_attention(const struct op_call *c, size_t at, bool heads_last, bool causal, struct op_cost *cost)
{
	struct attention_shape s = {.q = tensor(c, at, 4), .k = tensor(c, at + 1, 4), .v = tensor(c, at + 2, 4)};
	const size_t heads = heads_last ? 2 : 1;

	if (!s.q || !s.k || !s.v)
		return false;
	s.batch = s.q->dim[0];
	s.heads = s.q->dim[heads];
	s.rows = s.q->dim[3 - heads];
	s.keys = s.k->dim[3 - heads];
	s.d = s.q->dim[3];
	s.dv = s.v->dim[3];
	set_attention(cost, &s, causal, at > 0);
	return true;
}

static bool attention(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	return dense_attention(c, (size_t)rule->at, false, op_call_is_true(c, (size_t)rule->where), cost);
}

/*
 * Attention of requests of different lengths: q[tokens, H, d] at `at`, then k and v[.., Hk, d]. The cost is computed
 * from the sums of the step.
 */
static bool serving_attention_at(const struct op_call *c, size_t at, struct op_cost *cost)
{
	const struct op_tensor *q = tensor(c, at, 3), *k = tensor(c, at + 1, 0), *v = tensor(c, at + 2, 0);
	int64_t size, kv_heads;

	if (!q || !k || !v || k->n < 3 || k->n > 4 || v->n != k->n)
		return false;
	size = op_plus(q->dim[2], last_dim(v));
	kv_heads = k->dim[k->n - 2];
	cost->per_pair = op_times(q->dim[1], size);
	cost->per_query = op_type_bytes(q->type, op_times(op_plus(q->dim[1], kv_heads), size));
	cost->per_key = op_type_bytes(k->type, op_times(kv_heads, size));
	cost->peak = product_peak(q->type, k->type);
	cost->by_step = true;
	return cost->per_pair >= 0;
}

static bool serving_attention(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	return serving_attention_at(c, (size_t)rule->at, cost);
}

/*
 * q, k and v[tokens, H, d], the first rows of the requests (at 3 and 4) and the lengths of the longest ones. If all
 * requests are of the same length, the cost is known without the sums of the step. `where`: causal; `at`: the lengths.
 */
static bool varlen_attention(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const size_t at = (size_t)rule->at;
	const struct op_tensor *first_q = tensor(c, 3, 1), *first_k = tensor(c, 4, 1);
	struct attention_shape s = {.q = tensor(c, 0, 3), .k = tensor(c, 1, 3), .v = tensor(c, 2, 3)};

	if (!serving_attention_at(c, 0, cost) || !first_q || !first_k)
		return false;
	if (!op_call_integer(c, at, &s.rows) || !op_call_integer(c, at + 1, &s.keys) || first_q->dim[0] < 1)
		return true;
	s.batch = first_q->dim[0] - 1;
	if (first_k->dim[0] != first_q->dim[0] || op_times(s.batch, s.rows) != s.q->dim[0] ||
	    op_times(s.batch, s.keys) != s.k->dim[0])
		return true;
	s.heads = s.q->dim[1];
	s.d = s.q->dim[2];
	s.dv = s.v->dim[2];
	set_attention(cost, &s, op_call_is_true(c, (size_t)rule->where), false);
	return true;
}

/* q[B, S, H, d], or with the first rows of requests as varlen_attention(). */
static bool flash_forward(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	if (op_call_has(c, 3))
		return varlen_attention(rule, c, cost);
	return dense_attention(c, 0, true, op_call_is_true(c, (size_t)rule->where), cost);
}

/* q[B, S, H, d], k, v, bias, first rows of requests, lengths, dropout, the type of mask: 0 none, 1 and 2 causal. */
static bool efficient_forward(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	int64_t mask = 0;

	op_call_integer(c, (size_t)rule->where, &mask);
	return !op_call_has(c, 4) && dense_attention(c, 0, true, mask > 0, cost);
}

void op_cost_of_step(struct op_cost *cost, const struct step_sums *s)
{
	const struct step_sums_part *p = &s->prefill, *g = &s->generation;
	const int64_t queries = op_plus(p->sq, g->sq), keys = op_plus(p->sk, g->sk);
	const int64_t pairs = op_plus(op_times(2, p->sqsk), op_times(2, g->sqsk));

	/* Half of the new tokens of a request in prefill do not see each other. */
	cost->all.flops = pairs < p->sqsq ? -1 : op_times(cost->per_pair, pairs - p->sqsq);
	cost->all.bytes =
	    keys < queries ? -1 : op_plus(op_times(queries, cost->per_query), op_times(keys - queries, cost->per_key));
}

/* --- norms --- */

/*
 * x, normalized_shape, weight, bias. `where`: 1 if the statistics are stored. The mean and the
 * inverse deviation of each row are stored as floats, or as doubles if x has doubles.
 */
static bool layer_norm(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x = tensor(c, 0, 0);
	int64_t shape[OP_CALL_DIMS], row = 1, rows;
	size_t n = op_call_list(c, 1, shape, OP_CALL_DIMS), i;

	for (i = 0; i < n; i++)
		row = op_times(row, shape[i]);
	if (!x || !n || row < 1)
		return false;
	rows = x->count / row;
	cost->all.flops = op_plus(op_times(5, x->count), op_times(3, rows));
	cost->all.bytes = op_plus(op_times(2, bytes_of(c, 0)), op_plus(dims_bytes(c, 2), dims_bytes(c, 3)));
	if (rule->where)
		cost->all.bytes = op_plus(cost->all.bytes, op_times(op_times(2, rows), x->type->size > 4 ? 8 : 4));
	return true;
}

/* x, weight, bias, running mean and variance, training */
static bool batch_norm(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x = tensor(c, 0, 0);
	const bool training = op_call_is_true(c, (size_t)rule->where);
	int64_t channels;

	if (!x || x->n < 2)
		return false;
	channels = x->dim[1];
	cost->all.flops = op_plus(op_times(training ? 5 : 2, x->count), op_times(3, channels));
	cost->all.bytes = op_plus(op_times(2, bytes_of(c, 0)), op_plus(dims_bytes(c, 1), dims_bytes(c, 2)));
	cost->all.bytes =
	    op_plus(cost->all.bytes, op_times(op_times(training ? 4 : 2, channels), x->type->size > 4 ? 8 : 4));
	return true;
}

/*
 * The gradients of a norm: x and the gradient of the output are the first two arguments, in any order. `at`: weight;
 * `where`: output_mask, or -1 if all gradients are computed. `groups`: number of mean values.
 */
static void norm_backward(const struct op_rule *rule, const struct op_call *c, int64_t groups, struct op_cost *cost)
{
	const struct op_tensor *x = &c->arg[0];
	const int64_t weight = dims_bytes(c, (size_t)rule->at), one = bytes_of(c, 0);
	int64_t mask[3] = {1, 1, 1};

	if (rule->where >= 0)
		op_call_list(c, (size_t)rule->where, mask, 3);
	cost->all.flops = op_times(mask[0] ? 9 : 4, x->count);
	cost->all.bytes =
	    op_plus(op_times(mask[0] ? 3 : 2, one), op_times(op_times(2, groups), x->type->size > 4 ? 8 : 4));
	cost->all.bytes = op_plus(cost->all.bytes, op_times(1 + (mask[1] != 0) + (mask[2] != 0), weight));
}

static bool batch_norm_backward(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x = tensor(c, 0, 0);

	if (!x || x->n < 2)
		return false;
	norm_backward(rule, c, x->dim[1], cost);
	return true;
}

/* gradient of the output, x, normalized_shape, mean, rstd, weight, bias, output_mask */
static bool layer_norm_backward(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *mean = tensor(c, 3, 0);

	if (!tensor(c, 0, 0) || !mean)
		return false;
	norm_backward(rule, c, mean->count, cost);
	return true;
}

/* `at`: x; `where`: the weight. */
static bool rms_norm(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x = tensor(c, (size_t)rule->at, 0);

	if (!x || !op_call_has(c, (size_t)rule->where) || !last_dim(x))
		return false;
	cost->all.flops = op_plus(op_times(4, x->count), op_times(2, x->count / last_dim(x)));
	cost->all.bytes = op_plus(op_times(2, bytes_of(c, (size_t)rule->at)), bytes_of(c, (size_t)rule->where));
	return true;
}

/* out, x, residual, output of the residual, weight: x and the residual are added first. */
static bool rms_norm_add(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	if (!rms_norm(rule, c, cost))
		return false;
	cost->all.flops = op_plus(cost->all.flops, c->arg[rule->at].count);
	cost->all.bytes = op_plus(cost->all.bytes, op_times(2, bytes_of(c, (size_t)rule->at)));
	return true;
}

/* --- elements --- */

/*
 * Each element is read and written once, and counts as one operation, whichever function is
 * applied.
 */
static bool unary(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	(void)rule;
	if (!c->n || (!c->arg[0].n && !c->arg[0].typed))
		return false;
	cost->all.flops = c->arg[0].count;
	cost->all.bytes = op_times(2, bytes_of(c, 0));
	return true;
}

/* Operands without dimensions are numbers, which do not move. `where`: 1 if the first operand is the output too. */
static bool binary(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *a = tensor(c, 0, 0), *b = tensor(c, 1, 0), *wider = a ? a : b;
	int64_t out;

	if (c->n < 2 || (c->arg[0].n && !a) || (c->arg[1].n && !b))
		return false;
	if (!wider)
		wider = &c->arg[0];
	else if (a && b && b->type->size > a->type->size)
		wider = b;
	out = broadcast(c->arg[0].dim, c->arg[0].n, c->arg[1].dim, c->arg[1].n);
	cost->all.flops = out;
	cost->all.bytes = op_plus(op_plus(dims_bytes(c, 0), dims_bytes(c, 1)),
	    op_type_bytes(rule->where ? c->arg[0].type : wider->type, out));
	return out >= 0;
}

/* Returns the number of results of a reduction over the dimensions of the argument i, which is "" for all of them. */
static int64_t reduced(const struct op_call *c, const struct op_tensor *x, size_t i)
{
	int64_t dims[OP_CALL_DIMS], out = 1;
	const bool is_list = i < c->n_concrete && c->concrete[i].n && c->concrete[i].p[0] == '[';
	size_t n = op_call_list(c, i, dims, OP_CALL_DIMS), d, k;

	/* A lone number after x is a dimension only if it has arguments after it: sum(x, dtype), std(x, unbiased). */
	if (!n || (!is_list && (c->n < i + 2 || !is_digit(c->concrete[i].p[c->concrete[i].n - 1]))))
		return 1;
	for (d = 0; d < x->n; d++) {
		for (k = 0; k < n && dims[k] != (int64_t)d && dims[k] != (int64_t)d - (int64_t)x->n; k++)
			;
		if (k == n)
			out = op_times(out, x->dim[d]);
	}
	return out;
}

/* `where`: the argument with the dimensions; -1: the result has as many elements as the operand. */
static bool reduction(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x = tensor(c, 0, 0);
	int64_t out;

	if (!x)
		return false;
	if (op_call_has(c, 1) && rule->where >= 0) /* max(x, y) */
		return binary(rule, c, cost);
	out = rule->where < 0 ? x->count : reduced(c, x, (size_t)rule->where);
	cost->all.flops = x->count;
	cost->all.bytes = op_plus(bytes_of(c, 0), op_type_bytes(x->type, out));
	return true;
}

/* output, source: the source is converted to the type of the output. */
static bool copy(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	(void)rule;
	if (c->n < 2 || (!c->arg[0].n && !c->arg[0].typed) || (!c->arg[1].n && !c->arg[1].typed))
		return false;
	cost->all.flops = 0;
	cost->all.bytes = op_plus(bytes_of(c, 0), bytes_of(c, 1));
	return true;
}

/* k, v, cache of k, cache of v: rows are written to the caches, in their types. */
static bool store_cache(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *k = tensor(c, 0, 0), *v = tensor(c, 1, 0);

	(void)rule;
	if (!k || !v || !op_call_has(c, 2) || !op_call_has(c, 3))
		return false;
	cost->all.flops = 0;
	cost->all.bytes = op_plus(op_plus(bytes_of(c, 0), bytes_of(c, 1)),
	    op_plus(op_type_bytes(c->arg[2].type, k->count), op_type_bytes(c->arg[3].type, v->count)));
	return true;
}

/* out, x: x has the gates and the values. */
static bool silu_and_mul(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	(void)rule;
	if (!tensor(c, 0, 0) || !tensor(c, 1, 0))
		return false;
	cost->all.flops = op_times(2, c->arg[0].count);
	cost->all.bytes = op_plus(bytes_of(c, 0), bytes_of(c, 1));
	return true;
}

/* positions, q, k, size of a head, cosines and sines[., rotated] */
static bool rotary(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *positions = tensor(c, 0, 0), *q = tensor(c, 1, 0), *table = tensor(c, 4, 2);
	int64_t head, turned;

	(void)rule;
	if (!positions || !q || !table || !op_call_integer(c, 3, &head) || head < 1)
		return false;
	turned = op_plus(q->count, op_call_has(c, 2) ? c->arg[2].count : 0) / head;
	turned = op_times(turned, table->dim[1]);
	cost->all.flops = op_times(3, turned);
	cost->all.bytes = op_plus(op_times(2, op_type_bytes(q->type, turned)), bytes_of(c, 0));
	cost->all.bytes =
	    op_plus(cost->all.bytes, op_type_bytes(table->type, op_times(positions->count, table->dim[1])));
	return true;
}

/*
 * Kernels of torch.compile: the last `where` numbers among the arguments are the sizes of the loop. Of a larger tensor,
 * such as a table, at most as many elements as the loop has are read: about.
 */
static bool triton(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	int64_t loop = 1, size;
	int found = 0;
	size_t i;

	for (i = c->n_concrete; i-- > 0 && found < rule->where;) {
		if (!op_call_integer(c, i, &size))
			continue;
		loop = op_times(loop, size);
		found++;
	}
	if (found < rule->where || loop < 0)
		return false;
	cost->all.bytes = 0;
	for (i = 0; i < c->n; i++) {
		if (!op_call_has(c, i))
			continue;
		size = c->arg[i].count > loop ? loop : c->arg[i].count;
		cost->all.bytes = op_plus(cost->all.bytes, op_type_bytes(c->arg[i].type, size));
	}
	return cost->all.bytes >= 0;
}

/* --- experts --- */

/* The sizes of a layer of experts; `weight`: bytes of a weight. */
struct expert_shape {
	int64_t tokens, hidden, inter, experts, topk, gates;
	double weight_up, weight_down;
	const struct op_type *type; /* of the activations */
};

/* Returns the number of experts that are expected to get a token, if the tokens are spread evenly. */
static double expected_experts(const struct expert_shape *s)
{
	const double experts = (double)s->experts;

	return experts * (1 - pow((experts - (double)s->topk) / experts, (double)s->tokens));
}

static int64_t rounded(double v)
{
	return v >= 0 && v < 9e18 ? (int64_t)(v + 0.5) : -1;
}

/* Sets the cost of both projections. `fused`: what is between them does not reach memory. */
static bool set_experts(struct op_cost *cost, const struct expert_shape *s, bool fused)
{
	const int64_t rows = op_times(s->tokens, s->topk),
		      each = op_times(op_times(2, rows), op_times(s->hidden, s->inter));
	double weights, e = (double)s->type->size, outer, inner;

	if (s->topk < 1 || s->topk > s->experts || s->inter < 1 || each < 0)
		return false;
	weights = expected_experts(s) * (double)s->hidden * (double)s->inter;
	outer = (double)s->tokens * (double)s->hidden * e;
	inner = (double)rows * (double)s->inter * e;
	cost->up.flops = op_times(each, s->gates);
	cost->down.flops = each;
	cost->all.flops = op_plus(cost->up.flops, each);
	if (!s->type->size || s->weight_up <= 0)
		return cost->all.flops >= 0;
	if (fused) {
		cost->all.bytes = rounded(2 * outer + weights * ((double)s->gates * s->weight_up + s->weight_down));
		cost->up.flops = cost->down.flops = -1;
		return true;
	}
	cost->up.bytes = rounded(outer + weights * (double)s->gates * s->weight_up + inner);
	cost->down.bytes = rounded(inner + weights * s->weight_down + outer);
	return true;
}

/* Returns the number of experts for each token: from topk ids[M, k] after the weights, or the number at `where`. */
static int64_t experts_of_token(const struct op_call *c, size_t i, int64_t tokens, int where)
{
	int64_t topk = 0;

	for (; i < c->n; i++) {
		if (tensor(c, i, 2) && c->arg[i].dim[0] == tokens)
			return c->arg[i].dim[1];
	}
	if (where)
		op_call_integer(c, (size_t)where, &topk);
	return topk;
}

/* x[M, K], w1[E, N or 2 N, K], w2[E, K, N], maybe after an output, and topk ids[M, k] */
static bool fused_experts(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	const struct op_tensor *x, *w1, *w2;
	struct expert_shape s;
	size_t i = 1;

	while (i + 1 < c->n && (!tensor(c, i, 3) || !tensor(c, i + 1, 3)))
		i++;
	x = tensor(c, i - 1, 2);
	w1 = tensor(c, i, 3);
	w2 = tensor(c, i + 1, 3);
	if (!x || !w1 || !w2 || w1->dim[0] != w2->dim[0])
		return false;
	s = (struct expert_shape){.tokens = x->dim[0], .hidden = x->dim[1], .experts = w1->dim[0], .type = x->type};
	s.inter = op_times(w2->dim[2], w2->type->paired ? 2 : 1);
	s.gates = s.inter > 0 && w1->dim[1] == 2 * s.inter ? 2 : 1;
	s.weight_up = (double)w1->type->size / (w1->type->paired ? 2 : 1);
	s.weight_down = (double)w2->type->size / (w2->type->paired ? 2 : 1);
	if (w1->dim[1] != s.gates * s.inter)
		return false;
	s.topk = experts_of_token(c, i + 2, s.tokens, rule->where);
	cost->peak = product_peak(x->type, w1->type);
	return set_experts(cost, &s, true);
}

/* x[M, K], scores of the router[M, E] */
bool op_cost_of_moe(struct op_cost *cost, const struct op_call *c, const struct moe_facts *facts)
{
	const struct op_tensor *x = tensor(c, 0, 2), *router = tensor(c, 1, 2);
	struct expert_shape s;

	*cost = (struct op_cost){{-1, -1}, NULL, false, -1, -1, -1, {-1, -1}, {-1, -1}};
	if (!x || !router || x->dim[0] != router->dim[0])
		return false;
	s = (struct expert_shape){.tokens = x->dim[0],
	    .hidden = x->dim[1],
	    .inter = facts->inter,
	    .experts = router->dim[1],
	    .topk = facts->topk,
	    .gates = facts->gated ? 2 : 1,
	    .type = x->type};
	s.weight_up = s.weight_down = facts->weight > 0 ? facts->weight : (double)x->type->size;
	cost->peak = x->type->math;
	return set_experts(cost, &s, false);
}

/*
 * Returns the bytes of a weight of this type with its scale, or 0. A block of mxfp4 has 32 values
 * of 4 bits and a scale of one byte; a block of nvfp4 has 16 values and such a scale. The scales of
 * the other types are so few that they are left out.
 */
static double weight_size(struct str type)
{
	static const struct {
		const char *name;
		double size;
	} sizes[] = {
	    {"mxfp4", 17.0 / 32}, {"nvfp4", 9.0 / 16}, {"fp8", 1}, {"int8", 1}, {"bf16", 2}, {"fp16", 2}, {"fp32", 4}};
	size_t i;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (str_eq(type, str_of(sizes[i].name)))
			return sizes[i].size;
	}
	return 0;
}

bool moe_facts_read(struct moe_facts *facts, struct str item)
{
	struct str name;
	int64_t *number;

	str_split(&item, '=', &name);
	if (str_eq(name, STR("gated"))) {
		facts->gated = !item.p;
		return facts->gated;
	}
	if (str_eq(name, STR("weight"))) {
		facts->weight = item.p ? weight_size(item) : 0;
		return facts->weight > 0;
	}
	number = str_eq(name, STR("topk")) ? &facts->topk : str_eq(name, STR("inter")) ? &facts->inter : NULL;
	return number && item.p && num_int(item, number) == NUM_OK && *number > 0;
}

/* --- the table --- */

#define ELEMENTWISE(name, rule)                                                                                        \
	{"aten::" name, FAMILY_ELEMENTWISE, rule, 0, 0, false},                                                        \
	{                                                                                                              \
		"aten::" name "_", FAMILY_ELEMENTWISE, rule, 0, 1, false                                               \
	}
#define SDPA "aten::_scaled_dot_product_"

/* name, family, rule, at, where, nested: see the rule for `at` and `where`. */
const struct op_rule op_rules[] = {
    {"aten::mm", FAMILY_GEMM, mm, 0, 0, false},
    {"aten::addmm", FAMILY_GEMM, mm, 1, 0, false},
    {"aten::bmm", FAMILY_GEMM, mm, 0, 1, false},
    {"aten::baddbmm", FAMILY_GEMM, mm, 1, 1, false},
    {"aten::linear", FAMILY_GEMM, linear, 0, 0, true},
    {"aten::matmul", FAMILY_GEMM, matmul, 0, 0, true},
    {"aten::_scaled_mm", FAMILY_GEMM, scaled_mm, 0, 6, false},
    {"aten::_grouped_mm", FAMILY_GEMM, grouped_mm, 2, 4, false},
    {"aten::_scaled_grouped_mm", FAMILY_GEMM, grouped_mm, 4, 7, false},
    {"vllm::rocm_unquantized_gemm", FAMILY_GEMM, linear, 0, 0, false},
    {"aiter::gemm_a16w16", FAMILY_GEMM, linear, 0, 3, false},
    {"aten::convolution", FAMILY_CONV, convolution, 0, 0, false},
    {"aten::_convolution", FAMILY_CONV, convolution, 0, 0, false},
    {"aten::convolution_backward", FAMILY_CONV, convolution_backward, 0, 0, false},
    {SDPA "flash_attention", FAMILY_ATTENTION, attention, 0, 4, false},
    {SDPA "efficient_attention", FAMILY_ATTENTION, attention, 0, 6, false},
    {SDPA "cudnn_attention", FAMILY_ATTENTION, attention, 0, 6, false},
    {SDPA "flash_attention_for_cpu", FAMILY_ATTENTION, attention, 0, 4, false},
    {SDPA "fused_attention_overrideable", FAMILY_ATTENTION, attention, 0, 5, false},
    {SDPA "flash_attention_backward", FAMILY_ATTENTION, attention, 1, 11, false},
    {SDPA "efficient_attention_backward", FAMILY_ATTENTION, attention, 1, 11, false},
    {SDPA "cudnn_attention_backward", FAMILY_ATTENTION, attention, 1, 14, false},
    {SDPA "flash_attention_for_cpu_backward", FAMILY_ATTENTION, attention, 1, 7, false},
    {SDPA "fused_attention_overrideable_backward", FAMILY_ATTENTION, attention, 1, 13, false},
    {"aten::_flash_attention_forward", FAMILY_ATTENTION, flash_forward, 5, 8, false},
    {"aten::_efficient_attention_forward", FAMILY_ATTENTION, efficient_forward, 0, 9, false},
    {"flash_attn::_flash_attn_varlen_forward", FAMILY_ATTENTION, varlen_attention, 5, 9, false},
    {"vllm::unified_attention_with_output", FAMILY_ATTENTION, serving_attention, 0, 0, false},
    {"sglang_profiler::attention_paged_attention_ragged", FAMILY_ATTENTION, serving_attention, 2, 0, false},
    {"aiter::mha_batch_prefill", FAMILY_ATTENTION, serving_attention, 0, 0, false},
    {"aiter::fmha_v3_varlen_fwd", FAMILY_ATTENTION, serving_attention, 0, 0, false},
    {"vllm::moe_forward", FAMILY_MOE, NULL, 0, 0, false},
    {"vllm::rocm_aiter_fused_moe", FAMILY_MOE, fused_experts, 0, 0, false},
    {"vllm::outplace_fused_experts", FAMILY_MOE, fused_experts, 0, 0, false},
    {"aten::layer_norm", FAMILY_NORM, layer_norm, 0, 0, false},
    {"aten::native_layer_norm", FAMILY_NORM, layer_norm, 0, 1, false},
    {"aten::native_layer_norm_backward", FAMILY_NORM, layer_norm_backward, 5, 7, false},
    {"aten::batch_norm", FAMILY_NORM, batch_norm, 0, 5, false},
    {"aten::native_batch_norm", FAMILY_NORM, batch_norm, 0, 5, false},
    {"aten::cudnn_batch_norm", FAMILY_NORM, batch_norm, 0, 5, false},
    {"aten::miopen_batch_norm", FAMILY_NORM, batch_norm, 0, 5, false},
    {"aten::native_batch_norm_backward", FAMILY_NORM, batch_norm_backward, 2, 9, false},
    {"aten::cudnn_batch_norm_backward", FAMILY_NORM, batch_norm_backward, 2, -1, false},
    {"aten::miopen_batch_norm_backward", FAMILY_NORM, batch_norm_backward, 2, -1, false},
    {"aiter::rms_norm", FAMILY_NORM, rms_norm, 0, 1, false},
    {"aiter::rmsnorm", FAMILY_NORM, rms_norm, 1, 2, false},
    {"aiter::rmsnorm2d_fwd_with_add_ck", FAMILY_NORM, rms_norm_add, 1, 4, false},
    {"aiter::add_rmsnorm", FAMILY_NORM, rms_norm_add, 1, 4, false},
    ELEMENTWISE("clamp_min", unary),
    ELEMENTWISE("clamp_max", unary),
    ELEMENTWISE("sigmoid", unary),
    ELEMENTWISE("rsqrt", unary),
    ELEMENTWISE("silu", unary),
    ELEMENTWISE("neg", unary),
    ELEMENTWISE("pow", unary),
    ELEMENTWISE("add", binary),
    ELEMENTWISE("mul", binary),
    ELEMENTWISE("div", binary),
    {"aten::sigmoid_backward", FAMILY_ELEMENTWISE, binary, 0, 0, false},
    {"aten::threshold_backward", FAMILY_ELEMENTWISE, binary, 0, 0, false},
    {"_C::silu_and_mul", FAMILY_ELEMENTWISE, silu_and_mul, 0, 0, false},
    {"sgl_kernel::silu_and_mul", FAMILY_ELEMENTWISE, silu_and_mul, 0, 0, false},
    {"aiter::silu_and_mul", FAMILY_ELEMENTWISE, silu_and_mul, 0, 0, false},
    {"aten::sum", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::mean", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::max", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::min", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::amax", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::amin", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::norm", FAMILY_REDUCE, reduction, 0, 2, false},
    {"aten::std", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::var", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::logsumexp", FAMILY_REDUCE, reduction, 0, 1, false},
    {"aten::cumsum", FAMILY_REDUCE, reduction, 0, -1, false},
    {"aten::cumprod", FAMILY_REDUCE, reduction, 0, -1, false},
    {"_C::rotary_embedding", FAMILY_ROPE, rotary, 0, 0, false},
    {"sgl_kernel::rotary_embedding", FAMILY_ROPE, rotary, 0, 0, false},
    {"aten::copy_", FAMILY_COPY, copy, 0, 0, false},
    {"aten::copy", FAMILY_COPY, copy, 0, 0, false},
    {"sglang::store_cache", FAMILY_COPY, store_cache, 0, 0, false},
    {"_C_cache_ops::reshape_and_cache_flash", FAMILY_COPY, store_cache, 0, 0, false},
    /* prefixes, which must be last */
    {"aiter::fmoe*", FAMILY_MOE, fused_experts, 0, 8, false},
    {"triton_poi_*", FAMILY_TRITON, triton, 0, 1, false},
    {"triton_red_*", FAMILY_TRITON, triton, 0, 2, false},
    {"triton_per_*", FAMILY_TRITON, triton, 0, 2, false},
};

const size_t n_op_rules = sizeof op_rules / sizeof *op_rules;

const char *op_family_name(enum op_family family)
{
	static const char *const names[] = {
	    "gemm", "conv", "attention", "moe", "norm", "elementwise", "reduce", "rope", "copy", "triton"};

	return names[family];
}

/* The rules by name. Rules whose names end with '*' are in the order of the table, from `first_prefix` on. */
static struct map by_name;
static size_t first_prefix;

/* Returns the rule whose name is a prefix of this name and ends with '*'. */
static const struct op_rule *find_prefix(struct str name)
{
	struct str prefix;
	size_t i;

	for (i = first_prefix; i < n_op_rules; i++) {
		prefix = map_key(&by_name, i);
		prefix.n--;
		if (str_starts(name, prefix))
			return &op_rules[i];
	}
	return NULL;
}

const struct op_rule *op_rules_find(struct str name)
{
	struct str digits;
	size_t i;

	for (i = by_name.n; i < n_op_rules; i++) {
		map_put(&by_name, str_of(op_rules[i].name));
		first_prefix += op_rules[i].name[strlen(op_rules[i].name) - 1] != '*';
	}
	if (str_starts(name, STR("sglang_profiler::"))) {
		digits = str_last(name, is_digit);
		if (digits.n && digits.n < name.n && digits.p[-1] == '_')
			name.n -= digits.n + 1;
	}
	i = map_find(&by_name, name);
	return i != MAP_NONE ? &op_rules[i] : str_starts(name, STR("aten::")) ? NULL : find_prefix(name);
}

bool op_rule_is_moe(const struct op_rule *rule)
{
	return !rule->compute;
}

bool op_rules_compute(const struct op_rule *rule, const struct op_call *c, struct op_cost *cost)
{
	*cost = (struct op_cost){{-1, -1}, NULL, false, -1, -1, -1, {-1, -1}, {-1, -1}};
	if (rule->family >= FAMILY_NORM)
		cost->peak = "vector";
	return rule->compute(rule, c, cost) && (cost->by_step || cost->all.flops >= 0 || cost->all.bytes >= 0);
}
