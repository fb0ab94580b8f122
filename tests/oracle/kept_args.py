#!/usr/bin/env python3
"""Checks trace2ndjson --no-args --keep-args against python's json.

usage: kept_args.py TRACE...

For each trace, the output without these options is parsed, and members of args are removed here. Every third name is
kept, first in all records, then only in the most frequent kind. Prints the number of records that keep a part of args.
"""
import collections
import json
import subprocess
import sys


def convert(trace, *options):
    """Returns the records as lists of (name, value); numbers stay texts."""
    lines = subprocess.run(["trace2ndjson", "--quiet", "--lenient", *options, trace], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, check=True).stdout.splitlines()
    return [json.loads(line, object_pairs_hook=list, parse_int=str, parse_float=str) for line in lines]


def keep(record, names, kinds):
    """Returns the record with only these members of args, if it is of one of the kinds."""
    if dict(record).get("kind") not in kinds:
        return record
    record = [(key, [m for m in value if m[0] in names] if key == "args" else value) for key, value in record]
    return [(key, value) for key, value in record if key != "src" and (key, value) != ("args", [])]


for trace in sys.argv[1:]:
    records = convert(trace)
    kinds = collections.Counter(dict(record).get("kind") for record in records)
    names = list({name: 0 for record in records for name, _ in dict(record).get("args", [])})[::3]
    quoted = ",".join(json.dumps(name) for name in names)
    frequent = kinds.most_common(1)[0][0]
    for option, chosen in ("--no-args", set(kinds)), (f"--no-args={frequent}", {frequent}):
        want = [keep(record, names, chosen) for record in records]
        if convert(trace, option, "--keep-args", quoted) != want:
            sys.exit(f"{trace}: {option} --keep-args {quoted}: different records")
    kept = sum("args" in dict(keep(record, names, set(kinds))) for record in records)
    print(kept, trace.rsplit("/", 1)[-1])
