#!/usr/bin/env python3
"""Reads damaged arrays and sequences of records with trace2ndjson, and prints what does not hold.

usage: record_arrays.py
After each cut, the records that end before it must be read, and after each change of one byte, the records that do not
contain it. The status is 1 if a record or the end of an array is missing.
"""
import json
import os
import subprocess
import sys
import tempfile

RECORDS = [{"ts": 1000 + i, "dur": 5, "kind": "op", "name": f"a b{i}", f"u{i}": {"ts": 7, "kind": "op", "n": {"a": 1}},
            "args": {"x": [1, {"id": 2}], "y": "}{"}} for i in range(4)]
LINES = [json.dumps(record, separators=(",", ":")) for record in RECORDS]
COMPACT, SPACED, INDENTED = {"separators": (",", ":")}, {}, {"indent": 2}
STYLES = {"one line": (COMPACT, "[", ",", "]\n"), "lines": (SPACED, "[\n", ",\n", "\n]\n"),
          "indented": (INDENTED, "[\n  ", ",\n  ", "\n]\n"), "sequence": (INDENTED, "", "\n", "\n")}


def read_all(texts, *options):
    """Returns the number of each text in which something was lost, and the records of each text."""
    records = [[] for _ in texts]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for i, text in enumerate(texts):
            with open(f"f{i}", "w") as f:
                f.write(text)
        run = subprocess.run(["trace2ndjson", "--capture", "file=f([0-9]*)$", *options,
                              *(f"f{i}" for i in range(len(texts)))], capture_output=True, text=True, timeout=60)
        os.chdir("/")
    for line in run.stdout.splitlines():
        record = json.loads(line)
        records[int(record.pop("file"))].append(json.dumps(record, separators=(",", ":")))
    return run.returncode, run.stderr, records


def check(style, what, texts, expected, *options):
    status, message, records = read_all(texts, *options)
    for text, wanted, found in zip(texts, expected, records):
        if not set(wanted) <= set(found):
            print(f"{style}, {what}: {len(wanted)} records expected, {len(found)} found: {text!r}")
            sys.exit()
    if what == "cut" and records != expected or status != 1:
        print(f"{style}, {what}: status {status}, or more records than expected", message[:200])


for style, (form, begin, separator, end) in STYLES.items():
    texts = [json.dumps(record, **form) for record in RECORDS]
    whole = begin + separator.join(texts) + end
    spans, at = [], len(begin)
    for text in texts:
        spans.append((at, at + len(text)))
        at += len(text) + len(separator)
    status, message, records = read_all([whole])
    if (status, message, records) != (0, "", [LINES]):
        print(f"{style}: status {status} {message}")
    between = [n for _, e in spans for n in (e, e + 1)] if style == "sequence" else []
    cuts = [n for n in range(1, len(whole.rstrip())) if n not in between]
    check(style, "cut", [whole[:n] for n in cuts], [LINES[:sum(e <= n for _, e in spans)] for n in cuts])
    for n in cuts[::97]:
        if read_all([whole[:n]])[0] != 1:
            print(f"{style}: cut after {n} bytes: not the status 1")
    changed, expected = [], []
    for n in range(max(len(begin), 1), len(whole), 3):
        for byte in ("", '"', "}", "\x01"):
            changed.append(whole[:n] + byte + whole[n + 1:])
            expected.append([line for line, (b, e) in zip(LINES, spans) if not b <= n < e])
    check(style, "change", changed, expected, "-F", "ndjson")
