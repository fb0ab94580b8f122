/* plaidml_meta: the messages of PlaidML's metadata and their fields, with the names that PlaidML gives them. */
#include "plaidml.h"

#include "json/write.h"

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
#define MAP(no, type, name) {no, type, false, name, NULL}
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
static const struct plaidml_field costs[] = {NUM(101, "flops"), NUM(102, "bytes"), END};

static const struct plaidml_field build[] = {
    ID(1, "device"), {3, PLAIDML_PLACE, false, "status", NULL}, TEXT(4, "log"), TEXT(2, "src"), END};

static const struct plaidml_field platform[] = {TEXT(1, "profile"), TEXT(2, "version"), TEXT(3, "name"),
    TEXT(4, "vendor"), TEXTS(5, "extension"), UINT(6, "host_timer_resolution_ns"), END};

static const struct plaidml_field trials[] = {NUM(1, "max_trials"), NUM(2, "max_trial_runs"), END};
static const struct plaidml_field program[] = {TEXT(2, "dev_id"), MAP(5, PLAIDML_SHAPES, "inputs"),
    MAP(6, PLAIDML_SHAPES, "outputs"), MSG(7, "tile_scanning_params", trials), TEXT(3, "code"), END};
static const struct plaidml_field compilation[] = {
    MAP(3, PLAIDML_SIZES, "alloc_sizes"), MAP(2, PLAIDML_SIZES, "tmp_sizes"), MAP(4, PLAIDML_KEYS, "kernels"), END};

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

enum plaidml_meta plaidml_meta_of(struct str url)
{
	static const struct {
		const char *name;
		enum plaidml_meta meta;
	} types[] = {{".RunInfo", PLAIDML_RUNINFO}, {".KernelInfo", PLAIDML_KERNELINFO},
	    {".BuildInfo", PLAIDML_BUILDINFO}, {".PlatformInfo", PLAIDML_PLATFORMINFO},
	    {".DeviceInfo", PLAIDML_DEVICEINFO}, {".CompilationInfo", PLAIDML_PROGRAMINFO},
	    {".Schedule", PLAIDML_SCHEDULE}};
	size_t i;

	/* The drivers (opencl, cm, ...) have their own types with the same fields. */
	if (!str_starts(url, STR("type.vertex.ai/vertexai.tile.")))
		return PLAIDML_UNKNOWN;
	for (i = 0; i < sizeof types / sizeof *types; i++) {
		if (str_ends(url, str_of(types[i].name)))
			return types[i].meta;
	}
	return PLAIDML_UNKNOWN;
}

/* Writes the type of a kernel and its costs, followed by the fields of its message. */
static bool put_kernel(struct buf *b, struct str message, struct plaidml_stream *own, const char **fault)
{
	static const char *const sorts[] = {"element", "contraction", "zero", "special"};
	struct wire_field info, sort;
	uint32_t no;
	size_t at;

	if (!wire_sound(message, fault, &at))
		return false;
	if (wire_find(message, 3, WIRE_LEN, &info)) {
		for (no = 1; no <= sizeof sorts / sizeof *sorts; no++) {
			if (wire_find(info.bytes, no, WIRE_LEN, &sort)) {
				json_write_text(b, "type", str_of(sorts[no - 1]));
				break;
			}
		}
		if (!plaidml_message_put(b, costs, info.bytes, own, fault))
			return false;
	}
	return plaidml_message_put(b, kernel, message, own, fault);
}

/* Writes a CompilationInfo: its own members, followed by those of the Program that it contains, in the same object. */
static bool put_program(struct buf *b, struct str message, struct plaidml_stream *own, const char **fault)
{
	struct wire_field f;

	if (!plaidml_message_put(b, compilation, message, own, fault))
		return false;
	return !wire_find(message, 1, WIRE_LEN, &f) || plaidml_message_put(b, program, f.bytes, own, fault);
}

bool plaidml_meta_put(
    struct buf *b, enum plaidml_meta meta, struct str message, struct plaidml_stream *own, const char **fault)
{
	switch (meta) {
	case PLAIDML_KERNELINFO:
		return put_kernel(b, message, own, fault);
	case PLAIDML_PROGRAMINFO:
		return put_program(b, message, own, fault);
	case PLAIDML_BUILDINFO:
		return plaidml_message_put(b, build, message, own, fault);
	case PLAIDML_PLATFORMINFO:
		return plaidml_message_put(b, platform, message, own, fault);
	case PLAIDML_DEVICEINFO:
		return plaidml_message_put(b, device, message, own, fault);
	case PLAIDML_SCHEDULE:
		return plaidml_message_put(b, schedule, message, own, fault);
	case PLAIDML_RUNINFO:
	case PLAIDML_UNKNOWN:
		break;
	}
	return true;
}

struct str plaidml_meta_name(enum plaidml_meta meta, struct str message)
{
	static const uint32_t numbers[PLAIDML_UNKNOWN + 1] = {
	    [PLAIDML_KERNELINFO] = 1, [PLAIDML_PLATFORMINFO] = 3, [PLAIDML_DEVICEINFO] = 68, [PLAIDML_PROGRAMINFO] = 1};
	struct wire_field f;

	if (!numbers[meta])
		return (struct str){NULL, 0};
	if (meta == PLAIDML_PROGRAMINFO) {
		if (!wire_find(message, 1, WIRE_LEN, &f))
			return (struct str){NULL, 0};
		message = f.bytes;
	}
	return wire_find(message, numbers[meta], WIRE_LEN, &f) ? f.bytes : (struct str){NULL, 0};
}
