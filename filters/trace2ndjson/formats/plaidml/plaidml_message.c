#include "plaidml_message.h"

#include "base/num_format.h"
#include "json/write.h"

#include <stdlib.h>

enum plaidml_form {
	PLAIDML_NUMBER, /* int64, or a smaller integer */
	PLAIDML_UINT,
	PLAIDML_BOOL,
	PLAIDML_TEXT,
	PLAIDML_ID,
	PLAIDML_MESSAGE,
	PLAIDML_SIZES,  /* map<uint64, uint64>: written as [{"size","count"},...], sorted by size */
	PLAIDML_KEYS,   /* map<string, ...>: only its keys are written, in sorted order */
	PLAIDML_SHAPES, /* map<string, TensorShape or ProgramInput>: written as [{"name",...},...], sorted by name */
	PLAIDML_DTYPE,  /* the type of a tensor's elements */
	PLAIDML_PLACE   /* like PLAIDML_NUMBER, but an absent field is written as 0 */
};

struct plaidml_field {
	uint32_t no;
	enum plaidml_form type;
	bool many;
	const char *name;
	const struct plaidml_field *of; /* for PLAIDML_MESSAGE: the fields of that message; the last row has no name */
};

/* --- events --- */

enum { UUID = 16, INDEX = 8 };

/* Reads an id of schema v2: an ActivityID or ClockID {1 index, 2 stream_uuid}. */
static bool read_index(
    struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w)
{
	static const struct wire_want wants[] = {{1, WIRE_VARINT}, {2, WIRE_LEN}, {0}};
	struct wire_field f[2];
	struct str stream;

	if (!wire_read(bytes, wants, f, w))
		return false;
	stream = f[1].bytes;
	if (f[1].no && stream.n != UUID)
		return wire_refuse(w, "stream uuid is not 16 bytes long", stream.p + stream.n);
	ref->index = true;
	if (!f[0].v)
		return true;
	if (stream.p && first && !own->known) {
		memcpy(own->uuid, stream.p, UUID);
		own->known = true;
	}
	memcpy(ref->key, &f[0].v, INDEX);
	ref->n = INDEX;
	if (stream.p && !(own->known && memcmp(own->uuid, stream.p, UUID) == 0)) {
		memcpy(ref->key + INDEX, stream.p, UUID);
		ref->n = INDEX + UUID;
	}
	return true;
}

bool plaidml_ref_read(struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w)
{
	static const char nil[UUID];

	ref->n = 0;
	ref->index = false;
	/* A uuid has 16 bytes. An ActivityID never has 16: it has 0, 2 to 11, or 20 to 29 bytes. */
	if (bytes.n != UUID)
		return read_index(ref, bytes, own, first, w);
	if (memcmp(bytes.p, nil, UUID) != 0) {
		memcpy(ref->key, bytes.p, UUID);
		ref->n = UUID;
	}
	return true;
}

/* Reads google.protobuf.Duration {1 seconds, 2 nanos}. */
static bool read_time(int64_t *t, struct str bytes, struct wire *w)
{
	static const struct wire_want wants[] = {{1, WIRE_VARINT}, {2, WIRE_VARINT}, {0}};
	struct wire_field f[2];

	if (!wire_read(bytes, wants, f, w))
		return false;
	if (__builtin_mul_overflow((int64_t)f[0].v, (int64_t)1000000000, t) ||
	    __builtin_add_overflow(*t, (int32_t)(uint32_t)f[1].v, t))
		return wire_refuse(w, "time does not fit in 64 bits of nanoseconds", bytes.p);
	return true;
}

static bool read_event_field(
    struct plaidml_event *ev, const struct wire_field *f, struct plaidml_stream *own, struct wire *w)
{
	switch (f->no) {
	case 1:
		return plaidml_ref_read(&ev->parent, f->bytes, own, false, w);
	case 2:
		return plaidml_ref_read(&ev->id, f->bytes, own, true, w);
	case 3:
		ev->verb = f->bytes;
		return true;
	case 4:
		return plaidml_ref_read(&ev->clock, f->bytes, own, false, w);
	case 5:
		ev->has_start = true;
		return read_time(&ev->start, f->bytes, w);
	case 6:
		if (!read_time(&ev->end, f->bytes, w))
			return false;
		ev->has_end = ev->end != 0;
		return true;
	case 7: /* a google.protobuf.Any */
		ev->has_metadata = true;
		return wire_sound(f->bytes, w);
	case 8:
		return plaidml_ref_read(&ev->domain, f->bytes, own, false, w);
	}
	return true;
}

bool plaidml_event_read(struct plaidml_event *ev, struct str bytes, struct plaidml_stream *own, struct wire *w)
{
	struct wire inner = wire_of(bytes);
	struct wire_field f;

	*ev = (struct plaidml_event){.whole = bytes};
	while (wire_next(&inner, &f) > 0) {
		if (f.type == WIRE_LEN && !read_event_field(ev, &f, own, w))
			return false;
	}
	if (!wire_passed(&inner, w, NULL))
		return false;
	if (!ev->id.n)
		return wire_refuse(w, "event without an id", bytes.p);
	/* Index 0 is clock 0, not an absent id. In v2, an event on clock 0 may have no field for the clock. */
	if (!ev->clock.n && (ev->clock.index || (ev->id.index && ev->has_start))) {
		memset(ev->clock.key, 0, INDEX);
		ev->clock.n = INDEX;
	}
	return true;
}

void plaidml_put_id(struct buf *b, struct str key)
{
	uint64_t index = 0;
	bool quoted;

	if (key.n != UUID)
		memcpy(&index, key.p, INDEX);
	quoted = key.n != INDEX || index > INT64_MAX;
	if (quoted)
		buf_char(b, '"');
	if (key.n != INDEX)
		buf_hex(b, str_from(key, key.n - UUID).p, UUID);
	if (key.n == INDEX + UUID)
		buf_char(b, ':');
	if (key.n != UUID)
		num_add_u64(b, index);
	if (quoted)
		buf_char(b, '"');
}

/* --- the fields of the messages of metadata, with the names that PlaidML gives them --- */

/* clang-format off */
#define NUM(no, name) {no, PLAIDML_NUMBER, false, name, NULL}
#define NUMS(no, name) {no, PLAIDML_NUMBER, true, name, NULL}
#define UINT(no, name) {no, PLAIDML_UINT, false, name, NULL}
#define UINTS(no, name) {no, PLAIDML_UINT, true, name, NULL}
#define BOOL(no, name) {no, PLAIDML_BOOL, false, name, NULL}
#define TEXT(no, name) {no, PLAIDML_TEXT, false, name, NULL}
#define TEXTS(no, name) {no, PLAIDML_TEXT, true, name, NULL}
#define ID(no, name) {no, PLAIDML_ID, false, name, NULL}
#define MSG(no, name, of) {no, PLAIDML_MESSAGE, false, name, of}
#define MSGS(no, name, of) {no, PLAIDML_MESSAGE, true, name, of}
#define AS(no, type, name) {no, type, false, name, NULL} /* of another type */
#define END {0, PLAIDML_NUMBER, false, NULL, NULL}
/* clang-format on */

static const struct plaidml_field access[] = {TEXT(1, "name"), UINT(2, "range"), NUMS(3, "strides"), END};

static const struct plaidml_field constraint[] = {NUMS(1, "lhs"), NUM(2, "rhs"), END};

/* In schema v1 the first field was `op`, a single text; it is written as `ops`, a list of one text. */
static const struct plaidml_field contraction[] = {TEXTS(1, "ops"), MSGS(2, "accesses", access), NUMS(3, "off"),
    NUMS(4, "vec"), MSGS(5, "constraints", constraint), END};

static const struct plaidml_field zero[] = {BOOL(1, "copy"), END};

static const struct plaidml_field special[] = {TEXT(1, "fn"), END};

static const struct plaidml_field kinfo[] = {MSG(1, "element", contraction), MSG(2, "contraction", contraction),
    MSG(3, "zero", zero), MSG(4, "special", special), TEXT(5, "name"), NUM(101, "flops"), NUM(102, "bytes"), END};

static const struct plaidml_field kernel[] = {MSG(3, "kinfo", kinfo), TEXT(2, "src"), END};

static const struct plaidml_field dim[] = {UINT(1, "size"), NUM(2, "stride"), END};

/* A tensor. Logs since 2018 store it in a ProgramInput {1 shape, 2 consumed}. */
static const struct plaidml_field shape[] = {
    AS(1, PLAIDML_DTYPE, "type"), MSGS(3, "dims", dim), BOOL(4, "is_const"), END};

static const struct plaidml_field input[] = {BOOL(2, "consumed"), END};

static const struct plaidml_field costs[] = {NUM(101, "flops"), NUM(102, "bytes"), END};

static const struct plaidml_field build[] = {
    ID(1, "device"), AS(3, PLAIDML_PLACE, "status"), TEXT(4, "log"), TEXT(2, "src"), END};

static const struct plaidml_field platform[] = {TEXT(1, "profile"), TEXT(2, "version"), TEXT(3, "name"),
    TEXT(4, "vendor"), TEXTS(5, "extension"), UINT(6, "host_timer_resolution_ns"), END};

static const struct plaidml_field trials[] = {NUM(1, "max_trials"), NUM(2, "max_trial_runs"), END};

static const struct plaidml_field program[] = {TEXT(2, "dev_id"), AS(5, PLAIDML_SHAPES, "inputs"),
    AS(6, PLAIDML_SHAPES, "outputs"), MSG(7, "tile_scanning_params", trials), TEXT(3, "code"), END};

static const struct plaidml_field compilation[] = {
    AS(3, PLAIDML_SIZES, "alloc_sizes"), AS(2, PLAIDML_SIZES, "tmp_sizes"), AS(4, PLAIDML_KEYS, "kernels"), END};

static const struct plaidml_field alloc[] = {UINT(1, "size"), TEXT(5, "input"), TEXT(6, "output"), END};

static const struct plaidml_field run[] = {UINT(1, "kidx"), UINTS(2, "output_aidxs"), UINTS(3, "input_aidxs"), END};

static const struct plaidml_field copy[] = {UINT(1, "from_aidx"), UINT(2, "from_offset"), UINT(3, "to_aidx"),
    UINT(4, "to_offset"), UINT(5, "count_bytes"), END};

static const struct plaidml_field step[] = {UINTS(1, "deps"), MSG(2, "run", run), MSG(3, "copy", copy), END};

static const struct plaidml_field schedule[] = {
    TEXTS(1, "knames"), MSGS(2, "allocs", alloc), MSGS(3, "steps", step), END};

static const struct plaidml_field device[] = {UINT(1, "type"), UINT(2, "vendor_id"), UINT(3, "max_compute_units"),
    UINTS(4, "work_item_dimension_size"), UINT(5, "max_work_group_size"), UINT(6, "preferred_vector_width_char"),
    UINT(7, "preferred_vector_width_short"), UINT(8, "preferred_vector_width_int"),
    UINT(9, "preferred_vector_width_long"), UINT(10, "preferred_vector_width_float"),
    UINT(11, "preferred_vector_width_double"), UINT(12, "preferred_vector_width_half"),
    UINT(13, "native_vector_width_char"), UINT(14, "native_vector_width_short"), UINT(15, "native_vector_width_int"),
    UINT(16, "native_vector_width_long"), UINT(17, "native_vector_width_float"), UINT(18, "native_vector_width_double"),
    UINT(19, "native_vector_width_half"), UINT(20, "max_clock_frequency_mhz"), UINT(21, "address_bits"),
    UINT(22, "max_mem_alloc_size"), BOOL(23, "image_support"), UINT(24, "max_read_image_args"),
    UINT(25, "max_write_image_args"), UINT(26, "max_read_write_image_args"), TEXTS(27, "il_version"),
    UINT(28, "image2d_max_width"), UINT(29, "image2d_max_height"), UINT(30, "image3d_max_width"),
    UINT(31, "image3d_max_height"), UINT(32, "image3d_max_depth"), UINT(33, "image_max_buffer_size"),
    UINT(34, "image_max_array_size"), UINT(35, "max_samplers"), UINT(36, "image_pitch_alignment"),
    UINT(37, "image_base_address_alignment"), UINT(38, "max_pipe_args"), UINT(39, "pipe_max_active_reservations"),
    UINT(40, "max_parameter_size"), UINT(41, "mem_base_addr_align"), UINTS(42, "single_fp_config"),
    UINTS(43, "double_fp_config"), UINT(44, "global_mem_cache_type"), UINT(45, "global_mem_cacheline_size"),
    UINT(46, "global_mem_cache_size"), UINT(47, "max_constant_buffer_size"), UINT(48, "max_constant_args"),
    UINT(49, "max_global_variable_size"), UINT(50, "global_variable_preferred_total_size"), UINT(51, "local_mem_type"),
    UINT(52, "local_mem_size"), BOOL(53, "error_correction_support"), UINT(54, "profiling_timer_resolution_ns"),
    BOOL(55, "endian_little"), BOOL(56, "available"), BOOL(57, "compiler_available"), BOOL(58, "linker_available"),
    UINTS(59, "execution_capability"), UINTS(60, "queue_on_host_property"), UINTS(61, "queue_on_device_property"),
    UINT(62, "queue_on_device_preferred_size"), UINT(63, "queue_on_device_max_size"), UINT(64, "max_on_device_queues"),
    UINT(65, "max_on_device_events"), TEXTS(66, "built_in_kernel"), UINT(67, "platform_index"), TEXT(68, "name"),
    TEXT(69, "vendor"), TEXT(70, "driver_version"), TEXT(71, "profile"), TEXT(72, "version"),
    TEXT(73, "opencl_c_version"), TEXTS(74, "extension"), UINT(75, "printf_buffer_size"),
    BOOL(76, "preferred_interop_user_sync"), UINT(78, "partition_max_sub_devices"),
    UINTS(79, "device_partition_property"), UINT(80, "partition_affinity_domain"), UINTS(81, "device_partition_type"),
    UINTS(82, "svm_capability"), UINT(83, "preferred_platform_atomic_alignment"),
    UINT(84, "preferred_global_atomic_alignment"), UINT(85, "preferred_local_atomic_alignment"),
    UINT(86, "max_num_sub_groups"), BOOL(87, "sub_group_independent_forward_progress"), UINT(88, "global_mem_size"),
    BOOL(89, "host_unified_memory"), TEXT(100, "platform_name"), NUM(1001, "nv_cuda_major_rev"),
    NUM(1002, "nv_cuda_minor_rev"), NUM(1003, "nv_registers_per_block"), NUM(1004, "nv_warp_size"),
    BOOL(1005, "nv_gpu_overlap"), BOOL(1006, "nv_kernel_exec_timeout"), BOOL(1007, "nv_integrated_memory"),
    TEXT(2001, "amd_board_name"), NUM(2002, "amd_simd_per_compute_unit"), NUM(2003, "amd_simd_instruction_width"),
    NUM(2004, "amd_wavefront_width"), NUM(2005, "amd_global_mem_channels"), NUM(2006, "amd_global_mem_channel_banks"),
    NUM(2007, "amd_global_mem_channel_bank_width"), NUM(2008, "amd_local_mem_size_per_compute_unit"),
    NUM(2009, "amd_local_mem_banks"), ID(10000, "platform"), END};

/* --- messages as JSON, by tables of their fields --- */

/* An entry of a map<K, V>: {1 key, 2 value}. An absent key or value is 0 or empty. */
struct entry {
	uint64_t size, count;
	struct str name, value;
	size_t at; /* the entry's position in the message: if several entries have the same key, the last one is used */
};

struct writer {
	struct buf *b;
	struct plaidml_stream *own;
	struct wire *w; /* for faults */
};

/* --- maps, in the order of their keys --- */

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = x->size < y->size ? -1 : x->size > y->size;

	if (!c)
		c = str_cmp(x->name, y->name);
	return c ? c : x->at < y->at ? -1 : x->at > y->at;
}

/*
 * Returns the *n entries of the map in field `no`, sorted by key and without duplicate keys. The caller frees them.
 * NULL when the map is damaged.
 */
static struct entry *read_map(struct writer *w, struct str message, uint32_t no, size_t *n)
{
	static const struct wire_want wants[] = {{1, WIRE_VARINT}, {1, WIRE_LEN}, {2, WIRE_VARINT}, {2, WIRE_LEN}, {0}};
	struct wire wire = wire_of(message);
	struct wire_field f[4];
	struct entry *e = NULL;
	struct str bytes;
	size_t cap = 0, i, kept = 0;

	e = mem_grow(e, &cap, 1, sizeof *e);
	for (*n = 0; wire_next_message(&wire, no, &bytes); ++*n) {
		if (!wire_read(bytes, wants, f, w->w)) {
			free(e);
			return NULL;
		}
		e = mem_grow(e, &cap, *n + 1, sizeof *e);
		e[*n] =
		    (struct entry){f[0].v, f[2].v, f[1].no ? f[1].bytes : STR(""), f[3].no ? f[3].bytes : STR(""), *n};
	}
	qsort(e, *n, sizeof *e, by_key);
	for (i = 0; i < *n; i++) {
		if (i + 1 == *n || e[i].size != e[i + 1].size || !str_eq(e[i].name, e[i + 1].name))
			e[kept++] = e[i];
	}
	*n = kept;
	return e;
}

/* --- values --- */

static void put_uint(struct buf *b, const char *key, uint64_t v)
{
	char text[NUM_ROOM];

	if (v <= INT64_MAX)
		json_write_int(b, key, (int64_t)v);
	else
		json_write_text(b, key, num_str_u64(text, v));
}

static void put_value(struct buf *b, const struct plaidml_field *row, const char *key, uint64_t v)
{
	static const char *const types[] = {[2] = "BOOLEAN",
	    [16] = "INT8",
	    "INT16",
	    "INT32",
	    "INT64",
	    [32] = "UINT8",
	    "UINT16",
	    "UINT32",
	    "UINT64",
	    [49] = "FLOAT16",
	    "FLOAT32",
	    "FLOAT64"};

	if (row->type == PLAIDML_BOOL)
		json_write_bool(b, key, v != 0);
	else if (row->type == PLAIDML_DTYPE && v < sizeof types / sizeof *types && types[v])
		json_write_text(b, key, str_of(types[v]));
	else if (row->type == PLAIDML_UINT || row->type == PLAIDML_DTYPE)
		put_uint(b, key, v);
	else
		json_write_int(b, key, (int64_t)v);
}

static bool put_rows(struct writer *w, const struct plaidml_field *rows, struct str message);

static bool put_map(struct writer *w, const struct plaidml_field *row, struct str message)
{
	size_t n, i;
	struct entry *e = read_map(w, message, row->no, &n);
	struct wire_field f;
	bool good = true;

	if (!e)
		return false;
	json_write_begin(w->b, row->name, '[');
	for (i = 0; good && i < n; i++) {
		if (row->type == PLAIDML_KEYS) {
			json_write_text(w->b, NULL, e[i].name);
			continue;
		}
		json_write_begin(w->b, NULL, '{');
		if (row->type == PLAIDML_SIZES) {
			put_uint(w->b, "size", e[i].size);
			put_uint(w->b, "count", e[i].count);
		} else {
			json_write_text(w->b, "name", e[i].name);
			good = wire_find(e[i].value, 1, WIRE_LEN, &f)
				   ? put_rows(w, shape, f.bytes) && put_rows(w, input, e[i].value)
				   : put_rows(w, shape, e[i].value);
		}
		json_write_end(w->b, '}');
	}
	json_write_end(w->b, ']');
	free(e);
	return good;
}

/* Writes one occurrence of a field; the numbers of a repeated field may be packed. */
static bool put_field(struct writer *w, const struct plaidml_field *row, const struct wire_field *f)
{
	const char *key = row->many ? NULL : row->name;
	struct str rest = f->bytes;
	struct plaidml_ref ref;
	uint64_t v;
	int got;

	switch (row->type) {
	case PLAIDML_TEXT:
		json_write_text(w->b, key, f->bytes);
		return true;
	case PLAIDML_ID:
		if (!plaidml_ref_read(&ref, f->bytes, w->own, false, w->w))
			return false;
		if (ref.n) {
			json_write_key(w->b, key);
			plaidml_put_id(w->b, (struct str){ref.key, ref.n});
		}
		return true;
	case PLAIDML_MESSAGE:
		json_write_begin(w->b, key, '{');
		if (!put_rows(w, row->of, f->bytes))
			return false;
		json_write_end(w->b, '}');
		return true;
	default:
		if (f->type == WIRE_VARINT) {
			put_value(w->b, row, key, f->v);
			return true;
		}
		while ((got = wire_packed(&rest, &v)) > 0)
			put_value(w->b, row, key, v);
		return got == 0 || wire_refuse(w->w, "list of packed numbers ends inside a number", rest.p);
	}
}

/* Writes the member of a row: all occurrences of its field, as a list, or the last one. */
static bool put_row(struct writer *w, const struct plaidml_field *row, struct str message)
{
	const bool bytes = row->type == PLAIDML_TEXT || row->type == PLAIDML_ID || row->type == PLAIDML_MESSAGE;
	struct wire wire = wire_of(message);
	struct wire_field f, last;
	bool any = false;

	while (wire_next(&wire, &f) > 0) {
		/* A repeated field of numbers may be packed. */
		if (f.no != row->no || !(f.type == WIRE_LEN ? bytes || row->many : f.type == WIRE_VARINT && !bytes))
			continue;
		if (row->many && !any)
			json_write_begin(w->b, row->name, '[');
		any = true;
		last = f;
		if (row->many && !put_field(w, row, &f))
			return false;
	}
	if (row->many && any)
		json_write_end(w->b, ']');
	else if (any)
		return put_field(w, row, &last);
	else if (row->type == PLAIDML_PLACE)
		json_write_int(w->b, row->name, 0);
	return true;
}

static bool put_rows(struct writer *w, const struct plaidml_field *rows, struct str message)
{
	if (!wire_sound(message, w->w))
		return false;
	for (; rows->name; rows++) {
		if (!(rows->type == PLAIDML_SIZES || rows->type == PLAIDML_KEYS || rows->type == PLAIDML_SHAPES
			    ? put_map
			    : put_row)(w, rows, message))
			return false;
	}
	return true;
}

/* --- the types of metadata --- */

static const struct plaidml_type types[] = {
    {".RunInfo", KIND_OTHER, NULL, 0},
    {".KernelInfo", KIND_KERNELINFO, kernel, 1},
    {".BuildInfo", KIND_BUILDINFO, build, 0},
    {".PlatformInfo", KIND_PLATFORMINFO, platform, 3},
    {".DeviceInfo", KIND_DEVICEINFO, device, 68},
    {".CompilationInfo", KIND_PROGRAMINFO, compilation, 1},
    {".Schedule", KIND_OTHER, schedule, 0},
};

const struct plaidml_type *plaidml_type_of(struct str url)
{
	size_t i;

	/* The drivers (opencl, cm, ...) have their own types with the same fields. */
	if (!str_starts(url, STR("type.vertex.ai/vertexai.tile.")))
		return NULL;
	for (i = 0; i < sizeof types / sizeof *types; i++) {
		if (str_ends(url, str_of(types[i].name)))
			return &types[i];
	}
	return NULL;
}

/* Writes the type of a kernel and its costs, which precede the fields of its message. */
static bool put_costs(struct writer *w, struct str message)
{
	struct wire_field info, sort;
	const struct plaidml_field *row;

	if (!wire_find(message, 3, WIRE_LEN, &info))
		return true;
	for (row = kinfo; row->of; row++) {
		if (wire_find(info.bytes, row->no, WIRE_LEN, &sort)) {
			json_write_text(w->b, "type", str_of(row->name));
			break;
		}
	}
	return put_rows(w, costs, info.bytes);
}

bool plaidml_type_put(
    struct buf *b, const struct plaidml_type *type, struct str message, struct plaidml_stream *own, struct wire *w)
{
	struct writer writer = {b, own, w};
	struct wire_field f;

	if (type->kind == KIND_KERNELINFO && !(wire_sound(message, w) && put_costs(&writer, message)))
		return false;
	if (type->fields && !put_rows(&writer, type->fields, message))
		return false;
	/* The members of the Program in a CompilationInfo follow those of the CompilationInfo, in the same object. */
	return type->kind != KIND_PROGRAMINFO || !wire_find(message, 1, WIRE_LEN, &f) ||
	       put_rows(&writer, program, f.bytes);
}

struct str plaidml_type_title(const struct plaidml_type *type, struct str message)
{
	const struct str none = {NULL, 0};
	struct wire_field f;

	if (type->kind == KIND_PROGRAMINFO) /* the title is that of its Program */
		message = wire_find_bytes(message, 1);
	return type->title && wire_find(message, type->title, WIRE_LEN, &f) ? f.bytes : none;
}
