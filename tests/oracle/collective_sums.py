#!/usr/bin/env python3
"""Compares the rows of `collectives -o ndjson` with collectives.csv.

  collective_sums.py FOLDER CLOCKS ROWS

FOLDER has the golden files of a setting. Percentiles are linear between the two nearest values. Bandwidths have 6
digits in the golden files. With CLOCKS raw, skews are equal and so are the numbers of each class; otherwise skews are
within 5 us, and the classes of a few collectives may differ.
"""
import collections, csv, json, math, sys

folder, clocks, output = sys.argv[1:]
NEAR = 0 if clocks == "raw" else 5000


def percentile(values, p):
    values = sorted(values)
    if not values:
        return None
    place = (len(values) - 1) * p
    low = math.floor(place)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (place - low)


groups = collections.defaultdict(list)
with open(f"{folder}/collectives.csv") as f:
    for r in csv.DictReader(f):
        groups[r["op"], r["dtype"], r["bytes"], r["size"], r["group"], r["ranks"]].append(r)
right = collections.defaultdict(list)
for (op, dtype, size, ranks_n, group, _), rows in groups.items():
    real = [r for r in rows if int(r["n"]) > 1]
    latency = [int(r["latency"]) for r in real]
    busbw = [float(r["busbw"]) for r in real if r["busbw"]]
    skew = [int(r["skew_start"]) for r in real]
    right[op, dtype, size, ranks_n, group].append(
        dict(count=len(real), alone=len(rows) - len(real), latency_p50=percentile(latency, 0.5),
             latency_max=max(latency, default=None), busbw_p10=percentile(busbw, 0.1), busbw_p50=percentile(busbw, 0.5),
             busbw_max=max(busbw, default=None), skew_p50=percentile(skew, 0.5), skew_max=max(skew, default=None),
             **{c: sum(r["class"] == c for r in real) for c in ("skew", "mixed", "transfer", "inconclusive")}))


def wrong(row, golden):
    """The columns that differ."""
    for column, a in golden.items():
        b = row.get(column)
        if a is None or b is None:
            same = a is b
        elif column.startswith("busbw"):
            same = abs(a - b) <= 1e-4 * a
        elif column.startswith("skew_"):
            same = abs(a - b) <= NEAR
        elif column in ("skew", "mixed", "transfer", "inconclusive"):
            same = abs(a - b) <= (2 if NEAR else 0)
        else:
            same = abs(a - b) <= 0.5
        if not same:
            yield column, a, b


differences = 0
for line in open(output):
    row = json.loads(line)
    key = tuple(str(row.get(k, "")) for k in ("name", "dtype", "bytes", "size", "group"))
    # Groups with the same name: any of them.
    best = min(right[key], key=lambda g: len(list(wrong(row, g))), default=None)
    if best is None:
        print(key, "only in output")
        differences += 1
        continue
    right[key].remove(best)
    for column in wrong(row, best):
        print(key, *column)
        differences += 1
for key, rows in right.items():
    if rows:
        print(key, "only in golden:", len(rows))
        differences += len(rows)
print(differences, "differences")
