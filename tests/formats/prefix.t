#!/bin/sh
# prefix.t: if a trace is cut at any byte, trace2ndjson writes the records of the complete events and exits 1.
# slow: one run for each byte of a file
. "${0%/*}/../lib.sh"
have python3 || finish


check 'every prefix of a Kineto file gives its complete events' 0 \
	'trace_prefixes.py kineto "$DATA/tiny.pt.trace.json"' <<'E'
7 events
E
check 'every prefix of an nsys file gives its complete events' 0 \
	'trace_prefixes.py nsys "$DATA/tiny.nsys.json"' <<'E'
9 events
E

finish
