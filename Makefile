# tracefilters: GNU make, no configure. Everything built lies in build/; build/bin is all a PATH needs.

VERSION = 0.1.0
PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
PROGPREFIX =
CFLAGS = -O2 -g
SAN =

B := build$(if $(SAN),/san)
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wwrite-strings -Wformat=2 -Wvla -Wundef
hardening := -fstack-protector-strong -fPIE
sanitize := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
all_cppflags = -D_POSIX_C_SOURCE=200809L -DTRACEFILTERS_VERSION='"$(VERSION)"' -Ilib -Ifilters/formats -MMD -MP $(CPPFLAGS)
all_cflags = -std=c11 $(warnings) $(hardening) $(sanitize) $(CFLAGS)
all_ldflags = $(if $(STATIC),-static,-pie -Wl,-z,relro,-z,now) $(sanitize) $(LDFLAGS)
libs = -lz -lm -lpthread $(LDLIBS)

filters := $(patsubst filters/%.c,%,$(wildcard filters/*.c))
scripts := $(filter-out gallery,$(notdir $(wildcard scripts/*)))
lib_objects := $(patsubst %.c,$B/%.o,$(wildcard lib/*.c))
format_objects := $(patsubst %.c,$B/%.o,$(wildcard filters/formats/*.c))
programs := $(addprefix $B/bin/,$(filters))
links := $(addprefix $B/bin/,$(scripts))
unit_tests := $(patsubst tests/unit/%.c,$B/unit/%,$(wildcard tests/unit/*.c))

all: $(programs) $(links)

$B/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(all_cppflags) $(all_cflags) -c -o $@ $<

$B/lib.a: $(lib_objects)
	$(AR) rcs $@ $^

$B/bin/trace2ndjson: $(format_objects)

$(programs): $B/bin/%: $B/filters/%.o $B/lib.a
	@mkdir -p $(@D)
	$(CC) $(all_cflags) $(all_ldflags) -o $@ $(filter-out $B/lib.a,$^) $B/lib.a $(libs)

$(links): $B/bin/%: scripts/%
	@mkdir -p $(@D)
	ln -sf $(abspath $<) $@

$(unit_tests): $B/unit/%: tests/unit/%.c $B/lib.a
	@mkdir -p $(@D)
	$(CC) $(all_cppflags) -Itests/unit $(all_cflags) $(all_ldflags) -o $@ $< $B/lib.a $(libs)

clean:
	rm -rf build

.PHONY: all clean
-include $(shell find $B -name '*.d' 2>/dev/null)
