#!/bin/sh
# plot.t: tests the shapes and texts that plot draws, thinning, escapes and empty input; also the gallery.
# shellcheck disable=SC2016 # commands of checks
# slow: it draws many pictures
. "${0%/*}/../lib.sh"

# --- tests that do not need gnuplot

mkdir bin
for program in sh awk sed sort cat head tail grep env mktemp rm; do
	ln -s "$(command -v "$program")" "bin/$program"
done
check 'reports that gnuplot is not installed' 2 'PATH=$BUILD/bin:$PWD/bin plot bar </dev/null' <<'E'
--- stderr
plot: gnuplot is not installed (Debian package gnuplot-nox)
E
have gnuplot || finish

# --- the awk parts of plot

mkdir copy
cp -R "$ROOT/scripts/plot/plot" "$ROOT/scripts/plot/plot.d" copy
ln -s copy/plot link
echo '{"name":"a","dur":5}' >bar
check 'finds its awk parts when started directly, by a link, and by bash' 0 \
	'plot bar -T bar >want && sed "1s/ *$//; q" want
	for how in "$ROOT/scripts/plot/plot" copy/plot ./link "bash link" "cd copy && bash plot"; do
		(file=$PWD/bar && eval "$how bar -T \"\$file\"") | cmp want -; done' <<'E'
 dur by name
E
rm copy/plot.d/page.awk
check_re 'reports a missing awk part' 2 './link bar -T bar' <<'E'
--- stderr
link: /.*/copy/plot\.d/page\.awk: cannot open
E

# shapes FILE [N]: prints the number of boxes, wedges or points in the N-th plot of an SVG, as gnuplot groups them.
cat >shapes <<'E'
#!/bin/sh
awk -v n="${2:-1}" '/<g id="gnuplot_plot_/ { inside = index($0, "gnuplot_plot_" n "\"") }
	inside { count += gsub(/<polygon |<use /, "&") } END { print count + 0 }' "$1"
E
# texts FILE: prints the texts in a picture, sorted, without the numbers at ticks.
cat >texts <<'E'
#!/bin/sh
sed -n 's:.*<text>\(.*\)</text>.*:\1:p' "$1" | grep -Evx ' *-?[0-9.]+' | sort
E
cat >wellformed <<'E'
#!/bin/sh
! command -v xmllint >/dev/null || xmllint --noout "$@"
E
chmod +x shapes texts wellformed
PATH=$PWD:$PATH

# --- wrong usage

wrong() { # wrong MESSAGE ARGUMENTS
	check "rejects wrong usage: $1" 2 "plot $2 </dev/null" <<E
--- stderr
plot: $1; try plot -h
E
}
wrong 'KIND is missing' ''
wrong "KIND: 'pie': expected bar, stacked, line, gantt, hist or share" 'pie'
wrong 'unknown option --nosuch' 'bar --nosuch'
wrong 'option -t needs an argument' 'bar -t'
wrong "-t: '0': expected an integer >= 1" 'bar -t 0'
wrong '-t cannot be used with line' 'line -t 3'
wrong '--err cannot be used with share' 'share --err dur_std'
wrong "-u: 'h': expected ns, us, ms, s, B, kB, MB, GB, KiB, MiB or GiB" 'bar -u h'
wrong "--rows: 'column': expected each, depth, thread or stream" 'gantt --rows column'
wrong "--size: '3': expected WxH, such as 900x400" 'bar --size=3'
wrong "--save: 'x.gif': expected a name that ends in .svg, .png or .pdf" 'bar --save x.gif'
wrong '-T and --save cannot be used together' 'bar -T --save x.svg'
check 'reports a missing input file' 2 'plot bar nowhere' <<'E'
--- stderr
plot: nowhere: cannot open
E
check 'reports an output folder that does not exist' 2 'echo "{\"dur\":1}" | plot bar --save nowhere/x.svg' <<'E'
--- stderr
plot: nowhere/x.svg: cannot write
E
check 'exits 2 on a full disk' 2 \
	'echo "{\"dur\":1}" | plot bar 2>/dev/null >/dev/full; a=$?; plot -h >/dev/full 2>/dev/null; [ $a = $? ] &&
	exit $a' </dev/null

# --- each kind

trace2ndjson "$DATA/train.pt.trace.json" | filter-calls -k kernel >kernels
check 'bar: draws a bar and an error bar for each group' 0 'groupby -g name -a sum,std kernels |
	plot bar --err dur_std --save x.svg && shapes x.svg 1 && texts x.svg' <<'E'
5
ampere_sgemm_128x64_tn
ampere_sgemm_32x128_nt
at::native::(anonymous name…:multi_tensor_apply_kernel
at::native::vectorized_elementwise_kernel
dur_sum by name
dur_sum ± dur_std (us)
ncclDevKernel_AllReduce_Sum_f32_RING_LL
E

check 'bar: title says how many of the bars are drawn' 0 \
	'plot bar -t 3 -f dur kernels --save x.svg && shapes x.svg && texts x.svg && grep -c 94.4 x.svg' <<'E'
3
ampere_sgemm_32x128_nt
dur (us)
ncclDevKernel_AllReduce_Sum_f32_RING_LL
ncclDevKernel_AllReduce_Sum_f32_RING_LL
the largest 3 of 10: dur by name
1
E
check 'bar: --as-read, two keys and -u' 0 \
	'plot bar --as-read -t 2 -g stream,name -u ms --title "" kernels --save x.svg &&
	shapes x.svg && sed -n "s:.*<text>\(.*\)</text>.*:\1:p" x.svg | grep -v "^[0-9.]*$"' <<'E'
2
dur (ms)
7 / ampere_sgemm_128x64_tn
7 / at::native::vectorized_elementwise_kernel
E
check 'bar: draws shares in percent' 0 \
	'echo "{\"name\":\"a\",\"dur_share\":0.256}" | plot bar -f dur_share --save x.svg && grep -o "<text>25.6<" x.svg &&
	texts x.svg' <<'E'
<text>25.6<
a
dur_share (%)
dur_share by name
E
awk 'BEGIN { for (i = 0; i < 80; i++) printf "{\"name\":\"kernel %d\",\"count\":%d}\n", i, 200 - i }' >eighty
check 'bar: names of 80 bars do not overlap' 0 \
	'plot bar -t 80 -f count eighty --save x.svg && shapes x.svg && texts x.svg | grep -c "^kernel "
	grep -B1 "<text>kernel " x.svg | sed -n "s/.*translate([^,]*,\([0-9.]*\)).*/\1/p" | sort -n |
		awk "NR > 1 && \$1 - last < 15 { print \"too near\", \$1 } { last = \$1 }"' <<'E'
80
80
E

cat >parts <<'E'
{"kind":"groupby/event","phase":"up","op":"a","name":"k1","dur_sum":750000}
{"kind":"groupby/event","phase":"up","op":"a","name":"k2","dur_sum":250000}
{"kind":"groupby/event","phase":"up","op":"b","name":"k1","dur_sum":100000}
{"kind":"groupby/event","phase":"down","op":"c","name":"k3","dur_sum":2000000}
E
check 'stacked: draws panels, groups, parts, percentages and sums' 0 \
	'plot stacked --facet phase -g op,name parts --save x.svg && wellformed x.svg
	for n in 1 2 3; do shapes x.svg $n; done; texts x.svg' <<'E'
1
2
1
0.100 ms
1.00 ms
100%
100%
2.00 ms
25%
75%
a
b
c
down
dur_sum of name in op
k1
k2
k3
share of dur_sum (%)
up
E
check 'stacked: combines the smallest parts' 0 \
	'plot stacked -t 1 -g op,name parts --save x.svg && shapes x.svg 1 && shapes x.svg 2 &&
	texts x.svg | grep others' <<'E'
1
2
(2 others)
E
check 'share: angles of the parts add up to a circle' 0 \
	'plot share parts --save x.svg && shapes x.svg && texts x.svg' <<'E'
3
0.250 ms
0.850 ms
2.00 ms
27.4 %
64.5 %
8.1 %
dur_sum by name: 3.10 ms
k1
k2
k3
E

printf '{"kind":"groupby/event","iteration":%s}\n' '2,"dur_sum":3000' '0,"dur_sum":1000' '1,"dur_sum":2000' \
	'"x","dur_sum":5' >line
check 'line: draws points in the order of x, and starts the y axis at 0' 0 \
	'plot line -g iteration line --save x.svg && shapes x.svg && texts x.svg
	sed -n "/gnuplot_plot_1/,\$s/.*translate(\([0-9.]*\),.*scale.*/\1/p" x.svg | sort -c -n && echo in order' <<'E'
3
dur_sum (us)
dur_sum over iteration
iteration
in order
--- stderr
plot: 1 record in which iteration is not a number is not shown
E
check 'line: keeps nanoseconds of present-day times, and draws a line for each stream' 0 \
	'plot line --colour stream kernels --save x.svg
	shapes x.svg 1; shapes x.svg 2; texts x.svg' <<'E'
8
2
dur (us)
dur over time
time since the first (us)
E

trace2ndjson "$DATA/train.pt.trace.json" | filter-calls -k range,op,api | ts-sort | call-tree >tree
check 'gantt: --rows each draws a row for each record in the order read' 0 \
	'plot gantt --rows each tree --save x.svg && shapes x.svg && texts x.svg | wc -l
	grep -c . tree; sed -n "s:.*<text>\(.*\)</text>.*:\1:p" x.svg | grep -e Profiler -e aten::copy_ | head -n 2' <<'E'
32
37
32
aten::copy_
ProfilerStep#1
E
check 'gantt: --rows depth writes texts in boxes that have room' 0 \
	'plot gantt --rows depth tree --save x.svg && shapes x.svg &&
	texts x.svg | grep -e "^thread" -e forward -e "^Prof"' <<'E'
32
ProfilerStep#1
ProfilerStep#1
ProfilerStep#2
ProfilerStep#2
forward
forward
forward
thread 4711 depth 0
thread 4711 depth 1
thread 4711 depth 2
thread 4711 depth 3
thread 4790 depth 0
thread 4790 depth 1
thread 4790 depth 2
E
check 'gantt: draws rows by stream and by thread' 0 \
	'plot gantt kernels --save x.svg && shapes x.svg && texts x.svg | grep "^stream"
	plot gantt --rows thread tree --save x.svg && texts x.svg | grep "^thread"' <<'E'
10
stream 20
stream 7
thread 4711
thread 4790
E
check 'gantt: draws instants as marks, and reports records without ts' 0 \
	'printf "%s\n" "{\"ts\":1,\"name\":\"a\"}" "{\"ts\":4,\"dur\":2,\"name\":\"b\"}" "{\"dur\":2}" |
	plot gantt --rows each --save x.svg && shapes x.svg' <<'E'
2
--- stderr
plot: 1 record without ts is not shown
E
# With -T, rounding can move the axis by a line. Therefore, the title of the x axis has its own line, and the legend is
# below it.
# shellcheck disable=SC2016
check 'gantt -T: the legend does not overlap other texts' 0 'for lanes in 1 2 3 4 5 6 7 9 12 20 31 40; do
	awk -v n=$lanes "BEGIN { for (i = 0; i < n + 3; i++)
		printf \"{\\\"ts\\\":%d,\\\"dur\\\":500,\\\"kind\\\":\\\"%s\\\",\" \
			\"\\\"name\\\":\\\"n\\\",\\\"dev\\\":0,\\\"stream\\\":%d}\\n\",
		1000 * i, i % 3 == 0 ? \"op\" : i % 3 == 1 ? \"api\" : \"kernel\", i % n }" >rows
	for o in "--rows each" "--rows stream" "--rows stream --size 60x20" "--rows each --size 100x30"; do
		plot gantt -T --colour kind $o rows >picture
		[ "$(grep -c "^ *time since the first (us) *$" picture)" = 1 ] &&
			[ "$(grep -o -e "\* op" -e "# api" -e "\$ kernel" picture | wc -l)" = 3 ] || echo "$lanes $o"
	done
done' </dev/null
check 'gantt: draws at most -t rows' 1 \
	'awk "BEGIN { for (i = 0; i < 1002; i++) printf \"{\\\"ts\\\":%d,\\\"dur\\\":1,\\\"name\\\":\\\"k\\\"}\n\", i }" >many
	plot gantt --rows each many --save x.svg; a=$?; shapes x.svg
	plot gantt --rows each -t 3 many --save x.svg && shapes x.svg;
	exit $a' <<'E'
1000
3
--- stderr
plot: only the first 1000 records are shown; 2 records skipped; -t shows more
plot: only the first 3 records are shown; 999 records skipped; -t shows more
E
check 'hist: draws the bins of stats --hist' 0 'plot hist kernels --save x.svg && shapes x.svg && texts x.svg
	stats --hist -o csv kernels | grep -vc -e count -e ",0$"' <<'E'
5
10 records by dur
dur (us)
records
5
E
check 'hist: labels each edge with its unit if values span many decades' 0 \
	'printf "{\"dur\":%d}\n" 5 700 90000 8000000 >far; plot hist far --save x.svg && shapes x.svg && texts x.svg |
	grep -e "[0-9] ns" -e "[0-9] ms"' <<'E'
4
1 ms
100 ns
20 ns
5 ms
5 ns
500 ns
E

# --- other formats, the terminal

check '-o chooses PNG or PDF by the file name; the default is SVG' 0 \
	'plot bar kernels --save x.png; plot bar kernels --save x.pdf; plot bar kernels >x.svg
	head -c 4 x.png | tail -c 3; echo; head -c 5 x.pdf; echo; wellformed x.svg && grep -c "<svg" x.svg' <<'E'
PNG
%PDF-
1
E
check '-T: each row has its own line even with a small --size' 0 \
	'for size in 60x2 60x40; do groupby -g name -a sum kernels | plot bar -T --size $size | grep -c "[*]"; done | uniq -c |
		wc -l' <<'E'
1
E
check '-T: draws each kind with characters' 0 \
	'groupby -g name -a sum kernels | COLUMNS=60 plot bar -T | sed "s/ *$//"' <<'E'
 dur_sum by name

 ncclDevKernel~_f32_RING_LL ************************  189
     ampere_sgemm_32x128_nt ************** 104
 at::native::(~apply_kernel ***********  83.9
     ampere_sgemm_128x64_tn **********  76.4
 at::native::v~twise_kernel ** 4.78

                            +           +            +
                            0          100          200
                                    dur_sum (us)
E
check '-T: draws share and stacked' 0 'plot stacked -T -g op,name parts | grep -e "\*" -e "#" | sed "s/ *$//"' <<'E'
 c ******************************************************************* 2.00 ms
 a ##################################################$$$$$$$$$$$$$$$$$ 1.00 ms
 b ###################################################################0.100 ms
 * k3  # k1  $ k2
E

# --- texts are not changed

cat >texts.py <<'E'
"""texts.py PICTURE: the texts of an SVG, as an XML parser reads them."""
import sys, xml.etree.ElementTree
for text in xml.etree.ElementTree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}text"):
    sys.stdout.buffer.write(((text.text or "") + "\n").encode())
E
cat >odd <<'E'
{"name":"it's \"q\" <a&b> _x^y{z} @m $v `date` 50% %s","dur":14}
{"name":"C:\\temp\\n","dur":13}
{"name":"'`touch x.ran`' \"`touch x.ran`\" @m '@m' $(touch x.ran)","dur":13}
{"name":"two\nlines\tand\u0001\u007f","dur":12}
{"name":"é日本 😀","dur":11}
{"name":"[[x]]>end ]]>","dur":10}
{"name":"'","dur":9}
{"name":"''a''b''","dur":8}
{"name":"{/Bold x}","dur":7}
{"name":"\ufffe","dur":6}
{"name":"","dur":5}
{"dur":4}
E
sed 's/^{/{"ts":1,"stream":1,/' odd >with-ts
for how in 'bar --wide' 'gantt --rows each --wide' 'share --wide -t 20' 'stacked --wide -g dur,name'; do
	check "escapes special characters in texts: $how" 0 \
		"plot $how with-ts --save x.svg && wellformed x.svg && python3 texts.py x.svg |
		grep -Fx -e \"it's \\\"q\\\" <a&b> _x^y{z} @m \\\$v \\\`date\\\` 50% %s\" \
		-e 'C:\\temp\\n' -e 'two\\nlines\\tand\\x01\\x7f' -e 'é日本 😀' -e '[[x]]>end ]]>' -e \"'\" -e \"''a''b''\" -e \
			'{/Bold x}' -e '�' |
		sort" <<'E'
'
''a''b''
C:\temp\n
[[x]]>end ]]>
it's "q" <a&b> _x^y{z} @m $v `date` 50% %s
two\nlines\tand\x01\x7f
{/Bold x}
é日本 😀
�
E
done
check 'does not run commands in texts' 2 'ls x.ran 2>/dev/null' </dev/null
check 'escapes special characters in the title' 0 \
	"plot bar --title \"a'b <c> & \\\"d\\\" _e^f \\\`date\\\` %s {x}\" odd --save x.svg && wellformed x.svg &&
	python3 texts.py x.svg | grep '^a'" <<'E'
a'b <c> & "d" _e^f `date` %s {x}
E
check 'cuts long names in the middle, between characters' 0 \
	'awk "BEGIN { for (i = 0; i < 4096; i++) printf \"日\"; print \"ende\" }" |
	sed "s/.*/{\"name\":\"&\",\"dur\":5}/" | plot bar --save x.svg &&
	python3 texts.py x.svg | grep … | sed "s/日//g"' <<'E'
…ende
E

# --- no records, and one record

: >empty
echo '{"ts":5,"dur":7,"name":"a","stream":1,"pid":1,"tid":2,"depth":0}' >one
echo '{"name":"a"}' >bare
for how in bar line gantt 'gantt --rows each' 'gantt --rows depth' share 'stacked -g stream,name' hist; do
	check "draws an empty picture: $how" 0 \
		"plot $how empty --save x.svg && wellformed x.svg; texts x.svg | grep 'no rec'; grep -ci nan x.svg;
		plot -T $how empty 2>&1 | grep -c 'no records'" <<E
no records
0
2
--- stderr
plot: no records$([ "$how" != hist ] || echo ' with a number in dur'): the picture is empty
E
	check "draws one record: $how" 0 \
		"plot $how one --save x.svg && wellformed x.svg; shapes x.svg; grep -ci nan x.svg
		plot -T $how one >t && [ -s t ]" <<'E'
1
0
E
done
check 'fails if no record has the field of -f' 2 \
	'plot bar -f dur_smu bare --save y.svg; a=$?; ls y.svg 2>/dev/null; exit $a' <<'E'
--- stderr
plot: no record has the field 'dur_smu'
E
check 'fails if no record has a default field' 2 'plot bar bare; a=$?; plot gantt bare; [ $a = $? ] && exit $a' <<'E'
--- stderr
plot: no record has a number in dur_sum,dur_mean,dur
plot: no record has ts
E
check 'reports records without the value' 0 'cat bare one bare | plot bar --save x.svg && shapes x.svg' <<'E'
1
--- stderr
plot: 2 records without dur are not shown
E
check 'exits 1 for a truncated record' 1 \
	'{ cat one; echo "{\"na"; } | plot bar --save x.svg; a=$?; shapes x.svg; exit $a' <<'E'
1
--- stderr
plot: stdin:2: not a JSON record; skipped
E

# --- thinning: the minimum and maximum of 200000 points are drawn, and gnuplot reads few points

awk 'BEGIN { for (i = 0; i < 200000; i++)
	printf "{\"ts\":1718000000%09d,\"dur\":%d,\"name\":\"k\",\"stream\":1}\n", i * 1000,
		i == 123456 ? 90000 : i == 77777 ? 1000 : 50000 + i % 7 }' >many
check_re 'line: reports that points are thinned' 0 \
	'plot line --zoom many --save x.svg; [ "$(wc -c <x.svg)" -lt 100000 ]; echo $?
	grep -o "<text> *[28]0<" x.svg | tr -d " "' <<'E'
0
<text>20<
<text>80<
--- stderr
plot: 200000 points are thinned to [0-9]+: each column of pixels shows its minimum and maximum
E
check 'hist: fails if no record has the value' 2 \
	'rm -f x.svg; for f in nosuch name; do plot hist -f $f bare --save x.svg; s=$?; [ ! -e x.svg ] || ls x.svg; done;
	exit $s' <<'E'
--- stderr
plot: no record has the field 'nosuch'
plot: field 'name' has no numeric values
E
check_re 'gantt: reports that boxes are thinned' 0 \
	'plot gantt many --save x.svg; [ "$(shapes x.svg)" -le 2000 ]; echo $?' <<'E'
0
--- stderr
plot: 200000 records are thinned to [0-9]+ boxes: records that begin in the same column of pixels share a box
E

awk 'BEGIN { for (i = 0; i < 102; i++) printf "{\"ts\":%d,\"dur\":1,\"stream\":%d}\n", i, i }' >hundred
check 'line: draws at most 100 lines' 1 \
	'plot line --colour stream hundred --save x.svg; a=$?; grep -c "id=.gnuplot_plot_" x.svg; exit $a' <<'E'
100
--- stderr
plot: only the first 100 lines are shown; 2 records skipped
E
awk 'BEGIN { for (i = 0; i < 300000; i++)
	printf "{\"ts\":%d,\"dur\":%d,\"name\":\"k%d\",\"stream\":1}\n", i, 1 + i % 9, i % 997 }' >names
check_re 'gantt: thins boxes with many names' 0 \
	'plot gantt names --save x.svg; [ "$(shapes x.svg)" -le 50000 ]; echo $?' <<'E'
0
--- stderr
plot: 300000 records are thinned to [0-9]+ boxes: records that begin in the same column of pixels share a box
E

# --- a complete picture replaces the file; otherwise the file is not changed

mkdir failing atomic
printf '#!/bin/sh\nhead -n 1; exit 1\n' >failing/gnuplot
chmod +x failing/gnuplot
check 'a failure does not change the old picture' 2 \
	'echo old >atomic/x.svg; PATH=$PWD/failing:$PATH plot bar one --save atomic/x.svg; status=$?; cat atomic/*; ls atomic;
	exit $status' <<'E'
old
x.svg
--- stderr
plot: gnuplot failed
E
check 'a failure creates no file' 2 \
	'rm atomic/x.svg; PATH=$PWD/failing:$PATH plot bar one --save atomic/x.svg; status=$?; ls atomic; exit $status' <<'E'
--- stderr
plot: gnuplot failed
E
check 'several runs can write the same file' 0 \
	'for i in 1 2 3 4 5 6; do plot bar one --save atomic/x.svg & done; wait; wellformed atomic/x.svg; ls atomic' <<'E'
x.svg
E
check '-o through a symbolic link keeps the link' 0 \
	'rm atomic/x.svg; ln -s ../y.svg atomic/x.svg; plot bar one --save atomic/x.svg && wellformed y.svg &&
	readlink atomic/x.svg' <<'E'
../y.svg
E

# --- the gallery

if have python3; then
	mkdir new
	check 'gallery: the generator writes the traces in tests/data' 0 \
		'"$DATA/generate-gallery" new && for file in new/*; do case $file in
		*.gz) gzip -dc "$file" >a; gzip -dc "$DATA/${file##*/}" | cmp a - ;; *) cmp "$file" "$DATA/${file##*/}" ;; esac; done;
		ls new | wc -l' <<'E'
5
E
fi
mkdir pictures
check 'gallery: draw writes all pictures' 0 \
	'"$ROOT/scripts/dev/gallery/draw" pictures && ls pictures | wc -l && wellformed pictures/*.svg
	find pictures -size +60k' <<'E'
9
E
if grep -q scripts/dev/gallery/ "$ROOT/README.md"; then
	check 'gallery: README.md contains the captions and pipelines' 0 \
		'"$ROOT/scripts/dev/gallery/draw" --markdown | grep . | grep -Fvx -f "$ROOT/README.md"; [ $? = 1 ]' </dev/null
fi
version=$(sed -n 's:<desc>Produced by GNUPLOT \(.*\) </desc>:\1:p' "$ROOT/scripts/dev/gallery/plaidml-mean.svg")
if [ "gnuplot $version" = "$(gnuplot --version)" ]; then
	check 'gallery: the pictures in the tree are up to date' 0 \
		'for file in pictures/*; do cmp "$file" "$ROOT/scripts/dev/gallery/${file##*/}"; done' </dev/null
else
	skip "the gallery was drawn by gnuplot $version"
fi

finish
