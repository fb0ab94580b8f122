#!/bin/sh
# key-join.t: tests the join by keys, and what cli.t tests of the filters that need no second file.
. "${0%/*}/../lib.sh"

cat >classes <<'END'
{"name":"gemm","class":"matrix product","flops":8000,"dur":1}
{"name":"gemm","class":"second","tile":4}
{"class":"without a name"}
{"name":"relu","class":"element"}
END
cat >in <<'END'
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"args":{"grid":[1,2]}}
{"ts":160,"kind":"kernel","name":"gemm","dev":0,"class":"own","flops":5}
{"ts":170,"dur":9,"kind":"kernel","name":"none","dev":0}
{"ts":180,"dur":9,"kind":"kernel","dev":0}
{"name":"relu", "x":1}
END
check 'adds all members that the record does not have' 0 'key-join -g name classes in' <<'END'
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"class":"matrix product","flops":8000,"args":{"grid":[1,2]}}
{"ts":160,"dur":1,"kind":"kernel","name":"gemm","dev":0,"class":"own","flops":5}
{"name":"relu", "x":1,"class":"element"}
--- stderr
key-join: 2 records left out: no record of FILE has their keys; --left writes them
END
check '--take replaces and adds members' 0 'key-join -g name --take flops,group=class,dur=flops classes in' <<'END'
{"ts":100,"dur":8000,"kind":"kernel","name":"gemm","dev":0,"flops":8000,"group":"matrix product","args":{"grid":[1,2]}}
{"ts":160,"dur":8000,"kind":"kernel","name":"gemm","dev":0,"class":"own","flops":8000,"group":"matrix product"}
{"name":"relu", "x":1,"group":"element"}
--- stderr
key-join: 2 records left out: no record of FILE has their keys; --left writes them
END
check '--take does not take values that do not fit a standard member' 1 '
	echo "{\"name\":\"relu\",\"n\":2.0,\"f\":2.5}" |
	key-join -g name --quiet --take dur=n,bytes=f,pid=name,kind=n,x=f - in' <<'END'
{"dur":2,"name":"relu", "pid":"relu","x":2.5}
--- stderr
key-join: stdin:1: a value does not fit its standard member (--take); not taken
END
check '--left, --last, standard input' 0 'key-join -g name --left --last --take class - in <classes
	head -n 1 in | key-join -g name --last --quiet classes; head -n 1 in | key-join -g name classes -' <<'END'
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"class":"second","args":{"grid":[1,2]}}
{"ts":160,"kind":"kernel","name":"gemm","dev":0,"class":"second","flops":5}
{"ts":170,"dur":9,"kind":"kernel","name":"none","dev":0}
{"ts":180,"dur":9,"kind":"kernel","dev":0}
{"name":"relu", "x":1,"class":"element"}
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"class":"second","tile":4,"args":{"grid":[1,2]}}
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"class":"matrix product","flops":8000,"args":{"grid":[1,2]}}
END
check 'of a member that a record of FILE has twice, the last one counts' 0 '
	echo "{\"name\":\"gemm\",\"a\":1,\"b\":2,\"a\":3}" | key-join -g name --quiet - in' <<'END'
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"a":3,"b":2,"args":{"grid":[1,2]}}
{"ts":160,"kind":"kernel","name":"gemm","dev":0,"class":"own","flops":5,"a":3,"b":2}
END
check 'computed fields and buckets as keys' 0 '
	echo "{\"short\":\"gemm\",\"part\":1}" >short; echo "{\"ts\":150,\"part\":2}" >parts
	key-join -g short --quiet short in | ndjson2table -o csv -f ts,part
	key-join -g ts/100 --quiet parts in | ndjson2table -o csv -f ts,part' <<'END'
ts,part
100,1
160,1
ts,part
100,2
160,2
170,2
180,2
END
check 'a field that no record has' 0 '
	key-join -g nmae classes in; key-join -g name --take clas,class classes in | wc -l
	key-join -g class classes in' <<'END'
3
--- stderr
key-join: classes: no record has the field 'nmae'
key-join: no record has the field 'nmae'; did you mean 'name'?
key-join: 5 records left out: no record of FILE has their keys; --left writes them
key-join: classes: no record has the field 'clas'
key-join: 2 records left out: no record of FILE has their keys; --left writes them
key-join: 5 records left out: no record of FILE has their keys; --left writes them
END
check 'usage' 2 '
	key-join classes in; key-join -g name; key-join -g name - </dev/null; key-join -g name - in - </dev/null
	key-join -g "ranges[]" classes in; for take in x=a[] =a; do key-join -g name --take $take classes in; done
	key-join -g name ./nosuch in; key-join -g name classes nosuch' <<'END'
--- stderr
key-join: no key; add -g KEY,..., such as -g name
key-join: no FILE to join with; usage: key-join -g KEY,... [--take NAME=FIELD,...] [--left] [--last] FILE [INPUT...]
key-join: FILE and the input cannot both be standard input
key-join: FILE and the input cannot both be standard input
key-join: -g: 'ranges[]': expected fields with one value, without []
key-join: --take: 'x=a[]': expected NAME=FIELD, where FIELD has one value
key-join: --take: '=a': expected NAME=FIELD, where FIELD has one value
key-join: ./nosuch: cannot open: No such file or directory
key-join: nosuch: cannot open: No such file or directory
END
printf '{"name":"gemm","class":"x"}\n{"name":"relu","class"\n' >cut
check 'damaged records' 1 'key-join -g name --lenient classes cut; key-join -g name cut in' <<'END'
{"dur":1,"name":"gemm","class":"x","flops":8000}
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","dev":0,"class":"x","args":{"grid":[1,2]}}
{"ts":160,"kind":"kernel","name":"gemm","dev":0,"class":"own","flops":5}
--- stderr
key-join: cut:2: not a JSON record; skipped
key-join: cut:2: not a JSON record; skipped
key-join: 3 records left out: no record of FILE has their keys; --left writes them
END
check 'reads compressed files, in small pieces, with every scanner' 0 '
	key-join -g name --left classes in >want; gzip -c in >in.gz; gzip -c classes >classes.gz
	key-join -g name --left classes.gz in.gz | cmp - want
	TRACEFILTERS_READ=1 key-join -g name --left classes in | cmp - want
	TRACEFILTERS_SIMD=scalar key-join -g name --left classes in | cmp - want' <<'END'
END
check 'write errors' 2 'key-join -g name --quiet classes in >/dev/full' <<'END'
--- stderr
key-join: write error: No space left on device
END
check 'writes what is ready before it waits for input' 0 '
	mkfifo pipe; key-join -g name classes <pipe >out & exec 5>pipe; head -n 1 in >&5
	for i in 1 2 3 4 5 6 7 8 9 10; do [ -s out ] && break; sleep 0.1; done; wc -l <out; exec 5>&-; wait' <<'END'
1
END
have python3 && check 'equals dictionaries: random records' 0 "key_join.py $(amount 60 300 1000)" </dev/null

# The page states 40 bytes for each key, and 8 bytes for each member, beside the texts: here 5 bytes for the key, and 3
# and 4 for the members; and 2 MiB.
awk 'BEGIN { for (i = 10000; i < 100000; i++)
	printf "{\"corr\":%d,\"a\":%d,\"b\":%d}\n", i, i % 900 + 100, i % 9000 + 1000 }' >rows
can_measure && {
	"$BUILD/bench/measure" result key-join -g corr rows in >/dev/null 2>&1
	rss=$(sed 's/.*"rss": \([0-9]*\).*/\1/' result)
	"$BUILD/bench/measure" result key-join -g corr in in >/dev/null 2>&1
	each=$((((rss - $(sed 's/.*"rss": \([0-9]*\).*/\1/' result)) * 1024 - 2097152) / 90000))
	if [ "$each" -le $((40 + 5 + 2 * 8 + 7)) ]; then pass 'memory for 90,000 keys'; else echo "$each bytes a key" |
		fail 'memory for 90,000 keys'; fi
}
finish
