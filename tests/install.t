#!/bin/sh
# install.t: programs, scripts and pages arrive under their names, work there, and go again.
. "${0%/*}/lib.sh"
have make || finish

# What was built is installed as it is: -o all keeps make from building it again.
cat >for-install <<'E'
env -u MAKEFLAGS -u MAKELEVEL make -s -o all -C "$ROOT" B="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr "$@"
E

# expected PREFIX: the files that an installation has
expected() {
	for file in "$ROOT"/filters/*.c; do
		file=${file##*/}
		echo "./usr/bin/$1${file%.c}"
	done
	for file in "$ROOT"/scripts/*; do
		case ${file##*/} in
		quickstart | gallery | *.[157]) continue ;;
		*.tsv) echo "./usr/share/tracefilters/${file##*/}"; continue ;;
		esac
		echo "./usr/bin/$1${file##*/}"
	done
	for file in "$ROOT"/filters/*.[157] "$ROOT"/lib/*.[157] "$ROOT"/scripts/*.[157]; do
		[ ! -f "$file" ] || echo "./usr/share/man/man${file##*.}/$1${file##*/}"
	done
}

for prefix in '' tf-; do
	expected "$prefix" | sort >want
	check "install, PROGPREFIX=$prefix" 0 "sh ./for-install install PROGPREFIX=$prefix && cd root && find . -type f | sort | diff ../want -" </dev/null
	check "scripts are run under their names, PROGPREFIX=$prefix" 0 "nsys-kern-sum \$DATA/train.nsys.json >want &&
		PATH=\$PWD/root/usr/bin:/usr/bin:/bin ${prefix}nsys-kern-sum \$DATA/train.nsys.json | diff want -" </dev/null
	check "uninstall, PROGPREFIX=$prefix" 0 "sh ./for-install uninstall PROGPREFIX=$prefix && find root -type f" </dev/null
done

finish
