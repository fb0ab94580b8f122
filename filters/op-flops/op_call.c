#include "op_call.h"

#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"

/* The names of types are those of Input type; the numbers those of torch/headeronly/core/ScalarType.h. */
static const struct op_type types[] = {
    {"float", 4, "fp32", 6, false},
    {"bfloat16", 2, "bf16", 15, false},
    {"half", 2, "fp16", 5, false},
    {"double", 8, "fp64", 7, false},
    {"long int", 8, NULL, 4, false},
    {"long", 8, NULL, -1, false},
    {"int", 4, NULL, 3, false},
    {"short", 2, NULL, 2, false},
    {"short int", 2, NULL, -1, false},
    {"bool", 1, NULL, 11, false},
    {"unsigned char", 1, "int8", 0, false},
    {"signed char", 1, "int8", 1, false},
    {"char", 1, "int8", -1, false},
    {"complex<float>", 8, NULL, 9, false},
    {"complex<double>", 16, NULL, 10, false},
    {"float8_e4m3fn", 1, "fp8", 24, false},
    {"float8_e5m2", 1, "fp8", 23, false},
    {"float8_e4m3fnuz", 1, "fp8", 26, false},
    {"float8_e5m2fnuz", 1, "fp8", 25, false},
    {"float8_e8m0fnu", 1, "fp8", 44, false},
    {"float4_e2m1fn_x2", 1, "fp4", 45, true},
    {"unsigned short", 2, NULL, 27, false},
    {"unsigned int", 4, NULL, 28, false},
    {"unsigned long", 8, NULL, 29, false},
};

static const struct op_type unknown = {"", 0, NULL, -1, false};

/* The words of Input type for arguments that are not tensors. */
static const char *const not_tensors[] = {"", "scalar", "scalarlist", "tensorlist", "genericlist", NULL};

const struct op_type *op_type_number(int64_t number)
{
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++) {
		if (types[i].number == number && number >= 0)
			return &types[i];
	}
	return &unknown;
}

/* Returns the type of a name without c10::, whose case does not matter, or NULL. */
static const struct op_type *find_type(struct str name)
{
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++) {
		if (str_eq_any_case(name, str_of(types[i].name)))
			return &types[i];
	}
	return NULL;
}

/* Reads a type as it is recorded. */
static void read_type(struct op_tensor *t, struct str json)
{
	struct str name = json_is_string(json) ? json_inner(json) : (struct str){NULL, 0};
	const struct op_type *type;
	size_t i;

	name = str_from(name, str_starts(name, STR("c10::")) ? 5 : 0);
	type = find_type(name);
	t->type = type ? type : &unknown;
	t->typed = type || name.n > 0;
	for (i = 0; not_tensors[i] && !type; i++) {
		if (str_eq_any_case(name, str_of(not_tensors[i])))
			t->typed = false;
	}
}

/* Sets the type of an argument. A trace has few different types, so the last ones are stored. */
static void set_type(struct op_tensor *t, struct str json)
{
	static struct recent_type {
		char text[32];
		size_t n;
		const struct op_type *type;
		bool typed;
	} recent[32];
	struct recent_type *r = &recent[json.n < 5 ? 0 : (json.n + (size_t)json.p[json.n - 4] * 5) % 32];

	if (r->n == json.n && memcmp(r->text, json.p, json.n) == 0) {
		t->type = r->type;
		t->typed = r->typed;
		return;
	}
	read_type(t, json);
	if (json.n <= sizeof r->text) {
		memcpy(r->text, json.p, json.n);
		r->n = json.n;
		r->type = t->type;
		r->typed = t->typed;
	}
}

/* Reads the dimensions of an argument. The dimensions of a list of tensors are lists: their count is unknown. */
static void set_dims(struct op_tensor *t, struct str json)
{
	struct str value;
	struct iter w;
	int64_t v;

	*t = (struct op_tensor){.count = 1, .type = &unknown};
	if (!iter_array(&w, json))
		return;
	while (iter_element(&w, &value)) {
		if (num_int(value, &v) != NUM_OK || v < 0)
			v = -1;
		if (t->n < OP_CALL_DIMS)
			t->dim[t->n] = v;
		t->n++;
		t->count = op_times(t->count, v);
	}
	if (t->n && t->count < 0)
		t->n = OP_CALL_DIMS + 1; /* no rule accepts it */
}

bool op_call_read(struct op_call *c, struct str args)
{
	struct str key, value, dims = {NULL, 0}, type = dims, concrete = dims;
	struct iter w;

	for (iter_init(&w, args); iter_next(&w, &key, &value) > 0;) {
		if (str_eq(key, STR("Input Dims")) || str_eq(key, STR("Input dims")))
			dims = value;
		else if (str_eq(key, STR("Input type")))
			type = value;
		else if (str_eq(key, STR("Concrete Inputs")))
			concrete = value;
	}
	c->n = c->n_concrete = 0;
	if (!iter_array(&w, dims))
		return false;
	for (; iter_element(&w, &value); c->n++) {
		if (c->n == OP_CALL_ARGS)
			return false;
		set_dims(&c->arg[c->n], value);
	}
	if (iter_array(&w, type)) {
		size_t i;

		for (i = 0; i < c->n && iter_element(&w, &value); i++)
			set_type(&c->arg[i], value);
	}
	if (iter_array(&w, concrete)) {
		for (; c->n_concrete < OP_CALL_ARGS && iter_element(&w, &value); c->n_concrete++)
			c->concrete[c->n_concrete] = json_is_string(value) ? json_inner(value) : value;
	}
	return true;
}

bool op_call_integer(const struct op_call *c, size_t i, int64_t *v)
{
	return i < c->n_concrete && num_int(c->concrete[i], v) == NUM_OK;
}

bool op_call_is_true(const struct op_call *c, size_t i)
{
	return i < c->n_concrete && str_eq(c->concrete[i], STR("True"));
}

size_t op_call_list(const struct op_call *c, size_t i, int64_t *list, size_t max)
{
	struct str rest, item;
	size_t n = 0;

	if (i >= c->n_concrete || !c->concrete[i].n)
		return 0;
	rest = c->concrete[i];
	if (rest.p[0] == '[')
		rest = str_head(str_from(rest, 1), rest.n < 2 ? 0 : rest.n - 2);
	while (str_split(&rest, ',', &item)) {
		item = str_trim(item);
		if (n == max)
			return 0;
		if (str_eq(item, STR("True")) || str_eq(item, STR("False")))
			list[n] = item.p[0] == 'T';
		else if (num_int(item, &list[n]) != NUM_OK)
			return 0;
		n++;
	}
	return n;
}
