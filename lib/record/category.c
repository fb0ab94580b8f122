#include "record/category.h"

/*
 * The known categories: the names of libkineto's ActivityType, names that libkineto used in 2021, and names of other
 * programs. The most frequent ones are first. category_of() returns the first category of a kind.
 */
static const struct {
	struct str cat;
	enum event_kind kind;
} categories[] = {
/* clang-format off */
#define CATEGORY(text, kind) {{"\"" text "\"", sizeof(text) + 1}, KIND_##kind},
    CATEGORY("cpu_op", OP)
    CATEGORY("cuda_runtime", API)
    CATEGORY("kernel", KERNEL)
    CATEGORY("ac2g", FLOW)
    CATEGORY("python_function", PYTHON)
    CATEGORY("gpu_memcpy", MEMCPY)
    CATEGORY("gpu_memset", MEMSET)
    CATEGORY("cuda_driver", API)
    CATEGORY("user_annotation", RANGE)
    CATEGORY("gpu_user_annotation", GPU_RANGE)
    CATEGORY("cuda_sync", SYNC)
    CATEGORY("Operator", OP)
    CATEGORY("Runtime", API)
    CATEGORY("Kernel", KERNEL)
    CATEGORY("Memcpy", MEMCPY)
    CATEGORY("Memset", MEMSET)
    CATEGORY("xpu_runtime", API)
    CATEGORY("xpu_driver", API)
    CATEGORY("xpu_sync", SYNC)
    CATEGORY("mtia_runtime", API)
    CATEGORY("mtia_ccp_events", KERNEL)
    CATEGORY("glow_runtime", API)
    CATEGORY("hpu_op", API)
    CATEGORY("privateuse1_runtime", API)
    CATEGORY("privateuse1_driver", API)
    CATEGORY("Node", OP) /* ONNX Runtime */
    CATEGORY("Api", API)
    CATEGORY("FEE", PYTHON) /* VizTracer */
    CATEGORY("overhead", OTHER)
    CATEGORY("Trace", OTHER)
    CATEGORY("cuda_event", OTHER)
    CATEGORY("external_correlation", OTHER)
    CATEGORY("collective_comm", OTHER)
    CATEGORY("cuda_profiler_range", OTHER)
    CATEGORY("xpu_scope_profiler", OTHER)
    CATEGORY("mtia_insight", OTHER)
#undef CATEGORY
    /* clang-format on */
};

enum event_kind category_of_phase(char ph)
{
	switch (ph) {
	case 'M':
		return KIND_META;
	case 'C':
		return KIND_COUNTER;
	case 's':
	case 't':
	case 'f':
		return KIND_FLOW;
	case 'i':
	case 'I':
	case 'n':
	case 'R':
		return KIND_MARK;
	case 'P':
		return KIND_SAMPLE;
	case 'X':
	case 'B':
	case 'E':
	case 'b':
	case 'e':
	case 'S':
	case 'F':
		return KIND_N; /* the category decides */
	default:
		return KIND_OTHER;
	}
}

enum event_kind category_kind(struct str cat)
{
	size_t i;

	for (i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (str_eq(cat, categories[i].cat))
			return categories[i].kind;
	}
	return KIND_N;
}

enum event_kind category_event_kind(char ph, struct str cat, struct str pid)
{
	enum event_kind k = category_of_phase(ph);

	if (k == KIND_N && cat.p)
		k = category_kind(cat);
	if (k != KIND_N)
		return k;
	/* The autograd profiler did not write categories before Kineto. */
	return str_eq(pid, STR("\"CPU functions\""))    ? KIND_OP
	       : str_eq(pid, STR("\"CUDA functions\"")) ? KIND_KERNEL
							: KIND_RANGE;
}

struct str category_of(enum event_kind kind)
{
	size_t i;

	for (i = 0; i < sizeof categories / sizeof *categories; i++) {
		if (categories[i].kind == kind)
			return categories[i].cat;
	}
	return (struct str){0};
}
