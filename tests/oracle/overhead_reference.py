#!/usr/bin/env python3
"""Compares the statistics of op-overheads with the golden tables of the reference tool.

usage: overhead_reference.py OURS NOTEBOOK|REPO [RAW] <ROWS
OURS is the output of -o json, ROWS that of -o ndjson (ns). RAW has the single values of the notebook, which gives the
counts. Prints the names whose statistics differ, by type.
"""
import gzip, json, math, sys

ours, want = (json.load(open(path)) for path in sys.argv[1:3])
rows = {(r["type"], r.get("name")): r for r in map(json.loads, sys.stdin)}
raw = json.load(gzip.open(sys.argv[3])) if len(sys.argv) > 3 else None

def same(a, b):
    return all(math.isclose(x, y, rel_tol=1e-9, abs_tol=1e-12) for x, y in zip(a, b))

def plain(v):
    """Returns the statistics of a name; the later version has them by shape, here of one shape."""
    (v,) = v.values() if isinstance(v, dict) else (v,)
    return v

def compare(kind, name, v, w, n):
    row = rows[kind, name]
    if not same((*v, row["mean"] / 1000, row["std"] / 1000, row["count"]), (*w[:2], *w[:2], n)):
        print(kind, name or "", row["count"], "for", n)

n = len(raw["independent"]["t1"]) if raw else want["t1"][2]
compare("t1", None, ours["t1"], want["t1"], n)
for kind in "t2", "t3", "t4", "t5":
    for name in sorted(ours[kind].keys() ^ want[kind].keys()):
        print(kind, name, "is in only one of the tables")
    for name, w in want[kind].items():
        w = plain(w)
        if raw:
            n = len(raw["independent"]["t4"][name] if kind == "t4" else raw[name][kind])
        else:
            n = w[2]
        compare(kind, name, ours[kind][name], w, n)
if ours["launches"] != want["launches"]:
    print("launches differ")
print(len(want["t2"]), len(want["t3"]), len(want["t4"]), len(want["t5"]), "names")
