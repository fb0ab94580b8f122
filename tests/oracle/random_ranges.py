#!/usr/bin/env python3
"""Writes random records in ts order: ranges that nest, cross and have equal times, and records inside them.

usage: random_ranges.py SEED N
Some records have no time, no dur, a negative dur or another clock, some have members range, ops or word already, and
device records have a call, a call without a dur, or none. Lines are in canonical and in other forms.
"""
import json, random, sys
seed, n = map(int, sys.argv[1:])
random.seed(seed)
KINDS = ["range"] * 3 + ["op"] * 4 + ["python", "api", "api", "kernel", "kernel", "memcpy", "mark", "gpu_range", "meta"]
DEVICE = ("kernel", "memcpy", "gpu_range")
spread = random.choice([1, 3, 40, 10**6])
ts = random.choice([-200, 0, 1712195736004644183])
recent = []
for i in range(n):
    ts += random.choice([0, 0, 1, random.randint(0, spread)])
    kind = random.choice(KINDS)
    r = {"ts": ts, "dur": random.choice([0, 1, spread, random.randint(0, 20 * spread)]), "kind": kind,
         "name": random.choice(["a", "b", 'quote " ', "step %d" % i, "é" * 5, "layer [%d]" % (i % 3)]),
         "pid": random.choice([1, 1, 1, 2]), "tid": random.choice([1, 1, 2, "1"])}
    if random.random() < 0.1:
        r["rank"] = random.choice([0, 1])
    if kind in DEVICE:
        del r["tid"]
        if random.random() < 0.6:
            del r["pid"]
        if recent and random.random() < 0.7:
            call = random.choice(recent[-20:])
            r["api"] = {k: call[k] for k in ("name", "ts", "dur", "pid", "tid") if k in call}
    own = ("range", "old"), ("ops", ["old"]), ("op", None), ("word", 5), ("args", {"op": 1}), ("src", {})
    for member, value in own:
        if random.random() < 0.06:
            r[member] = value
    damage = random.random()
    if damage < 0.04:
        del r["dur"]
    elif damage < 0.06:
        r["dur"] = -r["dur"]
    elif damage < 0.08:
        del r["ts"]
    elif damage < 0.1:
        r["clock"] = "device"
    elif damage < 0.11:
        del r["name"]
    if kind == "api" and "ts" in r and "clock" not in r and "name" in r:
        recent.append(r)
    form = random.random()
    if form < 0.8:
        print(json.dumps(r, separators=(",", ":")))
    else:
        items = list(r.items())
        random.shuffle(items)
        print((" " if form < 0.9 else "") + json.dumps(dict(items), ensure_ascii=form < 0.85) + "  ")
