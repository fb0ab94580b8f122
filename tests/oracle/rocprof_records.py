#!/usr/bin/env python3
"""Compares records as JSON values.

usage: rocprof_records.py [-o] [-i NAME,...] WANTED < RECORDS
WANTED is a file of records. -o ignores the order of the records; -i ignores these members, also in args. Prints the
number of equal records and the first difference.
"""
import getopt
import gzip
import json
import sys

options, (wanted,) = getopt.getopt(sys.argv[1:], "oi:")
options = dict(options)
ignored = set(options.get("-i", "").split(","))


def value(line):
    record = {k: {a: b for a, b in v.items() if a not in ignored} if k == "args" else v
              for k, v in json.loads(line).items() if k not in ignored}
    if record.get("args") == {}:
        del record["args"]
    return record


with (gzip.open if wanted.endswith("gz") else open)(wanted, "rt") as file:
    want = [value(line) for line in file]
got = [value(line) for line in sys.stdin]
if "-o" in options:
    for records in want, got:
        records.sort(key=lambda r: json.dumps(r, sort_keys=True))
print(sum(a == b for a, b in zip(want, got)), "equal records")
if len(want) != len(got):
    print(len(got), "records instead of", len(want))
for a, b in zip(want, got):
    if a != b:
        print("want", json.dumps(a))
        print("got ", json.dumps(b))
        break
