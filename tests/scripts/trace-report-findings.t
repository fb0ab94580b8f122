#!/bin/sh
# trace-report-findings.t: the findings for programs: each figure is what its command prints.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
have python3 || finish

# With a kernel whose name is a command.
check 'each figure is what its command prints, also of a trace in a folder' 2 '
	mkdir train; sed "s/ampere_sgemm_32x128_nt/'\''; touch x; '\''/" $DATA/train.pt.trace.json >train/odd.json
	trace-report -o findings train/ >out; findings.py out train; head -n 2 out; ls x' <<'END'
step verdict host comm comm-top copies fp32 below-peak | time by nn.Module, which rank is late
{"kind":"findings","version":1,"file":"odd.json","source":"PyTorch profiler","rank":3,"world":8,"steps":2,"records":71,"lost":0,"step":471187.5}
{"kind":"finding","id":"step","claim":"a step takes 471 µs","value":471187.5,"unit":"ns","per":"step","sure":"measured","evidence":"trace-join {} | gpu-busy --within '^ProfilerStep' | groupby -a mean -f dur","pick":"dur_mean"}
--- stderr
ls: cannot access 'x': No such file or directory
END
check 'a trace without steps in standard input: the commands read the records of trace-join' 0 '
	grep -v ProfilerStep $DATA/train.pt.trace.json | trace2ndjson --quiet >whole; trace-report -o findings <whole >out
	findings.py out whole; ! grep "[{]}" out; grep -c '\''"of":"trace"'\'' out' <<'END'
verdict host fp32 comm comm-top copies below-peak | where the step goes, time by nn.Module, which rank is late
4
END
check 'the number of lost records' 1 '
	{ head -n 9 whole; echo x; echo y; tail -n +10 whole | head -c 4000; } | trace-report -o findings >out
	status=$?; grep lost out; tail -n 1 out; exit $status' <<'END'
{"kind":"findings","version":1,"file":"-","source":"PyTorch profiler","rank":3,"world":8,"records":27,"lost":3,"window":125453}
{"kind":"cannot","question":"lost records","why":"3 records are damaged: figures are lower bounds"}
{"kind":"end","findings":2,"cannot":5,"status":1}
--- stderr
trace-report: stdin:10: not a JSON record; skipped (and 1 more)
trace-report: stdin:30: record cut short; skipped
END
# The device is idle for 8 and 10 of 25 microseconds; the name of the last kernel does not say what it communicates.
cat >no-calls <<'E'
{"ts":0,"dur":1000,"kind":"kernel","name":"gemm","dev":0,"stream":7}
{"ts":9000,"dur":1000,"kind":"kernel","name":"gemm","dev":0,"stream":7}
{"ts":20000,"dur":5000,"kind":"kernel","name":"ncclDevKernel_Generic_1(x)","dev":0,"stream":7}
E
slow check 'without launches, idle time has no cause' 0 '
	trace-report -o findings no-calls >out; findings.py out no-calls
	filter-calls -w kind==finding out | derive --keep id,claim,value' <<'END'
verdict idle brief comm comm-top | where the step goes, why the GPU is idle, which operator
{"id":"verdict","claim":"idle time without a recorded cause is the largest loss: 72 % of the time","value":0.72}
{"id":"idle","claim":"idle time without a recorded cause takes 18 µs","value":18000}
{"id":"brief","claim":"3 of 3 kernels run for less than 10 µs: 7.0 µs","value":7000}
{"id":"comm","claim":"communication runs alone for 5.0 µs","value":5000}
{"id":"comm-top","claim":"ncclDevKernel_Generic_1 is 5.0 µs of 5.0 µs of it","value":5000}
END
check 'a cut file; no records; a full disk' 2 '
	head -c 3000 whole | trace-report -o findings; echo $?
	trace-report -o findings </dev/null; echo $?; trace-report -o findings whole >/dev/full' <<'END'
{"kind":"findings","version":1,"file":"-","source":"PyTorch profiler","rank":3,"world":8,"records":16,"lost":1}
{"kind":"cannot","question":"lost records","why":"1 record is damaged: figures are lower bounds"}
{"kind":"end","findings":0,"cannot":1,"status":1}
1
1
--- stderr
trace-report: stdin:17: record cut short; skipped
trace-report: stdin: byte 0: empty input
trace-report: write error: No space left on device
END
slow check 'traces of other profilers' 0 '
	for f in loop.nsys.json.gz recommender.pt.trace.json.gz tiny.ckp.json mlp.eventlog.gz; do
		trace-report -o findings $DATA/$f >out 2>said; findings.py out $DATA/$f
	done' <<'END'
step verdict host | which operator
verdict fp32 brief pauses | where the step goes, FLOPS, memory, time by nn.Module, which rank is late
 | where the step goes, which operator
 | where the step goes, why the GPU is idle, which operator
END
if need_shared golden/findings/dlrm.ndjson data/kineto; then
	slow check 'the right answers for a recorded trace' 0 "
		trace-report -o findings $SHARED/data/kineto/dlrm_a100_2022_control.json.gz >out
		for f in out $SHARED/golden/findings/dlrm.ndjson; do
			derive --keep id,value,unit,per,atMost,of,sure,question,why,record \$f | ts-sort | sort >sorted.\${f##*/}
		done
		diff sorted.*" </dev/null
fi
finish
