#!/bin/sh
# inductor.t: the reader of the logs of torch.compile.
. "${0%/*}/../lib.sh"
. "$TESTS/example_files.sh"

check 'kernels of a graph: handles, files, nodes, calls, stacks' 0 'trace2ndjson compile.log' <<'E'
{"kind":"kernelinfo","name":"triton_poi_fused_add_relu_0","cat":"inductor","args":{"compile":"0/0","graph":1,"handle":1,"kernel_file":"/tmp/torchinductor_me/ab/cab.py","source_nodes":["y","z"],"post_nodes":["add","relu"],"nth":[1],"calls":1,"stacks":[{"depth":1,"file":"/a/model.py","line":9,"function":"forward","text":"z = relu(y)"},{"depth":2,"file":"/a/model.py","line":8,"function":"forward","text":"y = x + 1"}]}}
{"kind":"kernelinfo","name":"extern_kernels.mm","cat":"inductor","args":{"compile":"0/0","graph":1,"handle":2,"source_nodes":["x"],"post_nodes":["mm"],"nth":[1],"calls":2,"stacks":[{"depth":1,"file":"/a/model.py","line":7,"function":"forward","text":"x = a @ b"}]}}
{"kind":"kernelinfo","name":"extern_kernels.mm","cat":"inductor","args":{"compile":"0/0","graph":1,"handle":3,"source_nodes":["out"],"post_nodes":["mm_1"],"nth":[2],"calls":2,"stacks":[{"depth":1,"file":"/a/model.py","line":10,"function":"forward","text":"out = z @ b"}]}}
E
trace2ndjson compile.log >records
check 'compressed, from a pipe, and after other lines; -k, --no-args' 0 '
	{ echo "[rank0] starting"; cat compile.log; } | gzip -c | trace2ndjson --quiet | diff - records
	sed "s/$/\r/" compile.log | trace2ndjson -F inductor | diff - records
	trace2ndjson -k kernel compile.log; trace2ndjson --no-args compile.log | tail -n 1' <<'E'
{"kind":"kernelinfo","name":"extern_kernels.mm","cat":"inductor"}
E

again='"frame_id": 2, "frame_compile_id": 1, "attempt": 3, "rank": 4'
# Logs of old versions have no handles. The parts of a second graph of a compilation have the same ids.
nodes='"artifact": {"name": "inductor_provenance_tracking_node_mappings"}'
{
	echo '{"key": "fabc", "cache_state": "miss"}' | log_record "\"artifact\": {\"name\": \"fx_graph_cache_miss\"}, $again"
	echo '{"cppCodeToPost": {"a:b": ["n"], "k": ["m", 5, "gone"]}, "postToPre": {"m": ["s"]}}' |
		log_record "$nodes, $again"
	echo '{"cppCodeToPost": {"k": ["m"]}}' |
		log_record "$nodes, \"compiled_autograd_id\": 7, \"frame_id\": 2, \"frame_compile_id\": 0, \"rank\": \"x\""
	echo '{"cppCodeToPost": {"back:1": ["m"]}}' |
		log_record "$nodes, $again"
	echo 'cpp_fused_0 = async_compile.cpp_pybinding([])
# kernel path: /c.py
x"y = async_compile.triton()
cpp_fused_1 = async_compile.cpp_pybinding([])
# [Provenance debug handles] x"y' | log_record '"inductor_output_code": {}'
} >many.log
check 'several graphs, ranks, attempts; ids are absent; names that are not those of kernels' 0 '
	trace2ndjson many.log compile.log | head -n 6' <<'E'
{"kind":"kernelinfo","name":"a:b","cat":"inductor","rank":4,"args":{"compile":"2/1_3","graph":1,"fx_key":"fabc","source_nodes":[],"post_nodes":["n"]}}
{"kind":"kernelinfo","name":"k","cat":"inductor","rank":4,"args":{"compile":"2/1_3","graph":1,"fx_key":"fabc","source_nodes":["s"],"post_nodes":["m",5,"gone"]}}
{"kind":"kernelinfo","name":"k","cat":"inductor","args":{"compile":"!7/2/0","graph":2,"source_nodes":[],"post_nodes":["m"]}}
{"kind":"kernelinfo","name":"back","cat":"inductor","rank":4,"args":{"compile":"2/1_3","graph":3,"handle":1,"source_nodes":[],"post_nodes":["m"]}}
{"kind":"kernelinfo","name":"cpp_fused_1","cat":"inductor","args":{"compile":"-","graph":4,"kernel_file":"/c.py"}}
{"kind":"kernelinfo","name":"triton_poi_fused_add_relu_0","cat":"inductor","args":{"compile":"0/0","graph":5,"handle":1,"kernel_file":"/tmp/torchinductor_me/ab/cab.py","source_nodes":["y","z"],"post_nodes":["add","relu"],"nth":[1],"calls":1,"stacks":[{"depth":1,"file":"/a/model.py","line":9,"function":"forward","text":"z = relu(y)"},{"depth":2,"file":"/a/model.py","line":8,"function":"forward","text":"y = x + 1"}]}}
E

sed 's/z = relu/z = tanh/' compile.log >edited.log
head -n -2 compile.log >cut.log
{
	echo '[]' | log_record "$nodes"
	echo '{"cppCodeToPost": 1, "postToPre": []}' | log_record "$nodes"
	echo 'V0819 12:42:50.385000 7 torch/_inductor/graph.py:5] {"artifact": {"name"'
	cat compile.log
	echo '{"x": 5, "k": 5, "l:1": [5, "", "File \"x"]}' |
		log_record '"artifact": {"name": "inductor_provenance_tracking_kernel_stack_traces"}'
} >bad.log
sums=
grep -q HAVE_MD "$BUILD/flags" && sums=yes || skip 'built without libmd (make MD=1)'
[ ! "$sums" ] || check 'an edited payload is read' 0 'trace2ndjson edited.log | sed s/tanh/relu/ | diff - records' <<'E'
--- stderr
trace2ndjson: edited.log:12: payload differs from its MD5
E
check 'a log that is cut short, and damaged records' 1 '
	trace2ndjson cut.log | groupby -g name -a count -o csv
	trace2ndjson bad.log >got; status=$?; head -n 3 got
	tail -n +4 got | sed s/\"graph\":3/\"graph\":1/ | diff - records
	exit $status' <<'E'
name,count
extern_kernels.mm,2
triton_poi_fused_add_relu_0,1
{"kind":"kernelinfo","name":"x","cat":"inductor","args":{"compile":"-","graph":2}}
{"kind":"kernelinfo","name":"k","cat":"inductor","args":{"compile":"-","graph":2}}
{"kind":"kernelinfo","name":"l","cat":"inductor","args":{"compile":"-","graph":2,"handle":1,"stacks":[{"depth":0},{"depth":0},{"depth":0,"text":"File \"x"}]}}
--- stderr
trace2ndjson: cut.log:12: payload cut short
trace2ndjson: bad.log:1: payload that is not a JSON object; skipped
trace2ndjson: bad.log:5: not a JSON record; skipped
E
check 'payloads and records larger than --max-record' 1 '
	trace2ndjson --no-args --max-record 300 compile.log' <<'E'
{"kind":"kernelinfo","name":"triton_poi_fused_add_relu_0","cat":"inductor"}
{"kind":"kernelinfo","name":"extern_kernels.mm","cat":"inductor"}
{"kind":"kernelinfo","name":"extern_kernels.mm","cat":"inductor"}
--- stderr
trace2ndjson: compile.log:12: payload larger than --max-record; skipped
E
# A prefix that does not end with a record has status 1. The code defines one kernel; the table of nodes has three.
cat >prefixes.py <<'E'
import re, subprocess
data = open('compile.log', 'rb').read()
ends = [at.start() for at in re.finditer(rb'\n(?=V|$)', data)]
for n in sorted({*range(1, len(data), 7), *ends, *(end + 1 for end in ends)} - {len(data)}):
    run = subprocess.run(['trace2ndjson', '-F', 'inductor'], input=data[:n], stdout=-1, stderr=-1)
    whole = n in ends or n - 1 in ends
    kernels = len(run.stdout.splitlines())
    if run.returncode != (not whole) or bool(run.stderr) == whole or kernels != (3 if n >= ends[1] else b' = async_compile.' in data[:n]):
        print(n, run.returncode, run.stdout, run.stderr)
        break
E
if have python3; then
	[ ! "$sums" ] || slow check 'prefixes of a log' 0 'python3 prefixes.py' </dev/null
	slow check 'logs with a flipped bit' 0 'rocprof_damage.py flips compile.log inductor' <<'E'
all flips are right
E
fi

# Prints the rows of the golden files, from the records.
cat >rows.py <<'E'
import csv, json, os, sys
kernels, lines = csv.writer(open('kernels.csv', 'w'), lineterminator='\n'), csv.writer(open('lines.csv', 'w'), lineterminator='\n')
records = [json.loads(line) for line in sys.stdin]
for r in records:
    r.update(r['args'])
records.sort(key=lambda r: (r['compile'], r.get('handle', 0), r['name']))
kernels.writerow('compile,kernel,handle,kernel_file,fx_key,source_nodes,post_nodes,stacks'.split(','))
lines.writerow('compile,kernel,handle,stack,depth,file,line,function,text'.split(','))
for r in records:
    head = [r['compile'], r['name'], r.get('handle', '')]
    kernels.writerow(head + [os.path.basename(r.get('kernel_file', '')), r.get('fx_key', ''), ' '.join(sorted(r['source_nodes'])),
                             ' '.join(sorted(r['post_nodes'])), len(r.get('stacks', []))])
    for number, s in enumerate(r.get('stacks', [])):
        lines.writerow(head + [number, s['depth'], s['file'], s['line'], s['function'], s['text']])
E
for log in jit_cuda jit_debug_handle; do
	if have python3 && need_shared "data/provenance/$log.log.gz" "golden/provenance/$log"; then
		check "$log: the golden kernels and lines" 0 "trace2ndjson '$SHARED/data/provenance/$log.log.gz' | python3 rows.py
			for file in kernels lines; do diff '$SHARED/golden/provenance/$log/'\$file.csv \$file.csv; done" </dev/null
	fi
done

finish
