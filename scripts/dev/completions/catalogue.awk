# catalogue.awk: translates rows of options, which shells.awk describes, to a catalogue of programs in JSON. The first file
# is lib/events.5: the lists of its sections are the kinds and the members of records. `prefix` is that of the installed
# names, `version` the release. Each program, kind and member is one line.
BEGIN {
	FS = "\t"
	for (i = 2; i < ARGC; i++) {
		command = ARGV[i]
		sub(/.*\//, "", command)
		is_program[command]
	}
	command = ""
	of["Kinds"] = of["Reports"] = "kinds"
	of["Standard members"] = of["Attachments"] = "members"
	first = "\""
	printf "{\"version\":1,\"release\":%s,\"programs\":[", quoted(version)
}

# --- lib/events.5

FNR == NR && /^\.S[hs] / { list = of[substr($0, 5)] }
FNR == NR && list != "" && /^\.It / {
	gsub(/ Ns Ar kind/, "KIND")
	n++
	name[n] = substr($0, 8)
	list_of[n] = list
}
FNR == NR && /^\.El/ { list = in_entry = "" }
FNR == NR && list != "" && /^\.It / { in_entry = 1 }
FNR == NR && in_entry && !/^\.It/ { text[n] = text[n] (text[n] != "" ? " " : "") plain($0) }
FNR == NR { next }

# --- rows of options

$1 != command {
	if (command != "") end_program(",")
	print ""
	command = $1
	printf "{\"name\":%s,\"group\":%s,", quoted(prefix command), $2 == "=" ? "\"filter\"" : "\"script\""
	what_of[command] = $7
	printf "\"what\":%s,\"usage\":%s,\"example\":%s", quoted($7), quoted(installed($8, "; ")), quoted(installed($9, " | "))
	if ($6 != "") printf ",\"operands\":[%s]", quoted_list($6)
	put_list("reads", $10)
	put_list("needs", $12)
	written = $11
	printf ",\"options\":["
	between = ""
	next
}

{
	printf "%s{\"names\":[%s]", between, quoted_list(($3 != "" ? "-" $3 " " : "") ($4 != "" ? "--" $4 : ""))
	if ($5 != "") printf ",\"argument\":%s", quoted($5)
	if ($6 != "") printf ",\"words\":[%s]", quoted_list($6)
	if ($3 == "o" && written == "") {
		written = $6
		gsub(/ /, ", ", written)
	}
	value = default_of($7, $6)
	if (value != "") printf ",\"default\":%s", quoted(value)
	printf ",\"what\":%s}", quoted($7)
	between = ","
}

END {
	end_program("")
	printf "\n],\"kinds\":["
	put_entries("kinds")
	printf "\n],\"members\":["
	put_entries("members")
	printf "\n]}\n"
}

# Ends a program after its options. The words of -o are the formats that it writes, unless its help lists others.
function end_program(between) {
	printf "]"
	put_list("writes", written)
	printf "}%s", between
}

# Prints a list of what a program reads, writes or needs, without the remark, and the kinds of records in it, which are in
# parentheses.
function put_list(name, list,  i, count, part, kinds, words) {
	sub(/;.*/, "", list)
	if (list == "nothing") list = ""
	if (match(list, / \([^)]*\)/)) {
		kinds = substr(list, RSTART + 2, RLENGTH - 3)
		list = substr(list, 1, RSTART - 1) substr(list, RSTART + RLENGTH)
	}
	count = split(list, part, /, */)
	for (i = 1; i <= count; i++) words = words (i > 1 ? "," : "") quoted(installed(part[i], ", "))
	printf ",\"%s\":[%s]", name, words
	gsub(/,/, "", kinds)
	if (kinds != "") printf ",\"%s_kinds\":[%s]", name, quoted_list(kinds)
}

# Prints the entries of a list of events(5). The text of a standard member begins with its type.
function put_entries(list,  i, j, count, part, type) {
	between = "\n"
	for (i = 1; i <= n; i++) {
		if (list_of[i] != list) continue
		type = ""
		if (match(text[i], /^(Integer|String|Object)( or string)?: /)) {
			type = tolower(substr(text[i], 1, RLENGTH - 2))
			text[i] = substr(text[i], RLENGTH + 1)
			gsub(/ or /, " ", type)
		}
		count = split(name[i], part, / , /)
		for (j = 1; j <= count; j++) {
			printf "%s{\"%s\":%s", between, list == "kinds" ? "kind" : "name", quoted(part[j])
			if (type != "") printf ",\"type\":[%s]", quoted_list(type)
			if (part[j] in is_program) printf ",\"from\":%s", quoted(prefix part[j])
			printf ",\"what\":%s}", quoted(text[i] ~ /^Results of these/ ? what_of[part[j]] : text[i])
			between = ",\n"
		}
	}
}

# Returns commands, separated by `between`, with the installed names of the programs.
function installed(text, between,  i, count, part, all, word) {
	gsub(/[|]/, "[&]", between)
	count = split(text, part, between)
	gsub(/[][]/, "", between)
	for (i = 1; i <= count; i++) {
		word = part[i]
		sub(/ .*/, "", word)
		all = all (i > 1 ? between : "") (word in is_program ? prefix : "") part[i]
	}
	return all
}

# Returns the default that the text of an option has in parentheses, "" if it has none or describes it in words: (default
# 250ms), or after the word, if it is one of several: table (default), csv.
function default_of(text, words,  word) {
	if (match(text, /\(default [^ ;):]+[;)]/)) return substr(text, RSTART + 9, RLENGTH - 10)
	if (words == "" || !match(text, /[a-z0-9]+,? \(default[,)]|\([a-z0-9]+, default\)/)) return ""
	word = substr(text, RSTART, RLENGTH)
	sub(/^\(/, "", word)
	sub(/[, ].*/, "", word)
	return index(" " words " ", " " word " ") ? word : ""
}

# Returns a line of mdoc as text.
function plain(line,  macro, end) {
	gsub(/\\&/, "", line)
	gsub(/\\-/, "-", line)
	if (line !~ /^\./) return line
	macro = substr(line, 2, 2)
	line = substr(line, 5)
	end = ""
	if (match(line, / [.,;:]$/)) {
		end = substr(line, RSTART + 1)
		line = substr(line, 1, RSTART - 1)
	}
	gsub(/ , /, ", ", line)
	if (macro == "Xr") line = substr(line, 1, length(line) - 2) "(" substr(line, length(line)) ")"
	if (macro == "Pq") line = "(" line ")"
	if (macro == "Fl") line = "-" line
	return line end
}

function quoted(text) {
	gsub(/  +/, " ", text)
	gsub(/["\\]/, "\\\\&", text)
	return "\"" text "\""
}

function quoted_list(words,  i, count, word, list) {
	count = split(words, word, " ")
	for (i = 1; i <= count; i++) list = list (i > 1 ? "," : "") quoted(word[i])
	return list
}
