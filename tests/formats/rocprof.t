#!/bin/sh
# rocprof.t: the reader of rocprofv3's files, compared with answers that were computed from the fields of the files.
. "${0%/*}/../lib.sh"
have python3 || finish

rocprof_trace.py >run.json
check 'JSON: every kind of event' 0 'trace2ndjson -k kernel,memcpy,api,range,mark,counter,sample,other run.json |
	ndjson2table -o csv -f ts,dur,kind,name,dev,stream,corr,bytes,copy,err' <<'E'
ts,dur,kind,name,dev,stream,corr,bytes,copy,err
900,500,counter,SQ_WAVES,0,7,5,,,
900,500,counter,GPU_UTIL,0,7,5,,,
900,500,kernel,add(float*),0,7,5,,,
800,,kernel,mul.kd,1,7,6,,,
100,200,api,hipMalloc,,,3,,,2
700,150,api,hipLaunchKernel,,,5,,,
50,1950,range,"step ""0"", {lr",,,1,,,
60,,mark,start,,,2,,,
1500,-10,api,kind 1 operation 9,,,8,,,
400,100,memcpy,MEMORY_COPY_HOST_TO_DEVICE,1,7,7,4096,h2d,
600,50,memcpy,MEMORY_COPY_DEVICE_TO_DEVICE,1,7,9,8,p2p,
110,180,other,MEMORY_ALLOCATION_ALLOCATE,0,,3,1024,,
950,,sample,s_waitcnt vmcnt(0),,,5,,,
--- stderr
trace2ndjson: run.json: byte 4059: id without a name in the tables of the file; name made from the id
E
check 'JSON: metadata and args' 0 \
	'trace2ndjson --quiet -k meta,kernel run.json | head -n 5 | sed "s/.*\"args\"://"' <<'E'
{"command":"python train.py","init_time":1,"fini_time":9999}}
{"agent":0,"type":"CPU","name":"EPYC","vendor_name":"CPU","cu_count":304}}
{"agent":1,"type":"GPU","name":"gfx942","vendor_name":"AMD","cu_count":304}}
{"agent":2,"type":"GPU","name":"gfx942","vendor_name":"AMD","cu_count":304}}
{"agent":1,"queue_id":3,"dispatch_id":5,"kernel_id":1,"private_segment_size":0,"group_segment_size":64,"workgroup_size":[256,1,1],"grid_size":[4096,1,1]}}
E

trace2ndjson --quiet run.json >records
check 'JSON with white space gives the same records' 0 \
	'python3 -m json.tool run.json | trace2ndjson --quiet | cmp - records' </dev/null
python3 - <<'E'
import json, subprocess
first, second = (json.loads(subprocess.check_output(["rocprof_trace.py", pid])) for pid in ("42", "7"))
key = "rocprofiler-sdk-tool"
second[key][0]["kernel_symbols"][0]["formatted_kernel_name"] = "sub"
json.dump({key: first[key] + second[key]}, open("both.json", "w"))
E
check 'JSON of two processes: each has its own names' 0 \
	"trace2ndjson --quiet -k kernel both.json | groupby -g pid,name -a count -o csv" <<'E'
pid,name,count
7,mul.kd,1
7,sub,1
42,add(float*),1
42,mul.kd,1
E
# Each of the names of kinds, kernels and counters is in a table of the file.
sed 's/"kernel_symbols"/"unknown"/; s/"counters"/"unknown"/; s/"MEMORY_COPY_HOST_TO_DEVICE",//' run.json >unnamed.json
check 'JSON: names that are not in the tables are made from the ids' 0 \
	'trace2ndjson --quiet -k kernel,counter,memcpy unnamed.json | ndjson2table -o csv -f name,copy,dev,args.kernel' <<'E'
name,copy,dev,args.kernel
counter 77,,0,kernel 1
counter 78,,0,kernel 1
kernel 1,,0,
kernel 2,,1,
MEMORY_COPY_DEVICE_TO_DEVICE,d2d,1,
kind 3 operation 2,,1,
E
check 'JSON: a bad character in a text is replaced' 0 \
	"LC_ALL=C sed 's/train/tr\\xffin/' run.json | trace2ndjson -k meta | head -n 1" <<'E'
{"kind":"meta","name":"node01","cat":"metadata","pid":42,"args":{"command":"python tr�in.py","init_time":1,"fini_time":9999}}
--- stderr
trace2ndjson: stdin: byte 37: invalid UTF-8; replaced by U+FFFD
trace2ndjson: stdin: byte 4059: id without a name in the tables of the file; name made from the id
E
check 'JSON: a file that is cut' 1 "head -c 3600 run.json | trace2ndjson -k api" <<'E'
{"ts":100,"dur":200,"kind":"api","name":"hipMalloc","cat":"HIP_RUNTIME_API","pid":42,"tid":42,"corr":3,"err":2,"args":{"args":{"ptr":"0x7f"},"lib":"HIP"}}
--- stderr
trace2ndjson: stdin: byte 3600: file is cut short: the last record is incomplete
E
check 'JSON: a damaged event is lost, all others are kept' 0 \
	"sed 's/\"end_timestamp\":850/\"end_timestamp:850/' run.json | trace2ndjson --quiet |
	diff - records | cut -c 1-60" <<'E'
9a10
> {"ts":700,"dur":150,"kind":"api","name":"hipLaunchKernel",
--- stderr
trace2ndjson: stdin: byte 3540: record damaged or larger than --max-record; skipped
E

# --- CSV

cat >run_agent_info.csv <<'E'
"Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Name","Vendor_Name","Product_Name"
0,0,"CPU",96,"EPYC","CPU","EPYC 9654"
5,1,"GPU",304,"gfx942","AMD","MI300X"
6,2,"GPU",304,"gfx942","AMD","MI300X"
E
cat >run_kernel_trace.csv <<'E'
"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","VGPR_Count","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z"
"KERNEL_DISPATCH","Agent 2",1,7,42,1,10,"add(float*, int)",5,900,1400,8,64,1,1
"KERNEL_DISPATCH","GPU 0",1,7,42,2,10,"add(float*, int)",6,1500,0,8,64,1,1
"KERNEL_DISPATCH","Agent 9",1,7,42,3,10,"add(float*, int)",7,1600,1590,8,64,1,1
E
check 'CSV: the table of agents is read first; its devices are those of the kernels' 0 \
	'trace2ndjson run_kernel_trace.csv run_agent_info.csv' <<'E'
{"kind":"meta","name":"EPYC 9654","cat":"agent","args":{"agent":0,"type":"CPU","name":"EPYC","vendor_name":"CPU","cu_count":96}}
{"kind":"meta","name":"MI300X","cat":"agent","dev":0,"args":{"agent":5,"type":"GPU","name":"gfx942","vendor_name":"AMD","cu_count":304}}
{"kind":"meta","name":"MI300X","cat":"agent","dev":1,"args":{"agent":6,"type":"GPU","name":"gfx942","vendor_name":"AMD","cu_count":304}}
{"ts":900,"dur":500,"kind":"kernel","name":"add(float*, int)","cat":"KERNEL_DISPATCH","tid":42,"dev":1,"stream":7,"corr":5,"args":{"agent":6,"queue_id":1,"dispatch_id":1,"kernel_id":10,"workgroup_size":[64,1,1],"vgpr_count":8}}
{"ts":1500,"kind":"kernel","name":"add(float*, int)","cat":"KERNEL_DISPATCH","tid":42,"dev":0,"stream":7,"corr":6,"args":{"agent":5,"queue_id":1,"dispatch_id":2,"kernel_id":10,"workgroup_size":[64,1,1],"vgpr_count":8}}
{"ts":1600,"dur":-10,"kind":"kernel","name":"add(float*, int)","cat":"KERNEL_DISPATCH","tid":42,"dev":9,"stream":7,"corr":7,"args":{"agent":9,"queue_id":1,"dispatch_id":3,"kernel_id":10,"workgroup_size":[64,1,1],"vgpr_count":8}}
--- stderr
trace2ndjson: run_kernel_trace.csv:4: agent without a description; its number used as dev (name agent_info.csv as well)
E
cat >marker.csv <<'E'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"MARKER_CORE_API","step "0", "lr",0.1",15,15,1,100,200
"MARKER_CORE_API","two
lines",15,15,2,300,300

"HIP_RUNTIME_API","hipMalloc",15,15
"HIP_RUNTIME_API","hipFree",15,15,0,400,450
"Guid","Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp"
"00-11","SCRATCH_MEMORY","SCRATCH_MEMORY_ALLOC","CPU 0",64,"-",,500,600
"Name","Calls","TotalDurationNs","Percentage"
"hipFree",4,262497406,85.150000
E
cat >marker.records <<'E'
{"ts":100,"dur":100,"kind":"range","name":"step \"0\", \"lr\",0.1","cat":"MARKER_CORE_API","pid":15,"tid":15,"corr":1}
{"ts":300,"kind":"mark","name":"two\nlines","cat":"MARKER_CORE_API","pid":15,"tid":15,"corr":2}
{"ts":400,"dur":50,"kind":"api","name":"hipFree","cat":"HIP_RUNTIME_API","pid":15,"tid":15,"args":{"lib":"HIP"}}
{"ts":500,"dur":100,"kind":"other","name":"SCRATCH_MEMORY_ALLOC","cat":"SCRATCH_MEMORY","bytes":64,"args":{"guid":"00-11"}}
{"kind":"row","name":"hipFree","cat":"stats","args":{"Calls":4,"TotalDurationNs":262497406,"Percentage":85.150000}}
E
{
	cat marker.records
	echo '--- stderr'
	echo 'trace2ndjson: marker.csv:6: line does not fit the header; skipped'
} >want
check 'CSV: quotes, commas and newlines in a text, several tables, a damaged line' 1 'trace2ndjson marker.csv' <want
sed 's/marker.csv/stdin/' want >want.stdin
check 'CSV: Windows line ends' 1 'sed "/two/!s/\$/\r/" marker.csv | trace2ndjson' <want.stdin
check 'CSV: a last line without a newline' 0 \
	'printf %s "$(head -n 2 run_kernel_trace.csv)" | trace2ndjson --quiet | wc -l' <<'E'
1
--- stderr
trace2ndjson: stdin:2: last line has no newline; its last value may be cut short
E
check 'CSV: a last line with an end time that is cut short' 1 \
	'head -n 2 marker.csv | head -c -2 | trace2ndjson' <<'E'
--- stderr
trace2ndjson: stdin:2: file is cut short: the last line is incomplete
E

# --- files of the tool, and a made-up run in all forms

# same_sums NAME FILE...: checks that the sums of the records are the answers in golden/rocprof/NAME.
same_sums() {
	same_name=$1
	shift
	(cd "$SHARED/golden/rocprof/$same_name" && ls -- *.csv) >right
	check "sums of $same_name" 0 "trace2ndjson --quiet $* | rocprof_sums.py '$SHARED/golden/rocprof/$same_name'" <right
}

if need_shared data/rocprof golden/rocprof; then
	made=$SHARED/data/rocprof/made golden=$SHARED/golden/rocprof
	check 'JSON: every record is the golden one' 0 \
		"trace2ndjson $made/run_results.json | rocprof_records.py $golden/made/records.ndjson.gz" <<'E'
370 equal records
E
	same_sums made "$made/run_results.json"
	same_sums 908 "$SHARED/data/rocprof/908_results.json.gz"
	same_sums made "$made/run_*.csv"
	trace2ndjson "$made/run_results.json" | tail -n +6 >records
	check 'the records of JSON and CSV are the same where both have a value' 0 \
		"trace2ndjson $made/run_*.csv | tail -n +5 |
		rocprof_records.py -o -i pid,tid,stream,corr,bytes,err,args records" <<'E'
365 equal records
E
	grep '"kind":"kernel"' records >kernels
	sizes=private_segment_size,group_segment_size,lds_block_size,scratch_size,vgpr_count,accum_vgpr_count,sgpr_count
	check 'the kernels of JSON and CSV are the same' 0 "trace2ndjson -k kernel $made/run_*.csv |
		rocprof_records.py -o -i pid,external,$sizes kernels" <<'E'
112 equal records
E
	for age in docs-2024 docs-2025; do
		for answers in "$golden/$age"/*/; do
			name=$age/$(basename "$answers")
			same_sums "$name" "$SHARED/data/rocprof/$name.csv"
		done
	done
fi

# --- a large object

# The object is longer than half of the file, and its end is near the end of the file.
{
	printf '{"rocprofiler-sdk-tool":[{"agents":[{"size":312,"id":{"handle":1},"type":2,"caches":['
	seq -f '{"size":%.0f,"level":1},' 6000 | tr -d '\n'
	printf '{"size":0}]}]}]}\n'
} >large.json
check 'an object of 143 kB at the end of a file' 0 '
	trace2ndjson large.json | grep -c GPU
	cat large.json | trace2ndjson | wc -l' <<'E'
1
1
E

finish
