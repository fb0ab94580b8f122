#!/bin/sh
# derive.t: places of new members, expressions, values, errors, --prev and --cumulate. The last tests compare random
# expressions on random records with an independent evaluation in python3.
. "${0%/*}/../lib.sh"

cat >a.ndjson <<'E'
{"ts":100,"dur":40,"kind":"kernel","name":"void gemm<float>(int)","stream":7,"api":{"ts":90,"dur":6},"delay":10,"args":{"n":7,"ok":true,"est. occupancy %":31}}
{"ts":160,"kind":"memcpy","name":"Memcpy","bytes":1048576,"ranges":["a","b"],"src":{"ph":"i"}}
{"kind":"meta","name":"x"}
EOF
E
sed -i '/^EOF$/d' a.ndjson

# values: for each line EXPR => VALUE, prints EXPR and the value that derive computes for the record in `one`.
cat >values <<'E'
while IFS= read -r line; do
	value=$(derive --quiet "x=${line% => *}" one 2>said | sed '/"x":/!s/.*/absent/; s/.*,"x"://; s/,"args":.*//')
	[ ! -s said ] || value=$(sed 's/^derive: one:1: x: //; s/; record written unchanged$//' said)
	printf '%s => %s\n' "${line% => *}" "$value"
done
E
cat >one <<'E'
{"ts":100,"dur":40,"kind":"op","name":"n","t":"7","s":"a\"\u00e9","f":2.50,"yes":true,"no":false,"z":null,"big":170141183460469231731687303715884105727,"huge":1e400,"wide":-1000000000000000000000000000000000000000000000,"tw":"777777777777777777777777777777777777777777","te":"1e400","l":["a\"\u00e9",[2, 3],true,null,1.50],"deep":[[], [[2, 3], [ ]],[4 ] , []],"none":[],"o":{"a":[1,2,3],"b c":4,"d.e":5},"est. x %":6,"args":{"n":9,"big":1}}
E

cat >members.py <<'E'
import json, sys
names, keep = sys.argv[1].split(","), sys.argv[2] == "keep"
for got, line in zip(sys.stdin, open("trace"), strict=True):
    want = {name: value for name, value in json.loads(line).items() if (name in names) == keep}
    sys.exit(1) if list(json.loads(got).items()) != list(want.items()) else None
E

# --- places

check 'without assignments, writes all records unchanged' 0 'derive a.ndjson | cmp - a.ndjson' <<'E'
E
check 'adds a new member before args, before src, or at the end' 0 'derive x=1 a.ndjson' <<'E'
{"ts":100,"dur":40,"kind":"kernel","name":"void gemm<float>(int)","stream":7,"api":{"ts":90,"dur":6},"delay":10,"x":1,"args":{"n":7,"ok":true,"est. occupancy %":31}}
{"ts":160,"kind":"memcpy","name":"Memcpy","bytes":1048576,"ranges":["a","b"],"x":1,"src":{"ph":"i"}}
{"kind":"meta","name":"x","x":1}
E
check 'replaces an existing member in its place' 0 'derive delay=delay+1 "ranges=len(ranges)" a.ndjson | sed 2q' <<'E'
{"ts":100,"dur":40,"kind":"kernel","name":"void gemm<float>(int)","stream":7,"api":{"ts":90,"dur":6},"delay":11,"args":{"n":7,"ok":true,"est. occupancy %":31}}
{"ts":160,"kind":"memcpy","name":"Memcpy","bytes":1048576,"ranges":2,"src":{"ph":"i"}}
E
check 'adds standard members at their places in canonical order' 0 \
	"derive dev=1 'ts=default(ts,0)+1' dur=5 rank=3 \"cat='c'\" err=0 a.ndjson | sed 1d" <<'E'
{"ts":161,"dur":5,"kind":"memcpy","name":"Memcpy","cat":"c","rank":3,"dev":1,"bytes":1048576,"err":0,"ranges":["a","b"],"src":{"ph":"i"}}
{"ts":1,"dur":5,"kind":"meta","name":"x","cat":"c","rank":3,"dev":1,"err":0}
E
check 'removes the member if its value is absent' 0 \
	'derive ts=nosuch delay=nosuch src=nosuch name=nosuch a.ndjson 2>/dev/null' <<'E'
{"dur":40,"kind":"kernel","stream":7,"api":{"ts":90,"dur":6},"args":{"n":7,"ok":true,"est. occupancy %":31}}
{"kind":"memcpy","bytes":1048576,"ranges":["a","b"]}
{"kind":"meta"}
E
check 'can remove all members' 0 \
	"echo '{ \"a\" : 1 }' | derive a=nosuch 2>/dev/null
	echo '{}' | derive x=1 a=nosuch 2>/dev/null" <<'E'
{}
{"x":1}
E
cat >foreign.ndjson <<'E'
 { "args" : {"n":1} , "b" : [ 1, 2 ] , "ts" : 5 , "name":"n" } 
{"a":1,"a":2,"name":"n","ts":1,"a":3}
E
check 'keeps the white space and order of records of other programs' 0 \
	"derive x=ts b=3 ts=ts+1 foreign.ndjson | sed 1q; derive 'cat=str(ts)' err=1 foreign.ndjson | sed 1q" <<'E'
{ "x":5,"args" : {"n":1} , "b" : 3 , "ts" : 6 , "name":"n" }
{ "cat":"5","err":1,"args" : {"n":1} , "b" : [ 1, 2 ] , "ts" : 5 , "name":"n" }
E
check 'writes a repeated member only once' 0 \
	'derive a=7 foreign.ndjson | sed 1d; derive a=nosuch foreign.ndjson 2>/dev/null | sed 1d' <<'E'
{"name":"n","ts":1,"a":7}
{"name":"n","ts":1}
E
check 'accepts a NAME in double quotes' 0 \
	"derive '\"GB/s\"=1' ' \"a\\\"b\" = 2' 'é=3' '\"x=y\"=4' 'sum=\"GB/s\"+\"a\\\"b\"+é' a.ndjson | sed 1,2d" <<'E'
{"kind":"meta","name":"x","GB/s":1,"a\"b":2,"é":3,"x=y":4,"sum":6}
E
check 'finds a member whose name is escaped differently' 0 \
	"echo '{\"a\\u0022b\":1}' | derive '\"a\\\"b\"=\"a\\\"b\"+1'" <<'E'
{"a\"b":2}
E

# --- --keep, --drop

check '--keep writes the named and the assigned members, in their places' 0 \
	"derive --keep kind,src,delay x=dur/2 dev=1 a.ndjson" <<'E'
{"kind":"kernel","dev":1,"delay":10,"x":20}
{"kind":"memcpy","dev":1,"src":{"ph":"i"}}
{"kind":"meta","dev":1}
E
check '--drop leaves out members, which expressions can use' 0 \
	"derive --drop args,api,t,ts,ranges t=ts+1 y=t*2 a.ndjson" <<'E'
{"dur":40,"kind":"kernel","name":"void gemm<float>(int)","stream":7,"delay":10,"y":202}
{"kind":"memcpy","name":"Memcpy","bytes":1048576,"y":322,"src":{"ph":"i"}}
{"kind":"meta","name":"x"}
E
check '--keep and --drop: quoted names, both, only records of -w, spaces, members that occur twice' 0 '
	echo "{ \"a.b\" : 1 , \"c\":2, \"c\":3,\"d\":4 }" >odd
	derive --keep "\"a.b\",c" odd; derive --drop "\"a.b\",d" odd; derive --keep c,d --drop d odd; derive --drop a.b odd
	derive --keep kind -w bytes a.ndjson | cut -c 1-40; derive --drop "\"a.b\",c,d" odd' <<'E'
{"a.b" : 1,"c":3}
{"c":2,"c":3}
{"c":3}
{"ts":100,"dur":40,"kind":"kernel","name
{"kind":"memcpy"}
{"kind":"meta","name":"x"}
{}
--- stderr
derive: --drop: 'a.b': a NAME consists of letters, digits and _, and does not begin with a digit; put other names in double quotes
E
check '--keep, --drop: a member that no record has, a wrong name' 2 '
	derive --keep nmae,kind --drop none a.ndjson; derive --keep new new=1 a.ndjson | tail -n 1
	derive --keep kind,, a.ndjson' <<'E'
{"kind":"kernel"}
{"kind":"memcpy"}
{"kind":"meta"}
{"new":1}
--- stderr
derive: no record has the member 'nmae'
derive: no record has the member 'none'
derive: --keep: '': expected a NAME before '='
E
have python3 && check '--keep and --drop equal removing members from objects' 0 '
	trace2ndjson "$DATA/train.pt.trace.json" | ts-sort | corr-join --sorted >trace
	for names in ts name,args api,kind,nosuch delay,queue,src,corr; do
		for option in keep drop; do
			derive --quiet --$option $names trace | python3 members.py $names $option || echo "$option $names"; done; done' <<'E'
E

# --- order of evaluation

check 'assignments can use earlier assignments' 0 "derive a=2 b=a+1 a=b*10 a=a+1 c=a a.ndjson | sed 1,2d" <<'E'
{"kind":"meta","name":"x","a":31,"b":3,"c":31}
E
check 'reads members of an assigned object' 0 \
	"derive c=api d=c.ts e=c.nosuch f='c.\"dur\"' 'g=delay.x' a.ndjson 2>/dev/null | sed 1q" <<'E'
{"ts":100,"dur":40,"kind":"kernel","name":"void gemm<float>(int)","stream":7,"api":{"ts":90,"dur":6},"delay":10,"c":{"ts":90,"dur":6},"d":90,"f":6,"args":{"n":7,"ok":true,"est. occupancy %":31}}
E
check 'computes end and short from assigned members' 0 \
	"derive a=end s=short ts=1000 b=end dur=dur/2 c=end \"name='a<b>::c(int)'\" t=short a.ndjson | sed 1q" <<'E'
{"ts":1000,"dur":20,"kind":"kernel","name":"a<b>::c(int)","stream":7,"api":{"ts":90,"dur":6},"delay":10,"a":140,"s":"gemm","b":1040,"c":1020,"t":"a::c","args":{"n":7,"ok":true,"est. occupancy %":31}}
E

# --- operands

check 'files are operands with a slash before =, and all operands after the first file' 0 \
	'cp a.ndjson y=1; cp a.ndjson z=2; derive x=1 ./y=1 z=2 | wc -l; derive -- x=1 y=2 ./z=2 | sed 1,2d' <<'E'
6
{"kind":"meta","name":"x","x":1,"y":2}
E
check 'reads standard input with - and without a file' 0 \
	'derive x=1 <a.ndjson | wc -l; derive x=1 - <a.ndjson | wc -l' <<'E'
3
3
E

# --- expressions

# table NAME <<'E': checks lines EXPR => VALUE.
table() {
	cat >table
	check "$1" 0 'sh ./values <table | diff table -' </dev/null
}

table 'integers' <<'E'
1+2*3 => 7
(1+2)*3 => 9
7-2-1 => 4
100//7//2 => 7
-7//2 => -3
-7%2 => -1
7%-2 => 1
7//-2 => -3
- -5 => 5
2--3 => 5
-2*-3 => 6
12%5*2 => 4
1<2 => 1
2<1 => 0
1+1==2 => 1
1<2==1 => 1
3>2>1 => 0
5!=5 => 0
2<=2 => 1
2>=3 => 0
 dur * 2 => 80
9223372036854775807+1 => 9223372036854775808
9223372036854775807*9223372036854775807 => 85070591730234615847396907784232501249
big => 170141183460469231731687303715884105727
big-1 => 170141183460469231731687303715884105726
-big-1 => -170141183460469231731687303715884105728
(-big-1)//1 => -170141183460469231731687303715884105728
(-big-1)%-1 => 0
big//10 => 17014118346046923173168730371588410572
big+1 => 1.7014118346046923e38
-big-2 => -1.7014118346046923e38
-(-big-1) => 1.7014118346046923e38
(-big-1)//-1 => 1.7014118346046923e38
abs(-big-1) => 1.7014118346046923e38
big*2 => 3.402823669209385e38
big*big => 2.894802230932905e76
13043817825332782212*13043817825332782212 => 170141183460469231722567801800623612944
13043817825332782213*13043817825332782213 => 1.7014118346046923e38
big%1000 => 727
big==big-1 => 0
big>big-1 => 1
E
printf '%s\n' '{"s":"{\"\\u0061\":{\"x\\u0022\\/\":\"\\u0062\"}}","t":"[{\"\\u0061\":7}]"}' >escaped
check 'json(): members whose keys have escapes are found' 0 \
	"derive 'j=json(s)' 'v=j.a.\"x\\\"/\"' 't=item(json(t),0)' 'w=t.a' escaped" <<'E'
{"s":"{\"\\u0061\":{\"x\\u0022\\/\":\"\\u0062\"}}","t":{"a":7},"j":{"a":{"x\"/":"\u0062"}},"v":"\u0062","w":7}
E

table 'doubles and quotients' <<'E'
1/2 => 0.5
6/3 => 2
-6/4 => -1.5
1/3 => 0.3333333333333333
2/3 => 0.6666666666666666
1e300*1e5/1e303 => 100.00000000000001
9007199254740993/1 => 9007199254740993
9007199254740993/2 => 4503599627370496
9007199254740993*3/2 => 13510798882111490
1661203462620436000/1000 => 1661203462620436
big/3 => 5.671372782015641e37
1/big => 5.877471754111438e-39
f => 2.50
f+0 => 2.5
f*2 => 5
f//1 => 2
-f//1 => -2
f%1 => 0.5
-f%2 => -0.5
0.1+0.2 => 0.30000000000000004
f==2.5 => 1
f>2 => 1
9007199254740993==9007199254740992.5 => 0
9007199254740993>9007199254740992.5 => 1
big>1.7e38 => 1
big<1.8e38 => 1
1e308*10 => a number is too large for a double
huge => 1e400
huge+1 => a number is too large for a double
5.0 => 5
1e3 => 1000
E
table 'numbers beyond 128 bits are doubles, and results computed from a double too' <<'E'
wide => -1000000000000000000000000000000000000000000000
wide+0 => -1e45
wide+1 => -1e45
wide/3 => -3.3333333333333332e44
wide*big => -1.7014118346046922e83
wide//big => -5877471
wide%big => -1.2830541237386202e38
wide==-1e45 => 1
wide<-big => 1
min(wide,0) => -1e45
abs(wide) => 1e45
num(str(wide)) => -1e45
num(tw) => 7.777777777777777e41
num(tw)+1 => 7.777777777777777e41
tw==0 => 0
tw>big => 1
tw==777777777777777777777777777777777777777777 => 1
num('-170141183460469231731687303715884105728') => -170141183460469231731687303715884105728
170141183460469231731687303715884105728 => 1.7014118346046923e38
-170141183460469231731687303715884105728 => -170141183460469231731687303715884105728
- 170141183460469231731687303715884105728+1 => -170141183460469231731687303715884105727
-170141183460469231731687303715884105729 => -1.7014118346046923e38
--170141183460469231731687303715884105728 => 1.7014118346046923e38
1-170141183460469231731687303715884105728 => -1.7014118346046923e38
-5us-2 => -5002
1e20//3+170141183460469231731687303715884105727 => 1.7014118346046923e38
floor(1e20)+big => 1.7014118346046923e38
round(1e20)+big => 1.7014118346046923e38
floor(1e20) => 1e20
item(o.a,floor(f)) => 3
repeat('ab',5//2.0) => "abab"
pad(name,round(f)) => "  n"
fixed(f,floor(1.5)) => 2.5
sum(json('[1e308, 1e308, -1e308]')) => 1e308
sum(json('[1e308, 1e308]')) => a number is too large for a double
sum(json('[170141183460469231731687303715884105727, 2, -3]')) => 170141183460469231731687303715884105726
sum(json('[0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1]')) => 1
E
table 'results are rounded once' <<'E'
9007199254740993+0.5 => 9007199254740994
9007199254740993-0.5 => 9007199254740992
9007199254740993*1.5 => 13510798882111490
9007199254740993/1.5 => 6004799503160662
1//0.1 => 9
1%0.1 => 0.09999999999999995
big//0.3 => 5.671372782015641e38
big%0.3 => 0.22222222223084553
9007199254740993.0000000000000000000000001+0 => 9007199254740994
E
table 'numbers that are too large for a double' <<'E'
huge => 1e400
str(huge) => "1e400"
default(huge,1) => 1e400
huge==1 => a number is too large for a double
huge!='a' => a number is too large for a double
if(huge,1,2) => a number is too large for a double
num(huge) => a number is too large for a double
num(te) => a number is too large for a double
num('-1e309') => a number is too large for a double
te==1 => a number is too large for a double
te!=1 => a number is too large for a double
te=='1e400' => 1
sum(json('[1e400]')) => a number is too large for a double
1e308+1e308 => a number is too large for a double
1e308//1e-300 => a number is too large for a double
o==huge => comparison of a value that is neither a number nor a text
E
table 'division by zero' <<'E'
1/0 => division by zero
1//0 => division by zero
1%0 => division by zero
f/0 => division by zero
f//0.0 => division by zero
f%0 => division by zero
1/(f-f) => division by zero
0/5 => 0
if(no,1/no) => absent
if(yes,1,1/0) => 1
default(1,1/0) => 1
E
table 'units' <<'E'
10us => 10000
1.5ms => 1500000
2s//1ms => 2000
1MiB => 1048576
1kB+1B => 1001
dur>1us => 0
E
table 'functions' <<'E'
min(3,dur,2) => 2
max(3,dur,2) => 40
max(2.5,2) => 2.5
min(f,3) => 2.5
max(yes,0) => 1
abs(-5) => 5
abs(-f) => 2.5
abs(5) => 5
round(f) => 3
round(-f) => -3
round(2.4) => 2
round(7) => 7
floor(f) => 2
floor(-f) => -3
floor(1e300) => 1e300
if(dur>30,'long','short') => "long"
if(0,1,2) => 2
if(0.0,1,2) => 2
if(0.1,1,2) => 1
if(0,1) => absent
if(nosuch,1,2) => absent
if(1,nosuch,2) => absent
if(1,if(0,1,2),3) => 2
default(nosuch,5) => 5
default(nosuch,z,dur) => 40
default(dur,5) => 40
default(nosuch,nosuch) => absent
default(1/0,5) => division by zero
len('aé𝄞') => 3
len(s) => 3
len(o) => 3
len(o.a) => 3
len('') => 0
join(o.a,'') => "123"
join(l,', ') => "a\"é, [2, 3], true, null, 1.50"
join(l,s) => "a\"éa\"é[2, 3]a\"étruea\"énulla\"é1.50"
join(none,'') => ""
join(nosuch,'') => absent
join(o,'x') => item(), join() and sum() need an array
join(l,1) => "a\"é1[2, 3]1true1null11.50"
repeat('ab',3) => "ababab"
repeat(s,2) => "a\"éa\"é"
repeat('ab',0) => ""
repeat('ab',-5) => ""
repeat('',big) => expected an integer that fits in 64 bits as the second argument
repeat('ab',big) => expected an integer that fits in 64 bits as the second argument
repeat('ab',1.5) => expected an integer that fits in 64 bits as the second argument
repeat(5,2) => "55"
repeat(nosuch,2) => absent
sub('a::b::c','^(.*::)?(.*)::(.*)$','\\2.\\3') => "b.c"
sub('a::b','^(.*::)?(.*)::(.*)$','\\2.\\3[\\1]') => "a.b[]"
sub('a','^(.*::)?(.*)::(.*)$','\\2.\\3') => "a"
sub(sub('xy','x','1'),'y','2') => "12"
capture(sub('xy','x','1'),'(1y)') => "1y"
sub('aXbXc','X+','<\\0\\\\>') => "a<X\\>bXc"
sub(s,'[^"]+$','') => "a\""
sub(s,'a',s) => "a\"é\"é"
sub(dur,'a','b') => "40"
sub('a','a',1) => "1"
sub(nosuch,'a','b') => absent
compact(o.a) => [1,2,3]
compact(l) => ["a\"\u00e9",[2,3],true,null,1.50]
compact(deep) => [[[2,3]],[4]]
compact(none) => []
compact(s) => "a\"\u00e9"
compact(nosuch) => absent
len(compact(deep)) => 2
json('[8, 24]') => [8, 24]
item(json(' [8, "x"] '),1) => "x"
json('7')+1 => 8
json('"a\\n"') => "a\n"
json('[0, 1, ..., 63]') => absent
json('') => absent
json('null') => absent
json(o.a) => [1,2,3]
json(dur) => 40
json(nosuch) => absent
sum(json('[8, 24]')) => 32
sum(json('[1.5, 2, null, true]')) => 4.5
sum(json('[]')) => 0
sum(json('["a"]')) => arithmetic with a value that is not a number
sum('8') => item(), join() and sum() need an array
sum(json('[170141183460469231731687303715884105727, 1]')) => 1.7014118346046923e38
sum(nosuch) => absent
len(dur) => len() needs a text, an array or an object
len(nosuch) => absent
str(dur) => "40"
str(f) => "2.50"
str(f*2) => "5"
str(1/3) => "0.3333333333333333"
str(yes) => "true"
str(s) => "a\"\u00e9"
str(o.a) => "[1,2,3]"
num(t) => 7
num(t)+1 => 8
num('1.5e1') => 15
num(s) => absent
num('') => absent
num(' 7') => absent
num(dur) => 40
num(yes) => 1
num(o) => arithmetic with a value that is not a number
E
table 'text functions' <<'E'
capture('cudaLaunch_v7000','^(.*)_v[0-9]+$') => "cudaLaunch"
capture(s,'(\\").') => "\""
capture(name,'(x)') => absent
capture(ts,'(0*)$') => "00"
capture(nosuch,'(x)') => absent
capture('xa\u0000b','(a.b)') => "a\u0000b"
sub('a\u0000b','^.*$','c') => "c"
pad(ts,5) => "  100"
pad(s,6) => "   a\"é"
pad(name,-3) => "n"
pad(1,1.5) => expected an integer that fits in 64 bits as the second argument
repeat('ab',3) => "ababab"
repeat('ab',-1) => ""
len(repeat('ab',33554432)) => 67108864
repeat('ab',33554433) => a text is longer than 64 MiB
E
if can_measure; then
	cat >sub <<'E'
x=sub(repeat(name,1000000),'.*',repeat('\\0',1000))
E
	check 'a text that sub() makes takes little more memory than the longest text' 0 \
		'"$BUILD/bench/measure" result derive "$(cat sub)" one >/dev/null
		[ "$(sed "s/.*\"rss\": *//; s/[^0-9].*//" result)" -lt 300000 ]' <<'E'
--- stderr
derive: one:1: x: a text is longer than 64 MiB; record written unchanged
E
fi

table 'fixed' <<'E'
fixed(ts,1) => 100.0
fixed(f,0) => 3
fixed(-f,0) => -3
fixed(1/3,3) => 0.333
fixed(1.45,1) => 1.5
fixed(0.04,1) => 0.0
fixed(yes,2) => 1.00
fixed(f,2)+1 => 3.5
fixed(name,1) => arithmetic with a value that is not a number
fixed(1,16) => fixed() needs 0 to 15 decimals and a result of at most 46 digits
fixed(1,-1) => fixed() needs 0 to 15 decimals and a result of at most 46 digits
fixed(1e200,1) => fixed() needs 0 to 15 decimals and a result of at most 46 digits
fixed(big,7) => 170141183460469231731687303715884105727.0000000
fixed(big,8) => fixed() needs 0 to 15 decimals and a result of at most 46 digits
fixed(wide,0) => -1000000000000000000000000000000000000000000000
fixed(wide,1) => fixed() needs 0 to 15 decimals and a result of at most 46 digits
fixed(json('0.10000000000000000000000000000000000000000000000000001'),2) => 0.10
E

table 'elements of arrays' <<'E'
item(o.a,0) => 1
item(o.a,-1) => 3
item(o.a,3) => absent
item(o.a,-4) => absent
item(o,0) => item(), join() and sum() need an array
item(o.a,'0') => expected an integer that fits in 64 bits as the second argument
join(o.a,', ') => "1, 2, 3"
join(name,'') => item(), join() and sum() need an array
E
check 'item() and join() take elements of all types' 0 \
	"echo '{\"a\":[\"x\\\"\",null,{\"b\":[1]},[]],\"e\":[]}' |
	derive \"t=join(a,'|')\" \"n=default(item(a,1),'null')\" 'o=item(a,2)' \"j=join(e,',')\" |
	sed 's/.*\"e\":\[\],//'" <<'E'
"t":"x\"|null|{\"b\":[1]}|[]","n":"null","o":{"b":[1]},"j":""}
E

table 'texts, booleans, other values' <<'E'
'a' => "a"
'' => ""
'it\'s' => "it's"
'a"b' => "a\"b"
'\u00e9\n\\' => "é\n\\"
kind=='op' => 1
kind=='opx' => 0
kind!='op' => 0
s=='a"é' => 1
'a'<'b' => 1
'ab'>'b' => 0
'B'<'a' => 1
'10'<'9' => 1
t==7 => 1
7==t => 1
t<10 => 1
t=='7' => 1
t==7.0 => 1
s==7 => 0
s!=7 => 1
s<7 => 0
s>7 => 0
7>=s => 0
kind+'-'+str(dur) => "op-40"
s+'x' => "a\"éx"
t+1 => arithmetic with a value that is not a number
-t => arithmetic with a value that is not a number
t*t => arithmetic with a value that is not a number
if(t,1,2) => arithmetic with a value that is not a number
yes => true
yes+1 => 2
no+0 => 0
yes==1 => 1
yes=='true' => 1
yes>no => 1
yes=='yes' => 0
if(yes,'y','n') => "y"
o => {"a":[1,2,3],"b c":4,"d.e":5}
o+1 => arithmetic with a value that is not a number
o==1 => comparison of a value that is neither a number nor a text
o=='x' => comparison of a value that is neither a number nor a text
nosuch+1 => absent
nosuch==1 => absent
nosuch!='a' => absent
-nosuch => absent
z+1 => absent
E
table 'fields' <<'E'
end => 140
short => "n"
args.n => 9
n => 9
args.big => 1
"est. x %" => 6
"est. x %"*2 => 12
o."b c" => 4
o."d.e"+o."b c" => 9
"o"."d.e" => 5
"dur"+1 => 41
o.a => [1,2,3]
len(o.a)*2 => 6
if => absent
E

# --- errors

cat >wrong <<'E'
x=
x=1+
x=(1
x=1)
x=1 2
x=1=2
x==1
x=1*/2
x=a b
x=dur.
x=ranges[]
x=ranges[0]
x="a
x=a."b
x="a"b
x=""
x="\q"
x='a
x='\q'
x=10xs
x=1.5.2
x=007
x=99999999999s
x=1e999
x=-1e999
x=foo(1)
x=abs(1,2)
x=abs()
x=min(1)
x=capture(a,b)
x=capture(a,if(1,'(b)'))
x=capture(a,'b')
x=capture(a,'(b')
x=join(o)
x=sub('a')
x=sub('a',s,'b')
x=sub('a','(','b')
x=sub('a','b')
x=default(1)
x=if(1)
x=if(1,2,3,4)
x=!dur
x=a&&b
x=#
=1
1x=1
a.b=1
"a=1
""=1
"a"b=1
E
check 'rejects invalid assignments and prints the byte' 2 \
	'while IFS= read -r line; do derive "$line" a.ndjson; done <wrong' <<'E'
--- stderr
derive: 'x=': invalid assignment at byte 3: expected a field, a number, a text in single quotes or '('
derive: 'x=1+': invalid assignment at byte 5: expected a field, a number, a text in single quotes or '('
derive: 'x=(1': invalid assignment at byte 5: expected an operator or ')'
derive: 'x=1)': invalid assignment at byte 4: expected an operator (+ - * / // % == != < <= > >=)
derive: 'x=1 2': invalid assignment at byte 5: expected an operator (+ - * / // % == != < <= > >=)
derive: 'x=1=2': invalid assignment at byte 4: '=' is not an operator; use == to compare
derive: 'x==1': invalid assignment at byte 3: expected a field, a number, a text in single quotes or '('
derive: 'x=1*/2': invalid assignment at byte 5: expected a field, a number, a text in single quotes or '('
derive: 'x=a b': invalid assignment at byte 5: expected an operator (+ - * / // % == != < <= > >=)
derive: 'x=dur.': invalid assignment at byte 7: expected a name after '.'
derive: 'x=ranges[]': invalid assignment at byte 9: expected a field without []; use len(FIELD) for the number of elements of an array
derive: 'x=ranges[0]': invalid assignment at byte 9: expected a field without []; use len(FIELD) for the number of elements of an array
derive: 'x="a': invalid assignment at byte 3: the closing quote is missing
derive: 'x=a."b': invalid assignment at byte 5: the closing quote is missing
derive: 'x="a"b': invalid assignment at byte 6: expected an operator (+ - * / // % == != < <= > >=)
derive: 'x=""': invalid assignment at byte 3: the name is empty
derive: 'x="\q"': invalid assignment at byte 3: a quoted name must be a JSON string; write \" for " and \\ for \
derive: 'x='a': invalid assignment at byte 3: the closing quote is missing
derive: 'x='\q'': invalid assignment at byte 3: invalid text in quotes: the escapes are those of JSON and \', and control characters must be escaped
derive: 'x=10xs': invalid assignment at byte 3: invalid number (units: ns us ms s B kB MB GB KiB MiB GiB)
derive: 'x=1.5.2': invalid assignment at byte 6: expected an operator (+ - * / // % == != < <= > >=)
derive: 'x=007': invalid assignment at byte 3: invalid number (units: ns us ms s B kB MB GB KiB MiB GiB)
derive: 'x=99999999999s': invalid assignment at byte 3: a number with a unit must fit in 64 bits
derive: 'x=1e999': invalid assignment at byte 3: the number is too large for a double
derive: 'x=-1e999': invalid assignment at byte 4: the number is too large for a double
derive: 'x=foo(1)': invalid assignment at byte 3: unknown function; the functions are abs capture compact default fixed floor if item join json kernel_class kernel_matrix kernel_op kernel_rule len max min num pad repeat round str sub sum
derive: 'x=abs(1,2)': invalid assignment at byte 8: expected an operator or ')'
derive: 'x=abs()': invalid assignment at byte 7: expected a field, a number, a text in single quotes or '('
derive: 'x=min(1)': invalid assignment at byte 8: expected ',' and a second argument
derive: 'x=capture(a,b)': invalid assignment at byte 13: expected a regular expression in single quotes
derive: 'x=capture(a,if(1,'(b)'))': invalid assignment at byte 13: expected a regular expression in single quotes
derive: 'x=capture(a,'b')': invalid assignment at byte 13: expected a regular expression with exactly one (group)
derive: 'x=capture(a,'(b')': invalid assignment at byte 13: unmatched ( or \(
derive: 'x=join(o)': invalid assignment at byte 9: expected ',' and a second argument
derive: 'x=sub('a')': invalid assignment at byte 10: expected ',' and a regular expression in single quotes
derive: 'x=sub('a',s,'b')': invalid assignment at byte 11: expected a regular expression in single quotes
derive: 'x=sub('a','(','b')': invalid assignment at byte 11: unmatched ( or \(
derive: 'x=sub('a','b')': invalid assignment at byte 14: expected ',' and a replacement
derive: 'x=default(1)': invalid assignment at byte 12: expected ',' and a second argument: default(VALUE,OTHER)
derive: 'x=if(1)': invalid assignment at byte 7: expected ',' and a second argument: if(CONDITION,VALUE,OTHER)
derive: 'x=if(1,2,3,4)': invalid assignment at byte 11: expected an operator or ')'
derive: 'x=!dur': invalid assignment at byte 3: expected a field, a number, a text in single quotes or '('
derive: 'x=a&&b': invalid assignment at byte 4: expected an operator (+ - * / // % == != < <= > >=)
derive: 'x=#': invalid assignment at byte 3: expected a field, a number, a text in single quotes or '('
derive: '=1': invalid assignment at byte 1: expected a NAME before '='
derive: '1x=1': invalid assignment at byte 1: a NAME consists of letters, digits and _, and does not begin with a digit; put other names in double quotes
derive: 'a.b=1': invalid assignment at byte 1: a NAME consists of letters, digits and _, and does not begin with a digit; put other names in double quotes
derive: '"a=1': invalid assignment at byte 1: a NAME consists of letters, digits and _, and does not begin with a digit; put other names in double quotes
derive: '""=1': invalid assignment at byte 1: a quoted NAME must be a JSON string that is not empty; write \" for " and \\ for \
derive: '"a"b=1': invalid assignment at byte 1: a NAME consists of letters, digits and _, and does not begin with a digit; put other names in double quotes
E
check 'rejects more than 200 nested parentheses, but accepts long expressions' 0 \
	'deep=$(printf %0200d 0 | tr 0 "("); shut=$(printf %0200d 0 | tr 0 ")")
	signs=$(printf %020000d 0 | tr 0 -); sum=$(printf %020000d 0 | sed "s/0/+1/g")
	echo "{}" | derive "a=${deep}1$shut" "b=${signs}1" "c=0$sum" "d=0$(printf %05000d 0 | sed "s/0/+if(1,1,0)/g")"
	echo "{}" | derive "a=($deep$(printf %0100000d 0 | tr 0 "(")" 2>&1 | tail -c 51' <<'E'
{"a":1,"b":1,"c":20000,"d":5000}
byte 203: too many nested parentheses: at most 200
E
check 'rejects invalid options' 2 'derive -g name x=1 a.ndjson; derive --prev x a.ndjson
	derive --prev x=ranges[] a.ndjson
	derive --prev x=ts/5 a.ndjson; derive --cumulate 1 a.ndjson; derive --cumulate "x=1+" a.ndjson
	derive -g "ranges[]" --prev x=ts a.ndjson; derive --prev x=a..b a.ndjson; derive -g "" --prev x=ts a.ndjson' <<'E'
--- stderr
derive: -g needs --prev, --first, --latest or --cumulate
derive: --prev: 'x': expected NAME=FIELD
derive: --prev: 'x=ranges[]': invalid assignment at byte 3: expected a field with one value, without [] or /WIDTH
derive: --prev: 'x=ts/5': invalid assignment at byte 3: expected a field with one value, without [] or /WIDTH
derive: --cumulate: '1': expected NAME=EXPR
derive: --cumulate: 'x=1+': invalid assignment at byte 5: expected a field, a number, a text in single quotes or '('
derive: -g: 'ranges[]': expected a field with one value, without []
derive: --prev: 'x=a..b': invalid assignment at byte 5: the name is empty
derive: -g: '': invalid field: the name is empty
E

cat >errors.ndjson <<'E'
{"ts":1,"name":"a","v":1}
{"ts":2,"name":"b","v":0,"x":5}
{"ts":3,"name":"c"}
{"ts":4,"name":"d","v":0}
{"ts":5,"name":"e","v":"t"}
{"ts":6,"name":"f","v":2}
E
check 'writes a record unchanged and reports it if a value cannot be computed' 1 'derive y=1 x=10/v errors.ndjson' <<'E'
{"ts":1,"name":"a","v":1,"y":1,"x":10}
{"ts":2,"name":"b","v":0,"x":5}
{"ts":3,"name":"c","y":1}
{"ts":4,"name":"d","v":0}
{"ts":5,"name":"e","v":"t"}
{"ts":6,"name":"f","v":2,"y":1,"x":5}
--- stderr
derive: errors.ndjson:2: x: division by zero; record written unchanged (and 1 more)
derive: errors.ndjson:5: x: arithmetic with a value that is not a number; record written unchanged
E
check '--lenient exits 0' 0 'derive --lenient x=10/v errors.ndjson 2>&1 >/dev/null | wc -l' <<'E'
2
E
cat >members <<'E'
for member in ts dur kind name cat rank pid tid dev stream corr id parent clock bytes copy err args src; do
	printf '%s:' $member
	for value in 9223372036854775807 9223372036854775808 7/2 "'a'" api 14/2.0 yes; do
		echo '{"api":{"a":1},"yes":true}' | derive "$member=$value" 2>/dev/null | grep -q "\"$member\"" && printf ' %s' $value
	done
	echo
done
E
check 'standard members accept only values of their types' 0 'sh ./members' <<'E'
ts: 9223372036854775807 14/2.0
dur: 9223372036854775807 14/2.0
kind: 'a'
name: 'a'
cat: 'a'
rank: 9223372036854775807 14/2.0
pid: 9223372036854775807 'a' 14/2.0
tid: 9223372036854775807 'a' 14/2.0
dev: 9223372036854775807 14/2.0
stream: 9223372036854775807 14/2.0
corr: 9223372036854775807 14/2.0
id: 9223372036854775807 'a' 14/2.0
parent: 9223372036854775807 'a' 14/2.0
clock: 'a'
bytes: 9223372036854775807 14/2.0
copy: 'a'
err: 9223372036854775807 14/2.0
args: api
src: api
E
check 'writes a record unchanged if a value does not fit its member' 1 \
	'derive ts=ts/2 errors.ndjson | sed 1,4d; exit 1' <<'E'
{"ts":5,"name":"e","v":"t"}
{"ts":3,"name":"f","v":2}
--- stderr
derive: errors.ndjson:1: ts: expected an integer that fits in 64 bits; record written unchanged (and 2 more)
E
check 'an intermediate value need not fit the member' 0 \
	"echo '{\"ts\":5}' | derive ts=ts/2 'ts=floor(ts)'; echo '{\"ts\":5.0}' | derive ts=ts" <<'E'
{"ts":2}
{"ts":5}
E
check 'names the member whose value does not fit, or whose value failed, if another member needs it' 1 \
	"echo '{\"ts\":5,\"dur\":1}' >one; derive ts=ts/2 e=end 'ts=floor(ts)' one; derive e=1 ts=1.5 e=end one
	derive b=1 'a=len(ts)' b=a+1 one; derive b=1 a=1 --cumulate 'c=dur/(ts-5)' 'b=min(c,1)' one" <<'E'
{"ts":5,"dur":1}
{"ts":5,"dur":1}
{"ts":5,"dur":1}
{"ts":5,"dur":1}
--- stderr
derive: one:1: ts: expected an integer that fits in 64 bits; record written unchanged
derive: one:1: ts: expected an integer that fits in 64 bits; record written unchanged
derive: one:1: a: len() needs a text, an array or an object; record written unchanged
derive: one:1: c: division by zero; record written unchanged
E

# --- hints

check 'prints a hint for a field that no record has' 0 'derive x=durr+1 a.ndjson | wc -l' <<'E'
3
--- stderr
derive: no record has the field 'durr'; did you mean 'dur'?
E
check 'prints no hint for a field that may be absent' 0 \
	"derive 'x=default(durr,0)' 'y=if(kind==str(7),durr,1)' a.ndjson 2>&1 | grep -c durr
	derive 'x=if(0,durr)' a.ndjson | wc -l" <<'E'
0
3
E
check 'prints hints for the fields of --prev and -g' 0 'derive --prev x=tss -g nam a.ndjson | wc -l' <<'E'
3
--- stderr
derive: no record has the field 'tss'; did you mean 'ts'?
derive: no record has the field 'nam'; did you mean 'name'?
E

# --- --prev and --cumulate

cat >streams.ndjson <<'E'
{"ts":1,"name":"a","stream":7,"v":"x\"y"}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}]}
{"ts":4,"name":"c","stream":7}
{"ts":7,"name":"d","v":2.50}
{"ts":11,"name":"e","stream":7,"v":null}
{"ts":16,"name":"f","stream":8,"v":5}
{"ts":22,"name":"g"}
E
check '--prev copies the value of the preceding record verbatim' 0 'derive --prev p=v streams.ndjson' <<'E'
{"ts":1,"name":"a","stream":7,"v":"x\"y"}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}],"p":"x\"y"}
{"ts":4,"name":"c","stream":7,"p":[1,{"a":2}]}
{"ts":7,"name":"d","v":2.50}
{"ts":11,"name":"e","stream":7,"v":null,"p":2.50}
{"ts":16,"name":"f","stream":8,"v":5}
{"ts":22,"name":"g","p":5}
E
check '--prev -g uses records with the same key; records without a key are a group' 0 \
	"derive d=ts-t -g stream --prev 't=ts' --prev n=name 'l=len(n)' streams.ndjson" <<'E'
{"ts":1,"name":"a","stream":7,"v":"x\"y"}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}]}
{"ts":4,"name":"c","stream":7,"t":1,"n":"a","d":3,"l":1}
{"ts":7,"name":"d","v":2.50}
{"ts":11,"name":"e","stream":7,"v":null,"t":4,"n":"c","d":7,"l":1}
{"ts":16,"name":"f","stream":8,"v":5,"t":2,"n":"b","d":14,"l":1}
{"ts":22,"name":"g","t":7,"n":"d","d":15,"l":1}
E
check '--prev reads the input, not assigned values, across several files' 0 \
	'sed 1q streams.ndjson >one.ndjson; derive --prev p=ts ts=ts+100 one.ndjson one.ndjson' <<'E'
{"ts":101,"name":"a","stream":7,"v":"x\"y"}
{"ts":101,"name":"a","stream":7,"v":"x\"y","p":1}
E
check '--prev can replace a standard member' 0 'derive --prev name=name streams.ndjson | sed 2q' <<'E'
{"ts":1,"stream":7,"v":"x\"y"}
{"ts":2,"name":"a","stream":8,"v":[1,{"a":2}]}
E
check '--cumulate -g computes sums of each key, of integers and doubles' 0 \
	"derive -g stream --cumulate s=ts --cumulate 'h=ts/2' streams.ndjson | ndjson2table -f ts,stream,s,h -o csv" <<'E'
ts,stream,s,h
1,7,1,0.5
2,8,2,1
4,7,5,2.5
7,,7,3.5
11,7,16,8
16,8,18,9
22,,29,14.5
E
check '--cumulate: a record without a value gets no sum; default() sets a value' 0 \
	"derive --cumulate 's=num(str(stream))' --cumulate 't=default(stream,0)' streams.ndjson |
		ndjson2table -f s,t -o csv" <<'E'
s,t
7,7
15,15
22,22
,22
29,29
37,37
,37
E
check '--cumulate and assignments are evaluated from left to right' 0 \
	"derive x=ts*2 --cumulate s=x y=s+1 --cumulate=z=y '--cumu' w=z a=w streams.ndjson |
		ndjson2table -f x,s,y,z,w,a -o csv | sed 3q" <<'E'
x,s,y,z,w,a
2,2,3,3,3,3
4,6,7,10,13,13
E
check '-g may be repeated and have several keys' 0 \
	"derive -g stream -g 'name,\"v\"' --cumulate n=1 streams.ndjson streams.ndjson |
	ndjson2table -f n -o csv | sort | uniq -c | sed 's/^ *//'" <<'E'
7 1
7 2
1 n
E
check '--prev and --cumulate use the values of a record that is written unchanged' 1 \
	'derive --prev p=ts --cumulate s=ts --cumulate q=1/v x=1/v errors.ndjson' <<'E'
{"ts":1,"name":"a","v":1,"s":1,"q":1,"x":1}
{"ts":2,"name":"b","v":0,"x":5}
{"ts":3,"name":"c","p":2,"s":6}
{"ts":4,"name":"d","v":0}
{"ts":5,"name":"e","v":"t"}
{"ts":6,"name":"f","v":2,"p":5,"s":21,"q":1.5,"x":0.5}
--- stderr
derive: errors.ndjson:2: q: division by zero; record written unchanged (and 1 more)
derive: errors.ndjson:5: q: arithmetic with a value that is not a number; record written unchanged
E
printf '{"v":%s}\n' 170141183460469231731687303715884105727 1 -2 0.5 1e308 1e308 -1e308 1e400 -1e308 >sums
check '--cumulate: sums are exact and rounded once; a sum too large for a double is reported' 1 \
	'derive --cumulate s=v sums' <<'E'
{"v":170141183460469231731687303715884105727,"s":170141183460469231731687303715884105727}
{"v":1,"s":1.7014118346046923e38}
{"v":-2,"s":170141183460469231731687303715884105726}
{"v":0.5,"s":1.7014118346046923e38}
{"v":1e308,"s":1e308}
{"v":1e308}
{"v":-1e308,"s":1e308}
{"v":1e400}
{"v":-1e308,"s":1.7014118346046923e38}
--- stderr
derive: sums:6: s: a number is too large for a double; record written unchanged (and 1 more)
E

# --- random expressions

have python3 || finish
check 'random expressions agree with an independent evaluation' 0 \
	'derived_members.py 1 2 3 4 5 6 11 13 17 19 23 29 202 203 204 205 206 207' </dev/null

# --- --explode and --first

cat >arrays.ndjson <<'E'
{"name":"a","list":[{"size":4,"n":3},{"size":10,"n":2}],"args":{"v":[1, "x"]}}
{"name":"b","list":[],"x":"old"}
{"name":"c","list":7}
{"name":"a"}
E
check '--explode: writes a record for each element' 0 \
	'derive --explode x=list "bytes=x.size*x.n" --cumulate all=bytes arrays.ndjson' <<'E'
{"name":"a","bytes":12,"list":[{"size":4,"n":3},{"size":10,"n":2}],"x":{"size":4,"n":3},"all":12,"args":{"v":[1, "x"]}}
{"name":"a","bytes":20,"list":[{"size":4,"n":3},{"size":10,"n":2}],"x":{"size":10,"n":2},"all":32,"args":{"v":[1, "x"]}}
{"name":"b","list":[]}
{"name":"c","list":7}
{"name":"a"}
E
check '--explode: replaces the array, also one in args that ends in []' 0 \
	'derive --explode list=list[] -g name --prev p=name arrays.ndjson
	derive --explode v=args.v[] arrays.ndjson | sed 2q' <<'E'
{"name":"a","list":{"size":4,"n":3},"args":{"v":[1, "x"]}}
{"name":"a","list":{"size":10,"n":2},"p":"a","args":{"v":[1, "x"]}}
{"name":"b","x":"old"}
{"name":"c"}
{"name":"a","p":"a"}
{"name":"a","list":[{"size":4,"n":3},{"size":10,"n":2}],"v":1,"args":{"v":[1, "x"]}}
{"name":"a","list":[{"size":4,"n":3},{"size":10,"n":2}],"v":"x","args":{"v":[1, "x"]}}
E
cat >nulls <<'E'
{"x":9,"l":[null,{"a":null},null,2],"m":[{"l":[1,null]},{"l":3},{},{"l":[4]}]}
E
check '--explode: writes a record for a null element too, without the name' 0 '
	derive --explode x=l y=default\(x,0\) l=ts m=ts nulls 2>/dev/null
	derive --explode x=m[].l l=ts m=ts nulls 2>/dev/null' <<'E'
{"y":0}
{"x":{"a":null},"y":{"a":null}}
{"y":0}
{"x":2,"y":2}
{"x":1}
{}
{"x":4}
E
check '--first: the value of the first record that has the field' 0 \
	"derive --first f=x -g g -- - <<'R'
{\"g\":1}
{\"g\":1,\"x\":[2]}
{\"g\":2,\"x\":\"y\"}
{\"g\":1,\"x\":3}
{\"g\":1}
{\"x\":null}
R" <<'E'
{"g":1}
{"g":1,"x":[2],"f":[2]}
{"g":2,"x":"y","f":"y"}
{"g":1,"x":3,"f":[2]}
{"g":1,"f":[2]}
{"x":null}
E
check '--latest: the value of the latest record up to this one that has the field' 0 \
	"derive --latest l=x -g g -- - <<'R'
{\"g\":1}
{\"g\":1,\"x\":\"a\"}
{\"g\":2,\"x\":null}
{\"g\":1,\"x\":[2]}
{\"g\":1}
{\"g\":2}
R" <<'E'
{"g":1}
{"g":1,"x":"a","l":"a"}
{"g":2,"x":null}
{"g":1,"x":[2],"l":[2]}
{"g":1,"l":[2]}
{"g":2}
E
check 'rejects wrong arguments of --explode and --first' 2 \
	'derive --explode x arrays.ndjson; derive --explode x=a..b arrays.ndjson; derive --first x=a[] arrays.ndjson
	derive -g name --explode x=list arrays.ndjson; derive --explode x=a --explode y=b arrays.ndjson' <<'E'
--- stderr
derive: --explode: 'x': expected NAME=FIELD
derive: --explode: 'x=a..b': invalid assignment at byte 5: the name is empty
derive: --first: 'x=a[]': invalid assignment at byte 3: expected a field with one value, without [] or /WIDTH
derive: -g needs --prev, --first, --latest or --cumulate
derive: --explode: 'y=b': invalid assignment at byte 1: only one --explode is possible; use one derive for each array
E

# --- conditions

check '-w: other records are written unchanged' 0 \
	'derive -w "ts<7" -w stream " v =1" w=ts+1 streams.ndjson foreign.ndjson' <<'E'
{"ts":1,"name":"a","stream":7,"v":1,"w":2}
{"ts":2,"name":"b","stream":8,"v":1,"w":3}
{"ts":4,"name":"c","stream":7,"v":1,"w":5}
{"ts":7,"name":"d","v":2.50}
{"ts":11,"name":"e","stream":7,"v":null}
{"ts":16,"name":"f","stream":8,"v":5}
{"ts":22,"name":"g"}
{ "args" : {"n":1} , "b" : [ 1, 2 ] , "ts" : 5 , "name":"n" }
{"a":1,"a":2,"name":"n","ts":1,"a":3}
E
check '-w reads the input, not assigned values' 0 "
	derive name=\"'x'\" -w name==c ts=ts*2 -w ts==4 -- streams.ndjson | sed -n 2,3p
	derive --where='!v' v=0 streams.ndjson | sed -n '3p;5p'" <<'E'
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}]}
{"ts":8,"name":"x","stream":7}
{"ts":4,"name":"c","stream":7,"v":0}
{"ts":11,"name":"e","stream":7,"v":0}
E
check '-w: other records take no part in --prev, --first, --cumulate and --explode' 0 '
	derive -w stream --prev p=ts --first f=name --cumulate s=ts -g stream streams.ndjson
	derive -w name==b --explode x=v streams.ndjson | sed -n 1,4p' <<'E'
{"ts":1,"name":"a","stream":7,"v":"x\"y","f":"a","s":1}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}],"f":"b","s":2}
{"ts":4,"name":"c","stream":7,"p":1,"f":"a","s":5}
{"ts":7,"name":"d","v":2.50}
{"ts":11,"name":"e","stream":7,"v":null,"p":4,"f":"a","s":16}
{"ts":16,"name":"f","stream":8,"v":5,"p":2,"f":"b","s":18}
{"ts":22,"name":"g"}
{"ts":1,"name":"a","stream":7,"v":"x\"y"}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}],"x":1}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}],"x":{"a":2}}
{"ts":4,"name":"c","stream":7}
E
# The expected output has the records of filter-calls and derive in place of those that filter-calls selects.
check '-w equals derive of the selected records, in their places' 0 '
	trace2ndjson "$DATA/train.pt.trace.json" >train
	set -- --prev p=end -g stream,tid --first "f=\"External id\"" --cumulate sum=dur gap=ts-p "x=\"External id\"+1"
	for condition in kind==kernel "dur>10us" "name=~^cu" "External id" "!stream" args.nosuch==1 ts; do
		filter-calls --quiet -w "$condition" train >selected
		derive --quiet "$@" selected >changed
		awk "FILENAME == \"selected\" { want[++n] = \$0; next }
			want[i + 1] == \$0 { i++; getline <\"changed\" }
			{ print }" selected train >expected
		derive --quiet -w "$condition" "$@" train | cmp - expected
		cmp -s expected train && echo "nothing changed: $condition"
	done; wc -l <expected' <<'E'
nothing changed: args.nosuch==1
71
E
check '-w: errors are reported for selected records only, damage for all' 1 "
	{ sed 2q streams.ndjson; printf '%s\n' '{\"ts\":30,\"stream\":{]' '{\"name\":\"s\"}' '{\"ts\":31,\"v\":1'; } |
	derive -w stream x=name*2" <<'E'
{"ts":1,"name":"a","stream":7,"v":"x\"y"}
{"ts":2,"name":"b","stream":8,"v":[1,{"a":2}]}
{"name":"s"}
--- stderr
derive: stdin:1: x: arithmetic with a value that is not a number; record written unchanged (and 1 more)
derive: stdin:3: not a JSON record; skipped (and 1 more)
E
echo '{"name":"a","dur":5,"args":{"b":true,"least":-9223372036854775808.0}}' >kinds.ndjson
check 'len: a number and true have no length' 1 '
	derive "x=len(5)" kinds.ndjson; derive "x=len(args.b)" kinds.ndjson' <<'E'
{"name":"a","dur":5,"args":{"b":true,"least":-9223372036854775808.0}}
{"name":"a","dur":5,"args":{"b":true,"least":-9223372036854775808.0}}
--- stderr
derive: kinds.ndjson:1: x: len() needs a text, an array or an object; record written unchanged
derive: kinds.ndjson:1: x: len() needs a text, an array or an object; record written unchanged
E
check 'sub: the text can be a comparison; the least 64-bit integer is a time' 0 \
	"derive \"x=sub(dur==5,'1','b')\" dur=args.least kinds.ndjson" <<'E'
{"name":"a","dur":-9223372036854775808,"x":"b","args":{"b":true,"least":-9223372036854775808.0}}
E
check '-w: hints' 0 '
	derive -w strem x=1 streams.ndjson | cmp - streams.ndjson
	derive -w v==5 x=strea streams.ndjson | cmp - streams.ndjson
	derive -w !nosuch x=ts streams.ndjson | wc -l' <<'E'
7
--- stderr
derive: no record has the field 'strem'; did you mean 'stream'?
derive: no record that was read has the field 'strea'; did you mean 'stream'?
E
check '-w rejects invalid conditions' 2 '
	derive -w dur=5 x=1 a.ndjson; derive -w "" x=1 a.ndjson; derive -w "dur>5MB" x=1 a.ndjson
	derive -w "name=~(" x=1 a.ndjson; derive -w "dur>1 && ts>2" x=1 a.ndjson; derive x=1 a.ndjson -w' <<'E'
--- stderr
derive: -w: 'dur=5': invalid condition at byte 4: '=' is not an operator; use == != < <= > >= =~ or !~
derive: -w: '': invalid condition at byte 1: the name is empty
derive: -w: 'dur>5MB': invalid condition at byte 5: the field is a time, but the value is a size
derive: -w: 'name=~(': invalid condition at byte 7: unmatched ( or \(
derive: -w: 'dur>1 && ts>2': invalid condition at byte 5: two conditions in one option; give each its own -w
derive: option -w needs an argument; try derive -h
E

finish
