#!/usr/bin/env python3
"""Compares the operators of each stream with the table of the reference tool and the file rows of op-breakdown.

usage: operator_rows.py PREFIX     of the golden files
The rows are computed from the trace. With the launches of the reference (R2: calls that enclose no call) they must
equal the table, with all launches our rows.
"""
import bisect, collections, csv, gzip, json, sys

folder = sys.argv[1]
table = {(str(r["stream"]), r["op"]): (r["op_count"], r["device_us"], r["kernels"])
         for r in json.load(open(folder + ".op_table.json"))}
events = json.load(gzip.open(folder + ".input.json.gz"))["traceEvents"]
events = [e for e in events if "dur" in e]
calls, ops, device = collections.defaultdict(list), collections.defaultdict(list), []
for e in events:
    if e["cat"] == "cuda_runtime":
        calls[e["tid"]].append((e["ts"], e["ts"] + e["dur"], e["args"]["correlation"]))
    elif e["cat"] == "cpu_op" and not e["name"].startswith(("##", "__", "module::", "DLRM ",
                                                            "DistributedDataParallel")):
        ops[e["tid"]].append((e["ts"], -e["dur"], e["ts"] + e["dur"], e["name"]))
    elif e["cat"].lower() in ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"):
        device.append(e)

outermost = {}
for tid, list_ in ops.items():
    until, outermost[tid] = -1, []
    for ts, _, end, name in sorted(list_, key=lambda op: op[:2]):
        if ts >= until:
            outermost[tid].append((ts, end, name))
            until = end
found = {}
for tid, list_ in calls.items():
    list_.sort()
    starts = [ts for ts, _, _ in list_]
    tops = outermost.get(tid, [])
    tops_at = [ts for ts, _, _ in tops]
    for ts, end, corr in list_:
        at = bisect.bisect_right(tops_at, ts) - 1
        if at < 0 or not (ts < tops[at][1] and end <= tops[at][1]):
            continue
        # The calls that this call encloses: they start no earlier, end no later, and are shorter.
        within = [c for c in list_[bisect.bisect_left(starts, ts):bisect.bisect_right(starts, end)]
                  if c[2] != corr and c[1] <= end and c[1] - c[0] < end - ts]
        found[corr] = ((tid, at), tops[at][2], bool(within))

def rows(all_launches):
    of = collections.defaultdict(lambda: [set(), 0, 0])
    for e in device:
        op, name, within = found.get(e["args"]["correlation"], (None, None, None))
        if op and (all_launches or not within):
            row = of[str(e["args"]["stream"]), name]
            row[0].add(op)
            row[1] += e["dur"]
            row[2] += 1
    return {k: (len(v[0]), v[1], v[2]) for k, v in of.items()}

def compare(what, want, got):
    for k in sorted(want.keys() | got.keys()):
        if want.get(k) != got.get(k):
            print(what, k, "expected", want.get(k), "got", got.get(k))

lines = list(csv.DictReader(open("rows")))
ours = {(r["stream"], r["operator"]): (int(r["calls"]), int(r["dur"]) / 1000, int(r["records"]))
        for r in lines if r["level"] == "operator" and r["operator"]}
compare("reference", table, rows(False))
compare("ours", rows(True), ours)
# The times of the rows below an operator must add up to the time of the operator, and the times of operators must add
# up to the time of their stream.
for outer, inner, key in ("stream", "operator", ["stream"]), ("operator", "kernel", ["stream", "operator"]):
    sums = collections.Counter()
    for r in lines:
        if r["level"] == inner:
            sums[tuple(r[k] for k in key)] += int(r["dur"])
    compare(outer, {tuple(r[k] for k in key): int(r["dur"]) for r in lines if r["level"] == outer}, dict(sums))
major = json.load(open(folder + ".major_device_results.json"))
compare("major", {s: {op.split("'")[1]: us for op, us in v["total"]["subs"].items()} for s, v in major.items()},
        {s: {op: v[1] for (t, op), v in table.items() if t == s} for s in major})
for k in sorted(table):
    if table[k] != ours[k]:
        print(k[0], k[1].split(": ")[-1], *(b - a for a, b in zip(table[k], ours[k])))
print(len(table), sum(v[2] for v in ours.values()), sum(v[1] for v in ours.values()))
