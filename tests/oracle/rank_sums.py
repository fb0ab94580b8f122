#!/usr/bin/env python3
"""Compares the rows of `stragglers -o ndjson` and `stragglers --groups -o ndjson` with ranks.csv and groups.csv.

  rank_sums.py FOLDER CLOCKS RANKS GROUPS

FOLDER has the golden files of a setting. With CLOCKS raw, all figures are equal; otherwise waits are within 5 us for
each collective, and two ranks that start within 5 us may have been first or last in the other order.
"""
import csv, json, sys

folder, clocks = sys.argv[1:3]
NEAR = 0 if clocks == "raw" else 5000
COLUMNS = ("collectives", "wait_sum", "dur_sum", "first", "last", "late_sum")
differences = 0


def compare(name, keys, rows):
    global differences
    with open(f"{folder}/{name}.csv") as f:
        right = {tuple(r[k] for k in keys): r for r in csv.DictReader(f)}
    found = {tuple(str(r.get(k, "")) for k in keys): r for r in rows}
    for key in sorted(set(right) ^ set(found)):
        print(name, key, "only in", "golden" if key in right else "output")
        differences += 1
    for key in sorted(set(right) & set(found)):
        for column in COLUMNS:
            a, b = int(right[key][column]), found[key][column]
            near = 0
            if column in ("wait_sum", "late_sum"):
                near = NEAR * int(right[key]["collectives"])
            elif column in ("first", "last") and NEAR:
                near = 2
            if abs(a - b) > near:
                print(name, key, column, a, b)
                differences += 1


ranks = [json.loads(x) for x in open(sys.argv[3])]
compare("ranks", ("rank",), ranks)
compare("groups", ("group", "ranks", "rank"), [json.loads(x) for x in open(sys.argv[4])])
if [r["late_sum"] for r in ranks] != sorted((r["late_sum"] for r in ranks), reverse=True):
    print("not in order")
    differences += 1
print(differences, "differences")
