#!/usr/bin/env python3
"""Random calls in time trees and in trees by id, and a check of call-tree --stack and --preorder on them.

usage: preorder_calls.py N     makes about 2.7 N records, runs call-tree; prints each difference
The parents are those that call-tree wrote (parent_node), which other tests check; paths from the root to a record are
followed here from parent to parent.
"""
import json, random, subprocess, sys
n = int(sys.argv[1])
r = random.Random(11)
rows = []
for i in range(n * 5 // 3):
    kind = r.choice(["op", "op", "api", "python"])
    row = {"ts": r.randrange(20000), "dur": int(r.expovariate(.002)), "kind": kind,
        "name": f"{kind}{r.randrange(9)}", "tid": r.randrange(3)}
    if r.randrange(3):
        row["args"] = {"Input Dims": [[r.randrange(9)], []], "x.y": "é\"\\"}
    rows.append(row)
for i in range(n):
    row = {"ts": r.randrange(20000), "dur": 5, "kind": r.choice(["activity", "activity", "kernel"]),
        "name": f"a{r.randrange(9)}", "id": f"i{i % (n - 50)}"}
    row["parent"] = f"i{r.randrange(max(1, i - 40), i + 2)}" # some parents are missing, some links form cycles
    rows.append(row)
rows.sort(key=lambda row: row["ts"])
with open("calls.nd", "w") as out:
    out.writelines(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)


def tree(*options):
    run = subprocess.run(["call-tree", "--quiet", *options, "calls.nd"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return [json.loads(line) for line in run.stdout.decode().splitlines()]


found = tree("--stack=ts")
by_node = {row["node"]: row for row in found if "node" in row}
for row in by_node.values():
    path, at = [], row
    while at:
        path.insert(0, at["ts"])
        at = by_node.get(at.get("parent_node"))
    if row["stack"] != path:
        print("--stack", row, path)
if len(by_node) != len(rows):
    print(len(by_node), "of", len(rows), "records are in trees")

plain, ordered = tree(), tree("--preorder")
linked = lambda found: [row for row in found if "parent" in row]
if sorted(map(json.dumps, plain)) != sorted(map(json.dumps, ordered)):
    print("--preorder changes records")
children = {}
for row in linked(plain): # in input order
    children.setdefault(row.get("parent_node"), []).append(row)
want, stack = [], children[None][::-1]
while stack:
    row = stack.pop()
    want.append(row)
    stack += children.get(row["node"], [])[::-1]
if linked(ordered) != want:
    print("--preorder: another order")
