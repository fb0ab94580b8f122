#!/bin/sh
# words.t: a word or letter of an option has one meaning in all programs and scripts. The words come from the tables of
# options, so those of new programs are compared too.
. "${0%/*}/lib.sh"

# A line for each option of each program, separated by tabs: program, letter, long name, argument.
for file in "$BUILD"/bin/*; do
	f=${file##*/}
	if [ ! -L "$file" ]; then
		"$f" --option-rows </dev/null | cut -f 1-3
	elif [ ! -L "$(readlink "$file")" ] && [ "$f" != trace-script ]; then
		"$f" -h </dev/null | sed -nE 's/^  -([A-Za-z])( ([^ ]+))?(  .*|$)/\1\t\t\3/p
			s/^  --([a-z][a-z-]+)( ([^ ]+))?(  .*|$)/\t\1\t\3/p'
	fi | sed "s/^/$f	/"
done >options

# The meanings that are different on purpose, as OPTION=ARGUMENT.
cat >different <<'E'
--clocks=FILE	ts-sort: a file; all others: a file or a word
--label=FIELD	ndjson2svg: the fields that label boxes; filter-calls: labels from a FILE
--log=DIR	tune-threads: the folder of its logs; all others: a logarithmic scale
--name=I=NAME	arg-attach: names of arguments; filter-calls: a name
--runs=	trace-diff: a row for each run; tune-threads: how many runs
--sort=	trace2ndjson: in ts order; all others: by fields
E

# words: prints "OPTION MEANING PROGRAM". A letter with a long name in a filter counts as that name. A list, and
# words of a choice, have one meaning whatever they contain.
words() {
	awk -F '\t' '
		function meaning(text) {
			sub(/,\.\.\.$/, "", text)
			sub(/=TEXT$/, "=VALUE", text)
			if (text ~ /\|/ || text ~ /^(SCOPE|PLACE|WHAT|CLOCKS|VIEW|[a-z]+)$/) return "WORD"
			if (text ~ /^(KEY|FIELD|COLUMN)$/) return "FIELD"
			if (text ~ /^(N|TOP|M)$/) return "N"
			return text
		}
		FNR == NR { if ($2 != "" && $3 != "") long[$2] = $3; next }
		{
			option = $3 != "" ? "--" $3 : $2 in long ? "--" long[$2] : "-" $2
			print option "\t" meaning($4) "\t" $1
		}' options options
}
words >meanings
check 'options of all programs were found' 0 '
	[ "$(cut -f 1 options | sort -u | wc -l)" -gt 50 ] && [ "$(wc -l <options)" -gt 500 ]
	grep -c "^filter-calls.*until" options; grep -c "^kernels-in.*until" options' <<'E'
1
1
E
check 'a letter has one long name in all filters' 0 \
	'awk -F "\t" "\$2 != \"\" && \$3 != \"\" { print \$2, \$3 }" options | sort -u | cut -d " " -f 1 | uniq -d' </dev/null
check 'a word has the same argument in all programs' 0 \
	'cut -f 1,2 meanings | sort -u >pairs; cut -f 1 different | tr = "\t" | sed "s/I.NAME/I=NAME/" | sort >kept
	grep -Fvx -f kept pairs | cut -f 1 | uniq -d | while read -r word; do grep -e "^$word	" meanings; done' </dev/null
check 'every difference that is kept still exists' 0 'comm -13 pairs kept' </dev/null

# --- former words

check_former() { # check_former PROGRAM OLD NEW ARGUMENTS: OLD does what NEW does, with a note
	check "$1: $2 is the former name of $3" 0 "$1 $3 $4 >want 2>&1; $1 $2 $4 2>said | cmp - want; cat said" <<E
$1: ${2%% *} is now called ${3%% *}; ${2%% *} works until version 0.4.0
E
}
trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | corr-join --sorted >records
while IFS='|' read -r program old new arguments; do
	check_former "$program" "$old" "$new" "$arguments"
done <<E
filter-calls|--to +1ms|--until +1ms|records
filter-calls|--within|--whole|--until +1ms records
kernels-in|--to +1ms|--until +1ms|records
device-summary|-g stream|--per stream|records
kernel-types|-g all|--per all|records
plaidml-kernels|--by mean|-s mean|$DATA/mlp.eventlog.gz
plaidml-info|--top mean|--longest mean|kernel $DATA/mlp.eventlog.gz
collectives|-e x=barrier|--op x=barrier|$DATA/ranks.ndjson
stragglers|-e x=barrier|--op x=barrier|$DATA/ranks.ndjson
E
check 'former names of scripts' 0 '
	plaidml-info source k0 "$DATA/mlp.eventlog.gz" >a 2>b; kernel-source k0 "$DATA/mlp.eventlog.gz" >c 2>d
	cmp a c; head -n 1 d
	trace-steps --whole records >a; whole-steps records | cmp - a; trim-iterations --count 1 records >a
	device-summary --overlap --per all -e gemm records >a; comm-overlap --per all -e gemm records | cmp - a
	kernel-source --quiet --longest mean "$DATA/mlp.eventlog.gz" >a; program-memory -h >a' <<'E'
kernel-source: kernel-source is now called plaidml-info source; kernel-source goes after this release
--- stderr
whole-steps: whole-steps is now called trace-steps --whole; whole-steps goes after this release
trim-iterations: trim-iterations is now called trace-steps; trim-iterations goes after this release
comm-overlap: comm-overlap is now called device-summary --overlap; comm-overlap goes after this release
E
check 'scripts accept the long names of filters' 2 \
	'trace-diff --quiet --top 2 --output csv --unit us --kind kernel --group name --field=dur records records >a &&
	trace-diff --quiet -t 2 -o csv -u us -k kernel -g name -f dur records records | cmp - a
	frontier --regex x --top 0; device-summary --top 3 records' <<'E'
--- stderr
frontier: -t: '0': expected an integer >= 1; try frontier -h
device-summary: unknown option --top; try device-summary -h
E
finish
