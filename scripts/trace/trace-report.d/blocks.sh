# blocks.sh: the functions of trace-report that print pipelines and their answers. They use its variables `join` and
# `folder`.

quoted() { # quoted TEXT: prints TEXT, quoted for a shell if necessary
	case $1 in
	*[!A-Za-z0-9_./:@%+=,-]* | '') printf "'%s'" "${1//\'/\'\\\'\'}" ;;
	*) printf %s "$1" ;;
	esac
}

# wrapped PIPELINE: prints a pipeline after a prompt. If it is wider than the terminal, each program begins a line, and
# a program that is still too wide is continued after a backslash, if possible before an option.
wrapped() {
	local rest=$1 line='$' word columns=${TRACEFILTERS_COLUMNS:-0}
	local first_word="^((-[a-z] +)?('[^']*'|\\\\.|[^' ])+) *(.*)\$"
	[ $((${#rest} + 2)) -gt "$columns" ] || columns=0
	while [ "$columns" -gt 0 ] && [[ $rest =~ $first_word ]]; do
		word=${BASH_REMATCH[1]} rest=${BASH_REMATCH[4]}
		# Two columns remain free for a | or a backslash.
		if [ "$word" != '|' ] && [ $((${#line} + ${#word} + 3)) -gt "$columns" ]; then
			printf '%s \\\n' "$line" || return
			line='       '
		fi
		line+=" $word"
		[ "$word" != '|' ] || { printf '%s\n' "$line" && line='   '; } || return
	done
	printf '%s%s\n' "$line" "${rest:+ $rest}"
}

# block TITLE "| PIPELINE": prints the pipeline and its answer, unless the answer is empty. A trace may lack fields and
# calls. The hints about them are deleted here, because --quiet would be part of the pipeline that is shown, and would
# also suppress the note about calls that start after their work.
block() {
	local status=0 lines messages
	messages=$(eval "${2#| }" 2>&1 <"$folder/all" >"$folder/answer") || status=$?
	[ ! "$messages" ] || printf '%s\n' "$messages" |
		sed -e '/: no record has the field /d' -e '/ idle intervals end with work that has no call/d' >&2
	proceed '' "$status"
	lines=$(wc -l <"$folder/answer")
	[ "$lines" -gt 1 ] || return 0
	printf '\n# %s\n' "$1" && wrapped "$join $2" && cat "$folder/answer" || exit 2
}
