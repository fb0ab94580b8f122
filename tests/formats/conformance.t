#!/bin/sh
# conformance.t: JSON texts, valid and invalid, in events that -k wants and in others.
# slow: hundreds of texts in wanted and unwanted events
. "${0%/*}/../lib.sh"

if have python3; then
	check 'the texts of JSON' 0 'json_texts.py' <<'END'
many texts, all well
END
fi

finish
