#!/usr/bin/env python3
"""Compares the records of collectives on standard input with the truth of a job that gen_ranks.py made in FOLDER.

  coll-join FOLDER/*.ndjson | rank_truth.py FOLDER

A record is false if its members belong to different collectives of the truth. A collective of the truth is split if its
recorded members are in several records, unless these are messages without the other rank, which cannot be matched.
Prints the numbers of both, and the rank with the largest sum of `late`.
"""
import collections, json, sys

with open(sys.argv[1] + "/truth.json") as f:
    job = json.load(f)
old = job["options"]["meta"] in ("int", "none")
clocks = {r["rank"]: r for r in job["ranks"]}
base = min(r["base"] for r in job["ranks"])


def written(rank, t):
    """The ts that the trace of the rank has for the true time t."""
    clock = clocks[rank]
    t += clock["ahead_ns"] + clock["drift_ppb"] * (t - job["start_ns"]) // 10**9
    t += base if old else base - clock["base"]
    return t // 1000 * 1000 if job["options"]["meta"] == "none" else t


true = {}
with open(sys.argv[1] + "/truth.ndjson") as f:
    for number, line in enumerate(f):
        for rank, start, _ in json.loads(line)["members"]:
            true[rank, written(rank, start)] = number
false, records_of, late = 0, collections.defaultdict(set), collections.Counter()
for number, line in enumerate(sys.stdin):
    r = json.loads(line)
    numbers = {true.get((m["rank"], m["ts"]), (m["rank"], m["ts"])) for m in r["members"]}
    false += len(numbers) > 1
    for n in numbers:
        records_of[n].add(number if r.get("why") != "no peer" else None)
    if r["n"] > 1 and r["name"] not in ("sendrecv", "broadcast"):
        late[r["last"]] += r["late"]
split = sum(len(x) > 1 for x in records_of.values())
latest = min(late, key=lambda r: (-late[r], r), default=None)
print(f"{false} false, {split} split, late: rank {latest}, {len(set(true.values()) - set(records_of))} lost")
