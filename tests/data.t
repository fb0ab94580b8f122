#!/bin/sh
# data.t: the traces in tests/data are the output of their generator, and all of them describe the same run.
. "${0%/*}/lib.sh"

if have python3; then
	mkdir new
	slow check 'the generator writes the files in tests/data' 0 '"$DATA/generate" new && "$DATA/generate-ranks" new &&
		"$DATA/generate-timeline" new && "$DATA/generate-experts" new &&
		for file in new/*; do cmp "$file" "$DATA/${file##*/}"; done; ls new' <<'E'
experts.ndjson
pipeline.ndjson
ranks.ndjson
timeline.json
tiny.nsys.json
tiny.pt.trace.json
train.nsys.json
train.nsys.jsonl
train.pt.trace.json
E
fi

for file in train.pt.trace.json train.nsys.json train.nsys.jsonl; do
	check "kernels of $file" 0 \
		"trace2ndjson $DATA/$file | filter-calls -k kernel | groupby -g short,stream -a count,sum -o csv" <<'E'
short,stream,count,dur_sum
ncclDevKernel_AllReduce_Sum_f32_RING_LL,20,2,188747
ampere_sgemm_32x128_nt,7,2,103695
at::native::(anonymous namespace)::multi_tensor_apply_kernel,7,2,83887
ampere_sgemm_128x64_tn,7,2,76399
at::native::vectorized_elementwise_kernel,7,2,4781
E
done

finish
