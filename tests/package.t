#!/bin/sh
# package.t: two builds of the source package are identical, and it has all files of the repository; `make deb` makes a
# Debian package. With TEST_ALL=1, or without the repository, the source package is compiled, and lintian accepts the
# Debian package.
. "${0%/*}/lib.sh"
only_slow_follow # builds everything again
have make gzip || finish

# Runs make without the flags of the make that runs the tests.
cat >run-make <<'E'
env -u MAKEFLAGS -u MAKELEVEL make -s "$@"
E

version=$(sed -n 's/^VERSION = //p' "$ROOT/Makefile")
archive=$ROOT/build/tracefilters-$version.tar.gz
check 'make dist twice gives the same archive' 0 "
	sh ./run-make -C '$ROOT' dist && cp '$archive' first &&
	sh ./run-make -C '$ROOT' dist && cmp first '$archive'" </dev/null
CHECK_TIMEOUT=600
tar -xzf first
if [ ! "${TEST_ALL-}" ] && [ -e "$ROOT/.git" ] && have git; then
	check 'the source package has all files of the repository' 0 \
		"git -C '$ROOT' ls-files | sort >files; cd tracefilters-$version && find . -type f -o -type l | cut -c 3- |
			LC_ALL=C sort | diff ../files -" </dev/null
	# `make deb` need not compile again. Builds with other flags, which can be beside this one, are not copied.
	mkdir "tracefilters-$version/build"
	tar -C "$BUILD" --exclude='./san-*' --exclude=./fuzz --exclude=./clang --exclude=./lint -c . |
		tar -C "tracefilters-$version/build" -x
else
	check_re 'the source package compiles' 0 "cd tracefilters-$version && sh ../run-make -j 2 CFLAGS=-O0" <<'E'
optional libraries: .*
E
	flags=CFLAGS=-O0
fi
cd "tracefilters-$version" || finish
check 'make dist in the source package gives the same archive' 0 \
	"sh ../run-make dist && cmp build/tracefilters-$version.tar.gz ../first" </dev/null

if have dpkg-shlibdeps; then
	check_re 'make deb' 0 "sh ../run-make ${flags-} deb >/dev/null && dpkg-deb -f build/*.deb Depends" <<'E'
libc6 \(>= [0-9.]+\), (lib(isal2|md0|sqlite3-0|utf8proc[0-9]|zstd1) \(>= [0-9.:]+\), )*zlib1g \(>= [0-9:.]+\)
E
	check 'the Debian package has programs, pages and completions' 0 \
		'dpkg-deb -c build/*.deb | grep -Ec "/(bin/groupby|man1/groupby.1.gz|completions/groupby)$"' <<'E'
3
E
	[ ! "${TEST_ALL-}" ] || ! have lintian ||
		check 'lintian reports no errors' 1 'lintian build/*.deb 2>/dev/null | grep ^E:' </dev/null
fi

finish
