/*
 * chrome_kind: finds the kind of an event, from its phase, its category, and the kind that ndjson2trace wrote into it.
 */
#include "chrome.h"

#include "record/category.h"
#include "json/iter.h"
#include "json/string.h"

/*
 * Returns the kind that ndjson2trace wrote into "record"; KIND_N when "record" contains no kind: the kind then follows
 * from other members.
 */
static enum event_kind record_kind(struct str record)
{
	struct str kind = record.p[0] == '{' ? iter_find(record, STR("kind")) : (struct str){0};

	return json_is_string(kind) ? event_kind(json_inner(kind)) : KIND_N;
}

enum event_kind chrome_kind(const struct chrome_raw *raw)
{
	enum event_kind k = raw->record.p ? record_kind(raw->record) : KIND_N;

	if (k == KIND_N)
		k = category_of_phase(chrome_phase(raw->ph));
	if (k == KIND_N && raw->cat.p)
		k = category_kind(raw->cat);
	if (k != KIND_N)
		return k;
	/* The autograd profiler did not write categories before Kineto. */
	if (raw->pid.p && str_eq(raw->pid, STR("\"CPU functions\"")))
		return KIND_OP;
	if (raw->pid.p && str_eq(raw->pid, STR("\"CUDA functions\"")))
		return KIND_KERNEL;
	return KIND_RANGE;
}
