#!/usr/bin/env python3
"""Writes the records of a random pipeline-parallel training job, for tests/filters/what-if.t.

usage: what_if_job.py SEED

The job has 1 to 3 DP ranks, 1 to 4 stages, 1 or 2 model chunks, and 1 to 3 steps. Some jobs have messages without a
partner, gradients that are reduced separately, or records without seq_id, or are in random order. The first line is the
option --dsp of the job.
"""
import json
import random
import sys

rnd = random.Random(int(sys.argv[1]))
dps, stages, steps, micro = rnd.randint(1, 3), rnd.randint(1, 4), rnd.randint(1, 3), rnd.randint(1, 4)
chunks = rnd.choice([1, 1, 2]) if stages > 1 else 1
separate, numbered, without_partner = rnd.random() < 0.3, rnd.random() < 0.7, rnd.random() < 0.4
first_recv, late_recv, first_step = rnd.random() < 0.5, rnd.random() < 0.3, rnd.randint(0, 1000)
optional = [t for t in ("gc", "layernorm-grads-all-reduce", "embedding-grads-all-reduce", "optimizer-clip-main-grad",
                        "params-all-gather", "grads-reduce-scatter", "optimizer") if rnd.random() < 0.85]
MS = 1000000

forwards = [(chunk, batch) for chunk in range(chunks) for batch in range(micro)]
backwards = [(chunk, batch) for chunk in reversed(range(chunks)) for batch in range(micro)]


def schedule(stage):
    """The computations of a stage in order: (direction, chunk)."""
    if chunks > 1:
        return [("forward", c) for c, _ in forwards] + [("backward", c) for c, _ in backwards]
    warm = min(micro, stages - 1 - stage)
    order, ahead = [("forward", 0)] * warm, micro - warm
    for _ in range(ahead):
        order += [("forward", 0), ("backward", 0)]
    return order + [("backward", 0)] * warm


def messages(stage, direction, chunk, first):
    """The messages before and after a computation: (type, is before it)."""
    place, last = chunk * stages + stage, chunks * stages - 1
    has_recv, has_send = ((place > 0, place < last) if direction == "forward" else (place < last, place > 0))
    extra = without_partner or chunks > 1
    if has_recv or (extra and not (first and first_recv)):
        yield direction + "-recv", True
    if has_send or extra:
        yield direction + "-send", False


def operations(stage):
    """(type, start, chunk) of a stage in a step, without the durations."""
    at = 100 * MS
    chunked = range(chunks)
    if "params-all-gather" in optional:
        for c in chunked:
            yield "params-all-gather", 10 * MS + c * MS, c
    seen = set()
    for direction, chunk in schedule(stage):
        at += 20 * MS
        for kind, before in messages(stage, direction, chunk, direction not in seen):
            yield kind, at - 5000 if before else at + 15 * MS, -1
        seen.add(direction)
        yield direction + "-compute", at, chunk
    at += 100 * MS
    if late_recv and stage == 0 and chunks == 1 and not without_partner:
        yield "forward-recv", at, -1
    for kind in optional:
        if kind == "embedding-grads-all-reduce" and stage not in (0, stages - 1):
            continue
        if kind == "params-all-gather":
            continue
        for c in reversed(chunked) if kind == "grads-reduce-scatter" else [-1]:
            at += 10 * MS
            yield kind, at, c
    if separate:
        yield "separate-grads-all-reduce", at + MS, -1


records = []
for step in range(first_step, first_step + steps):
    for dp in range(dps):
        for stage in range(stages):
            count = {}
            for kind, start, chunk in operations(stage):
                args = dict(step=step, model_chunk=chunk, mb_id=-1)
                if numbered:
                    args["seq_id"] = count.setdefault(kind, 0)
                    count[kind] += 1
                dur = rnd.randint(-2000 if "recv" in kind else 1000, 15 * MS - 1000)
                rank = dp + stage * dps
                lane = 0 if "compute" in kind else 1 if "send" in kind or "recv" in kind else 3
                records.append(dict(ts=start + step * 7919 * MS, dur=dur, kind="range", name=kind, pid=dp,
                                    tid=rank * 5 + lane, args=args))
threads = sorted({(r["pid"], r["tid"]) for r in records})
records += [dict(kind="meta", name="thread_name", pid=pid, tid=tid,
                 args=dict(name=f"PP rank {tid // 5 // dps}, TP rank 0, compute")) for pid, tid in threads]
if rnd.random() < 0.5:
    rnd.shuffle(records)
print(rnd.choice([1, 1, 2]))
for r in records:
    print(json.dumps(r, separators=(",", ":")))
