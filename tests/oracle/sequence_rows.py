#!/usr/bin/env python3
"""Compares op-breakdown --sequences --hta with the rows that HolisticTraceAnalysis computed for recorded traces.

usage: sequence_rows.py
"""
import csv, json, os, subprocess
shared, count = os.environ["SHARED"], 0
for trace, operator, least in (("dlrm_a100_2022_control", "aten::linear", 2),
                               ("dlrm_a100_2022_control", "autograd::engine::evaluate_function", 3),
                               ("nccl", "aten::_foreach", 3), ("h100_qwen", "aten::linear", 2)):
    with open("%s/golden/sequences/%s/%s.csv" % (shared, trace, operator.replace("::", "_"))) as golden:
        want = [(r[0], int(r[1]), round(float(r[2]) * 1000), round(float(r[3]) * 1000))
                for r in list(csv.reader(golden))[1:]]
    run = subprocess.run(["op-breakdown", "--sequences", "--hta", "--min", str(least), "--operator", operator,
                          "-o", "ndjson", "%s/data/kineto/%s.json.gz" % (shared, trace)],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    got = [(r["pattern"], r["calls"], r["dur"], r["op_dur"]) for r in rows]
    if run.returncode or got != want:
        print(trace, operator, run.returncode, [pair for pair in zip(got, want) if pair[0] != pair[1]][:1])
    count += len(got)
print(count, "rows")
