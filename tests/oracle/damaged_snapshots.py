#!/usr/bin/env python3
"""Prints what trace2ndjson says about memory snapshots that are damaged or hostile, and how many events it wrote."""
import pickle
import subprocess
FRAMES = [{"filename": "/a.py", "line": 1, "name": "f" * 2000}]
events = [{"action": "alloc", "addr": i, "frames": FRAMES} for i in range(3)]
good = pickle.dumps({"segments": [], "device_traces": [events]}, 4)
begin = b"\x80\x02}(X\x08\0\0\0segments"
for name, content in (
        ("cut short", good[:-9]),
        ("code at the end", good[:-1] + b"cos\nsystem\n."),
        ("bytes after the end", good + b"x"),
        ("another dictionary", pickle.dumps({"entries": [1]}, 4)),
        ("a list", pickle.dumps([1], 4)),
        ("other values", pickle.dumps({"segments": [[], None], "device_traces": [[None, {}, events[0]], 7]}, 4)),
        ("a reference to a list of events", b"\x80\x02}q\0(X\x08\0\0\0segmentsq\1]q\2(}(K\1h\2ueu."),
        ("a reference to the whole", b"\x80\x02}q\0(X\x08\0\0\0segmentsq\1]q\2(}(K\1h\0ueu."),
        ("the segments in a tuple", begin + b"](}(K\1K\2ue\x85u."),
        ("a number that is left out", b"\x80\x02}q\0(X\x08\0\0\0segmentsq\5]u."),
        ("a number as a key, referred to later", begin + b"](}(K\1q\0K\2u}(h\0K\2ueu."),
        ("a long value", pickle.dumps({"segments": [{"device": 1, "x": "y" * 3000, "z": 1}], "device_traces": []}, 4)),
        ("too many values", begin + b"](" + b"N" * 1100000 + b"eu.")):
    with open("bad.pickle", "wb") as file:
        file.write(content)
    done = subprocess.run(["trace2ndjson", "-F", "snapshot", "--max-record", "2500", "bad.pickle"], capture_output=True,
                          check=False)
    print(f"{name}: {done.stdout.count(b'alloc')} events, {done.returncode}",
          *done.stderr.decode().replace("trace2ndjson: bad.pickle", "").splitlines())
