#!/bin/sh
# schemas.t: the JSON Schemas of lib accept what the programs write for all traces of tests/data, and refuse
# lines with mistakes.
. "${0%/*}/lib.sh"
have python3 || finish

traces=$(find "$DATA" -maxdepth 1 -type f ! -name 'generate*' ! -name 'pipeline*' | sort)
some=$(echo "$traces" | tail -n "$(amount 1 3 99)")

check 'event records, also with the members of joins' 0 "
	for f in $(echo $traces); do trace-join \$f 2>said | schema.py events; done" </dev/null
check 'the report and the findings of a trace' 0 '
	trace-report -o ndjson --pictures $DATA/train.pt.trace.json | schema.py report
	trace-report -o findings $DATA/train.pt.trace.json >findings; schema.py findings <findings' </dev/null
slow check 'the reports and the findings of all traces' 0 "
	for f in $(echo $some); do
		trace-report -o ndjson --pictures \$f 2>said | schema.py report
		[ \${f%.ndjson} != \$f ] || trace-report -o findings \$f 2>said | schema.py findings
	done" </dev/null
cat >events <<'E'
{"ts":1.5,"kind":"kernel"}
{"ts":1,"kind":"kernels"}
{"kind":"op","ops":[1]}
E
cat >report <<'E'
{"kind":"report/row"}
{"kind":"report/mark","section":"a","at":1,"dur":1,"heat":2}
E
check 'mistakes are found' 0 '
	schema.py events <events; schema.py report <report
	sed -e "s/,.of.:.step.//" -e "s/.lost.:0/\"lst\":0/" findings | schema.py findings | sed "s/.*|//"
	schema.py events </dev/null' <<'END'
{"ts":1.5,"kind":"kernel"} | .ts: type
{"ts":1,"kind":"kernels"} | .kind: enum
{"kind":"op","ops":[1]} | .ops[0]: type
{"kind":"report/row"} | .: required; .: oneOf
{"kind":"report/mark","section":"a","at":1,"dur":1,"heat":2} | .heat: maximum; .: oneOf
 .: required; .: additionalProperties; .: oneOf
 .: dependentRequired; .: oneOf
 .: dependentRequired; .: oneOf
 .: dependentRequired; .: oneOf
 .: dependentRequired; .: oneOf
no lines
END
finish
