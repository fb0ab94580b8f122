# reports.sh: the reports of nsys-report, which has the functions that they call. Each name is followed by its contents.

name="default(domain+':','')+default(name,'')"
call="default(capture(name,'^(.*)_v[0-9][0-9][0-9][0-9]$'),name)" # without a version, such as _v7000
api_name="default(capture(\"api.name\",'^(.*)_v[0-9][0-9][0-9][0-9]$'),\"api.name\")"
grid="pad(gridX,4)+' '+pad(gridY,4)+' '+pad(gridZ,4)" block="pad(blockX,4)+' '+pad(blockY,4)+' '+pad(blockZ,4)"
zeros="'   0    0    0'"
total=('Time (%)=fixed(default(dur_share,0)*100,1)' 'Total Time (ns)=dur_sum')
category="Category=if(kind=='kernel','CUDA_KERNEL',if(kind=='api','CUDA_API','MEMORY_OPER'))"
tree=('RangeId=row' 'ParentId=item(stack,-2)' "RangeStack=':'+join(stack,':')")

case $report in
cuda_api_gpu_sum) # the time of each CUDA call on the host, and of kernels, copies and memsets on the device
	records api,kernel,memcpy,memset -w '!lib' | sums kind,name,demangledName,args.name,nameId |
		table "${total[@]}" Instances=count @:dur "$category" "Operation=if(kind=='api',$call,name)" ;;
cuda_api_sum) # the time of each CUDA call on the host
	# Calls of cuDNN, cuBLAS and the operating system have a member `lib`. The id of a name is called `name` in old
	# exports and `nameId` in new ones.
	records api -w '!lib' | sums name,args.name,nameId | table "${total[@]}" 'Num Calls=count' @:dur "Name=$call" ;;
cuda_gpu_kern_gb_sum) # the time of each kernel on the device, by grid and block
	records kernel | sums name,demangledName,gridX,gridY,gridZ,blockX,blockY,blockZ |
		table "${total[@]}" Instances=count @:dur "GridXYZ=$grid" "BlockXYZ=$block" "Name=$name" ;;
cuda_gpu_kern_sum) # the time of each kernel on the device
	# Kernels with the same name but different name ids are in different rows.
	records kernel | sums name,demangledName | table "${total[@]}" Instances=count @:dur "Name=$name" ;;
cuda_gpu_mem_size_sum) # the bytes of copies and memsets on the device
	records memcpy,memset | sums name bytes |
		table 'Total (MB)=fixed(default(bytes_sum,0)/1MB,3)' Count=count @:bytes "Operation=$name" ;;
cuda_gpu_mem_time_sum) # the time of copies and memsets on the device
	records memcpy,memset | sums name | table "${total[@]}" Count=count @:dur "Operation=$name" ;;
cuda_gpu_sum) # the time of each kernel, and of copies and memsets, on the device
	records kernel,memcpy,memset | sums kind,name,demangledName |
		table "${total[@]}" Instances=count @:dur "$category" "Operation=$name" ;;
cuda_kern_exec_sum) # the times of calls, queues and kernels, by thread, device, call and kernel
	launches | derive 'total=max(delay+dur,api.dur)' |
		groupby -g api.pid,api.tid,dev,api.name,name -f total,api.dur,queue,dur \
			-a count:total,count:queue,mean,p50,min,max,std -s total_mean --exact -o ndjson |
		table PID='"api.pid"' TID='"api.tid"' DevId=dev Count=total_count QCount=queue_count \
			@?T:total @?A:api.dur @?Q:queue @?K:dur "API Name=$api_name" 'Kernel Name=name' ;;
cuda_kern_exec_trace) # each kernel with the call that launched it
	# The total time is measured from the start of the call to the end of the call or of the kernel, whichever is later.
	# The queue time begins at the end of the call.
	launches | ndjson2table -s +api.ts,+ts -o ndjson |
		table 'API Start (ns)=api.ts' 'API Dur (ns)=api.dur' 'Queue Start (ns)=ts-queue' 'Queue Dur (ns)=queue' \
			'Kernel Start (ns)=ts' 'Kernel Dur (ns)=dur' 'Total Dur (ns)=max(delay+dur,api.dur)' \
			PID=api.pid TID=api.tid DevId=dev "API Function=${api_name//\"/}" \
			"GridXYZ=default($grid,$zeros)" "BlockXYZ=default($block,$zeros)" 'Kernel Name=name' ;;
nvtx_gpu_proj_sum) # the time on the device that ranges span, by name and style
	projected | filter-calls -w name |
		groupby -g name,domain,style -f dur -s dur_sum --exact -o ndjson \
			-a count,sum,mean,p50,min,max,std,sum:orig_dur,sum:ops,mean:ops,mean:depth,mean:children |
		table "Range=$name" Style=style 'Total Proj Time (ns)=dur_sum' 'Total Range Time (ns)=orig_dur_sum' \
			'Range Instances=count' '@?Proj :dur' 'Total GPU Ops=ops_sum' 'Avg GPU Ops=fixed(ops_mean,1)' \
			'Avg Range Lvl=fixed(depth_mean,1)' 'Avg Num Child=fixed(children_mean,1)' ;;
nvtx_gpu_proj_trace) # the time on the device that each range spans
	# This time lasts from the first start to the last end of the work launched in the range. The first rows have no name:
	# they are for work launched outside of all ranges, and their TID is the thread whose work ends last.
	projected --stack=row | ndjson2table -s +id -o ndjson |
		table "Name=$name" 'Projected Start (ns)=ts' 'Projected Duration (ns)=dur' 'Orig Start (ns)=orig_ts' \
			'Orig Duration (ns)=orig_dur' Style=style PID=pid 'TID=default(tid,last_tid)' NumGPUOps=ops Lvl=depth \
			'NumChild=default(children,0)' "${tree[@]}" ;;
nvtx_kern_sum) # the time of each kernel by range
	# A kernel counts for every range that encloses the call that launched it; kernels without a known call come first, then
	# those launched outside of all ranges. nvtx-attach copies only the name of a range, so the name is first changed to
	# NUMBER|STYLE|DOMAIN:NAME.
	none='no kernels'
	closed range,api,kernel | derive "name=if(kind=='range',str(row)+'|'+default(style,'')+'|'+$name,name)" | ts-sort |
		nvtx-attach --scope "${option[scope]}" | corr-join --sorted --lead "${option[lead]}" |
		filter-calls -k kernel | rows |
		derive --explode instance=ranges \
			"style=capture(instance,'^[0-9]+[|]([^|]+)')" "range=capture(instance,'^[0-9]+[|][^|]*[|](.+)')" |
		groupby -g range,style,api.pid,api.tid,name,demangledName -f dur \
			-a distinct:instance,count,sum,mean,p50,min,max,std -s dur_sum --exact -o ndjson |
		ndjson2table -s '+range,+"api.pid",+"api.tid",dur_sum' -o ndjson |
		table 'NVTX Range=range' Style=style PID='"api.pid"' TID='"api.tid"' \
			'NVTX Inst=default(instance_distinct,0)' 'Kern Inst=count' 'Total Time (ns)=dur_sum' @?:dur \
			'Kernel Name=name' ;;
nvtx_pushpop_sum) # the time of each push/pop range
	ranges 'push/pop ranges' -v -w 'style == StartEnd' | sums domain,name | table "${total[@]}" Instances=count @:dur "Range=$name" ;;
nvtx_pushpop_trace) # each push/pop range and its position in the tree of its thread's ranges
	# All ranges are stored in memory, to sort them. If ranges begin at the same time, the shortest comes first.
	ranges 'push/pop ranges' -v -w 'style == StartEnd' | filter-calls -w ts | ts-sort | call-tree -r range --stack=row --crossing sibling |
		ndjson2table -s +ts,+dur,+node -o ndjson |
		table 'Start (ns)=ts' 'End (ns)=end' 'Duration (ns)=dur' 'DurChild (ns)=dur-self' 'DurNonChild (ns)=self' \
			"Name=$name" PID=pid TID=tid Lvl=depth NumChild=children "${tree[@]}" \
			"NameTree=repeat('--',depth)+$name" ;;
nvtx_sum) # the time of each range, by style
	ranges ranges -w dur | sums style,domain,name | table "${total[@]}" Instances=count @:dur Style=style "Range=$name" ;;
esac
finish "${none-$report has no rows}" "${PIPESTATUS[@]}"
