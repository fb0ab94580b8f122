#!/usr/bin/env python3
"""Reads copies of an nsys database that another program writes, with trace2ndjson.

usage: database_writers.py DATABASE
Prints the status, the number of marks, and the messages, for a copy with a new mark in its -wal file; for a copy that
is locked; and for a copy with the -journal file of a writer that was killed.
"""
import sqlite3, subprocess, sys

def read(path):
    run = subprocess.run(['trace2ndjson', '-k', 'mark', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return run.returncode, run.stdout.count(b'\n'), run.stderr.decode()

insert = "insert into NVTX_EVENTS (start, eventType, text, globalTid) values (99, 34, 'new', 0)"
subprocess.run(['cp', sys.argv[1], 'wal.sqlite'])
db = sqlite3.connect('wal.sqlite', isolation_level=None)
db.execute('pragma journal_mode=wal')
db.execute(insert)
print(*read('wal.sqlite'))
subprocess.run(['cp', sys.argv[1], 'locked.sqlite'])
db = sqlite3.connect('locked.sqlite', isolation_level=None)
db.execute('begin exclusive')
db.execute(insert)
print(*read('locked.sqlite'), end='')
subprocess.run(['cp', sys.argv[1], 'writing.sqlite'])
db = sqlite3.connect('writing.sqlite', isolation_level=None)
db.execute('pragma cache_size=2')
db.execute('begin')
db.executemany('insert into StringIds values (?, ?)', ((1000 + i, 300 * 'x') for i in range(3000)))
db.execute("update StringIds set value = value || 'y'")
for suffix in ('', '-journal'):
    subprocess.run(['cp', 'writing.sqlite' + suffix, 'killed.sqlite' + suffix])
print(*read('killed.sqlite'), end='')
