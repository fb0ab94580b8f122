#!/usr/bin/env python3
"""Compares range-project with the definition: each range with each device record, on traces of nasty_traces.py.

usage: range_projection.py --random N [FIRST]
"""
import random
import sys

import nasty_traces as nasty
from enclosing_ranges import nasty_ranges

OURS = "ops records busy dur_sum orig_ts orig_dur depth children parent stack".split()
SCOPES = {"thread": ("rank", "pid", "tid"), "process": ("rank", "pid"), "any": ("rank",)}


def union(intervals):
    total, reached = 0, None
    for a, b in sorted(intervals):
        if reached is None or a > reached:
            total, reached = total + b - a, b
        elif b > reached:
            total, reached = total + b - reached, b
    return total


def place(r, scope):
    return [nasty.same(r.get(m)) for m in SCOPES[scope]]


def only(values):
    """Returns the value that all are equal to, or None: numbers beyond 128 bits are written as doubles."""
    if len({nasty.same(v) for v in values}) != 1 or values[0] is None:
        return None
    v, wide = values[0], lambda v: isinstance(v, int) and not -2**127 <= v < 2**127
    return v if not wide(v) else int(float(v)) if not wide(int(float(v))) else nasty.Decimal(repr(float(v)))


class Launch:
    """A device record with its call."""
    def __init__(self, r, api, seen):
        self.r, self.start, self.end = r, nasty.time(r), nasty.end(r)
        api = api if not nasty.is_lost(api) else {**api, "dur": 0}
        self.call = {"rank": r.get("rank"), "pid": api.get("pid"), "tid": api.get("tid")}
        self.begin, self.until = nasty.time(api), nasty.end(api)
        key = (*place(self.call, "process"), self.begin, nasty.same(r.get("corr")))
        self.first = r.get("corr") is None or key not in seen
        seen.add(key)


def work_of(launches):
    """Returns ts, dur, dev, stream and the args of a record of work."""
    first, last = min(w.start for w in launches), max(w.end for w in launches)
    dev = only([w.r.get("dev") for w in launches])
    one = len({nasty.same(w.r.get("dev")) for w in launches}) == 1
    stream = only([w.r.get("stream") for w in launches]) if one else None
    args = {"ops": sum(w.first for w in launches), "records": len(launches),
            "busy": min(union([(w.start, w.end) for w in launches]), nasty.MOST),
            "dur_sum": min(sum(min(w.end - w.start, nasty.MOST) for w in launches), nasty.MOST)}
    found = {"ts": first, "dur": min(last - first, nasty.MOST), "kind": "gpu_range", "dev": dev, "stream": stream}
    return {k: v for k, v in found.items() if v is not None}, args


def model(records, kinds, scope, regex, outside):
    """Returns the expected records."""
    ranges, launches, seen, number = [], [], set(), 0
    for r in records:
        if not nasty.has_time(r):
            continue
        if r.get("kind") in ("kernel", "memcpy", "memset"):
            api = r.get("api")
            if isinstance(api, dict) and nasty.time(api) is not None and not nasty.is_lost({"ts": api["ts"]}):
                launches.append(Launch(r, api, seen))
        elif r.get("kind") in kinds:
            number += 1
            name = r.get("name") if isinstance(r.get("name"), str) else ""
            if nasty.time(r, "dur") is not None and (not regex or regex in name):
                ranges.append({"id": number, "r": r, "from": nasty.time(r), "to": nasty.end(r), "work": []})
    for i, x in enumerate(ranges):
        around = [q for q in ranges[:i] if place(q["r"], "thread") == place(x["r"], "thread") and q["to"] >= x["to"]]
        x["up"] = max(around, key=lambda q: (q["from"], -q["to"], q["id"]), default=None)
        x["depth"], x["children"] = x["up"]["depth"] + 1 if x["up"] else 0, 0
        x["work"] = [w for w in launches if place(w.call, scope) == place(x["r"], scope) and
                     x["from"] <= w.begin and w.until <= x["to"]]
    used = [x for x in ranges if x["work"]]
    for x in used:
        if x["up"]:
            x["up"]["children"] += 1
    want = []
    for x in used:
        r = x["r"]
        row, args = work_of(x["work"])
        row.update({m: r[m] for m in ("name", "cat", "rank", "pid", "tid") if r.get(m) is not None})
        args.update(orig_ts=x["from"], orig_dur=nasty.time(r, "dur"), depth=x["depth"], children=x["children"])
        args.update({"parent": x["up"]["id"]} if x["up"] else {})
        own = r["args"] if isinstance(r.get("args"), dict) else {}
        row.update(id=x["id"], args={**args, **{k: v for k, v in own.items() if k not in OURS}})
        want.append({**row, **{k: v for k, v in r.items() if k not in nasty.STANDARD}})
    inside = {id(w) for x in used for w in x["work"]}
    lonely = [w for w in launches if id(w) not in inside]
    for process in sorted({tuple(map(str, place(w.call, "process"))) for w in lonely}) if outside else []:
        work = [w for w in lonely if tuple(map(str, place(w.call, "process"))) == process]
        row, args = work_of(work)
        tid = only([w.call["tid"] for w in work])
        last = only([max(work, key=lambda w: w.end).call["tid"]])
        members = {"rank": work[0].call["rank"], "pid": work[0].call["pid"], "tid": tid}
        args.update({"last_tid": last} if last is not None and tid is None else {})
        want.append(row | {k: v for k, v in members.items() if v is not None} | {"args": args})
    return want


def nasty_trace():
    lines = nasty_ranges()
    read = [nasty.read(line) for line in lines]
    records = [r for r in read if not nasty.is_lost(r)]
    scope, kinds = random.choice(list(SCOPES)), random.choice(["range", "op", "range,op,api", "gpu_range,mark,range"])
    regex, outside = random.choice(["", "", "a"]), random.random() < 0.5
    command = ["range-project", "-r", kinds, "--scope", scope, "--horizon", "9223372036s"]
    command += (["-e", regex] if regex else []) + ["--outside"] * outside
    got, messages, status = nasty.run(command, lines)
    want = model(records, kinds.split(","), scope, regex, outside)
    # the records of ranges are in input order
    differences = nasty.compare([r.get("id") for r in got if "id" in r], [r["id"] for r in want if "id" in r])
    differences += nasty.compare_sets(got, want)
    if status != any(nasty.is_lost(r) or nasty.is_odd(r) for r in read):
        differences.append(f"status {status}: {messages}")
    return command, differences


sys.exit(nasty.count_wrong(sys.argv[2:], nasty_trace))
