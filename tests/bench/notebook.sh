#!/bin/sh
# notebook.sh TRACE.json: does the analysis of notebook.py with our scripts and filters, as in tests/scripts/notebook.t.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trace=$folder/trace.ndjson
calls='convolutionforward|convolutionbackwarddata|streamsynchronize'

trace2ndjson --sort "$1" >"$trace"
api-gpu-time -i -o ndjson "$calls" "$trace"
range-gpu-time -k kernel -i -o ndjson -e 'Prediction and loss' -e 'FWD pass' -e 'BWD pass' -e 'Iteration .*' "$trace"
iteration-times -o ndjson --iteration 'Iteration ([0-9]+)' '^cudnnConvolutionForward$' "$trace"
trace-join -k range,api,kernel "$trace" | nvtx-attach --capture 'iteration=Iteration ([0-9]+)' |
	filter-calls -k api,kernel | range-project -r api -i -e "$calls" |
	groupby -g name,ranges,iteration -f dur_sum,records -a sum
for id in 232 340 447 500; do
	lookup "$id" "$trace" || [ $? -eq 1 ] # exits 1 if nothing has the id
done
