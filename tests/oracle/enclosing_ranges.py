#!/usr/bin/env python3
"""Checks the output of nvtx-attach: compares each record with every range.

usage: enclosing_ranges.py INPUT OUTPUT [OPTION]...     options of nvtx-attach
"""
import argparse, json, re

p = argparse.ArgumentParser()
p.add_argument("input")
p.add_argument("output")
p.add_argument("-r", default="range")
p.add_argument("-e")
p.add_argument("--as", dest="name", default="range")
p.add_argument("--scope")
p.add_argument("--by", default="launch")
p.add_argument("--point", default="whole")
p.add_argument("--capture")
o = p.parse_args()
kinds = o.r.split(",")
DEVICE = ("kernel", "memcpy", "memset", "sync", "gpu_range")
MEMBERS = dict(thread=("rank", "pid", "tid"), process=("rank", "pid"), any=("rank",))

def scope_of(kind):
    return o.scope or ("thread" if kind in ("op", "python", "api") else "process")

def key(place, scope):
    return json.dumps([place.get(m) for m in MEMBERS[scope]])

def timed(r):
    return isinstance(r.get("ts"), int) and "clock" not in r

def span(r):
    return r["ts"], r["ts"] + max(r.get("dur", 0), 0)

records = [json.loads(line) for line in open(o.input)]
ranges = []
for i, r in enumerate(records):
    if timed(r) and r.get("kind") in kinds and r["kind"] != "mark" and r.get("dur", -1) >= 0:
        if not o.e or re.search(o.e, r.get("name", "")):
            ranges.append((i, *span(r), r.get("name", ""), r["kind"], r))
by_place = {}
for x in ranges:
    for scope in MEMBERS:
        by_place.setdefault((scope, key(x[5], scope)), []).append(x)

def enclosing(i, r):
    place, start, end, skip = r, *span(r), None
    device = r.get("kind") in DEVICE
    if device and o.by == "launch":
        api = r.get("api")
        if not api:
            return []
        place = dict(rank=r.get("rank"), pid=api.get("pid"), tid=api.get("tid"))
        start, end = api["ts"], api["ts"] + max(api.get("dur", 0), 0)
        skip = (start, end, api["name"])
    elif device and o.scope != "any":
        scope = "process" if "pid" in r else "any"
        found = by_place.get((scope, key(place, scope)), [])
    if o.point != "whole":
        start = end = start if o.point == "start" else end
    if not (device and o.by == "own" and o.scope != "any"):
        found = []
        for scope in MEMBERS:
            found += [x for x in by_place.get((scope, key(place, scope)), []) if scope_of(x[4]) == scope]
    found = [x for x in found if x[1] <= start and x[2] >= end and x[0] != i]
    found.sort(key=lambda x: (x[1], -x[2], x[0]))
    if skip and "api" in kinds:
        same = [x for x in found if x[1:4] == skip]
        found = [x for x in found if not same or x is not same[-1]]
    return found

inside = bad = 0
with open(o.output) as out:
    for i, r in enumerate(records):
        got = json.loads(out.readline())
        new = {}
        found = enclosing(i, r) if timed(r) else []
        if found:
            inside += 1
            names = [x[3] for x in found]
            new = {o.name: names[-1], o.name + "s": names}
            if o.capture:
                member, regex = o.capture.split("=", 1)
                for name in reversed(names):
                    m = re.search(regex, name)
                    if m:
                        new[member] = int(m[1]) if m[1].isdigit() else m[1]
                        break
        want = {k: v for k, v in r.items() if k not in ("args", "src")}
        want.update(new)
        want.update({k: r[k] for k in ("args", "src") if k in r})
        if list(got.items()) != list(want.items()):
            bad += 1
            if bad < 5:
                print(f"record {i + 1}: got {json.dumps(got)[:400]}\n  expected {json.dumps(want)[:400]}")
    if out.readline():
        bad += 1
        print("more output records than input records")
print(f"{'BAD' if bad else 'same'}: {len(records)} records, {len(ranges)} ranges, {inside} inside")
