#!/bin/sh
# trace2ndjson-jobs.t: -j N gives the records, the messages and the status of -j 1, whatever the size of the blocks. The
# unit test block_conversion.c tries damaged files.
. "${0%/*}/../lib.sh"

# in_blocks FILE BLOCKS OPTION...: prints what differs between -j 1, and -j 2 with blocks of 1 / BLOCKS of the file.
cat >in_blocks <<'E'
file=$1 blocks=$2
shift 2
size=$(wc -c <"$file")
trace2ndjson "$@" "$file" >one.out 2>one.err
echo $? >>one.err
TRACEFILTERS_BLOCK=$(((size + blocks - 1) / blocks)) trace2ndjson -j 2 "$@" "$file" >some.out 2>some.err
echo $? >>some.err
cmp one.out some.out && cmp one.err some.err
E

for file in train.pt.trace.json timeline.json; do
	for blocks in 2 7 64; do
		check "$file in $blocks blocks" 0 "sh ./in_blocks $DATA/$file $blocks" </dev/null
	done
done
check 'records of some kinds' 0 "sh ./in_blocks $DATA/train.pt.trace.json 7 -k kernel,api" </dev/null
check 'options that change records' 0 "sh ./in_blocks $DATA/train.pt.trace.json 7 --relative --set run=7 \
	--capture 'file=([a-z]*).pt' --no-args --keep-args stream,correlation" </dev/null
if need_shared data/bad; then
	for file in "$SHARED"/data/bad/*; do
		for blocks in 2 3 7 64; do
			check "${file##*/} in $blocks blocks" 0 "sh ./in_blocks $file $blocks" </dev/null
		done
	done
fi
if [ -z "${FAST-}" ] && need_shared data/kineto; then
	traces_in kineto | while IFS= read -r file; do
		gzip -dc "$file" >kineto.json
		for blocks in 2 3 7 64; do
			check "${file##*/} in $blocks blocks" 0 "sh ./in_blocks kineto.json $blocks" </dev/null
		done
	done
fi

# --- input of all kinds

{
	echo '{"distributedInfo":{"rank":5},"traceEvents":['
	seq 20000 |
		sed 's/.*/{"ph":"X","cat":"kernel","name":"k&","pid":0,"tid":7,"ts":&,"dur":1,"args":{"correlation":&}},/'
	echo '{"ph":"X","name":"last","ts":1e9,"dur":1}],"traceName":"x"}'
} >large.json
gzip -c large.json | tee packed >large.json.gz
head -c 30000 large.json.gz >cut.json.gz
trace2ndjson large.json >want
cat want want want >want.all
export TRACEFILTERS_BLOCK=10000
check 'the records have the rank, which is at the beginning of the file' 0 \
	'trace2ndjson -j 3 large.json | tee got | cmp - want; grep -c "\"rank\":5" got' <<'E'
20003
E
check 'compressed input' 0 'trace2ndjson -j 3 large.json.gz | cmp - want' </dev/null
check 'compressed input that is cut short' 1 'trace2ndjson cut.json.gz >want.cut 2>want.err
	trace2ndjson -j 3 cut.json.gz 2>err >got.cut; status=$?
	cmp got.cut want.cut && cmp err want.err; exit $status' </dev/null
check 'standard input: a file, a pipe' 0 'trace2ndjson -j 0 <large.json | cmp - want
	cat large.json | trace2ndjson -j 2 | cmp - want; cat large.json.gz | trace2ndjson -j 2 | cmp - want' </dev/null
check 'several files, and more threads than blocks' 0 \
	'trace2ndjson -j 300 large.json packed want | cmp - want.all' </dev/null
check 'formats that cannot be cut' 0 "for f in $DATA/train.nsys.json want; do
	trace2ndjson \$f >one; trace2ndjson -j 2 \$f | cmp - one; done" </dev/null
check 'a number below 0' 2 'trace2ndjson -j -1 large.json' <<'E'
--- stderr
trace2ndjson: -j: '-1': expected an integer >= 0
E

# --- output that fails

check '/dev/full' 2 'trace2ndjson -j 2 large.json >/dev/full' <<'E'
--- stderr
trace2ndjson: write error: No space left on device
E
check 'the reader closes the pipe' 0 '
	{ trace2ndjson -j 2 large.json; echo $? >status; } | head -c 1 >one; cat status' <<'E'
141
E
check 'the reader closes the pipe, SIGPIPE ignored' 0 \
	"trap '' PIPE; { trace2ndjson -j 2 large.json.gz; echo \$? >status; } | head -c 1 >one; cat status" <<'E'
2
--- stderr
trace2ndjson: write error: Broken pipe
E

finish
