#!/bin/sh
# recognise.t: trace2ndjson recognises the format of every available trace by its content. Each trace is read from a
# file, from gzip data and from a slow pipe, which initially contains only the first bytes. The output must be the same
# as with -F FORMAT.
. "${0%/*}/../lib.sh"
only_slow_follow # every format through slow pipes

# format_of PATH: prints the format of the file, which follows from its folder or name. PATH is relative to the shared
# data or to tests/data.
format_of() {
	case $1 in
	*/NOTICE | */LICENSE.* | pipeline.tsv) echo none ;;
	dvdt/odd/crash_cjson.out) echo none ;; # the program crashed: the file has no output of dvdt-prof
	chrome/* | kineto/* | bad/* | *.pt.trace.json* | timeline.json) echo chrome ;;
	nsys/* | *.nsys.json*) echo nsys ;;
	dvdt/* | *.dvdt.* | *.ckp.json*) echo dvdt ;;
	plaidml/* | *.eventlog*) echo plaidml ;;
	onednn/* | *.onednn.*) echo onednn ;;
	nsys-sqlite/* | rocprof/*.db.gz) echo sqlite ;;
	rocprof/*) echo rocprof ;;
	nccl-inspector/*) echo inspector ;;
	provenance/*) echo inductor ;;
	pftrace/*) echo pftrace ;;
	xplane/*) echo xplane ;;
	torch/*) echo torch ;;
	perf/*) echo perf ;;
	dumps/* | flight-recorder/*) echo flight ;;
	memory/*) echo timeline ;;
	*.ndjson) echo ndjson ;;
	*) echo unknown ;;
	esac
}

# same_as NAME: returns 0 if trace2ndjson converts standard input to NAME.out with the messages NAME.err and the exit
# status NAME.status.
same_as() {
	trace2ndjson >got.out 2>got.err
	echo $? >got.status
	for part in out err status; do
		cmp "$1.$part" "got.$part" || { head -n 3 got.err; return 1; }
	done
}

# slowly N FILE: writes the first N bytes of the file, and the rest after a pause.
slowly() {
	head -c "$1" "$2"
	sleep 0.03
	tail -c "+$(($1 + 1))" "$2"
}

# recognised NAME FORMAT: checks that the file `raw` is recognised from a file, from gzip data and from slow pipes.
recognised() {
	if [ "$2" = none ]; then
		printf '%s: %s\n' 'trace2ndjson: stdin: byte 0' \
			'unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)' >want.err
		: >want.out
		echo 1 >want.status
	else
		trace2ndjson -F "$2" <raw >want.out 2>want.err
		echo $? >want.status
	fi
	gzip -c raw >raw.gz
	{
		same_as want <raw || echo "different as a file"
		same_as want <raw.gz || echo "different as gzip data"
		for first in "$(head -n 1 raw | wc -c)" 100 4096; do
			slowly "$first" raw | same_as want || echo "different when only $first bytes arrive at first"
		done
		slowly 100 raw.gz | same_as want || echo "different when only 100 bytes of gzip data arrive at first"
	} >differences 2>&1
	if [ -s differences ]; then fail "$1 is recognised as $2" <differences; else pass "$1"; fi
}

# all_of ROOT: checks the files in ROOT whose names are on standard input. The first 200000 bytes are enough: a format
# is recognised by the first 64 KiB.
all_of() {
	while IFS= read -r file; do
		if gzip -dc "$file" >/dev/null 2>&1 || [ "$(od -An -tx1 -N2 "$file")" = ' 1f 8b' ]; then
			gzip -dc "$file" 2>/dev/null | head -c 200000 >raw
		else
			head -c 200000 "$file" >raw
		fi
		recognised "${file#"$1/"}" "$(format_of "${file#"$1/"}")"
		# The output of trace2ndjson is always recognised as ndjson.
		if [ -s want.out ]; then
			head -c 20000 want.out >records
			trace2ndjson -F ndjson <records >want.out 2>want.err
			echo $? >want.status
			if same_as want <records >differences 2>&1; then
				pass records
			else
				fail "the records of $file are recognised as ndjson" <differences
			fi
		fi
	done
}

find "$DATA" -type f ! -name 'generate*' | LC_ALL=C sort | all_of "$DATA"
if need_shared data; then
	files_in $READ_FOLDERS | sample 3 | all_of "$SHARED/data"
fi

# --- line ends, blank lines and byte order marks

# A text of each format, with changes that must not affect the recognition of its format.
for example in nsys:tiny.nsys.json chrome:tiny.pt.trace.json dvdt:tiny.ckp.json \
	dvdt:tiny.dvdt.out dvdt:tiny.dvdt.lines \
	onednn:onednn.log torch:torch.txt perf:perf.txt ndjson:records; do
	format=${example%%:*}
	file=$DATA/${example#*:}
	case $format in
	onednn)
		printf 'onednn_verbose,exec,cpu,sum,simple:any,undef,src_f32::blocked:a:f0 dst_f32::blocked:a:f0,,,3,0.25\n' >text ;;
	torch)
		line='----  --------  ----------'
		printf '%s\n' "$line" 'Name  Self CPU  # of Calls' "$line" 'mm    1.500ms   3' "$line" >text
		;;
	perf) printf 'dd 7 [000] 1.500000: 250000 cpu-clock:\n\t  4005d0 main (/bin/dd)\n\n' >text ;;
	ndjson) printf '{"ts":1,"dur":2,"kind":"op","name":"a"}\n{"ts":2,"kind":"mark"}\n' >text ;;
	*) cat "$file" >text ;;
	esac
	sed 's/$/\r/' text >raw
	recognised "$format: lines that end in CR LF" "$format"
	{ printf '\n \n' && cat text; } >raw
	recognised "$format: leading blank lines" "$format"
	{ printf '\357\273\277' && cat text; } >raw
	recognised "$format: a leading byte order mark" "$format"
	trace2ndjson -F "$format" <text >want.out 2>/dev/null
	check "$format: a byte order mark is removed and reported" 0 \
		'trace2ndjson raw 2>said | cmp - want.out
		grep -c "^trace2ndjson: raw: byte 0: byte order mark; removed$" said' <<-END
		1
	END
done

# --- the first line alone does not decide between formats

layers='[
{"direction":"forward","label":"conv1","time_ms":1,"timestamp":"1121 04:39:07.480538"}]'
events='[
{"ph":"X","name":"a","ts":1,"dur":2}]'
for pair in "dvdt:$layers" "chrome:$events"; do
	printf '%s\n' "${pair#*:}" >raw
	recognised "${pair%%:*}: an array whose opening bracket is a separate line" "${pair%%:*}"
done

# --- records are checked at all depths

printf '%s\n' '{"ts":1,"kind":"op","args":{"a":"b":"c"}}' '{"ts":2,"kind":"op","args":{"a":1:2}}' \
	'{"ts":3,"kind":"op"}' >deep
check 'a record with invalid args is skipped' 1 'trace2ndjson deep' <<'END'
{"ts":3,"kind":"op"}
--- stderr
trace2ndjson: deep:1: not a JSON record; skipped (and 1 more)
END

check 'a file with only a byte order mark is empty' 1 'printf "\357\273\277" | trace2ndjson' <<'END'
--- stderr
trace2ndjson: stdin: byte 0: empty input
END

finish
