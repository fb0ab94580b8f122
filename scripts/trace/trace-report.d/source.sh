# source.sh: the functions of trace-report that examine the records. They use its variables `folder` and
# `operands`.

# has KIND...: returns 0 if the trace has records of one of these kinds.
has() {
	local kind
	for kind; do
		[[ $'\n'$kinds$'\n' != *$'\n'$kind$'\n'* ]] || return 0
	done
	return 1
}

# some CONDITION...: returns 0 if the trace has a record for which all conditions are true.
some() {
	local found
	found=$(filter-calls --quiet -c -m 1 "$@" "$folder/all") || exit
	[ "$found" = 1 ]
}

# print_source: sets `kinds` to the kinds of the records; prints the files and their format. Each test looks for records
# that only one format has; the first test that succeeds determines the format.
print_source() {
	local format
	kinds=$(groupby -g kind -a count -o tsv "$folder/all" | cut -f 1)
	if [ ! -s "$folder/all" ]; then format='no records'
	elif some -k row -w overhead; then format='a report of perf'
	elif has row total; then format='tables of the PyTorch profiler'
	elif has primitive create; then format='verbose output of oneDNN'
	elif has activity programinfo; then format='an event log of PlaidML'
	elif has sample; then format='samples of perf'
	elif some -w 'cat =~ ^(TraceProcess|Nvtx|Cuda|Sched)Event$|^(CUPTI|NVTX)_'; then format='a trace of Nsight Systems'
	elif some -k api -w 'args.call =~ ^cl'; then format='OpenCL calls of dvdt-prof'
	elif some -k op,kernel -w cat; then format='a trace of the PyTorch profiler'
	elif has counter && ! has range mark op api; then format='counters of perf'
	else format='event records'; fi
	printf '%s: %s\n' "$operands" "$format" | fold -s -w "${TRACEFILTERS_COLUMNS-1000000}" || exit 2
}
