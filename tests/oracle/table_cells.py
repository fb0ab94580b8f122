#!/usr/bin/env python3
"""Compares the cells of a CSV or TSV table, as Python reads them, with the members of the records.

usage: table_cells.py csv|tsv TABLE RECORDS
"""
import csv, json, sys
csv.field_size_limit(1 << 30)
form, table, records = sys.argv[1:]

def plain(cell):
    parts = cell.split("\\\\")
    for escape, text in (("\\t", "\t"), ("\\n", "\n"), ("\\r", "\r")):
        parts = [p.replace(escape, text) for p in parts]
    return "\\".join(parts)

with open(table, newline="", encoding="utf-8") as f:
    if form == "csv":
        rows = list(csv.reader(f))
    else:
        rows = [[plain(c) for c in line.split("\t")] for line in f.read().split("\n")[:-1]]
head, rows = rows[0], rows[1:]
objects = [json.loads(line) for line in open(records, encoding="utf-8")]
wrong = 0
for row, o in zip(rows, objects):
    if len(row) != len(head):
        wrong += 1
        continue
    for name, cell in zip(head, row):
        v = o.get(name, (o.get("args") or {}).get(name))
        wrong += not (cell == ("" if v is None else v) if v is None or isinstance(v, str) else json.loads(cell) == v)
print(len(rows) == len(objects), wrong)
