# gate.sh: the gate of trace-diff: one figure of both runs, and a status: 0 passed, 1 failed, 2 as always, 3 cannot tell.

# steps FILE: prints the ranges of the steps or, with `by_launch`, their times on the device. gpu-busy finds
# ranges at the end that are not steps, because they launch nothing.
steps() {
	local last=''
	if gpu-busy --quiet --per all --within "${option[e]}" -r range,op $by_launch "$1" >"$folder/steps" 2>"$folder/said"; then
		last=$(groupby -a max -f ts -o raw "$folder/steps") || finish '' $?
	fi
	if [ "$by_launch" ]; then
		derive step=name "$folder/steps"
	else
		filter-calls -k range,op -e "${option[e]}" -w dur ${last:+-w "ts <= ${last}ns"} "$1" | derive step=name
	fi
}

# figure FILE: prints the records whose values are compared; those of one step have the same member `step`.
figure() {
	case $on in
	step) steps "$1" ;;
	busy | exposed) gpu-busy --within "${option[e]}" -r range,op $by_launch "$1" | derive step=name ;;
	kernel) filter-calls -k kernel "$1" ;;
	*) filter-calls -n "$on" -w dur "$1" ;;
	esac
}

# find_by_launch: sets `by_launch` to the option of gpu-busy, if it measures the steps of a run on the device because its
# work starts long after its launch: then it measures those of all runs so.
find_by_launch() {
	local number
	by_launch=''
	for number in "${!runs[@]}"; do
		gpu-busy --quiet --within "${option[e]}" -r range,op "$folder/$number" 2>"$folder/said" || :
	done | filter-calls -w steps==launch >"$folder/late"
	proceed '' "${PIPESTATUS[@]}"
	[ ! -s "$folder/late" ] || by_launch=--by-launch
}

# unfit RUN FILE: prints why the times of the records in FILE cannot be trusted, if they cannot.
unfit() {
	local why
	trace-check -e "${option[e]}" -o ndjson "$2" >"$folder/check" || [ $? -lt 2 ] || exit 2
	filter-calls -w 'effect == unfit' "$folder/check" | ndjson2table -f text -o raw >"$folder/unfit"
	proceed '' "${PIPESTATUS[@]}"
	why=$(<"$folder/unfit")
	[ ! "$why" ] || refuse "$1: unfit: ${why//$'\n'/; }"
}

# refuse REASON: ends the gate without an answer, unless the user gave --force.
refuse() {
	[ ! -v 'option[force]' ] || { remark notice "$1" && return; }
	remark warning "$1"
	if [ "${option[o]}" = ndjson ]; then
		printf '{"kind":"verdict","verdict":"cannot tell","status":3}\n' | trace2ndjson --set "figure=$on" | write_verdict
		proceed '' "${PIPESTATUS[@]}"
	fi
	exit 3
}

# write_verdict: adds the reasons to the record in standard input.
write_verdict() {
	local record list
	IFS= read -r record
	printf -v list ',"%s"' "${reasons[@]}"
	printf '%s,"reasons":[%s]}\n' "${record%\}}" "${list#,}" | trace2ndjson
}

# reason TEXT: stores a reason of the verdict, as JSON.
reason() {
	local text=${1//\\/\\\\}
	text=${text//[[:cntrl:]]/?}
	reasons+=("${text//\"/\\\"}")
}

# remark LEVEL TEXT: prints a message, and a line for the log of a workflow; with --quiet, no notices.
remark() {
	reason "$2"
	[ "$1" != notice ] || [ ! "$user_quiet" ] || return 0
	[ "${option[o]}" != github ] || github "$1" "$name" "$2" || exit 2
	warn "$2"
}

gate() {
	local limit=${option[fail-above]%\%} row status=0 text repeats=() files=() number same=(--comparable) level=notice
	local measure=(-f dur --step step)
	on=${option[on]-step} reasons=()
	[ ! -v 'option[force]' ] || same=()
	for number in "${!runs[@]}"; do
		(write_run "${runs[number]}" "$folder/$number") || status=$?
		[ "$status" -lt 2 ] || finish '' "$status"
		[ "$status" = 0 ] || [ -v 'option[lenient]' ] || refuse "records were lost; --lenient uses the others"
		unfit "${runs[number]}" "$folder/$number"
	done
	find_by_launch
	for number in "${!runs[@]}"; do
		figure "$folder/$number" >"$folder/figure.$number"
		proceed '' "${PIPESTATUS[@]}"
		[ -s "$folder/figure.$number" ] || { unset 'option[force]' && refuse "${runs[number]}: no record for --on $on"; }
		case $number in
		0 | "${#before[@]}") files+=("$folder/figure.$number") ;;
		*) repeats+=("--repeat-$(side_of "$number")=$folder/figure.$number") ;;
		esac
	done
	status=0
	TRACEFILTERS_QUIET=hints group-diff "${compare[@]}" "${same[@]}" -o "${option[o]/github/ndjson}" \
		"$folder/0" "$folder/${#before[@]}" >"$folder/rows" 2>"$folder/said" || status=$?
	[ "$status" != 3 ] || level=warning
	while IFS= read -r text; do remark "$level" "${text#"$TRACEFILTERS_COMMAND: "}"; done <"$folder/said"
	[ "$status" != 3 ] || refuse 'not comparable; --force compares the runs'
	[ "$status" -lt 2 ] || finish '' "$status"
	case $on in
	step) measure+=(--wall) ;;
	busy) measure+=(-f busy) ;;
	exposed) measure+=(-f comm_only) ;;
	esac
	group-diff "${measure[@]}" "${repeats[@]}" ${option[all-steps]:+--all-steps} --quiet -o ndjson "${files[@]}" |
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
	reason "$text"
	case ${option[o]} in
	github)
		case $status in 0) row=notice ;; 1) row=error ;; *) row=warning ;; esac
		github "$row" "$name" "$text" || finish '' $?
		exit "$status" ;;
	ndjson)
		derive --keep kind,figure,a,b,change,p,verdict,status "$folder/verdict" | write_verdict
		proceed '' "${PIPESTATUS[@]}" ;;
	table | md | list) printf '%s\n' "$text" >>"$folder/rows" || exit 2 ;;
	*) warn "$text" ;;
	esac
	save_file "$folder/rows"
	exit "$status"
}
