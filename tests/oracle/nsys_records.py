#!/usr/bin/env python3
"""The records of nsys files, computed from their lines, compared with those of trace2ndjson.

usage: nsys_records.py FILE...
Compares the count and the total time of each category, and each record in order. Prints the first difference of each
file.
"""
import collections, json, subprocess, sys

from traces import opened

def whole(v):
    return None if v is None else int(v)

def split(g):
    return (None, None) if g is None else (int(g) >> 24 & 0xFFFFFF, (int(g) & 0xFFFFFF) or None)

# The four tables give the kind of the record for every event in data/nsys.
BY_OBJECT = {'kernel', 'memcpy', 'memset', 'sync'}
BY_CLASS = {0: 'api', 1: 'api', 28: 'cuDNN', 29: 'cuBLAS'}
BY_NVTX = {34: 'mark', 59: 'range', 60: 'range'}
BY_TABLE = {'RUNTIME': 'api', 'KERNEL': 'kernel', 'MEMCPY': 'memcpy', 'MEMSET': 'memset', 'SYNCHRONIZATION': 'sync'}

def kind(cat, e):
    if cat == 'TraceProcessEvent':
        return BY_CLASS.get(e['eventClass'], 'other')
    if cat == 'CudaEvent':
        return next(iter(BY_OBJECT & set(e)))
    if cat in ('NvtxEvent', 'NVTX_EVENTS'):
        return BY_NVTX[e.get('Type', e.get('eventType'))]
    if cat.startswith('CUPTI_ACTIVITY_KIND_'):
        return BY_TABLE[cat[len('CUPTI_ACTIVITY_KIND_'):]]
    return 'other' if cat.endswith('Event') else 'meta'

def read(path):
    with opened(path, 'rb') as f:
        lines = [json.loads(line) for line in f]
    text = {}
    for o in lines:
        if o.get('type') == 'String' or o.get('table') == 'StringIds':
            text[int(o['id'])] = o['value']
    for o in lines:
        if o.get('type') == 'String' or o.get('table') == 'StringIds':
            continue
        if 'Type' in o:
            cat = next(k for k in o if k != 'Type')
            e = o[cat]
        else:
            cat, e = o.get('type') or o['table'], o
        inner = next((e[k] for k in ('kernel', 'memcpy', 'memset', 'sync') if k in e), e)
        start = e.get('startNs', e.get('start', e.get('Timestamp')))
        if isinstance(start, dict):
            start = start['Time']
        start, end = whole(start), whole(e.get('endNs', e.get('end', e.get('EndTimestamp'))))
        name = e.get('Text', e.get('text', e.get('filename')))
        if 'demangledName' in inner:
            name = text[int(inner['demangledName'])]
        elif 'nameId' in e or cat == 'TraceProcessEvent':
            name = text[int(e.get('nameId', e.get('name')))]
        elif cat.startswith('TARGET_INFO'):
            name = e['name']
        thread = e.get('globalTid', e.get('GlobalTid'))
        pid, tid = split(thread or e.get('globalPid', e.get('GlobalPid', e.get('GlobalProcess'))))
        stream = whole(e.get('streamId'))
        yield cat, (kind(cat, e), start, None if end is None else end - start, name, pid, tid, whole(e.get('deviceId')),
                    None if stream == 4294967295 else stream, whole(e.get('correlationId')) or None,
                    whole(inner.get('sizebytes', e.get('bytes'))))

def ours(path):
    out = subprocess.run(['trace2ndjson', path], stdout=subprocess.PIPE, check=True).stdout
    for line in out.splitlines():
        r = json.loads(line)
        name = r.get('name')
        if r['kind'] in ('memcpy', 'memset', 'sync'):
            name = None  # the source has no name
        lib = r.get('args', {}).get('lib')
        yield r['cat'], (lib or r['kind'], r.get('ts'), r.get('dur'), name, r.get('pid'), r.get('tid'), r.get('dev'),
                         r.get('stream'), r.get('corr'), r.get('bytes'))

def sums(records):
    count = collections.defaultdict(lambda: [0, 0])
    for cat, r in records:
        count[cat][0] += 1
        count[cat][1] += r[2] or 0
    return dict(count)

for path in sys.argv[1:]:
    want, got = list(read(path)), list(ours(path))
    if sums(want) != sums(got):
        print(path, 'count and sum per category', sums(want), sums(got))
    elif want != got:
        print(path, *next((i, w, g) for i, (w, g) in enumerate(zip(want, got)) if w != g))
