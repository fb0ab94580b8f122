#!/usr/bin/env python3
"""The golden tables of a dvdt trace, compared with its records.

usage: dvdt_golden.py calls|enqueues|layers|results GOLDEN <RECORDS

calls: the args and corr of the api records equal the golden calls, with the same order of calls and members.
enqueues: the differences of times equal those in NAME.enqueues_ns.csv within 1 ns; ts and dur of the device records
match them.
layers: each call ends inside the range of its layer, whose end is exclusive; each range starts where the last one ends.
results: the records of the repetitions of an experiment point equal the golden results.
"""
import csv
import json
import sys

from traces import opened

what, path = sys.argv[1:]
records = [json.loads(line) for line in sys.stdin]
if what == "calls":
    with opened(path) as f:
        want = [json.loads(line) for line in f]
    got = [{**r["args"], "call_index": r["corr"]} for r in records if r["kind"] == "api"]
    same = sum(list(a.items()) == list(b.items()) for a, b in zip(got, want))
    print(f"{same} of {len(want)} calls, {len(got)} given")
elif what == "layers":
    want = list(csv.DictReader(open(path, encoding="utf-8")))
    layers = [r for r in records if r["kind"] == "range"]
    calls = [r for r in records if r["kind"] == "api"]
    same = 0
    for call, row in zip(calls, want):
        end = call["ts"] + call["dur"]
        inside = [(i, r) for i, r in enumerate(layers) if r["ts"] <= end < r["ts"] + r["dur"]]
        found = [(str(i), r["name"], r["args"]["direction"]) for i, r in inside] or [("", "", "")]
        same += call["name"] == row["call"] and found == [(row["layer"], row["label"], row["direction"])]
    joined = sum(a["ts"] + a["dur"] == b["ts"] for a, b in zip(layers, layers[1:]))
    print(f"{same} of {len(want)} calls in {len(layers)} layers, {joined} joints")
elif what == "results":
    want = list(csv.DictReader(open(path, encoding="utf-8")))
    got = [r for r in records if r.get("name") == "ck_repetition"]
    same = sum(
        r["repetition"] == int(row["repetition"])
        and r["args"]["program"] == row["program"]
        and r["args"]["time_fw_ms"] == float(row["time (ms)"])
        and r["args"]["calls"] == int(row["calls"])
        and r["args"]["layers"] == int(row["layers"])
        for r, row in zip(got, want)
    )
    print(f"{same} of {len(want)} repetitions, {len(got)} given")
else:
    want = list(csv.DictReader(open(path, encoding="utf-8")))
    got = [r for r in records if r["kind"] in ("kernel", "memcpy")]
    calls = {r["corr"]: r for r in records if r["kind"] == "api"}
    same = 0
    for r, row in zip(got, want):
        a, call = r["args"], calls[r["corr"]]
        numbers = [a["p1_p0"], a["p2_p1"], a["p3_p2"], a["p3_p0"], a["t1_t0"], a["t1_t0"] - a["p3_p0"]]
        columns = ["p1 - p0", "p2 - p1", "p3 - p2", "p3 - p0", "t1 - t0", "(t1 - t0) - (p3 - p0)"]
        same += (
            r["corr"] == int(row["label"])
            and call["name"] == row["call"]
            and all(abs(n - int(row[c])) <= 1 for n, c in zip(numbers, columns))
            and r["dur"] == a["p3_p2"]
            and call["dur"] == a["t1_t0"]
            and r["ts"] == call["ts"] + a["start"] - a["queued"]
        )
    print(f"{same} of {len(want)} enqueues, {len(got)} given")
