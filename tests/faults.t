#!/bin/sh
# faults.t: full disks, closed pipes, failing and slow reads, lack of memory and signals give one message and no partial
# result.
. "${0%/*}/lib.sh"
only_slow_follow # it waits for signals, slow readers and time limits

filters=$(record_filters)

# Some filters need joined records in ts order.
joined_sample >sample
{ grep '"dur"' sample | head -n 7 && grep '"\[memory\]"' sample; } | ts-sort >few
gzip -c sample >sample.gz
i=100
while [ $((i += 1)) -le 200 ]; do sed "s/\"ts\":/&$i/g" sample; done >large
gzip -c large >large.gz
# The same files with a report, for the filters that read one.
mkdir report
for input in sample few large; do cp "$DATA/report/html-views.ndjson" report/$input; done
gzip -c report/sample | tee report/sample.gz >report/large.gz

# And with records of several ranks.
mkdir ranks
for input in sample large; do cp "$DATA/ranks.ndjson" ranks/$input; done
grep 'default_pg.*"Seq":[12]}' ranks/sample >ranks/few # two collectives of all ranks
gzip -c ranks/sample | tee ranks/sample.gz >ranks/large.gz

# And with the operations of a training job.
mkdir operations
trace2ndjson "$DATA/timeline.json" | tee operations/sample operations/few >operations/large
gzip -c operations/sample | tee operations/sample.gz >operations/large.gz

# And with flight-recorder dumps.
mkdir dumps
{ trace2ndjson "$DATA"/dumps/* && cat sample; } | tee dumps/sample dumps/few >dumps/large
gzip -c dumps/sample | tee dumps/sample.gz >dumps/large.gz

# And with few records of devices.
mkdir device
for input in sample sample.gz large large.gz; do ln -s ../$input device; done
filter-calls -k kernel,memcpy sample >device/few

folder_of() { # folder_of FILTER: prints the folder of its inputs
	case $1:$(records_of "$1") in gpu-gaps:* | gpu-exposed:*) echo device ;; *:events) echo . ;; *) records_of "$1" ;; esac
}

# --- writing

for f in $filters; do
	folder=$(folder_of "$f")
	for input in large large.gz few; do
		check "$f: /dev/full, $input" 2 "$f $folder/$input >/dev/full" <<E
--- stderr
$f: write error: No space left on device
E
	done
	# Only a filter with large output can notice that its reader is gone.
	[ "$("$f" "$folder/large" | wc -c)" -gt 2000000 ] || continue
	check "$f: the reader closes the pipe" 0 "{ $f large; echo \$? >status; } | head -c 1 >one; cat status" <<E
141
E
	check "$f: the reader closes the pipe, SIGPIPE ignored" 0 \
		"trap '' PIPE; { $f large; echo \$? >status; } | head -c 1 >one; cat status" <<E
2
--- stderr
$f: write error: Broken pipe
E
done
for report in cuda_api_sum cuda_gpu_kern_sum cuda_gpu_mem_time_sum nvtx_kern_sum nvtx_pushpop_sum; do
	check_re "nsys-report $report: /dev/full" 2 "nsys-report $report $DATA/train.nsys.json >/dev/full" <<E
--- stderr
.*No space left on device.*
E
done

# --- signals and live input

# interrupted NAME INPUT COMMAND: runs COMMAND in the background. Its input is the output of the shell command INPUT.
# After 3 s, while INPUT is silent, COMMAND gets SIGINT. interrupted_end waits for all of these commands. If COMMAND
# does not end when it gets the signal, it also reads the word `rubbish` from INPUT, and reports it. (The shell starts
# background commands with SIGINT ignored. Without --foreground, timeout would also send SIGINT to the group, and this
# second one would kill COMMAND.)
interrupted_n=0
interrupted() {
	interrupted_n=$((interrupted_n + 1))
	mkdir "int.$interrupted_n"
	echo "$1" >"int.$interrupted_n/name"
	(
		eval "$2" | {
			# shellcheck disable=SC2086 # a command and its operands
			env --default-signal=INT timeout --foreground --preserve-status -s INT 3 $3 \
				>"int.$interrupted_n/out" 2>"int.$interrupted_n/err"
			echo $? >"int.$interrupted_n/status"
		}
	) &
}

interrupted_end() {
	wait
	while [ "$interrupted_n" -gt 0 ]; do
		cd "int.$interrupted_n" || exit 2
		check "$(cat name)" 0 'cat out err status' <want
		cd ..
		interrupted_n=$((interrupted_n - 1))
	done
}

for f in groupby stats; do
	[ -x "$BUILD/bin/$f" ] || continue
	interrupted "$f: SIGINT while its input is silent" '{ cat sample; sleep 8; echo rubbish; }' "$f"
	{ $f sample; echo 0; } >int.$interrupted_n/want
	interrupted "$f: SIGINT while gzip input is silent" '{ cat sample.gz; sleep 8; echo rubbish; }' "$f"
	{ $f sample; echo 0; } >int.$interrupted_n/want
	interrupted "$f: SIGINT before any input" '{ sleep 8; echo rubbish; }' "$f"
	{ $f /dev/null; echo 0; } >int.$interrupted_n/want
	interrupted "$f: SIGINT while the second input is silent" '{ sleep 8; echo rubbish; }' "$f few -"
	{ $f few; echo 0; } >int.$interrupted_n/want
done
interrupted_end

# live FILE COMMAND: prints the first line that COMMAND writes while its standard input, the contents of FILE, stays
# open; then ends the input. Some inputs are incomplete when they end, which tests/cli.t checks.
cat >live <<'E'
mkfifo fifo 2>/dev/null
{ cat "$1"; sleep 15 & echo $! >pid; wait; } >fifo &
shift
timeout 10 "$@" <fifo 2>/dev/null | { timeout 8 head -n 1; until [ -s pid ]; do sleep 0.1; done; kill "$(cat pid)"; rm pid; }
wait
E
head -n 1 sample >one
gzip -c one >one.gz
{ cat one.gz && gzip -c few | head -c 15; } >more.gz
: >nothing
# tests/cli.t has the check with one file that is not compressed.
for f in $filters; do
	"$f" one 2>/dev/null | cmp -s - one || continue
	for input in one.gz more.gz; do
		check "$f writes at once: $input, then an open pipe" 0 "sh ./live $input $f" <one
	done
	check "$f writes at once: a file, then an open pipe" 0 "sh ./live nothing $f one -" <one
done

# --- faults that need a preloaded library between the program and the system

if sanitized || ! ${CC:-cc} -shared -fPIC -o faults.so "$TESTS/faults.c" -ldl 2>cc.err ||
	! env LD_PRELOAD="$PWD/faults.so" FAULT_EIO=0 "$BUILD/bin/trace2ndjson" sample 2>&1 | grep -q 'Input/output'; then
	skip 'the library with faults cannot be preloaded'
	finish
fi
fault="env LD_PRELOAD=$PWD/faults.so"

# The complete lines before the read error are used. There may also be a message about an incomplete line, or about
# input without records or with too few of them.
cat >eio.sh <<'E'
size=$1 f=$2 input=$3
LD_PRELOAD=$PWD/faults.so FAULT_EIO=$size "$f" "$input" >got 2>err
echo $?
head -n 1 err
sed 1d err | grep -Ev ': (record cut short[,;] skipped|no (record|operators|member kernels|group).*|ts: not compared.*|member kernels that cannot be .*)$'
case $input in
*.gz) head -c "$size" "$input" | gzip -dc 2>/dev/null ;;
*) head -c "$size" "$input" ;;
esac >before
"$f" before >want.before 2>/dev/null
[ "$size" -lt 100 ] || cmp got want.before
E

for f in $filters; do
	folder=$(folder_of "$f")
	"$f" "$folder/sample" >want
	# Read errors also happen to the shell that starts key-join or group-diff, which reads less than 300 bytes.
	sizes='0 1 2 300 1000'
	case $f in key-join | group-diff | rank-delays | odd-one-out) sizes='300 1000' ;; esac
	for input in $folder/sample $folder/sample.gz; do
		for size in $sizes; do
			check "$f: $input, read error after $size bytes" 0 "sh ./eio.sh $size $f $input" <<E
2
$f: $input: read error: Input/output error
E
		done
		check "$f: $input, short reads and writes" 0 "$fault FAULT_SHORT=1 $f $input | cmp - want" </dev/null
		check "$f: $input, interrupted reads and writes" 0 \
			"$fault FAULT_EINTR=1 FAULT_SHORT=1 $f $input | cmp - want" </dev/null
		check "$f: $input, interrupted reads from a pipe" 0 \
			"cat $input | $fault FAULT_EINTR=1 FAULT_SHORT=1 $f | cmp - want" </dev/null
	done
	check "$f: the disk fills up" 2 \
		"$fault FAULT_NOSPACE=10 FAULT_SHORT=1 $f $folder/sample | cmp -n 10 - want
		$fault FAULT_NOSPACE=10 $f $folder/sample >got" <<E
--- stderr
$f: write error: No space left on device
$f: write error: No space left on device
E
done

# In each run, the n-th allocation and all later ones fail. The loop ends with the first run that needs fewer
# allocations.
export TEST_TMP
cat >memory.sh <<'E'
n=0 name=$1
# The shell that starts key-join or group-diff (built_filters) would also run out of memory.
case $name in
key-join) shift && set -- "$BUILD/bin/key-join" -g name --left /dev/null "$@" ;;
group-diff) shift && set -- "$BUILD/bin/group-diff" -g name /dev/null "$@" ;;
rank-delays) shift && set -- "$BUILD/bin/rank-delays" "$TEST_TMP/wrapped/ranks" "$@" ;;
odd-one-out) shift && set -- "$BUILD/bin/odd-one-out" -g ts/1000000s --compare name -f ts "$@" ;;
esac
while [ $((n += 1)) -lt 3000 ]; do
	LD_PRELOAD=$PWD/faults.so FAULT_MEMORY=$n "$@" >got 2>err
	status=$?
	[ $status = 0 ] && break
	# If a thread cannot be started, a message names the file, and reading goes on with the next file.
	{ read -r message; read -r _; read -r third; } <err
	case $status:$third:$message in
	"2::$name: "*memory* | "2::$name: "*'a thread'*) ;;
	*)
		echo "allocation $n: status $status"
		cat err
		;;
	esac
	# After the first 60 allocations, not every n is tried.
	[ $n -lt 60 ] || n=$((n + n / 10))
done
cmp got want
E
for f in $filters; do
	folder=$(folder_of "$f")
	"$f" "$folder/sample" >want
	check "$f: out of memory" 0 "sh ./memory.sh $f $folder/sample" </dev/null
	check "$f: out of memory, gzip input" 0 "sh ./memory.sh $f $folder/sample.gz" </dev/null
done

finish
