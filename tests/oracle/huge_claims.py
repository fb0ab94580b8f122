#!/usr/bin/env python3
"""Writes a small trace in which one number claims a huge size, or whose compressed part is huge, to standard output.

usage: huge_claims.py NAME
NAME: plane, line, event or name of xplane; packet, field, inflated or zstd of pftrace; pages, row or longest of a
database
"""
import os
import sqlite3
import struct
import sys
import tempfile
import zlib
from protobuf import field, message, number

HUGE = 1 << 62


def claim(no, n=HUGE):
    """The beginning of a field of n bytes, with no content."""
    return number(no << 3 | 2) + number(n)


def plane(*parts):
    return field(1, message((1, 1), (2, "/device:GPU:0")) + b"".join(parts))


def packets(*parts):
    """Three packets, which identify the format, and then others."""
    start = field(1, message((10, 1), (13, 1), (60, message((1, 10), (2, "main")))))
    return 3 * start + b"".join(field(1, p) for p in parts)


def database(change):
    """A database of nsys with a string of 300 bytes; change() changes its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "db")
        db = sqlite3.connect(path)
        db.execute("pragma page_size=512")
        db.execute("create table StringIds (id integer primary key, value text)")
        db.execute('create table OSRT_API (start, "end", eventClass, nameId)')
        db.execute("insert into OSRT_API values (1, 2, 27, 1)")
        db.execute("insert into StringIds values (1, ?)", ("text" * 75,))
        db.commit()
        db.close()
        with open(path, "rb") as file:
            return bytes(change(bytearray(file.read())))


def more_pages(data):
    data[28:32] = struct.pack(">I", 0xfffffffe)
    return data


def number_be(n):
    """A varint of SQLite: seven bits a byte, the highest first."""
    out = [n & 127]
    while n > 127:
        n >>= 7
        out.append(n & 127 | 128)
    return bytes(reversed(out))


def long_text(data):
    """A row and its text that claim 2^31 - 1 bytes. Their longer numbers replace letters of the text."""
    begin = data.index(b"texttext") - 7  # length of the row (2), id, header: its length, 2 types (3)
    row = number_be(2**31 - 1) + b"\1\7\0" + number_be(2**31 - 1)
    data[begin:begin + len(row)] = row
    return data


def longest_row(data):
    """The second row of the schema claims 2^64 - 1 bytes: SQLite then reports that memory is exhausted."""
    cell = 180  # in the free part of page 1
    data[110:112] = struct.pack(">H", cell)
    row = b"\xff" * 18 + b"\x75\x08CREATE TABLE "
    data[cell:cell + len(row)] = row
    return data


traces = {
    "plane": lambda: field(1, message((1, 1), (2, "/host:CPU"))) + claim(1) + message((1, 2), (2, "/device:GPU:0")),
    "line": lambda: plane(claim(3)),
    "event": lambda: plane(field(3, message((1, 1), (2, "Stream #1(x)")) + claim(4))),
    "name": lambda: plane(field(4, message((1, 1)) + claim(2))),
    "packet": lambda: packets() + claim(1),
    "field": lambda: packets(message((8, 1), (10, 1)) + claim(11)),
    "inflated": lambda: packets(message((50, zlib.compress(bytes(20 * 1000 * 1000))))),
    "zstd": lambda: packets(message((133, b"\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\0\x10\x01\0\0"))),
    "pages": lambda: database(more_pages),
    "row": lambda: database(long_text),
    "longest": lambda: database(longest_row),
}
sys.stdout.buffer.write(traces[sys.argv[1]]())
