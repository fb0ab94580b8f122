# nvtx_kern_sum.sh: the time of each kernel by range
# A kernel counts for every range that encloses the call that launched it; kernels without a known call come first, then
# those launched outside of all ranges. nvtx-attach copies only the name of a range, so the name is first changed to
# NUMBER|STYLE|DOMAIN:NAME.
numbers dur
closed range,api,kernel |
	derive "name=if(kind=='range',str(row)+'|'+default(style,'')+'|'+$label,name)" |
	ts-sort |
	nvtx-attach --scope "${option[scope]}" |
	corr-join --sorted --lead "${option[lead]}" |
	filter-calls -k kernel |
	rows |
	derive --explode instance=ranges \
		"style=capture(instance,'^[0-9]+[|]([^|]+)')" "range=capture(instance,'^[0-9]+[|][^|]*[|](.+)')" |
	groupby -g range,style,api.pid,api.tid,name,demangledName -f dur \
		-a distinct:instance,count,sum,mean,p50,min,max,std -s dur_sum --exact -o ndjson |
	ndjson2table -s '+range,+"api.pid",+"api.tid",dur_sum' -o ndjson |
	table 'NVTX Range=range' Style=style PID='"api.pid"' TID='"api.tid"' 'NVTX Inst=default(instance_distinct,0)' \
		'Kern Inst=count' 'Total Time (ns)=dur_sum' "${columns[@]}" 'Kernel Name=name'
finish 'no kernels' "${PIPESTATUS[@]}"
