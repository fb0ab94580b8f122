# main.awk: reads the options, calls the functions that read and draw a kind, and reports records that are not shown.
#
# The input has a header and a line for each record, with cells separated by tabs; the file of each kind lists its
# cells. The output is for gnuplot. Input and output are treated as bytes, because awk runs with LC_ALL=C. The other
# files are
#
#	text.awk	texts as they are drawn, numbers and their units
#	page.awk	size, positions, title, axes, legend
#	bars.awk	bar, and other kinds with -T
#	parts.awk	share, and functions that stacked and gantt use as well
#	stacked.awk line.awk timeline.awk hist.awk	stacked, line, gantt, hist
#
# A new kind needs a file with two functions, which this file calls: one reads a record, the other draws the picture.
#
# This file is loaded first. It sets, for all files:
#	kind field key err order facet rows colour zoom title has_title size	the options
#	top top_asked		the maximum number of bars, parts or rows; whether -t was given
#	asked_unit		the unit of -u
#	ending letters		svg, png, pdf or text; whether it is text
#	columns			the width of the terminal
#	fields field_name[]	the fields of -f; the value of a record is the first of them that is a number
#	limit			the number of points or boxes at which their number is reduced
# This file and the functions that read and draw set these variables:
#	all			number of records that are shown
#	missing			number of records without a value
#	strange			number of records whose x is not a number
#	negative		number of records with a negative value
#	left_out		number of records that exceed the maximum number of lines or rows
#	thinned			whether points or boxes were thinned
#	head[]			the names of the columns
#	sort			the unit in which the values are drawn: us, MB, % or nothing
#	key_sort		the same for the first column
#	chosen			the field in which the first value was found
#	failed			the exit status

BEGIN {
	kind = ENVIRON["PLOT_KIND"]
	field = ENVIRON["PLOT_FIELD"]
	key = ENVIRON["PLOT_KEY"] != "" ? ENVIRON["PLOT_KEY"] : "name"
	err = ENVIRON["PLOT_ERR"]
	order = ENVIRON["PLOT_ORDER"]
	facet = ENVIRON["PLOT_FACET"]
	rows = ENVIRON["PLOT_ROWS"]
	colour = ENVIRON["PLOT_COLOUR"]
	zoom = ENVIRON["PLOT_ZOOM"]
	title = ENVIRON["PLOT_TITLE"]
	has_title = ENVIRON["PLOT_HAS_TITLE"]
	size = ENVIRON["PLOT_SIZE"]
	ending = ENVIRON["PLOT_ENDING"]
	asked_unit = ENVIRON["PLOT_UNIT"]
	columns = ENVIRON["PLOT_COLUMNS"]
	letters = ending == "text"
	if (columns !~ /^[0-9]+$/ || columns < 40)
		columns = 80
	top_asked = ENVIRON["PLOT_TOP"] != ""
	top = kind == "bar" ? 40 : kind == "gantt" ? 1000 : kind == "share" ? 8 : letters ? 6 : 11
	if (top_asked)
		top = ENVIRON["PLOT_TOP"] + 0
	limit = 100000
	split_fields()
}
NR == 1 {
	split($0, head, "\t")
	key_sort = sort_of(head[1])
	if (kind == "hist")
		sort = sort_of(head[2])
	next
}
kind == "bar" { read_bar() }
kind == "line" { read_point() }
kind == "gantt" { read_box() }
kind == "hist" { read_bin() }
kind == "share" || kind == "stacked" { read_part() }
END {
	if (!all) nothing()
	else if (kind == "bar") end_bar()
	else if (kind == "line") end_line()
	else if (kind == "gantt") end_gantt()
	else if (kind == "hist") end_hist()
	else if (kind == "share") end_share()
	else if (kind == "stacked") end_stacked()
	if (missing && !failed)
		not_shown(plural(missing, "record") " without " \
			(kind == "gantt" ? "ts" : chosen == "" ? field : chosen), missing)
	if (strange)
		not_shown(plural(strange, "record") " in which " key " is not a number", strange)
	if (negative)
		not_shown(plural(negative, "negative part"), negative)
	close("cat >&2")
	exit failed + 0
}

# Splits `field` at commas. A comma after a backslash is part of a name.
function split_fields(    s, i) {
	s = field
	gsub(/\\,/, "\001", s)
	fields = split(s, field_name, ",")
	for (i = 1; i <= fields; i++)
		gsub(/\001/, ",", field_name[i])
}

# --- records

# Returns the value of the current record: the first number in its fields, which begin in the cell `first`; "" if no
# field is a number.
function value_at(first,    i) {
	for (i = first; i < first + fields; i++)
		if (number($i)) {
			if (chosen == "") {
				chosen = field_name[i - first + 1]
				sort = sort_of(head[i])
			}
			return $i
		}
	missing++
	return ""
}
# Returns the unit in which a column is drawn. It depends on the unit that ndjson2table, groupby or stats wrote in
# `name`.
function sort_of(name) {
	return name ~ /_ns([_\/]|$)/ ? "us" : name ~ /_B([_\/]|$)/ ? "MB" : name ~ /(^|_)share$/ ? "%" : ""
}
function number(s) {
	return s ~ /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/ && s + 0 < 1e300 && s + 0 > -1e300
}
# Returns the keys of the current record, in the cells from `from` to `to`, joined into one text.
function joined(from, to,    i, s) {
	for (i = from; i <= to; i++)
		s = s (i > from ? " / " : "") ($i == "" ? "(none)" : $i)
	return s
}

# --- messages

function tell(s) {
	print "plot: " s | "cat >&2"
}
function not_shown(what, n) {
	tell(what (n == 1 ? " is" : " are") " not shown")
}
function plural(n, s) {
	return n " " s (n == 1 ? "" : "s")
}
# Called if nothing is shown. If there are no records, draws an empty picture, so that the file exists and can be
# opened. If there are records but none has the value, this is an error.
function nothing() {
	if (missing) {
		if (fields > 1 || kind == "gantt")
			tell("no record has " (kind == "gantt" ? "ts" : "a number in " field))
		failed = 2
		return
	}
	tell("no records" (kind == "hist" ? " with a number in " field : "") ": the picture is empty")
	begin_page(letters ? columns : 900, letters ? 5 : 120)
	heading(kind)
	say("no records", page_width / 2, page_height / 2, "center", 12)
	print "unset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\nset margins 0,0,0,0\nplot 2 notitle"
}
