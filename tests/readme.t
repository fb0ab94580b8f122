#!/bin/sh
# readme.t: each output in the README and in the skill file for agents is the output of the command above it;
# README_WRITE=1 updates them. Each command in the table of questions answers.
. "${0%/*}/lib.sh"
only_slow_follow # every example of the README

# Prints a file; each output in a `console` block is replaced by the output of its command.
cat >render.awk <<'E'
/^```/ { inside = $0 == "```console" }
!inside || /^```/ { print }
inside && /^\$ / {
	print
	command = substr($0, 3)
	while ((command | getline line) > 0)
		print line
	close(command)
}
E

cd "$ROOT" || exit 2
export TRACEFILTERS_CHARSET=UTF-8 # of the bars of trace-report
for file in README.md scripts/dev/agents/SKILL.md; do
	if [ -n "${README_WRITE-}" ]; then
		awk -f "$TEST_TMP/here/render.awk" $file >"$TEST_TMP/rendered" && cp "$TEST_TMP/rendered" $file
	fi
	check "outputs in $file are up to date" 0 "awk -f $TEST_TMP/here/render.awk $file | diff -u $file -" </dev/null
done

# The files of the table. The ranks are those of one job.
cd "$TEST_TMP/here" || exit 2
. "$TESTS/example_files.sh"
for rank in 0 1 2 3 4 5 6 7; do
	filter-calls -w "rank==$rank" "$DATA/ranks.ndjson" | gzip >"rank-$rank.json.gz"
done
sed -n '/^## Questions/,/^## Pipes/s/^| .* | `\(.*\)` |$/\1/p' "$ROOT/README.md" | sed 's/\\|/|/g' >commands
check 'the table of questions has 25 rows' 0 'wc -l <commands; grep -c . commands' <<'E'
25
25
E
while IFS= read -r command; do
	made=$(printf '%s\n' "$command" | sed -nE 's/.*( >|--to )([a-z]+[.][a-z]+).*/\2/p')
	echo '--- stderr' >messages
	case $command in
	'op-breakdown -t'*) echo 'op-breakdown: 4 of 14 device records have no known operator' >>messages ;;
	esac
	check "$command" 0 "{ $command; } >answer && { [ -s '${made:-answer}' ] || echo no answer; }" <messages
done <commands

finish
