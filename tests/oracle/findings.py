#!/usr/bin/env python3
"""Checks the output of trace-report -o findings: runs the command of each finding, and compares its figure.

usage: findings.py FINDINGS TRACE...

Prints the identifiers of the findings, and a line for each difference: a figure that the command does not print, a
claim that is too long, atMost that is not the rounded value of a step, wrong counts, more than 4096 bytes.
"""
import json
import shlex
import subprocess
import sys



def shell(command, text=None):
    return subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, input=text)


text = open(sys.argv[1]).read()
lines = [json.loads(line) for line in text.splitlines()]
findings = [line for line in lines if line["kind"] == "finding"]
cannot = [line for line in lines if line["kind"] == "cannot"]
steps = lines[0].get("steps", 1)
answers = {}
traces = " ".join(map(shlex.quote, sys.argv[2:]))
for f in findings:
    command = f["evidence"].replace("{}", traces)
    if lines[0]["file"] == "-":
        command = "trace-join %s | %s" % (traces, command)
    # Many commands have the same first program; it runs once.
    first, pipe, rest = command.partition(" | ")
    if not pipe or first.count("'") % 2 or first.count('"') % 2:
        first, rest = command, "cat"
    if first not in answers:
        answers[first] = shell(first)
    run = shell(rest, answers[first].stdout)
    printed = answers[first].stderr + run.stderr
    if run.stdout:
        printed = json.loads(run.stdout.splitlines()[0]).get(f["pick"])
    if printed != f["value"]:
        print(f["id"], f["value"], printed)
    if len(f["claim"].encode()) > 120:
        print(f["id"], "is long")
    if "atMost" in f and f["atMost"] != int(f["value"] if f["per"] == "step" else f["value"] / steps):
        print(f["id"], "atMost", f["atMost"])
kinds = [line["kind"] for line in lines]
if kinds != ["findings"] + ["finding"] * len(findings) + ["cannot"] * len(cannot) + ["end"]:
    print("order", kinds)
if (lines[-1]["findings"], lines[-1]["cannot"]) != (len(findings), len(cannot)) or len(text.encode()) > 4096:
    print("end", lines[-1], len(text))
print(" ".join(f["id"] for f in findings), "|", ", ".join(c["question"] for c in cannot))
