#!/usr/bin/env python3
"""Records with one damage each: is any repaired to another record than it was?

usage: one_damage.py    with trace2ndjson in PATH

Each bracket, comma, colon and quote of a few records is deleted, or stands twice; the first member of a record is its
number. Where Python's parser does not take the line, the record must come out as it was or not at all. Prints the
others, then how many lines there were and how many records of them.
"""
import json
import subprocess

RECORDS = [
    '{"ts":%d,"dur":3,"kind":"kernel","name":"n","cat":"kernel","dev":0,"args":{"d":[[5,2],[2,7]],"t":["float","int"],"s":"x","e":{},"z":"y"}}',
    '{"ts":%d,"name":"","kind":"op","args":{"t":["","a"],"u":[["b"],["c","d"]],"v":{"w":"","x":{"y":"z"}}},"cat":"cpu_op"}',
    '{"ts":%d,"kind":"op","name":"f(x, y)","args":{"a":"b c","l":["m, n"],"o":[{"p":"q"},{"r":"s","t":-1.5}]},"cat":"c"}',
    '{"ts":%d, "kind": "op", "name": "Memcpy HtoD (Host -> Device)", "cat": "cpu_op", "args": {"shapes": [[2, 3], []], "types": ["float", ""], "of": "it"}}',
]

originals, lines = [], []
for record in RECORDS:
    start = record.index(",") + 1
    for at in range(start, len(record)):
        if record[at] in '{}[],:"':
            for text in (record[:at] + record[at + 1:], record[:at] + record[at] + record[at:]):
                originals.append(record % len(lines))
                lines.append(text % len(lines))

r = subprocess.run(["trace2ndjson", "-F", "ndjson"], input="\n".join(lines), capture_output=True, text=True, check=False)
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
