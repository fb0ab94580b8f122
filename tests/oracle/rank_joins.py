#!/usr/bin/env python3
"""Prints a line for each device record on standard input: rank, pid, correlation id, name, and its call."""
import json, sys

def line(r):
    call = r.get("api", {})
    return json.dumps([r.get("rank"), r.get("pid"), r["corr"], r["name"], call.get("name"), call.get("pid")])

for text in sorted(line(r) for r in map(json.loads, sys.stdin) if "corr" in r and r["kind"] != "api"):
    print(text)
