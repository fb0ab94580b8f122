/* op_rules: each rule computes the operations and bytes that were counted by hand for small shapes. */
#include "test.h"

#include "op-flops/op_rules.h"
#include "json/scan.h"

enum { NOT_KNOWN = -1 };

/* `types` and `concrete` are the contents of lists; bf, f, h stand for bfloat16, float, half. */
static const struct row {
	const char *name, *dims, *types, *concrete;
	int64_t flops, bytes;
} rows[] = {
    {"aten::mm", "[2,3],[3,4]", "bf,f", "", 48, 12 + 48 + 16},
    {"aten::addmm", "[4],[2,3],[3,4],[],[]", "f,bf,bf,S,S", "", 48 + 8, 16 + 12 + 24 + 16},
    {"aten::bmm", "[5,2,3],[5,3,4]", "bf,bf", "", 240, 60 + 120 + 80},
    {"aten::baddbmm", "[5,2,4],[5,2,3],[5,3,4]", "f,bf,bf", "", 280, 160 + 60 + 120 + 80},
    {"aten::linear", "[5,2,3],[4,3],[4]", "bf,bf,bf", "", 240 + 40, 60 + 24 + 80 + 8},
    {"aten::linear", "[5,2,3],[4,3],[]", "bf,bf,", "", 240, 60 + 24 + 80},
    {"aten::matmul", "[3],[3]", "f,f", "", 6, 12 + 12 + 4},
    {"aten::matmul", "[5,1,2,3],[7,3,4]", "f,f", "", 35 * 48, 120 + 336 + 1120},
    {"aten::matmul", "[5,2,3],[3]", "f,f", "", 60, 120 + 12 + 40},
    {"aten::_scaled_mm", "[2,3],[3,4],[],[],[4],[],[],[]", "f8,f8,f,f,bf,,S,S", ",,,,,,\"15\"", 48 + 8,
	6 + 12 + 8 + 16 + 8},
    {"aten::_scaled_mm", "[2,3],[3,4],[],[],[],[],[],[]", "f4,f4,f,f,,,S,S", ",,,,,,\"6\"", 96, 6 + 12 + 8 + 32},
    {"aten::_grouped_mm", "[6,3],[2,3,4],[2],[],[]", "bf,bf,i,,S", ",,,,\"6\"", 144, 36 + 48 + 96},
    {"aten::_grouped_mm", "[2,6],[6,4],[3],[],[]", "bf,bf,i,,S", "", 96, 24 + 48 + 48},
    {"aten::_scaled_grouped_mm", "[6,3],[2,3,4],[6],[2,4],[2],[],[],[]", "f8,f8,f,f,i,,,S", ",,,,,,,\"15\"", 144,
	18 + 24 + 48},
    {"vllm::rocm_unquantized_gemm", "[2,3],[4,3],[4]", "bf,bf,bf", "", 48 + 8, 12 + 24 + 16 + 8},
    {"aiter::gemm_a16w16", "[2,3],[4,3],[],[]", "bf,bf,,S", ",,,\"6\"", 48, 12 + 24 + 32},
    /* 3 x 3 windows of 2 channels on 3 x 3 outputs of 4 channels */
    {"aten::convolution", "[1,2,5,5],[4,2,3,3],[4],[],[],[],[],[],[]", "f,f,f,L,L,L,S,L,S",
	",,,\"[1, 1]\",\"[0]\",\"[1, 1]\",\"False\",\"[0, 0]\",\"1\"", 2 * 18 * 36 + 36, (50 + 72 + 36 + 4) * 4},
    {"aten::_convolution", "[1,2,5],[4,1,3],[],[],[],[],[],[],[]", "f,f,,L,L,L,S,L,S",
	",,,\"[2]\",\"[1]\",\"[2]\",\"False\",\"[0]\",\"2\"", 2 * 3 * 8, (10 + 12 + 8) * 4},
    {"aten::convolution", "[1,4,3],[4,2,3],[],[],[],[],[],[],[]", "f,f,,L,L,L,S,L,S",
	",,,\"[2]\",\"[1]\",\"[1]\",\"True\",\"[1]\",\"1\"", 2 * 6 * 12, (12 + 24 + 12) * 4},
    {"aten::convolution_backward", "[1,4,3,3],[1,2,5,5],[4,2,3,3],[],[],[],[],[],[],[],[]", "f,f,f,L,L,L,L,S,L,S,L",
	",,,\"[4]\",\"[1, 1]\",\"[0, 0]\",\"[1, 1]\",\"False\",\"[0, 0]\",\"1\",\"[True, False, True]\"",
	2 * 18 * 36 + 36, (36 + 72 + 50 + 36 + 4) * 4},
    {"aten::_scaled_dot_product_flash_attention", "[1,2,3,4],[1,2,3,4],[1,2,3,4]", "bf,bf,bf", ",,,\"0.\",\"False\"",
	2 * 2 * 9 * 8, 4 * 48},
    {"aten::_scaled_dot_product_flash_attention", "[1,2,3,4],[1,2,3,4],[1,2,3,4]", "bf,bf,bf", ",,,\"0.\",\"True\"",
	2 * 9 * 8, 4 * 48},
    {"aten::_scaled_dot_product_efficient_attention", "[1,2,3,4],[1,1,5,4],[1,1,5,6]", "bf,bf,bf",
	",,,,,\"0.\",\"True\"", 2 * 2 * 6 * 10, 48 + 40 + 60 + 72},
    {"aten::_scaled_dot_product_cudnn_attention", "[1,2,5,4],[1,2,3,4],[1,2,3,4]", "bf,bf,bf", ",,,,,,\"True\"",
	2 * 2 * (6 + 6) * 8, 80 + 48 + 48 + 80},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", "[1,1,2,4],[1,1,2,4],[1,1,2,4]", "f,f,f",
	",,,\"0.\",\"True\"", 4 * 8, 4 * 32},
    {"aten::_scaled_dot_product_fused_attention_overrideable", "[1,1,2,4],[1,1,2,4],[1,1,2,4]", "f,f,f",
	",,,,,\"False\"", 2 * 4 * 8, 4 * 32},
    {"aten::_scaled_dot_product_flash_attention_backward", "[1,2,3,4],[1,2,3,4],[1,2,3,4],[1,2,3,4]", "bf,bf,bf,bf",
	",,,,,,,,,,,\"False\"", 2 * 2 * 9 * 20, 8 * 48},
    {"aten::_scaled_dot_product_efficient_attention_backward", "[1,2,3,4],[1,2,3,4],[1,2,3,4],[1,2,3,4]", "bf,bf,bf,bf",
	",,,,,,,,,,,\"True\"", 2 * 9 * 20, 8 * 48},
    {"aten::_scaled_dot_product_cudnn_attention_backward", "[1,2,3,4],[1,2,3,4],[1,2,3,4],[1,2,3,4]", "bf,bf,bf,bf",
	",,,,,,,,,,,,,,\"True\"", 2 * 9 * 20, 8 * 48},
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", "[1,2,3,4],[1,2,3,4],[1,2,3,4],[1,2,3,4]", "f,f,f,f",
	",,,,,,,\"True\"", 2 * 9 * 20, 8 * 96},
    {"aten::_scaled_dot_product_fused_attention_overrideable_backward", "[1,2,3,4],[1,2,3,4],[1,2,3,4],[1,2,3,4]",
	"f,f,f,f", ",,,,,,,,,,,,,\"True\"", 2 * 9 * 20, 8 * 96},
    {"aten::_flash_attention_forward", "[1,3,2,4],[1,3,2,4],[1,3,2,4],[],[]", "bf,bf,bf,,", "", 2 * 2 * 9 * 8, 4 * 48},
    {"aten::_flash_attention_forward", "[6,2,4],[6,2,4],[6,2,4],[3],[3]", "bf,bf,bf,i,i",
	",,,,,\"3\",\"3\",\"0.\",\"True\"", 2 * 2 * 9 * 8, 4 * 96},
    {"aten::_efficient_attention_forward", "[1,3,2,4],[1,3,2,4],[1,3,2,4],[],[],[]", "bf,bf,bf,,,",
	",,,,,,,,\"0.\",\"1\"", 2 * 9 * 8, 4 * 48},
    {"flash_attn::_flash_attn_varlen_forward", "[6,2,4],[8,2,4],[8,2,4],[3],[3]", "bf,bf,bf,i,i", ",,,,,\"3\",\"4\"",
	2 * 2 * 2 * 12 * 8, 96 + 128 + 128 + 96},
    {"vllm::unified_attention_with_output", "[6,2,4],[6,1,4],[6,1,4],[6,2,4]", "bf,bf,bf,bf", "", NOT_KNOWN, NOT_KNOWN},
    {"sglang_profiler::attention_paged_attention_ragged_12", "[6,2,4],[9],[6,2,4],[50,1,1,4],[50,1,1,4]",
	"bf,uc,bf,bf,bf", "", NOT_KNOWN, NOT_KNOWN},
    {"aiter::mha_batch_prefill", "[6,2,4],[50,1,4],[50,1,4]", "bf,bf,bf", "", NOT_KNOWN, NOT_KNOWN},
    {"aiter::fmha_v3_varlen_fwd", "[6,2,4],[6,1,4],[6,1,4]", "bf,bf,bf", "", NOT_KNOWN, NOT_KNOWN},
    /* one token reaches 2 of 4 experts: 8 x (4 + 8) bytes of each */
    {"vllm::rocm_aiter_fused_moe", "[1,4],[4,16,4],[4,4,8],[1,2],[1,2]", "bf,f8,f8,f,i", "", 2 * 4 * 8 * 2 * 3,
	2 * 8 + 2 * (64 + 32)},
    {"vllm::outplace_fused_experts", "[1,4],[4,8,4],[4,4,8],[1,2],[1,2]", "bf,bf,bf,f,i", "", 2 * 4 * 8 * 2 * 2,
	2 * 8 + 2 * 128},
    {"aiter::fmoe_g1u1", "[1,4],[1,4],[4,8,4],[4,4,8],[9],[9],[9],[2],[]", "bf,bf,bf,bf,i,f,i,i,S", ",,,,,,,,\"2\"",
	2 * 4 * 8 * 2 * 2, 2 * 8 + 2 * 128},
    {"aten::layer_norm", "[2,3,4],[],[4],[4]", "bf,L,f,f", ",\"[4]\"", 5 * 24 + 3 * 6, 2 * 48 + 32},
    {"aten::layer_norm", "[2,3,4],[],[],[]", "bf,L,,", ",\"[3, 4]\"", 5 * 24 + 3 * 2, 2 * 48},
    {"aten::native_layer_norm", "[2,3,4],[],[4],[4]", "bf,L,bf,bf", ",\"[4]\"", 5 * 24 + 3 * 6,
	2 * 48 + 16 + 2 * 6 * 4},
    {"aten::native_layer_norm_backward", "[2,3,4],[2,3,4],[],[2,3,1],[2,3,1],[4],[4],[]", "bf,bf,L,f,f,bf,bf,L",
	",,,,,,,\"[True, True, False]\"", 9 * 24, 3 * 48 + 2 * 6 * 4 + 2 * 8},
    {"aten::batch_norm", "[2,3,4],[3],[3],[3],[3],[]", "bf,bf,bf,bf,bf,S", ",,,,,\"True\"", 5 * 24 + 9,
	2 * 48 + 12 + 4 * 3 * 4},
    {"aten::native_batch_norm", "[2,3,4],[],[],[3],[3],[]", "bf,,,bf,bf,S", ",,,,,\"False\"", 2 * 24 + 9,
	2 * 48 + 2 * 3 * 4},
    {"aten::cudnn_batch_norm", "[2,3,4],[3],[3],[3],[3],[]", "d,d,d,d,d,S", ",,,,,\"True\"", 5 * 24 + 9,
	2 * 192 + 48 + 4 * 3 * 8},
    {"aten::miopen_batch_norm", "[2,3,4],[3],[3],[3],[3],[]", "f,f,f,f,f,S", ",,,,,\"True\"", 5 * 24 + 9,
	2 * 96 + 24 + 4 * 3 * 4},
    {"aten::native_batch_norm_backward", "[2,3,4],[2,3,4],[3],[3],[3],[3],[3],[],[],[]", "bf,bf,bf,f,f,f,f,S,S,L",
	",,,,,,,\"True\",\"1e-05\",\"[False, True, True]\"", 4 * 24, 2 * 48 + 2 * 3 * 4 + 3 * 6},
    {"aten::cudnn_batch_norm_backward", "[2,3,4],[2,3,4],[3]", "bf,bf,bf", "", 9 * 24, 3 * 48 + 2 * 3 * 4 + 3 * 6},
    {"aten::miopen_batch_norm_backward", "[2,3,4],[2,3,4],[3]", "bf,bf,bf", "", 9 * 24, 3 * 48 + 2 * 3 * 4 + 3 * 6},
    {"aiter::rms_norm", "[3,4],[4]", "bf,bf", "", 4 * 12 + 2 * 3, 2 * 24 + 8},
    {"aiter::rmsnorm", "[3,4],[3,4],[4]", "bf,bf,bf", "", 4 * 12 + 2 * 3, 2 * 24 + 8},
    {"aiter::rmsnorm2d_fwd_with_add_ck", "[3,4],[3,4],[3,4],[3,4],[4]", "bf,bf,bf,bf,bf", "", 5 * 12 + 2 * 3,
	4 * 24 + 8},
    {"aiter::add_rmsnorm", "[3,4],[3,4],[3,4],[3,4],[4]", "bf,bf,bf,bf,bf", "", 5 * 12 + 2 * 3, 4 * 24 + 8},
    {"aten::clamp_min", "[3,4],[]", "bf,S", "", 12, 48},
    {"aten::clamp_min_", "[3,4],[]", "bf,S", "", 12, 48},
    {"aten::clamp_max", "[3,4],[]", "f,S", "", 12, 96},
    {"aten::clamp_max_", "[3,4],[]", "f,S", "", 12, 96},
    {"aten::sigmoid", "[3,4]", "h", "", 12, 48},
    {"aten::sigmoid_", "[3,4]", "h", "", 12, 48},
    {"aten::rsqrt", "[3,4]", "f", "", 12, 96},
    {"aten::rsqrt_", "[]", "f", "", 1, 8},
    {"aten::silu", "[3,4]", "bf", "", 12, 48},
    {"aten::silu_", "[3,4]", "bf", "", 12, 48},
    {"aten::neg", "[3,4]", "l", "", 12, 192},
    {"aten::neg_", "[3,4]", "l", "", 12, 192},
    {"aten::pow", "[3,4],[]", "f,S", "", 12, 96},
    {"aten::pow_", "[3,4],[]", "f,S", "", 12, 96},
    {"aten::add", "[3,1],[4],[]", "bf,f,S", "", 12, 6 + 16 + 48},
    {"aten::add_", "[3,4],[4],[]", "bf,f,S", "", 12, 24 + 16 + 24},
    {"aten::mul", "[3,4],[]", "bf,d", "", 12, 48},
    {"aten::mul_", "[3,4],[3,4]", "bf,bf", "", 12, 72},
    {"aten::div", "[],[3,4]", "S,f", "", 12, 96},
    {"aten::div_", "[3,4],[]", "f,S", "", 12, 96},
    {"aten::sigmoid_backward", "[3,4],[3,4]", "f,f", "", 12, 144},
    {"aten::threshold_backward", "[3,4],[3,4],[]", "bf,bf,S", "", 12, 72},
    {"_C::silu_and_mul", "[3,4],[3,8]", "bf,bf", "", 24, 24 + 48},
    {"sgl_kernel::silu_and_mul", "[3,4],[3,8]", "bf,bf", "", 24, 24 + 48},
    {"aiter::silu_and_mul", "[3,4],[3,8]", "bf,bf", "", 24, 24 + 48},
    {"aten::sum", "[3,4],[],[],[]", "f,L,S,", ",\"[-1]\",\"False\",\"\"", 12, 48 + 12},
    {"aten::sum", "[3,4],[]", "f,S", ",\"6\"", 12, 48 + 4},
    {"aten::mean", "[3,4,5],[],[],[]", "f,L,S,", ",\"[0, 2]\",\"True\",\"\"", 60, 240 + 16},
    {"aten::max", "[3,4],[],[]", "f,S,S", ",\"0\",\"False\"", 12, 48 + 16},
    {"aten::min", "[3,4]", "f", "", 12, 48 + 4},
    {"aten::amax", "[3,4],[],[]", "f,L,S", ",\"[]\",\"False\"", 12, 48 + 4},
    {"aten::amin", "[3,4],[],[]", "f,L,S", ",\"[1]\",\"False\"", 12, 48 + 12},
    {"aten::norm", "[3,4],[],[],[]", "f,S,L,S", ",\"2\",\"[1]\",\"False\"", 12, 48 + 12},
    {"aten::std", "[3,4],[]", "f,S", ",\"True\"", 12, 48 + 4},
    {"aten::var", "[3,4],[],[],[]", "f,L,S,S", ",\"[0]\",\"True\",\"False\"", 12, 48 + 16},
    {"aten::logsumexp", "[3,4],[],[]", "f,L,S", ",\"[1]\",\"False\"", 12, 48 + 12},
    {"aten::cumsum", "[3,4],[],[]", "f,S,", ",\"1\",\"\"", 12, 96},
    {"aten::cumprod", "[3,4],[],[]", "f,S,", ",\"1\",\"\"", 12, 96},
    /* 2 tokens, heads of 4 of which 2 are turned: q has 2 heads, k one */
    {"_C::rotary_embedding", "[2],[2,8],[2,4],[],[100,2],[]", "l,bf,bf,S,f,S", ",,,\"4\",,\"True\"", 3 * 12,
	2 * 12 * 2 + 2 * 2 * 4 + 16},
    {"sgl_kernel::rotary_embedding", "[2],[2,8],[],[],[100,2],[]", "l,bf,,S,f,S", ",,,\"4\",,\"True\"", 3 * 8,
	2 * 8 * 2 + 2 * 2 * 4 + 16},
    {"aten::copy_", "[3,4],[3,4],[]", "bf,f,S", "", 0, 24 + 48},
    {"aten::copy", "[3,4],[4],[]", "bf,f,S", "", 0, 24 + 16},
    {"sglang::store_cache", "[3,4],[3,4],[99,4],[99,4],[3]", "bf,bf,f8,f8,l", "", 0, 2 * (24 + 12)},
    {"_C_cache_ops::reshape_and_cache_flash", "[3,1,4],[3,1,4],[9,9,1,4],[9,9,1,4],[3]", "bf,bf,bf,bf,l", "", 0,
	4 * 24},
    {"triton_poi_fused_add_0", "[32],[500,4],[8,4],[]", "l,f,f,S", ",,,\"16\"", NOT_KNOWN, 16 * 8 + 16 * 4 + 16 * 4},
    {"triton_red_fused_mean_1", "[3,4],[3],[],[]", "bf,f,S,S", ",,\"3\",\"4\"", NOT_KNOWN, 24 + 12},
    {"triton_per_fused_sum_2", "[3,4],[3],[],[]", "bf,f,S,S", ",,\"3\",\"4\"", NOT_KNOWN, 24 + 12},
};

/* Appends the list of names that short types stand for. */
static void add_types(struct buf *b, const char *types)
{
	static const char *const names[][2] = {{"bf", "c10::BFloat16"}, {"f", "float"}, {"h", "c10::Half"},
	    {"d", "double"}, {"l", "long int"}, {"i", "int"}, {"uc", "unsigned char"}, {"f8", "c10::Float8_e4m3fn"},
	    {"f4", "c10::Float4_e2m1fn_x2"}, {"S", "Scalar"}, {"L", "ScalarList"}, {"", ""}};
	struct str rest = str_of(types), item;
	size_t i;

	while (str_split(&rest, ',', &item)) {
		for (i = 0; !str_eq(item, str_of(names[i][0])); i++)
			;
		buf_lit(b, "\"");
		buf_add(b, names[i][1], strlen(names[i][1]));
		buf_lit(b, "\",");
	}
	b->n--;
}

/* Appends the list with "" for empty items. */
static void add_concrete(struct buf *b, const char *text)
{
	for (; *text; text++) {
		if (*text == ',' && (b->p[b->n - 1] == '[' || b->p[b->n - 1] == ','))
			buf_lit(b, "\"\"");
		buf_add(b, text, 1);
	}
}

static bool compute(const struct row *row, struct op_cost *cost)
{
	static struct op_call call;
	const struct op_rule *rule = op_rules_find(str_of(row->name));
	struct buf args = {0};
	bool known;

	buf_lit(&args, "{\"Input Dims\":[");
	buf_add(&args, row->dims, strlen(row->dims));
	buf_lit(&args, "],\"Input type\":[");
	add_types(&args, row->types);
	buf_lit(&args, "],\"Concrete Inputs\":[");
	add_concrete(&args, row->concrete);
	buf_lit(&args, "]}");
	scan_pad(&args);
	known = rule && op_call_read(&call, buf_str(&args)) && op_rules_compute(rule, &call, cost);
	buf_free(&args);
	return known;
}

/* Each rule has a row, except that of vllm::moe_forward, which needs facts. */
static void test_rows(void)
{
	static bool tested[256];
	struct op_cost cost;
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		tested[op_rules_find(str_of(rows[i].name)) - op_rules] = true;
		if (!compute(&rows[i], &cost) || cost.all.flops != rows[i].flops || cost.all.bytes != rows[i].bytes)
			printf("%s %s: %lld %lld\n", rows[i].name, rows[i].dims, (long long)cost.all.flops,
			    (long long)cost.all.bytes);
		CHECK(compute(&rows[i], &cost));
		CHECK_INT(cost.all.flops, rows[i].flops);
		CHECK_INT(cost.all.bytes, rows[i].bytes);
	}
	for (i = 0; i < n_op_rules; i++)
		CHECK(tested[i] || op_rule_is_moe(&op_rules[i]));
}

/* Shapes that do not fit, are unknown or too large have no model, or no bytes. */
static void test_unknown(void)
{
	static const struct row bad[] = {
	    {"aten::mm", "[2,3],[4,5]", "f,f", "", 0, 0},
	    {"aten::mm", "[2,3]", "f", "", 0, 0},
	    {"aten::mm", "[4000000000,4000000000],[4000000000,4000000000]", "f,f", "", 0, 0},
	    {"aten::mm", "[-2,3],[3,4]", "f,f", "", 0, 0},
	    {"aten::mm", "[[2,3],[2,3]],[3,4]", "f,f", "", 0, 0},
	    {"aten::add", "[2,3],[4]", "f,f", "", 0, 0},
	    {"aten::sum", "[1,1,1,1,1,1,1,1,1]", "f", "", 0, 0},
	    {"aten::convolution", "[1,2,5],[4,2,3],[]", "f,f,", "", 0, 0},
	    {"aten::layer_norm", "[2,3],[]", "f,L", ",\"[0]\"", 0, 0},
	    {"triton_poi_fused_0", "[32],[32]", "f,f", "", 0, 0},
	    {"triton_red_fused_0", "[32],[32],[]", "f,f,S", ",,\"8\"", 0, 0},
	    {"vllm::rocm_aiter_fused_moe", "[1,4],[4,8,4],[4,4,8],[1,9],[1,9]", "f,f,f,f,i", "", 0, 0},
	};
	static const struct row untyped = {"aten::mm", "[2,3],[3,4]", "f,", "", 0, 0};
	struct op_cost cost;
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!compute(&bad[i], &cost));
	CHECK(compute(&untyped, &cost));
	CHECK_INT(cost.all.flops, 48);
	CHECK_INT(cost.all.bytes, -1);
	CHECK(!op_rules_find(STR("aten::mm_")));
	CHECK(!op_rules_find(STR("triton_tem_fused_mm_0")));
}

/* Attention from the sums of a step: 2 requests in prefill, 3 in generation. */
static void test_step(void)
{
	static const struct row row = {
	    "vllm::unified_attention_with_output", "[9,2,4],[9,1,4],[9,1,4]", "bf,bf,bf", "", 0, 0};
	struct step_marks marks = {0};
	struct op_cost cost;

	step_marks_add(&marks, STR("execute_9_context_2(sq6sk10sqsq18sqsk30)_generation_3(sq3sk40sqsq3sqsk40)"), 5);
	step_marks_add(&marks, STR("step[DECODE bs=3]"), 6);
	step_marks_add(&marks, STR("step[DECODE bs=3 g_sqsq=3 g_sqsk=40 g_sk=40]"), 8);
	step_marks_add(&marks, STR("step[EXTEND bs=2 toks=6 c_sqsq=18 c_sqsk=30 c_sk=10]"), 9);
	step_marks_add(&marks,
	    STR("step[MIXED bs=5 c=2 g=3 c_sq=6 c_sk=10 c_sqsq=18 c_sqsk=30 g_sq=3 g_sk=40 g_sqsq=3 g_sqsk=40]"), 10);
	step_marks_add(&marks, STR("decode[bs=3/4 tok=3 d=3 sqsq=3 sqsk=40 sk=40]"), 11);
	CHECK(!step_marks_find(&marks, 4));
	CHECK(compute(&row, &cost) && cost.by_step);
	op_cost_of_step(&cost, step_marks_find(&marks, 7));
	CHECK_INT(cost.all.flops, 2 * 8 * (2 * 30 - 18 + 2 * 40));
	CHECK_INT(cost.all.bytes, 9 * 3 * 8 * 2 + (50 - 9) * 8 * 2);
	op_cost_of_step(&cost, step_marks_find(&marks, 8));
	CHECK_INT(cost.all.flops, 2 * 8 * 2 * 40);
	op_cost_of_step(&cost, step_marks_find(&marks, 9));
	CHECK_INT(cost.all.flops, 2 * 8 * (2 * 30 - 18));
	op_cost_of_step(&cost, step_marks_find(&marks, 10));
	CHECK_INT(cost.all.flops, 2 * 8 * (2 * 30 - 18 + 2 * 40));
	op_cost_of_step(&cost, step_marks_find(&marks, 99));
	CHECK_INT(cost.all.bytes, 3 * 3 * 8 * 2 + (40 - 3) * 8 * 2);
	step_marks_free(&marks);
}

void unit_test(void)
{
	test_rows();
	test_unknown();
	test_step();
}
