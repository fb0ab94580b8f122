#!/bin/sh
# gpu-gaps.t: tests idle intervals, their causes, and their division by what the host did.
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
check 'writes each idle interval with its cause' 0 'filter-calls -w "dev == 0" a.nd | gpu-gaps --per stream' <<'END'
{"ts":150,"dur":50,"kind":"gap","dev":0,"stream":7,"cause":"host_wait","prev":"gemm","next":"Memcpy HtoD (Pageable -> Device)"}
END
check '--min 0 includes gaps of length 0' 0 'filter-calls -w "dev == 0" a.nd | gpu-gaps --min 0' <<'END'
{"ts":170,"dur":30,"kind":"gap","dev":0,"cause":"host_wait","prev":"ncclDevKernel_AllReduce","next":"Memcpy HtoD (Pageable -> Device)"}
{"ts":210,"dur":0,"kind":"gap","dev":0,"cause":"kernel_wait","prev":"Memcpy HtoD (Pageable -> Device)","next":"gemm"}
END
check 'reports gaps whose causes are guessed, and work that starts before its call' 0 \
	'gpu-gaps <<E
{"ts":0,"dur":10,"kind":"kernel","name":"a","dev":0}
{"ts":100,"dur":10,"kind":"kernel","name":"b","dev":0}
{"ts":200,"dur":10,"kind":"kernel","name":"c","dev":0,"api":{"ts":250,"dur":5}}
E' <<'END'
{"ts":10,"dur":90,"kind":"gap","dev":0,"cause":"kernel_wait","prev":"a","next":"b"}
{"ts":110,"dur":90,"kind":"gap","dev":0,"cause":"host_wait","prev":"b","next":"c"}
--- stderr
gpu-gaps: 1 idle intervals end with work that has no call (api); their causes are guessed from their lengths; run: ... | ts-sort | corr-join --sorted --lead 250ms | gpu-gaps
gpu-gaps: 1 idle intervals end with work that starts before its call (clocks disagree); host_wait may not be their cause
END

cat >host.nd <<'END'
{"ts":0,"dur":500,"kind":"range","name":"step 1","pid":1,"tid":1}
{"ts":5,"dur":8,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1}
{"ts":10,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":5,"dur":8,"pid":1,"tid":1}}
{"ts":90,"dur":60,"kind":"op","name":"aten::mm","pid":1,"tid":2}
{"ts":120,"dur":20,"kind":"op","name":"aten::sum","pid":1,"tid":2}
{"ts":120,"dur":90,"kind":"range","name":"backward","pid":1,"tid":1}
{"ts":125,"dur":70,"kind":"op","name":"of another thread","pid":1,"tid":1}
{"ts":130,"dur":5,"kind":"api","name":"cudaMalloc","pid":1,"tid":2}
{"ts":170,"dur":30,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2}
{"ts":190,"dur":10,"kind":"kernel","name":"relu","dev":0,"stream":7,"api":{"ts":170,"dur":30,"pid":1,"tid":2}}
{"ts":205,"dur":10,"kind":"kernel","name":"relu","dev":0,"stream":7,"api":{"ts":172,"dur":3,"pid":1,"tid":2}}
END
# The device is idle in [100, 190), until work that thread 2 launched at 170.
check '--host op' 0 'gpu-gaps --host op host.nd' <<'END'
{"ts":100,"dur":20,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"step 1","host":"aten::mm"}
{"ts":120,"dur":10,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"backward","host":"aten::sum"}
{"ts":130,"dur":5,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"backward","host":"cudaMalloc"}
{"ts":135,"dur":5,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"backward","host":"aten::sum"}
{"ts":140,"dur":10,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"backward","host":"aten::mm"}
{"ts":150,"dur":20,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"backward","host":"(no call)"}
{"ts":170,"dur":20,"kind":"gap","pid":1,"tid":2,"dev":0,"cause":"host_wait","prev":"gemm","next":"relu","range":"backward","host":"cudaLaunchKernel"}
END
check '--host api, --host range' 0 '
	gpu-gaps --host api host.nd | ndjson2table -o csv -f ts,dur,range,host
	gpu-gaps --host range host.nd | ndjson2table -o csv -f ts,dur,range' <<'END'
ts,dur,range,host
100,20,step 1,(no call)
120,10,backward,(no call)
130,5,backward,cudaMalloc
135,35,backward,(no call)
170,20,backward,cudaLaunchKernel
ts,dur,range
100,20,step 1
120,70,backward
END
check '--min applies to whole gaps' 0 \
	'gpu-gaps --host range --min 90 host.nd | wc -l; gpu-gaps --host range --min 91 host.nd | wc -l' <<'END'
2
0
END
check '--host writes only gaps with the cause host_wait' 0 \
	'for host in "" "--host op"; do gpu-gaps $host host.nd | groupby -g cause -a sum -o csv; done' <<'END'
cause,dur_sum
host_wait,90
kernel_wait,5
cause,dur_sum
host_wait,90
END
check 'work without a call, or a call without a thread' 0 '
	sed "s/,\"api\".*/}/" host.nd | gpu-gaps --quiet --host op
	sed "/kernel/s/,\"pid\":1,\"tid\":.//" host.nd | gpu-gaps --host op |
	ndjson2table -o csv -f ts,dur,pid,range,host 2>/dev/null' <<'END'
ts,dur,pid,range,host
100,90,,,
END
check 'records with clock are left out' 0 \
	'sed "/backward/s/\"pid\"/\"clock\":\"tsc\",&/" host.nd | gpu-gaps --host range |
	ndjson2table -o csv -f range,dur' <<'END'
range,dur
step 1,90
END
check 'host records must be in ts order' 2 'sed 5s/120/80/ host.nd | gpu-gaps --host op' <<'END'
--- stderr
gpu-gaps: stdin:5: not in ts order; run: ... | ts-sort | gpu-gaps --host op
END
# The first work of the trace, launched at 5, ends the idle time that begins with step 1 at 0.
check '--within: idle time from the first step on' 0 '
	gpu-gaps --within "^step" host.nd | ndjson2table -o csv -f ts,dur,cause,prev,next
	gpu-gaps --within "^step" --host op host.nd | ndjson2table -o csv -f ts,dur,range,host -t 2
	gpu-gaps --within back host.nd | ndjson2table -o csv -f ts,dur,cause,prev' <<'END'
ts,dur,cause,prev,next
0,10,host_wait,,gemm
100,90,host_wait,gemm,relu
200,5,kernel_wait,relu,relu
ts,dur,range,host
0,5,step 1,(no call)
5,5,step 1,cudaLaunchKernel
ts,dur,cause,prev
120,70,host_wait,gemm
200,5,kernel_wait,relu
END
cat >ranks.nd <<'END'
{"ts":0,"dur":5,"kind":"kernel","name":"a","rank":1,"dev":0}
{"ts":10,"dur":90,"kind":"range","name":"step 1","rank":0,"pid":1,"tid":1}
{"ts":20,"dur":90,"kind":"range","name":"step 1","rank":1,"pid":2,"tid":2}
{"ts":30,"dur":5,"kind":"kernel","name":"b","rank":1,"dev":0}
{"ts":40,"dur":5,"kind":"kernel","name":"c","rank":0,"dev":0}
{"ts":50,"dur":5,"kind":"kernel","name":"d","rank":0,"dev":1}
{"ts":60,"dur":5,"kind":"kernel","name":"e","rank":0,"dev":1}
{"ts":70,"dur":5,"kind":"kernel","name":"f","rank":2,"dev":0}
{"ts":80,"dur":5,"kind":"kernel","name":"g","rank":2,"dev":0}
END
check '--within: each rank has its own beginning' 0 \
	'gpu-gaps --quiet --within "^step" ranks.nd | ndjson2table -o csv -f rank,dev,ts,dur,prev,next' <<'END'
rank,dev,ts,dur,prev,next
1,0,20,10,a,b
0,0,10,30,,c
0,1,55,5,d,e
END
check '--within: operators match, as steps of 2021' 1 'sed "s/\"kind\":\"range\"/\"kind\":\"op\"/" host.nd |
	gpu-gaps --within back' <<'END'
--- stderr
gpu-gaps: no range matches 'back' (--within); operators do: add -r range,op
END
check '--within: operators match, as steps of 2021' 1 'sed "s/\"kind\":\"range\"/\"kind\":\"op\"/" host.nd |
	tee ops.nd | gpu-gaps --within back; gpu-busy --within back ops.nd' <<'END'
--- stderr
gpu-gaps: no range matches 'back' (--within); operators do: add -r range,op
gpu-busy: 3 device records left out: no range of their rank matches 'back' (--within)
gpu-busy: no device records in ranges that match 'back' (--within); operators do: add -r range,op
END
check '--within: no range' 1 'gpu-gaps --within epoch host.nd' <<'END'
--- stderr
gpu-gaps: no range matches 'epoch' (--within)
END
check 'options that need another option' 2 'gpu-gaps --memory 1MiB host.nd; gpu-gaps -r range host.nd' <<'END'
--- stderr
gpu-gaps: --memory needs --host
gpu-gaps: -r needs --within
END

# One idle interval with 300,000 records of the host: 60 MB of input, 15 MB of log.
awk 'BEGIN {
	print "{\"ts\":0,\"dur\":5,\"kind\":\"kernel\",\"name\":\"a\",\"dev\":0,\"stream\":7}"
	for (i = 1; i <= 300000; i++)
		printf "{\"ts\":%d,\"dur\":%d,\"kind\":\"op\",\"name\":\"aten::op_%03d\",\"pid\":1,\"tid\":%d}\n",
			i * 10, i % 1000 ? i % 40 : 20000, i % 700, i % 5 ? 1 : 2
	print "{\"ts\":3000100,\"dur\":5,\"kind\":\"kernel\",\"name\":\"b\",\"dev\":0,\"stream\":7," \
		"\"api\":{\"name\":\"l\",\"ts\":3000090,\"dur\":5,\"pid\":1,\"tid\":1}}"
}' >long.nd
slow check 'the temporary file does not change the output' 0 '
	gpu-gaps --host op long.nd >want; for size in 0 100kB 5MB; do
		gpu-gaps --host op --memory $size long.nd | cmp - want; done; groupby -a sum -o csv want' <<'END'
dur_sum
3000095
END
check_re 'reports a missing folder for temporary files' 2 \
	'TMPDIR=/nowhere gpu-gaps --host op --memory 0 long.nd' <<'END'
--- stderr
gpu-gaps: /nowhere: .*
END
if sanitized; then
	skip 'memory is not measured under a sanitizer'
else
	peak() { # peak SIZE: prints the peak RSS in KiB
		"$BUILD/bench/measure" result gpu-gaps --host op --memory "$1" long.nd >/dev/null
		sed 's/.*"rss": \([0-9]*\).*/\1/' result
	}
	small=$(peak 100kB) large=$(peak 64MiB)
	if [ "$small" -lt 6000 ] && [ "$large" -gt $((small + 8000)) ]; then pass '--memory limits the memory'; else
		echo "peak RSS $small KiB with --memory 100kB, $large KiB without" | fail '--memory limits the memory'; fi
fi

have python3 && {
	check 'equals a brute-force computation: random traces' 0 "host_during_idle.py --random $(amount 20 40 100)" </dev/null
}
have python3 && need_shared data/kineto && traces_in kineto | while IFS= read -r file; do
	trace2ndjson "$file" 2>/dev/null | ts-sort | corr-join --sorted --lead 250ms >sorted.nd
	name=${file##*/}
	name="equals a brute-force computation: ${name%.json.gz}"
	if host_during_idle.py sorted.nd --memory=10kB >diff 2>&1; then pass "$name"; else fail "$name" <diff; fi
done
need_shared data/kineto && for name in dlrm_a100_2022_control nccl; do
	trace2ndjson "$SHARED/data/kineto/$name.json.gz" 2>/dev/null | ts-sort | corr-join --sorted --lead 250ms >$name.nd
done
# The figures of these two traces are in mock/report*.html of the data folder: ms and percent.
need_shared data/kineto && check 'gives the figures that are known for two traces' 0 '
	for name in dlrm_a100_2022_control nccl; do
		gpu-gaps --within ^ProfilerStep $name.nd | groupby -g cause -a count,sum -u us -o csv
		gpu-gaps --within ^ProfilerStep --host op $name.nd |
		groupby -g range,host -a sum,share | derive "share=fixed(100*dur_share,1)" "ms=fixed(dur_sum/1000000,2)" |
		ndjson2table -t 6 -o csv -f range,host,share,ms; done' <<'END'
cause,count,dur_us_sum
host_wait,1405,67124
kernel_wait,4490,9436
range,host,share,ms
## backward ##,(no call),16.3,10.92
## backward ##,cudaLaunchKernel,13.2,8.84
## backward ##,aten::mm,12.7,8.54
## backward ##,autograd::engine::evaluate_function: MulBackward0,6.9,4.61
## backward ##,autograd::engine::evaluate_function: BinaryCrossEntropyWithLogitsBackward0,3.5,2.34
## all2all_id_list_score_data:init ##,(no call),3.1,2.08
cause,count,dur_us_sum
host_wait,2441,507142.972
kernel_wait,1040,2000.134
range,host,share,ms
DistributedDataParallel.forward,(no call),6.8,34.45
## backward ##,(no call),5.8,29.47
DistributedDataParallel.forward,aten::view,5.3,26.68
DistributedDataParallel.forward,aten::empty,5.0,25.60
DistributedDataParallel.forward,aten::cudnn_batch_norm,4.5,22.95
DistributedDataParallel.forward,aten::slice,3.9,19.74
END

finish
