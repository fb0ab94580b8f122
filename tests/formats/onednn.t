#!/bin/sh
# onednn.t: verbose output of all versions of oneDNN, DNNL and MKL-DNN.
. "${0%/*}/../lib.sh"

# --- each version of the line format, with lines and their records written by hand

version() { # version NAME LINE RECORD
	printf '%s\n' "$2" >line
	printf '%s\n' "$3" >want
	check "$1" 0 'trace2ndjson line | diff want -' </dev/null
}
version 'before 0.13: no implementation' \
	'mkldnn_verbose,exec,reorder,undef,in:f32_nchw out:f32_nChw8c,num:1,2x16x7x7,0.484863' \
	'{"dur":484863,"kind":"primitive","name":"reorder","args":{"engine":"cpu","prop":"undef","mds":"in:f32_nchw out:f32_nChw8c","dtypes":"f32","aux":"num:1","shape":"2x16x7x7","seq":0}}'
version '0.13 to 0.21' \
	'mkldnn_verbose,create,convolution,gemm:jit,forward_training,fsrc:nchw fwei:oihw fbia:undef fdst:nchw,alg:convolution_direct,mb800_ic1oc100,40.5582' \
	'{"dur":40558200,"kind":"create","name":"convolution","args":{"engine":"cpu","impl":"gemm:jit","prop":"forward_training","mds":"fsrc:nchw fwei:oihw fbia:undef fdst:nchw","aux":"alg:convolution_direct","shape":"mb800_ic1oc100","seq":0}}'
version '1.0: an engine' \
	'mkldnn_verbose,exec,cpu,reorder,simple:any,undef,src_f32::blocked:a:f0 dst_s8::blocked:a:f0,num:1,16,0.462891' \
	'{"dur":462891,"kind":"primitive","name":"reorder","args":{"engine":"cpu","impl":"simple:any","isa":"any","prop":"undef","mds":"src_f32::blocked:a:f0 dst_s8::blocked:a:f0","dtypes":"f32,s8","aux":"num:1","shape":"16","seq":0}}'
version '1.0 on a GPU: no time' \
	'mkldnn_verbose,exec,gpu,reorder,ocl:ref:any,undef,src_f32::blocked:a:f0 dst_f32::blocked:a:f0,num:1,2x16' \
	'{"kind":"primitive","name":"reorder","args":{"engine":"gpu","impl":"ocl:ref:any","isa":"any","ref":true,"prop":"undef","mds":"src_f32::blocked:a:f0 dst_f32::blocked:a:f0","dtypes":"f32","aux":"num:1","shape":"2x16","seq":0}}'
version '1.1 to 2.4: attributes and the result of the cache' \
	"dnnl_verbose,create:cache_miss,cpu,convolution,jit:avx512_common,forward_training,src_f32::blocked:abcd:f0 bia_undef::undef::f0 dst_bf16::blocked:aBcd16b:f0,post_ops:'eltwise_relu;';,alg:convolution_direct,mb32_ic3oc64,0.25" \
	"{\"dur\":250000,\"kind\":\"create\",\"name\":\"convolution\",\"args\":{\"engine\":\"cpu\",\"impl\":\"jit:avx512_common\",\"isa\":\"avx512_common\",\"prop\":\"forward_training\",\"mds\":\"src_f32::blocked:abcd:f0 bia_undef::undef::f0 dst_bf16::blocked:aBcd16b:f0\",\"dtypes\":\"f32,bf16\",\"attr\":\"post_ops:'eltwise_relu;';\",\"aux\":\"alg:convolution_direct\",\"shape\":\"mb32_ic3oc64\",\"cache\":\"miss\",\"seq\":0}}"
version '2.1: a timestamp, and a blank after the attributes' \
	'onednn_verbose,1795234188169.678955,exec,cpu,lrn,lrn_ref:any,forward_inference,src_f32::blocked:acdb:f0,attr-scratchpad:user ,alg:lrn_across_channels,mb2ic64,7.052' \
	'{"ts":1795234188169678955,"dur":7052000,"kind":"primitive","name":"lrn","args":{"engine":"cpu","impl":"lrn_ref:any","isa":"any","ref":true,"prop":"forward_inference","mds":"src_f32::blocked:acdb:f0","dtypes":"f32","attr":"attr-scratchpad:user","aux":"alg:lrn_across_channels","shape":"mb2ic64"}}'
version '2.7: gemm_api with one field fewer' \
	'onednn_verbose,exec,cpu,gemm_api,,undef,src_f32::blocked:ab:f0 dst_f32::blocked:ab:f0,,64x64:64x64,35.502' \
	'{"dur":35502000,"kind":"primitive","name":"gemm_api","args":{"engine":"cpu","prop":"undef","mds":"src_f32::blocked:ab:f0 dst_f32::blocked:ab:f0","dtypes":"f32","shape":"64x64:64x64","seq":0}}'
version '3.3: the component after the timestamp' \
	'onednn_verbose,1693533460193.346924,primitive,create:cache_hit,cpu,reorder,jit:uni,undef,src_f32:a:blocked:a::f0 dst_f8_e5m2::blocked:a::f0,,,16,0.0161133' \
	'{"ts":1693533460193346924,"dur":16113,"kind":"create","name":"reorder","args":{"engine":"cpu","impl":"jit:uni","isa":"uni","prop":"undef","mds":"src_f32:a:blocked:a::f0 dst_f8_e5m2::blocked:a::f0","dtypes":"f32,f8_e5m2","shape":"16","cache":"hit"}}'
version '3.6: a version, and the type as a separate field' \
	'onednn_verbose,v1,primitive,exec,gpu:0,matmul,jit:gemm:any,undef,src:f16::blocked:ab::f0 wei:s8::blocked:ba::f0,attr-fpmath:f16:true,,4160x3420:3420x1280,0.732178' \
	'{"dur":732178,"kind":"primitive","name":"matmul","args":{"engine":"gpu:0","impl":"jit:gemm:any","isa":"any","prop":"undef","mds":"src:f16::blocked:ab::f0 wei:s8::blocked:ba::f0","dtypes":"f16,s8","attr":"attr-fpmath:f16:true","shape":"4160x3420:3420x1280","seq":0,"version":"v1"}}'
version 'the last of two instruction sets is the isa' \
	'onednn_verbose,exec,cpu,matmul,brg:avx512_core:sse41:jit,undef,src_f32::blocked:ab:f0,,,2x1,1' \
	'{"dur":1000000,"kind":"primitive","name":"matmul","args":{"engine":"cpu","impl":"brg:avx512_core:sse41:jit","isa":"sse41","prop":"undef","mds":"src_f32::blocked:ab:f0","dtypes":"f32","shape":"2x1","seq":0}}'
version '3.6: gemm_api with tensors in the old form' \
	'onednn_verbose,v1,primitive,exec,cpu,gemm_api,,undef,src_f32::blocked:ab:f0,,,64x64:64x64,0.0170898' \
	'{"dur":17090,"kind":"primitive","name":"gemm_api","args":{"engine":"cpu","prop":"undef","mds":"src_f32::blocked:ab:f0","dtypes":"f32","shape":"64x64:64x64","seq":0,"version":"v1"}}'
version 'micro-kernels' \
	'onednn_verbose,v1,ukernel,exec,cpu,brgemm,jit:avx512_core_amx_int8,undef,src:s8::blocked:ab::f0,,,2x1:1x1,0.5' \
	'{"dur":500000,"kind":"primitive","name":"brgemm","args":{"engine":"cpu","impl":"jit:avx512_core_amx_int8","isa":"avx512_core_amx_int8","prop":"undef","mds":"src:s8::blocked:ab::f0","dtypes":"s8","shape":"2x1:1x1","seq":0,"component":"ukernel","version":"v1"}}'
version 'a nested creation' \
	'onednn_verbose,v1,primitive,create_nested:cache_miss,cpu,matmul,brgemm_matmul_copy_reorder_t,undef,src:f32::blocked:ab::f0,,,2x1:1x1,0' \
	'{"dur":0,"kind":"create","name":"matmul","args":{"engine":"cpu","impl":"brgemm_matmul_copy_reorder_t","prop":"undef","mds":"src:f32::blocked:ab::f0","dtypes":"f32","shape":"2x1:1x1","cache":"miss","nested":true,"seq":0,"version":"v1"}}'
version 'a hit in another cache' \
	'onednn_verbose,v1,primitive,create:kernel_cache_hit,cpu,matmul,ref:any,undef,src:f32::blocked:ab::f0,,,2x1,4.88e-05' \
	'{"dur":49,"kind":"create","name":"matmul","args":{"engine":"cpu","impl":"ref:any","isa":"any","ref":true,"prop":"undef","mds":"src:f32::blocked:ab::f0","dtypes":"f32","shape":"2x1","cache":"kernel_cache_hit","seq":0,"version":"v1"}}'
version 'the execution of a partition of a graph' \
	'onednn_verbose,graph,exec,cpu,100002,matmul_post_ops,mm;relu,,in0_f32:0:strided:undef:2x3:3x1 out0_bf16:2:strided:undef:2x4:4x1,fpm:strict,dnnl_backend,0.25' \
	'{"dur":250000,"kind":"primitive","name":"matmul_post_ops","args":{"engine":"cpu","partition":"100002","ops":"mm;relu","mds":"in0_f32:0:strided:undef:2x3:3x1 out0_bf16:2:strided:undef:2x4:4x1","dtypes":"f32,bf16","fpmath":"strict","backend":"dnnl_backend","nested":true,"seq":0,"component":"graph"}}'
version 'the compilation of a partition, by the graph library, with an implementation' \
	'onednn_graph_verbose,compile:cache_miss,cpu,7,sdp,a;b,,in0_f32:0:strided:undef:2:1,fpm:strict,sdp_decomp_kernel_t,dnnl_backend,2' \
	'{"dur":2000000,"kind":"create","name":"sdp","args":{"engine":"cpu","partition":"7","impl":"sdp_decomp_kernel_t","ops":"a;b","mds":"in0_f32:0:strided:undef:2:1","dtypes":"f32","fpmath":"strict","backend":"dnnl_backend","cache":"miss","nested":true,"seq":0}}'
version 'an operation of a graph' \
	'onednn_verbose,v1,graph,exec,gpu,_gen_index(_gen_index),18446744073709551615,attrs:{axis:2,b:1},inputs:{f32:1},outputs:{s32:2},0.193115' \
	'{"dur":193115,"kind":"primitive","name":"_gen_index","args":{"engine":"gpu","partition":"18446744073709551615","attrs":"{axis:2,b:1}","inputs":"{f32:1}","outputs":"{s32:2}","nested":true,"seq":0,"component":"graph","version":"v1"}}'
version 'a dispatch message' \
	'onednn_verbose,primitive,create:dispatch,matmul,cpu,matmul,brg:avx512_core_amx,undef,src_u8:a:any:any::f0 wei_s8:a:any:any::f0,,,256x256:256x256,unsupported isa, really,src/cpu/x64/matmul/brgemm_matmul.cpp:97' \
	'{"kind":"other","name":"matmul","args":{"class":"diag","op":"create:dispatch","file":"src/cpu/x64/matmul/brgemm_matmul.cpp","line":97,"engine":"cpu","impl":"brg:avx512_core_amx","isa":"avx512_core_amx","prop":"undef","mds":"src_u8:a:any:any::f0 wei_s8:a:any:any::f0","dtypes":"u8,s8","shape":"256x256:256x256","message":"unsupported isa, really"}}'
version 'a dispatch message without tensors' \
	'onednn_verbose,1693533460193.346924,primitive,create:dispatch,convolution,bad flags,src/cpu/x64/jit_brgemm_conv_utils.cpp:2429' \
	'{"ts":1693533460193346924,"kind":"other","name":"convolution","args":{"class":"diag","op":"create:dispatch","file":"src/cpu/x64/jit_brgemm_conv_utils.cpp","line":2429,"message":"bad flags"}}'
version 'the start of a creation' \
	'onednn_verbose,v1,primitive,create:start,cpu,inner_product,brg_matmul:avx2,forward_training,src:f32:a:blocked:ab::f0,,,mb2ic1oc1' \
	'{"kind":"other","name":"inner_product","args":{"class":"diag","op":"create:start","engine":"cpu","impl":"brg_matmul:avx2","isa":"avx2","prop":"forward_training","mds":"src:f32:a:blocked:ab::f0","dtypes":"f32","shape":"mb2ic1oc1","version":"v1"}}'
version 'an error' \
	'onednn_verbose,common,error,no device' \
	'{"kind":"other","args":{"class":"diag","op":"error","message":"no device","component":"common"}}'

cat >header.log <<'EOF'
mkldnn_verbose,info,Intel(R) MKL-DNN v0.95.0 (Git Hash ce116d4),Intel(R) Advanced Vector Extensions 2 (Intel(R) AVX2)
mkldnn_verbose,info,Detected ISA is Intel AVX-512 with AVX512BW, AVX512VL, and AVX512DQ extensions
onednn_verbose,v1,info,oneDNN v3.13.0 (commit 1c8df0d)
onednn_verbose,info,cpu,isa:Intel AVX-512 with AVX512BW, AVX512VL
onednn_verbose,info,cpu,runtime:OpenMP,nthr:2
onednn_verbose,info,gpu,engine,0,name:Arc,driver_version:1.2
onednn_verbose,info,prim_template:operation,engine
onednn_verbose,graph,info,template:operation,engine
onednn_verbose,common,info,filter format is enabled, hit components: primitive
EOF
check 'lines of the header' 0 'trace2ndjson header.log' <<'EOF'
{"kind":"meta","name":"version","args":{"library":"Intel(R) MKL-DNN","version":"v0.95.0","commit":"ce116d4","isa":"Intel(R) Advanced Vector Extensions 2 (Intel(R) AVX2)"}}
{"kind":"meta","name":"isa","args":{"isa":"Intel AVX-512 with AVX512BW, AVX512VL, and AVX512DQ extensions"}}
{"kind":"meta","name":"version","args":{"library":"oneDNN","version":"v3.13.0","commit":"1c8df0d"}}
{"kind":"meta","name":"isa","args":{"engine":"cpu","isa":"Intel AVX-512 with AVX512BW, AVX512VL"}}
{"kind":"meta","name":"runtime","args":{"engine":"cpu","runtime":"OpenMP","nthr":2}}
{"kind":"meta","name":"engine","args":{"engine":"gpu","text":"engine,0,name:Arc,driver_version:1.2"}}
{"kind":"meta","name":"template","args":{"text":"operation,engine"}}
{"kind":"meta","name":"template","args":{"text":"operation,engine","component":"graph"}}
{"kind":"meta","name":"info","args":{"text":"filter format is enabled, hit components: primitive","component":"common"}}
EOF

# --- mixed with other output of a program

good='onednn_verbose,exec,cpu,reorder,jit:uni,undef,src_f32::blocked:a:f0,,,16'
{
	echo 'step 1'
	printf '\r 50%%|###|%s,0.25\r\n' "$good"
	echo "onednn_verbose,exec,cpu,reord$good,0.5"
	echo
	echo "$good"
	echo "$good,0.2.5"
	echo "$good,99999999999999"
	echo 'set onednn_verbose, it says'
	printf 'caf\351 \\\n'
	printf '%s' "$good,0.75"
} >mixed.log
check 'mixed and damaged lines, CRLF, and no newline at the end' 1 'trace2ndjson --no-args mixed.log' <<'EOF'
{"dur":250000,"kind":"primitive","name":"reorder"}
{"dur":500000,"kind":"primitive","name":"reorder"}
{"dur":750000,"kind":"primitive","name":"reorder"}
--- stderr
trace2ndjson: mixed.log:1: line is not oneDNN verbose output; skipped (and 4 more)
trace2ndjson: mixed.log:3: oneDNN verbose line is cut short or damaged; skipped (and 2 more)
trace2ndjson: mixed.log:7: time does not fit in 64 bits of nanoseconds; line skipped
trace2ndjson: mixed.log:10: last line has no newline; its time may be incomplete
EOF
check '--keep-text writes other lines as records' 1 'trace2ndjson --keep-text -k other mixed.log 2>/dev/null' <<'EOF'
{"kind":"other","name":"step 1","args":{"class":"text"}}
{"kind":"other","name":"50%|###|","args":{"class":"text"}}
{"kind":"other","name":"set","args":{"class":"text"}}
{"kind":"other","name":"onednn_verbose, it says","args":{"class":"text"}}
{"kind":"other","name":"caf� \\","args":{"class":"text"}}
EOF
check 'records are written while the program runs' 0 \
	'{ echo "step 0"; echo "$0,0.25" | sed "s/^/'"$good"'/; s/,sh,/,/"; sleep 5; } |
		timeout 2 trace2ndjson -F onednn --no-args | { read -r row && echo "$row"; }' <<'EOF'
{"dur":250000,"kind":"primitive","name":"reorder"}
EOF
check '60 KB of other output may precede the first verbose line' 0 \
	'{ yes "a line of the program, and more" | head -n 1800; echo "'"$good"',0.25"; } >late;
	trace2ndjson --no-args late 2>/dev/null' <<'EOF'
{"dur":250000,"kind":"primitive","name":"reorder"}
EOF

# The input is cut at each byte: complete lines become records, and the rest is reported.
cat >cut.py <<'EOF'
import subprocess, sys
data = open("mixed.log", "rb").read()
one = [l for l in data.split(b"\n") if l.startswith(b"onednn_verbose,exec,cpu,reorder,") and l.endswith(b"0.75")][0] + b"\n"
for n in range(1, 2 * len(one)):
    p = subprocess.run(["trace2ndjson", "-F", "onednn", "--no-args"], input=(one * 2)[:n], capture_output=True)
    got, whole = p.stdout.count(b"\n"), n // len(one)
    cut = (one * 2)[:n].split(b"\n")[-1]
    numbers = cut.count(b",") == one.count(b",") and cut[-1:].isdigit()
    if got != whole + numbers or p.returncode != (1 if cut and not numbers else 0):
        # a text that is only a prefix of "onednn_verbose," may be the output of any program
        if not (got == whole and p.returncode == 0 and b"onednn_verbose,".startswith(cut) and cut != b"onednn_verbose,"):
            print(n, cut, got, p.returncode)
EOF
slow check 'every prefix gives its complete lines' 0 'python3 cut.py' </dev/null

# --- real logs

if need_shared data/onednn golden/onednn && have python3; then
	for log in "$SHARED"/data/onednn/*.log; do
		base=${log##*/}
		base=${base%.log}
		check "$base: sums match the golden tables" 0 "trace2ndjson -k primitive,create '$log' >records 2>/dev/null &&
			for table in '$SHARED/golden/onednn/$base'.*.csv; do onednn_sums.py records \"\$table\"; done" </dev/null
	done
fi

# brief FILE STATUS: checks the main fields of an excerpt, one line per record.
brief() {
	need_shared "data/onednn/excerpts/$1" || return
	check "excerpt $1" "$2" "trace2ndjson '$SHARED/data/onednn/excerpts/$1' 2>/dev/null |
		jq -r '[.kind, .name, .ts, .dur, .args.impl, .args.isa, .args.dtypes, .args.shape, .args.cache, .args.message] |
			map(. // \"-\") | join(\" \")'"
}
if have jq; then
	brief v0.11-noimpl-doc.log 0 <<-'EOF'
	primitive reorder - 484863 - - f32 2x16x7x7 - -
	primitive reorder - 494141 - - f32 1x16x16x5x5 - -
	primitive reorder - 478027 - - f32 2x16x7x7 - -
	primitive reorder - 219971 - - f32 16 - -
	primitive reorder - 488037 - - f32 2x16x7x7 - -
	primitive reorder - 5127 - - f32 2x16x7x7 - -
	EOF
	brief v0.16-issue337.log 0 <<-'EOF'
	primitive reorder - 1991200 jit:uni uni f32 800x1x15x200 - -
	primitive reorder - 102700 jit:uni uni f32 100x1x5x200 - -
	primitive convolution - 40558200 gemm:jit - - mb800_g1ic1oc100_ih15oh11kh5sh1dh0ph0_iw200ow1kw200sw1dw0pw0 - -
	primitive reorder - 908300 jit:uni uni f32 800x100x11x1 - -
	primitive pooling - 324000 nhwc_pooling:any any - mb800ic100_ih11oh1kh11sh1ph0_iw1ow1kw1sw1pw0 - -
	primitive reorder - 465200 jit:uni uni f32 320x1x15x200 - -
	primitive reorder - 56800 jit:uni uni f32 100x1x5x200 - -
	EOF
	brief v1.0-doc.log 0 <<-'EOF'
	meta version - - - Intel(R) Advanced Vector Extensions 2 (Intel(R) AVX2) - - - -
	primitive reorder - 468994 jit:uni uni f32 2x16x7x7 - -
	primitive reorder - 458008 jit:uni uni f32 16x16x5x5 - -
	primitive reorder - 462891 simple:any any f32 16 - -
	EOF
	brief v1.7.0-dlprof-readme-truncated-last-line.log 0 <<-'EOF'
	meta version - - - - - - - -
	meta runtime - - - - - - - -
	meta isa - - - Intel AVX-512 with AVX512BW, AVX512VL, and AVX512DQ extensions - - - -
	meta runtime - - - - - - - -
	create reorder - 214111 jit:uni uni f32 64x3x7x7 miss -
	primitive reorder - 152100 jit:uni uni f32 64x3x7x7 - -
	create convolution - 250000 jit:avx512_common avx512_common f32 mb32_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3 miss -
	primitive convolution - 28779100 jit:avx512_common avx512_common f32 mb32_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3 - -
	create reorder - 52979 jit:blk - f32 32x64x112x112 miss -
	primitive reorder - 10345000 jit:blk - f32 32x64x112x112 - -
	create reorder - 47119 jit:blk - f32 32x64x56x56 miss -
	primitive reorder - 2694090 jit:blk - f32 32x64x56x56 - -
	create reorder - 71045 jit:uni uni f32 64x64x3x3 miss -
	primitive reorder - 29053 jit:uni uni f32 64x64x3x3 - -
	EOF
	brief v2.7-issue1729-gemm_api.log 0 <<-'EOF'
	primitive gemm_api - 35502000 - - f32 36864x1024:1024x1024 - -
	primitive matmul - 10835900 brg:avx512_core avx512_core f32 1536x384x64:1536x64x384:1536x384x384 - -
	primitive inner_product - 22578100 x64:gemm:jit - f32 mb36864ic768oc768 - -
	EOF
	brief v3.4-issue1959-dispatch.log 0 <<-'EOF'
	other rnn - - brgemm: - f32 l1t1mb1sic5slc10dhc5dic5 - unsupported datatype
	EOF
	brief v3.x-v1-mixed-public.log 0 <<-'EOF'
	meta version - - - - - - - -
	meta runtime - - - - - - - -
	meta isa - - - Intel AVX-512 with Intel DL Boost - - - -
	meta runtime - - - - - - - -
	meta engine - - - - - - - -
	meta info - - - - - - - -
	meta template - - - - - - - -
	other inner_product - - brg_matmul:avx2 avx2 f32 mb2ic1oc1 - -
	create matmul - 526123 brg_matmul:avx2 avx2 f32 2x1:1x1 miss -
	primitive reorder - 101074 jit:uni uni u8 256x1536 - -
	primitive reorder - 701904 jit:uni uni u8 1536x1536 - -
	primitive matmul - 732178 jit:gemm:any any f16,s8 4160x3420:3420x1280 - -
	create reorder - 6104 jit:uni uni f32,s8 3200x3200x3 hit -
	primitive _gen_index - 193115 - - - - - -
	EOF
	need_shared data/onednn/excerpts && check 'excerpt v3.3-doc-all.log: lines with times and messages' 0 \
		"trace2ndjson -k primitive,create,other '$SHARED/data/onednn/excerpts/v3.3-doc-all.log' |
		jq -r '[.kind, .name, .dur, .args.isa, .args.cache, .args.line, .args.message] |
			map(. // \"-\" | tostring) | join(\" \")'" <<-'EOF'
	other matmul - - - 144 dimension src:1 is inconsistent with weights:0
	other matmul - avx512_core_amx_fp16 - 97 unsupported isa
	other matmul - avx512_core_amx - 97 unsupported isa
	other matmul - avx512_core_fp16 - 97 unsupported isa
	other matmul - avx512_core_bf16 - 97 unsupported isa
	create convolution 709961 avx512_core miss - -
	create convolution 16113 avx512_core hit - -
	create reorder 724854 uni miss - -
	primitive reorder 16481000 uni - - -
	create reorder 349854 - miss - -
	primitive reorder 12604000 - - - -
	create reorder 35889 any miss - -
	primitive reorder 52002 any - - -
	primitive convolution 87891 avx512_core - - -
	create reorder 275146 - miss - -
	primitive reorder 18838900 - - - -
	EOF
	need_shared data/onednn/excerpts && check 'excerpt v3.3-doc-all.log: timestamps have all digits' 0 \
		"trace2ndjson -k primitive,create '$SHARED/data/onednn/excerpts/v3.3-doc-all.log' |
		sed 's/{\"ts\":\([0-9]*\),.*/\1/'" <<-'EOF'
	1693533460193346924
	1693533460194199951
	1693533460228559082
	1693533460229437012
	1693533460259165039
	1693533460259586914
	1693533460272332031
	1693533460272416992
	1693533460272561035
	1693533460313719971
	1693533460314072021
	EOF
fi

# --- traces of other programs

if need_shared data; then
	files_in $READ_FOLDERS $UNREAD_FOLDERS | grep -v /data/onednn/ | while IFS= read -r file; do
		zcat -f "$file" 2>/dev/null | head -c 65536 | trace2ndjson -F onednn -k primitive,create,meta 2>/dev/null |
			sed "s|^|$file: |"
	done | head >claimed
	check 'traces of other programs have no oneDNN lines' 0 'cat claimed' </dev/null
fi

finish
