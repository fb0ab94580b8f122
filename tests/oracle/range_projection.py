#!/usr/bin/env python3
"""Writes random ranges that cross, on threads of two processes, and their projection by the definition.

usage: range_projection.py TRIALS
random.N has records, and random.N.SCOPE the rows of range-project for each scope.
"""
import json, random, sys

def inside(r, api, scope):
    same = {"thread": ("pid", "tid"), "process": ("pid",), "any": ()}[scope]
    return all(r[k] == api[k] for k in same) and r["ts"] <= api["ts"] and r["ts"] + r["dur"] >= api["ts"] + api["dur"]

def union(intervals):
    total, reached = 0, None
    for a, b in sorted(intervals):
        if reached is None or a > reached:
            total, reached = total + b - a, b
        elif b > reached:
            total, reached = total + b - reached, b
    return total

for trial in range(int(sys.argv[1])):
    rnd = random.Random(trial)
    span = rnd.choice([60, 400, 5000])
    records = []
    for i in range(120):
        records.append({"ts": rnd.randrange(span), "dur": rnd.randrange(rnd.choice([5, 40, span])), "kind": "range",
                        "name": f"r{i}", "pid": rnd.randrange(2), "tid": rnd.randrange(3)})
    for corr in range(80):
        api = {"name": "c", "ts": rnd.randrange(span), "dur": rnd.randrange(6), "pid": rnd.randrange(2),
               "tid": rnd.randrange(3)}
        for k in range(rnd.choice([1, 1, 1, 3])):
            records.append({"ts": api["ts"] + rnd.randrange(-3, 90), "dur": rnd.randrange(30), "kind": "kernel",
                            "name": "k", "pid": api["pid"], "dev": 0, "stream": rnd.randrange(2), "corr": corr,
                            "api": api})
    records.sort(key=lambda r: (r["ts"], -r["dur"]))
    with open(f"random.{trial}", "w") as f:
        for r in records:
            print(json.dumps(r, separators=(",", ":")), file=f)
    ranges = [r for r in records if r["kind"] == "range"]
    kernels = [r for r in records if r["kind"] == "kernel"]
    for i, r in enumerate(ranges):
        r["id"] = i + 1
        around = [q for q in ranges[:i] if inside(q, r, "thread")]
        r["parent"] = max(around, key=lambda q: (q["ts"], -q["dur"], q["id"]), default=None)
        r["depth"] = r["parent"]["depth"] + 1 if r["parent"] else 0
    for scope in ("thread", "process", "any"):
        with open(f"random.{trial}.{scope}", "w") as f:
            for r in ranges:
                work = [k for k in kernels if inside(r, k["api"], scope)]
                if not work:
                    continue
                first, last = min(k["ts"] for k in work), max(k["ts"] + k["dur"] for k in work)
                print(r["id"], first, last - first, len({(k["pid"], k["corr"]) for k in work}), len(work),
                      sum(k["dur"] for k in work),
                      union((k["ts"], k["ts"] + k["dur"]) for k in work), r["ts"], r["dur"], r["depth"],
                      r["parent"]["id"] if r["parent"] else "", sep=",", file=f)
