#!/usr/bin/env python3
"""The records of every prefix of a file, computed with Python's json, compared with those of trace2ndjson.

usage: trace_prefixes.py kineto|nsys FILE
"""
import json
import sys
from decimal import Decimal

from traces import count_wrong_prefixes


def loads(text):
    return json.loads(text, parse_float=Decimal)


def ns(us):
    return int(us * 1000)


def kineto(text):
    """Yields (end, (ts, dur, name, cat, args)) of each event of traceEvents."""
    decoder = json.JSONDecoder(parse_float=Decimal)
    at = text.index("[", text.index('"traceEvents"')) + 1
    while True:
        while text[at] in " \n,":
            at += 1
        if text[at] == "]":
            return
        e, at = decoder.raw_decode(text, at)
        yield at, (ns(e["ts"]), ns(e["dur"]) if "dur" in e else None, e["name"], e.get("cat"), e["args"])


def nsys(text):
    """Yields (end, (ts, dur, name)) of each line with a time; copies and memsets have no name in the file."""
    strings, at = {}, 0
    for line in text.splitlines(keepends=True):
        e, end = loads(line), at + len(line.rstrip("\n"))
        at += len(line)
        if e.get("type") == "String":
            strings[e["id"]] = e["value"]
        body = e.get("TraceProcessEvent") or e.get("CudaEvent") or e.get("NvtxEvent")
        if not body or body.get("startNs") == "0":
            continue
        start, stop = int(body.get("startNs", body.get("Timestamp"))), body.get("endNs", body.get("EndTimestamp"))
        name = (body.get("Text") or strings.get(body.get("name")) or
                strings.get(body.get("kernel", {}).get("demangledName")))
        yield end, (start, int(stop) - start, name)


def record(kind, r):
    if kind == "kineto":
        return r["ts"], r.get("dur"), r["name"], r.get("cat"), r.get("args")
    return r["ts"], r.get("dur"), None if r["kind"] in ("memcpy", "memset") else r.get("name")


def is_whole(kind, text):
    """Whether a reader cannot detect that the text was cut."""
    try:
        loads(text if kind == "kineto" else text.rstrip("\n").rsplit("\n", 1)[-1])
        return True
    except ValueError:
        return False


kind, path = sys.argv[1:]
text = open(path, encoding="ascii").read()
expected = list({"kineto": kineto, "nsys": nsys}[kind](text))
wrong = count_wrong_prefixes(text, expected, ["trace2ndjson"],
                             lambda out: [record(kind, r) for r in map(loads, out.splitlines()) if "ts" in r],
                             lambda prefix: 0 if is_whole(kind, prefix) else 1)
print(f"{wrong} of {len(text) + 1} prefixes wrong, {len(expected)} events" if wrong else f"{len(expected)} events")
