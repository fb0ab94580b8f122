#!/usr/bin/env python3
"""Figures about memory from records of trace2ndjson, each computed from the whole list of events of a device.

What is live at the peak is counted from the start to the peak.

usage: memory_timeline.py make SEED COUNT >EVENTS
       memory_timeline.py check EVENTS OURS [GOLDEN]
       memory_timeline.py snapshot OURS TRUTH   compares with the truth of a generated snapshot
       memory_timeline.py categories OURS SUMMARY   compares with the summary of a raw timeline
check prints for each table how many rows of OURS differ. OURS was made with --blocks -g op,outermost,module. With the
folder GOLDEN, the answers are its files, and EVENTS is not read."""
import collections
import csv
import json
import os
import random
import sys

TYPES = {0: "cpu", 1: "cuda", 6: "hip", 12: "xpu"}


def read(lines):
    """The events of memory and the ends of steps by time and place in the input, and the operators of each thread."""
    events, ops, steps = [], {}, []
    for line in lines:
        e = json.loads(line)
        args = e.get("args", {})
        if e.get("kind") == "mark" and e["name"] == "[memory]":
            events.append((e["ts"], len(events), e, args, (TYPES[args["Device Type"]], args["Device Id"])))
        if e.get("kind") == "op":
            ops.setdefault((e.get("pid"), e.get("tid")), []).append((e["ts"], e["ts"] + e.get("dur", 0), e["name"]))
        if e.get("name", "").startswith("ProfilerStep#") and e.get("kind") in ("op", "range"):
            steps.append((e["ts"] + e.get("dur", 0), e["name"]))
    return sorted(events, key=lambda e: e[:2]), ops, sorted(steps)


def add_owners(events, ops):
    """Yields the events with the operators that contain their times, from the outermost to the innermost."""
    order = {}
    for thread, calls in ops.items():
        # The innermost has the latest start, then is the shortest, then later in the file: the sort keeps this order.
        order[thread] = (sorted(calls, key=lambda c: (c[0], -c[1])), [0], [])
    for ts, _, e, args, dev in events:
        calls, at, stack = order.get((e["pid"], e["tid"]), ([], [0], []))
        while at[0] < len(calls) and calls[at[0]][0] <= ts:
            stack.append(calls[at[0]])
            at[0] += 1
        stack[:] = [c for c in stack if c[1] >= ts]
        yield ts, dev, args, [c[2] for c in stack]


def first_greatest(values):
    """The place of the first of the greatest values."""
    return max(range(len(values)), key=lambda i: (values[i], -i))


def devices_row(dev, list_):
    """The row of devices.csv for a device."""
    sizes = [args["Bytes"] for _, _, args, _ in list_]
    net, sums = 0, []
    for size in sizes:
        net += size
        sums.append(net)
    at = first_greatest(sums)
    row = [*dev, len(sizes), sum(s > 0 for s in sizes), sum(s < 0 for s in sizes), sum(s for s in sizes if s > 0),
           -sum(s for s in sizes if s < 0), net, sums[at], list_[at][0], (list_[at][3] or [""])[-1]]
    if "Total Allocated" not in list_[0][2]:
        return row + [""] * 8
    totals = [args["Total Allocated"] for _, _, args, _ in list_]
    unused = [args["Total Reserved"] - args["Total Allocated"] for _, _, args, _ in list_]
    at, most = first_greatest(totals), first_greatest(unused)
    return row + [totals[0] - sizes[0], totals[at], list_[at][0], (list_[at][3] or [""])[-1], totals[-1],
                  max(args["Total Reserved"] for _, _, args, _ in list_), unused[most], list_[most][0]]


def owners_rows(dev, list_):
    """The rows of owners.csv for a device."""
    sums = {}
    for _, _, args, ops in list_:
        row = sums.setdefault((ops or [""])[-1], [0, 0, 0, 0])
        size = args["Bytes"]
        row[0 if size > 0 else 2] += 1
        row[1 if size > 0 else 3] += abs(size)
    return [[*dev, op, *row, row[1] - row[3]] for op, row in sums.items()]


def lifetimes_rows(dev, list_):
    """The rows of lifetimes.csv for a device."""
    live, rows = {}, []
    for ts, _, args, ops in list_:
        op = (ops or [""])[-1]
        if args["Bytes"] > 0:
            live[args["Addr"]] = (args["Bytes"], ts, op)
        elif args["Addr"] in live:
            size, start, owner = live.pop(args["Addr"])
            rows.append([*dev, args["Addr"], size, start, ts, ts - start, owner, op, ""])
        else:
            rows.append([*dev, args["Addr"], -args["Bytes"], "", ts, "", "", op, "before"])
    return rows + [[*dev, addr, size, start, "", "", owner, "", "after"] for addr, (size, start, owner) in live.items()]


def peak_rows(dev, list_):
    """What is live at the peak, by innermost and outermost operator; the first row is what was live before."""
    at = first_greatest([args["Total Allocated"] for _, _, args, _ in list_])
    before, live = list_[0][2]["Total Allocated"] - list_[0][2]["Bytes"], {}
    for _, _, args, ops in list_[:at + 1]:
        if args["Bytes"] > 0:
            live[args["Addr"]] = (args["Bytes"], (ops or [""])[-1], (ops or [""])[0])
        elif not live.pop(args["Addr"], None):
            before += args["Bytes"]
    sums = {}
    for size, inner, outer in live.values():
        row = sums.setdefault((inner, outer), [0, 0])
        row[0] += size
        row[1] += 1
    sums[("(before the trace)", "")] = [before, ""]
    return [[*dev, *row, *key, ""] for key, row in sums.items() if row[0]]


def steps_rows(dev, list_, steps):
    """The totals at the end of each step."""
    rows = []
    for end, name in steps:
        until = [args for ts, _, args, _ in list_ if ts <= end]
        first = list_[0][2]
        total = until[-1].get("Total Allocated", "") if until else first.get("Total Allocated", 0) - first["Bytes"]
        rows.append([*dev, name, end, total, sum(args["Bytes"] for args in until)])
    return rows


def computed(lines):
    """The rows of all tables."""
    events, ops, steps = read(lines)
    by_device, tables = {}, collections.defaultdict(list)
    for event in add_owners(events, ops):
        by_device.setdefault(event[1], []).append(event)
    for dev, list_ in by_device.items():
        tables["devices"].append(devices_row(dev, list_))
        tables["steps"] += steps_rows(dev, list_, steps)
        for name, rows in {"owners": owners_rows, "lifetimes": lifetimes_rows, "peak": peak_rows}.items():
            tables[name] += rows(dev, list_)
    return tables


def golden(folder):
    """The rows of the files of a folder."""
    tables = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            tables[name.removesuffix(".csv")] = list(csv.reader(file))[1:]
    return tables


def ours(lines):
    """The rows of the tables that the records of memory-timeline contain."""
    tables, owners, first = collections.defaultdict(list), {}, {}
    for line in lines:
        e = json.loads(line)
        dev, get = (e["device"], e["dev"]), lambda name, e=e: e.get(name, "")
        if e["kind"] == "memory-timeline":
            first[dev] = "first" in e
            totals = [e["first"], e["peak"], e["peak_ts"], get("peak_op"), e["last"], e["reserved"], e["unused"],
                      e["unused_ts"]] if first[dev] else [""] * 8
            sums = [e[name] for name in ["events", "allocations", "frees", "alloc_bytes", "free_bytes", "net"]]
            net_peak = [e["peak"] - e.get("first", 0), e["peak_ts"], get("peak_op")]
            tables["devices"].append([*dev, *sums, *net_peak, *totals])
        elif e["kind"] == "memory-step":
            tables["steps"].append([*dev, e["name"], e["ts"], e["total"] if first[dev] else "", e["net"]])
        elif e["kind"] == "memory-block" and e.get("outside") == "both":
            continue  # the rest from before, without an address
        elif e["kind"] == "memory-block":
            if e.get("outside") == "before":
                assert e.pop("op") == "(before the trace)"
            end = e["ts"] + e["dur"] if "dur" in e else get("end")
            tables["lifetimes"].append([*dev, e["addr"], e["bytes"], get("ts"), end, get("dur"), get("op"),
                                        get("free_op"), get("outside")])
        else:
            if e.get("peak_bytes") or get("op") == "(before the trace)":
                tables["peak"].append([*dev, e["peak_bytes"], get("peak_blocks"), get("op"), get("outermost"),
                                       get("module").replace("nn.Module: ", "")])
            if get("op") != "(before the trace)":
                row = owners.setdefault((*dev, get("op")), [0] * 5)
                for i, name in enumerate(["allocations", "alloc_bytes", "frees", "free_bytes", "net"]):
                    row[i] += e[name]
    tables["owners"] = [[*key, *row] for key, row in owners.items()]
    return tables


def make(seed, count):
    """Prints random events of three devices and two threads, in operators and steps; some blocks are from before."""
    r = random.Random(seed)
    out, live = [], {dev: {} for dev in [(0, -1), (1, 0), (1, 1)]}
    totals = {dev: r.randrange(5000) for dev in live}
    for tid in (1, 2):
        for i in range(0, 1000, r.randrange(5, 60)):
            out.append({"ts": i, "dur": r.randrange(60), "kind": "op", "name": r.choice("abcd"), "pid": 1, "tid": tid})
    for i in range(0, 1000, 250):
        out.append({"ts": i, "dur": 249, "kind": "range", "name": f"ProfilerStep#{i}", "pid": 1, "tid": 1})
    for ts in sorted(r.choices(range(1000), k=count)):
        dev = r.choice(list(live))
        if live[dev] and r.random() < .4:
            addr = r.choice(list(live[dev]))
            size = -live[dev].pop(addr)
        else:
            addr, size = r.randrange(1 << 40), r.choice([512, 1024, 4096, -256])
            if size > 0:
                live[dev][addr] = size
        totals[dev] += size
        out.append({"ts": ts, "kind": "mark", "name": "[memory]", "pid": 1, "tid": r.choice((1, 2)), "args": {
            "Bytes": size, "Addr": addr, "Device Type": dev[0], "Device Id": dev[1], "Total Allocated": totals[dev],
            "Total Reserved": totals[dev] + r.randrange(-50, 3000)}})
    for e in out:
        print(json.dumps(e))


def compare_figures(found, want, what):
    """Prints the figures that differ."""
    for name in want:
        if found.get(name) != want[name]:
            print(f"{what}: {name}: {found.get(name)}, expected {want[name]}")


def check_snapshot(lines, truth):
    """Compares the figures of each device of a snapshot."""
    rows = [json.loads(line) for line in lines]
    names = {"first": "before_active", "peak": "peak_active", "allocated": "peak_allocated", "events": "events",
             "reserved": "peak_reserved", "unused": "most_unused", "last": "end_active",
             "last_allocated": "end_allocated", "last_reserved": "end_reserved", "rounding": "end_rounding",
             "free": "end_free", "segments": "end_segments", "largest_free": "end_largest_free",
             "free_blocks": "end_free_blocks", "free_segments": "end_free_whole_segments"}
    for device, want in truth.items():
        mine = [e for e in rows if device == f"device {e['dev']}"] if device.startswith("device ") else []
        for e in mine[:1]:
            have = {**{b: e[a] for a, b in names.items()}, "fragmentation": round(e["fragmentation"], 6)}
            if "peak_ts" in e:
                have["peak_time_us"] = e["peak_ts"] // 1000
            have["peak_owners"] = {o["site"]: o["peak_bytes"] for o in mine if o.get("peak_bytes")}
            steps = [o["total"] for o in mine if o["kind"] == "memory-step"]
            if steps and "active_at_step_end" in want:
                have["active_at_step_end"] = steps
            compare_figures(have, {name: want[name] for name in have}, device)
            print(device, len(have), "figures")


def check_categories(lines, summary):
    rows = [json.loads(line) for line in lines]
    total = next(e for e in rows if e["kind"] == "memory-timeline")
    have = {"first": str(total["first"]), "peak": str(total["peak"]), "peak_ts": str(total["peak_ts"]),
            "last": str(total["last"])}
    owners = {e["args.category"]: e for e in rows if e["kind"] == "memory-owner"}
    words = {"Autograd": "autograd_detail"}
    for row in csv.DictReader(summary):
        if row["category"] == "total":
            compare_figures(have, {name: row[name] for name in have}, "total")
        else:
            name = words.get(row["category"], row["category"].lower().replace(" ", "_"))
            e = owners[name]
            own = {"peak": e["own_peak"], "peak_ts": e.get("own_peak_ts", int(row["peak_ts"])),
                   "at_total_peak": e["peak_bytes"]}
            compare_figures(own, {key: int(row[key]) for key in own}, name)
    print(len(owners), "categories")


def main():
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]))
        return
    if sys.argv[1] in ("snapshot", "categories"):
        with open(sys.argv[2], encoding="utf-8") as file, open(sys.argv[3], encoding="utf-8") as answers:
            if sys.argv[1] == "categories":
                check_categories(file, answers)
            else:
                check_snapshot(file, json.load(answers))
        return
    with open(sys.argv[2], encoding="utf-8") as events, open(sys.argv[3], encoding="utf-8") as file:
        wanted, found = golden(sys.argv[4]) if len(sys.argv) > 4 else computed(events), ours(file)
    for name, rows in sorted(wanted.items()):
        want, have = (collections.Counter(tuple(map(str, row)) for row in list_) for list_ in (rows, found[name]))
        differ = (want - have) + (have - want)
        print(f"{name}: {len(rows)} rows, {differ.total()} differ", *list(differ)[:2])


main()
