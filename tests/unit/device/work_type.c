#include "device/work_type.h"

#include "test.h"

static enum work_type type(struct work_types *w, enum event_kind kind, const char *name)
{
	struct event e;

	event_clear(&e);
	event_set(&e, EVENT_NAME, str_of(name));
	return work_types_of(w, kind, &e);
}

void unit_test(void)
{
	const char *regex[WORK_N] = {NULL};
	struct work_types w = {0};
	struct fault fault;

	CHECK_INT(work_types_init(&w, regex, &fault), WORK_N);
	CHECK_INT(type(&w, KIND_KERNEL, "\"sgemm\""), WORK_COMPUTE);
	CHECK_INT(type(&w, KIND_KERNEL, "\"ncclDevKernel_AllReduce\""), WORK_COMM);
	CHECK_INT(type(&w, KIND_KERNEL, "\"void ncclKernel<1>()\""), WORK_COMM);
	CHECK_INT(type(&w, KIND_KERNEL, "\"my_nccl\""), WORK_COMPUTE);
	CHECK_INT(type(&w, KIND_KERNEL, "\"hipMemcpyAsync\""), WORK_MEMORY);
	CHECK_INT(type(&w, KIND_KERNEL, "\"void deep_ep::internode::dispatch<false, 8>(int4*)\""), WORK_COMM);
	CHECK_INT(type(&w, KIND_KERNEL, "\"Memset (Device)\""), WORK_MEMORY);
	CHECK_INT(type(&w, KIND_KERNEL, "\"a Memset\""), WORK_OTHER);
	/* The kinds memcpy and sync determine the type; the name is ignored. */
	CHECK_INT(type(&w, KIND_MEMCPY, "\"ncclX\""), WORK_MEMORY);
	CHECK_INT(type(&w, KIND_SYNC, "\"ncclX\""), WORK_OTHER);
	CHECK_STR(str_of(work_type_name(WORK_COMM)), "COMMUNICATION");
	work_types_free(&w);

	w = (struct work_types){0};
	regex[WORK_COMM] = "gemm";
	CHECK_INT(work_types_init(&w, regex, &fault), WORK_N);
	CHECK_INT(type(&w, KIND_KERNEL, "\"sgemm\""), WORK_COMM);
	CHECK_INT(type(&w, KIND_KERNEL, "\"ncclX\""), WORK_COMPUTE); /* the expression replaces the rule */
	work_types_free(&w);

	w = (struct work_types){0};
	regex[WORK_OTHER] = "(";
	CHECK_INT(work_types_init(&w, regex, &fault), WORK_OTHER);
	work_types_free(&w);
}
