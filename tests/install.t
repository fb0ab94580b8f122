#!/bin/sh
# install.t: programs, scripts and pages are installed under their names, work there, and are removed by uninstall.
# shellcheck disable=SC2016 # commands of checks
. "${0%/*}/lib.sh"
only_slow_follow # installs several times
have make || finish

# Installs the existing build: -o all prevents make from building again.
cat >for-install <<'E'
env -u MAKEFLAGS -u MAKELEVEL make -s -o all -C "$ROOT" B="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr "$@"
E

# expected PREFIX: prints the files that an installation with PREFIX has
expected() {
	for file in "$ROOT"/filters/*/; do
		echo "./usr/bin/$1$(basename "$file")"
	done
	echo ./usr/share/tracefilters/kernel-names.tsv
	echo ./usr/share/doc/tracefilters/NEWS.md
	echo ./usr/share/tracefilters/catalogue.json
	for s in catalogue events findings report; do echo ./usr/share/tracefilters/$s.schema.json; done
	for file in "$ROOT"/scripts/*/*; do
		case ${file#"$ROOT/scripts/"} in
		dev/*) continue ;;
		*.d)
			for part in "$file"/*; do
				echo "./usr/share/tracefilters/$(basename "$file" .d)/${part##*/}"
			done
			continue ;;
		*.tsv) echo "./usr/share/tracefilters/${file##*/}"; continue ;;
		*.1) continue ;;
		esac
		echo "./usr/bin/$1${file##*/}"
	done
	for file in "$ROOT"/filters/*/*.[157] "$ROOT"/lib/*.[157] "$ROOT"/scripts/*.[157] "$ROOT"/scripts/*/*.[157]; do
		[ ! -f "$file" ] || echo "./usr/share/man/man${file##*.}/$1${file##*/}"
	done
	for file in "$ROOT"/filters/*/ "$ROOT"/scripts/*/*; do
		case ${file#"$ROOT/"} in
		scripts/dev/* | *.d | *.tsv | *.1) continue ;;
		esac
		name=$1$(basename "$file")
		echo "./usr/share/bash-completion/completions/$name"
		echo "./usr/share/zsh/site-functions/_$name"
		echo "./usr/share/fish/vendor_completions.d/$name.fish"
	done
}

# torch-top has a part, an awk program.
echo '{"kind":"row","name":"a","count":1,"self":5,"args":{"table":1}}' >one
torch-top one >table || echo torch-top failed >table

# with_part FOLDER SCRIPT: prints a command that runs SCRIPT, an installed torch-top, with only the programs of FOLDER
# in PATH, and compares its output with `table`
with_part() {
	echo "PATH=\$PWD/$1:/usr/bin:/bin $2 one | diff table -"
}

# One script of each folder, with its arguments. The scripts run in tests/data.
cat >scripts <<'E'
trace trace-join train.pt.trace.json
kineto op-breakdown train.pt.trace.json
nsys nsys-report cuda_gpu_kern_sum train.nsys.json
nsys nsys-report nvtx_gpu_proj_sum train.nsys.json
nsys nsys-report nvtx_pushpop_trace train.nsys.json
opencl ck-results tiny.ckp.json
plaidml plaidml-kernels mlp.eventlog.gz
cpu onednn-summary cnn.onednn.txt
plot plot hist train.nsys.jsonl
ranks stragglers ranks.ndjson
ranks rank-merge ranks.ndjson
ranks collectives ranks.ndjson
E
for folder in "$ROOT"/scripts/*/; do
	folder=$(basename "$folder")
	case $folder in lib | dev) continue ;; esac
	grep -q "^$folder " scripts || echo "$folder" | fail 'a script of each folder is run after installation'
done

# answers FOLDER PREFIX: runs these scripts with only the programs of FOLDER in PATH, and prints their output
answers() {
	while read -r folder script arguments; do
		echo "$folder"
		(cd "$DATA" && PATH=$1:/usr/bin:/bin sh -c "$2$script $arguments") </dev/null 2>&1 | sed "s/^$2//"
	done <scripts
}
answers "$BUILD/bin" '' >answers

for prefix in '' tf-; do
	expected "$prefix" | sort >want
	check "install, PROGPREFIX=$prefix" 0 \
		"sh ./for-install install PROGPREFIX=$prefix && cd root && find . ! -type d | sort | diff ../want -" </dev/null
	! command -v mandoc >/dev/null || check "man pages and links to them, PROGPREFIX=$prefix" 0 '
		cd root/usr/share/man && for page in man*/*; do
		mandoc -Tutf8 "$page" 2>&1 | grep -q "^.*D.*E.*S.*C" || echo "$page: no DESCRIPTION"; done' </dev/null
	answers "$PWD/root/usr/bin" "$prefix" >installed
	check "a script of each folder runs, PROGPREFIX=$prefix" 0 'diff answers installed' </dev/null
	check "a script that has parts runs, PROGPREFIX=$prefix" 0 "$(with_part root/usr/bin "${prefix}torch-top")" </dev/null
	ln -s "root/usr/bin/${prefix}torch-top" "link-$prefix"
	check "a script runs from a link to it, PROGPREFIX=$prefix" 0 "$(with_part root/usr/bin "./link-$prefix")" </dev/null
	mv root moved
	check "a moved script that has parts runs, PROGPREFIX=$prefix" 0 \
		"$(with_part moved/usr/bin "${prefix}torch-top")" </dev/null
	answers "$PWD/moved/usr/bin" "$prefix" >installed
	check "a moved script of each folder runs, PROGPREFIX=$prefix" 0 'diff answers installed' </dev/null
	mv moved root
	check "completion, PROGPREFIX=$prefix" 0 \
		"grep ^complete root/usr/share/bash-completion/completions/${prefix}trace-diff" <<E
complete -o default -F _tracefilters_$(echo "${prefix}trace-diff" | tr - _) ${prefix}trace-diff
E
	check "the catalogue has the installed names, PROGPREFIX=$prefix" 0 "
		root/usr/bin/${prefix}trace-report --catalogue ${prefix}hang-find |
			sed -n 's/.*example.:.\([^|]*| [^ ]*\).*/\1/p'" <<E
${prefix}trace2ndjson dumps/* | ${prefix}hang-find
E
	check "uninstall, PROGPREFIX=$prefix" 0 "sh ./for-install uninstall PROGPREFIX=$prefix &&
		find root ! -type d -o -path '*/tracefilters*'" </dev/null
done

check 'install with BINDIR outside of PREFIX' 0 \
	"sh ./for-install install DESTDIR= PREFIX=\$PWD/apart \\
	BINDIR=\$PWD/programs && $(with_part programs torch-top)" </dev/null
rm -f apart/share/tracefilters/torch-top/warnings.sh
check_re 'a script reports a missing part' 2 'PATH=$PWD/programs:/usr/bin:/bin torch-top one' <<'E'
--- stderr
torch-top: /.*/apart/share/tracefilters/torch-top/warnings\.sh: cannot open
E
check 'uninstall with BINDIR outside of PREFIX' 0 \
	'sh ./for-install uninstall DESTDIR= PREFIX=$PWD/apart BINDIR=$PWD/programs &&
	find apart programs ! -type d -o -path "*/share/tracefilters*"' </dev/null

finish
