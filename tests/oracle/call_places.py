#!/usr/bin/env python3
"""Checks the place and self time of each record in the output of call-tree, computed only from times and ids.

usage: call-tree ... | call_places.py
       call_places.py --random N [FIRST]     runs call-tree on N traces of nasty_traces.py

On each thread the parent is the last preceding record, in the order of nodes, that ends no earlier, unless its tree has
ended; each moment belongs to the running record that started last. With --crossing=sibling, self time is the duration
without those of the children. Activities, and device records with a parent, are linked by ids.
"""
import collections
import heapq
import random
import sys

import nasty_traces as nasty

LAUNCHES = ("cudaLaunchKernel cudaLaunchKernelExC cuLaunchKernel cuLaunchKernelEx cudaMemcpyAsync cudaMemsetAsync "
            "cudaGraphLaunch hipLaunchKernel hipExtModuleLaunchKernel hipExtLaunchKernel hipMemcpyAsync "
            "hipMemsetAsync hipMemcpyWithStream hipGraphLaunch").split()
NEW = ("depth", "node", "parent_node", "parent_name", "self", "children", "launches")


class Place:
    """A record with its place in a tree. up is the place of its parent."""
    def __init__(self, record):
        self.r, self.up, self.root, self.depth, self.own, self.children, self.launches = record, None, self, 0, 0, 0, 0
        self.start, self.end, self.node = nasty.time(record), None, None
        self.end = nasty.end(record) if self.start is not None else None

    def put_under(self, up):
        self.up, self.root, self.depth = up, up.root, up.depth + 1
        up.children += 1

    def members(self):
        found = {"depth": self.depth, "parent_node": self.up and self.up.node,
                 "parent_name": self.up and self.up.r.get("name"), "self": self.own, "children": self.children,
                 "launches": self.launches}
        return {k: v for k, v in found.items() if v is not None}


def nest(rows, siblings=False):
    """Sets the places of the records of a thread, which are in the order of nodes."""
    most = []
    for i, x in enumerate(rows):
        for j in range(i - 1, -1, -1):
            if most[j] < x.end:
                break
            if rows[j].end >= x.end:
                # A tree ends when its root ends or a later record starts another tree.
                if x.start < rows[j].root.end and rows[j].root is rows[i - 1].root:
                    x.put_under(rows[j])
                break
        most.append(max(x.end, most[-1] if most else x.end))
    times = sorted({x.start for x in rows} | {x.end for x in rows})
    running, at = [], 0
    for t, until in zip(times, times[1:]):
        while at < len(rows) and rows[at].start <= t:
            heapq.heappush(running, -at)
            at += 1
        while running and rows[-running[0]].end <= t:
            heapq.heappop(running)
        if running and not siblings:
            rows[-running[0]].own += until - t
    for x in reversed(rows):
        if siblings:
            x.own += x.end - x.start
        if x.up:
            x.up.own -= x.end - x.start if siblings else 0
            x.up.launches += x.launches or (x.r["kind"] == "api" and x.r.get("name") in LAUNCHES)


def link(rows, n_records):
    """Sets the places of records that are linked by ids, in input order. Returns how many parents are missing."""
    process = lambda x: (nasty.same(x.r.get("rank")), nasty.same(x.r.get("pid")))
    by_id = {(process(x), nasty.same(x.r["id"])): x for x in rows if x.r.get("id") is not None}
    covered = {}
    for x in rows:
        x.up = by_id.get((process(x), nasty.same(x.r["parent"]))) if x.r.get("parent") is not None else None
        x.timed = x.start is not None and nasty.time(x.r, "dur") is not None
        x.own = x.end - x.start if x.timed else None
    missing = sum(x.up is None and x.r.get("parent") is not None for x in rows)
    for x in rows:
        if x.up:
            x.up.children += 1
            if x.up.timed and x.timed and x.r.get("clock") == x.up.r.get("clock"):
                start, end = max(x.start, covered.get(x.up, x.up.start)), min(x.end, x.up.end)
                x.up.own -= max(end - start, 0)
                covered[x.up] = max(end, start)
    for x in rows:
        up = x
        while up.up and x.depth <= n_records:
            up, x.depth = up.up, x.depth + 1
    return missing


class Model:
    KINDS = "op,api,python,range,primitive,activity"

    def __init__(self, records, kinds=KINDS, siblings=False):
        self.want, self.durless, node = [], 0, 0
        threads, linked, rows = collections.defaultdict(list), [], []
        for r in records:
            x = Place(r)
            kind = r.get("kind") if isinstance(r.get("kind"), str) else None
            by_id = kind == "activity" and not r.get("id") is r.get("parent") is None
            by_id = by_id or kind in nasty.DEVICE and r.get("parent") is not None
            if by_id and "activity" in kinds.split(","):
                linked.append(x)
            elif kind in kinds.split(",") and not by_id and nasty.has_time(r):
                if nasty.time(r, "dur") is None:
                    self.durless += 1
                    rows.append(x)
                    continue
                threads[tuple(nasty.same(r.get(m)) for m in ("rank", "pid", "tid"))].append(x)
            else:
                rows.append(x)
                continue
            node += 1
            x.node = node
            rows.append(x)
        for rows_of_thread in threads.values():
            nest(rows_of_thread, siblings)
        self.missing = link(linked, len(records))
        for x in rows:
            old = {k: v for k, v in x.r.items() if k not in NEW or x.node is None}
            self.want.append(old | ({"node": x.node} | x.members() if x.node else {}))


def nasty_calls():
    """Returns lines in ts order. In most of them, the parent of an activity was made before it."""
    t = nasty.Trace()
    lines = []
    with_ids = random.random() < 0.5
    for i in range(random.choice([1, 5, 40, 120])):
        kind = random.choice(["op", "op", "api", "api", "range", "python", "primitive", "kernel", "mark", "meta"])
        if with_ids and random.random() < 0.4:
            kind = random.choice(["activity", "activity", "kernel"])
        r = {**t.times(), "kind": b'"%s"' % kind.encode(), "name": random.choice(t.texts)}
        t.place(r)
        t.decorate(r)
        if kind in ("activity", "kernel") and with_ids:
            r["id"] = b"%d" % (i if random.random() < 0.95 else random.randrange(i + 1))
            r["parent"] = b"%d" % random.randrange(-1, i + (i == 0))
            for member in "id", "parent":
                if random.random() < 0.2:
                    del r[member]
        for member in "node", "parent_node", "self", "children":
            if random.random() < 0.05:
                r[member] = random.choice(nasty.VALUES)
        lines.append(t.line(r))
    return nasty.in_ts_order(lines)


def nasty_trace():
    lines = nasty_calls()
    records = [r for r in map(nasty.read, lines) if not nasty.is_lost(r)]
    siblings, kinds = random.random() < 0.3, random.choice([Model.KINDS, Model.KINDS, "op,api", "activity,range"])
    command = ["call-tree", "-r", kinds, *(["--crossing", "sibling"] if siblings else [])]
    m = Model(records, kinds, siblings)
    if any(w.get("depth") == len(records) + 1 for w in m.want):
        return command, []  # the links form a circle
    got, messages, status = nasty.run(command, lines)
    differences = nasty.compare_sets(got, m.want)
    if status != (len(records) < len(lines)):
        differences.append(f"status {status}: {messages}")
    said = nasty.count_of(messages, "call without a dur"), nasty.count_of(messages, "have a parent that is not")
    if said != (m.durless, m.missing):
        differences.append(f"{said}, expected {m.durless} calls without a dur, {m.missing} missing parents")
    return command, differences


def main():
    threads = collections.defaultdict(list)
    for r in map(nasty.read, sys.stdin.buffer):
        if "node" in r:
            threads[tuple(nasty.same(r.get(m)) for m in ("rank", "pid", "tid"))].append(Place(r))
    wrong = n = 0
    for rows in threads.values():
        rows.sort(key=lambda x: x.r["node"])
        for x in rows:
            x.node = x.r["node"]
        nest(rows)
        for x in rows:
            got = {m: x.r[m] for m in NEW if m in x.r and m != "node"}
            if got != x.members():
                wrong += 1
                if wrong <= 3:
                    print("expected", x.members(), "got", x.r)
        n += len(rows)
    print(wrong, "wrong", "of none" if not n else "")


if sys.argv[1:2] == ["--random"]:
    sys.exit(nasty.count_wrong(sys.argv[2:], nasty_trace))
main()
