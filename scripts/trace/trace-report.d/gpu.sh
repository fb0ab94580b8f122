# gpu.sh: the sections and figures of trace-report about the work of GPUs.
# shellcheck disable=SC2034 # other parts use `window`, `per`, `limits` and `hidden`

device=kernel,memcpy,memset
# The name of a collective is in the range that PyTorch puts around its launch, or in the arguments of the kernel.
collective="collective=default(capture(range,'^nccl:(.*)'),args.\\\"Collective name\\\",short)"
issuer="issuer=if(default(len(capture(range,'^(nccl:)')),0)>0,item(ranges,-2),range)"
parts='comm_only=comm_time-overlap_time memory_only=busy-compute_time-comm_only'

# find_windows: declares the section of the steps, or of the whole time if the trace has no steps; sets `window` to the
# name of the section, and `per` to the ending of templates about the whole time. Steps are the ranges of PyTorch's
# profiler, or else ranges whose names have a number after `step` or `iteration`, if they do not overlap.
# Returns 1 if no work of a GPU has a start and a duration.
find_windows() {
	local regex said statuses=(0 0)
	has ${device//,/ } || return 1
	window=steps per=''
	for regex in '^ProfilerStep' '([Ss]tep|[Ii]ter(ation)?)[^A-Za-z]*[0-9]'; do
		some answer.other -k range -e "$regex" || continue
		ts-sort --merge "$folder/device" "$folder/answer.other" |
			find_steps "$regex" "$folder/answer.steps" || statuses=("${PIPESTATUS[@]}")
		trace_failed "${statuses[@]}"
		if [ "${statuses[1]}" = 0 ]; then
			section steps 'done' "| gpu-busy --within '$regex'"
			return
		fi
		statuses=(0 0)
	done
	window=whole per=-whole
	said=$(gpu-busy --quiet --whole "$folder/device" 2>&1 >"$folder/answer.whole") || {
		[ $? -lt 2 ] || { printf '%s\n' "$said" >&2 && exit 2; }
		return 1
	}
	[ -s "$folder/answer.whole" ] || return 1
	section whole 'done' '| gpu-busy --whole'
}

# divide_device: divides the device records: $folder/kernels, $folder/copies, and $folder/communication, which has the
# keys of exposed time. $folder/keyed has all device records with these keys, if any record is communication.
# $folder/answer.idle has the busy times.
divide_device() {
	local type='type == COMMUNICATION'
	filter-calls -k kernel "$folder/device" >"$folder/kernels" || exit 2
	filter-calls -k memcpy,memset "$folder/device" >"$folder/copies" || exit 2
	gpu-busy --quiet "$folder/device" >"$folder/answer.idle" || [ $? -lt 2 ] || exit 2
	gpu-busy --types "$folder/device" |
		eval "derive --quiet -w '$type' \"$collective\" \"$issuer\"" >"$folder/keyed"
	proceed '' "${PIPESTATUS[@]}"
	filter-calls -w "$type" "$folder/keyed" >"$folder/communication" || exit 2
}

# gpu_sections: declares the sections about GPU work.
gpu_sections() {
	local start end slice places aggregates ops="$trace_join | nvtx-attach -r op --as op"
	start=$(slices 50)
	read -r start end slice <<<"$start"
	mapfile -t places <"$folder/answer.idle"
	if [ ${#places[@]} -gt 1 ]; then
		cp "$folder/answer.idle" "$folder/answer.ranks" || exit 2
		section ranks 'done' '| gpu-busy'
	fi
	hidden=([host-operators]=yes [annotations]=yes [calls]=yes) # of a terminal
	# A report has at most 200 rows in a section; one is for the mean of the steps.
	limits[steps]=199 limits[timeline]=200 limits[latency]=200
	section timeline device "| gpu-busy --every ${slice}us --origin $start | derive at=ts-$start $parts"
	section streams device '| gpu-busy --per stream'
	aggregates=$(estimates)
	section kernels kernels "| groupby -g name -a count,sum,mean,min,max,share$aggregates"
	section operators device '| groupby -g op' "$ops"
	section host-operators 'done' "| filter-calls -k op,api ${live[host-operators]}"
	section stacks device '| groupby -g range,op,short -a count,sum' "$ops"
	section idle 'done' '| gpu-busy'
	section waiting 'done' "$(idle_pipeline)"
	section waits device "| gpu-gaps | ndjson2table -o ndjson -f ts,dur,cause,prev,next -s dur -t 6 |
		derive at=ts-$start"
	section launches kernels '| stats -f dur,delay,queue -q 90,99'
	section latency kernels '| stats -f delay --hist --log'
	section launching device '| groupby -g api.name -f api.dur -a count,sum,mean | filter-calls -w api.name'
	communication_sections
	section copies copies '| groupby -g name -f dur,bytes,api.dur -a count,sum |
		derive "rate=if(dur_sum>0,bytes_sum/dur_sum)"'
	memory_section
	kernel_questions
}

# memory_section: declares the section about the events of PyTorch's allocator for devices. Old versions of PyTorch do
# not write the total, so it is the sum of the events.
memory_section() {
	section memory answer.other "| filter-calls -k mark -n '[memory]' -w 'args.\"Device Type\" != 0' |
		derive 'device=args.\"Device Id\"' 'reserved=args.\"Total Reserved\"' |
		derive -g rank,device --cumulate sum=args.Bytes 'allocated=default(args.\"Total Allocated\",sum)' \
			unused=reserved-allocated before=allocated-args.Bytes |
		groupby -g rank,device -f allocated,reserved,unused -a count,max,first:before,last:allocated"
}

# communication_sections: declares the sections about communication.
communication_sections() {
	selection[communication]="| gpu-busy --types | filter-calls -w 'type == COMMUNICATION' | derive \"$collective\""
	section communication communication '| groupby -g collective,short'
	: >"$folder/answer.exposed"
	[ -s "$folder/communication" ] || { rm -f "$folder/keyed"; return 0; }
	selection[keyed]="${selection[device]} | derive \"$collective\""
	section exposed keyed '| gpu-exposed -g collective | groupby -g collective -a sum,share'
	selection[keyed]="${selection[device]} | derive \"$issuer\""
	section issuers keyed '| gpu-exposed -g issuer | groupby -g issuer -a sum,share'
}

# estimates: prints the aggregates for the profiler's estimates, if the first kernels of the trace have them.
estimates() {
	local estimate
	for estimate in 'est. achieved occupancy %' 'blocks per SM'; do
		! some kernels -w "$estimate" || printf %s ",'wmean:$estimate'"
	done
}

# slices N: prints the start and the end of the windows, and the length of a slice in microseconds: 1, 2 or 5 times a
# power of ten, so that the windows have at most N slices.
slices() {
	local start end unit=1 factor=1
	start=$(groupby --quiet -a min:ts,max:end -o ndjson "$folder/answer.$window" |
		ndjson2table -o tsv -f ts_min,end_max)
	read -r start end <<<"${start#*$'\n'}"
	while [ $((unit * factor * $1 * 1000)) -lt $((end - start)) ]; do
		case $factor in 1) factor=2 ;; 2) factor=5 ;; 5) factor=1 unit=$((unit * 10)) ;; esac
	done
	echo "$start $end $((unit * factor))"
}
