#!/usr/bin/env python3
"""Prints the number and the hash of the lines of random.ndjson that each set of options selects.

usage: kept_records.py <SETS     one set of options per line, as JSON
"""
import hashlib, json, re, sys
lines = open("random.ndjson", encoding="utf-8").read().splitlines()
records = [json.loads(x) for x in lines]
factor = {"": 1, "ns": 1, "us": 1000, "ms": 10**6, "KiB": 1024, "kB": 1000}

def members(r):
    m = {k: v for k, v in {**r.get("args", {}), **r}.items() if v is not None}
    if "ts" in r and "dur" in r: m["end"] = r["ts"] + r["dur"]
    return m

def text(v):
    return v if isinstance(v, str) else json.dumps(v)

def cond(r, c):
    m, at = members(r), re.fullmatch(r"(.*?)\s*(==|!=|<=|>=|=~|!~|<|>)\s*(.*)", c)
    if not at: return c[1:] not in m if c[0] == "!" else c in m
    field, op, want = at.groups()
    if field not in m: return False
    v = m[field]
    if op in ("=~", "!~"): return bool(re.search(want, text(v))) == (op == "=~")
    a, b = text(v).encode(), want.encode()
    number = re.fullmatch(r"(-?[0-9]+(?:\.[0-9]+)?)(|ns|us|ms|KiB|kB)", want)
    if number:
        w = float(number[1]) * factor[number[2]]
        if isinstance(v, (int, float)): a, b = v, w
        elif op in ("<", "<=", ">", ">="):
            if not isinstance(v, str) or not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", v): return False
            a, b = float(v), w
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]

def timed(r):
    return "ts" in r and "clock" not in r

def in_window(r, o):
    if not timed(r): return False
    def bound(key, otherwise):
        m = re.fullmatch(r"(\+?)(-?[0-9.]+)(ns|us|ms|)", o.get(key, ""))
        return (first if m[1] else 0) + round(float(m[2]) * factor[m[3]]) if m else otherwise
    lo, hi = bound("from", -10**30), bound("until", 10**30)
    start = r["ts"]; end = start + max(0, r.get("dur", 0))
    if "inside" in o: return lo <= start < hi and end <= hi
    if "starts" in o or start == end: return lo <= start < hi
    return start < hi and end > lo

def section(o):
    def marks(r): return timed(r) and r.get("kind") != "gpu_range" and "name" in r and re.search(o["marker"], r["name"])
    starts, inside, seen = [r["ts"] for r in records if marks(r)], [], 0
    skip, count = o.get("skip", 0), o.get("count", 10**9)
    for r in records:
        seen += bool(marks(r))
        t = r["ts"] if timed(r) else None
        if r.get("kind") in ("kernel", "memcpy") and "api" in r: t = r["api"]["ts"]
        inside.append(t is not None and seen > skip and t >= starts[skip]
                      and not (seen > skip + count and t >= starts[skip + count]))
    return inside

def named(r, o):
    if "n" not in o and "e" not in o: return True
    if "name" not in r: return False
    fold = (lambda s: s.lower()) if "i" in o else (lambda s: s)
    return (fold(r["name"]) in map(fold, o.get("n", []))
            or any(re.search(x, r["name"], re.I if "i" in o else 0) for x in o.get("e", [])))

def keep(r, o, inside):
    return (inside and ("k" not in o or r.get("kind") in o["k"].split(","))
            and (not ("from" in o or "until" in o) or in_window(r, o))
            and named(r, o) and all(cond(r, c) for c in o.get("w", [])))

first = next(r["ts"] for r in records if timed(r))
for line in sys.stdin:
    o = eval(line)
    inside = section(o) if "marker" in o else [True] * len(lines)
    kept = [x for x, r, i in zip(lines, records, inside) if keep(r, o, i) != ("v" in o)][:o.get("m")]
    print(len(kept), hashlib.sha256("".join(x + "\n" for x in kept).encode()).hexdigest())
