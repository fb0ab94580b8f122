# memory_all.sh: a row for each program, with the total size of its allocations and of its temporaries

# totals NAME KEY...: replaces the array NAME by two members: NAME_total, the sum of sizes times counts, and NAME_list,
# its text.
totals() {
	derive --explode "x=$1" bytes=x.size*x.count "item=str(x.count)+'x'+str(x.size)" |
		groupby -g "$2" -a "sum:bytes,list:item,count:$1,first:tmp" -s n -o ndjson |
		derive tmp=tmp_first \
			"$1_total=if($1_count>0,default(bytes_sum,0))" "$1_list=if($1_count>0,default(join(item_list,' '),''))"
}
trace2ndjson -k programinfo -- "${files[@]}" |
	rows |
	derive --cumulate n=1 alloc=args.alloc_sizes tmp=args.tmp_sizes |
	totals alloc n,id,name |
	totals tmp n,id,name,alloc_total,alloc_list |
	ndjson2table -o "${option[o]:-table}" -f id,name,alloc_total,alloc_list,tmp_total,tmp_list
finish 'no programs' "${PIPESTATUS[@]}"
