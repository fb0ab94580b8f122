#!/bin/sh
# pages.t: every command in the EXAMPLES of a page exits 0, prints to stdout, and prints nothing to stderr. If the page
# shows an output, the output must be the same. Files named in a command are in tests/data or are written by
# example_files.sh. make_files writes all other files, according to their endings.
. "${0%/*}/lib.sh"
only_slow_follow # the examples of all pages
have mandoc python3 || finish

cp "$DATA"/*.* .
. "$TESTS/example_files.sh"
trace2ndjson "$DATA/train.pt.trace.json" >records
python3 - <<'E'
import json
# Three copies of the run in succession, so that examples can select steps.
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

# make_files COMMAND: writes the files named in a command, such as run.json.gz, rank-*.json, classes.tsv.
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

# can_run COMMAND: prints the first program in COMMAND, a pipeline, that is not installed.
can_run() {
	printf '%s\n' "$1" | sed "s/'[^']*'//g" | tr '|' '\n' | while read -r program rest; do
		command -v "$program" >/dev/null || { echo "no $program: $1 $rest"; break; }
	done
}

# split_examples: splits the text of EXAMPLES, on standard input, into files N.command and N.shown. If the first line of
# a block is `$ COMMAND`, the other lines of the block are its output; else each line of the block is a command.
# A command goes on after a line that ends with \ or |.
split_examples() {
	rm -f [0-9]*.command [0-9]*.shown
	awk '
		substr($0, 1, 11) !~ /^ *$/ { block = 0; next }
		{ text = substr($0, 12) }
		block && shows && text != "" { printf "%s%s\n", blank, text >(n ".shown"); blank = ""; next }
		text == "" { blank = blank "\n"; next }
		{
			if (!block++) shows = sub(/^[$] /, "", text)
			if (!shows) sub(/^ +/, "", text)
			blank = ""
			while (text ~ /\\$/ && (getline line) > 0)
				text = substr(text, 1, length(text) - 1) substr(line, 12)
			while (!shows && text ~ /[|]$/ && (getline line) > 0) {
				sub(/^ +/, "", line)
				text = text " " line
			}
			print text >(++n ".command")
			if (shows) printf "" >(n ".shown")
		}'
}

run_examples() { # run_examples PAGE
	page=${1##*/}
	grep -q '^\.Sh EXAMPLES' "$1" || { echo 'no EXAMPLES' | fail "$page"; return; }
	mandoc -Tutf8 -O width=1000 "$1" | sed 's/.\x08//g' | sed -n '/^EXAMPLES/,/^[A-Z]/p' | split_examples
	ran=
	for example in [0-9]*.command; do
		[ -e "$example" ] || break # no commands
		line=$(cat "$example")
		shown=${example%.command}.shown
		[ -x "$BUILD/bin/${line%% *}" ] || [ -f "$shown" ] || continue
		without=$(can_run "$line")
		[ -z "$without" ] || { skip "$without"; ran=skipped; continue; }
		make_files "$line"
		ran=yes
		if [ -f "$shown" ]; then
			check "$page: example" 0 "$line" <"$shown"
		else
			made=$(printf '%s\n' "$line" | sed -nE 's/.*( > ?| --to )([A-Za-z0-9_-]+[.][A-Za-z0-9.]+).*/\2/p')
			check "$page: example" 0 "{ $line; } >out && { [ -s '${made:-out}' ] || echo no output; }" </dev/null
		fi
	done
	case $ran:$1 in :*.1) echo 'no EXAMPLES with one of our commands' | fail "$page" ;; esac
}

TRACEFILTERS_QUIET=1 # the counts of graph-attach are notes
export TRACEFILTERS_QUIET
for page in "$ROOT"/filters/*/*.[157] "$ROOT"/lib/*.[157] "$ROOT"/scripts/*/*.[157]; do
	grep -q '^\.so ' "$page" || run_examples "$page"
done

finish
