#!/usr/bin/env python3
"""Compares the CSV of a report on standard input with the table of the reference tool and with exact.json.

usage: report_rows.py TABLE GOLDEN NS
Our values are in ns, those of the tool in us. For traces with ns (NS 1) the tool prints sums of doubles, rounded in
some tables; in one set (NS 2) it first truncates each event to integer us. Prints the number of rows and the
differences.
"""
import collections, csv, json, sys

from traces import opened

table, path, ns = sys.argv[1], sys.argv[2], int(sys.argv[3])
exact = json.load(open("exact.json"))
ours = [collections.defaultdict(str, r) for r in csv.DictReader(sys.stdin)]
want, got, wrong = {}, {}, []

def number(text):
    return float(text) if text else None

def golden(skip=0):
    lines = opened(path).read().splitlines()[skip:]
    if skip: # the tool writes three header lines; the last one has the names of the keys
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
    """off: the allowed difference of each column, a list or one value for all."""
    for key in sorted(want.keys() | got.keys(), key=str):
        a, b = want.get(key), got.get(key)
        offs = off if isinstance(off, list) else [off] * len(a or ())
        if a is None or b is None or not all(near(x, y, o, part) for x, y, o in zip(a, b, offs)):
            wrong.append("%s: tool %s ours %s" % (key if isinstance(key, str) else " ".join(key), row(a), row(b)))

def compare_exact(name, rows):
    for key in sorted(exact[name].keys() | rows.keys()):
        a, b = exact[name].get(key), rows.get(key)
        if a is None or b is None or not all(near(x, y, 0, 1e-12) for x, y in zip(a, b)):
            wrong.append("%s: exact %s ours %s" % (key, row(a), row(b)))

us = lambda r, *names: [None if not r[n] else float(r[n]) / 1000 for n in names]
if table == "temporal":
    for r in golden():
        put(want, "", [number(r[n]) for n in (
            "idle_time(us)", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)", "idle_time_pctg",
            "compute_time_pctg", "non_compute_time_pctg")])
    for r in ours:
        put(got, "", us(r, "idle", "compute_time", "non_compute_time", "kernel_time")
            + [100 * float(r[n]) for n in ("idle_share", "compute_share", "non_compute_share")])
    compare([.001 * ns] * 4 + [.0050001] * 3)
    compare_exact("temporal", {"": [int(r[n]) for n in ("idle", "compute_time", "non_compute_time", "kernel_time")]
                               for r in ours})
elif table == "types":
    for r in golden():
        put(want, r["kernel_type"], [number(r["sum"]), number(r["percentage"])])
    for r in ours:
        put(got, r["types"], [float(r["dur_sum"]) / 1000, 100 * float(r["share"])])
    for key, values in want.items(): # types without time have a row in the tool's table only
        if values == [0, 0]:
            got.setdefault(key, values)
    if ns: # the tool truncates every interval to us, small ones to 0
        got = {key: [min(got[key][0], values[0]), values[1]] if key in got else None for key, values in want.items()}
    compare([0, .0500001])
    compare_exact("types", {r["types"]: [int(r["dur_sum"])] for r in ours})
elif table == "overlap":
    for r in golden():
        put(want, "", [number(r["comp_comm_overlap_pctg"])])
    for r in ours:
        put(got, "", [100 * float(r["overlap_share"]) if r["overlap_share"] else None])
    if not got: # without device records we write no row
        got = {k: v for k, v in want.items() if v == [None]}
    compare(.0050001)
    compare_exact("overlap", {"": [int(r["overlap_time"]), int(r["comm_time"])] for r in ours})
elif table == "names":
    for r in golden():
        put(want, (r["name"], r["kernel_type"]), [number(r[n + " (us)"]) for n in ("sum", "max", "min", "mean")]
            + [number(r["stddev"])])
    for r in ours:
        put(got, (r["name"], r["type"]), us(r, "dur_sum", "dur_max", "dur_min", "dur_mean")
            + [float(r["dur_std"] or 0) / 1000])
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
    compare_exact("annotations", {r["name"]: [int(r[n]) for n in ("dur_sum", "dur_max", "dur_min", "count")]
                                  for r in ours})
elif table == "idle":
    for r in golden():
        put(want, (r["stream"], r["idle_category"].replace("other", "other_wait")),
            [number(r[n]) for n in ("count", "mean", "std", "min", "25%", "50%", "75%", "max")])
    for r in ours:
        put(got, (r["stream"], r["cause"]), [int(r["count"])]
            + us(r, *("dur_" + n for n in ("mean", "std", "min", "p25", "p50", "p75", "max"))))
    compare([0] + [.02 if ns else .0050001] * 7)
    columns = "count", "dur_sum", "dur_min", "dur_max"
    compare_exact("idle", {r["stream"] + " " + r["cause"]: [int(r[n]) for n in columns] for r in ours})
elif table == "idle_time":
    for r in golden():
        put(want, (r["stream"], r["idle_category"].replace("other", "other_wait")),
            [number(r["idle_time"]), number(r["idle_time_ratio"])])
    for r in ours:
        put(got, (r["stream"], r["cause"]), us(r, "dur_sum") + [float(r["share"]) if r["share"] else None])
    for key in want: # a stream without such waits, or with a single record
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
        want.setdefault(r["correlation"], []).append([number(r[n])
                                                      for n in ("cpu_duration", "gpu_duration", "launch_delay")])
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
