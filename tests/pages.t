#!/bin/sh
# pages.t: every command in the EXAMPLES of a page runs: status 0 and nothing on stderr. The files that it
# names are made from tests/data, by their ending.
. "${0%/*}/lib.sh"
have mandoc python3 || finish

trace2ndjson "$DATA/train.pt.trace.json" >records
python3 - <<'E'
import json
# Three runs of it, one after the other, so that there are steps to choose from.
ordered = []
for run in range(3):
    for line in open("records"):
        r = json.loads(line)
        if "ts" in r:
            r["ts"] += run * 1_000_000
        ordered.append(r)
ordered.sort(key=lambda r: (r.get("ts", -1 << 63), -r.get("dur", 0)))
with open("ordered", "w") as f:
    for r in ordered:
        print(json.dumps(r, separators=(",", ":")), file=f)
E

# The files named in a command, as examples spell them: run.json.gz, rank-*.json, classes.tsv.
make_files() {
	for word in $(printf '%s\n' "$1" | tr -c 'A-Za-z0-9_.*\n-' ' '); do
		file=$(printf '%s\n' "$word" | sed 's/[*]/0/g')
		case $file in
		*.json.gz | *.json) ;;
		-* | *-) continue ;;
		esac
		[ ! -e "$file" ] || continue
		case $file in
		*.ndjson.gz) gzip -c ordered >"$file" ;;
		*.ndjson) cp ordered "$file" ;;
		*nsys*.json) cp "$DATA/train.nsys.json" "$file" ;;
		*.json.gz) gzip -c "$DATA/train.pt.trace.json" >"$file" ;;
		*.json) cp "$DATA/train.pt.trace.json" "$file" ;;
		*.jsonl) cp "$DATA/train.nsys.jsonl" "$file" ;;
		*.tsv) printf 'gemm\tmatrix multiplication\n' >"$file" ;;
		esac
	done
}

# Whether the programs of all stages are there; some examples show one that not everybody has.
can_run() {
	printf '%s\n' "$1" | sed "s/'[^']*'//g" | tr '|' '\n' | while read -r program rest; do
		command -v "$program" >/dev/null || { echo "no $program: $1 $rest"; break; }
	done
}

run_examples() { # run_examples PAGE
	echo 0 >ran
	mandoc -Tutf8 -O width=1000 "$1" | sed 's/.\x08//g' | sed -n '/^EXAMPLES/,/^[A-Z]/p' |
		sed -e :join -e '/\\$/{N;s/ *\\\n */ /;b join' -e '}' | sed -n 's/^         *//p' | while read -r line; do
		line=${line#\$ }
		[ -x "$BUILD/bin/${line%% *}" ] || continue
		without=$(can_run "$line")
		[ -z "$without" ] || { skip "$without"; continue; }
		make_files "$line"
		check "${1##*/}: example" 0 "{ $line; } >out" </dev/null
		echo 1 >ran
	done
	case $(cat ran):$1 in 0:*.1) echo 'no EXAMPLES with a command of ours' | fail "${1##*/}" ;; esac
}

for page in "$ROOT"/filters/*/*.[157] "$ROOT"/lib/*.[157] "$ROOT"/scripts/*.[157]; do
	[ ! -f "$page" ] || run_examples "$page"
done

finish
