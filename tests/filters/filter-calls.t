#!/bin/sh
# filter-calls.t: tests each option alone, combined and inverted; the edges of windows; sections between markers;
# labels; errors. At the end, compares the results with those of an independent filter in Python.
. "${0%/*}/../lib.sh"

# Prints the names of the selected records on one line.
cat >names <<'EOF'
sed -n 's/,"api":.*//; s/.*"name":"\([^"]*\)".*/\1/p' | paste -sd' ' -
EOF
chmod +x names

cat >a.ndjson <<'EOF'
{"kind":"meta","name":"start","args":{"version":3}}
{"ts":-50,"dur":30,"kind":"range","name":"warm","pid":1,"tid":2}
{"ts":0,"dur":100,"kind":"range","name":"step 1","pid":1,"tid":2}
{"ts":10,"dur":5,"kind":"api","name":"cudaLaunchKernel","pid":1,"tid":2,"corr":1,"args":{"cbid":211}}
{"ts":20,"dur":40,"kind":"kernel","name":"gemm<float, 4>(int)","dev":0,"stream":7,"corr":1,"args":{"External id":9,"grid":[2,1,1]}}
{"ts":70,"kind":"mark","name":"x.y"}
{"ts":80,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","bytes":1048576,"copy":"h2d","args":{"rate":1.5}}
{"ts":100,"dur":100,"kind":"range","name":"step 2","pid":1,"tid":2,"ranges":["outer","inner"]}
{"ts":150,"dur":0,"kind":"kernel","name":"Gemm \"q\" é","dev":1,"stream":7,"corr":2}
EOF

# --- names

check 'without options, all records are written unchanged' 0 'filter-calls a.ndjson | cmp - a.ndjson' <<'EOF'
EOF
check '-n matches the whole name' 0 'filter-calls -n step -n "step 1" a.ndjson' <<'EOF'
{"ts":0,"dur":100,"kind":"range","name":"step 1","pid":1,"tid":2}
EOF
check '-n is not a regular expression' 0 'filter-calls -n "gemm<float, 4>(int)" -n "x.." a.ndjson | ./names' <<'EOF'
gemm<float, 4>(int)
EOF
check '-n matches a name that is escaped in the record' 0 "filter-calls -n 'Gemm \"q\" é' a.ndjson" <<'EOF'
{"ts":150,"dur":0,"kind":"kernel","name":"Gemm \"q\" é","dev":1,"stream":7,"corr":2}
EOF
check '-e matches anywhere in the name' 0 'filter-calls -e "e[pr]" a.ndjson | ./names' <<'EOF'
step 1 cudaLaunchKernel step 2
EOF
check '-e takes extended regular expressions' 0 'filter-calls -e "^(warm|step [2-9])$" a.ndjson | ./names' <<'EOF'
warm step 2
EOF
check '-e: a dot matches any byte, an escaped dot only a dot' 0 \
	'filter-calls -e "x\\.y|Mem.py" a.ndjson | ./names' <<'EOF'
x.y Memcpy HtoD
EOF
check '-e matches UTF-8 text' 0 'filter-calls -c -e "\" é$" a.ndjson' <<'EOF'
1
EOF
check '-n and -e are alternatives' 0 'filter-calls -n warm -e "^x" -e mark -n start a.ndjson | ./names' <<'EOF'
start warm x.y
EOF
check '-i applies to the -n and -e before it' 0 'filter-calls -n WARM -e "^gEMM" -i a.ndjson | ./names' <<'EOF'
warm gemm<float, 4>(int) Gemm \
EOF
check '-n and -e do not match a record without a name' 0 'echo "{\"ts\":1}" | filter-calls -n "" -e ""' <<'EOF'
EOF
check '-n matches an empty name' 0 'echo "{\"name\":\"\"}" | filter-calls -n ""' <<'EOF'
{"name":""}
EOF
check '-n compares decoded names' 0 \
	'printf "%s\n" "{\"name\":\"\\u0061b\"}" "{\"name\":\"a\\u0062\"}" "{\"name\":\"ab\"}" | filter-calls -c -n ab' <<'EOF'
3
EOF
check '-e rejects an invalid regular expression' 2 'filter-calls -e "a(" a.ndjson' <<'EOF'
--- stderr
filter-calls: -e: 'a(': invalid regular expression: unmatched ( or \(
EOF
check_re '-e, --marker and -w reject invalid regular expressions' 2 \
	"filter-calls -e '[[:x:]]' a.ndjson; filter-calls -e 'a{2,1}' a.ndjson
	filter-calls --marker 'a\\' a.ndjson; filter-calls -w 'name=~)(' a.ndjson" <<'EOF'
--- stderr
filter-calls: -e: '\[\[:x:\]\]': invalid regular expression: .+
filter-calls: -e: 'a\{2,1\}': invalid regular expression: .+
filter-calls: --marker: 'a\\': invalid regular expression: .+
filter-calls: -w: 'name=~\)\(': invalid condition at byte 7: .+
EOF

# --- kinds

check '-k' 0 'filter-calls -k kernel a.ndjson | ./names' <<'EOF'
gemm<float, 4>(int) Gemm \
EOF
check '-k takes several kinds and may be repeated' 0 'filter-calls -k meta,mark -k memcpy a.ndjson | ./names' <<'EOF'
start x.y Memcpy HtoD
EOF
check '-k compares decoded kinds and rejects kinds that are not strings' 0 \
	'printf "%s\n" "{\"ts\":1}" "{\"kind\":\"ker\\u006eel\"}" "{\"kind\":7}" "{\"kind\":null}" |
		filter-calls -k kernel' <<'EOF'
{"kind":"ker\u006eel"}
EOF
cat >http <<'EOF'
{"ts":1,"dur":1,"kind":"http","name":"GET"}
{"kind":"htt\u0070","args":{"a":1}}
{"kind":7}
{"kind":"https"}
{"ts":2,"kind":"kernel","name":"gemm"}
{"ts":3}
EOF
check '-k selects kinds that other programs wrote' 0 'filter-calls -k http http
	filter-calls -c -k "rpc, http,kernel" http; filter-calls -c -v -k http http; filter-calls -k rpc http' <<'EOF'
{"ts":1,"dur":1,"kind":"http","name":"GET"}
{"kind":"htt\u0070","args":{"a":1}}
3
4
--- stderr
filter-calls: no record has this kind (-k); stats --fields lists the kinds
EOF
check_re '-k rejects an empty word' 2 'filter-calls -k http, http' <<'EOF'
--- stderr
filter-calls: -k: '': expected kernel, .*
EOF
check_re '-k reports an unknown kind' 2 'filter-calls -k kernal a.ndjson' <<'EOF'
--- stderr
filter-calls: -k: 'kernal': expected kernel, .*; did you mean 'kernel'\?
EOF

# --- conditions

check '-w compares with a number with a unit' 0 "filter-calls -w 'dur>=0.04us' a.ndjson | ./names" <<'EOF'
step 1 gemm<float, 4>(int) step 2
EOF
check '-w: all conditions must hold' 0 "filter-calls -w 'dur>30' -w 'pid==1' -w 'ts>0' a.ndjson | ./names" <<'EOF'
step 2
EOF
check '-w compares sizes' 0 "filter-calls -w 'bytes==1MiB' a.ndjson | ./names" <<'EOF'
Memcpy HtoD
EOF
check '-w finds a member of args with a space in its name' 0 \
	"filter-calls -w 'External id>5' a.ndjson | ./names" <<'EOF'
gemm<float, 4>(int)
EOF
check '-w finds nested members and any element of an array' 0 "filter-calls -w 'args.grid[]==2' a.ndjson | ./names
	filter-calls -w 'ranges[]==inner' a.ndjson | ./names" <<'EOF'
gemm<float, 4>(int)
step 2
EOF
check '-w FIELD and -w !FIELD' 0 \
	"filter-calls -w corr a.ndjson | ./names; filter-calls -w '!dur' a.ndjson | ./names" <<'EOF'
cudaLaunchKernel gemm<float, 4>(int) Gemm \
start x.y
EOF
check '-w: a comparison with an absent field is false' 0 \
	"for op in == != '<' '<=' '>' '>=' =~ !~; do filter-calls -c -w \"copy\${op}d2h\" a.ndjson; done" <<'EOF'
0
1
0
0
1
1
0
1
EOF
check '-w compares text with and without quotes' 0 \
	"filter-calls -c -w 'copy==h2d' a.ndjson; filter-calls -c -w 'name == \"step 1\"' a.ndjson
	filter-calls -c -w \"name=='Gemm \\\"q\\\" é'\" a.ndjson" <<'EOF'
1
1
1
EOF
check '-w =~ and -w !~' 0 "filter-calls -w 'name=~^step' -w 'name!~1\$' a.ndjson | ./names" <<'EOF'
step 2
EOF
check '-w finds computed fields' 0 \
	"filter-calls -w 'end>=200' a.ndjson | ./names; filter-calls -w short==gemm a.ndjson | ./names" <<'EOF'
step 2
gemm<float, 4>(int)
EOF
check '-w reports a field that no record has' 0 'filter-calls -w "strem==7" a.ndjson' <<'EOF'
--- stderr
filter-calls: no record has the field 'strem'; did you mean 'stream'?
EOF
check '-w !FIELD gives no hint if no record has the field' 0 'filter-calls -c -w "!nothing" a.ndjson' <<'EOF'
9
EOF
check_re '-w rejects invalid syntax' 2 \
	"for c in dur=5 'dur<>5' '==5' '!dur>5' 'name==' \"name=='x\" 'dur>5usec' 'bytes>1ms' 'a..b' ''; do
	filter-calls -w \"\$c\" a.ndjson; done" <<'EOF'
--- stderr
filter-calls: -w: 'dur=5': invalid condition at byte 4: '=' is not an operator; use == != < <= > >= =~ or !~
filter-calls: -w: 'dur<>5': invalid condition at byte 5: more than one operator
filter-calls: -w: '==5': invalid condition at byte 1: no field before the operator
filter-calls: -w: '!dur>5': invalid condition at byte 1: !FIELD selects records without the field, .*
filter-calls: -w: 'name==': invalid condition at byte 7: no value after the operator .*
filter-calls: -w: 'name=='x': invalid condition at byte 7: missing closing quote
filter-calls: -w: 'dur>5usec': invalid condition at byte 5: expected a time, such as .*
filter-calls: -w: 'bytes>1ms': invalid condition at byte 7: the field is a size, but the value is a time
filter-calls: -w: 'a..b': invalid condition at byte 3: the name is empty
filter-calls: -w: '': invalid condition at byte 1: the name is empty
EOF

# --- windows

# Each row has a record and three flags: whether the record overlaps the window [100, 200), starts in it, and both
# starts and ends in it.

cat >edges <<'EOF'
before 40 60 0 0 0
touch-from 90 10 0 0 0
over-from 90 11 1 0 0
at-from 100 10 1 1 1
whole 100 100 1 1 1
too-long 100 101 1 1 0
over-both 50 300 1 0 0
over-to 190 11 1 1 0
touch-to 190 10 1 1 1
last 199 1 1 1 1
at-to 200 5 0 0 0
after 300 5 0 0 0
instant-before 99 - 0 0 0
instant-from 100 - 1 1 1
instant-last 199 - 1 1 1
instant-to 200 - 0 0 0
zero-from 100 0 1 1 1
zero-to 200 0 0 0 0
negative 150 -100 1 1 1
negative-before 99 -5 0 0 0
none - 5 0 0 0
EOF
while read -r name ts dur _; do
	row="{\"ts\":$ts,\"dur\":$dur,\"kind\":\"op\",\"name\":\"$name\"}"
	echo "$row" | sed 's/"ts":-,//; s/"dur":-,//'
done <edges >edges.ndjson
window() { # window NAME COLUMN OPTIONS
	awk -v c="$2" '$c == 1 { print $1 }' edges | paste -sd' ' - >want
	check "$1" 0 "filter-calls --from 100 --until 0.2us $3 edges.ndjson | ./names" <want
	awk -v c="$2" '$c == 0 { print $1 }' edges | paste -sd' ' - >want
	check "$1, -v" 0 "filter-calls -v --from 100 --until 0.2us $3 edges.ndjson | ./names" <want
}
window 'window: records that overlap it' 4 ''
window 'window: --starts' 5 --starts
window 'window: --inside' 6 --inside

check '--to, --within and --whole are the former names of --until and --inside' 0 \
	'filter-calls --until 150 --inside a.ndjson >want; filter-calls --within --to=150 a.ndjson | cmp - want
	filter-calls --to 150 --whole --quiet a.ndjson | cmp - want' <<'EOF'
--- stderr
filter-calls: --to is now called --until; --to works until version 0.4.0
filter-calls: --within is now called --inside; --within works until version 0.4.0
EOF
check '--from alone, --until alone' 0 \
	'filter-calls --from 101 a.ndjson | ./names; filter-calls --until=-1 a.ndjson | ./names' <<'EOF'
step 2 Gemm \
warm
EOF
check '--from and --until accept negative times' 0 \
	'filter-calls --from -50 --until -20ns --inside a.ndjson | ./names
	filter-calls -c --from -20 --until 0 a.ndjson' <<'EOF'
warm
0
EOF
check '+T counts from the first ts' 0 'filter-calls --from +60ns --until +0.13us a.ndjson | ./names' <<'EOF'
step 1 cudaLaunchKernel gemm<float, 4>(int) x.y
EOF
check '+T counts from the first ts, even if that record is not selected' 0 \
	'filter-calls -k kernel --until +71 a.ndjson | ./names' <<'EOF'
gemm<float, 4>(int)
EOF
check '+T and T can be combined' 0 'filter-calls --from 70 --until +131 --starts a.ndjson | ./names' <<'EOF'
x.y Memcpy HtoD
EOF
check '+T ignores the ts of another clock, which is in no window' 0 \
	'(echo "{\"ts\":7000,\"kind\":\"kernel\",\"name\":\"far\",\"clock\":\"device\"}"; cat a.ndjson) |
		filter-calls --until +51 | ./names' <<'EOF'
warm step 1
EOF
cat >extreme.ndjson <<'EOF'
{"ts":-9223372036854775808,"dur":9223372036854775807,"kind":"op","name":"first"}
{"ts":9223372036854775807,"dur":9223372036854775807,"kind":"op","name":"last"}
EOF
check 'windows at the limits of 64 bits' 0 'filter-calls --from 9223372036854775807 extreme.ndjson | ./names
	filter-calls --from +9223372036854775807 --until +9223372036854775807 -v extreme.ndjson 2>/dev/null | ./names
	filter-calls --from +9223372036854775807 extreme.ndjson | ./names
	filter-calls --inside --until 9223372036854775807 extreme.ndjson | ./names' <<'EOF'
last

last
first
EOF
check 'rejects empty windows, and --starts and --inside without a window or together' 2 \
	'filter-calls --from 5 --until 5 a.ndjson; filter-calls --from +2us --until +1us a.ndjson
	filter-calls --starts a.ndjson; filter-calls --until 5 --starts --inside a.ndjson' <<'EOF'
--- stderr
filter-calls: --until must be later than --from
filter-calls: --until must be later than --from
filter-calls: --starts needs --from or --until
filter-calls: --starts and --inside cannot be used together
EOF
check_re '--from rejects a size' 2 'filter-calls --from 5MiB a.ndjson' <<'EOF'
--- stderr
filter-calls: --from: '5MiB': expected a time, .*
EOF

# --- sections

cat >steps.ndjson <<'EOF'
{"ts":0,"dur":1,"kind":"op","name":"head"}
{"ts":10,"dur":9,"kind":"range","name":"Step#0"}
{"ts":12,"dur":1,"kind":"op","name":"a0"}
{"ts":13,"dur":1,"kind":"gpu_range","name":"Step#0"}
{"ts":20,"dur":9,"kind":"range","name":"Step#1"}
{"ts":21,"dur":1,"kind":"kernel","name":"k0","api":{"name":"launch","ts":12,"dur":1}}
{"ts":22,"dur":1,"kind":"op","name":"a1"}
{"kind":"meta","name":"no ts"}
{"ts":30,"dur":9,"kind":"range","name":"Step#2"}
{"ts":31,"dur":1,"kind":"kernel","name":"k1","api":{"name":"launch","ts":20,"dur":1}}
{"ts":32,"dur":1,"kind":"kernel","name":"alone"}
{"ts":40,"dur":9,"kind":"range","name":"Step#3"}
{"ts":41,"dur":1,"kind":"kernel","name":"k2","api":{"name":"launch","ts":30,"dur":1}}
EOF
check '--marker: no message about markers if a file cannot be read' 2 \
	'filter-calls --marker none missing steps.ndjson' <<'EOF'
--- stderr
filter-calls: missing: cannot open: No such file or directory
EOF
check '--marker alone selects from the first marker on' 0 'filter-calls --marker ^Step steps.ndjson | ./names' <<'EOF'
Step#0 a0 Step#0 Step#1 k0 a1 Step#2 k1 alone Step#3 k2
EOF
check '--skip and --count select device records by their launch' 0 \
	'for n in 0 1 2; do filter-calls --marker ^Step --skip $n --count 1 steps.ndjson | ./names; done' <<'EOF'
Step#0 a0 Step#0 k0
Step#1 a1 k1
Step#2 alone k2
EOF
check '--count 2 selects two sections' 0 'filter-calls --marker Step --skip 1 --count 2 steps.ndjson | ./names' <<'EOF'
Step#1 a1 Step#2 k1 alone k2
EOF
check '--marker can be combined with -i, -k and -v' 0 \
	'filter-calls --marker step -i --skip 1 --count 1 -k kernel,op steps.ndjson | ./names
	filter-calls --marker ^Step --skip 1 --count 1 -v steps.ndjson | ./names' <<'EOF'
a1 k1
head Step#0 a0 Step#0 k0 no ts Step#2 alone Step#3 k2
EOF
check 'reports that --skip skips all markers, and that there are no markers' 0 \
	'filter-calls --marker ^Step --skip 9 steps.ndjson; filter-calls --marker nothing steps.ndjson' <<'EOF'
--- stderr
filter-calls: --marker '^Step': only 4 markers found; --skip 9 skips all of them
filter-calls: --marker 'nothing': no marker found
EOF
check 'the section of the last marker ends with the input' 0 \
	'filter-calls --marker ^Step --skip 3 --count 1 steps.ndjson | ./names' <<'EOF'
Step#3
EOF
check 'reports fewer markers than --count needs' 0 \
	'filter-calls --marker ^Step --skip 3 --count 2 steps.ndjson | ./names' <<'EOF'
Step#3
--- stderr
filter-calls: --marker '^Step': only 4 markers found; the last section ends with the input
EOF
check '--marker rejects standard input out of ts order' 2 \
	'(cat steps.ndjson; sed -n 2p steps.ndjson) | filter-calls --marker "^S t" --skip 1' <<'EOF'
--- stderr
filter-calls: stdin:14: not in ts order; run: ... | ts-sort | filter-calls --marker '^S t' --skip 1
EOF
check '+T counts from the first ts in the input, and reports records that begin earlier' 0 \
	'(sed -n 4p a.ndjson; cat a.ndjson) | filter-calls --from +10 --until +60 | ./names; ts-sort a.ndjson |
		filter-calls -c --from +10' <<'EOF'
step 1 gemm<float, 4>(int)
8
--- stderr
filter-calls: stdin:3: ts is earlier than the first ts of the input, from which +T is measured; run ts-sort first (and 1 more)
EOF
check '--meta adds the records of kind meta to each window and section' 0 \
	'for o in "--from 150" "--until -40 -k range" "--from +200 -k meta,kernel" "--marker step"; do
		filter-calls --meta $o a.ndjson |
		./names; filter-calls -v --meta $o a.ndjson | ./names; done' <<'EOF'
start step 2 Gemm \
warm step 1 cudaLaunchKernel gemm<float, 4>(int) x.y Memcpy HtoD
warm
start step 1 cudaLaunchKernel gemm<float, 4>(int) x.y Memcpy HtoD step 2 Gemm \
start Gemm \
warm step 1 cudaLaunchKernel gemm<float, 4>(int) x.y Memcpy HtoD step 2
start step 1 cudaLaunchKernel gemm<float, 4>(int) x.y Memcpy HtoD step 2 Gemm \
warm
EOF
check '--meta needs a window or a marker' 2 'filter-calls --meta a.ndjson' <<'EOF'
--- stderr
filter-calls: --meta needs --from, --until or --marker
EOF
check 'reports a dur that is not an integer if times are used' 1 \
	"jq -c 'if .dur then .dur /= 8 else . end' a.ndjson | filter-calls -c --from 0" <<'EOF'
7
--- stderr
filter-calls: stdin:2: dur is not an integer number of ns; treated as absent (and 4 more)
EOF
check 'does not report a dur that is not an integer if times are not used' 0 \
	"jq -c 'if .dur then .dur /= 8 else . end' a.ndjson | filter-calls -c -w dur" <<'EOF'
7
EOF
check '-w rejects two conditions in one option' 2 \
	"filter-calls -w 'dur>1ms and kind==kernel' a.ndjson; filter-calls -w 'name==x && dur>5' a.ndjson" <<'EOF'
--- stderr
filter-calls: -w: 'dur>1ms and kind==kernel': invalid condition at byte 5: two conditions in one option; give each its own -w
filter-calls: -w: 'name==x && dur>5': invalid condition at byte 7: two conditions in one option; give each its own -w
EOF
check '-w accepts a value that contains && or the word and' 0 \
	"filter-calls -w 'name==rock and roll' -w 'name!=a&&b' a.ndjson" </dev/null
check 'rejects the digit class of Perl in regular expressions' 2 \
	"filter-calls -e 'step\d' a.ndjson; filter-calls --marker 's(\d+)' a.ndjson" <<'EOF'
--- stderr
filter-calls: -e: 'step\d': invalid regular expression: \d is not supported; write [0-9]
filter-calls: --marker: 's(\d+)': invalid regular expression: \d is not supported; write [0-9]
EOF
printf '{"name":"%s"}\n' 'a\u0000b' '\u0000' '' a >nul.ndjson
check 'a point in a regular expression matches a NUL' 0 \
	'for o in "-e ^a.b$" "-w name=~^.$" "-w name!~."; do filter-calls $o nul.ndjson; echo; done' <<'EOF'
{"name":"a\u0000b"}

{"name":"\u0000"}
{"name":"a"}

{"name":""}

EOF
check 'accepts an escaped backslash that precedes a d' 0 "filter-calls -e 'x\\\\d' a.ndjson" </dev/null
check '-w rejects a leading dot and gives a hint about a numbered element' 2 \
	"filter-calls -w args.grid[0]==2 a.ndjson; filter-calls -w .dur a.ndjson" <<'EOF'
--- stderr
filter-calls: no record has the field 'args.grid[0]'; write 'args.grid[]' for every element of an array
filter-calls: -w: '.dur': invalid condition at byte 1: write the name without a leading dot
EOF
check '--marker rejects files out of ts order' 2 "filter-calls -c steps.ndjson --marker \"it's\" 'steps.ndjson'" <<'EOF'
--- stderr
filter-calls: steps.ndjson:1: not in ts order; run: ts-sort steps.ndjson steps.ndjson | filter-calls -c --marker 'it'\''s'
EOF
check '--skip needs --marker; --count rejects 0' 2 \
	'filter-calls --skip 3 a.ndjson; filter-calls --count 0 a.ndjson' <<'EOF'
--- stderr
filter-calls: --skip needs --marker
filter-calls: --count: '0': expected an integer >= 1
EOF

# --- -v, -c and -m

check '-v inverts the whole selection' 0 "filter-calls -v -k kernel,range -w 'dur>=40' a.ndjson | ./names" <<'EOF'
start warm cudaLaunchKernel x.y Memcpy HtoD Gemm \
EOF
check '-v inverts each option' 0 \
	'for o in "-n warm" "-e e" "-k kernel" "-w dur" "--from 50"; do filter-calls -c $o a.ndjson;
	filter-calls -vc $o a.ndjson; done' <<'EOF'
1
8
6
3
2
7
7
2
6
3
EOF
check '-v without conditions writes nothing' 0 'filter-calls -v a.ndjson' <<'EOF'
EOF
check '-c prints one total for all files' 0 'filter-calls -c -k range a.ndjson - a.ndjson <a.ndjson' <<'EOF'
9
EOF
check '-m' 0 \
	'filter-calls -m 2 -k range a.ndjson | ./names; filter-calls -m 0 a.ndjson; filter-calls -cm 2 a.ndjson' <<'EOF'
warm step 1
2
EOF
check '-m counts over all files' 0 'filter-calls -m 4 -k range a.ndjson a.ndjson /nonexistent | ./names' <<'EOF'
warm step 1 step 2 warm
EOF
mkfifo pipe
check '-m stops reading' 0 '{ sed 3q a.ndjson; exec sleep 20; } >pipe & timeout 10 filter-calls -m 1 -k range <pipe
	status=$?; kill $!; exit $status' <<'EOF'
{"ts":-50,"dur":30,"kind":"range","name":"warm","pid":1,"tid":2}
EOF
check '-m rejects a negative number' 2 'filter-calls -m -1 a.ndjson' <<'EOF'
--- stderr
filter-calls: -m: '-1': expected an integer >= 0
EOF

# --- labels

cat >classes <<'EOF'
# classes of kernels

^gemm	math
^Memcpy	copy	and a tab
e	with "e"
EOF
check '--label adds the member before args or at the end' 0 \
	'filter-calls --label class=classes -e "^(gemm|Mem|warm|step 2|x)" a.ndjson' <<'EOF'
{"ts":-50,"dur":30,"kind":"range","name":"warm","pid":1,"tid":2}
{"ts":20,"dur":40,"kind":"kernel","name":"gemm<float, 4>(int)","dev":0,"stream":7,"corr":1,"class":"math","args":{"External id":9,"grid":[2,1,1]}}
{"ts":70,"kind":"mark","name":"x.y"}
{"ts":80,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","bytes":1048576,"copy":"h2d","class":"copy\tand a tab","args":{"rate":1.5}}
{"ts":100,"dur":100,"kind":"range","name":"step 2","pid":1,"tid":2,"ranges":["outer","inner"],"class":"with \"e\""}
EOF
printf 'e\tnew\r\n' >crlf
check '--label may be repeated, replaces a member, and accepts any spacing' 0 \
	"printf '%s\\n' '{ \"name\" : \"e\", \"class\": {\"old\":1} , \"src\":{} }  ' '{\"name\":\"e\" } ' |
		filter-calls --label a=classes --label class=crlf" <<'EOF'
{ "name" : "e", "class": "new" , "a":"with \"e\"","src":{} }
{"name":"e" ,"a":"with \"e\"","class":"new"}
EOF
check '--label ignores the text args in strings and in nested objects' 0 \
	"echo '{\"name\":\"\\\"args\\\":\",\"x\":{\"args\":{}},\"args\":{\"args\":1}}' | filter-calls --label c=crlf -e . ;
		echo '{\"name\":\"ge\\\"args\\\":{\",\"x\":{\"args\":{}},\"args\":{\"args\":1}}' |
		filter-calls --label c=crlf" <<'EOF'
{"name":"\"args\":","x":{"args":{}},"args":{"args":1}}
{"name":"ge\"args\":{","x":{"args":{}},"c":"new","args":{"args":1}}
EOF
check '--label obeys -i, and the next filter can select by the label' 0 \
	'filter-calls -i --label class=classes a.ndjson | filter-calls -k kernel -w class==math | ./names' <<'EOF'
gemm<float, 4>(int) Gemm \
EOF
printf 'ok\tfine\n\na(\tbad\n' >bad-regex
printf 'ok\tfine\nno tab here\n' >bad-tab
printf 'x\t\n' >bad-empty
check_re '--label rejects invalid files and arguments' 2 \
	'for f in bad-regex bad-tab bad-empty nowhere .; do filter-calls --label c=$f a.ndjson; done
	filter-calls --label c a.ndjson; filter-calls --label =crlf a.ndjson; filter-calls --label ts=crlf a.ndjson
	filter-calls --label "a\"b=crlf" a.ndjson' <<'EOF'
--- stderr
filter-calls: bad-regex:3: unmatched .*
filter-calls: bad-tab:2: missing tab between expression and label
filter-calls: bad-empty:1: missing label after the tab
filter-calls: nowhere: .*No such file or directory
filter-calls: \.: .*Is a directory
filter-calls: --label: 'c': expected FIELD=FILE
filter-calls: --label: '=crlf': expected FIELD=FILE
filter-calls: --label: 'ts' is a standard member; choose another name
filter-calls: --label: 'a"b' contains a quote, a backslash or a control character; choose another name
EOF

# --- any NDJSON

cat >foreign.ndjson <<'EOF'
 { "name" : "gemm" , "kind" : "kernel" , "dur" : 40, "ts" : 20 }
{"args":{"kind":"kernel","name":"gemm"},"kind":"api","name":"x","ts":5}
{"name":"gemm","args":{"a":1},"ts":7,"kind":"kernel"}
EOF
check 'accepts members in any order and spacing, and ignores members of args with the same names' 0 \
	'filter-calls -k kernel -n gemm foreign.ndjson
	filter-calls -c --from 8 foreign.ndjson' <<'EOF'
{ "name" : "gemm" , "kind" : "kernel" , "dur" : 40, "ts" : 20 }
{"name":"gemm","args":{"a":1},"ts":7,"kind":"kernel"}
1
EOF
check 'skips a damaged record and writes the others' 1 \
	"printf '%s\\n' '{\"name\":\"a\"}' '{\"name\":' '{\"name\":\"b\"}' | filter-calls -e ." <<'EOF'
{"name":"a"}
{"name":"b"}
--- stderr
filter-calls: stdin:2: not a JSON record; skipped
EOF

# --- an independent filter

cat >words.py <<'EOF'
import shlex, sys
for line in sys.stdin:
    words = []
    for key, v in eval(line).items():
        for one in v if isinstance(v, list) else [v]:
            words += [("-" if len(key) == 1 else "--") + key] + ([] if one is True else [str(one)])
    print(shlex.join(words))
EOF
cat >sets <<'EOF'
{}
{"v": True}
{"k": "kernel"}
{"k": "kernel,api,mark", "v": True}
{"n": ["gemm", "été"]}
{"n": ["a\"b", "x\\y"], "e": ["^void f<"]}
{"n": ["GEMM"], "i": True}
{"e": ["GEMM"], "i": True, "n": ["STEP#1"]}
{"e": ["_v[0-9]+$|^relu$"], "v": True}
{"e": ["\\\\"]}
{"e": ["tab.x"]}
{"w": ["dur>10"]}
{"w": ["dur>=1.5us", "kind!=api"]}
{"w": ["bytes==4KiB"]}
{"w": ["bytes<=100"], "v": True}
{"w": ["stream==7"]}
{"w": ["stream!=7"]}
{"w": ["stream>=7"]}
{"w": ["stream<s"]}
{"w": ["!stream", "External id>5"]}
{"w": ["External id"]}
{"w": ["ratio<=0.5"]}
{"w": ["v=~^[0-9]+$"]}
{"w": ["v!~b", "v"]}
{"w": ["v>11"]}
{"w": ["v==abc"]}
{"w": ["end<-1us"]}
{"w": ["name!~e", "name>=a"]}
{"w": ["name==x\\y"]}
{"w": ["api", "ts<0"]}
{"from": "-2us", "until": "0"}
{"from": "+500", "until": "+1.5us", "starts": True}
{"from": "-2us", "until": "1us", "inside": True}
{"from": "-2us", "until": "1us", "inside": True, "v": True}
{"until": "+2000ns", "k": "kernel,op", "w": ["dur"]}
{"marker": "^Step", "skip": 5, "count": 3}
{"marker": "^Step", "skip": 20}
{"marker": "gemm", "count": 11, "k": "kernel", "v": True}
{"marker": "gemm", "skip": 2, "count": 9, "n": ["relu"], "w": ["dur"]}
{"e": ["m"], "m": 7}
{"k": "range", "v": True, "m": 20, "from": "-2500"}
EOF
# Prints a line for each set of options with which the two filters select different records.
differences() {
	if ! { filter_records.py >random.ndjson && kept_records.py <sets >want && python3 words.py <sets >words; }; then
		echo 'the other filter does not run'
		return
	fi
	# shellcheck disable=SC2094 # no file is read and written at the same time
	while IFS= read -r words; do
		eval "filter-calls $words random.ndjson" >kept
		echo "$(wc -l <kept) $(sha256sum <kept | cut -d' ' -f1)"
	done <words >got
	paste -d' ' want got words | awk '
		$1 != $3 || $2 != $4 { n = $3; m = $1; $1 = $2 = $3 = $4 = ""; print n " selected, expected " m ":" $0 }
		$1 == 0 && NR != 2 { empty++ }
		END { if (NR != 41 || empty > 1) print NR " sets, " empty " of them select nothing" }'
}
have python3 && {
	differences >differ 2>&1
	name='selects the same records as an independent filter'
	if [ -s differ ]; then fail "$name" <differ; else pass "$name"; fi
}

# --- the page events(5): its records, and its commands that use other programs, which pages.t does not run

page() {
	sed "s/\\\\(aq/'/g; s/\\\\(ha/^/g; s/\\\\(ti/~/g" "$ROOT/lib/events.5"
}
page | grep '^{' >run.ndjson
check 'reads the records of events(5)' 0 \
	'filter-calls -w corr==5 run.ndjson | cmp - run.ndjson && wc -l <run.ndjson' <<'EOF'
2
EOF
have jq mlr && {
	printf 'name,start,length\na,1,1700\n' >calls.csv
	page | grep -E '^(jq|mlr) ' | sed 's/^jq/jq -c/' >commands
	check 'the jq and mlr commands of events(5) work' 0 'sh ./commands' <<-'EOF'
		{"name":"gemm<float>(int)","dur_sum":9000}
		{"name": "gemm<float>(int)", "dur_sum": 9000}
		{"name": "a", "ts": 1, "dur": 1700, "kind": "op"}
	EOF
}

finish
