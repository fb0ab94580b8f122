# nvtx_gpu_proj_trace.sh: the time on the device that each range spans
# This time lasts from the first start to the last end of the work launched in the range. The first rows have no name:
# they are for work launched outside of all ranges, and their TID is the thread whose work ends last. All rows are
# stored in memory, to sort them.
closed range,api,kernel,memcpy,memset |
	ts-sort |
	corr-join --sorted --lead "${option[lead]}" |
	range-project --scope "${option[scope]}" --outside --stack=row |
	rows |
	ndjson2table -s +id -o ndjson |
	table "Name=$label" 'Projected Start (ns)=ts' 'Projected Duration (ns)=dur' 'Orig Start (ns)=orig_ts' \
		'Orig Duration (ns)=orig_dur' Style=style PID=pid 'TID=default(tid,last_tid)' NumGPUOps=ops Lvl=depth \
		'NumChild=default(children,0)' RangeId=row 'ParentId=item(stack,-2)' "RangeStack=':'+join(stack,':')"
finish 'no device records with a known call' "${PIPESTATUS[@]}"
