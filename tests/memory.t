#!/bin/sh
# memory.t: every filter needs less than 16 MiB, and no more memory if the input is four times as long. MEMORY_LONG=1
# also measures the memory that the joins and ts-sort need for 2 GB and 10 GB of a real, dense trace; this takes
# minutes, and 2 GB in TMPDIR.
. "${0%/*}/lib.sh"
only_slow_follow # it streams large inputs to measure memory
have python3 || finish
if sanitized; then
	skip 'memory is not measured under a sanitizer'
	finish
fi


trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | corr-join --sorted | filter-calls -w ts >records.ndjson
seq 0 999 | awk '{ printf "{\"ts\":%d,\"dur\":%d,\"kind\":\"op\",\"name\":\"aten::mm\"}\n", $1, $1 * $1 }' >short.ndjson

# stream KIND FILE MB: prints FILE repeatedly, MB megabytes in total. If KIND is records, each repetition starts a
# second after the preceding one; if KIND is dense, repetitions follow each other without a gap. long_trace.py prints
# the other KINDs.
stream() {
	case $1 in
	records) "$BUILD/bench/repeat" "$2" "$3" 1000000000 ;;
	dense) "$BUILD/bench/repeat" "$2" "$3" ;;
	*) long_trace.py "$@" ;;
	esac
}

# peak KIND FILE MB PROGRAM...: prints the peak memory of PROGRAM in KiB; its messages only if it fails
peak() {
	stream "$1" "$2" "$3" >fifo &
	shift 3
	"$BUILD/bench/measure" result "$@" <fifo >/dev/null 2>said || { cat said >&2; echo 999999; return; }
	wait
	sed 's/.*"rss": \([0-9]*\).*/\1/' result
}

# flat NAME KIND FILE PROGRAM...: checks that PROGRAM needs less than 16 MiB, and no more memory if the input is
# four times as long
flat() {
	what=$1 kind=$2 file=$3
	shift 3
	few=$(peak "$kind" "$file" "$size" "$@")
	many=$(peak "$kind" "$file" $((size * 4)) "$@")
	if [ "$few" -lt 16384 ] && [ "$many" -lt 16384 ] && [ $((many - few)) -le 512 ]; then
		pass "$what"
	else
		echo "peak RSS $few KiB for $size MB of input, $many KiB for $((size * 4)) MB" | fail "$what"
	fi
}

mkfifo fifo
size=6
for name in $(record_filters); do
	[ "$(records_of "$name")" = events ] || continue # the size of a report is limited; see ndjson2report-html.t
	[ "$name" != ts-sort ] || continue # it uses the memory of -S; see ts-sort.t
	[ "$name" != critical-path ] || continue # it stores the records of its window
	[ "$name" != coll-join ] || continue # it stores the member kernels; see ranks.t
	# The memory of stats is constant only after a million values of a field. Only the short records give so many
	# values.
	options=
	[ "$name" != corr-join ] || options=--sorted # otherwise it stores every call; see corr-join.t
	case $name in inference-steps | memory-timeline) options=--lenient ;; esac # these records have no answer
	# shellcheck disable=SC2086 # no option, or one
	[ "$name" = stats ] || flat "$name: records" records records.ndjson "$name" $options
	# shellcheck disable=SC2086
	[ "$name" != stats ] || size=60
	flat "$name: short records" records short.ndjson "$name" $options
	size=6
done
# A database with 300,000 ranges in reverse order, each with a string of its own.
cat >ranges.py <<'EOF'
import sqlite3
db = sqlite3.connect('ranges.sqlite')
db.execute('create table StringIds (id integer primary key, value text)')
db.execute('create table NVTX_EVENTS (start, "end", eventType, globalTid, textId)')
n = 300000
db.executemany('insert into StringIds values (?, ?)', ((i, f'aten::add, op_id = {i}' + 40 * 'x') for i in range(n)))
db.executemany('insert into NVTX_EVENTS values (?, ?, 59, 16777217, ?)', ((n - i, n + i, i) for i in range(n)))
db.commit()
EOF
# A database of rocprofv3 with 200,000 kernels in reverse order, each with an event, two values of a counter, and a call
# with an argument.
cat >kernels.py <<'EOF'
import sqlite3
db = sqlite3.connect('kernels.db')
n = 200000
for table, columns, rows in (
        ('string_u', 'string', [('hipLaunchKernel',)]),
        ('info_kernel_symbol_u', 'display_name', [('add',)]),
        ('event_u', 'category_id, stack_id', ((1, i) for i in range(n))),
        ('kernel_dispatch_u', 'start, "end", kernel_id, event_id', ((n - i, n, 1, i + 1) for i in range(n))),
        ('region_u', 'start, "end", name_id, event_id', ((n - i, n, 1, i + 1) for i in range(n))),
        ('arg_u', 'event_id, position, name, value', ((i + 1, 0, 'n', str(i)) for i in range(n))),
        ('pmc_event_u', 'event_id, pmc_id, value', ((i // 2 + 1, 7, 0.5) for i in range(2 * n)))):
    db.execute(f'create table rocpd_{table} (id integer primary key, {columns})')
    marks = ', '.join('?' * (columns.count(',') + 1))
    db.executemany(f'insert into rocpd_{table} ({columns}) values ({marks})', rows)
db.commit()
EOF
if grep -q HAVE_SQLITE "$BUILD/flags"; then
	check 'trace2ndjson: a database of rocprofv3 needs less than 32 MiB' 0 '
		python3 kernels.py && "$BUILD/bench/measure" result trace2ndjson --quiet kernels.db >got &&
		wc -l <got && [ "$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" result)" -lt 32768 ] || cat result' <<'EOF'
600000
EOF
	check 'trace2ndjson: a database needs less than 32 MiB, also for sorting and for strings' 0 '
		python3 ranges.py && "$BUILD/bench/measure" result trace2ndjson ranges.sqlite >got &&
		wc -l <got && [ "$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" result)" -lt 32768 ] || cat result' <<'EOF'
300000
EOF
fi
# 300,000 events, each with a text of its own, which the pickle remembers; the keys and frames are those of the first.
cat >snapshot.py <<'E'
import sys
text = lambda s: b"\x8c" + bytes([len(s)]) + s.encode() + b"\x94"
with open("long.pickle", "wb") as file:
    file.write(b"\x80\x04}\x94(" + text("segments") + b"]\x94" + text("device_traces") + b"]\x94]\x94(")
    file.write(b"}\x94(" + text("action") + text("alloc") + text("addr") + b"K\1" + text("frames") + b"]\x94K\1au")
    for i in range(300000):
        file.write(b"}\x94(h\x07h\x08h\x09J%bh\x0ah\x0bh\x08%bu" % (i.to_bytes(4, "little"), text(str(i))))
    file.write(b"eau.")
E
check 'trace2ndjson: a memory snapshot needs less than 16 MiB, also from a pipe' 0 'python3 snapshot.py
	for file in long.pickle -; do
		cat long.pickle | "$BUILD/bench/measure" result trace2ndjson "$file" >got && wc -l <got && tail -n 1 got
		[ "$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" result)" -lt 16384 ] || cat result
	done' <<'E'
300002
{"kind":"mark","name":"alloc","cat":"memory_snapshot","dev":0,"args":{"addr":299999,"frames":[1],"alloc":"299999"}}
300002
{"kind":"mark","name":"alloc","cat":"memory_snapshot","dev":0,"args":{"addr":299999,"frames":[1],"alloc":"299999"}}
E

# Traces in protobuf: no more memory for five times as many events.
check 'trace2ndjson: a Perfetto trace and a profile of XLA need less than 16 MiB' 0 '
	for make in perfetto_trace.py xla_profile.py; do
		$make large 20000 >few.pb && $make large 100000 >many.pb
		for file in few.pb many.pb; do
			"$BUILD/bench/measure" result trace2ndjson -k range,kernel "$file" >got && wc -l <got
			[ "$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" result)" -lt 16384 ] || cat result
		done
	done' <<'EOF'
20000
100000
20000
100000
EOF
# 300,000 records with the same ts wait in memory: at most 200 bytes for each record beside its line, as the page
# states.
awk 'BEGIN {
	for (i = 0; i < 300000; i++)
		printf "{\"ts\":5,\"kind\":\"meta\",\"name\":\"thread_name\",\"cat\":\"m\",\"pid\":1,\"tid\":%06d," \
			"\"args\":{\"name\":\"thread %06d of the pool\"}}\n", i + 100000, i
}' >moment.ndjson
"$BUILD/bench/measure" result nvtx-attach --quiet moment.ndjson >/dev/null
each=$((($(sed 's/.*"rss": \([0-9]*\).*/\1/' result) * 1024 - $(wc -c <moment.ndjson)) / 300000))
if [ "$each" -le 200 ]; then pass 'nvtx-attach: records with the same ts'; else echo "$each bytes a record" |
	fail 'nvtx-attach: records with the same ts'; fi
flat 'nvtx-attach: operators' records records.ndjson nvtx-attach -r op --as op
for command in 'gpu-busy --types' 'gpu-busy --every 1s' 'gpu-busy --sets' 'gpu-busy --whole' \
	gpu-gaps 'gpu-gaps --host op' 'gpu-counters queue' 'gpu-counters bandwidth' 'gpu-exposed -g name'; do
	# shellcheck disable=SC2086 # a command with its options
	flat "$command" records records.ndjson $command
done
flat 'derive --prev, --cumulate' records records.ndjson derive -g dev,stream --prev last=end gap=ts-last --cumulate n=1
flat 'call-tree --stack' records records.ndjson call-tree --stack
# Each thread that has no further records takes 1 kB for its open record, as the page states.
seq 0 99999 |
	awk '{ printf "{\"ts\":%d,\"dur\":5,\"kind\":\"op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":%d}\n", $1, $1 }' \
		>threads.ndjson
"$BUILD/bench/measure" result call-tree threads.ndjson >/dev/null
rss=$(sed 's/.*"rss": \([0-9]*\).*/\1/' result)
if [ "$rss" -lt 128000 ]; then pass 'call-tree: threads'; else echo "peak RSS $rss KiB for 100,000 threads" |
	fail 'call-tree: threads'; fi
flat 'op-overheads --each' records records.ndjson op-overheads --each
flat 'ndjson2trace -z' records records.ndjson ndjson2trace -z
flat 'ndjson2folded --root' records records.ndjson ndjson2folded --root rank,pid,tid -f dur
trace2ndjson "$DATA/tiny.dvdt.out" 2>/dev/null | filter-calls -w ts | ts-sort >opencl.ndjson
flat 'arg-attach: OpenCL' records opencl.ndjson arg-attach
flat 'trace2ndjson: Kineto' kineto "$DATA/train.pt.trace.json" trace2ndjson
flat 'trace2ndjson: nsys' nsys "$DATA/train.nsys.json" trace2ndjson
flat 'trace2ndjson: dvdt, blocks' text "$DATA/tiny.dvdt.out" trace2ndjson -F dvdt
flat 'trace2ndjson: dvdt, line records' text "$DATA/tiny.dvdt.lines" trace2ndjson -F dvdt
cat >onednn.txt <<'E'
onednn_verbose,info,oneDNN v2.6.3 (commit 1a1b2c3)
epoch 1: a line that the program prints
onednn_verbose,exec,cpu,convolution,jit:avx2,forward_training,src_f32::blocked:abcd:f0 wei_f32::blocked:Acdb8a:f0 dst_f32::blocked:aBcd8b:f0,,alg:convolution_direct,mb8_ic3oc16_ih32oh32kh3sh1dh0ph1_iw32ow32kw3sw1dw0pw1,0.484863
onednn_verbose,exec,cpu,reorder,jit:uni,undef,src_f32::blocked:abcd:f0 dst_f32::blocked:aBcd8b:f0,,,8x16x32x32,0.0610352
E
flat 'trace2ndjson: onednn' text onednn.txt trace2ndjson -F onednn
rocprof_trace.py >rocprof.json
flat 'trace2ndjson: rocprof, JSON' text rocprof.json trace2ndjson --quiet -F rocprof
cat >rocprof.csv <<'E'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipMalloc",15,15,1,1055015439953054,1055015439976484
"MARKER_CORE_API","step "0", lr=0.1",15,15,2,1055015439992584,1055015440011104
E
flat 'trace2ndjson: rocprof, CSV' text rocprof.csv trace2ndjson -F rocprof
cat >perf.txt <<'E'
python  7/9 [003]     1.000001:    1003009 cycles:u: 
	    7f0001 gemm+0x1f (/usr/lib/libblas.so)
	    7f0002 main+0x2 (/usr/bin/python)

E
flat 'trace2ndjson: perf' text perf.txt trace2ndjson -F perf
cat >torch.txt <<'E'
-------------  ------------  ------------  ------------  ------------  ------------  ------------
         Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls
-------------  ------------  ------------  ------------  ------------  ------------  ------------
     aten::mm        60.00%       6.000ms        60.00%       6.000ms       3.000ms             2
    aten::add        40.00%       4.000ms        40.00%       4.000ms       4.000ms             1
-------------  ------------  ------------  ------------  ------------  ------------  ------------
Self CPU time total: 10.000ms

E
flat 'trace2ndjson: torch' text torch.txt trace2ndjson -F torch

[ -n "${MEMORY_LONG-}" ] && need_shared data/kineto/dlrm_a100_2022_control.json.gz || finish
trace2ndjson --sort "$SHARED/data/kineto/dlrm_a100_2022_control.json.gz" | filter-calls -w ts >dense.ndjson

# long NAME PROGRAM...: checks that PROGRAM needs less than 64 MiB for 2 GB of input, and no more for 10 GB.
long() {
	what=$1
	shift
	once=$(peak dense dense.ndjson 2000 "$@")
	most=$(peak dense dense.ndjson 10000 "$@")
	echo "$what: $once KiB for 2 GB, $most KiB for 10 GB"
	check "$what" 0 "[ $once -lt 65536 ] && [ $((most - once)) -le 1024 ] || echo $once $most" </dev/null
}

long '2 GB: corr-join --sorted' corr-join --sorted
long '2 GB: nvtx-attach' nvtx-attach
long '2 GB: nvtx-attach, operators' nvtx-attach -r op --as op
once=$(peak dense dense.ndjson 200 corr-join)
most=$(peak dense dense.ndjson 2000 corr-join)
calls=$(($(filter-calls -c -k api -w corr dense.ndjson) * 1800000 / ($(wc -c <dense.ndjson) / 1000)))
echo "2 GB: corr-join: $(((most - once) * 1024 / calls)) bytes a call"
check '2 GB: corr-join, at most 64 bytes a call' 0 \
	"[ $(((most - once) * 1024 / calls)) -le 64 ] || echo $once $most" </dev/null
for size in 64 256; do
	most=$(peak dense dense.ndjson 2000 ts-sort -S "${size}MiB")
	echo "2 GB: ts-sort -S ${size}MiB: $most KiB"
	check "2 GB: ts-sort -S ${size}MiB" 0 "[ $most -le $(((size + 16) * 1024)) ] || echo $most" </dev/null
done

finish
