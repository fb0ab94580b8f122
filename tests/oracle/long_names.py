#!/usr/bin/env python3
"""Names of 20,000 characters, longer than the printf buffer of some awks, and op-breakdown's rows for them.

usage: long_names.py
A kernel and its operator have such names. The operator launches 99 other kernels, whose names have 200 characters, so
that the row for its set of kernels is long too.
"""
import json, subprocess
for piece in "x", '"', "\\", "%s\n\té$x'&":
    long = piece * (20000 // len(piece))
    names = ["kernel_of_a_rather_long_name_%0171d" % i for i in range(99)] + ["zz" + long]
    rows = [dict(ts=0, dur=5000, kind="op", name="o" + long, pid=1, tid=1)]
    for i, name in enumerate(names):
        rows.append(dict(ts=2 * i + 1, dur=1, kind="api", name="cudaLaunchKernel", pid=1, tid=1, corr=i))
        rows.append(dict(ts=2 * i + 2, dur=2, kind="kernel", name=name, dev=0, stream=7, corr=i))
    with open("long.nd", "w") as out:
        out.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    one = [("kernel", "o" + long, name, 1, 2) for name in names]
    whole = [("kernel", "o" + long, " + ".join(names), 100, 200)]
    for option, kernels in ("--depth=0", one), ("--variants", whole):
        run = subprocess.run(["op-breakdown", option, "-o", "ndjson", "long.nd"], stdout=subprocess.PIPE, check=True)
        got = [json.loads(line) for line in run.stdout.decode().splitlines()]
        got = [(r["level"], r.get("operator"), r.get("kernel"), r["records"], r["dur"]) for r in got]
        if got != [("stream", None, None, 100, 200), ("operator", "o" + long, None, 100, 200)] + kernels:
            print(repr(piece), option, len(got), [[str(x)[:40] for x in row] for row in got[:4]])
