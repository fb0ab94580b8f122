# job.sh: functions for the traces of a job: job_records prints their records, job_collectives runs coll-join on them.
# Each operand of the script is a trace of one rank, or a folder of such traces; all files of the folder are read, in the
# order of their names, but no subfolders. A trace without a rank is an error, and so are two traces of one rank.
traces=() captures=()
pass_options captures capture
for one in "${files[@]:--}"; do
	if [ -d "$one" ]; then
		mapfile -d '' -t list < <(find "${one%/}/" -maxdepth 1 ! -xtype d ! -name '.*' -print0 | sort -z)
		[ ${#list[@]} -gt 0 ] || die "$one: no files"
		traces+=("${list[@]}")
	else
		traces+=("$one")
	fi
done

# look_at_rank TRACE: copies the records, and checks the rank of the first record that has one; in a log of NCCL Inspector,
# its host and pid take the place of the rank. Some metadata precede it, at most 1000 records. Sets `rank`; without records,
# to the empty text. Records of standard input may have many ranks.
declare -gA trace_of
look_at_rank() {
	local line head='' count=0
	rank=
	while [ $((count += 1)) -le 1000 ] && IFS= read -r line; do
		head+=$line$'\n'
		[[ $line != *'"rank":'* && $line != *'"cat":"nccl_inspector"'* && ($1 != - || $keep) ]] || break
	done
	[ ! "$head" ] || : >"$folder/any"
	if [ "$head" ] && [[ $1 != - || $keep ]]; then
		rank=$(printf %s "$head" | derive "who=default(rank,if(cat=='nccl_inspector',hostname+':'+str(pid)))" |
			filter-calls -w who -m 1 | ndjson2table -f who -o raw) || exit
		[[ $rank || $head != *'"name":"forward-compute"'* && $head != *'"name":"backward-compute"'* ]] ||
			die "$1: the operations of a whole job in one file; run: trace2ndjson $(printf %q "$1") | what-if"
		[ "$rank" ] || die "$1: no record has a rank; set the rank with --capture rank=REGEX"
		[ ! -v "trace_of[$rank]" ] ||
			die "$1: rank $rank is also in ${trace_of[$rank]}; each trace must have its own rank"
		trace_of[$rank]=$1
	fi
	# Not by the shell itself, whose printf prints a message if the reader of the pipe has ended.
	cat <(printf %s "$head") - || exit $(($? > 125 ? $? : 2))
}

# show_progress TEXT: replaces the line of the progress, if standard error is a terminal. trace2ndjson shows the
# progress within a large trace in the same line.
progress=auto
if [ "$user_quiet" ] || [ ! -t 2 ]; then progress=never; fi
show_progress() {
	[ "$progress" = never ] || printf '\r%s\033[K' "$1" >&2
}

# print_repairs: prints one message for each class of repairs in all traces, with the place of the first repair.
print_repairs() {
	[ ! -s "$folder/repairs" ] || awk -F '\t' -v command="$TRACEFILTERS_COMMAND" '
		!($2 in more) { gsub(/[[:cntrl:]]/, "?", $3); first[++n] = $3 ": " $2; what[n] = $2; more[$2] = -1 }
		{ more[$2] += $1 }
		END { for (i = 1; i <= n; i++)
			print command ": " first[i] (more[what[i]] > 0 ? " (and " more[what[i]] " more)" : "") }' "$folder/repairs" >&2
}

# Only trace2ndjson is quiet, because print_repairs prints its notes once for all traces.
convert() {
	local -x TRACEFILTERS_REPAIRS=$folder/repairs
	trace2ndjson -j 0 --quiet --progress "$progress" "${captures[@]}" "$@"
}

# job_records [FOLDER]: prints the records of all traces that coll-join reads, after the command `each_trace` has read
# those of each trace. With FOLDER, prints all records, in ts order, and also writes those of each trace to a file in
# FOLDER; the names of the files are in the order of the ranks.
job_records() (
	keep=${1-} count=0
	shopt -s lastpipe
	for trace in "${traces[@]}"; do
		show_progress "$TRACEFILTERS_COMMAND: trace $((count += 1)) of ${#traces[@]}: $trace"
		if [ "$keep" ]; then
			convert -- "$trace" | ts-sort | look_at_rank "$trace" >"$keep/next"
		else
			convert -k kernel,op,api,range,meta -- "$trace" | "${each_trace[@]:-cat}" | look_at_rank "$trace"
		fi
		proceed '' "${PIPESTATUS[@]}"
		if [ "$keep" ] && [ "$rank" ]; then
			printf -v name %10s "$rank"
			cat "$keep/next" || exit $(($? > 125 ? $? : 2))
			mv "$keep/next" "$keep/${name//[!0-9]/0}.ndjson" || exit 2
		fi
	done
	show_progress ''
	print_repairs
	finish ''
)

# job_collectives FOLDER [OPTION...]: prints what coll-join makes of job_records FOLDER. Its messages are left out if a
# trace could not be read, or if there were no records because traces are damaged: then trace2ndjson has given the
# reason.
job_collectives() (
	statuses=(0 0)
	job_records "$1" | coll-join "${@:2}" 2>"$folder/messages" || statuses=("${PIPESTATUS[@]}")
	if [ "${statuses[0]}" = 2 ]; then
		: # trace2ndjson has given the reason
	elif [[ ${statuses[1]} == [12] && ! -s $folder/messages ]]; then
		warn 'cannot write the messages of coll-join to the temporary folder (TMPDIR)'
	elif [ -e "$folder/any" ] || [ "${statuses[1]}" = 2 ]; then
		cat "$folder/messages" >&2
	elif [ "${statuses[0]}" = 0 ]; then
		warn 'no kernels, calls or ranges'
	fi
	finish '' "${statuses[@]}"
)
