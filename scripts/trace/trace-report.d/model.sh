# model.sh: the functions of trace-report that make the records of the report from answers and from the templates in
# texts.ndjson. `figures` has the members that texts can name, as JSON: "steps":6,"window":465171000.

# read_templates: sets template[KIND/ID] to each line of texts.ndjson: template[figure/step-time].
read_templates() {
	local line start='"kind":"report/([a-z]+)","id":"([a-z-]+)"'
	while IFS= read -r line; do
		[[ ! $line =~ $start ]] || template[${BASH_REMATCH[1]}/${BASH_REMATCH[2]}]=$line
	done <"$parts_folder/texts.ndjson"
}

# quoted TEXT: prints TEXT, quoted for a shell if necessary.
quoted() {
	case $1 in
	*[[:cntrl:]]*) printf %q "$1" ;;
	*[!A-Za-z0-9_./:@%+=,-]* | '') printf "'%s'" "${1//\'/\'\\\'\'}" ;;
	*) printf %s "$1" ;;
	esac
}

# json_text TEXT: prints a text without control characters, except newline, as JSON.
json_text() {
	local text=${1//\\/\\\\}
	text=${text//\"/\\\"}
	printf '"%s"' "${text//$'\n'/\\n}"
}

# learn NAME,... FILE "| PIPELINE": adds members of the record that the pipeline writes about a file to the figures.
learn() {
	local line=
	TRACEFILTERS_QUIET=yes eval "${3#|}" <"$2" >"$folder/figure"
	proceed '' $?
	ndjson2table --quiet -o ndjson -f "$1" "$folder/figure" >"$folder/members" || exit 2
	read -r line <"$folder/members" || return 0
	line=${line#\{\"kind\":\"*\"} line=${line#[\{,]} line=${line%\}}
	figures+=${line:+${figures:+,}$line}
}

# relate ASSIGNMENT...: adds figures that are computed from others.
relate() {
	figures=$(printf '{%s}\n' "$figures" | derive --quiet "$@")
	figures=${figures#\{} figures=${figures%\}}
}

# fill KIND/ID MEMBER,... [ASSIGNMENT...]: prints the template as a record with these members, the figures that its texts
# name, and assignments to members. Prints nothing if a figure is absent.
fill() {
	local rest=${template[$1]} members=$2, needed=()
	while [[ $rest =~ [{]([a-z_0-9]+)[:}](.*) ]]; do
		rest=${BASH_REMATCH[2]} needed+=(-w "${BASH_REMATCH[1]}")
		[[ ,$members == *,${BASH_REMATCH[1]},* ]] || members+=${BASH_REMATCH[1]},
	done
	printf '{%s%s\n' "${figures:+$figures,}" "${template[$1]#\{}" |
		derive --quiet "${@:3}" |
		filter-calls --quiet "${needed[@]}" |
		ndjson2table --quiet -o ndjson -f "${members%,}"
}

# figure ID VALUE [ASSIGNMENT...]: prints a record of kind figure, if VALUE can be computed; VALUE may be empty if the
# figure is only a text.
figure() {
	fill "figure/$1" kind,id,name,brief,value,share,unit,group,color,note,text "value=${2:-if(0,0)}" "${@:3}" |
		filter-calls --quiet ${2:+-w value}
}

# finding ID CONDITION SAVES [ASSIGNMENT...]: adds a finding, if the condition holds. SAVES: the time that it can save;
# empty if that is unknown.
finding() {
	fill "finding/$1" kind,id,holds,saves,of,title,text,detail,advice,section "holds=$2" "saves=${3:-if(0,0)}" \
		${per:+"of=if(of=='step','run',of)"} "${@:4}" |
		filter-calls --quiet -w holds==1 ${3:+-w 'saves>0'} |
		derive 'holds=if(0,0)' >>"$folder/findings"
}

# question ID FILE "| PIPELINE": declares a pipeline, which answer_all runs on a file in $folder; it writes
# $folder/answer.ID.
question() {
	questions+=("$1") source[$1]=$2 pipeline[$1]=$3
}

# section ID FILE "| PIPELINE" [JOIN]: declares a section, whose figures the pipeline computes from a file in $folder;
# FILE is `done` if $folder/answer.ID has them already. The command that the report shows is the pipeline after JOIN
# (default: trace-join), and after the selection of the records that the file has.
section() {
	local commands=$3 selected=${selection[$2]-}
	case $2:$3 in
	device:'| gpu-busy'* | device:'| gpu-gaps'*) ;; # uses only device records
	*:'| filter-calls'*) commands="${selected:-| filter-calls}${3#| filter-calls}" ;;
	*) commands="${selected:+$selected }$3" ;;
	esac
	commands=${commands//$'\n'/ } commands=${commands//$'\t'/}
	sections+=("$1") command[$1]="${4:-$trace_join} $commands"
	[ "$2" = 'done' ] || question "$1" "$2" "$3"
}

# answer ID: runs the pipeline of a question.
answer() {
	TRACEFILTERS_QUIET=yes eval "${pipeline[$1]#|}" <"$folder/${source[$1]}" >"$folder/answer.$1"
}

# answer_all: answers all questions, two at a time. This waits for the process that began first: `wait -n` of bash 5.2 can
# miss a process that ends at the same moment, and then waits for the process that prints messages, which does not end.
answer_all() {
	local id running=()
	for id in "${questions[@]}"; do
		[ ${#running[@]} -lt 2 ] || wait_for_answer
		in_background answer "$id"
		running+=($!)
	done
	while [ ${#running[@]} -gt 0 ]; do wait_for_answer; done
}

# wait_for_answer: waits for the first process in `running` and removes it. After a failure, waits for the others too,
# because they read files in the folder.
wait_for_answer() {
	local status=0
	wait "${running[0]}" || status=$?
	running=("${running[@]:1}")
	[ "$status" -lt 2 ] || [ ${#running[@]} -eq 0 ] || wait "${running[@]}" || :
	proceed '' "$status"
}

# command_of ID: prints the command of a section, as the report shows it.
command_of() {
	local line=${command[$1]}
	case ${line##*| } in
	groupby* | stats*) line+=' -o table' ;;
	ndjson2table*) line=${line/ndjson2table -o ndjson/ndjson2table} ;;
	*) line+=' | ndjson2table' ;;
	esac
	printf %s "$line"
}

# print_section ID: prints a section and its rows, unless there is no row.
print_section() {
	local id=$1 text=${template[section/${kind_of[$1]:-$1}]} lines=${option[t]-} limit=${limits[$1]:-$rows}
	local columns note='' rest means
	local shown=kind,id,title,of,text,view,columns,titles,units,colors,mark_unit,sums
	shown+=,brief,brief_titles,brief_units,lines,commands
	local section assignment assignments=("section='$id'")
	[ -s "$folder/answer.$id" ] || return 0
	text=$(in_unit "$text") rest=${text/\"rest\":/\"sums\":} means=$(members_of means "$text")
	[ ! "${title[$id]-}" ] || text="${text%\}},\"title\":$(json_text "${title[$id]}")}"
	columns=${picture[$id]:+,$(json_text "${picture[$id]}")}
	printf '%s\n' "${text%\}},\"commands\":[$(json_text "$(command_of "$id")")$columns]}" |
		derive --quiet "id='$id'" ${lines:+"lines=if(lines>0,$lines)"} ${hidden[$id]:+"lines=if(0,0)"} |
		ndjson2table --quiet -o ndjson -f $shown >"$folder/section" || exit 2
	read -r text <"$folder/section"
	[ ! "${template[section/$id-note]-}" ] || note=$(fill "section/$id-note" note)
	note=${note#\{} note=${note%\}}
	printf '%s\n' "${text%\}}${note:+,$note}}" || exit 2

	while IFS=$'\t' read -r section assignment; do
		[ "$section" != "$id" ] || assignments+=("$assignment")
	done <"$parts_folder/labels.tsv"
	derive --quiet "${assignments[@]}" <"$folder/answer.$id" >"$folder/rows" || exit 2
	columns=$(members_of columns "$text")
	[[ ,$columns, != *,label,* ]] || columns+=,name
	ndjson2table --quiet -o ndjson -t "$limit" -f "section,$columns,color" "$folder/rows" |
		derive --quiet "kind='report/row'" || exit 2
	[ ! "$means" ] || print_mean "$id" "$means"
	columns=$(members_of sums "$rest")
	[ ! "$columns" ] || print_rest "$id" "$limit" "$columns"
	[ ! -s "$folder/marks.$id" ] || cat "$folder/marks.$id" || exit 2
}

# in_unit TEMPLATE: prints the template of a section. If the work takes less than 10 ms, its times are in microseconds.
in_unit() {
	local text=$1
	[ "$(whole_number window)" -ge 10000000 ] || [ ! "$gpu" ] || text=${text//\"ms.[012]\"/\"us.1\"}
	[ "$text" = "$1" ] || { text=${text//(ms)/(µs)} && text=${text//\"ms\"/\"µs\"}; }
	printf %s "$text"
}

# insert_column ID PLACE NAME TITLE UNIT: adds a column to the template of a section, after the `first` or `last` column.
insert_column() {
	local member regex text
	for member in "columns:$3" "titles:$4" "units:$5" colors:; do
		text=${template[section/$1]} regex="\"${member%%:*}\":\[[^]]*"
		[ "$2" = last ] || regex="\"${member%%:*}\":\[\"[^\"]*\""
		[[ ! $text =~ $regex ]] || template[section/$1]=${text/"${BASH_REMATCH[0]}"/"${BASH_REMATCH[0]},\"${member#*:}\""}
	done
}

# members_of MEMBER RECORD: prints the names in an array of a record.
members_of() {
	[[ ! $2 =~ \"$1\":\[([^]]*)\] ]] || printf %s "${BASH_REMATCH[1]//\"/}"
}

# print_rest ID ROWS COLUMNS: prints the row that sums up the rows of the section after the first ROWS.
print_rest() {
	local column sums=() names=()
	for column in ${3//,/ }; do
		sums+=(",sum:$column") names+=("\"$column\"=\"${column}_sum\"")
	done
	derive --quiet --cumulate place=1 "$folder/rows" |
		filter-calls --quiet -w "place>$2" |
		groupby --quiet -o ndjson -a "count$(printf %s "${sums[@]}")" |
		derive --quiet rest=count "${names[@]}" "kind='report/row'" "section='$1'" |
		filter-calls --quiet -w 'rest>0' |
		ndjson2table --quiet -o ndjson -f "kind,section,rest,$3"
	proceed '' "${PIPESTATUS[@]}"
}

# print_mean ID COLUMNS: prints the row with the means of the rows of the section, without their
# decimals, if there are several rows.
print_mean() {
	local column means=count names=() row
	for column in ${2//,/ }; do
		means+=",sum:$column" names+=("$column=${column}_sum//count")
	done
	groupby --quiet -o ndjson -a "$means" "$folder/rows" |
		filter-calls --quiet -w 'count > 1' |
		derive --quiet "kind='report/row'" "section='$1'" "label='mean'" "${names[@]}" |
		ndjson2table --quiet -o ndjson -f "kind,section,label,$2" >"$folder/mean"
	proceed '' "${PIPESTATUS[@]}"
	! read -r row <"$folder/mean" || printf '%s,"mean":true}\n' "${row%\}}"
}

# print_model: prints the records of the report.
print_model() {
	local id
	print_verdict "$format"
	[ ! "$gpu" ] || print_gpu_figures
	[ ! -s "$folder/findings" ] || ndjson2table --quiet -o ndjson -s saves "$folder/findings"
	for id in "${sections[@]}"; do print_section "$id"; done
}
