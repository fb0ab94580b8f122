#!/bin/sh
# plot.t: the options of plot, its files (SVG, PNG, PDF), hostile texts, and input without records; also the gallery.
# Tests of ndjson2svg test the marks of each kind of picture.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/../lib.sh"
only_slow_follow # it draws many pictures
have python3 || finish

echo '{"name":"a","dur":5}' >bar
for how in "$ROOT/scripts/plot/plot" ./link 'bash link'; do
	ln -sf "$ROOT/scripts/plot/plot" link
	check "runs when started directly, by a link, and by bash: ${how##*/}" 0 \
		"LC_ALL=C.UTF-8 $how bar -T --page 40x0 bar" <<'E'
 Time by name

 a ███████████████████████████████  5 ns
   ───────────────────────────────
   0     1     2     3     4      5
              time (ns)
E
done

# --- wrong usage

wrong() { # wrong MESSAGE ARGUMENTS
	check "rejects wrong usage: $1" 2 "plot $2 </dev/null" <<E
--- stderr
plot: $1
E
}
wrong 'KIND is missing; try plot -h' ''
wrong "KIND: 'pie': expected bar, stacked, share, hist, line, steps, area, gantt, heat or roofline; try plot -h" 'pie'
wrong 'unknown option --nosuch; try plot -h' 'bar --nosuch'
wrong 'option -t needs an argument; try plot -h' 'bar -t'
wrong "-t: '0': expected an integer >= 1" 'bar -t 0'
wrong '-t and line cannot be used together' 'line -t 3'
wrong '--err and share cannot be used together' 'share --err dur_std'
wrong "-u: 'h': expected ns, us, ms, s, B, kB, MB, GB, KiB, MiB or GiB; did you mean 's'?" 'bar -u h'
wrong "--rows: 'column': expected stream, thread, depth, each or rank" 'gantt --rows column'
wrong "--page: '3': expected WxH, such as 900x400" 'bar --page=3'
wrong "--page: '900x': expected WxH, such as 900x400" 'bar --page=900x'
wrong "--to: 'x.gif': expected a name that ends in .svg, .png or .pdf; try plot -h" 'bar --to x.gif'
wrong '-T and --to cannot be used together; try plot -h' 'bar -T --to x.svg'
check 'reports a missing input file' 2 'plot bar nowhere --to x.svg; a=$?; [ ! -e x.svg ] && exit $a' <<'E'
--- stderr
plot: nowhere: cannot open: No such file or directory
E
check 'reports an output folder that does not exist' 2 'plot bar bar --to nowhere/x.svg' <<'E'
--- stderr
plot: nowhere/x.svg: cannot write: No such file or directory
E
check 'exits 2 on a full disk' 2 \
	'plot bar bar 2>/dev/null >/dev/full; a=$?; plot -h >/dev/full 2>/dev/null; [ $a = $? ] && exit $a' </dev/null
check 'the former names of options' 0 \
	'plot bar bar --save x.svg --size 500x300; plot bar bar --to y.svg --page 500x300; cmp x.svg y.svg
	plot bar --save z.svg --size dur --quiet bar' <<'E'
--- stderr
plot: --save is now called --to; --save works until version 0.4.0
plot: --size is now called --page; --size WxH works until version 0.4.0
E

# --- each option reaches ndjson2svg, with each kind

trace2ndjson "$DATA/train.pt.trace.json" | filter-calls -k kernel,range,op,api | ts-sort | call-tree >tree
filter-calls -k kernel tree >kernels
groupby -g stream,name -a sum,std kernels >sums
same() { # same PLOT-ARGUMENTS | NDJSON2SVG-ARGUMENTS
	check "the picture of ndjson2svg: ${1%|*}" 0 "plot ${1%|*} --to x.svg && ndjson2svg ${1#*|} | cmp x.svg -" </dev/null
}
same 'bar kernels|bar kernels'
same 'bar --err dur_std -t 2 -u us --page 700x300 sums|bar --err dur_std -t 2 -u us --page 700x300 sums'
same 'bar --as-read -g stream,name --wide --title "" sums|bar --as-read -g stream,name --wide --title "" sums'
same 'stacked -g kind,stream,name --facet kind --bars 1 tree|stacked -g kind,stream,name --facet kind --bars 1 tree'
same 'share -f dur_sum -g stream,name --title "a=b \$c" sums|share -f dur_sum -g stream,name --title "a=b \$c" sums'
same 'hist --bins 3 --log kernels|hist --bins 3 --log kernels'
same 'line -g ts -f dur --color stream --zoom kernels|line -g ts -f dur --color stream --zoom kernels'
same 'steps kernels --quiet|steps kernels'
same 'area --color stream -t 3 kernels|area --color stream -t 3 kernels'
same 'gantt --rows depth --label name,kind --color kind tree|gantt --rows depth --label name,kind --color kind tree'
same 'gantt --rows each -t 50 tree|gantt --rows each -t 50 tree'
same 'heat kernels|heat kernels'
check 'reads standard input; the default is SVG on standard output' 0 \
	'plot bar <kernels >x.svg; cat kernels | plot bar - | cmp x.svg -; grep -c "^<svg" x.svg' <<'E'
1
E
check 'options may follow files, and files --' 0 \
	'plot bar -T kernels -t 1 >a; plot -t 1 -T bar -- kernels | cmp a -
	ndjson2svg -T -t 1 kernels | cmp a -' </dev/null
check '-T: as wide as --page' 0 'plot bar -T --page 60x0 sums >a; plot bar -T --page 100x0 sums >b
	awk "{ if (length > n) n = length } END { print (n <= 60) }" a; ndjson2svg bar -T --page 100x0 sums | cmp b -' <<'E'
1
E
if have script && script -qec true /dev/null >/dev/null 2>&1; then
	check 'draws with characters if standard output is a terminal' 0 \
		'script -qec "plot bar bar" typescript </dev/null | grep -c -e "^<svg"; grep -c "Time by name" typescript' <<'E'
0
1
E
fi

# --- PNG and PDF

mkdir bin
for program in sh bash awk sed cat head grep mkdir rm readlink mv chmod ndjson2svg groupby; do
	ln -s "$(command -v "$program")" "bin/$program"
done
ln -s "$BUILD/bin/plot" "$BUILD/bin/trace-script" bin
check 'reports that rsvg-convert is not installed, before it reads' 2 'for file in x.png x.pdf; do
	PATH=$PWD/bin bin/plot bar nowhere --to $file; done' <<'E'
--- stderr
plot: x.png: rsvg-convert is not installed (Debian package librsvg2-bin)
plot: x.pdf: rsvg-convert is not installed (Debian package librsvg2-bin)
E
check 'an SVG needs no rsvg-convert' 0 \
	'PATH=$PWD/bin bin/plot bar bar --to x.svg && PATH=$PWD/bin bin/plot bar bar | cmp x.svg -' </dev/null
mkdir failing atomic
printf '#!/bin/sh\nhead -n 1 >/dev/null; echo part; echo broken >&2; exit 1\n' >failing/rsvg-convert
chmod +x failing/*
check 'a failure of rsvg-convert does not change the old picture' 2 \
	'echo old >atomic/x.png; PATH=$PWD/failing:$PATH plot bar bar --to atomic/x.png; status=$?; cat atomic/*; ls atomic;
	rm atomic/x.png; PATH=$PWD/failing:$PATH plot bar bar --to atomic/x.pdf; ls atomic; exit $status' <<'E'
old
x.png
--- stderr
plot: atomic/x.png: rsvg-convert failed: broken
plot: atomic/x.pdf: rsvg-convert failed: broken
E
if have rsvg-convert; then
	# size FILE: prints the width and height in the head of a PNG.
	cat >size.py <<'E'
import struct, sys
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
print(*struct.unpack(">II", data[16:24]))
E
	check 'PNG: two pixels for each pixel, the same bytes in each run' 0 \
		'plot bar kernels --page 600x300 --to x.png && python3 size.py x.png; mv x.png y.png
		plot bar kernels --page 600x300 --to x.png && cmp x.png y.png' <<'E'
1200 600
E
	check 'PNG: one pixel for each pixel of a very high picture' 0 \
		'plot bar bar --page 100x17000 --to x.png && python3 size.py x.png' <<'E'
100 17000
E
	check 'PNG: a picture that is too high is reported' 2 \
		'plot bar bar --page 100x40000 --to atomic/y.png; a=$?; ls atomic; exit $a' <<'E'
--- stderr
plot: atomic/y.png: rsvg-convert failed: The resulting image would be larger than 32767 pixels on either dimension.
E
	check 'PDF' 0 'plot share kernels --to x.pdf; head -c 5 x.pdf; tail -c 6 x.pdf' <<'E'
%PDF-%%EOF
E
fi

# --- a complete picture replaces the file; otherwise the file is not changed

cat >failing/ndjson2svg <<'E'
#!/bin/sh
echo '<svg'
echo "plot: failed" >&2
exit 2
E
chmod +x failing/ndjson2svg
ln -s "$BUILD/bin/plot" failing/plot
check 'a failure of ndjson2svg does not change the old picture, and makes no file' 2 \
	'echo old >atomic/x.svg; PATH=$PWD/failing:$PATH plot bar bar --to atomic/x.svg; status=$?; cat atomic/*; ls atomic;
	rm atomic/x.svg; PATH=$PWD/failing:$PATH plot bar bar --to atomic/x.svg; ls atomic; exit $status' <<'E'
old
x.svg
--- stderr
plot: failed
plot: failed
E
check 'several runs can write the same file' 0 \
	'for i in 1 2 3 4 5 6; do plot bar bar --to atomic/x.svg & done; wait
	picture_marks.py atomic/x.svg; ls atomic' <<'E'
rect bar a | 5 ns
x.svg
E
check '--to through a symbolic link keeps the link' 0 \
	'rm atomic/x.svg; ln -s ../y.svg atomic/x.svg; plot bar bar --to atomic/x.svg && grep -c "<svg" y.svg &&
	readlink atomic/x.svg' <<'E'
1
../y.svg
E
check 'exits 1 for a truncated record, and draws the others' 1 \
	'{ cat bar; echo "{\"na"; } | plot bar --to x.svg; a=$?; picture_marks.py x.svg; exit $a' <<'E'
rect bar a | 5 ns
--- stderr
plot: stdin:2: not a JSON record; skipped
E
check 'exits 1 if no record has the value, and the picture says so' 1 \
	'echo "{\"name\":\"a\"}" | plot bar --to x.svg; a=$?; grep -o ">no record.*<" x.svg; exit $a' <<'E'
>no record has a number in dur_sum, dur_mean, dur, dur_max, dur_p50, dur_p99, dur_share or count<
--- stderr
plot: no record has a number in dur_sum, dur_mean, dur, dur_max, dur_p50, dur_p99, dur_share or count; stats --fields lists the fields
E

# --- texts are not changed

cat >texts.py <<'E'
"""texts.py PICTURE: the texts and tips of an SVG, as an XML parser reads them."""
import sys, xml.etree.ElementTree
for text in xml.etree.ElementTree.parse(sys.argv[1]).iter():
    if text.tag.endswith("}text") or text.tag.endswith("}title"):
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
		"plot $how with-ts --to x.svg && python3 texts.py x.svg |
		grep -Fx -e \"it's \\\"q\\\" <a&b> _x^y{z} @m \\\$v \\\`date\\\` 50% %s\" \
		-e 'C:\\temp\\n' -e 'two\\nlines\\tand\\x01\\x7f' -e 'é日本 😀' -e '[[x]]>end ]]>' -e \"'\" -e \"''a''b''\" -e \
			'{/Bold x}' -e '\ufffe' |
		sort -u" <<'E'
'
''a''b''
C:\temp\n
[[x]]>end ]]>
\ufffe
it's "q" <a&b> _x^y{z} @m $v `date` 50% %s
two\nlines\tand\x01\x7f
{/Bold x}
é日本 😀
E
done
check 'does not run commands in texts' 2 'ls x.ran 2>/dev/null' </dev/null
check 'escapes special characters in the title' 0 \
	"plot bar --title \"a'b <c> & \\\"d\\\" _e^f \\\`date\\\` %s {x}\" odd --to x.svg &&
	python3 texts.py x.svg | grep '^a' | uniq" <<'E'
a'b <c> & "d" _e^f `date` %s {x}
E

# --- the gallery

mkdir new
check 'gallery: the generator writes the traces in tests/data' 0 \
	'"$DATA/generate-gallery" new && for file in new/*; do case $file in
	*.gz) gzip -dc "$file" >a; gzip -dc "$DATA/${file##*/}" | cmp a - ;; *) cmp "$file" "$DATA/${file##*/}" ;; esac; done;
	ls new | wc -l' <<'E'
5
E
mkdir pictures
check 'gallery: draw writes all pictures' 0 \
	'"$ROOT/scripts/dev/gallery/draw" pictures && ls pictures | wc -l
	! command -v xmllint >/dev/null || xmllint --noout pictures/*.svg; find pictures -size +60k' <<'E'
11
E
check 'gallery: its page is up to date' 0 \
	'"$ROOT/scripts/dev/gallery/draw" --page | cmp - "$ROOT/scripts/dev/gallery/README.md"' </dev/null
check 'gallery: README.md shows two pictures of the tree' 0 \
	'cd "$ROOT" && sed -n "s/^!.*(\(.*\))$/\1/p" README.md | xargs ls' <<'E'
scripts/dev/gallery/dlrm-operators.svg
scripts/dev/gallery/report-page.png
E
check 'gallery: the pictures in the tree are up to date' 0 \
	'for file in pictures/*; do cmp "$file" "$ROOT/scripts/dev/gallery/${file##*/}"; done' </dev/null

finish
