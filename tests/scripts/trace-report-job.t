#!/bin/sh
# trace-report-job.t: tests the report of a job: its figures, its sentences, missing and damaged traces.
. "${0%/*}/../lib.sh"

# Records of eight ranks in one file are a job, too.
check 'records of several ranks' 0 'trace-report "$DATA/ranks.ndjson" | sed -n 1,4p' <<'END'
ranks.ndjson                                                        8 of 8 ranks
whole recordings, 4.9 ms, 37 collectives

Rank 5 costs most: at most 0.72 of 4.91 ms (15 %).
END

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
cp run/rank2.json twice.json
check 'two traces of one rank' 2 'trace-report run/rank0.json run/rank2.json twice.json' <<'END'
--- stderr
trace-report: twice.json: rank 2 is also in run/rank2.json; set the rank with --capture
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
