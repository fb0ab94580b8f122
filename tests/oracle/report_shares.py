#!/usr/bin/env python3
"""Checks the figures of a report: shares are from 0 to 1, the parts of a window sum to it, texts name known figures.

usage: report_shares.py MODEL...      MODEL: the output of trace-report -o ndjson

Prints each difference, with the name of the model. All values of rows and figures with the unit share are checked; the
parts of the window sum to the length of all rows of the section steps or whole, and those of each row to its length;
each {member} of a text is a member of its record that is not empty.
"""
import json
import re
import sys

PARTS = ["compute_time", "comm_only", "memory_only", "other_only", "host_wait", "between", "unknown_wait", "after_work"]
TEXTS = ["text", "detail", "note", "advice", "title", "source", "facts"]


def texts(record):
    for key in TEXTS:
        value = record.get(key)
        yield from [value] if isinstance(value, str) else value or []


def check_texts(record):
    for text in texts(record):
        for name in re.findall(r"{(\w+)[:}]", text) if record["kind"] != "report/row" else []:
            if record.get(name) in (None, ""):
                yield f"{record['kind']} {record.get('id')}: {{{name}}} has no value"
        if re.search(r"  |: ?,|, ?,|\. ?\.($| )|: *$", text):
            yield f"{record['kind']} {record.get('id')}: a part of the sentence is empty: {text}"


def check_row(section, row):
    for column in section["columns"]:
        value = row.get(column["name"])
        number = column.get("unit", "").startswith("share") and isinstance(value, (int, float))
        if number and not 0 <= value <= 1 + 1e-9:
            yield f"{section['id']}: {column['name']} is {value}"
    if section["id"] in ("steps", "whole"):
        missing = row["dur"] - sum(row.get(part, 0) for part in PARTS)
        if abs(missing) > row["dur"] / 200:  # parts of less than half a percent of all windows are not shown
            yield f"{section['id']}: the parts of {row.get('label')} lack {missing} of {row['dur']}"


def check_parts(records, parts):
    """The parts of the window sum to the length of the steps, or of the whole trace if all its rows are there."""
    for section in ("steps", "whole"):
        rows = [r for r in records if r["kind"] == "report/row" and r["section"] == section]
        if parts and rows and not any("rest" in row for row in rows):
            missing = sum(row["dur"] for row in rows) - sum(parts)
            if missing:
                yield f"the parts of the window lack {missing}"
            return


def check(records):
    figures = [r for r in records if r["kind"] == "report/figure"]
    yield from check_parts(records, [r["value"] for r in figures if r.get("group") == "parts"])
    for figure in figures:
        value = figure.get("value")
        if figure.get("unit", "").startswith("share") and not 0 <= value <= 1 + 1e-9:
            yield f"{figure['id']} is {value}"
    sections = {r["id"]: r for r in records if r["kind"] == "report/section"}
    for record in records:
        if record["kind"] == "report/row":
            yield from check_row(sections[record["section"]], record)
        elif record["kind"] != "report/mark":
            yield from check_texts(record)


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as model:
            records = [json.loads(line) for line in model]
        for difference in check(records):
            print(f"{path}: {difference}")


main()
