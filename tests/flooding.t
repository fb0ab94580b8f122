#!/bin/sh
# flooding.t: names and ids that were chosen to meet in one place of a table cost no more than others, and the random
# key of the tables shows in no output.
# slow: 80,000 chosen names for each program
. "${0%/*}/lib.sh"

have python3 || finish

# Names that all had one hash, and ids that all had one bucket, when the tables had a key that everybody could read.
for what in quoted plain; do
	chosen_names.py "$what" chosen 80000 >"$what.chosen"
	chosen_names.py "$what" other 80000 >"$what.other"
done
for what in calls kernels; do
	chosen_names.py "$what" chosen 40000 >"$what.chosen"
	chosen_names.py "$what" other 40000 >"$what.other"
done

# took COMMAND FILE: the milliseconds of COMMAND FILE, whose output is in the file `out`.
took() {
	from=$(date +%s%N)
	timeout 100 sh -c "$1 $2" >out
	echo $((($(date +%s%N) - from) / 1000000))
}

# Quadratic time is a hundred times that of other names; a busy machine may take a few times as long.
while IFS=: read -r command what; do
	other=$(took "$command" "$what.other")
	chosen=$(took "$command" "$what.chosen")
	mv out first
	if [ "$chosen" -le $((other * 6 + 500)) ]; then
		pass "$command: chosen $what"
	else
		echo "$chosen ms, others take $other ms" | fail "$command: chosen $what"
	fi
	took "$command" "$what.chosen" >/dev/null
	cmp first out >differ 2>&1 && pass "$command: again the same" || fail "$command: again the same" <differ
done <<'E'
groupby -g name -o ndjson:quoted
stats -g name -o ndjson:quoted
nvtx-attach:quoted
filter-calls -e x:quoted
ndjson2folded:plain
corr-join:calls
corr-join:kernels
E

finish
