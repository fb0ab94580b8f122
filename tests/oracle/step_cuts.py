#!/usr/bin/env python3
"""Compares trace-steps with a selection of the records of six steps that start in [from, to), for many cuts.

usage: step_cuts.py
"""
import itertools, json, subprocess
rows = [dict(ts=7, kind="range", name="DataLoader", dur=1)]
for i in range(6):
    rows += [dict(ts=100 * i + 10, dur=90, kind="range", name="ProfilerStep#%d" % i, pid=1, tid=1),
        dict(ts=100 * i + 90, dur=5, kind="api", name="cudaLaunchKernel", pid=1, tid=1, corr=i),
        dict(ts=100 * i + 130, dur=5, kind="kernel", name="k%d" % i, dev=0, stream=7, corr=i),
        dict(ts=100 * i + 20, dur=1, kind="range", name="ProfilerStep#77", clock="gpu")]
with open("six.nd", "w") as out:
    out.writelines(json.dumps(r) + "\n" for r in sorted(rows, key=lambda r: r["ts"]))
starts = [100 * i + 10 for i in range(6)]
calls = {r["corr"]: r["ts"] for r in rows if r["kind"] == "api"}
for skip, count, by in itertools.product((0, 1, 4, 5, 6), (None, 1, 2, 5, 6), ("launch", "own")):
    end = skip + count if count else 6
    run = subprocess.run(["trace-steps", "--marker", "^ProfilerStep", "--skip", str(skip), "--by", by] +
        (["--count", str(count)] if count else []) + ["six.nd"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    got = [(r["ts"], r["name"]) for r in map(json.loads, run.stdout.splitlines())]
    start = lambda r: calls[r["corr"]] if by == "launch" and r["kind"] == "kernel" else r["ts"]
    want = []
    if skip < 6 and end <= 6:
        low, high = starts[skip], starts[end] if end < 6 else 10 ** 9
        want = sorted((r["ts"], r["name"]) for r in rows if "clock" not in r and low <= start(r) < high)
    if sorted(got) != want or run.returncode != (0 if want else 1):
        print(skip, count, by, run.returncode, run.stderr, got, want)
