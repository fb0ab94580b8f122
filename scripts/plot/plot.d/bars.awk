# bars.awk: draws the kind bar, and with -T also the bars of share and hist.
#
# A record has the cells KEY..., VALUE..., [ERR].
#
# Sets the following variables. Other callers of draw_bars() set them themselves:
#	bars				the number of bars
#	bar_name[] bar_value[] bar_err[]	name, value and error of each bar, in the order in which they are drawn
#	bar_note[]			the text next to a bar, if it is not the value
#	bar_low bar_high		the limits of the axis
#	left right lower row_height	the area in which page.awk draws
# Reads: order, err, key, top, sort, asked_unit; unit, per, upper, page_width, page_height, palette[].

# Stores the largest `top` bars in descending order, equal bars in the order read. If `order` is "read", stores the
# first `top` bars.
function read_bar(    i, v) {
	v = value_at(NF - fields - (err != "") + 1)
	if (v == "")
		return
	all++
	if (order == "read") {
		if (bars < top)
			put_bar(++bars, v)
		return
	}
	if (bars == top && v + 0 <= bar_value[bars])
		return
	if (bars < top)
		bars++
	for (i = bars; i > 1 && bar_value[i - 1] < v + 0; i--) {
		bar_value[i] = bar_value[i - 1]
		bar_err[i] = bar_err[i - 1]
		bar_name[i] = bar_name[i - 1]
	}
	put_bar(i, v)
}
function put_bar(i, v) {
	bar_value[i] = v + 0
	bar_err[i] = err != "" && number($NF) ? $NF + 0 : ""
	bar_name[i] = brief(joined(1, NF - fields - (err != "")))
}
function end_bar(    s) {
	s = (all > bars ? (order == "read" ? "the first " : "the largest ") bars " of " all ": " : "") chosen " by " key
	draw_bars(s, chosen (err == "" ? "" : " ± " err))
}

# --- drawing

# Draws the bars. `automatic` is the title unless --title is given; `axis` says what the lengths of the bars mean.
function draw_bars(automatic, axis) {
	span_bars()
	choose_unit(sort, asked_unit, bar_high > -bar_low ? bar_high : -bar_low)
	place_bars()
	heading(automatic)
	frame(lower + letters)
	across(bar_low / per, bar_high / per, with_unit(axis))
	downward(bars)
	if (bar_low < 0)
		print "set arrow from 0,graph 0 to 0,graph 1 nohead lc rgb '#888888'"
	name_bars()
	if (letters)
		plot_lines()
	else
		plot_bars()
}
function span_bars(    i, v) {
	bar_low = bar_high = 0
	for (i = 1; i <= bars; i++) {
		v = bar_value[i] + bar_err[i]
		if (v > bar_high)
			bar_high = v
		v = bar_value[i] - bar_err[i]
		if (v < bar_low)
			bar_low = v
	}
}
# Sets the layout of the page: names on the left use up to 0.45 of the width; the longest bar leaves room for its
# number.
function place_bars(    i, most, room) {
	row_height = letters ? 1 : bars <= 12 ? 26 : bars <= 40 ? 21 : 16
	begin_page(default_width, upper + row_height * bars + (letters ? 4 : 54))
	if (size != "")
		row_height = (page_height - upper - (letters ? 4 : 54)) / bars
	most = room = 0
	for (i = 1; i <= bars; i++) {
		bar_name[i] = fit(seen(bar_name[i]), (page_width * 0.45 - (letters ? 1 : 20)) / em(row_font()))
		most = wider(most, bar_name[i])
		room = wider(room, bar_figure(i))
	}
	left = most * em(row_font()) + (letters ? 2 : 20)
	right = page_width - (letters ? 2 : 16)
	lower = upper + row_height * bars
	room = (room * em(row_font()) + (letters ? 2 : 12)) / (right - left)
	if (room > 0.5)
		room = 0.5
	bar_high = (bar_high - bar_low) / (1 - room) + bar_low
}
function bar_figure(i) {
	if (bar_note[i] != "")
		return bar_note[i]
	return figure(bar_value[i] / per) (letters && bar_err[i] != "" ? " ± " figure(bar_err[i] / per) : "")
}
# Writes the names to the left of the bars, and the numbers to the right of them.
function name_bars(    i, end, span) {
	span = bar_high - bar_low + (bar_high == bar_low)
	for (i = 1; i <= bars; i++) {
		say_beside(i, bar_name[i], row_font())
		end = bar_value[i] + bar_err[i]
		end = left + ((end > 0 ? end : 0) - bar_low) / span * (right - left)
		say(bar_figure(i), end + (letters ? 2.6 : 6), middle(i), "left", row_font())
	}
}
function plot_lines(    i) {
	print "plot '-' using 1:2 with lines lt 1 title 'bars'"
	for (i = 1; i <= bars; i++)
		printf "0 %d\n%.10g %d\n\n", i, bar_value[i] / per, i
	print "e"
}
function plot_bars(    i) {
	printf "plot \"-\" using (0):1:2:3:($1-0.38):($1+0.38):4 %s title \"bars\"", boxes_of_colours
	if (err != "")
		printf ", \"-\" using 1:2:3 with xerrorbars pt 0 lw 1.2 lc rgb \"#333333\" title \"deviations\""
	print ""
	for (i = 1; i <= bars; i++)
		printf "%d %.10g %.10g %s\n", i, (bar_value[i] < 0 ? bar_value[i] / per : 0), \
			(bar_value[i] > 0 ? bar_value[i] / per : 0), number_of(palette[1])
	print "e"
	if (err == "")
		return
	for (i = 1; i <= bars; i++)
		if (bar_err[i] != "")
			printf "%.10g %d %.10g\n", bar_value[i] / per, i, bar_err[i] / per
	print "e"
}
