#!/usr/bin/env python3
"""The output of a program for damaged zstd data, compared with the expected output.

usage: zstd_damage.py cut|flip|large PROGRAM
"""
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from traces import cuts

BLOCK = 128 * 1024


def zstd(*arguments, data):
    done = subprocess.run(["zstd", "-q", *arguments], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout


def run(data):
    done = subprocess.run([sys.argv[2]], input=data, capture_output=True)
    return done.stdout, done.returncode, done.stderr.decode().splitlines()


def lines_of(text):
    return text[:text.rfind(b"\n") + 1]


# Uses only long records, so that each becomes a frame with one compressed block. A record can be read as soon as its
# frame has arrived, even if the 4 bytes of the checksum are still missing.
lines = [line for line in open("sample", "rb").read().splitlines(keepends=True) if len(line) > 250][:8]
frames = [zstd("-c", data=line) for line in lines]
ends = [sum(map(len, frames[:i + 1])) for i in range(len(frames))]
whole = b"".join(frames)
tried = wrong = 0


def test(good, *what):
    global tried, wrong
    tried += 1
    wrong += not good
    if not good and wrong <= 3:
        print(*what)


def cut(n, got):
    out, status, said = got
    # Input of fewer than 4 bytes is not recognised as zstd.
    message = "" if n < 4 else ": zstd data is cut short; only the data before the cut was read"
    want = b"".join(line for line, end in zip(lines, ends) if end - 4 <= n)
    whole = n in ends
    test((out, status) == (want, 0 if whole else 1) and (not said if whole else said[-1].endswith(message)) and
         also(said[:-1]), f"first {n} bytes:", status, said, out[-80:])


def also(said):
    """Whether the other messages are those of any trace that is cut short."""
    return said == [] or len(said) == 1 and re.search(r": (record cut short; skipped|empty input)$", said[0])


def flip(at, got):
    out, status, said = got
    before = b"".join(lines[:next(i for i, end in enumerate(ends) if at < end)])
    reported = out.startswith(before) and status in (1, 2) and any("zstd data" in s for s in said)
    harmless = (out, status, said) == (b"".join(lines), 0, [])  # a larger window or an unused bit
    test(reported or harmless, f"byte {at}:", status, said, out[-80:])


def block_header(packed, number):
    """Returns the offset of the header of a block in a frame (RFC 8878)."""
    descriptor = packed[4]
    single = descriptor >> 5 & 1
    at = 5 + (not single) + [0, 1, 2, 4][descriptor & 3] + [single, 2, 4, 8][descriptor >> 6]
    for _ in range(number):
        header = int.from_bytes(packed[at:at + 3], "little")
        at += 3 + (1 if header >> 1 & 3 == 1 else header >> 3)
    return at


def large():
    content = open("large", "rb").read()
    packed = zstd("-c", "-1", data=content)
    for n in [random.randrange(4, len(packed)) for _ in range(30)]:
        out, status, said = run(packed[:n])
        blocks = sum(block_header(packed, k) <= n for k in range(1, -(-len(content) // BLOCK) + 1))
        want = lines_of(content[:blocks * BLOCK])
        test((out, status) == (want, 1) and also(said[:-1]), f"first {n} bytes:", len(out), len(want), status, said)
    # Gives blocks an invalid type.
    for blocks in (1, 2, 5, len(content) // BLOCK):
        damaged = bytearray(packed)
        damaged[block_header(packed, blocks)] |= 6
        out, status, said = run(bytes(damaged))
        want = lines_of(content[:blocks * BLOCK])
        test((out, status) == (want, 1) and also(said[:-1]), f"block {blocks}:", len(out), len(want), status, said)


random.seed(1)
with ThreadPoolExecutor(2) as pool:
    if sys.argv[1] == "cut":
        for n, got in zip(cuts(len(whole), 1), pool.map(run, (whole[:n] for n in cuts(len(whole), 1)))):
            cut(n, got)
    elif sys.argv[1] == "flip":
        damaged = [whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1:]
                   for at in cuts(len(whole) - 1, 4)]
        for at, got in zip(cuts(len(whole) - 1, 4), pool.map(run, damaged)):
            flip(at, got)
    else:
        large()
print("enough tried" if tried > 30 else f"{tried} tried", f"{wrong} wrong", sep=", ")
