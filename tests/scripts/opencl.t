#!/bin/sh
# opencl.t: opencl-kernels, gemm-sizes, layer-times, ck-results, and stats and groupby with --cycle. Compares their
# answers, row by row, with a notebook that analyses OpenCL programs.
. "${0%/*}/../lib.sh"
have python3 || finish


# golden WHAT FILE ROWS COMMAND...: checks that the output of COMMAND has all rows of golden/dvdt/FILE. ROWS is the
# number of these rows.
golden() {
	what=$1 file=golden/dvdt/$2 rows=$3
	shift 3
	need_shared "$file" || return
	check "${file##*/}: $*" 0 "{ $*; } >ours; opencl_rows.py $what '$SHARED/$file' ours" <<E
same $rows rows
E
}

sizes=lws0,lws1,lws2,gws0,gws1,gws2,gwo0,gwo1,gwo2
times=t1_t0,p3_p0,p3_p2,p2_p1,p1_p0

# trace NAME FILE CYCLE ENQUEUES ENQUEUES_NS NAMES: compares all tables of a trace; the last three are counts of rows
trace() {
	name=$1 cycle=$3
	need_shared "data/dvdt/$2" || return
	case $2 in
	ckp*) trace2ndjson "$SHARED/data/dvdt/$2" | filter-calls -w 'repetition == 0' >"$name" ;;
	*) trace2ndjson "$SHARED/data/dvdt/$2" >"$name" ;;
	esac
	golden enqueues "$name.enqueues.csv" "$4" "opencl-kernels -o csv $name"
	golden enqueues_ns "$name.enqueues_ns.csv" "$5" "opencl-kernels --buffers -o csv $name"
	golden sums "$name.groupby_name_sum.csv" "$6" \
		"filter-calls -k kernel $name | groupby -g name -f $sizes,$times -a count,sum -o csv"
	golden cumulative "$name.cumulative.csv" "$6" "opencl-kernels --by-name -o csv $name"
	describe=$name.kernel_index${cycle}_describe.csv
	[ "$name" != mali ] || describe=$describe.gz
	golden describe "$describe" "$((cycle * 14))" "filter-calls -k kernel $name | stats --cycle $cycle -f $sizes,$times"
	golden describe "$describe" "$((cycle * 14))" "filter-calls -k kernel $name | by_position $cycle"
}
# by_position CYCLE: computes the same values as stats, but with groupby. groupby prints one row for each position; the
# row has all fields.
mkdir bin
cat >bin/by_position <<E
#!/bin/sh
groupby --cycle "\$1" -f $sizes,$times -a count,mean,std,min,p25,p50,p75,max | python3 -c '
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    for field in "$sizes,$times".split(","):
        of_it = {k[len(field) + 1:]: v for k, v in r.items() if k.startswith(field + "_")}
        print(json.dumps({"cycle": r["cycle"], "field": field, "count": r["count"], **of_it}))'
E
chmod +x bin/by_position
PATH=$PWD/bin:$PATH
trace small small_cjson.out 3 9 12 4
trace cover0 cover_cjson.out 3 6 10 2
trace fw ckp-0a1b2c3d4e5f6071.0001.json 22 22 25 6
trace mali mali_armcl_tmp-dvdt-prof.json 25 100 100 12
for name in fw small cover0; do
	[ ! -e "$name" ] || golden ksize "$name.ksize.csv" "$(($(wc -l <"$SHARED/golden/dvdt/$name.ksize.csv") - 1))" \
		"gemm-sizes -e ^XgemmDirect -o csv $name"
done
if need_shared data/dvdt/small_ostream.out; then
	golden ksize small_ostream.ksize.csv 9 "gemm-sizes -o csv '$SHARED/data/dvdt/small_ostream.out'"
fi

if need_shared data/dvdt/small_cjson.err; then
	golden layers fw.layers.csv 315 'layer-times --each -f ts -o csv fw'
	golden layers fw.layers.csv 315 \
		"layer-times --each -f ts -o csv '$SHARED/data/dvdt/fw_r0_cjson.out' '$SHARED/data/dvdt/fw_r0_cjson.err'"
	golden layers small.layers.csv 181 \
		"layer-times --each -f ts -o csv '$SHARED/data/dvdt/small_cjson.out' '$SHARED/data/dvdt/small_cjson.err'"
	golden results fw.results.csv 3 "ck-results -o csv '$SHARED/data/dvdt/ckp-0a1b2c3d4e5f6071.0001.json'"
fi

# Unusual traces: a failed enqueue is reported, and appears in no table.
if need_shared data/dvdt/odd; then
	check_re 'reports failed enqueues, and counts them in no table' 0 \
		"opencl-kernels -o csv '$SHARED/data/dvdt/odd/failed_enqueue_cjson.out' | wc -l;
		gemm-sizes -o csv '$SHARED/data/dvdt/odd/failed_enqueue_ostream.out' | wc -l" <<'E'
7
6
--- stderr
opencl-kernels: .*failed_enqueue_cjson.out.*: .*enqueue.*
gemm-sizes: .*failed_enqueue_ostream.out.*: .*enqueue.*
E
fi

if need_shared data/dvdt/odd; then
	check 'reads a log in local time two hours west of UTC' 0 \
		"cd '$SHARED/data/dvdt/odd'; trace2ndjson --tz-offset -2 tz_minus2_cjson.out tz_minus2_cjson.err |
		layer-times -o csv | cut -d , -f 1-3,6-7" <<'E'
layer,label,direction,calls,kernels
0,00: conv1,forward,28,1
1,01: fc2,forward,19,1
2,02: tt3,forward,19,1
,,,1,0
E
fi
[ ! -e mali ] || check 'calls, enqueues and names of the recording on a Mali' 0 \
	'filter-calls -c -k api mali; filter-calls -c -n clEnqueueNDRangeKernel mali; filter-calls -k kernel mali |
		groupby -a distinct:name -o csv' <<'E'
2736
100
name_distinct
12
E

# --- hand-written traces: kernels

cat >kernels <<'E'
{"ts":0,"dur":9000,"kind":"api","name":"clEnqueueWriteBuffer","corr":1,"args":{"call":"clEnqueueWriteBuffer"}}
{"ts":100,"dur":50,"kind":"memcpy","name":"clEnqueueWriteBuffer","corr":1,"bytes":8,"args":{"p3_p0":60,"p3_p2":50,"p2_p1":7,"p1_p0":3,"t1_t0":9000}}
{"ts":9000,"dur":9,"kind":"api","name":"clSetKernelArg","corr":2,"args":{"kernel":"0x1","arg_index":2,"arg_value":"0300"}}
{"ts":9010,"dur":9,"kind":"api","name":"clSetKernelArg","corr":3,"args":{"kernel":"0x1","arg_index":0,"arg_value":"0a00"}}
{"ts":10000,"dur":2000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"args":{"kernel":"0x1"}}
{"ts":10100,"dur":1200,"kind":"kernel","name":"Xgemm, \"a\"","corr":4,"args":{"kernel":"0x1","p3_p0":1500,"p3_p2":1200,"p2_p1":200,"p1_p0":100,"t1_t0":2000,"lws0":8,"gws0":16,"gwo0":0}}
{"ts":12000,"dur":9,"kind":"api","name":"clSetKernelArg","corr":5,"args":{"kernel":"0x1","arg_index":1,"arg_value":"1400"}}
{"ts":13000,"dur":2000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":6,"args":{"kernel":"0x1"}}
{"ts":13100,"dur":1000,"kind":"kernel","name":"Xgemm, \"a\"","corr":6,"args":{"kernel":"0x1","p3_p0":1300,"p3_p2":1000,"p2_p1":200,"p1_p0":100,"t1_t0":2000,"lws0":8,"gws0":16,"gwo0":0}}
{"ts":16000,"dur":2000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":7,"args":{"kernel":"0x1"}}
{"ts":16100,"dur":0,"kind":"kernel","name":"gemm_X","corr":7,"args":{"kernel":"0x1","p3_p0":0,"p3_p2":0,"p2_p1":0,"p1_p0":0,"t1_t0":2000,"lws0":8,"gws0":16,"gwo0":0}}
{"ts":16100,"dur":5,"kind":"kernel","name":"of CUDA","args":{"grid":[1,1,1]}}
E
check 'opencl-kernels' 0 \
	'opencl-kernels -o csv -u us kernels; opencl-kernels --buffers -u us -o csv kernels | sed -n 2p' <<'E'
corr,name,lws0,lws1,lws2,gws0,gws1,gws2,gwo0,gwo1,gwo2,t1_t0_us,p3_p0_us,p3_p2_us,p2_p1_us,p1_p0_us
4,"Xgemm, ""a""",8,,,16,,,0,,,2,1.5,1.2,0.2,0.1
6,"Xgemm, ""a""",8,,,16,,,0,,,2,1.3,1,0.2,0.1
7,gemm_X,8,,,16,,,0,,,2,0,0,0,0
1,clEnqueueWriteBuffer,,,,,,,,,,9,0.06,0.05,0.007,0.003
E
check 'opencl-kernels --by-name' 0 \
	'opencl-kernels --by-name -o csv kernels; opencl-kernels --by-name -u ns <kernels | sed "s/  */ /g"' <<'E'
name,count,p3_p2_sum,p3_p0_sum,t1_t0_sum,p2_p1_sum,p1_p0_sum,p3_p2_share
"Xgemm, ""a""",2,2200,2800,4000,400,200,1
gemm_X,1,0,0,2000,0,0,0
name count p3_p2_sum (ns) p3_p0_sum (ns) t1_t0_sum (ns) p2_p1_sum (ns) p1_p0_sum (ns) p3_p2_share (%)
Xgemm, "a" 2 2200 2800 4000 400 200 100.0
gemm_X 1 0 0 2000 0 0 0.0
E
check 'gemm-sizes: leaves unknown sizes empty, and GFLOPS without time' 0 \
	'gemm-sizes -o csv -e gemm kernels; gemm-sizes --sizes 2,1,0 -o ndjson kernels | sed 1d; grep -v clSet kernels |
		gemm-sizes -o csv' <<'E'
corr,name,kernel,kSizeM,kSizeN,kSizeK,dur,GFLOPS
4,"Xgemm, ""a""",0x1,10,,3,1200,
6,"Xgemm, ""a""",0x1,10,20,3,1000,1.2
7,gemm_X,0x1,10,20,3,0,
{"kind":"gemm-sizes","corr":6,"name":"Xgemm, \"a\"","kernel":"0x1","kSizeM":3,"kSizeN":20,"kSizeK":10,"dur":1000,"GFLOPS":1.2}
corr,name,kernel,kSizeM,kSizeN,kSizeK,dur,GFLOPS
4,"Xgemm, ""a""",0x1,,,,1200,
6,"Xgemm, ""a""",0x1,,,,1000,
E
check_re 'gemm-sizes: rejects wrong arguments' 2 \
	'for o in "--sizes 0,1" "--sizes 0,1,1" "-e (" "-u m"; do gemm-sizes $o kernels >/dev/null || s=$?; done
	exit $s' <<'E'
--- stderr
gemm-sizes: --sizes: '0,1': expected three indices M,N,K; try gemm-sizes -h
gemm-sizes: --name: argument 1 has two names
gemm-sizes: -e: '\(': invalid regular expression: .*
gemm-sizes: -u: .*
E
check 'prints the column repetition only if the trace has repetitions' 0 \
	'sed "s/,\"args\"/,\"repetition\":3&/" kernels >again; opencl-kernels -o csv again | sed 2q; gemm-sizes -o csv again |
		sed 2q' <<'E'
repetition,corr,name,lws0,lws1,lws2,gws0,gws1,gws2,gwo0,gwo1,gwo2,t1_t0,p3_p0,p3_p2,p2_p1,p1_p0
3,4,"Xgemm, ""a""",8,,,16,,,0,,,2000,1500,1200,200,100
repetition,corr,name,kernel,kSizeM,kSizeN,kSizeK,dur,GFLOPS
3,4,"Xgemm, ""a""",0x1,10,,3,1200,
E
check 'opencl-kernels --repetition' 1 '
	for r in 0 1 2; do sed "s/,\"args\"/,\"repetition\":$r&/; s/_p2\":1/&$r/" kernels; done >thrice
	for r in "" "--repetition 0" "--repetition 2"; do opencl-kernels --by-name $r -o csv thrice | sed -n 2p |
	cut -d , -f 3-5; done
	opencl-kernels --repetition 1 -o csv thrice | cut -d , -f 1,2; opencl-kernels --repetition 3 thrice >out' <<'E'
6,66600,8400
2,20200,2800
2,24200,2800
repetition,corr
1,4
1,6
1,7
--- stderr
opencl-kernels: no OpenCL kernels with queue times in repetition 3
E
check 'reports a trace without kernels' 1 \
	'grep -v kind...kernel kernels >none; opencl-kernels -o csv none; gemm-sizes -o csv none;
	opencl-kernels --by-name -o csv none' <<'E'
--- stderr
opencl-kernels: no OpenCL kernels with queue times
gemm-sizes: no kernel matches '^Xgemm'
opencl-kernels: no OpenCL kernels with queue times
E
check 'opencl-kernels: reports a trace with kernels of another API' 1 \
	'opencl-kernels "$DATA/train.pt.trace.json" >out' <<'E'
--- stderr
opencl-kernels: no OpenCL kernels with queue times
E

# --- hand-written traces: layers

# Calls that end at a time stamp of the log, within a layer, between two layers, and at the last time stamp; a layer of
# length 0, layers without a time, a direction or a date, a name that occurs twice, and a name with special characters.
cat >layers <<'E'
{"dur":7,"kind":"range","name":"no date","args":{"direction":"forward","time_ms":0.25}}
{"ts":1000,"dur":9000,"kind":"range","name":"00: conv \"1\"","args":{"direction":"forward","time_ms":0.0095}}
{"ts":10000,"dur":0,"kind":"range","name":"01: empty","args":{"direction":"forward","time_ms":0}}
{"ts":10000,"dur":5000,"kind":"range","name":"02: fc","args":{"direction":"forward"}}
{"ts":15000,"dur":5000,"kind":"range","name":"02: fc","args":{"direction":"backward","time_ms":null}}
{"ts":20000,"dur":1000,"kind":"range","name":"comma, \\ and \",\"dur\":5"}
{"ts":1000,"dur":8000,"kind":"api","name":"clCreateBuffer","corr":0,"args":{}}
{"ts":9000,"dur":1000,"kind":"api","name":"clEnqueueNDRangeKernel","corr":1,"args":{}}
{"ts":9100,"dur":100,"kind":"kernel","name":"k","corr":1,"args":{"p3_p2":100}}
{ "ts":10000,"dur":4999, "kind": "api","name":"clEnqueueNDRangeKernel","corr":2,"args":{}} 
{"ts":10100,"dur":30,"kind":"kernel","name":"k","corr":2,"args":{"p3_p2":30}}
{"ts":14999,"dur":1,"kind":"api","name":"clBuildProgram","corr":3,"args":{}}
{"ts":16000,"dur":4500,"kind":"api","name":"clBuildProgram","corr":4,"args":{}}
{"ts":20600,"dur":400,"kind":"api","name":"clEnqueueReadBuffer","corr":5,"args":{}}
E
check 'layer-times' 0 'layer-times -o csv layers; layer-times <layers | sed -n "1p;4p" | sed "s/  */ /g"' <<'E'
layer,label,direction,layer_time,span_time,calls,kernels,kernel_time
0,no date,forward,250000,,0,0,
1,"00: conv ""1""",forward,9500,9000,1,0,
2,01: empty,forward,0,0,0,0,
3,02: fc,forward,,5000,2,2,130
4,02: fc,backward,,5000,1,0,
5,"comma, \ and "",""dur"":5",,,1000,1,0,
,,,,,1,0,
layer label direction layer_time (us) span_time (ns) calls kernels kernel_time (ns)
 2 01: empty forward 0.0 0 0 0
E
check 'layer-times --each' 0 'layer-times --each -f ts -o csv layers' <<'E'
corr,kind,name,since,dur,layer,label,direction,ts
0,api,clCreateBuffer,0,8000,1,"00: conv ""1""",forward,1000
1,api,clEnqueueNDRangeKernel,8000,1000,3,02: fc,forward,9000
1,kernel,k,8100,100,3,02: fc,forward,9100
2,api,clEnqueueNDRangeKernel,9000,4999,3,02: fc,forward,10000
2,kernel,k,9100,30,3,02: fc,forward,10100
3,api,clBuildProgram,13999,1,4,02: fc,backward,14999
4,api,clBuildProgram,15000,4500,5,"comma, \ and "",""dur"":5",,16000
5,api,clEnqueueReadBuffer,19600,400,,,,20600
E
check 'layer-times: -f needs --each' 2 'layer-times -f ts layers' <<'E'
--- stderr
layer-times: -f needs --each; try layer-times -h
E
check 'gemm-sizes: -f adds columns' 0 \
	'gemm-sizes -f lws0,t1_t0 -o csv kernels; gemm-sizes -f t1_t0 -u us -o csv kernels' <<'E'
corr,name,kernel,kSizeM,kSizeN,kSizeK,dur,GFLOPS,lws0,t1_t0
4,"Xgemm, ""a""",0x1,10,,3,1200,,8,2000
6,"Xgemm, ""a""",0x1,10,20,3,1000,1.2,8,2000
corr,name,kernel,kSizeM,kSizeN,kSizeK,dur_us,GFLOPS,t1_t0_us
4,"Xgemm, ""a""",0x1,10,,3,1.2,,2
6,"Xgemm, ""a""",0x1,10,20,3,1,1.2,2
E
slow check '-u converts csv, ndjson and tsv; the next program converts them back' 0 '
	for c in "opencl-kernels" "opencl-kernels --by-name" gemm-sizes "layer-times" "layer-times --each"; do
		in=kernels; [ "$c" = "${c#layer}" ] || in=layers
		$c -o csv $in >default; sed 1d default >values; $c -u ns -o csv $in >ns; sed 1d ns | cmp - values
		$c -u s -o ndjson $in | ndjson2table --quiet -f "$(sed 1q default)" -u ns -o csv | cmp - ns
	done
	layer-times --each -o ndjson layers | sed -n 2p; layer-times -u us -o tsv layers | sed -n 1,2p' <<'E'
{"corr":1,"kind":"api","name":"clEnqueueNDRangeKernel","since":8000,"dur":1000,"layer":3,"label":"02: fc","direction":"forward"}
layer	label	direction	layer_time_us	span_time_us	calls	kernels	kernel_time_us
0	no date	forward	250		0	0	
E
cat >later.py <<'E'
import json, sys
i = int(sys.argv[1])
for line in sys.stdin:
    r = json.loads(line)
    print(json.dumps({"repetition": i, **r, "ts": r["ts"] + i * 100000}))
E
check 'layer-times: numbers the layers of each repetition from 0' 0 '
	for i in 0 1; do sed 1d layers | python3 later.py $i; done >twice; layer-times -o csv twice |
	sed -n "1,2p;4p;7,8p;10p;13p"' <<'E'
repetition,layer,label,direction,layer_time,span_time,calls,kernels,kernel_time
0,0,"00: conv ""1""",forward,9500,9000,1,0,
0,2,02: fc,forward,,5000,2,2,130
0,,,,,,1,0,
1,0,"00: conv ""1""",forward,9500,9000,1,0,
1,2,02: fc,forward,,5000,2,2,130
1,,,,,,1,0,
E
check 'layer-times: reports a trace without layers and calls' 0 \
	'grep -v range layers | layer-times -o csv; grep range layers | layer-times -o csv | wc -l' <<'E'
layer,label,direction,layer_time,span_time,calls,kernels,kernel_time
,,,,,6,2,130
7
E

# --- a hand-written repository of CK

# point FILE PROGRAM TIME...: writes a CK point with a repetition for each time; `-` is a failed repetition.
point() {
	mkdir -p "${1%/*}"
	{
		printf '{"characteristics_list":[' && separator=
		for time in "$3" "$4"; do
			case $time in
			-) printf '%s{"run":{"run_success":"no","return_code":1,"fail_reason":"exit status 1"}}' "$separator" ;;
			*) printf '%s\n{"run":{"run_success":"yes","time_fw_ms":%s,"time_bw_ms":2,"per_layer_info":[%s],"dvdt_prof":[%s]}}' \
				"$separator" "$time" "$layer" "$call" ;;
			esac
			separator=,
		done
		printf '],\n"choices":{"data_uoa":"%s"}}\n' "$2"
	} >"$1"
}
layer='{"direction":"forward","index":0,"label":"00: conv1","time_ms":7.5,"timestamp":"0102 03:04:05.000900"}'
call='{"call":"clCreateCommandQueue","context":"0x1","timestamp":{"start":"2017-01-02T03:04:05.000100","end":"2017-01-02T03:04:05.000200"},"errcode":0,"queue":"0x2"}'
point 'repo/experiment/prof one/ckp-0000000000000001.0001.json' caffe 7.5 8
point 'repo/experiment/prof one/ckp-0000000000000002.0001.json' caffe - 9.25
point repo/experiment/other/ckp-0000000000000003.0001.json 'a \"b\"' 1 2
point repo/experiment/untagged/ckp-0000000000000004.0001.json tensorrt 3 4
mkdir 'repo/experiment/prof one/.cm' repo/experiment/other/.cm
printf '{\r\n  "meta": {},\r\n  "tags": [\r\n    "prof",\r\n    "alexnet", "2017"\r\n  ]\r\n}\r\n' \
	>'repo/experiment/prof one/.cm/meta.json'
printf '{"tags":["prof"]}' >repo/experiment/other/.cm/meta.json
check_re 'ck-results: reads all points of a repository' 0 'ck-results -o csv repo' <<'E'
point,program,tags,repetition,time_fw_ms,calls,layers
repo/experiment/other/ckp-0000000000000003.0001.json,"a ""b""",prof,0,1,1,1
repo/experiment/other/ckp-0000000000000003.0001.json,"a ""b""",prof,1,2,1,1
repo/experiment/prof one/ckp-0000000000000001.0001.json,caffe,"prof,alexnet,2017",0,7.5,1,1
repo/experiment/prof one/ckp-0000000000000001.0001.json,caffe,"prof,alexnet,2017",1,8,1,1
repo/experiment/prof one/ckp-0000000000000002.0001.json,caffe,"prof,alexnet,2017",1,9.25,1,1
repo/experiment/untagged/ckp-0000000000000004.0001.json,tensorrt,unknown,0,3,1,1
repo/experiment/untagged/ckp-0000000000000004.0001.json,tensorrt,unknown,1,4,1,1
--- stderr
ck-results: repo/experiment/prof one/ckp-0000000000000002.0001.json: .*failed repetition; skipped
E
check 'ck-results: --tags selects points' 0 'for tags in 2017,prof alexnet,prof prof pro alexnet,other; do
	ck-results --tags "$tags" -f time_bw_ms -o csv repo 2>said | sed "1d; s/^[^,]*\(ckp-0*.\)[^,]*/\1/";
	sed "/failed/d" said; done' <<'E'
ckp-0000000000000001,caffe,"prof,alexnet,2017",0,7.5,1,1,2
ckp-0000000000000001,caffe,"prof,alexnet,2017",1,8,1,1,2
ckp-0000000000000002,caffe,"prof,alexnet,2017",1,9.25,1,1,2
ckp-0000000000000001,caffe,"prof,alexnet,2017",0,7.5,1,1,2
ckp-0000000000000001,caffe,"prof,alexnet,2017",1,8,1,1,2
ckp-0000000000000002,caffe,"prof,alexnet,2017",1,9.25,1,1,2
ckp-0000000000000003,"a ""b""",prof,0,1,1,1,2
ckp-0000000000000003,"a ""b""",prof,1,2,1,1,2
ckp-0000000000000001,caffe,"prof,alexnet,2017",0,7.5,1,1,2
ckp-0000000000000001,caffe,"prof,alexnet,2017",1,8,1,1,2
ckp-0000000000000002,caffe,"prof,alexnet,2017",1,9.25,1,1,2
ck-results: no points with the tags pro
ck-results: no points with the tags alexnet,other
E
check 'ck-results: reads files and standard input' 0 \
	'cd "repo/experiment/prof one"; ck-results -o csv ckp-0000000000000001.0001.json
	ck-results -o csv --tags=prof ./ckp-0000000000000001.0001.json | wc -l;
	ck-results -o csv <ckp-0000000000000001.0001.json' <<'E'
point,program,tags,repetition,time_fw_ms,calls,layers
ckp-0000000000000001.0001.json,caffe,"prof,alexnet,2017",0,7.5,1,1
ckp-0000000000000001.0001.json,caffe,"prof,alexnet,2017",1,8,1,1
3
point,program,tags,repetition,time_fw_ms,calls,layers
-,caffe,unknown,0,7.5,1,1
-,caffe,unknown,1,8,1,1
E
check 'ck-results: reports tags that are not JSON' 1 \
	'mkdir -p bad/.cm; cp repo/experiment/other/ckp-* bad; echo "{tags" >bad/.cm/meta.json
	ck-results -o csv bad; ck-results -o csv --tags prof bad' <<'E'
point,program,tags,repetition,time_fw_ms,calls,layers
bad/ckp-0000000000000003.0001.json,"a ""b""",unknown,0,1,1,1
bad/ckp-0000000000000003.0001.json,"a ""b""",unknown,1,2,1,1
--- stderr
ck-results: bad/.cm/meta.json: not JSON; the tags are unknown
ck-results: bad/.cm/meta.json: not JSON; the tags are unknown
ck-results: no points with the tags prof
E

check 'ck-results: reports that there are no points' 1 \
	'mkdir nothing; ck-results nothing; ck-results -o csv nothing' <<'E'
--- stderr
ck-results: no points
ck-results: no points
E

# --- rules for all of these scripts

gzip -c layers | head -c -20 >cut.gz
for script in opencl-kernels 'opencl-kernels --by-name' gemm-sizes layer-times 'layer-times --each' ck-results; do
	check_re "$script: -h prints an example and the usage" 0 "${script%% *} -h | sed -n '1p;3s/ .*//p'" <<E
${script%% *} .*
usage:
E
	check_re "$script: rejects an unknown option" 2 "${script%% *} -Z" <<E
--- stderr
.*[oO]ption.*
E
	check_re "$script: reports a missing file" 2 "$script none.json >/dev/null" <<E
--- stderr
${script%% *}: none.json: cannot open: No such file or directory
E
	check "$script: exits 1 for a truncated trace" 1 \
		"$script cut.gz >/dev/null 2>said; s=\$?; grep -q '^${script%% *}: cut.gz' said && exit \$s" </dev/null
	case $script in ck-results | gemm-sizes) continue ;; esac # no repetition and no GEMM in these files
	check_re "$script: exits 2 on a full disk" 2 "$script layers >/dev/full" <<E
--- stderr
.*: write error: No space left on device
E
done

finish
