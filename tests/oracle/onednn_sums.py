#!/usr/bin/env python3
"""The rows of a golden table of sums, compared with the sums of the records.

usage: onednn_sums.py RECORDS CSV
"""
import collections, csv, json, sys
rows = list(csv.DictReader(open(sys.argv[2])))
keys = [k for k in rows[0] if k not in ("op", "count", "total_ms", "mean_ms", "min_ms", "max_ms", "share_pct")]
got = collections.defaultdict(list)
for line in open(sys.argv[1]):
    e = json.loads(line)
    op = {"primitive": "exec", "create": "create"}[e["kind"]]
    got[(op,) + tuple(e["name"] if k == "prim" else e["args"].get(k, "") for k in keys)].append(e["dur"])
def near(key, what, ns, ms, slack):
    if abs(ns - float(ms) * 1e6) > slack + 0.51:  # the last digit in the table is 1 ns
        print(sys.argv[2], key, what, ns, ms)
for row in rows:
    key = (row["op"],) + tuple(row[k] for k in keys)
    durs = got.pop(key, [])
    if len(durs) != int(row["count"]):
        print(sys.argv[2], key, "count", len(durs), row["count"])
        continue
    near(key, "total", sum(durs), row["total_ms"], 0.5 * len(durs))
    near(key, "mean", sum(durs) / len(durs), row["mean_ms"], 0.5)
    near(key, "min", min(durs), row["min_ms"], 0)
    near(key, "max", max(durs), row["max_ms"], 0)
for key in got:
    print(sys.argv[2], key, "not in the table")
