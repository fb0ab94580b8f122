#!/bin/sh
# provenance.t: trace-join finds the source lines of the kernels of torch.compile.
. "${0%/*}/../lib.sh"
. "$TESTS/example_files.sh"

# kernels TRACE LOG...: prints the members of the kernels of a trace.
cat >kernels <<'E'
trace=$1
shift
for log; do set -- "$@" --provenance "$log"; shift; done
trace-join -k kernel "$@" "$trace" >joined
status=$?
derive "lines=join(lines,'; ')" "entries=join(entries,'; ')" joined |
	ndjson2table -o csv --quiet -f name,kernel_file,line,lines,entries,graphs,match
exit $status
E
check 'by file, and by the place among the calls of a name in the region' 0 '
	sh kernels compiled.json.gz compile.log' <<'E'
name,kernel_file,line,lines,entries,graphs,match
gemm_kernel,,model.py:7 in forward,model.py:7 in forward,0/0 extern_kernels.mm:2,1,graph
triton_poi_fused_add_relu_0,cab.py,model.py:9 in forward,model.py:9 in forward; model.py:8 in forward,0/0 triton_poi_fused_add_relu_0:1,1,file
gemm_kernel,,model.py:10 in forward,model.py:10 in forward,0/0 extern_kernels.mm:3,1,graph
gemm_kernel,,,,,,none
E
mkdir logs && cp compile.log logs/
trace-join --provenance compile.log compiled.json.gz >all
trace-join --scope none compiled.json.gz >plain
check 'a folder; standard input; -k; no member is left over, and other records get only operators' 0 '
	trace-join --provenance logs compiled.json.gz | diff all -
	gzip -dc compiled.json.gz | trace-join --provenance compile.log -k kernel --scope none |
		derive --drop op,ops,kernel_file,line,lines,entry,entries,graphs,match >kernels.nd
	filter-calls -k kernel plain | diff - kernels.nd
	derive --drop range,ranges,op,ops all | filter-calls -v -k kernel >others
	filter-calls -v -k kernel plain | diff - others
	groupby -g kernel_file,line -a count,sum -o csv all' <<'E'
kernel_file,line,count,dur_sum
,,11,253000
/x/ab/cab.py,,1,15000
cab.py,model.py:9 in forward,1,10000
,model.py:10 in forward,1,10000
,model.py:7 in forward,1,10000
E
check 'op-breakdown and flame do not take the kernels for those of graphs' 0 '
	for command in "op-breakdown -o csv" "flame --gpu -T" roofline; do
		$command all >with 2>&1; $command plain 2>&1 | diff - with
	done' </dev/null

# Three calls of an operator in the region, where the code has two. A region with a key that the log does not have. A
# trace without the region. A trace without operators, whose kernels have the names of the log.
gzip -dc compiled.json.gz | sed 's/"dur":100,"name":"Torch/"dur":140,"name":"Torch/; s/"dur":90/"dur":130/' >three
gzip -dc compiled.json.gz | sed 's/CompiledFxGraph None/CompiledFxGraph fxyz/; s/cab.py/new.py/' >key
sed '/Torch-C/d' key >no-id
gzip -dc compiled.json.gz | sed '/cpu_op.*\(aten::mm\|triton\)/d; s/gemm_kernel/aten::mm/' >no-operators
check 'all kernels of a name fit if the numbers of calls differ' 0 'sh kernels three compile.log | sed 1d' <<'E'
gemm_kernel,,model.py:7 in forward,model.py:7 in forward; model.py:10 in forward,0/0 extern_kernels.mm:2; 0/0 extern_kernels.mm:3,1,graph
triton_poi_fused_add_relu_0,cab.py,model.py:9 in forward,model.py:9 in forward; model.py:8 in forward,0/0 triton_poi_fused_add_relu_0:1,1,file
gemm_kernel,,model.py:7 in forward,model.py:7 in forward; model.py:10 in forward,0/0 extern_kernels.mm:2; 0/0 extern_kernels.mm:3,1,graph
gemm_kernel,,model.py:7 in forward,model.py:7 in forward; model.py:10 in forward,0/0 extern_kernels.mm:2; 0/0 extern_kernels.mm:3,1,graph
E
{
	cat compile.log
	echo '{"key": "fxyz"}' |
		log_record '"artifact": {"name": "fx_graph_cache_hit"}, "frame_id": 0, "frame_compile_id": 0'
} >key.log
sed 's/fxyz/fabc/' key.log >other-key.log
check 'by the key of the graph, by its id if the log has no key, by name; the file of the trace' 0 '
	sh kernels key key.log | sed 1d
	sh kernels key compile.log | cut -d, -f 1-3,6- | head -n 3 | sed 1d
	sh kernels key other-key.log 2>said | cut -d, -f 1-3,6- | head -n 3 | sed 1d
	sh kernels no-id compile.log | cut -d, -f 1-3,6- | head -n 3 | sed 1d
	sh kernels no-operators compile.log | cut -d, -f 1-3,6- | sed 1d' <<'E'
gemm_kernel,,model.py:7 in forward,model.py:7 in forward,0/0 extern_kernels.mm:2,1,graph
triton_poi_fused_add_relu_0,new.py,model.py:9 in forward,model.py:9 in forward; model.py:8 in forward,0/0 triton_poi_fused_add_relu_0:1,1,graph
gemm_kernel,,model.py:10 in forward,model.py:10 in forward,0/0 extern_kernels.mm:3,1,graph
gemm_kernel,,,,,,none
gemm_kernel,,model.py:7 in forward,1,graph
triton_poi_fused_add_relu_0,new.py,model.py:9 in forward,1,graph
gemm_kernel,,,,none
triton_poi_fused_add_relu_0,new.py,model.py:9 in forward,1,name
gemm_kernel,,,,none
triton_poi_fused_add_relu_0,new.py,model.py:9 in forward,1,name
aten::mm,,model.py:7 in forward,1,graph
triton_poi_fused_add_relu_0,cab.py,model.py:9 in forward,1,graph
aten::mm,,model.py:7 in forward,1,graph
aten::mm,,,,none
E
check 'two logs with the same ids: the file decides, or all kernels fit' 0 '
	sed s/model.py/other.py/ compile.log >other.log
	sh kernels compiled.json.gz compile.log other.log 2>said | cut -d, -f 3,4,6- | sed 1d' <<'E'
model.py:7 in forward,model.py:7 in forward; model.py:10 in forward; other.py:7 in forward; other.py:10 in forward,2,graph
model.py:9 in forward,model.py:9 in forward; model.py:8 in forward; other.py:9 in forward; other.py:8 in forward,2,file
model.py:7 in forward,model.py:7 in forward; model.py:10 in forward; other.py:7 in forward; other.py:10 in forward,2,graph
,,,none
E
echo 'def f(): pass' | log_record '"dynamo_output_graph": {}' >empty.log
check 'nothing is found: what to record' 1 '
	trace-join --provenance empty.log compiled.json.gz
	trace-join -k kernel --provenance compile.log "$DATA/train.pt.trace.json" >got; status=$?
	groupby -g kind,match -a count -o csv got; exit $status' <<'E'
kind,match,count
kernel,none,10
--- stderr
trace-join: the log has no kernels of Inductor; record it with TORCH_TRACE=FOLDER INDUCTOR_PROVENANCE=1
trace-join: no kernel of the trace is in the log; record both in one run, with TORCH_TRACE=FOLDER INDUCTOR_PROVENANCE=1
E

# The profiler of Inductor writes the stacks of a kernel into its record.
cat >stack.sed <<'E'
/"kernel".*"corr":110,/s|"args":{|&"stack":["  File \\"a.py\\", line 1, in f\\n    x\\n  File \\"/b/c.py\\", line 2, in g\\n  y", "File \\"d.py\\", line 3, in h"],|
E
trace2ndjson no-id | sed -f stack.sed >stacks
check 'stacks in the record of a kernel' 0 'sh kernels stacks compile.log | head -n 2' <<'E'
name,kernel_file,line,lines,entries,graphs,match
gemm_kernel,,c.py:2 in g,c.py:2 in g; d.py:3 in h,,0,stack
E

# The made-up trace of the golden file, with one log and with both.
cat >golden.py <<'E'
import csv, json, subprocess, sys
logs = {'handle': ['jit_debug_handle'], 'cuda': ['jit_cuda'], 'both': ['jit_debug_handle', 'jit_cuda']}
found = {}
for name, names in logs.items():
    options = [word for log in names for word in ('--provenance', sys.argv[1] + '/data/provenance/' + log + '.log.gz')]
    for line in subprocess.run(['trace-join', *options, '-k', 'kernel', 'made.json'], stdout=-1, check=True).stdout.splitlines():
        e = json.loads(line)
        found[e['name'], str(e['ts'] // 1000), name] = [e['match'], ' ; '.join(e.get('entries', [])), ' ; '.join(
            line.split(':')[1] for line in e.get('lines', []))]
rows = list(csv.DictReader(open(sys.argv[1] + '/golden/provenance/made.join.csv')))
print(len(rows), sum(found[r['kernel'], r['ts'], r['logs']] == [r['match'], r['entry'], r['lines']] for r in rows))
E
if have python3 && need_shared gen/gen_provenance.py data/provenance golden/provenance; then
	python3 "$SHARED/gen/gen_provenance.py" made >said
	check 'each row of the golden join; a log without source lines is reported' 0 "python3 golden.py '$SHARED'" <<'E'
16 16
--- stderr
trace-join: the log has no source lines, only kernels; record it with INDUCTOR_PROVENANCE=1
E
fi

finish
