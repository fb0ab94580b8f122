# cuda_kern_exec_trace.sh: each kernel with the call that launched it
# The total time is measured from the start of the call to the end of the call or of the kernel, whichever is later. The
# queue time begins at the end of the call.
trace-join --lead "${option[lead]}" -k api,kernel --scope none -- "${files[@]}" |
	filter-calls -k kernel -w api.dur |
	rows |
	ndjson2table -s +api.ts,+ts -o ndjson |
	table 'API Start (ns)=api.ts' 'API Dur (ns)=api.dur' 'Queue Start (ns)=ts-queue' 'Queue Dur (ns)=queue' \
		'Kernel Start (ns)=ts' 'Kernel Dur (ns)=dur' 'Total Dur (ns)=max(delay+dur,api.dur)' \
		PID=api.pid TID=api.tid DevId=dev \
		"API Function=default(capture(api.name,'^(.*)_v[0-9][0-9][0-9][0-9]$'),api.name)" \
		"GridXYZ=pad(default(gridX,0),4)+' '+pad(default(gridY,0),4)+' '+pad(default(gridZ,0),4)" \
		"BlockXYZ=pad(default(blockX,0),4)+' '+pad(default(blockY,0),4)+' '+pad(default(blockZ,0),4)" \
		'Kernel Name=name'
finish 'no kernels with a known call' "${PIPESTATUS[@]}"
