# reduce.sh: the report of a job: reduces the trace of each rank to a partial result, with trace-map, and compares the ranks.

# The members of args that coll-join reads; the others are not needed.
arguments='Collective name,In msg nelems,Out msg nelems,In msg size,Out msg size,Group size,dtype,Process Group Name,'\
'Process Group ID,Process Group Description,Process Group Ranks,Src Rank,Dst Rank,Seq,Comms Id,External id,hostname,'\
'coll_msg_size_bytes,Global rank start,Global rank stride,operation'

# Most calls start no device work; then they are not needed.
other_calls=('--begins=api!='{cuda,hip}{Device,Event,Func,Get,Occupancy,Peek,Pointer}
	'--begins=api!='{cuda,hip}Stream{Get,Is,Sync,WaitEvent})

# reduce_trace FILE: prints the partial result of a trace, compressed: a row for each kernel name (job/kernel), process
# group (job/group), step (job/window), collective of the host (job/host), and for the metadata of the trace (job/trace);
# the member kernels of coll-join.
# Two programs read all device records; each program drops as early as possible what the next one does not need.
reduce_trace() {
	local host='' base=${1##*/} in=$folder statuses=(0)
	[[ ! $base =~ ^(.*)_[0-9]+\.[0-9]+\.pt\.trace\.json ]] || host="'${BASH_REMATCH[1]//[!A-Za-z0-9._-]/_}'"
	[ ! -v 'option[node]' ] || host="str(rank//${option[node]})"
	mkfifo "$in/all" || exit 2
	groupby --exact -g kind,rank,name -a count,sum,median -o ndjson "$in/all" >"$in/names" 2>>"$in/said" &
	trace2ndjson "${captures[@]}" -k kernel,memcpy,memset,op,api,range,meta "${other_calls[@]}" \
		--begins op=record_param_comms --begins range=nccl: --begins range=gloo: --begins range=ProfilerStep \
		--no-args=kernel,memcpy,memset,op,api,range --keep-args "$arguments" -- "$1" |
		ts-sort | corr-join --sorted --lead "${option[lead]}" --drop-calls --tee "$in/all" 2>>"$in/said" |
		gpu-busy --all-work --within '^ProfilerStep' --pieces >"$in/swept" 2>>"$in/said" || statuses=("${PIPESTATUS[@]}")
	wait $! || [ $? -lt 2 ] || statuses+=(2)
	[ "${statuses[0]}" -lt 2 ] || exit 2
	if grep -q '^{"kind":"kernel"' "$in/names" && ! grep -q '^{"kind":"kernel","rank":' "$in/names"; then
		echo '{"kind":"job/refused"}' | gzip -1
		exit 0
	fi
	if ! grep -q '^{"kind":"\(kernel\|meta\)"' "$in/names"; then
		# No trace: trace2ndjson says so, and what the other programs say about nothing helps nobody.
		[ "${statuses[0]}" = 1 ] || warn "$1: no records"
		echo '{"kind":"job/empty"}' | gzip -1
		exit 1
	fi
	# If there is no device work, gpu-busy says so in words that do not fit a job.
	{ grep -q '^{"kind":"\(kernel\|mem\)' "$in/names" && cat "$in/said" >&2; } ||
		warn "$1: no device work (kernel, memcpy, memset)"
	proceed '' "${statuses[@]}"
	coll-join --write kernels <"$in/swept" >"$in/kernels" || proceed '' $(($? < 2 ? 0 : $?))
	filter-calls -w kind==gpu-busy "$in/swept" |
		derive --keep ts,dur,kind,rank,step,steps,lag,host,whole,compute_time,comm_only,memory_only,other_only,host_wait,launched_wait,unknown_wait,after_work \
			"kind='job/window'" "whole=if(len(default(name,''))==0,1)" \
			"step=default(num(capture(name,'([0-9]+)[^0-9]*$')),0)" ${host:+"host=$host"} >"$in/windows"
	proceed '' "${PIPESTATUS[@]}"
	reduce_rows >"$in/rows"
	gzip -1c "$in/rows" "$in/windows" "$in/kernels"
	finish '' $?
}

# reduce_rows: prints the rows of the kernels by name, of the process groups and of the metadata.
reduce_rows() {
	local group='args."Process Group '
	{
		groupby -a count -o ndjson -g "kind,rank,${group}Name\",${group}Ranks\",${group}Description\"" \
			-g 'args."Dst Rank",args."Src Rank",args."Collective name"' "$folder/kernels"
		filter-calls -k meta -n deviceProperties -n distributedInfo "$folder/kernels"
	} | derive --keep kind,rank,name,count,dur_sum,dur_median,group,list,desc,peer,op,world,gpu \
		'op=args."Collective name"' 'peer=default(args."Dst Rank",args."Src Rank")' \
		"group=${group}Name\"" "list=${group}Ranks\"" "desc=${group}Description\"" \
		"world=if(name=='distributedInfo',args.world_size)" "gpu=capture(join(args.value,''),'\"name\":\"([^\"]*)')" \
		"kind=if(kind=='kernel',if(default(dur_sum*0==0,0),'job/kernel','job/group'),
			if(kind=='range',if(default(len(capture(name,'^(gloo:)')),0)>0,'job/host'),
			if(kind=='meta',if(default(count,0)==0,'job/trace'))))" "$folder/names" - |
		filter-calls -w 'kind =~ ^job/'
	proceed '' "${PIPESTATUS[@]}"
}

# find_ranks: sets `parts` to the results of files with records, and `number_of` to the numbers of the traces of the ranks;
# ends the script if a file has no rank, or the rank of another one.
find_ranks() {
	local number line rank
	unset number_of
	declare -gA number_of=()
	parts=()
	for number in "${!traces[@]}"; do
		[ -e "$dir/parts/$number.part" ] || continue
		line=$(gzip -dc "$dir/parts/$number.part" 2>/dev/null | grep -m 1 -e '"rank":' -e job/empty) || :
		[[ $line != *job/empty* ]] || continue
		[[ $line =~ \"rank\":([0-9]+) ]] ||
			die "${traces[number]}: no record has a rank; set the rank with --capture rank=REGEX"
		rank=${BASH_REMATCH[1]}
		[ ! -v "number_of[$rank]" ] ||
			die "${traces[number]}: rank $rank is also in ${traces[number_of[$rank]]}; set the rank with --capture"
		number_of[$rank]=$number
		parts+=("$dir/parts/$number.part")
	done
}

# is_job: whether there are traces of several ranks. Looks at the beginnings of the first traces, until two have a rank;
# a single file is a job if it has records, instead of a trace, and they have several ranks.
is_job() {
	local file rank head='' count=0
	[ ! -v 'option[graphs]' ] || return 1
	if [ ${#traces[@]} -eq 1 ] && [ -f "${traces[0]}" ] && IFS= read -r head 2>/dev/null <"${traces[0]}" &&
		[[ $head == '{'*'"kind":"'* ]]; then
		count=$(groupby --quiet -a distinct:rank -o raw "${traces[0]}" 2>/dev/null) || count=0
		[ "${count:-0}" -gt 1 ]
		return
	fi
	for file in "${traces[@]}"; do
		[ $count -lt 2 ] && [ ${#traces[@]} -gt 1 ] || break
		rank=$(trace2ndjson "${captures[@]}" --quiet -k kernel,api,meta -- "$file" 2>/dev/null |
			filter-calls -m 1 -w rank 2>/dev/null | ndjson2table -f rank -o raw 2>/dev/null) || :
		[ ! "$rank" ] || count=$((count + 1))
	done
	[ $count -eq 2 ]
}

# name_pattern: prints a pattern for the names of many files, such as rank*.json.gz, or their number.
name_pattern() {
	local first=${files[0]##*/} file
	local before=${first%%[0-9]*} after=${first##*[0-9]}
	for file in "${files[@]##*/}"; do
		[[ $file == "$before"*"$after" ]] || { echo "${#files[@]} traces"; return; }
	done
	echo "$before*$after"
}

# name_traces: prints the operands as words of a shell, or the folder of all traces if they are many.
name_traces() {
	local text
	if [ ${#files[@]} -gt 16 ] && [[ ${files[0]} == */* ]]; then
		printf %q "${files[0]%/*}"
	else
		printf -v text ' %q' "${files[@]}"
		echo "${text# }"
	fi
}

# is_damaged: prints 1 if a trace was damaged or missing, otherwise 0.
is_damaged() { (finish '') && echo 0 || echo 1; }

# compare_ranks: writes the figures of the job to $folder/job, and those of its ranks, with their scores, to $folder/ranks.
compare_ranks() {
	local map=(trace-map --separate) reduce='trace-report --reduce' ranks
	read_parts trace-script kernel-scores.sh
	dir=${option[dir]-$folder/map}
	pass_options map engine hosts j resume
	reduce+=$job_options
	"${map[@]}" --dir "$dir" "$reduce {}" "${traces[@]}"
	proceed '' $?
	find_ranks
	[ ${#parts[@]} -gt 0 ] || exit 2
	filter-calls -w 'kind =~ ^job/' "${parts[@]}" >"$folder/rows"
	proceed '' $?
	if ! grep -q '"kind":"job/window"' "$folder/rows"; then
		warn 'no device work of the ranks to compare; collectives of the host (Gloo) are not compared'
		finish '' 1
	fi
	if filter-calls -w 'kind =~ ^job/group' -m 1 "$folder/rows" | rows >/dev/null; then
		coll-join "${parts[@]}"
	fi | rank-delays "$folder/rows" >"$folder/job"
	proceed '' "${PIPESTATUS[@]}"
	filter-calls -w kind==job/kernel "$folder/rows" | derive "communicates=kernel_class(name)=='comm'" >"$folder/kernels"
	ranks=$(groupby -a distinct:rank -o raw "$folder/kernels") || exit
	kernel_scores "$folder/kernels" "${ranks:-0}" >"$folder/scores"
	proceed '' $?
	filter-calls -w kind==rank-delays/rank "$folder/job" | key-join --left -g rank --take score "$folder/scores" - |
		derive 'is_odd=default(score*100<95,0)+(default(len(odd),0)>0)>0' >"$folder/ranks"
	proceed '' "${PIPESTATUS[@]}"
}
