#!/usr/bin/env python3
"""Compares the aggregates of groupby in got.ndjson with exact fractions of the values in random.ndjson.

usage: group_statistics.py
"""
import json, math
from fractions import Fraction
groups = {}
for line in open('random.ndjson'):
    r = json.loads(line)
    groups.setdefault((r.get('name'), r['kind']), []).append(r)
def quantile(v, p):
    v = sorted(v)
    rank = Fraction(p) * (len(v) - 1) / 100
    k = int(rank)
    return v[k] + (v[min(k + 1, len(v) - 1)] - v[k]) * (rank - k)
def root(v):
    """The square root with 200 bits, of which the last one is set if the others are not all."""
    bits = 400 - v.numerator.bit_length() + v.denominator.bit_length()
    bits += bits % 2
    whole, rest = divmod(v.numerator << max(bits, 0), v.denominator << max(-bits, 0))
    r = math.isqrt(whole)
    return Fraction(r << 1 | (rest > 0 or r * r < whole)) / Fraction(2) ** (bits // 2 + 1)
got = {}
for line in open('got.ndjson'):
    r = json.loads(line)
    got[r.get('name'), r['kind']] = r
bad = 0
if set(got) != set(groups):
    print('groups differ')
for key, records in groups.items():
    for field, values in ('dur', [r.get('dur') for r in records]), ('load', [r['args']['load'] for r in records]):
        values = [v for v in values if isinstance(v, (int, float))]
        exact = [Fraction(v) for v in values]
        n, mean = len(exact), sum(exact) / len(exact)
        squares = sum((v - mean) ** 2 for v in exact)
        want = {'sum': sum(exact), 'mean': mean, 'min': min(values), 'max': max(values),
                'std': root(squares / (n - 1)), 'var': squares / (n - 1), 'pstd': root(squares / n),
                'p50': quantile(exact, 50), 'p99.9': quantile(exact, Fraction('99.9')),
                'distinct': len(set(map(str, values))) + (field == 'load')}
        weights = [Fraction(r.get('dur')) if isinstance(r.get('dur'), (int, float)) else None for r in records]
        fields = [r.get('dur') if field == 'dur' else r['args']['load'] for r in records]
        pairs = [(Fraction(v), w) for v, w in zip(fields, weights) if isinstance(v, (int, float)) and w is not None]
        if sum(w for v, w in pairs) > 0:
            want['wmean'] = sum(v * w for v, w in pairs) / sum(w for v, w in pairs)
        for agg, v in want.items():
            value = got[key][field + '_' + agg]
            if agg[0] == 'p' and agg != 'pstd': # an interpolation
                same = abs(Fraction(value) - v) <= abs(v) / 10**14
            elif agg in ('min', 'max', 'distinct') or field == 'dur' and agg == 'sum':
                same = value == v
            else: # rounded once; the division of integers in Fraction.__float__() is correctly rounded
                same = value == float(v)
            if not same:
                print(key, field, agg, 'is', value, 'expected', float(v))
                bad += 1
    if got[key]['count'] != len(records):
        print(key, 'count', got[key]['count'], len(records))
total = sum(Fraction(r['dur_sum']) for r in got.values())
for key, r in got.items():
    if r['dur_share'] != float(r['dur_sum'] / total):
        print(key, 'share', r['dur_share'])
print(len(groups), 'groups')
