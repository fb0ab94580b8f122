#!/bin/sh
# flooding.t: names and ids that were chosen to collide in a hash table are processed as fast as other names and ids,
# and the random key of the tables does not affect the output.
. "${0%/*}/lib.sh"
only_slow_follow # 80,000 chosen names for each program

have python3 || finish

# Formerly, the tables used a public key. With that key, all these names had the same hash, and all these ids were in
# the same bucket.
for what in quoted plain; do
	chosen_names.py "$what" chosen 80000 >"$what.chosen"
	chosen_names.py "$what" other 80000 >"$what.other"
done
for what in calls kernels; do
	chosen_names.py "$what" chosen 40000 >"$what.chosen"
	chosen_names.py "$what" other 40000 >"$what.other"
done

# took COMMAND FILE: prints the milliseconds that COMMAND FILE takes; stores its output in the file `out`.
took() {
	from=$(date +%s%N)
	timeout 100 sh -c "$1 $2" >out
	echo $((($(date +%s%N) - from) / 1000000))
}

# If the time were quadratic, the chosen names would take a hundred times as long as other names. On a busy machine,
# they may take a few times as long.
while IFS=: read -r command what; do
	other=$(took "$command" "$what.other")
	chosen=$(took "$command" "$what.chosen")
	mv out first
	if [ "$chosen" -le $((other * 6 + 500)) ]; then
		pass "$command: chosen $what take no longer"
	else
		echo "$chosen ms, others take $other ms" | fail "$command: chosen $what take no longer"
	fi
	took "$command" "$what.chosen" >/dev/null
	again="$command: a second run prints the same"
	cmp first out >differ 2>&1 && pass "$again" || fail "$again" <differ
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
