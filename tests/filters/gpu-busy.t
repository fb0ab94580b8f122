#!/bin/sh
# gpu-busy.t: tests busy and idle times, causes of idle time, and time slices.
. "${0%/*}/../lib.sh"

cat >a.nd <<'END'
{"ts":50,"dur":500,"kind":"op","name":"aten::mm","pid":1,"tid":1}
{"ts":100,"dur":50,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"name":"cudaLaunchKernel","ts":80,"dur":10}}
{"ts":120,"dur":50,"kind":"kernel","name":"ncclDevKernel_AllReduce","dev":0,"stream":9,"api":{"ts":90,"dur":10}}
{"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD (Pageable -> Device)","dev":0,"stream":7,"bytes":120,"api":{"ts":190,"dur":15}}
{"ts":210,"dur":5,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":195,"dur":5}}
{"ts":240,"dur":0,"kind":"kernel","name":"tiny","dev":1,"stream":7}
{"ts":40240,"dur":10,"kind":"memset","name":"Memset (Device)","dev":1,"stream":7,"bytes":10}
END
check 'writes the sums of each device' 0 'gpu-busy a.nd' <<'END'
{"kind":"gpu-busy","dev":0,"count":4,"span":115,"busy":85,"idle":30,"compute_time":55,"comm_time":50,"memory_time":10,"other_time":0,"overlap_time":30,"concurrent":30,"busy_share":0.7391304347826086,"overlap_share":0.6,"host_wait":30,"kernel_wait":0,"other_wait":0}
{"kind":"gpu-busy","dev":1,"count":2,"span":40010,"busy":10,"idle":40000,"compute_time":0,"comm_time":0,"memory_time":10,"other_time":0,"overlap_time":0,"concurrent":0,"busy_share":0.00024993751562109475,"host_wait":0,"kernel_wait":0,"other_wait":40000}
--- stderr
gpu-busy: 1 idle intervals end with work that has no call (api); their causes are guessed from their lengths; run: ... | ts-sort | corr-join --sorted --lead 250ms | gpu-busy
END
check '--per stream' 0 \
	'gpu-busy --per stream a.nd |
	ndjson2table -o csv -f dev,stream,count,busy,idle,host_wait,kernel_wait,other_wait 2>/dev/null' <<'END'
dev,stream,count,busy,idle,host_wait,kernel_wait,other_wait
0,7,3,65,50,50,0,0
0,9,1,50,0,0,0,0
1,7,2,10,40000,0,0,40000
--- stderr
gpu-busy: 1 idle intervals end with work that has no call (api); their causes are guessed from their lengths; run: ... | ts-sort | corr-join --sorted --lead 250ms | gpu-busy
END
check '--per all' 0 'gpu-busy --per all a.nd 2>/dev/null | ndjson2table -o csv -f count,span,busy' <<'END'
count,span,busy
6,40150,95
END
check '--sets=streams writes the time of each number of streams' 0 \
	'for per in dev all stream; do gpu-busy --per $per --sets=streams a.nd; done' <<'END'
{"dur":55,"kind":"gpu-busy","dev":0,"streams":1,"share":0.6470588235294118}
{"dur":30,"kind":"gpu-busy","dev":0,"streams":2,"share":0.35294117647058826}
{"dur":10,"kind":"gpu-busy","dev":1,"streams":1,"share":1}
{"dur":65,"kind":"gpu-busy","streams":1,"share":0.6842105263157895}
{"dur":30,"kind":"gpu-busy","streams":2,"share":0.3157894736842105}
{"dur":65,"kind":"gpu-busy","dev":0,"stream":7,"streams":1,"share":1}
{"dur":50,"kind":"gpu-busy","dev":0,"stream":9,"streams":1,"share":1}
{"dur":10,"kind":"gpu-busy","dev":1,"stream":7,"streams":1,"share":1}
END
check '--sets rejects other words' 2 'gpu-busy --sets=kernels a.nd' <<'END'
--- stderr
gpu-busy: --sets: 'kernels': expected types or streams
END
check '--sets' 0 'gpu-busy --sets a.nd' <<'END'
{"dur":25,"kind":"gpu-busy","dev":0,"types":"COMPUTATION","share":0.29411764705882354}
{"dur":20,"kind":"gpu-busy","dev":0,"types":"COMMUNICATION","share":0.23529411764705882}
{"dur":30,"kind":"gpu-busy","dev":0,"types":"COMPUTATION overlapping COMMUNICATION","share":0.35294117647058826}
{"dur":10,"kind":"gpu-busy","dev":0,"types":"MEMORY","share":0.11764705882352941}
{"dur":10,"kind":"gpu-busy","dev":1,"types":"MEMORY","share":1}
END
check '--every' 0 \
	'filter-calls -w "dev == 0" a.nd | gpu-busy --every 60 |
	ndjson2table -o csv -f ts,dur,busy,compute_time,comm_time,memory_time,overlap_time' <<'END'
ts,dur,busy,compute_time,comm_time,memory_time,overlap_time
60,60,20,20,0,0,0
120,60,50,30,50,0,30
180,60,15,5,0,10,0
END
check '--every: work that ends with a slice does not start the next slice' 0 \
	'echo "{\"ts\":-10,\"dur\":20,\"kind\":\"kernel\"}" | gpu-busy --every 10 | ndjson2table -o csv -f ts,busy' <<'END'
ts,busy
-10,10
0,10
END
check '--origin: slices begin at the origin and at multiples of T before and after it' 0 '
	for origin in 45 65 -15 1us; do
		filter-calls -w "dev == 0" a.nd | gpu-busy --every 60 --origin $origin | ndjson2table -o csv -f ts,dur,busy
	done' <<'END'
ts,dur,busy
45,60,5
105,60,60
165,60,20
ts,dur,busy
65,60,25
125,60,45
185,60,15
ts,dur,busy
45,60,5
105,60,60
165,60,20
ts,dur,busy
100,60,60
160,60,25
END
# The times of trace.nd do not fit in 53 bits.
trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | derive ts=ts+1614800519473000000 >trace.nd
for name in trace.nd "$SHARED/data/kineto/dlrm_a100_2022_control.json.gz"; do
	[ "$name" = trace.nd ] || { need_shared "data/kineto/${name##*/}" && trace2ndjson "$name" | ts-sort |
		filter-calls -k kernel -m 5000 >trace.nd; } || continue
	start=$(groupby -a min -f ts -o csv trace.nd | tail -n 1)
	for origin in 0 1 -1 "$start" $((start + 300017)) $((start - 300017)) $((start + 100000000)); do
		gpu-busy --per stream --every 70us --origin "$origin" trace.nd >is
		derive ts="ts-($origin)" trace.nd | gpu-busy --per stream --every 70us | derive ts="ts+($origin)" >expected
		if [ -s is ] && cmp is expected >diff; then pass "--origin $origin: $name"; else
			fail "--origin $origin: $name" <diff; fi
	done
done
check '--origin: times at the limits of 64 bits' 0 '
	for origin in 9223372036854775807 -9223372036854775808; do
		printf "{\"ts\":%s,\"dur\":20,\"kind\":\"kernel\"}\n" -9223372036854775807 -9223372036854775785 |
		gpu-busy --every 10 --origin $origin | ndjson2table -o csv -f ts,busy
		echo "{\"ts\":9223372036854775801,\"dur\":5,\"kind\":\"kernel\"}" |
		gpu-busy --every 10 --origin $origin | ndjson2table -o csv -f ts,busy
	done' <<'END'
ts,busy
-9223372036854775808,4
-9223372036854775803,10
-9223372036854775793,8
-9223372036854775783,10
-9223372036854775773,8
ts,busy
9223372036854775797,5
ts,busy
-9223372036854775808,9
-9223372036854775798,10
-9223372036854775788,8
-9223372036854775778,10
-9223372036854775768,3
ts,busy
9223372036854775792,1
9223372036854775802,4
END
check 'options that need another option' 2 '
	gpu-busy --whole --origin 5 a.nd; gpu-busy -r op --whole a.nd' <<'END'
--- stderr
gpu-busy: --origin needs --every
gpu-busy: -r needs --within
END
check "--origin '9223372036854775808'" 2 'gpu-busy --every 5 --origin 9223372036854775808 a.nd' <<'END'
--- stderr
gpu-busy: --origin: '9223372036854775808': expected a time that fits in 64 bits, such as 10ms (units: ns us ms s)
END
for value in +2s 1.5.2 '' 5MB; do
	check "--origin '$value'" 2 "gpu-busy --every 5 --origin '$value' a.nd" <<END
--- stderr
gpu-busy: --origin: '$value': expected a time, such as 10ms (units: ns us ms s)
END
done
check '--every leaves out more than 1000000 slices in a row without work' 1 \
	'printf "{\"ts\":%s,\"dur\":2,\"kind\":\"kernel\"}\n" 1 9000000000000000000 | gpu-busy --every 2' <<'END'
{"ts":0,"dur":2,"kind":"counter","name":"busy","busy":1,"idle":1,"compute_time":1,"comm_time":0,"memory_time":0,"other_time":0,"overlap_time":0,"concurrent":0,"busy_share":0.5}
{"ts":9000000000000000000,"dur":2,"kind":"counter","name":"busy","busy":2,"idle":0,"compute_time":2,"comm_time":0,"memory_time":0,"other_time":0,"overlap_time":0,"concurrent":0,"busy_share":1}
--- stderr
gpu-busy: stdin:2: more than 1000000 slices in which no work starts; only the first one is written
END
check 'does not suggest corr-join to the users of a script' 0 \
	'export TRACEFILTERS_COMMAND=job; gpu-busy a.nd >out; gpu-counters queue a.nd >out' <<'END'
--- stderr
job: 1 idle intervals end with work that has no call (api); their causes are guessed from their lengths
job: 2 device records have no call (api) and are left out of all queues
END
check 'warns about host_wait if work starts before its call' 0 \
	'sed "s/\"ts\":190/\"ts\":201/" a.nd | filter-calls -w api | gpu-busy --per stream |
	ndjson2table -o csv -f stream,host_wait' <<'END'
stream,host_wait
7,50
9,0
--- stderr
gpu-busy: 1 idle intervals end with work that starts before its call (clocks disagree); host_wait may not be their cause
END
check '--types accepts records in any order' 0 \
	'ts-sort a.nd | tail -n 6 | sort -r | gpu-busy --types --comm tiny --other nccl |
	ndjson2table -o csv -f ts,kind,type' <<'END'
ts,kind,type
40240,memset,MEMORY
240,kernel,COMMUNICATION
210,kernel,COMPUTATION
200,memcpy,MEMORY
120,kernel,OTHER
100,kernel,COMPUTATION
END
check '--comm, --memory-ops and --other' 0 \
	'gpu-busy --comm tiny --memory-ops gemm --other nccl a.nd 2>/dev/null |
	ndjson2table -o csv -f dev,compute_time,comm_time,memory_time,other_time,overlap_time' <<'END'
dev,compute_time,comm_time,memory_time,other_time,overlap_time
0,0,0,65,50,0
1,0,0,10,0,0
END
check '--comm rejects an invalid regular expression' 2 'gpu-busy --comm "(" a.nd' <<'END'
--- stderr
gpu-busy: --comm: '(': invalid regular expression: unmatched ( or \(
END
check 'sync records are not work, except with -k sync' 0 '
	echo "{\"ts\":5,\"dur\":10,\"kind\":\"sync\",\"name\":\"Stream Sync\",\"dev\":0}" >sync.nd
	gpu-busy sync.nd; gpu-busy -k sync sync.nd | ndjson2table -o csv -f count,busy,other_time' <<'END'
count,busy,other_time
1,10,10
--- stderr
gpu-busy: no records of these kinds in the input: kernel, memcpy, memset; were they filtered out before?
END
check 'empty input gives empty output' 0 'gpu-busy </dev/null' <<'END'
END
check 'rejects input out of ts order' 2 'printf "{\"ts\":%s,\"kind\":\"kernel\"}\n" 2 1 | gpu-busy --per stream' <<'END'
--- stderr
gpu-busy: stdin:2: not in ts order; run: ... | ts-sort | gpu-busy --per stream
END
check 'rejects two options that select the output' 2 'gpu-busy --whole --types a.nd' <<'END'
--- stderr
gpu-busy: --whole and --types cannot be used together
END
check '-g is the former name of --per' 0 '
	gpu-busy --per stream --types a.nd >want; gpu-busy -g stream --types a.nd | cmp - want' <<'END'
--- stderr
gpu-busy: -g is now called --per; -g works until version 0.4.0
END
check 'former options: the message names the command that replaces them' 2 '
	for option in --gaps "--min 5" "--host op" "--memory 1MB" "--wait 1us" \
		"--exposed name" --queue "--horizon 5" --bandwidth; do gpu-busy $option a.nd; done' <<'END'
--- stderr
gpu-busy: --gaps is not an option any more; run: gpu-gaps
gpu-busy: --min is not an option any more; run: gpu-gaps --min T
gpu-busy: --host is not an option any more; run: gpu-gaps --host op|api|range
gpu-busy: --memory is not an option any more; run: gpu-gaps --host op|api|range --memory SIZE
gpu-busy: --wait is not an option any more; run: gpu-gaps --wait T | groupby -g dev,cause -a sum
gpu-busy: --exposed is not an option any more; run: gpu-exposed -g KEY
gpu-busy: --queue is not an option any more; run: gpu-counters queue
gpu-busy: --horizon is not an option any more; run: gpu-counters queue --horizon T
gpu-busy: --bandwidth is not an option any more; run: gpu-counters bandwidth
END

have python3 && need_shared data/kineto && traces_in kineto | while IFS= read -r file; do
	case $file in *cpu_only* | *triton*) continue ;; esac # no device records
	trace2ndjson "$file" 2>/dev/null | ts-sort | corr-join --sorted >sorted.nd
	name=${file##*/}
	name="equals a brute-force computation: ${name%.json.gz}"
	if busy_time.py >diff 2>&1; then pass "$name"; else fail "$name" <diff; fi
done

check 'reports ts and dur that are not integers' 0 \
	'printf "%s\n" "{\"ts\":1,\"dur\":2.5,\"kind\":\"kernel\",\"name\":\"a\",\"dev\":0}" \
		"{\"ts\":9.5,\"dur\":4,\"kind\":\"kernel\",\"name\":\"a\",\"dev\":0}" |
		gpu-busy >busy; echo $?; cut -d , -f 2-3 busy' <<'EOF'
1
"dev":0,"count":1
--- stderr
gpu-busy: stdin:1: dur is not an integer number of ns; treated as absent
gpu-busy: stdin:2: ts is not an integer number of ns; treated as absent
EOF

finish
