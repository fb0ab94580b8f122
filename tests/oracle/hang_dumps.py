#!/usr/bin/env python3
"""Writes flight-recorder dumps of a job of four ranks that hangs: hang_dumps.py FOLDER CASE [json].

Each rank issues an all_reduce of its pair of ranks, an all_gather of all ranks, and the same two again. The cases:
late: rank 3 does not come to the second all_reduce; stopped: its device does not finish it; stuck: all are in the
second all_gather; circle: ranks 0 and 1 begin with different collectives; mismatch: rank 1 broadcasts in place of
all_gather; done: everything is complete; lost: as late, without the dump of rank 3; alone: as stopped, without that of
rank 2; apart: as late, rank 0 is an hour older.
"""
import json
import os
import pickle
import sys

GROUPS = [("0", "default_pg", [0, 1, 2, 3]), ("1", "TP", [0, 1]), ("2", "TP", [2, 3])]
TP, ALL = ("all_reduce", [[8, 4]]), ("all_gather", [[16]])
CALLS = [TP, ALL, TP, ALL]
# the numbers of calls that each rank issued and completed
CASES = {"late": ([4, 4, 4, 2], [3, 3, 2, 2]), "stopped": ([4, 4, 4, 4], [3, 3, 3, 2]), "stuck": ([4] * 4, [3] * 4),
         "circle": ([1] * 4, [0] * 4), "mismatch": ([2] * 4, [1] * 4), "done": ([4] * 4, [4] * 4),
         "lost": ([4, 4, 4, 2], [3, 3, 2, 2]), "alone": ([4] * 4, [3, 3, 3, 2]), "apart": ([4, 4, 4, 2], [3, 3, 2, 2])}


def entry(rank, number, call, group, sequence, done):
    name, desc, _ = GROUPS[group]
    time = 1758581237000000000 + number * 1000000 + rank
    return {"record_id": number, "pg_id": group, "process_group": (name, desc), "thread_name": "python3",
            "thread_id": "140000000000001", "collective_seq_id": sequence, "p2p_seq_id": 0, "op_id": sequence,
            "profiling_name": "nccl:" + call[0], "time_created_ns": time, "input_sizes": call[1],
            "input_dtypes": ["Float"], "output_sizes": call[1], "output_dtypes": ["Float"],
            "state": "completed" if done else "scheduled", "time_discovered_started_ns": None,
            "time_discovered_completed_ns": time + 900000 if done else None, "retired": done, "timeout_ms": 600000,
            "is_p2p": False}


def dump(case, rank):
    issued, completed = CASES[case]
    calls = CALLS[1:] if case == "circle" and rank != 1 else CALLS
    entries, status, sequences = [], {}, {}
    for number in range(issued[rank]):
        call = calls[number]
        if case == "mismatch" and rank == 1 and call is ALL:
            call = ("broadcast", [[16]])
        group = 1 + rank // 2 if call is TP else 0
        sequences[group] = sequences.get(group, 0) + 1
        done = number < completed[rank]
        s = status.setdefault(str(group), {"last_enqueued_collective": 0, "last_started_collective": -1,
                                           "last_completed_collective": -1})
        s["last_enqueued_collective"] = sequences[group]
        if done:
            s["last_completed_collective"] = sequences[group]
        entries.append(entry(rank, number, call, group, sequences[group], done))
    if case == "apart" and rank == 0:
        for e in entries:
            e["time_created_ns"] -= 3600 * 10**9
    config = {g[0]: {"name": g[0], "desc": g[1], "ranks": str(g[2])} for g in GROUPS if rank in g[2]}
    return {"version": "2.9", "pg_config": config,
            "nccl_version": "2.27.3", "pg_status": status, "entries": entries}


def as_json(d):
    """Returns the text that dump_json writes."""
    status = {k: {a: str(b) for a, b in s.items()} for k, s in d["pg_status"].items()}
    entries = [{k: 0 if v is None else v for k, v in e.items()} for e in d["entries"]]
    return json.dumps({**d, "pg_status": status, **({"entries": entries} if entries else {})}, sort_keys=True,
                      separators=(",", ":"))


def main():
    folder, case = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    for rank in range(4):
        if (case, rank) in (("lost", 3), ("alone", 2)):
            continue
        d = dump(case, rank)
        if sys.argv[3:] == ["json"]:
            with open(os.path.join(folder, f"_dump_{rank}.json"), "w", encoding="utf-8") as f:
                f.write(as_json(d))
        else:
            with open(os.path.join(folder, f"_dump_{rank}"), "wb") as f:
                pickle.dump(d, f, 2)


main()
