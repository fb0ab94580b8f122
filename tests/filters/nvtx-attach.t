#!/bin/sh
# nvtx-attach.t: tests which ranges enclose a record: in examples, and in real traces by comparison with every range.
. "${0%/*}/../lib.sh"
have python3 || finish

# --- examples

# Prints the name of each record and the ranges that were attached to it.
cat >show.py <<'E'
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    ranges = r.get("ranges")
    print(r["name"], json.dumps(ranges, separators=(",", ":")) if ranges else "-")
E

cat >crossing <<'E'
{"ts":0,"dur":10,"kind":"range","name":"a","pid":1,"tid":1}
{"ts":5,"dur":10,"kind":"range","name":"b","pid":1,"tid":1}
{"ts":6,"dur":2,"kind":"op","name":"in both","pid":1,"tid":1}
{"ts":9,"dur":3,"kind":"op","name":"in b","pid":1,"tid":1}
{"ts":10,"dur":0,"kind":"op","name":"at the end of a","pid":1,"tid":1}
{"ts":11,"dur":1,"kind":"range","name":"c","pid":1,"tid":1}
{"ts":12,"kind":"op","name":"a moment","pid":1,"tid":1}
{"ts":13,"dur":3,"kind":"op","name":"past the end of b","pid":1,"tid":1}
{"ts":16,"dur":1,"kind":"op","name":"after all","pid":1,"tid":1}
E
check 'ranges may cross each other' 0 'nvtx-attach crossing | python3 show.py' <<'E'
a -
b -
in both ["a","b"]
in b ["b"]
at the end of a ["a","b"]
c ["b"]
a moment ["b","c"]
past the end of b -
after all -
E
cat >carried <<'E'
{"ts":0,"dur":50,"kind":"op","name":"mm","pid":1,"tid":1,"args":{"Input Dims":[[2,3]],"n":1}}
{"ts":1,"dur":20,"kind":"op","name":"mm","pid":1,"tid":1,"args":{"n":2}}
{"ts":5,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":1,"shape":"old","n":7}
{"ts":30,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":2}
{"ts":60,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":3,"n":7}
E
check '--take carries the fields of the innermost range; a field that it lacks changes nothing' 0 '
	nvtx-attach -r op --as op -k api --take "shape=args.\"Input Dims\",n=args.n" --take name_of=name carried |
	grep api' <<'E'
{"ts":5,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":1,"shape":"old","n":2,"op":"mm","ops":["mm","mm"],"name_of":"mm"}
{"ts":30,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":2,"op":"mm","ops":["mm"],"shape":[[2,3]],"n":1,"name_of":"mm"}
{"ts":60,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":3,"n":7}
E
check '--take: a call is not its own range; wrong names; a field that no range has' 0 '
	echo "{\"ts\":9,\"kind\":\"kernel\",\"api\":{\"name\":\"launch\",\"ts\":5,\"dur\":1,\"pid\":1,\"tid\":1}}" |
		cat carried - | ts-sort | nvtx-attach -r op,api --take c=corr,n=args.n -k kernel | grep kernel
	for take in ranges=n api=n ts=n a=n,a=m; do nvtx-attach --take $take carried || echo $?; done
	nvtx-attach -r op --take x=args.x carried | wc -l' <<'E'
{"ts":9,"kind":"kernel","api":{"name":"launch","ts":5,"dur":1,"pid":1,"tid":1},"range":"mm","ranges":["mm","mm"],"n":2}
2
2
2
2
5
--- stderr
nvtx-attach: --take: 'ranges' is already the name of a member; choose another name
nvtx-attach: --take: 'api' is the member with the call of a device record; choose another name
nvtx-attach: --take: 'ts' is a standard member; choose another name
nvtx-attach: --take: 'a' is already the name of a member; choose another name
nvtx-attach: no record has the field 'args.x'; did you mean 'args.n'?
E
cat >batches.py <<'E'
# An operator every 10 ns, with a number that another one shares; one of 900 stays open. A call is in each, another after
# it; `corr` of a call is the number of the operator that encloses it.
for i in range(1, 20001):
    row = '{"ts":%d,"dur":%d,"kind":"%s","name":"%s","tid":1,"corr":%d}'
    print(row % (i * 10, 1000000 if i % 900 == 0 else 8, "op", "op %d" % (i % 5000), i // 2))
    print(row % (i * 10 + 1, 1, "api", "inside", i // 2))
    print(row % (i * 10 + 9, 0, "api", "after", i // 900 * 450))
E
check '--take: operators are removed in batches, but not those that are open' 0 '
	for time in 0 10s; do
		python3 batches.py | nvtx-attach -r op --horizon $time --take from=corr | filter-calls -k api |
			derive good=from==corr | groupby -g name,good -a count -o csv
	done' <<'E'
name,good,count
inside,1,20000
after,1,19101
after,,899
name,good,count
inside,1,20000
after,1,19101
after,,899
E
check '--point start' 0 'nvtx-attach --point start crossing | python3 show.py' <<'E'
a -
b ["a"]
in both ["a","b"]
in b ["a","b"]
at the end of a ["a","b"]
c ["b"]
a moment ["b","c"]
past the end of b ["b"]
after all -
E
check '--point end: a range that starts after the record may enclose it' 0 \
	'nvtx-attach --point=end crossing | python3 show.py' <<'E'
a ["b"]
b -
in both ["a","b"]
in b ["b","c"]
at the end of a ["a","b"]
c ["b"]
a moment ["b","c"]
past the end of b -
after all -
E

cat >equal <<'E'
{"ts":-5,"dur":2,"kind":"op","name":"x"}
{"ts":-5,"dur":2,"kind":"range","name":"short"}
{"ts":-5,"dur":4,"kind":"range","name":"same 1"}
{"ts":-5,"dur":4,"kind":"op","name":"y"}
{"ts":-5,"dur":9,"kind":"range","name":"long"}
{"ts":-5,"dur":4,"kind":"range","name":"same 2"}
{"ts":-5,"dur":0,"kind":"range","name":"nothing"}
{"ts":-5,"kind":"mark","name":"mark"}
{"ts":-1,"dur":0,"kind":"op","name":"z"}
E
check 'of ranges with the same start the shortest is the innermost, of equal ranges the last one' 0 \
	'nvtx-attach equal | python3 show.py' <<'E'
x ["long","same 1","same 2","short"]
short ["long","same 1","same 2"]
same 1 ["long","same 2"]
y ["long","same 1","same 2"]
long -
same 2 ["long","same 1"]
nothing ["long","same 1","same 2","short"]
mark ["long","same 1","same 2","short","nothing"]
z ["long","same 1","same 2"]
E

cat >open <<'E'
{"kind":"meta","name":"no ts"}
{"ts":1,"kind":"range","name":"never ends","tid":1}
{"ts":2,"dur":-3,"kind":"range","name":"ends before","tid":1}
{"ts":2,"dur":8,"kind":"mark","name":"a mark","tid":1}
{"ts":3,"dur":5,"kind":"range","name":"r","tid":1}
{"ts":3,"dur":1,"kind":"range","name":"another clock","clock":"device","tid":1}
{"ts":3,"dur":1,"kind":"op","name":"x","tid":1}
{"kind":"meta","name":"no ts here"}
{"ts":4,"dur":-9,"kind":"op","name":"negative dur","tid":1}
{"ts":5,"dur":1,"kind":"kernel","name":"k","dev":0}
E
check 'marks and ranges without an end enclose nothing; --report' 0 \
	'nvtx-attach --report -r range,mark open | python3 show.py' <<'E'
no ts -
never ends -
ends before -
a mark -
r -
another clock -
x ["r"]
no ts here -
negative dur ["r"]
k -
--- stderr
nvtx-attach: ranges: 2; ranges without an end: 1; marks: 1
nvtx-attach: records inside ranges: 2; outside: 4; device records without a call: 1
nvtx-attach: open:2: range without an end; it encloses no record
E

cat >places <<'E'
{"ts":0,"dur":100,"kind":"range","name":"r0 p1 t1","rank":0,"pid":1,"tid":1}
{"ts":0,"dur":100,"kind":"range","name":"r1 p1 t1","rank":1,"pid":1,"tid":1}
{"ts":1,"dur":90,"kind":"range","name":"r0 p1 t2","rank":0,"pid":1,"tid":2}
{"ts":2,"dur":80,"kind":"range","name":"r0 p2 t1","rank":0,"pid":2,"tid":"\u0031"}
{"ts":3,"dur":70,"kind":"op","name":"mm","rank":0,"pid":1,"tid":2}
{"ts":4,"dur":1,"kind":"api","name":"call","rank":0,"pid":1,"tid":2}
{"ts":5,"dur":1,"kind":"api","name":"text","rank":0,"pid":2,"tid":"1"}
{"ts":6,"dur":1,"kind":"api","name":"number","rank":0,"pid":2,"tid":1}
{"ts":7,"dur":1,"kind":"api","name":"no rank","pid":1,"tid":1}
E
check '--scope process is the default' 0 'nvtx-attach places | python3 show.py' <<'E'
r0 p1 t1 -
r1 p1 t1 -
r0 p1 t2 ["r0 p1 t1"]
r0 p2 t1 -
mm ["r0 p1 t1","r0 p1 t2"]
call ["r0 p1 t1","r0 p1 t2"]
text ["r0 p2 t1"]
number ["r0 p2 t1"]
no rank -
E
check '--scope thread' 0 'nvtx-attach --scope thread places | python3 show.py' <<'E'
r0 p1 t1 -
r1 p1 t1 -
r0 p1 t2 -
r0 p2 t1 -
mm ["r0 p1 t2"]
call ["r0 p1 t2"]
text ["r0 p2 t1"]
number -
no rank -
E
check '--scope any: all processes of the same rank' 0 'nvtx-attach --scope any places | python3 show.py' <<'E'
r0 p1 t1 -
r1 p1 t1 -
r0 p1 t2 ["r0 p1 t1"]
r0 p2 t1 ["r0 p1 t1","r0 p1 t2"]
mm ["r0 p1 t1","r0 p1 t2","r0 p2 t1"]
call ["r0 p1 t1","r0 p1 t2","r0 p2 t1"]
text ["r0 p1 t1","r0 p1 t2","r0 p2 t1"]
number ["r0 p1 t1","r0 p1 t2","r0 p2 t1"]
no rank -
E
check 'each kind of range has its own default scope' 0 \
	'nvtx-attach -r range,op places | python3 show.py | tail -n 4' <<'E'
call ["r0 p1 t1","r0 p1 t2","mm"]
text ["r0 p2 t1"]
number ["r0 p2 t1"]
no rank -
E

cat >steps <<'E'
{"ts":0,"dur":50,"kind":"range","name":"Iteration 007","pid":1}
{"ts":1,"dur":40,"kind":"range","name":"forward \"x\"","pid":1}
{"ts":2,"dur":9,"kind":"op","name":"mm","pid":1,"range":"old","args":{"a":1},"src":{"ph":"B"}}
{"ts":3,"dur":9,"kind":"op","name":"add","pid":1,"src":{"ph":"B"}}
{"ts":4,"dur":9,"kind":"op","name":"relu"}
 {"pid" : 1 , "dur":9 , "name":"any order", "args" : null, "kind":"op" , "ts":5.0}
E
check 'members are written before args, an existing one is replaced; --capture and -e' 0 \
	'nvtx-attach --capture "iter=Iteration ([0-9]+)$" --capture "word=^([a-z]+) " steps;
		nvtx-attach -e Iter -e FORWARD steps | sed -n 3p' <<'E'
{"ts":0,"dur":50,"kind":"range","name":"Iteration 007","pid":1}
{"ts":1,"dur":40,"kind":"range","name":"forward \"x\"","pid":1,"range":"Iteration 007","ranges":["Iteration 007"],"iter":7}
{"ts":2,"dur":9,"kind":"op","name":"mm","pid":1,"range":"forward \"x\"","ranges":["Iteration 007","forward \"x\""],"iter":7,"word":"forward","args":{"a":1},"src":{"ph":"B"}}
{"ts":3,"dur":9,"kind":"op","name":"add","pid":1,"range":"forward \"x\"","ranges":["Iteration 007","forward \"x\""],"iter":7,"word":"forward","src":{"ph":"B"}}
{"ts":4,"dur":9,"kind":"op","name":"relu"}
{"pid" : 1 , "dur":9 , "name":"any order", "range":"forward \"x\"","ranges":["Iteration 007","forward \"x\""],"iter":7,"word":"forward","args" : null, "kind":"op" , "ts":5.0}
{"ts":2,"dur":9,"kind":"op","name":"mm","pid":1,"range":"Iteration 007","ranges":["Iteration 007"],"args":{"a":1},"src":{"ph":"B"}}
E
check 'two passes add both members, and a repeated pass changes nothing' 0 \
	'nvtx-attach -r op --as op steps | nvtx-attach >once; nvtx-attach -r op --as op once | nvtx-attach | cmp - once;
		sed -n 4p once' <<'E'
{"ts":3,"dur":9,"kind":"op","name":"add","pid":1,"range":"forward \"x\"","ranges":["Iteration 007","forward \"x\""],"src":{"ph":"B"}}
E

check '-k: other records are not changed, and ranges of other kinds enclose' 0 \
	'nvtx-attach -k api,kernel places >got; nvtx-attach places | grep -e api -e kernel >all
		grep -e api -e kernel got | cmp - all; grep -v -e api -e kernel places >others
		grep -v -e api -e kernel got | cmp - others; grep -c "\"ranges\"" got' <<'E'
3
E
check '-k: an unknown kind' 2 'nvtx-attach -k calls places 2>said; status=$?; cut -c 1-40 said; exit $status' <<'E'
nvtx-attach: -k: 'calls': expected kerne
E

# --- device records

cat >joined <<'E'
{"ts":0,"dur":10,"kind":"range","name":"forward","pid":1,"tid":1}
{"ts":2,"dur":4,"kind":"api","name":"cudnnConvolutionForward","pid":1,"tid":1}
{"ts":3,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":4,"dur":9,"kind":"kernel","name":"early","dev":0,"corr":1,"api":{"name":"cudaLaunchKernel","ts":3,"dur":2,"pid":1,"tid":1}}
{"ts":20,"dur":20,"kind":"range","name":"backward","pid":1,"tid":1}
{"ts":21,"dur":9,"kind":"kernel","name":"late","dev":0,"corr":1,"api":{"tid":1,"pid":1,"dur":2,"ts":3,"name":"cudaLaunchKernel"}}
{"ts":22,"dur":9,"kind":"kernel","name":"of another process","dev":0,"corr":1,"api":{"name":"cudaLaunchKernel","ts":3,"dur":2,"pid":2,"tid":1}}
{"ts":23,"dur":9,"kind":"kernel","name":"without a call","dev":0,"corr":7}
{"ts":24,"dur":9,"kind":"kernel","name":"with a pid","dev":0,"pid":2}
{"ts":25,"dur":9,"kind":"gpu_range","name":"backward on the device","dev":0}
E
check 'device records have the ranges of their launch' 0 'nvtx-attach --report joined | python3 show.py' <<'E'
forward -
cudnnConvolutionForward ["forward"]
cudaLaunchKernel ["forward"]
early ["forward"]
backward -
late ["forward"]
of another process -
without a call -
with a pid -
backward on the device -
--- stderr
nvtx-attach: ranges: 2; ranges without an end: 0; marks: 0
nvtx-attach: records inside ranges: 4; outside: 3; device records without a call: 3
E
check 'device records have the ranges of their launch: --scope thread' 0 \
	'nvtx-attach --scope thread joined | python3 show.py | sed -n "6,7p"' <<'E'
late ["forward"]
of another process -
E
check '--by own: ranges of all threads, of the same process if the device record has a pid' 0 \
	'nvtx-attach --by own --scope thread joined | python3 show.py | tail -n 7' <<'E'
early -
backward -
late ["backward"]
of another process ["backward"]
without a call ["backward"]
with a pid -
backward on the device ["backward"]
E
check '-r api: the launching call does not enclose its kernel' 0 \
	'nvtx-attach -r api joined | python3 show.py | sed -n "3,6p"' <<'E'
cudaLaunchKernel ["cudnnConvolutionForward"]
early ["cudnnConvolutionForward"]
backward -
late ["cudnnConvolutionForward"]
E
cat >unnamed <<'E'
{"ts":1,"dur":100,"kind":"api","pid":1,"tid":1}
{"ts":2,"dur":50,"kind":"api","name":null,"pid":1,"tid":1}
{"ts":5,"dur":10,"kind":"kernel","name":"k","api":{"ts":1,"dur":100,"pid":1,"tid":1}}
{"ts":6,"dur":10,"kind":"kernel","name":"l","api":{"ts":2,"dur":50,"pid":1,"tid":1}}
E
check '-r api: a launching call without a name does not enclose its kernel' 0 \
	'nvtx-attach -r api --as call unnamed | filter-calls -k kernel' <<'E'
{"ts":5,"dur":10,"kind":"kernel","name":"k","api":{"ts":1,"dur":100,"pid":1,"tid":1}}
{"ts":6,"dur":10,"kind":"kernel","name":"l","api":{"ts":2,"dur":50,"pid":1,"tid":1},"call":"","calls":[""]}
E

python3 - >far <<'E'
# Many short ranges of one process, then a kernel that was launched in the first of these ranges.
for i in range(20000):
    print('{"ts":%d,"dur":5,"kind":"range","name":"step %d","pid":1}' % (i * 10, i))
print('{"ts":200000,"dur":5,"kind":"kernel","name":"k","api":{"name":"launch","ts":2,"dur":1,"pid":1,"tid":1}}')
E
check 'ranges that ended before the horizon are removed; a message counts the records concerned' 0 \
	'nvtx-attach --horizon 1us far | tail -n 1 | python3 show.py' <<'E'
k -
--- stderr
nvtx-attach: records that start more than --horizon after their call or last longer than --horizon: 1; some of their ranges may be missing
E
check 'ranges that ended within the horizon are found' 0 \
	'nvtx-attach --horizon 200us far | tail -n 1 | python3 show.py' <<'E'
k ["step 0"]
E

cat >ahead <<'E'
{"ts":0,"dur":9000000000000000000,"kind":"op","name":"too long to wait for"}
{"ts":1,"dur":900,"kind":"op","name":"long"}
{"ts":2,"dur":5,"kind":"kernel","name":"k","api":{"name":"launch","ts":700,"dur":1}}
{"ts":500,"dur":900,"kind":"range","name":"at its end"}
{"ts":700,"dur":1,"kind":"range","name":"at the launch"}
{"ts":9000,"dur":1,"kind":"op","name":"later"}
E
check '--point end: a record waits for later ranges, up to the horizon' 0 \
	'nvtx-attach --horizon 5us --point end ahead | python3 show.py' <<'E'
too long to wait for -
long ["at its end"]
k ["at its end","at the launch"]
at its end -
at the launch ["at its end"]
later -
--- stderr
nvtx-attach: records that start more than --horizon after their call or last longer than --horizon: 1; some of their ranges may be missing
E

# --- usage

check 'out of ts order: the records up to that line are written' 2 "nvtx-attach -r op,python -e 'a b' <<'X'
{\"ts\":-3,\"dur\":1,\"kind\":\"op\",\"name\":\"one\"}
{\"ts\":-4,\"dur\":1,\"kind\":\"op\",\"name\":\"two\"}
X" <<'E'
{"ts":-3,"dur":1,"kind":"op","name":"one"}
--- stderr
nvtx-attach: stdin:2: not in ts order; run: ... | ts-sort | nvtx-attach -r op,python -e 'a b'
E
check_re 'rejects wrong arguments of options' 2 \
	'for o in "--scope=thred" "--by=self" "--point=middle" "--as=args" "--as=arg" "--as=name" "--as=" \
	"--capture=range=(x)" "--capture=iter" "--capture=iter=x" "--capture=rank=(x)" "-r=rang" \
		"-e (" "--horizon=x" "--horizon=-1"; do
	nvtx-attach "$o" equal; done' <<'E'
--- stderr
nvtx-attach: --scope: 'thred': expected thread, process or any; did you mean 'thread'\?
nvtx-attach: --by: 'self': expected launch or own.*
nvtx-attach: --point: 'middle': expected whole, start or end.*
nvtx-attach: --as: 'args' is a standard member; choose another name
nvtx-attach: --as: 'args' is a standard member; choose another name
nvtx-attach: --as: 'name' is a standard member; choose another name
nvtx-attach: --as: the name of the member is empty
nvtx-attach: --capture: 'range' is already the name of a member; choose another name
nvtx-attach: --capture: 'iter': expected NAME=REGEX
nvtx-attach: --capture: 'x': expected a regular expression with exactly one \(group\)
nvtx-attach: --capture: 'rank' is a standard member; choose another name
nvtx-attach: -r: '=rang': expected kernel, .*
nvtx-attach: -e: ' \(': invalid regular expression: .*
nvtx-attach: --horizon: .*
nvtx-attach: --horizon: .*
E

# --- many ranges on one thread

if ! sanitized; then
	cat >many.py <<'E'
import sys
# nested: a long range that contains N / 2 pairs of ranges, each with a record; crossing: N ranges that cross.
n = int(sys.argv[2])
print('{"ts":0,"dur":100000000000,"kind":"range","name":"all","pid":1,"tid":1}')
for i in range(n // 2 if sys.argv[1] == "nested" else 0):
    ts = i * 100_000
    print('{"ts":%d,"dur":15000,"kind":"range","name":"%d","pid":1,"tid":1}\n'
          '{"ts":%d,"dur":5000,"kind":"range","name":"inner","pid":1,"tid":1}\n'
          '{"ts":%d,"dur":5,"kind":"op","name":"x","pid":1,"tid":1}' % (ts, i, ts + 1000, ts + 2000))
for i in range(n if sys.argv[1] == "crossing" else 0):
    print('{"ts":%d,"dur":200000000000,"kind":"range","name":"c","pid":1,"tid":1}' % (i * 10))
E
	# sh ./many CASE N SECONDS KIB: prints the last line of the output, and the CPU time and memory if one of them
	# exceeds its limit.
	cat >many <<'E'
python3 many.py "$1" "$2" >many.ndjson
"$BUILD/bench/measure" result nvtx-attach many.ndjson | tail -n 1 | cut -c 1-200
python3 - "$3" "$4" <<'P'
import json, sys
r = json.load(open("result"))
if r["cpu"] > float(sys.argv[1]) or r["rss"] > int(sys.argv[2]):
    print(r)
P
rm many.ndjson
E
	n=$(amount 2 200000 1000000) last=$((n / 2 - 1))
	slow check 'many consecutive ranges' 0 "sh ./many nested $n 10 65536" <<E
{"ts":${last}02000,"dur":5,"kind":"op","name":"x","pid":1,"tid":1,"range":"inner","ranges":["all","$last","inner"]}
E
	slow check 'many ranges that cross' 0 "sh ./many crossing $n 10 131072" <<E
{"ts":$((n - 1))0,"dur":200000000000,"kind":"range","name":"c","pid":1,"tid":1}
E
fi

# --- each record is compared with every range: records with unusual values, real traces

n=$(amount 10 30 500)
have python3 && check 'brute force: records with unusual values' 0 "enclosing_ranges.py --random $n" <<E
$n traces, 0 wrong
E

# brute FILE OPTIONS...: compares the result with the result of a search through all ranges.
brute() {
	file=$1
	shift
	check_re "brute force: $name: $*" 0 "nvtx-attach $* $file >out 2>err; enclosing_ranges.py $file out $*" <<'E'
same: [0-9]+ records, [0-9]+ ranges, [0-9]+ inside
E
}

small='kineto/alexnet.json.gz kineto/simple_add.json.gz kineto/event_sync_multi_stream.json.gz kineto/cpu_only.json.gz
	kineto/amd_mi250.json.gz nsys/synth_small_wild.json nsys/unet3d_baseline_trim.json'
[ ! "${TEST_ALL-}" ] || small="$small nsys/unet3d_dali_amp_trim.json"
for name in $small; do
	need_shared "data/$name" || continue
	trace2ndjson "$SHARED/data/$name" 2>said | attached_records.py ordered joined
	brute ordered
	brute joined
	brute joined -r op --as op
	brute joined -r op,range,python,api --as all
	case $name in *alexnet* | *simple_add* | *dali*) continue ;; esac
	brute joined --scope thread
	brute joined --scope any --point start
	brute joined -r op,range --point end
	brute joined --by own
	brute joined -r op,range --by own --scope thread
	brute joined --by own --scope any --point end
	brute joined -r gpu_range,kernel,api --by own
	brute joined -r range,op -e "'^aten|^step|^Iter'" --capture "'iter=([0-9]+)'"
done

# --- nvtx-attach before and after corr-join

cat >equal.py <<'E'
"""usage: equal.py A B: compares records, with members in any order; reports whether device records have ranges."""
import json, sys

n = attached = 0
with open(sys.argv[1]) as a, open(sys.argv[2]) as b:
    for x, y in zip(a, b, strict=True):
        n += 1
        if x != y and json.loads(x) != json.loads(y):
            print(f"record {n}:\n{x}{y}", end="")
            break
        attached += '"ranges":[' in x and '"api":{' in x
print("device records in ranges:", "some" if attached else "none")
E
need_shared data/kineto data/nsys
traces_in kineto nsys | while IFS= read -r path; do
	name=${path##*/}
	{ trace2ndjson "$path" | ts-sort >ordered; } 2>said
	options='-r op,range --capture "n=([0-9]+)"'
	check_re "$name: nvtx-attach | corr-join and corr-join | nvtx-attach" 0 "
		nvtx-attach $options ordered 2>said | corr-join --sorted >a
		corr-join --sorted ordered | nvtx-attach $options >b 2>said; python3 equal.py a b" <<'E'
device records in ranges: (some|none)
E
done

finish
