#!/usr/bin/env python3
"""Records from a table of activities, and a comparison of call-tree's output with the golden tree.

usage: plaidml_tree.py records ACTIVITIES.CSV >RECORDS
       call-tree ... | plaidml_tree.py tree TREE.CSV
"""
import csv, json, sys

from traces import opened
if sys.argv[1] == "records":
    rows = [r for r in csv.DictReader(opened(sys.argv[2])) if r["elapsed_ns"]]
    for r in sorted(rows, key=lambda r: int(r["clock_epoch_ns"]) + int(r["rel_start_ns"])):
        out = {"ts": int(r["clock_epoch_ns"]) + int(r["rel_start_ns"]), "dur": int(r["elapsed_ns"]), "kind": "activity",
               "name": r["verb"], "id": r["id"]}
        if r["parent"].strip("0"):
            out["parent"] = r["parent"]
        print(json.dumps(out))
else:
    ours = {r["id"]: r for r in map(json.loads, sys.stdin)}
    n = wrong = 0
    path = []
    for r in csv.DictReader(open(sys.argv[2])):
        if r["root"] != "invocation":
            continue
        depth, got = int(r["depth"]), ours[r["id"]]
        path[depth:] = [r["id"]]
        n += 1
        want_parent = ours[path[-2]]["node"] if depth else None
        wrong += (got["depth"], got["dur"], got.get("parent_node")) != (depth, int(r["elapsed_ns"]), want_parent)
    print(wrong, "of", n, "wrong")
