#!/bin/sh
# kernel-names.t: the classes of kernels by name (lib/device/kernel-names.tsv) in all programs that use them; rules of a
# user's own.
. "${0%/*}/lib.sh"

# classes: prints CLASS/OPERATION/MATRIX of each line.
mkdir bin
cat >bin/classes <<'E'
#!/bin/sh
jq -Rc '{kind: "kernel", name: .}' |
	derive "$@" 'class=kernel_class(name)' 'op=kernel_op(name)' 'matrix=kernel_matrix(name)' |
	jq -r '.class + "/" + (.op // "") + "/" + .matrix'
E
chmod +x bin/classes
PATH=$PWD/bin:$PATH

# Mistakes that other lists of names make: ignored case, substrings, words of template arguments.
cat >names <<'E'
elementwise/elementwise/no <- void at::native::vectorized_elementwise_kernel<4, at::native::sign_kernel_cuda(at::TensorIteratorBase&)::{lambda()#1}>
gemm/grouped/yes <- bmm_E4m3_E4m3E4m3_Fp32_bN_tma_t128x16x128
memory/transpose/no <- void cudnn::ops::tensorTransformGeneric<float>
elementwise/elementwise/no <- void at::native::vectorized_elementwise_kernel<4, at::native::MulScalarFunctor<float> >
other//unknown <- triton__0d1d2d3
elementwise/resample/no <- void dali::kernels::warp::BatchWarpUniformSize<float>
norm/rms/no <- _rms_norm_fwd_kernel
norm/layer/no <- void layer_norm::ln_fwd_kernel<layer_norm::Kernel_traits<float> >
gemm/splitk_reduce/no <- void xmma_cudnn::gemm::split_k_kernel<xmma_cudnn::implicit_gemm::wgrad_indexed::Kernel_traits<xmma_cudnn::Ampere_hmma_tf32_traits<unsigned int, float> > >
conv/helper/no <- void xmma_cudnn::implicit_gemm::strided_dgrad_indexed::kernel_helper_stage_1<xmma_cudnn::Ampere_hmma_fp32_traits>
elementwise/fused/no <- triton_poi_fused_addmm_gelu_view_3
elementwise/fused/no <- triton_poi_fused__scaled_dot_product_flash_attention_cat_2
elementwise/dropout/no <- void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float, at::PhiloxCudaState>
memory/fill/no <- void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >
attention/helper/no <- void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128> >
moe/combine/no <- void moe::dev::finalize::finalizeKernel<float>
memory/index/no <- void at::native::vectorized_gather_kernel<16, long>
reduce/reduce/no <- void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float> > >
norm/group/no <- groupnorm_kernel_dispatch_down
memory/copy/no <- __amd_rocclr_copyBuffer
gemm/gemm/no <- sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3_warpsize1x2x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas
attention/helper/no <- void cutlass::device_kernel<flash::FlashAttnFwdCombine<cute::tuple<int> > >
attention/helper/no <- void cudnn::fusion::compute_dot_do_o_specialized<true, 64>(void const*)
conv/helper/no <- void cask_plugin__5x_cudnn::xmma__5x_cudnn::init_device_workspace_kernel<xmma__5x_cudnn::implicit_gemm::wgrad_indexed::Kernel_traits>
conv/forward/no <- sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nchw_tilesize32x32x8_stage3_warpsize1x2x1_g1_ffma_aligna4_execute_kernel__5x_cudnn
memory/transpose/no <- void deep_gemm::transpose_fp32<512u, 64u, 56u>(float const*)
elementwise/rope/no <- _rope_embedding
elementwise/fused/no <- triton_poi_fused_add_one_shot_all_reduce_mul_3
gemm/gemm/yes <- _ZN7cutlass13device_kernelINS_4gemm6kernel13GemmUniversalIN4cute5tupleIJiiiEEEEEEvNT_6ParamsE
comm/all_reduce/no <- void fbgemm_gpu::one_shot_all_reduce<4, false>(int)
comm/all_reduce/no <- void tensorrt_llm::kernels::lowPrecisionTwoShotHierarchyAllReduceKernel<__nv_bfloat16, 8>(Params)
comm/ep_dispatch/no <- void uccl::internode_ll::dispatch<true, 10, 3, 7168>(void*)
comm/ep_notify/no <- void deep_ep::intranode::cached_notify_combine<8>(void**, int*, int)
comm/ep_dispatch/no <- void dpsk::ep::internode::dispatch<false, 4>(int4*)
comm/all_reduce/no <- _ZN5aiter26cross_device_reduce_1stageIDF16bLi8EEEvv
comm/any/no <- mscclKernel_Sum_float_LL_false(ncclDevComm*, mscclAlgo*, mscclWork*)
comm/all_gather/no <- mscclpp::collective::allgatherFullmesh2
comm/all_reduce/no <- mori::collective::ReduceScatterAllGatherFusedKernel
E
check 'names that contain words of other classes' 0 'sed "s/.* <- //" names | classes >found
	sed "s/ <- .*//" names | diff - found' </dev/null

# Prints the names whose class is not that of the shared list. Exact: communication, and what may use matrix units.
if need_shared golden/kernel-names/names.csv; then
	cat >compare.py <<'E'
import csv, json, subprocess, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
names = "".join(json.dumps({"kind": "kernel", "name": row["name"]}) + "\n" for row in rows)
found = subprocess.run(["derive", "class=kernel_class(name)", "op=default(kernel_op(name),'')", "matrix=kernel_matrix(name)"],
                       input=names, capture_output=True, text=True, check=True).stdout.splitlines()
rest, classes, operations = 0, 0, 0
for row, got in zip(rows, map(json.loads, found), strict=True):
    right = got["class"] == row["class"], got["op"] == row["operation"], got["matrix"] == row["matrix"]
    exact = row["class"] == "comm" or row["class"] in ("gemm", "attention", "conv") and row["matrix"] != "unknown"
    if (exact and not all(right)) or (got["class"] == "comm") != (row["class"] == "comm"):
        print(row["name"], row["class"], row["operation"], row["matrix"], got["class"], got["op"], got["matrix"])
    if not exact:
        rest, classes, operations = rest + 1, classes + right[0], operations + (right[0] and right[1])
print("classes", classes >= 0.98 * rest, "operations", operations >= 0.97 * rest)
E
	check 'the shared list of names: what must be equal, and the rest' 0 \
		'python3 compare.py "$SHARED/golden/kernel-names/names.csv"' <<'E'
classes True operations True
E
fi
check 'at most 220 rules' 0 '[ "$(grep -c "^[^#]" "$ROOT/lib/device/kernel-names.tsv")" -le 220 ]' </dev/null
check 'derive prints the line that matched' 0 \
	'echo "{\"name\":\"volta_sgemm_64x64_nn\"}" | derive "rule=kernel_rule(name)" | jq -r .rule >line
	grep -cFx -f line "$ROOT/lib/device/kernel-names.tsv"
	echo "{\"name\":\"zzz\"}" | derive "class=kernel_class(name)" "op=kernel_op(name)" "rule=kernel_rule(name)"
	echo "{\"name\":7}" | derive "class=kernel_class(name)" "m=kernel_matrix(str(name)+'\''x'\'')"' <<'E'
1
{"name":"zzz","class":"other"}
{"name":7,"class":"other","m":"unknown"}
E

# --- rules of a user

printf '# mine\n\n^my_(ring|tree)_all_reduce\tcomm\tall_reduce\tno\tmine\t1.0\nsgemm\tother\n' >mine.tsv
printf '^my_gemm\tgemm\t\tyes\r\n!default\n' >only.tsv
cat >mine <<'E'
void my_ring_all_reduce<float>
my_ring_all_reduce
my_gemm
volta_sgemm_64x64_nn
ncclDevKernel_SendRecv
E
check 'rules of a file precede the built-in ones, unless it ends with !default' 0 \
	'classes --kernel-names mine.tsv <mine; echo; classes --kernel-names only.tsv <mine' <<'E'
reduce/reduce/no
comm/all_reduce/no
gemm/gemm/unknown
other//unknown
comm/send_recv/no

other//unknown
other//unknown
gemm//yes
other//unknown
other//unknown
E
check 'the environment variable names a file; the option is stronger' 0 '
	export TRACEFILTERS_KERNEL_NAMES=only.tsv
	sed -n 3p mine | classes; sed -n 3p mine | classes --kernel-names mine.tsv
	TRACEFILTERS_KERNEL_NAMES= ; sed -n 3p mine | classes' <<'E'
gemm//yes
gemm/gemm/unknown
gemm/gemm/unknown
E
cat >k <<'E'
{"ts":0,"dur":5,"kind":"kernel","name":"my_ring_all_reduce","dev":0}
{"ts":5,"dur":3,"kind":"kernel","name":"hipMemcpyAsync","dev":0}
E
check 'gpu-busy and gpu-exposed use the rules of the file' 0 '
	gpu-busy --quiet k | jq -c "[.compute_time, .comm_time, .memory_time]"
	gpu-busy --quiet --kernel-names mine.tsv k | jq -c "[.compute_time, .comm_time, .memory_time]"
	gpu-exposed --kernel-names mine.tsv k
	gpu-busy --quiet --kernel-names mine.tsv --other my_ k | jq -c "[.comm_time, .other_time]"' <<'E'
[5,0,3]
[0,5,3]
{"dur":5,"kind":"gpu-exposed","dev":0,"short":"my_ring_all_reduce","count":1,"share":1}
[0,5]
E

# A wrong file ends each program with status 2.
printf 'good\tcomm\nbad\tcom\n' >class.tsv
printf 'good\tcomm\t\tmaybe\n' >matrix.tsv
printf '(\tcomm\n' >regex.tsv
printf 'comm\n' >tab.tsv
printf '!default\ngood\tcomm\n' >after.tsv
printf '# nothing\n' >empty.tsv
cat >unknown.nd <<'E'
{"ts":1,"dur":100,"kind":"kernel","name":"void zorch_step<float>(int)","dev":0,"stream":1}
{"ts":200,"dur":60,"kind":"kernel","name":"ampere_sgemm_tf32_s1688_nn","dev":0,"stream":1}
{"ts":300,"dur":40,"kind":"kernel","name":"kernel_unified_attention_2d","dev":0,"stream":1}
E
printf 'zorch_step\tcomm\tall_reduce\tno\tmine\t\n' >zorch.tsv
check 'trace-report names a kernel without a class, and says how much of the matrix units is known' 0 '
	trace-report unknown.nd | grep -e "^no rule" -e "Tensor Cores"
	trace-report -o md unknown.nd | grep -o -e "No rule.*computing" -e "tabs: .*the class"
	trace-report --kernel-names zorch.tsv unknown.nd |
		grep -i -e "no rule" -e "Tensor Cores" -e " compute "' <<'E'
GPU busy 59.0 %   Tensor Cores at least 30.0 %   at most 100.0 %
no rule knows void zorch_step<float>(int) (50 %): see KERNEL NAMES in derive(1)
No rule says what `void zorch_step<float>(int)` does, so it counts as computing
tabs: `zorch_step`, the class
# compute 29%  = communication 29%  - copies 0%  : pauses 0%  _ unknown 41%
GPU busy 59.0 %   Tensor Cores at least 30.0 %   at most 50.0 %
E
check 'a wrong line: its place and what is wrong' 2 \
	'for f in class matrix regex tab after empty; do derive --kernel-names $f.tsv x=1 mine; done' <<'E'
--- stderr
derive: class.tsv:2: unknown class; the classes are comm gemm attention conv norm reduce elementwise memory embedding moe optimizer sort sampling other
derive: matrix.tsv:1: the third column after the expression (matrix units) is not yes, no or -
derive: regex.tsv:1: unmatched ( or \(
derive: tab.tsv:1: missing tab between expression and label
derive: after.tsv:2: rule after the line that ends the rules
derive: empty.tsv: no rule
E
check 'a folder, a missing file, an empty file' 2 \
	': >nothing; for f in . absent nothing; do TRACEFILTERS_KERNEL_NAMES=$f gpu-busy k; done' <<'E'
--- stderr
gpu-busy: .: cannot read: Is a directory
gpu-busy: absent: cannot open: No such file or directory
gpu-busy: nothing: no rule
E

# --- the generated trace with expert parallelism

if need_shared gen/gen_moe.py; then
	check 'gpu-busy finds the truth of gen_moe.py' 0 'python3 "$SHARED/gen/gen_moe.py" moe.json --seed 1 >/dev/null
		trace2ndjson moe.json | ts-sort >moe.nd
		gpu-busy --quiet --whole moe.nd | jq -c "[.compute_time, .comm_time, .overlap_time, .idle]"
		jq -c "[.compute, .comm, .comm_hidden, .idle]" moe.truth.json
		derive -w kind==kernel "m=kernel_matrix(name)" moe.nd | groupby -g m -f dur -a sum |
			jq -c "select(.m == \"yes\") | .dur_sum"
		jq .matrix_time moe.truth.json
		# The report: calls a step and total time of each operation.
		trace-report -o ndjson moe.json 2>/dev/null |
			jq -c "select(.section? == \"exposed\") | [.collective, .total_sum, .step_calls]" | sort >found
		jq -c ".by_operation | to_entries[] | [.key, .value.time, .value.calls / 2]" moe.truth.json | sort | diff found -
		grep -c ep_ found' <<'E'
[37531843,32056181,28417736,341795]
[37531843,32056181,28417736,341795]
34967611
34967611
4
E
fi
cat >quotes.nd <<'E'
{"ts":10,"dur":1,"kind":"op","name":"\"ncclKernel_AllReduce\\\u00e9"}
E
check 'a name that begins with a quote, as JSON and as a text' 0 '
	derive "a=kernel_class(name)" "b=kernel_class(name+'"''"')" "c=kernel_op(sub(name,'"'x',''"'))" quotes.nd
	ndjson2svg quotes.nd | grep -c "</svg>"' <<'E'
{"ts":10,"dur":1,"kind":"op","name":"\"ncclKernel_AllReduce\\\u00e9","a":"comm","b":"comm","c":"all_reduce"}
1
E

finish
