# samples.sh: the block of trace-report for each event of samples, because one event may count ns and another one page
# faults. The columns depend on the periods that perf printed.
print_samples() {
	local count periods times event by of
	filter-calls -k sample "$folder/all" |
		groupby --quiet -g event -a count,count:period,count:dur -t "${option[t]}" -o ndjson |
		ndjson2table --quiet -o tsv -f count,period_count,dur_count,event >"$folder/events" || exit 2
	while read -r count periods times event; do
		[ "$count" != count ] || continue # the header
		by='-a count'
		[ "$periods" != "$count" ] || by='-f period -a count,sum,share'
		[ "$times" != "$count" ] || by='-a count,sum,share'
		of="-w $(quoted "event == \"$event\"")"
		[ "$event" ] || of="-w '!event'"
		block "samples${event:+ of $event}" "| filter-calls -k sample $of | groupby -g name,dso $by $rows"
	done <"$folder/events"
}
