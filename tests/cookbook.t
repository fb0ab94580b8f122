#!/bin/sh
# cookbook.t: runs each command of tracefilters(7), which must exit 0 and print to stdout only; and checks that each
# command is paired with the command of another tool that it replaces.
. "${0%/*}/lib.sh"
have python3 || finish

. "$TESTS/example_files.sh"
trace-join run.json.gz >run.ndjson

# Two lines for each pair; our commands are written with \e for a backslash.
awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT/scripts/tracefilters.7" | sed 's/\\e/\\/g' >lines
check 'a comment with the command of another tool precedes each of our commands' 0 \
	"awk '(NR % 2 == 1) != /^# ./' lines; awk 'END { exit NR % 2 }' lines" </dev/null
check 'each of our commands begins with one of our programs' 0 "sed -n 'n;p' lines | while read -r program rest; do
	[ \"\$program\" = tail ] || [ -x \$BUILD/bin/\$program ] || echo \"no \$program: \$rest\"; done" </dev/null

# The message of a command on stderr about these files, which are incomplete.
notice() {
	case $1 in
	op-breakdown*) echo 'op-breakdown: 4 of 14 device records have no known operator' ;;
	*prog.out*) echo 'trace2ndjson: prog.out:82: failed enqueue; no device record written' ;;
	esac
}

# An answer has at least one row after the header.
sed -n 'n;p' lines | while IFS= read -r command; do
	{ echo '--- stderr' && notice "$command"; } >said
	check "$command" 0 \
		"{ $command; } >answer && { sed 1d answer | grep -q . || grep -Eq '^([1-9][0-9]*\$|[{])' answer; }" <said
done

finish
