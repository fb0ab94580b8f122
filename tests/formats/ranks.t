#!/bin/sh
# ranks.t: jobs of many ranks that a generator makes; coll-join must find the collectives of the golden files.
. "${0%/*}/../lib.sh"
only_slow_follow # generates traces of 80 ranks

have python3 || finish
need_shared gen/gen_ranks.py golden/ranks/README.md data/kineto/nccl.json.gz || finish
GOLDEN=$SHARED/golden/ranks

# generate SETTING: makes the traces of a setting of the golden files and converts them to SETTING/rankN.ndjson.
generate() {
	eval "set -- $(sed -n "s|^ *gen/gen_ranks.py OUT/$1 |$1 |p" "$GOLDEN/README.md")"
	setting=$1
	shift
	python3 "$SHARED/gen/gen_ranks.py" "$setting" "$@" || return
	for trace in "$setting"/rank*.json.gz; do
		trace2ndjson --quiet -k kernel,op,api,range,meta "$trace" >"${trace%.json.gz}.ndjson" 2>/dev/null || return
	done
}

# join SETTING STATUS [OPTION...]: compares the collectives and clocks with the golden files.
join() {
	setting=$1
	status=$2
	shift 2
	generate "$setting" || fail "$setting: generate" </dev/null
	options=$*
	check "$setting: the status" "$status" \
		"coll-join --quiet $options $setting/rank*.ndjson >$setting/out 2>/dev/null" <<'E'
E
	check "$setting: the collectives" 0 \
		"rank_collectives.py $GOLDEN/$setting ${options:+--exact} <$setting/out | sed 's/^[0-9 a-z,]*, //'" <<'E'
0 differences
E
	check "$setting: the clocks" 0 "coll-join --quiet $options --write clocks $setting/rank*.ndjson 2>/dev/null |
		rank_clocks.py $GOLDEN/$setting ${options:+--raw} | sed 's/.*, //'" <<'E'
0 differences
E
	check "$setting: a stream of all ranks in reverse order" 0 \
		"cat \$(ls -r $setting/rank*.ndjson) | coll-join --quiet $options 2>/dev/null | cmp - $setting/out" <<'E'
E
}

join data 0 --clocks raw
join hybrid 0
join sibling 1
join plain 0
join graph 0
join wide 0
join drift 0

# --- clocks

check 'clocks of an earlier run give the same collectives' 0 'coll-join --write clocks hybrid/rank*.ndjson >clocks &&
	coll-join --clocks clocks hybrid/rank*.ndjson | cmp - hybrid/out' <<'E'
E
check 'without a common clock, waits differ by at most skew_end' 0 '
	coll-join --clocks free data/rank*.ndjson >free && rank_free.py data/out free' <<'E'
76 waits
E
check 'the member kernels with their collective' 0 '
	coll-join --clocks raw --write members data/rank*.ndjson | rank_members.py data/out' <<'E'
76 kernels, 0 missing
E
check 'the member kernels of traces with doubles and kernels without metadata' 0 '
	coll-join --quiet --write members sibling/rank*.ndjson 2>/dev/null | rank_members.py sibling/out' <<'E'
673 kernels, 0 missing
E

# --- damaged members

check 'hybrid: traces with empty descriptions lose no collective' 0 'rank_truth.py hybrid <hybrid/out' <<'E'
0 false, 0 split, late: rank 6, 0 lost
E
check 'wide: lists that are cut and not quoted lose no collective' 0 'rank_truth.py wide <wide/out' <<'E'
0 false, 0 split, late: rank 20, 0 lost
E

# --- recorded traces

for rank in 0 1; do
	trace2ndjson -k kernel,op,api,range,meta "$SHARED/data/kineto/sampled_rank-$rank.json.gz" >hta$rank
done
check 'two of 128 ranks: stream 203 matches, stream 84 is refused' 0 '
	coll-join --clocks raw hta0 hta1 2>/dev/null | rank_collectives.py $SHARED/golden/ranks/hta --exact' <<'E'
18 collectives, 20 members, 0 differences
E
check 'eight ranks of one all-reduce' 0 'coll-join --quiet --clocks raw $SHARED/golden/ranks/unit/allreduce8.ndjson |
	rank_units.py $SHARED/golden/ranks allreduce8' <<'E'
E
check 'eight ranks of one all-reduce, without a common clock' 0 '
	coll-join --quiet --clocks free $SHARED/golden/ranks/unit/allreduce8.ndjson |
		rank_units.py $SHARED/golden/ranks allreduce8' <<'E'
E
check 'numbers that occur twice, siblings of one name, pairs' 0 '
	coll-join --quiet --clocks raw $SHARED/golden/ranks/unit/keys.ndjson | rank_units.py $SHARED/golden/ranks keys' <<'E'
E
finish
