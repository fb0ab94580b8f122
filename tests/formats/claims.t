#!/bin/sh
# claims.t: a number in a small file that claims a huge size takes no memory, and is reported.
. "${0%/*}/../lib.sh"
have python3 || { finish; exit; }
sanitized && { skip 'sanitizers need more memory than the limit of this test'; finish; exit; }

# claim NAME: checks the messages for one file, which is read with at most 60 MB of memory.
claim() {
	huge_claims.py "$1" >file
	check "$1" 1 'ulimit -v 60000; trace2ndjson --max-record 1MiB --no-args -k api,kernel,range file'
}
claim plane <<'E'
--- stderr
trace2ndjson: file: byte 42: cut short inside a plane; its events may have numbers instead of names
E
claim line <<'E'
--- stderr
trace2ndjson: file: byte 19: length points past the end of its message; the rest of the plane, line or file is skipped
E
claim event <<'E'
--- stderr
trace2ndjson: file: byte 37: length points past the end of its message; the rest of the plane, line or file is skipped
E
claim name <<'E'
--- stderr
trace2ndjson: file: byte 21: name of an event or stat is damaged or larger than --max-record; skipped
E
claim packet <<'E'
--- stderr
trace2ndjson: file: byte 51: cut short: the file ends inside a packet
trace2ndjson: file: byte 0: no events
E
claim field <<'E'
--- stderr
trace2ndjson: file: byte 51: packet is damaged; skipped
trace2ndjson: file: byte 0: no events
E
claim inflated <<'E'
--- stderr
trace2ndjson: file: byte 51: content of compressed data is larger than --max-record
trace2ndjson: file: byte 51: content of compressed packets is damaged; the rest of it is skipped
trace2ndjson: file: byte 0: no events
E
if grep -q HAVE_ZSTD "$BUILD/flags"; then
	claim zstd <<'E'
--- stderr
trace2ndjson: file: byte 51: compressed data is damaged
trace2ndjson: file: byte 0: no events
E
fi
if grep -q HAVE_SQLITE "$BUILD/flags"; then
	claim pages <<E
{"ts":1,"dur":1,"kind":"api","name":"$(printf '%75s' '' | sed 's/ /text/g')","cat":"OSRT_API"}
--- stderr
trace2ndjson: file: byte 1536: database cut short: 2199023252992 of 2199023254528 bytes are missing; other rows are read
E
	claim row <<'E'
{"ts":1,"dur":1,"kind":"api","name":"#1","cat":"OSRT_API"}
--- stderr
trace2ndjson: file: OSRT_API:1: damaged table of texts; the text for an id is lost
trace2ndjson: file: OSRT_API:1: name id without a string; name written as "#ID"
E
	claim longest <<'E'
--- stderr
trace2ndjson: file: byte 0: the schema of the database is damaged; its readable tables are read
trace2ndjson: file: byte 0: an SQLite database, but not of nsys or rocprofv3; its tables are missing
E
fi
finish
