#!/bin/sh
# report-sections.t: section files: pipelines, rows, figures, texts; failures and signals. Expected records were written
# by hand.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"

cat >records <<'E'
{"ts":1,"dur":40,"kind":"kernel","name":"a"}
{"ts":2,"dur":30,"kind":"kernel","name":"b"}
{"ts":3,"dur":20,"kind":"kernel","name":"b"}
{"ts":4,"dur":5,"kind":"kernel","name":"c"}
{"ts":5,"dur":1,"kind":"range","name":"r"}
E
mkdir one two each
cat >one/10-kernels.section <<'E'
# A comment.
section kernels
table cat{files:words} | filter-calls -k kernel | groupby -g name
title Kernels of {who}
text Times.
note {n:count kernel|kernels} with {names:count name|names}, of which
	the first is {top}.
row label = name+'!'
sum n = count
sum names = 1
sum time = dur_sum
first longest = dur_sum
first top = name
let mean = time/n
columns label name Kernel | dur_sum time:computing Time | nothing int Nothing | count count
short label | count | missing
lines 5
limit 2
sums dur_sum count

figure mean tiles,line:host time Mean
value mean
share if(nothing,1)
note of {n:count} in {time:time}

figure unknown tiles - Unknown
value nothing

finding small
saves 3
title Small
text saves little

finding large
saves longest
evidence kernels
title Large
text {longest:time} of {time:same}

finding never
if longest>1000
title Never

verdict low
weight 1
text Low.

verdict high
weight 2
list terms
term 5 : five {n:count} | 5
term 0 : none
term 7 : first seven | seven
text High: {terms:words}.

facts
detail {nothing} is known.

facts
title T
source S
fact {n:count} kernels
fact {nothing}
E
check 'a section with rows, figures, findings and a verdict' 0 'report-sections --set who=me one records' <<'END'
{"kind":"report/verdict","text":"High: first seven, 5.","source":["S"],"facts":["{n:count} kernels"],"title":"T","n":4}
{"kind":"report/figure","id":"mean","name":"Mean","group":"tiles","color":"host","unit":"time","value":23.75,"note":"of {n:count} in {time:time}","n":4,"time":95}
{"kind":"report/figure","id":"mean","name":"Mean","group":"line","color":"host","unit":"time","value":23.75,"note":"of {n:count} in {time:time}","n":4,"time":95}
{"kind":"report/finding","id":"large","saves":50,"section":"kernels","title":"Large","text":"{longest:time} of {time:same}","longest":50,"time":95}
{"kind":"report/finding","id":"small","saves":3,"title":"Small","text":"saves little"}
{"kind":"report/section","id":"kernels","title":"Kernels of me","text":"Times.","note":"{n:count} kernels with {names:count} names, of which the first is {top}.","lines":5,"columns":[{"name":"label","title":"Kernel","unit":"name","brief":true},{"name":"dur_sum","title":"Time","unit":"time","color":"computing","sum":true},{"name":"nothing","title":"Nothing","unit":"int"},{"name":"count","unit":"count","brief":true,"sum":true}],"commands":["cat records | filter-calls -k kernel | groupby -g name -o table"],"n":4,"names":3,"top":"b"}
{"kind":"report/row","section":"kernels","label":"b!","dur_sum":50,"count":2,"name":"b"}
{"kind":"report/row","section":"kernels","label":"a!","dur_sum":40,"count":1,"name":"a"}
{"kind":"report/row","section":"kernels","rest":1,"dur_sum":5,"count":1}
END
check 'singular, and -t' 0 'head -n 1 records >first; report-sections -t 7 --set who=me one first |
	filter-calls -w lines | ndjson2table -o ndjson -f lines,note,n,names' <<'END'
{"lines":7,"note":"{n:count} kernel with {names:count} name, of which the first is {top}.","n":1,"names":1}
END

# Files share figures only if they say so; the order of the files is that of their names.
cat >two/1.section <<'E'
shared
ask all
command cat
sum n = 1

ask empty all
command filter-calls -k sync
E
cat >two/2.section <<'E'
ask kernels all
if n
command filter-calls -k kernel
sum local = 1

section ranges all
command filter-calls -k range; echo {text} {n} >&2; sh -c 'exit 1'
as the records
let l = local
title {l}{n}
columns name name
E
cat >two/3.section <<'E'
section empty empty
title No rows
columns name name

section all all kernels
as show everything
command cat - "$1" | groupby -a count
let l = default(local,'unknown')
text {l:words}
columns count count

verdict v
weight 1
text v
E
cat >two/4.section <<'E'
if default(n>99,0)
section skipped all
command false
E
check 'shared figures, answers as inputs, messages and status 1' 1 '
	report-sections --set text="it'\''s \$x" two <records >out; status=$?; cut -c 1-150 out; exit $status' <<'END'
{"kind":"report/verdict","text":"v"}
{"kind":"report/section","id":"ranges","title":"45","columns":[{"name":"name","unit":"name"}],"commands":["the records"]}
{"kind":"report/row","section":"ranges","name":"r"}
{"kind":"report/section","id":"all","text":"unknown","columns":[{"name":"count","unit":"count"}],"commands":["show everything"]}
{"kind":"report/row","section":"all","count":9}
--- stderr
it's $x 5
END
mkdir names
cat >names/1.section <<'E'
ask kernels
command filter-calls -k kernel
sum n = 1
first name = name

section figures
command echo '{{}'
row n nothing name
row half = n/2

verdict v
weight 1
text v
E
check 'a row of figures, and values of them' 0 'report-sections names <records | tail -n 2' <<'END'
{"kind":"report/section","id":"figures","columns":[{"name":"n"},{"name":"nothing"},{"name":"name"},{"name":"half"}],"commands":["echo '{}' | ndjson2table"]}
{"kind":"report/row","section":"figures","n":4,"nothing":0,"name":"a","half":2}
END
mkdir rows
cat >rows/1.section <<'E'
ask kinds
table groupby -g kind -a count,sum,first:name
row id = 'n_'+kind
named id = count
members
min least = dur_sum
let text = '{n_kernel:count} and {n_range:count}: {name_first}, {kind}, {least:time}'

verdict v
weight 1
text {text:words}
E
check 'figures from rows' 0 'report-sections rows <records' <<'END'
{"kind":"report/verdict","text":"{n_kernel:count} and {n_range:count}: {name_first}, {kind}, {least:time}","n_kernel":4,"n_range":1,"name_first":"a","kind":"kernel","least":1}
END
check 'a section is added with one file' 0 'mkdir more; cp two/1.section more; cat >more/9.section <<X
section names all
table groupby -g name -f nosuch -a count
title Names
columns name name Name

verdict v
weight 1
text v
X
	report-sections more <records | grep -c "\"section\":\"names\""' <<'END'
4
END

cat >each/1.section <<'E'
shared
ask kinds
table groupby -g kind
E
cat >each/2.section <<'E'
each kinds
let kind = kind

marks boxes-{each} kinds
if kind=='kernel'
command filter-calls -w kind==kernel
row at = count
row share = dur_sum/95/2
row color = 'blue'

section rows-{each} kinds
command filter-calls -w kind=={kind}
title {kind}
text Rows.
mark_unit count
row link = {text}+'.html'
columns dur_sum time

verdict v-{each}
weight 3-each
text {each:int}: {kind}
E
check 'a file for each row of an answer; marks; a text in an expression' 0 '
	report-sections --pictures --set text="it'\''s \"\\1\"" each <records
	report-sections --set text= each <records | grep -c report/mark; :' <<'END'
{"kind":"report/verdict","text":"{each:int}: {kind}","each":1,"kind":"kernel"}
{"kind":"report/section","id":"rows-1","title":"kernel","text":"Rows.","mark_unit":"count","columns":[{"name":"dur_sum","unit":"time"}],"commands":["groupby -g kind | filter-calls -w kind==kernel | ndjson2table","groupby -g kind | filter-calls -w kind==kernel"]}
{"kind":"report/row","section":"rows-1","dur_sum":95,"link":"it's \"\\1\".html"}
{"kind":"report/mark","section":"rows-1","at":4,"share":0.5,"count":4,"color":"blue"}
{"kind":"report/section","id":"rows-2","title":"range","text":"Rows.","mark_unit":"count","columns":[{"name":"dur_sum","unit":"time"}],"commands":["groupby -g kind | filter-calls -w kind==range | ndjson2table"]}
{"kind":"report/row","section":"rows-2","dur_sum":1,"link":"it's \"\\1\".html"}
0
END

# --- failures: status 2, one message, no records, no files, and no program that still runs

failing() { # failing PIPELINE: makes the folder `bad` with this pipeline, beside one that runs for a long time
	rm -rf bad tmp
	mkdir bad tmp
	printf '%s\n' 'ask slow' 'command sleep 30.125 | cat' '' 'section s' "command $1" 'columns name name' >bad/1.section
}
ends() { # ends MESSAGE: runs it
	check "$1" 2 'TMPDIR=$PWD/tmp timeout 10 report-sections bad <records; status=$?; ls tmp
		pgrep -f "^sleep 30.125" && echo it runs; exit $status' <<END
--- stderr
report-sections: $1
END
}
failing 'filter-calls -k kernl'
ends "-k: 'kernl': $(filter-calls -k kernl 2>&1 </dev/null | sed "s/^filter-calls: -k: 'kernl': //")"
failing 'cat | cat | groupby -g'
ends 'option -g needs an argument; try groupby -h'
failing "sh -c 'kill -9 \$\$' | cat"
ends 'a program was killed by a signal'
failing "sh -c 'echo some >&2; kill -15 \$\$' | cat"
ends 'a program was killed by a signal'
failing "sh -c 'echo report-sections: first >&2; exit 2' | sh -c 'cat; sleep 0.1; echo second >&2; exit 2'"
ends 'first'
failing "sh -c 'exit 2'"
ends 'a program was killed by a signal'
if [ -w /dev/full ]; then
	failing 'groupby -g name >/dev/full'
	ends 'cannot write temporary files (TMPDIR): No space left on device'
	failing "printf some >/dev/full"
	ends 'cannot write temporary files (TMPDIR): No space left on device'
fi
failing cat
printf 'section t nosuch\ncommand cat\n' >bad/2.section
ends 't reads nosuch, which no preceding block asks'
printf 'each nosuch\nfigure t tiles - T\n' >bad/2.section
ends 'each nosuch: no preceding block asks it'
printf 'let x 5\n' >bad/2.section
ends "bad/2.section: 'x 5': expected NAME = EXPR"
printf 'let x = 5+\n' >bad/2.section
ends "bad/2.section: ' 5+': invalid expression at byte 4: expected a field, a number, a text in single quotes or '('"
printf 'title T\nmax x = dur\n' >bad/2.section
ends "bad/2.section: 'max' is not a key of a section file"
check 'wrong usage' 2 'report-sections; report-sections nosuch; report-sections tmp
	report-sections --set x one' <<'END'
--- stderr
report-sections: FOLDER is missing; try report-sections -h
report-sections: nosuch: cannot open: No such file or directory
report-sections: tmp: no files with the ending .section
report-sections: --set: 'x': expected NAME=TEXT
END
check 'a full disk' 2 'report-sections --set who=me one records >/dev/full' <<'END'
--- stderr
report-sections: write error: No space left on device
END
for signal in TERM HUP; do # a shell ignores SIGINT in programs that it runs in the background
	failing cat
	check "SIG$signal ends the programs" 0 'TMPDIR=$PWD/tmp setsid report-sections bad <records & pid=$!
		for i in $(seq 100); do pgrep -f "^sleep 30.125" >/dev/null && break; sleep 0.1; done
		kill -s '"$signal"' $pid; wait $pid 2>/dev/null
		sleep 0.2; pgrep -f "^sleep 30.125" && echo it runs; ls tmp' </dev/null
done
failing cat
check 'it ends when nobody reads the report' 0 'TMPDIR=$PWD/tmp report-sections bad <records | sleep 0.5
	sleep 0.2; pgrep -f "^sleep 30.125" && echo it runs; ls tmp' </dev/null

mkdir endings && printf "verdict v\nweight 1\ntext Another ending.\n" >endings/1.job
check 'files with another ending' 0 'report-sections --ending job endings </dev/null' <<'END'
{"kind":"report/verdict","text":"Another ending."}
END
finish
