#!/usr/bin/env python3
"""The records of nsys databases, compared with other readers of the same report.

usage: nsys_database.py json TRACE DATABASE     the records of the old JSON of the same report
       nsys_database.py answers DIR DATABASE    the answers in DIR, which were computed with SQL alone
Prints the first differences. TRACE and DATABASE may be compressed with gzip.
"""
import collections, csv, json, os, subprocess, sys

from traces import opened

def records(path):
    run = subprocess.run(['trace2ndjson', path], stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]

def report(what, want, got):
    """Compares two collections of rows as multisets."""
    want, got = collections.Counter(want), collections.Counter(got)
    for sign, rest in (('-', want - got), ('+', got - want)):
        for row in list(rest.elements())[:3]:
            print(what, sign, row)

# --- the JSON of the same report: these members of these kinds are the same

KINDS = ('api', 'kernel', 'memcpy', 'memset', 'sync', 'range', 'mark')
MEMBERS = ('ts', 'dur', 'kind', 'name', 'pid', 'tid', 'dev', 'stream', 'corr', 'bytes', 'copy', 'err')
ARGS = ('shortName', 'style', 'domain')

def shared(r):
    # In JSON, calls of MPI are ranges, and one MPI_Waitall is one range; a database has a row for each of its requests.
    if r['kind'] not in KINDS or r.get('args', {}).get('lib') == 'MPI' or r.get('name', '').startswith('MPI_'):
        return None
    return tuple(r.get(m) for m in MEMBERS) + tuple(r.get('args', {}).get(m) for m in ARGS)

def compare_json(trace, database):
    rows = [[s for s in (shared(r) for r in records(path)) if s] for path in (trace, database)]
    report('record', *rows)
    threads = [[(r['pid'], r['tid'], r['name']) for r in records(path) if r.get('cat') in ('ThreadName', 'ThreadNames')]
               for path in (trace, database)]
    report('thread', *threads)

# --- answers by SQL

def text(v):
    return '' if v is None else str(v)

def grouped(rs, key, *sums):
    """One row for each key: key, count, and the sums of other values."""
    groups = collections.defaultdict(list)
    for r in rs:
        groups[key(r)].append(r)
    return [tuple(map(text, k + (len(g),) + tuple(f(g) for f in sums))) for k, g in groups.items()]

def total(g):
    return sum(r['dur'] for r in g)

def least(g):
    return min(r['dur'] for r in g)

def most(g):
    return max(r['dur'] for r in g)

def size(g):
    sizes = [r['args']['size'] for r in g if 'size' in r['args']]
    return sum(sizes) if sizes else None

def answers(rs):
    kind = collections.defaultdict(list)
    for r in rs:
        kind[r['kind']].append(r)
    api = [r for r in kind['api'] if r['cat'] == 'CUPTI_ACTIVITY_KIND_RUNTIME']
    device = kind['kernel'] + kind['memcpy'] + kind['memset']
    lib = lambda name: [r for r in kind['api'] if r.get('args', {}).get('lib') == name]
    # In the answers, a record of a database without process ids has the pid 0.
    calls = {(r.get('pid', 0), r['corr']): r for r in api if 'corr' in r}
    joined = collections.defaultdict(list)
    for r in device + kind['sync']:
        call = calls.get((r.get('pid', 0), r.get('corr')))
        joined[r['kind'], call['name'] if call else ''].append((r, call))
    def join_row(key, pairs):
        delays = [r['ts'] - c['ts'] for r, c in pairs if c]
        queues = [r['ts'] - c['ts'] - c['dur'] for r, c in pairs if c and r['ts'] >= c['ts'] + c['dur']]
        queued = [len(queues), sum(queues) if queues else None] if delays else [None, None]
        delayed = [sum(delays), min(delays), max(delays)] if delays else [None] * 3
        return tuple(map(text, [*key, len(pairs), *delayed, *queued]))
    return {
        'kernel_sum': grouped(kind['kernel'], lambda r: (r['name'],), total, least, most),
        'api_sum': grouped(api, lambda r: (r['name'],), lambda g: sum('err' in r for r in g), total, least, most),
        'range_sum': grouped((r for r in kind['range'] if 'dur' in r),
            lambda r: (r['args'].get('domain', ''), r['args']['style'], r['name'].split(', ')[0]), total),
        'marks': grouped(kind['mark'], lambda r: (r['name'],)),
        'memset_sum': grouped(kind['memset'], lambda r: (), lambda g: sum(r['bytes'] for r in g), total),
        'sync_sum': grouped(kind['sync'], lambda r: (r['args']['syncType'],), total),
        'streams': grouped(device, lambda r: (r.get('pid', 0), r['dev'], r['stream'], r['kind']),
            lambda g: min(r['ts'] for r in g), lambda g: max(r['ts'] + r['dur'] for r in g), total),
        'threads': grouped(api, lambda r: (r['pid'], r.get('tid')), total),
        'joins': [join_row(k, g) for k, g in joined.items()],
        'osrt_sum': grouped(lib('OSRT'), lambda r: (r['name'],), total),
        'mpi_sum': grouped(lib('MPI'), lambda r: (r['name'],), size, total),
        'samples': grouped((r for r in kind['sample'] if 'stack' in r), lambda r: (r['stack'][-1],)),
        'copy_sum': grouped(kind['memcpy'], lambda r: (r['args']['copyKind'],), lambda g: sum(r['bytes'] for r in g),
            total, least, most),
        'tables': grouped(rs, lambda r: (r['cat'],)),
    }

def compare_answers(folder, database):
    got = answers(records(database))
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.csv'):
            continue
        with opened(os.path.join(folder, name), 'rt') as f:
            want = [tuple(row) for row in list(csv.reader(f))[1:]]
        name = name[:-len('.csv')]
        if name == 'copy_sum':     # without the label of the direction
            want = [row[1:] for row in want]
        if name == 'tables':       # strings and frames of stacks are not records
            want = [row for row in want
                    if row[0] != 'StringIds' and not row[0].endswith('_CALLCHAINS') and row[1] != '0']
        report(name, want, got[name])

if sys.argv[1] == 'json':
    compare_json(*sys.argv[2:])
else:
    compare_answers(*sys.argv[2:])
