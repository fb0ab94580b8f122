#!/bin/sh
# cluster.t: the lines of tracefilters(7) that divide work among processes: the merged result is that of one process.
# The lines for several machines are run on one machine, with three sshd and a Slurm of three nodes.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/lib.sh"
only_slow_follow # starts daemons, and 32 jobs by ssh three times
. "$TESTS/cluster.sh"
have bash || finish

# Each display of the two sections is a file: block.1, block.2 ...
awk '/^\.Ss/ { on = /Many cores|Ten thousand/ }
	on && /^\.Bd -unfilled/ { n++; in_block = 1; next }
	/^\.Ed/ { in_block = 0 }
	in_block && on { gsub(/\\e/, "\\"); print >("block." n) }' "$ROOT/scripts/tracefilters.7"
# name_block NAME TEXT: gives a name to the block that contains the text.
name_block() { mv "$(grep -l -- "$2" block.* | head -n 1)" "$1"; }
name_block node.sh 'split -n'
name_block part.sh part=
name_block map '^trace-map'
name_block files '-j4 --results'
name_block halves '--piece {}'
name_block filters gpu-busy
name_block collectives 'coll-join ranks'
name_block machines sshloginfile
name_block array 'list) part.sh'
name_block allocation 'srun -n'

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

if have_parallel; then
	check 'trace-map: a job for each file' 0 'bash map | cmp - want.table' </dev/null
	# The first line of a block may set PARALLEL_SHELL, so a block is run as a whole.
	check 'GNU parallel: a process for each file' 0 'bash files >out && tail -n $(wc -l <want.table) out |
		cmp - want.table; ls parts/*.part | wc -l' <<'END'
3
END
	records >run.ndjson
	check 'GNU parallel: a process for each half of a file' 0 '
		groupby -g name,stream -a count,p50:dur,p99:dur,std:dur run.ndjson >want.halves
		bash halves | cmp - want.halves' </dev/null
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
fi

# --- several machines: 32 traces with different ranks, names and durations

mkdir job && cd job || exit 2
i=0
while [ $i -lt 32 ]; do
	sed "s/\"rank\": 3/\"rank\": $i/; s/\"dur\": \([0-9]\)/\"dur\": $((i * 7 % 31 + 1))\1/; s/_sgemm_/&$((i % 5))_/" \
		"$DATA/train.pt.trace.json" | gzip >"$(printf 'rank%02d.json.gz' $i)"
	i=$((i + 1))
done
printf '%s\n' rank*.json.gz >list
printf '1/%s\n' $NODES >nodes
cp ../part.sh ../node.sh ../machines ../array ../allocation .
trace2ndjson -k kernel --no-args rank*.json.gz | groupby -g name >want
mkdir parts

# begin: removes all results.
begin() { rm -rf parts job.log result.ndjson && mkdir parts; }

# idle: waits until all jobs of Slurm have ended, but at most 60 s.
cat >idle <<'E'
for _ in $(seq 600); do
	[ "$(squeue -h)" ] || exit 0
	sleep 0.1
done
squeue
exit 1
E

if have_parallel; then
	check 'node.sh: a task for each machine' 0 '
		for task in 1 2 3; do
			SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 SLURM_CPUS_ON_NODE=2 bash node.sh || exit
		done
		ls parts; groupby --merge parts/*.part >out
		trace2ndjson -k kernel --no-args rank*.json.gz | groupby -g name -a count,sum,mean,min,max,std | cmp - out' <<'END'
1.part
2.part
3.part
END
	begin
fi
if have_parallel && start_sshd; then
	check 'GNU parallel on three machines' 0 'bash machines | cmp - want; sed 1d job.log | cut -f 2,7 | sort -u' <<'END'
n1	0
n2	0
n3	0
END
	begin
	bash machines >out 2>&1 &
	machines=$!
	while [ "$(find parts -name '*.part' | wc -l)" -lt 10 ] && kill -0 $machines; do sleep 0.1; done
	kill_node sshd.n2
	wait $machines
	check 'GNU parallel on three machines, one of which dies' 0 '
		cmp out want; sed 1d job.log | cut -f 2,7 | sort -u' <<'END'
n1	0
n2	0
n3	0
END
	check 'GNU parallel: a second run starts no job' 0 '
		cp job.log before; bash machines 2>/dev/null | cmp - want; cmp job.log before' </dev/null
	stop_cluster sshd
fi

if start_slurm 11; then
	begin
	check 'Slurm: a job array and a job that merges' 0 '
		bash array >id && sh idle && cmp result.ndjson want; ls parts/*.part | wc -l' <<'END'
32
END
	begin
	check 'Slurm: srun' 0 'bash allocation | cmp - want' </dev/null
	begin
	echo nothing | gzip >rank07.json.gz
	check 'Slurm: nothing is merged after a task has failed' 0 '
		bash array >id && sh idle; ls *.ndjson parts/*.part 2>/dev/null | wc -l' <<'END'
31
END
fi
finish
