#!/usr/bin/env python3
"""Compares records that were converted to a trace and back with the original ones; checks that no events cross.

usage: trace_round_trip.py BEFORE AFTER TRACE [crossing]
The only differences may be those in ndjson2trace(1): attachments become args, and args also has the members corr,
stream, dev and bytes of calls and device records. Records of kind meta may be in another order.
"""
import json, sys
from collections import Counter, defaultdict
from decimal import Decimal

STANDARD = "ts dur kind name cat rank pid tid dev stream corr id parent clock bytes copy err args src".split()
ADDED = {"correlation": "corr", "stream": "stream", "device": "dev", "bytes": "bytes"}

def expected(record, result):
    """Returns `record` with the additional args that are in `result`."""
    record = dict(record)
    before, after = record.get("args", {}), result.get("args", {})
    more = {k: record.pop(k) for k in list(record) if k not in STANDARD}
    for key in ("args", "src"):
        if not isinstance(record.get(key, {}), dict):
            more[key] = record.pop(key)
            before = {} if key == "args" else before
    if record.get("kind") in ("api", "python", "kernel", "memcpy", "memset", "sync") or record.get("cat") == "kernel":
        more = {**{k: record[m] for k, m in ADDED.items() if m in record and k in after}, **more}
        if "rank" in record and "correlation" in more:  # it contains the rank
            more["correlation"] = after["correlation"]
    if more:
        record["args"] = {**more, **before}
    return record

before, after = ([line for line in open(path)] for path in sys.argv[1:3])
bad = []
if before != after:  # compares the values only if the texts differ
    before, after = ([json.loads(line, parse_float=Decimal) for line in lines] for lines in (before, after))
    if len(before) != len(after):
        bad.append(f"{len(before)} records became {len(after)}")
    text = lambda r: json.dumps(r, sort_keys=True, default=str)
    meta = lambda records: [r for r in records if r.get("kind") == "meta"]
    rest = lambda records: [r for r in records if r.get("kind") != "meta"]
    if Counter(text(expected(r, {})) for r in meta(before)) != Counter(map(text, meta(after))):
        bad.append("records of kind meta differ")
    for a, b in zip(rest(before), rest(after)):
        if text(expected(a, b)) != text(b):
            bad.append(f"{text(a)[:300]}\n    became {text(b)[:300]}")
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
