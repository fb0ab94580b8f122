#!/bin/sh
# nsys.t: the reader of Nsight Systems exports, and the scripts that print the same tables as `nsys stats`.
. "${0%/*}/../lib.sh"

# --- small traces, written by hand, in each form

cat >texts <<'EOF'
{"type":"String","id":"0","value":"[Unknown]"}
{"type":"String","id":"7","value":"cudaLaunchKernel_v7000"}
{"type":"String","id":"8","value":"void add<float>(float *, int)"}
{"type":"String","id":"9","value":"add"}
{"type":"String","id":"10","value":"cudnnConvolutionForward"}
{"type":"String","id":"11","value":"a\/b \u003c\u0041> \"q\""}
{"type":"String","id":"12","value":"python3"}
EOF
cat >events <<'EOF'
{"Type":75,"NvtxEvent":{"Type":75,"Timestamp":"1","Text":"NCCL","GlobalTid":"281474993491970","DomainId":"1","NsTime":true}}
{"Type":27,"CommEvent":{"Timestamp":"-5","GlobalPid":"281474993487872","Command":"python3","Args":["a", "b"],"NsTime":true}}
{"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"10","Text":"a/b \u003cA\u003e \"q\"","GlobalTid":"281474993491970","EndTimestamp":"90","DomainId":"0","NsTime":true}}
{"Type":60,"NvtxEvent":{"Type":60,"Timestamp":"11","TextId":"11","GlobalTid":"281474993491970","DomainId":"1","NsTime":true}}
{"Type":34,"NvtxEvent":{"Type":34,"Timestamp":"12","Text":"mark","GlobalTid":"281474993491970","DomainId":"1","NsTime":true,"Color":5}}
{"Type":48,"TraceProcessEvent":{"startNs":"20","endNs":"30","correlationId":77,"eventClass":0,"name":"7","returnValue":0,"globalTid":"281474993491970"}}
{"Type":48,"TraceProcessEvent":{"startNs":"31","endNs":"39","correlationId":0,"eventClass":28,"name":"10","returnValue":3,"globalTid":"281474993491970"}}
{"Type":79,"CudaEvent":{"startNs":"40","endNs":"61","correlationId":77,"deviceId":2,"contextId":"1","streamId":"13","eventClass":3,"globalPid":"281474993487872","kernel":{"demangledName":"8","shortName":"9","gridX":64,"gridId":"4"}}}
{"Type":80,"CudaEvent":{"startNs":"62","endNs":"70","correlationId":78,"deviceId":2,"contextId":"1","streamId":"13","eventClass":1,"globalPid":"281474993487872","memcpy":{"sizebytes":"4096","copyKind":"2","srcKind":2,"dstKind":1}}}
{"Type":80,"CudaEvent":{"startNs":"70","endNs":"71","correlationId":0,"deviceId":2,"contextId":"1","streamId":"13","eventClass":1,"globalPid":"281474993487872","memcpy":{"sizebytes":"4096","copyKind":"11","srcKind":4,"dstKind":4}}}
{"Type":80,"CudaEvent":{"startNs":"71","endNs":"75","correlationId":79,"deviceId":2,"contextId":"1","streamId":"13","eventClass":2,"globalPid":"281474993487872","memset":{"sizebytes":"8","value":0,"memKind":2}}}
{"Type":106,"CudaEvent":{"startNs":"76","endNs":"80","correlationId":80,"deviceId":2,"contextId":"1","streamId":"4294967295","eventClass":5,"globalPid":"281474993487872","sync":{"eventId":4294967295,"syncType":4}}}
{"Type":127,"CudaEvent":{"startNs":"0","endNs":"0","correlationId":81,"deviceId":2,"contextId":"1","streamId":"13","eventClass":12,"globalPid":"281474993487872","cudaEventRecord":{"eventId":5}}}
{"Type":47,"TraceProcessEvent":{"startNs":"81","endNs":"81","correlationId":0,"eventClass":10,"name":"0","returnValue":0,"globalTid":"281474993487872"}}
{"Type":49,"DiagnosticEvent":{"Timestamp":{"Time":"82","Type":"TargetTimestamp","NsTime":true},"Source":"Analysis","Text":"Profiling has stopped.","GlobalProcess":"281474993487872"}}
EOF
cat >threads <<'EOF'
{"type":"Stream","globalPid":"281474993487872","filename":"\/tmp\/out.log","content":"epoch 0\n"}
{"type":"ThreadName","globalTid":"281474993491970","nameId":"12","priority":"20"}
EOF
cat >records <<'EOF'
{"ts":1,"kind":"meta","name":"NCCL","cat":"NvtxEvent","pid":1,"tid":4098,"args":{"Type":75,"GlobalTid":"281474993491970","DomainId":"1","NsTime":true},"src":{"Type":75}}
{"ts":-5,"kind":"other","cat":"CommEvent","pid":1,"args":{"GlobalPid":"281474993487872","Command":"python3","Args":["a","b"],"NsTime":true},"src":{"Type":27}}
{"ts":10,"dur":80,"kind":"range","name":"a/b <A> \"q\"","cat":"NvtxEvent","pid":1,"tid":4098,"args":{"Type":59,"GlobalTid":"281474993491970","DomainId":"0","NsTime":true,"style":"PushPop"},"src":{"Type":59}}
{"ts":11,"kind":"range","name":"a/b <A> \"q\"","cat":"NvtxEvent","pid":1,"tid":4098,"args":{"Type":60,"TextId":"11","GlobalTid":"281474993491970","DomainId":"1","NsTime":true,"style":"StartEnd","domain":"NCCL"},"src":{"Type":60}}
{"ts":12,"kind":"mark","name":"mark","cat":"NvtxEvent","pid":1,"tid":4098,"args":{"Type":34,"GlobalTid":"281474993491970","DomainId":"1","NsTime":true,"Color":5,"domain":"NCCL"},"src":{"Type":34}}
{"ts":20,"dur":10,"kind":"api","name":"cudaLaunchKernel_v7000","cat":"TraceProcessEvent","pid":1,"tid":4098,"corr":77,"args":{"eventClass":0,"name":"7","globalTid":"281474993491970"},"src":{"Type":48}}
{"ts":31,"dur":8,"kind":"api","name":"cudnnConvolutionForward","cat":"TraceProcessEvent","pid":1,"tid":4098,"err":3,"args":{"eventClass":28,"name":"10","globalTid":"281474993491970","lib":"cuDNN"},"src":{"Type":48}}
{"ts":40,"dur":21,"kind":"kernel","name":"void add<float>(float *, int)","cat":"CudaEvent","pid":1,"dev":2,"stream":13,"corr":77,"args":{"contextId":"1","eventClass":3,"globalPid":"281474993487872","demangledName":"8","gridX":64,"gridId":"4","shortName":"add"},"src":{"Type":79}}
{"ts":62,"dur":8,"kind":"memcpy","name":"[CUDA memcpy Device-to-Host]","cat":"CudaEvent","pid":1,"dev":2,"stream":13,"corr":78,"bytes":4096,"copy":"d2h","args":{"contextId":"1","eventClass":1,"globalPid":"281474993487872","copyKind":"2","srcKind":2,"dstKind":1},"src":{"Type":80}}
{"ts":70,"dur":1,"kind":"memcpy","name":"[CUDA memcpy Unified Host-to-Device]","cat":"CudaEvent","pid":1,"dev":2,"stream":13,"bytes":4096,"copy":"h2d","args":{"contextId":"1","eventClass":1,"globalPid":"281474993487872","copyKind":"11","srcKind":4,"dstKind":4},"src":{"Type":80}}
{"ts":71,"dur":4,"kind":"memset","name":"[CUDA memset]","cat":"CudaEvent","pid":1,"dev":2,"stream":13,"corr":79,"bytes":8,"args":{"contextId":"1","eventClass":2,"globalPid":"281474993487872","value":0,"memKind":2},"src":{"Type":80}}
{"ts":76,"dur":4,"kind":"sync","name":"Context Sync","cat":"CudaEvent","pid":1,"dev":2,"corr":80,"args":{"contextId":"1","eventClass":5,"globalPid":"281474993487872","eventId":4294967295,"syncType":4},"src":{"Type":106}}
{"kind":"other","name":"cudaEventRecord","cat":"CudaEvent","pid":1,"dev":2,"stream":13,"corr":81,"args":{"contextId":"1","eventClass":12,"globalPid":"281474993487872","eventId":5},"src":{"Type":127}}
{"ts":81,"dur":0,"kind":"other","name":"[Unknown]","cat":"TraceProcessEvent","pid":1,"args":{"eventClass":10,"name":"0","globalTid":"281474993487872"},"src":{"Type":47}}
{"ts":82,"kind":"other","name":"Profiling has stopped.","cat":"DiagnosticEvent","pid":1,"args":{"Timestamp":{"Time":"82","Type":"TargetTimestamp","NsTime":true},"Source":"Analysis","GlobalProcess":"281474993487872"},"src":{"Type":49}}
EOF
cat >thread-records <<'EOF'
{"kind":"meta","name":"/tmp/out.log","cat":"Stream","pid":1,"args":{"globalPid":"281474993487872","content":"epoch 0\n"}}
{"kind":"meta","name":"python3","cat":"ThreadName","pid":1,"tid":4098,"args":{"globalTid":"281474993491970","nameId":"12","priority":"20"}}
EOF
# same NAME COMMAND FILE...: checks that COMMAND prints the contents of the FILEs.
same() {
	same_name=$1 same_command=$2
	shift 2
	cat "$@" >want
	check "$same_name" 0 "{ $same_command; } >got && diff want got" </dev/null
}

cat texts events threads >first
cat events texts threads >last
cat texts threads events >stream-first
same 'strings may precede the events' 'trace2ndjson first' records thread-records
same 'strings may follow the events: the order is kept' 'trace2ndjson last' records thread-records
same 'thread names may precede the events' 'trace2ndjson stream-first' thread-records records
same 'strings may follow the events on standard input' 'cat last | trace2ndjson' records thread-records
same 'CRLF, blank lines, a byte order mark, no newline at the end' \
	'{ printf "\357\273\277"; sed "1s/$/\n\r\n/; s/$/\r/" first; } | head -c -2 | trace2ndjson 2>said' \
		records thread-records

# Waiting events are written as soon as their last string has arrived, not at the end of the input. The trace is longer
# than 64 KiB, because a shorter one would be read to its end before its format is recognised.
awk 'BEGIN { for (i = 1000; i < 3000; i++)
	printf "{\"type\":\"String\",\"id\":\"%d\",\"value\":\"string %d\"}\n", i, i }' >many
mkfifo pipe
check 'waiting events are written when their strings arrive' 0 '
	trace2ndjson pipe >got & exec 9>pipe; cat many events texts >&9; i=0
	while [ "$(wc -l <got)" -lt 15 ] && [ $((i += 1)) -le 100 ]; do sleep 0.1; done
	cp got early; exec 9>&-; wait; diff records early' </dev/null

# An export without a line for each string: all strings are in one line, which is the first or the last one; another
# line has thread names.
index='{"data":["[Unknown]","1","2","3","4","5","6","cudaLaunchKernel_v7000","void add<float>(float *, int)","add","cudnnConvolutionForward","a/b <A> \"q\"","python3"]}'
names='{"data":[{"nameIdx":"12","priority":"20","globalTid":"281474993491970"},{"nameIdx":12,"priority":"20","globalTid":"281474993491971"}]}'
cat >list-records <<'EOF'
{"kind":"meta","name":"python3","cat":"ThreadName","pid":1,"tid":4098,"args":{"nameIdx":"12","priority":"20","globalTid":"281474993491970"}}
{"kind":"meta","name":"python3","cat":"ThreadName","pid":1,"tid":4099,"args":{"nameIdx":12,"priority":"20","globalTid":"281474993491971"}}
EOF
{ echo "$index"; cat events; echo "$names"; } >index-first
{ cat events; echo "$index"; echo "$names"; } >index-last
{ cat events; echo "$names"; echo "$index"; } >index-after-names
{ echo "$names"; cat events; echo "$index"; } >names-first
same 'one line with all strings may be the first' 'trace2ndjson index-first' records list-records
same 'one line with all strings may be the last but one' 'trace2ndjson index-last' records list-records
same 'one line with all strings may be the last' 'trace2ndjson index-after-names' records list-records
same 'one line with thread names may be the first' 'trace2ndjson names-first' list-records records
same 'a line with all strings may be longer than a buffer' \
	"awk 'BEGIN { printf \"{\\\"data\\\":[\\\"x\\\"\"
		for (i = 1; i < 20000; i++) printf \",\\\"long name %d\\\"\", i; print \"]}\" }' | cat - events |
		sed 's/\"19999\"/\"1\"/' | trace2ndjson -k kernel |
		sed 's/long name 8/void add<float>(float *, int)/; s/long name 9/add/'" \
	/dev/stdin <<EOF
$(sed -n 8p records)
EOF

# Rows of tables.
cat >rows <<'EOF'
{"id":7,"table":"StringIds","value":"cuLaunchKernel"}
{"id":8,"table":"StringIds","value":"void add<float>(float *, int)"}
{"id":9,"table":"StringIds","value":"add"}
{"correlationId":77,"end":30,"eventClass":1,"globalTid":281474993491970,"nameId":7,"returnValue":700,"start":20,"table":"CUPTI_ACTIVITY_KIND_RUNTIME"}
{"blockX":1,"correlationId":77,"demangledName":8,"deviceId":0,"end":61,"globalPid":281474993487872,"gridX":64,"shortName":9,"start":40,"streamId":7,"table":"CUPTI_ACTIVITY_KIND_KERNEL"}
{"bytes":16,"copyKind":8,"correlationId":78,"deviceId":0,"dstKind":2,"end":63,"globalPid":281474993487872,"srcKind":2,"start":62,"streamId":7,"table":"CUPTI_ACTIVITY_KIND_MEMCPY"}
{"bytes":16,"correlationId":79,"deviceId":0,"end":65,"globalPid":281474993487872,"start":64,"streamId":7,"table":"CUPTI_ACTIVITY_KIND_MEMSET","value":0}
{"correlationId":80,"deviceId":0,"end":67,"eventId":4294967295,"globalPid":281474993487872,"start":66,"streamId":7,"syncType":3,"table":"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"}
{"correlationId":81,"deviceId":0,"eventId":4,"globalPid":281474993487872,"streamId":7,"table":"CUPTI_ACTIVITY_KIND_CUDA_EVENT"}
{"domainId":3,"eventType":75,"globalTid":281474993491970,"start":1,"table":"NVTX_EVENTS","text":"CCCL"}
{"domainId":3,"end":90,"eventType":59,"globalTid":281474993491970,"start":2,"table":"NVTX_EVENTS","textId":9}
{"domainId":3,"eventType":76,"globalTid":281474993491970,"start":91,"table":"NVTX_EVENTS"}
{"end":8,"eventClass":28,"globalTid":281474993491970,"nameId":9,"start":7,"table":"CUDNN_EVENTS"}
{"end":8,"eventClass":29,"globalTid":281474993491970,"nameId":9,"start":7,"table":"CUBLAS_EVENTS"}
{"end":8,"eventClass":27,"globalTid":281474993491970,"nameId":9,"returnValue":-1,"start":7,"table":"OSRT_API"}
{"end":8,"globalTid":281474993491970,"nameId":9,"start":7,"table":"PROFILER_OVERHEAD"}
{"cpu":1,"globalTid":281474993491970,"isSchedIn":1,"start":7,"table":"SCHED_EVENTS"}
{"globalPid":281474993487872,"name":"chrome","pid":153958,"table":"PROCESSES"}
{"globalTid":281474993491970,"nameId":9,"priority":20,"table":"ThreadNames"}
{"id":0,"name":"A100","smCount":108,"table":"TARGET_INFO_GPU"}
{"name":"COLLECT","table":"META_DATA_CAPTURE","value":"false"}
{"duration":5,"startTime":1,"stopTime":6,"table":"ANALYSIS_DETAILS"}
{"end":6,"table":"SOMETHING_NEW"}
EOF
check 'rows of tables (jsonlines) become records' 0 'trace2ndjson rows' <<'EOF'
{"ts":20,"dur":10,"kind":"api","name":"cuLaunchKernel","cat":"CUPTI_ACTIVITY_KIND_RUNTIME","pid":1,"tid":4098,"corr":77,"err":700,"args":{"eventClass":1,"globalTid":281474993491970,"nameId":7}}
{"ts":40,"dur":21,"kind":"kernel","name":"void add<float>(float *, int)","cat":"CUPTI_ACTIVITY_KIND_KERNEL","pid":1,"dev":0,"stream":7,"corr":77,"args":{"blockX":1,"demangledName":8,"globalPid":281474993487872,"gridX":64,"shortName":"add"}}
{"ts":62,"dur":1,"kind":"memcpy","name":"[CUDA memcpy Device-to-Device]","cat":"CUPTI_ACTIVITY_KIND_MEMCPY","pid":1,"dev":0,"stream":7,"corr":78,"bytes":16,"copy":"d2d","args":{"copyKind":8,"dstKind":2,"globalPid":281474993487872,"srcKind":2}}
{"ts":64,"dur":1,"kind":"memset","name":"[CUDA memset]","cat":"CUPTI_ACTIVITY_KIND_MEMSET","pid":1,"dev":0,"stream":7,"corr":79,"bytes":16,"args":{"globalPid":281474993487872,"value":0}}
{"ts":66,"dur":1,"kind":"sync","name":"Stream Sync","cat":"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION","pid":1,"dev":0,"stream":7,"corr":80,"args":{"eventId":4294967295,"globalPid":281474993487872,"syncType":3}}
{"kind":"other","name":"cudaEventRecord","cat":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","pid":1,"dev":0,"stream":7,"corr":81,"args":{"eventId":4,"globalPid":281474993487872}}
{"ts":1,"kind":"meta","name":"CCCL","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"domainId":3,"eventType":75,"globalTid":281474993491970}}
{"ts":2,"dur":88,"kind":"range","name":"add","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"domainId":3,"eventType":59,"globalTid":281474993491970,"textId":9,"style":"PushPop","domain":"CCCL"}}
{"ts":91,"kind":"meta","name":"CCCL","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"domainId":3,"eventType":76,"globalTid":281474993491970}}
{"ts":7,"dur":1,"kind":"api","name":"add","cat":"CUDNN_EVENTS","pid":1,"tid":4098,"args":{"eventClass":28,"globalTid":281474993491970,"nameId":9,"lib":"cuDNN"}}
{"ts":7,"dur":1,"kind":"api","name":"add","cat":"CUBLAS_EVENTS","pid":1,"tid":4098,"args":{"eventClass":29,"globalTid":281474993491970,"nameId":9,"lib":"cuBLAS"}}
{"ts":7,"dur":1,"kind":"api","name":"add","cat":"OSRT_API","pid":1,"tid":4098,"err":-1,"args":{"eventClass":27,"globalTid":281474993491970,"nameId":9,"lib":"OSRT"}}
{"ts":7,"dur":1,"kind":"other","name":"add","cat":"PROFILER_OVERHEAD","pid":1,"tid":4098,"args":{"globalTid":281474993491970,"nameId":9}}
{"ts":7,"kind":"other","cat":"SCHED_EVENTS","pid":1,"tid":4098,"args":{"cpu":1,"globalTid":281474993491970,"isSchedIn":1}}
{"kind":"meta","name":"chrome","cat":"PROCESSES","pid":1,"args":{"globalPid":281474993487872,"pid":153958}}
{"kind":"meta","name":"add","cat":"ThreadNames","pid":1,"tid":4098,"args":{"globalTid":281474993491970,"nameId":9,"priority":20}}
{"kind":"meta","name":"A100","cat":"TARGET_INFO_GPU","args":{"id":0,"smCount":108}}
{"kind":"meta","name":"COLLECT","cat":"META_DATA_CAPTURE","args":{"value":"false"}}
{"kind":"meta","cat":"ANALYSIS_DETAILS","args":{"duration":5,"startTime":1,"stopTime":6}}
{"kind":"other","cat":"SOMETHING_NEW","args":{"end":6}}
EOF
trace2ndjson rows >row-records
grep -v StringIds rows >rows-only
same 'rows of strings may follow the other rows' '{ cat rows-only; grep StringIds rows; } | trace2ndjson' row-records
same 'rows of strings may be between other rows' \
	'{ sed 5q rows-only; grep StringIds rows; sed 1,5d rows-only; } | trace2ndjson' row-records
same 'members may be in any order, with white space' \
	'sed "s/^{\(.*\),\(\"table\":[^,}]*\)/{ \2 ,\1/; s/:/ : /" rows | sed "s/\" : \"/\":\"/" | trace2ndjson' row-records

# A member may have different types in different tables.
cat >payload <<'EOF'
{"domainId":1,"idx":2,"name":"Reduction operation","offset":16,"schemaId":16777223,"table":"NVTX_PAYLOAD_SCHEMA_ENTRIES","type":16777232}
EOF
check 'a member that is usually a text may be a number' 0 'trace2ndjson payload' <<'EOF'
{"kind":"meta","name":"Reduction operation","cat":"NVTX_PAYLOAD_SCHEMA_ENTRIES","args":{"domainId":1,"idx":2,"offset":16,"schemaId":16777223,"type":16777232}}
EOF
if have python3; then
	cat >member_types.py <<'EOF'
"""Gives every member that the reader knows values of all types: the output must be JSON, and nothing crashes."""
import json, re, subprocess, sys
rows = " ".join(re.findall(r'X\(\w+, \w+, (.*?)\)', open(sys.argv[1]).read()))
names = sorted(set(" ".join(re.findall('"(.*?)"', rows)).split()))
values = [int("1" * n) for n in range(1, 41)] + [True, 1.5, -1, "", "x", "1" * 8, [], [1], ["x"], {}, {"a": 1}, {"Time": "x"}, {"Time": 5}]
lines = []
for name in names:
    for value in values:
        lines.append({name: value, "table": "SOMETHING", "a": 1} if name != "table" else {name: value, "globalTid": 1})
        lines.append({"Type": 59, "NvtxEvent": {name: value, "Type": 59}})
        lines.append({"Type": 79, "CudaEvent": {"kernel": {name: value}}})
text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
p = subprocess.run(["trace2ndjson", "-F", "nsys"], input=text.encode(), capture_output=True)
[json.loads(line) for line in p.stdout.splitlines()]
print(len(names) > 30, p.returncode)
EOF
	check 'members may have any type' 0 \
		'python3 member_types.py "$ROOT"/filters/trace2ndjson/formats/nsys/nsys_record.h' <<'EOF'
True 1
EOF
fi
cat >nvtxt <<'EOF'
{"domainId":0,"end":9,"eventType":70,"globalTid":281474993491970,"start":1,"table":"NVTX_EVENTS","text":"nested"}
{"domainId":0,"end":7,"eventType":71,"globalTid":281474993491970,"rangeId":3,"start":5,"table":"NVTX_EVENTS","text":"apart"}
EOF
check 'ranges from an NVTXT file' 0 'trace2ndjson nvtxt | ndjson2table -o csv -f ts,dur,kind,name,args.style' <<'EOF'
ts,dur,kind,name,args.style
1,8,range,nested,PushPop
5,2,range,apart,StartEnd
EOF
cat >notices <<'EOF'
{"id":9,"table":"StringIds","value":"MPI_Bcast"}
{"category":7,"domainId":0,"eventType":33,"globalTid":281474993491970,"start":1,"table":"NVTX_EVENTS","text":"phase"}
{"domainId":1,"eventType":75,"globalTid":281474993491970,"start":2,"table":"NVTX_EVENTS","text":"io"}
{"category":3,"domainId":1,"eventType":33,"globalTid":281474993491970,"start":3,"table":"NVTX_EVENTS","text":"input"}
{"domainId":1,"eventType":39,"globalTid":281474993491970,"start":4,"table":"NVTX_EVENTS","text":"loader"}
{"domainId":1,"eventType":76,"globalTid":281474993491970,"start":5,"table":"NVTX_EVENTS"}
{"end":7,"eventClass":34,"globalTid":281474993491970,"nameId":9,"start":6,"table":"CUBLAS_EVENTS"}
{"end":7,"eventClass":28,"globalTid":281474993491970,"nameId":9,"start":6,"table":"CUBLAS_EVENTS"}
{"end":7,"eventClass":31,"globalTid":281474993491970,"nameId":9,"start":6,"table":"OSRT_API"}
{"end":7,"eventClass":36,"globalTid":281474993491970,"nameId":9,"start":6,"table":"CUDNN_EVENTS"}
{"globalPid":281474993487872,"severity":1,"source":1,"table":"DIAGNOSTIC_EVENT","text":"Buffers flushed","timestamp":8,"timestampType":2}
{"rawTimestamp":1000,"table":"GENERIC_EVENTS","timestamp":9,"typeId":5}
{"correlationId":81,"deviceId":0,"eventId":4,"globalPid":281474993487872,"table":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","timestamp":0}
{"correlationId":82,"deviceId":0,"eventId":5,"globalPid":281474993487872,"table":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","timestamp":11}
{"end":13,"globalTid":281474993491970,"rootRank":0,"size":16,"start":12,"table":"MPI_COLLECTIVES_EVENTS","textId":9}
EOF
check 'names of categories and threads, notices, timestamps, MPI' 0 'trace2ndjson notices' <<'EOF'
{"ts":1,"kind":"meta","name":"phase","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"category":7,"domainId":0,"eventType":33,"globalTid":281474993491970}}
{"ts":2,"kind":"meta","name":"io","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"domainId":1,"eventType":75,"globalTid":281474993491970}}
{"ts":3,"kind":"meta","name":"input","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"category":3,"domainId":1,"eventType":33,"globalTid":281474993491970,"domain":"io"}}
{"ts":4,"kind":"meta","name":"loader","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"domainId":1,"eventType":39,"globalTid":281474993491970,"domain":"io"}}
{"ts":5,"kind":"meta","name":"io","cat":"NVTX_EVENTS","pid":1,"tid":4098,"args":{"domainId":1,"eventType":76,"globalTid":281474993491970}}
{"ts":6,"dur":1,"kind":"other","name":"MPI_Bcast","cat":"CUBLAS_EVENTS","pid":1,"tid":4098,"args":{"eventClass":34,"globalTid":281474993491970,"nameId":9}}
{"ts":6,"dur":1,"kind":"other","name":"MPI_Bcast","cat":"CUBLAS_EVENTS","pid":1,"tid":4098,"args":{"eventClass":28,"globalTid":281474993491970,"nameId":9}}
{"ts":6,"dur":1,"kind":"other","name":"MPI_Bcast","cat":"OSRT_API","pid":1,"tid":4098,"args":{"eventClass":31,"globalTid":281474993491970,"nameId":9}}
{"ts":6,"dur":1,"kind":"other","name":"MPI_Bcast","cat":"CUDNN_EVENTS","pid":1,"tid":4098,"args":{"eventClass":36,"globalTid":281474993491970,"nameId":9}}
{"ts":8,"kind":"other","name":"Buffers flushed","cat":"DIAGNOSTIC_EVENT","pid":1,"args":{"globalPid":281474993487872,"severity":1,"source":1,"timestampType":2}}
{"ts":9,"kind":"other","cat":"GENERIC_EVENTS","args":{"rawTimestamp":1000,"typeId":5}}
{"kind":"other","name":"cudaEventRecord","cat":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","pid":1,"dev":0,"corr":81,"args":{"eventId":4,"globalPid":281474993487872}}
{"ts":11,"kind":"other","name":"cudaEventRecord","cat":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","pid":1,"dev":0,"corr":82,"args":{"eventId":5,"globalPid":281474993487872}}
{"ts":12,"dur":1,"kind":"api","name":"MPI_Bcast","cat":"MPI_COLLECTIVES_EVENTS","pid":1,"tid":4098,"args":{"globalTid":281474993491970,"rootRank":0,"size":16,"textId":9,"lib":"MPI"}}
EOF
# nsys writes MPI calls as ranges of the domain MPI. They are recognised by their names, which may be strings in later
# lines.
cat >mpi <<'EOF'
{"Type":75,"NvtxEvent":{"Type":75,"Timestamp":"1","Text":"MPI","GlobalTid":"281474993491970","DomainId":"1"}}
{"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"2","TextId":9,"GlobalTid":"281474993491970","EndTimestamp":"5","DomainId":"1"}}
{"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"3","Text":"of the program","GlobalTid":"281474993491970","EndTimestamp":"4","DomainId":"1"}}
{"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"6","Text":"MPI_","GlobalTid":"281474993491970","EndTimestamp":"7","DomainId":"0"}}
{"type":"String","id":"9","value":"MPI_Send"}
EOF
{ tail -n 1 mpi && sed '$d' mpi; } >mpi-first
for file in mpi mpi-first; do
	check "MPI calls become records of kind api: $file" 0 \
		"for k in api range; do trace2ndjson --no-args -k \$k $file; done; trace2ndjson $file |
		groupby -g kind -a count -o tsv" <<'EOF'
{"ts":2,"dur":3,"kind":"api","name":"MPI_Send","cat":"NvtxEvent","pid":1,"tid":4098}
{"ts":3,"dur":1,"kind":"range","name":"of the program","cat":"NvtxEvent","pid":1,"tid":4098}
{"ts":6,"dur":1,"kind":"range","name":"MPI_","cat":"NvtxEvent","pid":1,"tid":4098}
kind	count
range	2
api	1
meta	1
EOF
done

# --- options

grep '"kind":"kernel"' records >kernels
same '-k writes only the selected kind' 'trace2ndjson -k kernel last' kernels
grep -E '"kind":"(range|mark)"' records >ranges
same '-k range,mark finds the names of domains' 'trace2ndjson -k range,mark first' ranges
sed 's/,"args":.*/}/' records thread-records >bare
same '--no-args' 'trace2ndjson --no-args last' bare

# The table of strings, from one line for each string, one line with all strings, and rows of a table.
cat >strings <<'EOF'
{"kind":"meta","name":"[Unknown]","cat":"string","id":0}
{"kind":"meta","name":"cudaLaunchKernel_v7000","cat":"string","id":7}
{"kind":"meta","name":"void add<float>(float *, int)","cat":"string","id":8}
{"kind":"meta","name":"add","cat":"string","id":9}
{"kind":"meta","name":"cudnnConvolutionForward","cat":"string","id":10}
{"kind":"meta","name":"a/b <A> \"q\"","cat":"string","id":11}
{"kind":"meta","name":"python3","cat":"string","id":12}
EOF
same '--strings writes the strings as records before the events' 'trace2ndjson --strings first' \
	strings records thread-records
same '--strings writes the strings when they follow the events' \
	'trace2ndjson --strings last | grep string\" && trace2ndjson --strings last | grep -v string\"' \
	strings records thread-records
same '--strings writes the strings of one line, with their index as id' \
	'trace2ndjson --strings index-last | grep string\" | grep -v "\"name\":\"[1-6]\""' strings
check '--strings: -k meta selects the strings, and the other kinds do not' 0 '
	trace2ndjson --strings -k meta last | grep -c "\"cat\":\"string\""
	trace2ndjson --strings -k kernel last | grep -c "\"cat\":\"string\"" || :' <<'EOF'
7
0
EOF
check '--strings: a damaged line of strings keeps the strings before the damage' 1 '
	printf "%s\n" "{\"data\":[\"a\",4,\"b\"}" "{\"data\":[\"c\"]}" | trace2ndjson -F nsys --strings' <<'EOF'
{"kind":"meta","name":"c","cat":"string","id":0}
--- stderr
trace2ndjson: stdin:1: not a JSON record; skipped
EOF

# --- damage

check 'an id without a string is written as the name' 1 '
	grep -v "\"id\":\"[89]\"" last | trace2ndjson -k kernel,api' <<EOF
$(sed -n '6,7p' records)
$(sed -n '8s/"void add[^"]*"/"#8"/; 8s/"shortName":"add"/"shortName":"#9"/p' records)
--- stderr
trace2ndjson: stdin:8: name id without a string; name written as "#ID" (and 1 more)
EOF
check 'a last line that is cut short is skipped' 1 \
	'head -c -60 events | cat texts - | trace2ndjson >got; status=$?; tail -n 1 got; exit $status' <<EOF
$(sed -n 14p records)
--- stderr
trace2ndjson: stdin:22: record cut short; skipped
EOF
check 'damaged lines are skipped, and all other lines are read' 1 \
	'{ echo "{\"Type\":48,\"TraceProcessEvent\":{\"startNs\":\"1\""; cat first; echo "[1]";
		echo "{\"Type\":48,\"TraceProcessEvent\":{]}}"; echo "{\"Type\":27,\"CommEvent\":{\"Args\":[{\"a\":1]}}}"; } |
		trace2ndjson >got; status=$?; cat records thread-records | diff - got && exit $status' <<'EOF'
--- stderr
trace2ndjson: stdin:1: not a JSON record; skipped (and 3 more)
EOF
check 'events with invalid times are skipped' 1 \
	'sed "6s/\"20\"/\"x\"/; 8s/\"61\"/\"99999999999999999999\"/; 9s/\"62\"/\"-9223372036854775808\"/" events |
	cat texts - | trace2ndjson >got; status=$?; wc -l <got; exit $status' <<'EOF'
12
--- stderr
trace2ndjson: stdin:13: time is not a 64-bit integer (ns); record skipped (and 2 more)
EOF
check 'a string without an id is skipped' 1 \
	'sed "1s/.*/{\"type\":\"String\",\"value\":\"x\"}/" first | trace2ndjson -k kernel' <<EOF
$(cat kernels)
--- stderr
trace2ndjson: stdin:1: string without an id or a text; skipped
EOF
# Events of less than 256 KiB wait in memory.
{ for _ in $(seq 200); do cat events; done; cat texts threads; } >large
check 'many events that wait for their strings need a folder for temporary files' 2 \
	'TMPDIR=/nowhere trace2ndjson large' <<EOF
$(sed 3q records)
--- stderr
trace2ndjson: large: cannot create a temporary file (TMPDIR): No such file or directory
EOF
mkdir tmp
check 'the temporary file is deleted' 0 'TMPDIR=$PWD/tmp trace2ndjson large >/dev/null && ls tmp' </dev/null

# Prefixes of a file, each 37 bytes longer than the preceding one. Each record of a prefix must also be a record of the
# whole file.
trace2ndjson last | sort >whole
n=$(wc -c <last)
i=0
while [ "$i" -lt "$n" ]; do
	i=$((i + 37))
	head -c "$i" last >prefix
	trace2ndjson prefix >got 2>said
	status=$?
	case $status in
	0 | 1) sed 's/"#[0-9]*"/ID/g' got | grep -v ID | sort | comm -23 - whole >unexpected ;;
	*) echo "status $status" >unexpected ;;
	esac
	[ ! -s unexpected ] || { echo "prefix of $i bytes" >>unexpected; break; }
done
slow check 'each prefix gives only records of the whole file' 0 'cat unexpected' </dev/null

for isa in scalar avx2:avx2 avx512bw:avx512; do
	simd=${isa#*:}
	[ "$simd" = scalar ] || grep -qw "${isa%:*}" /proc/cpuinfo || { skip "this processor has no $simd"; continue; }
	slow same "the records are the same with $simd when read byte by byte" \
		"TRACEFILTERS_SIMD=$simd TRACEFILTERS_READ=1 trace2ndjson last 2>said || cat said" records thread-records
done

# --- recognition

check 'files are recognised by their content' 0 '
	for f in first last index-first index-last names-first rows row-records; do
	trace2ndjson -F nsys $f >by-name && trace2ndjson $f | cmp - by-name >/dev/null && echo $f; done; true' <<'EOF'
first
last
index-first
index-last
names-first
rows
EOF

# --- the scripts

check 'nsys-report cuda_gpu_kern_sum prints a row for each kernel name' 0 'nsys-report cuda_gpu_kern_sum first' <<'EOF'
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
100.0,21,1,21.0,21.0,21,21,0.0,"void add<float>(float *, int)"
EOF
check 'nsys-report cuda_api_sum reads records; it leaves out cuDNN and version suffixes' 0 \
	'trace2ndjson first | nsys-report cuda_api_sum' <<'EOF'
Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
100.0,10,1,10.0,10.0,10,10,0.0,cudaLaunchKernel
EOF
check 'nsys-report cuda_gpu_mem_time_sum prints copies and memsets' 0 'nsys-report cuda_gpu_mem_time_sum first' <<'EOF'
Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation
61.5,8,1,8.0,8.0,8,8,0.0,[CUDA memcpy Device-to-Host]
30.8,4,1,4.0,4.0,4,4,0.0,[CUDA memset]
7.7,1,1,1.0,1.0,1,1,0.0,[CUDA memcpy Unified Host-to-Device]
EOF
check 'a report of sizes says that no record has a size' 0 \
	"echo '{\"kind\":\"memcpy\",\"name\":\"copy\"}' | nsys-report cuda_gpu_mem_size_sum" <<'EOF'
Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation
0.000,1,0.000,0.000,0.000,0.000,0.000,copy
--- stderr
nsys-report: no record has the field 'bytes'
EOF
{
	sed 's/"id":8,/"id":88,/' rows | grep '"id":88,'
	cat rows
	sed 's/"demangledName":8/"demangledName":88/' rows | grep '"demangledName":88'
} >two-ids
check 'equal names with different ids have separate rows' 0 'nsys-report cuda_gpu_kern_sum two-ids' <<'EOF'
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
50.0,21,1,21.0,21.0,21,21,0.0,"void add<float>(float *, int)"
50.0,21,1,21.0,21.0,21,21,0.0,"void add<float>(float *, int)"
EOF
printf '{"dur":%d,"kind":"%s","name":"%s"}\n' 4 kernel one 2 kernel two 2 kernel two 9 kernel most >equal
check 'rows with equal totals are in the order of their names' 0 \
	'nsys-report cuda_gpu_kern_sum equal | cut -d , -f 2,3,9' <<'EOF'
Total Time (ns),Instances,Name
9,1,most
4,1,one
4,2,two
EOF
check 'halves are rounded away from zero' 0 \
	'for d in 1 2 2 2; do echo "{\"dur\":$d,\"kind\":\"kernel\",\"name\":\"k\"}"; done |
	nsys-report cuda_gpu_kern_sum' <<'EOF'
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
100.0,7,4,1.8,2.0,1,2,0.5,k
EOF
cat >odd <<'EOF'
{"dur":1,"kind":"kernel","name":"a,\"b\"\t\\\nc"}
EOF
check 'nsys-report cuda_gpu_kern_sum quotes names with commas, quotes, tabs and newlines' 0 \
	'nsys-report cuda_gpu_kern_sum odd | tail -n 2' <<'EOF'
100.0,1,1,1.0,1.0,1,1,0.0,"a,""b""	\
c"
EOF
check 'nsys-report nvtx_pushpop_sum: names with domains, no start/end ranges, an open range lasts to the end' 0 \
	'sed "4s/60/59/g; 3s/\"EndTimestamp\":\"90\",//" events | cat texts - |
	nsys-report nvtx_pushpop_sum; nsys-report nvtx_pushpop_sum last |
	tail -n 1' <<'EOF'
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Range
66.7,2,1,2.0,2.0,2,2,0.0,"a/b <A> ""q"""
33.3,1,1,1.0,1.0,1,1,0.0,"NCCL:a/b <A> ""q"""
100.0,80,1,80.0,80.0,80,80,0.0,"a/b <A> ""q"""
EOF
slow check 'all reports print one message for an input that is no trace' 0 'echo no trace >text
	for report in $(nsys-report -h | sed -n "s/^  \\([a-z_]*\\)  .*/\\1/p"); do
	nsys-report $report text >got 2>said; echo $? $(wc -l <said)
	done | sort | uniq -c' <<'EOF'
     15 1 1
EOF
check 'nsys-report explains wrong usage' 2 'nsys-report nosuch first; nsys-report; nsys-report --lead 1s nvtx_sum first
	nsys-report --scope any nvtx_kern_sum first; nsys-report ../../nsys-report.d/nvtx_sum first' <<'EOF'
--- stderr
nsys-report: REPORT: unknown 'nosuch'; try nsys-report -h
nsys-report: REPORT is missing; try nsys-report -h
nsys-report: option --lead does not apply to nvtx_sum; try nsys-report -h
nsys-report: --scope: 'any': expected thread or process; try nsys-report -h
nsys-report: REPORT: unknown '../../nsys-report.d/nvtx_sum'; try nsys-report -h
EOF
check 'nsys-report: did you mean; REPORT must precede the file; formats' 2 \
	'nsys-report kern_sum first; nsys-report first cuda_api_sum; nsys-report cuda_api_sumary first
	nsys-report cuda_gpu_mem_time_sum -o tsv first | head -n 2; nsys-report cuda_gpu_kern_sum -o nosuch first' <<'EOF'
Time (%)	Total Time (ns)	Count	Avg (ns)	Med (ns)	Min (ns)	Max (ns)	StdDev (ns)	Operation
61.5	8	1	8.0	8.0	8	8	0.0	[CUDA memcpy Device-to-Host]
--- stderr
nsys-report: REPORT: unknown 'kern_sum'; did you mean 'cuda_gpu_kern_sum'?; try nsys-report -h
nsys-report: REPORT must precede the file; try nsys-report -h
nsys-report: REPORT: unknown 'cuda_api_sumary'; did you mean 'cuda_api_sum'?; try nsys-report -h
nsys-report: -o: 'nosuch': expected ndjson, csv, tsv, raw, md, table or list
EOF
cat >former <<'EOF'
cuda_api_sum nsys-api-sum
cuda_gpu_kern_sum nsys-kern-sum
cuda_gpu_mem_time_sum nsys-mem-sum
cuda_gpu_mem_size_sum nsys-mem-sum --size
cuda_kern_exec_trace nsys-kern-exec
cuda_kern_exec_sum nsys-kern-exec --sum
nvtx_pushpop_sum nsys-nvtx-sum
nvtx_pushpop_trace nsys-nvtx-pushpop
nvtx_kern_sum nsys-nvtx-kern-sum
nvtx_gpu_proj_trace nsys-nvtx-gpu-proj
nvtx_gpu_proj_sum nsys-nvtx-gpu-proj --sum
EOF
check 'each of the former commands prints a report of nsys-report, and a note' 0 '
	while read -r report name option; do
		$name $option "$DATA/train.nsys.json" >got; nsys-report $report "$DATA/train.nsys.json" | cmp - got
	done <former' <<'EOF'
--- stderr
nsys-api-sum: nsys-api-sum is now called nsys-report cuda_api_sum; nsys-api-sum goes after this release
nsys-kern-sum: nsys-kern-sum is now called nsys-report cuda_gpu_kern_sum; nsys-kern-sum goes after this release
nsys-mem-sum: nsys-mem-sum is now called nsys-report cuda_gpu_mem_time_sum; nsys-mem-sum goes after this release
nsys-mem-sum: nsys-mem-sum is now called nsys-report cuda_gpu_mem_size_sum; nsys-mem-sum goes after this release
nsys-kern-exec: nsys-kern-exec is now called nsys-report cuda_kern_exec_trace; nsys-kern-exec goes after this release
nsys-kern-exec: nsys-kern-exec is now called nsys-report cuda_kern_exec_sum; nsys-kern-exec goes after this release
nsys-nvtx-sum: nsys-nvtx-sum is now called nsys-report nvtx_pushpop_sum; nsys-nvtx-sum goes after this release
nsys-nvtx-pushpop: nsys-nvtx-pushpop is now called nsys-report nvtx_pushpop_trace; nsys-nvtx-pushpop goes after this release
nsys-nvtx-kern-sum: nsys-nvtx-kern-sum is now called nsys-report nvtx_kern_sum; nsys-nvtx-kern-sum goes after this release
nsys-nvtx-gpu-proj: nsys-nvtx-gpu-proj is now called nsys-report nvtx_gpu_proj_trace; nsys-nvtx-gpu-proj goes after this release
nsys-nvtx-gpu-proj: nsys-nvtx-gpu-proj is now called nsys-report nvtx_gpu_proj_sum; nsys-nvtx-gpu-proj goes after this release
EOF
for report in cuda_gpu_kern_sum cuda_api_sum cuda_gpu_mem_time_sum nvtx_pushpop_sum; do
	script="nsys-report $report"
	check "$script exits 1 for damaged input" 1 \
		"head -c -60 first | $script >got 2>said; status=\$?; grep -c 'record cut short' said; exit \$status" <<'EOF'
1
EOF
	check "$script exits 2 for a missing file" 2 "$script nowhere >got" <<EOF
--- stderr
nsys-report: nowhere: cannot open: No such file or directory
EOF
	check "$script exits 2 for a wrong option" 2 "$script -x" <<EOF
--- stderr
nsys-report: unknown option -x; try nsys-report -h
EOF
	check "$script exits 2 on a full disk" 2 "
		$script first 2>said >/dev/full; status=\$?; grep -c . said; exit \$status" <<'EOF'
1
EOF
done

# --- real traces: the output must equal the tables of `nsys stats`, byte by byte

# golden TRACE FILE REPORT SCRIPT: checks that SCRIPT prints, for FILE, the REPORT that `nsys stats` printed.
golden() {
	need_shared "data/nsys/$2" "golden/nsys/$1/$3.csv" || return
	check "$1: the same $3 as nsys stats" 0 \
		"$4 '$SHARED/data/nsys/$2' | diff '$SHARED/golden/nsys/$1/$3.csv' -" </dev/null
}
for trace in unet3d_baseline_full:.gz unet3d_baseline_trim: unet3d_dali_amp_trim:; do
	file=${trace%:*}.json${trace#*:}
	trace=${trace%:*}
	golden "$trace" "$file" cuda_gpu_kern_sum 'nsys-report cuda_gpu_kern_sum'
	golden "$trace" "$file" cuda_api_sum 'nsys-report cuda_api_sum'
	golden "$trace" "$file" cuda_gpu_mem_time_sum 'nsys-report cuda_gpu_mem_time_sum'
	golden "$trace" "$file" cuda_gpu_mem_size_sum 'nsys-report cuda_gpu_mem_size_sum'
	golden "$trace" "$file" nvtx_pushpop_sum 'nsys-report nvtx_pushpop_sum'
	golden "$trace" "$file" nvtx_sum 'nsys-report nvtx_sum'
	for report in cuda_gpu_kern_gb_sum cuda_gpu_sum cuda_api_gpu_sum; do
		golden "$trace" "$file" $report "nsys-report $report"
	done
done
for rank in 0 1; do
	need_shared data/nsys-sqlite/mpi_rank$rank.nsys.json.gz \
		golden/nsys-sqlite/mpi_rank$rank/nsys-stats/nvtx_pushpop_sum.csv ||
		continue
	check "mpi_rank$rank: the same nvtx_pushpop_sum as nsys stats" 0 \
		"nsys-report nvtx_pushpop_sum '$SHARED/data/nsys-sqlite/mpi_rank$rank.nsys.json.gz' |
		diff '$SHARED/golden/nsys-sqlite/mpi_rank$rank/nsys-stats/nvtx_pushpop_sum.csv' -" </dev/null
done

# --- all real traces, compared with an independent reader: each record in order; count and total time of each category

if have python3; then
	for file in llama3_jsonlines_layout.jsonl.gz synth_medium.json.gz synth_small.json synth_small_wild.json \
		unet3d_baseline_full.json.gz unet3d_baseline_trim.json unet3d_dali_amp_trim.json; do
		need_shared "data/nsys/$file" &&
			check "$file: an independent reader gives the same records" 0 \
				"nsys_records.py '$SHARED/data/nsys/$file'" </dev/null
	done
fi

finish
