#!/bin/sh
# locale.t: scripts print the same bytes in the locales C and de_DE.UTF-8, which has a decimal comma and UTF-8: half of
# the calls, all with TEST_ALL=1.
# Only reports on a terminal depend on the character set of the locale, so this test sets TRACEFILTERS_CHARSET.
# structure.t checks that C programs do not use the locale.
# shellcheck disable=SC2154 # calls.sh sets variables
. "${0%/*}/lib.sh"
only_slow_follow # every script, in two locales

# localedef makes the locale, which the system may lack, in the folder LOCPATH.
have localedef locale || finish
[ -e /usr/share/i18n/locales/de_DE ] || { skip 'no locale definitions (package locales)'; finish; }
! sanitized || { skip 'scripts in other locales are not run under a sanitizer'; finish; }
mkdir locales
localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >/dev/null 2>&1 || [ -d locales/de_DE.UTF-8 ] ||
	{ skip 'localedef cannot make de_DE.UTF-8'; finish; }
export LOCPATH="$PWD/locales" TRACEFILTERS_CHARSET=UTF-8
. "$TESTS/scripts/calls.sh"

# Fractional numbers, and names that are not ASCII.
cat >names <<'E'
{"ts":1000,"dur":5001,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":900,"dur":7777,"kind":"range","name":"Schritt 1,5 größer","pid":1,"tid":1}
{"ts":1600,"dur":700,"kind":"op","name":"Übergang","pid":1,"tid":1}
{"ts":7000,"dur":333,"kind":"kernel","name":"größte测试","pid":1,"dev":0,"stream":7,"corr":1,"value":0.5}
{"ts":8000,"dur":334,"kind":"kernel","name":"Ärger","pid":1,"dev":0,"stream":7,"corr":1,"value":1.25}
{"ts":9000,"dur":335,"kind":"kernel","name":"arm","pid":1,"dev":0,"stream":7,"corr":1,"value":0.125}
E
cat >umlauts <<'E'
{"kind":"row","name":"Größe","count":1,"self":5500.5,"total":7000,"args":{"table":1}}
{"kind":"row","name":"测试","count":1,"self":1500,"total":1500,"args":{"table":1}}
E
cat >functions <<'E'
{"ts":1,"kind":"sample","name":"Größe","dso":"a","comm":"c","tid":1,"period":5}
{"ts":2,"kind":"sample","name":"ärger","dso":"b","comm":"测试","tid":1,"period":2.5}
E
{
	printf '%s\n' "$calls" | grep -v '^tune-threads' # it prints times
	for script in 'api-gpu-time .' device-summary flame idle-causes kernel-types 'kernel-types --by-name' \
		'kernels-in --of Schritt' launch-stats 'launch-stats -g name' 'lookup -o table 1' 'lookup rm' op-breakdown \
		'op-breakdown --shapes' 'plot bar -f dur' 'plot bar -g name -f value -T' queue-lengths range-gpu-time \
		'trace-diff names' 'trace-join' trace-report 'trace-report -o md' 'trace-report -o html' 'trace-steps -e S'; do
		echo "$script names"
	done
	printf '%s\n' 'torch-top umlauts' 'torch-top -o md umlauts' 'perf-top functions' 'trace-report functions'
} | sample 2 >list

# in_locale LOCALE: runs the calls in the locale, and stores their outputs in a folder with its name.
in_locale() {
	mkdir "$1"
	number=0
	while IFS= read -r call; do
		number=$((number + 1))
		LC_ALL=$1 sh -c "$call" </dev/null >"$1/$number" 2>/dev/null
	done <list
}
in_locale C
in_locale de_DE.UTF-8
check "all scripts print the same in de_DE.UTF-8: $(wc -l <list) calls" 0 'diff -r -q C de_DE.UTF-8 |
	while read -r _ file _; do sed -n "${file#*/}p" list; done' </dev/null

# The check above means nothing if the locale does not work, or if calls print nothing.
check 'the locale has a decimal comma' 0 'LC_ALL=de_DE.UTF-8 locale decimal_point' <<'E'
,
E
check 'each call prints an answer' 0 'find C -size 0 | while read -r file; do sed -n "${file#*/}p" list; done' \
	</dev/null
check 'names in UTF-8 are unchanged' 0 'grep -h -o -r -a größte测试 C de_DE.UTF-8 | sort -u' <<'E'
größte测试
E
check 'the command that tune-threads runs has the locale of the user' 0 \
	'LC_ALL=de_DE.UTF-8 tune-threads --runs 1 --levels 1 --bind none -- sh -c \
		'"'"'echo "locale $LC_ALL"'"'"' 2>&1 >/dev/null | grep ^locale' <<'E'
locale de_DE.UTF-8
E

finish
