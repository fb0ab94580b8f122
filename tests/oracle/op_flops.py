#!/usr/bin/env python3
"""Makes operators with small shapes at random, counts the multiplications, additions and elements of each one by one,
and compares them with op-flops. Prints each difference.

usage: op_flops.py NUMBER
"""
import itertools
import json
import random
import subprocess
import sys

SIZES = {"float": 4, "c10::BFloat16": 2, "double": 8}
draw = random.Random(43)


def cells(dims):
    return itertools.product(*map(range, dims))


def count(dims):
    return sum(1 for _ in cells(dims))


def products(batch):
    """mm, addmm, bmm and baddbmm"""
    b, m, k, n = (draw.randint(1, 4) for _ in range(4))
    lead = [b] if batch else []
    added = draw.random() < 0.5
    flops = sum(2 for _ in cells(lead + [m, n, k])) + (count(lead + [m, n]) if added else 0)
    name = ("baddbmm" if added else "bmm") if batch else ("addmm" if added else "mm")
    dims = [lead + [m, n]] * added + [lead + [m, k], lead + [k, n]]
    return name, dims, [], flops, dims + [lead + [m, n]]


def window(size, kernel, stride, padding, dilation):
    """The places of a kernel that is moved over a padded line."""
    last = size + padding - dilation * (kernel - 1)
    return len(range(-padding, last, stride))


def convolution():
    space = draw.randint(1, 2)
    batch, groups, out, inner = draw.randint(1, 2), draw.randint(1, 2), draw.randint(1, 2), draw.randint(1, 2)
    x, k = [[draw.randint(3, 6) for _ in range(space)], [draw.randint(1, 3) for _ in range(space)]]
    stride, padding, dilation = ([draw.randint(lo, 2) for _ in range(space)] for lo in (1, 0, 1))
    places = [window(*args) for args in zip(x, k, stride, padding, dilation)]
    bias = draw.random() < 0.5
    if min(places) < 1:
        return convolution()
    result = [batch, out * groups] + places
    flops = sum(2 for _ in cells(result + [inner] + k)) + (count(result) if bias else 0)
    dims = [[batch, inner * groups] + x, [out * groups, inner] + k, [out * groups] if bias else []]
    concrete = ["", "", "", str(stride), str(padding), str(dilation), "False", "[0]", str(groups)]
    return "convolution", dims + [[]] * 6, concrete, flops, dims + [result]


def attention():
    b, h, s, t, d, dv = (draw.randint(1, 5) for _ in range(6))
    causal = draw.random() < 0.5
    flops = 0
    for _, _, row, key in cells([b, h, s, t]):
        if causal and s == t:
            flops += d + dv
        elif not causal or key <= row:
            flops += 2 * (d + dv)
    dims = [[b, h, s, d], [b, h, t, d], [b, h, t, dv]]
    concrete = ["", "", "", "0.", str(causal)]
    return "_scaled_dot_product_flash_attention", dims, concrete, flops, dims + [[b, h, s, dv]]


def elementwise():
    both = [draw.randint(1, 4) for _ in range(3)]
    a, b = ([1 if draw.random() < 0.3 else n for n in both] for _ in range(2))
    out = [max(x, y) for x, y in zip(a, b)]
    return draw.choice(["add", "mul", "div"]), [a, b[draw.randint(0, 2):]][:2], [], None, [a, b, out]


def reduction():
    x = [draw.randint(1, 4) for _ in range(3)]
    dims = sorted(draw.sample(range(3), draw.randint(1, 2)))
    rest = [n for i, n in enumerate(x) if i not in dims]
    signed = [d - 3 if draw.random() < 0.5 else d for d in dims]
    return "sum", [x, [], [], []], ["", str(signed), "False", ""], count(x), [x, rest]


calls, want = [], []
for i in range(int(sys.argv[1])):
    name, dims, concrete, flops, moved = draw.choice(
        [lambda: products(True), lambda: products(False), convolution, attention, elementwise, reduction])()
    kind = draw.choice(sorted(SIZES))
    if name in ("add", "mul", "div"):
        small = dims[1]
        out = [max(n, ([1] * (3 - len(small)) + small)[j]) for j, n in enumerate(dims[0])]
        flops, moved = count(out), [dims[0], small, out]
    args = {"Input Dims": dims, "Input type": [kind if d else "" for d in dims], "Concrete Inputs": concrete}
    calls.append({"ts": 2 * i, "dur": 1, "kind": "op", "name": "aten::" + name, "pid": 1, "tid": 1, "args": args})
    want.append((flops, sum(count(d) for d in moved if d) * SIZES[kind]))

text = "\n".join(map(json.dumps, calls)) + "\n"
output = subprocess.run(["op-flops"], input=text, capture_output=True, text=True, check=True).stdout
for line, (flops, size) in zip(output.splitlines(), want, strict=True):
    got = json.loads(line)
    if (got.get("flops"), got.get("bytes")) != (flops, size):
        print(f"counted {flops} and {size}: {line}")
