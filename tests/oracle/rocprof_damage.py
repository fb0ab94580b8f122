#!/usr/bin/env python3
"""Damages a file of rocprofv3, or of another format of lines, in many ways and checks the records and the status of
trace2ndjson.

usage: rocprof_damage.py prefixes|flips FILE [FORMAT]
prefixes: each prefix gives the first records of the whole file, at least as many as a shorter prefix. In JSON, each
prefix except the whole object is reported. flips: 500 files with one flipped bit. The status is 0 or 1, and a flip in
the part with the events loses at most one record; in lines two, because a newline separates two records.
"""
import random
import subprocess
import sys

from traces import cuts

mode, path, form = (sys.argv[1:] + ["rocprof"])[:3]
with open(path, "rb") as file:
    text = file.read()


def convert(data):
    done = subprocess.run(["trace2ndjson", "-F", form, "--quiet"], input=data, capture_output=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


status, whole, _ = convert(text)
assert status == 0, status
if mode == "prefixes":
    most, wrong, json = 0, 0, text[:1] == b"{"
    for n in cuts(len(text) - 1):
        status, got, message = convert(text[:n])
        right = got == whole[:len(got)] and len(got) >= most and status in (0, 1) and (status == 1) == bool(message)
        if json and n < len(text.rstrip()):
            right &= status == 1
        if not right:
            print("wrong with", n, "bytes:", status, len(got), message[:200])
            wrong += 1
        most = max(most, len(got))
    print("all prefixes are right" if not wrong else "%d of %d prefixes are wrong" % (wrong, len(text)))
else:
    source, wrong = random.Random(22), 0
    events, most = (text.find(b'"buffer_records":{'), 1) if text[:1] == b"{" else (text.find(b"\n") + 1, 2)
    for _ in range(500):
        data = bytearray(text)
        at = source.randrange(len(data))
        data[at] ^= 1 << source.randrange(8)
        status, got, message = convert(bytes(data))
        if status not in (0, 1) or (status == 1 and not message) or (at >= events and len(got) < len(whole) - most):
            print("byte", at, "status", status, len(got), "of", len(whole), "records", message[:200])
            wrong += 1
    print("all flips are right" if not wrong else "%d flips are wrong" % wrong)
