#!/usr/bin/env python3
"""Reads damaged copies of a small SQLite database with trace2ndjson.

usage: database_damage.py DATABASE [STEP] [MEMBER,...]
Each STEPth prefix that lacks at least one byte must give only records of the whole database, except for names and the
named members, which are in other tables, and the status 1. After a change of one bit, the status is 0 or 1, the records are JSON, and reading ends within some seconds. Prints
what does not hold.
"""
import json, random, subprocess, sys

def read(content):
    run = subprocess.run(['trace2ndjson', '--quiet', '-'], input=content, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
    return run.returncode, run.stdout, run.stderr

elsewhere = ['name', 'rank', 'stack'] + (sys.argv[3].split(',') if len(sys.argv) > 3 else [])

def bare(line):
    """A record without the parts that are in other tables."""
    r = json.loads(line)
    for member in elsewhere:
        r.pop(member, None)
    for member in ('domain', 'shortName'):
        r.get('args', {}).pop(member, None)
    return json.dumps(r, sort_keys=True)

with open(sys.argv[1], 'rb') as f:
    content = f.read()
whole = {bare(line) for line in read(content)[1].splitlines()}
for n in range(0, len(content), int(sys.argv[2]) if len(sys.argv) > 2 else 1):
    status, out, said = read(content[:n])
    extra = [line for line in out.splitlines() if bare(line) not in whole]
    if status != 1 or extra or not said.startswith(b'trace2ndjson: stdin'):
        print(f'prefix of {n} bytes: status {status}', extra[:1], said[:200])
        break
numbers = random.Random(1)
for i in range(500):
    at = numbers.randrange(len(content))
    changed = bytearray(content)
    changed[at] ^= 1 << numbers.randrange(8)
    status, out, said = read(bytes(changed))
    if status not in (0, 1) or (status == 1) != bool(said):
        print(f'byte {at} is {changed[at]}: status {status}', said[:200])
    for line in out.splitlines():
        json.loads(line)
