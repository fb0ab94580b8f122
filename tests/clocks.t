#!/bin/sh
# clocks.t: scripts that join give the same results for captures whose device times are too early.
. "${0%/*}/lib.sh"

# early.py makes the times of the device 148 ms earlier. It is not written in awk, because it needs integers and awk has
# only doubles.
cat >early.py <<'E'
import re
import sys

for line in sys.stdin:
    if re.search(r'"kind":"(kernel|memcpy|memset|sync)"', line):
        line = re.sub(r'"ts":(-?\d+)', lambda m: f'"ts":{int(m.group(1)) - 148_000_000}', line, count=1)
    sys.stdout.write(line)
E
have python3 || finish

# same NAME COMMAND: checks that COMMAND, which reads the trace $TRACE, prints the same for both traces, and more than a
# header.
same() {
	check "$trace: $1" 0 "TRACE=$trace.nd; { $2; } >want 2>messages; TRACE=$trace.early; { $2; } >got || cat messages
		diff want got; [ \$(wc -l <got) -gt 1 ] || echo nothing" </dev/null
}

# vendor REPORT COMMAND [FIX]: checks that COMMAND prints the vendor's report, although the device times in its input
# are too early. The Python script FIX changes the expected report.
vendor() {
	golden=$(cd "$SHARED" && ls "golden/nsys/${trace%%.json*}/$1.csv"* 2>/dev/null)
	need_shared "${golden:-golden/nsys/${trace%%.json*}/$1.csv}" || return
	zcat -f "$SHARED/$golden" >vendor.csv
	[ $# -lt 3 ] || python3 "$3" <vendor.csv >early.csv && [ $# -lt 3 ] || mv early.csv vendor.csv
	check "$trace: $1 is the vendor's" 0 "$2 $trace.early | diff vendor.csv -" </dev/null
}

# Most kernels start before their calls end, so they have no queue time. The total time lasts until the call and the
# kernel have both ended.
cat >exec.py <<'E'
import csv
import sys

rows = list(csv.reader(sys.stdin))
for r in rows[1:]:
    start, length, kernel, dur = int(r[0]), int(r[1]), int(r[4]) - 148_000_000, int(r[5])
    queue = kernel - start - length
    r[2:4] = [str(start + length), str(queue)] if queue >= 0 else ["", ""]
    r[4], r[6] = str(kernel), str(max(start + length, kernel + dur) - start)
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerows(rows[:1] + sorted(rows[1:], key=lambda r: (int(r[0]), int(r[4]))))
E

for trace in unet3d_baseline_trim.json unet3d_dali_amp_trim.json unet3d_baseline_full.json.gz; do
	need_shared "data/nsys/$trace" || continue
	trace2ndjson "$SHARED/data/nsys/$trace" >"$trace.nd" 2>messages
	python3 early.py <"$trace.nd" >"$trace.early"
	# Reports that depend only on the durations of device work.
	vendor nvtx_kern_sum 'nsys-report nvtx_kern_sum'
	vendor nvtx_gpu_proj_sum 'nsys-report nvtx_gpu_proj_sum'
	vendor cuda_kern_exec_trace 'nsys-report cuda_kern_exec_trace' exec.py
	same iteration-times "iteration-times --iteration '([0-9]+)' -o csv cuda \$TRACE"
	same range-gpu-time \
		"range-gpu-time -o ndjson \$TRACE |
		ndjson2table -o csv -f orig_ts,orig_dur,name,dur,busy,dur_sum,records | sort"
	same api-gpu-time "api-gpu-time -o csv cuda \$TRACE"
	same trace-join "trace-join -k kernel,memcpy \$TRACE | groupby -g range,name -o csv"
done

# If --lead is too short, the message says which lead to use.
trace=unet3d_baseline_trim.json
for script in trace-join 'nsys-report cuda_kern_exec_trace' 'nsys-report nvtx_kern_sum' \
	'nsys-report nvtx_gpu_proj_trace' 'api-gpu-time cuda' range-gpu-time \
	'iteration-times cuda' launch-stats queue-lengths idle-causes 'trace-steps --complete' trace-report op-breakdown \
		'trace-steps --marker step'; do
	[ -f $trace.early ] || continue
	name=${script%% *}
	check_re "$name reports that --lead is too short" 1 \
		"$name --lead 9ms ${script#"$name"} $trace.early >out 2>messages; status=\$?
		grep joined messages; exit \$status" <<E
$name: [0-9]+ device records start up to [0-9]+ ns before their calls and were not joined; run: $name --lead 1[0-9]*ms [.][.][.]
E
done
finish
