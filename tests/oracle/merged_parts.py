#!/usr/bin/env python3
"""Compares results that are merged from parts with those of one pass, byte by byte: random records, questions, parts
and orders of merging.

usage: merged_parts.py SEED SPLITS

Prints the number of splits. For a split whose results differ, prints the question and keeps its files. The suite runs
about 150 splits; 10,000 take some ten minutes:

    cd $(mktemp -d) && PATH=.../build/bin:$PATH .../tests/oracle/merged_parts.py 1 10000
"""
import json, os, random, subprocess, sys

NUMBERS = [lambda: random.randrange(100), lambda: random.randrange(-10**18, 10**18),
           lambda: random.lognormvariate(0, 5),
           lambda: random.choice([5e-324, -5e-324, 1e308, -1e308, 2.5, -2.5, -0.0, 0.0, 1e16, 2.0**60, 2**63 - 1,
                                  -2**63, 2**64]),
           lambda: random.uniform(-1, 1) * 10.0**random.randrange(-300, 300)]
OTHERS = [lambda: random.choice(['a', 'b', 'größe "x"', '', 'a\nb']),
          lambda: random.choice([True, None, [1, 'x'], {'k': 2}])]

def value(kinds):
    return random.choice(kinds)()

def records(n, kinds_differ):
    kinds = random.sample(NUMBERS, random.randint(1, 3)) + random.sample(OTHERS, random.choice([0, 0, 1, 2]))
    names = random.choice([['a'], ['a', 'b', 'c'], list(range(40)), ['a', 1, 1.0, '1', True, {'k': 1}]])
    kind = random.choice([None, 'kernel', 'gpu-busy', 'groupby/kernel'])
    lines = []
    for i in range(n):
        r = {'kind': kind} if kind else {}
        if kinds_differ and random.random() < 0.9:
            r['kind'] = random.choice(['kernel', 'gpu-busy', 'groupby/api', 'k%d' % random.randrange(i + 1), i % 70,
                                       ['k'], 'k"' + 'ä' * 50])
        if kind != 'gpu-busy':
            r['ts'] = i * 1000
        if random.random() < 0.9:
            r['name'] = random.choice(names)
        if random.random() < 0.9:
            r['x'] = value(kinds)
        if random.random() < 0.5:
            r['y'] = random.choice([random.randrange(1000), random.random(), 0])
        if random.random() < 0.3:
            r['args'] = nested(random.randrange(4))
        r['list'] = [random.choice(['p', 'q', 'p', 3]) for _ in range(random.randrange(4))]
        line = json.dumps(r, ensure_ascii=random.random() < 0.5)
        lines.append(line.replace('"a"', '"\\u0061"') if random.random() < 0.1 else line)
    return lines

def nested(depth):
    """Returns an object, an array, or another value; keys may have dots."""
    if not depth:
        return value(NUMBERS + OTHERS)
    if random.random() < 0.4:
        return [nested(depth - 1) for _ in range(random.randrange(3))]
    names = ['a', 'a.b', 'b', 'key "' + 'q' * 40, '[]', '']
    return {random.choice(names): nested(depth - 1) for _ in range(random.randrange(4))}

def question(fields):
    """Returns the program, the options of --partial and the options of --merge."""
    if fields:
        return 'stats --fields', [], ['-o', random.choice(['ndjson', 'csv', 'table'])]
    keys = random.choice([[], ['name'], ['name', 'y/100'], ['list[]', 'name'], ['name', 'list[]', 'x']])
    asked = ['-g', ','.join(keys)] if keys else []
    asked += ['--exact'] if random.random() < 0.2 else []
    printed = ['-o', random.choice(['ndjson', 'csv', 'table', 'md'])] + random.choice([[], ['-u', 'us']])
    if random.random() < 0.25:
        printed += random.choice([['-q', '1,99.9'], ['--hist'], ['--hist', '--bins', '7'], ['--hist', '--log']])
        return 'stats', asked + ['-f', 'x,y'], printed
    names = 'sum mean min max std pstd var first last list share distinct median p0 p99 p33.3 p100 count'.split()
    chosen = random.sample(names, random.randint(1, len(names)))
    chosen = [name + random.choice([':x', ':y', ':list[]']) for name in chosen]
    chosen += random.choice([[], ['wmean:x', 'wmean:y']])
    asked += random.choice([[], ['-f', 'y']]) + ['-a', ','.join(random.choice([[], ['count']]) + chosen)]
    if len(keys) > 1 and random.random() < 0.5:
        asked += ['--subtotals', keys[0]]
    return 'groupby', asked, printed + random.choice([[], ['-t', '2']])

def is_ordered(program, asked):
    """Returns whether the parts must be consecutive and numbered."""
    names = [item.split(':')[0] for option in asked for item in option.split(',')]
    return program == 'stats --fields' or bool({'first', 'last', 'list'} & set(names))

def run(program, args, out=None):
    args = program.split() + ['--quiet'] + args
    r = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if r.returncode:
        return b'status %d: ' % r.returncode + r.stderr
    if out:
        with open(out, 'wb') as f:
            f.write(r.stdout)
    return r.stdout

def write(name, lines):
    with open(name, 'w') as f:
        f.writelines(line + '\n' for line in lines)
    return name

def split(lines, program, asked):
    """Writes the parts of the records and their partial results, and returns the names of these."""
    n = min(200, int(2 ** random.uniform(0, random.choice([3, 3, 3, 7.7]))))
    ordered = is_ordered(program, asked)
    numbers = [0] * n
    parts = [[] for _ in range(n)]
    if ordered:
        numbers = sorted(random.sample(range(1000), n))
        cuts = sorted(random.randint(0, len(lines)) for _ in range(n - 1))
        parts = [lines[a:b] for a, b in zip([0] + cuts, cuts + [len(lines)])]
    else:
        for line in lines:
            random.choice(parts).append(line)
    names = []
    for i, part in enumerate(parts):
        name = 'part%d' % i
        option = '--partial=%d' % numbers[i] if ordered else '--partial'
        run(program, [option] + asked + [write(name, part)], name + '.out')
        names.append(name + '.out')
    return names

def merge(names, program):
    """Merges some partial results to new ones, and returns the names of all that are left."""
    random.shuffle(names)
    for i in range(random.randrange(6)):
        if len(names) < 2:
            break
        n = min(len(names), random.choice([2, 3, 5, 100]))
        run(program, ['--merge', '--partial'] + names[:n], 'merged%d.out' % i)
        names = names[n:] + ['merged%d.out' % i]
        random.shuffle(names)
    return names

random.seed(sys.argv[1])
done = 0
while done < int(sys.argv[2]):
    fields = random.random() < 0.15
    mixed = not fields and random.random() < 0.2
    n = random.choice([0, 1, 10, 100, 400, 400, 400, 9000 if random.random() < 0.2 else 50])
    lines = records(n, fields or mixed)
    write('whole', lines)
    for _ in range(3):
        program, asked, printed = question(fields)
        want = run(program, asked + printed + ['whole'])
        whole = run(program, ['--partial=0'] + asked + ['whole'])
        for _ in range(4):
            names = merge(split(lines, program, asked), program)
            got = run(program, ['--merge'] + printed + names)
            if mixed:  # the kind of the output may differ from that of one pass, but not with the order of merging
                random.shuffle(names)
                want = run(program, ['--merge'] + printed + names)
            done += 1
            if got != want:
                print('differs:', program, *asked, *printed)
                os.rename(write('seed', [sys.argv[1], str(done)]), 'differs')
                write('got', [got.decode()])
                write('want', [want.decode()])
                sys.exit(1)
            if not is_ordered(program, asked):
                again = run(program, ['--merge', '--partial'] + names)
                if again[:again.rindex(b'"source"')] != whole[:whole.rindex(b'"source"')]:
                    print('the partial result differs:', program, *asked)
                    write('got', [again.decode()])
                    write('want', [whole.decode()])
                    sys.exit(1)
print(done, 'splits')
