#!/usr/bin/env python3
"""Compares device time by operator (its id), stream and kernel with the table of the reference tool.

usage: corr-join ... | device_time.py GOLDEN
Reads joined records. The reference counts only launches that enclose no event. Prints the differences, and the totals
of all launches, with the operators whose launches enclose events: True if all these events have no duration.
"""
import collections, gzip, json, sys
MODULES = ("##", "__", "module::", "DLRM ", "DistributedDataParallel")
nodes, device, inside = {}, [], collections.defaultdict(list)
for line in sys.stdin:
    r = json.loads(line)
    if "api" in r:
        device.append(r)
    elif "node" in r:
        nodes[r["node"]] = r
        inside[r.get("parent_node")].append(r)
def operator(node):
    found = None
    while node:
        r = nodes[node]
        if r["kind"] == "op" and not r["name"].startswith(MODULES):
            found = r["args"]["External id"]
        node = r.get("parent_node")
    return found
plain, every = collections.Counter(), collections.Counter()
gain = set()
for r in device:
    op = operator(r["node"])
    if op is None:
        continue
    key = str(op), str(r["stream"]), r["name"].split("<")[0].split("::")[-1]
    every[key] += r["dur"]
    every["launches"] += 1
    if not inside[r["node"]]:
        plain[key] += r["dur"]
        plain[key, "n"] += 1
    else:
        gain.add((op, all(k["dur"] == 0 for k in inside[r["node"]])))
want = collections.Counter()
for op, streams in json.load(gzip.open(sys.argv[1])).items():
    for stream, kernels in streams.items():
        for key, v in kernels.items():
            key = op, stream, key.split("',")[0].split('",')[0][2:]
            want[key] += int(v["runtime"] * 1000)
            want[key, "n"] += v["count"]
print(len({k[0] for k in want if len(k) == 3}), "operators", len([k for k in want | plain if want[k] != plain[k]]),
      "differ")
print(every.pop("launches"), "launches", sum(every.values()) // 1000, "us", len(gain), "gain",
      all(zero for _, zero in gain))
