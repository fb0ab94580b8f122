#!/usr/bin/env python3
"""Compares a merged stream of a job on standard input with the traces of its ranks, and with the truth of gen_ranks.py.

  rank-merge FOLDER | rank_merged.py FOLDER TOLERANCE

FOLDER has truth.json and the records of each rank in rankN.ndjson. The stream must be in ts order and must have all
records of each rank, unchanged except for the rank and the times. Each ts must be the time that the clock of the lowest
rank showed at the true time of the record, with an error of at most TOLERANCE ns; a time inside an attachment must move
by the same amount as the ts, except for the drift. Prints the number of records, of differences, and of errors that are
too large.
"""
import glob, json, re, sys

folder, tolerance = sys.argv[1], int(sys.argv[2])
with open(folder + "/truth.json") as f:
    truth = json.load(f)
ranks = {r["rank"]: r for r in truth["ranks"]}
start = truth["start_ns"]
lowest = min(r["base"] for r in ranks.values())
based = truth["options"]["meta"] not in ("int", "none")
traces = {}
for path in glob.glob(folder + "/rank*.ndjson"):
    with open(path) as f:
        rank = int(re.search(r"rank(\d+)\.ndjson$", path)[1])
        records = [json.loads(line) for line in f]
        records.sort(key=lambda r: (r["ts"], -r.get("dur", 0)) if "ts" in r else (float("-inf"), 0))
        traces[rank] = iter(records)
reference = ranks[min(traces)]


def shown(clock, t):
    """What a clock shows at the true time t, in ns since a fixed time."""
    return t + clock["ahead_ns"] + clock["drift_ppb"] * (t - start) / 10**9


def expected(rank, ts):
    """The ts that the reference would have recorded at the time when the rank recorded ts."""
    clock = ranks[rank]
    ts += clock["base"] - reference["base"] if based else 0
    ts -= 0 if based else lowest
    # The clock is linear, so the true time follows from its offset and drift; integers, since doubles have 53 bits.
    since = ts - start - clock["ahead_ns"]
    drift = clock["drift_ppb"]
    true = start + since - since * drift // (10**9 + drift)
    shown = int(true + reference["ahead_ns"] + reference["drift_ppb"] * (true - start) // 10**9)
    return shown + (0 if based else lowest)


count = different = wrong = 0
last = None
for line in sys.stdin:
    merged = json.loads(line)
    own = next(traces[merged["rank"]], {})
    own.setdefault("rank", merged["rank"])
    count += 1
    if "ts" in own and "ts" in merged:
        moved = merged["ts"] - own["ts"]
        wrong += abs(merged["ts"] - expected(own["rank"], own["ts"])) > tolerance
        wrong += last is not None and merged["ts"] < last
        last = merged["ts"]
        own["ts"] += moved
        if "api" in own:
            wrong += abs(merged["api"]["ts"] - own["api"]["ts"] - moved) > 1 + abs(own["ts"] - own["api"]["ts"]) // 1000
            own["api"]["ts"] = merged["api"]["ts"]
    elif last is not None:
        different += 1
    if own.get("name") == "baseTimeNanoseconds":
        own["args"]["value"] = reference["base"]
    different += own != merged
missing = sum(1 for trace in traces.values() for _ in trace)
print(f"{count} records, {missing} missing, {different} different, {wrong} times wrong")
