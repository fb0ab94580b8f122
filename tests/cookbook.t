#!/bin/sh
# cookbook.t: every command of tracefilters(7) answers: status 0, nothing on stderr, something on stdout. And what each
# answers instead of is there: the pairs are complete.
. "${0%/*}/lib.sh"
have python3 || finish

. "$TESTS/example_files.sh"
trace-join run.json.gz >run.ndjson

# Two lines for each pair, those of ours with \e for a backslash.
awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT/scripts/tracefilters.7" | sed 's/\\e/\\/g' >lines
check 'a line of theirs stands before each of ours' 0 \
	"awk '(NR % 2 == 1) != /^# ./' lines; awk 'END { exit NR % 2 }' lines" </dev/null
check 'every line of ours begins with a program of ours' 0 "sed -n 'n;p' lines | while read -r program rest; do
	[ \"\$program\" = tail ] || [ -x \$BUILD/bin/\$program ] || echo \"no \$program: \$rest\"; done" </dev/null

# What a command says on stderr of these files, each of which lacks something.
notice() {
	case $1 in
	op-breakdown*) echo 'op-breakdown: 4 of 14 device records have no known operator' ;;
	*prog.out*) echo 'trace2ndjson: prog.out:82: failed enqueue; no device record written' ;;
	esac
}

# An answer is more than the head of a table.
sed -n 'n;p' lines | while IFS= read -r command; do
	{ echo '--- stderr' && notice "$command"; } >said
	check "$command" 0 \
		"{ $command; } >answer && { sed 1d answer | grep -q . || grep -Eq '^([1-9][0-9]*\$|[{])' answer; }" <said
done

finish
