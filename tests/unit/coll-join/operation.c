#include "coll-join/operation.h"
#include "test.h"

void unit_test(void)
{
	struct map names = {0};
	double factor;

	operation_names(&names);
	CHECK_INT(names.n, OPERATION_N);
	CHECK_STR(map_key(&names, OPERATION_SENDRECV), "sendrecv");
	CHECK_INT(operation_of_call(&names, STR("allreduce")), OPERATION_ALL_REDUCE);
	CHECK_INT(operation_of_call(&names, STR("all_reduce")), OPERATION_ALL_REDUCE);
	CHECK_INT(operation_of_call(&names, STR("_allgather_base")), OPERATION_ALL_GATHER);
	CHECK_INT(operation_of_call(&names, STR("reduce_scatter_tensor_coalesced")), OPERATION_REDUCE_SCATTER);
	CHECK_INT(operation_of_call(&names, STR("recv")), OPERATION_RECV);
	CHECK_INT(operation_of_call(&names, STR("shuffle")), OPERATION_N); /* unknown: under its own name */
	CHECK_INT(operation_of_call(&names, STR("shuffle")), OPERATION_N);
	CHECK_STR(map_key(&names, OPERATION_N), "shuffle");

	CHECK_INT(operation_of_kernel(STR("ncclDevKernel_ReduceScatter_Sum_f32")), OPERATION_REDUCE_SCATTER);
	CHECK_INT(operation_of_kernel(STR("ncclKernel_AllReduce_RING_LL")), OPERATION_ALL_REDUCE);
	CHECK_INT(operation_of_kernel(STR("ncclKernel_Reduce_RING_LL")), OPERATION_REDUCE);
	CHECK_INT(operation_of_kernel(STR("void vllm::cross_device_reduce_2stage<half>")), OPERATION_ALL_REDUCE);
	CHECK_INT(operation_of_kernel(STR("ncclDevKernel_SendRecv")), OPERATION_SENDRECV);

	CHECK(operation_synchronises(OPERATION_BARRIER) && operation_synchronises(OPERATION_ALL_TO_ALLV));
	CHECK(!operation_synchronises(OPERATION_BROADCAST) && !operation_synchronises(OPERATION_N));
	CHECK(operation_is_pair(OPERATION_SEND) && !operation_is_pair(OPERATION_SENDRECV));

	/* doc/PERFORMANCE.md of nccl-tests */
	CHECK(operation_bus_factor(OPERATION_ALL_REDUCE, 8, &factor));
	CHECK_DOUBLE(factor, 1.75);
	CHECK(operation_bus_factor(OPERATION_ALL_GATHER, 4, &factor));
	CHECK_DOUBLE(factor, 0.75);
	CHECK(operation_bus_factor(OPERATION_BROADCAST, 4, &factor));
	CHECK_DOUBLE(factor, 1);
	CHECK(!operation_bus_factor(OPERATION_BARRIER, 4, &factor));
	CHECK(!operation_bus_factor(OPERATION_N, 4, &factor));

	CHECK_INT(operation_dtype_bytes(STR("BFloat16")), 2);
	CHECK_INT(operation_dtype_bytes(STR("Float8_e4m3fn")), 1);
	CHECK_INT(operation_dtype_bytes(STR("ComplexDouble")), 16);
	CHECK_INT(operation_dtype_bytes(STR("UNKNOWN_SCALAR")), 0);
	map_free(&names);
}
