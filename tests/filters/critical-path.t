#!/bin/sh
# critical-path.t: the chain of work that determines the time of a window.
. "${0%/*}/../lib.sh"

# An operator launches two kernels into an idle stream, the second one while the first one runs, and waits for them.
cat >run <<'R'
{"ts":0,"dur":100,"kind":"range","name":"step","pid":1,"tid":1}
{"ts":10,"dur":60,"kind":"op","name":"aten::mm","pid":1,"tid":1}
{"ts":15,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":28,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":2}
{"ts":25,"dur":20,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":1,"api":{"name":"cudaLaunchKernel","ts":15,"dur":5,"pid":1,"tid":1}}
{"ts":47,"dur":10,"kind":"kernel","name":"ncclKernel_AllReduce","dev":0,"stream":7,"corr":2,"api":{"name":"cudaLaunchKernel","ts":28,"dur":5,"pid":1,"tid":1}}
{"ts":35,"dur":30,"kind":"api","name":"cudaStreamSynchronize","pid":1,"tid":1,"corr":3}
{"ts":80,"dur":10,"kind":"op","name":"aten::add","pid":1,"tid":1}
R
cat >sync <<'R'
{"ts":36,"dur":28,"kind":"sync","name":"Stream Sync","dev":0,"stream":7,"corr":3,"api":{"name":"cudaStreamSynchronize","ts":35,"dur":30,"pid":1,"tid":1},"args":{"stream":7}}
R
cat run sync | ts-sort >recorded
ts-sort run >guessed
check 'the host waits for the kernels' 0 'critical-path recorded' <<'R'
{"ts":0,"dur":100,"kind":"critical-path","name":"critical path","pid":"critical path","tid":0,"assume":"recorded","total":62,"covered":62,"before":10,"points":10,"without_cause":0,"cpu":20,"data_loading":0,"gpu_compute":20,"gpu_communication":10,"kernel_delay":2,"launch_delay":10}
{"ts":10,"dur":5,"kind":"edge","name":"aten::mm","pid":"critical path","tid":0,"edge":"operator","weight":5,"bound":"cpu"}
{"ts":15,"dur":10,"kind":"edge","name":"gemm","pid":"critical path","tid":0,"edge":"launch_delay","weight":10,"bound":"launch_delay"}
{"ts":25,"dur":20,"kind":"edge","name":"gemm","pid":"critical path","tid":0,"edge":"operator","weight":20,"bound":"gpu_compute"}
{"ts":45,"dur":2,"kind":"edge","name":"gemm","pid":"critical path","tid":0,"edge":"kernel_delay","weight":2,"bound":"kernel_delay"}
{"ts":47,"dur":10,"kind":"edge","name":"ncclKernel_AllReduce","pid":"critical path","tid":0,"edge":"operator","weight":10,"bound":"gpu_communication"}
{"ts":57,"dur":8,"kind":"edge","pid":"critical path","tid":0,"edge":"sync","weight":0}
{"ts":65,"dur":5,"kind":"edge","name":"aten::mm","pid":"critical path","tid":0,"edge":"operator","weight":5,"bound":"cpu"}
{"ts":70,"dur":10,"kind":"edge","pid":"critical path","tid":0,"edge":"dependency","weight":0}
{"ts":80,"dur":10,"kind":"edge","name":"aten::add","pid":"critical path","tid":0,"edge":"operator","weight":10,"bound":"cpu"}
R
check 'no synchronisation records: no answer, and the option that records them' 1 'critical-path guessed' <<'R'
--- stderr
critical-path: no synchronisation records: when the host waited for the device is unknown; record with experimental_config=torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True), or guess: --assume calls
R
check '--assume calls: the same path; none: the host does not wait' 0 '
	critical-path recorded | sed 1d >want
	critical-path --assume calls guessed | sed 1d | cmp - want
	for assume in calls none; do critical-path --assume $assume guessed | sed "s/,\"before.*//;q"; done' <<'R'
{"ts":0,"dur":100,"kind":"critical-path","name":"critical path","pid":"critical path","tid":0,"assume":"calls","total":62,"covered":62
{"ts":0,"dur":100,"kind":"critical-path","name":"critical path","pid":"critical path","tid":0,"assume":"none","total":47,"covered":47
R
check 'with synchronisation records, nothing is assumed' 0 '
	critical-path recorded >want && critical-path --assume none recorded | cmp - want' </dev/null
check '--marker, --skip, --count, --data-load' 0 '
	sum() { critical-path "$@" recorded |
		sed "s/,\"kind.*\"total/,\"total/;s/,\"covered.*\"cpu/,\"cpu/;s/,\"gpu_compute.*//;q"; }
	sum --marker step; sum --marker aten; sum --marker aten --skip 1; sum --marker aten --count 2
	sum --data-load add' <<'R'
{"ts":0,"dur":100,"total":62,"cpu":20,"data_loading":0
{"ts":10,"dur":60,"total":52,"cpu":10,"data_loading":0
{"ts":80,"dur":10,"total":10,"cpu":10,"data_loading":0
{"ts":10,"dur":80,"total":62,"cpu":20,"data_loading":0
{"ts":0,"dur":100,"total":62,"cpu":10,"data_loading":10
R
check 'a window that does not exist; several ranks' 1 '
	critical-path --marker aten --skip 1 --count 2 recorded
	sed "s/{/{\"rank\":0,/;2s/0/1/" recorded | critical-path' <<'R'
--- stderr
critical-path: 2 ranges match 'aten' (--marker); the window needs 3
critical-path: records of several ranks; select one: filter-calls -w rank==0
R
check 'wrong usage' 2 '
	critical-path --skip 1 recorded; critical-path --marker "(" recorded; critical-path --assume all recorded' <<'R'
--- stderr
critical-path: --skip needs --marker
critical-path: --marker: '(': invalid regular expression: unmatched ( or \(
critical-path: --assume: 'all': expected none or calls; did you mean 'calls'?
R
cat >streams <<'R'
{"ts":10,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":16,"dur":2,"kind":"api","name":"cudaEventRecord","pid":1,"tid":1,"corr":2}
{"ts":18,"dur":2,"kind":"api","name":"cudaStreamWaitEvent","pid":1,"tid":1,"corr":3}
{"ts":18,"dur":1,"kind":"sync","name":"Stream Wait Event","dev":0,"stream":8,"corr":3,"args":{"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":2}}
{"ts":21,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":4}
{"ts":20,"dur":50,"kind":"kernel","name":"a","dev":0,"stream":7,"corr":1}
{"ts":72,"dur":9,"kind":"kernel","name":"b","dev":0,"stream":8,"corr":4}
R
check 'a kernel waits for an event of another stream' 0 '
	ts-sort streams | corr-join --sorted | critical-path | sed "1d;s/,\"pid.*edge\"/ edge/"' <<'R'
{"ts":10,"dur":10,"kind":"edge","name":"a" edge:"launch_delay","weight":10,"bound":"launch_delay"}
{"ts":20,"dur":50,"kind":"edge","name":"a" edge:"operator","weight":50,"bound":"gpu_compute"}
{"ts":70,"dur":2,"kind":"edge" edge:"sync","weight":0}
{"ts":72,"dur":9,"kind":"edge","name":"b" edge:"operator","weight":9,"bound":"gpu_compute"}
R
check 'a call at the last time has no end' 0 '
	{ cat recorded && sed -n "3s/\"ts\":15/\"ts\":9223372036854775807/p" run; } | critical-path |
		sed "s/.*total/total/;q" | cut -d, -f1' <<'R'
total":62
R
check 'a lane in a viewer' 0 'critical-path recorded | ndjson2trace | grep -c "\"ph\":\"X\".*\"pid\":"' <<'R'
10
R

# The answers of an independent implementation: those of Holistic Trace Analysis, except where these are wrong.
if need_shared golden/critical-path/own.csv data/kineto; then
	cases=$(amount event_sync 'event_sync event_sync_multi_stream simple_add alexnet_data triton_example h100_qwen' '')
	slow check 'totals, classes and sums of edges of recorded traces' 0 "
		python3 $ROOT/tests/oracle/critical_path.py $SHARED $cases" </dev/null
fi
finish
