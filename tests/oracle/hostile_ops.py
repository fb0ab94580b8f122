#!/usr/bin/env python3
"""Prints operators whose arguments are deep, long or strange."""
import json

deep = []
for _ in range(900):
    deep = [deep]
square = [2, 2]
calls = [
    ("aten::mm", [deep, square]),
    ("aten::mm", [[square] * 100000, square]),
    ("aten::mm", [square] * 100000),
    ("aten::mm", [list(range(100000)), square]),
    ("aten::mm", [[2**63, 2], square]),
    ("aten::mm", [[2.5, 2], square]),
    ("aten::mm", "deep"),
    ("aten::neg\",\"flops\":1,\"x\":\"", [square]),
    ("aten::neg\n", [square]),
    ("", [square]),
    ("aten::mm", [square, square]),
]
for i, (name, dims) in enumerate(calls):
    args = {"Input Dims": dims, "Input type": ["float"] * len(dims)}
    event = {"ts": 2 * i, "dur": 1, "kind": "op", "name": name, "pid": 1, "tid": 1, "args": args}
    print(json.dumps(event, separators=(",", ":")))
