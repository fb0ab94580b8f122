#!/usr/bin/env python3
"""Compares the rows of each section of a report with the output of the section's command, which it runs in a shell.

usage: report_commands.py MODEL      MODEL: the output of trace-report -o ndjson

Prints the number of sections and each difference. The command runs with the output format ndjson. Row N of the section
must have the same values as line N of the output, in all members that both have, at least one number among them; the
row of the others must have the sums of the rest.
"""
import json
import subprocess
import sys


def answers(command):
    if command.endswith(" -o table"):
        command = command[: -len("table")] + "ndjson"
    elif "| ndjson2table" in command and not command.endswith(")"):
        command += " -o ndjson"
    run = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line) for line in run.stdout.splitlines()]


def compare(section, rows):
    lines = answers(section["commands"][0])
    rests = [row for row in rows if "rest" in row]
    rows = [row for row in rows if "rest" not in row]
    numbers = 0
    for row, line in zip(rows, lines):
        for name in (column["name"] for column in section["columns"]):
            if isinstance(row.get(name), (int, float)):
                numbers += name in line
                if name in line and row[name] != line[name]:
                    yield f"{name}: {row[name]}, the command prints {line[name]}"
    if rows and not numbers and section["id"] not in ("about", "reasons"):  # these are texts
        yield "no number is in the output of the command"
    others = lines[len(rows):]
    if rests and rests[0]["rest"] != len(others):
        yield f"{rests[0]['rest']} others, the command prints {len(others)}"
    sums = [column["name"] for column in section["columns"] if column.get("sum")]
    for name in sums if rests else []:
        total = sum(line.get(name, 0) for line in others)
        if abs(rests[0].get(name, 0) - total) > 1e-9 * abs(total):
            yield f"others: {name}: {rests[0].get(name)}, the command prints {total}"
    if not rests and sums and others:
        yield f"{len(others)} rows are missing"


def main():
    records = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    sections = [r for r in records if r["kind"] == "report/section"]
    print(len(sections))
    for section in sections:
        rows = [r for r in records if r["kind"] == "report/row" and r["section"] == section["id"]]
        if not rows:
            print(f"{section['id']}: no rows")
        for difference in compare(section, rows):
            print(f"{section['id']}: {difference}")


main()
