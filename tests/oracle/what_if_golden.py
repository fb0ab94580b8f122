#!/usr/bin/env python3
"""Compares the output of what-if with a golden answer of ByteDance's jobs, for tests/filters/what-if.t.

usage: what_if_golden.py GOLDEN.json SUMMARY TYPES WORKERS STEPS

The last four are the outputs of what-if --write. Prints the figures that are more than 1e-6 apart, and then the number
of figures and the greatest distance.
"""
import json
import sys

TOLERANCE = 1e-6

golden = json.load(open(sys.argv[1], encoding="ascii"))
(summary,), types, workers, steps = (
    [json.loads(line) for line in open(path, encoding="ascii")] for path in sys.argv[2:])
compared, greatest = 0, 0


def compare(name, got, want, scale=1):
    """`scale`: the unit of the golden answer in that of `got`."""
    global compared, greatest
    distance = abs(got / scale - want) / max(1, abs(want))
    compared, greatest = compared + 1, max(greatest, distance)
    if distance > TOLERANCE:
        print(name, got, want)


for name, member in {"S": "slowdown", "M_W": "slowest_part", "M_S": "last_stage_part", "steps": "steps",
                     "dp": "dps", "stages": "stages", "operations": "operations"}.items():
    compare(name, summary[member], golden[name])
compare("t", summary["time"], golden["t"], 1e9)
compare("t_ideal", summary["ideal_time"], golden["t_ideal"], 1e9)
if summary["slowest"] != golden["slowest"]:
    print("slowest", summary["slowest"], golden["slowest"])

pairs = {"forward-send": "forward-pp-comm", "forward-recv": "forward-pp-comm",
         "backward-send": "backward-pp-comm", "backward-recv": "backward-pp-comm"}
for t in types:
    compare(t["name"], t["slowdown"], golden["S_type"].pop(pairs.get(t["name"], t["name"]), None)
            if t["name"] in ("backward-recv", "forward-recv") or t["name"] not in pairs
            else golden["S_type"][pairs[t["name"]]])
    compare("ideal " + t["name"], t["ideal_dur"], golden["ideal"].pop(t["name"]), 1e9)
for w in workers:
    compare(f"rank {w['rank']}", w["slowdown"], golden["S_worker"].pop(str(w["rank"])))
    compare(f"dp {w['dp']}", w["dp_slowdown"], golden["S_dp"][str(w["dp"])])
    compare(f"stage {w['stage']}", w["stage_slowdown"], golden["S_stage"][str(w["stage"])])
for s in steps:
    time, ideal, slowdown = golden["step"].pop(str(s["step"]))
    compare(f"step {s['step']}", s["slowdown"], slowdown)
    compare(f"step {s['step']} time", s["time"], time, 1e9)
    compare(f"step {s['step']} ideal", s["ideal_time"], ideal, 1e9)
for rest in "S_type", "ideal", "S_worker", "step":
    if golden[rest]:
        print("missing", rest, golden[rest])
print(compared, "figures, at most %.0e apart" % greatest)
