#!/bin/sh
# fields.t: references to fields mean the same in all programs: parts in double quotes, and hints about absent fields.
. "${0%/*}/lib.sh"

cat >labels.ndjson <<'E'
{"ts":1,"dur":5,"kind":"op","name":"n","k8s":{"labels":{"app.io/name":"web","a,b":3,"c\"d":1}},"v":null,"w=x":7,"a/5":9}
{"ts":2,"dur":6,"kind":"op","name":"n","k8s":{"labels":{"app.io/name":"db","a,b":4}},"v":null,"w=x":8,"a/5":12}
E
sed 's/"dur":.,//' labels.ndjson >instants.ndjson

# --- parts in double quotes

check 'groupby -g: a quoted part at the third level; the column is the name without quotes' 0 \
	"groupby -g 'k8s.labels.\"app.io/name\"' -a count -o ndjson labels.ndjson" <<'E'
{"k8s.labels.app.io/name":"db","count":1}
{"k8s.labels.app.io/name":"web","count":1}
E
check 'the same reference finds that column in the result' 0 \
	"groupby -g 'k8s.labels.\"app.io/name\"' -a count -o ndjson labels.ndjson |
		ndjson2table -f 'k8s.labels.\"app.io/name\",k8s.labels.app.io/name' -o csv -t 1" <<'E'
k8s.labels.app.io/name,k8s.labels.app.io/name
db,db
E
check 'a comma in quotes does not end an item of a list' 0 \
	"groupby -g kind -f '\"w=x\",k8s.labels.\"a,b\"' -a 'sum,max:k8s.labels.\"a,b\"' -o ndjson labels.ndjson" <<'E'
{"kind":"op","w=x_sum":15,"k8s.labels.a,b_sum":7,"k8s.labels.a,b_max":4}
E
check 'stats -f: quoted parts' 0 "stats -f 'k8s.\"labels\".\"a,b\"' labels.ndjson | cut -d , -f 1-4" <<'E'
{"field":"k8s.labels.a,b","count":2,"mean":3.5
E
check 'filter-calls -w: operators and escapes in quotes' 0 "filter-calls -c -w '\"w=x\" == 7' labels.ndjson
	filter-calls -c -w '!\"w==x\"' labels.ndjson
	filter-calls -c -w 'k8s.labels.\"c\\\"d\"' labels.ndjson; filter-calls -c -w '\"w=x\"=~8' labels.ndjson" <<'E'
1
2
1
1
E
check 'ndjson2table -f: a name that ends like a bucket, and its bucket' 0 \
	"ndjson2table -f '\"a/5\",\"a/5\"/10' -o csv labels.ndjson" <<'E'
a/5,a/5/10
9,0
12,10
E
check 'ndjson2folded -f: a quoted part' 0 "ndjson2folded -g name -f '\"w=x\"' labels.ndjson" <<'E'
n 15
E
check '--time: a quoted name' 0 "groupby -g kind -a 'sum:\"w=x\"' --time '\"w=x\"' -u us -o md labels.ndjson" <<'E'
| kind | w=x_sum (us) |
| ---- | -----------: |
| op   |        0.015 |
E
check 'in quotes, end is a member and not computed' 0 "filter-calls -c -w end labels.ndjson
	filter-calls -c -w '\"end\"' labels.ndjson 2>/dev/null" <<'E'
2
0
E
check 'quotes that are not a part are part of the name' 0 \
	"echo '{\"a\\\"b\":1,\"c \\\"d\\\"\":2}' | ndjson2table -f 'a\"b,c \"d\"' -o csv" <<'E'
"a""b","c ""d"""
1,2
E
check 'stats without -f describes a member whose name is no plain reference' 0 \
	"echo '{\"\\\"q\":1,\"b/2\":3}' | stats | cut -d , -f 1-3" <<'E'
{"field":"\"q","count":1,"mean":1
{"field":"b/2","count":1,"mean":3
E
check 'invalid quotes' 2 "for f in '\"a' '\"a\"b' 'a.\"\"' '\"\\x\"'; do groupby -g \"\$f\" labels.ndjson; done" <<'E'
--- stderr
groupby: -g: '"a' is not a field: a quote that does not close
groupby: -g: '"a"b' is not a field: a dot or nothing follows the closing quote
groupby: -g: 'a.""' is not a field: an empty name
groupby: -g: '"\x"' is not a field: a quoted name is written as a JSON string: escape " and \ with a \
E

# --- hints never suggest the name that was asked for

check 'hint: a name with dots needs quotes' 0 "groupby -g k8s.labels.app.io/name -a count labels.ndjson" <<'E'
{"count":2}
--- stderr
groupby: no record has the field 'k8s.labels.app.io/name'; did you mean 'k8s.labels."app.io/name"'?
E
check 'hint: the field is null' 0 'groupby -g v -a count labels.ndjson; filter-calls -c -w v labels.ndjson' <<'E'
{"count":2}
0
--- stderr
groupby: the field 'v' is null in all records that have it
filter-calls: the field 'v' is null in all records that have it
E
check 'hint: end and short in records without dur and name' 0 \
	"filter-calls -c -w end -w kind instants.ndjson; echo '{\"ts\":1}' | filter-calls -c -w short" <<'E'
0
0
--- stderr
filter-calls: no record has the field 'end'; did you mean 'kind'?
filter-calls: no record has the field 'short'
E
check 'hint: a name that looks like a bucket is in quotes' 0 \
	"echo '{\"memory_bandwidth/4\":1}' | filter-calls -c -w memory_bandwidth/5" <<'E'
0
--- stderr
filter-calls: no record has the field 'memory_bandwidth'; did you mean '"memory_bandwidth/4"'?
E

finish
