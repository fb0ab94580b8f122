#!/bin/sh
# widths.t: on a terminal, no line of a script is wider than the terminal. This does not apply to CSV and folded stacks,
# which are for programs. With TEST_ALL=1 each call runs on terminals of 80 and of 200 columns, otherwise on one of
# them, and only each third call for recorded traces.
# shellcheck disable=SC2154 # calls.sh sets variables
. "${0%/*}/../lib.sh"
only_slow_follow # all scripts on terminals of two widths
have python3 || finish
# Short paths, because trace-report prints them.
ln -s "$DATA" data
[ ! "$SHARED" ] || ln -s "$SHARED/data" shared
DATA=data
. "$TESTS/scripts/calls.sh"

# More calls, for traces and options with wide tables.
{
	printf '%s\n' "$calls" | grep -v -e '^nsys-' -e '^plot' -e '^flame'
	for options in '-g dev' '-g dev,stream' '-e .'; do echo "launch-stats $options $some"; done
	for options in '-g name,stream' '-k kernel,memcpy -g short'; do echo "trace-diff $options $some $train"; done
	for script in annotation-times device-summary idle-causes 'kernel-types --by-name --per stream' \
		'launch-stats -g name' 'lookup -o table e' 'memory-bandwidth' 'op-breakdown --shapes' 'qps -e ProfilerStep' \
		'queue-lengths' 'range-gpu-time -k kernel' 'api-gpu-time Launch' \
		"iteration-times --iteration 'Step#([0-9]+)' Launch" trace-report; do
		echo "$script $train"
	done
	for script in 'range-gpu-time --scope process' 'trace-diff' 'kernels-in --from +0 -o table' device-summary; do
		case $script in trace-diff) script="$script $nsys" ;; esac
		echo "$script $DATA/train.nsys.json"
	done
	for view in primitive impl isa shape dtype prop; do echo "onednn-summary -b $view $DATA/cnn.onednn.txt"; done
	echo "opencl-kernels --buffers $opencl"
	echo "gemm-sizes $DATA/tiny.ckp.json"
	echo "plaidml-info memory --all $plaidml"
} >list
CHECK_TIMEOUT=500 # trace-report reads each trace twice
check "no line is wider than 80 or 200 columns: $(wc -l <list) calls" 0 'wide_lines.py 80 200 <list' </dev/null

# The recorded traces have longer names and larger numbers.
if need_shared data; then
	# each FILES SCRIPT...: prints the calls of these scripts for each file that matches the pattern FILES.
	each() {
		files=$1
		shift
		for file in shared/$files; do
			for script; do echo "$script $file"; done
		done
	}
	{
		each 'kineto/[amn]*[tcl]*.json.gz' device-summary idle-causes 'launch-stats -g name' op-breakdown \
			range-gpu-time trace-report
		each 'nsys/unet*trim*' range-gpu-time memory-bandwidth trace-report
		each 'dvdt/*.out' opencl-kernels 'opencl-kernels --by-name' 'layer-times --each' gemm-sizes
		each 'onednn/*level*.log' onednn-summary
		each 'perf/*-[0-9s]*.txt' perf-top
		each 'plaidml/small*' plaidml-kernels 'plaidml-info memory --all' invocation-tree
		each 'torch/*.txt' torch-top
	} | sample 3 >list
	check "no line is wider for recorded traces: $(wc -l <list) calls" 0 \
		"wide_lines.py 80 200 <list | grep -v ': no output\$'; true" </dev/null
fi

finish
