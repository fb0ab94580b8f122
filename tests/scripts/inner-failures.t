#!/bin/sh
# inner-failures.t: makes programs that a script runs fail, one in each run. The script must exit 2, print one message
# that begins with its name, and print no answer, or an incomplete one. Two programs of each call fail, and 12 of
# the calls of trace-report, half of which are killed by a signal. With TEST_ALL=1, each one fails.
# SCRIPTS='NAME...' tests only these scripts.
# shellcheck disable=SC2154 # calls.sh sets variables
. "${0%/*}/../lib.sh"
only_slow_follow # programs that a script runs fail
! sanitized || { skip 'failures of inner programs are not tested under a sanitizer'; finish; }
. "$TESTS/scripts/calls.sh"

# bin/NAME runs in place of each program NAME, both ours and the system's. real/NAME/NAME is the program itself. Each
# program is alone in its folder, because a script puts its own folder first in PATH. trace-script is read by scripts,
# not run.
mkdir bin real
cat >bin/.inner <<'E'
#!/bin/sh
# If $LINES_TO is set, writes the command line to a file in it. A command line that matches the pattern $FAIL exits 2, or
# is killed if $KILLED is set.
program=${0##*/}
line="$program $*"
[ ! "$LINES_TO" ] || printf %s "$line" >"$LINES_TO/$$"
# shellcheck disable=SC2254 # a pattern
case $line in
$FAIL)
	: >"$FAILED"
	[ ! "$KILLED" ] || kill -KILL $$
	[ -e "$BUILD/bin/$program" ] || TRACEFILTERS_COMMAND=$program
	echo "${TRACEFILTERS_COMMAND:-$program}: this program fails" >&2
	exit 2 ;;
esac
exec "${0%/*}/../real/$program/$program" "$@"
E
chmod +x bin/.inner
inner() { # inner NAME PROGRAM
	mkdir "real/$1" && ln -s "$2" "real/$1/$1" && ln -s .inner "bin/$1"
}
for path in "$BUILD"/bin/*; do
	[ "${path##*/}" = trace-script ] || inner "${path##*/}" "$path"
done
ln -s "$BUILD/bin/trace-script" bin/trace-script
# The system's programs are the words of the scripts that are names of programs. Removing a folder is not a part of an
# answer.
cat "$ROOT"/scripts/*/* 2>/dev/null | tr -cs 'a-zA-Z0-9_.+-' '\n' | sort -u | while IFS= read -r word; do
	path=$(command -v -- "$word") && [ "${path#/}" != "$path" ] && [ ! -e "bin/$word" ] && [ "$word" != rm ] || continue
	inner "$word" "$path"
done

for path in "$BUILD"/bin/*; do
	script=${path##*/}
	[ "$(head -c 2 "$path")" = '#!' ] && [ ! -L "$(readlink "$path")" ] || continue
	[ "$script" != trace-script ] || continue
	case " ${SCRIPTS-$script} " in *" $script "*) ;; *) continue ;; esac
	if [ "$(called "$script")" ]; then
		pass "$script has a call"
		printf '%s\n' "$calls" | grep -e "^$script\$" -e "^$script "
	else
		echo 'add a call to tests/scripts/calls.sh' | fail "$script has a call" >&2
	fi
done >list
inputs=$PWD
LINES_TO='' FAIL='' KILLED=''
export TMPDIR FAILED LINES_TO FAIL KILLED

# run CALL: runs CALL with the programs in bin; only the called script itself is not replaced.
run() {
	rm -rf "$TMPDIR" "$FAILED"
	mkdir "$TMPDIR"
	(cd "$inputs" && PATH=$PWD/bin:$PATH timeout 60 sh -c "\"\$PWD/real/${1%% *}/\"$1") </dev/null >out 2>err
	run_status=$?
}

# fail_each CALL: makes each program that CALL runs fail.
fail_each() {
	name=${1%% *}
	rm -rf lines
	mkdir lines
	LINES_TO=$PWD/lines
	run "$1"
	LINES_TO=''
	if [ "$run_status" -gt 1 ] || [ ! -s out ]; then
		fail "$1: prints an answer" <err
		return
	fi
	mv out answer
	mv err said
	# Each line becomes a pattern: the names of temporary folders and long numbers, which can be times, are different in
	# each run. One file for each different line; a file is empty if its program was killed before it wrote the line. The
	# order does not depend on the folders of this run.
	find lines -type f -size +0 -exec sed -i -e 's/[][*?\\]/\\&/g' \
		-e "s|$ROOT|*|g" -e 's|/proc/[0-9]*/fd/[0-9]*|*|g' \
		-e 's|\(/tmp/[a-z-]*\)[.][A-Za-z0-9.]*|\1.*|g' -e 's/[0-9]\{3,\}/*/g' {} + -exec md5sum {} + |
		sort | awk '$1 != last { print $2 } { last = $1 }' >list
	most=2
	[ "$1" != "trace-report $some" ] || most=4
	[ "${TEST_ALL-}" ] || { head -n "$most" list >first; mv first list; }
	# GNU parallel runs these for itself, and does without their results.
	# If trace-diff cannot read the beginning of a file, the file is a trace.
	[ "$name" != trace-diff ] || { xargs grep -L -e '^head -c' -e '^gzip -dcf' <list >first; mv first list; }
	[ "$name" != trace-map ] || { xargs grep -L -e '^hostname' -e testfun -e '^sh -c tput' <list >first; mv first list; }
	while IFS= read -r line <&4; do
		FAIL=$(cat "$line")
		[ "$name" != trace-report ] || { [ "$KILLED" ] && KILLED='' || KILLED=yes; }
		run "$1"
		# Lines that are also printed without a failure are left out.
		grep -a -v -x -F -f said err >new
		[ -e "$FAILED" ] || echo 'it did not run again' >>new
		begins="^$name: "
		# For a program of the system that is killed, the message is bash's.
		[ -e "$BUILD/bin/${FAIL%% *}" ] || begins="^\($name\|${FAIL%% *}${KILLED:+\|[^ ]*/$name\|[^ ]*/trace-script}\): "
		# trace-report omits empty parts, so its output may be the complete answer although a part failed.
		[ "$name" != trace-report ] || [ ! -s out ] || echo 'a part' >>out
		if [ "$run_status" = 2 ] && [ "$(wc -l <new)" = 1 ] && grep -q "$begins" new && ! cmp -s out answer; then
			pass "$1: $FAIL"
		else
			{ echo "status $run_status"; cmp -s out answer && echo 'the complete answer'; cat new; } |
				fail "$1: exits 2 with a message if a program fails${KILLED:+ by a signal}: $FAIL"
		fi
	done 4<list
	FAIL='' KILLED=''
}

# half REMAINDER: tests every second call: those with odd numbers if REMAINDER is 1, otherwise those with even numbers.
half() {
	mkdir "half.$1"
	awk -v remainder="$1" 'NR % 2 == remainder' list >"half.$1/calls"
	cd "half.$1" || exit 2
	TMPDIR=$PWD/tmp FAILED=$PWD/failed
	while IFS= read -r call <&3; do
		fail_each "$call"
	done 3<calls >report
}
half 0 &
half 1 &
wait
cat half.*/report

finish
