#!/bin/sh
# cpu-scripts.t: onednn-summary, check-platform and tune-threads.
. "${0%/*}/../lib.sh"

# --- onednn-summary

cat >run.log <<'EOF'
step 0
onednn_verbose,v1,info,oneDNN v3.7.1 (commit abc)
onednn_verbose,v1,info,cpu,runtime:OpenMP,nthr:4
onednn_verbose,v1,info,cpu,isa:Intel AVX2
onednn_verbose,v1,primitive,create:cache_miss,cpu,reorder,jit:uni,undef,src:f32::blocked:a::f0 dst:s8::blocked:b::f0,,,16,3
onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,src:f32::blocked:a::f0 dst:s8::blocked:b::f0,,,16,1
onednn_verbose,v1,primitive,create_nested:cache_miss,cpu,matmul,brg:avx2,undef,src:f32::blocked:a::f0,,,4x4:4x4,7
onednn_verbose,v1,primitive,create:cache_hit,cpu,matmul,brg:avx2,undef,src:f32::blocked:a::f0,,,4x4:4x4,1
onednn_verbose,v1,graph,exec,cpu,1,mm,mm,,in0_f32:0:strided:undef:2:1,fpm:strict,dnnl_backend,9
onednn_verbose,v1,primitive,exec,cpu,matmul,brg:avx2,undef,src:f32::blocked:a::f0,,,4x4:4x4,6
onednn_verbose,v1,primitive,exec,cpu,lrn,ref:any,undef,src:f32::blocked:a::f0,,,2x2,1
EOF
cat >want <<'EOF'
library  oneDNN v3.7.1
isa      Intel AVX2
threads  4 (OpenMP)

executions by primitive
name     count  dur_sum (us)  dur_share (%)  dur_mean (us)  dur_min (us)  dur_max (us)
matmul       1          6000           75.0           6000          6000          6000
lrn          1          1000           12.5           1000          1000          1000
reorder      1          1000           12.5           1000          1000          1000

executions by isa
isa   count  dur_sum (us)  dur_share (%)  dur_mean (us)  dur_min (us)  dur_max (us)
avx2      1          6000           75.0           6000          6000          6000
any       1          1000           12.5           1000          1000          1000
uni       1          1000           12.5           1000          1000          1000

reorders: 1 of 3 executions, 12.5 % of the time
reference implementations: 1 of 3 executions, 12.5 % of the time:
  lrn ref:any
cache of primitives: 1 hits, 1 misses (75.0 % of the time of both)
EOF
# The other three tables, which are not compared here, are built in the same way.
check 'onednn-summary: prints all tables, without nested lines' 0 \
	"onednn-summary run.log | sed '/by impl/,/^\$/d; /by shape/,/^\$/d; /by dtype/,/^\$/d' | sed 's/ *\$//' |
	diff -b want -" <<'EOF'
--- stderr
onednn-summary: run.log:1: line is not oneDNN verbose output; skipped
EOF
check 'onednn-summary -b: prints one table, from records' 0 \
	'trace2ndjson run.log 2>/dev/null | onednn-summary -b dtype -o csv | cut -d , -f 1-5' <<'EOF'
dtypes,count,dur_sum,dur_share,dur_mean
f32,2,7000000,0.875,3500000
"f32,s8",1,1000000,0.125
EOF
# Both sums are larger than 2^31 ns.
check 'onednn-summary: sums of more than 2 s' 0 \
	'for event in create:cache_miss create:cache_miss create:cache_hit exec; do
	printf %s "onednn_verbose,$event,cpu,convolution,jit:avx2,forward_training,src_f32::blocked:abcd:f0,,"
	echo alg:convolution_direct,mb8_ic3oc16,2500.5
	done | onednn-summary | tail -n 1' <<'EOF'
cache of primitives: 1 hits, 2 misses (66.7 % of the time of both)
EOF
check 'onednn-summary --event create' 0 \
	'onednn-summary --event create -b primitive -o csv run.log | cut -d , -f 1-4' <<'EOF'
name,count,dur_sum,dur_share
reorder,1,3000000,0.75
matmul,1,1000000,0.25
--- stderr
onednn-summary: run.log:1: line is not oneDNN verbose output; skipped
EOF
check 'onednn-summary: prints `not reported` for missing values' 0 \
	"grep -v -e info -e create -e ref: run.log | onednn-summary | sed -n '/^library/,/^\$/p; /^ref/p; /^cache/p'" <<'EOF'
library  (not reported)
isa      (not reported)
threads  (not reported)

reference implementations: none
cache of primitives: not reported
--- stderr
onednn-summary: stdin:1: line is not oneDNN verbose output; skipped
EOF
check 'onednn-summary: reports a wrong -t before it prints anything' 2 'onednn-summary -t x run.log' <<'EOF'
--- stderr
onednn-summary: -t: 'x': expected an integer >= 1; try onednn-summary -h
EOF
check 'onednn-summary: reports output without verbose lines' 1 'echo hello | onednn-summary' <<'EOF'
--- stderr
onednn-summary: stdin: byte 0: unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)
EOF
check 'onednn-summary: reports empty input' 1 'onednn-summary </dev/null' <<'EOF'
--- stderr
onednn-summary: stdin: byte 0: empty input
EOF
check 'onednn-summary: reports that there are no creations' 1 \
	'grep -v create run.log | onednn-summary --event create' <<'EOF'
--- stderr
onednn-summary: stdin:1: line is not oneDNN verbose output; skipped
onednn-summary: no creations found; run the program with ONEDNN_VERBOSE=2, which prints executions and creations
EOF
check 'onednn-summary: reports a truncated line and exits 1' 1 \
	'{ cat run.log; echo onednn_verbose,v1,primitive,exec,cpu,lr; } | onednn-summary -b isa -o csv' <<'EOF'
isa,count,dur_sum,dur_share,dur_mean,dur_min,dur_max
avx2,1,6000000,0.75,6000000,6000000,6000000
any,1,1000000,0.125,1000000,1000000,1000000
uni,1,1000000,0.125,1000000,1000000,1000000
--- stderr
onednn-summary: stdin:1: line is not oneDNN verbose output; skipped
onednn-summary: stdin:12: oneDNN verbose line is cut short or damaged; skipped
EOF
check 'onednn-summary: reports a file without verbose lines and exits 1' 1 \
	': >nothing; onednn-summary -b isa -o csv run.log nothing | tail -n 1
	onednn-summary -b isa -o csv run.log nothing >/dev/null 2>&1' <<'EOF'
uni,1,1000000,0.125,1000000,1000000,1000000
--- stderr
onednn-summary: run.log:1: line is not oneDNN verbose output; skipped
onednn-summary: nothing: byte 0: empty input
EOF
check 'onednn-summary --event: rejects an unknown event' 2 'onednn-summary --event all run.log' <<'EOF'
--- stderr
onednn-summary: --event: 'all': expected exec or create; try onednn-summary -h
EOF
check 'onednn-summary -b prop: by propagation' 0 \
	'onednn-summary -b prop -o csv "$DATA/cnn.onednn.txt" | cut -d , -f 1-3' <<'EOF'
prop,count,dur_sum
forward_training,18,174789380
undef,3,14105080
forward_inference,3,1168181
EOF
check 'onednn-summary -b: rejects an unknown view' 2 'onednn-summary -b all run.log' <<'EOF'
--- stderr
onednn-summary: -b: 'all': expected primitive, impl, isa, shape, dtype or prop; try onednn-summary -h
EOF
check_re 'onednn-summary: reports a missing file' 2 'onednn-summary absent.log' <<'EOF'
--- stderr
onednn-summary: absent.log: .*
EOF

# --- check-platform

printf 'flags\t\t: fpu avx2 avx512f avx512cd avx512bw avx512dq avx512vl avx512_vnni2 avx512_bf16\n' >cpuinfo
check 'check-platform: compares flags as whole words' 0 'check-platform --cpuinfo cpuinfo' <<'EOF'
avx2    yes
avx512  yes
vnni    no: lacks avx512_vnni or avx_vnni
bf16    yes
amx     no: lacks amx_tile amx_int8 amx_bf16
EOF
check 'check-platform: exits 0 if the CPU has all groups' 0 'check-platform --cpuinfo cpuinfo avx512 bf16' <<'EOF'
avx512  yes
bf16    yes
EOF
check 'check-platform: exits 1 if the CPU lacks a group' 1 'check-platform --cpuinfo cpuinfo amx avx2' <<'EOF'
amx     no: lacks amx_tile amx_int8 amx_bf16
avx2    yes
EOF
check 'check-platform: avx_vnni, incomplete avx512, and cores that differ' 1 \
	'{ echo "flags : avx_vnni avx512f avx2"; echo "flags : avx_vnni avx512f"; } |
		check-platform --cpuinfo - vnni avx512 avx2 2>&1 ||
	{ echo "flags : avx_vnni avx512f avx2"; echo "flags : avx_vnni avx512f"; } >cores;
		check-platform --cpuinfo cores vnni avx512 avx2' <<'EOF'
check-platform: -: cannot read
vnni    yes
avx512  no: lacks avx512cd avx512bw avx512dq avx512vl
avx2    no: lacks avx2
EOF
check 'check-platform: rejects an unknown group' 2 'check-platform avx' <<'EOF'
--- stderr
check-platform: 'avx': expected avx2, avx512, vnni, bf16 or amx
EOF
check 'check-platform: reports a file without flags' 2 'echo model >none; check-platform --cpuinfo none' <<'EOF'
--- stderr
check-platform: none: no CPU flags found
EOF
if [ -r /proc/cpuinfo ]; then
	check 'check-platform: reads the flags of this machine' 0 'check-platform | wc -l' <<'EOF'
5
EOF
fi

# --- tune-threads

# machine NAME LSCPU ALLOWED: writes programs that make this machine look like another one.
machine() {
	mkdir -p "$1"
	printf '#!/bin/sh\ncat <<"E"\n# comment\n%s\nE\n' "$2" >"$1/lscpu"
	printf '#!/bin/sh\nexit 1\n' >"$1/numactl"
	cp "$1/numactl" "$1/taskset"
	printf '#!/bin/sh\ncase "$*" in */proc/self/status) echo %s; exit ;; esac; exec %s "$@"\n' "$3" \
		"$(command -v sed)" >"$1/sed"
	chmod +x "$1"/*
}
shown='echo $OMP_NUM_THREADS $MKL_NUM_THREADS $OMP_PROC_BIND $OMP_PLACES $GOMP_CPU_AFFINITY'
shown=$shown' $KMP_AFFINITY $KMP_BLOCKTIME $GOMP_SPINCOUNT'
machine two '0,0,0
1,1,0
2,2,0
3,3,0
4,4,1
5,5,1
6,6,1
7,7,1
8,0,0
9,1,0
10,2,0
11,3,0
12,4,1
13,5,1
14,6,1
15,7,1' 0-15
check 'tune-threads: levels, CPUs and variables of two sockets with SMT' 0 \
	"PATH=\$PWD/two:\$PATH KMP_BLOCKTIME=1 tune-threads --runs 1 --log two.runs -o csv -- sh -c '$shown' | cut -d , -f 1-4;
	cat two.runs/half-1.log" <<'EOF'
level,threads,runs,failed
1,1,1,0
half,2,1,0
socket,4,1,0
all,8,1,0
smt,16,1,0
2 2 close cores 0,1 granularity=fine,compact,1,0 1 0
--- stderr
tune-threads: binding with none
tune-threads: level 1: OMP_NUM_THREADS=1, CPUs 0
1 1 close cores 0 granularity=fine,compact,1,0 1 0
tune-threads: level half: OMP_NUM_THREADS=2, CPUs 0,1
2 2 close cores 0,1 granularity=fine,compact,1,0 1 0
tune-threads: level socket: OMP_NUM_THREADS=4, CPUs 0,1,2,3
4 4 close cores 0,1,2,3 granularity=fine,compact,1,0 1 0
tune-threads: level all: OMP_NUM_THREADS=8, CPUs 0,1,2,3,4,5,6,7
8 8 close cores 0,1,2,3,4,5,6,7 granularity=fine,compact,1,0 1 0
tune-threads: level smt: OMP_NUM_THREADS=16, CPUs 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
16 16 close threads 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 granularity=fine,compact,1,0 1 0
EOF
machine inside '0,0,0
1,1,0
2,2,0
3,3,0' 2-3
check 'tune-threads: uses only the CPUs of a cpuset' 0 \
	'PATH=$PWD/inside:$PATH tune-threads --runs 1 --levels 1,socket -o csv -- true | cut -d , -f 1-4' <<'EOF'
level,threads,runs,failed
1,1,1,0
socket,2,1,0
--- stderr
tune-threads: binding with none
tune-threads: level 1: OMP_NUM_THREADS=1, CPUs 2
tune-threads: level socket: OMP_NUM_THREADS=2, CPUs 2,3
EOF
machine one '0,0,0' 0
check 'tune-threads: one core has one level' 0 \
	'PATH=$PWD/one:$PATH tune-threads --runs 2 -o csv -- true 2>/dev/null | cut -d , -f 1-4,7-8' <<'EOF'
level,threads,runs,failed,speedup,efficiency
1,1,2,0,1,1
EOF
check_re 'tune-threads -o runs: prints a record for each run' 0 \
	'PATH=$PWD/one:$PATH tune-threads --runs 1 --log "a \"b" -o runs -- sh -c "echo out; echo err >&2" 2>/dev/null &&
	cat "a \"b/1-1.log" && cat "a \"b/runs.ndjson" | trace2ndjson -k range | wc -l' <<'EOF'
\{"ts":[0-9]+,"dur":[0-9]+,"kind":"range","name":"sh","level":"1","run":1,"threads":1,"cpus":"0","bind":"none","status":0,"file":"a \\"b/1-1.log"\}
out
err
1
EOF
check 'tune-threads: reports a failed run and does not count it' 1 \
	'PATH=$PWD/one:$PATH tune-threads --runs 3 -o csv -- sh -c "[ -e there ] || { touch there; exit 7; }" | cut -d , -f 1-4
	rm there; PATH=$PWD/one:$PATH tune-threads --runs 1 -o csv -- sh -c "exit 7" 2>/dev/null' <<'EOF'
level,threads,runs,failed
1,1,2,1
level,threads,runs,failed,dur_min,dur_p50,speedup,efficiency
1,1,0,1,,,,
--- stderr
tune-threads: binding with none
tune-threads: level 1: OMP_NUM_THREADS=1, CPUs 0
tune-threads: level 1, run 1: exit status 7; its time is not used
tune-threads: level half: same CPUs as a preceding level; skipped
tune-threads: level socket: same CPUs as a preceding level; skipped
tune-threads: level all: same CPUs as a preceding level; skipped
tune-threads: level smt: same CPUs as a preceding level; skipped
EOF
check 'tune-threads: reports a command that does not exist' 1 \
	'PATH=$PWD/one:$PATH tune-threads --runs 1 --levels 1 -o csv -- ./absent 2>/dev/null | cut -d , -f 4;
	PATH=$PWD/one:$PATH tune-threads --runs 1 --levels 1 -- ./absent >/dev/null 2>&1' <<'EOF'
failed
1
EOF
if have taskset; then
	cpu=$(awk '$1 == "Cpus_allowed_list:" { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status)
	check 'tune-threads: runs on this machine in a cpuset, without numactl' 0 \
		"mkdir -p bare && printf '#!/bin/sh\nexit 127\n' >bare/numactl && chmod +x bare/numactl &&
		PATH=\$PWD/bare:\$PATH taskset -c $cpu tune-threads --runs 1 --levels 1,all -o csv -- sh -c \
		'taskset -pc \$\$ | sed \"s/.*: //\"' | cut -d , -f 1-4" <<EOF
level,threads,runs,failed
1,1,1,0
--- stderr
tune-threads: binding with taskset
tune-threads: level 1: OMP_NUM_THREADS=1, CPUs $cpu
$cpu
tune-threads: level all: same CPUs as a preceding level; skipped
EOF
fi
check 'tune-threads: rejects a missing command' 2 'tune-threads --runs 2' <<'EOF'
--- stderr
tune-threads: COMMAND is missing; try tune-threads -h
EOF
check 'tune-threads: rejects a command that does not follow --' 2 'tune-threads sh -o runs' <<'EOF'
--- stderr
tune-threads: COMMAND must follow --; try tune-threads -h
EOF
check 'tune-threads: rejects a wrong number' 2 'tune-threads --runs 0 -- true' <<'EOF'
--- stderr
tune-threads: --runs: '0': expected an integer >= 1; try tune-threads -h
EOF
check 'tune-threads: rejects an unknown level' 2 'tune-threads --levels 1,two -- true' <<'EOF'
--- stderr
tune-threads: --levels: '1,two': expected a list of 1, half, socket, all and smt; try tune-threads -h
EOF
check_re 'tune-threads --log: reports a directory that cannot be created' 2 \
	'tune-threads --log /dev/null/x -- true' <<'EOF'
--- stderr
tune-threads: /dev/null/x: cannot write
EOF

finish
