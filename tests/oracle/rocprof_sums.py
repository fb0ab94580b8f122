#!/usr/bin/env python3
"""Compares sums of records with the answers that were computed from the fields of rocprofv3's files.

usage: rocprof_sums.py FOLDER < RECORDS
FOLDER has the answers as CSV files. Prints the names of the files that are right, or the first difference of a file.
"""
import csv
import json
import os
import sys


def union(intervals):
    length, end = 0, None
    for a, b in sorted(intervals):
        if end is None or a > end:
            length, end = length + b - a, b
        elif b > end:
            length, end = length + b - end, b
    return length


def sums(records):
    by_name = {}
    for r in records:
        by_name.setdefault(r["name"].replace("MEMORY_COPY_", ""), []).append(r.get("dur", 0))
    return sorted(([n, len(v), sum(v), min(v), max(v)] for n, v in by_name.items()), key=lambda r: (-r[2], r[0]))


def queues(kernels):
    of = {}
    for k in kernels:
        of.setdefault((k["dev"], k["stream"]), []).append((k["ts"], k["ts"] + k["dur"]))
    return [[*key, len(v), sum(b - a for a, b in v), union(v), min(v)[0], max(b for _, b in v)]
            for key, v in sorted(of.items(), key=str)]


def launches(kernels, calls):
    call, of = {c.get("corr"): c for c in calls}, {}
    for k in kernels:
        c = call.get(k.get("corr"))
        if c:
            delay = of.setdefault((k["name"], c["name"]), [0, 0])
            delay[0] += 1
            delay[1] += k["ts"] - c["ts"]
    return [[*key, *v] for key, v in sorted(of.items())]


def counters(records):
    of = {}
    for c in records:
        total = of.setdefault((c["name"], c["args"]["kernel"]), [0, 0.0])
        total[0] += 1
        total[1] += c["args"]["value"]
    return [[*key, v[0], "%.6f" % v[1]] for key, v in sorted(of.items())]


records = [json.loads(line) for line in sys.stdin]
kind = {k: [r for r in records if r["kind"] in k.split()] for k in ("kernel", "api", "memcpy", "range mark", "counter")}
answers = {"kernel_sum": sums(kind["kernel"]), "api_sum": sums(kind["api"]), "memcpy_sum": sums(kind["memcpy"]),
           "marker_sum": sums(kind["range mark"]), "queues": queues(kind["kernel"]),
           "launches": launches(kind["kernel"], kind["api"]), "counter_sum": counters(kind["counter"])}
for file in sorted(os.listdir(sys.argv[1])):
    if not file.endswith(".csv"):
        continue
    with open(os.path.join(sys.argv[1], file), newline="") as f:
        want = list(csv.reader(f))[1:]
    got = [[str(v) for v in row] for row in answers.pop(file[:-4])]
    if got == want:
        print(file)
    else:
        print(file, "differs:", next(((g, w) for g, w in zip(got, want) if g != w), (len(got), len(want))))
for name, rows in answers.items():
    if rows:
        print(name, "has", len(rows), "rows, but no answer")
