#!/usr/bin/env python3
"""The calls of every prefix of a file, found by an independent parser, compared with the records of trace2ndjson.

usage: dvdt_prefixes.py block|lines|point FILE
"""
import json
import re
import sys

from traces import count_wrong_prefixes


def arrays(text):
    """Yields (end, name) of each call in all arrays of objects."""
    decoder = json.JSONDecoder()
    for start in re.finditer(r'<<\n\[(?=\{)|"dvdt_prof": \[', text):
        at = start.end()
        while text[at:].lstrip()[:1] not in ("]", ""):
            at += len(text[at:]) - len(text[at:].lstrip(" ,\n\t"))
            call, at = decoder.raw_decode(text, at)
            yield at, call["call"]


def lines(text):
    """Yields (end, name) of each call; a call is complete with the newline of its last line."""
    at, last, end = 0, None, 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        if line == "\n" and last and not last.endswith("<<\n"):
            yield end, last.split()[1]
            last = None
        elif "[dv/dt] " in line:
            last, end = line[line.index("[dv/dt] "):], at


def damaged(kind, text, head):
    """Whether a reader can detect that the text was cut after `head`, by the rules of each form."""
    if kind == "point":
        return text.strip() != head.strip()
    if kind == "block":
        opened, closed = text[: len(head)].count("[dv/dt] <<"), head.count("[dv/dt] >>")
        return not opened or opened != closed or head.endswith(("[dv/dt] ", "[dv/dt] <"))
    marks = [m.start() for m in re.finditer(r"\[dv/dt\] ", head)]
    if not marks and "forward" not in head:
        return True
    ends = [0] + [end for end, _ in lines(text)]
    last = max((m for m in marks), default=-1)
    return bool(marks) and last >= max(end for end in ends if end <= len(head))


kind, path = sys.argv[1:]
text = open(path, encoding="ascii").read()
expected = list((lines if kind == "lines" else arrays)(text))
wrong = count_wrong_prefixes(text, expected, ["trace2ndjson", "-k", "api"],
                             lambda out: [json.loads(line)["name"] for line in out.splitlines()],
                             lambda prefix: int(damaged(kind, text, prefix)))
print(f"{wrong} of {len(text) + 1} prefixes wrong" if wrong else f"{len(expected)} calls")
