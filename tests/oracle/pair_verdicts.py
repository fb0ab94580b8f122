#!/usr/bin/env python3
"""Compares the rows of group-diff --step with the truth of a generated pair of traces.

usage: pair_verdicts.py TRUTH <ROWS

TRUTH has the durations that the generator wrote. The parts of each difference, the medians, p and the verdict are
computed here from their definitions. Prints the numbers of rows, of wrong rows, of planted changes that were missed, of
unchanged items, and of unchanged items that count as changed.
"""
import fractions, functools, json, math, statistics, sys


@functools.lru_cache(None)
def arrangements(a, b, u):
    """The number of arrangements of a and b values in which exactly u pairs have the larger value in a."""
    if u < 0 or a == 0 or b == 0:
        return int(u == 0)
    return arrangements(a - 1, b, u - b) + arrangements(a, b - 1, u)


def probability(x, y):
    a, b = len(x), len(y)
    u = sum((i > j) + (i == j) / 2 for i in x for j in y)
    equal = [(x + y).count(v) for v in set(x + y)]
    if a * b <= 400 and max(equal) == 1:
        low = sum(arrangements(a, b, k) for k in range(int(u) + 1))
        high = sum(arrangements(a, b, k) for k in range(int(u), a * b + 1))
        return float(min(1, fractions.Fraction(2 * min(low, high), math.comb(a + b, a))))
    n = a + b
    variance = a * b / 12 * (n + 1 - sum(t**3 - t for t in equal) / (n * (n - 1)))
    return math.erfc(max(0, abs(u - a * b / 2) - 0.5) / math.sqrt(variance) / math.sqrt(2)) if variance else 1


def verdict(x, y, p):
    if 2 / math.comb(len(x) + len(y), len(x)) > 0.01:
        return "cannot tell"
    before, after = statistics.median(x), statistics.median(y)
    return "changed" if p <= 0.01 and abs(after - before) >= 0.01 * before else "within noise"


truth = json.load(open(sys.argv[1]))
planted = {name for x in truth["planted"] if x["what"] != "within noise" for name in (x["before"], x["after"])}
rows = wrong = missed = unchanged = false = 0
for r in map(json.loads, sys.stdin):
    want = truth["names"].pop(r["name"])
    x, y = want["steps"]
    p = probability(x, y)
    figures = [r[k] for k in ("count_a", "count_b", "total_a", "total_b", "by_calls", "by_time", "new", "gone")]
    good = figures == want["calls"] + want["time"] + [want["parts"][k] for k in ("by_calls", "by_time", "new", "gone")]
    good &= abs(r["p"] - p) < 1e-9 and r["verdict"] == verdict(x, y, p)
    good &= (r["median_a"], r["median_b"]) == (statistics.median(x), statistics.median(y))
    good &= r["diff"] == r["total_b"] - r["total_a"] == r["by_calls"] + r["by_time"] + r["new"] + r["gone"]
    rows, wrong = rows + 1, wrong + (not good)
    missed += r["name"] in planted and r["verdict"] != "changed"
    unchanged += r["name"] not in planted
    false += r["name"] not in planted and r["verdict"] == "changed"
print(rows, wrong + len(truth["names"]), missed, unchanged, false)
