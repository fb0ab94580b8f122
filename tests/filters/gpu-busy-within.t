#!/bin/sh
# gpu-busy-within.t: tests the parts of the time of steps.
. "${0%/*}/../lib.sh"

parts='name,dur,count,compute_time,comm_only,memory_only,other_only,host_wait,launched_wait,unknown_wait,after_work'
cat >steps.nd <<'END'
{"ts":80,"dur":25,"kind":"memset","name":"Memset (Device)","dev":0,"stream":7,"api":{"ts":60,"dur":5}}
{"ts":100,"dur":90,"kind":"range","name":"step 1","pid":1,"tid":1}
{"ts":110,"dur":20,"kind":"range","name":"forward","pid":1,"tid":1}
{"ts":120,"dur":40,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":110,"dur":5},"args":{"blocks per SM":0.5}}
{"ts":130,"dur":40,"kind":"kernel","name":"ncclX","dev":0,"stream":9,"api":{"ts":112,"dur":5},"args":{"blocks per SM":0.75}}
{"ts":165,"dur":15,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":20,"api":{"ts":114,"dur":5}}
{"ts":200,"dur":50,"kind":"range","name":"step 2","pid":1,"tid":1}
{"ts":210,"dur":10,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":205,"dur":2},"args":{"blocks per SM":2}}
{"ts":225,"dur":5,"kind":"kernel","name":"Sync x","dev":0,"stream":7,"api":{"ts":219,"dur":2}}
{"ts":245,"dur":20,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":210,"dur":2}}
{"ts":300,"dur":20,"kind":"kernel","name":"late","dev":0,"stream":7,"api":{"ts":299,"dur":1}}
END
# step 1 is [100, 200): idle [105, 120) before gemm, launched at 110; gemm [120, 160), communication alone [160, 170),
# copy alone [170, 180), and the first part of the idle interval [180, 210), before a launch at 205. step 2 is
# [200, 265): the range ends at 250, but its last kernel ends at 265; pauses [220, 225) and [230, 245). The load of step
# 1 is 0.5 in [120, 130), 1 in [130, 160) and 0.75 in [160, 170); the load of step 2 is 1 in [210, 220).
check 'writes the parts of each step' 0 "gpu-busy --within '^step' steps.nd | ndjson2table -o csv -f $parts" <<'END'
name,dur,count,compute_time,comm_only,memory_only,other_only,host_wait,launched_wait,unknown_wait,after_work
step 1,100,3,40,10,15,0,35,0,0,0
step 2,65,3,30,0,0,5,10,20,0,0
END
check 'writes all members' 0 "gpu-busy --within '^step 2' steps.nd" <<'END'
{"ts":200,"dur":65,"kind":"gpu-busy","name":"step 2","dev":0,"count":3,"busy":35,"idle":30,"compute_time":30,"comm_time":0,"memory_time":0,"other_time":5,"overlap_time":0,"concurrent":0,"busy_share":0.5384615384615384,"comm_only":0,"memory_only":0,"other_only":5,"host_wait":10,"launched_wait":20,"unknown_wait":0,"after_work":0,"kernel_wait":20,"other_wait":0,"pauses":20,"sm_share":0.15384615384615385,"steps":"launch","lag":12}
END
check '-g stream: all streams have the same windows' 0 \
	"gpu-busy --per stream --within '^step' steps.nd |
	ndjson2table -o csv -f ts,dur,stream,count,busy,host_wait,pauses" <<'END'
ts,dur,stream,count,busy,host_wait,pauses
100,100,7,1,45,55,0
100,100,9,1,40,30,30
100,100,20,1,15,65,20
200,65,7,3,35,10,20
200,65,9,0,0,0,65
200,65,20,0,0,0,65
END
check '--whole: from the first start of work to the last end' 0 \
	"gpu-busy --whole steps.nd | ndjson2table -o csv -f ts,${parts#name,}; gpu-busy -k memset --whole steps.nd" <<'END'
ts,dur,count,compute_time,comm_only,memory_only,other_only,host_wait,launched_wait,unknown_wait,after_work
80,240,8,90,10,35,5,80,20,0,0
{"ts":80,"dur":25,"kind":"gpu-busy","dev":0,"count":1,"busy":25,"idle":0,"compute_time":0,"comm_time":0,"memory_time":25,"other_time":0,"overlap_time":0,"concurrent":0,"busy_share":1,"comm_only":0,"memory_only":25,"other_only":0,"host_wait":0,"launched_wait":0,"unknown_wait":0,"after_work":0,"kernel_wait":0,"other_wait":0,"pauses":0}
END
check '-r uses records of other kinds' 0 \
	"sed s/range/mark/ steps.nd | gpu-busy -r mark --within '^step' | ndjson2table -o csv -f name,dur" <<'END'
name,dur
step 1,100
step 2,65
END
# Scripts read the record.
check 'ranges that overlap' 2 'gpu-busy --within "step|forward" steps.nd' <<'END'
{"ts":110,"dur":20,"kind":"gpu-busy","name":"forward","overlaps":"step 1"}
--- stderr
gpu-busy: steps.nd:3: the ranges "step 1" and "forward" overlap; change --within to match only one of them
END
# Device 0 has no call for b, and c, of a graph, was launched before b ended; the last step has idle time after it.
# Device 1 works before the first step and in the second; it has nothing to do in the third, in which device 0 gets d.
check 'idle time without a recorded cause, and after the last work, of each device' 0 "
	printf '%s\n' '{\"ts\":2,\"dur\":3,\"kind\":\"kernel\",\"name\":\"x\",\"dev\":1}' \
		'{\"ts\":10,\"dur\":20,\"kind\":\"range\",\"name\":\"step 1\"}' \
		'{\"ts\":12,\"dur\":8,\"kind\":\"kernel\",\"name\":\"a\",\"dev\":0,\"api\":{\"ts\":11}}' \
		'{\"ts\":25,\"dur\":5,\"kind\":\"kernel\",\"name\":\"b\",\"dev\":0}' \
		'{\"ts\":30,\"dur\":10,\"kind\":\"range\",\"name\":\"step 2\"}' \
		'{\"ts\":33,\"dur\":4,\"kind\":\"kernel\",\"name\":\"x\",\"dev\":1,\"api\":{\"ts\":31}}' \
		'{\"ts\":40,\"dur\":10,\"kind\":\"range\",\"name\":\"step 3\"}' \
		'{\"ts\":44,\"dur\":2,\"kind\":\"kernel\",\"name\":\"c\",\"dev\":0,\"api\":{\"ts\":24,\"name\":\"cudaGraphLaunch\"}}' \
		'{\"ts\":46,\"dur\":1,\"kind\":\"kernel\",\"name\":\"d\",\"dev\":0,\"api\":{\"ts\":42}}' |
	gpu-busy --quiet --within '^step' |
	ndjson2table -o csv -f name,dev,dur,compute_time,host_wait,launched_wait,unknown_wait,after_work,pauses" <<'END'
name,dev,dur,compute_time,host_wait,launched_wait,unknown_wait,after_work,pauses
step 1,1,20,0,20,0,0,0,0
step 1,0,20,13,2,0,5,0,5
step 2,1,10,4,3,0,0,3,3
step 2,0,10,0,0,10,0,0,10
step 3,1,10,0,0,0,0,10,10
step 3,0,10,3,0,4,0,3,7
END

# The work waits in the queue: a runs until 45, b until 80, c until 100, and no launch of x is recorded. Step 3
# launches nothing; the profiler wrote it until its own end. On device 1, the host is late if the launch is at 49.
cat >queued.nd <<'END'
{"ts":5,"dur":15,"kind":"kernel","name":"x","dev":0,"stream":7}
{"ts":10,"dur":10,"kind":"range","name":"step 1"}
{"ts":20,"dur":10,"kind":"range","name":"step 2"}
{"ts":20,"dur":5,"kind":"kernel","name":"x","dev":0,"stream":7}
{"ts":25,"dur":20,"kind":"kernel","name":"a","dev":0,"stream":7,"api":{"ts":11}}
{"ts":27,"dur":2,"kind":"kernel","name":"d","dev":1,"stream":7,"api":{"ts":12}}
{"ts":30,"dur":200,"kind":"range","name":"step 3"}
{"ts":44,"dur":4,"kind":"memcpy","name":"e","dev":0,"stream":8,"api":{"ts":22}}
{"ts":50,"dur":30,"kind":"kernel","name":"b","dev":0,"stream":7,"api":{"ts":21}}
{"ts":50,"dur":3,"kind":"kernel","name":"d","dev":1,"stream":7,"api":{"ts":49}}
{"ts":85,"dur":15,"kind":"kernel","name":"c","dev":0,"stream":7,"api":{"ts":29}}
END
check '--by-launch: a step begins when all work before has ended; a last range without launches is no step' 0 \
	"sed '/\"ts\":49/s/49/24/' queued.nd | gpu-busy --within '^step' --by-launch |
	ndjson2table -o csv -f name,dev,ts,dur,count,compute_time,memory_only,host_wait,launched_wait,after_work" <<'END'
name,dev,ts,dur,count,compute_time,memory_only,host_wait,launched_wait,after_work
step 1,0,25,20,2,20,0,0,0,0
step 1,1,10,19,1,2,0,17,0,0
step 2,0,45,55,2,45,3,0,7,0
step 2,1,29,24,1,3,0,0,21,0
END
check 'the streams of a device have the same windows' 0 \
	"gpu-busy --per stream --within '^step 1' --by-launch queued.nd |
	ndjson2table -o csv -f dev,stream,ts,dur,count,busy" <<'END'
dev,stream,ts,dur,count,busy
0,7,25,20,1,20
1,7,10,19,1,2
0,8,25,20,1,1
END
# The steps take 107 ns. The kernels wait for 14, 15, 29, 1, and 45 or 56 ns: 21 or 23 in the mean; without those of
# graphs, 8.
check 'without --by-launch: windows of the host, unless kernels wait for a fifth of a step' 0 "
	sed -i 's/\"dur\":200/\"dur\":300/' queued.nd
	sed '/\"ts\":85/s/29/40/' queued.nd | gpu-busy --within '^step' |
		ndjson2table -o csv -f name,dev,ts,dur,count,steps,lag
	gpu-busy --within '^step 1' queued.nd | ndjson2table -o csv -f name,dev,ts,dur,steps,lag
	sed '/\"name\":\"[abc]\"/s/}}/,\"name\":\"cudaGraphLaunch\"}}/' queued.nd | gpu-busy --within '^step' |
		groupby -g steps -a max:lag -o csv" <<'END'
name,dev,ts,dur,count,steps,lag
step 1,0,10,10,0,host,20
step 1,1,10,10,0,host,20
step 2,0,20,10,2,host,20
step 2,1,20,10,1,host,20
step 3,0,30,300,3,host,20
step 3,1,30,300,1,host,20
name,dev,ts,dur,steps,lag
step 1,0,25,20,launch,23
step 1,1,10,19,launch,23
steps,lag_max
host,8
END
check 'a stream without calls, no call: windows of the host' 0 "
	sed '/\"name\":\"b\"/{s/,\"api\".*}}/}/; s/\":7/\":9/}; s/\"dur\":300/\"dur\":50/' queued.nd >some.nd
	gpu-busy --within '^step' some.nd | ndjson2table -o csv -f name,dev,ts,dur,steps
	sed 's/,\"api\".*}}/}/' queued.nd | gpu-busy --quiet --within '^step' --by-launch |
		groupby -g steps -a count -o csv" <<'END'
name,dev,ts,dur,steps
step 1,0,10,10,mixed
step 1,1,10,10,mixed
step 2,0,20,10,mixed
step 2,1,20,10,mixed
step 3,0,30,70,mixed
step 3,1,30,70,mixed
steps,count
host,6
--- stderr
gpu-busy: ranks whose steps have work of earlier steps: 1, because kernels start late after their launch, and some calls (api) are unknown
gpu-busy: 1 idle intervals end with work that has no call (api); their causes are guessed from their lengths; run: ... | ts-sort | corr-join --sorted --lead 250ms | gpu-busy
END
check '--by-launch needs --within' 2 'gpu-busy --by-launch --whole steps.nd' <<'END'
--- stderr
gpu-busy: --by-launch needs --within
END
check 'ranges of different ranks may overlap' 0 \
	"sed 's/\"dev\"/\"rank\":1,&/; s/\"pid\"/\"rank\":1,&/' steps.nd | cat steps.nd - | ts-sort |
	gpu-busy --within '^step' | ndjson2table -o csv -f rank,ts,host_wait,pauses" <<'END'
rank,ts,host_wait,pauses
,100,35,0
,200,10,20
1,100,35,0
1,200,10,20
END
check 'a record at the start of a step counts in this step, before or after the range' 0 \
	"printf '%s\n' '{\"ts\":0,\"dur\":9,\"kind\":\"range\",\"name\":\"a\"}' '{\"ts\":10,\"dur\":2,\"kind\":\"kernel\"}' \
	'{\"ts\":10,\"dur\":9,\"kind\":\"range\",\"name\":\"b\"}' '{\"ts\":10,\"dur\":2,\"kind\":\"kernel\"}' |
	gpu-busy --quiet --within . | ndjson2table -o csv -f name,count" <<'END'
name,count
a,0
b,2
END
check 'a range without an end' 0 \
	"sed 's/\"dur\":[59]0,\"kind\":\"range\"/\"kind\":\"range\"/' steps.nd | gpu-busy --within '^step' |
	ndjson2table -o csv -f ts,dur" <<'END'
ts,dur
100,100
200,120
--- stderr
gpu-busy: stdin:2: range without an end; its window lasts to the next range or to the end of the last work (and 1 more)
END
check 'no range, no device records' 1 '
	gpu-busy --within epoch steps.nd; gpu-busy --within step </dev/null; gpu-busy --whole </dev/null' <<'END'
--- stderr
gpu-busy: 8 device records left out: no range of their rank matches 'epoch' (--within)
gpu-busy: no device records in ranges that match 'epoch' (--within)
gpu-busy: no device records in ranges that match 'step' (--within)
gpu-busy: no device records
END
check 'ranges of a rank without device records' 1 "filter-calls -k range steps.nd | gpu-busy --within '^step'" <<'END'
--- stderr
gpu-busy: 2 ranges left out: no device records of their rank
gpu-busy: no device records in ranges that match '^step' (--within)
END
check 'records with clock are left out' 0 \
	"sed '/late/s/\"stream\":7/&,\"clock\":\"tsc\"/; /forward/s/\"pid\"/\"clock\":\"tsc\",&/' steps.nd |
	gpu-busy --within . | ndjson2table -o csv -f name,dur,count" <<'END'
name,dur,count
step 1,100,3
step 2,65,3
END
check '-r needs --within' 2 'gpu-busy -r op --whole steps.nd' <<'END'
--- stderr
gpu-busy: -r needs --within
END
check 'rejects an invalid regular expression' 2 'gpu-busy --within "(" steps.nd' <<'END'
--- stderr
gpu-busy: --within: '(': invalid regular expression: unmatched ( or \(
END

# The page states 60 bytes for each step, and 500 bytes for each step of a place.
awk 'BEGIN {
	for (i = 0; i < 50000; i++) {
		printf "{\"ts\":%d,\"dur\":9,\"kind\":\"range\",\"name\":\"step\",\"pid\":1,\"tid\":1}\n", i * 10
		printf "{\"ts\":%d,\"dur\":5,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"stream\":7}\n", i * 10 + 1
	}
}' >many.nd
if sanitized; then
	skip 'memory is not measured under a sanitizer'
else
	"$BUILD/bench/measure" result gpu-busy --quiet --within step many.nd >/dev/null
	rss=$(sed 's/.*"rss": \([0-9]*\).*/\1/' result)
	if [ "$rss" -lt 31000 ]; then pass 'memory for 50,000 steps'; else echo "peak RSS $rss KiB" |
		fail 'memory for 50,000 steps'; fi
fi

have python3 && {
	check 'equals a brute-force computation: random traces' 0 "busy_windows.py --random $(amount 12 26 200)" </dev/null
}
have python3 && need_shared data/kineto && traces_in kineto | while IFS= read -r file; do
	trace2ndjson "$file" 2>/dev/null | ts-sort | corr-join --sorted --lead 250ms >sorted.nd
	name=${file##*/}
	name="equals a brute-force computation: ${name%.json.gz}"
	if busy_windows.py sorted.nd '^ProfilerStep' >diff 2>&1; then pass "$name"; else fail "$name" <diff; fi
done
need_shared data/kineto && for name in dlrm_a100_2022_control nccl; do
	trace2ndjson "$SHARED/data/kineto/$name.json.gz" | ts-sort | corr-join --sorted --lead 250ms >$name.nd
done
# The figures of these two traces are in mock/README.md and mock/*.txt of the data folder.
need_shared data/kineto && check 'gives the figures that are known for two traces' 0 "
	columns=dur_sum,compute_time_sum,comm_only_sum,memory_only_sum,host_wait_sum,pauses_sum
	for name in dlrm_a100_2022_control nccl; do
		gpu-busy --within '^ProfilerStep' \$name.nd | derive sm_time=sm_share*dur |
		groupby -g dev -a sum -f dur,compute_time,comm_only,memory_only,host_wait,pauses,busy,sm_time |
		derive busy_share=busy_sum/dur_sum sm_share=sm_time_sum/dur_sum |
		ndjson2table -o csv -u ms -f \$columns,busy_share,sm_share |
		tail -n 1
	done" <<'END'
465.171,281.336,87.921,19.33,67.124,9.46,0.8353637694525239,0.5920521301955933
667.225958,115.655847,39.559468,2.284699,507.142972,2.582972,0.2360519882531309,0.16868843436039885
END

# The second kernel of rank 0 was launched after its step, and rank 1 has no step.
cat >late.nd <<'END'
{"ts":0,"dur":10,"kind":"range","name":"step 1","rank":0}
{"ts":5,"dur":10,"kind":"kernel","name":"k","rank":0,"dev":0,"stream":7,"api":{"ts":4}}
{"ts":20,"dur":7,"kind":"kernel","name":"k","rank":0,"dev":0,"stream":7,"api":{"ts":19}}
{"ts":30,"dur":5,"kind":"kernel","name":"k","rank":1,"dev":0,"stream":7}
END
check 'all work' 0 '
	gpu-busy --all-work --within step late.nd | ndjson2table -o csv -f rank,name,ts,dur,compute_time,steps' <<'END'
rank,name,ts,dur,compute_time,steps
0,step 1,0,27,17,host
1,,30,5,5,
END
check 'all work, and a last range without launches, which is no step' 0 '
	{ cat late.nd; echo "{\"ts\":40,\"dur\":9,\"kind\":\"range\",\"name\":\"step 2\",\"rank\":0}"; } |
		gpu-busy --all-work --within step | ndjson2table -o csv -f name,ts,dur' <<'END'
name,ts,dur
step 1,0,27
,30,5
END

# Times before 0: the only work of stream 8 ends before the first step, so that its missing call does not matter.
cat >early <<'EOF'
{"ts":-21,"dur":2,"kind":"kernel","name":"a","dev":1,"stream":8}
{"ts":-14,"dur":4,"kind":"range","name":"step 0"}
{"ts":-10,"dur":39,"kind":"range","name":"step 1"}
{"ts":20,"dur":5,"kind":"kernel","name":"b","dev":1,"stream":7,"api":{"name":"launch","ts":-5,"dur":1}}
EOF
check 'work without a call before the first step, at negative times' 0 \
	'gpu-busy --quiet --by-launch --within "^step" early | ndjson2table -o csv -f ts,dur,steps,busy' <<'EOF'
ts,dur,steps,busy
-14,4,launch,0
-10,39,launch,5
EOF
finish
