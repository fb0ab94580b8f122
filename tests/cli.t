#!/bin/sh
# cli.t: common behaviour of all filters: usage, exit statuses, messages, damaged input, input read in small pieces.
. "${0%/*}/lib.sh"
have python3 || finish

filters=$(record_filters)

# --- inputs

# The folders events, ranks, report, operations and dumps have the same files, with the records that the filters read.
# Events are sorted by ts and joined, because some filters require this. In ranks, the files `first` and `rest` have
# different ranks.
mkdir events ranks report operations dumps
joined_sample >events/sample
[ "$(grep -c '^{"ts":' events/sample)" -gt 50 ] || { echo 'nothing to test with' | fail 'sample'; finish; }
cp "$DATA/report/html-views.ndjson" report/sample
# Names of threads first, because operations without them are useless.
trace2ndjson "$DATA/timeline.json" >timeline
{ grep thread_name timeline && grep -v thread_name timeline; } >operations/sample
grep '"rank":[0-3]' "$DATA/ranks.ndjson" >ranks/first
grep '"rank":[4-7]' "$DATA/ranks.ndjson" >ranks/rest
cat ranks/first ranks/rest >ranks/sample

trace2ndjson "$DATA"/dumps/* >dumps/sample

make_inputs() { # make_inputs events|ranks|report|operations|dumps
	if [ "$1" != ranks ]; then
		head -n 20 sample >first
		tail -n +21 sample >rest
	fi
	head -n 1 sample >one
	sed '$d' sample >short
	# Records that may follow the sample.
	case $1 in
	events) sed 's/"ts":/&9/g' sample ;;
	ranks) sed 's/"rank":/&1/' sample ;;
	report) grep '"report/figure"' sample ;;
	operations) sed 's/"step":/&9/' sample ;;
	dumps) grep thread_name ../timeline ;; # other records
	esac >later
	: >empty

	head -c -20 sample >chopped
	printf %s "$(cat sample)" >noeol
	sed 's/$/\r/' sample >crlf
	sed 's/$/\n\n/' sample >blank
	pad=$(printf %05000d 0)
	{ cat first && printf '{"ts":1,"name":"%s"}\n' "$pad" && cat rest; } >long

	gzip -c sample >sample.gz
	{ gzip -c first && gzip -c rest; } >members.gz
	{ cat sample.gz && echo 'rest of a download'; } >garbage.gz
	head -c -300 sample.gz >cut.gz
	{ head -c -8 sample.gz && printf 'badcrc..'; } >crc.gz

	# The complete lines that can be decompressed from the truncated file.
	python3 - <<'E'
import zlib
whole = zlib.decompressobj(31).decompress(open("cut.gz", "rb").read())
open("cut.gz.lines", "wb").write(whole[:whole.rindex(b"\n") + 1])
E
	python3 ../shuffle.py >shuffled
	cp ../values.py ../lib ../orphan .
}

# The sample as another program might write it: with the same values, but another member order and other spaces.
cat >shuffle.py <<'E'
import json, re
number = re.compile(r'"<([^"]*)>"')
def other_order(v):
    if isinstance(v, dict):
        return {k: other_order(v[k]) for k in sorted(v, key=lambda k: k[::-1])}
    return [other_order(x) for x in v] if isinstance(v, list) else v
for line in open("sample", encoding="utf-8"):
    v = json.loads(line, parse_float=lambda text: f"<{text}>", parse_int=lambda text: f"<{text}>")
    print(" " + number.sub(r"\1", json.dumps(other_order(v), ensure_ascii=False, separators=(" ,\t", " : "))) + " ")
E
# Prints records in a normal form, so that member order and white space make no difference.
cat >values.py <<'E'
import json, sys
for line in sys.stdin:
    try:
        print(json.dumps(json.loads(line), sort_keys=True))
    except ValueError: # a row of a table, which may contain an object
        print(sorted(line.replace("\\t", "").replace(" ", "")))
E

# --- commands that the checks run

# same WANT COMMAND: checks that COMMAND's output equals the file WANT, ignoring stderr; returns COMMAND's status.
# reports WANT COMMAND: like same, and also checks that COMMAND prints messages that begin with the program's name.
cat >lib <<'E'
same() {
	want=$1
	shift
	"$@" >got
	status=$?
	cmp got "$want"
	return $status
}
reports() {
	same "$@" 2>said
	status=$?
	[ -s said ] || echo 'nothing on stderr'
	grep -v "^$2: " said
	return $status
}
E

# Runs a filter that writes to a pipe without a reader.
cat >orphan <<'E'
rm -f go
mkfifo go
: <go &
exec 5>go
wait
"$@" >&5
E

for kind in events ranks report operations dumps; do
	cd "$kind" && make_inputs "$kind" && cd .. || exit 2
done
here=$PWD

# --- forms of input

for f in $filters; do
	cd "$here/$(records_of "$f")" || exit 2
	"$f" sample >want 2>/dev/null
	"$f" short >want.short 2>/dev/null
	"$f" cut.gz.lines >want.cut 2>/dev/null
	set -- '<sample' sample.gz 'first rest'
	[ "${FAST-}" ] || set -- "$@" '- <sample' '-- sample' 'sample <&-' '<sample.gz' members.gz noeol crlf blank \
		'- rest <first'
	for input; do
		check "$f: $input" 0 ". ./lib; same want $f $input" </dev/null
	done
	slow check "$f: reads a pipe" 0 ". ./lib; cat sample | same want $f" </dev/null
	slow check "$f: reports garbage after gzip data" 0 ". ./lib; reports want $f garbage.gz" </dev/null
	check "$f: reports truncated gzip data" 1 ". ./lib; reports want.cut $f cut.gz" </dev/null
	slow check "$f: reports a wrong CRC" 1 ". ./lib; reports want $f crc.gz" </dev/null
	check "$f: reports a truncated last line" 1 ". ./lib; reports want.short $f chopped" </dev/null
	slow check "$f: --lenient: a truncated last line" 0 ". ./lib; reports want.short $f --lenient chopped" </dev/null
	slow check "$f: reports a truncated last line in the first of two files" 1 \
		". ./lib; $f short later >two; reports two $f chopped later" </dev/null
	slow check "$f: skips records over --max-record" 1 ". ./lib; reports want $f --max-record 4kB long" </dev/null
	slow check "$f: --lenient: records over --max-record" 0 \
		". ./lib; reports want $f --max-record=4kB --lenient long" </dev/null
	slow check "$f: reads the other files when one is missing" 2 ". ./lib; reports want $f first nowhere rest; status=\$?
		grep -c . said; grep -c nowhere said; exit \$status" <<E
1
1
E
	# ndjson2trace is left out: it writes unknown members as text in args, and its own test compares them.
	[ "$f" = ndjson2trace ] || slow check "$f: reordered members and white space" 0 "python3 values.py <want >values
		$f shuffled >got && python3 values.py <got | cmp - values" </dev/null
	check "$f: reordered members and white space, read byte by byte" 0 ". ./lib
		$f shuffled >want.shuffled && TRACEFILTERS_READ=1 same want.shuffled $f shuffled" </dev/null
	if "$f" one 2>/dev/null | cmp -s - one; then
		slow check "$f: writes finished records while it waits for input" 0 '{ cat one; sleep 20 & echo $! >pid; wait; } |
			'"$f"' | { timeout 10 head -n 1; until [ -s pid ]; do sleep 0.1; done; kill "$(cat pid)"; rm pid; }' <one
	fi
done

only_slow_follow # hundreds of calls of each program

# --- usage and files

for f in $filters; do
	cd "$here/$(records_of "$f")" || exit 2
	check_re "$f: -h prints an example, then the usage" 0 "$f -h | head -n 3 && $f --help >/dev/null" <<E
.*$f.*

usage: $f .*
E
	check "$f: -h fits 100 columns" 0 "$f -h | awk 'length > 100'" </dev/null
	check_re "$f: -V" 0 "$f -V && $f --version" <<E
$f \\(tracefilters\\) [0-9.]+
$f \\(tracefilters\\) [0-9.]+
E
	check_re "$f: rejects an unknown letter" 2 "$f -Z sample" <<E
--- stderr
$f: .*-Z.*
E
	check_re "$f: rejects an unknown long option" 2 "$f --no-such-option sample" <<E
--- stderr
$f: .*--no-such-option.*
E
	check_re "$f: suggests the option for a misspelled one" 2 "$f --hepl sample" <<E
--- stderr
$f: unknown option --hepl; did you mean --help\\?
E
	check_re "$f: reports a missing file" 2 "$f nowhere" <<E
--- stderr
$f: nowhere: .*
E
	mkdir -p nothing # trace2ndjson reads the files of a folder
	check_re "$f: reports an empty folder" 2 "$f nothing" <<E
--- stderr
$f: nothing: .*
E
	if [ "$(id -u)" != 0 ]; then
		check_re "$f: reports an unreadable file" 2 'install -m 0 sample secret; '"$f secret" <<E
--- stderr
$f: secret: .*
E
	else
		skip "$f: reports an unreadable file: root can read every file"
	fi
	check_re "$f: reports a full disk" 2 "$f sample >/dev/full" <<E
--- stderr
$f: write error: No space left on device
E
	for option in --help --version; do
		check_re "$f: $option reports a full disk" 2 "$f $option >/dev/full" <<E
--- stderr
$f: write error: No space left on device
E
	done
	check_re "$f: reports a closed stdin" 2 "$f <&-" <<E
--- stderr
$f: stdin: .*
E
	# No file that the program opens, not even a temporary one, may get the descriptor of a closed standard stream.
	check "$f: closed streams do not change the output" 0 "{ $f sample nosuch rest 2>/dev/null; echo \$?; } >want
		{ timeout 20 $f sample nosuch rest <&- 2>&-; echo \$?; } >got; cmp want got
		timeout 20 $f sample nosuch rest <&- >&- 2>&-; [ \$? = 2 ]" </dev/null
	check_re "$f: reports a closed stdout" 2 "$f sample >&-" <<E
--- stderr
$f: write error: .*
E
	check "$f: SIGPIPE ends it without a message when the reader is gone" 141 "sh ./orphan $f sample" </dev/null
	check_re "$f: reports a write error when SIGPIPE is ignored" 2 "trap '' PIPE; sh ./orphan $f sample" <<E
--- stderr
$f: write error: Broken pipe
E
	case $f in
	trace2ndjson | coll-join)
		check_re "$f: empty input" 1 "$f <empty" <<E
--- stderr
$f: stdin: .*
E
		;;
	ndjson2report)
		check "$f: empty input" 1 "$f <empty" <<E
--- stderr
$f: no report/verdict in the input; make a report first: trace-report -o ndjson FILE | $f
E
		;;
	what-if)
		check "$f: empty input" 1 "$f <empty" <<E
--- stderr
$f: no operations of a training job
E
		;;
	ndjson2trace) check "$f: empty input" 0 "$f empty >out && : | $f | cmp - out" </dev/null ;; # an empty trace
	*)
		check "$f: empty input" 0 "$f empty >out && : | $f | cmp - out" <<E
--- stderr
$f: empty: the file is empty
E
		;;
	esac
	if have script && script -qec true /dev/null >/dev/null 2>&1; then
		check "$f: prints the usage when stdin is a terminal" 2 "script -qec $f /dev/null >said; status=\$?
			grep -q '^$f: no input; usage: $f ' said || cat said; exit \$status" </dev/null
	fi
done

# --- --quiet

cat >"$here/events/apart" <<'E'
{"ts":1,"dur":1,"kind":"kernel","name":"a","dev":0,"stream":7,"corr":1}
{"ts":9,"dur":1,"kind":"kernel","name":"b","dev":0,"stream":7,"corr":2}
E
{
	echo "{\"kind\":\"report/verdict\",\"title\":\"$pad\"}"
	echo '{"kind":"report/figure","id":"a","name":"a"}'
} >"$here/report/apart"
cat "$DATA/ranks.ndjson" "$DATA/ranks.ndjson" >"$here/ranks/apart"
cat "$here/operations/sample" "$here/operations/sample" >"$here/operations/apart"
sed 's/"first_record_id":/&9/' "$here/dumps/sample" >"$here/dumps/apart" # earlier entries were overwritten
for f in $filters; do
	cd "$here/$(records_of "$f")" || exit 2
	options=''
	cp apart odd
	# Options or an input with which the program prints a hint or a note.
	case $f in
	filter-calls) options='-w nosuch' ;;
	derive) options='x=nosuch' ;;
	groupby | key-join | odd-one-out) options='-g nosuch' ;;
	group-diff | ndjson2folded | ndjson2table | stats) options='-f nosuch' ;;
	ndjson2svg) options='--err nosuch' ;;
	call-tree | coll-join | gpu-busy | gpu-exposed | gpu-gaps | op-overheads | range-project | what-if) ;;
	hang-find) ;;
	rank-delays) # prints no hints or notes about the input
		;;
	arg-attach) ;; # prints no hints or notes
	gpu-counters) options=bandwidth ;; # the same
	ndjson2report) ;; # the same
	graph-attach)
		echo '{"ts":1,"dur":1,"kind":"kernel","api":{"name":"hipGraphLaunch","ts":0}}' >odd
		;;
	op-flops) echo '{"ts":1,"dur":1,"kind":"op","name":"aten::mm"}' >odd ;;
	critical-path)
		echo '{"ts":1,"dur":1,"kind":"kernel","name":"a"}' >odd
		options='--assume none'
		;;
	memory-timeline) echo '{"ts":1,"kind":"mark","name":"[memory]","args":{"Bytes":1}}' >odd ;;
	inference-steps) echo '{"ts":1,"dur":1,"kind":"kernel","api":{"name":"hipGraphLaunch","ts":0}}' >odd ;;
	corr-join | nvtx-attach | ts-sort) echo '{"ts":1.5,"kind":"mark","name":"a"}' >odd ;;
	ndjson2trace) echo '{"kind":"kernel","name":"a"}' >odd ;;
	trace2ndjson) { echo 'another line' && cat "$DATA/cnn.onednn.txt"; } >odd ;;
	*) echo 'this test needs an input for it' | fail "$f: --quiet" ;;
	esac
	gzip -c odd | head -c -4 >odd.cut.gz
	{ gzip -c odd && echo 'rest of a download'; } >odd.garbage.gz
	# shellcheck disable=SC2086 # several words
	"$f" $options odd >want 2>/dev/null
	case $f in
	arg-attach | gpu-counters | ndjson2report | rank-delays) ;;
	*) check "$f: prints a hint or note" 0 ". ./lib; reports want $f $options odd" </dev/null ;;
	esac
	check "$f: --quiet prints no hint or note" 0 ". ./lib; same want $f --quiet $options odd" </dev/null
	check "$f: TRACEFILTERS_QUIET is the same as --quiet" 0 \
		". ./lib; TRACEFILTERS_QUIET=1; export TRACEFILTERS_QUIET; same want $f $options odd" </dev/null
	check_re "$f: --quiet reports a loss" 1 ". ./lib; same want $f --quiet $options odd.cut.gz" <<E
--- stderr
$f: odd.cut.gz: .*cut.*
E
	check_re "$f: --quiet reports a repair" 0 ". ./lib; same want $f --quiet $options odd.garbage.gz" <<E
--- stderr
$f: odd.garbage.gz: .*garbage.*
E
	if "$f" -h | grep -q -e --report; then
		check_re "$f: --quiet prints a report" 0 "$f --report sample >/dev/null 2>reported; grep -c . reported
			$f --quiet --report sample 2>said >/dev/null; comm -23 reported said" <<E
[12]
E
	fi
	"$f" -h | grep -e --quiet >>"$here/quiet.help"
done
cd "$here" || exit 2
check '--quiet has the same help text in all filters' 0 \
	'sort -u quiet.help; [ $(grep -c . quiet.help) = '"$(echo "$filters" | wc -l)"' ]' <<'E'
      --quiet             do not print hints or notes on standard error
E

# --- the output is the same with small reads and with every scanner

scanners=scalar
for isa in avx2:avx2 avx512bw:avx512; do
	if grep -qw "${isa%:*}" /proc/cpuinfo 2>/dev/null; then
		scanners="$scanners ${isa#*:}"
	else
		skip "this processor has no ${isa#*:}"
	fi
done

# Ids in another form in two of three records; plain removes the form from the output.
for kind in events ranks operations dumps; do
	sed -E 'n; s/"(rank|pid|tid|dev|stream)":([0-9]+)/"\1":\2.0/g; n; s/"(rank|pid|tid|dev|stream)":([0-9]+)/"\1":\2e0/g' \
		"$here/$kind/sample" >"$here/$kind/ids"
done
printf '%s\n' '#!/bin/sh' "sed -E 's/([0-9])([.]0|e0)([]},\"; ]|\$)/\1\3/g'" >"$here/plain"
chmod +x "$here/plain"

for f in $filters; do
	cd "$here/$(records_of "$f")" || exit 2
	inputs='sample chopped long crlf blank'
	case $f in
	ndjson2report | ndjson2table | ndjson2trace) ;; # they show values in the form of the input
	*) check "$f: an id is equal in all forms: 7, 7.0 and 7e0" 0 ". ./lib; $f sample 2>&1 | $here/plain >want
		$f ids 2>&1 | sed 's/: ids/: sample/' | $here/plain | cmp - want" </dev/null ;;
	esac
	[ "$f" != trace2ndjson ] || inputs="$inputs $DATA/train.pt.trace.json $DATA/train.nsys.json $DATA/train.nsys.jsonl"
	for input in $inputs; do
		"$f" "$input" >want 2>want.err
		status=$?
		for way in READ=1 READ=7; do
			check "$f: $way ${input##*/}" $status "TRACEFILTERS_$way $f $input >got 2>got.err; status=\$?
				cmp got want; cmp got.err want.err; exit \$status" </dev/null
		done
		for scanner in $scanners; do
			check "$f: $scanner ${input##*/}" $status "TRACEFILTERS_SIMD=$scanner $f $input >got 2>got.err; status=\$?
				cmp got want; cmp got.err want.err; exit \$status" </dev/null
		done
	done
	check "$f: READ=1 sample.gz" 0 ". ./lib; $f sample >want; TRACEFILTERS_READ=1 same want $f sample.gz" </dev/null
	check_re "$f: rejects an unknown TRACEFILTERS_SIMD" 2 "TRACEFILTERS_SIMD=sse9 $f sample" <<E
--- stderr
$f: TRACEFILTERS_SIMD.*sse9.*
E
done

# --- messages

check 'messages contain no control characters' 2 \
	'esc=$(printf "\033"); groupby "--gr${esc}oup"; groupby "no${esc}where"' <<'E'
--- stderr
groupby: unknown option --gr?oup; did you mean --group?
groupby: no?where: cannot open: No such file or directory
E

finish
