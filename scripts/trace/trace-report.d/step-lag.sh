# step-lag.sh: finds out whether work starts so late that the host's steps have the work of earlier ones. A
# section runs it; the gate of trace-diff reads its function.

# step_lag REGEX [FILE...]: prints a record with `lag`, the mean time from the launch of a kernel to its start, `late`, 1 if
# this is more than a fifth of a step, and `known`, 1 if there are the launches that gpu-busy --by-launch needs.
# The input are records of corr-join. The kernels of a graph wait for each other, so they do not count.
step_lag() {
	derive --keep rank,dev,stream,what,ts,dur,lag,joined \
		"what=if((kind=='kernel')+(kind=='memcpy')+(kind=='memset'),'work',if((kind=='range')+(kind=='op'),if(sub(name,'${1//\'/\\\'}','')!=name,'step')))" \
		"lag=if((kind=='kernel')*(default(sub(api.name,'GraphLaunch','')!=api.name,0)==0),delay)" \
		"joined=default(api.ts-api.ts+1,0)" "${@:2}" |
		filter-calls -w what |
		groupby -g rank,dev,stream,what -a count,sum:lag,count:lag,sum:joined,min:ts,max:end -o ndjson |
		derive "step=if(what=='step',(end_max-ts_min)/count)" "from=if(what=='step',ts_min)" \
			"unknown=if((what=='work')*(joined_sum==0),end_max)" |
		groupby -a sum:lag_sum,sum:lag_count,min:step,min:from,max:unknown -o ndjson |
		derive --keep lag,late,known "lag=if(lag_count_sum>0,lag_sum_sum/lag_count_sum)" \
			"late=default(lag*5>=step_min,0)" "known=default(lag>=0,0)*(1-default(unknown_max>=from_min+step_min,0))"
}
[ "${BASH_SOURCE[0]}" != "$0" ] || step_lag "$@"
