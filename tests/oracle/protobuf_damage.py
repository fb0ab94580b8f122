#!/usr/bin/env python3
"""Damages a protobuf trace in many ways, and checks the records and the status of trace2ndjson.

usage: protobuf_damage.py prefixes|flips FORMAT FILE
prefixes: each prefix gives records of the whole file, at least as many as a shorter prefix: the same moments, names
that are the same or not known yet (#N), durations that are the same or absent. The status is 1, except after a whole
packet or plane. flips: 500 files with one flipped bit. The status is 0 or 1; 1 only with a message, and 0 only without
one, except for texts that are not UTF-8.
"""
import json
import random
import subprocess
import sys
from collections import Counter

from traces import cuts

mode, form, path = sys.argv[1:]
with open(path, "rb") as file:
    data = file.read()


def convert(text):
    done = subprocess.run(["trace2ndjson", "-F", form, "--quiet"], input=text, capture_output=True, timeout=20)
    message = [line for line in done.stderr.decode().splitlines() if "the profiler reported" not in line]
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], "\n".join(message)


def moments(records, durations):
    return Counter((r["ts"], durations and r.get("dur")) for r in records if "ts" in r)


def field_ends(text):
    ends, at = {0}, 0
    while at < len(text):
        at, n, shift = at + 1, 0, 0
        while True:
            byte = text[at]
            n |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                break
        at += n
        ends.add(at)
    return ends


wrong = 0
if mode == "prefixes":
    _, whole, _ = convert(data)
    ends = field_ends(data)
    known, most = {r.get("name") for r in whole}, 0
    for n in cuts(len(data) - 1, 1):
        status, got, message = convert(data[:n])
        timed = [r for r in got if "dur" in r]
        right = (status == 0) == (n in ends and not message) and status in (0, 1) and (status == 1) == bool(message)
        right = right or (n in ends and status == 1 and message)
        right = right and not moments(got, False) - moments(whole, False)
        right = right and not moments(timed, True) - moments(whole, True)
        right = right and all(r.get("name") in known or r["name"].startswith("#") for r in got)
        count = len([r for r in got if "ts" in r])
        if not right or count < most:
            print("wrong with", n, "bytes:", status, len(got), message[:200])
            wrong += 1
        most = max(most, count)
    print("all prefixes are right" if not wrong else "%d of %d prefixes are wrong" % (wrong, len(data)))
else:
    source = random.Random(22)
    for _ in range(500):
        flipped = bytearray(data)
        at = source.randrange(len(data))
        flipped[at] ^= 1 << source.randrange(8)
        status, got, message = convert(bytes(flipped))
        repaired = all("U+FFFD" in line for line in message.splitlines())
        if status not in (0, 1) or (status == 0 and not repaired) or (status == 1 and not message):
            print("byte", at, "status", status, len(got), "records", message[:200])
            wrong += 1
    print("all flips are right" if not wrong else "%d flips are wrong" % wrong)
