#!/usr/bin/env python3
"""Checks that no filter uses text that is not JSON: places the texts of json_texts.py in records.

usage: json_records.py [PLACE...]    with the programs in PATH

Each text is a member of args, a member of the record, and the value of a standard member, in lines that begin in
canonical form and in other lines. A filter reads all lines of one place at once:

    with --check, or in lines that do not begin in canonical form: the output is JSON; records that Python's parser
    accepts are in the output; each other record is repaired or lost, and the message counts the lost records
    otherwise: values that a filter does not read may stay unchanged; text that it writes itself is JSON

Prints the differences and the number of texts.
"""
import json
import os
import re
import subprocess
import sys

import json_texts

TEXTS = [(name, text) for name, text in json_texts.texts() if b"\n" not in text and b"\r" not in text]
MEMBERS = ("ts", "dur", "kind", "name", "cat", "rank", "pid", "tid", "dev", "stream", "corr", "id", "parent", "clock",
           "bytes", "args", "src")
PLACES = ["args.v", "v", "ts", "dur", "kind", "name", "tid", "corr", "args", "src"]

# PASS: commands that write the records that they read. READ: commands that write other records or rows; they read the
# member PLACE.
PASS = ["filter-calls", "ts-sort", "corr-join", "corr-join --sorted", "nvtx-attach -r kernel,api", "call-tree",
    "arg-attach", "gpu-busy --types"]
ANY_ORDER = ["filter-calls", "ts-sort", "corr-join", "arg-attach"]
IN_ORDER = ["range-project", "op-overheads", "gpu-busy", "gpu-gaps", "gpu-counters"]
READ = ["groupby -g PLACE -o ndjson", "groupby -g kind -f PLACE -a count,sum,first,distinct -o ndjson",
    "groupby -g PLACE/10 -o ndjson", "stats -f PLACE -o ndjson", "stats --fields -o ndjson", "ndjson2table -o ndjson",
    "ndjson2table -o ndjson -f PLACE,name", "ndjson2table -o ndjson -s PLACE -t 5", "range-project -r kernel,range",
    "op-overheads --by-shape -o ndjson", "gpu-busy", "gpu-gaps", "gpu-counters bandwidth",
    "ndjson2folded --root PLACE", "ndjson2trace"]


def line(place, text, number, kind, canonical):
    """Returns a record with the text in that place, and its number in args.n."""
    members = {"ts": b"%d" % (number * 10), "dur": b"5", "kind": b'"%s"' % kind, "name": b'"k"', "pid": b"1",
               "tid": b"2", "corr": b"%d" % number}
    args = b'"n":%d' % number
    if place == "args.v":
        args += b',"v":' + text
    elif place == "args":
        members["args"] = text
    else:
        members[place] = text
    order = [m for m in MEMBERS if m in members] + (["v"] if place == "v" else [])
    pairs = [b'"%s":%s' % (m.encode(), members[m]) for m in order]
    if place != "args":
        pairs.append(b'"args":{%s}' % args)
    return b"{" + b",".join(pairs) + b"}" if canonical else b"{ " + b" , ".join(reversed(pairs)) + b" }"


def is_valid(text):
    return (json_texts.is_valid(text) and depth(json.loads(text)) <= 1024
            and not re.search(rb'"(ts|dur)" ?: ?-?[0-9]{19}', text))


def depth(value):
    n, level = 0, [value]
    while level:
        inner = [v for v in level if isinstance(v, (dict, list))]
        n += bool(inner)
        level = [w for v in inner for w in (v.values() if isinstance(v, dict) else v)]
    return n


def run(command, data):
    r = subprocess.run(command.split(), input=data, capture_output=True, check=False)
    if r.returncode not in (0, 1):
        yield_fault(command, f"status {r.returncode}: {r.stderr[-300:]}")
    return r.returncode, r.stdout, r.stderr.decode(errors="replace")


FAULTS = []


def yield_fault(where, what):
    FAULTS.append(f"{where}: {what}")


def lost(messages):
    n = 0
    for message in messages.splitlines():
        if "skipped" in message:
            more = re.search(r"\(and (\d+) more\)", message)
            n += 1 + (int(more[1]) if more else 0)
    return n


def check_pass(command, place, canonical, lines):
    """Checks a filter that writes the records that it reads."""
    data = b"".join(text + b"\n" for _, text, _ in lines)
    where = f"{command} {place} {'canonical' if canonical else 'foreign'}"
    strict = "--check" in command or not canonical
    status, out, messages = run(command, data)
    given = {text for _, text, _ in lines}
    n = 0
    for written in out.splitlines():
        n += 1
        if written in given and not strict:
            continue
        if json_texts.is_valid(written):
            continue
        spelt = b'"%s":' % place.split(".")[-1].encode()
        if strict or not any(json_texts.is_valid(written.replace(spelt + t, spelt + b"0", 1)) for _, _, t in lines
                             if spelt + t in written):
            yield_fault(where, f"writes {written[:200]}")
    if command.startswith("gpu-"): # writes only some kinds
        return
    valid = sum(is_valid(text) for _, text, _ in lines)
    if n < valid:
        yield_fault(where, f"{n} of {valid} valid records are in the output")
    if strict and n + lost(messages) != len(lines):
        yield_fault(where, f"{len(lines)} records, {n} in the output, {lost(messages)} reported as lost")
    if status != bool(lost(messages)):
        yield_fault(where, f"status {status} with {lost(messages)} lost")


def check_read(command, place, canonical, lines):
    data = b"".join(text + b"\n" for _, text, _ in lines)
    where = f"{command} {place} {'canonical' if canonical else 'foreign'}"
    status, out, messages = run(command.replace("PLACE", place), data)
    if command.startswith("ndjson2folded"):
        return
    for written in [out] if command == "ndjson2trace" else out.splitlines():
        if written and not json_texts.is_valid(written):
            yield_fault(where, f"writes {written[:300]}")


def main():
    places = [p for p in PLACES if len(sys.argv) < 2 or p in sys.argv[1:]]
    for place in places:
        for canonical in (True, False):
            lines = [("call", line("v", b"0", i, b"api", canonical).replace(b":%d0" % i, b":1"), b"")
                     for i in range(1, 20)]
            lines += [(name, line(place, text, i, (b"kernel", b"api", b"op")[i % 3], canonical), text)
                      for i, (name, text) in enumerate(TEXTS, 1)]
            for command in PASS:
                if place == "ts" and command not in ANY_ORDER:
                    continue
                check_pass(command, place, canonical, lines)
                if canonical:
                    check_pass(command + " --check", place, canonical, lines)
            for command in READ:
                if place != "ts" or command.split()[0] not in IN_ORDER:
                    check_read(command, place, canonical, lines)
    for fault in FAULTS[:40]:
        print(fault)
    print("more than 300 texts, all correct" if len(TEXTS) > 300 and not FAULTS
          else f"{len(TEXTS)} texts, {len(FAULTS)} differences")


if __name__ == "__main__":
    main()
