#!/bin/sh
# group-diff.t: the parts of differences, and the noise test by steps and by repeated runs.
. "${0%/*}/../lib.sh"

cat >a <<'END'
{"name":"both","count":6,"dur_sum":3720}
{"name":"gone","count":1,"dur_sum":90}
{"name":"same","count":2,"dur_sum":20}
{"name":"zero","count":2,"dur_sum":0}
{"name":"half","count":2,"dur_sum":3}
END
cat >b <<'END'
{"name":"both","count":70,"dur_sum":25000}
{"name":"both","count":2,"dur_sum":342}
{"dur":7,"name":"new"}
{"dur":5,"name":"new"}
{"name":"same","count":2,"dur_sum":20}
{"name":"zero","count":1,"dur_sum":0}
{"name":"half","count":1,"dur_sum":3}
END
check 'divides differences: groups and single records' 0 'group-diff -g name -o csv a b' <<'END'
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
both,6,72,3720,25342,21622,40920,-19298,0,0,620,352,"66 calls more, 43 % faster a call"
gone,1,0,90,0,-90,0,0,0,-90,90,,gone
new,0,2,0,12,12,0,0,12,0,,6,new
half,2,1,3,3,0,-2,2,0,0,2,3,"1 call fewer, 100 % slower a call"
same,2,2,20,20,0,0,0,0,0,10,10,the same
zero,2,1,0,0,0,0,0,0,0,0,0,1 call fewer
END
check 'a table for reading ends with all items' 0 'group-diff -g name -o table -u ns -t 1 a - <b' <<'END'
name   count_a  count_b  total_a (ns)  total_b (ns)  diff (ns)  mean_a (ns)  mean_b (ns)  change
both         6       72          3720         25342      21622          620          352  66 calls more, 43 % faster a call
(all)       13       78          3833         25377      21544          295          325  65 calls more, 10 % slower a call
END
check '--total is the sum of the rows' 0 'group-diff -g name --total -o csv a <b' <<'END'
count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
13,78,3833,25377,21544,40918,-19296,12,-90,295,325,"65 calls more, 10 % slower a call"
END
check 'other fields: sizes, numbers with a fraction; without keys' 0 '
	echo "{\"bytes\":8,\"x\":1.5}" >1; echo "{\"bytes\":4,\"x\":2}" >2
	group-diff -f bytes 1 2 | ndjson2table -u kB -f total_a,by_time,change -o csv; group-diff -f x -o csv 1 2' <<'END'
total_a_kB,by_time_kB,change
0.008,-0.004,50 % less a call
count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
1,1,1.5,2,0.5,0,0.5,0,0,1.5,2,33 % more a call
END
check 'a sum without a count is lost' 1 'echo "{\"dur_sum\":3}" | group-diff -o csv a' <<'END'
count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
13,0,3833,0,-3833,0,0,0,-3833,295,,gone
--- stderr
group-diff: stdin:1: a sum without the count of its records; skipped (needs groupby -a count,sum)
group-diff: B: field 'dur' has no numeric values
END
check 'no values in both runs' 0 'group-diff -f x a b' <<'END'
--- stderr
group-diff: field 'x' has no numeric values
group-diff: no record has the field 'x'
END
check_re 'rejects wrong usage' 2 'group-diff </dev/null; group-diff - - </dev/null; group-diff --repeat-a - a </dev/null
	group-diff -g "" a b' <<'END'
--- stderr
group-diff: no A to compare with; usage: group-diff .*
group-diff: only one of the files can be standard input
group-diff: only one of the files can be standard input
group-diff: -g: '': invalid field: the name is empty
END
check 'a missing file: no rows' 2 'group-diff nosuch a' <<'END'
--- stderr
group-diff: nosuch: cannot open: No such file or directory
END

check 'several files are one run' 0 'head -n 3 b >b1; tail -n +4 b >b2; group-diff -g name a b1 b2 >got
	group-diff -g name a b | cmp - got' </dev/null

# --- noise

# steps NAME VALUE...: groups of an item, one in each step
steps() {
	steps_name=$1 n=0
	shift
	for value; do
		echo "{\"name\":\"$steps_name\",\"step\":$((n += 1)),\"count\":1,\"dur_sum\":$value}"
	done
}
{ steps slow 100 101 102 103 104; steps same 10 12 11 14 15; } >a.steps
{ steps slow 110 111 112 113 114; steps same 21 6 9 17 13; } >b.steps
{ steps slow 107 108 109; } >b.again
{ steps slow 105 104 103; } >b.low
{ cat b.steps && echo '{"step":6}'; } >b.6
judge='ndjson2table -f name,steps_a,steps_b,median_a,median_b,p,verdict -o csv'
check 'judges by the values of steps' 0 "group-diff -g name --step step a.steps b.steps | $judge" <<'END'
name,steps_a,steps_b,median_a,median_b,p,verdict
slow,5,5,102,112,0.007936507936507936,changed
same,5,5,12,13,1,within noise
END
check 'too few steps; wall times; a step without records' 0 "
	for f in a b; do head -n 4 \$f.steps >\$f.4; done
	group-diff -g name --step step a.4 b.4 | $judge; group-diff --wall --step step -t 1 -g name a.steps b.steps | $judge
	group-diff -g name --step step --all-steps -t 1 -o csv a.steps b.6
	group-diff -g name --step step a.steps b.6 | $judge" <<'END'
name,steps_a,steps_b,median_a,median_b,p,verdict
slow,4,4,101.5,111.5,0.02857142857142857,cannot tell
name,steps_a,steps_b,median_a,median_b,p,verdict
slow,5,5,102,112,0.007936507936507936,changed in this pair
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,steps_a,steps_b,median_a,median_b,p,verdict,change
slow,1,0.8333333333333334,102,93,-9,-17,8,0,0,102,112,5,6,102,111.5,0.08225108225108226,within noise,"0.2 calls a step fewer, 9.8 % slower a call"
name,steps_a,steps_b,median_a,median_b,p,verdict
slow,5,6,102,112,0.15079365079365079,within noise
same,5,6,12,9,0.42063492063492064,within noise
--- stderr
group-diff: steps: 5 in A, 6 in B
group-diff: steps: 5 in A, 6 in B
group-diff: verdicts leave out the first step of 1 run; --all-steps uses it
END
check 'repeated runs: the gap exceeds the noise of each side' 0 "
	for again in b.again b.low; do
		group-diff -g name --step step --repeat-b \$again -t 1 a.steps b.steps | $judge
	done" <<'END'
name,steps_a,steps_b,median_a,median_b,p,verdict
slow,5,5,102,110,0.007936507936507936,changed
name,steps_a,steps_b,median_a,median_b,p,verdict
slow,5,5,102,108,0.007936507936507936,within noise
END

check 'the same run' 0 'group-diff -g name --step step a.steps a.steps | ndjson2table -f name,verdict -o csv' <<'END'
name,verdict
same,same
slow,same
--- stderr
group-diff: the same run: all records are equal
END
check '--each-step: the sums of the items of each step' 0 '
	group-diff -g name --step step --each-step -o csv a.steps b.steps |
	cut -d , -f 1-10 | head -n 3' <<'END'
step,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone
1,2,2,110,131,21,0,21,0,0
2,2,2,113,117,4,0,4,0,0
END
check '--prefer: only the device records of both runs, or all records' 0 '
	echo "{\"dur\":5,\"kind\":\"api\",\"name\":\"x\"}" >host
	{ cat host; echo "{\"dur\":7,\"kind\":\"kernel\",\"name\":\"x\"}"; } >device
	for b in host device; do group-diff -g name --prefer kernel -o csv host $b | cut -d , -f 1-5; done' <<'END'
name,count_a,count_b,total_a,total_b
x,1,1,5,5
name,count_a,count_b,total_a,total_b
x,0,1,0,7
--- stderr
group-diff: the same run: all records are equal
group-diff: A: field 'dur' has no numeric values
group-diff: only B has device work
END
cat >where.py <<'E'
import json, sys
name, calls, dev, rank, api = sys.argv[1], *(int(a) for a in sys.argv[2:])
device = {"name": name, "totalGlobalMem": 8, "numSms": 4}
for r in [{"kind": "meta", "name": "deviceProperties", "args": {"value": [device, device]}},
          {"kind": "meta", "name": "cuda_driver_version", "args": {"value": calls}}]:
    print(json.dumps(r))
for n in range(6 * calls):
    r = {"ts": n, "dur": 5, "kind": "kernel", "name": "k%d" % (n % 6), "rank": rank, "dev": n % dev, "stream": 7}
    print(json.dumps({**r, **({"api": {"name": "launch", "ts": 1}} if n % 6 < api else {})}, separators=(",", ":")))
E
cat >odd <<'E'
{"kind":"meta"}
{"kind":"meta","name":5,"args":{"value":1}}
{"ts":1,"dur":2,"kind":"op","name":7,"args":{"Input Dims":[[1]]}}
{"ts":1,"dur":2,"kind":"op","args":{"Input Dims":[[1]]}}
{"ts":1,"dur":2,"kind":"kernel","name":"a"}
E
check 'records without a name, and names that are no texts' 0 'sed "s/\"dur\":2/\"dur\":3/" odd | group-diff odd - |
	grep -o "\"total.*\"diff\":[0-9]*"' <<'E'
"total_a":6,"total_b":9,"diff":3
E
check 'notes what differs besides the times; --launched; --comparable: 3' 3 '
	python3 where.py A100 10 1 0 6 >w1; python3 where.py H100 20 1 1 5 >w2; python3 where.py H100 20 2 1 6 >w3
	group-diff -g name -t 1 --launched -o csv w1 w2 | cut -d , -f 1-5
	group-diff -g name --comparable --parent op -t 1 w2 w3' <<'END'
name,count_a,count_b,total_a,total_b
k0,10,20,50,100
--- stderr
group-diff: device records without their launch were left out: 0 of A, 20 of B
group-diff: device: "A100" in A, "H100" in B
group-diff: cuda_driver_version: 10 in A, 20 in B
group-diff: the ranks differ
group-diff: the windows differ: B has 2 times the calls of A; compare steps
group-diff: devices: 1 in A, 2 in B
END
check 'ranks; most names differ' 0 '
	sed "s/\"k\([0-9]\)/\"x\1/" w1 >w4
	group-diff -g name --parent op -t 1 -o csv w1 w2 | wc -l
	group-diff -g dev,name -t 1 -o csv w1 w4 | wc -l' <<'END'
2
2
--- stderr
group-diff: device: "A100" in A, "H100" in B
group-diff: cuda_driver_version: 10 in A, 20 in B
group-diff: the ranks differ
group-diff: the windows differ: B has 2 times the calls of A; compare steps
group-diff: B has only 0.0 % of A's time under the same keys; operators (-g op) are comparable more often
END

# Calls of operators whose inputs have N rows. The operator `same` has no other inputs; each run has one operator alone.
cat >inputs.py <<'E'
import json, sys
n = int(sys.argv[1])
sizes = [("same", 2), ("mm", n), ("mm", 2), ("add", n), ("cat", n), ("relu", n), ("more", 1)] + [("more", n)] * (n > 3)
for name, rows in sizes + [("alone%d" % n, n)]:
    r = {"ts": 1, "dur": 5, "kind": "op", "name": name, "args": {"Input Dims": [[rows, 4], []], "x": n}}
    print(json.dumps(r, separators=(",", ":")))
print(json.dumps({"ts": 1, "dur": n, "kind": "kernel", "name": "k", "rank": 0, "dev": 0}, separators=(",", ":")))
E
check 'operators with inputs of different sizes' 0 '
	for n in 3 4; do python3 inputs.py $n >in.$n; done
	group-diff --parent op --prefer kernel -o csv in.3 in.4 | cut -d , -f 1-4
	grep -v -e mm -e add -e cat -e relu in.4 | group-diff --parent op --prefer kernel -o csv in.3 | wc -l' <<'END'
count_a,count_b,total_a,total_b
1,1,3,4
2
--- stderr
group-diff: Input Dims of mm: [[3,4],[]] only in A, [[4,4],[]] only in B
group-diff: Input Dims of add: [[3,4],[]] only in A, [[4,4],[]] only in B
group-diff: Input Dims of cat: [[3,4],[]] only in A, [[4,4],[]] only in B
group-diff: Input Dims of other operators differ: 2
group-diff: Input Dims of more: [[4,4],[]] only in B
END
check 'a run with too many sizes' 0 '
	size=123456789,123456789,123456789,123456789,123456789
	seq 70000 | sed "s/.*/{\"dur\":1,\"kind\":\"op\",\"name\":\"mm\",\"args\":{\"Input Dims\":[[&,$size]]}}/" |
		group-diff --parent op -o csv in.3 | wc -l' <<'END'
2
--- stderr
group-diff: only A has device work
group-diff: too many different Input Dims: they were not compared
END
cat >placed.py <<'E'
import json
for n in range(64):
    r = {"ts": n, "dur": 5, "kind": ("kernel", "memcpy")[n % 2], "name": "k%d" % (n % 3), "rank": n // 32}
    print(json.dumps({**r, "dev": n // 4 % 8 + n // 32 * 3, "stream": n % 5}, separators=(",", ":")))
E
check 'devices and ranks, without steps' 0 '
	python3 placed.py >many; head -n 1 many | group-diff -t 1 -o csv many | wc -l' <<'END'
2
--- stderr
group-diff: devices: 11 in A, 1 in B
group-diff: ranks: 2 in A, 1 in B
END

# Of op1, the new kernel has a similar name; of op2, another; the operators old.next and new.old.next are similar
# themselves. In op4, the number of calls differs; in op3, two kernels are new.
cat >names.py <<'E'
import json, sys
rows = {"a": [("op1", "gemmFast_kernel<4>", 2, 20), ("op2", "gelu", 3, 30), ("old.next", "load", 1, 9), ("op3", "x", 1, 5), ("op4", "fooBar", 1, 4)],
    "b": [("op1", "gemm_slow_kernel<8>", 2, 30), ("op2", "triton_poi", 3, 10), ("new.old.next", "load_many", 1, 8), ("op3", "y", 1, 5), ("op3", "z", 1, 5),
        ("op4", "fooBar2", 2, 4)]}
for op, name, count, total in rows[sys.argv[1]]:
    for _ in range(count):
        print(json.dumps({"dur": total // count, "kind": "kernel", "name": name, "op": op}))
E
check '--parent: renamed and replaced items' 0 'for f in a b; do python3 names.py $f >$f.named; done
	group-diff -g name --parent op -o csv a.named b.named | cut -d , -f 1,6,9,10,13-
	group-diff -g name --parent op -u ns -o md a.named b.named | cut -d "|" -f 2,6,7,10 | grep -e ed -e all' <<'END'
name,diff,new,gone,pairing,paired_with,change
gelu,-30,0,-30,replaced,triton_poi,gone
gemm_slow_kernel<8>,30,30,0,renamed,gemmFast_kernel<4>,new
gemmFast_kernel<4>,-20,0,-20,renamed,gemm_slow_kernel<8>,gone
load,-9,0,-9,renamed,load_many,gone
triton_poi,9,9,0,replaced,gelu,new
load_many,8,8,0,renamed,load,new
x,-5,0,-5,,,gone
y,5,5,0,,,new
z,5,5,0,,,new
fooBar,-4,0,-4,,,gone
fooBar2,4,4,0,,,new
 gelu            |            9 |       -21 | replaced by triton_poi: 70 % faster a call          
 gemmFast_kernel |           30 |        10 | renamed to gemm_slow_kernel\<8>: 50 % slower a call 
 load            |            8 |        -1 | renamed to load_many: 11 % faster a call            
 (all)           |           61 |        -7 | 2 calls more, 28 % faster a call                    
--- stderr
group-diff: B has only 0.0 % of A's time under the same keys; operators (-g op) are comparable more often
group-diff: B has only 0.0 % of A's time under the same keys; operators (-g op) are comparable more often
END

# --- recorded and generated pairs

steps_of() {
	trace2ndjson "$1" | ts-sort | nvtx-attach -r range,op -e ^ProfilerStep --as step --scope process --point start |
		corr-join --sorted --lead 250ms | filter-calls -k kernel -w step | groupby -g name,step -a count,sum -o ndjson
}

if need_shared golden/compare data/compare data/kineto/resnet50_2021.json.gz; then
	cat >compare.py <<'E'
import csv, json, sys
columns = {"calls": "count", "time": "total"}
want = {r["name"]: r for r in csv.DictReader(open(sys.argv[1]))}
rows, wrong = 0, len(want)
for r in map(json.loads, sys.stdin):
    w, rows = want[r["name"]], rows + 1
    got = {k: r.get("_".join([columns.get(k.split("_")[0], k.split("_")[0])] + k.split("_")[1:])) for k in w}
    got.update({k: 2 * r["median_" + k[-1]] for k in w if k.startswith("median2")})
    close = "p" not in w or abs(float(w["p"]) - r["p"]) <= 2e-6
    equal = {k: str(v) == w[k] or k == "p" or (k[:7] == "median2" and v == int(w[k])) for k, v in got.items()}
    wrong -= close and all(equal.values())
print(rows, wrong)
E
	steps_of "$SHARED/data/kineto/resnet50_2021.json.gz" >zero.steps
	steps_of "$SHARED/data/compare/workers4.json.gz" >four.steps
	groups='groupby -g name -a count,sum -o ndjson'
	check 'the kernels and operators of two recorded runs' 0 "
		for kind in kernel op; do
			trace2ndjson -k \$kind $SHARED/data/kineto/resnet50_2021.json.gz | $groups >zero
			trace2ndjson -k \$kind $SHARED/data/compare/workers4.json.gz | $groups | group-diff -g name zero |
				python3 compare.py $SHARED/golden/compare/workers_\${kind}s.csv
		done" <<'END'
68 0
87 0
END
	check 'p and verdicts of two recorded runs' 0 "group-diff -g name --step step --all-steps zero.steps four.steps |
		python3 compare.py $SHARED/golden/compare/workers_steps.csv" <<'END'
68 0
END
fi
if need_shared gen/gen_pair.py; then
	for seed in $(seq "$(amount 2 20)"); do
		python3 "$SHARED/gen/gen_pair.py" pair --seed "$seed" || exit 2
		[ ! -e a.pair ] || mv a.pair before.pair
		for side in a b; do steps_of pair/$side.json >$side.pair; done
		group-diff -g name --step step --all-steps a.pair b.pair | pair_verdicts.py pair/truth.json
	done >judged
	# Of 100 unchanged items whose medians differ by 1 %, one is expected to count as changed.
	check 'generated pairs: exact parts and p; no planted change is missed' 0 '
		awk "{ wrong += \$2; missed += \$3; false += \$5 } END { print wrong, missed, false <= 3 }" judged' <<'END'
0 0 1
END
	check 'two generated runs of one setting: the noise of all items' 0 '
		group-diff -g name --step step before.pair a.pair | ndjson2table -f verdict -o raw | sort | uniq -c' <<'END'
     10 within noise
--- stderr
group-diff: verdicts leave out the first step of 2 runs; --all-steps uses it
END
	python3 "$SHARED/gen/gen_pair.py" pair --seed 3 --steps 4
	for side in a b; do steps_of pair/$side.json >$side.pair; done
	check 'a generated pair with too few steps' 0 'group-diff -g name --step step --all-steps a.pair b.pair >rows
		pair_verdicts.py pair/truth.json <rows | cut -d " " -f 1,2; grep -c "cannot tell" rows' <<'END'
13 0
13
END
fi

finish
