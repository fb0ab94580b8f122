#!/usr/bin/env python3
"""Compares op-breakdown --modules with the modules that an independent program found in recorded traces.

usage: module_rows.py
"""
import csv, json, os, subprocess
shared = os.environ["SHARED"]


def golden(name, *columns):
    with open("%s/golden/modules/%s/%s.csv" % (shared, trace, name)) as rows:
        return {(r["module"], r["phase"]): tuple(int(r[c]) for c in columns) for r in csv.DictReader(rows)}


for trace in ("h100_vit", "mi300_resnet"):
    run = subprocess.run(["op-breakdown", "--modules", "-o", "ndjson", "%s/data/kineto/%s.json.gz" % (shared, trace)],
                         stdout=subprocess.PIPE, check=True)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    inclusive = {(r["module"], r["phase"]): (r["records"], r["dur"])
                 for r in rows if "module" in r and r.get("records")}
    own = {(r.get("module", ""), r["phase"]): (r["own"],) for r in rows if r.get("own")}
    with open("%s/golden/modules/%s/summary.json" % (shared, trace)) as text:
        phases = json.load(text)["phases"]
    for phase, want in phases.items():
        name = phase.replace(" (no module)", "")
        tops = [r for r in rows if r["phase"] == name and "/" not in r.get("module", "") and "records" in r and
                (phase == name) == ("module" in r or name in ("outside", "no launch"))]
        got = {"count": sum(r["records"] for r in tops), "gpu_ns": sum(r["dur"] for r in tops)}
        if got != want:
            print(trace, phase, got, want)
    for got, want in (inclusive, golden("inclusive", "count", "gpu_ns")), (own, golden("modules", "gpu_ns")):
        for key in got.keys() | want.keys():
            if got.get(key) != want.get(key):
                print(trace, key, got.get(key), want.get(key))
    print(trace, len(inclusive), len(own), sum(p["count"] for p in phases.values()))
