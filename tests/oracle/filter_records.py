#!/usr/bin/env python3
"""Writes random records with all kinds of members, for filter-calls.

usage: filter_records.py >RECORDS
"""
import json, random
random.seed(7)
kinds = ["kernel", "memcpy", "api", "op", "range", "mark", "meta", "gpu_range"]
names = ["gemm", "Gemm_2", "void f<int>(int)", "relu", "Step#1", "a\"b", "été", "cudaLaunchKernel_v7000", "x\\y",
         "tab\tx"]
now = -3000
for i in range(700):
    r = {}
    now += random.choice([0, 1, 7, 50])
    if random.random() < .95: r["ts"] = now
    if random.random() < .85: r["dur"] = random.choice([0, 1, 10, 120, 1500, -4])
    if random.random() < .97: r["kind"] = random.choice(kinds)
    if random.random() < .95: r["name"] = random.choice(names)
    if random.random() < .5: r["stream"] = random.choice([7, 20, "7", "s"])
    if random.random() < .2: r["bytes"] = random.choice([100, 4096, 1 << 20])
    if r.get("kind") == "kernel" and random.random() < .6: r["api"] = {"name": "l", "ts": now - random.randint(0, 90)}
    if random.random() < .1: r["clock"] = "device"
    if random.random() < .5: r["args"] = {"External id": i % 9, "ratio": random.choice([.5, 2, 1e-3]),
                                          "v": random.choice(["12", "abc", None])}
    keys = list(r)
    if i % 3 == 0: random.shuffle(keys)
    separators = (",", ":") if i % 5 else (", ", ": ")
    print(json.dumps({k: r[k] for k in keys}, ensure_ascii=i % 2 == 0, separators=separators))
