/* text_functions: the functions of expressions that take texts and arrays apart, and that format numbers. */
#ifndef TEXT_FUNCTIONS_H
#define TEXT_FUNCTIONS_H

#include "expression/result.h"

operation text_capture;     /* the part of a text that the group of the regular expression matches; ABSENT if none */
operation text_substitute;  /* the text a with b in place of the first match; unchanged if there is no match */
operation text_fixed;       /* the number a with exactly b decimals; a half is rounded away from zero */
operation text_item;        /* the element b of the array a, from 0; negative indexes count from the end */
operation text_join;        /* the elements of the array a as one text, with b between them */
operation text_concatenate; /* the texts a and b, one after the other */
operation text_pad;         /* the text a with blanks before it, so that it has at least b characters */
operation text_repeat;      /* b copies of the text a */
operation text_length; /* the number of characters of a text, of elements of an array, or of members of an object */
operation text_of;     /* a as a text */

/* A copy of an array without the elements that are empty arrays, at any level; any other value is unchanged. */
operation text_compact;
/*
 * The value whose JSON a text contains, without needless escapes in its keys; ABSENT if the text is not JSON. Other
 * values are unchanged.
 */
operation text_parse_json;
/* The class and the operation of a kernel with the name a, its use of matrix units, and the line of its rule. */
operation text_kernel_class, text_kernel_operation, text_kernel_matrix, text_kernel_rule;
operation text_sum; /* the sum of the elements of an array, which must be numbers; nulls are left out */

#endif
