# record.sh: the record of a trace. Of its metadata, which can hold secrets, only the members named here are copied.
# shellcheck shell=bash disable=SC2154 # a part of trace-catalog
catalog_members='kind trace size changed rank world source device_name devices runtime_version driver_version
nccl_version start length records kernels kernel_names kernel_time copies copy_bytes steps step_p50 step_p95 step_max
window compute_time comm_only memory_only other_only host_wait pauses comm_time overlap_time launch_p50 call_p50 linked
memory_peak memory_size lost damaged health'
catalog_members=${catalog_members//$'\n'/ }

# Prints a row for each kind of records; the input are joined records.
count_kinds() {
	groupby --exact -g kind -f ts,dur,bytes,delay,api.dur,api.ts,name,end,rank -o ndjson \
		-a count,min:ts,max:end,sum:dur,sum:bytes,median:delay,median:api.dur,count:api.ts,distinct:name,first:rank
}

# find_program FILE: prints the program that wrote the trace, by its first events.
find_program() {
	trace2ndjson --no-args --keep-args name -- "$1" 2>/dev/null | filter-calls -m 20000 | name_program
}

# find_windows: prints sums over the steps, or over the whole time. Ranges that overlap are not steps, as in
# trace-report.
find_windows() {
	local name='([Ss]tep|[Ii]ter(ation)?)[^A-Za-z]*[0-9]' own n late windows=(--whole) steps=0
	local -A count=() overlaps=()
	filter-calls -k range -e "$name" "$folder/joined" | derive -g rank --prev before=end \
		"own=default(sub(name,'^ProfilerStep','')!=name,0)" 'late=default(before>ts,0)' |
		groupby -g own -a count,sum:late -o tsv | sed 1d >"$folder/ranges"
	while IFS=$'\t' read -r own n late; do count[$own]=$n overlaps[$own]=$late; done <"$folder/ranges"
	if [ "${count[1]-0}" -gt 0 ] && [ "${overlaps[1]}" = 0 ]; then
		windows=(--within '^ProfilerStep') steps=${count[1]}
	elif [ ${#count[@]} -gt 0 ] && [ $((${overlaps[0]-0} + ${overlaps[1]-0})) = 0 ]; then
		windows=(--within "$name") steps=$((${count[0]-0} + ${count[1]-0}))
	fi
	echo "{\"kind\":\"steps\",\"steps\":$steps}"
	gpu-busy --per all "${windows[@]}" "$folder/joined" 2>/dev/null |
		groupby --exact -a count,sum,median:dur,p95:dur,max:dur -o ndjson \
			-f dur,compute_time,comm_only,memory_only,other_only,host_wait,pauses,comm_time,overlap_time |
		derive "kind='windows'"
}

# find_metas: prints the metadata that the record has.
find_metas() {
	filter-calls -k meta "$folder/joined" |
		filter-calls -e '^(distributedInfo|deviceProperties|baseTimeNanoseconds|(cuda|hip)_(runtime|driver)_version)$' |
		derive --explode p=args.value --keep id \
			"world=if(name=='distributedInfo',args.world_size)" "nccl_version=if(name=='distributedInfo',args.nccl_version)" \
			"runtime_version=if(sub(name,'_runtime_','')!=name,args.value)" \
			"driver_version=if(sub(name,'_driver_','')!=name,args.value)" "base=if(name=='baseTimeNanoseconds',args.value)" \
			"id=if(name=='deviceProperties',p.id)" "device_name=if(id>=0,p.name)" \
			"memory_size=if(id>=0,p.totalGlobalMem)"
	filter-calls -k mark -n '[memory]' -w 'args."Device Type" != 0' "$folder/joined" |
		groupby -f 'args."Total Reserved"' -a max -o ndjson |
		derive --keep memory_peak 'memory_peak="args.Total Reserved_max"'
	filter-calls -k kernel,memcpy,memset "$folder/joined" | groupby -f dev -a first,distinct -o ndjson
}

# print_record FILE SIZE CHANGED: prints the record of FILE. Its status is 1 if FILE is damaged or cannot be read.
print_record() {
	local status=(0) counts=() damaged=0 one dev name=${1//\\/\\\\} sums first
	rm -f "$folder/lost"
	[ -p "$folder/pipe" ] || mkfifo "$folder/pipe" || exit 2
	count_kinds <"$folder/pipe" >"$folder/kinds" &
	TRACEFILTERS_LOST=$folder/lost trace2ndjson -k kernel,memcpy,memset,api,range,mark,meta \
		--no-args=api,kernel,memcpy,memset,range -- "$1" |
		ts-sort | corr-join --sorted --lead 250ms 2>/dev/null | tee "$folder/pipe" |
		filter-calls -v -k api >"$folder/joined" ||
		status=("${PIPESTATUS[@]}")
	wait $! || status+=($?)
	[ "${status[0]}" -lt 2 ] || return 1
	[[ " ${status[*]} " != *' 2 '* ]] || die 'cannot write a temporary file'
	[ "${status[0]}" = 0 ] || damaged=1
	{ find_metas; find_program "$1"; find_windows; } >"$folder/found"
	dev=$(ndjson2table -o raw -f dev_first "$folder/found" | grep -x '[0-9]*') || dev=-1
	touch "$folder/lost"
	sums=work,linked,kernels,copies,bytes,kernel_names,kernel_time,records,lost,cut
	first=launch,call,rank_first,world,nccl_version,runtime_version,driver_version,base,device_name,memory_size
	first+=,memory_peak,dev_distinct,program,steps,dur_median,dur_p95,longest,window,compute_time,comm_only,memory_only
	first+=,other_only,host_wait,pauses,comm_time,overlap_time
	for one in work records kernels kernel_names kernel_time copies steps lost cut; do counts+=("$one=default($one,0)"); done
	cat "$folder/kinds" "$folder/found" "$folder/lost" |
		sed 's/_sum":/":/g' |
		derive "work=if((kind=='kernel')+(kind=='memcpy')+(kind=='memset'),count)" \
			"kernels=if(kind=='kernel',count)" "copies=if(work>0,if(kind!='kernel',count))" \
			"kernel_names=if(kernels>0,name_distinct)" "kernel_time=if(kernels>0,dur)" \
			"launch=if(kernels>0,delay_median)" "call=if(kernels>0,\"api.dur_median\")" \
			"linked=if(work>0,\"api.ts_count\")" "bytes=if(copies>0,bytes)" \
			"timed=default(work>0,0)+(kind=='api')+(kind=='range')" "from=if(timed,ts_min)" "to=if(timed,end_max)" \
			"records=if(timed+(kind=='mark'),count)" "window=if(kind=='windows',dur)" longest=dur_max \
			"device_name=if(id==$dev,device_name)" "memory_size=if(id==$dev,memory_size)" |
		groupby -o ndjson -a "sum:${sums//,/,sum:},min:from,max:to,first:${first//,/,first:}" |
		sed -E 's/(_first|_sum)+":/":/g' |
		derive "kind='catalog'" "${counts[@]}" "trace='${name//\'/\\\'}'" size="$2" changed="$3" \
			'start=default(base,0)+from_min' length=to_max-from_min source=program 'devices=default(dev_distinct,0)' \
			'copy_bytes=default(bytes,0)' 'step_p50=if(steps>0,dur_median)' 'step_p95=if(steps>0,dur_p95)' \
			'step_max=if(steps>0,longest)' launch_p50=launch call_p50=call 'linked=if(work>0,linked)' \
			'lost=if(cut==0,lost)' "damaged=if($damaged,'yes','no')" "bad=if($damaged,',damaged','')" \
			"bad=bad+if(work==0,',no_device',if(steps==0,',no_steps',''))" \
			"bad=bad+if((steps>0)*(steps<5),',few_steps','')" \
			"bad=sub(bad+if(default(linked*10<work*9,0),',unlinked',''),'^,','')" "health=if(bad=='','ok',bad)" |
		ndjson2table -o ndjson -f "${catalog_members// /,}"
	return "$damaged"
}
