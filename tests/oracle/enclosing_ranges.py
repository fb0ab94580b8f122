#!/usr/bin/env python3
"""Checks the output of nvtx-attach: compares each record with every range.

usage: enclosing_ranges.py INPUT OUTPUT [OPTION]...     options of nvtx-attach
       enclosing_ranges.py --random N [FIRST]           runs nvtx-attach on N traces of nasty_traces.py
"""
import argparse
import random
import re
import sys

import nasty_traces as nasty

DEVICE = (*nasty.DEVICE, "gpu_range")
MEMBERS = {"thread": ("rank", "pid", "tid"), "process": ("rank", "pid"), "any": ("rank",)}


def options(words):
    p = argparse.ArgumentParser()
    p.add_argument("-r", default="range")
    p.add_argument("-e")
    p.add_argument("--as", dest="name", default="range")
    p.add_argument("--scope")
    p.add_argument("--by", default="launch")
    p.add_argument("--point", default="whole")
    p.add_argument("--capture")
    return p.parse_args(words)


class Model:
    def __init__(self, records, o):
        self.o, self.kinds = o, o.r.split(",")
        self.by_place, self.n_ranges, self.inside = {}, 0, 0
        for i, r in enumerate(records):
            # the duration may be negative: then the range ends when it starts
            if self.is_range(r):
                self.n_ranges += 1
                for scope, members in MEMBERS.items():
                    place = (scope, *(nasty.same(r.get(m)) for m in members))
                    found = i, nasty.time(r), nasty.end(r), self.name_of(r), r["kind"]
                    self.by_place.setdefault(place, []).append(found)
        self.want = [self.attached(i, r) for i, r in enumerate(records)]

    def is_range(self, r):
        if not nasty.has_time(r) or r.get("kind") not in self.kinds or r["kind"] == "mark":
            return False
        return nasty.time(r, "dur") is not None and not (self.o.e and not re.search(self.o.e, self.name_of(r)))

    @staticmethod
    def name_of(r):
        return r["name"] if isinstance(r.get("name"), str) else ""

    def found(self, scope, place):
        return self.by_place.get((scope, *(nasty.same(place.get(m)) for m in MEMBERS[scope])), [])

    def enclosing(self, i, r):
        o, place, start, end, skip = self.o, r, nasty.time(r), nasty.end(r), None
        is_device = r.get("kind") in DEVICE
        if is_device and o.by == "launch":
            api = r.get("api")
            if not isinstance(api, dict) or nasty.is_lost({"ts": api.get("ts")}) or nasty.time(api) is None:
                return []
            api = api if not nasty.is_lost(api) else {**api, "dur": 0}
            place = {"rank": r.get("rank"), "pid": api.get("pid"), "tid": api.get("tid")}
            start, end = nasty.time(api), nasty.end(api)
            skip = (start, end, self.name_of(api))
        if is_device and o.by == "own" and o.scope != "any":
            found = self.found("process" if r.get("pid") is not None else "any", place)
        else:
            found = []
            for scope in MEMBERS:
                found += [x for x in self.found(scope, place) if self.scope_of(x[4]) == scope]
        if o.point != "whole":
            start = end = start if o.point == "start" else end
        found = [x for x in found if x[1] <= start and x[2] >= end and x[0] != i]
        found.sort(key=lambda x: (x[1], -x[2], x[0]))
        if skip and "api" in self.kinds:  # the call itself is not a range of its work
            same = [x for x in found if x[1:4] == skip]
            found = [x for x in found if not same or x is not same[-1]]
        return found

    def scope_of(self, kind):
        return self.o.scope or ("thread" if kind in ("op", "python", "api") else "process")

    def attached(self, i, r):
        o, new = self.o, {}
        found = self.enclosing(i, r) if nasty.has_time(r) else []
        if found:
            self.inside += 1
            names = [x[3] for x in found]
            new = {o.name: names[-1], o.name + "s": names}
            if o.capture:
                member, regex = o.capture.split("=", 1)
                for name in reversed(names):
                    m = re.search(regex, name)
                    if m:
                        new[member] = int(m[1]) if m[1].isdigit() else m[1]
                        break
        return r | new


def nasty_ranges():
    """Returns lines in ts order: ranges, calls, device records with a call of the trace or another one."""
    t = nasty.Trace()
    lines, calls = [], []
    for _ in range(random.choice([1, 5, 40, 120])):
        kind = random.choice(["range", "range", "range", "op", "op", "api", "python", "kernel", "memcpy", "gpu_range",
                              "mark", "meta"])
        r = {**t.times(), "kind": b'"%s"' % kind.encode(), "name": random.choice(t.texts)}
        t.place(r)
        if kind == "api":
            r["name"] = t.texts[0]  # a call is recognised by the text of its name, with its escapes
            calls.append(r)
        if kind in DEVICE:
            t.sometimes(r, dev=random.choice(t.devs), pid=random.choice(t.pids))
            api = random.choice(calls) if calls and random.random() < 0.8 else {**t.times(), "name": b'"l"'}
            if random.random() < 0.9:
                members = b",".join(b'"%s":%s' % (m.encode(), api[m]) for m in ("name", "ts", "dur", "pid", "tid")
                                    if m in api)
                r["api"] = b"{%s}" % members
                if "rank" in api:
                    r["rank"] = api["rank"]
        t.decorate(r)
        for member in ("ranges", "word", "ops", "op"):
            t.sometimes(r, **({member: random.choice(nasty.VALUES)} if random.random() < 0.1 else {}))
        lines.append(t.line(r))
    return nasty.in_ts_order(lines)


def nasty_trace():
    lines = nasty_ranges()
    records = [r for r in map(nasty.read, lines) if not nasty.is_lost(r)]
    words = random.choice([[], ["-r", "op", "--as", "op"], ["-r", "range,op,api", "--as", "word"], ["-r", "op,python"],
                           ["-r", "gpu_range,kernel,mark,range"]])
    words = words + random.choice([[], [], ["--scope", "thread"], ["--scope", "process"], ["--scope", "any"]])
    words += random.choice([[], [], ["--by", "own"]]) + random.choice([[], ["--point", "start"], ["--point", "end"]])
    words += random.choice([[], [], ["-e", "a|step"], ["--capture", "iter=step ([0-9]+)"]])
    m = Model(records, options(words))
    command = ["nvtx-attach", "--horizon", "9223372036s", *words]
    got, messages, status = nasty.run(command, lines)
    differences = nasty.compare(got, m.want)
    if status != (len(records) < len(lines)):
        differences.append(f"status {status}: {messages}")
    return command, differences


def main():
    with open(sys.argv[1], "rb") as file:
        records = [nasty.read(line) for line in file]
    m = Model(records, options(sys.argv[3:]))
    with open(sys.argv[2], "rb") as file:
        got = [nasty.read(line) for line in file]
    # the new members are before args and src
    order = [{k: v for k, v in w.items() if k not in ("args", "src")} | {k: w[k] for k in ("args", "src") if k in w}
             for w in m.want]
    differences = nasty.compare([list(g.items()) for g in got], [list(w.items()) for w in order])
    print(*differences[:4], sep="\n", end="\n" if differences else "")
    print(f"{'BAD' if differences else 'same'}: {len(records)} records, {m.n_ranges} ranges, {m.inside} inside")


if __name__ == "__main__":
    if sys.argv[1] == "--random":
        sys.exit(nasty.count_wrong(sys.argv[2:], nasty_trace))
    main()
