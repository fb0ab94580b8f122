#!/bin/sh
# flame.t: tests what flame folds, its pictures, --with, and its messages.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
have python3 || finish

# A replacement for flamegraph.pl that prints its title and its input.
mkdir with
cat >with/flamegraph.pl <<'E'
#!/bin/sh
[ "$1" != --title ] || { echo "title $2"; shift 2; }
cat "$1"
E
printf '#!/bin/sh\necho x; [ "$1" != --title ]\n' >with/failing
chmod +x with/*
PATH=$PWD/with:$PATH
printf 'a;b 3\na;c 4\n' >stacks
echo '{"kind":"sample","name":"g","stack":["f","g"]}' >samples

check 'draws folded stacks' 0 'flame <stacks --title "a <b> & c" --to x.svg && picture_marks.py --script x.svg &&
	grep -c "<title>a &lt;b&gt; &amp; c</title>" x.svg' <<'E'
rect op2 all | 7, 100.0 %
rect op a | 7, 100.0 %
rect comp c | 4, 57.1 %
rect comp b | 3, 42.9 %
1
E
check 'weights the calls of a trace by self time' 0 'flame --with flamegraph.pl "$DATA/train.pt.trace.json" |
	grep -e forward' <<'E'
ProfilerStep#1;forward 18539
ProfilerStep#1;forward;aten::addmm 48366
ProfilerStep#1;forward;aten::addmm;cudaLaunchKernel 9874
ProfilerStep#1;forward;aten::clamp_min 17946
ProfilerStep#1;forward;aten::clamp_min;cudaLaunchKernel 6125
ProfilerStep#2;forward 18539
ProfilerStep#2;forward;aten::addmm 48366
ProfilerStep#2;forward;aten::addmm;cudaLaunchKernel 9874
ProfilerStep#2;forward;aten::clamp_min 17946
ProfilerStep#2;forward;aten::clamp_min;cudaLaunchKernel 6125
E
check 'these weights are times' 0 'flame "$DATA/train.pt.trace.json" >x.svg && picture_marks.py --script x.svg |
	grep -e " aten::addmm" -e "#1 "' <<'E'
rect op aten::addmm | 0.05824 ms, 4.8 %
rect op ProfilerStep#1 | 0.47082 ms, 39.1 %
rect op aten::addmm | 0.05824 ms, 4.8 %
E
check 'folds samples by their stacks' 0 'flame samples --with flamegraph.pl' <<'E'
f;g 1
E
cat >device.py <<'E'
"""Prints the sum of the durations of all device records of a Kineto trace, in ms."""
import gzip, json, sys
events = json.load(gzip.open(sys.argv[1]))["traceEvents"]
device = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
print("all %.3f" % (sum(e["dur"] for e in device) / 1000))
E
check '--gpu: device work by ranges and operators; step numbers are left out' 0 \
	'flame --gpu --with flamegraph.pl "$DATA/train.pt.trace.json"' <<'E'
ProfilerStep;Memset (Device) 1120
ProfilerStep;Optimizer.step#Adam.step;at::native::(anonymous namespace)::multi_tensor_apply_kernel 41925
ProfilerStep;aten::copy_;Memcpy HtoD (Pageable -> Device) 69028
ProfilerStep;forward;aten::addmm;ampere_sgemm_128x64_tn 38181
ProfilerStep;forward;aten::clamp_min;at::native::vectorized_elementwise_kernel 2372
ProfilerStep;Memset (Device) 1120
ProfilerStep;Optimizer.step#Adam.step;at::native::(anonymous namespace)::multi_tensor_apply_kernel 41962
ProfilerStep;aten::copy_;Memcpy HtoD (Pageable -> Device) 69065
ProfilerStep;forward;aten::addmm;ampere_sgemm_128x64_tn 38218
ProfilerStep;forward;aten::clamp_min;at::native::vectorized_elementwise_kernel 2409
autograd::engine::evaluate_function: AddmmBackward0;aten::mm;ampere_sgemm_32x128_nt 103695
autograd::engine::evaluate_function: AddmmBackward0;ncclDevKernel_AllReduce_Sum_f32_RING_LL 188747
E
if need_shared data/kineto/dlrm_a100_2022_control.json.gz; then
	trace=$SHARED/data/kineto/dlrm_a100_2022_control.json.gz
	export trace
	check '--gpu: the sum of all device work' 0 'python3 device.py $trace | cut -c -11
		flame --gpu $trace >x.svg && picture_marks.py --script x.svg | sed -n "s/.* all | \([0-9.]*\) ms,.*/all \1/p" |
		cut -c -11' <<'E'
all 501.567
all 501.567
E
fi
check '-T draws with characters' 0 'flame -T --title t stacks | cut -c -4 | sed "s: *\$::; 4q"' <<'E'
 t

 all
  a
E
check '--with: escapes the title for XML' 0 'flame --with flamegraph.pl --title "a <b> & c" stacks' <<'E'
title a &lt;b&gt; &amp; c
a;b 3
a;c 4
E
check '--with: options may follow the file; a failure does not change the old picture' 2 \
	'mkdir drawn; echo old >drawn/x.svg; flame stacks --with failing --to drawn/x.svg --title x; status=$?
	cat drawn/*; exit $status' <<'E'
old
--- stderr
flame: failing failed
E
check 'an output folder that does not exist' 2 \
	'flame stacks --to y.svg && [ -s y.svg ] && flame stacks --to nowhere/x.svg' <<'E'
--- stderr
flame: nowhere/x.svg: cannot write: No such file or directory
E
check '--to: a link stays a link, and the file keeps its mode' 0 'mkdir -p there; echo old >there/x.svg
	chmod 640 there/x.svg; ln -s there/x.svg link.svg; ln -s there/new.svg dangling.svg
	flame stacks --to link.svg; flame stacks --to dangling.svg; [ -L link.svg ] && [ -L dangling.svg ]
	cmp there/x.svg y.svg; cmp there/new.svg y.svg; stat -c %a there/x.svg; ls there' <<'E'
640
new.svg
x.svg
E
check '--to: a pipe and a device are written directly' 0 \
	'mkfifo pipe; cat pipe >copy & flame stacks --to pipe; wait; [ -p pipe ] && cmp copy y.svg
	bash -c "flame stacks --to >(cat) | cmp - y.svg"; flame stacks --to /dev/stdout | cmp - y.svg
	flame stacks --to /dev/null; [ -c /dev/null ]' </dev/null
check '--to: a full device' 2 'flame stacks --to /dev/full; status=$?; [ -c /dev/full ]; exit $status' <<'E'
--- stderr
flame: /dev/full: cannot write: No space left on device
E
if [ "$(id -u)" = 0 ]; then
	skip '--to in a folder without write permission: root can write in every folder'
else
	check '--to: a file in a folder without write permission is written directly; a read-only file stays' 2 \
		'mkdir shut; echo old >shut/x.svg; echo old >shut/y.svg; chmod 444 shut/y.svg; chmod 555 shut
		flame stacks --to shut/x.svg; cmp shut/x.svg y.svg; flame stacks --to shut/y.svg; status=$?
		chmod 755 shut; cat shut/y.svg; exit $status' <<'E'
old
--- stderr
flame: shut/y.svg: cannot write: Permission denied
E
fi
check 'exits 2 on a full disk' 2 'flame stacks >/dev/full 2>/dev/null' </dev/null
check 'no stacks' 1 'echo "{\"ts\":1,\"kind\":\"meta\",\"name\":\"a\"}" | flame' <<'E'
--- stderr
flame: no stacks
E
wrong() { # wrong MESSAGE ARGUMENTS
	check "rejects wrong usage: $1" 2 "flame $2 </dev/null" <<E
--- stderr
flame: $1
E
}
wrong '--gpu and -f cannot be used together; try flame -h' '--gpu -f dur'
wrong '--with and -T cannot be used together; try flame -h' '--with cat -T'
wrong '--with: nosuch: not found' '--with nosuch stacks'
finish
