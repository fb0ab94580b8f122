# against.sh: the comparison of two runs, with trace-diff.

# compare_runs: reduces the traces of two jobs; sets `sections` and `title`.
compare_runs() {
	local before=${option[against]%/} after=("${files[@]}") one file side limit='' jobs=0 read_before read_after
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
		! is_job || { jobs=$((jobs + 1)) && (folder=$folder/$side && compare_ranks && finish '' 0); }
		proceed '' $?
	done
	[ $jobs != 1 ] || die 'one of the runs is a job of several ranks, the other one is not'
	[ ! -v 'option[fail-above]' ] || printf -v limit %q "${option[fail-above]}"
	for one in "${!after[@]}"; do [[ ${after[one]} != -?* ]] || after[one]=./${after[one]}; done
	printf -v read_before %q "$before"
	printf -v read_after ' %q' "${after[@]}"
	# trace-diff reads one operand of each run: of several files, a folder. The commands that the report shows have no
	# temporary folder.
	one=${after[0]}
	if [ ${#after[@]} -gt 1 ]; then
		one=$folder/after
		mkdir "$one" || exit 2
		for file in "${after[@]}"; do ln -s -- "$(readlink -f -- "$file")" "$one/${file##*/}" || exit 2; done
	fi
	title="${before##*/} and $title"
	sections=(--ending pair --set folder="$folder" --set lead="$(printf %q "${option[lead]}")" --set limit="$limit"
		--set job=$((jobs / 2)) --set job_options="$job_options" --set join="${join#| }" --set before="$read_before"
		--set after="${read_after# }" --set one_after="$(printf %q "$one")" --set operands="${#after[@]}")
	[ $jobs = 0 ] || sections+=(--set damaged="$(is_damaged)")
}

# end_gate: exits with the status of the gate. Lost records leave it unknown.
end_gate() {
	local gate=3
	[ ! -s "$folder/status" ] || gate=$(<"$folder/status")
	(finish '') || [ $? != 1 ] || [ "$gate" = 2 ] || gate=3
	exit "$gate"
}
