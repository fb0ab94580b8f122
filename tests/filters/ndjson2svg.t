#!/bin/sh
# ndjson2svg.t: the marks, labels, titles and values of each kind of picture, hostile names, and limits.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
have python3 || finish

cat >kernels.ndjson <<'E'
{"ts":1000,"dur":90500,"kind":"kernel","name":"void gemm<float, 4>(float*, int)","stream":7}
{"ts":2000,"dur":1200,"kind":"memcpy","name":"Memcpy HtoD (Pinned -> Device)","stream":8,"bytes":4096}
{"ts":3000,"dur":300,"kind":"kernel","name":"ncclKernel_AllReduce","stream":8}
{"ts":4000,"dur":500,"kind":"kernel","name":"void gemm<float, 4>(float*, int)","stream":7}
E
marks() { # marks NAME COMMAND: checks the marks of the picture that COMMAND draws
	check "$1" 0 "$2 >x.svg && picture_marks.py x.svg"
}
texts() { # texts NAME COMMAND: checks the texts of the picture that COMMAND draws, with their style
	check "$1" 0 "$2 | sed -n 's:.*<text class=\"\\([^\"]*\\)\".*>\\(.*\\)</text>:\\1 \\2:p'"
}

# --- bar

marks 'bar: a mark for each record, the largest first' 'ndjson2svg bar kernels.ndjson' <<'E'
rect comp void gemm<float, 4>(float*, int) | 90.5 µs
rect copy Memcpy HtoD (Pinned -> Device) | 1.2 µs
rect comp void gemm<float, 4>(float*, int) | 0.5 µs
rect comm ncclKernel_AllReduce | 0.3 µs
E
marks 'bar: -t sums up the others; bar is the default' 'ndjson2svg -t 2 kernels.ndjson' <<'E'
rect comp void gemm<float, 4>(float*, int) | 90.5 µs
rect copy Memcpy HtoD (Pinned -> Device) | 1.2 µs
rect none (2 others) | 0.8 µs
E
marks 'bar: the sum of means has no meaning' \
	'groupby -g name -a mean kernels.ndjson | ndjson2svg bar -t 1 -f dur_mean' <<'E'
rect bar void gemm<float, 4>(float*, int) | 45.5 µs
E
marks 'bar: --as-read and --err' \
	'groupby -g stream -a mean,std -s stream kernels.ndjson |
	ndjson2svg bar --as-read -g stream -f dur_mean --err dur_std' <<'E'
rect bar 7 | 45.5 µs ± 63.63961030678928 µs
rect bar 8 | 0.75 µs ± 0.6363961030678928 µs
E
marks 'bar: a unit in the name of the member, and -u' \
	'groupby -g stream -u us -o ndjson kernels.ndjson | ndjson2svg bar -g stream -u ns' <<'E'
rect bar 7 | 91000 ns
rect bar 8 | 1500 ns
E
marks 'bar: --size declares a size' \
	'printf "%s\n" "{\"name\":\"a\",\"n\":2500000}" | ndjson2svg bar -f n --size n' <<'E'
rect bar a | 2.5 MB
E
texts 'bar: texts' 'ndjson2svg bar kernels.ndjson' <<'E'
ink title GPU time by name
soft 0
soft 10
soft 20
soft 30
soft 40
soft 50
soft 60
soft 70
soft 80
soft 90
soft GPU time (µs)
ink gemm
soft 90.5 µs
ink Memcpy HtoD (Pinned -&gt; Device)
soft 1.20 µs
ink gemm
soft 0.500 µs
ink ncclKernel_AllReduce
soft 0.300 µs
E
python3 - <<'E' >many.ndjson
import random
random.seed(5)
for i in range(500):
    print('{"kind":"kernel","name":"k%d","dur":%d}' % (i, random.randrange(1, 10**9)))
E
check 'bar: lengths are proportional to values' 0 'ndjson2svg -t 500 -u ns many.ndjson >x.svg && picture_bars.py x.svg
	ndjson2svg -u ns many.ndjson >x.svg && picture_bars.py x.svg' <<'E'
500
41
E

# --- share, stacked

marks 'share: one key' 'ndjson2svg share kernels.ndjson' <<'E'
path s0 void gemm<float, 4>(float*, int) | 91 µs, 98.4 %
path copy Memcpy HtoD (Pinned -> Device) | 1.2 µs, 1.3 %
path comm ncclKernel_AllReduce | 0.3 µs, 0.3 %
E
marks 'share: two keys, two rings' 'ndjson2svg share -g stream,name kernels.ndjson' <<'E'
path s0 stream 7 | 91 µs, 98.4 %
path s1 void gemm<float, 4>(float*, int) | 91 µs, 98.4 %
path s2 stream 8 | 1.5 µs, 1.6 %
path copy Memcpy HtoD (Pinned -> Device) | 1.2 µs, 1.3 %
path comm ncclKernel_AllReduce | 0.3 µs, 0.3 %
E
marks 'share: others in both rings' 'ndjson2svg share -g stream,name -t 1 kernels.ndjson' <<'E'
path s0 stream 7 | 91 µs, 98.4 %
path s1 void gemm<float, 4>(float*, int) | 91 µs, 98.4 %
path none (1 other) | 1.5 µs, 1.6 %
E
marks 'share: equal parts of different groups have one color, which no group has' \
	'printf "{\"dur\":%d,\"name\":\"%s\",\"rank\":%d}\n" 50 a 0 40 b 0 30 b 1 20 c 1 | ndjson2svg share -g rank,name' <<'E'
path s0 rank 0 | 90 ns, 64.3 %
path s1 a | 50 ns, 35.7 %
path s2 b | 40 ns, 28.6 %
path s3 rank 1 | 50 ns, 35.7 %
path s2 b | 30 ns, 21.4 %
path s4 c | 20 ns, 14.3 %
E
marks 'stacked: parts of groups' 'ndjson2svg stacked -g stream,name kernels.ndjson' <<'E'
rect s0 100.0 % of 7 | void gemm<float, 4>(float*, int) | 91 µs
rect copy 80.0 % of 8 | Memcpy HtoD (Pinned -> Device) | 1.2 µs
rect comm 20.0 % of 8 | ncclKernel_AllReduce | 0.3 µs
E
marks 'stacked: panels, and at most one bar in each' \
	'ndjson2svg stacked --facet kind --bars 1 -g stream,name kernels.ndjson' <<'E'
rect s0 100.0 % of 7 | void gemm<float, 4>(float*, int) | 91 µs
rect comm 100.0 % of (1 other) | ncclKernel_AllReduce | 0.3 µs
rect copy 100.0 % of 8 | Memcpy HtoD (Pinned -> Device) | 1.2 µs
E
cat >levels.ndjson <<'E'
{"kind":"op-breakdown","stream":7,"level":"stream","dur":100}
{"kind":"op-breakdown","stream":7,"level":"operator","operator":"a","dur":100}
{"kind":"op-breakdown","stream":7,"level":"kernel","operator":"a","kernel":"x","dur":60}
{"kind":"op-breakdown","stream":7,"level":"kernel","operator":"a","kernel":"y","dur":40}
E
marks 'stacked: subtotals of a report are not added' 'ndjson2svg stacked -g operator,kernel levels.ndjson' <<'E'
rect s0 60.0 % of a | x | 60 ns
rect s1 40.0 % of a | y | 40 ns
E
# Each of 12 bars has two parts that no other bar has, of 60 % and 36 %, and four of 1 %; the largest bar is first, and
# its largest part last.
awk 'BEGIN { for (i = 0; i < 12; i++) for (k = 5; k >= 0; k--)
	printf "{\"bar\":\"b%d\",\"name\":\"p%d.%d\",\"dur\":%d}\n", i, i, k,
		(k ? k > 1 ? 1 : 36 : 60) * (100 - i) }' >own.ndjson
check 'stacked: each bar has its own largest parts in colors: 16 parts, each with one color' 0 \
	'ndjson2svg stacked -g bar,name own.ndjson >x.svg && picture_marks.py x.svg >marks
	awk "\$2 != \"none\" { bars[\$6]; parts[\$8]; colors[\$2 \" \" \$8]; hues[\$2] }
		END { print length(bars), length(parts), length(colors), length(hues) }" marks
	grep -e " of b0 " -e " of b11 " marks; grep -c "<rect class=.s[0-9]*. x=.*height=.12." x.svg
	grep -o "[^> ]*  *p11.0<" x.svg' <<'E'
12 16 16 16
rect s0 60.0 % of b0 | p0.0 | 6 µs
rect s12 36.0 % of b0 | p0.1 | 3.6 µs
rect none 4.0 % of b0 | (4 others) | 0.4 µs
rect s11 60.0 % of b11 | p11.0 | 5.34 µs
rect none 40.0 % of b11 | (5 others) | 3.56 µs
16
%  p11.0<
E
check 'stacked: -t is the number of parts with colors, of the largest bars first' 0 \
	'ndjson2svg stacked -t 3 -g bar,name own.ndjson >x.svg && picture_marks.py x.svg | grep -v "^rect none"' <<'E'
rect s0 60.0 % of b0 | p0.0 | 6 µs
rect s1 60.0 % of b1 | p1.0 | 5.94 µs
rect s2 60.0 % of b2 | p2.0 | 5.88 µs
E
marks 'stacked: one part without a color has its name' \
	'sed -n "5p; 6p; 11p; 12p; 18p" own.ndjson | ndjson2svg stacked -t 3 -g bar,name' <<'E'
rect s0 62.5 % of b0 | p0.0 | 6 µs
rect none 37.5 % of b0 | p0.1 | 3.6 µs
rect s1 62.5 % of b1 | p1.0 | 5.94 µs
rect none 37.5 % of b1 | p1.1 | 3.564 µs
rect s2 100.0 % of b2 | p2.0 | 5.88 µs
E

# --- hist, line, steps

check 'hist: a count stands above the middle of its bar' 0 \
	'ndjson2svg hist --bins 0,1us,100us kernels.ndjson >x.svg
	sed -n "s/^<rect class=.bar m. x=.\([0-9.]*\). y=.[0-9.]*. width=.\([0-9.]*\)..*/\1 \2/p" x.svg |
		awk "{ printf \"%.0f\n\", \$1 + \$2 / 2 }" >bars
	sed -n "s/^<text class=.soft. x=.\([0-9.]*\).*middle.>[0-9]*<.*/\1/p" x.svg | awk "{ printf \"%.0f\n\", \$1 }" |
		grep -c -x -F -f bars' <<'E'
2
E
marks 'hist' 'ndjson2svg hist kernels.ndjson' <<'E'
rect bar 1 record | 200 ns to 500 ns
rect bar 1 record | 500 ns to 1 µs
rect bar 1 record | 1 µs to 2 µs
rect bar 1 record | 50 µs to 100 µs
E
marks 'hist: --bins with edges' 'ndjson2svg hist --bins 0,1us,100us kernels.ndjson' <<'E'
rect bar 2 records | 0 ns to 1 µs
rect bar 2 records | 1 µs to 100 µs
E
marks 'line: marks for points, relative to the earliest time' \
	'ndjson2svg line -f dur --color stream kernels.ndjson' <<'E'
g  stream 7: 2 points
rect s0 stream 7 | 90.5 µs at 0 µs
rect s0 stream 7 | 0.5 µs at 3 µs
g  stream 8: 2 points
rect s1 stream 8 | 1.2 µs at 1 µs
rect s1 stream 8 | 0.3 µs at 2 µs
E
marks 'steps over a number' 'ndjson2svg steps -f dur -g stream kernels.ndjson' <<'E'
g  4 points
rect comp 90.5 µs at 7
rect comp 0.5 µs at 7
rect comp 1.2 µs at 8
rect comp 0.3 µs at 8
E

# --- gantt, heat

marks 'gantt: a box for each record' 'ndjson2svg gantt kernels.ndjson' <<'E'
rect s0 void gemm<float, 4>(float*, int) | 90.5 µs at 0 µs
rect s0 void gemm<float, 4>(float*, int) | 0.5 µs at 3 µs
rect copy Memcpy HtoD (Pinned -> Device) | 1.2 µs at 1 µs
rect comm ncclKernel_AllReduce | 0.3 µs at 2 µs
E
marks 'gantt: --rows each, --label and --color' \
	'ndjson2svg gantt --rows each --label stream,dur --color stream kernels.ndjson' <<'E'
rect s0 7 / 90500 | 90.5 µs at 0 µs
rect s1 8 / 1200 | 1.2 µs at 1 µs
rect s1 8 / 300 | 0.3 µs at 2 µs
rect s0 7 / 500 | 0.5 µs at 3 µs
E
texts 'gantt: rows are sorted by numbers; times are above and below' \
	'printf "%s\n" "{\"ts\":5,\"dur\":1,\"stream\":10}" "{\"ts\":3,\"dur\":2,\"stream\":9,\"name\":\"a\"}" |
	ndjson2svg gantt' <<'E'
ink title 2 records by stream
ink a
ink (none)
soft 0
soft 0
soft 1
soft 1
soft 2
soft 2
soft 3
soft 3
soft time since the first record (ns)
ink stream 9
ink stream 10
on-s0 a
on-none (none)
E
check 'gantt: --marks writes the boxes as records; boxes of less than a thousandth are joined' 0 '{
	cat kernels.ndjson
	printf "{\"ts\":%s,\"dur\":%s,\"stream\":7,\"name\":\"%s\"}\n" 20000000 10 a 20001000 20 b 20002000 30 c
	} | ndjson2svg gantt --marks --color stream' <<'E'
{"kind":"ndjson2svg/mark","ts":1000,"dur":90500,"name":"void gemm<float, 4>(float*, int)","lane":"stream 7","count":1,"busy":90500}
{"kind":"ndjson2svg/mark","ts":4000,"dur":500,"name":"void gemm<float, 4>(float*, int)","lane":"stream 7","count":1,"busy":500}
{"kind":"ndjson2svg/mark","ts":20000000,"dur":2030,"name":"a","lane":"stream 7","count":3,"busy":60}
{"kind":"ndjson2svg/mark","ts":2000,"dur":1300,"name":"Memcpy HtoD (Pinned -> Device)","lane":"stream 8","count":2,"busy":1500}
E
check 'gantt: --marks without records' 0 'ndjson2svg gantt --marks </dev/null' </dev/null
sed 's/90500/5000/; 4d' kernels.ndjson >five.ndjson
cat >cells <<'E'
rect h6 stream 7 at 0 µs | 100 %
rect h6 stream 7 at 1.00 µs | 100 %
rect h6 stream 7 at 2.00 µs | 100 %
rect h6 stream 7 at 3.00 µs | 100 %
rect h6 stream 7 at 4.00 µs | 100 %
rect h6 stream 8 at 1.00 µs | 100 %
rect h4 stream 8 at 2.00 µs | 50 %
E
marks 'heat: the share of the time' 'ndjson2svg heat --page 90x0 five.ndjson' <cells
marks 'heat: the number of records at a time' '
	{ cat five.ndjson; echo "{\"ts\":4000,\"dur\":500,\"stream\":7}"; } | ndjson2svg heat --page 90x0' <<'E'
rect h5 stream 7 at 0 µs | 1
rect h5 stream 7 at 1.00 µs | 1
rect h5 stream 7 at 2.00 µs | 1
rect h6 stream 7 at 3.00 µs | 1.5
rect h5 stream 7 at 4.00 µs | 1
rect h5 stream 8 at 1.00 µs | 1
rect h3 stream 8 at 2.00 µs | 0.5
E
{ cat five.ndjson; printf '{"ts":1000,"dur":%d,"kind":"op","pid":3,"tid":7}\n' 2000 1000; } >host.ndjson
marks 'heat: records of the host have no row' 'ndjson2svg heat --quiet --page 90x0 host.ndjson' <cells
marks 'heat: --rows thread shows the records of the host' 'ndjson2svg heat --rows thread --page 90x0 host.ndjson' <<'E'
rect h6 thread 7 at 0 µs | 2
rect h4 thread 7 at 1.00 µs | 1
E
# --- area

cat >blocks <<'E'
{"s":"old","v":3,"end":20}
{"s":"old","v":2}
{"ts":0,"dur":30,"s":"a","v":5}
{"ts":10,"dur":20,"s":"b","v":1}
{"ts":15,"dur":0,"s":"b","v":900}
{"ts":20,"s":"counter","v":4}
{"ts":30,"s":"counter","v":8}
{"ts":40,"s":"c","v":1,"outside":"after"}
{"ts":40,"s":"c","v":1,"outside":"after"}
E
marks 'area: values until their end, until the next one, from before and until after the trace; the peak' '
	ndjson2svg area -f v --color s --page 500x0 blocks' <<'E'
rect s0 a | 5 at 0 ns
rect s1 old | 5 at 0 ns
rect s1 old | 2 at 20 ns
rect s1 old | 2 at 30 ns
rect s2 counter | 4 at 20 ns
rect s2 counter | 8 at 30 ns
rect s3 b | 1 at 10 ns
rect s3 b | 1 at 20 ns
rect s4 c | 2 at 40 ns
rect ink peak: 12 at 20 ns
E
check 'area: the heights at known times' 0 '
	ndjson2svg area -f v --color s --page 500x0 blocks | sed -n "s/.*\"s[0-9]* m\" \(.*\)><title>.*/\1/p"' <<'E'
x="56" y="217" width="301" height="91"
x="56" y="126" width="201" height="91"
x="257" y="181" width="100" height="36"
x="357" y="272" width="111" height="36"
x="257" y="108" width="100" height="73"
x="357" y="126" width="111" height="146"
x="156" y="108" width="101" height="18"
x="257" y="90" width="100" height="18"
x="458" y="90" width="10" height="36"
E
marks 'area: without -f the number of records at a time; -t' '
	printf "{\"ts\":%d,\"dur\":9,\"name\":\"%s\"}\n" 0 a 1 a 1 b 2 c 9 d 30 e | ndjson2svg area --color name -t 2' <<'E'
rect s0 a | 1 at 0 ns
rect s0 a | 2 at 1 ns
rect s0 a | 1 at 9 ns
rect s1 b | 1 at 1 ns
rect s1 b | 1 at 9 ns
rect none (3 others) | 1 at 2 ns
rect none (3 others) | 2 at 9 ns
rect none (3 others) | 2 at 10 ns
rect none (3 others) | 1 at 11 ns
rect none (3 others) | 1 at 30 ns
rect ink peak: 4 at 2 ns
E
check 'area: --marks' 0 '
	ndjson2svg area -f v --color s -t 1 --marks blocks | tr "[,]" "\n" |
		grep -v -e kind -e dur | uniq | paste -s -d" " | sed "s/} /}\n/g"' <<'E'
"ts":0 "name":"a" "at_peak":5 "peak":12 "peak_ts":20 "others":0 "shares": 0.4167 0 }
"ts":0 "name":"(4 others)" "at_peak":7 "peak":12 "peak_ts":20 "others":1 "shares": 0.4167 0.5 0.5833 0.8333 1 }
"ts":20 "name":"peak" "at_peak":12 "peak":12 "peak_ts":20}
E
check 'area: in a terminal' 0 'ndjson2svg area -T --page 50x16 -f v --color s blocks' <<'E'
 V by s over time

 v
       |                   peak 12
    10 |         ::::::::::|+++++++++          *
       ====================|++++++++++++++++++++
       ====================|=========+++++++++++
       ####################|#########+++++++++++
       ####################|#########+++++++++++
       ####################|#########===========
     0 -----------------------------------------
       0        10        20        30        40
            time since the first record (ns)

 ## a  == old  ++ counter  :: b  ** c
E
check 'area: records that are not in order, without times, negative, with times and values at the limits' 2 '
	for end in "{\"ts\":5,\"v\":1}" "{\"v\":1}" "{\"ts\":70,\"v\":-1}" "{\"ts\":9223372036854775807,\"v\":1}"; do
		{ cat blocks; echo "$end"; } | ndjson2svg area -f v >x.svg
		echo "$?" $(picture_marks.py x.svg 2>/dev/null | grep -c rect)
	done
	echo "{\"v\":1}" | ndjson2svg area -f v >x.svg
	printf "{\"ts\":%s,\"dur\":%s,\"v\":1e308}\n" -4e18 8e18 0 9e18 1 9223372036854775807 |
		ndjson2svg area -f v >x.svg; picture_marks.py x.svg | grep peak
	printf "{\"a\":1,\"b\":%d,\"v\":1e308}\n" 1 2 | ndjson2svg stacked -g a,b -f v >x.svg; exit 2' <<'E'
2 0
1 6
0 6
1 6
rect ink peak: over 10^308 at 4000000000.000000001 s
--- stderr
ndjson2svg: stdin:10: not in ts order; run: ... | ts-sort | ndjson2svg -f v area
ndjson2svg: 1 record without a ts on the clock of the trace not shown
ndjson2svg: 1 negative values are not shown
ndjson2svg: 1 record without a ts on the clock of the trace not shown
ndjson2svg: no record has a ts on the clock of the trace
E
area_heights.py make 1 300 >area.ndjson
area_heights.py make 7 30000 >area2.ndjson
slow check 'area: the values, times and heights are those of an independent computation' 0 '
	for file in area.ndjson area2.ndjson; do
		ndjson2svg area -u ns -f v --color s $file >x.svg && area_heights.py $file x.svg
	done' <<'E'
True
True
E

# --- roofline

# row OP MODEL DUR INTENSITY TFLOPS PEAK PEAK_TFLOPS
row() {
	printf '{"kind":"roofline","op":"%s","model":"%s","dur":%s,"intensity":%s,"tflops_s":%s,' "$1" "$2" "$3" "$4" "$5"
	printf '"peak":"%s","peak_tflops_s":%s,"peak_gb_s":2000,"calls":2,"share":0.5,"shape":[[8,8]],"kernel":"k"}\n' \
		"$6" "$7"
}
{
	row aten::mm gemm 40000 100 100 bf16 400
	row aten::add elementwise 10000 0.1 0.1 vector 20
	row 'x<b>&' none 400 10 10 vector 20
	row aten::copy_ copy 10000 0 0 vector 20
} >roofline.ndjson
# 1e-1 to 1e3 FLOP/byte are 4 powers of ten; 1e-2 to 1e3 TFLOP/s are 5. The areas are as 40000 : 10000 : 400.
check 'roofline: points on logarithmic axes, areas, roofs, tips' 0 '
	ndjson2svg roofline --page 900x600 roofline.ndjson >roofline.svg
	picture_marks.py roofline.svg; grep -o "<circle [^>]*" roofline.svg
	grep -c "<path class=\"l-gap" roofline.svg
	grep -o "[0-9.]* T[A-Z]*/s[a-z0-9 ]*<" roofline.svg | sort -u
	ndjson2svg roofline -T --page 60x0 roofline.ndjson 2>/dev/null | grep -c aten' <<'E'
g  400 TFLOP/s bf16
g  20 TFLOP/s vector
g  2 TB/s
circle s0 aten::mm / [[8,8]] / k | 2 calls, 40.0 µs | 100 TFLOP/s, 100 FLOP/byte | 50 % of the peak
circle s1 aten::add / [[8,8]] / k | 2 calls, 10.0 µs | 0.100 TFLOP/s, 0.100 FLOP/byte | 50 % of the peak
circle s2 x<b>& / [[8,8]] / k | 2 calls, 400 ns | 10 TFLOP/s, 10 FLOP/byte | 50 % of the peak
<circle class="s0 m" cx="707.63" cy="154" r="26"
<circle class="s1 m" cx="226.53" cy="424" r="13"
<circle class="s2 m" cx="547.26" cy="244" r="2.6"
3
2 TB/s<
20 TFLOP/s vector<
400 TFLOP/s bf16<
2
--- stderr
ndjson2svg: 1 record has no place on a roofline: no operations, or no FLOP/byte (intensity, tflops_s)
E
{
	cat roofline.ndjson
	row low gemm 40000 100 0.000001 bf16 400
	row near elementwise 400 600 35 vector 20
} >outside.ndjson
check 'roofline: a point outside extends no axis; in a terminal, nothing covers the name of a roof' 0 '
	TRACEFILTERS_CHARSET=UTF-8 ndjson2svg roofline -T --page 80x0 --quiet outside.ndjson |
		grep -o "^ *[0-9.]* ─\|400 TFLOP/s bf16\|20 TFLOP/s vector\|^ *0.01  .*"' <<'E'
400 TFLOP/s bf16
20 TFLOP/s vector
   0.01 ─
      0.01           0.1            1            10            100          1000
E
for i in $(seq 500); do row "op$i" gemm $((i * 100)) $((i % 23 + 1)) $((i % 19 + 1)) bf16 400; done >many
check 'roofline: a dozen names among 500 points, none over another' 0 '
	ndjson2svg roofline many >many.svg; grep -c "<circle" many.svg; grep -c ">op[0-9]*</text>" many.svg' <<'E'
500
12
E
check 'roofline: records without operations' 1 'grep copy roofline.ndjson | ndjson2svg roofline >nothing.svg' <<'E'
--- stderr
ndjson2svg: 1 record has no place on a roofline: no operations, or no FLOP/byte (intensity, tflops_s)
E
check 'heat: a hint says that the host has no row' 0 'ndjson2svg heat host.ndjson >x.svg' <<'E'
--- stderr
ndjson2svg: records without a device or stream are not shown; --rows thread shows those of the host
E
check 'titles say what aggregates are' 0 'for one in max p50 p99.9 std share; do
	groupby -g stream -a $one kernels.ndjson | ndjson2svg -g stream -f dur_$one |
		sed -n "s:^<title>\(.*\)</title>:\1:p"
	done' <<'E'
Maximum time by stream
Median time by stream
Percentile 99.9 of time by stream
Standard deviation of time by stream
Share of time by stream
E
check 'bar: draws the aggregate that the records have' 0 'for one in max p50 p99 count share; do
	groupby -g stream -a $one kernels.ndjson | ndjson2svg -g stream >x.svg && picture_marks.py x.svg | sed -n 1p
	done' <<'E'
rect bar 7 | 90.5 µs
rect bar 7 | 45.5 µs
rect bar 7 | 89.6 µs
rect bar 7 | 2
rect bar 7 | 98.37837837837839 %
E
marks 'heat: the mean of values' 'printf "%s\n" "{\"ts\":0,\"dur\":30,\"n\":2,\"rank\":1}" \
	"{\"ts\":10,\"dur\":10,\"n\":5,\"rank\":1}" "{\"ts\":-20,\"dur\":5,\"n\":1,\"rank\":0}" |
	ndjson2svg heat -f n --rows rank --page 80x0' <<'E'
rect h3 rank 0 at 0 ns | 1
rect h6 rank 1 at 20 ns | 3
rect h5 rank 1 at 40 ns | 2
E
python3 -c "
import random
random.seed(2)
for i in range(20000):
    times = random.randrange(10**9), random.randrange(10**6)
    print('{\"ts\":%d,\"dur\":%d,\"stream\":%d}' % (*times, i % 3))" >spread.ndjson
slow check 'heat: numbers of records are those of an independent computation' 0 \
	'ndjson2svg heat spread.ndjson -u ms >x.svg && heat_shares.py spread.ndjson x.svg' <<'E'
303
E

# --- flame

printf '%s\n' 'main;train;gemm 90' 'main;train 5' 'main;load;ncclKernel 4' 'main;load;<read> 1' >now.folded
printf '%s\n' 'main;train;gemm 40' 'main;load;<read> 10' >before.folded
flame_marks() { # flame_marks NAME COMMAND: checks the marks of the flame graph that COMMAND draws
	check "$1" 0 "$2 >x.svg && picture_marks.py --script x.svg"
}
flame_marks 'flame: frames with their callees, the heaviest first' 'ndjson2svg flame now.folded' <<'E'
rect op2 all | 100, 100.0 %
rect op main | 100, 100.0 %
rect op2 train | 95, 95.0 %
rect comp gemm | 90, 90.0 %
rect op2 load | 5, 5.0 %
rect comm ncclKernel | 4, 4.0 %
rect comp <read> | 1, 1.0 %
E
flame_marks 'flame: weights are times' 'ndjson2svg flame --time weight -t 2 now.folded' <<'E'
rect op2 all | 100 ns, 100.0 %
rect op main | 100 ns, 100.0 %
E
flame_marks 'flame: --diff compares shares' 'ndjson2svg flame --diff before.folded now.folded' <<'E'
rect none all | 100, 100.0 %, before 100.0 %
rect none main | 100, 100.0 %, before 100.0 %
rect more train | 95, 95.0 %, before 80.0 %
rect more gemm | 90, 90.0 %, before 80.0 %
rect less load | 5, 5.0 %, before 20.0 %
rect more2 ncclKernel | 4, 4.0 %, before 0.0 %
rect less <read> | 1, 1.0 %, before 20.0 %
E
check 'flame: --marks writes the frames as records' 0 'ndjson2svg flame --marks now.folded' <<'E'
{"kind":"ndjson2svg/mark","depth":0,"at":0,"dur":100,"self":0,"hidden":0,"name":"all"}
{"kind":"ndjson2svg/mark","depth":1,"at":0,"dur":100,"self":0,"name":"main"}
{"kind":"ndjson2svg/mark","depth":2,"at":0,"dur":95,"self":5,"name":"train"}
{"kind":"ndjson2svg/mark","depth":3,"at":0,"dur":90,"self":90,"name":"gemm"}
{"kind":"ndjson2svg/mark","depth":2,"at":95,"dur":5,"self":0,"name":"load"}
{"kind":"ndjson2svg/mark","depth":3,"at":95,"dur":4,"self":4,"name":"ncclKernel"}
{"kind":"ndjson2svg/mark","depth":3,"at":99,"dur":1,"self":1,"name":"<read>"}
E
check 'flame: --marks leaves out frames of less than 0.08 % and counts them' 0 \
	'printf "%s\n" "a 9984.5" "b;\"\\\\ 8" "c;d 7.5" | ndjson2svg flame --marks' <<'E'
{"kind":"ndjson2svg/mark","depth":0,"at":0,"dur":10000,"self":0,"hidden":2,"name":"all"}
{"kind":"ndjson2svg/mark","depth":1,"at":0,"dur":9984.5,"self":9984.5,"name":"a"}
{"kind":"ndjson2svg/mark","depth":1,"at":9984.5,"dur":8,"self":0,"name":"b"}
{"kind":"ndjson2svg/mark","depth":2,"at":9984.5,"dur":8,"self":8,"name":"\"\\\\"}
E
check 'flame: --marks writes at most 3000 frames, and counts those of the levels below' 0 '
	awk "BEGIN { for (i = 0; i < 1000; i++) for (k = 0; k < 4; k++) print i \";x;y;z\" k, 100 - k }" |
		ndjson2svg flame --marks >got; head -n 2 got; grep -c . got' <<'E'
{"kind":"ndjson2svg/mark","depth":0,"at":0,"dur":394000,"self":0,"hidden":5000,"name":"all"}
{"kind":"ndjson2svg/mark","depth":1,"at":0,"dur":394,"self":0,"name":"0"}
2001
E
check 'flame: --marks without stacks' 0 'ndjson2svg flame --marks </dev/null' </dev/null
check 'flame: -T names the callees below their callers' 0 'ndjson2svg flame -T --page 40x0 now.folded' <<'E'
 Flame graph

 all           ###########  100, 100.0 %
  main         ===========  100, 100.0 %
   train       ##########  95, 95.0 %
    gemm       ++++++++++  90, 90.0 %
   load        # 5, 5.0 %
    ncclKernel | 4, 4.0 %
    <read>     | 1, 1.0 %
               -----------
               0         100
             with all callees
E
check 'flame: -T draws the 40 largest frames with their callers, in at most -t levels' 0 '
	awk "BEGIN { for (i = 1; i < 60; i++) print i \";x;y \" i }" | ndjson2svg flame -T --page 60x0 >got
	sed -n "1p; 4,7p" got; grep -c % got
	ndjson2svg flame -T -t 2 --page 40x0 now.folded | grep -c %' <<'E'
 Flame graph: the largest 40 of 178 frames
  59    =  59, 3.3 %
   x    #  59, 3.3 %
    y   +  59, 3.3 %
  58    =  58, 3.3 %
40
2
E
check 'flame: lines that are not stacks are lost; others are drawn' 1 \
	'printf "a;b 3\nnothing\n\n;x 4\n7\n" | ndjson2svg flame >x.svg; status=$?; picture_marks.py --script x.svg
	exit $status' <<'E'
rect op2 all | 7, 100.0 %
rect op (empty) | 4, 57.1 %
rect comp x | 4, 57.1 %
rect op a | 3, 42.9 %
rect comp b | 3, 42.9 %
--- stderr
ndjson2svg: stdin:2: not a folded stack; skipped (and 1 more)
E
check 'flame: no stacks' 0 'ndjson2svg flame </dev/null >x.svg; picture_marks.py x.svg' <<'E'
E
cat >frames.py <<'E'
"""Prints the frames of folded stacks that are at least 0.4 of 868 pixels wide, as picture_marks.py prints them."""
import collections, sys
total, children = collections.Counter(), set()
for line in open(sys.argv[1]):
    stack, weight = line.rsplit(" ", 1)
    frames = stack.split(";")
    for i in range(len(frames) + 1):
        total[tuple(frames[:i])] += int(weight)
whole = total[()]
for frames in total:
    if total[frames] / whole * 868 >= 0.4:
        share = (total[frames] * 2000 + whole) // (2 * whole)
        print("%s | %d, %d.%d %%" % (frames[-1] if frames else "all", total[frames], share // 10, share % 10))
E
python3 -c "
import random
random.seed(1)
for i in range(3000):
    stack = ['f%d' % random.randrange(1 + depth) for depth in range(random.randrange(1, 9))]
    print(';'.join(stack), random.randrange(1, 99))" >random.folded
slow check 'flame: sums are those of an independent computation' 0 'python3 frames.py random.folded | sort >want
	ndjson2svg flame random.folded >x.svg && picture_marks.py --script x.svg | cut -d" " -f 3- | sort |
	diff want - && wc -l <want' <<'E'
897
E

# --- in the terminal: the same layout with characters

# TRACEFILTERS_CHARSET, which scripts set, counts before the locale.
check 'bar -T: the character set' 0 '
	for locale in LANG=C.UTF-8 LC_ALL=de_DE.utf8 "LC_ALL=C TRACEFILTERS_CHARSET=UTF-8" \
		LC_ALL=C LC_CTYPE=de_DE "LC_ALL=C.UTF-8 TRACEFILTERS_CHARSET=C"; do
		env -u LC_ALL $locale ndjson2svg -T --page 60x0 kernels.ndjson | grep -q "█" && echo UTF-8 || echo ASCII
	done' <<'E'
UTF-8
UTF-8
UTF-8
ASCII
ASCII
ASCII
E

check 'bar -T: Unicode blocks' 0 'LC_ALL=C.UTF-8 ndjson2svg -T --page 60x0 kernels.ndjson' <<'E'
 GPU time by name

                      gemm ███████████████████████  90.5 µs
 Memcpy HtoD …d -> Device) ▏ 1.20 µs
                      gemm ▏ 0.500 µs
      ncclKernel_AllReduce ▏ 0.300 µs
                           ───────────────────────
                           0           50
                                GPU time (µs)
E
check 'bar -T: ASCII in other locales' 0 'ndjson2svg -T --page 60x0 kernels.ndjson' <<'E'
 GPU time by name

                      gemm #######################  90.5 us
 Memcpy HtoD ~d -> Device) | 1.20 us
                      gemm | 0.500 us
      ncclKernel_AllReduce | 0.300 us
                           -----------------------
                           0           50
                                GPU time (us)
E
check 'stacked -T' 0 'ndjson2svg stacked -T --page 60x0 -g stream,name kernels.ndjson' <<'E'
 GPU time by stream and name

 7 ################################################ 91.0 us
 8 ======================================++++++++++ 1.50 us
   ------------------------------------------------
   0        20       40        60       80        100
         share of GPU time of each stream (%)

 ## gemm  == Memcpy HtoD (Pinned -> Device)
 ++ ncclKernel_AllReduce
E
check 'line -T' 0 'ndjson2svg line -T --page 50x12 kernels.ndjson' <<'E'
 GPU time over time

 GPU time (us)
       ##
       | ###
    50 |    ###
       |       ###
       |          ###############################
     0 -----------------------------------------
      0.0   0.5    1.0    1.5    2.0    2.5    3.0
            time since the first record (us)
E

check 'messages: boxes that are joined, records without a value' 0 '
	awk "BEGIN { for (i = 0; i < 3000; i++) printf \"{\\\"ts\\\":%d,\\\"dur\\\":1,\\\"name\\\":\\\"k\\\"}\\n\", 5 * i }" |
	ndjson2svg gantt --page 1000x0 >x.svg; picture_marks.py x.svg >marks; sed -n "1p; \$=" marks
	{ cat kernels.ndjson; echo "{\"name\":\"a\"}"; } | ndjson2svg bar -f dur >x.svg
	{ cat kernels.ndjson; echo "{\"ts\":\"x\",\"dur\":1}"; } | ndjson2svg line >x.svg' <<'E'
rect s0 k (3 others) | 0.004 µs at 0 µs
860
--- stderr
ndjson2svg: 3000 records are drawn as 860 boxes: short records of a row and color share a column of pixels
ndjson2svg: 1 of 5 records has no number in dur and is not shown
ndjson2svg: 1 record in which ts is not a number is not shown
E

check 'heat -T: a legend of several lines is complete' 0 \
	'for width in 40 60 80 120; do ndjson2svg heat -T --page ${width}x0 kernels.ndjson | grep -o "up to" | wc -l; done
	ndjson2svg heat --page 300x0 kernels.ndjson | grep -c ">up to"' <<'E'
6
6
6
6
6
E

# --- colors in a terminal

if have script && script -qec true /dev/null >/dev/null 2>&1; then
	on_terminal() { # on_terminal COMMAND: prints what COMMAND writes to a terminal, with ^ for ESC
		script -qec "$1" /dev/null </dev/null | tr -d '\r' | tr '\033' '^'
	}
	shares='ndjson2svg stacked -T --page 60x0 --title t -g stream,name kernels.ndjson'
	on_terminal "TERM=xterm-256color $shares" >colors
	check '-T: 256 colors on a terminal; the characters are the same as without colors' 0 \
		"sed 's/\^\[[0-9;]*m//g' colors >plain; $shares | diff - plain; sed -n '1p; 3,4p; \$p' colors" <<'E'
 ^[0;1mt^[0m
 7 ^[0;38;5;61m################################################ ^[0;38;5;244m91.0 us^[0m
 8 ^[0;38;5;37m======================================^[0;38;5;166m++++++++++ ^[0;38;5;244m1.50 us^[0m
 ^[0;38;5;166m++ ^[0mncclKernel_AllReduce
E
	on_terminal "COLORTERM= TERM=linux $shares" >colors
	check '-T: 16 colors' 0 "sed -n '3,4p' colors" <<'E'
 7 ^[0;94m################################################ ^[0;90m91.0 us^[0m
 8 ^[0;36m======================================^[0;33m++++++++++ ^[0;90m1.50 us^[0m
E
	for way in 'NO_COLOR=1 TERM=xterm' TERM=dumb TERM=; do
		on_terminal "$way $shares" >none
		check "-T: no colors with $way" 0 "$shares | diff - none" </dev/null
	done
	check '-T: no colors in a file' 0 'on_terminal() { script -qec "$1" /dev/null </dev/null; }
		on_terminal "TERM=xterm ndjson2svg -T kernels.ndjson >file"; ndjson2svg -T kernels.ndjson | cmp - file' </dev/null
	on_terminal 'TERM=xterm-256color ndjson2svg heat -T kernels.ndjson
		COLORTERM= TERM=xterm ndjson2svg line -T kernels.ndjson' >colors
	check '-T: heat has one color, curves have that of their line' 0 \
		'grep -c "\^\[0;38;5;32m" colors; grep -c "\^\[0;94m" colors' <<'E'
4
17
E
fi

# --- names and numbers of items

cat >items.py <<'E'
import json, random
random.seed(7)
hostile = ["</title></text><script>alert(1)</script>", "]]> & \" ' `id`", "\u202eleft", "\x00\x01\x1b[31m",
           "\ufffe\uffff", "line\nbreak", "", " ", "x" * 4096, "x" * 4095 + "y", "\U0001f600" * 300, "a;b",
           "\u0301" * 50, "void f<" * 500]
for n in (0, 1, 12, 500):
    with open("items%d.ndjson" % n, "w") as out, open("items%d.folded" % n, "w", errors="surrogateescape") as folded:
        for i in range(n):
            name = hostile[i % len(hostile)] + ("" if i < len(hostile) else str(i))
            dur = random.randrange(-5 if i else 1, 10**6)
            print(json.dumps({"ts": i * 1000, "dur": dur, "kind": "kernel", "name": name, "stream": name,
                              "depth": i % 7, "dev": i % 3, "op": name, "model": name, "intensity": i + 1,
                              "tflops_s": i + 1, "peak": name, "peak_tflops_s": i + 1}), file=out)
            print("a;%s;\udcff;%s %d" % (name.replace("\n", "\r"), name[:9].replace("\n", "\t"), abs(dur)), file=folded)
E
python3 items.py
cat >drawn <<'E'
#!/bin/sh
# drawn N ARGUMENTS: draws N items, and checks that the picture is well-formed and has marks.
n=$1
shift
case $1:$n in
flame:0) items=items0.folded script='' ;;
flame:*) items=items$n.folded script=--script ;;
*) items=items$n.ndjson script='' ;;
esac
ndjson2svg "$@" "$items" >x.svg 2>said
# shellcheck disable=SC2086 # no word if it is empty
[ $? -lt 2 ] && xmllint --noout x.svg && picture_marks.py $script x.svg >marks || exit 1
[ "$n" = 0 ] || [ -s marks ] || echo 'no marks'
ndjson2svg "$@" -T "$items" 2>>said >text
LC_ALL=C tr -d '\n -~' <text | wc -c
E
chmod +x drawn
for kind in $(ndjson2svg -h | sed -n 's/^usage: ndjson2svg \[\([^]]*\)\].*/\1/p' | tr '|' ' '); do
	command -v xmllint >/dev/null || break
	case $kind in
	stacked | share) options='-g stream,name' ;;
	gantt | line | steps | area) options='--color name' ;;
	*) options='' ;;
	esac
	for n in $(amount 12 "0 1 12 500"); do
		check "$kind: $n items with hostile names are well-formed and have no scripts; ASCII with -T" 0 \
			"./drawn $n $kind $options" <<'E'
0
E
	done
done
check 'names that differ look different' 0 'ndjson2svg -t 500 items500.ndjson |
	sed -n "s:.*<text class=\"ink\".*>\\(.*\\)</text>:\\1:p" | tee labels | sort | uniq -d; grep -c . labels' <<'E'
500
E

# --- wrong usage

wrong() { # wrong MESSAGE ARGUMENTS
	check "rejects wrong usage: $1" 2 "ndjson2svg $2 </dev/null" <<E
--- stderr
ndjson2svg: $1
E
}
wrong '--err and share cannot be used together' 'share --err dur_std'
wrong "-t: '0': expected an integer >= 1" 'bar -t 0'
wrong "--page: '3': expected WxH, such as 900x400" 'bar --page 3'
wrong '--marks and bar cannot be used together' 'bar --marks'
wrong "--bins: 'x': expected a number of bins from 1 to 10000, or ascending edges such as 0,10us,1ms" 'hist --bins x'
check 'no record has a value' 1 \
	'ndjson2svg -f nosuch kernels.ndjson >x.svg; status=$?; grep -c ">no record has a number in nosuch<" x.svg
	exit $status' <<'E'
1
--- stderr
ndjson2svg: no record has a number in nosuch; stats --fields lists the fields
E
check 'no records: the picture is empty' 0 'ndjson2svg </dev/null >x.svg; grep -c "no records" x.svg' <<'E'
1
E
check 'the same input gives the same bytes' 0 \
	'ndjson2svg share many.ndjson >1.svg; ndjson2svg share many.ndjson | cmp - 1.svg' </dev/null
finish
