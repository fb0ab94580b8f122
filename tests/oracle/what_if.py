#!/usr/bin/env python3
"""Computes the figures of what-if from the records of a small job, by the definitions in what-if(1), with recursion.

usage: what_if.py RECORDS DSP SUMMARY TYPES WORKERS STEPS

The last four are the outputs of what-if --write. Prints the figures that differ by more than 1e-9 (times: by 1 ns), and
then their number. A worker is a pair (DP rank, stage); an operation is (type, number, worker).
"""
import collections
import json
import statistics
import sys

TYPES = """forward-compute backward-compute forward-send forward-recv backward-send backward-recv params-all-gather
grads-reduce-scatter separate-grads-all-reduce layernorm-grads-all-reduce embedding-grads-all-reduce
optimizer-clip-main-grad gc optimizer""".split()
AG, RS, SEP, LN, EMB, CLIP, GC, OPT = TYPES[6], TYPES[7], TYPES[8], TYPES[9], TYPES[10], TYPES[11], "gc", "optimizer"
EPS = 50000
sys.setrecursionlimit(100000)

records = [json.loads(line) for line in open(sys.argv[1], encoding="ascii")]
stage_of = {(r["pid"], r["tid"]): int(r["args"]["name"].split(",")[0].split()[-1])
            for r in records if r["name"] == "thread_name"}
raw = [r for r in records if r["name"] in TYPES]
rank_of = {(r["pid"], stage_of[r["pid"], r["tid"]]): r["tid"] // 5 for r in raw}
STEPS = sorted({r["args"]["step"] for r in raw})
DPS, P = sorted({r["pid"] for r in raw}), max(stage_of.values()) + 1
USE_DP = len(DPS) * int(sys.argv[2]) > 1

# job[step][type, n, (dp, stage)] = record
job = {step: {} for step in STEPS}
lists = collections.defaultdict(list)
for r in raw:
    lists[r["args"]["step"], r["name"], (r["pid"], stage_of[r["pid"], r["tid"]])].append(r)
for (step, kind, worker), found in lists.items():
    for n, r in enumerate(sorted(found, key=lambda r: (r["args"].get("seq_id", 0), r["ts"]))):
        job[step][kind, n, worker] = r

model = {(t, n, s): r for (t, n, (d, s)), r in job[STEPS[0]].items() if d == DPS[0]}  # (type, n, stage)
CHUNKS = max(1, 1 + max(r["args"].get("model_chunk", -1) for r in model.values()))


def those(kind, stage):
    return sorted(k for k in model if k[0] == kind and k[2] == stage)


def start(k):
    return model[k]["ts"]


def end(k):
    return model[k]["ts"] + model[k]["dur"]


def chunk(k):
    return model[k]["args"].get("model_chunk", -1)


deps = collections.defaultdict(set)
group = {}
paired = collections.defaultdict(list)


def chain(keys):
    for a, b in zip(keys, keys[1:]):
        deps[b].add(a)


for s in range(P):
    forward, backward = those("forward-compute", s), those("backward-compute", s)
    computes = sorted(forward + backward, key=lambda k: (start(k), TYPES.index(k[0]), k[1]))
    chain(computes)
    for t, own in ("forward", forward), ("backward", backward):
        for way in "send", "recv":
            found = those(f"{t}-{way}", s)
            chain(found)
            if way == "recv":
                inside = [k for k in found if start(k) <= max(map(start, own)) + EPS]
            else:
                inside = [k for k in found if end(k) >= min(map(end, own)) - EPS]
            shift = 1 if way == "recv" and len(inside) + 1 == len(own) else 0
            for n, k in enumerate(inside, shift):
                if way == "recv":
                    deps[own[n]].add(k)
                    if n:
                        deps[k].add(own[n - 1])
                else:
                    deps[k].add(own[n])
                onward = (t, way) in (("forward", "send"), ("backward", "recv"))
                place = max(0, chunk(own[n])) * P + s + (1 if onward else -1)
                if 0 <= place < CHUNKS * P:
                    paired[t, way, s].append(k)
    b = next((i for i, k in enumerate(computes) if k[0] == "backward-compute"), 0)
    if b >= 2:
        for t in "backward-recv", "backward-send":
            if (t, 0, s) in model:
                deps[t, 0, s].add(computes[b - 2])
    separate = USE_DP and any(k[0] == SEP for k in model)
    if USE_DP:
        chain(sorted(those(AG, s) + those(RS, s), key=lambda k: (start(k), TYPES.index(k[0]), k[1])))
        for c in {chunk(k) for k in those(AG, s)}:
            first = [k for k in computes if k[0] == "forward-compute" and chunk(k) == c]
            if first:
                deps[first[0]].add([k for k in those(AG, s) if chunk(k) == c][-1])
    tail = [max(computes, key=end)] + those(GC, s)
    rest = those(LN, s) + those(EMB, s)
    if separate:
        for c in {chunk(k) for k in those(RS, s)}:
            last = [k for k in backward if chunk(k) == c]
            if last:
                deps[[k for k in those(RS, s) if chunk(k) == c][0]].add(max(last, key=end))
        rest += those(SEP, s)
    elif USE_DP:
        rest += those(RS, s)
    rest += those(CLIP, s) + those(OPT, s)
    if separate and rest and those(RS, s):
        deps[rest[0]].add(those(RS, s)[-1])
    chain(tail + rest)

for t, step_ in ("forward", 1), ("backward", -1):
    for s in range(P):
        sends, recvs = paired[t, "send", s], paired[t, "recv", (s + step_) % P]
        assert len(sends) == len(recvs)
        for a, b in zip(sends, recvs):
            group[a] = group[b] = frozenset((a, b))
for k in model:
    if k[0] == CLIP:
        group[k] = frozenset(x for x in model if x[:2] == k[:2])
    if k[0] == EMB and k[2] in (0, P - 1):
        group[k] = frozenset(x for x in model if x[:2] == k[:2] and x[2] in (0, P - 1))
unused = set() if USE_DP else {AG, RS, SEP}


def simulate(step, recorded):
    """The time of a step; recorded(type, worker) says whether an operation keeps its duration."""
    ends, begins = {}, {}

    def begin(k, d):
        if (k, d) not in begins:
            begins[k, d] = max((finish(x, d) for x in deps[k]), default=0)
        return begins[k, d]

    def finish(k, d):
        if (k, d) not in ends:
            everywhere = DPS if k[0] in (AG, RS, SEP, CLIP) else [d]
            at = max(begin(x, e) for x in group.get(k, [k]) for e in everywhere)
            dur = job[step][k[0], k[1], (d, k[2])]["dur"] if recorded(k[0], (d, k[2])) else ideal[k[0]]
            ends[k, d] = at + dur
        return ends[k, d]

    return max(finish(k, d) for k in model if k[0] not in unused for d in DPS)


def mean(recorded):
    return sum(simulate(step, recorded) for step in STEPS) / len(STEPS)


durs = collections.defaultdict(list)
for ops in job.values():
    for (t, _, _), r in ops.items():
        durs[t].append(r["dur"])
computing = {"forward-compute", "backward-compute", GC, OPT}
ideal = {t: sum(d) / len(d) if t in computing else statistics.median(d) for t, d in durs.items()}

T, I = mean(lambda t, w: True), mean(lambda t, w: False)
workers = [(d, s) for d in DPS for s in range(P)]
by_dp = {d: mean(lambda t, w, d=d: w[0] == d) for d in DPS}
by_stage = {s: mean(lambda t, w, s=s: w[1] == s) for s in range(P)}
score = {w: min(by_dp[w[0]], by_stage[w[1]]) for w in workers}
slowest = sorted(workers, key=lambda w: (-score[w], rank_of[w]))[:-(-3 * len(workers) // 100)]

wrong, compared = [], 0


def same(name, got, want, tolerance=1e-9):
    global compared
    compared += 1
    if got is None or abs(got - want) > tolerance * max(1, abs(want)):
        wrong.append(f"{name}: {got}, expected {want}")


(summary,), types, rows, steps = ([json.loads(line) for line in open(path, encoding="ascii")] for path in sys.argv[3:])
same("slowdown", summary["slowdown"], T / I)
same("time", summary["time"], T, 1)
same("ideal_time", summary["ideal_time"], I, 1)
if abs(T - I) > 1:
    same("slowest_part", summary["slowest_part"], (T - mean(lambda t, w: w not in slowest)) / (T - I), 1e-6)
    same("last_stage_part", summary["last_stage_part"], (T - mean(lambda t, w: w[1] != P - 1)) / (T - I), 1e-6)
close = any(0 < abs(a - b) < 1 for a in score.values() for b in score.values())
if not close and summary["slowest"] != [rank_of[w] for w in slowest]:
    wrong.append(f"slowest {summary['slowest']}")
if [t["name"] for t in types] != [t for t in TYPES if t in durs]:
    wrong.append("types")
for t in types:
    both = {t["name"], t.get("with", t["name"])}
    same(t["name"], t["slowdown"], mean(lambda k, w: k in both) / I)
    same(t["name"] + " ideal", t["ideal_dur"], ideal[t["name"]], 1)
    same(t["name"] + " mean", t["mean_dur"], sum(durs[t["name"]]) / len(durs[t["name"]]), 1)
    same(t["name"] + " count", t["count"], len(durs[t["name"]]))
if [r["rank"] for r in rows] != sorted(rank_of.values()):
    wrong.append("ranks")
for r in rows:
    same("worker", r["slowdown"], score[r["dp"], r["stage"]] / I)
    same("dp", r["dp_slowdown"], by_dp[r["dp"]] / I)
    same("stage", r["stage_slowdown"], by_stage[r["stage"]] / I)
for r, step in zip(steps, STEPS):
    same(f"step {step}", r["slowdown"], simulate(step, lambda t, w: True) / I)
if [r["step"] for r in steps] != STEPS:
    wrong.append("steps")
print("\n".join(wrong) if wrong else f"{compared} figures")
sys.exit(bool(wrong))
