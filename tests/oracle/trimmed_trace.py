#!/usr/bin/env python3
"""Compares trace-steps with the cut of a real trace by the reference tool, and with the rule for launches.

usage: trimmed_trace.py TRACE GOLDEN
"""
import collections, gzip, json, subprocess, sys

trace, golden = ([e for e in json.load(gzip.open(path))["traceEvents"]] for path in sys.argv[1:3])
us = lambda t: int(t) * 1000
# In the input of the tool, one name is spelt differently.
key = lambda e: (e["ts"], e.get("dur"), e.get("name").replace("## Forward ##", "## forward ##"), e.get("cat"),
                 json.dumps(e.get("args"), sort_keys=True))
as_ns = lambda e: key({**e, "ts": us(e["ts"]), **({"dur": us(e["dur"])} if "dur" in e else {})})
markers = sorted((e["ts"] for e in trace if "dataloader" in e["name"].lower()
                  and e.get("cat") != "gpu_user_annotation"))
start, end = markers[1], markers[5]
calls = {e["args"]["correlation"]: e["ts"] for e in trace if e.get("cat") == "cuda_runtime"}
def by_launch(e):
    corr = e.get("args", {}).get("correlation") if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset") else None
    return calls.get(corr, e["ts"])

for how, events in ("own", golden), ("launch", [e for e in trace if start <= by_launch(e) < end]):
    text = subprocess.run(["trace-steps", "--marker", "DataLoader", "--skip", "1", "--count", "4", "--by", how,
                           sys.argv[1]],
        stdout=subprocess.PIPE, check=True).stdout
    got = collections.Counter(key(e) for e in map(json.loads, text.splitlines()) if "ts" in e)
    want = collections.Counter(as_ns(e) for e in events)
    print(how, sum(want.values()), [*(want - got)][:3], [*(got - want)][:3])
