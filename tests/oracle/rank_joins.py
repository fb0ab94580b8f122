#!/usr/bin/env python3
"""Prints a line for each device record on standard input: rank, pid, correlation id, name, and the call that launched it."""
import json, sys

for line in sorted(
    json.dumps([r.get("rank"), r.get("pid"), r["corr"], r["name"], r.get("api", {}).get("name"), r.get("api", {}).get("pid")])
    for r in map(json.loads, sys.stdin) if "corr" in r and r["kind"] != "api"):
    print(line)
