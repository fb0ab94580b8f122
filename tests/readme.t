#!/bin/sh
# readme.t: each output in the README is the output of the command above it. README_WRITE=1 updates the README.
. "${0%/*}/lib.sh"
only_slow_follow # every example of the README

# Prints the README; each output in a `console` block is replaced by the output of its command.
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
if [ -n "${README_WRITE-}" ]; then
	awk -f "$TEST_TMP/here/render.awk" README.md >"$TEST_TMP/README.md" && cp "$TEST_TMP/README.md" README.md
fi
check 'outputs in the README are up to date' 0 \
	"awk -f $TEST_TMP/here/render.awk README.md | diff -u README.md -" </dev/null

finish
