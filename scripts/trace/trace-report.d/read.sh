# read.sh: the functions of trace-report that read the trace. They set `kinds`, the kinds of its records.
# shellcheck disable=SC2034 # other parts use `figures`, `steps` and `trace_join`

end_line=$'\1' # ends the messages; no program prints this line

# join_messages: prints each message on standard error once. If the disk is full, many programs cannot write a temporary
# file at the same time; this is one message.
join_messages() {
	exec {messages}>&2
	exec 2> >(
		declare -A seen=()
		while IFS= read -r line; do
			case $line in
			"$end_line") break ;;
			'') continue ;;
			*': No space left on device' | *': Disk quota exceeded' | *': File too large')
				line="$TRACEFILTERS_COMMAND: cannot write temporary files (TMPDIR): ${line##*: }" ;;
			esac
			[ "${seen["x$line"]-}" ] || printf '%s\n' "$line" >&"$messages"
			seen["x$line"]=yes
		done
	)
	collector=$!
	# A signal may have ended the process that prints the messages.
	trap 'trap "" PIPE; end_messages; trace_end' EXIT
}

# end_messages: waits until all messages are printed. After a failure, programs that still run print no more messages:
# they would be about files that trace_end removes.
end_messages() {
	[ "$collector" ] || return 0
	printf '\n%s\n' "$end_line" >&2 || : # also ends the message of a program that was killed while it wrote
	exec 2>&"$messages"
	wait "$collector" 2>/dev/null || :
	collector=''
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

# start_readers ID...: starts the pipelines in `live` with these names. Each reads a named pipe in $folder and writes the
# answer of the section. Adds the pipes to `pipes` and the processes to `readers`.
start_readers() {
	local id
	pipes=()
	for id; do
		mkfifo "$folder/pipe.$id" || exit 2
		(TRACEFILTERS_QUIET=yes eval "${live[$id]#|}") <"$folder/pipe.$id" >"$folder/answer.$id" &
		pipes+=("$folder/pipe.$id") readers+=($!)
	done
}

# copy_to PIPE...: copies standard input to standard output and to named pipes. If tee fails before it has opened them,
# their readers would wait for ever. So this opens and closes each pipe, which gives an empty input to a reader that
# waits, and puts an empty file in its place for a reader that comes later.
copy_to() {
	local pipe end status=0
	tee -p -- "$@" || status=$?
	[ "$status" = 0 ] || for pipe; do
		exec {end}<>"$pipe"
		: >"$pipe.empty" && mv -f -- "$pipe.empty" "$pipe"
		exec {end}>&-
	done
	return "$status"
}

# idle_pipeline: prints the pipeline of the section waiting.
idle_pipeline() {
	local within="--within '^ProfilerStep' "
	[ -s "$folder/steps" ] || within=
	printf %s "| gpu-busy --gaps $within--host op $waiting"
}

# find_steps REGEX FILE: writes the windows of the ranges that match to FILE. Returns the status of gpu-busy, which
# rejects ranges that overlap; then this returns 3, without a message.
find_steps() {
	local status=0
	gpu-busy --quiet --within "$1" >"$2" 2>"$2.said" || status=$?
	[ "$status" = 2 ] || return "$status"
	! grep -q 'overlap; change --within' "$2.said" || return 3
	cat "$2.said" >&2
	return 2
}

# find_waits: computes the section waiting. First stores the steps of PyTorch's profiler in $folder/steps, unless they
# overlap. Then reads the sorted and joined trace: ts-sort writes its first record after it has read the last one, so no
# other reader has to wait for this one.
find_waits() {
	local pipeline status=0
	filter-calls -k range -e '^ProfilerStep' >"$folder/steps"
	ts-sort "$folder/steps" >"$folder/steps.sorted" || status=$?
	if [ -s "$folder/steps" ] && [ "$status" -lt 2 ]; then
		find_steps '^ProfilerStep' "$folder/steps.found" <"$folder/steps.sorted" || status=$?
		[ "$status" != 3 ] || : >"$folder/steps"
	fi
	# The writer of a named pipe waits for a reader, also after a failure.
	[ "$status" != 2 ] || { cat "$folder/pipe.joined" >/dev/null; return 2; }
	pipeline=$(idle_pipeline)
	pipeline=${pipeline/--gaps/--memory 40MiB --gaps} # the process has less than 64 MiB
	eval "${pipeline#|}" <"$folder/pipe.joined"
}

# The members of args that the sections about device work use. dvdt-prof has args with the name `queue`.
device_args='blocks per SM,est. achieved occupancy %,Collective name,queue'

# read_trace: reads the trace once. Host calls and operators are most of a trace, so they are not stored: the pipelines
# in `live` answer the questions about them while the trace is read. $folder/device gets the device records, and
# $folder/answer.other all other records except host calls, operators, flows and Python calls, both in ts order.
# The args of most kinds, which are half of the bytes of a trace, are left out; the sections need only `device_args`.
# Ranges and operators are added to ranges, and to calls, from which corr-join copies them to device records; no section
# needs those of other records.
# Sets the figure `lost` if no record was lost.
read_trace() {
	local pipes readers=() reader statuses unsorted attached=api,range,$device
	mkfifo "$folder/pipe.joined" "$folder/pipe.host" || exit 2
	start_readers records waiting
	unsorted=("${pipes[@]}")
	start_readers head calls host-operators
	filter-calls -k op,api <"$folder/pipe.host" | copy_to "${pipes[@]}" >/dev/null &
	readers+=($!)
	start_readers other
	trace2ndjson --no-args="op,api,flow,python,$device" --keep-args "$device_args" -- "${files[@]}" |
		copy_to "${unsorted[@]}" |
		filter-calls -v -k flow,python |
		ts-sort -S 48MiB | # faster than with more memory, which the kernel has to clear
		copy_to "$folder/pipe.host" |
		nvtx-attach -k "$attached" --also op |
		corr-join --sorted --lead "${option[lead]}" |
		copy_to "$folder/pipe.joined" |
		filter-calls -v -k op,api |
		copy_to "${pipes[@]}" |
		filter-calls -k "$device" >"$folder/device"
	statuses=("${PIPESTATUS[@]}")
	for reader in "${readers[@]}"; do
		wait "$reader"
		statuses+=($?)
	done
	proceed '' "${statuses[@]}"
	[ "${statuses[0]}" -ne 0 ] || figures='"lost":0'
	kinds=$(ndjson2table --quiet -o raw -f kind "$folder/answer.records")
	filter-calls -m 1000 "$folder/device" >"$folder/device.head" || exit 2
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
	found=$(filter-calls --quiet -c -m 1 "${@:2}" "$folder/$1") || exit
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
