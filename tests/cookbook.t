#!/bin/sh
# cookbook.t: every command of tracefilters(7) answers: status 0, nothing on stderr, something on stdout. And what each
# answers instead of is there: the pairs are complete.
. "${0%/*}/lib.sh"
have python3 || finish

gzip -c "$DATA/train.pt.trace.json" >run.json.gz
cp run.json.gz after.json.gz
cp run.json.gz rank-0.json.gz
cp run.json.gz rank-1.json.gz
cp "$DATA/train.nsys.json" report.json
cp "$DATA/tiny.dvdt.out" prog.out
cp "$ROOT/scripts/kineto/kernel-classes.tsv" .
trace-join run.json.gz >run.ndjson
cat >verbose.log <<'E'
onednn_verbose,v1,info,oneDNN v3.7.1 (commit abc)
onednn_verbose,v1,info,cpu,isa:Intel AVX2
onednn_verbose,v1,primitive,exec,cpu,matmul,brg:avx2,undef,src:f32::blocked:a::f0,,,4x4:4x4,6
onednn_verbose,v1,primitive,exec,cpu,lrn,ref:any,undef,src:f32::blocked:a::f0,,,2x2,1
E
cat >samples.txt <<'E'
train  100 10.000000:     250000 cpu-clock:
	            1000 gemm+0x10 (/usr/lib/libblas.so)
	            2000 main+0x20 (/usr/bin/train)

train  100 10.001000:     250000 cpu-clock:
	            2000 main+0x20 (/usr/bin/train)

E
cat >profile.txt <<'E'
-----------  ------------  ------------  ------------  ------------  ------------  ------------
       Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg    # of Calls
-----------  ------------  ------------  ------------  ------------  ------------  ------------
   aten::mm        90.00%     900.000us        95.00%     950.000us     475.000us             2
  aten::add        10.00%     100.000us        10.00%     100.000us     100.000us             1
-----------  ------------  ------------  ------------  ------------  ------------  ------------
Self CPU time total: 1.000ms
E
cat >eventlog.ndjson <<'E'
{"ts":100,"dur":50,"kind":"kernel","name":"k_1","cat":"tile::hal::opencl::Executing","dev":0,"id":5,"parent":4}
E

# Two lines for each pair, those of ours with \e for a backslash.
awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT/scripts/tracefilters.7" | sed 's/\\e/\\/g' >lines
check 'a line of theirs stands before each of ours' 0 \
	"awk '(NR % 2 == 1) != /^# ./' lines; awk 'END { exit NR % 2 }' lines" </dev/null
check 'every line of ours begins with a program of ours' 0 "sed -n 'n;p' lines | while read -r program rest; do
	[ \"\$program\" = tail ] || [ -x \$BUILD/bin/\$program ] || echo \"no \$program: \$rest\"; done" </dev/null

# What a command says on stderr of these files, each of which lacks something.
notice() {
	case $1 in
	op-breakdown*) echo 'op-breakdown: 4 of 14 device records were launched by no operator that is known' ;;
	*prog.out*) echo 'trace2ndjson: prog.out:82: enqueue that failed: it has no device record' ;;
	esac
}

# An answer is more than the head of a table.
sed -n 'n;p' lines | while IFS= read -r command; do
	{ echo '--- stderr' && notice "$command"; } >said
	check "$command" 0 \
		"{ $command; } >answer && { sed 1d answer | grep -q . || grep -Eq '^([1-9][0-9]*\$|[{])' answer; }" <said
done

finish
