# program.sh: names the program that wrote a trace. A section runs it; trace-catalog reads its function.

# name_program: prints a record with the member `program`; the input are records of the trace, at least one of each kind
# and category. Only one program writes such categories. The first rule that holds for a record determines the name.
name_program() {
	local nsys='^(TraceProcess|Nvtx|Cuda|Sched)Event$|^(CUPTI|NVTX)_|^(COMPOSITE_EVENTS|OSRT_API)$' rocprof rule i
	rocprof='^(KERNEL_DISPATCH|MEMORY_COPY|COUNTER_COLLECTION|PC_SAMPLING)$|^(HIP|HSA|RCCL|MARKER)_'
	rocprof+='|^(rocm_)?(kernel_dispatch|memory_copy|(hip|hsa|rccl|marker)_api)$'
	# In a Chrome trace, XLA's planes are processes.
	local xla='^/(device|host):'
	local rules=('profile of XLA' "sub(default(cat,plane),'$xla','')!=default(cat,plane)"
		'report of perf' 'overhead_count>0'
		'tables of the PyTorch profiler' "(kind=='row')+(kind=='total')"
		'verbose output of oneDNN' "(kind=='primitive')+(kind=='create')"
		'event log of PlaidML' "(kind=='activity')+(kind=='programinfo')"
		'Nsight Systems' "sub(cat,'$nsys','')!=cat"
		'rocprofv3 of ROCm' "sub(cat,'$rocprof','')!=cat"
		'NCCL Inspector' "cat=='nccl_inspector'"
		'memory snapshot of PyTorch' "cat=='memory_snapshot'"
		'memory timeline of PyTorch' "cat=='memory_timeline'"
		'log of torch.compile' "cat=='inductor'"
		'samples of perf' "kind=='sample'"
		'OpenCL calls of dvdt-prof' "(kind=='api')*(opencl>0)"
		'PyTorch profiler' "(len(cat)>=0)*((kind=='op')+(kind=='kernel'))"
		'event records' "(kind=='range')+(kind=='mark')+(kind=='op')+(kind=='api')"
		'counters of perf' "kind=='counter'")
	local columns=()
	for ((i = 0; i < ${#rules[@]}; i += 2)); do columns+=("rule=default(rule,if(${rules[i + 1]},$i))"); done
	rule=$(derive --keep kind,cat,overhead "plane=if(name=='process_name',args.name)" "opencl=default(sub(name,'^cl[A-Z]','')!=name,0)" |
		groupby -g kind,cat,plane,opencl -a count:overhead -o ndjson |
		derive --keep rule "${columns[@]}" | groupby -f rule -a min -o raw) || return
	[ "$rule" ] && rule=${rules[rule]} || rule='event records'
	echo "{\"program\":\"$rule\"}"
}
[ "${BASH_SOURCE[0]}" != "$0" ] || name_program
