# read.sh: the functions of trace-report that read the trace. They set `kinds`, the kinds of its records.
# shellcheck disable=SC2034 # other parts use `figures`, `steps` and `trace_join`

end_line=$'\1' # ends the messages; no program prints this line

# join_messages: prints each message on standard error once. If the disk is full, many programs cannot write a temporary
# file at the same time; this is one message. The shell's report of a program that was killed becomes a message too.
# After one of these, the exit status of the process that prints the messages is 2.
join_messages() {
	exec {messages}>&2
	exec 2> >(
		declare -A seen=()
		failed=0 last='' other=''
		while [ ! "$last" ] && IFS= read -r line; do
			# A program that was killed while it wrote may have left the beginning of a message.
			[[ $line != *"$end_line"* ]] || { last=yes other=${line#*"$end_line"} line=${line%%"$end_line"*}; }
			if [[ $line =~ :\ (No space left on device|Disk quota exceeded|File too large)$ ]]; then
				line="$TRACEFILTERS_COMMAND: cannot write temporary files (TMPDIR): ${line##*: }" failed=2
			elif [[ $line =~ ^[[:space:]]|:\ line\ [0-9]+:\ +[0-9]+\ +[A-Z]|^[^:]+$ ]]; then
				line=$killed failed=2
			elif [[ $line == *"no range matches '^ProfilerStep'"* ]]; then
				line='' # store_steps has found one, so the reading failed, which has a message
			fi
			[ ${#seen[@]} -gt 0 ] || line=${line:-$other}
			[ ! "$line" ] || [ "${seen["x$line"]-}" ] || printf '%s\n' "$line" >&"$messages"
			[ ! "$line" ] || seen["x$line"]=yes
		done
		exit "$failed"
	)
	collector=$! at_end=fail_with_message
}
killed="$TRACEFILTERS_COMMAND: a program was killed by a signal"

# end_messages [TEXT]: waits until all messages are printed; prints TEXT if there was none. Returns 2 if a message was
# about a failure. After a failure, programs that still run print no more messages: they would be about files that
# trace_end removes.
end_messages() {
	local printer=$collector
	collector=''
	printf '\n%s%s\n' "$end_line" "${1-}" >&2 || :
	exec 2>&"$messages"
	wait "$printer" 2>/dev/null
}

# fail_with_message [SIGNAL]: ends the messages at the end of the script. `status` is that of trace_end.
fail_with_message() {
	[ "$collector" ] || return 0
	[ $# -gt 0 ] || [ "$status" -le 125 ] || status=2
	end_messages "$([ $# -gt 0 ] || [ "$status" -ne 2 ] || echo "$killed")" || :
}

# name_pipelines: sets `live`, the pipelines that run while the trace is read, and `trace_join`, the command before the
# pipelines of all sections.
name_pipelines() {
	local file operands
	fold="range=sub(range,'#[0-9]+\$','')"
	waiting="| derive \"$fold\" | groupby -g range,host -a sum,share"
	live=([records]='| groupby -g kind -a count,sum' [head]='| filter-calls -m 1000'
		[calls]='| filter-calls -k api | groupby -g name' [other]="| filter-calls -v -k $device"
		[host-operators]='| call-tree -r op,api -k op | groupby -g name -f self,dur -a count,sum,sum:launches'
		[waiting]='| find_waits')

	operands=$(for file in "${files[@]:--}"; do
		[[ $file != -?* ]] || file=./$file
		printf ' %s' "$(quoted "$file")"
	done)
	# `make install` replaces the names of programs by their installed names. In strings such as `join`, it recognises a
	# name by the | before it.
	trace_join='| trace-join'
	[ "${option[lead]}" = 250ms ] || trace_join+=" --lead ${option[lead]}"
	trace_join=${trace_join#| }$operands
}

# reader ID [COMMAND]: runs the pipeline in `live` with this name, or the command. It writes the answer of the section.
reader() {
	trap 'echo $? >&"$ended"' EXIT
	exec >"$folder/answer.$1" || exit 2
	TRACEFILTERS_QUIET=yes eval "${2-${live[$1]#|}}"
}

# idle_pipeline: prints the pipeline of the section waiting.
idle_pipeline() {
	local within="--within '^ProfilerStep' "
	[ -s "$folder/steps" ] || within=
	printf %s "| gpu-gaps $within--host op $waiting"
}

# find_steps REGEX FILE: writes the windows of the ranges that match to FILE. Returns the status of gpu-busy, which
# rejects ranges that overlap; then this returns 3, without a message.
find_steps() {
	local status=0 said
	: >"$2" || return 2
	said=$(gpu-busy --quiet --within "$1" 2>&1 >"$2") || status=$?
	[[ $status != 2 || $said != *'overlap; change --within'* ]] || return 3
	[ "$status" -lt 2 ] || [ ! "$said" ] || printf '%s\n' "$said" >&2
	return "$status"
}

# store_steps: stores the steps of PyTorch's profiler in $folder/steps, unless they overlap. Then find_waits can begin.
store_steps() {
	local status=0
	trap 'echo $? >&"$ended"; echo >&"$ready"' EXIT
	exec >"$folder/steps" || exit 2
	filter-calls -k range -e '^ProfilerStep'
	ts-sort "$folder/steps" >"$folder/steps.sorted" || [ $? -eq 1 ] || exit 2
	[ ! -s "$folder/steps" ] || find_steps '^ProfilerStep' "$folder/steps.found" <"$folder/steps.sorted" || status=$?
	[ "$status" != 3 ] || : >"$folder/steps"
	case $status in 1 | 3) status=0 ;; esac
	exit "$status"
}

# find_waits: computes the section waiting from the sorted and joined trace. ts-sort writes its first record after it has
# read the last one, so no other reader has to wait for this one.
find_waits() {
	local pipeline
	read -r -u "$ready"
	pipeline=$(idle_pipeline)
	pipeline=${pipeline/gpu-gaps/gpu-gaps --memory 40MiB} # the process has less than 64 MiB
	eval "${pipeline#|}"
}

# The members of args that the sections about device work use. dvdt-prof has args with the name `queue`.
device_args='blocks per SM,est. achieved occupancy %,Collective name,queue'

# read_trace: reads the trace once. Host calls and operators are most of a trace, so they are not stored: the pipelines
# in `live` answer the questions about them while the trace is read. $folder/device gets the device records, and
# $folder/answer.other all other records except host calls, operators, flows and Python calls, both in ts order.
# Sets the figure `lost` if no record was lost.
read_trace() {
	local statuses
	mkfifo "$folder/ready" || exit 2
	statuses=$(stream_trace)
	[[ $statuses != *whole* ]] || figures='"lost":0'
	# shellcheck disable=SC2086 # several statuses
	proceed '' ${statuses/whole/}
	kinds=$(ndjson2table --quiet -o raw -f kind "$folder/answer.records")
	filter-calls -m 1000 "$folder/device" >"$folder/device.head" || exit 2
}

# stream_trace: prints the statuses of the programs that read the trace, and `whole` if trace2ndjson lost no record. The
# caller reads them to the end, which waits for the readers. A process waits for no other to open a pipe: the pipes of
# the readers have no names, and `ready` is opened for reading and writing.
# The args of most kinds, which are half of the bytes of a trace, are left out; the sections need only `device_args`.
# Ranges and operators are added to ranges, and to calls, from which corr-join copies them to device records; no section
# needs those of other records.
stream_trace() {
	local statuses ended ready attached=api,range,$device
	exec {ended}>&1 {ready}<>"$folder/ready" || exit 2
	trace2ndjson --no-args="op,api,flow,python,$device" --keep-args "$device_args" -- "${files[@]}" |
		tee -p >(reader records) >(store_steps) |
		filter-calls -v -k flow,python |
		ts-sort -S 48MiB | # faster than with more memory, which the kernel has to clear
		tee -p >(reader host-operators "filter-calls -k op,api | tee -p >(reader head) >(reader calls) |
			${live[host-operators]#|}") |
		nvtx-attach -k "$attached" --also op |
		corr-join --sorted --lead "${option[lead]}" |
		tee -p >(reader waiting) |
		filter-calls -v -k op,api |
		tee -p >(reader other) |
		filter-calls -k "$device" >"$folder/device"
	statuses=("${PIPESTATUS[@]}")
	[ "${statuses[0]}" -ne 0 ] || echo whole
	echo "${statuses[@]}"
}

# has KIND...: returns 0 if the trace has records of one of these kinds.
has() {
	local kind
	for kind; do
		[[ $'\n'$kinds$'\n' != *$'\n'$kind$'\n'* ]] || return 0
	done
	return 1
}

# some FILE CONDITION...: returns 0 if the file in $folder has a record for which all conditions are true.
some() {
	local found
	found=$(filter-calls --quiet -c -m 1 "${@:2}" "$folder/$1") || exit 2
	[ "$found" = 1 ]
}

# trace_format: prints the program that wrote the trace. Each test looks for records that only one format has; the first
# test that succeeds determines the format.
trace_format() {
	local nsys='cat =~ ^(TraceProcess|Nvtx|Cuda|Sched)Event$|^(CUPTI|NVTX)_|^(COMPOSITE_EVENTS|OSRT_API)$'
	local rocprof='cat =~ ^(KERNEL_DISPATCH|MEMORY_COPY|COUNTER_COLLECTION|PC_SAMPLING)$|^(HIP|HSA|RCCL|MARKER)_'
	rocprof+='|^(rocm_)?(kernel_dispatch|memory_copy|(hip|hsa|rccl|marker)_api)$'
	local xla='cat =~ ^/(device|host):'
	if [ ! "$kinds" ]; then echo 'no records'
	elif some device.head -w "$xla" || some answer.other -w "$xla" || some answer.head -w "$xla"; then echo 'profile of XLA'
	elif some answer.other -k row -w overhead; then echo 'report of perf'
	elif has row total; then echo 'tables of the PyTorch profiler'
	elif has primitive create; then echo 'verbose output of oneDNN'
	elif has activity programinfo; then echo 'event log of PlaidML'
	elif some answer.head -w "$nsys" || some answer.other -w "$nsys" || some device.head -w "$nsys"; then echo 'Nsight Systems'
	elif some answer.head -w "$rocprof" || some answer.other -w "$rocprof" || some device.head -w "$rocprof"; then
		echo 'rocprofv3 of ROCm'
	elif some device.head -w cat==nccl_inspector; then echo 'NCCL Inspector'
	elif has sample; then echo 'samples of perf'
	elif some answer.head -k api -e '^cl[A-Z]'; then echo 'OpenCL calls of dvdt-prof'
	elif some answer.head -k op -w cat || some device.head -k kernel -w cat; then echo 'PyTorch profiler'
	elif has counter && ! has range mark op api; then echo 'counters of perf'
	else echo 'event records'; fi
}
