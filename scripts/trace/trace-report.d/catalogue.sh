# catalogue.sh: the catalogue of programs, options and records as JSON, which the build writes.

# print_catalogue NAME...: prints it, or only these programs.
print_catalogue() {
	local file=$parts_folder/../catalogue.json one
	if [ ! -e "$file" ]; then file=$(command -v groupby) file=${file%/*}/../share/tracefilters/catalogue.json; fi # in a build
	[ -r "$file" ] || die "$file: cannot open"
	for one; do
		# shellcheck disable=SC2046 # names of programs
		expect_known --catalogue "$one" $(sed -n 's/^{"name":"\([^"]*\)","group".*/\1/p' "$file")
	done
	make_folder
	awk -v names="$*" '
		BEGIN { n = split(names, name, " "); for (i = 1; i <= n; i++) wanted["{\"name\":\"" name[i] "\""] }
		n == 0 || NR == 1 { print; next }
		/^\]/ { print "\n]}"; exit }
		substr($0, 1, index($0, ",") - 1) in wanted { sub(/,$/, ""); printf "%s%s", between, $0; between = ",\n" }' "$file" >"$folder/catalogue"
	proceed '' $?
	save_file "$folder/catalogue" ''
	finish ''
}
