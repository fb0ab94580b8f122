#!/bin/sh
# scripts.t: rules for every script: version, wrong usage, a terminal without input, a full disk; trace-script.
# The answers of each script are tested in the .t file of its subject.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"

# --- the part that all scripts share

mkdir bin
cat >bin/report <<'E'
#!/bin/bash
help() {
	cat <<'EOF'
report run.json.gz

usage: report [-t N] [-g WORD] [-e] [--lead T] [--all] [--scope WORD] NAME [FILE...]

  -t N       an integer
  -g WORD    one of the words a, b and c
  -e         a flag
  --lead T   a long option
  --all      a long flag
  --scope WORD
             an option with a new name
  -h         print this help and exit
  -V         print the version and exit
EOF
}
. trace-script
option=([g]=b) renamed=([s]=scope [a]=all [wide]=all)
take_options "$@"
take_operand first NAME
expect_integer t 2
expect_word g a b c
printf '%s\n' "name $first" "files ${files[*]}" "given ${given[*]}" "g ${option[g]}${user_quiet:+, quiet}"
E
chmod +x bin/report
check 'trace-script: options may follow operands, up to --' 0 \
	'PATH=$PWD/bin:$PATH; report one -et 5 two -g c --lead=3ms three --lead 4ms --all -ga -- -e
	report -- -t - </dev/null; report --quiet -t2 x y' <<'E'
name one
files two three -e
given e=yes t=5 g=c lead=3ms lead=4ms all=yes g=a
g a
name -t
files -
given 
g b
name x
files y
given quiet=yes t=2
g b, quiet
E
# A script whose first program has options of its own, and whose second program has the user's.
cat >bin/inner <<'E'
#!/bin/bash
help() { printf '%s\n' '  -g KEY   a letter' '  -e X     a repeated letter' '  --lead T   a word' '  --all   a flag'; }
. trace-script
option=([lead]=1s)
take_options "$@"
words=(first)
pass_options words all e lead g
printf '<%s>' "${words[@]}"
echo
derive x=no "${files[@]}" | with_hints groupby -g "${option[g]}" -a count -o raw
finish '' "${PIPESTATUS[@]}"
E
chmod +x bin/inner
echo '{"ts":1,"name":"a","dur":-5}' >times
check 'trace-script: pass_options passes options; with_hints prints the hints of one program; notes are printed' 0 \
	'PATH=$PWD/bin:$PATH; inner -g odd -e "a b" times --all -e c -e ""; inner --quiet -g odd times
	TRACEFILTERS_QUIET=hints groupby -g odd -a count -o raw times
	TRACEFILTERS_QUIET=hints ndjson2trace times >trace' <<'E'
<first><--all><-e><a b><-e><c><-e><><--lead=1s><-g><odd>
1
<first><--lead=1s><-g><odd>
1
1
--- stderr
inner: no record has the field 'odd'
ndjson2trace: times:1: negative dur; the event has dur 0
E
check 'trace-script: the former name of an option prints a note' 0 \
	'PATH=$PWD/bin:$PATH; report x -s one -sone --wide -as two 2>said; sort said >&2
	report x -a --quiet; TRACEFILTERS_COMMAND=outer report x -a' <<'E'
name x
files 
given scope=one scope=one all=yes all=yes scope=two
g b
name x
files 
given all=yes quiet=yes
g b, quiet
name x
files 
given all=yes
g b
--- stderr
report: --wide is now called --all; --wide works until version 0.4.0
report: -a is now called --all; -a works until version 0.4.0
report: -s is now called --scope; -s works until version 0.4.0
E
check 'trace-script: words each mistake' 2 \
	'for args in -x --no --l --al "--\$(exit)" "--\`exit\`" -t --lead --all=3 "-t 1 a" "-t 01 a" "-t 5x a" \
		"-t 9999999999999999999 a" "-g d a" -e; do
		bin/report $args </dev/null
	done' <<'E'
--- stderr
report: unknown option -x; try report -h
report: unknown option --no; try report -h
report: unknown option --l; try report -h
report: unknown option --al; try report -h
report: unknown option --$(exit); try report -h
report: unknown option --`exit`; try report -h
report: option -t needs an argument; try report -h
report: option --lead needs an argument; try report -h
report: option --all takes no argument; try report -h
report: -t: '1': expected an integer >= 2; try report -h
report: -t: '01': expected an integer >= 2; try report -h
report: -t: '5x': expected an integer >= 2; try report -h
report: -t: '9999999999999999999': expected an integer >= 2; try report -h
report: -g: 'd': expected a, b or c; try report -h
report: NAME is missing; try report -h
E
check 'trace-script: reports a file in place of an operand if there is no input' 2 \
	': | bin/report bin/report; bin/report bin/report <bin/report; bin/report bin/report </dev/null' <<'E'
name bin/report
files 
given 
g b
name bin/report
files 
given 
g b
--- stderr
report: NAME must precede the file; try report -h
E
# Each case has the expected exit status, a colon, and the statuses of the programs of a pipeline. The function `rows`
# has the status 3 if there were no rows.
for case in '0:0 0' '1:1 0' '2:2 1' '2:1 141 2' '0:141 0' '1:141 1' '141:0 141' \
	'141:1 141' '137:137 0' '2:3 2' '1:3 1'; do
	check "trace-script: combines the statuses ${case#*:}" "${case%%:*}" \
		"bash -c 'help() { :; }; . trace-script; finish none ${case#*:}'" </dev/null
done
# Each case has the expected exit status, a colon, and the statuses of two pipelines, separated by a comma.
for case in '0:0 0,0' '1:1 0,0' '1:1 3,0' '2:0,2' '2:0 2,1' '141:141,0' '1:1,0 3'; do
	statuses=${case#*:}
	check "trace-script: combines the statuses of two pipelines, $statuses" "${case%%:*}" \
		"bash -c 'help() { :; }; . trace-script; proceed none ${statuses%,*}; finish none ${statuses#*,}'" </dev/null
done
check 'trace-script: reports that the first pipeline had no rows' 1 \
	"bash -c 'help() { :; }; . trace-script; proceed \"no ranges\" 0 3; echo not printed' one" <<'E'
--- stderr
one: no ranges
E
check 'trace-script: ends after a pipeline that had no rows because records were lost' 1 \
	"bash -c 'help() { :; }; . trace-script; proceed \"no ranges\" 1 3; echo not printed' one" </dev/null
check 'messages about empty input name no temporary file' 1 \
	'head -c 100 "$DATA/train.nsys.json" >cut.json; nsys-report nvtx_pushpop_sum cut.json 2>&1 >out | grep -c .
	nsys-report nvtx_pushpop_sum cut.json 2>said' <<'E'
1
E
check 'trace-script: reports that there were no rows' 1 \
	"bash -c 'help() { :; }; . trace-script; : | rows | cat; finish \"no ranges\" \${PIPESTATUS[*]}' one" <<'E'
--- stderr
one: no ranges
E
for command in 'true | two | true' 'x=$(two | true)' 'f() { two; }; f' 'x=$(true; two); x=$(true)' 'two | false'; do
	check "trace-script: a program that exits 2 ends the script: $command" 2 \
		"bash -c 'help() { :; }; . trace-script; two() { return 2; }; $command; echo not printed'" </dev/null
done
for command in 'two || true' 'if two; then :; fi' 'two && true' 'false' 'true | (exit 3) | false'; do
	check "trace-script: a condition or another status does not end the script: $command" 0 \
		"bash -c 'help() { :; }; . trace-script; two() { return 2; }; $command; echo printed'" <<'E'
printed
E
done
check 'trace-script: messages of programs begin with the name of the outer script' 2 \
	'kernel-types nosuch; TRACEFILTERS_COMMAND=job kernel-types nosuch; TRACEFILTERS_COMMAND= trace2ndjson nosuch' <<'E'
--- stderr
kernel-types: nosuch: cannot open: No such file or directory
job: nosuch: cannot open: No such file or directory
trace2ndjson: nosuch: cannot open: No such file or directory
E
check 'scripts run by their path, without their folder in PATH' 0 \
	'PATH=/usr/bin:/bin "$BUILD/bin/kernel-types" -V; cd / && PATH=/usr/bin:/bin "$BUILD/bin/lookup" --version' <<E
kernel-types ($(groupby -V | cut -d "(" -f 2)
lookup ($(groupby -V | cut -d "(" -f 2)
E
check 'trace-script: prints its use when it is run' 2 trace-script <<'E'
--- stderr
trace-script: scripts read it with: . trace-script; try trace-script -h
E

# --- every script

. "$TESTS/scripts/calls.sh"

for path in "$ROOT"/scripts/*/*; do
	script=${path##*/}
	[ -x "$path" ] && [ ! -d "$path" ] && [ ! -L "$path" ] && [ "$script" != trace-script ] || continue
	check "$script: prints an answer" 0 "$(called "$script") >answer 2>said; status=\$?
		[ -s answer ] || cat said; exit \$status" </dev/null
done
only_slow_follow # dozens of calls of each script

version=$(groupby -V)
version=${version##* }
for path in "$ROOT"/scripts/*/*; do
	script=${path##*/}
	[ -x "$path" ] && [ ! -d "$path" ] && [ ! -L "$path" ] || continue
	check "$script: prints the version" 0 "$script -V; $script --version" <<E
$script (tracefilters) $version
$script (tracefilters) $version
E
	[ ! -e /dev/full ] || check_re "$script: -V exits 2 on a full disk" 2 "$script -V >/dev/full" <<'E'
--- stderr
.*(write error|No space left on device|I/O error).*
E
	check "$script: the help describes -h and -V" 0 \
		"$script --help | sed -n 's/^  \(-[hV]\)\(, --[a-z]*\)*  */\1 /p'" <<'E'
-h print this help and exit
-V print the version and exit
E
	[ "$script" != trace-script ] || continue
	kind=
	[ "$script" != plaidml-info ] || kind=' kernel'
	check "$script: rejects an unknown option" 2 "$script$kind -Q; $script$kind --no-such" <<E
--- stderr
$script: unknown option -Q; try $script -h
$script: unknown option --no-such; try $script -h
E
	letter=$("$script" -h | sed -n 's/^  \(-[a-zA-Z]\) [A-Z].*/\1/p' | head -n 1)
	case $script:$letter in
	*:) ;;
	*)
		check_re "$script: rejects an option without its argument" 2 "$script $letter" <<E
--- stderr
$script: (option )?$letter needs an? (value|argument); try $script -h
E
		;;
	esac
	call=$(called "$script")
	sh -c "$call" >answer 2>said
	# Lines that are printed on standard error even without a full disk are left out.
	[ ! -e /dev/full ] || check_re "$script: exits 2 on a full disk" 2 "$call >/dev/full 2>full; status=\$?
		grep -v -x -F -f said full; exit \$status" <<'E'
.*(write error|No space left on device|I/O error).*
E
done

# A script with nothing to report prints one message and at most a header, and exits 1, whether the trace has no such
# records or is empty. A script that writes a stream exits 0 like a filter, if the trace is not empty.
echo '{"ts":1,"dur":5,"kind":"mark","name":"m"}' >mark
: >empty
mkdir none
cat >nothing <<'E'
annotation-times
api-gpu-time x
ck-results
collectives
device-summary --overlap
plaidml-info device k
device-summary
gemm-sizes
hangs
roofline
idle-causes
invocation-tree
iteration-times x
plaidml-info program k
plaidml-info source k
plaidml-info source --longest mean
kernel-types
kernels-in --from 0
kernels-in --of nosuch
launch-stats
layer-times
layer-times --each
lookup x
memory-bandwidth
nsys-report cuda_api_sum
nsys-report cuda_kern_exec_trace
nsys-report cuda_kern_exec_sum
nsys-report cuda_gpu_kern_sum
nsys-report cuda_gpu_mem_time_sum
nsys-report cuda_gpu_mem_size_sum
nsys-report nvtx_gpu_proj_trace
nsys-report nvtx_gpu_proj_sum
nsys-report nvtx_kern_sum
nsys-report nvtx_pushpop_trace
nsys-report nvtx_pushpop_sum
nsys-report cuda_api_gpu_sum
nsys-report cuda_gpu_kern_gb_sum
nsys-report cuda_gpu_sum
nsys-report nvtx_sum
onednn-summary
onednn-summary -b impl
op-breakdown
op-breakdown -o csv
opencl-kernels
opencl-kernels --by-name
perf-top
plaidml-info kernel k
plaidml-info kernel --longest mean
plaidml-kernels
plaidml-info memory k
plaidml-info memory --all
qps
queue-lengths
range-gpu-time
rank-merge
rank-scores
alltoall-heat
frontier -e forward
stragglers
torch-top
torch-top -o csv
trace-diff -k kernel mark
trace-steps
trace-steps
E
# nothing STATUS TRACE CALL: checks that CALL, for TRACE, prints one message and at most one line on standard
# output, and exits with STATUS.
nothing() {
	check_re "$3 $2: reports that there is nothing to report, and exits $1" "$1" \
		"$3 $2 >out 2>said; status=\$?; [ \$(wc -l <out) -le 1 ] || cat out; cat said >&2; exit \$status" <<E
--- stderr
${3%% *}: .*
E
}
while IFS= read -r call <&3; do
	case $call in
	rank-merge) nothing 2 mark "$call" ;; # the record has no rank
	*) nothing 1 mark "$call" ;;
	esac
	nothing 1 empty "$call"
done 3<nothing
for call in trace-join 'trace-steps --complete'; do
	check "$call: writes a stream without these records, and exits 0" 0 "$call mark >stream" </dev/null
	nothing 1 empty "$call"
done
for path in "$BUILD"/bin/*; do
	script=${path##*/}
	[ "$(head -c 2 "$path")" = '#!' ] && [ ! -L "$(readlink "$path")" ] || continue
	case $script in
	flame | plot | trace-catalog | trace-check | trace-map | trace-report) continue ;; # these are tested elsewhere
	trace-join) continue ;;
	check-platform | tune-threads | trace-script) continue ;; # they read no trace
	esac
	grep -q -e "^$script\$" -e "^$script " nothing ||
		echo 'add a call' | fail "$script: a trace with nothing to report is tested"
done
check 'ck-results: reports an empty folder' 1 'ck-results none >out' <<'E'
--- stderr
ck-results: no points
E

# The output is larger than the buffers of pipes. If a program cannot write, signals end the preceding programs of the
# pipeline. These signals must not affect the exit status.
awk 'BEGIN { for (i = 0; i < 200000; i++)
	printf "{\"ts\":%d,\"dur\":1,\"kind\":\"api\",\"name\":\"call\",\"corr\":%d}\n", i, i }' >much
[ ! -e /dev/full ] || check 'exits 2 on a full disk with much output' 2 \
	'lookup call much >/dev/full; trace-join --scope none much >/dev/full' <<'E'
--- stderr
lookup: write error: No space left on device
trace-join: write error: No space left on device
E

# The first call of one program fails: the one that removes the file `armed`, where several begin at the same time. (A
# condition in a script hides the failure unless the script tests the status.)
mkdir failing
for program in filter-calls ndjson2table ndjson2svg; do
	printf '#!/bin/sh\n%s\n%s "$@"\n' \
		"[ -e armed ] && rm armed 2>/dev/null && { echo '$program: injected' >&2; exit 2; }" \
		"exec \"\$BUILD/bin/$program\"" >"failing/$program"
done
for script in trace-report flame plot; do ln -s "$BUILD/bin/$script" "failing/$script"; done
chmod +x failing/*
for call in "trace-report $some" "flame $some" 'plot line -f dur copies'; do
	check "$call: exits 2 if the first call of an inner program fails" 2 \
		": >armed; PATH=\$PWD/failing:\$PATH $call >out 2>said; status=\$?; sed 's/.*: //' said; exit \$status" <<'E'
injected
E
done

# --- a terminal, and no input

if have script && script -qec true /dev/null >/dev/null 2>&1; then
	for path in "$ROOT"/scripts/*/*; do
		script=${path##*/}
		[ -x "$path" ] && [ ! -d "$path" ] && [ ! -L "$path" ] || continue
		call=$script
		case $script in
		# These scripts read no trace.
		trace-script | plot | check-platform | tune-threads) continue ;;
		lookup | api-gpu-time | iteration-times) call="$script x" ;;
		nsys-report) call="$script nvtx_sum" ;;
		plaidml-info) call="$script kernel x" ;;
		esac
		"$script" -h | awk -v name="$script" '
			NR == 1 { example = $0 }
			/^usage: / { print name ": no input; " $0; print "  example: " example; print "  help: " name " -h"; exit }' |
			check "$script: prints its usage if there is no input and stdin is a terminal" 0 \
				"script -qec '$call' typescript | tr -d '\\r'; grep -c 'EXIT_CODE=\"2\"' typescript >n || cat typescript"
	done
	for call in lookup:'ID or TEXT' api-gpu-time:REGEX iteration-times:CALL nsys-report:REPORT; do
		script=${call%%:*}
		check "$script: reports a file in place of ${call#*:}" 0 \
			"script -qec '$script ./copies' /dev/null | tr -d '\\r' >&2; $script ./copies </dev/null >out; [ \$? != 0 ]" <<E
--- stderr
$script: ${call#*:} must precede the file; try $script -h
$script: ${call#*:} must precede the file; try $script -h
E
	done
fi

finish
