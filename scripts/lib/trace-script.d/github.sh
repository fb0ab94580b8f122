# github.sh: lines for the log of a GitHub workflow.

declare -gA github_lines=()

# github LEVEL TITLE MESSAGE: prints a command of a GitHub workflow: a line that is marked as error, warning or notice. GitHub
# shows 10 lines of each level; further ones are not printed.
github() {
	local text=${3//'%'/%25} title=${2//'%'/%25}
	github_lines[$1]=$((${github_lines[$1]-0} + 1))
	[ "${github_lines[$1]}" -le 10 ] || return 0
	title=${title//:/%3A} title=${title//,/%2C}
	title=${title//$'\n'/%0A} text=${text//$'\n'/%0A}
	printf '::%s title=%s::%s\n' "$1" "${title//$'\r'/%0D}" "${text//$'\r'/%0D}"
}
