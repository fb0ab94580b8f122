/*
 * scan_kernel: the body of a kernel. scan_scalar.c, scan_avx2.c and scan_avx512.c define KERNEL(name),
 * classify_frame(), classify_odd(), classify_rest(), prefix_xor(), squeeze_block() and shape_bytes(), and include this
 * file.
 *
 * All functions work on 64-bit masks with one bit for each byte of a block, bit 0 for the first byte. The carry of an
 * addition passes through a run of ones: in this way, one addition finds the first byte after each run of white space
 * in a block.
 */

#include "json/scan_frame.h"
#include "json/scan_units.h"
#include "json/scan_grammar.h"
#include "json/scan_shape.h"

static const struct scan_kernel KERNEL(kernel) = {
    KERNEL(run), KERNEL(clean), KERNEL(squeeze), KERNEL(skip), KERNEL(quote), KERNEL(shape)};
