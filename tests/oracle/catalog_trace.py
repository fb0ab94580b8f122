#!/usr/bin/env python3
"""A trace of PyTorch whose catalogue is known by hand.

  catalog_trace.py [no_steps] [no_device] [other] [late]

Six steps of 1000 us, with a launch at 10 us, its kernel from 100 to 400 us, and a copy from 600 to 700 us. The metadata
has TOKEN in members, in names of members and in the environment. other: other names of steps; late: steps that overlap.
"""
import json, sys
options = sys.argv[1:]
events = []
def event(ph, cat, name, ts, dur, **args):
    rest = {"dur": dur} if ph == "X" else {"s": "t"}
    events.append(dict(ph=ph, cat=cat, name=name, pid=1, tid=1, ts=ts, **rest, args=args))
for n in range(6):
    t = 1000 * n
    if "no_steps" not in options:
        name = "Iteration %d" if "other" in options else "ProfilerStep#%d"
        event("X", "user_annotation", name % n, t, 1200 if "late" in options else 1000)
    event("X", "cuda_runtime", "cudaLaunchKernel", t + 10, 5 + n, correlation=n + 1)
    event("X", "cuda_runtime", "cudaMemcpyAsync", t + 500, 5, correlation=n + 11)
    if "no_device" not in options:
        event("X", "kernel", "gemm" if n % 2 else "relu", t + 100, 300, device=1, stream=7, correlation=n + 1)
        event("X", "gpu_memcpy", "Memcpy HtoD", t + 600, 100, device=1, stream=7, correlation=n + 11, bytes=1000)
    event("i", "cpu_instant_event", "[memory]", t + 20, 0, **{"Device Type": 1, "Total Reserved": 4096 * n, "Addr": 1})
event("i", "cpu_instant_event", "[memory]", 30, 0, **{"Device Type": 0, "Total Reserved": 99999})
print(json.dumps({"deviceProperties": [{"id": 0, "name": "GPU 0", "totalGlobalMem": 5, "uuid": "TOKEN"},
        {"id": 1, "name": "GPU \"1\"", "totalGlobalMem": 7, "env": "TOKEN"}],
    "cuda_runtime_version": 12040, "cuda_driver_version": 12090, 
    "env": {"API_KEY": "TOKEN", "TOKEN": 1}, "user": "TOKEN",
    "distributedInfo": {"backend": "TOKEN", "rank": 3, "world_size": 8, "nccl_version": "2.21.5", "pg_config": "TOKEN"},
    "baseTimeNanoseconds": 1770000000000000001, "traceName": "TOKEN", "traceEvents": ["X"]})
    .replace('"X"]}', ",\n".join(json.dumps(e) for e in events) + "]}"))
