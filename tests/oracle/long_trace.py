#!/usr/bin/env python3
"""A trace of the given size, made by repeating the events of a small trace, or the lines of a text.

usage: long_trace.py KIND FILE MB
"""
import sys

kind, path, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
text = open(path).read()
tail = ""
if kind == "kineto":
    at = text.index('"traceEvents": [') + len('"traceEvents": [\n')
    end = text.index("\n  ],", at)
    head, events, tail = text[:at], text[at:end], text[end:]
    events, tail = events + ",\n", events + tail
elif kind == "nsys":
    at = text.index('{"Type"')
    head, events = text[:at], text[at:]
else:
    head, events = "", text
sys.stdout.write(head)
piece = events * (1_000_000 // len(events) + 1)
for _ in range(megabytes * 1_000_000 // len(piece)):
    sys.stdout.write(piece)
sys.stdout.write(tail)
