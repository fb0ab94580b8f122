# warnings.sh: prints the warnings of torch-top about misleading rows, from the records in the file `all`

# A record for each table. Kernels have a host time of 0; without a column of host times, they cannot be recognised.
row="if(kind=='row',1)" total="if(kind=='total',1)"
derive table=args.table top=args.top "row=$row" "host_total=$total*self" "device_total=$total*dev_self" \
	"self=$row*self" "dev_self=$row*dev_self" 'kernel=if((self==0)*(dev_self>0),1)' 'op=if((self>0)*(dev_self>0),1)' \
	'negative=if(row*(min(default(self,0),default(total,0),default(dev_self,0),default(dev_total,0))<0),1)' "$folder/all" |
	groupby -g table -s table -a count:row,count:count,sum:self,sum:dev_self,count:kernel,count:op,count:negative \
		-a last:host_total,last:device_total,last:top -o ndjson >"$folder/tables"
proceed '' "${PIPESTATUS[@]}"
derive "where='table '+str(table)+': '" 'device=default(device_total_last,0)' 'dev_self=default(dev_self_sum,0)' \
	'unlike=if(host_total_last>0,abs(self_sum-host_total_last)*1000>=host_total_last)' \
	"part=default('top '+str(top_last)+' events',if(default(unlike,1)+count_count==0,str(row_count)+' events listed'))" \
	"part=where+'percentages and totals refer to the '+part+' only, not to the whole run'" \
	"both=if((device>0)*(dev_self>device*1.005),'dev_self adds up to '+$(time_text dev_self)+
		', but the device took '+$(time_text device)+': it',if(kernel_count*op_count,'dev_self'))" \
	"both=where+both+' counts operators and their kernels'+if(kernel_count,'; --kernels prints only kernels','')" \
	"negative=if(negative_count,where+'negative times in '+str(negative_count)+if(negative_count>1,' rows',' row')+
		': the profiler mixed up its clocks')" "$folder/tables" |
	ndjson2table -o raw -f part,both,negative | warn_lines
proceed '' "${PIPESTATUS[@]}"

# Pairs of an operator, such as "MkldnnConvolutionBackward", and the only operator that it calls. Their names are equal
# except for case and underscores, and their times differ by less than 1 %.
twins() {
	filter-calls -k row -w 'self > 0' "$folder/all" | ndjson2table -o tsv -f args.table,name,self | awk -F '\t' '
		NR > 1 {
			key = tolower($2)
			sub(/^aten::/, "", key)
			gsub(/_/, "", key)
			key = $1 SUBSEP key
			twin = 0
			for (i = 1; i <= n[key]; i++)
				if (name[key, i] != $2 && time[key, i] < $3 * 1.01 && $3 < time[key, i] * 1.01)
					twin = i
			if (twin && !found[key]++)
				print "table " $1 ": \"" name[key, twin] "\" and \"" $2 \
					"\" are caller and callee: they count the same work twice"
			name[key, ++n[key]] = $2
			time[key, n[key]] = $3
		}'
}
{
	twins
	filter-calls -k row -w args.cut "$folder/all" | groupby -g args.table,name -a count -o ndjson |
		filter-calls -w 'count > 1' |
		derive "text='table '+str(\"args.table\")+': '+str(count)+' rows share the truncated name \"'+name+
			'\" (they may be different functions)'" | ndjson2table -o raw -f text
	filter-calls -k row -e '^(aten::)?(uniform|normal|trunc_normal|random)_$' -w 'self > 0' "$folder/all" |
		derive table=args.table | groupby -g table,name -f self -a sum -o ndjson |
		key-join -g table --take all=self_sum "$folder/tables" | filter-calls -w 'all > 0' |
		derive "text='table '+str(table)+': '+name+' ('+str(fixed(100*self_sum/all,1))+
			'% of self of all rows) usually initialises weights'" | ndjson2table -o raw -f text
} | sort | warn_lines
proceed '' "${PIPESTATUS[@]}"
