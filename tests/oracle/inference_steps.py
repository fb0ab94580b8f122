#!/usr/bin/env python3
"""Computes the steps of inference of joined records, with regular expressions and without any bound on memory.

usage: inference_steps.py make SEED >RECORDS      makes a random trace
       inference_steps.py check RECORDS <ROWS     compares the rows of inference-steps --each -o ndjson
       inference_steps.py golden CSV [KEY=VALUE]... <ROWS   compares them with the rows of a table with these values
"""
import csv, json, random, re, statistics, sys
from fractions import Fraction

N = r"(\d+)"
FULL = rf"{N}\(sq{N}sk{N}sqsq\d+sqsk\d+\)"
NO_CONTEXT, NO_GENERATION = {"C": 0, "A": 0, "B": 0}, {"G": 0, "F": 0, "H": 0}
GRAMMARS = [  # family, writer, class, expression, names of the groups, counts that follow
    ("vllm", 1, 0, rf"execute_\d+_context_{FULL}_generation_{FULL}", "C A B G F H", {}),
    ("atom", 2, 0, rf"prefill\[bs={N} tok={N} ctx=\[[^]]*\](?:\.\.\.\+\d+)? sqsq=\d+ sqsk=\d+ sk={N}(?: tbo=1)?\]",
     "C A B", NO_GENERATION),
    ("sglang", 3, 0, rf"step\[DECODE bs={N} g_sq={N} g_sqsq=\d+ g_sqsk=\d+ g_sk={N}\]", "G F H", NO_CONTEXT),
    ("sglang", 3, 1, rf"step\[EXTEND bs={N} toks={N}\]", "C A", NO_GENERATION),
    ("sglang", 3, 1, rf"step\[DECODE bs={N}\]", "G", {**NO_CONTEXT, "F": "G"}),
    ("sglang", 3, 1, r"step\[[A-Z][A-Z0-9_]* bs=\d+\]", "", {}),
    ("atom", 2, 1, rf"decode\[bs={N}(?:/\d+)? tok={N} d=\d+\]", "G F", NO_CONTEXT),
    ("trtllm", 4, 1, rf"\[Executor\] _forward_step \d+: {N} ctx reqs, {N} gen reqs", "C G", {"F": "G"}),
    ("vllm", 5, 1, rf"execute_context_{N}\({N}\)_generation_{N}\({N}\)", "C A G F", {}),
    ("vllm", 6, 2, rf"execute_new_{N}_cached_{N}", "C G", {"unknown": 1}),
]


def read_mark(name):
    for family, writer, rank, regex, names, more in GRAMMARS:
        found = re.fullmatch(regex, name)
        if found:
            counts = dict(zip(names.split(), map(int, found.groups())))
            counts.update({k: counts[v] if isinstance(v, str) else v for k, v in more.items()})
            if family == "trtllm" and counts["C"] == 0:
                counts["A"] = 0
            return family, writer, rank, counts
    return None


def mark_names(kind, r, step):
    """Returns the names of the marks of a step."""
    g, c = r.randrange(0, 5), r.randrange(0, 2)
    if kind == "both":
        return ["step[DECODE bs=%d]" % g,
                "execute_%d_context_0(sq0sk0sqsq0sqsk0)_generation_%d(sq%dsk%dsqsq1sqsk1)" % (g, g, g, 50 * g)]
    return {"vllm": ["execute_context_%d(%d)_generation_%d(%d)" % (c, 9 * c, g, g)],
            "sglang": [r.choice(["step[EXTEND bs=1 toks=7]", "step[DECODE bs=%d]" % g, "step[TARGET_VERIFY bs=2]",
                                 "step[DECODE bs=3 g_sq=3 g_sqsq=9 g_sqsk=9 g_sk=12]"])],
            "trtllm": ["[Executor] _forward_step %d: %d ctx reqs, %d gen reqs" % (step, c, g)],
            "new": ["execute_new_%d_cached_%d" % (c, g)]}.get(kind, [])


def make(seed):
    r, out, t, corr, busy = random.Random(seed), [], 1000, 0, {}
    kind = r.choice(["vllm", "both", "sglang", "none", "repeat", "trtllm", "new"])
    repeat = kind == "repeat"
    for step in range(r.randrange(1, 12)):
        for k, name in enumerate(mark_names(kind, r, step)):
            out.append({"ts": t + k, "dur": r.randrange(0, 60), "kind": "range", "name": name, "pid": 7,
                        "tid": 7 + k * r.randrange(2)})
        for call in range(3 if repeat else r.randrange(0, 4)):
            corr, t = corr + 1, t + r.randrange(1, 40)
            api = {"name": "hipGraphLaunch" if repeat else r.choice(["hipGraphLaunch", "cudaLaunchKernel"]), "ts": t,
                   "dur": 5, "pid": 7 if repeat else r.choice([7, 7, 7, 8]), "tid": 7}
            for k in range(call + 1 if repeat else r.randrange(1, 4)):
                stream = 0 if repeat else r.randrange(2)
                start = max(busy.get(stream, 0), t + r.randrange(0, 300))
                record = {"ts": start, "dur": r.randrange(1, 50), "kind": "kernel", "dev": 0, "stream": stream,
                          "corr": corr, "name": "k%d" % (k if repeat else r.randrange(3)), "api": api}
                if not repeat and r.random() < .05:
                    del record["api"]
                busy[stream] = start + record["dur"]
                out.append(record)
        t += r.randrange(50, 200)
    for record in sorted(out, key=lambda x: (x["ts"], -x["dur"])):
        print(json.dumps(record, separators=(",", ":")))


def begins_of_marks(records):
    marks = [(e, read_mark(e["name"])) for e in records if e["kind"] == "range"]
    marks = [m for m in marks if m[1]]
    if not marks:
        return {}
    best = min(m[2] for _, m in marks)
    writers = [m[1] for _, m in marks if m[2] == best]
    writer = max(sorted(set(writers)), key=writers.count)
    outer, begins = {}, {}
    for e, m in marks:
        if m[1] != writer:
            continue
        before = outer.get(e["tid"])
        if before and e["ts"] + e["dur"] <= before[1] and (e["ts"] < before[1] or e["ts"] == before[0]):
            continue
        outer[e["tid"]] = (e["ts"], e["ts"] + e["dur"])
        begins.setdefault(e["pid"], []).append((e["ts"], m[0], e["name"], m[3]))
    return begins


def begins_of_launches(work):
    lists, begins = {}, {}
    for e in work:
        if "GraphLaunch" in e.get("api", {}).get("name", ""):
            lists.setdefault((e["api"]["pid"], e["api"]["ts"], e["corr"]), []).append(e["name"])
    for pid in sorted({k[0] for k in lists}):
        keys = sorted(k for k in lists if k[0] == pid)
        names, times, n = [lists[k] for k in keys], [k[1] for k in keys], len(keys)
        period = next((p for p in range(1, n // 2 + 1) if all(names[i] == names[i + p] for i in range(n - p))), 0)
        by, first = ("graphs", 0) if period else ("graph launches", 0)
        if period:
            pauses = [[times[i] - times[i - 1] for i in range(q or period, n, period)] for q in range(period)]
            first = max(range(period), key=lambda q: (statistics.median_high(pauses[q]) if pauses[q] else -1, -q))
        begins[pid] = [(times[i], by, None, {}) for i in range(first, n, period or 1)]
    return begins


def union(intervals, low, high):
    total, reach = 0, low
    for a, b in sorted(intervals):
        a, b = max(a, reach), min(b, high)
        total, reach = total + max(0, b - a), max(reach, b)
    return total


def rounded(value, digits):
    return float(round(value, digits))


def steps_of(records):
    work = [e for e in records if e["kind"] == "kernel"]
    every = [(e["ts"], e["ts"] + e["dur"]) for e in work]
    begins = begins_of_marks(records) or begins_of_launches(work)
    for pid, list_ in begins.items():
        end = None
        for i, (ts, by, mark, c) in enumerate(list_):
            until = list_[i + 1][0] if i + 1 < len(list_) else float("inf")
            mine = [e for e in work if e.get("api", {}).get("pid") == pid and ts <= e["api"]["ts"] < until]
            own = [(e["ts"], e["ts"] + e["dur"]) for e in mine]
            row = {"pid": pid, "step": i, "by": by, "ts": ts, "device_records": len(mine),
                   "gpu": sum(b - a for a, b in own)}
            row.update({"mark": mark} if mark else {}, **({"host": until - ts} if until < float("inf") else {}))
            row["gpu_busy"] = union(own, -1, float("inf"))
            row["graph_gpu"] = sum(e["dur"] for e in mine if "Graph" in e["api"]["name"])
            for name, graph in (("graphs", True), ("calls", False)):
                row[name] = len({(e["corr"], e["api"]["ts"]) for e in mine if ("Graph" in e["api"]["name"]) == graph})
            both = lambda a, b: {} if c.get(a) is None or c.get(b) is None else c[a] + c[b]
            sums = {"requests": both("C", "G"), "tokens": both("A", "F"), "context_tokens": both("B", "H"),
                    "context_requests": c.get("C", {}), "generation_requests": c.get("G", {}),
                    "context_new": c.get("A", {}), "generation_new": c.get("F", {})}
            row.update({k: v for k, v in sums.items() if v != {}})
            row["phase"] = "unknown"
            if "unknown" not in c and sums["requests"] != {}:
                row["phase"] = ["idle", "decode", "prefill", "mixed"][2 * (c["C"] > 0) + (c["G"] > 0)]
            if mine:
                start = end if end is not None else min(own)[0]
                end = max([b for _, b in own] + ([end] if end is not None else []))
                row.update(wall=end - start, wall_busy=union(every, start, end))
                if row["wall"]:
                    row["busy"] = rounded(Fraction(row["wall_busy"], row["wall"]), 6)
                    if "tokens" in row:
                        row["tokens_per_s"] = rounded(Fraction(row["tokens"] * 10**9, row["wall"]), 3)
            if row.get("tokens"):
                row["gpu_per_token"] = rounded(Fraction(row["gpu_busy"], row["tokens"]), 3)
            yield row


def compare(got, want, names=None):
    wrong = abs(len(got) - len(want))
    for g, w in zip(got, want):
        for name in names or sorted(set(g) | set(w)):
            if g.get(name) != w.get(name):
                wrong += 1
                print("step", w.get("step"), name, g.get(name), "not", w.get(name))
    print(len(want), "steps, wrong:", wrong)


def golden(path, conditions):
    number = lambda v: float(v) if "." in v else int(v)
    want = []
    for row in csv.DictReader(open(path)):
        if all(row[k] == v for k, v in conditions):
            want.append({k: v if k in {"by", "mark", "phase"} else number(v) for k, v in row.items()
                         if v != "" and k not in ("setting", "rank")})
    got = [json.loads(line) for line in sys.stdin]
    compare(got, want, sorted({k for w in want for k in w}))


if sys.argv[1] == "make":
    make(int(sys.argv[2]))
elif sys.argv[1] == "check":
    rows = [json.loads(line) for line in sys.stdin]
    for one in rows:
        one.pop("kind")
    key = lambda row: (row["pid"], row["step"])
    compare(sorted(rows, key=key), sorted(steps_of([json.loads(line) for line in open(sys.argv[2])]), key=key))
else:
    golden(sys.argv[2], [c.split("=", 1) for c in sys.argv[3:]])
