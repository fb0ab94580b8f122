#!/bin/sh
# call-tree.t: tests the call trees of threads, self times, and trees by id.
. "${0%/*}/../lib.sh"
have python3 || finish

# show.py: prints the members that call-tree added, in the order of nodes.
cat >show.py <<'E'
import json, sys
rows = [json.loads(line) for line in sys.stdin]
for r in sorted((r for r in rows if "node" in r), key=lambda r: r["node"]):
    print(r["node"], "  " * r["depth"] + r.get("name", "-"), r.get("parent_node", "-"), r.get("parent_name", "-"),
        r.get("self", "-"), r["children"], r["launches"], *r.get("stack", []))
E

# --- nesting

cat >nested <<'E'
{"ts":100,"dur":100,"kind":"range","name":"step","pid":1,"tid":7}
{"ts":110,"dur":50,"kind":"op","name":"aten::linear","pid":1,"tid":7,"args":{"depth":"mine"}}
{"ts":115,"dur":30,"kind":"op","name":"aten::addmm","pid":1,"tid":7}
{"ts":120,"dur":5,"kind":"api","name":"cudaMemsetAsync_v3020","pid":1,"tid":7,"corr":4}
{"ts":126,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":5}
{"ts":127,"dur":8,"kind":"api","name":"cuLaunchKernel","pid":1,"tid":7,"corr":5}
{"ts":130,"dur":10,"kind":"kernel","name":"gemm","pid":1,"dev":0,"stream":7,"corr":5}
{"ts":150,"dur":2,"kind":"api","name":"cudaStreamSynchronize","pid":1,"tid":7,"corr":6}
{"ts":150,"dur":40,"kind":"op","name":"backward","pid":1,"tid":8}
{"ts":152,"kind":"mark","name":"here","pid":1,"tid":7}
E
check 'adds depth, node, parent, self, children and launches to nested calls' 0 'call-tree nested' <<'E'
{"ts":120,"dur":5,"kind":"api","name":"cudaMemsetAsync_v3020","pid":1,"tid":7,"corr":4,"depth":3,"node":4,"parent_node":3,"parent_name":"aten::addmm","self":5,"children":0,"launches":0}
{"ts":130,"dur":10,"kind":"kernel","name":"gemm","pid":1,"dev":0,"stream":7,"corr":5}
{"ts":127,"dur":8,"kind":"api","name":"cuLaunchKernel","pid":1,"tid":7,"corr":5,"depth":4,"node":6,"parent_node":5,"parent_name":"cudaLaunchKernel","self":8,"children":0,"launches":0}
{"ts":126,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":7,"corr":5,"depth":3,"node":5,"parent_node":3,"parent_name":"aten::addmm","self":2,"children":1,"launches":1}
{"ts":115,"dur":30,"kind":"op","name":"aten::addmm","pid":1,"tid":7,"depth":2,"node":3,"parent_node":2,"parent_name":"aten::linear","self":15,"children":2,"launches":2}
{"ts":152,"kind":"mark","name":"here","pid":1,"tid":7}
{"ts":150,"dur":2,"kind":"api","name":"cudaStreamSynchronize","pid":1,"tid":7,"corr":6,"depth":2,"node":7,"parent_node":2,"parent_name":"aten::linear","self":2,"children":0,"launches":0}
{"ts":110,"dur":50,"kind":"op","name":"aten::linear","pid":1,"tid":7,"depth":1,"node":2,"parent_node":1,"parent_name":"step","self":18,"children":2,"launches":2,"args":{"depth":"mine"}}
{"ts":100,"dur":100,"kind":"range","name":"step","pid":1,"tid":7,"depth":0,"node":1,"self":50,"children":1,"launches":2}
{"ts":150,"dur":40,"kind":"op","name":"backward","pid":1,"tid":8,"depth":0,"node":8,"self":40,"children":0,"launches":0}
E
check '-r, --launch and --stack' 0 \
	'call-tree -r op,api --stack --launch Synchronize nested | python3 show.py' <<'E'
1 aten::linear - - 18 2 1 aten::linear
2   aten::addmm 1 aten::linear 15 2 0 aten::linear aten::addmm
3     cudaMemsetAsync_v3020 2 aten::addmm 5 0 0 aten::linear aten::addmm cudaMemsetAsync_v3020
4     cudaLaunchKernel 2 aten::addmm 2 1 0 aten::linear aten::addmm cudaLaunchKernel
5       cuLaunchKernel 4 cudaLaunchKernel 8 0 0 aten::linear aten::addmm cudaLaunchKernel cuLaunchKernel
6   cudaStreamSynchronize 1 aten::linear 2 0 0 aten::linear cudaStreamSynchronize
7 backward - - 40 0 0 backward
E
cat >numbered <<'E'
{"ts":1,"dur":50,"kind":"range","name":"a","pid":1,"tid":7,"row":5,"args":{"x":"q,"}}
{"ts":2,"dur":5,"kind":"range","pid":1,"tid":7,"row":6}
{"ts":3,"dur":1,"kind":"range","name":"c","pid":1,"tid":7,"args":{"x":[1,2]}}
{"ts":4,"kind":"mark","name":"m","row":7}
{"ts":60,"dur":1,"kind":"range","name":"d","pid":1,"tid":7,"row":9}
{"ts":61,"dur":1,"kind":"activity","name":"e","id":1,"row":10}
{"ts":62,"dur":1,"kind":"activity","name":"f","id":2,"parent":1,"args":{"x":1.50}}
E
check '--stack=FIELD' 0 'for s in --stack --stack=row --stack=x; do
	call-tree $s numbered | ts-sort | ndjson2table -f stack -o raw; done' <<'E'
["a"]
["a",""]
["a","","c"]
["d"]
["e"]
["e","f"]
[5]
[5,6]
[5,6,null]
[9]
[10]
[10,null]
["q,"]
["q,",null]
["q,",null,[1,2]]
[null]
[null]
[null,1.50]
E
check '--stack needs a field after =' 2 'call-tree --stack= numbered' <<'E'
--- stderr
call-tree: --stack: '': invalid field: the name is empty
E
check 'a second pass replaces the members of the first one' 0 \
	'call-tree nested | ts-sort | call-tree -r op | grep linear | grep -v addmm' <<'E'
{"ts":150,"dur":2,"kind":"api","name":"cudaStreamSynchronize","pid":1,"tid":7,"corr":6,"depth":2,"node":7,"parent_node":2,"parent_name":"aten::linear","self":2,"children":0,"launches":0}
{"ts":110,"dur":50,"kind":"op","name":"aten::linear","pid":1,"tid":7,"depth":0,"node":1,"self":20,"children":1,"launches":0,"args":{"depth":"mine"}}
E

# Prints the calls that are not counted as launches.
check 'counts launches of kernels and graphs, and asynchronous copies and sets' 0 \
	'for call in cudaLaunchKernel cudaLaunchKernelExC_v11060 cuLaunchKernelEx cudaGraphLaunch_v10000 cuGraphLaunch \
	cudaLaunchCooperativeKernel cudaMemcpyAsync cuMemcpyHtoDAsync_v2 cudaMemcpy2DAsync cudaMemset3DAsync hipLaunchKernel \
	hipExtModuleLaunchKernel hipExtLaunchKernel hipMemcpyWithStream hipGraphLaunch \
		urEnqueueKernelLaunch clEnqueueNDRangeKernel clEnqueueWriteBuffer \
	zeCommandListAppendLaunchKernel cudaLaunchHostFunc cudaMemcpy cudaGraphKernelNodeSetParams \
		clEnqueueMarker xcudaLaunchKernel; do
		printf "{\"ts\":%s}\n" "1,\"dur\":9,\"kind\":\"op\",\"name\":\"o\"" \
			"2,\"dur\":1,\"kind\":\"api\",\"name\":\"$call\"" |
			call-tree | grep -q "launches\":1" || echo $call
	done' <<'E'
cudaLaunchHostFunc
cudaMemcpy
cudaGraphKernelNodeSetParams
clEnqueueMarker
xcudaLaunchKernel
E

# A record that starts at the end of a root is another root. Below a root, a record with dur 0 that starts at the end of
# another record is its child.
cat >edges <<'E'
{"ts":-5,"dur":10,"kind":"op","name":"root"}
{"ts":-5,"dur":10,"kind":"op","name":"twin"}
{"ts":-5,"dur":0,"kind":"op","name":"at the start"}
{"ts":0,"dur":3,"kind":"op","name":"inner"}
{"ts":3,"dur":0,"kind":"op","name":"at the end of inner"}
{"ts":3,"dur":1,"kind":"op","name":"right after inner"}
{"ts":4,"dur":1,"kind":"op","name":"last"}
{"ts":5,"dur":0,"kind":"op","name":"at the end of root"}
{"ts":5,"dur":0,"kind":"op","name":"there too"}
{"ts":5,"dur":-7,"kind":"op","name":"negative dur"}
{"ts":9,"dur":9223372036854775807,"kind":"op","name":"maximum dur"}
{"ts":10,"dur":1,"kind":"op","name":"\"\\\u00e9","rank":0}
E
check 'places calls that start at the end of another call' 0 'call-tree edges | python3 show.py' <<'E'
1 root - - 0 1 0
2   twin 1 root 5 4 0
3     at the start 2 twin 0 0 0
4     inner 2 twin 3 1 0
5       at the end of inner 4 inner 0 0 0
6     right after inner 2 twin 1 0 0
7     last 2 twin 1 0 0
8 at the end of root - - 0 0 0
9 there too - - 0 0 0
10 negative dur - - 0 0 0
11 maximum dur - - 9223372036854775798 0 0
12 "\é - - 1 0 0
E

cat >threads <<'E'
{"ts":0,"dur":9,"kind":"op","name":"a","rank":0,"pid":1,"tid":7}
{"ts":1,"dur":1,"kind":"op","name":"another rank","rank":1,"pid":1,"tid":7}
{"ts":2,"dur":1,"kind":"op","name":"another process","rank":0,"pid":2,"tid":7}
{"ts":3,"dur":1,"kind":"op","name":"the thread as text","rank":0,"pid":1,"tid":"7"}
{"ts":4,"dur":1,"kind":"op","name":"no thread","rank":0,"pid":1}
{"ts":5,"dur":1,"kind":"op","rank":0,"pid":1,"tid":7}
{"ts":5,"dur":1,"kind":"op","name":"on another clock","rank":0,"pid":1,"tid":7,"clock":"gpu"}
{"ts":5,"kind":"op","name":"without an end","rank":0,"pid":1,"tid":7}
{"dur":5,"kind":"op","name":"without a time","rank":0,"pid":1,"tid":7}
E
check 'builds a tree for each rank, process and thread' 0 'call-tree --stack threads | python3 show.py' <<'E'
1 a - - 8 1 0 a
2 another rank - - 1 0 0 another rank
3 another process - - 1 0 0 another process
4 the thread as text - - 1 0 0 the thread as text
5 no thread - - 1 0 0 no thread
6   - 1 a 1 0 0 a 
--- stderr
call-tree: threads:8: call without a dur; not placed in a tree
E
check 'writes all records' 0 'call-tree threads 2>/dev/null | wc -l' <<'E'
9
E

# B crosses A; C crosses A and B; D is enclosed by C; E is enclosed by R only, and crosses B, C and D.
cat >crossing <<'E'
{"ts":0,"dur":100,"kind":"op","name":"R"}
{"ts":10,"dur":20,"kind":"op","name":"A"}
{"ts":20,"dur":20,"kind":"op","name":"B"}
{"ts":25,"dur":25,"kind":"op","name":"C"}
{"ts":26,"dur":10,"kind":"op","name":"D"}
{"ts":30,"dur":30,"kind":"op","name":"E"}
{"ts":90,"dur":20,"kind":"op","name":"outlasts the root"}
{"ts":95,"dur":1,"kind":"op","name":"F"}
E
check '--crossing=child (default) counts common time for the later call' 0 'call-tree crossing | python3 show.py' <<'E'
1 R - - 40 4 0
2   A 1 R 10 0 0
3   B 1 R 5 0 0
4   C 1 R 1 1 0
5     D 4 C 4 0 0
6   E 1 R 30 0 0
7 outlasts the root - - 19 1 0
8   F 7 outlasts the root 1 0 0
--- stderr
call-tree: crossing:3: call partly overlaps an earlier call; their common time is added to the later call (and 3 more)
E
check '--crossing=sibling counts common time for both calls' 0 \
	'call-tree --crossing=sibling crossing | python3 show.py; call-tree --crossing=child crossing 2>/dev/null |
	python3 show.py | sed -n 1,2p' <<'E'
1 R - - 5 4 0
2   A 1 R 20 0 0
3   B 1 R 20 0 0
4   C 1 R 15 1 0
5     D 4 C 10 0 0
6   E 1 R 30 0 0
7 outlasts the root - - 19 1 0
8   F 7 outlasts the root 1 0 0
1 R - - 40 4 0
2   A 1 R 10 0 0
--- stderr
call-tree: crossing:3: call partly overlaps an earlier call; their common time is added to both (and 3 more)
E
# R lasts 10 ns, which is less than the total time of its children.
check '--crossing=sibling may give a negative self time' 0 \
	'printf "%s\n" "{\"ts\":0,\"dur\":10,\"kind\":\"op\",\"name\":\"R\"}" \
		"{\"ts\":1,\"dur\":8,\"kind\":\"op\",\"name\":\"A\"}" \
	"{\"ts\":2,\"dur\":8,\"kind\":\"op\",\"name\":\"B\"}" | call-tree --crossing=sibling 2>/dev/null |
	python3 show.py' <<'E'
1 R - - -6 2 0
2   A 1 R 8 0 0
3   B 1 R 8 0 0
E
check 'reports input without records that form trees' 0 'grep kernel nested | call-tree' <<'E'
{"ts":130,"dur":10,"kind":"kernel","name":"gemm","pid":1,"dev":0,"stream":7,"corr":5}
--- stderr
call-tree: no records of the kinds that form trees (see -r)
E
echo '{"ts":1,"kind":"op","name":"a","pid":1,"tid":1}' >endless
check 'a call without a dur: no message that there are no calls' 0 'call-tree endless' <<'E'
{"ts":1,"kind":"op","name":"a","pid":1,"tid":1}
--- stderr
call-tree: endless:1: call without a dur; not placed in a tree
E
check 'rejects input out of ts order' 2 'tac nested | call-tree -r op >/dev/null' <<'E'
--- stderr
call-tree: stdin:2: not in ts order; run: ... | ts-sort | call-tree -r op
E
check 'rejects invalid values of options' 2 \
	'call-tree -r ops nested; call-tree --launch "(" nested; call-tree --crossing=no nested' <<'E'
--- stderr
call-tree: -r: 'ops': expected kernel, memcpy, memset, sync, api, op, python, range, mark, gpu_range, primitive, create, activity, programinfo, kernelinfo, buildinfo, deviceinfo, platforminfo, sample, counter, flow, row, total, gap, collective, clock, meta or other; did you mean 'op'?
call-tree: --launch: '(': invalid regular expression: unmatched ( or \(
call-tree: --crossing: 'no': expected child or sibling
E

# --- trees by id

cat >linked <<'E'
{"ts":10,"dur":100,"kind":"activity","name":"Run","id":"r"}
{"ts":20,"dur":30,"kind":"activity","name":"Enqueue","id":"e","parent":"r"}
{"ts":25,"dur":10,"kind":"activity","name":"Kernel","id":"k","parent":"e"}
{"ts":30,"dur":50,"kind":"kernel","name":"after its parent","dev":0,"id":7,"parent":"k"}
{"ts":40,"dur":200,"kind":"activity","name":"outlasts","id":"o","parent":"r"}
{"ts":45,"dur":5,"kind":"api","name":"cudaLaunchKernel","id":"o","parent":"o"}
{"ts":1,"dur":5,"kind":"kernel","name":"another clock","clock":"gpu","id":8,"parent":"k"}
{"ts":50,"kind":"activity","name":"never ended","id":"n","parent":"r"}
{"ts":60,"dur":1,"kind":"activity","name":"in it","id":"i","parent":"n"}
{"ts":60,"dur":1,"kind":"activity","name":"orphan","id":"x","parent":"nobody"}
{"ts":61,"dur":1,"kind":"activity","name":"its own","id":"s","parent":"s"}
{"ts":62,"dur":1,"kind":"activity","name":"circle 1","id":"c1","parent":"c2"}
{"ts":63,"dur":1,"kind":"activity","name":"circle 2","id":"c2","parent":"c1"}
{"ts":64,"dur":1,"kind":"activity","name":"in the circle","id":"c3","parent":"c2"}
{"ts":65,"dur":1,"kind":"activity","name":"another rank","rank":1,"id":"e","parent":"r"}
{"ts":66,"dur":4,"kind":"activity","name":"by its thread","tid":3}
{"ts":67,"dur":2,"kind":"kernel","name":"no parent","id":9}
E
check 'builds trees from id and parent' 0 'call-tree --stack linked | python3 show.py' <<'E'
1 Run - - 10 3 0 Run
2   Enqueue 1 Run 20 1 0 Run Enqueue
3     Kernel 2 Enqueue 5 2 0 Run Enqueue Kernel
4       after its parent 3 Kernel 50 0 0 Run Enqueue Kernel after its parent
5   outlasts 1 Run 200 0 0 Run outlasts
6 cudaLaunchKernel - - 5 0 0 cudaLaunchKernel
7       another clock 3 Kernel 5 0 0 Run Enqueue Kernel another clock
8   never ended 1 Run - 1 0 Run never ended
9     in it 8 never ended 1 0 0 Run never ended in it
10 orphan - - 1 0 0 orphan
11 its own - - 1 0 0 its own
12   circle 1 13 circle 2 1 0 0 circle 2 circle 1
13 circle 2 - - 1 2 0 circle 2
14   in the circle 13 circle 2 1 0 0 circle 2 in the circle
15 another rank - - 1 0 0 another rank
16 by its thread - - 4 0 0 by its thread
--- stderr
call-tree: 4 records have a parent that is not in the input; they become roots
E
cat >twice <<'E'
{"ts":1,"dur":9,"kind":"activity","name":"first","id":1}
{"ts":2,"dur":1,"kind":"activity","name":"below","id":2,"parent":1}
{"ts":3,"dur":9,"kind":"activity","name":"last","id":1}
{"ts":4,"dur":1,"kind":"activity","name":"of another process","pid":7,"id":3,"parent":1}
E
check 'if an id repeats, the last record with it is the parent' 0 'call-tree --stack twice | python3 show.py' <<'E'
1 first - - 9 0 0 first
2   below 3 last 1 0 0 last below
3 last - - 9 1 0 last
4 of another process - - 1 0 0 of another process
--- stderr
call-tree: 1 records have a parent that is not in the input; they become roots
E
check 'builds a tree by id of 100000 levels' 0 \
	'seq 100000 |
		awk "{ printf \"{\\\"ts\\\":%d,\\\"dur\\\":1000000,\\\"kind\\\":\\\"activity\\\",\\\"id\\\":%d,\\\"parent\\\":%d}\n\",
			\$1, 100001 - \$1, 100002 - \$1 }" |
	call-tree 2>/dev/null | tail -n 1' <<'E'
{"ts":100000,"dur":1000000,"kind":"activity","id":1,"parent":2,"depth":99999,"node":100000,"parent_node":99999,"self":1000000,"children":0,"launches":0}
E

# The vendor's notebook has the tree of one invocation: the order, depth and duration of each activity.
plaidml() { # plaidml ACTIVITIES ROWS
	need_shared "golden/plaidml/$1" "golden/plaidml/${1%/*}/tree.csv" || return
	check "builds the same tree as the notebook of PlaidML: ${1%/*}" 0 \
		"plaidml_tree.py records '$SHARED/golden/plaidml/$1' | call-tree |
		plaidml_tree.py tree '$SHARED/golden/plaidml/${1%/*}/tree.csv'" <<E
0 of $2 wrong
E
}
plaidml synth_small_v1/activities.csv 11
plaidml synth_medium_v1/activities.csv.gz 15

# --- real traces: check each record against the definitions

if need_shared data/kineto; then
	traces_in kineto | while IFS= read -r trace; do
		check "places and self times follow the definitions: ${trace##*/}" 0 \
			"trace2ndjson --sort '$trace' 2>/dev/null | call-tree 2>/dev/null | call_places.py" <<'E'
0 wrong 
E
	done
fi
# Compares the trees of random intervals, most of which cross, with the definitions.
check 'places and self times follow the definitions: random intervals' 0 'python3 -c "
import random
random.seed(7)
rows = sorted(((random.randrange(3000), random.randrange(-2, 40), random.randrange(3)) for i in range(3000)),
	key=lambda r: (r[0], -r[1]))
for ts, dur, tid in rows:
    print(chr(123) + f\"\\\"ts\\\":{ts},\\\"dur\\\":{dur},\"
        f\"\\\"kind\\\":\\\"op\\\",\\\"name\\\":\\\"n{ts % 7}\\\",\\\"tid\\\":{tid}\" + chr(125))
" | call-tree 2>/dev/null | call_places.py' <<'E'
0 wrong 
E

n=$(amount 10 30 500)
check 'places and self times follow the definitions: records with unusual values' 0 "call_places.py --random $n" <<E
$n traces, 0 wrong
E

check "self times are equal to those of PyTorch's key_averages(): random intervals" 0 'torch_averages.py random' <<'E'
True
E
if need_shared data/kineto; then
	check "self times are equal to those of PyTorch's key_averages(): real traces" 0 \
		"cd '$SHARED/data/kineto' && torch_averages.py $(amount '' 'al* ns* s*' '*')" <<'E'
True
E
fi

if need_shared data/kineto/dlrm_a100_2022_control.json.gz golden/kineto/dlrm_overheads/control_1_4.input.json.gz; then
	# Threads with a negative tid are left out, as rule R5 of formats/kineto.md says.
	check 'DLRM: numbers of roots and of launches with device work' 0 \
		'for t in data/kineto/dlrm_a100_2022_control.json.gz golden/kineto/dlrm_overheads/control_1_4.input.json.gz; do
		trace2ndjson --sort "$SHARED/$t" | call-tree -r op,api >placed
		filter-calls -c -w "tid>=0" -w depth==0 placed
		ts-sort placed | corr-join --sorted | filter-calls -w api | groupby -g corr -a count | wc -l
	done' <<'E'
10362
9450
6911
6300
E
fi

# --- records that have the members already

cat >again <<'E'
{"ts":1,"dur":10,"kind":"range","name":"step","pid":1,"tid":1}
{"ts":2,"dur":3,"kind":"op","name":"b","pid":1,"tid":1,"args":{"parent_node":7}}
{"ts":2,"dur":3,"kind":"activity","name":"c","id":1}
{"ts":3,"kind":"activity","name":"d","id":2,"parent":1,"self":9}
E
check 'members of an earlier call-tree that are absent now are removed' 0 \
	'call-tree --stack again | ts-sort | call-tree -r op --stack -k op
	call-tree again | ts-sort | call-tree -r activity -k activity' <<'E'
{"ts":2,"dur":3,"kind":"op","name":"b","pid":1,"tid":1,"depth":0,"node":1,"self":3,"children":0,"launches":0,"stack":["b"],"args":{"parent_node":7}}
{"ts":2,"dur":3,"kind":"activity","name":"c","id":1,"depth":0,"node":1,"self":3,"children":1,"launches":0}
{"ts":3,"kind":"activity","name":"d","id":2,"parent":1,"depth":1,"node":2,"parent_node":1,"parent_name":"c","children":0,"launches":0}
E
check '--stack and --preorder of random calls' 0 "preorder_calls.py $(amount 700 700 1500)" </dev/null

# --- -k

check '-k: other records take part in the trees, but are not written' 0 \
	'call-tree -k kernel,op nested; call-tree -k kernel linked 2>said | cut -c 1-60' <<'E'
{"ts":130,"dur":10,"kind":"kernel","name":"gemm","pid":1,"dev":0,"stream":7,"corr":5}
{"ts":115,"dur":30,"kind":"op","name":"aten::addmm","pid":1,"tid":7,"depth":2,"node":3,"parent_node":2,"parent_name":"aten::linear","self":15,"children":2,"launches":2}
{"ts":110,"dur":50,"kind":"op","name":"aten::linear","pid":1,"tid":7,"depth":1,"node":2,"parent_node":1,"parent_name":"step","self":18,"children":2,"launches":2,"args":{"depth":"mine"}}
{"ts":150,"dur":40,"kind":"op","name":"backward","pid":1,"tid":8,"depth":0,"node":8,"self":40,"children":0,"launches":0}
{"ts":67,"dur":2,"kind":"kernel","name":"no parent","id":9}
{"ts":30,"dur":50,"kind":"kernel","name":"after its parent",
{"ts":1,"dur":5,"kind":"kernel","name":"another clock","cloc
E
for seed in 1 2 3; do
	random_ranges.py $seed 2000 >random
	for options in '' '-r op,api' '--stack --crossing sibling' '-r api,range --stack=pid'; do
		for kinds in op api,kernel meta,mark,range; do
			check "-k $kinds writes the selection of filter-calls: random records $seed: $options" 0 \
				"call-tree $options random 2>said | filter-calls -k $kinds >want
				call-tree $options -k $kinds random 2>also_said | cmp want -; cmp said also_said
				[ -s want ]" </dev/null
		done
	done
done
{ printf '%s\n' linked twice && traces_in kineto plaidml; } | while IFS= read -r file; do
	{ trace2ndjson "$file" | ts-sort >ordered; } 2>said
	check "-k writes the selection of filter-calls: ${file##*/}" 0 'for k in op api,kernel activity; do
		for options in --preorder --stack; do
			call-tree $options ordered 2>said | filter-calls --quiet -k $k >want
			call-tree $options -k $k ordered 2>said | cmp want -
		done
	done' </dev/null
done
check '-k: an unknown kind' 2 'call-tree -k ops nested 2>said; s=$?; cut -c 1-33 said; exit $s' <<'E'
call-tree: -k: 'ops': expected ke
E

finish
