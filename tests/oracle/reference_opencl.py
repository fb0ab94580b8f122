"""The answers of the notebook `Analyse kernel profiling` (items 000.N), computed from a point of a CK experiment."""
import collections
import csv
import datetime
import json
import statistics
import struct

from reference_output import columns, members, picture, records, same, shown, table

TIMES = {"t1_t0": None, "p3_p0": ("end", "queued"), "p3_p2": ("end", "start"), "p2_p1": ("start", "submit"),
         "p1_p0": ("submit", "queued")}


def stamp(text):
    """Returns an ISO time as ns since 1970."""
    at = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f") - datetime.datetime(1970, 1, 1)
    return (at.days * 86400 + at.seconds) * 10**9 + at.microseconds * 1000


def quantile(values, q):
    values, at = sorted(values), (len(values) - 1) * q
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


class Point:
    def __init__(self, folder):
        with open(folder + "/point.json") as f:
            runs = [c["run"] for c in json.load(f)["characteristics_list"]]
        self.times = [run["time_fw_ms"] for run in runs]
        self.calls = [run["dvdt_prof"] for run in runs]
        self.layers = [run["per_layer_info"] for run in runs]

    def enqueues(self):
        """Yields the repetition, the index, the call and the times of each enqueue."""
        for repetition, calls in enumerate(self.calls):
            for corr, call in enumerate(calls):
                if call["call"] == "clEnqueueNDRangeKernel":
                    times = {name: call["profiling"][of[0]] - call["profiling"][of[1]]
                             for name, of in TIMES.items() if of}
                    times["t1_t0"] = stamp(call["timestamp"]["end"]) - stamp(call["timestamp"]["start"])
                    yield repetition, corr, call, times

    def sizes(self, name):
        """Yields the rows of the kernels with this name, with the last values of their arguments 0, 1 and 2."""
        for repetition, corr, call, times in self.enqueues():
            args = {c["arg_index"]: c["arg_value"] for c in self.calls[repetition][:corr]
                    if c["call"] == "clSetKernelArg" and c["kernel"] == call["kernel"]}
            if call["name"] == name:
                m, n, k = (struct.unpack("<i", bytes.fromhex(args[i]))[0] for i in range(3))
                yield [repetition, corr, m, n, k, times["p3_p2"], 2 * m * n * k / times["p3_p2"]], call, times

    def layer_of(self, repetition, call):
        """Returns the index of the layer in which a call ended, or None after the last layer."""
        end = stamp(call["timestamp"]["end"])
        for layer in self.layers[repetition]:
            if end < stamp("2026-" + layer["timestamp"][:2] + "-" + layer["timestamp"][2:].replace(" ", "T")):
                return layer["index"]
        return None

    def in_layers(self):
        """Returns, for each repetition and layer, the number of calls and kernels, and the kernel time."""
        found = collections.defaultdict(lambda: [0, 0, 0])
        for repetition, calls in enumerate(self.calls):
            for call in calls:
                found[repetition, self.layer_of(repetition, call)][0] += 1
        for repetition, _, call, times in self.enqueues():
            row = found[repetition, self.layer_of(repetition, call)]
            row[1:] = row[1] + 1, row[2] + times["p3_p2"]
        return found


def check_results(p, out, read):
    rows = [["caffe", "alexnet,prof", i, t, len(p.calls[i]), len(p.layers[i])] for i, t in enumerate(p.times)]
    same([r[:3] + r[4:] for r in read(out)], [r[:3] + r[4:] for r in rows])
    shown([r[3] for r in read(out)], [r[3] for r in rows])


def results(out):
    return [[r[0], r[1], r[2], r[3] / 10**6, r[4], r[5]]
            for r in columns(table(out), "program", "tags", "repetition", "time_fw", "calls", "layers")]


def results_csv(out):
    return [[r["program"], r["tags"], int(r["repetition"]), float(r["time_fw_ms"]), int(r["calls"]), int(r["layers"])]
            for r in csv.DictReader(out.splitlines())]


def check_calls(p, out, repetitions):
    want = [[i, corr, call["call"], stamp(call["timestamp"]["start"])]
            for i in repetitions for corr, call in enumerate(p.calls[i])]
    got = [[r["repetition"], r["corr"], r["name"], r["ts"]] for r in records(out) if r["kind"] == "api"]
    same(got, want)


def check_enqueues(p, out):
    want = [[i, corr, call["name"], *call["lws"], *call["gws"], *call["gwo"], *(t[n] for n in TIMES)]
            for i, corr, call, t in p.enqueues()]
    axes = [w + a for w in ("lws", "gws", "gwo") for a in "012"]
    shown(columns(table(out), "repetition", "corr", "name", *axes, *TIMES), want)


def check_sums(p, out):
    sums = collections.defaultdict(lambda: [0] * 6)
    for _, _, call, times in p.enqueues():
        sums[call["name"]] = [a + b for a, b in zip(sums[call["name"]], [1, *(times[n] for n in TIMES)])]
    total = sum(row[3] for row in sums.values())
    want = [[name, *row, row[3] / total] for name, row in sorted(sums.items(), key=lambda s: -s[1][3])]
    got = columns(table(out), "name", "count", *(n + "_sum" for n in TIMES), "p3_p2_share")
    shown([r[:-1] for r in got], [r[:-1] for r in want])
    for a, b in zip(got, want):
        assert abs(a[-1] - b[-1]) < 0.0006, (a, b)


def check_fields(p, out):
    count = sum(1 for _ in p.enqueues())
    found = {r["field"]: r["count"] for r in records(out)}
    same([found[f] for f in ("name", "ts", "dur", "args.kernel", "args.p3_p2")], [count] * 5)


def check_cycle(p, out):
    groups = collections.defaultdict(list)
    enqueues = [e for e in p.enqueues() if e[0] == 0]
    for i, (_, _, call, t) in enumerate(enqueues):
        values = {"p3_p2": t["p3_p2"], "p3_p0": t["p3_p0"], "t1_t0": t["t1_t0"], "lws0": call["lws"][0],
                  "gws0": call["gws"][0]}
        for name, value in values.items():
            groups[i % 4, name].append(value)
    want = [[*key, len(v), statistics.mean(v), statistics.stdev(v), min(v), quantile(v, .25), quantile(v, .5),
             quantile(v, .75), max(v)] for key, v in groups.items()]
    same(members(out, "cycle", "field", "count", "mean", "std", "min", "p25", "p50", "p75", "max"), want)


def check_sizes(p, out, name, *more):
    names = ["repetition", "corr", "kSizeM", "kSizeN", "kSizeK", "dur", "GFLOPS"]
    want = []
    for row, call, times in p.sizes(name):
        values = {**times, **{"lws" + str(i): v for i, v in enumerate(call["lws"])},
                  **{"gws" + str(i): v for i, v in enumerate(call["gws"])}}
        want.append(row + [values[m] for m in more])
    shown(columns(table(out), *names, *more), want)


def check_each(p, out):
    start = stamp(p.calls[0][0]["timestamp"]["start"])
    want = [[i, corr, call["call"], p.layer_of(i, call), stamp(call["timestamp"]["start"]) - start]
            for i, calls in enumerate(p.calls) for corr, call in enumerate(calls)]
    rows = columns(table(out), "repetition", "corr", "name", "layer", "since", "kind")
    same([row[:5] for row in rows if row[5] == "api"], want)


def check_layers(p, out):
    want = [[i, layer, *row] for (i, layer), row in sorted(p.in_layers().items(), key=lambda x: (x[0][0],
            99 if x[0][1] is None else x[0][1]))]
    got = columns(table(out), "repetition", "layer", "calls", "kernels", "kernel_time")
    shown([r[:4] for r in got], [r[:4] for r in want])
    shown([r[4] for r in got if r[4]], [r[4] for r in want if r[4]])


def check_last(p, out):
    call = p.calls[-1][-1]
    assert p.layer_of(len(p.calls) - 1, call) is None
    same(out.split()[:4], [str(len(p.calls) - 1), str(len(p.calls[-1]) - 1), "api", call["call"]])


ITEMS = {
    "3": lambda p, outs: check_results(p, outs[0], results),
    "4": lambda p, outs: check_results(p, outs[0], results),
    "5": lambda p, outs: check_results(p, outs[0], results_csv),
    "6": lambda p, outs: check_calls(p, outs[0], range(len(p.calls))),
    "7": lambda p, outs: picture(outs[0].path, ["Execution time (ms)", "alexnet,prof",
                                                 f"{statistics.mean(p.times):.1f}"]),
    "8": lambda p, outs: check_calls(p, outs[0], [0]),
    "9": lambda p, outs: shown(results(outs[0])[0][:4], ["caffe", "alexnet,prof", 0, p.times[0]]),
    "10": lambda p, outs: same([r for r in columns(table(outs[0]), "corr", "name") if r[1].startswith("cl")],
                               [[i, c["call"]] for calls in p.calls for i, c in enumerate(calls)]),
    "11": lambda p, outs: same([int(o) for o in outs], [len(p.calls[0]), len(p.layers[0])]),
    "12": lambda p, outs: check_enqueues(p, outs[0]),
    "13": lambda p, outs: check_sums(p, outs[0]),
    "14": lambda p, outs: check_fields(p, outs[0]),
    "15": lambda p, outs: check_cycle(p, outs[0]),
    "16": lambda p, outs: check_sizes(p, outs[0], "XgemmDirectNN"),
    "17": lambda p, outs: check_sizes(p, outs[0], "XgemmDirectTN"),
    "18": lambda p, outs: check_sizes(p, outs[0], "XgemmDirectTT"),
    "19": lambda p, outs: same(int(outs[0]), sum(1 for _ in p.sizes("XgemmDirectTN"))),
    "20": lambda p, outs: check_sizes(p, outs[0], "XgemmDirectNN", "lws0", "lws1", "lws2", "gws0", "gws1", "gws2",
                                      "t1_t0", "p3_p2"),
    "21": lambda p, outs: same([r for r in columns(table(outs[0]), "ts", "name") if r[1].startswith("cl")],
                               [[stamp(c["timestamp"]["start"]), c["call"]] for calls in p.calls for c in calls], 0),
    "22": lambda p, outs: check_each(p, outs[0]),
    "23": lambda p, outs: check_layers(p, outs[0]),
    "24": lambda p, outs: check_last(p, outs[0]),
    "25": lambda p, outs: picture(outs[0].path, [layer["label"] for layer in p.layers[0]]),
}
READ = Point
