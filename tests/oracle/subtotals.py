#!/usr/bin/env python3
"""Random records, and a check of the rows of groupby --subtotals and of the aggregate list.

usage: subtotals.py     runs groupby with several options; prints each difference
"""
import json, random, subprocess
from fractions import Fraction
r = random.Random(3)
rows = []
for i in range(3000):
    row = {"a": r.randrange(3), "b": r.choice("xyz"), "c": r.randrange(4), "d": r.choice(["p", "q"]),
        "dur": r.randrange(-1, 30), "n": i}
    if not r.randrange(6):
        del row[r.choice("abc")]
    if not r.randrange(4):
        row["dur"] = 0
    rows.append(row)
with open("rows.nd", "w") as out:
    out.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def key_order(values): # numbers, then texts, then absent keys
    return [(2, 0) if v is None else (isinstance(v, str), v) for v in values]


def expected(keys, levels, top):
    ends = [keys.index(k) + 1 for k in levels] + [len(keys)]
    out = []

    def add(records, level, prefix, total):
        groups = {}
        for row in records:
            groups.setdefault(tuple(row.get(k) for k in keys[:ends[level]]), []).append(row)
        whole = sum(row["dur"] for row in records) if level == 0 else total
        listed = sorted(groups.items(), key=lambda g: (-sum(x["dur"] for x in g[1]), -len(g[1]), key_order(g[0])))
        for values, members in listed[:top if level and top else None]:
            s = sum(x["dur"] for x in members)
            row = {k: v for k, v in zip(keys, values) if v is not None}
            row.update(level=level + 1, count=len(members), dur_sum=s, n_list=[x["n"] for x in members],
                d_distinct=len({x["d"] for x in members}))
            if whole:
                row["dur_share"] = float(Fraction(s, whole))
            out.append(row)
            if level + 1 < len(ends):
                add(members, level + 1, values, s)

    add(rows, 0, (), None)
    return out


for keys, levels in ("a,b", "a"), ("a,b,c", "a"), ("a,b,c", "a,b"), ("b,a,c,d", "a"), ("d,c,b,a", "d,b"):
    for top in None, 1, 2:
        options = ["-g", keys, "--subtotals", levels, "-a", "count,sum,list:n,distinct:d,share", "-o", "ndjson"]
        options += ["-t", str(top)] if top else []
        run = subprocess.run(["groupby", *options, "rows.nd"], stdout=subprocess.PIPE, check=True)
        got = [{k: v for k, v in json.loads(line).items() if k != "kind"} for line in run.stdout.decode().splitlines()]
        want = expected(keys.split(","), sorted(levels.split(","), key=keys.split(",").index), top)
        for g, w in zip(got, want):
            share = abs(g.get("dur_share", 0) - w.get("dur_share", 0)) > 1e-12 * abs(w.get("dur_share", 0))
            if share or {**g, "dur_share": 0} != {**w, "dur_share": 0} or ("dur_share" in g) != ("dur_share" in w):
                print(options, str(g)[:200], str(w)[:200])
                break
        if len(got) != len(want):
            print(options, len(got), len(want))
