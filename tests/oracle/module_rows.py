#!/usr/bin/env python3
"""Compares op-breakdown --modules with the modules that an independent program found in recorded traces.

usage: module_rows.py

The rows of op-breakdown are sums. To compare each device record, the trace is read again with random durations: then a
sum is right only if exactly the right records are in it. Prints the numbers of modules with all their inner ones, of
modules with records of their own, and of device records.
"""
import csv
import gzip
import json
import os
import random
import subprocess

shared = os.environ["SHARED"]


def golden(name):
    path = "%s/golden/modules/%s/%s.csv" % (shared, trace, name)
    with (open(path) if os.path.exists(path) else gzip.open(path + ".gz", "rt")) as rows:
        return list(csv.DictReader(rows))


def breakdown(path):
    run = subprocess.run(["op-breakdown", "--modules", "-o", "ndjson", path], stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def compare(got, want):
    for key in got.keys() | want.keys():
        if got.get(key) != want.get(key):
            print(trace, key, got.get(key), want.get(key))


for trace in ("h100_vit", "mi300_resnet"):
    recorded = "%s/data/kineto/%s.json.gz" % (shared, trace)
    rows = breakdown(recorded)
    inclusive = {(r["module"], r["phase"]): (r["records"], r["dur"])
                 for r in rows if "module" in r and r.get("records")}
    compare(inclusive, {(r["module"], r["phase"]): (int(r["count"]), int(r["gpu_ns"])) for r in golden("inclusive")})
    with open("%s/golden/modules/%s/summary.json" % (shared, trace)) as text:
        phases = json.load(text)["phases"]
    for phase, want in phases.items():
        name = phase.replace(" (no module)", "")
        tops = [r for r in rows if r["phase"] == name and "/" not in r.get("module", "") and "records" in r and
                (phase == name) == ("module" in r or name in ("outside", "no launch"))]
        got = {"count": sum(r["records"] for r in tops), "gpu_ns": sum(r["dur"] for r in tops)}
        if got != want:
            print(trace, phase, got, want)

    with gzip.open(recorded) as file:
        document = json.load(file)
    source, kernels, want = random.Random(45), golden("kernels"), {}
    for r in kernels:
        ns = source.randrange(1, 1 << 45)
        document["traceEvents"][int(r["event"])]["dur"] = float("%d.%03d" % divmod(ns, 1000))
        want[r["module"], r["phase"]] = want.get((r["module"], r["phase"]), 0) + ns
    with open("random.json", "w") as file:
        json.dump(document, file)
    own = {(r.get("module", ""), r["phase"]): r["own"] for r in breakdown("random.json") if r.get("own")}
    compare(own, want)
    print(trace, len(inclusive), len(own), len(kernels))
