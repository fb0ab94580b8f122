#!/bin/sh
# rank-scores.t: rank-scores, frontier and alltoall-heat: known answers, options, and input that is wrong.
. "${0%/*}/../lib.sh"
have python3 || finish

# --- rank-scores

# kernels RANK NAME COUNT DUR: adds the records of a kernel to the trace of a rank.
mkdir job
kernels() {
	awk -v rank="$1" -v name="$2" -v count="$3" -v dur="$4" 'BEGIN {
		for (i = 0; i < count; i++)
			printf "{\"ts\":%d,\"dur\":%d,\"kind\":\"kernel\",\"name\":\"%s\",\"rank\":%d,\"dev\":0,\"stream\":7}\n",
				i * 1000, dur, name, rank }' >>"job/rank$1.ndjson"
}
# The unit case of the definition: A 100 200 100, B 50 50 40, C not on rank 2. Communication is not compared.
kernels 0 A 10 100 && kernels 1 A 10 200 && kernels 2 A 10 100
kernels 0 B 10 50 && kernels 1 B 10 50 && kernels 2 B 10 40
kernels 0 C 10 7 && kernels 1 C 10 7
kernels 0 ncclDevKernel_X 1 9000 && kernels 1 ncclDevKernel_X 1 100 && kernels 2 ncclDevKernel_X 1 9000
kernels 0 own_reduce 1 9000 && kernels 1 own_reduce 1 9000 && kernels 2 own_reduce 1 1
sed 's/"ncclDevKernel_X"/"Y"/; s/}$/,"args":{"Collective name":"allreduce","rank_scores_own":1}}/' job/rank1.ndjson |
	grep '"Y"' >>job/rank1.ndjson
check 'the scores of the definition: 0.933333 0.56 1' 0 'rank-scores -e ^own_ -o csv job; rank-scores -e own_ job' <<'E'
rank,score,kernels,count,dur_sum
1,0.56,2,20,2500
0,0.9333333333333333,2,20,1500
2,1,2,20,1400
rank  score  kernels  count  dur_sum (ns)
   1  0.560        2     20          2500
   0  0.933        2     20          1500
   2  1.000        2     20          1400

Rank 1 is a straggler: its kernels run at 56.0 % of the speed of the fastest rank.
E
check '--below, -t' 0 'rank-scores -e own_ --below 0.5 -t 1 job; rank-scores -e own_ --below 0.94 job | tail -n 2
	rank-scores -e own_ -t 1 -o ndjson job' <<'E'
rank  score  kernels  count  dur_sum (ns)
   1   0.56        2     20          2500

No rank has a score below 0.5.
Rank 1 is a straggler: its kernels run at 56.0 % of the speed of the fastest rank.
Rank 0 is a straggler: its kernels run at 93.3 % of the speed of the fastest rank.
{"kind":"rank-scores","rank":1,"score":0.56,"kernels":2,"count":20,"dur_sum":2500}
E
check 'without -e, a reduction of the program counts as a kernel' 0 'rank-scores -o csv job | cut -d , -f 1,3' <<'E'
rank,kernels
1,3
0,3
2,3
E
check 'a stream of all ranks, and ranks from the names of files' 0 'rank-scores -o csv job >want
	cat job/* | rank-scores -o csv | cmp - want; mkdir none
	for i in 0 1 2; do sed "s/\"rank\":.,//" job/rank$i.ndjson >none/w$i; done
	rank-scores --capture "rank=w([0-9]+)" -o csv none | cmp - want' </dev/null
check 'kernels without time' 0 'sed "s/\"dur\":[0-9]*/\"dur\":0/" job/* | rank-scores -o csv' <<'E'
rank,score,kernels,count,dur_sum
0,,3,21,0
1,,3,21,0
2,,3,21,0
E
check 'nothing to compare' 1 'head -n 1 job/rank0.ndjson >one; tail -n 1 job/rank2.ndjson >two; rank-scores one two
	grep nccl job/rank0.ndjson | rank-scores; sed "s/\"rank\":.,//" job/rank0.ndjson | rank-scores' <<'E'
--- stderr
rank-scores: no kernels that all ranks ran
rank-scores: all kernels are of one rank; scores compare the ranks of a job
rank-scores: no kernels with a rank
E
check 'values of options that are wrong' 2 'rank-scores --below x job; rank-scores --below -1 job; rank-scores -e "" job
	rank-scores -t 0 job; rank-scores -e "(" job' <<'E'
--- stderr
rank-scores: --below: 'x': expected a number >= 0, such as 0.75; try rank-scores -h
rank-scores: --below: '-1': expected a number >= 0, such as 0.75; try rank-scores -h
rank-scores: -e: '': expected a regular expression; try rank-scores -h
rank-scores: -t: '0': expected an integer >= 1; try rank-scores -h
rank-scores: -e: '(': invalid regular expression: unmatched ( or \(
E
check 'a trace without a rank, two traces of one rank' 2 'rank-scores none; rank-scores job job/rank1.ndjson' <<'E'
--- stderr
rank-scores: none/w0: no record has a rank; set the rank with --capture rank=REGEX
rank-scores: job/rank1.ndjson: rank 1 is also in job/rank1.ndjson; each trace must have its own rank
E
# Generated jobs: the scores of golden/ranks.
while read -r setting options; do
	need_shared "golden/ranks/$setting/ranks.csv" gen/gen_ranks.py data/kineto/nccl.json.gz || continue
	# shellcheck disable=SC2086 # several options
	python3 "$SHARED/gen/gen_ranks.py" "$setting" $options >log 2>&1 || fail "$setting" <log
	check "$setting: scores" 0 "rank-scores -o ndjson $setting/rank* | python3 -c '
import csv, json, sys
scores = {r[\"rank\"]: r[\"score\"] for r in map(json.loads, sys.stdin)}
want = {int(r[\"rank\"]): float(r[\"score\"]) for r in csv.DictReader(open(sys.argv[1]))}
assert scores.keys() == want.keys() and all(abs(scores[r] - want[r]) < 1e-6 for r in want), (scores, want)
' $SHARED/golden/ranks/$setting/ranks.csv" </dev/null
done <<'E'
data --seed 11 --tp 1 --dp 4 --steps 6 --meta id --slow 2:1.25
plain --seed 14 --tp 1 --dp 8 --steps 12 --meta none --node 2 --offset-us 400 --slow 3:1.15 --window 1:3-11 --window 6:0-8 --drop 4:9
graph --seed 15 --tp 8 --dp 1 --steps 6 --meta names --custom --node 8 --slow 7:1.2 --window 2:2-5
E

# --- frontier

# The unit case of the definition, in step 5: (10 50 100 5), (40 50 72 5), (10 75 80 7).
mkdir steps
write_steps() { # write_steps RANK STEP DURATION...
	at=$(($2 * 1000)) rank=$1 step=$2
	shift 2
	printf '{"ts":%d,"dur":500,"kind":"range","name":"Step#%d","rank":%d,"pid":1,"tid":1}\n' $at "$step" "$rank"
	for stage in data forward backward optimizer; do
		[ $# -gt 0 ] || break
		printf '{"ts":%d,"dur":%d,"kind":"range","name":"my %s","rank":%d,"pid":1,"tid":1,"args":{"number":%d,"stage":1}}\n' \
			$at "$1" $stage "$rank" "$step"
		at=$((at + $1))
		shift
	done
}
write_steps 0 5 10 50 100 5 >steps/rank0
write_steps 1 5 40 50 72 5 >steps/rank1
write_steps 2 5 10 75 80 7 >steps/rank2
stages='-e data -e forward -e backward -e opt'
check 'the frontier of the definition: 40 90 165 172, leaders 1 1 2 2' 0 "frontier $stages --each -o csv steps" <<'E'
step,stage,frontier,exposed,rank
1,data,40,40,1
1,forward,90,50,1
1,backward,165,75,2
1,opt,172,7,2
E
check 'sums by stage and leader' 0 "frontier $stages steps; frontier $stages -t 1 -u us -o csv steps" <<'E'
stage     rank  exposed (ns)  share (%)  steps
backward     2            75       43.6      1
forward      1            50       29.1      1
data         1            40       23.3      1
opt          2             7        4.1      1
stage,rank,exposed_us,share,steps
backward,2,0.075,0.436046511627907,1
E
# Rank 0 leads steps 6 and 7 by its first stage. Rank 1 did not record step 5, and rank 2 was stopped in step 7.
for rank in 0 1 2; do
	[ $rank = 1 ] || cat steps/rank$rank
	write_steps $rank 6 $((100 - rank)) 50 50 5
	if [ $rank = 2 ]; then write_steps $rank 7 9 9; else write_steps $rank 7 $((100 - rank)) 50 50 5; fi
done >later
for way in '--step args.number' '--marker ^Step#'; do
	check "steps that lack a stage are left out, $way" 1 "frontier $stages $way -o csv later" <<'E'
stage,rank,exposed,share,steps
data,0,100,0.4878048780487805,1
forward,0,50,0.24390243902439024,1
backward,0,50,0.24390243902439024,1
opt,0,5,0.024390243902439025,1
--- stderr
frontier: steps left out because a rank lacks a stage: 2 of 3
E
done
check 'several ranges of one stage are added up; equal ranks: the lowest one' 0 '
	{ cat steps/rank0; sed "s/\"ts\":5000,\"dur\":10,/\"ts\":5900,\"dur\":30,/" steps/rank0 | grep data; } >rank0
	sed "s/\"rank\":0/\"rank\":3/" rank0 >rank3
	frontier --step args.number -e data --each -o csv rank3 rank0 steps/rank1' <<'E'
step,stage,frontier,exposed,rank
5,data,40,40,0
E
check 'no ranges, no complete step' 1 'frontier -e nosuch steps; frontier -e data -e nosuch steps' <<'E'
--- stderr
frontier: no ranges with a rank whose name matches an expression of -e
frontier: no step has all stages on all ranks
E
check 'wrong usage' 2 'frontier steps; frontier -e "" steps; frontier -e a --step b --marker c steps
	frontier -e "(" steps; frontier -e data -u m steps; frontier -e data --marker "(" steps' <<'E'
--- stderr
frontier: -e is missing: give the name of each stage; try frontier -h
frontier: -e: '': expected a regular expression; try frontier -h
frontier: --step and --marker cannot be used together; try frontier -h
frontier: -e: '(': invalid regular expression: unmatched ( or \(
frontier: -u: 'm': expected ns, us, ms, s, B, kB, MB, GB, KiB, MiB or GiB; did you mean 'ms'?
frontier: -e: '(': invalid regular expression: unmatched ( or \(
E

# --- alltoall-heat

check 'bytes from rank to rank' 0 'alltoall-heat -o csv $DATA/experts.ndjson
	alltoall-heat --pairs -t 2 $DATA/experts.ndjson; alltoall-heat -t 1 -u KiB -o ndjson $DATA/experts.ndjson' <<'E'
from,0,1,2,3
0,10240,2560,51200,38400
1,5120,7680,46080,43520
2,7680,5120,53760,35840
3,2560,10240,48640,40960
from  to  bytes (kB)  share (%)  count
   2   2       53.76       13.1      2
   0   2       51.20       12.5      2
{"kind":"alltoall-heat","from":0,"0_KiB":10,"1_KiB":2.5,"2_KiB":50,"3_KiB":37.5}
E
check 'rows of a matrix as split sizes give the same bytes' 0 'alltoall-heat $DATA/experts.ndjson >want
	sed "s/\"In msg nelems\":\([0-9]*\)/\"In msg nelems\":\1000/; s/BFloat16/Float/" $DATA/experts.ndjson |
		alltoall-heat -o csv | sed 1d | tr , "\n" | awk "NR % 5 != 1 { s += \$1 } END { print s }"
	alltoall-heat -o csv $DATA/experts.ndjson | sed 1d | tr , "\n" | awk "NR % 5 != 1 { s += \$1 } END { print s }"' <<'E'
819200000
409600
E
check 'equal parts; groups of different ranks' 0 '
	sed "s/\"In split size\":\"[^\"]*\"/\"In split size\":\"[]\"/; s/\"\[0, 1, 2, 3\]\"/\"[3, 0]\"/
		s/\"rank\":1/\"rank\":7/" \
		$DATA/experts.ndjson | alltoall-heat -o csv' <<'E'
from,0,3
0,51200,51200
2,51200,51200
3,51200,51200
7,51200,51200
E
# Kernels of DeepEP, which have no split sizes.
deep_ep() {
	for rank in 0 1 2 3; do
		printf '{"ts":%s,"dur":500,"kind":"kernel","name":"void deep_ep::internode::%s<8>(int4*)",' $(($2 + rank)) "$1"
		printf '"rank":%s,"dev":%s,"stream":20}\n' $rank $rank
	done
}
deep_ep dispatch 9000000 >deep_ep
deep_ep combine 9001000 >>deep_ep
check 'all-to-all kernels without split sizes' 1 '
	cat $DATA/experts.ndjson deep_ep | alltoall-heat -o csv | head -n 2; alltoall-heat deep_ep' <<'E'
from,0,1,2,3
0,10240,2560,51200,38400
--- stderr
alltoall-heat: all-to-all kernels without split sizes, because they are not collectives of PyTorch: 8 of 16
alltoall-heat: all-to-all kernels left out because their ranks, sizes or type of elements are unknown: 8 of 16
alltoall-heat: all-to-all kernels without split sizes, because they are not collectives of PyTorch: 8 of 8
alltoall-heat: no all-to-all communication has complete lists of ranks and sizes
E
check 'collectives has rows for the exchange of experts, without sizes' 0 '
	collectives --clocks raw -o csv deep_ep |
	cut -d , -f 1,3,4,7-11,13' <<'E'
name,bytes,size,count,time,exposed,latency_p50,latency_max,busbw_p50
ep_combine,,4,1,503,500,500,500,
ep_dispatch,,4,1,503,500,500,500,
--- stderr
collectives: no member kernel has a process group: all 4 ranks count as one group; see --block
collectives: member kernels without metadata: 8; their sizes and bandwidths are unknown
E
check 'lists that are cut, unknown types' 1 'sed "1s/\"In split size\":\"[^\"]*\"/\"In split size\":\"[8, 8, ...]\"/
	2s/BFloat16/UNKNOWN_SCALAR/; 3s/\[0, 1, 2, 3\]/[0, 1, ..., 3]/
	4s/\"In split size\":\"[^\"]*\"/\"In split size\":\"[8]\"/" \
	$DATA/experts.ndjson >cut; alltoall-heat -o csv cut' <<'E'
from,0,1,2,3
0,5120,1280,25600,19200
1,2560,3840,23040,21760
2,3840,2560,26880,17920
3,1280,5120,24320,20480
--- stderr
alltoall-heat: all-to-all kernels left out because their ranks, sizes or type of elements are unknown: 4 of 8
E
check 'no all-to-all communications' 1 'alltoall-heat $DATA/ranks.ndjson; head -n 1 cut | alltoall-heat' <<'E'
--- stderr
alltoall-heat: no all-to-all communications with a rank
alltoall-heat: no all-to-all communication has complete lists of ranks and sizes
E
if need_shared gen/gen_ranks.py data/kineto/nccl.json.gz; then
	python3 "$SHARED/gen/gen_ranks.py" experts --seed 5 --tp 1 --dp 4 --steps 2 --layers 2 --meta names --a2av
	check 'a generated job: the sums of its split sizes' 0 'alltoall-heat --pairs -o ndjson experts/rank* | python3 -c "
import collections, glob, gzip, json, sys
want = collections.Counter()
for path in glob.glob(\"experts/rank*.json.gz\"):
    trace = json.load(gzip.open(path))
    for e in trace[\"traceEvents\"]:
        a = e.get(\"args\", {})
        if e.get(\"cat\") == \"kernel\" and a.get(\"Collective name\") == \"all_to_allv\":
            for rank, n in zip(json.loads(a[\"Process Group Ranks\"]), json.loads(a[\"In split size\"])):
                want[trace[\"distributedInfo\"][\"rank\"], rank] += n * dict(Float=4, BFloat16=2)[a[\"dtype\"]]
got = {(r[\"from\"], r[\"to\"]): r[\"bytes\"] for r in map(json.loads, sys.stdin)}
print(len(got), got == want)
"' <<'E'
16 True
E
fi

finish
