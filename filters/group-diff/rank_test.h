/*
 * rank_test: tests by ranks whether two samples differ: the two-sided Mann-Whitney U test. It assumes nothing about the
 * distribution of the values, so that a few slow steps do not decide.
 */
#ifndef RANK_TEST_H
#define RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>

/* The largest p of a difference that is not chance. */
#define RANK_TEST_LEVEL 0.01

/* Returns whether samples of these sizes can differ so much that p <= RANK_TEST_LEVEL: 5 and 5 can, 4 and 4 cannot. */
bool rank_test_possible(size_t n_a, size_t n_b);

/*
 * Sorts both samples and returns p: exact if the product of their sizes is at most 400 and no two values are equal,
 * otherwise from the normal distribution, corrected for equal values and for continuity. 1 if a sample is empty.
 */
double rank_test(double *a, size_t n_a, double *b, size_t n_b);

/* Sorts a sample, and returns its median: of an even number of values, the mean of the two in the middle; 0 of none. */
double rank_test_median(double *values, size_t n);

#endif
