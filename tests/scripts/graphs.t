#!/bin/sh
# graphs.t: scripts find the operators of the kernels of graphs in the trace of the capture, and say so.
. "${0%/*}/../lib.sh"

# A graph of three kernels, captured in two operators, and two launches of it after a kernel of another call.
cat >capture <<'E'
{"ts":10,"dur":2,"kind":"api","name":"hipStreamBeginCapture","pid":7,"tid":7,"corr":1}
{"ts":19,"dur":30,"kind":"python","name":"nn.Module: Net_0","pid":7,"tid":7}
{"ts":20,"dur":20,"kind":"op","name":"linear","pid":7,"tid":7}
{"ts":21,"dur":18,"kind":"op","name":"mm","pid":7,"tid":7}
{"ts":22,"dur":2,"kind":"api","name":"hipLaunchKernel","pid":7,"tid":7,"corr":2,"args":{"kernel":"gemm"}}
{"ts":25,"dur":2,"kind":"api","name":"hipLaunchKernel","pid":7,"tid":7,"corr":3,"args":{"kernel":"reduce"}}
{"ts":50,"dur":9,"kind":"op","name":"relu","pid":7,"tid":7}
{"ts":51,"dur":2,"kind":"api","name":"hipLaunchKernel","pid":7,"tid":7,"corr":4,"args":{"kernel":"relu"}}
{"ts":90,"dur":2,"kind":"api","name":"hipStreamEndCapture","pid":7,"tid":7,"corr":8}
E
cat >run <<'E'
{"ts":100,"dur":900,"kind":"range","name":"decode","cat":"user_annotation","pid":1,"tid":1}
{"ts":110,"dur":30,"kind":"op","name":"embed","cat":"cpu_op","pid":1,"tid":1}
{"ts":120,"dur":9,"kind":"api","name":"hipLaunchKernel","pid":1,"tid":1,"corr":49}
{"ts":150,"dur":200,"kind":"op","name":"replay","cat":"cpu_op","pid":1,"tid":1}
{"ts":160,"dur":9,"kind":"api","name":"hipGraphLaunch","pid":1,"tid":1,"corr":50}
{"ts":170,"dur":9,"kind":"api","name":"hipGraphLaunch","pid":1,"tid":1,"corr":51}
{"ts":180,"dur":20,"kind":"kernel","name":"embed","dev":0,"stream":3,"corr":49}
{"ts":200,"dur":40,"kind":"kernel","name":"gemm","dev":0,"stream":3,"corr":50}
{"ts":240,"dur":10,"kind":"kernel","name":"reduce","dev":0,"stream":3,"corr":50}
{"ts":250,"dur":20,"kind":"kernel","name":"relu","dev":0,"stream":3,"corr":50}
{"ts":300,"dur":41,"kind":"kernel","name":"gemm","dev":0,"stream":3,"corr":51}
{"ts":350,"dur":11,"kind":"kernel","name":"reduce","dev":0,"stream":3,"corr":51}
{"ts":370,"dur":21,"kind":"kernel","name":"relu","dev":0,"stream":3,"corr":51}
E
check 'trace-join --graphs: operators and ranges; -k omits the other kinds' 0 '
	trace-join --graphs capture -k kernel run | ndjson2table -o csv -f name,range,op,match
	trace-join --graphs capture -k kernel --scope none --quiet run |
	ndjson2table --quiet -o csv -f name,range,op | tail -n 1' <<'E'
name,range,op,match
embed,decode,embed,
gemm,decode,mm,list
reduce,decode,mm,list
relu,decode,relu,list
gemm,decode,mm,list
reduce,decode,mm,list
relu,decode,relu,list
relu,,relu
--- stderr
trace-join: 6 of 6 kernels of 2 graph launches: 6 by equal lists (100 % of the time). Captures: 1 (3 nodes)
E
trace-join --graphs capture run >joined 2>/dev/null
check 'op-breakdown and flame: operators of the capture; a launch is one call' 0 '
	op-breakdown -o csv joined | cut -d, -f3-7 | grep -v kernel
	op-breakdown --innermost -o csv joined 2>said | grep -c ,mm,
	op-breakdown --depth 1 -o csv joined 2>said | cut -d, -f3-7 | grep "^3,operator,"
	flame --gpu -T joined | grep -o "decode\|linear\|mm\|replay"' <<'E'
3,stream,,,3
3,operator,linear,,2
3,operator,relu,,2
3,operator,embed,,1
3
3,operator,mm,,2
3,operator,relu,,2
3,operator,embed,,1
decode
linear
mm
mm
--- stderr
op-breakdown: operators of 88 % of the GPU time are from captures of graphs; 0 % were matched only by order or number, or are common to all captures that fit
flame: operators of 88 % of the GPU time are from captures of graphs; 0 % were matched only by order or number, or are common to all captures that fit
E
check 'op-breakdown --sequences and --modules: operators and modules of the capture' 0 '
	op-breakdown --sequences -o csv joined
	op-breakdown --modules -o csv joined' <<'E'
rank,pattern,calls,records,dur,dur_share,gap,op_dur
,linear|gemm|reduce,2,4,102,0.6257668711656442,9,
,relu|relu,2,2,41,0.25153374233128833,9,
,embed|embed,1,1,20,0.12269938650306748,0,30
rank,module,phase,calls,records,dur,dur_share,own,host_time,host_self
,Net_0,forward,,4,102,0.6257668711656442,102,,
,,outside,,3,61,0.37423312883435583,61,,
--- stderr
op-breakdown: operators of 88 % of the GPU time are from captures of graphs; 0 % were matched only by order or number, or are common to all captures that fit
E
check 'without a capture, scripts say how much of the time is in graphs' 0 '
	op-breakdown run >/dev/null; flame --gpu -T run >/dev/null' <<'E'
--- stderr
op-breakdown: 88 % of the GPU time is in graphs. Their operators are in the trace of the capture; record it, then: trace-join --graphs CAPTURE FILE | op-breakdown
flame: 88 % of the GPU time is in graphs. Their operators are in the trace of the capture; record it, then: trace-join --graphs CAPTURE FILE | flame
E
check 'op-breakdown: device work after the end of the last call is in the time of the trace' 0 '
	derive -w kind==kernel ts=ts+5000 run | op-breakdown -o csv 2>said | grep ,stream,,' <<'E'
,0,3,stream,,,2,7,163,0.030807030807030806,5128
E
check 'trace-report: the launch of a graph waits once' 0 '
	trace-report -o ndjson run | grep -o "\"field\":\"delay\",\"count\":[0-9]*"' <<'E'
"field":"delay","count":3
E
check 'trace-report: with and without a capture' 0 '
	trace-report run | grep -A2 "^Graphs ran"; trace-report --graphs capture run | grep -A1 "^Operators of"
	trace-report --graphs capture -o ndjson run 2>/dev/null | grep -o "\"label\":\"mm\"" | head -n 1' <<'E'
Graphs ran 88 % of the GPU time (143 ns of 163 ns, 6 kernels). Their operators
are in the trace of the capture: record it (see graph-attach) and give --graphs
FILE.
Operators of 88 % of the GPU time are from captures of graphs; 0 % were matched
only by order or number, or are common to all captures that fit.
"label":"mm"
--- stderr
trace-report: 6 of 6 kernels of 2 graph launches: 6 by equal lists (100 % of the time). Captures: 1 (3 nodes)
E
finish
