#!/usr/bin/env python3
"""Checks the output of corr-join, computed again from dictionaries of all calls.

usage: joined.py RECORDS JOINED [sorted [LEAD]]
Prints the expected messages of --report, the expected number of calls that came too late, and the first differences.
"""
import json
import sys

DEVICE = {"kernel", "memcpy", "memset", "sync"}
STANDARD = set("ts dur kind name cat rank pid tid dev stream corr id parent clock bytes copy err args src".split())
by_ts = "sorted" in sys.argv[3:]
lead = int(sys.argv[4]) if len(sys.argv) > 4 else 0
HORIZON = 10_000_000_000

lines = open(sys.argv[1]).read().splitlines()
records = [json.loads(line) for line in lines]
got = open(sys.argv[2]).read().splitlines()


def corr(r):
    return r.get("corr") if r.get("corr") != -1 else None


calls = {}
for at, r in enumerate(records):
    if r["kind"] == "api" and corr(r) is not None:
        calls.setdefault((r.get("rank"), corr(r)), []).append((at, r))

count = {"matched": 0, "callless": 0, "ambiguous": 0, "idless": 0}
used = set()
passed = []


def nearest(found, r):
    """Returns the nearest call, the earlier of two; of calls with one ts, the last before r or the first after r."""
    return min(found, key=lambda c: (abs(r["ts"] - c[1]["ts"]), c[1]["ts"] > r["ts"],
                                     c[0] if c[1]["ts"] > r["ts"] else -c[0]))


def choose(found, at, r):
    """Returns the calls with the id of r that may be its call, and the chosen one."""
    if by_ts:
        before = [c for c in found if c[1]["ts"] <= r["ts"] <= c[1]["ts"] + HORIZON]
        after = [c for c in found if r["ts"] < c[1]["ts"]]
        if not before and after and lead < after[0][1]["ts"] - r["ts"] <= HORIZON:
            passed.append(after[0][1]["ts"] - r["ts"])
        after = [c for c in after if c[1]["ts"] <= r["ts"] + lead]
        return (before or after), (before[-1:] or after[:1] or [None])[0]
    # A record is joined at once if a call that was read before it starts at most HORIZON earlier or later. Otherwise it
    # waits until such a call is read or the input ends. It is then joined with the nearest of all calls read so far.
    known = [c for c in found if c[0] < at]
    near = [c for c in found if c[0] > at and abs(c[1]["ts"] - r["ts"]) <= HORIZON]
    if not known or abs(nearest(known, r)[1]["ts"] - r["ts"]) > HORIZON:
        known = [c for c in found if not near or c[0] <= near[0][0]]
    return found, nearest(known, r) if known else None


def joined(at, r):
    """Returns the expected record, or its line if nothing is added, and the index of its call."""
    if corr(r) is None:
        count["idless"] += 1
        return lines[at], None
    found = [c for c in calls.get((r.get("rank"), corr(r)), []) if "pid" not in r or c[1].get("pid") == r["pid"]]
    found, one = choose(found, at, r)
    if not found:
        count["callless"] += 1
        return lines[at], None
    if len({c[1].get("pid") for c in found}) > 1:
        count["ambiguous"] += 1
        return lines[at], None
    place, call = one
    count["matched"] += 1
    used.add(place)
    want = dict(r)
    want["api"] = {m: call[m] for m in ("name", "ts", "dur", "pid", "tid") if m in call}
    want["delay"] = r["ts"] - call["ts"]
    if want["delay"] >= call["dur"]:
        want["queue"] = want["delay"] - call["dur"]
    for m in call:
        if m not in STANDARD and m not in ("api", "delay", "queue"):
            want[m] = call[m]
    return want, place


def in_order():
    """Returns the expected records in the expected order."""
    made = [joined(at, r) if r["kind"] in DEVICE else (lines[at], None) for at, r in enumerate(records)]
    if by_ts:
        return [m[0] for m in made]
    following, order, last = {}, [], []
    for at, (r, place) in enumerate(made):
        if place is not None and place > at:
            following.setdefault(place, []).append(r)
    for at, (r, place) in enumerate(made):
        if place is not None and place > at:
            continue
        waits = records[at]["kind"] in DEVICE and place is None and corr(records[at]) is not None
        (last if waits else order).append(r)
        order += following.get(at, [])
    return order + last


want = in_order()
n_calls = sum(len(c) for c in calls.values())
repeated = sum(len(c) - len({x[1].get("pid") for x in c}) for c in calls.values())
print("corr-join: device records: {matched} matched, {callless} without a call, {ambiguous} ambiguous, "
      "{idless} without corr".format(**count))
print(f"corr-join: calls: {n_calls} with corr, {n_calls - len(used)} without a device record, "
      f"{repeated} duplicates")
if passed:
    print(f"passed {len(passed)} {max(passed)}")
if len(want) != len(got):
    print(f"{len(got)} records, expected {len(want)}")
bad = [(w, g) for w, g in zip(want, got) if w != (g if isinstance(w, str) else json.loads(g))]
for w, g in bad[:3]:
    print("expected", str(w)[:600])
    print("actual  ", g[:600])
