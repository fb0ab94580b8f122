#!/usr/bin/env python3
"""The samples in the output of perf script, read by regular expressions, compared with the records of trace2ndjson.

usage: perf_script.py FILE...
Compares all members. Prints for each file: the expected number of samples, the number of records, and how many differ.
"""
import json, re, subprocess, sys
from decimal import Decimal
head = re.compile(r"^\s*(\S.*?)\s+(?:(\d+)/)?(\d+)(?:\s+\[(\d+)\])?(?:\s+(\d+\.\d+):)?(?:\s+(\d+))?\s+(\S+):"
                  r"(?:\s*|\s+([0-9a-f]+ .*))$")
frame = re.compile(r"^\s*([0-9a-f]+) (.*?)(?:\+(0x[0-9a-f]+))?(?: \((.*)\))?$")
def frames(lines):
    for text in lines:
        ip, name, off, dso = frame.match(text.rstrip()).groups()
        if name == "[unknown]" and dso and dso != "[unknown]":
            name = "[" + dso.split("/")[-1] + "]"
        yield ip, name, off or "", dso
def sample(lines):
    comm, pid, tid, cpu, time, period, event, only = head.match(lines[0]).groups()
    fs = list(frames(([only] if only else []) + lines[1:]))[::-1]
    s = {"comm": comm, "tid": int(tid), "event": event}
    if pid: s["pid"] = int(pid)
    if cpu: s["cpu"] = int(cpu)
    if time: s["ts"] = int(Decimal(time) * 10**9)
    if period: s["period"] = int(period)
    if fs:
        s.update(name=fs[-1][1], stack=[f[1] for f in fs], ip=["0x" + f[0] for f in fs])
        if fs[-1][3]: s.update(dsos=[f[3] for f in fs], dso=fs[-1][3].split("/")[-1])
        if any(f[2] for f in fs): s["offset"] = [f[2] for f in fs]
    return s
for path in sys.argv[1:]:
    want, lines = [], []
    for text in open(path).read().split("\n") + [""]:
        if text.startswith("#"): continue
        if lines and (not text or not text.startswith("\t")):
            want.append(sample(lines)); lines = []
        if text: lines.append(text)
    got = []
    for line in subprocess.run(["trace2ndjson", path], capture_output=True, check=True).stdout.splitlines():
        r = json.loads(line)
        if r.pop("kind") != "sample": continue
        args = r.pop("args", {})
        r.update({k if k != "dso" else "dsos": v for k, v in args.items()})
        r.pop("marks", None)
        assert r.pop("dur", r.get("period")) == r.get("period")
        got.append(r)
    wrong = [(w, g) for w, g in zip(want, got) if w != g]
    print(path.split("/")[-1], len(want), len(got), len(wrong), *wrong[:1])
