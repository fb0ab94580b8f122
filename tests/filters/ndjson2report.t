#!/bin/sh
# ndjson2report.t: reports as text for a terminal and as Markdown; ndjson2report-html.t tests pages. The reports in
# tests/data/report are those of shared/mock; expected texts below were written by hand.
. "${0%/*}/../lib.sh"
utf8='TRACEFILTERS_CHARSET=UTF-8 ndjson2report'
report=$DATA/report

cat >small <<'E'
{"kind":"report/verdict","title":"run.json","source":["nsys","rank {rank:int} of 8"],"rank":3,"facts":["{n:count} records"],"n":1234567,"text":"The GPU waits for {x} {s:share} of the time.","x":"größe|`","s":0.755,"detail":"A step takes {a:time} ± {b:same}.","a":77528500,"b":1995000,"per":"a step","hint":"see   man"}
{"kind":"report/figure","id":"a","name":"Computing","brief":"compute","value":750,"unit":"time","group":"parts","color":"computing"}
{"kind":"report/figure","id":"b","name":"Waiting","value":250,"unit":"time","group":"parts","color":"host"}
{"kind":"report/figure","id":"c","name":"Step time","value":77528500,"unit":"time","note":"± {d:time} | {e}","d":1995000,"e":"a|b"}
{"kind":"report/finding","id":"f","saves":14653500,"title":"Too *late*","text":"late for {t:time}","t":87921000,"detail":"In {r}.","r":"## b ##","advice":"Start earlier."}
{"kind":"report/finding","id":"g","saves":999,"title":"Copies"}
{"kind":"report/section","id":"steps","title":"Steps","view":"parts","columns":[{"name":"step","title":"Step","unit":"text","brief":true},{"name":"x","title":"Computing (ms)","unit":"ms","color":"computing"},{"name":"y","title":"Waiting (ms)","unit":"ms","color":"host"},{"name":"all","title":"All (ms)","unit":"ms","brief":true}],"lines":2,"commands":["a | b  'c'"]}
{"kind":"report/row","section":"steps","step":"1","x":60000000,"y":20000000,"all":80000000}
{"kind":"report/row","section":"steps","step":"2","x":30000000,"y":10000000,"all":40000000}
{"kind":"report/row","section":"steps","step":"3","x":30000000,"y":10000000,"all":40000000}
{"kind":"report/section","id":"k","title":"Kernels","text":"{n:count} of them.","n":12,"columns":[{"name":"label","title":"In","unit":"name","brief":"Kernel"},{"name":"share","title":"Share","unit":"share.1","brief":"share","sum":true},{"name":"dur","title":"Total (ms)","unit":"ms","brief":"ms","sum":true},{"name":"calls","title":"Calls","unit":"count"}],"lines":2,"note":"In all."}
{"kind":"report/row","section":"k","label":"fwd › gemm|x`","share":0.5,"dur":2500000,"calls":1000}
{"kind":"report/row","section":"k","label":"relu","share":0.25,"dur":1250000,"calls":1}
{"kind":"report/row","section":"k","label":"bwd › add","share":0.1,"dur":500000,"calls":1}
{"kind":"report/row","section":"k","share":0.15,"dur":750000,"rest":9}
{"kind":"report/section","id":"l","of":"k","title":"Launches","commands":["x\ny"]}
{"kind":"report/figure","id":"h","name":"GPU busy","value":0.8353,"unit":"share.1","group":"line"}
{"kind":"report/figure","id":"i","name":"Occupancy","brief":"occupancy","value":32.1,"unit":"percent","group":"line"}
{"kind":"report/figure","id":"j","name":"Latency","text":"latency {p:time}","p":592000,"group":"line"}
E

# --- text

check 'a report in 60 columns' 0 "$utf8 --width 60 small" <<'E'
run.json                                   nsys, rank 3 of 8
1,234,567 records

The GPU waits for größe|` 76 % of the time.
A step takes 77.5 ms ± 2.0.

█ compute 75%  ░ Waiting 25%
    1   █████████████████████████████░░░░░░░░░░     80.0 ms
    2   ███████████████░░░░░                        40.0 ms
        1 other

What to do first              at most, a step; gains overlap
1 late for 87.9 ms                                 14.7 ms
2 Copies                                            999 ns

Kernel                                      share         ms
fwd › gemm|x`                              50.0 %        2.5
relu                                       25.0 %        1.3
10 others                                  25.0 %        1.3

GPU busy 83.5 %   occupancy 32 %
latency 592 µs

see   man
E
check 'ASCII, commands' 0 'ndjson2report --width 60 --commands small' <<'E'
run.json                                   nsys, rank 3 of 8
1,234,567 records

The GPU waits for gr\u00f6\u00dfe|` 76 % of the time.
A step takes 77.5 ms +- 2.0.

# compute 75%  . Waiting 25%
    1   #############################..........     80.0 ms
    2   ###############.....                        40.0 ms
        1 other
  a | b  'c'

What to do first              at most, a step; gains overlap
1 late for 87.9 ms                                 14.7 ms
2 Copies                                            999 ns

Kernel                                      share         ms
fwd > gemm|x`                              50.0 %        2.5
relu                                       25.0 %        1.3
10 others                                  25.0 %        1.3

GPU busy 83.5 %   occupancy 32 %
latency 592 us

see   man

Launches
  x
  y
E
# The names and numbers leave 33 of 60 columns for bars, 16 of 43 and 15 of 42, which are too few. The length of a bar
# is rounded: 33 * 2.5 / 4 is 20.6, and 33 * 0.06 / 4 is 0.495.
cat >owners <<E
{"kind":"report/verdict","title":"run.json","text":"t"}
{"kind":"report/section","id":"o","title":"Owners","view":"bars","columns":\
[{"name":"owner","unit":"name","brief":"Owner"},{"name":"size","unit":"MB.1","brief":"MB"},\
{"name":"share","unit":"share","brief":"share"}],"lines":9}
{"kind":"report/row","section":"o","owner":"alpha","size":4000000,"share":0.6,"color":"waiting"}
{"kind":"report/row","section":"o","owner":"b","size":2500000,"share":0.4,"color":"operator"}
{"kind":"report/row","section":"o","owner":"c","size":60000,"share":0.01}
{"kind":"report/row","section":"o","owner":"d","size":1000000}
E
check 'a table with bars, where names leave room; not of shares' 0 'for width in 60 43 42; do
		TRACEFILTERS_CHARSET=UTF-8 ndjson2report --width $width owners | sed 1,4d
	done
	sed "s/MB.1/share/" owners | ndjson2report | sed -n "/^b/p"' <<'E'
Owner                                          MB      share
alpha  ▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚      4.0       60 %
b      ▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞▞                  2.5       40 %
c                                             0.1        1 %
d      ████████                               1.0
Owner                         MB      share
alpha  ▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚      4.0       60 %
b      ▞▞▞▞▞▞▞▞▞▞            2.5       40 %
c                            0.1        1 %
d      ████                  1.0
Owner                        MB      share
alpha                       4.0       60 %
b                           2.5       40 %
c                           0.1        1 %
d                           1.0
b                                                       250,000,000 %       40 %
E
check 'the minimum width' 2 \
	'ndjson2report --width 20 small >out && awk "length > 20" out; ndjson2report --width 19 small' <<'E'
--- stderr
ndjson2report: --width: '19': expected an integer >= 20
E
check '--width is for text' 2 'ndjson2report -o md --width 60 small' <<'E'
--- stderr
ndjson2report: --output=md and --width cannot be used together
E
check '--width is not for a page' 2 'ndjson2report -o html --width 60 small' <<'E'
--- stderr
ndjson2report: --output=html and --width cannot be used together
E
check 'the width is TRACEFILTERS_COLUMNS if there is no terminal' 0 \
	'TRACEFILTERS_COLUMNS=60 ndjson2report small >a; ndjson2report --width 60 small | cmp - a
	TRACEFILTERS_COLUMNS=x ndjson2report small >a; ndjson2report --width 80 small | cmp - a' </dev/null
for name in dlrm:terminal nccl:terminal-nccl; do
	need_shared "mock/${name#*:}.txt" || continue
	# What costs the host's time is bounded by the idle time that it caused, so there is no time of its own.
	check "${name%:*}: the text of the mock page" 0 "
		sed \"s/ms\*/ms/; /^\* of the host/d; s/ \{15\}\(at most, a step\)/\1; gains overlap/\" \
			$SHARED/mock/${name#*:}.txt >mock
		$utf8 $report/${name%:*}.ndjson | grep -v '^  [0-9]* more: -o md' | diff mock -" </dev/null
done

# The locale.
for locale in LANG=en_US.UTF-8 LC_CTYPE=C.utf8 LC_ALL=de_DE.UTF-8 'LC_ALL=C TRACEFILTERS_CHARSET=utf8'; do
	check "$locale is UTF-8" 0 "unset LC_ALL LC_CTYPE LANG; $locale ndjson2report small | grep -c 592.µs" <<'E'
1
E
done
for locale in LANG=C 'LANG=C.UTF-8 LC_ALL=POSIX' 'LC_ALL=C.UTF-8 TRACEFILTERS_CHARSET=ISO-8859-1' LC_ALL=; do
	check "$locale is ASCII" 0 "unset LC_ALL LC_CTYPE LANG; $locale ndjson2report small | tr -d ' -~\\n'" </dev/null
done

# --- limits of the page: at most 40 lines, no line is too wide

# Prints the lines of each text that are too wide, and the number of lines if there are more than 40.
cat >fits.py <<'E'
import sys, unicodedata
width, lines = int(sys.argv[1]), sys.stdin.read().split("\n")
for line in lines:
    columns = sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in line)
    if columns > width:
        print(columns, line)
if len(lines) - 1 > 40 or "\r" in lines[0]:
    print(len(lines) - 1, "lines")
E
cat >large.py <<'E'
import json
def put(**record): print(json.dumps(record))
put(kind="report/verdict", title="t" * 300, text="word " * 700, detail="{n} " * 300, n="n" * 500, hint="h " * 200,
    facts=["fact"] * 99, source=["s" * 200])
for i in range(40):
    put(kind="report/finding", text="finding %d " % i * 40, saves=10 ** 18 - i)
    put(kind="report/figure", name="figure%d" % i, value=i, group=["parts", "line"][i % 2], text="")
for i in range(90):
    put(kind="report/section", id=str(i), title="x", lines=100, view=["table", "parts"][i == 50],
        columns=[{"name": "名", "unit": "name", "brief": True},
                 {"name": "b", "unit": "ms", "color": "host", "brief": True, "sum": True},
                 {"name": "c", "unit": "count", "color": "copies"}, {"name": "d", "unit": "bytes", "brief": True}])
    for k in range(99):
        put(kind="report/row", section=str(i), 名="名前" * k, b=k * 10 ** 6, c=3, d=10 ** k)
E
have python3 && python3 large.py >large
for width in $(amount 80 "20 40 80 120 200"); do
	for input in "$report/dlrm.ndjson" "$report/nccl.ndjson" small large; do
		check "${input##*/} fits in $width columns and 40 lines" 0 "for charset in C UTF-8; do
			TRACEFILTERS_CHARSET=\$charset ndjson2report --width $width $input | python3 fits.py $width; done" </dev/null
	done
done
fewer_rows() { # fewer_rows WIDTH: checks the numbers of bars, findings and kernels, and the sum of the other rows
	check "if there are too many lines, bars, findings and the first table come first: $1 columns" 0 \
		"ndjson2report --width $1 $report/dlrm.ndjson >out; wc -l <out; grep -c '^ 10' out; grep -c '^[1-5] ' out
		grep -c -E '^(nccl|split)' out; grep others out || :"
}
fewer_rows 40 <<'E'
39
6
2
0
E
fewer_rows 60 <<'E'
40
6
3
2
168 others                62.7 %    280.0   8,520
E

# --- names that are cut stay different

cat >names.py <<'E'
import json, sys
print('{"kind":"report/verdict","title":"x"}\n{"kind":"report/section","id":"k","lines":30,"columns":['
      '{"name":"name","unit":"name","brief":true},{"name":"n","unit":"count","brief":true}]}')
for i in range(12):
    functors = ", ".join("Functor%d" % (k + (i if k == 5 else 0)) for k in range(9))
    name = "void at::native::elementwise_kernel<%s>(int)" % functors
    print(json.dumps({"kind": "report/row", "section": "k", "name": name, "n": i}))
E
for width in 40 60 80 200; do
	check "12 names that differ in the middle are different in $width columns" 0 \
		"python3 names.py | ndjson2report --width $width | sed -n '4,\$s/  .*//p' | sort -u | wc -l" <<'E'
12
E
done
cat >labels <<'E'
{"kind":"report/verdict","title":"x"}
{"kind":"report/section","id":"k","lines":9,"columns":[{"name":"label","unit":"name","brief":true},{"name":"n","unit":"count","brief":true,"sum":true}]}
{"kind":"report/row","section":"k","label":"gemm","name":"void gemm<float>(int)","n":1}
{"kind":"report/row","section":"k","label":"gemm","name":"void gemm<double>(int)","n":2}
{"kind":"report/row","section":"k","label":"relu","name":"void relu<float>(int)","n":9223372036854775807}
{"kind":"report/row","section":"k","label":"x","n":0.5}
E
check 'equal short names: the whole names are shown' 0 'ndjson2report --width 60 labels | tail -n +3' <<'E'
label                                                      n
gemm<float>(int)                                           1
gemm<double>(int)                                          2
relu                               9,223,372,036,854,775,807
x                                                          1
E

# --- colors

if have script && script -qec true /dev/null >/dev/null 2>&1; then
	on_terminal() { # on_terminal COMMAND: runs it on a terminal of 60 columns, and prints ESC as ^
		script -qec "stty cols 60; $1" /dev/null </dev/null | tr -d '\r' | tr '\033' '^'
	}
	on_terminal "TERM=xterm-256color $utf8 small" >colors
	check 'colors on a terminal, which do not change the text' 0 'sed "s/\^\[[0-9;]*m//g" colors >plain
		TRACEFILTERS_CHARSET=UTF-8 ndjson2report --width 60 small | diff - plain; sed -n "1p;7p;8p;12p" colors' <<'E'
^[1mrun.json^[0m                                   nsys, rank 3 of 8
^[38;5;32m█^[0m compute 75%  ^[38;5;204m░^[0m Waiting 25%
    1   ^[38;5;32m█████████████████████████████^[0m^[38;5;204m░░░░░░░░░░^[0m     80.0 ms
^[1mWhat to do first^[0m              at most, a step; gains overlap
E
	on_terminal "TERM=xterm COLORTERM= $utf8 small" >colors
	check '16 colors' 0 'sed -n 7p colors' <<'E'
^[94m█^[0m compute 75%  ^[95m░^[0m Waiting 25%
E
	on_terminal "TERM=xterm COLORTERM= ndjson2report owners" >colors
	check 'bars in a table have the colors of their rows' 0 'sed -n "/^[bd]/p" colors' <<'E'
b      ^[31mxxxxxxxxxxxxxxxxxxxxx^[0m                  2.5       40 %
d      ########                               1.0
E
	for way in 'NO_COLOR=1 TERM=xterm' TERM=dumb TERM=; do
		on_terminal "$way $utf8 small" >colors
		check "$way: no colors" 0 'TRACEFILTERS_CHARSET=UTF-8 ndjson2report --width 60 small | diff - colors' </dev/null
	done
	on_terminal "NO_COLOR= TERM=xterm $utf8 small" >colors
	check 'NO_COLOR that is empty has no effect' 0 'grep -c "\^\[94m" colors' <<'E'
3
E
	script -qec "TERM=xterm-256color $utf8 small; $utf8 -o md small" /dev/null </dev/null >/dev/null
fi

# --- Markdown

check 'Markdown' 0 'ndjson2report -o md --commands small' <<'E'
# `run.json`

nsys · rank 3 of 8 · 1,234,567 records

**The GPU waits for `` größe|` `` 76 % of the time.**

A step takes 77.5 ms ± 2.0.

| Part      |  Share |   Time |
| --------- | -----: | -----: |
| Computing | 75.0 % | 750 ns |
| Waiting   | 25.0 % | 250 ns |

| Figure    |   Value | Note               |
| --------- | ------: | ------------------ |
| Step time | 77.5 ms | ± 2.0 ms \| `a\|b` |

## What to do first

The gains overlap; do not add them.

1. **Too \*late\*** (at most 14.7 ms in a step)

   In `## b ##`.

   Start earlier.

2. **Copies** (at most 999 ns in a step)

## Steps

| Step | Computing (ms) | Waiting (ms) | All (ms) |
| ---- | -------------: | -----------: | -------: |
| 1    |           60.0 |         20.0 |     80.0 |
| 2    |           30.0 |         10.0 |     40.0 |
| 3    |           30.0 |         10.0 |     40.0 |

```sh
a | b  'c'
```

## Kernels

12 of them.

In all.

| In                   |  Share | Total (ms) | Calls |
| -------------------- | -----: | ---------: | ----: |
| `` fwd › gemm\|x` `` | 50.0 % |        2.5 | 1,000 |
| `relu`               | 25.0 % |        1.3 |     1 |
| `bwd › add`          | 10.0 % |        0.5 |     1 |
| 9 others             | 15.0 % |        0.8 |       |

### Launches

```sh
x
y
```
E
cat >marks <<'E'
{"kind":"report/verdict","title":"```","text":"1. {a} - {b} {c} {d}","a":"`","b":" x ","c":"","d":"[x](y) <b> $z$","detail":"# not a heading\n- no item <script> &amp; *b* _i_ http://x ~~s~~ 2) !"}
{"kind":"report/section","id":"1. #<x>","columns":[{"name":"a","unit":"name"},{"name":"b","unit":"text"}],"commands":["echo ```` \u001b"]}
{"kind":"report/finding","title":"x","detail":"1) {a}","advice":"- x","a":"b"}
{"kind":"report/row","section":"1. #<x>","a":"a\\|b","b":"a|b\\"}
{"kind":"report/row","section":"1. #<x>","a":"|","b":"+ x"}
{"kind":"report/row","section":"1. #<x>","a":"  ","b":" "}
{"kind":"report/row","section":"1. #<x>","a":"<script>\n\u202e","b":true}
E
check 'names and texts are no markup in Markdown' 0 'ndjson2report -o md --commands marks' <<'E'
# ```` ``` ````

**1. `` ` `` - `  x  ` `""` `[x](y) <b> $z$`**

\# not a heading\\n- no item \<script\> \&amp; \*b\* \_i\_ http://x \~\~s\~\~ 2) \!

## What to do first

1. **x**

   1\) `b`

   \- x

## 1. \#\<x\>

| a                  | b      |
| ------------------ | ------ |
| a\\\|b             | a\|b\\ |
| `\|`               | + x    |
| `  `               |        |
| `<script>\n\u202e` | true   |

`````sh
echo ```` \x1b
`````
E

# --- values

cat >gaps <<'E'
{"kind":"report/verdict","title":"x","detail":"{a:time} ± {b:same}, {c:time} ± {d:same}","a":471000,"b":467,"c":5,"d":0}
{"kind":"report/section","id":"k","title":"K","columns":[{"name":"name","title":"Name","unit":"name","brief":true},{"name":"cache","title":"Cache","unit":"text","brief":true},{"name":"isa","title":"ISA","unit":"text","brief":true},{"name":"dur","title":"Time (ms)","unit":"ms.2","brief":true}],"lines":9}
{"kind":"report/row","section":"k","name":"a","dur":2500000}
{"kind":"report/row","section":"k","name":"b","isa":"avx","dur":1}
E
check 'a column without values is left out; a deviation that is not 0 is not printed as 0' 0 \
	"$utf8 --width 40 gaps; ndjson2report -o md gaps | tail -n 4
	ndjson2report -o html gaps | grep -o '<thead>.*' | sed 's/<[^>]*>/,/g'" <<'E'
x

471 µs ± 0.5, 5 ns ± 0

Name                  ISA      Time (ms)
a                                    2.5
b                     avx            0.0
| Name | ISA | Time (ms) |
| ---- | --- | --------: |
| `a`  |     |      2.50 |
| `b`  | avx |      0.00 |
,,,Name,,ISA,,Time (ms),,,
E

# --- hostile reports

cat >hostile <<'E'
{"kind":"report/verdict","title":"\u001b]0;x\u0007\u202ea\nb\u0000","text":"{t} {empty}","t":"\u2066\u009b31m\u200b","empty":"","hint":"\u001b[2J"}
{"kind":"report/section","id":"k","title":"\u001b","lines":9,"columns":[{"name":"name","title":"\t","unit":"name","brief":true},{"name":"n","title":"\u202e","unit":"count","brief":true}],"commands":["rm \u001b[A x"]}
{"kind":"report/row","section":"k","name":"","n":"\r"}
{"kind":"report/row","section":"k","name":{"a":[1]},"n":[]}
{"kind":"report/row","section":"k","name":-5,"n":1e400}
{"kind":"report/row","section":"k","name":true,"n":-0.0}
{"kind":"report/row","section":"k"}
E
check 'control characters and values of other types' 0 'ndjson2report --width 40 --commands hostile' <<'E'
\x1b]0;x\x07\u202ea\nb\x00

\u2066\x9b31m\u200b ""

\t                                \u202e
""                                    \r
{"a":[1]}                             []
-5                                 1e400
true                                   0

  rm \x1b[A x

\x1b[2J
E
check 'UTF-8 does not change that' 0 "$utf8 --width 40 --commands hostile | LC_ALL=C tr -d ' -~\\n'" </dev/null
check 'placeholders that cannot be expanded' 1 \
	"echo '{\"kind\":\"report/verdict\",\"title\":\"x\",\"text\":\"{a:time} {title:ms} {b\"}' | ndjson2report" <<'E'
x

? x {b
--- stderr
ndjson2report: stdin:1: text refers to a member that the record does not have; printed as ?
ndjson2report: stdin:1: unknown unit in a text, or unit that does not fit the value
ndjson2report: stdin:1: text has a { without a }; write {{ for a brace
E
check 'records before the verdict, two verdicts' 1 '(tail -n +2 small; head -n 1 small; head -n 1 small) >late
	ndjson2report late >a; s=$?; ndjson2report small | diff - a; exit $s' <<'E'
--- stderr
ndjson2report: late:20: second verdict; skipped
E
check 'no verdict: everything else is printed' 1 \
	'tail -n +2 small | ndjson2report >a; s=$?; grep -v "^What" a >b
	ndjson2report small | sed "1,6d;/^see/d;/^What/d" | diff - b | grep -v "^[0-9]"; exit $s' <<'E'
< 
--- stderr
ndjson2report: no report/verdict in the input; make a report first: trace-report -o ndjson FILE | ndjson2report
E
check 'a trace is not a report' 1 "trace2ndjson $DATA/train.pt.trace.json >trace; ndjson2report trace" <<'E'
--- stderr
ndjson2report: no report/verdict in the input; make a report first: trace-report -o ndjson FILE | ndjson2report
ndjson2report: trace:1: not a record of a report; skipped (and 70 more)
E
check '100000 rows: 200 are used, the others are reported' 1 \
	"(head -n 2 labels
	yes '{\"kind\":\"report/row\",\"section\":\"k\",\"label\":\"x\",\"n\":1}' | head -n 100000) |
		{ ndjson2report >out; s=\$?; wc -l <out; exit \$s; }" <<'E'
13
--- stderr
ndjson2report: stdin:203: more than 200 rows in a section; skipped (and 99799 more)
E
check 'the status is that of the loss' 1 \
	"(head -n 2 labels; yes '{\"kind\":\"report/row\",\"section\":\"k\"}' | head -n 201) | ndjson2report >/dev/null" <<'E'
--- stderr
ndjson2report: stdin:203: more than 200 rows in a section; skipped
E

finish
