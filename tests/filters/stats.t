# stats: columns, percentiles, groups, histograms, the list of fields.
. "${0%/*}/../lib.sh"

cat >t.ndjson <<'END'
{"ts":100,"dur":40,"kind":"kernel","name":"gemm","stream":7}
{"ts":160,"dur":90,"kind":"kernel","name":"gemm","stream":13}
{"ts":260,"dur":30,"kind":"kernel","name":"relu","stream":7,"ranges":["a","b"]}
{"ts":300,"kind":"mark","name":"relu"}
{"ts":301,"dur":5,"kind":"other"}
END

check 'describes dur by default' 0 'stats t.ndjson' <<'END'
{"kind":"stats","field":"dur","count":4,"mean":41.25,"std":35.67795771434608,"min":5,"p25":23.75,"p50":35,"p75":52.5,"max":90,"sum":165}
END
check 'two fields, groups, and additional percentiles in ascending order' 0 \
	'stats -g name -f dur,stream -q 99.9,10 -q 50 t.ndjson' <<'END'
{"kind":"stats","name":"gemm","field":"dur","count":2,"mean":65,"std":35.35533905932738,"min":40,"p10":45,"p25":52.5,"p50":65,"p75":77.5,"p99.9":89.95,"max":90,"sum":130}
{"kind":"stats","name":"gemm","field":"stream","count":2,"mean":10,"std":4.242640687119285,"min":7,"p10":7.6,"p25":8.5,"p50":10,"p75":11.5,"p99.9":12.994,"max":13,"sum":20}
{"kind":"stats","name":"relu","field":"dur","count":1,"mean":30,"min":30,"p10":30,"p25":30,"p50":30,"p75":30,"p99.9":30,"max":30,"sum":30}
{"kind":"stats","name":"relu","field":"stream","count":1,"mean":7,"min":7,"p10":7,"p25":7,"p50":7,"p75":7,"p99.9":7,"max":7,"sum":7}
{"kind":"stats","field":"dur","count":1,"mean":5,"min":5,"p10":5,"p25":5,"p50":5,"p75":5,"p99.9":5,"max":5,"sum":5}
{"kind":"stats","field":"stream","count":0}
END
cat >foreign.ndjson <<'END'
{"host":"a","load":1,"slots":[1],"n/x":null,"pid":7}
{"host":"b","load":2.5,"slots":"3","n\u002fx":4}
{"host":"b","load":"none","free":8}
END
check 'without -f and dur describes all numeric members' 0 '
	stats -o csv foreign.ndjson | cut -d , -f 1-3; stats -g host,pid -o csv foreign.ndjson | cut -d , -f 1-5
	(sed q foreign.ndjson; cat t.ndjson) | stats; stats --hist foreign.ndjson | cut -d , -f 2 | uniq;
	stats --cycle 3 -o csv foreign.ndjson | sed -n 2p
	echo "{\"a\":\"1\"}" | stats' <<'END'
field,count,mean
load,2,1.75
pid,1,7
n/x,1,4
free,1,8
host,pid,field,count,mean
b,,load,1,2.5
b,,n/x,1,4
b,,free,1,8
a,7,load,1,1
a,7,n/x,0,
a,7,free,0,
{"kind":"stats","field":"dur","count":4,"mean":41.25,"std":35.67795771434608,"min":5,"p25":23.75,"p50":35,"p75":52.5,"max":90,"sum":165}
"field":"load"
"field":"pid"
"field":"n/x"
"field":"free"
1,load,1,2.5,,2.5,2.5,2.5,2.5,2.5,2.5
{"kind":"stats","field":"dur","count":0}
--- stderr
stats: no record has the field 'dur'
END
awk 'BEGIN { for (i = 0; i < 1000; i++) print "{\"a\":" i "}"; for (i = 0; i < 3; i++)
	print "{\"a\":1,\"dur\":2,\"b\":3}" }' >late.ndjson
check 'takes the fields from the first 1000 records and counts every record, also with --every' 0 '
	stats -o csv late.ndjson | cut -d , -f 1,2; sed 1d late.ndjson | stats -o csv | cut -d , -f 1,2
	{ head -n 2 late.ndjson; sleep 1; sed 1,2d late.ndjson; } | stats --every 300ms -o csv | sed "/^field/d" |
	cut -d , -f 1,2 | uniq' <<'END'
field,count
a,1003
field,count
dur,3
a,2
a,1003
END
{ printf '{"a":1,"x":"'; head -c 1048576 /dev/zero | tr '\0' p; echo '"}'; } >long
check 'stores at most 16 MiB of the records without dur' 0 '
	for n in 15 16; do
		for i in $(seq $n); do cat long; done | cat - t.ndjson | stats -o csv | cut -d , -f 1,2
	done' <<'END'
field,count
dur,4
field,count
a,16
END
check '-g cycle sets the position of the cycle column' 0 \
	'stats --cycle 2 -g cycle,name -o csv t.ndjson | cut -d , -f 1-4; stats --cycle 2 -g name,cycle t.ndjson | head -n 1 |
		cut -d , -f 2-4' <<'END'
cycle,name,field,count
1,gemm,dur,1
0,gemm,dur,1
0,relu,dur,1
0,,dur,1
1,relu,dur,0
"name":"gemm","cycle":1,"field":"dur"
END
check '--cycle' 0 'stats --cycle 2 t.ndjson | cut -d , -f 2-4' <<'END'
"cycle":1,"field":"dur","count":1
"cycle":0,"field":"dur","count":3
END
check 'a table shows a unit when all fields have the same unit' 0 \
	'stats -o table t.ndjson; stats -o table -f dur,stream t.ndjson' <<'END'
field  count  mean (ns)  std (ns)  min (ns)  p25 (ns)  p50 (ns)  p75 (ns)  max (ns)  sum (ns)
dur        4      41.25    35.678         5     23.75        35      52.5        90       165
field   count   mean     std  min    p25  p50   p75  max  sum
dur         4  41.25  35.678    5  23.75   35  52.5   90  165
stream      3   9.00   3.464    7   7.00    7  10.0   13   27
END
check 'integers of up to 128 bits are exact, and numbers beyond the range of a double are left out' 1 \
	"printf '{\"v\":%s}\n' 18446744073709551617 -18446744073709551616 1e400 | stats" <<'END'
{"kind":"stats","field":"v","count":2,"mean":0.5,"std":2.6087635650665566e19,"min":-18446744073709551616,"p25":-9.223372036854776e18,"p50":0,"p75":9.223372036854776e18,"max":18446744073709551617,"sum":1}
--- stderr
stats: stdin:3: number beyond the range of a double (1.8e308); left out
END
check 'counts only numeric values' 0 \
	"printf '%s\n' '{\"v\":1}' '{\"v\":\"2\"}' '{\"v\":null}' '{\"v\":2.5}' | stats -f v" <<'END'
{"kind":"stats","field":"v","count":2,"mean":1.75,"std":1.0606601717798212,"min":1,"p25":1.375,"p50":1.75,"p75":2.125,"max":2.5,"sum":3.5}
END
check 'input without records' 0 \
	'stats </dev/null; stats --hist </dev/null; stats --fields </dev/null; stats -o csv </dev/null' <<'END'
field,count,mean,std,min,p25,p50,p75,max,sum
END
check 'reports a field that no record has' 0 'stats -f durr t.ndjson' <<'END'
{"kind":"stats","field":"durr","count":0}
--- stderr
stats: no record has the field 'durr'; did you mean 'dur'?
END

# --- histograms ---

check '--hist: equal bins' 0 'stats --hist t.ndjson; stats --hist -f stream -o table t.ndjson' <<'END'
{"kind":"histogram","field":"dur","from":5,"to":10,"count":1}
{"kind":"histogram","field":"dur","from":10,"to":15,"count":0}
{"kind":"histogram","field":"dur","from":15,"to":20,"count":0}
{"kind":"histogram","field":"dur","from":20,"to":25,"count":0}
{"kind":"histogram","field":"dur","from":25,"to":30,"count":0}
{"kind":"histogram","field":"dur","from":30,"to":35,"count":1}
{"kind":"histogram","field":"dur","from":35,"to":40,"count":0}
{"kind":"histogram","field":"dur","from":40,"to":45,"count":1}
{"kind":"histogram","field":"dur","from":45,"to":50,"count":0}
{"kind":"histogram","field":"dur","from":50,"to":55,"count":0}
{"kind":"histogram","field":"dur","from":55,"to":60,"count":0}
{"kind":"histogram","field":"dur","from":60,"to":65,"count":0}
{"kind":"histogram","field":"dur","from":65,"to":70,"count":0}
{"kind":"histogram","field":"dur","from":70,"to":75,"count":0}
{"kind":"histogram","field":"dur","from":75,"to":80,"count":0}
{"kind":"histogram","field":"dur","from":80,"to":85,"count":0}
{"kind":"histogram","field":"dur","from":85,"to":90,"count":0}
{"kind":"histogram","field":"dur","from":90,"to":95,"count":1}
 stream, 3 values

   7 to 8 ###################################################################  2
   8 to 9   0
  9 to 10   0
 10 to 11   0
 11 to 12   0
 12 to 13   0
 13 to 14 ################################## 1
          -------------------------------------------------------------------
          0                                1                                 2
                                        records
END
check '--hist: bins grow with values of several decades; one histogram per group' 0 \
	"printf '%s\n' '{\"dur\":400,\"k\":1}' '{\"dur\":90000,\"k\":1}' '{\"dur\":7,\"k\":\"x\"}' '{\"k\":2}' |
		stats --hist -g k -o table" <<'END'
 dur, k 1, 2 values

 200 ns to 500 ns ###########################################################  1
   500 ns to 1 us   0
     1 us to 2 us   0
     2 us to 5 us   0
    5 us to 10 us   0
   10 us to 20 us   0
   20 us to 50 us   0
  50 us to 100 us ###########################################################  1
                  -----------------------------------------------------------
                  0                                                          1
                                            records

 dur, k "x", 1 values

 7 ns to 8 ns ###############################################################  1
              ---------------------------------------------------------------
              0                                                              1
                                          records
END
check '--hist: rows with keys, in a given unit' 0 \
	"printf '%s\n' '{\"dur\":1500,\"k\":1}' '{\"dur\":3000,\"k\":2}' | stats --hist -g k -u us -o csv" <<'END'
k,field,from_us,to_us,count
2,dur,3,3.001,1
1,dur,1.5,1.501,1
END

# --- fields ---

cat >f.ndjson <<'END'
{"ts":1,"dur":2,"kind":"kernel","name":"a","delay":5,"args":{"grid":[1,2,3],"a.b":1.5,"deep":{"er":[{"x":null},{"x":true}]}}}
{"ts":2,"kind":"api","name":"a very long name that is not shown up to its end","args":{"grid":"none"}}
{"name":7}
END
check '--fields' 0 'stats --fields f.ndjson' <<'END'
{"kind":"fields","field":"ts","kinds":"api,kernel","types":"integer","count":2,"example":1}
{"kind":"fields","field":"dur","kinds":"kernel","types":"integer","count":1,"example":2}
{"kind":"fields","field":"kind","kinds":"api,kernel","types":"string","count":2,"example":"kernel"}
{"kind":"fields","field":"name","kinds":"api,kernel","types":"integer,string","count":3,"example":"a"}
{"kind":"fields","field":"delay","kinds":"kernel","types":"integer","count":1,"example":5}
{"kind":"fields","field":"a.b","kinds":"kernel","types":"number","count":1,"example":1.5}
{"kind":"fields","field":"args","kinds":"api,kernel","types":"object","count":2,"example":"{\"grid\":[1,2,3],\"a.b\":1.5,\"deep\":{\"er..."}
{"kind":"fields","field":"args.deep","kinds":"kernel","types":"object","count":1,"example":{"er":[{"x":null},{"x":true}]}}
{"kind":"fields","field":"args.deep.er","kinds":"kernel","types":"array","count":1,"example":[{"x":null},{"x":true}]}
{"kind":"fields","field":"args.deep.er[]","kinds":"kernel","types":"object","count":2,"example":{"x":null}}
{"kind":"fields","field":"args.deep.er[].x","kinds":"kernel","types":"boolean,null","count":2,"example":true}
{"kind":"fields","field":"args.grid","kinds":"api,kernel","types":"string,array","count":2,"example":[1,2,3]}
{"kind":"fields","field":"args.grid[]","kinds":"kernel","types":"integer","count":3,"example":1}
END
check 'every field that --fields lists can be used with -f' 0 \
	'stats --fields f.ndjson | ndjson2table -f field -o raw |
		while read -r f; do groupby -f "$f" -a "count:$f" f.ndjson; done' <<'END'
{"kind":"groupby/event","ts_count":2}
{"kind":"groupby/event","dur_count":1}
{"kind":"groupby/event","kind_count":2}
{"kind":"groupby/event","name_count":3}
{"kind":"groupby/event","delay_count":1}
{"kind":"groupby/event","a.b_count":1}
{"kind":"groupby/event","args_count":2}
{"kind":"groupby/event","args.deep_count":1}
{"kind":"groupby/event","args.deep.er_count":1}
{"kind":"groupby/event","args.deep.er[]_count":2}
{"kind":"groupby/event","args.deep.er[].x_count":1}
{"kind":"groupby/event","args.grid_count":2}
{"kind":"groupby/event","args.grid[]_count":3}
END

# --- usage errors ---

check '-q rejects what is not a number from 0 to 100' 2 \
	'stats -q 50,101 t.ndjson; stats -q p50 t.ndjson; stats -q "" t.ndjson' <<'END'
--- stderr
stats: -q: '101': expected a number from 0 to 100
stats: -q: 'p50': expected a number from 0 to 100
stats: -q: '': expected a number from 0 to 100
END
printf '%s\n' '{"dur":-5}' '{"dur":0}' '{"dur":999}' '{"dur":1000}' '{"dur":9000}' '{"dur":10000}' >edges
check '--bins: N bins of a range larger than the largest double' 0 \
	"printf '%s\\n' '{\"x\":-1.5e308}' '{\"x\":1.5e308}' | stats --hist --bins 3 -f x" <<'END'
{"kind":"histogram","field":"x","from":-1.5e308,"to":-5e307,"count":1}
{"kind":"histogram","field":"x","from":-5e307,"to":5e307,"count":0}
{"kind":"histogram","field":"x","from":5e307,"to":1.5e308,"count":1}
END
check '--bins: N bins of the same width from the minimum to the maximum' 0 'stats --hist --bins 2 edges' <<'END'
{"kind":"histogram","field":"dur","from":-5,"to":4997.5,"count":4}
{"kind":"histogram","field":"dur","from":4997.5,"to":10000,"count":2}
END
check '--bins: given edges, with bins before and after them' 0 '
	stats --hist --bins 0,1us,10us edges; stats --hist --bins 0,1us,10us -o table edges
	stats --hist --bins=-10,20us -o csv edges' <<'END'
{"kind":"histogram","field":"dur","to":0,"count":1}
{"kind":"histogram","field":"dur","from":0,"to":1000,"count":2}
{"kind":"histogram","field":"dur","from":1000,"to":10000,"count":2}
{"kind":"histogram","field":"dur","from":10000,"count":1}
 dur, 6 values

    below 0 ns ###############################  1
  0 ns to 1 us ##############################################################  2
 1 us to 10 us ##############################################################  2
    from 10 us ###############################  1
               --------------------------------------------------------------
               0                              1                              2
                                           records
field,from,to,count
dur,-10,20000,6
END
check '--log: bins whose widths grow by a factor' 0 \
	'stats --hist --log edges; stats --hist --log --bins 3 edges' <<'END'
{"kind":"histogram","field":"dur","to":1,"count":2}
{"kind":"histogram","field":"dur","from":1,"to":2,"count":0}
{"kind":"histogram","field":"dur","from":2,"to":5,"count":0}
{"kind":"histogram","field":"dur","from":5,"to":10,"count":0}
{"kind":"histogram","field":"dur","from":10,"to":20,"count":0}
{"kind":"histogram","field":"dur","from":20,"to":50,"count":0}
{"kind":"histogram","field":"dur","from":50,"to":100,"count":0}
{"kind":"histogram","field":"dur","from":100,"to":200,"count":0}
{"kind":"histogram","field":"dur","from":200,"to":500,"count":0}
{"kind":"histogram","field":"dur","from":500,"to":1000,"count":1}
{"kind":"histogram","field":"dur","from":1000,"to":2000,"count":1}
{"kind":"histogram","field":"dur","from":2000,"to":5000,"count":0}
{"kind":"histogram","field":"dur","from":5000,"to":10000,"count":1}
{"kind":"histogram","field":"dur","from":10000,"to":20000,"count":1}
{"kind":"histogram","field":"dur","to":1,"count":2}
{"kind":"histogram","field":"dur","from":1,"to":100,"count":0}
{"kind":"histogram","field":"dur","from":100,"to":10000,"count":4}
END
check '--bins rejects what is neither a number nor ascending edges' 2 '
	for bins in 0 x 10001 5,5 9,1 1, ,; do stats --hist --bins "$bins" edges; done
	stats --bins 5 edges; stats --log edges; stats --hist --log --bins 1,2 edges; exit 2' <<END
--- stderr
stats: --bins: '0': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins: 'x': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins: '10001': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins: '5,5': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins: '9,1': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins: '1,': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins: ',': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms
stats: --bins needs --hist
stats: --log needs --hist
stats: --bins with edges and --log cannot be used together
END
check 'rejects --hist with --fields' 2 'stats --hist --fields t.ndjson' <<'END'
--- stderr
stats: --hist and --fields cannot be used together
END

# --- exactness ---

only_slow_follow # a million values
have python3 && {
	cat >quantiles.py <<'END'
import json, sys
limit = float(sys.argv[1])
values = sorted(json.loads(line)['dur'] for line in open('many.ndjson'))
got = json.loads(sys.stdin.readline())
for name in got:
    if name[0] == 'p':
        rank = float(name[1:]) * (len(values) - 1) / 100
        k = int(rank)
        want = values[k] + (values[min(k + 1, len(values) - 1)] - values[k]) * (rank - k)
        if abs(got[name] - want) > limit * abs(want):
            print(name, got[name], want)
print(got['count'], got['sum'] == sum(values))
END
	python3 -c '
import random
random.seed(3)
for i in range(1000500):
    print("{\"dur\":%d}" % random.lognormvariate(9, 2))' >many.ndjson
	check 'over a million values: within 0.6 %, exact with --exact' 0 \
		'stats -q 1,90,99.9 many.ndjson | python3 quantiles.py 0.006; stats --exact -q 1,90,99.9 many.ndjson |
			python3 quantiles.py 1e-9' <<'END'
1000500 True
1000500 True
END
	check 'groups with exact and with estimated percentiles: the order of the records does not change a byte' 0 \
		"stats -g dur/4us many.ndjson >many.out; sort many.ndjson | stats -g dur/4us | cmp - many.out
		grep -c '\"count\":[0-9][0-9]*[0-9][0-9][0-9][0-9]' many.out" <<'END'
13
END
	check 'up to a million values: exact' 0 \
		'head -n 1000000 many.ndjson >m && mv m many.ndjson; stats -q 99 many.ndjson | python3 quantiles.py 1e-9' <<'END'
1000000 True
END
}

finish
