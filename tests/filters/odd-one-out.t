#!/bin/sh
# odd-one-out.t: which units of a table differ from the others of their groups: by hand, against an independent
# computation, and against the right answers of a generated fleet.
. "${0%/*}/../lib.sh"

# table GROUP VALUE...: prints a record for each value.
table() {
	group=$1 n=0
	shift
	for x; do
		echo "{\"job\":\"$group\",\"w\":$n,\"t\":$x}"
		n=$((n + 1))
	done
}
table a 100 101 99 100 102 98 100 200 >eight
for group in a b c; do table $group 100 100 100 100 100 100 100 100; done >same
sed '16s/100}/200}/; 24s/100}/130}/' same >three
{ cat eight && table b 1 2 3 4 5 6 7 && table c 0 0 0 0 0 0 0 0 5 && echo '{"job":"a","t":5}'; } >bad
check 'the score is the distance from the median in units of the spread' 0 \
	'odd-one-out -g job --compare w -f t eight | head -n 2
	odd-one-out -g job --compare w -f t --floor t=10 -o csv eight | cut -d, -f 1-7 | head -n 3' <<'E'
{"kind":"odd-one-out","w":7,"records":1,"groups":1,"odd":"yes","because":"t","score":67.4491,"ratio":2,"z_t":67.4491}
{"kind":"odd-one-out","w":4,"records":1,"groups":1,"odd":"no","because":"t","score":1.349,"ratio":1.02,"z_t":1.349}
w,records,groups,odd,because,score,ratio
7,1,1,no,t,10,2
4,1,1,no,t,0.2,1.02
E
check 'one bad group of three does not make a unit odd, two do; ranks belong to their group' 0 '
	odd-one-out -g job --compare w -f t -o csv three | sed -n 2p
	sed "/\"c\"/s/130/102/" three | odd-one-out -g job --compare w -f t -o csv | sed -n 2p
	sed "s/\"w\"/\"rank\"/" three | odd-one-out -g job -f t -o csv | head -n 4' <<'E'
7,3,3,yes,t,60,1.3,,60
7,3,3,no,t,4,1.02,,4
job,rank,records,groups,odd,because,score,ratio,also,z_t
b,7,1,1,yes,t,200,2,,200
c,7,1,1,yes,t,60,1.3,,60
a,0,1,1,no,t,0,1,,0
E
# last GROUP MEMBERS VALUE: prints a table whose members are all 1000, except the last one, with the unit x.
last() {
	awk -v group="$1" -v n="$2" -v x="$3" 'BEGIN {
		for (i = 1; i <= n; i++)
			printf "{\"job\":\"%s\",\"w\":\"%s\",\"t\":%d}\n", group, i < n ? group i : "x", i < n ? 1000 : x
	}'
}
for limit in 8:1074 8:1076 11:1074 12:1041 12:1039 15:1041 15:1039 16:1031 16:1029 31:1031 32:1031 64:1029 64:1031; do
	last a ${limit%:*} ${limit#*:} >last.$limit
done
{ last a 64 1029 && last b 64 1029 && last c 64 1080; } >last.one
{ last a 64 1031 && last b 64 1029 && last c 64 1080; } >last.two
check 'the limit depends on the number of members; 3 % in more than half of the records' 0 '
	for file in last.*; do
		echo "$file $(odd-one-out -g job --compare w -f t -o csv $file | grep ^x, | cut -d, -f 3-6)"
	done' <<'E'
last.11:1074 1,no,t,14.8
last.12:1039 1,no,t,7.8
last.12:1041 1,yes,t,8.2
last.15:1039 1,no,t,7.8
last.15:1041 1,yes,t,8.2
last.16:1029 1,no,t,5.8
last.16:1031 1,yes,t,6.2
last.31:1031 1,yes,t,6.2
last.32:1031 1,yes,t,6.2
last.64:1029 1,no,t,5.8
last.64:1031 1,yes,t,6.2
last.8:1074 1,no,t,14.8
last.8:1076 1,yes,t,15.2
last.one 3,no,t,5.8
last.two 3,yes,t,6.2
E
# All groups have the spread 14.826, but the deviation d of the members within 5 spreads differs: 9.6, 15.58, 39.9, and
# 15.73 with 12 members. The limit is the largest distance within 5 spreads, 6 d, 8 spreads, and 8 d.
even='990 990 990 990 990 990 990 1000 1000 1010 1010 1010 1010 1010 1010'
some='990 990 990 990 990 975 975 1000 1000 1010 1010 1010 1010 1025 1025'
below='1010 1010 1010 1010 1010 1025 1025 1000 1000 990 990 990 990 975 975'
tails='990 990 990 990 940 940 940 1000 1000 1010 1010 1010 1060 1060 1060'
twelve='990 990 990 975 975 1000 1000 1010 1010 1010 1025'
{
	for last in 1074 1075; do table even.$last $even $last; done
	for last in 1093 1094; do table some.$last $some $last; done
	table below.906 $below 906
	for last in 1118 1119; do table tails.$last $tails $last; done
	for last in 1125 1126; do table twelve.$last $twelve $last; done
} >small
check 'in groups of 12 to 31, the limit is lower above the median if the deviation of the members is small' 0 '
	odd-one-out -g job --compare job,w -f t -o csv small | grep -E ",(15|11),.*,(no|yes),t,-?[4-9]" |
		cut -d, -f 1,5-7 | sort' <<'E'
below.906,no,t,-6.3402
even.1074,no,t,4.9912
even.1075,yes,t,5.0587
some.1093,no,t,6.2728
some.1094,yes,t,6.3402
tails.1118,no,t,7.959
tails.1119,yes,t,8.0264
twelve.1125,no,t,8.4311
twelve.1126,yes,t,8.4986
E
check 'small groups, groups of zeros, and records without the unit are reported' 1 '
	odd-one-out -g job --compare w -f t -o csv bad >rows; status=$?; head -n 2 rows; exit $status' <<'E'
w,records,groups,odd,because,score,ratio,also,z_t
7,1,1,yes,t,67.4491,2,,67.4491
--- stderr
odd-one-out: t: not compared in 1 group with fewer than 8 members, such as b (7)
odd-one-out: t: not compared in 1 group where more than half of the members are 0, such as c (9); give --floor FIELD=VALUE
odd-one-out: bad:25: record without a field of --compare; not compared
E
check 'nothing can be compared' 1 'odd-one-out -g job --compare w -f t,u <bad | cut -d, -f 1 | tail -n 1
	head -n 7 eight | odd-one-out -g job --compare w -f t,job' <<'E'
{"kind":"odd-one-out"
--- stderr
odd-one-out: no record has the field 'u'; did you mean 'w'?
odd-one-out: t: not compared in 1 group with fewer than 8 members, such as b (7)
odd-one-out: t: not compared in 1 group where more than half of the members are 0, such as c (9); give --floor FIELD=VALUE
odd-one-out: stdin:25: record without a field of --compare; not compared
odd-one-out: no group has 8 members with a value of a field; nothing was compared
odd-one-out: field 'job' has no numeric values
odd-one-out: t: not compared in 1 group with fewer than 8 members, such as a (7)
E
check 'wrong usage' 2 'odd-one-out eight; odd-one-out -f t --floor t eight; odd-one-out -f t --floor u=1 eight
	odd-one-out -f t --floor t=-1 eight; odd-one-out -f t --compare "a[]" eight; odd-one-out -f t -g "" eight' <<'E'
--- stderr
odd-one-out: eight:1: not a record of a catalogue; name the fields to compare: -f FIELD,...
odd-one-out: --floor: 't': expected FIELD=VALUE with a number >= 0
odd-one-out: --floor: 'u=1': expected a field of -f
odd-one-out: --floor: 't=-1': expected FIELD=VALUE with a number >= 0
odd-one-out: --compare: 'a[]': expected fields with one value, without []
odd-one-out: -g: '': invalid field: the name is empty
E
have python3 || finish

check 'ranks and hosts of a catalogue are as an independent computation says' 0 '
	odd_units.py fleet 3 9 16 r1/3:compute_time:1.3 r2/5:memory_peak:1.2 h2:call_p50:1.5 r4/4:host_wait:4 >catalogue
	for by in rank host; do
		odd_units.py odd $by catalogue >want
		odd-one-out --quiet --compare $by catalogue >rows
		odd_units.py golden want $by rows
		filter-calls -w odd==yes rows | ndjson2table --quiet -f run,rank,host,because -o csv | sed 1d | head -n 4
	done' <<'E'
2128 figures, 0 differ, 0 units missing
r4,4,,wait_step
r1,3,,compute_step
r2,2,,call_p50
r4,13,,call_p50
80 figures, 0 differ, 0 units missing
,,h2,call_p50
E
if need_shared golden/catalogue gen/gen_fleet.py; then
	check 'a fleet with planted faults: equal to the golden answers' 0 '
		python3 -c "
import csv, json, sys
for row in csv.DictReader(open(sys.argv[1])):
    text = {\"trace\", \"run\", \"host\", \"source\", \"device_name\", \"nccl_version\", \"damaged\", \"health\"}
    print(json.dumps({\"kind\": \"catalog\", **{k: v if k in text else json.loads(v) for k, v in row.items() if v}}))
" "$SHARED/golden/catalogue/catalogue.csv" >golden
		odd-one-out golden >ranks
		odd-one-out --quiet --compare host golden >hosts
		for by in rank host; do odd_units.py golden "$SHARED/golden/catalogue/odd.csv" $by ${by}s; done' <<'E'
1456 figures, 0 differ, 0 units missing
192 figures, 0 differ, 0 units missing
--- stderr
odd-one-out: 2 records of health damaged: not compared
odd-one-out: 1 record of health few_steps: not compared
odd-one-out: 1 record of health no_steps: not compared
odd-one-out: 1 record of health no_device: not compared
E
fi
finish
