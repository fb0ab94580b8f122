#!/usr/bin/env python3
"""Writes exact.json: the values of the reports in ns, from sums over sorted lists of the events of a trace.

usage: report_values.py TRACE [gpu]
"""
import collections, json, re, sys
from decimal import Decimal
from fractions import Fraction

from traces import TYPES, kernel_type, opened

class Row:
    def __init__(self, e):
        args = e.get("args", {})
        self.name, self.cat = e["name"], e["cat"]
        self.ts, self.dur = int(e["ts"] * 1000), int(e["dur"] * 1000)
        numeric = lambda v: isinstance(v, (int, Decimal)) or isinstance(v, str) and re.fullmatch("-?[0-9]+", v)
        number = lambda v: int(v) if numeric(v) else -1
        self.stream, self.corr = number(args.get("stream", -1)), number(args.get("correlation", -1))
        self.device = self.stream >= 0 and self.corr >= 0 or self.name in ("Event Sync", "Context Sync")
        moved = args.get("memory bandwidth (GB/s)")
        self.bandwidth = Fraction(moved) if isinstance(moved, Decimal) else None
        self.annotation = self.cat == "gpu_user_annotation"

events = json.load(opened(sys.argv[1]), parse_float=Decimal, parse_int=Decimal)["traceEvents"]
rows = [Row(e) for e in events if e.get("dur") is not None and e.get("cat") not in (None, "Trace")]
host, device = [r for r in rows if not r.device], [r for r in rows if r.device]

# Each step starts with the first record that has its name; records after the start of the last step do not count.
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
    points = sorted([(r.ts, 1, kernel_type(r.name)) for r in list_]
                    + [(r.ts + r.dur, -1, kernel_type(r.name)) for r in list_], key=lambda p: p[0])
    running, sets, at = dict.fromkeys(TYPES, 0), collections.Counter(), None
    for ts, step, kind in points:
        now = " overlapping ".join(k for k in TYPES if running[k])
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
    whole = max(r.ts + r.dur for r in waits) - waits[0].ts
    busy, compute = sum(sets.values()), having(sets, "COMPUTATION")
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
# Bandwidth of copies and memsets by kind: each start and each end of a record gives a value. If a start and an end
# have the same time, the end comes first.
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
        mean = sum(values) / len(values)
        answer["bandwidth"][kind] = [len(values)] + [float(x) for x in (mean, min(values), max(values))]
# Annotations. "cut" is the duration that the tool computes if the trace has ns: it rounds the start up and the end down
# to us.
answer["annotations"], answer["cut"] = {}, {}
for r in host:
    if r.cat == ("gpu_user_annotation" if sys.argv[2:] else "user_annotation"):
        answer["annotations"].setdefault(r.name, []).append(r.dur)
        answer["cut"].setdefault(r.name, []).append((r.ts + r.dur) // 1000 - -(-r.ts // 1000))
for name in "annotations", "cut":
    answer[name] = {k: [sum(v), max(v), min(v), len(v)] for k, v in answer[name].items()}
json.dump(answer, open("exact.json", "w"))
