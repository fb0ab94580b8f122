#!/bin/sh
# build.t: `make` finds the optional libraries; mistakes that gcc only warns about are errors. The tests build a copy of
# the Makefile with one source.
. "${0%/*}/lib.sh"
have make || finish

cp "$ROOT/Makefile" .
mkdir -p filters/one fake
echo 'int main(void) { return 0; }' >filters/one/one.c
# pkg-config knows the packages in `known`, in the folder /opt; the compiler finds the libraries in `installed`.
cat >fake/pkg-config <<'E'
#!/bin/sh
for package; do :; done
grep -qx -e "$package" known || exit 1
case $1 in --cflags*) echo "-I/opt/$package -L/opt/lib" ;; esac
E
cat >fake/cc <<'E'
#!/bin/sh
case " $* " in *' -static '*) echo static >>tried ;; esac
for arg; do case $arg in -l*) grep -qx -e "$arg" installed || exit 1 ;; esac; done
E
chmod +x fake/*
: >known && : >installed

# run_make ARGUMENT...: runs make without the flags of the make that runs the tests.
cat >run_make <<'E'
exec env -u CC -u MAKEFLAGS -u MAKELEVEL -u MFLAGS PATH="$PWD/fake:$PATH" make -s "$@"
E
# uses ARGUMENT...: prints the libraries that make reports, and the flags of the compiler that belong to them
cat >uses <<'E'
rm -f build/flags
sh ./run_make build/flags "$@" || exit
grep -oE -e ' -(DHAVE_|I/|L/|lisal|lzstd|lsqlite3|lutf8proc|lmd)[^ ]*' build/flags | tr -d '\n'
echo
E

check 'no library is installed' 0 'sh ./uses' <<'E'
optional libraries: no libisal, no libzstd, no libsqlite3, no libutf8proc, no libmd

E
printf '%s\n' libisal libzstd sqlite3 libutf8proc libmd >known
check 'pkg-config knows all, with their folders' 0 'sh ./uses' <<'E'
optional libraries: libisal, libzstd, libsqlite3, libutf8proc, libmd
 -DHAVE_ISAL -DHAVE_ZSTD -DHAVE_SQLITE -DHAVE_UTF8PROC -DHAVE_MD -I/opt/libisal -I/opt/libzstd -I/opt/sqlite3 -I/opt/libutf8proc -I/opt/libmd -lisal -L/opt/lib -lzstd -L/opt/lib -lsqlite3 -L/opt/lib -lutf8proc -L/opt/lib -lmd -L/opt/lib
E
check 'only a change of the libraries is reported' 0 '
	sh ./run_make build/flags; sh ./run_make build/flags ZSTD=1' </dev/null
check 'libraries that the user leaves out' 0 '
	sh ./uses ISAL=0 ZSTD=0 UTF8PROC=0 MD=0; sh ./uses ISAL=0 SQLITE= MD=0' <<'E'
optional libraries: no libisal, no libzstd, libsqlite3, no libutf8proc, no libmd
 -DHAVE_SQLITE -I/opt/sqlite3 -lsqlite3 -L/opt/lib
optional libraries: no libisal, libzstd, no libsqlite3, libutf8proc, no libmd
 -DHAVE_ZSTD -DHAVE_UTF8PROC -I/opt/libzstd -I/opt/libutf8proc -lzstd -L/opt/lib -lutf8proc -L/opt/lib
E
echo sqlite3 >known
check 'libraries that the user requires' 2 '
	sh ./uses SQLITE=1 | tail -n 1
	sh ./uses ZSTD=1 2>&1 | sed "s/^Makefile:[0-9]*/Makefile/"; sh ./uses UTF8PROC=1 2>out' <<'E'
 -DHAVE_SQLITE -I/opt/sqlite3 -lsqlite3 -L/opt/lib
Makefile: *** ZSTD=1: libzstd is not found; install the Debian package libzstd-dev, or use ZSTD=0.  Stop.
E
check 'a library that is required is not needed for other targets' 0 'sh ./run_make clean ZSTD=1' </dev/null
echo -lzstd >installed
check 'without pkg-config, the compiler is asked' 0 'sh ./uses PKG_CONFIG=./nosuch' <<'E'
optional libraries: no libisal, libzstd, no libsqlite3, no libutf8proc, no libmd
 -DHAVE_ZSTD -lzstd
E
check 'a static build needs the static library' 0 'sh ./uses STATIC=1 B=build; cat tried' <<'E'
optional libraries: no libisal, libzstd, no libsqlite3, no libutf8proc, no libmd
 -DHAVE_ZSTD -lzstd
static
static
static
static
static
E
rm fake/cc
for code in 'int main(void) { return nosuch(); }' 'static int f(void) { } int main(void) { return f(); }'; do
	echo "$code" >filters/one/one.c
	check "an error: $code" 0 '
		sh ./run_make ISAL=0 ZSTD=0 SQLITE=0 UTF8PROC=0 MD=0 build/filters/one/one.o 2>&1 | grep -c "error:.*-Werror"' <<'E'
1
E
done

# --- make lint

cat >fake/clang-tidy <<'E'
#!/bin/sh
for arg; do case $arg in *.c) echo "checked $arg"; ! grep -q mistake "$arg" || exit 1 ;; esac; done
E
chmod +x fake/clang-tidy
mkdir filters/two
echo '#include "one/one.h"' >filters/one/one.c
echo 'int one;' >filters/one/one.h
echo 'int two;' >filters/two/two.c
tidy='sh ./run_make -j 1 lint-tidy ISAL=0 ZSTD=0 SQLITE=0 UTF8PROC=0 MD=0'
check 'make lint checks all sources, and only changed ones later' 0 "$tidy; echo; $tidy; echo; sleep 0.01
	touch filters/one/one.h; $tidy; echo; $tidy CPPFLAGS=-DX" <<'E'
checked filters/one/one.c
checked filters/two/two.c


checked filters/one/one.c

checked filters/one/one.c
checked filters/two/two.c
E
check 'a source with a finding is checked again' 2 "echo '// mistake' >>filters/two/two.c
	$tidy CPPFLAGS=-DX 2>/dev/null; $tidy CPPFLAGS=-DX 2>/dev/null" <<'E'
checked filters/two/two.c
checked filters/two/two.c
E
if have git; then
	# commit SUBJECT: commits without the settings of the user.
	cat >commit <<'E'
git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q --allow-empty -m "$1"
E
	long=$(printf '%071d' 0)
	git init -q . && git add Makefile && sh ./commit "$long" && base=$(git rev-parse HEAD)
	sh ./commit "${long%0}"
	check 'make lint: a subject of 70 characters, and a long one before the base' 0 \
		"sh ./run_make lint-commits LONG_SUBJECTS_UNTIL=$base" </dev/null
	check 'make lint: no check without the base' 0 "sh ./run_make lint-commits" </dev/null
	sh ./commit "$long"
	check_re 'make lint: a subject of 71 characters' 2 \
		"sh ./run_make lint-commits LONG_SUBJECTS_UNTIL=$base 2>/dev/null" <<E
[0-9a-f]+ $long: the subject has more than 70 characters
E
	sed 's/^VERSION = .*/VERSION = 9/' Makefile >new && mv new Makefile && git add Makefile && sh ./commit 'release'
	check 'make lint: the subjects since the last change of the version' 0 \
		"sh ./run_make lint-commits LONG_SUBJECTS_UNTIL=$base" </dev/null
fi
finish
