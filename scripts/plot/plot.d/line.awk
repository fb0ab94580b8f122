# line.awk: kind line: plots values against a number or a time, with one line for each colour; thins large numbers of
# points.
#
# A record has the cells X, VALUE..., [COLOUR...], and records are in the order of X.
#
# Sets:
#	x_is_time	whether x is a time, which is drawn relative to the first one
#	points point_x[] point_y[] point_line[]	the points in the order of X, and the line of each point
#	lines line_name[] line_number[]		the lines in the order read; the number of each name
#	left right lower, legend_text[] legend_colour[]	for page.awk
# Reads: key, colour, zoom, limit, sort, key_sort, asked_unit; unit, per, page_width, page_height, palette[], colours.

BEGIN {
	x_is_time = key ~ /(^|\.)(ts|end)(\/[0-9.]+[a-z]*)?$/
}

function read_point(    v, x, s) {
	v = value_at(2)
	if (v == "")
		return
	x = $1
	if (!number(x)) {
		strange++
		return
	}
	all++
	x = x_is_time ? since_first(x) : x + 0
	s = colour == "" ? "" : joined(2 + fields, NF)
	if (!(s in line_number)) {
		if (lines == 100) {
			left_out++
			return
		}
		line_name[++lines] = s
		line_number[s] = lines
	}
	points++
	point_x[points] = x
	point_y[points] = v + 0
	point_line[points] = line_number[s]
	if (points >= limit)
		thin_points()
}
# Keeps the first, minimum, maximum and last point of each line in each column of pixels.
function thin_points(    i, n, place, span, kept, low, high, first, last) {
	span = point_x[points] - point_x[1]
	if (span <= 0)
		span = 1
	for (i = 1; i <= points; i++) {
		place = point_line[i] SUBSEP int((point_x[i] - point_x[1]) / span * 1000)
		if (!(place in first))
			first[place] = low[place] = high[place] = i
		last[place] = i
		if (point_y[i] < point_y[low[place]])
			low[place] = i
		if (point_y[i] > point_y[high[place]])
			high[place] = i
	}
	for (place in first)
		kept[first[place]] = kept[low[place]] = kept[high[place]] = kept[last[place]] = 1
	n = 0
	for (i = 1; i <= points; i++)
		if (i in kept) {
			point_x[++n] = point_x[i]
			point_y[n] = point_y[i]
			point_line[n] = point_line[i]
		}
	thinned = 1
	points = n
	if (points > limit / 2)
		limit *= 2
}

# --- drawing

function end_line(    i, x0, x1, y_per) {
	if (thinned) {
		thin_points()
		tell(all " points are thinned to " points \
			": each column of pixels shows its minimum and maximum")
	}
	if (left_out) {
		tell("only the first 100 lines are shown; " plural(left_out, "record") " skipped")
		failed = 1
	}
	for (i = 1; i <= lines; i++) {
		legend_text[i] = line_name[i]
		legend_colour[i] = palette[(i - 1) % colours + 1]
	}
	place_line()
	heading(chosen " over " (key == "ts" ? "time" : key) (thinned ? ", thinned" : ""))
	frame(lower)
	y_per = upwards()
	x0 = point_x[1]
	x1 = point_x[points]
	choose_unit(key_sort, "", (x1 > -x0 ? x1 : -x0))
	across(x0 / per, x1 / per, with_unit(x_is_time ? "time since the first" : key))
	if (x1 == x0)
		printf "set xrange [%.10g:%.10g]\n", x0 / per - 1, x0 / per + 1
	if (!letters)
		print "set grid xtics ytics lc rgb '#dddddd' lt 1 lw 0.5"
	if (colour != "")
		legend(lines, lower + (letters ? 3 : 60))
	plot_points(y_per)
}
function place_line(    tall) {
	tall = colour == "" ? 0 : legend_height(lines, default_width) + (letters ? 1 : 10)
	begin_page(default_width, (letters ? 24 : 400) + tall)
	left = letters ? 10 : 86
	right = page_width - (letters ? 2 : 24)
	lower = page_height - tall - (letters ? 3 : 56)
}
# Draws the vertical axis, which begins at 0, or with --zoom at the minimum. Returns the size of its unit.
function upwards(    i, low, high, span) {
	low = high = point_y[1]
	for (i = 1; i <= points; i++) {
		if (point_y[i] < low) low = point_y[i]
		if (point_y[i] > high) high = point_y[i]
	}
	if (!zoom && low > 0)
		low = 0
	if (!zoom && high < 0)
		high = 0
	choose_unit(sort, asked_unit, high > -low ? high : -low)
	upright(with_unit(chosen))
	span = high - low
	if (span == 0)
		span = high == 0 || zoom ? per : high
	low -= zoom || low < 0 ? 0.05 * span : 0
	high += 0.06 * span
	printf "set yrange [%.10g:%.10g]\n", low / per, high / per
	print "set format y '%.6g'"
	return per
}
function plot_points(y_per,    i, k, style) {
	style = points > 80 * lines ? "lines" : "linespoints pt 7 ps " (ending == "svg" ? 0.5 : 0.6)
	style = style " lw " (points <= 3000 ? 1.6 : 1)
	for (k = 1; k <= lines; k++)
		printf "%s\"-\" using 1:2 with %s lc rgb \"%s\" title \"line\"", (k == 1 ? "plot " : ", "), \
			(letters ? "linespoints lt " k % 7 " pt " k : style), legend_colour[k]
	print ""
	for (k = 1; k <= lines; k++) {
		for (i = 1; i <= points; i++)
			if (point_line[i] == k)
				printf "%.12g %.10g\n", point_x[i] / per, point_y[i] / y_per
		print "e"
	}
}
