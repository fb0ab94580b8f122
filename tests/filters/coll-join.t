#!/bin/sh
# coll-join.t: small jobs written by hand: ranks, groups, metadata, matches, clocks, and input that is wrong. Jobs with
# known answers are in formats/ranks.t.
. "${0%/*}/../lib.sh"
have python3 || finish

# kernel RANK TS DUR [ARGS [STREAM [CORR]]]: prints a kernel of NCCL; ARGS are members of args.
kernel() {
	printf '{"ts":%d,"dur":%d,"kind":"kernel","name":"ncclDevKernel_AllReduce_Sum_f32",' "$2" "$3"
	printf '"rank":%d,"dev":0,"stream":%d,' "$1" "${5:-20}"
	[ -z "${6-}" ] || printf '"corr":%d,' "$6"
	printf '"args":{%s}}\n' "${4-}"
}
# meta GROUP RANKS [SEQ [MORE]]: prints the metadata of an all-reduce.
meta() {
	printf '"Collective name":"allreduce","In msg nelems":1000,"Out msg nelems":1000,"dtype":"Float",'
	printf '"Process Group Name":"%s","Process Group Ranks":"%s"' "$1" "$2"
	[ -z "${3-}" ] || printf ',"Seq":%d' "$3"
	printf '%s' "${4-}"
}
# Prints some members of the collectives, one line each.
cat >brief <<'E'
import json, sys
for r in map(json.loads, sys.stdin):
    print(r["match"], r.get("why", ""), r.get("group", ""), r["n"], "/", r.get("size", ""), "aligned", r.get("aligned"),
          "wait", [m.get("wait") for m in r["members"]], "ranks", [m["rank"] for m in r["members"]],
          *(f"{m['rank']}:{m['why']}" for m in r.get("missing", [])))
E

# --- two ranks

kernel 0 1000 100 "$(meta g '[0, 1]' 1)" >rank0
kernel 0 2000 100 "$(meta g '[0, 1]' 2)" >>rank0
kernel 1 1040 60 "$(meta g '[0, 1]' 1)" >rank1
kernel 1 1990 110 "$(meta g '[0, 1]' 2)" >>rank1
check 'the record of a collective' 0 "cat rank0 rank1 | coll-join --clocks raw | head -n 1 |
	sed 's/,\(\"skew_start\|\"algbw\|\"match\"\|\"members\|{\"rank\":1\)/,\n\1/g'" <<'E'
{"ts":1000,"dur":100,"kind":"collective","name":"all_reduce","id":0,"bytes":4000,"group":"g","gid":0,"ranks":[0,1],
"match":"seq","seq":1,"aligned":true,"n":2,"size":2,"dtype":"Float",
"skew_start":40,"skew_end":0,"first":0,"last":1,"late":40,"latency":60,"transfer":60,"share":0.25,"class":"transfer",
"algbw":66.66666666666667,"busbw":66.66666666666667,
"members":[{"rank":0,"ts":1000,"dur":100,"wait":40,"dev":0,"stream":20},
{"rank":1,"ts":1040,"dur":60,"wait":0,"dev":0,"stream":20}]}
E
check 'one file for each rank, in any order' 0 \
	'coll-join rank0 rank1 >a && coll-join rank1 rank0 | cmp - a && cat rank1 rank0 | coll-join | cmp - a' </dev/null
check 'records of ranks that alternate' 0 "paste -d '\n' rank0 rank1 | coll-join | cmp - a" </dev/null
check 'the kernels with their collective' 0 'coll-join --clocks raw --write members rank0 rank1 |
	grep -o "\"rank\":.\|\"coll.*}\$" | grep -o "^.rank.*\|.coll[^}]*}"' <<'E'
"rank":0
"coll":{"id":0,"gid":0,"wait":40,"last":false,"n":2}
"rank":0
"coll":{"id":1,"gid":0,"wait":0,"late":10,"last":true,"n":2}
"rank":1
"coll":{"id":0,"gid":0,"wait":0,"late":40,"last":true,"n":2}
"rank":1
"coll":{"id":1,"gid":0,"wait":10,"last":false,"n":2}
E
check 'the clocks' 0 "coll-join --write clocks rank0 rank1 | sed 's/,\"lo/,\n&/'" <<'E'
{"kind":"clock","rank":0,"ref":0,"via":0,"base":0,"offset":0,"drift":0,"at":0,
,"lo":0,"hi":0,"spread":0,"count":0,"ok":true}
{"kind":"clock","rank":1,"ref":0,"via":0,"base":0,"offset":0,"drift":0,"at":1600,
,"lo":-100,"hi":60,"spread":0,"count":2,"ok":true}
E

# --- ranks

check_re 'two files of one rank' 2 'coll-join rank0 rank0' <<'E'
--- stderr
coll-join: rank0:1: another file also has records of this rank; each file must have its own rank
E
sed 's/"rank":.,//' rank0 >rankless
check_re 'a file without a rank' 2 'coll-join rankless rank1' <<'E'
--- stderr
coll-join: rankless:1: record without a rank; set the rank with trace2ndjson --set rank=N
E
echo '{"kind":"meta","name":"schemaVersion"}' >meta
check 'a file of metadata without a rank' 2 'coll-join meta rank1' <<'E'
--- stderr
coll-join: meta: no record has a rank; set the rank with trace2ndjson --set rank=N
E
for bad in -1 1.5 '"x"' 99999999999; do
	sed "s/\"rank\":./\"rank\":$bad/" rank0 >bad
	check "rank $bad" 2 'coll-join bad' <<'E'
--- stderr
coll-join: bad:1: the rank is not an integer from 0 to 2147483647
E
done
check 'records of one rank only' 1 'coll-join rank0 | python3 brief; coll-join rank0 >/dev/null' <<'E'
none one rank g 1 / 2 aligned None wait [None] ranks [0]
none one rank g 1 / 2 aligned None wait [None] ranks [0]
--- stderr
coll-join: member kernels that cannot be matched: 2, because: one rank
coll-join: member kernels that cannot be matched: 2, because: one rank
E
sed 's/\[0, 1\]/[0, 1, 2]/' rank0 >lost0
sed 's/\[0, 1\]/[0, 1, 2]/' rank1 >lost1
check 'a rank of the group has no trace' 0 'coll-join lost0 lost1 >out && python3 brief <out' <<'E'
seq  g 2 / 3 aligned True wait [40, 0] ranks [0, 1] 2:lost
seq  g 2 / 3 aligned True wait [0, 10] ranks [0, 1] 2:lost
E
echo '{"kind":"meta","name":"distributedInfo","rank":2,"args":{"rank":2,"world_size":3}}' >empty2
check 'a rank whose trace has no kernels' 1 'coll-join lost0 lost1 empty2 >out; s=$?; python3 brief <out; exit $s' <<'E'
seq  g 2 / 3 aligned True wait [40, 0] ranks [0, 1] 2:absent
seq  g 2 / 3 aligned True wait [0, 10] ranks [0, 1] 2:absent
--- stderr
coll-join: rank 2: no member kernels; see --op
E
: >nothing
check 'an empty file' 1 'coll-join rank0 nothing rank1 | cmp - a; coll-join rank0 nothing rank1 >out' <<'E'
--- stderr
coll-join: nothing: no records
coll-join: nothing: no records
E

# --- groups and keys

{ kernel 0 1000 100 "$(meta g '[0, 1]' 1)" && kernel 2 1000 100 "$(meta g '[2, 3]' 1)"; } >siblings
{ kernel 1 1000 100 "$(meta g '[0, 1]' 1)" && kernel 3 1000 100 "$(meta g '[2, 3]' 1)"; } >>siblings
check 'groups with the same name' 0 'coll-join --clocks raw siblings | python3 brief' <<'E'
seq  g 2 / 2 aligned True wait [0, 0] ranks [0, 1]
seq  g 2 / 2 aligned True wait [0, 0] ranks [2, 3]
E
check 'no collective leads to the other group: its clocks are unknown' 1 'coll-join siblings >out; s=$?
	python3 brief <out; exit $s' <<'E'
seq  g 2 / 2 aligned True wait [0, 0] ranks [0, 1]
seq  g 2 / 2 aligned False wait [0, 0] ranks [2, 3]
--- stderr
coll-join: rank 2: no chain of common collectives to the lowest rank; its clock is unknown (and 1 more)
E
for rank in 0 1; do
	kernel $rank 1000 100 "$(meta g '[0, 1]' 7)"
	kernel $rank 1200 5$rank "$(meta g '[0, 1]' 7)"
done >twice
check 'a Seq that occurs twice: the n-th with the n-th' 0 'coll-join --clocks raw twice | python3 brief' <<'E'
seq  g 2 / 2 aligned True wait [0, 0] ranks [0, 1]
seq  g 2 / 2 aligned True wait [0, 0] ranks [0, 1]
E
cat rank0 rank0 rank1 >doubles
check 'the same kernel twice' 0 'coll-join doubles | cmp - a' <<'E'
--- stderr
coll-join: member kernels that are in the input twice: 2; one of each is used
E
sed 's/"Seq"/"Group size":4,"Seq"/' rank0 >size0
check 'a Group size that is not the number of ranks' 1 'coll-join size0 rank1 >b; s=$?; cmp a b; exit $s' <<'E'
--- stderr
coll-join: size0:1: Group size is not the number of Process Group Ranks; used the ranks (and 1 more)
E
for rank in 0 1; do
	printf '{"kind":"meta","name":"distributedInfo","rank":%d,"args":{"world_size":40,' $rank
	echo '"pg_config":[{"pg_name":"g","ranks":[0,1,2]}]}}'
	kernel $rank 1000 100 "$(meta g '[0, 1, ..., 2]' 1)"
done >cut
check 'a list of ranks that is cut' 0 'coll-join cut | python3 brief' <<'E'
seq  g 2 / 3 aligned True wait [0, 0] ranks [0, 1] 2:lost
E
for rank in 0 1; do
	echo '{"kind":"meta","name":"distributedInfo","rank":'$rank',"args":{"world_size":3}}'
	kernel $rank 1000 100 "$(meta 0 '[]' 1 ',"Process Group Description":"default_pg"')"
done >world
check 'an empty list of the default group: all ranks' 0 'coll-join world | python3 brief' <<'E'
seq  0 2 / 3 aligned True wait [0, 0] ranks [0, 1] 2:lost
E
for rank in 0 1; do kernel $rank 1000 100 "$(meta g '[0, 1]' 1 ,\"Comms\ Id\":18446744073709551615)"; done >id
check 'Comms Id beyond int64' 0 'coll-join id | python3 brief
	sed "s/:18446744073709551615/:\"x\"/" id | coll-join | python3 brief' <<'E'
id  g 2 / 2 aligned True wait [0, 0] ranks [0, 1]
id  g 2 / 2 aligned True wait [0, 0] ranks [0, 1]
E

# --- kernels without metadata

{ kernel 0 5000 100 && cat rank0; } >bare0
check 'in a job with groups, they are alone' 1 'coll-join bare0 rank1 >out; s=$?; python3 brief <out; exit $s' <<'E'
seq  g 2 / 2 aligned True wait [40, 0] ranks [0, 1]
seq  g 2 / 2 aligned True wait [0, 10] ranks [0, 1]
none no metadata  1 / 1 aligned None wait [None] ranks [0]
--- stderr
coll-join: member kernels that cannot be matched: 1, because: no metadata
E
op() { # op RANK START DUR EXTERNAL: prints the operator of the all-reduce 3
	printf '{"ts":%d,"dur":%d,"kind":"op","name":"record_param_comms","rank":%d,"pid":1,"tid":2,' "$2" "$3" "$1"
	printf '"args":{"External id":%d,%s}}\n' "$4" "$(meta g '[0, 1]' 3)"
}
{ kernel 0 5000 100 '"External id":9' 20 3 && cat rank0 && op 0 100 5 9; } >external0
{
	cat rank1 && op 1 4000 100 8
	echo '{"ts":4050,"dur":5,"kind":"api","name":"cudaLaunchKernelExC","rank":1,"pid":1,"tid":2,"corr":33}'
	kernel 1 5010 90 '' 20 33
} >launch1
check 'metadata of the operator with the same External id, or around the launch' 0 '
	coll-join external0 launch1 | python3 brief' <<'E'
seq  g 2 / 2 aligned True wait [40, 0] ranks [0, 1]
seq  g 2 / 2 aligned True wait [0, 10] ranks [0, 1]
seq  g 2 / 2 aligned True wait [10, 0] ranks [0, 1]
E
for rank in 0 1 2 3; do
	for i in 1 3 4 8 9 15 16 22; do kernel $rank $((i * 1000000 + rank * 30)) $((1000 - rank * 30)); done
done >plain
check 'without groups, all ranks are one group' 0 '
	coll-join plain | python3 brief | sort | uniq -c | sed "s/^ *//"' <<'E'
8 stream   4 / 4 aligned True wait [90, 60, 30, 0] ranks [0, 1, 2, 3]
--- stderr
coll-join: no member kernel has a process group: all 4 ranks count as one group; see --block
E
check 'blocks of ranks' 0 '
	coll-join --clocks raw --block 2 plain | python3 brief | sort | uniq -c | sed "s/^ *//"' <<'E'
8 stream   2 / 2 aligned True wait [30, 0] ranks [0, 1]
8 stream   2 / 2 aligned True wait [30, 0] ranks [2, 3]
E
# world SIZE: prints the size of the job, and kernels of the ranks 0 to 5.
world() {
	echo '{"kind":"meta","name":"distributedInfo","rank":0,"args":{"world_size":'"$1"'}}'
	cat plain && sed -n 's/"rank":0/"rank":4/p; s/"rank":1/"rank":5/p' plain
}
# last_block SIZE EXPECTED_SIZE CLASS [MISSING]: checks the ranks of the second group of four in a job of this size.
last_block() {
	world "$1" >"world$1"
	check "blocks of four ranks in a job of $1 ranks, 0 if unknown: the last block" 0 "
		coll-join --clocks raw --block 4 world$1 >out
		python3 brief <out | grep 4,.5 | uniq -c | sed 's/^ *//'; grep 4,5 out | grep -o '\"class.[^,]*' | uniq" <<E
8 stream   2 / $2 aligned True wait [30, 0] ranks [4, 5]${4:+ $4}
"class":"$3"
E
}
last_block 0 4 inconclusive '6:lost 7:lost'
last_block 7 3 inconclusive '6:lost'
last_block 6 2 transfer
last_block 2 2 transfer # the size is wrong
grep -v '"ts":4000060' plain >dropped
check 'without groups, no rank is missing; in a block, a rank without the kernel is' 0 '
	coll-join --quiet dropped | python3 brief | sort | uniq -c | sed "s/^ *//"
	coll-join --block 4 dropped | python3 brief | sort | uniq -c | sed "s/^ *//"' <<'E'
1 stream   3 / 3 aligned True wait [90, 60, 0] ranks [0, 1, 3]
7 stream   4 / 4 aligned True wait [90, 60, 30, 0] ranks [0, 1, 2, 3]
1 stream   3 / 4 aligned True wait [90, 60, 0] ranks [0, 1, 3] 2:absent
7 stream   4 / 4 aligned True wait [90, 60, 30, 0] ranks [0, 1, 2, 3]
E
for name in AllReduceRingLL:all_reduce AllGatherRingLL:all_gather ReduceScatterTreeLL128:reduce_scatter \
	BroadcastRing:broadcast ReduceRingLL:reduce SendRecv:sendrecv; do
	check "names until 2021: nccl${name%:*}Kernel_sum_f32" 0 "
		sed 's/ncclDevKernel_AllReduce_Sum_f32/nccl${name%:*}Kernel_sum_f32(ncclColl)/' plain |
		coll-join --quiet --clocks raw | groupby -g name,n -a count -o csv" <<E
name,n,count
${name#*:},4,8
E
done
sed 's/ncclDevKernel_AllReduce_Sum_f32/my_gather/' plain >custom
check 'kernels that the user names' 0 'coll-join --quiet --op other=barrier --op "^my_g=all_gather:3MB" custom |
	ndjson2table -f name,bytes,algbw,busbw -u B -o csv | sort -u' <<'E'
all_gather,3000000,3296.703296703297,2472.5274725274726
name,bytes_B,algbw,busbw
E
sed 's/"stream":20,//' plain >streamless
for rank in 0 1; do
	kernel $rank 1000 100 | sed 's/ncclDevKernel_AllReduce_Sum_f32/void deep_ep::internode::dispatch<false, 8>(int4*)/'
	kernel $rank 2000 100 | sed 's/ncclDevKernel_AllReduce_Sum_f32/multimem_all_reduce_kernel<float>/'
	kernel $rank 3000 100 | sed 's/ncclDevKernel_AllReduce_Sum_f32/my_exchange/'
done >others
printf 'my_exchange\tcomm\tall_to_all\tno\tmine\t\n' >mine.tsv
check 'kernels of other libraries: operations of the table, without bandwidths' 0 '
	coll-join --quiet others | ndjson2table -o ndjson -f name,match,n,bytes,busbw
	TRACEFILTERS_KERNEL_NAMES=mine.tsv coll-join --quiet others | ndjson2table -o raw -f name
	coll-join --quiet --kernel-names mine.tsv others | ndjson2table -o raw -f name | tail -n 1' <<'E'
{"name":"ep_dispatch","match":"stream","n":2}
{"name":"all_reduce","match":"stream","n":2}
ep_dispatch
all_reduce
all_to_all
all_to_all
--- stderr
ndjson2table: no record has the field 'bytes'
ndjson2table: no record has the field 'busbw'
E
check 'kernels without a stream' 0 'coll-join --quiet streamless | python3 brief | uniq -c | sed "s/^ *//"' <<'E'
8 stream   4 / 4 aligned True wait [90, 60, 30, 0] ranks [0, 1, 2, 3]
E
check 'kernels that nobody names' 1 'coll-join custom' <<'E'
--- stderr
coll-join: rank 0: no member kernels; see --op
E

# --- damage

for rank in 0 1; do sed 's/"dev":0/"dev":NaN/' "rank$rank" >"nan$rank"; done
check 'repairs of several files: one line for each class, with the first place' 0 '
	coll-join --clocks raw nan0 nan1 | python3 brief' <<'E'
seq  g 2 / 2 aligned True wait [40, 0] ranks [0, 1]
seq  g 2 / 2 aligned True wait [0, 10] ranks [0, 1]
--- stderr
coll-join: nan0:1: NaN, Infinity or N/A; replaced by null (and 3 more)
E

# --- clocks

python3 - <<'E'
import json
lines = [json.loads(l) for l in open("rank1")]
with open("turn1", "w") as f:
    print('{"kind":"meta","name":"baseTimeNanoseconds","rank":1,"args":{"value":7889238000000000}}', file=f)
    for r in lines:
        r["ts"] -= 7889238000000000
        print(json.dumps(r, separators=(",", ":")), file=f)
E
slow check 'base times 91 days apart: the collectives of equal base times' 0 '
	for clocks in align raw; do
		coll-join --clocks $clocks rank0 rank1 | python3 brief >want
		coll-join --clocks $clocks rank0 turn1 | python3 brief | cmp - want
	done' </dev/null
check 'ranks that name different operations for a sequence number; all-to-all with and without sizes is one' 1 '
	sed "2s/allreduce/allgather/" rank1 >other
	cat rank0 other | coll-join | python3 brief; cat rank0 other | coll-join --quiet >/dev/null; echo "status $?"
	{ sed "s/allreduce/all_to_all/" rank0; sed "s/allreduce/all_to_allv/" rank1; } | coll-join --clocks raw | wc -l
	cat rank0 other | coll-join --write clocks | wc -l; cat rank0 other | coll-join >/dev/null' <<'E'
seq  g 2 / 2 aligned True wait [40, 0] ranks [0, 1]
seq  g 2 / 2 aligned True wait [0, 10] ranks [0, 1]
status 1
2
2
--- stderr
coll-join: collectives for which ranks name different operations: 1; the first one: seq 2: all_reduce on rank 0, all_gather on rank 1
coll-join: collectives for which ranks name different operations: 1; the first one: seq 2: all_reduce on rank 0, all_gather on rank 1
coll-join: collectives for which ranks name different operations: 1; the first one: seq 2: all_reduce on rank 0, all_gather on rank 1
coll-join: collectives for which ranks name different operations: 1; the first one: seq 2: all_reduce on rank 0, all_gather on rank 1
E
check 'collectives that contradict each other' 1 'sed "s/:1990,/:9999990,/" rank1 >far1
	coll-join rank0 far1 >out; s=$?; python3 brief <out; exit $s' <<'E'
seq  g 2 / 2 aligned False wait [40, 0] ranks [0, 1]
seq  g 2 / 2 aligned False wait [0, 10] ranks [0, 1]
--- stderr
coll-join: rank 1: its collectives contradict each other; its clock is unknown
E
check 'clocks from a file' 0 'coll-join --write clocks rank0 rank1 >clocks &&
	coll-join --clocks clocks rank0 rank1 | cmp - a' <<'E'
E
check 'a rank without a clock in the file' 1 'head -n 1 clocks >clock0; coll-join --clocks clock0 rank0 rank1 >out; s=$?
	python3 brief <out; exit $s' <<'E'
seq  g 2 / 2 aligned False wait [40, 0] ranks [0, 1]
seq  g 2 / 2 aligned False wait [0, 10] ranks [0, 1]
--- stderr
coll-join: rank 1: no clock in the file of --clocks; its collectives are not aligned
E
check 'a file without clocks' 2 'coll-join --clocks rank0 rank0 rank1' <<'E'
--- stderr
coll-join: rank0: no clocks; write them with coll-join --write clocks
E
check 'a clock without a rank, a second clock, a clock without members' 2 '
	echo "{\"kind\":\"clock\"}" >c1; cat clocks clocks >c2; echo "{\"kind\":\"clock\",\"rank\":1}" >c3
	for f in c1 c2 c3; do coll-join --clocks $f rank0 rank1; done' <<'E'
--- stderr
coll-join: c1:1: clock without a rank
coll-join: c2:3: second clock of this rank
coll-join: c3:1: clock without base, offset, drift or at
E
check_re 'a missing file of clocks' 2 'coll-join --clocks nowhere rank0 rank1' <<'E'
--- stderr
coll-join: nowhere: cannot open: No such file or directory
E
big=9223372036854775807
sed "s/\"offset\":0,\"drift\":0,\"at\":1600/\"offset\":$big,\"drift\":-$big,\"at\":-$big/" clocks >huge
check 'clocks beyond int64' 0 'coll-join --clocks huge rank0 rank1 | wc -l' <<'E'
2
E
sed "s/\"ts\":1000/\"ts\":$big/; s/\"ts\":2000/\"ts\":-$big/" rank0 >extreme0
sed "s/\"dur\":60/\"dur\":$big/" rank1 >extreme1
check 'times at the limits of int64' 0 'for clocks in align raw free; do
	coll-join --lenient --clocks $clocks extreme0 extreme1 2>/dev/null | wc -l; done' <<'E'
2
2
2
E

# --- options

check 'the former name of --op' 0 '
	coll-join --quiet --op ^my_g=all_gather:3MB custom >new; coll-join -e ^my_g=all_gather:3MB custom | cmp - new' <<'E'
--- stderr
coll-join: -e is now called --op; -e works until version 0.4.0
coll-join: no member kernel has a process group: all 4 ranks count as one group; see --block
E
check 'an expression without an operation' 2 'for e in x x= =y x=y:z "(=y"; do coll-join --op "$e"; done' <<'E'
--- stderr
coll-join: --op: 'x': expected REGEX=OP[:BYTES]
coll-join: --op: 'x=': expected REGEX=OP[:BYTES]
coll-join: --op: '=y': expected REGEX=OP[:BYTES]
coll-join: --op: 'z': expected a size >= 0, such as 64MiB (units: B kB MB GB KiB MiB GiB)
coll-join: --op: '(': invalid regular expression: unmatched ( or \(
E
check '--clocks free has no clocks to write' 2 'coll-join --clocks free --write clocks rank0' <<'E'
--- stderr
coll-join: --clocks free and --write clocks cannot be used together
E

# --- other programs

coll-join "$DATA/ranks.ndjson" >collectives
check 'groupby of collectives' 0 'groupby -g name,class -f late -a count,sum -u us -o csv collectives' <<'E'
name,class,count,late_us_sum
reduce_scatter,mixed,11,1757.751
all_reduce,mixed,9,417.461
all_gather,transfer,11,157.503
all_reduce,inconclusive,3,11.302
all_reduce,skew,2,11.16
all_reduce,transfer,1,2.36
all_gather,,1,
reduce_scatter,,1,
E
check 'filter-calls, with a time window' 0 'filter-calls -k collective -w "skew_start>100us" -c collectives
	filter-calls -k collective --from 1.001s --until 1.002s -c collectives' <<'E'
16
9
E
check 'stats, a table, plot, gpu-busy' 0 '
	stats -f busbw,late -o csv collectives | cut -d , -f 1-3 && gpu-busy --quiet collectives
	ndjson2table -f name,dur,late,skew_start,share -t 2 -s late collectives' <<'E'
field,count,mean
busbw,37,72.0482317053204
late,37,63717.21621621621
name            dur (us)  late (us)  skew_start (us)  share (%)
reduce_scatter   336.347    241.778          241.778       56.5
reduce_scatter   333.170    238.778          238.778       55.8
E
check 'plot' 0 'filter-calls -w late collectives | plot bar -g name -f late --to late.svg &&
	grep -q all_reduce late.svg' <<'E'
E

# --- processes without a rank, as in logs of NCCL Inspector

# process HOST PID SEQ DUR [TS]: prints an all-gather of 4 kB in each rank's part.
process() {
	printf '{%s"dur":%d,"kind":"kernel","name":"AllGather",' "${5:+"\"ts\":$5,"}" "$4"
	printf '"cat":"nccl_inspector","pid":%d,' "$2"
	printf '"args":{"Collective name":"all_gather","Process Group Name":"0x7f","Group size":3,"hostname":"%s","Seq":%d,' \
		"$1" "$3"
	printf '"coll_msg_size_bytes":4000}}\n'
}
{
	process b 12 1 200 && process b 12 2 200 && process b 12 2 200
	printf '{"dur":1,"kind":"kernel","name":"Send","pid":12,'
	echo '"args":{"Collective name":"send","hostname":"b","Process Group Name":"0x7f"}}'
} >b12
{ process b 9 1 700 50 && process b 9 2 100 900; } >b9
process a 12 1 300 >a12
check 'a process is identified by its host and pid, and a kernel without ts by its Seq' 1 'coll-join b12 b9 a12' <<'E'
{"dur":300,"kind":"collective","name":"all_gather","id":0,"bytes":12000,"group":"0x7f","gid":0,"match":"seq","seq":1,"aligned":false,"n":3,"size":3,"skew_start":500,"first":"b:9","last":"b:12","late":100,"latency":200,"share":0.5,"class":"inconclusive","algbw":60,"busbw":40,"members":[{"hostname":"a","pid":12,"dur":300,"wait":100},{"hostname":"b","pid":9,"ts":50,"dur":700,"wait":500},{"hostname":"b","pid":12,"dur":200,"wait":0}]}
{"ts":900,"dur":100,"kind":"collective","name":"all_gather","id":1,"clock":"b:9","bytes":12000,"group":"0x7f","gid":0,"match":"seq","seq":2,"aligned":false,"n":2,"size":3,"skew_start":100,"first":"b:12","last":"b:9","late":100,"latency":100,"share":0.3333333333333333,"class":"inconclusive","algbw":120,"busbw":80,"members":[{"hostname":"b","pid":9,"ts":900,"dur":100,"wait":0},{"hostname":"b","pid":12,"dur":200,"wait":100}]}
--- stderr
coll-join: member kernels that are in the input twice: 1; one of each is used
coll-join: b12:4: communication without rank, ts and Seq; skipped
E
check 'processes: any order of the input' 0 '
	coll-join --quiet b12 b9 a12 >got 2>/dev/null; cat a12 b9 b12 | coll-join --quiet 2>/dev/null | cmp - got
	cat b12 b9 a12 | sort | coll-join --quiet 2>/dev/null | cmp - got' </dev/null
check 'processes have no clocks' 0 'coll-join --write clocks b9 a12 | wc -l' <<'E'
0
E
check 'members of processes' 0 "coll-join --write members b9 a12 | ndjson2table -o csv -f pid,coll.id,coll.wait" <<'E'
pid,coll.id,coll.wait
9,0,400
9,1,
12,0,0
E
kernel 0 1000 100 "$(meta g '[0, 1]' 1)" | sed 's/"ts":1000,//' >untimed0
kernel 1 1040 60 "$(meta g '[0, 1]' 1)" >timed1
check 'ranks whose kernels have no ts' 0 'coll-join untimed0 timed1 | python3 brief' <<'E'
seq  g 2 / 2 aligned False wait [40, 0] ranks [0, 1]
--- stderr
coll-join: rank 1: no chain of common collectives to the lowest rank; its clock is unknown
E
check 'a kernel without ts and Seq' 0 "sed 's/,\"Seq\":1//' untimed0 | coll-join - timed1 | python3 brief" <<'E'
seq  g 1 / 2 aligned None wait [None] ranks [1] 0:absent
--- stderr
coll-join: rank 0: no member kernels; see --op
coll-join: stdin:1: member kernel without ts or dur; skipped
E

# --- input in pieces

slow check 'input that ends anywhere: a report, and no other status' 0 '
	size=$(wc -c <"$DATA/ranks.ndjson")
	for at in $(seq 1 997 $size); do
		head -c $at "$DATA/ranks.ndjson" | coll-join >cut.out 2>cut.err
		[ $? -le 1 ] && python3 brief <cut.out >/dev/null || echo $at
	done' </dev/null
# --- many files, many kernels

many_kernels.py 1024 40 id | awk '/"meta"/ { close(file); file = sprintf("many.%04d", n++) } { print >file }'
slow check '1024 files are open one at a time' 0 '
	(ulimit -n 24; coll-join --quiet many.* >out); grep -c . out; grep -c "\"n\":1024," out' <<'E'
40
10
E
only_slow_follow # 200,000 kernels
if sanitized || [ ! -x "$BUILD/bench/measure" ]; then
	skip 'memory is not measured under a sanitizer'
else
	# At most 136 bytes for each kernel, and 3 MiB for the process. With two ranks, there are most collectives.
	for meta in id seq names none; do
		many_kernels.py 2 100000 $meta >kernels
		for what in collectives members; do
			"$BUILD/bench/measure" result coll-join --quiet --write $what kernels >out
			rss=$(sed 's/.*"rss": \([0-9]*\).*/\1/' result)
			if [ "$rss" -le $((200000 * 136 / 1024 + 3072)) ] && [ "$(grep -c . out)" -ge 100000 ]; then
				pass "$meta, $what: memory"
			else
				echo "peak RSS $rss KiB, $(grep -c . out) lines" | fail "$meta, $what: memory"
			fi
		done
	done
fi
check 'the kernels with their metadata give the same collectives' 0 '
	coll-join "$DATA/ranks.ndjson" >want
	coll-join --write kernels "$DATA/ranks.ndjson" | coll-join | cmp - want' </dev/null
# exposed RANK VALUE: a kernel with what gpu-exposed has measured.
exposed() {
	printf '{"ts":%d,"dur":30,"kind":"kernel","name":"nccl","rank":%d,"dev":0,"exposed":%s,"args":{' $((100 + $1)) $1 "$2"
	printf '"Collective name":"allreduce","Process Group Name":"1","Process Group Ranks":"[0, 1]","Seq":1}}\n'
}
exposed 0 10 >times.0
exposed 1 5 | tee times.1 | sed 's/exposed":5/exposed":[1,6]/' >times.2
sed 's/exposed":5/exposed":"x"/' times.1 >times.3
check 'the exposed time of the members, and its mean if it is known for all' 0 '
	for i in 1 2 3; do cat times.0 times.$i | coll-join --clocks raw >want; grep -o "\"exposed\":[^,}]*" want
		cat times.0 times.$i | coll-join --write kernels | coll-join --clocks raw | cmp - want; done' <<'END'
"exposed":7.5
"exposed":10
"exposed":5
"exposed":10
"exposed":[1
"exposed":10
END
# Kernels without metadata: the operator around the launch on the same thread describes them.
for rank in 0 1; do
	for thread in 1 2; do
		printf '{"ts":%d,"dur":%d,"kind":"%s","name":"%s","rank":'$rank',%s}\n' \
			0 90 op record_param_comms '"pid":7,"tid":'$thread',"args":{"Collective name":"allreduce","dtype":"Float",
				"In msg nelems":'$thread',"Process Group Name":"1","Process Group Ranks":"[0, 1]"}' \
			$((9 + thread)) 5 api cudaLaunchKernel '"pid":7,"tid":'$thread',"corr":'$thread \
			$((100 * thread)) 30 kernel 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)' '"dev":0,"stream":7,"corr":'$thread
	done
done | tr -d '\t' | sed 'N;s/,\n"In/,"In/;P;D' | ts-sort >bare
check 'kernels that corr-join has joined need no calls' 0 '
	coll-join --write kernels bare | tee want | grep -o "\"corr.*nelems\":[0-9]*"
	corr-join --sorted --drop-calls bare >joined; grep -c "\"kind\":\"api\"" joined
	coll-join --write kernels joined | cmp - want' <<'END'
"corr":1,"args":{"Collective name":"all_reduce","In msg nelems":1
"corr":2,"args":{"Collective name":"all_reduce","In msg nelems":2
"corr":1,"args":{"Collective name":"all_reduce","In msg nelems":1
"corr":2,"args":{"Collective name":"all_reduce","In msg nelems":2
0
END

# --- compared with groups of kernels with equal numbers

n=$(amount 10 30 500)
check 'records with unusual values' 0 "collective_model.py --random $n" <<E
$n traces, 0 wrong
E

finish
