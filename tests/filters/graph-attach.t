#!/bin/sh
# graph-attach.t: tests which node of which capture each kernel of a graph gets, in examples, in random runs by
# comparison with what they replayed, and in recorded traces.
. "${0%/*}/../lib.sh"
have python3 || finish

# --- examples: a capture of three operators on a thread, and its launches

cat >capture <<'E'
{"ts":5,"dur":90,"kind":"range","name":"capture_8_FULL","pid":7,"tid":7}
{"ts":10,"dur":2,"kind":"api","name":"hipStreamBeginCapture","pid":7,"tid":7,"corr":1}
{"ts":13,"dur":70,"kind":"python","name":"nn.Module: Model_0","pid":7,"tid":7}
{"ts":14,"dur":30,"kind":"python","name":"nn.Module: Linear_0","pid":7,"tid":7}
{"ts":20,"dur":20,"kind":"op","name":"linear","pid":7,"tid":7,"args":{"Input Dims":[[8,4]]}}
{"ts":21,"dur":18,"kind":"op","name":"mm","pid":7,"tid":7,"args":{"Input Dims":[[8,4],[4,4]]}}
{"ts":22,"dur":2,"kind":"api","name":"hipLaunchKernel","pid":7,"tid":7,"corr":2,"args":{"kernel":"gemm"}}
{"ts":25,"dur":2,"kind":"api","name":"hipLaunchKernel","pid":7,"tid":8,"corr":3,"args":{"kernel":"other thread"}}
{"ts":28,"dur":2,"kind":"api","name":"hipGraphLaunch","pid":7,"tid":7,"corr":9}
{"ts":50,"dur":9,"kind":"op","name":"copy_","pid":7,"tid":7}
{"ts":51,"dur":2,"kind":"api","name":"hipMemcpyAsync","pid":7,"tid":7,"corr":4}
{"ts":60,"dur":9,"kind":"op","name":"triton_poi","pid":7,"tid":7,"args":{"kernel_name":"poi","kernel_file":"a.py"}}
{"ts":61,"dur":2,"kind":"api","name":"hipModuleLaunchKernel","pid":7,"tid":7,"corr":5}
{"ts":70,"dur":2,"kind":"api","name":"hipLaunchKernel","pid":7,"tid":7,"corr":6,"args":{"kernel":"at once"}}
{"ts":75,"dur":2,"kind":"kernel","name":"at once","dev":0,"stream":3,"corr":6}
{"ts":90,"dur":2,"kind":"api","name":"hipStreamEndCapture","pid":7,"tid":7,"corr":8}
E
# run NAME...: a launch with these kernels on stream 3 of device 0, after one kernel of another call.
run() {
	echo '{"ts":100,"dur":9,"kind":"api","name":"hipGraphLaunch","pid":1,"tid":1,"corr":50}'
	echo '{"ts":110,"dur":1,"kind":"kernel","name":"own","dev":0,"stream":3,"corr":49,"op":"own"}'
	ts=200
	for name; do
		kind=kernel
		[ "$name" != copy ] || kind=memcpy
		printf '{"ts":%s,"dur":2,"kind":"%s","name":"%s","dev":0,"stream":3,"corr":50,' $ts $kind "$name"
		echo '"api":{"name":"hipGraphLaunch","ts":100,"dur":9,"pid":1,"tid":1},"op":"replay","args":{"x":1}}'
		ts=$((ts + 10))
	done
}
run gemm copy poi >run
run gemm copy other >other
check 'equal lists: operators, modules, fields of the operator; other records pass unchanged' 0 '
	graph-attach --graphs capture --take "dims=args.\"Input Dims\"" run' <<'E'
{"ts":100,"dur":9,"kind":"api","name":"hipGraphLaunch","pid":1,"tid":1,"corr":50}
{"ts":110,"dur":1,"kind":"kernel","name":"own","dev":0,"stream":3,"corr":49,"op":"own"}
{"ts":200,"dur":2,"kind":"kernel","name":"gemm","dev":0,"stream":3,"corr":50,"api":{"name":"hipGraphLaunch","ts":100,"dur":9,"pid":1,"tid":1},"op":"mm","ops":["linear","mm"],"module":"Linear_0","modules":["Model_0","Linear_0"],"dims":[[8,4],[4,4]],"capture":0,"node":0,"match":"list","args":{"x":1}}
{"ts":210,"dur":2,"kind":"memcpy","name":"copy","dev":0,"stream":3,"corr":50,"api":{"name":"hipGraphLaunch","ts":100,"dur":9,"pid":1,"tid":1},"op":"copy_","ops":["copy_"],"module":"Model_0","modules":["Model_0"],"capture":0,"node":1,"match":"list","args":{"x":1}}
{"ts":220,"dur":2,"kind":"kernel","name":"poi","dev":0,"stream":3,"corr":50,"api":{"name":"hipGraphLaunch","ts":100,"dur":9,"pid":1,"tid":1},"op":"triton_poi","ops":["triton_poi"],"module":"Model_0","modules":["Model_0"],"kernel_file":"a.py","capture":0,"node":2,"match":"list","args":{"x":1}}
--- stderr
graph-attach: 3 of 3 kernels of 1 graph launch: 3 by equal lists (100 % of the time). Captures: 1 (3 nodes)
E
check 'any order of the capture, a compressed file, a folder' 0 '
	mkdir folder; tac capture | gzip >folder/capture.gz; cp capture folder/.hidden
	graph-attach --graphs folder run | filter-calls -k kernel,memcpy | ndjson2table -o csv -f match,op,node,name' <<'E'
match,op,node,name
,own,,own
list,mm,0,gemm
list,copy_,1,copy
list,triton_poi,2,poi
--- stderr
graph-attach: 3 of 3 kernels of 1 graph launch: 3 by equal lists (100 % of the time). Captures: 1 (3 nodes)
E
check 'another model: the first names that differ, exit 1, and no operator of the launch remains' 1 '
	graph-attach --graphs capture other --quiet 2>/dev/null | grep -c replay
	graph-attach --graphs capture other --quiet 2>/dev/null | grep -c match...none
	graph-attach --graphs capture other >/dev/null' <<'E'
0
3
--- stderr
graph-attach: 0 of 3 kernels of 1 graph launch: 3 unknown (100 % of the time). Captures: 1 (3 nodes)
graph-attach: the captures are of other graphs, such as those of another model or rank: a kernel is "other", and the node at its place "poi"
E
check 'a file without a capture; a capture without an end; a missing file; no capture given' 2 '
	head -n 3 capture >cut; graph-attach --graphs cut run | wc -l
	graph-attach run | cmp - run && graph-attach --quiet run | wc -l; graph-attach --graphs absent run' <<'E'
5
5
--- stderr
graph-attach: cut: no capture of a graph: no call of cudaStreamBeginCapture or hipStreamBeginCapture with its end
graph-attach: 1 captures begin and do not end
graph-attach: 0 of 3 kernels of 1 graph launch: 3 unknown (100 % of the time). Captures: 0 (0 nodes)
graph-attach: no capture fits: their numbers of nodes differ from those of the launches, or the kernels ran on several streams and the captures do not have their names
graph-attach: 0 of 3 kernels of 1 graph launch: no capture given (--graphs)
graph-attach: --graphs: absent: No such file or directory
E
check 'wrong names of members; input that is not in ts order' 2 '
	for take in op=name match=name ts=name; do graph-attach --take $take capture; done
	tac run >back; graph-attach back' <<'E'
{"ts":220,"dur":2,"kind":"kernel","name":"poi","dev":0,"stream":3,"corr":50,"api":{"name":"hipGraphLaunch","ts":100,"dur":9,"pid":1,"tid":1},"op":"replay","args":{"x":1}}
--- stderr
graph-attach: --take: 'op' is already the name of a member; choose another name
graph-attach: --take: 'match' is already the name of a member; choose another name
graph-attach: --take: 'ts' is a standard member; choose another name
graph-attach: back:2: not in ts order; run: ts-sort back | graph-attach
E
check 'ranks: a capture of the same rank, else one of rank 0; never one of another rank' 0 '
	sed "s/,\"[pd][ie][dv]\"/,\"rank\":3&/" capture >three; sed "s/\"rank\":3/\"rank\":0/; s/\"mm\"/\"mm0\"/" three >zero
	for r in 0 3 5; do
		sed "s/,\"dev\"/,\"rank\":$r&/; s/h\",\"pid\"/h\",\"rank\":$r,\"pid\"/" run >at
		graph-attach --graphs three --graphs zero --quiet at | grep gemm | grep -o "\"op\":\"[a-z0-9]*"
	done; graph-attach --graphs three --quiet at | grep -o match.*none.' <<'E'
"op":"mm0
"op":"mm
"op":"mm0
match":"none"
match":"none"
match":"none"
--- stderr
graph-attach: no capture fits: their numbers of nodes differ from those of the launches, or the kernels ran on several streams and the captures do not have their names
E
printf '{"8589934593":[{"name":"outer"},{"name":"mm","module_fqn":"model.linear"}]}' >kernel_annotations_rank0_1.json
check 'annotations of node ids, before any other rule' 0 '
	head -n 3 run | sed "s/\"x\":1/\"graph node id\":8589934593/" |
	graph-attach --graphs kernel_annotations_rank0_1.json | grep match' <<'E'
{"ts":200,"dur":2,"kind":"kernel","name":"gemm","dev":0,"stream":3,"corr":50,"api":{"name":"hipGraphLaunch","ts":100,"dur":9,"pid":1,"tid":1},"op":"mm","ops":["outer","mm"],"module":"model.linear","match":"node","args":{"graph node id":8589934593}}
--- stderr
graph-attach: 1 of 1 kernel of 1 graph launch: 1 by node ids (100 % of the time). Captures: 0 (0 nodes)
E
check 'a trace that was annotated before: its kernels have the annotation' 0 '
	head -n 4 run | sed "s/\"x\":1/\"graph node id\":7,\"name\":\"mm\",\"module_fqn\":\"model.linear\"/" |
	graph-attach --take name_too=name | ndjson2table -o csv -f name,op,ops,module,name_too,match' <<'E'
name,op,ops,module,name_too,match
hipGraphLaunch,,,,,
own,own,,,,
gemm,mm,"[""mm""]",model.linear,mm,node
copy,mm,"[""mm""]",model.linear,mm,node
--- stderr
graph-attach: 2 of 2 kernels of 1 graph launch: 2 by node ids (100 % of the time). Captures: 0 (0 nodes)
E

# Creations of nodes as in a database of nsys, in a range on their thread: 1 and its copies 2 and 3, a cycle of 4 and 5,
# a copy whose original was not recorded, and one of another process.
{
	echo '{"ts":10,"dur":50,"kind":"range","name":"layer","pid":1,"tid":1}'
	echo '{"ts":20,"dur":9,"kind":"range","name":"mm","pid":1,"tid":1}'
	echo '{"ts":20,"dur":9,"kind":"range","name":"other thread","pid":1,"tid":2}'
	while read -r ts pid id of; do
		printf '{"ts":%s,"dur":0,"kind":"other","name":"Graph Node Creation","pid":%s,"tid":1,' $ts $pid
		echo "\"args\":{\"graphNodeId\":$id,\"originalGraphNodeId\":$of}}"
	done <<E
22 1 1 null
23 2 6 2
24 2 2 null
62 1 3 2
63 1 2 1
64 1 1 4
65 1 4 5
66 1 5 4
67 1 7 99
E
} >nodes
for id in 1 2 3 4 5 6 7 99; do
	for pid in 1 2; do
		{
			printf '{"ts":200,"dur":2,"kind":"kernel","name":"k","pid":%s,"dev":0,"stream":3,"corr":50,' $pid
			printf '"api":{"name":"cudaGraphLaunch","ts":100,"dur":9,"pid":%s,"tid":1},' $pid
			echo "\"args\":{\"graphNodeId\":$id}}"
		} >launch_$id.$pid
	done
done
check 'nsys: a node has the ranges around the creation of its original, in its process' 0 '
	for launch in launch_*; do
		graph-attach --quiet --graphs nodes $launch 2>said |
		ndjson2table --quiet -o csv -f pid,args.graphNodeId,op,ops,match | sed 1d
	done' <<'E'
1,1,mm,"[""layer"",""mm""]",node
2,1,,,none
1,2,mm,"[""layer"",""mm""]",node
2,2,,,node
1,3,mm,"[""layer"",""mm""]",node
2,3,,,none
1,4,,,none
2,4,,,none
1,5,,,none
2,5,,,none
1,6,,,none
2,6,,,node
1,7,,,none
2,7,,,none
1,99,,,none
2,99,,,none
E
check 'nsys: whole graphs instead of kernels' 1 '
	sed "s/gemm/[CUDA graph]/" run | graph-attach --quiet --graphs capture >/dev/null' <<'E'
--- stderr
graph-attach: the trace has the times of whole graphs, not of their kernels; record it with nsys --cuda-graph-trace=node
E

# --- kernels that wait, since their launch may have run either of two equal captures

sed 's/"mm"/"other mm"/' capture >capture2
while read -r ts kind members; do
	echo "{\"ts\":$ts,\"dur\":2,\"kind\":\"$kind\",\"name\":$members}"
done >waiting <<'E'
200 kernel "gemm","dev":0,"stream":3,"api":{"name":"hipGraphLaunch","ts":100,"pid":1,"tid":1},"delay":100,"queue":9,"args":{"x":1}
210 kernel "other","dev":0,"stream":5,"args":{"x":1}
220 memcpy "copy","dev":0,"stream":3,"api":{"name":"hipGraphLaunch","ts":100,"pid":1,"tid":1},"delay":120,"queue":-1,"args":{"x":1}
230 kernel "poi","dev":0,"stream":3,"api":{"name":"hipGraphLaunch","ts":100,"pid":1,"tid":1},"delay":130,"args":{"x":1}
300 kernel "gemm","dev":0,"stream":4,"api":{"name":"hipGraphLaunch","ts":101,"pid":1,"tid":1}
310 memcpy "copy","dev":0,"stream":4,"bytes":3,"api":{"name":"hipGraphLaunch","ts":101,"pid":1,"tid":1},"delay":200
320 kernel "poi","dev":0,"stream":4,"api":{"name":"hipGraphLaunch","ts":101,"pid":1,"tid":1},"delay":2e2
E
check 'kernels that wait are written as they were, whatever their args, delay and queue are' 0 '
	graph-attach --quiet --graphs capture --graphs capture2 waiting >out
	derive --drop op,ops,module,modules,kernel_file,match out | diff - waiting && grep -o "match.*" out' <<'E'
match":"ambiguous","args":{"x":1}}
match":"ambiguous","args":{"x":1}}
match":"ambiguous","args":{"x":1}}
match":"ambiguous"}
match":"ambiguous"}
match":"ambiguous"}
E

# If the time were quadratic, this would take 15 s.
check 'many launches without kernels' 0 '
	seq 100000 | sed "s/.*/{\"ts\":&,\"dur\":1,\"kind\":\"api\",\"name\":\"cudaGraphLaunch\",\"corr\":&}/" >launches
	ulimit -t 5; graph-attach --quiet launches | cmp - launches' </dev/null

# --- random runs, and recorded traces

seeds=$(amount 6 30) export seeds
check 'random runs: no kernel gets the operator of another node' 0 '
	seed=1; while [ $seed -le $seeds ]; do
		graph_matches.py make made $seed $([ $((seed % 5)) != 0 ] || echo cuda)
		graph-attach --graphs made/capture.ndjson made/run.ndjson 2>/dev/null | graph_matches.py check made
		seed=$((seed + 1))
	done | sed "s/.*wrong/wrong/" | sort -u' <<'E'
wrong: 0
E
for trace in vllm_decode_full sglang_decode; do
	need_shared "data/graphs/$trace" "golden/graphs/$trace" || continue
	kernels=421
	[ $trace = vllm_decode_full ] || kernels=544
	slow check "$trace: each kernel gets the operator, modules and shapes of the reference" 0 "
		trace2ndjson $SHARED/data/graphs/$trace/run.json.gz | ts-sort | nvtx-attach -r op --as op | corr-join --sorted |
		graph-attach --graphs $SHARED/data/graphs/$trace/capture.json.gz --take 'dims=args.\"Input Dims\"' |
		graph_matches.py golden $SHARED/golden/graphs/$trace" <<E
$kernels kernels, wrong: 0
--- stderr
graph-attach: $kernels of $kernels kernels of 1 graph launch: $kernels by equal lists (100 % of the time). Captures: 1 ($kernels nodes)
E
done
finish
