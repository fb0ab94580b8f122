#include "coll-join/coll_operation.h"
#include "test.h"

void unit_test(void)
{
	struct map names = {0};
	double factor;

	coll_operation_names(&names);
	CHECK_INT(names.n, COLL_N);
	CHECK_STR(map_key(&names, COLL_SENDRECV), "sendrecv");
	CHECK_INT(coll_operation_of_call(&names, STR("allreduce")), COLL_ALL_REDUCE);
	CHECK_INT(coll_operation_of_call(&names, STR("all_reduce")), COLL_ALL_REDUCE);
	CHECK_INT(coll_operation_of_call(&names, STR("_allgather_base")), COLL_ALL_GATHER);
	CHECK_INT(coll_operation_of_call(&names, STR("reduce_scatter_tensor_coalesced")), COLL_REDUCE_SCATTER);
	CHECK_INT(coll_operation_of_call(&names, STR("recv")), COLL_RECV);
	CHECK_INT(coll_operation_of_call(&names, STR("shuffle")), COLL_N); /* unknown: under its own name */
	CHECK_INT(coll_operation_of_call(&names, STR("shuffle")), COLL_N);
	CHECK_STR(map_key(&names, COLL_N), "shuffle");
	CHECK_INT(coll_operation_of_call(&names, STR("send_recv")), COLL_SENDRECV); /* the word of kernel-names.tsv */

	CHECK(coll_operation_synchronises(COLL_BARRIER) && coll_operation_synchronises(COLL_ALL_TO_ALLV));
	CHECK(!coll_operation_synchronises(COLL_BROADCAST) && !coll_operation_synchronises(COLL_N));
	CHECK(coll_operation_is_pair(COLL_SEND) && !coll_operation_is_pair(COLL_SENDRECV));

	/* doc/PERFORMANCE.md of nccl-tests */
	CHECK(coll_operation_bus_factor(COLL_ALL_REDUCE, 8, &factor));
	CHECK_DOUBLE(factor, 1.75);
	CHECK(coll_operation_bus_factor(COLL_ALL_GATHER, 4, &factor));
	CHECK_DOUBLE(factor, 0.75);
	CHECK(coll_operation_bus_factor(COLL_BROADCAST, 4, &factor));
	CHECK_DOUBLE(factor, 1);
	CHECK(!coll_operation_bus_factor(COLL_BARRIER, 4, &factor));
	CHECK(!coll_operation_bus_factor(COLL_N, 4, &factor));

	CHECK_INT(coll_operation_dtype_bytes(STR("BFloat16")), 2);
	CHECK_INT(coll_operation_dtype_bytes(STR("Float8_e4m3fn")), 1);
	CHECK_INT(coll_operation_dtype_bytes(STR("ComplexDouble")), 16);
	CHECK_INT(coll_operation_dtype_bytes(STR("UNKNOWN_SCALAR")), 0);
	map_free(&names);
}
