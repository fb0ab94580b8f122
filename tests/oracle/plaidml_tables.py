#!/usr/bin/env python3
"""Rows of the golden tables of a PlaidML log, compared with the output of our scripts.

usage: SCRIPT -o csv LOG | plaidml_tables.py TABLE GOLDEN_DIR [NAME]
TABLE: kernels tree invocations programs texts kernel device; NAME is the file with the golden table, or a member of
summary.json. Prints the first 20 rows that differ, and at the end their number or "same". Needs only the standard
library of Python.
"""
import csv
import hashlib
import json
import os
import sys
from decimal import ROUND_HALF_EVEN, Decimal

table, folder = sys.argv[1:3]
name = sys.argv[3] if len(sys.argv) > 3 else None


def golden(path):
    with open(os.path.join(folder, path), encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def summary():
    with open(os.path.join(folder, "summary.json"), encoding="utf-8") as f:
        return json.load(f)


def ours():
    return list(csv.DictReader(sys.stdin))


def six(text):
    return str(Decimal(text).quantize(Decimal("0.000001"), ROUND_HALF_EVEN))


def kernels():
    theirs = [[r["rank"], r["kname"], r["count"], r["total_ns"], r["mean_ns"], r["min_ns"], r["max_ns"],
               r["kernel_event_id"], r["n_kernel_events"]] for r in golden(name)]
    return theirs, [[str(i), r["name"], r["count"], r["dur_sum"], six(r["dur_mean"]), r["dur_min"], r["dur_max"],
                     r["args.kernel_first"], r["args.kernel_distinct"]] for i, r in enumerate(ours(), 1)]


def tree():
    theirs = [[r["root"], r["depth"], r["id"], r["label"], ".".join(r["verb"].split("::")[-2:]), r["verb"],
               r["start_ns"], r["elapsed_ns"]] for r in golden(name)]
    return theirs, [[r[k] for k in ("root", "depth", "id", "label", "tail", "cat", "ts", "dur")] for r in ours()]


def invocations():
    theirs = [[r["idx"], r["id"], r["seq"], r["start_s"].replace(".", ""), r["elapsed_ns"], r["tree_events"],
               r["executing"], r["exec_sum_ns"], r["exec_first_start_ns"], r["exec_last_end_ns"],
               str(int(r["exec_last_end_ns"]) - int(r["exec_first_start_ns"])), r["map_window_end_ns"],
               r["mappings"]] for r in golden("invocations.csv")]
    return theirs, [[r[k] for k in ("invocation", "id", "seq", "ts", "dur", "records", "kernels", "kernel_time",
                                    "kernel_first", "kernel_last", "wall_time", "window_end", "mappings")]
                    for r in ours()]


def programs():
    theirs = [[r["compile_event_id"], r["program_id"], r["alloc_total"], r["alloc_list"], r["tmp_total"],
               r["tmp_list"]] for r in golden("program_allocs.csv")]
    return theirs, [[r[k] for k in ("id", "name", "alloc_total", "alloc_list", "tmp_total", "tmp_list")]
                    for r in ours()]


def texts():
    """Compares the source of the first kernel, as plaidml-info source prints it, by its hash and length."""
    top = summary()[name]
    source = sys.stdin.buffer.read()
    return [[top["src_sha256"], top["src_bytes"]]], [[hashlib.sha256(source).hexdigest(), len(source)]]


def kernel():
    """Compares the name of the longest kernel of an invocation."""
    return [[summary()[name]["max_executing_kname"]]], [[json.loads(line)["name"]] for line in sys.stdin]


def device():
    """Compares the device and its platform, which are two lines of standard input."""
    theirs = summary()[name]["device"]
    device_, platform = [json.loads(line) for line in sys.stdin]
    device_["extensions"] = len(device_["extension"])
    device_["platform_name"] = platform["name"]
    return [[k, v] for k, v in theirs.items()], [[k, device_.get(k)] for k in theirs]


theirs, got = globals()[table]()
if len(got) != len(theirs):
    print("%d rows, golden %d" % (len(got), len(theirs)))
differ = [(a, b) for a, b in zip(got, theirs) if a != b]
for a, b in differ[:20]:
    print("ours   %r\ngolden %r" % (a, b))
if differ or len(got) != len(theirs) or not theirs:
    print(len(differ), "rows differ")
    sys.exit(1)
print("same")
