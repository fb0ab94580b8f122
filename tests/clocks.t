#!/bin/sh
# clocks.t: captures in which the device's times are earlier than the host's: what scripts that join make of them.
. "${0%/*}/lib.sh"

# early.py: the records with the times of the device 148 ms earlier. Written in integers: awk's numbers are doubles.
cat >early.py <<'E'
import re
import sys

for line in sys.stdin:
    if re.search(r'"kind":"(kernel|memcpy|memset|sync)"', line):
        line = re.sub(r'"ts":(-?\d+)', lambda m: f'"ts":{int(m.group(1)) - 148_000_000}', line, count=1)
    sys.stdout.write(line)
E
have python3 || finish

# same NAME COMMAND: COMMAND, of which TRACE is a trace, prints the same of both, and more than a header.
same() {
	check "$trace: $1" 0 "TRACE=$trace.nd; { $2; } >want 2>said; TRACE=$trace.early; { $2; } >got || cat said
		diff want got; [ \$(wc -l <got) -gt 1 ] || echo nothing" </dev/null
}

# vendor REPORT COMMAND: what COMMAND prints of the early device is the vendor's report.
vendor() {
	golden=$(cd "$SHARED" && ls "golden/nsys/${trace%%.json*}/$1.csv"* 2>/dev/null)
	need_shared "${golden:-golden/nsys/${trace%%.json*}/$1.csv}" || return
	zcat -f "$SHARED/$golden" >vendor.csv
	[ $# -lt 3 ] || python3 "$3" <vendor.csv >early.csv && [ $# -lt 3 ] || mv early.csv vendor.csv
	check "$trace: $1 is the vendor's" 0 "$2 $trace.early | diff vendor.csv -" </dev/null
}

# Kernels begin before their calls end: few have a queue, and whichever ends last counts.
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
	trace2ndjson "$SHARED/data/nsys/$trace" >"$trace.nd" 2>said
	python3 early.py <"$trace.nd" >"$trace.early"
	# Reports in which only the lengths of device work count.
	vendor nvtx_kern_sum nsys-nvtx-kern-sum
	vendor nvtx_gpu_proj_sum 'nsys-nvtx-gpu-proj --sum'
	vendor cuda_kern_exec_trace nsys-kern-exec exec.py
	same iteration-times "iteration-times -i '([0-9]+)' -o csv cuda \$TRACE"
	same range-gpu-time \
		"range-gpu-time -o ndjson \$TRACE |
		ndjson2table -o csv -f orig_ts,orig_dur,name,dur,busy,dur_sum,records | sort"
	same api-gpu-time "api-gpu-time -o csv cuda \$TRACE"
	same trace-join "trace-join -k kernel,memcpy \$TRACE | groupby -g range,name -o csv"
done

# With a lead that is too short: what to run. The records are those of the first trace.
trace=unet3d_baseline_trim.json
for script in trace-join nsys-kern-exec nsys-nvtx-kern-sum nsys-nvtx-gpu-proj 'api-gpu-time cuda' range-gpu-time \
	'iteration-times cuda' launch-stats queue-lengths idle-causes whole-steps trace-report op-breakdown \
		'trim-iterations --marker step'; do
	[ -f $trace.early ] || continue
	name=${script%% *}
	check_re "too short a lead: $name" 1 \
		"$name --lead 9ms ${script#"$name"} $trace.early >out 2>said; status=\$?; grep corr-join: said; exit \$status" <<E
corr-join: [0-9]+ device records start up to [0-9]+ ns before their calls and were not joined; run: $name --lead 1[0-9]*ms [.][.][.]
E
done
finish
