# help.awk: reads the options of a script from its help, and prints them as rows, which shells.awk describes. The usage
# lists the options and their arguments: "[--by mean|total] [-o FORMAT]". The rows of the help describe them: two spaces,
# the option, a space and its argument if it has one, two or more spaces, the description, which may have several lines.
# The values of an argument are in backquotes, or in a list: "output format: table (default), csv or ndjson; see below".
# The values in the row of the command itself are those of the first operand, KIND or REPORT, which the help lists as rows
# without hyphens. The description of the command is the first sentence after the usage. The lines that begin with reads:,
# writes: and needs: are columns of their own.
BEGIN { OFS = "\t" }

NR == 1 { example = $0 }
/^usage: / {
	in_usage = 1
	operand = $3 ~ /^(KIND|REPORT)$/ ? $3 : ""
}
/^$/ {
	in_brief = brief == "" && usage != ""
	in_usage = 0
}
/^(reads|writes|needs): / && !row {
	list_of[$1] = substr($0, length($1) + 2)
	next
}
in_brief && /^[^ ]/ { brief = brief (brief != "" ? " " : "") $0 }

in_usage {
	line = $0
	sub(/^usage: +/, "", line)
	sub(/^ +/, "", line)
	usage = usage (usage == "" ? "" : $1 == command ? "; " : " ") line
	for (i = 1; i <= NF; i++) {
		option = $i
		sub(/^\[/, "", option)
		if (option !~ /^--?[A-Za-z]/) continue
		takes = !sub(/\].*/, "", option) && $(i + 1) ~ /^[A-Za-z]/
		if (option in argument) continue
		options[++n] = option
		argument[option] = takes ? $(i + 1) : ""
		# A bracket in the argument is closed before that of the option.
		if (match(argument[option], /\[[^]]*\]/)) argument[option] = substr(argument[option], 1, RSTART + RLENGTH - 1)
		else sub(/\].*$/, "", argument[option])
		if (argument[option] !~ /,\.\.\.$/) sub(/\.\.\.$/, "", argument[option])
	}
}

operand != "" && !row && /^  [a-z][a-z_]*  / { operands = operands (operands != "" ? " " : "") $1 }

# The help of a program that has all options of a filter contains the rows of the filter.
/^  (-[A-Za-z],|   ) --/ {
	if (!match($0, /--[a-z-]+(=[^ ]+)?/)) next
	text = substr($0, RSTART, RLENGTH)
	row++
	what[row] = substr($0, RSTART + RLENGTH)
	sub(/^ */, "", what[row])
	split(text, part, "=")
	option_of[row] = part[1]
	argument_of[row] = part[2]
	if (substr($0, 3, 1) == "-") letter_of[row] = substr($0, 4, 1)
	next
}

/^  --?[A-Za-z]/ {
	text = substr($0, 3)
	row++
	if (match(text, /   */)) {
		what[row] = substr(text, RSTART + RLENGTH)
		text = substr(text, 1, RSTART - 1)
	}
	split(text, part, " ")
	option_of[row] = part[1]
	argument_of[row] = part[2]
	next
}

row && /^      / {
	text = $0
	sub(/^ */, "", text)
	what[row] = what[row] (what[row] != "" ? " " : "") text
}

END {
	if (match(brief, /[.]( |$)/)) brief = substr(brief, 1, RSTART)
	print command, " ", "", "", operand, operands, brief, usage, example, list_of["reads:"], list_of["writes:"], list_of["needs:"]
	for (i = 1; i <= row; i++) {
		option = option_of[i]
		print_row(option, letter_of[i], option in argument ? argument[option] : argument_of[i], what[i])
	}
	for (i = 1; i <= n; i++) print_row(options[i], "", argument[options[i]], "")
	if (!("--help" in printed)) print_row("-h", "", "", "print this help and exit")
}

function values(takes, text,  list, found, count, i) {
	if (takes ~ /^(FORMAT|UNIT|VIEW(,\.\.\.)?|COLUMN)$/ && text !~ /`/) {
		gsub(/ *\([^)]*\)/, "", text)
		sub(/^[^:]*: */, "", text)
		sub(/^sort by /, "", text)
		sub(/[;.(].*/, "", text)
		gsub(/ or /, ", ", text)
		count = split(text, list, /, */)
		for (i = 1; i <= count; i++)
			if (list[i] ~ /^[A-Za-z_]+$/) found = found (found != "" ? " " : "") list[i]
		return count > 1 ? found : ""
	}
	if (takes !~ /^[A-Z]+$/) return ""
	while (match(text, /`[a-z_]+`/)) {
		found = found (found != "" ? " " : "") substr(text, RSTART + 1, RLENGTH - 2)
		text = substr(text, RSTART + RLENGTH)
	}
	return found
}

function print_row(option, letter, takes, text,  words) {
	if (printed[option]++) return
	words = values(takes, text)
	if (sub(/^--/, "", option)) print command, " ", letter, option, takes, words, text
	else print command, " ", substr(option, 2), "", takes, words, text
}
