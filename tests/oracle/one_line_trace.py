#!/usr/bin/env python3
"""Writes a Kineto trace of N events in one line; event AT is damaged.

usage: one_line_trace.py N AT quote|open|close|bracket|brace|cut|backslash|garbage
"""
import sys
n, at, how = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
DAMAGE = {
    "quote": lambda e: e.replace("op ", 'o"p '),
    "open": lambda e: e.replace('"op', "op"),
    "close": lambda e: e.replace(f'op {at}"', f"op {at}"),
    "bracket": lambda e: e.replace("[[", "[[["),
    "brace": lambda e: e[:-1],
    "cut": lambda e: e[:40],
    "backslash": lambda e: e.replace(f'op {at}"', f'op {at}\\"'),
    "garbage": lambda e: "\x00\x7f{{{[[[",
}
sys.stdout.write('{"schemaVersion":1,"traceEvents":[')
for i in range(n):
    e = (f'{{"ph":"X","cat":"cpu_op","name":"op {i}","pid":1,"tid":2,"ts":{i},"dur":1,'
         f'"args":{{"External id":{i},"Input Dims":[[{i},2],[]]}}}}')
    sys.stdout.write((DAMAGE[how](e) if i == at else e) + ("," if i < n - 1 else "]}"))
