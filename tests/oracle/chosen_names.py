#!/usr/bin/env python3
"""Writes names with the same hash or ids with the same bucket, for a table with a public hash key; or random ones.

usage: chosen_names.py quoted|plain|calls|kernels chosen|other N
The first 16 bytes of a name give a hash that the last 8 bytes cancel, so that the bytes between them do not count. The
program hashes names with the quotes of JSON (quoted) or without them (plain).
"""
import random, sys

K0, K1, ALL = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 2**64 - 1
GOLDEN = 0x9e3779b97f4a7c15
what, chosen, n = sys.argv[1], sys.argv[2] == 'chosen', int(sys.argv[3])
random.seed(7)
letters = [c for c in range(33, 127) if c not in b'"\\;']

def text(length):
    return bytes(random.choice(letters) for _ in range(length))

def fold(a, b):
    return (a * b ^ a * b >> 64) & ALL

def names(quote, digits):
    length = 16 + digits + 8 + len(quote)
    while True:
        head = quote + text(16 - len(quote))
        tail = fold(int.from_bytes(head[:8], 'little') ^ K1, int.from_bytes(head[8:], 'little') ^ K0 ^ length)
        tail = tail.to_bytes(8, 'little')
        if all(c in letters for c in tail):
            break
    for i in range(n):
        middle = b'%0*d' % (digits, i)
        yield (head + middle + tail if chosen else text(16) + middle + text(8))[len(quote):].decode()

def call_ids():
    block = 0
    while True:
        block += 1
        offset = (block * GOLDEN & ALL) >> 32
        if not ((block << 16 ^ offset) >> 16) % 8:
            yield block << 16 | offset & 0xffff

def kernel_ids():
    inverse, i = pow(GOLDEN, -1, 2**64), 0
    while True:
        i += 1
        if i * inverse & ALL < 2**62:
            yield i * inverse & ALL

if what in ('quoted', 'plain'):
    for i, name in enumerate(names(b'"' if what == 'quoted' else b'', 8 if what == 'quoted' else 7)):
        print('{"ts":%d,"dur":5,"kind":"range","name":"%s","pid":1,"tid":1}' % (i * 10, name))
else:
    source = call_ids() if what == 'calls' else kernel_ids()
    ids = [next(source) if chosen else random.randrange(2**50) for _ in range(n)]
    kernels = ['{"ts":%d,"dur":5,"kind":"kernel","name":"k","dev":0,"stream":7,"corr":%d}' % (i, id)
               for i, id in enumerate(ids)]
    calls = ['{"ts":%d,"dur":5,"kind":"api","name":"launch","pid":1,"tid":1,"corr":%d}' % (i, id)
             for i, id in enumerate(ids)]
    print('\n'.join(calls if what == 'calls' else kernels + calls))
