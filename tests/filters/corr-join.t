#!/bin/sh
# corr-join.t: tests the matching of device records with calls, the members that are added, waiting records, and memory.
# With TEST_ALL=1 it compares all records of the real traces, otherwise about 700 of each.
. "${0%/*}/../lib.sh"

# --- added members

cat >small <<'E'
{"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"range":"fwd","ranges":["step","fwd"]}
{"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"args":{"grid":[1,1,1]}}
{"ts":300,"dur":50,"kind":"api","name":"cudaMemcpyAsync","pid":7,"tid":8,"corr":4,"args":{"cbid":41}}
{"ts":310,"dur":10,"kind":"memcpy","name":"Memcpy","dev":0,"corr":4,"bytes":64,"copy":"h2d","src":{"ph":"x"}}
{"ts":400,"dur":1,"kind":"op","name":"aten::mm","corr":3}
{"ts":500,"dur":1,"kind":"kernel","name":"lost","corr":99}
{"ts":501,"dur":1,"kind":"sync","name":"Event Sync","corr":-1}
{"ts":502,"dur":1,"kind":"gpu_range","name":"fwd","corr":3}
{"ts":503,"dur":1,"kind":"api","name":"cudaMalloc","pid":7,"tid":8,"corr":5}
E
check 'adds api, delay, queue and the attachments of the call' 0 'corr-join small' <<'E'
{"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":8,"corr":3,"range":"fwd","ranges":["step","fwd"]}
{"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":3,"api":{"name":"cudaLaunchKernel","ts":100,"dur":40,"pid":7,"tid":8},"delay":60,"queue":20,"range":"fwd","ranges":["step","fwd"],"args":{"grid":[1,1,1]}}
{"ts":300,"dur":50,"kind":"api","name":"cudaMemcpyAsync","pid":7,"tid":8,"corr":4,"args":{"cbid":41}}
{"ts":310,"dur":10,"kind":"memcpy","name":"Memcpy","dev":0,"corr":4,"bytes":64,"copy":"h2d","api":{"name":"cudaMemcpyAsync","ts":300,"dur":50,"pid":7,"tid":8},"delay":10,"src":{"ph":"x"}}
{"ts":400,"dur":1,"kind":"op","name":"aten::mm","corr":3}
{"ts":501,"dur":1,"kind":"sync","name":"Event Sync","corr":-1}
{"ts":502,"dur":1,"kind":"gpu_range","name":"fwd","corr":3}
{"ts":503,"dur":1,"kind":"api","name":"cudaMalloc","pid":7,"tid":8,"corr":5}
{"ts":500,"dur":1,"kind":"kernel","name":"lost","corr":99}
E
corr-join small | sort >unsorted
check '--sorted keeps ts order; --report prints the counts' 0 \
	'corr-join --sorted --report small >got; sort got | cmp - unsorted
	cut -c 7-9 got | sort -c' <<'E'
--- stderr
corr-join: device records: 2 matched, 1 without a call, 0 ambiguous, 1 without corr
corr-join: calls: 3 with corr, 1 without a device record, 0 duplicates
E
check 'accepts corr 0, the first one of OpenCL' 0 \
	'printf "{\"ts\":%d,\"kind\":\"%s\",\"corr\":0}\n" 1 api 2 kernel | corr-join --sorted' <<'E'
{"ts":1,"kind":"api","corr":0}
{"ts":2,"kind":"kernel","corr":0,"api":{"ts":1},"delay":1}
E
check '--only matched' 0 \
	'corr-join --only matched small | cut -c 1-60; corr-join --sorted --only matched small | wc -l' <<'E'
{"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"st
{"ts":310,"dur":10,"kind":"memcpy","name":"Memcpy","dev":0,"
2
E
for way in '' --sorted; do
	check "--drop-calls $way" 0 "
		corr-join $way --drop-calls small | sort >got; grep -v '\"kind\":\"api\"' unsorted | cmp - got" </dev/null
	check "--tee $way: copies in files and pipes" 0 "
		corr-join $way small >want; mkfifo pipe; cmp pipe want & corr-join $way --tee file --tee pipe small | cmp - want
		wait \$! && cmp file want; rm pipe" </dev/null
	check "--only unmatched $way" 0 "corr-join $way --only unmatched small | sort" <<'E'
{"ts":500,"dur":1,"kind":"kernel","name":"lost","corr":99}
{"ts":501,"dur":1,"kind":"sync","name":"Event Sync","corr":-1}
E
	check "a second pass changes nothing $way" 0 \
		"corr-join $way small >once; corr-join $way once | cmp - once" </dev/null
	check "reads members in any order and spacing $way" 0 \
		"printf '%s\n' ' { \"name\" : \"k\" , \"corr\":1 , \"kind\" : \"api\",\"iter\" : 3 , \"ts\" : 5.0}' \
		'{ \"corr\":1.0, \"kind\":\"kernel\", \"ts\" : 7,\"iter\":4, \"queue\":null }' | corr-join $way" <<'E'
{ "name" : "k" , "corr":1 , "kind" : "api","iter" : 3 , "ts" : 5.0}
{ "corr":1.0, "kind":"kernel", "ts" : 7,"iter":3, "queue":null ,"api":{"name":"k","ts":5},"delay":2}
E
done
cat >odd <<'E'
{"ts":-50,"kind":"api","name":"l","corr":1,"dur":20}
{"ts":-20,"dur":5,"kind":"kernel","name":"k","corr":1,"args":{"corr":2},"rank":null}
{"kind":"kernel","name":"no ts","corr":1}
{"ts":9,"kind":"memset","name":"clock","corr":1,"clock":"device"}
{"ts":9223372036854775807,"kind":"memset","name":"far","corr":1}
E
check 'joins records with a negative ts, a late dur, no ts, another clock, a delay beyond 64 bits' 0 \
	'corr-join odd' <<'E'
{"ts":-50,"kind":"api","name":"l","corr":1,"dur":20}
{"ts":-20,"dur":5,"kind":"kernel","name":"k","corr":1,"api":{"name":"l","ts":-50,"dur":20},"delay":30,"queue":10,"args":{"corr":2},"rank":null}
{"kind":"kernel","name":"no ts","corr":1,"api":{"name":"l","ts":-50,"dur":20}}
{"ts":9,"kind":"memset","name":"clock","corr":1,"clock":"device","api":{"name":"l","ts":-50,"dur":20}}
{"ts":9223372036854775807,"kind":"memset","name":"far","corr":1,"api":{"name":"l","ts":-50,"dur":20}}
E

check 'queue: a call with a negative dur ends when it starts' 0 "printf '%s\n' \
	'{\"ts\":5,\"dur\":-4,\"kind\":\"api\",\"corr\":1}' '{\"ts\":7,\"kind\":\"kernel\",\"corr\":1}' | corr-join" <<'E'
{"ts":5,"dur":-4,"kind":"api","corr":1}
{"ts":7,"kind":"kernel","corr":1,"api":{"ts":5,"dur":-4},"delay":2,"queue":2}
E

check 'a member of the call that is null adds nothing; of a repeated member, the last one counts' 0 "printf '%s\n' \
	'{\"range\":\"a\",\"iter\":4,\"ts\":5,\"kind\":\"api\",\"corr\":1,\"range\":\"b\",\"iter\":null}' \
	'{\"ts\":7,\"kind\":\"kernel\",\"corr\":1,\"iter\":3}' | corr-join | tail -n 1" <<'E'
{"ts":7,"kind":"kernel","corr":1,"iter":3,"api":{"ts":5},"delay":2,"range":"b"}
E
check 'a device record without ts belongs to the last call, of several calls without ts too' 0 "printf '%s\n' \
	'{\"kind\":\"api\",\"name\":\"a\",\"corr\":1}' '{\"kind\":\"api\",\"name\":\"b\",\"corr\":1}' \
	'{\"kind\":\"kernel\",\"corr\":1}' | corr-join | tail -n 1" <<'E'
{"kind":"kernel","corr":1,"api":{"name":"b"}}
E
many=$(for i in $(seq 30); do printf ',"m%d":%d' "$i" "$i"; done)
for head in '{"ts":1,"dur":2,"kind":"api","name":"l"' '{"dur":2,"ts":1,"kind":"api","name":"l"'; do
	check "a repeated member replaces that of the device record by its last value, after 30 members: $head" 0 "
		printf '%s\n' '$head,\"corr\":3$many,\"m1\":5,\"m2\":null,\"x\":1,\"x\":6}' \
			'{\"ts\":5,\"dur\":2,\"kind\":\"kernel\",\"name\":\"k\",\"corr\":3,\"m1\":7,\"m2\":8,\"x\":9}' |
		corr-join --only matched | ndjson2table -o csv -f m1,m2,x,m3" <<'E'
m1,m2,x,m3
5,8,6,3
E
done
check 'of a repeated ts or dur, only the last one must fit in 64 bits' 1 "printf '%s\n' \
	'{\"dur\":1e30,\"ts\":5,\"kind\":\"api\",\"corr\":1,\"dur\":4}' \
	'{\"ts\":7,\"kind\":\"kernel\",\"corr\":1,\"ts\":9223372036854775808}' | corr-join" <<'E'
{"dur":1e30,"ts":5,"kind":"api","corr":1,"dur":4}
--- stderr
corr-join: stdin:1: duplicate member; only the last one counts
corr-join: stdin:2: ts does not fit in 64 bits; record skipped
E

# --- waiting records

# Prints the name of each record and the name of its call.
names='sed "s/.*name\":\"\([^\"]*\)\".*api\":.\"name\":\"\([^\"]*\)\".*/\1 \2/; s/.*name\":\"\([^\"]*\)\".*/\1/"'

cat >early <<'E'
{"ts":160,"dur":90,"kind":"kernel","name":"one","corr":3}
{"ts":170,"dur":90,"kind":"kernel","name":"never","corr":8}
{"ts":180,"dur":90,"kind":"kernel","name":"two","corr":4}
{"ts":190,"dur":90,"kind":"kernel","name":"three","corr":3}
{"ts":100,"dur":40,"kind":"api","name":"graph","corr":3}
{"ts":200,"dur":90,"kind":"kernel","name":"four","corr":3}
{"ts":100,"dur":40,"kind":"api","name":"launch","corr":4}
{"ts":1,"kind":"mark","name":"end"}
E
for memory in 256MiB 64kB 0; do
	check "writes waiting records after their call and records without a call last: --memory $memory" 0 \
		"corr-join --memory $memory early | $names" <<'E'
graph
one graph
three graph
four graph
launch
two launch
end
never
E
done
cat >same <<'E'
{"ts":5,"dur":2,"kind":"kernel","name":"k","corr":1}
{"ts":5,"dur":1,"kind":"op","name":"between"}
{"ts":5,"kind":"mark","name":"mark"}
{"ts":5,"dur":0,"kind":"api","name":"a","corr":1}
{"ts":6,"dur":0,"kind":"op","name":"after"}
{"ts":6,"dur":2,"kind":"kernel","name":"early","corr":2}
{"ts":7,"dur":2,"kind":"api","name":"late","corr":2}
E
for memory in 256MiB 0; do
	check "--sorted processes calls first among records with the same ts: --memory $memory" 0 \
		"corr-join --sorted --lenient --memory $memory same 2>said" <<'E'
{"ts":5,"dur":2,"kind":"kernel","name":"k","corr":1,"api":{"name":"a","ts":5,"dur":0},"delay":0,"queue":0}
{"ts":5,"dur":1,"kind":"op","name":"between"}
{"ts":5,"kind":"mark","name":"mark"}
{"ts":5,"dur":0,"kind":"api","name":"a","corr":1}
{"ts":6,"dur":0,"kind":"op","name":"after"}
{"ts":6,"dur":2,"kind":"kernel","name":"early","corr":2}
{"ts":7,"dur":2,"kind":"api","name":"late","corr":2}
E
done
check '--sorted forgets calls after the horizon' 0 \
	'for h in 59 60ns 1us; do corr-join --sorted --horizon $h small | grep -c "\"api\":{"; done' <<'E'
1
2
2
E
check '--tee: files that cannot be written' 2 '
	mkdir folder; corr-join --tee folder small; corr-join --tee no/file small
	corr-join --tee /dev/full small >out' <<'E'
--- stderr
corr-join: folder: cannot open: Is a directory
corr-join: no/file: cannot open: No such file or directory
corr-join: /dev/full: write error: No space left on device
E
check '--sorted rejects input out of ts order' 2 'corr-join --sorted --only matched early' <<'E'
--- stderr
corr-join: early:5: not in ts order; run: ts-sort early | corr-join --sorted --only matched
E
check '--sorted writes waiting records before it stops at a record out of order' 0 \
	'corr-join --sorted early 2>/dev/null | wc -l' <<'E'
4
E

# --- clocks that disagree

cat >skewed <<'E'
{"ts":100,"dur":5,"kind":"kernel","name":"k","pid":1,"dev":0,"stream":7,"corr":9}
{"ts":150,"dur":1,"kind":"op","name":"between"}
{"ts":160,"dur":1,"kind":"kernel","name":"later","pid":1,"corr":10}
{"ts":170,"dur":1,"kind":"kernel","name":"never","pid":1,"corr":99}
{"ts":200,"dur":4,"kind":"api","name":"launch","pid":1,"tid":1,"corr":9}
{"ts":280,"dur":4,"kind":"api","name":"second","pid":1,"tid":1,"corr":10}
{"ts":400,"dur":4,"kind":"mark","name":"end"}
E
check '--lead joins records with later calls and keeps ts order' 0 'corr-join --sorted --lead 120 skewed' <<'E'
{"ts":100,"dur":5,"kind":"kernel","name":"k","pid":1,"dev":0,"stream":7,"corr":9,"api":{"name":"launch","ts":200,"dur":4,"pid":1,"tid":1},"delay":-100}
{"ts":150,"dur":1,"kind":"op","name":"between"}
{"ts":160,"dur":1,"kind":"kernel","name":"later","pid":1,"corr":10,"api":{"name":"second","ts":280,"dur":4,"pid":1,"tid":1},"delay":-120}
{"ts":170,"dur":1,"kind":"kernel","name":"never","pid":1,"corr":99}
{"ts":200,"dur":4,"kind":"api","name":"launch","pid":1,"tid":1,"corr":9}
{"ts":280,"dur":4,"kind":"api","name":"second","pid":1,"tid":1,"corr":10}
{"ts":400,"dur":4,"kind":"mark","name":"end"}
E
check '--lead gives the same output when all waiting records are in a file' 0 'corr-join --sorted --lead 1s skewed >want
	corr-join --sorted --lead 120 --memory 0 skewed | cmp - want' </dev/null
check 'reports records that precede their calls, with the --lead that joins them' 1 \
	'corr-join --sorted --only matched <skewed' <<'E'
--- stderr
corr-join: 2 device records start up to 120 ns before their calls and were not joined; run: ... | corr-join --sorted --only matched --lead 120ns
E
check 'reports a --lead that is too small' 1 \
	'corr-join --sorted --lead=110 --report -- skewed | cmp - skewed | cut -d , -f 1;
	corr-join --sorted --lead=110 skewed >out' <<'E'
- skewed differ: char 81
--- stderr
corr-join: device records: 1 matched, 2 without a call, 0 ambiguous, 0 without corr
corr-join: calls: 2 with corr, 1 without a device record, 0 duplicates
corr-join: 1 device records start up to 120 ns before their calls and were not joined; run: corr-join --sorted --report --lead 120ns -- skewed
corr-join: 1 device records start up to 120 ns before their calls and were not joined; run: corr-join --sorted --lead 120ns skewed
E
check 'does not report calls beyond the horizon' 0 'corr-join --sorted --horizon 99 --only matched skewed' </dev/null
check 'rounds the suggested --lead up' 1 \
	'sed "s/0,/0000000,/; s/280000000/280000001/" skewed | corr-join --sorted --only matched' <<'E'
--- stderr
corr-join: 2 device records start up to 120000001 ns before their calls and were not joined; run: ... | corr-join --sorted --only matched --lead 121ms
E
cat >graph <<'E'
{"ts":1,"kind":"kernel","corr":1}
{"ts":2,"kind":"kernel","corr":1}
{"ts":3,"kind":"kernel","corr":1}
{"ts":5,"kind":"api","corr":1}
{"ts":6,"kind":"api","corr":1}
E
check 'counts each record of a graph launch once' 1 'corr-join --sorted --only matched graph' <<'E'
--- stderr
corr-join: 3 device records start up to 4 ns before their calls and were not joined; run: corr-join --sorted --only matched --lead 4ns graph
E
cat >blind <<'E'
{"ts":10,"kind":"kernel","name":"first","corr":1}
{"ts":11,"kind":"kernel","name":"of 2","pid":2,"corr":1}
{"ts":12,"kind":"kernel","name":"which","corr":2}
{"ts":20,"kind":"api","name":"a","pid":1,"corr":1}
{"ts":21,"kind":"api","name":"b","pid":2,"corr":1}
{"ts":22,"kind":"api","name":"c","pid":1,"corr":2}
{"ts":23,"kind":"api","name":"d","pid":2,"corr":2}
E
check '--lead distinguishes calls of two processes' 0 \
	"corr-join --sorted --lead 50 --only matched --report blind | $names" <<'E'
first a
of 2 b
--- stderr
corr-join: device records: 2 matched, 0 without a call, 1 ambiguous, 0 without corr
corr-join: calls: 4 with corr, 2 without a device record, 0 duplicates
corr-join: blind:5: call of a second process with this corr; device records without a pid were already joined with the first process's call
E

# An id is reused every minute, and the device's clock is 150 ms early. The input comes in several orders.
awk 'BEGIN {
	for (i = 0; i < 4; i++) {
		call[i] = sprintf("{\"ts\":%.0f,\"dur\":5,\"kind\":\"api\",\"name\":\"call%d\",\"corr\":7}", i * 60e9, i)
		kernel[i] = sprintf("{\"ts\":%.0f,\"dur\":5,\"kind\":\"kernel\",\"name\":\"kernel%d\",\"corr\":7}", \
			i * 60e9 - 150e6, i)
	}
	for (i = 0; i < 4; i++) { print call[i] >"calls"; print kernel[i] >"kernels"; print call[i] "\n" kernel[i] >"in_turn" }
	for (i = 3; i >= 0; i--) print kernel[i] "\n" call[i] >"turned"
}'
cat calls kernels >calls_first
cat kernels calls >kernels_first
for order in calls_first kernels_first in_turn turned; do
	check "joins a reused id with the nearest call: $order" 0 "corr-join --only matched $order | $names | sort
		ts-sort $order | corr-join --sorted --lead 250ms --only matched | $names" <<'E'
kernel0 call0
kernel1 call1
kernel2 call2
kernel3 call3
kernel0 call0
kernel1 call1
kernel2 call2
kernel3 call3
E
done
cat >two_calls <<'E'
{"ts":100,"kind":"api","name":"a","corr":1}
{"ts":500,"kind":"kernel","name":"k","corr":1}
{"ts":560,"kind":"api","name":"b","corr":1}
E
check 'unsorted: joins with a call within the horizon immediately, else with the nearest call at the end' 0 \
	"for h in 1s 100 10; do corr-join --horizon \$h two_calls | $names; done" <<'E'
a
k a
b
a
b
k b
a
b
k b
E

# --- ranks and processes

cat >two <<'E'
{"ts":1,"dur":1,"kind":"api","name":"a","pid":1,"corr":1}
{"ts":2,"dur":1,"kind":"api","name":"b","pid":2,"corr":1}
{"ts":3,"dur":1,"kind":"api","name":"c","pid":"1","corr":2}
{"ts":4,"dur":1,"kind":"kernel","name":"which","corr":1}
{"ts":5,"dur":1,"kind":"kernel","name":"of 2","pid":2,"corr":1}
{"ts":6,"dur":1,"kind":"kernel","name":"of 3","pid":3,"corr":1}
{"ts":7,"dur":1,"kind":"kernel","name":"of 1","pid":1,"corr":2}
{"ts":8,"dur":1,"kind":"kernel","name":"of one","pid":"\u0031","corr":2}
{"ts":9,"dur":1,"kind":"kernel","name":"of c","corr":2}
E
for way in '' --sorted; do
	check "distinguishes calls of several processes $way" 0 \
		"corr-join $way --only matched --report two | $names | sort" <<'E'
of 2 b
of c c
of one c
--- stderr
corr-join: device records: 3 matched, 2 without a call, 1 ambiguous, 0 without corr
corr-join: calls: 3 with corr, 1 without a device record, 0 duplicates
E
done
cat >merged <<'E'
{"ts":2,"dur":1,"kind":"kernel","name":"k1","corr":1}
{"ts":1,"dur":1,"kind":"api","name":"a1","pid":1,"corr":1}
{"ts":4,"dur":1,"kind":"kernel","name":"k2","corr":2}
{"ts":3,"dur":1,"kind":"api","name":"a2","pid":1,"corr":2}
{"ts":2,"dur":1,"kind":"kernel","name":"m1","corr":1}
{"ts":1,"dur":1,"kind":"api","name":"b1","pid":2,"corr":1}
{"ts":4,"dur":1,"kind":"kernel","name":"m2","corr":2}
{"ts":3,"dur":1,"kind":"api","name":"b2","pid":2,"corr":2}
{"ts":6,"dur":1,"kind":"kernel","name":"m3","corr":3}
{"ts":5,"dur":1,"kind":"api","name":"b3","pid":2,"corr":3}
E
check 'reports ids that two processes share' 0 "corr-join --report merged | $names" <<'E'
a1
k1 a1
a2
k2 a2
m1 a1
b1
b2
b3
m2
m3 b3
--- stderr
corr-join: device records: 4 matched, 0 without a call, 1 ambiguous, 0 without corr
corr-join: calls: 5 with corr, 2 without a device record, 0 duplicates
corr-join: merged:6: call of a second process with this corr; device records without a pid were already joined with the first process's call (and 1 more)
E
sed '1,4s/,"corr/,"rank":0&/; 5,$s/,"corr/,"rank":1&/' merged >ranked
check 'ranks distinguish equal ids of two processes' 0 "corr-join --report --only matched ranked | $names" <<'E'
k1 a1
k2 a2
m1 b1
m2 b2
m3 b3
--- stderr
corr-join: device records: 5 matched, 0 without a call, 0 ambiguous, 0 without corr
corr-join: calls: 5 with corr, 0 without a device record, 0 duplicates
E
cat >again <<'E'
{"ts":1,"dur":1,"kind":"kernel","name":"k0","corr":1}
{"ts":2,"dur":1,"kind":"api","name":"a","corr":1}
{"ts":3,"dur":1,"kind":"kernel","name":"k1","corr":1}
{"ts":4,"dur":1,"kind":"api","name":"b","corr":1}
{"ts":5,"dur":1,"kind":"kernel","name":"k2","corr":1}
E
check 'if an id repeats, joins with the last preceding call' 0 \
	"for way in '' --sorted; do corr-join \$way --lenient --only matched --report again | $names; done" <<'E'
k0 a
k1 a
k2 b
k1 a
k2 b
--- stderr
corr-join: device records: 3 matched, 0 without a call, 0 ambiguous, 0 without corr
corr-join: calls: 2 with corr, 0 without a device record, 1 duplicates
corr-join: device records: 2 matched, 1 without a call, 0 ambiguous, 0 without corr
corr-join: calls: 2 with corr, 0 without a device record, 1 duplicates
corr-join: 1 device records start up to 1 ns before their calls and were not joined; run: corr-join --sorted --lenient --only matched --report --lead 1ns again
E

# --- usage

check '--only rejects an unknown word' 2 'corr-join --only match small' <<'E'
--- stderr
corr-join: --only: 'match': expected matched or unmatched; did you mean 'matched'?
E
check '--lead needs --sorted' 2 'corr-join --lead 1s small' <<'E'
--- stderr
corr-join: --lead needs --sorted
E
check '--lead rejects a negative time' 2 'corr-join --sorted --lead -1s small' <<'E'
--- stderr
corr-join: --lead: '-1s': expected a time >= 0, such as 10ms (units: ns us ms s)
E
check '--horizon rejects 0' 2 'corr-join --sorted --horizon 0 small' <<'E'
--- stderr
corr-join: --horizon: '0': expected a time >= 1ns, such as 10ms (units: ns us ms s)
E
seq 3000 | sed 's/.*/{"ts":&,"kind":"kernel","name":"a name that fills the buffer before the file","corr":&}/' >many
check_re 'reports a missing folder for temporary files' 2 'TMPDIR=/nowhere corr-join --memory 1 many >out' <<'E'
--- stderr
corr-join: /nowhere: cannot create a temporary file (TMPDIR): No such file or directory
E

# --- comparison with a brute-force join

have python3 || finish
# brute NAME RECORDS [sorted [LEAD]]: compares corr-join with joined.py. Runs it again with --memory 64kB, so that
# waiting records are stored in a file.
brute() {
	brute_options=${3:+--sorted${4:+ --lead $4}}
	check "equals a brute-force join: $1 $3 ${4-}" 0 \
		"corr-join $brute_options --report $2 >joined 2>said || [ \$? = 1 ]
		sed 's/.*: \([0-9]*\) device records start up to \([0-9]*\) ns before .*/passed \1 \2/' said >report
		joined.py $2 joined $3 ${4-} | diff - report
		corr-join --lenient $brute_options --memory 64kB $2 2>said | cmp - joined" </dev/null
}

# Prints the records of every Nth id, and every Nth of the other records: about 700 records of a long trace.
sampled() {
	cat >all
	awk -v n="${TEST_ALL:-$(($(wc -l <all) / 700 + 1))}" '
		(match($0, /"corr":[0-9]+/) ? substr($0, RSTART + 7, RLENGTH - 7) : NR) % n == 0' all
}

# All traces are read as ranks of one job, so that equal ids of two traces are not one id.
rank=0
for file in "$DATA"/train.pt.trace.json "$DATA"/train.nsys.json ${SHARED:+"$SHARED"/data/kineto/* \
	"$SHARED"/data/nsys/*}; do
	[ -e "$file" ] || continue
	trace2ndjson --set rank=$rank "$file" 2>/dev/null | sampled
	rank=$((rank + 1))
done >records
ts-sort records >by_ts
brute 'real traces' records ''
brute 'real traces' by_ts sorted
need_shared data/kineto data/nsys || :

# Few ids and few times, so that all cases occur: two ranks and processes, many records per call, many calls per id.
set -- '1 10 50 30' '3 3000 20 7'
[ "${FAST-}" ] || set -- "$@" '2 300 100000 30000' '4 5 5 100000'
for row; do
	most=${row##* } row=${row% *}
	# shellcheck disable=SC2086 # three words
	call_records.py $row all >records
	ts-sort records >by_ts
	brute "random $row" records ''
	for lead in 0 $most; do
		brute "random $row" by_ts sorted $lead
	done
	# shellcheck disable=SC2086
	call_records.py $row blind | ts-sort >by_ts
	brute "random without pid $row" by_ts sorted
	# shellcheck disable=SC2086
	call_records.py $row blind | sed 's/"pid":"*[12]"*/"pid":1/' | ts-sort >by_ts
	brute "random without pid, of one process $row" by_ts sorted 9
done

n=$(amount 10 30 500)
check 'equals a brute-force join: records with unusual values' 0 "joined.py --random $n" <<E
$n traces, 0 wrong
E

# Graph launches with 400 device records each. In by_ts, each call precedes its device records; in records, it follows
# them.
awk 'BEGIN {
	for (i = 0; i < 4000; i++) {
		device = sprintf("{\"ts\":%.0f,\"dur\":5,\"kind\":\"kernel\",\"name\":\"k%d\",\"corr\":%d}", \
			10 * i + 5, i, int(i / 400) + 1)
		call = sprintf("{\"ts\":%.0f,\"dur\":5,\"kind\":\"api\",\"name\":\"cudaGraphLaunch\",\"pid\":1,\"corr\":%d}", \
			10 * i, int(i / 400) + 1)
		if (i % 400 == 0) print call >"by_ts"
		print device >"by_ts"
		print device >"records"
		if (i % 400 == 399) print call >"records"
	}
}'
brute 'graphs' records ''
brute 'graphs' by_ts sorted

# --- growth

# 20,000 processes, each with a kernel and its call, have one id or an id each. If the time were quadratic in the
# processes that share an id, it would be 50 times as long. On a busy machine, it may be a few times as long.
for ids in one many; do
	for order in calls kernels; do
		awk -v ids=$ids -v first=$order 'function put(kind, i) {
			printf "{\"ts\":%d,\"kind\":\"%s\",\"pid\":%d,\"corr\":%d}\n", ++ts, kind, i, ids == "one" ? 5 : i
		}
		BEGIN {
			for (i = 0; i < 20000; i++) put(first == "kernels" ? "kernel" : "api", i)
			for (i = 0; i < 20000; i++) put(first == "kernels" ? "api" : "kernel", i)
		}' >"$order.$ids"
	done
done
# cpu FILE OPTION...: prints the CPU time of corr-join in milliseconds.
cpu() {
	cpu_file=$1
	shift
	timeout 20 "$BUILD/bench/measure" result corr-join "$@" "$cpu_file" >/dev/null 2>&1
	sed 's/.*"cpu": \([0-9]*\)\.\([0-9]\{3\}\).*/\1\2/; s/^0*\(.\)/\1/' result
}
for order in calls kernels; do
	for way in '' --sorted '--sorted --lead 1s'; do
		: >result
		# shellcheck disable=SC2086 # no option, or several
		many=$(cpu $order.many $way) one=$(cpu $order.one $way)
		check "takes no longer if many processes share an id: $order first $way" 0 \
			"[ ${one:-99999} -le $((many * 4 + 150)) ] || echo ${one:-too long} ms, $many ms" </dev/null
	done
done

# --- memory

cat >carried <<'E'
{"ts":1,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":1,"shape":"attached","x":5,"args":{"grid":[1,2,3]}}
{"ts":2,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":2,"shape":"attached","x":5}
{"ts":3,"dur":1,"kind":"kernel","name":"k","corr":1,"shape":"own"}
{"ts":4,"dur":1,"kind":"kernel","name":"k","corr":2}
{"ts":5,"dur":1,"kind":"kernel","name":"k","corr":3}
E
for mode in --sorted ''; do
	check "--take carries fields of the call; one that it lacks changes nothing $mode" 0 "
		corr-join $mode --take shape=args.grid,call=corr carried | grep kernel" <<'E'
{"ts":3,"dur":1,"kind":"kernel","name":"k","corr":1,"shape":[1,2,3],"api":{"name":"launch","ts":1,"dur":1,"pid":1,"tid":1},"delay":2,"queue":1,"call":1,"x":5}
{"ts":4,"dur":1,"kind":"kernel","name":"k","corr":2,"api":{"name":"launch","ts":2,"dur":1,"pid":1,"tid":1},"delay":2,"queue":1,"call":2,"shape":"attached","x":5}
{"ts":5,"dur":1,"kind":"kernel","name":"k","corr":3}
E
done
cat >external <<'E'
{"ts":1,"dur":9,"kind":"op","name":"mm","pid":1,"tid":1,"args":{"External id":7}}
{"ts":2,"dur":2,"kind":"api","name":"launch","pid":1,"tid":1,"corr":3,"args":{"External id":"7"}}
{"ts":20,"dur":9,"kind":"op","name":"add","pid":1,"tid":1,"args":{"External id":8}}
{"ts":30,"dur":1,"kind":"kernel","name":"k","corr":9,"args":{"External id":7}}
{"ts":31,"dur":1,"kind":"kernel","name":"k","corr":3,"args":{"External id":8}}
{"ts":32,"dur":1,"kind":"kernel","name":"k","corr":3,"args":{"External id":"x"}}
E
for mode in --sorted ''; do
	check "--on joins by another field; operators are calls, and the innermost one is used $mode" 0 "
		corr-join $mode --on 'args.\"External id\"' external | ndjson2table -o csv -f ts,api.name,delay | tail -n 3" <<'E'
30,launch,28
31,add,11
32,,
E
done
check '--on: a field that no record has; several values' 2 '
	corr-join --on args.x external | wc -l; corr-join --on "args[]" external' <<'E'
6
--- stderr
corr-join: no record has the field 'args.x'; did you mean 'args'?
corr-join: --on: 'args[]': expected a field with one value, without []
E
check '--take: wrong names; a field that no call has' 2 '
	corr-join --take x=args.x carried | wc -l; corr-join --take delay=ts carried' <<'E'
5
--- stderr
corr-join: no record has the field 'args.x'; did you mean 'args'?
corr-join: --take: 'delay' is already the name of a member; choose another name
E
only_slow_follow # input of up to 200,000 records
if sanitized; then
	skip 'memory is not measured under a sanitizer'
	finish
fi
cat >stream.py <<'E'
import sys
n, waits = int(sys.argv[1]), sys.argv[2] == "waits"
write = sys.stdout.write
for i in range(1, n + 1):
    if not waits:
        write(f'{{"ts":{i * 50000},"dur":9,"kind":"api","name":"cudaLaunchKernel","pid":77,"tid":{i % 5},"corr":{i}}}\n')
    write(f'{{"ts":{i * 50000 + 60},"dur":90,"kind":"kernel","name":"gemm","dev":0,"corr":{i}}}\n')
E
mkfifo fifo
peak() { # peak RECORDS KIND OPTION...: KiB
	python3 stream.py "$1" "$2" >fifo &
	shift 2
	"$BUILD/bench/measure" result corr-join --quiet "$@" <fifo >/dev/null || { echo 999999; return; }
	wait
	sed 's/.*"rss": \([0-9]*\).*/\1/' result
}
once=$(peak 60000 waits --sorted --lead 1s --horizon 2s --memory 1MB)
most=$(peak 120000 waits --sorted --lead 1s --horizon 2s --memory 1MB)
check '--lead: memory does not grow with the length of the input' 0 \
	"[ $((most - once)) -le 2048 ] || echo $once $most" </dev/null
least=$(peak 1000 calls)
most=$(peak 52300 calls) # memory for 44,000 more calls has just been taken
check 'unsorted: memory is at most 64 bytes for each call, and 2 MiB' 0 \
	"[ $((most - least)) -le $((51300 * 64 / 1024 + 2048)) ] || echo $least $most" </dev/null
once=$(peak 60000 calls --sorted --horizon 2s)
most=$(peak 120000 calls --sorted --horizon 2s)
check '--sorted: memory is constant' 0 \
	"[ $((most - once)) -le 512 ] && [ $most -le 32768 ] || echo $once $most" </dev/null
once=$(peak 100000 waits --memory 1MB)
most=$(peak 200000 waits --memory 1MB)
check 'memory besides --memory is at most 100 bytes for each waiting record' 0 \
	"[ $(((most - once) * 1024 / 100000)) -le 100 ] || echo $once $most" </dev/null
# W42: the calls and ranges were left out before the joins.
check 'a join without calls says so, and the next program suggests no other field' 0 '
	trace2ndjson -k kernel "$DATA/train.pt.trace.json" | ts-sort >kernels; nvtx-attach kernels | corr-join --sorted |
	groupby -g range -a count; corr-join kernels | groupby -g api.name,delay -a count; nvtx-attach -e ^none kernels | wc -l
	echo "{\"ts\":1,\"dur\":1,\"kind\":\"kernel\",\"corr\":1}" | corr-join --quiet | wc -l; corr-join </dev/null' <<'END'
{"kind":"groupby/event","count":10}
{"kind":"groupby/event","count":10}
10
1
--- stderr
nvtx-attach: no ranges in the input; were they filtered out before? See -r
corr-join: no calls (kind api) with a corr in the input; were they filtered out before the join?
groupby: no record has the field 'range'
corr-join: no calls (kind api) with a corr in the input; were they filtered out before the join?
groupby: no record has the field 'api.name'
groupby: no record has the field 'delay'
nvtx-attach: no ranges with these names in the input; were they filtered out before? See -r
END

# --- the pipeline of the page for arrows

sed -n '/^trace2ndjson.*number=1/,/^\.Ed/p' "$ROOT/filters/corr-join/corr-join.1" | sed '$d' >arrows.sh
cat >run.json <<'E'
[{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":1,"ts":10,"dur":9},
{"ph":"X","cat":"cuda_driver","name":"cuLaunchKernel","pid":7,"tid":1,"ts":11,"dur":5},
{"ph":"s","cat":"ac2g","name":"ac2g","id":1,"pid":7,"tid":1,"ts":12},
{"ph":"X","cat":"cuda_runtime","name":"cudaMemsetAsync","pid":7,"tid":2,"ts":10,"dur":9},
{"ph":"s","cat":"ac2g","name":"ac2g","id":2,"pid":7,"tid":2,"ts":12},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":"stream 5","ts":30,"dur":4},
{"ph":"f","cat":"ac2g","name":"ac2g","id":1,"pid":0,"tid":"stream 5","ts":30},
{"ph":"X","cat":"gpu_memset","name":"Memset","pid":0,"tid":6,"ts":30,"dur":4},
{"ph":"f","cat":"ac2g","name":"ac2g","id":2,"pid":0,"tid":6,"ts":30},
{"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":1,"pid":0,"tid":6,"ts":31},
{"ph":"X","cat":"kernel","name":"no arrow","pid":0,"tid":6,"ts":31,"dur":4}]
E
gzip -c run.json >arrows.json.gz
check '--on: arrows lead to the innermost call' 0 '
	. ./arrows.sh | filter-calls -k kernel,memset | ndjson2table -o csv -f name,api.name,delay' <<'E'
name,api.name,delay
gemm,cuLaunchKernel,19000
Memset,cudaMemsetAsync,20000
no arrow,,
E
if need_shared data/kineto/ns_resolution.json.gz; then
	slow check '--on: arrows lead to the calls with the correlation ids' 0 "
		cp $SHARED/data/kineto/ns_resolution.json.gz arrows.json.gz
		. ./arrows.sh | filter-calls -k kernel,memcpy,memset | ndjson2table -o csv -f ts,stream,api.ts,api.name >got
		corr-join --sorted --lead 250ms numbered.ndjson | filter-calls -k kernel,memcpy,memset |
		ndjson2table -o csv -f ts,stream,api.ts,api.name >want; cmp got want; wc -l <got" <<'E'
6096
E
fi
finish
