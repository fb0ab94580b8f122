# text.awk: prepares texts for drawing: makes them visible, measures them, cuts them to fit, quotes them for gnuplot.
# Also prints numbers with their units.
#
# Sets:
#	unit per	the unit of values, and its size: choose_unit()
#	ellipsis	the mark in place of the middle of a cut text
#	code[]		the number of a byte
#	unit_worth[]	the size of a unit
#	origin...	the first ts, which since_first() stores
# Reads: letters.

BEGIN {
	ellipsis = letters ? "~" : "\342\200\246"
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	n = split("ns 1 us 1e3 ms 1e6 s 1e9 B 1 kB 1e3 MB 1e6 GB 1e9 KiB 1024 MiB 1048576 GiB 1073741824", pair, " ")
	for (i = 1; i < n; i += 2)
		unit_worth[pair[i]] = pair[i + 1] + 0
}

# --- texts; UTF-8 characters are counted by their first bytes

# Returns the visible form of a text: a control character becomes \x1b or the like, and U+FFFD replaces characters that
# XML does not allow.
function seen(s,    c) {
	gsub(/\\\\/, "\\", s)
	while (match(s, /[\001-\037\177]/)) {
		c = substr(s, RSTART, 1)
		s = substr(s, 1, RSTART - 1) sprintf("\\x%02x", code[c]) substr(s, RSTART + 1)
	}
	gsub(/\357\277[\276\277]/, "\357\277\275", s)
	return s
}
# Returns the approximate width of a text, in ems of a wide sans serif font. Counts the first bytes of characters;
# narrow and wide characters have their own widths, and Asian characters are 1 em wide. With -T, returns the number of
# characters.
function width(s,    n, narrow, broad, asian) {
	gsub(/[\200-\277]/, "", s)
	asian = gsub(/[\343-\355\360]/, "", s)
	n = length(s)
	if (letters)
		return n + 2 * asian
	narrow = gsub(/[][ijltfrI|!.,:;(){}\/\\" -]/, "", s)
	broad = gsub(/[mwMW@%]/, "", s)
	return 0.42 * narrow + 0.95 * broad + 0.65 * (n - narrow - broad) + asian
}
# Returns the width of a text, or `most`, the maximum so far, if that is larger.
function wider(most, s,    w) {
	w = width(s)
	return w > most ? w : most
}
# Returns a text that fits into the width `most`: if it is too long, an ellipsis replaces its middle.
function fit(s, most,    n, i, c, head, tail, chars) {
	if (length(s) > 610)
		s = brief(s)
	else if (width(s) <= most + 0.001)
		return s
	n = 0
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c !~ /[\200-\277]/)
			n++
		chars[n] = c ~ /[\200-\277]/ ? chars[n] c : c
	}
	head = tail = ""
	for (i = 1; 2 * i <= n; i++) {
		if (width(head chars[i] ellipsis tail) > most)
			break
		head = head chars[i]
		if (width(head ellipsis chars[n + 1 - i] tail) > most)
			break
		tail = chars[n + 1 - i] tail
	}
	return head ellipsis tail
}
# Returns the beginning and the end of a long text. The middle is not stored, because it is never visible.
function brief(s) {
	if (length(s) <= 600)
		return s
	return whole_head(substr(s, 1, 300)) ellipsis whole_tail(substr(s, length(s) - 299))
}
function whole_head(s) {
	sub(/[\300-\377][\200-\277]*$/, "", s)
	return s
}
function whole_tail(s) {
	sub(/^[\200-\277]+/, "", s)
	return s
}
# Returns a text as a gnuplot string. Quotes are written in octal, and so are backquotes, because gnuplot would run
# their contents as a command.
function quoted(s) {
	gsub(/\\/, "\\134", s)
	gsub(/"/, "\\042", s)
	gsub(/'/, "\\047", s)
	gsub(/`/, "\\140", s)
	return "\"" s "\""
}

# --- units

# Sets `unit` to the unit for values up to `most`, and `per` to its size.
function choose_unit(sort, asked, most,    i, n, names, worth) {
	if (asked) {
		unit = asked
		per = unit_worth[asked]
		return
	}
	if (sort == "%") {
		unit = "%"
		per = 0.01
		return
	}
	if (sort == "" && most < 1e5) {
		unit = ""
		per = 1
		return
	}
	n = split(sort == "us" ? "ns us ms s" : sort == "MB" ? "B kB MB GB" : \
		"- thousands millions billions", names, " ")
	worth = 1
	for (i = 1; i < n && most >= 1000 * worth; i++)
		worth *= 1000
	unit = names[i] == "-" ? "" : names[i]
	per = worth
}
# Returns a number as readable text, with at least three digits unless it is an integer.
function figure(v,    a) {
	a = v < 0 ? -v : v
	if (a >= 1e6)
		return sprintf("%.3g", v)
	if (per == 1 && v == int(v))
		return sprintf("%d", v)
	return sprintf(a >= 99.95 ? "%.0f" : a >= 9.995 ? "%.1f" : a >= 0.9995 ? "%.2f" : a ? "%#.3g" : "%d", v)
}
# Returns a value with its unit.
function amount(v) {
	return figure(v / per) (unit ? " " unit : "")
}
function with_unit(name) {
	return name (unit ? " (" unit ")" : "")
}
# Returns the smallest round number that is not less than v: 1, 2 or 5 times a power of ten.
function round_up(v,    p) {
	for (p = 1; p < v; p *= 10)
		continue
	for (; p / 10 >= v; p /= 10)
		continue
	return p / 5 >= v ? p / 5 : p / 2 >= v ? p / 2 : p
}
# Returns the time since the first ts. The difference is exact, although a ts that counts ns since 1970 has more digits
# than awk's numbers.
function since_first(t,    n, high, low) {
	if (t ~ /[^-0-9]/)
		return t - (origin == "" ? (origin = t) : origin)
	n = length(t) - 9
	high = n > 0 ? substr(t, 1, n) : 0
	low = n > 0 ? substr(t, n + 1) : t
	if (high < 0 || high == "-")
		low = -low
	if (high == "-")
		high = 0
	if (origin == "") {
		origin = t
		origin_high = high
		origin_low = low
	}
	return (high - origin_high) * 1e9 + (low - origin_low)
}
