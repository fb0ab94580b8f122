#!/usr/bin/env python3
"""Compares records with golden records, as JSON values and in order: golden_records.py GOLDEN.ndjson.gz <RECORDS

Prints the first difference, or the number of records.
"""
import gzip
import itertools
import json
import sys

with gzip.open(sys.argv[1]) as golden:
    n = 0
    for got, want in itertools.zip_longest(sys.stdin, golden):
        if not got or not want or json.loads(got) != json.loads(want):
            sys.exit("record %d differs:\ngot  %s\nwant %s" % (n + 1, (got or "none").strip(), want))
        n += 1
print(n, "records")
