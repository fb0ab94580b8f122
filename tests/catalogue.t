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
check 'programs by name' 0 'trace-report --catalogue hang-find trace-steps | sed "s/\"options\".*//"' <<'E'
{"version":1,"release":"0.2.0","programs":[
{"name":"hang-find","group":"filter","what":"Finds the ranks that did not come to a collective, from flight-recorder dumps.","usage":"hang-find [FILE...]","example":"trace2ndjson dumps/* | hang-find | ndjson2table -f text",
{"name":"trace-steps","group":"script","what":"Cuts steps (iterations) out of a trace.","usage":"trace-steps [-e REGEX]... [--skip N] [--count M] [--by launch|own] [--meta] [--lead T] [FILE...]; trace-steps --complete [-e REGEX] [--lead T] [FILE...]","example":"trace-steps -e ProfilerStep --skip 50 --count 10 --meta run.json.gz | ndjson2trace -z >trimmed.json.gz",
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
