#!/usr/bin/env python3
"""Prints random records with unusual combinations and values of members, in ts order.

usage: unusual_records.py SEED COUNT
"""
import json, random, sys

rnd = random.Random(int(sys.argv[1]))
one = lambda *values: rnd.choice(values)
kinds = ["kernel", "memcpy", "memset", "sync", "api", "op", "python", "range", "mark", "gpu_range", "primitive",
         "activity", "kernelinfo", "sample", "counter", "flow", "row", "gap", "other", "gpu-busy", "of mine"]
values = {
    "dur": lambda: one(0, 5, 700, -3, -9223372036854775808),
    "kind": lambda: rnd.choice(kinds),
    "name": lambda: one("gemm", "Memset", "two\nlines"),
    "cat": lambda: one("cpu_op", "kernel", "cuda", "ac2g", "overhead", "Node"),
    "rank": lambda: one(0, 1, 3),
    "pid": lambda: one(1, 2, -1, "main", "42", "CPU functions"),
    "tid": lambda: one(1, 7, -1, "loop", "7", 4294967295),
    "dev": lambda: one(0, 1, -1, 4294967295),
    "stream": lambda: one(0, 7, -1, 4294967295),
    "corr": lambda: one(0, 5, -1, 4294967295, 2**33, -7),
    "id": lambda: one(0, 5, -1, "a", 2**63, 10**19, -10**19),
    "parent": lambda: one(0, 5, "a", 10**19),
    "clock": lambda: "device",
    "bytes": lambda: one(0, 64, -1, 2**40),
    "copy": lambda: one("h2d", "p2p"),
    "err": lambda: one(1, -5),
    "range": lambda: "step",
    "args": lambda: one({}, {"a": [1, {"b": 2}]}, {"correlation": one(0, 5, -1, "7")},
                        {"bytes": 64, "stream": one(0, 7, -1)}),
    "src": lambda: one({"ph": one("i", "R", "C", "n")}, {"file": "x"}, {"ph": "i", "s": "g"},
                       {"id2": {"local": "1"}}),
}
for i in range(int(sys.argv[2])):
    record = {} if rnd.random() < 0.1 else {"ts": i * 3}
    for member, value in values.items():
        if rnd.random() < (0.8 if member in ("dur", "kind", "name") else 0.3):
            record[member] = value()
    if "rank" in record:  # the args of calls of further ranks are stored without attachments
        record.pop("range", None)
    print(json.dumps(record, separators=(",", ":")))
