#!/bin/sh
# notebook.t: compares api-gpu-time, range-gpu-time, iteration-times and range-project, row by row, with the answers of
# a notebook. oracle/notebook_rows.py lists the rows in which the notebook is wrong.
. "${0%/*}/../lib.sh"
have python3 || finish


# notebook NAME GOLDEN TRACE CALLS ITERATED STEP ID... -- -e RANGE...: CALLS, ITERATED and STEP are regular expressions.
# CALLS matches names of calls and ignores letter case; ITERATED matches the calls whose times are summed for each
# iteration; STEP matches names and captures the number of the iteration.
notebook() {
	need_shared "golden/nsys/$2" "data/nsys/$3" || return
	name=$1 golden=$SHARED/golden/nsys/$2 trace=$SHARED/data/nsys/$3 calls=$4 iterated=$5 step=$6
	shift 6
	: >found
	: >said
	while [ "$1" != -- ]; do
		lookup "$1" "$trace" >>found 2>>said
		shift
	done
	shift
	{
		trace-join -k range,api,kernel "$trace" >all.join
		filter-calls -v -w 'kind == kernel' -w '!api' all.join >all
		api-gpu-time -i -o ndjson "$calls" "$trace" >api
		range-gpu-time -k kernel -i -o ndjson "$@" "$trace" >ranges
		iteration-times -o ndjson --iteration "$step" "$iterated" "$trace" >iterations
		nvtx-attach --capture 'iteration=Iteration ([0-9]+)' all | filter-calls -k api,kernel |
			range-project -r api -i -e "$calls" | groupby -g name,ranges,iteration -f dur_sum,records -a sum >sums
		# The start and the thread of each call replace its name, so that names are unique.
		trace2ndjson -k api,kernel "$trace" | ts-sort | corr-join --sorted >joined
		{
			filter-calls -k api -i -e "$calls" joined |
				sed 's/^{"ts":\([-0-9]*\),\(.*\)"name":"[^"]*"\(.*"tid":\)\([0-9]*\)/{"ts":\1,\2"name":"\1|\4"\3\4/
					s/"kind":"api"/"kind":"range"/'
			filter-calls -k kernel -w api joined
		} | ts-sort | nvtx-attach --as call | filter-calls -k kernel -w call >kernels
	} 2>>said
	# Removes the messages that the scripts print if a trace has no such calls or no such id.
	grep -v -e 'no record has the ' -e 'range without an end' -e \
		'^iteration-times: no kernel was launched by' said >news
	check "$name" 0 "cat news; notebook_rows.py $name '$golden' '$trace'" </dev/null
}

conv='convolutionforward|convolutionbackwarddata|streamsynchronize'
for trace in synth_small.json synth_small_wild.json $(amount '' '' synth_medium.json.gz); do
	notebook "${trace%%.*}" "${trace%%.*}" "$trace" "$conv" '^cudnnConvolutionForward$' 'Iteration ([0-9]+)' \
		232 340 447 500 -- -e 'Prediction and loss' -e 'FWD pass' -e 'BWD pass' -e 'Iteration .*'
done
for trace in unet3d_baseline_trim.json unet3d_baseline_full.json.gz unet3d_dali_amp_trim.json; do
	ids='32304 32305 32322'
	[ "$trace" != unet3d_dali_amp_trim.json ] || ids=''
	# shellcheck disable=SC2086 # a list of ids
	notebook "${trace%%.*}" "${trace%%.*}/notebook" "$trace" 'memcpyasync|streamsynchronize' \
		'[mM]emcpyAsync|[sS]treamSynchronize' \
		'step ([0-9]+)' $ids -- -e 'step .*' -e forward -e optimizer
done

finish
