#!/bin/sh
# launches.t: real PyTorch traces: each launch with its kernel, and each kernel with the annotation round it, row by
# row as the reference tool's tables have them.
. "${0%/*}/../lib.sh"
have python3 || finish

# rows.py TABLE DIGITS KEY... -- VALUE...: CSV of our own on standard input against the tool's table. Rows are told by
# their KEYs; VALUEs are times in ns here and in us there, which may differ by 1 ns where the trace has ns (DIGITS 3):
# the tool's are doubles. Prints what differs, and how many rows there are.
cat >rows.py <<'E'
import collections, csv, gzip, sys
from decimal import Decimal

path, digits, *names = sys.argv[1:]
keys, values = names[:names.index("--")], names[names.index("--") + 1:]
off = 1 if digits == "3" else 0

def ours(row):
    row["queue"] = max(0, int(row["delay"] or 0) - int(row["api.dur"] or 0)) if "delay" in row else 0
    return row

def table(rows, ns):
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(row[k] for k in keys)].append(tuple(ns(row[v]) for v in values))
    return {key: sorted(rows) for key, rows in found.items()}

OURS = {"correlation": "corr", "pid": "dev", "s_user_annotation": "range", "cpu_duration": "api.dur",
        "gpu_duration": "dur", "launch_delay": "queue"}
opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
want = table(csv.DictReader(opened), lambda text: Decimal(text) * 1000)
got = table(({k: ours(row)[OURS.get(k, k)] for k in keys + values} for row in csv.DictReader(sys.stdin)), Decimal)
wrong = n = 0
for key in want.keys() | got.keys():
    a, b = want.get(key, []), got.get(key, [])
    n += len(a)
    if len(a) != len(b) or any(abs(x - y) > off for v, w in zip(a, b) for x, y in zip(v, w)):
        wrong += 1
        if wrong <= 3:
            print(key, "want", *a, "got", *b)
print(n, "rows," if wrong else "rows", *([wrong, "wrong"] if wrong else []))
E

# open_trace NAME TABLE: sets $golden, and writes the trace to `sorted` in ts order; false when something is missing.
open_trace() {
	golden=$(cd "${SHARED:-/nonexistent}" 2>/dev/null && ls "golden/kineto/$1/$2.csv"* 2>/dev/null)
	need_shared "data/kineto/$1.json.gz" "${golden:-golden/kineto/$1/$2.csv}" || return
	golden=$SHARED/$golden
	trace2ndjson --sort "$SHARED/data/kineto/$1.json.gz" >sorted
}

# The condition that a launch was before the last profiler step began: all that the tool counts of a trace with
# several. Empty where there is one at most.
before_last_step() {
	filter-calls -k range,op -e '^ProfilerStep' sorted | groupby -g name -a min:ts -s ts_min -o ndjson >steps
	[ "$(wc -l <steps)" -lt 2 ] || sed -n '1s/.*"ts_min":\([-0-9]*\).*/api.ts<\1/p' steps
}

# launches NAME ROWS [DIGITS]
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
			python3 rows.py '$golden' '${3-0}' correlation -- cpu_duration gpu_duration launch_delay" <<E
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
# No call has one of these names (HIP's are others), or there is no device.
launches amd_mi250 0 3
launches cpu_only 0

# annotations NAME ROWS: device annotations are ranges of one stream, so each stream is asked alone. All calls of a
# correlation count here, not only launches.
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
		python3 rows.py '$golden' 3 correlation pid stream s_user_annotation -- dur" <<E
$2 rows
E
}

annotations nccl 2516
annotations amd_mi250 16

finish
