#!/bin/sh
# trace-report-verdicts.t: headlines, parts of windows and sentences, for small traces whose right answers are known;
# the shares in the reports of recorded traces.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
only_slow_follow # makes many reports
have python3 || finish

for seed in 1 ${TEST_ALL:+2 3}; do
	check "the verdicts of traces with seed $seed" 0 \
		"verdict_traces.py seed.$seed --seed $seed && verdict_check.py seed.$seed" <<'END'
59 of 59 cases are right
END
done

if need_shared data; then
	# One file of sixteen; all with TEST_ALL=1.
	find "$SHARED/data" -type f -size -2000k ! -name '*.md' ! -name '*.py' ! -name NOTICE ! -path '*/bad/*' | sort |
		awk -v each="$([ "${TEST_ALL-}" ] && echo 1 || echo 16)" 'NR % each == 0' >files
	check 'recorded traces: shares from 0 to 1, parts that sum to the window, no sentence with an empty part' 0 '
		while IFS= read -r file; do
			trace-report -o ndjson "$file" >model 2>said || [ $? -eq 1 ] || cat said
			[ ! -s model ] || report_shares.py model
		done <files' </dev/null
fi

finish
