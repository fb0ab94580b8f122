# rank-pages.sh: the pages of the ranks that the report of a job names.

# list_named: prints the figures of each rank that the report names, the most important ones first, with the reasons: it is
# in the set that costs most (named), delays a slow step (delayed), is odd (is_odd), or its trace is damaged.
list_named() {
	local rank
	{
		filter-calls -w kind==rank-delays/job "$folder/job" | derive --explode rank=ranks --keep rank,named named=1
		filter-calls -w kind==rank-delays/slow "$folder/job" | derive --keep rank,delayed delayed=step
		for rank in "${!number_of[@]}"; do
			[ "$(tail -n 1 "$dir/parts/${number_of[$rank]}.err")" = 0 ] || echo "{\"rank\":$rank,\"damaged\":1}"
		done
	} | filter-calls -w rank | groupby -g rank -f named,delayed,damaged -a max -o ndjson >"$folder/reasons"
	key-join --left -g rank --take named=named_max,delayed=delayed_max,damaged=damaged_max "$folder/reasons" "$folder/ranks" |
		derive 'order=if(default(named,0),1,if(default(delayed>=0,0),2,if(is_odd,3,if(default(damaged,0),4))))' |
		filter-calls -w order |
		ndjson2table -o ndjson -s +order,+score,+rank
}

# write_rank_pages: writes a page for each of the first ranks that list_named prints, beside the page of the job. Sets
# `pages` to the beginning of their names, or to the empty text if it prints no rank.
write_rank_pages() {
	local map=(trace-map --separate) options=() ranks operands=() number status=0
	[ ${#traces[@]} -gt 1 ] || die '--rank-pages: expected a trace of each rank, not one of several ranks'
	list_named >"$folder/named"
	proceed '' $?
	ranks=$(ndjson2table -f rank -t "${option[t]-15}" -o raw "$folder/named") || exit
	[ "$ranks" ] || { warn 'no rank stands out: no pages of ranks'; return; }
	mapfile -t ranks <<<"$ranks"
	for number in "${ranks[@]}"; do operands+=("${traces[number_of[$number]]}"); done
	pass_options map engine hosts j
	pass_options options t lead kernel-names
	# Damage was reported when the trace was reduced; here, only a page that cannot be made is reported.
	rm -rf "$dir/pages"
	"${map[@]}" --dir "$dir/pages" "trace-report -o html$(printf ' %q' "${options[@]}") -- {}" "${operands[@]}" \
		2>"$folder/said" || status=$?
	grep -a ': no result: ' "$folder/said" >&2 || [ "$status" -lt 2 ] || cat "$folder/said" >&2
	[ "$status" -ne 2 ] || status=1
	proceed '' "$status"
	pages=${option[to]%.html} pages=${pages##*/}-rank
	for number in "${!ranks[@]}"; do
		[ -e "$dir/pages/parts/$number.part" ] || continue
		save_file "$dir/pages/parts/$number.part" "${option[to]%.html}-rank${ranks[number]}.html"
		echo "{\"rank\":${ranks[number]},\"page\":1}"
	done >"$folder/pages"
	rm -rf "$dir/pages"
}
