#!/usr/bin/env python3
"""Compares the answers of the two lines of each pair of the cookbook, run in the current folder.

usage: cookbook_answers.py PAIRS

PAIRS is a file with the lines of the cookbook: the line of another tool or a question as a comment, then ours. Runs the
pairs whose tool is jq, Miller, datamash, awk, Python or pandas. Prints the pairs that differ, those that are neither
compared, nor listed in NOT_RUN, nor questions, and at the end the number of compared pairs, and of those whose tool is
not installed.
"""
import collections
import csv
import gzip
import heapq
import io
import json
import math
import re
import shutil
import subprocess
import sys

try:
    import pandas
except ImportError:
    pandas = None

MEASURES = ["count", "mean", "std", "min", "p25", "p50", "p75", "max"]

# Lines of other tools that are not run: the beginning of the line, and the reason.
NOT_RUN = {
    "part of a trace, for Perfetto": "a question",
    "a part to share": "a question",
    "the kernels launched in a range": "a question",
    "the same": "a variant of the preceding pair",
    "plt.hist": "a picture",
    'df["name"].map(rules)': "rules are not given",
    "df.to_markdown()": "needs the package tabulate",
    "for ": "a sketch of a loop",
    "GPU time": "a question",
    "re.search(": "a sketch; notebook.t compares with a notebook",
    "prof.": "needs PyTorch; op-scripts.t compares with its tables",
    "TraceLens:": "needs TraceLens; scripts/ranks.t compares with golden files",
    "TraceLens: the all-to-all": "needs TraceLens; rank-scores.t compares with a sum of the split sizes",
    "all ranks of a job": "a question",
    "StragglerAnalysis": "needs its traces; what-if.t compares with published figures",
    "nvidia_resiliency_ext": "needs NVRx; rank-scores.t compares with golden files",
    "StageFrontier": "needs its recordings; rank-scores.t compares with the example of its definition",
    "tlparse:": "needs tlparse; provenance.t compares with golden files",
    "with FlopCounterMode()": "needs PyTorch; op-flops.t counts operations one by one",
    "MFU; TFLOP/s": "a question; roofline.t compares with golden files",
    "plt.loglog": "a picture",
    "split_inference(trace)": "needs TraceLens; inference-steps.t compares with golden files",
    "the ten longest steps": "a variant of the preceding pair",
    "a bar for each step": "a picture",
    "steps by ranges of your own": "a question; inference-steps.t counts them",
    "torchfrtrace": "needs PyTorch; hangs.t compares with golden files",
    "TraceAnalysis.": "needs Holistic Trace Analysis; kineto-reports.t compares with its tables",
    "TraceDiff": "needs Holistic Trace Analysis",
    "overheads[": "a sketch; op-overheads.t compares with the reference",
    "json.dump(": "a sketch of a file; ndjson2trace.t and op-overheads.t read it",
    "QPS = ": "a sketch",
    "trim_trace_by_num_iter(": "needs the source of its author",
    "nvidia-smi": "needs a GPU",
    "torch_tb_profiler": "needs TensorBoard; gpu-busy-within.t compares with known figures",
    "the longest idle intervals": "a question",
    "the time by what kernels do": "a question",
    "nsys ": "needs Nsight Systems; the tests of nsys-* compare with its tables",
    "grep -A9": "prints text for people",
    "the values of clSetKernelArg": "a question",
    "perf report": "needs a recording",
    "perf script": "needs stackcollapse-perf.pl, whose licence differs; perf.t compares with its output",
    "sorting the profiler's": "a question",
    "plaidml:": "a question",
    "a trace that grows": "has no end",
}


def shell(command, text=None):
    return subprocess.run(["sh", "-c", command], input=text, stdout=subprocess.PIPE, check=False,
                          universal_newlines=True).stdout


def objects(text):
    """Returns the objects of NDJSON, or of the lists that jq and Miller print."""
    decoder, found, at, text = json.JSONDecoder(), [], 0, text.strip()
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        found += value if isinstance(value, list) else [value]
        while at < len(text) and text[at].isspace():
            at += 1
    return found


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def cells(text, separator=",", header=True):
    """Returns the rows of a table as lists; numbers are floats."""
    rows = [[number(c) for c in row] for row in csv.reader(io.StringIO(text), delimiter=separator)]
    return rows[1:] if header else rows


def column(*names):
    """Returns a function that returns these members of the objects in a text."""
    def of(text):
        return [[record.get(name) for name in names] for record in objects(text)]
    return of


def plain(value):
    """Returns a value of pandas as JSON has it: None if it is missing."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and math.isnan(value):
        return None
    return value.item() if hasattr(value, "item") else value


def frame(*names):
    """Returns a function that returns these columns of a data frame."""
    def of(df):
        return [[plain(row[name]) for name in names] for row in df.to_dict("records")]
    return of


def indexed(value):
    """Returns the rows of a series or data frame, with the index before the values."""
    value = value.to_frame() if isinstance(value, pandas.Series) else value
    return [[*(plain(list(i)) if isinstance(i, tuple) else [plain(i)]), *plain(list(row))]
            for i, row in zip(value.index, value.values.tolist())]


def one_row(series):
    return [[plain(v) for v in series.tolist()]]


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return a == b


def in_order(rows):
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def table_columns(text):
    """Returns the rows of a table for people, whose columns are at least two spaces apart, without the header."""
    return [re.split(r" {2,}", line.strip()) for line in text.splitlines()[1:]]


def calls(text):
    return shell("filter-calls -k api run.ndjson | ndjson2table -f name -o raw")


def names_and_times(text):
    return shell("filter-calls -w dur run.ndjson | ndjson2table -f name,dur -o tsv | sed 1d")


WHOLE = (column("ts", "dur", "kind", "name"), frame("ts", "dur", "kind", "name"))
# Each key is the beginning of the other tool's line. Its value has the functions that read our answer and the answer of
# this tool, and whether the order of the rows counts. For shell tools, a third function gives their input if it is not
# run.ndjson.
PAIRS = {
    "df.kind.value_counts": (lambda t: [[k, float(n)] for k, n in table_columns(t)], indexed, False),
    'df[df.kind == "kernel"].dur.describe': (column(*MEASURES), one_row, True),
    "df.dtypes": (lambda t: [[r["field"]] for r in objects(t) if "." not in r["field"] and "[" not in r["field"]],
                  lambda types: [[name] for name in types.index], False),
    "df.head": (lambda t: [[line.split(None, 1)[1]] for line in t.splitlines() if line.startswith("name ")],
                frame("name"), True),
    "jq -c 'select": (objects, objects, True),
    'json.load(f)["traceEvents"]': (lambda t: [[r["name"]] for r in objects(t) if "dur" in r and "src" not in r],
                                    lambda events: [[e["name"]] for e in events if e["ph"] == "X"], False),
    "df[~": (*WHOLE, True),
    "df[df.name.str": (*WHOLE, True),
    "df[(df.ts": (*WHOLE, True),
    "mlr --json": (objects, objects, True),
    "jq -c": (objects, objects, True),
    "len(": (lambda t: [[int(t)]], lambda n: [[n]], True),
    "df[df.dur.notna()]": (column("name", "count", "dur_sum", "dur_mean", "dur_min", "dur_max"), indexed, False),
    'df.groupby("name").dur.sum': (column("name", "dur_sum"), indexed, True),
    'df.groupby(["kind"': (lambda t: [[r["kind"], r.get("stream"), r.get("dur_" + q)]
                                      for r in objects(t) for q in ("p50", "p99")],
                           lambda series: [[k, s, v] for k, s, q, v in indexed(series)], False),
    'df.groupby("name").dur.std': (lambda t: [r for r in column("name", "dur_std")(t) if r[1] is not None],
                                   lambda series: [r for r in indexed(series) if r[1] is not None], False),
    'df[df.kind == "memcpy"].groupby': (lambda t: [[r["ts/10ms"] // 10**7, r["count"], r["bytes_sum"]]
                                                   for r in objects(t)], indexed, False),
    'df[df.kind == "kernel"].dur.quantile': (lambda t: [[v] for v in column("p25", "p50", "p75", "p99")(t)[0]],
                                             lambda series: [[v] for v in series.tolist()], True),
    "mlr --ijson": (cells, cells, False),
    "jq -s": (lambda t: [[r["name"], r["count"]] for r in objects(t)],
              lambda t: [[r["name"], r["n"]] for r in objects(t)], False),
    "datamash": (lambda t: cells(t, "\t"), lambda t: cells(t, "\t", False), False, names_and_times),
    "df.name.nunique": (column("name_distinct"), lambda n: [[n]], True),
    "df.sort_values": (lambda t: [[float(row[0]), row[-1]] for row in table_columns(t)], frame("ts", "name"), True),
    'df[["ts"': (cells, cells, True),
    "(df.bytes / df.dur)": (column(*MEASURES), one_row, True),
    'df[df.kind == "kernel"].groupby("stream")': (column("between"), lambda s: [[plain(v)] for v in s.tolist()], True),
    'df[df.kind == "memcpy"].bytes.cumsum': (column("copied"), lambda s: [[plain(v)] for v in s.tolist()], True),
    "awk '{ n[$1]++": (column("n"), lambda t: [[int(n)] for n in t.split()], True, calls),
    "awk -F, '$4": (lambda t: [[row["name"], float(row["dur_sum"]) / 1e6] for row in csv.DictReader(io.StringIO(t))],
                    lambda t: [[line.split()[0], float(line.split()[1])] for line in t.splitlines()], False, str),
    "kernels.merge": (lambda t: [[r["name"], r["api"]["name"]] for r in objects(t) if "api" in r],
                      frame("name_x", "name_y"), False),
    "(k.ts - l.ts)": (column(*MEASURES), one_row, True),
    'df[df.kind == "kernel"]': (*WHOLE, True),
    'df[df.kind == "kernel"].merge(classes': (lambda t: [[r["name"], r.get("class")] for r in objects(t)],
                                              frame("name", "class"), False),
    "sorted(": (column("name"), lambda events: [[e["name"]] for e in events], False),
    "heapq": (objects, list, True),
}


def names():
    """Returns the variables of the notebook."""
    with open("run.ndjson") as lines:
        records = [json.loads(line) for line in lines]
    with gzip.open("run.json.gz") as f:
        events = json.load(f)["traceEvents"]
    found = {"records": records, "events": events, "heapq": heapq, "json": json,
             "t0": min(r["ts"] for r in records if "ts" in r), "f": io.StringIO(json.dumps({"traceEvents": events}))}
    if pandas:
        df = pandas.DataFrame(records)
        kernels, runtime = (df[df.kind == kind].rename(columns={"corr": "correlation"}) for kind in ("kernel", "api"))
        found["classes"] = pandas.read_json("classes.ndjson", lines=True)
        found.update(df=df, kernels=kernels, runtime=runtime, k=kernels.set_index("correlation"),
                     l=runtime.set_index("correlation"))
    return found


def longest(table, text):
    """Returns the longest key of the table with which the text begins, or None."""
    return max((key for key in table if text.startswith(key)), key=len, default=None)


def main():
    variables, compared, missing = names(), 0, collections.Counter()
    with open(sys.argv[1]) as f:
        lines = f.read().splitlines()
    used = set()
    for theirs, ours in zip(lines[::2], lines[1::2]):
        theirs = theirs[2:]
        if theirs.endswith("?"):  # a question
            continue
        pair, reason = longest(PAIRS, theirs), longest(NOT_RUN, theirs)
        if pair is None or reason is not None and len(reason) > len(pair):
            used.add(reason)
            if reason is None:
                print(f"neither compared nor listed: {theirs}")
            continue
        used.add(pair)
        read, read_other, ordered, *give = PAIRS[pair]
        tool = theirs.split()[0]
        if tool in ("jq", "mlr", "datamash", "awk"):
            if not shutil.which(tool):
                missing[tool] += 1
                continue
            if give:
                other = shell(re.sub(r"': .*", "'", theirs), give[0](""))
            else:
                other = shell(theirs + " run.ndjson")
        else:
            if not pandas and re.search(r"\b(df|kernels|k)\b", theirs):
                missing["pandas"] += 1
                continue
            other = eval(re.sub(r": [a-z ]*$", "", theirs), variables)
        want, got = read_other(other), read(shell(ours))
        if not ordered:
            want, got = in_order(want), in_order(got)
        if not want or not same(want, got):
            print(f"# {theirs}\n{ours}\n  {len(want)} and {len(got)} rows")
            for a, b in [(a, b) for a, b in zip(want, got) if not same(a, b)][:3]:
                print(f"  {str(a)[:150]}\n  {str(b)[:150]}")
        compared += 1
    for key in sorted((PAIRS.keys() | NOT_RUN.keys()) - used):
        print(f"no line begins with: {key}")
    print(compared, "pairs", *(f"without {n} of {tool}" for tool, n in sorted(missing.items())))


main()
