#!/bin/sh
# trace-check.t: the checks of trace-check, its conditions, statuses and formats.
. "${0%/*}/../lib.sh"

# One launch, its kernel and its step, for each step; the records of each check are added to it.
cat >steps.py <<'E'
import json, sys
steps, lost, long = (int(a) for a in sys.argv[1:])
for n in range(steps):
    t = n * 10000 + 40000 * (n > 0) * long
    for r in [{"ts": t, "dur": 5000 + 40000 * (n == 0) * long, "kind": "range", "name": "ProfilerStep#%d" % n, "pid": 1, "tid": 1},
        {"ts": t + 10, "dur": 5, "kind": "api", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "corr": n + 1},
        {"ts": t + 100, "dur": 1000, "kind": "kernel", "name": "gemm", "dev": 0, "stream": 7, "corr": n + 1}]:
        if n != 2 or r["kind"] != "kernel" or not lost:
            print(json.dumps(r, separators=(",", ":")))
E
python3 steps.py 7 0 0 >fit
python3 steps.py 7 1 1 >lost
cat - fit >bad <<'E'
{"ts":0,"dur":4,"kind":"kernel","name":"zero","dev":0,"stream":7}
{"ts":15,"dur":-4,"kind":"kernel","name":"negative","dev":0,"stream":7}
{"ts":20,"dur":5,"kind":"kernel","name":"early","dev":0,"stream":8,"corr":50}
{"ts":22,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":50,"args":{"External id":3}}
{"ts":20,"dur":5,"kind":"kernel","name":"v1","dev":0,"stream":8,"args":{"External id":3}}
{"ts":12,"dur":5,"kind":"sync","name":"Stream Wait Event","dev":0,"args":{"cuda_sync_kind":"Stream Wait Event"}}
{"ts":200,"dur":5,"kind":"sync","name":"s","dev":0,"stream":7,"args":{"cuda_sync_kind":"Stream Sync"}}
{"ts":12,"kind":"sync","name":"s","dev":0,"args":{"cuda_sync_kind":"Stream Wait Event","wait_on_cuda_event_record_corr_id":9}}
{"ts":12,"kind":"sync","name":"s","dev":0,"args":{"cuda_sync_kind":"Stream Wait Event","wait_on_cuda_event_record_corr_id":8}}
{"ts":14,"dur":1,"kind":"api","name":"cudaEventRecord","pid":1,"tid":1,"corr":8}
{"ts":13,"dur":1,"kind":"op","name":"record_param_comms","pid":1,"tid":1,"args":{"dtype":"Float"}}
{"ts":11,"dur":1,"kind":"op","name":"autograd::engine::evaluate_function: A","pid":1,"tid":1,"args":{"Sequence number":5}}
{"ts":12,"dur":1,"kind":"op","name":"autograd::engine::evaluate_function: B","pid":1,"tid":1,"args":{"Sequence number":5}}
{"kind":"meta","name":"INFO","args":{"value":["Record counts: Out-of-range = 4, GPU stopped early? = 1"]}}
{"ts":1,"kind":"other","name":"buffer full","cat":"DIAGNOSTIC_EVENT","args":{"severity":2}}
{"ts":2,"dur":5,"kind":"gpu_range","name":"ProfilerStep#3","dev":0,"stream":7}
E

check 'a trace that is fit: 0' 0 'trace-check fit' <<'E'
fit
E
check 'lost kernels, a step without work, a long first step: 1' 1 'trace-check <lost' <<'E'
unfit
unfit   launch_without_kernel: 1 of 7 launches have no kernel: records were lost
        Record fewer steps, or with a larger buffer; the last launches can be complete if the program waits for the device before the profiler stops.
note    empty_steps: 1 of 7 steps have no device records, while others have some
        Leave them out of means of steps.
note    thin_steps: 1 of 7 steps have less than 80 % of the usual number of device records: lost records, or another kind of step
        Leave them out of means of steps.
note    long_lead: 1 of 7 steps at the start take more than twice the median
        Leave them out (trace-steps --skip); warm up before the profiler starts.
E
check 'every other finding' 0 "trace-check bad | grep -v '^ '" <<'E'
unfit
unfit   zero_ts: 1 of 11 device records begin at 0
unfit   negative_dur: 1 of 11 device records have a negative duration
unfit   before_launch: 1 of 8 device records begin before their launch: the clocks of host and device differ
unfit   v1: in 1 of 1 operators the first kernel begins before the first launch
note    no_launch: 3 of 11 device records have no launch in the trace: launched before the window, or by a graph
note    start_loss: no annotation on the device for the first 3 of 7 steps: records from before the window may be lost
note    out_of_range: the profiler dropped 4 records outside the window, and stopped early
note    warnings: warnings of the profiler: 1; the first: buffer full
note    v2: 1 of 3 waits for events do not name the event
note    v3: a kernel runs when 1 of 1 synchronizations of its stream begin
note    v4: 2 of 2 waits name an event that is not recorded before them
note    v5: 1 of 1 communications lack sizes or the group: the trace is older than December 2023
note    v6: 1 of 1 sequence numbers belong to several backward operators
E
check 'conditions that hold, one that fails, one that is unknown; a record for programs' 3 "
	trace-check -o ndjson -w 'busy_share < 0.2' -w 'steps == 7' -w 'devices > 1' fit; echo \$?
	trace-check -w '!thin_steps' -w step_deviation==0 -e nothing -o github fit" <<'E'
{"kind":"trace-check","records":21,"lost":0,"ranks":0,"devices":1,"device_records":7,"zero_ts":0,"negative_dur":0,"no_launch":0,"launches":7,"launch_without_kernel":0,"before_launch":0,"v1_checked":0,"v1_causality":0,"v2_checked":0,"v2_wait_id_missing":0,"v3_checked":0,"v3_sync_overlap":0,"v4_checked":0,"v4_no_record":0,"v4_future":0,"v5_checked":0,"v5_incomplete":0,"v6_checked":0,"v6_shared":0,"steps":7,"device_in_no_step":0,"empty_steps":0,"thin_steps":0,"long_lead":0,"start_loss":0,"out_of_range":0,"stopped_early":0,"warnings":0,"median_step":5000,"step_deviation":0,"window":65000,"busy_share":0.1076923076923077,"compute_share":0.1076923076923077,"exposed_share":0,"copies_share":0,"host_wait_share":0.8323076923076923,"fit":"fit","status":1}
{"kind":"trace-check/condition","id":"busy_share","effect":"held","text":"busy_share is 0.1077","advice":"condition: busy_share < 0.2"}
{"kind":"trace-check/condition","id":"steps","effect":"held","text":"steps is 7","advice":"condition: steps == 7"}
{"kind":"trace-check/condition","id":"devices","effect":"failed","text":"devices is 1","advice":"condition: devices > 1"}
1
::notice title=trace-check thin_steps::the trace does not have thin_steps. condition: !thin_steps
::warning title=trace-check step_deviation::the trace does not have step_deviation. condition: step_deviation==0
--- stderr
trace-check: no steps: no range matches nothing
E
check 'a condition on a trace that is unfit: 3; a cut file is unfit' 3 "
	head -c 1500 fit | trace-check -e nothing | grep -v '^ '; trace-check -w 'steps == 7' lost >out; status=\$?
	tail -n 2 out; exit \$status" <<'E'
unfit
unfit   lost: records were lost: sums are too small
held    steps: steps is 7
        condition: steps == 7
--- stderr
trace-check: stdin:19: record cut short; skipped
trace-check: no steps: no range matches nothing
E
check 'a cut file is not advised to record device work' 1 '
	{ grep range fit; grep kernel fit | tail -n 1 | head -c 60; } | trace-check | grep -v "^ "
	grep range fit | trace-check | grep -v "^ "
	exit 1' <<'E'
unfit
unfit   lost: records were lost: sums are too small
fit with notes
note    no_device: no device records: only the host is known
--- stderr
trace-check: stdin:8: record cut short; skipped
E
check 'times have a unit' 1 "trace-check -w 'median_step < 1us' fit" <<'E'
fit; 0 of 1 conditions hold
failed  median_step: median_step is 5000 ns
        condition: median_step < 1us
E
check 'wrong usage, missing files, full disks: 2' 2 "trace-check -w 'nosuch > 1' fit; trace-check -w '>> 1' fit
	trace-check -o csv fit; trace-check nosuch; trace-check -o ndjson fit >/dev/full" <<'E'
--- stderr
trace-check: -w: 'nosuch > 1': expected a condition on a figure of the record; try trace-check -h
trace-check: -w: '>> 1': invalid condition at byte 1: no field before the operator
trace-check: -o: 'csv': expected text, ndjson or github; try trace-check -h
trace-check: nosuch: cannot open: No such file or directory
trace-check: write error: No space left on device
E

# The right answers are from an independent program.
if need_shared golden/compare/health.csv gen/gen_pair.py data/kineto; then
	for seed in '1' '4 --steps 9 --long-lead --lose 30'; do
		# shellcheck disable=SC2086 # options
		python3 "$SHARED/gen/gen_pair.py" "pair_seed${seed%% *}" --seed $seed
	done
	slow check 'health of recorded traces' 0 "health.py '$SHARED/golden/compare/health.csv' $(amount 4 99) ." </dev/null
fi
finish
