#!/bin/sh
# strict.t: no filter uses a value from a record that is not valid JSON.
. "${0%/*}/lib.sh"
only_slow_follow # runs each filter with many kinds of wrong JSON

head='{"ts":1,"dur":5,"kind":"kernel","name":"k"'

# --- members that a filter reads are checked

cat >comma <<END
$head,"dev":0 "stream":7,"corr":2}
$head,"dev":0,"stream":7,"corr":2}
END
check 'a record with a missing comma is skipped' 1 \
	'filter-calls -c -w stream==7 comma 2>/dev/null; filter-calls -c -w "stream!=7" comma 2>/dev/null;
		groupby -g stream -a count comma' <<'END'
1
0
{"kind":"groupby/event","stream":7,"count":1}
--- stderr
groupby: comma:1: not a JSON record; skipped
END
check 'a filter that does not read the wrong member accepts it, except with --check' 1 \
	'ts-sort comma | cmp - comma; ts-sort --check comma' <<END
$head,"dev":0,"stream":7,"corr":2}
--- stderr
ts-sort: comma:1: not a JSON record; skipped
END

printf '%s\n' "$head,\"args\":{\"x\":tru,,}}" "$head,\"args\":{\"x\":7}}" >literal
check 'a value that is not JSON, in all filters that read it' 1 '
	groupby -g x -a count literal 2>/dev/null; groupby -g args.x -a count literal 2>/dev/null
	stats -f x -o csv literal 2>/dev/null | cut -d , -f 1,2; ndjson2table -o ndjson -f x literal 2>/dev/null
	ndjson2trace literal 2>/dev/null | tr -d "\n"; echo; ndjson2table -o ndjson literal' <<'END'
{"kind":"groupby/event","x":7,"count":1}
{"kind":"groupby/event","args.x":7,"count":1}
field,count
x,1
{"x":7}
{"traceEvents":[{"record":{"cat":null},"ph":"X","cat":"kernel","name":"k","ts":0.001,"dur":0.005,"args":{"x":7}}]}
{"ts":1,"dur":5,"kind":"kernel","name":"k","args":{"x":7}}
--- stderr
ndjson2table: literal:1: not a JSON record; skipped
END

printf '%s\n' "$head,\"dev\":1 2}" "$head,\"dev\":1.2.3}" "$head,\"dev\":tru}" "$head,\"dev\":[1}}" \
	"$head,\"dev\":01}" \
	"$head,\"dev\":1}" >values
check 'keys that are not JSON' 1 'groupby -g dev -f dev -a count,sum values' <<'END'
{"kind":"groupby/event","dev":1,"count":1,"dev_sum":1}
{"kind":"groupby/event","dev":"01","count":1}
--- stderr
groupby: values:1: not a JSON record; skipped (and 3 more)
groupby: values:5: number not valid in JSON; written as a string
END

printf '%s\n' '{"x":1,"v":["a":1]}' '{"x":1,"v":{"c"}}' '{"x":1,"v":{"c",2}}' '{"x":1,"v":[1}}' '{"x":2}' >foreign
check 'lines of other programs that are not JSON' 1 \
	'filter-calls foreign 2>/dev/null; groupby -g x -a count foreign' <<'END'
{"x":2}
{"kind":"groupby","x":2,"count":1}
--- stderr
groupby: foreign:1: not a JSON record; skipped (and 3 more)
END

cat >nan <<END
$head,"args":{"x":NaN,"y":-Infinity}}
$head, "args":{"x":NaN}}
END
check 'NaN and Infinity, with and without spaces' 0 'filter-calls -w "!x" nan' <<END
$head,"args":{"x":null,"y":null}}
$head,"args":{"x":null}}
--- stderr
filter-calls: nan:1: NaN, Infinity or N/A; replaced by null (and 1 more)
END

for depth in 1023 1024; do
	printf '%s,"args":%s%s}\n' "$head" "$(printf "%${depth}s" | tr ' ' '[')" "$(printf "%${depth}s" | tr ' ' ']')"
done >deep
check 'values nested more than 1024 deep' 1 \
	'ts-sort deep 2>/dev/null | wc -c; { cat deep; tr -d " " <deep; } | filter-calls -c' <<'END'
2098
2
--- stderr
filter-calls: stdin:2: not a JSON record; skipped (and 1 more)
END

# --- names with escapes

cat >escaped <<'END'
{"ts":1,"dur":5,"k\u0069nd":"api","n\u0061me":"q","pid":1,"\u0074id":2,"c\u006frr":3,"att\u0061ch":[1],"args":{"\u0061":{"b\u002fc":7}}}
{"ts":9,"dur":5,"kind":"kernel","name":"k","pid":1,"corr":3,"q\"\\":1}
END
check 'names with escapes equal names without escapes' 0 '
	groupby -g name,attach[],a -a count escaped; filter-calls -c -k api -n q -w a escaped; corr-join escaped
	filter-calls -c -w "args.a.b/c==7" escaped; groupby -g "q\"\\" -a count escaped | head -n 1' <<'END'
{"kind":"groupby/event","name":"k","count":1}
{"kind":"groupby/event","name":"q","attach[]":1,"a":{"b/c":7},"count":1}
1
{"ts":1,"dur":5,"kind":"api","name":"q","pid":1,"tid":2,"corr":3,"attach":[1],"args":{"a":{"b/c":7}}}
{"ts":9,"dur":5,"kind":"kernel","name":"k","pid":1,"corr":3,"q\"\\":1,"api":{"name":"q","ts":1,"dur":5,"pid":1,"tid":2},"delay":8,"queue":3,"attach":[1]}
1
{"kind":"groupby/event","q\"\\":1,"count":1}
END
check 'a member given twice, once with escapes' 0 \
	'echo "{\"ts\":1,\"kind\":\"op\",\"name\":\"a\",\"n\\u0061me\":\"b\"}" | groupby -g name -a count' <<'END'
{"kind":"groupby/event","name":"b","count":1}
--- stderr
groupby: stdin:1: duplicate member; only the last one counts
END

# --- the output is JSON

for value in '"text"' '[1]' 7 true '{"a":{"b":[]}}'; do
	for member in args src pid tid rank dev stream corr id cat name kind; do
		for kind in op kernel api meta counter; do
			printf '{"ts":1,"dur":2,"kind":"%s","name":"n","corr":1,"%s":%s}\n' $kind $member "$value"
			printf '{"kind":"%s","name":"%s","%s":%s}\n' $kind $member $member "$value"
		done
	done
done | sed 's/"\([a-z]*\)":[^,{]*\(,.*\)"\1":/"\1":/' >types
cat >tables <<'END'
import json, sys
for line in sys.stdin:
    json.loads(line)
END
if have python3; then
	check 'members of any type, in a trace, a table and a list of fields' 0 '
		ndjson2trace types 2>/dev/null | python3 -m json.tool >/dev/null && ndjson2table -o ndjson types | python3 tables
		stats --fields -o ndjson types | python3 tables; stats --fields types | python3 tables' </dev/null

	# --- wrong texts at all places, in all filters

	check 'texts that are and are not JSON' 0 'json_records.py' <<'END'
more than 300 texts, all correct
END
fi

# --- conditions

cat >large <<'END'
{"v":1e400}
{"v":123456789012345678901234567890}
{"v":123456789012345678901234567891}
{"v":-1e400}
{"v":0.1}
{"v":"1e401"}
END
check 'integers over 64 bits, and numbers outside the range of double' 0 '
	for condition in "v>5" "v>1e399" "v>1e400" "v==1e400" "v==10e399" \
		"v>123456789012345678901234567890" "v==123456789012345678901234567890" \
		"v<-1e308" "v<=0.1" "v==0.10"; do
		printf "%s " "$condition" && filter-calls -c -w "$condition" large
	done' <<'END'
v>5 4
v>1e399 2
v>1e400 1
v==1e400 1
v==10e399 1
v>123456789012345678901234567890 3
v==123456789012345678901234567890 1
v<-1e308 1
v<=0.1 2
v==0.10 1
END

finish
