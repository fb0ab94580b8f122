#!/bin/sh
# plaidml.t: event logs of PlaidML: activities, metadata, clocks, and damaged logs.
# shellcheck disable=SC2059 # bytes are written as printf's escapes
. "${0%/*}/../lib.sh"

magic='\010\012\006\010\305\354\321\343\004'
event() { # event 'FIELDS': writes a record of one event, whose fields are escapes of printf
	n=$(printf "$1" | wc -c)
	printf "\\$(printf %o $((n + 2)))\\022\\$(printf %o "$n")$1"
}

# Schema v2, times in ns. Activity a (1) lasts from 100 to 900, and its child Kernel::Run (2) from 200 to 300. The child
# of Kernel::Run, Executing (3), lasts from 50 to 80 on the device's clock, so the offset of this clock is 200 - 50.
{
	printf "$magic"
	event '\012\000\022\002\010\001\032\001a\052\002\020\144'
	event '\012\002\010\001\022\002\010\002\032\016x::Kernel::Run\052\003\020\310\001'
	event '\022\002\010\002\062\003\020\254\002'
	event '\012\002\010\002\022\002\010\003\032\014x::Executing\042\002\010\001\052\002\020\062\062\002\020\120'
	event '\022\002\010\001\062\003\020\204\007'
} >tiny.log

check 'records are written at the end of their activity, with times on the host clock' 0 'trace2ndjson tiny.log' <<'E'
{"ts":200,"dur":100,"kind":"activity","name":"x::Kernel::Run","cat":"x::Kernel::Run","corr":1,"id":2,"parent":1,"args":{"seq":2}}
{"ts":200,"dur":30,"kind":"kernel","name":"x::Executing","cat":"x::Executing","corr":1,"id":3,"parent":2,"args":{"seq":4}}
{"ts":100,"dur":800,"kind":"activity","name":"a","cat":"a","id":1,"args":{"seq":1}}
E
check 'a log from a pipe gives the same times' 0 'cat tiny.log | trace2ndjson -k kernel' <<'E'
{"ts":200,"dur":30,"kind":"kernel","name":"x::Executing","cat":"x::Executing","corr":1,"id":3,"parent":2,"args":{"seq":4}}
E
check '--raw-clock does not convert device times' 0 'trace2ndjson --raw-clock -k kernel --no-args tiny.log' <<'E'
{"ts":50,"dur":30,"kind":"kernel","name":"x::Executing","cat":"x::Executing","corr":1,"id":3,"parent":2,"clock":"1"}
E
check 'gzip data read byte by byte gives the same records' 0 'trace2ndjson tiny.log >want; gzip -c tiny.log >tiny.gz
	TRACEFILTERS_READ=1 trace2ndjson tiny.gz | cmp - want && TRACEFILTERS_READ=1 trace2ndjson <tiny.gz |
	cmp - want' </dev/null
check 'a large log from a pipe needs a folder for temporary files' 2 'cp tiny.log large.log
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cat large.log large.log >twice && mv twice large.log; done
	TMPDIR=/nowhere trace2ndjson large.log 2>/dev/null | wc -l; cat large.log | TMPDIR=/nowhere trace2ndjson' <<'E'
3
--- stderr
trace2ndjson: stdin: cannot create a temporary file (TMPDIR): No such file or directory
E

# --- invalid logs: the first event is written, and the damage is reported with its byte position

{
	printf "$magic"
	event '\012\000\022\002\010\001\032\001a\052\002\020\144'
} >first.log
first='{"ts":100,"kind":"activity","name":"a","cat":"a","id":1,"args":{"seq":1}}'
size=$(wc -c <first.log)

invalid() { # invalid NAME 'BYTES' OFFSET MESSAGE: BYTES follow one valid event and are invalid from OFFSET on
	{ cat first.log; printf "$2"; } >invalid.log
	check "$1" 1 'trace2ndjson invalid.log' <<E
$first
--- stderr
trace2ndjson: invalid.log: byte $((size + $3)): $4
E
	check "$1, from a pipe" 1 'cat invalid.log | trace2ndjson' <<E
$first
--- stderr
trace2ndjson: stdin: byte $((size + $3)): $4
E
}
ten='\377\377\377\377\377\377\377\377\377\377'
invalid 'a record longer than the log' '\200\306\206\217\001abc' 0 'record is longer than the rest of the log; skipped'
invalid 'a record length of 11 bytes' "$ten"'\001abc' 0 \
	'length of a record has more than 10 bytes or 64 bits; reading stopped'
invalid 'a record length that is cut short' '\377\377' 0 'log ends inside the length of a record'
invalid 'an event that extends past its record' '\003\022\005\010' 1 'length points past the end of its message'
invalid 'an id that extends past its event' '\004\022\002\022\011' 3 'length points past the end of its message'
invalid 'an id that is a number of 11 bytes' '\021\022\017\022\015\010'"$ten"'\001\000' 5 \
	'number has more than 10 bytes or 64 bits'
invalid 'a protobuf group' '\002\023\024' 1 'unexpected protobuf group (wire type 3 or 4)'
invalid 'an invalid wire type' '\002\026\000' 1 'wire type is not valid in protobuf'
invalid 'field number 0' '\002\000\000' 1 'field number is not valid in protobuf'
invalid 'an event without an id' '\005\022\003\032\001b' 3 'event without an id'
invalid 'a time beyond 64 bits' '\022\022\020\022\002\010\002\052\012\010\377\377\377\377\377\377\377\377\177' 9 \
	'time does not fit in 64 bits of nanoseconds'
invalid 'a record without an event' '\000' 1 'record without an event; skipped'

{ cat first.log; printf '\002\023\024'; event '\022\002\010\001\062\003\020\204\007'; } >between.log
check 'records after an invalid one are read' 1 'trace2ndjson between.log' <<E
{"ts":100,"dur":800,"kind":"activity","name":"a","cat":"a","id":1,"args":{"seq":1}}
--- stderr
trace2ndjson: between.log: byte $((size + 1)): unexpected protobuf group (wire type 3 or 4)
E
{ cat tiny.log; event '\022\002\010\001\062\003\020\204\007'; } >twice.log
check 'an event of an ended activity is ignored' 1 'trace2ndjson --no-args -k kernel twice.log' <<E
{"ts":200,"dur":30,"kind":"kernel","name":"x::Executing","cat":"x::Executing","corr":1,"id":3,"parent":2}
--- stderr
trace2ndjson: twice.log: byte $(($(wc -c <tiny.log) + 3)): event of an activity that has already ended; ignored
E

# --- real and synthetic logs, compared with golden tables by programs in tests/oracle

golden() { # golden LOG FOLDER [raw]: with raw, compares each event, on the original clocks
	need_shared "data/plaidml/$1.gz" "golden/plaidml/$2/verbs.csv" || return
	check "$1: the records match golden/$2${3:+ ($3)}" 0 \
		"trace2ndjson ${3:+--raw-clock} $SHARED/data/plaidml/$1.gz |
		plaidml_check.py $SHARED/golden/plaidml/$2 ${3:-}" <<'E'
same
E
}
cuts() { # cuts LOG FOLDER
	need_shared "data/plaidml/$1.gz" "golden/plaidml/$2/raw.ndjson" || return
	mkdir "$1"
	plaidml_cuts.py make "$SHARED/data/plaidml/$1.gz" "$1"
	(cd "$1" && trace2ndjson -F plaidml --capture 'cut=cut-([0-9]+)' cut-* >../cuts.ndjson 2>../cuts.err)
	echo $? >cuts.status
	check "$1 cut at many bytes: all complete records, and the place of the cut" 0 "cat cuts.status
		plaidml_cuts.py check $SHARED/data/plaidml/$1.gz \
		    $SHARED/golden/plaidml/$2/raw.ndjson cuts.err <cuts.ndjson" <<'E'
1
4296 cuts, 0 wrong
E
}
if have python3; then
	for set in small_v1 small_v2; do
		golden $set synth_$set
		golden $set synth_$set raw
		cuts $set synth_$set
	done
	golden medium_v1 synth_medium_v1
	golden medium_v2 synth_medium_v2
	golden edge/small_v1_multi edge_small_v1_multi
	golden edge/small_v1_unclosed edge_small_v1_unclosed
	golden edge/small_v2_unclosed edge_small_v2_unclosed
	golden mnist_mlp_v1 mnist_mlp_v1
fi

if need_shared data/plaidml/edge/small_v1_unkany.gz golden/plaidml/edge_small_v1_unkany/verbs.csv && have python3; then
	cp "$SHARED"/data/plaidml/edge/*.gz .
	check 'metadata of an unknown type are written in hexadecimal' 0 'trace2ndjson small_v1_unkany.gz >unkany.ndjson
		grep NotThere unkany.ndjson | cut -d, -f 1-3,5-
		plaidml_check.py $SHARED/golden/plaidml/edge_small_v1_unkany <unkany.ndjson' <<'E'
{"kind":"other","name":"lab.NotThere","cat":"lab::Unknown","args":{"type_url":"type.googleapis.com/lab.NotThere","value":"0803"}}
same
--- stderr
trace2ndjson: small_v1_unkany.gz: byte 57430: metadata of an unknown type; written in hexadecimal (kind other)
E
	check 'a log with a wrong magic number is rejected' 1 'trace2ndjson small_v1_badmagic.gz' <<'E'
--- stderr
trace2ndjson: small_v1_badmagic.gz: byte 1: not a PlaidML event log: its magic number is not 0x4C747645 ("EvtL")
E
	check 'a log without a magic number is read' 0 \
		'trace2ndjson small_v1_nomagic.gz | wc -l; trace2ndjson -F plaidml small_v1_nomagic.gz | wc -l' <<'E'
213
213
E
	# In small_v1_bigsrc, the first kernel of each of the two programs is large.
	check 'two gzip members and large records are read' 0 'trace2ndjson small_v1_members.gz | wc -l
		trace2ndjson -k kernelinfo small_v1_bigsrc.gz |
		awk "{ n += length > 100000 } END { print NR, n }"' <<'E'
213
6 2
E
	check 'a log that is cut short gives its complete records' 1 '
		trace2ndjson small_v1_trunc.gz >trunc.ndjson; r=$?; wc -l <trunc.ndjson; exit $r' <<'E'
105
--- stderr
trace2ndjson: small_v1_trunc.gz: byte 40353: record is longer than the rest of the log; skipped
trace2ndjson: small_v1_trunc.gz: byte 7770: gzip data is cut short; only the data before the cut was read
E
fi

finish
