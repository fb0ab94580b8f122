#!/bin/sh
# trace2ndjson.t: Chrome Trace Event files of all versions, written by hand; damaged files; the options. bad.t tests
# each class of damage, and kineto.t tests real traces. The other files in tests/formats test the other formats. All
# expected records were written by hand from the contract.
. "${0%/*}/../lib.sh"

# records NAME: standard input has a trace, a line `---`, and records. Writes the trace to x.json, and checks that it
# gives these records and no message.
records() {
	awk 'BEGIN { to = "x.json"; printf "" >"want" } $0 == "---" { to = "want"; next } { print >to }'
	check "$1" 0 'trace2ndjson x.json' <want
}

# --- versions of Kineto

records '2021: categories, threads and streams in quotes' <<'END'
{"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"Operator","name":"aten::add","pid":3,"tid":"1441273664","ts":1614800519473000,"dur":2,"args":{"Input dims":[[2],[]],"External id":5}},
{"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":3,"tid":"1441273664","ts":1,"dur":2,"args":{"cbid":211,"correlation":9,"external id":5,"external ts":99}},
{"ph":"X","cat":"Runtime","name":"cudaFree","pid":3,"tid":"-1441273664","ts":1,"dur":2,"args":{"cbid":22,"correlation":0}},
{"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":3,"dur":2,"args":{"device":0,"context":1,"stream":7,"correlation":9,"external id":5}},
{"ph":"X","cat":"Kernel","name":"k2","pid":0,"tid":"stream 20","ts":3,"dur":2,"args":{}},
{"ph":"X","cat":"Memcpy","name":"Memcpy DtoH (Device -> Pinned)","pid":0,"tid":"stream 7","ts":3,"dur":2,"args":{"stream":7,"correlation":10,"bytes":4}},
{"ph":"X","cat":"Memset","name":"Memset (Device)","pid":0,"tid":"stream x","ts":3,"dur":2,"args":{"bytes":4}},
{"ph":"s","id":9,"pid":3,"tid":"1441273664","ts":1,"cat":"async","name":"launch"},
{"ph":"f","id":9,"pid":0,"tid":"stream 7","ts":3,"cat":"async","name":"launch","bp":"e"},
{"ph":"X","cat":"Trace","ts":1,"dur":9,"pid":"Traces","tid":"Trace PyTorch Profiler","name":"PyTorch Profiler (0)","args":{"Op count":0}},
{"name":"Iteration Start: PyTorch Profiler","ph":"i","s":"g","pid":"Traces","tid":"Trace PyTorch Profiler","ts":1},
{"name":"Record Window End","ph":"i","s":"g","pid":"","tid":"","ts":9}
]}
---
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":1614800519473000000,"dur":2000,"kind":"op","name":"aten::add","cat":"Operator","pid":3,"tid":1441273664,"args":{"Input dims":[[2],[]],"External id":5}}
{"ts":1000,"dur":2000,"kind":"api","name":"cudaLaunchKernel","cat":"Runtime","pid":3,"tid":1441273664,"corr":9,"args":{"cbid":211,"correlation":9,"external id":5,"external ts":99}}
{"ts":1000,"dur":2000,"kind":"api","name":"cudaFree","cat":"Runtime","pid":3,"tid":-1441273664,"args":{"cbid":22,"correlation":0}}
{"ts":3000,"dur":2000,"kind":"kernel","name":"k","cat":"Kernel","dev":0,"stream":7,"corr":9,"args":{"device":0,"context":1,"stream":7,"correlation":9,"external id":5}}
{"ts":3000,"dur":2000,"kind":"kernel","name":"k2","cat":"Kernel","dev":0,"stream":20,"args":{}}
{"ts":3000,"dur":2000,"kind":"memcpy","name":"Memcpy DtoH (Device -> Pinned)","cat":"Memcpy","dev":0,"stream":7,"corr":10,"bytes":4,"copy":"d2h","args":{"stream":7,"correlation":10,"bytes":4}}
{"ts":3000,"dur":2000,"kind":"memset","name":"Memset (Device)","cat":"Memset","dev":0,"bytes":4,"args":{"bytes":4},"src":{"tid":"stream x"}}
{"ts":1000,"kind":"flow","name":"launch","cat":"async","pid":3,"tid":1441273664,"id":9,"src":{"ph":"s"}}
{"ts":3000,"kind":"flow","name":"launch","cat":"async","pid":0,"tid":"stream 7","id":9,"src":{"ph":"f","bp":"e"}}
{"ts":1000,"dur":9000,"kind":"other","name":"PyTorch Profiler (0)","cat":"Trace","pid":"Traces","tid":"Trace PyTorch Profiler","args":{"Op count":0}}
{"ts":1000,"kind":"mark","name":"Iteration Start: PyTorch Profiler","pid":"Traces","tid":"Trace PyTorch Profiler","src":{"ph":"i","s":"g"}}
{"ts":9000,"kind":"mark","name":"Record Window End","pid":"","tid":"","src":{"ph":"i","s":"g"}}
END

records 'metadata before and after the events; a rank before the events applies to them' <<'END'
{"schemaVersion":1,"deviceProperties":[{"id": 0, "name":"A100"}],"distributedInfo":{"backend": "nccl", "rank":3},"record_shapes":1,
 "traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0.001,"dur":0}],
 "INFO":["one","two"], "ERROR":[], "traceName":"a\/b.json","displayTimeUnit":"ms","baseTimeNanoseconds":1732809600000000000}
---
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"kind":"meta","name":"deviceProperties","args":{"value":[{"id":0,"name":"A100"}]}}
{"kind":"meta","name":"distributedInfo","rank":3,"args":{"backend":"nccl","rank":3}}
{"kind":"meta","name":"record_shapes","rank":3,"args":{"value":1}}
{"ts":1,"dur":0,"kind":"op","name":"a","cat":"cpu_op","rank":3,"pid":1,"tid":1}
{"kind":"meta","name":"INFO","rank":3,"args":{"value":["one","two"]}}
{"kind":"meta","name":"ERROR","rank":3,"args":{"value":[]}}
{"kind":"meta","name":"traceName","rank":3,"args":{"value":"a\/b.json"}}
{"kind":"meta","name":"displayTimeUnit","rank":3,"args":{"value":"ms"}}
{"kind":"meta","name":"baseTimeNanoseconds","rank":3,"args":{"value":1732809600000000000}}
END

records 'a rank after the events does not apply to them' <<'END'
{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":5,"dur":1}],"schemaVersion":1,"distributedInfo":{"rank":2}}
---
{"ts":5000,"dur":1000,"kind":"op","name":"a","cat":"cpu_op","pid":1,"tid":1}
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"kind":"meta","name":"distributedInfo","rank":2,"args":{"rank":2}}
END

records 'a member traceEvents inside metadata has no events' <<'END'
{"displayTimeUnit":"ms","otherData":{"traceEvents":[{"ph":"X"}],"x":"\"traceEvents\":["},"traceEvents":[{"ts":5}]}
---
{"kind":"meta","name":"displayTimeUnit","args":{"value":"ms"}}
{"kind":"meta","name":"otherData","args":{"traceEvents":[{"ph":"X"}],"x":"\"traceEvents\":["}}
{"ts":5000,"kind":"range"}
END

records 'the autograd profiler before Kineto: a bare array without its closing bracket' <<'END'
[{"name": "aten::mul", "ph": "X", "ts": 633.0, "dur": 54.25, "tid": 1, "pid": "CPU functions", "args": {}},
{"name": "kern", "ph": "X", "ts": 640.25, "dur": 5.5, "tid": 0, "pid": "CUDA functions", "args": {}},
{"name": "aten::mul", "ph": "s", "ts": 633.0, "tid": 1, "pid": "CPU functions", "id": 3, "cat": "cpu_to_cuda", "args": {}},
{"name": "aten::mul", "ph": "f", "ts": 640.25, "tid": 0, "pid": "CUDA functions", "id": 3, "cat": "cpu_to_cuda", "args": {}}
---
{"ts":633000,"dur":54250,"kind":"op","name":"aten::mul","pid":"CPU functions","tid":1,"args":{}}
{"ts":640250,"dur":5500,"kind":"kernel","name":"kern","dev":0,"args":{},"src":{"pid":"CUDA functions"}}
{"ts":633000,"kind":"flow","name":"aten::mul","cat":"cpu_to_cuda","pid":"CPU functions","tid":1,"id":3,"args":{},"src":{"ph":"s"}}
{"ts":640250,"kind":"flow","name":"aten::mul","cat":"cpu_to_cuda","pid":"CUDA functions","tid":0,"id":3,"args":{},"src":{"ph":"f"}}
END

records 'ROCm: streams in hexadecimal, sizes in quotes, no cbid' <<'END'
{"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"hipMemcpyWithStream","pid":10,"tid":10,"ts":1,"dur":1,"args":{"stream":"0x0","cid":153,"correlation":12,"src":"0x55674ecd4180","size":"2560","kind":"1"}},
{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":10,"tid":10,"ts":1,"dur":1,"args":{"stream":"0x0","correlation":"13","kernel":"k","grid":"[4, 1, 1]","cid":91}},
{"ph":"X","cat":"kernel","name":"Cijk_Ailk","pid":2,"tid":0,"ts":2,"dur":1,"args":{"device":2,"stream":0,"correlation":13,"kind":"Dispatch Kernel"}},
{"ph":"X","cat":"kernel","name":"hex","pid":2,"tid":1,"ts":2,"dur":1,"args":{"stream":"0x55aBcD","correlation":"13"}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD (Host -> Device)","pid":2,"tid":0,"ts":3,"dur":1,"args":{"stream":0,"correlation":12,"bytes":"4096","kind":"HtoD"}}
]}
---
{"ts":1000,"dur":1000,"kind":"api","name":"hipMemcpyWithStream","cat":"cuda_runtime","pid":10,"tid":10,"corr":12,"args":{"stream":"0x0","cid":153,"correlation":12,"src":"0x55674ecd4180","size":"2560","kind":"1"}}
{"ts":1000,"dur":1000,"kind":"api","name":"hipLaunchKernel","cat":"cuda_runtime","pid":10,"tid":10,"corr":13,"args":{"stream":"0x0","correlation":"13","kernel":"k","grid":"[4, 1, 1]","cid":91}}
{"ts":2000,"dur":1000,"kind":"kernel","name":"Cijk_Ailk","cat":"kernel","dev":2,"stream":0,"corr":13,"args":{"device":2,"stream":0,"correlation":13,"kind":"Dispatch Kernel"}}
{"ts":2000,"dur":1000,"kind":"kernel","name":"hex","cat":"kernel","dev":2,"stream":5614541,"corr":13,"args":{"stream":"0x55aBcD","correlation":"13"}}
{"ts":3000,"dur":1000,"kind":"memcpy","name":"Memcpy HtoD (Host -> Device)","cat":"gpu_memcpy","dev":2,"stream":0,"corr":12,"bytes":4096,"copy":"h2d","args":{"stream":0,"correlation":12,"bytes":"4096","kind":"HtoD"}}
END

records 'XPU: the tid is the stream; MTIA' <<'END'
{"traceEvents":[
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueKernelLaunch","pid":10,"tid":10,"ts":1,"dur":1,"args":{"correlation":20}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":3,"ts":2,"dur":1,"args":{"correlation":20,"sycl queue":3,"l0 queue":"0x55","device":0,"appended":"1"}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy M2D(Pinned -> Device)","pid":0,"tid":3,"ts":2,"dur":1,"args":{"correlation":21,"bytes":8}},
{"ph":"X","cat":"gpu_memset","name":"Memset (0 -> Device)","pid":0,"tid":3,"ts":2,"dur":1,"args":{"correlation":22,"bytes":8}},
{"ph":"X","cat":"mtia_runtime","name":"runFunction","pid":10,"tid":11,"ts":1,"dur":1,"args":{"correlation":30,"stream":1}},
{"ph":"X","cat":"mtia_ccp_events","name":"job_exe","pid":0,"tid":1,"ts":2,"dur":1,"args":{"correlation":30,"stream":1}}
]}
---
{"ts":1000,"dur":1000,"kind":"api","name":"urEnqueueKernelLaunch","cat":"xpu_runtime","pid":10,"tid":10,"corr":20,"args":{"correlation":20}}
{"ts":2000,"dur":1000,"kind":"kernel","name":"gemm","cat":"kernel","dev":0,"stream":3,"corr":20,"args":{"correlation":20,"sycl queue":3,"l0 queue":"0x55","device":0,"appended":"1"}}
{"ts":2000,"dur":1000,"kind":"memcpy","name":"Memcpy M2D(Pinned -> Device)","cat":"gpu_memcpy","dev":0,"stream":3,"corr":21,"bytes":8,"copy":"h2d","args":{"correlation":21,"bytes":8}}
{"ts":2000,"dur":1000,"kind":"memset","name":"Memset (0 -> Device)","cat":"gpu_memset","dev":0,"stream":3,"corr":22,"bytes":8,"args":{"correlation":22,"bytes":8}}
{"ts":1000,"dur":1000,"kind":"api","name":"runFunction","cat":"mtia_runtime","pid":10,"tid":11,"corr":30,"args":{"correlation":30,"stream":1}}
{"ts":2000,"dur":1000,"kind":"kernel","name":"job_exe","cat":"mtia_ccp_events","dev":0,"stream":1,"corr":30,"args":{"correlation":30,"stream":1}}
END

records 'graphs, annotations on the device, synchronisation, invalid streams' <<'END'
{"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":10,"tid":10,"ts":1,"dur":1,"args":{"cbid":311,"correlation":40}},
{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":2,"dur":1,"args":{"stream":7,"correlation":40,"graph id":5,"graph node id":21474836481}},
{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":3,"dur":1,"args":{"stream":7,"correlation":40,"graph id":5,"graph node id":21474836482}},
{"ph":"X","cat":"gpu_user_annotation","name":"step","pid":0,"tid":7,"ts":1.999,"dur":2.002,"args":{"External id":3}},
{"ph":"X","cat":"user_annotation","name":"step","pid":10,"tid":10,"ts":1.5,"dur":2,"args":{"External id":3}},
{"ph":"X","cat":"cuda_sync","name":"Context Sync","pid":0,"tid":-1,"ts":3,"dur":1,"args":{"stream":4294967295,"correlation":4294967295}},
{"ph":"X","cat":"cuda_sync","name":"Event Sync","pid":0,"tid":-1,"ts":3,"dur":1,"args":{"stream":-1,"correlation":-1}},
{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":0,"tid":1000007,"ts":3,"dur":1,"args":{"stream":7,"correlation":41}},
{"ph":"X","cat":"cpu_op","name":"triton_poi","pid":10,"tid":10,"ts":3,"dur":1,"args":{"stream":0,"correlation":7}},
{"ph":"X","cat":"overhead","name":"Activity Buffer Request","pid":-1,"tid":0,"ts":3,"dur":1},
{"ph":"X","cat":"cuda_driver","name":"cuLaunchKernel","pid":10,"tid":10,"ts":3,"dur":1,"args":{"correlation":42}}
]}
---
{"ts":1000,"dur":1000,"kind":"api","name":"cudaGraphLaunch","cat":"cuda_runtime","pid":10,"tid":10,"corr":40,"args":{"cbid":311,"correlation":40}}
{"ts":2000,"dur":1000,"kind":"kernel","name":"a","cat":"kernel","dev":0,"stream":7,"corr":40,"args":{"stream":7,"correlation":40,"graph id":5,"graph node id":21474836481}}
{"ts":3000,"dur":1000,"kind":"kernel","name":"b","cat":"kernel","dev":0,"stream":7,"corr":40,"args":{"stream":7,"correlation":40,"graph id":5,"graph node id":21474836482}}
{"ts":1999,"dur":2002,"kind":"gpu_range","name":"step","cat":"gpu_user_annotation","dev":0,"stream":7,"args":{"External id":3}}
{"ts":1500,"dur":2000,"kind":"range","name":"step","cat":"user_annotation","pid":10,"tid":10,"args":{"External id":3}}
{"ts":3000,"dur":1000,"kind":"sync","name":"Context Sync","cat":"cuda_sync","dev":0,"args":{"stream":4294967295,"correlation":4294967295}}
{"ts":3000,"dur":1000,"kind":"sync","name":"Event Sync","cat":"cuda_sync","dev":0,"args":{"stream":-1,"correlation":-1}}
{"ts":3000,"dur":1000,"kind":"sync","name":"Stream Sync","cat":"cuda_sync","dev":0,"stream":7,"corr":41,"args":{"stream":7,"correlation":41}}
{"ts":3000,"dur":1000,"kind":"op","name":"triton_poi","cat":"cpu_op","pid":10,"tid":10,"args":{"stream":0,"correlation":7}}
{"ts":3000,"dur":1000,"kind":"other","name":"Activity Buffer Request","cat":"overhead","pid":-1,"tid":0}
{"ts":3000,"dur":1000,"kind":"api","name":"cuLaunchKernel","cat":"cuda_driver","pid":10,"tid":10,"corr":42,"args":{"correlation":42}}
END

records 'Python functions, memory, counters, names of threads' <<'END'
[
{"ph":"X","cat":"python_function","name":"f.py(1): <module>","pid":1,"tid":2,"ts":3,"dur":2,"args":{"Python id":7,"Python parent id":null,"Ev Idx":0}},
{"ph":"X","cat":"python_function","name":"<built-in method>","pid":1,"tid":2,"ts":3,"dur":2,"args":{"Python id":8,"Python parent id":7}},
{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":2,"ts":12.5,"args":{"Total Allocated":3,"Bytes":-4,"Addr":139841,"Device Id":0}},
{"ph":"C","name":"GPU mem","pid":0,"tid":1,"ts":1.5,"args":{"bytes":5,"rate":1e3}},
{"name":"process_name","ph":"M","ts":12,"pid":0,"tid":0,"args":{"name":"python"}},
{"name":"thread_name","ph":"M","pid":0,"tid":"stream 7","args":{"name":"python"}},
{"ph":"P","name":"sampled","pid":1,"tid":2,"ts":4,"sf":3},
{"ph":"t","id":"0x9","pid":1,"tid":2,"ts":3,"cat":"fwdbwd","name":"fwdbwd","bp":"e"}
]
---
{"ts":3000,"dur":2000,"kind":"python","name":"f.py(1): <module>","cat":"python_function","pid":1,"tid":2,"id":7,"args":{"Python id":7,"Python parent id":null,"Ev Idx":0}}
{"ts":3000,"dur":2000,"kind":"python","name":"<built-in method>","cat":"python_function","pid":1,"tid":2,"id":8,"parent":7,"args":{"Python id":8,"Python parent id":7}}
{"ts":12500,"kind":"mark","name":"[memory]","cat":"cpu_instant_event","pid":1,"tid":2,"args":{"Total Allocated":3,"Bytes":-4,"Addr":139841,"Device Id":0},"src":{"ph":"i","s":"t"}}
{"ts":1500,"kind":"counter","name":"GPU mem","pid":0,"tid":1,"args":{"bytes":5,"rate":1e3},"src":{"ph":"C"}}
{"ts":12000,"kind":"meta","name":"process_name","pid":0,"tid":0,"args":{"name":"python"},"src":{"ph":"M"}}
{"kind":"meta","name":"thread_name","pid":0,"tid":"stream 7","args":{"name":"python"},"src":{"ph":"M"}}
{"ts":4000,"kind":"sample","name":"sampled","pid":1,"tid":2,"src":{"ph":"P","sf":3}}
{"ts":3000,"kind":"flow","name":"fwdbwd","cat":"fwdbwd","pid":1,"tid":2,"id":"0x9","src":{"ph":"t","bp":"e"}}
END

# --- numbers and unusual members

records 'times are decimals: 19 digits, quotes, exponents, negative values, fractions of a nanosecond' <<'END'
[
{"ts":1712195495502094.520,"dur":9007199254740.993},
{"ts":9223372036854775.807,"dur":-9223372036854775.808},
{"ts":"5","dur":"1.001"},
{"ts":1e3,"dur":15E-2},
{"ts":-1.5,"dur":-0.001},
{"ts":1.0009999,"dur":0.00049},
{"ts":0.0000,"dur":-0}
]
---
{"ts":1712195495502094520,"dur":9007199254740993,"kind":"range"}
{"ts":9223372036854775807,"dur":-9223372036854775808,"kind":"range"}
{"ts":5000,"dur":1001,"kind":"range"}
{"ts":1000000,"dur":150,"kind":"range"}
{"ts":-1500,"dur":-1,"kind":"range"}
{"ts":1001,"dur":0,"kind":"range"}
{"ts":0,"dur":0,"kind":"range"}
END

records 'events without ts, unknown phases and categories, members that no field holds' <<'END'
[
{"ph":"X","cat":"new_cat","name":"g","pid":1,"tid":2,"ts":3,"dur":2},
{"ph":"Q","cat":"cpu_op","name":"g","pid":1,"tid":2,"ts":3},
{"ph":"X","cat":"cpu_op","name":"no ts","pid":1,"tid":2,"args":{"a":1}},
{"ph":"X","cat":"cpu_op","name":"more","pid":1,"tid":2,"ts":5,"dur":1,"args":[1, 2],"foo":{"a" : [ ]},"bar":null,"tts":5},
{"ph":"X","cat":5,"name":null,"pid":1.5,"tid":true,"id":null,"ts":1},
{"ph":{ "a":
1},"pid":null,"tid":[1, 2],"ts":"soon","dur":{}},
{"cat":"cpu_op","name":"no ph","args":"none","ts":1},
{}
]
---
{"ts":3000,"dur":2000,"kind":"range","name":"g","cat":"new_cat","pid":1,"tid":2}
{"ts":3000,"kind":"other","name":"g","cat":"cpu_op","pid":1,"tid":2,"src":{"ph":"Q"}}
{"kind":"other","name":"no ts","cat":"cpu_op","pid":1,"tid":2,"args":{"a":1}}
{"ts":5000,"dur":1000,"kind":"op","name":"more","cat":"cpu_op","pid":1,"tid":2,"src":{"foo":{"a":[]},"bar":null,"tts":5,"args":[1,2]}}
{"ts":1000,"kind":"range","src":{"name":null,"cat":5,"id":null,"pid":1.5,"tid":true}}
{"kind":"other","src":{"ts":"soon","dur":{},"pid":null,"tid":[1,2],"ph":{"a":1}}}
{"ts":1000,"kind":"op","name":"no ph","cat":"cpu_op","src":{"args":"none"}}
END

records 'names and args are unchanged: escapes, UTF-8, numbers' <<'END'
[{"ph":"X","cat":"cpu_op","name":"é \u00e9 \ud83d\ude00 \/ \"q\" \\ \n 漢字","pid":1,"tid":2,"ts":1,"args":{ "f" : 1.50, "e":1E5, "z":-0.0, "big":123456789012345678901234567890,
	"Ünï\t":[ true , null , { "a b" : "c  d" } ] }}]
---
{"ts":1000,"kind":"op","name":"é \u00e9 \ud83d\ude00 \/ \"q\" \\ \n 漢字","cat":"cpu_op","pid":1,"tid":2,"args":{"f":1.50,"e":1E5,"z":-0.0,"big":123456789012345678901234567890,"Ünï\t":[true,null,{"a b":"c  d"}]}}
END

# --- pairs of events

cat >x.json <<'END'
[{"ph":"B","name":"a","cat":"c","pid":1,"tid":1,"ts":1,"args":{"x":1,"ph":"p"},"sf":7},
{"ph":"B","name":"b","pid":1,"tid":1,"ts":2},
{"ph":"B","name":"open","pid":1,"tid":2,"ts":2},
{"ph":"E","pid":1,"tid":1,"ts":3,"args":{"y":2}},
{"ph":"E","pid":1,"tid":1,"ts":4,"args":{"x":2},"esf":8},
{"ph":"E","pid":1,"tid":1,"ts":5},
{"ph":"b","cat":"n","id":"0x1","name":"A","pid":1,"tid":1,"ts":10},
{"ph":"b","cat":"n","id":"0x2","name":"B","pid":1,"tid":1,"ts":11},
{"ph":"n","cat":"n","id":"0x2","name":"B","pid":1,"tid":1,"ts":11.5},
{"ph":"e","cat":"n","id":"0x1","name":"A","pid":1,"tid":1,"ts":12},
{"ph":"e","cat":"n","id":"0x2","name":"B","pid":1,"tid":9,"ts":13},
{"ph":"e","cat":"m","id":"0x2","name":"B","pid":1,"tid":9,"ts":13},
{"ph":"S","cat":"n","id":4,"name":"S","pid":1,"tid":9,"ts":13},
{"ph":"F","cat":"n","id":4,"name":"S","pid":1,"tid":9,"ts":14},
{"ph":"b","cat":"n","id2":{"local":"0x5"},"name":"L","pid":1,"tid":9,"ts":14},
{"ph":"b","cat":"n","id2":{"local":"0x5"},"name":"M","pid":2,"tid":9,"ts":15},
{"ph":"b","cat":"n","id2":{"local":"0x6"},"name":"N","pid":1,"tid":9,"ts":15.5},
{"ph":"e","cat":"n","id2":{"local":"0x5"},"name":"L","pid":1,"tid":9,"ts":16},
{"ph":"e","cat":"n","id2":{"local":"0x5"},"name":"M","pid":2,"tid":9,"ts":17},
{"ph":"e","cat":"n","id2":{"local":"0x6"},"name":"N","pid":1,"tid":9,"ts":18},
{"ph":"B","name":"k","cat":"kernel","pid":0,"tid":7,"ts":1,"args":{"stream":7,"correlation":3}},
{"ph":"E","pid":0,"tid":7,"ts":9}]
END
check 'begin and end events become ranges' 0 'trace2ndjson x.json' <<'END'
{"ts":2000,"dur":1000,"kind":"range","name":"b","pid":1,"tid":1,"args":{"y":2}}
{"ts":1000,"dur":3000,"kind":"range","name":"a","cat":"c","pid":1,"tid":1,"args":{"ph":"p","x":2},"src":{"sf":7,"esf":8}}
{"ts":5000,"kind":"other","pid":1,"tid":1,"src":{"ph":"E"}}
{"ts":11500,"kind":"mark","name":"B","cat":"n","pid":1,"tid":1,"id":"0x2","src":{"ph":"n"}}
{"ts":10000,"dur":2000,"kind":"range","name":"A","cat":"n","pid":1,"tid":1,"id":"0x1"}
{"ts":11000,"dur":2000,"kind":"range","name":"B","cat":"n","pid":1,"tid":1,"id":"0x2"}
{"ts":13000,"kind":"other","name":"B","cat":"m","pid":1,"tid":9,"id":"0x2","src":{"ph":"e"}}
{"ts":13000,"dur":1000,"kind":"range","name":"S","cat":"n","pid":1,"tid":9,"id":4}
{"ts":14000,"dur":2000,"kind":"range","name":"L","cat":"n","pid":1,"tid":9,"src":{"id2":{"local":"0x5"}}}
{"ts":15000,"dur":2000,"kind":"range","name":"M","cat":"n","pid":2,"tid":9,"src":{"id2":{"local":"0x5"}}}
{"ts":15500,"dur":2500,"kind":"range","name":"N","cat":"n","pid":1,"tid":9,"src":{"id2":{"local":"0x6"}}}
{"ts":1000,"dur":8000,"kind":"kernel","name":"k","cat":"kernel","dev":0,"stream":7,"corr":3,"args":{"stream":7,"correlation":3}}
{"ts":2000,"kind":"range","name":"open","pid":1,"tid":2,"src":{"ph":"B"}}
--- stderr
trace2ndjson: x.json: byte 291: end of a range without a begin; written as kind other (and 1 more)
trace2ndjson: x.json: byte 134: range without an end; written without dur
END
check '-k selects ranges by the kind of their begin event' 0 \
	'trace2ndjson -k kernel x.json 2>err; grep -c . err' <<'END'
{"ts":1000,"dur":8000,"kind":"kernel","name":"k","cat":"kernel","dev":0,"stream":7,"corr":3,"args":{"stream":7,"correlation":3}}
2
END

# --- documents

records 'empty arrays of events and empty documents have no records' <<'END'
{"traceEvents":[]}
[]
{"traceEvents": [ ]
}
---
END

records 'several documents in one file are read' <<'END'
[{"ts":1}]
[{"ts":2}
,{"ts":3}]{"displayTimeUnit":"ns","traceEvents":[{"ts":4}]}{"traceEvents":[{"ts":5}]}
---
{"ts":1000,"kind":"range"}
{"ts":2000,"kind":"range"}
{"ts":3000,"kind":"range"}
{"kind":"meta","name":"displayTimeUnit","args":{"value":"ns"}}
{"ts":4000,"kind":"range"}
{"ts":5000,"kind":"range"}
END

records 'a member traceEvents that is not an array becomes metadata' <<'END'
{"traceEvents":{"a":[1]},"displayTimeUnit":"ns"}
---
{"kind":"meta","name":"traceEvents","args":{"a":[1]}}
{"kind":"meta","name":"displayTimeUnit","args":{"value":"ns"}}
END

printf '{"traceEvents":\r\n[\r\n{"ts":1},\r\n{"ts":2,"args":{\r\n"a":\t1}}\r\n]\r\n}\r\n\r\n' >x.json
check 'lines may end in CRLF' 0 'trace2ndjson x.json' <<'END'
{"ts":1000,"kind":"range"}
{"ts":2000,"kind":"range","args":{"a":1}}
END

if have python3; then
	# long.py N DEPTH: prints an event with a name of N bytes and args nested DEPTH levels, and a second event.
	cat >long.py <<'E'
import sys
n, depth = int(sys.argv[1]), int(sys.argv[2])
print('[{"ts":1,"name":"%s","args":%s1%s},{"ts":2}]' % ("n" * n, '{"a":' * depth, "}" * depth))
E
	for n in 4096 1048576 5000000; do
		check "a name may have $n bytes" 0 \
			"python3 long.py $n 1 | trace2ndjson | sed 's/n\\{1000\\}//g; s/n\\{20,\\}//; s/nn*\",\"args/\",\"args/'" <<'END'
{"ts":1000,"kind":"range","name":"","args":{"a":1}}
{"ts":2000,"kind":"range"}
END
	done
	cat >list.py <<'E'
print('[{"ts":1,"args":{"list":[%s]}},{"ph":"X","ts":2}]' % ",".join(60000 * ['{"name":"x","ts":1}']))
E
	check 'an event of over 1 MiB may have a list of objects that look like events' 0 \
		'python3 list.py | trace2ndjson | sed "s/{\"name\":\"x\",\"ts\":1},*//g"' <<'END'
{"ts":1000,"kind":"range","args":{"list":[]}}
{"ts":2000,"kind":"range"}
END
	check 'args may be nested 1023 levels, with the event 1024' 0 \
		'python3 long.py 1 1023 | trace2ndjson | sed "s/{\"a\":{.*}/deep/"' <<'END'
{"ts":1000,"kind":"range","name":"n","args":deep
{"ts":2000,"kind":"range"}
END
	check 'an event nested 1025 levels is skipped' 1 'python3 long.py 1 1024 | trace2ndjson' <<'END'
{"ts":2000,"kind":"range"}
--- stderr
trace2ndjson: stdin: byte 1: not a valid event; skipped
END
fi

# --- damage: all valid events are written

# event NAME [TS [ARGS]]: prints an event of category cpu_op with these values.
event() {
	printf '{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":2,"ts":%s,"dur":1,"args":{%s}}' "$1" "${2:-1}" "${3-}"
}
A=$(event a)
B=$(event b 2)
C=$(event c 3)
a='{"ts":1000,"dur":1000,"kind":"op","name":"a","cat":"cpu_op","pid":1,"tid":2,"args":{}}'
b='{"ts":2000,"dur":1000,"kind":"op","name":"b","cat":"cpu_op","pid":1,"tid":2,"args":{}}'
c='{"ts":3000,"dur":1000,"kind":"op","name":"c","cat":"cpu_op","pid":1,"tid":2,"args":{}}'

# made NAME STATUS TEXT MESSAGE...: writes TEXT to x.json and converts it. Each MESSAGE is the rest of a line on stderr
# after the word `byte`; standard input has the expected records.
made() {
	made_name=$1 made_status=$2
	printf '%s' "$3" >x.json
	shift 3
	{
		cat
		echo '--- stderr'
		[ $# = 0 ] || printf 'trace2ndjson: x.json: byte %s\n' "$@"
	} | check "$made_name" "$made_status" 'trace2ndjson x.json'
}

made 'a file that ends inside an event' 1 "{\"traceEvents\":[$A,${B%??????????}" \
	'94: file is cut short: the last event is incomplete' <<END
$a
END
made 'a file that ends after a comma' 1 "{\"traceEvents\":[$A," \
	'94: file is cut short: the array of events is not closed' <<END
$a
END
made 'a file that ends after the array of events' 1 "{\"traceEvents\":[$A]" \
	'94: file is cut short: the top-level object is not closed' <<END
$a
END
made 'a file that ends inside a number of metadata: the number may continue' 1 "{\"traceEvents\":[$A],\"x\":12" \
	'99: file is cut short: the top-level object is not closed' <<END
$a
END
made 'a file that ends inside a string of metadata' 1 "{\"traceEvents\":[$A],\"x\":\"12" \
	'99: file is cut short: the top-level object is not closed' <<END
$a
END
made 'a file that ends inside a key before the events' 1 '{"schemaVersion":1,"trac' \
	'19: file is cut short: the top-level object is not closed' <<END
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
END
made 'a bare array that ends inside an event' 1 "[$A,${B%??????????}" \
	'79: file is cut short: the last event is incomplete' <<END
$a
END
made 'a bare array that ends after a comma' 0 "[$A," '78: trailing comma; removed' <<END
$a
END

made 'an unescaped quote in a file of one line' 0 \
	"{\"traceEvents\":[$A,$(event 'x"y'),$B,$C]}" '94: unescaped quote in a string; escaped' <<END
$a
{"ts":1000,"dur":1000,"kind":"op","name":"x\\"y","cat":"cpu_op","pid":1,"tid":2,"args":{}}
$b
$c
END
made 'an event without its end is skipped' 1 "{\"traceEvents\":[$A,{\"ph\":\"X\",\"name\":\"x,$B,$C]}" \
	'94: not a valid event; skipped' <<END
$a
$b
$c
END
made 'an event without its last brace is skipped' 1 \
	"{\"traceEvents\":[$A,${B%?},$C]}" '94: not a valid event; skipped' <<END
$a
$c
END
made 'an event with an unclosed bracket is skipped' 1 \
	"[$A,$(event x 1 '"v":[1'),$C]" '79: not a valid event; skipped' <<END
$a
$c
END
made 'text between events is skipped' 1 "[$A, blah {[ ,$B,$C]" '80: not a valid event; skipped' <<END
$a
$b
$c
END
made 'a bare array that ends after an event' 0 "[$A,$B" <<END
$a
$b
END
made 'a bracket closes the array after an element that is not an object' 1 "{\"traceEvents\":[$A,5],\"x\":1}" \
	'94: not a valid event; skipped' <<END
$a
{"kind":"meta","name":"x","args":{"value":1}}
END
made 'events after an event whose opening brace is missing' 1 "[$A,${B#?},$B,$C]" \
	'79: not a valid event; skipped' '154: extra closing bracket between events; removed' <<END
$a
$b
$c
END
made 'elements that are not objects are skipped' 1 "[$A,\"x\",5,null,$B,[1,2],$C]" \
	'79: not a valid event; skipped (and 1 more)' <<END
$a
$b
$c
END
made 'extra brackets and braces are removed' 0 "[$A}}]],$B,$C]" \
	'78: extra closing bracket between events; removed (and 2 more)' \
	'82: extra closing bracket; removed' <<END
$a
$b
$c
END
made 'a bracket that closes the array too early is removed' 0 \
	"{\"traceEvents\":[$A],$B,$C],\"displayTimeUnit\":\"ms\"}" \
	'95: extra closing bracket between events; removed' <<END
$a
$b
$c
{"kind":"meta","name":"displayTimeUnit","args":{"value":"ms"}}
END
made 'a bracket that closes a bare array too early is removed' 0 \
	"[$A]$B,$C]" '79: extra closing bracket between events; removed' <<END
$a
$b
$c
END
made 'a bare array: an event whose opening brace became a bracket is skipped' 1 "[$A,]${B#?},$C]" \
	'78: trailing comma; removed' \
	'80: text after the end of the trace; skipped' <<END
$a
$c
END
made 'an object: an event whose opening brace became a bracket is skipped' 1 \
	"{\"traceEvents\":[$A,] \"a\" ${B#?},$C]}" \
	'93: trailing comma; removed' '96: missing comma between members; added' \
		'100: metadata is not valid JSON or is larger than --max-record; skipped' <<END
$a
$c
END
made 'extra and missing commas between events are repaired' 0 \
	"[$A,,$B $C,]" '78: extra comma between events; removed' '157: missing comma between events; added' \
	'235: trailing comma; removed' <<END
$a
$b
$c
END
made 'invalid metadata before the events are skipped' 1 \
	"{\"schemaVersion\":1,\"a\":{\"b\":[1,2},\"c\":5,\"traceEvents\":[$A,$B],\"d\":1}" \
	'24: metadata is not valid JSON or is larger than --max-record; skipped' <<END
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
$a
$b
{"kind":"meta","name":"d","args":{"value":1}}
END
made 'metadata with an unclosed string are skipped' 1 "{\"schemaVersion\":1,\"x\":{\"a\":\"b},\"traceEvents\":[$A]}" \
	'23: metadata is not valid JSON or is larger than --max-record; skipped' <<END
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
$a
END
made 'metadata values without quotes are repaired' 0 \
	"{\"host\":foo bar,\"traceEvents\":[$A],\"gpu\":-nan(ind),\"x\":True}" \
	'8: metadata value without quotes; read as text' '116: NaN, Infinity or N/A; replaced by null' \
	'130: True, False or None; replaced by true, false or null' <<END
{"kind":"meta","name":"host","args":{"value":"foo bar"}}
$a
{"kind":"meta","name":"gpu","args":{"value":null}}
{"kind":"meta","name":"x","args":{"value":true}}
END
made 'unescaped quotes in metadata are escaped' 0 "{\"traceEvents\":[$A],\"INFO\":[\"a \"quoted\" text\",\"b\"]}" \
	'102: unescaped quote in a string; escaped' <<END
$a
{"kind":"meta","name":"INFO","args":{"value":["a \\"quoted\\" text","b"]}}
END
made 'text after the end is skipped' 1 "[$A] and more" '80: text after the end of the trace; skipped' <<END
$a
END
made 'events with a ts or dur beyond 64 bits are skipped' 1 \
	"[$A,{\"ts\":9223372036854775.808},{\"ts\":1,\"dur\":1e20},{\"ts\":-9223372036854775.809},$B]" \
	'79: ts or dur does not fit in 64 bits; event skipped (and 2 more)' <<END
$a
$b
END
made 'events with an invalid value are skipped' 1 \
	"[$A,{\"ts\":1,\"pid\":tru},{\"ts\":1,\"foo\":[1 2]},{\"ts\":1,\"ph\":X},{\"ts\":1,\"args\":{\"a\":[1,{\"b\"}]}},$B]" \
	'79: not a valid event; skipped (and 3 more)' <<END
$a
$b
END
made 'the last of two members with the same name counts' 0 \
	'[{"ts":7,"ts":1,"args":{"a":1},"name":"x","args":{"b":2},"name":"y"}]' \
	'1: duplicate member; only the last one counts' <<'END'
{"ts":1000,"kind":"range","name":"y","args":{"b":2}}
END

printf '   \n\n' >x.json
slow check 'a file of white space is empty' 1 'trace2ndjson x.json' <<'END'
--- stderr
trace2ndjson: x.json: byte 0: empty input
END

signs() { # signs NAME MESSAGE: the message about the unknown content of x.json
	check "$1 is recognised and not read" 1 'trace2ndjson x.json' <<END
--- stderr
trace2ndjson: x.json: byte 0: $2
END
}
printf '\000[\000]\000 \000 ' >x.json
signs 'UTF-16 without a byte order mark' 'looks like UTF-16; convert it with iconv -f UTF-16 -t UTF-8'
printf '\377\376\000\000[\000\000\000' >x.json
signs 'UTF-32' 'looks like UTF-32; convert it with iconv -f UTF-32 -t UTF-8'
printf '\050\265\057\375abc' | gzip -c >x.json
signs 'zstd data inside gzip data' 'looks like zstd; decompress it with zstd -dc'
printf 'PERFILE2\0\0' | gzip -c >x.json
signs 'perf.data' 'looks like a perf.data file; convert it with: perf script -i FILE | trace2ndjson'
printf '{\n"schema": "1.1.1-chakra.0.0.4", "pid": 7, "time": "2026", "start_ts": 5, "nodes": [{"id": 2}]}' |
	tr -d "\n" >x.json
lacks='which has no times of the GPU; read the trace of torch.profiler (Kineto) of the same run'
signs 'an execution trace' "looks like an execution trace of PyTorch (ExecutionTraceObserver), $lacks"
printf '\007\n\0050.0.4\020\010\001\022\004add' | gzip -c >x.json
signs 'a Chakra trace' "looks like a Chakra execution trace, $lacks, or print this one with chakra_jsonizer"
{ echo '{"traceEvents":[]}' >member && tar -cf - member | gzip -c; } >x.json
signs 'a tar archive' \
	'looks like a tar archive; unpack it with tar -xf, or read a member: tar -xOf FILE.tar NAME | trace2ndjson'
printf 'PK\003\004\024\0' | gzip -c >x.json
signs 'a zip archive' \
	'looks like a zip archive; unpack it with unzip, or read a member: unzip -p FILE.zip NAME | trace2ndjson'
for pair in 'PAR1:a Parquet' 'ARROW1:an Arrow' '\211HDF:an HDF5'; do
	# shellcheck disable=SC2059 # the format string is the content
	printf "${pair%%:*}\025\004" >x.json
	signs "${pair#*:} file" \
		"looks like ${pair#*:} file; if nsys export wrote it, use: nsys export -t sqlite REPORT.nsys-rep"
done
printf '\200\004\225\014\0' | gzip -c >x.json
signs 'a pickle' 'looks like a Python pickle; save the trace with export_chrome_trace() of torch.profiler instead'
check 'unknown content on standard input' 1 'gzip -dc x.json | trace2ndjson' <<'END'
--- stderr
trace2ndjson: stdin: byte 0: looks like a Python pickle; save the trace with export_chrome_trace() of torch.profiler instead
END
printf '<html>' >x.json
signs 'HTML' 'looks like XML or HTML, not like a trace'
printf 'ts,"Time (%%)",kind\n1,2,kernel\n' >x.json
signs 'CSV' 'looks like CSV, not like a trace; make a record of each row: mlr --icsv --ojsonl cat FILE'
check 'CSV as the input of a filter' 1 'groupby -a count x.json' <<'END'
--- stderr
groupby: x.json: CSV, not a record stream (mlr --icsv --ojsonl cat makes a record of each row); convert the trace first: trace2ndjson x.json | groupby
groupby: x.json:1: not a JSON record; skipped (and 1 more)
END
have mlr && check 'the advice for CSV works' 0 'trace2ndjson x.json 2>&1 | sed "s/.*row: //; s/FILE/x.json/" >advice
	sh ./advice | filter-calls -w "ts==1" -k kernel -c' <<'END'
1
END
echo '{"a":1}' >x.json
signs 'other JSON' 'unknown format; select one with -F FORMAT (trace2ndjson --formats lists them)'

printf '{"traceEvents":[%s,%s,%s]}' "$A" "$B" "$C" | gzip -c >x.gz
head -c -12 x.gz >x.json
check_re 'gzip data that is cut short has one message' 1 'trace2ndjson x.json >/dev/null' <<'END'
--- stderr
trace2ndjson: x\.json: byte [0-9]+: gzip data is cut short; only the data before the cut was read
END

# One damaged event in a line of 27 MB: all others become records.
if have python3; then
	cat >others.py <<'E'
import json, sys
at = int(sys.argv[1])
got = [json.loads(line).get("ts") for line in sys.stdin]
want = [i * 1000 for i in range(int(sys.argv[2])) if i != at]
got = [ts for ts in got if ts is not None and ts != at * 1000]
print("all others" if got == want else f"{len(got)} of {len(want)} others")
E
	for how in $(amount "quote cut" "quote open bracket cut garbage" \
		"quote open close bracket brace cut backslash garbage"); do
		one_line_trace.py 20000 1000 $how >x.json
		check "one damaged event in a long line ($how) loses no other event" 0 \
			'{ trace2ndjson x.json 2>err; [ $? -le 1 ]; } | python3 others.py 1000 20000 &&
				grep -c "x.json: byte 12759[345]: " err | sed s/2/1/' <<'END'
all others
1
END
	done
fi

if have python3; then
	slow check 'a random damaged byte loses at most its event and the neighbours' 0 \
		"ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 random_damage.py $DATA/train.pt.trace.json $(amount 0 400 2000)" </dev/null
fi

# --- options

cat >t.json <<'END'
{"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":2,"ts":1,"dur":9,"args":{"n":1},"more":1},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":2,"ts":2,"dur":1,"args":{"correlation":3}},
{"ph":"X","cat":"gpu_user_annotation","name":"step","pid":0,"tid":7,"ts":2,"dur":9,"args":{"stream":8}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":4,"dur":5,"args":{"stream":7,"correlation":3}}]}
END
# --- escapes in member names are decoded

printf '%s\n' \
	'{"ts":1,"n\u0061me":"q","k\u0069nd":"op","x\"y":"\u0061","args":{"\u0061\\":{"\u0062":2}}}' >escaped.ndjson
check 'escapes in member names of records are decoded' 0 'trace2ndjson -F ndjson escaped.ndjson' <<'END'
{"ts":1,"kind":"op","name":"q","x\"y":"\u0061","args":{"a\\":{"b":2}}}
END
cat >escaped.json <<'END'
{"traceEv\u0065nts":[{"ph":"X","n\u0061me":"q","ts":1,"c\u0061t":"kernel","args":{"corr\u0065lation":7,"stre\u0061m":3}}],"distributedInf\u006f":{"r\u0061nk":3}}
END
check 'escapes in member names of Chrome events are decoded' 0 'trace2ndjson -F chrome escaped.json' <<'END'
{"ts":1000,"kind":"kernel","name":"q","cat":"kernel","stream":3,"corr":7,"args":{"correlation":7,"stream":3}}
{"kind":"meta","name":"distributedInfo","rank":3,"args":{"rank":3}}
END
check '-k decodes escapes in member names' 0 'trace2ndjson -F chrome -k op escaped.json' </dev/null

echo '[{"ph":"X","cat":"kernel","name":"no ts"},{"ph":"X","cat":"kernel","name":"k","ts":1}]' >no-ts.json
check '-k other selects events without a ts' 0 'trace2ndjson -k other no-ts.json' <<'END'
{"kind":"other","name":"no ts","cat":"kernel"}
END
check '-k selects kinds' 0 'trace2ndjson -k kernel,meta t.json' <<'END'
{"kind":"meta","name":"schemaVersion","args":{"value":1}}
{"ts":4000,"dur":5000,"kind":"kernel","name":"k","cat":"kernel","dev":0,"stream":7,"corr":3,"args":{"stream":7,"correlation":3}}
END
check '--no-args changes nothing except args and src' 0 'trace2ndjson --no-args t.json >got; trace2ndjson t.json |
	sed "s/,\"src\":.*/}/; s/,\"args\":.*/}/" | cmp - got && cat got' <<'END'
{"kind":"meta","name":"schemaVersion"}
{"ts":1000,"dur":9000,"kind":"op","name":"op","cat":"cpu_op","pid":1,"tid":2}
{"ts":2000,"dur":1000,"kind":"api","name":"cudaLaunchKernel","cat":"cuda_runtime","pid":1,"tid":2,"corr":3}
{"ts":2000,"dur":9000,"kind":"gpu_range","name":"step","cat":"gpu_user_annotation","dev":0,"stream":7}
{"ts":4000,"dur":5000,"kind":"kernel","name":"k","cat":"kernel","dev":0,"stream":7,"corr":3}
END
check '--no-args=KIND,... changes only records of these kinds' 0 '
	trace2ndjson --no-args=op,meta --no-args=api t.json >bare
	trace2ndjson t.json | sed "/\"kind\":\"\(op\|meta\|api\)\"/{s/,\"src\":.*/}/; s/,\"args\":.*/}/}" | cmp - bare
	trace2ndjson t.json | trace2ndjson --no-args=op,meta,api | cmp - bare; grep -c args bare' <<'END'
2
END
check '--no-args and --no-args=KIND: all kinds' 0 \
	'trace2ndjson --no-args --no-args=op t.json | grep -c args || :' <<'END'
0
END
check '--no-args: an unknown kind' 2 'trace2ndjson --no-args=kernels t.json 2>said; status=$?
	sed "s/expected .*; /expected ...; /" said; exit $status' <<'END'
trace2ndjson: --no-args: 'kernels': expected ...; did you mean 'kernel'?
END
check '--no-args applies to records too' 0 'trace2ndjson t.json | trace2ndjson --no-args | cmp - got' </dev/null
cat >keep.json <<'END'
{"traceEvents":[
{"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1,"pid":0,"tid":7,"args":{"a": 1, "b c": [1, {"a": 2}], "d,e":"x", "stream":7, "est. %":0.50}},
{"ph":"X","cat":"cpu_op","name":"o","ts":1,"dur":1,"pid":1,"tid":1,"args":{"\u0061":5,"q\"r":6,"n":{"a":1}}},
{"ph":"X","cat":"cpu_op","name":"p","ts":2,"dur":1,"pid":1,"tid":1,"args":{"aa":5,"text":"a\\"}},
{"ph":"B","name":"r","ts":4,"pid":1,"tid":1,"args":{"a":1,"z":2}},
{"ph":"E","name":"r","ts":5,"pid":1,"tid":1,"args":{"b c":3,"z":4}},
{"ph":"i","name":"i","ts":6,"pid":1,"tid":1,"s":"t"},
{"ph":"X","cat":"cpu_op","name":"q","ts":7,"dur":1,"pid":1,"tid":1,"args":{"size":1}}
],"distributedInfo":{"a":8,"backend":"nccl"}}
END
check '--keep-args keeps these members' 0 \
	'trace2ndjson --no-args --keep-args "b c,\"d,e\",est. %" --keep-args "a,\"q\\\"r\"" keep.json
	for names in "d\\,e,\"\\u006e\"" "\"q\\\"r\"" a; do
		trace2ndjson --no-args --keep-args "$names" keep.json | grep -o "\"args.*"; done' <<'END'
{"ts":1000,"dur":1000,"kind":"kernel","name":"k","cat":"kernel","dev":0,"stream":7,"args":{"a":1,"b c":[1,{"a":2}],"d,e":"x","est. %":0.50}}
{"ts":1000,"dur":1000,"kind":"op","name":"o","cat":"cpu_op","pid":1,"tid":1,"args":{"a":5,"q\"r":6}}
{"ts":2000,"dur":1000,"kind":"op","name":"p","cat":"cpu_op","pid":1,"tid":1}
{"ts":4000,"dur":1000,"kind":"range","name":"r","pid":1,"tid":1,"args":{"a":1,"b c":3}}
{"ts":6000,"kind":"mark","name":"i","pid":1,"tid":1}
{"ts":7000,"dur":1000,"kind":"op","name":"q","cat":"cpu_op","pid":1,"tid":1}
{"kind":"meta","name":"distributedInfo","args":{"a":8}}
"args":{"d,e":"x"}}
"args":{"n":{"a":1}}}
"args":{"q\"r":6}}
"args":{"a":1}}
"args":{"a":5}}
"args":{"a":1}}
"args":{"a":8}}
END
cat >names <<'END'
{"kind":"op","name":"aten::mm"}
{"kind":"op","name":"\u0061ten::add"}
{"kind":"op","name":"at"}
{"kind":"op"}
{"kind":"range","name":"a=b"}
{"kind":"range","name":"b"}
{"kind":"mark","name":"b"}
END
check '--begins: names of some kinds' 0 '
	trace2ndjson --begins op=aten: --begins range=a= --begins op=x names
	trace2ndjson -k range,op --begins op=aten:: --begins range=nothing --relative=0 names | cut -c 1-44
	trace2ndjson -k mark --begins op=aten names' <<'END'
{"kind":"op","name":"aten::mm"}
{"kind":"op","name":"\u0061ten::add"}
{"kind":"range","name":"a=b"}
{"kind":"mark","name":"b"}
{"kind":"meta","name":"origin","args":{"valu
{"kind":"op","name":"aten::mm"}
{"kind":"op","name":"\u0061ten::add"}
{"kind":"mark","name":"b"}
END
# An event is skipped without being parsed if a beginning of its name shows that it is not selected: the second one of a
# layout and later ones.
cat >begins.json <<'END'
{"traceEvents":[
 {"ph":"X","cat":"cpu_op","name":"x","ts":1,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"y","ts":2,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"aten::mm","ts":3,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"ate","ts":4,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"\u0061ten::mm","ts":5,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"aten::add","ts":6,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"z","name":"aten::two","ts":7,"dur":1,"args":{"a":1}},
 {"ph":"X","cat":"cpu_op","name":"z","ts":8,"dur":1,"args":{"a":1},"record":{"kind":"range"}},
 {"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","ts":9,"dur":1,"args":{"correlation":1}},
 {"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","ts":10,"dur":1,"args":{"correlation":2}},
 {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","ts":11,"dur":1,"args":{"correlation":3}}
]}
END
check '--begins: skips events of a trace' 0 '
	trace2ndjson -k op,api,range --begins op=aten: --begins op!=aten::add --begins api!=cudaEvent begins.json \
		2>/dev/null | cut -d , -f 1,4
	trace2ndjson --begins op=aten: --begins op!=aten::add --begins api!=cudaEvent begins.json >all 2>/dev/null
	trace2ndjson begins.json 2>/dev/null | filter-calls -w "kind!=op" -w "name!~^cudaEvent" | wc -l
	wc -l <all
	trace2ndjson -k op --begins "op!=y\"" begins.json 2>/dev/null | wc -l' <<'END'
{"ts":3000,"name":"aten::mm"
{"ts":5000,"name":"\u0061ten::mm"
{"ts":7000,"name":"aten::two"
{"ts":8000,"name":"z"
{"ts":11000,"name":"cudaLaunchKernel"
2
5
7
END
check '--begins: wrong arguments' 2 '
	for begin in op op= ops=a; do trace2ndjson --begins "$begin" keep.json; done 2>said; status=$?
	sed "s/expected kernel.*;/expected ...;/" said >&2; exit $status' <<'END'
--- stderr
trace2ndjson: --begins: 'op': expected KIND=TEXT or KIND!=TEXT
trace2ndjson: --begins: 'op=': expected KIND=TEXT or KIND!=TEXT
trace2ndjson: --begins: 'ops': expected ...; did you mean 'op'?
END
cat >late.json <<'END'
{"traceEvents":[
 {"ph":"X","cat":"kernel","name":"a","ts":1,"dur":1,"args":{"drop":1,"n":2,"m":[1, 2],"stream":7}},
 {"ph":"X","cat":"kernel","name":"b","ts":2,"dur":1,"args":{"drop":1,"stream":8}},
 {"ph":"X","cat":"kernel","name":"no ts","args":{"drop":1,"n":2}},
 {"ph":"X","cat":"kernel","name":"range","ts":3,"dur":1,"args":{"drop":1,"n":2},"record":{"kind":"range"}},
 {"ph":"X","cat":"kernel","name":"twice","ts":4,"dur":1,"args":{"drop":1,"n":2},"cat":"cpu_op"},
 {"ph":"X","args":{"drop":1,"n":2},"cat":"kernel","name":"first","ts":5,"dur":1}
]}
END
check '--keep-args: the kind of a record is that of all its members' 0 '
	trace2ndjson --quiet -k kernel,op,range,other --no-args=kernel --keep-args=n,m late.json 2>/dev/null' <<'END'
{"ts":1000,"dur":1000,"kind":"kernel","name":"a","cat":"kernel","stream":7,"args":{"n":2,"m":[1,2]}}
{"ts":2000,"dur":1000,"kind":"kernel","name":"b","cat":"kernel","stream":8}
{"kind":"other","name":"no ts","cat":"kernel","args":{"drop":1,"n":2}}
{"ts":3000,"dur":1000,"kind":"range","name":"range","cat":"kernel","args":{"drop":1,"n":2}}
{"ts":4000,"dur":1000,"kind":"op","name":"twice","cat":"cpu_op","args":{"drop":1,"n":2}}
{"ts":5000,"dur":1000,"kind":"kernel","name":"first","cat":"kernel","args":{"n":2}}
END
check '--no-args=KIND --keep-args: other kinds keep all args' 0 '
	trace2ndjson --no-args=op --keep-args=n keep.json >some
	trace2ndjson -k op --no-args --keep-args=n keep.json >ops; grep "\"kind\":\"op\"" some | cmp - ops
	trace2ndjson keep.json | grep -v "\"kind\":\"op\"" >others; grep -v "\"kind\":\"op\"" some | cmp - others
	grep -o "\"args.*" ops' <<'END'
"args":{"n":{"a":1}}}
END
check '--keep-args with --relative, --sort and --set' 0 '
	trace2ndjson --quiet --relative --sort --set rank=3 --no-args --keep-args z keep.json |
	ndjson2table -o csv -f ts,rank,args' <<'END'
ts,rank,args
,3,"{""value"":""1000""}"
,3,
0,3,
0,3,
1000,3,
3000,3,"{""z"":4}"
5000,3,
6000,3,
END
check '--keep-args needs --no-args' 2 'trace2ndjson --keep-args a keep.json' <<'END'
--- stderr
trace2ndjson: --keep-args needs --no-args
END
check '--keep-args: names that are empty or have a faulty quote' 2 '
	for names in "" a, , "\"\"" "\"a" "\"a\"b" "\"\\x\""; do
	trace2ndjson --no-args --keep-args "$names" keep.json; done' <<'END'
--- stderr
trace2ndjson: --keep-args: the name of the member is empty
trace2ndjson: --keep-args: the name of the member is empty
trace2ndjson: --keep-args: the name of the member is empty
trace2ndjson: --keep-args: the name of the member is empty
trace2ndjson: --keep-args: '"a': expected a name, or a JSON string in double quotes
trace2ndjson: --keep-args: '"a"b': expected a name, or a JSON string in double quotes
trace2ndjson: --keep-args: '"\x"': expected a name, or a JSON string in double quotes
END
have python3 && check '--keep-args equals a selection in python, in several formats' 0 '
	rocprof_trace.py >rocprof.json; perfetto_trace.py all >run.pftrace
	kept_args.py "$DATA/train.pt.trace.json" "$DATA/train.nsys.json" rocprof.json run.pftrace keep.json' <<'END'
39 train.pt.trace.json
48 train.nsys.json
15 rocprof.json
3 run.pftrace
4 keep.json
END
have python3 && need_shared data/kineto data/rocprof data/pftrace &&
	check '--keep-args equals a selection in python: recorded traces' 0 'cd "$SHARED/data" &&
		kept_args.py kineto/h100_vit.json.gz rocprof/908_results.json.gz \
			pftrace/torch_event_sync_multi_stream.pftrace.gz' <<'END'
4567 h100_vit.json.gz
43926 908_results.json.gz
73 torch_event_sync_multi_stream.pftrace.gz
END

# -k drops the same events as the option -k of filter-calls, but while the trace is read.
for kinds in kernel op,api meta range,mark,flow python,other memcpy,memset,sync,gpu_range; do
	check "-k $kinds gives the same as filter-calls" 0 "trace2ndjson -k $kinds $DATA/train.pt.trace.json >got
		trace2ndjson $DATA/train.pt.trace.json | filter-calls -k $kinds | cmp - got" </dev/null
done
if need_shared data/kineto; then
	for kinds in kernel api,flow,range; do
		for trace in alexnet resnet50_2021 nccl; do
			check "$trace: -k $kinds gives the same as filter-calls" 0 \
				"trace2ndjson -k $kinds --no-args $SHARED/data/kineto/$trace.json.gz >got
				trace2ndjson --no-args $SHARED/data/kineto/$trace.json.gz | filter-calls -k $kinds | cmp - got" </dev/null
		done
	done
fi

check '--set: numbers, texts, standard members; the last value of a name counts' 0 \
	"trace2ndjson -k kernel --set run=7 --set x=1.5e3 --set \
		's=a \"b\"' --set e= --set t=true --set rank=1 --set pid=p --set rank=2 --set run=8 --no-args t.json" <<'END'
{"ts":4000,"dur":5000,"kind":"kernel","name":"k","cat":"kernel","rank":2,"pid":"p","dev":0,"stream":7,"corr":3,"x":1.5e3,"s":"a \"b\"","e":"","t":true,"run":8}
END
check '--set NAME=null removes the member' 0 \
	'printf "%s\n" "{\"ts\":5,\"b\":1,\"rank\":3,\"pid\":4}" "{\"ts\":6,\"b\":1,\"c\":2}" |
	trace2ndjson --set b=null --set rank=null --set none=null --set pid=7 --set pid=null' <<'END'
{"ts":5}
{"ts":6,"c":2}
END
check '--set: the last value of a name counts, also after null' 0 \
	'echo "{\"ts\":5,\"b\":1}" | trace2ndjson --set b=null --set b=2 --set rank=null --set rank=9' <<'END'
{"ts":5,"rank":9,"b":2}
END
check "--set replaces the record's own member" 0 \
	'echo "{\"a\":[1, 2],\"ts\":5,\"b\":{\"c\":1},\"rank\":3}" | trace2ndjson --set b=x --set rank=4' <<'END'
{"ts":5,"rank":4,"a":[1,2],"b":"x"}
END
cp t.json run_abc-rank-0012.json
check '--capture sets members from the name of each file' 0 \
	"trace2ndjson -k kernel --no-args --capture 'rank=rank-?([0-9]+)' --capture \
		'run=run_([a-z]+)' run_abc-rank-0012.json t.json" <<'END'
{"ts":4000,"dur":5000,"kind":"kernel","name":"k","cat":"kernel","rank":12,"dev":0,"stream":7,"corr":3,"run":"abc"}
{"ts":4000,"dur":5000,"kind":"kernel","name":"k","cat":"kernel","dev":0,"stream":7,"corr":3}
END

# --- relative times

for f in "$DATA"/*.*; do
	trace2ndjson "$f" >want 2>message
	times=$(grep '^{"ts":' want | grep -vc '"clock":')
	[ "$times" -gt 0 ] || times='no times'
	echo "$times" >expected
	check "--relative: ts + origin is the original ts in ${f##*/}" 0 \
		"trace2ndjson --relative $f 2>again >got; cmp message again && relative_times.py want got" <expected
done
check '--relative: the origin is the same with -k, and is always written' 0 '
	for f in $DATA/train.pt.trace.json $DATA/train.nsys.json $DATA/mlp.eventlog.gz; do
		trace2ndjson --relative $f >all
		for kind in kernel api memcpy; do
			trace2ndjson --relative -k $kind $f >got
			{ grep "\"name\":\"origin\"" all; filter-calls --quiet -k $kind all; } | cmp - got
		done
	done' </dev/null
check '--relative: files have one origin, of 61 bits; earlier times are negative' 0 '
	for ts in 1614800519473000.001 1614800519472999.998; do
		echo "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":$ts,\"dur\":1}]" >$ts.json
	done
	trace2ndjson --relative 1614800519473000.001.json 1614800519472999.998.json' <<'END'
{"kind":"meta","name":"origin","args":{"value":"1614800519473000001"}}
{"ts":0,"dur":1000,"kind":"op","name":"a","cat":"cpu_op"}
{"ts":-3,"dur":1000,"kind":"op","name":"a","cat":"cpu_op"}
END
cat >r.ndjson <<'END'
{"kind":"meta","name":"header"}
{"ts":0,"kind":"meta","name":"process_name","args":{"name":"p"}}
{"kind":"row","name":"without ts"}
{"ts":100,"dur":5,"kind":"kernel","name":"k","clock":"gpu0"}
{"ts":"7","kind":"op","name":"text"}
{"ts":2000,"dur":5,"kind":"kernel","name":"k","api":{"name":"f","ts":1990,"dur":7},"delay":10,"args":{"ts":2000}}
{"ts":1500,"kind":"op","name":"earlier"}
{"kind":"op","name":"call","api":{"ts":1990}}
END
check '--relative: event records, with metadata, clocks and attached calls' 0 'trace2ndjson --relative r.ndjson' <<'END'
{"kind":"meta","name":"header"}
{"kind":"row","name":"without ts"}
{"ts":100,"dur":5,"kind":"kernel","name":"k","clock":"gpu0"}
{"kind":"op","name":"text","ts":"7"}
{"kind":"meta","name":"origin","args":{"value":"2000"}}
{"ts":-2000,"kind":"meta","name":"process_name","args":{"name":"p"}}
{"ts":0,"dur":5,"kind":"kernel","name":"k","api":{"name":"f","ts":-10,"dur":7},"delay":10,"args":{"ts":2000}}
{"ts":-500,"kind":"op","name":"earlier"}
{"kind":"op","name":"call","api":{"ts":-10}}
--- stderr
trace2ndjson: r.ndjson:5: ts is not an integer number of ns; treated as absent
END
check '--relative=T sets the origin, in any unit, and writes it first' 0 '
	for t in 1us 1000 +1us -1us; do trace2ndjson --quiet --relative=$t r.ndjson | sed -n "1p;8p"; done' <<'END'
{"kind":"meta","name":"origin","args":{"value":"1000"}}
{"ts":500,"kind":"op","name":"earlier"}
{"kind":"meta","name":"origin","args":{"value":"1000"}}
{"ts":500,"kind":"op","name":"earlier"}
{"kind":"meta","name":"origin","args":{"value":"1000"}}
{"ts":500,"kind":"op","name":"earlier"}
{"kind":"meta","name":"origin","args":{"value":"-1000"}}
{"ts":2500,"kind":"op","name":"earlier"}
END
check '--relative=-ORIGIN restores the times' 0 '
	trace2ndjson --relative $DATA/train.nsys.json >rel.ndjson
	trace2ndjson --relative=-$(jq -r "select(.name == \"origin\").args.value" rel.ndjson) rel.ndjson |
		grep -v "\"name\":\"origin\"" >got
	trace2ndjson $DATA/train.nsys.json | cmp - got' </dev/null
check '--relative: ndjson2trace and trace2ndjson keep the origin' 0 '
	trace2ndjson --relative $DATA/train.pt.trace.json | ts-sort | ndjson2trace | trace2ndjson | grep "\"origin\""' <<'END'
{"kind":"meta","name":"origin","rank":3,"args":{"value":"5107428846285"}}
END
check '--relative: --no-args and --sort keep the origin, which has the members of --set' 0 '
	trace2ndjson --quiet --relative --no-args --sort --set rank=3 --capture "from=(r)" r.ndjson |
		grep -e origin -e earlier' <<'END'
{"kind":"meta","name":"origin","rank":3,"args":{"value":"2000"}}
{"ts":-500,"kind":"op","name":"earlier","rank":3,"from":"r"}
END
check '--relative: metadata gives the origin if nothing else has a ts' 0 '
	head -n 2 r.ndjson | sed "s/0/7/" | trace2ndjson --relative' <<'END'
{"kind":"meta","name":"header"}
{"kind":"meta","name":"origin","args":{"value":"7"}}
{"ts":0,"kind":"meta","name":"process_name","args":{"name":"p"}}
END
check '--relative: a result beyond 64 bits is lost' 1 '
	printf "%s\n" "{\"ts\":-9223372036854775808}" "{\"ts\":-1}" "{\"ts\":0}" "{\"api\":{\"ts\":1}}" |
		trace2ndjson --relative' <<'END'
{"kind":"meta","name":"origin","args":{"value":"-9223372036854775808"}}
{"ts":0}
{"ts":9223372036854775807}
--- stderr
trace2ndjson: stdin:3: ts or api.ts minus the origin does not fit in 64 bits; record skipped (and 1 more)
END

printf '[%s,%s,%s]' "$A" "$(event big 5 "\"v\":\"$(printf %05000d 0)\"")" "$B" >big.json
check '--max-record skips larger events, read in small pieces' 1 \
	'TRACEFILTERS_READ=100 trace2ndjson --max-record=4kB big.json >/dev/null' <<END
--- stderr
trace2ndjson: big.json: byte 78: event larger than --max-record; skipped
END
check '--max-record skips larger events' 1 'trace2ndjson --max-record=4kB big.json' <<END
$a
$b
--- stderr
trace2ndjson: big.json: byte 78: event larger than --max-record; skipped
END
check '--lenient exits 0 when events are skipped' 0 \
	'trace2ndjson --lenient --max-record 4kB big.json 2>&1 >/dev/null' <<'END'
trace2ndjson: big.json: byte 78: event larger than --max-record; skipped
END
printf '{"x":"%s","traceEvents":[%s]}' "$(printf %05000d 0)" "$A" >big.json
check '--max-record skips larger metadata' 1 'trace2ndjson --max-record=4kB big.json' <<END
$a
--- stderr
trace2ndjson: big.json: byte 5: metadata is not valid JSON or is larger than --max-record; skipped
END

gzip -c t.json >t.json.gz
check 'files, standard input and gzip data can be mixed' 0 \
	'trace2ndjson --quiet t.json.gz - t.json <t.json.gz >got
	 trace2ndjson t.json >one; cat one one one | cmp - got' </dev/null
check 'a missing file is reported, and the other files are read' 2 \
	"printf '[%s]' '$A' >x.json; trace2ndjson x.json nowhere.json x.json" <<END
$a
$a
--- stderr
trace2ndjson: nowhere.json: cannot open: No such file or directory
END
check 'each of two damaged files is reported' 1 \
	"printf '[%s,{' '$A' >x.json; cp x.json y.json; trace2ndjson x.json y.json" <<END
$a
$a
--- stderr
trace2ndjson: x.json: byte 79: file is cut short: the last event is incomplete
trace2ndjson: y.json: byte 79: file is cut short: the last event is incomplete
END

check '--formats: each format has an example' 0 'trace2ndjson --formats |
	awk "/^[^ ]/ { if (name) print name; name = \$1 } /^ .*trace2ndjson/ { name = \"\" } END { if (name) print name }"' \
	</dev/null
check '--formats' 0 'trace2ndjson --formats | cut -d" " -f 1 | grep -x -e nsys -e chrome -e ndjson | sort' <<'END'
chrome
ndjson
nsys
END
for offset in 2 +2 -5:30 +0530 24; do
	echo '{"a":1}' | trace2ndjson -F ndjson --tz-offset "$offset" >out 2>&1 || fail "--tz-offset $offset" <out
done
for offset in '' x 25 +5:60 5: +5:3x --; do
	check "--tz-offset '$offset'" 2 "trace2ndjson --tz-offset '$offset' -F ndjson /dev/null" <<END
--- stderr
trace2ndjson: --tz-offset: '$offset': expected an offset such as +2 or -5:30
END
done
echo '{"a":1}' >x.json
check '-F reads the input as this format' 0 'trace2ndjson -F chrome x.json' <<'END'
{"kind":"meta","name":"a","args":{"value":1}}
END
check '-F ndjson reads records' 0 'trace2ndjson -F ndjson x.json' <<'END'
{"a":1}
END
check_re 'an unknown format is an error that suggests a similar one' 2 'trace2ndjson -F crome x.json' <<'END'
--- stderr
trace2ndjson: -F: 'crome': expected .*chrome.*; did you mean 'chrome'\?
END
check_re 'an unknown kind is an error that suggests a similar one' 2 'trace2ndjson -k kernel,kernal x.json' <<'END'
--- stderr
trace2ndjson: -k: 'kernal': expected kernel, .*; did you mean 'kernel'\?
END
refused() { # refused OPTIONS MESSAGE
	check "$1 is an error" 2 "trace2ndjson $1 x.json" <<END
--- stderr
trace2ndjson: $2
END
}
refused '--set a' "--set: 'a': expected NAME=VALUE"
refused '--set =5' '--set: the name of the member is empty'
refused '--set ts=5' "--set: 'ts' is a standard member; choose another name"
refused '--capture a=b' "--capture: 'b': expected a regular expression with exactly one (group)"
refused '--capture ab' "--capture: 'ab': expected NAME=REGEX"
refused "--capture 'a=(b'" "--capture: '(b': invalid regular expression: unmatched ( or \\("
refused '--max-record 5zz' "--max-record: '5zz': expected a size >= 1B, such as 64MiB (units: B kB MB GB KiB MiB GiB)"
refused '--progress=often' "--progress: 'often': expected auto, always or never"

if have python3; then
	one_line_trace.py 60000 -1 cut >x.json
	check '--progress=always shows bytes, speed and events' 0 \
		'{ head -c 4000000 x.json; sleep 1; tail -c +4000001 x.json; } |
		trace2ndjson --progress=always 2>err >got; trace2ndjson x.json | cmp - got
		tr "\r" "\n" <err | grep -Eq "^stdin: [0-9.]+ MB, [0-9]+ MB/s, [0-9]+ events.\[K$" && tail -c 4 err |
		od -An -c' <<'END'
  \r 033   [   K
END
	check '--progress=never, and auto without a terminal, show nothing' 0 \
		'trace2ndjson --progress=never x.json >/dev/null; trace2ndjson x.json >/dev/null' </dev/null
fi

# --- binary reports of Nsight Systems, exported with nsys

: >run.nsys-rep
if grep -q HAVE_SQLITE "$BUILD/flags"; then
	advice='--type=sqlite --output=report.sqlite run.nsys-rep'
else
	advice='--type=jsonlines --output=report.jsonl run.nsys-rep (nsys before 2024: --type=json --separate-strings=true)'
fi
check 'without nsys, a report is an error that shows the command' 2 'trace2ndjson run.nsys-rep' <<END
--- stderr
trace2ndjson: run.nsys-rep: exporting this binary report needs nsys, which is not in PATH; on a machine with nsys, run: nsys export $advice
END
check 'without nsys, a compressed report and one on standard input are recognised' 2 \
	'echo "NVIDIA Tegra Profiler Report 2024@1" | gzip -c >report.gz; trace2ndjson report.gz
	gzip -dc report.gz | trace2ndjson' <<END
--- stderr
trace2ndjson: report.gz: exporting this binary report needs nsys, which is not in PATH; on a machine with nsys, run: nsys export ${advice%% run.nsys-rep*} REPORT${advice##*run.nsys-rep}
trace2ndjson: stdin: exporting this binary report needs nsys, which is not in PATH; on a machine with nsys, run: nsys export ${advice%% run.nsys-rep*} REPORT${advice##*run.nsys-rep}
END
check 'a missing report is an error' 2 'trace2ndjson nowhere.qdrep' <<'END'
--- stderr
trace2ndjson: nowhere.qdrep: cannot open: No such file or directory
END
mkdir bin tmp
cat >bin/nsys <<'END'
#!/bin/sh
# a replacement for nsys; $TYPES are the types of export that it supports
[ "$FAILS" ] && { echo 'cannot read the report' >&2; exit 3; }
printf 'Processing\r 50%%\r100%%\n' >&2
case $* in
"export --type=sqlite --force-overwrite=true --output="*) type=sqlite ;;
"export --type=jsonlines --force-overwrite=true --output="*) type=jsonl ;;
"export --type=json --force-overwrite=true --output="*" --separate-strings=true "*) type=json ;;
esac
case " $TYPES " in
*" $type "*) ;;
*) echo "Unsupported export type option: '$type'" >&2; exit 1 ;;
esac
for arg; do
	case $arg in
	--output=*) to=${arg#*=} ;;
	esac
done
case $arg in
./-x.nsys-rep | run.nsys-rep) ;;
*/report.nsys-rep) grep -q '^NVIDIA Tegra Profiler Report' "$arg" || exit 4 ;;
*) exit 5 ;;
esac
cp "$EXPORTS/train.nsys.$type" "$to"
END
chmod +x bin/nsys
mkdir exports
cp "$DATA/train.nsys.json" "$DATA/train.nsys.jsonl" exports
export TMPDIR="$PWD/tmp" EXPORTS="$PWD/exports"
: >-x.nsys-rep
if grep -q HAVE_SQLITE "$BUILD/flags"; then
	have python3 && database_of.py "$DATA/train.nsys.jsonl" exports/train.nsys.sqlite &&
		check 'a report is exported to SQLite: by name, compressed, on standard input' 0 '
			trace2ndjson exports/train.nsys.sqlite >want; export TYPES=sqlite PATH=$PWD/bin:$PATH
			trace2ndjson run.nsys-rep | cmp want -; trace2ndjson -- -x.nsys-rep | cmp want -
			trace2ndjson report.gz | cmp want -; gzip -dc report.gz | trace2ndjson | cmp want -; ls tmp' </dev/null
else
	check 'without libsqlite3, nsys since 2024 exports jsonlines' 0 '
		trace2ndjson exports/train.nsys.jsonl >want; export TYPES="json jsonl" PATH=$PWD/bin:$PATH
		trace2ndjson run.nsys-rep | cmp want -; trace2ndjson -- -x.nsys-rep | cmp want -; ls tmp' </dev/null
	check 'without libsqlite3, nsys before 2024 exports json' 0 '
		trace2ndjson exports/train.nsys.json >want; export TYPES=json PATH=$PWD/bin:$PATH
		trace2ndjson run.nsys-rep | cmp want -; trace2ndjson report.gz | cmp want -; ls tmp' </dev/null
fi
check 'a perf.data file is recognised and not read' 1 'printf "PERFILE2\\0\\0" | trace2ndjson' <<'END'
--- stderr
trace2ndjson: stdin: byte 0: looks like a perf.data file; convert it with: perf script -i FILE | trace2ndjson
END
check 'messages of a failed nsys are printed' 2 \
	'PATH=$PWD/bin:$PATH FAILS=1 trace2ndjson run.nsys-rep 2>said; code=$?; ls tmp; uniq said >&2; exit $code' <<'END'
--- stderr
trace2ndjson: nsys: cannot read the report
trace2ndjson: run.nsys-rep: nsys export failed with status 3
END
{ echo 'NVIDIA Tegra Profiler Report 2024@1' && seq 200000; } | gzip -c | head -c 200000 >cut.gz
check 'a compressed report that is cut short is not exported' 2 \
	'PATH=$PWD/bin:$PATH trace2ndjson cut.gz; code=$?; ls tmp; exit $code' <<'END'
--- stderr
trace2ndjson: cut.gz: the report cannot be read to its end, and is not exported
END

# --- several forms of a run

echo '[{"ph":"X","name":"a","ts":1,"dur":1}]' >a.trace.json
gzip -k a.trace.json
for other in a.xplane.pb a.json a.db a.pftrace.zst b.trace.json d/a.trace.json; do
	mkdir -p d && cp a.trace.json "$other"
done
check 'two forms of a run are noted once, with their number' 0 '
	for other in xplane.pb json db trace.json.gz pftrace.zst; do
		trace2ndjson a.$other a.trace.json 2>&1 >out | sed "s/ may be.*//"
		wc -l <out
	done
	trace2ndjson a.json a.db b.trace.json a.trace.json >out
	trace2ndjson --quiet a.json a.db >out' <<'END'
trace2ndjson: a.xplane.pb and a.trace.json
2
trace2ndjson: a.json and a.trace.json
2
trace2ndjson: a.db and a.trace.json
2
trace2ndjson: a.trace.json.gz and a.trace.json
2
trace2ndjson: a.pftrace.zst and a.trace.json
2
--- stderr
trace2ndjson: a.json and a.db may be the same run in two forms, whose events count twice (and 1 more)
END
check 'files of different runs, and one file twice, are not noted' 0 \
	'trace2ndjson a.trace.json a.trace.json b.trace.json d/a.trace.json - <a.json >out' </dev/null

# --- records that are not lines

# The first two records have what Chrome's events have as well: no ts, or a member "ph" in src.
cat >records.nd <<'END'
{"kind":"meta","name":"process_name","pid":1,"args":{"name":"python"}}
{"ts":-9007199254740993,"kind":"flow","name":"f","id":1,"src":{"ph":"s"}}
{"ts":1000,"dur":5,"kind":"kernel","name":"gemm \"q\"","dev":0,"stream":7,"corr":3,"delay":4,"ranges":["a","b"],"args":{"x":[]}}
{"ts":1007,"dur":2,"kind":"kernel","name":"relu","dev":0,"stream":7,"note":null}
END
indented='import json, sys
print(json.dumps([json.loads(line) for line in sys.stdin], indent=int(sys.argv[1]) if sys.argv[1:] else None))'
{ printf '[' && paste -sd , records.nd | tr -d '\n' && printf ']'; } >array.json
python3 -c "$indented" <records.nd >spaced.json
python3 -c "$indented" 1 <records.nd >indented.json
sed '1d; $d; s/^ },$/ }/' indented.json >sequence.json
{ echo '[' && sed '$!s/$/,/' records.nd && echo ']'; } >lines.json
check 'records in an array or as objects of several lines give the same records as lines' 0 '
	trace2ndjson records.nd >want
	for file in array.json spaced.json indented.json sequence.json lines.json; do
		trace2ndjson $file | cmp - want
		{ head -c 40 $file; sleep 0.2; tail -c +41 $file; } | trace2ndjson | cmp - want
	done
	cat array.json indented.json sequence.json lines.json | trace2ndjson >got
	cat want want want want | cmp - got
	trace2ndjson array.json | filter-calls -k kernel | groupby -a sum
	cat want' <<'END'
{"kind":"groupby/event","dur_sum":7}
{"kind":"meta","name":"process_name","pid":1,"args":{"name":"python"}}
{"ts":-9007199254740993,"kind":"flow","name":"f","id":1,"src":{"ph":"s"}}
{"ts":1000,"dur":5,"kind":"kernel","name":"gemm \"q\"","dev":0,"stream":7,"corr":3,"delay":4,"ranges":["a","b"],"args":{"x":[]}}
{"ts":1007,"dur":2,"kind":"kernel","name":"relu","dev":0,"stream":7,"note":null}
END
check 'the advice of a filter works for records that are not lines' 0 '
	for file in array.json indented.json sequence.json; do
		groupby -a sum $file >out 2>said && echo $file
		sed -n "s/.* first: \(.*\)/\1 -a sum/p" said >advice
		sh ./advice
	done' <<'END'
{"kind":"groupby/event","dur_sum":7}
{"kind":"groupby/event","dur_sum":7}
{"kind":"groupby/event","dur_sum":7}
END
check 'events of Chrome without a phase, with a member kind, are not records' 0 '
	echo "[{\"name\":\"a\",\"kind\":\"op\",\"ts\":1.5,\"dur\":1}]" | trace2ndjson
	echo "[{\"ph\":\"X\",\"name\":\"a\",\"kind\":\"op\",\"ts\":1,\"dur\":1}]" | trace2ndjson' <<'END'
{"ts":1500,"dur":1000,"kind":"range","name":"a","src":{"kind":"op"}}
{"ts":1000,"dur":1000,"kind":"range","name":"a","src":{"kind":"op"}}
END
check 'commas between records' 0 'echo "[{\"ts\":1,\"kind\":\"op\"}{\"ts\":2,\"kind\":\"op\"},,
{\"ts\":3,\"kind\":\"op\"},]" | trace2ndjson' <<'END'
{"ts":1,"kind":"op"}
{"ts":2,"kind":"op"}
{"ts":3,"kind":"op"}
--- stderr
trace2ndjson: stdin: byte 21: missing comma between records; added
trace2ndjson: stdin: byte 44: extra comma between records; removed
trace2ndjson: stdin: byte 65: trailing comma; removed
END
slow check 'damaged arrays: all other records are read' 0 record_arrays.py </dev/null
# More than a megabyte: a value this long is examined before its end has been read.
cat >long.py <<'END'
import json
record = {"ts": 1, "dur": 1, "kind": "op", "name": "a" * 80, "more": {}}
text = json.dumps([record] * 40000)
nested = json.dumps([record, dict(record, nested=[record] * 20000), record])
for name, content in (("whole", text), ("damaged", text.replace("{}}", "{}", 1)), ("nested", nested)):
    open(name, "w").write(content)
END
python3 long.py
sanitized || check 'long arrays take little memory, also after a missing bracket' 0 '
	for file in whole damaged; do (ulimit -v 40000; trace2ndjson $file) | wc -l; done
	trace2ndjson nested | cut -c 1-50' <<'END'
40000
39999
{"ts":1,"dur":1,"kind":"op","name":"aaaaaaaaaaaaaa
{"ts":1,"dur":1,"kind":"op","name":"aaaaaaaaaaaaaa
{"ts":1,"dur":1,"kind":"op","name":"aaaaaaaaaaaaaa
--- stderr
trace2ndjson: damaged: byte 1: not a JSON record; skipped
END

# --- folders

mkdir -p runs/sub empty
cp "$DATA/train.pt.trace.json" runs/b
cp "$DATA/tiny.dvdt.out" runs/a
echo not read >runs/.hidden
echo not read >runs/sub/c
check 'a folder stands for its files, without subfolders and hidden files' 2 '
	trace2ndjson --quiet runs/ >folder; trace2ndjson --quiet runs/a runs/b | cmp - folder
	trace2ndjson --quiet --capture "file=([^/]*/.)$" -k kernel runs | groupby -g file -a count -s file
	trace2ndjson -k kernel runs/b empty nothing >some; status=$?; filter-calls -c some; exit $status' <<'END'
{"kind":"groupby/event","file":"runs/a","count":1}
{"kind":"groupby/event","file":"runs/b","count":10}
10
--- stderr
trace2ndjson: empty: a folder without files that can be read
trace2ndjson: nothing: cannot open: No such file or directory
END

finish
