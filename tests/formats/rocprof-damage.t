#!/bin/sh
# rocprof-damage.t: cut and damaged files of rocprofv3 give all whole records, and the damage is reported.
. "${0%/*}/../lib.sh"
only_slow_follow # one run for each byte of a file
have python3 || finish

rocprof_trace.py >run.json
slow check 'prefixes of a JSON file' 0 'rocprof_damage.py prefixes run.json' <<'E'
all prefixes are right
E
slow check 'JSON files with a flipped bit' 0 'rocprof_damage.py flips run.json' <<'E'
all flips are right
E
cat >trace.csv <<'E'
"Domain","Function","Process_Id","Thread_Id","Correlation_Id","Start_Timestamp","End_Timestamp"
"HIP_RUNTIME_API","hipMalloc",15,15,1,1055015439953054,1055015439976484
"MARKER_CORE_API","step "0", lr=0.1",15,15,2,1055015439992584,1055015440011104
"MARKER_CORE_API","two
lines",15,15,3,1055015440011200,1055015440011300
"HIP_RUNTIME_API","hipFree",15,15,4,1055015440011400,1055015440011500
E
slow check 'prefixes of a CSV file' 0 'rocprof_damage.py prefixes trace.csv' <<'E'
all prefixes are right
E
slow check 'CSV files with a flipped bit' 0 'rocprof_damage.py flips trace.csv' <<'E'
all flips are right
E
finish
