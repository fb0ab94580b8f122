#!/usr/bin/env python3
"""Compares the records of collectives on standard input with a unit case, GOLDEN/unit/CASE.json; prints differences.

  coll-join --clocks raw GOLDEN/unit/keys.ndjson | rank_units.py GOLDEN keys
"""
import json, sys

with open(f"{sys.argv[1]}/unit/{sys.argv[2]}.json") as f:
    want = json.load(f)
got = [json.loads(line) for line in sys.stdin]


def compare(name, a, b):
    if isinstance(b, float):
        same = isinstance(a, (int, float)) and abs(a - b) < 1e-6
    else:
        same = a == b
    if not same:
        print(f"{name} is {a!r}, expected {b!r}")


if sys.argv[2] == "keys":
    compare("number of records", len(got), len(want["collectives"]))
    compare("kernels", sum(r["n"] for r in got) + want["doubles"], want["kernels"])
    for r, w in zip(sorted(got, key=lambda r: r["ts"]), want["collectives"]):
        members = r["members"]
        have = {**r, "op": r["name"], "members": [m["rank"] for m in members], "wait": [m["wait"] for m in members]}
        for key, value in w.items():
            compare(f"{w['op']} {w['group']} {w['ranks']}: {key}", have.get(key), value)
else:
    (r,) = got
    names = "skew_start skew_end first last late latency transfer share class".split()
    for name in names if r["aligned"] else []:
        compare(name, r[name], want[name])
    compare("waits", [m["wait"] for m in r["members"]], want["wait" if r["aligned"] else "wait_free"])
    compare("n", r["n"], want["ranks"])
