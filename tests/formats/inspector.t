#!/bin/sh
# inspector.t: the reader of the logs of NCCL Inspector.
. "${0%/*}/../lib.sh"

# log ID RANK PID PERF: writes a line of a log.
log() {
	printf '{"header":{"id":"%s","rank":%s,"n_ranks":2,"nnodes":1},' "$1" "$2"
	printf '"metadata":{"inspector_output_format_version":"v4.0","git_rev":"","rec_mechanism":"nccl_profiler_interface",'
	printf '"dump_timestamp_us":9,"hostname":"node01","pid":%s},%s}\n' "$3" "$4"
}
perf='"coll_exec_time_us":61,"coll_timing_source":"kernel_gpu","coll_algobw_gbs":0.13'
{
	log 0x7f 0 41 "\"coll_perf\":{\"coll\":\"AllReduce\",\"coll_sn\":1,\"coll_msg_size_bytes\":8192,$perf}"
	log 0x7f 0 41 "\"coll_perf\":{\"coll\":\"AllGatherV\",\"coll_sn\":4,\"coll_algobw_gbs\":\"nan\",\"new\":[1, 2],
		\"event_trace_sn\":{\"coll_start_sn\":1},\"event_trace_ts\":{\"coll_start_ts\":1,\"kernel_events\":[
		{\"kernel_start_ts\":7000},{\"kernel_start_ts\":6999,\"kernel_stop_ts\":7100}]}}" | tr -d '\n'
	echo
	log 0x7f 0 41 '"p2p_perf":{"p2p":"Recv","p2p_sn":1,"p2p_peer":1,"p2p_exec_time_us":0}'
	log 0x7f 0 41 '"proxy_events":{"ops":3}'
} >node.log
cat >records <<'E'
{"dur":61000,"kind":"kernel","name":"AllReduce","cat":"nccl_inspector","pid":41,"args":{"Collective name":"all_reduce","Process Group Name":"0x7f","Group size":2,"Rank":0,"nnodes":1,"hostname":"node01","Seq":1,"coll_sn":1,"coll_msg_size_bytes":8192,"coll_exec_time_us":61,"coll_timing_source":"kernel_gpu","coll_algobw_gbs":0.13,"dump_timestamp_us":9}}
{"ts":6999000,"kind":"kernel","name":"AllGatherV","cat":"nccl_inspector","pid":41,"args":{"Collective name":"AllGatherV","Process Group Name":"0x7f","Group size":2,"Rank":0,"nnodes":1,"hostname":"node01","Seq":4,"coll_sn":4,"coll_algobw_gbs":"nan","new":[1,2],"dump_timestamp_us":9,"event_trace_ts":{"coll_start_ts":1,"kernel_events":[{"kernel_start_ts":7000},{"kernel_start_ts":6999,"kernel_stop_ts":7100}]}}}
{"dur":0,"kind":"kernel","name":"Recv","cat":"nccl_inspector","pid":41,"args":{"Collective name":"recv","Process Group Name":"0x7f","Group size":2,"Rank":0,"nnodes":1,"hostname":"node01","p2p_sn":1,"p2p_peer":1,"p2p_exec_time_us":0,"dump_timestamp_us":9,"Src Rank":1}}
{"kind":"meta","name":"proxy_events","cat":"nccl_inspector","pid":41,"args":{"Process Group Name":"0x7f","Group size":2,"Rank":0,"nnodes":1,"hostname":"node01","ops":3,"dump_timestamp_us":9}}
E
check 'collectives, receives, other lines; missing collectives are reported' 0 'trace2ndjson node.log' <<E
$(cat records)
--- stderr
trace2ndjson: node.log: byte 0: 2 of 4 collectives are missing in the log; perhaps the plugin's buffer overflowed
E
check '-k, --no-args, -F' 0 'trace2ndjson --quiet -F inspector -k meta --no-args node.log' <<'E'
{"kind":"meta","name":"proxy_events","cat":"nccl_inspector","pid":41}
E
check 'compressed, and from a pipe' 0 'gzip -c node.log | trace2ndjson --quiet | diff - records' </dev/null
{
	cat node.log
	echo '{"header":{"id":"0x7f","n_ranks":2},"metadata":{"pid":41},"coll_perf":{"coll":"Reduce"}}'
	echo '{"header":{"id":"0x7f","rank":0},"metadata":{"pid":41}}'
	echo '{"header":{"id":"0x7f","rank":0},"metadata":{"pid":41},"coll_perf":{"coll":"Reduce","coll_exec_time_us":1e18}}'
	echo '{"header":5}'
	head -n 1 node.log | head -c 250
} >bad.log
check 'damaged lines' 1 'trace2ndjson bad.log >got; status=$?; tail -n +5 got; exit $status' <<'E'
{"kind":"other","name":"coll_perf","cat":"nccl_inspector","pid":41,"args":{"Process Group Name":"0x7f","Group size":2,"coll":"Reduce"}}
{"kind":"other","cat":"nccl_inspector","pid":41,"args":{"Process Group Name":"0x7f","Rank":0}}
--- stderr
trace2ndjson: bad.log:5: line without an operation, a communicator or a rank; written as kind other (and 1 more)
trace2ndjson: bad.log:7: time beyond 64 bits of ns; record skipped
trace2ndjson: bad.log:8: not a line of NCCL Inspector; skipped
trace2ndjson: bad.log:9: record cut short; skipped
trace2ndjson: bad.log: byte 0: 2 of 4 collectives are missing in the log; perhaps the plugin's buffer overflowed
E
# Every prefix: each whole line gives its record. A prefix that ends within a line has status 1.
cat >prefixes.py <<'E'
import subprocess
data = open('node.log', 'rb').read()
records = open('records', 'rb').read().splitlines(True)
for n in range(200, len(data)):
    run = subprocess.run(['trace2ndjson', '--quiet', '-F', 'inspector'], input=data[:n], stdout=-1, stderr=-1)
    whole = data[:n].count(b'\n') + (data[n:n + 1] == b'\n')
    if run.stdout != b''.join(records[:whole]) or run.returncode != (data[n - 1:n] != b'\n' and data[n:n + 1] != b'\n'):
        print(n, run.returncode, run.stdout[-200:], run.stderr)
        break
E
if have python3; then
	slow check 'every prefix of a log' 0 'python3 prefixes.py' </dev/null
	slow check 'logs with a flipped bit' 0 'rocprof_damage.py flips node.log inspector' <<'E'
all flips are right
E
fi
if need_shared data/nccl-inspector golden/nccl-inspector; then
	for log in "$SHARED"/data/nccl-inspector/*.log; do
		name=$(basename "$log" .log)
		check "$name: the golden records" 0 \
			"trace2ndjson --quiet '$log' | diff - '$SHARED/golden/nccl-inspector/$name.ndjson'" </dev/null
	done
	sed 1d "$SHARED/golden/nccl-inspector/summary.csv" >summary
	check 'sums by name, size of the group, and bytes' 0 "trace2ndjson --quiet -k kernel \
		'$SHARED'/data/nccl-inspector/*.log | derive 'b=default(coll_msg_size_bytes,p2p_msg_size_bytes)' |
		groupby -g 'name,Group size,b' -a count,sum:dur,min:dur,max:dur -o csv | sed 1d | LC_ALL=C sort >got
		LC_ALL=C sort summary | diff - got" </dev/null
	for log in "$SHARED"/data/nccl-inspector/*.log; do
		trace2ndjson --quiet -k kernel "$log" | filter-calls -w Seq >"$(basename "$log").ndjson"
	done
	cat >collectives.py <<'E'
import csv, json, sys
# The Rank of each process in each group, by which the golden file names the last one.
ranks = {}
for path in sys.argv[2:]:
    for r in map(json.loads, open(path)):
        ranks[r['args']['Process Group Name'], '%s:%d' % (r['args']['hostname'], r['pid'])] = str(r['args']['Rank'])
found = {}
for c in map(json.loads, sys.stdin):
    found[c['group'], str(c['seq'])] = [
        c['name'].replace('_', ''), str(c['size']), str(c['n']), str(c['latency']), str(c['skew_start']),
        ranks[c['group'], c['last']], '%.6f' % c['algbw'], '%.6f' % c['busbw']]
rows = list(csv.DictReader(open(sys.argv[1])))
print(len(rows), sum(found.get((r['group'], r['seq'])) == [
    r['name'].lower(), r['size'], r['members'], r['latency'], r['dur_spread'], r['last_rank'], r['algbw_gbs'],
    r['busbw_gbs']] for r in rows))
E
	check 'coll-join: the golden collectives' 0 "coll-join --quiet *.log.ndjson |
		python3 collectives.py '$SHARED/golden/nccl-inspector/collectives.csv' *.log.ndjson" <<'E'
60 60
E
	check 'stragglers: processes in place of ranks' 1 "stragglers -t 1 '$SHARED/data/nccl-inspector'" <<'E'
process      late_sum (us)  wait_sum (us)  dur_sum (us)  collectives  first  last
node02:4004           5683           2425          7557           48      8    24

Process node02:4004 delays the others most: by 5.683 ms, in 24 of 48 collectives.
--- stderr
stragglers: stdin:49: communication without rank, ts and Seq; skipped (and 5 more)
E
	check 'collectives: a process whose log is named twice' 2 \
		"cp '$SHARED/data/nccl-inspector/node01-pid4001.log' one; collectives one one" <<'E'
--- stderr
collectives: one: rank node01:4001 is also in one; each trace must have its own rank
E
fi
finish
