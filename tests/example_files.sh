# example_files.sh: writes to the current folder the files that the examples in pages use, except those in tests/data.
# Tests that run examples source this file after lib.sh.
# shellcheck shell=sh

gzip -c "$DATA/train.pt.trace.json" >run.json.gz
sed 's/"dur": 38.181/"dur": 48.181/' "$DATA/train.pt.trace.json" | gzip -c >after.json.gz
cp run.json.gz rank-0.json.gz
cp run.json.gz rank-1.json.gz
cp "$DATA/train.nsys.json" report.json
# A graph of one kernel: its capture inside an operator, and two replays.
cat <<'E' | gzip -c >capture.json.gz
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30, "args": {"Input Dims": [[8, 4], [4, 2]]}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipStreamBeginCapture", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "args": {"correlation": 2, "kernel": "gemm"}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipStreamEndCapture", "pid": 1, "tid": 1, "ts": 50, "dur": 2, "args": {"correlation": 3}}]}
E
cat <<'E' | gzip -c >serve.json.gz
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "execute_context_1(64)_generation_0(0)", "pid": 1, "tid": 1, "ts": 99, "dur": 8},
{"ph": "X", "cat": "user_annotation", "name": "execute_context_0(0)_generation_4(4)", "pid": 1, "tid": 1, "ts": 199, "dur": 8},
{"ph": "X", "cat": "cuda_runtime", "name": "hipGraphLaunch", "pid": 1, "tid": 1, "ts": 100, "dur": 5, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 3, "ts": 110, "dur": 8, "args": {"correlation": 7, "device": 0, "stream": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipGraphLaunch", "pid": 1, "tid": 1, "ts": 200, "dur": 5, "args": {"correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 3, "ts": 210, "dur": 9, "args": {"correlation": 8, "device": 0, "stream": 3}}]}
E
gzip -dc serve.json.gz | sed 's/execute_context_1[^"]*/serve req=1 new=64/; s/execute_context_0[^"]*/serve req=4 new=4/' |
	gzip -c >own.json.gz
cat <<'E' | gzip -c >arrows.json.gz
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 100, "dur": 5, "args": {}},
{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 1, "tid": 1, "ts": 100},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 110, "dur": 8, "args": {"device": 0, "stream": 7}},
{"ph": "f", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 110, "bp": "e"}]}
E
# A step of two layers, recorded with with_stack=True and profile_memory=True: loading of data, forward, a compiled region,
# backward on its own thread, and a line that waits for the device.
step() { # step CATEGORY TID TS DUR NAME [ARGS]
	printf '{"ph":"X","pid":1,"cat":"%s","tid":%s,"ts":%s,"dur":%s,"name":"%s","args":{%s}},\n' "$@"
}
kernel() { # kernel TID TS DUR CORRELATION: a launch, and 10 us later its kernel
	step cuda_runtime "$1" "$2" 5 cudaLaunchKernel "\"correlation\": $4"
	step kernel 7 "$(($2 + 10))" "$3" gemm "\"correlation\": $4, \"device\": 0, \"stream\": 7"
}
allocate() { # allocate TS BYTES TOTAL
	printf '{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":%s,"args":{"Bytes":%s,' "$1" "$2"
	printf '"Total Allocated":%s,"Total Reserved":4096,"Device Type":1,"Device Id":0}},\n' "$3"
}
{
	echo '{"traceEvents": ['
	step user_annotation 1 0 500 'ProfilerStep#1' ''
	step user_annotation 1 5 95 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__' ''
	step python_function 1 110 90 'train.py(12): forward' '"Python id": 1'
	for layer in 0 1; do
		at=$((112 + layer * 43))
		step python_function 1 $at 40 "nn.Module: Linear_$layer" '"Python id": 2'
		step cpu_op 1 $((at + 3)) 30 aten::addmm "\"Sequence number\": $((layer + 7))"
		kernel 1 $((at + 8)) $((layer * 4 + 8)) $((layer + 2))
		allocate $((at + 5)) $((layer * 512 + 512)) $((layer * 1024 + 512))
		back=$((240 + (1 - layer) * 50))
		step cpu_op 9 $back 40 'autograd::engine::evaluate_function: AddmmBackward0' \
			"\"Sequence number\": $((layer + 7)), \"Fwd thread id\": 1"
		step cpu_op 9 $((back + 5)) 20 aten::mm ''
		kernel 9 $((back + 10)) $((layer * 10 + 10)) $((layer + 4))
	done
	step cpu_op 1 205 20 'Torch-Compiled Region: 0/0' ''
	step cpu_op 1 226 9 'Torch-Compiled Region: 0/1' ''
	step cpu_op 1 206 3 'TorchDynamo Cache Lookup' ''
	step python_function 1 395 60 'train.py(20): log' '"Python id": 3'
	step cpu_op 1 400 50 aten::item ''
	allocate 402 -512 1024
	step cuda_runtime 1 410 30 cudaStreamSynchronize '"correlation": 9'
	echo '{"ph":"M","name":"process_name","pid":1,"args":{"name":"python3"}}]}'
} | gzip -c >stacks.json.gz
# A compiled graph of two matrix products and a kernel with two source lines: its log, and a trace of one call of it.
log_record() { # log_record MEMBERS: a record of a log of torch.compile whose payload is the input
	payload=$(cat)
	printf 'V0819 12:42:50.385000 7 torch/_inductor/graph.py:5] {%s, "has_payload": "%s"}\n' \
		"$1" "$(printf %s "$payload" | md5sum | cut -d ' ' -f 1)"
	printf '%s\n' "$payload" | sed 's/^/	/'
}
frame='"frame_id": 0, "frame_compile_id": 0, "attempt": 0'
{
	log_record "\"inductor_output_code\": {\"filename\": \"/tmp/c.py\"}, $frame" <<'E'
# kernel path: /tmp/torchinductor_me/ab/cab.py
triton_poi_fused_add_relu_0 = async_compile.triton('triton_poi_fused_add_relu_0', '')

def call(args):
    # [Provenance debug handles] extern_kernels.mm:2
    # [Provenance debug handles] triton_poi_fused_add_relu_0:1
    # [Provenance debug handles] extern_kernels.mm:3
E
	log_record "\"artifact\": {\"name\": \"inductor_provenance_tracking_node_mappings\", \"encoding\": \"json\"}, $frame" <<'E'
{"cppCodeToPost": {"triton_poi_fused_add_relu_0:1": ["add", "relu"], "extern_kernels.mm:2": ["mm"], "extern_kernels.mm:3": ["mm_1"]},
"postToPre": {"add": ["y"], "relu": ["z", "y"], "mm": ["x"], "mm_1": ["out"]}, "version": 2.0}
E
	log_record "\"artifact\": {\"name\": \"inductor_provenance_tracking_kernel_stack_traces\", \"encoding\": \"json\"}, $frame" <<'E'
{"triton_poi_fused_add_relu_0:1": ["  File \"/a/model.py\", line 9, in forward\n    z = relu(y)\n",
"File \"/a/train.py\", line 3, in step\\n    m(x)\\n  File \"/a/model.py\", line 8, in forward\\n    y = x + 1"],
"extern_kernels.mm:2": ["  File \"/a/model.py\", line 7, in forward\n    x = a @ b\n"],
"extern_kernels.mm:3": ["  File \"/a/model.py\", line 10, in forward\n    out = z @ b\n"]}
E
} >compile.log
launch() { # launch TS OPERATOR KERNEL [ARGS]: an operator with a launch, and later its kernel
	step cpu_op 1 "$1" 15 "$2" "${4-}"
	step cuda_runtime 1 $(($1 + 5)) 2 cudaLaunchKernel "\"correlation\": $1"
	step kernel 7 $(($1 + 200)) 10 "$3" "\"correlation\": $1, \"device\": 0, \"stream\": 7"
}
{
	echo '{"traceEvents": ['
	step cpu_op 1 100 100 'Torch-Compiled Region: 0/0' ''
	step user_annotation 1 105 90 '## Call CompiledFxGraph None ##' ''
	launch 110 aten::mm gemm_kernel
	launch 130 triton_poi_fused_add_relu_0 triton_poi_fused_add_relu_0 '"kernel_file": "/x/ab/cab.py"'
	launch 150 aten::mm gemm_kernel
	launch 210 aten::mm gemm_kernel
	echo '{"ph":"M","name":"process_name","pid":1,"args":{"name":"python3"}}]}'
} | gzip -c >compiled.json.gz
cat >power.ndjson <<'E'
{"ts":0,"kind":"counter","name":"GPU 0 Power (W)","dev":0,"args":{"value":300}}
{"ts":500000000,"kind":"counter","name":"GPU 0 Power (W)","dev":0,"args":{"value":400}}
{"ts":1000000000,"kind":"counter","name":"GPU 0 Power (W)","dev":0,"args":{"value":100}}
E
mkdir -p captures && cp capture.json.gz captures/
mkdir -p traces/run1/node0 && cp run.json.gz traces/run1/node0/
for rank in 0 1 2 3 4 5 6 7 8 9; do
	echo '{"kind":"catalog","run":"r1","health":"ok","steps":9,"rank":'$rank',"step_p50":'$((1000000 + rank * 100 + (rank == 4) * 200000))'}'
done >catalogue.ndjson
for worker in 0 1 2 3 4 5 6 7 8 9; do
	echo '{"stage":0,"worker":'$worker',"dur":'$((1000 + worker % 3 + (worker == 4) * 900))'}'
done >operations.ndjson
cp -r "$DATA/dumps" .
# A program mail that sends nothing.
mkdir -p programs
printf '#!/bin/sh\ncat >mail.sent\n' >programs/mail
chmod +x programs/mail
PATH=$PWD/programs:$PATH
cp "$DATA/tiny.dvdt.out" prog.out
cp "$DATA/report/dlrm.ndjson" report.ndjson
printf 'my_exchange\tcomm\tall_to_all\tno\n' >my-kernels.tsv
mkdir -p my-report.d
cat >my-report.d/kernels.section <<'E'
section kernels
table trace2ndjson -k kernel --{files:words} | groupby -g name
title Kernels
sum time = dur_sum
columns name name Kernel | dur_sum time Time
lines 5

verdict kernels
weight 1
text Kernels run for {time:time}.
E
cat >streams.ndjson <<'E'
{"ts":100,"dur":50,"kind":"kernel","name":"gemm","stream":7}
{"ts":170,"dur":20,"kind":"kernel","name":"relu","stream":7}
{"ts":180,"dur":90,"kind":"kernel","name":"gemm","stream":20}
E
cat >classes.ndjson <<'E'
{"name":"gemm","class":"matrix product"}
{"name":"ampere_sgemm_32x128_nt","class":"matrix product"}
E
cat >streams.report.ndjson <<'E'
{"kind":"report/verdict","title":"run.json.gz","text":"Two streams are busy"}
{"kind":"report/section","id":"streams","title":"Streams","columns":[{"name":"stream","title":"Stream","unit":"int"},{"name":"busy","title":"Busy (ms)","unit":"ms.1"}]}
{"kind":"report/row","section":"streams","stream":7,"busy":392140000}
{"kind":"report/row","section":"streams","stream":21,"busy":163535000}
E
cat >verbose.log <<'E'
onednn_verbose,v1,info,oneDNN v3.7.1 (commit abc)
onednn_verbose,v1,info,cpu,isa:Intel AVX2
onednn_verbose,v1,primitive,exec,cpu,matmul,brg:avx2,undef,src:f32::blocked:a::f0,,,4x4:4x4,6
onednn_verbose,v1,primitive,exec,cpu,lrn,ref:any,undef,src:f32::blocked:a::f0,,,2x2,1
E
cat >samples.txt <<'E'
train  100 10.000000:     250000 cpu-clock:
	            1000 gemm+0x10 (/usr/lib/libblas.so)
	            2000 main+0x20 (/usr/bin/train)

train  100 10.001000:     250000 cpu-clock:
	            2000 main+0x20 (/usr/bin/train)

E
cat >profile.txt <<'E'
-----------  ------------  ------------  ------------  ------------  ------------  ------------
       Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls
-----------  ------------  ------------  ------------  ------------  ------------  ------------
   aten::mm        90.00%     900.000us        95.00%     950.000us     475.000us             2
  aten::add        10.00%     100.000us        10.00%     100.000us     100.000us             1
-----------  ------------  ------------  ------------  ------------  ------------  ------------
Self CPU time total: 1.000ms
E
# One kernel of PlaidML, with its program, build, device and platform, and two runs of it.
cat >eventlog.ndjson <<'E'
{"kind":"platforminfo","name":"OpenCL","id":5,"args":{"name":"OpenCL","version":"OpenCL 1.2"}}
{"kind":"deviceinfo","name":"GPU 1","id":4,"parent":5,"args":{"type":2,"name":"GPU 1","max_compute_units":8,"platform":5}}
{"kind":"programinfo","name":"c4_sdk","id":2,"args":{"alloc_sizes":[{"size":512,"count":4},{"size":4,"count":1}],"tmp_sizes":[{"size":512,"count":6},{"size":4,"count":2}],"code":"function (A[M, K], B[K, N]) -> (C) {\n  C[m, n : M, N] = +(A[m, k] * B[k, n]);\n}\n"}}
{"kind":"buildinfo","id":1,"parent":2,"args":{"device":4,"src":"kernel void kernel_c4_sdk_2(global float* C) {}\n"}}
{"kind":"kernelinfo","name":"kernel_c4_sdk_2","id":3,"args":{"build":1,"program":2,"src":"kernel void kernel_c4_sdk_2(global float* C) {}\n"}}
{"ts":100,"dur":50,"kind":"kernel","name":"kernel_c4_sdk_2","cat":"tile::hal::opencl::Executing","dev":0,"id":6,"parent":9,"args":{"kernel":3}}
{"ts":200,"dur":70,"kind":"kernel","name":"kernel_c4_sdk_2","cat":"tile::hal::opencl::Executing","dev":0,"id":7,"parent":9,"args":{"kernel":3}}
E
echo 'flags : fpu sse2 avx2 avx512f avx_vnni' >cpuinfo
