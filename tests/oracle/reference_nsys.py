"""The answers of the notebook `NSight System trace analysis` (items 003.N), computed from the lines of an nsys export,
and the golden answers of the notebook's own code."""
import collections
import csv
import json
import os
import re

from reference_output import Difference, columns, in_order, members, picture, records, same, shown, table

GOLDEN = "golden/nsys/synth_small/"
CONVOLUTION, BACKWARD, SYNC = "cudnnConvolutionForward", "cudnnConvolutionBackwardData", "cudaStreamSynchronize_v3020"
LOSS = "Prediction and loss"
# Members of the export that are standard members of a record.
STANDARD = {"startNs": "ts", "Timestamp": "ts", "endNs": "dur", "EndTimestamp": "dur", "correlationId": "corr",
            "Text": "name", "deviceId": "dev", "streamId": "stream", "sizebytes": "bytes", "value": "name",
            "type": "cat", "Type": "src.Type", "priority": "args.priority", "globalPid": "pid", "id": "id",
            "filename": "name"}


class Event:
    def __init__(self, kind, body, start, end, name):
        self.kind, self.body, self.name, self.ranges = kind, body, name, []
        self.ts, self.end = int(body[start]), int(body[end]) if end in body else None
        self.dur = None if self.end is None else self.end - self.ts
        self.corr = int(body.get("correlationId", 0)) or None
        self.pid = int(body.get("globalTid") or body.get("GlobalTid") or body["globalPid"]) >> 24


class Export:
    def __init__(self, folder):
        self.strings, self.calls, self.work, self.nvtx = {}, [], [], []
        with open(folder + "/report.json") as f:
            lines = [json.loads(line) for line in f]
        for line in lines:
            if line.get("type") == "String":
                self.strings[int(line["id"])] = line["value"]
        for line in lines:
            if "TraceProcessEvent" in line:
                body = line["TraceProcessEvent"]
                name = self.strings.get(int(body["name"]), "")
                self.calls.append(Event("api", body, "startNs", "endNs", name))
            elif "CudaEvent" in line:
                body = line["CudaEvent"]
                kind = next(k for k in ("kernel", "memcpy", "memset", "sync") if k in body)
                name = self.strings[int(body[kind]["shortName"])] if kind == "kernel" else None
                self.work.append(Event(kind, body, "startNs", "endNs", name))
            elif "NvtxEvent" in line:
                self.nvtx.append(Event("nvtx", line["NvtxEvent"], "Timestamp", "EndTimestamp",
                                       line["NvtxEvent"].get("Text")))
        self.launch = {c.corr: c for c in self.calls if c.corr}
        self.kernels = [e for e in self.work if e.kind == "kernel"]
        self.syncs = [e for e in self.work if e.kind == "sync"]
        for e in self.calls + self.nvtx:
            e.ranges = self.ranges_of(e)
        self.first = min((c for c in self.calls if c.name == CONVOLUTION), key=lambda c: c.ts)

    def ranges_of(self, event):
        """Returns the names of the ranges of this process that enclose an event, the outermost first."""
        end = event.ts if event.end is None else event.end
        found = [r for r in self.nvtx if r is not event and r.end is not None and r.ts <= event.ts and end <= r.end
                 and r.pid == event.pid]
        return [r.name for r in sorted(found, key=lambda r: (r.ts, -r.end))]

    def in_window(self, window):
        """Returns the calls that began and ended in the time of an event, and their kernels."""
        calls = [c for c in self.calls if window.ts <= c.ts and c.end <= window.end]
        corrs = {c.corr for c in calls}
        return calls, [k for k in self.kernels if k.corr in corrs]

    def named(self, *names):
        return [c for c in self.calls if c.name in names]

    def of(self, corr):
        return [e for e in self.calls + self.work if e.corr == corr]


def golden(name):
    with open(f"{os.environ['SHARED']}/{GOLDEN}{name}.csv") as f:
        return list(csv.DictReader(f))


def times(events):
    return [[e.ts, e.dur] for e in events]


def rows_times(out, kind=None):
    """Returns ts and dur of the rows of a table."""
    return [[r["ts"], r.get("dur")] for r in table(out) if kind is None or r["kind"] == kind]


def check_random(x, out):
    rows, known = table(out), {e.ts: e.dur for e in x.calls + x.work + x.nvtx}
    same(len(rows), 5)
    for row in rows:
        if row.get("kind") in ("api", "kernel", "memcpy", "sync", "range") and row["ts"] not in known:
            raise Difference(f"{row} is not in the trace")


def check_columns(out):
    with open(f"{os.environ['SHARED']}/{GOLDEN}00_columns.txt") as f:
        leaves = {line.split(".")[-1].strip() for line in f}
    fields = {r["field"] for r in records(out)}
    # --strings writes the ids of strings, and the result of a call is a member only if it is not 0.
    leaves -= {"id", "returnValue"}
    missing = sorted(name for name in leaves if STANDARD.get(name) not in fields
                     and not any(re.fullmatch(rf"args\.(.*\.)?{name}", field) for field in fields))
    if not leaves or missing:
        raise Difference(f"no fields for {missing}")


def check_strings(x, out):
    same(members(out, "id", "name"), [[i, x.strings[i]] for i in sorted(x.strings)[:5]])


def check_slow(x, out):
    want = [c for c in sorted(x.calls, key=lambda c: c.ts) if c.dur > 20000 and api(c)][:5]
    got = table(out)
    shown([[r["name"], r["dur"]] for r in got], [[c.name, c.dur] for c in want])
    same([r["ts"] for r in got], [c.ts for c in want], 1e-12)


def check_names(x, out, pattern):
    want = collections.Counter(c.name for c in x.calls if re.search(pattern, c.name, re.I) and api(c))
    same(in_order(members(out, "name", "count")), in_order([[n, k] for n, k in want.items()]))


def api(call):
    """True if a record of this call has the kind api: the classes of CUDA, cuDNN and cuBLAS."""
    return call.body["eventClass"] in (0, 1, 28, 29)


def loss(x):
    return [r for r in x.nvtx if r.name == LOSS]


def check_enclosing(x, out):
    want = [[r["name"], int(r["startNs"]), r["NVTX"].split(",")] for r in golden("02_api_nvtx")
            if r["name"] in (BACKWARD, SYNC)]
    got = [[r["name"], r["ts"], json.loads(r["ranges"])] for r in table(out)]
    same(in_order(got), in_order(want))


def check_sides(out):
    want = [[r["how"], int(r["duration_ns"]), float(r["n"]) if r["n"] else None, r["NVTX"].split(",")]
            for r in golden("04_gpu_side_api") if r["name"] == SYNC]
    got = [[r["how"], r["dur"], r["count"], json.loads(r["ranges"])] for r in table(out)]
    shown(*([sorted(rows, key=lambda r: (r[0], r[1])) for rows in (got, want)]))


def check_lookup(out):
    want = [[int(r["startNs"]), int(r["endNs"]) - int(r["startNs"])] for r in golden("07_corr_lookup")
            if r["correlationId"] == "232"]
    same(members(out, "ts", "dur"), want)


def check_kernels_of(x, out, window, calls=False):
    found, kernels = x.in_window(window)
    rows = table(out)
    if calls:
        same(in_order([[r["name"], r["ts"]] for r in rows if r["kind"] == "api"]),
             in_order([[c.name, c.ts] for c in found]))
        shown(sorted(r["dur"] for r in rows if r["kind"] == "api"), sorted(c.dur for c in found))
    rows = [r for r in rows if r["kind"] == "kernel"]
    same([[r["corr"], r["ts"]] for r in rows], [[k.corr, k.ts] for k in kernels])
    shown([r["dur"] for r in rows], [k.dur for k in kernels])


def check_range_time(out):
    want = [[int(r["startNs"]), int(r["first_startNs"]), int(r["kernels"]), json.loads(f'["{r["NVTX"]}"]'),
             int(r["gpu_ns"]), int(r["kernel_sum_ns"]), int(r["endNs"]) - int(r["startNs"])]
            for r in golden("05_gpu_side_nvtx") if r["name"] == LOSS]
    got = [[r["orig_ts"], r["ts"], r["records"], json.loads(r["ranges"]), r["dur"], r["dur_sum"], r["orig_dur"]]
           for r in table(out)]
    same([r[:4] for r in got], [r[:4] for r in want])
    shown([r[4:] for r in got], [r[4:] for r in want])


def check_later(x, out):
    want = sorted((k for k in x.kernels if k.ts > 4357600000), key=lambda k: k.ts)[:10]
    got = columns(table(out), "corr", "args.shortName", "ts", "end")
    same(got, [[k.corr, k.name, k.ts, k.end] for k in want])


def check_full(blocks, events):
    """Checks that every member of the events is in a line of the list, at the end of which is its value."""
    same(len(blocks), len(events))
    for block, event in zip(blocks, events):
        found = dict(line.split(None, 1) for line in block.splitlines() if " (" not in line)
        body = {k: v for k, v in event.body.items() if not isinstance(v, dict)}
        for part in event.body.values():
            body.update(part if isinstance(part, dict) else {})
        for name, value in body.items():
            if name in ("startNs", "endNs", "returnValue"):
                continue
            got = found.get(STANDARD.get(name)) or found.get("args." + name)
            if name == "globalPid":
                got = found["args.globalPid"]
            if name == "shortName":
                value = event.name
            if got is None or got.strip() != str(value):
                raise Difference(f"{name} is {got} instead of {value}")


def check_joined(x, out):
    call, kernel = x.of(449)
    rows = {r["kind"]: r for r in records(out)}
    same([rows["kernel"]["api"][n] for n in ("ts", "dur")], [call.ts, call.dur])
    same([rows["kernel"][n] for n in ("ts", "dur")] + [rows["api"]["ts"]], [kernel.ts, kernel.dur, call.ts])


def check_kernel_ranges(x, out):
    want = [[k.corr, x.launch[k.corr].ts, k.ts, k.end, x.launch[k.corr].ranges] for k in x.kernels
            if k.corr in x.launch]
    got = [[r["corr"], r["api.ts"], r["ts"], r["end"], json.loads(r["ranges"])] for r in table(out) if r["api.ts"]]
    same(in_order(got), in_order(want))


def check_ids(x, out):
    want = [e.corr for e in x.calls + x.work if e.corr]
    same(sorted(r["corr"] for r in table(out) if r["corr"] is not None), sorted(want))


def check_iterations(out):
    want = [[int(r["iteration"]), int(r["duration_ns"]), int(r["kernels"])] for r in golden("06_itertimes")]
    shown(columns(table(out), "iteration", "dur_sum", "kernels_sum"), want)


def check_text(x, out):
    want = [[k.ts, k.dur] for k in x.kernels if "winogradtiles" in k.name.lower()]
    same(sorted(members(out, "ts", "dur")), sorted(want))


ITEMS = {
    "1": lambda x, outs: check_random(x, outs[0]),
    "2": lambda x, outs: check_columns(outs[0]),
    "3": lambda x, outs: check_strings(x, outs[0]),
    "4": lambda x, outs: same([[r["ts"], r["name"]] for r in table(outs[0])],
                              [[r.ts, r.name] for r in sorted(x.nvtx, key=lambda r: r.ts)[:5]]),
    "5": lambda x, outs: check_slow(x, outs[0]),
    "6": lambda x, outs: check_names(x, outs[0], ""),
    "7": lambda x, outs: shown(rows_times(outs[0]), times(x.syncs[:5])),
    "8": lambda x, outs: shown(rows_times(outs[0]), times(x.kernels[:5])),
    "9": lambda x, outs: check_names(x, outs[0], "streamsynchronize"),
    "10": lambda x, outs: same(members(outs[0], "ts", "dur", "name"), [[r.ts, r.dur, LOSS] for r in loss(x)]),
    "11": lambda x, outs: same(int(outs[0]), len(x.named(BACKWARD, SYNC))),
    "12": lambda x, outs: check_enclosing(x, outs[0]),
    "13": lambda x, outs: check_sides(outs[0]),
    "14": lambda x, outs: check_lookup(outs[0]),
    "15": lambda x, outs: shown(rows_times(outs[0]), times(loss(x))),
    "16": lambda x, outs: same(members(outs[0], "ts", "ranges"), [[r.ts, r.ranges] for r in loss(x)]),
    "17": lambda x, outs: (check_kernels_of(x, outs[0], loss(x)[0]), check_range_time(outs[1])),
    "18": lambda x, outs: check_range_time(outs[0]),
    "19": lambda x, outs: check_later(x, outs[0]),
    "20": lambda x, outs: same(outs[0].strip(), x.of(449)[1].name),
    "21": lambda x, outs: same(members(outs[0], "ts", "dur"), times(x.of(449))),
    "22": lambda x, outs: same(members(outs[0], "id", "name"), [[37, x.strings[37]]]),
    "23": lambda x, outs: same(outs[0].strip(), x.strings[37]),
    "24": lambda x, outs: check_ids(x, outs[0]),
    "25": lambda x, outs: same([int(out) for out in outs], [sum(c.corr == 449 for c in x.calls),
                                                            sum(e.corr == 449 for e in x.work)]),
    "26": lambda x, outs: check_joined(x, outs[0]),
    "27": lambda x, outs: same(members(outs[0], "ts", "dur"), times(x.named(x.strings[37]))),
    "28": lambda x, outs: check_full([outs[0]], [s for s in x.syncs if s.body["sync"]["eventId"] == 37][:1]),
    "29": lambda x, outs: check_full(outs[0].split("\n\n"), x.of(449)),
    "30": lambda x, outs: same(members(outs[0], "id", "name"), [[82, x.of(449)[1].name]]),
    "31": lambda x, outs: same(outs[0].strip(), x.of(449)[1].name),
    "32": lambda x, outs: same(rows_times(outs[0]), times(x.of(449))),
    "33": lambda x, outs: check_text(x, outs[0]),
    "34": lambda x, outs: same(members(outs[0], "ts", "dur"), times([x.first])),
    "35": lambda x, outs: check_kernels_of(x, outs[0], x.first, True),
    "36": lambda x, outs: check_kernels_of(x, outs[0], x.first),
    "37": lambda x, outs: check_kernels_of(x, outs[0], x.first),
    "38": lambda x, outs: same([json.loads(r["ranges"]) for r in table(outs[0])], [x.of(449)[0].ranges]),
    "39": lambda x, outs: same(members(outs[0], "ts", "dur"), times(x.named(CONVOLUTION))),
    "40": lambda x, outs: check_kernel_ranges(x, outs[0]),
    "41": lambda x, outs: check_iterations(outs[0]),
    "42": lambda x, outs: picture(outs[0].path, ["iteration", "1", "2", "3"], ["path", "polyline"]),
}
READ = Export
