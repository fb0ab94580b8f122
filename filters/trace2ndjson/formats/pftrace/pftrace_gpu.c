/* pftrace_gpu: reads the work of GPUs (GpuRenderStageEvent) and their counters (GpuCounterEvent). */
#include "pftrace.h"

#include "base/char_class.h"
#include "base/num_parse.h"

/* The fields of a GpuRenderStageEvent that are needed after all others have been read. */
struct stage {
	struct str name;
	uint64_t event, submission, queue, stage, name_iid, kernel;
	bool has_event, has_submission, has_queue, has_stage, has_name, has_kernel, has_gpu, is_old;
	struct str launch;
};

static bool fault_of(const struct wire *inner, struct wire *w)
{
	if (inner->fault)
		w->fault = "event is damaged; skipped";
	return !inner->fault;
}

/* --- launch parameters and extra data --- */

/* Writes a message {1 x, 2 y, 3 z} as a list. */
static void put_dimensions(struct pftrace *p, struct reader *r, struct str key, struct str message)
{
	struct wire_field f;
	uint32_t no;

	pftrace_put_key(p, r, key);
	for (no = 1; no <= 3; no++) {
		buf_char(&p->args, no == 1 ? '[' : ',');
		wire_put_uint(&p->args, wire_find(message, no, WIRE_VARINT, &f) ? f.v : 0);
	}
	buf_char(&p->args, ']');
}

/* Writes a launch argument {1 name_iid, 2 name, 3 int, 4 uint, 5 double, 6 text}. */
static void put_argument(struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, struct str message)
{
	struct str name = {NULL, 0};
	struct wire_field f;
	char room[NUM_ROOM + 4] = "arg ";

	if (wire_find(message, 2, WIRE_LEN, &f))
		name = f.bytes;
	else if (wire_find(message, 1, WIRE_VARINT, &f))
		name = pftrace_names_text(&s->names, PFTRACE_KERNEL_ARGUMENTS, f.v);
	else
		f.v = 0;
	if (!name.p)
		name = (struct str){room, (size_t)(num_put_u64(room + 4, f.v) - room)};
	pftrace_put_key(p, r, name);
	if (wire_find(message, 3, WIRE_VARINT, &f)) {
		wire_put_int(&p->args, (int64_t)f.v);
	} else if (wire_find(message, 4, WIRE_VARINT, &f)) {
		wire_put_uint(&p->args, f.v);
	} else if (wire_find(message, 5, WIRE_FIXED64, &f)) {
		wire_put_double(&p->args, wire_double(f.v));
	} else {
		pftrace_put_text(p, r, &p->args, wire_find(message, 6, WIRE_LEN, &f) ? f.bytes : STR(""));
	}
}

/* Writes the launch parameters {1 grid, 2 workgroup, 3 arguments}. */
static bool put_launch(
    struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	if (wire_find(message, 1, WIRE_LEN, &f))
		put_dimensions(p, r, STR("grid"), f.bytes);
	if (wire_find(message, 2, WIRE_LEN, &f))
		put_dimensions(p, r, STR("block"), f.bytes);
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 3 && f.type == WIRE_LEN)
			put_argument(p, r, s, f.bytes);
	}
	return fault_of(&inner, w);
}

/* Writes an item {1 name, 2 value} of the extra data. */
static void put_extra(struct pftrace *p, struct reader *r, struct str message)
{
	struct wire_field f;

	pftrace_put_key(p, r, wire_find(message, 1, WIRE_LEN, &f) ? f.bytes : STR(""));
	pftrace_put_decimal(p, r, &p->args, wire_find(message, 2, WIRE_LEN, &f) ? f.bytes : STR(""));
}

/* Writes all numbers of a repeated field as a list. */
static void put_numbers(struct pftrace *p, struct reader *r, struct str key, struct str event, uint32_t no)
{
	struct wire w = wire_of(event);
	struct wire_field f;
	struct str rest;
	uint64_t v;
	bool any = false;

	while (wire_next(&w, &f) > 0) {
		if (f.no != no)
			continue;
		if (!any) {
			pftrace_put_key(p, r, key);
			buf_char(&p->args, '[');
		}
		any = true;
		rest = f.type == WIRE_LEN ? f.bytes : STR("");
		if (f.type == WIRE_VARINT) {
			wire_put_uint(&p->args, f.v);
			buf_char(&p->args, ',');
		}
		while (wire_packed(&rest, &v) > 0) {
			wire_put_uint(&p->args, v);
			buf_char(&p->args, ',');
		}
	}
	if (!any)
		return;
	p->args.n -= p->args.p[p->args.n - 1] == ',';
	buf_char(&p->args, ']');
}

/* --- the stage --- */

/* Returns the name in the description of a queue or stage. */
static struct str specification(const struct pftrace_sequence *s, bool has, uint64_t iid)
{
	return has ? pftrace_names_text(&s->names, PFTRACE_GPU_STAGES, iid) : (struct str){NULL, 0};
}

static enum event_kind kind_of(const struct pftrace_sequence *s, const struct stage *stage, struct str name)
{
	static const struct {
		const char *name;
		enum event_kind kind;
	} kinds[] = {
	    {"Kernel", KIND_KERNEL}, {"Memcpy", KIND_MEMCPY}, {"Memset", KIND_MEMSET}, {"Annotation", KIND_GPU_RANGE}};
	enum { COMPUTE = 2 };
	struct str message = stage->has_stage ? pftrace_names_message(&s->names, PFTRACE_GPU_STAGES, stage->stage)
					      : (struct str){NULL, 0};
	struct wire_field f;
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (str_eq(name, str_of(kinds[i].name)))
			return kinds[i].kind;
	}
	if (message.p && wire_find(message, 4, WIRE_VARINT, &f) && f.v == COMPUTE)
		return KIND_KERNEL;
	return str_eq(name, STR("EventRecord")) || str_eq(name, STR("HostNode")) ? KIND_OTHER : KIND_GPU_RANGE;
}

/* Returns the demangled name of a kernel, or else its name. */
static struct str kernel_name(const struct pftrace_sequence *s, uint64_t iid)
{
	struct str message = pftrace_names_message(&s->names, PFTRACE_KERNELS, iid);
	struct wire_field f;

	if (message.p && wire_find(message, 3, WIRE_LEN, &f))
		return f.bytes;
	return pftrace_names_text(&s->names, PFTRACE_KERNELS, iid);
}

static void set_name(struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, const struct stage *stage)
{
	struct str name = stage->name;

	if (!name.p && stage->has_name)
		name = pftrace_names_text(&s->names, PFTRACE_EVENTS, stage->name_iid);
	if (!name.n && stage->has_kernel)
		name = kernel_name(s, stage->kernel);
	if (name.n)
		pftrace_put_text(p, r, &p->name, name);
	else
		buf_add(&p->name, p->cat.p, p->cat.n);
}

/* Sets the lane: N of a queue "[0N] stream N", or else the number of the queue. */
static void set_lane(struct pftrace_entry *entry, const struct stage *stage, struct str queue)
{
	struct str digits = {queue.p + queue.n, 0};

	while (digits.n < queue.n && is_digit(digits.p[-1])) {
		digits.p--;
		digits.n++;
	}
	entry->has_lane = stage->has_queue;
	entry->lane = (int64_t)stage->queue;
	if (digits.n && str_ends((struct str){queue.p, queue.n - digits.n}, STR("stream ")))
		num_int(digits, &entry->lane);
}

/* Reads one field; false when it is damaged. */
static bool take(
    struct pftrace *p, struct reader *r, const struct wire_field *f, struct stage *stage, struct pftrace_entry *entry)
{
	const bool number = f->type == WIRE_VARINT, message = f->type == WIRE_LEN;

	switch (f->no) {
	case 1:
		stage->event = f->v;
		stage->has_event = number;
		break;
	case 2:
		entry->dur = (int64_t)f->v;
		entry->has_dur = number;
		break;
	case 10:
		stage->submission = f->v;
		stage->has_submission = number;
		break;
	case 11:
		entry->dev = (int32_t)(uint32_t)f->v;
		break;
	case 3:
	case 13:
		if (f->no == 3 && stage->has_queue)
			break;
		stage->queue = f->v;
		stage->has_queue = number;
		break;
	case 4:
	case 14:
		if (f->no == 4 && stage->has_stage)
			break;
		stage->stage = f->v;
		stage->has_stage = number;
		break;
	case 7:
		stage->is_old = true;
		break;
	case 17:
		if (message)
			stage->name = f->bytes;
		break;
	case 19:
		stage->kernel = f->v;
		stage->has_kernel = number;
		break;
	case 20:
		stage->name_iid = f->v;
		stage->has_name = number;
		break;
	case 21:
		if (message)
			stage->launch = f->bytes;
		break;
	case 6:
		if (message && !wire_sound(f->bytes, &(const char *){NULL}, &(size_t){0}))
			return false;
		if (message)
			put_extra(p, r, f->bytes);
		break;
	}
	return true;
}

bool pftrace_gpu_stage_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w)
{
	struct wire inner = wire_of(event);
	struct stage stage = {0};
	struct wire_field f;
	struct str name, queue;

	/* The launch parameters precede the extra data in args. */
	if (wire_find(event, 21, WIRE_LEN, &f) && !put_launch(p, r, s, f.bytes, w))
		return false;
	while (wire_next(&inner, &f) > 0) {
		if (!take(p, r, &f, &stage, entry)) {
			w->fault = "event is damaged; skipped";
			return false;
		}
	}
	if (!fault_of(&inner, w))
		return false;
	if (stage.is_old && !stage.has_event && !entry->has_dur)
		return true; /* only the descriptions of an old driver */
	name = specification(s, stage.has_stage, stage.stage);
	queue = specification(s, stage.has_queue, stage.queue);
	if (name.p)
		pftrace_put_text(p, r, &p->cat, name);
	else
		wire_put_numbered(&p->cat, "stage ", stage.stage);
	set_name(p, r, s, &stage);
	if (stage.has_event) {
		pftrace_put_key(p, r, STR("event_id"));
		wire_put_uint(&p->args, stage.event);
	}
	if (stage.has_submission) {
		pftrace_put_key(p, r, STR("submission_id"));
		wire_put_uint(&p->args, stage.submission);
	}
	put_numbers(p, r, STR("event_wait_ids"), event, 18);
	if (queue.n) {
		pftrace_put_key(p, r, STR("queue"));
		pftrace_put_text(p, r, &p->args, queue);
	}
	set_lane(entry, &stage, queue.p ? queue : STR(""));
	entry->type = PFTRACE_GPU;
	entry->kind = (uint8_t)kind_of(s, &stage, name.p ? name : STR(""));
	entry->has_dur = entry->has_dev = true;
	pftrace_entry_add(p, r, entry);
	return true;
}

/* --- counters --- */

/* Sets p->name to the name of a counter, from a GpuCounterDescriptor {1 specs {1 id, 2 name}}. */
static void set_counter_name(struct pftrace *p, struct reader *r, struct str descriptor, uint64_t id)
{
	struct wire w = wire_of(descriptor);
	struct wire_field f, part;
	struct str name = {NULL, 0};

	while (wire_next(&w, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_LEN && (wire_find(f.bytes, 1, WIRE_VARINT, &part) ? part.v : 0) == id)
			name = wire_find(f.bytes, 2, WIRE_LEN, &part) ? part.bytes : STR("");
	}
	p->name.n = 0;
	if (name.p)
		pftrace_put_text(p, r, &p->name, name);
	else
		wire_put_numbered(&p->name, "counter ", id);
}

/* Makes an entry from a GpuCounter {1 id, 2 int, 3 double}. */
static void read_value(
    struct pftrace *p, struct reader *r, struct str descriptor, struct str message, struct pftrace_entry *entry)
{
	struct wire_field f;

	set_counter_name(p, r, descriptor, wire_find(message, 1, WIRE_VARINT, &f) ? f.v : 0);
	p->args.n = 0;
	pftrace_put_key(p, r, STR("value"));
	if (wire_find(message, 2, WIRE_VARINT, &f)) {
		wire_put_int(&p->args, (int64_t)f.v);
	} else {
		wire_put_double(&p->args, wire_find(message, 3, WIRE_FIXED64, &f) ? wire_double(f.v) : 0);
	}
	pftrace_entry_add(p, r, entry);
}

bool pftrace_gpu_counter_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w)
{
	struct wire inner = wire_of(event);
	struct wire_field f, dev;
	struct str descriptor, message;

	if (!wire_sound(event, &w->fault, &(size_t){0}))
		return false;
	dev.v = 0;
	if (wire_find(event, 4, WIRE_VARINT, &f)) {
		message = pftrace_names_message(&s->names, PFTRACE_GPU_COUNTERS, f.v);
		message = message.p ? message : STR("");
		descriptor = wire_find(message, 2, WIRE_LEN, &f) ? f.bytes : STR("");
		if (!wire_find(message, 3, WIRE_VARINT, &dev))
			dev.v = 0;
	} else {
		if (wire_find(event, 1, WIRE_LEN, &f)) {
			s->gpu_counters.n = 0;
			buf_add(&s->gpu_counters, f.bytes.p, f.bytes.n);
		}
		descriptor = s->gpu_counters.n ? (struct str){s->gpu_counters.p, s->gpu_counters.n} : STR("");
		if (!wire_find(event, 3, WIRE_VARINT, &dev))
			dev.v = 0;
	}
	entry->type = PFTRACE_GPU;
	entry->kind = KIND_COUNTER;
	entry->dev = (int32_t)(uint32_t)dev.v;
	entry->has_dev = true;
	buf_lit(&p->cat, "\"gpu_counter\"");
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 2 && f.type == WIRE_LEN)
			read_value(p, r, descriptor, f.bytes, entry);
	}
	return true;
}
