#!/bin/sh
# partial-memory.t: the memory of --merge depends on the lines of the partial results, not on the counts in them.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
if sanitized || [ ! -x "$BUILD/bench/measure" ]; then
	skip 'memory is not measured under a sanitizer'
	finish
fi

# claims PROGRAM KEYS FIELDS GROUPS COUNT EXACT: prints a partial result with one value in each field of each group,
# which occurs COUNT times.
claims() {
	awk -v of="$1" -v keys="$2" -v fields="$3" -v groups="$4" -v count="$5" -v exact="$6" '
	# list(FORMAT, n): FORMAT n times, with commas
	function list(format, n, i, s) {
		for (i = 1; i <= n; i++)
			s = s (i == 1 ? "" : ",") sprintf(format, i)
		return s
	}
	# digits(V): V, less than 2^64, as an exact number
	function digits(v) { return sprintf("[0,%.0f%s]", v % 2^32, v < 2^32 ? "" : sprintf(",%.0f", int(v / 2^32))) }
	BEGIN {
		asked = of == "groupby" ? ",\"aggregates\":[[\"p50\",0]]" : ""
		squares = of == "stats" ? ",\"sq\":" digits(9 * count) : ""
		printf "{\"partial\":2,\"of\":\"%s\",\"keys\":[%s],\"subtotals\":[],\"fields\":[%s]%s,\"exact\":%s}\n", \
			of, keys, list("\"x%d\"", fields), asked, exact
		field = sprintf("{\"n\":%s,\"sum\":%s%s,\"min\":3,\"max\":3,\"vals\":[[3,%s]]}", count, digits(3 * count),
			squares, count)
		states = list(field, fields)
		for (g = 1; g <= groups; g++)
			printf "{\"key\":[%s],\"count\":%s,\"fields\":[%s]}\n", keys == "" ? "" : g, count, states
		printf "{\"end\":1,\"groups\":%d,\"records\":%.0f,\"lost\":0,\"source\":[0,\"members\"]}\n", groups, groups * count
	}'
}

# small PROGRAM OPTION...: runs the program, and prints its last line, and its memory if this is 24 MiB or more.
cat >small <<'END'
"$BUILD/bench/measure" result "$@" >out || exit
rss=$(sed 's/.*"rss": \([0-9]*\).*/\1/' result)
[ "$rss" -lt 24576 ] || echo "$rss KiB"
tail -n 2 out | head -n 1
END

claims groupby '' 1 1 1000000000000 true >exact
check 'one value 10^12 times, with --exact' 0 'sh small groupby --merge exact
	sh small groupby --merge --partial exact exact' <<'END'
{"kind":"groupby","x1_p50":3}
{"key":[],"count":2000000000000,"fields":[{"n":2000000000000,"sum":[0,4225654784,1396],"min":3,"max":3,"vals":[[3,2000000000000]]}]}
END
claims groupby '"k"' 1 20000 4096 false >groups
check 'groups that have as many values as a group stores' 0 'sh small groupby --merge -s k groups' <<'END'
{"kind":"groupby","k":19999,"x1_p50":3}
END
claims stats '' 300 1 1000000 false >fields
check 'fields that have as many values as stats stores' 0 'sh small stats --merge -q 99 fields
	sh small stats --merge --hist fields' <<'END'
{"kind":"stats","field":"x299","count":1000000,"mean":3,"std":0,"min":3,"p25":3,"p50":3,"p75":3,"p99":3,"max":3,"sum":3000000}
{"kind":"histogram","field":"x299","from":3,"to":4,"count":1000000}
END
# A list of 100,000 parts in descending order.
{
	echo '{"partial":2,"of":"groupby","keys":[],"subtotals":[],"fields":["x"],"aggregates":[["list",0]],"exact":false}'
	seq 100000 -1 1 | sed 's/.*/{"field":0,"list":[[&,&]]}/'
	echo '{"key":[],"count":100000,"fields":[{"n":100000,"sum":[0,705082704,1],"min":1,"max":100000}],"lines":100000}'
	echo '{"end":1,"groups":1,"records":100000,"lost":0,"parts":[0],"source":[0,"members"]}'
} >parts
slow check 'a list of many parts' 0 'sh small groupby --merge parts | cut -c 1-40' <<'END'
{"kind":"groupby","x_list":[1,2,3,4,5,6,
END
# 100,000 fields with names of 25 bytes: 300 bytes and twice the name for each, as stats(1) says, and 3 MiB.
seq 100000 | awk '{ printf "%s\"field_number_%07d\":1", NR % 1000 == 1 ? "{\"args\":{" : ",", $1 }
	NR % 1000 == 0 { print "}}" }' >wide
slow check 'fields take the memory that the page states, in one pass and merged' 0 '
	stats --fields --partial=1 wide >wide1; stats --fields --partial=2 wide >wide2
	for question in "--partial wide" "--merge --partial wide1 wide2" "--merge wide2 wide1"; do
		"$BUILD/bench/measure" result stats --fields $question >out || exit
		rss=$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" result)
		[ "$rss" -lt $((100000 * 350 / 1024 + 3072)) ] || echo "$question: $rss KiB"
		wc -l <out
	done' <<'END'
100003
100003
100001
END
finish
