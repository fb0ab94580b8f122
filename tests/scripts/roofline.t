#!/bin/sh
# roofline.t: roofline, with a trace of a step on an H100, and one of a graph on a device without a name.
. "${0%/*}/../lib.sh"

# launch TS CORR START DUR NAME [KIND]: a call, and its device record.
launch() {
	echo '{"ts":'"$1"',"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":'"$2"'}'
	printf '{"ts":%s,"dur":%s,"kind":"%s","name":"%s",' "$3" "$4" "${6-kernel}" "$5"
	echo '"dev":0,"stream":7,"corr":'"$2"'}'
}
# op TS DUR NAME DIMS TYPE: an operator, all of whose arguments have one type.
op() {
	types=$(echo "$4" | sed 's/\[[^]]*\]/"'"$5"'"/g')
	printf '{"ts":%s,"dur":%s,"kind":"op","name":"%s","pid":1,"tid":1,' "$1" "$2" "$3"
	echo '"args":{"Input Dims":['"$4"'],"Input type":['"$types"']}}'
}
# device NAME SMS BYTES
device() {
	printf '{"kind":"meta","name":"deviceProperties","args":{"value":['
	echo '{"id":0,"name":"'"$1"'","numSms":'"$2"',"totalGlobalMem":'"$3"'}]}}'
}
{
	device 'NVIDIA H100 80GB HBM3' 132 85018279936
	echo '{"ts":0,"dur":99000,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}'
	# Two calls with two kernels, and one with another kernel; 2 x 512^3 operations each, 1.5 MiB.
	for i in 1 2 3; do
		op ${i}000 900 aten::linear '[512,512],[512,512],[]' c10::BFloat16
		op ${i}100 500 aten::mm '[512,512],[512,512]' c10::BFloat16
		[ $i = 3 ] || launch ${i}110 ${i}1 ${i}2000 1000 gemm
		[ $i = 3 ] || launch ${i}120 ${i}2 ${i}3000 500 splitKreduce_kernel
		[ $i != 3 ] || launch ${i}110 ${i}1 ${i}2000 2000 gemm
	done
	# 3 MiB in 0.5 us are above the peak of 3.35 TB/s, but fit in the cache; 60 MB in 10 us do not.
	op 4000 500 aten::add '[512,1024],[512,1024]' c10::BFloat16
	launch 4100 41 42000 500 vectorized_elementwise_kernel
	op 5000 500 aten::add '[5000,2000],[5000,2000]' c10::BFloat16
	launch 5100 51 52000 10000 vectorized_elementwise_kernel
	op 6000 500 aten::gelu '[512,1024]' c10::BFloat16
	launch 6100 61 72000 3000 gelu_kernel
	op 7000 500 aten::copy_ '[512,1024],[512,1024]' float
	launch 7100 71 82000 1000 'Memcpy DtoH' memcpy
} | ts-sort >trace
check 'shapes, sets of kernels, shares and figures above the peak' 0 '
	roofline -o ndjson trace |
		ndjson2table -o csv -f op,kernel,calls,dur,flops,bytes,peak,bound,share,saves,verdict' <<'E'
op,kernel,calls,dur,flops,bytes,peak,bound,share,saves,verdict
aten::add,vectorized_elementwise_kernel,1,10000,10000000,60000000,vector,memory,,,above memory peak
aten::mm,gemm + splitKreduce_kernel,2,3000,536870912,3145728,bf16,memory,0.31300776119402984,2061,
aten::mm,gemm,1,2000,268435456,1572864,bf16,memory,0.23475582089552238,1530,
aten::add,vectorized_elementwise_kernel,1,500,524288,3145728,vector,memory,,,above memory peak
E
check 'sentences' 0 'roofline -t 1 trace | tail -n +3' <<'E'

Peaks: 989.4 TFLOP/s bf16, 66.9 TFLOP/s vector, 3.35 TB/s, of the data sheet of the H100 SXM.
MFU at least 1.15 % of the time from the first to the last work of the device.
15.4 % of the device time has no model: aten::gelu 15.4 %.
aten::add: 1 call at 6.00 TB/s, above memory peak: the model is wrong for these calls.
aten::add: 1 call at 6.29 TB/s, above memory peak: the data came from a cache, or the model is wrong.
E
check 'a reader that ends early' 0 'roofline trace | head -n 1 | cut -c 1-2' <<'E'
op
E
check 'an unknown device has no shares' 0 '
	sed s/H100/X9/ trace | roofline -t 1 - | tail -n +3
	sed s/H100/X9/ trace | roofline -o ndjson - |
		ndjson2table -o csv -f op,bound,share --quiet | head -2' <<'E'

No peaks are known for NVIDIA X9 80GB HBM3; give them with --peak FLOPS,BANDWIDTH.
15.4 % of the device time has no model: aten::gelu 15.4 %.
op,bound,share
aten::add,,
E
{
	cat trace
	op 8000 500 aten::copy_ '[512,1024],[512,1024]' float
	launch 8100 81 92000 1000 copy_kernel
} | sed s/H100/X9/ >copied
check 'an unknown device has no shares of operators without operations' 0 '
	roofline -o ndjson copied | filter-calls -w op==aten::copy_ |
		ndjson2table --quiet -o csv -f op,bound,share,saves' <<'E'
op,bound,share,saves
aten::copy_,,,
E
check '--peak' 0 'roofline --peak 1T,1G -o ndjson trace | ndjson2table -o csv -f op,bound,verdict' <<'E'
op,bound,verdict
aten::add,memory,above memory peak
aten::mm,memory,above memory peak
aten::mm,memory,above memory peak
aten::add,memory,above memory peak
E
check 'kernels with tf32 in their names, and other products of fp32 with --tf32' 0 '
	sed "s/c10::BFloat16/float/g; s/\"gemm\"/\"gemm_f32f32_tf32f32_f32\"/" trace >named
	sed "s/c10::BFloat16/float/g" trace >silent
	for one in named "--tf32 silent" silent; do
		roofline -o ndjson $one | filter-calls -w op==aten::mm | ndjson2table -o csv -f op,peak
	done' <<'E'
op,peak
aten::mm,tf32
aten::mm,tf32
op,peak
aten::mm,tf32
aten::mm,tf32
op,peak
aten::mm,fp32
aten::mm,fp32
E
check 'the time between two files does not count' 0 '
	sed "s/\"ts\":/&9/; s/\"corr\":/&9/" trace >later
	roofline trace | grep MFU && roofline trace later | grep MFU' <<'E'
MFU at least 1.15 % of the time from the first to the last work of the device.
MFU at least 1.15 % of the time from the first to the last work of the device in each file.
E
for bad in 1T '1T,' x,1 1T,1G,1 0,1G; do
	check "--peak $bad" 2 "roofline --peak $bad trace" <<E
--- stderr
roofline: --peak: '$bad': expected FLOPS,BANDWIDTH, such as 708T,5.3T; try roofline -h
E
done
check 'a step with an MFU that is too high says so' 0 'roofline --each --peak 1G,1T -o csv trace' <<'E'
dur,step,flops,mfu,unknown,verdict
99000,ProfilerStep#1,805306368,8134.407757575757,0.15384615384615385,too high: above compute peak
E
check 'steps' 1 'roofline --each -o csv trace; roofline --each --marker nosuch trace' <<'E'
dur,step,flops,mfu,unknown
99000,ProfilerStep#1,805306368,0.008221556253866745,0.15384615384615385
--- stderr
roofline: no steps: no range matches nosuch
E
check 'a trace without arguments' 1 'sed "s/,\"args\":{\"Input.*/}/" trace | roofline -' <<'E'
--- stderr
roofline: no operator has a model; record with record_shapes=True
E
check 'a capture that does not exist' 2 'roofline --graphs nosuch trace' <<'E'
--- stderr
roofline: nosuch: no such file or folder
E

# --- the section and the finding of trace-report

{ echo '{"kind":"meta","name":"record_shapes","args":{"value":1}}'; cat trace; } >shapes
slow check 'trace-report: a section, and a finding if the longest operators are far below the peaks' 0 '
	trace-report -o ndjson shapes >report
	filter-calls -w kind==report/row -w section==roofline report | ndjson2table -o csv -f label,bound,share,verdict --quiet
	filter-calls -c -w kind==report/finding -w id==below-peak report
	trace-report shapes | grep -o "the longest operators.*"
	sed s/H100/X9/ shapes | trace-report -o ndjson - | filter-calls -c -w id==below-peak
	trace-report -o ndjson trace | filter-calls -c -w section==roofline' <<'E'
label,bound,share,verdict
aten::add,memory,,above memory peak
aten::mm,memory,0.31300776119402984,
aten::mm,memory,0.23475582089552238,
aten::add,memory,,above memory peak
1
the longest operators reach 28 % of the peaks
0
5
E

# --- recorded traces

if [ -n "$SHARED" ] && [ -d "$SHARED/golden/flops" ] && have python3; then
	only_slow_follow
	for trace in vllm_decode_full sglang_decode; do
		run=$SHARED/data/graphs/$trace
		moe=''
		[ $trace != vllm_decode_full ] || moe=--moe=topk=4,inter=3072,gated,weight=mxfp4
		# shellcheck disable=SC2086 # an option or nothing
		roofline $moe --graphs "$run/capture.json.gz" -o ndjson "$run/run.json.gz" >rows 2>messages
		check "$trace: each row, in a recorded trace" 0 \
			"roofline_rows.py '$SHARED/golden/flops/$trace/roofline.csv' rows" </dev/null
	done
	check 'addmm of a recorded trace' 0 '
		roofline -o ndjson "$SHARED/data/kineto/h100_vit.json.gz" | filter-calls -w op==aten::addmm -w "calls>1" |
			derive "tflops=fixed(tflops_s,2)" | ndjson2table -o csv -f calls,tflops' <<'E'
calls,tflops
48,111.86
12,268.01
12,274.74
E
fi
finish
