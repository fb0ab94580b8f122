#!/usr/bin/env python3
"""Compares the last rows of a table of right answers with the records of trace-check -o ndjson.

usage: health.py TABLE ROWS FOLDER

A row has the name of a trace, which is in FOLDER or in a shared folder of traces, and its figures. Prints the figures
that differ.
"""
import csv
import json
import os
import subprocess
import sys

shared = os.environ["SHARED"]
for row in list(csv.DictReader(open(sys.argv[1])))[-int(sys.argv[2]):]:
    name = row.pop("trace")
    places = [sys.argv[3], shared + "/data/kineto", shared + "/data/compare"]
    trace = next(path for path in (folder + "/" + name for folder in places) if os.path.exists(path))
    out = subprocess.run(["trace-check", "-o", "ndjson", trace], capture_output=True, text=True).stdout
    found = json.loads(out.split("\n")[0])
    found["median_step_x2"] = found["median_step"] * 2 if "median_step" in found else None
    for figure, expected in row.items():
        if found.get(figure) != (int(expected) if expected else None):
            print(name, figure, found.get(figure), expected)
