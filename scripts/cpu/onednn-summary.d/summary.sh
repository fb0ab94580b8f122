# summary.sh: prints the reorders, the reference implementations and the cache of primitives, after the tables

echo || exit 2
derive "reorder=if(name=='reorder',default(dur,0))" "reference=if(str(ref)!='',default(dur,0))" "$folder/these" |
	groupby -a count,sum,count:reorder,sum:reorder,count:reference,sum:reference -o ndjson |
	derive "of=' of '+str(count)+' $calls, '" \
		"share=str(fixed(default(100*reorder_sum/dur_sum,0),1))+' % of the time'" \
		"reorders='reorders: '+str(reorder_count)+of+share" \
		"share=str(fixed(default(100*reference_sum/dur_sum,0),1))+' % of the time:'" \
		"references='reference implementations: '+if(reference_count>0,str(reference_count)+of+share,'none')" |
	ndjson2table -o raw -f reorders,references
proceed '' "${PIPESTATUS[@]}"
filter-calls -w ref "$folder/these" |
	groupby -g name,impl -a sum -o ndjson |
	derive "text='  '+name+' '+default(impl,'')" |
	ndjson2table -o raw -f text
proceed '' "${PIPESTATUS[@]}"

cache=$(filter-calls -k create -w '!nested' -w 'cache =~ hit$|^miss$' "$folder/all" |
	derive "hit=if(cache!='miss',default(dur,0))" "miss=if(cache=='miss',default(dur,0))" |
	groupby -a count:hit,count:miss,sum:miss,sum -o ndjson |
	derive "share=str(fixed(default(100*miss_sum/dur_sum,0),1))+' % of the time of both'" \
		"text=str(hit_count)+' hits, '+str(miss_count)+' misses ('+share+')'" |
	ndjson2table -o raw -f text)
echo "cache of primitives: ${cache:-not reported}" || exit 2
finish '' 0
