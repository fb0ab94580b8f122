#!/usr/bin/env python3
"""A trace without the events that the reference tool loses, which a file lists.

usage: lost_events.py QUIRKS <RECORDS >REST
A line of QUIRKS is TIME lose|move NAME: the event and all events inside it are lost, or move to the main thread.
"""
import json, sys
MAIN = 3113936
quirks = {ts: (what, name) for ts, what, name in (line.rstrip("\n").split(" ", 2) for line in open(sys.argv[1]))}
until = {}
lost = moved = 0
for line in sys.stdin:
    r = json.loads(line)
    what, name = quirks.get(str(r["ts"] // 1000), ("", ""))
    if what and r["name"] == name:
        del quirks[str(r["ts"] // 1000)]
        until[r["tid"], what] = r["ts"] + r["dur"]
        this = what
    else:
        this = next((w for w in ("lose", "move") if r["ts"] < until.get((r["tid"], w), r["ts"])), "")
    if this == "lose":
        lost += 1
        continue
    if this == "move":
        moved += 1
        line = line.replace(f'"tid":{r["tid"]}', f'"tid":{MAIN}')
    print(line, end="")
print(lost, "lost", moved, "moved", *quirks, file=sys.stderr)
