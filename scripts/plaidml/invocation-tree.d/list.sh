# list.sh: a row for each invocation in the file `list`, with the number of its mappings
fields=invocation,ts,dur,records,kernels,kernel_time,wall_time,mappings
case ${option[o]} in csv | tsv | ndjson) fields+=,id,seq,kernel_first,kernel_last,window_end ;; esac

# The window of an invocation lasts from its end to the first start of an invocation after this end or, if no start
# follows, to the last start. To find this start, the time between two starts becomes a range that is named after the
# later start. To count the mappings in a window, each window becomes a range.
last=$(groupby -a max:root_ts -o raw "$folder/list")
{
	derive ts=root_ts "$folder/list" | ts-sort | derive --prev from=root_ts "kind='range'" \
		"name=str(ts)" dur=ts-from-1 ts=from | filter-calls -w 'dur >= 0'
	derive "ts=default(root_end,root_ts)" "kind='mark'" "$folder/list"
} | ts-sort | nvtx-attach --scope any | filter-calls -k mark |
	derive "window_end=default(num(range),$last)" >"$folder/windows"
proceed '' "${PIPESTATUS[@]}"
{
	derive "kind='range'" "name=str(n)" dur=window_end-root_end ts=root_end "$folder/windows" |
		filter-calls -w 'dur >= 0'
	filter-calls -w "root == '$map'" -w depth==0 -w dur "$folder/tree"
} | ts-sort | nvtx-attach --scope any --horizon 100000s |
	filter-calls -k activity -w ranges | groupby -g ranges[] -a count -o ndjson |
	derive 'n=num("ranges[]")' >"$folder/counts"
proceed '' "${PIPESTATUS[@]}"
key-join --left -g n --take mappings=count "$folder/counts" "$folder/windows" |
	derive "mappings=default(mappings,0)" ts=root_ts dur=root_dur id=root_id kernels=run_count records=count \
		"kernel_time=default(run_sum,0)" kernel_first=run_ts_min kernel_last=run_end_max \
		wall_time=kernel_last-kernel_first "kind='invocation-tree'" |
	ndjson2table -f "$fields" "${output[@]}" -s +invocation
finish '' "${PIPESTATUS[@]}"
