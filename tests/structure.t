#!/bin/sh
# structure.t: the rules of the source tree, applied to all of its folders. A violation is shown as FILE:LINE: REASON.
. "${0%/*}/lib.sh"

# The layers of lib, lowest first; each is a folder. filters/ is above them.
LAYERS='base io json record interval device table stats expression picture program'
# The headers of external libraries. Only one file may include each of these headers.
FOREIGN='jsmn zlib isa-l zstd sqlite3 utf8proc md5'
MOST_MAIN=60
MOST_MAIN_FILE=300
MOST_ORACLE=15
MOST_COLUMNS=120
MOST_FILES=20 # in a folder without a README.md
MOST_SINGLE=45 # headers with a single user

cd "$ROOT" || exit 2
sources=$(find lib filters -name '*.[ch]' -o -name '*.def' | sort)

# rule NAME: a check that passes if standard input, the list of violations, is empty.
rule() {
	breaches=$(cat)
	if [ -z "$breaches" ]; then pass "$1"; else echo "$breaches" | fail "$1"; fi
}

# Prints the code as FILE:LINE:TEXT, without comments and without the text between quotes.
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

# found REGEX: prints the lines of code that match.
found() {
	grep -E "^[^:]*:[0-9]+:(.*[^A-Za-z0-9_.>])?$1" "$TEST_TMP/code"
}

# --- layers

find lib -mindepth 1 -maxdepth 1 -type d -exec basename {} \; | grep -Fvx "$(echo "$LAYERS" | tr ' ' '\n')" |
	sed 's|.*|lib/&:1: not a layer in tests/structure.t|' |
	rule 'each folder of lib is a layer'
find lib -maxdepth 1 -name '*.[ch]' | sed 's/$/:1: not in the folder of a layer/' |
	rule 'each module of lib is in a layer'

# Prints "RULE FROM TO PLACE" for each include of one of our files. The path of a header starts in lib/ or filters/;
# files of a filter or format name the headers of their folder without a path. A module is a file without its ending;
# NAME_private and NAME_inline belong to NAME.
awk -v layers="$LAYERS" '
	function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
	function module(path) { sub(/\.[a-z]*$/, "", path); sub(/_(private|inline)$/, "", path); return path }
	# Returns the rank of a layer: 1..n for a layer of lib, n + 1 for a filter and its formats.
	function rank(path,  part) { split(path, part, "/"); return part[1] == "lib" ? order[part[2]] : n + 1 }
	function program(path,  part) { split(path, part, "/"); return part[2] }
	BEGIN { n = split(layers, word, " "); for (i = 1; i <= n; i++) order[word[i]] = i }
	FNR == NR { exists[$0]; next }
	match($0, /#[ \t]*include[ \t]*"[^"]*"/) {
		split($0, part, ":")
		from = part[1]
		place = from ":" part[2]
		to = $0
		sub(/^[^"]*"/, "", to)
		sub(/".*/, "", to)
		if (to !~ /\//) to = folder(from) "/" to
		else if (("lib/" to) in exists) to = "lib/" to
		else to = "filters/" to
		if (!(to in exists)) { print "missing", to, "-", place; next }
		if (from ~ /^lib/ && rank(to) > rank(from)) print "right", from, to, place
		if (from ~ /^lib/ && $0 !~ /"[^"]*\//) print "bare", from, to, place
		if (from ~ /^filters/ && to ~ /^filters/ && program(from) != program(to)) print "other", from, to, place
		if (folder(from) == folder(to) && module(from) != module(to)) print "same", module(from), module(to), place
		if (to ~ /[.]h$/ && module(from) != module(to)) print "use", from, to, place
	}' - "$TEST_TMP/code" >"$TEST_TMP/edges" <<E
$sources
E

awk '$1 == "missing" { print $4 ": no file " $2 }' "$TEST_TMP/edges" | rule 'every included file exists'
awk '$1 == "bare" { print $4 ": an include in lib names its folder" }' "$TEST_TMP/edges" |
	rule 'includes in lib name their folder'
awk '$1 == "right" { print $4 ": " $3 " is in a later layer" }' "$TEST_TMP/edges" |
	rule 'includes point to their own layer or an earlier one'
awk '$1 == "other" { print $4 ": " $3 " belongs to another program" }' "$TEST_TMP/edges" |
	rule 'no program includes files of another program'
# A module with a single user, which is not a main file, must have an idea and a contract of its own. This cannot be
# checked; therefore the number of such modules is limited. A file includes the headers of all modules that it uses.
awk -v most="$MOST_SINGLE" '
	$1 == "use" && !(($2, $3) in seen) { seen[$2, $3]; users[$3]++; user[$3] = $2 }
	END {
		for (header in users) {
			split(user[header], part, "/")
			if (users[header] == 1 && user[header] != "filters/" part[2] "/" part[2] ".c")
				list[++n] = header ":1: used by " user[header] " only; at most " most " headers have a single user"
		}
		for (i = 1; n > most && i <= n; i++) print list[i]
	}' "$TEST_TMP/edges" | rule "at most $MOST_SINGLE headers have a single user that is not a main file"
awk '$1 == "same" { print $2, $3 }' "$TEST_TMP/edges" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([^-].*\)/\1/p' |
	while read -r module; do
		awk -v module="$module" '$1 == "same" && $2 == module { print $4 ": cycle: " $2 " -> " $3 }' "$TEST_TMP/edges"
	done | sort -u | rule 'includes within a folder form no cycle'

if have python3 nm; then
	call_circles.py "$BUILD" | while read -r first others; do
		echo "$first.c:1: calls, and is called by, $others"
	done | rule 'no circle of calls between files'
fi

# --- each module of lib is used by at least two programs

# The linker's maps list the members of lib.a that each program was linked with.
for map in "$BUILD"/*.map; do
	[ -f "$map" ] || continue
	awk '/^Archive member included/ { on = 1 } /^(Discarded|Memory Config|There are no)/ { exit }
		on && match($0, /(^|\/)lib\.a\([a-z0-9_]+\.o\)/) { name = substr($0, RSTART, RLENGTH); sub(/.*\(/, "", name);
		sub(/\.o\)/, "", name); print name }' \
		"$map" |
		sort -u
done | sort | uniq -c >"$TEST_TMP/members"
find lib -name '*.c' | while read -r file; do
	name=${file##*/}
	name=${name%.c}
	grep -Eq "^ *([2-9]|[1-9][0-9]+) $name\$" "$TEST_TMP/members" && continue
	users=$(awk -v name="$name" '$2 == name { print $1 }' "$TEST_TMP/members")
	echo "$file:1: fewer than two programs are linked with it: $users"
done | rule 'at least two programs are linked with each module of lib'
find lib -name '*.c' -exec basename {} \; | sort | uniq -d | sed 's/$/: two files of lib have this name/' |
	rule 'names in lib are unique'

# Two structs with the same name cannot be included together, and readers would confuse them.
awk '{
		split($0, part, ":")
		for (text = $0; match(text, /struct[ \t]+[A-Za-z0-9_]+[ \t]*\{/); text = substr(text, RSTART + RLENGTH)) {
			split(substr(text, RSTART, RLENGTH), word, /[ \t{]+/)
			name = word[2]
			if (!(name in file)) file[name] = part[1]
			else if (file[name] != part[1]) print part[1] ":" part[2] ": struct " name " is also in " file[name]
		}
	}' "$TEST_TMP/code" | rule 'no two files define structs with the same name'

# --- tasks that belong to a single file

for header in $FOREIGN; do
	found "#[ 	]*include[ 	]*[<\"]$header\\.h" >"$TEST_TMP/users"
	[ "$(cut -d : -f 1 "$TEST_TMP/users" | sort -u | wc -l)" -le 1 ] || cat "$TEST_TMP/users"
done | rule 'one file includes the header of each foreign library'

# The lines of main(), in the format of $TEST_TMP/code.
awk '{ split($0, part, ":"); text = $0; sub(/^[^:]*:[0-9]*:/, "", text) }
	text ~ /^(int|void)?[ \t]*main[ \t]*\(/ { inside = part[1] }
	inside == part[1] { print }
	inside && text ~ /^}/ { inside = "" }' "$TEST_TMP/code" >"$TEST_TMP/mains"

found '(_?exit|_Exit|quick_exit|abort)[ 	]*\(' | grep -v '^lib/base/err\.c:' | grep -Fvx -f "$TEST_TMP/mains" |
	rule 'exit() is called by base/err.c and main() only'
found '(die|warn|note|quit|warn_fault|err_set_quiet|perror|v?fprintf|psignal)[ 	]*\(' | grep '^lib/' |
	grep -Ev '^lib/(program/|base/(err|mem)\.)' |
		rule 'lib prints nothing and does not exit, except in program and when memory runs out'
{
	found '(v?printf|puts|putchar|putchar_unlocked)[ 	]*\('
	found 'stdout[^A-Za-z0-9_]'
	found '(write|writev|dprintf|vdprintf)[ 	]*\([ 	]*(1|STDOUT_FILENO)[ 	]*,'
} | grep -v '^lib/io/out\.c:' | rule 'standard output is written by io/out.c only'
found '(strto(d|f|ld)|ato(i|l|ll|f)|strcpy|strcat|gets|v?sprintf)[ 	]*\(' |
	rule 'no unsafe or locale-dependent calls on data'
found 'opt_[a-z_]+[ 	]*\(' | grep '^lib/' | grep -v '^lib/program/' | rule 'lib reads options in program only'
found '((set|new|use|dup)locale|localeconv|nl_langinfo|strcoll|strxfrm|wcwidth)[ 	]*\(' |
	rule 'no program uses the locale'

# What a kernel does is known by one table. Beside it, pages have examples; coll-join and formats read what NCCL writes
# beside its kernels; the others read the category of NCCL Inspector, or the ranges of PyTorch, such as nccl:all_reduce.
grep -rlE 'nccl|hccl' filters lib scripts |
	grep -vE '\.[157]$|README\.md$|\.svg$|^lib/device/kernel-names\.tsv$|^filters/(coll-join|trace2ndjson)/' |
	xargs grep -nE 'nccl|hccl' | grep -vE '"nccl_inspector"|=='\''nccl_inspector'\''|\^nccl:|range=nccl:|nccl_version' |
	rule 'names of kernels that communicate are only in kernel-names.tsv'

# A name that many files use for different things says nothing. The excepted names are those of operations that every
# format or stream has, and of what programs do with options.
sed -nE 's/^([^:]*):([0-9]+):static [^(;=]*[ *]([a-z_0-9]+)\(.*/\3 \1 \2/p' "$TEST_TMP/code" |
	grep -vE '^(open|close|read|write|next|free|help|take_option|read_options) ' |
	awk '!(($1, $2) in seen) { seen[$1, $2]; if (++n[$1] > 4) print $2 ":" $3 ": " $1 "() is in " n[$1] " files" }' |
	rule 'the name of a static function is in at most 4 files'

# --- sizes

awk -F : -v most="$MOST_MAIN" \
	'$1 != file { file = $1; n = 0 } ++n == most + 1 { print $1 ":" $2 ": main() is longer than " most " lines" }' \
	"$TEST_TMP/mains" |
	rule "main() has at most $MOST_MAIN lines"
for folder in filters/*/; do
	file=$folder$(basename "$folder").c
	awk -v most="$MOST_MAIN_FILE" 'FNR == most + 1 {
		print FILENAME ":" FNR ": longer than " most " lines; move a part to another file of its folder" }' "$file"
done | rule "the main file of a program has at most $MOST_MAIN_FILE lines"
# A tab ends at a multiple of 8 columns. In UTF-8, the bytes 200 to 277 (octal) continue a character.
{
	echo "$sources"
	find tests -name '*.[ch]' -o -name '*.py' -o -path tests/bench/run
} | xargs awk -v most="$MOST_COLUMNS" '
	{
		gsub(/[\200-\277]/, "")
		n = split($0, part, "\t")
		columns = 0
		for (i = 1; i < n; i++) {
			columns += length(part[i])
			columns += 8 - columns % 8
		}
		if (columns + length(part[n]) > most) print FILENAME ":" FNR ": longer than " most " columns"
	}' | rule "lines of C and Python files have at most $MOST_COLUMNS columns"

# --- each filter has a folder with a program and a page, a test, and a row in filters/README.md

for folder in filters/*/; do
	name=$(basename "$folder")
	[ -f "$folder$name.c" ] || echo "$folder:1: no $name.c"
	[ -f "$folder$name.1" ] || echo "$folder:1: no page $name.1"
	[ -f "tests/filters/$name.t" ] || echo "$folder:1: no test tests/filters/$name.t"
	grep -Eqs "^\\| \`$name\`" filters/README.md || echo "filters/README.md:1: no row for $name"
done | rule 'each filter has a program, a page, a test and a row in filters/README.md'

for file in scripts/[!dl]*/*; do
	case $file in *.d | *.tsv | *.1) continue ;; esac
	[ -f "$file.1" ] || { echo "$file:1: no page $file.1"; continue; }
	page=$(sed -n 's|^\.so man1/||p' "$file.1")
	page=${file%/*}/${page:-${file##*/}.1}
	grep -Eq "^\.Nm ${file##*/}( ,)?$" "$page" 2>/dev/null || echo "$file.1:1: $page does not name ${file##*/}"
done | rule 'each script has a page, or a link to the page of its family'

# Each page and each command in its NAME section. The text of -h follows a line "@help PAGE COMMAND".
awk 'FNR == 1 { link = /^\.so / } link { next } /^\.Sh/ { on = /NAME/ } on && $1 == ".Nm" { print FILENAME, $2 }' \
	filters/*/*.1 scripts/*/*.1 |
	while read -r file name; do
		[ -x "$BUILD/bin/$name" ] || { echo "@none $file $name"; continue; }
		echo "@help $file $name"
		"$BUILD/bin/$name" -h
	done >"$TEST_TMP/help"
# Compares the options in the output of -h with those in the `.It Fl` lines of the page.
awk '
	function option(text) { sub(/^--?/, "", text); sub(/[[=,].*/, "", text); return text }
	# A page may contain the line `.\\" options of PAGE`: the program also has the options of that page.
	function compare(page, also,  line, n, part, i, o) {
		while ((getline line <(also ? also : page)) > 0) {
			n++
			split(line, part, " ")
			if (line ~ /^\.\\" options of /) compare(page, part[4])
			if (line !~ /^\.It /) continue
			for (i = 2; i in part; i++) {
				if (part[i] != "Fl") continue
				o = part[i + 1]
				sub(/^-/, "", o)
				sub(/=.*/, "", o)
				if (!((page, o) in helped) && !also) print page ":" n ": the program has no option " o
				paged[page, o]
			}
		}
		close(also ? also : page)
	}
	$1 == "@none" { commands[page = $2]++; missing[$2] = $3; next }
	$1 == "@help" { commands[page = $2]++; next }
	/^  -./ || /^ +--/ { for (i = 1; i <= 2 && $i ~ /^-/; i++) helped[page, option($i)] }
	END {
		for (page in commands) compare(page)
		for (key in helped) {
			split(key, part, SUBSEP)
			if (!(key in paged)) print part[1] ":1: option " part[2] " of the program is not documented"
		}
		for (page in missing) # the name of a family is not a program
			if (commands[page] == 1 || page !~ "/" missing[page] "[.]1$") print page ":1: no program " missing[page]
	}' "$TEST_TMP/help" | rule 'a command and its page have the same options'

if have mandoc; then
	find filters lib scripts -name '*.[157]' -exec grep -L '^\.so ' {} + | while read -r page; do
		mandoc -Tlint -Wwarning "$page"
	done 2>&1 | grep -v 'sections out of conventional order' | rule 'pages pass mandoc -Tlint'
fi

# Each of the filters that divide the time of devices answers one question, so that its page is short.
if have mandoc; then
	for page in filters/gpu-*/*.1; do
		n=$(mandoc -Tutf8 "$page" | wc -l)
		[ "$n" -le 170 ] || echo "$page:1: $n lines as man shows it, at most 170"
	done | rule 'the pages of the filters of the time of devices are short'
fi

# Readers want an example first: in long pages, EXAMPLES follows the first paragraph of DESCRIPTION.
find filters scripts -name '*.1' -exec awk 'FNR > 65 && /^[.]Sh EXAMPLES/ {
		print FILENAME ":" FNR ": the rest of DESCRIPTION is a section DETAILS after EXAMPLES" }' {} + |
	rule 'examples are at the beginning of a page'

# readme LINES FOLDER: prints a message unless the folder has a README.md of at most so many lines.
readme() {
	[ -f "$2/README.md" ] || { echo "$2:1: no README.md"; return; }
	[ "$(wc -l <"$2/README.md")" -le "$1" ] || echo "$2/README.md:$(($1 + 1)): longer than $1 lines"
}
{
	readme 260 .
	readme 70 lib
	readme 150 filters
	readme 150 scripts
	readme 70 tests
} | rule 'the tree, lib, filters, scripts and tests have a README.md that is not too long'
awk '/^```/ { shown = !shown }
	!shown && length($0) > 120 { print FILENAME ":" FNR ": longer than 120 columns" }
	/^[|]/ { gsub(/\\[|]/, ""); if (split($0, cells, "|") > 6) print FILENAME ":" FNR ": more than 4 columns" }
	' README.md |
	rule 'lines of the README have at most 120 columns, and its tables at most four'

find lib filters -mindepth 1 -type d | while read -r folder; do
	modules=$(find "$folder" -maxdepth 1 -name '*.c' | sed 's|.*/||; s|[.]c$||')
	[ "$(find "$folder" -maxdepth 1 -name '*.[ch]' | wc -l)" -gt "$MOST_FILES" ] || continue
	[ -f "$folder/README.md" ] || { echo "$folder:1: over $MOST_FILES files, and no README.md"; continue; }
	for module in $modules; do
		grep -q "\`$module\`" "$folder/README.md" || echo "$folder/README.md:1: does not name the module $module"
	done
done | rule "a folder of more than $MOST_FILES files has a README.md that names each module"

# --- what a user can name has an entry in its page, in a table of a README.md, and in a test

FORMAT_TABLE=filters/README.md

# unnamed WHAT WORDS REGEX FILE...: prints each of the words for which no line of the files matches REGEX, an extended
# regular expression in which NAME stands for the word.
unnamed() {
	unnamed_what=$1 unnamed_words=$2 unnamed_regex=$3
	shift 3
	for unnamed_word in $unnamed_words; do
		grep -Eqe "$(echo "$unnamed_regex" | sed "s|NAME|$unnamed_word|g")" "$@" ||
			echo "$1:1: does not name the $unnamed_what $unnamed_word"
	done
}
word='(^|[^A-Za-z0-9_-])NAME([^A-Za-z0-9_-]|$)'
bin=$BUILD/bin
# untested WHAT WORDS: prints each of the words that is in no test.
find tests \( -name '*.t' -o -name '*.c' -o -name calls.sh \) -exec cat {} + | tr -cs 'A-Za-z0-9_-' '\n' |
	sort -u >"$TEST_TMP/tested"
untested() {
	echo "$2" | tr ' ' '\n' | sort -u | comm -23 - "$TEST_TMP/tested" | sed "/./s|.*|tests:1: no test names the $1 &|"
}

aggregates=$("$bin/groupby" -h | awk '/^  -s/ { exit } /^ +pNN/ { next } list && /^ +[a-z]+  / { print $1 }
	/^  -a/ { list = 1 }')
{
	[ "$(echo "$aggregates" | wc -w)" -gt 10 ] || echo "tests/structure.t:1: found these aggregates: $aggregates"
	unnamed aggregate "$aggregates" '^\.It Li (.* )?NAME( ,.*)?$' filters/groupby/groupby.1
	unnamed aggregate "$aggregates" "$word" tests/filters/groupby.t tests/filters/stats.t
} | rule 'each aggregate is in groupby(1) and in a test'

formats=$("$bin/trace2ndjson" --formats | awk '/^[a-z]/ { print $1 }')
{
	[ "$(echo "$formats" | wc -w)" -gt 10 ] || echo "tests/structure.t:1: found these formats: $formats"
	unnamed format "$formats" '^\| `NAME`' "$FORMAT_TABLE"
	unnamed format "$formats" "$word" filters/trace2ndjson/trace2ndjson.1
	unnamed format "$formats" "$word" tests/formats/*.t tests/filters/trace2ndjson.t
} | rule 'each format is in filters/README.md, in trace2ndjson(1) and in a test'

charts=$("$bin/ndjson2svg" -h | sed -n 's/^usage: ndjson2svg \[\([a-z|]*\)\].*/\1/p' | tr '|' ' ')
{
	[ "$(echo "$charts" | wc -w)" -gt 5 ] || echo "tests/structure.t:1: found these kinds of charts: $charts"
	unnamed chart "$charts" '^\.It Cm NAME$' filters/ndjson2svg/ndjson2svg.1
	unnamed chart "$charts" '(ndjson2svg|plot) NAME' tests/filters/ndjson2svg.t tests/scripts/plot.t
} | rule 'each kind of chart is in ndjson2svg(1) and in a test'

reports=$(sed -n 's/.*{\.name = "\([a-z-]*\)", \.report = true.*/\1/p' lib/table/source_kind.c \
	"$BUILD/lib/table/script_reports.c")
{
	[ "$(echo "$reports" | wc -w)" -gt 10 ] || echo "tests/structure.t:1: found these kinds of reports: $reports"
	unnamed 'kind of report' "$reports" '^\.It Cm (.* )?NAME( ,.*)?$' lib/events.5
	untested 'kind of report' "$reports"
} | rule 'each kind of report is in events(5) and in a test'

variables=$(grep -rhoE 'TRACEFILTERS_[A-Z_]+' lib filters scripts --include='*.[ch]' --include='[a-z]*[!.1-9]' |
	grep -vx 'TRACEFILTERS_VERSION' | sort -u)
{
	[ "$(echo "$variables" | wc -w)" -gt 5 ] || echo "tests/structure.t:1: found these variables: $variables"
	unnamed variable "$variables" '^\.It Ev (.* )?NAME( ,.*)?$' scripts/tracefilters.7
	untested variable "$variables"
} | rule 'each environment variable is in tracefilters(7) and in a test'

programs="$(built_filters) $(find scripts -mindepth 2 -maxdepth 2 -type f ! -name '*.*' ! -path '*/dev/*' -exec basename {} \;)"
{
	unnamed program "$programs" '^\|.*`NAME[ `]|^\.Nm NAME( ,)?$' filters/README.md scripts/README.md \
		scripts/lib/trace-script.1
	untested program "$programs"
} | rule 'each program is in a table of filters or scripts and in a test'

# --- scripts

for file in scripts/*/*; do
	case $file in *.d | *.tsv | *.1 | scripts/dev/* | scripts/lib/trace-script) continue ;; esac
	[ "$(grep -cE '^(export LC_ALL=C |[.] trace-script$)' "$file")" = 1 ] ||
		echo "$file:1: does not set LC_ALL=C exactly once"
	grep -n 'LC_ALL=C ' "$file" | grep -v ':export LC_ALL=C ' | sed "s|:.*|: LC_ALL=C is already set|; s|^|$file:|"
done | rule 'a script sets the locale once, for all of its commands'
# `wait -n` of bash 5.2 can miss a process that ends at the same moment. Then it waits for the others, such as a process
# substitution that does not end.
grep -rnE '^[^#]*\bwait -[a-z]*n' scripts | sed 's/$/: wait -n can wait for ever/' |
	rule 'no script uses wait -n'
# The kind of a report is the name of its script; the build reads its columns from one line of the script.
for file in scripts/*/*; do
	[ -f "$file" ] && name=${file##*/} && lines=$(grep -c '^# columns:' "$file") || continue
	[ "$lines" = 1 ] || echo "$file:1: $lines lines with columns"
	grep -qs "kind='$name'" "$file" "$file".d/* || echo "$file:1: lists columns, but no record has the kind $name"
done | rule 'a script with a line of columns writes records of its kind'
find scripts -mindepth 2 ! -type d ! -path '*/dev/*' -exec basename {} \; | sort | uniq -d |
	sed 's/$/: two scripts have this name/' |
	rule 'names of scripts are unique'
for folder in scripts/*/*.d; do
	[ -d "$folder" ] || continue
	script=${folder%.d}
	[ -f "$script" ] || { echo "$folder:1: no script $script"; continue; }
	for file in "$folder"/*; do
		name=${file##*/}
		head -n 1 "$file" | grep -q "^# $name: " || echo "$file:1: the first line does not describe the file"
		grep -Eq "^parts='(.* )?($name|[*])( .*)?'$|read_parts ${script##*/} (.* )?$name( |;|$)" "$script" ||
			echo "$file:1: not among the parts of $script"
		[ "$(wc -l <"$file")" -le 300 ] || echo "$file:301: longer than 300 lines"
	done
done | rule 'the parts of a script are used and short'
# The lines of scripts with their parts, without help. trace-report, trace-map, trace-diff, trace-catalog, trace-join,
# trace-script, roofline and op-breakdown are larger programs. A *.report is a declaration (a pipeline and columns); it
# counts only in the sum, and so do columns that several share, and parts in scripts/lib.
for script in scripts/[!d]*/*; do
	case $script in *.[d1] | *.tsv | */trace-report | */trace-map | */trace-diff | */trace-catalog) continue ;; esac
	case $script in */trace-script | */trace-join | */roofline | */op-breakdown) continue ;; esac
	[ -f "$script" ] && [ ! -L "$script" ] || continue
	echo "$(cat "$script" "$script".d/*.sh 2>/dev/null | sed '/^help() {/,/^}$/d' | wc -l) $script" \
		"$(cat "$script".d/*.report "$script".d/*.columns 2>/dev/null | wc -l)"
done | awk -v all="$(cat scripts/lib/*.d/*.sh | wc -l)" '
	{ all += $1 + $3 }
	$1 > 90 { print $2 ":1: " $1 " lines with its parts, at most 90" }
	END { if (all > 2120) print "scripts:1: " all " lines, at most 2120" }' | rule 'scripts are short'

grep -nEv '^(#|	|options=|report_rows\(\) \{|columns=\(|[)}]$)' scripts/*/*.d/*.report |
	sed 's/$/: not a declaration/' |
	rule 'a report of nsys-report has only a pipeline, columns and options'

# --- tests

# Checks the lengths of lines in test scripts, and the length of the Python in them. Data may have longer lines:
# here-documents (records, expected output) and lines that are one quoted argument or assignment.
# shellcheck disable=SC2016 # an awk program
awk -v most_columns="$MOST_COLUMNS" -v most_oracle="$MOST_ORACLE" '
	function here_documents(text) {
		while (match(text, /<<-?[\047"\\]?[A-Z][A-Z_a-z]*[\047"]?([^\\\047"]|$)/)) {
			word = substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
			gsub(/[^A-Z_a-z]/, "", word)
			end[++last] = word
		}
	}
	FNR == 1 && file && first <= last {
		print file ":1: no end of here-document " end[first] "; cannot check for " most_columns " columns"
	}
	FNR == 1 { first = 1; last = 0; file = FILENAME }
	first <= last && $0 !~ "^\t*" end[first] "([^A-Za-z_]|$)" {
		if (python && ++lines == most_oracle + 1) print FILENAME ":" FNR ": Python over " most_oracle " lines: tests/oracle"
		next
	}
	first <= last { first++ }
	length > most_columns && !/^\t*([a-z]+=)?(\047[^\047]*\047|"([^"\\]|\\.)*")( \\)?$/ {
		print FILENAME ":" FNR ": longer than " most_columns " columns"
	}
	!/^\t*#/ { python = /cat >[a-z_]*\.py <<|python3 - .*<</; lines = 0; here_documents($0) }
	' tests/run tests/outputs tests/lib.sh tests/*.t tests/*/*.t >"$TEST_TMP/breaches"
grep 'columns$' "$TEST_TMP/breaches" | rule "lines of test scripts have at most $MOST_COLUMNS columns"
grep 'tests/oracle$' "$TEST_TMP/breaches" | rule "Python in a test script has at most $MOST_ORACLE lines"
for file in tests/oracle/*.py; do
	sed -n '1,2p' "$file" | grep -q '^"""[A-Z]' || echo "$file:1: the first lines do not say what the oracle computes"
done | rule 'an oracle begins with a description'

# --- the top level

{ git ls-files -co --exclude-standard 2>/dev/null || ls; } | sed 's|/.*||' | sort -u |
	grep -Evx 'Makefile|README\.md|LICENSE|filters|lib|scripts|tests|build|\..*' | sed 's/$/:1: not a top-level file/' |
	rule 'the top level has no other files'

finish
