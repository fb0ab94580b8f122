#!/bin/sh
# ndjson2table.t: records as tables, CSV, TSV, Markdown and lists.
. "${0%/*}/../lib.sh"

cat >a.ndjson <<'E'
{"ts":100,"dur":90500,"kind":"kernel","name":"void gemm<float, 4>(float*, int)","stream":7,"corr":9}
{"ts":160,"dur":1200,"kind":"memcpy","name":"Memcpy HtoD (Pinned -> Device)","bytes":4096,"args":{"grid":[1,2,3],"a, b":1}}
{"ts":-5,"kind":"mark","name":"line\nbreak, \"quoted\" | \\ \u00e9\u001b","ranges":["outer","in,ner"],"flag":true,"none":null}
E

# --- formats

check 'table' 0 'ndjson2table a.ndjson' <<'E'
ts (ns)  dur (us)  kind    name                             stream  corr  bytes (B)  ranges              flag  none
    100      90.5  kernel  gemm                                  7     9
    160       1.2  memcpy  Memcpy HtoD (Pinned -> Device)                      4096
     -5            mark    line\nbreak, "quoted" | \ é\x1b                           ["outer","in,ner"]  true
E
printf '%s\n' '{"status":200,"id":"7"}' '{"status":"200","id":"8"}' '{"status":"2x"}' >mixed
check 'a text that reads as a number has quotes in a column with numbers' 0 \
	'ndjson2table mixed; groupby -g status -a count -o md mixed; ndjson2table -o csv mixed' <<'E'
id  status
7   200
8   "200"
    2x
| status | count |
| ------ | ----: |
| 200    |     1 |
| "200"  |     1 |
| 2x     |     1 |
id,status
7,200
8,200
,2x
E
check '--wide shows full names' 0 'ndjson2table --wide -f name,dur -t 2 a.ndjson' <<'E'
name                              dur (us)
void gemm<float, 4>(float*, int)      90.5
Memcpy HtoD (Pinned -> Device)         1.2
E
check '--wide shows args as a column' 0 'tail -n +2 a.ndjson | ndjson2table --wide -t 1' <<'E'
ts (ns)  dur (ns)  kind    name                            bytes (B)  args
    160      1200  memcpy  Memcpy HtoD (Pinned -> Device)       4096  {"grid":[1,2,3],"a, b":1}
E
check 'md' 0 'ndjson2table -o md -f name,dur a.ndjson' <<'E'
| name                                | dur (us) |
| ----------------------------------- | -------: |
| gemm                                |     90.5 |
| Memcpy HtoD (Pinned -> Device)      |      1.2 |
| line<br>break, "quoted" \| \\ é\x1b |          |
E
echo '{"ts":5,"name":"a","args":{"eventId":37,"x y":{"z":[1,2],"e":{}}},"api":{"ts":2,"name":"l"}}' >nested
sed 's/"eventId":37/"late":1/' nested | cat nested - >two
check 'list: members of objects have their own lines' 0 \
	'ndjson2table -o list --wide two; ndjson2table -o list nested' <<'E'
ts (ns)       5
name          a
api.ts        2
api.name      l
args.eventId  37
args.x y.z    [1,2]
args.x y.e    {}

ts (ns)       5
name          a
api.ts        2
api.name      l
args.x y.z    [1,2]
args.x y.e    {}
args.late     1
ts (ns)   5
name      a
api.ts    2
api.name  l
E
check 'list: a member of an object that has no column is reported' 1 \
	'(yes "{\"a\":{\"b\":1}}" | sed 1000q; echo "{\"a\":{\"b\":2,\"c\":3}}") | ndjson2table -o list >out; s=$?
	tail -n 1 out; exit $s' <<'E'
a.b  2
--- stderr
ndjson2table: stdin:1001: member 'a.c' not shown: the first 1000 records lack it; name columns with -f
E
check 'list' 0 'ndjson2table -o list a.ndjson' <<'E'
ts (ns)    100
dur (us)   90.5
kind       kernel
name       gemm
stream     7
corr       9

ts (ns)    160
dur (us)   1.2
kind       memcpy
name       Memcpy HtoD (Pinned -> Device)
bytes (B)  4096

ts (ns)    -5
kind       mark
name       line\nbreak, "quoted" | \ é\x1b
ranges     ["outer","in,ner"]
flag       true
E
check 'csv' 0 'ndjson2table -o csv a.ndjson | tr "\033" "#"' <<'E'
ts,dur,kind,name,stream,corr,bytes,ranges,flag,none,args
100,90500,kernel,"void gemm<float, 4>(float*, int)",7,9,,,,,
160,1200,memcpy,Memcpy HtoD (Pinned -> Device),,,4096,,,,"{""grid"":[1,2,3],""a, b"":1}"
-5,,mark,"line
break, ""quoted"" | \ é#",,,,"[""outer"",""in,ner""]",true,,
E
check 'tsv' 0 'ndjson2table -o tsv -f name,kind,ranges a.ndjson | tr "\t\033" "^#"' <<'E'
name^kind^ranges
void gemm<float, 4>(float*, int)^kernel^
Memcpy HtoD (Pinned -> Device)^memcpy^
line\nbreak, "quoted" | \\ é#^mark^["outer","in,ner"]
E
check '-o ndjson writes the records unchanged' 0 'ndjson2table -o ndjson a.ndjson | cmp - a.ndjson' </dev/null
check '-o ndjson -f writes only the columns' 0 'ndjson2table -o ndjson -f name,durr,dur,ranges[] a.ndjson' <<'E'
{"name":"void gemm<float, 4>(float*, int)","dur":90500}
{"name":"Memcpy HtoD (Pinned -> Device)","dur":1200}
{"name":"line\nbreak, \"quoted\" | \\ \u00e9\u001b","ranges[]":["outer","in,ner"]}
--- stderr
ndjson2table: no record has the field 'durr'; did you mean 'dur'?
E
check 'the hint about a field refers to the records that were read' 0 \
	'printf "%s\n" "{\"kind\":\"meta\",\"name\":\"a\"}" "{\"dur\":4}" | ndjson2table -t 1 -f dur -o csv' <<'EOF'
dur
""
--- stderr
ndjson2table: no record that was read has the field 'dur'
EOF

# --- fields

check 'fields of all kinds' 0 \
	'ndjson2table -o csv -f end,short,args.grid -f "a\, b,grid[],ts/100ns,dur/1us" -t 2 a.ndjson' <<'E'
end,short,args.grid,"a, b",grid[],ts/100ns,dur/1us
90600,gemm,,,,100,90000
1360,Memcpy HtoD (Pinned -> Device),"[1,2,3]",1,"[1,2,3]",100,1000
E
printf ' { "x" : 1.50 , "name":"a" } \n{"name":"b","y":{"z":[ 1 ]},"ts":3}\n{}\n' >other.ndjson
check 'accepts NDJSON that is not a trace' 0 'ndjson2table -o csv other.ndjson' <<'E'
ts,name,x,y
,a,1.50,
3,b,,"{""z"":[ 1 ]}"
,,,
E
check 'input without records' 0 'ndjson2table </dev/null; ndjson2table -o csv -f a,b </dev/null' <<'E'
a,b
E
check 'one column: skips empty rows' 0 'ndjson2table -o csv -f x other.ndjson' <<'E'
x
1.50
""
""
E

# --- units

head -n 1 a.ndjson >one
check 'units in csv are in the names of columns' 0 'ndjson2table -o csv -u us -u KiB -f ts,dur,bytes a.ndjson' <<'E'
ts_us,dur_us,bytes_KiB
0.1,90.5,
0.16,1.2,4
-0.005,,
E
check 'with -u, the names of ndjson members contain the unit, and the next program reads it' 0 \
	'ndjson2table -o ndjson -u s -t 1 -f kind,dur a.ndjson | tee in_s; ndjson2table in_s
	ndjson2table -u ns -o csv in_s' <<'E'
{"kind":"kernel","dur_s":0.0000905}
kind    dur (us)
kernel      90.5
kind,dur_ns
kernel,90500
E
check 'names of foreign records are not interpreted, unless --time or --size names them' 0 '
	echo "{\"created_time\":1700000000,\"request_time\":0.25,\"idle\":97.5,\"dur_us\":5,\"room\":4096}" >foreign
	ndjson2table foreign; ndjson2table -u ms -o ndjson foreign; ndjson2table --time request_time --size room foreign' <<'E'
created_time  request_time  idle  dur_us  room
  1700000000          0.25  97.5       5  4096
{"created_time":1700000000,"request_time":0.25,"idle":97.5,"dur_us":5,"room":4096}
created_time  request_time (ns)  idle  dur_us  room (B)
  1700000000               0.25  97.5       5      4096
E
check 'records of reports have units, by their kind, and keep the kind in ndjson' 0 '
	echo "{\"kind\":\"gpu-busy\",\"busy\":5000,\"busy_share\":0.5}" >busy; ndjson2table busy
	ndjson2table -o ndjson -u us -f busy busy | tee busy_us; ndjson2table -f busy -s busy_ns busy_us' <<'E'
busy (ns)  busy_share (%)
     5000            50.0
{"kind":"gpu-busy","busy_us":5}
busy (ns)
     5000
E
check 'columns of one field share a unit, and small numbers keep three digits' 0 '
	printf "{\"kind\":\"groupby/event\",\"dur_sum\":%s,\"dur_min\":%s}\n" 20000000 3 40000 1234 | ndjson2table
	echo "{\"dur\":3000}" | ndjson2table -u s' <<'E'
dur_sum (us)  dur_min (us)
       20000         0.003
          40         1.234
 dur (s)
0.000003
E
printf '{"kind":"gpu-busy","dev":0,"rank":3,"name":"a_long_kernel_name_number_%s}\n' \
	'one","busy":123456789,"compute_time":1234567' 'two","busy":23456789,"compute_time":2234567' >wide
check 'tables fit the terminal: names in several lines, no constant columns, or lists' 0 '
	for n in 60 44 36; do TRACEFILTERS_COLUMNS=$n ndjson2table wide; done' <<'E'
name                        rank  dev     busy  compute_time
                                          (ms)          (us)
a_long_kernel…e_number_one     3    0  123.457      1234.567
a_long_kernel…e_number_two     3    0   23.457      2234.567
rank 3
name                  dev     busy  compute_
                                        time
                              (ms)      (us)
a_long_ker…umber_one    0  123.457  1234.567
a_long_ker…umber_two    0   23.457  2234.567
name               a_long_ker…umber_one
rank               3
dev                0
busy (ms)          123.457
compute_time (us)  1234.567

name               a_long_ker…umber_two
rank               3
dev                0
busy (ms)          23.457
compute_time (us)  2234.567
E
check 'units in tables' 0 'ndjson2table -u ms -f ts,dur a.ndjson' <<'E'
  ts (ms)  dur (ms)
 0.000100    0.0905
 0.000160    0.0012
-0.000005
E
printf '{"kind":"groupby/event",%s}\n' \
	'"name":"void k<1>(int)","count":3,"dur_sum":30000,"dur_mean":10000.5,"dur_share":0.75' \
	'"name":null,"count":1,"dur_sum":10000,"dur_mean":10000,"dur_share":0.25' >groups.ndjson
check 'results of groupby as a table' 0 'ndjson2table groups.ndjson' <<'E'
name  count  dur_sum (us)  dur_mean (us)  dur_share (%)
k         3            30         10.001           75.0
          1            10         10.000           25.0
E

# --- -s and -t

cat >sort.ndjson <<'E'
{"x":"b","i":1}
{"x":2,"i":2}
{"i":3}
{"x":"\u00e9","i":4}
{"x":10,"i":5}
{"x":[1],"i":6}
{"x":2.0,"i":7}
{"x":null,"i":8}
{"x":-1e3,"i":9}
{"x":9223372036854775806,"i":10}
{"x":9223372036854775807,"i":11}
{"x":true,"i":12}
E
check '-s compares numbers exactly, at any length' 0 \
	"printf '{\"x\":%s}\n' 9007199254740992.0 9007199254740993 1e400 '\"a\"' \
	1000000000000000000000000000000000000000000001 1e45 -1e400 10e400 >long.ndjson
	ndjson2table -o raw -f x -s x long.ndjson" <<'E'
10e400
1e400
1000000000000000000000000000000000000000000001
1e45
9007199254740993
9007199254740992.0
-1e400
a
E
check '-s sorts in descending order' 0 'ndjson2table -o csv -f i,x -s x sort.ndjson' <<'E'
i,x
11,9223372036854775807
10,9223372036854775806
5,10
2,2
7,2.0
9,-1e3
4,é
1,b
12,true
6,[1]
3,
8,
E
check '-s +FIELD sorts in ascending order' 0 'ndjson2table -o raw -f i -s +x sort.ndjson | tr "\n" " "; echo' <<'E'
3 8 6 12 1 4 9 2 7 5 10 11 
E
cat >keys.ndjson <<'E'
{"n":"b","v":1,"w,x":1}
{"n":"a","v":1,"w,x":2}
{"n":"b\u0021","v":3}
{"v":2,"w,x":4}
{"n":"a","v":4}
{"n":"b","v":1,"w,x":6}
E
check '-s with several fields' 0 'ndjson2table -o csv -s +n,v,"+w\,x" keys.ndjson' <<'E'
v,"w,x",n
2,4,
4,,a
1,2,a
1,1,b
1,6,b
3,,b!
E
for n in 0 1 2 3 4 5 6 7; do
	ndjson2table -o csv -f n,v -s v,+n keys.ndjson | head -n $((n + 1)) >want
	check "-s with several fields, -t: the first $n" 0 \
		"ndjson2table -o csv -f n,v -s v -s +n -t $n keys.ndjson | diff want -" </dev/null
done
check '-s rejects an empty field' 2 'ndjson2table -s + a.ndjson; ndjson2table -s ts, a.ndjson' <<'E'
--- stderr
ndjson2table: -s: '': invalid field: the name is empty
ndjson2table: -s: '': invalid field: the name is empty
E
for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
	ndjson2table -o csv -f i,x -s x sort.ndjson | head -n $((n + 1)) >want
	check "-s -t: the first $n" 0 "ndjson2table -o csv -f i,x -s x -t $n sort.ndjson | diff want -" </dev/null
done
check '-t alone: the first records of the input' 0 'ndjson2table -t 2 -o csv sort.ndjson' <<'E'
x,i
b,1
2,2
E
check '-s with whole records' 0 'ndjson2table -s i -t 2 -o ndjson sort.ndjson' <<'E'
{"x":true,"i":12}
{"x":9223372036854775807,"i":11}
E
check '-t stops reading after N records' 0 \
	'{ head -n 2 a.ndjson; echo damaged; } | ndjson2table -t 2 -f ts -o csv' <<'E'
ts
100
160
E
check '-s reports a field that no record has' 0 'ndjson2table -s durr -f ts -o csv a.ndjson' <<'E'
ts
100
160
-5
--- stderr
ndjson2table: no record has the field 'durr'; did you mean 'dur'?
E

# --- more than the 1000 records that determine the columns

awk 'BEGIN { for (i = 1; i <= 1000; i++) printf "{\"ts\":%d,\"name\":\"n\"}\n", i }' >thousand.ndjson
{ cat thousand.ndjson && echo '{"ts":1,"late":1,"later":2}' && echo '{"late":3}' && echo '{"ts":2}'; } >more.ndjson
check 'reports a member that first occurs after 1000 records' 1 \
	'ndjson2table -o csv more.ndjson >all; status=$?; tail -n 3 all; exit $status' <<'E'
1,
,
2,
--- stderr
ndjson2table: more.ndjson:1001: member 'late' not shown: the first 1000 records lack it; name columns with -f (and 1 more)
E
check 'the same with --lenient' 0 'ndjson2table --lenient -o csv more.ndjson 2>/dev/null | tail -n 1' <<'E'
2,
E
check 'a table may omit args that first occur after 1000 records' 0 \
	'{ cat thousand.ndjson; echo "{\"args\":{}}"; } | ndjson2table >all' </dev/null
check 'with -s every member has a column' 0 'ndjson2table -s later -t 2 -o csv more.ndjson' <<'E'
ts,name,late,later
1,,1,2
1,n,,
E
check 'later rows use the same columns' 0 \
	'{ cat thousand.ndjson; echo "{\"ts\":12345,\"name\":\"long name\"}"; } | ndjson2table | tail -n 2' <<'E'
   1000  n
  12345  long name
E

# --- bare text

cat >raw.ndjson <<'E'
{"a":"two\nlines\n","b":1500,"dur":1500}
{"a":"\t\"q\"\\n \u00e9\u0001\u0000!","b":[1, "x"]}
{"a":"","b":null}
E
printf 'two\nlines\n\t"q"\\n \303\251\001\000!\n\n' >want
check '-o raw writes the same bytes, each followed by one newline' 0 \
	'ndjson2table -o raw -f a raw.ndjson | cmp - want' </dev/null
check '-o raw: other types, units, and no line for an absent value' 0 \
	'ndjson2table -o raw -u us -f b,dur raw.ndjson' <<'E'
1500
1.5
[1, "x"]
E
check '-o raw writes no header' 0 'ndjson2table -o raw -f a /dev/null' </dev/null

# --- usage errors

check '-o rejects an unknown format' 2 'ndjson2table -o cvs a.ndjson' <<'E'
--- stderr
ndjson2table: -o: 'cvs': expected ndjson, csv, tsv, raw, md, table or list; did you mean 'csv'?
E
check 'in UTF-8, people read µs, and programs read us; -u takes both' 0 'export TRACEFILTERS_CHARSET=UTF-8
	echo "{\"ts\":5,\"dur\":12500}" >one
	for o in table md list csv; do ndjson2table -u µs -o $o one; done
	groupby -a sum -o table one
	LC_ALL=de_DE.utf8 TRACEFILTERS_CHARSET= ndjson2table -f dur one; TRACEFILTERS_CHARSET=C ndjson2table -u µs one' <<'E'
ts (µs)  dur (µs)
  0.005      12.5
| ts (µs) | dur (µs) |
| ------: | -------: |
|   0.005 |     12.5 |
ts (µs)   0.005
dur (µs)  12.5
ts_us,dur_us
0.005,12.5
dur_sum (µs)
        12.5
dur (µs)
    12.5
ts (us)  dur (us)
  0.005      12.5
E
check '-u rejects an unknown unit' 2 'ndjson2table -u msec a.ndjson' <<'E'
--- stderr
ndjson2table: -u: 'msec': expected ns, us, ms, s, B, kB, MB, GB, KiB, MiB or GiB; did you mean 'ms'?
E
check '-u rejects a second unit of time' 2 'ndjson2table -u ms -u us a.ndjson' <<'E'
--- stderr
ndjson2table: -u: 'ms' and 'us' are both units of time; choose one
E
check '-f rejects an empty name' 2 'ndjson2table -f ts,,dur a.ndjson' <<'E'
--- stderr
ndjson2table: -f: '': invalid field: the name is empty
E
check '-f rejects an invalid width' 2 'ndjson2table -f dur/10mm a.ndjson' <<'E'
--- stderr
ndjson2table: -f: 'dur/10mm': invalid field: the width after '/' must be a number (units: ns us ms s B kB MB GB KiB MiB GiB)
E
check '-t rejects a negative count' 2 'ndjson2table -t -1 a.ndjson' <<'E'
--- stderr
ndjson2table: -t: '-1': expected an integer >= 0
E

have python3 || finish

# --- a terminal of 60 columns, or $WIDTH

cat >terminal.py <<'E'
import fcntl, os, pty, struct, subprocess, sys, termios
main, side = pty.openpty()
fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(os.environ.get("WIDTH", 60)), 0, 0))
p = subprocess.Popen(sys.argv[1:], stdout=side)
os.close(side)
data = b""
try:
    while piece := os.read(main, 65536):
        data += piece
except OSError:
    pass
sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
sys.exit(p.wait())
E
check 'fits the table to the terminal' 0 'python3 terminal.py ndjson2table -f ts,name,ranges,dur a.ndjson' <<'E'
  ts  name                          ranges               dur
(ns)                                                    (us)
 100  gemm                                              90.5
 160  Memcpy HtoD (P…ed -> Device)                       1.2
  -5  line\nbreak, "…ed" | \ é\x1b  ["outer","in,ner"]
E
check 'does not shorten names when there is room' 0 'python3 terminal.py ndjson2table -f ts,name,dur a.ndjson' <<'E'
ts (ns)  name                             dur (us)
    100  gemm                                 90.5
    160  Memcpy HtoD (Pinned -> Device)        1.2
     -5  line\nbreak, "quoted" | \ é\x1b
E
trace2ndjson "$DATA/train.pt.trace.json" | filter-calls -k kernel >kernels
check 'groupby in 80 columns' 0 'WIDTH=80 python3 terminal.py groupby -g name kernels' <<'E'
name                       count  dur_sum  dur_mean  dur_min  dur_max  dur_share
                                     (us)      (us)     (us)     (us)        (%)
ncclDevKerne…_f32_RING_LL      2  188.747    94.374   94.318   94.429       41.3
ampere_sgemm_32x128_nt         2  103.695    51.848   51.829   51.866       22.7
at::native::…apply_kernel      2   83.887    41.944   41.925   41.962       18.3
ampere_sgemm_128x64_tn         2   76.399    38.200   38.181   38.218       16.7
at::native::…twise_kernel      2    4.781     2.391    2.372    2.409        1.0
E
cat >alike <<'E'
{"name":"void split_backward_adagrad_unweighted_kernel_cta_per_row_1<long, 2ul>(int)","dur":6}
{"name":"void split_backward_adagrad_unweighted_kernel_warp_per_row_1<long, 2ul>(int)","dur":5}
{"name":"void split_backward_adagrad_unweighted_kernel_cta_per_row_1<long, 5ul>(int)","dur":4}
{"name":"void split_backward_adagrad_unweighted_kernel_warp_per_row_1<long, 5ul>(int)","dur":3}
{"name":"void other<long>()","dur":2}
E
check 'shows the parts in which similar names differ, also in parameters' 0 \
	'WIDTH=40 python3 terminal.py groupby -g name -a count alike' <<'E'
name                               count
other                                  1
split_b…el_cta_per_r…g, 2ul>(int)      1
split_b…el_cta_per_r…g, 5ul>(int)      1
split_b…el_warp_per_…g, 2ul>(int)      1
split_b…el_warp_per_…g, 5ul>(int)      1
E
check 'names that differ look different without a terminal, too' 0 'groupby -g name -a count -o table alike' <<'E'
name                                                                     count
other                                                                        1
split_backward_adagrad_unweighted_kernel_cta_per_row_1<long, 2ul>(int)       1
split_backward_adagrad_unweighted_kernel_cta_per_row_1<long, 5ul>(int)       1
split_backward_adagrad_unweighted_kernel_warp_per_row_1<long, 2ul>(int)      1
split_backward_adagrad_unweighted_kernel_warp_per_row_1<long, 5ul>(int)      1
E
check 'names that differ look different in lists' 0 'groupby -g name -a count -o list alike | grep 5ul' <<'E'
name   split_backward_adagrad_unweighted_kernel_cta_per_row_1<long, 5ul>(int)
name   split_backward_adagrad_unweighted_kernel_warp_per_row_1<long, 5ul>(int)
E
{ cat thousand.ndjson && echo '{"ts":1001,"name":"known"}' &&
	echo '{"ts":5,"name":"a name that comes when the widths are known"}'; } >later.ndjson
check 'later rows use the same column widths' 0 'python3 terminal.py ndjson2table later.ndjson | tail -n 2' <<'E'
   1001  known
      5  a …wn
E
check '--wide does not fit the table to the terminal' 0 \
	'python3 terminal.py ndjson2table --wide -f name,name,ts -t 2 a.ndjson' <<'E'
name                              name                              ts (ns)
void gemm<float, 4>(float*, int)  void gemm<float, 4>(float*, int)      100
Memcpy HtoD (Pinned -> Device)    Memcpy HtoD (Pinned -> Device)        160
E

# --- rows are written as soon as their records arrive

cat >live.py <<'E'
import subprocess
p = subprocess.Popen(["ndjson2table", "-o", "csv", "-f", "ts"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
for i in range(3):
    p.stdin.write(b'{"ts":%d}\n' % i)
    print([p.stdout.readline() for _ in range(2 - (i > 0))])
p.stdin.close()
print(p.wait())
E
check 'writes each row as soon as its record arrives' 0 'timeout 20 python3 live.py' <<'E'
[b'ts\n', b'0\n']
[b'1\n']
[b'2\n']
0
E

# --- CSV and TSV, read by Python, have the same values as the records

same() { # same NAME RECORDS
	for form in csv tsv; do
		for fields in ts,dur,kind,name,cat,pid,tid,args,bytes ranges,name 'External id,name'; do
			check "$1: $form of $fields" 0 \
				"ndjson2table -o $form -f '$fields' $2 2>hints >table && table_cells.py $form table $2" <<'E'
True 0
E
		done
	done
}
PYTHONIOENCODING=utf-8 python3 - >nasty.ndjson <<'E'
import json, random
random.seed(7)
pieces = ["a", ",", '"', '""', "\\", "\\n", "\n", "\r", "\t", "\r\n", " ", "\u00e9", "\u65e5\u672c", "\U0001f600",
          "\0", "\x1b", "|", "'", "{}", "\\\\"]
def text():
    return "".join(random.choice(pieces) for _ in range(random.randrange(6)))
for i in range(2000):
    o = {"ts": i, "name": text(), "args": {"k" + text(): text(), "x": [text(), 1.5, None, {"y": text()}]}}
    if random.random() < .5:
        o["ranges"] = [text() for _ in range(random.randrange(3))]
    print(json.dumps(o, ensure_ascii=random.random() < .5))
E
same 'all sorts of text' nasty.ndjson
for trace in data/kineto/alexnet.json.gz data/kineto/nccl.json.gz data/nsys/unet3d_baseline_trim.json; do
	need_shared "$trace" || continue
	trace2ndjson "$SHARED/$trace" >real.ndjson
	same "$trace" real.ndjson
done

echo '{"p3_p2":2500000,"room":4096,"args":{"used":2048,"p3_p2":7}}' >measured.ndjson
check '--time and --size set the units of fields' 0 \
	'ndjson2table -f p3_p2,room,args.used --time p3_p2 --size room,args.used -u us -u KiB measured.ndjson' <<'E'
p3_p2 (us)  room (KiB)  args.used (KiB)
      2500           4                2
E
check 'other fields have no unit' 0 \
	'ndjson2table -f p3_p2,room,args.p3_p2 --time p3_p2 -u us -u KiB measured.ndjson' <<'E'
p3_p2 (us)  room  args.p3_p2
      2500  4096           7
E
check 'aggregates have the unit of their field' 0 \
	'groupby -f p3_p2 --time p3_p2 -a sum,count:p3_p2 -u us -o table measured.ndjson' <<'E'
p3_p2_sum (us)  p3_p2_count
          2500            1
E
check 'stats: --size' 0 'stats -f room --size room -u KiB -o list measured.ndjson | grep mean' <<'E'
mean (KiB)  4
E

# --- --columns

check '--columns: standard members, members that filters add, and those of --also' 0 '
	ndjson2table --columns duckdb | grep -o "^.*.rank.:.BIGINT.,.pid.:.VARCHAR."
	ndjson2table --columns clickhouse | tr , "\n" | grep -A1 "stack"
	ndjson2table --columns spark --also "run:text,n:integer" --also l:texts | grep -o ".src.*"
	ndjson2table --columns pandas | grep -o "^.\{24\}"
	ndjson2table --columns polars --also x:number,j:json | grep -o ".src.*"' <<'E'
{'ts':'BIGINT','dur':'BIGINT','kind':'VARCHAR','name':'VARCHAR','cat':'VARCHAR','rank':'BIGINT','pid':'VARCHAR'
 `stack` Array(String)
 `marks` Nullable(String)
`src` STRING, `run` STRING, `n` BIGINT, `l` ARRAY<STRING>
{'ts':'Int64','dur':'Int
'src':pl.String,'x':pl.Float64,'j':pl.String}
E
check '--columns: wrong options' 2 '
	for o in "--also a:text" "--columns sql" "--columns spark --also TS:text" "--columns spark --also a:text,a:text" \
		"--columns spark --also a-b:text" "--columns spark --also a" "--columns spark --also 1a:text" \
		"--columns spark --also a:BIGINT" "--columns duckdb nosuch"; do
		ndjson2table $o; s=$?
	done; exit $s' <<'E'
--- stderr
ndjson2table: --also needs --columns
ndjson2table: --columns: 'sql': expected duckdb, clickhouse, spark, pandas or polars
ndjson2table: --also: 'TS' is already a column; choose another name
ndjson2table: --also: 'a' is already a column; choose another name
ndjson2table: --also: 'a-b:text': expected NAME:TYPE, where TYPE is integer, number, text, json or texts
ndjson2table: --also: 'a': expected NAME:TYPE, where TYPE is integer, number, text, json or texts
ndjson2table: --also: '1a:text': expected NAME:TYPE, where TYPE is integer, number, text, json or texts
ndjson2table: --also: 'a:BIGINT': expected NAME:TYPE, where TYPE is integer, number, text, json or texts
ndjson2table: 'nosuch': --columns reads no FILE; try ndjson2table -h
E
check '--columns: a full disk' 2 'ndjson2table --columns spark >/dev/full' <<'E'
--- stderr
ndjson2table: write error: No space left on device
E
for engine in duckdb clickhouse spark; do
	need_shared golden/catalogue/columns.$engine || continue
	check "--columns $engine: the reference list" 0 \
		"ndjson2table --columns $engine | cmp - $SHARED/golden/catalogue/columns.$engine" </dev/null
done

# Each command of the cookbook prints the sums of the kernels of run.ndjson, if its engine is installed.
trace2ndjson "$DATA/train.pt.trace.json" >run.ndjson
sed -n '/^# DuckDB$/,/^[.]Ed/p' "$ROOT/scripts/tracefilters.7" >engines
export PYTHON_PACKAGES='' # for pandas and polars
filter-calls -k kernel run.ndjson | groupby -g name -a sum -o csv | grep -o '[0-9]*$' >sums
while read -r engine program module; do
	{ have "$program" && { [ ! "$module" ] || python3 -c "import $module" 2>/dev/null; }; } || continue
	sed -n "/^# $engine/,/^[#.]/{/^[#.]/!p;}" engines >command
	check "--columns: the command of the cookbook for $engine" 0 \
		'bash ./command >answer; while read -r sum; do grep -qw "$sum" answer || echo "$sum"; done <sums' </dev/null
done <<'E'
DuckDB duckdb
ClickHouse clickhouse
pandas python3 pandas
Polars python3 polars
Spark spark-shell
E

finish
