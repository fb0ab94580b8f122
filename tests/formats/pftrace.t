#!/bin/sh
# pftrace.t: the reader of Perfetto traces, with traces of perfetto_trace.py, and with recorded ones and golden records.
. "${0%/*}/../lib.sh"
have python3 || finish

perfetto_trace.py all >run.pftrace
check 'a trace with every kind of event' 1 'trace2ndjson run.pftrace' <<'E'
{"kind":"meta","name":"process_name","pid":42,"args":{"name":"app"}}
{"kind":"meta","name":"thread_name","pid":42,"tid":43,"args":{"name":"main"}}
{"ts":2500,"dur":5000,"kind":"range","name":"frame","cat":"render","pid":42,"tid":43,"args":{"size":5,"ratio":0.5,"ok":true,"more":{"x":[1,2],"y":{"z":"é\"\n"}},"done":1,"thread_time":2000}}
{"ts":2500,"kind":"flow","name":"flow","pid":42,"tid":43,"id":900,"src":{"ph":"s"}}
{"ts":2500,"kind":"flow","name":"flow","pid":42,"tid":43,"id":900,"src":{"ph":"f"}}
{"ts":3500,"dur":2000,"kind":"range","name":"load","cat":"a,b","pid":42,"tid":43,"args":{"track":"phase"}}
{"ts":5500,"kind":"mark","name":"tick","pid":42,"tid":43}
{"ts":5500,"kind":"counter","name":"queue","pid":42,"args":{"value":24}}
{"ts":6500,"kind":"counter","name":"queue","pid":42,"args":{"value":40}}
{"ts":8500,"dur":7000,"kind":"range","name":"old","pid":42,"tid":43}
{"ts":9000,"kind":"range","name":"#77","cat":"category 9","pid":42,"tid":43}
{"ts":9800,"kind":"counter","name":"track 99","args":{"value":2.5}}
--- stderr
trace2ndjson: run.pftrace: byte 421: category without a text; its number is written instead
trace2ndjson: run.pftrace: byte 421: name without a text; its number is written instead
trace2ndjson: run.pftrace: byte 443: packet without the state of its sequence, which was overwritten; skipped
trace2ndjson: run.pftrace: byte 0: packets that are not read: process tree 1
trace2ndjson: run.pftrace: byte 0: slice without an end; its record has no dur
E
trace2ndjson run.pftrace >records 2>/dev/null
gzip -c run.pftrace >run.pftrace.gz
check 'the same from gzip data and from standard input' 0 '
	for path in run.pftrace.gz -; do trace2ndjson "$path" <run.pftrace 2>/dev/null | cmp - records; done' </dev/null
check 'only some kinds' 0 'trace2ndjson --quiet --lenient -k mark,flow --no-args run.pftrace' <<'E'
{"ts":2500,"kind":"flow","name":"flow","pid":42,"tid":43,"id":900}
{"ts":2500,"kind":"flow","name":"flow","pid":42,"tid":43,"id":900}
{"ts":5500,"kind":"mark","name":"tick","pid":42,"tid":43}
--- stderr
trace2ndjson: run.pftrace: byte 443: packet without the state of its sequence, which was overwritten; skipped
E

perfetto_trace.py torch >torch.pftrace
check 'PyTorch: all begins of a group precede its ends' 0 'trace2ndjson torch.pftrace' <<'E'
{"kind":"meta","name":"process_name","pid":7,"args":{"name":"python"}}
{"kind":"meta","name":"thread_name","pid":7,"tid":8,"args":{"name":"main"}}
{"ts":1100,"dur":50,"kind":"op","name":"aten::mm","cat":"cpu_op","pid":7,"tid":8}
{"ts":1150,"dur":20,"kind":"op","name":"aten::add","cat":"cpu_op","pid":7,"tid":8}
{"ts":1160,"dur":5,"kind":"op","name":"aten::add","cat":"cpu_op","pid":7,"tid":8}
{"ts":1110,"dur":5,"kind":"api","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":7,"tid":8,"corr":5,"args":{"cbid":211,"correlation":5,"gpu_event_ids":[1]}}
{"ts":1155,"dur":3,"kind":"api","name":"cudaMemcpyAsync","cat":"cuda_runtime","pid":7,"tid":8,"corr":6,"args":{"cbid":211,"correlation":6}}
{"ts":1300,"dur":40,"kind":"kernel","name":"gemm<float>(int)","cat":"Kernel","dev":1,"stream":7,"corr":5,"args":{"grid":[8,4,1],"block":[64,1,1],"registers":32,"correlation":5,"stream id":7,"arch":"sm_90","event_id":1,"queue":"[07] stream 7"}}
{"ts":1350,"dur":9,"kind":"memcpy","name":"Memcpy","cat":"Memcpy","dev":1,"stream":7,"corr":6,"bytes":4096,"args":{"correlation":6,"bytes":4096,"event_id":2,"event_wait_ids":[1],"queue":"[07] stream 7"}}
{"ts":1400,"kind":"counter","name":"Power (W)","cat":"gpu_counter","dev":1,"args":{"value":300.5}}
E
check 'the kernels of PyTorch have their calls' 0 '
	trace2ndjson torch.pftrace | corr-join --only matched | ndjson2table -o csv -f name,api.name,delay' <<'E'
name,api.name,delay
gemm<float>(int),cudaLaunchKernel,190
Memcpy,cudaMemcpyAsync,195
E

check 'rocprofv3: calls, markers, kernels, copies and allocations' 0 'perfetto_trace.py rocprof | trace2ndjson |
	ndjson2table -o csv -f ts,dur,kind,name,pid,tid,dev,stream,corr,bytes,copy,args.lib' <<'E'
ts,dur,kind,name,pid,tid,dev,stream,corr,bytes,copy,args.lib
,,meta,process_name,7,,,,,,,
10,10,api,hipLaunchKernel,7,8,,,5,,,HIP
12,1,api,hsa_queue_create,7,8,,,9,,,HSA
5,85,range,step,7,8,,,4,,,
6,,mark,mark,7,8,,,,,,
30,10,kernel,gemm,,8,1,3,5,,,
50,10,memcpy,MEMORY_COPY_HOST_TO_DEVICE,,,2,,6,64,h2d,
50,10,memcpy,MEMORY_COPY_DEVICE_TO_HOST,,,2,,6,64,d2h,
50,10,memcpy,MEMORY_COPY_DEVICE_TO_DEVICE,,,2,,6,64,p2p,
70,1,other,MEMORY_ALLOCATION_ALLOCATE,,COMPUTE [0] QUEUE [0],,,,,,
E
perfetto_trace.py shared >shared.pftrace
check 'the slices of a track that two sequences write on are paired by time' 0 'trace2ndjson shared.pftrace' <<'E'
{"ts":20,"dur":5,"kind":"range","name":"b","tid":"requests"}
{"ts":10,"dur":20,"kind":"range","name":"a","tid":"requests"}
E
check 'a late slice is inside the slices of the same time' 0 'perfetto_trace.py late | trace2ndjson' <<'E'
{"ts":10,"dur":20,"kind":"range","name":"a","tid":"requests"}
{"ts":20,"dur":5,"kind":"range","name":"c","tid":"requests"}
{"ts":10,"dur":2,"kind":"range","name":"b","tid":"requests"}
E

perfetto_trace.py ftrace >android.pftrace
check 'a trace of Linux or Android without events' 1 'trace2ndjson android.pftrace' <<'E'
--- stderr
trace2ndjson: android.pftrace: byte 0: a trace of Linux or Android: its 2 ftrace bundles are not read
E

perfetto_trace.py marker >garbage.pftrace
check 'reading goes on at a synchronization marker' 1 'trace2ndjson garbage.pftrace' <<'E'
{"ts":1,"kind":"mark","name":"one"}
{"ts":1,"kind":"mark","name":"one"}
{"ts":2,"kind":"mark","name":"two"}
--- stderr
trace2ndjson: garbage.pftrace: byte 59: field number is not valid in protobuf; 32 bytes skipped, up to a synchronization marker
trace2ndjson: garbage.pftrace: byte 109: number has more than 10 bytes or 64 bits; no synchronization marker follows, so the last 30 bytes are skipped
E
check 'annotations nested too deeply' 1 'perfetto_trace.py deep 1000 | trace2ndjson' <<'E'
{"ts":2,"kind":"mark","name":"next"}
--- stderr
trace2ndjson: stdin: byte 0: annotations are nested too deeply; event skipped
E
check 'nested annotations' 0 "perfetto_trace.py deep 300 | trace2ndjson | head -n 1 | tr -cd '{' | wc -c" <<'E'
302
E
check 'annotations of every type, also in the old form' 0 '
	perfetto_trace.py annotations | trace2ndjson | tr , "\n"' <<'E'
{"ts":1
"kind":"mark"
"name":"values"
"args":{"uint":18446744073709551615
"int":-1
"pointer":"0xfe0"
"zero":"0x0"
"json":"{\"a\":1}"
"interned":"shared text"
"unknown":"#2"
"nan":"NaN"
"inf":"-Infinity"
"old":{"list":[-7
0.25
true
false
"text"]
"empty":{}
"none":null}}}
E
check 'a packet larger than --max-record' 1 'perfetto_trace.py deep 300 | trace2ndjson --max-record 1000' <<'E'
{"ts":2,"kind":"mark","name":"next"}
--- stderr
trace2ndjson: stdin: byte 0: packet larger than --max-record; skipped
E
if command -v zstd >/dev/null && grep -q HAVE_ZSTD "$BUILD/flags"; then
	check 'packets compressed with zstd' 0 'perfetto_trace.py zstd | trace2ndjson | jq -r .name' <<'E'
inside
after
E
fi

for file in run torch; do
	slow check "prefixes of $file.pftrace" 0 "protobuf_damage.py prefixes pftrace $file.pftrace" <<'E'
all prefixes are right
E
	slow check "$file.pftrace with a flipped bit" 0 "protobuf_damage.py flips pftrace $file.pftrace" <<'E'
all flips are right
E
done

# 20,000 slices on two threads are more than the spool holds in memory.
perfetto_trace.py large 20000 >large.pftrace
cat >slices.py <<'E'
for i in range(20000):
    print("[%d,%d,%d,%d]" % (i // 4 * 20 + i % 4, 13 - 2 * (i % 4), 8 + i // 4 % 2, i))
E
slow check 'a trace that is larger than the memory of the spool' 0 "
	trace2ndjson -k range large.pftrace | jq -c '[.ts, .dur, .tid, .args.index]' >got
	python3 slices.py | cmp - got" </dev/null
check 'without a folder for temporary files' 2 'TMPDIR=/nonexistent trace2ndjson large.pftrace' <<'E'
--- stderr
trace2ndjson: large.pftrace: cannot create a temporary file (TMPDIR): No such file or directory
E

if need_shared data/pftrace golden/pftrace; then
	for file in "$SHARED"/data/pftrace/*.pftrace*; do
		golden=${file##*/}
		golden=$SHARED/golden/pftrace/${golden%%.*}.ndjson.gz
		[ ! -f "$golden" ] || check "golden records of ${file##*/}" 0 "
			trace2ndjson --quiet --lenient $file 2>/dev/null | golden_records.py $golden | sed 's/^[1-9][0-9]*/all/'" <<'E'
all records
E
	done
	check 'a trace without events' 0 "trace2ndjson $SHARED/data/pftrace/no_events.pftrace" <<E
--- stderr
trace2ndjson: $SHARED/data/pftrace/no_events.pftrace: byte 0: no events
E
fi
finish
