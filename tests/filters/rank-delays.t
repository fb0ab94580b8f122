#!/bin/sh
# rank-delays.t: tests which ranks, groups and hosts rank-delays says delay a job, and by how much.
. "${0%/*}/../lib.sh"

# In each of two steps, rank 1 comes 80 ns after rank 0, and computes 100 ns longer.
cat >ranks <<'END'
{"ts":0,"dur":1000,"rank":0,"step":1,"world":3,"compute_time":500,"comm_only":400,"host_wait":100}
{"ts":1000,"dur":1000,"rank":0,"step":2,"compute_time":500,"comm_only":400,"host_wait":100}
{"ts":5,"dur":1000,"rank":1,"step":1,"compute_time":600,"comm_only":300,"host_wait":100}
{"ts":1005,"dur":1000,"rank":1,"step":2,"compute_time":600,"comm_only":300,"host_wait":100}
{"ts":2005,"dur":1000,"rank":1,"step":3,"compute_time":600,"comm_only":300,"host_wait":100}
{"rank":0,"group":"w","list":"[0, 1, 2]","desc":"default_pg"}
{"rank":1,"group":"w","list":"[0, 1, 2]","desc":"default_pg"}
END
member() { printf '{"rank":%d,"ts":%d,"dur":%d,"wait":%d%s}' "$@"; }
collective() {
	printf '{"ts":%d,"dur":130,"kind":"collective","name":"%s","bytes":1048576,"group":"w","desc":"default_pg",' "$1" "$2"
	printf '"ranks":[0,1,2],"match":"seq","aligned":%s,"n":2,"size":3,"dtype":"Float","last":1,"latency":50,' "$3"
	printf '"busbw":20.5,"members":[%s,%s]}\n' "$(member 0 "$1" 130 80 "${4-}")" "$(member 1 $(($1 + 85)) 50 0 '')"
}
{
	collective 500 all_reduce true
	collective 1500 all_reduce true ',"exposed":[0,30,50,130]'
	collective 1700 broadcast true
	collective 1800 all_reduce false
} >collectives
check 'the rank that costs most, and why' 0 '
	rank-delays ranks collectives | filter-calls -w kind==rank-delays/job |
		ndjson2table -o csv \
			-f name,late,why,computes,peers,op,last,collectives,missing,n_steps,partial_steps,n_unaligned,wait_sync' <<'END'
name,late,why,computes,peers,op,last,collectives,missing,n_steps,partial_steps,n_unaligned,wait_sync
rank 1,80,compute,600,500,all_reduce,2,2,[2],2,1,1,75
END
check 'collectives by operation' 0 '
	rank-delays ranks <collectives | filter-calls -w kind==rank-delays/collective |
		ndjson2table -o csv -f name,group,count,total,wait,per_step,latency_p50,busbw_min,last' <<'END'
name,group,count,total,wait,per_step,latency_p50,busbw_min,last
all_reduce,world,3,540,240,135,50,20.5,1
broadcast,world,1,180,80,45,50,20.5,1
END
# Rank 2 has no trace. In each of three steps, ranks 0 and 3 wait 100 ns for it. Rank 1 computes 300 ns longer in one
# step, or in all of them.
lost_job() {
	for step in 1 2 3; do
		for rank in 0 1 3 4; do
			late=0
			case $rank$1 in 1*"$step"*) late=300 ;; esac
			printf '{"ts":%d,"dur":1000,"rank":%d,"step":%d,"world":5,"compute_time":%d,"comm_only":200}\n' \
				$((1000 * step)) $rank $step $((400 + late))
		done
	done
	printf '{"rank":%d,"group":"%s","list":"%s"}\n' 0 a '[0,1,4]' 1 a '[0,1,4]' 4 a '[0,1,4]' 0 b '[0,2,3]' 3 b '[0,2,3]'
}
lost_collectives() {
	for step in 1 2 3; do
		late=0
		case $1 in *"$step"*) late=300 ;; esac
		at=$((1000 * step + 400))
		row='"kind":"collective","name":"all_reduce","bytes":8,"match":"seq","aligned":true,"size":3'
		printf '{"ts":%d,"dur":%d,%s,"group":"a","ranks":[0,1,4],"n":3,"latency":50,"members":[%s,%s,%s]}\n' \
			$at $((50 + late)) "$row" "$(member 0 $at $((50 + late)) $late '')" \
			"$(member 1 $((at + late)) 50 0 '')" "$(member 4 $at $((50 + late)) $late '')"
		at=$((at + 400))
		printf '{"ts":%d,"dur":150,%s,"group":"b","ranks":[0,2,3],"n":2,%s,"latency":150,"members":[%s,%s]}\n' $at "$row" \
			'"missing":[{"rank":2,"why":"lost"}]' "$(member 0 $at 150 0 '')" "$(member 3 $at 150 0 '')"
	done
}
for steps in 2 123; do
	lost_job $steps >lost.$steps
	lost_collectives $steps >collectives.$steps
done
check 'a rank that is slow in few steps is not named if the others wait for one without a trace' 0 '
	for steps in 2 123; do
		rank-delays lost.$steps collectives.$steps | filter-calls -w kind==rank-delays/job |
			ndjson2table --quiet -o csv -f why,name,waits_for,waited,excess
	done' <<'END'
why,name,waits_for,waited,excess
missing,,2,100,
why,name,waits_for,waited,excess
compute,rank 1,2,100,300
END
check 'a step without a rank' 2 'echo "{\"ts\":1,\"dur\":1,\"step\":1}" >none; rank-delays none collectives' <<'END'
--- stderr
rank-delays: none:1: record without a rank
END
check 'no file' 2 'rank-delays' <<'END'
--- stderr
rank-delays: RANKS is missing; try rank-delays -h
END
if have python3; then
	check 'random jobs agree with the definitions' 0 '
		for seed in $(seq '"$(amount 5 40 400)"'); do
			rank_delays.py make $seed r c && rank-delays r c >out && rank_delays.py check r c out || echo "seed $seed"
		done | sort -u' <<'END'
as defined
END
fi
finish
