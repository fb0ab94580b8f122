/* scan_x86: macros to compile code for an instruction set, and the code that the AVX2 and AVX-512 kernels share. */
#ifndef SCAN_X86_H
#define SCAN_X86_H

#include <immintrin.h>
#include <stdint.h>

#define AVX2_TARGET "avx2,bmi,bmi2,lzcnt,popcnt,pclmul"
#define AVX512_TARGET AVX2_TARGET ",avx512f,avx512bw,avx512vl,avx512vbmi2"

/*
 * All code between BEGIN_TARGET(set) and END_TARGET is compiled for the instruction set `set`, even if the compiler's
 * options select another one.
 */
#define PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define BEGIN_TARGET(set) PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(set) PRAGMA(GCC push_options) PRAGMA(GCC target(set))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

BEGIN_TARGET(AVX2_TARGET)

/* Bit i of the result is the xor of the bits 0 .. i of m: this is a carry-less multiplication by all ones. */
static inline uint64_t prefix_xor(uint64_t m)
{
	return (uint64_t)_mm_cvtsi128_si64(
	    _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)m), _mm_set1_epi8((char)0xff), 0));
}

END_TARGET

#endif
