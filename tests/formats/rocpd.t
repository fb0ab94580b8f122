#!/bin/sh
# rocpd.t: the reader of rocprofv3's SQLite databases.
. "${0%/*}/../lib.sh"
have python3 || finish
grep -q HAVE_SQLITE "$BUILD/flags" || {
	skip 'this build cannot read SQLite (make SQLITE=1)'
	finish
	exit
}

# The rows of schema 3, with the suffix of one process. The ids of processes and threads are not their numbers.
cat >rows <<'E'
{"table":"rocpd_metadata_u","id":1,"tag":"schema_version","value":"3"}
{"table":"rocpd_string_u","id":1,"string":""}
{"table":"rocpd_string_u","id":2,"string":"HIP_RUNTIME_API_EXT"}
{"table":"rocpd_string_u","id":3,"string":"hipLaunchKernel"}
{"table":"rocpd_string_u","id":4,"string":"KERNEL_DISPATCH"}
{"table":"rocpd_string_u","id":5,"string":"MEMORY_COPY"}
{"table":"rocpd_string_u","id":6,"string":"MEMORY_COPY_DEVICE_TO_DEVICE"}
{"table":"rocpd_string_u","id":7,"string":"MARKER_CORE_RANGE_API"}
{"table":"rocpd_string_u","id":8,"string":"roctxThreadRangeA"}
{"table":"rocpd_string_u","id":9,"string":"MEMORY_ALLOCATION"}
{"table":"rocpd_string_u","id":10,"string":"SCRATCH_MEMORY"}
{"table":"rocpd_info_node_u","id":70,"hostname":"node01"}
{"table":"rocpd_info_process_u","id":5,"nid":70,"pid":4242,"init":1,"fini":9999,"command":"python \"train\".py"}
{"table":"rocpd_info_thread_u","id":6,"nid":70,"pid":5,"tid":4250}
{"table":"rocpd_info_agent_u","id":20,"type":"CPU","absolute_index":0,"logical_index":0,"type_index":0,"name":"EPYC","product_name":"EPYC 9654","vendor_name":"CPU","extdata":"{}"}
{"table":"rocpd_info_agent_u","id":21,"type":"GPU","absolute_index":2,"logical_index":1,"type_index":0,"name":"gfx942","product_name":"MI300X","vendor_name":"AMD","extdata":"{\"cu_count\":304}"}
{"table":"rocpd_info_agent_u","id":22,"type":"GPU","absolute_index":3,"logical_index":2,"type_index":1,"name":"gfx942","product_name":"MI300X","vendor_name":"AMD","extdata":"{"}
{"table":"rocpd_info_kernel_symbol_u","id":1,"kernel_name":"_Z3addPf.kd","display_name":"add(float*)"}
{"table":"rocpd_info_pmc_u","id":77,"name":"SQ_WAVES"}
{"table":"rocpd_track_u","id":1,"nid":70,"pid":5,"tid":6}
{"table":"rocpd_event_u","id":1,"category_id":2,"stack_id":11,"parent_stack_id":10,"correlation_id":0,"extdata":"{}"}
{"table":"rocpd_event_u","id":2,"category_id":4,"stack_id":11,"parent_stack_id":11,"correlation_id":9,"extdata":"{}"}
{"table":"rocpd_event_u","id":3,"category_id":4,"stack_id":12,"parent_stack_id":0,"correlation_id":0,"extdata":"{}"}
{"table":"rocpd_event_u","id":4,"category_id":5,"stack_id":13,"extdata":"{}"}
{"table":"rocpd_event_u","id":5,"category_id":7,"stack_id":14,"extdata":"{\"message\":\"step \\\"0\\\", lr\"}"}
{"table":"rocpd_event_u","id":6,"category_id":7,"stack_id":15,"extdata":"{\"message\":\"mark\"}"}
{"table":"rocpd_event_u","id":7,"category_id":9,"stack_id":0,"extdata":"{}"}
{"table":"rocpd_event_u","id":8,"category_id":10,"stack_id":0,"extdata":"{}"}
{"table":"rocpd_arg_u","id":3,"event_id":1,"position":1,"type":"size_t","name":"n","value":"16"}
{"table":"rocpd_arg_u","id":4,"event_id":1,"position":0,"type":"void*","name":"p","value":"0x7f"}
{"table":"rocpd_pmc_event_u","id":1,"event_id":2,"pmc_id":78,"value":0.5}
{"table":"rocpd_pmc_event_u","id":2,"event_id":2,"pmc_id":77,"value":64}
{"table":"rocpd_pmc_event_u","id":3,"event_id":2,"pmc_id":77,"value":1.5}
{"table":"rocpd_pmc_event_u","id":4,"event_id":999,"pmc_id":77,"value":1}
{"table":"rocpd_region_u","id":1,"pid":5,"tid":6,"start":300,"end":340,"name_id":3,"event_id":1}
{"table":"rocpd_region_u","id":2,"pid":5,"tid":6,"start":250,"end":900,"name_id":8,"event_id":5}
{"table":"rocpd_sample_u","id":3,"track_id":1,"timestamp":350,"event_id":6}
{"table":"rocpd_kernel_dispatch_u","id":1,"pid":5,"tid":6,"agent_id":22,"queue_id":3,"stream_id":7,"kernel_id":1,"dispatch_id":1,"start":400,"end":450,"private_segment_size":0,"group_segment_size":64,"workgroup_size_x":256,"workgroup_size_y":1,"workgroup_size_z":1,"grid_size_x":4096,"grid_size_y":2,"grid_size_z":1,"event_id":2}
{"table":"rocpd_kernel_dispatch_u","id":2,"pid":5,"tid":6,"agent_id":99,"queue_id":3,"stream_id":7,"kernel_id":812,"dispatch_id":2,"start":390,"end":0,"event_id":3}
{"table":"rocpd_memory_copy_u","id":1,"pid":5,"tid":6,"queue_id":3,"stream_id":7,"start":500,"end":510,"name_id":6,"dst_agent_id":22,"src_agent_id":21,"size":4096,"event_id":4}
{"table":"rocpd_memory_allocate_u","id":1,"pid":5,"tid":6,"agent_id":21,"queue_id":3,"stream_id":0,"type":"ALLOC","level":"VIRTUAL","start":600,"end":610,"address":4096,"size":8,"event_id":7}
{"table":"rocpd_memory_allocate_u","id":2,"pid":5,"tid":6,"agent_id":21,"queue_id":3,"stream_id":0,"type":"FREE","level":"SCRATCH","start":620,"end":610,"address":0,"size":8,"event_id":8}
E
database_of.py rows run.db
cat >records <<'E'
{"kind":"meta","name":"node01","cat":"metadata","pid":4242,"args":{"command":"python \"train\".py","init_time":1,"fini_time":9999}}
{"kind":"meta","name":"EPYC 9654","cat":"agent","args":{"agent":0,"type":"CPU","name":"EPYC","vendor_name":"CPU"}}
{"kind":"meta","name":"MI300X","cat":"agent","dev":0,"args":{"agent":2,"type":"GPU","name":"gfx942","vendor_name":"AMD","cu_count":304}}
{"kind":"meta","name":"MI300X","cat":"agent","dev":1,"args":{"agent":3,"type":"GPU","name":"gfx942","vendor_name":"AMD"}}
{"ts":250,"dur":650,"kind":"range","name":"step \"0\", lr","cat":"MARKER_CORE_RANGE_API","pid":4242,"tid":4250,"corr":14,"args":{"function":"roctxThreadRangeA"}}
{"ts":300,"dur":40,"kind":"api","name":"hipLaunchKernel","cat":"HIP_RUNTIME_API_EXT","pid":4242,"tid":4250,"corr":11,"args":{"args":{"p":"0x7f","n":"16"},"ancestor":10,"lib":"HIP"}}
{"ts":350,"kind":"mark","name":"mark","cat":"MARKER_CORE_RANGE_API","pid":4242,"tid":4250,"corr":15}
{"ts":390,"kind":"kernel","name":"kernel 812","cat":"KERNEL_DISPATCH","pid":4242,"tid":4250,"stream":7,"corr":12,"args":{"queue_id":3,"dispatch_id":2,"kernel_id":812}}
{"ts":400,"dur":50,"kind":"kernel","name":"add(float*)","cat":"KERNEL_DISPATCH","pid":4242,"tid":4250,"dev":1,"stream":7,"corr":11,"args":{"agent":3,"queue_id":3,"dispatch_id":1,"kernel_id":1,"private_segment_size":0,"group_segment_size":64,"external":9,"workgroup_size":[256,1,1],"grid_size":[4096,2,1]}}
{"ts":400,"dur":50,"kind":"counter","name":"SQ_WAVES","cat":"COUNTER_COLLECTION","pid":4242,"tid":4250,"dev":1,"stream":7,"corr":11,"args":{"agent":3,"value":65.5,"kernel":"add(float*)","queue_id":3,"dispatch_id":1}}
{"ts":400,"dur":50,"kind":"counter","name":"counter 78","cat":"COUNTER_COLLECTION","pid":4242,"tid":4250,"dev":1,"stream":7,"corr":11,"args":{"agent":3,"value":0.5,"kernel":"add(float*)","queue_id":3,"dispatch_id":1}}
{"ts":500,"dur":10,"kind":"memcpy","name":"MEMORY_COPY_DEVICE_TO_DEVICE","cat":"MEMORY_COPY","pid":4242,"tid":4250,"dev":1,"stream":7,"corr":13,"bytes":4096,"copy":"p2p","args":{"src_agent":2,"dst_agent":3}}
{"ts":600,"dur":10,"kind":"other","name":"MEMORY_ALLOCATION_VMEM_ALLOCATE","cat":"MEMORY_ALLOCATION","pid":4242,"tid":4250,"dev":0,"bytes":8,"args":{"agent":2,"address":"0x0000000000001000"}}
{"ts":620,"dur":-10,"kind":"other","name":"SCRATCH_MEMORY_FREE","cat":"SCRATCH_MEMORY","pid":4242,"tid":4250,"dev":0,"bytes":8,"args":{"agent":2,"queue_id":3}}
E
check 'every kind of event, in ts order' 1 'trace2ndjson run.db' <<E
$(cat records)
--- stderr
trace2ndjson: run.db: rocpd_kernel_dispatch_u:1: agent without a description; device unknown
trace2ndjson: run.db: rocpd_kernel_dispatch_u:1: id without a name in the tables of the file; name made from the id (and 1 more)
trace2ndjson: run.db: byte 0: value of a counter without its kernel; skipped
E
grep '"kind":"kernel"' records >kernels
check '-k, --no-args, --quiet' 0 "
	trace2ndjson --quiet -k kernel run.db | diff - kernels
	sed 's/,\"args\".*/}/' kernels >bare; trace2ndjson --quiet --no-args -k kernel run.db | diff - bare" </dev/null
gzip -k run.db
mkdir tmp
for input in run.db.gz '- <run.db' '<run.db.gz'; do
	check "reads $input, and leaves no file" 0 \
		"TMPDIR=\$PWD/tmp trace2ndjson --quiet -k kernel $input | diff - kernels; ls tmp" </dev/null
done

# Schema 4: the times are in rocpd_timestamp; threads, queues and streams in rocpd_track; categories in a table.
cat >rows4 <<'E'
{"table":"rocpd_string_u","id":1,"string":"roctxMarkA"}
{"table":"rocpd_string_u","id":2,"string":"MEMORY_ALLOCATION_FREE"}
{"table":"rocpd_info_category_u","id":1,"name":"MARKER_CORE_API"}
{"table":"rocpd_info_category_u","id":2,"name":"MEMORY_ALLOCATION"}
{"table":"rocpd_info_category_u","id":3,"name":"KERNEL_DISPATCH"}
{"table":"rocpd_info_process_u","id":5,"pid":4242}
{"table":"rocpd_info_thread_u","id":6,"pid":5,"tid":4250}
{"table":"rocpd_info_agent_u","id":21,"type":"GPU","type_index":4}
{"table":"rocpd_info_kernel_symbol_u","id":1,"display_name":"add(float*)"}
{"table":"rocpd_track_u","id":1,"pid":5,"tid":6,"agent_id":21,"queue_id":3,"stream_id":7}
{"table":"rocpd_timestamp_u","id":1,"value":100}
{"table":"rocpd_timestamp_u","id":2,"value":150}
{"table":"rocpd_timestamp_u","id":3,"value":90}
{"table":"rocpd_event_u","id":1,"category_id":1,"stack_id":1,"extdata":"{\"message\":\"m\"}"}
{"table":"rocpd_event_u","id":2,"category_id":2,"stack_id":2,"extdata":"{}"}
{"table":"rocpd_event_u","id":3,"category_id":3,"stack_id":3,"extdata":"{}"}
{"table":"rocpd_sample_u","id":1,"track_id":1,"name_id":1,"timestamp_id":3,"event_id":1}
{"table":"rocpd_memory_allocate_u","id":1,"track_id":1,"name_id":2,"type":"ALLOC","start_id":1,"end_id":2,"event_id":2}
{"table":"rocpd_kernel_dispatch_u","id":1,"track_id":1,"kernel_id":1,"start_id":2,"end_id":1,"event_id":3}
{"table":"rocpd_kernel_dispatch_u","id":2,"track_id":2,"kernel_id":1,"start_id":9,"end_id":1,"event_id":9}
E
database_of.py rows4 run4.db
check 'schema 4' 1 'trace2ndjson run4.db' <<'E'
{"kind":"meta","cat":"metadata","pid":4242}
{"kind":"meta","cat":"agent","dev":4,"args":{"agent":21,"type":"GPU"}}
{"kind":"kernel","name":"add(float*)","args":{"kernel_id":1}}
{"ts":90,"kind":"mark","name":"m","cat":"MARKER_CORE_API","pid":4242,"tid":4250,"corr":1,"args":{"function":"roctxMarkA"}}
{"ts":100,"dur":50,"kind":"other","name":"MEMORY_ALLOCATION_FREE","cat":"MEMORY_ALLOCATION","pid":4242,"tid":4250,"dev":4,"corr":2,"args":{"agent":21}}
{"ts":150,"dur":-50,"kind":"kernel","name":"add(float*)","cat":"KERNEL_DISPATCH","pid":4242,"tid":4250,"dev":4,"stream":7,"corr":3,"args":{"agent":21,"queue_id":3,"kernel_id":1}}
--- stderr
trace2ndjson: run4.db: rocpd_kernel_dispatch_u:1: row without a start time; its record has no ts
trace2ndjson: run4.db: rocpd_kernel_dispatch_u:1: row without its event; its record has no cat and no corr
E

# A merged file: each process has its own tables, whose ids begin again.
{
	cat rows
	sed 's/_u"/_v"/; s/4242/4243/; s/add(float/mul(float/; s/"end":450/"end":460/; /rocpd_string_v.*hipLaunch/d' rows
} >merged
database_of.py merged merged.db
check 'a file of two processes: each has its own names, and the order is that of time' 0 \
	'trace2ndjson --quiet --no-args -k kernel,api merged.db' <<'E'
{"ts":300,"dur":40,"kind":"api","name":"hipLaunchKernel","cat":"HIP_RUNTIME_API_EXT","pid":4242,"tid":4250,"corr":11}
{"ts":300,"dur":40,"kind":"api","name":"string 3","cat":"HIP_RUNTIME_API_EXT","pid":4243,"tid":4250,"corr":11}
{"ts":390,"kind":"kernel","name":"kernel 812","cat":"KERNEL_DISPATCH","pid":4242,"tid":4250,"stream":7,"corr":12}
{"ts":390,"kind":"kernel","name":"kernel 812","cat":"KERNEL_DISPATCH","pid":4243,"tid":4250,"stream":7,"corr":12}
{"ts":400,"dur":60,"kind":"kernel","name":"mul(float*)","cat":"KERNEL_DISPATCH","pid":4243,"tid":4250,"dev":1,"stream":7,"corr":11}
{"ts":400,"dur":50,"kind":"kernel","name":"add(float*)","cat":"KERNEL_DISPATCH","pid":4242,"tid":4250,"dev":1,"stream":7,"corr":11}
E

# --- bad input

grep 'metadata\|info' rows >few
database_of.py few crashed.db
printf '%s\n' '{"table":"rocpd_metadata","id":1}' '{"table":"rocpd_string","id":1}' '{"table":"rocpd_api","id":1}' \
	'{"table":"rocpd_op","id":1}' >rpd
database_of.py rpd rpd.db
check 'a database without events; one of rocmProfileData' 1 '
	trace2ndjson -k kernel crashed.db; trace2ndjson rpd.db' <<'E'
--- stderr
trace2ndjson: crashed.db: byte 0: a database of rocprofv3 without events; perhaps the program crashed
trace2ndjson: rpd.db: byte 0: a database of rocmProfileData (RPD); convert it with: rpd2tracing.py FILE.rpd FILE.json
E
grep -v 'pmc_event' rows | sed 's/"{.*step.*}"/"{\\"message\\":"/; s/"start":500/"start":"late"/' >bad
database_of.py bad bad.db
check 'a time that is a text; extdata that is not JSON' 1 'trace2ndjson -k range,memcpy bad.db' <<'E'
{"ts":250,"dur":650,"kind":"range","name":"roctxThreadRangeA","cat":"MARKER_CORE_RANGE_API","pid":4242,"tid":4250,"corr":14}
--- stderr
trace2ndjson: bad.db: rocpd_memory_copy_u:1: time is not a 64-bit integer (ns); record skipped
trace2ndjson: bad.db: rocpd_region_u:1: extdata of the event is not JSON; the text of the marker is lost
E
grep -v 'pmc_event.*999' rows >whole
database_of.py whole small.db 512
grep -v '"event_id":9}' rows4 >whole4
database_of.py whole4 small4.db 512
# The tables that the record of one kernel needs.
grep 'string_u","id":4\|rocpd_event_u","id":2\|agent_u","id":22\|kernel_symbol\|dispatch_u","id":1' rows >tiny
grep -v sample rows4 |
	grep 'string_u","id":1\|event_u","id":3\|category\|timestamp\|track_u\|symbol\|dispatch_u","id":1' >tiny4
database_of.py tiny tiny.db 512
database_of.py tiny4 tiny4.db 512
other=cat,pid,tid,dev,stream,corr,copy,args
slow check 'prefixes: the records are those of the file, and the status is 1' 0 "
	database_damage.py every tiny.db $other; database_damage.py every tiny4.db ts,dur,kind,$other
	database_damage.py some small.db kind,$other; database_damage.py some small4.db ts,dur,kind,$other" </dev/null
slow check 'changed bytes: damage that is visible has the status 1' 0 '
	database_damage.py flips small.db; database_damage.py flips small4.db' </dev/null

# --- the made-up run in all forms

if need_shared data/rocprof/made golden/rocprof/made; then
	made=$SHARED/data/rocprof/made golden=$SHARED/golden/rocprof/made
	gzip -dc "$golden/records.ndjson.gz" >json
	(cd "$golden" && ls -- *.csv) >right
	# In a database, calls have no return value; in schema 3, marks have no function. The agents have no extdata.
	for pair in run_results:err,function,cu_count run_v4_results:err,cu_count; do
		db=$made/${pair%%:*}.db.gz
		check "${pair%%:*}: the records of the JSON" 0 \
			"trace2ndjson $db | rocprof_records.py -o -i ${pair#*:} json" <<'E'
370 equal records
E
		check "${pair%%:*}: the answers of SQL" 0 "trace2ndjson $db | rocprof_sums.py '$golden'" <right
		check "${pair%%:*}: in ts order" 0 "trace2ndjson $db >got; ts-sort got | cmp - got" </dev/null
	done
fi
finish
