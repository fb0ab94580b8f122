#!/usr/bin/env python3
"""Compares the CSV of a script on standard input with the table of the reference tool.

usage: launch_rows.py TABLE DIGITS KEY... -- VALUE...
Rows are identified by their KEYs. VALUEs are times: ns in our rows and us in the table. They may differ by 1 ns if the
trace has ns (DIGITS 3), since the tool uses doubles. Prints the differences, and the number of rows.
"""
import collections, csv, sys
from decimal import Decimal

from traces import opened

path, digits, *names = sys.argv[1:]
keys, values = names[:names.index("--")], names[names.index("--") + 1:]
off = 1 if digits == "3" else 0

def ours(row):
    row["queue"] = max(0, int(row["delay"] or 0) - int(row["api.dur"] or 0)) if "delay" in row else 0
    return row

def table(rows, ns):
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(row[k] for k in keys)].append(tuple(ns(row[v]) for v in values))
    return {key: sorted(rows) for key, rows in found.items()}

OURS = {"correlation": "corr", "pid": "dev", "s_user_annotation": "range", "cpu_duration": "api.dur",
        "gpu_duration": "dur", "launch_delay": "queue"}
want = table(csv.DictReader(opened(path)), lambda text: Decimal(text) * 1000)
got = table(({k: ours(row)[OURS.get(k, k)] for k in keys + values} for row in csv.DictReader(sys.stdin)), Decimal)
wrong = n = 0
for key in want.keys() | got.keys():
    a, b = want.get(key, []), got.get(key, [])
    n += len(a)
    if len(a) != len(b) or any(abs(x - y) > off for v, w in zip(a, b) for x, y in zip(v, w)):
        wrong += 1
        if wrong <= 3:
            print(key, "expected", *a, "got", *b)
print(n, "rows," if wrong else "rows", *([wrong, "wrong"] if wrong else []))
