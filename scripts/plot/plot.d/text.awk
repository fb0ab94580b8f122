# text.awk: texts as they are shown: what is seen of them, how wide they are, cut to fit, and quoted for gnuplot; and
# numbers with their units.
#
# Sets:
#	unit per	the unit of values, and what it is worth: choose_unit()
#	ellipsis	what stands for the left out middle of a text
#	code[]		of a byte, its number
#	unit_worth[]	of the name of a unit
#	origin...	the first ts, of which since_first() keeps count
# Reads: letters.

BEGIN {
	ellipsis = letters ? "~" : "\342\200\246"
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	n = split("ns 1 us 1e3 ms 1e6 s 1e9 B 1 kB 1e3 MB 1e6 GB 1e9 KiB 1024 MiB 1048576 GiB 1073741824", pair, " ")
	for (i = 1; i < n; i += 2)
		unit_worth[pair[i]] = pair[i + 1] + 0
}

# --- texts; a character of UTF-8 is a byte that begins it

# What is seen of a text: controls as \x1b, and of what XML has no place for, U+FFFD.
function seen(s,    c) {
	gsub(/\\\\/, "\\", s)
	while (match(s, /[\001-\037\177]/)) {
		c = substr(s, RSTART, 1)
		s = substr(s, 1, RSTART - 1) sprintf("\\x%02x", code[c]) substr(s, RSTART + 1)
	}
	gsub(/\357\277[\276\277]/, "\357\277\275", s)
	return s
}
# About how wide a text is, in ems of a sans serif that runs wide: bytes that begin a character, narrow ones and
# wide ones apart; Asian ones are an em. With -T, characters.
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
# The width of a text, or what was the most so far.
function wider(most, s,    w) {
	w = width(s)
	return w > most ? w : most
}
# A text that is no wider, its middle left out.
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
# As much of a text as anybody sees, and is kept.
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
# As a string of gnuplot: quotes, and the `...` that it would run, are in octal.
function quoted(s) {
	gsub(/\\/, "\\134", s)
	gsub(/"/, "\\042", s)
	gsub(/'/, "\\047", s)
	gsub(/`/, "\\140", s)
	return "\"" s "\""
}

# --- units

# The unit for values up to most, and what it is worth.
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
# A number as people read it, three digits at least.
function figure(v,    a) {
	a = v < 0 ? -v : v
	if (a >= 1e6)
		return sprintf("%.3g", v)
	if (per == 1 && v == int(v))
		return sprintf("%d", v)
	return sprintf(a >= 99.95 ? "%.0f" : a >= 9.995 ? "%.1f" : a >= 0.9995 ? "%.2f" : a ? "%#.3g" : "%d", v)
}
# A value and its unit.
function amount(v) {
	return figure(v / per) (unit ? " " unit : "")
}
function with_unit(name) {
	return name (unit ? " (" unit ")" : "")
}
# The least round number from v on: 1, 2, 5 times a power of ten.
function round_up(v,    p) {
	for (p = 1; p < v; p *= 10)
		continue
	for (; p / 10 >= v; p /= 10)
		continue
	return p / 5 >= v ? p / 5 : p / 2 >= v ? p / 2 : p
}
# ts of today has more digits than a number of awk keeps: the difference to the first one is exact.
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
