#!/usr/bin/env python3
"""Compares the reports of trace-report with the truths of verdict_traces.py.

usage: verdict_check.py DIR [REGEX]

Prints a line for each difference. HEADLINES says which class the words of a headline are, FIGURES which part a figure
of the report is.
"""
import glob, json, os, re, subprocess, sys

HEADLINES = [('communication', r'Communication is the largest'), ('copies', r'Copies are the largest'), ('host',
        r'waits? for the host'),
             ('compute', r'computes? nearly all'), ('host-only', r'operators? used|API calls? took|ranges? took'),
             ('unknown', r'does not say why|cause is (not known|unknown)'), ('after',
                     r'after (its|the) last|no (more|further) work'),
             ('between', r'Pauses between kernels'), ('other', r'[Oo]ther (device )?work')]
FIGURES = {'computing': 'computing', 'communicating': 'communication_only', 'copying': 'copies_only',
        'other': 'other_only',
           'host-late': 'idle_host_late', 'pauses': 'idle_between_kernels', 'unknown': 'idle_cause_unknown',
                   'after': 'after_last_work'}
ALWAYS = [(r'\b1 (steps|kernels|copies|records|launches)\b(?! of)', 'singular'), (r'\bThe GPU\.',
        'a sentence without a verb'),
          (r'\b(10[1-9]|1[1-9]\d|[2-9]\d\d)(\.\d+)? ?%', 'a share above 100 %'),
                  (r'\{[a-z_]+:(share|time|count|int|same)\}(?! ms)', 'a template')]


def run(*command):
    p = subprocess.run(command, capture_output=True, text=True)
    return p.stdout, p.stderr, p.returncode


def check(folder, truth):
    files = [os.path.join(folder, f) for f in truth['files']]
    text, err, status = run('trace-report', '-o', 'md', *files)
    records, _, _ = run('trace-report', '-o', 'ndjson', *files)
    records = [json.loads(line) for line in records.splitlines()]
    text = re.sub(r'\s+', ' ', text).replace('\\', '').replace('**', '').replace('\u00a0', ' ').replace('\u202f', ' ')
    prose = text.split('Where each step')[0].split('Where the time goes')[0].split('## Timeline')[0]
    verdict = next((x for x in records if x['kind'] == 'report/verdict'), {})
    if status:
        yield 'status %d: %s' % (status, err.strip()[:100])
    found = next((c for c, words in HEADLINES if re.search(words, verdict.get('text', ''))), None)
    if truth['headline']['class'] and found != truth['headline']['class']:
        yield 'headline is %s (%s), right: %s: %s' % (found, verdict.get('text'), truth['headline']['class'],
                truth['headline']['words'])
    devices = truth['devices']
    window = sum(d['window'] for d in devices)
    figures = {FIGURES.get(x['id'],
            x['id']): x for x in records if x['kind'] == 'report/figure' and x.get('group') == 'parts'}
    right = {p: sum(d[p] for d in devices) for p in FIGURES.values()} if devices else {}
    if truth['case'] == 'sync_batch_norm' and 'other_only' in figures and figures['other_only'].get('value'):
        right['other_only'], right['computing'] = right['computing'], 0
    for part in ('other_only', 'idle_cause_unknown', 'after_last_work'):
        if right and part not in figures:  # the report has no such part: its idle time counts as pauses
            if right[part] * 20 > window:
                yield 'part %s is missing: %.2f %% of the windows' % (part, right[part] * 100 / window)
            if part != 'other_only':
                right['idle_between_kernels'] += right[part]
            del right[part]
    for part, ns in right.items():
        share = figures.get(part, {}).get('share') or 0
        if abs(share - ns / window) > 1e-6:
            yield 'part %s: %.2f %%, right: %.2f %% (%d ns of %d)' % (part, share * 100, ns * 100 / window, ns, window)
    if figures and abs(sum(x.get('share') or 0 for x in figures.values()) - 1) > 1e-6:
        yield 'the parts sum to %.2f %% of the window' % (100 * sum(x.get('share') or 0 for x in figures.values()))
    steps, time = verdict.get('steps'), verdict.get('window')
    if truth['steps'] and steps is not None and steps != truth['steps']:
        yield '%s steps, right: %s' % (steps, truth['steps'])
    if truth['steps'] and not any(x.get('section') in ('steps', 'ranks') for x in records if x['kind'] == 'report/row'):
        yield 'the steps are not used'
    if truth['time'] and time is not None and abs(time - truth['time']) > 1:
        yield 'the trace covers %s ns, right: %s' % (time, truth['time'])
    for regex in truth['must']:
        if not re.search(regex, prose if devices else text, re.I):
            yield 'nothing says /%s/' % regex
    for rule in truth['must_not']:
        hit = re.search(rule['text'], text, re.I)
        if hit:
            yield 'says "%s": %s' % (text[max(0, hit.start() - 30):hit.end() + 30].strip(), rule['why'])
    for regex, why in ALWAYS:
        hit = re.search(regex, prose)
        if hit and (why, truth['case']) != ('a template', 'names_with_markup'):
            yield 'says "%s": %s' % (prose[max(0, hit.start() - 30):hit.end() + 20].strip(), why)
    for rule in truth['at_most']:
        for x in records:
            if x['kind'] == 'report/finding' and re.search(rule['finding'], x['title'] + x['text'],
                    re.I) and (x.get('saves') or 0) > rule['ns']:
                yield 'the finding "%s" saves at most %d ns a step, right: at most %d' % (x['title'], x['saves'],
                        rule['ns'])


def main():
    folder, only = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ''
    n = wrong = 0
    for path in sorted(glob.glob(os.path.join(folder, '*.truth.json'))):
        truth = json.load(open(path))
        if not re.search(only, truth['case']):
            continue
        n += 1
        lines = list(check(folder, truth))
        wrong += bool(lines)
        for line in lines:
            print('%s: %s' % (truth['case'], line))
    print('%d of %d cases are right' % (n - wrong, n))
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())
