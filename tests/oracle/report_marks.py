#!/usr/bin/env python3
"""Compares the pictures of a report with the output of their commands, which it runs in a shell.

usage: report_marks.py MODEL      MODEL: the output of trace-report -o ndjson

Prints the number of marks of each picture and each difference. The timeline: the marks of each stream are the shares of
computing, communication and copies in each slice; steps and annotations begin in the window. The flame graph: a frame
is as wide as its stacks, its callees are in it from the left, the heaviest first, and frames of less than 0.08 % are
left out and counted.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict

TYPES = {"computing": "compute_time", "communication": "comm_time", "copies": "memory_time"}


def output(command):
    return subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def timeline(section, marks, window):
    boxes = [m for m in marks if "share" not in m]
    for m in boxes:
        if m["at"] < 0 or m["at"] >= window:
            yield f"{m['lane']}: {m['name']} begins at {m['at']} of {window}"
    got = {(m["lane"].partition(":")[0], m["at"], m["color"]): m for m in marks if "share" in m}
    busy, lanes = defaultdict(int), {m["lane"].partition(":")[0]: m["lane"] for m in marks if "share" in m}
    count = 0
    for line in output(section["commands"][1]).splitlines():
        r = json.loads(line)
        lane = f"stream {r.get('stream')}"
        if lane not in lanes or not 0 <= r["ts"] < window:
            continue
        busy[lane] += r["busy"]
        for color, member in TYPES.items():
            m = got.get((lane, r["ts"], color))
            count += m is not None
            if (m["share"] if m else 0) != r[member] / r["dur"] or m and m["dur"] != r["dur"]:
                yield f"{lane} at {r['ts']}: {color}: {m}, the command prints {r[member]} of {r['dur']}"
    if count != len([m for m in got.values() if m["color"] in TYPES]):
        yield f"{len(got)} marks of streams, {count} of them in the output of the command"
    for lane, name in lanes.items():
        if abs(float(re.search(r"busy ([0-9.]+) %", name)[1]) - 100 * busy[lane] / window) > 0.0501:
            yield f"{name}: {busy[lane]} of {window}"


def frames_of(folded):
    """Returns the weight of each stack and its callers."""
    weights = defaultdict(int)
    for line in folded.decode().splitlines():
        stack, weight = line.rsplit(" ", 1)
        names = ["all"] + [re.sub("#[0-9]+$", "", name) for name in stack.split(";")]
        for n in range(len(names)):
            weights[tuple(names[: n + 1])] += int(weight)
    return weights


def stacks(section, marks, note):
    weights = frames_of(output(section["commands"][1].removesuffix("| flame")))
    whole, path, ends, last, seen = weights[("all",)], [], {}, {}, set()
    for m in marks:
        del path[m["depth"]:]
        path.append(m["name"])
        stack = tuple(path)
        seen.add(stack)
        if m["dur"] != weights.get(stack):
            yield f"{stack}: {m['dur']}, expected {weights.get(stack)}"
        if len(stack) > 1:
            start = ends.get(stack[:-1], last[stack[:-1]]["at"])
            if m["at"] != start or m["dur"] > last.get(("callee", stack[:-1]), m)["dur"]:
                yield f"{stack}: at {m['at']}, expected {start}"
            ends[stack[:-1]] = m["at"] + m["dur"]
            last["callee", stack[:-1]] = m
        last[stack] = m
    for stack, weight in weights.items():
        if (stack in seen) != (weight * 1250 >= whole):
            yield f"{stack}: {weight} of {whole}"
    if note != len(weights) - len(seen):
        yield f"{note} frames are not drawn, expected {len(weights) - len(seen)}"


def main():
    records = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    sections = {r["id"]: r for r in records if r["kind"] == "report/section"}
    parts = [r["value"] for r in records if r["kind"] == "report/figure" and r.get("group") == "parts"]
    for name in ("timeline", "stacks"):
        marks = [r for r in records if r["kind"] == "report/mark" and r["section"] == name]
        print(name, len(marks))
        if name == "timeline":
            faults = timeline(sections[name], marks, sum(parts))
        else:
            faults = stacks(sections[name], marks, sections[name].get("stacks_hidden", 0))
        for fault in faults:
            print(f"{name}: {fault}")


main()
