#!/bin/sh
# trace2ndjson-scrub.t: --scrub. An oracle plants secrets in a trace of each format; no output may contain them.
. "${0%/*}/../lib.sh"
have python3 || finish

cat >x.json <<'E'
{"environment":{"A":"b","N":1,"ok":true,"l":["",{"c":"d"}]},"distributedInfo":{"rank":3,"backend":"nccl","job":"j7"},
"argv":["python","--api-key","sesame","--lr","3"],"username":"alice","hostname":"node17",
"notes":{"sort_key":"a","max_token":512,"vars":[{"name":"SECRET","value":"v1"},{"name":"size","value":"v2"}],"token":""},
"command":"/home/alice/bin/python x.py --token abc max_token=512 https://bob:pw@x.org/ std::token::f [removed]",
"traceEvents":[{"ph":"X","cat":"python_function","name":"\/home\/alice/x.py(12): f","pid":1,"tid":1,"ts":5,"dur":1,
"args":{"user":3,"password":123456,"a\n":"\u0041=1","host":"cpu"}}]}
E
check 'environment, options, names, paths; numbers and other texts stay' 0 'trace2ndjson --scrub x.json' <<'E'
{"kind":"meta","name":"environment","args":{"A":"[removed]","N":"[removed]","ok":true,"l":["",{"c":"[removed]"}]}}
{"kind":"meta","name":"distributedInfo","rank":3,"args":{"rank":3,"backend":"nccl","job":"[removed]"}}
{"kind":"meta","name":"argv","rank":3,"args":{"value":["python","--api-key","[removed]","--lr","3"]}}
{"kind":"meta","name":"username","rank":3,"args":{"value":"[removed]"}}
{"kind":"meta","name":"hostname","rank":3,"args":{"value":"node17"}}
{"kind":"meta","name":"notes","rank":3,"args":{"sort_key":"a","max_token":512,"vars":[{"name":"SECRET","value":"[removed]"},{"name":"size","value":"v2"}],"token":""}}
{"kind":"meta","name":"command","rank":3,"args":{"value":"/home/[removed]/bin/python x.py --token [removed] max_token=512 https://[removed]@x.org/ std::token::f [removed]"}}
{"ts":5000,"dur":1000,"kind":"python","name":"/home/[removed]/x.py(12): f","cat":"python_function","rank":3,"pid":1,"tid":1,"args":{"user":3,"password":"[removed]","a\n":"\u0041=1","host":"cpu"}}
--- stderr
trace2ndjson: x.json: byte 59: value of an environment variable removed (and 3 more)
trace2ndjson: x.json: byte 167: password, key or token removed (and 4 more)
trace2ndjson: x.json: byte 186: name of a user or home folder removed (and 2 more)
E
check '--scrub=hosts, in metadata and in events' 0 'trace2ndjson --quiet --scrub=hosts x.json |
	grep -c "host[^}]*removed"' <<'E'
2
E
check 'scrubbed records do not change' 0 'trace2ndjson --quiet --scrub=hosts x.json >once
	trace2ndjson --scrub=hosts once | cmp - once' </dev/null
check '-j, --relative, --set: the same values are removed' 0 'for o in -j2 --relative=0 --set=user=1; do
	trace2ndjson --quiet $o x.json | trace2ndjson --quiet --scrub >a
	trace2ndjson --quiet $o --scrub x.json | cmp - a; done' </dev/null
check '--scrub=all' 2 'trace2ndjson --scrub=all x.json' <<'E'
--- stderr
trace2ndjson: --scrub: 'all': expected secrets or hosts
E

planted_secrets.py "$DATA" >secrets
# ./found FILE KINDS: prints the planted secrets of these kinds that are in the records of FILE.
echo '{"ts":1,"kind":"meta","name":5,"cat":7,"args":{"TOKEN":"x"}}' >odd.ndjson
check 'a name and a category that are no texts' 0 'trace2ndjson --quiet --scrub odd.ndjson' <<'E'
{"ts":1,"kind":"meta","name":5,"cat":7,"args":{"TOKEN":"[removed]"}}
E

cat >found <<'E'
awk -F '\t' -v file="$1" -v kinds="$2" '$1 == file && kinds ~ $2 { print $3 }' secrets >these
[ -s "$1.records" ] || echo no records
grep -oFf these "$1.records" | sort -u
E
chmod +x found
cut -f 1 secrets | sort -u | while read -r file; do
	trace2ndjson --quiet --lenient --strings --keep-text "$file" >"$file.records" 2>/dev/null
	check "$file: all secrets are in the records" 0 "./found $file 'variable secret host' | wc -l" <<E
$(awk -F '\t' -v file="$file" '$1 == file' secrets | wc -l)
E
	trace2ndjson --quiet --lenient --strings --keep-text --scrub "$file" >"$file.records" 2>/dev/null
	check "$file --scrub" 0 "./found $file 'variable secret'" </dev/null
	trace2ndjson --quiet --lenient --strings --keep-text --scrub=hosts "$file" >"$file.records" 2>/dev/null
	check "$file --scrub=hosts" 0 "./found $file 'variable secret host'" </dev/null
done

only_slow_follow # whole reports
for o in text ndjson html findings; do
	trace-report -o "$o" chrome.json >chrome.json.records 2>/dev/null
	check "trace-report -o $o prints no environment variables" 0 \
		"./found chrome.json variable" </dev/null
done
trace-catalog chrome.json >chrome.json.records
check 'trace-catalog prints no environment variables' 0 './found chrome.json variable' </dev/null
check 'the part of a trace to share' 0 "trace2ndjson --scrub=hosts --sort --quiet chrome.json |
	filter-calls --meta --until +1s | ndjson2trace >chrome.json.records
	./found chrome.json 'variable secret host'" </dev/null

finish
