#!/bin/sh
# cluster.t: the lines of tracefilters(7) that divide work among processes: the merged result is that of one process.
# The lines for several machines are not run; the job of Slurm is, with the variables that the engine sets.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/lib.sh"
have bash || finish

# Each display of the section is a file: block.1, block.2 ...
awk '/^\.Ss/ { on = /Many cores/ } on && /^\.Bd -unfilled/ { n++; in_block = 1; next } /^\.Ed/ { in_block = 0 }
	in_block && on { gsub(/\\e/, "\\"); print >("block." n) }' "$ROOT/scripts/tracefilters.7"
# name_block NAME TEXT: gives a name to the block that contains the text.
name_block() { mv "$(grep -l -- "$2" block.* | head -n 1)" "$1"; }
name_block part.sh part=
name_block files '-j4 --results'
name_block halves pipepart
name_block filters gpu-busy
name_block collectives 'coll-join ranks'

traces="$DATA/train.pt.trace.json $DATA/train.nsys.json $DATA/tiny.pt.trace.json"
i=0
for trace in $traces; do
	gzip -c "$trace" >rank$i.json.gz
	i=$((i + 1))
done
printf '%s\n' rank?.json.gz >list
records() { trace2ndjson -k kernel --no-args rank?.json.gz; }
records | groupby -g name >want
records | groupby -g name -s dur_sum -t 20 -o table >want.table
mkdir parts

check 'part.sh: each task writes its partial result' 0 '
	for task in 1 2 3; do SLURM_ARRAY_TASK_ID=$task bash part.sh || exit; done; ls parts
	groupby --merge parts/*.part | cmp - want' <<'END'
1.part
2.part
3.part
END
echo nothing >rank1.json.gz
check 'part.sh: a task that fails writes no partial result' 1 '
	rm parts/*; SLURM_ARRAY_TASK_ID=2 bash part.sh 2>message; status=$?; ls parts; exit $status' <<'END'
2.part.new
END
gzip -c "$DATA/train.nsys.json" >rank1.json.gz
rm -f parts/*

if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	PARALLEL_HOME=$PWD/home
	export PARALLEL_HOME
	mkdir home && touch home/will-cite
	# The first line of a block may set PARALLEL_SHELL, so a block is run as a whole.
	check 'GNU parallel: a process for each file' 0 'bash files >out && tail -n $(wc -l <want.table) out |
		cmp - want.table; ls parts/*.part | wc -l' <<'END'
3
END
	records >run.ndjson
	check 'GNU parallel: a process for each half of a file' 0 'bash halves >out
		groupby -g name,stream -a count,p50:dur,p99:dur,std:dur run.ndjson | cmp - out' </dev/null
	cp "$DATA/ranks.ndjson" .
	check 'GNU parallel: sums of other filters' 0 'bash filters >out 2>/dev/null; bash collectives >>out
		{
			for file in rank?.json.gz; do trace2ndjson $file | ts-sort | corr-join --sorted | gpu-busy; done |
				groupby --quiet -g rank,dev -f busy,idle -a sum
			for file in rank?.json.gz; do trace2ndjson $file | ts-sort | call-tree; done |
				groupby -g name -f self -a count,sum,p99
			coll-join ranks.ndjson | groupby -g name,group -f late,latency -a count,sum,p99
		} | cmp - out; wc -l <out' <<'END'
67
END
else
	skip 'lines of GNU parallel: it is not installed'
fi
finish
