#!/usr/bin/env python3
"""Compares groupby, stats, ndjson2table -s and filter-calls -w with exact fractions, on random records.

usage: group_statistics.py SEED SETS

The rule is that of events(5): integers of up to 128 bits are exact, other numbers and results are rounded once to the
nearest double, and numbers beyond the range of double are left out, with status 1. Prints the number of record sets,
and each difference. The suite runs few sets; 2,000 take some minutes:

    cd $(mktemp -d) && PATH=.../build/bin:$PATH .../tests/oracle/group_statistics.py 1 2000
"""
import json, math, random, re, subprocess, sys
from fractions import Fraction

from nasty_traces import plain

INTEGERS = [lambda: random.randrange(-50, 50), lambda: random.randrange(-2**63, 2**63),
            lambda: random.choice([2**63 - 1, -2**63, 2**53 + 1, 2**64 - 1, 2**64 + 1, -2**64, 2**127 - 1, -2**127]),
            lambda: random.randrange(-2**127, 2**127), lambda: 10**17 + random.randrange(100)]
TEXTS = ['-0', '0', '0.0', '-0.0', '5.0', '1e3', '1E+2', '5e-324', '-5e-324', '1.5e-310', '2.4703282292062328e-324',
         '1e-400', '1.7976931348623157e308', '-1.7976931348623157e308', '1e308', '9007199254740993.0',
         '9007199254740992.0', '9007199254740993', '1e20', '100000000000000000000', '100000000000000000001']
# Texts, also with NUL and bytes that are not UTF-8, which are surrogates here.
STRINGS = ['"a"', '"\\u0061"', '"1"', '""', '"NUL\\u0000"', '"NUL\0"', '"\udcff"', '"\\ufffd"', '"half\\ud800"',
           '"\u00e9"', '"\\u00E9"', '"\\ud83d\\ude00"', '"\\u2028"', '"\\/\\n"']
HUGE = ['1e400', '-1e400', '1.7976931348623159e308', '1' + '0' * 309, '10e399']
DECIMALS = [lambda: repr(random.lognormvariate(0, 5)),
            lambda: repr(random.uniform(-1, 1) * 10.0**random.randrange(-300, 308)),
            lambda: '%d.%d' % (random.randrange(10**random.randrange(1, 30)), random.randrange(10**30)),
            lambda: '%de%d' % (random.randrange(-10**20, 10**20), random.randrange(-340, 280)),
            lambda: str(random.randrange(-10**45, 10**45)), lambda: str(random.randrange(2**127, 2**130))]

def number(kinds):
    kind = random.choice(kinds)
    if kind == 'integer':
        return str(random.choice(INTEGERS)())
    if kind == 'decimal':
        return random.choice(DECIMALS)()
    return random.choice(HUGE if kind == 'huge' else TEXTS)

class Value:
    """A value of a record: a text, or a number, which is exact, rounded to a double, or too large."""
    def __init__(self, json_text):
        self.text, self.number, self.huge, self.whole = json_text, None, False, False
        if json_text[0] == '"':
            text = json_text.encode(errors='surrogateescape').decode(errors='replace')
            self.decoded = plain(json.loads(text, strict=False))
            return
        self.exact = Fraction(json_text)
        self.whole = bool(re.fullmatch(r'-?\d+', json_text)) and -2**127 <= int(json_text) < 2**127
        if self.whole:
            self.number = self.exact
        elif math.isinf(float(json_text)):
            self.huge = True
        else:
            self.number = Fraction(float(json_text))
    def key(self):
        if self.text[0] == '"':
            return json.dumps(self.decoded)
        return self.text if self.number is None else self.number

def nearest(x):
    """The nearest double of a fraction, or None beyond the range."""
    try:
        return float(x)  # the division of integers in Fraction.__float__() is correctly rounded
    except OverflowError:
        return None

def root(v):
    """The square root with 200 bits, of which the last one is set if the others are not all."""
    bits = 400 - v.numerator.bit_length() + v.denominator.bit_length()
    bits += bits % 2
    whole, rest = divmod(v.numerator << max(bits, 0), v.denominator << max(-bits, 0))
    r = math.isqrt(whole)
    return Fraction(r << 1 | (rest > 0 or r * r < whole)) / Fraction(2) ** (bits // 2 + 1)

class Exact(Fraction):
    """A result that is not rounded."""

def result(v):
    """The result of a value that is one of the numbers."""
    return Exact(v.number) if v.whole else v.number

def quantile(values, p):
    if all(v.whole and -2**63 <= v.number < 2**63 for v in values):
        numbers = sorted(v.number for v in values)
    else:
        numbers = sorted(Fraction(nearest(v.number)) for v in values)
    rank = Fraction(p) * (len(values) - 1) / 100
    k = int(rank)
    x = numbers[k] + (numbers[min(k + 1, len(numbers) - 1)] - numbers[k]) * (rank - k)
    if all(v.whole and -2**63 <= v.number < 2**63 for v in values):
        if x.denominator == 1:
            return Exact(x)
        if abs(x) >= 2**53:  # rounded to an integer, a half away from zero
            return Exact(math.floor(abs(x) + Fraction(1, 2)) * (1 if x > 0 else -1))
    return x

def statistics(values, total, weighted):
    """The results for the values of a field in a group. None: no result; 'huge': beyond the range of double."""
    present = [v for v in values if v and not v.huge]
    numbers = [v for v in present if v.number is not None]
    got = {'count': Exact(len(present)), 'distinct': Exact(len({v.key() for v in present}))}
    if present:
        for name, v in ('first', present[0]), ('last', present[-1]):
            got[name] = v.decoded if v.number is None else result(v)
        got['list'] = [v.decoded if v.number is None else result(v) for v in present]
    if not numbers:
        return got
    n, exact = len(numbers), [v.number for v in numbers]
    mean = sum(exact) / n
    squares = sum((x - mean) ** 2 for x in exact)
    s = sum(exact)
    got['sum'] = Exact(s) if all(v.whole for v in numbers) and -2**127 <= s < 2**127 else s
    got['mean'] = mean
    for name, f in ('min', min), ('max', max):
        limit = f(exact)
        got[name] = result(next((v for v in numbers if v.number == limit and v.whole), None) or
                           next(v for v in numbers if v.number == limit))
    if n > 1:
        got['var'], got['std'] = squares / (n - 1), root(squares / (n - 1))
    got['pstd'] = root(squares / n)
    for p in '0', '25', '50', '75', '99', '99.9', '100':
        got['p' + p] = quantile(numbers, p)
    got['median'] = got['p50']
    if total:
        got['share'] = s / total
    if sum(w for _, w in weighted) > 0:
        got['wmean'] = sum(x * w for x, w in weighted) / sum(w for _, w in weighted)
    return got

class Differences:
    n = 0
    def report(self, *what):
        self.n += 1
        print(*what)

def is_same(got, want):
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(is_same, got, want))
    if isinstance(want, str) or isinstance(got, str) or got is None:
        return got == want
    if isinstance(want, Exact):
        return got == want
    return Fraction(float(got)) == nearest(want)

def run(*args):
    r = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8')
    rows = [json.loads(line, parse_float=Fraction, parse_int=Fraction) for line in r.stdout.split('\n')[:-1]]
    return rows, r.returncode, r.stderr

def check_group(differences, row, prefix, want, names, scale):
    """Compares the results in a row; returns how many are too large."""
    huge = 0
    for name in names:
        x, got = want.get(name), row.get(prefix + name)
        if scale != 1 and isinstance(x, Fraction) and name not in ('count', 'distinct', 'var', 'share'):
            x = Exact(x / scale) if isinstance(x, Exact) and scale == 1000 else Fraction(x) / scale
        if isinstance(x, Fraction) and not isinstance(x, Exact) and nearest(x) is None:
            huge += 1
            x = None
        if not is_same(got, x):
            differences.report(prefix + name, 'is', got, 'expected', x if x is None or isinstance(x, list) else
                               str(x) if isinstance(x, (Exact, str)) else nearest(x))
    return huge

def check_set(differences):
    kinds = random.choice([['integer'], ['integer', 'special'], ['decimal'], ['integer', 'decimal', 'special'],
                           ['integer', 'decimal', 'special', 'special', 'huge'], ['huge', 'special']])
    records, lines = [], []
    keys = [number(['integer', 'special', 'decimal']) for _ in range(3)]
    keys += ['0', '-0.0', '"0"', *random.sample(STRINGS, 2)]
    for i in range(random.choice([1, 2, 3, 10, 40])):
        r = {'k': random.choice(keys), 'i': str(i)}
        if random.random() < 0.9:
            r['x'] = number(kinds) if random.random() < 0.95 else random.choice(STRINGS)
        if random.random() < 0.9:
            r['w'] = random.choice([str(random.randrange(100)), number(['decimal']), number(['integer'])])
        records.append({name: Value(text) for name, text in r.items()})
        lines.append('{' + ','.join('"%s":%s' % item for item in r.items()) + '}\n')
    with open('set', 'w', encoding='utf-8', errors='surrogateescape') as f:
        f.writelines(lines)
    with open('reversed', 'w', encoding='utf-8', errors='surrogateescape') as f:
        f.writelines(reversed(lines))
    check_groupby(differences, records)
    check_stats(differences, records)
    check_sort(differences, records)
    check_condition(differences, records, kinds)

def weights(records):
    """wmean:x is weighted by the first field, w."""
    return [(r['x'].number, r['w'].number) for r in records
            if 'x' in r and 'w' in r and r['x'].number is not None and r['w'].number is not None]

def key_of(k):
    if isinstance(k, str):
        return json.dumps(k)
    return k if k.denominator == 1 and -2**127 <= k < 2**127 else Fraction(float(k))

NAMES = ('count sum mean min max var std pstd first last list distinct median p0 p25 p50 p75 p99 p99.9 p100 share '
         'wmean').split()

def check_groupby(differences, records):
    groups = {}
    for r in records:
        groups.setdefault(r['k'].key(), []).append(r)
    total = sum((r['x'].number for r in records if 'x' in r and r['x'].number is not None), Fraction(0))
    units = random.choice([[], ['--time', 'x', '-u', 'us'], ['--size', 'x', '-u', 'KiB']])
    prefix, scale = {'': ('x_', 1), '--time': ('x_us_', 1000), '--size': ('x_KiB_', 1024)}[units[0] if units else '']
    asked = ['groupby', '-g', 'k', '-f', 'w', '-a', 'count,' + ','.join(name + ':x' for name in NAMES)] + units
    rows, status, messages = run(*asked, 'set')
    lost = sum('x' in r and r['x'].huge for r in records)
    huge = 0
    if {key_of(row['k']) for row in rows} != set(groups):
        differences.report('the groups differ:', [row['k'] for row in rows])
        return
    for row in rows:
        group = groups[key_of(row['k'])]
        if row['count'] != len(group):
            differences.report('count is', row['count'], 'expected', len(group))
        want = statistics([r.get('x') for r in group], total, weights(group))
        for name in NAMES:
            column = 'x_' + name if name in ('count', 'distinct', 'var', 'share', 'list') else prefix + name
            one = scale if column.startswith(prefix) and column != 'x_' + name else 1
            huge += check_group(differences, row, column[:-len(name)], want, [name], one)
    check_messages(differences, status, messages, lost, huge, 'groupby')
    unordered = ['groupby', '-g', 'k', '-f', 'w', '-a', ','.join(
        name + ':x' for name in NAMES if name not in ('first', 'last', 'list'))]
    if run(*unordered, 'set')[0] != run(*unordered, 'reversed')[0]:
        differences.report('the order of the records changes the results')

def check_messages(differences, status, messages, lost, huge, program):
    place = '' if lost < 2 else ' (and %d more)' % (lost - 1)
    lost_lines = [m for m in messages.splitlines() if 'number beyond' in m]
    huge_lines = [m for m in messages.splitlines() if 'result beyond' in m]
    if status != (lost + huge > 0) or len(lost_lines) != (lost > 0) or len(huge_lines) != (huge > 0):
        differences.report(program, 'status', status, 'messages', messages, 'expected', lost, huge)
    elif lost and not lost_lines[0].endswith('left out' + place):
        differences.report(program, 'message', lost_lines[0], 'expected', lost)
    elif huge > 1 and not huge_lines[0].endswith(' (and %d more)' % (huge - 1)):
        differences.report(program, 'message', huge_lines[0], 'expected', huge)

def check_stats(differences, records):
    rows, status, messages = run('stats', '-f', 'x', '-q', '99.9', 'set')
    values = [r.get('x') for r in records]
    want = statistics(values, 0, [])
    want['count'] = Exact(sum(v is not None and v.number is not None for v in values))
    huge = check_group(differences, rows[0], '', want, 'count mean std min p25 p50 p75 p99.9 max sum'.split(), 1)
    check_messages(differences, status, messages, sum(v is not None and v.huge for v in values), huge, 'stats')

def check_sort(differences, records):
    ascending = random.random() < 0.5
    rows, status, _ = run('ndjson2table', '-s', ('+' if ascending else '') + 'x', '-f', 'i', '-o', 'ndjson', 'set')
    def order(r):
        v = r.get('x')
        if v is None:
            return (0, 0)
        return (1, v.decoded) if v.text[0] == '"' else (2, v.exact)
    want = sorted(records, key=order, reverse=not ascending)  # stable in both directions
    if status or [row['i'] for row in rows] != [r['i'].number for r in want]:
        differences.report('ndjson2table -s:', [str(row['i']) for row in rows], 'expected', [r['i'].text for r in want])

def check_condition(differences, records, kinds):
    name = random.choice(['==', '!=', '<', '<=', '>', '>='])
    value = number(kinds) if random.random() < 0.5 else random.choice(records).get('x', records[0]['k']).text
    if value[0] == '"':
        return
    rows, status, _ = run('filter-calls', '-w', 'x%s%s' % (name, value), 'set')
    v = Fraction(value)
    holds = {'==': lambda x: x == v, '!=': lambda x: x != v, '<': lambda x: x < v, '<=': lambda x: x <= v,
             '>': lambda x: x > v, '>=': lambda x: x >= v}[name]
    def is_kept(x):
        if x.text[0] == '"':
            ordered = name not in ('==', '!=')
            return holds(Fraction(1)) if ordered and x.decoded == '1' else name == '!=' or False
        return holds(x.exact)
    want = [r['i'].number for r in records if 'x' in r and is_kept(r['x'])]
    if status or [row['i'] for row in rows] != want:
        differences.report('filter-calls -w x%s%s:' % (name, value), [str(row['i']) for row in rows])

random.seed(sys.argv[1])
found = Differences()
for done in range(1, int(sys.argv[2]) + 1):
    before = found.n
    check_set(found)
    if found.n > before:
        print('in this set:', ascii(open('set', errors='surrogateescape').read()))
        break
print(int(sys.argv[2]), 'sets') if not found.n else None
