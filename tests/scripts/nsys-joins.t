#!/bin/sh
# nsys-joins.t: compares the reports of `nsys stats` that join kernels, calls and ranges, row by row.
. "${0%/*}/../lib.sh"

# report REPORT TRACE: compares a report of nsys-report with that of `nsys stats`.
report() {
	golden=$(cd "${SHARED:-/nonexistent}" 2>/dev/null && ls "golden/nsys/${2%%.json*}/$1.csv"* 2>/dev/null)
	need_shared "data/nsys/$2" "${golden:-golden/nsys/${2%%.json*}/$1.csv}" || return
	zcat -f "$SHARED/$golden" >want
	check "$1 of $2" 0 "nsys-report $1 '$SHARED/data/nsys/$2' | diff want -" </dev/null
}

for trace in unet3d_baseline_trim.json unet3d_dali_amp_trim.json unet3d_baseline_full.json.gz; do
	for report in cuda_kern_exec_trace cuda_kern_exec_sum nvtx_kern_sum nvtx_pushpop_trace nvtx_gpu_proj_sum \
		nvtx_gpu_proj_trace; do report $report "$trace"; done
done

# The numbers in RangeId, ParentId and RangeStack count every NVTX record, including marks, names, and the creation and
# destruction of domains.
for trace in nvtx_kinds mpi_rank0 mpi_rank1; do
	need_shared "data/nsys-sqlite/$trace.nsys.json.gz" "golden/nsys-sqlite/$trace/nsys-stats/nvtx_pushpop_trace.csv" ||
		continue
	check "nvtx_pushpop_trace of $trace" 0 "nsys-report nvtx_pushpop_trace '$SHARED/data/nsys-sqlite/$trace.nsys.json.gz' |
		diff '$SHARED/golden/nsys-sqlite/$trace/nsys-stats/nvtx_pushpop_trace.csv' -" </dev/null
done
# Prints the rows of a database in the form of `nsys export -t jsonlines`.
cat >rows.py <<'EOF'
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.row_factory = sqlite3.Row
there = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
for table in ["StringIds", "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
        "CUPTI_ACTIVITY_KIND_MEMSET", "NVTX_PAYLOAD_SCHEMAS", "NVTX_PAYLOAD_SCHEMA_ENTRIES"]:
    for row in db.execute(f'select * from "{table}" order by rowid') if table in there else []:
        members = {key: row[key] for key in row.keys() if row[key] is not None}
        print(json.dumps({**members, "table": table}, sort_keys=True, separators=(",", ":")))
EOF
for trace in h100_2gpu_1s mfu_2gpu_before; do
	have python3 && need_shared "data/nsys-sqlite/$trace.sqlite.gz" "golden/nsys-sqlite/$trace" || continue
	gzip -dc "$SHARED/data/nsys-sqlite/$trace.sqlite.gz" >database && python3 rows.py database >rows.jsonl
	for report in nvtx_pushpop_trace nvtx_gpu_proj_trace cuda_kern_exec_sum; do
		gzip -dcf "$SHARED/golden/nsys-sqlite/$trace/nsys-stats/$report.csv"* >want
		check "$report of $trace" 0 "nsys-report $report rows.jsonl | diff want -" </dev/null
		check "$report of $trace, from the database" 0 "nsys-report $report database | diff want -" </dev/null
	done
done

# --- cases that the recorded traces lack: domains, kernels without queue time, names that need quotes

cat >small <<'EOF'
{"ts":1,"dur":50,"kind":"range","name":"a, \"b\"","pid":1,"tid":7,"args":{"style":"PushPop","domain":"NCCL"}}
{"ts":5,"dur":10,"kind":"range","name":"inner","pid":1,"tid":7,"args":{"style":"StartEnd"}}
{"ts":6,"dur":4,"kind":"api","name":"cudaGraphLaunch_v10000","pid":1,"tid":7,"corr":3}
{"ts":8,"dur":20,"kind":"kernel","name":"k1","pid":1,"dev":0,"corr":3,"args":{"gridX":1,"gridY":2,"gridZ":3,"blockX":1024,"blockY":1,"blockZ":1}}
{"ts":9,"dur":1,"kind":"kernel","name":"k2\tx","pid":1,"dev":0,"corr":3}
{"ts":30,"dur":2,"kind":"api","name":"cudaLaunchKernel_v7000","pid":1,"tid":8,"corr":4}
{"ts":90,"dur":20,"kind":"kernel","name":"k1","pid":1,"dev":1,"corr":4}
{"ts":99,"dur":20,"kind":"kernel","name":"orphan","pid":1,"dev":1,"corr":5}
EOF
check 'kern-exec: kernels of graphs, without queue time, grid or call' 0 \
	'nsys-report cuda_kern_exec_trace small' <<'EOF'
API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),Total Dur (ns),PID,TID,DevId,API Function,GridXYZ,BlockXYZ,Kernel Name
6,4,,,8,20,22,1,7,0,cudaGraphLaunch_v10000,   1    2    3,1024    1    1,k1
6,4,,,9,1,4,1,7,0,cudaGraphLaunch_v10000,   0    0    0,   0    0    0,k2	x
30,2,32,58,90,20,80,1,8,1,cudaLaunchKernel,   0    0    0,   0    0    0,k1
EOF
check 'gpu-proj: prints domains, and separates threads' 0 'nsys-report nvtx_gpu_proj_trace small' <<'EOF'
Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration (ns),Style,PID,TID,NumGPUOps,Lvl,NumChild,RangeId,ParentId,RangeStack
,90,20,,,,1,8,1,,0,,,
"NCCL:a, ""b""",8,20,1,50,PushPop,1,7,1,0,1,1,,:1
inner,8,20,5,10,StartEnd,1,7,1,1,0,2,1,:1:2
EOF
check 'gpu-proj: --scope process' 0 'nsys-report nvtx_gpu_proj_sum --scope process small' <<'EOF'
Range,Style,Total Proj Time (ns),Total Range Time (ns),Range Instances,Proj Avg (ns),Proj Med (ns),Proj Min (ns),Proj Max (ns),Proj StdDev (ns),Total GPU Ops,Avg GPU Ops,Avg Range Lvl,Avg Num Child
"NCCL:a, ""b""",PushPop,102,50,1,102.0,102.0,102,102,0.0,2,2.0,0.0,1.0
inner,StartEnd,20,10,1,20.0,20.0,20,20,0.0,1,1.0,1.0,0.0
EOF
check 'nvtx-kern-sum' 0 'nsys-report nvtx_kern_sum small' <<'EOF'
NVTX Range,Style,PID,TID,NVTX Inst,Kern Inst,Total Time (ns),Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Kernel Name
,,,,0,1,20,20.0,20.0,20,20,0.0,orphan
,,1,8,0,1,20,20.0,20.0,20,20,0.0,k1
"NCCL:a, ""b""",PushPop,1,7,1,1,20,20.0,20.0,20,20,0.0,k1
"NCCL:a, ""b""",PushPop,1,7,1,1,1,1.0,1.0,1,1,0.0,k2	x
inner,StartEnd,1,7,1,1,20,20.0,20.0,20,20,0.0,k1
inner,StartEnd,1,7,1,1,1,1.0,1.0,1,1,0.0,k2	x
EOF
check 'reports do not contain device records without a call' 0 \
	'for r in cuda_kern_exec_trace nvtx_gpu_proj_trace; do nsys-report $r small; done | grep -c orphan || :' <<'EOF'
0
EOF

# The categories; calls of libraries are not counted.
cat small - >sums <<'EOF'
{"ts":200,"dur":7,"kind":"memcpy","name":"[CUDA memcpy Host-to-Device]","pid":1,"dev":0}
{"ts":210,"dur":2,"kind":"memcpy","name":"[CUDA memcpy Host-to-Device]","pid":1,"dev":0}
{"ts":220,"dur":4,"kind":"memset","name":"[CUDA memset]","pid":1,"dev":0}
{"ts":230,"dur":50,"kind":"api","name":"cudnnRun","pid":1,"tid":7,"args":{"lib":"cuDNN"}}
EOF
check 'cuda_gpu_sum and cuda_api_gpu_sum' 0 '
	nsys-report cuda_gpu_sum sums; nsys-report cuda_api_gpu_sum sums | grep -v "CUDA_KERNEL\|MEMORY_OPER"' <<'EOF'
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation
54.1,40,2,20.0,20.0,20,20,0.0,CUDA_KERNEL,k1
27.0,20,1,20.0,20.0,20,20,0.0,CUDA_KERNEL,orphan
12.2,9,2,4.5,4.5,2,7,3.5,MEMORY_OPER,[CUDA memcpy Host-to-Device]
5.4,4,1,4.0,4.0,4,4,0.0,MEMORY_OPER,[CUDA memset]
1.4,1,1,1.0,1.0,1,1,0.0,CUDA_KERNEL,k2	x
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation
5.0,4,1,4.0,4.0,4,4,0.0,CUDA_API,cudaGraphLaunch_v10000
2.5,2,1,2.0,2.0,2,2,0.0,CUDA_API,cudaLaunchKernel
EOF

# Two ranges with equal totals; the second has two instances.
cat >equal <<'EOF'
{"ts":1,"dur":9,"kind":"range","name":"one","pid":1,"tid":7,"args":{"style":"PushPop"}}
{"ts":2,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":3}
{"ts":3,"dur":4,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":3}
{"ts":11,"dur":9,"kind":"range","name":"two","pid":1,"tid":7,"args":{"style":"PushPop"}}
{"ts":12,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":4}
{"ts":13,"dur":2,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":4}
{"ts":21,"dur":9,"kind":"range","name":"two","pid":1,"tid":7,"args":{"style":"PushPop"}}
{"ts":22,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":5}
{"ts":23,"dur":2,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":5}
EOF
check 'gpu-proj --sum: sorts equal totals by name' 0 \
	'nsys-report nvtx_gpu_proj_sum equal | cut -d , -f 1,3,5' <<'EOF'
Range,Total Proj Time (ns),Range Instances
one,4,1
two,4,2
EOF

# A range that was never popped lasts until the last time of any range or mark.
cat >open <<'EOF'
{"ts":1,"kind":"range","name":"never popped","pid":1,"tid":7,"args":{"style":"PushPop","domain":"NCCL"}}
{"ts":2,"kind":"range","name":"never ended","pid":1,"tid":7,"args":{"style":"StartEnd"}}
{"ts":3,"dur":4,"kind":"range","name":"a \\ b","pid":1,"tid":7,"args":{"style":"PushPop"}}
{"ts":4,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":3}
{"ts":5,"dur":2,"kind":"range","name":"other thread","pid":1,"tid":8,"args":{"style":"PushPop"}}
{"ts":8,"dur":20,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":3}
{"ts":9,"kind":"mark","name":"here","pid":1,"tid":8}
EOF
check 'pushpop: an open range lasts until the last NVTX time' 0 'nsys-report nvtx_pushpop_trace open' <<'EOF'
Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Lvl,NumChild,RangeId,ParentId,RangeStack,NameTree
1,9,8,4,4,NCCL:never popped,1,7,0,1,1,,:1,NCCL:never popped
3,7,4,0,4,a \ b,1,7,1,0,3,1,:1:3,--a \ b
5,7,2,0,2,other thread,1,8,0,0,4,,:4,other thread
EOF
check 'gpu-proj, kern-sum: an open range lasts until the last NVTX time' 0 \
	'nsys-report nvtx_gpu_proj_trace open | cut -d , -f 1-5; nsys-report nvtx_kern_sum open | cut -d , -f 1-7' <<'EOF'
Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration (ns)
NCCL:never popped,8,20,1,8
a \ b,8,20,3,4
NVTX Range,Style,PID,TID,NVTX Inst,Kern Inst,Total Time (ns)
NCCL:never popped,PushPop,1,7,1,1,20
a \ b,PushPop,1,7,1,1,20
--- stderr
nsys-report: stdin:2: range without an end; it encloses no record
EOF

# Times since 1970, which have more digits than a double.
cat >big <<'EOF'
{"ts":1661203462598772123,"kind":"range","name":"never popped","pid":1,"tid":7,"args":{"style":"PushPop"}}
{"ts":1661203462598772124,"dur":900000000,"kind":"range","name":"r","pid":1,"tid":7,"args":{"style":"PushPop"}}
{"ts":1661203462999999999,"dur":3,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":3}
{"ts":1661203463000000005,"dur":7,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":3}
EOF
check 'kern-exec: prints times since 1970 exactly' 0 'nsys-report cuda_kern_exec_trace big | cut -d , -f 1-7' <<'EOF'
API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),Total Dur (ns)
1661203462999999999,3,1661203463000000002,3,1661203463000000005,7,13
EOF
check 'pushpop: prints times since 1970 exactly' 0 'nsys-report nvtx_pushpop_trace big | cut -d , -f 1-6' <<'EOF'
Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name
1661203462598772123,1661203463498772124,900000001,900000000,1,never popped
1661203462598772124,1661203463498772124,900000000,0,900000000,r
EOF
check 'api-gpu-time: prints times since 1970 exactly' 0 \
	'api-gpu-time -o csv Launch big 2>&1 | grep -v "without an end" | cut -d , -f 1-4' <<'EOF'
how,ts,dur,count
range,1661203462999999999,7,1
corr,1661203462999999999,7,1
cpu,1661203462999999999,3,
EOF

# --- the other scripts

only_slow_follow # dozens of calls of scripts

check 'lookup: prints the records of a correlation id' 0 'lookup 4 small' <<'EOF'
{"ts":30,"dur":2,"kind":"api","name":"cudaLaunchKernel_v7000","pid":1,"tid":8,"corr":4}
{"ts":90,"dur":20,"kind":"kernel","name":"k1","pid":1,"dev":1,"corr":4}
EOF
check 'lookup: prints the records that contain a text' 0 'lookup -o csv NCCL small' <<'EOF'
ts,dur,kind,name,pid,tid,args
1,50,range,"a, ""b""",1,7,"{""style"":""PushPop"",""domain"":""NCCL""}"
EOF
check 'lookup -i: ignores letter case' 0 \
	'lookup -o csv NCCL small >exact; lookup -i -o csv nCcL small | cmp - exact' </dev/null
check 'lookup: reports that no record was found' 1 'lookup 17 small; lookup -o csv "no such thing" small' <<'EOF'
--- stderr
lookup: no record has the correlation id 17
lookup: no record has the text 'no such thing'
EOF
cat >with-strings <<'EOF'
{"type":"String","id":"4","value":"cudaFree_v3020"}
{"Type":48,"TraceProcessEvent":{"startNs":"20","endNs":"30","correlationId":4,"eventClass":0,"name":"4","globalTid":"281474993491970"}}
EOF
check 'lookup: --id prints the string of an nsys export with this id' 0 \
	'lookup --id 4 with-strings; lookup -o list --wide --id 4 with-strings' <<'EOF'
{"kind":"meta","name":"cudaFree_v3020","cat":"string","id":4}
kind  meta
name  cudaFree_v3020
cat   string
id    4
EOF
check 'lookup: --id reports an id that is not found, and wrong numbers' 1 \
	'lookup --id x with-strings; lookup --id 5 with-strings' <<'EOF'
--- stderr
lookup: --id: 'x': expected an integer >= 0; try lookup -h
lookup: no record has the id 5
EOF
check 'kernels-in: --of prints kernels that any thread launched in the range' 0 \
	'kernels-in -o csv --of "^a, .b" small' <<'EOF'
ts,dur,kind,name,api.ts,api.dur,api.name,pid,tid,dev,stream,corr
8,20,kernel,k1,6,4,cudaGraphLaunch_v10000,1,,0,,3
9,1,kernel,k2	x,6,4,cudaGraphLaunch_v10000,1,,0,,3
90,20,kernel,k1,30,2,cudaLaunchKernel_v7000,1,,1,,4
EOF
check 'kernels-in: --from and --until, with calls (--api)' 0 \
	'kernels-in -o csv --api --from 20 --until=1us small' <<'EOF'
ts,dur,kind,name,api.ts,api.dur,api.name,pid,tid,dev,stream,corr
30,2,api,cudaLaunchKernel_v7000,,,,1,8,,,4
90,20,kernel,k1,30,2,cudaLaunchKernel_v7000,1,,1,,4
EOF
check 'kernels-in: --of NAME/2 selects the second record' 0 'kernels-in -o csv --of "_v[0-9]+/2" small | sed 1d' <<'EOF'
90,20,kernel,k1,30,2,cudaLaunchKernel_v7000,1,,1,,4
EOF
check 'trace-join, range-gpu-time: report an unknown kind once' 2 \
	'{ trace-join -k kernel,nosuch small || range-gpu-time -k nosuch small; } 2>&1 |
		grep -c "nosuch.*: expected"; exit 2' <<'EOF'
2
EOF
check 'kernels-in: reports that no record matches' 1 'kernels-in --of forward/3 small' <<'EOF'
--- stderr
kernels-in: no record matches 'forward'
EOF
check 'kernels-in: reports that too few records match' 1 \
	'kernels-in --of "_v[0-9]+/3" small; kernels-in --of inner/2 small' <<'EOF'
--- stderr
kernels-in: only 2 records match '_v[0-9]+', but 3 are needed
kernels-in: only 1 record matches 'inner', but 2 are needed
EOF
check 'kernels-in: reports a window without kernels' 1 'kernels-in --from 40 small' <<'EOF'
--- stderr
kernels-in: no kernels were launched in this window
EOF
check 'range-gpu-time' 0 'range-gpu-time -o csv -e INNER -i small' <<'EOF'
name,ranges,orig_ts,orig_dur,ts,dur,busy,dur_sum,records,pid,tid
inner,"[""a, \""b\""""]",5,10,8,20,20,21,2,1,7
EOF
check 'api-gpu-time' 0 'api-gpu-time -o csv Launch_ small; api-gpu-time -i -o csv LAUNCH_ small | wc -l' <<'EOF'
how,ts,dur,count,pid,tid,corr,name,ranges
range,6,20,2,1,7,,cudaGraphLaunch_v10000,"[""a, \""b\"""",""inner""]"
corr,6,20,2,1,7,3,cudaGraphLaunch_v10000,"[""a, \""b\"""",""inner""]"
cpu,6,4,,1,7,3,cudaGraphLaunch_v10000,"[""a, \""b\"""",""inner""]"
4
EOF
check 'iteration-times' 0 'sed s/inner/"Iteration 07"/ small | iteration-times -o csv Launch' <<'EOF'
iteration,dur_sum,kernels_sum
7,21,2
EOF

# Every script: help, an unknown option, a missing file, a truncated trace.
gzip -c "$DATA/train.nsys.json" | head -c -200 >cut.gz
for script in 'nsys-report cuda_kern_exec_trace' 'nsys-report nvtx_pushpop_trace' trace-join 'lookup 3' \
	'kernels-in --from 1' 'api-gpu-time x' \
	range-gpu-time 'iteration-times x'; do
	check_re "$script: -h prints an example and the usage" 0 "${script%% *} -h | sed -n '1p;3s/ .*//p'" <<EOF
${script%% *} .*
usage:
EOF
	check_re "$script: rejects an unknown option" 2 "${script%% *} -Z" <<EOF
--- stderr
.*[oO]ption.*
EOF
	check_re "$script: reports a missing file" 2 "$script none.json >/dev/null" <<EOF
--- stderr
${script%% *}: none.json: cannot open: No such file or directory
EOF
	check "$script: exits 1 for a truncated trace" 1 \
		"$script cut.gz >/dev/null 2>said; s=\$?; grep -q '^${script%% *}: cut.gz' said && exit \$s" </dev/null
done

check_re 'exits 2 on a full disk' 0 \
	'for s in "api-gpu-time c" "kernels-in --from 0" range-gpu-time "nsys-report nvtx_pushpop_trace"; do
	$s small >/dev/full 2>said; echo $?; done' <<'EOF'
2
2
2
2
EOF
check 'rejects an option without its argument' 2 'kernels-in --of' <<'EOF'
--- stderr
kernels-in: option --of needs an argument; try kernels-in -h
EOF
check 'kernels-in: rejects a missing window' 2 'kernels-in small' <<'EOF'
--- stderr
kernels-in: expected a window: --of, --from or --until; try kernels-in -h
EOF

# --- several threads: a long call, a call of another thread during it, and a step of a third thread around both

cat >threads <<'EOF'
{"ts":0,"dur":100,"kind":"range","name":"Iteration 1","pid":1,"tid":9}
{"ts":10,"dur":60,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":1}
{"ts":20,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":8,"corr":2}
{"ts":30,"dur":20,"kind":"api","name":"cudaStreamSynchronize","pid":1,"tid":6,"corr":3}
{"ts":35,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":8,"corr":4}
{"ts":80,"dur":1,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":1}
{"ts":82,"dur":10,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":2}
{"ts":94,"dur":100,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":4}
{"ts":200,"dur":9,"kind":"range","name":"Iteration 2","pid":1,"tid":9}
{"ts":202,"dur":5,"kind":"api","name":"cublasSgemm","pid":1,"tid":7}
{"ts":203,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":5}
{"ts":210,"dur":1000,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":5}
EOF
check 'iteration-times: counts each kernel once if calls overlap' 0 \
	'iteration-times -o csv cudaLaunchKernel threads
	iteration-times -o csv "cu(da|blas)" threads' <<'EOF'
iteration,dur_sum,kernels_sum
1,111,3
2,1000,1
iteration,dur_sum,kernels_sum
1,111,3
2,1000,1
EOF
check 'iteration-times: --call-scope selects calls by thread, process or any' 0 '
	iteration-times -o csv Synchronize threads
	iteration-times --call-scope thread -o csv cublas threads' <<'EOF'
iteration,dur_sum,kernels_sum
1,100,1
iteration,dur_sum,kernels_sum
2,1000,1
EOF
check 'iteration-times: reports that no call or range matches' 1 \
	'iteration-times --call-scope thread Synchronize threads >out
	iteration-times --iteration "step ([0-9])" Launch threads >out' <<'EOF'
--- stderr
iteration-times: no kernel was launched by a call that matches 'Synchronize' in a range that matches '[Ii]teration ([0-9]+)'
iteration-times: no kernel was launched by a call that matches 'Launch' in a range that matches 'step ([0-9])'
EOF
check 'api-gpu-time -c' 0 'api-gpu-time -o csv Launch threads | grep ^range | cut -d , -f 1-6
	api-gpu-time --launch-scope thread -o csv Launch threads | grep ^range | cut -d , -f 1-6' <<'EOF'
range,10,114,3,1,7
range,20,10,1,1,8
range,35,100,1,1,8
range,203,1000,1,1,7
range,10,1,1,1,7
range,20,10,1,1,8
range,35,100,1,1,8
range,203,1000,1,1,7
EOF
check 'api-gpu-time: reports that no call matches' 1 'api-gpu-time launch threads' <<'EOF'
--- stderr
api-gpu-time: no call matches 'launch'
EOF
check 'range-gpu-time: reports that no range matches' 1 \
	'range-gpu-time -e step threads >out; grep -v range threads | range-gpu-time >out' <<'EOF'
--- stderr
range-gpu-time: no range that matches '(step)' launched device work
range-gpu-time: no range launched device work
EOF

have python3 && need_shared data/nsys/unet3d_dali_amp_trim.json &&
	check 'iteration-times: sums a recorded trace of many threads' 0 \
		'trace2ndjson -k range,api,kernel "$SHARED/data/nsys/unet3d_dali_amp_trim.json" >all &&
		iteration-times --iteration "step ([0-9]+)" -o csv cudaLaunchKernel all | tee got &&
			step_kernels.py all | diff - got' <<'EOF'
iteration,dur_sum,kernels_sum
1,120507826,812
2,108525248,680
EOF

# --- trace-join also reads the kinds that only the join needs

check 'trace-join -k kernel: prints only kernels, with call and ranges' 0 \
	'trace-join -k kernel threads | ndjson2table -o csv -f kind,corr,api.tid,range
	trace-join -k kernel --scope none threads | ndjson2table -o csv -f kind,corr,api.tid
	trace-join -k api,kernel threads |
	filter-calls -c -w range' <<'EOF'
kind,corr,api.tid,range
kernel,1,7,Iteration 1
kernel,2,8,Iteration 1
kernel,4,8,Iteration 1
kernel,5,7,Iteration 2
kind,corr,api.tid
kernel,1,7
kernel,2,8
kernel,4,8
kernel,5,7
10
EOF

finish
