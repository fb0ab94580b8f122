#!/bin/sh
# prefix.t: a trace cut at any byte gives the records of its whole events, status 1, and no crash.
# slow: files that arrive byte by byte
. "${0%/*}/../lib.sh"
have python3 || finish


check 'every prefix of a Kineto file' 0 'trace_prefixes.py kineto "$DATA/tiny.pt.trace.json"' <<'E'
7 events
E
check 'every prefix of an nsys file' 0 'trace_prefixes.py nsys "$DATA/tiny.nsys.json"' <<'E'
9 events
E

finish
