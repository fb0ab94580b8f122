# lib.sh: what a test script needs. A script tests/NAME.t begins with
#
#	. "${0%/*}/lib.sh"
#
# (one in a folder, tests/filters/NAME.t, with `. "${0%/*}/../lib.sh"`)
# and ends with `finish`. It runs in a fresh directory of its own, with the programs and oracles in PATH, $DATA the
# traces in tests/data, and $SHARED the folder of real traces, or empty where there is none.
# shellcheck shell=sh

set -u
TEST=${0##*/}
TESTS=$(cd "${0%/*}" && pwd)
while [ ! -f "$TESTS/lib.sh" ]; do TESTS=${TESTS%/*}; done
ROOT=${TESTS%/*}
DATA=$TESTS/data
BUILD=$(cd "$ROOT" && cd "${BUILD:-build}" && pwd) || exit 2
SHARED=$(cd "$ROOT" && cd "${TRACEFILTERS_DATA:-../shared}" 2>/dev/null && pwd)
PATH=$BUILD/bin:$TESTS/oracle:$PATH
# Text and its order do not depend on who runs the tests; a sanitizer's report is no status of ours.
LC_ALL=C
ASAN_OPTIONS=exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
PYTHONDONTWRITEBYTECODE=1
export PATH DATA SHARED ROOT BUILD LC_ALL ASAN_OPTIONS UBSAN_OPTIONS PYTHONDONTWRITEBYTECODE
unset COLUMNS

# One line a check lies in $TEST_TMP/results, so that checks in a pipe or a subshell count too.
TEST_TMP=$(mktemp -d) || exit 2
trap 'cd / && rm -rf "$TEST_TMP"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$TEST_TMP/here" && cd "$TEST_TMP/here" || exit 2
: >"$TEST_TMP/results"

pass() { # pass NAME
	echo pass >>"$TEST_TMP/results"
}

fail() { # fail NAME, with what went wrong on standard input
	echo fail >>"$TEST_TMP/results"
	printf 'FAIL %s: %s\n' "$TEST" "$1"
	sed 's/^/    /'
}

skip() { # skip MESSAGE
	echo skip >>"$TEST_TMP/results"
	printf 'skip %s: %s\n' "$TEST" "$1"
}

# need_shared PATH...: whether all of them are in the shared folder; counts a skip when not.
need_shared() {
	for need_path; do
		if [ -z "$SHARED" ] || [ ! -e "$SHARED/$need_path" ]; then
			skip "no $need_path in ${SHARED:-a shared folder} (TRACEFILTERS_DATA)"
			return 1
		fi
	done
}

# The folders of the shared data, by name, so that adding one fails no test: those that a reader reads, and those whose
# formats no reader reads yet.
# shellcheck disable=SC2034 # for test scripts
READ_FOLDERS='bad dvdt kineto nsys onednn perf plaidml torch'
# shellcheck disable=SC2034
UNREAD_FOLDERS='memory nccl-inspector nsys-sqlite pftrace ranks rocprof xplane'

# files_in FOLDER...: the files of these folders of the shared data, as far as the folders exist.
files_in() {
	for files_folder; do
		[ ! -d "$SHARED/data/$files_folder" ] || find "$SHARED/data/$files_folder" -type f
	done | sort
}

# have PROGRAM...: whether all of them can be run; counts a skip when not.
have() {
	for have_program; do
		command -v "$have_program" >/dev/null || { skip "no $have_program"; return 1; }
	done
}

# check NAME STATUS COMMAND <<'EOF': runs COMMAND with sh and compares its status, standard output (the
# here-document) and standard error (what follows a line `--- stderr` there; nothing without one).
check() {
	compare as_given "$@"
}

# check_re: the same, but every expected line is an extended regular expression for the whole line.
check_re() {
	compare as_matched "$@"
}

as_given() {
	cat "$1"
}

# as_matched EXPECTED ACTUAL: EXPECTED, with each line that matches ACTUAL's replaced by that, ready for diff.
as_matched() {
	while IFS= read -r want_line || [ -n "$want_line" ]; do
		if IFS= read -r got_line <&3 && printf '%s\n' "$got_line" | grep -Eqx -e "$want_line"; then
			want_line=$got_line
		fi
		printf '%s\n' "$want_line"
	done <"$1" 3<"$2"
}

compare() { # compare FILTER NAME STATUS COMMAND
	awk -v out="$TEST_TMP/out.want" -v err="$TEST_TMP/err.want" '
		BEGIN { printf "" >out; printf "" >err; to = out }
		$0 == "--- stderr" { to = err; next }
		{ print >to }'
	timeout "${CHECK_TIMEOUT:-120}" sh -c "$4" </dev/null >"$TEST_TMP/out" 2>"$TEST_TMP/err"
	compare_status=$?
	if [ "$compare_status" = "$3" ] && cmp -s "$TEST_TMP/out.want" "$TEST_TMP/out" &&
		cmp -s "$TEST_TMP/err.want" "$TEST_TMP/err"; then
		pass "$2"
		return
	fi
	for compare_stream in out err; do
		"$1" "$TEST_TMP/$compare_stream.want" "$TEST_TMP/$compare_stream" >"$TEST_TMP/want"
		diff -au --label "expected std$compare_stream" --label "actual std$compare_stream" \
			"$TEST_TMP/want" "$TEST_TMP/$compare_stream"
	done >"$TEST_TMP/diff"
	if [ "$compare_status" != "$3" ]; then
		echo "status $compare_status, expected $3" >>"$TEST_TMP/diff"
	fi
	if [ -s "$TEST_TMP/diff" ]; then
		{ printf '$ %s\n' "$4" && head -n 200 "$TEST_TMP/diff"; } | fail "$2"
	else
		pass "$2"
	fi
}

# Whether the programs are built with sanitizers: too slow for some tests, and of no use to those of scripts.
sanitized() {
	grep -q __asan_init "$BUILD/bin/trace2ndjson"
}

# The names of all filters that are built, for what holds for each of them.
built_filters() {
	for built in "$ROOT"/filters/*/; do
		built=$(basename "$built")
		[ ! -x "$BUILD/bin/$built" ] || echo "$built"
	done
}

finish() {
	finish_failed=$(grep -c fail "$TEST_TMP/results")
	echo "$(grep -c pass "$TEST_TMP/results") passed, $finish_failed failed, $(grep -c skip "$TEST_TMP/results") skipped"
	[ "$finish_failed" = 0 ]
	exit
}
