#!/usr/bin/env python3
"""Compares the collectives in the file FREE, made without a common clock, with those in the file COMMON.

  rank_free.py COMMON FREE

A wait without a common clock is off by at most the skew of the ends (a proof is in formats/ranks.md, 4).
"""
import json, sys


def read(path):
    with open(path) as f:
        return {tuple((m["rank"], m["ts"]) for m in r["members"]): r for r in map(json.loads, f)}


common, free = read(sys.argv[1]), read(sys.argv[2])
if common.keys() != free.keys():
    print("different collectives")
n = 0
for key in common.keys() & free.keys():
    a, b = common[key], free[key]
    n += len(key)
    if len(key) < 2:
        continue
    if b["aligned"] or b["class"] != "inconclusive" or "transfer" in b or b["clock"] != f"rank {key[0][0]}":
        print(f"{key[0]}: not without a common clock: {b}")
    if (b["ts"], b["dur"]) != (b["members"][0]["ts"], b["members"][0]["dur"]):
        print(f"{key[0]}: times are not those of the lowest rank")
    for x, y in zip(a["members"], b["members"]):
        if abs(x["wait"] - y["wait"]) > a["skew_end"]:
            print(f"{key[0]}: wait of rank {x['rank']} is {y['wait']}, expected {x['wait']} +- {a['skew_end']}")
print(f"{n} waits")
