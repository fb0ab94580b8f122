# parts.awk: reads the parts of a whole (for share) or of groups (for stacked), and chooses their order and colours,
# also for timelines. Also draws the kind share.
#
# A record has the cells [FACET], [GROUP], PART..., VALUE...; share has no groups.
#
# read_part() sets:
#	parts part_list[] part_sum[]	the parts in the order read, and the sum of each part
#	whole				the sum of all parts
#	panels panel_list[] panel_sum[]	the panels; without --facet, one panel
#	groups group_list[] group_panel[] group_sum[PANEL, GROUP]	the groups, and the panel of each group
#	cell[PANEL, GROUP, PART]	the sum of a part in a group
# rank_parts() sets:
#	ranks rank_sum[]	the ranks that are shown; the last rank may be the sum of all other parts
#	rank_name[] part_rank[]	the parts in the order of their ranks; the rank of each part
#	legend_text[] legend_colour[]
# end_share() sets:
#	rank_note[]		the percentage of a rank; with -T, the variables of bars.awk
# Reads: facet, key, top, sort, asked_unit; per, page_width, page_height, palette[], colours.

function read_part(    name, group, panel, v) {
	v = value_at(NF - fields + 1)
	if (v == "")
		return
	if (v + 0 <= 0) {
		negative += v < 0
		return
	}
	all++
	panel = facet == "" ? "" : joined(1, 1)
	group = kind == "share" || NF - fields - (facet != "") < 2 ? "" : joined(1 + (facet != ""), 1 + (facet != ""))
	name = joined(1 + (facet != "") + (group != ""), NF - fields)
	if (!(name in part_sum))
		part_list[++parts] = name
	part_sum[name] += v
	whole += v
	if (kind == "share")
		return
	if (!(panel in panel_sum))
		panel_list[++panels] = panel
	panel_sum[panel] += v
	if (!((panel, group) in group_sum)) {
		group_list[++groups] = group
		group_panel[groups] = panel
	}
	group_sum[panel, group] += v
	cell[panel, group, name] += v
}
# Ranks the largest parts by their sums; all other parts share the last rank.
function rank_parts(most,    i) {
	ranks = parts > most + 1 ? most + 1 : parts
	sort_parts(parts > most + 1 ? most : parts)
	for (i = 1; i <= parts; i++) {
		part_rank[rank_name[i]] = i < ranks ? i : ranks
		rank_sum[i < ranks ? i : ranks] += part_sum[rank_name[i]]
	}
	for (i = 1; i <= ranks; i++) {
		legend_text[i] = i == ranks && parts > ranks ? "(" parts - ranks + 1 " others)" : rank_name[i]
		legend_colour[i] = i == ranks && parts > ranks ? "#bbbbbb" : palette[(i - 1) % colours + 1]
	}
}
# Writes to rank_name the `most` largest parts in descending order, then the other parts in any order.
function sort_parts(most,    i, j, p, kept, rest) {
	kept = 0
	rest = most
	for (i = 1; i <= parts; i++) {
		p = part_list[i]
		if (kept < most)
			kept++
		else if (part_sum[p] <= part_sum[rank_name[kept]]) {
			rank_name[++rest] = p
			continue
		} else
			rank_name[++rest] = rank_name[kept]
		for (j = kept; j > 1 && part_sum[rank_name[j - 1]] < part_sum[p]; j--)
			rank_name[j] = rank_name[j - 1]
		rank_name[j] = p
	}
}

# --- share

# Draws a circle, and a legend with the shares and sums. With -T, draws bars instead.
function end_share(    i, r, about) {
	rank_parts(top)
	choose_unit(sort, asked_unit, whole)
	about = chosen " by " key ": " amount(whole)
	for (i = 1; i <= ranks; i++)
		rank_note[i] = sprintf("%.1f %%", 100 * rank_sum[i] / whole)
	if (letters)
		return share_in_bars(about)
	i = 60 + ranks * 26
	begin_page(default_width, i < 360 ? 360 : i)
	r = (page_height - 70) / 2
	if (r > page_width * 0.22)
		r = page_width * 0.22
	if (r > 150)
		r = 150
	heading(about)
	print "unset border\nunset tics"
	# One unit of the axes is one pixel, so that circles are round.
	print "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\nset bmargin at screen 0"
	printf "set xrange [0:%d]\nset yrange [0:%d]\n", page_width, page_height
	draw_share(30 + r, page_height - 38 - (page_height - 50) / 2, r)
}
function share_in_bars(about,    i) {
	bars = ranks
	for (i = 1; i <= bars; i++) {
		bar_value[i] = rank_sum[i] / whole
		bar_name[i] = legend_text[i]
		bar_note[i] = rank_note[i]
	}
	sort = "%"
	asked_unit = ""
	draw_bars(about, "share of " chosen)
}
# Draws a circle with the centre cx, cy, measured from the lower left corner, and the names of its parts on the right.
function draw_share(cx, cy, r,    i, x, y, angle, end) {
	x = 2 * r + 70
	for (i = 1; i <= ranks; i++) {
		y = page_height - cy + (i - 0.5 - ranks / 2) * 26
		box(x, y - 8, 14, 14, legend_colour[i])
		say(rank_note[i], x + 76, y, "right", 12)
		say(fit(seen(legend_text[i]), (page_width - x - 190) / 12), x + 90, y, "left", 12)
		say(amount(rank_sum[i]), page_width - 14, y, "right", 12, "#666666")
	}
	print "set style fill solid border lc rgb 'white'"
	print "plot '-' using 1:2:3:4:5:6 with circles lc rgb variable title 'parts'"
	end = 90
	for (i = 1; i <= ranks; i++) {
		angle = end - 360 * rank_sum[i] / whole
		if (end - angle > 359.99)
			printf "%g %g %g 0 360 %s\n", cx, cy, r, number_of(legend_colour[i])
		else
			printf "%g %g %g %.6f %.6f %s\n", cx, cy, r, angle, end, number_of(legend_colour[i])
		end = angle
	}
	print "e"
}
