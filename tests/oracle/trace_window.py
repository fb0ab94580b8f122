#!/usr/bin/env python3
"""Checks the events of a trace that was cut by --from and --until, computed from the records.

usage: trace_window.py RECORDS FROM TO TRACE
Every record that overlaps [first ts + FROM, first ts + TO) must be in the trace once, with its name and times, and no
other record. Prints their number.
"""
import json, sys
from collections import Counter
from decimal import Decimal

path, start, stop, trace = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
want, first = Counter(), None
for line in open(path):
    r = json.loads(line)
    ts, dur = r["ts"], r.get("dur")
    if first is None:
        first = ts
    begin, end = first + start, first + stop
    if ts < end and (ts + dur > begin if dur else ts >= begin):
        want[ts, dur, r.get("name")] += 1
root = json.load(open(trace), parse_float=Decimal)
ns = lambda us: None if us is None else int(Decimal(us) * 1000)
got = Counter((ns(e["ts"]), ns(e.get("dur")), e.get("name")) for e in root["traceEvents"]
              if e.get("record", 0) is not None)
print(sum(got.values()), "events", sum((want - got).values()), "missing", sum((got - want).values()), "more")
