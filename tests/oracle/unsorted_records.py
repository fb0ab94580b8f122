#!/usr/bin/env python3
"""Writes random records, in canonical and other forms, with many ties if SPREAD is small.

usage: unsorted_records.py SEED N SPREAD
"""
import json, random, sys
seed, n, spread = map(int, sys.argv[1:])
random.seed(seed)
base = random.choice([0, -10**6, 1712195736004644183, -2**63 + spread, 2**63 - 1 - spread])
for i in range(n):
    r = {}
    if random.random() < 0.95:
        r["ts"] = base + random.randint(-spread, spread)
    if random.random() < 0.8:
        r["dur"] = random.choice([0, 1, 2, 5, random.randint(-9, 10**9)])
    r.update(kind=random.choice(["kernel", "api", "op"]), name=f"n{i}" + "x" * random.choice([0, 3, 50, 400]))
    form = random.random()
    if form < 0.7:
        text = json.dumps(r, separators=(",", ":"))
    else:
        items = list(r.items())
        random.shuffle(items)
        text = json.dumps(dict(items))
        if form < 0.75:
            text = " " + text.replace(": ", " :\t") + "  "
        elif form < 0.8 and "ts" in r and abs(r["ts"]) < 2**60:
            text = text.replace(str(r["ts"]), str(r["ts"]) + ".0", 1)
    print(text)
