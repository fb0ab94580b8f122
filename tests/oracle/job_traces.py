#!/usr/bin/env python3
"""Writes FOLDER/rank0.json, rank1.json ...: two steps of each rank, which computes for COMPUTE microseconds and then
takes part in an all-reduce that ends at the same time on all ranks. Usage: job_traces.py FOLDER COMPUTE..."""
import json
import sys

COMM = {"Collective name": "allreduce", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20, "dtype": "Float",
        "Process Group Name": "0", "Process Group Description": "default_pg"}
n = len(sys.argv) - 2
for rank, compute in enumerate(map(int, sys.argv[2:])):
    events = []
    for step in (1, 2):
        at = 100000 * step
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
                       "ts": at, "dur": 90000})
        comm = {**COMM, "Group size": n, "Process Group Ranks": str(list(range(n))), "Seq": step}
        for name, start, dur, args in (("gemm", 1000, compute, {}),
                                       ("ncclDevKernel_AllReduce", 1000 + compute, 69000 - compute, comm)):
            link = {"correlation": len(events)}
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                           "ts": at + start - 500, "dur": 5, "args": link})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at + start, "dur": dur,
                           "args": {**args, "device": 0, "stream": 7, **link}})
    with open(f"{sys.argv[1]}/rank{rank}.json", "w") as f:
        info = {"rank": rank, "world_size": n}
        json.dump({"distributedInfo": info, "baseTimeNanoseconds": 1, "traceEvents": events}, f)
