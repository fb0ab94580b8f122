# nvtx_pushpop_trace.sh: each push/pop range and its position in the tree of its thread's ranges
# All ranges are stored in memory, to sort them. If ranges begin at the same time, the shortest comes first.
closed range |
	filter-calls -w ts |
	filter-calls -v -w 'style == StartEnd' |
	ts-sort |
	call-tree -r range --stack=row --crossing sibling |
	rows |
	ndjson2table -s +ts,+dur,+node -o ndjson |
	table 'Start (ns)=ts' 'End (ns)=end' 'Duration (ns)=dur' 'DurChild (ns)=dur-self' 'DurNonChild (ns)=self' \
		"Name=$label" PID=pid TID=tid Lvl=depth NumChild=children RangeId=row 'ParentId=item(stack,-2)' \
		"RangeStack=':'+join(stack,':')" "NameTree=repeat('--',depth)+$label"
finish 'no push/pop ranges' "${PIPESTATUS[@]}"
