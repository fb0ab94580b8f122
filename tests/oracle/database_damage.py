#!/usr/bin/env python3
"""Reads damaged copies of a small SQLite database with trace2ndjson, and prints what does not hold.

usage: database_damage.py every|some|flips DATABASE [MEMBER,...]
every, some: every prefix that lacks at least one byte, or every 29th one, must give only records of the whole database,
except for names and the named members, which are in other tables. It must be reported, with the status 1. `every` reads
many files in one run, and also expects that longer prefixes give all records in the end.
flips: after a change of one bit, the status is 0 or 1, the records are JSON, and reading ends within some seconds.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from traces import cuts

BATCH = 400
mode, path = sys.argv[1:3]
elsewhere = ["name", "rank", "stack"] + (sys.argv[3].split(",") if len(sys.argv) > 3 else [])
with open(path, "rb") as f:
    content = f.read()


def read(*arguments, data=None):
    run = subprocess.run(["trace2ndjson", "--quiet", *arguments], input=data, capture_output=True, timeout=20)
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()], run.stderr.decode()


def bare(record):
    """A record without the parts that are in other tables."""
    record = {k: v for k, v in record.items() if k not in elsewhere and k != "prefix"}
    if "args" in record:
        record["args"] = {k: v for k, v in record["args"].items() if k not in ("domain", "shortName")}
    return json.dumps(record, sort_keys=True)


def check(n, records, status, message):
    extra = [r for r in records if bare(r) not in whole]
    if status != 1 or extra or not message:
        sys.exit(f"prefix of {n} bytes: status {status}, {extra[:1]} {message[:200]}")


def every():
    """The member `prefix` of a record, and the file name of a message, say which prefix they belong to."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sizes = cuts(len(content) - 1)
        for begin in range(0, len(sizes), BATCH):
            prefixes = sizes[begin:begin + BATCH]
            for n in prefixes:
                with open(f"p{n}", "wb") as f:
                    f.write(content[:n])
            status, records, message = read("--capture", "prefix=p([0-9]*)$", *(f"p{n}" for n in prefixes))
            reported = {line.split(": ")[1].split(":")[0] for line in message.splitlines()}
            by_prefix = {}
            for r in records:
                by_prefix.setdefault(int(r["prefix"]), []).append(r)
            for n in prefixes:
                check(n, by_prefix.get(n, []), status, "reported" if f"p{n}" in reported else "")
                os.remove(f"p{n}")
        most = max(map(len, by_prefix.values()), default=0)
        if most < len(everything) - 1:
            print(f"the last prefixes give {most} of {len(everything)} records")


def flips():
    numbers = random.Random(1)
    for _ in range(500):
        at = numbers.randrange(len(content))
        changed = bytearray(content)
        changed[at] ^= 1 << numbers.randrange(8)
        status, _, message = read("-", data=bytes(changed))
        if status not in (0, 1) or (status == 1) != bool(message):
            print(f"byte {at} is {changed[at]}: status {status}", message[:200])


state, everything, _ = read("-", data=content)
whole = {bare(r) for r in everything}
if state != 0:
    print(f"the whole database: status {state}")
elif mode == "every":
    every()
elif mode == "some":
    for size in range(0, len(content), 29):
        code, found, said = read("-", data=content[:size])
        check(size, found, code, said.startswith("trace2ndjson: stdin"))
else:
    flips()
