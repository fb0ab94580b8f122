#!/bin/sh
# launches.t: compares recorded PyTorch traces with the tables of the reference tool: each launch and its kernel, and
# each kernel and the annotation around it.
. "${0%/*}/../lib.sh"
have python3 || finish

# open_trace NAME TABLE: sets $golden, and writes the trace to `sorted` in ts order; fails if a file is missing.
open_trace() {
	golden=$(cd "${SHARED:-/nonexistent}" 2>/dev/null && ls "golden/kineto/$1/$2.csv"* 2>/dev/null)
	need_shared "data/kineto/$1.json.gz" "${golden:-golden/kineto/$1/$2.csv}" || return
	golden=$SHARED/$golden
	trace2ndjson --sort "$SHARED/data/kineto/$1.json.gz" >sorted
}

# Prints a condition that selects the launches before the last profiler step: in a trace with several steps, the tool
# counts only these launches. Prints nothing for a trace with at most one step.
before_last_step() {
	filter-calls -k range,op -e '^ProfilerStep' sorted | groupby -g name -a min:ts -s ts_min -o ndjson >steps
	[ "$(wc -l <steps)" -lt 2 ] || sed -n '1s/.*"ts_min":\([-0-9]*\).*/api.ts<\1/p' steps
}

# launches NAME ROWS [DIGITS]: compares the launches of the trace NAME with the tool's table, which has ROWS rows.
# DIGITS is 3 if the trace has ns.
launches() {
	open_trace "$1" cuda_kernel_launch_stats || return
	before=$(before_last_step)
	for way in sorted unsorted; do
		join='corr-join --sorted sorted'
		[ "$way" = sorted ] || join="trace2ndjson '$SHARED/data/kineto/$1.json.gz' | corr-join"
		check "$1: launches, $way" 0 "$join |
			filter-calls -k kernel,memcpy,memset,sync ${before:+-w '$before'} \
				-w 'api.name=~^cuda(LaunchKernel(ExC)?|MemcpyAsync|MemsetAsync)\$' |
			ndjson2table -f corr,api.dur,dur,delay -o csv |
			launch_rows.py '$golden' '${3-0}' correlation -- cpu_duration gpu_duration launch_delay" <<E
$2 rows
E
	done
}

launches alexnet 98
launches simple_add 98
launches event_sync_multi_stream 6
launches a100_2022_cudagraph_test 8310
launches dlrm_a100_2022_control 7875
launches nccl 2516 3
launches resnet50_2021 7580
launches sampled_rank-0 602
launches sampled_rank-1 577
# amd_mi250 has no call with a name that `launches` selects, since HIP has other names; cpu_only has no device records.
launches amd_mi250 0 3
launches cpu_only 0

# annotations NAME ROWS: compares the annotation of each kernel with the tool's table. Device annotations are ranges of
# one stream, so each stream is processed separately. Here, all calls with a correlation id are used, not only launches.
annotations() {
	open_trace "$1" gpu_kernels_with_user_annotations || return
	before=$(before_last_step)
	corr-join --sorted sorted >joined
	filter-calls -k kernel,memcpy,memset,gpu_range -w stream joined | groupby -g dev,stream -a count -o tsv | sed 1d |
		while read -r dev stream _; do
			filter-calls -k kernel,memcpy,memset,gpu_range -w "dev==$dev" -w "stream==$stream" joined |
				nvtx-attach -r gpu_range --by own --report 2>>said | filter-calls -v -k gpu_range
		done >annotated
	check "$1: kernels by annotation" 0 "filter-calls -w api -w '$before' annotated |
		ndjson2table -f corr,dev,stream,range,dur -o csv |
		launch_rows.py '$golden' 3 correlation pid stream s_user_annotation -- dur" <<E
$2 rows
E
}

annotations nccl 2516
annotations amd_mi250 16

finish
