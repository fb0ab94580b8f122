#!/bin/sh
# timeline.t: raw memory timelines of PyTorch.
. "${0%/*}/../lib.sh"

cat >rows <<'E'
[[-1, 1, 512, 0], [1700000000000001000, 2, 4096, 4],
 [1700000000000002000, 3, -512, 0], [1700000000000002000, 9, 512, 8], [1700000000000003000, 4, -4096, 4]]
E
check 'actions, categories, times; unknown numbers' 0 'trace2ndjson rows' <<'E'
{"kind":"mark","name":"preexisting","cat":"memory_timeline","bytes":512,"args":{"category":"parameter"}}
{"ts":1700000000000001000,"kind":"mark","name":"create","cat":"memory_timeline","bytes":4096,"args":{"category":"activation"}}
{"ts":1700000000000002000,"kind":"mark","name":"increment_version","cat":"memory_timeline","bytes":-512,"args":{"category":"parameter"}}
{"ts":1700000000000002000,"kind":"mark","cat":"memory_timeline","bytes":512,"args":{"action":9,"category":8}}
{"ts":1700000000000003000,"kind":"mark","name":"destroy","cat":"memory_timeline","bytes":-4096,"args":{"category":"activation"}}
E
check 'trace-report: the categories at the peak' 0 '
	echo "[[-1,1,512000000,0],[1700000000000001000,2,4096000000,4],[1700000000000003000,4,-4096000000,4]]" >big
	trace-report big | sed -n "1s/  */ /gp;/At most/p;/^Memory/,/^\$/p"' <<'E'
big memory timeline of PyTorch
At most 4.6 GB are allocated on the device; activation has 89 % of it.
Memory at the peak                                                 MB      share
activation          xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  4,096.0     88.9 %
parameter           xxxxx                                       512.0     11.1 %

E
check 'damaged timelines' 0 'for text in "[[1,2,3,4],[1,2,3" "[[1,2,3,4]" \
	"[[1,2,3,4],[1,2,3],[1,2,3,4,5],[1,2.5,3,4]]" \
	"[[1,2,3,4],{}]" "[[1,2,3,4]]x" "[[1,2,3,4] [1,2,3,4]]" "[[1,2,3,4],[1,2,3,[4]]]" "[[1,2,3,4],]"; do
		echo "$text" | trace2ndjson 2>&1 >rows | sed "s/.*stdin: //"
		echo "$text: $(wc -l <rows) rows"
	done' <<'E'
byte 11: cut short inside a row
[[1,2,3,4],[1,2,3: 1 rows
byte 11: cut short: the array of rows does not end
[[1,2,3,4]: 1 rows
byte 11: row that is not four integers; skipped (and 2 more)
[[1,2,3,4],[1,2,3],[1,2,3,4,5],[1,2.5,3,4]]: 1 rows
byte 11: not a row of a timeline; the rest of the file is not read
[[1,2,3,4],{}]: 1 rows
byte 11: text follows the end of the timeline; not read
[[1,2,3,4]]x: 1 rows
byte 11: no comma between two rows
[[1,2,3,4] [1,2,3,4]]: 2 rows
byte 11: row that is not four integers; skipped
[[1,2,3,4],[1,2,3,[4]]]: 1 rows
byte 11: not a row of a timeline; the rest of the file is not read
[[1,2,3,4],]: 1 rows
E
if need_shared data/memory golden/memory/memory_timeline && have python3; then
	cat >peak.py <<'E'
"""Prints what is allocated at the end of the records, in the words and the order of the golden summary."""
import csv, json, sys
last = {}
for line in open(sys.argv[1]):
    r = json.loads(line)
    last[r["args"]["category"]] = last.get(r["args"]["category"], 0) + r["bytes"]
names = {"Autograd": "autograd_detail"}
for row in csv.DictReader(open(sys.argv[2])):
    if row["category"] != "total":
        key = names.get(row["category"], row["category"].lower().replace(" ", "_"))
        assert last.get(key, 0) == int(row["last"]), (row, last)
E
	check 'a recorded timeline: the bytes of each category at the end' 0 '
		trace2ndjson "$SHARED/data/memory/memory_timeline.raw.gz" >got && wc -l <got &&
		python3 peak.py got "$SHARED/golden/memory/memory_timeline/summary.csv"' <<'E'
16845
E
fi
finish
