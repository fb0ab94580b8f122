#!/bin/sh
# ndjson2folded.t: tests frames, weights, roots and marks with expected output written by hand; perf.t compares with
# outputs of FlameGraph.
. "${0%/*}/../lib.sh"

cat >samples <<'E'
{"ts":1,"kind":"sample","name":"gemm","pid":7,"tid":8,"comm":"V8 Worker  Thread","event":"cycles","period":10,"stack":["main","fwd()","gemm"],"marks":"..j"}
{"ts":2,"kind":"sample","name":"gemm","pid":7,"tid":9,"comm":"V8 Worker  Thread","event":"cycles","period":20,"stack":["main","fwd()","gemm"],"marks":"..j"}
{"ts":3,"kind":"sample","name":"fault","pid":7,"tid":9,"comm":"java","event":"cycles","period":5,"stack":["Lorg/x/Y;.run","in","fault"],"marks":"jik"}
{"ts":4,"kind":"sample","name":"fault","tid":9,"comm":"java","event":"faults","period":1000,"stack":["main","fault"],"marks":".k"}
{"ts":5,"kind":"sample","pid":7,"tid":9,"comm":"java","event":"cycles"}
{"kind":"meta","name":"hostname","args":{"value":"vm"}}
{"ts":1,"kind":"counter","name":"memory","args":{"value":5}}
E
check 'counts each record as 1 by default' 0 'ndjson2folded samples' <<'E'
Lorg/x/Y:.run;in;fault 1
[unknown] 1
main;fault 1
main;fwd();gemm 2
E
check '-f: records without the weight do not count' 0 'ndjson2folded -f period samples' <<'E'
Lorg/x/Y:.run;in;fault 5
main;fault 1000
main;fwd();gemm 30
E
check '--root: adds one frame per field and preserves spaces' 0 \
	'ndjson2folded --root rank,comm,pid,tid -f period samples' <<'E'
rank ?;V8 Worker  Thread;pid 7;tid 8;main;fwd();gemm 10
rank ?;V8 Worker  Thread;pid 7;tid 9;main;fwd();gemm 20
rank ?;java;pid 7;tid 9;Lorg/x/Y:.run;in;fault 5
rank ?;java;pid ?;tid 9;main;fault 1000
E
check '--root: a sample without frames has only root frames' 0 'sed -n 5p samples | ndjson2folded --root comm,tid' <<'E'
java;tid 9 1
E
check '--mark: all marks' 0 'ndjson2folded --mark kji samples' <<'E'
Lorg/x/Y:.run_[j];in_[i];fault_[k] 1
[unknown] 1
main;fault_[k] 1
main;fwd();gemm_[j] 2
E
check '--mark: only kernel frames' 0 'ndjson2folded --mark k samples | grep fault' <<'E'
Lorg/x/Y:.run;in;fault_[k] 1
main;fault_[k] 1
E
check '--perf: underscores, periods, first event only, marked inlined frames, short Java names' 0 \
	'ndjson2folded --perf samples' <<'E'
V8_Worker__Thread;main;fwd;gemm 30
java 1
java;org/x/Y:.run;in_[i];fault 5
--- stderr
ndjson2folded: 1 samples of events other than "cycles" skipped; to select one: filter-calls -w 'event == NAME'
E
check '--perf: joins pid and tid in any order of --root' 0 \
	'ndjson2folded --perf --root tid,comm,pid --mark j samples 2>/dev/null' <<'E'
V8_Worker__Thread-7/8;main;fwd;gemm_[j] 10
V8_Worker__Thread-7/9;main;fwd;gemm_[j] 20
java-7/9 1
java-7/9;Lorg/x/Y:.run_[j];in_[i];fault 5
E
check '--perf: pid without tid' 0 'sed -n "1p;4p" samples | ndjson2folded --perf --root pid 2>/dev/null' <<'E'
V8_Worker__Thread-7;main;fwd;gemm 10
E
check '--perf: a selected event, an unknown pid, an additional root' 0 \
	'filter-calls -w "event == faults" samples | ndjson2folded --perf --root comm,tid,cpu' <<'E'
cpu ?;java-?/9;main;fault 1000
E

cat >ranges <<'E'
{"ts":1,"dur":9,"kind":"kernel","name":"gemm","dev":0,"rank":0,"ranges":["step 1","forward"]}
{"ts":2,"dur":4,"kind":"kernel","name":"gemm","dev":0,"rank":1,"ranges":["step 1","forward"]}
{"ts":3,"dur":2,"kind":"kernel","name":"void relu<float>(int)","dev":1,"rank":1}
{"ts":4,"kind":"mark","name":"here","rank":1}
E
check 'frames are the ranges, followed by the name' 0 'ndjson2folded -f dur ranges' <<'E'
step 1;forward;gemm 13
void relu<float>(int) 2
E
check '--root rank' 0 'ndjson2folded --root rank ranges' <<'E'
rank 0;step 1;forward;gemm 1
rank 1;here 1
rank 1;step 1;forward;gemm 1
rank 1;void relu<float>(int) 1
E
check '-g: frames from fields, with all elements of arrays and without absent fields' 0 \
	'ndjson2folded -g dev,ranges[],short -f dur ranges' <<'E'
0;step 1;forward;gemm 13
1;relu 2
E

cat >tree <<'E'
{"ts":1,"dur":9,"kind":"op","name":"a","self":4,"stack":["a"]}
{"ts":2,"dur":5,"kind":"op","name":"b","self":5,"stack":["a","b"]}
{"ts":20,"dur":5,"kind":"op","name":"c","self":0,"stack":["c"]}
E
check 'self times of a call tree, including 0' 0 'ndjson2folded -f self tree' <<'E'
a 4
a;b 5
c 0
E

cat >links <<'E'
{"ts":5,"dur":1,"kind":"activity","name":"copy","id":"c","parent":"b"}
{"ts":1,"dur":30,"kind":"activity","name":"run","id":"a"}
{"ts":2,"dur":10,"kind":"activity","name":"step","id":"b","parent":"a"}
{"ts":15,"dur":10,"kind":"activity","name":"step","id":"d","parent":"a"}
{"ts":16,"dur":2,"kind":"activity","name":"copy","id":"e","parent":"d"}
{"ts":17,"dur":3,"kind":"activity","name":"lost","id":"f","parent":"nowhere"}
{"ts":18,"kind":"activity","name":"moment","parent":"d"}
E
check 'follows parents in any order of records' 0 'ndjson2folded -f dur links' <<'E'
lost 3
run 30
run;step 20
run;step;copy 3
--- stderr
ndjson2folded: 1 stacks are incomplete: the parent of their outermost record is not in the input
E
check 'finds parents by process when processes use the same ids' 0 \
	'for pid in 1 2; do sed "s/\"ts\"/\"pid\":$pid,&/;s/\"step\"/\"step of $pid\"/" links; done |
		ndjson2folded --root pid 2>/dev/null' <<'E'
pid 1;lost 1
pid 1;run 1
pid 1;run;step of 1 2
pid 1;run;step of 1;copy 2
pid 1;run;step of 1;moment 1
pid 2;lost 1
pid 2;run 1
pid 2;run;step of 2 2
pid 2;run;step of 2;copy 2
pid 2;run;step of 2;moment 1
E
printf '%s\n' '{"name":"first","id":1}' '{"name":"below","id":2,"parent":1}' '{"name":"last","id":1}' >twice
check 'the last of two records with the same id is the parent' 0 'ndjson2folded twice' <<'E'
first 1
last 1
last;below 1
E
printf '%s\n' '{"name":"x","id":1,"parent":2}' '{"name":"y","id":2,"parent":1}' '{"name":"fine","id":3}' >circle
check 'skips records whose parents form a cycle' 1 'ndjson2folded circle' <<'E'
fine 1
--- stderr
ndjson2folded: circle:3: parents form a cycle or are nested too deep; record skipped (and 1 more)
E

printf '%s\n' '{"kind":"sample","stack":["a;b","two\nlines","","\u00e9 \"q\"",7,"\u0000"]}' \
	'{"kind":"sample","stack":[]}' '{"kind":"sample","stack":["a"],"w":0.3}' '{"kind":"sample","stack":["a"],"w":0.3}' \
	'{"kind":"sample","stack":["a"],"w":"7"}' >odd
check 'replaces characters that would split a line or a frame' 0 'ndjson2folded odd' <<'E'
[unknown] 1
a 3
a:b;two lines;[unknown];é "q";7;  1
E
check 'rounds fractional weights at the end and ignores text weights' 0 'ndjson2folded -f w odd' <<'E'
a 1
E
check 'sums beyond 64 bits' 0 \
	'for i in 1 2 3; do echo "{\"name\":\"a\",\"dur\":9223372036854775807}"; done | ndjson2folded -f dur' <<'E'
a 27670116110564327421
E
check 'reports a weight that no record has' 0 'ndjson2folded -f durr ranges' <<'E'
--- stderr
ndjson2folded: no record has the field 'durr'; did you mean 'dur'?
E
check '--mark rejects an unknown letter' 2 'ndjson2folded --mark kx ranges' <<'E'
--- stderr
ndjson2folded: --mark: 'x': expected k (kernel), j (JIT code) or i (inlined)
E
check 'rejects a second -f' 2 'ndjson2folded -f a -f b ranges' <<'E'
--- stderr
ndjson2folded: -f can be given only once
E
finish
