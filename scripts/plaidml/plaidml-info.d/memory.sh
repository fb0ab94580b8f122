# memory.sh: the number of allocations (or temporaries) of each size, of the program in the file `record`
[ "${option[tmp]}" ] && sizes=args.tmp_sizes || sizes=args.alloc_sizes
derive --explode "x=$sizes" size=x.size count=x.count bytes=size*count "$folder/record" >"$folder/sizes"
proceed '' $?
if [ "${option[o]:-table}" = table ]; then
	groupby -g name -a sum:bytes,sum:count -o ndjson "$folder/sizes" |
		derive "text='program '+name+': '+str(default(bytes_sum,0))+' bytes of temporary memory in '+
			str(default(count_sum,0))+' allocations'" |
		ndjson2table -o raw -f text
	proceed '' "${PIPESTATUS[@]}"
fi
filter-calls -w x "$folder/sizes" | ndjson2table -o "${option[o]:-table}" -f size,count
