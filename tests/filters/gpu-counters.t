#!/bin/sh
# gpu-counters.t: tests lengths of queues and bandwidths of copies.
. "${0%/*}/../lib.sh"

cat >a.nd <<'END'
{"ts":50,"dur":500,"kind":"op","name":"aten::mm","pid":1,"tid":1}
{"ts":100,"dur":50,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"name":"cudaLaunchKernel","ts":80,"dur":10}}
{"ts":120,"dur":50,"kind":"kernel","name":"ncclDevKernel_AllReduce","dev":0,"stream":9,"api":{"ts":90,"dur":10}}
{"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD (Pageable -> Device)","dev":0,"stream":7,"bytes":120,"api":{"ts":190,"dur":15}}
{"ts":210,"dur":5,"kind":"kernel","name":"gemm","dev":0,"stream":7,"api":{"ts":195,"dur":5}}
{"ts":240,"dur":0,"kind":"kernel","name":"tiny","dev":1,"stream":7}
{"ts":40240,"dur":10,"kind":"memset","name":"Memset (Device)","dev":1,"stream":7,"bytes":10}
END
check 'queue' 0 'gpu-counters queue a.nd' <<'END'
{"ts":80,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}
{"ts":90,"kind":"counter","name":"queue","dev":0,"stream":9,"value":1}
{"ts":100,"kind":"counter","name":"queue","dev":0,"stream":7,"value":0}
{"ts":120,"kind":"counter","name":"queue","dev":0,"stream":9,"value":0}
{"ts":190,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}
{"ts":195,"kind":"counter","name":"queue","dev":0,"stream":7,"value":2}
{"ts":200,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}
{"ts":210,"kind":"counter","name":"queue","dev":0,"stream":7,"value":0}
--- stderr
gpu-counters: 2 device records have no call (api) and are left out of all queues; run: ... | ts-sort | corr-join --sorted --lead 250ms | gpu-counters queue
END
check 'queue leaves out work that starts before its call' 1 \
	'sed "s/\"ts\":80/\"ts\":101/; s/\"ts\":90/\"ts\":120/" a.nd | filter-calls -w api -m 2 | gpu-counters queue' <<'END'
{"ts":120,"kind":"counter","name":"queue","dev":0,"stream":9,"value":-1}
{"ts":120,"kind":"counter","name":"queue","dev":0,"stream":9,"value":0}
--- stderr
gpu-counters: stdin:1: device record starts before its call (clocks disagree); left out of its queue
END
check 'queue leaves out work launched before the horizon' 1 \
	'filter-calls -w api a.nd | gpu-counters queue --horizon 5' <<'END'
{"ts":80,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}
{"ts":100,"kind":"counter","name":"queue","dev":0,"stream":7,"value":0}
{"ts":190,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}
{"ts":200,"kind":"counter","name":"queue","dev":0,"stream":7,"value":0}
--- stderr
gpu-counters: stdin:2: device record starts more than --horizon after its call; left out of its queue (and 1 more)
END
check 'bandwidth' 0 'gpu-counters bandwidth a.nd' <<'END'
{"ts":200,"kind":"counter","name":"Memcpy HtoD","dev":0,"value":12}
{"ts":1200,"kind":"counter","name":"Memcpy HtoD","dev":0,"value":0}
{"ts":40240,"kind":"counter","name":"Memset","dev":1,"value":1}
{"ts":41240,"kind":"counter","name":"Memset","dev":1,"value":0}
END
check 'bandwidth: args are preferred; copies of one kind add up; records without bytes are counted' 0 \
	'printf "%s\\n" "{\"ts\":200,\"dur\":10,\"kind\":\"memcpy\",\"name\":\"Memcpy HtoD (a)\",\"bytes\":50,\"dev\":0}" \
		"{\"ts\":300,\"dur\":2000,\"kind\":\"memcpy\",\"name\":\"Memcpy HtoD (b)\",\"dev\":0,\"bytes\":2,\"args\":{\"memory bandwidth (GB/s)\":1.5}}" \
		"{\"ts\":310,\"dur\":2000,\"kind\":\"memcpy\",\"name\":\"no bytes\",\"dev\":0}" | gpu-counters bandwidth' <<'END'
{"ts":200,"kind":"counter","name":"Memcpy HtoD","dev":0,"value":5}
{"ts":300,"kind":"counter","name":"Memcpy HtoD","dev":0,"value":6.5}
{"ts":1200,"kind":"counter","name":"Memcpy HtoD","dev":0,"value":1.5}
{"ts":2300,"kind":"counter","name":"Memcpy HtoD","dev":0,"value":0}
--- stderr
gpu-counters: 1 copies and memsets left out: bandwidth unknown (no bytes or no dur)
END

finish
