#!/usr/bin/env python3
"""Compares our rows with those of a golden table, in their order.

usage: opencl_rows.py WHAT GOLDEN OURS
"""
import csv, datetime, json, sys

from traces import opened

what, golden, ours = sys.argv[1:]
with opened(golden) as f:
    want = list(csv.DictReader(f))
with open(ours) as f:
    got = [json.loads(line) for line in f] if what == "describe" else list(csv.DictReader(f))

SIZES = [w + i for w in ("lws", "gws", "gwo") for i in "012"]
TIMES = {"t1 - t0": "t1_t0", "p3 - p0": "p3_p0", "p3 - p2": "p3_p2", "p2 - p1": "p2_p1", "p1 - p0": "p1_p0"}
MS = {name + " (ms)": field for name, field in TIMES.items()}
bad = 0

def differ(i, why):
    global bad
    bad += 1
    if bad < 6:
        print(f"{what}, row {i + 1}: {why}\n  expected {want[i]}\n  got      {got[i]}")

def same(i, name, w, g):
    """Compares two texts, or two numbers to nine digits; an empty cell is an absent one."""
    try:
        if abs(float(w) - float(g)) > 1e-9 * abs(float(w)):
            differ(i, name)
    except ValueError:
        if w != g:
            differ(i, name)

def ms(i, name, w, g):
    """Compares milliseconds of the table with our integer nanoseconds."""
    same(i, name, w, repr(int(g) / 1e6) if g else g)

def whole(i, name, w, g):
    """Compares integers; times that the tool has converted to seconds, as doubles, may differ by 1 ns."""
    if g != str(int(g)) or abs(int(w) - int(g)) > ("t1 - t0" in name):
        differ(i, name)

def enqueues(i, w, g):
    same(i, "call_index", w["call_index"], g["corr"])
    for name in ["name"] + SIZES:
        same(i, name, w[name], g[name])
    for name, field in MS.items():
        ms(i, name, w[name], g[field])

def enqueues_ns(i, w, g):
    same(i, "label", w["label"], g["corr"].zfill(6))
    same(i, "call", w["call"], "clEnqueueNDRangeKernel" if g["gws0"] else g["name"])
    for name, field in TIMES.items():
        whole(i, name, w[name], g[field])
    whole(i, "(t1 - t0) - (p3 - p0)", w["(t1 - t0) - (p3 - p0)"], str(int(g["t1_t0"]) - int(g["p3_p0"])))

def sums(i, w, g):
    for name in ("name", "count"):
        same(i, name, w[name], g[name])
    for name in SIZES:
        same(i, name, w[name], g[name + "_sum"])
    for name, field in MS.items():
        ms(i, name, w[name], g[field + "_sum"])

def cumulative(i, w, g):
    same(i, "name", w["** Kernel name **"], g["name"])
    same(i, "number", w["** Number of enqueues **"], g["count"])
    ms(i, "time", w["** Execution time (ms) **"], g["p3_p2_sum"])
    same(i, "share", w["** Execution time (%) **"], repr(float(g["p3_p2_share"]) * 100))

def describe(i, w, g):
    for name, ours in zip(("count", "mean", "std", "min", "25%", "50%", "75%", "max"),
                          ("count", "mean", "std", "min", "p25", "p50", "p75", "max")):
        scale = 1e6 if w["column"] in MS and name != "count" else 1
        same(i, name, w[name], repr(g[ours] / scale) if ours in g else "")

def ksize(i, w, g):
    same(i, "call_index", w["call_index"], g["corr"])
    for name in ("name", "kernel", "kSizeM", "kSizeN", "kSizeK", "GFLOPS"):
        same(i, name, w[name], g[name])
    ms(i, "exec_ms", w["exec_ms"], g["dur"])

def layers(i, w, g):
    end = datetime.datetime.fromisoformat(w["end"]).replace(tzinfo=datetime.timezone.utc)
    end = int(end.timestamp()) * 1_000_000 + end.microsecond
    same(i, "call_index", w["call_index"], g["corr"])
    whole(i, "end", str(end * 1000), str(int(g["ts"]) + int(g["dur"])))
    for name, ours in ("call", "name"), ("layer", "layer"), ("label", "label"), ("direction", "direction"):
        same(i, name, w[name], g[ours])

def results(i, w, g):
    same(i, "time", w["time (ms)"], g["time_fw_ms"])
    for name in ("program", "tags", "repetition", "calls", "layers"):
        same(i, name, w[name], g[name])

if what == "sums":
    got.sort(key=lambda g: g["name"])
if what == "layers":
    got = [g for g in got if g["kind"] == "api"]
if what == "describe":
    # The rows of the table are sorted by position, and then by the name of the column.
    column = {field: name for name, field in MS.items()}
    got.sort(key=lambda g: (g["cycle"], column.get(g["field"], g["field"])))
    for i, (w, g) in enumerate(zip(want, got)):
        if (w["kernel_index"], w["column"]) != (str(g["cycle"]), column.get(g["field"], g["field"])):
            differ(i, "not the expected row")
if len(want) != len(got):
    bad += 1
    print(f"{what}: {len(got)} rows, expected {len(want)}")
for i, (w, g) in enumerate(zip(want, got)):
    globals()[what](i, w, g)
print("BAD" if bad else "same", len(want), "rows")
