"""Writes protobuf messages, for the oracles that make traces."""
import struct


def number(v):
    v &= (1 << 64) - 1
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def field(no, v):
    """One field: an int as a varint, a float as a double, bytes and text with their length."""
    if isinstance(v, float):
        return number(no << 3 | 1) + struct.pack("<d", v)
    if isinstance(v, int):
        return number(no << 3) + number(v)
    if isinstance(v, str):
        v = v.encode()
    return number(no << 3 | 2) + number(len(v)) + v


def fixed(no, v):
    return number(no << 3 | 1) + struct.pack("<Q", v)


def message(*fields):
    """A message of (number, value) pairs."""
    return b"".join(field(no, v) for no, v in fields)
