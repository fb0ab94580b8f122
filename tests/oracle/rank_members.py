#!/usr/bin/env python3
"""Compares the kernels of `coll-join --write members`, on standard input, with the records of collectives in a file.

  coll-join --write members ... | rank_members.py COLLECTIVES

Each member of a collective must be one record, with the figures of the collective in `coll`, and otherwise unchanged.
"""
import json, sys

want = {}
with open(sys.argv[1]) as f:
    for r in map(json.loads, f):
        for m in r["members"]:
            coll = {"id": r["id"], "gid": r.get("gid"), "wait": m.get("wait"), "n": r["n"]}
            if r["n"] > 1:
                coll["last"] = m["rank"] == r["last"]
                coll["late"] = r["late"] if coll["last"] else None
            want.setdefault((m["rank"], m["ts"], m["stream"], m.get("corr")), []).append(
                {k: v for k, v in coll.items() if v is not None})
n = 0
for e in map(json.loads, sys.stdin):
    key = (e["rank"], e["ts"], e["stream"], e.get("corr"))
    n += 1
    if e["coll"] not in want.get(key, []):
        print(f"{key}: {e['coll']}, expected {want.get(key)}")
    else:
        want[key].remove(e["coll"])
left = [k for k, v in want.items() if v]
print(f"{n} kernels, {len(left)} missing")
