#!/bin/sh
# kineto-reports.t: compares the scripts for PyTorch traces with the reports of the reference tool, row by row. Three
# recorded traces that resemble others are compared with TEST_ALL=1 only.
. "${0%/*}/../lib.sh"
have python3 || finish

# table NAME ROWS REPORT COMMAND: compares the output of COMMAND for the whole steps with the table NAME of the tool, if
# the tool has one. $differs lists the rows that are expected to differ, each after the name of its table.
table() {
	golden=$(ls "$SHARED/golden/kineto/$set/$1.csv"* 2>/dev/null)
	if [ "$golden" ]; then
		check "$set: $1" 0 "$4 | report_rows.py $3 '$golden' $ns" <<E
$2 rows$(printf '%s\n' "$differs" | sed -n "s/^$1:/ /p" | sed '1s/^/\n/')$(printf '%s\n' "$told" | sed -n "s/^$1: //p" | sed '1s/^/\n--- stderr\n/')
E
	elif [ "$2" != - ]; then
		skip "no $1 of $set"
	fi
}

# The calls that the tool counts as launches, from the scripts' option -e hta.
calls=$(sed -n "s/.*option\[e\]='\(.*\)'$/\1/p" "$ROOT/scripts/kineto/launch-stats")
queued=$(sed -n '/option\[e\]="/,/"$/p' \
	"$ROOT/scripts/kineto/queue-lengths" | sed 's/.*option\[e\]="//; s/[\\"]$//' | tr -d '\n')
# Names of the calls in the source of the tool (get_runtime_launch_events_mask), and similar names.
check 'queue-lengths -e hta matches the calls that Holistic Trace Analysis counts' 0 \
	"printf '%s\n' cudaLaunchKernel cudaLaunchKernelExC cuLaunchKernel cuLaunchKernelEx cudaMemcpyAsync cudaMemsetAsync \
	hipLaunchKernel hipExtModuleLaunchKernel hipMemsetAsync hipMemcpyAsync hipMemcpyWithStream \
		'runFunction - job_prep_and_submit_for_execution' \
	cudaLaunchKernelEx cuLaunchKernelExC cuMemcpyAsync hipGraphLaunch cudaMemcpyWithStream hipLaunchKernelExC runFunction |
	sed 's/.*/{\"kind\":\"api\",\"name\":\"&\"}/' >names; filter-calls -c -e '$queued' names;
	filter-calls -e '$queued' names | cmp - names 2>&1 | cut -d ' ' -f 1-4" <<'E'
12
cmp: EOF on -
E

# reports NAME NS ROWS...: compares all tables of a set. ROWS is `-` for a missing table. $alone is the expected message
# of trace-steps --complete about device records without a call.
reports() {
	set=$1 ns=$2
	need_shared "data/kineto/$1.json.gz" "golden/kineto/$1" || return
	trace-steps --complete "$SHARED/data/kineto/$1.json.gz" >whole 2>said
	report_values.py "$SHARED/data/kineto/$1.json.gz" || return
	if [ "$alone" ]; then echo "$alone"; fi |
		check "$1: trace-steps --complete reports device records without a call" 0 'cat said'
	table temporal_breakdown "$3" temporal 'device-summary --per all -k kernel,memcpy,memset,sync -o csv whole'
	table kernel_type_breakdown "$4" types 'kernel-types --per all -o csv whole'
	table kernel_breakdown_all "$5" names 'kernel-types --by-name -o csv whole'
	table comm_comp_overlap "$6" overlap 'device-summary --overlap --per all -o csv whole'
	table idle_interval_stats "$7" idle 'idle-causes -o csv whole'
	table idle_time_breakdown "$8" idle_time 'idle-causes -o csv whole'
	shift 8
	table queue_length_summary "$1" queue "queue-lengths -e hta -o csv whole"
	table memory_bw_summary "$2" bandwidth 'memory-bandwidth -o csv whole'
	table cuda_kernel_launch_stats "$3" launches "launch-stats -e '$calls' -o csv whole"
	table cpu_user_annotation_breakdown "$4" annotations 'annotation-times -o csv whole'
	report_values.py "$SHARED/data/kineto/$set.json.gz" gpu || return
	table gpu_user_annotation_breakdown "$5" annotations 'annotation-times --device -o csv whole'
}

#       set                      ns temporal types names overlap idle idle_time queue bandwidth launches cpu gpu
told='' alone='trace-steps: 614 device records without a known call; skipped'
# Stream 7: kernels of a graph overlap in 30 places. The tool counts them as negative gaps, down to -13 us, and
# overstates the length of other gaps. Memcpy DtoD: the tool adds doubles in the order of an unstable sort, and counts
# the rounding errors as values.
differs=$(
	cat <<'E'
idle_interval_stats: 7 kernel_wait: tool 12068 3.51 3.03 -13 1 3 5 27 ours 12038 3.529323808 3.007414458 0 1 3 5 27
idle_time_breakdown: 7 kernel_wait: tool 42372 0.49 ours 42486 0.487213596
memory_bw_summary: Memcpy DtoD: tool 5461 70.95161022 113.0199659 1.387778781e-17 5.684341886e-14 0.9208633094 119.5912409 588.547696 ours 3840 99.86888795 122.1740216 0.0001649144506 0.6506828248 30.76923077 172.4631579 392.7979646
E
)
reports a100_2022_cudagraph_test 0  1 7 135 1 11 12 4 4 8310 40 -
alone='' differs='' told=''
reports alexnet                  0  1 2 18 1 4 6 2 2 98 5 -
told="memory_bw_summary: memory-bandwidth: 2 copies and memsets left out: bandwidth unknown (no bytes or no dur)
memory_bw_summary: memory-bandwidth: no copies or memsets with a size
cuda_kernel_launch_stats: launch-stats: no device records with a known call that matches '$calls'"
reports amd_mi250                1  1 2 13 1 1 2 1 0 0 2 2
told="kernel_type_breakdown: kernel-types: no device records
kernel_breakdown_all: kernel-types: no device records
comm_comp_overlap: device-summary: no device records
cuda_kernel_launch_stats: launch-stats: no device records with a known call that matches '$calls'"
reports cpu_only                 2  - 0 0 1 - - - - 0 2 -
told=''
[ ! "${TEST_ALL-}" ] || reports dlrm_a100_2022_control   0  1 7 174 1 10 12 4 4 7875 40 -
# Stream 28: a launch and a start have the same time in us, and the tool counts the launch before the start.
differs='queue_length_summary: 28: tool 4 0 2 ours 4 0 1'
reports event_sync_multi_stream  0  1 2 2 1 3 6 3 1 6 - -
differs=''
reports nccl                     1  1 5 72 1 3 5 2 2 2516 10 5
[ ! "${TEST_ALL-}" ] || reports resnet50_2021            0  1 3 69 1 2 3 1 2 7580 - -
reports sampled_rank-0           0  1 7 199 1 10 12 5 4 602 32 -
[ ! "${TEST_ALL-}" ] || reports sampled_rank-1           0  1 6 188 1 9 11 5 4 577 29 -
reports simple_add               0  1 2 18 1 4 6 2 2 98 5 -

finish
