#!/bin/sh
# options.t: tests, in every program, the options whose value is a time, a count or a size. No value makes a program
# hang, and a value below the minimum gives the same message and status 2 everywhere. The options of filters come from
# their help, so new ones are tested too.
. "${0%/*}/lib.sh"
only_slow_follow # hundreds of values of options

trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | corr-join --sorted >sample
trace2ndjson "$DATA/timeline.json" >operations
[ -s sample ] || { echo 'nothing to test with' | fail sample; finish; }

limit=20 # s; trace-report runs 200 programs, which start slowly with sanitizers
! sanitized || limit=120

# limited NAME COMMAND...: runs COMMAND, which has an option with an unusual value. The status must be 0, 1 or 2, and if
# it is 2, there must be a message.
limited() {
	limited_name=$1
	shift
	timeout "$limit" "$@" </dev/null >answer 2>said
	limited_status=$?
	case $limited_status in
	[01]) pass "$limited_name" ;;
	2) if [ -s said ]; then pass "$limited_name"; else echo 'status 2 without a message' | fail "$limited_name"; fi ;;
	*) { echo "status $limited_status (124: it did not end)"; tail -n 3 said; } | fail "$limited_name" ;;
	esac
}

# --- filters: every option with a time, a count or a size

numeric() { # numeric PROGRAM: prints its numeric options, each with the name of its value
	"$1" -h | grep -Eo -e '--[a-z-]+\[?=(N|T|TIME|SIZE|YEAR|PERCENT)\b' | tr -d '[' | tr '=' ' '
}

needs() { # needs PROGRAM OPTION: prints the option that OPTION requires
	case $1$2 in
	corr-join*) echo --sorted ;;
	filter-calls--skip | filter-calls--count) echo --marker=x ;;
	gpu-busy--origin) echo --every=10us ;;
	gpu-gaps--memory) echo --host=op ;;
	esac
}

for f in $(built_filters); do
	input=sample
	[ "$f" != coll-join ] || input=$DATA/ranks.ndjson
	[ "$f" != what-if ] || input=operations
	[ "$f" != trace2ndjson ] || input="$DATA/train.pt.trace.json $DATA/tiny.dvdt.out"
	numeric "$f" >numeric
	while read -r option what; do
		for value in 0 1 12 9223372036854775807; do
			# shellcheck disable=SC2046,SC2086
			limited "$f $option=$value" "$f" "$option=$value" $(needs "$f" "$option") $input
		done
		case $what$option in
		T--from | T--until | T--relative | TIME--origin) ;; # these have no minimum
		T*) echo "$f $option -5s time" >>low ;;
		esac
		[ "$what" != N ] || echo "$f $option -1 integer" >>low
		[ "$what" != YEAR ] || echo "$f $option 0 integer" >>low
		[ "$what" != SIZE ] || echo "$f $option -1 size" >>low
	done <numeric
done

if [ "$(wc -l <low)" -gt 35 ]; then pass 'options found'; else fail 'options found' <low; fi
while read -r f option value what; do
	# The message names the option by its letter if the option has one.
	check_re "$f $option=$value: below the minimum" 2 "$f $option=$value sample" <<END
--- stderr
$f: --?[A-Za-z-]+: '$value': expected an? $what >= (0|1|20|1B|1ns|1ms)(, such as .*)?
END
	check_re "$f $option: beyond 64 bits" 2 "$f $option=9223372036854775808 sample" <<END
--- stderr
$f: --?[A-Za-z-]+: '9223372036854775808': expected an? $what >= (0|1|20|1B|1ns|1ms) that fits in 64 bits(, such as .*)?
END
done <low

check_re '--from has no minimum' 2 'filter-calls --from=5kB sample' <<'END'
--- stderr
filter-calls: --from: '5kB': expected a time, such as 10ms \(units: ns us ms s\)
END

check 'gpu-busy: one slice for all of int64' 0 \
	'gpu-busy --every 9223372036854775807 sample | ndjson2table -o tsv -f ts,dur' <<'END'
ts	dur
0	9223372036854775807
END

# --- scripts

cat >rows <<'END'
{"kind":"row","name":"aten::mm","count":2,"self":30,"total":40,"args":{"table":1}}
END
cat >samples <<'END'
{"ts":1,"kind":"sample","name":"f","pid":1,"tid":1,"comm":"c","dso":"d","period":7,"event":"cycles"}
END
: >empty
trace2ndjson --set rank=71 sample >second
cat >scripts <<END
plaidml-info --invocation device $DATA/mlp.eventlog.gz
plaidml-info --invocation program $DATA/mlp.eventlog.gz
plaidml-info --invocation source $DATA/mlp.eventlog.gz
lookup --id $DATA/tiny.nsys.json
kernels-in --from $DATA/train.pt.trace.json
kernels-in --until $DATA/train.pt.trace.json
onednn-summary -t $DATA/cnn.onednn.txt
op-breakdown --depth $DATA/train.pt.trace.json
op-breakdown -t $DATA/train.pt.trace.json
op-breakdown --min --sequences $DATA/train.pt.trace.json
opencl-kernels --repetition $DATA/tiny.ckp.json
perf-top -t samples
plaidml-kernels -t $DATA/mlp.eventlog.gz
plot -t -T bar -f dur sample
plot --bars -T stacked -g kind,name -f dur sample
plaidml-info --invocation memory $DATA/mlp.eventlog.gz
qps --batch $DATA/train.pt.trace.json
qps --iterations $DATA/train.pt.trace.json
torch-top -t rows
trace-diff -t sample sample
collectives -t $DATA/ranks.ndjson
collectives --block $DATA/ranks.ndjson
rank-merge --block $DATA/ranks.ndjson
alltoall-heat -t $DATA/experts.ndjson
frontier -t -e forward_step $DATA/pipeline.ndjson
rank-scores -t sample second
hangs -t $DATA/dumps
stragglers -t $DATA/ranks.ndjson
stragglers --block $DATA/ranks.ndjson
trace-catalog -j --to made.ndjson sample
trace-map -j groupby<{} sample
trace-map -t groupby<{} sample
trace-report -t $DATA/train.pt.trace.json
trace-report --node $DATA/train.pt.trace.json
trace-report -j $DATA/train.pt.trace.json
roofline -t $DATA/train.pt.trace.json
roofline --lead $DATA/train.pt.trace.json
tune-threads --runs --levels 1 -- true
trace-diff --lead $DATA/train.pt.trace.json $DATA/train.pt.trace.json
trace-steps --skip $DATA/train.pt.trace.json
trace-steps --count $DATA/train.pt.trace.json
layer-times --lead $DATA/tiny.ckp.json
iteration-times --lead --iteration (.) cuda $DATA/train.pt.trace.json
api-gpu-time --lead cuda $DATA/train.pt.trace.json
idle-causes --lead $DATA/train.pt.trace.json
launch-stats --lead $DATA/train.pt.trace.json
nsys-report --lead cuda_kern_exec_trace $DATA/train.nsys.json
nsys-report --lead nvtx_gpu_proj_trace $DATA/train.nsys.json
nsys-report --lead nvtx_kern_sum $DATA/train.nsys.json
nsys-report --lead cuda_kern_exec_sum $DATA/train.nsys.json
op-breakdown --lead $DATA/train.pt.trace.json
queue-lengths --lead $DATA/train.pt.trace.json
range-gpu-time --lead $DATA/train.pt.trace.json
trace-join --lead $DATA/train.pt.trace.json
trace-report --lead $DATA/train.pt.trace.json
trace-steps --lead $DATA/train.pt.trace.json
trace-steps --lead --complete $DATA/train.pt.trace.json
END
while read -r script option more; do
	for value in -1 0 2 9223372036854775807; do
		# shellcheck disable=SC2086
		limited "$script $option $value" "$script" "$option" "$value" $more
		[ "$value" != -1 ] || case $option in --from | --until) ;; *)
			# The message may come from a program that the script runs.
			if [ "$limited_status" = 2 ] && grep -Eqx ".*: .*'-1': expected an? (integer|time) >= (0|1)( .*|,.*|;.*)?" said; then
				pass "$script $option: below the minimum"
			else
				fail "$script $option: below the minimum" <said
			fi ;;
		esac
	done
done <scripts

# Not tested: perf-top --every, because it needs perf; and other names of a script, because they run it.
for script in "$BUILD"/bin/*; do
	file=$(readlink -f "$script")
	[ "${file##*/}" = "${script##*/}" ] || continue
	"$script" -h 2>/dev/null | sed -En "s#^  (-[a-z]|--[a-z-]+) (N|T|TOP) .*#${script##*/} \1#p"
done </dev/null | grep -vx 'perf-top --every' | sort -u >numbers
cut -d ' ' -f 1,2 scripts | sort -u >tried
check 'the table has all scripts with numeric options' 0 'comm -23 numbers tried' </dev/null

# --- --every: printing results never takes more than half of the time, however many groups there are

check 'groupby --every 1ms with many groups' 0 '
	awk "BEGIN { for (i = 0; i < 100000; i++) print \"{\\\"ts\\\":\" i \",\\\"name\\\":\\\"\" i \"\\\"}\" }" >many
	timeout 60 groupby -g name -a count --every 1ms -o csv many | tail -n 1' <<'END'
99999,1
END
finish
