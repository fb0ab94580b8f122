#!/bin/sh
# trace-report-against.t: the verdict on two runs: its headline, gate, commands, findings for programs, damaged and
# hostile input.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
have python3 || finish

# steps.py STEP COMPUTE COMM N [FIRST]: a trace of N steps, all times in microseconds; the first one lasts FIRST. In
# each one the device computes, then it communicates, and then it waits for the host. Step n is n microseconds longer.
cat >steps.py <<'E'
import json, sys
step, compute, comm, n, *first = map(int, sys.argv[1:])
lengths = (first or [step]) + [step + i for i in range(1, n)]
at = 0
for i in range(n):
    t = at * 1000
    for r in [{"ts": t, "dur": lengths[i] * 1000, "kind": "range", "name": "ProfilerStep#%d" % i, "pid": 1, "tid": 1},
        {"ts": t + 1, "dur": 5, "kind": "api", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "corr": 2 * i + 1},
        {"ts": t + 9, "dur": compute * 1000, "kind": "kernel", "name": "gemm", "dev": 0, "stream": 7,
         "corr": 2 * i + 1},
        {"ts": t + 99, "dur": 5, "kind": "api", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "corr": 2 * i + 2},
        {"ts": t + 9 + compute * 1000, "dur": comm * 1000, "kind": "kernel", "name": "ncclDevKernel_AllReduce_f32",
         "dev": 0, "stream": 7, "corr": 2 * i + 2}]:
        print(json.dumps(r, separators=(",", ":")))
    at += lengths[i]
E
for run in 'a 10000 6000 1000 7' 'comm 12000 6000 3000 7' 'fast 8000 4000 1000 7' 'noise 10000 6000 1001 7' \
	'few 12000 6000 3000 3' 'lead 9000 6000 1000 7 60000'; do
	set -- $run
	python3 steps.py "$2" "$3" "$4" "$5" ${6-} >"$1"
done
grep -v '"range"' a >whole
grep -v '"range"' comm >whole-comm
sed -n '/"range"/p' a >host
sed 's/"dur":/&9/' host >host-slow

# headline VERDICT BEFORE AFTER [OPTION...]: the headline, if its figures are those of the rows; keeps the report.
cat >headline <<'E'
headline() { trace-report --against "$2" -o ndjson "$3" $4 $5 >report; status=$?; words "$1"; }
words() { headline.py "$1" <report | fold -s -w 80 | sed 's/ *$//'; }
E
check 'a step takes longer; the gate fails; the commands of the report run and print its figures' 1 '
	. ./headline; mkdir folder; cp a folder; headline changed folder comm --fail-above 5%
	report_commands.py report; grep -o "failed: [^\"]*" report; exit $status' <<'END'
A step takes 20 % longer: 2.0 ms more exposed communication.
3
failed: step 10.004 ms -> 12.004 ms, +20.0 %, changed in this pair, limit 5%
END
slow check 'too few steps; the gate cannot tell' 3 '
	. ./headline; headline unknown a few --fail-above 5%; grep -o "cannot tell: step[^\"]*" report; exit $status' <<'END'
A step takes 20 % longer: 2.0 ms more exposed communication, 573 µs less
waiting for the host, 571 µs more other idle time.
cannot tell: step 10.004 ms -> 12.001 ms, +20.0 %, cannot tell, limit 5%
END
slow check 'less time, noise, a long first step, no steps, the same run, no devices' 0 '
	. ./headline
	headline changed a fast; headline noise a noise; headline mixed a lead; headline unknown whole whole-comm
	headline same a a; headline none host host-slow; headline none host a' <<'END'
A step takes 20 % less time: 2.0 ms less computing.
A step takes as long as before, within noise: 10.0 ms and 10.0 ms on average.
A step takes 63 % longer on average, but 10 % less time in the median: a few
steps differ.
From the first to the last work, it takes 21 % longer: 14.0 ms more exposed
communication.
Both traces are the same run.
The largest of 7 differences is ProfilerStep#0: 10.0 ms before, 910.0 ms now.
The largest of 2 differences is gemm: 0 ns before, 42.0 ms now.
END
if need_shared data/kineto data/compare; then
	slow check 'recorded pairs: two devices; with TEST_ALL=1 also two settings of the data loader' 0 ". ./headline
		headline changed $SHARED/data/kineto/h100_qwen.json.gz $SHARED/data/compare/mi300_qwen.json.gz
		grep -o '.name.:.diff.[^}]*' report
		[ '${TEST_ALL-}' ] || { echo 'A step takes 21 % less time: 38.6 ms less waiting for the host.'; exit; }
		headline changed $SHARED/data/kineto/resnet50_2021.json.gz $SHARED/data/compare/workers4.json.gz" <<'END'
A step takes 5 % less time: 2.3 ms less computing, 1.9 ms more waiting for the
host, 1.9 ms less other idle time.
"name":"diff","title":"Difference (µs)","unit":"+us.1"
A step takes 21 % less time: 38.6 ms less waiting for the host.
END
fi
check 'findings for programs, of a folder, and of a name that is a command' 2 '
	mkdir odd; sed "s/gemm/'\''; touch x; '\''/" comm >odd/trace
	trace-report --against a -o findings odd/ >out; findings.py out a odd; head -n 1 out; ls x' <<'END'
step verdict comm changes | 
{"kind":"findings","version":1,"file":"a and trace","records":42,"lost":0}
--- stderr
ls: cannot access 'x': No such file or directory
END
mkdir before after
job_traces.py before 20000 20001
job_traces.py after 20000 50000
slow check 'two jobs' 0 '
	. ./headline; headline noise before/ after/; report_commands.py report; grep -o "before and after" report
	[ ! "${TEST_ALL-}" ] || trace-report --against before -o findings after >out
	[ ! "${TEST_ALL-}" ] || findings.py out before after
	[ "${TEST_ALL-}" ] || echo "step verdict comm compute waits changes | "' <<'END'
A step takes as long as before, within noise: 95.0 ms and 95.0 ms on average.
2
before and after
step verdict comm compute waits changes | 
END
slow check 'findings of a job: the commands read the traces, unless they compare ranks' 0 '
	trace-report -o findings after >out; findings.py out after; grep -c "[{]} | gpu-busy" out' <<'END'
step verdict rank-late comm host waits | 
2
END
slow check 'a damaged trace, a missing one, a trace and a job' 2 '
	head -c 3000 comm >cut; trace-report --against a -o findings cut >out; echo $?
	tail -n 2 out; trace-report --against a comm nothing; echo $?
	trace-report --against a before' <<'END'
1
{"kind":"cannot","question":"lost records","why":"a trace is damaged: figures are lower bounds"}
{"kind":"end","findings":4,"cannot":1,"status":1}
2
--- stderr
trace-report: cut:33: record cut short; skipped
trace-report: nothing: cannot open: No such file or directory
trace-report: one of the runs is a job of several ranks, the other one is not
END
check 'wrong usage' 2 '
	for call in "a -" "- a" "nothing a" "a --graphs a comm"; do trace-report --against $call; echo $?; done
	trace-report --fail-above 5% a' <<'END'
2
2
2
2
--- stderr
trace-report: --against: expected the names of both runs, not standard input; try trace-report -h
trace-report: --against: expected the names of both runs, not standard input; try trace-report -h
trace-report: nothing: cannot open: No such file or directory
trace-report: --against excludes --graphs; try trace-report -h
trace-report: --fail-above needs --against; try trace-report -h
END
finish
