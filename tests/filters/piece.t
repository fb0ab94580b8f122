#!/bin/sh
# piece.t: filter-calls, groupby and stats read one of several pieces of a file (--piece).
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"

trace2ndjson --quiet "$DATA/train.pt.trace.json" >records
gzip -k records
printf '{"name":"a1"}\n{"name":"a2"}\n' >a
sed s/a/b/g a >b
sed -i 's/nbme/name/' b

slow check 'the pieces are the file' 0 '
	for n in 1 2 3 7 100; do
		for k in $(seq $n); do filter-calls --piece $k/$n records; done | cmp - records
	done
	head -n 5 records >five
	for k in $(seq 500); do filter-calls --piece $k/500 five || exit; done | cmp - five' </dev/null
check 'the pieces have the same size, give or take a record' 0 '
	longest=$(awk "length > n { n = length } END { print n + 1 }" records) all=$(wc -c <records)
	for k in 1 2 3 4 5; do
		size=$(filter-calls --piece $k/5 records | wc -c)
		[ $((size - all / 5)) -le "$longest" ] && [ $((all / 5 - size)) -le "$longest" ] || echo "$k: $size"
	done' </dev/null
question='-g kind,name -a count,p50,std,first:ts,last:ts,list:ts'
check 'groupby: the merged pieces are the result of one process' 0 "
	for n in 1 2 3 10; do
		for k in \$(seq \$n); do groupby $question --piece \$k/\$n --partial=\$k records >\$k.part; done
		groupby --merge \$(seq -f %g.part \$n) >merged; groupby $question records | cmp - merged
	done" </dev/null
check 'stats: the merged pieces are the result of one process' 0 '
	for k in 1 2 3; do stats --fields --piece $k/3 --partial=$k records; done | stats --fields --merge >merged
	stats --fields records | cmp - merged
	for k in 3 2 1; do stats -f dur --piece $k/3 --partial records; done | stats --merge >merged
	stats -f dur records | cmp - merged' </dev/null
check 'a piece of each file' 0 'filter-calls --piece 2/2 a b; filter-calls --piece 1/2 <a' <<'END'
{"name":"a2"}
{"name":"b2"}
{"name":"a1"}
END
check 'small files: pieces without records' 0 '
	: >empty; printf "{\"name\":\"x\"}" >short
	filter-calls --piece 1/3 empty; filter-calls --piece 3/3 empty
	filter-calls --piece 2/3 short; groupby --piece 3/3 short; filter-calls -c --piece 1/3 short' <<'END'
1
END

# --- messages ---

printf '{"name":"a"}\n{"name":broken\n{"name":"c"}\n{"name":broken\n{"name":"e"}\n' >broken
check 'the place of a lost record is its line in the first piece' 1 'filter-calls --piece 1/2 broken' <<'END'
{"name":"a"}
{"name":"c"}
--- stderr
filter-calls: broken:2: not a JSON record; skipped
END
check 'the place of a lost record is its byte in other pieces' 1 '
	dd status=none if=broken bs=1 skip=41 count=14; echo; filter-calls --piece 2/2 broken' <<'END'
{"name":broken
{"name":"e"}
--- stderr
filter-calls: broken: byte 41: not a JSON record; skipped
END
check 'the place of a record that is too long' 1 'filter-calls --piece 2/2 --max-record 12 broken' <<'END'
{"name":"e"}
--- stderr
filter-calls: broken: byte 41: record larger than --max-record; skipped
END
check 'fields that are absent in the piece' 0 'groupby -g nam -a count --piece 2/2 a
	filter-calls -w nam --piece 2/2 a' <<'END'
{"kind":"groupby","count":1}
--- stderr
groupby: no record that was read has the field 'nam'; did you mean 'name'?
filter-calls: no record that was read has the field 'nam'; did you mean 'name'?
END

for ts in 10 20 30 40 15 50; do printf '{"ts":%d,"kind":"mark","name":"m"}\n' $ts; done >unsorted
check 'records that are not in ts order: their place in the file, and a command that sorts the file' 2 '
	filter-calls -c --piece 2/2 --marker m unsorted; filter-calls -c --piece 1/1 --marker m unsorted
	filter-calls -c --piece 2/2 --marker m <unsorted' <<'END'
--- stderr
filter-calls: unsorted: byte 140: not in ts order; run: ts-sort unsorted >sorted.ndjson, and read the pieces of sorted.ndjson
filter-calls: unsorted:5: not in ts order; run: ts-sort unsorted >sorted.ndjson, and read the pieces of sorted.ndjson
filter-calls: stdin: byte 140: not in ts order; run: ts-sort FILE >sorted.ndjson, and read the pieces of sorted.ndjson
END
check 'a piece without markers: no message, because other pieces can have them' 0 '
	filter-calls --piece 2/2 --marker a1 a
	filter-calls --piece 1/2 --marker a1 --count 1 a' </dev/null

# refused NAME MESSAGE COMMAND: checks that the command exits 2 and prints only the message.
refused() {
	check "$1" 2 "$3" <<END
--- stderr
$2
END
}
for value in 0/2 3/2 1 1/ /2 1/0 -1/2 1/2/3 a/b 1.5/2 18446744073709551617/18446744073709551617; do
	refused "--piece $value" "groupby: --piece: '$value': expected K/N, such as 1/4 for the first of 4 pieces" \
		"groupby --piece $value a"
done
refused 'compressed' 'filter-calls: records.gz: cannot be read in pieces: compressed; decompress it first' \
	'filter-calls --piece 2/2 records.gz'
refused 'a pipe' 'filter-calls: stdin: cannot be read in pieces: not a regular file' \
	'cat a | filter-calls --piece 1/2'
refused '--merge' 'stats: --merge and --piece cannot be used together' 'stats --merge --piece 1/2 a'
check 'a file that cannot be divided: all others are read' 2 'filter-calls --piece 1/2 records.gz a missing b' <<'END'
{"name":"a1"}
{"name":"b1"}
--- stderr
filter-calls: records.gz: cannot be read in pieces: compressed; decompress it first
filter-calls: missing: cannot open: No such file or directory
END
finish
