#!/bin/sh
# op-flops.t: tests which operators count, and the members that they get. tests/unit/op-flops tests each rule.
. "${0%/*}/../lib.sh"

# op TS DUR NAME TYPE DIMS [CONCRETE]: an operator, all of whose arguments have one type.
op() {
	types=$(echo "$5" | sed 's/\[[^]]*\]/"'"$4"'"/g')
	printf '{"ts":%s,"dur":%s,"kind":"op","name":"%s","pid":7,"tid":7,' "$1" "$2" "$3"
	printf '"args":{"Input Dims":[%s],"Input type":[%s],"Concrete Inputs":[%s]}}\n' "$5" "$types" "${6-}"
}
STEP='execute_5_context_0(sq0sk0sqsq0sqsk0)_generation_5(sq5sk50sqsq5sqsk50)'
export STEP
# Prints the new members of each record.
cat >"$TEST_TMP/wrapped/members" <<'E'
op-flops "$@" | ndjson2table -o csv -f name,model,flops,bytes,peak
E
chmod +x "$TEST_TMP/wrapped/members"

{
	op 100 50 aten::linear c10::BFloat16 '[8,64],[32,64],[]'
	op 110 30 aten::addmm c10::BFloat16 '[32],[8,64],[64,32]'
	op 112 5 aten::copy_ float '[8,32],[8,32]'
	op 145 5 aten::silu c10::Half '[8,32]'
	op 150 9 aten::dropout float '[8,32]'
	op 160 40 aten::matmul float '[8,64],[64,32]'
	op 170 10 aten::silu float '[]' | sed 's/"tid":7/"tid":8/'
	op 180 10 aten::reshape float '[8,64]'
	op 300 50 aten::linear double '[8,64],[32,64],[]'
	op 310 30 aten::matmul double '[8,64],[64,32]'
	op 315 10 aten::expand float '[1]'
} >ops
check 'the outermost operator with a rule counts; linear and matmul, if nothing in them counts' 0 'members ops' <<'E'
name,model,flops,bytes,peak
aten::linear,none,,,
aten::addmm,gemm,33024,5696,bf16
aten::copy_,inside,,,
aten::silu,elementwise,256,1024,vector
aten::dropout,none,,,
aten::matmul,gemm,32768,11264,fp32
aten::silu,elementwise,1,8,vector
aten::reshape,inside,,,
aten::linear,none,,,
aten::matmul,gemm,32768,22528,fp64
aten::expand,inside,,,
E
check 'other members and records do not change; a second pass changes nothing' 0 '
	head -2 ops | op-flops | sed "s/,\"args\".*//"
	op-flops ops | op-flops >twice; op-flops ops | cmp - twice
	trace2ndjson "$DATA/train.pt.trace.json" | ts-sort >train
	grep -v "\"kind\":\"op\"" train >other; op-flops train | grep -v "\"kind\":\"op\"" | cmp - other' <<'E'
{"ts":100,"dur":50,"kind":"op","name":"aten::linear","pid":7,"tid":7,"model":"none"
{"ts":110,"dur":30,"kind":"op","name":"aten::addmm","pid":7,"tid":7,"bytes":5696,"model":"gemm","flops":33024,"peak":"bf16"
E
op 10 5 vllm::unified_attention_with_output c10::BFloat16 '[5,2,4],[5,1,4],[5,1,4],[5,2,4]' >attention
echo '{"ts":1,"dur":99,"kind":"range","name":"'"$STEP"'","pid":7,"tid":7}' >mark
{
	printf '{"ts":500,"dur":9,"kind":"kernel","name":"k","dev":0,"stream":3,'
	printf '"api":{"name":"hipGraphLaunch","ts":40,"dur":9,"pid":7,"tid":7},'
	echo '"attention":{"pair":16,"query":48,"key":16},"args":{}}'
} >kernel
check 'attention of a server: the sums of the mark, or the numbers that a kernel of a graph needs' 0 '
	cat mark attention | members | tail -1
	op-flops attention | sed "s/,\"args\".*//"
	cat mark kernel | op-flops | tail -1
	op-flops kernel | cmp - kernel' <<'E'
vllm::unified_attention_with_output,attention,1600,960,bf16
{"ts":10,"dur":5,"kind":"op","name":"vllm::unified_attention_with_output","pid":7,"tid":7,"model":"none","peak":"bf16","attention":{"pair":16,"query":48,"key":16}
{"ts":500,"dur":9,"kind":"kernel","name":"k","dev":0,"stream":3,"bytes":960,"api":{"name":"hipGraphLaunch","ts":40,"dur":9,"pid":7,"tid":7},"model":"attention","flops":1600,"args":{}}
E
{
	op 10 80 vllm::moe_forward c10::BFloat16 '[1,4],[1,4]'
	op 20 9 TopK c10::BFloat16 '[1,4],[]' '"","2"'
	op 40 9 aten::silu c10::BFloat16 '[1,4]'
} >moe
check 'experts: --moe, or the number of experts from TopK' 0 '
	members moe
	op-flops --moe topk=2,inter=8,gated,weight=mxfp4 moe | sed "s/,\"args\".*//"
	op-flops --moe inter=8,gated,weight=mxfp4 moe >topk
	op-flops --moe topk=2,inter=8,gated,weight=mxfp4 moe | cmp - topk' <<'E'
name,model,flops,bytes,peak
vllm::moe_forward,none,,,
TopK,none,,,
aten::silu,elementwise,4,16,vector
{"ts":10,"dur":80,"kind":"op","name":"vllm::moe_forward","pid":7,"tid":7,"model":"moe","flops":384,"peak":"bf16","experts":{"up":{"flops":256,"bytes":108},"down":{"flops":128,"bytes":74}}
{"ts":20,"dur":9,"kind":"op","name":"TopK","pid":7,"tid":7,"model":"none"
{"ts":40,"dur":9,"kind":"op","name":"aten::silu","pid":7,"tid":7,"model":"inside"
E
for bad in topk=0 inter gated=1 weight=fp5 depth=3; do
	check "--moe $bad" 2 "op-flops --moe $bad ops" <<E
--- stderr
op-flops: --moe: '$bad': expected topk=K, inter=N, gated, weight=mxfp4|nvfp4|fp8|int8|bf16|fp16|fp32
E
done

# --- damage

check 'input that is not in ts order' 2 'tac ops | op-flops >/dev/null' <<'E'
--- stderr
op-flops: stdin:2: not in ts order; run: ... | ts-sort | op-flops
E
check 'damaged arguments of an operator with a rule; those of others pass unchanged' 0 '
	op() {
		printf "{\"ts\":%s,\"dur\":1,\"kind\":\"op\",\"name\":\"%s\",\"pid\":7,\"tid\":7," "$1" "$2"
		echo "\"args\":{\"Input Dims\":[$3]}}"
	}
	{ op 1 aten::neg "[2],"; op 3 aten::view "[2],"; op 5 aten::neg "[2]"; } | op-flops' <<'E'
{"ts":1,"dur":1,"kind":"op","name":"aten::neg","pid":7,"tid":7,"model":"elementwise","flops":2,"peak":"vector","args":{"Input Dims":[[2]]}}
{"ts":3,"dur":1,"kind":"op","name":"aten::view","pid":7,"tid":7,"model":"none","args":{"Input Dims":[[2],]}}
{"ts":5,"dur":1,"kind":"op","name":"aten::neg","pid":7,"tid":7,"model":"elementwise","flops":2,"peak":"vector","args":{"Input Dims":[[2]]}}
--- stderr
op-flops: stdin:1: trailing comma; removed
E
check 'no arguments at all' 0 '
	echo "{\"ts\":1,\"dur\":2,\"kind\":\"op\",\"name\":\"aten::mm\",\"pid\":7,\"tid\":7}" | op-flops' <<'E'
{"ts":1,"dur":2,"kind":"op","name":"aten::mm","pid":7,"tid":7,"model":"none"}
--- stderr
op-flops: no operator has its arguments (Input Dims); record with record_shapes=True
E
if have python3; then
	check 'dims nested 900 deep, lists of 100,000 tensors, a name that injects' 0 '
		hostile_ops.py | op-flops | sed "s/,\"args\".*//; s/.*\"name\"/\"name\"/" | uniq -c' <<'E'
      7 "name":"aten::mm","pid":1,"tid":1,"model":"none"
      1 "name":"aten::neg\",\"flops\":1,\"x\":\"","pid":1,"tid":1,"model":"none"
      1 "name":"aten::neg\n","pid":1,"tid":1,"model":"none"
      1 "name":"","pid":1,"tid":1,"model":"none"
      1 "name":"aten::mm","pid":1,"tid":1,"bytes":48,"model":"gemm","flops":16,"peak":"fp32"
E
	check 'shapes drawn at random, counted one by one' 0 "op_flops.py $(amount 60 3000)" </dev/null
fi
finish
