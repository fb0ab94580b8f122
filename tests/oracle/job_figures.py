#!/usr/bin/env python3
"""Compares the records of rank-delays and rank-scores (OUT...) with the right answers of a job (GOLDEN). Durations,
scores, bandwidths, counts and names must be equal; lateness and waits within 5 us, which clocks permit."""
import csv
import json
import sys

FIGURES = {"step": "dur", "window": "dur", "compute": "compute_time", "comm": "comm_only", "copy": "memory_only",
           "host": "host_wait", "wait_sync": "wait_sync", "wait_p2p": "wait_p2p", "late": "late", "excess": "excess",
           "score": "score"}
TOLERANCE = {"late": 5000, "wait_sync": 5000, "wait_p2p": 5000, "excess": 1, "score": 5e-5}
golden, rows, bad, figures = sys.argv[1], {}, 0, 0
for path in sys.argv[2:]:
    with open(path) as f:
        for row in map(json.loads, f):
            rows.setdefault(row["kind"].split("/")[-1], []).append(row)


def same(what, ours, right, tolerance=0):
    global bad, figures
    figures += 1
    if not (ours == right if isinstance(right, str) else abs(ours - right) <= tolerance):
        print(*what, ours, "expected", right)
        bad += 1


def table(name):
    with open(f"{golden}/{name}.csv") as f:
        return list(csv.DictReader(f))


def compare(what, ours, right):
    for name, value in right.items():
        if name in FIGURES:
            same((*what, name), ours[FIGURES[name]], float(value), TOLERANCE.get(name, 0))
    same((*what, "pause"), sum(ours[x] for x in ("launched_wait", "unknown_wait", "after_work")), int(right["pause"]))


scores = {r["rank"]: r["score"] for r in rows["rank-scores"]}
ranks = {r["rank"]: {**r, "score": scores[r["rank"]]} for r in rows["rank"]}
steps = {(r["rank"], r["step"]): r for r in rows["step"]}
sets = {(r["name"].split()[0] if r["set"] == "group" else r["set"], tuple(r["ranks"])): r for r in rows["set"]}
kinds = {(r["name"], r["group"], r["bytes"], r["size"]): r for r in rows["collective"]}
job, right = rows["job"][0], json.load(open(f"{golden}/job.json"))
for row in table("ranks"):
    compare(("rank", row["rank"]), ranks.pop(int(row["rank"])), row)
for row in table("steps"):
    compare((row["rank"], row["step"]), steps.pop((int(row["rank"]), int(row.pop("step")))), row)
for row in table("sets"):
    key = row["kind"], tuple(map(int, row["ranks"].split()))
    if len(key[1]) < right["world"]:                      # a set of all ranks delays nobody
        same(key, 0 if key[0] == "stage" else sets[key]["late"], int(row["late"]), 5000)
        if int(row["late"]) > 50000:
            same((*key, "group"), sets[key]["group"], row["group"])
            same((*key, "last"), sets[key]["last"], int(row["last"]), 1)
        if sets[key].get("group") == row["group"]:
            same((*key, "collectives"), sets[key]["collectives"], int(row["collectives"]))
for row in table("collectives"):
    ours = kinds.pop((row["op"], row["group"], int(row["bytes"]), int(row["size"])))
    for name, member in (("count", "count"), ("dur", "total"), ("latency_p50", "latency_p50")):
        same((row["op"], name), ours[member], float(row[name]))
    for name in "busbw_p50", "busbw_min", "share":
        same((row["op"], name), ours[name], float(row[name]), 1e-3)
    same((row["op"], "wait"), ours["wait"], int(row["wait"]), 5000 * int(row["count"]))
same(("step",), job["dur"], right["step_mean"])
same(("median",), job["step_median"], right["step_median"])
same(("mad",), job["step_mad"], right["step_mad"], 1)
blame = right["blame"]
same(("named",), json.dumps(job.get("ranks", [])), json.dumps(blame["ranks"]))
same(("missing",), json.dumps(job["missing"]), json.dumps(right["missing"]))
if blame["ranks"]:
    same(("cost",), job["late"], blame["late"], 5000)
for n in range(2 if right["stage"] else 0):
    same(("stage", n), job["n_stages"], len(right["stage"]["compute"]))
left = [*ranks, *steps, *kinds]
print("differs" if bad or left else "all figures are right", left or "", figures > 50)
