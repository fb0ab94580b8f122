#!/usr/bin/env python3
"""Checks the ids and names in a Chrome trace of several ranks.

  rank-merge FOLDER | ndjson2trace | rank_view.py

Each pid must be of one rank, and either of the host or of a device; its last name must begin with the rank, and the
processes must be sorted by rank, host before device. A correlation id and the id of a flow must be of one rank, except
for arrows between ranks. Prints the number of processes, correlation ids and flows, and of everything that is wrong.
"""
import collections, json, re, sys

trace = json.load(sys.stdin)
rank_of = lambda e: (e.get("record") or {}).get("rank", trace["distributedInfo"]["rank"])
names, order, wrong = {}, {}, 0
rows, ids = collections.defaultdict(set), collections.defaultdict(set)
for e in trace["traceEvents"]:
    if e["ph"] == "M" and e["name"] == "process_name":
        names[e["pid"]] = e["args"]["name"]
    elif e["ph"] == "M" and e["name"] == "process_sort_index":
        order[e["pid"]] = e["args"]["sort_index"]
    elif e.get("record", {}) is not None and "pid" in e and "ts" in e:
        device = e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset", "gpu_user_annotation")
        rows[e["pid"]].add((rank_of(e), device))
        if "correlation" in e.get("args", {}):
            ids["correlation", e["args"]["correlation"]].add(rank_of(e))
        if "id" in e:
            ids["flow", e["id"]].add(rank_of(e))
for pid, of in rows.items():
    rank, device = next(iter(of))
    wrong += len(of) > 1
    wrong += not re.fullmatch(rf"rank {rank}: " + (r"GPU \d+" if device else r"\S+ \d+"), names[pid])
listed = sorted(rows, key=order.get)
wrong += [next(iter(rows[pid])) for pid in listed] != sorted(next(iter(of)) for of in rows.values())
wrong += sum(len(ranks) > 1 for ranks in ids.values())
kinds = collections.Counter(kind for kind, _ in ids)
print(f"{len(rows)} processes, {kinds['correlation']} correlation ids, {kinds['flow']} flows, {wrong} wrong")
