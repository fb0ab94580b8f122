# other.sh: the sections of trace-report about the host, and about traces of other programs than GPU profilers.
# shellcheck disable=SC2034 # model.sh uses `kind_of` and `title`


# host_sections: declares the sections about ranges and calls.
host_sections() {
	section annotations answer.other "| filter-calls -k range | derive \"label=sub(name,'#[0-9]+\$','')\" |
		groupby -g label -a count,sum,mean,min,max"
	section range-gpu device "| filter-calls -w range | groupby -g range -a count,sum,share"
	section calls 'done' "${live[calls]}"
}

# table_sections: declares the sections about traces of oneDNN and PlaidML, counters, and tables of profilers.
table_sections() {
	section primitives answer.other '| filter-calls -k primitive | groupby -g name,impl -a count,sum,mean,share'
	section creation answer.other '| filter-calls -k create | groupby -g name,cache -a count,sum,mean'
	section activities answer.other '| filter-calls -k activity | groupby -g name -a count,sum,mean'
	[ "$gpu" ] || ! has kernel || section kernels kernels '| groupby -g name'
	section counters answer.other '| filter-calls -k counter |
		groupby -g name,unit -f value -a count,mean,min,max,last -s count'
	section symbols answer.other '| filter-calls -k row -w overhead | ndjson2table -o ndjson -f name,overhead,dso -s overhead'
	section table-rows answer.other '| filter-calls -k row -w count |
		ndjson2table -o ndjson -f name,count,self,total,dev_self,dev_total -s self'
	section table-totals answer.other '| filter-calls -k total | ndjson2table -o ndjson -f name,self'
}

# sample_sections: declares a section for each event of samples, because one event may count ns and another one page
# faults. The template depends on the periods that perf printed.
sample_sections() {
	local count periods times event by of id n=0
	filter-calls -k sample "$folder/answer.other" |
		groupby --quiet -g event -a count,count:period,count:dur -t 10 -o ndjson |
		ndjson2table --quiet -o tsv -f count,period_count,dur_count,event >"$folder/events" || exit 2
	while read -r count periods times event; do
		[ "$count" != count ] || continue # the header
		id=samples-$((++n)) by='-a count' kind_of[$id]=samples-count
		[ "$periods" != "$count" ] || { by='-f period -a count,sum,share' kind_of[$id]=samples-period; }
		[ "$times" != "$count" ] || { by='-a count,sum,share' kind_of[$id]=samples-time; }
		title[$id]="Samples${event:+ of $event}"
		of="-w $(quoted "event == \"$event\"")"
		[ "$event" ] || of="-w '!event'"
		section "$id" answer.other "| filter-calls -k sample $of | groupby -g name,dso $by"
		case ${option[o]} in html | ndjson) draw_samples "$id" "$of" ;; esac
	done <"$folder/events"
}
