#!/bin/sh
# prefix.t: a trace cut at any byte gives the records of its whole events, status 1, and no crash.
# slow: files that arrive byte by byte
. "${0%/*}/../lib.sh"
have python3 || finish

cat >prefix.py <<'E'
"""usage: prefix.py kineto|nsys FILE

What each prefix must give is computed here with Python's json alone: (end of the event, its record).
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal


def loads(text):
    return json.loads(text, parse_float=Decimal)


def ns(us):
    return int(us * 1000)


def kineto(text):
    """(end, (ts, dur, name, cat, args)) of each event of traceEvents."""
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
    """The same from lines; the names of copies, which the reader makes up, and what has no time aside."""
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
        name = body.get("Text") or strings.get(body.get("name")) or strings.get(body.get("kernel", {}).get("demangledName"))
        yield end, (start, int(stop) - start, name)


def record(kind, r):
    if kind == "kineto":
        return r["ts"], r.get("dur"), r["name"], r.get("cat"), r.get("args")
    return r["ts"], r.get("dur"), None if r["kind"] in ("memcpy", "memset") else r.get("name")


def is_whole(kind, text):
    """Whether a reader can see no damage."""
    try:
        loads(text if kind == "kineto" else text.rstrip("\n").rsplit("\n", 1)[-1])
        return True
    except ValueError:
        return False


def main():
    kind, path = sys.argv[1:]
    text = open(path, encoding="ascii").read()
    expected = list({"kineto": kineto, "nsys": nsys}[kind](text))

    def run(n):
        return subprocess.run(["trace2ndjson"], input=text[:n].encode(), capture_output=True)

    wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for n, done in enumerate(pool.map(run, range(len(text) + 1))):
            want = [r for end, r in expected if end <= n]
            got = [record(kind, r) for r in map(loads, done.stdout.decode().splitlines()) if "ts" in r]
            status = 0 if is_whole(kind, text[:n]) else 1
            told = done.stderr.decode().splitlines()
            if got != want or done.returncode != status or bool(told) != status or not all(t.startswith("trace2ndjson: ") for t in told):
                wrong += 1
                if wrong <= 3:
                    print(f"first {n} bytes: ...{text[max(0, n - 60):n]!r}\n  status {done.returncode}, expected {status}")
                    print(f"  {len(got)} records, expected {len(want)}\n  got  {got[-1:]}\n  want {want[-1:]}\n  stderr {told}")
    print(f"{wrong} of {len(text) + 1} prefixes wrong, {len(expected)} events" if wrong else f"{len(expected)} events")


main()
E

check 'every prefix of a Kineto file' 0 'python3 prefix.py kineto "$DATA/tiny.pt.trace.json"' <<'E'
7 events
E
check 'every prefix of an nsys file' 0 'python3 prefix.py nsys "$DATA/tiny.nsys.json"' <<'E'
9 events
E

finish
