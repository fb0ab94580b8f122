# page.awk: the parts that all pictures have: size, texts and boxes, title, axes and legend.
#
# Positions are measured from the upper left corner of the page, in pixels, or with -T in columns and lines; px is a
# font size.
#
# Sets:
#	page_width page_height	the size of the page: begin_page()
#	default_width		the width of a page without --size
#	upper			the upper edge of the area within the axes, below the title
#	palette[] colours	the colours of parts or lines, and their number
#	hex[]			the value of a hexadecimal digit
#	boxes_of_colours	the style of boxes whose last column is their colour
#	legend_lines legend_step	the number of lines of the legend, and the width of its columns
# Reads variables that a kind sets before it calls these functions:
#	left right lower	the other edges of the area within the axes
#	row_height		the height of a bar, a group or a row of a timeline
#	legend_text[] legend_colour[]	the entries of the legend
# Also reads the options, letters, columns, unit and per.

BEGIN {
	default_width = letters ? columns : kind == "gantt" ? 1000 : 900
	upper = letters ? 2 : 38
	for (i = 0; i < 16; i++)
		hex[sprintf("%x", i)] = i
	boxes_of_colours = "with boxxyerror lc rgb variable fs solid noborder"
	# The colours of Okabe and Ito, which colour-blind people can distinguish. The further colours differ from these
	# and from the grey of `(other)`, also for people with red-green blindness.
	colours = split("#0072b2 #e69f00 #009e73 #cc79a7 #56b4e9 #d55e00 #f0e442 " \
		"#000066 #99ff99 #333300 #0000ff #000000", palette, " ")
}

# Begins a page of width w and height h, or of the size of --size. With -T, the page is at least as high as its rows
# need.
function begin_page(w, h,    side) {
	if (size != "") {
		split(size, side, "x")
		w = side[1]
		if (!letters || !row_height || side[2] + 0 > h)
			h = side[2]
	}
	page_width = w
	page_height = h
	print "set encoding utf8"
	if (letters)
		print "set terminal dumb noenhanced size " w "," h
	else if (ending == "pdf")
		paper("pdfcairo fontscale 0.75", w / 96 "in," h / 96 "in", 9)
	else if (ending == "png")
		paper("pngcairo", w "," h, 9)
	else
		paper("svg", w "," h, 12)
	print "unset key"
}
function paper(terminal, wide, points) {
	print "set terminal " terminal " noenhanced background rgb \"white\" font \"sans-serif," points "\" size " wide
}

# --- texts and boxes

function at(x, y) {
	return sprintf("screen %.6f,%.6f", x / page_width, 1 - y / page_height)
}
function say(s, x, y, align, px, colour) {
	printf "set label %s at %s %s%s front", quoted(s), at(x, y), align, font(px)
	print (colour && !letters ? " tc rgb \"" colour "\"" : "")
}
function middle(row) {
	return upper + row_height * (row - 0.5)
}
# Writes the text s to the left of a row.
function say_beside(row, s, px) {
	say(s, left - (letters ? 1 : 8), middle(row), "right", px)
}
function font(px) {
	return letters ? "" : " font \"," font_size(px) "\""
}
function font_size(px) {
	return ending == "svg" ? px : px * 0.75
}
# Returns the largest font size that fits into a row.
function row_font() {
	return row_height >= 20 ? 12 : row_height >= 16 ? 11 : row_height >= 13 ? 10 : row_height >= 10 ? 8 : 6
}
# Returns the unit in which the widths of texts are measured.
function em(px) {
	return letters ? 1 : px
}
function box(x, y, w, h, colour) {
	print "set object rectangle from " at(x, y + h) " to " at(x + w, y) " fc rgb '" colour "' fs solid noborder"
}
# Prints data from which gnuplot draws a box in a row, or with -T a line. The last column is the colour of the box.
function draw_span(from, to, row, colour) {
	if (letters)
		printf "%.12g %s\n%.12g %s\n\n", from, row, to, row
	else
		printf "%.12g %s %.12g%s\n", from, row, to, colour
}
# Returns a colour in the form that gnuplot reads in data.
function number_of(colour) {
	return "0x" substr(colour, 2)
}
# Returns black or white, whichever is readable on this colour.
function ink(colour,    r, g, b) {
	r = hex[substr(colour, 2, 1)]
	g = hex[substr(colour, 4, 1)]
	b = hex[substr(colour, 6, 1)]
	return 0.3 * r + 0.59 * g + 0.11 * b > 8 ? "#000000" : "#ffffff"
}

# --- title and axes

function heading(automatic,    s) {
	s = seen(has_title ? title : automatic)
	if (s == "")
		return
	if (letters)
		say(fit(s, page_width - 2), 1, 0.5, "left")
	else
		say(fit(s, (page_width - 24) / 14.5), 12, 20, "left", 14)
}
# Sets the position of the axes: the horizontal axis is at `bottom`.
function frame(bottom) {
	printf "set lmargin at screen %.6f\n", left / page_width
	printf "set rmargin at screen %.6f\n", right / page_width
	printf "set tmargin at screen %.6f\n", 1 - upper / page_height
	printf "set bmargin at screen %.6f\n", 1 - bottom / page_height
	if (letters) {
		if (kind != "line")
			print "set border 0\nset xtics nomirror scale 0"
	} else {
		print "set border 3 lw 1 lc rgb '#888888'"
		print "set tics nomirror out scale 0.5 tc rgb 'black'" font(11)
	}
}
# Draws the horizontal axis: its ticks, its grid and its title.
function across(from, to, what,    n) {
	if (to <= from)
		to = from + 1
	printf "set xrange [%.10g:%.10g]\n", from, to
	n = int((letters ? page_width / 14 : (page_width - 200) / 90))
	printf "set xtics %.10g\n", round_up((to - from) / (n > 10 ? 10 : n < 2 ? 2 : n))
	print "set format x '%.10g'"
	if (!letters)
		print "set grid xtics lc rgb '#dddddd' lt 1 lw 0.5"
	if (letters)
		print "set xlabel " quoted(what)
	else
		printf "set label %s at graph 0.5, screen %.6f center%s\n", quoted(what), \
			1 - (lower + 40) / page_height, font(12)
}
# Writes the title of the vertical axis.
function upright(what) {
	printf "set label %s at screen %.6f, graph 0.5 center rotate%s\n", quoted(what), \
		(letters ? 0 : 20 / page_width), font(12)
}
# Draws no vertical axis, but numbers the rows downwards from 1.
function downward(n) {
	printf "set yrange [%g:0.5]\nunset ytics\n", n + 0.5 + (letters ? 1 / row_height : 0)
}

# --- the legend: the meaning of the colours, in as many columns as fit

# Returns the height of a legend with n entries on a page of this width.
function legend_height(n, page,    i, most, fitting) {
	most = 0
	for (i = 1; i <= n; i++)
		most = wider(most, seen(legend_text[i]))
	most = most * em(11) + (letters ? 4 : 32)
	page -= letters ? 2 : 28
	fitting = int(page / most)
	fitting = fitting < 1 ? 1 : fitting > n ? n : fitting
	legend_lines = int((n + fitting - 1) / fitting)
	legend_step = fitting > 1 ? most : page
	return legend_lines * (letters ? 1 : 18)
}
function legend(n, y,    i, s, x, line) {
	legend_height(n, page_width)
	for (i = 1; i <= n; i++) {
		s = fit(seen(legend_text[i]), (legend_step - (letters ? 4 : 32)) / em(11))
		x = (letters ? 1 : 14) + int((i - 1) / legend_lines) * legend_step
		line = (i - 1) % legend_lines
		if (letters) {
			say(mark(i) " " s, x, y + line + 0.5, "left")
			continue
		}
		box(x, y + line * 18 + 3, 12, 12, legend_colour[i])
		say(s, x + 18, y + line * 18 + 9, "left", 11)
	}
}
# Returns the character that gnuplot uses for a line in a terminal.
function mark(i) {
	return substr("*#$%@&=", (i - 1) % 7 + 1, 1)
}
