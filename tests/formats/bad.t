#!/bin/sh
# bad.t: tests each class of damage in traces: the remaining records, the messages and the exit status. The expected
# records were written by hand from the contract, not copied from the output of the program.
. "${0%/*}/../lib.sh"

# bad NAME STATUS MESSAGES <<RECORDS: converts NAME.json of data/bad. MESSAGES has one line for each message on stderr:
# a regular expression for the text that follows the file name and the byte.
known=
bad() {
	known="$known $1.json"
	need_shared "data/bad/$1.json" || return
	check "$1" "$2" "trace2ndjson \"\$SHARED/data/bad/$1.json\" 2>err"
	messages "$1" "$3" "trace2ndjson: .*/bad/$1\.json: byte [0-9]+: "
}

messages() { # messages NAME MESSAGES PREFIX
	printf '%s' "$2" | sed "s|^|$3|" | check_re "$1: message" 0 'cat err'
}

# made NAME STATUS MESSAGES <<RECORDS: like bad, but converts x.json, which the caller has written. Here, the regular
# expressions also match the text `byte N: `.
made() {
	check "$1" "$2" 'trace2ndjson x.json 2>err'
	messages "$1" "$3" 'trace2ndjson: x\.json: '
}

bad bad_escape_windows 0 'unescaped backslash in a string; escaped' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":10000,"dur":1000,"kind":"python","name":"torch\\cuda\\__init__.py(219): _lazy_init","cat":"python_function","pid":1,"tid":2,"args":{"Ev Idx":1}}
{"ts":12000,"dur":1000,"kind":"op","name":"aten::add","cat":"cpu_op","pid":1,"tid":2,"args":{"External id":1}}
END

bad bare_quotes_newline 0 'unescaped control character in a string; escaped
unescaped quote in a string; escaped' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":10000,"dur":0,"kind":"python","name":"_lib = torch.library.Library(\"_inductor_test\", \"IMPL\")\n(1): <module>","cat":"python_function","pid":1,"tid":2,"args":{"Ev Idx":7}}
{"ts":12000,"dur":1000,"kind":"op","name":"aten::add","cat":"cpu_op","pid":1,"tid":2,"args":{"External id":1}}
END

bad ctrl_bad_utf8 0 'unescaped control character in a string; escaped
invalid UTF-8; replaced by U\+FFFD' <<END
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":10000,"dur":1000,"kind":"python","name":"cfg.py(0): \\u0002$(printf '\357\277\275')($(printf '\357\277\275')","cat":"python_function","pid":1,"tid":2,"args":{}}
{"ts":12000,"dur":1000,"kind":"op","name":"aten::add","cat":"cpu_op","pid":1,"tid":2,"args":{"External id":1}}
END

echo '[{"ph":"X","name":"a","ts":1,"dur":1,"pid":0,"tid":7,},]' >two.json
check 'TRACEFILTERS_REPAIRS: repairs go to a file, the same class in one line' 0 '
	TRACEFILTERS_REPAIRS=repairs trace2ndjson --quiet two.json two.json | grep -c .; cat repairs' <<END
2
4	trailing comma; removed	two.json: byte 1
END
check 'TRACEFILTERS_LOST: the numbers of lost records go to a file, too' 1 '
	printf "x\ny\n{\"ts\":1,\"name\":\"a\"}\n{\"ts\"" >lost.ndjson
	TRACEFILTERS_LOST=lost groupby -a count -o csv lost.ndjson; status=$?; cat lost; exit $status' <<'END'
count
1
{"lost":2}
{"lost":1,"cut":1}
--- stderr
groupby: lost.ndjson:1: not a JSON record; skipped (and 1 more)
groupby: lost.ndjson:4: record cut short; skipped
END
check 'TRACEFILTERS_LOST: a record, compressed data and an array that are cut' 1 '
	seq 9000 | sed "s/.*/{\"ts\":&,\"name\":\"a\"}/" | gzip | head -c 9000 >cut.gz
	printf "{\"traceEvents\":[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1,\"pid\":1}" >open.json
	for one in cut.gz open.json; do
		rm lost; TRACEFILTERS_LOST=lost trace2ndjson $one >/dev/null 2>&1; status=$?; cat lost
	done; exit $status' <<'END'
{"lost":1,"cut":1}
{"lost":1,"cut":1}
{"lost":1,"cut":1}
END
bad inf_nan 0 'NaN, Infinity or N/A; replaced by null \(and 1 more\)' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":1614800519473220000,"dur":0,"kind":"memcpy","name":"Memcpy HtoD (Pageable -> Device)","cat":"Memcpy","dev":0,"stream":7,"corr":20002,"bytes":200,"copy":"h2d","args":{"stream":7,"correlation":20002,"external id":3981,"bytes":200,"memory bandwidth (GB/s)":null}}
{"ts":1614800519473230000,"dur":3000,"kind":"kernel","name":"k","cat":"Kernel","dev":0,"stream":7,"corr":20003,"args":{"stream":7,"correlation":20003,"warps per SM":null}}
END

# The format allows an array without its closing bracket, but not a comma at the end.
bad legacy_array_trailing_comma 0 '.*comma.*' <<'END'
{"ts":633000,"dur":54000,"kind":"op","name":"aten::mul","pid":"CPU functions","tid":1,"args":{}}
{"ts":725500,"dur":7250,"kind":"op","name":"aten::mul","pid":"CPU functions","tid":1,"args":{}}
END

bad string_ts_trailing_meta 0 '' <<'END'
{"ts":1712195495502094520,"dur":12300,"kind":"kernel","name":"MatMul","cat":"kernel","dev":1,"stream":0,"corr":17,"args":{"stream":"0x0","correlation":"17"}}
{"kind":"meta","name":"displayTimeUnit","args":{"value":"ns"}}
{"kind":"meta","name":"baseTimeNanoseconds","args":{"value":1719853884000000000}}
END

bad sync_u32_minus1 0 '' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":10000,"dur":5000,"kind":"sync","name":"Context Sync","cat":"cuda_sync","dev":0,"corr":9,"args":{"cuda_sync_kind":"Context Sync","stream":4294967295,"correlation":9,"device":0,"context":1}}
{"ts":11000,"dur":0,"kind":"sync","name":"Stream Wait Event","cat":"cuda_sync","dev":0,"stream":7,"corr":10,"args":{"stream":7,"correlation":10,"wait_on_stream":20,"wait_on_cuda_event_record_corr_id":4294967295,"wait_on_cuda_event_id":1}}
END

bad truncated 1 'file is cut short: the last event is incomplete' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":12000,"dur":1000,"kind":"op","name":"aten::add","cat":"cpu_op","pid":1,"tid":2,"args":{"External id":1}}
END

bad zero_ts 0 '' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":0,"dur":0,"kind":"kernel","name":"volta_sgemm","cat":"kernel","dev":0,"stream":7,"corr":106123,"args":{"stream":7,"correlation":106123}}
{"ts":1615207264505000,"dur":6000,"kind":"api","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":9,"tid":9,"corr":106123,"args":{"correlation":106123}}
END

if need_shared data/bad; then
	for file in "$SHARED"/data/bad/*; do
		case "$known " in
		*" ${file##*/} "*) ;;
		*) echo 'bad.t has no expected records for this file' | fail "${file##*/}" ;;
		esac
	done
fi

# --- classes of damage that no file in data/bad has

# event NAME [TS [ARGS]]: prints an event of category cpu_op with these values.
event() {
	printf '{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":2,"ts":%s,"dur":1,"args":{%s}}' "$1" "${2:-1}" "${3-}"
}
A=$(event a)
B=$(event b 2)
a='{"ts":1000,"dur":1000,"kind":"op","name":"a","cat":"cpu_op","pid":1,"tid":2,"args":{}}'
b='{"ts":2000,"dur":1000,"kind":"op","name":"b","cat":"cpu_op","pid":1,"tid":2,"args":{}}'

printf '{"traceEvents":[%s,%s' "$A" "$B" >x.json
made 'events are written when the final ]} is missing' 1 'byte [0-9]+: .*cut short.*' <<END
$a
$b
END

printf '{"traceEvents":[%s,%s]' "$A" "$B" >x.json
made 'events are written when the final } is missing' 1 'byte [0-9]+: .*cut short.*' <<END
$a
$b
END

printf '[%s,%s\n' "$A" "$B" >x.json
made 'a bare array needs no closing bracket' 0 '' <<END
$a
$b
END

printf '[%s,%s,%s]' "$A" "$(event x foo)" "$B" >x.json
made 'an event that cannot be repaired is skipped' 1 'byte [0-9]+: .*skipped' <<END
$a
$b
END

# After an extra opening bracket, all text is skipped until the layout shows the start of an event.
printf '[\n  %s,\n  %s,\n  {\n    %s]' "$A" "$(event x 1 '"v":[1')" "${B#?}" >x.json
made 'an event with an unclosed bracket is skipped' 1 'byte [0-9]+: .*skipped.*' <<END
$a
$b
END

# --- extra brackets and commas: no event is lost

# stray TEXT MESSAGES: checks that TEXT, in which A and B stand for two events, gives both records and these messages.
stray() {
	printf '%s' "$1" | sed "s/A/$(event a)/; s/B/$(event b 2)/" >x.json
	made "$1" 0 "$2" <<END
$a
$b
END
}
stray '[A},B]' 'byte [0-9]+: extra closing bracket between events; removed'
stray '[A,}B]' 'byte [0-9]+: extra closing bracket between events; removed'
stray '[A,B}]' 'byte [0-9]+: extra closing bracket between events; removed'
stray '[A,B]]' 'byte [0-9]+: extra closing bracket; removed'
stray '[A],B]' 'byte [0-9]+: extra closing bracket between events; removed'
stray '{"traceEvents":[A},B]}' 'byte [0-9]+: extra closing bracket between events; removed'
stray '{"traceEvents":[A,B}]}' 'byte [0-9]+: extra closing bracket between events; removed'
stray '{"traceEvents":[A,B}}]}' 'byte [0-9]+: extra closing bracket between events; removed \(and 1 more\)'
stray '{"traceEvents":[A,B]]}' 'byte [0-9]+: extra closing bracket; removed'
stray '{"traceEvents":[A,B]}}' 'byte [0-9]+: extra closing bracket; removed'
stray '{"traceEvents":[A,B]}]' 'byte [0-9]+: extra closing bracket; removed'
stray '{"traceEvents":[A,B],}' 'byte [0-9]+: trailing comma; removed'
stray '{,"traceEvents":[A,B]}' 'byte [0-9]+: extra comma between members; removed'
stray '[A,,B]' 'byte [0-9]+: extra comma between events; removed'
stray '[A B]' 'byte [0-9]+: missing comma between events; added'

printf '{"schemaVersion":1,,"x":,"traceEvents":[%s,%s]"y":2}' "$A" "$B" >x.json
made 'damaged commas and values next to traceEvents are repaired' 0 'byte [0-9]+: extra comma between members; removed
byte [0-9]+: member without a value; set to null or removed
byte [0-9]+: missing comma between members; added' <<END
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"kind":"meta","name":"x","args":{"value":null}}
$a
$b
{"kind":"meta","name":"y","args":{"value":2}}
END

# --- damage that can be repaired in exactly one way

printf %s '[{"ph":"X","name":"nccl","pid":,"cat":"cpu_op","ts":1,' \
	'"args":{"Process Group Description": , "Ranks":[0, 1, ...]}}]' >x.json
made 'members without a value and a shortened list are repaired' 0 \
	'byte 1: member without a value; set to null or removed
byte 1: list shortened with \.\.\.; written as a string' <<'END'
{"ts":1000,"kind":"op","name":"nccl","cat":"cpu_op","args":{"Process Group Description":null,"Ranks":"[0, 1, ...]"}}
END

for event in '"name":"n",,"cat":"kernel"' '"name":"n" "cat":"kernel"' '"name":"n,"cat":"kernel"' \
	'"name":"n"","cat":"kernel"' \
	'"cat":"kernel","args":{"Input Dims":[[5,2],[2,7],"Input type":["float","float"]}'; do
	printf '[%s,{"ph":"X","ts":1,%s},%s]' "$A" "$event" "$B" >x.json
	made "$event" 1 'byte [0-9]+: not a valid event; skipped' <<END
$a
$b
END
done

if have python3; then
	check 'no missing or repeated bracket, comma, colon or quote changes a record' 0 'one_damage.py' <<'END'
526 lines, 6 records, status 1
END
fi

deep=$(awk 'BEGIN { for (i = 0; i < 1100; i++) printf "["; for (i = 0; i < 1100; i++) printf "]" }')
printf '[%s,%s,%s]' "$A" "$(event x 1 "\"v\":$deep")" "$B" >x.json
made 'an event nested too deeply is skipped' 1 'byte [0-9]+: .*skipped' <<END
$a
$b
END

printf '[%s,%s,%s]' "$A" "$(event x 99999999999999999999)" "$B" >x.json
made 'an event with a ts beyond 64 bits is skipped' 1 'byte [0-9]+: .*64.*' <<END
$a
$b
END

printf '[%s,%s]' "${A%?},}" "$B" >x.json
made 'a trailing comma in an event is removed' 0 'byte [0-9]+: trailing comma; removed' <<END
$a
$b
END

printf '[%s,%s]' "$A" "$B" | sed 's/:2,"dur/:2\x00,"dur/' >x.json
made 'a NUL byte between tokens is removed' 0 'byte [0-9]+: NUL byte; removed or escaped' <<END
$a
$b
END

printf '\357\273\277[%s,%s]' "$A" "$B" >x.json
made 'a byte order mark is removed' 0 'byte 0: byte order mark; removed' <<END
$a
$b
END

printf '[%s]' "$(event 'x\ud800y')" >x.json
made 'an unpaired surrogate becomes U+FFFD' 0 'byte [0-9]+: unpaired surrogate; replaced by U\+FFFD' <<END
{"ts":1000,"dur":1000,"kind":"op","name":"x$(printf '\357\277\275')y","cat":"cpu_op","pid":1,"tid":2,"args":{}}
END

printf '[%s]' "$(event a 1 '"v":123456789012345678901234567890')" >x.json
made 'a large number in args is unchanged' 0 '' <<'END'
{"ts":1000,"dur":1000,"kind":"op","name":"a","cat":"cpu_op","pid":1,"tid":2,"args":{"v":123456789012345678901234567890}}
END

printf '[%s]' "$A" | sed 's/"dur":1/"dur":-1/' >x.json
made 'a negative dur is valid' 0 '' <<'END'
{"ts":1000,"dur":-1000,"kind":"op","name":"a","cat":"cpu_op","pid":1,"tid":2,"args":{}}
END

printf '[%s]' "$A" | sed 's/"ts":1/"ts":7,"ts":1/' >x.json
made 'the last of two members with the same name counts' 0 \
	'byte [0-9]+: duplicate member; only the last one counts' <<END
$a
END

# Each opening brace could be the start of an event inside the preceding event. The time must stay linear: the reader
# must not scan to the end of the text for every brace.
{ printf '{"traceEvents":['; yes '{"ph":' | head -n 200000 | tr -d '\n'; } >x.json
check '200000 possible starts of an event take linear time' 1 'ulimit -t 5; trace2ndjson x.json' <<'END'
--- stderr
trace2ndjson: x.json: byte 16: file is cut short: the last event is incomplete
END

head -c 100000 /dev/zero >x.json
check_re 'a file of NUL bytes has no records' 1 'trace2ndjson -F chrome x.json' <<'END'
--- stderr
trace2ndjson: x\.json: byte 0: NUL byte; removed or escaped .*
trace2ndjson: x\.json: byte 100000: file contains only NUL bytes
END

: >x.json
made 'an empty file is an error' 1 '.*empty.*' </dev/null

printf '\377\376[\000{\000}\000]\000' >x.json
made 'UTF-16 is recognised and not read' 1 '.*UTF-16.*' </dev/null

echo 'This text is not a trace.' >x.json
made 'a text file is not a trace' 1 '.*' </dev/null

printf '[%s,%s]' "$A" "$B" | gzip -c | head -c -6 >x.json
made 'records of gzip data that is cut short are written' 1 '.*(gzip|cut|end).*' <<END
$a
$b
END

finish
