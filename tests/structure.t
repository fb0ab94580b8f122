#!/bin/sh
# structure.t: the shape of the tree, as rules. A breach is shown as file:line.
. "${0%/*}/lib.sh"

# An include points only to the left: to an earlier group, or to its own group where that makes no circle.
# `field_short.c` belongs to `field`. A new module of lib gets its place here.
LAYERS='err mem str num hash map tally words
	< unpack src out scan unit walk json put repair opt keys scope spans match nest progress every sweep levels through temp radix heads runs kargs
	< event field sketch quantile bins acc agg table group cond attach calls pending linked label capture launch hold forest overheads opstats naming enclose project paths rows worktype devices busy series category tracks tracewriter folded ancestry fields frames members
	< input order passed window report hist
	< formats < filters'

cd "$ROOT" || exit 2
sources=$(ls lib/*.[ch] filters/*.[ch] filters/formats/*.[ch] filters/formats/*.def 2>/dev/null)

# rule NAME: standard input lists the breaches.
rule() {
	breaches=$(cat)
	if [ -z "$breaches" ]; then pass "$1"; else echo "$breaches" | fail "$1"; fi
}

# The code as FILE:LINE:TEXT, without comments and without what stands between quotes.
# shellcheck disable=SC2086 # a list of files
awk '
	FNR == 1 { comment = 0 }
	{
		line = $0
		text = ""
		if (line ~ /^[ \t]*#[ \t]*include/)
			text = line
		else
			while (line != "") {
				if (comment) {
					at = index(line, "*/")
					if (!at) break
					line = substr(line, at + 2)
					comment = 0
				} else if (match(line, /^"([^"\\]|\\.)*"/) || match(line, /^\047([^\047\\]|\\.)*\047/)) {
					text = text substr(line, 1, 1) substr(line, 1, 1)
					line = substr(line, RLENGTH + 1)
				} else if (substr(line, 1, 2) == "//") {
					break
				} else if (substr(line, 1, 2) == "/*") {
					comment = 1
					line = substr(line, 3)
				} else {
					match(line, /^.[^"\047\/]*/)
					text = text substr(line, 1, RLENGTH)
					line = substr(line, RLENGTH + 1)
				}
			}
		print FILENAME ":" FNR ":" text
	}' $sources >"$TEST_TMP/code"

# found REGEX: where the code matches.
found() {
	grep -E "^[^:]*:[0-9]+:(.*[^A-Za-z0-9_.>])?$1" "$TEST_TMP/code"
}

# --- layers

# "FROM TO PLACE" for each include of a file of ours, FROM and TO being modules.
awk -v layers="$LAYERS" '
	function module(path,  name) {
		if (path ~ /^filters\/formats\//) return "formats"
		if (path ~ /^filters\//) return "filters"
		name = path
		sub(/.*\//, "", name)
		sub(/\.[a-z]*$/, "", name)
		while (!(name in rank) && sub(/_[^_]*$/, "", name)) continue
		return name
	}
	BEGIN {
		n = split(layers, word, /[ \t\n]+/)
		for (i = 1; i <= n; i++)
			if (word[i] == "<") group++; else rank[word[i]] = group + 1
	}
	FNR == NR { path = $0; sub(/.*\//, "", path); where[path] = $0; if (!(module($0) in rank)) print "unknown", $0, $0 ":1"; next }
	match($0, /#[ \t]*include[ \t]*"[^"]*"/) {
		split($0, part, ":")
		to = $0
		sub(/^[^"]*"/, "", to)
		sub(/".*/, "", to)
		sub(/.*\//, "", to)
		from = module(part[1])
		place = part[1] ":" part[2]
		if (!(to in where)) { print "missing", to, place; next }
		to = module(where[to])
		if (from == to) next
		if (rank[to] > rank[from]) print "right", from "->" to, place
		if (rank[to] == rank[from]) print "same", from, to, place
	}' - "$TEST_TMP/code" >"$TEST_TMP/edges" <<E
$sources
E

awk '$1 == "unknown" { print $3 ": not in the list of layers in tests/structure.t" }' "$TEST_TMP/edges" | rule 'every module has a layer'
awk '$1 == "missing" { print $3 ": no file " $2 }' "$TEST_TMP/edges" | rule 'every include is there'
awk '$1 == "right" { print $3 ": points to the right: " $2 }' "$TEST_TMP/edges" | rule 'includes point to the left'
awk '$1 == "same" { print $2, $3 }' "$TEST_TMP/edges" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)/\1/p' | while read -r module; do
	awk -v module="$module" '$1 == "same" && $2 == module { print $4 ": in a circle of includes: " $2 " -> " $3 }' "$TEST_TMP/edges"
done | sort -u | rule 'no circle of includes within a group'

# --- what only one file does

for header in jsmn zlib zstd; do
	found "#[ 	]*include[ 	]*[<\"]$header\\.h" >"$TEST_TMP/users"
	[ "$(cut -d : -f 1 "$TEST_TMP/users" | sort -u | wc -l)" -le 1 ] || cat "$TEST_TMP/users"
done | rule 'jsmn.h, zlib.h and zstd.h are included by one file each'

# The lines of main(), as they are in $TEST_TMP/code.
awk '{ split($0, part, ":"); text = $0; sub(/^[^:]*:[0-9]*:/, "", text) }
	text ~ /^(int|void)?[ \t]*main[ \t]*\(/ { inside = part[1] }
	inside == part[1] { print }
	inside && text ~ /^}/ { inside = "" }' "$TEST_TMP/code" >"$TEST_TMP/mains"

found '(_?exit|_Exit|quick_exit|abort)[ 	]*\(' | grep -v '^lib/err\.c:' | grep -Fvx -f "$TEST_TMP/mains" |
	rule 'exit() is called by err.c and main() only'
{
	found '(v?printf|puts|putchar|putchar_unlocked)[ 	]*\('
	found 'stdout[^A-Za-z0-9_]'
	found '(write|writev|dprintf|vdprintf)[ 	]*\([ 	]*(1|STDOUT_FILENO)[ 	]*,'
} | grep -v '^lib/out\.c:' | rule 'standard output is written by out.c only'
found '(strto(d|f|ld)|ato(i|l|ll|f)|strcpy|strcat|gets|v?sprintf)[ 	]*\(' | rule 'no calls that have no place on data'
found '((set|new|use|dup)locale|localeconv|nl_langinfo|strcoll|strxfrm|wcwidth)[ 	]*\(' | rule 'no program looks at the locale'

# --- sizes

awk -F : '$1 != file { file = $1; n = 0 } ++n == 61 { print $1 ":" $2 ": main() is longer than 60 lines" }' "$TEST_TMP/mains" |
	rule 'main() has at most 60 lines'
for file in $sources; do
	lines=$(wc -l <"$file")
	case $file in
	filters/formats/* | lib/*) most=800 ;;
	*)
		most=400
		[ "$lines" -le 300 ] || echo "note $TEST: $file has $lines lines; 300 is the aim" >&2
		;;
	esac
	[ "$lines" -le "$most" ] || echo "$file:$((most + 1)): longer than $most lines"
done | rule 'files are short'

# --- a filter is a program, a page and a test

for file in filters/*.c; do
	[ -f "$file" ] || continue
	name=${file#filters/}
	name=${name%.c}
	[ -f "filters/$name.1" ] || echo "$file:1: no page filters/$name.1"
	[ -f "tests/$name.t" ] || echo "$file:1: no test tests/$name.t"
	grep -Eqs "^\\| *\\[?\`$name\`" README.md || echo "README.md:1: no row for $name in the table of filters"
done | rule 'each filter has a page, a test and a row in the README'

for file in filters/*.1; do
	[ -f "$file" ] || continue
	name=${file#filters/}
	name=${name%.1}
	[ -f "filters/$name.c" ] || { echo "$file:1: no filters/$name.c"; continue; }
	[ -x "$BUILD/bin/$name" ] || { echo "$file:1: no $BUILD/bin/$name"; continue; }
	# What -h lists and what the page's `.It Fl` lines do, a letter or long name a line.
	"$BUILD/bin/$name" -h | awk '/^  -./ || /^ +--/ {
			for (i = 1; i <= 2 && $i ~ /^-/; i++) { o = $i; sub(/^--?/, "", o); sub(/[=,].*/, "", o); print o } }' |
		sort -u >"$TEST_TMP/help"
	awk '$1 == ".It" { for (i = 2; i < NF; i++) if ($i == "Fl") { o = $(i + 1); sub(/^-/, "", o); sub(/=.*/, "", o); print o, FNR } }' "$file" |
		sort -u >"$TEST_TMP/page"
	cut -d ' ' -f 1 "$TEST_TMP/page" | sort -u | comm -23 "$TEST_TMP/help" - |
		sed "s|.*|$file:1: option & of the program is not documented|"
	awk -v file="$file" 'FNR == NR { known[$1]; next } !($1 in known) { print file ":" $2 ": option " $1 " is not one of the program" }' \
		"$TEST_TMP/help" "$TEST_TMP/page"
done | rule 'the options of a filter and of its page are the same'

if have mandoc; then
	for file in filters/*.[157] lib/*.[157] scripts/*.[157]; do
		[ ! -f "$file" ] || mandoc -Tlint -Wwarning "$file"
	done 2>&1 | rule 'pages pass mandoc -Tlint'
fi

# --- scripts

for file in scripts/*; do
	case $file in *.d | *.tsv | *.[157] | scripts/gallery | scripts/quickstart) continue ;; esac
	[ "$(grep -c '^export LC_ALL=C ' "$file")" = 1 ] || echo "$file:1: does not set LC_ALL=C, once"
	grep -n 'LC_ALL=C ' "$file" | grep -v ':export LC_ALL=C ' | sed "s|:.*|: LC_ALL=C is set already|; s|^|$file:|"
done | rule 'a script sets the locale once, for all that it runs'

# --- a script in parts

for folder in scripts/*.d; do
	script=${folder%.d}
	[ -f "$script" ] || { echo "$folder:1: no script $script"; continue; }
	for file in "$folder"/*; do
		name=${file##*/}
		head -n 1 "$file" | grep -q "^# $name: " || echo "$file:1: does not say what it holds"
		grep -Eq "^parts='(.* )?${name%.*}( .*)?'$" "$script" || echo "$file:1: is none of the parts of $script"
		[ "$(wc -l <"$file")" -le 300 ] || echo "$file:301: longer than 300 lines"
	done
done | rule 'the parts of a script are used, and short'

# --- the top level

{ git ls-files -co --exclude-standard 2>/dev/null || ls; } | sed 's|/.*||' | sort -u |
	grep -Evx 'Makefile|README\.md|LICENSE|filters|lib|scripts|tests|build|\..*' | sed 's/$/:1: not of the top level/' |
	rule 'the top level holds only what DESIGN allows'

finish
