#!/usr/bin/env python3
"""Figures of a memory snapshot of PyTorch, computed from the whole pickle, as JSON.

usage: memory_snapshot.py SNAPSHOT.pickle | RECORDS.ndjson
       memory_snapshot.py SNAPSHOT.pickle RECORDS.ndjson
       memory_snapshot.py RECORDS.ndjson FIGURES.json
The second form compares all that the records of trace2ndjson and the pickle say, and prints how much that is. The third
form compares the figures with others, and prints the number of equal ones.
Only for snapshots that the tests made: Python's pickle executes what a file says."""
import json
import pickle
import sys

NET = {"active": {"alloc": 1, "free_completed": -1}, "allocated": {"alloc": 1, "free_requested": -1},
       "reserved": {"segment_alloc": 1, "segment_map": 1, "segment_free": -1, "segment_unmap": -1}}


def running(events, steps, end):
    """The value before the first event, and the value after each event; the value after the last one is the end."""
    changes = [steps.get(e["action"], 0) * e.get("size", 0) for e in events]
    values = [end - sum(changes)]
    for change in changes:
        values.append(values[-1] + change)
    return values


def owner(event):
    """The innermost Python frame of an allocation, or else its innermost operator, or else its innermost frame."""
    frames = event.get("frames") or []
    python = [f for f in frames if f["filename"].endswith(".py")]
    ops = [f["name"].split("::")[2] for f in frames if f["name"].startswith("at::_ops::")]
    if ops and not python:
        return "aten::" + ops[0]
    return "{filename}:{line}:{name}".format(**(python or frames)[0]) if frames else ""


def owners_at(events, peak, before):
    """What is live after event `peak`, by owner; frees of what the list did not allocate are taken from before."""
    live, sums = {}, {"(before the trace)": before}
    for e in events[:peak + 1]:
        if e["action"] == "alloc":
            live[e["addr"]] = (e["size"], owner(e))
        elif e["action"] == "free_completed" and not live.pop(e["addr"], None):
            sums["(before the trace)"] -= e["size"]
    for size, name in live.values():
        sums[name] = sums.get(name, 0) + size
    return {name: size for name, size in sums.items() if size}


def figures(segments, events):
    """The figures of one device."""
    blocks = [b for s in segments for b in s["blocks"]]
    size = lambda b: b.get("requested_size", b["size"])
    used = [b for b in blocks if b["state"] != "inactive"]
    free = [b["size"] for b in blocks if b["state"] == "inactive"]
    ends = {"active": sum(map(size, used)), "allocated": sum(size(b) for b in used if b["state"] == "active_allocated"),
            "reserved": sum(s["total_size"] for s in segments)}
    values = {name: running(events, NET[name], end) for name, end in ends.items()}
    unused = [r - a for r, a in zip(values["reserved"], values["allocated"])]
    first = lambda list_: list_.index(max(list_)) - 1
    out = {"events": len(events), "most_unused": max(unused), "most_unused_event": first(unused)}
    for name, list_ in values.items():
        out.update({"before_" + name: list_[0], "end_" + name: list_[-1], "peak_" + name: max(list_)})
    peak = first(values["active"])
    out.update({"peak_event": peak, "peak_allocated_event": first(values["allocated"]),
                "peak_reserved_event": first(values["reserved"]),
                "peak_time_us": events[peak].get("time_us") if peak >= 0 else None,
                "peak_owners": owners_at(events, peak, values["active"][0]),
                "end_rounding": sum(b["size"] - size(b) for b in used), "end_free": sum(free),
                "end_largest_free": max(free, default=0), "end_free_blocks": len(free), "end_segments": len(segments),
                "end_free_whole_segments": sum(s["total_size"] for s in segments
                                               if all(b["state"] == "inactive" for b in s["blocks"])),
                "fragmentation": round(1 - max(free) / sum(free), 6) if free else 0})
    return out


def annotations(snapshot):
    """Pairs the annotations: (name, device, start, end) of each, in the order of their ends."""
    opened, out = {}, []
    for a in snapshot.get("external_annotations", []):
        key = a["name"], a["device"]
        if a["stage"] == "START":
            opened.setdefault(key, []).append(a["time_us"])
        elif opened.get(key):
            out.append((*key, opened[key].pop(), a["time_us"]))
    return out


def from_pickle(path):
    with open(path, "rb") as file:
        snapshot = pickle.load(file)
    snapshot["external_annotations"] = annotations(snapshot)
    return json.loads(json.dumps(snapshot))


def from_records(path):
    """Puts the snapshot together again from the records of trace2ndjson."""
    out = {"segments": [], "device_traces": [], "external_annotations": []}
    blocks = []
    with open(path, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    for r in records[1:]:
        item = dict(r.get("args", {}))
        names = {"dev": "device", "stream": "stream"}
        if "stage" in item:
            continue  # an annotation without its other end
        if r["kind"] == "mark":
            names = {"name": "action", "bytes": "size", "stream": "stream"}
            if "ts" in r:
                item["time_us"] = r["ts"] // 1000
        item.update({new: r[old] for old, new in names.items() if old in r and (old, new) not in item})
        assert r.get("site", "") == (owner(item) if "frames" in item else ""), r
        if r["kind"] == "range":
            end = (r["ts"] + r["dur"]) // 1000
            out["external_annotations"].append([r["name"], r["dev"], r["ts"] // 1000, end])
        elif r["kind"] == "mark":
            while len(out["device_traces"]) <= r["dev"]:
                out["device_traces"].append([])
            out["device_traces"][r["dev"]].append(item)
        elif r["name"] == "block":
            blocks.append({k: v for k, v in item.items() if k not in names.values()})
        elif r["name"] == "segment":
            out["segments"].append({**item, "blocks": blocks})
            blocks = []
        else:
            out[r["name"]] = r["args"].get(r["name"], r["args"])
    return out


def compare(snapshot, records):
    while len(records["device_traces"]) < len(snapshot["device_traces"]):
        records["device_traces"].append([])
    for key, value in snapshot.items():
        assert records.get(key) == value, (key, records.get(key), value)
    events = sum(map(len, snapshot["device_traces"]))
    print(len(snapshot["segments"]), "segments,", events, "events")


def all_figures(snapshot):
    return {f"device {device}": figures([s for s in snapshot["segments"] if s["device"] == device], events)
            for device, events in enumerate(snapshot["device_traces"])}


def count_equal(got, path):
    with open(path, encoding="utf-8") as file:
        want = json.load(file)
    equal = 0
    for device, rows in got.items():
        for name, value in rows.items():
            if name == "peak_time_us" and value is None:
                continue  # snapshots of 2023 have no times
            assert want[device][name] == value, (device, name, want[device][name], value)
            equal += 1
    print(equal, "figures")


def main():
    first, *second = sys.argv[1:]
    snapshot = (from_pickle if first.endswith(".pickle") else from_records)(first)
    if not second:
        json.dump(all_figures(snapshot), sys.stdout, indent=1)
    elif second[0].endswith(".json"):
        count_equal(all_figures(snapshot), second[0])
    else:
        compare(snapshot, from_records(second[0]))


main()
