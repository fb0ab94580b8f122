#!/bin/sh
# ts-sort.t: the order, in examples and compared with Python's sorted(); the same output with any amount of memory;
# merging; damage; the memory that is used; the removal of temporary files; trace2ndjson --sort.
. "${0%/*}/../lib.sh"
have python3 || finish

cat >a.ndjson <<'EOF'
{"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
{"ts":100,"kind":"mark","name":"instant"}
{"kind":"meta","name":"first"}
{"ts":100,"dur":40,"kind":"api","name":"short"}
{"ts":-5,"dur":1,"kind":"api","name":"negative"}
{"ts":100,"dur":400,"kind":"range","name":"long"}
{"ts":100,"dur":0,"kind":"api","name":"zero"}
{"ts":100,"dur":-3,"kind":"api","name":"backwards"}
{"kind":"meta","name":"second"}
EOF

# --- the order

check 'records without ts first, then by ts, then by descending dur, then in input order' 0 'ts-sort a.ndjson' <<'EOF'
{"kind":"meta","name":"first"}
{"kind":"meta","name":"second"}
{"ts":-5,"dur":1,"kind":"api","name":"negative"}
{"ts":100,"dur":400,"kind":"range","name":"long"}
{"ts":100,"dur":40,"kind":"api","name":"short"}
{"ts":100,"kind":"mark","name":"instant"}
{"ts":100,"dur":0,"kind":"api","name":"zero"}
{"ts":100,"dur":-3,"kind":"api","name":"backwards"}
{"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
EOF
cat >foreign.ndjson <<'EOF'
  { "name" : "e3", "ts" : 1e3 }
{"ts":5.0,"name":"5.0"}
{"ts":7.5,"name":"no integer"}
{"name":"text","ts":"3"}
{"name":"999","dur":2,"ts":999}
{"ts":null,"name":"null"}
{"name":"args","args":{"ts":-7}}
{"ts":999,"dur":2.5,"name":"fractional dur"}
{"name":"999 too", "ts":999, "dur":3.0}
{"ts":5,"kind":"op","name":"dur last","dur":6}
EOF
check 'keeps records of other programs unchanged' 0 'ts-sort foreign.ndjson' <<'EOF'
{"ts":7.5,"name":"no integer"}
{"name":"text","ts":"3"}
{"ts":null,"name":"null"}
{"name":"args","args":{"ts":-7}}
{"ts":5,"kind":"op","name":"dur last","dur":6}
{"ts":5.0,"name":"5.0"}
{"name":"999 too", "ts":999, "dur":3.0}
{"name":"999","dur":2,"ts":999}
{"ts":999,"dur":2.5,"name":"fractional dur"}
{ "name" : "e3", "ts" : 1e3 }
--- stderr
ts-sort: foreign.ndjson:3: ts is not an integer number of ns; treated as absent (and 1 more)
ts-sort: foreign.ndjson:8: dur is not an integer number of ns; treated as absent
EOF
cat >edge.ndjson <<'EOF'
{"ts":9223372036854775807,"dur":-9223372036854775808,"name":"d"}
{"ts":0,"name":"c"}
{"ts":-9223372036854775808,"dur":-9223372036854775808,"name":"b"}
{"ts":9223372036854775807,"dur":9223372036854775807,"name":"cc"}
{"ts":-9223372036854775808,"dur":9223372036854775807,"name":"a"}
EOF
check 'smallest and largest 64-bit times' 0 'ts-sort edge.ndjson | sed "s/.*name//" | paste -sd" " -' <<'EOF'
":"a"} ":"b"} ":"c"} ":"cc"} ":"d"}
EOF
check 'one record, and no record' 0 'head -n 1 a.ndjson | ts-sort; ts-sort /dev/null; ts-sort --merge /dev/null' <<'EOF'
{"ts":160,"dur":90,"kind":"kernel","name":"gemm"}
EOF
check 'several files are one input' 0 'head -n 4 a.ndjson >1; tail -n +5 a.ndjson | gzip >2.gz; ts-sort a.ndjson >want
	ts-sort 1 2.gz | cmp - want' </dev/null

# --- compared with Python, with enough and with little memory


same_as_python() { # same_as_python NAME FILE OPTIONS
	check "$1" 0 "ts-sort $3 $2 >got && cmp got want" </dev/null
}
for arguments in '1 3000 3' '2 3000 1000000' '5 6000 0' "$(amount '3 3000 40' '3 20000 40')" \
	"$(amount '4 3000 100000000000' '4 20000 100000000000')"; do
	# shellcheck disable=SC2086 # three arguments
	unsorted_records.py $arguments >random
	sorted_records.py random >want
	for size in $(amount 64kB "64kB 300kB 256MiB"); do
		same_as_python "random $arguments, -S $size" random "-S $size"
	done
done
n=$(amount 10 30 500)
check 'files of records with unusual values: sorted, merged, moved to one clock' 0 "sorted_records.py --random $n" <<E
$n traces, 0 wrong
E
check 'sorting sorted input changes nothing, with any amount of memory' 0 \
	'ts-sort -S 64kB want | cmp - want; ts-sort want | cmp - want
	ts-sort --merge want | cmp - want' </dev/null
check 'reversed input, in little memory' 0 'tac want | grep \"ts\" >back; sorted_records.py back >want.back
	ts-sort -S 64kB back | cmp - want.back' </dev/null
check 'reads of one byte' 0 'head -n 700 random >some; sorted_records.py some >want.some
	TRACEFILTERS_READ=1 ts-sort -S 64kB some | cmp - want.some
	TRACEFILTERS_READ=1 ts-sort --merge want.some | cmp - want.some' </dev/null
python3 - <<'E'
with open("long", "w") as f:
    for i in range(60):
        f.write('{"ts":%d,"name":"%s"}\n' % (i * 37 % 11, str(i) * (i * i * 40)))
E
check 'records much longer than the memory' 0 \
	'sorted_records.py long >want.long; ts-sort -S 64kB long | cmp - want.long' </dev/null
for file in "$DATA"/*.json; do
	trace2ndjson "$file" >records 2>messages && [ ! -s messages ] || continue
	sorted_records.py records >want
	same_as_python "${file##*/}" records ''
	check "${file##*/}: --sort" 0 "trace2ndjson --sort $file | cmp - want" </dev/null
done
need_shared data/kineto && {
	traces_in kineto | while IFS= read -r file; do
		trace2ndjson "$file" 2>/dev/null | head -n 200000 >records
		sorted_records.py records >want
		same_as_python "${file##*/}" records '-S 1MiB'
	done
}

# --- merging

for rank in 0 1 2; do
	unsorted_records.py 1$rank 2000 50 | sed "s/}\$/,\"rank\":$rank}/" >rank-$rank
	ts-sort rank-$rank >sorted-$rank
done
check '--merge gives the order of sorting all files together' 0 \
	'ts-sort rank-0 rank-1 rank-2 >want; ts-sort --merge sorted-0 sorted-1 sorted-2 | cmp - want' </dev/null
check '--merge with one input from standard input' 0 \
	'gzip -c sorted-1 >s.gz; ts-sort --merge sorted-0 - sorted-2 <s.gz | cmp - want' </dev/null
check '--merge: equal records are in the order of the operands' 0 \
	'echo "{\"ts\":1,\"name\":\"a\"}" >1; echo "{\"ts\":1,\"name\":\"b\"}" >2
	ts-sort --merge 2 1 2' <<'EOF'
{"ts":1,"name":"b"}
{"ts":1,"name":"a"}
{"ts":1,"name":"b"}
EOF
check '--merge rejects a file out of ts order' 2 \
	'printf "%s\n" "{\"ts\":1}" "{\"ts\":3}" "" "{\"ts\":2}" "{\"ts\":9}" >1; echo "{\"ts\":2}" >2;
	ts-sort --merge 2 1' <<'EOF'
{"ts":1}
{"ts":2}
{"ts":3}
--- stderr
ts-sort: 1:4: not in the order of ts-sort; run ts-sort without --merge
EOF
check '--merge rejects a shorter dur before a longer one' 2 \
	'printf "%s\n" "{\"ts\":1,\"dur\":3}" "{\"ts\":1,\"dur\":4}" | ts-sort --merge' <<'EOF'
{"ts":1,"dur":3}
--- stderr
ts-sort: stdin:2: not in the order of ts-sort; run ts-sort without --merge
EOF
check '--merge rejects a record without ts after a record with ts' 2 \
	'printf "%s\n" "{\"kind\":\"meta\"}" "{\"ts\":1}" "{\"kind\":\"meta\"}" | ts-sort --merge' <<'EOF'
{"kind":"meta"}
{"ts":1}
--- stderr
ts-sort: stdin:3: not in the order of ts-sort; run ts-sort without --merge
EOF
check '--merge: damage and missing files' 2 \
	'printf "%s\n" "{\"ts\":1}" "{\"ts\":2" "{\"ts\":3}" >1; ts-sort --merge 1 nowhere 2' <<'EOF'
{"ts":1}
{"ts":2}
{"ts":3}
--- stderr
ts-sort: nowhere: cannot open: No such file or directory
ts-sort: 1:2: not a JSON record; skipped
EOF
check '--merge: damage, without and with --lenient' 0 \
	'ts-sort --merge 1 2; echo $?; ts-sort --merge --lenient 1 2 2>/dev/null' <<'EOF'
{"ts":1}
{"ts":2}
{"ts":3}
1
{"ts":1}
{"ts":2}
{"ts":3}
--- stderr
ts-sort: 1:2: not a JSON record; skipped
EOF
check '--merge reports a full output device' 2 'ts-sort --merge sorted-0 sorted-1 >/dev/full' <<'EOF'
--- stderr
ts-sort: write error: No space left on device
EOF
head -n 200 want >ready
check '--merge writes the records that are ready while its input waits' 0 \
	'{ sleep 20 & echo $! >pid; head -n 300 want; wait; } |
	ts-sort --merge | { timeout 10 head -n 200 | cmp - ready; kill "$(cat pid)"; }' </dev/null

# --- merging ranks on one clock

cat >clocks <<'EOF'
{"kind":"clock","rank":0,"ref":0,"via":0,"base":0,"offset":0,"drift":0,"at":0,"lo":0,"hi":0,"spread":0,"count":0,"ok":true}
{"kind":"clock","rank":1,"ref":0,"via":0,"base":7000,"offset":-5100,"drift":0,"at":0,"lo":0,"hi":0,"spread":0,"count":9,"ok":true}
{"kind":"clock","rank":2,"ref":0,"via":0,"base":0,"offset":0,"drift":1000000,"at":1000000,"lo":0,"hi":0,"spread":0,"count":9,"ok":true}
{"kind":"clock","rank":3,"ref":0,"base":40,"count":0,"ok":false}
EOF
cat >r0 <<'EOF'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"kind":"meta","name":"baseTimeNanoseconds","args":{"value":5000}}
{"kind":"meta","name":"distributedInfo","rank":0,"args":{"rank":0}}
{"ts":1000,"dur":5,"kind":"op","name":"a","rank":0,"pid":7}
{"ts":2000,"dur":5,"kind":"op","name":"b","rank":0,"pid":7}
EOF
cat >r1 <<'EOF'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"kind":"meta","name":"baseTimeNanoseconds","args":{"value":12000}}
{"kind":"meta","name":"distributedInfo","rank":1,"args":{"rank":1}}
{"ts":-900,"dur":9,"kind":"kernel","name":"k","rank":1,"dev":0,"corr":4,"api":{"name":"launch","ts":-950,"dur":7},"delay":50}
{"ts":-850,"kind":"sample","name":"s","rank":1,"clock":"cpu"}
{ "rank": 1, "kind": "gpu_range", "name": "g", "orig_ts": -890, "ts": -800, "args": {"ts": -3} }
EOF
cat >r2 <<'EOF'
{"ts":1000,"kind":"mark","name":"early","rank":2}
{"ts":2001000,"kind":"mark","name":"late","rank":2}
EOF
check '--clocks: base, offset and drift; api.ts and orig_ts; not args, nor records with a clock' 0 \
	'ts-sort --merge --clocks clocks r0 r1 r2' <<'EOF'
{"kind":"meta","name":"schemaVersion","rank":0,"args":{"value":1}}
{"kind":"meta","name":"baseTimeNanoseconds","rank":0,"args":{"value":5000}}
{"kind":"meta","name":"distributedInfo","rank":0,"args":{"rank":0}}
{"kind":"meta","name":"schemaVersion","rank":1,"args":{"value":1}}
{"kind":"meta","name":"baseTimeNanoseconds","rank":1,"args":{"value":5000}}
{"kind":"meta","name":"distributedInfo","rank":1,"args":{"rank":1}}
{"ts":1,"kind":"mark","name":"early","rank":2}
{"ts":1000,"dur":9,"kind":"kernel","name":"k","rank":1,"dev":0,"corr":4,"api":{"name":"launch","ts":950,"dur":7},"delay":50}
{"ts":1000,"dur":5,"kind":"op","name":"a","rank":0,"pid":7}
{"ts":-850,"kind":"sample","name":"s","rank":1,"clock":"cpu"}
{ "rank": 1, "kind": "gpu_range", "name": "g", "orig_ts": 1010, "ts": 1100, "args": {"ts": -3} }
{"ts":2000,"dur":5,"kind":"op","name":"b","rank":0,"pid":7}
{"ts":2002001,"kind":"mark","name":"late","rank":2}
EOF
check '--clocks: an input of metadata without a rank, and an empty one' 0 \
	'head -n 2 r0 >rankless; : >nothing; ts-sort --merge --clocks clocks rankless nothing' <<'EOF'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"kind":"meta","name":"baseTimeNanoseconds","args":{"value":5000}}
EOF
sed 's/"rank":2/"rank":3/' r2 >r3
sed 's/"rank":2/"rank":9/' r2 >r9
sed 's/,"rank":2//' r2 >unranked
check '--clocks: an unknown clock, a rank without a clock, records without a rank: no output' 2 '
	ts-sort --merge --clocks clocks r0 r3 r9; ts-sort --merge --clocks clocks r0 unranked
	cat r0 r2 >two; ts-sort --merge --clocks clocks two | wc -l; ts-sort --merge --clocks clocks r0 r3' <<'EOF'
5
--- stderr
ts-sort: r3:1: the clock of this rank is unknown (ok is false); to add only its base time, use --force
ts-sort: r9:1: the file of --clocks has no clock of this rank; to leave its times unchanged, use --force
ts-sort: unranked:1: record without a rank; set the rank with trace2ndjson --set rank=N
ts-sort: two:6: records of two ranks in one input; with --clocks, each input must have its own rank
ts-sort: r3:1: the clock of this rank is unknown (ok is false); to add only its base time, use --force
EOF
check '--force: only the base is added; times of a rank without a clock are unchanged' 0 \
	'ts-sort --merge --clocks clocks --force r3 r9' <<'EOF'
{"ts":1000,"kind":"mark","name":"early","rank":9}
{"ts":1040,"kind":"mark","name":"early","rank":3}
{"ts":2001000,"kind":"mark","name":"late","rank":9}
{"ts":2001040,"kind":"mark","name":"late","rank":3}
EOF
check '--clocks: a file that is not in ts order' 2 'tac r2 >back; ts-sort --merge --clocks clocks back' <<'EOF'
{"ts":2002001,"kind":"mark","name":"late","rank":2}
--- stderr
ts-sort: back:2: not in the order of ts-sort; run ts-sort without --merge
EOF
check 'wrong files of --clocks, and options that need others' 2 '
	ts-sort --merge --clocks nowhere r0; ts-sort --merge --clocks r0 r0; echo "{\"kind\":\"clock\"}" >bad
	ts-sort --merge --clocks bad r0; ts-sort --clocks clocks r0; ts-sort --merge --force r0' <<'EOF'
--- stderr
ts-sort: nowhere: cannot open: No such file or directory
ts-sort: r0: no clocks; write them with coll-join --write clocks
ts-sort: bad:1: clock without a rank
ts-sort: --clocks needs --merge
ts-sort: --force needs --clocks
EOF
check 'more files than can be open: the same output' 0 '
	ts-sort --merge --clocks clocks r0 r1 r2 >want; ts-sort --merge sorted-0 sorted-1 sorted-2 >want.all
	ulimit -n 17; ts-sort --merge --clocks clocks r0 r1 r2 | cmp - want
	ts-sort --merge -S 64kB sorted-0 sorted-1 sorted-2 | cmp - want.all' </dev/null
check 'more files than can be open: files that are not in order, without a rank, missing' 2 '
	ulimit -n 17; ts-sort --merge --clocks clocks r0 r1 back; ts-sort --merge --clocks clocks r0 r2 unranked
	ts-sort --merge --clocks clocks r2 nowhere r2' <<'EOF'
{"ts":1,"kind":"mark","name":"early","rank":2}
{"ts":1,"kind":"mark","name":"early","rank":2}
{"ts":2002001,"kind":"mark","name":"late","rank":2}
{"ts":2002001,"kind":"mark","name":"late","rank":2}
--- stderr
ts-sort: back:2: not in the order of ts-sort; run ts-sort without --merge
ts-sort: unranked:1: record without a rank; set the rank with trace2ndjson --set rank=N
ts-sort: nowhere: cannot open: No such file or directory
EOF
check 'the soft limit of open files is raised' 0 '
	i=0; while [ $i -lt 60 ]; do cp r2 many$i; i=$((i + 1)); done
	ulimit -Sn 30; ts-sort --merge many* | wc -l' <<'EOF'
120
EOF

# --- damage and options

check 'skips damaged lines and sorts the others' 1 \
	'printf "%s\n" "{\"ts\":3}" "{\"ts\":2" "xx" "{\"ts\":1}" | ts-sort' <<'EOF'
{"ts":1}
{"ts":3}
--- stderr
ts-sort: stdin:2: not a JSON record; skipped (and 1 more)
EOF
check_re '-S rejects wrong sizes' 2 'ts-sort -S much; ts-sort -S -5; ts-sort --memory=5ms a.ndjson' <<'EOF'
--- stderr
ts-sort: -S: .*
ts-sort: -S: .*
ts-sort: -S: .*
EOF

# --- temporary files

mkdir tmp
yes '{"ts":5,"dur":2,"kind":"op","name":"aten::mm","args":{"a":[1,2,3,4,5,6,7,8]}}' | head -n 30000 >ties
check 'reports a missing TMPDIR' 2 'TMPDIR=nowhere ts-sort -S 64kB rank-0 >/dev/null' <<'EOF'
--- stderr
ts-sort: nowhere: cannot create a temporary file: No such file or directory
EOF
check 'ignores a missing TMPDIR if the input fits the memory' 0 \
	'TMPDIR=nowhere ts-sort rank-0 | cmp - sorted-0' </dev/null
check 'reports a temporary file that cannot grow' 2 \
	'(ulimit -f 1000; trap "" XFSZ; TMPDIR=$PWD/tmp ts-sort -S 64kB ties ties ties >/dev/null) 2>message
	status=$?; sed "s|$PWD|.|" message >&2; ls tmp; exit $status' <<'EOF'
--- stderr
ts-sort: ./tmp: cannot write a temporary file: File too large
EOF
if mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	check 'reports a full disk' 2 'TMPDIR=full ts-sort -S 64kB rank-0 rank-1 >/dev/null' <<'EOF'
--- stderr
ts-sort: full: cannot write a temporary file: No space left on device
EOF
	umount full
else
	skip 'a full disk: only root can mount a small file system'
fi
for signal in INT TERM HUP; do
	check "SIG$signal leaves no temporary file" 0 '{ sleep 20 & echo $! >pid; cat ties ties; wait; } | {
		TMPDIR=$PWD/tmp python3 -c "
import os, signal, subprocess, sys, time
p = subprocess.Popen([\"ts-sort\", \"-S\", \"64kB\"], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
def spilled():
    try:
        links = [os.readlink(f\"/proc/{p.pid}/fd/{n}\") for n in os.listdir(f\"/proc/{p.pid}/fd\")]
    except FileNotFoundError: # closed meanwhile
        return False
    return any(\"/tmp/\" in link and \"deleted\" in link for link in links)
for _ in range(2000):
    if spilled(): break
    time.sleep(0.01)
else:
    print(\"no temporary file was seen\")
p.send_signal(signal.SIG'$signal')
print(-p.wait() == signal.SIG'$signal')
"; ls tmp; kill "$(cat pid)"; }' <<'EOF'
True
EOF
done
check 'ends by SIGPIPE when the reader closes the pipe' 141 \
	'mkfifo gone; { read -r line <gone; TMPDIR=$PWD/tmp ts-sort -S 64kB ties; echo $? >status; } | { exec <&-; echo >gone;
	}
	ls tmp; exit "$(cat status)"' </dev/null

# --- memory

only_slow_follow # input of 120 MB
if sanitized || [ ! -x "$BUILD/bench/measure" ]; then
	skip 'memory is not measured under a sanitizer'
else
	trace2ndjson "$DATA/train.pt.trace.json" | grep '^{"ts"' >records
	cat >shift.py <<'E'
import re, sys
lines = [re.match(r'\{"ts":(-?\d+)(.*\n)', line).groups() for line in open("records")]
parts = [(int(ts), rest) for ts, rest in lines]
size = i = 0
while size < int(sys.argv[1]) * 1_000_000:
    text = "".join('{"ts":%d%s' % (ts + i * 7919 % 1000 * 1_000_000, rest) for ts, rest in parts)
    size += len(text)
    i += 1
    sys.stdout.write(text)
E
	python3 shift.py 120 >big
	# within NAME KIB COMMAND...: checks that the peak memory of the command is at most KIB.
	within() {
		name=$1 most=$2
		shift 2
		"$BUILD/bench/measure" result "$@" >sorted && rss=$(sed 's/.*"rss": \([0-9]*\).*/\1/' result)
		if [ "$rss" -le "$most" ]; then pass "$name"; else echo "peak RSS $rss KiB, at most $most" | fail "$name"; fi
	}
	within 'memory: -S 1MiB' $((1024 + 16384)) ts-sort -S 1MiB big
	mv sorted want
	within 'memory: -S 16MiB' $((16384 + 16384)) ts-sort -S 16MiB big
	check 'the output is the same with 16 MiB as with 1 MiB' 0 'cmp sorted want' </dev/null
	within 'memory: -S 256MiB takes only the memory that the input needs' $((220 * 1024)) ts-sort big
	check 'the output is the same with 256 MiB' 0 'cmp sorted want' </dev/null
	within 'memory: --merge' 16384 ts-sort --merge want want want
	check 'merged output is sorted' 0 'ts-sort --merge sorted | cmp - sorted' </dev/null
fi

# --- trace2ndjson --sort

check 'trace2ndjson --sort is the same as ts-sort of all files' 0 \
	'trace2ndjson "$DATA/train.pt.trace.json" "$DATA/train.nsys.json" | ts-sort >want
	trace2ndjson --sort "$DATA/train.pt.trace.json" "$DATA/train.nsys.json" | cmp - want' </dev/null
check 'trace2ndjson --sort reports lost records once and sorts the others' 1 \
	"head -c 3000 '$DATA/train.pt.trace.json' >cut
	trace2ndjson cut 2>want.err | ts-sort >want
	trace2ndjson --sort cut >got 2>got.err; status=\$?; cmp got want; cmp got.err want.err; exit \$status" </dev/null
check 'trace2ndjson --sort reports a missing file' 2 'trace2ndjson --sort nowhere' <<'EOF'
--- stderr
trace2ndjson: nowhere: cannot open: No such file or directory
EOF
check 'trace2ndjson --sort reports a full output device' 2 \
	'trace2ndjson --sort "$DATA/train.pt.trace.json" >/dev/full' <<'EOF'
--- stderr
ts-sort: write error: No space left on device
EOF
# Standard input and error are closed, so a temporary file may get one of their descriptors.
check 'sorts with closed standard input and standard error' 2 \
	'i=0; while [ $i -lt 3000 ]; do echo "{\"ts\":$i,\"name\":\"$i$i$i$i$i$i\"}"; i=$((i + 1)); done >long
	timeout 20 ts-sort -S 64KiB long nosuch long <&- 2>&- >got; s=$?; wc -l <got; exit $s' <<'EOF'
6000
EOF

check 'trace2ndjson --sort reports a closed standard output' 2 \
	'trace2ndjson --sort "$DATA/train.pt.trace.json" >&-' <<'EOF'
--- stderr
ts-sort: write error: Bad file descriptor
EOF
check 'trace2ndjson --sort ends by SIGPIPE when the reader closes the pipe' 141 \
	'rm -f gone; mkfifo gone; { read -r line <gone; trace2ndjson --sort "$DATA/train.pt.trace.json"; echo $? >status; } |
	{ exec <&-; echo >gone; }; exit "$(cat status)"' </dev/null
check 'trace2ndjson --sort runs the ts-sort of its own folder, with the same prefix' 0 \
	'mkdir bin; cp "$BUILD/bin/trace2ndjson" bin/tf-trace2ndjson
	cp "$BUILD/bin/ts-sort" bin/tf-ts-sort; cp "$BUILD/bin/trace2ndjson" bin/
	PATH=/usr/bin:/bin bin/tf-trace2ndjson --sort "$DATA/train.pt.trace.json" | ts-sort --merge >/dev/null
	PATH=$PWD/bin:/usr/bin:/bin; tf-trace2ndjson --sort "$DATA/train.pt.trace.json" |
	tf-ts-sort --merge >/dev/null' </dev/null
check 'trace2ndjson --sort searches PATH if its folder has no ts-sort' 0 'rm bin/tf-ts-sort
	bin/trace2ndjson --sort "$DATA/train.pt.trace.json" | ts-sort --merge >/dev/null' </dev/null
check 'trace2ndjson --sort returns the status of ts-sort' 2 \
	'printf "%s\n" "#!/bin/sh" "read -r line; echo no room >&2; exit 2" >bin/ts-sort
	chmod +x bin/ts-sort; bin/trace2ndjson --sort ties' <<'EOF'
--- stderr
no room
EOF
rm bin/ts-sort
check 'trace2ndjson --sort reports that ts-sort was not found' 2 \
	'PATH=/usr/bin:/bin bin/trace2ndjson --sort "$DATA/train.pt.trace.json"' <<'EOF'
--- stderr
trace2ndjson: --sort: cannot run ts-sort: No such file or directory
EOF

finish
