#!/bin/sh
# conformance.t: valid and invalid JSON texts, both in events that -k selects and in events that it drops.
. "${0%/*}/../lib.sh"
only_slow_follow # hundreds of texts in selected and other events

# With sanitizers, which make the start of a program slow, each text is tried in one place. Other tests find leaks.
places=
! sanitized || { places=--one-place ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0; }
if have python3; then
	CHECK_TIMEOUT=600 check 'valid JSON texts are accepted and invalid ones rejected' 0 "json_texts.py $places" <<'END'
more than 300 texts, all correct
END
fi

finish
