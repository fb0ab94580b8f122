#!/bin/sh
# mistakes.t: what users get wrong, and what the program then says. Each line of the table is a command, its status, and
# an extended regular expression for its first message; `-`: it does what the user means, without a message.
. "${0%/*}/lib.sh"

trace2ndjson "$DATA/train.pt.trace.json" >r
cp "$DATA/train.pt.trace.json" t.json
filter-calls -k op,range,api r >cpu
: >empty

mistakes=0
while IFS='	' read -r status command message; do
	mistakes=$((mistakes + 1))
	sh -c "$command" </dev/null >answer 2>said
	got=$?
	line=$(head -n 1 said)
	case $message in
	-) [ ! -s said ] ;;
	*) echo "$line" | grep -Eq -e "$message" ;;
	esac
	fits=$?
	if [ "$got" = "$status" ] && [ $fits = 0 ] && [ "$(wc -l <said)" -le 3 ]; then
		pass "$command"
	else
		{ echo "status $got, expected $status; message, expected $message:"; cat said; } | fail "$command"
	fi
done <<'E'
0	filter-calls -n gemm r	^filter-calls: no record has the name 'gemm'; -n compares whole names, -e searches in them$
0	filter-calls -n '*gemm*' r	-n compares whole names, -e searches in them
0	filter-calls -k kernel cpu	^filter-calls: no record has this kind \(-k\); stats --fields lists the kinds$
0	filter-calls -c -w 'name contains x' r	no record has the field 'name contains x'; .*the operators of conditions are == !=
0	filter-calls -w 'dur>10' r	^filter-calls: -w: 'dur>10' is in ns; other units are us, ms and s, such as 2ms$
0	filter-calls -w 'dur < 10' r	^filter-calls: -w: 'dur < 10' is in ns; other units
0	filter-calls -w 'dur>10' -w nosuch==1 r	^filter-calls: no record has the field 'nosuch'$
0	filter-calls -w 'dur>10' -w name==nosuch r	-
0	filter-calls -w kind==kernel -w 'dur>10' r	^filter-calls: -w: 'dur>10' is in ns
0	filter-calls --from 2 r	^filter-calls: --from: '2' is in ns; .* such as 2ms, and \+2ms is measured from the first ts$
0	filter-calls -w 'dur>10us' r	-
0	groupby empty	^groupby: empty: the file is empty$
0	filter-calls -k http r	^filter-calls: no record has this kind \(-k\); stats --fields lists the kinds$
0	filter-calls -k kernel empty	^filter-calls: empty: the file is empty$
0	filter-calls -w nosuch r	^filter-calls: no record has the field 'nosuch'$
0	groupby -g nmae r	^groupby: no record has the field 'nmae'; did you mean 'name'\?$
0	stats -q 0.99 r	^stats: -q: 0.99 is less than percentile 1; percentiles are from 0 to 100, such as 99$
0	groupby -g 'name, kind' -a 'count, sum' r	-
0	filter-calls -k 'kernel, api' r	-
0	ndjson2table -f 'kind, name' r	-
0	filter-calls -k kernel r | ts-sort | corr-join --sorted | groupby -g range	^corr-join: no calls \(kind api\)
1	plot bar t.json	^plot: t.json: not a record stream; convert the trace first: trace2ndjson t.json | plot$
1	groupby t.json	convert the trace first: trace2ndjson t.json | groupby$
2	groupby -g name dur r	^groupby: 'dur' is not a file; the items of a list are separated by commas, as in -g name,kind$
2	trace2ndjson -F kineto t.json	^trace2ndjson: -F: 'kineto': the name of this format is chrome$
2	trace2ndjson -F krome t.json	did you mean 'chrome'\?$
2	trace2ndjson -k string t.json	^trace2ndjson: -k: 'string': expected kernel, .*meta
1	stragglers r	^stragglers: member kernels that cannot be matched: 2, because: one rank
1	collectives r	^collectives: member kernels that cannot be matched: 2, because: one rank
1	rank-scores r	^rank-scores: all kernels are of one rank; scores compare the ranks of a job$
2	lookup t.json 447	^lookup: ID or TEXT must precede the file; try lookup -h$
2	nsys-report t.json cuda_api_sum	^nsys-report: REPORT must precede the file
2	nsys-report cuda_api_summary r	^nsys-report: REPORT: unknown 'cuda_api_summary'; did you mean 'cuda_api_sum'\?
2	nsys-report -o html cuda_api_sum r	^nsys-report: -o: 'html': expected .*csv
1	range-gpu-time cpu	^range-gpu-time: no range launched device work$
1	iteration-times x cpu	^iteration-times: no kernel was launched by a call that matches 'x' in a range that matches
1	layer-times t.json	^layer-times: no call or kernel belongs to a layer; .*range-gpu-time FILE$
2	filter-calls --kinds kernel r	^filter-calls: unknown option --kinds; did you mean --kind\?$
2	filter-calls -k kernels r	^filter-calls: -k: 'kernels': expected kernel, .*did you mean 'kernel'\?$
2	groupby -x r	^groupby: unknown option -x; try groupby -h$
2	groupby -g	^groupby: option -g needs an argument
2	groupby -o tabel r	did you mean 'table'\?$
2	groupby -u min r	^groupby: -u: 'min': expected ns, us, ms, s
2	filter-calls --from 2x r	^filter-calls: --from: '2x': expected a time, such as 10ms \(units: ns us ms s\)$
2	filter-calls --from 5s --until 2s r	^filter-calls: --until must be later than --from$
2	filter-calls -e '(' r	^filter-calls: -e: '\(': invalid regular expression: unmatched
2	filter-calls --skip 2 r	^filter-calls: --skip needs --marker$
2	filter-calls -m x r	^filter-calls: -m: 'x': expected an integer >= 0$
2	filter-calls -w 'dur>>3' r	^filter-calls: -w: 'dur>>3': invalid condition at byte 5: more than one operator$
2	derive 'x=dur+' r	^derive: 'x=dur\+': invalid assignment at byte 7: expected a field, a number
2	derive 'x=foo(dur)' r	unknown function; the functions are abs capture
2	ts-sort nosuch.json	^ts-sort: nosuch.json: cannot open: No such file or directory$
2	tac r | corr-join --sorted	^corr-join: stdin:[0-9]*: not in ts order; run: ... \| ts-sort \| corr-join --sorted$
2	groupby -a mode r	^groupby: -a: 'mode': expected count, sum, mean
2	groupby -s nosuch r	^groupby: -s: 'nosuch': expected count, dur_sum
2	stats -q 200 r	^stats: -q: '200': expected a number from 0 to 100$
2	ndjson2svg hist -g x r	^ndjson2svg: -g and hist cannot be used together$
2	corr-join --lead 1ms r	^corr-join: --lead needs --sorted$
2	key-join cpu r	^key-join: no key; add -g KEY,..., such as -g name$
2	gpu-busy --per streams r	did you mean 'stream'\?$
2	gpu-busy --gaps r	^gpu-busy: --gaps is not an option any more; run: gpu-gaps$
2	call-tree --as x r	^call-tree: unknown option --as
2	nvtx-attach -r kernal r	did you mean 'kernel'\?$
2	trace-report nosuch	^trace-report: nosuch: cannot open: No such file or directory$
2	device-summary --per streams r	^device-summary: --per: 'streams': expected all, dev or stream; try device-summary -h$
2	device-summary --top 3 r	^device-summary: unknown option --top; try device-summary -h$
2	trace-diff r	^trace-diff: expected two traces; try trace-diff -h$
2	trace-steps --count 0 r	^trace-steps: --count: '0': expected an integer >= 1; try trace-steps -h$
2	kernels-in r	^kernels-in: expected a window: --of, --from or --until; try kernels-in -h$
1	device-summary cpu	^device-summary: no device records$
1	idle-causes cpu	^idle-causes: no idle time between device records$
1	qps empty	^qps: empty: byte 0: empty input$
1	flame empty	^flame: empty: byte 0: empty input$
1	onednn-summary r	^onednn-summary: no verbose lines found; run the program with ONEDNN_VERBOSE=2 exported$
1	torch-top r	^torch-top: no rows$
2	plot share -T --top 0 r	^plot: -t: '0': expected an integer >= 1$
2	plot bar --to x.gif r	^plot: --to: 'x.gif': expected a name that ends in .svg, .png or .pdf; try plot -h$
0	groupby -g name r | derive mem=count | plot bar -T -f mem -u MiB	^plot: -u MiB: no value is a size; name the sizes, such as --size mem$
0	groupby -g name r | derive mem=count | plot bar -T -f mem -u MiB --size mem	-
1	groupby -g name r | plot bar -T -f nosuch	^plot: no record has a number in nosuch; stats --fields lists the fields$
2	plot heap r	^plot: KIND: 'heap': expected bar, stacked, .* or roofline; try plot -h$
2	kernel-types -o html r	^kernel-types: -o: 'html': expected ndjson, csv
1	lookup nosuchtext r	^lookup: no record has the text 'nosuchtext'$
2	frontier r	^frontier: -e is missing: give the name of each stage; try frontier -h$
2	trace-join -k kernl r	did you mean 'kernel'\?$
2	range-gpu-time --scope host r	^range-gpu-time: --scope: 'host': expected thread, process or any; try range-gpu-time -h$
1	queue-lengths cpu	^queue-lengths: no device records with a known call$
1	memory-bandwidth cpu	^memory-bandwidth: no copies or memsets with a size$
1	gemm-sizes r	^gemm-sizes: no kernel matches '\^Xgemm'$
1	opencl-kernels r	^opencl-kernels: no OpenCL kernels with queue times$
1	printf 'x\n' | trace2ndjson	^trace2ndjson: stdin: byte 0: unknown format; select one with -F FORMAT
E
check 'at least 60 mistakes are in the table' 0 "[ $mistakes -ge 60 ]" </dev/null
finish
