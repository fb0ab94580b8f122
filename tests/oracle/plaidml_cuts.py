#!/usr/bin/env python3
"""Prefixes of a PlaidML log, and an independent check of the records and messages of trace2ndjson for them.

usage: plaidml_cuts.py make LOG.gz FOLDER    writes the prefixes: cut-N is the first N bytes of the uncompressed log
       plaidml_cuts.py check LOG.gz RAW.NDJSON ERRORS    checks the records of all prefixes (with the member cut) on
                                                          standard input, and their messages in the file ERRORS
"""
import collections
import gzip
import json
import random
import re
import sys

log = gzip.open(sys.argv[2], "rb").read()
cuts = sorted(set(range(1, 4097)) | set(random.Random(5).sample(range(4097, len(log)), 200)))

if sys.argv[1] == "make":
    for cut in cuts:
        with open("%s/cut-%d" % (sys.argv[3], cut), "wb") as f:
            f.write(log[:cut])
    sys.exit(0)

# The offsets in the log at which each record begins and ends.
frames = []
at = 0
while at < len(log):
    begin, size, shift = at, 0, 0
    while True:
        byte = log[at]
        size |= (byte & 127) << shift
        shift += 7
        at += 1
        if byte < 128:
            break
    at += size
    frames.append((begin, at))

events = [json.loads(line) for line in open(sys.argv[3], encoding="utf-8")]
reported = {}
for line in open(sys.argv[4], encoding="utf-8"):
    m = re.match(r"trace2ndjson: .*/?cut-(\d+): byte (\d+): (.*)$", line)
    if not m:
        print("unexpected message:", line, end="")
        sys.exit(1)
    reported[int(m[1])] = (int(m[2]), m[3])
got = collections.Counter()
for line in sys.stdin:
    record = json.loads(line)
    activity = record["kind"] in ("activity", "kernel")
    got[record["cut"], "closed" if activity and "dur" in record else "open" if activity else "metadata"] += 1

bad = 0
for cut in cuts:
    whole = [f for f in frames if f[1] <= cut]
    ids, ended, metadata = set(), set(), 0
    for event in events[:len(whole)]:
        if "magic" in event:
            continue
        ids.add(json.dumps(event["id"].get("index") if isinstance(event["id"], dict) else event["id"]))
        if "end_ns" in event:
            ended.add(json.dumps(event["id"].get("index") if isinstance(event["id"], dict) else event["id"]))
        metadata += sum(not m["type_url"].endswith("RunInfo") for m in event.get("metadata", []))
    want = [len(ended), len(ids) - len(ended), metadata]
    have = [got[cut, what] for what in ("closed", "open", "metadata")]
    end = whole[-1][1] if whole else 0
    place = reported.get(cut, (None, ""))[0]
    if want != have or place != (end if end < cut else None):
        bad += 1
        print("cut", cut, "expected", want, end, "got", have, reported.get(cut))
print("%d cuts, %d wrong" % (len(cuts), bad))
sys.exit(bad > 0)
