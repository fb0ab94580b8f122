#!/bin/sh
# kineto.t: every event of real PyTorch traces. kineto_records.py reads them with Python's json and converts them by an
# independent implementation of the rules for Chrome traces; its records must equal those of trace2ndjson. The times of
# kernels must equal the tables of a reference tool.
. "${0%/*}/../lib.sh"
have python3 || finish

# golden.py TABLE: compares groupby's table on standard input with the table of the reference tool. The order of rows
# makes no difference.
cat >golden.py <<'E'
import csv, math, sys
COLUMNS = {"dur_sum": "sum (us)", "dur_max": "max (us)", "dur_min": "min (us)", "dur_std": "stddev", "dur_mean": "mean (us)"}
want = {row["name"]: row for row in csv.DictReader(open(sys.argv[1]))}
got = {row["name"]: row for row in csv.DictReader(sys.stdin)}
if want.keys() != got.keys():
    print("names:", want.keys() ^ got.keys())
for name in want.keys() & got.keys():
    for ours, theirs in COLUMNS.items():
        # For a single value, the reference tool prints a deviation of 0, and groupby prints none. The reference tool
        # computes sums in double precision, so small differences are allowed.
        if not math.isclose(float(got[name][ours] or 0) / 1000, float(want[name][theirs]), rel_tol=1e-12, abs_tol=1e-9):
            print(name, ours, got[name][ours], "expected", want[name][theirs])
print(len(want), "names")
E

every_event() { # every_event FILE
	check "${1##*/}: every record is as expected" 0 \
		"trace2ndjson $1 >records; code=\$?; kineto_records.py $1 records; exit \$code" </dev/null
	check "${1##*/}: the durations of each category have the expected sum" 0 \
		'filter-calls -w cat records | groupby -g cat -a count,sum -o csv | sed "1d; s/,\$/,0/" | sort' <sums
}

for file in "$DATA"/*.pt.trace.json; do
	every_event "$file"
done
if need_shared data/kineto; then
	traces_in kineto | while IFS= read -r file; do
		every_event "$file"
	done
fi

for trace in alexnet simple_add event_sync_multi_stream; do
	need_shared "data/kineto/$trace.json.gz" "golden/kineto/$trace/kernel_breakdown_all.csv" || continue
	golden=$SHARED/golden/kineto/$trace/kernel_breakdown_all.csv
	check "$trace: the times of kernels by name equal those of the reference tool" 0 \
		"trace2ndjson -k kernel,memcpy,memset $SHARED/data/kineto/$trace.json.gz |
			groupby -g name -a sum,max,min,std,mean -o csv | python3 golden.py $golden" <<E
$(($(wc -l <"$golden") - 1)) names
E
done

finish
