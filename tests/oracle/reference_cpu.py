"""The answers of the guide `profiling deep learning frameworks` (items 004.N), computed from the files that it
describes."""
import collections
import csv
import os
import re

from reference_output import Difference, columns, same, shown, table

AVX512 = "avx512f avx512cd avx512bw avx512dq avx512vl".split()


def has_avx512():
    with open("/proc/cpuinfo") as f:
        flags = next((line.split(":")[1].split() for line in f if line.startswith("flags")), [])
    return all(flag in flags for flag in AVX512)


def blocks(out):
    """Returns the tables of a report by their titles."""
    parts = [part.split("\n", 1) for part in out.strip().split("\n\n")]
    return {title: table(rows) for title, rows in parts if " by " in title}


def check_platform(out):
    same(out.split()[:2], ["avx512", "yes" if has_avx512() else "no:"])


def check_onednn(folder, out):
    with open(folder + "/verbose.log") as f:
        log = f.read()
    version = re.search(r"info,(Intel MKL-DNN v\S+)", log)[1]
    isa = re.search(r"Detected ISA is (.*)", log)[1]
    same([" ".join(line.split()[1:]) for line in out.splitlines()[:2]], [version, isa])
    for name, keys in (("kind", ["prim"]), ("impl", ["prim", "impl"]), ("shape", ["prim", "shape"])):
        with open(f"{os.environ['SHARED']}/golden/onednn/mkldnn-v0.21.1-seed004.{name}.csv") as f:
            rows = [r for r in csv.DictReader(f) if r["op"] == "exec"]
        want = [[*(r[k] for k in keys), int(r["count"]), float(r["total_ms"]) * 1e6, float(r["share_pct"]) / 100]
                for r in rows]
        title = {"kind": "primitive"}.get(name, name)
        got = columns(blocks(out)["executions by " + title], *["name", title][:len(keys)], "count", "dur_sum",
                      "dur_share")
        shown([r[:-1] for r in got], [r[:-1] for r in want])
        if any(abs(a[-1] - b[-1]) > 0.0006 for a, b in zip(got, want)):
            raise Difference(f"shares {got}")


def check_threads(folder, out):
    """The command that tune-threads runs prints the number of threads to standard error."""
    rows = columns(table(out), "level", "threads", "runs", "failed", "speedup")
    with open(out.path.replace(".svg", ".err")) as f:
        printed = [int(line) for line in f.read().splitlines() if line.isdigit()]
    same(printed, [int(row[1]) for row in rows for _ in range(int(row[2]))])
    same(rows[0], [1, 1, 3, 0, 1])
    same(max(row[1] for row in rows), len(os.sched_getaffinity(0)))


def check_operators(folder, out):
    with open(folder + "/profile.txt") as f:
        rows = [line.split() for line in f if re.search(r"%.*ms", line)]
    want = [[r[0], float(r[2][:-2]) * 1e6, float(r[1][:-1]), float(r[4][:-2]) * 1e6] for r in rows]
    got = [[*line.split()] for line in out.splitlines()[1:]]
    same([[r[0], float(r[1]) * 1e6, float(r[2]), float(r[3]) * 1e6] for r in got], want)


def check_samples(folder, out):
    objects, symbols, threads = (collections.defaultdict(lambda: [0, 0]) for _ in range(3))
    with open(folder + "/samples.txt") as f:
        for line in f:
            match = re.match(r"\s*(.*\S)\s+(\d+)\s+[\d.]+:\s+(\d+) cpu-clock:\s+\S+ (.*?)(?:\+0x\w+)? "
                             r"\(([^)]*)\)", line)
            if match:
                comm, tid, period, symbol, dso = match.groups()
                dso = dso.rsplit("/", 1)[-1]
                symbol = f"[{dso}]" if symbol == "[unknown]" else symbol
                for rows, key in ((objects, (dso,)), (symbols, (symbol, dso)), (threads, (comm, float(tid)))):
                    rows[key] = [rows[key][0] + 1, rows[key][1] + int(period)]
    for view, rows, names in (("object", objects, ["dso"]), ("symbol", symbols, ["name", "dso"]),
                              ("thread", threads, ["comm", "tid"])):
        got = columns(blocks(out)["cpu-clock by " + view], *names, "count", "dur_sum")
        shown(sorted(got), sorted([*key, *row] for key, row in rows.items()))


ITEMS = {
    "2": lambda folder, outs: check_platform(outs[0]),
    "3": lambda folder, outs: check_onednn(folder, outs[0]),
    "4": lambda folder, outs: check_threads(folder, outs[0]),
    "5": lambda folder, outs: check_operators(folder, outs[0]),
    "6": lambda folder, outs: check_samples(folder, outs[0]),
}
STATUS = {} if has_avx512() else {"2": 1}
READ = str
