#!/usr/bin/env python3
"""Compares a picture of `ndjson2svg area -u ns -f v --color s` with its records.

usage: area_heights.py RECORDS.ndjson PICTURE.svg
       area_heights.py make SEED N   prints records: blocks and counters, also from before the start

Each box has a value at a time, which must be that of its series then, and the boxes of a column must have the moment
with the largest sum in the time of the column.
"""
import collections
import json
import random
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"


def make(seed, n):
    rng = random.Random(seed)
    for i in range(4):
        print(json.dumps({"s": rng.choice("ab"), "v": rng.randrange(1, 50), "end": rng.randrange(0, 9000)}))
    print(json.dumps({"s": "rest", "v": 30}))
    for ts in sorted(rng.choices(range(10000), k=n)):
        r = {"ts": ts, "dur": rng.choice((0, 3, 70, 900)), "s": rng.choice("abcd"), "v": rng.randrange(1, 99)}
        if rng.random() < 0.2:
            del r["dur"]
            r.update(rng.choice(({"s": "counter"}, {"outside": "after"}, {"s": "x", "outside": "after"})))
        print(json.dumps(r))


def changes(records):
    """The values of the series after each time."""
    deltas, last = collections.defaultdict(lambda: collections.Counter()), {}
    times = [r["ts"] for r in records if "ts" in r] + [r["end"] for r in records if "end" in r]
    first = min(times)
    for r in records:
        begin, value = r.get("ts", first), r["v"]
        end = begin + r["dur"] if "dur" in r else r.get("end")
        deltas[begin][r["s"]] += value
        if end is not None:
            deltas[end][r["s"]] -= value
        elif r.get("outside") != "after":
            deltas[begin][r["s"]] -= last.get(r["s"], 0)
            last[r["s"]] = value
    now, out = collections.Counter(), []
    for t in sorted(deltas):
        now.update(deltas[t])
        out.append((t - first, {s: v for s, v in now.items() if v}))
    return out


def boxes(path):
    """The boxes: left and right edge, lower and upper edge, series, value, time; and the limits of the x axis."""
    root, out = tree.parse(path).getroot(), []
    for rect in root.iter(SVG + "rect"):
        title = rect.find(SVG + "title")
        if title is None:
            continue
        series, _, moment = title.text.rpartition("\n")
        value, at = re.fullmatch(r"(?:peak: )?(\S+) at (\S+) ns", moment).groups()
        x, y, w, h = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
        out.append((x, x + w, y + h, y, series, float(value), int(at)))
    rules = [line for line in root.iter(SVG + "line") if line.get("class") == "rule"]
    axis = next(line for line in rules if line.get("y1") == line.get("y2"))
    return out, float(axis.get("x1")), float(axis.get("x2"))


def main():
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), int(sys.argv[3]))
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        states = changes([json.loads(line) for line in file])
    drawn, left, right = boxes(sys.argv[2])
    times = [t for t, _ in states]
    scale = (times[-1] + 1) / (right - left)
    height = max(sum(s.values()) for _, s in states)
    pixel = max(b[2] for b in drawn) - min(b[3] for b in drawn if b[4])
    checked = 0
    for x0, x1, bottom, top, series, value, at in drawn:
        state = next(s for t, s in reversed(states) if t <= at)
        total = sum(state.values())
        if not series:  # the peak
            assert value == total == height, (value, total, height)
            continue
        assert state.get(series) == value, (series, value, at, state)
        assert abs((bottom - top) - value / height * pixel) <= 1.5, (series, value, bottom - top)
        # No other moment of the first columns of the box has a larger sum.
        begin, end = (x0 - left + 1) * scale, min((x0 - left + 1) * scale, (x1 - left - 1) * scale)
        inside = [sum(s.values()) for i, (t, s) in enumerate(states)
                  if t <= end and (i + 1 == len(states) or times[i + 1] > begin)]
        assert max(inside, default=0) <= total, (series, at, total, inside)
        checked += 1
    print(checked > 300 or checked)


main()
