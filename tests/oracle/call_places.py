#!/usr/bin/env python3
"""Checks the position and self time of each record in the output of call-tree, computed only from its times.

usage: call-tree ... | call_places.py
On each thread the parent is the last preceding record, in the order of nodes, that ends no earlier, unless its tree has
ended; each moment belongs to the running record that started last.
"""
import collections, heapq, json, sys
threads = collections.defaultdict(list)
for line in sys.stdin:
    r = json.loads(line)
    if "node" in r:
        threads[r.get("rank"), r.get("pid"), r.get("tid")].append(r)
wrong = n = 0
for rows in threads.values():
    rows.sort(key=lambda r: r["node"])
    end = [r["ts"] + max(r["dur"], 0) for r in rows]
    most, parent, root, depth, kids = [], [], [], [], [0] * len(rows)
    for i, r in enumerate(rows):
        found = None
        for j in range(i - 1, -1, -1):
            if most[j] < end[i]:
                break
            if end[j] >= end[i]:
                found = j
                break
        # A tree ends when its root ends or a later record starts another tree.
        if found is not None and (r["ts"] >= end[root[found]] or root[found] != root[i - 1]):
            found = None
        most.append(max(end[i], most[-1] if most else end[i]))
        parent.append(found)
        root.append(i if found is None else root[found])
        depth.append(0 if found is None else depth[found] + 1)
        if found is not None:
            kids[found] += 1
    own = [0] * len(rows)
    times = sorted({r["ts"] for r in rows} | set(end))
    running, at, union = [], 0, 0
    for t, until in zip(times, times[1:]):
        while at < len(rows) and rows[at]["ts"] <= t:
            heapq.heappush(running, -at)
            at += 1
        while running and end[-running[0]] <= t:
            heapq.heappop(running)
        if running:
            own[-running[0]] += until - t
            union += until - t
    launches = [0] * len(rows)
    names = ("cudaLaunchKernel cudaLaunchKernelExC cuLaunchKernel cuLaunchKernelEx cudaMemcpyAsync cudaMemsetAsync "
             "cudaGraphLaunch hipLaunchKernel hipExtModuleLaunchKernel hipExtLaunchKernel hipMemcpyAsync "
             "hipMemsetAsync hipMemcpyWithStream hipGraphLaunch").split()
    for i in range(len(rows) - 1, -1, -1):
        if parent[i] is not None:
            launches[parent[i]] += launches[i] or (rows[i]["kind"] == "api" and rows[i]["name"] in names)
    for i, r in enumerate(rows):
        p = parent[i]
        want = (depth[i], None if p is None else rows[p]["node"], None if p is None else rows[p]["name"], own[i],
                kids[i], launches[i])
        if want != (r["depth"], r.get("parent_node"), r.get("parent_name"), r["self"], r["children"], r["launches"]):
            wrong += 1
            if wrong <= 3:
                print("expected", *want, "got", r)
    n += len(rows)
    if sum(r["self"] for r in rows) != union:
        print("self", sum(r["self"] for r in rows), "union", union)
print(wrong, "wrong", "of none" if not n else "")
