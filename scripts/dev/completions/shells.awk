# shells.awk: translates rows of options to completion for bash, zsh and fish: the files OUT/bash/COMMAND, OUT/zsh/_COMMAND
# and OUT/fish/COMMAND.fish. `prefix` is that of the installed names.
# A row has these columns, separated by tabs: the command, the separator between a long option and its argument ("=" or
# " "), the letter, the long name, the name of the argument (in brackets if it may be absent), the possible values of the
# argument, the description. The first row of a command has no letter and no long name: it has the first operand and its
# values, the description of the command, its usage, an example, and what it reads, writes and needs. The first operand of
# a filter is in its usage: ndjson2svg [bar|stacked|...].
#
# An argument FILE is a file; an argument whose name ends in ",..." is a list of values. If a row has no values, a name of
# the argument in lower case lists them (thread|process), and KIND and UNIT take those of the first filter that has such
# an argument.
BEGIN { FS = "\t" }

$1 != command {
	finish()
	command = $1
	n = 0
	operand = operands = ""
}

$3 $4 == "" {
	operand = $5
	operands = $6
	if (match($8, /^[a-z0-9-]+ \[[a-z]*[|][a-z|]*\]/)) {
		operand = "KIND"
		operands = substr($8, 1, RLENGTH - 1)
		sub(/^.*\[/, "", operands)
		gsub(/[|]/, " ", operands)
	}
}

$3 $4 != "" {
	if ($5 ~ /^\[/) $5 = $6 = "" # an option whose argument may be absent is completed without it
	words = $6
	sub(/pNN/, "p50 p90 p99", words)
	if (words != "" && $5 ~ /^(KIND|UNIT)/ && !($5 in words_of)) words_of[$5] = words
	if (words == "" && $5 ~ /^[a-z|]+$/) { words = $5; gsub(/\|/, " ", words) }
	if (words == "" && $5 in words_of) words = words_of[$5]
	n++
	join = $2
	letter[n] = $3
	name[n] = $4
	argument[n] = $5
	value[n] = words
	list[n] = $5 ~ /,\.\.+$/
	help[n] = $7
	if (length(help[n]) > 100) { # completion shows one line
		help[n] = substr(help[n], 1, 100)
		sub(/[^A-Za-z0-9)`]* [^ ]*$/, "", help[n])
	}
	sub(/[,;:]$/, "", help[n])
}

END { finish() }

function finish() {
	if (command == "") return
	write_bash(out "/bash/" prefix command)
	write_zsh(out "/zsh/_" prefix command)
	write_fish(out "/fish/" prefix command ".fish")
}

function quoted(text) {
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# Returns the option as a user types it, with its letter, its long name or both: "-k|--kind".
function both(i, between) {
	return (letter[i] != "" ? "-" letter[i] : "") (letter[i] != "" && name[i] != "" ? between : "") (name[i] != "" ? "--" name[i] : "")
}

# bash shows no descriptions of options. It splits words at "=", so --unit=us becomes three words. Files, and arguments
# without a list of values, are completed by bash's default completion (-o default).
function write_bash(file,  i, all, letters, anything, function_name) {
	function_name = "_tracefilters_" prefix command
	gsub(/[^A-Za-z0-9]/, "_", function_name)
	for (i = 1; i <= n; i++) {
		all = all (i > 1 ? " " : "") both(i, " ") (name[i] != "" && argument[i] != "" && join == "=" ? "=" : "")
		if (argument[i] == "") continue
		letters = letters letter[i]
		if (value[i] == "") anything = anything (anything != "" ? " | " : "") both(i, " | ")
	}
	print "# " prefix command ": completion for bash, made by `make completions`." >file
	print function_name "() {" >file
	print "\tlocal current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} front='' words='' list=''" >file
	print "\tif [[ $current == = ]]; then" >file
	print "\t\tcurrent=''" >file
	print "\telif [[ $option == = ]] && ((COMP_CWORD > 2)); then" >file
	print "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}" >file
	print "\telif [[ $current == --*=* ]]; then" >file
	print "\t\toption=${current%%=*} front=${current%%=*}= current=${current#*=}" >file
	if (letters != "") {
		print "\telif [[ $current == -[" letters "]?* ]]; then" >file
		print "\t\toption=${current:0:2} front=${current:0:2} current=${current:2}" >file
	}
	print "\tfi" >file
	print "\tcase $option in" >file
	for (i = 1; i <= n; i++)
		if (value[i] != "")
			print "\t" both(i, " | ") ") words=" quoted(value[i]) (list[i] ? " list=yes" : "") " ;;" >file
	if (anything != "") print "\t" anything ") ;;" >file
	print "\t*)" >file
	if (operands != "") print "\t\t((COMP_CWORD > 1)) || words=" quoted(operands) >file
	print "\t\t[[ $current != -* || $front ]] || words=" quoted(all) " ;;" >file
	print "\tesac" >file
	print "\tif [[ $list && $current == *,* ]]; then" >file
	print "\t\tfront+=${current%,*}, current=${current##*,}" >file
	print "\tfi" >file
	print "\tmapfile -t COMPREPLY < <(compgen -P \"$front\" -W \"$words\" -- \"$current\")" >file
	print "\t[[ ! $list && ${COMPREPLY[0]-} != *= ]] || compopt -o nospace" >file
	print "}" >file
	print "complete -o default -F " function_name " " prefix command >file
	close(file)
}

function zsh_escaped(text) {
	gsub(/[\\\[\]:]/, "\\\\&", text)
	return text
}

function write_zsh(file,  i, action) {
	print "#compdef " prefix command >file
	print "# Made by `make completions`." >file
	print "_arguments -s -S : \\" >file
	for (i = 1; i <= n; i++) {
		action = ""
		if (argument[i] != "") {
			action = " "
			if (argument[i] == "FILE") action = "_files"
			else if (value[i] != "") action = list[i] ? "_values -s , " argument[i] " " value[i] : "(" value[i] ")"
			sub(/,\.\.\./, "", action)
			action = ":" zsh_escaped(argument[i]) ":" action
		}
		action = quoted("[" zsh_escaped(help[i]) "]" action)
		if (letter[i] != "")
			print "\t" quoted("*-" letter[i] (argument[i] != "" ? "+" : "")) action " \\" >file
		if (name[i] != "")
			print "\t" quoted("*--" name[i] (argument[i] != "" && join == "=" ? "=" : "")) action " \\" >file
	}
	if (operands != "") print "\t'1:" operand ":(" operands ")' \\" >file
	print "\t'*:FILE:_files'" >file
	close(file)
}

function write_fish(file,  i, line) {
	print "# " prefix command ": completion for fish, made by `make completions`." >file
	if (operands != "") print "complete -c " prefix command " -n __fish_is_first_arg -f -a '" operands "'" >file
	for (i = 1; i <= n; i++) {
		line = "complete -c " prefix command (letter[i] != "" ? " -s " letter[i] : "") (name[i] != "" ? " -l " name[i] : "")
		if (argument[i] == "FILE") line = line " -r"
		else if (argument[i] != "") line = line " -x"
		if (value[i] != "")
			line = line " -a " (list[i] ? "'(__fish_complete_list , \"string split \\\" \\\" \\\"" value[i] "\\\"\")'" : "'" value[i] "'")
		print line " -d " fish_quoted(help[i]) >file
	}
	close(file)
}

function fish_quoted(text) {
	gsub(/['\\]/, "\\\\&", text)
	return "'" text "'"
}
