#!/bin/sh
# prefix.t: if a trace is cut at any byte, trace2ndjson writes the records of the complete events and exits 1.
. "${0%/*}/../lib.sh"
only_slow_follow # one run for each byte of a file
have python3 || finish


slow check 'prefixes of a Kineto file give their complete events' 0 \
	'trace_prefixes.py kineto "$DATA/tiny.pt.trace.json"' <<'E'
7 events
E
slow check 'prefixes of an nsys file give their complete events' 0 \
	'trace_prefixes.py nsys "$DATA/tiny.nsys.json"' <<'E'
9 events
E

finish
