#!/bin/sh
# messages.t: runs every script on traces, whether the script is for this trace or not: on every second format in turn,
# and with TEST_ALL=1 on all. Each line on
# standard error begins with the name of the script, names no temporary file, is not the usage of another program and is
# not printed twice. If the status is not 0, there is a message. No temporary file is left.
. "${0%/*}/../lib.sh"
only_slow_follow # each script reads seven traces

mkdir tmp
export TMPDIR="$PWD/tmp"

# faults SCRIPT STATUS: prints what is wrong with the messages in the file `said`.
faults() {
	[ "$2" -le 2 ] || echo "status $2"
	[ "$2" = 0 ] || [ -s said ] || echo "status $2 without a message"
	grep -v "^$1: " said | sed 's/^/without the name of the script: /'
	grep -F -e "$TMPDIR" said | sed 's/^/names a temporary file: /'
	grep -e 'usage: ' said | sed 's/^/usage: /'
	sort said | uniq -d | sed 's/^/printed twice: /'
	find tmp -mindepth 1 -maxdepth 1 | sed 's/^/left: /'
}

# One is no trace.
traces='train.pt.trace.json train.nsys.json tiny.dvdt.out mlp.eventlog.gz cnn.onednn.txt ranks.ndjson generate'
calls=0
while read -r call; do
	calls=$((calls + 1)) number=$calls
	for trace in $traces; do
		number=$((number + 1))
		[ "${TEST_ALL-}" ] || [ "$trace" = generate ] || [ $((number % 2)) = 0 ] || continue
		trace=$DATA/$trace
		$call "$trace" >out 2>said </dev/null
		faults "${call%% *}" $? | sed "s|^|${trace##*/}: |"
	done >wrong
	if [ -s wrong ]; then fail "$call: messages" <wrong; else pass "$call: messages"; fi
done <<'E'
annotation-times
api-gpu-time .
ck-results
collectives
device-summary --overlap
plaidml-info device x
device-summary
flame
gemm-sizes
idle-causes
invocation-tree
iteration-times .
plaidml-info program x
plaidml-info source x
kernel-types
kernels-in --of Step
launch-stats
layer-times
lookup 1
memory-bandwidth
nsys-report cuda_api_sum
nsys-report cuda_kern_exec_trace
nsys-report cuda_gpu_kern_sum
nsys-report cuda_gpu_mem_time_sum
nsys-report nvtx_gpu_proj_trace
nsys-report nvtx_kern_sum
nsys-report nvtx_pushpop_trace
nsys-report nvtx_pushpop_sum
onednn-summary
op-breakdown
opencl-kernels
perf-top
plaidml-info kernel x
plaidml-kernels
plot bar
plot hist
plaidml-info memory --all
qps --iterations 1
queue-lengths
range-gpu-time
rank-merge
rank-scores
alltoall-heat
frontier -e forward
stragglers
stragglers --groups
torch-top
trace-diff -
trace-join
trace-report
trace-steps
trace-steps --complete
E

finish
