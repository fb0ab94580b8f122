#!/bin/sh
# nsys-sqlite.t: the reader of SQLite databases of Nsight Systems.
. "${0%/*}/../lib.sh"

have python3 || { finish; exit; }
echo '{"table":"StringIds","id":0,"value":"x"}' >one
database_of.py one one.sqlite
if trace2ndjson one.sqlite 2>&1 | grep -q 'this build cannot read SQLite'; then
	check 'without libsqlite3, a database is recognised, and the message names the package' 2 \
		'trace2ndjson one.sqlite' <<'EOF'
--- stderr
trace2ndjson: one.sqlite: this build cannot read SQLite; install libsqlite3-dev and run: make SQLITE=1
EOF
	skip 'this build cannot read SQLite (make SQLITE=1)'
	finish
	exit
fi

# same NAME COMMAND FILE...: checks that COMMAND prints the contents of the FILEs.
same() {
	same_name=$1 same_command=$2
	shift 2
	cat "$@" >want
	check "$same_name" 0 "{ $same_command; } >got && diff want got" </dev/null
}

# --- a small database, written by hand, in which the rows of a table are not in the order of time

cat >rows <<'EOF'
{"table":"StringIds","id":7,"value":"cudaLaunchKernel_v7000"}
{"table":"StringIds","id":8,"value":"void add<float>(float *, int)"}
{"table":"StringIds","id":9,"value":"add"}
{"table":"StringIds","id":10,"value":"a/b \"q\" \u00e9"}
{"table":"StringIds","id":11,"value":"main"}
{"table":"ENUM_NSYS_EVENT_TYPE","id":0,"name":"constant","label":"not a record"}
{"table":"META_DATA_CAPTURE","name":"A","value":"b"}
{"table":"MPI_RANKS","globalTid":281474993491970,"rank":3}
{"table":"CUPTI_ACTIVITY_KIND_KERNEL","start":40,"end":61,"deviceId":0,"streamId":7,"correlationId":77,"globalPid":281474993487872,"demangledName":8,"shortName":9,"gridX":64}
{"table":"CUPTI_ACTIVITY_KIND_KERNEL","start":30,"end":38,"deviceId":0,"streamId":7,"correlationId":76,"globalPid":281474993487872,"demangledName":8,"shortName":9,"gridX":65}
{"table":"CUPTI_ACTIVITY_KIND_GRAPH_TRACE","start":62,"end":69,"deviceId":0,"streamId":7,"correlationId":79,"globalPid":281474993487872,"graphId":5}
{"table":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","timestamp":0,"deviceId":0,"streamId":7,"correlationId":81,"eventId":4}
{"table":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","timestamp":66,"deviceId":0,"streamId":7,"correlationId":82,"eventId":4}
{"table":"CUPTI_ACTIVITY_KIND_RUNTIME","start":20,"end":30,"eventClass":0,"globalTid":281474993491970,"correlationId":77,"nameId":7,"returnValue":0,"callchainId":1}
{"table":"CUPTI_ACTIVITY_KIND_RUNTIME","start":5,"end":9,"eventClass":0,"globalTid":281474993491970,"correlationId":0,"nameId":99,"returnValue":2}
{"table":"CUDA_CALLCHAINS","id":1,"symbol":9,"stackDepth":0}
{"table":"CUDA_CALLCHAINS","id":1,"symbol":11,"stackDepth":1}
{"table":"NVTX_EVENTS","start":20,"end":90,"eventType":59,"text":"never mind","globalTid":281474993491970,"domainId":1}
{"table":"NVTX_EVENTS","start":20,"end":95,"eventType":60,"textId":10,"globalTid":281474993491970,"domainId":1}
{"table":"NVTX_EVENTS","start":4,"eventType":75,"text":"NCCL","globalTid":281474993491970,"domainId":1}
{"table":"NVTX_EVENTS","start":3,"eventType":34,"text":"mark","globalTid":281474993491970,"domainId":1,"doubleValue":0.5,"binaryData":{"hex":"01ff"}}
{"table":"CUDNN_EVENTS","start":20,"end":21,"eventClass":33,"globalTid":281474993491970,"nameId":9}
{"table":"COMPOSITE_EVENTS","id":1,"start":-4,"cpu":2,"globalTid":281474993491970}
{"table":"SAMPLING_CALLCHAINS","id":1,"symbol":9,"stackDepth":0}
{"table":"SAMPLING_CALLCHAINS","id":1,"symbol":12,"stackDepth":1}
{"table":"TARGET_INFO_GPU_METRICS","typeId":257,"metricId":2,"metricName":"SMs Active"}
{"table":"GPU_METRICS","timestamp":41,"typeId":257,"metricId":2,"value":52}
{"table":"UCP_SUBMIT_EVENTS","start":70,"end":71,"globalTid":281474993491970,"textId":9,"tag":5}
{"table":"SOMETHING_NEW","rawTimestamp":50,"globalTid":281474993491970,"nameId":9}
EOF
database_of.py rows db.sqlite
cat >records <<'EOF'
{"kind":"meta","cat":"MPI_RANKS","rank":3,"pid":1,"tid":4098,"args":{"globalTid":281474993491970,"rank":3}}
{"kind":"meta","name":"A","cat":"META_DATA_CAPTURE","rank":3,"args":{"value":"b"}}
{"kind":"other","name":"cudaEventRecord","cat":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","rank":3,"dev":0,"stream":7,"corr":81,"args":{"eventId":4}}
{"kind":"meta","cat":"TARGET_INFO_GPU_METRICS","rank":3,"args":{"typeId":257,"metricId":2,"metricName":"SMs Active"}}
{"ts":-4,"kind":"sample","cat":"COMPOSITE_EVENTS","rank":3,"pid":1,"tid":4098,"stack":["#12","add"],"args":{"id":1,"cpu":2,"globalTid":281474993491970}}
{"ts":3,"kind":"mark","name":"mark","cat":"NVTX_EVENTS","rank":3,"pid":1,"tid":4098,"args":{"eventType":34,"globalTid":281474993491970,"domainId":1,"doubleValue":0.5,"binaryData":"01ff","domain":"NCCL"}}
{"ts":4,"kind":"meta","name":"NCCL","cat":"NVTX_EVENTS","rank":3,"pid":1,"tid":4098,"args":{"eventType":75,"globalTid":281474993491970,"domainId":1}}
{"ts":5,"dur":4,"kind":"api","name":"#99","cat":"CUPTI_ACTIVITY_KIND_RUNTIME","rank":3,"pid":1,"tid":4098,"err":2,"args":{"eventClass":0,"globalTid":281474993491970,"nameId":99}}
{"ts":20,"dur":70,"kind":"range","name":"never mind","cat":"NVTX_EVENTS","rank":3,"pid":1,"tid":4098,"args":{"eventType":59,"globalTid":281474993491970,"domainId":1,"style":"PushPop","domain":"NCCL"}}
{"ts":20,"dur":75,"kind":"range","name":"a/b \"q\" é","cat":"NVTX_EVENTS","rank":3,"pid":1,"tid":4098,"args":{"eventType":60,"globalTid":281474993491970,"domainId":1,"textId":10,"style":"StartEnd","domain":"NCCL"}}
{"ts":20,"dur":10,"kind":"api","name":"cudaLaunchKernel_v7000","cat":"CUPTI_ACTIVITY_KIND_RUNTIME","rank":3,"pid":1,"tid":4098,"corr":77,"stack":["main","add"],"args":{"eventClass":0,"globalTid":281474993491970,"nameId":7,"callchainId":1}}
{"ts":20,"dur":1,"kind":"other","name":"add","cat":"CUDNN_EVENTS","rank":3,"pid":1,"tid":4098,"args":{"eventClass":33,"globalTid":281474993491970,"nameId":9}}
{"ts":30,"dur":8,"kind":"kernel","name":"void add<float>(float *, int)","cat":"CUPTI_ACTIVITY_KIND_KERNEL","rank":3,"pid":1,"dev":0,"stream":7,"corr":76,"args":{"globalPid":281474993487872,"demangledName":8,"gridX":65,"shortName":"add"}}
{"ts":40,"dur":21,"kind":"kernel","name":"void add<float>(float *, int)","cat":"CUPTI_ACTIVITY_KIND_KERNEL","rank":3,"pid":1,"dev":0,"stream":7,"corr":77,"args":{"globalPid":281474993487872,"demangledName":8,"gridX":64,"shortName":"add"}}
{"ts":41,"kind":"counter","name":"SMs Active","cat":"GPU_METRICS","rank":3,"dev":1,"args":{"typeId":257,"metricId":2,"value":52}}
{"ts":50,"kind":"other","name":"add","cat":"SOMETHING_NEW","rank":3,"pid":1,"tid":4098,"args":{"globalTid":281474993491970,"nameId":9}}
{"ts":62,"dur":7,"kind":"kernel","name":"[CUDA graph]","cat":"CUPTI_ACTIVITY_KIND_GRAPH_TRACE","rank":3,"pid":1,"dev":0,"stream":7,"corr":79,"args":{"globalPid":281474993487872,"graphId":5}}
{"ts":66,"kind":"other","name":"cudaEventRecord","cat":"CUPTI_ACTIVITY_KIND_CUDA_EVENT","rank":3,"dev":0,"stream":7,"corr":82,"args":{"eventId":4}}
{"ts":70,"dur":1,"kind":"api","name":"add","cat":"UCP_SUBMIT_EVENTS","rank":3,"pid":1,"tid":4098,"args":{"globalTid":281474993491970,"textId":9,"tag":5,"lib":"UCX"}}
EOF
check 'all tables become records in ts order; a name without a string is written as its id' 1 \
	'trace2ndjson db.sqlite' <<EOF
$(cat records)
--- stderr
trace2ndjson: db.sqlite: CUPTI_ACTIVITY_KIND_RUNTIME:1: name id without a string; name written as "#ID"
EOF
# The same rows as jsonlines: counters have the name of their metric and a device, and all records have the rank.
grep '"kind":"counter"' records >counters
same 'jsonlines: names and devices of counters, and the rank' 'trace2ndjson -k counter rows' counters
sed 's/"rank":3,//' counters >rankless
same 'jsonlines: a metric that is named later in the file; two ranks' '
	{ sed "s/\"rank\":3/\"rank\":4/" rows; grep MPI_RANKS rows; } >two
	{ grep -v TARGET_INFO two; grep TARGET_INFO rows; } | trace2ndjson -k counter; grep -v TARGET_INFO rows |
	grep -v MPI_RANKS | trace2ndjson -k counter | sed "s/,\"cat\"/,\"name\":\"SMs Active\"&/"' rankless rankless
grep '"kind":"kernel"' records >kernels
same '-k reads only the tables of these kinds' 'trace2ndjson -k kernel db.sqlite' kernels
sed 's/,"args".*/}/' kernels >bare
same '--no-args' 'trace2ndjson --no-args -k kernel db.sqlite' bare
grep '"kind":"mark"' records >marks
same '-k mark finds the names of domains' 'trace2ndjson -k mark db.sqlite' marks
check '--strings writes the strings first' 0 'trace2ndjson --strings -k meta db.sqlite | head -n 2' <<'EOF'
{"kind":"meta","name":"cudaLaunchKernel_v7000","cat":"string","rank":3,"id":7}
{"kind":"meta","name":"void add<float>(float *, int)","cat":"string","rank":3,"id":8}
EOF
check '--formats, -F sqlite' 0 '
	trace2ndjson --formats | grep -o "^sqlite"; trace2ndjson -F sqlite -k kernel db.sqlite | diff - kernels' <<'EOF'
sqlite
EOF

# Strings without a primary key, and stacks without an index: they are copied to a temporary table.
cat >copy.py <<'EOF'
import sqlite3
db = sqlite3.connect('db.sqlite')
copy = sqlite3.connect('no-keys.sqlite')
for name, in db.execute("select name from sqlite_master where type = 'table'"):
    rows = db.execute(f'select * from "{name}"')
    columns = ', '.join(f'"{d[0]}"' for d in rows.description)
    copy.execute(f'create table "{name}" ({columns})')
    copy.executemany(f'insert into "{name}" values ({", ".join("?" * len(rows.description))})', rows)
copy.commit()
EOF
python3 copy.py
same 'strings and stacks need no index' 'trace2ndjson no-keys.sqlite 2>said || :' records

# The fields of a payload: a domain, a schema, the size of the payload and of all, then two numbers and one that is cut.
cat >payloads <<'EOF'
{"table":"StringIds","id":0,"value":"x"}
{"table":"NVTX_PAYLOAD_SCHEMA_ENTRIES","domainId":9,"schemaId":5,"idx":0,"type":18,"name":"comm","offset":null}
{"table":"NVTX_PAYLOAD_SCHEMA_ENTRIES","domainId":9,"schemaId":5,"idx":1,"type":5,"name":"peer \"rank\"","offset":8}
{"table":"NVTX_PAYLOAD_SCHEMA_ENTRIES","domainId":9,"schemaId":5,"idx":2,"type":19,"name":"float","offset":12}
{"table":"NVTX_PAYLOAD_SCHEMA_ENTRIES","domainId":9,"schemaId":5,"idx":3,"type":22,"name":"beyond","offset":16}
{"table":"NVTX_PAYLOAD_SCHEMA_ENTRIES","domainId":9,"schemaId":5,"idx":4,"type":77,"name":"text","offset":0}
{"table":"NVTX_EVENTS","start":1,"eventType":34,"text":"send","globalTid":281474993491970,"binaryData":{"hex":"0900000000000000050000000000000010000000000000003000000000000000efbeaddebebafecafeffffff0000c03f"}}
EOF
database_of.py payloads payloads.sqlite
check 'payloads become args.payload' 0 'trace2ndjson -k mark payloads.sqlite | grep -o "\"payload\".*}}"' <<'EOF'
"payload":{"comm":14627333968688430831,"peer \"rank\"":-2,"float":1.5}}}
EOF

# --- the input: paths, standard input, compression

mkdir tmp
cp db.sqlite 'a?b#c%20.sqlite'
cp db.sqlite :memory:
gzip -k db.sqlite
for input in "'a?b#c%20.sqlite'" ./:memory: :memory: '<db.sqlite' '- <db.sqlite' db.sqlite.gz '<db.sqlite.gz'; do
	same "reads $input, and leaves no file" "TMPDIR=\$PWD/tmp trace2ndjson -k kernel $input; ls tmp" kernels
done
same 'reads a database from a pipe' 'cat db.sqlite | trace2ndjson -k kernel' kernels
check 'a pipe needs a folder for temporary files' 2 'cat db.sqlite | TMPDIR=/nowhere trace2ndjson' <<'EOF'
--- stderr
trace2ndjson: stdin: cannot create a temporary file (TMPDIR) for the database: No such file or directory
EOF
head -c 400 db.sqlite.gz >cut.gz
check_re 'a compressed database that is cut short' 1 'trace2ndjson cut.gz >got' <<'EOF'
--- stderr
trace2ndjson: cut\.gz: byte [0-9]*: database cut short: [0-9]* of [0-9]* bytes are missing; other rows are read
trace2ndjson: cut\.gz: byte [0-9]*: .*
EOF

# --- bad input

: >empty
head -c 8192 /dev/zero >unfinished
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n' >pointer
printf 'SQLite format 3\0and nothing else' >short
echo '{"table":"books","id":1}' >other
database_of.py other other.sqlite
check 'an empty file, an export that did not finish, a Git LFS pointer, no database, a database of another program' 1 '
	for file in empty unfinished pointer short other.sqlite; do trace2ndjson $file; [ $? = 1 ] || echo $file; done
	exit 1' <<'EOF'
--- stderr
trace2ndjson: empty: byte 0: empty input
trace2ndjson: unfinished: byte 0: looks like an nsys export that did not finish (it begins with zeros); run nsys export again
trace2ndjson: pointer: byte 0: a Git LFS pointer, not the file itself; run git lfs pull
trace2ndjson: short: byte 0: not an SQLite database, or an encrypted one
trace2ndjson: other.sqlite: byte 0: an SQLite database, but not of nsys or rocprofv3; its tables are books
EOF

# Rows without a value that is NOT NULL, times that are text or too large.
cat >bad.py <<'EOF'
import sqlite3
db = sqlite3.connect('bad-rows.sqlite')
db.execute('create table StringIds (id integer primary key, value text)')
db.execute('create table CUDNN_EVENTS (start integer not null, "end", name)')
db.executemany('insert into CUDNN_EVENTS values (?, ?, ?)',
               [(1, 2, 'a'), (3, 'x', 'b'), (4, 1e300, 'c'), (-2**63, 2**63 - 1, 'd'), (5, 6, 'e')])
db.execute('create table OSRT_API (start integer, name)')
db.executemany('insert into OSRT_API values (?, ?)', [(1, 'f'), (None, 'g')])
db.execute('pragma writable_schema=on')
db.execute("""update sqlite_master set sql = 'create table OSRT_API (start integer not null, name)'
    where name = 'OSRT_API'""")
db.commit()
EOF
python3 bad.py
check 'damaged rows are skipped and counted' 1 'trace2ndjson --no-args bad-rows.sqlite' <<'EOF'
{"ts":1,"dur":1,"kind":"api","name":"a","cat":"CUDNN_EVENTS"}
{"ts":1,"kind":"api","name":"f","cat":"OSRT_API"}
{"ts":5,"dur":1,"kind":"api","name":"e","cat":"CUDNN_EVENTS"}
--- stderr
trace2ndjson: bad-rows.sqlite: OSRT_API:1: row without a required value; skipped
trace2ndjson: bad-rows.sqlite: CUDNN_EVENTS:1: time is not a 64-bit integer (ns); record skipped (and 2 more)
EOF
check '--max-record' 1 "
	printf '%s\n' '{\"table\":\"StringIds\",\"id\":0,\"value\":\"x\"}' >large
	head -c 100000 /dev/zero | tr '\\0' x |
		sed 's/.*/{\"table\":\"NVTX_EVENTS\",\"start\":1,\"eventType\":34,\"text\":\"&\"}/' >>large
	database_of.py large large.sqlite; trace2ndjson --max-record=70000 large.sqlite" <<'EOF'
--- stderr
trace2ndjson: large.sqlite: NVTX_EVENTS:1: row larger than --max-record; this row and the rest of the table skipped
EOF

# A database in WAL mode with its -wal file; one that another program is writing; one whose writer was killed.
check 'rows in a -wal file are read; a database with a writer, living or killed, is reported' 0 \
	'database_writers.py db.sqlite' <<'EOF'
0 2 
2 0 trace2ndjson: locked.sqlite: another program is writing the database; try again after that program has ended
2 0 trace2ndjson: killed.sqlite: a program that was writing the database was killed; open it once with sqlite3, which undoes the unfinished change
EOF

# Tables that are replaced by something else: by a view, a virtual table, a table without pages.
for table in CUPTI_ACTIVITY_KIND_KERNEL CUPTI_ACTIVITY_KIND_MEMCPY CUPTI_ACTIVITY_KIND_MEMSET \
	CUPTI_ACTIVITY_KIND_RUNTIME; do
	echo '{"table":"'$table'","start":1,"end":2,"deviceId":0,"streamId":7,"correlationId":1,"globalPid":1}'
done >strange
echo '{"table":"NVTX_EVENTS","start":1,"end":2,"eventType":59,"text":"r","globalTid":1}' >>strange
database_of.py strange strange.sqlite && database_changes.py tables strange.sqlite
check 'tables that are not ordinary tables are reported' 0 '
	for table in KERNEL MEMCPY RUNTIME MEMSET NVTX; do
		trace2ndjson -k kernel,memcpy,memset,api,range $table.sqlite >got; echo $? $(grep -vc kept got)
		trace2ndjson -k sync $table.sqlite
	done' <<'EOF'
1 4
1 4
1 4
1 4
1 4
--- stderr
trace2ndjson: KERNEL.sqlite: CUPTI_ACTIVITY_KIND_KERNEL:1: not an ordinary table; its rows are lost
trace2ndjson: MEMCPY.sqlite: CUPTI_ACTIVITY_KIND_MEMCPY:1: not an ordinary table; its rows are lost
trace2ndjson: RUNTIME.sqlite: CUPTI_ACTIVITY_KIND_RUNTIME:1: not an ordinary table; its rows are lost
trace2ndjson: MEMSET.sqlite: CUPTI_ACTIVITY_KIND_MEMSET:1: not an ordinary table; its rows are lost
trace2ndjson: NVTX.sqlite: NVTX_EVENTS:1: not an ordinary table; its rows are lost
EOF

# A -wal file with a damaged frame before others; then with damage in the last frame, which may be an interrupted write,
# and with frames from before a checkpoint, whose salts are old.
database_changes.py wal strange.sqlite
check 'a damaged -wal file is reported; the end of an interrupted write, and older frames, are not' 0 '
	for file in whole middle salt header last older; do
		trace2ndjson -k range $file.sqlite >got; echo $? $(wc -l <got)
	done' <<'EOF'
0 4
1 2
1 1
1 1
0 3
0 5
--- stderr
trace2ndjson: middle.sqlite: byte 0: the -wal file beside the database is damaged; later changes in it are missing
trace2ndjson: salt.sqlite: byte 0: the -wal file beside the database is damaged; later changes in it are missing
trace2ndjson: header.sqlite: byte 0: the -wal file beside the database is damaged; later changes in it are missing
EOF

# A call stack with a frame without a symbol.
cat >frames <<'EOF'
{"table":"StringIds","id":9,"value":"main"}
{"table":"COMPOSITE_EVENTS","id":1,"start":4,"cpu":2}
{"table":"SAMPLING_CALLCHAINS","id":1,"symbol":null,"stackDepth":0}
{"table":"SAMPLING_CALLCHAINS","id":1,"symbol":9,"stackDepth":1}
EOF
database_of.py frames frames.sqlite
check 'a frame without a symbol is [unknown]' 0 'trace2ndjson --no-args frames.sqlite' <<'EOF'
{"ts":4,"kind":"sample","cat":"COMPOSITE_EVENTS","stack":["main","[unknown]"]}
EOF

# The page with the second half of the strings is overwritten: the schema and the other tables are whole.
cat >damage.py <<'EOF'
import sqlite3
db = sqlite3.connect('texts.sqlite')
db.execute('pragma page_size=512')
db.execute('create table StringIds (id integer primary key, value text)')
db.execute('create table OSRT_API (start, "end", eventClass, nameId)')
db.executemany('insert into StringIds values (?, ?)', [(i, f'name {i} ' + 40 * 'x') for i in range(1, 41)])
db.executemany('insert into OSRT_API values (?, ?, 27, ?)', [(i, i + 1, i) for i in (1, 40)])
db.commit()
data = bytearray(open('texts.sqlite', 'rb').read())
at = data.index(b'name 40 ') // 512 * 512
data[at:at + 512] = bytes(512)
open('texts.sqlite', 'wb').write(data)
EOF
python3 damage.py
check 'a text that cannot be read is reported, and its id is written' 1 \
	'trace2ndjson --no-args texts.sqlite >got; status=$?; sed "s/ xx*//" got; exit $status' <<'EOF'
{"ts":1,"dur":1,"kind":"api","name":"name 1","cat":"OSRT_API"}
{"ts":40,"dur":1,"kind":"api","name":"#40","cat":"OSRT_API"}
--- stderr
trace2ndjson: texts.sqlite: OSRT_API:2: damaged table of texts; the text for an id is lost
trace2ndjson: texts.sqlite: OSRT_API:2: name id without a string; name written as "#ID"
EOF
check_re '--strings writes the strings up to the damage' 1 '
	trace2ndjson --no-args --strings -k meta texts.sqlite >got; status=$?
	head -n 1 got | sed "s/ xx*//"; exit $status' <<'EOF'
\{"kind":"meta","name":"name 1","cat":"string","id":1\}
--- stderr
trace2ndjson: texts\.sqlite: StringIds:[0-9]*: table is damaged from this row on; the rest of it is lost
EOF

# --- damage: each prefix of a small database, and changed bytes

grep -v 'META_DATA\|"nameId":99' rows | head -n 15 >few
database_of.py few few.sqlite 512
grep 'StringIds\|KIND_KERNEL\|RUNTIME' few >tiny
database_of.py tiny tiny.sqlite 512
slow check 'prefixes: the records are those of the file, and the status is 1' 0 '
	database_damage.py every tiny.sqlite; database_damage.py some few.sqlite' </dev/null
slow check 'changed bytes: damage that is visible has the status 1' 0 'database_damage.py flips few.sqlite' </dev/null

# --- recorded reports

for name in h100_2gpu_1s healthy_1pct mfu_2gpu_before mock mpi_rank0 mpi_rank1 nvtx_kinds ssb_2021; do
	need_shared "data/nsys-sqlite/$name.sqlite.gz" "golden/nsys-sqlite/$name" &&
		check "$name: the answers of SQL" 0 "nsys_database.py answers '$SHARED/golden/nsys-sqlite/$name' \
			'$SHARED/data/nsys-sqlite/$name.sqlite.gz'" </dev/null
done
for pair in nsys/unet3d_baseline_full.json.gz:unet3d_baseline_full \
	nsys/unet3d_baseline_trim.json:unet3d_baseline_trim.2022 \
	nsys/unet3d_baseline_trim.json:unet3d_baseline_trim.2023 nsys/unet3d_baseline_trim.json:unet3d_baseline_trim.2024 \
	nsys/unet3d_dali_amp_trim.json:unet3d_dali_amp_trim nsys-sqlite/nvtx_kinds.nsys.json.gz:nvtx_kinds \
	nsys-sqlite/mpi_rank0.nsys.json.gz:mpi_rank0 nsys-sqlite/mpi_rank1.nsys.json.gz:mpi_rank1; do
	need_shared "data/${pair%:*}" "data/nsys-sqlite/${pair#*:}.sqlite.gz" &&
		check "${pair#*:}: the same records as in the JSON of the report" 0 \
			"nsys_database.py json '$SHARED/data/${pair%:*}' '$SHARED/data/nsys-sqlite/${pair#*:}.sqlite.gz'" </dev/null
done
for pair in unet3d_baseline_full:unet3d_baseline_full unet3d_baseline_trim:unet3d_baseline_trim.2024 \
	unet3d_dali_amp_trim:unet3d_dali_amp_trim; do
	need_shared "data/nsys-sqlite/${pair#*:}.sqlite.gz" "golden/nsys/${pair%:*}" || continue
	gzip -dc "$SHARED/data/nsys-sqlite/${pair#*:}.sqlite.gz" >report.sqlite
	for report in $(nsys-report -h | sed -n 's/^  \([a-z_]*\)  .*/\1/p'); do
		gzip -dcf "$SHARED/golden/nsys/${pair%:*}/$report.csv"* >golden
		same "${pair%:*}: the same $report as nsys stats" "nsys-report $report report.sqlite" golden
	done
done

finish
