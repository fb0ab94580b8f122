#!/bin/sh
# fields.t: quoted parts of field references in several programs, and hints about absent fields.
. "${0%/*}/lib.sh"

cat >labels.ndjson <<'E'
{"ts":1,"dur":5,"kind":"op","name":"n","k8s":{"labels":{"app.io/name":"web","a,b":3,"c\"d":1}},"v":null,"w=x":7,"a/5":9}
{"ts":2,"dur":6,"kind":"op","name":"n","k8s":{"labels":{"app.io/name":"db","a,b":4}},"v":null,"w=x":8,"a/5":12}
E
sed 's/"dur":.,//' labels.ndjson >instants.ndjson

# --- members that are null

cat >nulls <<'E'
{"ts":1,"kind":"op","name":"x","z":null,"y":{"b":null},"l":null,"corr":null,"end":null,"args":{"z":3,"y":{"b":4},"l":[5],"corr":2,"end":6}}
E
sed 's/"ts":1,"kind"/"ts":1, "kind"/' nulls >nulls.spaced
check 'a null member counts as absent: the member of args is used' 0 'for file in nulls nulls.spaced; do
	derive a=corr b=z c=y.b d=l e=end $file | ndjson2table -f a,b,c,d,e -o csv
	filter-calls -c -w z==3 -w "\"z\"==3" -w "l[]==5" -w end==6 $file
	groupby -g z -a sum:y.b -o csv $file
done' <<'E'
a,b,c,d,e
2,3,4,[5],6
1
z,y.b_sum
3,4
a,b,c,d,e
2,3,4,[5],6
1
z,y.b_sum
3,4
E

# --- parts in double quotes

check 'groupby -g accepts a quoted part at the third level; the column has no quotes' 0 \
	"groupby -g 'k8s.labels.\"app.io/name\"' -a count -o ndjson labels.ndjson" <<'E'
{"kind":"groupby/event","k8s.labels.app.io/name":"db","count":1}
{"kind":"groupby/event","k8s.labels.app.io/name":"web","count":1}
E
check 'the same reference finds this column in the result' 0 \
	"groupby -g 'k8s.labels.\"app.io/name\"' -a count -o ndjson labels.ndjson |
		ndjson2table -f 'k8s.labels.\"app.io/name\",k8s.labels.app.io/name' -o csv -t 1" <<'E'
k8s.labels.app.io/name,k8s.labels.app.io/name
db,db
E
check 'a comma in quotes does not end an item of a list' 0 \
	"groupby -g kind -f '\"w=x\",k8s.labels.\"a,b\"' -a 'sum,max:k8s.labels.\"a,b\"' -o ndjson labels.ndjson" <<'E'
{"kind":"op","w=x_sum":15,"k8s.labels.a,b_sum":7,"k8s.labels.a,b_max":4}
E
check 'stats -f accepts quoted parts' 0 "stats -f 'k8s.\"labels\".\"a,b\"' labels.ndjson | cut -d , -f 2-5" <<'E'
"field":"k8s.labels.a,b","count":2,"mean":3.5
E
check 'filter-calls -w accepts operators and escapes in quotes' 0 "filter-calls -c -w '\"w=x\" == 7' labels.ndjson
	filter-calls -c -w '!\"w==x\"' labels.ndjson
	filter-calls -c -w 'k8s.labels.\"c\\\"d\"' labels.ndjson; filter-calls -c -w '\"w=x\"=~8' labels.ndjson" <<'E'
1
2
1
1
E
check 'ndjson2table -f accepts a quoted name that ends like a bucket, and a bucket of it' 0 \
	"ndjson2table -f '\"a/5\",\"a/5\"/10' -o csv labels.ndjson" <<'E'
a/5,a/5/10
9,0
12,10
E
check 'ndjson2folded -f accepts a quoted part' 0 "ndjson2folded -g name -f '\"w=x\"' labels.ndjson" <<'E'
n 15
E
check '--time accepts a quoted name' 0 \
	"groupby -g kind -a 'sum:\"w=x\"' --time '\"w=x\"' -u us -o md labels.ndjson" <<'E'
| kind | w=x_sum (us) |
| ---- | -----------: |
| op   |        0.015 |
E
check 'end in quotes is not a computed field' 0 "filter-calls -c -w end labels.ndjson
	filter-calls -c -w '\"end\"' labels.ndjson 2>/dev/null" <<'E'
2
0
E
check 'a quote inside a part is an ordinary character' 0 \
	"echo '{\"a\\\"b\":1,\"c \\\"d\\\"\":2}' | ndjson2table -f 'a\"b,c \"d\"' -o csv" <<'E'
"a""b","c ""d"""
1,2
E
check 'stats without -f describes members whose names need quotes' 0 \
	"echo '{\"\\\"q\":1,\"b/2\":3}' | stats | cut -d , -f 2-4" <<'E'
"field":"\"q","count":1,"mean":1
"field":"b/2","count":1,"mean":3
E
check 'rejects invalid quotes' 2 \
	"for f in '\"a' '\"a\"b' 'a.\"\"' '\"\\x\"'; do groupby -g \"\$f\" labels.ndjson; done" <<'E'
--- stderr
groupby: -g: '"a': invalid field: the closing quote is missing
groupby: -g: '"a"b': invalid field: expected '.' or the end of the field after the closing quote
groupby: -g: 'a.""': invalid field: the name is empty
groupby: -g: '"\x"': invalid field: a quoted name must be a JSON string; write \" for " and \\ for \
E

# --- hints never suggest the name that the user wrote

check 'the hint for a name with dots has quotes' 0 "groupby -g k8s.labels.app.io/name -a count labels.ndjson" <<'E'
{"kind":"groupby/event","count":2}
--- stderr
groupby: no record has the field 'k8s.labels.app.io/name'; did you mean 'k8s.labels."app.io/name"'?
E
check 'prints a hint for a field that is always null' 0 \
	'groupby -g v -a count labels.ndjson; filter-calls -c -w v labels.ndjson' <<'E'
{"kind":"groupby/event","count":2}
0
--- stderr
groupby: field 'v' is null in all records that have it
filter-calls: field 'v' is null in all records that have it
E
check 'prints hints for end and short if records have no dur or name' 0 \
	"filter-calls -c -w end -w kind instants.ndjson; echo '{\"ts\":1}' | filter-calls -c -w short" <<'E'
0
0
--- stderr
filter-calls: no record has the field 'end'; did you mean 'kind'?
filter-calls: no record has the field 'short'
E
check 'the hint for a name that looks like a bucket has quotes' 0 \
	"echo '{\"memory_bandwidth/4\":1}' | filter-calls -c -w memory_bandwidth/5" <<'E'
0
--- stderr
filter-calls: no record has the field 'memory_bandwidth'; did you mean '"memory_bandwidth/4"'?
E

finish
