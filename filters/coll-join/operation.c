#include "operation.h"

static const char *const names_in_order[OPERATION_N] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
    "all_to_allv", "barrier", "broadcast", "reduce", "gather", "scatter", "send", "recv", "sendrecv"};

/* Names in PyTorch that differ from ours. */
static const struct operation_alias {
	const char *name;
	enum operation operation;
} aliases[] = {
    {"allreduce", OPERATION_ALL_REDUCE},
    {"allreduce_coalesced", OPERATION_ALL_REDUCE},
    {"allgather", OPERATION_ALL_GATHER},
    {"_allgather_base", OPERATION_ALL_GATHER},
    {"_all_gather_base", OPERATION_ALL_GATHER},
    {"all_gather_into_tensor_coalesced", OPERATION_ALL_GATHER},
    {"allgather_into_tensor_coalesced", OPERATION_ALL_GATHER},
    {"_reduce_scatter_base", OPERATION_REDUCE_SCATTER},
    {"reduce_scatter_tensor_coalesced", OPERATION_REDUCE_SCATTER},
    {"_broadcast_oop", OPERATION_BROADCAST},
    {"_reduce_oop", OPERATION_REDUCE},
};

/* Parts of kernel names, in the order in which they are searched for: "ReduceScatter" contains "Reduce". */
static const struct operation_alias parts[] = {
    {"ReduceScatter", OPERATION_REDUCE_SCATTER},
    {"AllReduce", OPERATION_ALL_REDUCE},
    {"AllGather", OPERATION_ALL_GATHER},
    {"Broadcast", OPERATION_BROADCAST},
    {"Reduce", OPERATION_REDUCE},
    {"cross_device_reduce", OPERATION_ALL_REDUCE},
};

static const struct operation_dtype {
	int bytes;
	const char *const names[12];
} dtypes[] = {
    {1, {"Bool", "Byte", "Char", "Float8_e4m3fn", "Float8_e5m2", "Float8_e4m3fnuz", "Float8_e5m2fnuz", "Float8_e8m0fnu",
	    "Float4_e2m1fn_x2", NULL}},
    {2, {"Short", "UInt16", "Half", "BFloat16", NULL}},
    {4, {"Int", "UInt32", "Float", "ComplexHalf", NULL}},
    {8, {"Long", "UInt64", "Double", "ComplexFloat", NULL}},
    {16, {"ComplexDouble", NULL}},
};

void operation_names(struct map *names)
{
	size_t i;

	for (i = 0; i < OPERATION_N; i++)
		map_put(names, str_of(names_in_order[i]));
}

size_t operation_of_call(struct map *names, struct str name)
{
	size_t i;

	for (i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		if (str_eq(name, str_of(aliases[i].name)))
			return aliases[i].operation;
	}
	return map_put(names, name);
}

enum operation operation_of_kernel(struct str name)
{
	size_t i;

	for (i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (str_find(name, str_of(parts[i].name)) < name.n)
			return parts[i].operation;
	}
	return OPERATION_SENDRECV;
}

bool operation_bus_factor(size_t operation, size_t n, double *factor)
{
	const double others = n ? (double)(n - 1) / (double)n : 0;

	switch (operation) {
	case OPERATION_ALL_REDUCE:
		*factor = 2 * others;
		return true;
	case OPERATION_ALL_GATHER:
	case OPERATION_REDUCE_SCATTER:
	case OPERATION_ALL_TO_ALL:
	case OPERATION_GATHER:
	case OPERATION_SCATTER:
		*factor = others;
		return true;
	case OPERATION_BROADCAST:
	case OPERATION_REDUCE:
	case OPERATION_SENDRECV:
		*factor = 1;
		return true;
	default:
		return false;
	}
}

int operation_dtype_bytes(struct str dtype)
{
	size_t i;

	for (i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
		if (str_in(dtype, dtypes[i].names))
			return dtypes[i].bytes;
	}
	return 0;
}
