#include "coll_operation.h"

static const char *const names_in_order[COLL_N] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
    "all_to_allv", "barrier", "broadcast", "reduce", "gather", "scatter", "send", "recv", "sendrecv"};

/* Names in PyTorch, and in the rules for names of kernels, that differ from ours. */
static const struct coll_operation_alias {
	const char *name;
	enum coll_operation operation;
} aliases[] = {
    {"allreduce", COLL_ALL_REDUCE},
    {"allreduce_coalesced", COLL_ALL_REDUCE},
    {"allgather", COLL_ALL_GATHER},
    {"_allgather_base", COLL_ALL_GATHER},
    {"_all_gather_base", COLL_ALL_GATHER},
    {"all_gather_into_tensor_coalesced", COLL_ALL_GATHER},
    {"allgather_into_tensor_coalesced", COLL_ALL_GATHER},
    {"_reduce_scatter_base", COLL_REDUCE_SCATTER},
    {"reduce_scatter_tensor_coalesced", COLL_REDUCE_SCATTER},
    {"_broadcast_oop", COLL_BROADCAST},
    {"_reduce_oop", COLL_REDUCE},
    {"send_recv", COLL_SENDRECV},
};

static const struct coll_operation_dtype {
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

void coll_operation_names(struct map *names)
{
	size_t i;

	for (i = 0; i < COLL_N; i++)
		map_put(names, str_of(names_in_order[i]));
}

size_t coll_operation_of_call(struct map *names, struct str name)
{
	size_t i;

	for (i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		if (str_eq(name, str_of(aliases[i].name)))
			return aliases[i].operation;
	}
	return map_put(names, name);
}

bool coll_operation_bus_factor(size_t operation, size_t n, double *factor)
{
	const double others = n ? (double)(n - 1) / (double)n : 0;

	switch (operation) {
	case COLL_ALL_REDUCE:
		*factor = 2 * others;
		return true;
	case COLL_ALL_GATHER:
	case COLL_REDUCE_SCATTER:
	case COLL_ALL_TO_ALL:
	case COLL_GATHER:
	case COLL_SCATTER:
		*factor = others;
		return true;
	case COLL_BROADCAST:
	case COLL_REDUCE:
	case COLL_SENDRECV:
		*factor = 1;
		return true;
	default:
		return false;
	}
}

int coll_operation_dtype_bytes(struct str dtype)
{
	size_t i;

	for (i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
		if (str_in(dtype, dtypes[i].names))
			return dtypes[i].bytes;
	}
	return 0;
}
