#!/usr/bin/env python3
"""Compares the rows of roofline with those that another program computed from the same trace, in a CSV file.

usage: roofline_rows.py EXPECTED.csv ROWS.ndjson
"""
import csv
import json
import re
import sys

# The columns of the CSV file, those of roofline, and the factor between them.
COLUMNS = [("tflops_s", "tflops_s", 1), ("tb_s", "gb_s", 1000), ("intensity", "intensity", 1), ("share", "share", 1)]


def key(name, dims, kernels):
    name = re.sub(r"_\d+$", "", name) if name.startswith("sglang_profiler::") else name
    return name, json.dumps([d for d in dims if d]), kernels


rows = {}
for line in open(sys.argv[2]):
    row = json.loads(line)
    rows.setdefault(key(row["op"], row["shape"], row["kernels"]), []).append(row)


def fits(row, want):
    calls = int(want["count"])
    if row["calls"] != calls or abs(row["dur"] - int(want["device_ns"])) > calls:
        return False
    for name in ("flops", "bytes"):
        if want[name] and abs(row[name] - int(want[name]) * calls) > calls:
            return False
    for theirs, ours, factor in COLUMNS:
        if bool(want[theirs]) != (ours in row) and theirs in ("share", "tb_s"):
            return False
        if want[theirs] and abs(row[ours] - float(want[theirs]) * factor) > 1e-5 * abs(row[ours]):
            return False
    if want["saves_ns"] and abs(row["saves"] - int(want["saves_ns"])) > 2:
        return False
    return (row["bound"], row.get("verdict", ""), row["peak"]) == (want["bound"], want["verdict"], want["peak"])


for want in csv.DictReader(open(sys.argv[1])):
    name = key(want["name"], json.loads(want["input_dims"]), want["kernels"])
    found = [row for row in rows.get(name, []) if fits(row, want)]
    if found:
        rows[name].remove(found[0])
    else:
        print("not found:", want["name"], want["input_dims"], "among", rows.get(name))
for name, left in rows.items():
    for row in left:
        print("not expected:", row)
