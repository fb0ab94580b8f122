# stacked.awk: kind stacked: draws a row for each group, in panels, with the parts of the group in percent. parts.awk
# reads the records and ranks the parts.
#
# Sets:
#	panel_line[] group_line[]	the row of the title of a panel, and the row of a group
#	group_text[]			the name of a group
#	group_whole[]			the sum of a group
#	stack[GROUP, RANK] stack_from[GROUP, RANK]	the percentage of a rank in a group, and where it begins
#	left right lower row_height	the area in which page.awk draws
# Reads: facet, key, top, sort, asked_unit; everything that parts.awk sets; upper, page_width, page_height.

function end_stacked(    lines, n, names) {
	if (groups > 1000) {
		tell(groups " groups are too many for a picture: at most 1000")
		failed = 2
		return
	}
	rank_parts(top)
	sort_groups()
	choose_unit(sort, asked_unit, whole)
	lines = number_lines()
	place_groups(lines)
	n = split(key, names, ",")
	heading(chosen " of " (n > 1 ? names[2] " in " names[1] : key))
	frame(lower + letters)
	if (!letters)
		print "set border 1"
	across(0, 100, "share of " chosen " (%)")
	downward(lines)
	legend(ranks, lower + (letters ? 4 : 62))
	name_groups()
	plot_parts()
}
# Sorts the panels by their sums, and the groups in each panel.
function sort_groups(    i, j, p, g) {
	for (i = 2; i <= panels; i++) {
		p = panel_list[i]
		for (j = i; j > 1 && panel_sum[panel_list[j - 1]] < panel_sum[p]; j--)
			panel_list[j] = panel_list[j - 1]
		panel_list[j] = p
	}
	for (i = 2; i <= groups; i++) {
		g = group_list[i]
		p = group_panel[i]
		for (j = i; j > 1 && group_sum[group_panel[j - 1], group_list[j - 1]] < group_sum[p, g]; j--) {
			group_list[j] = group_list[j - 1]
			group_panel[j] = group_panel[j - 1]
		}
		group_list[j] = g
		group_panel[j] = p
	}
	for (i = 1; i <= groups; i++)
		group_whole[i] = group_sum[group_panel[i], group_list[i]]
}
# Gives a row to each title of a panel and to each group. Returns the number of rows.
function number_lines(    i, j, lines) {
	lines = 0
	for (i = 1; i <= panels; i++) {
		if (facet != "")
			panel_line[i] = lines + 0.5
		lines += facet != "" ? (letters ? 1 : 1.1) : 0
		for (j = 1; j <= groups; j++)
			if (group_panel[j] == panel_list[i])
				group_line[j] = ++lines
		lines += facet != "" && i < panels ? (letters ? 1 : 0.3) : 0
	}
	return lines
}
# Sets the layout of the page, which depends on the widths of the names on the left and the sums on the right.
function place_groups(lines,    j, most, room, tall) {
	most = room = 0
	for (j = 1; j <= groups; j++) {
		group_text[j] = fit(seen(group_list[j]), (letters ? columns * 0.3 : 300) / em(12))
		most = wider(most, group_text[j])
		room = wider(room, amount(group_whole[j]))
	}
	row_height = letters ? 1 : lines > 40 ? 18 : 28
	tall = legend_height(ranks, default_width)
	begin_page(default_width, int(upper + row_height * lines + (letters ? 4 : 64) + tall + (letters ? 0 : 8)))
	if (size != "")
		row_height = (page_height - upper - tall - (letters ? 4 : 72)) / lines
	left = most * em(12) + (letters ? 2 : 20)
	right = page_width - room * em(11) - (letters ? 2 : 24)
	lower = upper + row_height * lines
}
# Writes the titles of panels, the name and the sum of each group, and the percentage of each part that has room for it.
function name_groups(    i, j, row) {
	for (i = 1; i <= panels && facet != ""; i++)
		say(fit(seen(panel_list[i]), (right - 14) / em(13)), letters ? 1 : 14, \
			upper + row_height * (panel_line[i] + (letters ? 0 : 0.1)), "left", 13)
	for (j = 1; j <= groups; j++) {
		row = group_line[j]
		say_beside(row, group_text[j], row_height < 20 ? 11 : 12)
		say(amount(group_whole[j]), page_width - (letters ? 1 : 12), middle(row), "right", 11, "#666666")
		stack_group(j)
	}
}
function stack_group(j,    k, from, room, note) {
	for (k = 1; k <= ranks; k++)
		stack[j, k] = 0
	for (k = 1; k <= parts; k++)
		stack[j, part_rank[rank_name[k]]] += cell[group_panel[j], group_list[j], rank_name[k]]
	from = 0
	for (k = 1; k <= ranks; k++) {
		stack_from[j, k] = from
		from += 100 * stack[j, k] / group_whole[j]
		note = sprintf("%.0f%%", 100 * stack[j, k] / group_whole[j])
		room = stack[j, k] / group_whole[j] * (right - left) - 6
		if (!letters && row_height >= 16 && room > width(note) * 11)
			say(note, left + (stack_from[j, k] + from) / 200 * (right - left), middle(group_line[j]), \
				"center", 11, ink(legend_colour[k]))
	}
}
# Draws one set of boxes for each part, so that each part is one group of shapes in the SVG.
function plot_parts(    j, k, style, from) {
	style = "1:2:1:3:($2-0.4):($2+0.4) with boxxyerror fs solid border lc rgb \"white\"" \
		" fc rgb \"%s\" title \"part\""
	for (k = 1; k <= ranks; k++)
		printf "%s\"-\" using %s", (k == 1 ? "plot " : ", "), \
			(letters ? "1:2 with lines lt " (k - 1) % 7 + 1 : sprintf(style, legend_colour[k]))
	print ""
	for (k = 1; k <= ranks; k++) {
		for (j = 1; j <= groups; j++)
			if (stack[j, k] > 0) {
				from = stack_from[j, k]
				draw_span(from, from + 100 * stack[j, k] / group_whole[j], group_line[j], "")
			}
		print "e"
	}
}
