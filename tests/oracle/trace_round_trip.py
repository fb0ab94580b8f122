#!/usr/bin/env python3
"""Compares records that were converted to a trace and back with the original ones; checks that no events cross.

usage: trace_round_trip.py BEFORE AFTER TRACE [crossing]
"""
import json, sys
from collections import Counter, defaultdict
from decimal import Decimal

before, after = ([line for line in open(path)] for path in sys.argv[1:3])
bad = []
if before != after:  # compares the values only if the texts differ
    before, after = ([json.loads(line) for line in lines] for lines in (before, after))
    count = lambda records: Counter(json.dumps(r, sort_keys=True) for r in records)
    missing, extra = count(before) - count(after), count(after) - count(before)
    bad += [f"missing {r[:200]}" for r in missing] + [f"extra {r[:200]}" for r in extra]
    if [r for r in before if r.get("kind") != "meta"] != [r for r in after if r.get("kind") != "meta"]:
        bad.append("the order differs")
if len(sys.argv) > 4:
    trace = json.load(open(sys.argv[3]), parse_float=Decimal)
    rows = defaultdict(list)
    for e in trace["traceEvents"]:
        if e["ph"] == "X" and "ts" in e and "dur" in e:
            rows[str(e.get("pid")), str(e.get("tid"))].append((e["ts"], -e["dur"], e["name"]))
    for row, events in rows.items():
        events.sort(key=lambda e: e[:2])
        ends = []
        for ts, dur, name in events:
            while ends and ends[-1] <= ts:
                ends.pop()
            if ends and ends[-1] < ts - dur:
                bad.append(f"{name} crosses another in {row}")
            ends.append(ts - dur)
print("\n".join(bad[:20]))
sys.exit(bool(bad))
