#!/usr/bin/env python3
"""Prints the number and time of kernels by the step that encloses their launch.

usage: step_kernels.py RECORDS
"""
import collections, json, sys

steps, calls, kernels = [], {}, []
for line in map(json.loads, open(sys.argv[1])):
    if line["kind"] == "range" and line["name"].startswith("step "):
        steps.append((line["ts"], line["ts"] + line["dur"], line["name"][5:]))
    elif line["kind"] == "api" and "cudaLaunchKernel" in line["name"]:
        calls[line["corr"]] = line["ts"], line["ts"] + line["dur"]
    elif line["kind"] == "kernel":
        kernels.append(line)
n, time = collections.Counter(), collections.Counter()
for k in kernels:
    call = calls.get(k["corr"])
    for start, end, step in steps:
        if call and start <= call[0] and call[1] <= end:
            n[step] += 1
            time[step] += k["dur"]
print("iteration,dur_sum,kernels_sum")
for step in sorted(n, key=int):
    print(f"{step},{time[step]},{n[step]}")
