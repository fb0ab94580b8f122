#!/usr/bin/env python3
"""Prints the expected output of ts-sort for valid records.

usage: sorted_records.py FILE
"""
import json, sys
from decimal import Decimal

def whole(v):
    return isinstance(v, (int, Decimal)) and not isinstance(v, bool) and v == int(v)

without, rest = [], []
for line in open(sys.argv[1], "rb"):
    line = line.strip() + b"\n"
    r = json.loads(line, parse_float=Decimal)
    if whole(r.get("ts")):
        dur = r.get("dur", 0)
        rest.append((r["ts"], -dur if whole(dur) else 0, line))
    else:
        without.append(line)
sys.stdout.buffer.writelines(without + [line for *_, line in sorted(rest, key=lambda t: t[:2])])
