# nvtx_gpu_proj_sum.sh: the time on the device that ranges span, by name and style
numbers dur 'Proj '
closed range,api,kernel,memcpy,memset |
	ts-sort |
	corr-join --sorted --lead "${option[lead]}" |
	range-project --scope "${option[scope]}" --outside |
	rows |
	filter-calls -w name |
	groupby -g name,domain,style -f dur -s dur_sum --exact -o ndjson \
		-a count,sum,mean,p50,min,max,std,sum:orig_dur,sum:ops,mean:ops,mean:depth,mean:children |
	table "Range=$label" Style=style 'Total Proj Time (ns)=dur_sum' 'Total Range Time (ns)=orig_dur_sum' \
		'Range Instances=count' "${columns[@]}" 'Total GPU Ops=ops_sum' 'Avg GPU Ops=fixed(ops_mean,1)' \
		'Avg Range Lvl=fixed(depth_mean,1)' 'Avg Num Child=fixed(children_mean,1)'
finish 'no device records with a known call' "${PIPESTATUS[@]}"
