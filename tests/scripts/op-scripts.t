#!/bin/sh
# op-scripts.t: trace-diff, op-breakdown and qps.
. "${0%/*}/../lib.sh"
only_slow_follow # it makes reports of long and deep traces

# There are two calls of add, the second without a launch; relu inside a module, with its kernel on another stream; a
# kernel whose call is in no operator; and a kernel without a call. The first call of add contains mul, which also
# launches a kernel.
cat >ops.nd <<'END'
{"ts":0,"dur":500,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}
{"ts":100,"dur":100,"kind":"op","name":"aten::add","pid":1,"tid":1,"args":{"Input Dims":[[2,3],[],[4]]}}
{"ts":110,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":130,"dur":40,"kind":"op","name":"aten::\"mul\"","pid":1,"tid":1,"args":{"Input Dims":[[],[]]}}
{"ts":140,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":2}
{"ts":150,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":3}
{"ts":151,"dur":30,"kind":"kernel","name":"void gemm<int>(int)","dev":0,"stream":7,"corr":1}
{"ts":181,"dur":50,"kind":"kernel","name":"scale(float*)","dev":0,"stream":7,"corr":2}
{"ts":231,"dur":20,"kind":"kernel","name":"scale(float*)","dev":0,"stream":7,"corr":3}
{"ts":300,"dur":50,"kind":"op","name":"aten::add","pid":1,"tid":1}
{"ts":400,"dur":90,"kind":"op","name":"DLRM forward","pid":1,"tid":1}
{"ts":410,"dur":30,"kind":"op","name":"aten::relu","pid":1,"tid":1}
{"ts":420,"dur":10,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":4}
{"ts":440,"dur":60,"kind":"kernel","name":"relu","dev":0,"stream":8,"corr":4}
{"ts":450,"dur":10,"kind":"api","name":"cudaMemcpyAsync","pid":1,"tid":1,"corr":5}
{"ts":500,"dur":5,"kind":"memcpy","name":"Memcpy HtoD (Pinned -> Device)","dev":0,"stream":8,"corr":5,"bytes":100}
{"ts":510,"dur":7,"kind":"kernel","name":"lone","dev":0,"stream":8,"corr":6}
END

# --- op-breakdown; the trace lasts from 0 to 517, where the last kernel ends

check 'op-breakdown: prints streams, operators and kernels' 0 'op-breakdown -o csv ops.nd' <<'END'
rank,dev,stream,level,operator,kernel,calls,records,dur,dur_share,idle_time
,0,7,stream,,,1,3,100,0.19342359767891681,417
,0,7,operator,aten::add,,1,3,100,1,
,0,7,kernel,aten::add,scale,1,2,70,0.7,
,0,7,kernel,aten::add,gemm,1,1,30,0.3,
,0,8,stream,,,1,3,72,0.13926499032882012,445
,0,8,operator,aten::relu,,1,1,60,0.8333333333333334,
,0,8,kernel,aten::relu,relu,1,1,60,1,
,0,8,operator,,,0,2,12,0.16666666666666666,
,0,8,kernel,,lone,0,1,7,0.5833333333333334,
,0,8,kernel,,Memcpy HtoD (Pinned -> Device),0,1,5,0.4166666666666667,
--- stderr
op-breakdown: 2 of 6 device records have no known operator
END
check 'op-breakdown: indents names in a table' 0 'op-breakdown -t 1 ops.nd 2>said' <<'END'
rank  dev  stream  what          calls  records  dur (ns)  dur_share (%)  idle_time (ns)
        0       7  stream            1        3       100           19.3             417
        0       7    aten::add       1        3       100          100.0
        0       7      scale         1        2        70           70.0
        0       8  stream            1        3        72           13.9             445
        0       8    aten::relu      1        1        60           83.3
        0       8      relu          1        1        60          100.0
END
check 'op-breakdown --depth: prints the innermost operator if fewer enclose the launch' 0 \
	'op-breakdown --depth 1 -o csv ops.nd 2>said | sed 1d | grep ,operator,' <<'END'
,0,7,operator,"aten::""mul""",,1,2,70,0.7,
,0,7,operator,aten::add,,1,1,30,0.3,
,0,8,operator,aten::relu,,1,1,60,0.8333333333333334,
,0,8,operator,,,0,2,12,0.16666666666666666,
END
check 'op-breakdown --shapes: leaves out empty shapes' 0 \
	'op-breakdown --shapes --depth 1 -o csv ops.nd 2>said | sed 1d | grep ,operator,' <<'END'
,0,7,operator,"aten::""mul""",[],,1,2,70,0.7,
,0,7,operator,aten::add,"[[2,3],[4]]",,1,1,30,0.3,
,0,8,operator,aten::relu,,,1,1,60,0.8333333333333334,
,0,8,operator,,,,0,2,12,0.16666666666666666,
END
check 'op-breakdown --shapes: reads nested lists and lists with spaces' 0 \
	"op-breakdown --shapes -o ndjson <<'E' | jq -c '.shape'
{\"ts\":1,\"dur\":9,\"kind\":\"op\",\"name\":\"o\",\"pid\":1,\"tid\":1,\"args\":{\"Input Dims\": [[], [[2, 3], [ ]],[4 ] , []], \"x\":[]}}
{\"ts\":2,\"dur\":1,\"kind\":\"api\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"corr\":1}
{\"ts\":3,\"dur\":4,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"stream\":7,\"corr\":1}
E" <<'END'
null
[[[2,3]],[4]]
[[[2,3]],[4]]
END

check 'op-breakdown: --depth N and --innermost at any depth' 0 'deep_operators.py' </dev/null
check 'op-breakdown: the last of --depth and --innermost counts' 0 \
	'op-breakdown --depth 1 --innermost -o csv ops.nd 2>said >a; op-breakdown --innermost --depth 1 -o csv ops.nd 2>said |
		cmp - a' </dev/null

check 'op-breakdown: prints long names and rows' 0 'long_names.py' </dev/null
check 'op-breakdown: --variants of kernels without names, streams or operators' 0 \
	"op-breakdown --variants -o csv <<'E' 2>said | cut -d, -f3-9
{\"ts\":1,\"dur\":4,\"kind\":\"kernel\",\"name\":\"k\"}
{\"ts\":2,\"dur\":5,\"kind\":\"kernel\"}
{\"ts\":3,\"dur\":6,\"kind\":\"kernel\",\"dev\":0}
E" <<'END'
stream,level,operator,kernel,calls,records,dur
,stream,,,0,2,9
,operator,,,0,2,9
,kernel,,k + (none),1,2,9
,stream,,,0,1,6
,operator,,,0,1,6
,kernel,,(none),1,1,6
END
check 'op-breakdown: exits 2 if an inner program fails' 2 \
	'mkdir bin && cat >bin/grep <<"E" && chmod +x bin/grep
#!/bin/sh
cat >/dev/null
exit 2
E
	PATH=$PWD/bin:$PATH op-breakdown ops.nd >got 2>said
	s=$?; cat got; exit $s' </dev/null
check 'op-breakdown -e: ignores operators that match' 0 \
	"op-breakdown -e add -o csv ops.nd 2>said | sed 1d | grep ,operator," <<'END'
,0,7,operator,"aten::""mul""",,1,2,70,0.7,
,0,7,operator,,,0,1,30,0.3,
,0,8,operator,DLRM forward,,1,2,65,0.9027777777777778,
,0,8,operator,,,0,1,7,0.09722222222222222,
END
check 'op-breakdown --variants: prints sets of kernels with their calls' 0 "{ cat ops.nd && cat <<'E'
{\"ts\":600,\"dur\":9,\"kind\":\"op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1}
{\"ts\":601,\"dur\":1,\"kind\":\"api\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"corr\":11}
{\"ts\":603,\"dur\":4,\"kind\":\"kernel\",\"name\":\"relu\",\"dev\":0,\"stream\":7,\"corr\":11}
{\"ts\":700,\"dur\":9,\"kind\":\"op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1}
{\"ts\":701,\"dur\":1,\"kind\":\"api\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"corr\":12}
{\"ts\":703,\"dur\":5,\"kind\":\"kernel\",\"name\":\"relu\",\"dev\":0,\"stream\":7,\"corr\":12}
E
} | op-breakdown --variants -o csv 2>said | grep 0,7,kernel" <<'END'
,0,7,kernel,aten::add,gemm + 2 scale,1,3,100,0.9174311926605505,
,0,7,kernel,aten::add,relu,2,2,9,0.08256880733944955,
END
# Two calls of add launch gemm and scale, between which their stream is idle for 1 and for 0 ns. The call of add_ has a
# gap of 30 ns: the work of another operator in between is no gap. A further call of add launches on two streams and is
# deeper by one annotation.
cat >steps.nd <<'E'
{"ts":0,"dur":400,"kind":"range","name":"ProfilerStep#1","pid":1,"tid":1}
{"ts":10,"dur":50,"kind":"op","name":"aten::add","pid":1,"tid":1}
{"ts":11,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":13,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":2}
{"ts":20,"dur":10,"kind":"kernel","name":"gemm<int>(int)","dev":0,"stream":7,"corr":1}
{"ts":31,"dur":10,"kind":"kernel","name":"scale","dev":0,"stream":7,"corr":2}
{"ts":100,"dur":50,"kind":"op","name":"aten::add_","pid":1,"tid":1}
{"ts":101,"dur":20,"kind":"op","name":"aten::add","pid":1,"tid":1}
{"ts":102,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":3}
{"ts":110,"dur":10,"kind":"kernel","name":"gemm<int>(int)","dev":0,"stream":7,"corr":3}
{"ts":130,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":4}
{"ts":131,"dur":5,"kind":"op","name":"aten::mul","pid":1,"tid":2}
{"ts":132,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":5}
{"ts":140,"dur":10,"kind":"kernel","name":"other","dev":0,"stream":7,"corr":5}
{"ts":160,"dur":10,"kind":"kernel","name":"scale","dev":0,"stream":7,"corr":4}
{"ts":200,"dur":50,"kind":"range","name":"deeper","pid":1,"tid":1}
{"ts":201,"dur":30,"kind":"op","name":"aten::add","pid":1,"tid":1}
{"ts":202,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":6}
{"ts":203,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":7}
{"ts":210,"dur":5,"kind":"kernel","name":"scale","dev":0,"stream":8,"corr":7}
{"ts":220,"dur":5,"kind":"kernel","name":"gemm<int>(int)","dev":0,"stream":7,"corr":6}
{"ts":500,"dur":90,"kind":"range","name":"ProfilerStep#2","pid":1,"tid":1}
{"ts":510,"dur":40,"kind":"op","name":"aten::add","pid":1,"tid":1}
{"ts":511,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":8}
{"ts":513,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":9}
{"ts":520,"dur":10,"kind":"kernel","name":"gemm<int>(int)","dev":0,"stream":7,"corr":8}
{"ts":530,"dur":10,"kind":"kernel","name":"scale","dev":0,"stream":7,"corr":9}
E
check 'op-breakdown --sequences: prints patterns with their gaps' 0 'op-breakdown --sequences -o csv steps.nd' <<'E'
rank,pattern,calls,records,dur,dur_share,gap,op_dur
,aten::add|gemm<int>(int)|scale,2,4,40,0.5,1,90
,aten::add_|gemm<int>(int)|scale,1,2,20,0.25,30,50
,aten::add|scale|gemm<int>(int),1,2,10,0.125,0,30
,aten::mul|other,1,1,10,0.125,0,5
E
check 'op-breakdown --sequences --min: no pattern is long enough' 1 'op-breakdown --sequences --min 3 steps.nd' <<'E'
--- stderr
op-breakdown: no call of an operator launched at least 3 device records
E
check 'op-breakdown --operator: uses only operators whose name matches' 0 \
	"op-breakdown --sequences --min 2 --operator 'add\$' -o csv steps.nd" <<'E'
rank,pattern,calls,records,dur,dur_share,gap,op_dur
,aten::add|gemm<int>(int)|scale,2,4,40,0.8,1,90
,aten::add|scale|gemm<int>(int),1,2,10,0.2,0,30
E
check 'op-breakdown --operator: also operators that -e leaves out by default' 0 \
	"op-breakdown --operator DLRM -o csv ops.nd 2>said | grep ,operator,DLRM" <<'E'
,0,8,operator,DLRM forward,,1,2,65,0.9027777777777778,
E
check 'op-breakdown --hta: one depth, without the last step' 0 \
	'op-breakdown --sequences --min 2 --hta --operator aten::add -o csv steps.nd' <<'E'
rank,pattern,calls,records,dur,dur_share,gap,op_dur
,aten::add_|gemm<int>(int)|scale,1,2,20,0.5,30,50
,aten::add|gemm<int>(int)|scale,1,2,20,0.5,1,50
E
check 'op-breakdown: reports options that do not fit' 2 \
	'op-breakdown --hta steps.nd; op-breakdown --min 2 steps.nd; op-breakdown --sequences --variants steps.nd
	op-breakdown --sequences --hta steps.nd' <<'E'
--- stderr
op-breakdown: --min and --hta need --sequences; try op-breakdown -h
op-breakdown: --min and --hta need --sequences; try op-breakdown -h
op-breakdown: --sequences and --variants exclude each other; try op-breakdown -h
op-breakdown: --hta needs --operator; try op-breakdown -h
E
if [ "$SHARED" ]; then
	check 'op-breakdown --hta: the sequences that HTA finds in recorded traces' 0 'sequence_rows.py' <<'E'
62 rows
E
fi
# A model of two layers with the numbers 5 and 6; later, another module has the number 5 too. The backward operator B
# runs a forward pass again. Number 9 has no forward operator, corr 8 has no call, and no operator encloses corr 9.
cat >modules.nd <<'END'
{"ts":100,"dur":100,"kind":"python","name":"nn.Module: Net_0","pid":1,"tid":1}
{"ts":105,"dur":90,"kind":"python","name":"model.py(7): forward","pid":1,"tid":1}
{"ts":110,"dur":30,"kind":"python","name":"nn.Module: Linear_0","pid":1,"tid":1}
{"ts":112,"dur":20,"kind":"op","name":"aten::mm","pid":1,"tid":1,"args":{"Sequence number":5}}
{"ts":115,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":120,"dur":10,"kind":"kernel","name":"a","dev":0,"stream":7,"corr":1}
{"ts":150,"dur":30,"kind":"python","name":"nn.Module: Linear_1","pid":1,"tid":1}
{"ts":152,"dur":20,"kind":"op","name":"aten::mm","pid":1,"tid":1,"args":{"Sequence number":6}}
{"ts":155,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":2}
{"ts":160,"dur":30,"kind":"kernel","name":"b","dev":0,"stream":7,"corr":2}
{"ts":190,"dur":1,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":3}
{"ts":195,"dur":1,"kind":"kernel","name":"c","dev":0,"stream":7,"corr":3}
{"ts":200,"dur":90,"kind":"op","name":"B","pid":1,"tid":2,"args":{"Sequence number":6,"Fwd thread id":1}}
{"ts":205,"dur":30,"kind":"python","name":"nn.Module: Linear_1","pid":1,"tid":2}
{"ts":207,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":4}
{"ts":210,"dur":31,"kind":"kernel","name":"b","dev":0,"stream":7,"corr":4}
{"ts":240,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":5}
{"ts":250,"dur":40,"kind":"kernel","name":"d","dev":0,"stream":7,"corr":5}
{"ts":300,"dur":20,"kind":"op","name":"A","pid":1,"tid":2,"args":{"Sequence number":5,"Fwd thread id":1}}
{"ts":305,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":6}
{"ts":310,"dur":20,"kind":"memset","name":"e","dev":0,"stream":7,"corr":6}
{"ts":340,"dur":20,"kind":"op","name":"N","pid":1,"tid":2,"args":{"Sequence number":9,"Fwd thread id":1}}
{"ts":345,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":7}
{"ts":350,"dur":3,"kind":"kernel","name":"f","dev":0,"stream":7,"corr":7}
{"ts":360,"dur":4,"kind":"kernel","name":"g","dev":0,"stream":7,"corr":8}
{"ts":370,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":9}
{"ts":375,"dur":5,"kind":"kernel","name":"h","dev":0,"stream":7,"corr":9}
{"ts":500,"dur":50,"kind":"python","name":"nn.Module: Other_0","pid":1,"tid":1}
{"ts":502,"dur":20,"kind":"op","name":"aten::mm","pid":1,"tid":1,"args":{"Sequence number":5}}
{"ts":600,"dur":20,"kind":"op","name":"A","pid":1,"tid":2,"args":{"Sequence number":5,"Fwd thread id":1}}
{"ts":605,"dur":2,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":10}
{"ts":610,"dur":6,"kind":"kernel","name":"i","dev":0,"stream":7,"corr":10}
END
check 'op-breakdown --modules: the tree, forward, recomputed and backward' 0 'op-breakdown --modules -o csv modules.nd
	tac modules.nd | op-breakdown --modules --depth 0 -t 3 -u ns' <<'E'
rank,module,phase,calls,records,dur,dur_share,own,host_time,host_self
,Net_0,forward,1,3,41,0.2733333333333333,1,100,40
,Net_0,backward,0,2,60,0.4,0,,0
,Net_0/Linear_1,forward,1,1,30,0.2,30,30,30
,Net_0/Linear_1,backward,,1,40,0.26666666666666666,40,,
,Net_0/Linear_0,forward,1,1,10,0.06666666666666667,10,30,30
,Net_0/Linear_0,backward,,1,20,0.13333333333333333,20,,
,Linear_1,recompute,1,1,31,0.20666666666666667,31,30,30
,Other_0,forward,1,,,,,50,50
,Other_0,backward,,1,6,0.04,6,,
,,backward,,1,3,0.02,3,,
,,no launch,,1,4,0.02666666666666667,4,,
,,outside,,1,5,0.03333333333333333,5,,
rank  module    phase      calls  records  dur (ns)  dur_share (%)  own (ns)  host_time (ns)  host_self (ns)
      Net_0     forward        1        3        41           27.3         1             100              40
      Net_0     backward       0        2        60           40.0         0                               0
      Linear_1  recompute      1        1        31           20.7        31              30              30
E
check 'trace-report, flame: modules' 0 "trace-report -o ndjson modules.nd >report
	ndjson2table --quiet -o csv -f section,label,phase,dur,host_time report | grep '^modules,.*ward' | head -n 2
	flame --gpu --with cat modules.nd | head -n 1" <<'E'
modules,Net_0,forward,41,100
modules,Net_0,backward,60,
A;e 20
E
check 'op-breakdown --modules: reports a trace without modules' 1 'op-breakdown --modules ops.nd' <<'E'
--- stderr
op-breakdown: no nn.Module; record the trace with with_stack=True or with_modules=True
E
check 'op-breakdown --modules: rejects options for operators' 2 'op-breakdown --modules --shapes modules.nd' <<'E'
--- stderr
op-breakdown: --modules and --shapes exclude each other; try op-breakdown -h
E
if have python3 && [ "$SHARED" ]; then
	check 'op-breakdown --modules: all modules of recorded traces, by phase' 0 'module_rows.py' <<'E'
h100_vit 189 149 156
mi300_resnet 207 170 3653
E
fi
# Both operators have the same time; call-tree writes the inner one first.
check 'op-breakdown: nested operators with equal times' 0 "op-breakdown -o csv <<'E' | sed 1d | grep ,operator,
{\"ts\":1,\"dur\":9,\"kind\":\"op\",\"name\":\"outer\",\"pid\":1,\"tid\":1}
{\"ts\":1,\"dur\":9,\"kind\":\"op\",\"name\":\"inner\",\"pid\":1,\"tid\":1}
{\"ts\":1,\"dur\":9,\"kind\":\"api\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"corr\":1}
{\"ts\":3,\"dur\":4,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"stream\":7,\"corr\":1}
E" <<'END'
,0,7,operator,outer,,1,1,4,1,
END
check 'op-breakdown: a trace of device records only' 0 \
	'filter-calls -k kernel ops.nd | op-breakdown -o csv 2>said | sed 1d | grep ,stream,; cat said' <<'END'
,0,7,stream,,,0,3,100,0.273224043715847,266
,0,8,stream,,,0,2,67,0.1830601092896175,299
op-breakdown: 5 of 5 device records have no known operator
END
check 'op-breakdown: reports empty input' 1 'op-breakdown -o csv </dev/null' <<'END'
--- stderr
op-breakdown: stdin: byte 0: empty input
END
check 'op-breakdown: reports a trace without device records' 1 \
	'grep -v -e kernel -e memcpy -e memset ops.nd | op-breakdown; op-breakdown "$DATA/cnn.onednn.txt" 2>/dev/null' <<'END'
--- stderr
op-breakdown: no device records
END
check 'op-breakdown: reports a missing file' 2 'op-breakdown nosuch' <<'END'
--- stderr
op-breakdown: nosuch: cannot open: No such file or directory
END
check 'op-breakdown: rejects wrong options' 2 'op-breakdown --depth x' <<'END'
--- stderr
op-breakdown: --depth: 'x': expected an integer >= 0; try op-breakdown -h
END
check 'op-breakdown: exits 2 on a full disk' 2 'op-breakdown ops.nd >/dev/full 2>said' </dev/null

# --- trace-diff

cat >a.nd <<'END'
{"ts":1,"dur":10,"kind":"kernel","name":"x\"count\":9","bytes":5}
{"ts":2,"dur":10,"kind":"kernel","name":"same"}
{"ts":3,"dur":90,"kind":"kernel","name":"gone"}
{"ts":4,"kind":"mark","name":"mark"}
{"ts":5,"dur":1,"kind":"api","name":"c"}
{"ts":5,"dur":1,"kind":"api","name":"c"}
{"ts":5,"dur":1,"kind":"api","name":"c"}
END
cat >b.nd <<'END'
{"ts":1,"dur":30,"kind":"kernel","name":"x\"count\":9","bytes":2}
{"ts":1,"dur":30,"kind":"kernel","name":"x\"count\":9"}
{"ts":2,"dur":10,"kind":"kernel","name":"same"}
{"ts":3,"dur":40,"kind":"memset","name":"new"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
{"ts":5,"dur":2,"kind":"api","name":"c"}
END
check 'trace-diff: prints the differences of two traces' 0 'trace-diff -o csv a.nd b.nd' <<'END'
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,pairing,paired_with,change
gone,1,0,90,0,-90,0,0,0,-90,90,,,,gone
"x""count"":9",1,2,10,60,50,10,40,0,0,10,30,,,"200 % slower a call, 1 call more"
new,0,1,0,40,40,0,0,40,0,,40,,,new
same,1,1,10,10,0,0,0,0,0,10,10,,,the same
--- stderr
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
END
check 'trace-diff: reads groups, partial results, folders and standard input' 0 \
	'groupby -g name -a max,count,sum -o ndjson a.nd >a.groups && groupby -g name -a count,sum --partial a.nd >a.part
	mkdir a.ranks && cp a.nd a.ranks/0.nd
	for a in a.groups a.part a.ranks; do trace-diff --whole -t 1 -o csv $a - <b.nd; done' <<'END'
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
gone,1,0,90,0,-90,0,0,0,-90,90,,gone
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
gone,1,0,90,0,-90,0,0,0,-90,90,,gone
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
gone,1,0,90,0,-90,0,0,0,-90,90,,gone
--- stderr
trace-diff: B has only 17.7 % of A's time under the same keys; operators (-g op) are comparable more often
trace-diff: B has only 17.7 % of A's time under the same keys; operators (-g op) are comparable more often
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
END
check 'trace-diff -g -f -k' 0 \
	'trace-diff --whole -g kind -f bytes -o csv a.nd b.nd
	trace-diff --whole -k memset,api -g kind,name -o csv a.nd b.nd' <<'END'
kind,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
kernel,1,1,5,2,-3,0,-3,0,0,5,2,60 % less a call
kind,name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
memset,new,0,1,0,40,40,0,0,40,0,,40,new
api,c,3,10,3,20,17,7,10,0,0,1,2,"100 % slower a call, 7 calls more"
--- stderr
trace-diff: only B has device work
END
check 'trace-diff: groups by a bucket' 0 'trace-diff --whole -g dur/40ns -o csv a.nd b.nd' <<'END'
dur/40ns,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
80,1,0,90,0,-90,0,0,0,-90,90,,gone
0,2,3,20,70,50,10,40,0,0,10,23,"133 % slower a call, 1 call more"
40,0,1,0,40,40,0,0,40,0,,40,new
--- stderr
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
END
check 'trace-diff: a table' 0 'trace-diff -u us -t 1 a.nd b.nd' <<'END'
name   count_a  count_b  total_a (us)  total_b (us)  diff (us)  mean_a (us)  mean_b (us)  change
gone         1        0          0.09          0.00      -0.09        0.090               gone
(all)        3        4          0.11          0.11       0.00        0.037        0.028  25 % faster a call, 1 call more
--- stderr
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
END
check 'trace-diff --runs' 0 'trace-diff --runs -o csv a.nd b.nd a.nd' <<'END'
run,count_b,total_b,diff,by_calls,by_time,new,gone,mean_b,change
a.nd,3,110,0,0,0,0,0,37,the same
b.nd,4,110,0,10,40,40,-90,28,"25 % faster a call, 1 call more"
a.nd,3,110,0,0,0,0,0,37,the same
END
check 'trace-diff: exits 1 if records were lost' 1 'head -c 300 b.nd | trace-diff -t 1 -o csv a.nd -' <<'END'
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,pairing,paired_with,change
gone,1,0,90,0,-90,0,0,0,-90,90,,,,gone
--- stderr
trace-diff: stdin:7: record cut short; skipped
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
END
check 'trace-diff: reports a missing file' 2 'trace-diff a.nd nosuch; trace-diff nosuch a.nd' <<'END'
--- stderr
trace-diff: nosuch: cannot open: No such file or directory
trace-diff: nosuch: cannot open: No such file or directory
END
check 'trace-diff: rejects a wrong key' 2 "trace-diff -g '' a.nd b.nd" <<'END'
--- stderr
trace-diff: -g: '': invalid field: the name is empty
END
check 'trace-diff: rejects wrong usage' 2 'trace-diff a.nd; trace-diff --repeat-a - a.nd - </dev/null' <<'END'
--- stderr
trace-diff: expected two traces; try trace-diff -h
trace-diff: only one of the traces can be standard input; try trace-diff -h
END
check 'trace-diff: rejects an unknown kind and a wrong number' 2 \
	"trace-diff -t '\$foo' a.nd b.nd; trace-diff -t 3x a.nd b.nd; trace-diff -k xyz a.nd b.nd 2>said; s=\$?
	sed 's/: expected .*//' said >&2; exit \$s" <<'END'
--- stderr
trace-diff: -t: '$foo': expected an integer >= 1; try trace-diff -h
trace-diff: -t: '3x': expected an integer >= 1; try trace-diff -h
trace-diff: -k: 'xyz'
END
cat >fields.py <<'E'
import json, subprocess
for field in "a/b", "a.b", 'a"b', "a\\b", "[", "a*b", "^x$", "&":
    with open("field.nd", "w") as out:
        out.write(json.dumps({"name": "n", field: 5}) + "\n")
    run = subprocess.run(["trace-diff", "--quiet", "-f", field, "-o", "ndjson", "field.nd", "field.nd"], stdout=subprocess.PIPE)
    row = json.loads(run.stdout or b"{}")
    if run.returncode or (row.get("name"), row.get("total_a"), row.get("total_b")) != ("n", 5, 5):
        print(field, run)
E
check 'trace-diff -f: accepts fields with special characters' 0 'python3 fields.py' </dev/null
check 'trace-diff -f: reports a field without numbers' 1 'trace-diff -g name,nosuch -f kind -o ndjson a.nd b.nd' <<'END'
--- stderr
trace-diff: field 'kind' has no numeric values
END
check 'trace-diff -f: reports a field without numbers in one trace' 0 \
	'grep -v bytes b.nd | trace-diff --whole -f bytes -o csv a.nd -' <<'END'
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,change
"x""count"":9",1,0,5,0,-5,0,0,0,-5,5,,gone
--- stderr
trace-diff: B: field 'bytes' has no numeric values
trace-diff: only A has device work
END
check 'trace-diff: options may follow the traces' 0 'trace-diff a.nd b.nd -o csv >1
	trace-diff -o csv a.nd b.nd | cmp - 1' <<'END'
--- stderr
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
trace-diff: B has only 18.2 % of A's time under the same keys; operators (-g op) are comparable more often
END
check 'trace-diff: exits 2 on a full disk' 2 'trace-diff a.nd b.nd >/dev/full 2>said' </dev/null

# --- qps: loading lasts from 1000000 to the forward pass at 1400000; the second loader range is too short

cat >loop.nd <<'END'
{"ts":1600000000000000000,"dur":2000000,"kind":"range","name":"ProfilerStep#1"}
{"ts":1600000000000100000,"dur":100,"kind":"op","name":"aten::mm","tid":1}
{"ts":1600000000001000000,"dur":300000,"kind":"range","name":"enumerate(DataLoader)#1"}
{"ts":1600000000001400000,"dur":900,"kind":"range","name":"## Forward ##"}
{"ts":1600000000002000000,"dur":50000,"kind":"range","name":"enumerate(DataLoader)#2"}
{"ts":1600000000002050000,"dur":900,"kind":"range","name":"## Forward ##"}
{"ts":1600000000002300000,"dur":100000,"kind":"api","name":"cudaLaunchKernel","tid":1}
END
check 'qps: prints the throughput' 0 'qps --batch 100 -o csv loop.nd' <<'END'
start,end,load_time,host_time,iterations,qps
1600000000000000000,1600000000002400000,400000,2000000,2,100000
END
check 'qps: start_delay may be negative; records of other kinds are not work' 0 \
	'echo \{\"ts\":1599999999999000000,\"dur\":5,\"kind\":\"sync\",\"name\":\"Context Sync\"\} |
	cat - loop.nd >busy.nd
	for ts in 1600000000000700000 1599999999999900000; do
		echo \{\"ts\":$ts,\"dur\":5,\"kind\":\"memcpy\",\"name\":\"ProfilerStep\"\} >>busy.nd
		qps -e profilerstep -o csv busy.nd | cut -d , -f 1,2,5,6; done' <<'END'
start,end,start_delay,iterations
1600000000000000000,1600000000002400000,700000,1
start,end,start_delay,iterations
1600000000000000000,1600000000002400000,-100000,1
END
check 'qps --iterations: a trace without a forward pass' 0 'qps --iterations 1 --forward nothing -o csv loop.nd' <<'END'
start,end,load_time,host_time,iterations,qps
1600000000000000000,1600000000002400000,300000,2100000,1,476.1904761904762
END
cat >before.py <<'E'
import json
for line in open("loop.nd"):
    r = json.loads(line)
    print(json.dumps(dict(r, ts=r["ts"] - 1600000030000000000)))
E
check 'qps: negative times' 0 'python3 before.py | qps --batch 100 -o csv' <<'END'
start,end,load_time,host_time,iterations,qps
-30000000000,-29997600000,400000,2000000,2,100000
END
check 'qps -e: selects the markers' 0 'qps -e nothing -e profilerstep -o csv loop.nd | cut -d , -f 5' <<'END'
iterations
1
END
check 'qps: options may follow the trace' 0 'qps loop.nd --batch=100 -o csv -e profilerstep | cut -d , -f 5,6' <<'END'
iterations,qps
1,50000
END
check 'qps: a range of the loader whose end precedes that of an earlier one' 0 \
	"sed 's/\"dur\":50000/\"dur\":900000/' loop.nd >nested.nd
	echo '{\"ts\":1600000000002060000,\"dur\":200000,\"kind\":\"range\",\"name\":\"dataloader\"}' >>nested.nd
	qps --forward nothing -o csv nested.nd | cut -d , -f 3,4" <<'END'
load_time,host_time
1200000,1200000
END
check 'qps: reports a trace without iterations, operators or calls' 1 \
	'grep -v -e op -e api loop.nd | qps; qps -e nothing loop.nd' <<'END'
--- stderr
qps: no operators or calls
qps: no iterations found; name their records with -e, or give their number with --iterations
END
check 'qps: rejects wrong options' 2 'qps --batch x loop.nd' <<'END'
--- stderr
qps: --batch: 'x': expected an integer >= 1; try qps -h
END

# --- recorded traces

golden=golden/kineto
if have python3 && need_shared $golden/dlrm_overheads/control_1_4.input.json.gz \
	$golden/dlrm_overheads/control_1_4.op_table.json; then
	# The reference loses launches that contain a call of length 0: 115 of 6268 launches, 2085 us. This changes the
	# following 6 of 79 rows.
	check 'op-breakdown: every operator of every stream of the DLRM trace' 0 \
		"op-breakdown -o csv $SHARED/$golden/dlrm_overheads/control_1_4.input.json.gz >rows &&
			operator_rows.py $SHARED/$golden/dlrm_overheads/control_1_4" <<'END'
20 fbgemm::permute_sparse_features 0 84.0 12
7 aten::linear 13 334.0 23
7 AddmmBackward0 0 304.0 43
7 torch::autograd::CppNode<SplitLookupFunction_rowwise_adagrad_Op> 0 1198.0 30
7 fb::asynchronous_complete_cumsum 0 10.0 1
7 fbgemm::asynchronous_complete_cumsum 0 155.0 6
79 6268 340273.0
--- stderr
op-breakdown: 32 of 6300 device records have no known operator
END
	check 'qps: the same value as in the summary of the DLRM trace' 0 \
		"qps --batch 2048 -o csv $SHARED/$golden/dlrm_overheads/control_1_4.input.json.gz | cut -d , -f 3-" <<'END'
load_time,host_time,start_delay,iterations,qps
0,308523000,188000,4,26552.315386535203
END
fi

if have python3 && need_shared $golden/trace_diff/compare.csv \
	data/kineto/dlrm_a100_2022_control.json.gz data/kineto/a100_2022_cudagraph_test.json.gz; then
	# The reference compares the first steps: the host work that began in these steps, and the device work that was
	# launched by it. Annotations of the device, device records without a call, and the profiler's own range do not
	# count.
	first_step() {
		trace-steps --marker '^ProfilerStep' --count 1 "$1" |
			nvtx-attach --point start --scope any -e '^ProfilerStep' --as step |
			filter-calls -v -w '!step' -w 'name !~ ^ProfilerStep' | filter-calls -v -k gpu_range |
			filter-calls -v -w 'kind =~ ^(kernel|memcpy|memset|sync)$' -w '!api'
	}
	first_step "$SHARED/data/kineto/dlrm_a100_2022_control.json.gz" >control 2>said
	first_step "$SHARED/data/kineto/a100_2022_cudagraph_test.json.gz" >changed 2>said
	cat >compare.py <<'E'
import csv, json, sys
want = {r["name"]: [float(r[k]) for k in ("Control_counts", "Test_counts", "diff_counts", "Control_total_duration", "Test_total_duration",
        "diff_duration")] for r in csv.DictReader(open(sys.argv[1]))}
rows = [json.loads(line) for line in open("rows")]
got = {r["name"]: [r["count_a"], r["count_b"], r["count_b"] - r["count_a"], r["total_a"] / 1000, r["total_b"] / 1000, r["diff"] / 1000]
       for r in rows}
for name in sorted(want.keys() | got.keys()):
    if want.get(name) != got.get(name):
        print(name, want.get(name), got.get(name))
diffs = [abs(r["diff"]) for r in rows]
print(len(want), diffs == sorted(diffs, reverse=True))
E
	check 'trace-diff: every name in two DLRM traces' 0 \
		"kinds=op,api,range,python,other,kernel,memcpy,memset,sync,gpu_range,mark
		trace-diff --whole -k \$kinds -o ndjson control changed >rows &&
		python3 compare.py $SHARED/$golden/trace_diff/compare.csv" <<'END'
432 True
--- stderr
trace-diff: the ranks differ
END
fi

finish
