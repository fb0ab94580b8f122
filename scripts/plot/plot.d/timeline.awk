# timeline.awk: kind gantt: draws a box for each record, in the lane (row) of its device and stream, of its thread or of
# its depth, or in a separate lane; thins large numbers of boxes.
#
# A record has the cells TS, DUR, COLOUR, [PID, TID, [DEPTH] | DEVICE, STREAM], LABEL...
#
# Sets:
#	boxes box_from[] box_long[] box_lane[] box_part[] box_text[]	the boxes: start, length, lane, part (which has
#			the colour), text
#	time_low time_high	the first start and the last end of the boxes
#	lanes lane_text[] lane_number[]	the lanes; the keys of each lane, later its name; the number of a lane by its keys
#	lane_shown[]		the name of a lane as it is drawn
#	time_scale		pixels for one unit of time
#	left right lower row_height	the area in which page.awk draws
# Also sets parts, part_list[] and part_sum[]; parts.awk ranks these parts.
# Reads: rows, colour, top, limit, asked_unit; ranks, part_rank[], legend_colour[]; per, upper, page_width, page_height.

function read_box(    x, s) {
	if (!number($1)) {
		missing++
		return
	}
	all++
	x = since_first($1)
	s = lane_of_record()
	if (!s) {
		left_out++
		return
	}
	boxes++
	box_lane[boxes] = s
	box_from[boxes] = x
	box_long[boxes] = number($2) && $2 > 0 ? $2 + 0 : 0
	s = $3 == "" ? "(none)" : brief($3)
	if (!(s in part_sum))
		part_list[++parts] = s
	part_sum[s] += box_long[boxes]
	box_part[boxes] = s
	box_text[boxes] = brief(label_of_record(rows == "each" ? 4 : rows == "depth" ? 7 : 6))
	if (boxes >= limit && rows != "each")
		thin_boxes()
}
# Returns the number of the lane of a record, or 0 if no lane is left.
function lane_of_record(    s) {
	if (rows == "each") {
		if (boxes == top)
			return 0
		return ++lanes
	}
	if (rows == "depth")
		s = $6 == "" ? "(no depth)" : $4 "\t" $5 "\t" $6
	else
		s = $4 == "" && $5 == "" ? "(no " rows ")" : $4 "\t" $5
	if (!(s in lane_number)) {
		if (lanes == top)
			return 0
		lane_text[++lanes] = s
		lane_number[s] = lanes
	}
	return lane_number[s]
}
function label_of_record(from,    s) {
	for (; from <= NF; from++)
		s = s (s != "" && $from != "" ? " " : "") $from
	return s
}

# --- thinning

# Boxes of one row and one colour that begin in the same column of pixels become one box, from the first start to the
# last end. If too many boxes remain, boxes of different colours are merged as well, and get the colour of the longest.
function thin_boxes() {
	merge_boxes(0)
	if (boxes > limit / 2)
		merge_boxes(1)
	if (boxes > limit / 2)
		limit *= 2
	thinned = 1
}
function merge_boxes(any_colour,    i, k, n, place, in_place, span) {
	span_boxes()
	span = time_high > time_low ? time_high - time_low : 1
	n = 0
	for (i = 1; i <= boxes; i++) {
		place = int((box_from[i] - time_low) / span * 1000)
		place = box_lane[i] SUBSEP (any_colour ? "" : box_part[i]) SUBSEP place
		if (place in in_place) {
			merge_box(i, in_place[place])
			continue
		}
		in_place[place] = ++n
		box_from[n] = box_from[i]
		box_long[n] = box_long[i]
		box_lane[n] = box_lane[i]
		box_part[n] = box_part[i]
		box_text[n] = box_text[i]
	}
	boxes = n
}
function merge_box(i, into,    end) {
	if (box_long[i] > box_long[into]) {
		box_part[into] = box_part[i]
		box_text[into] = box_text[i]
	}
	end = box_from[i] + box_long[i] > box_from[into] + box_long[into] ? box_from[i] + box_long[i] : \
		box_from[into] + box_long[into]
	if (box_from[i] < box_from[into])
		box_from[into] = box_from[i]
	box_long[into] = end - box_from[into]
}
function span_boxes(    i) {
	time_low = box_from[1]
	time_high = box_from[1] + box_long[1]
	for (i = 2; i <= boxes; i++) {
		if (box_from[i] < time_low)
			time_low = box_from[i]
		if (box_from[i] + box_long[i] > time_high)
			time_high = box_from[i] + box_long[i]
	}
}

# --- the order and the names of lanes

# Sorts lanes by process and thread, device and stream, or depth; compares keys as numbers if they are numbers.
function sort_lanes(    i, j, s) {
	for (i = 1; i <= boxes; i++)
		box_lane[i] = lane_text[box_lane[i]]
	for (i = 1; i <= lanes; i++) {
		s = lane_text[i]
		for (j = i; j > 1 && before(s, lane_text[j - 1]); j--)
			lane_text[j] = lane_text[j - 1]
		lane_text[j] = s
	}
	for (i = 1; i <= lanes; i++)
		lane_number[lane_text[i]] = i
	for (i = 1; i <= boxes; i++)
		box_lane[i] = lane_number[box_lane[i]]
}
function before(a, b,    i, n, u, v) {
	n = split(a, u, "\t")
	split(b, v, "\t")
	for (i = 1; i <= n; i++)
		if (u[i] != v[i])
			return number(u[i]) && number(v[i]) ? u[i] + 0 < v[i] + 0 : u[i] < v[i]
	return 0
}
# Replaces the keys of lanes by names. A name contains the device or process if there are several; with depths, it also
# contains the thread if there are several.
function name_lanes(    i, s, u, firsts, seconds, many, several) {
	for (i = 1; i <= lanes; i++)
		if (split(lane_text[i], u, "\t") > 1) {
			many += !(u[1] in firsts)
			several += !((u[1], u[2]) in seconds)
			firsts[u[1]] = seconds[u[1], u[2]] = 1
		}
	for (i = 1; i <= lanes; i++) {
		if (split(lane_text[i], u, "\t") < 2)
			continue
		s = ""
		if (many > 1)
			s = (rows == "stream" ? "device " : "process ") u[1] " "
		if (rows != "depth" || several > 1)
			s = s (rows == "stream" ? "stream " : "thread ") u[2] " "
		if (rows == "depth")
			s = s "depth " u[3]
		sub(/ $/, "", s)
		lane_text[i] = s
	}
}

# --- drawing

function end_gantt(    i, own) {
	report_boxes()
	if (rows != "each") {
		sort_lanes()
		name_lanes()
	}
	rank_parts(letters ? 6 : 11)
	span_boxes()
	choose_unit("us", asked_unit, time_high - time_low)
	own = ranks > 1 || colour == "kind"
	place_lanes(own)
	heading(plural(all - left_out, "record") (rows == "each" ? "" : " by " rows) ", coloured by " colour)
	frame(lower + letters)
	across(0, (time_high - time_low ? time_high - time_low : per) / per, with_unit("time since the first"))
	if (own)
		legend(ranks, lower + (letters ? 4 : 62))
	downward(lanes)
	for (i = 1; i <= lanes; i++)
		say_beside(i, lane_shown[i], row_font())
	if (!letters && rows != "each" && boxes <= 20000)
		write_in_boxes()
	plot_boxes()
}
function report_boxes() {
	if (thinned) {
		thin_boxes()
		tell(all " records are thinned to " boxes " boxes: records that begin in the same column of pixels share a box")
	}
	if (left_out) {
		tell("only " (rows == "each" ? "the first " plural(top, "record") : plural(top, "row")) " are shown; " \
			plural(left_out, "record") " skipped; -t shows more")
		if (!top_asked)
			failed = 1
	}
}
# Sets the layout of the page: names of lanes use up to 0.38 of the width.
function place_lanes(own,    i, most, tall) {
	row_height = letters ? 1 : rows != "each" ? (lanes > 40 ? 18 : 26) : lanes <= 12 ? 26 : lanes <= 60 ? 20 : 15
	tall = own ? legend_height(ranks, default_width) + (letters ? 1 : 8) : 0
	begin_page(default_width, upper + row_height * lanes + (letters ? 4 : 56) + tall)
	if (size != "")
		row_height = (page_height - upper - tall - (letters ? 4 : 56)) / lanes
	most = 0
	for (i = 1; i <= lanes; i++) {
		lane_shown[i] = seen(rows == "each" ? box_text[i] : lane_text[i])
		lane_shown[i] = fit(lane_shown[i], page_width * 0.38 / em(row_font()))
		most = wider(most, lane_shown[i])
	}
	left = most * em(row_font()) + (letters ? 2 : 20)
	right = page_width - (letters ? 2 : 24)
	lower = upper + row_height * lanes
	time_scale = (right - left) / (time_high - time_low ? time_high - time_low : 1)
}
# Writes the text of each box, if there is room for it before the next box begins. Room is measured in columns of 4
# pixels.
function write_in_boxes(    i, c, x, to, over, room, s, texts) {
	for (i = 1; i <= boxes; i++) {
		to = int((box_from[i] + box_long[i] - time_low) * time_scale / 4)
		for (c = int((box_from[i] - time_low) * time_scale / 4); c <= to; c++)
			over[box_lane[i], c]++
	}
	for (i = 1; i <= boxes && texts < 2000; i++) {
		x = (box_from[i] - time_low) * time_scale
		to = int((box_from[i] + box_long[i] - time_low) * time_scale / 4)
		# The end of one box and the start of the next may be in the same column.
		for (c = int(x / 4) + 1; c < to && over[box_lane[i], c] == 1; c++)
			continue
		room = (c < to ? (c - 1) * 4 - x : box_long[i] * time_scale) - 8
		if (room < 24 || box_text[i] == "")
			continue
		s = fit(seen(box_text[i]), room / 11)
		if (s != seen(box_text[i]) && width(s) < 5)
			continue
		texts++
		say(s, left + x + 4, middle(box_lane[i]), "left", 11, ink(legend_colour[part_rank[box_part[i]]]))
	}
}
# Draws long boxes first, so that no box hides a box inside it. For this, boxes are grouped by their lengths: from each
# power of two to the next. Each box is drawn wide enough to be visible.
function plot_boxes(    i, k, n, first, next_box) {
	for (i = boxes; i >= 1; i--) {
		k = box_long[i] > 1 ? int(log(box_long[i]) / log(2)) : 0
		next_box[i] = first[k]
		first[k] = i
	}
	if (letters) {
		for (n = 1; n <= ranks; n++)
			printf "%s'-' using 1:2 with lines lt %d", (n == 1 ? "plot " : ", "), (n - 1) % 7 + 1
		print ""
	} else
		printf "plot \"-\" using 1:2:1:3:($2-0.4):($2+0.4):4 %s title \"records\"\n", boxes_of_colours
	for (n = 1; n <= (letters ? ranks : 1); n++) {
		for (k = 64; k >= 0; k--)
			for (i = first[k]; i; i = next_box[i])
				if (!letters || part_rank[box_part[i]] == n)
					plot_box(i, letters ? 0 : 0.8 / time_scale)
		print "e"
	}
}
function plot_box(i, least,    long, from) {
	long = box_long[i] > least ? box_long[i] : least
	from = box_from[i] - time_low
	draw_span(from / per, (from + long) / per, box_lane[i], " " number_of(legend_colour[part_rank[box_part[i]]]))
}
