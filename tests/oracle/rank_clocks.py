#!/usr/bin/env python3
"""Compares the clock records on standard input with GOLDEN/clocks.csv, digit by digit, and prints each difference.

  coll-join --write clocks ... | rank_clocks.py GOLDEN [--raw]

--raw: the clocks are given, not estimated; spread is not compared.
"""
import csv, json, sys

records = {str(r["rank"]): r for r in map(json.loads, sys.stdin)}
differences = 0
with open(sys.argv[1] + "/clocks.csv") as f:
    rows = list(csv.DictReader(f))
for row in rows:
    r = records.pop(row["rank"], {})
    names = "ref via base offset drift at lo hi count ok" + (" spread" if "--raw" not in sys.argv else "")
    for what in names.split():
        if str(r.get(what, "")) != row[what]:
            differences += 1
            print(f"rank {row['rank']}: {what} is {r.get(what)}, expected {row[what]}")
differences += len(records)
print(f"{len(rows)} clocks, {differences} differences")
sys.exit(differences > 0)
