# hist.awk: kind hist: draws the bins of stats --hist next to each other, or with -T as bars.
#
# A line has the cells FIELD, FROM, TO, COUNT; a line without COUNT stands for records without the value.
#
# Sets:
#	bins bin_from[] bin_to[] bin_count[]
#	bin_most	the maximum count
#	edge[]		the texts at the edges of bins, from 0
#	edge_width	the maximum width of these texts
#	left right lower	the area in which page.awk draws; with -T, the variables of bars.awk
# Reads: field_name[], sort, asked_unit; unit, per, page_width, page_height, palette[].

function read_bin() {
	if ($4 == "") {
		missing++
		return
	}
	bins++
	bin_from[bins] = $2 + 0
	bin_to[bins] = $3 + 0
	bin_count[bins] = $4 + 0
	if (bin_count[bins] > bin_most)
		bin_most = bin_count[bins]
	all += $4
	chosen = field_name[1]
}
# All bins are drawn with the same width, so edges that grow in steps of 1 2 5 10 form a logarithmic axis.
function end_hist(    about) {
	name_edges()
	about = plural(all, "record") " by " chosen
	if (letters)
		return hist_in_bars(about)
	begin_page(default_width, 400)
	left = 86
	right = page_width - 24
	lower = page_height - 56
	heading(about)
	frame(lower)
	across(0, bins, with_unit(chosen))
	mark_edges()
	printf "set yrange [0:%g]\nset format y '%%.10g'\n", bin_most * 1.1
	if (bin_most < 5)
		print "set ytics 1"
	print "set grid noxtics ytics lc rgb '#dddddd' lt 1 lw 0.5"
	upright("records")
	plot_bins()
}
# If the values span many decades, each edge has its own unit, and the axis has no unit.
function name_edges(    i, v, each) {
	v = bin_to[bins] > -bin_from[1] ? bin_to[bins] : -bin_from[1]
	choose_unit(sort, asked_unit, v)
	each = sort != "" && asked_unit == "" && bins > 1 && bin_to[bins] > 1000 * bin_to[1]
	edge_width = 0
	for (i = 0; i <= bins; i++) {
		v = i ? bin_to[i] : bin_from[1]
		if (each)
			choose_unit(sort, "", v < 0 ? -v : v)
		edge[i] = sprintf("%.6g", v / per) (each && unit ? " " unit : "")
		edge_width = wider(edge_width, edge[i])
	}
	if (each)
		unit = ""
}
function hist_in_bars(about,    i) {
	for (i = 1; i <= bins; i++) {
		bar_name[i] = edge[i - 1] " to " edge[i] (unit ? " " unit : "")
		bar_value[i] = bar_note[i] = bin_count[i]
	}
	bars = bins
	sort = asked_unit = ""
	draw_bars(about, "records")
}
# Labels as many edges as there is room for.
function mark_edges(    i, every) {
	every = int((edge_width * 11 + 14) / ((right - left) / bins)) + 1
	printf "set xtics ("
	for (i = 0; i <= bins; i += every)
		printf "%s'%s' %d", i ? "," : "", edge[i], i
	print ")"
}
function plot_bins(    i) {
	for (i = 1; i <= bins && bins <= 24; i++)
		if (bin_count[i])
			printf "set label \"%d\" at first %g,%d center offset 0,0.6%s\n", \
				bin_count[i], i - 0.5, bin_count[i], font(11)
	printf "plot \"-\" using 1:2:($1-0.48):($1+0.48):(0):2:3 %s title \"bins\"\n", boxes_of_colours
	for (i = 1; i <= bins; i++)
		if (bin_count[i])
			printf "%g %d %s\n", i - 0.5, bin_count[i], number_of(palette[1])
	print "e"
}
