#!/usr/bin/env python3
"""Writes random calls and device records with few ids and times, of two ranks and two processes.

usage: call_records.py SEED IDS TIMES all|blind     blind: device records have no pid
"""
import json
import random
import sys
r = random.Random(int(sys.argv[1]))
ids, times, blind = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "blind"
for i in range(700):
    kind = r.choice(["api", "api", "kernel", "memcpy", "op"])
    e = {"ts": r.randrange(-times, times), "dur": r.randrange(20), "kind": kind, "name": f"{kind}{i}"}
    if r.randrange(2):
        e["rank"] = r.randrange(2)
    if kind == "api" or not blind:
        e["pid"] = r.choice([1, 2, "1"])
    if kind == "api":
        e["tid"] = r.randrange(3)
    e["corr"] = r.randrange(-1, ids)
    if kind == "api" and r.randrange(2):
        e["iter"] = r.randrange(5)
        e["op"] = "x" * r.randrange(40)
    if r.randrange(2):
        e["args"] = {"corr": 7, "grid": [1, 2]}
    print(json.dumps(e, separators=(",", ":")))
