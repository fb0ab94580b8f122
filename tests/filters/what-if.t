#!/bin/sh
# what-if.t: two jobs of ByteDance with published figures, random jobs against an independent computation, a job written
# by hand, other names and members, and input that is wrong.
. "${0%/*}/../lib.sh"
have python3 || finish

# sh ./figures ARGUMENT...: writes the four outputs of what-if to the files summary, types, workers and steps.
cat >figures <<'E'
for what in summary types workers steps; do
	what-if --write $what "$@" >$what || exit
done
E

# --- known answers

for job in ST AR; do
	need_shared "data/ranks/timeline-$job.json.gz" "golden/ranks/whatif/$job.json" || continue
	trace2ndjson "$SHARED/data/ranks/timeline-$job.json.gz" >$job.ndjson
	check_re "$job: all figures to 6 digits" 0 "sh ./figures $job.ndjson &&
		what_if_golden.py $SHARED/golden/ranks/whatif/$job.json summary types workers steps" <<'E'
[0-9]+ figures, at most [0-9]e-(0[7-9]|1[0-9]) apart
E
done
if [ -f AR.ndjson ]; then
	check 'records in another order' 0 'what-if AR.ndjson >want && sort AR.ndjson | what-if | cmp - want' </dev/null
	i=0
	while [ $((i += 1)) -le 10 ]; do sed "s/\"step\":/&$i/" AR.ndjson; done >long.ndjson
	"$BUILD/bench/measure" result what-if long.ndjson >answer
	check 'ten times as many steps' 0 'grep -o "\"operations\":.*" answer
		for file in answer want; do cut -d , -f 2-4 $file | tr -dc "0-9.\n" | cut -c 1-12; done | uniq | wc -l' <<'E'
"operations":1172160}
1
E
	if sanitized; then
		skip 'memory under a sanitizer'
	else
		check 'at most 80 bytes for each of 1172160 operations' 0 'rss=$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" result)
			[ $((rss * 1024)) -lt $((1172160 * 80 + 4000000)) ] || cat result' </dev/null
	fi
	rm long.ndjson
fi

seed=0
while [ $((seed += 1)) -le "$(amount 5 25)" ]; do
	what_if_job.py $seed >job
	read -r dsp <job
	sed 1d job >records
	check_re "random job $seed" 0 "sh ./figures --dsp $dsp records &&
		what_if.py records $dsp summary types workers steps" <<'E'
[0-9]+ figures
E
done

# --- a job of two stages, with times that can be checked by hand

# op TYPE STAGE SEQ TS DUR: prints an operation of step 1, DP rank 0.
op() {
	printf '{"ts":%d,"dur":%d,"kind":"range","name":"%s","rank":%d,"args":{"step":1,"dp":0,"stage":%d,"seq_id":%d}}\n' \
		"$4" "$5" "$1" "$2" "$2" "$3"
}
# The forward passes of stage 1 take 200, all other computations 100; messages take 10.
# Stage 0: computations 0-100, 100-200; sends 100-110, 310-320.
# Stage 1: receives at the same times; computations 110-310, 320-520.
{
	op forward-compute 0 0 0 100 && op forward-compute 0 1 100 100
	op forward-send 0 0 100 10 && op forward-send 0 1 300 10
	op forward-recv 1 0 100 10 && op forward-recv 1 1 300 10
	op forward-compute 1 0 110 200 && op forward-compute 1 1 320 200
} >pipe
check 'the second message waits for stage 1; ideal: 150, 10, 150, 10 and 150' 0 \
	'what-if pipe; what-if --write types pipe | cut -d , -f 2-6' <<'E'
{"kind":"what-if","slowdown":1.1063829787234043,"time":520,"ideal_time":470,"slowest_part":2,"last_stage_part":2,"slowest":[1],"steps":1,"dps":1,"stages":2,"operations":8}
"name":"forward-compute","slowdown":1.1063829787234043,"time":520,"count":4,"mean_dur":150
"name":"forward-send","with":"forward-recv","slowdown":1,"time":470,"count":2
"name":"forward-recv","with":"forward-send","slowdown":1,"time":470,"count":2
E
check 'ranks and steps' 0 'what-if --write workers pipe; what-if --write steps pipe' <<'E'
{"kind":"what-if","rank":0,"dp":0,"stage":0,"slowdown":0.8936170212765957,"dp_slowdown":1.1063829787234043,"stage_slowdown":0.8936170212765957}
{"kind":"what-if","rank":1,"dp":0,"stage":1,"slowdown":1.1063829787234043,"dp_slowdown":1.1063829787234043,"stage_slowdown":1.2127659574468086}
{"kind":"what-if","step":1,"slowdown":1.1063829787234043,"time":520,"ideal_time":470}
E

# --- timelines and other jobs

trace2ndjson "$DATA/timeline.json" >timeline
own="derive dp=rank%2 step=args.iteration stage=args.stage $DATA/pipeline.ndjson"
for what in summary types workers steps; do
	check "--write $what: other names and members give the same figures" 0 "what-if --write $what timeline >want &&
		$own | what-if --map $DATA/pipeline.tsv --write $what | cmp - want" </dev/null
done
check '--write summary is the default' 0 \
	'what-if --write summary timeline >want && what-if timeline | cmp - want' </dev/null
check '--steps' 0 'for list in 8 7,7-8 1-7; do what-if --steps $list --write steps timeline | cut -d , -f 2; done' <<'E'
"step":8
"step":7
"step":8
"step":7
E
check 'steps that the input lacks' 1 'what-if --write steps --steps 7,9,20-30 timeline' <<'E'
{"kind":"what-if","step":7,"slowdown":1.062701066044282,"time":16847000,"ideal_time":15853000}
--- stderr
what-if: --steps: no operations of step 9
what-if: --steps: no operations of the steps 20 to 30
E
grep -v '"pid":1,' timeline >one
check '--dsp: with one DP rank, the collectives of parameters do nothing unless the parameters are sharded' 0 \
	'what-if one | cut -d , -f 3; what-if --dsp 2 one | cut -d , -f 3
	what-if --dsp 1 --write types one | grep params | cut -d , -f 3; what-if --write types --dsp 2 one | grep params |
	cut -d , -f 4' <<'E'
"time":15586000
"time":16620500
"slowdown":1
"time":15871000
E
printf '# comment\n\n^run (backward|x)\tbackward-compute\r\n^run\tforward-compute\n' >map
check '--map: the first expression that matches; names that are types' 0 '
	for name in "run forward" "run backward" optimizer walk; do
		sed -n "1s/forward-compute/$name/; 1s/,\"seq_id\":0//p" pipe
	done |
	what-if --map map --write types | grep -o "\"name[^,]*\|\"count[^,]*" | paste -s -d " "' <<'E'
"name":"forward-compute" "count":1 "name":"backward-compute" "count":1 "name":"optimizer" "count":1
E
check '--map: lines that are wrong' 2 'printf "x\tforward\n" >bad; what-if --map bad pipe
	printf "\n(\tgc\n" >bad; what-if --map bad pipe
	echo a b >bad; what-if --map bad pipe; what-if --map nowhere pipe' <<'E'
--- stderr
what-if: bad:1: unknown type of operation; what-if --help lists the types
what-if: bad:2: unmatched ( or \(
what-if: bad:1: missing tab between expression and label
what-if: nowhere: cannot open: No such file or directory
E
for list in '' '1,' a 3-2 1-2-3 -1 1.5 99999999999999999999; do
	check "--steps: '$list'" 2 "what-if --steps='$list' pipe" <<E
--- stderr
what-if: --steps: '$list': expected a list of steps, such as 16,21-30
E
done

# --- input that is wrong

check 'a file that cannot be read: one message, although threads have no names' 2 \
	'head -n 1 timeline >top; what-if top nowhere' <<'E'
--- stderr
what-if: nowhere: cannot open: No such file or directory
E

check 'no operations' 1 'what-if $DATA/ranks.ndjson; grep thread_name timeline | what-if' <<'E'
--- stderr
what-if: no operations of a training job
what-if: no operations of a training job
E
check 'threads without names' 2 'grep -v thread_name timeline | what-if
	sed "s/PP rank [0-9]*/rank/" timeline | what-if' <<'E'
--- stderr
what-if: no stage for thread 0 of process 0; it needs a member stage, or a thread_name such as "PP rank 0, TP rank 0, compute"
what-if: no stage for thread 0 of process 0; it needs a member stage, or a thread_name such as "PP rank 0, TP rank 0, compute"
E
check 'a thread with two stages' 1 '
	{ cat timeline; sed -n "/PP rank 0.*compute/s/PP rank 0/PP rank 1/p" timeline; } | what-if >got
	status=$?; cmp got want; exit $status' <<'E'
--- stderr
what-if: stdin:143: second name of a thread, with another stage; ignored (and 1 more)
E
check 'stages that are missing or too large' 2 'sed "s/\"stage\":1/\"stage\":3/" pipe | what-if
	sed "s/\"stage\":1/\"stage\":1024/" pipe | what-if
	sed "s/\"stage\":1/\"stage\":9223372036854775807/" pipe | what-if' <<'E'
--- stderr
what-if: no operations of stage 1, but of stage 3; stages must be 0, 1, 2 ...
what-if: stage 1024: the largest possible stage is 1023
what-if: stage 9223372036854775807: the largest possible stage is 1023
E
check 'two ranks of one worker' 2 '{ cat pipe; sed "s/\"rank\":1/\"rank\":5/" pipe; } | what-if' <<'E'
--- stderr
what-if: DP rank 0, stage 1: operations of the ranks 1 and 5; select one rank for each DP rank and stage
E
check 'DP ranks without some of the stages' 2 \
	'{ cat pipe; for dp in 1 2 3; do sed -n "1s/\"dp\":0/\"dp\":$dp/p" pipe; done; } | what-if' <<'E'
--- stderr
what-if: 4 DP ranks with 2 stages, but operations of fewer workers
E
check 'a step in which one operation is missing is left out' 1 'what-if --steps 8 timeline >want8
	awk "!/forward-send.*\"pid\":1.*\"step\":7/ || n++" timeline | what-if >got
	status=$?; cmp got want8; exit $status' <<'E'
--- stderr
what-if: steps left out because DP ranks have different operations: 1, first step 7
E
check 'a step with other operations than the others is left out' 1 \
	'{ cat timeline; sed -n "/\"step\":7.*\"seq_id\":0/s/step\":7/step\":3/p" timeline; } | what-if >got
	status=$?; cmp got want; exit $status' <<'E'
--- stderr
what-if: steps left out because they have other operations than step 7: 1, first step 3
E
check 'no complete step' 1 'sed "/gather.*\"pid\":1,/d" timeline | what-if' <<'E'
--- stderr
what-if: steps left out because DP ranks have different operations: 2, first step 7
E
check 'operations that are there twice' 0 'what-if pipe >got; cat pipe pipe | what-if | cmp - got' <<'E'
--- stderr
what-if: operations that are in the input twice: 8; one of each is used
E
check 'two operations with one number' 1 '{ cat pipe; sed -n "1s/\"dur\":100/\"dur\":101/p" pipe; } |
	what-if >again; status=$?; cmp again got; exit $status' <<'E'
--- stderr
what-if: operations left out because another one has the same number (seq_id): 1
E
check 'messages without a partner' 2 'grep -v forward-recv pipe | what-if
	sed "/forward-recv.*seq_id\":1/d" pipe | what-if; sed "/forward-send/d" pipe | what-if
	{ cat pipe; sed -n "s/seq_id\":1/seq_id\":2/p" pipe | grep send; } | what-if' <<'E'
--- stderr
what-if: step 1: stage 0 has 2 operations forward-send, but stage 1 has 0 operations forward-recv
what-if: step 1: stage 0 has 2 operations forward-send, but stage 1 has 1 operations forward-recv
what-if: step 1: stage 0 has 0 operations forward-send, but stage 1 has 2 operations forward-recv
what-if: step 1: stage 0 has 3 operations forward-send, but 2 operations forward-compute
E
# Stage 0 runs its backward pass first, which waits for stage 1, which waits for the forward pass of stage 0.
{
	op backward-compute 0 0 0 10 && op forward-compute 0 0 100 10
	op forward-send 0 0 110 10 && op backward-recv 0 0 0 10
	op forward-compute 1 0 0 10 && op backward-compute 1 0 100 10
	op forward-recv 1 0 0 10 && op backward-send 1 0 110 10
} >cycle
check_re 'a cycle' 2 'what-if cycle' <<'E'
--- stderr
what-if: step 1: operations wait for each other in a cycle, such as (for|back)ward-[a-z]* 0 of stage [01] \(the first one is 0\)
E
sed '1s/"ts":0,//; 2s/"dur":100,//; 3s/"rank":0,//; 4s/"step":1,//; 5s/"dp":0,//; 6s/"stage":1/"stage":-1/
	7s/"stage":1,//' pipe >few
check 'operations that lack members' 2 'what-if few' <<'E'
--- stderr
what-if: no operations of stage 0, but of stage 1; stages must be 0, 1, 2 ...
what-if: few:1: operation without ts or dur; skipped (and 1 more)
what-if: few:3: operation without rank or tid; skipped
what-if: few:4: operation without step; skipped
what-if: few:5: operation without the number of its DP rank (dp or pid); skipped
what-if: few:6: operation with a negative stage; skipped
what-if: few:7: operation without stage, or pid and tid; skipped
E
check 'a ts that is not an integer' 2 'sed "1s/\"ts\":0/\"ts\":0.5/" pipe | what-if' <<'E'
--- stderr
what-if: step 1: stage 0 has 2 operations forward-send, but 1 operations forward-compute
what-if: stdin:1: ts is not an integer number of ns; treated as absent
what-if: stdin:1: operation without ts or dur; skipped
E
check 'negative and huge durations and times' 0 'for change in "10,/dur\":-10," "200,/dur\":9223372036854775807,"; do
	sed "s/dur\":$change/" pipe | what-if | cut -d , -f 3; done
	sed "s/ts\":3/ts\":9223372036854775/" pipe | what-if | cut -d , -f 3' <<'E'
"time":500
"time":9200000000000000000
"time":520
E
check 'no ideal time' 1 'sed "s/\"dur\":[0-9]*/\"dur\":0/" pipe | what-if' <<'E'
{"kind":"what-if","time":0,"ideal_time":0,"slowest":[0],"steps":1,"dps":1,"stages":2,"operations":8}
--- stderr
what-if: the ideal time of a step is not positive; there are no slowdowns
E
check 'the largest numbers of steps and DP ranks' 0 'sed "s/\"step\":1/\"step\":-9223372036854775808/
	s/\"dp\":0/\"dp\":9223372036854775807/" pipe >far
	what-if --write workers far | head -n 1 | cut -d , -f 2-4; what-if --write steps far | cut -d , -f 2' <<'E'
"rank":0,"dp":9223372036854775807,"stage":0
"step":-9223372036854775808
E

finish
