#!/usr/bin/env python3
"""Compares the answers of the questions Q1 to Q52 of tracefilters(7) with answers computed from the traces themselves.

usage: question_answers.py COMMANDS

COMMANDS has two lines for each question: `# Qn QUESTION` and the command. Runs each command in the current folder,
where example_files.sh has made the traces; tables are asked for as NDJSON. Prints each difference, and the number of
equal answers.
"""
import collections
import csv
import gzip
import io
import json
import re
import statistics
import subprocess
import sys

from traces import kernel_type

TABLES = re.compile("^(ndjson2table|trace-diff|queue-lengths|stragglers|collectives|roofline|range-gpu-time|"
                    "op-breakdown)")


class Near(float):
    """A time that the trace determines to 5 us, because the clocks of ranks differ."""


def ns(us):
    return round(us * 1000)


def events_of(path):
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as file:
        return json.load(file)["traceEvents"]


class Trace:
    """A trace of Kineto: complete events with times in ns, device work with its call and the events around the call."""

    def __init__(self, path):
        self.all = events_of(path)
        self.events = [e | {"ts": ns(e["ts"]), "end": ns(e["ts"]) + ns(e["dur"]), "dur": ns(e["dur"])}
                       for e in self.all if e["ph"] == "X" and e["cat"] != "Trace"]
        self.calls = {e["args"]["correlation"]: e for e in self.of("cuda_runtime") if "correlation" in e["args"]}
        self.work = sorted(self.of("kernel", "gpu_memcpy", "gpu_memset"), key=lambda e: e["ts"])
        for e in self.work:
            e["call"] = self.calls[e["args"]["correlation"]]
        self.kernels = [e for e in self.work if e["cat"] == "kernel"]
        self.steps = sorted(self.of("user_annotation", name="^ProfilerStep"), key=lambda e: e["ts"])

    def of(self, *categories, name=""):
        return [e for e in self.events if e["cat"] in categories and re.search(name, e["name"])]

    def around(self, e, *categories, name="", thread=True):
        """Returns the innermost event of these categories that encloses e, or None."""
        found = [r for r in self.of(*categories, name=name) if r["ts"] <= e["ts"] and e["end"] <= r["end"] and
                 r is not e and (r["tid"] == e["tid"] or not thread)]
        return min(found, key=lambda r: r["dur"], default=None)

    def step_of(self, e):
        return next((s["name"] for s in self.steps if s["ts"] <= e["call"]["ts"] < s["end"]), None)


def union(spans):
    """Returns the disjoint union of intervals, in order."""
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def length(spans):
    return sum(end - start for start, end in union(spans))


def span(e):
    return e["ts"], e["end"]


def clip(spans, start, end):
    return [(max(a, start), min(b, end)) for a, b in spans if a < end and b > start]


def sums(events, key, **extra):
    """Returns a row for each key: count, dur_sum, and extra members, functions of the events of the key."""
    groups = collections.defaultdict(list)
    for e in events:
        groups[key(e)].append(e)
    rows = []
    for k, es in groups.items():
        rows.append(dict(k) | {"count": len(es), "dur_sum": sum(e["dur"] for e in es)} |
                    {name: make(es) for name, make in extra.items()})
    return rows


def by(**members):
    """Returns a key function for sums(); a member without a value is absent from the row."""
    return lambda e: tuple((m, v) for m, f in members.items() for v in [f(e)] if v is not None)


def short(name):
    name = re.sub(r"^void ", "", name)
    return re.sub(r"(?<=[A-Za-z0-9_])[<(].*$", "", name)


run, stacks, after = Trace("run.json.gz"), Trace("stacks.json.gz"), Trace("after.json.gz")
ranks = [r for r in map(json.loads, open("ranks.ndjson")) if r["kind"] == "kernel" and "Seq" in r.get("args", {})]


def mean(es):
    return sum(e["dur"] for e in es) / len(es)


def weighted(es, field):
    return sum(e["dur"] * e["args"][field] for e in es) / sum(e["dur"] for e in es)


def op_of(e, trace=run):
    op = trace.around(e["call"], "cpu_op")
    return op and op["name"]


def innermost(trace, at, thread, categories):
    """Returns the innermost event of a thread at an instant, or None."""
    found = [e for e in trace.of(*categories) if e["tid"] == thread and e["ts"] <= at < e["end"]]
    return min(found, key=lambda e: e["dur"], default=None)


def gaps(trace, start=None):
    """Returns the idle intervals of the device, each with the work that follows, from the first work or `start` on."""
    busy = union(map(span, trace.work))
    found = [(a[1], b[0]) for a, b in zip(busy, busy[1:])]
    if start is not None:
        found = [(start, busy[0][0])] + found
    return [(a, b, next(w for w in trace.work if w["ts"] == b)) for a, b in found if a < b]


def host_late(trace, least=1, start=None):
    """Yields the idle intervals of at least this length in which the next work was launched: the host was late."""
    for a, b, work in gaps(trace, start=start):
        if b - a >= least and work["call"]["ts"] > a:
            yield a, b, work


def pieces(trace, least, categories, start=None):
    """Divides host_late() at all starts and ends of the host. Yields (dur, range, activity of the launching thread)."""
    edges = sorted({t for e in trace.of("user_annotation", "cpu_op", "cuda_runtime") for t in span(e)})
    for a, b, work in host_late(trace, least, start):
        cuts = [a] + [t for t in edges if a < t < b] + [b]
        for c, d in zip(cuts, cuts[1:]):
            inside = [e for e in trace.of("user_annotation") if e["ts"] <= c < e["end"]]
            around = min(inside, key=lambda e: e["dur"], default=None)
            host = innermost(trace, c, work["call"]["tid"], categories) if categories else None
            yield {"dur": d - c, "range": around and around["name"], "gap": a,
                   "host": host["name"] if host else "(no call)" if categories else None}


def joined_pieces(trace, least, categories, start=None):
    """Like pieces(), but consecutive pieces of one interval with the same range and host are one."""
    last = None
    for p in pieces(trace, least, categories, start):
        if last and all(last[m] == p[m] for m in ("gap", "range", "host")):
            last["dur"] += p["dur"]
            continue
        if last:
            yield last
        last = p
    if last:
        yield last


def exposed(step):
    """Returns the time of a step in which communication runs and no computation does."""
    comm = [span(k) for k in run.kernels if kernel_type(k["name"]) == "COMMUNICATION"]
    other = [span(k) for k in run.kernels if kernel_type(k["name"]) == "COMPUTATION"]
    within = clip(comm, *span(step))
    others = clip(other, *span(step))
    return length(within + others) - length(others)


def step_parts(step):
    """Returns figures of a step, which lasts until the next step begins: what ran in it."""
    end = min((s["ts"] for s in run.steps if s["ts"] > step["ts"]), default=step["end"])
    step = step | {"end": end, "dur": end - step["ts"]}
    within = clip(map(span, run.work), *span(step))
    compute = [span(k) for k in run.kernels if kernel_type(k["name"]) == "COMPUTATION"]
    busy = length(within)
    return {"name": step["name"], "dur": step["dur"], "compute_time": length(clip(compute, *span(step))),
            "comm_only": exposed(step), "idle": step["dur"] - busy, "busy_share": busy / step["dur"]}


def queue_values(stream):
    """Returns the lengths of the queue of a stream after each launch and each start of work."""
    work = [w for w in run.work if w["args"]["stream"] == stream]
    changes = sorted([(w["call"]["ts"], 1) for w in work] + [(w["ts"], -1) for w in work])
    values, now = [], 0
    for _, change in changes:
        now += change
        values.append(now)
    return values


def critical_chain():
    """Returns the time of each operator or call on the critical path of the second step.

    Its work is launched by one operator after another; the last, of backward, launches the communication that ends last
    of all device work that operators have launched. So the path is the time of the operators until that launch began,
    then the delay of the launch, then the communication.
    """
    step = run.steps[1]
    last = max((k for k in run.kernels if op_of(k) and run.step_of(k) == step["name"]), key=lambda k: k["end"])
    inner = collections.Counter()
    for top in run.of("cpu_op"):
        if run.around(top, "cpu_op") or not step["ts"] <= top["ts"] < last["call"]["ts"]:
            continue
        edges = {t for e in run.of("cpu_op", "cuda_runtime") if e["tid"] == top["tid"] for t in span(e)}
        cuts = sorted(t for t in edges | {last["call"]["ts"]} if top["ts"] <= t <= min(top["end"], last["call"]["ts"]))
        for a, b in zip(cuts, cuts[1:]):
            inner[innermost(run, a, top["tid"], ("cpu_op", "cuda_runtime"))["name"]] += b - a
    return inner, last["ts"] - last["call"]["ts"], last


def groups_of_ranks(least=2):
    """Returns the kernels of each collective of which at least so many ranks were recorded."""
    found = collections.defaultdict(list)
    for r in ranks:
        found[r["args"]["Process Group Name"], r["args"]["Seq"]].append(r)
    return [g for g in found.values() if len(g) >= least]


OPERATIONS = {"allreduce": "all_reduce", "_reduce_scatter_base": "reduce_scatter", "_allgather_base": "all_gather"}
SIZES = {"Float": 4, "BFloat16": 2}


def collective_key(group):
    args = group[0]["args"]
    operation = OPERATIONS[args["Collective name"]]
    size = args["Group size"]
    items = max(args["In msg nelems"], args["Out msg nelems"])
    return operation, args["dtype"], items * SIZES[args["dtype"]], size


def flops(op):
    a, b = [d for d in op["args"]["Input Dims"] if len(d) == 2][:2]
    return 2 * a[0] * a[1] * b[1] + a[0] * b[1] * (op["name"] == "aten::addmm")  # the bias


def named(e):
    return e["name"]


def matrix_products():
    ops = {op: [k for k in run.kernels if op_of(k) == op and "gemm" in k["name"]] for op in ("aten::mm", "aten::addmm")}
    return {name: (next(o for o in run.of("cpu_op") if o["name"] == name), ks) for name, ks in ops.items()}


def memory(trace):
    return [e | {"ts": ns(e["ts"]), "end": ns(e["ts"])} for e in trace.all if e["name"] == "[memory]"]


def module_of(kernel):
    """The module of the operator that launched a kernel, or of the forward operator with its sequence number."""
    op = [o for o in stacks.of("cpu_op") if "Sequence number" in o["args"] and o["tid"] == kernel["call"]["tid"] and
          o["ts"] <= kernel["call"]["ts"] < o["end"]][-1]
    number = op["args"]["Sequence number"]
    forward = next(o for o in stacks.of("cpu_op") if o["args"].get("Sequence number") == number and
                   stacks.around(o, "python_function", name="^nn.Module"))
    return stacks.around(forward, "python_function", name="^nn.Module")["name"]


def forward_module(kernel):
    module = stacks.around(kernel["call"], "python_function", name="^nn.Module")
    return module and module["name"]


def line_of(e):
    line = stacks.around(e, "python_function", name=r"[(]\d+[)]: ")
    return line and line["name"]


def phase_of(e):
    found = [p for p in run.of("user_annotation", "cpu_op", name="^autograd::engine|^Optimizer")
             if p["ts"] <= e["call"]["ts"] < p["end"]]
    inner = min(found, key=lambda p: p["dur"], default=None)
    return "forward, other" if not inner else "backward" if inner["cat"] == "cpu_op" else "optimizer"


def differences(members):
    """Rows of trace-diff for kernels, copies and memsets of the two runs."""
    rows = []
    for key in sorted({named(w) for w in run.work}):
        a, b = ([w for w in t.work if w["name"] == key] for t in (run, after))
        total_a, total_b = (sum(w["dur"] for w in ws) for ws in (a, b))
        rows.append({"count_a": len(a), "count_b": len(b), "total_a": total_a, "total_b": total_b})
        rows[-1] |= members(total_b - total_a)
    return rows


def wait_of_forward():
    rows = []
    for forward in run.of("user_annotation", name="^forward$"):
        kernel = min((k for k in run.of("kernel", name="AllReduce") if k["ts"] > forward["ts"]), key=lambda k: k["ts"])
        rows.append({"range": run.step_of(kernel), "wait": kernel["ts"] - forward["end"]})
    return rows


def percentile(values, p):
    values = sorted(values)
    at = (len(values) - 1) * p / 100
    low = int(at)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (at - low)


def delays():
    return [k["ts"] - k["call"]["ts"] for k in run.kernels]


def windows(width):
    """Returns the busy share of each window of this width, from the first to the last work."""
    spans = union(map(span, run.work))
    first, last = spans[0][0] // width * width, spans[-1][1]
    rows = []
    for start in range(first, last, width):
        rows.append({"ts": start, "busy_share": length(clip(spans, start, start + width)) / width})
    return rows


def following():
    rows = []
    for stream in {k["args"]["stream"] for k in run.kernels}:
        row = [k for k in run.kernels if k["args"]["stream"] == stream]
        rows += [b | {"before": a["name"]} for a, b in zip(row, row[1:])
                 if a["dur"] < 10000 and b["dur"] < 10000]
    return sums(rows, by(before=lambda e: short(e["before"]), short=lambda e: short(e["name"])))


def straggler_rows():
    rows = collections.defaultdict(lambda: {"dur_sum": 0, "collectives": 0, "last": 0})
    for group in groups_of_ranks():
        for r in group:
            rows[r["rank"]]["dur_sum"] += r["dur"]
            rows[r["rank"]]["collectives"] += 1
    return [{"rank": rank, "dur_sum": row["dur_sum"], "collectives": row["collectives"]} for rank, row in rows.items()]


def bandwidths():
    rows = []
    for group in groups_of_ranks(1):
        if len(group) == 1:
            name, dtype, _, n = collective_key(group)
            rows.append({"name": name, "dtype": dtype, "size": n, "count": 0})
    keys = collections.defaultdict(list)
    for group in groups_of_ranks():
        keys[collective_key(group)].append(min(r["dur"] for r in group))
    for (name, dtype, size, n), latencies in keys.items():
        factor = 2 * (n - 1) / n if name == "all_reduce" else (n - 1) / n
        rows.append({"name": name, "dtype": dtype, "bytes": size, "size": n, "count": len(latencies),
                     "busbw_p50": factor * size / statistics.median(latencies)})
    return rows


def skews():
    keys = collections.defaultdict(list)
    for group in groups_of_ranks(1):
        times = [r["dur"] for r in group]
        args = group[0]["args"]
        keys[args["Process Group Description"], OPERATIONS[args["Collective name"]]].append(max(times) - min(times))
    return [{"desc": d, "name": n, "count": len(v), "skew_start_max": Near(max(v))} for (d, n), v in keys.items()]


def nsys_ranges():
    """Returns the busy time of the work that each range of report.json launched: the run of run.json.gz."""
    rows = []
    for e in run.of("user_annotation"):
        work = [w for w in run.work if e["ts"] <= w["call"]["ts"] < e["end"]]
        if work:
            rows.append({"name": e["name"], "busy": length(map(span, work)), "dur_sum": sum(w["dur"] for w in work),
                         "records": len(work)})
    return rows


def energy():
    samples = [json.loads(line) for line in open("power.ndjson")]
    return sum(a["args"]["value"] * (b["ts"] - a["ts"]) for a, b in zip(samples, samples[1:])) / 1e9


def serving():
    """Returns a row for each phase: tokens, and the time of the kernels whose launches are in its steps."""
    rows = []
    trace = Trace("serve.json.gz")
    for step in trace.of("user_annotation"):
        tokens = [int(n) for n in re.findall(r"\((\d+)\)", step["name"])]
        gpu = sum(k["dur"] for k in trace.kernels if step["ts"] <= k["call"]["ts"] < step["end"])
        rows.append({"phase": "prefill" if tokens[0] else "decode", "tokens": sum(tokens), "gpu": gpu,
                     "gpu_per_token": gpu / sum(tokens)})
    return rows


def chain_rows():
    inner, delay, last = critical_chain()
    inner[last["name"]] += delay + last["dur"]
    return [{"name": n, "weight_sum": w} for n, w in inner.items()] + [{"weight_sum": 0}]


def chain_parts():
    inner, delay, last = critical_chain()
    return [{"total": sum(inner.values()) + delay + last["dur"], "cpu": sum(inner.values()), "launch_delay": delay,
             "gpu_communication": last["dur"], "gpu_compute": 0, "kernel_delay": 0}]


def first_ts():
    return min(ns(e["ts"]) for e in run.all if "ts" in e and e["ph"] != "M")


def slow_part():
    start = first_ts() + 300000
    return sorted(k["name"] for k in run.kernels if k["ts"] < start + 100000 and k["end"] > start)


def missing():
    """Returns what torch.profiler did not record, and the options that were off."""
    has = {"Python stacks (with_stack=True)": run.of("python_function"),
           "shapes (record_shapes=True)": [e for e in run.of("cpu_op") if "Input Dims" in e["args"]],
           "memory (profile_memory=True)": memory(run)}
    return [name for name, events in has.items() if not events]


def slower_steps():
    """Returns for each step how much more time its kernels took than the first ones with their name and grid."""
    first, rows = {}, []
    for number, step in enumerate(run.steps, 1):
        times = collections.defaultdict(list)
        for k in run.kernels:
            if run.step_of(k) == step["name"]:
                times[k["name"], tuple(k["args"]["grid"])].append(k["dur"])
        expected = sum(len(ts) * first.setdefault(kind, statistics.mean(ts)) for kind, ts in times.items())
        rows.append({"step": number, "slower": sum(map(sum, times.values())) / expected})
    return rows


def compiled():
    """Returns the time and the calls of compiled regions, with the largest number of a recompilation, and look-ups."""
    rows = collections.defaultdict(list)
    for e in stacks.of("cpu_op", name="Compiled|Dynamo"):
        what, _, number = e["name"].partition("/")
        rows[what].append((e["dur"], int(number or -1)))
    return [{"what": what, "count": len(es), "dur_sum": sum(dur for dur, _ in es)} |
            ({"recompilation_max": number} if number >= 0 else {})
            for what, es in rows.items() for number in [max(n for _, n in es)]]


def nvtx_domains(path):
    """Returns the number of ranges of each domain in an export of Nsight Systems: push/pop (59), start/end (60)."""
    events = [e["NvtxEvent"] for e in map(json.loads, open(path)) if "NvtxEvent" in e]
    count = collections.Counter(str(e["DomainId"]) for e in events if e["Type"] in (59, 60))
    return [{"args.DomainId": d, "count": n} for d, n in count.items()]


def copies():
    sizes = collections.defaultdict(list)
    for e in run.of("gpu_memcpy"):
        sizes[e["args"]["bytes"]].append(e["args"]["bytes"] / e["dur"])
    return [{"bytes": b, "count": len(rates), "rate_mean": statistics.mean(rates)} for b, rates in sizes.items()]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


STEP2 = [k for k in run.kernels if run.step_of(k) == "ProfilerStep#2"]
PRODUCTS = matrix_products()
OCCUPANCY = "est. achieved occupancy %"
EXPECTED = {
    1: lambda: {"report.html": [f"{sum(k['dur'] for k in run.kernels if 'nccl' in k['name'])}"]},
    2: lambda: [{"text": "not recorded: " + ", ".join(missing())}],
    3: lambda: differences(lambda diff: {"diff": diff}),
    4: lambda: differences(lambda diff: {"by_calls": 0, "by_time": diff}),
    5: lambda: [{"name": n} for n in slow_part()],
    6: lambda: [{"count": 2, "dur_mean": mean(run.steps), "dur_std": statistics.stdev(s["dur"] for s in run.steps)}],
    7: lambda: [{m: p[m] for m in ("name", "dur", "compute_time", "comm_only")} for p in map(step_parts, run.steps)],
    8: lambda: [{m: p[m] for m in ("name", "idle", "busy_share")} for p in map(step_parts, run.steps)],
    9: lambda: [{"name": s["name"], "count": sum(run.step_of(k) == s["name"] for k in run.kernels)}
                for s in run.steps],
    10: lambda: [{m: row[m] for m in ("range", "dur_sum")} for row in
                 sums(joined_pieces(stacks, 1, (), start=stacks.steps[0]["ts"]), by(range=lambda p: p["range"]))],
    11: lambda: sums(stacks.of("user_annotation", name="DataLoader"), by(name=named),
                      dur_max=lambda es: max(e["dur"] for e in es)),
    12: lambda: windows(100000),
    13: lambda: sums(STEP2, by(name=named)),
    14: lambda: [{"short": short(n), f"{OCCUPANCY}_wmean": weighted(ks, OCCUPANCY)}
                for n in {k["name"] for k in run.kernels}
                for ks in [[k for k in run.kernels if k["name"] == n]]],
    15: lambda: [{f"{f}_wmean": weighted(run.kernels, f) for f in (OCCUPANCY, "blocks per SM")}],
    16: lambda: sums(run.kernels, by(**{f"args.{f}": lambda k, f=f: tuple(k["args"][f]) for f in ("grid", "block")})),
    17: slower_steps,
    18: following,
    19: lambda: sums([k for k in run.kernels if k["dur"] < 10000], by(op=op_of)),
    20: lambda: [{"shape": op["args"]["Input Dims"], "dur_sum": sum(k["dur"] for k in ks)}
                for op, ks in PRODUCTS.values()],
    21: lambda: [{"name": n, "count": 2, "flops_sum": 2 * flops(op)} for n, (op, _) in PRODUCTS.items()] +
                [{"name": "aten::clamp_min", "count": 2, "flops_sum": 2 * 256 * 512},
                 {"name": "aten::copy_", "count": 2, "flops_sum": 0}],
    22: lambda: [{"op": n, "flops": 2 * flops(op), "tflops_s": 2 * flops(op) / sum(k["dur"] for k in ks) / 1000}
                 for n, (op, ks) in PRODUCTS.items()] +
                [{"op": "aten::clamp_min", "flops": 2 * 256 * 512}],
    23: lambda: [{"module": r["module"], "dur": r["dur_sum"], "records": r["count"], "phase": r["phase"]} for r in
                 sums(stacks.kernels, by(module=lambda k: module_of(k)[11:], phase=lambda k: "forward" if
                                         forward_module(k) else "backward"))],
    24: lambda: [{"module": r["module"], "own_sum": r["dur_sum"]} for r in
                 sums(stacks.kernels, by(module=lambda k: module_of(k)[11:]))],
    25: lambda: sums(stacks.kernels, by(line=lambda k: line_of(k["call"]))),
    26: lambda: sums(run.kernels, by(phase=phase_of)),
    27: lambda: {"flame.svg": sorted({named(k).split("(")[0] for k in run.kernels if "::" not in named(k)})},
    28: compiled,
    29: lambda: sums(Trace("serve.json.gz").kernels, by(op=lambda _: Trace("capture.json.gz").of("cpu_op")[0]["name"])),
    30: lambda: sums(joined_pieces(run, 50000, ("cpu_op", "cuda_runtime")),
                    by(range=lambda p: p["range"], host=lambda p: p["host"])),
    31: lambda: sums([{"dur": b - a, "next": w["name"]} for a, b, w in gaps(run)], by(next=lambda g: g["next"])),
    32: lambda: sums(joined_pieces(run, 1, ("cuda_runtime",)), by(host=lambda p: p["host"])),
    33: lambda: [{"delay_p50": percentile(delays(), 50)}],
    34: lambda: [{"stream": s, "count": len(v), "mean": statistics.mean(v), "std": statistics.stdev(v), "max": max(v)}
                 for s in (7, 20) for v in [queue_values(s)]],
    35: lambda: sums(run.kernels, by(**{"api.tid": lambda k: k["call"]["tid"]})),
    36: lambda: sums(run.of("cuda_runtime", name="Synchronize"), by(name=named)),
    37: lambda: sums(stacks.of("cuda_runtime", name="Sync"), by(line=line_of, name=named)),
    38: wait_of_forward,
    39: chain_rows,
    40: chain_parts,
    41: copies,
    42: lambda: [{"ts": m["ts"], "args.Total Allocated": m["args"]["Total Allocated"]} for m in memory(run)],
    43: lambda: [{"peak_ts": m["ts"], "peak": m["args"]["Total Allocated"],
                  "peak_op": stacks.around(m, "cpu_op")["name"]}
                 for m in [max(memory(stacks), key=lambda m: m["args"]["Total Allocated"])]],
    44: lambda: [{"name": s["name"], "comm_only": exposed(s)} for s in run.steps],
    45: lambda: [{"collective": "all_reduce", "dur_sum": sum(map(exposed, run.steps)), "dur_share": 1}],
    46: bandwidths,
    47: straggler_rows,
    48: skews,
    49: nsys_ranges,
    50: lambda: nvtx_domains("report.json"),
    51: lambda: [{"joules_sum": energy()}],
    52: serving,
}


def asked(command):
    """Returns the command with NDJSON instead of a table."""
    command = command.replace("-o table", "-o ndjson").replace(" -t 10", "")
    if TABLES.match(command.rsplit("| ", 1)[-1]) and " -o " not in command:
        command += " -o ndjson"
    return command


def rows_of(text):
    if text.startswith("{"):
        return [json.loads(line) for line in text.splitlines()]
    if "," in text.partition("\n")[0]:
        return [{k: int(v) if v.isdigit() else v for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]
    return [{"text": line} for line in text.splitlines()]


def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, float):
        return abs(a - b) <= (5000 if isinstance(b, Near) else 1e-4 * max(abs(a), abs(b)))
    return list(a) == list(b) if isinstance(b, tuple) else a == b


def compare(expected, got):
    """Returns whether the rows have the expected members, in any order."""
    left = list(got)
    for row in expected:
        found = next((g for g in left if all(same(g.get(m), v) for m, v in row.items())), None)
        if found is None:
            return f"expected {row}"
        left.remove(found)
    return f"unexpected {left[0]}" if left else ""


answers = 0
lines = open(sys.argv[1]).read().splitlines()
for question, command in zip(lines[::2], lines[1::2]):
    number = int(re.match("# Q([0-9]+) ", question)[1])
    done = subprocess.run(["bash", "-o", "pipefail", "-c", asked(command)], capture_output=True, text=True, check=False)
    wanted = EXPECTED[number]()
    if isinstance(wanted, dict):
        wrong = next((f"{file}: no {t}" for file, ts in wanted.items() for t in ts if t not in text_of(file)), "")
    else:
        got = rows_of(done.stdout)
        if ">slow.json" in command:
            got = [e for e in events_of("slow.json") if e.get("cat") == "kernel"]
        wrong = compare(wanted, got)
    if wrong or done.returncode:
        print(f"{question}: status {done.returncode} {done.stderr}{wrong}\n  {done.stdout[:300]}")
    answers += not wrong
print(answers, "answers")
