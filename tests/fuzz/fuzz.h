/*
 * fuzz.h: makes a program from a fuzz target, which is a function. `make fuzz` builds programs that search for inputs
 * with libFuzzer, in build/fuzz/fuzzers. `make check` builds the same programs without libFuzzer, in build/fuzzers:
 * they run the function once for each file, or for standard input, as afl-fuzz needs it. To examine a finding:
 *
 *	make check SAN=address,undefined T=fuzz && build/san-address-undefined/fuzzers/json FINDING
 *
 * A target checks its conditions with HOLD(), which aborts if one is false.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HOLD(cond) ((cond) ? (void)0 : fuzz_broken(#cond, __FILE__, __LINE__))

_Noreturn static inline void fuzz_broken(const char *cond, const char *file, int line)
{
	fprintf(stderr, "%s:%d: condition is false: %s\n", file, line, cond);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifndef LIBFUZZER

static void fuzz_file(FILE *f)
{
	struct buf b = {0};
	size_t n;

	while ((n = fread(buf_room(&b, 65536), 1, 65536, f)) > 0)
		b.n += n;
	LLVMFuzzerTestOneInput((const uint8_t *)b.p, b.n);
	buf_free(&b);
}

int main(int argc, char **argv)
{
	FILE *f;
	int i;

	if (argc < 2)
		fuzz_file(stdin);
	for (i = 1; i < argc; i++) {
		f = fopen(argv[i], "rb");
		if (!f) {
			perror(argv[i]);
			return 2;
		}
		fuzz_file(f);
		fclose(f);
	}
	return 0;
}

#endif

#endif
