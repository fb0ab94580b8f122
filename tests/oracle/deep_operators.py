#!/usr/bin/env python3
"""Compares the counts of op-breakdown by depth with the nesting of 1,200 operators, each with a launch.

usage: deep_operators.py
A third of them are frames, which are not operators. At depth N a launch belongs to the operator that N others enclose,
or to the innermost one.
"""
import csv, json, subprocess
n = 1200
with open("deep.nd", "w") as out:
    for i in range(n):
        name = "DLRM frame" if i % 3 == 2 else "op%d" % i
        out.write(json.dumps({"ts": 10 * i, "dur": 100000 - 20 * i, "kind": "op", "name": name, "pid": 1, "tid": 1})
                  + "\n")
        out.write(json.dumps({"ts": 10 * i + 1, "dur": 1, "kind": "api", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                              "corr": i}) + "\n")
        out.write(json.dumps({"ts": 10 * i + 5, "dur": 1, "kind": "kernel", "name": "k", "dev": 0, "stream": 7,
                              "corr": i}) + "\n")
for option in "0", "2", "9", "10", "11", "100", "101", "1000", "999999999999999999", "innermost":
    want, ops = {}, []
    for i in range(n):
        ops += [] if i % 3 == 2 else ["op%d" % i]
        level = len(ops) - 1 if option == "innermost" else min(int(option), len(ops) - 1)
        want[ops[level]] = want.get(ops[level], 0) + 1
    run = subprocess.run(["op-breakdown", "-o", "csv"]
                         + (["--innermost"] if option == "innermost" else ["--depth", option]) + ["deep.nd"],
        stdout=subprocess.PIPE)
    rows = csv.DictReader(run.stdout.decode().splitlines())
    got = {r["operator"]: int(r["records"]) for r in rows if r["level"] == "operator"}
    if run.returncode or got != want:
        print(option, run.returncode, sorted(got.items())[-3:], sorted(want.items())[-3:])
