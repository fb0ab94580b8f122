#!/usr/bin/env python3
"""Compares critical-path with a table of totals and classes of recorded traces; prints the cases that differ.

usage: critical_path.py SHARED [CASE]...   SHARED holds golden/critical-path/own.csv and the traces
"""
import csv, json, re, subprocess, sys

COLUMNS = {"total": "total_ns", "cpu": "cpu_bound_ns", "data_loading": "data_loading_ns",
           "gpu_compute": "gpu_compute_bound_ns", "gpu_communication": "gpu_communication_bound_ns",
           "kernel_delay": "gpu_kernel_kernel_overhead_ns", "launch_delay": "gpu_kernel_launch_overhead_ns"}


def options(row):
    args = []
    if row["annotation"]:
        first, _, last = row["instance"].partition("-")
        args += ["--marker", re.sub(r"([][|()])", r"\\\1", row["annotation"]), "--skip", first,
                 "--count", str(int(last or first) - int(first) + 1)]
    return args + (["--data-load", row["data_load_events"]] if row["data_load_events"] else [])


shared, cases = sys.argv[1], sys.argv[2:]
compared = 0
for row in csv.DictReader(open(f"{shared}/golden/critical-path/own.csv")):
    if cases and row["case"] not in cases:
        continue
    trace = f"{shared}/data/kineto/{row['trace']}"
    joined = subprocess.run(f"trace2ndjson --quiet {trace} | ts-sort | corr-join --sorted --quiet", shell=True,
                            capture_output=True).stdout
    for assume, prefix in ("none", ""), ("calls", "sync_"):
        run = subprocess.run(["critical-path", "--quiet", "--assume", assume, *options(row)], input=joined,
                             capture_output=True)
        total, *edges = map(json.loads, run.stdout.splitlines())
        want = {key: int(row[prefix + column]) for key, column in COLUMNS.items()}
        want["ts"] = int(row["window_start_ns"])
        want["dur"] = int(row["window_end_ns"]) - want["ts"]
        got = {key: total[key] for key in want}
        sums = dict.fromkeys(COLUMNS, 0)
        for edge in edges:
            sums["total"] += edge["weight"]
            if "bound" in edge:
                sums[edge["bound"]] += edge["weight"]
        if want != got or run.returncode or run.stderr:
            print(row["case"], assume, "wanted", want, "got", got, run.stderr.decode())
        if any(sums[key] != total[key] for key in sums):
            print(row["case"], assume, "the edges sum to", sums)
        compared += 1
if not compared:
    print("no case was compared")
