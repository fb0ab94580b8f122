#!/usr/bin/env python3
"""Compares records of hang-find with golden answers, groups, ranks and numbers: hang_golden.py GOLDEN CASE RECORDS."""
import csv
import json
import os
import sys


def rows(folder, name, case):
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as f:
        return [r for r in csv.DictReader(f) if r["case"] == case]


def text(ranks):
    return " ".join(map(str, ranks))


def group_row(g):
    return {"group": g["group"], "desc": g["desc"], "ranks": text(g["ranks"]), "first": str(g.get("first", "")),
            "op": g.get("op", ""), "dtype": g.get("dtype", ""), "sizes": g.get("sizes", "")}


def main():
    folder, case, path = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        records = [json.loads(line) for line in f]
    failed = 0

    def compare(what, want, have):
        nonlocal failed
        for column in have:
            if column in want and want[column] != have[column]:
                failed += 1
                print(f"{case}: {what}: {column} is '{have[column]}', expected '{want[column]}'")

    def match(what, want, have):
        nonlocal failed
        if len(want) != len(have):
            failed += 1
            print(f"{case}: {what}: {len(have)} rows, expected {len(want)}")
        for w, h in zip(want, have):
            compare(f"{what} {h.get('group', h.get('rank'))}", w, h)

    answers = [r for r in records if r["name"] == "answer"]
    have = [{**(group_row(a) if "group" in a else {}), "root": text(a.get("root", [])),
             "stopped": text(a.get("stopped", [])), "waits": text(a.get("waits", [])),
             "no_dump": text(a.get("no_dump", []))} for a in answers]
    match("answer", rows(folder, "answers", case), have)

    order = lambda r: (r["group"], r.get("ranks", ""))
    groups = [r for r in records if r["name"] == "group"]
    have = [{**group_row(g), "open": str(g["open"]), "p2p": str(int(g["p2p"])), "waits": text(g["waits"]),
             "missing": text(g["missing"]), "stopped": text(g["stopped"]), "done": str(g.get("done", "")),
             "no_dump": text(g["no_dump"]), "numbers": str(int(g["counts"]) or "")} for g in groups if g["open"]]
    match("group", sorted(rows(folder, "groups", case), key=order), sorted(have, key=order))

    have = [{"rank": str(r["rank"]), "entries": str(r["entries"]), "open": str(r["in"]),
             "first_open": r.get("first_open", ""), "missing_in": text(r["missing_in"]),
             "stopped_in": text(r["stopped_in"]), "state": r["state"]}
            for r in records if r["name"] == "rank"]
    match("rank", sorted(rows(folder, "ranks", case), key=lambda r: int(r["rank"])),
          sorted(have, key=lambda r: int(r["rank"])))

    want = {(r["group"], r["rank"]): (r["enqueued"], r["completed"]) for r in rows(folder, "numbers", case)}
    have = {(g["group"], str(rank)): (str(e), str(c)) for g in groups
            for rank, e, c in zip(g["ranks"], g["enqueued"], g["completed"]) if e is not None}
    for key in sorted(want.keys() | have.keys()):
        if want.get(key) != have.get(key):
            failed += 1
            print(f"{case}: numbers of group and rank {key}: {have.get(key)}, expected {want.get(key)}")
    if not failed:
        print(f"{case}: equal")


main()
