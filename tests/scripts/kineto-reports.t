#!/bin/sh
# kineto-reports.t: the reports of the reference tool on real PyTorch traces, every row, and the scripts that print them.
. "${0%/*}/../lib.sh"
have python3 || finish

# exact.py TRACE: what reports say, in ns and computed from the trace itself by sums over sorted lists, to exact.json.
cat >exact.py <<'P'
import collections, gzip, json, re, sys
from decimal import Decimal
from fractions import Fraction

ORDER = ["COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"]

def kind_of(name):
    if re.search("^nccl|^hip|^hccl|ncclKernel", name):
        return "COMMUNICATION"
    if re.search("^(hip)?Memcpy|^(hip)?Memset|^dma", name):
        return "MEMORY"
    if re.search("Memcpy|Memset|dma|Sync|^Stream Wait Event|cuda.*LaunchKernel|^runFunction|^job_exe|^packet|^pe_exe|^cpum..|^collective..", name):
        return "OTHER"
    return "COMPUTATION"

class Row:
    def __init__(self, e):
        args = e.get("args", {})
        self.name, self.cat = e["name"], e["cat"]
        self.ts, self.dur = int(e["ts"] * 1000), int(e["dur"] * 1000)
        number = lambda v: int(v) if isinstance(v, (int, Decimal)) or isinstance(v, str) and re.fullmatch("-?[0-9]+", v) else -1
        self.stream, self.corr = number(args.get("stream", -1)), number(args.get("correlation", -1))
        self.device = self.stream >= 0 and self.corr >= 0 or self.name in ("Event Sync", "Context Sync")
        moved = args.get("memory bandwidth (GB/s)")
        self.bandwidth = Fraction(moved) if isinstance(moved, Decimal) else None
        self.annotation = self.cat == "gpu_user_annotation"

opened = gzip.open(sys.argv[1], "rt")
events = json.load(opened, parse_float=Decimal, parse_int=Decimal)["traceEvents"]
rows = [Row(e) for e in events if e.get("dur") is not None and e.get("cat") not in (None, "Trace")]
host, device = [r for r in rows if not r.device], [r for r in rows if r.device]

# Steps, by the first of each name; nothing from the last one on counts.
steps = {}
for r in host:
    if r.name.startswith("ProfilerStep") and not r.annotation:
        steps[r.name] = min(r.ts, steps.get(r.name, r.ts))
calls = {r.corr: r for r in host if r.corr >= 0}
if len(steps) > 1:
    last = max(steps.values())
    host = [r for r in host if r.ts < last]
    calls = {r.corr: r for r in host if r.corr >= 0}
    device = [r for r in device if r.corr in calls]
device.sort(key=lambda r: (r.ts, -r.dur))
work = [r for r in device if r.cat.lower() in ("kernel", "memcpy", "memset", "gpu_memcpy", "gpu_memset")]

def sets_of(list_):
    points = sorted([(r.ts, 1, kind_of(r.name)) for r in list_] + [(r.ts + r.dur, -1, kind_of(r.name)) for r in list_], key=lambda p: p[0])
    running, sets, at = dict.fromkeys(ORDER, 0), collections.Counter(), None
    for ts, step, kind in points:
        now = " overlapping ".join(k for k in ORDER if running[k])
        if now and ts > at:
            sets[now] += ts - at
        running[kind] += step
        at = ts
    return sets

def having(sets, *kinds):
    return sum(v for k, v in sets.items() if all(kind in k.split(" overlapping ") for kind in kinds))

answer = {}
waits = [r for r in device if r.stream != -1]
if waits:
    sets = sets_of(waits)
    whole, busy, compute = max(r.ts + r.dur for r in waits) - waits[0].ts, sum(sets.values()), having(sets, "COMPUTATION")
    answer["temporal"] = {"": [whole - busy, compute, busy - compute, whole]}
sets = sets_of(work)
answer["types"] = {k: [v] for k, v in sets.items()}
answer["overlap"] = {"": [having(sets, "COMPUTATION", "COMMUNICATION"), having(sets, "COMMUNICATION")]} if work else {}
streams = collections.defaultdict(list)
for r in work:
    streams[r.stream].append(r)
answer["idle"], answer["queue"] = {}, {}
for stream, list_ in streams.items():
    gaps, end = collections.defaultdict(list), None
    for r in list_:
        if end is not None and r.ts >= end:
            call = calls.get(r.corr)
            late = call is not None and call.ts > end
            gaps["host_wait" if late else "kernel_wait" if r.ts - end < 30000 else "other_wait"].append(r.ts - end)
        end = max(end or 0, r.ts + r.dur)
    for cause, list2 in gaps.items():
        answer["idle"]["%d %s" % (stream, cause)] = [len(list2), sum(list2), min(list2), max(list2)]
    steps = []
    for r in list_:
        if r.corr in calls and re.match("cuda(LaunchKernel(ExC)?|MemcpyAsync|MemsetAsync)$|hip", calls[r.corr].name):
            steps += [(calls[r.corr].ts, 1), (r.ts, -1)]
    n, lengths = 0, []
    for _, step in sorted(steps):
        n += step
        lengths.append(n)
    if lengths:
        mean = sum(lengths) / len(lengths)
        std = (sum((x - mean) ** 2 for x in lengths) / (len(lengths) - 1)) ** .5
        answer["queue"][str(stream)] = [len(lengths), mean, std, min(lengths), max(lengths)]
# What copies and sets move, by kind: one value for each end and each beginning, ends first.
points = collections.defaultdict(list)
for r in work:
    if r.bandwidth is not None:
        kind = re.match("Memset|Memcpy [A-Za-z]+", r.name).group()
        points[kind] += [(r.ts, 1, r.bandwidth), (r.ts + max(r.dur, 1000), 0, -r.bandwidth)]
answer["bandwidth"] = {}
for kind, list_ in points.items():
    value, values = Fraction(0), []
    for _, _, step in sorted(list_):
        value += step
        if value > 0:
            values.append(value)
    if values:
        answer["bandwidth"][kind] = [len(values)] + [float(x) for x in (sum(values) / len(values), min(values), max(values))]
# Annotations; and as the tool cuts them in a trace with ns, from the us after the start to that before the end.
answer["annotations"], answer["cut"] = {}, {}
for r in host:
    if r.cat == ("gpu_user_annotation" if sys.argv[2:] else "user_annotation"):
        answer["annotations"].setdefault(r.name, []).append(r.dur)
        answer["cut"].setdefault(r.name, []).append((r.ts + r.dur) // 1000 - -(-r.ts // 1000))
for name in "annotations", "cut":
    answer[name] = {k: [sum(v), max(v), min(v), len(v)] for k, v in answer[name].items()}
json.dump(answer, open("exact.json", "w"))
P

# report.py TABLE GOLDEN NS: CSV of our own on standard input against the tool's table, and against exact.json. Ours is
# in ns, the tool's in us; what it tells of traces with ns (NS 1) is sums of doubles, in some tables rounded, and in one
# set (NS 2) each event was cut to whole us before. Prints how many rows there are, and those that differ.
cat >report.py <<'P'
import collections, csv, gzip, json, sys

table, path, ns = sys.argv[1], sys.argv[2], int(sys.argv[3])
opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
exact = json.load(open("exact.json"))
ours = [collections.defaultdict(str, r) for r in csv.DictReader(sys.stdin)]
want, got, wrong = {}, {}, []

def number(text):
    return float(text) if text else None

def golden(skip=0):
    lines = opened.read().splitlines()[skip:]
    if skip: # the tool's heads of three lines; the names of keys stand in the last
        lines = ["rank,key,count,mean,std,min,p25,p50,p75,max"] + lines[2:]
    return [r for r in csv.DictReader(lines) if r.get("count") != "0.0"]

def put(rows, key, values):
    if key in rows:
        wrong.append("twice: %s" % (key,))
    rows[key] = values

def near(a, b, off, part=0):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= off + part * abs(a)

def row(values):
    return "-" if values is None else " ".join("-" if v is None else "%.10g" % v for v in values)

def compare(off, part=1e-9):
    """off: by how much each column may differ; a list, or one for all."""
    for key in sorted(want.keys() | got.keys(), key=str):
        a, b = want.get(key), got.get(key)
        offs = off if isinstance(off, list) else [off] * len(a or ())
        if a is None or b is None or not all(near(x, y, o, part) for x, y, o in zip(a, b, offs)):
            wrong.append("%s: tool %s ours %s" % (key if isinstance(key, str) else " ".join(key), row(a), row(b)))

def compare_exact(name, rows):
    for key in sorted(exact[name].keys() | rows.keys()):
        a, b = exact[name].get(key), rows.get(key)
        if a is None or b is None or not all(near(x, y, 0, 1e-12) for x, y in zip(a, b)):
            wrong.append("%s: exactly %s ours %s" % (key, row(a), row(b)))

us = lambda r, *names: [None if not r[n] else float(r[n]) / 1000 for n in names]
if table == "temporal":
    for r in golden():
        put(want, "", [number(r[n]) for n in ("idle_time(us)", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)",
            "idle_time_pctg", "compute_time_pctg", "non_compute_time_pctg")])
    for r in ours:
        put(got, "", us(r, "idle", "compute_time", "non_compute_time", "kernel_time")
            + [100 * float(r[n]) for n in ("idle_share", "compute_share", "non_compute_share")])
    compare([.001 * ns] * 4 + [.0050001] * 3)
    compare_exact("temporal", {"": [int(r[n]) for n in ("idle", "compute_time", "non_compute_time", "kernel_time")] for r in ours})
elif table == "types":
    for r in golden():
        put(want, r["kernel_type"], [number(r["sum"]), number(r["percentage"])])
    for r in ours:
        put(got, r["types"], [float(r["dur_sum"]) / 1000, 100 * float(r["share"])])
    for key, values in want.items(): # at once, but for no time
        if values == [0, 0]:
            got.setdefault(key, values)
    if ns: # every interval was cut to us, the small ones to nothing
        got = {key: [min(got[key][0], values[0]), values[1]] if key in got else None for key, values in want.items()}
    compare([0, .0500001])
    compare_exact("types", {r["types"]: [int(r["dur_sum"])] for r in ours})
elif table == "overlap":
    for r in golden():
        put(want, "", [number(r["comp_comm_overlap_pctg"])])
    for r in ours:
        put(got, "", [100 * float(r["overlap_share"]) if r["overlap_share"] else None])
    if not got: # no device, no row
        got = {k: v for k, v in want.items() if v == [None]}
    compare(.0050001)
    compare_exact("overlap", {"": [int(r["overlap_time"]), int(r["comm_time"])] for r in ours})
elif table == "names":
    for r in golden():
        put(want, (r["name"], r["kernel_type"]), [number(r[n + " (us)"]) for n in ("sum", "max", "min", "mean")] + [number(r["stddev"])])
    for r in ours:
        put(got, (r["name"], r["type"]), us(r, "dur_sum", "dur_max", "dur_min", "dur_mean") + [float(r["dur_std"] or 0) / 1000])
    compare(.001 * ns)
elif table == "annotations":
    for r in golden():
        put(want, r["name"], [number(r[n + " (us)"]) for n in ("sum", "max", "min", "mean")] + [number(r["stddev"])])
    for r in ours:
        put(got, r["name"], us(r, "dur_sum", "dur_max", "dur_min", "dur_mean") + [float(r["dur_std"] or 0) / 1000])
    if ns == 2:
        want = {k: v if v[:3] == exact["cut"].get(k, [])[:3] else None for k, v in want.items()}
        got = {k: want.get(k) for k in got}
    compare(1e-6)
    compare_exact("annotations", {r["name"]: [int(r[n]) for n in ("dur_sum", "dur_max", "dur_min", "count")] for r in ours})
elif table == "idle":
    for r in golden():
        put(want, (r["stream"], r["idle_category"].replace("other", "other_wait")), [number(r[n]) for n in ("count", "mean", "std", "min", "25%", "50%", "75%", "max")])
    for r in ours:
        put(got, (r["stream"], r["cause"]), [int(r["count"])] + us(r, *("dur_" + n for n in ("mean", "std", "min", "p25", "p50", "p75", "max"))))
    compare([0] + [.02 if ns else .0050001] * 7)
    compare_exact("idle", {r["stream"] + " " + r["cause"]: [int(r[n]) for n in ("count", "dur_sum", "dur_min", "dur_max")] for r in ours})
elif table == "idle_time":
    for r in golden():
        put(want, (r["stream"], r["idle_category"].replace("other", "other_wait")), [number(r["idle_time"]), number(r["idle_time_ratio"])])
    for r in ours:
        put(got, (r["stream"], r["cause"]), us(r, "dur_sum") + [float(r["share"]) if r["share"] else None])
    for key in want: # a stream where nothing waited so, or whose first work was all
        got.setdefault(key, [0, 0 if any(k[0] == key[0] for k in got) else want[key][1]])
    compare([.02 if ns else 0, .0050001])
elif table == "queue":
    for r in golden(1):
        put(want, r["key"], [number(r[n]) for n in ("count", "min", "max")])
    for r in ours:
        put(got, r["stream"], [number(r[n]) for n in ("count", "min", "max")])
    compare(0)
    compare_exact("queue", {r["stream"]: [number(r[n]) for n in ("count", "mean", "std", "min", "max")] for r in ours})
elif table == "bandwidth":
    for r in golden(1):
        put(want, r["key"], [number(r[n]) for n in ("count", "mean", "std", "min", "p25", "p50", "p75", "max")])
    for r in ours:
        put(got, r["name"], [number(r[n]) for n in ("count", "mean", "std", "min", "p25", "p50", "p75", "max")])
    compare(0)
    compare_exact("bandwidth", {r["name"]: [number(r[n]) for n in ("count", "mean", "min", "max")] for r in ours})
elif table == "launches":
    for r in golden():
        want.setdefault(r["correlation"], []).append([number(r[n]) for n in ("cpu_duration", "gpu_duration", "launch_delay")])
    for r in ours:
        got.setdefault(r["corr"], []).append(us(r, "cpu_duration", "gpu_duration", "launch_delay"))
    for rows in want, got:
        for key in rows:
            rows[key] = sum(sorted(rows[key]), [])
    compare(.001 if ns else 0)
n = sum(len(v) // 3 for v in want.values()) if table == "launches" else len(want)
print(n, "rows")
for line in wrong[:5]:
    print(" ", line)
P

# table NAME ROWS REPORT COMMAND: compares what the command prints of the whole steps with the tool's table, when it
# has one of this name. $differs has the rows that do, each after the name of its table.
table() {
	golden=$(ls "$SHARED/golden/kineto/$set/$1.csv"* 2>/dev/null)
	if [ "$golden" ]; then
		check "$set: $1" 0 "$4 | python3 report.py $3 '$golden' $ns" <<E
$2 rows$(printf '%s\n' "$differs" | sed -n "s/^$1:/ /p" | sed '1s/^/\n/')$(printf '%s\n' "$told" | sed -n "s/^$1: //p" | sed '1s/^/\n--- stderr\n/')
E
	elif [ "$2" != - ]; then
		skip "no $1 of $set"
	fi
}

# The calls that are launches to the tool.
launches() {
	"$1" -h | sed -n '/of Holistic Trace Analysis$/,/)[$]/p' | sed '1d; s/^ *//; s/,.*//' | tr -d '\n'
}
calls=$(launches launch-stats) queued=$(launches queue-lengths)
# Names of the calls in the source of the tool (get_runtime_launch_events_mask), and others like them.
check 'queue-lengths -h: the calls that the tool counts' 0 "printf '%s\n' cudaLaunchKernel cudaLaunchKernelExC cuLaunchKernel cuLaunchKernelEx cudaMemcpyAsync cudaMemsetAsync \
	hipLaunchKernel hipExtModuleLaunchKernel hipMemsetAsync hipMemcpyAsync hipMemcpyWithStream 'runFunction - job_prep_and_submit_for_execution' \
	cudaLaunchKernelEx cuLaunchKernelExC cuMemcpyAsync hipGraphLaunch cudaMemcpyWithStream hipLaunchKernelExC runFunction |
	sed 's/.*/{\"kind\":\"api\",\"name\":\"&\"}/' >names; filter-calls -c -e '$queued' names; filter-calls -e '$queued' names | cmp - names 2>&1 | cut -d ' ' -f 1-4" <<'E'
12
cmp: EOF on -
E

# reports NAME NS ROWS...: all tables of a set; `-` for one that it lacks. $alone is what whole-steps says.
reports() {
	set=$1 ns=$2
	need_shared "data/kineto/$1.json.gz" "golden/kineto/$1" || return
	whole-steps "$SHARED/data/kineto/$1.json.gz" >whole 2>said
	python3 exact.py "$SHARED/data/kineto/$1.json.gz" || return
	if [ "$alone" ]; then echo "$alone"; fi | check "$1: what is not in whole steps" 0 'cat said'
	table temporal_breakdown "$3" temporal 'device-summary -g all -k kernel,memcpy,memset,sync -o csv whole'
	table kernel_type_breakdown "$4" types 'kernel-types -g all -o csv whole'
	table kernel_breakdown_all "$5" names 'kernel-types -n -o csv whole'
	table comm_comp_overlap "$6" overlap 'comm-overlap -g all -o csv whole'
	table idle_interval_stats "$7" idle 'idle-causes -o csv whole'
	table idle_time_breakdown "$8" idle_time 'idle-causes -o csv whole'
	shift 8
	table queue_length_summary "$1" queue "queue-lengths -e '$queued' -o csv whole"
	table memory_bw_summary "$2" bandwidth 'memory-bandwidth -o csv whole'
	table cuda_kernel_launch_stats "$3" launches "launch-stats -e '$calls' -o csv whole"
	table cpu_user_annotation_breakdown "$4" annotations 'annotation-times -o csv whole'
	python3 exact.py "$SHARED/data/kineto/$set.json.gz" gpu || return
	table gpu_user_annotation_breakdown "$5" annotations 'annotation-times -d -o csv whole'
}

#       set                      ns temporal types names overlap idle idle_time queue bandwidth launches cpu gpu
told='' alone='whole-steps: 614 records of the device without their call, left out'
# Stream 7: kernels of a graph overlap in 30 places. The tool takes them for gaps of less than nothing, down to -13 us,
# and others for longer than they were. Memcpy DtoD: sums of doubles, in the order of an unstable sort: what is left of
# them counts as values.
differs='idle_interval_stats: 7 kernel_wait: tool 12068 3.51 3.03 -13 1 3 5 27 ours 12038 3.529323808 3.007414458 0 1 3 5 27
idle_time_breakdown: 7 kernel_wait: tool 42372 0.49 ours 42486 0.487213596
memory_bw_summary: Memcpy DtoD: tool 5461 70.95161022 113.0199659 1.387778781e-17 5.684341886e-14 0.9208633094 119.5912409 588.547696 ours 3840 99.86888795 122.1740216 0.0001649144506 0.6506828248 30.76923077 172.4631579 392.7979646'
reports a100_2022_cudagraph_test 0  1 7 135 1 11 12 4 4 8310 40 -
alone='' differs='' told=''
reports alexnet                  0  1 2 18 1 4 6 2 2 98 5 -
told="memory_bw_summary: gpu-busy: 2 copies and sets say neither their bandwidth nor bytes and dur
memory_bw_summary: memory-bandwidth: no copies or sets that move data
cuda_kernel_launch_stats: launch-stats: no device records whose call is known and matches '$calls'"
reports amd_mi250                1  1 2 13 1 1 2 1 0 0 2 2
told="kernel_type_breakdown: kernel-types: no device records
kernel_breakdown_all: kernel-types: no device records
comm_comp_overlap: comm-overlap: no device records
cuda_kernel_launch_stats: launch-stats: no device records whose call is known and matches '$calls'"
reports cpu_only                 2  - 0 0 1 - - - - 0 2 -
told=''
reports dlrm_a100_2022_control   0  1 7 174 1 10 12 4 4 7875 40 -
# Stream 28: a launch and a start in the same us, of which the tool takes the launch first.
differs='queue_length_summary: 28: tool 4 0 2 ours 4 0 1'
reports event_sync_multi_stream  0  1 2 2 1 3 6 3 1 6 - -
differs=''
reports nccl                     1  1 5 72 1 3 5 2 2 2516 10 5
reports resnet50_2021            0  1 3 69 1 2 3 1 2 7580 - -
reports sampled_rank-0           0  1 7 199 1 10 12 5 4 602 32 -
reports sampled_rank-1           0  1 6 188 1 9 11 5 4 577 29 -
reports simple_add               0  1 2 18 1 4 6 2 2 98 5 -

finish
