# against.sh: the comparison of two runs, with trace-diff.

# compare_runs: reduces the traces of two jobs; sets `sections` and `title`.
compare_runs() {
	local before=${option[against]} after=("${files[@]}") one file side limit='' jobs=0
	local -A names
	[[ $before != -?* ]] || before=./$before
	for one in graphs dir rank-pages reduce; do
		[ ! -v "option[$one]" ] || usage_error "--against excludes --$one"
	done
	for one in "$before" "${after[@]:--}"; do
		[ "$one" != - ] || usage_error '--against: expected the names of both runs, not standard input'
	done
	[ -e "$before" ] || die "$before: cannot open: No such file or directory"
	[ "$folder" ] || make_folder
	mkdir "$folder/a" "$folder/b" || exit 2
	for side in a b; do
		if [ $side = a ]; then find_traces "$before"; else find_traces "${after[@]}"; fi
		names[$side]=$(printf '%q ' "${traces[@]}")
		! is_job || { jobs=$((jobs + 1)) && (folder=$folder/$side && compare_ranks && finish '' 0); }
		proceed '' $?
	done
	[ $jobs != 1 ] || die 'one of the runs is a job of several ranks, the other one is not'
	[ ! -v 'option[fail-above]' ] || printf -v limit %q "${option[fail-above]}"
	# trace-diff reads one operand of each run: of several files, a folder.
	one=${after[0]}
	[[ $one != -?* ]] || one=./$one
	if [ ${#after[@]} -gt 1 ]; then
		one=$folder/after
		mkdir "$one" || exit 2
		for file in "${after[@]}"; do ln -s -- "$(readlink -f -- "$file")" "$one/${file##*/}" || exit 2; done
	fi
	title="${before##*/} and $title"
	sections=(--ending pair --set folder="$folder" --set lead="$(printf %q "${option[lead]}")" --set limit="$limit"
		--set job=$((jobs / 2)) --set job_options="$job_options" --set before="${names[a]}" --set after="${names[b]}"
		--set one_before="$(printf %q "$before")" --set one_after="$(printf %q "$one")" --set operands="${#after[@]}")
	[ $jobs = 0 ] || sections+=(--set damaged="$(is_damaged)")
}

# end_gate: exits with the status of the gate. Lost records leave it unknown.
end_gate() {
	local gate=3
	[ ! -s "$folder/status" ] || gate=$(<"$folder/status")
	(finish '') || [ $? != 1 ] || [ "$gate" = 2 ] || gate=3
	exit "$gate"
}
