#!/usr/bin/env python3
"""Writes FOLDER/rank0.json, rank1.json ...: steps of each rank, which computes for some microseconds and then takes
part in an all-reduce that ends at the same time on all ranks. COMPUTE is the time in each of two steps, or a list of
times, one for each step: 20000,20000,90000. With --ahead, the host runs ahead: its
events take a tenth of the time. Usage: job_traces.py [--ahead] FOLDER COMPUTE..."""
import json
import sys

COMM = {"Collective name": "allreduce", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20, "dtype": "Float",
        "Process Group Name": "0", "Process Group Description": "default_pg"}
ahead = sys.argv[1] == "--ahead"
sys.argv[1:] = sys.argv[1 + ahead:]
times = [[int(t) for t in arg.split(",")] if "," in arg else [int(arg)] * 2 for arg in sys.argv[2:]]
n = len(times)
for rank, computes in enumerate(times):
    events = []
    at = 100000
    for step, compute in enumerate(computes, 1):
        end = max(69000, *(t[step - 1] + 19000 for t in times))
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "pid": 1, "tid": 1,
                       "ts": at, "dur": end + 21000})
        comm = {**COMM, "Group size": n, "Process Group Ranks": str(list(range(n))), "Seq": step}
        for name, start, dur, args in (("gemm", 1000, compute, {}),
                                       ("ncclDevKernel_AllReduce", 1000 + compute, end - compute, comm)):
            link = {"correlation": len(events)}
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1,
                           "ts": at + start - 500, "dur": 5, "args": link})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": at + start, "dur": dur,
                           "args": {**args, "device": 0, "stream": 7, **link}})
        at += end + 31000
    for e in events if ahead else []:
        if e["cat"] != "kernel":
            e |= {"ts": 100000 + (e["ts"] - 100000) / 10, "dur": e["dur"] / 10}
    with open(f"{sys.argv[1]}/rank{rank}.json", "w") as f:
        info = {"rank": rank, "world_size": n}
        json.dump({"distributedInfo": info, "baseTimeNanoseconds": 1, "traceEvents": events}, f)
