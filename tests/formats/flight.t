#!/bin/sh
# flight.t: dumps of PyTorch's flight recorder: pickles of all protocols, JSON, wrong and hostile files.
. "${0%/*}/../lib.sh"
have python3 || finish

hang_dumps.py dumps late
hang_dumps.py json late json
check 'the dump, its groups and its entries' 0 'trace2ndjson dumps/_dump_3 | cut -c 1-260' <<'E'
{"kind":"meta","name":"flight_recorder","rank":3,"args":{"file":"dumps/_dump_3","version":"2.9","nccl_version":"2.27.3","entries":2,"open":0,"first_record_id":0}}
{"kind":"meta","name":"process_group","rank":3,"args":{"group":"0","desc":"default_pg","ranks":[0,1,2,3],"pg_id":0,"last_enqueued_collective":1,"last_started_collective":-1,"last_completed_collective":1}}
{"kind":"meta","name":"process_group","rank":3,"args":{"group":"2","desc":"TP","ranks":[2,3],"pg_id":2,"last_enqueued_collective":1,"last_started_collective":-1,"last_completed_collective":1}}
{"ts":1758581237000000003,"kind":"mark","name":"all_reduce","cat":"nccl","rank":3,"tid":140000000000001,"args":{"record_id":0,"pg_id":2,"process_group":["2","TP"],"thread_name":"python3","collective_seq_id":1,"p2p_seq_id":0,"op_id":1,"input_sizes":[[8,4]],"inp
{"ts":1758581237001000003,"kind":"mark","name":"all_gather","cat":"nccl","rank":3,"tid":140000000000001,"args":{"record_id":1,"pg_id":0,"process_group":["0","default_pg"],"thread_name":"python3","collective_seq_id":1,"p2p_seq_id":0,"op_id":1,"input_sizes":[[16
E
cat >same.py <<'E'
"""Prints the records of two files in a form that does not depend on the order of members, on null and 0, nor on the file."""
import json, sys
for path in sys.argv[1:]:
    rows = [json.loads(line) for line in open(path, encoding="utf-8")]
    for r in rows:
        r["args"] = {k: v for k, v in r["args"].items() if not (k.startswith("time_") and not v) and k != "file"}
    open(path, "w", encoding="utf-8").write("".join(json.dumps(r, sort_keys=True) + "\n" for r in rows))
E
check 'JSON has the same records' 0 'trace2ndjson dumps/* >one && trace2ndjson json/* >two &&
	python3 same.py one two && cmp one two' </dev/null
check 'compressed, from a pipe, and with another rank' 0 'gzip -c dumps/_dump_2 >copy_7.gz
	trace2ndjson copy_7.gz | filter-calls -m 1 | cut -c 1-55
	trace2ndjson --capture "rank=dump_([0-9])" --set host=a -k meta --no-args dumps/_dump_2 | head -n 1
	trace2ndjson -k meta --no-args <dumps/_dump_2 | head -n 1; trace2ndjson <dumps/_dump_2 | grep "\"file\":" || :' <<'E'
{"kind":"meta","name":"flight_recorder","rank":7,"args"
{"kind":"meta","name":"flight_recorder","rank":2,"host":"a"}
{"kind":"meta","name":"flight_recorder"}
E

# Every kind of plain data that Python's pickler writes, in all protocols.
cat >plain.py <<'E'
import json, pickle, subprocess
shared = [{"name": "f", "line": 300}]
more = {"none": None, "flags": [True, False], "numbers": [0, 255, 256, 65535, 65536, -1, -2**31, 2**31, 2**62, -2**63],
        "reals": [0.5, -1e300], "texts": ["", "é\n\"", "x" * 300, "y" * 70000], "tuples": [(), (1,), (1, 2), (1, 2, 3),
        (1, 2, 3, 4), (((1,),), shared), ([],), ({},)], "shared": [shared, shared, (shared, shared)],
        "keys": {1: {2: 3}, -70000: 4}, "many": list(range(3000)), "empty": [[], {}, [[]]], "dict": {str(i): [i] for i in range(1500)}}
for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
    for pickler in (pickle.dumps, pickle._dumps):
        dump = {"version": "2.9", "entries": [], "nccl_comm_state": more}
        open("plain_1", "wb").write(pickler(dump, protocol))
        got = json.loads(subprocess.run(["trace2ndjson", "plain_1"], capture_output=True, check=True).stdout)
        assert got["args"]["nccl_comm_state"] == json.loads(json.dumps(more)), protocol
E
check 'plain data of Python picklers' 0 'python3 plain.py' </dev/null

# Pickles that are refused, each with its message: those that would run code, that are damaged, or that are hostile.
check 'refused pickles' 0 refused_pickles.py <<'E'
GLOBAL: byte 2: the pickle has the opcode GLOBAL (63), which is not plain data; file refused
GLOBAL in a dump: byte 65: the pickle has the opcode GLOBAL (63), which is not plain data; file refused
STACK_GLOBAL: byte 16: the pickle has the opcode STACK_GLOBAL (93), which is not plain data; file refused
REDUCE: byte 3: the pickle has the opcode REDUCE (52), which is not plain data; file refused
BUILD: byte 4: the pickle has the opcode BUILD (62), which is not plain data; file refused
NEWOBJ: byte 4: the pickle has the opcode NEWOBJ (81), which is not plain data; file refused
INST: byte 3: the pickle has the opcode INST (69), which is not plain data; file refused
OBJ: byte 4: the pickle has the opcode OBJ (6f), which is not plain data; file refused
PERSID: byte 2: the pickle has the opcode PERSID (50), which is not plain data; file refused
BINPERSID: byte 3: the pickle has the opcode BINPERSID (51), which is not plain data; file refused
EXT1: byte 2: the pickle has the opcode EXT1 (82), which is not plain data; file refused
bytes: byte 23: the pickle has the opcode SHORT_BINBYTES (43), which is not plain data; file refused
protocol 0: byte 3: the pickle has the opcode LIST (6c), which is not plain data; file refused
unknown opcode: byte 2: the pickle has the opcode of no name (ff), which is not plain data; file refused
cut short: byte 30: cut short: the pickle does not end; file refused
a length beyond the file: byte 2: the pickle is larger than the limit; file refused
bytes after the end: byte 65: bytes follow the end of the pickle; file refused
no mark: byte 3: the pickle lacks a mark; file refused
an empty stack: byte 2: the stack of the pickle is empty; file refused
a key that is a list: byte 6: the pickle has a key that is neither text nor integer; file refused
a key without a value: byte 6: the pickle has a key without a value; file refused
not UTF-8: byte 2: the pickle has a text that is not UTF-8; file refused
an unknown number: byte 2: the pickle refers to a value of an unknown number; file refused
a list in itself: byte 7: the pickle changes a value that it referred to, or puts it into itself; file refused
nested too deep: byte 73: the values of the pickle are nested too deep; file refused
an integer of 9 bytes: byte 2: the pickle has an integer of more than 64 bits; file refused
a billion laughs: byte 1283: the values of the pickle are longer than the limit; file refused
version 1: byte 0: flight recorder of version 1.2: only 2.x is read; file refused
a list: byte 0: flight recorder without a version: only 2.x is read; file refused
E
check 'refused: JSON that is cut, or has more text' 1 'head -c 900 json/_dump_1.json >cut_1
	{ cat json/_dump_1.json && echo "{}"; } >more_1; trace2ndjson cut_1 more_1' <<'E'
--- stderr
trace2ndjson: cut_1: byte 0: cut short: the JSON does not end; file refused
trace2ndjson: more_1: byte 2282: text follows the end of the dump; file refused
E

# A dump without entries: the numbers of its groups are known only if pg_config and pg_status have equally many groups.
cat >unnamed.py <<'E'
import pickle
config = {n: {"name": n, "desc": "d", "ranks": "[0, 1]"} for n in ("10", "9")}
for path, ids in (("named_0", "21"), ("unnamed_1", "1")):
    status = {i: {"last_enqueued_collective": int(i)} for i in ids}
    pickle.dump({"version": "2.9", "pg_config": config, "pg_status": status, "entries": []}, open(path, "wb"), 2)
E
check 'groups by their place; a group whose number is unknown' 0 \
	'python3 unnamed.py; trace2ndjson named_0 unnamed_1 | grep -o "\"args\".*" | grep -v version' <<'E'
"args":{"group":"10","desc":"d","ranks":[0,1],"pg_id":2,"last_enqueued_collective":2}}
"args":{"group":"9","desc":"d","ranks":[0,1],"pg_id":1,"last_enqueued_collective":1}}
"args":{"group":"10","desc":"d","ranks":[0,1]}}
"args":{"group":"9","desc":"d","ranks":[0,1]}}
"args":{"pg_id":1,"last_enqueued_collective":1}}
--- stderr
trace2ndjson: unnamed_1: byte 0: pg_id whose group is unknown: its numbers are not used
E
finish
