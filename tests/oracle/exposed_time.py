#!/usr/bin/env python3
"""Compares gpu-exposed with the kernel that each instant between two starts or ends counts for.

usage: exposed_time.py RECORDS KEY     (KEY: a member of the record)
       exposed_time.py --random N      on N traces made at random
"""
import json, subprocess, sys

from traces import count_wrong_traces, kernel_type

LEVELS = {"all": ["rank"], "dev": ["rank", "dev"], "stream": ["rank", "dev", "stream"]}


def exposed(work, key):
    """Returns the exposed time and the count of communication kernels by their values of a member."""
    times, counts = {}, {}
    work = [{**w, "end": w["ts"] + max(0, w.get("dur", 0)), "seq": i} for i, w in enumerate(work)]
    for w in work:
        if w["kind"] == "kernel" and kernel_type(w["name"]) == "COMMUNICATION":
            counts[w.get(key)] = counts.get(w.get(key), 0) + 1
            times.setdefault(w.get(key), 0)
    points = sorted({t for w in work for t in (w["ts"], w["end"])})
    i, running = 0, []
    for here, there in zip(points, points[1:]):
        while i < len(work) and work[i]["ts"] <= here:
            running.append(work[i])
            i += 1
        running = [w for w in running if w["end"] > here]
        kernels = [w for w in running if w["kind"] == "kernel"]
        if any(kernel_type(w["name"]) == "COMPUTATION" for w in kernels):
            continue
        found = [w for w in kernels if kernel_type(w["name"]) == "COMMUNICATION"]
        if found:
            first = min(found, key=lambda w: (w["ts"], w["stream"], w["seq"]))
            times[first.get(key)] += there - here
    return {value: (times[value], counts[value]) for value in times}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(file, key):
    places, bad = {}, 0
    for level, members in LEVELS.items():
        places = {}
        for e in map(json.loads, open(file)):
            if e.get("kind") in ("kernel", "memcpy", "memset") and "clock" not in e:
                places.setdefault(tuple(e.get(k) for k in members), []).append(e)
        want = {place: rows for place, work in places.items() if (rows := exposed(work, key))}
        got = {}
        for r in run("gpu-exposed", "-g", key, "--per", level, file):
            got.setdefault(tuple(r.get(k) for k in members), {})[r.get(key)] = (r["dur"], r["count"])
        if got != want:
            print(file, level, "got", str(got)[:300], "expected", str(want)[:300])
            bad += 1
        sums = {}
        for r in run("gpu-exposed", "--times", "--per", level, file):
            if "exposed" in r:
                rows = sums.setdefault(tuple(r.get(k) for k in members), {})
                rows[r.get(key)] = rows.get(r.get(key), 0) + r["exposed"]
        if sums != {place: {value: time for value, (time, _) in rows.items()} for place, rows in want.items()}:
            print(file, level, "--times got", str(sums)[:300], "expected", str(want)[:300])
            bad += 1
        # The values sum to the exposed time of the whole trace.
        for r in run("gpu-busy", "--per", level, "--whole", file):
            if r["comm_only"] != sum(time for time, _ in got.get(tuple(r.get(k) for k in members), {}).values()):
                print(file, level, "the values do not sum to comm_only", r["comm_only"])
                bad += 1
    return bad


if sys.argv[1] == "--random":
    # `name` has few values, `corr` one for each kernel
    sys.exit(count_wrong_traces(int(sys.argv[2]), lambda file: compare(file, "name") + compare(file, "corr")) > 0)
sys.exit(compare(*sys.argv[1:]) > 0)
