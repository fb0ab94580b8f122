#!/bin/sh
# arg-attach.t: tests the member kargs of enqueues and kernels on small inputs and, with kernel_args.py, on real traces.
. "${0%/*}/../lib.sh"
have python3 || finish

# --- small inputs

# Prints the kargs of each enqueue and each kernel.
cat >show.py <<'E'
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    if r["kind"] == "kernel" or "Enqueue" in r["name"]:
        kargs = r.get("kargs")
        print(r["kind"], r["corr"], json.dumps(kargs, separators=(",", ":")) if kargs is not None else "-")
    elif "kargs" in r:
        print("kargs on", line)
E

cat >reused <<'E'
create 0xa
set 0xa 1 31000000
set 0xa 0 18000000
enqueue 0xa
run 0xa
enqueue 0xa
run 0xa
set 0xa 1 ffffffff
enqueue 0xa
run 0xa
create 0xb
enqueue 0xb
run 0xb
set 0xb 2 0000803f
set 0xa 0 01
enqueue 0xb
run 0xb
enqueue 0xa
run 0xa
create 0xa
enqueue 0xa
run 0xa
E
opencl_calls.py <reused >reused.ndjson
check 'follows arguments through repeated and partial sets, several objects and a reused address' 0 \
	'arg-attach reused.ndjson | python3 show.py' <<'E'
api 4 {"0":24,"1":49}
kernel 4 {"0":24,"1":49}
api 5 {"0":24,"1":49}
kernel 5 {"0":24,"1":49}
api 7 {"0":24,"1":4294967295}
kernel 7 {"0":24,"1":4294967295}
api 9 -
kernel 9 -
api 12 {"2":1065353216}
kernel 12 {"2":1065353216}
api 13 {"0":1,"1":4294967295}
kernel 13 {"0":1,"1":4294967295}
api 15 -
kernel 15 -
E
check '--name changes the keys of kargs and nothing else' 0 \
	'arg-attach --name 0=kSizeM --name "7=x,1=k \"N\"" reused.ndjson >named; sed "s/,\"kargs\":{[^}]*}//" named |
		cmp - reused.ndjson
	grep -c kargs named; sed -n 4,5p named' <<'E'
10
{"ts":40,"dur":9,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"kargs":{"kSizeM":24,"k \"N\"":49},"args":{"kernel":"0xa"}}
{"ts":50,"dur":5,"kind":"kernel","name":"gemm","corr":4,"kargs":{"kSizeM":24,"k \"N\"":49},"args":{"kernel":"0xa"}}
E
check '--raw' 0 'arg-attach --raw --name 0=M reused.ndjson | python3 show.py | sed -n 1p' <<'E'
api 4 {"M":"18000000","1":"31000000"}
E
check '--name accepts an escaped comma in a name' 0 \
	'arg-attach --name "1=a\,b,0=c" reused.ndjson | python3 show.py | sed -n 1p' <<'E'
api 4 {"c":24,"a,b":49}
E
check 'a second pass changes nothing; other names replace the old ones' 0 \
	'arg-attach reused.ndjson >once; arg-attach once | cmp - once
	arg-attach --name 0=M once | arg-attach | cmp - once' </dev/null
cat >values.py <<'E'
import json, sys
for line in sys.stdin:
    print(json.dumps(json.loads(line), sort_keys=True))
E
slow check 'gives the same result before and after corr-join and ts-sort' 0 \
	'arg-attach reused.ndjson | corr-join | python3 values.py >want; grep -c "delay" want
	for way in "corr-join | arg-attach" "ts-sort | corr-join --sorted | arg-attach" \
		"ts-sort | arg-attach | corr-join --sorted"; do
		sh -c "$way" <reused.ndjson | python3 values.py | cmp - want; done' <<'E'
7
E

opencl_calls.py >values <<'E'
set 0x1 0 0102030405060708
set 0x1 1 ffffffffffffffff
set 0x1 2 000000000000000000
set 0x1 3 00
set 0x1 4 7fFF
set 0x1 10 0000803f000000400000404000008040
set 0x1 4294967295 01
set 0x1 9 01
enqueue 0x1
E
check 'writes values of any length' 0 'arg-attach values | python3 show.py' <<'E'
api 9 {"0":578437695752307201,"1":18446744073709551615,"2":"000000000000000000","3":0,"4":65407,"9":1,"10":"0000803f000000400000404000008040","4294967295":1}
E

opencl_calls.py >failed <<'E'
set 0x1 0 01000000
set 0x1 0 02000000 @"err":-49
create 0x1 @"err":-46
enqueue 0x1 @"err":-54
set 0x1 1 05
set 0x1 0
enqueue 0x1
set 0x1 1 06
set 0x1 1
enqueue 0x1
set 0x1 1 07
enqueue 0x1
E
check 'failed calls change nothing, failed enqueues get kargs, a set without a value clears the argument' 0 \
	'arg-attach failed | python3 show.py' <<'E'
api 4 {"0":1}
api 7 {"1":5}
api 10 -
api 12 {"1":7}
E

opencl_calls.py >places <<'E'
set 0x1 0 01 @"rank":0
set 0x1 0 02 @"rank":1
set 0x1 0 03 @"rank":1,"pid":7
set 0x1 0 04 @"rank":1,"pid":"7"
set 0x1 0 05 @"rank":1,"pid":7,"repetition":0
set 0x1 0 06 @"rank":1,"pid":7,"repetition":1
set 0x1 0 07
set 0x2 0 08
enqueue 0x1 @"repetition":0
enqueue 0x1 @"rank":0,"tid":3
enqueue 0x1 @"rank":1
enqueue 0x1 @"rank":1,"pid":7,"tid":4
enqueue 0x1 @"rank":1,"pid":"\u0037"
enqueue 0x1 @"rank":1,"pid":7,"repetition":0
run 0x1 @"rank":1,"pid":7,"repetition":0
enqueue 0x1 @"rank":1,"pid":7,"repetition":1
enqueue 0x1
E
check 'keeps kernel objects of ranks, processes and repetitions apart' 0 'arg-attach places | python3 show.py' <<'E'
api 9 -
api 10 {"0":1}
api 11 {"0":2}
api 12 {"0":3}
api 13 {"0":4}
api 14 {"0":5}
kernel 14 {"0":5}
api 15 {"0":6}
api 16 {"0":7}
E

cat >odd <<'E'
{"kind":"meta","name":"no ts"}
{"ts":1,"kind":"api","name":"clSetKernelArg"}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"arg_index":0,"arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":null,"arg_index":0,"arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":-1,"arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":4294967296,"arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":"0","arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":2,"arg_value":"02"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":0,"arg_value":"01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":0,"arg_value":"0x01"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":1,"arg_value":"012"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":3,"arg_value":17}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":4.0,"arg_value":"04"}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":5,"arg_value":""}}
{"ts":1,"kind":"api","name":"clSetKernelArg","args":["kernel","0x1"]}
{"ts":1,"kind":"range","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":0,"arg_value":"09"}}
{"ts":1,"kind":"kernel","name":"clSetKernelArg","args":{"kernel":"0x2","arg_index":0,"arg_value":"09"}}
{"ts":1,"kind":"api","name":"clEnqueueNDRangeKernel","args":{}}
{"ts":1,"kind":"api","name":"clEnqueueNDRangeKernel","args":{"kernel":null}}
{ "args" : {"kernel" : "\u0030x1"}, "kind" : "api" , "name":"clEnqueueNDRangeKernel","ts" : 1 }
{"ts":2,"kind":"kernel","name":"no corr at either","args":{"kernel":"0x1"}}
{"ts":2,"kind":"kernel","name":"another","corr":5,"args":{"kernel":"0x1"}}
{"ts":2,"kind":"kernel","name":"of CUDA","corr":5,"args":{"grid":[1,1,1]}}
{"ts":2,"kind":"memcpy","name":"a copy","args":{"kernel":"0x1"}}
E
check 'reports incomplete and invalid calls and writes them unchanged' 0 \
	'arg-attach odd >out; sed "s/\"kargs\":{[^}]*},//" out | cmp - odd; grep kargs out' <<'E'
{ "kargs":{"2":2,"4":4},"args" : {"kernel" : "\u0030x1"}, "kind" : "api" , "name":"clEnqueueNDRangeKernel","ts" : 1 }
{"ts":2,"kind":"kernel","name":"no corr at either","kargs":{"2":2,"4":4},"args":{"kernel":"0x1"}}
--- stderr
arg-attach: odd:5: clSetKernelArg without a valid arg_index; ignored (and 3 more)
arg-attach: odd:11: clSetKernelArg with an arg_value that is not hexadecimal; treated as unknown (and 2 more)
arg-attach: odd:23: kernel does not directly follow its enqueue and gets no kargs; run arg-attach before ts-sort
E

check 'reports calls out of order; no kernel gets the arguments of another enqueue' 0 \
	'for i in 1 2 3 4 6 5 7 9 8; do sed -n "${i}p" reused.ndjson; done >mixed; arg-attach mixed | python3 show.py' <<'E'
api 4 {"0":24,"1":49}
api 5 {"0":24,"1":49}
kernel 4 -
kernel 5 {"0":24,"1":49}
api 7 {"0":24,"1":49}
--- stderr
arg-attach: mixed:6: kernel does not directly follow its enqueue and gets no kargs; run arg-attach before ts-sort
arg-attach: mixed:9: corr is smaller than in the preceding call for this kernel object; kargs may be wrong; run arg-attach before ts-sort
E

python3 - >large <<'E'
# A small value and a value that is too large for any device; then a kernel with 100000 arguments.
print('{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":0,"arg_value":"07"}}')
print('{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x1","arg_index":1,"arg_value":"%s"}}' % ("01" * 200000))
print('{"ts":1,"kind":"api","name":"clEnqueueNDRangeKernel","args":{"kernel":"0x1"}}')
for i in range(100000):
    print('{"ts":1,"kind":"api","name":"clSetKernelArg","args":{"kernel":"0x2","arg_index":%d,"arg_value":"01"}}' % (100000 - i))
print('{"ts":1,"kind":"api","name":"clEnqueueNDRangeKernel","args":{"kernel":"0x2"}}')
E
slow check_re 'reports arguments that are too large for any device' 0 \
	'arg-attach large | grep -n Enqueue | cut -c 1-100' <<'E'
3:\{"ts":1,"kind":"api","name":"clEnqueueNDRangeKernel","kargs":\{"0":7\},"args":\{"kernel":"0x1"\}\}
100004:\{"ts":1,"kind":"api","name":"clEnqueueNDRangeKernel","kargs":\{"[0-9]*":1,"[0-9]*":1,"[0-9":1,]*
--- stderr
arg-attach: large:2: more than 256 KiB of arguments for one kernel object; this argument is treated as unknown \(and 7[0-9]* more\)
E

# --- usage

check_re '--name rejects invalid values' 2 \
	'for o in 0 0= =x a=x -1=x 4294967296=x 0=1 0=x,0=y 0=x,1=x 0=x,, ""; do arg-attach --name "$o" values; done' <<'E'
--- stderr
arg-attach: --name: '0': expected I=NAME, where I is the number of an argument
arg-attach: --name: '0=': expected a name that is not empty
arg-attach: --name: '=x': expected I=NAME, where I is the number of an argument
arg-attach: --name: 'a=x': expected I=NAME, where I is the number of an argument
arg-attach: --name: '-1=x': expected I=NAME, where I is the number of an argument
arg-attach: --name: '4294967296=x': expected I=NAME, where I is the number of an argument
arg-attach: --name: '0=1': expected a name that is not a number
arg-attach: --name: argument 0 has two names
arg-attach: --name: two arguments have the name 'x'
arg-attach: --name: '': expected I=NAME, where I is the number of an argument
arg-attach: --name: '': expected I=NAME, where I is the number of an argument
E

# --- memory and time with few and many kernel objects

if can_measure; then
	cat >many.py <<'E'
import sys
objects = int(sys.argv[1])
for i in range(600_000):
    k = '"kernel":"0x%x"' % (i % objects)
    print('{"ts":%d,"dur":1,"kind":"api","name":"clSetKernelArg","corr":%d,"args":{%s,"arg_index":%d,"arg_value":"%016x"}}'
          % (i, i, k, i // objects % 15, i))
E
	# many OBJECTS SECONDS KIB: prints CPU time and memory if one of them is above its limit. The memory of an empty
	# input, which depends on the libraries, is subtracted.
	cat >many <<'E'
"$BUILD/bench/measure" none arg-attach </dev/null
python3 many.py "$1" >many.ndjson
"$BUILD/bench/measure" result arg-attach many.ndjson | cmp - many.ndjson
python3 - "$2" "$3" <<'P'
import json, sys
none, many = (json.load(open(name)) for name in ("none", "result"))
cpu, kib = many["cpu"], many["rss"] - none["rss"]
if cpu > float(sys.argv[1]) or kib > int(sys.argv[2]):
    print(cpu, "s", kib, "KiB")
P
rm many.ndjson
E
	slow check 'memory depends on the number of objects, not on the number of calls' 0 'sh ./many 10 10 1500' </dev/null
	slow check '40000 objects take as much memory as the page says' 0 'sh ./many 40000 10 40000' </dev/null
fi

# --- real traces: compare each enqueue with the calls that precede it

for trace in ckp-0a1b2c3d4e5f6071.0001.json:66:771 mali_armcl_tmp-dvdt-prof.json:100:2273 \
	small_cjson.out:9:153 small_ostream.out:9:153 \
	cover_cjson.out:6:33 odd/failed_enqueue_ostream.out:7:39 odd/multiblock_cjson.out:18:306; do
	file=${trace%%:*} counts=${trace#*:}
	need_shared "data/dvdt/$file" || continue
	trace2ndjson "$SHARED/data/dvdt/$file" >records 2>said
	for way in 'arg-attach records' 'ts-sort records | arg-attach' 'corr-join records | arg-attach' \
		'arg-attach records | ts-sort | corr-join --sorted'; do
		check "$file: $way" 0 "$way >out; kernel_args.py out" <<E
same ${counts%:*} enqueues ${counts#*:} arguments
E
	done
done

finish
