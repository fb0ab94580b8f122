# groupby: keys, aggregates, sort order, output formats, and a comparison with results computed in Python.
. "${0%/*}/../lib.sh"

cat >t.ndjson <<'END'
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","stream":7}
{"ts":160,"dur":90,"kind":"kernel","name":"gemm","stream":13}
{"ts":260,"dur":30,"kind":"kernel","name":"relu","stream":7,"ranges":["a","b","a"]}
{"ts":300,"kind":"mark","name":"re\u006cu","ranges":[]}
{"ts":301,"dur":5,"kind":"other"}
END

check 'computes count, sum, mean, min, max and share of dur by default' 0 'groupby -g kind t.ndjson' <<'END'
{"kind":"kernel","count":3,"dur_sum":160,"dur_mean":53.333333333333336,"dur_min":30,"dur_max":90,"dur_share":0.9696969696969697}
{"kind":"other","count":1,"dur_sum":5,"dur_mean":5,"dur_min":5,"dur_max":5,"dur_share":0.030303030303030304}
{"kind":"mark","count":1}
END
check 'sorts groups without sums, or with equal sums, by count' 0 '
	printf "%s\n" "{\"s\":\"a\"}" "{\"s\":\"b\"}" "{\"s\":\"b\"}" >nosum
	groupby -g s -t 1 -o csv nosum 2>said; groupby -g s -a count,share -o table nosum 2>>said
	sed "s/}/,\"dur\":0}/" nosum | groupby -g s -t 1 -a sum,count; groupby -g s -a sum -s dur_sum -t 1 nosum 2>>said;
	sort -u said' <<'END'
s,count,dur_sum,dur_mean,dur_min,dur_max,dur_share
b,2,,,,,
s  count  dur_share
b      2
a      1
{"kind":"groupby","s":"b","count":2,"dur_sum":0}
{"kind":"groupby","s":"a"}
groupby: no record has the field 'dur'
END
check 'without -g all records are one group' 0 'groupby -a count,sum <t.ndjson' <<'END'
{"kind":"groupby/event","count":5,"dur_sum":165}
END
check 'groups records without the key together; an escaped name equals a plain one' 0 \
	'groupby -g name -a count,sum t.ndjson' <<'END'
{"kind":"groupby/event","name":"gemm","count":2,"dur_sum":130}
{"kind":"groupby/event","name":"relu","count":2,"dur_sum":30}
{"kind":"groupby/event","count":1,"dur_sum":5}
END
check 'groups by two keys; equal sums are sorted by key, numbers by value' 0 \
	'groupby -g name -g stream -a count t.ndjson' <<'END'
{"kind":"groupby/event","name":"gemm","stream":7,"count":1}
{"kind":"groupby/event","name":"gemm","stream":13,"count":1}
{"kind":"groupby/event","name":"relu","stream":7,"count":1}
{"kind":"groupby/event","name":"relu","count":1}
{"kind":"groupby/event","count":1}
END
check 'a record is in the group of each distinct element of an array' 0 \
	'groupby -g "ranges[],kind" -a count,sum t.ndjson' <<'END'
{"kind":"kernel","count":2,"dur_sum":130}
{"ranges[]":"a","kind":"kernel","count":1,"dur_sum":30}
{"ranges[]":"b","kind":"kernel","count":1,"dur_sum":30}
{"kind":"other","count":1,"dur_sum":5}
{"kind":"mark","count":1}
END
check 'groups by the elements of an array alone' 0 'groupby -g "ranges[]" -a count t.ndjson' <<'END'
{"kind":"groupby/event","count":4}
{"kind":"groupby/event","ranges[]":"a","count":1}
{"kind":"groupby/event","ranges[]":"b","count":1}
END
check 'two array keys give the product of their elements' 0 \
	"printf '%s\n' '{\"a\":[1,2],\"b\":[\"x\",\"y\",\"x\"]}' '{\"b\":[\"x\"]}' | groupby -g 'a[],b[]' -a count" <<'END'
{"kind":"groupby","a[]":1,"b[]":"x","count":1}
{"kind":"groupby","a[]":1,"b[]":"y","count":1}
{"kind":"groupby","a[]":2,"b[]":"x","count":1}
{"kind":"groupby","a[]":2,"b[]":"y","count":1}
{"kind":"groupby","b[]":"x","count":1}
END
check '--cycle alone and after a key' 0 \
	'groupby --cycle 2 -a count,sum t.ndjson; groupby -g kind --cycle 3 -a count t.ndjson' <<'END'
{"kind":"groupby/event","cycle":1,"count":2,"dur_sum":90}
{"kind":"groupby/event","cycle":0,"count":3,"dur_sum":75}
{"kind":"kernel","cycle":0,"count":1}
{"kind":"kernel","cycle":1,"count":1}
{"kind":"kernel","cycle":2,"count":1}
{"kind":"mark","cycle":0,"count":1}
{"kind":"other","cycle":1,"count":1}
END
check 'names a bucket column after its key and sorts by it in ascending order' 0 \
	'groupby -g ts/100ns -a count,sum -s ts/100ns t.ndjson' <<'END'
{"kind":"groupby/event","ts/100ns":100,"count":2,"dur_sum":130}
{"kind":"groupby/event","ts/100ns":200,"count":1,"dur_sum":30}
{"kind":"groupby/event","ts/100ns":300,"count":2,"dur_sum":5}
END
check '-s accepts an aggregate that only one column has' 0 \
	'groupby -g kind -a count,mean -s mean t.ndjson' <<'END'
{"kind":"kernel","count":3,"dur_mean":53.333333333333336}
{"kind":"other","count":1,"dur_mean":5}
{"kind":"mark","count":1}
END
check '-s rejects an aggregate that two columns have' 2 'groupby -g kind -a mean:ts,mean -s mean t.ndjson' <<'END'
--- stderr
groupby: -s: 'mean': expected kind, ts_mean or dur_mean; did you mean 'ts_mean'?
END
check 'reports a field without numeric values' 0 \
	'groupby -a sum:name,first:kind t.ndjson; groupby -a first:name t.ndjson' <<'END'
{"kind":"groupby/event","kind_first":"kernel"}
{"kind":"groupby/event","name_first":"gemm"}
--- stderr
groupby: field 'name' has no numeric values
END
check 'reports input without any record' 1 \
	'jq . t.ndjson >pretty; groupby -a count pretty; { echo x; cat t.ndjson; } | groupby -a count' <<'END'
{"kind":"groupby/event","count":5}
--- stderr
groupby: pretty: not a record stream; convert the trace first: trace2ndjson pretty | groupby
groupby: pretty:1: not a JSON record; skipped (and 36 more)
groupby: stdin:1: not a JSON record; skipped
END
check 'all aggregates' 0 \
	'groupby -g kind -a count,median,p99.9,first,last:name,distinct:name,std,pstd,var,count:stream \
		-s count t.ndjson' <<'END'
{"kind":"kernel","count":3,"dur_median":40,"dur_p99.9":89.9,"dur_first":40,"name_last":"relu","name_distinct":2,"dur_std":32.145502536643185,"dur_pstd":26.246692913372705,"dur_var":1033.3333333333333,"stream_count":3}
{"kind":"mark","count":1,"name_last":"re\u006cu","name_distinct":1,"stream_count":0}
{"kind":"other","count":1,"dur_median":5,"dur_p99.9":5,"dur_first":5,"name_distinct":0,"dur_pstd":0,"stream_count":0}
END
check 'count comes first with several fields, and no column occurs twice' 0 \
	'groupby -f dur,stream -a sum,max:ts,count,sum t.ndjson' <<'END'
{"kind":"groupby/event","count":5,"dur_sum":165,"stream_sum":27,"ts_max":301}
END
check 'accepts a comma in a name after a backslash' 0 \
	'printf "%s\n" "{\"a,b\":1,\"c\":2}" "{\"a,b\":1,\"c\":3}" >comma
	groupby -g "a\\,b,c" -f "a\\,b,c" -a "sum,max:a\\,b" comma; groupby -g "a\\,b" -a count comma
	stats -f "a\\,b,c" -o csv comma | cut -d , -f 1-3; ndjson2table -f "c,a\\,b" -o csv comma' <<'END'
{"kind":"groupby","a,b":1,"c":2,"a,b_sum":1,"c_sum":2,"a,b_max":1}
{"kind":"groupby","a,b":1,"c":3,"a,b_sum":1,"c_sum":3,"a,b_max":1}
{"kind":"groupby","a,b":1,"count":2}
field,count,mean
"a,b",2
c,2,2.5
c,"a,b"
2,1
3,1
END
check 'ignores repeated keys and fields' 0 \
	'groupby -g kind,stream,kind -g stream -f dur,dur -a sum -t 1 t.ndjson; stats -f dur,dur t.ndjson | wc -l' <<'END'
{"kind":"kernel","stream":13,"dur_sum":90}
1
END
check '-s sorts numbers in descending and text in ascending order' 0 \
	'groupby -g name -a min,first:kind -s dur_min t.ndjson; groupby -g stream -a first:kind -s kind_first t.ndjson' <<'END'
{"kind":"groupby/event","name":"gemm","dur_min":40,"kind_first":"kernel"}
{"kind":"groupby/event","name":"relu","dur_min":30,"kind_first":"kernel"}
{"kind":"groupby/event","dur_min":5,"kind_first":"other"}
{"kind":"groupby/event","stream":7,"kind_first":"kernel"}
{"kind":"groupby/event","stream":13,"kind_first":"kernel"}
{"kind":"groupby/event","kind_first":"mark"}
END
check 'sorts by count when there is no sum' 0 'groupby -g stream -a max t.ndjson' <<'END'
{"kind":"groupby/event","stream":7,"dur_max":40}
{"kind":"groupby/event","dur_max":5}
{"kind":"groupby/event","stream":13,"dur_max":90}
END
check 'sums beyond 64 bits, extreme values, a single record' 0 \
	"printf '%s\n' '{\"dur\":9223372036854775807}' '{\"dur\":9223372036854775807}' '{\"dur\":-3}' |
		groupby -a sum,min,max,mean" <<'END'
{"kind":"groupby","dur_sum":18446744073709551611,"dur_min":-3,"dur_max":9223372036854775807,"dur_mean":6.148914691236517e18}
END
check 'integers remain integers next to fractions and text' 0 \
	"printf '%s\n' '{\"v\":3}' '{\"v\":2.5}' '{\"v\":\"4\"}' '{\"v\":null}' '{\"v\":9007199254740993}' |
		groupby -f v -a sum,min,max,count:v" <<'END'
{"kind":"groupby","v_sum":9007199254740998,"v_min":2.5,"v_max":9007199254740993,"v_count":4}
END
check 'integers of up to 128 bits are exact' 0 \
	"printf '%s\n' '{\"x\":18446744073709551617}' '{\"x\":-18446744073709551616}' |
		groupby -f x -a sum,min,max,first,list,mean" <<'END'
{"kind":"groupby","x_sum":1,"x_min":-18446744073709551616,"x_max":18446744073709551617,"x_first":18446744073709551617,"x_list":[18446744073709551617,-18446744073709551616],"x_mean":0.5}
END
printf '%s\n' '{"k":"a","x":1}' '{"k":"a","x":1e400}' '{"k":"b","x":-1e400}' '{"k":"b","x":1e308}' \
	'{"k":"b","x":1e308}' >large.nd
check 'numbers and results beyond the range of a double are left out and counted' 1 \
	'groupby -g k -f x -a count,count:x,sum,var,mean large.nd' <<'END'
{"kind":"groupby","k":"a","count":2,"x_count":1,"x_sum":1,"x_mean":1}
{"kind":"groupby","k":"b","count":3,"x_count":2,"x_var":0,"x_mean":1e308}
--- stderr
groupby: x_sum, k "b": result beyond the range of a double (1.8e308); left out
groupby: large.nd:2: number beyond the range of a double (1.8e308); left out (and 1 more)
END
check 'partial results count the numbers that were left out, and the merged result those of its own' 1 \
	'groupby --partial -g k -f x -a sum,max large.nd >large 2>/dev/null; groupby --merge large' <<'END'
{"kind":"groupby","k":"a","x_sum":1,"x_max":1}
{"kind":"groupby","k":"b","x_max":1e308}
--- stderr
groupby: x_sum, k "b": result beyond the range of a double (1.8e308); left out
groupby: large:4: record lost when the partial result was made (and 1 more)
END
check 'the row of the other groups has a sum beyond the range of a double, too' 1 \
	"printf '%s\n' '{\"k\":\"a\",\"x\":1e308}' '{\"k\":\"b\",\"x\":1e308}' '{\"k\":\"c\",\"x\":1e308}' |
		groupby -g k -a max:x,sum:x -t 1 -o md" <<'END'
| k       | x_max | x_sum |
| ------- | ----: | ----: |
| a       | 1e308 | 1e308 |
| (other) | 1e308 |       |
--- stderr
groupby: x_sum, (other): result beyond the range of a double (1.8e308); left out
END
check '--lenient exits 0 in spite of them' 0 'groupby --lenient -g k -f x -a max large.nd 2>/dev/null' <<'END'
{"kind":"groupby","k":"b","x_max":1e308}
{"kind":"groupby","k":"a","x_max":1}
END
check 'keys and distinct compare numbers by value' 0 \
	"printf '{\"x\":%s}\n' 0 -0 0.0 -0.0 0e5 '\"0\"' 1e3 1000 1e20 100000000000000000000 >zeros
	groupby -g x -a count -s x zeros; groupby -f x -a distinct zeros" <<'END'
{"kind":"groupby","x":0,"count":5}
{"kind":"groupby","x":1000,"count":2}
{"kind":"groupby","x":100000000000000000000,"count":2}
{"kind":"groupby","x":"0","count":1}
{"kind":"groupby","x_distinct":4}
END
check 'results in a unit, and interpolated percentiles, are rounded once' 0 \
	"printf '{\"dur\":%s}\n' 23 0 0 | groupby -a mean,std -u us
	printf '{\"x\":%s}\n' -1e16 48 | groupby -f x -a p99" <<'END'
{"kind":"groupby","dur_us_mean":0.007666666666666666,"dur_us_std":0.013279056191361393}
{"kind":"groupby","x_p99":-99999999999952.48}
END
check '-s accepts the quotes of a field' 0 "printf '{\"a/b\":%s,\"c,d\":%s}\n' 2 1 1 5 >quoted
	groupby -g '\"a/b\"' -s '\"a/b\"' -a count quoted
	groupby -g 'a/b' -f '\"c,d\"' -a sum -s '\"c,d_sum\"' quoted" <<'END'
{"kind":"groupby","a/b":1,"count":1}
{"kind":"groupby","a/b":2,"count":1}
{"kind":"groupby","a/b":1,"c,d_sum":5}
{"kind":"groupby","a/b":2,"c,d_sum":1}
END
check 'treats 1 and 1.0 as one key, and "1" as another' 0 \
	"printf '%s\n' '{\"v\":1}' '{\"v\":1.0}' '{\"v\":\"1\"}' '{\"v\":true}' '{\"v\":null}' '{\"v\":[1]}' |
		groupby -g v -a count" <<'END'
{"kind":"groupby","v":1,"count":2}
{"kind":"groupby","v":"1","count":1}
{"kind":"groupby","v":[1],"count":1}
{"kind":"groupby","v":true,"count":1}
{"kind":"groupby","count":1}
END

# --- formats ---

check '-o table: adds up the other groups in one row' 0 \
	'groupby -g name -o table -t 1 -a count,sum,mean,share,std,p50,distinct:name t.ndjson' <<'END'
name     count  dur_sum (ns)  dur_mean (ns)  dur_share (%)  dur_std (ns)  dur_p50 (ns)  name_distinct
gemm         2           130           65.0           78.8        35.355          65.0              1
(other)      3            35           17.5           21.2        17.678          17.5              1
END
check '-o md: the row of the other groups with two keys' 0 \
	'groupby -g name,stream -o md -t 1 -a count,sum t.ndjson' <<'END'
| name    | stream | count | dur_sum (ns) |
| ------- | ------ | ----: | -----------: |
| gemm    | 13     |     1 |           90 |
| (other) |        |     4 |           75 |
END
check '-o table: no row (other) when all groups are shown' 0 'groupby -g stream -o table -t 3 -a count t.ndjson' <<'END'
stream  count
     7      2
(none)      2
    13      1
END
check '-o csv and tsv: -t omits the other groups' 0 \
	'groupby -g name -t 1 -a count,sum -o csv t.ndjson; groupby -g name -t 1 -a count -o tsv t.ndjson' <<'END'
name,count,dur_sum
gemm,2,130
name	count
gemm	2
END
check 'with -u, the names of csv columns contain the unit' 0 \
	'groupby -g name -t 1 -a sum,max:ts -u us -o csv t.ndjson' <<'END'
name,dur_us_sum,ts_us_max
gemm,0.13,0.16
END
check 'with -u, the next program reads the unit from the names' 0 '
	for o in ndjson csv tsv; do groupby -g name -t 1 -a sum -u s -o $o t.ndjson | tail -n 1; done
	groupby -g name -t 1 -a sum -u us -o ndjson t.ndjson | ndjson2table;
	groupby -g name -t 1 -a sum -u us -o raw -f dur t.ndjson
	groupby -g name -a sum -u ms -o ndjson t.ndjson | plot bar -T | grep -o "time (.*)"' <<'END'
{"kind":"groupby/event","name":"gemm","dur_s_sum":0.00000013}
gemm,0.00000013
gemm	0.00000013
name  dur_sum (ns)
gemm           130
gemm
0.13
time (ns)
END
check 'without records prints nothing, or only the header' 0 \
	'groupby -g name </dev/null; groupby </dev/null; groupby -g name -a count -o csv </dev/null;
	groupby -g name -a count -o table </dev/null' <<'END'
name,count
name  count
END

# --- usage errors ---

check_re 'rejects an unknown aggregate' 2 'groupby -a summ t.ndjson' <<'END'
--- stderr
groupby: -a: 'summ': expected count, sum, mean, min, max, [a-z, ]*, median or pNN; did you mean 'sum'\?
END
check_re 'rejects a percentile above 100, one without a number, and an empty list' 2 \
	'groupby -a p101 t.ndjson; groupby -a p t.ndjson; groupby -a "" t.ndjson' <<'END'
--- stderr
groupby: -a: 'p101': expected count, .*
groupby: -a: 'p': expected count, .*
groupby: -a: '': expected count, .*
END
check '-s rejects an unknown column' 2 'groupby -g name -a sum,max -s dur_sun t.ndjson' <<'END'
--- stderr
groupby: -s: 'dur_sun': expected name, dur_sum or dur_max; did you mean 'dur_sum'?
END
check_re 'rejects invalid keys, fields, counts and times' 2 \
	'groupby -g a..b t.ndjson; groupby -a sum: t.ndjson; groupby -g ts/0 t.ndjson; groupby -t 0; groupby --cycle 0;
	groupby --every 0; groupby --every 1kB' <<'END'
--- stderr
groupby: -g: 'a\.\.b': invalid field: .*
groupby: -a: '': invalid field: .*
groupby: -g: 'ts/0': invalid field: .*
groupby: -t: '0': expected an integer >= 1
groupby: --cycle: '0': expected an integer >= 1
groupby: --every: '0': expected a time >= 1ms, .*
groupby: --every: '1kB': expected a time >= 1ms, .*
END
check 'reports fields that no record has' 0 'groupby -g nam -a sum:durr t.ndjson' <<'END'
{"kind":"groupby/event"}
--- stderr
groupby: no record has the field 'nam'; did you mean 'name'?
groupby: no record has the field 'durr'; did you mean 'dur'?
END

# --- while input is still arriving ---

check '--every prints intermediate results, tables separated by an empty line' 0 \
	'{ cat t.ndjson; sleep 1.5; } | groupby -a count,sum --every 1s -o table; { cat t.ndjson; sleep 1.5; } |
		groupby -a count --every 1s' <<'END'
count  dur_sum (ns)
    5           165

count  dur_sum (ns)
    5           165
{"kind":"groupby/event","count":5}
{"kind":"groupby/event","count":5}
END
check 'an interrupt ends the input' 0 \
	'mkfifo pipe; env --default-signal=INT groupby -a count pipe & exec 3>pipe; cat t.ndjson >&3; sleep 1; kill -INT $!;
		wait $!' <<'END'
{"kind":"groupby/event","count":5}
END
check 'an ignored interrupt, as in background jobs, has no effect' 0 \
	'groupby -a count pipe & exec 3>pipe; cat t.ndjson >&3; sleep 1; kill -INT $!; sleep 0.2; cat t.ndjson >&3; exec 3>&-;
		wait $!' <<'END'
{"kind":"groupby/event","count":10}
END
check 'the output of bucket groups can be grouped by the same bucket' 0 \
	'groupby -g ts/100ns,name t.ndjson | groupby -g ts/100ns -a count,sum:count -s ts/100ns' <<'END'
{"kind":"groupby/event","ts/100ns":100,"count":1,"count_sum":2}
{"kind":"groupby/event","ts/100ns":200,"count":1,"count_sum":1}
{"kind":"groupby/event","ts/100ns":300,"count":2,"count_sum":2}
END

# --- compared with Python ---

cat >weighted.nd <<'END'
{"kind":"kernel","name":"a","dur":10,"args":{"occ":50}}
{"kind":"kernel","name":"a","dur":30,"args":{"occ":10}}
{"kind":"kernel","name":"a","dur":5}
{"kind":"kernel","name":"a","args":{"occ":99}}
{"kind":"kernel","name":"a","dur":2,"args":{"occ":"high"}}
{"kind":"kernel","name":"b","dur":0,"args":{"occ":50}}
{"kind":"kernel","name":"c","dur":4,"args":{"occ":[1,2]}}
END
check 'wmean: the weight is dur or the first field of -f' 0 '
	groupby -g name -a sum:args.occ,wmean:args.occ weighted.nd
	groupby -g name -f dur,args.occ -a wmean:args.occ,count -o csv weighted.nd
	groupby -f args.occ -a wmean:dur,wmean:args.occ weighted.nd
	groupby -g name -a wmean:args.occ[] -t 1 -o table weighted.nd' <<'END'
{"kind":"groupby/event","name":"a","args.occ_sum":159,"args.occ_wmean":20}
{"kind":"groupby/event","name":"b","args.occ_sum":50}
{"kind":"groupby/event","name":"c"}
name,count,args.occ_wmean
a,5,20
b,1,
c,1,
{"kind":"groupby/event","dur_wmean":7.2727272727272725,"args.occ_wmean":71.29665071770334}
name     args.occ[]_wmean
a
(other)               1.5
END
check 'wmean needs a field' 2 'groupby -a wmean weighted.nd' <<'END'
--- stderr
groupby: -a: 'wmean': expected wmean:FIELD
END

have python3 && {
	check 'results of random records are those of exact fractions' 0 'group_statistics.py 5 12' <<'END'
12 sets
END

	# Groups of 1, 4095, 4096, 4097 and 20000 values. Results are exact for up to 4096 values; for more values, the
	# error is at most 0.6 %, and only the digits that are certain are printed. Each ts is a present-day time in ns,
	# which a double cannot represent exactly.
	cat >values.py <<'END'
import random
random.seed(5)
for n in 1, 4095, 4096, 4097, 20000:
    for i in range(n):
        print('{"n":%d,"ts":%d,"dur":%d,"load":%r}' % (n, random.randrange(1700 * 10**15, 1701 * 10**15),
              random.lognormvariate(9, 2), random.lognormvariate(0, 2) - 1))
END
	python3 values.py >values.ndjson
	slow check 'percentiles are exact up to 4096 values of a group' 0 \
		'groupby -g n -f ts,dur,load -a p0,p0.1,p5,p25,p50,p75,p99,p99.9,p100 -s n values.ndjson >got.ndjson;
			percentiles.py' <<'END'
1 exact 0
4095 exact 0
4096 exact 0
4097 approximate 4
20000 approximate 4
END
	awk 'BEGIN { for (i = 0; i < 5000; i++) { print "{\"k\":\"few\",\"dur\":" 4500000 + i % 1000 ",\"bytes\":" i % 200 "}"
		print "{\"k\":\"many\",\"dur\":" 10000 + i ",\"bytes\":" 3000 + i "}" } }' | sed -n '1,8001p;8001,${/many/p}' >marked
	check 'formats for people mark approximate percentiles and print only their known digits' 0 '
		groupby -g k -f dur,bytes -a p50,p100 -o table marked; groupby -g k -f dur,bytes -a p50,p100 -u s -u KiB -o md marked
		groupby -g k -a p50 -o csv marked; groupby -g k -a p50 --exact -o list marked' <<'END'
k     dur_p50 (us)  bytes_p50 (B)  dur_p100 (us)  bytes_p100 (B)
many        ≈12.51          ≈5490         14.999            7999
few       4500.499             99       4500.999             199
| k    | dur_p50 (s) | bytes_p50 (KiB) | dur_p100 (s) | bytes_p100 (KiB) |
| ---- | ----------: | --------------: | -----------: | ---------------: |
| many | ≈0.00001251 |           ≈5.36 |    0.0000150 |            7.812 |
| few  |     0.00450 |          0.0967 |      0.00450 |            0.194 |
k,dur_p50
many,12510
few,4500499
k             many
dur_p50 (us)  12.500

k             few
dur_p50 (us)  4500.499
END
	check 'groupby and stats give the same percentiles up to 4096 values' 0 '
		filter-calls -w n==4096 values.ndjson | groupby -a p25,p50,p75 -o csv | tail -n 1 >ours
		filter-calls -w n==4096 values.ndjson | stats -o csv | tail -n 1 | cut -d , -f 6-8 | diff ours -' </dev/null
}

# --- --subtotals and list

cat >levels.ndjson <<'E'
{"dev":0,"op":"a","k":"x","dur":5}
{"dev":0,"op":"a","k":"y","dur":7}
{"dev":0,"op":"b","k":"x","dur":3}
{"dev":1,"op":"a","k":"x","dur":50}
{"dev":1,"k":"x","dur":50}
E
check '--subtotals: prints each subtotal before its groups' 0 \
	'groupby -g dev,op,k --subtotals dev,op -a sum,share,list:k -o csv levels.ndjson' <<'E'
dev,op,k,level,dur_sum,dur_share,k_list
1,,,1,100,0.8695652173913043,"[""x"",""x""]"
1,a,,2,50,0.5,"[""x""]"
1,a,x,3,50,1,"[""x""]"
1,,,2,50,0.5,"[""x""]"
1,,x,3,50,1,"[""x""]"
0,,,1,15,0.13043478260869565,"[""x"",""y"",""x""]"
0,a,,2,12,0.8,"[""x"",""y""]"
0,a,y,3,7,0.5833333333333334,"[""y""]"
0,a,x,3,5,0.4166666666666667,"[""x""]"
0,b,,2,3,0.2,"[""x""]"
0,b,x,3,3,1,"[""x""]"
E
check '--subtotals: -t refers to the groups of a subtotal; tables leave the keys blank' 0 \
	'groupby -g dev,op,k --subtotals dev -t 1 -a sum -o table levels.ndjson' <<'E'
dev  op  k  level  dur_sum (ns)
  1             1           100
  1  a   x      2            50
  0             1            15
  0  a   y      2             7
E
check '--subtotals: arrays, -s and --cycle' 0 \
	"printf '%s\\n' '{\"a\":[1,2,1],\"b\":[5,6],\"dur\":2}' '{\"a\":2,\"b\":5,\"dur\":3}' |
	groupby -g a[],b[] --subtotals a[] --cycle 2 -a sum -s a[] -o csv" <<'E'
a[],b[],cycle,level,dur_sum
1,,,1,2
1,5,0,2,2
1,6,0,2,2
2,,,1,2
2,5,0,2,2
2,6,0,2,2
,,,1,3
,,1,2,3
E
check 'subtotals and lists of random records' 0 'subtotals.py' </dev/null
check '--subtotals: rejects keys that -g does not have' 2 \
	'groupby -g a,b --subtotals b levels.ndjson; groupby --subtotals c levels.ndjson
	groupby -g a,b --subtotals x levels.ndjson' <<'E'
--- stderr
groupby: --subtotals: 'b': expected a KEY of -g that is not the last one
groupby: --subtotals: 'c': expected a KEY of -g that is not the last one
groupby: --subtotals: 'x': expected a KEY of -g that is not the last one
E

finish
