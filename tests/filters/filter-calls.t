#!/bin/sh
# filter-calls.t: every option alone, together and turned round; windows at their edges; sections between
# markers; labels; what is refused. At the end an independent filter in python3 has to agree.
. "${0%/*}/../lib.sh"

# The names of what was kept, on one line.
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

check 'no condition: everything, as it stands' 0 'filter-calls a.ndjson | cmp - a.ndjson' <<'EOF'
EOF
check '-n is the whole name' 0 'filter-calls -n step -n "step 1" a.ndjson' <<'EOF'
{"ts":0,"dur":100,"kind":"range","name":"step 1","pid":1,"tid":2}
EOF
check '-n is no regex' 0 'filter-calls -n "gemm<float, 4>(int)" -n "x.." a.ndjson | ./names' <<'EOF'
gemm<float, 4>(int)
EOF
check '-n with what is escaped in the record' 0 "filter-calls -n 'Gemm \"q\" é' a.ndjson" <<'EOF'
{"ts":150,"dur":0,"kind":"kernel","name":"Gemm \"q\" é","dev":1,"stream":7,"corr":2}
EOF
check '-e is found anywhere' 0 'filter-calls -e "e[pr]" a.ndjson | ./names' <<'EOF'
step 1 cudaLaunchKernel step 2
EOF
check '-e is extended' 0 'filter-calls -e "^(warm|step [2-9])$" a.ndjson | ./names' <<'EOF'
warm step 2
EOF
check '-e: a dot, and a dot that is one' 0 'filter-calls -e "x\\.y|Mem.py" a.ndjson | ./names' <<'EOF'
x.y Memcpy HtoD
EOF
check '-e with UTF-8' 0 'filter-calls -c -e "\" é$" a.ndjson' <<'EOF'
1
EOF
check '-n and -e are alternatives' 0 'filter-calls -n warm -e "^x" -e mark -n start a.ndjson | ./names' <<'EOF'
start warm x.y
EOF
check '-i for both, after them' 0 'filter-calls -n WARM -e "^gEMM" -i a.ndjson | ./names' <<'EOF'
warm gemm<float, 4>(int) Gemm \
EOF
check 'no name: nothing for -n and -e' 0 'echo "{\"ts\":1}" | filter-calls -n "" -e ""' <<'EOF'
EOF
check 'an empty name' 0 'echo "{\"name\":\"\"}" | filter-calls -n ""' <<'EOF'
{"name":""}
EOF
check 'a name in other escapes is the same name' 0 \
	'printf "%s\n" "{\"name\":\"\\u0061b\"}" "{\"name\":\"a\\u0062\"}" "{\"name\":\"ab\"}" | filter-calls -c -n ab' <<'EOF'
3
EOF
check 'a regex that is none' 2 'filter-calls -e "a(" a.ndjson' <<'EOF'
--- stderr
filter-calls: -e: 'a(' is not a regular expression: unmatched ( or \(
EOF
check_re 'hostile regexes' 2 "filter-calls -e '[[:x:]]' a.ndjson; filter-calls -e 'a{2,1}' a.ndjson
	filter-calls --marker 'a\\' a.ndjson; filter-calls -w 'name=~)(' a.ndjson" <<'EOF'
--- stderr
filter-calls: -e: '\[\[:x:\]\]' is not a regular expression: .+
filter-calls: -e: 'a\{2,1\}' is not a regular expression: .+
filter-calls: --marker: 'a\\' is not a regular expression: .+
filter-calls: -w: 'name=~\)\(' is not a condition: .+, at byte 7
EOF

# --- kinds

check '-k' 0 'filter-calls -k kernel a.ndjson | ./names' <<'EOF'
gemm<float, 4>(int) Gemm \
EOF
check '-k with several, twice' 0 'filter-calls -k meta,mark -k memcpy a.ndjson | ./names' <<'EOF'
start x.y Memcpy HtoD
EOF
check '-k: no kind, one in escapes, one that is no string' 0 \
	'printf "%s\n" "{\"ts\":1}" "{\"kind\":\"ker\\u006eel\"}" "{\"kind\":7}" "{\"kind\":null}" |
		filter-calls -k kernel' <<'EOF'
{"kind":"ker\u006eel"}
EOF
check_re '-k with a slip' 2 'filter-calls -k kernal a.ndjson' <<'EOF'
--- stderr
filter-calls: -k: unknown kind 'kernal'; did you mean 'kernel'\? .*
EOF

# --- conditions

check '-w: number with a unit' 0 "filter-calls -w 'dur>=0.04us' a.ndjson | ./names" <<'EOF'
step 1 gemm<float, 4>(int) step 2
EOF
check '-w: all must hold' 0 "filter-calls -w 'dur>30' -w 'pid==1' -w 'ts>0' a.ndjson | ./names" <<'EOF'
step 2
EOF
check '-w: sizes' 0 "filter-calls -w 'bytes==1MiB' a.ndjson | ./names" <<'EOF'
Memcpy HtoD
EOF
check '-w: a member of args, with a space' 0 "filter-calls -w 'External id>5' a.ndjson | ./names" <<'EOF'
gemm<float, 4>(int)
EOF
check '-w: deeper, and any element' 0 "filter-calls -w 'args.grid[]==2' a.ndjson | ./names
	filter-calls -w 'ranges[]==inner' a.ndjson | ./names" <<'EOF'
gemm<float, 4>(int)
step 2
EOF
check '-w: present and absent' 0 \
	"filter-calls -w corr a.ndjson | ./names; filter-calls -w '!dur' a.ndjson | ./names" <<'EOF'
cudaLaunchKernel gemm<float, 4>(int) Gemm \
start x.y
EOF
check '-w: what is absent compares with nothing' 0 \
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
check '-w: texts, quoted and not' 0 \
	"filter-calls -c -w 'copy==h2d' a.ndjson; filter-calls -c -w 'name == \"step 1\"' a.ndjson
	filter-calls -c -w \"name=='Gemm \\\"q\\\" é'\" a.ndjson" <<'EOF'
1
1
1
EOF
check '-w: =~ and !~' 0 "filter-calls -w 'name=~^step' -w 'name!~1\$' a.ndjson | ./names" <<'EOF'
step 2
EOF
check '-w: computed fields' 0 \
	"filter-calls -w 'end>=200' a.ndjson | ./names; filter-calls -w short==gemm a.ndjson | ./names" <<'EOF'
step 2
gemm<float, 4>(int)
EOF
check '-w: a field that no record has' 0 'filter-calls -w "strem==7" a.ndjson' <<'EOF'
--- stderr
filter-calls: no record has the field 'strem'; did you mean 'stream'?
EOF
check '-w !FIELD: none has it, no hint' 0 'filter-calls -c -w "!nothing" a.ndjson' <<'EOF'
9
EOF
check_re '-w: bad syntax' 2 \
	"for c in dur=5 'dur<>5' '==5' '!dur>5' 'name==' \"name=='x\" 'dur>5usec' 'bytes>1ms' 'a..b' ''; do
	filter-calls -w \"\$c\" a.ndjson; done" <<'EOF'
--- stderr
filter-calls: -w: 'dur=5' is not a condition: '=' is no operator \(== != < <= > >= =~ !~\), at byte 4
filter-calls: -w: 'dur<>5' is not a condition: an operator too many, at byte 5
filter-calls: -w: '==5' is not a condition: no field before the operator, at byte 1
filter-calls: -w: '!dur>5' is not a condition: '!' says that a field is absent, .*, at byte 1
filter-calls: -w: 'name==' is not a condition: no value behind the operator .*, at byte 7
filter-calls: -w: 'name=='x' is not a condition: a quote that does not close, at byte 7
filter-calls: -w: 'dur>5usec' is not a condition: not a time .*, at byte 5
filter-calls: -w: 'bytes>1ms' is not a condition: a time compared with a size, at byte 7
filter-calls: -w: 'a..b' is not a condition: an empty name, at byte 3
filter-calls: -w: '' is not a condition: an empty name, at byte 1
EOF

# --- windows: [100, 200), each row a record and whether it overlaps, starts there, lies within

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
	check "$1" 0 "filter-calls --from 100 --to 0.2us $3 edges.ndjson | ./names" <want
	awk -v c="$2" '$c == 0 { print $1 }' edges | paste -sd' ' - >want
	check "$1, -v" 0 "filter-calls -v --from 100 --to 0.2us $3 edges.ndjson | ./names" <want
}
window 'a window: what overlaps' 4 ''
window 'a window: --starts' 5 --starts
window 'a window: --within' 6 --within

check 'only --from, only --to' 0 \
	'filter-calls --from 101 a.ndjson | ./names; filter-calls --to=-1 a.ndjson | ./names' <<'EOF'
step 2 Gemm \
warm
EOF
check 'negative times' 0 \
	'filter-calls --from -50 --to -20ns --within a.ndjson | ./names; filter-calls -c --from -20 --to 0 a.ndjson' <<'EOF'
warm
0
EOF
check '+T counts from the first ts' 0 'filter-calls --from +60ns --to +0.13us a.ndjson | ./names' <<'EOF'
step 1 cudaLaunchKernel gemm<float, 4>(int) x.y
EOF
check '+T: the first ts, even of a kind that is not wanted' 0 \
	'filter-calls -k kernel --to +71 a.ndjson | ./names' <<'EOF'
gemm<float, 4>(int)
EOF
check '+T with T' 0 'filter-calls --from 70 --to +131 --starts a.ndjson | ./names' <<'EOF'
x.y Memcpy HtoD
EOF
check '+T: not the ts of another clock, which lies in no window' 0 \
	'(echo "{\"ts\":7000,\"kind\":\"kernel\",\"name\":\"far\",\"clock\":\"device\"}"; cat a.ndjson) |
		filter-calls --to +51 | ./names' <<'EOF'
warm step 1
EOF
cat >extreme.ndjson <<'EOF'
{"ts":-9223372036854775808,"dur":9223372036854775807,"kind":"op","name":"first"}
{"ts":9223372036854775807,"dur":9223372036854775807,"kind":"op","name":"last"}
EOF
check 'times at the ends of 64 bits' 0 'filter-calls --from 9223372036854775807 extreme.ndjson | ./names
	filter-calls --from +9223372036854775807 --to +9223372036854775807 -v extreme.ndjson 2>/dev/null | ./names
	filter-calls --from +9223372036854775807 extreme.ndjson | ./names
	filter-calls --within --to 9223372036854775807 extreme.ndjson | ./names' <<'EOF'
last

last
first
EOF
check 'contradicting windows' 2 'filter-calls --from 5 --to 5 a.ndjson; filter-calls --from +2us --to +1us a.ndjson
	filter-calls --starts a.ndjson; filter-calls --to 5 --starts --within a.ndjson' <<'EOF'
--- stderr
filter-calls: --to must be later than --from
filter-calls: --to must be later than --from
filter-calls: --starts needs --from or --to
filter-calls: --starts and --within exclude each other
EOF
check_re 'a time that is none' 2 'filter-calls --from 5MiB a.ndjson' <<'EOF'
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
check '--marker alone: from the first on' 0 'filter-calls --marker ^Step steps.ndjson | ./names' <<'EOF'
Step#0 a0 Step#0 Step#1 k0 a1 Step#2 k1 alone Step#3 k2
EOF
check '--skip and --count, device records by their launch' 0 \
	'for n in 0 1 2; do filter-calls --marker ^Step --skip $n --count 1 steps.ndjson | ./names; done' <<'EOF'
Step#0 a0 Step#0 k0
Step#1 a1 k1
Step#2 alone k2
EOF
check '--count 2' 0 'filter-calls --marker Step --skip 1 --count 2 steps.ndjson | ./names' <<'EOF'
Step#1 a1 Step#2 k1 alone k2
EOF
check 'a section, and more' 0 'filter-calls --marker step -i --skip 1 --count 1 -k kernel,op steps.ndjson | ./names
	filter-calls --marker ^Step --skip 1 --count 1 -v steps.ndjson | ./names' <<'EOF'
a1 k1
head Step#0 a0 Step#0 k0 no ts Step#2 alone Step#3 k2
EOF
check 'more markers skipped than there are' 0 'filter-calls --marker ^Step --skip 9 steps.ndjson' <<'EOF'
--- stderr
filter-calls: --marker '^Step': found 4 times, nothing lies behind --skip 9
EOF
check 'the last markers there are' 0 'filter-calls --marker ^Step --skip 3 --count 1 steps.ndjson | ./names' <<'EOF'
Step#3
EOF
check 'fewer markers than counted' 0 'filter-calls --marker ^Step --skip 3 --count 2 steps.ndjson | ./names' <<'EOF'
Step#3
--- stderr
filter-calls: --marker '^Step': found 4 times, kept to the end of the input
EOF
check 'a marker needs ts order' 2 \
	'(cat steps.ndjson; sed -n 2p steps.ndjson) | filter-calls --marker "^S t" --skip 1' <<'EOF'
--- stderr
filter-calls: stdin: line 14 is out of ts order; run: ... | ts-sort | filter-calls --marker '^S t' --skip 1
EOF
check '+T counts from the first ts that came, and tells when that is not the earliest' 0 \
	'(sed -n 4p a.ndjson; cat a.ndjson) | filter-calls --from +10 --to +60 | ./names; ts-sort a.ndjson |
		filter-calls -c --from +10' <<'EOF'
step 1 gemm<float, 4>(int)
8
--- stderr
filter-calls: stdin:3: begins before the first ts that came, from which +T counts: ts-sort puts the earliest first (and 1 more)
EOF
check '--meta: what goes for all of the trace is in every part of it' 0 \
	'for o in "--from 150" "--to -40 -k range" "--from +200 -k meta,kernel" "--marker step"; do
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
check '--meta alone' 2 'filter-calls --meta a.ndjson' <<'EOF'
--- stderr
filter-calls: --meta needs --from, --to or --marker
EOF
check 'a time that is no whole number is told where times count' 1 \
	"jq -c 'if .dur then .dur /= 8 else . end' a.ndjson | filter-calls -c --from 0" <<'EOF'
7
--- stderr
filter-calls: stdin:2: dur is no whole number of ns: taken as a record without (and 4 more)
EOF
check 'and is no matter elsewhere' 0 \
	"jq -c 'if .dur then .dur /= 8 else . end' a.ndjson | filter-calls -c -w dur" <<'EOF'
7
EOF
check 'two conditions in one' 2 \
	"filter-calls -w 'dur>1ms and kind==kernel' a.ndjson; filter-calls -w 'name==x && dur>5' a.ndjson" <<'EOF'
--- stderr
filter-calls: -w: 'dur>1ms and kind==kernel' is not a condition: two conditions in one: give each an option of its own, all must hold, at byte 5
filter-calls: -w: 'name==x && dur>5' is not a condition: two conditions in one: give each an option of its own, all must hold, at byte 7
EOF
check 'a name may hold such words' 0 "filter-calls -w 'name==rock and roll' -w 'name!=a&&b' a.ndjson" </dev/null
check 'the digit class of other languages' 2 \
	"filter-calls -e 'step\d' a.ndjson; filter-calls --marker 's(\d+)' a.ndjson" <<'EOF'
--- stderr
filter-calls: -e: 'step\d' is not a regular expression: \d is no digit here, [0-9] is
filter-calls: --marker: 's(\d+)' is not a regular expression: \d is no digit here, [0-9] is
EOF
check 'an escaped backslash before a d is none' 0 "filter-calls -e 'x\\\\d' a.ndjson" </dev/null
check 'a dot before a name, an element by number' 2 \
	"filter-calls -w args.grid[0]==2 a.ndjson; filter-calls -w .dur a.ndjson" <<'EOF'
--- stderr
filter-calls: no record has the field 'args.grid[0]'; 'args.grid[]' is every element of an array
filter-calls: -w: '.dur' is not a condition: a name has no dot before it, at byte 1
EOF
check 'a marker needs ts order: files' 2 "filter-calls -c steps.ndjson --marker \"it's\" 'steps.ndjson'" <<'EOF'
--- stderr
filter-calls: steps.ndjson: line 1 is out of ts order; run: ts-sort steps.ndjson steps.ndjson | filter-calls -c --marker 'it'\''s'
EOF
check '--skip without a marker' 2 'filter-calls --skip 3 a.ndjson; filter-calls --count 0 a.ndjson' <<'EOF'
--- stderr
filter-calls: --skip needs --marker
filter-calls: --count: '0': expected an integer >= 1
EOF

# --- -v -c -m

check '-v inverts the whole' 0 "filter-calls -v -k kernel,range -w 'dur>=40' a.ndjson | ./names" <<'EOF'
start warm cudaLaunchKernel x.y Memcpy HtoD Gemm \
EOF
check '-v of each' 0 \
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
check '-v of nothing' 0 'filter-calls -v a.ndjson' <<'EOF'
EOF
check '-c: one total' 0 'filter-calls -c -k range a.ndjson - a.ndjson <a.ndjson' <<'EOF'
9
EOF
check '-m' 0 \
	'filter-calls -m 2 -k range a.ndjson | ./names; filter-calls -m 0 a.ndjson; filter-calls -cm 2 a.ndjson' <<'EOF'
warm step 1
2
EOF
check '-m over several files' 0 'filter-calls -m 4 -k range a.ndjson a.ndjson /nonexistent | ./names' <<'EOF'
warm step 1 step 2 warm
EOF
mkfifo pipe
check '-m stops reading' 0 '{ sed 3q a.ndjson; exec sleep 20; } >pipe & timeout 10 filter-calls -m 1 -k range <pipe
	status=$?; kill $!; exit $status' <<'EOF'
{"ts":-50,"dur":30,"kind":"range","name":"warm","pid":1,"tid":2}
EOF
check '-m that is no number' 2 'filter-calls -m -1 a.ndjson' <<'EOF'
--- stderr
filter-calls: -m: '-1': expected an integer >= 0
EOF

# --- labels

cat >classes <<'EOF'
# what runs

^gemm	math
^Memcpy	copy	and a tab
e	with "e"
EOF
check '--label: before args, or last' 0 \
	'filter-calls --label class=classes -e "^(gemm|Mem|warm|step 2|x)" a.ndjson' <<'EOF'
{"ts":-50,"dur":30,"kind":"range","name":"warm","pid":1,"tid":2}
{"ts":20,"dur":40,"kind":"kernel","name":"gemm<float, 4>(int)","dev":0,"stream":7,"corr":1,"class":"math","args":{"External id":9,"grid":[2,1,1]}}
{"ts":70,"kind":"mark","name":"x.y"}
{"ts":80,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","bytes":1048576,"copy":"h2d","class":"copy\tand a tab","args":{"rate":1.5}}
{"ts":100,"dur":100,"kind":"range","name":"step 2","pid":1,"tid":2,"ranges":["outer","inner"],"class":"with \"e\""}
EOF
printf 'e\tnew\r\n' >crlf
check '--label: twice, replacing, other forms of JSON' 0 \
	"printf '%s\\n' '{ \"name\" : \"e\", \"class\": {\"old\":1} , \"src\":{} }  ' '{\"name\":\"e\" } ' |
		filter-calls --label a=classes --label class=crlf" <<'EOF'
{ "name" : "e", "class": "new" , "a":"with \"e\"","src":{} }
{"name":"e" ,"a":"with \"e\"","class":"new"}
EOF
check '--label: args named inside args, and in a string' 0 \
	"echo '{\"name\":\"\\\"args\\\":\",\"x\":{\"args\":{}},\"args\":{\"args\":1}}' | filter-calls --label c=crlf -e . ;
		echo '{\"name\":\"ge\\\"args\\\":{\",\"x\":{\"args\":{}},\"args\":{\"args\":1}}' |
		filter-calls --label c=crlf" <<'EOF'
{"name":"\"args\":","x":{"args":{}},"args":{"args":1}}
{"name":"ge\"args\":{","x":{"args":{}},"c":"new","args":{"args":1}}
EOF
check '--label with -i; the label is a field of the next' 0 \
	'filter-calls -i --label class=classes a.ndjson | filter-calls -k kernel -w class==math | ./names' <<'EOF'
gemm<float, 4>(int) Gemm \
EOF
printf 'ok\tfine\n\na(\tbad\n' >bad-regex
printf 'ok\tfine\nno tab here\n' >bad-tab
printf 'x\t\n' >bad-empty
check_re '--label: files that are none' 2 \
	'for f in bad-regex bad-tab bad-empty nowhere .; do filter-calls --label c=$f a.ndjson; done
	filter-calls --label c a.ndjson; filter-calls --label =crlf a.ndjson; filter-calls --label ts=crlf a.ndjson' <<'EOF'
--- stderr
filter-calls: bad-regex:3: unmatched .*
filter-calls: bad-tab:2: no tab between expression and label
filter-calls: bad-empty:1: no label behind the tab
filter-calls: nowhere: .*No such file or directory
filter-calls: \.: .*Is a directory
filter-calls: --label: 'c' is not FIELD=FILE
filter-calls: --label: '=crlf' is not FIELD=FILE
filter-calls: --label: 'ts' is a standard member, a label needs a name of its own
EOF

# --- any NDJSON

cat >foreign.ndjson <<'EOF'
 { "name" : "gemm" , "kind" : "kernel" , "dur" : 40, "ts" : 20 }
{"args":{"kind":"kernel","name":"gemm"},"kind":"api","name":"x","ts":5}
{"name":"gemm","args":{"a":1},"ts":7,"kind":"kernel"}
EOF
check 'another order, white space, members of args that look the part' 0 'filter-calls -k kernel -n gemm foreign.ndjson
	filter-calls -c --from 8 foreign.ndjson' <<'EOF'
{ "name" : "gemm" , "kind" : "kernel" , "dur" : 40, "ts" : 20 }
{"name":"gemm","args":{"a":1},"ts":7,"kind":"kernel"}
1
EOF
check 'a damaged record is lost, the others stay' 1 \
	"printf '%s\\n' '{\"name\":\"a\"}' '{\"name\":' '{\"name\":\"b\"}' | filter-calls -e ." <<'EOF'
{"name":"a"}
{"name":"b"}
--- stderr
filter-calls: stdin:2: not a JSON record, skipped
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
{"from": "-2us", "to": "0"}
{"from": "+500", "to": "+1.5us", "starts": True}
{"from": "-2us", "to": "1us", "within": True}
{"from": "-2us", "to": "1us", "within": True, "v": True}
{"to": "+2000ns", "k": "kernel,op", "w": ["dur"]}
{"marker": "^Step", "skip": 5, "count": 3}
{"marker": "^Step", "skip": 20}
{"marker": "gemm", "count": 11, "k": "kernel", "v": True}
{"marker": "gemm", "skip": 2, "count": 9, "n": ["relu"], "w": ["dur"]}
{"e": ["m"], "m": 7}
{"k": "range", "v": True, "m": 20, "from": "-2500"}
EOF
# A line for each set in which the two differ.
differences() {
	if ! { filter_records.py >random.ndjson && kept_records.py <sets >want && python3 words.py <sets >words; }; then
		echo 'the other filter does not run'
		return
	fi
	# shellcheck disable=SC2094 # nothing is read and written at once
	while IFS= read -r words; do
		eval "filter-calls $words random.ndjson" >kept
		echo "$(wc -l <kept) $(sha256sum <kept | cut -d' ' -f1)"
	done <words >got
	paste -d' ' want got words | awk '
		$1 != $3 || $2 != $4 { n = $3; m = $1; $1 = $2 = $3 = $4 = ""; print n " kept, expected " m ":" $0 }
		$1 == 0 && NR != 2 { empty++ }
		END { if (NR != 41 || empty > 1) print NR " sets, " empty " of them keep nothing" }'
}
have python3 && {
	differences >differ 2>&1
	if [ -s differ ]; then fail 'as an independent filter' <differ; else pass 'as an independent filter'; fi
}

# --- events(5): its records, and the commands of others that pages.t leaves alone

page() {
	sed "s/\\\\(aq/'/g; s/\\\\(ha/^/g; s/\\\\(ti/~/g" "$ROOT/lib/events.5"
}
page | grep '^{' >run.ndjson
check 'events(5): records' 0 'filter-calls -w corr==5 run.ndjson | cmp - run.ndjson && wc -l <run.ndjson' <<'EOF'
2
EOF
have jq mlr && {
	printf 'name,start,length\na,1,1700\n' >calls.csv
	page | grep -E '^(jq|mlr) ' | sed 's/^jq/jq -c/' >commands
	check 'events(5): jq and mlr' 0 'sh ./commands' <<-'EOF'
		{"name":"gemm<float>(int)","dur_sum":9000}
		{"name": "gemm<float>(int)", "dur_sum": 9000}
		{"name": "a", "ts": 1, "dur": 1700, "kind": "op"}
	EOF
}

finish
