#!/usr/bin/env python3
"""Checks records whose times are relative: ts + origin is the ts of the original record, and all else is the same.
Prints "no times" if no original record has a ts on the main clock, otherwise the number of records with times.

usage: relative_times.py ORIGINAL RELATIVE
"""
import json, sys


def read(name):
    return [json.loads(line) for line in open(name)]  # integers of Python have any number of digits


def timed(r):
    return "ts" in r and "clock" not in r


want, got = read(sys.argv[1]), read(sys.argv[2])
at = [i for i, r in enumerate(got) if r.get("name") == "origin"]
times = sum(map(timed, want))
if times == 0:
    assert got == want
    sys.exit(print("no times"))
assert len(at) == 1 and not any(map(timed, got[:at[0]])), at
record = got.pop(at[0])
assert list(record) == ["kind", "name", "args"] and record["kind"] == "meta", record
origin = int(record["args"]["value"])
assert origin == next(r["ts"] for r in want if timed(r) and r["kind"] != "meta"), origin
for r in got:
    if timed(r):
        assert abs(r["ts"]) < 2 ** 53, r
        r["ts"] += origin
assert [list(r.items()) for r in got] == [list(r.items()) for r in want]
print(times)
