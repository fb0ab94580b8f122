#!/bin/sh
# trace-report.t: the records of a report, the commands of its sections, and the options of trace-report.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
only_slow_follow # makes reports of all recorded traces, and runs the commands of some

# --- each section has the figures that its command prints

cp "$DATA/train.pt.trace.json" "it's a trace.json"
check 'the commands of the sections print their figures' 0 \
	'for file in "it'\''s a trace.json" "$DATA/train.nsys.json" "$DATA/tiny.dvdt.out" "$DATA/cnn.onednn.txt" \
		"$DATA/mlp.eventlog.gz"; do
		trace-report -o ndjson "$file" >model 2>said
		report_commands.py model
	done' <<'END'
22
15
13
2
3
END

check 'the marks of the pictures are those of their commands' 0 \
	'for file in "it'\''s a trace.json" "$DATA/train.nsys.json" "$DATA/recommender.pt.trace.json.gz"; do
		trace-report -o ndjson --pictures "$file" >model 2>said
		report_marks.py model
	done' <<'END'
timeline 140
stacks 16
timeline 141
stacks 11
timeline 161
stacks 32
END
check 'the timeline of work without streams has one lane' 0 '
	trace-report -o ndjson --pictures "$DATA/tiny.dvdt.out" 2>said | filter-calls -w "kind == report/mark" |
		filter-calls -w "section == timeline" | groupby -g lane,color -f share -a count,sum' <<'END'
{"kind":"groupby","lane":"all work: busy 20.5 %","color":"computing","count":27,"share_sum":26.323}
{"kind":"groupby","lane":"all work: busy 20.5 %","color":"copies","count":1,"share_sum":0.225}
END
check 'a trace without records' 1 'echo "{\"traceEvents\":[]}" | trace-report -' <<'E'
--- stderr
trace-report: no verdict: the input has no records, or none that a section uses
E
check 'text and Markdown have no marks' 0 'trace-report -o ndjson --pictures "$DATA/train.pt.trace.json" >model
	filter-calls -w "kind != report/mark" model >rest
	for format in text md; do ndjson2report -o $format model >a; ndjson2report -o $format rest | cmp - a; done
	ndjson2report model >a; trace-report "$DATA/train.pt.trace.json" | cmp - a' </dev/null

# --- the parts of the windows

check 'the parts sum to the windows' 0 \
	'for file in train.pt.trace.json train.nsys.json recommender.pt.trace.json.gz tiny.dvdt.out; do
		trace-report -o ndjson "$DATA/$file" 2>said |
			filter-calls -w "kind == report/row" -w "section =~ ^(steps|whole)\$" |
			derive "other=default(other_only,0)+default(unknown_wait,0)+default(after_work,0)" \
				"rest=dur-compute_time-comm_only-memory_only-host_wait-between-other" |
			groupby -f rest -a min,max,distinct
	done' <<'END'
{"kind":"groupby","rest_min":0,"rest_max":0,"rest_distinct":1}
{"kind":"groupby","rest_min":0,"rest_max":0,"rest_distinct":1}
{"kind":"groupby","rest_min":0,"rest_max":0,"rest_distinct":1}
{"kind":"groupby","rest_min":0,"rest_max":0,"rest_distinct":1}
END

cat >samples.nd <<'END'
{"ts":5,"kind":"sample","name":"b","event":"it's \"x\"","stack":["main","a;","b"],"period":2000}
{"ts":6,"kind":"sample","name":"c","event":"it's \"x\"","stack":["main","c"],"period":1}
{"ts":7,"kind":"sample","name":"b","event":"flat","stack":["b"]}
END
check 'samples: a flame graph for each event with stacks' 0 'trace-report -o ndjson --pictures samples.nd >model
	ndjson2report -o html model >page; page_markup.py page
	filter-calls -w "kind == report/mark" model | ndjson2table -o ndjson -f section,depth,at,dur,name
	filter-calls -w "id == samples-1" model | ndjson2table -o ndjson -f note,samples_hidden,mark_unit' <<'END'
{"section":"samples-1","depth":0,"at":0,"dur":2001,"name":"all"}
{"section":"samples-1","depth":1,"at":0,"dur":2001,"name":"main"}
{"section":"samples-1","depth":2,"at":0,"dur":2000,"name":"a:"}
{"section":"samples-1","depth":3,"at":0,"dur":2000,"name":"b"}
{"note":"Frames that are not drawn, because they are narrower than a pixel or deeper than 100 levels: {samples_hidden:count}.","samples_hidden":1,"mark_unit":"count"}
END

check 'one record of one kind' 0 'echo "{\"ts\":1,\"kind\":\"meta\",\"name\":\"a\"}" | trace-report -o ndjson |
	filter-calls -w "kind == report/verdict" | ndjson2table -o ndjson -f facts,text' <<'END'
{"facts":["{records:count} record","{lost:count} lost"],"text":"The trace has {records:count} record of {kinds:count} kind."}
END

# --- memory

{
	printf '{"ts":5,"kind":"meta","name":"deviceProperties","args":{"value":[%s,%s]}}\n' \
		'{"id":0,"totalGlobalMem":9000}' '{"id":1,"totalGlobalMem":1000}'
	echo '{"ts":1000,"dur":500,"kind":"kernel","name":"k","dev":1,"stream":1}'
	memory() { # TS TYPE DEVICE BYTES ALLOCATED RESERVED
		printf '{"ts":%s,"kind":"mark","name":"[memory]","args":{"Device Type":%s,"Device Id":%s' "$1" "$2" "$3"
		printf ',"Bytes":%s,"Total Allocated":%s,"Total Reserved":%s}}\n' "$4" "$5" "$6"
	}
	memory 1010 1 1 200 300 700
	memory 1020 1 1 500 800 901
	memory 1030 1 1 -700 100 901
	memory 1040 1 0 1 1 8000
	memory 1050 0 -1 5000 5000 0
} >memory.nd
check 'memory: the peaks of each device; a finding if more than 90 % are reserved' 0 '
	trace-report -o ndjson memory.nd >model; report_commands.py model | sed 1d
	filter-calls -w "kind == report/row" -w "section == memory" model | ndjson2table -o csv
	filter-calls -w "kind == report/finding" model | ndjson2table -o list -f id,memory_device,memory_peak,section
	ndjson2report model | sed -n "/are reserved/p; /^Memory/,/^\$/p"
	ndjson2report -o html model >page; page_markup.py page
	sed "s/\"Total Reserved\":901/\"Total Reserved\":900/" memory.nd | trace-report -o ndjson |
		filter-calls -w "kind == report/finding" -w "id == memory"' <<'END'
kind,section,place,events,first,peak,last,reserved,unused
report/row,memory,device 1,3,100,800,100,901,801
report/row,memory,device 0,1,0,1,1,8000,7999
id             memory
memory_device  1
memory_peak    800
section        memory
1 use less memory: 901 B of 1.0 kB are reserved
Memory of                                                   peak MB  reserved MB
device 1                                                        0.0          0.0
device 0                                                        0.0          0.0

END
{
	echo '{"ts":1000,"dur":2000,"kind":"kernel","name":"k","dev":0,"stream":1}'
	block() { # TS OPERATOR ADDRESS BYTES ALLOCATED
		printf '{"ts":%s,"kind":"mark","name":"[memory]","op":"%s","args":{"Device Type":1,"Device Id":0' "$1" "$2"
		printf ',"Addr":%s,"Bytes":%s,"Total Allocated":%s,"Total Reserved":8}}\n' "$3" "$4" "$5"
	}
	block 1000 mm 16 2000000 5000000
	block 2000 add 32 3000000 8000000
	block 3000 add 16 -2000000 6000000
	block 4000 sum 48 -1000000 5000000
} >blocks.nd
# The bars have 40 columns: 40 * 2 / 3 is 26.7.
check 'memory: the picture of the owners over time, and bars of those at the peak' 0 '
	trace-report -o ndjson --pictures blocks.nd >model; schema.py report <model
	filter-calls -w "kind == report/mark" -w "section == memory-owners" model | tr "[," "\n" |
		grep -v -e kind -e section | uniq | paste -s -d" " | sed "s/} /}\n/g"
	ndjson2report model | sed -n "/^Memory/,/^\$/p;/^memory/p"
	ndjson2report -o html model >page; page_markup.py page' <<'END'
"lane":"Peak: 8.0 MB at 0.0 ms" "at":0 "dur":3008 "shares": 0.375 0.375] "label":"(before the trace) 3.0 MB" "name":"(before the trace): 3.0 MB at the peak"}
"lane":"Peak: 8.0 MB at 0.0 ms" "at":0 "dur":3008 "shares": 0 0.375 0.375] "label":"add 3.0 MB" "name":"add: 3.0 MB at the peak"}
"lane":"Peak: 8.0 MB at 0.0 ms" "at":0 "dur":3008 "shares": 0.25 0 0] "label":"mm 2.0 MB" "name":"mm: 2.0 MB at the peak"}
"lane":"Peak: 8.0 MB at 0.0 ms" "at":1000 "dur":4 "heat":0 "label":"peak 8.0 MB" "name":"peak: 8.0 MB at the peak"}
Memory at the peak                                                 MB      share
(before the trace)  ++++++++++++++++++++++++++++++++++++++++      3.0     37.5 %
add                 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx      3.0     37.5 %
mm                  xxxxxxxxxxxxxxxxxxxxxxxxxxx                   2.0     25.0 %

memory: 8.0 MB allocated at the peak; 8 B reserved
END
if need_shared data/kineto golden/memory; then
	cat >owners.py <<'E'
import csv, json, sys
live = {}
for r in csv.DictReader(open(sys.argv[1])):
    if r["device"] == "cuda":
        name = r["op"] or (r["outermost_op"] if r["outermost_op"] == "(before the trace)" else "no operator")
        live[name] = live.get(name, 0) + int(r["bytes"])
rows = [json.loads(line) for line in sys.stdin]
rows = [r for r in rows if r.get("section") == "memory-owners" and r["kind"] == "report/row"]
print(len(rows), [r["peak_bytes"] for r in rows] == sorted(live.values(), reverse=True)[:len(rows)],
      all(live[r["name"]] == r["peak_bytes"] for r in rows),
      all(abs(r["share"] - r["peak_bytes"] / sum(live.values())) < 1e-12 for r in rows))
E
	check 'memory: the peaks and their owners are those of the golden answers' 0 '
		for trace in h100_qwen h100_vit resnet50_2021; do
			golden=$SHARED/golden/memory/$trace
			trace-report -o ndjson "$SHARED/data/kineto/$trace.json.gz" >model
			filter-calls -w "section == memory" model |
				ndjson2table --quiet -o ndjson -f events,first,peak,last,reserved,unused |
				tr -dc "0-9,\n" >got
			grep ^cuda "$golden/devices.csv" |
				awk -F , -v OFS=, "{ if (\$12 == \"\") print \$3, \$9, \$8
					else print \$3, \$12, \$13, \$16, \$17, \$18 }" |
				cmp - got
			[ ! -e "$golden/peak.csv" ] || python3 owners.py "$golden/peak.csv" <model
		done' <<'E'
8 True True True
5 True True True
E
fi

# --- steps: what the slowest step has more of; ranks and devices have columns

step() { # NAME TS KERNEL-DURATION [MEMBERS]
	printf '%s\n' "{\"ts\":$2,\"dur\":100,\"kind\":\"range\",\"name\":\"ProfilerStep#$1\",\"pid\":1,\"tid\":1${4-}}" \
		"{\"ts\":$2,\"dur\":$3,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"stream\":1${4-}}"
}
{ step 7 1000 500; step 8 2000 300; step 9 3000 900; step 10 5000 20; } >slow.nd
check 'what the slowest step has more of' 0 'trace-report -o ndjson slow.nd >model
	filter-calls -w "id == steps" model |
		ndjson2table -o list -f slow_step,fast_step,more_dur,more_compute,more_pauses
	ndjson2report -o md model | grep "^Step 9"' <<'END'
slow_step     9
fast_step     8
more_dur      1000
more_compute  600
more_pauses   400
Step 9 takes 1.0 µs longer than step 8: +600 ns computing, +400 ns pauses.
END
{ step 1 1000 500 ',"rank":0'; step 1 1000 600 ',"rank":1'; } >ranks.nd
check 'steps of several ranks have a column for the rank' 0 'trace-report -o ndjson <ranks.nd >model
	ndjson2report -o md model | grep "^| Step"
	filter-calls -w "section == steps" model | ndjson2table -o ndjson -f rank,compute_time' <<'END'
| Step | Rank | Computing (µs) | Exposed communication (µs) | Exposed copies (µs) | Idle, host too late (µs) | Idle, between kernels (µs) | All (µs) |
{"rank":1,"compute_time":600}
{"rank":0,"compute_time":500}
END
for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26; do
	echo "{\"ts\":$i,\"dur\":5,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"stream\":$i}"
done >streams.nd
check 'many streams of one rank: no empty column before the sum of the others' 0 '
	trace-report -o md streams.nd | sed -n "/^### Streams/,/^### /p" | grep -E "Stream |others" | cut -c 1-21' <<'END'
|   Device | Stream |
| 2 others |        |
END
{ step 1 1000 500; step 2 1050 300; } | ts-sort >overlap.nd
check 'steps that overlap: a report of the whole trace' 0 'trace-report -o ndjson overlap.nd >model
	filter-calls -w "id =~ ^(steps|whole)$" model | groupby -g id -a count' <<'END'
{"kind":"groupby","id":"whole","count":1}
END

# --- findings about input and idle time

printf '%s\n' '{"ts":1,"dur":1000,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}' \
	'{"ts":1,"dur":300,"kind":"range","name":"enumerate(DataLoader)#I.__next__"}' \
	'{"ts":590,"dur":5,"kind":"api","name":"launch","pid":1,"tid":1,"corr":1}' \
	'{"ts":600,"dur":100,"kind":"kernel","name":"k","pid":1,"dev":0,"stream":1,"corr":1}' >input.nd
printf '%s\n' '{"ts":1,"dur":1000,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}' \
	'{"ts":0,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":1}' \
	'{"ts":1,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":2}' \
	'{"ts":1,"dur":100,"kind":"kernel","name":"k","pid":1,"dev":0,"stream":1,"corr":1}' \
	'{"ts":900,"dur":100,"kind":"kernel","name":"k","pid":1,"dev":0,"stream":1,"corr":2}' >idle.nd
check 'findings: a late host, input, and a GPU that is mostly idle' 0 'for file in input.nd idle.nd; do
		trace-report -o ndjson $file | filter-calls -w "kind == report/finding" -w "id != brief" |
			ndjson2table -o ndjson -f id,saves
	done' <<'END'
{"id":"host-wait","saves":599}
{"id":"input","saves":300}
{"id":"mostly-idle","saves":800}
END

# --- traces of other kinds

check 'the verdict of each kind of trace' 0 '
	for file in cnn.onednn.txt mlp.eventlog.gz tiny.dvdt.out; do
		trace-report -o ndjson "$DATA/$file" 2>said | filter-calls -w "kind == report/verdict" |
			ndjson2table -o raw -f source,text
	done' <<'END'
["verbose output of oneDNN"]
{all_count:count} executions of oneDNN primitives took {all_time:time}; {primitive_name} took {primitive_share:share} of it.
["event log of PlaidML"]
{activity_count:count} activities of PlaidML took {activity_time:time} in all; {activity_name} took {activity_share:share} of it.
["OpenCL calls of dvdt-prof"]
The GPU waits for the host {host_share:share} of the time.
END

check 'an empty input: no report, status 1' 1 'trace-report -o md </dev/null' <<'END'
--- stderr
trace-report: stdin: byte 0: empty input
END

# --- names of a trace are never part of a text, and a file name never part of a command

name='{steps:count} \"a\\u0001 </script>'
printf '%s\n' "{\"ts\":1,\"dur\":5,\"kind\":\"kernel\",\"name\":\"$name\",\"dev\":0,\"stream\":1}" >'$(x) "q" \ .nd'
check 'hostile names' 0 'trace-report -o ndjson "\$(x) \"q\" \\ .nd" >model 2>said; report_commands.py model
	filter-calls -w "kind == report/row" -w "section == kernels" model |
		ndjson2table -o ndjson -f name; ls -d x* 2>/dev/null || :' <<'END'
8
{"name":"{steps:count} \"a\\u0001 </script>"}
END

cp '$(x) "q" \ .nd' './-{nosuch}.nd'
check 'a file whose name begins with - and has the form of a figure' 0 '
	trace-report -o ndjson -- "-{nosuch}.nd" >model
	report_commands.py model; filter-calls -m 1 model | ndjson2table -o raw -f title
	for format in text md html; do trace-report -o $format -- "-{nosuch}.nd" | grep -c -m 1 -e "-{nosuch}"; done' <<'END'
8
-{nosuch}.nd
1
1
1
END

# --- options

check '-t: rows of tables and lines on a terminal' 0 "trace-report -o ndjson -t 1 $DATA/train.pt.trace.json >model
	filter-calls -w 'kind == report/row' -w 'section == kernels' model | ndjson2table -o ndjson -f count,rest
	filter-calls -w 'kind == report/section' -w 'id == kernels' model | ndjson2table -o ndjson -f lines" <<'END'
{"count":2}
{"count":8,"rest":4}
{"lines":1}
END
check '-t: a number >= 1' 2 "trace-report -t 0 $DATA/train.pt.trace.json" <<'END'
--- stderr
trace-report: -t: '0': expected an integer >= 1; try trace-report -h
END
check '--to: a file is replaced by a complete report only' 0 "echo old >file
	trace-report -o ndjson --to file nosuch; cat file
	trace-report -o ndjson --to file $DATA/tiny.pt.trace.json
	trace-report -o ndjson $DATA/tiny.pt.trace.json | cmp - file" <<'END'
old
--- stderr
trace-report: nosuch: cannot open: No such file or directory
END
check '--to: a folder, and a file in a folder that does not exist' 2 "mkdir folder
	trace-report --to folder $DATA/tiny.pt.trace.json; trace-report --to nosuch/file $DATA/tiny.pt.trace.json" <<'END'
--- stderr
trace-report: folder: cannot write: Is a directory
trace-report: nosuch/file: cannot write: No such file or directory
END
[ ! -e /dev/full ] || check '--to: a full disk' 2 "trace-report --to /dev/full $DATA/tiny.pt.trace.json" <<'END'
--- stderr
trace-report: /dev/full: cannot write: No space left on device
END
mkdir traces none
cp "$DATA/tiny.pt.trace.json" traces/a.json
cp "$DATA/cnn.onednn.txt" traces/b.txt
check 'a folder: all of its files' 2 'trace-report -o ndjson traces | filter-calls -w "kind == report/verdict" |
	ndjson2table -o ndjson -f title,records; trace-report none' <<'END'
{"title":"traces","records":41}
--- stderr
trace-report: none: a folder without files
END
check 'options may follow the trace' 0 "trace-report $DATA/tiny.pt.trace.json --lead=1ms -t 1 -o ndjson >got
	trace-report --lead 1ms -t 1 -o ndjson $DATA/tiny.pt.trace.json | cmp - got
	grep -c 'trace-join --lead 1ms' got" <<'END'
17
END
check 'a full disk, with each writer' 0 "for format in text md html ndjson; do
	trace-report -o \$format $DATA/tiny.pt.trace.json >/dev/full 2>said; echo \$?; done" <<'END'
2
2
2
2
END
# A limit on the size of files has the same effect as a full disk: many programs cannot write their files.
check 'no space for temporary files: one message' 2 '(
		mkdir spool; export TMPDIR=spool; trap "" XFSZ; ulimit -f 16; exec trace-report "$DATA/train.pt.trace.json")' <<'END'
--- stderr
trace-report: cannot write temporary files (TMPDIR): File too large
END
# pipe/filter-calls fails before it has read the trace; killed/nvtx-attach is killed after that.
mkdir killed pipe
cat >pipe/filter-calls <<E
#!/bin/sh
case "\$*" in '-v -k flow,python') echo "\$TRACEFILTERS_COMMAND: this fails" >&2; exit 2 ;; esac
exec "$BUILD/bin/filter-calls" "\$@"
E
printf '#!/bin/sh\nsleep 0.6\nkill -KILL $$\n' >killed/nvtx-attach
# bash prints a message when a program of a pipeline was killed.
mkdir picture && printf '#!/bin/sh\nkill -KILL $$\n' >picture/ndjson2svg
chmod +x killed/* pipe/* picture/*
mkdir at && ln -s "$BUILD/bin/trace-report" at # a script puts its own folder first in PATH
mkdir failing && printf '#!/bin/sh\necho "$TRACEFILTERS_COMMAND: this fails" >&2\nexit 2\n' >failing/gpu-busy
chmod +x failing/gpu-busy
check 'a program that fails: equal messages are printed once, and no process is left' 2 \
	"PATH=\$PWD/failing:\$PATH bash at/trace-report $DATA/tiny.pt.trace.json; status=\$?
		! ps -e -o args= | grep '^bash .*[t]race-report $DATA/tiny.pt'; exit \$status" <<'END'
--- stderr
trace-report: this fails
END
check 'a program that fails before it reads' 2 "PATH=\$PWD/pipe:\$PATH
	timeout 60 bash at/trace-report $DATA/train.pt.trace.json" <<'END'
--- stderr
trace-report: this fails
END
check 'a program that is killed' 2 "PATH=\$PWD/killed:\$PATH
	timeout 60 bash at/trace-report $DATA/train.pt.trace.json" <<'END'
--- stderr
trace-report: a program was killed by a signal
END
check 'a program that is killed for a picture: one message' 2 "PATH=\$PWD/picture:\$PATH
	timeout 60 bash at/trace-report -o html $DATA/train.pt.trace.json" <<'END'
--- stderr
trace-report: a program was killed by a signal
END
check 'removes its temporary files' 0 \
	"mkdir tmp && export TMPDIR=\$PWD/tmp && trace-report $DATA/tiny.pt.trace.json >report && ls tmp" </dev/null
check 'a truncated trace: the report covers the other records, status 1' 1 \
	"head -c -5 $DATA/tiny.dvdt.out | trace-report -o ndjson 2>said >model; echo \$?; grep -c . said
	ndjson2report model | sed -n 2p
	trace2ndjson $DATA/tiny.pt.trace.json | head -c -5 | trace-report -o ndjson >model" <<'END'
1
2
130 us, 8 records, some lost
--- stderr
trace-report: stdin:15: record cut short; skipped
END

# --- the program that wrote the trace

grep -q HAVE_SQLITE "$BUILD/flags" && have python3 && {
	database_of.py "$DATA/train.nsys.jsonl" train.sqlite
	check 'a database of nsys: the name of the program' 0 'trace-report train.sqlite | head -n 1' <<'END'
train.sqlite                                                      Nsight Systems
END
}
if have python3; then
	perfetto_trace.py torch >run.pftrace
	xla_profile.py all >run.xplane.pb
	check 'a Perfetto trace and a profile of XLA: the name of the program' 0 '
		cp "$DATA/chrome/xla.trace.json" .
		for file in run.pftrace run.xplane.pb xla.trace.json; do
			trace-report "$file" 2>/dev/null | sed -n "1s/  */ /gp;2p"
		done' <<'END'
run.pftrace PyTorch profiler
59 ns, 10 records, 0 lost
run.xplane.pb profile of XLA
AMD GPU, 11 ns, 20 records, 0 lost
xla.trace.json profile of XLA
1 step (0), 1.8 ms, 12 records, 0 lost
END
fi
if have python3; then
	xla_profile.py steps >run.xplane.pb
	check 'a profile of JAX: device, steps, operators by their names in the program' 0 '
		trace-report run.xplane.pb | sed -n "2p;4,6p;/^Operator/,/^no/p"' <<'END'
NVIDIA H100 80GB HBM3, 3 steps (0 to 2), 299 us, 24 records, 0 lost
The GPU waits for the host 50 % of the time.
A step takes 100 us +- 1. The GPU computes for 35 us of it, waits for the host
for 50, pauses between kernels for 10, has no more work for 5.
Operator                                    Share  On the device (us)    Kernels
jit(f)/dot_general                         57.1 %                60.0          3
add.1                                      28.6 %                30.0          3
no operator                                14.3 %                15.0          3
END
fi
if need_shared data/rocprof/made data/nccl-inspector; then
	check 'rocprofv3 and NCCL Inspector: the name of the program' 0 '
		cd "$SHARED/data"
		for file in rocprof/made/run_results.json nccl-inspector/node01-pid4001.log; do
			trace-report $file | head -n 1
		done
		! grep -q HAVE_SQLITE "$BUILD/flags" || trace-report rocprof/made/run_results.db.gz | head -n 1 | cut -c 1-80
		grep -q HAVE_SQLITE "$BUILD/flags" ||
			echo "run_results.db.gz                                              rocprofv3 of ROCm"' <<'END'
run_results.json                                               rocprofv3 of ROCm
node01-pid4001.log                                                NCCL Inspector
run_results.db.gz                                              rocprofv3 of ROCm
END
fi

# --- recorded traces

if need_shared data/kineto data/nsys mock/terminal.txt; then
	# Copies to pageable memory can cost at most the time in which the device waits for the host.
	check 'the reports are those of the mocks' 1 '
		export TRACEFILTERS_CHARSET=UTF-8
		trace-report "$SHARED/data/kineto/dlrm_a100_2022_control.json.gz" | diff "$SHARED/mock/terminal.txt" -
		trace-report "$SHARED/data/kineto/nccl.json.gz" | diff "$SHARED/mock/terminal-nccl.txt" -' <<'END'
16,22c16,22
< What to do first                                                 at most, a step
< 1 communication runs alone for 87.9 ms, 83.4 of it all_to_all          14.7 ms
< 2 60 copies to pageable memory (0.1 MB) stop the host                  12.6 ms*
< 3 the host is late, 78 % of it in ## backward ##                       11.2 ms
< 4 4,463 of 8,568 kernels run for less than 10 µs                        3.7 ms
< 5 150 copies to the GPU, 424 MB at 8.4 GB/s, are not fully hidden       3.2 ms
< * of the host's time
---
> What to do first                                  at most, a step; gains overlap
> 1 hide communication: 95 % of its exposed time is all_to_all           14.7 ms
> 2 launch less often: the host is late, 78 % of it in ## backward ##    11.2 ms
> 3 avoid copies to pageable memory: the host waits for each             11.2 ms
> 4 hide copies: 4 % of the time nothing else runs                        3.2 ms
> 5 use Tensor Cores: products without them take 2 % of kernel time       1.8 ms
>   2 more: -o md
28,30c28
< split_embedding_codegen_forward_unweighted_…   3.4 %     15.2       6    2,537.7
< vectorized_elementwise_kernel<4, CUDAFuncto…   2.9 %     13.2     750       17.6
< 165 others                                    48.9 %    218.7   7,746
---
> 167 others                                    55.3 %    247.1   8,502
37,38c35,38
< GPU busy 83.5 %   SM efficiency 59 %   occupancy 32 %   Tensor Cores 15 %
< launch latency 592 µs (median), 11.0 ms (99 %); 30 % found an empty queue
---
> GPU busy 83.5 %   SM efficiency 59 %   occupancy 32 %
> Tensor Cores at least 15.0 %
> launch latency 8.0 µs (median, 30 % of kernels); the others queue for 1.2 ms
> not recorded: memory (profile_memory=True), Python stacks (with_stack=True)
13,16c13,17
< What to do first                                                 at most, a step
< 1 the host is late, 53 % of it in DistributedDataParallel.forward     169.0 ms
< 2 communication runs alone for 39.6 ms, 39.4 of it all_reduce          13.2 ms
< 3 1,159 of 2,700 kernels run for less than 10 µs                        1.6 ms
---
> What to do first                                  at most, a step; gains overlap
> 1 launch less often: the host is late, 53 % of it in
>   DistributedDataParallel.forward                                     169.0 ms
> 2 hide communication: 100 % of its exposed time is all_reduce          13.2 ms
> 3 fuse short kernels: 43 % of all kernels run for less than 10 µs
31,32c32,36
< GPU busy 23.6 %   SM efficiency 17 %   occupancy 35 %   Tensor Cores 16 %
< launch latency 13 µs (median), 525 µs (99 %); 72 % found an empty queue
---
> GPU busy 23.6 %   SM efficiency 17 %   occupancy 35 %
> Tensor Cores at least 23.7 %
> launch latency 12 µs (median, 72 % of kernels); the others queue for 70 µs
> not recorded: input shapes (record_shapes=True), memory (profile_memory=True),
> Python stacks (with_stack=True)
END
	check 'recorded traces: the commands print the figures' 0 \
		'for file in kineto/nccl.json.gz nsys/unet3d_baseline_trim.json perf/perf-script-two-events.txt \
			torch/kineto2.x-4090-mem-shapes.txt; do
		trace-report -o ndjson "$SHARED/data/$file" >model 2>said
		report_commands.py model
	done' <<'END'
18
13
3
2
END
fi

# With REPORT_LONG=1, the commands of every recorded trace; this takes 5 minutes.
if [ -n "${REPORT_LONG-}" ] && need_shared data/kineto data/nsys; then
	CHECK_TIMEOUT=3600 check 'the commands of every recorded trace print the figures' 0 '
		for folder in $READ_FOLDERS; do
			for file in "$SHARED/data/$folder"/*; do
				trace-report -o ndjson "$file" >model 2>said || [ $? = 1 ] || continue
				report_commands.py model | sed "1d; s|^|$file: |"
			done
		done' </dev/null
fi

# Every recorded trace: the status of trace2ndjson; each line on standard error begins with the name; a report of at
# most 40 lines; a page of at most 300 kB; the parts of the windows sum to the windows.
if need_shared data/kineto data/nsys; then
	check 'recorded traces: status, messages, lines, parts' 0 '
		for folder in $READ_FOLDERS; do
			for file in "$SHARED/data/$folder"/*; do
				[ -f "$file" ] || continue
				trace2ndjson "$file" >/dev/null 2>&1
				expected=$?
				trace-report -o ndjson "$file" >model 2>said
				[ $? = $expected ] || echo "$file: status"
				! grep -v "^trace-report: " said || echo "$file: messages"
				[ "$expected" = 2 ] && continue
				ndjson2report model >text || echo "$file: text"
				[ "$(wc -l <text)" -le 40 ] || echo "$file: lines"
				ndjson2report -o html model >page || echo "$file: page"
				[ "$(wc -c <page)" -le 300000 ] || echo "$file: size of the page"
				filter-calls -w "kind == report/row" -w "section =~ ^(steps|whole)\$" model |
					derive "other=default(other_only,0)+default(unknown_wait,0)+default(after_work,0)" \
				"rest=dur-compute_time-comm_only-memory_only-host_wait-between-other" |
					filter-calls -w "rest != 0"
			done
		done' </dev/null
fi

cat >compiled.nd <<'E'
{"ts":100,"dur":900,"kind":"op","name":"Torch-Compiled Region: 0/0","pid":1,"tid":1}
{"ts":110,"dur":20,"kind":"op","name":"TorchDynamo Cache Lookup","pid":1,"tid":1}
{"ts":112,"dur":5,"kind":"python","name":"torch/_guards.py(895): try_get","pid":1,"tid":1}
{"ts":150,"dur":700,"kind":"range","name":"## Call CompiledFxGraph fal7 ##","pid":1,"tid":1}
{"ts":160,"dur":70,"kind":"op","name":"aten::mm","pid":1,"tid":1}
E
slow check 'compiled regions, look-ups and guards have a section' 0 '
	trace-report -o ndjson compiled.nd >model
	filter-calls -w "section == compiled" model | ndjson2table -o csv -f name,part,count,dur_sum
	grep -o "\"compiled_records\".*" model
	sed "/mm/!d" compiled.nd | trace-report -o ndjson | filter-calls -c -w "section == compiled"' <<'E'
name,part,count,dur_sum
Torch-Compiled Region: 0/0,region,1,900
## Call CompiledFxGraph fal7 ##,region,1,700
TorchDynamo Cache Lookup,look-up,1,20
torch/_guards.py(895): try_get,guards,1,5
"compiled_records":4,"compiled_regions":2,"compiled_lookups":1,"compiled_guards":1}
0
E
cat >lag.awk <<'E'
BEGIN {
	step = "{\"ts\":%d,\"dur\":900000,\"kind\":\"range\",\"name\":\"ProfilerStep#%d\",\"tid\":1}\n"
	call = "{\"ts\":%d,\"dur\":9000,\"kind\":\"api\",\"name\":\"cudaLaunchKernel\",\"tid\":1,\"corr\":%d}\n"
	kernel = "{\"ts\":%d,\"dur\":200000,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"stream\":7,\"corr\":%d}\n"
	for (i = 0; i < 9; i++) {
		if (i % 3 == 0) printf step, i * 3e5, i / 3
		printf call kernel, i * 3e5 + 9, i + 1, i * 3e5 + 9 + delay * 1e3, i + 1
	}
}
E
for delay in 100 5000; do awk -v delay="$delay" -f lag.awk >lag.$delay; done
# Each kernel takes 200 us and starts 300 us after the one before: a step of the device lasts 900 us, from the end of
# the third kernel of the step before to the end of its own; the first one waits for its own first kernel.
check 'steps of a host that is far ahead of the device: their times on the device' 0 '
	for delay in 100 5000; do trace-report lag.$delay; done | grep -E "^A step|^3 steps t|^ +[0-2]  |their launch"' <<'END'
A step takes 900 us +- 0.01. The GPU computes for 600 us of it, pauses between
    0   #######################################.......:::::::::::::      900 us
    1   #######################################::::::::::::::::::::      900 us
    2   #######################################::::::::::::::::::::      900 us
3 steps take 7.6 ms: half of them at most 900 us, step 0 5.8 ms. The GPU
    0   ######...................................................::      5.8 ms
    1   ######:::                                                        900 us
    2   ######:::                                                        900 us
Kernels start 5.0 ms (mean) after their launch: a step begins on the GPU when
END
# Without the calls of one stream, the steps of its work are unknown.
sed '/"corr":[147]}/s/"stream":7,"corr":[0-9]*/"stream":9/' lag.5000 >lag.unknown
slow check 'findings and differences by step; work whose launch is unknown' 0 '
	trace-report -o findings lag.5000 >out; findings.py out lag.5000; trace-report lag.unknown | grep -A 1 "their launch"
	sed "s/\"dur\":200000/\"dur\":270000/" lag.5000 >lag.longer
	trace-report --against lag.5000 lag.longer | sed -n 2,6p
	trace-diff --quiet --force --fail-above 5% lag.5000 lag.longer | tail -n 1' <<'END'
step verdict host pauses | which operator
Kernels start 5.0 ms (mean) after their launch. Steps are those of the host, so
a step has work that earlier steps launched.
3 and 3 steps, 2.5 ms and 2.6 ms a step

A step takes 1 % longer: 210 us more computing, 187 us less other idle time.
It was 2.5 ms, and is 2.6 ms. Records of a run were lost or are wrong, see
below: so may be these figures. 3 and 3 steps are too few to rule out noise.
passed: step 0.900 ms -> 0.900 ms, 0.0 %, cannot tell, limit 5%
END
for i in 1 2 3 4 5; do
	[ $i -lt 3 ] || printf '{"ts":%d,"dur":1,"kind":"api","name":"launch","tid":1,"corr":%d}\n' $i $i
	printf '{"ts":%d,"dur":%d,"kind":"kernel","name":"k","dev":0,"stream":7,"corr":%d}\n' $((i * 99)) $((i * 9)) $i
done | ts-sort >early.nd
check 'work that was launched before the trace is not work of a step' 0 '
	{ echo "{\"ts\":0,\"dur\":900,\"kind\":\"range\",\"name\":\"ProfilerStep#1\"}"; cat early.nd; } >early-step.nd
	for file in early early-step; do
		trace-report $file.nd | sed -n "/^[0-9]* % of the kernel/,/^[ln]/p" | grep -v "^[ln]"
	done
	trace-report -o ndjson early-step.nd | filter-calls -w id==kernel-count | ndjson2table -o ndjson -f value,early' <<'E'
20 % of the kernel time was launched before the trace began
20 % of the kernel time was launched before the trace began; the times of steps
contain it, the number of kernels in a step does not
{"value":3,"early":2}
E
check 'operations of a job in one file: another program' 0 '
	cp "$DATA/timeline.json" "a b"; trace-report "a b" | grep -B 1 what-if' <<'E'
the operations of a whole job; which of them, and which ranks, cost most:
trace2ndjson 'a b' | what-if
E
finish
