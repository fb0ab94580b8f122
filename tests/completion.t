#!/bin/sh
# completion.t: bash completes the options and values of filters and scripts; each shell can read its completion file.
. "${0%/*}/lib.sh"
only_slow_follow # the completions of all programs in three shells

filters=$(built_filters | tr '\n' ' ')
scripts=$(cd "$ROOT/scripts" &&
	find . -mindepth 2 -maxdepth 2 ! -type d ! -name '*.tsv' ! -name '*.1' ! -path './dev/*' -exec basename {} \; |
	tr '\n' ' ')
mkdir -p out/bash out/zsh out/fish
for command in $filters $scripts; do echo "$BUILD/rows/$command"; done >rows
check 'generates the completion files' 0 \
	'awk -v out=out -v prefix= -f "$ROOT/scripts/dev/completions/shells.awk" $(cat rows)' </dev/null
printf '%s\n' $filters $scripts | sort >commands
check 'each command has a file for each shell' 0 'ls out/bash | diff commands - &&
	ls out/zsh | sed s/^_// | diff commands - &&
	ls out/fish | sed "s/\.fish$//" | diff commands -' </dev/null

# complete WORD...: prints the completions of the last WORD of a command line; bash also splits words at "=".
cat >complete <<'E'
compopt() { :; } # bash has it only during a completion
. "out/bash/$1"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"_tracefilters_${1//-/_}"
[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
E
have bash || finish

completes() { # completes WANT WORD...
	completes_want=$1
	shift
	check "complete $*" 0 "bash complete $(printf "'%s' " "$@") | xargs" <<E
$completes_want
E
}
completes 'kernel kernelinfo' filter-calls -k ker
completes 'kernel,memcpy kernel,memset' filter-calls -k kernel,mem
completes '-kmemcpy -kmemset' filter-calls -kmem
completes 'memcpy memset' filter-calls --kind = mem
completes '--kind=memcpy --kind=memset' filter-calls --kind=mem
completes 'auto always never collectives' ndjson2trace --flows =
completes '--flows=' ndjson2trace --f
completes 'ndjson csv tsv raw md table list' ndjson2table -o ''
completes 'table tsv' lookup -o t
completes '--lead' nsys-report --l
# Files follow an option without an argument.
completes '' gpu-busy --whole ''
completes '' trace-steps --meta ''
# The words of an option are its own.
completes 'text html md ndjson findings' trace-report -o ''
completes 'list table csv tsv ndjson md' qps -o ''
completes 'table tsv' nsys-report -o t
completes 'thread process' nsys-report --scope ''
completes 'launch own' trace-steps --by ''
completes 'all dev stream' device-summary --per ''
completes 'primitive impl isa shape dtype prop' onednn-summary -b ''
completes 'ns us ms s' trace-diff -u ''
completes 'kB' alltoall-heat -u k
# The first operand, and aggregates.
completes 'bar' plot b
completes 'stacked share steps' plot s
completes 'cuda_gpu_kern_gb_sum cuda_gpu_kern_sum' nsys-report cuda_gpu_kern
completes 'program platform' plaidml-info p
completes '' nsys-report cuda_api_sum ''
completes 'queue bandwidth' gpu-counters ''
completes 'count' groupby -a cou
completes 'count,pstd count,p50 count,p90 count,p99' groupby -a count,p
completes '' groupby ''
completes '' check-platform --cpuinfo ''

# bash completes every option that begins a row of the output of -h.
for command in $filters $scripts; do
	"$command" -h | grep -Eo '^ {2,6}(-[A-Za-z], )?--?[A-Za-z][a-z0-9-]*' | tr -d , |
		tr -s ' ' '\n' | grep . | sort -u >rows
	bash complete "$command" - | tr -d = | sort | comm -23 rows - | sed "s|^|$command: |"
done >missing
check 'completes every option of each help' 0 'cat missing' </dev/null

for shell in bash zsh fish; do
	have "$shell" || continue
	check "$shell can read all completion files" 0 \
		"for file in out/$shell/*; do $shell -n \$file || echo \$file; done" </dev/null
done

finish
