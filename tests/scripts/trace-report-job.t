#!/bin/sh
# trace-report-job.t: tests the report of a job: its figures, its sentences, missing and damaged traces.
. "${0%/*}/../lib.sh"

# Records of eight ranks in one file are a job, too.
check 'records of several ranks' 0 'trace-report "$DATA/ranks.ndjson" | sed -n 1,4p' <<'END'
ranks.ndjson                                                        8 of 8 ranks
whole recordings, 4.9 ms, 37 collectives

Rank 5 costs most: at most 0.72 of 4.91 ms (15 %).
END

# Only these are left of the arguments of kernels, ranges and calls when a trace is reduced.
check 'all arguments that coll-join reads are kept' 0 '
	names=$(sed -n "/define MEMBER_ARGS/,/^$/s/.*X([A-Z_]*, \"\([^\"]*\)\").*/\1/p" \
		"$ROOT/filters/coll-join/member_reader.c")
	kept=$(bash -c ". \"$ROOT/scripts/trace/trace-report.d/reduce.sh\"; echo \"\$arguments\"")
	[ "$(echo "$names" | paste -sd, -)" = "$kept" ] && [ ${#kept} -gt 100 ]' </dev/null

have python3 && have parallel || finish
mkdir run
job_traces.py run 20000 20100 50000
check 'the rank that computes longest' 0 'trace-report run | sed -n 1,7p' <<'END'
run                                                                 3 of 3 ranks
2 steps (1 to 2), 95.0 ms a step, 2 collectives

Rank 2 costs most: at most 29.90 of 95.00 ms a step (31 %).
It computes for 50.00 ms a step, the other ranks for 20.05 in every step. The
other ranks wait for it.

END
# The kernels of the first step end 70 ms after its start, those of the second 170 ms.
check 'the host runs ahead: steps on the GPU' 0 '
	mkdir ahead && job_traces.py --ahead ahead 20000 20100 50000
	trace-report ahead | sed -n "2,4p; /^Kernels/,+1p"' <<'END'
2 steps (1 to 2), 85.0 ms a step, 2 collectives

Rank 2 costs most: at most 29.90 of 85.00 ms a step (35 %).
Kernels start 59.5 ms (mean) after their launch: a step begins on a GPU when the
work of earlier steps has ended.
END
check 'collectives of the host' 0 '
	mkdir host && for rank in 0 1; do
		printf "%s\n" "{\"ts\":0,\"dur\":900,\"kind\":\"range\",\"name\":\"gloo:all_reduce\",\"rank\":$rank}" \
			"{\"ts\":5,\"dur\":9,\"kind\":\"kernel\",\"name\":\"gemm\",\"rank\":$rank}" \
			"{\"ts\":90,\"dur\":9,\"kind\":\"memcpy\",\"name\":\"copy\",\"rank\":$rank}" >host/$rank.ndjson
	done; trace-report host | grep -A 1 -e communicate -e "What to do"' <<'END'
What to do first                                          at most; gains overlap
1 run fewer and longer kernels: pauses between them                      76 ns
--
The ranks communicate on the host: 2 calls of Gloo, 900 ns a rank, which are not
compared.
END
check 'only hosts work' 1 '
	mkdir cpu && for rank in 0 1; do
		printf "%s\n" "{\"kind\":\"meta\",\"name\":\"distributedInfo\",\"rank\":$rank}" \
			"{\"ts\":0,\"dur\":900,\"kind\":\"range\",\"name\":\"ProfilerStep#1\",\"rank\":$rank}" \
			"{\"ts\":1,\"dur\":900,\"kind\":\"range\",\"name\":\"gloo:all_reduce\",\"rank\":$rank}" >cpu/$rank.ndjson
	done; trace-report cpu' <<'END'
--- stderr
trace-report: cpu/0.ndjson: no device work (kernel, memcpy, memset)
trace-report: cpu/1.ndjson: no device work (kernel, memcpy, memset)
trace-report: no device work of the ranks to compare; collectives of the host (Gloo) are not compared
END
cp run/rank2.json twice.json
check 'two traces of one rank' 2 'trace-report run/rank0.json run/rank2.json twice.json' <<'END'
--- stderr
trace-report: twice.json: rank 2 is also in run/rank2.json; set the rank with --capture
END
# Prints the links of a page to files, and whether there are these pages.
cat >links.py <<'END'
import os, re, sys, urllib.parse
for link in re.findall('<a href="([^#"]*)"', open(sys.argv[1]).read()):
    name = urllib.parse.unquote(urllib.parse.urlsplit(link).path)
    whole = os.path.join(os.path.dirname(sys.argv[1]), name)
    print(link, "is a page" if os.path.isfile(whole) and "</html>" in open(whole).read() else "is missing")
END
mkdir slow_step && job_traces.py slow_step 20000,20000,20000,20000 20100,20100,90000,20100 29000,29000,29000,29000
export page="$PWD/javascript:a\"b'<#?% é.html"
slow check 'pages of the ranks that are named' 0 '
	trace-report -o html --to "$page" --rank-pages slow_step && python3 links.py "$page"
	sed -n "/id=.rank-pages/,/<.section>/s/.*<.td><td class=.left.>\([^<]*\).*/\1/p" "$page"
	grep -o "step [0-9]: late by .*" "$page" | sort -r | head -n 1; ls -- *.html' <<'END'
javascript%3Aa%22b%27%3C%23%3F%25%20%C3%A9-rank1.html is a page
javascript%3Aa%22b%27%3C%23%3F%25%20%C3%A9-rank2.html is a page
rank 1 costs most, late in step 3
odd
step 4: late by 8.90 ms
javascript:a"b'<#?% é-rank1.html
javascript:a"b'<#?% é-rank2.html
javascript:a"b'<#?% é.html
END
slow check 'a page that cannot be made: the others, and status 1' 1 '
	cp -r slow_step some_pages && trace-report --dir reduced some_pages >first && echo gone >some_pages/rank2.json &&
		trace-report --dir reduced --resume -o html --to all.html --rank-pages some_pages; status=$?
	python3 links.py all.html; ls all* -d reduced/p*
	grep -o "odd, no report\|1 rank has no report" all.html; exit $status' <<'END'
all-rank1.html is a page
all-rank1.html
all.html
reduced/parallel
reduced/parts
reduced/pending
1 rank has no report
odd, no report
--- stderr
trace-report: some_pages/rank2.json: no result: byte 0: unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)
END
slow check 'a damaged trace has a page; one message' 1 '
	mkdir cut && cp run/rank[01].json cut
	head -c 1500 run/rank1.json >cut/rank1.json
	trace-report -o html --to cut.html --rank-pages cut
	status=$?; python3 links.py cut.html; exit $status' <<'END'
cut-rank1.html is a page
--- stderr
trace-report: cut/rank1.json: byte 1425: file is cut short: the last event is incomplete
END
slow check 'no rank is named: no pages of ranks' 0 '
	mkdir equal && job_traces.py equal 20000 20000
	trace-report -o html --to equal.html --rank-pages equal && ls equal*' <<'END'
equal.html

equal:
rank0.json
rank1.json
--- stderr
trace-report: no rank stands out: no pages of ranks
END
while IFS='|' read -r options text; do
	check "--rank-pages $options" 2 "trace-report --rank-pages $options" <<END
--- stderr
trace-report: $text; try trace-report -h
END
done <<END
--to page.html run|--rank-pages needs -o html and --to FILE, beside which the pages are written
-o html run|--rank-pages needs -o html and --to FILE, beside which the pages are written
-o html --to run run|--rank-pages needs -o html and --to FILE, beside which the pages are written
-o html --to /dev/null run|--rank-pages needs -o html and --to FILE, beside which the pages are written
-o html --to page.html --against run run|--against excludes --rank-pages
END
check '--rank-pages of one rank' 2 'trace-report --rank-pages -o html --to page.html run/rank0.json' <<'END'
--- stderr
trace-report: --rank-pages: expected the traces of several ranks
END
slow check '--rank-pages of one file with many ranks' 2 '
	trace-report --rank-pages -o html --to page.html "$DATA/ranks.ndjson"' <<'END'
--- stderr
trace-report: --rank-pages: expected a trace of each rank, not one of several ranks
END
# The printed command is run: the slow step of all ranks, in which rank 1 computes for 90 ms.
slow check 'the command that cuts out the slowest step' 0 '
	trace-report --commands slow_step | grep -A 1 "^3 .*rank 1 is" | tee lines
	tail -n 1 lines >command && . ./command && trace2ndjson step.json.gz |
		filter-calls -k kernel -n gemm | ndjson2table -s rank -f rank,ts,dur -o csv' <<'END'
3                                   140.0         +40.0  rank 1 is 61.00 ms late
  rank-merge --window 300000000ns,440000000ns slow_step | ndjson2trace -z >step.json.gz
rank,ts,dur
2,301000000,29000000
1,301000000,90000000
0,301000000,20000000
END
slow check 'a trace that is missing' 1 '
	trace-report run/rank0.json run/rank1.json run/gone.json >out; status=$?
	grep -i -e "costs most" -e "no trace" out; exit $status' <<'END'
2 of 3 ranks: no trace of rank 2
--- stderr
trace-report: run/gone.json: no result: cannot open: No such file or directory
END
slow check 'a trace that is cut' 1 '
	head -c 1500 run/rank1.json >cut.json; trace-report run/rank0.json cut.json run/rank2.json >out; status=$?
	sed -n 1p out; exit $status' <<'END'
rank0.json cut.json rank2.json                                      3 of 3 ranks
--- stderr
trace-report: cut.json: byte 1425: file is cut short: the last event is incomplete
END
slow check 'files of the folder that are no traces: one message each' 1 '
	mkdir some && cp run/rank0.json run/rank2.json some && echo notes >some/notes.txt && echo "[]" >some/empty.json
	trace-report some >out; status=$?; sed -n 1p out; exit $status' <<'END'
some                                                                2 of 3 ranks
--- stderr
trace-report: some/empty.json: no records
trace-report: some/notes.txt: byte 0: unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)
END
slow check 'a trace without a rank' 2 '
	sed "s/\"distributedInfo[^}]*}, //" run/rank1.json >none.json
	trace-report run/rank0.json run/rank2.json none.json' <<'END'
--- stderr
trace-report: none.json: no record has a rank; set the rank with --capture rank=REGEX
END
slow check 'after a kill, only the missing parts are made' 0 '
	trace-report --dir map run >first && rm map/parts/1.part && trace-report --dir map --resume run >second &&
		cmp first second && ls map/parts/*.part' <<'END'
map/parts/0.part
map/parts/1.part
map/parts/2.part
END
# Of `host`, which has 64 ranks, three times the work of the others, only TEST_ALL=1 tests the figures.
for job in two rank none ${TEST_ALL:+host}; do
	golden=golden/job/$job
	need_shared gen/gen_ranks.py "$golden" || continue
	case $job in two) slow= ;; *) slow=slow ;; esac
	node=$(sed -n "s|^$job: .*hosts of \([0-9]*\) ranks.*|\1|p" "$SHARED/golden/job/README.md")
	call=$(sed -n "s|^ *gen/gen_ranks.py OUT/$job|\"\$SHARED/gen/gen_ranks.py\" $job|p" "$SHARED/golden/job/README.md")
	cat >golden_job <<END
		job=$job node=$node
		$call && mkdir -p kept || exit
		trace-report --node \$node --dir kept/\$job -o ndjson \$job/rank*.json.gz >/dev/null || exit
		filter-calls -w "kind =~ ^job/" kept/\$job/parts/*.part >rows
		coll-join kept/\$job/parts/*.part | rank-delays rows >delays
		rank-scores -o ndjson \$job/rank*.json.gz >scores
		job_figures.py "\$SHARED/golden/job/\$job" delays scores
		rm -r \$job
END
	$slow check "golden job: $job" 0 '. ./golden_job' <<'END'
all figures are right  True
END
done
finish
