#!/bin/sh
# ndjson2trace.t: converts records to a Chrome trace and back.
. "${0%/*}/../lib.sh"

check 'empty input gives an empty trace' 0 'ndjson2trace </dev/null' <<'END'
{"traceEvents":[
]}
END
cat >a.nd <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":-500,"dur":12500,"kind":"api","name":"cudaLaunchKernel","pid":42,"tid":43,"corr":9,"range":"step \"1\"\n"}
{"ts":9223372036854775807,"dur":1001,"kind":"kernel","name":"gemm<float>","pid":42,"dev":0,"stream":7,"corr":9,"delay":5,"args":{"grid":[1,2,3]}}
{"ts":1000,"kind":"mark","name":"\u00e4 < & >","pid":42,"tid":43}
{"ts":2000,"kind":"counter","name":"queue","dev":0,"stream":7,"value":3}
{"kind":"meta","name":"later","args":{"a":1,"b":2}}
{"kind":"row","name":"no time","self":5}
END
check 'writes each kind of record in its form' 0 'ndjson2trace a.nd' <<'END'
{"schemaVersion":1,
"traceEvents":[
{"record":{"cat":null},"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":42,"tid":43,"ts":-0.5,"dur":12.5,"args":{"correlation":9,"range":"step \"1\"\n"}},
{"record":null,"ph":"s","cat":"ac2g","name":"ac2g","id":"9","pid":42,"tid":43,"ts":-0.5},
{"record":{"cat":null,"pid":42},"ph":"X","cat":"kernel","name":"gemm<float>","pid":0,"tid":7,"ts":9223372036854775.807,"dur":1.001,"args":{"grid":[1,2,3],"stream":7,"device":0,"correlation":9,"delay":5}},
{"record":null,"ph":"f","cat":"ac2g","name":"ac2g","id":"9","pid":0,"tid":7,"ts":9223372036854775.807,"bp":"e"},
{"record":{"src":null},"ph":"i","name":"\u00e4 < & >","pid":42,"tid":43,"ts":1,"s":"t"},
{"record":{"dev":0,"stream":7,"src":null},"ph":"C","name":"queue","ts":2,"args":{"value":3}},
{"record":{"kind":"row","src":null},"ph":"i","name":"no time","s":"t","args":{"self":5}},
{"record":null,"ph":"M","name":"process_name","pid":42,"args":{"name":"process 42"}},
{"record":null,"ph":"M","name":"process_name","pid":0,"args":{"name":"GPU 0"}},
{"record":null,"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7"}}
],
"later":{"a":1,"b":2}}
--- stderr
ndjson2trace: a.nd:7: record without ts; it is in the trace, but viewers do not show it
END
cat >nsys.json <<'END'
{"type":"String","id":"1","value":"cudaLaunchKernel"}
{"type":"String","id":"2","value":"gemm"}
{"Type":48,"TraceProcessEvent":{"startNs":"100","endNs":"130","correlationId":7,"eventClass":0,"name":"1","globalTid":"281474993491970"}}
{"Type":79,"CudaEvent":{"startNs":"150","endNs":"190","correlationId":7,"deviceId":0,"streamId":"3","globalPid":"281474993487872","kernel":{"demangledName":"2"}}}
END
check 'draws arrows for records of nsys by default' 0 \
	'trace2ndjson nsys.json | ndjson2trace |
	jq -c ".traceEvents[] | select(.cat == \"ac2g\") | [.ph, .id, .pid, .tid]"' <<'END'
["s","7",1,4098]
["f","7",0,3]
END
check 'reads its own output back: nsys' 0 \
	'trace2ndjson nsys.json >n.nd; ndjson2trace n.nd | trace2ndjson |
	jq -c "del(.args.stream, .args.device, .args.correlation)" >back.nd; jq -c . n.nd | diff - back.nd' </dev/null
check '--flows never' 0 'ndjson2trace --flows never a.nd 2>/dev/null | grep ac2g; :' <<'END'
END
check 'reads its own output back: the same except for attachments and additional args' 0 \
	'ndjson2trace a.nd 2>/dev/null | trace2ndjson' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":-500,"dur":12500,"kind":"api","name":"cudaLaunchKernel","pid":42,"tid":43,"corr":9,"args":{"correlation":9,"range":"step \"1\"\n"}}
{"ts":9223372036854775807,"dur":1001,"kind":"kernel","name":"gemm<float>","pid":42,"dev":0,"stream":7,"corr":9,"args":{"grid":[1,2,3],"stream":7,"device":0,"correlation":9,"delay":5}}
{"ts":1000,"kind":"mark","name":"\u00e4 < & >","pid":42,"tid":43}
{"ts":2000,"kind":"counter","name":"queue","dev":0,"stream":7,"args":{"value":3}}
{"kind":"row","name":"no time","args":{"self":5}}
{"kind":"meta","name":"later","args":{"a":1,"b":2}}
END

# Records of one thread that partly overlap go to lanes, which are additional rows.
cat >cross.nd <<'END'
{"ts":0,"dur":100,"kind":"range","name":"a","pid":1,"tid":2}
{"ts":10,"dur":50,"kind":"range","name":"inside","pid":1,"tid":2}
{"ts":20,"dur":100,"kind":"range","name":"crosses","pid":1,"tid":2}
{"ts":30,"dur":200,"kind":"range","name":"crosses both","pid":1,"tid":2}
{"ts":100,"dur":5,"kind":"range","name":"after a","pid":1,"tid":2}
END
check 'lanes' 0 'ndjson2trace cross.nd | jq -c ".traceEvents[] | [.name, .tid, .record, .args]"' <<'END'
["a",2,null,null]
["inside",2,null,null]
["crosses",1000000000,{"tid":2},null]
["crosses both",1000000001,{"tid":2},null]
["after a",2,null,null]
["process_name",null,null,{"name":"process 1"}]
["thread_name",1000000000,null,{"name":"thread 2 (lane 2)"}]
["thread_sort_index",1000000000,null,{"sort_index":2}]
["thread_name",1000000001,null,{"name":"thread 2 (lane 3)"}]
["thread_sort_index",1000000001,null,{"sort_index":2}]
END
check 'reads records of lanes back as records of their thread' 0 \
	'ndjson2trace cross.nd | trace2ndjson | cmp - cross.nd' <<'END'
END
check 'reports records that are not in ts order' 0 \
	'printf "{\"ts\":%s,\"dur\":5,\"kind\":\"range\",\"pid\":1,\"tid\":1}\n" 2 1 | ndjson2trace | grep -c X' <<'END'
2
--- stderr
ndjson2trace: 1 records are not in ts order; viewers may drop those that overlap others; run: ... | ts-sort | ndjson2trace
END
cat >ranks.nd <<'END'
{"ts":1,"dur":1,"kind":"kernel","name":"k","rank":0,"dev":0,"stream":7}
{"ts":2,"dur":1,"kind":"kernel","name":"k","rank":1,"dev":0,"stream":7}
{"ts":3,"dur":1,"kind":"op","name":"o","rank":1,"pid":5,"tid":5}
END
check 'separates ranks whose devices have the same number' 0 \
	'ndjson2trace ranks.nd | jq -c ".traceEvents[] | [.name, .pid, .tid, .record, .args.name]"' <<'END'
["k",0,7,{"cat":null,"rank":0},null]
["k",1000000000,7,{"cat":null,"dev":0,"rank":1},null]
["o",5,5,{"cat":null,"rank":1},null]
["process_name",0,null,null,"rank 0: GPU 0"]
["process_sort_index",0,null,null,null]
["process_name",1000000000,null,null,"rank 1: GPU 0"]
["process_sort_index",1000000000,null,null,null]
["process_name",5,null,null,"rank 1: process 5"]
["process_sort_index",5,null,null,null]
["thread_name",0,7,null,"stream 7"]
["thread_name",1000000000,7,null,"stream 7"]
END
cat >ids.nd <<'END'
{"kind":"meta","name":"process_name","rank":2,"pid":7,"args":{"name":"python"},"src":{"ph":"M"}}
{"ts":1,"dur":9,"kind":"api","name":"launch","cat":"cuda_runtime","rank":2,"pid":7,"tid":7,"corr":5,"args":{"correlation":5}}
{"ts":2,"kind":"flow","name":"ac2g","cat":"ac2g","rank":2,"pid":7,"tid":7,"id":5,"src":{"ph":"s"}}
{"kind":"meta","name":"process_name","rank":3,"pid":7,"args":{"name":"python"},"src":{"ph":"M"}}
{"ts":3,"dur":9,"kind":"api","name":"launch","cat":"cuda_runtime","rank":3,"pid":7,"tid":7,"corr":5,"args":{"a":1,"correlation":5,"b":2}}
{"ts":4,"kind":"flow","name":"ac2g","cat":"ac2g","rank":3,"pid":7,"tid":7,"id":5,"src":{"ph":"s"}}
{"ts":5,"dur":9,"kind":"kernel","name":"k","cat":"kernel","rank":3,"dev":0,"stream":1,"corr":-7,"args":{"correlation":-7,"stream":1}}
{"ts":6,"dur":9,"kind":"op","name":"o","cat":"cpu_op","rank":3,"pid":7,"tid":7,"corr":8}
END
check 'ids of a second rank differ from those of the first, and are read back unchanged' 0 '
	ndjson2trace ids.nd >ids.json; sed -n "s/^.*launch/launch/p; s/^.*\(name.*ac2g\)/\1/p; s/.*kernel\",//p" ids.json
	trace2ndjson ids.json | cmp - ids.nd; trace2ndjson -k api --no-args ids.json | tail -n 1' <<'END'
launch","pid":7,"tid":7,"ts":0.001,"dur":0.009,"args":{"correlation":5}},
name":"ac2g","id":5,"pid":7,"tid":7,"ts":0.002},
launch","pid":1000000000,"tid":7,"ts":0.003,"dur":0.009,"args":{"a":1,"correlation":17179869189,"b":2}},
name":"ac2g","id":"3:5","pid":1000000000,"tid":7,"ts":0.004},
"name":"k","pid":0,"tid":1,"ts":0.005,"dur":0.009,"args":{"correlation":"3:-7","stream":1}},
{"ts":3,"dur":9,"kind":"api","name":"launch","cat":"cuda_runtime","rank":3,"pid":7,"tid":7,"corr":5}
END
check 'processes of several ranks are named and sorted by rank, host before device' 0 '
	ndjson2trace ids.nd | jq -c ".traceEvents[] | select(.record == null and .ph == \"M\") | [.pid, .args]" |
	grep -v lane' <<'END'
[7,{"name":"rank 2: python 7"}]
[7,{"sort_index":4}]
[1000000000,{"name":"rank 3: python 7"}]
[1000000000,{"sort_index":6}]
[0,{"name":"rank 3: GPU 0"}]
[0,{"sort_index":7}]
[1000000000,{"sort_index":7}]
[0,{"name":"stream 1"}]
END
cat >coll.nd <<'END'
{"ts":1,"dur":9,"kind":"kernel","name":"k","rank":0,"dev":0,"stream":1,"corr":5,"coll":{"id":4,"gid":0,"n":3}}
{"ts":2,"dur":9,"kind":"kernel","name":"k","rank":1,"dev":0,"stream":1,"corr":5,"coll":{"id":4,"gid":0,"n":3}}
{"ts":2,"dur":9,"kind":"kernel","name":"k","rank":1,"dev":0,"stream":2,"corr":6,"coll":{"id":5,"gid":0,"n":1}}
{"ts":3,"dur":9,"kind":"kernel","name":"k","rank":2,"dev":0,"stream":1,"corr":5,"coll":{"id":4,"gid":0,"n":3}}
{"ts":3,"dur":9,"kind":"kernel","name":"k","rank":2,"dev":0,"stream":1,"corr":7}
END
check '--flows collectives: arrows from the first member through all others' 0 '
	ndjson2trace --flows collectives coll.nd | grep "\"ph\":\"[stf]\""
	ndjson2trace --flows never coll.nd | grep -c "\"ph\":\"[stf]\""
	ndjson2trace --flows collectives ranks.nd | sed -n "/\"ph\":\"[stf]\"/p"' <<'END'
{"record":null,"ph":"s","cat":"collective","name":"collective","id":"collective 4","pid":0,"tid":1,"ts":0.001},
{"record":null,"ph":"t","cat":"collective","name":"collective","id":"collective 4","pid":1000000000,"tid":1,"ts":0.002,"bp":"e"},
{"record":null,"ph":"f","cat":"collective","name":"collective","id":"collective 4","pid":1000000001,"tid":1,"ts":0.003,"bp":"e"},
0
--- stderr
ndjson2trace: no record is in a collective of several ranks (member coll); run: coll-join --write members ... | ndjson2trace
END
check '-z' 0 'ndjson2trace ranks.nd >plain; ndjson2trace -z ranks.nd >zipped; gzip -dc zipped | cmp - plain' <<'END'
END
check '-z to a full disk' 2 'ndjson2trace -z ranks.nd >/dev/full 2>/dev/null' <<'END'
END
printf '%s\n' '{"record":null,"ph":"X","name":"for viewers","ts":1}' \
	'{"record":{"kind":"sample","tid":7,"stream":null},"ph":"i","name":"s","ts":1,"tid":9}' | head -c -1 >one
check 'reads the member "record" back' 0 \
	'{ echo "{\"traceEvents\":["; paste -sd, one; echo "]}"; } >two.json; trace2ndjson two.json;
	trace2ndjson -k sample two.json; trace2ndjson -k mark two.json' <<'END'
{"ts":1000,"kind":"sample","name":"s","tid":7,"src":{"ph":"i"}}
{"ts":1000,"kind":"sample","name":"s","tid":7,"src":{"ph":"i"}}
END

# --- a part of a large trace

# This was also measured by hand with a larger trace, which bench/repeat made from a real one: 1,025,365,274 bytes with
# 3,601,059 records. --from +2s --until +2.1s gave 22274 events in 6.2 MB; none was missing, and none was added.
if have python3; then
	trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | filter-calls -w ts >round.nd
	"$BUILD/bench/repeat" round.nd 30 >large.nd
	ts-sort large.nd | filter-calls --from +900ms --until +950ms | ndjson2trace >cut.json
	slow check 'a part of 30 MB' 0 'echo $(($(wc -c <large.nd) / 1000000)) MB, $(wc -l <large.nd) records
		python3 -m json.tool cut.json >/dev/null && trace_window.py large.nd 900000000 950000000 cut.json' <<'END'
30 MB, 119070 records
3175 events 0 missing 0 more
END
	rm -f large.nd cut.json
fi

# --- unusual records

check 'one record' 0 \
	'echo "{\"ts\":1,\"dur\":2,\"kind\":\"op\",\"name\":\"o\",\"pid\":3,\"tid\":4}" | ndjson2trace |
	jq -c ".traceEvents[]"' <<'END'
{"record":{"cat":null},"ph":"X","cat":"cpu_op","name":"o","pid":3,"tid":4,"ts":0.001,"dur":0.002}
{"record":null,"ph":"M","name":"process_name","pid":3,"args":{"name":"process 3"}}
END
cat >names.nd <<'END'
{"ts":1,"dur":5,"kind":"op","name":"a \"quote\"","pid":1,"tid":1}
{"ts":2,"dur":1,"kind":"op","name":"two\nlines\tand\u0000\\","pid":1,"tid":1}
{"ts":3,"dur":1,"kind":"op","name":"Größe 漢字 😀 \ud83d\ude00","pid":1,"tid":1}
{"ts":4,"dur":1,"kind":"op","name":"</script>","pid":"a \"process\"","tid":"main\n"}
END
check 'names with quotes, escapes and other special characters' 0 \
	'ndjson2trace names.nd | python3 -m json.tool >/dev/null && ndjson2trace names.nd | trace2ndjson |
	jq -c "[.ts, .name, .pid, .tid]"
	jq -c "[.ts, .name, .pid, .tid]" names.nd >want; ndjson2trace names.nd | trace2ndjson |
	jq -c "[.ts, .name, .pid, .tid]" | cmp - want' <<'END'
[1,"a \"quote\"",1,1]
[2,"two\nlines\tand\u0000\\",1,1]
[3,"Größe 漢字 😀 😀",1,1]
[4,"</script>","a \"process\"","main\n"]
END
cat >far.nd <<'END'
{"ts":-9223372036854775808,"dur":9223372036854775807,"kind":"op","name":"early","pid":1,"tid":1}
{"ts":9223372036854775800,"dur":9223372036854775807,"kind":"op","name":"late","pid":1,"tid":1}
{"ts":9223372036854775801,"dur":1,"kind":"op","name":"in it","pid":1,"tid":1}
{"ts":9223372036854775802,"dur":-7,"kind":"op","name":"negative","pid":1,"tid":1}
END
check 'times up to the limits of int64' 0 \
	'ndjson2trace far.nd >far.json; grep -c "\"tid\":1," far.json; trace2ndjson far.json | cmp - far.nd
	grep -o "\"dur\":[^,}]*" far.json; trace2ndjson far.json | jq -c .name' <<'END'
4
"dur":9223372036854775.807
"dur":9223372036854775.807
"dur":0.001
"dur":-7
"dur":0
"early"
"late"
"in it"
"negative"
--- stderr
ndjson2trace: far.nd:4: negative dur; the event has dur 0
END

cat >members.nd <<'END'
{"ts":1,"kind":"flow","name":"f","pid":1,"tid":1,"id":10000000000000000000}
{"ts":2,"dur":2,"kind":"api","name":"c","pid":1,"tid":1,"corr":0}
{"ts":3,"dur":2,"kind":"api","name":"clFinish","pid":"42","tid":1,"corr":-1}
{"ts":4,"dur":5,"kind":"kernel","name":"k","dev":-1,"stream":4294967295,"bytes":-1}
{"kind":"other","name":"cudaEventRecord","cat":"api","dev":0,"stream":3}
{"ts":5,"dur":-6,"kind":"op","name":"n","pid":1,"tid":1}
{"ts":6,"dur":-7,"kind":"op","name":"n","pid":1,"tid":1}
{"ts":7,"dur":1,"kind":"gpu-busy","name":"of a report"}
{"ts":8,"dur":1,"name":"without a kind"}
{"kind":"kernelinfo","name":"no ts"}
END
check 'members that Chrome events cannot express are read back; what viewers do not show is counted' 0 '
	ndjson2trace members.nd >members.json; trace2ndjson members.json >back
	trace_round_trip.py members.nd back members.json' <<'END'

--- stderr
ndjson2trace: members.nd:5: record without ts; it is in the trace, but viewers do not show it (and 1 more)
ndjson2trace: members.nd:6: negative dur; the event has dur 0 (and 1 more)
END
if have python3; then
	for seed in $(amount 1 "1 2" "1 2 3"); do
		unusual_records.py $seed "$(amount 500 1000 2000)" >unusual.nd
		check "random members are read back, $seed" 0 '
			ndjson2trace --quiet unusual.nd | tee unusual.json | trace2ndjson >back
			trace_round_trip.py unusual.nd back unusual.json' <<'END'

END
	done
fi
cat >arrows.nd <<'END'
{"ts":1,"dur":5,"kind":"kernel","name":"its call comes later","dev":0,"stream":7,"corr":2}
{"ts":2,"dur":1,"kind":"api","name":"launch","pid":1,"tid":1,"corr":2}
{"ts":2,"dur":1,"kind":"api","name":"synchronize","pid":1,"tid":1,"corr":3}
{"ts":3,"dur":5,"kind":"kernel","name":"of a graph","dev":0,"stream":7,"corr":2}
{"ts":9,"dur":5,"kind":"kernel","name":"of a graph","dev":0,"stream":7,"corr":2}
{"ts":9,"dur":5,"kind":"kernel","name":"of another rank","rank":1,"dev":0,"stream":7,"corr":2}
{"ts":9,"dur":1,"kind":"api","name":"unknown id","pid":1,"tid":1,"corr":-1}
{"ts":9,"dur":5,"kind":"kernel","name":"unknown id","dev":0,"stream":8,"corr":-1}
{"ts":9,"dur":5,"kind":"kernel","name":"no call","dev":0,"stream":9,"corr":4}
END
check 'arrows end only at device work whose call precedes it' 0 '
	ndjson2trace arrows.nd | jq -c ".traceEvents[] | select(.cat == \"ac2g\") | [.ph, .id, .ts]"' <<'END'
["s","2",0.002]
["s","3",0.002]
["f","2",0.003]
["f","2",0.009]
END
# The calls of arrows are stored only for the latest calls. After 16,383 others, a call is still known.
awk 'BEGIN {
	for (i = 1; i <= 400000; i++)
		printf "{\"ts\":%d,\"dur\":1,\"kind\":\"api\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"corr\":%d}\n", i, i
	for (i = 1; i <= 400000; i += i + 16383 < 399990 - 16384 ? 16383 : 1)
		printf "{\"ts\":%d,\"dur\":1,\"kind\":\"kernel\",\"name\":\"k\",\"dev\":0,\"corr\":%d}\n", 400000 + i, i
}' >calls.nd
"$BUILD/bench/measure" used ndjson2trace calls.nd >calls.json
slow check 'arrows to at least the latest 16,384 calls' 0 '
	grep "\"ph\":\"f\"" calls.json | grep -o "\"id\":\"[0-9]*" | cut -d \" -f 4 | sort -n >heads
	awk "\$1 > 400000 - 16384" heads | wc -l; awk "\$1 <= 400000 - 32768" heads | wc -l' <<'END'
16384
0
END
sanitized || check 'the calls of arrows take at most 3 MB' 0 \
	'rss=$(sed "s/.*\"rss\": \([0-9]*\).*/\1/" used); [ "$rss" -lt 7000 ] || cat used' </dev/null
rm calls.nd calls.json

# Each of 5000 records partly overlaps all preceding ones. There are at most 1000 lanes; further records share the last
# one. All records are read back.
awk 'BEGIN { for (i = 0; i < 5000; i++)
	printf "{\"ts\":%d,\"dur\":100000,\"kind\":\"op\",\"name\":\"o\",\"pid\":1,\"tid\":1}\n", i }' >crowd.nd
check '5000 records that partly overlap each other' 0 \
	'ndjson2trace crowd.nd >crowd.json; grep -c "\"ph\":\"X\"" crowd.json; grep -c thread_name crowd.json
	trace2ndjson crowd.json | jq -c "[.ts, .dur, .tid]" | uniq | wc -l' <<'END'
5000
999
5000
--- stderr
ndjson2trace: 4000 records partly overlap others in all 1000 lanes of their thread; viewers may drop some
END

# Every trace in data/ is converted and read back: the records are the same, except for what the page names.
have python3 && for file in "$DATA"/*.json* "$DATA"/*.log "$DATA"/mlp.eventlog.gz "$DATA"/*.txt "$DATA"/*.lines \
	"$DATA"/*.out "$DATA"/*.ndjson "$DATA"/chrome/*; do
	case $file in
	*.ndjson) cp "$file" before.nd ;;
	*) trace2ndjson "$file" >before.nd 2>/dev/null ;;
	esac
	ndjson2trace --quiet before.nd >trace.json
	check "${file##*/}: there and back" 0 '
		trace2ndjson trace.json >after.nd; trace_round_trip.py before.nd after.nd trace.json' <<'END'

END
done

# Every Kineto trace, sorted or not, is converted and read back: all records are the same, and no events in the
# converted trace partly overlap.
have python3 && need_shared data/kineto && for file in "$SHARED"/data/kineto/*.json.gz; do
	name=${file##*/}
	trace2ndjson "$file" >before.nd 2>/dev/null
	ndjson2trace before.nd >trace.json 2>/dev/null
	trace2ndjson trace.json >after.nd 2>/dev/null
	if trace_round_trip.py before.nd after.nd trace.json >diff 2>&1; then
		pass "$name"
	else
		fail "$name: there and back" <diff
	fi
	ts-sort before.nd >sorted.nd
	ndjson2trace sorted.nd >trace.json
	trace2ndjson trace.json >after.nd 2>/dev/null
	if trace_round_trip.py sorted.nd after.nd trace.json crossing >diff 2>&1; then
		pass "$name"
	else
		fail "$name: sorted" <diff
	fi
done
cat >copies.nd <<'E'
{"ts":1,"dur":2,"kind":"memcpy","name":"Memcpy HtoD (Pinned -> Device)","cat":"gpu_memcpy","dev":0,"stream":7,"copy":"h2d"}
{"ts":5,"dur":2,"kind":"memcpy","name":"copy of mine","cat":"gpu_memcpy","dev":0,"stream":7,"copy":"h2d"}
{"ts":9,"dur":2,"kind":"kernel","name":"Memcpy HtoD (Pinned -> Device)","cat":"kernel","dev":0,"stream":7,"copy":"h2d"}
E
check 'the direction of a copy is stored only if the reader does not get it from the name' 0 'ndjson2trace copies.nd |
	awk "/\"ts\"/ { print /h2d/, /Memcpy/, /gpu_memcpy/ }"; ndjson2trace copies.nd | trace2ndjson | grep -c h2d' <<'E'
0 1 1
1 0 1
1 1 0
3
E

finish
