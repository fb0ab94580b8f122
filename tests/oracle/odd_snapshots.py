#!/usr/bin/env python3
"""Writes memory snapshots with everything that pickles of PyTorch may have: odd_snapshots.py SEED EVENTS.

For each protocol and pickler SEED.N.pickle: members in any order, unknown and missing ones, values of all types, shared
and separate lists of frames, long stacks, names with quotes, empty lists, annotations, devices without events.
"""
import io
import pickle
import random
import sys

rng = random.Random(int(sys.argv[1]))
pick = rng.choice
NAMES = ["forward", "a\"b\\c\n", "at::_ops::mm::call(int)", "é", "", "segments", "x" * 1500]
FILES = ["/app/model.py", "torch/nn/linear.py", "CUDACachingAllocator.cpp", "??", "a\"b.py"]
ODD = [None, True, -1, 2**40, 1.5, "N/A", "", (0, 0), (), [], {}, {"a": [1, (2, {"b": None})]}, [[[]]], ("x", "é")]


def frame():
    f = {"filename": pick(FILES), "line": rng.randrange(400), "name": pick(NAMES)}
    return {**f, "fx_node_op": pick(ODD)} if rng.random() < 0.1 else f


FRAMES = [frame() for _ in range(9)]
STACKS = [[pick(FRAMES) for _ in range(pick((0, 1, 3, 60)))] for _ in range(12)]


def stack():
    return pick(STACKS) if rng.random() < 0.6 else [frame() for _ in range(rng.randrange(3))]


def shuffled(d):
    items = list(d.items())
    rng.shuffle(items)
    return dict(items)


def event():
    d = {"action": pick(["alloc", "free_requested", "free_completed", "segment_map", "oom", "new \"action\""]),
         "addr": 0x7f0000000000 + 512 * rng.randrange(90), "size": rng.randrange(1, 2**33),
         "stream": pick((0, 7, 2**40))}
    if rng.random() < 0.8:
        d["frames"] = stack()
    if rng.random() < 0.8:
        d["time_us"] = 1700000000000000 + rng.randrange(10**9)
    if rng.random() < 0.4:
        d.update({"user_metadata": str(rng.random()), "more": pick(ODD), "pool_id": (rng.randrange(3), 0)})
    return shuffled(d)


def block():
    d = {"address": rng.randrange(2**47), "size": 512, "requested_size": rng.randrange(512),
         "state": pick(["active_allocated", "inactive", "active_pending_free"]), "frames": stack()}
    return {"size": 512, "history": [{"addr": 5, "frames": stack()}]} if rng.random() < 0.1 else d


def segment(device):
    d = {"device": device, "address": rng.randrange(2**47), "total_size": 2**21, "stream": pick((0, 7))}
    d.update({"segment_type": "small", "is_expandable": pick((True, False)), "segment_pool_id": (0, rng.randrange(2))})
    if rng.random() < 0.5:
        d["frames"] = stack()
    d["blocks"] = [block() for _ in range(pick((0, 1, 1, 2, 5)))]
    return {**d, "frames": stack()}


devices = rng.randrange(4)
snapshot = {"segments": [segment(rng.randrange(2)) for _ in range(pick((0, 1, 6)))],
            "device_traces": [[event() for _ in range(pick((0, 1, 2, int(sys.argv[2]))))] for _ in range(devices)],
            "allocator_settings": {"conf": "", "sizes": {str(1 << i): 0 for i in range(3)}, "odd": ODD},
            "external_annotations": [{"name": f"s{i // 4}", "stage": pick(("START", "END")), "device": i % 2,
                                      "time_us": i} for i in range(pick((0, 1, 2, 40)))]}
if rng.random() < 0.3:
    snapshot["unknown"] = pick(ODD)
if rng.random() < 0.3:
    snapshot = {k: snapshot[k] for k in ("device_traces", "segments")}


def without_memo(value, protocol):
    """Pickles each reference to a value as a separate value, as PyTorch's own writer does."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, protocol)
    pickler.fast = True
    pickler.dump(value)
    return file.getvalue()


number = 0
for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
    for pickler in (pickle.dumps, pickle._dumps, without_memo):
        with open(f"{sys.argv[1]}.{number}.pickle", "wb") as file:
            file.write(pickler(snapshot, protocol))
        number += 1
