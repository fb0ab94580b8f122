# reduce.sh: the report of a job: reduces the trace of each rank to a partial result, with trace-map, and compares the ranks.

# The members of args that coll-join reads; the others are not needed.
arguments='Collective name,In msg nelems,Out msg nelems,In msg size,Out msg size,Group size,dtype,Process Group Name,'\
'Process Group ID,Process Group Description,Process Group Ranks,Src Rank,Dst Rank,Seq,Comms Id,External id,hostname,'\
'coll_msg_size_bytes,Global rank start,Global rank stride,operation'

# reduce_trace FILE: prints the partial result of a trace, compressed: a record of the trace, one for each step
# (job/window), process group (job/group) and kernel name (job/kernel), and the member kernels of coll-join.
reduce_trace() {
	local host='' base=${1##*/} rows=$folder/rows statuses=(0) running=() one
	[[ ! $base =~ ^(.*)_[0-9]+\.[0-9]+\.pt\.trace\.json ]] || host="'${BASH_REMATCH[1]//[!A-Za-z0-9._-]/_}'"
	[ ! -v 'option[node]' ] || host="str(rank//${option[node]})"
	mkfifo "$folder/metas" "$folder/names" "$folder/work" || exit 2
	reduce_metas "$rows.1" <"$folder/metas" 2>"$folder/said.1" & running+=($!)
	reduce_names "$rows.2" <"$folder/names" 2>"$folder/said.2" & running+=($!)
	reduce_work "$rows.3" "$host" <"$folder/work" 2>"$folder/said.3" & running+=($!)
	trace2ndjson "${captures[@]}" -k kernel,memcpy,memset,op,api,range,meta \
		--no-args=kernel,memcpy,memset,api,range --keep-args "$arguments" -- "$1" |
		ts-sort | tee "$folder/metas" "$folder/names" "$folder/work" |
		gpu-exposed --pieces | coll-join --write kernels 2>"$folder/said.4" >"$folder/kernels" ||
		statuses=("${PIPESTATUS[@]}")
	for one in "${running[@]}"; do wait "$one" || [ $? -lt 2 ] || statuses+=(2); done
	[ "${statuses[0]}" -lt 2 ] || exit 2
	if [ -s "$rows.2" ] && ! grep -q '"rank":' "$rows.2"; then
		echo '{"kind":"job/refused"}' | gzip -1
		exit 0
	fi
	if [ ! -s "$rows.1" ] && [ ! -s "$rows.2" ] && [ ! -s "$rows.3" ]; then
		# No trace: trace2ndjson says so, and what the other programs say about nothing helps nobody.
		[ "${statuses[0]}" = 1 ] || warn "$1: no records"
		echo '{"kind":"job/empty"}' | gzip -1
		exit 1
	fi
	cat "$folder"/said.[1234] >&2
	proceed '' "${statuses[@]}"
	filter-calls -k kernel "$folder/kernels" |
		groupby -a count -o ndjson -g 'rank,args."Process Group Name",args."Process Group Ranks",args."Process Group Description",args."Dst Rank",args."Src Rank",args."Collective name"' |
		derive --keep kind,rank,group,list,desc,peer,op,count "kind='job/group'" 'op=args."Collective name"' \
			'peer=default(args."Dst Rank",args."Src Rank")' 'group=args."Process Group Name"' \
			'list=args."Process Group Ranks"' 'desc=args."Process Group Description"' >"$rows.4"
	proceed '' "${PIPESTATUS[@]}"
	cat "$rows".[1234] "$folder/kernels" | gzip -1
	finish '' "${PIPESTATUS[@]}"
}

reduce_metas() {
	filter-calls -k meta | derive --explode p=args.value --keep kind,rank,world,gpu \
		"world=if(name=='distributedInfo',args.world_size)" "gpu=if(name=='deviceProperties',p.name)" \
		"kind='job/trace'" | groupby -g rank -f world,gpu -a max:world,first:gpu -o ndjson |
		derive --keep kind,rank,world,gpu "kind='job/trace'" world=world_max gpu=gpu_first |
		LC_ALL=C sort -r >"$1" # records with a rank first
}

reduce_names() {
	filter-calls -k kernel | groupby --exact -g rank,name -a count,sum,median -o ndjson |
		derive "kind='job/kernel'" >"$1"
}

# reduce_work ROWS HOST: HOST is an expression, or the empty text.
reduce_work() {
	corr-join --sorted --lead "${option[lead]}" | gpu-busy --all-work --within '^ProfilerStep' |
		derive --keep ts,dur,kind,rank,step,host,whole,compute_time,comm_only,memory_only,other_only,host_wait,launched_wait,unknown_wait,after_work \
			"kind='job/window'" "whole=if(len(default(name,''))==0,1)" \
			"step=default(num(capture(name,'([0-9]+)[^0-9]*$')),0)" ${2:+"host=$2"} >"$1"
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
		line=$(gzip -dc "$dir/parts/$number.part" 2>/dev/null | head -n 1) || :
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
