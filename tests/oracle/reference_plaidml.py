"""The answers of the notebook `Interactive Event Analysis` (items 002.N): the golden answers for the log, which an
independent reader of the format made, and the events in the log that can be found by their text."""
import csv
import gzip
import hashlib
import json
import os

from reference_output import Difference, columns, picture, same, shown, table

GOLDEN = "golden/plaidml/mnist_mlp_v1/"


class Log:
    def __init__(self, folder):
        self.folder = folder
        self.golden = f"{os.environ['SHARED']}/{GOLDEN}"
        with open(self.golden + "summary.json") as f:
            self.summary = json.load(f)

    def rows(self, name):
        with open(f"{self.golden}{name}.csv") as f:
            return list(csv.DictReader(f))

    def text(self, name):
        with open(self.golden + name) as f:
            return f.read()

    def build_sources(self):
        """Returns the uncompressed log, which contains the sources of all kernels."""
        with gzip.open(self.folder + "/eventlog.gz") as f:
            return f.read()


def check_records(log, out):
    verbs = {r["verb"]: int(r["count"]) for r in log.rows("verbs")}
    found = dict.fromkeys(verbs, 0)
    for line in out.splitlines():
        record = json.loads(line)
        if "ts" in record:
            found[record["cat"]] += 1
    same(found, verbs)


def check_kernels(log, out, order, count):
    golden = log.rows("kernels_by_" + order)
    rows = [r for r in columns(table(out), "name", "count", "dur_sum", "dur_mean", "dur_min", "dur_max")
            if not r[0].startswith("(")]
    want = [[r["kname"], *(float(r[n]) for n in ("count", "total_ns", "mean_ns", "min_ns", "max_ns"))] for r in golden]
    shown(rows, want[:count])


def check_source(out, want):
    same([len(out), hashlib.sha256(out.encode()).hexdigest()], [want["src_bytes"], want["src_sha256"]])


def check_program(log, out):
    same(out, log.text("top_mean_program.tile"))


def check_memory(log, out):
    title, *rows = out.splitlines()
    golden = log.rows("top_mean_allocs")
    same([[int(c) for c in row.split()] for row in rows[1:]], [[int(r["size"]), int(r["count"])] for r in golden])
    total = sum(int(r["size"]) * int(r["count"]) for r in golden)
    if f" {total} bytes of temporary memory in {sum(int(r['count']) for r in golden)} " not in title:
        raise Difference(f"{title} instead of {total} bytes")


def check_tree(log, out):
    golden, rows = log.rows("tree"), table(out)
    start, at = int(golden[0]["start_ns"]), out.index("label")
    depths = [(len(line[at:]) - len(line[at:].lstrip())) // 2 for line in out.splitlines()[1:]]
    same([[d, r["label"]] for d, r in zip(depths, rows)], [[int(r["depth"]), r["label"]] for r in golden])
    for row, r in zip(rows, golden):
        if abs(row["start_time"] - (int(r["start_ns"]) - start)) > 501 or abs(row["dur"] - int(r["elapsed_ns"])) > 501:
            raise Difference(f"{row} instead of {r}")


def check_list(log, out):
    want = [[int(r["idx"]), int(r["start_s"].replace(".", "")), int(r["elapsed_ns"]), int(r["tree_events"]),
             int(r["executing"]), int(r["mappings"])] for r in log.rows("invocations")]
    got = columns(table(out), "invocation", "ts", "dur", "records", "kernels", "mappings")
    same([r[:2] + r[3:] for r in got], [r[:2] + r[3:] for r in want], 1e-15)
    shown([r[2] for r in got], [r[2] for r in want])


def check_longest(log, out):
    """The source of the longest kernel of invocation 10 must be one of the log's sources, and of this kernel."""
    name = log.summary["tree"]["max_executing_kname"]
    if f"void {name}(" not in out or out.strip().encode() not in log.build_sources():
        raise Difference(f"not the source of {name}")


def check_device(log, out):
    got = dict(line.split(None, 1) for line in out.splitlines())
    device = log.summary["top_mean"]["device"]
    names = ("name", "vendor", "type", "max_compute_units", "max_mem_alloc_size", "local_mem_size", "driver_version")
    same([got[n].strip() for n in names], [str(device[n]) for n in names])
    same(len(json.loads(got["extension"])), device["extensions"])


def top(log, order):
    return [r["kname"] for r in log.rows("kernels_by_" + order)[:80]]


ITEMS = {
    "1": lambda log, outs: check_records(log, outs[0]),
    "2": lambda log, outs: check_kernels(log, outs[0], "total", 80),
    "3": lambda log, outs: check_kernels(log, outs[0], "mean", 1000),
    "4": lambda log, outs: picture(outs[0].path, top(log, "mean")),
    "5": lambda log, outs: check_source(outs[0], log.summary["top_mean"]),
    "6": lambda log, outs: check_program(log, outs[0]),
    "7": lambda log, outs: check_kernels(log, outs[0], "total", 80),
    "8": lambda log, outs: picture(outs[0].path, top(log, "total")),
    "9": lambda log, outs: check_source(outs[0], log.summary["top_total"]),
    "10": lambda log, outs: check_program(log, outs[0]),
    "11": lambda log, outs: check_memory(log, outs[0]),
    "12": lambda log, outs: check_program(log, outs[0]),
    "13": lambda log, outs: (check_tree(log, outs[0]), check_list(log, outs[1])),
    "14": lambda log, outs: picture(outs[0].path, [r["label"] for r in log.rows("tree")]),
    "15": lambda log, outs: check_longest(log, outs[0]),
    "16": lambda log, outs: check_device(log, outs[0]),
    "17": lambda log, outs: check_source(outs[0], log.summary["top_mean"]),
}
READ = Log
