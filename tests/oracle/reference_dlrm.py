"""The answers of the notebook `DLRM device runtime breakdown` (items 001.N), computed from a trace of PyTorch, and
compared with the golden answers of the notebook's own code where these are right (formats/kineto.md of the shared data,
section 4)."""
import collections
import csv
import gzip
import json
import os
import re
import statistics

from reference_output import Difference, colored_bars, columns, in_order, members, picture, records, same, shown, table

US = 1000
HOST = ("cpu_op", "cuda_runtime", "user_annotation")
DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")
NOT_OPERATORS = ("##", "__", "module::", "DLRM ", "DistributedDataParallel")
GOLDEN = "golden/kineto/dlrm_overheads/control_asis."
# The reference assigns launches of these operators, which cross threads, to others.
WRONG_IN_REFERENCE = ("CatBackward0", "AccumulateGrad")


class Trace:
    def __init__(self, folder):
        self.folder = folder
        with gzip.open(folder + "/run.json.gz") as f:
            self.file = json.load(f)
        self.events = self.file["traceEvents"]
        whole = [e for e in self.events if e.get("ph") == "X"]
        self.host = sorted((e for e in whole if e["cat"] in HOST), key=lambda e: (e["ts"], -e["dur"]))
        self.device = sorted((e for e in whole if e["cat"] in DEVICE), key=lambda e: e["ts"])
        self.calls = {e["args"]["correlation"]: e for e in self.host if e["cat"] == "cuda_runtime"}
        self.launched = {e["args"]["correlation"]: e for e in self.device}
        self.steps = [e["ts"] for e in self.host if e["name"].startswith("ProfilerStep")]
        self.start = self.host[0]["ts"]
        self.end = max(e["ts"] + e["dur"] for e in self.host if e["cat"] != "user_annotation")
        self.operators()

    def operators(self):
        """Sets roots to the number of outermost operators and calls; tops to the outermost operators of each thread,
        without those that only enclose others; and operator to the outermost operator of each launch."""
        threads = collections.defaultdict(list)
        for e in self.host:
            if e["cat"] != "user_annotation":
                threads[e["tid"]].append(e)
        self.roots, self.tops, self.operator, self.inside = 0, {}, {}, collections.defaultdict(list)
        for tid, events in threads.items():
            until, tops, stack = None, [], []
            for e in events:
                end = e["ts"] + e["dur"]
                if until is None or e["ts"] >= until or end > until:
                    self.roots += 1
                    until = max(end, until or end)
                while stack and (stack[-1]["ts"] + stack[-1]["dur"] < end or
                                 stack[-1]["ts"] + stack[-1]["dur"] == e["ts"]):
                    stack.pop()
                if e["cat"] == "cpu_op":
                    top = not e["name"].startswith(NOT_OPERATORS)
                    if top and all(s["name"].startswith(NOT_OPERATORS) for s in stack):
                        tops.append((e, id(stack[-1]) if stack else None))
                    stack.append(e)
                elif e["args"]["correlation"] in self.launched:
                    work = self.launched[e["args"]["correlation"]]
                    for op in stack:
                        self.inside[id(op)].append(work)
                    for op in stack:
                        if not op["name"].startswith(NOT_OPERATORS):
                            self.operator[e["args"]["correlation"]] = op
                            break
            self.tops[tid] = tops

    def window(self, first, last):
        """Returns the times of the events of these steps; device work belongs to the step of its launch."""
        low, high = self.steps[first], self.steps[last] if last is not None else float("inf")
        found = [e for e in self.host if low <= e["ts"] < high]
        for e in self.device:
            if low <= self.calls[e["args"]["correlation"]]["ts"] < high:
                found.append(e)
        return [[e["name"], e["ts"], e["dur"]] for e in found]

    def t1(self):
        """Returns the times between operators of a thread with the same parent, in us; 2 us are the profiler's."""
        values = []
        for tops in self.tops.values():
            for (a, parent), (b, other) in zip(tops, tops[1:]):
                gap = b["ts"] - a["ts"] - a["dur"]
                # The notebook records nothing for an aten::to without launches.
                skipped = b["name"] == "aten::to" and not self.inside[id(b)]
                if parent == other and gap < 200 and not skipped:
                    values.append(gap - 2)
        return values

    def busy(self):
        """Returns the time in which exactly N streams were busy, for each N, in us."""
        changes = sorted((t, change, e["args"]["stream"]) for e in self.device
                         for t, change in ((e["ts"], 1), (e["ts"] + e["dur"], -1)))
        running, found, last = collections.Counter(), collections.Counter(), changes[0][0]
        for t, change, stream in changes:
            found[sum(1 for n in running.values() if n)] += t - last
            running[stream] += change
            last = t
        return found

    def by_operator(self):
        """Returns, for each stream and operator, its calls, its device records and their time in us."""
        found = collections.defaultdict(lambda: [set(), 0, 0])
        for e in self.device:
            op = self.operator.get(e["args"]["correlation"])
            row = found[str(e["args"]["stream"]), op and op["name"]]
            row[0].add(id(op))
            row[1:] = row[1] + 1, row[2] + e["dur"]
        return {key: [len(v[0]), v[1], v[2]] for key, v in found.items()}

    def span(self):
        return max(e["ts"] + e["dur"] for e in self.device) - self.device[0]["ts"]


def listed(out):
    """Returns the rows of a list, in ns."""
    pairs = [line.split("  ", 1) for line in out.splitlines()]
    return {name: table(f"{title}\n{value.strip()}")[0][name] for title, value in pairs for name in [title.split()[0]]}


def golden(name):
    path = f"{os.environ['SHARED']}/{GOLDEN}{name}"
    with gzip.open(path) if path.endswith(".gz") else open(path) as f:
        return json.load(f)


def check_steps(t, outs):
    with gzip.open(t.folder + "/t.json.gz") as f:
        got = [e for e in json.load(f)["traceEvents"] if e["ph"] == "X"]
    same(in_order([[e["name"], e["ts"], e["dur"]] for e in got]), in_order(t.window(1, 4)))
    got = [[r["name"], r["ts"] // US, r["dur"] // US] for r in records(outs[1]) if "dur" in r]
    same(in_order(got), in_order(t.window(5, None)))


def check_counts(t, outs):
    members_of_file = sum(name in t.file for name in ("schemaVersion", "deviceProperties", "distributedInfo"))
    matched = sum(e["args"]["correlation"] in t.calls for e in t.device)
    same([int(out) for out in outs], [len(t.events) + members_of_file, t.roots, matched])


def check_loading(t, out):
    forward = [e["ts"] for e in t.host if "## forward ##" in e["name"].lower()]
    total, until = 0, 0
    for e in t.host:
        if "load_batch" in e["name"] and e["dur"] > 100:
            end = min((f for f in forward if f >= e["ts"]), default=e["ts"] + e["dur"])
            total += max(0, end - max(e["ts"], until))
            until = max(until, end)
    same(listed(out)["load_time"], total * US)
    same(listed(out)["host_time"], (t.end - t.start - total) * US, 1e-5)


def check_start(t, out):
    same(golden("summary.json")["corrected_start"], t.start)
    same([listed(out)[name] for name in ("start", "end")], [t.start * US, t.end * US], 0)


def check_times(t, outs):
    same(listed(outs[0])["host_time"], (t.end - t.start) * US, 1e-5)
    (row,), busy = table(outs[1]), t.busy()
    shown([row["count"], row["kernel_time"], row["idle"]], [len(t.device), t.span() * US, busy[0] * US])


def check_qps(t, out):
    same(listed(out)["qps"], len(t.steps) * 2048 / ((t.end - t.start) / 1e6), 1e-6)


def check_delay(t, outs):
    delay = (t.device[0]["ts"] - golden("summary.json")["corrected_start"]) * US
    same([listed(outs[0])["start_delay"], table(outs[1])[0]["start_delay"]], [delay, delay])


def check_operators_of_calls(t, out):
    want = collections.defaultdict(lambda: [0, 0])
    for e in t.host:
        for work in t.inside[id(e)] if e["cat"] == "cpu_op" else ():
            row = want[e["name"], e["ts"], e["dur"], e["args"]["External id"]]
            row[:] = row[0] + 1, row[1] + work["dur"]
    got = [[r["name"], r["args"]["orig_ts"] // US, r["args"]["orig_dur"] // US, r["args"]["External id"],
            r["args"]["records"], r["args"]["dur_sum"] // US] for r in records(out)]
    same(in_order(got), in_order([[*key, *row] for key, row in want.items()]))


def check_breakdown(t, out):
    rows, operator, rest = collections.defaultdict(list), None, 0
    at = out.index("what")
    for line, row in zip(out.splitlines()[1:], table(out)):
        depth = len(line[at:]) - len(line[at:].lstrip())
        rows[depth // 2].append(row)
        if depth < 4:
            operator, rest = row, row["dur"]
        else:
            rest -= row["dur"]
            if rest < -10000:  # The rows of an operator are rounded.
                raise Difference(f"the kernels of {operator} add up to more than its time")
    found = t.by_operator()
    streams = collections.defaultdict(lambda: [0, 0])
    for (number, _), (_, count, dur) in found.items():
        streams[number] = [streams[number][0] + count, streams[number][1] + dur]
    want = [[float(s), n, dur * US, (t.span() - dur) * US] for s, (n, dur) in streams.items()]
    got = columns(rows[0], "stream", "records", "dur", "idle_time")
    # The idle time of a stream is a part of the time from the first to the last record of the trace.
    want = [[*w[:3], g[3]] for w, g in zip(sorted(want, key=lambda w: -w[2]), got)]
    shown(got, want)
    for number in streams:
        # Work without an operator is a row without a name.
        best = sorted((-dur, n, calls) for (s, _), (calls, n, dur) in found.items() if s == number)[:10]
        got = [r for r in rows[1] if r["stream"] == float(number)]
        shown([r["dur"] for r in got], [-b[0] * US for b in best])
        for r in got:
            calls, count, dur = found.get((number, r["what"]), [r["calls"], r["records"], r["dur"] / US])
            shown([r["calls"], r["records"], r["dur"]], [calls, count, dur * US])


def check_classes(t, out):
    with open(t.folder + "/kernel-names.tsv") as f:
        rules = [line.split("\t")[:2] for line in f if line[0] not in "#\n"]
    names = [e["name"] for e in t.device if e["cat"] == "kernel"]
    label_of = {name: next((label for part, label in rules if re.search(part, name)), "other") for name in set(names)}
    want = [[name, label_of[name]] for name in names]
    same(in_order(members(out, "name", "class")), in_order(want))


def short(name):
    """Returns the name of a kernel without its type, template arguments and parameters."""
    name = name[5:] if name.startswith("void ") else name
    name = name.replace("(anonymous namespace)", "\0")
    depth, text = 0, ""
    for c in name:
        if c == "(" and not depth:
            break
        depth -= c == ">"
        text += c if not depth and c != ">" else ""
        if c == "<":
            text, depth = text[:-1] if not depth else text, depth + 1
    return text.replace("\0", "(anonymous namespace)")


def check_variants(t, out):
    totals, kernels = collections.Counter(), collections.defaultdict(collections.Counter)
    for e in t.device:
        op = t.operator.get(e["args"]["correlation"])
        totals[op and op["name"]] += e["dur"] * US
        kernels[op and op["name"], e["args"]["stream"], id(op)][short(e["name"])] += 1
    variants = collections.defaultdict(set)
    for (name, stream, _), names in kernels.items():
        variants[name].add((stream, frozenset(names.items())))
    same(in_order(members(out, "operator", "count", "dur_sum")),
         in_order([[name, len(variants[name]), dur] for name, dur in totals.items()]))


def check_overheads(t, out, types, read):
    raw = golden("overheads_notebook_raw.json.gz")
    want = {("t4", name): values for name, values in raw["independent"]["t4"].items()}
    want.update({(kind, name): values for name, row in raw.items() if name != "independent"
                 for kind, values in row.items() if values})
    want = {key: v for key, v in want.items() if key[0] in types and not key[1].endswith(WRONG_IN_REFERENCE)}
    got = {(r["type"], r["name"]): [float(r["count"]), float(r["mean"]), float(r["std"])] for r in read(out)
           if r["type"] in types and not (r["name"] or "").endswith(WRONG_IN_REFERENCE)}
    wanted = {key: [len(v), statistics.mean(v) * US, statistics.pstdev(v) * US] for key, v in want.items()}
    if read is csv_rows:
        same(sorted([*k, *v] for k, v in got.items()), sorted([*k, *v] for k, v in wanted.items()))
    else:  # Times have three decimals, and names of templates are short, or show only the parts in which they differ.
        for key, row in got.items():
            if key not in wanted and ("CppNode" in key[1] or "\N{HORIZONTAL ELLIPSIS}" in key[1]):
                continue
            if any(abs(a - b) > 0.51 for a, b in zip(row, wanted[key])):
                raise Difference(f"{key}: {row} instead of {wanted[key]}")


def csv_rows(out):
    return list(csv.DictReader(out.splitlines()))


def check_t1(t, outs):
    values, edges = t.t1(), [0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 200]
    want = [[None, 0, sum(v < 0 for v in values)]]
    want += [[a * US, b * US, sum(a <= v < b for v in values)] for a, b in zip(edges, edges[1:])]
    got = [row for row in members(outs[0], "from", "to", "count")]
    same([row for row in got if row[2]], [row for row in want if row[2]])
    (row,) = [r for r in csv_rows(outs[1]) if r["type"] == "t1"]
    same([float(row[n]) for n in ("count", "mean", "std")],
         [len(values), statistics.mean(values) * US, statistics.pstdev(values) * US])
    # The figures of formats/kineto.md for operators of the same thread.
    same(statistics.mean(values), 6.921, 1e-4)


def check_launches(t, out):
    same(json.loads(out)["launches"], golden("overheads_notebook.json")["launches"])


def check_file(t):
    with open(t.folder + "/overheads.json") as f:
        found, want = json.load(f), golden("overheads_notebook.json")
    same(sorted(found), sorted(want))
    for kind in ("t2", "t3", "t5"):
        names = [n for n in want[kind] if not n.endswith(WRONG_IN_REFERENCE)]
        same([[n, *found[kind][n]] for n in names], [[n, *want[kind][n]] for n in names])
    same(found["t4"], want["t4"])


def check_idle(t, out):
    busy = t.busy()
    same(members(out, "span", "idle", "busy"), [[t.span() * US, busy[0] * US, (t.span() - busy[0]) * US]])


def check_streams(t, outs):
    busy = t.busy()
    same(members(outs[0], "concurrent"), [[sum(dur for n, dur in busy.items() if n > 1) * US]])
    same(members(outs[1], "streams", "dur"), [[n, busy[n] * US] for n in sorted(busy) if n and busy[n]])


def check_file_type(t):
    for name, begin in (("a.pdf", b"%PDF-"), ("a.png", b"\x89PNG\r\n")):
        with open(f"{t.folder}/{name}", "rb") as f:
            data = f.read()
        if not data.startswith(begin) or len(data) < 1000:
            raise Difference(f"{name} begins with {data[:8]}, and has {len(data)} bytes")


def short_operators(t):
    """Returns the operators of stream 7 with the longest times whose names fit into a picture."""
    found = sorted((-row[2], op) for (stream, op), row in t.by_operator().items() if stream == "7" and op)
    return [op for _, op in found[:8] if len(op) <= 24]


ITEMS = {
    "1": check_steps,
    "2": check_counts,
    "3": lambda t, outs: check_loading(t, outs[0]),
    "4": lambda t, outs: check_start(t, outs[0]),
    "5": check_times,
    "6": lambda t, outs: check_qps(t, outs[0]),
    "7": check_delay,
    "8": lambda t, outs: check_operators_of_calls(t, outs[0]),
    "9": lambda t, outs: check_breakdown(t, outs[0]),
    # The pictures of the shares: the checks read the names of operators only.
    "10": lambda t, outs: picture(outs[0].path, short_operators(t)),
    "11": lambda t, outs: [picture(outs[0].path, short_operators(t)), colored_bars(outs[0].path)],
    "12": lambda t, outs: check_classes(t, outs[0]),
    "13": lambda t, outs: check_variants(t, outs[0]),
    "14": lambda t, outs: check_file_type(t),
    "16": lambda t, outs: check_overheads(t, outs[0], ("t2", "t3", "t4", "t5"), table),
    "17": check_t1,
    "18": lambda t, outs: check_overheads(t, outs[0], ("t2", "t3", "t5"), csv_rows),
    "19": lambda t, outs: check_overheads(t, outs[0], ("t4",), csv_rows),
    "20": lambda t, outs: check_launches(t, outs[0]),
    "21": lambda t, outs: check_file(t),
    "22": lambda t, outs: check_idle(t, outs[0]),
    "23": check_streams,
}
READ = Trace
