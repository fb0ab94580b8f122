#!/bin/sh
# dvdt.t: OpenCL calls of dvdt-prof in all their forms. For real traces, the expected records are in golden files, or
# Python computes them from the trace. The small traces were written by hand. Their records were also written by hand,
# from the contract.
. "${0%/*}/../lib.sh"

cp "$DATA"/tiny.dvdt.* "$DATA/tiny.ckp.json" .

mkdir bin
PATH=$PWD/bin:$PATH
# fields OPERAND...: prints the records without args.
cat >bin/fields <<'E'
#!/bin/sh
{ trace2ndjson "$@"; echo $? >status; } | sed 's/,"args".*/}/'
exit "$(cat status)"
E
# one TIMESTAMP PROFILING: prints a bare array of one enqueue.
cat >bin/one <<'E'
#!/bin/sh
printf '[{"call":"clEnqueueNDRangeKernel","name":"k","timestamp":%s,"profiling":%s}]' "$@"
E
chmod +x bin/*

# --- small traces

check 'blocks in program output: marks inside lines, an empty block, exponents, failed calls' 0 \
	'trace2ndjson tiny.dvdt.out' <<'END'
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0,"args":{"call":"clCreateCommandQueue","properties":0,"errcode_ret":"0","timestamp":{"start":"2026-11-21T04:39:07.405207","end":"2026-11-21T04:39:07.405252"},"errcode":-1,"queue":"0x55d0"}}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1,"args":{"call":"clCreateProgramWithSource","count":1,"source":{"0":"kernel void k(int n){ /* \"n\" */ }\n"},"timestamp":{"start":"2026-11-21T04:39:07.405300","end":"2026-11-21T04:39:07.405310"},"errcode":0,"program":"0x55e0"}}
{"ts":1795235947405400000,"dur":1000,"kind":"api","name":"clSetKernelArg","corr":2,"args":{"call":"clSetKernelArg","kernel":"0x55f0","arg_index":0,"arg_size":4,"arg_value_ptr":"0x7ffc","arg_value":"18000000","timestamp":{"start":"2026-11-21T04:39:07.405400","end":"2026-11-21T04:39:07.405401"},"errcode":0}}
{"ts":1795235947406000000,"dur":109000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":3,"args":{"call":"clEnqueueNDRangeKernel","name":"XgemmDirectNN","queue":"0x55d0","kernel":"0x55f0","gwo":[0,0,0],"gws":[8,16,1],"lws":[8,8,1],"event_wait_list":[],"event":"0","timestamp":{"start":"2026-11-21T04:39:07.406000","end":"2026-11-21T04:39:07.406109"},"profiling":{"queued":1000,"submit":1740,"start":71802,"end":98125},"errcode":0}}
{"ts":1795235947406070802,"dur":26323,"kind":"kernel","name":"XgemmDirectNN","corr":3,"args":{"kernel":"0x55f0","queued":1000,"submit":1740,"start":71802,"end":98125,"p3_p0":97125,"p3_p2":26323,"p2_p1":70062,"p1_p0":740,"t1_t0":109000,"lws0":8,"lws1":8,"lws2":1,"gws0":8,"gws1":16,"gws2":1,"gwo0":0,"gwo1":0,"gwo2":0}}
{"ts":1795235947406200000,"dur":30000,"kind":"api","name":"clEnqueueReadBuffer","corr":4,"args":{"call":"clEnqueueReadBuffer","queue":"0x55d0","buffer":"0x5600","blocking":1,"offset":0,"size":4096,"ptr":"0x7ffe","event_wait_list":["0x5610"],"event":"0","timestamp":{"start":"2026-11-21T04:39:07.406200","end":"2026-11-21T04:39:07.406230"},"profiling":{"queued":1e+15,"submit":1000000000000020,"start":1.00000000000012e+15,"end":1000000000000345},"errcode":0}}
{"ts":1795235947406200120,"dur":225,"kind":"memcpy","name":"clEnqueueReadBuffer","corr":4,"bytes":4096,"copy":"d2h","args":{"queued":1000000000000000,"submit":1000000000000020,"start":1000000000000120,"end":1000000000000345,"p3_p0":345,"p3_p2":225,"p2_p1":100,"p1_p0":20,"t1_t0":30000}}
{"ts":1795235947407000000,"dur":3000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":5,"err":-54,"args":{"call":"clEnqueueNDRangeKernel","name":"axpy","queue":"0x55d0","kernel":"0x5620","gwo":[0,0,0],"gws":[64,1,1],"lws":[7,1,1],"event_wait_list":[],"event":"0","timestamp":{"start":"2026-11-21T04:39:07.407000","end":"2026-11-21T04:39:07.407003"},"output profiling_error":-58,"profiling":{"queued":0,"submit":140726420838560,"start":140656877982846,"end":1.2797025223490808e+19},"errcode":-54}}
--- stderr
trace2ndjson: tiny.dvdt.out:82: failed enqueue; no device record written
END

check 'calls as lines: source text on several lines, a mark inside a line, a layer' 0 \
	'trace2ndjson tiny.dvdt.lines' <<'END'
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0,"args":{"call":"clCreateCommandQueue","properties":0,"errcode_ret":"0","timestamp":{"start":"2026-11-21T04:39:07.405207","end":"2026-11-21T04:39:07.405252"},"errcode":-1,"queue":"0x55d0"}}
{"ts":1795235947405207000,"dur":53000,"kind":"range","name":"00: data","args":{"direction":"forward","index":0,"label":"00: data","time_ms":0.01,"time_s":0.00001,"timestamp":"1121 04:39:07.405260"}}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1,"args":{"call":"clCreateProgramWithSource","count":1,"source":{"0":"kernel void k(int n){ /* \"n\" */ }\n"},"timestamp":{"start":"2026-11-21T04:39:07.405300","end":"2026-11-21T04:39:07.405310"},"errcode":0,"program":"0x55e0"}}
{"ts":1795235947405400000,"dur":1000,"kind":"api","name":"clSetKernelArg","corr":2,"args":{"call":"clSetKernelArg","kernel":"0x55f0","arg_index":0,"arg_size":4,"arg_value_ptr":"0x7ffc","arg_value":"18000000","timestamp":{"start":"2026-11-21T04:39:07.405400","end":"2026-11-21T04:39:07.405401"},"errcode":0}}
{"ts":1795235947406000000,"dur":109000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":3,"args":{"call":"clEnqueueNDRangeKernel","name":"XgemmDirectNN","queue":"0x55d0","kernel":"0x55f0","gwo":[0,0,0],"gws":[8,16,1],"lws":[8,8,1],"event_wait_list":[],"event":"0","timestamp":{"start":"2026-11-21T04:39:07.406000","end":"2026-11-21T04:39:07.406109"},"profiling":{"queued":1000,"submit":1740,"start":71802,"end":98125},"errcode":0}}
{"ts":1795235947406070802,"dur":26323,"kind":"kernel","name":"XgemmDirectNN","corr":3,"args":{"kernel":"0x55f0","queued":1000,"submit":1740,"start":71802,"end":98125,"p3_p0":97125,"p3_p2":26323,"p2_p1":70062,"p1_p0":740,"t1_t0":109000,"lws0":8,"lws1":8,"lws2":1,"gws0":8,"gws1":16,"gws2":1,"gwo0":0,"gwo1":0,"gwo2":0}}
{"ts":1795235947407000000,"dur":3000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"err":-54,"args":{"call":"clEnqueueNDRangeKernel","name":"axpy","event_wait_list":["0x5610","0x5611"],"timestamp":{"start":"2026-11-21T04:39:07.407000","end":"2026-11-21T04:39:07.407003"},"output profiling_error":-58,"profiling":{"queued":139657887466622,"submit":2776917887140811264,"start":140724767090632,"end":139657887978889},"errcode":-54}}
--- stderr
trace2ndjson: tiny.dvdt.lines:46: failed enqueue; no device record written
END

check 'an experiment point: repetitions, a failed repetition, layers without a time' 0 \
	'fields tiny.ckp.json; trace2ndjson -k meta tiny.ckp.json' <<'END'
{"ts":1795236042943878000,"dur":37000,"kind":"api","name":"clSetKernelArg","corr":0,"repetition":0}
{"ts":1795236042944000000,"dur":109000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":1,"repetition":0}
{"ts":1795236042944070802,"dur":26323,"kind":"kernel","name":"XgemmDirectNN","corr":1,"repetition":0}
{"ts":1795236042943878000,"dur":300000,"kind":"range","name":"00: conv1","repetition":0}
{"dur":250000,"kind":"range","name":"00: conv1","repetition":2}
{"kind":"meta","name":"choices"}
{"kind":"meta","name":"features"}
{"kind":"meta","name":"ck_repetition","repetition":0}
{"kind":"meta","name":"ck_repetition","repetition":2}
{"kind":"meta","name":"choices","args":{"data_uoa":"caffe","dvdt_prof":"yes"}}
{"kind":"meta","name":"features","args":{"statistical_repetitions":3}}
{"kind":"meta","name":"ck_repetition","repetition":0,"args":{"program":"caffe","run_success":"yes","time_fw_ms":0.31,"calls":2,"layers":1}}
{"kind":"meta","name":"ck_repetition","repetition":2,"args":{"program":"caffe","run_success":"yes","calls":0,"layers":1}}
--- stderr
trace2ndjson: tiny.ckp.json: byte 1651: failed repetition; skipped
trace2ndjson: tiny.ckp.json: byte 1651: failed repetition; skipped
END

# --- layers in a log

cat >want <<'END'
{"ts":1795235947405207000,"dur":693000,"kind":"range","name":"00: conv1"}
{"ts":1795235947405900000,"dur":250000,"kind":"range","name":"01: fc2"}
{"ts":1795235947406150000,"dur":150000,"kind":"range","name":"01: fc2"}
END
check 'layers begin at the first call; the log in local time is after, before or apart from the calls' 0 '
	fields -k range --tz-offset=+0200 tiny.dvdt.out tiny.dvdt.log | cmp - want
	cat tiny.dvdt.out tiny.dvdt.log | fields -k range --tz-offset=2:00 | cmp - want
	cat tiny.dvdt.log tiny.dvdt.out | fields -k range --tz-offset=+2 | cmp - want' <<'END'
--- stderr
trace2ndjson: tiny.dvdt.out:82: failed enqueue; no device record written
trace2ndjson: stdin:82: failed enqueue; no device record written
trace2ndjson: stdin:87: failed enqueue; no device record written
END
check 'a log without calls: the first layer has its logged duration; without a year layers have no ts' 0 '
	fields --year 2024 tiny.dvdt.log; trace2ndjson --no-args tiny.dvdt.log' <<'END'
{"ts":1732171147405207000,"dur":693000,"kind":"range","name":"00: conv1"}
{"ts":1732171147405900000,"dur":250000,"kind":"range","name":"01: fc2"}
{"ts":1732171147406150000,"dur":150000,"kind":"range","name":"01: fc2"}
{"dur":693000,"kind":"range","name":"00: conv1"}
{"dur":250000,"kind":"range","name":"01: fc2"}
{"dur":150000,"kind":"range","name":"01: fc2"}
--- stderr
trace2ndjson: tiny.dvdt.log:2: layer without ts: the dates of the log have no year; set it with --year (and 2 more)
END
check 'a wrong --tz-offset is reported' 0 '
	fields -k range --tz-offset=+3 tiny.dvdt.out tiny.dvdt.log | head -n 1' <<'END'
{"ts":1795232347405207000,"dur":693000,"kind":"range","name":"00: conv1"}
--- stderr
trace2ndjson: tiny.dvdt.out:82: failed enqueue; no device record written
trace2ndjson: tiny.dvdt.log:2: layer ends before the first call; check --tz-offset
END
check 'the year increases between December and January' 0 \
	'printf "%s\n" "I1231 23:59:59.000000 1 c.cpp:4] a	forward: 1 ms." \
		"I0101 00:00:01.000000 1 c.cpp:4] b	forward: 2 ms." |
	fields --year 2023' <<'END'
{"ts":1704067198999000000,"dur":1000000,"kind":"range","name":"00: a"}
{"ts":1704067199000000000,"dur":2000000000,"kind":"range","name":"01: b"}
END

# --- times and numbers

check 'times without a fraction, with milliseconds, the constant of some builds, no times' 0 '
	one "{\"start\":\"2026-11-21T04:39:07\",\"end\":\"2026-11-21T04:39:07.5\"}" \
		"{\"queued\":1,\"submit\":2,\"start\":3,\"end\":5}" |
	fields
	one "{\"start\":\"1970-01-01 00:00:00.000\",\"end\":\"1970-01-01 00:00:00.000\"}" \
		"{\"queued\":1,\"submit\":2,\"start\":3,\"end\":5}" |
	fields
	printf "%s" "[{\"call\":\"clEnqueueNDRangeKernel\",\"name\":\"k\"," \
			"\"profiling\":{\"queued\":1,\"submit\":2,\"start\":3,\"end\":5}}]" |
	trace2ndjson -k kernel' <<'END'
{"ts":1795235947000000000,"dur":500000000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
{"ts":1795235947000000002,"dur":2,"kind":"kernel","name":"k","corr":0}
{"ts":0,"dur":0,"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
{"ts":2,"dur":2,"kind":"kernel","name":"k","corr":0}
{"dur":2,"kind":"kernel","name":"k","corr":0,"args":{"queued":1,"submit":2,"start":3,"end":5,"p3_p0":4,"p3_p2":2,"p2_p1":1,"p1_p0":1}}
--- stderr
trace2ndjson: stdin: byte 1: call with the time 1970-01-01, which some builds of dvdt-prof write for all calls
END
check 'a call with invalid or missing device times has no device record' 1 '
	for p in "{\"queued\":0,\"submit\":1,\"start\":2,\"end\":1.3e+19}" "{\"queued\":0,\"submit\":1}" \
		"{\"queued\":-9e18,\"submit\":1,\"start\":2,\"end\":9e18}"; do
		one "{\"start\":\"2026-11-21T04:39:07\",\"end\":\"2026-11-21T04:39:07\"}" "$p" | fields || status=1; done;
	exit $status' <<'END'
{"ts":1795235947000000000,"dur":0,"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
{"ts":1795235947000000000,"dur":0,"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
{"ts":1795235947000000000,"dur":0,"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
--- stderr
trace2ndjson: stdin: byte 1: device times are invalid or do not fit in 64 bits; no device record written
trace2ndjson: stdin: byte 1: device times are invalid or do not fit in 64 bits; no device record written
trace2ndjson: stdin: byte 1: device times are invalid or do not fit in 64 bits; no device record written
END
check 'invalid times are reported' 0 '
	for t in 2026-13-21T04:39:07 2026-11-21T24:39:07 2026-11-21T04:39:07. 2026-11-21T04:39:07.x \
		2026-11-21X04:39:07 2026-11-21T04:39:07Z "" 9999-11-21T04:39:07; do
		one "{\"start\":\"$t\",\"end\":\"$t\"}" "{\"queued\":1,\"submit\":2,\"start\":3,\"end\":5}" |
	trace2ndjson -k api --no-args 2>err
		echo $? "$(cut -d : -f 4 err)"; done | sort | uniq -c | sed "s/^ *//"' <<'END'
8 1  invalid timestamp; call written without ts
8 {"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
END

# --- options

check '--drop-source in blocks and lines' 0 'trace2ndjson --drop-source tiny.dvdt.out 2>/dev/null | sed -n 2p
	trace2ndjson --drop-source tiny.dvdt.lines 2>/dev/null | sed -n 3p' <<'END'
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1,"args":{"call":"clCreateProgramWithSource","count":1,"timestamp":{"start":"2026-11-21T04:39:07.405300","end":"2026-11-21T04:39:07.405310"},"errcode":0,"program":"0x55e0"}}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1,"args":{"call":"clCreateProgramWithSource","count":1,"timestamp":{"start":"2026-11-21T04:39:07.405300","end":"2026-11-21T04:39:07.405310"},"errcode":0,"program":"0x55e0"}}
END
check '-k and --no-args give the same as filter-calls -k and removing args' 0 'for k in api kernel memcpy range meta; do
	for f in tiny.dvdt.out tiny.dvdt.lines tiny.ckp.json; do
		trace2ndjson -k $k $f 2>/dev/null >a
		trace2ndjson $f 2>/dev/null | filter-calls --quiet -k $k | cmp - a || echo "$k $f"
		trace2ndjson -k $k --no-args $f 2>/dev/null >b; sed "s/,\"args\".*/}/" a | cmp - b || echo "$k $f no args"
	done; done' </dev/null

# --- damage

check 'the calls after a block that is not closed are read' 1 '
	{ head -c 1500 tiny.dvdt.out; printf "\n[dv/dt] >>\n"; cat tiny.dvdt.out; } >x
	{ sed -n 1,27p tiny.dvdt.out; printf "\t}, "; cat tiny.dvdt.lines; } >y
	{ head -c 900 tiny.dvdt.out; cat tiny.dvdt.out; } >z
	for f in x y z; do fields -k api $f | sed "s/.*\"corr\":\([0-9]*\).*/\1/" | paste -sd " "; done;
	exit "$(cat status)"' <<'END'
0 1 2 3 4 5 6 7 8 9
0 1 2 3 4 5 6
0 1 2 3 4 5 6 7 8
--- stderr
trace2ndjson: x:61: block of calls ends before its array is closed
trace2ndjson: x:155: failed enqueue; no device record written
trace2ndjson: y:28: block of calls ends before its array is closed
trace2ndjson: y:73: failed enqueue; no device record written
trace2ndjson: z:40: block of calls ends before its array is closed
trace2ndjson: z:124: failed enqueue; no device record written
END

# Damages one call of an array: the other calls become records, with their ordinals (corr) unchanged.
damaged() { # damaged SED-SCRIPT ORDINALS MESSAGE
	check "a damaged call is skipped: $1" 1 \
		"sed '$1' tiny.dvdt.out >x; fields -k api x 2>err | sed 's/.*\"corr\":\([0-9]*\).*/\1/' | tr '\n' ' '
		sed -n '1s/.*[0-9]: //p' err; exit \$(cat status)" <<END
$2 $3
END
}
damaged 's/"call":	"clSetKernelArg"/"call":	clSetKernelArg"/' '0 1 3 4 5' 'call is not valid JSON; skipped'
damaged 's/"kernel":	"0x55f0",/"kernel":	"0x55f0,/' '0 1 4 5' 'call is not valid JSON; skipped (and 1 more)'
damaged 's/"arg_index":	0,/"arg_index"	0,/' '0 1 3 4 5' 'call is not valid JSON; skipped'
damaged 's/"start":	"2026-11-21T04:39:07.405400"/"2026"/' '0 1 3 4 5' 'call is not valid JSON; skipped'
damaged 's/"call":	"clSetKernelArg"/"coll":	"clSetKernelArg"/' '0 1 3 4 5' 'array element is not a call; skipped'
damaged 's/"call":	"clSetKernelArg"/"call":	7/' '0 1 3 4 5' 'array element is not a call; skipped'
damaged '/"arg_index"/i\		progress 50%' '0 1 3 4 5' 'call is not valid JSON; skipped'
damaged '30,31s/},/],/; s/"arg_size":	4,/"arg_size":	[,/' '0 1 3 4 5' 'call is not valid JSON; skipped'
check 'an extra closing bracket is skipped' 1 'echo "[{\"call\":\"clA\"}},{\"call\":\"clB\"}]" | trace2ndjson' <<'END'
{"kind":"api","name":"clA","corr":0,"args":{"call":"clA"}}
{"kind":"api","name":"clB","corr":1,"args":{"call":"clB"}}
--- stderr
trace2ndjson: stdin: byte 15: extra closing bracket; skipped
END
check 'a trailing comma and a control character are repaired' 0 \
	'sed "39s/0\$/0,/; s/\"XgemmDirectNN\"/\"Xgemm	DirectNN\"/" tiny.dvdt.out |
	trace2ndjson 2>&1 >x | sort; trace2ndjson x | wc -l' <<'END'
trace2ndjson: stdin:28: trailing comma; removed
trace2ndjson: stdin:40: unescaped control character in a string; escaped
trace2ndjson: stdin:82: failed enqueue; no device record written
8
END

check 'lines without the start of their call and calls without their end are skipped' 1 '
	sed "/^\[dv.dt\] clEnqueueNDRangeKernel$/d" tiny.dvdt.lines | fields -k api
	sed "/errcode 0/d" tiny.dvdt.lines | fields -k api,kernel' <<'END'
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1}
{"ts":1795235947405400000,"dur":1000,"kind":"api","name":"clSetKernelArg","corr":2}
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0}
{"ts":1795235947407000000,"dur":3000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"err":-54}
--- stderr
trace2ndjson: stdin:32: line continues a call, but the first line of that call is missing; skipped (and 18 more)
trace2ndjson: stdin:11: record cut short; skipped (and 2 more)
trace2ndjson: stdin:43: failed enqueue; no device record written
END

trace2ndjson tiny.dvdt.out >byblock 2>/dev/null
fields tiny.dvdt.lines >bylines 2>/dev/null
check 'CRLF, invalid UTF-8 and NUL bytes' 0 'sed "s/$/\r/" tiny.dvdt.lines | fields 2>/dev/null | cmp - bylines
	sed "s/$/\r/" tiny.dvdt.out | trace2ndjson 2>/dev/null | cmp - byblock
	sed "s/axpy/a\xff\x00y/" tiny.dvdt.lines | trace2ndjson -k api | tail -n 1 | grep -Eo "\"name\":\"a[^\"]*\""
	sed "s/axpy/a\xff\x00y/" tiny.dvdt.out | trace2ndjson -k api | tail -n 1 | grep -Eo "\"name\":\"a[^\"]*\""' <<'END'
"name":"a�\u0000y"
"name":"a�\u0000y"
--- stderr
trace2ndjson: stdin:47: invalid UTF-8; replaced by U+FFFD
trace2ndjson: stdin:46: failed enqueue; no device record written
trace2ndjson: stdin:82: invalid UTF-8; replaced by U+FFFD
trace2ndjson: stdin:82: NUL byte; removed or escaped
trace2ndjson: stdin:82: failed enqueue; no device record written
END
check 'an empty capture, output without calls and a point without calls are reported' 1 '
	printf "hello\n[dv/dt] <<\n[]\n[dv/dt] >>\n" | trace2ndjson; echo $?
	echo "[]" | trace2ndjson -F dvdt; echo $?
	echo hello | trace2ndjson -F dvdt; echo $?
	echo "{\"characteristics_list\":[{\"run\":{\"run_success\":\"yes\"}}]}" >x; trace2ndjson x' <<'END'
0
0
1
{"kind":"meta","name":"ck_repetition","repetition":0,"args":{"run_success":"yes","calls":0,"layers":0}}
--- stderr
trace2ndjson: stdin: byte 0: the capture is empty: no OpenCL calls
trace2ndjson: stdin: byte 0: the capture is empty: no OpenCL calls
trace2ndjson: stdin: byte 0: no OpenCL calls: neither a dvdt-prof block nor a dvdt-prof line; did the program crash?
trace2ndjson: x: byte 0: experiment point without OpenCL calls (no member dvdt_prof)
END
check 'the records of a point that precede invalid JSON are written' 1 '
	sed "s/\"run_success\": \"yes\"/\"run_success\": yes/" tiny.ckp.json | fields' <<'END'
{"ts":1795236042943878000,"dur":37000,"kind":"api","name":"clSetKernelArg","corr":0,"repetition":0}
{"ts":1795236042944000000,"dur":109000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":1,"repetition":0}
{"ts":1795236042944070802,"dur":26323,"kind":"kernel","name":"XgemmDirectNN","corr":1,"repetition":0}
{"ts":1795236042943878000,"dur":300000,"kind":"range","name":"00: conv1","repetition":0}
--- stderr
trace2ndjson: stdin: byte 1476: not valid JSON; rest of the file skipped
END
check '--max-record: calls in arrays and lines; it does not apply to lines of the program' 1 '
	fields --max-record 400 -k api tiny.dvdt.out; fields --max-record 100 -k api tiny.dvdt.lines
	{ head -c 5000 /dev/zero | tr "\0" x; printf "[dv/dt] <<\n[]\n[dv/dt] >>\n"; } | fields -F dvdt --max-record 1000
	sed "s/XgemmDirectNN/$(head -c 900 /dev/zero | tr "\0" x)/" tiny.dvdt.lines | fields --max-record 500 -k api' <<'END'
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1}
{"ts":1795235947405400000,"dur":1000,"kind":"api","name":"clSetKernelArg","corr":2}
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1}
{"ts":1795235947405207000,"dur":45000,"kind":"api","name":"clCreateCommandQueue","corr":0}
{"ts":1795235947405300000,"dur":10000,"kind":"api","name":"clCreateProgramWithSource","corr":1}
{"ts":1795235947405400000,"dur":1000,"kind":"api","name":"clSetKernelArg","corr":2}
{"ts":1795235947407000000,"dur":3000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"err":-54}
--- stderr
trace2ndjson: tiny.dvdt.out: byte 826: record larger than --max-record; skipped (and 2 more)
trace2ndjson: tiny.dvdt.lines:22: record larger than --max-record; skipped (and 2 more)
trace2ndjson: stdin: byte 0: the capture is empty: no OpenCL calls
trace2ndjson: stdin:32: record larger than --max-record; skipped
trace2ndjson: stdin:46: failed enqueue; no device record written
END
check 'several arrays are read, and text after them is skipped' 1 \
	'one null null >array; { cat array; echo; cat array; echo hello; } | fields' <<'END'
{"kind":"api","name":"clEnqueueNDRangeKernel","corr":0}
{"kind":"api","name":"clEnqueueNDRangeKernel","corr":1}
--- stderr
trace2ndjson: stdin: byte 1: enqueue without profiling times; no device record written (and 1 more)
trace2ndjson: stdin: byte 161: text after the array of calls; skipped
END

# --- files cut at every byte

if have python3; then
	slow check 'prefixes of a file with blocks give their complete calls' 0 \
		'dvdt_prefixes.py block tiny.dvdt.out' <<'END'
6 calls
END
	slow check 'prefixes of a file with lines give their complete calls' 0 \
		'dvdt_prefixes.py lines tiny.dvdt.lines' <<'END'
5 calls
END
	slow check 'prefixes of an experiment point give their complete calls' 0 \
		'dvdt_prefixes.py point tiny.ckp.json' <<'END'
2 calls
END
fi

# --- real traces

if have python3 && need_shared golden/dvdt data/dvdt; then
	data=$SHARED/data/dvdt golden=$SHARED/golden/dvdt
	export data golden
	for pair in small_cjson.out:small.calls.ndjson.gz:181 cover_cjson.out:cover.calls.ndjson:43 \
		odd/failed_enqueue_cjson.out:failed_enqueue.calls.ndjson:44 small_ostream.out:small_ostream.calls.ndjson.gz:181 \
		cover_ostream.out:cover_ostream.calls.ndjson:43 odd/crash_ostream.out:crash_ostream.calls.ndjson:43 \
		odd/failed_enqueue_ostream.out:failed_enqueue_ostream.calls.ndjson:44; do
		rest=${pair#*:} n=${pair##*:}
		check "the calls of ${pair%%:*} match the golden file" 0 \
			"trace2ndjson $data/${pair%%:*} 2>/dev/null | dvdt_golden.py calls $golden/${rest%:*}" <<END
$n of $n calls, $n given
END
	done
	for pair in small_cjson.out:small:12 cover_cjson.out:cover0:10 \
		mali_armcl_tmp-dvdt-prof.json:mali:100 fw_r0_cjson.out:fw:25; do
		rest=${pair#*:} n=${pair##*:}
		check "the enqueues of ${pair%%:*} match the golden file" 0 \
			"trace2ndjson $data/${pair%%:*} | dvdt_golden.py enqueues $golden/${rest%:*}.enqueues_ns.csv" <<END
$n of $n enqueues, $n given
END
	done
	check 'the layers of logs and of an experiment point match the golden files' 0 '
		trace2ndjson $data/small_cjson.out $data/small_cjson.err | dvdt_golden.py layers $golden/small.layers.csv
		cat $data/fw_r0_cjson.err $data/fw_r0_cjson.out | trace2ndjson | dvdt_golden.py layers $golden/fw.layers.csv
		cat $data/fw_r0_cjson.out $data/fw_per_layer_info.json >both;
		trace2ndjson $data/fw_r0_cjson.out $data/fw_per_layer_info.json |
			dvdt_golden.py layers $golden/fw.layers.csv
		trace2ndjson $data/ckp-*.json | filter-calls -w "repetition == 0" |
		dvdt_golden.py layers $golden/fw.layers.csv' <<'END'
181 of 181 calls in 6 layers, 5 joints
315 of 315 calls in 9 layers, 8 joints
315 of 315 calls in 9 layers, 8 joints
315 of 315 calls in 9 layers, 8 joints
END
	check 'an experiment point matches its results, and its repetition 0 the separate trace' 0 '
		trace2ndjson $data/ckp-*.json | dvdt_golden.py results $golden/fw.results.csv
		trace2ndjson -k api,kernel,memcpy $data/fw_r0_cjson.out | jq -cS . >a
		trace2ndjson -k api,kernel,memcpy $data/ckp-*.json | filter-calls -w "repetition == 0" | jq -cS "del(.repetition)" |
		cmp - a && wc -l <a' <<'END'
3 of 3 repetitions, 3 given
340
END
	check 'the other traces have the expected numbers of calls, enqueues and kernels' 0 '
		for f in mali_armcl_tmp-dvdt-prof.json odd/multiblock_cjson.out odd/tz_minus2_cjson.out; do
			trace2ndjson $data/$f | jq -r "[.kind, .name] | @tsv" >x
			echo $(grep -c "^api" x) $(grep -c "^kernel" x) $(grep "^kernel" x | sort -u | wc -l)
		done' <<'END'
2736 100 12
351 18 4
67 3 3
END
	check 'blocks and lines give the same calls, except pointers and times' 0 '
		for f in cover_cjson.out cover_ostream.out; do
			trace2ndjson --drop-source -k api,kernel,memcpy $data/$f |
				jq -cS "del(.ts, .dur) | walk(if type == \"string\" and test(\"^0x|^20\") then \"\" else . end) |
					if .args.arg_size == 8 then del(.args.arg_value) else . end | del(.args.profiling) |
					if .kind == \"api\" then . else .args |= with_entries(select(.key | test(\"ws|gwo\"))) end" >x.$f
		done; diff x.cover_cjson.out x.cover_ostream.out && wc -l <x.cover_cjson.out' <<'END'
53
END
	check '--tz-offset converts the layers of a log to UTC' 0 \
		'fields -k range --tz-offset=-2 $data/odd/tz_minus2_cjson.out $data/odd/tz_minus2_cjson.err' <<'END'
{"ts":1795236140219301000,"dur":35225000,"kind":"range","name":"00: conv1"}
{"ts":1795236140254526000,"dur":232000,"kind":"range","name":"01: fc2"}
{"ts":1795236140254758000,"dur":156000,"kind":"range","name":"02: tt3"}
END
	check 'crashed programs: the calls written before the crash, or a message' 1 '
		trace2ndjson -k api $data/odd/crash_ostream.out | wc -l
		trace2ndjson -F dvdt $data/odd/crash_cjson.out 2>&1 | sed "s/.*: byte/byte/";
		trace2ndjson $data/odd/crash_cjson.out >/dev/null 2>&1' <<'END'
43
byte 0: no OpenCL calls: neither a dvdt-prof block nor a dvdt-prof line; did the program crash?
END
fi

finish
