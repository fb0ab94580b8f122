#!/bin/sh
# ndjson2report-html.t: tests pages: the markup, the limits and the messages; browser.t opens them in a browser.
# page_markup.py checks the markup of each page independently.
. "${0%/*}/../lib.sh"
have python3 || finish

views=$DATA/report/html-views.ndjson
hostile=$DATA/report/html-hostile.ndjson

# --- markup

check 'markup: all views' 0 "ndjson2report -o html $views >page && page_markup.py page" </dev/null
check 'markup: a report with hostile names' 0 "ndjson2report -o html $hostile >page && page_markup.py page" <<E
--- stderr
ndjson2report: $hostile:2: unknown color; not used (and 2 more)
ndjson2report: $hostile:13: unknown unit; values are printed as plain numbers
E
check 'the same report gives the same bytes' 0 "ndjson2report -o html $views >a
	TRACEFILTERS_READ=1 ndjson2report -o html <$views >b && cmp a b
	! grep -e \"\$(uname -n)\" -e \"\$PWD\" a" </dev/null

# --- cells

cat >cells <<'E'
{"kind":"report/verdict","title":"t","text":"v"}
{"kind":"report/section","id":"s","title":"S","view":"bars","columns":[{"name":"label","title":"In","unit":"name","brief":true},{"name":"share","title":"Share","unit":"share.1"},{"name":"dur","title":"Idle (ms)","unit":"ms.2","brief":true},{"name":"n","title":"N","unit":"count"}]}
{"kind":"report/row","section":"s","label":"r<1> › aten::mm","share":0.5,"dur":1500000,"n":1234,"color":"host"}
{"kind":"report/row","section":"s","label":"r","share":0.125,"dur":-2500,"color":"none"}
{"kind":"report/row","section":"s","rest":1200,"share":0.375,"n":7}
E
check 'a table: bars, exact values, columns for phones, the rest' 0 \
	"ndjson2report -o html cells | sed -n '/<thead>/,/<.tbody>/p' | sed 's/\xc2\xa0/~/g'" <<'E'
<thead><tr><th scope="col" class="left">In</th><td class="bar"></td><th scope="col" class="wide">Share</th><th scope="col">Idle (ms)</th><th scope="col" class="wide">N</th></tr></thead>
<tbody>
<tr><td class="left"><span class="name">r&lt;<wbr>1&gt; › aten::<wbr>mm</span></td><td class="bar"><svg width="100%" height="18" aria-hidden="true"><svg x="0%" width="100%" height="18"><rect class="host" width="100%" height="100%"/></svg></svg></td><td class="wide" data-v="0.5">50.0~%</td><td data-v="1500000">1.50</td><td class="wide" data-v="1234">1,234</td></tr>
<tr><td class="left"><span class="name">r</span></td><td class="bar"><svg width="100%" height="18" aria-hidden="true"><svg x="0%" width="25%" height="18"><rect class="none" width="100%" height="100%"/></svg></svg></td><td class="wide" data-v="0.125">12.5~%</td><td data-v="-2500">0.00</td><td class="wide"></td></tr>
<tr class="rest"><td class="left">1,200 others</td><td class="bar"></td><td class="wide" data-v="0.375">37.5~%</td><td></td><td class="wide" data-v="7">7</td></tr>
</tbody></table></div>
E
cat >linked <<'E'
{"kind":"report/verdict","title":"t","text":"v"}
{"kind":"report/section","id":"s","title":"S","columns":[{"name":"a"},{"name":"b"}]}
{"kind":"report/row","section":"s","a":1,"b":2,"link":"a b-1_2.html"}
{"kind":"report/row","section":"s","a":2,"b":2,"link":"javascript:alert(1)//\"><é"}
{"kind":"report/row","section":"s","a":3,"b":2,"link":""}
E
check 'links of rows are names of files, never other addresses' 0 "
	ndjson2report -o html linked >page && page_markup.py page
	sed -n 's/^<tr><td class=.left. data-v=/data-v=/p' page" <<'E'
data-v="1"><a href="a%20b-1_2.html">1</a></td><td data-v="2">2</td></tr>
data-v="2"><a href="javascript%3Aalert%281%29%2F%2F%22%3E%3C%C3%A9">2</a></td><td data-v="2">2</td></tr>
data-v="3">3</td><td data-v="2">2</td></tr>
E
{
	head -n 1 cells
	echo '{"kind":"report/section","id":"s","title":"S","columns":[{"name":"label","title":"L","unit":"name"}]}'
	for begin in a20 b30 c70 d120; do
		same=$(printf "%0${begin#?}d" 0 | tr 0 "${begin%"${begin#?}"}")
		for end in 1 2; do
			echo "{\"kind\":\"report/row\",\"section\":\"s\",\"label\":\"$same$end\",\"name\":\"void $begin $end\"}"
		done
	done
} >alike
check 'names that begin alike have more lines; the title of a short form is the whole name' 0 \
	"ndjson2report -o html alike | grep -o 'class=.name[^>]*'" <<'E'
class="name" title="void a20 1"
class="name" title="void a20 2"
class="name alike" title="void b30 1"
class="name alike" title="void b30 2"
class="name alike" title="void c70 1"
class="name alike" title="void c70 2"
class="name most-alike" title="void d120 1"
class="name most-alike" title="void d120 2"
E

# --- pictures

{
	head -n 1 cells
	cat <<'E'
{"kind":"report/section","id":"t","title":"Time","columns":[{"name":"a","unit":"time"}]}
{"kind":"report/row","section":"t","a":5}
{"kind":"report/mark","section":"t","lane":"<steps>","at":1000000,"dur":3000000,"name":"step 1","label":"1","color":"annotation","count":2}
{"kind":"report/mark","section":"t","lane":"s7","at":1000000,"dur":1000000,"share":0.25,"name":"computing","color":"computing"}
{"kind":"report/mark","section":"t","lane":"s7","at":1000000,"dur":1000000,"share":0.5,"name":"copies"}
{"kind":"report/section","id":"f","title":"Flame","mark_unit":"count"}
{"kind":"report/mark","section":"f","depth":0,"at":0,"dur":4000,"name":"all"}
{"kind":"report/mark","section":"f","depth":1,"at":0,"dur":40,"name":"a&b","color":"host"}
E
} >marks
check 'pictures: lanes, shares and labels; levels; the table is folded' 0 \
	"ndjson2report -o html marks | sed -n '/class=.picture/,/<\/section>/p' | sed 's/\xc2\xa0/~/g'" <<'E'
<div class="picture"><svg role="img" aria-label="Time: a picture with 3 marks" width="100%" height="116">
<text class="label" y="14">&lt;steps&gt;</text><rect class="lane" y="20" width="100%" height="24"/>
<text class="label" y="62">s7</text><rect class="lane" y="68" width="100%" height="24"/>
<svg x="0%" y="20" width="100%" height="24"><title>step 1
3.0~ms at 1.0~ms, 2 records</title><rect class="annotation" width="100%" height="100%"/><text x="4" y="16">1</text></svg>
<rect class="computing" x="0%" y="86" width="33.3333%" height="6"><title>computing
25.0~% of 1.0~ms at 1.0~ms</title></rect>
<rect class="plain" x="0%" y="74" width="33.3333%" height="12"><title>copies
50.0~% of 1.0~ms at 1.0~ms</title></rect>
<text class="label" x="0%" y="110">1~ms</text><text class="label" x="16.6667%" y="110" text-anchor="middle">1.5~ms</text><text class="label" x="33.3333%" y="110" text-anchor="middle">2~ms</text><text class="label" x="50%" y="110" text-anchor="middle">2.5~ms</text><text class="label" x="66.6667%" y="110" text-anchor="middle">3~ms</text><text class="label" x="83.3333%" y="110" text-anchor="middle">3.5~ms</text>
</svg></div>
<ul class="legend"><li><i class="computing"></i>computing</li><li><i class="annotation"></i>annotation</li></ul>
<details><summary>Show as a table</summary><div class="scroll"><table>
<thead><tr><th scope="col" class="left">a</th></tr></thead>
<tbody>
<tr><td class="left" data-v="5">5~ns</td></tr>
</tbody></table></div>
</details>
</section>
<div class="picture"><svg role="img" aria-label="Flame: a picture with 2 marks" width="100%" height="38">
<svg x="0%" y="0" width="100%" height="18"><title>all
4,000, 100.0~%</title><rect class="plain" width="100%" height="100%"/><text x="4" y="13">all</text></svg>
<svg x="0%" y="19" width="1%" height="18"><title>a&amp;b
40, 1.0~%</title><rect class="host" width="100%" height="100%"/></svg>
</svg></div>
<ul class="legend"><li><i class="host"></i>host</li></ul>
</section>
E
{
	head -n 1 cells
	cat <<'E'
{"kind":"report/section","id":"t","title":"Memory","mark_unit":"ms"}
{"kind":"report/mark","section":"t","lane":"Peak: 8 MB","at":0,"dur":4,"name":"a: 4 MB","label":"<a>","shares":[0.5,0.5,0.25,0]}
{"kind":"report/mark","section":"t","lane":"Peak: 8 MB","at":0,"dur":4,"name":"b: 2 MB","shares":[0,0.5,0.5,1e308]}
{"kind":"report/mark","section":"t","lane":"Peak: 8 MB","at":0,"dur":4,"name":"c","color":"none","shares":[-1]}
{"kind":"report/mark","section":"t","lane":"Peak: 8 MB","at":1,"dur":0.25,"name":"peak","heat":0}
{"kind":"report/mark","section":"t","lane":"other","at":1,"dur":1,"name":"d","shares":[0.25]}
E
	printf '{"kind":"report/mark","section":"t","lane":"x","at":1,"dur":1,"name":"%s","shares":%s}\n' \
		e '[0.5,"1"]' f '7' g "[$(seq -s , 513)]"
} >areas
check 'pictures: areas on each other; shares that cannot be drawn' 1 "
	ndjson2report -o html areas >page; status=\$?; page_markup.py page
	grep -e 'text class=.label. y' -e '<path' -e '<ul class=.legend' page; exit \$status" <<'E'
<text class="label" y="14">Peak: 8 MB</text><rect class="lane" y="20" width="100%" height="150"/>
<text class="label" y="188">other</text><rect class="lane" y="194" width="100%" height="150"/>
<text class="label" y="362">x</text><rect class="lane" y="368" width="100%" height="150"/>
<svg x="0%" y="20" width="100%" height="150" viewBox="0 0 4 1000" preserveAspectRatio="none"><title>a: 4 MB</title><path class="s0" d="M0 1000H0V500H2V750H3V1000H0Z"/></svg>
<svg x="0%" y="20" width="100%" height="150" viewBox="0 0 4 1000" preserveAspectRatio="none"><title>b: 2 MB</title><path class="s1" d="M0 1000H0V500H1V0H2V250H3V0H4V1000H3V750H2V500H0Z"/></svg>
<svg x="0%" y="20" width="100%" height="150" viewBox="0 0 1 1000" preserveAspectRatio="none"><title>c</title><path class="none" d="M0 1000H0V500H0Z"/></svg>
<svg x="25%" y="194" width="25%" height="150" viewBox="0 0 1 1000" preserveAspectRatio="none"><title>d</title><path class="s3" d="M0 1000H0V750H1V1000H0Z"/></svg>
<ul class="legend"><li><i class="s0"></i>&lt;a&gt;</li><li><i class="s1"></i>b: 2 MB</li><li><i class="none"></i>c</li><li><i class="s3"></i>d</li></ul>
--- stderr
ndjson2report: areas:8: member is not an array of numbers, or is too long; left out (and 2 more)
E
cat >marks.py <<'E'
import json, sys
print(open("cells").readline(), end="")
print('{"kind":"report/section","id":"m","title":"M"}')
for i in range(5000):
    print(json.dumps({"kind": "report/mark", "section": "m", "at": i, "dur": int(sys.argv[1]) or i, "depth": i % 100,
                      "name": "<" * 2000}))
E
check 'pictures: the largest marks of many are drawn, and the others are counted' 0 "
	python3 marks.py 0 | ndjson2report -o html >page
	page_markup.py page; grep -c '<svg x' page; grep -o 'The [0-9,]* smallest.*' page
	sed -n 's/^\([0-9.]*\).*s, .*title>.*/\1/p' page | sort -n | uniq -c | head -n 1" <<'E'
100
The 4,900 smallest marks are not drawn: the page would be too large with all of them.</p>
     50 4.9
E
check 'pictures: marks of equal size' 0 "python3 marks.py 7 | ndjson2report -o html >page; page_markup.py page
	grep -c '<svg x' page" <<'E'
300
E

# --- size

# A report with the largest texts, and as many of everything as a report may have.
cat >large.py <<'E'
import json, sys
def put(kind, **members):
    print(json.dumps({"kind": "report/" + kind, **members}, ensure_ascii=False))
text = sys.argv[1] * (4096 // len(sys.argv[1].encode()))
sections, rows = int(sys.argv[2]), int(sys.argv[3])
put("verdict", title=text, facts=[text] * 20, text="{a}" * 400, a=text, detail=text)
for i in range(100):
    put("figure", id=f"f{i}", name=text, value=i, unit="time", group=("parts", "tiles")[i % 2], note=text)
for i in range(100):
    put("finding", id=f"x{i}", saves=i, title=text, detail=text, advice=text, section=f"s{i % sections}")
for s in range(sections):
    put("section", id=f"s{s}", title=text, text=text, view=("bars", "table")[s % 2], commands=[text],
        columns=[{"name": n, "unit": u, "title": text} for n, u in zip("abcd", ("name", "name", "time", "count"))], of=f"s{s - 1}" if s % 3 else None)
    for r in range(rows):
        put("row", section=f"s{s}", a=text, b=f"{r} {text[:40]}", c=r * 1e290, d=r)
E
override=$(printf '\342\200\256')
for case in '1 < 50 10' '1 & 90 1' '0 é 1 200' '0 x 2 200' "0 $override 5 60"; do
	# shellcheck disable=SC2086 # four words
	set -- $case
	check "size: $2, $3 sections, $4 rows" "$1" "
		python3 large.py '$2' $3 $4 | ndjson2report -o html 2>said >page; status=\$?
		page_markup.py page; grep -q 'larger than 300 kB' said || cat said; exit \$status" </dev/null
done
if sanitized; then
	skip 'memory is not measured under a sanitizer'
else
	slow check 'memory: less than 64 MiB for the largest report' 0 "python3 large.py '<' 50 90 >large
		'$BUILD/bench/measure' result ndjson2report -o html large >page 2>said
		awk -F '\"rss\": ' '\$2 + 0 < 10000 || \$2 + 0 > 65536' result" </dev/null
fi
{ head -n 1 cells && python3 large.py x 1 200 | sed -n '/section/p'; } >rows
check 'a table that is shortened says so' 0 \
	"ndjson2report -o html rows >page; grep -o 'The first.*' page; page_markup.py page" <<'E'
The first 12 of 200 rows: the page would be too large with all of them.</p>
E
check 'the page and the message give the same number of parts without room' 1 \
	"python3 large.py '<' 50 10 | ndjson2report -o html 2>said >page; status=\$?
	sed -n 's/^ndjson2report: \([0-9]*\) parts.*/\1/p' said >want; [ -s want ] || cat said
	sed -n 's/.*: \([0-9,]*\) items are not shown.*/\1/p' page | cmp - want; exit \$status" </dev/null

# --- damaged reports

{ head -n 3 cells && echo '{"kind":"report/row","sec' && tail -n 2 cells; } >damaged
check 'a damaged row is reported, and the others are kept' 1 \
	"ndjson2report -o html damaged >page; status=\$?; grep -c '<tr' page; exit \$status" <<'E'
4
--- stderr
ndjson2report: damaged:4: not a JSON record; skipped
E
check 'a report without a verdict' 1 "tail -n 4 cells | ndjson2report -o html >page; status=\$?; grep -c '<tr' page
	page_markup.py page; exit \$status" <<'E'
4
--- stderr
ndjson2report: no report/verdict in the input; make a report first: trace-report -o ndjson FILE | ndjson2report
E

finish
