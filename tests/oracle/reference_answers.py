#!/usr/bin/env python3
"""Compares the outputs of the lines of the cookbook that answer the notebooks with independent answers.

usage: reference_answers.py LINES FOLDER

LINES has two lines for each command: `# ITEM QUESTION` and the command. FOLDER has the files that the commands read,
and for command N the files out/N (standard output), out/N.err, out/N.status and, if it drew a picture, out/N.svg.
Prints for each item `ITEM same` or `ITEM REASON`. The modules reference_*.py compute the answers from the files in
FOLDER and from the golden answers in the folder $SHARED/golden; none of them uses our programs.
"""
import collections
import os
import re
import sys

import reference_cpu
import reference_dlrm
import reference_nsys
import reference_opencl
import reference_plaidml

DOCUMENTS = {"000": reference_opencl, "001": reference_dlrm, "002": reference_plaidml, "003": reference_nsys,
             "004": reference_cpu}
# Messages on standard error that are part of the answer.
NOTES = re.compile("range without an end; it encloses no record|device records have no known operator|"
                   "is not shown$|^torch-top: table 1: |^tune-threads: (binding|level) |^[0-9]+$")


class Output(str):
    """The standard output of a command; path is the name of its picture, status its exit status."""


def output(folder, n):
    def read(name):
        with open(f"{folder}/out/{name}", errors="replace") as f:
            return f.read()

    out = Output(read(str(n)))
    out.path, out.status = f"{folder}/out/{n}.svg", int(read(f"{n}.status"))
    out.messages = [line for line in read(f"{n}.err").splitlines() if not NOTES.search(line)]
    return out


def main():
    lines, folder = sys.argv[1:]
    with open(lines) as f:
        text = f.read().splitlines()
    items = collections.defaultdict(list)
    for n, question in enumerate(text[::2], 1):
        items[question.split()[1]].append(output(folder, n))
    traces = {}
    for item, outs in items.items():
        document, number = item.split(".")
        module = DOCUMENTS[document]
        if document not in traces:
            traces[document] = module.READ(folder)
        try:
            for out in outs:
                if out.messages or out.status != getattr(module, "STATUS", {}).get(number, 0):
                    raise ValueError(f"status {out.status}, {out.messages}")
            module.ITEMS[number](traces[document], outs)
            print(item, "same")
        except Exception as problem:  # Any other failure is a difference as well.
            print(item, f"{type(problem).__name__}: {problem}".replace("\n", " ")[:600])
    for document, module in DOCUMENTS.items():
        for number in module.ITEMS:
            if f"{document}.{number}" not in items:
                print(f"{document}.{number}", "no line")


main()
