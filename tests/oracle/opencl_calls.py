#!/usr/bin/env python3
"""Writes records of OpenCL calls, from one call per line in a form that is easier to read than JSON.

usage: opencl_calls.py <CALLS >RECORDS
A line is set KERNEL INDEX HEX, create KERNEL, enqueue KERNEL, or run KERNEL, the device record of the preceding call.
Text after an @ is written before args. corr counts the calls.
"""
import sys
corr = ts = 0
for line in sys.stdin:
    line, _, extra = line.rstrip("\n").partition(" @")
    word, kernel, *more = line.split()
    members = "," + extra if extra else ""
    ts += 10
    if word == "run":
        print('{"ts":%d,"dur":5,"kind":"kernel","name":"gemm","corr":%s%s,"args":{"kernel":"%s"}}'
              % (ts, corr, members, kernel))
        continue
    corr += 1
    name = {"set": "clSetKernelArg", "create": "clCreateKernel", "enqueue": "clEnqueueNDRangeKernel"}[word]
    args = '"kernel":"%s"' % kernel
    if word == "set":
        args += ',"arg_index":' + more[0] + (',"arg_value":"%s"' % more[1] if len(more) > 1 else "")
    print('{"ts":%d,"dur":9,"kind":"api","name":"%s","corr":%d%s,"args":{%s}}' % (ts, name, corr, members, args))
