# help.awk: reads the options of a script from its help, and prints them as rows for shells.awk. The usage lists the
# options and their arguments: "[--by mean|total] [-o FORMAT]". The rows of the help describe them: two spaces, the
# option, a space and its argument if it has one, two or more spaces, the description. The first row printed is for the
# command itself, because a command without options is completed as well.
BEGIN {
	OFS = "\t"
	print command, " ", "", "", "", "", ""
}

/^usage: / { in_usage = 1 }
/^$/ { in_usage = 0 }

in_usage {
	for (i = 1; i <= NF; i++) {
		option = $i
		sub(/^\[/, "", option)
		if (option !~ /^--?[A-Za-z]/) continue
		takes = !sub(/\].*/, "", option) && $(i + 1) ~ /^[A-Za-z]/
		if (option in argument) continue
		options[++n] = option
		argument[option] = takes ? $(i + 1) : ""
		sub(/\](\.\.\.)?$/, "", argument[option])
	}
}

/^  --?[A-Za-z]/ {
	row = substr($0, 3)
	what = ""
	if (match(row, /   */)) {
		what = substr(row, RSTART + RLENGTH)
		row = substr(row, 1, RSTART - 1)
	}
	split(row, part, " ")
	print_row(part[1], part[1] in argument ? argument[part[1]] : part[2], what)
}

END {
	for (i = 1; i <= n; i++) print_row(options[i], argument[options[i]], "")
	print_row("-h", "", "print this help and exit")
}

function print_row(option, takes, what) {
	if (printed[option]++) return
	if (sub(/^--/, "", option)) print command, " ", "", option, takes, "", what
	else print command, " ", substr(option, 2), "", takes, "", what
}
