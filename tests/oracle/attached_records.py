#!/usr/bin/env python3
"""Writes records in ts order, without and with `api` on device records, from records in any order.

usage: attached_records.py ORDERED JOINED <RECORDS
"""
import json, sys

records = [json.loads(line) for line in sys.stdin]
timed = sorted((r for r in records if "ts" in r), key=lambda r: (r["ts"], -r.get("dur", -1)))
records = [r for r in records if "ts" not in r] + timed
calls = {}
for r in records:
    if r.get("kind") == "api" and "corr" in r:
        calls.setdefault((r.get("rank"), r["corr"]), {}).setdefault(r.get("pid"), r)

def write(f, r):
    f.write(json.dumps(r, separators=(",", ":"), ensure_ascii=False) + "\n")

with open(sys.argv[1], "w") as ordered, open(sys.argv[2], "w") as joined:
    for r in records:
        write(ordered, r)
        if r.get("kind") in ("kernel", "memcpy", "memset", "sync") and "corr" in r:
            found = calls.get((r.get("rank"), r["corr"]), {})
            call = found.get(r["pid"]) if "pid" in r else next(iter(found.values())) if len(found) == 1 else None
            if call:
                last = {k: r.pop(k) for k in ("args", "src") if k in r}
                r.update(api={k: call[k] for k in ("name", "ts", "dur", "pid", "tid") if k in call}, **last)
        write(joined, r)
