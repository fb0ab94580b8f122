#!/usr/bin/env python3
"""The records of a small trace in which one random byte is damaged, compared with those of the undamaged trace.

usage: random_damage.py TRACE TIMES
Tries three layouts of the trace. Checks that every line of the output is JSON, that the exit status is 0, or 1 with a
message, and that all events except the damaged one and its neighbours are written.
"""
import collections, json, random, subprocess, sys

def run(data):
    return subprocess.run(["trace2ndjson"], input=data, capture_output=True)

def records(out):
    return [json.dumps(json.loads(line), sort_keys=True) for line in out.decode().split("\n")[:-1]]

def layout(events, begin, separator, end, **how):
    """Returns the document, and the offsets of the begin and the end of each event."""
    text, places = begin, []
    for i, event in enumerate(events):
        text += separator if i else ""
        places.append((len(text), len(text := text + json.dumps(event, **how))))
    return (text + end).encode(), places

def damage(data, begin):
    """Damages one byte at `begin` or later; the preceding bytes determine the format of the file."""
    data, at, how = bytearray(data), random.randrange(begin, len(data)), random.randrange(4)
    if how == 0:
        data[at] = random.randrange(256)
    elif how == 1:
        data[at] = random.choice(b'"{}[]:,\\\0\n0')
    elif how == 2:
        del data[at]
    else:
        data.insert(at, random.choice(b'"{}[]:,\\ \n-e'))
    return bytes(data), at

random.seed(20261121)
trace, times = sys.argv[1], int(sys.argv[2])
events = json.load(open(trace))["traceEvents"]
compact = {"separators": (",", ":")}
for document in (
    layout(events, '{"traceEvents":[', ",", '],"traceName":"x"}', **compact),
    layout(events, '{\n  "traceEvents": [\n  ', ",\n  ", "\n  ],\n  \"traceName\": \"x\"\n}\n", indent=4),
    layout(events, "[", ",\n", "]\n", **compact),
):
    data, places = document
    whole = run(data)
    assert whole.returncode == 0 and not whole.stderr, whole.stderr
    want = records(whole.stdout)[:len(events)]
    for i in range(times // 3 + 1):
        damaged, at = damage(data, places[0][0])
        got = run(damaged)
        try:
            assert got.returncode in (0, 1), "status %d" % got.returncode
            assert got.returncode == 0 or got.stderr, "no message"
            near = sum(begin <= at for begin, _ in places)
            undamaged = collections.Counter(want[:max(near - 2, 0)] + want[near + 1:])
            lost = undamaged - collections.Counter(records(got.stdout))
            assert not lost, "lost: %s" % list(lost)[:3]
        except (AssertionError, ValueError) as e:
            print(e, got.stderr, damaged[max(at - 40, 0):at + 40])
