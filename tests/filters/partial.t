#!/bin/sh
# partial.t: groupby and stats write partial results (--partial), and merge them (--merge).
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"

cat >a <<'END'
{"kind":"kernel","ts":100,"dur":40,"name":"gemm","x":0.5}
{"kind":"kernel","ts":160,"dur":90,"name":"gemm","x":"text"}
{"kind":"kernel","ts":260,"dur":30,"name":"relu"}
END
cat >b <<'END'
{"kind":"kernel","ts":300,"dur":-7,"name":"gemm","x":4}
{"kind":"kernel","ts":400,"dur":9223372036854775807,"x":-1e300}
END
cat a b >both
question='-g name -a count,sum:dur,std:dur,first:x,last:x,p50:x,distinct:x'

check 'a partial result' 0 "groupby $question --partial=3 a" <<'END'
{"partial":2,"of":"groupby","keys":["name"],"subtotals":[],"fields":["dur","x"],"aggregates":[["count"],["sum",0],["std",0],["first",1],["last",1],["p50",1],["distinct",1]],"exact":false}
{"key":["gemm"],"count":2,"fields":[{"n":2,"sum":[0,130],"sq":[0,9700],"min":40,"max":90},{"n":1,"doubles":1,"sum":[-1,2147483648],"min":0.5,"max":0.5,"first":[3,1,0.5],"last":[3,2,"text"],"vals":[[0.5,1]],"set":["text",0.5]}]}
{"key":["relu"],"count":1,"fields":[{"n":1,"sum":[0,30],"sq":[0,900],"min":30,"max":30},{}]}
{"end":1,"groups":2,"records":3,"lost":0,"parts":[3],"source":[3,"event"]}
END
check 'a partial result: subtotals, lists, weighted means, percentiles of many values' 0 '
	groupby -g name,kind --subtotals name -a wmean:x,list:x,count:x --partial a
	yes "{\"x\":-2.5}" | head -n 5000 | groupby -a p50:x --partial' <<'END'
{"partial":2,"of":"groupby","keys":["name","kind"],"subtotals":["name"],"fields":["dur","x"],"aggregates":[["wmean",1],["list",1],["count",1]],"exact":false}
{"key":["gemm","kernel"],"count":2,"fields":[{"n":2,"sum":[0,130],"min":40,"max":90},{"n":1,"doubles":1,"sum":[-1,2147483648],"min":0.5,"max":0.5,"other":1,"wsum":[0,20],"weights":[0,40],"list":[[0,0.5],[0,"text"]]}]}
{"key":["gemm"],"count":2,"fields":[{"n":2,"sum":[0,130],"min":40,"max":90},{"n":1,"doubles":1,"sum":[-1,2147483648],"min":0.5,"max":0.5,"other":1,"wsum":[0,20],"weights":[0,40],"list":[[0,0.5],[0,"text"]]}]}
{"key":["relu","kernel"],"count":1,"fields":[{"n":1,"sum":[0,30],"min":30,"max":30},{"wsum":[],"weights":[]}]}
{"key":["relu"],"count":1,"fields":[{"n":1,"sum":[0,30],"min":30,"max":30},{"wsum":[],"weights":[]}]}
{"end":1,"groups":4,"records":3,"lost":0,"parts":[0],"source":[0,"event"]}
{"partial":2,"of":"groupby","keys":[],"subtotals":[],"fields":["x"],"aggregates":[["p50",0]],"exact":false}
{"key":[],"count":5000,"fields":[{"n":5000,"doubles":5000,"sum":[0,-12500],"min":-2.5,"max":-2.5,"frac":true,"vals":[[-2.5,1],[-2.5,4998],[-2.5,1]]}]}
{"end":1,"groups":1,"records":5000,"lost":0,"source":[0,"members"]}
END
check 'merged parts are one pass' 0 "groupby $question --partial=1 a >a1; groupby $question --partial=2 b | gzip >b2
	groupby --merge b2 a1 | tee merged; groupby $question both | cmp - merged" <<'END'
{"kind":"groupby/event","count":1,"dur_sum":9223372036854775807,"x_first":-1e300,"x_last":-1e300,"x_p50":-1e300,"x_distinct":1}
{"kind":"groupby/event","name":"gemm","count":3,"dur_sum":123,"dur_std":48.507731342539614,"x_first":0.5,"x_last":4,"x_p50":2.25,"x_distinct":3}
{"kind":"groupby/event","name":"relu","count":1,"dur_sum":30,"x_distinct":0}
END
check 'in two steps, from standard input' 0 'groupby --merge --partial b2 a1 >ab
	cat ab | groupby --merge | cmp - merged
	tail -n 1 ab' <<'END'
{"end":1,"groups":3,"records":5,"lost":0,"parts":[1,2],"source":[1,"event"]}
END
check 'without records' 0 'groupby --partial </dev/null >none; groupby --merge none none
	groupby a >one; groupby --partial a | groupby --merge none - | cmp - one' </dev/null
check 'options of --merge: order, number of rows, unit, format' 0 'groupby -g name --partial a >n
	groupby --merge -s name -t 1 -u us -o csv n' <<'END'
name,count,dur_us_sum,dur_us_mean,dur_us_min,dur_us_max,dur_share
gemm,2,0.13,0.065,0.04,0.09,0.8125
END
check 'stats: percentiles and histograms of --merge' 0 'stats -f dur,ts --partial a >s1; stats -f dur,ts --partial b >s2
	stats --merge -q 99 s1 s2 >got; stats -f dur,ts -q 99 both | cmp - got
	stats --merge --hist --bins 3 s2 s1 >got; stats -f dur,ts --hist --bins 3 both | cmp - got
	stats --merge -o csv s1' <<'END'
field,count,mean,std,min,p25,p50,p75,max,sum
dur,3,53.333333333333336,32.145502536643185,30,35,40,65,90,160
ts,3,173.33333333333334,80.82903768654761,100,130,160,210,260,520
END

# A state of 100,000 values is written in several lines.
seq 100000 | sed 's/.*/{"dur":&,"name":"n&"}/' >many
slow check 'a state of many lines' 0 'list=count,distinct:name,list:dur,p50; groupby -a $list many >want
	split -l 30000 many m.; n=0
	for file in m.??; do n=$((n + 1)); groupby -a $list --exact --partial=$n $file >$file.part; done
	groupby --merge --partial m.*.part >all; groupby --merge all m.aa.part >got 2>&1; cat got
	groupby --exact -a $list many >want; groupby --merge all | cmp - want; awk "length > 200000" all | wc -l
	[ $(grep -c "^{\"field\":1,\"vals\"" all) -gt 10 ] &&
		[ $(grep -c "^{\"field\":0,\"set\"" all) -gt 10 ] && echo lines' <<'END'
groupby: m.aa.part:14: a part of this number is also in all; number the parts: --partial=N
0
lines
END

seq 30000 | sed 's/.*/{"x":"v&"}/' | groupby -a list:x,distinct:x --partial >vp
check 'a group has the number of its lines that precede it' 0 'grep -c "^{.field" vp; grep -o ".lines.*" vp
	groupby --merge vp vp >got 2>&1; cat got' <<'END'
8
"lines":8}
groupby: vp:11: a part of this number is also in vp; number the parts: --partial=N
END

check 'values that are nested as deep as records can be' 0 '{ printf "{\"x\":"; yes "[" | head -n 1023 | tr -d "\n"
	yes "]" | head -n 1023 | tr -d "\n"; echo "}"; } >deep; for x in first last list distinct; do
	groupby -g x -a $x:x deep >want; groupby -g x -a $x:x --partial deep | groupby --merge | cmp - want; done
	wc -c <want' <<'END'
2085
END
echo '{"kind":"gpu-busy","dur":1,"busy":3}' | groupby -a sum:busy --partial >k1
echo '{"kind":"kernel","dur":1,"busy":3}' | groupby -a sum:busy --partial >k2
check 'parts with records of different kinds: the result does not depend on the order of merging' 0 '
	groupby --merge -o table k1 k2; groupby --merge --partial k2 k1 | groupby --merge -o table
	echo "{}" | groupby --quiet -a sum:busy --partial | groupby --merge -o table k2 - k1' <<'END'
busy_sum
       6
busy_sum
       6
busy_sum
       6
END

check 'lost records are counted, and reported by --merge' 1 '{ cat a; echo "{\"dur\":1"; echo nothing; } >cut
	groupby --partial cut >cut.part; echo $?; groupby --merge --partial cut.part none cut.part >cut2.part; echo $?
	groupby --merge --lenient cut2.part; echo $?; tail -n 1 cut2.part; groupby --merge none cut2.part' <<'END'
1
1
{"kind":"groupby/event","count":6,"dur_sum":320,"dur_mean":53.333333333333336,"dur_min":30,"dur_max":90,"dur_share":1}
0
{"end":1,"groups":1,"records":6,"lost":4,"source":[0,"event"]}
{"kind":"groupby/event","count":6,"dur_sum":320,"dur_mean":53.333333333333336,"dur_min":30,"dur_max":90,"dur_share":1}
--- stderr
groupby: cut:4: not a JSON record; skipped (and 1 more)
groupby: cut.part:3: record lost when the partial result was made (and 3 more)
groupby: cut2.part:3: record lost when the partial result was made (and 3 more)
groupby: cut2.part:3: record lost when the partial result was made (and 3 more)
END
check 'an input that cannot be read: the partial result has no end' 2 'groupby --partial a missing >half
	tail -n 1 half; groupby --merge half' <<'END'
{"key":[],"count":3,"fields":[{"n":3,"sum":[0,160],"min":30,"max":90}]}
--- stderr
groupby: missing: cannot open: No such file or directory
groupby: half: the partial result has no end
END

# --- stats --fields ---

cat >c <<'END'
{"kind":"kernel","ts":500,"dur":1,"args":{"grid":[8,1],"x.y":null},"x":null}
{"kind":"api","ts":600,"name":"launch","args":{"grid":[null,"z"],"x.y":2.5,"x":{"y":"deep"}}}
{"ts":700,"name":"a name of more than 40 characters, with a \"quote\"","kind":"event","x":[[]]}
END
check 'the fields in a partial result' 0 'stats --fields --partial=4 c' <<'END'
{"partial":2,"of":"stats --fields"}
{"path":["args"],"kinds":["api","kernel"],"types":32,"count":2,"example":[4,1,{"grid":[8,1],"x.y":null}]}
{"path":["args","grid"],"kinds":["api","kernel"],"types":64,"count":2,"example":[4,1,[8,1]]}
{"path":["args","grid",[]],"kinds":["api","kernel"],"types":21,"count":4,"example":[4,1,8]}
{"path":["args","x"],"kinds":["api"],"types":32,"count":1,"example":[4,2,{"y":"deep"}]}
{"path":["args","x","y"],"kinds":["api"],"types":4,"count":1,"example":[4,2,"deep"]}
{"path":["args","x.y"],"kinds":["api","kernel"],"types":18,"count":2,"example":[4,2,2.5]}
{"path":["dur"],"kinds":["kernel"],"types":1,"count":1,"example":[4,1,1]}
{"path":["kind"],"kinds":["api","event","kernel"],"types":4,"count":3,"example":[4,1,"kernel"]}
{"path":["name"],"kinds":["api","event"],"types":4,"count":2,"example":[4,2,"launch"]}
{"path":["ts"],"kinds":["api","event","kernel"],"types":1,"count":3,"example":[4,1,500]}
{"path":["x"],"kinds":["event","kernel"],"types":80,"count":2,"example":[4,3,[[]]]}
{"path":["x",[]],"kinds":["event"],"types":64,"count":1,"example":[4,3,[]]}
{"end":1,"fields":12,"records":3,"lost":0,"parts":[4]}
END
check 'merged fields are one pass: the first example, with any order of merging' 0 '
	cat a b c | tee abc | stats --fields >want
	stats --fields --partial=1 a >f1; stats --fields --partial=2 b >f2; stats --fields --partial=3 c >f3
	stats --fields --merge f3 f1 f2 | cmp - want
	stats --fields --merge --partial f3 f2 | gzip | stats --fields --merge f1 - | cmp - want
	stats --fields --merge --partial f3 f2 f1 >f321; stats --fields --merge f321 | cmp - want
	stats --fields --partial </dev/null | stats --fields --merge -o csv - f2
	tail -n 1 f321' <<'END'
field,kinds,types,count,example
ts,kernel,integer,2,300
dur,kernel,integer,2,-7
kind,kernel,string,2,kernel
name,kernel,string,1,gemm
x,kernel,"integer,number",2,4
{"end":1,"fields":12,"records":8,"lost":0,"parts":[1,2,3]}
END
seq 200 | sed 's/.*/{"kind":"k&","f&":1}/' >kinds
check 'of many kinds, the first 63 in alphabetical order are listed' 0 '
	stats --fields kinds >want; split -l 7 kinds kinds.; n=0
	for file in kinds.??; do n=$((n + 1)); stats --fields --partial=$n $file >$file.part; done
	stats --fields --merge --partial kinds.?[a-m].part >most
	stats --fields --merge kinds.?[n-z].part most | cmp - want
	sort -r kinds | stats --fields | grep -v "\"field\":\"kind\"" >got; grep -v "\"field\":\"kind\"" want | cmp - got
	seq 200 | sed "s/.*/\"k&\"/" | sort | head -n 63 | tr -d \" | paste -sd , | sed "s/\$/,.../" >first
	ndjson2table -f kinds -o raw want | grep , | cmp - first; grep \"f99\" want' <<'END'
{"kind":"fields","field":"f99","kinds":"...","types":"integer","count":1,"example":1}
END

# --- what is refused ---

# refused NAME MESSAGE COMMAND: checks that the command exits 2 and prints only the message.
refused() {
	check "$1" 2 "$3" <<END
--- stderr
$2
END
}

groupby -g name -a count,sum:x,std:x,p50:x,first:x --partial=1 a >good
groupby -g name -a count,sum:x --partial a >other

for option in --cycle=2 --every=1s -ocsv -uus --time=x --size=x --wide -t1 -scount; do
	name=$(echo "$option" | sed 's/^\(-[a-z]\).*/\1/; s/=.*//')
	refused "--partial and $name" "groupby: --partial and $name cannot be used together" "groupby --partial $option a"
done
for option in --cycle=2 --every=1s --exact -gname -fdur -asum --subtotals=name; do
	name=$(echo "$option" | sed 's/^\(-[a-z]\).*/\1/; s/=.*//')
	refused "--merge and $name" "groupby: --merge and $name cannot be used together" "groupby --merge $option good"
done
refused '--merge and a number' 'groupby: --merge and --partial=N cannot be used together' \
	'groupby --merge --partial=0 good'
refused 'the number of a part' "groupby: --partial: '-1': expected an integer >= 0" 'groupby --partial=-1 a'
refused 'stats without -f' 'stats: --partial needs -f' 'stats --partial a'
for option in '-q 5' --hist; do
	refused "stats --partial and $option" "stats: --partial and ${option% *} cannot be used together" \
		"stats -f dur --partial $option a"
done

check 'white space at the ends of lines' 0 'groupby --merge good >want
	sed "s/\$/$(printf "\t")/" good | groupby --merge | cmp - want' </dev/null
missing='the counts are not those of the groups; lines are missing'
check 'a line longer than --max-record is reported before the refusal' 2 'groupby --max-record 1kB --merge vp' <<'END'
--- stderr
groupby: vp:2: record larger than --max-record; skipped (and 8 more)
groupby: vp:11: the counts are not those of the groups; lines are missing
END
check_re 'so is the damage of a file' 2 'gzip <vp | head -c -100 >vp.gz; groupby --merge vp.gz' <<'END'
--- stderr
groupby: vp.gz: byte [0-9]*: gzip data is cut short; only the data before the cut was read
groupby: vp.gz:11: not a line of a partial result
END
refused 'an empty file' 'groupby: empty: no partial result' ': >empty; groupby --merge good empty'
refused 'no end' 'groupby: cut: the partial result has no end' 'head -n 3 good >cut; groupby --merge good cut'
refused 'no end, in a stream' 'groupby: stdin:4: the partial result before this line has no end' \
	'cat cut good | groupby --merge'
refused 'no end: cut in a line' 'groupby: cut:3: not a line of a partial result' \
	'head -c -99 good | head -n 2 >cut; printf "{\"key\":[" >>cut; groupby --merge cut'
refused 'a line is missing' "groupby: stdin:3: $missing" \
	'sed 2d good | groupby --merge'
refused 'a line after the end' 'groupby: stdin:5: not a partial result: a line after the end' \
	'{ cat good; echo "{}" | sed "s/}/\"x\":1}/"; } | groupby --merge'
refused 'records' 'groupby: a:1: not a partial result; make it with --partial' 'groupby --merge a'
refused 'another version' 'groupby: stdin:1: a partial result of another version' \
	'sed "1s/:2/:1/" good | groupby --merge good -'
refused 'another version in the first file' 'groupby: stdin:1: a partial result of another version' \
	'sed "1s/:2/:1/" good | groupby --merge'
refused 'another program' 'groupby: s1:1: a partial result of stats, not of groupby' 'groupby --merge s1'
refused 'another question' 'groupby: other:1: the keys, fields or aggregates are not those of good' \
	'groupby --merge good other'
refused 'the same part twice' 'groupby: good:4: a part of this number is also in good; number the parts: --partial=N' \
	'groupby --merge good good'
refused 'a first line with an unknown member' 'groupby: stdin:1: the first line is not that of a partial result' \
	'sed "1s/{/{\"x\":1,/; 1s/{\"x\":1,\(.*\)}/{\1,\"x\":1}/" good | groupby --merge'
refused 'a first line with an invalid field' 'groupby: stdin:1: the keys, fields or aggregates are not valid' \
	'sed "1s/\[\"x\"\]/[\"x..y\"]/" good | groupby --merge'
refused 'a group twice' 'groupby: stdin:3: the group occurs twice' 'sed 2p good | groupby --merge'
refused 'too many keys' 'groupby: stdin:2: the keys are not those of the first line' \
	'sed "2s/\[\"gemm\"/&,1/" good | groupby --merge'
refused 'an unknown member' 'groupby: stdin:2: an unknown member, or an impossible value' \
	'sed "2s/\"vals\"/\"set\"/" good | groupby --merge'
refused 'a negative count' 'groupby: stdin:2: a count is absent or not an integer >= 0' \
	'sed "2s/\"count\":2/\"count\":-2/" good | groupby --merge'
refused 'counts that overflow' 'groupby: stdin:6: the sum of the counts of records is too large' \
	'groupby -g name --partial a >n; { cat n; sed "2s/\"count\":2/\"count\":9223372036854775807/" n; } | groupby --merge'
refused 'counts of several groups that overflow' 'groupby: stdin:3: the sum of the counts of records is too large' \
	'sed "3s/\"count\":1/\"count\":9223372036854775806/" n | groupby --merge'
refused 'counts of values that overflow' 'groupby: stdin:3: the sum of the counts of values is too large' \
	'echo "{\"name\":[1,2],\"x\":[3]}" | groupby -g name[] -a sum:x[] --partial >each
	sed "2s/\"n\":1,\"sum\":.0,3./\"n\":9223372036854775807,\"sum\":[0,4294967293,2147483647,1]/" each | groupby --merge'
refused 'a lost line of a long state' "groupby: stdin:9: $missing" 'sed 2d vp | groupby --merge'
refused 'a repeated line of a long state' "groupby: stdin:11: $missing" 'sed 2p vp | groupby --merge'
refused 'a line of a long state after the last group' "groupby: stdin:5: $missing" \
	'{ sed "\$d" good; sed -n 2p vp | sed "s/\"list\".*/\"n\":0}/"; tail -n 1 good; } | groupby --merge'
refused 'a list with a part without a value' 'groupby: stdin:2: an unknown member, or an impossible value' \
	'groupby -a list:x --partial a | sed "s/\[0,0.5\]/[ 0 ]/" | groupby --merge'
check 'a list with white space' 0 'groupby -a list:x --partial a | sed "s/\[0,0.5\],\[0,/[ 0 , 0.5 ] , [ 0 , /" |
	groupby --merge' <<'END'
{"kind":"groupby/event","x_list":[0.5,"text"]}
END
groupby -g kind,name,ts --subtotals kind,name -a count --partial a >levels
for line in 4 6 7; do
	refused "the subtotal in line $line" 'groupby: stdin:7: the subtotal of a group is missing' \
		"sed '${line}d; s/\"groups\":6/\"groups\":5/' levels | groupby --merge"
done
refused 'a subtotal that only another part has' 'groupby: stdin:15: the subtotal of a group is missing' \
	'{ cat levels; sed "4d; s/\"groups\":6/\"groups\":5/" levels; } | groupby --merge'
for change in 's/"n":1/"n":2/' 's/\[-1,2147483648\]/[99999,1]/' 's/\[-1,2147483648\]/[-35,1]/' \
	's/\[-1,2147483648\]/[34,1]/' 's/\[-1,2147483648\]/[-1,4294967296]/' 's/\[-1,2147483648\]/[-1,0.5]/' \
	's/\[-1,2147483648\]/[0,1]/' 's/\[-1,2147483648\]/[-1,-2147483648]/' 's/\[-1,2147483648\]/{}/' \
	's/"sq":\[-1,1073741824\]/"sq":[-1,1073741823]/' 's/"doubles":1/"doubles":2/' 's/"min":0.5/"min":1/' \
	's/"min":0.5/"min":"0.5"/' 's/"max":0.5/"max":1e999/' 's/"n":1,"doubles":1,//' \
	's/\[\[0.5,1\]\]/[[0.5,2]]/' 's/\[\[0.5,1\]\]/[[0.5,9223372036854775807]]/' 's/\[\[0.5,1\]\]/[[0.25,1]]/' \
	's/\[\[0.5,1\]\]/[[0.5,0]]/' 's/\[\[0.5,1\]\]/[["0.5",1]]/' 's/,"vals":\[\[0.5,1\]\]//' \
	's/"vals":/"frac":false,&/' 's/"last":\[1,2/"last":[1,0/' 's/"first":\[1,1,0.5\],//'; do
	sed "2$change" good >bad
	cmp -s good bad && echo "no change: $change" | fail 'the test changes the file'
	check "contradiction: $change" 2 'groupby --merge bad 2>&1 |
		sed "s/.*contradict each other/refused/; s/.*impossible value/refused/"
		groupby --quiet --merge bad 2>/dev/null' <<'END'
refused
END
done

refused 'fields: the same part twice' \
	'stats: f1:7: a part of this number is also in f1; number the parts: --partial=N' 'stats --fields --merge f1 f1'
refused 'fields: another question' 'stats: s1:1: a partial result of stats, not of stats --fields' \
	'stats --fields --merge f1 s1'
refused 'fields without --fields' 'stats: f1:1: a partial result of stats --fields, not of stats' 'stats --merge f1'
refused 'fields: no end' 'stats: stdin: the partial result has no end' 'head -n 3 f1 | stats --fields --merge'
refused 'fields: a line is missing' 'stats: stdin:13: the counts are not those of the fields; lines are missing' \
	'sed 10d f3 | stats --fields --merge'
refused 'fields: a field twice' 'stats: stdin:3: the field occurs twice' 'sed 2p f3 | stats --fields --merge'
refused 'fields: sums that overflow' 'stats: stdin:16: the sum of the counts of values is too large' \
	'{ cat f3; sed "s/\"count\":2/\"count\":9223372036854775807/; s/\[3,/[4,/" f3; } | stats --fields --merge'
# impossible MESSAGE CHANGE...: the message, and changes by sed of the partial result f3 that cause it
impossible() {
	message=$1
	shift
	for change; do
		sed "$change" f3 >bad
		cmp -s f3 bad && echo "no change: $change" | fail 'the test changes the file'
		check_re "fields: $change" 2 'stats --fields --merge bad' <<END
--- stderr
stats: bad:[0-9]*: $message
END
	done
}
impossible 'the types are absent or impossible' '2s/"types"/"type"/' '2s/:32/:0/' '2s/:32/:128/' '2s/:32/:-32/' \
	'2s/:32/:0.5/'
impossible 'an absent member, or an impossible value' \
	'2s/\["api","kernel"\]/["kernel","api"]/' '2s/"api","kernel"/"api","api"/' '2s/"kinds"/"kind"/' \
	"2s/\"api\"/$(seq 10 73 | sed 's/.*/"&"/' | paste -sd ,)/" '2s/"count"/"more":false,&/' \
	'2s/,"example":.*]/}/; 2s/}}$/}/' '2s/\[3,1,/[3,/' '2s/{"grid":[^}]*}/null/' '2s/{"grid":.*}]/1]/' \
	"7s/2.5/\"$(printf '%0300d' 0)\"/" '8s/"types":1/"types":16/'
impossible 'a count is absent or not an integer >= 1' '2s/"count":2/"count":0/' '2s/"count":2/"count":2.5/' \
	'2s/"count":2,//'
impossible 'the path is not valid, or the field that contains it is missing' '2s/\["args"\]/[]/' \
	'2s/\["args"\]/"args"/' '2s/"args"/1/' '2s/"args"/[]/' 2d '4s/"grid"/"other"/' '4s/\[\]/"key"/' '5s/"x"/[]/' \
	"2s/\"args\"/$(yes '"a"' | head -n 40 | paste -sd ,)/"
impossible 'a field has more kinds than there are' '2s/"count"/"more":true,&/'
impossible 'not a line of a partial result' '2s/"path"/"field"/' '2s/^/[/; 2s/$/]/' '2s/}$//'
impossible 'the numbers of the parts are absent' '14s/,"parts".*/}/'

if have python3; then
	splits=$(amount 12 60 156)
	check 'random records, questions, parts and orders of merging: the bytes are those of one pass' 0 \
		"merged_parts.py 1 $splits" <<END
$splits splits
END
fi
finish
