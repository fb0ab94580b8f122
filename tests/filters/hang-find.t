#!/bin/sh
# hang-find.t: who did not come to a collective: small jobs by hand, recorded dumps, wrong input.
. "${0%/*}/../lib.sh"
have python3 || finish

# find CASE: prints the answers for a job of four ranks.
cat >find <<'E'
hang_dumps.py "$1" "$1" && trace2ndjson "$1"/* | hang-find --quiet >records
status=$?
filter-calls -w 'name == answer' records | ndjson2table -f text -o raw
filter-calls -w 'name == rank' records | ndjson2table --quiet -f rank,state,in,first_open,missing_in,stopped_in -o csv
exit $status
E
check 'rank 3 did not come; ranks 0 and 1 wait for it and for rank 2' 0 'sh ./find late' <<'E'
Rank 3 did not come to all_reduce 2 of TP (2: ranks 2 and 3), 8x4 Float. 1 rank waits in it, 2 more wait for these.
rank,state,in,first_open,missing_in,stopped_in
3,did not come,0,,"[""0"",""2""]",[]
0,waits,1,0 all_gather 2,[],[]
1,waits,1,0 all_gather 2,[],[]
2,waits,2,2 all_reduce 2,[],[]
E
check 'the device of rank 3 stopped' 0 'sh ./find stopped | head -n 3' <<'E'
The device of rank 3 did not finish all_reduce 2 of TP (2: ranks 2 and 3), which others completed.
rank,state,in,first_open,missing_in,stopped_in
3,device stopped,2,2 all_reduce 2,[],"[""2""]"
E
check 'all came' 0 'sh ./find stuck | head -n 1' <<'E'
All 4 ranks are in all_gather 2 of default_pg (0: ranks 0 to 3): the network or the device of any of them.
E
check 'two ranks wait for each other' 0 'sh ./find circle | head -n 1' <<'E'
Ranks 0 and 1 wait for each other: the order of collectives differs. Rank 0 waits in all_gather 1 of default_pg (0: ranks 0 to 3). Rank 1 waits in all_reduce 1 of TP (1: ranks 0 and 1).
E
check 'different operations under one number' 0 'sh ./find mismatch | head -n 2' <<'E'
Ranks 0 and 1 differ in all_gather 1 of default_pg (0: ranks 0 to 3): all_gather of 16 Float and broadcast of 16 Float.
All 4 ranks are in all_gather 1 of default_pg (0: ranks 0 to 3): the network or the device of any of them.
E
check 'nothing is open' 1 'sh ./find done' <<'E'
No open collective: the host of every rank stopped outside of collectives, or none did.
rank,state,in,first_open,missing_in,stopped_in
0,idle,0,,[],[]
1,idle,0,,[],[]
2,idle,0,,[],[]
3,idle,0,,[],[]
E
check 'no dump of rank 3' 1 'sh ./find lost >answer; status=$?; head -n 1 answer; exit $status' <<'E'
No dump of rank 3, which may be the one: 3 ranks wait for it. Rank 2 may be it, too: nobody else in its group has a dump.
--- stderr
hang-find: no dump of rank 3
E
check 'no dump of rank 2: nobody could say that the device of rank 3, its only partner, stopped' 1 '
	sh ./find alone >answer; status=$?; head -n 1 answer; exit $status' <<'E'
No dump of rank 2, which may be the one: 3 ranks wait for it. Rank 3 may be it, too: nobody else in its group has a dump.
--- stderr
hang-find: no dump of rank 2
E
check 'dumps of two time-outs' 0 'sh ./find apart | head -n 1' <<'E'
Rank 3 did not come to all_reduce 2 of TP (2: ranks 2 and 3), 8x4 Float. 1 rank waits in it, 2 more wait for these.
--- stderr
hang-find: dumps of different time-outs: the newest entry of rank 0 is 60 minutes older than that of rank 2
E
check 'a dump without a rank, and one that is there twice' 1 \
	'{ trace2ndjson <late/_dump_0 && trace2ndjson late/* late/_dump_3; } | hang-find >answer' <<'E'
--- stderr
hang-find: stdin:1: dump without a rank; give it with --capture rank=REGEX of the name of its file; left out
hang-find: late/_dump_3: second dump of a rank; left out
E
check 'each dump is named; its name can have any characters' 1 '
	for name in x y; do cp late/_dump_3 "$(printf "$name\033[1m_3")"; done
	trace2ndjson late/* ?*_3 | hang-find >answer' <<'E'
--- stderr
hang-find: x?[1m_3: second dump of a rank; left out
hang-find: y?[1m_3: second dump of a rank; left out
E
check 'other records' 1 'hang-find "$DATA/ranks.ndjson"' <<'E'
--- stderr
hang-find: no flight-recorder dump
E
check 'any order of dumps and of their entries' 0 'trace2ndjson late/_dump_[0123] | hang-find >want
	trace2ndjson late/_dump_[3210] | hang-find | cmp - want
	trace2ndjson late/_dump_3 late/_dump_2 late/_dump_1 late/_dump_0 | hang-find | cmp - want' </dev/null

if need_shared golden/flight-recorder; then
	for case in lock_gil_1st gpu_error_1st gpu_error_1st_json; do
		check "$case: equal to the golden answers" 0 "trace2ndjson \$SHARED/data/flight-recorder/$case/_dump* |
			hang-find --quiet >got; hang_golden.py \$SHARED/golden/flight-recorder $case got" <<E
$case: equal
E
	done
	# generated CASE ARGUMENT...: compares the answers for a generated job.
	generated() {
		case=$1
		shift
		slow check "$case: equal to the golden answers" 0 "
			python3 \$SHARED/gen/gen_flight_recorder.py $case --ranks 64 --tp 8 $*
			trace2ndjson $case/_dump* | hang-find --quiet --lenient 2>said >got
			hang_golden.py \$SHARED/golden/flight-recorder $case got" <<E
$case: equal
E
	}
	generated host --host 13 --at 40
	generated device --device 13 --at 41 --full
	generated lost --host 22 --at 42 --lost 22,40
	generated lost2 --host 22 --at 41 --lost 40
fi
finish
