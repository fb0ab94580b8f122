#!/bin/sh
# leftovers.t: every script removes its temporary folder, whether it ends normally or because of a closed pipe, a full
# disk or a signal. trace2ndjson does the same if nsys fails, or if a signal ends trace2ndjson while nsys converts a
# report. TEST_ALL=1 sends 900 signals in the first 80 ms, instead of 24.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/lib.sh"
only_slow_follow # each script is ended in eight ways
! sanitized || { skip 'temporary folders of scripts are not tested under a sanitizer'; finish; }

some=$DATA/recommender.pt.trace.json.gz nsys=$DATA/loop.nsys.json.gz opencl=$DATA/alexnet.ckp.json.gz
trace2ndjson --set rank=71 "$some" >second
mkdir tmp fake
export TMPDIR="$PWD/tmp"

# left NAME: checks that $TMPDIR is empty, and empties it.
left() {
	if left=$(find tmp -mindepth 1 -maxdepth 1) && [ -z "$left" ]; then
		pass "$1"
	else
		find tmp | fail "$1"
		rm -rf tmp/*
	fi
}

# soon COMMAND...: waits until COMMAND succeeds, but at most 20 s.
soon() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		for _ in 1 2 3 4 5 6 7 8 9 10; do
			"$@" && return
			sleep 0.1
		done
	done
	return 1
}

in_use() { [ "$(find tmp -mindepth 1 -maxdepth 1)" ]; }

# stopped SIGNAL COMMAND: starts COMMAND, waits until it has made a temporary folder, sends SIGNAL to it and its
# children, and waits for it to end. COMMAND is run by timeout for two reasons: timeout forwards signals, and a
# background command of a shell would ignore SIGINT and SIGQUIT.
stopped() {
	timeout 60 sh -c "exec $2" >/dev/null 2>&1 <open &
	stopped_pid=$!
	soon in_use || echo "$2 makes no temporary folder" | fail "$2: starts"
	kill -s "$1" "$stopped_pid"
	wait "$stopped_pid" 2>/dev/null
}

# A standard input that never ends, so that a script waits for it.
mkfifo open
exec 9<>open

# The scripts for users that make a temporary folder, each with a call that prints a result and a call that waits for
# standard input.
calls="alltoall-heat $DATA/experts.ndjson|alltoall-heat
api-gpu-time . $nsys|api-gpu-time .
ck-results $opencl|ck-results -
collectives $DATA/ranks.ndjson|collectives
hangs $DATA/dumps|hangs
device-summary $some|device-summary
flame $some|flame
frontier -e forward_step $DATA/pipeline.ndjson|frontier -e forward_step
gemm-sizes $opencl|gemm-sizes
invocation-tree $DATA/mlp.eventlog.gz|invocation-tree
kernels-in --from 1 $some|kernels-in --from 1
launch-stats $some|launch-stats
layer-times $opencl|layer-times
nsys-report nvtx_sum $nsys|nsys-report nvtx_sum
onednn-summary $DATA/cnn.onednn.txt|onednn-summary
op-breakdown $some|op-breakdown
opencl-kernels $opencl|opencl-kernels
perf-top samples|perf-top
plaidml-info kernel --longest mean $DATA/mlp.eventlog.gz|plaidml-info kernel --longest mean
plot bar --to x.svg samples && cat x.svg|plot bar --to x.svg
qps --iterations 2 $some|qps --iterations 2
queue-lengths $some|queue-lengths
rank-merge $DATA/ranks.ndjson|rank-merge
rank-scores $some second|rank-scores
roofline $DATA/train.pt.trace.json|roofline
stragglers $DATA/ranks.ndjson|stragglers
torch-top rows|torch-top
trace-catalog $some|trace-catalog --files
trace-check $some|trace-check
trace-diff $some $nsys|trace-diff $some -
trace-join --provenance compile.log compiled|trace-join --provenance compile.log
trace-map 'groupby {}' rows|trace-map 'groupby {}' open
trace-report --to saved $some && cat saved|trace-report --to saved
trace-steps -e cuda $some|trace-steps -e cuda
tune-threads --runs 1 --levels 1 --bind none -- true|tune-threads --runs 1 --levels 1 --bind none -- sleep 60"
cat >kernels <<'E'
{"kind":"deviceinfo","name":"GPU","id":4,"args":{"name":"GPU"}}
{"kind":"programinfo","name":"p","id":2,"args":{"alloc_sizes":[{"size":4,"count":3}],"tmp_sizes":[],"code":"one"}}
{"kind":"buildinfo","id":1,"parent":2,"args":{"device":4,"src":"all"}}
{"kind":"kernelinfo","name":"k","id":3,"args":{"build":1,"program":2,"src":"void"}}
E
echo '{"ts":1,"kind":"sample","name":"f","dso":"a","comm":"c","tid":1,"period":5,"dur":5}' >samples
echo '{"kind":"row","name":"a","count":1,"self":5,"args":{"table":1}}' >rows
echo '{"ts":1,"dur":5,"kind":"kernel","name":"k","dev":0,"stream":7}' >compiled
{
	printf 'V0819 12:42:50.385000 7 graph.py:5] {"inductor_output_code":{},"has_payload":"%s"}\n' \
		3b2577f5dfb86cfe50c54ab01830cfc6
	printf '\t# kernel path: /c.py\n\tk = async_compile.triton()\n'
} >compile.log
PATH=$PWD/fake:$PATH

# Other names of a script are symbolic links to it.
find "$ROOT"/scripts/*/* -path "$ROOT/scripts/dev/*" -prune -o \
	-type f -exec grep -l -e mktemp -e 'folder=.*TMPDIR' -e '^[[:space:]]*make_folder$' {} + |
	sed 's|[.]d/[^/]*$||; s|.*/||' | grep -v -x trace-script | LC_ALL=C sort -u >making
printf '%s\n' "$calls" | sed 's/[ |].*//' | LC_ALL=C sort | diff - making >differ &&
	pass 'each script with a temporary folder has a call' ||
	fail 'each script with a temporary folder has a call' <differ

while IFS='|' read -r call waits <&3; do
	name=${call%% *}
	sh -c "$call" </dev/null >answer 2>/dev/null
	if [ -s answer ]; then pass "$name: prints a result"; else echo "$call" | fail "$name: prints a result"; fi
	left "$name leaves no folder at its end"
	sh -c "$call" </dev/null 2>/dev/null | :
	left "$name leaves no folder after a closed pipe"
	[ ! -e /dev/full ] || sh -c "$call" </dev/null >/dev/full 2>&1
	left "$name leaves no folder on a full disk"
	for signal in HUP INT QUIT TERM; do
		stopped "$signal" "$waits"
		left "$name leaves no folder after SIG$signal"
	done
done 3<<EOF
$calls
EOF

# --- a signal while a script starts

runs=$(amount 0 24 900)
[ ! "${TEST_ALL-}" ] || CHECK_TIMEOUT=600
! have python3 || check 'a signal in the first 80 ms leaves no folder' 0 "ulimit -c 0; early_signals.py $runs \
	'stragglers $DATA/ranks.ndjson' 'nsys-report nvtx_sum $nsys' 'trace-diff $some $nsys'" </dev/null

# --- nsys, run by trace2ndjson

cat >fake/nsys <<'E'
#!/bin/sh
for arg; do
	case $arg in --output=*) echo '{' >"${arg#*=}"; : >"${arg#*=}.part" ;; esac
done
[ ! "$SLOW" ] || exec sleep 60
exit 3
E
chmod +x fake/nsys
: >run.nsys-rep
trace2ndjson run.nsys-rep >/dev/null 2>&1
left 'trace2ndjson leaves no folder when nsys fails'
for signal in HUP INT QUIT TERM; do
	# A shell starts background commands with SIGINT and SIGQUIT ignored.
	SLOW=yes env --default-signal=INT,QUIT trace2ndjson run.nsys-rep >out 2>&1 &
	pid=$!
	soon in_use || echo 'nsys was not run' | fail "trace2ndjson leaves no folder after SIG$signal"
	kill -s "$signal" "$pid"
	wait "$pid" 2>/dev/null
	left "trace2ndjson leaves no folder after SIG$signal"
	check "trace2ndjson prints no message after SIG$signal" 0 'cat out' </dev/null
done

finish
