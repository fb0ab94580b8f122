#!/bin/sh
# device-scripts.t: trace-steps, and the scripts that describe the work of devices: device-summary,
# device-summary --overlap, idle-causes, launch-stats, kernel-types, memory-bandwidth, queue-lengths, annotation-times.
# kineto-reports.t compares their output, row by row, with the reports of the reference tool on recorded traces.
. "${0%/*}/../lib.sh"

# The records are unsorted. Step 1 lasts from 0 to 100; step 2 begins at 100. The nccl kernel is launched in step 1 and
# runs in step 2.
cat >steps.nd <<'END'
{"kind":"meta","name":"process_name","pid":1,"args":{"name":"python"}}
{"ts":60,"dur":5,"kind":"kernel","name":"orphan","dev":0,"stream":7,"corr":99}
{"ts":20,"dur":30,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":1}
{"ts":110,"dur":40,"kind":"kernel","name":"ncclAllReduce","dev":0,"stream":8,"corr":2}
{"ts":130,"dur":10,"kind":"memcpy","name":"Memcpy HtoD (Pageable -> Device)","dev":0,"stream":7,"corr":3,"bytes":10000}
{"ts":0,"dur":50,"kind":"gpu_range","name":"ProfilerStep#9","dev":0,"stream":7}
{"ts":0,"dur":100,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}
{"ts":100,"dur":100,"kind":"range","name":"ProfilerStep#2","pid":1,"tid":1}
{"ts":10,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":90,"dur":5,"kind":"api","name":"cudaLaunchKernelExC","pid":1,"tid":1,"corr":2}
{"ts":120,"dur":20,"kind":"api","name":"cudaMemcpyAsync","pid":1,"tid":1,"corr":3}
{"ts":125,"dur":1,"kind":"op","name":"aten::copy_","pid":1,"tid":1}
END

# --- records ---

shown='ndjson2table -o csv -f ts,dur,kind,name,api.ts'
check 'trace-steps --complete: drops the last step, and device records by their launch' 0 \
	"trace-steps --complete steps.nd | $shown" <<'END'
ts,dur,kind,name,api.ts
,,meta,process_name,
0,100,range,ProfilerStep#1,
0,50,gpu_range,ProfilerStep#9,
10,5,api,cudaLaunchKernel,
20,30,kernel,gemm,10
90,5,api,cudaLaunchKernelExC,
110,40,kernel,ncclAllReduce,90
--- stderr
trace-steps: 1 device records without a known call; skipped
END
check 'trace-steps --complete: prints a trace of one step whole' 0 \
	"filter-calls -v -n ProfilerStep#2 steps.nd | trace-steps --complete | filter-calls -c" <<'END'
11
END
check 'trace-steps --complete: ranges of one name are one step' 0 \
	"sed 's/Step#2/Step#1/' steps.nd | trace-steps --complete - | filter-calls -c" <<'END'
12
END
check 'trace-steps --complete -e' 0 "trace-steps --complete -e '^cuda' steps.nd 2>said | $shown" <<'END'
ts,dur,kind,name,api.ts
,,meta,process_name,
0,100,range,ProfilerStep#1,
0,50,gpu_range,ProfilerStep#9,
10,5,api,cudaLaunchKernel,
20,30,kernel,gemm,10
90,5,api,cudaLaunchKernelExC,
100,100,range,ProfilerStep#2,
110,40,kernel,ncclAllReduce,90
END
check 'trace-steps --complete -e: reports that no step matches' 1 \
	"trace-steps --complete -e ProfilerStp steps.nd | filter-calls -c
	trace-steps --complete -e ProfilerStp steps.nd >out" <<'END'
12
--- stderr
trace-steps: no step matches 'ProfilerStp'; the whole trace is printed
trace-steps: no step matches 'ProfilerStp'; the whole trace is printed
END
check 'trace-steps --complete: negative times' 0 \
	"sed 's/\"ts\":/&-1000/; s/-1000\([0-9]*\)/-\1/' steps.nd | trace-steps --complete -e '#[12]' 2>said |
	filter-calls -k range |
	ndjson2table -o csv -f ts,name" <<'END'
ts,name
-100,ProfilerStep#2
END
check 'trace-steps: selects device records by their launch' 0 \
	"trace-steps --marker ProfilerStep --skip 0 --count 1 steps.nd | $shown" <<'END'
ts,dur,kind,name,api.ts
,,meta,process_name,
0,100,range,ProfilerStep#1,
0,50,gpu_range,ProfilerStep#9,
10,5,api,cudaLaunchKernel,
20,30,kernel,gemm,10
60,5,kernel,orphan,
90,5,api,cudaLaunchKernelExC,
110,40,kernel,ncclAllReduce,90
END
check 'trace-steps --by own selects device records by their own start' 0 \
	"trace-steps --by=own --marker=ProfilerStep --skip=1 steps.nd | $shown" <<'END'
ts,dur,kind,name,api.ts
,,meta,process_name,
100,100,range,ProfilerStep#2,
110,40,kernel,ncclAllReduce,90
120,20,api,cudaMemcpyAsync,
125,1,op,aten::copy_,
130,10,memcpy,Memcpy HtoD (Pageable -> Device),120
END
check 'trace-steps: tries markers in order, ignoring letter case' 0 \
	"trace-steps --marker DataLoader --marker aten --marker cudalaunch --skip 0 --count 1 --by own steps.nd |
		$shown" <<'END'
ts,dur,kind,name,api.ts
,,meta,process_name,
10,5,api,cudaLaunchKernel,
20,30,kernel,gemm,10
60,5,kernel,orphan,
END
check 'trace-steps: --meta keeps names that have a time' 0 \
	'{ echo "{\"ts\":-9,\"kind\":\"meta\",\"name\":\"process_name\"}"; echo "{\"kind\":\"meta\",\"name\":\"no ts\"}";
		cat steps.nd; } >named.nd
	for o in "" --meta; do for by in launch own; do trace-steps $o --by $by --skip 1 named.nd |
		filter-calls -c -k meta; done; done' <<'END'
2
2
3
3
END
check 'trace-steps: finds the default markers' 0 "trace-steps --skip 1 steps.nd | filter-calls -c -w ts" <<'END'
4
END
check 'trace-steps: reports a trace with too few markers' 1 \
	'trace-steps --marker Step --marker "no [s]uch" --skip 1 --count 2 steps.nd' <<'END'
--- stderr
trace-steps: no marker occurs at least 3 times (Step: 2, no [s]uch: 0)
END
check 'trace-steps: reports that no marker follows --skip' 1 \
	'trace-steps --marker Step --skip 2 steps.nd' <<'END'
--- stderr
trace-steps: no marker occurs more than 2 times (Step: 2)
END
# The clock of the device is 50 ms slow. A kernel belongs to the step of its call, even if a marker comes between the
# kernel and the call.
cat >early.nd <<'END'
{"ts":60000000,"dur":5,"kind":"kernel","name":"k1","pid":1,"dev":0,"stream":7,"corr":1}
{"ts":100000000,"dur":90,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}
{"ts":110000000,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":160000000,"dur":5,"kind":"kernel","name":"k2","pid":1,"dev":0,"stream":7,"corr":2}
{"ts":200000000,"dur":90,"kind":"range","name":"ProfilerStep#2","pid":1,"tid":1}
{"ts":210000000,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":2}
END
check 'trace-steps: accepts device work that starts before its call' 0 \
	'for o in "--skip 0 --count 1" "--skip 1" "--skip 1 --count 1"; do
	trace-steps $o early.nd | ndjson2table -o csv -f ts,name,api.ts; done' <<'END'
ts,name,api.ts
60000000,k1,110000000
100000000,ProfilerStep#1,
110000000,cudaLaunchKernel,
ts,name,api.ts
160000000,k2,210000000
200000000,ProfilerStep#2,
210000000,cudaLaunchKernel,
ts,name,api.ts
160000000,k2,210000000
200000000,ProfilerStep#2,
210000000,cudaLaunchKernel,
END
have python3 && slow check 'trace-steps: every cut of six steps' 0 'step_cuts.py' </dev/null
check 'trace-steps: reports that no record matches' 1 \
	"trace-steps --marker Nothing steps.nd; trace-steps --marker 'a 1' --marker zz steps.nd" <<'END'
--- stderr
trace-steps: no record matches 'Nothing'
trace-steps: no record matches 'a 1' or 'zz'
END
for option in '--skip -1' '--count x' '--by thread' '--skip=' '--count' '--count 0' '--skip 010' \
	'--skip 99999999999999999999'; do
	check_re "trace-steps: rejects $option" 2 "trace-steps $option" <<'END'
--- stderr
trace-steps: .*; try trace-steps -h
END
done

trace=data/kineto/dlrm_a100_2022_control.json.gz golden=golden/kineto/dlrm_overheads/control_1_4.input.json.gz
have python3 && need_shared "$trace" "$golden" &&
	check 'trace-steps: trims a recorded trace like the reference' 0 \
		'trimmed_trace.py "$SHARED/'"$trace\" \"\$SHARED/$golden\"" <<'END'
own 73096 [] []
launch 73096 [] []
END

# --- tables; the device computes in 20-50 and 60-65, communicates in 110-150, and copies in 130-140 ---

check 'device-summary' 0 'device-summary -o csv steps.nd' <<'END'
dev,count,start_delay,kernel_time,idle,compute_time,non_compute_time,idle_share,compute_share,non_compute_share,comm_time,memory_time
0,4,20,130,55,35,40,0.4230769230769231,0.2692307692307692,0.3076923076923077,40,10
END
check 'device-summary --per stream: separates ranks' 0 \
	'trace2ndjson --set rank=3 steps.nd | device-summary --per stream -o csv' <<'END'
rank,dev,stream,count,start_delay,kernel_time,idle,compute_time,non_compute_time,idle_share,compute_share,non_compute_share,comm_time,memory_time
3,0,7,3,20,120,75,35,10,0.625,0.2916666666666667,0.08333333333333333,0,10
3,0,8,1,110,40,0,0,40,0,0,1,40,0
END
cat >delays.nd <<'END'
{"ts":300,"dur":10,"kind":"kernel","name":"a","dev":0,"stream":8,"rank":0}
{"ts":150,"dur":10,"kind":"kernel","name":"a","dev":1,"stream":7,"rank":0}
{"ts":180,"dur":10,"kind":"kernel","name":"a","dev":1,"stream":9,"rank":0}
{"ts":100,"dur":10,"kind":"range","name":"step","rank":0}
{"ts":120,"dur":10,"kind":"op","name":"aten::mm","rank":0}
{"ts":900,"dur":10,"kind":"memcpy","name":"Memcpy","dev":0,"stream":7,"rank":1}
{"ts":950,"dur":10,"kind":"api","name":"cudaMemcpyAsync","rank":1}
{"ts":20,"dur":10,"kind":"kernel","name":"b","dev":0,"stream":7,"rank":2}
END
check 'device-summary: start_delay of each rank, device and stream; absent without host records' 0 \
	'for g in all dev stream; do
	device-summary --per $g -o ndjson delays.nd |
		ndjson2table --quiet -o csv -f rank,dev,stream,start_delay -s rank,dev,stream
	done' <<'END'
rank,dev,stream,start_delay
2,,,
1,,,-50
0,,,50
rank,dev,stream,start_delay
2,0,,
1,0,,-50
0,1,,50
0,0,,200
rank,dev,stream,start_delay
2,0,7,
1,0,7,-50
0,1,9,80
0,1,7,50
0,0,8,200
END
cat >sync.nd <<'END'
{"ts":0,"dur":10,"kind":"kernel","name":"gemm","dev":0,"stream":7}
{"ts":5,"dur":15,"kind":"sync","name":"Stream Sync","dev":0,"stream":7}
{"ts":5,"dur":95,"kind":"sync","name":"Context Sync","dev":0,"stream":-1}
{"ts":5,"dur":95,"kind":"sync","name":"Event Sync","dev":0}
END
check 'device-summary -k: counts a sync of a stream' 0 'device-summary -k kernel,sync -o csv sync.nd' <<'END'
dev,count,kernel_time,idle,compute_time,non_compute_time,idle_share,compute_share,non_compute_share,comm_time,memory_time
0,2,20,0,10,10,0,0.5,0.5,0,0
END
check 'device-summary, idle-causes: options may follow the trace' 1 \
	'device-summary steps.nd --per all -o csv | cut -d , -f 1,3; idle-causes sync.nd -o csv --lead 1ms' <<'END'
count,kernel_time
4,130
--- stderr
idle-causes: no idle time between device records
END
check 'device-summary: rejects an unknown place' 2 'device-summary --per xyz steps.nd' <<'END'
--- stderr
device-summary: --per: 'xyz': expected all, dev or stream; try device-summary -h
END
check 'device-summary --overlap' 0 \
	'device-summary --overlap -o csv steps.nd; device-summary --overlap -e "^Memcpy|gemm" -o csv steps.nd' <<'END'
dev,comm_time,compute_time,overlap_time,overlap_share
0,40,35,0,0
dev,comm_time,compute_time,overlap_time,overlap_share
0,30,45,0,0
END
check 'device-summary --overlap: half of the communication overlaps' 0 \
	"sed 's/\"ts\":20,/\"ts\":100,/' steps.nd | device-summary --overlap -o csv" <<'END'
dev,comm_time,compute_time,overlap_time,overlap_share
0,40,35,20,0.5
END
check 'idle-causes' 0 'idle-causes -o csv steps.nd' <<'END'
dev,stream,cause,count,dur_sum,share,dur_mean,dur_min,dur_p25,dur_p50,dur_p75,dur_max
0,7,host_wait,1,65,0.8666666666666667,65,65,65,65,65,65
0,7,kernel_wait,1,10,0.13333333333333333,10,10,10,10,10,10
--- stderr
idle-causes: 1 idle intervals end with work that has no call (api); their causes are guessed from their lengths
END
check 'launch-stats: prints each launch' 0 'launch-stats -o csv steps.nd' <<'END'
ts,name,dev,stream,corr,api.name,cpu_duration,gpu_duration,launch_delay
20,gemm,0,7,1,cudaLaunchKernel,5,30,5
110,ncclAllReduce,0,8,2,cudaLaunchKernelExC,5,40,15
130,Memcpy HtoD (Pageable -> Device),0,7,3,cudaMemcpyAsync,20,10,0
END
check 'launch-stats: does not count syncs' 0 \
	"sed 's/kernel\",\"name\":\"gemm/sync\",\"name\":\"Stream Sync/' steps.nd | launch-stats -o csv" <<'END'
ts,name,dev,stream,corr,api.name,cpu_duration,gpu_duration,launch_delay
110,ncclAllReduce,0,8,2,cudaLaunchKernelExC,5,40,15
130,Memcpy HtoD (Pageable -> Device),0,7,3,cudaMemcpyAsync,20,10,0
END
check 'launch-stats -e -g' 0 \
	"launch-stats -e '^cudaLaunch' -g dev -o ndjson steps.nd |
	ndjson2table -o csv -f dev,count,cpu_duration_mean,gpu_duration_mean,launch_delay_p50" <<'END'
dev,count,cpu_duration_mean,gpu_duration_mean,launch_delay_p50
0,2,5,35,10
END
# The first kernel starts before its launch.
sed 's/"ts":20,/"ts":5,/' steps.nd >early.nd
check 'launch-stats -e hta: the calls of Holistic Trace Analysis' 0 \
	"launch-stats -e hta -o csv steps.nd >hta; launch-stats -o csv steps.nd | cmp - hta
	sed 's/cudaLaunchKernel/cuLaunchKernel/' steps.nd | launch-stats -e hta -o csv | cut -d , -f 1,2" <<'END'
ts,name
130,Memcpy HtoD (Pageable -> Device)
END
check 'launch-stats: skips work that starts before its call' 1 \
	'launch-stats -g delay -o csv early.nd 2>said | cut -d , -f 1,2; launch-stats -o csv early.nd' <<'END'
delay,count
10,1
20,1
ts,name,dev,stream,corr,api.name,cpu_duration,gpu_duration,launch_delay
110,ncclAllReduce,0,8,2,cudaLaunchKernelExC,5,40,15
130,Memcpy HtoD (Pageable -> Device),0,7,3,cudaMemcpyAsync,20,10,0
--- stderr
launch-stats: 1 device records start before their calls (clocks disagree); skipped
END
check 'queue-lengths: skips work that starts before its call' 1 'queue-lengths -o csv early.nd' <<'END'
dev,stream,count,mean,std,min,p25,p50,p75,max
0,7,2,0.5,0.7071067811865476,0,0.25,0.5,0.75,1
0,8,2,0.5,0.7071067811865476,0,0.25,0.5,0.75,1
--- stderr
queue-lengths: 1 device records have no call (api) and are left out of all queues
queue-lengths: stdin:1: device record starts before its call (clocks disagree); left out of its queue
END
# Quartiles of values from 1 to 10001 ns are exact.
check 'launch-stats -g: quartiles are exact' 0 "awk 'BEGIN { for (i = 0; i <= 10000; i++) {
		t = i * 1000000
		printf \"{\\\"ts\\\":%d,\\\"dur\\\":1,\\\"kind\\\":\\\"api\\\",\\\"name\\\":\\\"c\\\",\\\"corr\\\":%d}\\n\", t, i
		printf \"{\\\"ts\\\":%d,\\\"dur\\\":%d,\\\"kind\\\":\\\"kernel\\\",\\\"name\\\":\\\"k\\\",\\\"corr\\\":%d}\\n\",
			t + 9, i + 1, i
	} }' | launch-stats -g name -o ndjson |
	ndjson2table -o csv -f count,gpu_duration_p25,gpu_duration_p50,gpu_duration_p75" <<'END'
count,gpu_duration_p25,gpu_duration_p50,gpu_duration_p75
10001,2501,5001,7501
END
check 'kernel-types' 0 'kernel-types -o csv steps.nd; kernel-types --per stream -o csv steps.nd' <<'END'
dev,types,dur_sum,share
0,COMPUTATION,35,0.4666666666666667
0,COMMUNICATION,30,0.4
0,COMMUNICATION overlapping MEMORY,10,0.13333333333333333
dev,stream,types,dur_sum,share
0,7,COMPUTATION,35,0.7777777777777778
0,7,MEMORY,10,0.2222222222222222
0,8,COMMUNICATION,40,1
END
check 'kernel-types: rejects an unknown place' 2 'kernel-types --per xyz steps.nd' <<'END'
--- stderr
kernel-types: --per: 'xyz': expected all, dev or stream; try kernel-types -h
END
check 'kernel-types --by-name' 0 'cat steps.nd steps.nd | kernel-types --by-name -o csv' <<'END'
name,type,count,dur_sum,dur_max,dur_min,dur_mean,dur_std
ncclAllReduce,COMMUNICATION,2,80,40,40,40,0
gemm,COMPUTATION,2,60,30,30,30,0
Memcpy HtoD (Pageable -> Device),MEMORY,2,20,10,10,10,0
orphan,COMPUTATION,2,10,5,5,5,0
END
check 'memory-bandwidth' 0 'memory-bandwidth -o csv steps.nd' <<'END'
name,dev,count,mean,min,p25,p50,p75,max
Memcpy HtoD,0,1,1000,1000,1000,1000,1000,1000
END
check 'queue-lengths' 0 'queue-lengths -o csv steps.nd; queue-lengths -e Memcpy -o ndjson steps.nd' <<'END'
dev,stream,count,mean,std,min,p25,p50,p75,max
0,7,4,0.5,0.5773502691896257,0,0,0.5,1,1
0,8,2,0.5,0.7071067811865476,0,0.25,0.5,0.75,1
{"kind":"stats","dev":0,"stream":7,"count":2,"mean":0.5,"std":0.7071067811865476,"min":0,"p25":0.25,"p50":0.5,"p75":0.75,"max":1}
--- stderr
queue-lengths: 1 device records have no call (api) and are left out of all queues
END
for i in 0 1 2 3 4 5 6 7 8; do
	printf '{"ts":%d,"dur":1,"kind":"api","name":"c","corr":%d}\n' $i $i
	printf '{"ts":%d,"dur":9,"kind":"kernel","name":"k","corr":%d,"stream":7}\n' $((i * 9 + 20)) $i
done | ts-sort >ahead.nd
check 'queue-lengths: a sentence about the stream with most values' 0 \
	'queue-lengths ahead.nd | tail -n 2; queue-lengths steps.nd 2>said | tail -n 1' <<'END'

Half of the values of stream 7 are 4.5 or more: the host is ahead of it.
At least half of the values of device 0, stream 7 are 0 or 1: it mostly waits for the host.
END
check 'annotation-times' 0 \
	'cat steps.nd steps.nd | annotation-times -o csv; annotation-times --device -o csv steps.nd' <<'END'
name,count,dur_sum,dur_max,dur_min,dur_mean,dur_std
ProfilerStep#1,2,200,100,100,100,0
ProfilerStep#2,2,200,100,100,100,0
name,count,dur_sum,dur_max,dur_min,dur_mean
ProfilerStep#9,1,50,50,50,50
END

# Each script reports that it has nothing to print.
grep -v '"dev"' steps.nd >host.nd
none() { # none SCRIPT MESSAGE
	check "$1 reports a trace without device records" 1 "$1 host.nd >out" <<END
--- stderr
${1%% *}: $2
END
}
for script in device-summary 'device-summary --overlap' kernel-types 'kernel-types --by-name'; do
	none "$script" 'no device records'
done
none idle-causes 'no idle time between device records'
none launch-stats 'no device records with a known call'
none 'queue-lengths -e cuda' "no device records with a known call that matches 'cuda'"
none memory-bandwidth 'no copies or memsets with a size'
none 'annotation-times --device' 'no ranges of the device (gpu_user_annotation)'
check 'annotation-times reports a trace without ranges' 1 'grep -v range steps.nd | annotation-times >out' <<'END'
--- stderr
annotation-times: no ranges
END

# --- all scripts ---

only_slow_follow # every script with several wrong inputs
tables='device-summary idle-causes launch-stats kernel-types memory-bandwidth queue-lengths'
tables="$tables annotation-times"
for script in trace-steps $tables; do
	check_re "$script: -h prints an example and the usage" 0 "$script -h | sed -n '1p; 3p'" <<END
.*$script.*
usage: $script \[.*
END
	check "$script: --help prints the same as -h, and exits 2 on a full disk" 0 "$script --help | cmp - <<E
\$($script -h)
E
[ ! -e /dev/full ] || { $script -h >/dev/full; echo \$?; } 2>&1 | tail -n 1" <<'END'
2
END
	check_re "$script: rejects an unknown option" 2 "$script -X" <<'END'
--- stderr
.*[Oo]ption.*X.*
END
	check "$script: reports a missing file" 2 \
		"$script --marker 2>/dev/null no-such-file; $script no-such-file 2>&1 | tail -n 1 >said; exit 2" <<'END'
END
done
for script in 'trace-steps --complete' 'trace-steps --marker cuda' $tables; do
	# Each script is run with a trace of another format, with the records of this trace, with a damaged trace, and
	# on a full disk.
	check "$script: prints the same for a trace of Nsight Systems and for its records" 0 \
		"$script \$DATA/train.nsys.json >want 2>said && trace2ndjson \$DATA/train.nsys.json | $script 2>said | cmp - want &&
		[ -s want ]" </dev/null
	check "$script: skips damaged records and exits 1" 1 \
		"sed 's/}\$/}x/' steps.nd >cut.nd; cat steps.nd >>cut.nd; $script steps.nd >want 2>said
		$script cut.nd >got 2>said; status=\$?; head -n 1 said; cmp want got; exit \$status" <<END
${script%% *}: cut.nd:1: not a JSON record; skipped (and 11 more)
END
	[ ! -e /dev/full ] || check_re "$script: exits 2 on a full disk" 2 \
		"$script steps.nd 2>said >/dev/full; status=\$?; grep -v 'device records\|idle intervals\|without their call' said;
		exit \$status" <<'END'
.*: No space left on device
END
done

finish
