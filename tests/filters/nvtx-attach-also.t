#!/bin/sh
# nvtx-attach-also.t: tests that nvtx-attach --also writes the same bytes as a chain of nvtx-attach.
. "${0%/*}/../lib.sh"
have python3 || finish

# chain FILE KINDS BOTH FIRST: writes the output of nvtx-attach BOTH FIRST, followed by nvtx-attach BOTH -r KIND --as
# KIND for each of KINDS. The options FIRST apply only to the first members.
cat >chain <<'E'
file=$1 kinds=$2 both=$3 first=$4
eval "nvtx-attach $both $first" <"$file" >chain.out || exit
for kind in $kinds; do
	eval "nvtx-attach --quiet $both -r $kind --as $kind" <chain.out >chain.next || exit
	mv chain.next chain.out
done
cat chain.out
E
# same NAME FILE KINDS BOTH FIRST: compares the output of one process with that of the chain.
same() {
	also=$(printf ' --also %s' $3)
	check "$1:$also $4 $5" 0 "sh ./chain '$2' '$3' '$4' '$5' >want 2>said
		eval 'nvtx-attach $4 $5 $also' <'$2' >got 2>said; cmp want got; ! cmp -s want '$2'" </dev/null
}

# --- examples

cat >step <<'E'
{"ts":100,"dur":900,"kind":"range","name":"step 1","pid":7,"tid":7}
{"ts":150,"dur":300,"kind":"op","name":"aten::linear","pid":7,"tid":7}
{"ts":200,"dur":100,"kind":"op","name":"aten::addmm","pid":7,"tid":7,"op":"old","args":{"a":1}}
{"ts":250,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5}
{"ts":260,"dur":40,"kind":"api","name":"cudaFree","pid":7,"tid":8,"corr":6}
{"ts":270,"dur":10,"kind":"kernel","name":"gemm","dev":0,"api":{"name":"cudaLaunchKernel","ts":250,"dur":40,"pid":7,"tid":7}}
{"ts":2000,"dur":1,"kind":"op","name":"after","pid":7,"tid":7}
E
check 'each kind has its default scope; the innermost range and all ranges of each kind' 0 \
	'nvtx-attach --also op step' <<'E'
{"ts":100,"dur":900,"kind":"range","name":"step 1","pid":7,"tid":7}
{"ts":150,"dur":300,"kind":"op","name":"aten::linear","pid":7,"tid":7,"range":"step 1","ranges":["step 1"]}
{"ts":200,"dur":100,"kind":"op","name":"aten::addmm","pid":7,"tid":7,"op":"aten::linear","range":"step 1","ranges":["step 1"],"ops":["aten::linear"],"args":{"a":1}}
{"ts":250,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5,"range":"step 1","ranges":["step 1"],"op":"aten::addmm","ops":["aten::linear","aten::addmm"]}
{"ts":260,"dur":40,"kind":"api","name":"cudaFree","pid":7,"tid":8,"corr":6,"range":"step 1","ranges":["step 1"]}
{"ts":270,"dur":10,"kind":"kernel","name":"gemm","dev":0,"api":{"name":"cudaLaunchKernel","ts":250,"dur":40,"pid":7,"tid":7},"range":"step 1","ranges":["step 1"],"op":"aten::addmm","ops":["aten::linear","aten::addmm"]}
{"ts":2000,"dur":1,"kind":"op","name":"after","pid":7,"tid":7}
E
check '-k applies to all members; -e and --as only to the first' 0 \
	'nvtx-attach -k api -e nothing --as step --also op --also range step | grep -v cudaFree | grep -n "s\":\["' <<'E'
4:{"ts":250,"dur":40,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5,"op":"aten::addmm","ops":["aten::linear","aten::addmm"],"range":"step 1","ranges":["step 1"]}
E
check '-r and --also of the same kind' 0 \
	'nvtx-attach -r op -e linear --as linear --also op step |
		grep -c "linears\":\[\"aten::linear\"\],\"op\":\"aten::addmm\""' <<'E'
2
E

cat >endless <<'E'
{"ts":1,"kind":"range","name":"r","tid":1}
{"ts":2,"kind":"op","name":"o","tid":1}
{"ts":2,"dur":9,"kind":"op","name":"p","tid":1}
{"ts":3,"kind":"mark","name":"m","tid":1}
{"ts":4,"dur":1,"kind":"kernel","name":"k"}
{"ts":90000,"dur":1,"kind":"kernel","name":"k","api":{"name":"c","ts":2,"dur":1,"tid":1}}
E
check 'messages and the counts of --report name the member' 0 \
	'nvtx-attach --report --point end --horizon 3 --also op endless >got' <<'E'
--- stderr
nvtx-attach: member range: ranges: 0; ranges without an end: 1; marks: 1
nvtx-attach: member range: records inside ranges: 0; outside: 5; device records without a call: 1
nvtx-attach: member op: ranges: 1; ranges without an end: 1; marks: 1
nvtx-attach: member op: records inside ranges: 3; outside: 2; device records without a call: 1
nvtx-attach: endless:1: member range: range without an end; it encloses no record
nvtx-attach: endless:2: member op: range without an end; it encloses no record
E
python3 - >far <<'E'
# A long operator with many short ones, then a kernel that was launched in the first of these.
print('{"ts":0,"dur":1000000,"kind":"op","name":"all","pid":1}')
for i in range(20000):
    print('{"ts":%d,"dur":5,"kind":"op","name":"op %d","pid":1}' % (i * 10, i))
print('{"ts":200000,"dur":5,"kind":"kernel","name":"k","api":{"name":"launch","ts":2,"dur":1,"pid":1}}')
E
check 'the message about the horizon names the member' 0 'nvtx-attach --horizon 1us --also op far >got' <<'E'
--- stderr
nvtx-attach: member op: records that start more than --horizon after their call or last longer than --horizon: 1; some of their ranges may be missing
E
same 'ranges that ended long ago are removed' far op '--horizon 1us' ''

mkfifo live
check 'records are written as soon as a later record is read' 0 \
	'nvtx-attach --also op live >got & exec 9>live; cat step >&9
	i=0; while [ "$(wc -l <got)" -lt 6 ] && [ $((i += 1)) -le 100 ]; do sleep 0.1; done; grep -c "\"dur\"" got;
	exec 9>&-; wait' <<'E'
6
E

# --- random records

for seed in 1 2 3 4; do
	random_ranges.py $seed 1000 >random.$seed
	for both in '' '-k api,kernel,op' '--by own' '--point start' '--point end' '--point end --horizon 30' \
		'--by own --point end' '--horizon 0'; do
		same "random records $seed" random.$seed op "$both" ''
	done
	same "random records $seed" random.$seed 'op python' '--by own' '--scope any'
	same "random records $seed" random.$seed 'op range python' '' '-r api,kernel --as call'
	same "random records $seed" random.$seed 'range mark gpu_range kernel' '' '-r op,api --as word --scope process'
	same "random records $seed" random.$seed 'op python' '' '-e step --capture "word=([0-9]+)" --scope thread'
done

# --- traces

traces=$(find "$TESTS/data" "$TESTS/data/chrome" -maxdepth 1 -name '*.json*' -o -maxdepth 1 -name '*.ndjson')
{ echo "$traces" && traces_in kineto nsys; } | while IFS= read -r path; do
	name=${path##*/}
	{ trace2ndjson "$path" | ts-sort | corr-join --sorted >ordered; } 2>said
	grep -q '"kind":"op"\|"kind":"range"' ordered || continue
	check "$name" 0 'sh ./chain ordered "op range" "" "-r range,api --as host" >want 2>said
		nvtx-attach -r range,api --as host --also op --also range ordered 2>said | cmp want -
		sh ./chain ordered op "-k api,kernel,memcpy" "--scope thread" >want 2>said
		nvtx-attach -k api,kernel,memcpy --scope thread --also op ordered 2>said | cmp want -' </dev/null
done
need_shared data/kineto data/nsys

# --- usage

check 'rejects kinds whose members exist already, and unknown kinds' 2 \
	'for o in "--also=op --also=op" --also=range "-r op --as op --also op" "--as ops --also op" \
	"--capture op=(x) --also op" "--capture=ops=(x) --also=op" --also=clock --also=api --as=api --also=ops --also=; do
		nvtx-attach $o step 2>said; status=$?; sed "s/\(expected kernel\).*/\1/" said; done; exit $status' <<'E'
nvtx-attach: --also: 'op' is already the name of a member
nvtx-attach: --also: 'range' is already the name of a member; choose another name with --as
nvtx-attach: --also: 'op' is already the name of a member; choose another name with --as
nvtx-attach: --also: 'ops' is already the name of a member; choose another name with --as
nvtx-attach: --also: 'op' is already the name of a member; choose another name
nvtx-attach: --also: 'ops' is already the name of a member; choose another name
nvtx-attach: --also: 'clock' cannot be the name of the added member; use another pass: nvtx-attach -r clock --as NAME
nvtx-attach: --also: 'api' cannot be the name of the added member; use another pass: nvtx-attach -r api --as NAME
nvtx-attach: --as: 'api' is the member with the call of a device record; choose another name
nvtx-attach: --also: 'ops': expected kernel
nvtx-attach: --also: '': expected kernel
E

# Ranges that end when they start.
cat >instants <<'E'
{"ts":5,"dur":0,"kind":"range","name":"zero"}
{"ts":5,"dur":-3,"kind":"range","name":"negative"}
{"ts":5,"kind":"mark","name":"moment"}
{"ts":5,"dur":-9,"kind":"op","name":"negative"}
{"ts":5,"dur":1,"kind":"op","name":"longer"}
{"ts":6,"kind":"mark","name":"later"}
E
check 'a range with dur 0 or a negative dur encloses records of its ts that are not longer' 0 \
	'nvtx-attach instants' <<'E'
{"ts":5,"dur":0,"kind":"range","name":"zero","range":"negative","ranges":["negative"]}
{"ts":5,"dur":-3,"kind":"range","name":"negative","range":"zero","ranges":["zero"]}
{"ts":5,"kind":"mark","name":"moment","range":"negative","ranges":["zero","negative"]}
{"ts":5,"dur":-9,"kind":"op","name":"negative","range":"negative","ranges":["zero","negative"]}
{"ts":5,"dur":1,"kind":"op","name":"longer"}
{"ts":6,"kind":"mark","name":"later"}
E

finish
