#!/bin/sh
# range-project.t: the device time that ranges span.
. "${0%/*}/../lib.sh"

# Two threads of one process. Thread 7 has the range `step`, which encloses `fwd`; thread 8 launches the backward pass
# while `step` is open. Call 4 launches a graph of two kernels. Call 6 is a copy outside `fwd`. Call 9 is outside all
# ranges. Call 10 is a sync.
cat >joined <<'EOF'
{"ts":100,"dur":400,"kind":"range","name":"step","cat":"nvtx","pid":1,"tid":7,"args":{"style":"PushPop","ops":"mine"}}
{"ts":110,"dur":90,"kind":"range","name":"fwd","pid":1,"tid":7,"epoch":3,"args":{"a":[1,2]},"src":{"ph":"B"}}
{"ts":110,"dur":10,"kind":"api","name":"cudaGraphLaunch","pid":1,"tid":7,"corr":4}
{"ts":130,"dur":20,"kind":"kernel","name":"k1","pid":1,"dev":0,"stream":5,"corr":4,"api":{"name":"cudaGraphLaunch","ts":110,"dur":10,"pid":1,"tid":7},"delay":20}
{"ts":140,"dur":30,"kind":"kernel","name":"k2","pid":1,"dev":0,"stream":6,"corr":4,"api":{"name":"cudaGraphLaunch","ts":110,"dur":10,"pid":1,"tid":7},"delay":30}
{"ts":150,"kind":"mark","name":"here","pid":1,"tid":7}
{"ts":190,"dur":20,"kind":"api","name":"cudaMemcpyAsync","pid":1,"tid":7,"corr":6}
{"ts":220,"dur":10,"kind":"memcpy","name":"copy","pid":1,"dev":0,"stream":6,"corr":6,"api":{"name":"cudaMemcpyAsync","ts":190,"dur":20,"pid":1,"tid":7},"delay":30}
{"ts":300,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":8,"corr":8}
{"ts":301,"kind":"range","name":"never popped","pid":1,"tid":7}
{"ts":400,"dur":5,"kind":"range","name":"empty","pid":1,"tid":7}
{"ts":450,"dur":50,"kind":"kernel","name":"k3","pid":1,"dev":0,"stream":6,"corr":8,"api":{"name":"cudaLaunchKernel","ts":300,"dur":5,"pid":1,"tid":8},"delay":150}
{"ts":499,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":9}
{"ts":600,"dur":7,"kind":"kernel","name":"k4","pid":1,"dev":1,"stream":9,"corr":9,"api":{"name":"cudaLaunchKernel","ts":499,"dur":2,"pid":1,"tid":7},"delay":101}
{"ts":601,"dur":7,"kind":"sync","name":"Context Sync","pid":1,"dev":1,"corr":10,"api":{"name":"cudaDeviceSynchronize","ts":120,"dur":2,"pid":1,"tid":7},"delay":101}
{"ts":602,"dur":7,"kind":"kernel","name":"lost","pid":1,"dev":1,"stream":9}
EOF
check '--scope process counts launches of other threads' 0 'range-project --report joined' <<'EOF'
{"ts":130,"dur":370,"kind":"gpu_range","name":"step","cat":"nvtx","pid":1,"tid":7,"dev":0,"id":1,"args":{"ops":3,"records":4,"busy":100,"dur_sum":110,"orig_ts":100,"orig_dur":400,"depth":0,"children":1,"style":"PushPop"}}
{"ts":130,"dur":40,"kind":"gpu_range","name":"fwd","pid":1,"tid":7,"dev":0,"id":2,"epoch":3,"args":{"ops":1,"records":2,"busy":40,"dur_sum":50,"orig_ts":110,"orig_dur":90,"depth":1,"children":0,"parent":1,"a":[1,2]}}
--- stderr
range-project: ranges: 3, with device work: 2, without an end: 1; device records: 6, inside ranges: 4, outside: 1, without a call: 1
EOF
check 'a table shows the unit of each time' 0 \
	'range-project joined | ndjson2table -o table -f name,orig_ts,orig_dur,busy,dur_sum' <<'EOF'
name  orig_ts (ns)  orig_dur (ns)  busy (ns)  dur_sum (ns)
step           100            400        100           110
fwd            110             90         40            50
EOF
check '--scope thread counts only launches of its own thread' 0 \
	'range-project --scope thread joined | ndjson2table -o csv -f name,ts,dur,args.ops,args.busy' <<'EOF'
name,ts,dur,args.ops,args.busy
step,130,100,2,50
fwd,130,40,1,40
EOF
check '--outside adds the work outside ranges' 0 'range-project -e FWD --outside --scope=thread -i joined' <<'EOF'
{"ts":130,"dur":40,"kind":"gpu_range","name":"fwd","pid":1,"tid":7,"dev":0,"id":2,"epoch":3,"args":{"ops":1,"records":2,"busy":40,"dur_sum":50,"orig_ts":110,"orig_dur":90,"depth":0,"children":0,"a":[1,2]}}
{"ts":220,"dur":387,"kind":"gpu_range","pid":1,"args":{"ops":3,"records":3,"busy":67,"dur_sum":67,"last_tid":7}}
EOF
check '-r api: a call encloses its own work' 0 \
	'range-project -r api joined | ndjson2table -o csv -f name,dur,args.orig_ts,stream' <<'EOF'
name,dur,args.orig_ts,stream
cudaGraphLaunch,40,110,
cudaMemcpyAsync,10,190,6
cudaLaunchKernel,50,300,6
cudaLaunchKernel,7,499,9
EOF
# Range a encloses b, a range without a name, and idle, which has no work. Range d is inside the range without a name.
cat >nested <<'EOF'
{"ts":1,"dur":90,"kind":"range","name":"a","pid":1,"tid":7,"row":4}
{"ts":2,"dur":9,"kind":"range","name":"b","pid":1,"tid":7,"row":"x,"}
{"ts":3,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":1}
{"ts":20,"dur":9,"kind":"range","pid":1,"tid":7,"row":6}
{"ts":21,"dur":5,"kind":"range","name":"d","pid":1,"tid":7}
{"ts":22,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":2}
{"ts":30,"dur":5,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":1,"api":{"name":"cudaLaunchKernel","ts":3,"dur":1,"pid":1,"tid":7}}
{"ts":31,"dur":1,"kind":"range","name":"idle","pid":1,"tid":7,"row":8}
{"ts":40,"dur":5,"kind":"kernel","name":"k","pid":1,"dev":0,"corr":2,"api":{"name":"cudaLaunchKernel","ts":22,"dur":1,"pid":1,"tid":7}}
EOF
check '--stack, and the number of children with work' 0 'for s in --stack --stack=row --stack=args.none; do
	range-project --quiet $s nested | ndjson2table --quiet -f name,children,stack -o csv | sed 1d; done' <<'EOF'
a,2,"[""a""]"
b,0,"[""a"",""b""]"
,1,"[""a"",null]"
d,0,"[""a"",null,""d""]"
a,2,[4]
b,0,"[4,""x,""]"
,1,"[4,6]"
d,0,"[4,6,null]"
a,2,[null]
b,0,"[null,null]"
,1,"[null,null]"
d,0,"[null,null,null]"
EOF
check 'the stack of a range that is written before its parent' 0 \
	'range-project --horizon 10 --stack nested | ndjson2table -o csv -f id,children,stack' <<'EOF'
id,children,stack
2,0,"[""a"",""b""]"
1,2,"[""a""]"
3,1,"[""a"",null]"
4,0,"[""a"",null,""d""]"
EOF
check '--stack needs a field after =' 2 'range-project --stack= joined' <<'EOF'
--- stderr
range-project: --stack: '': invalid field: the name is empty
EOF
check 'rejects an unknown scope' 2 'range-project --scope tread joined' <<'EOF'
--- stderr
range-project: --scope: 'tread': expected thread, process or any; did you mean 'thread'?
EOF
check 'device records without api are reported' 0 'grep -v "\"api\":" joined | range-project' <<'EOF'
--- stderr
range-project: no device record has a call (api); run: ... | corr-join --sorted | range-project
EOF
check 'rejects input out of ts order' 2 'tac joined | range-project -r op' <<'EOF'
--- stderr
range-project: stdin:2: not in ts order; run: ... | ts-sort | range-project -r op
EOF
check 'ids may be strings, members may have any order and spaces' 0 \
	'sed "s/\"pid\":1/\"pid\" : \"host 1\"/g; s/^{\(\"ts\":[0-9]*\),\(.*\)}$/{\2 , \1}/" joined |
	range-project | ndjson2table -o csv -f name,pid,ts,dur,args.ops' <<'EOF'
name,pid,ts,dur,args.ops
step,host 1,130,370,3
fwd,host 1,130,40,1
EOF

# Each rank has its own ids and clock; a process belongs to one rank.
{ sed 's/"pid"/"rank":0,"pid"/' joined | grep -v '"step"'; sed 's/"pid"/"rank":1,"pid"/' joined; } |
	sort -s -t : -k 2,2n >ranks
check 'two ranks may have the same ids' 0 'range-project ranks | ndjson2table -o csv -f rank,name,dur,args.ops' <<'EOF'
rank,name,dur,args.ops
1,step,370,3
0,fwd,40,1
1,fwd,40,1
EOF

# --- times at the edges of ranges, and the largest ts

cat >edges <<'EOF'
{"ts":-50,"dur":30,"kind":"kernel","name":"all at one ts","pid":1,"dev":0,"stream":5,"corr":1,"api":{"name":"c","ts":-50,"dur":10,"pid":1,"tid":7}}
{"ts":-50,"dur":10,"kind":"range","name":"as long as its call","pid":1,"tid":7}
{"ts":-50,"dur":10,"kind":"api","name":"c","pid":1,"tid":7,"corr":1}
{"ts":-10,"dur":3,"kind":"kernel","name":"before its call","pid":1,"dev":0,"stream":5,"corr":2,"api":{"name":"c","ts":5,"dur":1,"pid":1,"tid":7}}
{"ts":-8,"dur":4,"kind":"kernel","name":"after the late one","pid":1,"dev":0,"stream":5,"corr":1,"api":{"name":"c","ts":-50,"dur":10,"pid":1,"tid":7}}
{"ts":4,"dur":2,"kind":"range","name":"ends with its call","pid":1,"tid":7}
{"ts":5,"dur":1,"kind":"api","name":"c","pid":1,"tid":7,"corr":2}
{"ts":9223372036854775800,"dur":100,"kind":"kernel","name":"beyond time","pid":1,"dev":0,"stream":5,"corr":3,"api":{"name":"c","ts":5,"dur":1,"pid":1,"tid":7}}
{"ts":9223372036854775807,"dur":0,"kind":"range","name":"the end of time","pid":1,"tid":7}
EOF
check 'both ends belong to a range; a call may be later than its work' 0 \
	'head -n 7 edges | range-project | ndjson2table -o csv -f name,ts,dur,args.ops,args.busy' <<'EOF'
name,ts,dur,args.ops,args.busy
as long as its call,-50,46,1,34
ends with its call,-10,3,1,3
EOF
check 'times near the limits of 64 bits' 1 \
	'range-project edges >got; status=$?; ndjson2table -o csv -f name,ts,dur,args.ops,args.busy got; exit $status' <<'EOF'
name,ts,dur,args.ops,args.busy
as long as its call,-50,46,1,34
ends with its call,-10,3,1,3
--- stderr
range-project: edges:8: device record starts more than --horizon after the end of its range; it may be missing from the range
EOF

# Three steps, one per second; their work starts half a second later.
python3 - <<'E' >late
import json
for i in range(3):
    t = i * 1_000_000_000
    api = {"name": "c", "ts": t + 1, "dur": 1, "pid": 1, "tid": 7}
    kernel = {"dur": 5, "kind": "kernel", "name": "k", "pid": 1, "dev": 0, "stream": 1, "corr": i, "api": api}
    for r in ({"ts": t, "dur": 10, "kind": "range", "name": f"step {i}", "pid": 1, "tid": 7},
              {**api, "kind": "api", "corr": i},
              {"ts": t + 500_000_000, **kernel}, {"ts": t + 500_000_010, **kernel}):
        print(json.dumps(r, separators=(",", ":")))
E
check 'all work within the horizon is counted' 0 \
	'range-project --horizon 600ms late | ndjson2table -o csv -f name,dur,args.ops' <<'EOF'
name,dur,args.ops
step 0,15,1
step 1,15,1
step 2,15,1
EOF
mkfifo live
check 'ranges are written when their horizon has passed' 0 \
	'range-project --horizon 600ms live >got & exec 9>live; head -n 9 late >&9
	i=0; while [ "$(wc -l <got)" -lt 2 ] && [ $((i += 1)) -le 100 ]; do sleep 0.1; done; ndjson2table -o csv -f name got;
	exec 9>&-; wait' <<'EOF'
name
step 0
step 1
EOF
check 'work later than the horizon is reported' 1 'range-project --horizon 1ms late' <<'EOF'
--- stderr
range-project: late:3: device record starts more than --horizon after the end of its range; it may be missing from the range (and 5 more)
EOF

# The work of a range starts at most --horizon after its end. Work that precedes its call waits at most --horizon for a
# range that encloses the call.
at_horizon() { # at_horizon GAP: prints a range, and work that starts GAP ns after its end
	printf '{"ts":0,"dur":5,"kind":"range","name":"r","pid":1,"tid":7}\n'
	printf '{"ts":%d,"dur":1,"kind":"kernel","name":"k","dev":0,"api":{"ts":1,"dur":1,"pid":1,"tid":7}}\n' $((5 + $1))
}
early() { # early GAP: prints work that starts GAP ns before the range with its call
	printf '{"ts":0,"dur":1,"kind":"kernel","name":"k","dev":0,"api":{"ts":15,"dur":1,"pid":1,"tid":7}}\n'
	printf '{"ts":%d,"dur":20,"kind":"range","name":"r","pid":1,"tid":7}\n' "$1"
}
for gap in 10 11; do
	at_horizon $gap >after.$gap
	early $gap >early.$gap
done
check 'work at exactly the horizon is counted' 0 'for f in after.10 early.10; do
	range-project --horizon 10 $f | ndjson2table -o csv -f ts,args.records; done' <<'EOF'
ts,args.records
15,1
ts,args.records
0,1
EOF
check 'work one nanosecond after the horizon is not counted' 1 \
	'range-project --horizon 10 early.11; range-project --horizon 10 after.11' <<'EOF'
--- stderr
range-project: after.11:2: device record starts more than --horizon after the end of its range; it may be missing from the range
EOF

# --- correlation ids and streams that occur twice, and negative durations

call() { # call TS CORR DEV STREAM: prints a range with a kernel, whose call has begun at TS + 1
	printf '{"ts":%d,"dur":9,"kind":"range","name":"A","pid":1,"tid":1}\n' "$1"
	printf '{"ts":%d,"dur":5,"kind":"kernel","name":"k","dev":%d,"stream":%d,' $(($1 + 10)) "$3" "$4"
	printf '"corr":%d,"api":{"ts":%d,"dur":1,"pid":1,"tid":1}}\n' "$2" $(($1 + 1))
}
for i in 0 20 40; do call $i 3 0 7; done >reused
check 'a correlation id that is used again is another call' 0 \
	'range-project reused | ndjson2table -o csv -f orig_ts,ops' <<'EOF'
orig_ts,ops
0,1
20,1
40,1
EOF
for second in '1 7' '0 7' '0 8' '1 8'; do
	echo '{"ts":0,"dur":100,"kind":"range","name":"all","pid":1,"tid":1}'
	call 10 1 0 7
	call 40 2 $second
	call 70 3 0 7
done >streams
check 'streams of two devices with the same number are not one stream' 0 '
	for i in 1 2 3 4; do head -n $((7 * i)) streams | tail -n 7 | range-project |
		ndjson2table --quiet -o csv -f name,dev,stream | grep all; done' <<'EOF'
all,,
all,0,7
all,0,
all,,
EOF
check 'a range with a negative dur ends when it starts' 0 '
	sed "s/\"dur\":5/\"dur\":-6/; s/\(\"ts\":\)1,\"dur\":1/\10,\"dur\":-3/" after.10 | range-project --report' <<'EOF'
{"ts":15,"dur":1,"kind":"gpu_range","name":"r","pid":1,"tid":7,"dev":0,"id":1,"args":{"ops":1,"records":1,"busy":1,"dur_sum":1,"orig_ts":0,"orig_dur":-6,"depth":0,"children":0}}
--- stderr
range-project: ranges: 1, with device work: 1, without an end: 0; device records: 1, inside ranges: 1, outside: 0, without a call: 0
EOF

check 'calls without a thread, calls with times that are not canonical, args that are no object' 0 "printf '%s\n' \
	'{\"ts\":1,\"dur\":9,\"kind\":\"range\",\"name\":\"r\",\"args\":\"x\"}' \
	'{\"ts\":5,\"dur\":2,\"kind\":\"kernel\",\"api\":{\"pid\":null,\"ts\":2.0,\"dur\":1e0}}' \
	'{\"ts\":6,\"dur\":2,\"kind\":\"kernel\",\"api\":{\"ts\":20}}' \
	'{\"ts\":7,\"dur\":2,\"kind\":\"kernel\",\"api\":{\"ts\":20,\"tid\":1}}' | range-project --outside" <<'EOF'
{"ts":5,"dur":2,"kind":"gpu_range","name":"r","id":1,"args":{"ops":1,"records":1,"busy":2,"dur_sum":2,"orig_ts":1,"orig_dur":9,"depth":0,"children":0}}
{"ts":6,"dur":3,"kind":"gpu_range","args":{"ops":2,"records":2,"busy":3,"dur_sum":4,"last_tid":1}}
EOF

# Five records start at the same ts: three of call 1 (one of them longer than the others), two of two threads outside.
cat >together <<'EOF'
{"ts":1,"dur":9,"kind":"range","name":"outer","pid":1,"tid":7}
{"ts":2,"dur":4,"kind":"range","name":"inner","pid":1,"tid":7}
{"ts":19,"dur":3,"kind":"kernel","pid":1,"dev":0,"stream":1,"corr":4,"api":{"ts":8,"dur":1,"pid":1,"tid":7}}
{"ts":20,"dur":3,"kind":"kernel","pid":1,"dev":0,"stream":1,"corr":1,"api":{"ts":3,"dur":1,"pid":1,"tid":7}}
{"ts":20,"dur":8,"kind":"kernel","pid":1,"dev":0,"stream":1,"corr":2,"api":{"ts":13,"dur":1,"pid":1,"tid":9}}
{"ts":20,"dur":6,"kind":"kernel","pid":1,"dev":0,"stream":2,"corr":1,"api":{"ts":3,"dur":1,"pid":1,"tid":7}}
{"ts":20,"dur":8,"kind":"kernel","pid":1,"dev":0,"stream":1,"corr":3,"api":{"ts":12,"dur":1,"pid":1,"tid":8}}
{"ts":20,"dur":3,"kind":"kernel","pid":1,"dev":0,"stream":2,"corr":1,"api":{"ts":3,"dur":1,"pid":1,"tid":7}}
EOF
check 'records that start at the same ts: each range has those of its calls; of two last ends the first counts' 0 '
	range-project --outside --report together' <<'EOF'
{"ts":19,"dur":7,"kind":"gpu_range","name":"outer","pid":1,"tid":7,"dev":0,"id":1,"args":{"ops":2,"records":4,"busy":7,"dur_sum":15,"orig_ts":1,"orig_dur":9,"depth":0,"children":1}}
{"ts":20,"dur":6,"kind":"gpu_range","name":"inner","pid":1,"tid":7,"dev":0,"id":2,"args":{"ops":1,"records":3,"busy":6,"dur_sum":12,"orig_ts":2,"orig_dur":4,"depth":1,"children":0,"parent":1}}
{"ts":20,"dur":8,"kind":"gpu_range","pid":1,"dev":0,"stream":1,"args":{"ops":2,"records":2,"busy":8,"dur_sum":16,"last_tid":9}}
--- stderr
range-project: ranges: 2, with device work: 2, without an end: 0; device records: 6, inside ranges: 4, outside: 2, without a call: 0
EOF

# --- random ranges, many of which cross, compared with the definition

n=$(amount 15 60 500)
have python3 && check 'random ranges agree with the definition' 0 "range_projection.py --random $n" <<EOF
$n traces, 0 wrong
EOF

# Two million ranges on one thread, a thousand in each step: a search must not visit all of them.
awk 'BEGIN {
	for (t = 0; t < 20000000; t += 10) {
		if (t % 10000 == 0) {
			printf "{\"ts\":%d,\"dur\":9990,\"kind\":\"range\",\"name\":\"step\",\"pid\":1,\"tid\":7}\n", t
			printf "{\"ts\":%d,\"dur\":5,\"kind\":\"kernel\",\"name\":\"k\",\"pid\":1,\"dev\":0,\"stream\":1,\"corr\":%d,", t, t
			printf "\"api\":{\"name\":\"c\",\"ts\":%d,\"dur\":1,\"pid\":1,\"tid\":7}}\n", t - 5000
		}
		printf "{\"ts\":%d,\"dur\":5,\"kind\":\"range\",\"name\":\"op\",\"pid\":1,\"tid\":7}\n", t
	}
}' >many
slow check 'two million ranges of a thread' 0 \
	'timeout 60 range-project many | groupby -g name -a count,sum:args.ops -o csv' <<'EOF'
name,count,args.ops_sum
op,1999,1999
step,1999,1999
EOF
rm -f many

# --- each row of the vendor's projection, except its columns of threads and stacks, which scripts add

for trace in unet3d_baseline_trim.json unet3d_dali_amp_trim.json unet3d_baseline_full.json.gz; do
	golden=golden/nsys/${trace%%.json*}/nvtx_gpu_proj_trace.csv
	have mlr || continue
	need_shared "data/nsys/$trace" "$golden" || continue
	columns='Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration (ns)'
	columns=$columns,Style,NumGPUOps,Lvl,RangeId,ParentId
	mlr --icsv --ocsv --headerless-csv-output cut -f "$columns" "$SHARED/$golden" | sort >want
	check "projection of $trace is the same as the vendor's" 0 \
		'trace2ndjson "$SHARED/data/nsys/'"$trace"'" | ts-sort | corr-join --sorted |
		range-project --scope thread --outside |
		ndjson2table -o csv -f name,ts,dur,args.orig_ts,args.orig_dur,args.style,args.ops,args.depth,id,args.parent |
		sed 1d | sort | diff want -' </dev/null
done

# 400,000 nested ranges: a search through all enclosing ranges for each one would take minutes.
slow check '400,000 nested ranges' 0 \
	'seq 0 399999 |
		awk "{ printf \"{\\\"ts\\\":%d,\\\"dur\\\":%d,\" \
			\"\\\"kind\\\":\\\"range\\\",\\\"name\\\":\\\"r\\\",\\\"pid\\\":1,\\\"tid\\\":1}\n\",
			\$1, 800000 - 2 * \$1 }" >deep
	printf "%s" "{\"ts\":400000,\"dur\":1,\"kind\":\"kernel\",\"name\":\"k\"," \
		"\"api\":{\"ts\":400000,\"dur\":0,\"pid\":1,\"tid\":1}}" >>deep
	range-project deep | ndjson2table -o csv -f id,args.depth,args.parent | tail -n 1' <<'E'
400000,399999,399999
E

finish
