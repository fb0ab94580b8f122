#!/bin/sh
# hangs.t: the answer about a job that hangs, from its dumps.
. "${0%/*}/../lib.sh"
have python3 || finish

hang_dumps.py late late
hang_dumps.py json late json
check 'a folder, files, JSON' 0 'hangs late >one && hangs late/* | cmp - one && hangs json | cmp - one &&
	head -n 4 one' <<'E'
Rank 3 did not come to all_reduce 2 of TP (2: ranks 2 and 3), 8x4 Float. 1 rank waits in it, 2 more wait for these.

rank  state         in  first_open      last_completed  missing_in  stopped_in
   3  did not come   0                               1  0 2
E
check '--groups, -t, formats' 0 'hangs --groups -o csv late; hangs -t 1 -o ndjson late' <<'E'
group,desc,open,done,first,op,dtype,sizes,missing,waits,stopped,no_dump
0,default_pg,3,1,2,all_gather,Float,16,3,0 1 2,"",""
2,TP,1,1,2,all_reduce,Float,8x4,3,2,"",""
{"rank":3,"state":"did not come","in":0,"last_completed":1,"missing_in":"0 2","stopped_in":""}
E
check 'in the epilogue of a job: a message only if there is an answer' 0 'hang_dumps.py done done
	for job in late done; do hangs $job >hang.txt && echo "mail about $job"; done; rm late/.hidden 2>/dev/null || :' <<'E'
mail about late
E
check 'a dump that is refused, and a missing one' 1 'cp -r late bad && rm bad/_dump_0 &&
	head -c 500 late/_dump_1 >bad/_dump_1
	hangs bad >answer; status=$?; head -n 1 answer; exit $status' <<'E'
Rank 3 did not come to all_reduce 2 of TP (2: ranks 2 and 3), 8x4 Float. 1 rank waits in it.
--- stderr
hangs: bad/_dump_1: byte 488: cut short: the pickle does not end; file refused
hangs: no dump of ranks 0 and 1
E
check 'other names' 0 'mkdir names && for rank in 0 1 2 3; do cp late/_dump_$rank names/host$rank.dump; done
	hangs --capture "rank=host([0-9])" names | head -n 1 | cut -c 1-24' <<'E'
Rank 3 did not come to a
E
check 'a full disk' 2 'hangs late >/dev/full' <<'E'
--- stderr
hangs: write error: No space left on device
E
check 'no dumps' 1 'hangs "$DATA/ranks.ndjson"' <<'E'
--- stderr
hangs: no flight-recorder dump
E
check 'an empty folder, a missing file' 2 'mkdir empty; hangs empty; hangs nosuch' <<'E'
--- stderr
hangs: empty: no files
hangs: nosuch: cannot open: No such file or directory
E
check 'a dump without a rank is named' 1 'cp late/_dump_0 none.pickle && hangs none.pickle' <<'E'
--- stderr
hangs: none.pickle: dump without a rank; give it with --capture rank=REGEX of the name of its file; left out
E
check 'a wrong format is reported before the dumps are read, and a wrong regex once' 2 '
	hangs -o wrong nosuch; hangs --capture rank=x late' <<'E'
--- stderr
hangs: -o: 'wrong': expected ndjson, csv, tsv, raw, md, table or list
hangs: --capture: 'x': expected a regular expression with exactly one (group)
E
finish
