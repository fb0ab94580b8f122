# figures.sh: the functions of trace-report that compute the figures of GPU traces, and its rules for findings.
tensor_names='h884|s884|h1688|s1688|hmma|i8816|16816|xmma_gemm|xmma_implicit_gemm|c1688|tensorop'

# window_figures: the parts of the windows, and their sums.
window_figures() {
	local parts=compute_time,comm_only,memory_only,host_wait,pauses,comm_time,overlap_time part names=()
	for part in ${parts//,/ }; do names+=("$part=${part}_sum"); done
	learn "steps,window,step,step_std,step_max,comm_step_min,comm_step_max,$parts" "$folder/answer.$window" "|
		groupby -f dur -a count,sum,mean,std,max,min:comm_only,max:comm_only,sum:${parts//,/,sum:} |
		derive steps=count window=dur_sum step=dur_mean step_std=dur_std step_max=dur_max \
			comm_step_min=comm_only_min comm_step_max=comm_only_max ${names[*]}"
	[ "$per" ] || learn first_step,last_step "$folder/answer.steps" "|
		derive \"step=num(capture(name,'([0-9]+)[^0-9]*\$'))\" |
		groupby -a min:step,max:step | derive first_step=step_min last_step=step_max"
	learn sm_efficiency "$folder/answer.$window" '| derive filled=sm_share*dur "known=if(sm_share>=0,dur)" |
		groupby -a sum:filled,sum:known | derive "sm_efficiency=if(known_sum>0,filled_sum/known_sum)"'
}

# kernel_questions: declares the pipelines of kernel_figures that read all kernels.
kernel_questions() {
	question brief-kernels kernels "| filter-calls -w 'dur<10us' | groupby -f dur,api.dur -a count,sum"
	question launched-kernels kernels "| groupby -a 'count:api.dur,wmean:est. achieved occupancy %'"
	question queued-kernels kernels "| filter-calls -w 'queue>=10us' | groupby -a count"
}

# kernel_figures: numbers and times of kernels by duration, name, and latency.
kernel_figures() {
	local field
	learn kernels,kernel_time "$folder/answer.kernels" '| groupby -f count,dur_sum -a sum |
		derive kernels=count_sum kernel_time=dur_sum_sum'
	learn short_count,short_time,short_host "$folder/answer.brief-kernels" \
		'| derive short_count=count short_time=dur_sum short_host=api.dur_sum'
	learn linked_kernels,occupancy "$folder/answer.launched-kernels" \
		'| derive linked_kernels=api.dur_count "occupancy=\"est. achieved occupancy %_wmean\"/100"'
	learn queued "$folder/answer.queued-kernels" '| derive queued=count'
	! known kernels || relate 'short_count=default(short_count,0)' 'short_time=default(short_time,0)' \
		'empty=linked_kernels-default(queued,0)'
	learn kernel_names,tensor_time,sgemm,sgemm_time "$folder/answer.kernels" "|
		derive \"tensor=default(len(capture(name,'($tensor_names)'))>0,0)\" |
		derive \"plain=if(tensor,0,default(len(capture(name,'(sgemm)'))>0,0))\" |
		derive tensor_time=tensor*dur_sum plain_time=plain*dur_sum plain=plain*count |
		groupby -a count,sum:tensor_time,sum:plain,sum:plain_time |
		derive kernel_names=count tensor_time=tensor_time_sum sgemm=plain_sum sgemm_time=plain_time_sum"
	for field in dur delay; do
		learn "${field}_p50,${field}_p99" "$folder/answer.launches" "| filter-calls -w field==$field |
			derive ${field}_p50=p50 ${field}_p99=p99"
	done
}

# copy_figures: copies to pageable memory, and the direction with most time.
copy_figures() {
	local pageable="| filter-calls -k memcpy -e Pageable -w 'copy == d2h' -w api |"
	learn pageable,pageable_bytes,pageable_host,pageable_call "$folder/copies" "$pageable
		groupby -f bytes,api.dur -a count,sum,first:api.name | derive pageable=count pageable_bytes=bytes_sum \
		pageable_host=api.dur_sum pageable_call=api.name_first"
	learn pageable_range,pageable_range_host "$folder/copies" "$pageable derive \"range=default(range,'no range')\" |
		groupby -g range -f api.dur -a sum -t 1 | derive pageable_range=range pageable_range_host=api.dur_sum"
	learn copies,copy_bytes,copy_rate,copy_where "$folder/copies" "| filter-calls -k memcpy |
		groupby -g copy -f dur,bytes -a count,sum -t 1 |
		derive copies=count copy_bytes=bytes_sum 'copy_rate=if(dur_sum>0,bytes_sum/dur_sum)' \
			\"copy_where=if(copy=='h2d',
			'to the GPU',if(copy=='d2h','from the GPU',if(copy=='d2d','on the GPU','between memories')))\""
}

# input_figures: how often and how long the program waited for PyTorch's data loader.
input_figures() {
	cat "$folder/answer.host-operators" "$folder/answer.annotations" >"$folder/host-times" || exit 2
	learn input_time,input_count "$folder/host-times" "| derive 'name=default(label,name)' |
		filter-calls -e 'enumerate[(]DataLoader[)].*__next__' |
		groupby -f dur_sum,count -a sum | derive input_time=dur_sum_sum input_count=count_sum"
	! known input_time || relate 'input_share=if(window>0,input_time/window)'
}

# memory_figures: the device of whose memory the largest share was reserved.
memory_figures() {
	[ -s "$folder/answer.memory" ] || return 0
	filter-calls --quiet -k meta -n deviceProperties "$folder/answer.other" |
		derive --quiet --explode p=args.value |
		derive --quiet device=p.id size=p.totalGlobalMem >"$folder/devices"
	proceed '' "${PIPESTATUS[@]}"
	cat "$folder/devices" "$folder/answer.memory" >"$folder/memory" || exit 2
	learn memory_device,memory_size,memory_reserved,memory_peak "$folder/memory" '|
		derive -g device --first memory_size=size |
		filter-calls -w reserved_max -w "memory_size>0" |
		derive share=reserved_max/memory_size |
		ndjson2table -o ndjson -s share -t 1 -f device,memory_size,reserved_max,allocated_max |
		derive memory_device=device memory_reserved=reserved_max memory_peak=allocated_max'
}

# gpu_figures: computes all figures that texts about GPU work name.
gpu_figures() {
	local part parts=()
	window_figures
	kernel_figures
	copy_figures
	input_figures
	memory_figures
	learn capability,gpu "$folder/answer.other" '| filter-calls -k meta -n deviceProperties -w args.value |
		derive --explode p=args.value | derive capability=p.computeMajor gpu=p.name'
	learn rank,world "$folder/answer.other" '| filter-calls -k meta -n distributedInfo |
		derive rank=args.rank world=args.world_size'
	learn exposed_name,exposed_top "$folder/answer.exposed" '| derive exposed_name=collective exposed_top=dur_sum'
	learn late_range,late_time "$folder/answer.waiting" "| derive \"range=default(range,'no annotation')\" |
		groupby -g range -f dur_sum -a sum -t 1 | derive late_range=range late_time=dur_sum_sum"
	learn device_records "$folder/answer.records" "| filter-calls -w 'kind =~ ^(${device//,/|})\$' |
		groupby -a sum:count | derive device_records=count_sum"
	learn linked "$folder/answer.launching" '| groupby -a sum:count | derive linked=count_sum'
	for part in comm_only:comm host_wait:host memory_only:memory compute_time:compute pauses:pause; do
		parts+=("${part#*:}_step=${part%:*}//steps" "${part#*:}_share=if(window>0,${part%:*}/window)")
	done
	relate "${parts[@]}" 'gpu_busy=if(window>0,(compute_time+comm_only+memory_only)/window)' \
		'hidden_share=if(comm_time>0,overlap_time/comm_time)' 'short_share=if(kernels>0,short_count/kernels)' \
		'short_time_share=if(kernel_time>0,short_time/kernel_time)' \
		'late_share=if(host_wait>0,late_time/host_wait)' 'empty_share=if(linked_kernels>0,empty/linked_kernels)' \
		'tensor_cores=if(tensor_time>0,tensor_time/kernel_time)' \
		launches_step=device_records//steps launch_interval=window//device_records kernels_step=kernels//steps
}

# print_gpu_figures: prints the records of kind figure.
print_gpu_figures() {
	local share
	figure computing compute_time share=compute_share
	figure communicating comm_only share=comm_share
	figure copying memory_only share=memory_share
	figure host-late host_wait share=host_share
	figure pauses pauses share=pause_share
	[ "$per" ] || figure step-time step
	figure gpu-busy gpu_busy
	figure "exposed$per" 'if(comm_time>0,comm_share)'
	if [ ! "$per" ] && known late_range; then figure late-host host_share; else figure late-host-whole host_share; fi
	figure latency delay_p50
	if [ "$per" ]; then figure kernel-count kernels; else figure step-kernels kernels_step; fi
	for share in sm-efficiency occupancy tensor-cores; do figure "$share" "${share//-/_}"; done
	for share in gpu-busy sm-efficiency occupancy tensor-cores; do figure "$share-line" "${share//-/_}"; done
	figure latency-line ''
}

# gpu_findings: adds the findings whose conditions hold. A condition is a share of the window, written with integers.
gpu_findings() {
	local unit="unit=if((pageable_bytes>=50000)*(pageable_bytes<1000000)>0,'MB','bytes')"
	if [ "$per" ] || ! known exposed_name; then
		finding exposed-whole-comm 'comm_only*20>window' comm_step
	else
		finding exposed-comm '(comm_only*20>window)*(comm_step_max*10<comm_step_min*14)' comm_step
		finding uneven-comm '(comm_only*20>window)*(comm_step_max*10>=comm_step_min*14)' comm_step
	fi
	# From 50 to 1000 kB, a part of a MB says better how little that is.
	finding pageable 'pageable_host*50>window' pageable_host//steps "$unit" \
		"text=sub(text,'@',unit)" "detail=sub(detail,'@',unit)"
	if [ ! "$per" ] && known late_range; then
		finding host-wait 'host_wait*20>window' host_step
	else
		finding host-wait-whole 'host_wait*20>window' host_step
	fi
	finding brief 'short_count*10>kernels*3' short_time//steps
	finding copies-exposed 'memory_only*50>window' memory_step "text=sub(text,'@',copy_where)" \
		"detail=sub(detail,'@',copy_where)"
	finding no-tensor-cores '(sgemm_time*200>kernel_time*3)*(capability>=7)' sgemm_time//steps
	finding input 'input_time*20>window' input_time//steps
	finding memory 'memory_reserved*10>memory_size*9' ''
	finding mostly-idle '(gpu_busy*2<1)*(host_wait*20<=window)' pause_step
	finding pauses '(pauses*200>window*3)*((gpu_busy*2>=1)+(host_wait*20>window)>0)' pause_step
}
