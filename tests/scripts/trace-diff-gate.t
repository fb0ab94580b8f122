#!/bin/sh
# trace-diff-gate.t: the gate of trace-diff: its figures, verdicts, refusals and statuses.
. "${0%/*}/../lib.sh"

# steps NAME MORE N: a trace of N steps, whose kernels are MORE ns longer, with one launch each.
cat >steps.py <<'E'
import json, sys
more, steps = int(sys.argv[1]), int(sys.argv[2])
for n in range(steps):
    t = n * 10000
    for r in [{"ts": t, "dur": 5000 + more + 7 * n, "kind": "range", "name": "ProfilerStep#%d" % n, "pid": 1, "tid": 1},
        {"ts": t + 10, "dur": 5, "kind": "api", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "corr": n + 1},
        {"ts": t + 100, "dur": 1000 + more + 3 * n, "kind": "kernel", "name": "gemm", "dev": 0, "stream": 7, "corr": n + 1}]:
        print(json.dumps(r, separators=(",", ":")))
E
for run in 'a 0 7' 'b 500 7' 'noise 1 7' 'few 500 3'; do
	set -- $run
	python3 steps.py "$2" "$3" >"$1"
done
sed 's/"gemm"/"conv"/' b >other
sed 's/"dev":0/"dev":1/' b | cat b - >devices
sed 's/"ts":100,"dur":1000/"ts":100,"dur":-1/' a >unfit
gate='trace-diff --quiet --fail-above'

check 'a slower step fails: 1' 1 "$gate 5% a b" <<'END'
name   count_a  count_b  total_a (us)  total_b (us)  diff (us)  mean_a (us)  mean_b (us)  change
gemm         7        7         7.063        10.563        3.5        1.009        1.509  50 % slower a call
(all)        7        7         7.063        10.563        3.5        1.009        1.509  50 % slower a call
failed: step 0.005 ms -> 0.006 ms, +10.0 %, changed in this pair, limit 5%
END
slow check 'a change below the limit, a faster step and the same run pass: 0' 0 "
	for runs in 'a noise' 'a a'; do $gate 0% -o github \$runs; done; $gate 0% --on kernel -o github b a
	$gate 50% --on kernel -o github a b" <<'END'
::notice title=trace-diff::passed: step 0.005 ms -> 0.005 ms, +0.0 %25, within noise, limit 0%25
::notice title=trace-diff::passed: step 0.005 ms -> 0.005 ms, 0.0 %25, same, limit 0%25
::notice title=trace-diff::passed: kernel 0.002 ms -> 0.001 ms, -33.1 %25, changed, limit 0%25
::notice title=trace-diff::passed: kernel 0.001 ms -> 0.002 ms, +49.5 %25, changed, limit 50%25
END
slow check 'too few steps: 0 with --unknown pass' 0 "$gate 5% --unknown pass -o github a few" <<'END'
::notice title=trace-diff::passed: step 0.005 ms -> 0.006 ms, +9.6 %25, cannot tell, limit 5%25
END
slow check 'the figures: busy time, exposed communication' 0 "
	for on in busy exposed; do $gate 5% --on \$on -o github a b; done" <<'END'
::error title=trace-diff::failed: busy 0.001 ms -> 0.002 ms, +49.5 %25, changed, limit 5%25
::notice title=trace-diff::passed: exposed 0.000 ms -> 0.000 ms, 0.0 %25, within noise, limit 5%25
END
check 'a record for programs, the figure of an item' 1 "
	$gate 5% --on gemm -o ndjson a b | head -n 1; exit \"\${PIPESTATUS-1}\"" <<'END'
{"kind":"verdict","p":0.0021645021645021645,"verdict":"changed","change":49.48045522018803,"a":1010.5,"b":1510.5,"status":1,"figure":"gemm","reasons":["verdicts leave out the first step of 2 runs; --all-steps uses it","failed: gemm 0.001 ms -> 0.002 ms, +49.5 %, changed, limit 5%"]}
END
check 'without an answer, only the record of the verdict, with its reasons' 3 "
	cp unfit 'a\"b'; $gate 5% -o ndjson 'a\"b' a" <<'END'
{"kind":"verdict","verdict":"cannot tell","status":3,"figure":"step","reasons":["a\"b: unfit: 1 of 7 device records have a negative duration"]}
--- stderr
trace-diff: a"b: unfit: 1 of 7 device records have a negative duration
END
check 'csv has only rows' 1 "$gate 5% -o csv a b" <<'END'
name,count_a,count_b,total_a,total_b,diff,by_calls,by_time,new,gone,mean_a,mean_b,steps_a,steps_b,median_a,median_b,p,verdict,pairing,paired_with,change
gemm,7,7,7063,10563,3500,0,3500,0,0,1009,1509,7,7,1010.5,1510.5,0.0021645021645021645,changed,,,50 % slower a call
--- stderr
trace-diff: failed: step 0.005 ms -> 0.006 ms, +10.0 %, changed in this pair, limit 5%
END
slow check 'repeated runs decide' 0 "$gate 1% --on kernel --repeat-b a -o github a b; echo \$?" <<'END'
::notice title=trace-diff::passed: kernel 0.001 ms -> 0.001 ms, +24.7 %25, within noise, limit 1%25
0
END
slow check 'refuses runs that are not comparable: 3' 3 "
	$gate 5% --on step a devices; echo \$?; $gate 5% -o github a other" <<'END'
3
::warning title=trace-diff::B has only 0.0 %25 of A's time under the same keys; operators (-g op) are comparable more often
::warning title=trace-diff::not comparable; --force compares the runs
--- stderr
trace-diff: devices: 1 in A, 2 in B
trace-diff: not comparable; --force compares the runs
trace-diff: B has only 0.0 % of A's time under the same keys; operators (-g op) are comparable more often
trace-diff: not comparable; --force compares the runs
END
slow check 'notes in the log of a workflow; notes without the gate' 1 "
	trace-diff --fail-above 5% -o github a few; trace-diff --fail-above 5% --on kernel -o github a b 2>said; cat said
	trace-diff -t 1 a few >out; exit 1" <<'END'
::notice title=trace-diff::steps: 7 in A, 3 in B
::notice title=trace-diff::verdicts leave out the first step of 1 run; --all-steps uses it
::warning title=trace-diff::cannot tell: step 0.005 ms -> 0.006 ms, +9.6 %25, cannot tell, limit 5%25
::notice title=trace-diff::verdicts leave out the first step of 2 runs; --all-steps uses it
::error title=trace-diff::failed: kernel 0.001 ms -> 0.002 ms, +49.5 %25, changed, limit 5%25
trace-diff: verdicts leave out the first step of 2 runs; --all-steps uses it
--- stderr
trace-diff: steps: 7 in A, 3 in B
trace-diff: verdicts leave out the first step of 1 run; --all-steps uses it
trace-diff: steps: 7 in A, 3 in B
trace-diff: verdicts leave out the first step of 1 run; --all-steps uses it
END
slow check '--force compares them' 1 "$gate 5% --force -o github a other" <<'END'
::error title=trace-diff::failed: step 0.005 ms -> 0.006 ms, +10.0 %25, changed in this pair, limit 5%25
END
slow check 'lost records: 3, unless --lenient' 3 "
	head -c 1500 a >cut; $gate 5% --lenient --on kernel -o github cut cut; $gate 5% --on kernel -o github cut a" <<'END'
::notice title=trace-diff::passed: kernel 0.001 ms -> 0.001 ms, 0.0 %25, same, limit 5%25
::warning title=trace-diff::records were lost; --lenient uses the others
--- stderr
trace-diff: cut:19: record cut short; skipped
trace-diff: cut:19: record cut short; skipped
trace-diff: cut:19: record cut short; skipped
trace-diff: records were lost; --lenient uses the others
END
check 'wrong usage, missing files and full disks: 2' 2 "
	$gate 5 a b; $gate 5% --runs a b; $gate 5% a nosuch; trace-diff --on kernel a b; trace-diff -o github a b
	$gate 5% a b >/dev/full" <<'END'
--- stderr
trace-diff: --fail-above: '5': expected a percentage, such as 5%; try trace-diff -h
trace-diff: --fail-above excludes --runs and --whole; try trace-diff -h
trace-diff: nosuch: cannot open: No such file or directory
trace-diff: --on needs --fail-above; try trace-diff -h
trace-diff: -o github needs --fail-above; try trace-diff -h
trace-diff: write error: No space left on device
END
check 'texts of GitHub commands' 3 "cp a 'x,y:z%'; $gate 5% --on '%:,' -o github 'x,y:z%' b" <<'END'
::warning title=trace-diff::x,y:z%25: no record for --on %25:,
--- stderr
trace-diff: x,y:z%: no record for --on %:,
END

if need_shared golden/compare data/compare data/kineto/h100_qwen.json.gz; then
	slow check 'operators on devices of two vendors' 0 "
		trace-diff --quiet -g op -o csv $SHARED/data/kineto/h100_qwen.json.gz $SHARED/data/compare/mi300_qwen.json.gz |
			cut -d , -f 1-6 | sort >got
		sed 's/records_/count_/g; s/time_/total_/g' $SHARED/golden/compare/qwen_ops.csv | cut -d , -f 1,4- | sort |
			diff - got" </dev/null
fi

finish
