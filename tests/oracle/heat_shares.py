#!/usr/bin/env python3
"""Compares the numbers of records in a heat map with those of its records: heat_shares.py RECORDS.ndjson PICTURE.svg

The records have ts, dur and stream, and the times of the picture are in ms. Prints the number of cells.
"""
import collections, json, subprocess, sys
marks = subprocess.run(["picture_marks.py", sys.argv[2]], capture_output=True, text=True).stdout.splitlines()
title = next(line for line in open(sys.argv[2], encoding="utf-8") if line.startswith("<title>"))
width = round(float(title.split("columns of ")[1].split()[0]) * 10**6)
records = [json.loads(line) for line in open(sys.argv[1])]
first = min(r["ts"] for r in records) // width
want = collections.Counter()
for r in records:
    at, end = r["ts"], r["ts"] + r["dur"]
    while at < end:
        step = min(end, (at // width + 1) * width)
        want[r["stream"], at // width - first] += step - at
        at = step
got = {}
for mark in marks:
    where, number_of = mark.split(" | ")
    stream, at = where.split("stream ")[1].split(" at ")
    number, unit = at.split()
    column = round(float(number) * {"ns": 1, "us": 10**3, "ms": 10**6}[unit] / width)
    got[int(stream), column] = float(number_of)
assert got.keys() == {key for key in want if want[key]}, got.keys() ^ want.keys()
assert all(abs(got[key] - want[key] / width) < 1e-6 for key in got)
print(len(got))
