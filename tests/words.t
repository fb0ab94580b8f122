#!/bin/sh
# words.t: a word or letter of an option has one meaning in all programs and scripts. The words come from the tables of
# options, so those of new programs are compared too.
. "${0%/*}/lib.sh"

# A line for each option of each program, separated by tabs: program, letter, long name, argument, help.
for file in "$BUILD"/bin/*; do
	f=${file##*/}
	if [ ! -L "$file" ]; then
		"$f" --option-rows </dev/null | sed '1d; s/	\[[^]]*\]	/		/' | cut -f 1-3,5
	elif [ ! -L "$(readlink "$file")" ] && [ "$f" != trace-script ]; then
		"$f" -h </dev/null | sed -nE 's/^  -([A-Za-z])( ([^ ]+))?(  .*|$)/\1\t\t\3\t\4/p
			s/^  --([a-z][a-z-]+)( ([^ ]+))?(  .*|$)/\t\1\t\3\t\4/p'
	fi | sed "s/^/$f	/"
done >options

# The meanings that are different on purpose, as OPTION=ARGUMENT.
cat >different <<'E'
--clocks=FILE	ts-sort: a file; all others: a file or a word
--also=KIND	nvtx-attach: one more kind of record; ndjson2table: a member with its type
--keep=	trace-catalog: records of traces that vanished; derive: members
--groups=NAME	inference-steps: what groups of an expression are; stragglers: slowness by groups of ranks
--label=FIELD	ndjson2svg: the fields that label boxes; filter-calls: labels from a FILE
--log=DIR	tune-threads: the folder of its logs; all others: a logarithmic scale
--mark=REGEX	inference-steps: ranges that mark steps; ndjson2folded: letters after frames
--min=T	gpu-gaps: a time; op-breakdown: a number of records
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
	cut -f 1,3 options | grep -E "^(filter-calls|kernels-in)	until"' <<'E'
filter-calls	until
kernels-in	until
E
check 'a letter has one long name in all filters' 0 \
	'awk -F "\t" "\$2 != \"\" && \$3 != \"\" { print \$2, \$3 }" options | sort -u | cut -d " " -f 1 | uniq -d' </dev/null
check 'a word has the same argument in all programs' 0 \
	'cut -f 1,2 meanings | sort -u >pairs; cut -f 1 different | tr = "\t" | sed "s/I.NAME/I=NAME/" | sort >kept
	grep -Fvx -f kept pairs | cut -f 1 | uniq -d | while read -r word; do grep -e "^$word	" meanings; done' </dev/null
check 'every difference that is kept still exists' 0 'comm -13 pairs kept' </dev/null
# Flags have no argument that could be compared. If several programs explain a flag in different words, read what it
# means in each of them before you add a program to its line here.
check 'a flag has the same meaning in all programs' 0 '
	awk -F "\t" "\$3 != \"\" && \$4 == \"\" && \$3 !~ /^(help|version|quiet|lenient|wide)\$/ {
		if (!(\$3 in text)) text[\$3] = \$5
		programs[\$3] = programs[\$3] \" \" \$1
		if (\$5 != text[\$3]) several[\$3]
	} END { for (flag in several) print flag \":\" programs[flag] }" options | sort' <<'E'
all-steps: group-diff trace-diff
by-name: kernel-types opencl-kernels
commands: ndjson2report trace-report
each-step: group-diff trace-diff
each: frontier inference-steps layer-times op-overheads roofline
force: rank-merge trace-diff ts-sort
groups: hangs stragglers
hist: stats trace-map
ignore-case: filter-calls range-project
log: ndjson2svg stats trace-map
merge: groupby stats ts-sort
meta: filter-calls trace-steps
pictures: report-sections trace-report
report: corr-join nvtx-attach op-overheads range-project
resume: trace-map trace-report
stack: call-tree range-project
whole: gpu-busy trace-diff
E

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
filter-calls|--within|--inside|--until +1ms records
filter-calls|--whole|--inside|--until +1ms records
trace-steps|--whole|--complete|records
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
	trace-steps --complete records >a; whole-steps records | cmp - a; trim-iterations --count 1 records >a
	device-summary --overlap --per all -e gemm records >a; comm-overlap --per all -e gemm records | cmp - a
	kernel-source --quiet --longest mean "$DATA/mlp.eventlog.gz" >a; program-memory -h >a' <<'E'
kernel-source: kernel-source is now called plaidml-info source; kernel-source goes after this release
--- stderr
whole-steps: whole-steps is now called trace-steps --complete; whole-steps goes after this release
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
