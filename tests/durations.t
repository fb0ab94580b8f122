#!/bin/sh
# durations.t: the rule on negative durations in events(5), in all programs that compute with dur: a record with a
# negative dur has the same effect as one with dur 0, and is passed on unchanged.
. "${0%/*}/lib.sh"

# altered DUR N: replaces the dur of every Nth record.
altered() {
	awk -v dur="$1" -v n="$2" 'NR % n == 0 { sub(/"dur":[0-9]+/, "\"dur\":" dur) } 1'
}
trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | nvtx-attach | corr-join --sorted >train
trace2ndjson "$DATA/timeline.json" >timeline
for trace in train timeline "$DATA/ranks.ndjson"; do
	for n in 1 2 5; do
		altered -777777 $n <"$trace" >"${trace##*/}.$n.negative"
		altered 0 $n <"$trace" >"${trace##*/}.$n.zero"
	done
done
awk 'BEGIN { for (i = 1; i <= 60; i++)
	printf "{\"ts\":%d,\"dur\":%d,\"kind\":\"op\",\"name\":\"o\",\"pid\":1,\"tid\":1,\"id\":%d,\"parent\":%d}\n",
		i * 7, i % 4 ? 400 - i : -777777, i, i / 3 }' >links.1.negative
sed 's/-777777/0/' links.1.negative >links.1.zero

# same TRACE COMMAND: COMMAND, a shell command that reads standard input, gives the same output for negative dur and dur
# 0, with the same status and without a message about them.
same() {
	for negative in "$1".*.negative; do
		zero=${negative%.negative}.zero
		sh -c "$2" <"$negative" >got 2>got.errors
		echo "status $?" >>got
		sh -c "$2" <"$zero" >want 2>want.errors
		echo "status $?" >>want
		sed 's/dur":-777777/dur":0/g' got | diff - want && diff got.errors want.errors
	done >difference 2>&1
	check "$1: $2" 0 'cat difference; [ "$(wc -l <want)" -gt 1 ]' </dev/null
}
same train 'filter-calls --from +100us --until +1ms'
same train 'filter-calls --from 0 --until +500us --inside -w "end>1us"'
same train 'derive x=end y=end-ts'
same train 'groupby -g end -a count'
same train 'call-tree'
same train 'call-tree --crossing sibling'
same links 'call-tree'
same links 'call-tree | op-overheads'
same train 'range-project --outside'
same train 'range-project -r op --scope thread --horizon 1us --lenient'
same train 'op-overheads'
same train 'op-overheads --each --clamp'
for mode in gpu-busy 'gpu-busy --per stream' 'gpu-busy --sets' 'gpu-busy --whole' 'gpu-busy --types' \
	'gpu-busy --every 100us' 'gpu-busy -r range --within Step' gpu-gaps 'gpu-gaps --host op' 'gpu-counters queue' \
	'gpu-counters bandwidth' 'gpu-exposed -g name'; do
	same train "$mode --lenient"
done
same train 'ndjson2svg gantt --marks'
same train 'ndjson2svg heat -T'
same ranks.ndjson 'coll-join --clocks raw --write members'
for write in collectives clocks; do
	same ranks.ndjson "coll-join --write $write"
done
same timeline 'what-if'
finish
