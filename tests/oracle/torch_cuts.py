#!/usr/bin/env python3
"""The records of every prefix of a report, compared with those of the whole report.

usage: torch_cuts.py REPORT
"""
import json, subprocess, sys
from traces import cuts
text = open(sys.argv[1], "rb").read()
def run(part):
    p = subprocess.run(["trace2ndjson", "-F", "torch", "--max-record", "1MiB"], input=part, capture_output=True)
    return p.returncode, p.stdout.decode().splitlines()
def plain(line):
    """Removes the location of a row, because its further lines may be missing at the end of the text."""
    record = json.loads(line)
    record.get("args", {}).pop("Source Location", None)
    return record
whole = [plain(line) for line in run(text)[1] if '"meta"' not in line]
ends = [at + 1 for at, byte in enumerate(text) if byte == 10]
bad, last_end = 0, None
for cut in cuts(len(text) - 1, 1):
    status, lines = run(text[:cut])
    got = [plain(line) for line in lines if '"meta"' not in line]
    end = max([0] + [e for e in ends if e <= cut])
    if end != last_end:
        before, last_end = [plain(line) for line in run(text[:end])[1] if '"meta"' not in line], end
    if status not in (0, 1) or got != whole[:len(got)] or len(got) < len(before):
        bad += 1
        print(cut, status, got[-1:], whole[len(got) - 1:len(got)])
print(len(whole), "records,", bad, "bad cuts")
