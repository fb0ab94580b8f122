#!/bin/sh
# locale.t: every script prints the same bytes in three locales: C, C.UTF-8, and de_DE.UTF-8, which has a decimal comma.
# Only reports on a terminal depend on the character set of the locale, so this test sets TRACEFILTERS_CHARSET.
# structure.t checks that C programs do not use the locale.
. "${0%/*}/lib.sh"
only_slow_follow # every script, in three locales

# localedef makes locales that the system may lack, in the folder LOCPATH.
make_locale() { # make_locale NAME SOURCE
	localedef -i "$2" -f UTF-8 "locales/$1" >/dev/null 2>&1 || [ -d "locales/$1" ] || skip "localedef cannot make $1"
}
have localedef locale || finish
[ -e /usr/share/i18n/locales/de_DE ] || { skip 'no locale definitions (package locales)'; finish; }
! sanitized || { skip 'scripts in other locales are not run under a sanitizer'; finish; }
mkdir locales
make_locale de_DE.UTF-8 de_DE
make_locale C.UTF-8 POSIX
export LOCPATH="$PWD/locales"

# A trace for each group of scripts, and traces with fractional numbers and with names that are not ASCII.
for link in kineto/recommender.pt.trace.json.gz nsys/loop.nsys.json.gz nsys/train.nsys.jsonl dvdt/alexnet.ckp.json.gz \
	plaidml/mlp.eventlog.gz onednn/cnn.onednn.txt; do
	mkdir -p "traces/data/${link%/*}"
	ln -s "$DATA/${link#*/}" "traces/data/$link"
done
mkdir traces/data/perf traces/data/torch
cat >traces/data/torch/rows <<'EOF'
{"kind":"row","name":"Größe","count":1,"self":5500.5,"total":7000,"args":{"table":1}}
{"kind":"row","name":"测试","count":1,"self":1500,"total":1500,"args":{"table":1}}
EOF
cat >traces/data/perf/samples <<'EOF'
{"ts":1,"kind":"sample","name":"Größe","dso":"a","comm":"c","tid":1,"period":5}
{"ts":2,"kind":"sample","name":"ärger","dso":"b","comm":"测试","tid":1,"period":2.5}
EOF
cat >traces/data/kineto/names.ndjson <<'EOF'
{"ts":1000,"dur":5001,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":1,"corr":1}
{"ts":1500,"dur":777,"kind":"range","name":"Schritt 1,5 größer","pid":1,"tid":1}
{"ts":7000,"dur":333,"kind":"kernel","name":"größte测试","pid":1,"dev":0,"stream":7,"corr":1,"value":0.5}
{"ts":8000,"dur":334,"kind":"kernel","name":"Ärger","pid":1,"dev":0,"stream":7,"corr":1,"value":1.25}
{"ts":9000,"dur":335,"kind":"kernel","name":"arm","pid":1,"dev":0,"stream":7,"corr":1,"value":0.125}
EOF

# The command lines of tests/outputs that begin with a script.
scripts=$(find "$ROOT"/scripts/[!d]* -maxdepth 1 ! -type d -perm -100 | sed 's|.*/||' | tr '\n' '|')
all_of() { # all_of LOCALE: stores the outputs of all scripts in a folder with the name of the locale
	TRACEFILTERS_CHARSET=UTF-8 TRACEFILTERS_DATA=$PWD/traces JOBS=2 LC_ALL=$1 \
		"$TESTS/outputs" "$BUILD" "$1" "(^|[;|] |PATH )(${scripts%|}) "
}

all_of C >/dev/null
for locale in locales/*; do
	locale=${locale##*/}
	all_of "$locale" >ran
	"$TESTS/outputs" --compare C "$locale" >differ && pass "all scripts print the same in $locale" ||
		fail "all scripts print the same in $locale" <differ
done

# The checks above mean nothing if the locales do not work or no script was run.
check 'the locale has a decimal comma' 0 'LC_ALL=de_DE.UTF-8 locale decimal_point' <<'EOF'
,
EOF
check 'every script was run' 0 \
	"cut -f 2 C/index | tr -s ' ;' '\n' | grep -x -E '${scripts%|}' | sort -u >ran;
	find '$ROOT'/scripts/[!d]* -maxdepth 1 ! -type d -perm -100 | sed 's|.*/||' | grep -v -x -F -f ran |
	grep -v -x -E 'quickstart|trace-script' || :" <<'EOF'
EOF
check 'names in UTF-8 are unchanged' 0 'grep -h -o -r -a größte测试 C/stdout de_DE.UTF-8/stdout | sort -u' <<'EOF'
größte测试
EOF
check 'the command that tune-threads runs has the locale of the user' 0 \
	'LC_ALL=de_DE.UTF-8 tune-threads --runs 1 --levels 1 --bind none -- sh -c \
		'"'"'echo "locale $LC_ALL"'"'"' 2>&1 >/dev/null | grep ^locale' <<'EOF'
locale de_DE.UTF-8
EOF

finish
