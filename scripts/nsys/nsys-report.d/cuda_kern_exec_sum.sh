# cuda_kern_exec_sum.sh: the times of calls, queues and kernels, by thread, device, call and kernel
numbers total T
numbers api.dur A
numbers queue Q
numbers dur K
trace-join --lead "${option[lead]}" -k api,kernel --scope none -- "${files[@]}" |
	filter-calls -k kernel -w api.dur |
	derive 'total=max(delay+dur,api.dur)' |
	rows |
	groupby -g api.pid,api.tid,dev,api.name,name -f total,api.dur,queue,dur \
		-a count:total,count:queue,mean,p50,min,max,std -s total_mean --exact -o ndjson |
	table PID='"api.pid"' TID='"api.tid"' DevId=dev Count=total_count QCount=queue_count "${columns[@]}" \
		"API Name=default(capture(\"api.name\",'^(.*)_v[0-9][0-9][0-9][0-9]$'),\"api.name\")" 'Kernel Name=name'
finish 'no kernels with a known call' "${PIPESTATUS[@]}"
