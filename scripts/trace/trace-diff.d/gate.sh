# gate.sh: the gate of trace-diff: one figure of both runs, and a status: 0 passed, 1 failed, 2 as always, 3 cannot tell.

# figure FILE: prints the records whose values are compared; those of one step have the same member `step`.
figure() {
	case $on in
	step) filter-calls -k range,op -e "${option[e]}" -w dur "$1" | derive step=name ;;
	busy | exposed) gpu-busy --within "${option[e]}" -r range,op "$1" | derive step=name ;;
	kernel) filter-calls -k kernel "$1" ;;
	*) filter-calls -n "$on" -w dur "$1" ;;
	esac
}

# facts FILE: prints what must be equal in comparable runs: the kind of trace, the number of devices.
facts() {
	filter-calls -k kernel,memcpy,memset "$1" | groupby -a distinct:dev,distinct:rank -o ndjson |
		derive "a=if(dev_distinct>0,str(dev_distinct)+if(dev_distinct==1,' device',' devices'),'')" "b=if(rank_distinct>1,' of '+str(rank_distinct)+' ranks','')" \
			'text=a+b' | ndjson2table -f text -o raw
}

# unfit FILE: prints why the times of a trace cannot be trusted, if they cannot.
unfit() {
	filter-calls -k kernel,memcpy,memset "$1" |
		derive 'zero=if(ts==0,1,0)' 'negative=if(dur<0,1,0)' 'early=if(default(delay,0)<0,1,0)' |
		groupby -a count,sum:zero,sum:negative,sum:early -o ndjson |
		derive "a=if(zero_sum*100>count,', '+str(zero_sum)+' device records begin at 0','')" \
			"b=if(negative_sum>0,', '+str(negative_sum)+' device records have a negative duration','')" \
			"c=if(early_sum*1000>count,', '+str(early_sum)+' device records begin before their launch','')" 'text=a+b+c' |
		ndjson2table -f text -o raw
}

# github LEVEL TITLE MESSAGE: prints a command of a GitHub workflow.
github() {
	local text=${3//'%'/%25} title=${2//'%'/%25}
	title=${title//:/%3A} title=${title//,/%2C}
	text=${text//$'\n'/%0A}
	printf '::%s title=%s::%s\n' "$1" "${title//$'\n'/%0A}" "${text//$'\r'/%0D}"
}

# refuse REASON: ends the gate without an answer, unless the user gave --force.
refuse() {
	[ ! -v 'option[force]' ] || { note "$1" && return; }
	[ "${option[o]}" != github ] || github warning "$name" "$1" || exit 2
	warn "$1"
	exit 3
}

note() {
	[ "$user_quiet" ] || warn "$1"
}

gate() {
	local limit=${option[fail-above]%\%} row status=0 text repeats=() files=() number kinds=() share field=dur
	on=${option[on]-step}
	for number in "${!runs[@]}"; do
		(write_run "${runs[number]}" "$folder/$number") || status=$?
		[ "$status" -lt 2 ] || finish '' "$status"
		[ "$status" = 0 ] || [ -v 'option[lenient]' ] || refuse "records were lost; --lenient uses the others"
		kinds+=("$(facts "$folder/$number")")
		text=$(unfit "$folder/$number") || exit
		[ ! "$text" ] || refuse "${runs[number]}: unfit: ${text#, }"
		figure "$folder/$number" >"$folder/figure.$number"
		proceed '' "${PIPESTATUS[@]}"
		[ -s "$folder/figure.$number" ] || { unset 'option[force]' && refuse "${runs[number]}: no record for --on $on"; }
		case $number in
		0 | "${#before[@]}") files+=("$folder/figure.$number") ;;
		*) repeats+=("--repeat-$(side_of "$number")=$folder/figure.$number") ;;
		esac
	done
	[ "${kinds[0]}" = "${kinds[${#before[@]}]}" ] ||
		refuse "not comparable: A has ${kinds[0]:-no device work}, B ${kinds[${#before[@]}]:-no device work}; --force compares them"
	group-diff "${compare[@]}" -o ndjson "$folder/0" "$folder/${#before[@]}" >"$folder/rows"
	proceed '' $?
	share=$(derive 'both=if(count_b>0,total_a,0)' "$folder/rows" | groupby -f total_a,both -a sum -o ndjson |
		derive 'share=if(total_a_sum>0,100*both_sum/total_a_sum,100)' | filter-calls -w 'share<50' |
		derive 'text=fixed(share,1)' | ndjson2table -f text -o raw) || exit
	[ ! "$share" ] || refuse "not comparable: B has $share % of A's time by '${option[g]}'; -g op compares operators, --force all"
	[ "$on" != busy ] || field=busy
	[ "$on" != exposed ] || field=comm_only
	group-diff -f "$field" --step step "${repeats[@]}" ${option[all-steps]:+--all-steps} --quiet -o ndjson "${files[@]}" |
		derive "kind='verdict'" 'a=default(median_a,total_a)' 'b=default(median_b,total_b)' 'change=if(a>0,100*(b-a)/a,if(b==0,0))' \
			"verdict=default(verdict,'cannot tell')" "known=if(sub(verdict,'^changed.*','')=='',1,verdict!='cannot tell')" |
		derive "status=default(if(change<=$limit,0,if(verdict=='within noise',0,if(known,1,$unknown))),$unknown)" \
			"word=if(status==0,'passed',if(status==1,'failed','cannot tell'))" |
		trace2ndjson --set "figure=$on" >"$folder/verdict"
	proceed '' "${PIPESTATUS[@]}"
	row=$(derive "text=word+': '+figure+' '+str(fixed(a/1000000,3))+' ms -> '+str(fixed(b/1000000,3))+' ms'" \
		"text=text+default(', '+if(change>0,'+','')+str(fixed(change,1))+' %','')+', '+verdict" \
		"text=text+', limit ${option[fail-above]}'" "$folder/verdict" | ndjson2table -f status,text -o raw) || exit
	status=${row%%$'\n'*} text=${row#*$'\n'}
	case ${option[o]} in
	github)
		case $status in 0) row=notice ;; 1) row=error ;; *) row=warning ;; esac
		github "$row" "$name" "$text" ;;
	ndjson)
		derive --keep kind,figure,a,b,change,p,verdict,status "$folder/verdict" | cat - "$folder/rows" ;;
	*)
		group-diff "${compare[@]}" --quiet -o "${option[o]}" "$folder/0" "$folder/${#before[@]}" || finish '' $?
		case ${option[o]} in
		table | md | list) printf '%s\n' "$text" ;;
		*) warn "$text" ;;
		esac ;;
	esac || finish '' $?
	exit "$status"
}
