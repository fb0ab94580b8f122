# calls.sh: sets `calls` to a list of one or more calls of each script, one call per line. Each call prints an answer.
# Writes the input files of the calls to the current folder. Tests of all scripts source this file after lib.sh.
# shellcheck shell=sh disable=SC2034 # for test scripts

some=$DATA/recommender.pt.trace.json.gz nsys=$DATA/loop.nsys.json.gz opencl=$DATA/alexnet.ckp.json.gz
plaidml=$DATA/mlp.eventlog.gz train=$DATA/train.pt.trace.json
calls="annotation-times $some
alltoall-heat $DATA/experts.ndjson
alltoall-heat --pairs $DATA/experts.ndjson
api-gpu-time . $nsys
check-platform
ck-results $opencl
collectives $DATA/ranks.ndjson
device-summary --overlap $some
plaidml-info device k plaidml
plaidml-info device --platform k plaidml
device-summary $some
device-summary --per stream $some
flame $some
flame folded
frontier -e forward_step $DATA/pipeline.ndjson
frontier -e forward_step --each $DATA/pipeline.ndjson
gemm-sizes $opencl
hangs $DATA/dumps/*.json
hangs --groups $DATA/dumps/*.json
idle-causes $some
invocation-tree $plaidml
invocation-tree --list $plaidml
invocation-tree $plaidml 1
iteration-times --iteration '([0-9])' . $nsys
plaidml-info program k plaidml
plaidml-info source k plaidml
kernel-types $some
kernel-types --by-name $some
kernels-in --from 1 $some
kernels-in --of ProfilerStep/2 --api -o table $train
launch-stats $some
launch-stats -g name $some
layer-times $opencl
layer-times --each $opencl
lookup a $nsys
lookup -o table 382 $train
memory-bandwidth copies
nsys-report cuda_api_sum $nsys
nsys-report cuda_kern_exec_trace $nsys
nsys-report cuda_kern_exec_sum $nsys
nsys-report cuda_gpu_kern_sum $nsys
nsys-report cuda_gpu_mem_time_sum copies
nsys-report cuda_gpu_mem_size_sum copies
nsys-report nvtx_gpu_proj_trace $nsys
nsys-report nvtx_gpu_proj_sum $nsys
nsys-report nvtx_kern_sum $nsys
nsys-report nvtx_pushpop_trace $nsys
nsys-report nvtx_pushpop_sum $nsys
nsys-report cuda_api_gpu_sum $nsys
nsys-report cuda_gpu_kern_gb_sum $nsys
nsys-report cuda_gpu_sum $nsys
nsys-report nvtx_sum $nsys
onednn-summary $DATA/cnn.onednn.txt
onednn-summary -b impl $DATA/cnn.onednn.txt
op-breakdown $some
op-breakdown --shapes --variants $some
op-breakdown --sequences --shapes $some
op-breakdown --modules modules
opencl-kernels $opencl
opencl-kernels --by-name $opencl
perf-top samples
plaidml-info kernel --longest mean $plaidml
plaidml-info kernel --invocation 1 $plaidml
plaidml-info platform k plaidml
plaidml-info program --record k plaidml
plaidml-kernels $plaidml
plot bar -f dur copies
plot hist copies --to x.svg && cat x.svg
plaidml-info memory k plaidml
plaidml-info memory --all plaidml
qps --iterations 2 $some
queue-lengths $some
range-gpu-time $nsys
rank-merge $DATA/ranks.ndjson
rank-merge --window +0,+1ms $DATA/ranks.ndjson
rank-scores kernel.0 kernel.1
roofline $train
roofline --each $train
stragglers $DATA/ranks.ndjson
stragglers --groups $DATA/ranks.ndjson
torch-top rows
trace-catalog $some
trace-check $some
trace-diff $some $nsys
trace-diff --runs $some $nsys
trace-diff --fail-above 5% $train $train
trace-join $some
trace-join --scope none $some
trace-join --provenance compile.log compiled
trace-map --dir map.\$\$ 'trace2ndjson -k kernel {} | groupby -g name' $train
trace-report $some
trace-report $nsys
trace-report --against $some $train
trace-report $opencl
trace-report $DATA/cnn.onednn.txt
trace-report $plaidml
trace-report samples
trace-steps -e cuda $some
trace-steps --marker cuda $some
trace-steps --marker ProfilerStep --skip 1 --count 1 --by own --meta $train
tune-threads --runs 1 --levels 1 --bind none -- true
trace-steps --complete $some"
if command -v rsvg-convert >/dev/null; then
	calls="$calls
plot bar -f dur copies --to x.png && cat x.png
flame folded --to y.png && cat y.png"
fi
echo '{"ts":1,"dur":5,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7,"bytes":5000}' >copies
echo '{"ts":1,"kind":"sample","name":"f","dso":"a","comm":"c","tid":1,"period":5}' >samples
for rank in 0 1; do
	echo "{\"ts\":1,\"dur\":5,\"kind\":\"kernel\",\"name\":\"k\",\"rank\":$rank}" >kernel.$rank
done
echo '{"kind":"row","name":"a","count":1,"self":5,"args":{"table":1}}' >rows
echo 'main;forward 5' >folded
echo '{"ts":1,"dur":5,"kind":"kernel","name":"k","dev":0,"stream":7}' >compiled
{
	printf 'V0819 12:42:50.385000 7 graph.py:5] {"inductor_output_code":{},"has_payload":"%s"}\n' 3b2577f5dfb86cfe50c54ab01830cfc6
	printf '\t# kernel path: /c.py\n\tk = async_compile.triton()\n'
	printf 'V0819 12:42:50.385000 7 graph.py:5] {"artifact":{"name":"%s"},"has_payload":"%s"}\n' \
		inductor_provenance_tracking_kernel_stack_traces 8edd8ec9dfd5335b19dcf9b3333847b9
	printf '\t{"k":["File \\"a.py\\", line 1, in f"]}\n'
} >compile.log
echo '{"ts":1,"dur":9,"kind":"python","name":"nn.Module: Net_0","tid":1}' >modules
cat >plaidml <<'E'
{"kind":"platforminfo","name":"OpenCL","id":5,"args":{"name":"OpenCL"}}
{"kind":"deviceinfo","name":"GPU","id":4,"parent":5,"args":{"name":"GPU","platform":5}}
{"kind":"programinfo","name":"p","id":2,"args":{"alloc_sizes":[{"size":4,"count":3}],"tmp_sizes":[],"code":"one"}}
{"kind":"buildinfo","id":1,"parent":2,"args":{"device":4,"src":"all"}}
{"kind":"kernelinfo","name":"k","id":3,"args":{"build":1,"program":2,"src":"void"}}
E

# called SCRIPT: prints the first call of SCRIPT.
called() {
	printf '%s\n' "$calls" | grep -e "^$1\$" -e "^$1 " | head -n 1
}
