#!/bin/sh
# fuzz.t: the fuzz targets accept their first inputs, and make fuzz runs all targets, also after one has failed.
. "${0%/*}/lib.sh"
only_slow_follow # the fuzz targets are built for `make check` only

# --- tests/fuzz/run, with scripts in place of targets: `left` and `right` succeed only if they run at the same time

cat >left <<'E'
#!/bin/sh
: >"$0.runs"
for i in 1 2 3 4 5 6 7 8 9 10; do
	[ ! -e left.runs ] || [ ! -e right.runs ] || { echo 'stat::number_of_executed_units: 7'; exit 0; }
	sleep 0.5
done
exit 1
E
cp left right
printf '#!/bin/sh\nexit 77\n' >bad
chmod +x left right bad
check 'targets run side by side; a failed target does not stop the others, and is listed' 1 \
	'"$ROOT"/tests/fuzz/run 1 2 ./bad ./left ./right >out; status=$?; sort out; exit $status' <<'E'
bad: FAILED after 0 runs; see ./bad.log
failed: bad
left: 7 runs
right: 7 runs
E

# --- the targets, each with its first inputs; for formats, every reader gets the beginnings of some traces

mkdir formats
for trace in tiny.ckp.json tiny.dvdt.lines tiny.pt.trace.json tiny.nsys.json cnn.onednn.txt; do
	for reader in 00 01 02 03 04 05 06 07 10 11 12 13 14 15 16 17 20; do
		for options in 0 2; do # the lower five bits of the first byte are the reader, the others its options
			{ printf "\\$options$reader" && cat "$DATA/$trace"; } >"formats/$trace-$options$reader"
		done
	done
done
for target in "$ROOT"/tests/fuzz/*.c; do
	target=$(basename "$target" .c)
	[ "$target" != filter ] || target=filter-corr-join # one of the programs with which it is linked
	[ "$target" = formats ] || { mkdir "$target" && "$ROOT/tests/fuzz/seeds" "$target" "$target"; }
	echo '{"ts":1,"dur":2,"kind":"kernel","name":"n","args":{"a":1}}' >"$target/record"
	check "$target accepts its first inputs" 0 "'$BUILD/fuzzers/$target' $target/*" </dev/null
done

finish
