#!/bin/sh
# snapshot.t: memory snapshots of PyTorch: all protocols and writers, damaged and hostile files, golden figures.
. "${0%/*}/../lib.sh"
have python3 || finish

cat >tiny.py <<'E'
import pickle
stack = [{"name": "malloc", "filename": "Allocator.cpp", "line": 0}, {"name": "f\"", "filename": "/app/m.py", "line": 7}]
event = {"addr": 4096, "size": 5, "stream": 3, "time_us": 1700000000000001, "frames": stack}
block = {"address": 4096, "size": 512, "requested_size": 5, "state": "active_allocated", "frames": stack}
note = {"name": "ProfilerStep#0", "device": 1, "time_us": 8}
settings = {"conf": "", "sizes": {"1": 0}}
pickle.dump({"segments": [{"device": 1, "address": 4096, "stream": 3, "total_size": 2097152, "blocks": [block],
                           "segment_pool_id": (0, 0), "frames": []}],
             "device_traces": [[], [{"action": "alloc", **event}, {"action": "free_requested", **event, "frames": []},
                                    {"action": "oom", "device_free": 9, "size": 77}]],
             "allocator_settings": settings, "new": "x",
             "external_annotations": [{**note, "stage": "START"}, {**note, "stage": "END", "time_us": 9},
                                      {**note, "stage": "END"}, {**note, "stage": "START"}]},
            open("tiny.pickle", "wb"), 4)
E
python3 tiny.py
check 'the segments, the events, the annotations, the settings' 0 'trace2ndjson tiny.pickle' <<'E'
{"kind":"meta","name":"memory_snapshot","args":{"file":"tiny.pickle"}}
{"kind":"meta","name":"block","cat":"memory_snapshot","dev":1,"stream":3,"site":"/app/m.py:7:f\"","args":{"address":4096,"size":512,"requested_size":5,"state":"active_allocated","frames":[{"name":"malloc","filename":"Allocator.cpp","line":0},{"name":"f\"","filename":"/app/m.py","line":7}]}}
{"kind":"meta","name":"segment","cat":"memory_snapshot","dev":1,"stream":3,"args":{"address":4096,"total_size":2097152,"segment_pool_id":[0,0],"frames":[]}}
{"ts":1700000000000001000,"kind":"mark","name":"alloc","cat":"memory_snapshot","dev":1,"stream":3,"bytes":5,"site":"/app/m.py:7:f\"","args":{"addr":4096,"frames":[{"name":"malloc","filename":"Allocator.cpp","line":0},{"name":"f\"","filename":"/app/m.py","line":7}]}}
{"ts":1700000000000001000,"kind":"mark","name":"free_requested","cat":"memory_snapshot","dev":1,"stream":3,"bytes":5,"args":{"addr":4096,"frames":[]}}
{"kind":"mark","name":"oom","cat":"memory_snapshot","dev":1,"bytes":77,"args":{"device_free":9}}
{"ts":8000,"dur":1000,"kind":"range","name":"ProfilerStep#0","cat":"memory_snapshot","dev":1}
{"ts":8000,"kind":"mark","name":"ProfilerStep#0","cat":"memory_snapshot","dev":1,"args":{"stage":"END"}}
{"kind":"meta","name":"allocator_settings","cat":"memory_snapshot","args":{"conf":"","sizes":{"1":0}}}
{"kind":"meta","name":"new","cat":"memory_snapshot","args":{"new":"x"}}
{"ts":8000,"kind":"mark","name":"ProfilerStep#0","cat":"memory_snapshot","dev":1,"args":{"stage":"START"}}
--- stderr
trace2ndjson: tiny.pickle: annotation without its end
E
cat >ops.py <<'E'
import pickle
def frames(*names): return [{"name": n, "filename": f, "line": 1} for n, f in names]
stacks = [frames(("malloc", "A.cpp"), ("at::_ops::mm::redispatch(at::Tensor const&)", "??"), ("at::_ops::x::call()", "")),
          frames(("malloc", "A.cpp"), ("at::_ops::mm::call()", "??"), ("f", "/app/m.py")), frames(("malloc", "A.cpp"))]
pickle.dump({"segments": [], "device_traces": [[{"action": "alloc", "addr": 8, "size": 5, "frames": s} for s in stacks]]},
            open("ops.pickle", "wb"), 4)
E
python3 ops.py
check 'the site without a frame of Python is the operator, or else the innermost frame' 0 '
	trace2ndjson ops.pickle | filter-calls -k mark | ndjson2table -o csv -f site' <<'E'
site
aten::mm
/app/m.py:1:f
A.cpp:1:malloc
E
sed 's/"size": 5,/"size": 300000000,/; s/"size": 512/"size": 300000000/
	s/"requested_size": 5/"requested_size": 300000000/
	s/2097152/314572800/; s/tiny.pickle/large.pickle/' tiny.py >large.py
python3 large.py
check 'trace-report: the call sites at the peak' 0 '
	trace-report large.pickle 2>/dev/null | sed -n "1s/  */ /gp;/At most/p;/^Memory/,/^\$/p"' <<'E'
large.pickle memory snapshot of PyTorch
At most 300 MB are allocated on device 1; app/m.py:7:f" has 100 % of it.
Memory at the peak                                                 MB      share
app/m.py:7:f"       xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx    300.0    100.0 %

E
check 'compressed, from a pipe, selected kinds, without args' 0 'gzip -c tiny.pickle >tiny.gz
	trace2ndjson --quiet tiny.pickle | tail -n +2 >want
	for file in tiny.gz -; do cat tiny.pickle | trace2ndjson --quiet $file | tail -n +2 | cmp - want; done
	gzip -dc tiny.gz | trace2ndjson --quiet -k mark --no-args --keep-args addr,stage | head -n 2' <<'E'
{"ts":1700000000000001000,"kind":"mark","name":"alloc","cat":"memory_snapshot","dev":1,"stream":3,"bytes":5,"site":"/app/m.py:7:f\"","args":{"addr":4096}}
{"ts":1700000000000001000,"kind":"mark","name":"free_requested","cat":"memory_snapshot","dev":1,"stream":3,"bytes":5,"args":{"addr":4096}}
E

# Everything that pickles may have, in all protocols and of several writers. Writers divide lists of over 1000 events.
cat >odd.sh <<'E'
for seed in $(seq "$1"); do
	odd_snapshots.py "$seed" "$2"
	trace2ndjson --quiet -F snapshot "$seed.0.pickle" >got.ndjson || echo "$seed: status $?"
	memory_snapshot.py "$seed.0.pickle" got.ndjson
	tail -n +2 got.ndjson >want
	for file in "$seed".*.pickle; do
		trace2ndjson --quiet -F snapshot "$file" | tail -n +2 | cmp - want
		cat "$file" | trace2ndjson --quiet -F snapshot | tail -n +2 | cmp - want
	done
	rm "$seed".*.pickle
done
E
check 'odd snapshots: all members of all records' 0 'sh odd.sh 1 9' <<'E'
6 segments, 0 events
E
slow check 'longer odd snapshots' 0 "sh odd.sh $(amount 1 5 100) 1500 |
	grep -v '^[0-9]* segments, [0-9]* events$' || :" </dev/null

# The events before a damage are written.
check 'damaged and hostile snapshots' 0 damaged_snapshots.py <<'E'
cut short: 2 events, 1 : byte 2162: cut short: the pickle does not end; the rest of the file is not read
code at the end: 3 events, 1 : byte 2170: the pickle has the opcode GLOBAL (63), which is not plain data; the rest of the file is not read
bytes after the end: 3 events, 1 : byte 2170: bytes follow the end of the pickle; the rest of the file is not read
another dictionary: 0 events, 1 : byte 0: pickle without segments and device_traces: not a memory snapshot
a list: 0 events, 1 : byte 0: pickle without segments and device_traces: not a memory snapshot
other values: 0 events, 1 : 6 values that are no dictionaries with members, or follow one; skipped
a reference to a list of events: 0 events, 1 : byte 29: the pickle refers to a value that is not complete; the rest of the file is not read
a reference to the whole: 0 events, 1 : byte 29: the pickle refers to a value that is not complete; the rest of the file is not read
the segments in a tuple: 0 events, 1 : byte 27: the pickle has a known list at an unknown place; the rest of the file is not read
a number that is left out: 0 events, 1 : byte 19: the pickle numbers its values in an unknown way; the rest of the file is not read
a number as a key, referred to later: 0 events, 0
a long value: 0 events, 1 : byte 3051: the values of the pickle are longer than the limit; the rest of the file is not read
too many values: 0 events, 1 : byte 433: the values of the pickle are longer than the limit; the rest of the file is not read
E

if need_shared gen/gen_snapshot.py golden/memory/snapshots; then
	# golden NAME FIGURES RECORDS OPTIONS: compares the figures of the records of a made snapshot with golden ones.
	golden() {
		name=$1 figures=$2 records=$3
		shift 3
		python3 "$SHARED/gen/gen_snapshot.py" "$name" "$@" >"$name.log"
		trace2ndjson "$name.pickle" >"$name.ndjson"
		check "golden figures: $name" 0 "
			memory_snapshot.py $name.ndjson $SHARED/golden/memory/snapshots/$name.truth.json
			memory_snapshot.py $name.pickle $name.ndjson" <<-E
			$figures figures
			$records events
		E
	}
	slow golden plain 24 '10 segments, 391' --seed 1
	slow golden hook 24 '10 segments, 391' --seed 1 --writer cpp
	slow golden streams 24 '11 segments, 455' --seed 2 --streams --leak 300000 --protocol 5
	slow golden ring 48 '26 segments, 300' --seed 3 --devices 2 --max-entries 150 --streams --oom --protocol 5
	slow golden old 23 '8 segments, 387' --seed 4 --vintage 2023 --protocol 2 --oom
	slow golden wide 96 '141 segments, 14850' --seed 5 --devices 4 --steps 20 --layers 24 --leak 1000000 --protocol 3
fi
finish
