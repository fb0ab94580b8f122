#!/bin/sh
# cookbook.t: every command of tracefilters(7) exits 0, and prints to stdout and not to stderr. Before each command, the
# page shows the command of another tool that it replaces. The answers of both are compared if that tool is installed.
# reference.t runs the commands that follow the question of a notebook, on the data of the notebooks.
. "${0%/*}/lib.sh"
only_slow_follow # over a hundred pipelines
have python3 || finish

. "$TESTS/example_files.sh"
trace-join run.json.gz >run.ndjson
cp "$DATA/ranks.ndjson" "$DATA/timeline.json" "$DATA"/pipeline.* "$DATA/experts.ndjson" .

# Each pair has two lines: the command of another tool, as a comment, and our command, with \e for a backslash.
awk '/^\.Bd -literal/ { on = 1; next } /^\.Ed/ { on = 0 } on' "$ROOT/scripts/tracefilters.7" | sed 's/\\e/\\/g' >lines
check 'each command follows the command of another tool' 0 \
	"awk '(NR % 2 == 1) != /^# ./' lines; awk 'END { exit NR % 2 }' lines" </dev/null
check 'each question of a notebook is asked once in a place, in the order of the notebooks' 0 \
	"sed -n 's/^# \([0-9][0-9][0-9]\.[0-9]*\) .*/\1/p' lines | uniq >numbers; sort -u numbers | wc -l
	sort -t . -k 1,1 -k 2n numbers | cmp - numbers" <<'END'
109
END
check 'each command begins with one of our programs' 0 "sed -n 'n;p' lines | while read -r program rest; do
	[ \"\$program\" = tail ] || [ -x \$BUILD/bin/\$program ] || echo \"no \$program: \$rest\"; done" </dev/null

sed '/^# [0-9][0-9][0-9]\./{N;d;}; /^# Q[0-9]/{N;d;}' lines >pairs

# notice COMMAND: prints the message that COMMAND writes to stderr because the example files are incomplete.
notice() {
	case $1 in
	*--sequences*) ;;
	op-breakdown*) echo 'op-breakdown: 4 of 14 device records have no known operator' ;;
	*prog.out*) echo "${1%% *}: prog.out:82: failed enqueue; no device record written" ;;
	esac
}

# The output must have more than the header of a table.
sed -n 'n;p' pairs | while IFS= read -r command; do
	{ echo '--- stderr' && notice "$command"; } >messages
	check "$command" 0 \
		"{ $command; } >answer && { sed 1d answer | grep -q . || grep -Eq '^([1-9][0-9]*\$|[{])' answer; }" <messages
done

export PYTHON_PACKAGES=''
# The system's Python may have pandas even if the first Python in PATH does not.
python=python3
python3 -c 'import pandas' 2>/dev/null || [ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
"$python" "$TESTS/oracle/cookbook_answers.py" pairs >answers
tail -n 1 answers | grep -o 'without [0-9]* of [a-z]*' | while IFS= read -r missing; do
	skip "pairs are not compared: $missing"
done
check_re 'each command gives the answer of the other tool' 0 'cat answers' <<'E'
[1-9][0-9]* pairs( without [0-9]+ of [a-z]+)*
E

sed -n '/^# Q[0-9]/{N;p;}' lines >questions
check 'each of the questions is answered as by another computation' 0 'question_answers.py questions' <<'END'
52 answers
END

finish
