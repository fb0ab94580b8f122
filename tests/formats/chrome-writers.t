#!/bin/sh
# chrome-writers.t: Chrome traces of programs other than PyTorch have the right kinds, times, threads and streams. The
# files in data/chrome are written by hand, in the layout of these programs.
. "${0%/*}/../lib.sh"

kinds='ndjson2table --quiet -o csv -f kind,ts,dur,name,dev,stream,tid'
check 'ONNX Runtime' 0 "trace2ndjson $DATA/chrome/onnxruntime.json | $kinds,args.provider" <<'E'
kind,ts,dur,name,dev,stream,tid,args.provider
range,11000,698000,model_loading_array,,,411,
op,900000,0,Conv1_fence_before,,,411,
op,901000,66000,Conv1_kernel_time,,,411,CUDAExecutionProvider
api,905000,9000,cudaLaunchKernel,,,411,
kernel,930000,40000,conv2d_kernel,,7,,
range,890000,990000,model_run,,,411,
E
check 'Triton Proton: an object for each stream' 0 \
	"trace2ndjson -k kernel $DATA/chrome/proton.chrome_trace | $kinds" <<'E'
kind,ts,dur,name,dev,stream,tid
kernel,0,12500,matmul_kernel,,0,
kernel,13250,2048,add_kernel,,0,
kernel,4000,1000,copy_kernel,,13,
E
check 'VizTracer' 0 "trace2ndjson $DATA/chrome/viztracer.json | filter-calls -v -k meta | $kinds,args.loss" <<'E'
kind,ts,dur,name,dev,stream,tid,args.loss
python,5428250,788000,<module> (/home/me/train.py:1),,,77,
python,5426000,790020,builtins.exec,,,77,
counter,5500000,,loss,,,77,0.5
mark,5600000,,epoch,,,77,
E
check 'tlparse' 0 "trace2ndjson $DATA/chrome/tlparse.json | $kinds,args.compile_id" <<'E'
kind,ts,dur,name,dev,stream,tid,args.compile_id
mark,1733334567950500,,fx_graph_cache_miss,,,0,
range,1733334567900000,100000,inductor_compile,,,0,
range,1733334567891250,1108875,_compile.compile_inner,,,0,0/0
E
check 'XLA: calls, kernels, copies and sets, which have no category' 0 "
	trace2ndjson $DATA/chrome/xla.trace.json | filter-calls -v -k meta >xla # the array ends with {}
	$kinds,corr,bytes,copy,args.grid,args.block xla
	trace2ndjson -j 0 -k memcpy,memset $DATA/chrome/xla.trace.json >copies
	filter-calls -k memcpy,memset xla | cmp - copies
	corr-join --quiet xla | filter-calls -k kernel | ndjson2table -o raw -f api.name" <<'E'
kind,ts,dur,name,dev,stream,tid,corr,bytes,copy,args.grid,args.block
range,15880369,1849373,train,,,77,,,,,
api,15901250,8500,cuLaunchKernel,,,77,9,,,,
api,15912000,2100,cuMemcpyHtoDAsync,,,77,10,,,,
kernel,17154709,9952,loop_fusion_1,1,14,,9,,,"[128,1,1]","[256,2,1]"
memcpy,17170000,3250,MemcpyH2D,1,16,,10,4096,h2d,,
memset,17174000,1000,Memset 1,1,16,,11,64,,,
range,17180000,1000,no work of XLA,,,16,,,,,
range,17190000,1000,without args,,,16,,,,,
cuLaunchKernel
E
for file in onnxruntime.json xla.trace.json proton.chrome_trace viztracer.json tlparse.json; do
	check "$file: the same compressed, from a pipe" 0 \
		"gzip -c $DATA/chrome/$file | trace2ndjson | cmp - /dev/fd/3 3<<W
\$(trace2ndjson $DATA/chrome/$file)
W" </dev/null
done
finish
