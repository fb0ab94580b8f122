#!/bin/sh
# ranks.t: collectives, stragglers and rank-merge: a job written by hand, jobs of a generator, wrong input.
. "${0%/*}/../lib.sh"
have python3 || finish

# --- a job of three ranks: three all-reduces of all ranks, a broadcast, and a kernel that rank 2 did not record

# add RANK OPERATION SEQ TS DUR: adds the record of a kernel to the trace of a rank.
add() {
	printf '{"ts":%d,"dur":%d,"kind":"kernel","name":"ncclDevKernel_X","rank":%d,"dev":0,"stream":1,"corr":%d,"args":{' \
		"$4" "$5" "$1" "$3"
	printf '"Collective name":"%s","In msg nelems":1000,"Out msg nelems":1000,"Group size":3,"dtype":"Float",' "$2"
	printf '"Process Group Name":"0","Process Group Ranks":"[0, 1, 2]","Seq":%d}}\n' "$3"
} >>"job/rank$1.ndjson"

mkdir job none
while read -r seq operation end starts; do
	rank=0
	for start in $starts; do
		add $rank "$operation" "$seq" "$start" $((end - start))
		rank=$((rank + 1))
	done
done <<'E'
1 allreduce 400 100 300 200
2 allreduce 1500 1100 1000 1400
3 allreduce 2150 2000 2000 2050
4 broadcast 4000 3000 3900 3000
5 allreduce 5100 5000 5000
E
check 'stragglers: rank 2 was late by 300 and 50, rank 1 by 100; the broadcast is not counted' 0 \
	'stragglers --clocks raw job' <<'E'
rank  late_sum (ns)  wait_sum (ns)  dur_sum (ns)  collectives  first  last
   2            350            100           400            3      0     2
   1            100            450           850            4      1     1
   0              0            550           950            4      3     1

Rank 2 delays the others most: by 0.350 us, in 2 of 3 collectives.
E
check 'stragglers --groups: group, gid and ranks' 0 'stragglers --groups --clocks raw -o csv -t 2 job/rank*' <<'E'
group,gid,ranks,rank,late_sum,wait_sum,dur_sum,collectives,first,last
0,0,0 1 2,2,350,100,400,3,0,2
0,0,0 1 2,1,100,450,850,4,1,1
E
check 'collectives: latency 100, so 40 GB/s, and 4/3 of it on the bus' 0 \
	'collectives --clocks raw -o csv job | cut -d , -f 1-10,12,14- |
	sed "s/33333333333*/33/g; s/skew,mixed,.*/@/"' <<'E'
name,dtype,bytes,size,group,gid,count,time,exposed,latency_p50,busbw_p10,busbw_max,skew_p50,skew_max,@
all_reduce,Float,4000,3,0,0,4,1050,767,100,53.33,53.33,125,400,1,1,1,1,0,0
broadcast,Float,4000,3,0,0,1,1000,700,100,40,40,900,900,1,0,0,0,0,0
E
check 'collectives: keys, units and a list' 0 \
	'collectives --clocks raw -g name -t 1 -u us -o list job | head -n 4' <<'E'
name              all_reduce
count             4
time (us)         1.05
exposed (us)      0.767
E
check 'nobody is late' 0 'head -n 1 job/rank0.ndjson >one; sed "s/\"rank\":0/\"rank\":1/" one >two
	stragglers --clocks raw one two' <<'E'
rank  late_sum (ns)  wait_sum (ns)  dur_sum (ns)  collectives  first  last
   0              0              0           300            1      1     1
   1              0              0           300            1      0     0

No rank delays the others.
E
check 'collectives: the largest time first, each class of coll-join, -t' 0 '
	for most in 5 2; do collectives --clocks raw -g seq -t $most -o csv job | cut -d , -f 1-3,12-; done' <<'E'
seq,count,time,skew,mixed,transfer,inconclusive,alone,alone_time
4,1,1000,1,0,0,0,0,0
2,1,500,1,0,0,0,0,0
1,1,300,0,1,0,0,0,0
3,1,150,0,0,1,0,0,0
5,1,100,0,0,0,1,0,0
seq,count,time,skew,mixed,transfer,inconclusive,alone,alone_time
4,1,1000,1,0,0,0,0,0
2,1,500,1,0,0,0,0,0
E
# Two steps that all ranks have, and a third one; a kernel computes in [1050, 1150) on all ranks. Rank 0 communicates
# from 1100 and rank 1 from 1000, so 50 and 100 of the second all-reduce are hidden: a mean of 50 over three ranks.
mkdir steps
for rank in 0 1 2; do
	for step in 7 8 9; do
		[ "$step$rank" = 90 ] || printf '{"ts":%d,"dur":90,"kind":"range","name":"ProfilerStep#%d","rank":%d}\n' \
			$((step * 100 - 700)) $step $rank
	done >"steps/rank$rank"
	printf '{"ts":1050,"dur":100,"kind":"kernel","name":"gemm","rank":%d,"dev":0}\n' $rank | cat - "job/rank$rank.ndjson" \
		>>"steps/rank$rank"
done
check 'collectives: calls a step and exposed time; a kernel of --op is communication, too' 0 '
	collectives --clocks raw -o csv -g name steps | cut -d , -f 1-5
	collectives --clocks raw -o csv -g name --op "^#x=barrier" --op "^gem*=reduce" steps | cut -d , -f 1-5' <<'E'
name,count,calls,time,exposed
all_reduce,4,2,1050,717
broadcast,1,0.5,1000,700
name,count,calls,time,exposed
all_reduce,4,2,1050,750
broadcast,1,0.5,1000,700
reduce,1,0.5,100,67
--- stderr
collectives: member kernels without metadata: 3; their sizes and bandwidths are unknown
E
check 'stragglers: units; the time of the sentence has a unit that fits' 0 '
	stragglers --clocks raw -u us -t 1 -o csv job
	for times in 1000 10000 10000000; do
		mkdir $times
		for rank in 0 1 2; do derive "ts=ts*$times" "dur=dur*$times" job/rank$rank.ndjson >$times/$rank; done
		stragglers --clocks raw $times | tail -n 1
	done' <<'E'
rank,late_sum_us,wait_sum_us,dur_sum_us,collectives,first,last
2,0.35,0.1,0.4,3,0,2
Rank 2 delays the others most: by 350.000 us, in 2 of 3 collectives.
Rank 2 delays the others most: by 3.500 ms, in 2 of 3 collectives.
Rank 2 delays the others most: by 3.500 s, in 2 of 3 collectives.
E
# A script that prints what the functions of the scripts of a job print.
mkdir own
cat >own/rank-collectives <<'E'
#!/bin/bash
help() {
	echo 'rank-collectives job'
	printf '  %s\n' '--clocks C   x' '--op O   x' '--block N   x' '--write W   x' '--capture C   x'
}
. trace-script
take_options "$@"
pass_options join clocks op block write
read_parts trace-script job.sh
make_folder
[ "${option[write]}" != records ] || { job_records; finish '' $?; }
job_collectives '' "${join[@]}"
finish '' $?
E
chmod +x own/rank-collectives
PATH=$PWD/own:$PATH
check 'one trace after the other, a folder, and a stream of all ranks give the same collectives' 0 '
	coll-join job/rank* >right && for call in "job" "job/" "job/rank2.ndjson job/rank0.ndjson job/rank1.ndjson"; do
		rank-collectives $call | cmp - right || exit
	done; cat job/* | rank-collectives | cmp - right
	mkdir job/subfolder; rank-collectives job | cmp - right; rmdir job/subfolder' <<'E'
E
check 'the options of coll-join' 0 'rank-collectives --write clocks --clocks raw job >clocks &&
	coll-join --write clocks --clocks raw job/* | cmp - clocks &&
	rank-collectives --clocks clocks --op ^a=all_reduce:1kB --op b=barrier --block 2 job >a &&
	coll-join --clocks raw job/* | cmp - a' <<'E'
E

# --- ranks from the names of files

for rank in 0 1 2; do sed 's/"rank":[0-9]*,//' "job/rank$rank.ndjson" >"none/worker-$rank.ndjson"; done
check 'the rank is a part of the name' 0 '
	rank-collectives --capture "rank=worker-([0-9]+)" none | cmp - right' <<'E'
E
mkdir plain
for rank in 0 1 2; do
	sed 's/"name":"[^"]*"/"name":"custom"/; s/,"args":{.*/}/' "none/worker-$rank.ndjson" >"plain/worker-$rank"
done
check 'kernels without metadata, and ranks from the names of files, in each script' 0 '
	set -- --capture "rank=worker-([0-9]+)" --block 3 --op ^custom=all_reduce:1kB plain
	stragglers -o csv --clocks raw "$@"; collectives -o csv -g name,size --clocks raw "$@" | cut -d , -f 1-5
	rank-merge "$@" | ndjson2table -o csv -f rank,ts,dur -t 3' <<'E'
rank,late_sum,wait_sum,dur_sum,collectives,first,last
1,1000,450,950,5,1,2
2,350,1000,1400,4,0,2
0,0,1450,1950,5,4,1
name,size,count,time,exposed
all_reduce,3,5,2050,1467
rank,ts,dur
0,100,300
2,200,200
1,300,100
E
check 'a trace without a rank, and a job in one file' 2 'cp "$DATA/timeline.json" "a b"; stragglers "a b"
	stragglers none' <<'E'
--- stderr
stragglers: a b: the operations of a whole job in one file; run: trace2ndjson a\ b | what-if
stragglers: none/worker-0.ndjson: no record has a rank; set the rank with --capture rank=REGEX
E
check 'a reader that ends early' 0 'stragglers "$DATA/ranks.ndjson" | head -n 1 | wc -l' <<'E'
1
E

# --- one stream of all ranks

# The clocks of ranks 1 and 2 are 1000 and 2000 ns ahead.
mkdir ahead
for rank in 0 1 2; do
	printf '{"kind":"meta","name":"schemaVersion","args":{"value":1}}\n' >"ahead/rank$rank"
	awk -v late=$((rank * 1000)) -F '[:,]' -v OFS= '{ sub(/"ts":[0-9]+/, "\"ts\":" $2 + late); print }' \
		"job/rank$rank.ndjson" >>"ahead/rank$rank"
done
check 'rank-merge: one clock, in ts order, every record has a rank' 0 'rank-merge ahead >merged
	filter-calls -w ts merged | ndjson2table --quiet -o csv -f ts,dur,rank | head -n 8; ts-sort --merge merged | wc -l
	filter-calls -c -w "name==schemaVersion" -w rank merged' <<'E'
ts,dur,rank
100,300,0
200,200,2
300,100,1
1000,500,1
1100,400,0
1400,100,2
2000,150,0
17
3
E
check 'rank-merge: files in any order; standard input with all ranks' 0 '
	rank-merge ahead/rank2 ahead/rank0 ahead/rank1 | cmp - merged
	grep \"ts\" merged >timed; ts-sort ahead/rank* | rank-merge >streamed; grep \"ts\" streamed | cmp - timed
	wc -l <streamed' <<'E'
17
E
check 'rank-merge --window: records that overlap it; times since the first record' 0 '
	rank-merge --window +250ns,+950ns ahead >window; filter-calls -w ts window | ndjson2table --quiet -o csv -f ts,rank
	wc -l <window' <<'E'
ts,rank
100,0
200,2
300,1
1000,1
7
E
check 'rank-merge: the clocks of a file, and wrong windows' 2 '
	rank-collectives --write clocks ahead >clocks; rank-merge --clocks clocks ahead | cmp - merged
	rank-merge --window +1s ahead; rank-merge --window +1s, ahead; rank-merge --window x,y ahead' <<'E'
--- stderr
rank-merge: --window: '+1s': expected two times, such as +2s,+2.1s; try rank-merge -h
rank-merge: --window: '+1s,': expected two times, such as +2s,+2.1s; try rank-merge -h
rank-merge: --window: 'x,y': expected two times, such as +2s,+2.1s; try rank-merge -h
E
sed 's/\[0, 1, 2\]/[9]/; s/"Group size":3/"Group size":1/' ahead/rank2 >alone
check_re 'rank-merge: a rank whose clock is unknown' 2 'rank-merge ahead/rank0 ahead/rank1 alone' <<'E'
--- stderr
rank-merge: rank 2: no chain of common collectives to the lowest rank; its clock is unknown
rank-merge: 0000000002.ndjson:2: the clock of this rank is unknown .ok is false.; .* use --force
E
check 'rank-merge --force: the times of this rank are unchanged' 1 '
	rank-merge --force ahead/rank0 ahead/rank1 alone >out; s=$?
	grep -c \"ts\" out; grep \"rank\":2 out | grep -o "^{.ts.:[0-9]*" | head -n 1; exit $s' <<'E'
14
{"ts":2200
--- stderr
rank-merge: rank 2: no chain of common collectives to the lowest rank; its clock is unknown
E
check 'the progress on a terminal, and none with --quiet' 0 '
	for quiet in "" --quiet; do
		on_terminal.py "rank-collectives $quiet job >/dev/null" | tr "\r\033" "\n^"; echo
	done' <<'E'

rank-collectives: trace 1 of 3: job/rank0.ndjson^[K
rank-collectives: trace 2 of 3: job/rank1.ndjson^[K
rank-collectives: trace 3 of 3: job/rank2.ndjson^[K
^[K

E

# --- input that is wrong

mkdir empty twice
cp job/rank0.ndjson twice/a && cp job/rank0.ndjson twice/b && : >nothing
check 'two traces of one rank' 2 'collectives twice' <<'E'
--- stderr
collectives: twice/b: rank 0 is also in twice/a; each trace must have its own rank
E
check 'a folder without files' 2 'collectives empty' <<'E'
--- stderr
collectives: empty: no files
E
check 'a trace that does not exist: no answer about the others' 2 'stragglers job/rank0.ndjson job/nosuch' <<'E'
--- stderr
stragglers: job/nosuch: cannot open: No such file or directory
E
check 'an empty trace' 1 'stragglers -o csv --clocks raw job nothing' <<'E'
rank,late_sum,wait_sum,dur_sum,collectives,first,last
2,350,100,400,3,0,2
1,100,450,850,4,1,1
0,0,550,950,4,3,1
--- stderr
stragglers: nothing: byte 0: empty input
E
check 'one rank only' 1 'stragglers job/rank0.ndjson; collectives -o csv -g name job/rank0.ndjson >out; status=$?
	cut -d , -f 1-4,12- out; exit $status' <<'E'
name,count,time,exposed,skew,mixed,transfer,inconclusive,alone,alone_time
all_reduce,0,,950,0,0,0,0,4,950
broadcast,0,,1000,0,0,0,0,1,1000
--- stderr
stragglers: member kernels that cannot be matched: 5, because: one rank
collectives: member kernels that cannot be matched: 5, because: one rank
collectives: only one rank was recorded, or none has a partner: the kernels cannot be compared; only their time is known
E
mkdir damaged
for rank in 0 1 2; do
	sed 's/"dev":0/"dev":NaN/; 1s/"stream":1/"stream":/' "job/rank$rank.ndjson" >"damaged/rank$rank"
done
check 'repairs of a job: one line for each class, with their number and the first place' 0 '
	for call in "collectives -g name" stragglers rank-merge rank-scores "rank-collectives --write records"; do
		echo $call; $call damaged >out 2>err; sed "s/^[^:]*: //" err | grep damaged
	done' <<'E'
collectives -g name
damaged/rank0:1: NaN, Infinity or N/A; replaced by null (and 13 more)
damaged/rank0:1: member without a value; set to null or removed (and 2 more)
stragglers
damaged/rank0:1: NaN, Infinity or N/A; replaced by null (and 13 more)
damaged/rank0:1: member without a value; set to null or removed (and 2 more)
rank-merge
damaged/rank0:1: NaN, Infinity or N/A; replaced by null (and 13 more)
damaged/rank0:1: member without a value; set to null or removed (and 2 more)
rank-scores
damaged/rank0:1: NaN, Infinity or N/A; replaced by null (and 13 more)
damaged/rank0:1: member without a value; set to null or removed (and 2 more)
rank-collectives --write records
damaged/rank0:1: NaN, Infinity or N/A; replaced by null (and 13 more)
damaged/rank0:1: member without a value; set to null or removed (and 2 more)
E
check 'options of coll-join with wrong values' 2 'stragglers --block 0 job; stragglers --clocks nosuch job
	collectives --block 0 job; rank-merge --block 0 job; collectives --op x job' <<'E'
--- stderr
stragglers: --block: '0': expected an integer >= 1
stragglers: nosuch: cannot open: No such file or directory
collectives: --block: '0': expected an integer >= 1
rank-merge: --block: '0': expected an integer >= 1
collectives: --op: 'x': expected REGEX=OP[:BYTES]
E

# --- jobs of the generator

if need_shared gen/gen_ranks.py golden/ranks/README.md; then
	for setting in data hybrid sibling; do
		case $setting in
		data) straggler=2 clocks=raw status=0 ;;
		hybrid) straggler=6 clocks=align status=0 ;;
		sibling) straggler=9 clocks=align status=1 ;;
		esac
		eval "set -- $(sed -n "s|^ *gen/gen_ranks.py OUT/$setting ||p" "$SHARED/golden/ranks/README.md")"
		python3 "$SHARED/gen/gen_ranks.py" "$setting" "$@" || fail "$setting: generate" </dev/null
		check "$setting: names the straggler" 0 "stragglers --clocks $clocks $setting/rank*.json.gz 2>/dev/null |
			tail -n 1 | cut -d ' ' -f 1-3" <<E
Rank $straggler delays
E
		tolerance=5000
		[ $setting != data ] || tolerance=0
		for trace in "$setting"/rank*.json.gz; do
			trace2ndjson --quiet "$trace" 2>/dev/null | ts-sort | corr-join --sorted >"${trace%.json.gz}.ndjson"
		done
		check "$setting: rank-merge: all records, with the times of the true clocks" "$status" "
			rank-merge --clocks $clocks $setting/rank*.ndjson >merged 2>/dev/null; s=\$?
			rank_merged.py $setting $tolerance <merged | sed 's/^[0-9]* //'; exit \$s" <<'E'
records, 0 missing, 0 different, 0 times wrong
E
		check "$setting: the same joins before and after merging" 0 "
			rank-merge --clocks $clocks $setting/rank*.json.gz 2>/dev/null | corr-join --sorted | rank_joins.py >after
			cat $setting/rank*.ndjson | rank_joins.py >before; cmp before after; grep -c . before >count" <<'E'
E
		check "$setting: one view of all ranks: rows, ids and names" 0 "
			rank-merge --clocks $clocks $setting/rank*.json.gz >before 2>/dev/null; ndjson2trace before >view
			rank_view.py <view | sed 's/.*, //'; trace2ndjson view | grep '\"ts\"' >after
			grep '\"ts\"' before >timed; trace_round_trip.py timed after view crossing" <<'E'
0 wrong

E
		check "$setting: the columns of ranks.csv and groups.csv" "$status" "
			stragglers --clocks $clocks -o ndjson $setting/rank*.json.gz >ranks 2>/dev/null
			stragglers --clocks $clocks -o ndjson --groups $setting/rank*.json.gz >groups 2>/dev/null; status=\$?
			rank_sums.py $SHARED/golden/ranks/$setting $clocks ranks groups; exit \$status" <<'E'
0 differences
E
		check "$setting: the columns of collectives" "$status" "
			collectives --clocks $clocks -o ndjson $setting/rank*.json.gz >rows 2>/dev/null; status=\$?
			collective_sums.py $SHARED/golden/ranks/$setting $clocks rows; exit \$status" <<'E'
0 differences
E
	done
fi
finish
