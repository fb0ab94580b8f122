#!/bin/sh
# utf8proc.t: tables that have wide, combining and joined characters, printed by programs that are built with
# libutf8proc (UTF8PROC=1).
. "${0%/*}/lib.sh"

if ! grep -q HAVE_UTF8PROC "$BUILD/flags"; then
	skip 'built without libutf8proc (make UTF8PROC=1)'
	finish
fi

i=0
for name in plain 'é one' 'é two' '漢字' 'カナ' 'ｶﾅ half' '한글' '🚀 rocket' '🧠🫠' '⚡✅' \
	'👩‍💻 joined' '👨‍👩‍👧‍👦👍🏽🇩🇪' '❤️' \
	'बुद्ध' 'देवनागरी' 'தமிழ்' \
	'عَرَبِيّ' 'שָׁלוֹם'; do
	i=$((i + 1))
	echo "{\"ts\":$i,\"dur\":$i,\"kind\":\"kernel\",\"name\":\"$name\"}"
done >names
# The expected widths are those of wcwidth 0.7 of Python.
check 'in a table, combining marks take no column, wide characters two, and joined characters at most two' 0 \
	'groupby -g name -a count,sum -s dur_sum -o table names' <<'E'
name       count  dur_sum (ns)
שָׁלוֹם           1            18
عَرَبِيّ           1            17
தமிழ்           1            16
देवनागरी        1            15
बुद्ध            1            14
❤️             1            13
👨‍👩‍👧‍👦👍🏽🇩🇪         1            12
👩‍💻 joined      1            11
⚡✅           1            10
🧠🫠           1             9
🚀 rocket      1             8
한글           1             7
ｶﾅ half        1             6
カナ           1             5
漢字           1             4
é two          1             3
é one          1             2
plain          1             1
E

finish
