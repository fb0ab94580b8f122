#!/bin/sh
# xplane.t: the reader of XLA's profiles, with profiles of xla_profile.py, and with recorded ones and golden records.
. "${0%/*}/../lib.sh"
have python3 || finish

xla_profile.py all >run.xplane.pb
check 'a profile with every kind of event' 0 'trace2ndjson run.xplane.pb' <<'E'
{"kind":"meta","name":"hostname","args":{"name":"node1"}}
{"kind":"meta","name":"error","args":{"name":"device lost"}}
{"kind":"meta","name":"warning","args":{"name":"buffer full"}}
{"kind":"meta","name":"hlo_module","cat":"/host:metadata","args":{"name":"jit_f(1)"}}
{"kind":"meta","name":"plane","cat":"/device:GPU:1","dev":1,"args":{"name":"/device:GPU:1","device_vendor":"AMD"}}
{"ts":1700000000005,"dur":2,"kind":"kernel","name":"fusion","cat":"/device:GPU:1","dev":1,"stream":13,"corr":7,"args":{"correlation_id":7,"kernel_details":" grid:8,4,1 block:64,1,1 private_mem:0 occ_pct:0","hlo_op":"fusion.1","group_id":1,"grid":[8,4,1],"block":[64,1,1]}}
{"ts":1700000000009,"dur":1,"kind":"memcpy","name":"MemcpyH2D","cat":"/device:GPU:1","dev":1,"stream":13,"corr":8,"bytes":4096,"copy":"h2d","args":{"correlation_id":8,"memcpy_details":"kind:Unknown size:4096 dest:2"}}
{"ts":1700000000011,"dur":1,"kind":"memset","name":"Memset","cat":"/device:GPU:1","dev":1,"stream":13,"bytes":64,"args":{"memset_details":"size:64"}}
{"ts":1700000000002,"dur":-1,"kind":"kernel","name":"gemm","cat":"/device:GPU:1","dev":1,"stream":13,"args":{"half":0.5,"big":18446744073709551615,"blob":{"bytes":3}}}
{"ts":1700000000000,"dur":20,"kind":"gpu_range","name":"jit_f","cat":"/device:GPU:1","dev":1,"args":{"line":"XLA Modules"}}
{"kind":"meta","name":"plane","cat":"/device:TPU:0","dev":0,"args":{"name":"/device:TPU:0"}}
{"ts":1700000000001,"dur":1,"kind":"kernel","name":"add","cat":"/device:TPU:0","dev":0,"stream":3,"args":{"bytes":16,"flops":8,"start_ps":1700000000001500,"duration_ps":1001}}
{"kind":"meta","name":"plane","cat":"/host:CPU","args":{"name":"/host:CPU"}}
{"kind":"meta","name":"thread_name","pid":"/host:CPU","tid":-5,"args":{"name":"main thread"}}
{"ts":1699999999998,"dur":1,"kind":"api","name":"hipLaunchKernel","cat":"/host:CPU","pid":"/host:CPU","tid":-5,"corr":7,"args":{"correlation_id":7,"lib":"HIP"}}
{"ts":1700000000000,"dur":30,"kind":"python","name":"$train.py:1 step","cat":"/host:CPU","pid":"/host:CPU","tid":-5}
{"ts":1700000000001,"dur":500,"kind":"op","name":"dot","cat":"/host:CPU","pid":"/host:CPU","tid":-5,"args":{"hlo_op":"dot.1"}}
{"ts":1700000000003,"dur":1,"kind":"range","name":"#99","cat":"/host:CPU","pid":"/host:CPU","tid":-5}
{"ts":1700000000004,"kind":"mark","name":"instant","cat":"/host:CPU","pid":"/host:CPU","tid":-5,"args":{"text":"é\""}}
{"kind":"row","name":"many","cat":"/host:CPU","args":{"line":"main thread","num_occurrences":17,"duration_ps":123}}
--- stderr
trace2ndjson: run.xplane.pb: byte 1173: the profiler reported: "device lost"
trace2ndjson: run.xplane.pb: byte 1186: the profiler reported: "buffer full"
E
trace2ndjson --quiet run.xplane.pb >records 2>/dev/null
gzip -c run.xplane.pb >run.xplane.pb.gz
check 'the same from gzip data and from standard input' 0 '
	for path in run.xplane.pb.gz -; do trace2ndjson "$path" <run.xplane.pb 2>/dev/null | cmp - records; done
	cat run.xplane.pb | trace2ndjson 2>/dev/null | cmp - records' </dev/null
check 'only some kinds, without args' 0 'trace2ndjson -k kernel,row --no-args run.xplane.pb 2>/dev/null' <<'E'
{"ts":1700000000005,"dur":2,"kind":"kernel","name":"fusion","cat":"/device:GPU:1","dev":1,"stream":13,"corr":7}
{"ts":1700000000002,"dur":-1,"kind":"kernel","name":"gemm","cat":"/device:GPU:1","dev":1,"stream":13}
{"ts":1700000000001,"dur":1,"kind":"kernel","name":"add","cat":"/device:TPU:0","dev":0,"stream":3}
{"kind":"row","name":"many","cat":"/host:CPU"}
E
check 'kernels have their calls' 0 '
	trace2ndjson run.xplane.pb 2>/dev/null | corr-join --only matched | ndjson2table -o csv -f name,api.name,delay' <<'E'
name,api.name,delay
fusion,hipLaunchKernel,7
E
check 'times before 0 are rounded down' 0 'xla_profile.py early | trace2ndjson -k kernel' <<'E'
{"ts":-2,"dur":3,"kind":"kernel","name":"add","cat":"/device:TPU:0","dev":0,"stream":3,"args":{"start_ps":-1500,"duration_ps":2500}}
E
check 'a file that was converted to UTF-8 text' 1 'xla_profile.py converted | trace2ndjson -F xplane' <<'E'
--- stderr
trace2ndjson: stdin: byte 0: damaged by a conversion to UTF-8 text; copy the file again as binary data
E
check 'an event larger than --max-record' 0 '
	trace2ndjson --max-record 40 run.xplane.pb 2>&1 >/dev/null | grep -v profiler' <<'E'
trace2ndjson: run.xplane.pb: byte 563: name of an event or stat is damaged or larger than --max-record; skipped
trace2ndjson: run.xplane.pb: byte 251: event larger than --max-record; skipped (and 1 more)
E
head -c 450 run.xplane.pb >cut.xplane.pb
check 'the events of a plane that is cut have numbers instead of names' 0 '
	trace2ndjson cut.xplane.pb | ndjson2table -o csv -f ts,dur,kind,name' <<'E'
ts,dur,kind,name
,,meta,hlo_module
,,meta,plane
1700000000005,2,kernel,fusion
1700000000009,1,memcpy,MemcpyH2D
1700000000011,1,kernel,#102
1700000000002,-1,kernel,#103
1700000000000,20,gpu_range,#104
--- stderr
trace2ndjson: cut.xplane.pb: byte 450: cut short inside a plane; its events may have numbers instead of names
E
slow check 'prefixes of a profile' 0 'protobuf_damage.py prefixes xplane run.xplane.pb' <<'E'
all prefixes are right
E
slow check 'profiles with a flipped bit' 0 'protobuf_damage.py flips xplane run.xplane.pb' <<'E'
all flips are right
E

# 20,000 events are more than the spool holds in memory.
check 'a profile from a pipe that is larger than the memory of the spool' 0 '
	xla_profile.py large 20000 | trace2ndjson -k kernel | groupby -g name,args.hlo_op -a count,sum -o csv' <<'E'
name,args.hlo_op,count,dur_sum
fusion,fusion.1,20000,20000
E
check 'without a folder for temporary files' 2 'xla_profile.py large 20000 | TMPDIR=/nonexistent trace2ndjson' <<'E'
--- stderr
trace2ndjson: stdin: cannot create a temporary file (TMPDIR): No such file or directory
E

if need_shared data/xplane golden/xplane; then
	for file in "$SHARED"/data/xplane/*.xplane.pb*; do
		golden=${file##*/}
		golden=$SHARED/golden/xplane/${golden%%.*}/records.ndjson.gz
		check "golden records of ${file##*/}" 0 "
			trace2ndjson --quiet $file 2>/dev/null | golden_records.py $golden | sed 's/^[1-9][0-9]*/all/'" <<'E'
all records
E
	done
fi
finish
