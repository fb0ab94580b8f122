#!/bin/sh
# gpu-exposed.t: tests the division of exposed communication.
. "${0%/*}/../lib.sh"

# Computation runs in [20, 30) and [60, 70). ncclA counts for [0, 20) and [30, 50), because it started first; ncclB
# counts for [50, 60); of the two that start at 80, ncclB has the lower stream, and counts for [80, 90).
cat >comm.nd <<'END'
{"ts":0,"dur":50,"kind":"kernel","name":"ncclA","dev":0,"stream":9,"range":"forward","args":{"In msg nelems":5}}
{"ts":10,"dur":60,"kind":"kernel","name":"ncclB","dev":0,"stream":8,"range":"backward"}
{"ts":20,"dur":10,"kind":"kernel","name":"gemm","dev":0,"stream":7}
{"ts":40,"dur":5,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7}
{"ts":60,"dur":10,"kind":"kernel","name":"gemm","dev":0,"stream":7}
{"ts":80,"dur":15,"kind":"kernel","name":"ncclA","dev":0,"stream":20,"range":"forward"}
{"ts":80,"dur":10,"kind":"kernel","name":"ncclB","dev":0,"stream":10}
{"ts":80,"dur":30,"kind":"kernel","name":"ncclC","dev":1,"stream":7,"range":"backward"}
END
check 'divides exposed communication' 0 '
	gpu-exposed -g name comm.nd; gpu-exposed -g range comm.nd' <<'END'
{"dur":45,"kind":"gpu-exposed","name":"ncclA","dev":0,"count":2,"share":0.6923076923076923}
{"dur":20,"kind":"gpu-exposed","name":"ncclB","dev":0,"count":2,"share":0.3076923076923077}
{"dur":30,"kind":"gpu-exposed","name":"ncclC","dev":1,"count":1,"share":1}
{"dur":45,"kind":"gpu-exposed","dev":0,"range":"forward","count":2,"share":0.6923076923076923}
{"dur":10,"kind":"gpu-exposed","dev":0,"range":"backward","count":1,"share":0.15384615384615385}
{"dur":10,"kind":"gpu-exposed","dev":0,"count":1,"share":0.15384615384615385}
{"dur":30,"kind":"gpu-exposed","dev":1,"range":"backward","count":1,"share":1}
END
check 'the exposed time of each communication' 0 '
	gpu-exposed --times comm.nd | ndjson2table -o csv -f name,ts,dev,exposed' <<'END'
name,ts,dev,exposed
ncclA,0,0,40
ncclB,10,0,10
ncclB,80,0,10
ncclA,80,0,5
ncclC,80,1,30
END
check 'gpu-busy --pieces: the parts of each communication' 0 '
	echo "{\"ts\":0,\"dur\":200,\"kind\":\"range\",\"name\":\"step\"}" | cat - comm.nd |
		gpu-busy --pieces --within . 2>/dev/null | filter-calls -k kernel |
		ndjson2table -o csv -f name,ts,dev,exposed' <<'END'
name,ts,dev,exposed
ncclA,0,0,"[0,20,30,50]"
ncclB,10,0,"[40,50]"
ncclB,80,0,
ncclA,80,0,"[10,15]"
ncclC,80,1,
END
cat >host.nd <<'END'
{"kind":"meta","name":"distributedInfo","rank":0,"args":{"world_size":2}}
{"ts":1,"dur":5,"kind":"api","name":"cudaLaunchKernel","corr":1}
{"ts":2,"dur":5,"kind":"kernel","name":"gemm","dev":0,"args":{"External id":1}}
{"ts":3,"dur":5,"kind":"kernel","name":"fused","dev":0,"args":{"Collective name":"allreduce"}}
END
check '--times, --pieces: records of the host, and kernels that only their args call a collective' 0 '
	grep -v gemm host.nd >want; gpu-exposed --times host.nd | cmp - want
	gpu-busy --pieces --all-work --within step host.nd >got
	grep -v gpu-busy got | cmp - want; grep -c gpu-busy got' <<'END'
1
END
check 'computed fields, members of args, other places' 0 '
	gpu-exposed --per all comm.nd | ndjson2table -o csv -f short,dur,count
	gpu-exposed -g "\"In msg nelems\"" --per stream comm.nd | ndjson2table -o csv -f stream,In\ msg\ nelems,dur' <<'END'
short,dur,count
ncclA,40,2
ncclB,10,2
ncclC,30,1
stream,In msg nelems,dur
9,5,50
8,,60
20,,15
10,,10
7,,30
END
check 'no field, no communication' 0 '
	gpu-exposed -g coll comm.nd; filter-calls -e gemm comm.nd | gpu-exposed -g name' <<'END'
{"dur":65,"kind":"gpu-exposed","dev":0,"count":4,"share":1}
{"dur":30,"kind":"gpu-exposed","dev":1,"count":1,"share":1}
--- stderr
gpu-exposed: no record has the field 'coll'
gpu-exposed: no communication
END
check 'rejects names of other members of its result' 2 '
	for key in dur count share; do gpu-exposed -g $key comm.nd; done
	gpu-exposed --times -g name' <<'END'
--- stderr
gpu-exposed: -g: 'dur': expected a field other than ts, dur, kind, count and share
gpu-exposed: -g: 'count': expected a field other than ts, dur, kind, count and share
gpu-exposed: -g: 'share': expected a field other than ts, dur, kind, count and share
gpu-exposed: -g and --times cannot be used together
END
sanitized || check_re 'a kernel that runs very long does not make the program store all others' 0 '
	yes | head -n 300000 | awk "{ print \"{\\\"ts\\\":\" NR - 1 \",\\\"dur\\\":\" (NR > 1 ? 2 : 1000000) \\
		\",\\\"kind\\\":\\\"kernel\\\",\\\"name\\\":\\\"nccl\\\"}\" }" |
	{ ulimit -v 40000; gpu-exposed -g name; }' <<'END'
{"dur":1000000,"kind":"gpu-exposed","name":"nccl","count":300000,"share":1}
END

have python3 && {
	check 'equals a brute-force computation: random traces' 0 "exposed_time.py --random $(amount 10 30 200)" </dev/null
}
# The other recorded traces have no communication.
have python3 && need_shared data/kineto && for name in dlrm_a100_2022_control nccl sampled_rank-0 mi300_resnet; do
	trace2ndjson "$SHARED/data/kineto/$name.json.gz" 2>/dev/null | ts-sort >$name.nd
	[ "${TEST_ALL-}" ] || [ "$name" = nccl ] || [ "$name" = sampled_rank-0 ] || continue
	if exposed_time.py $name.nd name >diff 2>&1; then pass "equals a brute-force computation: $name"; else
		fail "equals a brute-force computation: $name" <diff; fi
done
# The figures of these two traces are in mock/README.md of the data folder.
need_shared data/kineto && check 'gives the figures that are known for two traces' 0 '
	for name in dlrm_a100_2022_control nccl; do
		gpu-exposed $name.nd | ndjson2table -o csv -u ms -f short,dur,count; done' <<'END'
short,dur_ms,count
ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t,83.443,42
ncclKernel_AllReduce_RING_LL_Sum_float,4.478,18
short,dur_ms,count
ncclKernel_Broadcast_RING_LL_Sum_int8_t,0.114334,6
ncclKernel_AllReduce_RING_LL_Sum_float,39.445134,15
END

finish
