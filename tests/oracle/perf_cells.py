#!/usr/bin/env python3
"""The cells in the output of perf data convert, stat, report and top, compared with the records of trace2ndjson.

usage: perf_cells.py FOLDER/
"""
import csv, json, re, subprocess, sys
from decimal import Decimal
folder = sys.argv[1]
def records(name):
    out = subprocess.run(["trace2ndjson", folder + name], capture_output=True, check=True).stdout
    return [json.loads(l, parse_float=Decimal) for l in out.splitlines()]
# convert
doc = json.load(open(folder + "perf-convert.json"))
got = [r for r in records("perf-convert.json") if r["kind"] == "sample"]
for s, r in zip(doc["samples"], got, strict=True):
    chain = s["callchain"][::-1]
    assert r["ts"] == s["timestamp"]
    assert all(r[member] == s[member] for member in ("pid", "tid", "cpu", "comm"))
    assert r.get("stack", []) == [f.get("symbol", "[unknown]") for f in chain], (s, r)
    assert r.get("args", {}).get("ip", []) == [f["ip"] for f in chain]
    if any("dso" in f for f in chain):
        assert r["args"]["dso"] == [f.get("dso", "") for f in chain]
meta = {r["name"]: r["args"]["value"] for r in records("perf-convert.json") if r["kind"] == "meta"}
assert meta == doc["headers"]
# stat -I
rows = [row for row in csv.reader(open(folder + "perf-stat-x-interval.csv")) if row and row[0][0] != "#"]
got = [r for r in records("perf-stat-x-interval.csv") if r["kind"] == "counter"]
for row, r in zip(rows, got, strict=True):
    a = r["args"]
    assert [r["ts"], r["value"], r.get("unit", ""), r["name"], a["run_time"], a["pct"], a.get("metric"),
            a.get("metric_unit")] == [
        int(Decimal(row[0].strip()) * 10**9), Decimal(row[1]), row[2], row[3], int(row[4]), Decimal(row[5]),
        Decimal(row[6]) if row[6] else None, row[7] or None], (row, r)
# report
rows = [re.match(r"\s+([\d.]+)%  (\S+)\s+(.*?)\s+\[(.)\] (.*?)\s*$", l)
        for l in open(folder + "perf-report-stdio-flat.txt") if l.strip() and l[0] != "#"]
got = [r for r in records("perf-report-stdio-flat.txt") if r["kind"] == "row"]
for row, r in zip(rows, got, strict=True):
    assert (r["overhead"], r["comm"], r["dso"], r["args"]["mode"], r["name"]) == \
        (Decimal(row[1]), row[2], row[3], row[4], row[5]), r
# top
text = re.sub("\x1b\\[H\x1b\\[2J", "", open(folder + "perf-top-stdio.raw.txt").read())
rows = [m for m in (re.match(r"\s+([\d.]+)%  (.*?)\s+\[(.)\] (.*?)\s*$", l) for l in text.split("\n")) if m]
got = [r for r in records("perf-top-stdio.raw.txt") if r["kind"] == "row"]
for row, r in zip(rows, got, strict=True):
    assert (r["overhead"], r["dso"], r["args"]["mode"], r["name"]) == (Decimal(row[1]), row[2], row[3], row[4]), r
print("all equal")
