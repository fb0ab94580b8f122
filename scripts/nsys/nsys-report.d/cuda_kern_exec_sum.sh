# cuda_kern_exec_sum.sh: the times of calls, queues and kernels, by thread, device, call and kernel
trace-join --lead "${option[lead]}" -k api,kernel --scope none -- "${files[@]}" |
	filter-calls -k kernel -w api.dur |
	derive 'total=max(delay+dur,api.dur)' |
	rows |
	groupby -g api.pid,api.tid,dev,api.name,name -f total,api.dur,queue,dur \
		-a count:total,count:queue,mean,p50,min,max,std -s total_mean --exact -o ndjson |
	nsys-csv PID='"api.pid"' TID='"api.tid"' DevId=dev Count=total_count QCount=queue_count \
		'TAvg (ns)=fixed(total_mean,1)' 'TMed (ns)=fixed(total_p50,1)' 'TMin (ns)=total_min' \
		'TMax (ns)=total_max' 'TStdDev (ns)=fixed(default(total_std,0),1)' \
		'AAvg (ns)=fixed("api.dur_mean",1)' 'AMed (ns)=fixed("api.dur_p50",1)' 'AMin (ns)="api.dur_min"' \
		'AMax (ns)="api.dur_max"' 'AStdDev (ns)=fixed(default("api.dur_std",0),1)' \
		'QAvg (ns)=fixed(queue_mean,1)' 'QMed (ns)=fixed(queue_p50,1)' 'QMin (ns)=queue_min' \
		'QMax (ns)=queue_max' 'QStdDev (ns)=fixed(default(queue_std,0),1)' \
		'KAvg (ns)=fixed(dur_mean,1)' 'KMed (ns)=fixed(dur_p50,1)' 'KMin (ns)=dur_min' 'KMax (ns)=dur_max' \
		'KStdDev (ns)=fixed(default(dur_std,0),1)' \
		"API Name=default(capture(\"api.name\",'^(.*)_v[0-9][0-9][0-9][0-9]$'),\"api.name\")" 'Kernel Name=name'
finish 'no kernels with a known call' "${PIPESTATUS[@]}"
