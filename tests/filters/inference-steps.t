#!/bin/sh
# inference-steps.t: steps of servers of language models.
. "${0%/*}/../lib.sh"

# Two steps of vLLM. The copy at 900, of the first step, runs after the second mark; the kernel at 3000 has no call, and
# the one at 50 was launched before the first mark.
cat >run <<'E'
{"ts":10,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":50,"dur":10,"kind":"kernel","name":"early","dev":0,"stream":7,"corr":1,"api":{"name":"cudaLaunchKernel","ts":10,"dur":5,"pid":1,"tid":1},"delay":40}
{"ts":100,"dur":50,"kind":"range","name":"execute_context_1(64)_generation_2(2)","pid":1,"tid":1}
{"ts":110,"dur":40,"kind":"gpu_range","name":"execute_context_1(64)_generation_2(2)","dev":0,"stream":7}
{"ts":200,"dur":100,"kind":"kernel","name":"a","dev":0,"stream":7,"corr":2,"api":{"name":"cudaGraphLaunch","ts":120,"dur":5,"pid":1,"tid":1},"delay":80}
{"ts":250,"dur":150,"kind":"kernel","name":"b","dev":0,"stream":8,"corr":2,"api":{"name":"cudaGraphLaunch","ts":120,"dur":5,"pid":1,"tid":1},"delay":130}
{"ts":500,"dur":50,"kind":"range","name":"execute_context_0(0)_generation_3(4)","pid":1,"tid":1}
{"ts":900,"dur":20,"kind":"memcpy","name":"Memcpy DtoH","dev":0,"stream":7,"corr":3,"api":{"name":"cudaMemcpyAsync","ts":180,"dur":5,"pid":1,"tid":2},"delay":720}
{"ts":1000,"dur":100,"kind":"kernel","name":"a","dev":0,"stream":7,"corr":4,"api":{"name":"cudaGraphLaunch","ts":520,"dur":5,"pid":1,"tid":1},"delay":480}
{"ts":3000,"dur":40,"kind":"kernel","name":"lost","dev":0,"stream":7,"corr":9}
E
check 'sums by phase; records in no step are reported' 0 'inference-steps -o ndjson run' <<'E'
{"kind":"inference-steps","by":"vllm","phase":"decode","steps":1,"requests":3,"tokens":4,"device_records":1,"gpu":100,"gpu_busy":100,"wall":180,"wall_p50":180,"wall_p90":180,"wall_p99":180,"wall_busy":100,"graph_gpu":100,"graphs":1,"calls":0,"busy":0.555556,"gpu_per_token":25,"tokens_per_s":22222222.222}
{"kind":"inference-steps","by":"vllm","phase":"mixed","steps":1,"requests":3,"tokens":66,"device_records":3,"gpu":270,"gpu_busy":220,"wall":720,"wall_p50":720,"wall_p90":720,"wall_p99":720,"wall_busy":220,"graph_gpu":250,"graphs":1,"calls":1,"busy":0.305556,"gpu_per_token":3.333}
--- stderr
inference-steps: 1 device record was launched before the first step (0.000 ms)
inference-steps: 1 device record has no call in the trace, and is in no step (0.000 ms)
E
check '--each' 0 'inference-steps --each -o csv --quiet run' <<'E'
rank,pid,step,by,mark,ts,host,phase,requests,context_requests,generation_requests,tokens,context_new,generation_new,context_tokens,device_records,gpu,gpu_busy,wall,wall_busy,graph_gpu,graphs,calls,busy,gpu_per_token,tokens_per_s
,1,0,vllm,execute_context_1(64)_generation_2(2),100,400,mixed,3,1,2,66,64,2,,3,270,220,720,220,250,1,1,0.305556,3.333,91666666.667
,1,1,vllm,execute_context_0(0)_generation_3(4),500,,decode,3,0,3,4,0,4,,1,100,100,180,100,100,1,0,0.555556,25,22222222.222
E
check 'ranges of the user' 0 '
	sed "s/execute_context_.*_generation_\(.\)(\(.\))/Step \1:\2:x/" run >own
	inference-steps --each -o csv --quiet --mark "^Step ([0-9]+):([^:]*):(x|y)" --groups generation,generation_tokens own |
		cut -d, -f4,5,8-14
	inference-steps --each -o csv --quiet --mark "^Step" own | cut -d, -f4,5,8,9,12,19' <<'E'
by,mark,phase,requests,context_requests,generation_requests,tokens,context_new,generation_new
mark,Step 2:2:x,unknown,,,2,,,2
mark,Step 3:4:x,unknown,,,3,,,4
by,mark,phase,requests,tokens,wall
mark,Step 2:2:x,unknown,,,720
mark,Step 3:4:x,unknown,,,180
E
check 'the family that says most counts; marks inside others do not; sums and numbers beyond int64' 0 '
	sed "/\"ts\":500/d; s/\"ts\":100,\(.*\)execute[^\"]*/\"ts\":95,\1step[DECODE bs=3]/" run >two
	mark() { echo "{\"ts\":$1,\"dur\":$2,\"kind\":\"range\",\"name\":\"execute_$3\",\"pid\":1,\"tid\":1}"; }
	detail="context_0(sq0sk0sqsq0sqsk0)_generation_5(sq5sk70sqsq5sqsk70)"
	{ mark 3100 90 5_$detail && mark 3110 9 9_$detail && mark 3200 9 9_$detail &&
		mark 3300 9 new_9223372036854775808_cached_1; } >>two
	inference-steps --each -o csv two | cut -d, -f4,6,8,12,15,16' <<'E'
by,ts,phase,tokens,context_tokens,device_records
vllm,3100,decode,5,70,0
vllm,3200,decode,5,70,0
--- stderr
inference-steps: sums differ in 1 marks: their number of tokens is not that of context and generation
inference-steps: 5 device records were launched before the first step (0.000 ms)
inference-steps: 1 device record has no call in the trace, and is in no step (0.000 ms)
inference-steps: two:13: mark of a step with a number beyond int64; not used
E
check 'of families that say the same, the one with most marks counts; each rank has its own' 0 '
	mark() { echo "{\"ts\":$2,\"dur\":1,\"kind\":\"range\",\"name\":\"$3\",\"rank\":$1}"; }
	vllm="execute_context_0(0)_generation_4(4)" sglang="step[DECODE bs=4]"
	{ mark 0 1 "$sglang" && mark 0 2 "$vllm" && mark 0 2 "$sglang" && mark 0 2 "$vllm" && mark 0 3 "$sglang" &&
		mark 1 4 "execute_context_0(0)_generation_4(4)" && mark 1 5 "execute_new_0_cached_1" &&
		mark 1 6 "execute_new_0_cached_1"; } | inference-steps --quiet -o csv | cut -d, -f1-4' <<'E'
rank,by,phase,steps
0,sglang,decode,3
1,vllm,decode,1
E
# Each line is a trace with one mark.
cat >names <<'E'
execute_17_context_1(sq15sk219sqsq225sqsk3285)_generation_2(sq2sk209sqsq1sqsk209)
execute_0_context_0(sq0sk0sqsq0sqsk0)_generation_0(sq0sk0sqsq0sqsk0)
execute_context_2(14721)_generation_0(0)
execute_new_0_cached_4
step[EXTEND bs=2 toks=14 c_sq=14 c_sqsq=108 c_sqsk=108 c_sk=147]
step[DECODE bs=64 g_sq=128 g_sqsq=256 g_sqsk=262144 g_sk=131072]
step[DECODE bs=3 g_sqsq=9 g_sqsk=12 g_sk=40]
step[MIXED bs=2 c=1 g=1 c_sq=5 c_sk=8 c_sqsq=25 c_sqsk=40 g_sq=1 g_sk=12 g_sqsq=1 g_sqsk=12]
step[EXTEND bs=2 toks=14]
step[DECODE bs=64]
step[MIXED bs=2]
step[DRAFT_EXTEND_V2 bs=2]
prefill[bs=2 tok=14 ctx=[7, 6]]
prefill[bs=6 tok=17 ctx=[4, 4, 4]...+3]
prefill[bs=2 tok=14 ctx=[7, 6]...+3 sqsq=1 sqsk=2 sk=99 tbo=1]
decode[bs=117/128 tok=118 d=117]
decode[bs=128 tok=384 p=2 d=126 sqsq=132612 sqsk=1114112 sk=258048 tbo=1]
[Executor] _forward_step 12: 0 ctx reqs, 5 gen reqs
[Executor] _forward_step 12: 2 ctx reqs, 5 gen reqs
[Executor] _forward_step 12: 2 ctx reqs, 70 ctx tokens, 5 gen reqs
execute_diffusion_2_1024x768
prefill[bs=2 tok=14 ctx=[7, x]]
execute_context_1(2)_generation_3(4)x
 step[DECODE bs=4]
E
check 'each grammar: family, phase, requests, tokens and lengths' 0 '
	while IFS= read -r line; do
		printf "{\"ts\":1,\"dur\":1,\"kind\":\"range\",\"name\":\"%s\"}\n" "$line" |
			inference-steps --each -o csv --quiet 2>/dev/null | sed 1d |
			sed "s/,\"[^\"]*\",1,/,,1,/" | cut -d, -f4,8-15
	done <names' <<'E'
vllm,mixed,3,1,2,17,15,2,428
vllm,idle,0,0,0,0,0,0,0
vllm,prefill,2,2,0,14721,14721,0,
vllm,unknown,4,0,4,,,,
sglang,prefill,2,2,0,14,14,0,147
sglang,decode,64,0,64,128,0,128,131072
sglang,decode,3,0,3,3,0,3,40
sglang,mixed,2,1,1,6,5,1,20
sglang,prefill,2,2,0,14,14,0,
sglang,decode,64,0,64,64,0,64,
sglang,unknown,,,,,,,
sglang,unknown,,,,,,,
atom,prefill,2,2,0,14,14,0,13
atom,prefill,6,6,0,17,17,0,
atom,prefill,2,2,0,14,14,0,99
atom,decode,117,0,117,118,0,118,
atom,mixed,128,2,126,,,384,
trtllm,decode,5,0,5,5,0,5,
trtllm,mixed,7,2,5,,,5,
trtllm,mixed,7,2,5,75,70,5,
xdit,unknown,,,,,,,
E
check 'without marks: launches of graphs' 0 '
	sed /range/d run | inference-steps --each -o csv | cut -d, -f4,6-9,16
	{ sed /range/d run && sed "/range/d; s/\"ts\":/&10/g" run; } | sed /Memcpy/d | ts-sort |
		inference-steps -o csv | cut -d, -f2-4' <<'E'
by,ts,host,phase,requests,device_records
graph launches,120,400,unknown,,3
graph launches,520,,unknown,,1
by,phase,steps
graphs,unknown,2
--- stderr
inference-steps: no step marks: each of 2 graph launches counts as a step; a step may be several of them
inference-steps: 1 device record was launched before the first step (0.000 ms)
inference-steps: 1 device record has no call in the trace, and is in no step (0.000 ms)
inference-steps: no step marks: 2 steps of repeating graph launches, 2 launches each
inference-steps: 1 device record was launched before the first step (0.000 ms)
inference-steps: 2 device records have no call in the trace, and are in no step (0.000 ms)
E
check 'neither marks nor launches of graphs' 1 '
	sed "/range/d; s/GraphLaunch/LaunchKernel/" run | inference-steps; inference-steps --mark nosuch run' <<'E'
--- stderr
inference-steps: no step marks (vLLM, SGLang, ATOM, TensorRT-LLM) and no graph launches; vLLM, and SGLang since 2026-04, write marks while their profilers run, for nsys with VLLM_NVTX_SCOPES_FOR_PROFILING=1 or SGLANG_ENABLE_NVTX_SCHEDULER=1; for other ranges: --mark REGEX
inference-steps: no range matches 'nosuch' (--mark)
E
check 'no calls on device records; not in ts order; wrong options' 2 '
	sed "s/,\"api\":{[^}]*}//" run | inference-steps -o csv --quiet | cut -d, -f3-6
	tac run >back; inference-steps back
	for o in "--groups context" "--mark ( --groups context" "--mark x --groups context" "--mark (x) --groups token" \
		"--mark (x)(y) --groups context,context"; do inference-steps $o run; done' <<'E'
phase,steps,requests,tokens
decode,1,3,4
mixed,1,3,66
--- stderr
inference-steps: no device record has a call, so no step has work; run: trace-join FILE | inference-steps
inference-steps: back:2: not in ts order; run: ts-sort back | inference-steps
inference-steps: --groups needs --mark
inference-steps: --mark: '(': invalid regular expression: unmatched ( or \(
inference-steps: --mark: 'x': expected a (group) for each name of --groups
inference-steps: --groups: 'token': expected context, generation, context_tokens, generation_tokens, context_length or generation_length
inference-steps: --groups: 'context': expected each name once
E
check 'ranks apart' 0 '
	for r in 0 1; do sed "s/,\"pid\"/,\"rank\":$r&/; s/,\"dev\"/,\"rank\":$r&/" run; done | ts-sort |
		inference-steps -o csv --quiet | cut -d, -f1-6' <<'E'
rank,by,phase,steps,requests,tokens
0,vllm,decode,1,3,4
0,vllm,mixed,1,3,66
1,vllm,decode,1,3,4
1,vllm,mixed,1,3,66
E
check 'plot steps of phases: use --each' 2 'inference-steps --quiet -o ndjson run | ndjson2svg steps' <<'E'
--- stderr
ndjson2svg: a record is not a step, but a phase; run: inference-steps --each
E
check 'plot steps: a bar for each step, an empty part where the GPU did not work' 0 "
	inference-steps --each --quiet -o ndjson run | ndjson2svg steps | sed -n '/<title>step/,/title>/p' |
		sed 's/<rect class=.\([a-z0-9]*\) m.*<title>/\1 /; s/<.*//'
	inference-steps --each --quiet -o ndjson run | TRACEFILTERS_CHARSET=UTF-8 ndjson2svg steps -T | sed -n 3,4p" <<'E'
s6 step 0, mixed
720 ns, the GPU works for 30.6 %
3 requests, 66 tokens
GPU time per token: 3.33 ns
back step 0, mixed
720 ns, the GPU works for 30.6 %
3 requests, 66 tokens
GPU time per token: 3.33 ns
s5 step 1, decode
180 ns, the GPU works for 55.6 %
3 requests, 4 tokens
GPU time per token: 25 ns
back step 1, decode
180 ns, the GPU works for 55.6 %
3 requests, 4 tokens
GPU time per token: 25 ns
  0 mixed ██████████████████████████████████████████████████  720 ns, GPU 30.6 %
 1 decode ▓▓▓▓▓▓▓▓▓▓▓▓▓ 180 ns, GPU 55.6 %
E

slow check 'trace-report has a section about steps' 0 '
	trace-report -o ndjson --quiet run | filter-calls -w "section == serving" |
		ndjson2table -o csv -f label,steps,tokens,wall_p50,gpu_per_token
	sed /range/d run | trace-report -o ndjson --quiet | filter-calls -c -w "section == serving"' <<'E'
label,steps,tokens,wall_p50,gpu_per_token
decode,1,4,180,25
mixed,1,66,720,3.333
0
E

# --- random traces, and recorded ones

seeds=$(amount 2 8) export seeds
check 'random traces' 0 '
	seed=1; while [ $seed -le $seeds ]; do
		inference_steps.py make $seed >made
		inference-steps --each -o ndjson --quiet made | inference_steps.py check made
		seed=$((seed + 1))
	done | sed "s/.*wrong/wrong/" | sort -u' <<'E'
wrong: 0
E
for trace in graphs/vllm_decode_full/run graphs/sglang_decode/run kineto/a100_2022_cudagraph_test; do
	golden=${trace%/run}
	golden=golden/inference/${golden#*/}.csv
	need_shared "data/$trace.json.gz" "$golden" || continue
	steps=1
	[ "${trace#kineto}" = "$trace" ] || steps=6
	slow check "$trace: as in the reference" 0 "
		trace-join --scope none $SHARED/data/$trace.json.gz | inference-steps --each -o ndjson --quiet |
		inference_steps.py golden $SHARED/$golden" <<E
$steps steps, wrong: 0
E
done
if need_shared gen/gen_graphs.py golden/inference/generated.csv; then
	slow check 'generated traces, six grammars: as in the reference' 0 '
		grep "^ *gen/gen_graphs.py" $SHARED/golden/graphs/README.md | sed "s|OUT|made.d|; s|^ *|python3 $SHARED/|" | sh
		for run in made.d/*/run_rank*; do
			setting=${run#*/} rank=${run##*rank}
			trace-join --scope none $run | inference-steps --each -o ndjson --quiet |
				inference_steps.py golden $SHARED/golden/inference/generated.csv setting=${setting%/*} rank=${rank%%.*}
		done | sed "s/.*wrong/wrong/" | sort -u' <<'E'
wrong: 0
E
fi
finish
