# verdict.sh: the functions of trace-report that make the record of kind verdict.

# known FIGURE: returns 0 if the figure is known.
known() {
	[[ ,$figures == *,\"$1\":* ]]
}

# whole_number FIGURE: prints a figure without its decimals; 0 if it is not known.
whole_number() {
	[[ ! ,$figures, =~ ,\"$1\":(-?[0-9]+)[,.] ]] || { echo "${BASH_REMATCH[1]}"; return; }
	echo 0
}

# gpu_verdict: sets `verdict` to the largest loss, and `detail` to the parts of the time that are at least 1 / 40 of it:
# computing, and the others, the largest first.
gpu_verdict() {
	local part amount ordered of window text='' start
	local -A words=([compute]='computes for' [comm]='only communicates for' [memory]='only copies for'
		[host]='waits for the host for' [pause]='pauses between kernels for')
	window=$(whole_number step)
	[ "$window" -gt 0 ] || return 0
	verdict=compute start='A step takes {step:time} ± {step_std:same}.'
	[ ! "$per" ] || start='The trace covers {window:time} of work.'
	known step_std || start=${start/ ± {step_std:same\}/}
	ordered=$(echo "$(whole_number compute_step) compute" && for part in comm memory host pause; do
		echo "$(whole_number "${part}_step") $part"
	done | sort -k 1,1nr -k 2,2)
	while read -r amount part; do
		[ $((amount * 40)) -ge "$window" ] || continue
		of="{${part}_step:same}"
		[ "$text" ] || of="{${part}_step:time} of it"
		text+="${text:+,} ${words[$part]} $of"
	done <<<"$ordered"
	detail="$start The GPU$text."
	[ $(($(whole_number compute_step) * 100)) -le $((window * 85)) ] || return 0
	verdict=$(for part in comm memory host pause; do echo "$(whole_number "${part}_step") $part"; done |
		sort -k 1,1nr -k 2,2 | sed -n '1s/.* //p')
}

# host_verdict: sets `verdict` to the first section about the host that the trace has, and the figures of its text.
host_verdict() {
	local id field
	for id in primitives:dur_sum activities:dur_sum symbols:overhead table-rows:self samples-1:count \
		host-operators:self_sum calls:dur_sum annotations:dur_sum; do
		field=${id#*:} id=${id%:*}
		[ -s "$folder/answer.$id" ] || continue
		verdict=${id%-1}
		learn rows,total,total_count "$folder/answer.$id" "| groupby -a count,sum:$field,sum:count |
			derive rows=count total=${field}_sum total_count=count_sum"
		learn top_name,top "$folder/answer.$id" "| derive 'top_name=default(label,name)' top=$field"
		relate 'top_share=if(total>0,top/total)'
		return
	done
}

# print_verdict FORMAT: prints the record. FORMAT: the program that wrote the trace. If a figure of the text is not
# known, the text is about the records.
print_verdict() {
	local title=${files[*]##*/} source facts='' fact text='' record='' noun=records
	[ "${title:--}" != - ] || title='standard input'
	[ "$(whole_number records)" != 1 ] || noun=record
	source=$(json_text "$1") title=$(json_text "${title//[[:cntrl:]]/?}")
	title=${title//\{/\\u007b} # a name with {word} is not a figure
	! known world || source+=,$(json_text 'rank {rank:int} of {world:int}')
	for fact in gpu:'{gpu}' first_step:'{steps:count} steps ({first_step:int} to {last_step:int})' \
		window:'{window:time}' \
		records:"{records:count} $noun" lost:'{lost:count} lost'; do
		! known "${fact%%:*}" || facts+=,$(json_text "${fact#*:}")
	done
	known lost || ! known records || facts+=',"some lost"'
	for verdict in "$verdict" records empty; do
		[[ ${template[verdict/$verdict]} =~ \"text\":\"([^\"]*)\" ]] && text=${BASH_REMATCH[1]}
		text=${text/' records of '/" $noun of "}
		[ "$(whole_number kinds)" != 1 ] || text=${text/%' kinds.'/' kind.'}
		template[verdict/all]="{\"kind\":\"report/verdict\",\"title\":$title,\"source\":[$source]"
		template[verdict/all]+=",\"facts\":[${facts#,}]"
		template[verdict/all]+=",\"hint\":\"$name --commands  shows how     -o html --to report.html  to share\""
		template[verdict/all]+=",\"text\":\"$text\"${detail:+,\"detail\":\"$detail\"}}"
		record=$(fill verdict/all kind,title,source,facts,text,detail,per,hint "per=if(${#per}==0,'a step')")
		[ ! "$record" ] || break
		detail=''
	done
	printf '%s\n' "$record"
}
