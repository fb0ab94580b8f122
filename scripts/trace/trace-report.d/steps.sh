# steps.sh: the functions of trace-report that complete the sections of the steps and kernels with what only some traces
# have.

# step_columns: adds columns for the rank and the device, if the trace has several.
step_columns() {
	local ranks devices
	learn step_ranks,step_devices "$folder/answer.steps" '| groupby -f rank,dev -a distinct |
		derive step_ranks=rank_distinct step_devices=dev_distinct'
	ranks=$(whole_number step_ranks) devices=$(whole_number step_devices)
	[ "$devices" -lt 2 ] || insert_column steps first dev Device int
	[ "$ranks" -lt 2 ] || insert_column steps first rank Rank int
	[ $((ranks > 1 || devices > 1)) = 1 ] || step_difference
}

# step_difference: sets the note of the section to what the slowest step has more of than the fastest, if it takes at
# least 5 % longer: all parts that differ by at least a tenth of the difference, the largest first.
step_difference() {
	local which part amount more ordered terms='' differences=() fields=compute_time,comm_only,memory_only,host_wait,pauses,dur
	local -A words=([compute_time]=computing [comm_only]='exposed communication' [memory_only]='exposed copies'
		[host_wait]='waiting for the host' [pauses]='pauses')
	for which in slow:-dur fast:dur; do
		part=${which%:*}
		learn "${part}_step,${part}_${fields//,/,${part}_}" "$folder/answer.steps" "|
			derive order=${which#*:} \"step=num(capture(name,'([0-9]+)[^0-9]*\$'))\" |
			groupby -g order,step,$fields -a count -s order -t 1 |
			derive ${part}_step=step $(for more in ${fields//,/ }; do printf %s "${part}_$more=$more "; done)"
	done
	known slow_step && known fast_step || return 0
	for part in ${fields//,/ }; do differences+=("more_$part=slow_$part-fast_$part"); done
	relate "${differences[@]}"
	more=$(whole_number more_dur)
	[ $((more * 20)) -ge "$(whole_number fast_dur)" ] || return 0
	ordered=$(for part in compute_time comm_only memory_only host_wait pauses; do
		amount=$(whole_number "more_$part")
		echo "${amount#-} $part"
	done | sort -k 1,1nr -k 2,2)
	while read -r amount part; do
		[ $((amount * 10)) -lt "$more" ] || terms+="${terms:+, }{more_$part:+time} ${words[$part]}"
	done <<<"$ordered"
	# shellcheck disable=SC2034 # model.sh uses it
	template[section/steps-note]="{\"note\":\"Step {slow_step:int} takes {more_dur:time} longer than step \
{fast_step:int}${terms:+: $terms}.\"}"
}

# insert_estimates: adds columns to the section of the kernels for the estimates that the profiler wrote.
insert_estimates() {
	! some answer.kernels -w 'est. achieved occupancy %_wmean' || insert_column kernels last occupancy Occupancy percent.0
	! some answer.kernels -w 'blocks per SM_wmean' || insert_column kernels last blocks 'Blocks per SM' count.1
}
