#!/usr/bin/env python3
"""The records of a table of torch.profiler, read from its text, compared with those of trace2ndjson.

usage: torch_records.py TABLE RECORDS
Prints the differences, the number of rows, their sums, and the totals.
"""
import json, re, sys
from decimal import ROUND_HALF_UP, Decimal

UNIT = {"us": 10**3, "ms": 10**6, "s": 10**9, "b": 1, "Kb": 2**10, "Mb": 2**20, "Gb": 2**30}
TOP = {"# of Calls": "count", "Number of Calls": "count", "Calls": "count",
       "Self CPU": "self", "Self CPU total": "self", "CPU total": "total"}
for device in "CUDA", "XPU":
    TOP.update({"Self " + device: "dev_self", device + " total": "dev_total"})

def value(text):
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if text.endswith("%"):
        return Decimal(text[:-1])
    if text.startswith("["):
        return json.loads(text)
    number, unit = re.fullmatch(r"(-?[\d.]+) ?(\w+)", text).groups()
    return int((Decimal(number) * UNIT[unit]).quantize(Decimal(1), ROUND_HALF_UP))

rows, totals, head = [], [], None
for line in open(sys.argv[1]):
    words = re.split(r"\s{2,}", line.strip())
    if not line.strip() or set(line) <= set("- \n"):
        continue
    if words[0] == "Name":
        head = words
    elif " time total: " in line:
        name, text = line.strip().split(": ")
        host = "CPU" in name
        member = ("" if host else "dev_") + ("self" if name.startswith("Self") else "total")
        totals.append({"kind": "total", "name": name, member: value(text), "args": {"table": 1}})
        if not host:
            totals[-1]["args"]["device"] = name.split()[-3]
    elif "Source Location" in head and len(words) == 1:
        rows[-1]["args"]["Source Location"].append(words[0])
    else:
        assert len(words) == len(head), line
        row = {"kind": "row", "name": words[0], "args": {"table": 1}}
        for key, text in zip(head[1:], words[1:]):
            if key == "Source Location":
                row["args"][key] = [text]
            elif key in TOP:
                row[TOP[key]] = value(text)
            else:
                row["args"][key] = value(text)
        if words[0].endswith("..."):
            row["args"]["cut"] = True
        device = re.search("CUDA|XPU", " ".join(head))
        if device:
            row["args"]["device"] = device.group()
        rows.append(row)

ours = [json.loads(line, parse_float=Decimal) for line in open(sys.argv[2])]
for n, (want, got) in enumerate(zip(rows + totals, ours), 1):
    if want != got:
        print("record", n, "expected", want, "actual", got, sep="\n")
if len(ours) != len(rows + totals):
    print(len(ours), "records, expected", len(rows + totals))
def total(member):
    return sum(row[member] for row in ours if row["kind"] == "row" and member in row)
print(sum(row["kind"] == "row" for row in ours),
      *(total(m) for m in ("count", "self", "total", "dev_self", "dev_total")))
for row in ours:
    if row["kind"] == "total":
        print(row["name"], *(row[m] for m in ("self", "total", "dev_self", "dev_total") if m in row))
