#!/usr/bin/env python3
"""The records of a Kineto trace, computed with Python's json, compared with those of trace2ndjson.

usage: kineto_records.py TRACE RECORDS
Prints the differences and writes the file "sums". Numbers are stored as text, so that all 19 digits are compared;
times are decimals.
"""
import itertools, json, sys
from decimal import Decimal

from traces import opened

class Number(str):
    pass

def parse(text):
    return json.loads(text, parse_int=Number, parse_float=Number)

KINDS = {
    "op": "cpu_op Operator",
    "api": "cuda_runtime cuda_driver Runtime xpu_runtime xpu_driver mtia_runtime glow_runtime hpu_op "
           "privateuse1_runtime privateuse1_driver",
    "kernel": "kernel Kernel mtia_ccp_events",
    "memcpy": "gpu_memcpy Memcpy",
    "memset": "gpu_memset Memset",
    "sync": "cuda_sync xpu_sync",
    "python": "python_function",
    "range": "user_annotation",
    "gpu_range": "gpu_user_annotation",
    "other": "Trace overhead cuda_event external_correlation collective_comm cuda_profiler_range "
             "xpu_scope_profiler mtia_insight",
}
KIND_OF = {cat: kind for kind, cats in KINDS.items() for cat in cats.split()}
PHASES = {"M": "meta", "C": "counter", "s": "flow", "t": "flow", "f": "flow", "i": "mark", "I": "mark"}
NONE = -1, 4294967295
ENDS = {"H": "h", "M": "h", "D": "d", "P": "p"}

def whole(v):
    """Returns an integer, which may be in quotes and then in hexadecimal; None when the value is not an integer."""
    if v is None or isinstance(v, (list, dict, bool)):
        return None
    try:
        return int(v, 16) if v.startswith("0x") and not isinstance(v, Number) else int(v)
    except ValueError:
        return None

def thread(v):
    n = whole(v)
    return v if n is None else n

def ns(v):
    exact = Decimal(v) * 1000
    assert exact == int(exact), v
    return int(exact)

def record(event, rank):
    event = dict(event)
    args = event.get("args")
    if not isinstance(args, dict):
        args = {}
    ph, cat, name = event.get("ph", "X"), event.get("cat"), event.get("name")
    kind = PHASES.get(ph) or (KIND_OF.get(cat, "range") if ph in list("XBE") else "other")
    if event.get("pid") in ("CPU functions", "CUDA functions") and cat is None:
        kind = "op" if event["pid"] == "CPU functions" else "kernel"
    if "ts" not in event and kind != "meta":
        kind = "other"
    want = {"kind": kind}
    for member in "name", "cat", "id", "args":
        if member in event:
            want[member] = event.pop(member)
    for member in "ts", "dur":
        if member in event:
            want[member] = ns(event.pop(member))
    if rank is not None:
        want["rank"] = rank
    if kind in ("kernel", "memcpy", "memset", "sync", "gpu_range"):
        dev = whole(event.get("pid"))
        stream = whole(args.get("stream"))
        tid = event.pop("tid", None)
        if dev is not None:
            want["dev"] = dev
            del event["pid"]
            if stream is None:
                stream = whole(tid.removeprefix("stream "))
        elif whole(tid) is not None:
            want["dev"] = whole(tid)
        if stream is not None and stream not in NONE:
            want["stream"] = stream
    else:
        for member in "pid", "tid":
            if member in event:
                want[member] = thread(event.pop(member))
    corr = whole(args.get("correlation"))
    if corr and corr not in NONE:
        want["corr"] = corr
    size = whole(args.get("bytes"))
    if size is not None and kind in ("memcpy", "memset", "kernel", "api"):
        want["bytes"] = size
    if kind == "memcpy" and name.startswith("Memcpy ") and name[8:10] == "to":
        want["copy"] = ENDS[name[7]] + "2" + ENDS[name[10]]
    if kind == "python":
        for member, arg in ("id", "Python id"), ("parent", "Python parent id"):
            if whole(args.get(arg)) is not None:
                want[member] = whole(args[arg])
    if ph == "X":
        event.pop("ph", None)
    if event:
        want["src"] = event
    return want

def expected(trace):
    if isinstance(trace, list):
        trace = {"traceEvents": trace}
    rank = None
    for key, value in trace.items():
        if key == "traceEvents":
            for event in value:
                yield record(event, rank)
            continue
        if key == "distributedInfo" and "rank" in value:
            rank = int(value["rank"])
        meta = {"kind": "meta", "name": key, "args": value if isinstance(value, dict) else {"value": value}}
        if rank is not None:
            meta["rank"] = rank
        yield meta

def plain(record):
    """Converts the numbers outside of args and src to integers."""
    return {m: int(v) if isinstance(v, Number) else v for m, v in record.items()}

def write_sums(events, path):
    """Writes one line for each category, in the order of their names: cat,count,sum of the durations."""
    cats = {}
    for event in events:
        if "cat" in event:
            row = cats.setdefault(event["cat"], [0, 0])
            row[0] += 1
            row[1] += ns(event.get("dur", "0"))
    with open(path, "w") as f:
        for cat, (count, total) in sorted(cats.items()):
            print(cat, count, total, sep=",", file=f)

def main(path, records):
    trace = parse(opened(path, "rb").read())
    write_sums(trace if isinstance(trace, list) else trace["traceEvents"], "sums")
    members = "ts dur kind name cat rank pid tid dev stream corr id parent bytes copy args src".split()
    wrong = n = 0
    for want, line in itertools.zip_longest(expected(trace), open(records, "rb")):
        got = parse(line) if line else None
        n += 1
        ordered = got is None or list(got) == [m for m in members if m in got]
        if want is None or got is None or not ordered or plain(want) != plain(got):
            wrong += 1
            if wrong <= 5:
                print(f"expected {want}\ngot      {line}")
    if wrong or not n:
        print(f"{wrong} records of {n} differ")

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
