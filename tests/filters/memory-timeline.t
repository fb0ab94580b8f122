#!/bin/sh
# memory-timeline.t: memory of devices, its owners at the peak, steps and lifetimes of blocks.
. "${0%/*}/../lib.sh"

# memory TS BYTES ADDR TOTAL RESERVED [OP]: an event of the device cuda 0.
memory() {
	printf '{"ts":%s,"kind":"mark","name":"[memory]","pid":1,"tid":1%s,"args":{"Bytes":%s,"Addr":%s,' \
		"$1" "${6:+,\"op\":\"$6\"}" "$2" "$3"
	printf '"Total Allocated":%s,"Total Reserved":%s,"Device Type":1,"Device Id":0}}\n' "$4" "$5"
}

# 1000 bytes are allocated before the trace, of which 100 are freed before the peak; a block stays.
{
	echo '{"ts":0,"dur":30,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}'
	memory 10 500 4096 1500 2048 mm
	memory 20 -100 8192 1400 2048
	memory 25 700 12288 2100 4096 add
	echo '{"ts":30,"dur":20,"kind":"range","name":"ProfilerStep#2","pid":1,"tid":1}'
	memory 35 -500 4096 1600 4096 sum
	memory 40 300 4096 1900 4096 mm
} >events
check 'sums, steps, and owners at the peak' 0 'memory-timeline events' <<'R'
{"kind":"memory-timeline","device":"cuda","dev":0,"events":5,"missing":0,"allocations":3,"frees":2,"alloc_bytes":1500,"free_bytes":600,"net":900,"first":1000,"peak":2100,"peak_ts":25,"peak_op":"add","last":1900,"reserved":4096,"unused":2496,"unused_ts":35}
{"ts":30,"kind":"memory-step","name":"ProfilerStep#1","device":"cuda","dev":0,"total":2100,"growth":1100,"net":1100}
{"ts":50,"kind":"memory-step","name":"ProfilerStep#2","device":"cuda","dev":0,"total":1900,"growth":-200,"net":900}
{"kind":"memory-owner","device":"cuda","dev":0,"op":"(before the trace)","peak_bytes":900}
{"kind":"memory-owner","device":"cuda","dev":0,"op":"add","peak_bytes":700,"peak_blocks":1,"own_peak":700,"own_peak_ts":25,"allocations":1,"frees":0,"alloc_bytes":700,"free_bytes":0,"net":700}
{"kind":"memory-owner","device":"cuda","dev":0,"op":"mm","peak_bytes":500,"peak_blocks":1,"own_peak":500,"own_peak_ts":10,"allocations":2,"frees":0,"alloc_bytes":800,"free_bytes":0,"net":800}
{"kind":"memory-owner","device":"cuda","dev":0,"peak_bytes":0,"peak_blocks":0,"own_peak":0,"allocations":0,"frees":1,"alloc_bytes":0,"free_bytes":100,"net":-100}
{"kind":"memory-owner","device":"cuda","dev":0,"op":"sum","peak_bytes":0,"peak_blocks":0,"own_peak":0,"allocations":0,"frees":1,"alloc_bytes":0,"free_bytes":500,"net":-500}
R
check '--blocks' 0 'memory-timeline --blocks events | filter-calls -k memory-block' <<'R'
{"kind":"memory-block","device":"cuda","dev":0,"addr":8192,"bytes":100,"op":"(before the trace)","end":20,"outside":"before"}
{"ts":10,"dur":25,"kind":"memory-block","device":"cuda","dev":0,"addr":4096,"bytes":500,"op":"mm","free_op":"sum"}
{"ts":25,"kind":"memory-block","device":"cuda","dev":0,"addr":12288,"bytes":700,"op":"add","outside":"after"}
{"ts":40,"kind":"memory-block","device":"cuda","dev":0,"addr":4096,"bytes":300,"op":"mm","outside":"after"}
{"kind":"memory-block","device":"cuda","dev":0,"bytes":900,"op":"(before the trace)","outside":"both"}
R
check '-g: several fields; --marker; ranks are separate' 0 '
	for rank in 0 1; do sed "s/^{/{\"rank\":$rank,/;s/\"op\"/\"module\":\"m$rank\",&/" events; done | ts-sort |
		memory-timeline -g module,op --marker "#2" >out
	grep -c memory-step out; grep "peak_bytes\":700" out; sed "s/.*\(peak_ts.*\),\"last.*/\1/;q" out' <<'R'
2
{"kind":"memory-owner","rank":0,"device":"cuda","dev":0,"module":"m0","op":"add","peak_bytes":700,"peak_blocks":1,"own_peak":700,"own_peak_ts":25,"allocations":1,"frees":0,"alloc_bytes":700,"free_bytes":0,"net":700}
{"kind":"memory-owner","rank":1,"device":"cuda","dev":0,"module":"m1","op":"add","peak_bytes":700,"peak_blocks":1,"own_peak":700,"own_peak_ts":25,"allocations":1,"frees":0,"alloc_bytes":700,"free_bytes":0,"net":700}
peak_ts":25,"peak_module":"m0","peak_op":"add"
R
check 'a trace of 2021: no totals, no addresses' 0 '
	sed "s/,\"Addr.*Reserved\":[0-9]*//" events | memory-timeline | sed 1,3b\;s/,\"allocations.*// ' <<'R'
{"kind":"memory-timeline","device":"cuda","dev":0,"events":5,"missing":0,"allocations":3,"frees":2,"alloc_bytes":1500,"free_bytes":600,"net":900,"peak":1100,"peak_ts":25,"peak_op":"add","last":900}
{"ts":30,"kind":"memory-step","name":"ProfilerStep#1","device":"cuda","dev":0,"total":1100,"growth":1100,"net":1100}
{"ts":50,"kind":"memory-step","name":"ProfilerStep#2","device":"cuda","dev":0,"total":900,"growth":-200,"net":900}
{"kind":"memory-owner","device":"cuda","dev":0,"op":"mm"
{"kind":"memory-owner","device":"cuda","dev":0,"op":"add"
{"kind":"memory-owner","device":"cuda","dev":0
{"kind":"memory-owner","device":"cuda","dev":0,"op":"sum"
R
{ memory 10 500 4096 1500 2048 mm; memory 20 800 4096 1800 2048 mm; memory 30 8 8 1900 2048 mm; } >holes
check 'events are missing: the free of a block, and a change of the total' 0 '
	memory-timeline --blocks holes | sed "s/,\"allocations.*//"' <<'R'
{"ts":10,"kind":"memory-block","device":"cuda","dev":0,"addr":4096,"bytes":500,"op":"mm","outside":"after"}
{"ts":20,"kind":"memory-block","device":"cuda","dev":0,"addr":4096,"bytes":800,"op":"mm","outside":"after"}
{"ts":30,"kind":"memory-block","device":"cuda","dev":0,"addr":8,"bytes":8,"op":"mm","outside":"after"}
{"kind":"memory-block","device":"cuda","dev":0,"bytes":1092,"op":"(before the trace)","outside":"both"}
{"kind":"memory-timeline","device":"cuda","dev":0,"events":3,"missing":2
{"kind":"memory-owner","device":"cuda","dev":0,"op":"(before the trace)","peak_bytes":1092}
{"kind":"memory-owner","device":"cuda","dev":0,"op":"mm","peak_bytes":808,"peak_blocks":2,"own_peak":808,"own_peak_ts":30
R
check 'devices of unknown types, steps before the first event, sums beyond int64' 0 '
	{
		echo "{\"ts\":1,\"dur\":1,\"kind\":\"op\",\"name\":\"ProfilerStep#1\"}"
		for type in 0 99 "\"x\""; do
			echo "{\"ts\":5,\"kind\":\"mark\",\"name\":\"[memory]\",\"args\":{\"Bytes\":4,\"Device Type\":$type}}"
		done
		echo "{\"ts\":7,\"kind\":\"mark\",\"name\":\"[memory]\",\"args\":{\"Bytes\":9223372036854775807,\"Device Type\":0}}"
	} | memory-timeline --quiet | sed "/owner/d;s/\"events.*net/.../"' <<'R'
{"kind":"memory-timeline","device":"cpu",...":9223372036854775807,"peak":9223372036854775807,"peak_ts":7,"last":9223372036854775807}
{"ts":2,"kind":"memory-step","name":"ProfilerStep#1","device":"cpu","total":0,"growth":0,"net":0}
{"kind":"memory-timeline","device":99,...":4,"peak":4,"peak_ts":5,"last":4}
{"ts":2,"kind":"memory-step","name":"ProfilerStep#1","device":99,"total":0,"growth":0,"net":0}
{"kind":"memory-timeline","device":"x",...":4,"peak":4,"peak_ts":5,"last":4}
{"ts":2,"kind":"memory-step","name":"ProfilerStep#1","device":"x","total":0,"growth":0,"net":0}
R
check 'no events; an event without a size' 1 '
	grep range events | memory-timeline; echo "{\"ts\":1,\"dur\":1,\"kind\":\"kernel\"}" | memory-timeline
	sed "s/\"Bytes\":-500/\"Bytes\":null/" events | memory-timeline --quiet >/dev/null' <<'R'
--- stderr
memory-timeline: no events about memory; record with torch.profiler.profile(profile_memory=True), or a memory snapshot
memory-timeline: no events about memory; record with torch.profiler.profile(profile_memory=True), or a memory snapshot
memory-timeline: stdin:6: event about memory whose size is not an integer
R
check 'no owners: how to add them' 0 'sed "s/,\"op\":\"[a-z]*\"//" events | memory-timeline | grep -c owner' <<'R'
2
--- stderr
memory-timeline: no owners: no record has the field 'op'; run: nvtx-attach -k mark -r op --as op FILE | memory-timeline
R
check 'wrong usage' 2 '
	for options in "-g rank" "-g a..b" "--marker ("; do memory-timeline $options events; done' <<'R'
--- stderr
memory-timeline: -g: 'rank': expected fields of owners; ranks and devices are always separate
memory-timeline: -g: 'a..b': invalid field: the name is empty
memory-timeline: --marker: '(': invalid regular expression: unmatched ( or \(
R

# A block of 90 bytes is live from before, one of 50 is freed, which a stream uses until later; a segment is free.
cat >snapshot <<'R'
{"kind":"meta","name":"memory_snapshot","args":{"file":"x.pickle"}}
{"kind":"meta","name":"block","cat":"memory_snapshot","dev":0,"args":{"size":512,"requested_size":90,"state":"active_allocated"}}
{"kind":"meta","name":"block","cat":"memory_snapshot","dev":0,"args":{"size":1536,"state":"inactive"}}
{"kind":"meta","name":"segment","cat":"memory_snapshot","dev":0,"args":{"total_size":2048}}
{"kind":"meta","name":"block","cat":"memory_snapshot","dev":0,"args":{"size":1024,"state":"inactive"}}
{"kind":"meta","name":"segment","cat":"memory_snapshot","dev":0,"args":{"total_size":1024}}
{"ts":10,"kind":"mark","name":"segment_alloc","cat":"memory_snapshot","dev":0,"bytes":1024,"args":{"addr":8}}
{"ts":20,"kind":"mark","name":"alloc","cat":"memory_snapshot","dev":0,"bytes":50,"site":"a.py:1:f","args":{"addr":8}}
{"ts":20,"dur":20,"kind":"range","name":"ProfilerStep#0","cat":"memory_snapshot","dev":0}
{"ts":30,"kind":"mark","name":"free_requested","cat":"memory_snapshot","dev":0,"bytes":50,"args":{"addr":8}}
{"ts":50,"kind":"mark","name":"free_completed","cat":"memory_snapshot","dev":0,"bytes":50,"args":{"addr":8}}
{"ts":60,"kind":"mark","name":"oom","cat":"memory_snapshot","dev":0,"bytes":9000,"args":{"device_free":8}}
R
check 'a snapshot: the state at the end determines the one before' 0 '
	memory-timeline snapshot; sed "s/\"ts\":[0-9]*,//" snapshot | memory-timeline | grep -o "peak.*last.:[0-9]*"' <<'R'
{"kind":"memory-timeline","dev":0,"events":5,"missing":0,"allocations":1,"frees":1,"alloc_bytes":50,"free_bytes":50,"net":0,"first":90,"peak":140,"peak_ts":20,"peak_site":"a.py:1:f","last":90,"reserved":3072,"unused":2982,"unused_ts":10,"allocated":140,"last_allocated":90,"last_reserved":3072,"rounding":422,"free":2560,"largest_free":1536,"free_blocks":2,"segments":2,"free_segments":1024,"fragmentation":0.4}
{"ts":40,"kind":"memory-step","name":"ProfilerStep#0","dev":0,"total":140,"growth":50,"net":50}
{"kind":"memory-owner","dev":0,"site":"(before the trace)","peak_bytes":90}
{"kind":"memory-owner","dev":0,"site":"a.py:1:f","peak_bytes":50,"peak_blocks":1,"own_peak":50,"own_peak_ts":20,"allocations":1,"frees":0,"alloc_bytes":50,"free_bytes":0,"net":50}
{"kind":"memory-owner","dev":0,"peak_bytes":0,"peak_blocks":0,"own_peak":0,"allocations":0,"frees":1,"alloc_bytes":0,"free_bytes":50,"net":-50}
peak":140,"peak_site":"a.py:1:f","last":90
R
check 'two snapshots; a peak before the first event' 0 '
	cat snapshot snapshot | sed "/range/d;s/\"ts\":[0-9]*,//" | memory-timeline | cut -d, -f3
	sed "/alloc\",/d" snapshot | memory-timeline | sed "s/.*first/first/;s/last.*//;q"' <<'R'
"events":10
"site":"(before the trace)"
"site":"a.py:1:f"
"peak_bytes":0
first":140,"peak":140,"
--- stderr
memory-timeline: stdin:12: a second snapshot without a rank; the devices of both are added up
memory-timeline: no record has the field 'site'
R
category() { # TS|"" NAME BYTES CATEGORY
	printf '{%s"kind":"mark","name":"%s","cat":"memory_timeline","bytes":%s,"args":{"category":"%s"}}\n' "$@"
}
{
	category '' preexisting 100 parameter
	category '"ts":10,' create 60 temporary
	category '"ts":10,' increment_version 60 gradient
	category '"ts":10,' increment_version -60 temporary
	category '"ts":20,' destroy -60 gradient
} >timeline
check 'a raw timeline: changes at one time are one change' 0 'memory-timeline timeline' <<'R'
{"kind":"memory-timeline","events":5,"missing":0,"allocations":3,"frees":2,"alloc_bytes":220,"free_bytes":120,"net":100,"first":100,"peak":160,"peak_ts":10,"peak_args.category":"temporary","last":100}
{"kind":"memory-owner","args.category":"parameter","peak_bytes":100,"peak_blocks":1,"own_peak":100,"allocations":1,"frees":0,"alloc_bytes":100,"free_bytes":0,"net":100}
{"kind":"memory-owner","args.category":"gradient","peak_bytes":60,"peak_blocks":1,"own_peak":60,"own_peak_ts":10,"allocations":1,"frees":1,"alloc_bytes":60,"free_bytes":60,"net":0}
{"kind":"memory-owner","args.category":"temporary","peak_bytes":0,"peak_blocks":0,"own_peak":0,"allocations":1,"frees":1,"alloc_bytes":60,"free_bytes":60,"net":0}
R

# The answers of an independent computation, for random events and for recorded traces.
have python3 || finish
for seed in $(seq "$(amount 2 6 40)"); do
	memory_timeline.py make "$seed" $((seed % 2 ? 300 : 10000)) >made # a few blocks in a table of 1024, or thousands
	check "random events $seed" 0 '
		ts-sort made | nvtx-attach -k mark -r op --as op | derive "outermost=item(ops,0)" |
			memory-timeline --quiet --blocks -g op,outermost,module >ours
		memory_timeline.py check made ours | sed "s/[0-9]* rows, //"' <<'R'
devices: 0 differ
lifetimes: 0 differ
owners: 0 differ
peak: 0 differ
steps: 0 differ
R
done
for trace in h100_vit h100_qwen resnet50_2021; do
	need_shared "golden/memory/$trace" "data/kineto/$trace.json.gz" || continue
	slow check "$trace" 0 "
		trace2ndjson --sort $SHARED/data/kineto/$trace.json.gz |
			nvtx-attach -k mark -r python -e '^nn.Module: ' --as module --also op | filter-calls -k mark,op,range |
			derive --quiet 'outermost=item(ops,0)' \"module=join(modules,'/')\" |
			memory-timeline --quiet --blocks -g op,outermost,module >ours
		memory_timeline.py check /dev/null ours $SHARED/golden/memory/$trace | grep -v ' 0 differ'
		true" </dev/null
done
grep -q snapshot "$ROOT/filters/trace2ndjson/formats/formats.def" || finish
if need_shared gen/gen_snapshot.py golden/memory/snapshots; then
	grep -o "gen/gen_snapshot.py OUT/[^(|]*" "$SHARED/golden/memory/snapshots/README.md" | grep -v hook |
		while read -r program options; do
			name=${options#OUT/}
			name=${name%% *}
			slow check "generated snapshot: $name" 0 "
				python3 $SHARED/$program $(echo "$options" | sed s,OUT/,,) >/dev/null
				trace2ndjson --sort $name.pickle | memory-timeline >ours
				memory_timeline.py snapshot ours $SHARED/golden/memory/snapshots/$name.truth.json |
					sed 's/device [0-9]* [0-9]* figures/same/' | sort -u" <<'R'
same
R
		done
fi
if need_shared data/memory golden/memory/memory_timeline; then
	slow check 'a recorded raw timeline' 0 "
		trace2ndjson $SHARED/data/memory/memory_timeline.raw.gz | memory-timeline >ours
		memory_timeline.py categories ours $SHARED/golden/memory/memory_timeline/summary.csv" <<'R'
8 categories
R
fi
finish
