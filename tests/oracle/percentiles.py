#!/usr/bin/env python3
"""Prints how well percentiles in got.ndjson agree with exact fractions of the values in values.ndjson.

usage: percentiles.py
"""
import collections, decimal, json
from fractions import Fraction
values = collections.defaultdict(list)
for line in open('values.ndjson'):
    r = json.loads(line)
    for field in 'ts', 'dur', 'load':
        values[r['n'], field].append(r[field])
for v in values.values():
    v.sort()
for line in open('got.ndjson'):
    r = json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
    n, worst, digits = int(r['n']), 0, 0
    for name, value in r.items():
        field, _, p = name.partition('_p')
        if not p:
            continue
        v = values[n, field]
        rank = Fraction(p) * (len(v) - 1) / 100
        low, high = Fraction(v[int(rank)]), Fraction(v[min(int(rank) + 1, len(v) - 1)])
        want = low + (high - low) * (rank - int(rank))
        off = abs(Fraction(value) - want)
        if field == 'ts' and n <= 4096:
            assert off <= Fraction(1, 2), (r['n'], name, value, float(want))
        else:
            worst = max(worst, off / abs(want))
        if n > 4096 and field != 'ts' and p in ('25', '50', '75'):
            digits = max(digits, len(value.normalize().as_tuple().digits))
    print(n, 'exact' if worst < 1e-14 else 'approximate' if worst <= 0.006 else f'wrong by {float(worst)}', digits)
