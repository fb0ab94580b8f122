#!/bin/sh
# perf.t: the format perf: samples, counters and reports, written by hand or compared with independent readers; the
# folded stacks of FlameGraph; damaged files; the script perf-top.
. "${0%/*}/../lib.sh"
have python3 || finish

# --- output of `perf script`, written by hand

printf '%s\n' '# ========' '# captured on: Thu Jul  7 20:48:39 2016' '# cmdline : /usr/bin/perf record -a ' '#' \
	'# HEADER_CPU_TOPOLOGY info available, use -I to display' >script
cat >>script <<'E'
V8 Worker  Thr 7/1234 [003]     1.000001:    1003009 cpu-clock:u: 
	    7f0001 foo(int, char const*)+0x1f (/usr/lib/a b (x).so)
	    7f0002 std::operator-><int>(x)+0x2 (/tmp/x (deleted))
	    400570 outer->inner->innermost (/tmp/perf-7.map)
	    400571 real_inlined (inlined)
	    400571 real_outer+0x5 (/opt/app)
	    400572 jit_kernel ([JIT] tid 7)
	    400573 [unknown] ([kernel.kallsyms])
	    400574 x ([nf_conntrack])
	    400575 x (/lib/modules/6.1/kernel/net/foo.ko.xz)
	    400576 (anonymous namespace)::f(int) (/opt/app)

t 99076 10314749     2.000001: cycles: 
	ff a (/b)

E
cat >>script <<'E'
:-1    -1 3.000000001:          1 sched:sched_switch: prev_comm=a prev_pid=5 ==> next_comm=b 5.123456: x
	ff [unknown] (/b/libx.so)
	0 [unknown] ([unknown])

   padded  77  4.000000:   5 cycles:      7f55ffcdda70 sym+0x0 (/l)
   padded  77  4.500000:     1003009  ffffffff8158e3e1 next_folio ([kernel.kallsyms])
K 12 K 5.000000: cycles: 
perf-exec     0     0.000000: PERF_RECORD_COMM: perf-exec:30439/30439
sh 30439 12354.708925: PERF_RECORD_FORK(30441:30442):(30439:30439)
func ab 15294 cpu-clock: 
          400570 func_b (/root/func_ab)
  func_ab.c:41
    7f10b9594ec5
E
printf 'prog 7/7 [001] 1.000001:       1 cpu-clock: \n\t    401234 f (/bin/prog)\n# note : x\n' >note
check 'a comment after a sample that is not selected' 0 'trace2ndjson -k meta note' <<'E'
{"kind":"meta","name":"note","args":{"value":"x"}}
E

check 'all parts of headers and frames are read' 0 'trace2ndjson script' <<'E'
{"kind":"meta","name":"captured on","args":{"value":"Thu Jul  7 20:48:39 2016"}}
{"kind":"meta","name":"cmdline","args":{"value":"/usr/bin/perf record -a"}}
{"kind":"meta","name":"HEADER_CPU_TOPOLOGY info available, use -I to display"}
{"ts":1000001000,"dur":1003009,"kind":"sample","name":"foo(int, char const*)","pid":7,"tid":1234,"comm":"V8 Worker  Thr","cpu":3,"event":"cpu-clock:u","period":1003009,"dso":"a b (x).so","stack":["(anonymous namespace)::f(int)","x","x","[[kernel.kallsyms]]","jit_kernel","real_outer","real_inlined","outer","inner","innermost","std::operator-><int>(x)","foo(int, char const*)"],"marks":".kkkj.ijii..","args":{"ip":["0x400576","0x400575","0x400574","0x400573","0x400572","0x400571","0x400571","0x400570","0x400570","0x400570","0x7f0002","0x7f0001"],"offset":["","","","","","0x5","","","","","0x2","0x1f"],"dso":["/opt/app","/lib/modules/6.1/kernel/net/foo.ko.xz","[nf_conntrack]","[kernel.kallsyms]","[JIT] tid 7","/opt/app","/opt/app","/tmp/perf-7.map","/tmp/perf-7.map","/tmp/perf-7.map","/tmp/x (deleted)","/usr/lib/a b (x).so"]}}
{"ts":2000001000,"kind":"sample","name":"a","tid":10314749,"comm":"t 99076","event":"cycles","dso":"b","stack":["a"],"args":{"ip":["0xff"],"dso":["/b"]}}
{"ts":3000000001,"kind":"sample","name":"[libx.so]","tid":-1,"comm":":-1","event":"sched:sched_switch","period":1,"dso":"libx.so","stack":["[unknown]","[libx.so]"],"args":{"ip":["0x0","0xff"],"dso":["[unknown]","/b/libx.so"],"text":"prev_comm=a prev_pid=5 ==> next_comm=b 5.123456: x"}}
{"ts":4000000000,"kind":"sample","name":"sym","tid":77,"comm":"padded","event":"cycles","period":5,"dso":"l","stack":["sym"],"args":{"ip":["0x7f55ffcdda70"],"offset":["0x0"],"dso":["/l"]}}
{"ts":4500000000,"kind":"sample","name":"next_folio","tid":77,"comm":"padded","period":1003009,"dso":"[kernel.kallsyms]","stack":["next_folio"],"marks":"k","args":{"ip":["0xffffffff8158e3e1"],"dso":["[kernel.kallsyms]"]}}
{"ts":5000000000,"kind":"sample","tid":12,"comm":"K","event":"cycles","args":{"misc":"K"}}
{"ts":0,"kind":"meta","name":"PERF_RECORD_COMM","tid":0,"comm":"perf-exec","args":{"text":"perf-exec:30439/30439"}}
{"ts":12354708925000,"kind":"other","name":"PERF_RECORD_FORK","tid":30439,"comm":"sh","args":{"text":"(30441:30442):(30439:30439)"}}
{"kind":"sample","name":"func_b","tid":15294,"comm":"func ab","event":"cpu-clock","dso":"func_ab","stack":["[unknown]","func_b"],"args":{"ip":["0x7f10b9594ec5","0x400570"],"dso":["","/root/func_ab"],"srcline":["","func_ab.c:41"]}}
E
check 'ndjson2folded replaces spaces in comm' 0 \
	'trace2ndjson script | ndjson2folded --perf --root comm,pid,tid 2>/dev/null' <<'E'
V8_Worker__Thr-7/1234;x;x;[[kernel.kallsyms]];jit_kernel;real_outer;real_inlined_[i];outer;inner_[i];innermost_[i];std::operator-><int>;foo 1003009
padded-?/77;next_folio 1003009
E
check '--no-args leaves out args' 0 'trace2ndjson --no-args script | tail -n 1' <<'E'
{"kind":"sample","name":"func_b","tid":15294,"comm":"func ab","event":"cpu-clock","dso":"func_ab","stack":["[unknown]","func_b"]}
E
check '-k gives the same as filter-calls -k' 0 \
	'for k in sample meta other counter; do trace2ndjson -k $k script >a;
		trace2ndjson script | filter-calls --quiet -k $k |
		cmp a - && wc -l <a; done' <<'E'
7
4
1
0
E
sed 's/$/\r/' script >crlf
sed 's/^	/        /' script >spaces
trace2ndjson script >expected
check 'CRLF, and spaces instead of tabs' 0 \
	'for file in crlf spaces; do trace2ndjson $file | cmp - expected; done' </dev/null
cat script /dev/null | { cat && echo; } >ended
check 'a blank line at the end changes nothing' 0 'trace2ndjson ended | cmp - expected' </dev/null
check 'perf script -F ip,sym,dso: samples without headers' 0 \
	'printf "\n\t ff a (/b)\n\t fe b (/b)\n\n\t ff a (/b)\n" | trace2ndjson -F perf' <<'E'
{"kind":"sample","name":"a","dso":"b","stack":["b","a"],"args":{"ip":["0xfe","0xff"],"dso":["/b","/b"]}}
{"kind":"sample","name":"a","dso":"b","stack":["a"],"args":{"ip":["0xff"],"dso":["/b"]}}
E

cat >flat <<'E'
java 19983 cycles:
ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])
400570 func_b (/root/func_ab)

java 19983 cycles:
400570 func_b (/root/func_ab)

E
check 'frames without indentation are recognised by their content' 0 'trace2ndjson --no-args flat' <<'E'
{"kind":"sample","name":"native_write_msr_safe","tid":19983,"comm":"java","event":"cycles","dso":"[kernel.kallsyms]","stack":["func_b","native_write_msr_safe"],"marks":".k"}
{"kind":"sample","name":"func_b","tid":19983,"comm":"java","event":"cycles","dso":"func_ab","stack":["func_b"]}
E
check 'a log is not recognised as perf script' 1 \
	'printf "copy 12 files:\n12345 files copied (done)\n" | trace2ndjson;
	printf "copy 12 files:\n12 files copied (/tmp)\n" | trace2ndjson' <<'E'
--- stderr
trace2ndjson: stdin: byte 0: unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)
trace2ndjson: stdin: byte 0: unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)
E

# --- damage

{
	printf 'a 1 1.000000: cycles: \n\tff x (/b)\n\nwhat is this\n\tfe y (/b)\n\n'
	printf 'b 2 2.000000: cycles: \n\tzz\n\tff \001"\\\377 (/b)\n\n'
} >damaged
printf 'c 3 99999999999.000000: cycles: \n\nd 4 3.000000: cycles: \n\tff\0 (/b)\n' >>damaged
check 'lines that perf does not write are skipped and reported' 1 'trace2ndjson --no-args damaged' <<'E'
{"ts":1000000000,"kind":"sample","name":"x","tid":1,"comm":"a","event":"cycles","dso":"b","stack":["x"]}
{"ts":2000000000,"kind":"sample","name":"\u0001\"\\�","tid":2,"comm":"b","event":"cycles","dso":"b","stack":["\u0001\"\\�"]}
{"ts":3000000000,"kind":"sample","name":"ff\u0000","tid":4,"comm":"d","event":"cycles","dso":"b","stack":["ff\u0000"]}
--- stderr
trace2ndjson: damaged:4: not a line of perf output; skipped (and 1 more)
trace2ndjson: damaged:5: stack frame without a sample header; skipped
trace2ndjson: damaged:11: ts does not fit in 64 bits; sample skipped
E
check 'lines and samples over --max-record are skipped' 1 \
	'{ echo "a 1 1.000000: cycles: "; printf "\tff %0300d (/b)\n\n" 0; sed -n "/^t 9/,/^$/p" script;
		echo "b 2 1.000000: cycles: "; for i in 1 2 3 4 5; do printf "\tff %050d (/b)\n" 0; done; } |
		trace2ndjson --max-record 200B --no-args' <<'E'
{"ts":1000000000,"kind":"sample","tid":1,"comm":"a","event":"cycles"}
{"ts":2000001000,"kind":"sample","name":"a","tid":10314749,"comm":"t 99076","event":"cycles","dso":"b","stack":["a"]}
--- stderr
trace2ndjson: stdin:7: sample larger than --max-record; skipped
trace2ndjson: stdin:12: stack frame without a sample header; skipped
trace2ndjson: stdin:2: record larger than --max-record; skipped
E
cat >prefixes.py <<'E'
"""Every prefix gives the samples that precede the cut, unchanged. The last sample may be cut short."""
import subprocess, sys
from concurrent.futures import ThreadPoolExecutor
whole = open(sys.argv[1], "rb").read()
want = subprocess.run(["trace2ndjson", "-F", "perf", sys.argv[1]], capture_output=True).stdout.splitlines()
def cut(n):
    p = subprocess.run(["trace2ndjson", "-F", "perf"], input=whole[:n], capture_output=True)
    got = p.stdout.splitlines()
    if p.returncode not in (0, 1) or got[:-1] != want[:max(len(got) - 1, 0)]:
        return n
with ThreadPoolExecutor(4) as pool:
    bad = [n for n in pool.map(cut, range(len(whole))) if n is not None]
print("bad:", bad[:10])
E
slow check 'every prefix of perf script gives its complete samples' 0 'python3 prefixes.py script' <<'E'
bad: []
E

# A sample is written when the blank line after it arrives, before the next sample arrives.
cat >live.py <<'E'
import subprocess, threading
p = subprocess.Popen(["trace2ndjson"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
p.stdin.write(b"a 1 1.000000: cycles: \n\tff x (/b)\n\n")
p.stdin.flush()
timer = threading.Timer(20, p.kill)
timer.start()
print(p.stdout.readline()[:14].decode())
p.stdin.close()
timer.cancel()
E
check 'a sample is written as soon as its blank line arrives' 0 'python3 live.py' <<'E'
{"ts":10000000
E

# --- perf stat

cat >stat.csv <<'E'
# started on Sat Nov 21 04:06:57 2026

31.27,msec,task-clock,31273979,100.00,0.983,CPUs utilized
891,,page-faults,7.97%,31273979,100.00,28.490,K/sec
<not supported>,,cycles,0,100.00,,
<not counted>,,cpu/event=0x3c/u,0,0.00,,
CPU1,108,,context-switches,323995018,75.50,333.337,/sec
     1.102039570,S0-D0-C1,2,3.51,msec,task-clock,3512771,100.00,0.035,CPUs utilized
V8 Worker-2387,5,,faults,10,100.00,,
12,,cycles,/user.slice,10,100.00,,
,,,,,,1.25,insn per cycle
nonsense
E
check 'perf stat -x: all forms of lines become counters' 1 'trace2ndjson stat.csv' <<'E'
{"kind":"meta","name":"started on","args":{"value":"Sat Nov 21 04:06:57 2026"}}
{"kind":"counter","name":"task-clock","value":31.27,"unit":"msec","args":{"run_time":31273979,"pct":100.00,"metric":0.983,"metric_unit":"CPUs utilized"}}
{"kind":"counter","name":"page-faults","value":891,"args":{"variance":7.97,"run_time":31273979,"pct":100.00,"metric":28.490,"metric_unit":"K/sec"}}
{"kind":"counter","name":"cycles","args":{"state":"not supported","run_time":0,"pct":100.00}}
{"kind":"counter","name":"cpu/event=0x3c/u","args":{"state":"not counted","run_time":0,"pct":0.00}}
{"kind":"counter","name":"context-switches","cpu":1,"value":108,"args":{"run_time":323995018,"pct":75.50,"metric":333.337,"metric_unit":"/sec"}}
{"ts":1102039570,"kind":"counter","name":"task-clock","value":3.51,"unit":"msec","args":{"place":"S0-D0-C1","aggregated":2,"run_time":3512771,"pct":100.00,"metric":0.035,"metric_unit":"CPUs utilized"}}
{"kind":"counter","name":"faults","tid":2387,"comm":"V8 Worker","value":5,"args":{"run_time":10,"pct":100.00}}
{"kind":"counter","name":"cycles","value":12,"args":{"cgroup":"/user.slice","run_time":10,"pct":100.00}}
{"kind":"counter","name":"insn per cycle","value":1.25}
--- stderr
trace2ndjson: stat.csv:12: not a line of perf stat output; skipped
E
check 'rows of other tables do not become counters' 1 \
	'printf "%s\n" "5,,mine,96,100.00,," "1,1,\"Agent 1\",1,15606,15606,1048576" "0,1,mine,96,100.00,," "5,,mine,96,0,," |
	trace2ndjson -F perf' <<'E'
{"kind":"counter","name":"mine","value":5,"args":{"run_time":96,"pct":100.00}}
--- stderr
trace2ndjson: stdin:2: not a line of perf stat output; skipped (and 2 more)
E
check 'binary data is not read as a header' 1 \
	'printf "x 5 e\002v:\n\nb 5 ev: \n\tff a (/b)\n" | trace2ndjson -F perf' <<'E'
{"kind":"sample","name":"a","tid":5,"comm":"b","event":"ev","dso":"b","stack":["a"],"args":{"ip":["0xff"],"dso":["/b"]}}
--- stderr
trace2ndjson: stdin:1: not a line of perf output; skipped
E
check 'perf stat -x: other separators' 0 \
	'for s in ";" "|" "\t"; do sed -n "3s/,/$s/gp" stat.csv | trace2ndjson; done | uniq -c' <<'E'
      3 {"kind":"counter","name":"task-clock","value":31.27,"unit":"msec","args":{"run_time":31273979,"pct":100.00,"metric":0.983,"metric_unit":"CPUs utilized"}}
E
cat >stat.json <<'E'
{"interval" : 0.100165283, "cpu" : "1", "counter-value" : "82.000000", "unit" : "", "event" : "page-faults", "variance" : 4.19, "event-runtime" : 100271257, "pcnt-running" : 100.00, "metric-value" : 817.784157, "metric-unit" : "/sec"}
{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : nan, "metric-unit" : ""}
{"socket" : "S0", "aggregate-number" : 2, "counter-value" : "203.4", "unit" : "msec", "event" : "task-clock"}
{"thread" : "bash-77", "counter-value" : "1", "event" : "task-clock"
E
check 'perf stat -j: objects become counters' 1 'trace2ndjson stat.json' <<'E'
{"ts":100165283,"kind":"counter","name":"page-faults","cpu":1,"value":82.000000,"args":{"variance":4.19,"run_time":100271257,"pct":100.00,"metric":817.784157,"metric_unit":"/sec"}}
{"kind":"counter","name":"cycles","args":{"run_time":0,"pct":100.00,"metric_unit":"","state":"not supported"}}
{"kind":"counter","name":"task-clock","value":203.4,"unit":"msec","args":{"place":"S0","aggregated":2}}
--- stderr
trace2ndjson: stat.json:2: NaN, Infinity or N/A; replaced by null
trace2ndjson: stat.json:4: not a JSON record; skipped
E

# --- perf report, perf top

cat >report <<'E'
# Total Lost Samples: 0
#
# Samples: 1K of event 'cpu-clock:ppp'
#
# Children      Self  Command  Shared Object         Symbol                             
# ........  ........  .......  ....................  ...................................
#
    13.25%     0.50%  V8 Work  [unknown]             [.] operator new(unsigned long)
            |
            ---0x1032547698badcfe
     8.51%     0.00%  sort     libc.so.6             [k] x
E
check 'perf report: lines become rows' 0 'trace2ndjson report' <<'E'
{"kind":"meta","name":"Total Lost Samples","args":{"value":"0"}}
{"kind":"meta","name":"Samples","args":{"value":"1K of event 'cpu-clock:ppp'"}}
{"kind":"row","name":"operator new(unsigned long)","children":13.25,"overhead":0.50,"comm":"V8 Work","dso":"[unknown]","event":"cpu-clock:ppp","args":{"mode":"."}}
{"kind":"row","name":"x","children":8.51,"overhead":0.00,"comm":"sort","dso":"libc.so.6","event":"cpu-clock:ppp","args":{"mode":"k"}}
--- stderr
trace2ndjson: report:9: line of a call graph; skipped (perf script prints the stacks) (and 1 more)
E
printf '%s\n' '# Overhead,     Samples,    Pid:Command,Parent "x",Symbol    ' \
	' 57.60% , 12         ,  29484:ge n,7  ,[.] f<a, b>' >separated
check 'perf report -t -n: a separator and the number of samples' 0 'trace2ndjson separated' <<'E'
{"kind":"row","name":"f<a, b>","pid":29484,"overhead":57.60,"samples":12,"comm":"ge n","args":{"Parent \"x\"":7,"mode":"."}}
E
{
	printf '\033[H\033[2J\n   PerfTop:    8084 irqs/sec  kernel:13.0%%\n-----\n\n'
	printf '    10.67%%  [JIT] tid 19950       [.] jit_kernel\n'
} >top
check 'perf top: lines become rows with the number of the frame' 0 'trace2ndjson top' <<'E'
{"kind":"meta","name":"PerfTop","frame":1,"args":{"value":"8084 irqs/sec  kernel:13.0%"}}
{"kind":"row","name":"jit_kernel","overhead":10.67,"dso":"[JIT] tid 19950","frame":1,"args":{"mode":"."}}
E

# --- perf data convert

cat >convert.json <<'E'
{
	"linux-perf-json-version": 1,
	"headers": { "hostname": "v\"m", "cmdline": [ "perf", "record" ] },
	"samples": [
		{ "timestamp": 915510703643, "pid": 7, "tid": 8, "cpu": 1, "comm": "V8 Worker", "callchain": [
			{ "ip": "0x7985cb", "symbol": "a\"b;c", "dso": "libc.so.6" }, { "ip": "0x1" },
			{ "ip": "0xffffffff8160f872", "symbol": "x", "dso": "[kernel.kallsyms]" } ] },
		{ "timestamp": 5, "pid": 1, "tid": 1, "comm": "none", "weight": [1] },
		{ "timestamp": 99999999999999999999, "comm": "late" },
		{ "timestamp": 6, "comm": tru },
		{ "timestamp": 7, "comm": "end", },
	]
}
E
check 'perf data convert --to-json: samples and headers' 1 'trace2ndjson convert.json' <<'E'
{"kind":"meta","name":"hostname","args":{"value":"v\"m"}}
{"kind":"meta","name":"cmdline","args":{"value":["perf","record"]}}
{"ts":915510703643,"kind":"sample","name":"a\"b;c","pid":7,"tid":8,"comm":"V8 Worker","cpu":1,"dso":"libc.so.6","stack":["x","[unknown]","a\"b;c"],"marks":"k..","args":{"ip":["0xffffffff8160f872","0x1","0x7985cb"],"dso":["[kernel.kallsyms]","","libc.so.6"]}}
{"ts":5,"kind":"sample","pid":1,"tid":1,"comm":"none","args":{"weight":[1]}}
{"ts":7,"kind":"sample","comm":"end"}
--- stderr
trace2ndjson: convert.json: byte 452: ts does not fit in 64 bits; sample skipped
trace2ndjson: convert.json: byte 509: not a JSON record; skipped
trace2ndjson: convert.json: byte 544: trailing comma; removed
E
cat >lines.json <<'E'
{ "linux-perf-json-version": 1, "headers": {}, "samples": [
	{ "timestamp": 1, "comm": "c", "brstack": [
		{ "from": "0x1",
		  "to": [ 1, 2 ] }
	], "t\u0069d": 3, "x": {
	} }
] }
E
check 'perf data convert: a value may be on several lines' 0 'trace2ndjson lines.json' <<'E'
{"ts":1,"kind":"sample","tid":3,"comm":"c","args":{"brstack":[{"from":"0x1","to":[1,2]}],"x":{}}}
E
python3 -c 'import json
text = open("convert.json").read().replace(": tru ", ": 1 ").replace(", }", " }").replace(",\n\t]", "]")
print(json.dumps(json.loads(text)))' >compact.json
trace2ndjson convert.json >good 2>/dev/null
check 'perf data convert: the whole file may be one line' 1 \
	'trace2ndjson compact.json 2>/dev/null | grep -v "\"ts\":6," | cmp - good;
		trace2ndjson compact.json >/dev/null 2>&1' </dev/null
sed -n '1,6p' convert.json >cut.json
check 'perf data convert: a file that ends inside a sample' 1 'trace2ndjson -k sample cut.json' <<'E'
--- stderr
trace2ndjson: cut.json: byte 118: file is cut short: the last sample is incomplete
E
check 'perf data convert: a file that ends before the samples' 1 'head -n 3 convert.json | trace2ndjson' <<'E'
{"kind":"meta","name":"hostname","args":{"value":"v\"m"}}
{"kind":"meta","name":"cmdline","args":{"value":["perf","record"]}}
--- stderr
trace2ndjson: stdin: byte 102: array of samples not found; the file may be cut short
E
python3 - <<'P'
for name, stray in ("quote", '"'), ("brace", "{"), ("bracket", "["), ("backslash", '\\"'), ("end", "]"):
    samples = ['\n\t\t{\n\t\t\t"timestamp": %d,\n\t\t\t"comm": "c%d"\n\t\t}' % (i, i) for i in range(5)]
    samples[2] = samples[2].replace('"c2"', '"c2"' + stray)
    open("stray-" + name, "w").write('{\n\t"linux-perf-json-version": 1,\n\t"headers": {\n\t},\n\t"samples": [' +
        ",".join(samples) + "\n\t]\n}\n")
P
check 'an extra quote or bracket loses at most one sample' 0 \
	'for f in stray*; do echo "$f $(trace2ndjson $f 2>/dev/null | sed "s/.*comm//" | tr -dc "c0-9")"; done' <<'E'
stray-backslash c0c1c2c3c4
stray-brace c0c1c3c4
stray-bracket c0c1c3c4
stray-end c0c1c3c4
stray-quote c0c1c3c4
E
sed '$d' convert.json | grep -v -e tru -e late >open.json
check 'perf data convert: a file without its closing brace' 1 'trace2ndjson -k meta open.json >/dev/null' <<'E'
--- stderr
trace2ndjson: open.json: byte 452: trailing comma; removed
trace2ndjson: open.json: byte 491: file is cut short: the object is not closed
E
slow check 'every prefix of perf data convert gives its complete samples' 0 'python3 prefixes.py convert.json' <<'E'
bad: []
E

check 'reading byte by byte gives the same records and messages' 0 \
	'for f in script damaged stat.csv stat.json report separated top convert.json stray-end open.json; do
		trace2ndjson $f >whole 2>whole.said; TRACEFILTERS_READ=1 trace2ndjson $f >bytes 2>bytes.said
		cmp whole bytes; cmp whole.said bytes.said; done; true' </dev/null

# --- recognition

check 'other texts are not recognised as perf' 0 \
	'for line in "step 5 loss: 0.25" "epoch 12/90 [3] done: yes" "[1, 2, 3]" \
	"a,b,c,d,e,f" "2020-01-01 12:00:01 INFO: x" "22%"; do echo "$line" | trace2ndjson 2>&1 |
	grep -c "unknown format\|looks like CSV" | grep -vx 1; done; true' </dev/null
check 'a single header of a sample is not recognised as perf' 0 \
	'for line in 7 9; do head -n $line script | tail -n 1 | trace2ndjson 2>&1 | grep -c "unknown format"; done' <<'E'
1
1
E

# --- real traces

if need_shared data/perf; then
	check 'all members of real samples are as expected' 0 \
		'cd $SHARED/data/perf && perf_script.py perf-script-[!h]*.txt *-stacks-01.txt perf-funcab-pid-01.txt' <<'E'
perf-script-F-pidtid-cpu-period.txt 387 387 0
perf-script-G-nochain.txt 387 387 0
perf-script-g-head4000.txt 744 744 0
perf-script-nochain-default.txt 38 38 0
perf-script-system-wide-g.txt 387 387 0
perf-script-two-events.txt 578 578 0
perf-dd-stacks-01.txt 11 11 0
perf-java-stacks-01.txt 46 46 0
perf-numa-stacks-01.txt 200 200 0
perf-funcab-pid-01.txt 228 228 0
E
	check 'all files have the expected numbers of records' 0 \
		'cd $SHARED/data/perf && for f in *; do
			echo "$f $(trace2ndjson "$f" | groupby -g kind -a count -o tsv | sed 1d | tr "\t\n" "  ")";
		done' <<'E'
perf-convert.json sample 387 meta 14 
perf-dd-stacks-01.txt sample 11 
perf-funcab-pid-01.txt sample 228 meta 15 
perf-java-stacks-01.txt sample 46 meta 15 
perf-numa-stacks-01.txt sample 200 meta 15 
perf-report-stdio-flat.txt row 69 meta 4 
perf-script-F-pidtid-cpu-period.txt sample 387 
perf-script-G-nochain.txt sample 387 
perf-script-g-head4000.txt sample 744 
perf-script-header.txt meta 26 
perf-script-nochain-default.txt sample 38 
perf-script-system-wide-g.txt sample 387 
perf-script-two-events.txt sample 578 
perf-stat-x-interval.csv counter 165 meta 1 
perf-stat-x-percpu.csv counter 4 meta 1 
perf-stat-x-r3.csv counter 2 meta 1 
perf-stat-x.csv counter 6 meta 1 
perf-stat.json counter 2 meta 1 
perf-top-stdio.raw.txt row 60 meta 4 
E
	check 'all cells of convert, stat, report and top are as expected' 0 'perf_cells.py $SHARED/data/perf/' <<'E'
all equal
E
	files_in $READ_FOLDERS $UNREAD_FOLDERS | grep -v /data/perf/ >others
	check 'traces of other programs have no perf lines' 0 \
		'while read -r f; do for unpack in cat "gzip -dcf"; do $unpack "$f" 2>/dev/null | head -c 65536 |
			trace2ndjson -F perf -k sample,counter,row 2>/dev/null | sed "s|^|$f: |" | head -n 1; done; done <others' </dev/null
fi

# --- the folded stacks of FlameGraph

# differing GOLDEN OPTIONS: prints the lines that differ from the golden file. FlameGraph's program loses the last
# sample if no blank line follows it.
differing() {
	golden=$1
	shift
	file=$SHARED/data/perf/${golden%%.*}.txt
	trace2ndjson "$file" | ndjson2folded --perf "$@" 2>/dev/null | diff "$SHARED/golden/perf/$golden" - | grep '^[<>]' |
		sed "s/^/$golden /"
}
goldens() {
	for name in dd-stacks-01 funcab-pid-01 java-stacks-01 numa-stacks-01; do
		differing "perf-$name.collapsed-all.txt" --mark kj
		differing "perf-$name.collapsed-tid.txt" --root comm,pid,tid
	done
	differing perf-script-F-pidtid-cpu-period.tid.folded --root comm,pid,tid
	differing perf-script-g-head4000.folded
	differing perf-script-system-wide-g.all.folded --mark kj
	differing perf-script-two-events.folded
	ls "$SHARED/golden/perf" | wc -l
}
if need_shared golden/perf data/perf; then
	goldens >differences 2>&1
	check 'the 12 folded files are equal, except for the last samples' 0 'cat differences' <<'E'
perf-dd-stacks-01.collapsed-all.txt > dd;[unknown];system_call_[k] 10101010
perf-dd-stacks-01.collapsed-tid.txt > dd-?/29776;[unknown];system_call 10101010
perf-java-stacks-01.collapsed-all.txt > ab;[unknown];[[vdso]]_[k];__epoll_wait_nocancel;system_call_fastpath_[k];sys_epoll_wait_[k];ep_poll_[k];schedule_hrtimeout_range_[k];schedule_hrtimeout_range_clock_[k];schedule_[k];__schedule_[k] 1
perf-java-stacks-01.collapsed-tid.txt > ab-?/23927;[unknown];[[vdso]];__epoll_wait_nocancel;system_call_fastpath;sys_epoll_wait;ep_poll;schedule_hrtimeout_range;schedule_hrtimeout_range_clock;schedule;__schedule 1
perf-numa-stacks-01.collapsed-all.txt < swapper;start_secondary_[k];cpu_startup_entry_[k];arch_cpu_idle_[k];default_idle_[k];native_safe_halt_[k] 72
perf-numa-stacks-01.collapsed-all.txt > swapper;start_secondary_[k];cpu_startup_entry_[k];arch_cpu_idle_[k];default_idle_[k];native_safe_halt_[k] 73
perf-numa-stacks-01.collapsed-tid.txt < swapper-?/0;start_secondary;cpu_startup_entry;arch_cpu_idle;default_idle;native_safe_halt 72
perf-numa-stacks-01.collapsed-tid.txt > swapper-?/0;start_secondary;cpu_startup_entry;arch_cpu_idle;default_idle;native_safe_halt 73
perf-script-g-head4000.folded > gen26;jit_brgemm_kernel_t 1003009
perf-script-two-events.folded < python;[unknown];allocate_from_new_pool 27
perf-script-two-events.folded > python;[unknown];allocate_from_new_pool 28
12
E
fi

# --- perf-top

printf '%s\n' 'a b 1 1.000000: 30 cpu-clock: ' '	f x (/l/libx.so)' '	f y (/bin/a)' '' \
	'a b 2 2.000000: 10 cpu-clock: ' '	f z ([kernel.kallsyms])' '' 'a b 2 3.000000: 1 faults:' '	f z (/bin/a)' >samples
check 'perf-top prints tables by object, symbol and thread for each event' 0 'perf-top samples' <<'E'
cpu-clock by object
dso                count  dur_sum (ns)  dur_share (%)
libx.so                1            30           75.0
[kernel.kallsyms]      1            10           25.0

cpu-clock by symbol
name  dso                count  dur_sum (ns)  dur_share (%)
x     libx.so                1            30           75.0
z     [kernel.kallsyms]      1            10           25.0

cpu-clock by thread
comm  tid  count  dur_sum (ns)  dur_share (%)
a b     1      1            30           75.0
a b     2      1            10           25.0

faults by object
dso  count  period_sum  period_share (%)
a        1           1             100.0

faults by symbol
name  dso  count  period_sum  period_share (%)
z     a        1           1             100.0

faults by thread
comm  tid  count  period_sum  period_share (%)
a b     2      1           1             100.0
E
check 'perf-top -b reads records without periods from standard input' 0 \
	'sed -n "1,7s/: [0-9]* /: /;1,7p" samples | trace2ndjson | perf-top -b object -t 1 -o tsv' <<'E'
dso	count	samples_sum	samples_share
[kernel.kallsyms]	1	1	0.5
E
check 'perf-top exits 1 without samples' 1 'echo "1,,faults,5,100.00,," | perf-top' <<'E'
--- stderr
perf-top: no samples found; run: perf script -i perf.data | perf-top
E
check 'perf-top: exit status for damaged input and wrong usage' 0 \
	'perf-top -b object damaged >/dev/null 2>&1; echo $?; perf-top -b x samples; echo $?; perf-top -z; echo $?;
	perf-top -t; echo $?; perf-top no-such-file; echo $?' <<'E'
1
2
2
2
2
--- stderr
perf-top: -b: 'x': expected object, symbol, thread, process or cpu; try perf-top -h
perf-top: unknown option -z; try perf-top -h
perf-top: option -t needs an argument; try perf-top -h
perf-top: no-such-file: cannot open: No such file or directory
E
# A replacement for perf: "record" prints one line, and "script" prints the file `samples`.
mkdir fake
cat >fake/perf <<'E'
#!/bin/sh
echo "perf $*" >>"$FAKE_LOG"
case $1 in
record) echo data; [ "${FAKE_FAILS-}" = '' ] || exit 255 ;;
script) cat >/dev/null; cat samples ;;
esac
E
chmod +x fake/perf
check 'perf-top --live runs perf record and perf script' 0 \
	'FAKE_LOG=log PATH=$PWD/fake:$PATH perf-top --live -b object -o tsv -- ./train --steps 5; cat log | sort' <<'E'
dso	count	period_share
libx.so	1	0.7317073170731707
[kernel.kallsyms]	1	0.24390243902439024
a	1	0.024390243902439025
perf record -q -F 199 --no-buffering -o - ./train --steps 5
perf script -i - -F comm,pid,tid,time,period,event,ip,sym,dso
E
check 'perf-top --live prints several events separately' 0 '
	for events in "-e cpu-clock,faults" "-e cpu-clock -e faults" "--event=sched:*" "-p 7 --event cpu-clock,faults"; do
		# shellcheck disable=SC2086
		FAKE_LOG=log PATH=$PWD/fake:$PATH perf-top --live -b object -t 2 -o tsv -- $events
	done | sort | uniq -c' <<'E'
      4 cpu-clock	[kernel.kallsyms]	1	10
      4 cpu-clock	libx.so	1	30
      4 event	dso	count	period_sum
E
cat >odd <<'E'
{"kind":"sample","name":"f","dso":"d","event":"r1 > 2 && 3=4"}
{"kind":"sample","name":"f","dso":"d","event":"7"}
E
check 'perf-top: events may have any name' 0 'sed "s/}/,\"samples\":1}/" odd | perf-top -b object' <<'E'
7 by object
dso  count  samples_sum  samples_share (%)
d        1            1              100.0

r1 > 2 && 3=4 by object
dso  count  samples_sum  samples_share (%)
d        1            1              100.0
E
sed "s/: [0-9]* /: /" samples >unweighted
cat >hostile <<'E'
{"kind":"sample","name":"f","event":"it's;touch x"}
{"kind":"sample"}
E
slow check 'trace-report prints the samples of each event, the most frequent event first' 0 '
	trace-report -o ndjson samples >model; report_commands.py model
	filter-calls -w "kind==report/row" -w "section =~ ^samples" model |
		ndjson2table -f section,name,dso,count,dur_share,period_sum
	filter-calls -w "id =~ ^samples" model | ndjson2table -o raw -f title
	for i in 1 2 3; do sed -n 5,7p unweighted; done | cat unweighted - | trace-report -t 1 - | sed -n "/^Symbol/,/^$/p"
	trace-report hostile | grep "^f"; ls x 2>/dev/null || :' <<'E'
3
section    name  dso                count  dur_share  period_sum
samples-1  x     libx.so                1       0.75
samples-1  z     [kernel.kallsyms]      1       0.25
samples-2  z     a                      1                      1
Samples of cpu-clock
Samples of faults
Symbol                                              Object               Samples
z                                                   [kernel.kallsyms]          4
1 other                                                                        1

Symbol                                                        Object     Samples
z                                                             a                1

f                                                                              1
E
check 'perf-top --live exits 2 when perf fails' 2 \
	'FAKE_FAILS=1 FAKE_LOG=log PATH=$PWD/fake:$PATH perf-top --live -o tsv -t 1' <<'E'
name	dso	count	period_share
x	libx.so	1	0.7317073170731707
E
printf 'PERFILE2\0\0' >perf.data
check 'perf-top reads a perf.data file with perf script' 0 \
	'FAKE_LOG=log PATH=$PWD/fake:$PATH perf-top -b process -o tsv perf.data </dev/null | head -n 2' <<'E'
comm	count	dur_sum	dur_share
a b	2	40	1
E
finish
