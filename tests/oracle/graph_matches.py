#!/usr/bin/env python3
"""Makes captures and runs that replay them, and compares the output of graph-attach with what the runs replayed.

usage: graph_matches.py make FOLDER SEED [cuda]   writes capture.ndjson, run.ndjson and truth.ndjson
       graph_matches.py check FOLDER              compares standard input with the truth: prints how many kernels each
                                                  rule matched, and the matches that are wrong
       graph_matches.py golden FOLDER             compares standard input with kernels.csv of the folder
"""
import csv, json, os, random, sys

OPERATORS = [("mm", ["gemm"]), ("addmm", ["gemm", "reduce"]), ("norm", ["norm"]), ("copy_", ["(copy)"]),
             ("zero_", ["(set)"]), ("attention", ["attention", "reduce"]), ("moe", ["sort", "gemm", "gemm"])]


class Records:
    def __init__(self, path):
        self.file, self.lines = path, []

    def add(self, ts, dur, kind, name, **more):
        self.lines.append((ts, json.dumps({"ts": ts, "dur": dur, "kind": kind, "name": name, **more},
                                          separators=(",", ":"))))

    def save(self, shuffle):
        if shuffle:
            random.shuffle(self.lines)
        else:
            self.lines.sort(key=lambda line: line[0])
        with open(self.file, "w") as f:
            f.writelines(line + "\n" for _, line in self.lines)


def make_captures(folder, cuda):
    """Returns the nodes of each capture: operator, module, name of the kernel."""
    records, captures, ts, corr = Records(folder + "/capture.ndjson"), [], 1000, 1
    graphs = [[random.choice(OPERATORS) for _ in range(random.randint(3, 12))] for _ in range(random.randint(2, 5))]
    for equal in range(random.randint(0, 2)):
        graphs.insert(random.randrange(1, len(graphs)), graphs[random.randrange(len(graphs))])
    where = {"pid": 7, "tid": 7}
    for number, operators in enumerate(graphs):
        begin, nodes = ts, []
        records.add(ts, 5, "api", "hipStreamBeginCapture", corr=corr, **where)
        ts, corr = ts + 10, corr + 1
        for operator, kernels in operators:
            start = ts
            for kernel in kernels:
                name = {"(copy)": "hipMemcpyAsync", "(set)": "hipMemsetAsync"}.get(kernel, "hipLaunchKernel")
                args = {} if cuda or kernel[0] == "(" else {"args": {"kernel": kernel}}
                records.add(ts + 1, 2, "api", name, corr=corr, **where, **args)
                nodes.append((operator, "Layer_%d" % number, kernel))
                ts, corr = ts + 5, corr + 1
            records.add(start, ts - start, "op", operator, **where)
        records.add(ts, 2, "api", "hipLaunchKernel", corr=corr, **where, args={"kernel": "side"})
        records.add(ts + 9, 2, "kernel", "side", dev=0, stream=9, corr=corr)
        records.add(begin + 6, ts - begin - 6, "python", "nn.Module: Layer_%d" % number, **where)
        records.add(ts + 5, 5, "api", "hipStreamEndCapture", corr=corr + 1, **where)
        ts, corr = ts + 20, corr + 2
        captures.append(nodes)
    records.save(True)
    return captures


def make(folder, seed, cuda):
    random.seed(seed)
    captures = make_captures(folder, cuda)
    run, truth, ts, corr = Records(folder + "/run.ndjson"), [], 100000, 5000
    drop, insert, streams = random.choice([0, 0, 0.03]), random.choice([0, 0, 0.02]), random.choice([1, 1, 2])
    for step in range(random.randint(2, 6)):
        for number, nodes in enumerate(captures):
            if step == 0 and number < seed % len(captures):
                continue
            run.add(ts, 5, "api", "hipGraphLaunch", pid=7, tid=7, corr=corr)
            api = {"name": "hipGraphLaunch", "ts": ts, "dur": 5, "pid": 7, "tid": 7}
            ts += 10
            for node, (operator, module, kernel) in enumerate(nodes):
                for what in ["foreign"] * (random.random() < insert) + ["node"] * (random.random() >= drop):
                    name = "foreign" if what == "foreign" else kernel
                    kind = {"(copy)": "memcpy", "(set)": "memset"}.get(name, "kernel")
                    run.add(ts, 3, kind, name, dev=0, stream=node % streams, corr=corr, api=api, op="launcher")
                    truth.append([ts] + ([number, node, operator, module] if what == "node" else [None] * 4))
                    ts += 5
            corr += 1
        for stream in range(streams):
            run.add(ts, 3, "kernel", "between", dev=0, stream=stream, corr=corr, op="own")
            ts += 5
    run.save(False)
    with open(folder + "/truth.ndjson", "w") as f:
        f.writelines(json.dumps(line) + "\n" for line in truth)


def check(folder):
    truth = {line[0]: line[1:] for line in map(json.loads, open(folder + "/truth.ndjson"))}
    counts, wrong, lines = {}, 0, [line.rstrip("\n") for line in sys.stdin]
    run = [line.rstrip("\n") for line in open(folder + "/run.ndjson")]
    if len(lines) != len(run):
        print("records are missing")
    for line, before in zip(lines, run):
        record, old = json.loads(line), json.loads(before)
        if record["ts"] not in truth:
            wrong += line != before
            continue
        capture, node, operator, module = truth[record["ts"]]
        match = record["match"]
        counts[match] = counts.get(match, 0) + 1
        if {k: record.get(k) for k in old if k != "op"} != {k: v for k, v in old.items() if k != "op"}:
            wrong += 1
        if match in ("none", "ambiguous"):
            wrong += record.get("op", operator) != operator or record.get("module", module) != module
            wrong += "node" in record or (match == "none" and "op" in record)
        elif match != "count":  # number and kinds can be those of another capture, if the launch lost records
            wrong += [record["node"], record["op"], record["module"]] != [node, operator, module]
            wrong += record["ops"] != [operator] or record["modules"] != [module]
    print(json.dumps(counts, sort_keys=True), "wrong:", wrong)


def golden(folder):
    rows = list(csv.DictReader(open(folder + "/kernels.csv")))
    records = [r for r in map(json.loads, sys.stdin) if "match" in r]
    text = lambda value: "" if value is None else json.dumps(value, separators=(",", ":"))
    wrong = abs(len(rows) - len(records))
    for row, r in zip(rows, records):
        want = [row[k] for k in ("dur", "match", "capture", "node", "op", "ops", "modules", "dims", "kernel_file")]
        got = [str(r["dur"]), r["match"], str(r.get("capture", "")), str(r.get("node", "")), r.get("op", ""),
               " > ".join(r.get("ops", [])), " > ".join(r.get("modules", [])), text(r.get("dims")),
               r.get("kernel_file", "")]
        wrong += want != got
    print(len(rows), "kernels, wrong:", wrong)


if sys.argv[1] == "make":
    os.makedirs(sys.argv[2], exist_ok=True)
    make(sys.argv[2], int(sys.argv[3]), "cuda" in sys.argv[4:])
else:
    {"check": check, "golden": golden}[sys.argv[1]](sys.argv[2])
