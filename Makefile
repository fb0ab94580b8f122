# tracefilters: GNU make, no configure. Everything that is built is in build/; only build/bin needs to be in PATH.
# Files are found by wildcards: a new filter needs a folder filters/X with X.c and X.1, and a test, but no change here.
#
#	make [CC=clang] [B=build/clang]           build, with this compiler, in this folder
#	make ISAL=0                               without ISA-L (libisal): gzip is read with zlib, in three times the time
#	make ZSTD=0                               without libzstd: the programs do not read zstd
#	make SQLITE=0                             without libsqlite3: trace2ndjson does not read SQLite databases
#	make UTF8PROC=0                           without libutf8proc: columns of tables fit only common characters
#	make MD=0                                 without libmd: payloads in logs of torch.compile are not compared with their sums
#	make check [SAN=address,undefined] [T=cli] run the tests; with sanitizers; only the named ones. On two cores, all of
#	                                          them take 7 minutes, and 9 with recorded traces
#	make check-fast                           the fast checks of everything: 45 s on two cores, 85 CPU seconds
#	make bench-quick BASE=build/before        compare the speed of this build with another one, in 30 s
#	make gallery                              draw the pictures of the gallery
#	make page-picture                         draw the picture of a page in the README (needs chromium)
#	make fuzz [FUZZ_TIME=60] [JOBS=2] [T=json] run each fuzz target for this number of seconds, JOBS side by side, in a
#	                                          build of its own with clang
#	make check-long [TRACES=20000] [FUZZ_TIME=600] [JOBS=2] compare filters with their models on this number of random
#	                                          traces each, measure how time and memory grow, then run each fuzz
#	                                          target: 10 hours with one job
#	make mutate FILES='lib/json filters/derive' make small mistakes in these files; list those that no fast test finds
#	make install DESTDIR=... PREFIX=/usr PROGPREFIX=tf-
#	make completions                          completion for bash, zsh and fish
#	make dist                                 build/tracefilters-VERSION.tar.gz
#	make deb                                  a package for this Debian, build/tracefilters_VERSION-1_ARCH.deb
#	make fmt                                  format the C sources
#	make lint                                 check formatting, C, scripts and pages: 95 s, later only what changed; -k
#	                                          continues after a failure
#
# The libraries libisal, libzstd, libsqlite3, libutf8proc and libmd are optional. pkg-config (PKG_CONFIG) finds them, or
# a trial compilation if pkg-config is missing; a build prints which ones it uses. With ISAL=1, ZSTD=1, SQLITE=1,
# UTF8PROC=1 or MD=1, a library that is missing is an error.

VERSION = 0.2.0
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
PROGPREFIX =
SAN =
# With sanitizers, compiling at -O2 takes twice the time of -O1, and the tests take about the same time.
CFLAGS ?= $(if $(SAN),-O1 -g1,-O2 -g)
STATIC =
ISAL = auto
ZSTD = auto
SQLITE = auto
UTF8PROC = auto
MD = auto
PKG_CONFIG = pkg-config
T =
FUZZ_TIME = 60

comma := ,
B := build$(if $(SAN),/san-$(subst $(comma),-,$(SAN)))$(if $(STATIC),/static)
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wwrite-strings -Wformat=2 -Wvla -Wundef -Werror=implicit-function-declaration -Werror=return-type
# _FORTIFY_SOURCE needs optimisation, and it would hide errors from the sanitizers.
fortify := $(if $(SAN),,$(if $(filter -O1 -O2 -O3 -Os -Ofast,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
hardening := -fstack-protector-strong -fPIE
# clang also reports NULL + 0, which every compiler accepts and later versions of C define; no option leaves out only that.
sanitize := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer \
	$(if $(findstring undefined,$(SAN)),-fno-sanitize=pointer-overflow))

# library VARIABLE,PACKAGE,FLAG,HEADER,DEBIAN_PACKAGE: returns the flags of an optional library, or nothing if it is left
# out or missing. pkg-config does not know whether the static library is installed.
library = $(if $(filter-out 0,$($1)),$(or $(shell if [ -z '$(STATIC)' ] && command -v $(PKG_CONFIG) >/dev/null; then \
	$(PKG_CONFIG) --exists $2 && echo $3 `$(PKG_CONFIG) --cflags-only-I --libs-only-L $2`; \
	else echo 'int main(void) { return 0; }' | $(CC) $(CPPFLAGS) $(CFLAGS) $(if $(STATIC),-static) $(LDFLAGS) -include $4 \
	-x c - -o /dev/null $3 2>/dev/null && echo $3; fi),$(if $(filter-out auto,$($1)),$(error \
	$1=$($1): $2 is not found; install the Debian package $5, or use $1=0))))
# A library is searched for when a recipe first needs its flags, and not again.
isal = $(eval isal := $$(call library,ISAL,libisal,-lisal,isa-l/igzip_lib.h,libisal-dev))$(isal)
zstd = $(eval zstd := $$(call library,ZSTD,libzstd,-lzstd,zstd.h,libzstd-dev))$(zstd)
sqlite = $(eval sqlite := $$(call library,SQLITE,sqlite3,-lsqlite3,sqlite3.h,libsqlite3-dev))$(sqlite)
utf8proc = $(eval utf8proc := $$(call library,UTF8PROC,libutf8proc,-lutf8proc,utf8proc.h,libutf8proc-dev))$(utf8proc)
md = $(eval md := $$(call library,MD,libmd,-lmd,md5.h,libmd-dev))$(md)
all_cppflags = -D_POSIX_C_SOURCE=200809L -DTRACEFILTERS_VERSION='"$(VERSION)"' -Ilib -Ifilters $(fortify) \
	$(if $(isal),-DHAVE_ISAL) $(if $(zstd),-DHAVE_ZSTD) $(if $(sqlite),-DHAVE_SQLITE) $(if $(utf8proc),-DHAVE_UTF8PROC) \
	$(if $(md),-DHAVE_MD) $(filter -I%,$(isal) $(zstd) $(sqlite) $(utf8proc) $(md)) -MMD -MP $(CPPFLAGS)
all_cflags = -std=c11 $(warnings) $(hardening) $(sanitize) $(CFLAGS)
all_ldflags = $(if $(STATIC),-static,-pie -Wl,-z,relro,-z,now) $(sanitize) $(LDFLAGS)
# --as-needed: only programs with tables are linked with libutf8proc, and only trace2ndjson with libsqlite3 and libmd.
libs = $(filter-out -I%,$(isal) $(zstd) -Wl$(comma)--as-needed $(sqlite) $(utf8proc) $(md)) -lz -lm -lpthread $(LDLIBS)
uses = $(if $(isal),,no )libisal, $(if $(zstd),,no )libzstd, $(if $(sqlite),,no )libsqlite3, \
	$(if $(utf8proc),,no )libutf8proc, $(if $(md),,no )libmd

filters := $(patsubst filters/%/,%,$(wildcard filters/*/))
script_files := $(filter-out scripts/dev/% %.d %.tsv %.1,$(wildcard scripts/*/*))
scripts := $(notdir $(script_files))
# Scripts that are symbolic links to another script in the same folder.
script_links := $(shell find $(script_files) -type l)
tables := lib/device/kernel-names.tsv $(wildcard lib/*.json)
parts := $(wildcard scripts/*/*.d/*)
shell_parts := $(filter %.sh %.report %.columns,$(parts))
renamed_parts := $(shell_parts) $(filter %.section %.job %.pair,$(parts))
pages := $(wildcard filters/*/*.[157] lib/*.[157] scripts/*.[157] scripts/*/*.[157])
lib_objects := $(patsubst %.c,$B/%.o,$(wildcard lib/*/*.c)) $B/lib/table/script_reports.o $B/lib/device/kernel-names.tsv.o
filter_objects := $(foreach f,$(filters),$B/filters/$f/$f.o)
# Styles and scripts of HTML pages, which are embedded in a program as C.
texts := $(wildcard filters/*/*.css filters/*/*.js)
# The rules for the names of kernels, which are also installed.
kernel_names := lib/device/kernel-names.tsv
# A filter's own modules: all files of its folder except the one with main().
own_objects = $(patsubst %.c,$B/%.o,$(filter-out filters/$1/$1.c,$(wildcard filters/$1/*.c filters/$1/*/*.c filters/$1/*/*/*.c))) \
	$(patsubst %,$B/%.o,$(filter filters/$1/%,$(texts)))
all_objects := $(lib_objects) $(filter_objects) $(foreach f,$(filters),$(call own_objects,$f))
programs := $(addprefix $B/bin/,$(filters))
links := $(addprefix $B/bin/,$(scripts))
page_links := $(foreach f,$(pages),$B/man/man$(subst .,,$(suffix $f))/$(notdir $f))
unit_folders := $(patsubst tests/unit/%/,%,$(wildcard tests/unit/*/))
unit_tests := $(unit_folders:%=$B/unit/%)
unit_objects := $(patsubst %.c,$B/%.o,$(wildcard tests/unit/*/*.c))
helpers := $(patsubst tests/bench/%.c,$B/bench/%,$(wildcard tests/bench/*.c))
fuzzers := $(patsubst tests/fuzz/%.c,$B/fuzzers/%,$(filter-out tests/fuzz/filter.c,$(wildcard tests/fuzz/*.c)))
# The target filter.c is linked with each program, in a process of its own, except with the one that runs other programs.
filter_fuzzers := $(patsubst %,$B/fuzzers/filter-%,$(filter-out report-sections,$(filters)))
c_files := $(wildcard lib/*/*.[ch] filters/*/*.[ch] filters/*/*/*.[ch] filters/*/*/*/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch])
sh_files := $(wildcard tests/*.t tests/*/*.t tests/*.sh tests/run tests/models tests/outputs) scripts/quickstart tests/fuzz/run tests/fuzz/seeds \
	$(filter-out $(script_links),$(script_files)) $(shell_parts) \
	scripts/dev/gallery/draw scripts/dev/gallery/draw-page \
	scripts/dev/embed/text-to-c scripts/dev/embed/columns-to-c scripts/dev/embed/lines-to-c scripts/dev/package/deb

# The options of each program, for completion and for the catalogue of programs.
rows := $(addprefix $B/rows/,$(filters) $(scripts))
catalogue := $B/share/tracefilters/catalogue.json

all: $(programs) $(links) $(page_links) $(catalogue)

# This file changes only when the compiler or a flag changes. All objects depend on it, so old objects are rebuilt.
$B/flags: force
	@mkdir -p $(@D)
	@echo '$(CC) $(subst ','\'',$(all_cppflags)) $(all_cflags) $(all_ldflags) $(libs)' >$@.new
	@cmp -s $@.new $@ && rm $@.new || { mv $@.new $@ && echo 'optional libraries: $(uses)'; }

# This file changes only when a module is added, moved or removed. All archives depend on it, so none keeps an old object.
$B/modules: force
	@mkdir -p $(@D)
	@echo '$(all_objects)' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$B/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(CC) $(all_cppflags) $(all_cflags) -c -o $@ $<

$(texts:%=$B/%.c): $B/%.c: % scripts/dev/embed/text-to-c
	@mkdir -p $(@D)
	scripts/dev/embed/text-to-c $< >$@.new && mv $@.new $@

$B/$(kernel_names).c: $(kernel_names) scripts/dev/embed/lines-to-c
	@mkdir -p $(@D)
	scripts/dev/embed/lines-to-c kernel_names_tsv $< >$@.new && mv $@.new $@

# The columns of the scripts' reports. The file changes only when a script lists other columns.
$B/lib/table/script_reports.c: scripts/dev/embed/columns-to-c $(script_files)
	@mkdir -p $(@D)
	@$^ >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(texts:%=$B/%.o) $B/$(kernel_names).o $B/lib/table/script_reports.o: %.o: %.c $B/flags
	$(CC) $(all_cppflags) $(all_cflags) -c -o $@ $<

$B/lib.a: $(lib_objects) $B/modules
	@rm -f $@
	$(AR) rcs $@ $(filter %.o,$^)

# A filter's own modules form an archive, so that their unit tests can be linked with it. The linker's map lists the
# modules of lib that each program uses; tests/structure.t reads it.
define filter_rules
$B/$1.a: $(call own_objects,$1) $B/modules
	@rm -f $$@
	$(AR) rcs $$@ $$(filter %.o,$$^)

$B/bin/$1: $B/filters/$1/$1.o $B/$1.a $B/lib.a
	@mkdir -p $$(@D)
	$(CC) $(all_cflags) $(all_ldflags) -Wl,-Map,$B/$1.map -o $$@ $$^ $$(libs)

$(filter $B/unit/$1,$(unit_tests)): $B/$1.a
endef
$(foreach f,$(filters),$(eval $(call filter_rules,$f)))

define script_rule
$B/bin/$(notdir $1): $1
	@mkdir -p $$(@D)
	ln -sf "$(CURDIR)/$1" $$@
endef
$(foreach f,$(script_files),$(eval $(call script_rule,$f)))

$(filters:%=$B/rows/%): $B/rows/%: $B/bin/%
	@mkdir -p $(@D)
	@$< --option-rows >$@.new
	@sed 's/^/$*	=	/' $@.new >$@ && rm $@.new

# The help of some scripts contains that of a filter.
$(scripts:%=$B/rows/%): $B/rows/%: $B/bin/% scripts/dev/completions/help.awk | $(programs) $(links)
	@mkdir -p $(@D)
	@PATH="$(abspath $B)/bin:$$PATH" $* -h >$@.new
	@awk -v command=$* -f scripts/dev/completions/help.awk $@.new >$@ && rm $@.new

# $(call write_catalogue,PREFIX,FILE)
write_catalogue = awk -v prefix='$1' -v version=$(VERSION) -f scripts/dev/completions/catalogue.awk lib/events.5 $(rows) >$2
$(catalogue): $(rows) scripts/dev/completions/catalogue.awk lib/events.5
	@mkdir -p $(@D)
	@$(call write_catalogue,,$@.new) && mv $@.new $@

# Links to the pages: with $B/man in MANPATH, man finds them, also those that are links to another page.
define page_rule
$B/man/man$(subst .,,$(suffix $1))/$(notdir $1): $1
	@mkdir -p $$(@D)
	ln -sf "$(CURDIR)/$1" $$@
endef
$(foreach f,$(pages),$(eval $(call page_rule,$f)))

# The unit tests of a folder of lib or of a program are one program, because linking takes longer than running them. The
# function unit_test() of each file gets a name of its own; tests/unit/main.c calls the functions in MODULES.
$(unit_objects): $B/%.o: %.c $B/flags
	@mkdir -p $(@D)
	$(CC) $(all_cppflags) -Itests/unit -Dunit_test=unit_test_$(notdir $*) $(all_cflags) -c -o $@ $<

define unit_rules
$B/tests/unit/$1.main.o: tests/unit/main.c tests/unit/$1 $B/flags
	@mkdir -p $$(@D)
	$(CC) $(all_cppflags) -Itests/unit '-DMODULES=$(patsubst tests/unit/$1/%.c,MODULE(%),$(wildcard tests/unit/$1/*.c))' \
		$(all_cflags) -c -o $$@ $$<

$B/unit/$1: $B/tests/unit/$1.main.o $(filter $B/tests/unit/$1/%,$(unit_objects)) $B/lib.a
	@mkdir -p $$(@D)
	$(CC) $(all_cflags) $(all_ldflags) -o $$@ $$(filter %.o,$$^) $$(filter-out $B/lib.a,$$(filter %.a,$$^)) $B/lib.a $(libs)
endef
$(foreach f,$(unit_folders),$(eval $(call unit_rules,$f)))

$(helpers): $B/bench/%: tests/bench/%.c $B/flags
	@mkdir -p $(@D)
	$(CC) $(all_cppflags) $(all_cflags) $(all_ldflags) -o $@ $< $(libs)

programs-and-tests: all $(unit_tests) $(helpers)

check: programs-and-tests $(fuzzers) $(filter %-corr-join,$(filter_fuzzers))
	@BUILD=$B tests/run $(T)

# The fast checks: of every program, format and script, without recorded traces; T names some of them.
check-fast: programs-and-tests
	@BUILD=$B tests/run --fast $(T)

bench: all $(helpers)
	@BUILD=$B tests/bench/run

# BASE is the folder of another build, such as one of the commit before: make B=build/before.
bench-quick: all $(helpers)
	@BUILD=$B tests/bench/run --quick '$(BASE)'

mutate: programs-and-tests
	@BUILD=$B tests/mutate $(FILES)

# Fuzzing needs a separate build, in a folder of its own. The findings of a fuzz target are stored next to the target.
fuzz:
	$(MAKE) CC=clang SAN=fuzzer-no-link,address,undefined B=$B/fuzz \
		CPPFLAGS='$(CPPFLAGS) -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION' fuzz-run

# Checks for hours, which are not a part of `make check`: a table of the models, the growth of time and memory, and the
# runs of each fuzz target.
check-long: FUZZ_TIME = 600
check-long: all
	@export PATH="$(abspath $B)/bin:$$PATH"; status=0; \
		tests/models $(or $(TRACES),20000) $(or $(JOBS),1) $B/models $(T:filter-%=%) || status=1; \
		for what in memory time; do tests/growth $$what $B/growth $(T:filter-%=%) || status=1; done; \
		$(MAKE) fuzz FUZZ_TIME=$(FUZZ_TIME) && exit $$status

fuzz-run: $(or $(T:%=$B/fuzzers/%),$(fuzzers) $(filter_fuzzers))
	@tests/fuzz/run $(FUZZ_TIME) $(or $(JOBS),1) $^

# The programs whose modules a fuzz target links. In a build without a fuzzer, a target only runs the inputs it is given.
fuzzed := $(patsubst %,$B/%.a,coll-join derive ndjson2report ndjson2svg stats trace2ndjson what-if)
fuzzer := $(if $(findstring fuzzer,$(SAN)),-DLIBFUZZER -fsanitize=fuzzer)
$(fuzzers): $B/fuzzers/%: tests/fuzz/%.c $(fuzzed) $B/lib.a $B/flags
	@mkdir -p $(@D)
	$(CC) $(all_cppflags) -Itests/unit $(all_cflags) $(all_ldflags) $(fuzzer) -o $@ $< $(fuzzed) $B/lib.a $(libs)

define filter_fuzzer_rule
$B/fuzzers/filter-$1: tests/fuzz/filter.c filters/$1/$1.c $B/$1.a $B/lib.a $B/flags
	@mkdir -p $$(@D)
	$$(CC) $$(all_cppflags) $$(all_cflags) -Dmain=filter_main -Wno-missing-prototypes -c -o $$@.main.o filters/$1/$1.c
	$$(CC) $$(all_cppflags) -Itests/unit '-DPROGRAM="$1"' $$(all_cflags) $$(all_ldflags) $$(fuzzer) \
		-Wl,--wrap=exit,--wrap=__sanitizer_cov_8bit_counters_init -o $$@ $$< $$@.main.o $B/$1.a $B/lib.a $$(libs)
endef
$(foreach f,$(filter_fuzzers:$B/fuzzers/filter-%=%),$(eval $(call filter_fuzzer_rule,$f)))

# The pictures of the gallery, from the traces in tests/data. Every run gives identical files.
gallery: all
	PATH="$(abspath $B)/bin:$$PATH" scripts/dev/gallery/draw

# The picture of the page that trace-report -o html writes. With the same chromium, every run gives an identical file.
page-picture: all
	PATH="$(abspath $B)/bin:$$PATH" scripts/dev/gallery/draw-page

static:
	$(MAKE) STATIC=1 all

# An installed script calls the programs by their installed names, and so do its parts that are shell scripts. The parts
# of a script X are in the folder X.d next to it, and are installed in share. The script finds them by a path relative
# to bin, so bin and share can be moved together. If BINDIR is not PREFIX/bin, the absolute path of share is written
# into the script instead.
bin := $(DESTDIR)$(BINDIR)
man := $(DESTDIR)$(MANDIR)
share := $(DESTDIR)$(PREFIX)/share/tracefilters
doc := $(DESTDIR)$(PREFIX)/share/doc/tracefilters
before := (^|[|&;({`}'\'']|(then|do|else|exec|with_hints|command|table|sorted|after|[.])[[:blank:]])([[:blank:]]*)
after := ([[:blank:]);|&`]|$$)
rename = $(if $(PROGPREFIX),$(foreach f,$(filters) $(scripts),-e 's/$(before)$f$(after)/\1\3$(PROGPREFIX)$f\4/g'))
parts_from = $(if $(filter-out $(PREFIX)/bin,$(BINDIR)),-e 's|[$$]\{script%/\*\}/\.\./share|$(abspath $(PREFIX))/share|')
part_to = $(share)/$(subst .d/,/,$(notdir $(patsubst %/,%,$(dir $1)))/)$(notdir $1)
part_folders := $(sort $(dir $(foreach f,$(parts),$(call part_to,$f))))
page_to = $(man)/man$(subst .,,$(suffix $(1)))/$(PROGPREFIX)$(notdir $(1))
for_bash := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
for_zsh := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
for_fish := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

# The completions are generated every time, because they depend on PROGPREFIX.
completions: all
	@rm -rf $B/completions
	@mkdir -p $B/completions/bash $B/completions/zsh $B/completions/fish
	@awk -v out=$B/completions -v prefix='$(PROGPREFIX)' -f scripts/dev/completions/shells.awk $(rows)

install: completions
	mkdir -p $(bin) $(share) $(doc) $(part_folders) $(foreach n,$(sort $(subst .,,$(suffix $(pages)))),$(man)/man$n) \
		$(for_bash) $(for_zsh) $(for_fish)
	$(foreach f,$(filters),install -m 755 $B/bin/$f $(bin)/$(PROGPREFIX)$f$(newline))
	$(foreach f,$(filter-out $(script_links),$(script_files)),sed -E -e '' $(rename) $(parts_from) $f >$(bin)/$(PROGPREFIX)$(notdir $f)$(newline))
	$(foreach f,$(script_links),ln -sf $(PROGPREFIX)$$(readlink $f) $(bin)/$(PROGPREFIX)$(notdir $f)$(newline))
	$(if $(scripts),chmod 755 $(foreach f,$(scripts),$(bin)/$(PROGPREFIX)$f))
	$(foreach f,$(pages),sed 's|^[.]so man1/|&$(PROGPREFIX)|' $f >$(call page_to,$f)$(newline))
	chmod 644 $(foreach f,$(pages),$(call page_to,$f))
	$(foreach f,$(tables),install -m 644 $f $(share)/$(notdir $f)$(newline))
	$(foreach f,$(filter-out $(renamed_parts),$(parts)),install -m 644 $f $(call part_to,$f)$(newline))
	$(foreach f,$(renamed_parts),sed -E -e '' $(rename) $f >$(call part_to,$f)$(newline))
	$(if $(renamed_parts),chmod 644 $(foreach f,$(renamed_parts),$(call part_to,$f)))
	$(call write_catalogue,$(PROGPREFIX),$(share)/catalogue.json)
	chmod 644 $(share)/catalogue.json
	install -m 644 scripts/dev/NEWS.md $(doc)
	install -m 644 $B/completions/bash/* $(for_bash)
	install -m 644 $B/completions/zsh/* $(for_zsh)
	install -m 644 $B/completions/fish/* $(for_fish)

uninstall:
	rm -f $(foreach f,$(filters) $(scripts),$(bin)/$(PROGPREFIX)$f) $(foreach f,$(pages),$(call page_to,$f)) \
		$(foreach f,$(tables),$(share)/$(notdir $f)) $(foreach f,$(parts),$(call part_to,$f)) $(doc)/NEWS.md \
		$(share)/catalogue.json $(foreach f,$(addprefix $(PROGPREFIX),$(filters) $(scripts)),$(for_bash)/$f $(for_zsh)/_$f $(for_fish)/$f.fish)
	rmdir $(part_folders) $(share) $(doc) 2>/dev/null || :

# The files in a package have the time of the last commit, so that the same sources give the same bytes. The source
# package contains the files that git tracks. Without git, it contains all files except those in the folder build.
source_date = $(or $(SOURCE_DATE_EPOCH),$(shell if [ -e .git ] && command -v git >/dev/null; then git log -1 --format=%ct; else stat -c %Y Makefile; fi))
source_files = if [ -e .git ] && command -v git >/dev/null; then git ls-files; else find * .[!.]* ! -type d ! -path 'build/*'; fi

dist:
	@mkdir -p build
	$(source_files) | LC_ALL=C sort | tar -cf build/tracefilters-$(VERSION).tar --no-recursion -T - --mtime=@$(source_date) \
		--owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w --transform='s|^|tracefilters-$(VERSION)/|S'
	gzip -9nf build/tracefilters-$(VERSION).tar

deb: all
	SOURCE_DATE_EPOCH=$(source_date) MAKE='$(MAKE)' scripts/dev/package/deb $B $(VERSION)

# Each version of clang-format formats differently; this is the version of Debian 12.
CLANG_FORMAT = clang-format-14

fmt:
	@$(CLANG_FORMAT) -i $(c_files)

# Findings and missing tools are failures. `make -k lint` continues after a failure, so that all six checks run. Files in
# $B/lint have the time of the last check without findings; only files that changed since then are checked again.
lint: lint-format lint-tidy lint-cppcheck lint-scripts lint-pages lint-commits

# The options of the checks. If they change, all files are checked again.
$B/lint/options: force
	@mkdir -p $(@D)
	@echo '$(CLANG_FORMAT) $(tidy) $(subst ','\'',$(lint_cppflags))' >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
changed = $(if $(filter $B/lint/options,$?),$1,$(filter $1,$?))

lint-format: $B/lint/format
$B/lint/format: $B/lint/options .clang-format $(c_files)
	@$(CLANG_FORMAT) --dry-run --Werror $(if $(filter .clang-format,$?),$(c_files),$(call changed,$(c_files))) && touch $@

# Checks that are switched off, because clang-tidy 14 reports many errors that do not exist: it does not know that the
# pointer of a non-empty text is never NULL. The sanitizers find the real errors.
tidy_wrong = core.NullDereference core.NonNullParamChecker security.insecureAPI.DeprecatedOrUnsafeBufferHandling
comma_list = $(subst $(eval) ,$(comma),$(strip $1))
# The analyser visits at most 6,000 states of a function instead of 225,000, which takes a tenth of the time. It checks
# only the sources of installed programs, because it takes minutes even for these.
tidy = clang-tidy --quiet --warnings-as-errors='*' --checks=$(call comma_list,$(tidy_wrong:%=-clang-analyzer-%))
tidy_limit = -Xclang -analyzer-config -Xclang max-nodes=6000
lint_cppflags = -std=c11 $(filter-out -MMD -MP,$(all_cppflags))
tidied := $(patsubst %.c,$B/lint/%.tidy,$(filter-out tests/%,$(filter %.c,$(c_files))))
lint-tidy:
	@+$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j "$$(nproc)") lint-tidy-files
lint-tidy-files: $(tidied)

# The compiler writes the headers of a source to a file .d, which is included below.
$B/lint/%.tidy: %.c $B/lint/options
	@mkdir -p $(@D)
	@$(tidy) $< -- $(lint_cppflags) $(tidy_limit) 2>/dev/null
	@$(CC) $(lint_cppflags) -MM -MP -MT $@ -MF $@.d $< && touch $@

# Checks that are switched off, because cppcheck 2.10 reports many errors that do not exist. clang-tidy and the
# sanitizers cover the first four; the last one reads the constant 0x1p63 as another number.
cppcheck_wrong = ctunullpointer ctuuninitvar legacyUninitvar autoVariables varFuncNullUB incorrectLogicOperator
# cppcheck stores its results in a folder, and checks only sources whose text or headers changed.
lint-cppcheck:
	@mkdir -p $B/lint/cppcheck
	@cppcheck --quiet --cppcheck-build-dir=$B/lint/cppcheck --error-exitcode=1 -j "$$(nproc)" --std=c11 \
		--enable=warning,performance,portability --inline-suppr $(cppcheck_wrong:%=--suppress=%) -Ilib -Ifilters -Itests/unit $(filter %.c,$(c_files))

# SC2154 does not recognise that take_operand of trace-script sets variables.
# SC2034 does not recognise that a part uses variables of the script that reads it.
lint-scripts: $B/lint/scripts
$B/lint/scripts: bash_files = $(shell grep -l '^\#!/bin/bash' $(sh_files)) $(shell_parts)
$B/lint/scripts: to_check = $(call changed,$(sh_files))
$B/lint/scripts: $B/lint/options $(sh_files)
	@printf '%s\n' $(filter-out $(bash_files),$(to_check)) | $(shellcheck) -s sh
	@printf '%s\n' $(filter $(bash_files),$(to_check)) | $(shellcheck) -s bash -e SC2154,SC2034
	@touch $@
shellcheck = grep . | xargs -r -n 8 -P "$$(nproc)" shellcheck -S warning

lint-pages:
	@! grep -L '^[.]so ' $(pages) | xargs mandoc -Tlint -Wwarning | grep -v 'sections out of conventional order'

# Commit subjects have at most 70 characters since the last change of VERSION, and since this commit: many before it are
# longer. Without git, or without the history, nothing is checked.
LONG_SUBJECTS_UNTIL = d9f91194
lint-commits:
	@[ ! -e .git ] || ! git cat-file -e $(LONG_SUBJECTS_UNTIL) 2>/dev/null || git log --format='%h %s' HEAD --not \
		$(LONG_SUBJECTS_UNTIL) $$(git log -1 --format=%H -G'^VERSION = ' -- Makefile) | \
		awk 'length($$0) - length($$1) > 71 { print $$0 ": the subject has more than 70 characters"; found = 1 } \
		END { exit found }'

clean:
	rm -rf build

define newline


endef

.PHONY: all programs-and-tests completions check check-fast check-long mutate bench bench-quick fuzz fuzz-run gallery page-picture \
	static install uninstall dist deb fmt lint lint-format lint-tidy lint-tidy-files lint-cppcheck lint-scripts lint-pages \
	lint-commits clean force
-include $(patsubst %.o,%.d,$(all_objects) $(unit_objects) $(unit_folders:%=$B/tests/unit/%.main.o)) \
	$(addsuffix .d,$(helpers) $(fuzzers))
ifneq ($(filter lint%,$(MAKECMDGOALS)),)
-include $(tidied:=.d)
endif
