#!/usr/bin/env python3
"""Compares gpu-busy, gpu-gaps and gpu-counters with sums over sorted lists of all starts and ends in sorted.nd.

usage: busy_time.py
"""
import json, subprocess, sys

from traces import TYPES, kernel_type

def run(*command):
    text = subprocess.run([*command, "sorted.nd"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True)
    return [json.loads(line) for line in text.stdout.splitlines()]

def kind_of(e):
    return kernel_type(e["name"]) if e["kind"] == "kernel" else "MEMORY"

events = [e for e in map(json.loads, open("sorted.nd")) if e.get("kind") in ("kernel", "memcpy", "memset")]

def answers(key):
    groups = {}
    for e in events:
        groups.setdefault(tuple(e.get(k) for k in key), []).append(e)
    for place, list_ in groups.items():
        points = []
        for e in list_:
            points += [(e["ts"], 1, kind_of(e)), (e["ts"] + max(0, e.get("dur", 0)), -1, kind_of(e))]
        points.sort(key=lambda p: p[0])
        running = dict.fromkeys(TYPES, 0)
        sets, at = {}, points[0][0]
        for ts, step, kind in points:
            now = " overlapping ".join(k for k in TYPES if running[k])
            sets[now] = sets.get(now, 0) + ts - at
            running[kind] += step
            at = ts
        gaps, end, last = [], None, None
        for e in list_:
            if end is not None and e["ts"] > end:
                api = e.get("api", {}).get("ts")
                late = api is not None and api > end
                cause = "host_wait" if late else "kernel_wait" if e["ts"] - end < 30000 else "other_wait"
                gaps.append((end, e["ts"] - end, cause, last, e["name"]))
            if end is None or e["ts"] + max(0, e.get("dur", 0)) >= end:
                end, last = e["ts"] + max(0, e.get("dur", 0)), e["name"]
        yield place, list_, {k: v for k, v in sets.items() if k and v}, gaps, end - list_[0]["ts"], streams_of(list_)

def streams_of(list_):
    """Returns the time in which each number of streams ran, from the intervals between all starts and ends."""
    points, times = [], {}
    for e in list_:
        stream = (e.get("dev"), e.get("stream"))
        points += [(e["ts"], stream, 1), (e["ts"] + max(0, e.get("dur", 0)), stream, -1)]
    points.sort(key=lambda p: p[0])
    running, at = {}, points[0][0]
    for ts, stream, step in points:
        n = sum(1 for count in running.values() if count)
        times[n] = times.get(n, 0) + ts - at
        running[stream] = running.get(stream, 0) + step
        at = ts
    return {n: time for n, time in times.items() if n and time}

bad = 0
for group, key in (("all", ["rank"]), ("dev", ["rank", "dev"]), ("stream", ["rank", "dev", "stream"])):
    place_of = lambda r: tuple(r.get(k) for k in key)
    sums = {place_of(r): r for r in run("gpu-busy", "--per", group)}
    sets, gaps = {}, {}
    for r in run("gpu-busy", "--per", group, "--sets"):
        sets.setdefault(place_of(r), {})[r["types"]] = r["dur"]
    streams = {}
    for r in run("gpu-busy", "--per", group, "--sets=streams"):
        streams.setdefault(place_of(r), {})[r["streams"]] = r["dur"]
    for r in run("gpu-gaps", "--per", group):
        gaps.setdefault(place_of(r), []).append((r["ts"], r["dur"], r["cause"], r["prev"], r["next"]))
    n = 0
    for place, list_, want_sets, want_gaps, whole, want_streams in answers(key):
        got, n = sums[place], n + 1
        want = {"count": len(list_), "span": whole, "busy": sum(want_sets.values())}
        want["idle"] = whole - want["busy"]
        for name, word in (("compute", "COMPUTATION"), ("comm", "COMMUNICATION"), ("memory", "MEMORY"),
                           ("other", "OTHER")):
            want[name + "_time"] = sum(v for k, v in want_sets.items() if word in k.split(" overlapping "))
        want["overlap_time"] = sum(v for k, v in want_sets.items() if "COMPUTATION overlapping COMMUNICATION" in k)
        want["concurrent"] = sum(time for n, time in want_streams.items() if n > 1)
        for cause in ("host_wait", "kernel_wait", "other_wait"):
            want[cause] = sum(g[1] for g in want_gaps if g[2] == cause)
        for what, a, b in (("sums", {k: got[k] for k in want}, want), ("sets", sets.get(place, {}), want_sets),
                           ("streams", streams.get(place, {}), want_streams),
                           ("gaps", gaps.get(place, []), want_gaps)):
            if a != b:
                print(group, place, what, "got", str(a)[:300], "expected", str(b)[:300])
                bad += 1
    bad += n != len(sums)

# The sums over all slices must equal the sums of the whole trace.
for r in run("gpu-busy", "--per", "stream"):
    rows = [s for s in run("gpu-busy", "--per", "stream", "--every", "1ms")
            if all(s.get(k) == r.get(k) for k in ("rank", "dev", "stream"))]
    for name in ("busy", "compute_time", "comm_time", "memory_time", "overlap_time", "concurrent"):
        if sum(s[name] for s in rows) != r[name]:
            print("slices", r, name, sum(s[name] for s in rows))
            bad += 1

# Queue lengths: the number of records that were launched but have not started, after each launch and each start. If
# times are equal, starts come first.
queues = {}
for e in events:
    api = e.get("api", {}).get("ts")
    if api is not None and api <= e["ts"]:
        queues.setdefault((e.get("rank"), e.get("dev"), e.get("stream")), []).append((api, e["ts"]))
got = {}
for r in run("gpu-counters", "queue"):
    got.setdefault((r.get("rank"), r.get("dev"), r.get("stream")), []).append((r["ts"], r["value"]))
for place, list_ in queues.items():
    mine = got.get(place, [])
    steps = sorted([(a, 1) for a, b in list_] + [(b, -1) for a, b in list_])
    want, n = [], 0
    for ts, step in steps:
        n += step
        want.append((ts, n))
    if mine != want:
        print("queue", place, len(mine), len(want))
        bad += 1
sys.exit(bad > 0)
