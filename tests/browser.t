#!/bin/sh
# browser.t: opens pages of ndjson2report in Chromium, without a window, on a phone and on a screen, light and dark.
# report_page.py computes what each page must show from the report.
. "${0%/*}/lib.sh"
only_slow_follow # it opens each page seven times and clicks on all headings
have chromium chromedriver || finish

# Debian's package of selenium is for Debian's python3, which may not be the first one in PATH.
python=
export PYTHON_PACKAGES=''
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || { skip 'no selenium for python3'; finish; }

# axe-core comes from npm. It is stored in the folder of the build, so that it is loaded once.
axe=$BUILD/axe-core/node_modules/axe-core/axe.min.js
if [ ! -s "$axe" ] && ! { command -v npm && timeout 60 npm install --silent --no-audit --no-fund --ignore-scripts \
	--prefix "$BUILD/axe-core" axe-core@4.14.1; } >npm.log 2>&1; then
	skip 'axe-core cannot be installed with npm: accessibility is not checked'
	axe=
fi

for report in "$DATA"/report/html-*.ndjson; do
	ndjson2report -o html "$report" >page.html 2>/dev/null
	check "$(basename "$report")" 0 "$python $TESTS/oracle/report_page.py page.html $report $axe" </dev/null
done

# A picture with an area: the script adds no text, which the area would stretch, and no button.
cat >area.ndjson <<'E'
{"kind":"report/verdict","title":"a","text":"b"}
{"kind":"report/section","id":"s","title":"S","columns":[{"name":"x"}]}
{"kind":"report/mark","section":"s","lane":"l","at":0,"dur":10,"shares":[1,0.5],"name":"mm"}
{"kind":"report/mark","section":"s","lane":"l","at":4,"dur":0.1,"heat":0,"name":"peak"}
E
cat >area.py <<'E'
import os
from browser import Browser
with Browser() as browser:
    browser.open(os.path.abspath("area.html"), 400)
    print(browser.run("return document.querySelectorAll('.picture [viewBox] > path').length"),
          browser.run("return document.querySelectorAll('.picture svg svg text, .picture button').length"))
E
check 'the script adds nothing to areas' 0 "ndjson2report -o html area.ndjson >area.html
	PYTHONPATH=$TESTS/oracle $python area.py" <<'E'
1 0
E

# Pages of damaged reports: nothing in them runs.
cat >quiet.py <<'E'
import os, sys
from browser import Browser
with Browser() as browser:
    for page in sys.argv[1:]:
        browser.open(os.path.abspath(page))
        print(browser.run("return [document.scripts.length, document.title == 'run']"), browser.messages())
        print(len([url for url in browser.requests() if not url.endswith(page)]), "requests")
E
mkdir pages
check 'pages of damaged reports have one script and request nothing' 0 "
	valid_outputs.py 3 300 html --pages pages
	cd pages && PYTHONPATH=$TESTS/oracle $python ../quiet.py *.html | sort | uniq -c | sed 's/^ *//'" <<'E'
1878 records, 4 outputs, 0 faults
4 0 requests
4 [1, False] []
E

finish
