# lib.sh: the functions of test scripts. A script tests/NAME.t begins with `. "${0%/*}/lib.sh"`, and a script in a
# folder, such as tests/filters/NAME.t, begins with `. "${0%/*}/../lib.sh"`. Each script ends with `finish`. It runs in
# an empty directory, with the programs and oracles in PATH. $DATA is the folder tests/data. $SHARED is the folder of
# real traces; the variable is empty if there is no such folder.
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
# These settings make messages and sort order the same for every user. A program that a sanitizer stops exits with a
# status that no program uses.
LC_ALL=C
ASAN_OPTIONS=exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
PYTHONDONTWRITEBYTECODE=1
export PATH DATA SHARED ROOT BUILD LC_ALL ASAN_OPTIONS UBSAN_OPTIONS PYTHONDONTWRITEBYTECODE
unset COLUMNS

# $TEST_TMP/results has a line for each check, so that checks in a pipe or a subshell are counted as well.
TEST_TMP=$(mktemp -d) || exit 2
trap 'cd / && rm -rf "$TEST_TMP"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$TEST_TMP/here" "$TEST_TMP/wrapped" && cd "$TEST_TMP/here" || exit 2
PATH=$TEST_TMP/wrapped:$PATH
: >"$TEST_TMP/results"

# If the variable CHECK_TIMES is set, appends a line to that file: the CPU seconds of this script's commands since its
# last check, and the name of the check.
put_time() { # put_time NAME
	[ -n "${CHECK_TIMES-}" ] || return 0
	times >"$TEST_TMP/times"
	awk -v name="$TEST: $1" -v file="$TEST_TMP/times.sum" '
		NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, "[ms]"); sum += part[1] * 60 + part[2] } }
		END { getline last <file; close(file); printf "%.2f %s\n", sum - last, name; print sum >file }' \
		"$TEST_TMP/times" >>"$CHECK_TIMES"
}

pass() { # pass NAME
	echo pass >>"$TEST_TMP/results"
	put_time "$1"
}

fail() { # fail NAME, with the reason on standard input
	echo fail >>"$TEST_TMP/results"
	put_time "$1"
	printf 'FAIL %s: %s\n' "$TEST" "$1"
	sed 's/^/    /'
}

skip() { # skip MESSAGE
	echo skip >>"$TEST_TMP/results"
	printf 'skip %s: %s\n' "$TEST" "$1"
}

# need_shared PATH...: returns 0 if all these paths are in the shared folder; otherwise counts a skipped check.
need_shared() {
	for need_path; do
		if [ -z "$SHARED" ] || [ ! -e "$SHARED/$need_path" ]; then
			skip "no $need_path in ${SHARED:-a shared folder} (TRACEFILTERS_DATA)"
			return 1
		fi
	done
}

# The folders of the shared data. trace2ndjson reads the formats in READ_FOLDERS, but not yet the formats in
# UNREAD_FOLDERS. All folders are listed here, so that tests do not fail when a new folder is added.
# shellcheck disable=SC2034 # for test scripts
READ_FOLDERS='bad dvdt kineto memory nccl-inspector nsys nsys-sqlite onednn perf pftrace plaidml provenance rocprof
	torch xplane'
# shellcheck disable=SC2034
UNREAD_FOLDERS='ranks'

# files_in FOLDER...: prints the files of these folders of the shared data; ignores missing folders.
files_in() {
	for files_folder; do
		[ ! -d "$SHARED/data/$files_folder" ] || find "$SHARED/data/$files_folder" -type f
	done | sort
}

# sample N: prints one of N lines of the input; with TEST_ALL=1, all.
sample() {
	if [ -n "${TEST_ALL-}" ]; then cat; else awk -v n="$1" 'NR % n == 1 || n == 1'; fi
}

# traces_in FOLDER...: prints the recorded traces in these folders of the shared data that tests compare with a slow
# computation: those of at most 300 kB, and the next larger one of each folder; with TEST_ALL=1, all. The small ones are
# of many versions and machines, and one large one shows what depends on the size.
traces_in() {
	for traces_folder; do
		[ ! -d "$SHARED/data/$traces_folder" ] || find "$SHARED/data/$traces_folder" -maxdepth 1 -type f -printf '%s %p\n' |
			sort -n | awk -v all="${TEST_ALL-}" '$1 > 300000 && n++ && !all { exit } { print }' | cut -d ' ' -f 2-
	done
}

# slow CHECK...: runs a slow check, for example `slow check NAME STATUS COMMAND`, unless only fast checks run.
slow() {
	[ -n "${FAST-}" ] || "$@"
}

# amount FAST FULL [ALL]: prints how much a check tries: FAST if only fast checks run, ALL if TEST_ALL=1 is set,
# otherwise FULL.
amount() {
	if [ -n "${FAST-}" ]; then echo "$1"; elif [ -n "${TEST_ALL-}" ]; then echo "${3-$2}"; else echo "$2"; fi
}

# only_slow_follow: ends a script, if only fast checks run, before its slow part.
only_slow_follow() {
	[ -z "${FAST-}" ] || finish
}

# have PROGRAM...: returns 0 if all these programs are installed; otherwise counts a skipped check.
have() {
	for have_program; do
		command -v "$have_program" >/dev/null || { skip "no $have_program"; return 1; }
	done
}

# check NAME STATUS COMMAND <<'EOF': runs COMMAND with sh, and compares its exit status with STATUS and its output with
# the here-document. The here-document contains the expected standard output and, after a line `--- stderr`, the
# expected standard error; without that line, standard error must be empty.
check() {
	compare as_given "$@"
}

# check_re: like check, but each expected line is an extended regular expression for the whole line.
check_re() {
	compare as_matched "$@"
}

as_given() {
	cat "$1"
}

# as_matched EXPECTED ACTUAL: prints the lines of EXPECTED, which are regular expressions, so that diff can compare them
# with ACTUAL. If a line matches the line of ACTUAL with the same number, prints the line of ACTUAL instead.
as_matched() {
	while IFS= read -r want_line || [ -n "$want_line" ]; do
		if IFS= read -r got_line <&3 && printf '%s\n' "$got_line" | grep -Eqx -e "$want_line"; then
			want_line=$got_line
		fi
		printf '%s\n' "$want_line"
	done <"$1" 3<"$2"
}

# equal_files A B: whether the files are equal; needs no process if A is empty.
equal_files() {
	if [ -s "$1" ]; then cmp -s "$1" "$2"; else [ ! -s "$2" ]; fi
}

# split_expected: writes the lines of standard input to out.want and, after a line `--- stderr`, to err.want. The shell
# writes the first lines, since most here-documents are short, and starting awk takes longer than a short check.
split_expected() {
	split_to=$TEST_TMP/out.want split_left=10
	while [ "$split_left" -gt 0 ] && { IFS= read -r split_line || [ "$split_line" ]; }; do
		split_left=$((split_left - 1))
		if [ "$split_line" = '--- stderr' ]; then
			split_to=$TEST_TMP/err.want
		else
			printf '%s\n' "$split_line" >>"$split_to"
		fi
	done
	[ "$split_left" -gt 0 ] || awk -v to="$split_to" -v err="$TEST_TMP/err.want" '
		$0 == "--- stderr" { to = err; next }
		{ print >>to }'
}

compare() { # compare FILTER NAME STATUS COMMAND
	: >"$TEST_TMP/out.want" && : >"$TEST_TMP/err.want"
	# shellcheck disable=SC3013 # dash and bash have -ef
	[ /dev/stdin -ef /dev/null ] || split_expected
	timeout "${CHECK_TIMEOUT:-120}" sh -c "$4" </dev/null >"$TEST_TMP/out" 2>"$TEST_TMP/err"
	compare_status=$?
	if [ "$compare_status" = "$3" ] && equal_files "$TEST_TMP/out.want" "$TEST_TMP/out" &&
		equal_files "$TEST_TMP/err.want" "$TEST_TMP/err"; then
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

# Returns 0 if the programs are built with sanitizers, which are too slow for some tests and useless for scripts.
sanitized() {
	grep -q __asan_init "$BUILD/bin/trace2ndjson"
}

# can_measure: returns 0 if $BUILD/bench/measure can measure the memory of programs; otherwise counts a skipped check.
can_measure() {
	if sanitized; then
		skip 'memory is not measured under a sanitizer'
		return 1
	fi
	[ -x "$BUILD/bench/measure" ] || { skip "no $BUILD/bench/measure, which make check builds"; return 1; }
}

# Prints the names of all filters that are built, for tests of all filters. key-join, group-diff and rank-delays need a
# second file: the tests run key-join and group-diff with an empty one, so that all that they print is from their input,
# and rank-delays with a step of two ranks. odd-one-out needs a field to compare.
built_filters() {
	for built in 0 1; do
		printf '{"ts":0,"dur":4000000000000000000,"rank":%d,"step":1,"compute_time":500}\n' "$built"
	done >"$TEST_TMP/wrapped/ranks"
	for built in 'key-join -g name --left /dev/null' 'group-diff -g name /dev/null' \
		"rank-delays $TEST_TMP/wrapped/ranks" 'odd-one-out -g ts/1000000s --compare name -f ts'; do
		cat >"$TEST_TMP/wrapped/${built%% *}" <<E
#!/bin/sh
[ "\$1" = --option-rows ] || set -- $(echo "$built " | cut -d " " -f 2-) "\$@"
exec "$BUILD/bin/${built%% *}" "\$@"
E
		chmod +x "$TEST_TMP/wrapped/${built%% *}"
	done
	for built in "$ROOT"/filters/*/; do
		built=$(basename "$built")
		[ ! -x "$BUILD/bin/$built" ] || echo "$built"
	done
}

# Prints the names of the filters that read records, for tests with inputs of records. report-sections reads a trace
# through other programs.
record_filters() {
	built_filters | grep -v '^report-sections$'
}

# Prints the records of a trace, joined and in ts order, with the mark of a step of inference and a
# synchronisation before those with a time, and with an operator on events of the allocator.
joined_sample() {
	trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | corr-join --sorted | awk '
		!n && match($0, /^[{]"ts":[0-9]+/) && ++n {
			start = substr($0, 1, RLENGTH) ",\"dur\":1,\"kind\":"
			print start "\"range\",\"name\":\"execute_new_1_cached_2\",\"rank\":3,\"pid\":4711,\"tid\":4711}"
			print start "\"sync\",\"name\":\"Context Sync\",\"rank\":3,\"dev\":0}"
		}
		/"name":"\[memory\]"/ { sub(/,"args"/, ",\"op\":\"aten::empty\"&") }
		{ print }'
}

# records_of FILTER: prints `report` if the filter reads the records of a report, `ranks` if it needs records of several
# ranks, `operations` if it needs the operations of a training job, `dumps` if it needs flight-recorder dumps, otherwise
# `events`. Tests of all filters have inputs of each kind.
records_of() {
	case $1 in
	coll-join | odd-one-out) echo ranks ;;
	ndjson2report) echo report ;;
	what-if) echo operations ;;
	hang-find) echo dumps ;;
	*) echo events ;;
	esac
}

finish() {
	finish_failed=$(grep -c fail "$TEST_TMP/results")
	echo "$(grep -c pass "$TEST_TMP/results") passed, $finish_failed failed, $(grep -c skip "$TEST_TMP/results") skipped"
	[ "$finish_failed" = 0 ]
	exit
}
