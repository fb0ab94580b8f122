#!/bin/sh
# conformance.t: valid and invalid JSON texts, both in events that -k selects and in events that it drops.
. "${0%/*}/../lib.sh"
only_slow_follow # hundreds of texts in selected and other events; with sanitizers, a minute or more

if have python3; then
	CHECK_TIMEOUT=600 check 'valid JSON texts are accepted and invalid ones rejected' 0 'json_texts.py' <<'END'
more than 300 texts, all correct
END
fi

finish
