#!/usr/bin/env python3
"""Rows of the golden tables of a PlaidML log, compared with the records on standard input.

usage: trace2ndjson LOG | plaidml_check.py GOLDEN_DIR [raw.ndjson]
Prints the first 20 differences, and at the end their number or "same". Needs only the standard library of Python.
"""
import base64
import csv
import gzip
import json
import os
import sys

folder = sys.argv[1]
records = [json.loads(line) for line in sys.stdin]
acts = [r for r in records if r["kind"] in ("activity", "kernel")]
differ = 0
compared = 0


def same(what, ours, theirs):
    global differ, compared
    compared += 1
    if ours != theirs:
        differ += 1
        if differ <= 20:
            print("%s: %r, golden %r" % (what, ours, theirs))


def opened(name):
    path = os.path.join(folder, name)
    if os.path.exists(path + ".gz"):
        return gzip.open(path + ".gz", "rt", encoding="utf-8", newline="")
    return open(path, encoding="utf-8", newline="") if os.path.exists(path) else None


def nil(text):
    return text.strip("0") == ""


def activities(f):
    """Compares each row of activities.csv with our record of the same seq."""
    by_seq = {r["args"]["seq"]: r for r in acts}
    knames = {r["id"]: r["name"] for r in records if r["kind"] == "kernelinfo"}
    same("activities", len(by_seq), len(acts))
    rows = list(csv.DictReader(f))
    same("activities: rows", len(acts), len(rows))
    for row in rows:
        r = by_seq.get(int(row["seq"]), {})
        kname = knames.get(r.get("args", {}).get("kernel"), "")
        if r.get("kind") == "kernel":
            same("seq " + row["seq"] + " name", r["name"], kname or row["verb"])
        same("seq " + row["seq"], [
            str(r.get("id")), str(r.get("parent", "")), r.get("cat"), r.get("ts"), r.get("dur"),
            kname,
        ], [
            row["id"], "" if nil(row["parent"]) else row["parent"], row["verb"],
            int(row["clock_epoch_ns"]) + int(row["rel_start_ns"]),
            int(row["elapsed_ns"]) if row["elapsed_ns"] else None, row["kname"],
        ])


def verbs(f):
    """Compares the count, the total time and the number of unclosed activities of each verb."""
    ours = {}
    for r in acts:
        v = ours.setdefault(r["cat"], [0, 0, 0])
        v[0] += 1
        v[1] += r.get("dur", 0)
        v[2] += "dur" not in r
    rows = list(csv.DictReader(f))
    same("verbs: rows", len(ours), len(rows))
    for row in rows:
        same("verb " + row["verb"], ours.get(row["verb"]),
             [int(row["count"]), int(row["total_elapsed_ns"]), int(row["unclosed"])])


def identity(value):
    """Converts an id of raw.ndjson to the form of our records; None if it is absent or zero."""
    if isinstance(value, dict):
        return value["index"] or None
    return None if value is None or nil(value) else value


def raw(f, infos):
    """Compares each line of raw.ndjson, which is an event of the log, with our record of its id."""
    by_id = {r["id"]: r for r in acts}
    waiting = list(infos)
    for line in f:
        event = json.loads(line)
        if "magic" in event:
            continue
        where = "rec %d" % event["rec"]
        r = by_id.get(identity(event["id"]), {})
        if "verb" in event:
            same(where, [r.get("cat"), r.get("parent"), r.get("args", {}).get("domain")],
                 [event["verb"], identity(event.get("parent")), identity(event.get("domain"))])
        if "start_ns" in event:
            same(where + " start", r.get("ts"), event["start_ns"])
        if "end_ns" in event:
            same(where + " end", r.get("ts", 0) + r.get("dur", 0), event["end_ns"])
        for any_ in event.get("metadata", []):
            metadata(where, r, any_, waiting)
    same("metadata records left", waiting, [])


def metadata(where, r, any_, waiting):
    tail = any_["type_url"].rsplit(".", 1)[1]
    value = any_["value"]
    if tail == "RunInfo":
        kernel = value.get("kernel_uuid", value.get("kernel_id"))
        same(where + " RunInfo", str(r["args"].get("kernel")), str(unpacked(kernel)))
        return
    info = waiting.pop(0) if waiting else {"args": {}}
    args = info["args"]
    same(where + " id", info.get("id"), r.get("id"))
    if tail == "KernelInfo":
        same(where + " " + tail, [info["name"], args["src"], args.get("flops", 0)],
             [value["kname"], value["src"], int(value.get("kinfo", {}).get("flops", 0))])
    elif tail == "BuildInfo":
        same(where + " " + tail, [args["src"], str(args["device"]), args["status"]],
             [value["src"], str(unpacked(value.get("device_uuid", value.get("device_id")))),
              value.get("cl_build_status", 0)])
    elif tail == "CompilationInfo":
        program = value["program"]
        same(where + " " + tail, [info["name"], args["code"], args["kernels"], sizes(args["alloc_sizes"]),
                                  sizes(args["tmp_sizes"]), [t["name"] for t in args["inputs"]]],
             [program["id"], program["code"], sorted(value["kernels"]), counts(value["alloc_sizes"]),
              counts(value["tmp_sizes"]), sorted(program["inputs"])])
    elif tail in ("DeviceInfo", "PlatformInfo"):
        for key, theirs in value.items():
            ours = args.get("platform" if key.startswith("platform_") and key[9:] in ("uuid", "id") else key)
            if key in ("platform_uuid", "platform_id"):
                same(where + " platform", str(ours), str(unpacked(theirs)))
            elif key in ENUMS:  # raw.ndjson has names, our records have numbers
                same(where + " " + key, isinstance(ours, int), True)
            elif key.endswith("_config"):
                same(where + " " + key, len(ours), len(theirs))
            else:
                same(where + " " + key, plain(ours), plain(theirs))
    elif tail == "Schedule":
        same(where + " " + tail, args["knames"], value["knames"])
    else:
        same(where + " unknown type", tail, None)


ENUMS = ("type", "global_mem_cache_type", "local_mem_type")


def plain(value):
    """Converts numbers to text, as protobuf's JSON does for 64-bit numbers."""
    if isinstance(value, list):
        return [plain(v) for v in value]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def unpacked(value):
    """Converts an id of raw.ndjson, whose bytes are in base64 or hexadecimal, to the form of our records."""
    if isinstance(value, dict):
        return int(value["index"])
    return value if len(value) == 32 else base64.b64decode(value).hex()


def sizes(rows):
    return [[r["size"], r["count"]] for r in rows]


def counts(table):
    return sorted([int(size), int(count)] for size, count in table.items())


tables = [("activities.csv", activities), ("verbs.csv", verbs)]
if len(sys.argv) > 2:
    infos = [r for r in records if r["kind"] not in ("activity", "kernel")]
    tables = [("raw.ndjson", lambda f: raw(f, infos))]
for name, compare in tables:
    table = opened(name)
    if table:
        with table:
            compare(table)
if differ:
    print(differ, "differences")
    sys.exit(1)
print("same" if compared else "nothing compared")
