#!/bin/sh
# catalogue.t: trace-report --catalogue has all programs with the options and texts of their help, and the kinds and
# members of records.
. "${0%/*}/lib.sh"
have python3 || finish

check 'the catalogue is valid JSON and fits its schema' 0 '
	trace-report --catalogue >all && tr -d "\n" <all | schema.py catalogue' </dev/null
check 'it has all programs, and the kinds and members of the schema of events' 0 '
	names() { python3 -c "$1" | sort; }
	names "import json; print(*[p[\"name\"] for p in json.load(open(\"all\"))[\"programs\"]], sep=\"\n\")" >programs
	ls "$BUILD/bin" | sort | diff - programs
	python3 - <<-P
	import json
	a, s = json.load(open("all")), json.load(open("$ROOT/lib/events.schema.json"))["properties"]
	kinds, members = [k["kind"] for k in a["kinds"]], {m["name"]: m.get("type") for m in a["members"]}
	print(set(s["kind"]["enum"]) - set(kinds), set(s) - set(members), len(kinds) - len(set(kinds)))
	print([n for n in s if members[n] and {members[n][0], members[n][-1]} != set([s[n]["type"]]
	    if isinstance(s[n].get("type"), str) else s[n].get("type", ["string"]))])
	P' <<'E'
set() set() 0
[]
E
cat >needs.py <<'P'
import json
a = json.load(open("all"))
kinds, programs = {k["kind"] for k in a["kinds"]}, {p["name"] for p in a["programs"]}
print("reads nothing:", *[p["name"] for p in a["programs"] if not p["reads"]])
print("writes nothing:", *[p["name"] for p in a["programs"] if not p["writes"]])
needs = set()
for p in a["programs"]:
    unknown = set(p.get("reads_kinds", []) + p.get("writes_kinds", [])) - kinds
    if unknown:
        print(p["name"], "unknown kinds", unknown)
    # A need is a word for what the input must have, and perhaps a clause that says when.
    needs |= {n.split(" for ")[0].split(" with ")[0].split(" or ")[0] for n in p["needs"]} - programs
print(*sorted(needs), sep="\n")
ordered = [p["name"] for p in a["programs"] if p["needs"][:1] in (["ts order"], ["ts order or the output of call-tree"])]
print(*ordered, sep="\n", file=open("ordered", "w"))
P
check 'each program says what it reads, writes and needs, in known words' 0 'python3 needs.py' <<'E'
reads nothing: check-platform tune-threads trace-script
writes nothing: trace-script
ONEDNN_VERBOSE=1
a CK experiment point
an event log of PlaidML
experiment points of Collective Knowledge
flight-recorder dumps
operations of a training job
record_shapes=True
several ranks
steps
tables of PyTorch's profiler
ts order
E
filters=$(record_filters | tr '\n' ' ')
joined_sample >sample
sed -n '1!G;h;$p' sample >reversed
echo '{"ts":1,"dur":1,"kind":"flow","name":"a"}' >flow
check 'filters that need ts order, and no others, refuse another order' 0 '
	for f in '"$filters"'; do
		case $f in key-join) set -- -g name reversed ;; *) set -- ;; esac
		"$f" "$@" reversed 2>&1 >/dev/null | grep -q "not in ts order; run: ts-sort reversed | $f" && echo "$f"
	done | sort | diff - ordered
	corr-join --sorted reversed >/dev/null; ts-sort --merge reversed >/dev/null; echo $?' <<'E'
2
--- stderr
corr-join: reversed:2: not in ts order; run: ts-sort reversed | corr-join --sorted
ts-sort: reversed:2: not in the order of ts-sort; run ts-sort without --merge
E
check 'a filter that writes nothing without records of its kinds says so' 0 '
	for f in '"$filters"'; do
		case $f in key-join) set -- -g name flow ;; *) set -- ;; esac
		[ "$("$f" "$@" flow 2>&1)" ] || echo "$f: nothing"
	done
	gpu-busy flow; gpu-gaps flow; critical-path flow; range-project flow; gpu-counters bandwidth flow
	gpu-exposed -k memset flow; ndjson2folded flow; echo "{\"kind\":\"meta\"}" | gpu-busy --quiet' <<'E'
--- stderr
gpu-busy: no records of these kinds in the input: kernel, memcpy, memset; were they filtered out before?
gpu-gaps: no records of these kinds in the input: kernel, memcpy, memset; were they filtered out before?
critical-path: no records of these kinds in the input: kernel, memcpy, memset, sync, api, op, python, range; were they filtered out before?
range-project: no records of these kinds in the input: range; were they filtered out before?
gpu-counters: no records of these kinds in the input: memcpy, memset; were they filtered out before?
gpu-exposed: no records of these kinds in the input: memset; were they filtered out before?
ndjson2folded: no record takes time or space: their kinds are meta, counter, flow or other
E
check 'programs by name' 0 '
	trace-report --catalogue hang-find trace-steps |
		sed "s/\"options\":\[.*\],\"writes\":/\"options\":[],\"writes\":/"' <<'E'
{"version":1,"release":"0.2.0","programs":[
{"name":"hang-find","group":"filter","what":"Finds the ranks that did not come to a collective, from flight-recorder dumps.","usage":"hang-find [FILE...]","example":"trace2ndjson dumps/* | hang-find | ndjson2table -f text","reads":["records"],"needs":["flight-recorder dumps"],"options":[],"writes":["records"],"writes_kinds":["hangs"]},
{"name":"trace-steps","group":"script","what":"Cuts steps (iterations) out of a trace.","usage":"trace-steps [-e REGEX]... [--skip N] [--count M] [--by launch|own] [--meta] [--lead T] [FILE...]; trace-steps --complete [-e REGEX] [--lead T] [FILE...]","example":"trace-steps -e ProfilerStep --skip 50 --count 10 --meta run.json.gz | ndjson2trace -z >trimmed.json.gz","reads":["trace","records"],"needs":["steps"],"options":[],"writes":["records"]}
]}
E
check 'words; an argument that may be absent' 0 '
	trace-report --catalogue gpu-busy nsys-report >some
	grep -o "{.names.:..--sets.[^}]*}" some; grep -o "{.names.:..-o.\][^}]*csv[^}]*}" some' <<'E'
{"names":["--sets"],"argument":"[types|streams]","words":["types","streams"],"default":"types","what":"write one record for each set of types of work that ran at the same time, such as COMPUTATION overlapping MEMORY, or for each number of streams that ran at the same time (default types)"}
{"names":["-o"],"argument":"FORMAT","words":["csv","table","tsv","ndjson","md","list"],"what":"output format: csv, as nsys stats prints it (default, except on a terminal: table), table, tsv, ndjson, md, list"}
E
check 'wrong usage, a full disk' 2 '
	trace-report --catalogue groupbi; echo $?; trace-report --catalogue >/dev/full' <<'E'
2
--- stderr
trace-report: --catalogue: unknown 'groupbi'; did you mean 'groupby'?; try trace-report -h
trace-report: write error: No space left on device
E
slow check 'usages, examples, options and texts are those of -h of each program' 0 \
	'catalogue.py $(ls "$BUILD/bin") <all' </dev/null
finish
