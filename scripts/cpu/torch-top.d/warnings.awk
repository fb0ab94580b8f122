# warnings.awk: reads the columns that torch-top selects from each record, and warns about misleading rows.

function say(table, what, to) {
	print command ": table " table ": " what | (to ? to : "cat >&2")
}
function seconds(ns) {
	if (ns >= 1e9)
		return sprintf("%.3f s", ns / 1e9)
	return ns >= 1e6 ? sprintf("%.3f ms", ns / 1e6) : sprintf("%.3f us", ns / 1e3)
}
# Finds pairs of rows for the same work: an operator, such as "MkldnnConvolutionBackward", and the only
# operator that it calls, such as "mkldnn_convolution_backward". The two names are equal except for case
# and underscores, and the two times differ by less than 1 %.
function find_twin(table, name, ns,    plain, key, i) {
	plain = tolower(name)
	sub(/^aten::/, "", plain)
	gsub(/_/, "", plain)
	key = table SUBSEP plain
	if (key in twins)
		return
	for (i = 1; i <= spelt[key]; i++)
		if (spelling[key, i] != name && time[key, i] < ns * 1.01 && ns < time[key, i] * 1.01)
			twins[key] = spelling[key, i] "\" and \"" name
	spelling[key, ++spelt[key]] = name
	time[key, spelt[key]] = ns
}
NR == 1 { next }
$2 > tables { tables = $2 }
$1 == "total" {
	if ($5 != "") host[$2] = $5
	if ($7 != "") device[$2] = $7
	next
}
$1 == "sum" {
	self[$2] = $5
	dev_self[$2] = $7
	next
}
$1 == "initial" {
	initial[$2, $3] = $5
	next
}
{
	rows[$2]++
	counted[$2] += $4 != ""
	top[$2] = $10
	negative[$2] += $5 + 0 < 0 || $6 + 0 < 0 || $7 + 0 < 0 || $8 + 0 < 0
	# A kernel has a host time of 0. In a table without a column of host times, kernels cannot be
	# recognised.
	kernels[$2] += $5 == 0 && $5 != "" && $7 > 0
	ops[$2] += $5 > 0 && $7 > 0
	if ($9 != "") cut[$2, $3]++
	if ($5 > 0)
		find_twin($2, $3, $5)
}
# Prints the warnings about a whole table.
function check(t,    off) {
	off = self[t] - host[t]
	if (top[t] != "")
		listed(t, "top " top[t] " events")
	else if (!counted[t] && host[t] > 0 && off * off < host[t] * host[t] / 1e6)
		listed(t, rows[t] " events listed")
	if (device[t] > 0 && dev_self[t] > device[t] * 1.005)
		both(t, "dev_self adds up to " seconds(dev_self[t]) ", but the device took " \
			seconds(device[t]) ": ")
	else if (kernels[t] && ops[t])
		both(t, "")
	if (negative[t])
		say(t, "negative times in " negative[t] (negative[t] > 1 ? " rows" : " row") \
			": the profiler mixed up its clocks")
}
function listed(table, which) {
	say(table, "percentages and totals refer to the " which " only, not to the whole run")
}
function both(table, sums) {
	say(table, sums (sums ? "it" : "dev_self") " counts operators and their kernels" \
		(kernels[table] ? "; --kernels prints only kernels" : ""))
}
END {
	for (t = 1; t <= tables; t++)
		if (rows[t])
			check(t)
	# These warnings are sorted, because awk visits the elements of an array in an undefined order.
	close("cat >&2")
	for (key in twins) {
		split(key, at, SUBSEP)
		say(at[1], "\"" twins[key] "\" are caller and callee: they count the same work twice", "sort >&2")
	}
	for (key in cut) {
		split(key, at, SUBSEP)
		if (cut[key] > 1)
			say(at[1], cut[key] " rows share the truncated name \"" at[2] "\" (they may be different functions)",
				"sort >&2")
	}
	for (key in initial) {
		split(key, at, SUBSEP)
		if (self[at[1]] > 0)
			say(at[1], at[2] " (" sprintf("%.1f", 100 * initial[key] / self[at[1]]) \
				"% of self of all rows) usually initialises weights", "sort >&2")
	}
}
