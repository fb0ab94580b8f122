#!/usr/bin/env python3
"""Records with one damaged byte each, and a check that no repair yields a different record.

usage: one_damage.py    with trace2ndjson in PATH

Deletes or doubles each bracket, comma, colon and quote of a few records, one at a time. The first member of a record is
its number. If Python's parser rejects the damaged line, trace2ndjson must either write the original record or skip the
line. Prints the lines for which it writes a different record, then the numbers of lines and of written records.
"""
import json
import subprocess

RECORDS = [
    '{"ts":%d,"dur":3,"kind":"kernel","name":"n","cat":"kernel","dev":0,"args":{"d":[[5,2],[2,7]],"t":["float","int"],'
    '"s":"x","e":{},"z":"y"}}',
    '{"ts":%d,"name":"","kind":"op","args":{"t":["","a"],"u":[["b"],["c","d"]],"v":{"w":"","x":{"y":"z"}}},'
    '"cat":"cpu_op"}',
    '{"ts":%d,"kind":"op","name":"f(x, y)","args":{"a":"b c","l":["m, n"],"o":[{"p":"q"},{"r":"s","t":-1.5}]},'
    '"cat":"c"}',
    '{"ts":%d, "kind": "op", "name": "Memcpy HtoD (Host -> Device)", "cat": "cpu_op", "args": {"shapes": '
    '[[2, 3], []], "types": ["float", ""], "of": "it"}}',
]

originals, lines = [], []
for record in RECORDS:
    start = record.index(",") + 1
    for at in range(start, len(record)):
        if record[at] in '{}[],:"':
            for text in (record[:at] + record[at + 1:], record[:at] + record[at] + record[at:]):
                originals.append(record % len(lines))
                lines.append(text % len(lines))

r = subprocess.run(["trace2ndjson", "-F", "ndjson"], input="\n".join(lines), capture_output=True, text=True,
                   check=False)
records = [json.loads(line) for line in r.stdout.splitlines()]
for record in records:
    line = lines[record["ts"]]
    try:
        expected = json.loads(line)
    except ValueError:
        expected = json.loads(originals[record["ts"]])
    if record != expected:
        print(f"{line}\nbecame {json.dumps(record)}")
print(f"{len(lines)} lines, {len(records)} records, status {r.returncode}")
