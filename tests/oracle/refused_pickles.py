#!/usr/bin/env python3
"""Prints what trace2ndjson says about pickles that it must refuse: those that run code, are damaged, or are hostile.

Each must give no record and the status 1.
"""
import pickle
import subprocess
dump = pickle.dumps({"version": "2.9", "entries": [], "x": [1, 2]}, 2)


def four(i):
    return i.to_bytes(4, "little")


laughs = b"".join(b"]r%b(%be" % (four(i + 1), b"j%b" % four(i) * 99) for i in range(9))
for name, content in (
        ("GLOBAL", b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00id\x85R."),
        ("GLOBAL in a dump", dump[:-1] + b'cos\nsystem\n.'),
        ("STACK_GLOBAL", b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93."),
        ("REDUCE", b"\x80\x02}R."),
        ("BUILD", b"\x80\x02}}b."),
        ("NEWOBJ", b"\x80\x02})\x81."),
        ("INST", b"\x80\x02(ios\nsystem\n."),
        ("OBJ", b"\x80\x02(]o."),
        ("PERSID", b"\x80\x02Px\n."),
        ("BINPERSID", b"\x80\x02]Q."),
        ("EXT1", b"\x80\x02\x82\x01."),
        ("bytes", pickle.dumps({"version": b"2.9"}, 4)),
        ("protocol 0", b"\x80\x02(lp0\n."),
        ("unknown opcode", b"\x80\x02\xff."),
        ("cut short", dump[:40]),
        ("a length beyond the file", b"\x80\x02X\xff\xff\xff\x0fabc."),
        ("bytes after the end", dump + b'x'),
        ("no mark", b"\x80\x02]e."),
        ("an empty stack", b"\x80\x02."),
        ("a key that is a list", b"\x80\x02}]K\x01s."),
        ("a key without a value", b"\x80\x02}(K\x01u."),
        ("not UTF-8", b"\x80\x02X\x02\x00\x00\x00\xff\xfe."),
        ("an unknown number", b"\x80\x02h\x07."),
        ("a list in itself", b"\x80\x02]q\x01h\x01a."),
        ("nested too deep", b"\x80\x02" + b"]" * 40 + b"a" * 39 + b"."),
        ("an integer of 9 bytes", b"\x80\x02\x8a\x09" + bytes(9) + b"."),
        ("a billion laughs", b"\x80\x02]q\x00(" + b"K\x01" * 99 + b"e" + laughs + b"."),
        ("version 1", pickle.dumps({"version": "1.2", "entries": []}, 2)),
        ("a list", pickle.dumps([{"profiling_name": "nccl:x"}], 2))):
    open("bad_3", "wb").write(content)
    done = subprocess.run(["trace2ndjson", "-F", "flight", "bad_3"], capture_output=True)
    assert done.returncode == 1 and not done.stdout, name
    print(done.stderr.decode().replace("trace2ndjson: bad_3", name), end="")
