#include "pftrace_event.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/write.h"
#include "pftrace_tables.h"

/* --- texts, numbers and annotations as JSON --- */

enum { DEPTH_MAX = 500 };

/* Appends the JSON of a text of the file; reports bytes that are not UTF-8. */
static void put_text(struct pftrace_entries *p, struct buf *b, struct str text)
{
	wire_put_text(p->reader, p->at, b, text);
}

/* Begins a member of args. */
static void put_key(struct pftrace_entries *p, struct str key)
{
	wire_put_name(p->reader, p->at, &p->args, key);
}

static void put_uint(struct pftrace_entries *p, const char *key, uint64_t v)
{
	json_write_key(&p->args, key);
	num_add_u64(&p->args, v);
}

/*
 * Returns the text with a number. If it is unknown, returns the number after the prefix, and reports `note` if this is
 * not NULL. The text is valid until the next call.
 */
static struct str interned(
    struct pftrace_entries *p, enum pftrace_table table, uint64_t iid, const char *prefix, const char *note)
{
	const struct str text = pftrace_names_text(&p->sequence->names, table, iid);

	if (text.p)
		return text;
	if (note)
		reader_note(p->reader, note, 0, p->at);
	return wire_numbered(p->numbered, prefix, iid);
}

/*
 * Appends a value to args. The types are b: bool, i: int64, u: uint64, d: double, t: text, p: pointer, #: the number of
 * a text. A field that is not of the type is written as null.
 */
static void put_value(struct pftrace_entries *p, char type, const struct wire_field *f)
{
	int shift;

	switch (type << 3 | (int)f->type) {
	case 'b' << 3 | WIRE_VARINT:
		buf_add(&p->args, f->v ? "true" : "false", f->v ? 4 : 5);
		break;
	case 'i' << 3 | WIRE_VARINT:
		num_add_i64(&p->args, (int64_t)f->v);
		break;
	case 'u' << 3 | WIRE_VARINT:
		num_add_u64(&p->args, f->v);
		break;
	case 'd' << 3 | WIRE_FIXED64:
		json_put_double(&p->args, wire_double(f->v));
		break;
	case 't' << 3 | WIRE_LEN:
		put_text(p, &p->args, f->bytes);
		break;
	case 'p' << 3 | WIRE_VARINT:
		for (shift = 60; shift && !(f->v >> shift); shift -= 4)
			;
		for (buf_lit(&p->args, "\"0x"); shift >= 0; shift -= 4)
			buf_char(&p->args, "0123456789abcdef"[f->v >> shift & 15]);
		buf_char(&p->args, '"');
		break;
	case '#' << 3 | WIRE_VARINT:
		put_text(p, &p->args, interned(p, PFTRACE_STRINGS, f->v, "#", NULL));
		break;
	default:
		buf_lit(&p->args, "null");
	}
}

/* Appends the first of the values that the message has; types[i] is the type of values[i]. */
static bool put_first_value(struct pftrace_entries *p, const char *types, const struct wire_field *values)
{
	for (; *types && !values->no; types++)
		values++;
	if (*types)
		put_value(p, *types, values);
	return *types;
}

/*
 * Appends a NestedValue, the old form of lists and dictionaries: {1 type, 2 keys, 3 values, 4 elements, 5 int, 6
 * double, 7 bool, 8 text}.
 */
static bool put_nested_value(struct pftrace_entries *p, struct str message, int depth)
{
	static const struct wire_want wants[] = {
	    {1, WIRE_VARINT}, {5, WIRE_VARINT}, {6, WIRE_FIXED64}, {7, WIRE_VARINT}, {8, WIRE_LEN}, {0}};
	struct wire w = wire_of(message), keys = w;
	struct wire_field value[5];
	struct str element, key;
	bool dict;

	if (depth > DEPTH_MAX)
		return wire_refuse(&p->damage, "annotations are nested too deeply; event skipped", NULL);
	if (!wire_read(message, wants, value, &p->damage))
		return wire_refuse(&p->damage, "annotation is damaged; event skipped", NULL);
	dict = value[0].v == 1;
	if (!dict && value[0].v != 2) {
		if (!put_first_value(p, "idbt", value + 1))
			buf_lit(&p->args, "null");
		return true;
	}
	buf_char(&p->args, dict ? '{' : '[');
	while (wire_next_message(&w, dict ? 3 : 4, &element)) {
		if (!dict)
			json_write_key(&p->args, NULL);
		else if (wire_next_message(&keys, 2, &key))
			put_key(p, key);
		else
			break;
		if (!put_nested_value(p, element, depth + 1))
			return false;
	}
	buf_char(&p->args, dict ? '}' : ']');
	return true;
}

/* Begins a member with the name of an annotation. */
static void put_annotation_name(struct pftrace_entries *p, struct str annotation)
{
	struct wire_field f;

	put_key(p, wire_find(annotation, 10, WIRE_LEN, &f)
		       ? f.bytes
		       : interned(p, PFTRACE_ARGUMENTS, wire_find_number(annotation, 1), "arg ", NULL));
}

/* Appends the value of a DebugAnnotation {2 .. 7, 9, 17 simple, 8 NestedValue, 11 members, 12 elements}. */
static bool put_annotation_value(struct pftrace_entries *p, struct str annotation, int depth)
{
	enum { MEMBERS = 11, ELEMENTS = 12 };
	static const char types[18] = {[2] = 'b', 'u', 'i', 'd', 't', 'p', [9] = 't', [17] = '#'};
	struct wire w = wire_of(annotation);
	struct wire_field f, value = {0}, old = {0};
	struct str element;
	uint32_t list = 0;

	if (depth > DEPTH_MAX)
		return wire_refuse(&p->damage, "annotations are nested too deeply; event skipped", NULL);
	while (wire_next(&w, &f) > 0) {
		if ((f.no == MEMBERS || f.no == ELEMENTS) && f.type == WIRE_LEN)
			list = list == MEMBERS ? MEMBERS : f.no;
		else if (f.no == 8 && f.type == WIRE_LEN)
			old = f;
		else if ((f.no >= 2 && f.no <= 9) || f.no == 17)
			value = f;
	}
	if (w.fault)
		return wire_refuse(&p->damage, "annotation is damaged; event skipped", NULL);
	if (!list && old.no && !value.no)
		return put_nested_value(p, old.bytes, depth);
	if (!list) {
		put_value(p, types[value.no], &value);
		return true;
	}
	buf_char(&p->args, list == MEMBERS ? '{' : '[');
	for (w = wire_of(annotation); wire_next_message(&w, list, &element);) {
		if (list == MEMBERS)
			put_annotation_name(p, element);
		else
			json_write_key(&p->args, NULL);
		if (!put_annotation_value(p, element, depth + 1))
			return false;
	}
	buf_char(&p->args, list == MEMBERS ? '}' : ']');
	return true;
}

/* Adds a DebugAnnotation to args. Returns false when it is damaged: p->damage. */
static bool put_annotation(struct pftrace_entries *p, struct str annotation)
{
	const size_t begin = p->args.n;

	put_annotation_name(p, annotation);
	if (!put_annotation_value(p, annotation, 0))
		return false;
	/* An annotation without a value is left out: a record has no null members. */
	if (str_ends(str_from(buf_str(&p->args), begin), STR(":null")))
		p->args.n = begin;
	return true;
}

/* Writes all numbers of a repeated field as a list. */
static void put_numbers(struct pftrace_entries *p, const char *key, struct str message, uint32_t no)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	struct str rest;
	uint64_t v;

	json_write_begin(&p->args, key, '[');
	while (wire_next(&w, &f) > 0) {
		for (rest = wire_numbers(&f); f.no == no && wire_number(&f, &rest, &v);)
			put_uint(p, NULL, v);
	}
	json_write_end(&p->args, ']');
}

/* --- TrackEvent: the begin or end of a slice, an instant, the value of a counter --- */

/* Takes a fixed64 from the start of *rest; false at the end. */
static bool take_fixed64(struct str *rest, uint64_t *v)
{
	if (rest->n < sizeof *v)
		return false;
	memcpy(v, rest->p, sizeof *v);
	*rest = str_from(*rest, sizeof *v);
	return true;
}

/* Adds the ids of a field of flows, which may be packed; `fixed`: as fixed64, otherwise as varints. */
static void add_flows(struct pftrace_entries *p, const struct wire_field *f, bool fixed, char phase)
{
	struct pftrace_flow flow = {f->v, phase};
	struct str rest = f->type == WIRE_LEN ? f->bytes : STR("");

	if (f->type != WIRE_LEN)
		buf_add(&p->flows, &flow, sizeof flow);
	while (fixed ? take_fixed64(&rest, &flow.id) : wire_packed(&rest, &flow.id) > 0)
		buf_add(&p->flows, &flow, sizeof flow);
}

/* Appends a category to the string in p->cat. */
static void add_category(struct pftrace_entries *p, struct str text)
{
	const size_t at = p->cat.n;

	put_text(p, &p->cat, text);
	if (!at)
		return;
	/* a comma replaces the two quotes between the categories */
	p->cat.p[at - 1] = ',';
	memmove(p->cat.p + at, p->cat.p + at + 1, --p->cat.n - at);
}

/* Writes an interned name. */
static void set_interned_name(struct pftrace_entries *p, uint64_t iid)
{
	p->name.n = 0;
	put_text(
	    p, &p->name, interned(p, PFTRACE_EVENTS, iid, "#", "name without a text; its number is written instead"));
}

/* Reads a LegacyEvent {1 name_iid, 2 phase, 3 duration in us, 6 10 11 id}. */
static bool read_legacy(struct pftrace_entries *p, struct pftrace_entry *entry, struct str message)
{
	static const struct wire_want wants[] = {{1, WIRE_VARINT}, {2, WIRE_VARINT}, {3, WIRE_VARINT}, {6, WIRE_VARINT},
	    {10, WIRE_VARINT}, {11, WIRE_VARINT}, {0}};
	struct wire_field f[6];
	uint64_t phase;
	size_t i;

	if (!wire_read(message, wants, f, &p->damage))
		return wire_refuse(&p->damage, "event is damaged; skipped", NULL);
	if (f[0].no && !p->name.n)
		set_interned_name(p, f[0].v);
	phase = f[1].v;
	entry->phase = phase > ' ' && phase < 0x7f && phase != '"' && phase != '\\' ? (char)phase : 0;
	entry->has_dur =
	    f[2].no && entry->phase == 'X' && !__builtin_mul_overflow((int64_t)f[2].v, (int64_t)1000, &entry->dur);
	for (i = 3; i < 6; i++) {
		entry->legacy_id = f[i].no ? f[i].v : entry->legacy_id;
		entry->has_legacy_id |= f[i].no > 0;
	}
	return true;
}

/* The fields of an event that are needed after all others have been read. */
struct rest {
	struct wire_field name, legacy, gpu; /* if their type is WIRE_LEN */
	struct wire_field name_iid, track;
};

static void add_numbers(struct buf *to, const struct wire_field *f)
{
	struct str rest = wire_numbers(f);
	uint64_t v;

	while (wire_number(f, &rest, &v))
		buf_add(to, &v, sizeof v);
}

/* Reads a field; returns false when it is damaged. */
static bool read_event_field(
    struct pftrace_entries *p, const struct wire_field *f, struct rest *rest, struct pftrace_entry *entry)
{
	const bool is_bytes = f->type == WIRE_LEN;
	struct str numbers = wire_numbers(f);
	uint64_t iid;

	switch (f->no) {
	case 3:
		while (wire_number(f, &numbers, &iid))
			add_category(p, interned(p, PFTRACE_CATEGORIES, iid, "category ",
					    "category without a text; its number is written instead"));
		break;
	case 4:
		return !is_bytes || put_annotation(p, f->bytes);
	case 6:
		rest->legacy = *f;
		break;
	case 9:
		entry->type = f->type == WIRE_VARINT && f->v <= PFTRACE_COUNTER ? (uint8_t)f->v : 0;
		break;
	case 10:
		rest->name_iid = *f;
		break;
	case 11:
		rest->track = *f;
		break;
	case 12:
		add_numbers(&p->extra_values, f);
		break;
	case 22:
		if (is_bytes)
			add_category(p, f->bytes);
		break;
	case 23:
		rest->name = *f;
		break;
	case 30:
		entry->value = (int64_t)f->v;
		break;
	case 31:
		add_numbers(&p->extra_tracks, f);
		break;
	case 36:
	case 42:
		add_flows(p, f, false, f->no == 36 ? 's' : 'f');
		break;
	case 44:
		entry->real = wire_double(f->v);
		entry->has_real = f->type == WIRE_FIXED64;
		break;
	case 47:
	case 48:
		add_flows(p, f, true, f->no == 47 ? 's' : 'f');
		break;
	case 52:
	case 53:
		json_write_key(&p->args, "correlation_id");
		if (is_bytes)
			put_text(p, &p->args, f->bytes);
		else
			num_add_u64(&p->args, f->v);
		break;
	case 3000:
		rest->gpu = *f;
	}
	return true;
}

/* Stores the values of extra counters, such as the CPU time of the thread. */
static void add_extras(struct pftrace_entries *p)
{
	const struct buf *tracks = p->extra_tracks.n ? &p->extra_tracks : &p->sequence->extra;
	struct pftrace_extra extra = {0};
	struct pftrace_track *track;
	uint64_t uuid, value;
	size_t at;

	for (at = 0; at < p->extra_values.n && at < tracks->n; at += sizeof uuid) {
		memcpy(&uuid, tracks->p + at, sizeof uuid);
		memcpy(&value, p->extra_values.p + at, sizeof value);
		extra.track = pftrace_tracks_at(&p->tracks, uuid);
		track = &p->tracks.list[extra.track];
		if (track->adds_up)
			value += (uint64_t)track->extra_sum;
		track->extra_sum = (int64_t)value;
		extra.value = (int64_t)(value * (uint64_t)track->multiplier);
		buf_add(&p->extras, &extra, sizeof extra);
	}
}

bool pftrace_event_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry)
{
	struct wire inner = wire_of(event);
	struct rest rest = {0};
	struct wire_field f;
	uint64_t track;

	p->extra_values.n = p->extra_tracks.n = 0;
	while (wire_next(&inner, &f) > 0) {
		if (!read_event_field(p, &f, &rest, entry))
			return false;
	}
	if (!wire_passed(&inner, &p->damage, "event is damaged; skipped"))
		return false;
	if (rest.name.type == WIRE_LEN)
		put_text(p, &p->name, rest.name.bytes);
	else if (rest.name_iid.no && rest.name_iid.type == WIRE_VARINT)
		set_interned_name(p, rest.name_iid.v);
	if (rest.gpu.type == WIRE_LEN)
		put_numbers(p, "gpu_event_ids", rest.gpu.bytes, 1);
	add_extras(p);
	if (rest.legacy.type == WIRE_LEN && !read_legacy(p, entry, rest.legacy.bytes))
		return false;
	track = p->sequence->has_track ? p->sequence->track : 0;
	if (rest.track.no && rest.track.type == WIRE_VARINT)
		track = rest.track.v;
	entry->track = pftrace_tracks_at(&p->tracks, track);
	if ((entry->type == PFTRACE_BEGIN || entry->type == PFTRACE_END) && !entry->phase)
		pftrace_entries_add_slice(p, entry);
	pftrace_entries_add(p, entry);
	return true;
}

/* --- the work of GPUs (GpuRenderStageEvent) and their counters (GpuCounterEvent) --- */

/* The fields of a GpuRenderStageEvent, and the old fields that count if new ones, which replaced them, are absent. */
enum { WORK_ID, DURATION, SUBMISSION, DEVICE, NAME, KERNEL, NAME_IID, LAUNCH, QUEUE, STAGE, REPLACED };
enum { OLD_QUEUE = REPLACED, OLD_STAGE, OLD, N_FIELDS };
static const struct wire_want work_fields[] = {{1, WIRE_VARINT}, {2, WIRE_VARINT}, {10, WIRE_VARINT}, {11, WIRE_VARINT},
    {17, WIRE_LEN}, {19, WIRE_VARINT}, {20, WIRE_VARINT}, {21, WIRE_LEN}, {13, WIRE_VARINT}, {14, WIRE_VARINT},
    {3, WIRE_VARINT}, {4, WIRE_VARINT}, {7, WIRE_LEN}, {0}};

/* Writes a message {1 x, 2 y, 3 z} as a list. */
static void put_dimensions(struct pftrace_entries *p, const char *key, struct str message)
{
	uint32_t no;

	json_write_begin(&p->args, key, '[');
	for (no = 1; no <= 3; no++)
		put_uint(p, NULL, wire_find_number(message, no));
	json_write_end(&p->args, ']');
}

/* Writes a launch argument {1 name_iid, 2 name, 3 int, 4 uint, 5 double, 6 text}. */
static void put_argument(struct pftrace_entries *p, struct str message)
{
	enum { IID, TEXT_NAME, VALUES };
	static const struct wire_want wants[] = {
	    {1, WIRE_VARINT}, {2, WIRE_LEN}, {3, WIRE_VARINT}, {4, WIRE_VARINT}, {5, WIRE_FIXED64}, {6, WIRE_LEN}, {0}};
	struct wire_field f[6];

	wire_read(message, wants, f, &(struct wire){0});
	put_key(
	    p, f[TEXT_NAME].no ? f[TEXT_NAME].bytes : interned(p, PFTRACE_KERNEL_ARGUMENTS, f[IID].v, "arg ", NULL));
	if (!put_first_value(p, "iudt", f + VALUES))
		buf_lit(&p->args, "\"\"");
}

/* Writes the launch parameters {1 grid, 2 workgroup, 3 arguments}. */
static bool put_launch(struct pftrace_entries *p, struct str message)
{
	struct wire inner = wire_of(message);
	struct wire_field f;
	struct str argument;

	if (wire_find(message, 1, WIRE_LEN, &f))
		put_dimensions(p, "grid", f.bytes);
	if (wire_find(message, 2, WIRE_LEN, &f))
		put_dimensions(p, "block", f.bytes);
	while (wire_next_message(&inner, 3, &argument))
		put_argument(p, argument);
	return wire_passed(&inner, &p->damage, "event is damaged; skipped");
}

/* `description`: of the stage, {2 name, 4 category}. */
static enum event_kind stage_kind(struct str name, struct str description)
{
	static const char *const others[] = {"EventRecord", "HostNode", NULL};
	enum { COMPUTE = 2 };

	if (str_eq(name, STR("Memcpy")))
		return KIND_MEMCPY;
	if (str_eq(name, STR("Memset")))
		return KIND_MEMSET;
	if (str_eq(name, STR("Annotation")))
		return KIND_GPU_RANGE;
	if (str_eq(name, STR("Kernel")) || wire_find_number(description, 4) == COMPUTE)
		return KIND_KERNEL;
	return str_in(name, others) ? KIND_OTHER : KIND_GPU_RANGE;
}

/* Sets the name of GPU work: its own, or the one of its kernel, preferably demangled, or the one of its stage. */
static void set_work_name(struct pftrace_entries *p, const struct wire_field *work)
{
	const struct id_texts *names = &p->sequence->names;
	struct str name = work[NAME].bytes;
	struct wire_field f;

	if (!name.p && work[NAME_IID].no)
		name = pftrace_names_text(names, PFTRACE_EVENTS, work[NAME_IID].v);
	if (!name.n && work[KERNEL].no) {
		if (wire_find(pftrace_names_message(names, PFTRACE_KERNELS, work[KERNEL].v), 3, WIRE_LEN, &f))
			name = f.bytes;
		else
			name = pftrace_names_text(names, PFTRACE_KERNELS, work[KERNEL].v);
	}
	if (name.n)
		put_text(p, &p->name, name);
	else
		buf_add(&p->name, p->cat.p, p->cat.n);
}

/* Writes the launch parameters and the items {1 name, 2 value} of the extra data; whole numbers are not quoted. */
static bool put_work_args(struct pftrace_entries *p, const struct wire_field *launch, struct str event)
{
	struct wire fields = wire_of(event);
	struct str extra, value, digits;

	if (launch->no && !put_launch(p, launch->bytes))
		return false;
	while (wire_next_message(&fields, 6, &extra)) {
		if (!wire_sound(extra, &p->damage))
			return wire_refuse(&p->damage, "event is damaged; skipped", NULL);
		put_key(p, wire_find_bytes(extra, 1));
		value = wire_find_bytes(extra, 2);
		digits = str_from(value, str_starts(value, STR("-")));
		if (str_all(digits, is_digit) && digits.n <= 18 && (digits.p[0] != '0' || digits.n == 1))
			buf_add(&p->args, value.p, value.n);
		else
			put_text(p, &p->args, value);
	}
	return true;
}

bool pftrace_gpu_stage_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry)
{
	const struct id_texts *names = &p->sequence->names;
	struct wire_field work[N_FIELDS], f;
	struct str stage, queue, digits;

	if (!wire_read(event, work_fields, work, &p->damage))
		return wire_refuse(&p->damage, "event is damaged; skipped", NULL);
	if (!put_work_args(p, &work[LAUNCH], event))
		return false;
	if (work[OLD].no && !work[WORK_ID].no && !work[DURATION].no)
		return true; /* only the descriptions of an old driver */
	if (!work[STAGE].no)
		work[STAGE] = work[OLD_STAGE];
	if (!work[QUEUE].no)
		work[QUEUE] = work[OLD_QUEUE];
	stage = interned(p, PFTRACE_GPU_STAGES, work[STAGE].v, "stage ", NULL);
	put_text(p, &p->cat, stage);
	set_work_name(p, work);
	if (work[WORK_ID].no)
		put_uint(p, "event_id", work[WORK_ID].v);
	if (work[SUBMISSION].no)
		put_uint(p, "submission_id", work[SUBMISSION].v);
	if (wire_find(event, 18, WIRE_VARINT, &f) || wire_find(event, 18, WIRE_LEN, &f))
		put_numbers(p, "event_wait_ids", event, 18);
	queue = pftrace_names_text(names, PFTRACE_GPU_STAGES, work[QUEUE].v);
	if (queue.n) {
		json_write_key(&p->args, "queue");
		put_text(p, &p->args, queue);
	}
	/* The lane is N of a queue "[0N] stream N", or else the number of the queue. */
	entry->has_lane = work[QUEUE].no;
	entry->lane = (int64_t)work[QUEUE].v;
	digits = str_last(queue, is_digit);
	if (digits.n && str_ends(str_head(queue, queue.n - digits.n), STR("stream ")))
		num_int(digits, &entry->lane);
	entry->type = PFTRACE_GPU;
	entry->kind = (uint8_t)stage_kind(stage, pftrace_names_message(names, PFTRACE_GPU_STAGES, work[STAGE].v));
	entry->dur = (int64_t)work[DURATION].v;
	entry->dev = (int32_t)(uint32_t)work[DEVICE].v;
	entry->has_dur = true;
	pftrace_entries_add(p, entry);
	return true;
}

/* Makes an entry of a GpuCounter {1 id, 2 int, 3 double}, whose name is in the descriptor {1 specs {1 id, 2 name}}. */
static void add_gpu_counter(
    struct pftrace_entries *p, struct str descriptor, struct str counter, struct pftrace_entry *entry)
{
	const uint64_t id = wire_find_number(counter, 1);
	struct str name = wire_numbered(p->numbered, "counter ", id), spec;
	struct wire w = wire_of(descriptor);
	struct wire_field f;

	while (wire_next_message(&w, 1, &spec)) {
		if (wire_find_number(spec, 1) == id)
			name = wire_find_bytes(spec, 2);
	}
	p->name.n = 0;
	put_text(p, &p->name, name);
	p->args.n = 1;
	json_write_key(&p->args, "value");
	if (wire_find(counter, 2, WIRE_VARINT, &f))
		num_add_i64(&p->args, (int64_t)f.v);
	else
		json_put_double(&p->args, wire_find(counter, 3, WIRE_FIXED64, &f) ? wire_double(f.v) : 0);
	pftrace_entries_add(p, entry);
}

bool pftrace_gpu_counter_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry)
{
	struct wire inner = wire_of(event);
	struct str descriptor, message = event, counter;
	struct buf *last = &p->sequence->gpu_counters;
	struct wire_field f;

	if (!wire_sound(event, &p->damage))
		return false;
	if (wire_find(event, 4, WIRE_VARINT, &f)) {
		message = pftrace_names_message(&p->sequence->names, PFTRACE_GPU_COUNTERS, f.v);
		descriptor = wire_find_bytes(message, 2);
	} else {
		if (wire_find(event, 1, WIRE_LEN, &f))
			buf_set(last, f.bytes);
		descriptor = last->n ? buf_str(last) : STR("");
	}
	entry->type = PFTRACE_GPU;
	entry->kind = KIND_COUNTER;
	entry->dev = (int32_t)(uint32_t)wire_find_number(message, 3);
	buf_lit(&p->cat, "\"gpu_counter\"");
	while (wire_next_message(&inner, 2, &counter))
		add_gpu_counter(p, descriptor, counter, entry);
	return true;
}
