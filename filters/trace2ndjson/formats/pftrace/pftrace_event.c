#include "pftrace_event.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "base/num_parse.h"

/* --- texts, numbers and annotations as JSON --- */

enum { DEPTH_MAX = 500 };

/* Appends the JSON of a text of the file; reports bytes that are not UTF-8. */
static void put_text(struct pftrace_entries *p, struct buf *b, struct str text)
{
	wire_put_text(p->reader, p->at, b, text);
}

/* Appends the text with a number, or, if it is unknown, the number after the prefix. Returns whether it is known. */
static bool put_interned(
    struct pftrace_entries *p, struct buf *b, enum pftrace_table table, uint64_t iid, const char *prefix)
{
	const struct str text = pftrace_names_text(&p->sequence->names, table, iid);

	if (text.p)
		put_text(p, b, text);
	else
		wire_put_numbered(b, prefix, iid);
	return text.p;
}

static bool is_decimal(struct str text)
{
	struct str digits = str_starts(text, STR("-")) ? str_from(text, 1) : text;

	return str_all(digits, is_digit) && digits.n <= 18 && (digits.p[0] != '0' || digits.n == 1);
}

/* Appends a text as a number if it is a whole decimal number, otherwise as a string. */
static void put_decimal(struct pftrace_entries *p, struct buf *b, struct str text)
{
	if (is_decimal(text))
		buf_add(b, text.p, text.n);
	else
		put_text(p, b, text);
}

/* Begins a member of args: a comma if necessary, the key as JSON, and the colon. */
static void put_key(struct pftrace_entries *p, struct str key)
{
	if (p->args.n)
		buf_char(&p->args, ',');
	put_text(p, &p->args, key);
	buf_char(&p->args, ':');
}

/* Appends the name of an annotation as JSON. */
static void put_annotation_name(struct pftrace_entries *p, struct str message)
{
	struct wire_field f;

	if (wire_find(message, 10, WIRE_LEN, &f))
		put_text(p, &p->args, f.bytes);
	else
		put_interned(p, &p->args, PFTRACE_ARGUMENTS, wire_find_number(message, 1), "arg ");
}

/*
 * Appends a NestedValue, the old form of lists and dictionaries: {1 type, 2 keys, 3 values, 4 elements, 5 int, 6
 * double, 7 bool, 8 text}.
 */
static bool put_nested_value(struct pftrace_entries *p, struct str message, int depth)
{
	enum { KIND, INT, REAL, BOOL, TEXT };
	static const struct wire_want wants[] = {
	    {1, WIRE_VARINT}, {5, WIRE_VARINT}, {6, WIRE_FIXED64}, {7, WIRE_VARINT}, {8, WIRE_LEN}, {0}};
	struct wire w = wire_of(message), keys = w;
	struct wire_field value[5];
	struct str element, key;
	bool dict, list, first = true;

	if (depth > DEPTH_MAX)
		return wire_refuse(&p->damage, "annotations are nested too deeply; event skipped", NULL);
	if (!wire_read(message, wants, value, &p->damage))
		return wire_refuse(&p->damage, "annotation is damaged; event skipped", NULL);
	dict = value[KIND].v == 1;
	list = value[KIND].v == 2;
	if (dict || list)
		buf_char(&p->args, dict ? '{' : '[');
	for (; (dict || list) && wire_next_message(&w, dict ? 3 : 4, &element); first = false) {
		if (dict && !wire_next_message(&keys, 2, &key))
			break;
		if (!first)
			buf_char(&p->args, ',');
		if (dict) {
			put_text(p, &p->args, key);
			buf_char(&p->args, ':');
		}
		if (!put_nested_value(p, element, depth + 1))
			return false;
	}
	if (dict || list)
		buf_char(&p->args, dict ? '}' : ']');
	else if (value[INT].no)
		wire_put_int(&p->args, (int64_t)value[INT].v);
	else if (value[REAL].no)
		wire_put_double(&p->args, wire_double(value[REAL].v));
	else if (value[BOOL].no)
		buf_add(&p->args, value[BOOL].v ? "true" : "false", value[BOOL].v ? 4 : 5);
	else if (value[TEXT].no)
		put_text(p, &p->args, value[TEXT].bytes);
	else
		buf_lit(&p->args, "null");
	return true;
}

/* Appends a value that is not nested; false when the field is not one. */
static bool put_simple(struct pftrace_entries *p, const struct wire_field *f)
{
	const char *digits = "0123456789abcdef";
	int shift;

	switch (f->no << 3 | f->type) {
	case 2 << 3 | WIRE_VARINT:
		buf_add(&p->args, f->v ? "true" : "false", f->v ? 4 : 5);
		return true;
	case 3 << 3 | WIRE_VARINT:
		wire_put_uint(&p->args, f->v);
		return true;
	case 4 << 3 | WIRE_VARINT:
		wire_put_int(&p->args, (int64_t)f->v);
		return true;
	case 5 << 3 | WIRE_FIXED64:
		wire_put_double(&p->args, wire_double(f->v));
		return true;
	case 6 << 3 | WIRE_LEN:
	case 9 << 3 | WIRE_LEN:
		put_text(p, &p->args, f->bytes);
		return true;
	case 7 << 3 | WIRE_VARINT:
		for (shift = 60; shift && !(f->v >> shift); shift -= 4)
			;
		for (buf_lit(&p->args, "\"0x"); shift >= 0; shift -= 4)
			buf_char(&p->args, digits[f->v >> shift & 15]);
		buf_char(&p->args, '"');
		return true;
	case 17 << 3 | WIRE_VARINT:
		put_interned(p, &p->args, PFTRACE_STRINGS, f->v, "#");
		return true;
	}
	return false;
}

static bool put_nested(struct pftrace_entries *p, struct str message, uint32_t no, bool named, int depth);

/* Appends the value of a DebugAnnotation. */
static bool put_annotation_value(struct pftrace_entries *p, struct str message, int depth)
{
	struct wire w = wire_of(message);
	struct wire_field f, value = {0}, old = {0};
	bool dict = false, list = false;

	if (depth > DEPTH_MAX)
		return wire_refuse(&p->damage, "annotations are nested too deeply; event skipped", NULL);
	while (wire_next(&w, &f) > 0) {
		dict |= f.no == 11 && f.type == WIRE_LEN;
		list |= f.no == 12 && f.type == WIRE_LEN;
		if (f.no == 8 && f.type == WIRE_LEN)
			old = f;
		else if ((f.no >= 2 && f.no <= 9) || f.no == 17)
			value = f;
	}
	if (w.fault)
		return wire_refuse(&p->damage, "annotation is damaged; event skipped", NULL);
	if (dict || list)
		return put_nested(p, message, dict ? 11 : 12, dict, depth);
	if (old.no && !value.no)
		return put_nested_value(p, old.bytes, depth);
	if (!put_simple(p, &value))
		buf_lit(&p->args, "null");
	return true;
}

/* Appends the elements of a list or the members of a dictionary, the fields `no`. */
static bool put_nested(struct pftrace_entries *p, struct str message, uint32_t no, bool named, int depth)
{
	struct wire w = wire_of(message);
	struct str element;
	bool first = true;

	buf_char(&p->args, named ? '{' : '[');
	for (; wire_next_message(&w, no, &element); first = false) {
		if (!first)
			buf_char(&p->args, ',');
		if (named) {
			put_annotation_name(p, element);
			buf_char(&p->args, ':');
		}
		if (!put_annotation_value(p, element, depth + 1))
			return false;
	}
	buf_char(&p->args, named ? '}' : ']');
	return true;
}

/* Appends a DebugAnnotation to p->args. Returns false when it is damaged: p->damage. */
static bool annotation_put(struct pftrace_entries *p, struct str annotation)
{
	const size_t begin = p->args.n;

	if (begin)
		buf_char(&p->args, ',');
	put_annotation_name(p, annotation);
	buf_char(&p->args, ':');
	if (!put_annotation_value(p, annotation, 0))
		return false;
	/* An annotation without a value is left out: a record has no null members. */
	if (str_ends((struct str){p->args.p + begin, p->args.n - begin}, STR(":null")))
		p->args.n = begin;
	return true;
}

/* --- TrackEvent: the begin or end of a slice, an instant, the value of a counter --- */

static void add_flow(struct pftrace_entries *p, uint64_t id, char phase)
{
	struct pftrace_flow flow;

	memset(&flow, 0, sizeof flow);
	flow.id = id;
	flow.phase = phase;
	buf_add(&p->flows, &flow, sizeof flow);
}

/* Adds the ids of a field of flows, which may be packed; `fixed`: as fixed64, otherwise as varints. */
static void add_flows(struct pftrace_entries *p, const struct wire_field *f, bool fixed, char phase)
{
	struct str rest = f->bytes;
	uint64_t id;

	if (f->type != WIRE_LEN) {
		add_flow(p, f->v, phase);
		return;
	}
	if (!fixed) {
		while (wire_packed(&rest, &id) > 0)
			add_flow(p, id, phase);
		return;
	}
	for (; rest.n >= sizeof id; rest = str_from(rest, sizeof id)) {
		memcpy(&id, rest.p, sizeof id);
		add_flow(p, id, phase);
	}
}

static void begin_category(struct pftrace_entries *p)
{
	/* All categories form one string: each one is quoted, and its first quote replaces the last quote before it. */
	if (p->cat.n)
		p->cat.p[p->cat.n - 1] = ',';
}

/* Appends a category to the string in p->cat. */
static void add_category(struct pftrace_entries *p, struct str text)
{
	size_t at;

	begin_category(p);
	at = p->cat.n;
	put_text(p, &p->cat, text);
	if (at) {
		memmove(p->cat.p + at, p->cat.p + at + 1, p->cat.n - at - 1);
		p->cat.n--;
	}
}

static void add_category_number(struct pftrace_entries *p, uint64_t iid)
{
	const struct str text = pftrace_names_text(&p->sequence->names, PFTRACE_CATEGORIES, iid);
	char room[NUM_ROOM + 16] = "category ";

	if (text.p) {
		add_category(p, text);
		return;
	}
	reader_note(p->reader, "category without a text; its number is written instead", 0, p->at);
	add_category(p, (struct str){room, (size_t)(num_put_u64(room + 9, iid) - room)});
}

static void add_categories(struct pftrace_entries *p, const struct wire_field *f)
{
	struct str rest = wire_numbers(f);
	uint64_t iid;

	while (wire_number(f, &rest, &iid))
		add_category_number(p, iid);
}

/* Writes an interned name, or its number when it has none. */
static void set_interned_name(struct pftrace_entries *p, uint64_t iid)
{
	p->name.n = 0;
	if (!put_interned(p, &p->name, PFTRACE_EVENTS, iid, "#"))
		reader_note(p->reader, "name without a text; its number is written instead", 0, p->at);
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
		if (!f[i].no)
			continue;
		entry->legacy_id = f[i].v;
		entry->has_legacy_id = true;
	}
	return true;
}

/* Writes all numbers of a repeated field as a list. */
static void put_numbers(struct pftrace_entries *p, struct str key, struct str message, uint32_t no)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	struct str rest;
	uint64_t v;

	put_key(p, key);
	buf_char(&p->args, '[');
	while (wire_next(&w, &f) > 0) {
		for (rest = wire_numbers(&f); f.no == no && wire_number(&f, &rest, &v);) {
			wire_put_uint(&p->args, v);
			buf_char(&p->args, ',');
		}
	}
	p->args.n -= p->args.p[p->args.n - 1] == ',';
	buf_char(&p->args, ']');
}

/* The fields of an event that are needed after all others have been read. */
struct rest {
	struct str name, legacy, gpu;
	uint64_t name_iid, track;
	bool has_iid, has_track;
	struct buf values, tracks; /* of extra counters: uint64_t[] */
};

static void add_numbers(struct buf *to, const struct wire_field *f)
{
	struct str rest = wire_numbers(f);
	uint64_t v;

	while (wire_number(f, &rest, &v))
		buf_add(to, &v, sizeof v);
}

/* Reads one field; false when it is damaged. */
static bool read_event_field(
    struct pftrace_entries *p, const struct wire_field *f, struct rest *rest, struct pftrace_entry *entry)
{
	switch (f->no) {
	case 9:
		entry->type = f->type == WIRE_VARINT && f->v <= PFTRACE_COUNTER ? (uint8_t)f->v : 0;
		break;
	case 11:
		rest->track = f->v;
		rest->has_track = f->type == WIRE_VARINT;
		break;
	case 10:
		rest->name_iid = f->v;
		rest->has_iid = f->type == WIRE_VARINT;
		break;
	case 23:
		if (f->type == WIRE_LEN)
			rest->name = f->bytes;
		break;
	case 3:
		add_categories(p, f);
		break;
	case 22:
		if (f->type == WIRE_LEN)
			add_category(p, f->bytes);
		break;
	case 4:
		return f->type != WIRE_LEN || annotation_put(p, f->bytes);
	case 30:
		entry->value = (int64_t)f->v;
		break;
	case 44:
		entry->real = wire_double(f->v);
		entry->has_real = f->type == WIRE_FIXED64;
		break;
	case 47:
	case 48:
		add_flows(p, f, true, f->no == 47 ? 's' : 'f');
		break;
	case 36:
	case 42:
		add_flows(p, f, false, f->no == 36 ? 's' : 'f');
		break;
	case 12:
		add_numbers(&rest->values, f);
		break;
	case 31:
		add_numbers(&rest->tracks, f);
		break;
	case 6:
		if (f->type == WIRE_LEN)
			rest->legacy = f->bytes;
		break;
	case 52:
	case 53:
		put_key(p, STR("correlation_id"));
		if (f->type == WIRE_LEN)
			put_text(p, &p->args, f->bytes);
		else
			wire_put_uint(&p->args, f->v);
		break;
	case 3000:
		if (f->type == WIRE_LEN)
			rest->gpu = f->bytes;
	}
	return true;
}

/* Stores the values of extra counters, such as the CPU time of the thread. */
static void add_extras(struct pftrace_entries *p, const struct rest *rest)
{
	const struct buf *tracks = rest->tracks.n ? &rest->tracks : &p->sequence->extra;
	struct pftrace_extra extra;
	struct pftrace_track *track;
	uint64_t uuid, value;
	size_t at;

	for (at = 0; at < rest->values.n && at < tracks->n; at += sizeof uuid) {
		memcpy(&uuid, tracks->p + at, sizeof uuid);
		memcpy(&value, rest->values.p + at, sizeof value);
		memset(&extra, 0, sizeof extra);
		extra.track = pftrace_tracks_at(&p->tracks, uuid);
		track = &p->tracks.list[extra.track];
		if (track->adds_up)
			value = (uint64_t)track->extra_sum + value;
		track->extra_sum = (int64_t)value;
		extra.value = (int64_t)(value * (uint64_t)track->multiplier);
		buf_add(&p->extras, &extra, sizeof extra);
	}
}

static bool read_fields(struct pftrace_entries *p, struct str event, struct rest *rest, struct pftrace_entry *entry)
{
	struct wire inner = wire_of(event);
	struct wire_field f;

	while (wire_next(&inner, &f) > 0) {
		if (!read_event_field(p, &f, rest, entry))
			return false;
	}
	if (!wire_passed(&inner, &p->damage, "event is damaged; skipped"))
		return false;
	if (rest->name.p)
		put_text(p, &p->name, rest->name);
	else if (rest->has_iid)
		set_interned_name(p, rest->name_iid);
	if (rest->gpu.p)
		put_numbers(p, STR("gpu_event_ids"), rest->gpu, 1);
	add_extras(p, rest);
	return !rest->legacy.p || read_legacy(p, entry, rest->legacy);
}

bool pftrace_event_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry)
{
	struct rest rest = {0};
	bool good = read_fields(p, event, &rest, entry);

	if (good) {
		entry->track = pftrace_tracks_at(&p->tracks, rest.has_track           ? rest.track
							     : p->sequence->has_track ? p->sequence->track
										      : 0);
		if ((entry->type == PFTRACE_BEGIN || entry->type == PFTRACE_END) && !entry->phase)
			pftrace_entries_add_slice(p, entry);
		pftrace_entries_add(p, entry);
	}
	buf_free(&rest.values);
	buf_free(&rest.tracks);
	return good;
}

/* --- the work of GPUs (GpuRenderStageEvent) and their counters (GpuCounterEvent) --- */

/* The fields of a GpuRenderStageEvent. Some fields got another type and a new number; the new one counts. */
enum {
	WORK_ID,
	DURATION,
	SUBMISSION,
	DEVICE,
	QUEUE,
	STAGE,
	OLD_QUEUE,
	OLD_STAGE,
	OLD,
	NAME,
	KERNEL,
	NAME_IID,
	LAUNCH,
	N_FIELDS
};
static const struct wire_want stage_fields[] = {{1, WIRE_VARINT}, {2, WIRE_VARINT}, {10, WIRE_VARINT},
    {11, WIRE_VARINT}, {13, WIRE_VARINT}, {14, WIRE_VARINT}, {3, WIRE_VARINT}, {4, WIRE_VARINT}, {7, WIRE_LEN},
    {17, WIRE_LEN}, {19, WIRE_VARINT}, {20, WIRE_VARINT}, {21, WIRE_LEN}, {0}};

/* --- launch parameters and extra data --- */

/* Writes a message {1 x, 2 y, 3 z} as a list. */
static void put_dimensions(struct pftrace_entries *p, struct str key, struct str message)
{
	uint32_t no;

	put_key(p, key);
	for (no = 1; no <= 3; no++) {
		buf_char(&p->args, no == 1 ? '[' : ',');
		wire_put_uint(&p->args, wire_find_number(message, no));
	}
	buf_char(&p->args, ']');
}

/* Writes a launch argument {1 name_iid, 2 name, 3 int, 4 uint, 5 double, 6 text}. */
static void put_argument(struct pftrace_entries *p, struct str message)
{
	enum { IID, TEXT_NAME, INT, UINT, REAL, TEXT };
	static const struct wire_want wants[] = {
	    {1, WIRE_VARINT}, {2, WIRE_LEN}, {3, WIRE_VARINT}, {4, WIRE_VARINT}, {5, WIRE_FIXED64}, {6, WIRE_LEN}, {0}};
	char room[NUM_ROOM + 4] = "arg ";
	struct wire_field f[6];
	struct str name;

	wire_read(message, wants, f, &(struct wire){0});
	name = f[TEXT_NAME].bytes;
	if (!name.p && f[IID].no)
		name = pftrace_names_text(&p->sequence->names, PFTRACE_KERNEL_ARGUMENTS, f[IID].v);
	if (!name.p)
		name = (struct str){room, (size_t)(num_put_u64(room + 4, f[IID].v) - room)};
	put_key(p, name);
	if (f[INT].no)
		wire_put_int(&p->args, (int64_t)f[INT].v);
	else if (f[UINT].no)
		wire_put_uint(&p->args, f[UINT].v);
	else if (f[REAL].no)
		wire_put_double(&p->args, wire_double(f[REAL].v));
	else
		put_text(p, &p->args, f[TEXT].no ? f[TEXT].bytes : STR(""));
}

/* Writes the launch parameters {1 grid, 2 workgroup, 3 arguments}. */
static bool put_launch(struct pftrace_entries *p, struct str message)
{
	struct wire inner = wire_of(message);
	struct wire_field f;
	struct str argument;

	if (wire_find(message, 1, WIRE_LEN, &f))
		put_dimensions(p, STR("grid"), f.bytes);
	if (wire_find(message, 2, WIRE_LEN, &f))
		put_dimensions(p, STR("block"), f.bytes);
	while (wire_next_message(&inner, 3, &argument))
		put_argument(p, argument);
	return wire_passed(&inner, &p->damage, "event is damaged; skipped");
}

/* --- the stage --- */

/* Returns the name in the description of a queue or stage. */
static struct str specification(const struct pftrace_entries *p, const struct wire_field *f)
{
	return f->no ? pftrace_names_text(&p->sequence->names, PFTRACE_GPU_STAGES, f->v) : (struct str){NULL, 0};
}

static enum event_kind stage_kind(const struct pftrace_entries *p, const struct wire_field *stage, struct str name)
{
	static const struct {
		const char *name;
		enum event_kind kind;
	} kinds[] = {{"Kernel", KIND_KERNEL}, {"Memcpy", KIND_MEMCPY}, {"Memset", KIND_MEMSET},
	    {"Annotation", KIND_GPU_RANGE}, {"EventRecord", KIND_OTHER}, {"HostNode", KIND_OTHER}};
	enum { COMPUTE = 2 };
	struct str message =
	    stage->no ? pftrace_names_message(&p->sequence->names, PFTRACE_GPU_STAGES, stage->v) : STR("");
	struct wire_field f;
	size_t i;

	for (i = 0; i < 4 && !str_eq(name, str_of(kinds[i].name)); i++)
		;
	if (i == 4 && message.p && wire_find(message, 4, WIRE_VARINT, &f) && f.v == COMPUTE)
		return KIND_KERNEL;
	for (; i < sizeof kinds / sizeof *kinds; i++) {
		if (str_eq(name, str_of(kinds[i].name)))
			return kinds[i].kind;
	}
	return KIND_GPU_RANGE;
}

/* Returns the demangled name of a kernel, or else its name. */
static struct str kernel_name(const struct pftrace_entries *p, uint64_t iid)
{
	struct str message = pftrace_names_message(&p->sequence->names, PFTRACE_KERNELS, iid);
	struct wire_field f;

	if (message.p && wire_find(message, 3, WIRE_LEN, &f))
		return f.bytes;
	return pftrace_names_text(&p->sequence->names, PFTRACE_KERNELS, iid);
}

static void set_stage_name(struct pftrace_entries *p, const struct wire_field *stage)
{
	struct str name = stage[NAME].bytes;

	if (!name.p && stage[NAME_IID].no)
		name = pftrace_names_text(&p->sequence->names, PFTRACE_EVENTS, stage[NAME_IID].v);
	if (!name.n && stage[KERNEL].no)
		name = kernel_name(p, stage[KERNEL].v);
	if (name.n)
		put_text(p, &p->name, name);
	else
		buf_add(&p->name, p->cat.p, p->cat.n);
}

/* Sets the lane: N of a queue "[0N] stream N", or else the number of the queue. */
static void set_lane(struct pftrace_entry *entry, const struct wire_field *number, struct str queue)
{
	const struct str digits = str_last(queue, is_digit);

	entry->has_lane = number->no;
	entry->lane = (int64_t)number->v;
	if (digits.n && str_ends(str_head(queue, queue.n - digits.n), STR("stream ")))
		num_int(digits, &entry->lane);
}

static void put_id(struct pftrace_entries *p, struct str key, const struct wire_field *f)
{
	if (!f->no)
		return;
	put_key(p, key);
	wire_put_uint(&p->args, f->v);
}

/* Writes the launch parameters and, after them, the items {1 name, 2 value} of the extra data. */
static bool put_stage_args(struct pftrace_entries *p, const struct wire_field *launch, struct str event)
{
	struct wire fields = wire_of(event);
	struct str extra;

	if (launch->no && !put_launch(p, launch->bytes))
		return false;
	while (wire_next_message(&fields, 6, &extra)) {
		if (!wire_sound(extra, &p->damage))
			return wire_refuse(&p->damage, "event is damaged; skipped", NULL);
		put_key(p, wire_find_bytes(extra, 1));
		put_decimal(p, &p->args, wire_find_bytes(extra, 2));
	}
	return true;
}

bool pftrace_gpu_stage_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry)
{
	struct wire_field stage[N_FIELDS], f;
	struct str name, queue;

	if (!wire_read(event, stage_fields, stage, &p->damage))
		return wire_refuse(&p->damage, "event is damaged; skipped", NULL);
	if (!put_stage_args(p, &stage[LAUNCH], event))
		return false;
	if (stage[OLD].no && !stage[WORK_ID].no && !stage[DURATION].no)
		return true; /* only the descriptions of an old driver */
	if (!stage[STAGE].no)
		stage[STAGE] = stage[OLD_STAGE];
	if (!stage[QUEUE].no)
		stage[QUEUE] = stage[OLD_QUEUE];
	name = specification(p, &stage[STAGE]);
	queue = specification(p, &stage[QUEUE]);
	if (name.p)
		put_text(p, &p->cat, name);
	else
		wire_put_numbered(&p->cat, "stage ", stage[STAGE].v);
	set_stage_name(p, stage);
	put_id(p, STR("event_id"), &stage[WORK_ID]);
	put_id(p, STR("submission_id"), &stage[SUBMISSION]);
	if (wire_find(event, 18, WIRE_VARINT, &f) || wire_find(event, 18, WIRE_LEN, &f))
		put_numbers(p, STR("event_wait_ids"), event, 18);
	if (queue.n) {
		put_key(p, STR("queue"));
		put_text(p, &p->args, queue);
	}
	set_lane(entry, &stage[QUEUE], queue.p ? queue : STR(""));
	entry->type = PFTRACE_GPU;
	entry->kind = (uint8_t)stage_kind(p, &stage[STAGE], name.p ? name : STR(""));
	entry->dur = (int64_t)stage[DURATION].v;
	entry->dev = (int32_t)(uint32_t)stage[DEVICE].v;
	entry->has_dur = entry->has_dev = true;
	pftrace_entries_add(p, entry);
	return true;
}

/* --- counters --- */

/* Sets p->name to the name of a counter, from a GpuCounterDescriptor {1 specs {1 id, 2 name}}. */
static void set_counter_name(struct pftrace_entries *p, struct str descriptor, uint64_t id)
{
	struct wire w = wire_of(descriptor);
	struct str name = {NULL, 0}, spec;

	while (wire_next_message(&w, 1, &spec)) {
		if (wire_find_number(spec, 1) == id)
			name = wire_find_bytes(spec, 2);
	}
	p->name.n = 0;
	if (name.p)
		put_text(p, &p->name, name);
	else
		wire_put_numbered(&p->name, "counter ", id);
}

/* Makes an entry from a GpuCounter {1 id, 2 int, 3 double}. */
static void add_counter_entry(
    struct pftrace_entries *p, struct str descriptor, struct str message, struct pftrace_entry *entry)
{
	struct wire_field f;

	set_counter_name(p, descriptor, wire_find_number(message, 1));
	p->args.n = 0;
	put_key(p, STR("value"));
	if (wire_find(message, 2, WIRE_VARINT, &f))
		wire_put_int(&p->args, (int64_t)f.v);
	else
		wire_put_double(&p->args, wire_find(message, 3, WIRE_FIXED64, &f) ? wire_double(f.v) : 0);
	pftrace_entries_add(p, entry);
}

bool pftrace_gpu_counter_read(struct pftrace_entries *p, struct str event, struct pftrace_entry *entry)
{
	struct wire inner = wire_of(event);
	struct str descriptor, message = event, counter;
	struct wire_field f;

	if (!wire_sound(event, &p->damage))
		return false;
	if (wire_find(event, 4, WIRE_VARINT, &f)) {
		message = pftrace_names_message(&p->sequence->names, PFTRACE_GPU_COUNTERS, f.v);
		message = message.p ? message : STR("");
		descriptor = wire_find_bytes(message, 2);
	} else {
		if (wire_find(event, 1, WIRE_LEN, &f)) {
			p->sequence->gpu_counters.n = 0;
			buf_add(&p->sequence->gpu_counters, f.bytes.p, f.bytes.n);
		}
		descriptor = p->sequence->gpu_counters.n ? buf_str(&p->sequence->gpu_counters) : STR("");
	}
	entry->type = PFTRACE_GPU;
	entry->kind = KIND_COUNTER;
	entry->dev = (int32_t)(uint32_t)wire_find_number(message, 3);
	entry->has_dev = true;
	buf_lit(&p->cat, "\"gpu_counter\"");
	while (wire_next_message(&inner, 2, &counter))
		add_counter_entry(p, descriptor, counter, entry);
	return true;
}
