#!/usr/bin/env python3
"""Checks the arguments of each enqueue in the output of arg-attach, from the args of the preceding calls.

usage: kernel_args.py RECORDS
"""
import json, sys

records = [json.loads(line) for line in open(sys.argv[1])]
calls, n, args, bad, last = [], 0, 0, 0, {}
for r in records:
    if r["kind"] == "kernel":
        key = (r.get("repetition"), r["corr"])
        bad += r.get("kargs") != last[key]
        continue
    if r["kind"] != "api":
        continue
    calls.append(r)
    if r["name"] != "clEnqueueNDRangeKernel":
        continue
    kernel, want = r["args"]["kernel"], {}
    for c in reversed(calls):
        if c.get("repetition") != r.get("repetition") or c["args"].get("kernel") != kernel or "err" in c:
            continue
        if c["name"] == "clCreateKernel":
            break
        if c["name"] == "clSetKernelArg":
            want.setdefault(c["args"]["arg_index"], int.from_bytes(bytes.fromhex(c["args"]["arg_value"]), "little"))
    want = {str(i): want[i] for i in sorted(want)} or None
    last[(r.get("repetition"), r["corr"])] = want
    bad += r.get("kargs") != want or list(r.get("kargs") or ()) != list(want or ())
    n += 1
    args += len(want or ())
print("BAD" if bad else "same", n, "enqueues", args, "arguments")
