#!/bin/sh
# zstd.t: zstd input is read if the programs are built with ZSTD=1, and otherwise reported in one message.
. "${0%/*}/lib.sh"

filters=$(record_filters)

# Some filters need joined records in ts order.
joined_sample >sample

if ! grep -q HAVE_ZSTD "$BUILD/flags"; then
	printf '\050\265\057\375\044\001\011\000\000\012\152\255\106\365' >line.zst
	printf '\120\052\115\030\001\000\000\000x' >skipped.zst
	for f in $filters; do
		for input in line.zst skipped.zst; do
			check "$f: $input, built without libzstd" 2 "$f $input" <<E
--- stderr
$f: $input: this build cannot read zstd data (no libzstd); run: zstd -dc FILE | ...
E
		done
		check "$f: standard input, built without libzstd" 2 "$f <line.zst" <<E
--- stderr
$f: stdin: this build cannot read zstd data (no libzstd); run: zstd -dc FILE | ...
E
	done
	check 'the other operands are read' 2 \
		'filter-calls line.zst sample >got; status=$?; cmp got sample; exit $status' <<'E'
--- stderr
filter-calls: line.zst: this build cannot read zstd data (no libzstd); run: zstd -dc FILE | ...
E
	skip 'built without libzstd (make ZSTD=1)'
	finish
fi
have zstd python3 || finish
# coll-join, hang-find, odd-one-out and what-if need records of training jobs; they read their input in the same way as
# the others.
# report-sections passes its input to other programs.
filters=$(built_filters | grep -vx -e coll-join -e hang-find -e odd-one-out -e what-if -e report-sections)

# --- whole input

# The report is read by the filters that print one, the other inputs by all other filters.
zstd -qc "$DATA/report/html-views.ndjson" >report.zst

head -n 20 sample >first
tail -n +21 sample >rest
: >empty
i=100
while [ $((i += 1)) -le 200 ]; do sed "s/\"ts\":/&$i/g" sample; done >large
zstd -qc sample >sample.zst
zstd -qc large >large.zst
zstd -qc empty >empty.zst
{ zstd -qc first && cat empty.zst && zstd -qc rest; } >frames.zst
printf '\120\052\115\030\005\000\000\000hello' >skip
printf '\137\052\115\030\000\000\000\000' >skip0
{ cat skip && zstd -qc first && cat skip0 skip && zstd -qc rest && cat skip0; } >skipped.zst

for f in $filters; do
	if [ "$(records_of "$f")" = report ]; then
		"$f" "$DATA/report/html-views.ndjson" >want
		check "$f: report.zst" 0 "$f report.zst | cmp - want" </dev/null
		continue
	fi
	"$f" sample >want
	for input in sample.zst frames.zst skipped.zst '<sample.zst' '- <frames.zst' 'empty.zst sample.zst'; do
		case $f:$input in trace2ndjson:empty*) continue ;; esac # it reports the empty input
		check "$f: $input" 0 "$f $input | cmp - want" </dev/null
	done
	"$f" empty >want 2>messages
	status=$?
	sed 's/empty:/empty.zst:/' messages >messages.zst
	check "$f: an empty frame" "$status" \
		"$f empty.zst >got 2>err; status=\$?; cmp got want; cmp err messages.zst; exit \$status" </dev/null
done
set -- -1 --fast=5 '-3 --no-check'
[ "${FAST-}" ] || set -- "$@" '-9 --long=27' -19 '-5 -T2 -B200KB'
for how; do
	# shellcheck disable=SC2086 # options
	zstd -qc $how large >how.zst 2>err || { fail "zstd $how" <err; continue; }
	check "zstd $how" 0 'filter-calls how.zst | cmp - large; filter-calls <how.zst | cmp - large' </dev/null
done
cat >slowly <<'E'
for n in 1 2 4 6 20 100 3000; do
	head -c $n
	sleep 0.05
done
cat
E
for input in large frames skipped; do
	case $input in large) want=large ;; *) want=sample ;; esac
	check "$input.zst, a pipe with pauses" 0 "sh ./slowly <$input.zst | filter-calls | cmp - $want" </dev/null
done
check 'reads of one byte' 0 'TRACEFILTERS_READ=1 filter-calls skipped.zst | cmp - sample' </dev/null
head -n 1 sample >one
zstd -qc one >one.zst
{ cat one.zst && zstd -qc first | head -c 12; } >more.zst
for input in one more; do
	check "$input.zst, then an open pipe: complete records are written" 0 \
		"{ cat $input.zst; sleep 3; } | timeout 2 filter-calls | cmp - one" </dev/null
done
check 'compressed and plain files together' 0 \
	'gzip -c first >first.gz; zstd -qc rest >rest.zst; cat sample sample >twice
	filter-calls first.gz rest.zst sample | cmp - twice' </dev/null

# --- damage

{ cat sample.zst && echo 'what is left of a download'; } >garbage.zst
check "garbage after the data is reported; status 1" 1 \
	'filter-calls garbage.zst >got; status=$?; cmp got sample; exit $status' <<E
--- stderr
filter-calls: garbage.zst: byte $(wc -c <sample.zst): garbage after the zstd data; only the data before it was read
E

# The second frame has a window of 2 GiB, which zstd itself rejects; the frame before it is used.
{ cat sample.zst && zstd -qc --long=31 <large; } >window.zst
for f in filter-calls trace2ndjson; do
	check "$f rejects a huge window" 2 "$f window.zst >got; status=\$?; cmp got sample; exit \$status" <<E
--- stderr
$f: window.zst: zstd data needs a window larger than 128 MiB; run: zstd -dc --long=31 FILE | ...
E
done
check 'rejects a file with a dictionary' 2 \
	'split -l 1 sample d. && zstd -q --train --maxdict=1KB d.* -o dictionary &&
	zstd -qc -D dictionary first >dictionary.zst
	filter-calls dictionary.zst' <<'E'
--- stderr
filter-calls: dictionary.zst: zstd data needs a dictionary; run: zstd -dc -D DICTIONARY FILE | ...
E

for f in filter-calls trace2ndjson; do
	slow check "$f: input cut at many bytes" 0 "zstd_damage.py cut $f" <<'E'
enough tried, 0 wrong
E
	slow check "$f: input with a wrong bit in many bytes" 0 "zstd_damage.py flip $f" <<'E'
enough tried, 0 wrong
E
done
check 'input of many blocks, cut or damaged' 0 'zstd_damage.py large filter-calls' <<'E'
enough tried, 0 wrong
E

finish
