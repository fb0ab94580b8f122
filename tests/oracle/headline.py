#!/usr/bin/env python3
"""Computes the headline of a comparison again, from the rows of the report of trace-report --against -o ndjson.

usage: headline.py VERDICT <REPORT

VERDICT is changed, noise, unknown or another one. Prints the headline of the report, and the computed one if it
differs.
"""
import json
import re
import sys

PARTS = {"compute": "computing", "comm": "exposed communication", "waits": "waiting for other ranks",
         "copies": "exposed copies", "other": "other work", "host": "waiting for the host", "pauses": "other idle time"}


def time(ns):
    unit, size, digits = next(u for u in (("ns", 1, 0), ("µs", 1e3, 0), ("ms", 1e6, 1), ("s", 1e9, 2))
                              if round(ns / u[1], u[2]) < 1000 or u[0] == "s")
    return "%.*f %s" % (digits, ns / size + 1e-9, unit)


def headline(a, b, what):
    more = b["all"] - a["all"]
    if sys.argv[1] == "noise":
        return "%s as long as before, within noise: %s and %s on average." % (what, time(a["all"]), time(b["all"]))
    terms = sorted(((b.get(p, 0) - a.get(p, 0), name) for p, name in PARTS.items()), key=lambda t: -abs(t[0]))
    terms = ["%s %s %s" % (time(abs(d)), "more" if d > 0 else "less", n) for d, n in terms if abs(d) > abs(more) // 10]
    return "%s %.0f %% %s: %s." % (what, 100 * abs(more) / a["all"] + 1e-9, "longer" if more > 0 else "less time",
                                   ", ".join(terms))


records = [json.loads(line) for line in sys.stdin]
verdict = next(r for r in records if r["kind"] == "report/verdict")
runs = {r["run"]: r for r in records if r["kind"] == "report/row" and r["section"] == "runs"}
units = {"time": time, "share": lambda v: "%.0f %%" % (100 * v + 1e-9), "count": str, None: str}
found = re.sub(r"\{(\w+)(?::(\w+))?\}", lambda m: units[m[2]](verdict[m[1]]), verdict["text"])
print(found)
if sys.argv[1] in ("changed", "noise", "unknown"):
    what = "A step takes" if "per" in verdict else "From the first to the last work, it takes"
    text = headline(runs["before"], runs["after"], what)
    if text != found:
        print("computed:", text)
