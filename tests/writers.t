#!/bin/sh
# writers.t: programs that write another format write valid text, whatever is in the records: JSON, CSV, TSV, Markdown,
# SVG, folded stacks, and pages. browser.t opens such pages.
. "${0%/*}/lib.sh"
have python3 || finish

slow check 'records of all odd types, and 1000 damaged ones, in all formats' 0 'valid_outputs.py 1 1000' <<'E'
2578 records, 66 outputs, 0 faults
E
check 'odd names in tables and pictures' 0 'valid_outputs.py 2 0 "ndjson2table -o md" "svg bar" "ndjson2trace"' <<'E'
1578 records, 6 outputs, 0 faults
E

finish
